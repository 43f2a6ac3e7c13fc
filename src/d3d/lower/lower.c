/* Lowering, the driver: walks the program and makes the shader. What the instructions become is in lower.def and the
 * files that its rows lead to. */
#include "d3d/lower/internal.h"

static void lower_instructions(struct sch_lower *l)
{
    for (size_t i = 0; i < l->program->count; i++) sch_lower_instruction(l, &l->program->instructions[i]);
    sch_lower_at(l, NULL);
}

static bool list_ranges(struct sch_lower *l)
{
    if (!sch_d3d_list_ranges(l->program, &l->arena, &l->ranges)) return false;
    if (l->ranges.count) l->placed = SCH_ARENA_ARRAY(&l->arena, struct sch_lower_resource, l->ranges.count);
    return !l->ranges.count || l->placed;
}

/* r#, where arrays separate them from the other temporaries. */
static void declare_temps(struct sch_lower *l)
{
    if (l->array_end == l->temps) return;
    const struct sch_ir_declaration temps = sch_build_registers(SCH_FILE_TEMPORARY, 0, l->temps - 1);
    if (l->temps) sch_build_declare(l->build, &temps);
    l->build->first_temp = l->array_end;
}

static void lower_program(struct sch_lower *l)
{
    if (!list_ranges(l)) return;
    sch_lower_declarations(l);
    if (l->build->status != SCH_OK || l->arena.failed) return;
    sch_lower_at(l, NULL);
    sch_lower_prologue(l);
    if (l->program->stage == SCH_D3D_HULL)
        sch_lower_hull(l);
    else
        lower_instructions(l);
    if (!l->in_subroutine && !l->after_return) sch_build_add(l->build, SCH_OP_END);
    if (l->in_subroutine && !l->after_return) sch_build_add(l->build, SCH_OP_ENDSUB);
    const uint32_t missing = sch_build_link(l->build);
    if (missing != UINT32_MAX)
        sch_lower_refuse(l, "%s%u is called and is not there",
                         missing % SCH_LOWER_LABELS == SCH_LOWER_BODY ? "fb" : "l", missing / SCH_LOWER_LABELS);
    declare_temps(l);
}

static enum sch_stage stage_of(unsigned stage)
{
    static const uint8_t stages[SCH_D3D_STAGE_COUNT] = {
        [SCH_D3D_PIXEL] = SCH_STAGE_FRAGMENT,    [SCH_D3D_VERTEX] = SCH_STAGE_VERTEX,
        [SCH_D3D_GEOMETRY] = SCH_STAGE_GEOMETRY, [SCH_D3D_HULL] = SCH_STAGE_TESS_CTRL,
        [SCH_D3D_DOMAIN] = SCH_STAGE_TESS_EVAL,  [SCH_D3D_COMPUTE] = SCH_STAGE_COMPUTE};
    return (enum sch_stage)stages[stage];
}

static void refuse(void *user, const char *why) { sch_lower_refuse(user, "%s", why); }

enum sch_result sch_d3d_lower(const struct sch_d3d_program *program, const struct sch_d3d_signature *signatures,
                              const struct sch_allocator *allocator, const struct sch_limits *limits,
                              struct sch_diagnostics *diagnostics, struct sch_d3d_origins *origins,
                              struct sch_ir_shader **shader)
{
    *shader = NULL;
    if (origins) sch_arena_init(&origins->arena, allocator, limits->memory);
    struct sch_arena arena;
    sch_arena_init(&arena, allocator, limits->memory);
    struct sch_lower *l = SCH_ARENA_NEW(&arena, struct sch_lower);
    if (!l) {
        sch_arena_release(&arena);
        return SCH_ERROR_MEMORY;
    }
    l->arena = arena;
    l->program = program;
    l->signatures = signatures;
    l->diagnostics = diagnostics;
    l->build->refuse = refuse;
    l->build->user = l;
    if (sch_build_begin(l->build, &l->arena, stage_of(program->stage), allocator, limits)) lower_program(l);
    if (origins && l->build->status == SCH_OK) sch_lower_list_origins(l, origins);
    enum sch_result status = sch_build_finish(l->build, shader);
    arena = l->arena; /* `l` itself is in it */
    sch_arena_release(&arena);
    return status;
}
