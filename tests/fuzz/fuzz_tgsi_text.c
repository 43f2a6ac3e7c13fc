/* Fuzz target: TGSI text. */
#include "fuzz.h"
#include "roundtrip.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes) { return sch_roundtrip_text(data, bytes, NULL); }

SCH_FUZZ_TARGET
