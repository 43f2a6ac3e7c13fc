/* Arithmetic: instructions that compute registers from registers. */
#include "d3d/lower/internal.h"

typedef const struct sch_lower_row row_t;

enum { MOST_SOURCES = 6 };

/* The sources in the IR's order; returns how many. */
static unsigned sources(struct sch_lower *l, row_t *row, struct sch_ir_src src[MOST_SOURCES])
{
    unsigned first = sch_lower_results(l), count = l->at->operand_count - first;
    for (unsigned i = 0; i < count; i++) {
        unsigned from = *row->order ? (unsigned)(row->order[i] - '0') : i;
        src[i] = sch_lower_operand(l, first + from);
    }
    return count;
}

/* _sat, and precise where one of the written components is. */
static void modify(struct sch_lower *l, struct sch_ir_instruction *made)
{
    made->saturate = sch_d3d_get(l->at->controls, SCH_D3D_FIELD_SAT);
    made->precise = sch_d3d_get(l->at->controls, SCH_D3D_FIELD_PRECISE) != 0;
}

void sch_lower_NOTHING(struct sch_lower *l, row_t *row)
{
    (void)l;
    (void)row;
}

void sch_lower_PLAIN(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src[MOST_SOURCES];
    unsigned count = sources(l, row, src);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    if (target.dropped) return;
    modify(l, sch_build_emit(l->build, row->op, target.dst, src, count));
    sch_lower_finish(l, &target);
}

/* "mad: fused or not"; precise: a product and a sum, each rounded and flushed. */
void sch_lower_MAD_(struct sch_lower *l, row_t *row)
{
    if (!sch_d3d_get(l->at->controls, SCH_D3D_FIELD_PRECISE)) {
        sch_lower_PLAIN(l, row);
        return;
    }
    struct sch_ir_src src[MOST_SOURCES];
    sources(l, row, src);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    uint32_t product = sch_build_scratch(l->build);
    sch_build_2(l->build, SCH_OP_MUL, sch_build_temp_dst(product, target.dst.write_mask), src[0], src[1])->precise =
        true;
    modify(l, sch_build_2(l->build, SCH_OP_ADD, target.dst, sch_build_temp_src(product), src[2]));
    sch_lower_finish(l, &target);
}

/* An operation of one component, for each component of `mask`, into a temporary. */
static void each(struct sch_lower *l, unsigned op, uint32_t temp, unsigned mask, struct sch_ir_src src)
{
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            modify(l, sch_build_1(l->build, op, sch_build_temp_dst(temp, 1u << c), sch_build_splat(src, c)));
}

static void move_out(struct sch_lower *l, const struct sch_lower_target *target, uint32_t temp)
{
    sch_build_1(l->build, SCH_OP_MOV, target->dst, sch_build_temp_src(temp));
    sch_lower_finish(l, target);
}

static bool is_one(unsigned mask) { return (mask & (mask - 1)) == 0; }

void sch_lower_EACH(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src = sch_lower_operand(l, 1);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    unsigned mask = target.dst.write_mask;
    if (is_one(mask) && mask) {
        struct sch_ir_src one = sch_build_splat(src, (unsigned)__builtin_ctz(mask));
        modify(l, sch_build_1(l->build, row->op, target.dst, one));
        sch_lower_finish(l, &target);
        return;
    }
    uint32_t temp = sch_build_scratch(l->build);
    each(l, row->op, temp, mask, src);
    move_out(l, &target, temp);
}

/* Two results; both are computed, and the indices of both destinations read, before either is written. */
static void two_results(struct sch_lower *l, const uint32_t temps[2])
{
    struct sch_lower_target targets[2];
    for (unsigned i = 0; i < 2; i++) targets[i] = sch_lower_destination(l, &l->at->operands[i]);
    for (unsigned i = 0; i < 2; i++)
        if (!targets[i].dropped) move_out(l, &targets[i], temps[i]);
}

static unsigned written(const struct sch_d3d_operand *operand)
{
    if (operand->type == SCH_D3D_REGISTER_NULL) return 0;
    return operand->form == SCH_D3D_FORM_MASK ? operand->select : 1u;
}

void sch_lower_BOTH(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src[MOST_SOURCES];
    unsigned count = sources(l, row, src);
    const unsigned masks[2] = {written(&l->at->operands[0]), written(&l->at->operands[1])};
    if (!masks[0] || !masks[1]) { /* one result needs no temporary */
        struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[masks[0] ? 0 : 1]);
        if (target.dropped) return;
        modify(l, sch_build_emit(l->build, masks[0] ? row->op : row->other, target.dst, src, count));
        sch_lower_finish(l, &target);
        return;
    }
    const uint32_t temps[2] = {sch_build_scratch(l->build), sch_build_scratch(l->build)};
    modify(l, sch_build_emit(l->build, row->op, sch_build_temp_dst(temps[0], masks[0]), src, count));
    modify(l, sch_build_emit(l->build, row->other, sch_build_temp_dst(temps[1], masks[1]), src, count));
    two_results(l, temps);
}

void sch_lower_BOTH_EACH(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src = sch_lower_operand(l, 2);
    const uint32_t temps[2] = {sch_build_scratch(l->build), sch_build_scratch(l->build)};
    each(l, row->op, temps[0], written(&l->at->operands[0]), src);
    each(l, row->other, temps[1], written(&l->at->operands[1]), src);
    two_results(l, temps);
}

/* firstbit_hi counts from the top: the lowest bit of the reversed word. For 0 it is all ones. */
static void first_bit(struct sch_lower *l, struct sch_ir_src src, const struct sch_lower_target *target)
{
    uint32_t temp = sch_build_scratch(l->build);
    sch_build_1(l->build, SCH_OP_BREV, sch_build_temp_dst(temp, target->dst.write_mask), src);
    sch_build_1(l->build, SCH_OP_LSB, target->dst, sch_build_temp_src(temp));
    sch_lower_finish(l, target);
}

void sch_lower_FIRST_HIGH(struct sch_lower *l, row_t *row)
{
    (void)row;
    struct sch_ir_src src = sch_lower_operand(l, 1);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    first_bit(l, src, &target);
}

/* "First bit unlike the sign": of the word with the sign taken off every bit. */
void sch_lower_FIRST_SIGNED(struct sch_lower *l, row_t *row)
{
    (void)row;
    struct sch_ir_src src = sch_lower_operand(l, 1);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    uint32_t temp = sch_build_scratch(l->build);
    struct sch_ir_dst to = sch_build_temp_dst(temp, target.dst.write_mask);
    sch_build_2(l->build, SCH_OP_ISHR, to, src, sch_build_word(l->build, 31));
    sch_build_2(l->build, SCH_OP_XOR, to, src, sch_build_temp_src(temp));
    first_bit(l, sch_build_temp_src(temp), &target);
}

/* PK2H packs two halves: the low one is wanted. */
void sch_lower_TO_HALF(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src = sch_lower_operand(l, 1);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    uint32_t temp = sch_build_scratch(l->build);
    each(l, row->op, temp, target.dst.write_mask, src);
    sch_build_2(l->build, SCH_OP_AND, target.dst, sch_build_temp_src(temp), sch_build_word(l->build, 0xffff));
    sch_lower_finish(l, &target);
}

/* UP2H gives the low half in x and z, the high one in y and w. */
void sch_lower_FROM_HALF(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src = sch_lower_operand(l, 1);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    uint32_t temp = sch_build_scratch(l->build), one = sch_build_scratch(l->build);
    for (unsigned c = 0; c < 4; c++) {
        if (!(target.dst.write_mask >> c & 1)) continue;
        sch_build_1(l->build, row->op, sch_build_temp_dst(one, 1), sch_build_splat(src, c));
        sch_build_1(l->build, SCH_OP_MOV, sch_build_temp_dst(temp, 1u << c),
                    sch_build_splat(sch_build_temp_src(one), 0));
    }
    struct sch_ir_instruction *made = sch_build_1(l->build, SCH_OP_MOV, target.dst, sch_build_temp_src(temp));
    made->saturate = sch_d3d_get(l->at->controls, SCH_D3D_FIELD_SAT);
    sch_lower_finish(l, &target);
}

/* swapc: dst0 = c ? src2 : src1, dst1 = c ? src1 : src2. */
void sch_lower_SWAP(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src condition = sch_lower_operand(l, 2), a = sch_lower_operand(l, 3), b = sch_lower_operand(l, 4);
    const uint32_t temps[2] = {sch_build_scratch(l->build), sch_build_scratch(l->build)};
    unsigned first = written(&l->at->operands[0]), second = written(&l->at->operands[1]);
    if (first) modify(l, sch_build_3(l->build, row->op, sch_build_temp_dst(temps[0], first), condition, b, a));
    if (second) modify(l, sch_build_3(l->build, row->op, sch_build_temp_dst(temps[1], second), condition, a, b));
    two_results(l, temps);
}

/* The comparison's all ones as 1, into dst1. */
static void carry_out(struct sch_lower *l, const uint32_t temps[2], unsigned mask)
{
    if (mask)
        sch_build_2(l->build, SCH_OP_AND, sch_build_temp_dst(temps[1], mask), sch_build_temp_src(temps[1]),
                    sch_build_word(l->build, 1));
    two_results(l, temps);
}

/* A sum that is less than a summand wrapped. */
void sch_lower_CARRY(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src a = sch_lower_operand(l, 2), b = sch_lower_operand(l, 3);
    const uint32_t temps[2] = {sch_build_scratch(l->build), sch_build_scratch(l->build)};
    unsigned mask = written(&l->at->operands[1]), all = written(&l->at->operands[0]) | mask;
    sch_build_2(l->build, row->op, sch_build_temp_dst(temps[0], all), a, b);
    if (mask) sch_build_2(l->build, SCH_OP_USLT, sch_build_temp_dst(temps[1], mask), sch_build_temp_src(temps[0]), a);
    carry_out(l, temps, mask);
}

void sch_lower_BORROW(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src a = sch_lower_operand(l, 2), b = sch_lower_operand(l, 3), negative = b;
    const uint32_t temps[2] = {sch_build_scratch(l->build), sch_build_scratch(l->build)};
    unsigned mask = written(&l->at->operands[1]), first = written(&l->at->operands[0]);
    negative.negate = !b.negate;
    if (first) sch_build_2(l->build, row->op, sch_build_temp_dst(temps[0], first), a, negative);
    if (mask) sch_build_2(l->build, SCH_OP_USLT, sch_build_temp_dst(temps[1], mask), a, b);
    carry_out(l, temps, mask);
}

/* ---- doubles: pairs .xy and .zw ---- */

/* Which of the two results a component of a destination is: the first that is written takes .xy, the next .zw. */
static void spread(struct sch_lower *l, const struct sch_lower_target *target, uint32_t temp, unsigned first,
                   unsigned second)
{
    struct sch_ir_src from = sch_build_temp_src(temp);
    bool seen = false;
    for (unsigned c = 0; c < 4; c++) {
        if (!(target->dst.write_mask >> c & 1)) continue;
        from.swizzle[c] = (uint8_t)(seen ? second : first);
        seen = true;
    }
    sch_build_1(l->build, SCH_OP_MOV, target->dst, from);
    sch_lower_finish(l, target);
}

void sch_lower_COMPARE_WIDE(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src a = sch_lower_operand(l, 1), b = sch_lower_operand(l, 2);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    uint32_t temp = sch_build_scratch(l->build);
    sch_build_2(l->build, row->op, sch_build_temp_dst(temp, 5), a, b); /* x and z */
    spread(l, &target, temp, 0, 2);
}

void sch_lower_NARROW(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src = sch_lower_operand(l, 1);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    uint32_t temp = sch_build_scratch(l->build);
    modify(l, sch_build_1(l->build, row->op, sch_build_temp_dst(temp, 3), src));
    spread(l, &target, temp, 0, 1);
}

/* The first pair that is written comes from .x, the second from .y, by the source's swizzle. */
void sch_lower_WIDEN(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src = sch_lower_operand(l, 1);
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    if ((target.dst.write_mask & 3) == 0) src = sch_build_splat(src, 0); /* .zw alone */
    modify(l, sch_build_1(l->build, row->op, target.dst, src));
    sch_lower_finish(l, &target);
}

/* A move of pairs: 64-bit sign operations where there are modifiers. */
static struct sch_ir_src plain_pair(struct sch_lower *l, struct sch_ir_src src)
{
    if (!src.negate && !src.absolute) return src;
    uint32_t temp = sch_build_scratch(l->build);
    bool negate = src.negate, absolute = src.absolute;
    src.negate = src.absolute = false;
    if (absolute) sch_build_1(l->build, SCH_OP_DABS, sch_build_temp_dst(temp, 15), src);
    if (negate)
        sch_build_1(l->build, SCH_OP_DNEG, sch_build_temp_dst(temp, 15), absolute ? sch_build_temp_src(temp) : src);
    return sch_build_temp_src(temp);
}

/* _sat of moved doubles: x + -0 is x, and can be clamped. */
static void saturate_pairs(struct sch_lower *l, struct sch_lower_target *target, struct sch_ir_src src)
{
    static const uint32_t negative_zero[4] = {0, 0x80000000u, 0, 0x80000000u};
    sch_build_2(l->build, SCH_OP_DADD, target->dst, src, sch_build_immediate(l->build, negative_zero, false))
        ->saturate = true;
    sch_lower_finish(l, target);
}

void sch_lower_MOVE_WIDE(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src src = plain_pair(l, sch_lower_operand(l, 1));
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    if (sch_d3d_get(l->at->controls, SCH_D3D_FIELD_SAT)) {
        saturate_pairs(l, &target, src);
        return;
    }
    sch_build_1(l->build, row->op, target.dst, src);
    sch_lower_finish(l, &target);
}

/* dmovc: condition x rules .xy, y rules .zw. */
void sch_lower_CHOOSE_WIDE(struct sch_lower *l, row_t *row)
{
    struct sch_ir_src condition = sch_lower_operand(l, 1);
    struct sch_ir_src a = plain_pair(l, sch_lower_operand(l, 2)), b = plain_pair(l, sch_lower_operand(l, 3));
    struct sch_lower_target target = sch_lower_destination(l, &l->at->operands[0]);
    const uint8_t x = condition.swizzle[0], y = (target.dst.write_mask & 3) == 0 ? x : condition.swizzle[1];
    condition.swizzle[0] = condition.swizzle[1] = x;
    condition.swizzle[2] = condition.swizzle[3] = y;
    bool saturate = sch_d3d_get(l->at->controls, SCH_D3D_FIELD_SAT);
    uint32_t temp = saturate ? sch_build_scratch(l->build) : 0;
    sch_build_3(l->build, row->op, saturate ? sch_build_temp_dst(temp, 15) : target.dst, condition, a, b);
    if (saturate)
        saturate_pairs(l, &target, sch_build_temp_src(temp));
    else
        sch_lower_finish(l, &target);
}
