/* Compression of a picture's bands: each is compressed on its own, and what comes out can be put one after the
 * other to one deflate stream (RFC 1951). Holds no file format; inflating is the readers' business. */
#ifndef SCH_FILES_BANDS_H
#define SCH_FILES_BANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scheelite/types.h>

enum { SCH_FILES_DEFLATE_MAX = 12, SCH_FILES_DEFLATE_DEFAULT = 2 };

/* One thread's compressor; bands_libdeflate.c or bands_zlib.c, whichever the build has. */
struct sch_files_deflater;

/* Levels 0 (stored) to SCH_FILES_DEFLATE_MAX. NULL: out of memory. What the library takes for itself comes from
 * `memory` only if it can be seen. */
struct sch_files_deflater *sch_files_deflater_create(const struct sch_allocator *memory, unsigned level);
void sch_files_deflater_release(struct sch_files_deflater *deflater);

/* How many bytes a band of `bytes` may become. */
size_t sch_files_deflate_bound(size_t bytes);

/* Compresses a band. Unless it is the last one of its stream, it ends at a whole byte and without a final block.
 * Returns the bytes of `to`, 0 if the library failed. */
size_t sch_files_deflate_band(struct sch_files_deflater *deflater, const uint8_t *from, size_t bytes, bool last,
                              uint8_t *to, size_t room);

/* The sums of PNG and of zlib's format (RFC 1950), as their libraries count them: begin with 0 and with 1. */
uint32_t sch_files_crc32(uint32_t crc, const uint8_t *data, size_t bytes);
uint32_t sch_files_adler32(uint32_t adler, const uint8_t *data, size_t bytes);

/* The sum of two pieces one after the other, from theirs; the second one has `bytes`. */
uint32_t sch_files_adler32_join(uint32_t first, uint32_t second, size_t bytes);

/* Where the last block of a deflate stream begins and where it ends, in bits. */
struct sch_files_deflate_ends {
    size_t last_block, end;
};

/* Room for the tables of codes. */
struct sch_files_deflate_tables {
    uint16_t literals[1 << 15], distances[1 << 15];
};

/* Walks through a stream without inflating it; false: it breaks RFC 1951, or ends early. */
bool sch_files_deflate_find_ends(struct sch_files_deflate_tables *tables, const uint8_t *data, size_t bytes,
                                 struct sch_files_deflate_ends *ends);

#endif
