/* Reading and writing the container: header, offsets, chunks, checksum. */
#include "d3d/dxbc/container.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "isa/errors.h"

enum { CHECKSUM_AT = 4, SUMMED_AT = 20, SIZE_AT = 24, COUNT_AT = 28, HEADER_BYTES = 32, CHUNK_HEADER = 8, VERSION = 1 };

#define MAGIC SCH_D3D_TAG('D', 'X', 'B', 'C')

const char *sch_d3d_tag_text(uint32_t tag, char *text)
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned c = tag >> (8 * i) & 0xff;
        text[i] = c >= 0x20 && c < 0x7f ? (char)c : '?';
    }
    text[4] = 0;
    return text;
}

enum sch_result sch_d3d_refuse(struct sch_diagnostics *diagnostics, unsigned code, const struct sch_d3d_chunk *chunk,
                               size_t at, const char *format, ...)
{
    char message[256], tag[5];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, code, (struct sch_position){.offset = chunk->offset + at},
                        "%s: %s", sch_d3d_tag_text(chunk->tag, tag), message);
    return SCH_ERROR_INVALID;
}

enum sch_result sch_d3d_skip(struct sch_diagnostics *diagnostics, unsigned code, const struct sch_d3d_chunk *chunk,
                             size_t at, const char *message)
{
    char tag[5];
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_WARNING, code, (struct sch_position){.offset = chunk->offset + at},
                        "%s: %s", sch_d3d_tag_text(chunk->tag, tag), message);
    return SCH_ERROR_INVALID;
}

const char *sch_d3d_chunk_string(const struct sch_d3d_chunk *chunk, uint32_t at)
{
    if (at >= chunk->bytes || !memchr(chunk->data + at, 0, chunk->bytes - at)) return NULL;
    return (const char *)chunk->data + at;
}

static enum sch_result refuse(struct sch_diagnostics *diagnostics, enum sch_diagnostic_code code, uint64_t offset,
                              const char *message)
{
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, code, (struct sch_position){.offset = offset}, "%s", message);
    return SCH_ERROR_INVALID;
}

bool sch_d3d_container_recognise(const void *data, size_t bytes) { return bytes >= 4 && !memcmp(data, "DXBC", 4); }

struct sch_d3d_container *sch_d3d_container_create(const struct sch_allocator *allocator,
                                                   const struct sch_limits *limits)
{
    struct sch_arena arena;
    sch_arena_init(&arena, allocator, limits->memory);
    struct sch_d3d_container *made = SCH_ARENA_NEW(&arena, struct sch_d3d_container);
    if (!made) {
        sch_arena_release(&arena);
        return NULL;
    }
    made->arena = arena;
    made->checksum_right = true;
    return made;
}

void sch_d3d_container_destroy(struct sch_d3d_container *container)
{
    if (!container) return;
    struct sch_arena arena = container->arena; /* the container itself is in it */
    sch_arena_release(&arena);
}

static bool append(struct sch_d3d_container *container, struct sch_d3d_chunk chunk)
{
    if (!SCH_ARENA_GROW(&container->arena, container->chunks, container->chunk_capacity, container->chunk_count))
        return false;
    container->chunks[container->chunk_count++] = chunk;
    return true;
}

static bool add_padded(struct sch_d3d_container *container, uint32_t tag, const void *data, size_t bytes, size_t padded)
{
    unsigned char *copy = sch_arena_alloc(&container->arena, padded ? padded : 1, 1);
    if (!copy) return false;
    memset(copy, 0xab, padded);
    if (bytes) memcpy(copy, data, bytes);
    return append(container, (struct sch_d3d_chunk){.tag = tag, .data = copy, .bytes = padded});
}

bool sch_d3d_container_add(struct sch_d3d_container *container, uint32_t tag, const void *data, size_t bytes)
{
    size_t padded;
    return sch_add_size(bytes, 3, &padded) && add_padded(container, tag, data, bytes, padded & ~(size_t)3);
}

bool sch_d3d_container_add_exact(struct sch_d3d_container *container, uint32_t tag, const void *data, size_t bytes)
{
    return add_padded(container, tag, data, bytes, bytes);
}

const struct sch_d3d_chunk *sch_d3d_container_find(const struct sch_d3d_container *container, uint32_t tag)
{
    for (size_t i = 0; i < container->chunk_count; i++)
        if (container->chunks[i].tag == tag) return &container->chunks[i];
    return NULL;
}

const struct sch_d3d_chunk *sch_d3d_container_program(const struct sch_d3d_container *container)
{
    const struct sch_d3d_chunk *program = sch_d3d_container_find(container, SCH_D3D_TAG('S', 'H', 'D', 'R'));
    return program ? program : sch_d3d_container_find(container, SCH_D3D_TAG('S', 'H', 'E', 'X'));
}

/* The chunks of a file whose header is right. Offsets may come in any order and leave gaps; only what they point at
 * must be there. */
static enum sch_result read_chunks(struct sch_d3d_container *container, const unsigned char *at, size_t bytes,
                                   struct sch_diagnostics *diagnostics)
{
    uint32_t count = sch_word_at(at + COUNT_AT);
    if (count > (bytes - HEADER_BYTES) / 4)
        return refuse(diagnostics, SCH_D_DXBC_SIZE, COUNT_AT, "the container has more chunks than room for offsets");
    size_t total = 0, next = HEADER_BYTES + (size_t)4 * count;
    bool plain = true;
    for (uint32_t i = 0; i < count; i++) {
        size_t place = HEADER_BYTES + (size_t)4 * i;
        uint32_t offset = sch_word_at(at + place);
        if (offset < HEADER_BYTES || offset > bytes || bytes - offset < CHUNK_HEADER)
            return refuse(diagnostics, SCH_D_DXBC_CHUNK, place, "a chunk begins outside of the container");
        uint32_t size = sch_word_at(at + offset + 4);
        if (size > bytes - offset - CHUNK_HEADER) {
            struct sch_d3d_chunk cut = {.tag = sch_word_at(at + offset), .offset = offset + 4};
            return sch_d3d_refuse(diagnostics, SCH_D_DXBC_CHUNK, &cut, 0, "the chunk ends outside of the container");
        }
        /* Chunks that overlap would let a small file ask for a large one. */
        if (!sch_add_size(total, size, &total) || total > bytes)
            return refuse(diagnostics, SCH_D_DXBC_CHUNK, place, "chunks overlap");
        struct sch_d3d_chunk chunk = {.tag = sch_word_at(at + offset),
                                      .data = at + offset + CHUNK_HEADER,
                                      .bytes = size,
                                      .offset = (uint64_t)offset + CHUNK_HEADER};
        if (!append(container, chunk)) return SCH_ERROR_MEMORY;
        plain = plain && offset == next;
        next = (size_t)offset + CHUNK_HEADER + size;
    }
    if (plain && next == bytes) return SCH_OK;
    container->whole = at;
    container->whole_bytes = bytes;
    return SCH_OK;
}

/* Bytes after the container are not its own: files that hold one among others have them. */
static enum sch_result read_header(const unsigned char *at, size_t bytes, struct sch_diagnostics *diagnostics)
{
    if (!sch_d3d_container_recognise(at, bytes))
        return refuse(diagnostics, SCH_D_DXBC_HEADER, 0, "this is not a Direct3D container");
    if (bytes < HEADER_BYTES) return refuse(diagnostics, SCH_D_DXBC_SIZE, bytes, "the container's header is cut off");
    if (sch_word_at(at + SUMMED_AT) != VERSION)
        return refuse(diagnostics, SCH_D_DXBC_HEADER, SUMMED_AT, "the container's version is not 1");
    const uint32_t size = sch_word_at(at + SIZE_AT);
    if (size > bytes || size < HEADER_BYTES)
        return refuse(diagnostics, SCH_D_DXBC_SIZE, SIZE_AT, "the container's size is not that of the input");
    return SCH_OK;
}

static enum sch_result read_into(struct sch_d3d_container *container, const unsigned char *data, size_t bytes,
                                 bool any_checksum, struct sch_diagnostics *diagnostics)
{
    unsigned char *at = sch_arena_alloc(&container->arena, bytes, alignof(uint32_t));
    if (!at) return SCH_ERROR_MEMORY;
    memcpy(at, data, bytes);
    uint32_t digest[4];
    sch_d3d_checksum(at + SUMMED_AT, bytes - SUMMED_AT, digest);
    for (unsigned i = 0; i < 4; i++) container->checksum[i] = sch_word_at(at + CHECKSUM_AT + 4 * i);
    container->checksum_right = !memcmp(digest, container->checksum, sizeof digest);
    if (!container->checksum_right && !any_checksum)
        return refuse(diagnostics, SCH_D_DXBC_CHECKSUM, CHECKSUM_AT, "the container's checksum is wrong");
    return read_chunks(container, at, bytes, diagnostics);
}

enum sch_result sch_d3d_container_read(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                       const void *data, size_t bytes, bool any_checksum,
                                       struct sch_diagnostics *diagnostics, struct sch_d3d_container **container)
{
    *container = NULL;
    enum sch_result status = read_header(data, bytes, diagnostics);
    if (status != SCH_OK) return status;
    if (limits->source_bytes && bytes > limits->source_bytes) {
        refuse(diagnostics, SCH_D_D3D_LIMIT, 0, "the container is larger than the limit");
        return SCH_ERROR_LIMIT;
    }
    struct sch_d3d_container *made = sch_d3d_container_create(allocator, limits);
    if (!made) return SCH_ERROR_MEMORY;
    const size_t size = sch_word_at((const unsigned char *)data + SIZE_AT);
    status = read_into(made, data, size, any_checksum, diagnostics);
    if (status != SCH_OK) {
        sch_d3d_container_destroy(made);
        return status;
    }
    if (size < bytes)
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_WARNING, SCH_D_DXBC_BEHIND, (struct sch_position){.offset = size},
                            "%zu bytes after the container are left out", bytes - size);
    *container = made;
    return status;
}

static bool same_chunks(const struct sch_d3d_container *a, const struct sch_d3d_container *b)
{
    if (a->chunk_count != b->chunk_count) return false;
    for (size_t i = 0; i < a->chunk_count; i++) {
        const struct sch_d3d_chunk *one = &a->chunks[i], *other = &b->chunks[i];
        if (one->tag != other->tag || one->bytes != other->bytes) return false;
        if (one->bytes && memcmp(one->data, other->data, one->bytes)) return false;
    }
    return true;
}

enum sch_result sch_d3d_container_adopt(struct sch_d3d_container *container, const struct sch_allocator *allocator,
                                        const struct sch_limits *limits, const void *whole, size_t bytes)
{
    struct sch_d3d_container *read;
    if (bytes < HEADER_BYTES || sch_word_at((const unsigned char *)whole + SIZE_AT) != bytes) return SCH_ERROR_INVALID;
    enum sch_result status = sch_d3d_container_read(allocator, limits, whole, bytes, true, NULL, &read);
    if (status != SCH_OK) return status == SCH_ERROR_MEMORY ? status : SCH_ERROR_INVALID;
    bool same = same_chunks(container, read), plain = !read->whole;
    sch_d3d_container_destroy(read);
    if (!same) return SCH_ERROR_INVALID;
    if (plain) return SCH_OK;
    unsigned char *copy = sch_arena_alloc(&container->arena, bytes, 1);
    if (!copy) return SCH_ERROR_MEMORY;
    memcpy(copy, whole, bytes);
    container->whole = copy;
    container->whole_bytes = bytes;
    return SCH_OK;
}

/* Header with the checksum that was read, and chunks; `size` is the sum. */
static void write_chunks(struct sch_bytes *out, const struct sch_d3d_container *container, uint32_t size)
{
    sch_bytes_word(out, MAGIC);
    for (unsigned i = 0; i < 4; i++) sch_bytes_word(out, container->checksum[i]);
    sch_bytes_word(out, VERSION);
    sch_bytes_word(out, size);
    sch_bytes_word(out, (uint32_t)container->chunk_count);
    uint64_t offset = HEADER_BYTES + (uint64_t)4 * container->chunk_count;
    for (size_t i = 0; i < container->chunk_count; i++) {
        sch_bytes_word(out, (uint32_t)offset);
        offset += CHUNK_HEADER + (uint64_t)container->chunks[i].bytes;
    }
    for (size_t i = 0; i < container->chunk_count; i++) {
        sch_bytes_word(out, container->chunks[i].tag);
        sch_bytes_word(out, (uint32_t)container->chunks[i].bytes);
        sch_bytes_append(out, container->chunks[i].data, container->chunks[i].bytes);
    }
}

enum sch_result sch_d3d_container_write(const struct sch_d3d_container *container,
                                        const struct sch_allocator *allocator, struct sch_diagnostics *diagnostics,
                                        void **data, size_t *bytes)
{
    *data = NULL;
    *bytes = 0;
    uint64_t size = HEADER_BYTES + (uint64_t)4 * container->chunk_count;
    for (size_t i = 0; i < container->chunk_count; i++) size += CHUNK_HEADER + (uint64_t)container->chunks[i].bytes;
    if (size > UINT32_MAX) {
        refuse(diagnostics, SCH_D_D3D_LIMIT, 0, "a container has at most 4294967295 bytes");
        return SCH_ERROR_LIMIT;
    }
    struct sch_bytes out = {.allocator = allocator};
    if (container->whole)
        sch_bytes_append(&out, container->whole, container->whole_bytes);
    else
        write_chunks(&out, container, (uint32_t)size);
    uint32_t digest[4] = {0};
    if (out.status == SCH_OK) sch_d3d_checksum(out.data + SUMMED_AT, out.size - SUMMED_AT, digest);
    const uint32_t *sum = container->keeps_checksum ? container->checksum : digest;
    for (unsigned i = 0; i < 4; i++) sch_bytes_patch_word(&out, CHECKSUM_AT + (size_t)4 * i, sum[i]);
    return sch_bytes_take(&out, data, bytes);
}
