/* Which function lowers an instruction: the rows of lower.def. */
#include "d3d/lower/internal.h"

static const struct sch_lower_row rows[SCH_D3D_OP_LIMIT] = {
#define LOWER(opcode, how, op, other, order)                                                                           \
    [SCH_D3D_OP_##opcode] = {sch_lower_##how, SCH_OP_##op, SCH_OP_##other, order},
#include "d3d/lower/lower.def"
#undef LOWER
};

unsigned sch_d3d_lowers_to(unsigned opcode, unsigned made[2])
{
    unsigned count = 0;
    if (opcode >= SCH_D3D_OP_LIMIT) return 0;
    if (rows[opcode].op != SCH_OP_NOP) made[count++] = rows[opcode].op;
    if (rows[opcode].other != SCH_OP_NOP) made[count++] = rows[opcode].other;
    return rows[opcode].lower ? count : 0;
}

void sch_lower_instruction(struct sch_lower *l, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(instruction->opcode);
    if (info->flags & SCH_D3D_F_DECLARATION) return;
    if (l->after_return && instruction->opcode != SCH_D3D_OP_LABEL) return; /* never reached */
    sch_lower_at(l, instruction);
    sch_build_next(l->build);
    const struct sch_lower_row *row = &rows[instruction->opcode];
    if (row->lower)
        row->lower(l, row);
    else
        sch_lower_refuse(l, "this instruction is not lowered yet");
}
