/* Fuzz target: Direct3D containers, whatever their checksum. */
#include "d3d_roundtrip.h"
#include "fuzz.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes) { return sch_d3d_roundtrip_container(data, bytes); }

SCH_FUZZ_TARGET
