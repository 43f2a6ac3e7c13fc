/* Compression by libdeflate. It makes whole streams only, whose last block has its final bit set and need not end at a
 * whole byte: sch_files_deflate_band() repairs both. Holds no file format. */
#include <libdeflate.h>

#include "files/bands.h"

enum { FLUSH_BYTES = 5 }; /* at most: an empty stored block, and the byte that its header may begin */

struct sch_files_deflater {
    struct sch_allocator memory;
    struct libdeflate_compressor *compressor;
    struct sch_files_deflate_tables tables;
};

struct sch_files_deflater *sch_files_deflater_create(const struct sch_allocator *memory, unsigned level)
{
    struct sch_files_deflater *deflater = memory->alloc(memory->user, sizeof *deflater);
    if (!deflater) return NULL;
    deflater->memory = *memory;
    deflater->compressor = libdeflate_alloc_compressor((int)level);
    if (deflater->compressor) return deflater;
    memory->free(memory->user, deflater);
    return NULL;
}

void sch_files_deflater_release(struct sch_files_deflater *deflater)
{
    if (!deflater) return;
    const struct sch_allocator memory = deflater->memory;
    libdeflate_free_compressor(deflater->compressor);
    memory.free(memory.user, deflater);
}

size_t sch_files_deflate_bound(size_t bytes) { return libdeflate_deflate_compress_bound(NULL, bytes) + FLUSH_BYTES; }

/* Takes the final bit away and adds an empty stored block, which ends at a whole byte (RFC 1951, 3.2.4). */
static size_t open_stream(struct sch_files_deflate_tables *tables, uint8_t *data, size_t bytes)
{
    struct sch_files_deflate_ends ends;
    if (!sch_files_deflate_find_ends(tables, data, bytes, &ends)) return 0;
    data[ends.last_block / 8] &= (uint8_t) ~(1u << ends.last_block % 8);
    if (ends.end % 8) data[ends.end / 8] &= (uint8_t)((1u << ends.end % 8) - 1);
    size_t at = (ends.end + 3 + 7) / 8; /* after the header of three zeros; the rest of its byte is ignored */
    if (at > bytes) data[bytes] = 0;
    data[at++] = 0;
    data[at++] = 0;
    data[at++] = 0xff;
    data[at++] = 0xff;
    return at;
}

size_t sch_files_deflate_band(struct sch_files_deflater *deflater, const uint8_t *from, size_t bytes, bool last,
                              uint8_t *to, size_t room)
{
    if (room < FLUSH_BYTES) return 0;
    size_t made = libdeflate_deflate_compress(deflater->compressor, from, bytes, to, room - FLUSH_BYTES);
    return !made || last ? made : open_stream(&deflater->tables, to, made);
}

uint32_t sch_files_crc32(uint32_t crc, const uint8_t *data, size_t bytes) { return libdeflate_crc32(crc, data, bytes); }

uint32_t sch_files_adler32(uint32_t adler, const uint8_t *data, size_t bytes)
{
    return libdeflate_adler32(adler, data, bytes);
}
