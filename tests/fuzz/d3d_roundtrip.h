/* What must hold for any input of the Direct3D readers, whatever its bytes: used by the fuzz targets and by the replay
 * of their corpus. */
#ifndef SCH_TESTS_D3D_ROUNDTRIP_H
#define SCH_TESTS_D3D_ROUNDTRIP_H

#include <stddef.h>

/* Reads a container, whatever its checksum says. If it is accepted: the container that is written reads again, its
 * program encodes to the same words, and its listing assembles to what prints as the same listing. NULL when all holds
 * (also when the input is refused with a report), else what did not. */
const char *sch_d3d_roundtrip_container(const void *data, size_t bytes);

/* The same for assembly text: its listing, its container and the listing of that are the same shader. */
const char *sch_d3d_roundtrip_text(const void *data, size_t bytes);

#endif
