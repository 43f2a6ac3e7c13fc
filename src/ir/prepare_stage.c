/* What a program is made of besides its instructions, by stage: how many invocations belong together and which outputs
 * a patch shares. Holds no values of invocations (src/exec). */
#include "ir/prepare.h"

enum {
    PATCH_VERTICES = 32,  /* of an output patch that does not say */
    EMIT_VERTICES = 1024, /* of a geometry shader that does not say */
};

static enum sch_result list_patch(struct sch_prepared *program, const struct sch_ir_shader *shader)
{
    struct sch_prepared_stage *stage = &program->of_stage;
    uint32_t count = program->files[SCH_FILE_OUTPUT].count;
    stage->group_lanes = sch_ir_property_value(shader, SCH_PROPERTY_TCS_VERTICES_OUT, PATCH_VERTICES);
    if (stage->group_lanes < 1 || stage->group_lanes > PATCH_VERTICES) return SCH_ERROR_INVALID; /* the check's 2090 */
    stage->invocation_ids = stage->group_lanes;
    stage->patch_outputs = SCH_ARENA_ARRAY(&program->arena, bool, count);
    if (!stage->patch_outputs) return SCH_ERROR_MEMORY;
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[n];
        if (declaration->file != SCH_FILE_OUTPUT || !declaration->has_semantic) continue;
        for (uint32_t r = declaration->first; r <= declaration->last && r < count; r++)
            stage->patch_outputs[r] = sch_semantic_is_of_patch(declaration->semantic);
    }
    return SCH_OK;
}

enum sch_result sch_prepare_stage(struct sch_prepared *program, const struct sch_ir_shader *shader)
{
    struct sch_prepared_stage *stage = &program->of_stage;
    *stage = (struct sch_prepared_stage){.group_lanes = SCH_GROUP_LANES, .invocation_ids = 1};
    if (program->stage == SCH_STAGE_TESS_CTRL) return list_patch(program, shader);
    if (program->stage == SCH_STAGE_GEOMETRY) {
        stage->emit_limit = sch_ir_property_value(shader, SCH_PROPERTY_GS_MAX_OUTPUT_VERTICES, EMIT_VERTICES);
        stage->invocation_ids = sch_ir_property_value(shader, SCH_PROPERTY_GS_INVOCATIONS, 1);
        if (!stage->invocation_ids) return SCH_ERROR_INVALID; /* the check's 2090 */
    }
    return SCH_OK;
}
