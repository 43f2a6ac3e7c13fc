/* Fuzz target: the text of one Maxwell instruction. */
#include "fuzz.h"
#include "maxwell_roundtrip.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes) { return sch_maxwell_fuzz_text(data, bytes); }

SCH_FUZZ_TARGET
