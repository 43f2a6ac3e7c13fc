/* Floating immediates: nvdisasm's %.20g, and %.20e from 1e9 on, without the C library's locale. */
#include "maxwell/text/immediate.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { DIGITS = 20, HALF_BIAS = 15, DOUBLE_BIAS = 1023, HALF_FRACTION = 10, DOUBLE_FRACTION = 52 };

static const struct {
    uint64_t sign, infinity, quiet;
} layouts[] = {[SCH_MAXWELL_FLOAT_16] = {0x8000, 0x7c00, 0x200},
               [SCH_MAXWELL_FLOAT_32] = {0x80000000, 0x7f800000, 0x400000},
               [SCH_MAXWELL_FLOAT_64] = {(uint64_t)1 << 63, (uint64_t)0x7ff << 52, (uint64_t)1 << 51}};

/* A finite half as a double, which holds it. */
static uint64_t double_of_half(uint64_t half)
{
    const uint64_t sign = half >> 15 << 63;
    uint64_t fraction = half & 0x3ff;
    int exponent = (int)(half >> HALF_FRACTION & 0x1f);
    if (!exponent && !fraction) return sign;
    if (!exponent) {
        exponent = 1;
        for (; !(fraction >> HALF_FRACTION); fraction <<= 1) exponent--;
        fraction &= 0x3ff;
    }
    return sign | (uint64_t)(exponent - HALF_BIAS + DOUBLE_BIAS) << DOUBLE_FRACTION |
           fraction << (DOUBLE_FRACTION - HALF_FRACTION);
}

/* The half of a double; false: there is none of this value. */
static bool half_of_double(uint64_t bits, uint64_t *half)
{
    const uint64_t sign = bits >> 63 << 15;
    const int exponent = (int)(bits >> DOUBLE_FRACTION & 0x7ff) - DOUBLE_BIAS;
    uint64_t fraction = (bits & (((uint64_t)1 << DOUBLE_FRACTION) - 1)) | (uint64_t)1 << DOUBLE_FRACTION;
    *half = sign;
    if (!(bits << 1)) return true;
    if (exponent > HALF_BIAS || exponent < 1 - HALF_BIAS - HALF_FRACTION) return false;
    const bool normal = exponent > -HALF_BIAS;
    const int shift = DOUBLE_FRACTION - HALF_FRACTION + (normal ? 0 : 1 - HALF_BIAS - exponent);
    if (fraction & (((uint64_t)1 << shift) - 1)) return false;
    fraction >>= shift;
    *half |= normal ? (uint64_t)(exponent + HALF_BIAS) << HALF_FRACTION | (fraction & 0x3ff) : fraction;
    return true;
}

/* C's %.20g of a number that is neither zero nor 1e20 or more, by the 20 digits of its %.19e. */
static void print_general(uint64_t bits, enum sch_float_width width, char text[SCH_MAXWELL_IMMEDIATE])
{
    char scientific[SCH_NUMBER_BYTES], digits[DIGITS + 1];
    scientific[sch_number_write_scientific(bits, width, DIGITS - 1, scientific)] = 0;
    const char *sign = scientific[0] == '-' ? "-" : "", *at = scientific + strlen(sign);
    const char *letter = strchr(at, 'e');
    digits[0] = at[0];
    memcpy(digits + 1, at + 2, DIGITS - 1);
    int count = DIGITS, exponent = 0;
    for (const char *digit = letter + 2; *digit; digit++) exponent = exponent * 10 + (*digit - '0');
    if (letter[1] == '-') exponent = -exponent;
    while (count > 1 && digits[count - 1] == '0') count--;
    digits[count] = 0;
    if (exponent < -4)
        snprintf(text, SCH_MAXWELL_IMMEDIATE, "%s%c%s%s%s", sign, digits[0], count > 1 ? "." : "", digits + 1, letter);
    else if (exponent < 0)
        snprintf(text, SCH_MAXWELL_IMMEDIATE, "%s0.%.*s%s", sign, -1 - exponent, "000", digits);
    else if (count <= exponent + 1)
        snprintf(text, SCH_MAXWELL_IMMEDIATE, "%s%s%.*s", sign, digits, exponent + 1 - count, "000000000");
    else
        snprintf(text, SCH_MAXWELL_IMMEDIATE, "%s%.*s.%s", sign, exponent + 1, digits, digits + exponent + 1);
}

bool sch_maxwell_immediate_print(uint64_t bits, enum sch_maxwell_float width, char text[SCH_MAXWELL_IMMEDIATE])
{
    const uint64_t magnitude = bits & ~layouts[width].sign, infinity = layouts[width].infinity;
    const bool negative = bits & layouts[width].sign, is_nan = magnitude > infinity;
    if (magnitude >= infinity) {
        const bool signaling = width == SCH_MAXWELL_FLOAT_64 && is_nan && !(bits & layouts[width].quiet);
        snprintf(text, SCH_MAXWELL_IMMEDIATE, "%c%s ", negative ? '-' : '+',
                 signaling ? "SNAN"
                 : is_nan  ? "QNAN"
                           : "INF");
        return is_nan;
    }
    if (!magnitude) {
        snprintf(text, SCH_MAXWELL_IMMEDIATE, "%s", negative ? "-0.0 " : "0");
        return false;
    }
    const enum sch_float_width base = width == SCH_MAXWELL_FLOAT_32 ? SCH_FLOAT_32 : SCH_FLOAT_64;
    if (width == SCH_MAXWELL_FLOAT_16) bits = double_of_half(bits);
    const uint64_t billion = width == SCH_MAXWELL_FLOAT_32 ? 0x4e6e6b28 : UINT64_C(0x41cdcd6500000000);
    if (width == SCH_MAXWELL_FLOAT_16 || magnitude < billion)
        print_general(bits, base, text);
    else {
        char scientific[SCH_NUMBER_BYTES];
        const size_t length = sch_number_write_scientific(bits, base, DIGITS, scientific);
        snprintf(text, SCH_MAXWELL_IMMEDIATE, "%.*s", (int)length, scientific);
    }
    return false;
}

static const struct {
    const char *name;
    bool nan, quiet;
} words[] = {{"INF", false, false}, {"QNAN", true, true}, {"SNAN", true, false}};

static size_t read_word(const char *text, size_t bytes, enum sch_maxwell_float width, uint64_t *bits)
{
    const size_t sign = bytes && (*text == '+' || *text == '-');
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i].name);
        if (bytes - sign < length || memcmp(text + sign, words[i].name, length) != 0) continue;
        if (words[i].nan && !words[i].quiet && width != SCH_MAXWELL_FLOAT_64) continue;
        *bits = layouts[width].infinity | (sign && *text == '-' ? layouts[width].sign : 0);
        if (words[i].nan) *bits |= words[i].quiet ? layouts[width].quiet : layouts[width].quiet >> 1;
        return sign + length;
    }
    return 0;
}

/* Whether a number became infinite, or 0 though a digit before its exponent is not. */
static bool is_lost(const char *text, size_t bytes, uint64_t magnitude, uint64_t infinity)
{
    for (size_t i = 0; magnitude == 0 && i < bytes && (text[i] | 0x20) != 'e'; i++)
        if ('1' <= text[i] && text[i] <= '9') return true;
    return magnitude == infinity;
}

size_t sch_maxwell_immediate_read(const char *text, size_t bytes, enum sch_maxwell_float width, uint64_t *bits,
                                  bool *exact)
{
    *exact = true;
    size_t used = read_word(text, bytes, width, bits);
    if (used) return used;
    used = sch_number_scan_decimal(text, bytes);
    if (used && text[used - 1] == '.') used--; /* it begins a suffix */
    if (!used) return 0;
    *bits = sch_number_read_decimal(text, used, width == SCH_MAXWELL_FLOAT_32 ? SCH_FLOAT_32 : SCH_FLOAT_64);
    if (width == SCH_MAXWELL_FLOAT_16)
        *exact = half_of_double(*bits, bits);
    else
        *exact = !is_lost(text, used, *bits & ~layouts[width].sign, layouts[width].infinity);
    return used;
}
