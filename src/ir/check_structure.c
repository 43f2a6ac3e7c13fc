/* Rules of structure: the problems that the control-flow analysis finds, and the order in which items are stored. */
#include "ir/check_internal.h"

static struct sch_position position_of(const struct sch_check *check, uint32_t instruction)
{
    const struct sch_ir_shader *shader = check->shader;
    if (instruction < shader->instruction_count) return shader->instructions[instruction].position;
    return shader->instruction_count ? shader->instructions[shader->instruction_count - 1].position
                                     : (struct sch_position){.line = 1, .column = 1};
}

static void report_flow(void *user, enum sch_flow_problem problem, uint32_t at)
{
    struct sch_check *check = user;
    struct sch_position position = position_of(check, at);
    const struct sch_op_info *info =
        at < check->shader->instruction_count ? sch_op_info(check->shader->instructions[at].opcode) : NULL;
    const char *name = info ? info->name : "";

    switch (problem) {
    case SCH_FLOW_UNOPENED:
        SCH_CHECK_REPORT(check, UNOPENED, position, "%s has nothing to belong to", name);
        break;
    case SCH_FLOW_UNCLOSED:
        SCH_CHECK_REPORT(check, UNCLOSED, position, "%s has no end", name);
        break;
    case SCH_FLOW_SECOND_ELSE:
        SCH_CHECK_REPORT(check, SECOND_ELSE, position, "the IF has an ELSE already");
        break;
    case SCH_FLOW_SECOND_DEFAULT:
        SCH_CHECK_REPORT(check, SECOND_DEFAULT, position, "the SWITCH has a DEFAULT already");
        break;
    case SCH_FLOW_BREAK_OUTSIDE:
        SCH_CHECK_REPORT(check, BREAK_OUTSIDE, position, "BRK is not in a loop or switch");
        break;
    case SCH_FLOW_CONTINUE_OUTSIDE:
        SCH_CHECK_REPORT(check, CONTINUE_OUTSIDE, position, "CONT is not in a loop");
        break;
    case SCH_FLOW_CALL_TARGET:
        if (check->shader->instructions[at].has_label)
            SCH_CHECK_REPORT(check, CALL_TARGET, position, "instruction %u is not a BGNSUB",
                             (unsigned)check->shader->instructions[at].label);
        else
            SCH_CHECK_REPORT(check, CALL_TARGET, position, "CAL needs the number of a BGNSUB");
        break;
    case SCH_FLOW_RECURSION:
        SCH_CHECK_REPORT(check, RECURSION, position, "this call can reach itself");
        break;
    case SCH_FLOW_NESTED_SUB:
        SCH_CHECK_REPORT(check, NESTED_SUBROUTINE, position, "BGNSUB is inside another construct");
        break;
    case SCH_FLOW_DEPTH:
        SCH_CHECK_REPORT(check, NESTING_LIMIT, position, "control flow nests deeper than %u",
                         (unsigned)check->shader->limits.nesting);
        break;
    case SCH_FLOW_BEFORE_CASE:
        SCH_CHECK_REPORT(check, BEFORE_CASE, position, "nothing before the first CASE or DEFAULT can run");
        break;
    case SCH_FLOW_NO_END:
        SCH_CHECK_REPORT(check, NO_END, position, "the shader has no END");
        break;
    case SCH_FLOW_SECOND_END:
        SCH_CHECK_REPORT(check, SECOND_END, position, "the shader has an END already");
        break;
    case SCH_FLOW_MEMORY:
        check->arena.failed = true;
        break;
    }
}

/* Instructions between END and the subroutines, or between subroutines after it: nothing reaches them. */
static void check_after_end(struct sch_check *check)
{
    const struct sch_ir_shader *shader = check->shader;
    bool ended = false, in_subroutine = false;
    for (size_t i = 0; i < shader->instruction_count; i++) {
        unsigned opcode = shader->instructions[i].opcode;
        if (opcode == SCH_OP_BGNSUB) in_subroutine = true;
        if (ended && !in_subroutine && opcode != SCH_OP_END && opcode != SCH_OP_ENDSUB) {
            SCH_CHECK_REPORT(check, AFTER_END, shader->instructions[i].position,
                             "this comes after END and is not in a subroutine");
            return;
        }
        if (opcode == SCH_OP_ENDSUB) in_subroutine = false;
        if (opcode == SCH_OP_END) ended = true;
    }
}

/* Declarations and immediates after the first instruction: one report of each. */
static void check_order(struct sch_check *check)
{
    const struct sch_ir_shader *shader = check->shader;
    bool instructions = false, declaration = false, immediate = false;
    for (size_t i = 0; i < shader->item_count; i++) {
        const struct sch_ir_item *item = &shader->items[i];
        if (item->kind == SCH_IR_INSTRUCTION) instructions = true;
        if (!instructions) continue;
        if (item->kind == SCH_IR_DECLARATION && !declaration) {
            declaration = true;
            SCH_CHECK_REPORT(check, DECLARED_LATE, shader->declarations[item->index].position,
                             "a declaration after the first instruction");
        }
        if (item->kind == SCH_IR_IMMEDIATE && !immediate) {
            immediate = true;
            SCH_CHECK_REPORT(check, IMMEDIATE_LATE, shader->immediates[item->index].position,
                             "an immediate after the first instruction");
        }
    }
}

void sch_check_structure(struct sch_check *check)
{
    struct sch_ir_flow flow;
    check_order(check);
    sch_ir_flow_build(check->shader, &check->arena, &flow, report_flow, check);
    check_after_end(check);
}
