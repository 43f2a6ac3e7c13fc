/* What the fuzz targets of texture files share. Holds no target. */
#ifndef SCH_TESTS_TEXTURE_ROUNDTRIP_H
#define SCH_TESTS_TEXTURE_ROUNDTRIP_H

#include <scheelite/files.h>

/* Reads a file of a kind; what could be read is written as that kind and read again, and must be the same. Returns what
 * is wrong, or NULL. */
const char *sch_texture_fuzz(enum sch_file_kind kind, const uint8_t *data, size_t bytes);

#endif
