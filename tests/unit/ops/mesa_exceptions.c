/* The exceptions of mesa_exceptions.h: which rows of the peer we differ from, and what holds instead. */
#include "mesa_exceptions.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static bool is_nan(char type, union value v) { return type == 'D' ? v.d != v.d : type == 'F' && v.f != v.f; }

static bool same(char type, union value a, union value b)
{
    a = value_canonical(type, a), b = value_canonical(type, b);
    return value_is_wide(type) ? a.q == b.q : a.u == b.u;
}

static bool has_modifier(const struct row *row) { return strpbrk(row->instruction, "-|") != NULL; }

static bool saturation_of(union value v, union value peer)
{
    union value clamped = {.f = v.f < 0 ? 0.0f : v.f > 1 ? 1.0f : v.f};
    return clamped.u == peer.u;
}

/* What the oracle gives under other rules or from other sources, at the difference's channel. */
static union value oracle_with(const struct difference *d, unsigned rules, const uint32_t source[RUN_SOURCES][4])
{
    struct expectation e;
    oracle_evaluate(d->analysis->oracle, rules, source, &e);
    uint64_t high = value_is_wide(d->type) ? e.word[0][d->channel + 1] : 0;
    return (union value){.q = e.word[0][d->channel] | high << 32};
}

#define PREDICATE(name) static bool name(const struct difference *d)

static bool is_half_nan(uint32_t half) { return (half & 0x7c00) == 0x7c00 && (half & 0x3ff) != 0; }

/* Two packed halves, of which one at least is a NaN with other bits. */
static bool half_nan_bits(uint32_t ours, uint32_t peer)
{
    for (unsigned i = 0; i < 2; i++, ours >>= 16, peer >>= 16) {
        bool both = (ours & 0xffff) == 0x7e00 && is_half_nan(peer);
        if (!both && (ours & 0xffff) != (peer & 0xffff)) return false;
    }
    return true;
}

PREDICATE(nan_bits)
{
    if (strcmp(d->row->opcode, "PK2H") == 0) return half_nan_bits(d->ours.u, d->peer.u);
    return is_nan(d->type, d->peer) && is_nan(d->type, d->ours);
}

PREDICATE(infinite_fraction)
{
    const bool infinite = d->type == 'D' ? isinf(d->s[0].d) : isinf(d->s[0].f);
    return infinite && is_nan(d->type, d->peer) && (d->type == 'D' ? !d->ours.q : !d->ours.u);
}

PREDICATE(moved_nan_modified) { return has_modifier(d->row) && is_nan('F', d->peer) && d->ours.u == 0x7fc00000; }

/* The peer's fminf and fmaxf return the operand that is no NaN, a NaN for a signalling one, and either of two zeros. */
PREDICATE(min_max)
{
    bool zeros = d->type == 'D' ? d->s[0].d == 0 && d->s[1].d == 0 : d->s[0].f == 0 && d->s[1].f == 0;
    bool nan = is_nan(d->type, d->s[0]) || is_nan(d->type, d->s[1]);
    return (zeros || nan) && same(d->type, d->ours, d->s[1]) && same(d->type, d->peer, d->s[0]);
}

PREDICATE(zero_divisor) { return !d->row->signal && d->s[1].q == 0 && d->peer.q == 0; }

/* Any lane with the smallest integer over -1. */
PREDICATE(signal)
{
    if (!d->row->signal) return false;
    const uint32_t(*s)[4] = d->row->source;
    for (unsigned c = 0; c < 4; c++) {
        bool wide = value_is_wide(d->type);
        if (!wide && s[0][c] == 0x80000000 && s[1][c] == 0xffffffff) return true;
        if (wide && c % 2 == 1 && s[0][c] == 0x80000000 && s[0][c - 1] == 0 && s[1][c] == 0xffffffff &&
            s[1][c - 1] == 0xffffffff)
            return true;
    }
    return false;
}

/* The float that an integer is made of, or NaN, lies outside the integer type. */
PREDICATE(out_of_range)
{
    double x = oracle_source_type(d->analysis->oracle, 0) == 'D' ? d->s[0].d : (double)d->s[0].f;
    x = strcmp(d->row->opcode, "ARL") == 0 ? floor(x) : strcmp(d->row->opcode, "ARR") == 0 ? rint(x) : trunc(x);
    switch (d->type) {
    case 'I':
        return !(x >= -0x1p31 && x < 0x1p31);
    case 'U':
        return !(x >= 0 && x < 0x1p32);
    case 'L':
        return !(x >= -0x1p63 && x < 0x1p63);
    default:
        return !(x >= 0 && x < 0x1p64);
    }
}

PREDICATE(arr_rounds_up) { return !out_of_range(d) && d->peer.i == (int32_t)floorf(d->s[0].f + 0.5f); }

/* Channels of LOG, EXP and LIT that are formulas of a power or logarithm, and the opcodes that are one. */
PREDICATE(elementary)
{
    bool third = d->analysis->oracle->shape == SHAPE_CHAN;
    return (!third || d->channel == 2) && value_ulps('F', d->ours, d->peer) <= 4;
}

PREDICATE(rsq)
{
    if (d->type == 'D') return d->peer.d == 1.0 / sqrt(d->s[0].d);
    return d->peer.f == 1.0f / sqrtf(d->s[0].f);
}

/* The peer takes the floor of a rounded logarithm: one off next to a power of two. */
PREDICATE(log_floor)
{
    if (d->channel == 0) return fabsf(d->ours.f - d->peer.f) == 1.0f;
    return d->channel == 1 && (d->peer.f == d->ours.f * 2 || d->peer.f * 2 == d->ours.f);
}

PREDICATE(lit_nan)
{
    const uint32_t *s = d->analysis->source[0];
    return d->channel == 2 && (is_nan('F', (union value){.u = s[1]}) || is_nan('F', (union value){.u = s[3]}));
}

/* The peer rounds products before it adds them. */
PREDICATE(fused)
{
    union value apart = oracle_with(d, RULE_PRECISE, (const uint32_t(*)[4])d->analysis->source);
    return same(d->type, apart, d->peer) || (d->analysis->saturates && saturation_of(apart, d->peer));
}

/* The peer computes (y - z) * x + z, in three roundings. */
PREDICATE(lrp)
{
    volatile float difference = d->s[1].f - d->s[2].f;
    volatile float product = difference * d->s[0].f;
    return same('F', (union value){.f = product + d->s[2].f}, d->peer);
}

PREDICATE(saturated_minus_zero)
{
    uint64_t minus_zero = value_is_wide(d->type) ? (uint64_t)1 << 63 : 0x80000000;
    return d->analysis->saturates && d->ours.q == minus_zero && d->peer.q == 0;
}

/* The peer drops the modifiers of 64-bit sources. */
PREDICATE(wide_modifiers)
{
    return has_modifier(d->row) && same(d->type, oracle_with(d, 0, (const uint32_t(*)[4])d->row->source), d->peer);
}

#define CONVERSIONS " ARL ARR F2I F2U D2I D2U F2I64 F2U64 D2I64 D2U64 "

struct exception exceptions[] = {
    {"an infinity has the fraction 0", " FRC DFRAC ", "decision on FRC: x - FRC(x) is floor(x), of infinities, too",
     infinite_fraction, 0},
    {"a NaN that arithmetic makes is the canonical one", NULL, "decision on nan: payloads are not in the text",
     nan_bits, 0},
    {"a modifier makes a moved NaN the canonical one", " MOV UCMP CMP ", "decision on nan", moved_nan_modified, 0},
    {"min and max are the text's comparisons", " MIN MAX DMIN DMAX ", "Functions: min(x,y) is (x < y) ? x : y", min_max,
     0},
    {"a divisor 0 gives all ones", " IDIV I64DIV ", "IDIV: \"TBD: behavior for division by zero\"", zero_divisor, 0},
    {"the smallest integer over -1 wraps", " IDIV MOD I64DIV I64MOD ", "not stated; the peer dies of SIGFPE", signal,
     0},
    {"conversions out of range saturate", CONVERSIONS, "F2I, F2U: \"produce undefined results\"", out_of_range, 0},
    {"ARR ties to even", " ARR ", "round(x) \"Round x\": no tie rule; the peer takes floor(x + 0.5)", arr_rounds_up, 0},
    {"elementary functions within their bounds", " EX2 LG2 POW SIN COS EXP LOG LIT ",
     "precision not stated; the peer's depends on its C library", elementary, 0},
    {"reciprocal roots within 1 ulp", " RSQ DRSQ ", "precision not stated; the peer divides by a rounded root", rsq, 0},
    {"the floor of the exact logarithm", " LOG ", "LOG: floor(log2|x|), and x over that power of two", log_floor, 0},
    {"LIT's clamp keeps a NaN", " LIT ", "Functions: clamp(x,y,z) is (x < y) ? y : (x > z) ? z : x", lit_nan, 0},
    {"sums of products are fused", " MAD DP2 DP3 DP4 DMAD ",
     "MAD: \"free to decide whether there is an intermediate rounding step\"", fused, 0},
    {"LRP is the text's formula", " LRP ", "LRP: src0 * src1 + (1 - src0) * src2", lrp, 0},
    {"saturate keeps -0", NULL, "Functions: clamp(x,y,z)", saturated_minus_zero, 0},
    {"modifiers of 64-bit sources count", " DADD DMUL DMAD DMIN DMAX DDIV DSLT DSGE DSEQ DSNE ",
     "Source Modifiers names 32-bit ones only; decision on modifiers", wide_modifiers, 0},
};
const unsigned exception_count = sizeof exceptions / sizeof exceptions[0];
