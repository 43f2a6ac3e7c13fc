/* Fuzz target: Maxwell words, eight bytes each, the lowest first. */
#include "fuzz.h"
#include "maxwell_roundtrip.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes) { return sch_maxwell_fuzz_words(data, bytes); }

SCH_FUZZ_TARGET
