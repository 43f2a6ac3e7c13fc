/* What fuzz targets check of recordings of the virgl protocol. */
#ifndef SCH_TESTS_FUZZ_VIRGL_ROUNDTRIP_H
#define SCH_TESTS_FUZZ_VIRGL_ROUNDTRIP_H

#include <stddef.h>
#include <stdint.h>

/* Plays a recording with small limits. NULL, or what is wrong: a recording that is refused has a reason in the log; two
 * plays, of different widths and numbers of threads, show the same frames, and so does what the first of them records,
 * and the recording that is cut to pieces and joined; nothing is held afterwards. */
const char *sch_fuzz_recording(const uint8_t *data, size_t bytes);

#endif
