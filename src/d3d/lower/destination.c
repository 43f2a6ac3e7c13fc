/* Destinations: which register of the IR a result goes to, and what follows its write. */
#include "d3d/lower/internal.h"

static struct sch_ir_dst as_destination(struct sch_ir_src src, unsigned mask)
{
    return (struct sch_ir_dst){.file = src.file, .write_mask = (uint8_t)mask, .index = src.index};
}

static unsigned mask_of(const struct sch_d3d_operand *operand)
{
    return operand->form == SCH_D3D_FORM_MASK ? operand->select : 1u;
}

static struct sch_ir_dst output(struct sch_lower *l, const struct sch_d3d_operand *operand, unsigned mask)
{
    struct sch_ir_dst dst = {.file = SCH_FILE_OUTPUT, .write_mask = (uint8_t)mask};
    uint32_t number = sch_lower_number(operand, 0);
    if (operand->index_count != 1 || number >= SCH_LOWER_REGISTERS) {
        sch_lower_refuse(l, "an output register that is not there");
        return dst;
    }
    if (l->phase == SCH_LOWER_PATCH_CONSTANTS) {
        sch_lower_bracket(l, &operand->index[0], SCH_LOWER_PATCH, 0, &dst.index);
        return dst;
    }
    const struct sch_lower_register *is = &l->outputs[number];
    if (is->copied && !operand->index[0].relative) return sch_build_temp_dst(is->temp, mask);
    if (is->copied) sch_lower_refuse(l, "indexed outputs that share registers with system values");
    sch_lower_bracket(l, &operand->index[0], 0, 0, &dst.index);
    return dst;
}

/* oDepth and the like: z of POSITION, y of STENCIL; the value is computed in x of a temporary. */
static struct sch_lower_target special_target(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_lower_target target = {.dst = sch_build_temp_dst(sch_build_scratch(l->build), 1), .moved = true};
    uint32_t place = l->special_output[operand->type];
    target.to = sch_ir_dst(SCH_FILE_OUTPUT, place ? (int)place - 1 : 0);
    target.to.write_mask = operand->type == SCH_D3D_REGISTER_COVERAGE_MASK       ? 1
                           : operand->type == SCH_D3D_REGISTER_STENCIL_REFERENCE ? 2
                                                                                 : 4;
    if (!place) sch_lower_refuse(l, "an output that is not declared");
    return target;
}

struct sch_lower_target sch_lower_destination(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_lower_target target = {.dst = sch_build_temp_dst(0, 1)};
    unsigned mask = mask_of(operand);
    switch (operand->type) {
    case SCH_D3D_REGISTER_NULL:
        target.dropped = true;
        return target;
    case SCH_D3D_REGISTER_TEMP:
    case SCH_D3D_REGISTER_INDEXABLE_TEMP:
        target.dst = as_destination(sch_lower_place(l, operand, 'x'), mask);
        return target;
    case SCH_D3D_REGISTER_OUTPUT:
        target.dst = output(l, operand, mask);
        return target;
    case SCH_D3D_REGISTER_DEPTH:
    case SCH_D3D_REGISTER_DEPTH_GREATER_EQUAL:
    case SCH_D3D_REGISTER_DEPTH_LESS_EQUAL:
    case SCH_D3D_REGISTER_COVERAGE_MASK:
    case SCH_D3D_REGISTER_STENCIL_REFERENCE:
        return special_target(l, operand);
    default:
        sch_lower_refuse(l, "a destination of this kind is not lowered yet");
        return target;
    }
}

void sch_lower_finish(struct sch_lower *l, const struct sch_lower_target *target)
{
    if (!target->moved) return;
    struct sch_ir_src from = sch_build_temp_src((uint32_t)target->dst.index.index);
    sch_build_1(l->build, SCH_OP_MOV, target->to, sch_build_splat(from, 0));
}

struct sch_lower_target sch_lower_status(struct sch_lower *l)
{
    char role = sch_d3d_operand_role(sch_d3d_op_info(l->at->opcode), 1);
    if (role == 'D' || role == 'N') return sch_lower_destination(l, &l->at->operands[1]);
    return (struct sch_lower_target){.dst = sch_build_temp_dst(0, 1), .dropped = true};
}

/* Everything is resident here: the status is all ones. */
void sch_lower_write_status(struct sch_lower *l, const struct sch_lower_target *status)
{
    if (status->dropped) return;
    sch_build_1(l->build, SCH_OP_MOV, status->dst, sch_build_word(l->build, UINT32_MAX));
    sch_lower_finish(l, status);
}
