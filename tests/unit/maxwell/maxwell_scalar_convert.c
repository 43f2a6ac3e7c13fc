/* See maxwell_scalar.h: conversions. */
#include <string.h>

#include "maxwell_scalar.h"
#include "maxwell_scalar_big.h"

static const struct format *format_of(const char *name)
{
    return strcmp(name, "F16") == 0 ? &format16 : strcmp(name, "F32") == 0 ? &format32 : &format64;
}

/* The float types that the text names, in their order. */
static const struct format *float_type(const struct scalar *s, unsigned number)
{
    for (unsigned i = 0; i < s->word->modifier_count; i++)
        if (*s->word->modifiers[i] == 'F' && s->word->modifiers[i][1] >= '0' && s->word->modifiers[i][1] <= '9' &&
            number-- == 0)
            return format_of(s->word->modifiers[i]);
    return NULL;
}

struct integer_type {
    bool is_signed;
    unsigned bits;
};

static bool integer_type(const struct scalar *s, unsigned number, struct integer_type *type)
{
    static const char *const names[] = {"U8", "S8", "U16", "S16", "U32", "S32", "U64", "S64"};
    for (unsigned i = 0; i < s->word->modifier_count; i++)
        for (unsigned n = 0; n < 8; n++)
            if (strcmp(s->word->modifiers[i], names[n]) == 0 && number-- == 0) {
                *type = (struct integer_type){n & 1, 8u << n / 2};
                return true;
            }
    return false;
}

static enum rounding rounding_of(const struct scalar *s)
{
    if (scalar_has(s, "RM") || scalar_has(s, "FLOOR")) return ROUND_DOWN;
    if (scalar_has(s, "RP") || scalar_has(s, "CEIL")) return ROUND_UP;
    if (scalar_has(s, "RZ") || scalar_has(s, "TRUNC")) return ROUND_ZERO;
    return ROUND_NEAREST;
}

/* ---- floats ---- */

static uint64_t float_source(struct scalar *s, unsigned operand, const struct format *format)
{
    const struct scalar_operand *is = &s->word->operands[operand];
    const bool immediate = is->kind == SCALAR_IMMEDIATE;
    uint64_t bits;
    if (format == &format64)
        bits = immediate ? scalar_float_bits(s, true) : scalar_get64(s, operand);
    else if (format == &format32)
        bits = immediate ? scalar_float_bits(s, false) : scalar_get(s, operand);
    else {
        bits = immediate ? s->word->word >> 20 & 0xffff : scalar_get(s, operand);
        if (strcmp(is->part, "H1") == 0) bits >>= 16;
        bits &= 0xffff;
        if (immediate && *is->part) s->unknown = true; /* the upper half of a half */
    }
    if (format != &format16 && *is->part) s->unknown = true;
    if (is->bars) bits &= ~format_sign(format);
    if (is->minus) bits ^= format_sign(format);
    if (scalar_has(s, "FTZ") && format_is_subnormal(format, bits)) {
        if (format != &format32) s->unknown = true; /* flushing is said of floats of 32 bits */
        bits &= format_sign(format);
    }
    return bits;
}

static void put_float(struct scalar *s, const struct format *format, uint64_t bits)
{
    const uint64_t one = (uint64_t)format->bias << (format->precision - 1);
    if (scalar_has(s, "FTZ") && format_is_subnormal(format, bits)) {
        if (format != &format32) s->unknown = true;
        bits &= format_sign(format);
    }
    if (scalar_has(s, "SAT")) {
        if (format_is_nan(format, bits) || bits & format_sign(format)) bits = 0;
        if (bits > one) bits = one;
    }
    if (format == &format64)
        scalar_put64(s, 0, bits);
    else
        scalar_put(s, 0, (uint32_t)bits);
    const bool nan = format_is_nan(format, bits), zero = format_is_zero(format, bits);
    scalar_flags(s, zero || nan, nan || (!zero && (bits & format_sign(format))), false, false);
}

static void f2f(struct scalar *s)
{
    const struct format *to = float_type(s, 0), *from = float_type(s, 1);
    struct big big;
    const bool whole =
        scalar_has(s, "ROUND") || scalar_has(s, "FLOOR") || scalar_has(s, "CEIL") || scalar_has(s, "TRUNC");
    const uint64_t bits = float_source(s, 1, from), sign = bits & format_sign(from) ? format_sign(to) : 0;
    if (format_is_nan(from, bits)) {
        if (to == from && !whole) s->unknown = true; /* perhaps a copy */
        put_float(s, to, format_nan(to));
        return;
    }
    if (format_is_infinite(from, bits)) {
        put_float(s, to, sign | format_infinity(to));
        return;
    }
    big_of(&big, from, bits);
    if (whole) big_round_whole(&big, rounding_of(s));
    put_float(s, to, big_is_zero(&big) ? sign : big_round(&big, to, rounding_of(s)));
}

/* ---- floats to integers ---- */

static void put_integer(struct scalar *s, const struct integer_type *type, __int128 value)
{
    const uint64_t bits = (uint64_t)value;
    if (type->bits == 64) {
        scalar_put64(s, 0, bits);
        scalar_flags(s, !bits, bits >> 63, false, false);
        s->flags_unknown |= 15;
        return;
    }
    scalar_put(s, 0, (uint32_t)bits);
    scalar_logic_flags(s, (uint32_t)bits);
}

static void f2i(struct scalar *s)
{
    struct integer_type to;
    struct big big;
    const struct format *from = float_type(s, 0);
    integer_type(s, 0, &to);
    const uint64_t bits = float_source(s, 1, from);
    const __int128 one = 1, high = (one << (to.bits - to.is_signed)) - 1, low = to.is_signed ? -high - 1 : 0;
    if (format_is_nan(from, bits)) {
        if ((from == &format64 && to.bits < 32) || (from != &format64 && to.bits == 64)) s->unknown = true;
        put_integer(s, &to, from != &format64 ? 0 : one << (to.bits - 1));
    } else if (format_is_infinite(from, bits)) {
        put_integer(s, &to, bits & format_sign(from) ? low : high);
    } else {
        big_of(&big, from, bits);
        put_integer(s, &to, big_to_integer(&big, rounding_of(s), low, high));
    }
}

/* ---- integers ---- */

/* The part of a source that the operand names, as its type says, with bars and sign. */
static __int128 integer_source(struct scalar *s, const struct integer_type *type)
{
    const struct scalar_operand *is = &s->word->operands[1];
    uint64_t bits = type->bits == 64 ? scalar_get64(s, 1) : scalar_get(s, 1);
    if (type->bits == 8 && *is->part == 'B') bits >>= 8 * (is->part[1] - '0');
    if (type->bits == 16 && strcmp(is->part, "H1") == 0) bits >>= 16;
    if (type->bits >= 32 && *is->part) s->unknown = true;
    const uint64_t mask = type->bits == 64 ? UINT64_MAX : (UINT64_C(1) << type->bits) - 1;
    bits &= mask;
    __int128 value = bits;
    if (type->is_signed && bits >> (type->bits - 1)) value -= (__int128)1 << type->bits;
    if (is->bars && value < 0) value = -value;
    return is->minus ? -value : value;
}

static void i2f(struct scalar *s)
{
    struct integer_type from;
    struct big big;
    const struct format *to = float_type(s, 0);
    integer_type(s, 0, &from);
    const __int128 value = integer_source(s, &from);
    big_of_integer(&big, value);
    put_float(s, to, value ? big_round(&big, to, rounding_of(s)) : 0);
}

static void i2i(struct scalar *s)
{
    struct integer_type to, from;
    const __int128 one = 1;
    integer_type(s, 0, &to);
    integer_type(s, 1, &from);
    __int128 value = integer_source(s, &from);
    const __int128 high = (one << (to.bits - to.is_signed)) - 1, low = to.is_signed ? -high - 1 : 0;
    if (scalar_has(s, "SAT")) {
        value = value < low ? low : value > high ? high : value;
    } else {
        value &= (one << to.bits) - 1;
        if (value > high) value -= one << to.bits;
    }
    scalar_put(s, 0, (uint32_t)value);
    scalar_logic_flags(s, (uint32_t)value);
}

const struct scalar_row scalar_convert_rows[] = {{"F2F", f2f}, {"F2I", f2i}, {"I2F", i2f}, {"I2I", i2i}, {NULL, NULL}};
