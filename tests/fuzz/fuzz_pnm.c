/* Fuzz target: PNM and PFM files. */
#include "fuzz.h"
#include "texture_roundtrip.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    return sch_texture_fuzz(bytes > 1 && (data[1] | 0x20) == 'f' ? SCH_FILE_KIND_PFM : SCH_FILE_KIND_PNM, data, bytes);
}

SCH_FUZZ_TARGET
