/* See maxwell_scalar.h: floats and doubles. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "maxwell_scalar.h"
#include "maxwell_scalar_big.h"

/* ---- operands and results ---- */

static enum rounding rounding_of(const struct scalar *s)
{
    return scalar_has(s, "RM")   ? ROUND_DOWN
           : scalar_has(s, "RP") ? ROUND_UP
           : scalar_has(s, "RZ") ? ROUND_ZERO
                                 : ROUND_NEAREST;
}

static bool flushes(const struct scalar *s) { return scalar_has(s, "FTZ") || scalar_has(s, "FMZ"); }

static uint64_t flush(const struct format *format, uint64_t bits)
{
    return format_is_subnormal(format, bits) ? bits & format_sign(format) : bits;
}

/* An operand with its bars and sign, which act on the bits, before flushing. */
static uint64_t signed_bits(const struct scalar *s, unsigned operand, const struct format *format)
{
    const struct scalar_operand *is = &s->word->operands[operand];
    uint64_t bits = is->kind == SCALAR_IMMEDIATE ? scalar_float_bits(s, format == &format64)
                    : format == &format64        ? scalar_get64(s, operand)
                                                 : scalar_get(s, operand);
    if (is->bars) bits &= ~format_sign(format);
    if (is->minus) bits ^= format_sign(format);
    return bits;
}

static uint64_t operand_bits(const struct scalar *s, unsigned operand, const struct format *format)
{
    const uint64_t bits = signed_bits(s, operand, format);
    return flushes(s) ? flush(format, bits) : bits;
}

static void put_bits(struct scalar *s, unsigned operand, const struct format *format, uint64_t bits)
{
    if (format == &format64)
        scalar_put64(s, operand, bits);
    else
        scalar_put(s, operand, (uint32_t)bits);
}

static void float_flags(struct scalar *s, const struct format *format, uint64_t bits)
{
    const bool nan = format_is_nan(format, bits), zero = format_is_zero(format, bits);
    scalar_flags(s, zero || nan, nan || (!zero && (bits & format_sign(format))), false, false);
}

static uint64_t saturate(const struct format *format, uint64_t bits)
{
    const uint64_t one = (uint64_t)format->bias << (format->precision - 1);
    if (format_is_nan(format, bits) || bits & format_sign(format)) return 0;
    return bits > one ? one : bits;
}

/* Flushes, saturates and writes a result. */
static void finish(struct scalar *s, const struct format *format, uint64_t bits)
{
    if (flushes(s)) bits = flush(format, bits);
    if (scalar_has(s, "SAT")) bits = saturate(format, bits);
    put_bits(s, 0, format, bits);
    float_flags(s, format, bits);
}

/* ---- sums and products ---- */

/* What an exact sum of zero is: minus where both terms are, or where it is rounded down and they differ. */
static uint64_t zero_sum(const struct format *format, bool a_minus, bool b_minus, enum rounding rounding)
{
    const bool minus = a_minus == b_minus ? a_minus : rounding == ROUND_DOWN;
    return minus ? format_sign(format) : 0;
}

static uint64_t sum(const struct format *format, uint64_t a, uint64_t b, enum rounding rounding)
{
    const bool a_infinite = format_is_infinite(format, a), b_infinite = format_is_infinite(format, b);
    if (format_is_nan(format, a) || format_is_nan(format, b) || (a_infinite && b_infinite && a != b))
        return format_nan(format);
    if (a_infinite || b_infinite) return a_infinite ? a : b;
    struct big left, right;
    big_of(&left, format, a);
    big_of(&right, format, b);
    const bool minus = left.minus;
    big_add(&left, &right);
    return big_is_zero(&left) ? zero_sum(format, minus, right.minus, rounding) : big_round(&left, format, rounding);
}

/* a b 2^power + c; without c NULL. `zeros`: 0 times anything is +0. */
static uint64_t multiply_add(const struct format *format, uint64_t a, uint64_t b, const uint64_t *c, int power,
                             bool zeros, enum rounding rounding)
{
    const uint64_t sign = (a ^ b) & format_sign(format);
    const bool a_zero = format_is_zero(format, a), b_zero = format_is_zero(format, b);
    const bool infinite = format_is_infinite(format, a) || format_is_infinite(format, b);
    struct big left, right;
    uint64_t special = 0;
    bool is_special = true;
    if (zeros && (a_zero || b_zero))
        special = 0;
    else if (format_is_nan(format, a) || format_is_nan(format, b) || (infinite && (a_zero || b_zero)))
        special = format_nan(format);
    else if (infinite)
        special = sign | format_infinity(format);
    else
        is_special = false;
    if (is_special) return c ? sum(format, special, *c, rounding) : special;
    big_multiply(&left, format, a, b);
    if (power) big_scale(&left, power);
    if (!c) return big_is_zero(&left) ? sign : big_round(&left, format, rounding);
    if (format_is_nan(format, *c)) return format_nan(format);
    if (format_is_infinite(format, *c)) return *c;
    big_of(&right, format, *c);
    const bool minus = left.minus;
    big_add(&left, &right);
    return big_is_zero(&left) ? zero_sum(format, minus, right.minus, rounding) : big_round(&left, format, rounding);
}

static void add_of(struct scalar *s, const struct format *format)
{
    finish(s, format, sum(format, operand_bits(s, 1, format), operand_bits(s, 2, format), rounding_of(s)));
}

static void multiply_of(struct scalar *s, const struct format *format)
{
    static const char *const scales[] = {"D2", "D4", "D8", "M8", "M4", "M2"};
    static const int powers[] = {-1, -2, -3, 3, 2, 1};
    const int scale = scalar_which(s, scales, 6);
    finish(s, format,
           multiply_add(format, operand_bits(s, 1, format), operand_bits(s, 2, format), NULL,
                        scale < 0 ? 0 : powers[scale], scalar_has(s, "FMZ"), rounding_of(s)));
}

static void fused_of(struct scalar *s, const struct format *format)
{
    const uint64_t c = operand_bits(s, 3, format);
    finish(s, format,
           multiply_add(format, operand_bits(s, 1, format), operand_bits(s, 2, format), &c, 0, scalar_has(s, "FMZ"),
                        rounding_of(s)));
}

static void float_add(struct scalar *s) { add_of(s, &format32); }
static void float_multiply(struct scalar *s) { multiply_of(s, &format32); }
static void float_fused(struct scalar *s) { fused_of(s, &format32); }
static void double_add(struct scalar *s) { add_of(s, &format64); }
static void double_multiply(struct scalar *s) { multiply_of(s, &format64); }
static void double_fused(struct scalar *s) { fused_of(s, &format64); }

/* The text has the pair of signs of lane 3 of a quad first. */
static void fswzadd(struct scalar *s)
{
    const char *pair = s->word->operands[3].name + 2 * (3 - s->number % 4);
    uint64_t a = operand_bits(s, 1, &format32), b = operand_bits(s, 2, &format32);
    if (*pair == 'N') a ^= format_sign(&format32);
    if (pair[1] == 'N') b ^= format_sign(&format32);
    if (*pair == 'Z') {
        if (format_is_zero(&format32, b) || format_is_nan(&format32, b)) s->unknown = true;
        finish(s, &format32, b);
        return;
    }
    finish(s, &format32, sum(&format32, a, b, rounding_of(s)));
}

/* ---- comparisons ---- */

/* -1, 0 or 1; 2: one is a NaN. */
static int order(const struct format *format, uint64_t a, uint64_t b)
{
    if (format_is_nan(format, a) || format_is_nan(format, b)) return 2;
    if (format_is_zero(format, a) && format_is_zero(format, b)) return 0;
    const uint64_t sign = format_sign(format);
    if ((a ^ b) & sign) return a & sign ? -1 : 1;
    if (a == b) return 0;
    return (a < b) != ((a & sign) != 0) ? -1 : 1;
}

static bool float_test(const struct scalar *s, const char *fallback, int how)
{
    static const char *const tests[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                        "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"};
    const int found = scalar_which(s, tests, 16);
    const char *test = found < 0 ? fallback : tests[found];
    const bool nan = how == 2;
    if (strcmp(test, "NUM") == 0) return !nan;
    if (strcmp(test, "NAN") == 0) return nan;
    if (strcmp(test, "T") == 0) return true;
    if (nan) return test[strlen(test) - 1] == 'U';
    switch (*test) {
    case 'L':
        return test[1] == 'T' ? how < 0 : how <= 0;
    case 'G':
        return test[1] == 'T' ? how > 0 : how >= 0;
    case 'E':
        return how == 0;
    case 'N':
        return how != 0;
    }
    return false;
}

static void set_of(struct scalar *s, const struct format *format)
{
    const int how = order(format, operand_bits(s, 1, format), operand_bits(s, 2, format));
    const bool holds = scalar_combine(s, float_test(s, "F", how), scalar_get_predicate(s, 3));
    const uint32_t result = !holds ? 0 : scalar_has(s, "BF") ? 0x3f800000 : UINT32_MAX;
    scalar_put(s, 0, result);
    scalar_logic_flags(s, result);
}

static void setp_of(struct scalar *s, const struct format *format)
{
    const int how = order(format, operand_bits(s, 2, format), operand_bits(s, 3, format));
    const bool holds = float_test(s, "F", how), other = scalar_get_predicate(s, 4);
    if (s->word->operands[0].number == s->word->operands[1].number) s->unknown = true;
    scalar_put_predicate(s, 0, scalar_combine(s, holds, other));
    scalar_put_predicate(s, 1, scalar_combine(s, !holds, other));
}

static void fset(struct scalar *s) { set_of(s, &format32); }
static void fsetp(struct scalar *s) { setp_of(s, &format32); }
static void dset(struct scalar *s) { set_of(s, &format64); }
static void dsetp(struct scalar *s) { setp_of(s, &format64); }

/* The text of the test GT is nothing. */
static void fcmp(struct scalar *s)
{
    const int how = order(&format32, operand_bits(s, 3, &format32), 0);
    const unsigned chosen = float_test(s, "GT", how) ? 1 : 2;
    const uint32_t bits = (uint32_t)signed_bits(s, chosen, &format32);
    if (flushes(s) && format_is_subnormal(&format32, bits)) s->unknown = true;
    scalar_put(s, 0, bits);
}

static void minmax_of(struct scalar *s, const struct format *format)
{
    const uint64_t a = operand_bits(s, 1, format), b = operand_bits(s, 2, format);
    const bool least = scalar_get_predicate(s, 3);
    uint64_t result;
    if (format_is_nan(format, a) || format_is_nan(format, b)) {
        result = !format_is_nan(format, a) ? a : !format_is_nan(format, b) ? b : format_nan(format);
    } else {
        int how = order(format, a, b);
        if (how == 0 && a != b) how = a & format_sign(format) ? -1 : 1; /* zeros */
        result = (how < 0) == least ? a : b;
        if (how == 0) result = a;
    }
    put_bits(s, 0, format, result);
    float_flags(s, format, result);
}

static void fmnmx(struct scalar *s) { minmax_of(s, &format32); }
static void dmnmx(struct scalar *s) { minmax_of(s, &format64); }

/* As docs/semantics.md decides: which quotients need the slow path. */
static void fchk(struct scalar *s)
{
    const uint64_t a = signed_bits(s, 1, &format32), b = signed_bits(s, 2, &format32);
    const int ea = format_exponent(&format32, a), eb = format_exponent(&format32, b), apart = ea - eb;
    const bool slow =
        ea == 0 || ea == 255 || eb == 0 || eb == 255 || eb < 2 || eb > 252 || apart <= -125 || apart >= 126 || ea < 25;
    scalar_put_predicate(s, 0, slow);
}

/* ---- functions ---- */

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A number of more bits, rounded to a float; false: it is so near to the middle between two that its error could
 * decide. */
static bool round_float(long double value, uint32_t *bits)
{
    const float near = (float)value;
    const long double at = (long double)near;
    const long double other = (long double)nextafterf(near, value < at ? -INFINITY : INFINITY);
    const long double middle = (at + other) / 2;
    memcpy(bits, &near, sizeof *bits);
    if (value == at || isinf(near)) return true;
    return fabsl(value - middle) > fabsl(value) * 0x1p-58L;
}

static void mufu(struct scalar *s)
{
    static const char *const names[] = {"COS", "SIN", "EX2", "LG2", "RCP", "RSQ"};
    const int which = scalar_which(s, names, 6);
    const uint32_t bits = (uint32_t)flush(&format32, signed_bits(s, 1, &format32));
    const bool minus = bits >> 31, zero = format_is_zero(&format32, bits),
               infinite = format_is_infinite(&format32, bits);
    const uint32_t infinity = 0x7f800000, nan = 0x7fffffff, one = 0x3f800000;
    const long double x = (long double)float_of(bits);
    uint32_t result = nan;
    bool sure = true;
    if (which < 0) { /* words of doubles: what is below them is not published */
        s->unknown = true;
        return;
    }
    if (!format_is_nan(&format32, bits)) switch (which) {
        case 0:
            if (!infinite) sure = round_float(cosl(x), &result);
            break;
        case 1:
            if (zero)
                result = bits;
            else if (!infinite)
                sure = round_float(sinl(x), &result);
            break;
        case 2:
            if (infinite)
                result = minus ? 0 : infinity;
            else if (zero)
                result = one;
            else
                sure = round_float(exp2l(x), &result);
            break;
        case 3:
            if (zero)
                result = infinity | 0x80000000;
            else if (!minus && infinite)
                result = infinity;
            else if (!minus)
                sure = round_float(log2l(x), &result);
            break;
        case 4:
            if (zero || infinite)
                result = (bits & 0x80000000) | (zero ? infinity : 0);
            else
                sure = round_float(1 / x, &result);
            break;
        case 5:
            if (zero)
                result = bits | infinity;
            else if (infinite && !minus)
                result = 0;
            else if (!minus)
                sure = round_float(1 / sqrtl(x), &result);
            break;
        }
    if (!sure) s->unknown = true;
    result = (uint32_t)flush(&format32, result);
    if (scalar_has(s, "SAT")) result = (uint32_t)saturate(&format32, result);
    scalar_put(s, 0, result);
}

static void rro(struct scalar *s) { scalar_put(s, 0, (uint32_t)signed_bits(s, 1, &format32)); }

const struct scalar_row scalar_float_rows[] = {{"FADD", float_add},
                                               {"FADD32I", float_add},
                                               {"FMUL", float_multiply},
                                               {"FMUL32I", float_multiply},
                                               {"FFMA", float_fused},
                                               {"FFMA32I", float_fused},
                                               {"DADD", double_add},
                                               {"DMUL", double_multiply},
                                               {"DFMA", double_fused},
                                               {"FSET", fset},
                                               {"FSETP", fsetp},
                                               {"DSET", dset},
                                               {"DSETP", dsetp},
                                               {"FCMP", fcmp},
                                               {"FMNMX", fmnmx},
                                               {"DMNMX", dmnmx},
                                               {"FCHK", fchk},
                                               {"MUFU", mufu},
                                               {"RRO", rro},
                                               {"FSWZADD", fswzadd},
                                               {NULL, NULL}};
