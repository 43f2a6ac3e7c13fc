/* Floating immediates of Maxwell instructions as nvdisasm writes them: the upper bits of a number, or a half. */
#ifndef SCH_MAXWELL_TEXT_IMMEDIATE_H
#define SCH_MAXWELL_TEXT_IMMEDIATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sch_maxwell_float { SCH_MAXWELL_FLOAT_16, SCH_MAXWELL_FLOAT_32, SCH_MAXWELL_FLOAT_64 };

enum { SCH_MAXWELL_IMMEDIATE = 64 };

/* The number of these bits. True: the text names a NaN, of which there are several. */
bool sch_maxwell_immediate_print(uint64_t bits, enum sch_maxwell_float width, char text[SCH_MAXWELL_IMMEDIATE]);

/* The bytes of a number that begins at `text`, 0: none does. `*bits` is the nearest one of the width; `*exact`: it is
 * the number itself, or as near as the width comes to a decimal one. */
size_t sch_maxwell_immediate_read(const char *text, size_t bytes, enum sch_maxwell_float width, uint64_t *bits,
                                  bool *exact);

#endif
