/* What the operands of an instruction hold, from the packing rows of src/isa/maxwell.def. */
#include "maxwell/text/tables.h"

static void pack_sources(const struct sch_maxwell_instruction *instruction, struct sch_maxwell_packing *packing)
{
    if (sch_maxwell_is_scalar(instruction->operation)) {
        const struct sch_maxwell_scalar_row *row = sch_maxwell_scalar(instruction->operation, instruction->form_code);
        if (!row) return;
        packing->a_count = row->a_count;
        packing->b_count = row->b_count;
        for (unsigned i = 0; i < row->a_count; i++) packing->a[i] = row->a[i];
        for (unsigned i = 0; i < row->b_count; i++) packing->b[i] = row->b[i];
        return;
    }
    for (size_t i = 0; i < sch_maxwell_operand_row_count; i++) {
        const struct sch_maxwell_operand_row *row = &sch_maxwell_operand_rows[i];
        if (row->operation != instruction->operation || !sch_maxwell_holds(instruction, row->condition)) continue;
        if (row->letter == 'A' && packing->a_count < SCH_MAXWELL_OPERAND_LIMIT)
            packing->a[packing->a_count++] = row->role;
        if (row->letter == 'B' && packing->b_count < SCH_MAXWELL_OPERAND_LIMIT)
            packing->b[packing->b_count++] = row->role;
    }
}

void sch_maxwell_operands(const struct sch_maxwell_instruction *instruction, struct sch_maxwell_packing *packing)
{
    *packing = (struct sch_maxwell_packing){.a_count = 0};
    pack_sources(instruction, packing);

    unsigned first = (unsigned)__builtin_popcount(instruction->write_mask & 0xf), second = 0;
    const struct sch_maxwell_form_row *form = sch_maxwell_form_of(instruction->operation, instruction->bindless);
    if (form && form->operands[0] == '1') { /* two destinations: the first two components in Rd, the rest in Rd1 */
        const bool wide = instruction->rd1 != SCH_MAXWELL_RZ;
        second = wide && first > 2 ? first - 2 : 0;
        if (first > 2) first = 2;
        if (instruction->half) {
            first = (first + 1) / 2;
            second = (second + 1) / 2;
        }
    }
    packing->result[0] = (struct sch_maxwell_registers){instruction->rd, (uint8_t)first};
    packing->result[1] = (struct sch_maxwell_registers){instruction->rd1, (uint8_t)second};
}
