/* Control flow: tests, loops, switches, subroutines, what ends a program or a pixel, and emitted vertices. */
#include "d3d/raise/internal.h"

typedef const struct sch_raise_row row_t;

void sch_raise_NOTHING(struct sch_raise *r, row_t *row)
{
    (void)r;
    (void)row;
}

void sch_raise_FLOW(struct sch_raise *r, row_t *row) { sch_raise_0(r, row->op); }

/* "_nz" of the first component. */
static void tested(struct sch_raise *r, unsigned opcode, struct sch_d3d_operand test)
{
    sch_raise_emit(r, opcode, &test, 1)->controls = sch_d3d_put(SCH_D3D_FIELD_TEST, SCH_RAISE_TEST_NONZERO);
}

void sch_raise_IF_WORD(struct sch_raise *r, row_t *row) { tested(r, row->op, sch_raise_source(r, 0, 1)); }

/* IF: a float that is not 0, which a NaN is not. */
void sch_raise_IF_FLOAT(struct sch_raise *r, row_t *row)
{
    struct sch_d3d_operand test = sch_raise_scratch(r);
    sch_raise_2(r, row->other, sch_raise_masked(test, 1), sch_raise_source(r, 0, 1), sch_raise_word(0));
    tested(r, row->op, sch_raise_splat(test, 0));
}

void sch_raise_SELECT_(struct sch_raise *r, row_t *row)
{
    struct sch_d3d_operand value = sch_raise_source(r, 0, 1);
    sch_raise_emit(r, row->op, &value, 1);
}

/* "32-bit literal" (case). */
void sch_raise_CASE_(struct sch_raise *r, row_t *row)
{
    struct sch_d3d_operand value = sch_raise_source(r, 0, 1);
    if (value.modifier) {
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "the value has a modifier");
        return;
    }
    value.value_count = 1;
    value.form = SCH_D3D_FORM_SCALAR;
    sch_raise_emit(r, row->op, &value, 1);
}

static struct sch_d3d_operand label_of(const struct sch_raise *r, uint32_t instruction)
{
    uint32_t low = 0, high = r->label_count; /* they ascend */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->labels[middle] < instruction)
            low = middle + 1;
        else
            high = middle;
    }
    return sch_raise_named(SCH_D3D_REGISTER_LABEL, low);
}

void sch_raise_CALL_(struct sch_raise *r, row_t *row)
{
    struct sch_d3d_operand label = label_of(r, r->at->label);
    sch_raise_emit(r, row->op, &label, 1);
}

void sch_raise_SUBROUTINE(struct sch_raise *r, row_t *row)
{
    struct sch_d3d_operand label = label_of(r, (uint32_t)(r->at - r->in->instructions));
    r->in_subroutine = true;
    sch_raise_emit(r, row->op, &label, 1);
}

/* Where the main program ends, outputs that are in temporaries are copied; those of a geometry shader belong to its
 * vertices. */
void sch_raise_RETURN_(struct sch_raise *r, row_t *row)
{
    if (!r->in_subroutine && r->in->stage != SCH_STAGE_GEOMETRY) sch_raise_epilogue(r, 0);
    sch_raise_0(r, row->op);
}

void sch_raise_KILL_(struct sch_raise *r, row_t *row) { tested(r, row->op, sch_raise_word(UINT32_MAX)); }

/* KILL_IF: where any component is below 0. */
void sch_raise_KILL_IF_(struct sch_raise *r, row_t *row)
{
    struct sch_d3d_operand test = sch_raise_scratch(r), two = sch_raise_masked(test, 3);
    sch_raise_2(r, row->other, sch_raise_masked(test, 15), sch_raise_source(r, 0, 15), sch_raise_word(0));
    sch_raise_2(r, SCH_D3D_OP_OR, two, test, sch_raise_swizzle(test, 2, 3, 2, 3));
    sch_raise_2(r, SCH_D3D_OP_OR, sch_raise_masked(test, 1), sch_raise_splat(test, 0), sch_raise_splat(test, 1));
    tested(r, row->op, sch_raise_splat(test, 0));
}

/* EMIT, ENDPRIM in a stream that a literal names. After a vertex Direct3D's outputs hold nothing: they are copied from
 * temporaries before each. */
void sch_raise_EMIT_(struct sch_raise *r, row_t *row)
{
    struct sch_d3d_operand value = sch_raise_source(r, 0, 1);
    if (!value.value_count || value.values[0] >= SCH_RAISE_STREAMS) {
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "the stream is not a literal from 0 to %d", SCH_RAISE_STREAMS - 1);
        return;
    }
    uint32_t number = value.values[0];
    r->streams[number] = true;
    if (r->at->opcode == SCH_OP_EMIT) sch_raise_epilogue(r, number);
    struct sch_d3d_operand stream = sch_raise_named(SCH_D3D_REGISTER_STREAM, number);
    sch_raise_emit(r, row->op, &stream, 1);
}

/* Inputs at other places of the pixel: "eval_snapped: signed 1/16 pixel". */
void sch_raise_EVALUATE(struct sch_raise *r, row_t *row)
{
    struct sch_d3d_operand result = sch_raise_destination(r, 0);
    struct sch_d3d_operand operands[3] = {result, sch_raise_source(r, 0, result.select)};
    if (operands[1].type != SCH_D3D_REGISTER_INPUT) {
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "an input that is computed before the program begins");
        return;
    }
    if (r->at->src_count > 1) operands[2] = sch_raise_source(r, 1, r->at->opcode == SCH_OP_INTERP_OFFSET ? 3 : 1);
    if (r->at->opcode == SCH_OP_INTERP_OFFSET) {
        struct sch_d3d_operand steps = sch_raise_scratch(r);
        sch_raise_2(r, SCH_D3D_OP_MUL, sch_raise_masked(steps, 3), operands[2], sch_raise_float(16.0f));
        sch_raise_1(r, SCH_D3D_OP_ROUND_NE, sch_raise_masked(steps, 3), steps);
        sch_raise_1(r, SCH_D3D_OP_FTOI, sch_raise_masked(steps, 3), steps);
        operands[2] = steps;
    }
    sch_raise_modify(r, sch_raise_emit(r, row->op, operands, 1u + r->at->src_count));
}
