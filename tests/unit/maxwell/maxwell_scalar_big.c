/* See maxwell_scalar_big.h. */
#include "maxwell_scalar_big.h"

#include <string.h>

const struct format format16 = {16, 11, 15}, format32 = {32, 24, 127}, format64 = {64, 53, 1023};

/* ---- formats ---- */

uint64_t format_sign(const struct format *format) { return UINT64_C(1) << (format->bits - 1); }

static uint64_t fraction_mask(const struct format *format) { return (UINT64_C(1) << (format->precision - 1)) - 1; }

uint64_t format_infinity(const struct format *format) { return (format_sign(format) - 1) & ~fraction_mask(format); }

uint64_t format_nan(const struct format *format)
{
    return format->bits == 64 ? UINT64_C(0xfff8000000000000) : format_sign(format) - 1;
}

int format_exponent(const struct format *format, uint64_t bits)
{
    return (int)((bits & (format_sign(format) - 1)) >> (format->precision - 1));
}

bool format_is_infinite(const struct format *format, uint64_t bits)
{
    return (bits & (format_sign(format) - 1)) == format_infinity(format);
}

bool format_is_nan(const struct format *format, uint64_t bits)
{
    return (bits & (format_sign(format) - 1)) > format_infinity(format);
}

bool format_is_zero(const struct format *format, uint64_t bits) { return !(bits & (format_sign(format) - 1)); }

bool format_is_subnormal(const struct format *format, uint64_t bits)
{
    return !format_exponent(format, bits) && !format_is_zero(format, bits);
}

/* ---- words ---- */

static bool bit(const struct big *big, int at)
{
    return at >= 0 && at < BIG_WORDS * 32 && (big->words[at / 32] >> at % 32 & 1);
}

static void put_bits(struct big *big, unsigned __int128 value, int at)
{
    memset(big->words, 0, sizeof big->words);
    for (int i = 0; i < 128; i++)
        if (value >> i & 1) big->words[(at + i) / 32] |= 1u << (at + i) % 32;
}

static int highest(const struct big *big)
{
    int at = BIG_WORDS * 32 - 1;
    while (at >= 0 && !big->words[at / 32]) at -= 32;
    while (at >= 0 && !bit(big, at)) at--;
    return at;
}

/* Whether a bit below `at` is set. */
static bool any_below(const struct big *big, int at)
{
    if (at <= 0) return false;
    for (int i = 0; i < at / 32; i++)
        if (big->words[i]) return true;
    return big->words[at / 32] & ((1u << at % 32) - 1);
}

static int compare_size(const struct big *a, const struct big *b)
{
    for (int i = BIG_WORDS - 1; i >= 0; i--)
        if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

/* Adds 1 at a bit. */
static void increment(struct big *big, int at)
{
    uint64_t carry = UINT64_C(1) << at % 32;
    for (int i = at / 32; i < BIG_WORDS && carry; i++) {
        carry += big->words[i];
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void clear_below(struct big *big, int at)
{
    for (int i = 0; i < at / 32; i++) big->words[i] = 0;
    if (at > 0) big->words[at / 32] &= ~((1u << at % 32) - 1);
}

/* ---- numbers ---- */

static uint64_t mantissa(const struct format *format, uint64_t bits)
{
    const uint64_t hidden = format_exponent(format, bits) ? fraction_mask(format) + 1 : 0;
    return (bits & fraction_mask(format)) | hidden;
}

/* The power of 2 that the lowest bit of the mantissa counts. */
static int low_power(const struct format *format, uint64_t bits)
{
    const int exponent = format_exponent(format, bits);
    return (exponent ? exponent : 1) - format->bias - (int)format->precision + 1;
}

void big_of(struct big *big, const struct format *format, uint64_t bits)
{
    put_bits(big, mantissa(format, bits), BIG_POINT + low_power(format, bits));
    big->minus = bits & format_sign(format);
}

void big_of_integer(struct big *big, __int128 value)
{
    put_bits(big, (unsigned __int128)(value < 0 ? -value : value), BIG_POINT);
    big->minus = value < 0;
}

void big_multiply(struct big *big, const struct format *format, uint64_t a, uint64_t b)
{
    put_bits(big, (unsigned __int128)mantissa(format, a) * mantissa(format, b),
             BIG_POINT + low_power(format, a) + low_power(format, b));
    big->minus = (a ^ b) & format_sign(format);
}

void big_scale(struct big *big, int power)
{
    struct big scaled = {.minus = big->minus};
    for (int at = 0; at < BIG_WORDS * 32; at++)
        if (bit(big, at)) scaled.words[(at + power) / 32] |= 1u << (at + power) % 32;
    *big = scaled;
}

bool big_is_zero(const struct big *big) { return highest(big) < 0; }

void big_add(struct big *sum, const struct big *other)
{
    const bool same = sum->minus == other->minus, less = compare_size(sum, other) < 0;
    const struct big *large = less ? other : sum, *small = less ? sum : other;
    struct big made = {.minus = large->minus};
    int64_t carry = 0;
    for (int i = 0; i < BIG_WORDS; i++) {
        carry += (int64_t)large->words[i] + (same ? (int64_t)small->words[i] : -(int64_t)small->words[i]);
        made.words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    *sum = made;
}

int big_compare(const struct big *a, const struct big *b)
{
    if (big_is_zero(a) && big_is_zero(b)) return 0;
    if (a->minus != b->minus) return a->minus ? -1 : 1;
    return a->minus ? -compare_size(a, b) : compare_size(a, b);
}

/* Rounds to a multiple of bit `at`. */
static void round_at(struct big *big, int at, enum rounding rounding)
{
    if (at <= 0) return;
    const bool half = bit(big, at - 1), rest = any_below(big, at - 1), odd = bit(big, at);
    bool up = false;
    switch (rounding) {
    case ROUND_NEAREST:
        up = half && (rest || odd);
        break;
    case ROUND_DOWN:
        up = big->minus && (half || rest);
        break;
    case ROUND_UP:
        up = !big->minus && (half || rest);
        break;
    case ROUND_ZERO:
        break;
    }
    clear_below(big, at);
    if (up) increment(big, at);
}

uint64_t big_round(const struct big *big, const struct format *format, enum rounding rounding)
{
    const uint64_t sign = big->minus ? format_sign(format) : 0;
    const int least = BIG_POINT + 1 - format->bias - (int)format->precision + 1; /* what a subnormal number counts */
    struct big rounded = *big;
    int top = highest(big);
    if (top < 0) return sign;
    int low = top - (int)format->precision + 1;
    if (low < least) low = least;
    round_at(&rounded, low, rounding);
    top = highest(&rounded);
    if (top < 0) return sign;
    if (top - BIG_POINT > format->bias) {
        const bool to_infinity = rounding == ROUND_NEAREST || rounding == (big->minus ? ROUND_DOWN : ROUND_UP);
        return sign | (format_infinity(format) - !to_infinity);
    }
    low = top - (int)format->precision + 1;
    const bool normal = low >= least;
    if (!normal) low = least;
    uint64_t fraction = 0;
    for (unsigned i = 0; i < format->precision; i++) fraction |= (uint64_t)bit(&rounded, low + (int)i) << i;
    const uint64_t exponent = normal ? (uint64_t)(top - BIG_POINT + format->bias) : 0;
    return sign | exponent << (format->precision - 1) | (fraction & fraction_mask(format));
}

void big_round_whole(struct big *big, enum rounding rounding) { round_at(big, BIG_POINT, rounding); }

__int128 big_to_integer(const struct big *big, enum rounding rounding, __int128 low, __int128 high)
{
    struct big rounded = *big, bound;
    __int128 value = 0;
    big_round_whole(&rounded, rounding);
    big_of_integer(&bound, high);
    if (big_compare(&rounded, &bound) > 0) return high;
    big_of_integer(&bound, low);
    if (big_compare(&rounded, &bound) < 0) return low;
    for (int i = 0; i < 100; i++) value |= (__int128)bit(&rounded, BIG_POINT + i) << i;
    return rounded.minus ? -value : value;
}
