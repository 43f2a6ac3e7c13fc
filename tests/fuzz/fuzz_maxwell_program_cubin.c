/* Fuzz target: cubins. */
#include "fuzz.h"
#include "program_roundtrip.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    return sch_roundtrip_program(PROGRAM_CUBIN, data, bytes, NULL);
}

SCH_FUZZ_TARGET
