/* A shader that is made here, from text or from another language: its memory, and its container with the chunks that
 * the program, its signatures, resources and features need. Says which chunk of a container each of them is. */
#include "d3d/dxbc/shader.h"

#define TAG SCH_D3D_TAG

struct sch_d3d_shader *sch_d3d_shader_create(const struct sch_allocator *allocator, const struct sch_limits *limits)
{
    struct sch_arena arena;
    sch_arena_init(&arena, allocator, limits->memory);
    struct sch_d3d_shader *made = SCH_ARENA_NEW(&arena, struct sch_d3d_shader);
    if (!made) {
        sch_arena_release(&arena);
        return NULL;
    }
    made->arena = arena;
    made->container = sch_d3d_container_create(allocator, limits);
    made->program = sch_d3d_program_create(allocator, limits);
    if (made->container && made->program) return made;
    sch_d3d_shader_destroy(made);
    return NULL;
}

/* The chunks of each source: without more, with minimum precisions, with streams. */
static const struct {
    uint32_t plain, precise, streams;
} tags[SCH_D3D_SOURCE_COUNT] = {
    [SCH_D3D_SOURCE_RESOURCES] = {TAG('R', 'D', 'E', 'F'), 0, 0},
    [SCH_D3D_SOURCE_INPUT] = {TAG('I', 'S', 'G', 'N'), TAG('I', 'S', 'G', '1'), 0},
    [SCH_D3D_SOURCE_OUTPUT] = {TAG('O', 'S', 'G', 'N'), TAG('O', 'S', 'G', '1'), TAG('O', 'S', 'G', '5')},
    [SCH_D3D_SOURCE_PATCH] = {TAG('P', 'C', 'S', 'G'), TAG('P', 'S', 'G', '1'), 0},
    [SCH_D3D_SOURCE_PROGRAM] = {TAG('S', 'H', 'D', 'R'), TAG('S', 'H', 'E', 'X'), 0},
    [SCH_D3D_SOURCE_FEATURES] = {TAG('S', 'F', 'I', '0'), 0, 0},
};

enum sch_d3d_source sch_d3d_source_of(uint32_t tag)
{
    for (unsigned i = 0; tag && i < SCH_D3D_SOURCE_COUNT; i++)
        if (tag == tags[i].plain || tag == tags[i].precise || tag == tags[i].streams) return (enum sch_d3d_source)i;
    return SCH_D3D_SOURCE_COUNT;
}

void sch_d3d_find_sources(const struct sch_d3d_container *container, size_t chunks[SCH_D3D_SOURCE_COUNT])
{
    for (unsigned i = 0; i < SCH_D3D_SOURCE_COUNT; i++) chunks[i] = SIZE_MAX;
    const struct sch_d3d_chunk *program = sch_d3d_container_program(container);
    for (size_t i = 0; i < container->chunk_count; i++) {
        enum sch_d3d_source source = sch_d3d_source_of(container->chunks[i].tag);
        if (source == SCH_D3D_SOURCE_COUNT || chunks[source] != SIZE_MAX) continue;
        if (source != SCH_D3D_SOURCE_PROGRAM || program == &container->chunks[i]) chunks[source] = i;
    }
}

bool sch_d3d_has_source(const struct sch_d3d_shader *shader, enum sch_d3d_source source)
{
    switch (source) {
    case SCH_D3D_SOURCE_RESOURCES:
        return shader->has_resources;
    case SCH_D3D_SOURCE_PROGRAM:
        return sch_d3d_has_program(shader);
    case SCH_D3D_SOURCE_FEATURES:
        return shader->has_features;
    default:
        return shader->signatures[source - SCH_D3D_SOURCE_INPUT].tag != 0;
    }
}

static bool has_precisions(const struct sch_d3d_shader *shader)
{
    for (unsigned i = 0; i < SCH_D3D_SIGNATURE_COUNT; i++)
        for (size_t k = 0; k < shader->signatures[i].count; k++)
            if (shader->signatures[i].elements[k].min_precision) return true;
    return false;
}

/* Precisions are given in all signatures or in none; geometry shaders of model 5 give their streams. */
static uint32_t signature_tag(const struct sch_d3d_shader *shader, enum sch_d3d_source source)
{
    if (has_precisions(shader)) return tags[source].precise;
    bool streams = shader->program->major >= 5 && shader->program->stage == SCH_D3D_GEOMETRY;
    uint32_t tag = streams && tags[source].streams ? tags[source].streams : tags[source].plain;
    bool fits = sch_d3d_signature_fits(&shader->signatures[source - SCH_D3D_SOURCE_INPUT], tag);
    return fits ? tag : tags[source].precise;
}

uint32_t sch_d3d_source_tag(const struct sch_d3d_shader *shader, enum sch_d3d_source source)
{
    if (source == SCH_D3D_SOURCE_PROGRAM)
        return shader->program->major >= 5 ? tags[source].precise : tags[source].plain;
    bool signature = source >= SCH_D3D_SOURCE_INPUT && source <= SCH_D3D_SOURCE_PATCH;
    return signature ? signature_tag(shader, source) : tags[source].plain;
}

/* The stage in RDEF: for geometry, hull, domain and compute shaders their letters. */
static uint32_t target_of(const struct sch_d3d_program *program)
{
    static const uint16_t stages[SCH_D3D_STAGE_COUNT] = {
        [SCH_D3D_PIXEL] = 0xffff,        [SCH_D3D_VERTEX] = 0xfffe,         [SCH_D3D_GEOMETRY] = 'G' << 8 | 'S',
        [SCH_D3D_HULL] = 'H' << 8 | 'S', [SCH_D3D_DOMAIN] = 'D' << 8 | 'S', [SCH_D3D_COMPUTE] = 'C' << 8 | 'S'};
    return (uint32_t)stages[program->stage] << 16 | (uint32_t)program->major << 8 | program->minor;
}

static enum sch_result write_program(const struct sch_d3d_program *program, struct sch_diagnostics *diagnostics,
                                     struct sch_bytes *out)
{
    uint32_t *words;
    size_t count;
    enum sch_result status = sch_d3d_encode(program, out->allocator, diagnostics, &words, &count);
    if (status != SCH_OK) return status;
    for (size_t i = 0; i < count; i++) sch_bytes_word(out, words[i]);
    out->allocator->free(out->allocator->user, words);
    return SCH_OK;
}

enum sch_result sch_d3d_write_source(const struct sch_d3d_shader *shader, enum sch_d3d_source source, uint32_t tag,
                                     struct sch_diagnostics *diagnostics, struct sch_bytes *out)
{
    enum sch_result status = SCH_OK;
    if (source == SCH_D3D_SOURCE_PROGRAM) {
        status = write_program(shader->program, diagnostics, out);
    } else if (source == SCH_D3D_SOURCE_RESOURCES) {
        struct sch_d3d_resources resources = shader->resources;
        resources.target = target_of(shader->program);
        sch_d3d_resources_write(out, &resources);
    } else if (source == SCH_D3D_SOURCE_FEATURES) {
        sch_bytes_word(out, (uint32_t)shader->features);
        sch_bytes_word(out, (uint32_t)(shader->features >> 32));
    } else {
        struct sch_d3d_signature signature = shader->signatures[source - SCH_D3D_SOURCE_INPUT];
        signature.tag = tag;
        sch_d3d_signature_write(out, &signature);
    }
    return status == SCH_OK ? out->status : status;
}

enum sch_result sch_d3d_add_source(struct sch_d3d_shader *shader, enum sch_d3d_source source, uint32_t tag,
                                   struct sch_diagnostics *diagnostics)
{
    struct sch_bytes out = {.allocator = &shader->arena.allocator};
    if (source >= SCH_D3D_SOURCE_INPUT && source <= SCH_D3D_SOURCE_PATCH)
        shader->signatures[source - SCH_D3D_SOURCE_INPUT].tag = tag;
    if (source == SCH_D3D_SOURCE_RESOURCES) shader->resources.target = target_of(shader->program);
    enum sch_result status = sch_d3d_write_source(shader, source, tag, diagnostics, &out);
    if (status == SCH_OK && !sch_d3d_container_add(shader->container, tag, out.data, out.size))
        status = SCH_ERROR_MEMORY;
    sch_bytes_release(&out);
    return status;
}

enum sch_result sch_d3d_shader_contain(struct sch_d3d_shader *shader, struct sch_diagnostics *diagnostics)
{
    enum sch_result status = SCH_OK;
    for (unsigned i = 0; i < SCH_D3D_SOURCE_COUNT && status == SCH_OK; i++) {
        enum sch_d3d_source source = (enum sch_d3d_source)i;
        if (sch_d3d_has_source(shader, source))
            status = sch_d3d_add_source(shader, source, sch_d3d_source_tag(shader, source), diagnostics);
    }
    return status;
}
