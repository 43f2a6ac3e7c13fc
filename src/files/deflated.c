/* Bytes that zstd or zlib have made smaller, in memory. libzstd is optional (SCH_ZSTD); its working memory, some
 * hundred KiB for reading, is its own, since only its static library takes an allocator. Holds no file format. */
#include "files/deflated.h"

#include <limits.h>
#include <zlib.h>

#ifdef SCH_ZSTD
#include <zstd.h>
#endif

#include "base/checked.h"

/* What a stream can grow to: a deflated byte to 1032; a block of zstd to 128 KiB, of four bytes at least. */
enum { ZLIB_RATIO = 1032, ZSTD_RATIO = 32768, ZSTD_LEVEL = 9, CHUNK = 1 << 16 };

const char *sch_files_lacks(enum sch_file_supercompression scheme)
{
#ifndef SCH_ZSTD
    if (scheme == SCH_FILE_SUPERCOMPRESSION_ZSTD) return "libzstd";
#endif
    (void)scheme;
    return NULL;
}

bool sch_files_can_inflate(enum sch_file_supercompression scheme, size_t from, size_t to)
{
    if (scheme == SCH_FILE_SUPERCOMPRESSION_NONE) return from == to;
    return to / (scheme == SCH_FILE_SUPERCOMPRESSION_ZLIB ? ZLIB_RATIO : ZSTD_RATIO) <= from;
}

/* ---- zlib ---- */

static void *zlib_alloc(void *user, unsigned count, unsigned size)
{
    const struct sch_allocator *memory = user;
    size_t bytes;
    if (!sch_mul_size(count, size, &bytes)) return NULL;
    return memory->alloc(memory->user, bytes ? bytes : 1);
}

static void zlib_free(void *user, void *allocated)
{
    const struct sch_allocator *memory = user;
    if (allocated) memory->free(memory->user, allocated);
}

static unsigned at_most(size_t bytes) { return bytes < UINT_MAX ? (unsigned)bytes : UINT_MAX; }

static z_stream stream_with(const struct sch_allocator *memory)
{
    return (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = (void *)(uintptr_t)memory};
}

static bool zlib_inflate(const struct sch_allocator *memory, const uint8_t *from, size_t from_bytes, uint8_t *to,
                         size_t to_bytes, bool *lost_memory)
{
    z_stream stream = stream_with(memory);
    int status = inflateInit(&stream);
    uint8_t beyond; /* one more byte than there may be shows that the stream is longer */
    bool whole = false;
    *lost_memory = status == Z_MEM_ERROR;
    while (status == Z_OK) {
        const bool full = !to_bytes;
        stream.next_in = (Bytef *)(uintptr_t)from;
        stream.avail_in = at_most(from_bytes);
        stream.next_out = full ? &beyond : to;
        stream.avail_out = full ? 1 : at_most(to_bytes);
        const unsigned given = stream.avail_in, room = stream.avail_out;
        status = inflate(&stream, Z_NO_FLUSH);
        const unsigned taken = given - stream.avail_in, made = room - stream.avail_out;
        from += taken;
        from_bytes -= taken;
        if (full && made) break;
        to += made;
        to_bytes -= made;
        whole = status == Z_STREAM_END && !to_bytes;
        *lost_memory = status == Z_MEM_ERROR;
        if (!taken && !made) break;
    }
    inflateEnd(&stream);
    return whole;
}

static bool zlib_deflate(const struct sch_allocator *memory, const uint8_t *from, size_t bytes, struct sch_bytes *to)
{
    z_stream stream = stream_with(memory);
    uint8_t made[4096];
    int status = deflateInit(&stream, Z_DEFAULT_COMPRESSION);
    while (status == Z_OK) {
        stream.next_in = (Bytef *)(uintptr_t)from;
        stream.avail_in = bytes < CHUNK ? (unsigned)bytes : CHUNK;
        stream.next_out = made;
        stream.avail_out = sizeof made;
        const unsigned given = stream.avail_in;
        status = deflate(&stream, given == bytes ? Z_FINISH : Z_NO_FLUSH);
        if (status == Z_BUF_ERROR) status = Z_OK;
        from += given - stream.avail_in;
        bytes -= given - stream.avail_in;
        sch_bytes_append(to, made, sizeof made - stream.avail_out);
    }
    deflateEnd(&stream);
    return status == Z_STREAM_END && to->status == SCH_OK;
}

/* ---- zstd ---- */

#ifdef SCH_ZSTD
/* At one go, so that no window is allocated: what the stream says of itself takes no memory. */
static bool zstd_inflate(const uint8_t *from, size_t from_bytes, uint8_t *to, size_t to_bytes, bool *lost_memory)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    *lost_memory = !context;
    if (!context) return false;
    size_t made = ZSTD_decompressDCtx(context, to, to_bytes, from, from_bytes);
    ZSTD_freeDCtx(context);
    return !ZSTD_isError(made) && made == to_bytes;
}

static bool zstd_deflate(const uint8_t *from, size_t bytes, struct sch_bytes *to)
{
    const size_t most = ZSTD_compressBound(bytes);
    if (ZSTD_isError(most) || !sch_bytes_reserve(to, most)) return false;
    size_t made = ZSTD_compress(to->data + to->size, most, from, bytes, ZSTD_LEVEL);
    if (ZSTD_isError(made)) return false;
    to->size += made;
    return true;
}
#endif

bool sch_files_inflate(enum sch_file_supercompression scheme, const struct sch_allocator *memory, const uint8_t *from,
                       size_t from_bytes, uint8_t *to, size_t to_bytes, bool *lost_memory)
{
#ifdef SCH_ZSTD
    if (scheme == SCH_FILE_SUPERCOMPRESSION_ZSTD) return zstd_inflate(from, from_bytes, to, to_bytes, lost_memory);
#endif
    if (scheme == SCH_FILE_SUPERCOMPRESSION_ZLIB)
        return zlib_inflate(memory, from, from_bytes, to, to_bytes, lost_memory);
    *lost_memory = false;
    return false;
}

bool sch_files_deflate(enum sch_file_supercompression scheme, const struct sch_allocator *memory, const uint8_t *from,
                       size_t bytes, struct sch_bytes *to)
{
#ifdef SCH_ZSTD
    if (scheme == SCH_FILE_SUPERCOMPRESSION_ZSTD) return zstd_deflate(from, bytes, to);
#endif
    return scheme == SCH_FILE_SUPERCOMPRESSION_ZLIB && zlib_deflate(memory, from, bytes, to);
}
