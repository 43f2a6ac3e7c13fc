/* Fuzz target: recordings of clients of the virgl protocol, of any bytes: virgl_roundtrip.h says what is checked. What
 * recordings of valid commands lead to is fuzz_virgl_commands.c's. */
#include "fuzz.h"
#include "virgl_roundtrip.h"

enum { MOST = 1 << 16 };

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    return bytes > MOST ? NULL : sch_fuzz_recording(data, bytes);
}

SCH_FUZZ_TARGET
