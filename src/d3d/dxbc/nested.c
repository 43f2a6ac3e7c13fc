/* Containers inside of the chunks of a container that has no program itself: effects (FX10) and libraries (LIBF) hold
 * their programs so. Only their bounds are looked at here; what is in them is read like any other container. */
#include "d3d/dxbc/shader.h"

#include <string.h>

enum { VERSION_AT = 20, SIZE_AT = 24, COUNT_AT = 28, HEADER_BYTES = 32, CHUNK_HEADER = 8, MOST_CHUNKS = 64 };

/* How many bytes a container at `at` has, 0: there is none. `left` bytes are there. Bounded in time, so that bytes that
 * look like many containers cost no more than others. */
static size_t measure(const unsigned char *at, size_t left)
{
    if (left < HEADER_BYTES || !sch_d3d_container_recognise(at, left) || sch_word_at(at + VERSION_AT) != 1) return 0;
    uint32_t size = sch_word_at(at + SIZE_AT), count = sch_word_at(at + COUNT_AT);
    if (size > left || count > MOST_CHUNKS || size < HEADER_BYTES + 4 * count) return 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t offset = sch_word_at(at + HEADER_BYTES + 4 * i);
        if (offset < HEADER_BYTES || offset > size || size - offset < CHUNK_HEADER) return 0;
        if (sch_word_at(at + offset + 4) > size - offset - CHUNK_HEADER) return 0;
    }
    return size;
}

/* The version word of the container's program, 0: it has none. */
static uint32_t version_of(const unsigned char *at)
{
    uint32_t version = 0, count = sch_word_at(at + COUNT_AT);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *chunk = at + sch_word_at(at + HEADER_BYTES + 4 * i);
        bool program = sch_d3d_source_of(sch_word_at(chunk)) == SCH_D3D_SOURCE_PROGRAM;
        if (program && sch_word_at(chunk + 4) >= 4 && !version) version = sch_word_at(chunk + CHUNK_HEADER);
    }
    return version;
}

static enum sch_result search(struct sch_d3d_shader *shader, const struct sch_d3d_chunk *chunk, size_t most)
{
    for (size_t at = 0; at < chunk->bytes;) {
        const unsigned char *found = memchr(chunk->data + at, 'D', chunk->bytes - at);
        if (!found || shader->nested_count >= most) break;
        at = (size_t)(found - chunk->data);
        size_t size = measure(found, chunk->bytes - at);
        if (!size) {
            at++;
            continue;
        }
        if (!SCH_ARENA_GROW(&shader->arena, shader->nested, shader->nested_capacity, shader->nested_count))
            return SCH_ERROR_MEMORY;
        shader->nested[shader->nested_count++] = (struct sch_d3d_nested){
            .chunk = chunk, .data = found, .at = at, .bytes = size, .version = version_of(found)};
        at += size;
    }
    return SCH_OK;
}

enum sch_result sch_d3d_find_nested(struct sch_d3d_shader *shader, const struct sch_limits *limits)
{
    enum sch_result status = SCH_OK;
    for (size_t i = 0; i < shader->container->chunk_count && status == SCH_OK; i++)
        if (sch_d3d_source_of(shader->container->chunks[i].tag) == SCH_D3D_SOURCE_COUNT)
            status = search(shader, &shader->container->chunks[i], limits->declarations);
    return status;
}
