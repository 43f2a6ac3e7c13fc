/* Decimal fractions of 19 digits, in whole numbers. Holds no syntax of headers. */
#include <string.h>

#include "base/digit.h"
#include "maxwell/header/number.h"

typedef unsigned __int128 wide;

enum { DIGITS = 19, FRACTION = 8 }; /* decimal digits of a uint64_t; bits after the point of fixed-point numbers */

static uint64_t power_of_ten(unsigned n)
{
    uint64_t power = 1;
    while (n--) power *= 10;
    return power;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool sch_header_read_decimal(const char *text, size_t bytes, struct sch_header_decimal *decimal)
{
    *decimal = (struct sch_header_decimal){0};
    size_t i = bytes && (text[0] == '-' || text[0] == '+');
    decimal->negative = i && text[0] == '-';
    size_t whole = i;
    unsigned digits = 0;
    bool point = false;
    size_t end = bytes;
    if (memchr(text, '.', bytes)) /* zeros at the end of a fraction do not count */
        while (end > 0 && text[end - 1] == '0') end--;
    for (; i < end; i++) {
        if (text[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(text[i])) return false;
        if (decimal->digits || text[i] != '0') digits++;
        if (digits > DIGITS || (point && decimal->scale == DIGITS)) return false;
        decimal->digits = decimal->digits * 10 + (uint64_t)(text[i] - '0');
        decimal->scale += point;
    }
    for (size_t k = end; k < bytes; k++)
        if (!is_digit(text[k])) return false;
    return end > whole && is_digit(text[whole]) && is_digit(text[bytes - 1]);
}

bool sch_header_read_unsigned(const char *text, size_t bytes, uint64_t *value)
{
    bool hex = bytes > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned base = hex ? 16 : 10;
    *value = 0;
    if (!bytes) return false;
    for (size_t i = hex ? 2 : 0; i < bytes; i++) {
        unsigned digit = sch_digit(text[i]);
        if (digit >= base || *value > (UINT64_MAX - digit) / base) return false;
        *value = *value * base + digit;
    }
    return true;
}

bool sch_header_fixed(const struct sch_header_decimal *decimal, int64_t *value)
{
    wide scaled = (wide)decimal->digits << FRACTION;
    uint64_t power = power_of_ten(decimal->scale);
    if (scaled % power || scaled / power > (1u << 24)) return false;
    int64_t magnitude = (int64_t)(scaled / power);
    *value = decimal->negative ? -magnitude : magnitude;
    return true;
}

/* The quotient in 24 bits or so, and a last bit for what remains: above half, half or below is then seen. */
uint32_t sch_header_float(const struct sch_header_decimal *decimal)
{
    uint32_t sign = decimal->negative ? UINT32_C(0x80000000) : 0;
    if (!decimal->digits) return sign;
    wide number = decimal->digits, power = power_of_ten(decimal->scale);
    int exponent = 0; /* the value is number / power * 2^exponent; bring the quotient into [2^25, 2^26) */
    while (number / power >= (wide)1 << 26) {
        power <<= 1;
        exponent++;
    }
    while (number / power < (wide)1 << 25) {
        number <<= 1;
        exponent--;
    }
    uint64_t quotient = (uint64_t)(number / power);
    bool more = number % power;
    /* Two bits are rounded away; a carry into bit 24 continues into the exponent, as it should. */
    uint32_t mantissa = (uint32_t)(quotient >> 2), rest = (uint32_t)(quotient & 3) << 1 | more;
    if (rest > 4 || (rest == 4 && mantissa & 1)) mantissa++;
    int biased = exponent + 2 + 23 + 127; /* 10^-19 to 10^19: never near the ends of the range */
    return sign | (((uint32_t)biased << 23) + (mantissa - (UINT32_C(1) << 23)));
}

void sch_header_write_unsigned(uint64_t value, char text[SCH_HEADER_NUMBER])
{
    char reversed[SCH_HEADER_NUMBER];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < count; i++) text[i] = reversed[count - 1 - i];
    text[count] = 0;
}

void sch_header_write_hex(uint64_t value, unsigned digits, char text[SCH_HEADER_NUMBER])
{
    while (digits < 16 && value >> (4 * digits)) digits++;
    text[0] = '0';
    text[1] = 'x';
    for (unsigned i = 0; i < digits; i++) text[2 + i] = "0123456789abcdef"[value >> (4 * (digits - 1 - i)) & 15];
    text[2 + digits] = 0;
}

/* digits / 10^scale with a point and at least one digit after it; further zeros at the end are dropped. */
static void write_decimal(const struct sch_header_decimal *decimal, char text[SCH_HEADER_NUMBER])
{
    uint64_t power = power_of_ten(decimal->scale), rest = decimal->digits % power;
    size_t at = 0;
    if (decimal->negative) text[at++] = '-';
    sch_header_write_unsigned(decimal->digits / power, text + at);
    at = strlen(text);
    text[at++] = '.';
    size_t first = at;
    for (unsigned i = 0; i < decimal->scale; i++) {
        power /= 10;
        text[at++] = (char)('0' + rest / power);
        rest %= power;
    }
    while (at > first + 1 && text[at - 1] == '0') at--;
    if (at == first) text[at++] = '0';
    text[at] = 0;
}

void sch_header_write_fixed(int64_t value, char text[SCH_HEADER_NUMBER])
{
    uint64_t magnitude = (uint64_t)(value < 0 ? -value : value);
    /* n / 2^8 = n * 5^8 / 10^8 */
    struct sch_header_decimal decimal = {.digits = magnitude * 390625, .scale = FRACTION, .negative = value < 0};
    write_decimal(&decimal, text);
}

void sch_header_write_float(uint32_t bits, char text[SCH_HEADER_NUMBER])
{
    uint32_t biased = bits >> 23 & 255, mantissa = (bits & 0x7fffff) | 0x800000;
    int exponent = (int)biased - 127 - 23; /* of the mantissa's lowest bit */
    struct sch_header_decimal decimal = {.negative = bits >> 31};
    for (decimal.scale = 1; decimal.scale <= 9; decimal.scale++) {
        uint64_t twice = (uint64_t)2 * mantissa * power_of_ten(decimal.scale);
        for (int left = exponent; left < 0; left++) twice >>= 1;
        decimal.digits = (twice + 1) >> 1;
        if (sch_header_float(&decimal) != bits) continue; /* whole numbers above 2^24, too: their bits are written */
        write_decimal(&decimal, text);
        return;
    }
    sch_header_write_hex(bits, 8, text);
}
