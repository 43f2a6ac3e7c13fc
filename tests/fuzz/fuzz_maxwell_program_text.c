/* Fuzz target: Maxwell programs as text. */
#include "fuzz.h"
#include "program_roundtrip.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    return sch_roundtrip_program(PROGRAM_TEXT, data, bytes, NULL);
}

SCH_FUZZ_TARGET
