/* Exact conversion between decimal text and binary floats. Reading: up to 19 digits and exponents up to 27 by one
 * 128-bit product or quotient; anything else by shifting a decimal digit string until its integer part is the mantissa.
 * Writing: one 128-bit product. No floating-point arithmetic at all. */
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 u128;

struct format {
    int mantissa_bits; /* without the hidden one */
    int bias;
    int exponent_max; /* the all-ones field */
};

static const struct format formats[] = {[SCH_FLOAT_32] = {23, 127, 255}, [SCH_FLOAT_64] = {52, 1023, 2047}};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int bit_length(u128 value)
{
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    if (high) return 128 - __builtin_clzll(high);
    return low ? 64 - __builtin_clzll(low) : 0;
}

static uint64_t infinity(const struct format *f) { return (uint64_t)f->exponent_max << f->mantissa_bits; }

/* mantissa * 2^exponent, plus something less than one unit when `sticky`, rounded to nearest even; mantissa < 2^127. */
static uint64_t round_binary(const struct format *f, u128 mantissa, int64_t exponent, bool sticky)
{
    int length = bit_length(mantissa);
    if (!length) return 0;
    int64_t leading = exponent + length - 1, smallest = 1 - f->bias;
    if (leading > f->bias) return infinity(f);
    if (leading < smallest - f->mantissa_bits - 1) return 0;

    int64_t normal = leading < smallest ? smallest : leading;
    int64_t drop = normal - f->mantissa_bits - exponent; /* bits below the last one kept */
    uint64_t kept;
    if (drop <= 0) {
        kept = (uint64_t)(mantissa << -drop);
    } else {
        u128 half = (u128)1 << (drop - 1), rest = mantissa & (((u128)1 << drop) - 1);
        kept = (uint64_t)(mantissa >> drop);
        if (rest > half || (rest == half && (sticky || (kept & 1)))) kept++;
    }
    /* The hidden bit adds one to the exponent field; a carry out of the mantissa does so again, up to infinity. */
    return ((uint64_t)(normal + f->bias - 1) << f->mantissa_bits) + kept;
}

/* 0.d1 d2 d3 ... * 10^point. More digits than the array holds are noted only: no double lies so near to a rounding
 * boundary that more than 768 digits and the knowledge that others follow could not decide the side. */
enum { DIGITS = 800 };

struct decimal {
    int count;
    int64_t point;
    bool more; /* nonzero digits follow */
    uint8_t digit[DIGITS];
};

static void trim(struct decimal *d)
{
    while (d->count > 0 && d->digit[d->count - 1] == 0) d->count--;
    if (!d->count) d->point = 0;
}

/* Divides by 2^bits, bits <= 56. */
static void shift_right(struct decimal *d, unsigned bits)
{
    int read = 0, write = 0;
    uint64_t n = 0;
    while (n >> bits == 0) {
        if (read >= d->count) {
            if (!n) {
                d->count = 0;
                return;
            }
            while (n >> bits == 0) {
                n *= 10;
                read++;
            }
            break;
        }
        n = n * 10 + d->digit[read++];
    }
    d->point -= read - 1;

    uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (; read < d->count; read++) {
        d->digit[write++] = (uint8_t)(n >> bits);
        n = (n & mask) * 10 + d->digit[read];
    }
    for (; n > 0 && write < DIGITS; n = (n & mask) * 10) d->digit[write++] = (uint8_t)(n >> bits);
    if (n) d->more = true;
    d->count = write;
    trim(d);
}

/* Multiplies by 2^bits, bits <= 56. */
static void shift_left(struct decimal *d, unsigned bits)
{
    uint8_t product[DIGITS + 20]; /* last digit first */
    int length = 0;
    uint64_t n = 0;
    for (int i = d->count - 1; i >= 0; i--) {
        n += (uint64_t)d->digit[i] << bits;
        product[length++] = (uint8_t)(n % 10);
        n /= 10;
    }
    for (; n; n /= 10) product[length++] = (uint8_t)(n % 10);

    d->point += length - d->count;
    d->count = length < DIGITS ? length : DIGITS;
    for (int i = 0; i < d->count; i++) d->digit[i] = product[length - 1 - i];
    for (int i = d->count; i < length; i++)
        if (product[length - 1 - i]) d->more = true;
    trim(d);
}

/* The integer part, rounded to nearest even; it has at most 54 bits here. The zeros at its end, which do not count any
 * more, still come after the digits. */
static uint64_t rounded_integer(const struct decimal *d)
{
    uint64_t n = 0;
    for (int64_t i = 0; i < d->point; i++) n = n * 10 + d->digit[i];
    if (d->point < 0 || d->point >= d->count) return n;
    uint8_t next = d->digit[d->point];
    if (next == 5 && d->point + 1 == d->count && !d->more) return n + (n & 1);
    return next >= 5 ? n + 1 : n;
}

static void shift_far(struct decimal *d, void (*shift)(struct decimal *, unsigned), unsigned bits)
{
    enum { MOST = 56 };
    for (; bits > MOST; bits -= MOST) shift(d, MOST);
    shift(d, bits);
}

/* How many bits a shift may have so that a value of `digits` decimal digits stays clear of the other side of 1. */
static unsigned step(int64_t digits)
{
    static const uint8_t bits[] = {1, 3, 6, 9, 13, 16, 19, 23, 26};
    return digits < (int64_t)sizeof bits ? bits[digits] : 27;
}

static uint64_t read_slowly(const struct format *f, struct decimal *d)
{
    if (!d->count || d->point < -400) return 0;
    if (d->point > 400) return infinity(f);

    int exponent = 0;
    while (d->point > 0) {
        unsigned bits = step(d->point);
        shift_right(d, bits);
        exponent += (int)bits;
    }
    while (d->point < 0 || d->digit[0] < 5) {
        unsigned bits = step(-d->point);
        shift_left(d, bits);
        exponent -= (int)bits;
    }
    exponent--; /* 1 <= value * 2 < 2 */

    int smallest = 1 - f->bias;
    if (exponent < smallest) {
        shift_far(d, shift_right, (unsigned)(smallest - exponent));
        exponent = smallest;
    }
    if (exponent > f->bias) return infinity(f);
    shift_left(d, (unsigned)f->mantissa_bits + 1);
    uint64_t kept = rounded_integer(d);
    return ((uint64_t)(exponent + f->bias - 1) << f->mantissa_bits) + kept;
}

static const uint64_t power_of_5[28] = {1ull,
                                        5ull,
                                        25ull,
                                        125ull,
                                        625ull,
                                        3125ull,
                                        15625ull,
                                        78125ull,
                                        390625ull,
                                        1953125ull,
                                        9765625ull,
                                        48828125ull,
                                        244140625ull,
                                        1220703125ull,
                                        6103515625ull,
                                        30517578125ull,
                                        152587890625ull,
                                        762939453125ull,
                                        3814697265625ull,
                                        19073486328125ull,
                                        95367431640625ull,
                                        476837158203125ull,
                                        2384185791015625ull,
                                        11920928955078125ull,
                                        59604644775390625ull,
                                        298023223876953125ull,
                                        1490116119384765625ull,
                                        7450580596923828125ull};

/* Up to 19 digits and a small exponent: exact in 128 bits. */
enum { QUICK_DIGITS = 19, QUICK_POWER = 27 };
static bool read_quickly(const struct format *f, const struct decimal *d, uint64_t *bits)
{
    int64_t power = d->point - d->count;
    if (d->count > QUICK_DIGITS) return false;
    if (llabs(power) > QUICK_POWER) return false;
    if (d->more) return false;
    uint64_t n = 0;
    for (int i = 0; i < d->count; i++) n = n * 10 + d->digit[i];
    if (power >= 0) { /* so it is of 0, which has no digits */
        *bits = round_binary(f, (u128)n * power_of_5[power], power, false);
        return true;
    }
    int lead = __builtin_clzll(n);
    u128 dividend = (u128)(n << lead) << 64;
    uint64_t divisor = power_of_5[-power];
    *bits = round_binary(f, dividend / divisor, power - lead - 64, dividend % divisor != 0);
    return true;
}

/* In exponents from here on the other digits make no difference. */
static const int64_t far_away = (int64_t)1 << 40;

static int64_t read_exponent(const char *text, size_t bytes)
{
    bool negative = bytes && text[0] == '-';
    size_t i = bytes && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    int64_t value = 0;
    for (; i < bytes && value < far_away; i++) value = value * 10 + (text[i] - '0');
    return negative ? -value : value;
}

uint64_t sch_number_read_decimal(const char *text, size_t bytes, enum sch_float_width width)
{
    const struct format *f = &formats[width];
    struct decimal d = {0};
    bool negative = bytes && text[0] == '-', point_seen = false;
    size_t i = bytes && (text[0] == '-' || text[0] == '+') ? 1 : 0;

    for (; i < bytes && (is_digit(text[i]) || text[i] == '.'); i++) {
        if (text[i] == '.') {
            point_seen = true;
            continue;
        }
        uint8_t digit = (uint8_t)(text[i] - '0');
        if (!point_seen && (d.count || digit)) d.point++;
        if (!d.count && !digit) {
            if (point_seen) d.point--;
            continue;
        }
        if (d.count < DIGITS)
            d.digit[d.count++] = digit;
        else if (digit)
            d.more = true;
    }
    int64_t exponent = i < bytes ? read_exponent(text + i + 1, bytes - i - 1) : 0;
    trim(&d);
    if (d.count) d.point += exponent;

    uint64_t bits;
    if (!read_quickly(f, &d, &bits)) bits = read_slowly(f, &d);
    return negative ? bits | (uint64_t)1 << (width == SCH_FLOAT_32 ? 31 : 63) : bits;
}

size_t sch_number_scan_decimal(const char *text, size_t bytes)
{
    size_t i = 0, digits = 0;
    if (i < bytes && (text[i] == '+' || text[i] == '-')) i++;
    for (; i < bytes && is_digit(text[i]); i++) digits++;
    if (i < bytes && text[i] == '.')
        for (i++; i < bytes && is_digit(text[i]); i++) digits++;
    if (!digits) return 0;
    if (i < bytes && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        if (i < bytes && (text[i] == '+' || text[i] == '-')) i++;
        if (i >= bytes || !is_digit(text[i])) return 0;
        while (i < bytes && is_digit(text[i])) i++;
    }
    return i;
}

static int hex_value(char c)
{
    if (is_digit(c)) return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool starts_with(const char *text, size_t bytes, const char *word)
{
    size_t i = 0;
    for (; word[i]; i++)
        if (i >= bytes || (text[i] | 0x20) != word[i]) return false;
    return true;
}

/* Hexadecimal digits [. digits] [p [+-] digits] after "0x". */
static size_t read_hex_float(const char *text, size_t bytes, uint64_t *bits)
{
    uint64_t mantissa = 0;
    int64_t exponent = 0;
    bool sticky = false, point_seen = false;
    size_t i = 0, digits = 0;
    for (; i < bytes; i++) {
        if (text[i] == '.' && !point_seen) {
            point_seen = true;
            continue;
        }
        int value = hex_value(text[i]);
        if (value < 0) break;
        digits++;
        if (mantissa >> 60 == 0) {
            mantissa = mantissa << 4 | (unsigned)value;
            if (point_seen) exponent -= 4;
        } else {
            sticky = sticky || value;
            if (!point_seen) exponent += 4;
        }
    }
    if (!digits) return 0;
    if (i + 1 < bytes && (text[i] | 0x20) == 'p') {
        size_t begin = i + 1, end = begin;
        if (text[end] == '+' || text[end] == '-') end++;
        size_t first = end;
        while (end < bytes && is_digit(text[end])) end++;
        if (end > first) {
            exponent += read_exponent(text + begin, end - begin);
            i = end;
        }
    }
    *bits = round_binary(&formats[SCH_FLOAT_64], mantissa, exponent, sticky);
    return i;
}

/* "nan", "nan(0x...)": quiet; "snan(0x...)": the payload is the whole mantissa. */
static size_t read_nan(const char *text, size_t bytes, uint64_t *bits)
{
    bool signalling = starts_with(text, bytes, "snan");
    size_t name = signalling ? 4 : 3, i = name;
    const uint64_t quiet = (uint64_t)1 << 51, exponent = (uint64_t)2047 << 52;
    uint64_t payload = 0;
    bool closed = false;
    if (starts_with(text + i, bytes - i, "(0x")) {
        for (i += 3; i < bytes && hex_value(text[i]) >= 0; i++) payload = payload << 4 | (unsigned)hex_value(text[i]);
        closed = i < bytes && text[i] == ')';
    }
    payload &= quiet - 1;
    if (signalling) {
        if (!closed || !payload) return 0;
        *bits = exponent | payload;
        return i + 1;
    }
    *bits = exponent | quiet | (closed ? payload : 0);
    return closed ? i + 1 : name;
}

size_t sch_number_read_double(const char *text, size_t bytes, uint64_t *bits)
{
    size_t sign = bytes && (text[0] == '+' || text[0] == '-') ? 1 : 0, taken = 0;
    const char *rest = text + sign;
    size_t left = bytes - sign;
    *bits = 0;
    if (starts_with(rest, left, "infinity") || starts_with(rest, left, "inf")) {
        *bits = infinity(&formats[SCH_FLOAT_64]);
        taken = starts_with(rest, left, "infinity") ? 8 : 3;
    } else if (starts_with(rest, left, "nan") || starts_with(rest, left, "snan")) {
        taken = read_nan(rest, left, bits);
    } else if (starts_with(rest, left, "0x")) {
        taken = read_hex_float(rest + 2, left - 2, bits);
        if (taken) taken += 2;
    } else if (left && (is_digit(rest[0]) || rest[0] == '.')) {
        taken = sch_number_scan_decimal(rest, left);
        if (taken) *bits = sch_number_read_decimal(rest, taken, SCH_FLOAT_64);
    }
    if (!taken) return 0;
    if (sign && text[0] == '-') *bits |= (uint64_t)1 << 63;
    return taken + sign;
}

/* The digits of `value`, at least `least` of them; returns how many. */
static unsigned write_integer(u128 value, unsigned least, char *text)
{
    char reversed[48];
    unsigned length = 0;
    while (value || length < least) {
        reversed[length++] = (char)('0' + (int)(value % 10));
        value /= 10;
    }
    for (unsigned i = 0; i < length; i++) text[i] = reversed[length - 1 - i];
    return length;
}

struct parts {
    bool negative, finite;
    uint64_t mantissa;
    int exponent; /* value = mantissa * 2^exponent */
};

static struct parts split(uint64_t bits, enum sch_float_width width)
{
    const struct format *f = &formats[width];
    int field = (int)(bits >> f->mantissa_bits) & f->exponent_max;
    uint64_t mantissa = bits & (((uint64_t)1 << f->mantissa_bits) - 1);
    struct parts parts = {.negative = bits >> (width == SCH_FLOAT_32 ? 31 : 63) & 1,
                          .finite = field != f->exponent_max};
    parts.mantissa = field ? mantissa | (uint64_t)1 << f->mantissa_bits : mantissa;
    parts.exponent = (field ? field : 1) - f->bias - f->mantissa_bits;
    return parts;
}

/* Shifts right with rounding to nearest even. */
static u128 rounded_shift(u128 value, unsigned bits)
{
    if (bits > 127) return 0; /* value < 2^127: less than a half */
    u128 rest = value & (((u128)1 << bits) - 1), half = (u128)1 << (bits - 1), kept = value >> bits;
    return kept + (rest > half || (rest == half && (kept & 1)));
}

size_t sch_number_write_fixed(uint64_t bits, enum sch_float_width width, unsigned decimals, unsigned field,
                              char text[SCH_NUMBER_BYTES])
{
    struct parts parts = split(bits, width);
    if (!parts.finite || decimals > 30) return 0;
    u128 scale = 1;
    for (unsigned i = 0; i < decimals; i++) scale *= 10;
    u128 whole, fraction = 0;
    if (parts.exponent >= 0) {
        if (bit_length(parts.mantissa) + parts.exponent > 128) return 0;
        whole = (u128)parts.mantissa << parts.exponent;
    } else {
        if (bit_length(parts.mantissa) + bit_length(scale) > 127) return 0;
        u128 scaled = rounded_shift(parts.mantissa * scale, (unsigned)-parts.exponent);
        whole = scaled / scale;
        fraction = scaled % scale;
    }

    char digits[SCH_NUMBER_BYTES];
    size_t length = 0;
    if (parts.negative) digits[length++] = '-';
    length += write_integer(whole, 1, digits + length);
    digits[length++] = '.';
    length += write_integer(fraction, decimals, digits + length);
    size_t blanks = length < field ? field - length : 0;
    memset(text, ' ', blanks);
    memcpy(text + blanks, digits, length);
    return blanks + length;
}

/* The shortest text of the form %field.decimalsf, decimals >= `least`, that reads back to the same bits. */
static size_t write_exactly(uint64_t bits, enum sch_float_width width, unsigned least, char text[SCH_NUMBER_BYTES])
{
    for (unsigned decimals = least; decimals <= 30; decimals++) {
        size_t length = sch_number_write_fixed(bits, width, decimals, 10, text);
        if (!length) return 0;
        size_t blanks = 0;
        while (text[blanks] == ' ') blanks++;
        if (sch_number_read_decimal(text + blanks, length - blanks, width) == bits) return length;
    }
    return 0;
}

size_t sch_number_write_float(uint32_t bits, char text[SCH_NUMBER_BYTES])
{
    return write_exactly(bits, SCH_FLOAT_32, 4, text);
}

static size_t put(char *text, size_t length, const char *word)
{
    size_t bytes = strlen(word);
    memcpy(text + length, word, bytes);
    return length + bytes;
}

static size_t put_hex(char *text, size_t length, uint64_t value)
{
    int shift = 60;
    while (shift > 0 && value >> shift == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) text[length++] = "0123456789abcdef"[value >> shift & 15];
    return length;
}

size_t sch_number_write_double(uint64_t bits, char text[SCH_NUMBER_BYTES])
{
    const uint64_t quiet = (uint64_t)1 << 51;
    size_t length = write_exactly(bits, SCH_FLOAT_64, 8, text);
    if (length) return length;

    struct parts parts = split(bits, SCH_FLOAT_64);
    uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
    if (parts.negative) text[length++] = '-';
    if (!parts.finite) {
        if (!mantissa) return put(text, length, "inf");
        length = put(text, length, mantissa & quiet ? "nan" : "snan");
        if (mantissa == quiet) return length;
        length = put_hex(text, put(text, length, "(0x"), mantissa & (quiet - 1));
        text[length++] = ')';
        return length;
    }
    length = put_hex(text, put(text, length, "0x"), parts.mantissa);
    text[length++] = 'p';
    int exponent = parts.exponent;
    text[length++] = exponent < 0 ? '-' : '+';
    return length + write_integer((u128)abs(exponent), 1, text + length);
}

/* All digits of a finite value; a double has 767 at most. */
static void expand(const struct parts *parts, struct decimal *d)
{
    char digits[48];
    unsigned count = write_integer(parts->mantissa, 0, digits);
    *d = (struct decimal){.count = (int)count, .point = count};
    for (unsigned i = 0; i < count; i++) d->digit[i] = (uint8_t)(digits[i] - '0');
    trim(d);
    if (!d->count) return;
    if (parts->exponent < 0)
        shift_far(d, shift_right, (unsigned)-parts->exponent);
    else
        shift_far(d, shift_left, (unsigned)parts->exponent);
}

/* Rounds to `count` digits, ties to even; a value that is not 0 keeps at least one. */
static void round_digits(struct decimal *d, int count)
{
    if (d->count <= count) return;
    bool tie = d->digit[count] == 5 && d->count == count + 1 && !d->more;
    bool up = tie ? d->digit[count - 1] & 1 : d->digit[count] >= 5;
    d->count = count;
    if (up) {
        int i = count - 1;
        while (i >= 0 && d->digit[i] == 9) i--;
        d->count = i + 1;
        if (i < 0) {
            d->digit[0] = 1;
            d->count = 1;
            d->point++;
        } else
            d->digit[i]++;
    }
    trim(d);
}

static size_t put_scientific(const struct decimal *d, bool negative, unsigned decimals, char *text)
{
    size_t length = 0;
    if (negative) text[length++] = '-';
    text[length++] = (char)('0' + (d->count ? d->digit[0] : 0));
    if (decimals) text[length++] = '.';
    for (int i = 1; i <= (int)decimals; i++) text[length++] = (char)('0' + (i < d->count ? d->digit[i] : 0));
    int64_t exponent = d->count ? d->point - 1 : 0;
    text[length++] = 'e';
    text[length++] = exponent < 0 ? '-' : '+';
    return length + write_integer((u128)llabs(exponent), 2, text + length);
}

size_t sch_number_write_scientific(uint64_t bits, enum sch_float_width width, unsigned decimals,
                                   char text[SCH_NUMBER_BYTES])
{
    struct parts parts = split(bits, width);
    if (!parts.finite || decimals > 40) return 0;
    struct decimal d;
    expand(&parts, &d);
    round_digits(&d, (int)decimals + 1);
    return put_scientific(&d, parts.negative, decimals, text);
}

/* 0.001 and 12345.0 are easier to read than their exponents. */
static size_t put_plain(const struct decimal *d, bool negative, char *text)
{
    size_t length = 0;
    if (negative) text[length++] = '-';
    if (d->point <= 0) text[length++] = '0';
    for (int64_t i = 0; i < d->point; i++) text[length++] = (char)('0' + (i < d->count ? d->digit[i] : 0));
    text[length++] = '.';
    for (int64_t i = d->point; i < 0; i++) text[length++] = '0';
    if (d->point >= d->count) text[length++] = '0';
    for (int64_t i = d->point < 0 ? 0 : d->point; i < d->count; i++) text[length++] = (char)('0' + d->digit[i]);
    return length;
}

size_t sch_number_write_shortest(uint64_t bits, enum sch_float_width width, char text[SCH_NUMBER_BYTES])
{
    struct parts parts = split(bits, width);
    if (!parts.finite) return 0;
    struct decimal all;
    expand(&parts, &all);
    for (int digits = 1;; digits++) { /* 17 digits distinguish every double from its neighbours */
        struct decimal d = all;
        round_digits(&d, digits);
        bool plain = d.point > -4 && d.point <= 9;
        size_t length = plain ? put_plain(&d, parts.negative, text)
                              : put_scientific(&d, parts.negative, (unsigned)d.count - 1, text);
        if (sch_number_read_decimal(text, length, width) == bits) return length;
    }
}
