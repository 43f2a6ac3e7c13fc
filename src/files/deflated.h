/* Bytes that zstd or zlib have made smaller, in memory. Holds no file format. */
#ifndef SCH_FILES_DEFLATED_H
#define SCH_FILES_DEFLATED_H

#include "files/codec.h"

/* The library that this build lacks for a scheme, or NULL. NONE needs none. */
const char *sch_files_lacks(enum sch_file_supercompression scheme);

/* Whether `from` bytes can stand for `to` bytes at all: what no stream of the scheme reaches is refused before memory
 * is taken. */
bool sch_files_can_inflate(enum sch_file_supercompression scheme, size_t from, size_t to);

/* Fills exactly `to_bytes`; false: the stream is damaged or of another length. `lost_memory`: there was no memory. The
 * scheme is neither NONE nor one that the build lacks. */
bool sch_files_inflate(enum sch_file_supercompression scheme, const struct sch_allocator *memory, const uint8_t *from,
                       size_t from_bytes, uint8_t *to, size_t to_bytes, bool *lost_memory);

/* Appends the bytes as the scheme has them; false: no memory. */
bool sch_files_deflate(enum sch_file_supercompression scheme, const struct sch_allocator *memory, const uint8_t *from,
                       size_t bytes, struct sch_bytes *to);

#endif
