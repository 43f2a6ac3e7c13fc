/* Compression by zlib, where libdeflate is missing: the same stream, slower. Holds no file format. */
#define ZLIB_CONST /* it does not write what it reads */
#include <zlib.h>

#include "files/bands.h"

enum { RAW_WINDOW = -15, MEMORY_LEVEL = 8, FLUSH_BYTES = 16 };

struct sch_files_deflater {
    struct sch_allocator memory;
    z_stream stream;
};

static void *take_memory(void *user, unsigned count, unsigned size)
{
    const struct sch_allocator *memory = user;
    return memory->alloc(memory->user, (size_t)count * size);
}

static void give_back(void *user, void *block)
{
    const struct sch_allocator *memory = user;
    if (block) memory->free(memory->user, block);
}

struct sch_files_deflater *sch_files_deflater_create(const struct sch_allocator *memory, unsigned level)
{
    struct sch_files_deflater *deflater = memory->alloc(memory->user, sizeof *deflater);
    if (!deflater) return NULL;
    *deflater = (struct sch_files_deflater){.memory = *memory};
    deflater->stream.zalloc = take_memory;
    deflater->stream.zfree = give_back;
    deflater->stream.opaque = &deflater->memory;
    const int known = level < Z_BEST_COMPRESSION ? (int)level : Z_BEST_COMPRESSION;
    if (deflateInit2(&deflater->stream, known, Z_DEFLATED, RAW_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK)
        return deflater;
    memory->free(memory->user, deflater);
    return NULL;
}

void sch_files_deflater_release(struct sch_files_deflater *deflater)
{
    if (!deflater) return;
    const struct sch_allocator memory = deflater->memory;
    deflateEnd(&deflater->stream);
    memory.free(memory.user, deflater);
}

/* A stored block has at most 65535 bytes (RFC 1951, 3.2.4), and zlib's at least a quarter of its buffer. */
size_t sch_files_deflate_bound(size_t bytes) { return bytes + bytes / 1024 + 64 + FLUSH_BYTES; }

/* zlib counts with unsigned: long bands are given and taken in pieces. */
size_t sch_files_deflate_band(struct sch_files_deflater *deflater, const uint8_t *from, size_t bytes, bool last,
                              uint8_t *to, size_t room)
{
    enum { PIECE = 1 << 30 };
    z_stream *stream = &deflater->stream;
    const size_t all = room;
    if (deflateReset(stream) != Z_OK) return 0;
    stream->next_in = from;
    stream->next_out = to;
    for (;;) {
        const unsigned in = bytes < PIECE ? (unsigned)bytes : PIECE, out = room < PIECE ? (unsigned)room : PIECE;
        const int flush = bytes > in ? Z_NO_FLUSH : last ? Z_FINISH : Z_SYNC_FLUSH;
        stream->avail_in = in;
        stream->avail_out = out;
        const int result = deflate(stream, flush);
        bytes -= in - stream->avail_in;
        room -= out - stream->avail_out;
        if (result == Z_STREAM_END) return all - room;
        if (result != Z_OK || !room) return 0;
        if (!last && !bytes && stream->avail_out) return all - room;
    }
}

uint32_t sch_files_crc32(uint32_t crc, const uint8_t *data, size_t bytes)
{
    return (uint32_t)crc32_z(crc, data, bytes);
}

uint32_t sch_files_adler32(uint32_t adler, const uint8_t *data, size_t bytes)
{
    return (uint32_t)adler32_z(adler, data, bytes);
}
