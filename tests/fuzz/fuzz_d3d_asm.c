/* Fuzz target: Direct3D assembly. */
#include "d3d_roundtrip.h"
#include "fuzz.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes) { return sch_d3d_roundtrip_text(data, bytes); }

SCH_FUZZ_TARGET
