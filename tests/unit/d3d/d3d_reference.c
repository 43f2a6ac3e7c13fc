/* The reference of Direct3D's instructions (d3d_reference.h). Plain C of the host in its default rounding mode, one
 * number at a time; the elementary functions in long double, for comparison within the stated bound. */
#include "d3d_reference.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { SIGN = (int)0x80000000u };
#define DOUBLE_SIGN 0x8000000000000000u
#define NAN_32      0x7fc00000u
#define NAN_64      0x7ff8000000000000u

union word {
    uint32_t u;
    int32_t i;
    float f;
};
union wide {
    uint64_t u;
    double d;
};

/* The operands of one component and what comes of them. */
struct one {
    union word s[D3D_MOST_SOURCES];
    struct d3d_answer *r; /* r[0], r[1] */
    const struct d3d_lookup *q;
};
typedef void each_function(struct one *a);
typedef double wide_function(const double *s);
typedef uint32_t narrow_function(const struct d3d_lookup *q, const double *s);
typedef double widen_function(union word s);

/* ---- the rules of floats ---- */
static uint32_t bits_of(float f) { return (union word){.f = f}.u; }
static float float_of(uint32_t bits) { return (union word){.u = bits}.f; }
static bool is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/* "denorms flushed in and out (sign kept)" */
static uint32_t flush(uint32_t bits) { return bits & 0x7f800000 ? bits : bits & (uint32_t)SIGN; }

/* A NaN that arithmetic makes is 0x7fc00000. */
static uint32_t result(float f)
{
    if (isnan(f)) return NAN_32;
    return flush(bits_of(f));
}
static uint32_t clamp(uint32_t bits)
{
    float f = float_of(bits);
    if (isnan(f)) return 0;
    return f < 0 ? 0 : f > 1 ? bits_of(1) : bits;
}
/* "_sat" comes before the flush of the result: a negative denormal is +0. */
static uint32_t finish(const struct d3d_lookup *q, float f)
{
    return q->saturate ? flush(clamp(bits_of(f))) : result(f);
}
static void give(struct d3d_answer *r, uint32_t bits) { *r = (struct d3d_answer){.bits = bits}; }
static void give_float(const struct one *a, unsigned n, float f) { give(&a->r[n], finish(a->q, f)); }
static void near(const struct one *a, unsigned n, long double exact, unsigned ulps)
{
    give_float(a, n, (float)exact);
    a->r[n].ulps = ulps;
}

#define OP(name) static void op_##name(struct one *a)
#define F(n)     (a->s[n].f)
#define U(n)     (a->s[n].u)
#define I(n)     (a->s[n].i)
#define FLOAT_OP(name, value)                                                                                          \
    OP(name) { give_float(a, 0, value); }
#define WORD_OP(name, value)                                                                                           \
    OP(name) { give(a->r, (uint32_t)(value)); }
#define TEST_OP(name, value)                                                                                           \
    OP(name) { give(a->r, (value) ? 0xffffffffu : 0); }

/* ---- moves: "bit copy unless -/abs/_sat present (then float)"; ours keep bits with modifiers, too ---- */
static void moved(const struct one *a, unsigned to, unsigned from)
{
    const struct d3d_lookup *q = a->q;
    bool made = (q->negate[from] || q->absolute[from]) && is_nan(U(from)); /* "a source modifier included" */
    give(&a->r[to], q->saturate ? clamp(U(from)) : made ? NAN_32 : U(from));
}
OP(mov) { moved(a, 0, 0); }
OP(movc) { moved(a, 0, U(0) ? 1 : 2); }
OP(swapc)
{
    moved(a, 0, U(0) ? 2 : 1);
    moved(a, 1, U(0) ? 1 : 2);
}

/* ---- floats ---- */
FLOAT_OP(add, F(0) + F(1))
FLOAT_OP(mul, F(0) * F(1))
FLOAT_OP(div, F(0) / F(1))
static float rounded_product(float x, float y)
{
    volatile float product = x * y;
    return product;
}
/* "mad is fused; precise makes it a multiplication and an addition" */
FLOAT_OP(mad, a->q->precise ? float_of(result(rounded_product(F(0), F(1)))) + F(2) : fmaf(F(0), F(1), F(2)))
OP(min) { give_float(a, 0, isnan(F(0)) ? F(1) : isnan(F(1)) ? F(0) : F(0) < F(1) ? F(0) : F(1)); }
OP(max) { give_float(a, 0, isnan(F(0)) ? F(1) : isnan(F(1)) ? F(0) : F(0) >= F(1) ? F(0) : F(1)); }
OP(frc)
{
    float fraction = isinf(F(0)) ? NAN : F(0) - floorf(F(0));
    give_float(a, 0, fraction >= 1 ? 0x1.fffffep-1f : fraction);
}
OP(round_ne) { give_float(a, 0, rintf(F(0))); }
OP(round_ni) { give_float(a, 0, floorf(F(0))); }
OP(round_pi) { give_float(a, 0, ceilf(F(0))); }
OP(round_z) { give_float(a, 0, truncf(F(0))); }
FLOAT_OP(rcp, 1 / F(0))
FLOAT_OP(sqrt, sqrtf(F(0)))
OP(rsq) { near(a, 0, 1 / sqrtl(F(0)), 1); }
OP(exp) { near(a, 0, exp2l(F(0)), 1); }
OP(log) { near(a, 0, log2l(F(0)), 1); }
OP(sincos)
{
    near(a, 0, sinl(F(0)), 2);
    near(a, 1, cosl(F(0)), 2);
}

/* ---- comparisons ---- */
TEST_OP(eq, F(0) == F(1))
TEST_OP(ne, !(F(0) == F(1)))
TEST_OP(lt, F(0) < F(1))
TEST_OP(ge, F(0) >= F(1))
TEST_OP(ieq, U(0) == U(1))
TEST_OP(ine, U(0) != U(1))
TEST_OP(ilt, I(0) < I(1))
TEST_OP(ige, I(0) >= I(1))
TEST_OP(ult, U(0) < U(1))
TEST_OP(uge, U(0) >= U(1))

/* ---- integers and bits ---- */
WORD_OP(and, U(0) & U(1))
WORD_OP(or, U(0) | U(1))
WORD_OP(xor, U(0) ^ U(1))
WORD_OP(not, ~U(0))
WORD_OP(iadd, U(0) + U(1))
WORD_OP(ineg, 0 - U(0))
WORD_OP(umad, U(0) * U(1) + U(2))
WORD_OP(imax, I(0) > I(1) ? I(0) : I(1))
WORD_OP(imin, I(0) < I(1) ? I(0) : I(1))
WORD_OP(umax, U(0) > U(1) ? U(0) : U(1))
WORD_OP(umin, U(0) < U(1) ? U(0) : U(1))
WORD_OP(ishl, U(0) << (U(1) & 31))
WORD_OP(ushr, U(0) >> (U(1) & 31))
static uint32_t shift_signed(uint32_t x, unsigned count) { return (uint32_t)(((int64_t)(int32_t)x) >> count); }
WORD_OP(ishr, shift_signed(U(0), U(1) & 31))
OP(imul)
{
    int64_t product = (int64_t)I(0) * I(1);
    give(&a->r[0], (uint32_t)((uint64_t)product >> 32));
    give(&a->r[1], (uint32_t)product);
}
OP(umul)
{
    uint64_t product = (uint64_t)U(0) * U(1);
    give(&a->r[0], (uint32_t)(product >> 32));
    give(&a->r[1], (uint32_t)product);
}
OP(udiv)
{
    give(&a->r[0], U(1) ? U(0) / U(1) : 0xffffffffu);
    give(&a->r[1], U(1) ? U(0) % U(1) : 0xffffffffu);
}
OP(uaddc)
{
    uint64_t sum = (uint64_t)U(0) + U(1);
    give(&a->r[0], (uint32_t)sum);
    give(&a->r[1], (uint32_t)(sum >> 32));
}
OP(usubb)
{
    give(&a->r[0], U(0) - U(1));
    give(&a->r[1], U(0) < U(1));
}
static uint32_t bit(uint32_t x, unsigned n) { return x >> n & 1; }
OP(countbits)
{
    uint32_t count = 0;
    for (unsigned n = 0; n < 32; n++) count += bit(U(0), n);
    give(a->r, count);
}
/* The first bit that is `wanted`, from the top; all ones: none. */
static uint32_t from_top(uint32_t x, uint32_t wanted)
{
    for (uint32_t n = 0; n < 32; n++)
        if (bit(x, 31 - n) == wanted) return n;
    return 0xffffffffu;
}
WORD_OP(firstbit_hi, from_top(U(0), 1))
WORD_OP(firstbit_shi, from_top(U(0), !bit(U(0), 31)))
OP(firstbit_lo)
{
    uint32_t n = 0;
    while (n < 32 && !bit(U(0), n)) n++;
    give(a->r, n < 32 ? n : 0xffffffffu);
}
OP(bfrev)
{
    uint32_t reversed = 0;
    for (unsigned n = 0; n < 32; n++) reversed |= bit(U(0), n) << (31 - n);
    give(a->r, reversed);
}
/* "low 5 bits of each; width 0 -> 0; width+offset >= 32 -> src >> offset" */
OP(ubfe)
{
    unsigned width = U(0) & 31, offset = U(1) & 31;
    give(a->r, width == 0 ? 0 : width + offset < 32 ? U(2) << (32 - width - offset) >> (32 - width) : U(2) >> offset);
}
OP(ibfe)
{
    unsigned width = U(0) & 31, offset = U(1) & 31;
    give(a->r, width == 0            ? 0
               : width + offset < 32 ? shift_signed(U(2) << (32 - width - offset), 32 - width)
                                     : shift_signed(U(2), offset));
}
OP(bfi)
{
    unsigned width = U(0) & 31, offset = U(1) & 31;
    uint32_t mask = ((1u << width) - 1) << offset;
    give(a->r, ((U(2) << offset) & mask) | (U(3) & ~mask));
}
/* "per byte: if ref byte != 0, accum += |ref - src|"; ours saturates */
OP(msad)
{
    uint64_t sum = U(2);
    for (unsigned n = 0; n < 32; n += 8) {
        int reference = (int)(U(0) >> n & 255), source = (int)(U(1) >> n & 255);
        if (reference) sum += (uint64_t)(reference > source ? reference - source : source - reference);
    }
    give(a->r, sum > 0xffffffffu ? 0xffffffffu : (uint32_t)sum);
}

/* ---- conversions ---- */
static int32_t to_int(double x)
{
    if (isnan(x)) return 0;
    if (x >= 2147483647.0) return INT32_MAX;
    return x <= -2147483648.0 ? INT32_MIN : (int32_t)x;
}
static uint32_t to_uint(double x)
{
    if (isnan(x) || x <= 0) return 0;
    return x >= 4294967295.0 ? UINT32_MAX : (uint32_t)x;
}
WORD_OP(ftoi, to_int(F(0)))
WORD_OP(ftou, to_uint(F(0)))
FLOAT_OP(itof, (float)I(0))
FLOAT_OP(utof, (float)U(0))

/* Toward zero; half denormals have steps of 2^-24. */
OP(f32tof16)
{
    uint32_t sign = U(0) >> 16 & 0x8000;
    float x = fabsf(F(0));
    if (isnan(x)) {
        give(a->r, 0x7e00);
    } else if (isinf(x)) {
        give(a->r, sign | 0x7c00);
    } else if (x >= 65504.0f) {
        give(a->r, sign | 0x7bff);
    } else if (x < 0x1p-14f) {
        give(a->r, sign | (uint32_t)(x * 0x1p24f));
    } else {
        int exponent;
        float fraction = frexpf(x, &exponent); /* 0.5 to 1 */
        uint32_t steps = (uint32_t)(fraction * 2048) - 1024;
        give(a->r, sign | (uint32_t)(exponent + 14) << 10 | steps);
    }
}
OP(f16tof32)
{
    uint32_t exponent = U(0) >> 10 & 31, fraction = U(0) & 1023;
    float x = exponent == 31  ? (fraction ? NAN : INFINITY)
              : exponent == 0 ? ldexpf((float)fraction, -24)
                              : ldexpf((float)(fraction + 1024), (int)exponent - 25);
    give_float(a, 0, U(0) & 0x8000 ? -x : x);
}

/* ---- doubles ---- */
#define WIDE_OP(name, value)                                                                                           \
    static double op_##name(const double *s) { return value; }
WIDE_OP(dadd, s[0] + s[1])
WIDE_OP(dmul, s[0] * s[1])
WIDE_OP(ddiv, s[0] / s[1])
WIDE_OP(dfma, fma(s[0], s[1], s[2]))
WIDE_OP(drcp, 1 / s[0])
WIDE_OP(dmin, isnan(s[0]) ? s[1] : isnan(s[1]) ? s[0] : s[0] < s[1] ? s[0] : s[1])
WIDE_OP(dmax, isnan(s[0]) ? s[1] : isnan(s[1]) ? s[0] : s[0] >= s[1] ? s[0] : s[1])
#define NARROW_OP(name, value)                                                                                         \
    static uint32_t op_##name(const struct d3d_lookup *q, const double *s)                                             \
    {                                                                                                                  \
        (void)q;                                                                                                       \
        return (uint32_t)(value);                                                                                      \
    }
NARROW_OP(deq, s[0] == s[1] ? 0xffffffffu : 0)
NARROW_OP(dne, s[0] == s[1] ? 0 : 0xffffffffu)
NARROW_OP(dlt, s[0] < s[1] ? 0xffffffffu : 0)
NARROW_OP(dge, s[0] >= s[1] ? 0xffffffffu : 0)
NARROW_OP(dtof, finish(q, (float)s[0]))
NARROW_OP(dtoi, to_int(s[0]))
NARROW_OP(dtou, to_uint(s[0]))
static double op_ftod(union word s) { return s.f; }
static double op_itod(union word s) { return s.i; }
static double op_utod(union word s) { return s.u; }
static void op_none(void) {}

static uint64_t double_result(double d) { return isnan(d) ? NAN_64 : (union wide){.d = d}.u; }

/* ---- how operands are read and results given ---- */
unsigned d3d_reference_results(const struct d3d_reference *row) { return (unsigned)strcspn(row->types, "="); }
unsigned d3d_reference_sources(const struct d3d_reference *row)
{
    return (unsigned)strlen(strchr(row->types, '=') + 1);
}
char d3d_reference_result_type(const struct d3d_reference *row, unsigned result_) { return row->types[result_]; }
char d3d_reference_source_type(const struct d3d_reference *row, unsigned source)
{
    return strchr(row->types, '=')[1 + source];
}

/* "modifiers follow the opcode's type (neg on int opcodes = two's complement)" */
static union word read_word(const struct d3d_reference *row, const struct d3d_lookup *q, unsigned n, uint32_t bits)
{
    char type = d3d_reference_source_type(row, n);
    if (type == 'i' || type == 'u') return (union word){.u = q->negate[n] ? 0 - bits : bits};
    if (q->absolute[n]) bits &= ~(uint32_t)SIGN;
    if (q->negate[n]) bits ^= (uint32_t)SIGN;
    return (union word){.u = type == 'f' ? flush(bits) : bits};
}

static union wide read_pair(const struct d3d_lookup *q, unsigned n, unsigned pair)
{
    union wide value = {.u = (uint64_t)q->source[n][2 * pair + 1] << 32 | q->source[n][2 * pair]};
    if (q->absolute[n]) value.u &= ~DOUBLE_SIGN;
    if (q->negate[n]) value.u ^= DOUBLE_SIGN;
    return value;
}

static void answer_EACH(const struct d3d_reference *row, const struct d3d_lookup *q, struct d3d_answers *out)
{
    for (unsigned c = 0; c < 4; c++) {
        struct d3d_answer r[D3D_MOST_RESULTS] = {{0}};
        struct one a = {.r = r, .q = q};
        for (unsigned n = 0; n < d3d_reference_sources(row); n++) a.s[n] = read_word(row, q, n, q->source[n][c]);
        ((each_function *)row->function)(&a);
        for (unsigned n = 0; n < d3d_reference_results(row); n++) out->of[n][c] = r[n];
    }
}

/* "scalar replicated to mask"; the first product is rounded, each further one is added with one rounding, with precise
 * with two. Only the sum is a result, that is flushed. */
static float dot(const struct d3d_reference *row, const struct d3d_lookup *q, unsigned count)
{
    float sum = 0;
    for (unsigned c = 0; c < count; c++) {
        float x = read_word(row, q, 0, q->source[0][c]).f, y = read_word(row, q, 1, q->source[1][c]).f;
        float product = rounded_product(x, y);
        sum = c == 0 ? product : q->precise ? sum + product : fmaf(x, y, sum);
    }
    return sum;
}
static void op_two(void) {}
static void op_three(void) {}
static void op_four(void) {}
static void answer_DOT(const struct d3d_reference *row, const struct d3d_lookup *q, struct d3d_answers *out)
{
    unsigned count = row->function == op_two ? 2 : row->function == op_three ? 3 : 4;
    uint32_t bits = finish(q, dot(row, q, count));
    for (unsigned c = 0; c < 4; c++) give(&out->of[0][c], bits);
}

static void op_x_coarse(void) {}
static void op_y_coarse(void) {}
static void op_x_fine(void) {}
static void op_y_fine(void) {}
/* "one pair per 2x2 quad": ours is that of the first pixel; "row of the pixel", "column of the pixel" */
static void answer_SLOPE(const struct d3d_reference *row, const struct d3d_lookup *q, struct d3d_answers *out)
{
    bool along_x = row->function == op_x_coarse || row->function == op_x_fine;
    bool fine = row->function == op_x_fine || row->function == op_y_fine;
    unsigned first = !fine ? 0 : along_x ? q->lane & 2 : q->lane & 1, second = first + (along_x ? 1 : 2);
    for (unsigned c = 0; c < 4; c++) {
        float from = read_word(row, q, 0, q->quad[first][c]).f, to = read_word(row, q, 0, q->quad[second][c]).f;
        give(&out->of[0][c], finish(q, to - from));
    }
}

static void give_pair(const struct d3d_lookup *q, struct d3d_answer *r, union wide value)
{
    if (q->saturate) value.u = isnan(value.d) || value.d < 0 ? 0 : value.d > 1 ? (union wide){.d = 1}.u : value.u;
    give(&r[0], (uint32_t)value.u);
    give(&r[1], (uint32_t)(value.u >> 32));
}

/* Moves keep the bits of a NaN without a modifier. */
static void move_pair(const struct d3d_lookup *q, struct d3d_answer *r, unsigned n, unsigned pair)
{
    union wide value = read_pair(q, n, pair);
    if (isnan(value.d) && (q->negate[n] || q->absolute[n])) value.u = NAN_64;
    give_pair(q, r, value);
}

static void answer_WIDE(const struct d3d_reference *row, const struct d3d_lookup *q, struct d3d_answers *out)
{
    for (unsigned pair = 0; pair < 2; pair++) {
        double s[D3D_MOST_SOURCES];
        for (unsigned n = 0; n < d3d_reference_sources(row); n++) s[n] = read_pair(q, n, pair).d;
        uint64_t bits = double_result(((wide_function *)row->function)(s));
        give_pair(q, &out->of[0][2 * pair], (union wide){.u = bits});
    }
}

static void answer_MOVE_WIDE(const struct d3d_reference *row, const struct d3d_lookup *q, struct d3d_answers *out)
{
    (void)row;
    for (unsigned pair = 0; pair < 2; pair++) move_pair(q, &out->of[0][2 * pair], 0, pair);
}

/* The component of a source of 32 bits that goes with a pair; of .zw alone it is the first (docs/d3d.md). */
static unsigned beside(const struct d3d_lookup *q, unsigned pair) { return q->mask[0] == 0xc ? 0 : pair; }

/* "condition x rules .xy, y rules .zw" */
static void answer_CHOOSE_WIDE(const struct d3d_reference *row, const struct d3d_lookup *q, struct d3d_answers *out)
{
    (void)row;
    for (unsigned pair = 0; pair < 2; pair++)
        move_pair(q, &out->of[0][2 * pair], q->source[0][beside(q, pair)] ? 1 : 2, pair);
}

/* The first written component has the result of the first pair, the next that of the second. */
static void answer_NARROW(const struct d3d_reference *row, const struct d3d_lookup *q, struct d3d_answers *out)
{
    unsigned pair = 0;
    for (unsigned c = 0; c < 4 && pair < 2; c++) {
        if (!(q->mask[0] >> c & 1)) continue;
        double s[D3D_MOST_SOURCES];
        for (unsigned n = 0; n < d3d_reference_sources(row); n++) s[n] = read_pair(q, n, pair).d;
        give(&out->of[0][c], ((narrow_function *)row->function)(q, s));
        pair++;
    }
}

static void answer_WIDEN(const struct d3d_reference *row, const struct d3d_lookup *q, struct d3d_answers *out)
{
    for (unsigned pair = 0; pair < 2; pair++) {
        double d = ((widen_function *)row->function)(read_word(row, q, 0, q->source[0][beside(q, pair)]));
        give_pair(q, &out->of[0][2 * pair], (union wide){.u = double_result(d)});
    }
}

static const struct d3d_reference rows[] = {
#define REFERENCE(name, types, how, function) {name, types, answer_##how, (void (*)(void))op_##function},
#include "d3d_reference.def"
#undef REFERENCE
};

const struct d3d_reference *d3d_reference_find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, name)) return &rows[i];
    return NULL;
}

/* Floats in the order of their numbers. */
static int64_t place(uint32_t bits) { return bits >> 31 ? -(int64_t)(bits & 0x7fffffff) : (int64_t)bits; }

bool d3d_answer_holds(const struct d3d_answer *answer, uint32_t bits)
{
    if (bits == answer->bits) return true;
    if (!answer->ulps || is_nan(bits) || is_nan(answer->bits)) return false;
    int64_t apart = place(bits) - place(answer->bits);
    /* The step from the smallest normal number is to zero. */
    if (!(bits & 0x7fffffff) || !(answer->bits & 0x7fffffff))
        return (bits | answer->bits) << 1 >> 1 == 0x00800000 && (bits >> 31) == (answer->bits >> 31);
    return apart >= -(int64_t)answer->ulps && apart <= (int64_t)answer->ulps;
}
