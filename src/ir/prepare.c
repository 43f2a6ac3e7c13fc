/* Making and releasing prepared programs. */
#include "ir/prepare.h"

static enum sch_result prepare_instructions(struct sch_prepared *program, const struct sch_ir_shader *shader,
                                            struct sch_diagnostics *diagnostics)
{
    struct sch_preparation preparation = {.program = program,
                                          .shader = shader,
                                          .diagnostics = diagnostics,
                                          .legacy =
                                              sch_ir_property_value(shader, SCH_PROPERTY_LEGACY_MATH_RULES, 0) != 0,
                                          .d3d = program->d3d};
    const size_t count = shader->instruction_count;
    program->instructions = SCH_ARENA_ARRAY(&program->arena, struct sch_prepared_instruction, count + 1);
    program->positions = SCH_ARENA_ARRAY(&program->arena, struct sch_position, count + 1);
    if (!program->instructions || !program->positions) return SCH_ERROR_MEMORY;
    program->instruction_count = (uint32_t)count;
    for (uint32_t n = 0; n < count; n++) {
        enum sch_result status = sch_prepare_instruction(&preparation, n);
        if (status != SCH_OK) return status;
    }
    program->instructions[count].opcode = SCH_OP_END;
    program->instructions[count].number = (uint32_t)count;
    return preparation.refused ? SCH_ERROR_UNSUPPORTED : SCH_OK;
}

enum sch_result sch_prepare(const struct sch_ir_shader *shader, const struct sch_allocator *allocator,
                            struct sch_diagnostics *diagnostics, struct sch_prepared *program)
{
    *program = (struct sch_prepared){.limits = shader->limits,
                                     .stage = shader->stage,
                                     .scalar = shader->scalar,
                                     .d3d = sch_ir_property_value(shader, SCH_PROPERTY_D3D_RULES, 0) != 0};
    sch_arena_init(&program->arena, allocator, shader->limits.memory);
    static const enum sch_property fixed[3] = {SCH_PROPERTY_CS_FIXED_BLOCK_WIDTH, SCH_PROPERTY_CS_FIXED_BLOCK_HEIGHT,
                                               SCH_PROPERTY_CS_FIXED_BLOCK_DEPTH};
    for (unsigned d = 0; d < 3; d++) program->fixed_block[d] = sch_ir_property_value(shader, fixed[d], 0);
    enum sch_result status = sch_prepare_layout(program, shader);
    if (status == SCH_OK) status = sch_prepare_memory(program, shader);
    if (status == SCH_OK) status = sch_prepare_stage(program, shader);
    if (status == SCH_OK) status = sch_prepare_interface(program, shader);
    if (status == SCH_OK) status = prepare_instructions(program, shader, diagnostics);
    if (status == SCH_OK) status = sch_prepare_maxwell(program, shader);
    if (status == SCH_OK) status = sch_prepare_flow(program, shader);
    if (status == SCH_OK) status = sch_prepare_effects(program);
    for (uint32_t n = 0; n < program->instruction_count && status == SCH_OK; n++)
        program->extra_cost += sch_prepared_cost(&program->instructions[n]) - 1;
    return status;
}

void sch_prepared_release(struct sch_prepared *program) { sch_arena_release(&program->arena); }
