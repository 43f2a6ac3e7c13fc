/* Arithmetic: opcodes that compute registers from registers. Steps in between write scratch registers only, so that no
 * source is lost before it is read. */
#include "d3d/raise/internal.h"

typedef const struct sch_raise_row row_t;
typedef struct sch_d3d_operand operand_t;

enum { ONE = 0x3f800000, INFINITY_BITS = 0x7f800000, ALL = 15, CANONICAL_NAN = 0x7fc00000 };

/* ---- results ---- */

/* "_SAT clamps 32-bit destination stores", integers as the floats that their bits are: Direct3D saturates floats only,
 * so such a result takes a mov_sat. */
struct sch_raise_result sch_raise_begin(struct sch_raise *r, bool is_float)
{
    struct sch_raise_result result = {.to = sch_raise_destination(r, 0)};
    result.moved = r->at->saturate && !is_float;
    result.dst = result.moved ? sch_raise_masked(sch_raise_scratch(r), result.to.select) : result.to;
    return result;
}

static operand_t read(operand_t written)
{
    written.form = SCH_D3D_FORM_SWIZZLE;
    written.select = SCH_D3D_SWIZZLE_XYZW;
    return written;
}

void sch_raise_finish(struct sch_raise *r, const struct sch_raise_result *result)
{
    if (result->moved) sch_raise_modify(r, sch_raise_1(r, SCH_D3D_OP_MOV, result->to, read(result->dst)));
}

static bool gives_float(unsigned opcode)
{
    char type = sch_d3d_operand_type(sch_d3d_op_info(opcode), 0);
    return type == 'f' || type == 'x' || type == 'd';
}

/* The instruction that writes the result. */
static void last(struct sch_raise *r, struct sch_d3d_instruction *made, const struct sch_raise_result *result)
{
    if (!result->moved) sch_raise_modify(r, made);
    sch_raise_finish(r, result);
}

static operand_t source(struct sch_raise *r, unsigned number)
{
    return sch_raise_source(r, number, sch_raise_used(r->at));
}

/* A scratch register as a destination of the result's components. */
static operand_t scratch(struct sch_raise *r, const struct sch_raise_result *result)
{
    return sch_raise_masked(sch_raise_scratch(r), result->to.select);
}

/* ---- one instruction ---- */

void sch_raise_PLAIN(struct sch_raise *r, row_t *row)
{
    operand_t operands[1 + SCH_MAX_SRCS];
    unsigned count = r->at->src_count;
    for (unsigned i = 0; i < count; i++) operands[1 + i] = source(r, i);
    struct sch_raise_result result = sch_raise_begin(r, gives_float(row->op));
    operands[0] = result.dst;
    last(r, sch_raise_emit(r, row->op, operands, 1 + count), &result);
}

/* Direct3D 11.1 only. */
void sch_raise_EXTENDED(struct sch_raise *r, row_t *row)
{
    r->flags |= SCH_RAISE_FLAG_EXTENSIONS;
    sch_raise_needs(r, SCH_RAISE_FEATURE_EXTENSIONS);
    sch_raise_PLAIN(r, row);
}

/* UARL: a move of integers, whose modifiers are not mov's. */
void sch_raise_COPY_INT(struct sch_raise *r, row_t *row)
{
    operand_t a = source(r, 0);
    struct sch_raise_result result = sch_raise_begin(r, false);
    if (a.modifier)
        sch_raise_2(r, row->other, result.dst, a, sch_raise_word(0));
    else
        sch_raise_1(r, row->op, result.dst, a);
    sch_raise_finish(r, &result);
}

/* One component for all that are written. */
void sch_raise_SCALAR(struct sch_raise *r, row_t *row)
{
    operand_t a = sch_raise_splat(source(r, 0), 0);
    struct sch_raise_result result = sch_raise_begin(r, true);
    last(r, sch_raise_1(r, row->op, result.dst, a), &result);
}

/* The first of two results, and the second of two results. */
static void one_of_two(struct sch_raise *r, unsigned op, unsigned which, bool scalar)
{
    unsigned count = r->at->src_count;
    operand_t operands[2 + SCH_MAX_SRCS];
    for (unsigned i = 0; i < count; i++) operands[2 + i] = source(r, i);
    if (scalar) operands[2] = sch_raise_splat(operands[2], 0); /* the only one */
    struct sch_raise_result result = sch_raise_begin(r, scalar);
    operands[which] = result.dst;
    operands[1 - which] = sch_raise_bare(SCH_D3D_REGISTER_NULL);
    struct sch_d3d_instruction *made = sch_raise_emit(r, op, operands, 2 + count);
    if (r->at->precise) made->controls |= sch_d3d_put(SCH_D3D_FIELD_PRECISE, result.dst.select);
    if (r->at->saturate && scalar) made->controls |= sch_d3d_put(SCH_D3D_FIELD_SAT, 1);
    sch_raise_finish(r, &result);
}

void sch_raise_FIRST(struct sch_raise *r, row_t *row) { one_of_two(r, row->op, 0, row->op == SCH_D3D_OP_SINCOS); }
void sch_raise_SECOND(struct sch_raise *r, row_t *row) { one_of_two(r, row->op, 1, row->op == SCH_D3D_OP_SINCOS); }

/* FMA is fused whatever happens; mad without precise is, here, and may be anywhere. */
void sch_raise_FUSED(struct sch_raise *r, row_t *row)
{
    if (r->at->precise)
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "_PRECISE: a precise mad rounds the product, and FMA does not");
    else
        sch_raise_PLAIN(r, row);
}

/* ---- floats ---- */

/* Comparisons that give 1.0 or 0.0: all ones, and the bits of 1.0. The order of the sources is the row's. */
void sch_raise_FLOAT_TEST(struct sch_raise *r, row_t *row)
{
    bool swapped = *row->order == '1';
    operand_t a = source(r, swapped), b = source(r, !swapped);
    struct sch_raise_result result = sch_raise_begin(r, true);
    operand_t test = scratch(r, &result);
    sch_raise_2(r, row->op, test, a, b);
    sch_raise_2(r, SCH_D3D_OP_AND, result.to, read(test), sch_raise_word(ONE));
}

/* x * y + (1 - x) * z, in LRP's order of roundings. */
void sch_raise_LERP(struct sch_raise *r, row_t *row)
{
    operand_t x = source(r, 0), y = source(r, 1), z = source(r, 2);
    struct sch_raise_result result = sch_raise_begin(r, true);
    operand_t rest = scratch(r, &result);
    sch_raise_2(r, SCH_D3D_OP_ADD, rest, sch_raise_float(1.0f), sch_raise_negated(x));
    sch_raise_2(r, SCH_D3D_OP_MUL, rest, read(rest), z);
    last(r, sch_raise_3(r, row->op, result.dst, x, y, read(rest)), &result);
}

/* 2^(y log2 x), and 1 where y is 0; into x of `to`. */
static void power(struct sch_raise *r, operand_t to, operand_t x, operand_t y)
{
    operand_t none = sch_raise_masked(sch_raise_scratch(r), 1);
    sch_raise_1(r, SCH_D3D_OP_LOG, to, x);
    sch_raise_2(r, SCH_D3D_OP_MUL, to, read(to), y);
    sch_raise_1(r, SCH_D3D_OP_EXP, to, read(to));
    sch_raise_2(r, SCH_D3D_OP_EQ, none, y, sch_raise_word(0));
    sch_raise_3(r, SCH_D3D_OP_MOVC, to, read(none), sch_raise_word(ONE), read(to));
}

static void deliver(struct sch_raise *r, operand_t from)
{
    sch_raise_modify(r, sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_destination(r, 0), from));
}

void sch_raise_POWER(struct sch_raise *r, row_t *row)
{
    (void)row;
    operand_t to = sch_raise_masked(sch_raise_scratch(r), 1);
    power(r, to, sch_raise_splat(source(r, 0), 0), sch_raise_splat(source(r, 1), 0));
    deliver(r, sch_raise_splat(read(to), 0));
}

/* 1, max(x, 0), x > 0 ? max(y, 0)^clamp(w, -128, 128) : 0, 1. */
void sch_raise_LIGHT(struct sch_raise *r, row_t *row)
{
    (void)row;
    operand_t a = source(r, 0), made = sch_raise_scratch(r), exponent = sch_raise_masked(sch_raise_scratch(r), 1);
    operand_t base = sch_raise_masked(sch_raise_scratch(r), 1), positive = sch_raise_masked(sch_raise_scratch(r), 1);
    sch_raise_2(r, SCH_D3D_OP_MAX, base, sch_raise_splat(a, 1), sch_raise_word(0));
    sch_raise_2(r, SCH_D3D_OP_MIN, exponent, sch_raise_splat(a, 3), sch_raise_float(128.0f));
    sch_raise_2(r, SCH_D3D_OP_MAX, exponent, read(exponent), sch_raise_float(-128.0f));
    sch_raise_2(r, SCH_D3D_OP_LT, positive, sch_raise_word(0), sch_raise_splat(a, 0));
    sch_raise_2(r, SCH_D3D_OP_MAX, sch_raise_masked(made, 2), sch_raise_splat(a, 0), sch_raise_word(0));
    power(r, base, read(base), read(exponent));
    sch_raise_3(r, SCH_D3D_OP_MOVC, sch_raise_masked(made, 4), sch_raise_splat(read(positive), 0),
                sch_raise_splat(read(base), 0), sch_raise_word(0));
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(made, 9), sch_raise_word(ONE));
    deliver(r, made);
}

/* 1, a.y * b.y, a.z, b.w. */
void sch_raise_DISTANCE(struct sch_raise *r, row_t *row)
{
    (void)row;
    operand_t a = source(r, 0), b = source(r, 1), made = sch_raise_scratch(r);
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(made, 1), sch_raise_word(ONE));
    sch_raise_2(r, SCH_D3D_OP_MUL, sch_raise_masked(made, 2), a, b);
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(made, 4), a);
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(made, 8), b);
    deliver(r, made);
}

/* EXP: 2^floor(x), x - floor(x), 2^x, 1. */
void sch_raise_EXPAND(struct sch_raise *r, row_t *row)
{
    (void)row;
    operand_t a = sch_raise_splat(source(r, 0), 0), made = sch_raise_scratch(r);
    operand_t whole = sch_raise_masked(sch_raise_scratch(r), 3);
    sch_raise_1(r, SCH_D3D_OP_ROUND_NI, whole, a);
    sch_raise_1(r, SCH_D3D_OP_EXP, sch_raise_masked(made, 1), read(whole));
    sch_raise_2(r, SCH_D3D_OP_ADD, sch_raise_masked(made, 2), a, sch_raise_negated(read(whole)));
    sch_raise_1(r, SCH_D3D_OP_EXP, sch_raise_masked(made, 4), a);
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(made, 8), sch_raise_word(ONE));
    deliver(r, made);
}

/* LOG: the exponent and the mantissa of |x| by its bits, log2 |x|, 1. For 0, infinity and NaN the exponent is the
 * logarithm and the mantissa a NaN. */
void sch_raise_LOGARITHM(struct sch_raise *r, row_t *row)
{
    (void)row;
    enum { MANTISSA = 0x7fffff, BIAS = 127, MANTISSA_BITS = 23 };
    operand_t a = sch_raise_splat(source(r, 0), 0), made = sch_raise_scratch(r), size = sch_raise_scratch(r);
    operand_t x = sch_raise_masked(made, 1), y = sch_raise_masked(made, 2), z = sch_raise_masked(made, 4);
    operand_t inside = sch_raise_masked(sch_raise_scratch(r), 3);
    a.modifier = SCH_D3D_ABSOLUTE;
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(size, ALL), a);
    sch_raise_1(r, SCH_D3D_OP_LOG, z, size);
    sch_raise_2(r, SCH_D3D_OP_LT, sch_raise_masked(inside, 1), sch_raise_word(0), size);
    sch_raise_2(r, SCH_D3D_OP_LT, sch_raise_masked(inside, 2), size, sch_raise_word(INFINITY_BITS));
    sch_raise_2(r, SCH_D3D_OP_AND, inside, sch_raise_splat(read(inside), 0), sch_raise_splat(read(inside), 1));
    sch_raise_2(r, SCH_D3D_OP_USHR, x, size, sch_raise_word(MANTISSA_BITS));
    sch_raise_2(r, SCH_D3D_OP_IADD, x, made, sch_raise_word((uint32_t)-BIAS));
    sch_raise_1(r, SCH_D3D_OP_ITOF, x, made);
    sch_raise_3(r, SCH_D3D_OP_MOVC, x, read(inside), made, sch_raise_splat(made, 2));
    sch_raise_2(r, SCH_D3D_OP_AND, y, size, sch_raise_word(MANTISSA));
    sch_raise_2(r, SCH_D3D_OP_OR, y, made, sch_raise_word(ONE));
    sch_raise_3(r, SCH_D3D_OP_MOVC, y, read(inside), made, sch_raise_word(CANONICAL_NAN));
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(made, 8), sch_raise_word(ONE));
    deliver(r, made);
}

/* 1 where x > 0 less 1 where x < 0, as integers: masks are -1. */
static void sign(struct sch_raise *r, unsigned less, operand_t to, const struct sch_raise_result *result)
{
    operand_t a = source(r, 0), above = scratch(r, result), below = scratch(r, result);
    sch_raise_2(r, less, above, sch_raise_word(0), a);
    sch_raise_2(r, less, below, a, sch_raise_word(0));
    sch_raise_2(r, SCH_D3D_OP_IADD, to, sch_raise_negated(read(above)), read(below));
}

void sch_raise_SIGN(struct sch_raise *r, row_t *row)
{
    struct sch_raise_result result = sch_raise_begin(r, true);
    operand_t whole = scratch(r, &result);
    sign(r, row->op, whole, &result);
    last(r, sch_raise_1(r, row->other, result.dst, read(whole)), &result);
}

void sch_raise_SIGN_INT(struct sch_raise *r, row_t *row)
{
    struct sch_raise_result result = sch_raise_begin(r, false);
    sign(r, row->op, result.dst, &result);
    sch_raise_finish(r, &result);
}

/* CMP: the second source where the first is below 0. */
void sch_raise_CHOOSE(struct sch_raise *r, row_t *row)
{
    operand_t a = source(r, 0), b = source(r, 1), c = source(r, 2);
    struct sch_raise_result result = sch_raise_begin(r, true);
    operand_t test = scratch(r, &result);
    sch_raise_2(r, row->op, test, a, sch_raise_word(0));
    last(r, sch_raise_3(r, row->other, result.dst, read(test), b, c), &result);
}

/* ARL, ARR: rounded, then an integer. */
void sch_raise_ADDRESS(struct sch_raise *r, row_t *row)
{
    operand_t a = source(r, 0);
    struct sch_raise_result result = sch_raise_begin(r, false);
    operand_t whole = scratch(r, &result);
    sch_raise_1(r, row->op, whole, a);
    sch_raise_1(r, row->other, result.dst, read(whole));
    sch_raise_finish(r, &result);
}

/* PK2H: two halves of a word. */
void sch_raise_PACK_HALF(struct sch_raise *r, row_t *row)
{
    enum { HALF = 65536 };
    operand_t halves = sch_raise_scratch(r);
    sch_raise_1(r, row->op, sch_raise_masked(halves, 3), source(r, 0));
    struct sch_raise_result result = sch_raise_begin(r, false);
    sch_raise_3(r, SCH_D3D_OP_IMAD, result.dst, sch_raise_splat(halves, 1), sch_raise_word(HALF),
                sch_raise_splat(halves, 0));
    sch_raise_finish(r, &result);
}

/* UP2H: the low half in x and z, the high one in y and w. */
void sch_raise_UNPACK_HALF(struct sch_raise *r, row_t *row)
{
    operand_t a = sch_raise_splat(source(r, 0), 0), halves = sch_raise_scratch(r);
    sch_raise_2(r, SCH_D3D_OP_USHR, sch_raise_masked(halves, ALL), a, sch_raise_literal(0, 16, 0, 16));
    struct sch_raise_result result = sch_raise_begin(r, true);
    last(r, sch_raise_1(r, row->op, result.dst, halves), &result);
}

/* ---- integers ---- */

void sch_raise_ABS_INT(struct sch_raise *r, row_t *row)
{
    operand_t a = source(r, 0), plain = sch_raise_scratch(r);
    if (a.modifier) {
        sch_raise_2(r, SCH_D3D_OP_IADD, sch_raise_masked(plain, ALL), a, sch_raise_word(0));
        a = plain;
    }
    struct sch_raise_result result = sch_raise_begin(r, false);
    sch_raise_2(r, row->op, result.dst, a, sch_raise_negated(a));
    sch_raise_finish(r, &result);
}

/* IDIV and MOD by udiv of the magnitudes: the quotient has the sign of both, the remainder the dividend's; a divisor 0
 * gives all ones. */
void sch_raise_DIVIDE(struct sch_raise *r, row_t *row)
{
    bool remainder = *row->order == '1';
    struct sch_raise_result result = sch_raise_begin(r, false);
    operand_t a = scratch(r, &result), b = scratch(r, &result), sign = scratch(r, &result), size = scratch(r, &result);
    operand_t operands[4] = {sch_raise_bare(SCH_D3D_REGISTER_NULL), sch_raise_bare(SCH_D3D_REGISTER_NULL)};
    sch_raise_2(r, SCH_D3D_OP_IADD, a, source(r, 0), sch_raise_word(0));
    sch_raise_2(r, SCH_D3D_OP_IADD, b, source(r, 1), sch_raise_word(0));
    if (remainder)
        sch_raise_2(r, SCH_D3D_OP_ISHR, sign, read(a), sch_raise_word(31));
    else
        sch_raise_2(r, SCH_D3D_OP_XOR, sign, read(a), read(b));
    if (!remainder) sch_raise_2(r, SCH_D3D_OP_ISHR, sign, read(sign), sch_raise_word(31));
    sch_raise_2(r, SCH_D3D_OP_IMAX, a, read(a), sch_raise_negated(read(a)));
    sch_raise_2(r, SCH_D3D_OP_IMAX, size, read(b), sch_raise_negated(read(b)));
    operands[remainder] = a;
    operands[2] = read(a);
    operands[3] = read(size);
    sch_raise_emit(r, row->op, operands, 4);
    sch_raise_2(r, SCH_D3D_OP_XOR, a, read(a), read(sign));
    sch_raise_2(r, SCH_D3D_OP_IADD, a, read(a), sch_raise_negated(read(sign)));
    sch_raise_3(r, SCH_D3D_OP_MOVC, result.dst, read(b), read(a), sch_raise_word(UINT32_MAX));
    sch_raise_finish(r, &result);
}

/* UBFE, IBFE (value, offset, bits): Direct3D takes five bits of the width, so that 32 is 0; of 32 bits from offset 0
 * the value is chosen. */
void sch_raise_FIELD(struct sch_raise *r, row_t *row)
{
    enum { WIDTH = 32, OFFSET_BITS = 31 };
    operand_t value = source(r, 0), offset = source(r, 1), bits = source(r, 2);
    struct sch_raise_result result = sch_raise_begin(r, false);
    bool known = bits.value_count > 0 && !bits.modifier;
    for (unsigned c = 0; c < 4; c++) known = known && (bits.values[c] != WIDTH || !(result.to.select >> c & 1));
    if (known || sch_raise_was_d3d(r)) {
        sch_raise_3(r, row->op, result.dst, bits, offset, value);
        sch_raise_finish(r, &result);
        return;
    }
    operand_t field = scratch(r, &result), part = scratch(r, &result), from = scratch(r, &result);
    operand_t plain = scratch(r, &result);
    sch_raise_2(r, SCH_D3D_OP_IADD, plain, value, sch_raise_word(0));
    sch_raise_3(r, row->op, field, bits, offset, read(plain));
    sch_raise_2(r, SCH_D3D_OP_XOR, part, bits, sch_raise_word(WIDTH));
    sch_raise_2(r, SCH_D3D_OP_AND, from, offset, sch_raise_word(OFFSET_BITS));
    sch_raise_2(r, SCH_D3D_OP_OR, part, read(part), read(from));
    sch_raise_3(r, SCH_D3D_OP_MOVC, result.dst, read(part), read(field), read(plain));
    sch_raise_finish(r, &result);
}

/* BFI (base, insert, offset, bits): 32 bits are the whole insert. */
void sch_raise_INSERT(struct sch_raise *r, row_t *row)
{
    operand_t base = source(r, 0), insert = source(r, 1), offset = source(r, 2), bits = source(r, 3);
    struct sch_raise_result result = sch_raise_begin(r, false);
    if (sch_raise_was_d3d(r)) {
        const operand_t own[] = {result.dst, bits, offset, insert, base};
        sch_raise_emit(r, row->op, own, 5);
        sch_raise_finish(r, &result);
        return;
    }
    operand_t made = scratch(r, &result), test = scratch(r, &result), plain = scratch(r, &result);
    const operand_t operands[] = {made, bits, offset, insert, base};
    sch_raise_2(r, SCH_D3D_OP_IADD, plain, insert, sch_raise_word(0));
    sch_raise_emit(r, row->op, operands, 5);
    sch_raise_2(r, SCH_D3D_OP_IEQ, test, bits, sch_raise_word(32));
    sch_raise_3(r, SCH_D3D_OP_MOVC, result.dst, read(test), read(plain), read(made));
    sch_raise_finish(r, &result);
}

/* UMSB, IMSB count from the bottom, firstbit_hi and _shi from the top; both give all ones where there is no bit. */
void sch_raise_HIGH_BIT(struct sch_raise *r, row_t *row)
{
    operand_t a = source(r, 0);
    struct sch_raise_result result = sch_raise_begin(r, false);
    operand_t top = scratch(r, &result), some = scratch(r, &result), bottom = scratch(r, &result);
    sch_raise_1(r, row->op, top, a);
    sch_raise_2(r, SCH_D3D_OP_INE, some, read(top), sch_raise_word(UINT32_MAX));
    sch_raise_2(r, SCH_D3D_OP_IADD, bottom, sch_raise_word(31), sch_raise_negated(read(top)));
    sch_raise_3(r, SCH_D3D_OP_MOVC, result.dst, read(some), read(bottom), read(top));
    sch_raise_finish(r, &result);
}

/* ---- doubles: pairs xy and zw ---- */

static void needs_doubles(struct sch_raise *r, unsigned op)
{
    r->flags |= SCH_RAISE_FLAG_DOUBLES;
    sch_raise_needs(r, SCH_RAISE_FEATURE_DOUBLES);
    if (!(sch_d3d_op_info(op)->flags & SCH_D3D_F_EXTENDED)) return;
    r->flags |= SCH_RAISE_FLAG_DOUBLE_EXTENSIONS;
    sch_raise_needs(r, SCH_RAISE_FEATURE_DOUBLE_EXTENSIONS);
}

/* The pairs that a write mask touches; a pair that is written in part is computed whole. */
static unsigned pairs(unsigned mask) { return (mask & 3 ? 3u : 0) | (mask & 12 ? 12u : 0); }

static void wide_result(struct sch_raise *r, unsigned op, operand_t *operands, unsigned count)
{
    operand_t to = sch_raise_destination(r, 0);
    bool whole = pairs(to.select) == to.select && r->at->dst[0].file != SCH_FILE_NULL;
    needs_doubles(r, op);
    operands[0] = whole ? to : sch_raise_masked(sch_raise_scratch(r), pairs(to.select));
    sch_raise_modify(r, sch_raise_emit(r, op, operands, count));
    if (!whole) sch_raise_1(r, SCH_D3D_OP_MOV, to, read(operands[0]));
}

/* DABS and DNEG are modifiers of a move. */
void sch_raise_PAIRS(struct sch_raise *r, row_t *row)
{
    operand_t operands[1 + SCH_MAX_SRCS];
    for (unsigned i = 0; i < r->at->src_count; i++) operands[1 + i] = source(r, i);
    if (r->at->opcode == SCH_OP_DABS) operands[1].modifier = SCH_D3D_ABSOLUTE;
    if (r->at->opcode == SCH_OP_DNEG) operands[1].modifier ^= SCH_D3D_NEGATE;
    wide_result(r, row->op, operands, 1u + r->at->src_count);
}

/* DMAD is fused; precise, it is a product and a sum. */
void sch_raise_FUSED_PAIRS(struct sch_raise *r, row_t *row)
{
    if (!r->at->precise || r->at->opcode == SCH_OP_DFMA) {
        sch_raise_PAIRS(r, row);
        return;
    }
    operand_t product = sch_raise_scratch(r), a = source(r, 0), b = source(r, 1), c = source(r, 2);
    needs_doubles(r, SCH_D3D_OP_DMUL);
    sch_raise_2(r, SCH_D3D_OP_DMUL, sch_raise_masked(product, ALL), a, b);
    operand_t operands[] = {product, product, c};
    wide_result(r, row->other, operands, 3);
}

/* Instructions of one component for each pair: the first that is written is of the first pair of the sources. */
static void of_pairs(struct sch_raise *r, unsigned op, unsigned first, unsigned second, bool is_float)
{
    unsigned mask = r->at->dst[0].write_mask & (first | second);
    if (!mask) return;
    operand_t operands[3] = {sch_raise_bare(SCH_D3D_REGISTER_NULL)};
    unsigned count = r->at->src_count;
    for (unsigned i = 0; i < count; i++) {
        operands[1 + i] = source(r, i);
        if (mask == second) operands[1 + i] = sch_raise_swizzle(operands[1 + i], 2, 3, 2, 3);
    }
    needs_doubles(r, op);
    struct sch_raise_result result = sch_raise_begin(r, is_float);
    result.to = sch_raise_masked(result.to, mask);
    result.dst = sch_raise_masked(result.dst, mask);
    operands[0] = result.dst;
    last(r, sch_raise_emit(r, op, operands, 1 + count), &result);
}

/* Into x and z; y and w keep what they held. */
void sch_raise_COMPARE_PAIRS(struct sch_raise *r, row_t *row) { of_pairs(r, row->op, 1, 4, false); }

/* Into x and y. */
void sch_raise_NARROW(struct sch_raise *r, row_t *row) { of_pairs(r, row->op, 1, 2, gives_float(row->op)); }

/* The first pair from x, the second from y; where zw alone is written Direct3D takes the first component. */
void sch_raise_WIDEN(struct sch_raise *r, row_t *row)
{
    operand_t operands[2];
    operands[1] = source(r, 0);
    if (pairs(r->at->dst[0].write_mask) == 12) operands[1] = sch_raise_splat(operands[1], 1);
    wide_result(r, row->op, operands, 2);
}
