/* Words of registers as text. */
#ifndef SCH_DEBUGGER_VALUE_H
#define SCH_DEBUGGER_VALUE_H

#include "debug.h"

/* Bits of a type that is known, as a float where it is not; a word that would be a float next to zero as an integer. */
void sch_debugger_value(const struct sch_debugger_subject *subject, uint32_t bits, enum sch_debugger_type type,
                        char text[SCH_DEBUGGER_VALUE_BYTES]);

/* Two words as a number of 64 bits, the low one first. */
void sch_debugger_double(uint32_t low, uint32_t high, char text[SCH_DEBUGGER_VALUE_BYTES]);

/* "float", "int", "uint"; "word" where it is not known. */
const char *sch_debugger_type_name(enum sch_debugger_type type);

#endif
