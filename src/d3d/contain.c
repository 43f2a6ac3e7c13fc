/* A shader that is made here, from text or from another language: its memory, and its container with the chunks that
 * the program, its signatures, resources and features need. */
#include "d3d/shader.h"

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

static void add_signatures(struct sch_d3d_shader *shader, bool *failed)
{
    static const uint32_t plain[] = {SCH_D3D_TAG('I', 'S', 'G', 'N'), SCH_D3D_TAG('O', 'S', 'G', 'N'),
                                     SCH_D3D_TAG('P', 'C', 'S', 'G')};
    static const uint32_t precise[] = {SCH_D3D_TAG('I', 'S', 'G', '1'), SCH_D3D_TAG('O', 'S', 'G', '1'),
                                       SCH_D3D_TAG('P', 'S', 'G', '1')};
    bool any = false;
    for (unsigned i = 0; i < SCH_D3D_SIGNATURE_COUNT; i++)
        for (size_t k = 0; k < shader->signatures[i].count; k++)
            any |= shader->signatures[i].elements[k].min_precision > 0;
    bool streams = shader->program->stage == SCH_D3D_GEOMETRY && shader->program->major >= 5;
    for (unsigned i = 0; i < SCH_D3D_SIGNATURE_COUNT; i++) {
        struct sch_d3d_signature *signature = &shader->signatures[i];
        if (!signature->tag) continue;
        signature->tag = any ? precise[i] : plain[i];
        if (!any && streams && i == SCH_D3D_SIGNATURE_OUTPUT) signature->tag = SCH_D3D_TAG('O', 'S', 'G', '5');
        struct sch_d3d_writer out = {.allocator = &shader->arena.allocator};
        sch_d3d_signature_write(&out, signature);
        *failed |= out.failed || !sch_d3d_container_add(shader->container, signature->tag, out.bytes, out.count);
        sch_d3d_writer_release(&out);
    }
}

/* The stage in RDEF: for geometry, hull, domain and compute shaders their letters. */
static uint32_t target_of(const struct sch_d3d_program *program)
{
    static const uint16_t stages[SCH_D3D_STAGE_COUNT] = {
        [SCH_D3D_PIXEL] = 0xffff,        [SCH_D3D_VERTEX] = 0xfffe,         [SCH_D3D_GEOMETRY] = 'G' << 8 | 'S',
        [SCH_D3D_HULL] = 'H' << 8 | 'S', [SCH_D3D_DOMAIN] = 'D' << 8 | 'S', [SCH_D3D_COMPUTE] = 'C' << 8 | 'S'};
    return (uint32_t)stages[program->stage] << 16 | (uint32_t)program->major << 8 | program->minor;
}

static void add_resources(struct sch_d3d_shader *shader, bool *failed)
{
    if (!shader->has_resources) return;
    shader->resources.target = target_of(shader->program);
    struct sch_d3d_writer out = {.allocator = &shader->arena.allocator};
    sch_d3d_resources_write(&out, &shader->resources);
    *failed |=
        out.failed || !sch_d3d_container_add(shader->container, SCH_D3D_TAG('R', 'D', 'E', 'F'), out.bytes, out.count);
    sch_d3d_writer_release(&out);
}

enum sch_status sch_d3d_shader_contain(struct sch_d3d_shader *shader, struct sch_diagnostics *diagnostics)
{
    uint32_t *words;
    size_t count;
    enum sch_status status = sch_d3d_encode(shader->program, &shader->arena.allocator, diagnostics, &words, &count);
    if (status != SCH_STATUS_OK) return status;
    bool failed = false;
    add_resources(shader, &failed);
    add_signatures(shader, &failed);
    struct sch_d3d_writer out = {.allocator = &shader->arena.allocator};
    for (size_t i = 0; i < count; i++) sch_d3d_write_word(&out, words[i]);
    shader->arena.allocator.free(shader->arena.allocator.user, words);
    uint32_t tag = shader->program->major >= 5 ? SCH_D3D_TAG('S', 'H', 'E', 'X') : SCH_D3D_TAG('S', 'H', 'D', 'R');
    failed |= out.failed || !sch_d3d_container_add(shader->container, tag, out.bytes, out.count);
    out.count = 0;
    if (shader->has_features) {
        sch_d3d_write_word(&out, (uint32_t)shader->features);
        sch_d3d_write_word(&out, (uint32_t)(shader->features >> 32));
        failed |= out.failed ||
                  !sch_d3d_container_add(shader->container, SCH_D3D_TAG('S', 'F', 'I', '0'), out.bytes, out.count);
    }
    sch_d3d_writer_release(&out);
    return failed ? SCH_STATUS_MEMORY : SCH_STATUS_OK;
}
