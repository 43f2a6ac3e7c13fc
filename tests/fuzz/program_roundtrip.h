/* What must hold for any input of the readers of Maxwell programs, whatever its bytes: used by the fuzz targets, by the
 * replay of their corpus and by the robustness tests. */
#ifndef SCH_TESTS_PROGRAM_ROUNDTRIP_H
#define SCH_TESTS_PROGRAM_ROUNDTRIP_H

#include <stdbool.h>
#include <stddef.h>

enum program_form { PROGRAM_TEXT, PROGRAM_RAW, PROGRAM_CUBIN };

/* Reads `bytes` bytes. What is accepted prints in both styles as text that reads as the same words and prints as
 * itself, and its words read as raw code with the same words. NULL when all holds (also when the input is refused with
 * at least one report), else what did not. `*accepted` (optional) says which. */
const char *sch_roundtrip_program(enum program_form form, const void *data, size_t bytes, bool *accepted);

#endif
