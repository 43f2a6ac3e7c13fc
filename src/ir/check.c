/* The validator's driver: runs the parts over a shader and counts what they report. The rules are in the other
 * check_*.c files, their numbers in src/isa/errors.def. */
#include "ir/check_internal.h"

static void check_instruction(struct sch_check *check, const struct sch_ir_instruction *instruction)
{
    const struct sch_op_info *info = sch_op_form(instruction->opcode, instruction->src_count);
    if (!info) {
        SCH_CHECK_REPORT(check, UNKNOWN_OPCODE, instruction->position, "there is no opcode %u", instruction->opcode);
        return;
    }
    if (!sch_check_operands(check, instruction, info)) return;
    sch_check_opcode(check, instruction, info);
    if (info->shape == SCH_SHAPE_TEX) sch_check_texture(check, instruction, info);
}

enum sch_result sch_ir_check_until(const struct sch_ir_shader *shader, const struct sch_until *until,
                                   struct sch_diagnostics *diagnostics)
{
    enum sch_result ended = SCH_OK;
    struct sch_check check = {.shader = shader,
                              .diagnostics = diagnostics,
                              .d3d = sch_ir_property_value(shader, SCH_PROPERTY_D3D_RULES, 0) != 0};
    sch_arena_init(&check.arena, &shader->arena.allocator, shader->limits.memory);

    sch_check_properties(&check); /* first: they say how many vertices operands may name */
    sch_check_collect_ranges(&check);
    if (!check.arena.failed) sch_check_declarations(&check);
    if (!check.arena.failed) sch_check_structure(&check);
    for (size_t i = 0; i < shader->instruction_count && !check.arena.failed && ended == SCH_OK; i++) {
        check_instruction(&check, &shader->instructions[i]);
        ended = sch_until_step(until, i);
    }
    if (!check.arena.failed) sch_check_texture_end(&check);

    const bool out_of_memory = check.arena.failed;
    sch_arena_release(&check.arena);
    if (out_of_memory) return SCH_ERROR_MEMORY;
    if (ended != SCH_OK) return ended;
    if (!check.errors) return SCH_OK;
    return check.errors == check.limit_errors ? SCH_ERROR_LIMIT : SCH_ERROR_INVALID;
}

enum sch_result sch_ir_check(const struct sch_ir_shader *shader, struct sch_diagnostics *diagnostics)
{
    return sch_ir_check_until(shader, NULL, diagnostics);
}
