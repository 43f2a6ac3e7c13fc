/* What a program is made of besides its instructions, by stage: how many invocations belong together, which outputs a
 * patch shares, how inputs interpolate, and the system values that follow from an invocation's number. */
#include "exec/job.h"
#include "exec/samples.h"

enum {
    PATCH_VERTICES = 32,  /* of an output patch that does not say */
    EMIT_VERTICES = 1024, /* of a geometry shader that does not say */
};

void sch_exec_sample_offset(uint32_t samples, uint32_t number, float offset[2])
{
    static const struct {
        uint8_t samples, number;
        int8_t x, y;
    } positions[] = {
#define SAMPLE_AT(samples, number, x, y) {samples, number, x, y},
#include "isa/sample_positions.def"
#undef SAMPLE_AT
    };
    offset[0] = offset[1] = 0.0f;
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        if (positions[i].samples != samples || positions[i].number != number) continue;
        offset[0] = (float)positions[i].x / 16.0f;
        offset[1] = (float)positions[i].y / 16.0f;
    }
}

/* ---- when a program is made ---- */

/* "PATCH", "TESSOUTER", "TESSINNER": one value for the patch. */
static bool is_shared(unsigned semantic)
{
    return semantic == SCH_SEMANTIC_PATCH || semantic == SCH_SEMANTIC_TESSOUTER || semantic == SCH_SEMANTIC_TESSINNER ||
           semantic == SCH_SEMANTIC_PRIMID;
}

static enum sch_status list_patch(struct sch_exec_program *program, const struct sch_ir_shader *shader)
{
    struct sch_exec_stage *stage = &program->of_stage;
    uint32_t count = program->files[SCH_FILE_OUTPUT].count;
    stage->group_lanes = sch_ir_property_value(shader, SCH_PROPERTY_TCS_VERTICES_OUT, PATCH_VERTICES);
    if (stage->group_lanes < 1 || stage->group_lanes > PATCH_VERTICES) return SCH_STATUS_INVALID; /* the check's 2090 */
    stage->invocation_ids = stage->group_lanes;
    stage->patch_outputs = SCH_ARENA_ARRAY(&program->arena, bool, count);
    if (!stage->patch_outputs) return SCH_STATUS_MEMORY;
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[n];
        if (declaration->file != SCH_FILE_OUTPUT || !declaration->has_semantic) continue;
        for (uint32_t r = declaration->first; r <= declaration->last && r < count; r++)
            stage->patch_outputs[r] = is_shared(declaration->semantic);
    }
    return SCH_STATUS_OK;
}

static enum sch_status list_interpolations(struct sch_exec_program *program, const struct sch_ir_shader *shader)
{
    struct sch_exec_stage *stage = &program->of_stage;
    uint32_t count = program->files[SCH_FILE_INPUT].count;
    stage->interpolations = SCH_ARENA_ARRAY(&program->arena, uint8_t, count);
    if (!stage->interpolations) return SCH_STATUS_MEMORY;
    stage->interpolated = count;
    for (uint32_t r = 0; r < count; r++) stage->interpolations[r] = SCH_INTERPOLATION_PERSPECTIVE;
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[n];
        if (declaration->file != SCH_FILE_INPUT || !declaration->has_interpolation) continue;
        for (uint32_t r = declaration->first; r <= declaration->last && r < count; r++)
            stage->interpolations[r] = declaration->interpolation;
    }
    return SCH_STATUS_OK;
}

enum sch_status sch_exec_list_stage(struct sch_exec_program *program, const struct sch_ir_shader *shader)
{
    struct sch_exec_stage *stage = &program->of_stage;
    *stage = (struct sch_exec_stage){.group_lanes = SCH_GROUP_LANES, .invocation_ids = 1};
    if (program->stage == SCH_STAGE_TESS_CTRL) return list_patch(program, shader);
    if (program->stage == SCH_STAGE_FRAGMENT) return list_interpolations(program, shader);
    if (program->stage == SCH_STAGE_GEOMETRY) {
        stage->emit_limit = sch_ir_property_value(shader, SCH_PROPERTY_GS_MAX_OUTPUT_VERTICES, EMIT_VERTICES);
        stage->invocation_ids = sch_ir_property_value(shader, SCH_PROPERTY_GS_INVOCATIONS, 1);
        if (!stage->invocation_ids) return SCH_STATUS_INVALID; /* the check's 2090 */
    }
    return SCH_STATUS_OK;
}

/* ---- when a group is loaded ---- */

/* The sample that an invocation runs for: what the caller gives as SAMPLEID, else 0. Looked up in what the caller gave,
 * as SAMPLEID's register may be loaded after the one that asks, or never, when nothing else reads it. */
static uint32_t sample_number(const struct sch_exec_machine *machine, unsigned lane)
{
    const struct sch_exec_program *program = machine->program;
    const struct sch_invocations *given = machine->invocations;
    for (uint32_t r = 0; r < program->system_value_count && r < given->system_value_registers; r++) {
        if (program->system_values[r].semantic != SCH_SEMANTIC_SAMPLEID || !program->system_values[r].declared)
            continue;
        if (given->system_value_given && !given->system_value_given[r]) continue;
        return given->system_values[((machine->group.first + lane) * given->system_value_registers + r) * 4];
    }
    return 0;
}

static void load_sample_positions(const struct sch_exec_machine *machine, struct sch_lanes *to)
{
    uint32_t samples = machine->invocations->samples ? machine->invocations->samples : 1;
    for (unsigned i = 0; i < SCH_GROUP_LANES && machine->group.present >> i & 1; i++) {
        float offset[2];
        sch_exec_sample_offset(samples, sample_number(machine, i), offset);
        for (unsigned c = 0; c < 2; c++) {
            float position = offset[c] + 0.5f;
            memcpy(&to[c].u[i], &position, sizeof position);
        }
    }
}

void sch_exec_load_stage_value(const struct sch_exec_machine *machine, unsigned semantic, struct sch_lanes *to)
{
    uint32_t samples = machine->invocations->samples ? machine->invocations->samples : 1;
    if (semantic == SCH_SEMANTIC_INVOCATIONID)
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
            to[0].u[i] = (uint32_t)((machine->group.first + i) % machine->program->of_stage.invocation_ids);
    if (semantic == SCH_SEMANTIC_VERTICESIN) machine->ops->splat(&to[0], machine->group.input_vertices);
    if (semantic == SCH_SEMANTIC_SAMPLEPOS) load_sample_positions(machine, to);
    if (semantic == SCH_SEMANTIC_SAMPLEMASK) machine->ops->splat(&to[0], (1u << samples) - 1); /* 16 at most */
}
