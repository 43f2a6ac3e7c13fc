/* Fuzz target: TGSI tokens, bare or in a container. */
#include "fuzz.h"
#include "roundtrip.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes) { return sch_roundtrip_tokens(data, bytes, NULL); }

SCH_FUZZ_TARGET
