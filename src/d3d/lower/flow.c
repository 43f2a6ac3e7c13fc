/* Control flow: tests, loops, switches, subroutines, what leaves them, and the vertices of geometry shaders. */
#include "d3d/lower/internal.h"

typedef const struct sch_lower_row row_t;

static void plain(struct sch_lower *l, unsigned op) { sch_build_add(l->build, op); }

/* UIF of the test: _nz any bit set, _z none. */
static void begin_test(struct sch_lower *l)
{
    struct sch_ir_src src = sch_build_splat(sch_lower_operand(l, 0), 0);
    if (!sch_d3d_get(l->at->controls, SCH_D3D_FIELD_TEST)) {
        uint32_t temp = sch_build_scratch(l->build);
        sch_build_2(l->build, SCH_OP_USEQ, sch_build_temp_dst(temp, 1), src, sch_build_word(l->build, 0));
        src = sch_build_splat(sch_build_temp_src(temp), 0);
    }
    sch_build_test(l->build, SCH_OP_UIF, src);
}

void sch_lower_TEST(struct sch_lower *l, row_t *row)
{
    (void)row;
    begin_test(l);
    l->depth++;
}

void sch_lower_TEST_JUMP(struct sch_lower *l, row_t *row)
{
    begin_test(l);
    plain(l, row->op);
    plain(l, SCH_OP_ENDIF);
}

void sch_lower_FLOW(struct sch_lower *l, row_t *row) { plain(l, row->op); }

void sch_lower_LOOP_BEGIN(struct sch_lower *l, row_t *row)
{
    plain(l, row->op);
    l->depth++;
}

void sch_lower_BLOCK_END(struct sch_lower *l, row_t *row)
{
    plain(l, row->op);
    if (l->depth) l->depth--;
}

void sch_lower_SELECT_(struct sch_lower *l, row_t *row)
{
    sch_build_test(l->build, row->op, sch_build_splat(sch_lower_operand(l, 0), 0));
    l->depth++;
}

void sch_lower_CASE_(struct sch_lower *l, row_t *row)
{
    const struct sch_d3d_operand *operand = &l->at->operands[0];
    if (operand->type != SCH_D3D_REGISTER_IMMEDIATE32) sch_lower_refuse(l, "the value is not a literal");
    sch_build_test(l->build, row->op, sch_build_word(l->build, operand->values[0]));
}

static enum sch_lower_labels labels_of(const struct sch_d3d_operand *label)
{
    return label->type == SCH_D3D_REGISTER_FUNCTION_BODY ? SCH_LOWER_BODY : SCH_LOWER_SUBROUTINE;
}

void sch_lower_CALL_(struct sch_lower *l, row_t *row)
{
    (void)row;
    bool tested = l->at->operand_count > 1;
    if (tested) begin_test(l);
    const struct sch_d3d_operand *label = &l->at->operands[tested ? 1 : 0];
    sch_lower_call(l, sch_lower_number(label, 0), labels_of(label));
    if (tested) plain(l, SCH_OP_ENDIF);
}

void sch_lower_label(struct sch_lower *l, uint32_t number, enum sch_lower_labels of)
{
    if (number >= SCH_LOWER_SUBROUTINES)
        sch_lower_refuse(l, "label %u is more than is lowered", number);
    else
        sch_build_label(l->build, sch_lower_label_of(number, of));
}

void sch_lower_LABEL_(struct sch_lower *l, row_t *row)
{
    const struct sch_d3d_operand *label = &l->at->operands[0];
    if (!l->after_return) plain(l, l->in_subroutine ? SCH_OP_ENDSUB : SCH_OP_END);
    sch_lower_label(l, sch_lower_number(label, 0), labels_of(label));
    plain(l, row->op);
    l->phase = SCH_LOWER_NO_PHASE;
    l->in_subroutine = true;
    l->after_return = false;
}

/* A return outside of any block ends the main program, or the subroutine. */
void sch_lower_RETURN_(struct sch_lower *l, row_t *row)
{
    bool tested = l->at->operand_count > 0, last = !tested && !l->depth;
    if (tested) begin_test(l);
    bool copies = l->program->stage == SCH_D3D_HULL ? l->phase == SCH_LOWER_POINTS : !l->in_subroutine;
    if (copies && l->program->stage != SCH_D3D_GEOMETRY) sch_lower_copy_outputs(l, 0);
    plain(l, !last ? row->op : l->in_subroutine ? SCH_OP_ENDSUB : SCH_OP_END);
    if (tested) plain(l, SCH_OP_ENDIF);
    l->after_return = last;
}

/* emit, cut and both: the row's IR opcodes, in a stream. */
void sch_lower_EMIT_(struct sch_lower *l, row_t *row)
{
    uint32_t stream = l->at->operand_count ? sch_lower_number(&l->at->operands[0], 0) : 0;
    enum { STREAMS = 4 };
    if (stream >= STREAMS) {
        sch_lower_refuse(l, "stream %u does not exist", stream);
        return;
    }
    if (row->op == SCH_OP_EMIT) sch_lower_copy_outputs(l, stream);
    const uint16_t ops[2] = {row->op, row->other};
    for (unsigned i = 0; i < 2; i++) {
        if (ops[i] == SCH_OP_NOP) continue;
        struct sch_ir_src src = sch_build_word(l->build, stream);
        sch_build_test(l->build, ops[i], src);
    }
}
