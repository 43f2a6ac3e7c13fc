/* Fuzz target: JPEG files. */
#include "fuzz.h"
#include "texture_roundtrip.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    return sch_texture_fuzz(SCH_FILE_KIND_JPEG, data, bytes);
}

SCH_FUZZ_TARGET
