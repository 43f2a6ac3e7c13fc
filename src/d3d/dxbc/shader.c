/* A shader from the chunks of its container. */
#include "d3d/dxbc/shader.h"

#include "isa/errors.h"

void sch_d3d_shader_destroy(struct sch_d3d_shader *shader)
{
    if (!shader) return;
    sch_d3d_program_destroy(shader->program);
    sch_d3d_container_destroy(shader->container);
    struct sch_arena arena = shader->arena; /* the shader itself is in it */
    sch_arena_release(&arena);
}

enum sch_result sch_d3d_shader_read_program(struct sch_d3d_shader *shader, const struct sch_limits *limits,
                                            struct sch_diagnostics *diagnostics)
{
    const struct sch_allocator *allocator = &shader->arena.allocator;
    const struct sch_d3d_chunk *chunk = sch_d3d_container_program(shader->container);
    sch_d3d_program_destroy(shader->program);
    shader->program = NULL;
    if (!chunk) {
        shader->program = sch_d3d_program_create(allocator, limits);
        return shader->program ? SCH_OK : SCH_ERROR_MEMORY;
    }
    if (chunk->bytes % 4) return sch_d3d_refuse(diagnostics, SCH_D_D3D_PROGRAM, chunk, 0, "a program has whole words");
    size_t count = chunk->bytes / 4;
    uint32_t *words = SCH_ARENA_ARRAY(&shader->arena, uint32_t, count ? count : 1);
    if (!words) return SCH_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) words[i] = sch_word_at(chunk->data + 4 * i);
    char tag[5];
    return sch_d3d_decode(allocator, limits, words, count, chunk->offset, sch_d3d_tag_text(chunk->tag, tag),
                          diagnostics, &shader->program);
}

/* What cannot be read is as if it were not there: nothing of a half-read table is shown. */
static enum sch_result read_resources(struct sch_d3d_shader *shader, const struct sch_limits *limits,
                                      const struct sch_d3d_chunk *chunk, struct sch_diagnostics *diagnostics)
{
    enum sch_result status = sch_d3d_resources_read(&shader->arena, limits, chunk, diagnostics, &shader->resources);
    shader->has_resources = status == SCH_OK;
    if (!shader->has_resources) shader->resources = (struct sch_d3d_resources){.creator = ""};
    return status == SCH_ERROR_INVALID ? SCH_OK : status;
}

enum sch_result sch_d3d_shader_describe(struct sch_d3d_shader *shader, const struct sch_limits *limits,
                                        struct sch_diagnostics *diagnostics)
{
    size_t chunks[SCH_D3D_SOURCE_COUNT];
    enum sch_result status = SCH_OK;
    sch_d3d_find_sources(shader->container, chunks);
    for (unsigned i = 0; i < SCH_D3D_SOURCE_COUNT && status == SCH_OK; i++) {
        enum sch_d3d_source source = (enum sch_d3d_source)i;
        if (source == SCH_D3D_SOURCE_PROGRAM || chunks[i] == SIZE_MAX || sch_d3d_has_source(shader, source)) continue;
        const struct sch_d3d_chunk *chunk = &shader->container->chunks[chunks[i]];
        if (source == SCH_D3D_SOURCE_RESOURCES)
            status = read_resources(shader, limits, chunk, diagnostics);
        else if (source == SCH_D3D_SOURCE_FEATURES)
            shader->has_features = sch_d3d_features_read(chunk, diagnostics, &shader->features) == SCH_OK;
        else
            status = sch_d3d_signature_read(&shader->arena, chunk, diagnostics,
                                            &shader->signatures[source - SCH_D3D_SOURCE_INPUT]);
    }
    bool searched = status == SCH_OK && !sch_d3d_has_program(shader);
    return searched ? sch_d3d_find_nested(shader, limits) : status;
}

enum sch_result sch_d3d_shader_read(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                    const void *data, size_t bytes, bool any_checksum,
                                    struct sch_diagnostics *diagnostics, struct sch_d3d_shader **shader)
{
    *shader = NULL;
    struct sch_arena arena;
    sch_arena_init(&arena, allocator, limits->memory);
    struct sch_d3d_shader *made = SCH_ARENA_NEW(&arena, struct sch_d3d_shader);
    if (!made) {
        sch_arena_release(&arena);
        return SCH_ERROR_MEMORY;
    }
    made->arena = arena;
    enum sch_result status =
        sch_d3d_container_read(allocator, limits, data, bytes, any_checksum, diagnostics, &made->container);
    if (status == SCH_OK) status = sch_d3d_shader_read_program(made, limits, diagnostics);
    if (status == SCH_OK) status = sch_d3d_shader_describe(made, limits, diagnostics);
    if (status != SCH_OK)
        sch_d3d_shader_destroy(made);
    else
        *shader = made;
    return status;
}
