/* Floats as C libraries of Microsoft print them before the universal one, which fxc's listings have: rounding, and the
 * words for what is not a number. Digits come from number.c. */
#include "base/number.h"

#include <string.h>
#include <strings.h>

enum { DIGITS = 17 }; /* the library makes no more */

struct fields {
    uint64_t mantissa, quiet, payload; /* the bits after the exponent, the highest of them, and one of the others */
    uint64_t exponent, sign;           /* all of the exponent's bits, and the sign's */
};

/* The payload's bit is that of 0xffc10000, and in the same place after the quiet bit in 64 bits. */
static struct fields fields_of(enum sch_float_width width)
{
    const unsigned bits = width == SCH_FLOAT_64 ? 52 : 23, all = width == SCH_FLOAT_64 ? 64 : 32;
    enum { PAYLOAD_AFTER = 6 };
    const uint64_t mantissa = (UINT64_C(1) << bits) - 1, sign = UINT64_C(1) << (all - 1);
    return (struct fields){.mantissa = mantissa,
                           .quiet = UINT64_C(1) << (bits - 1),
                           .payload = UINT64_C(1) << (bits - 1 - PAYLOAD_AFTER),
                           .exponent = (sign - 1) & ~mantissa,
                           .sign = sign};
}

static size_t write_special(uint64_t bits, enum sch_float_width width, unsigned decimals, char *text)
{
    const struct fields f = fields_of(width);
    const bool negative = bits & f.sign;
    uint64_t mantissa = bits & f.mantissa;
    if (mantissa && width == SCH_FLOAT_32) mantissa |= f.quiet;
    const char *word = !mantissa                         ? "1.#INF"
                       : !(mantissa & f.quiet)           ? "1.#SNAN"
                       : negative && mantissa == f.quiet ? "1.#IND"
                                                         : "1.#QNAN";
    size_t length = 0;
    if (negative) text[length++] = '-';
    for (const char *c = word; *c; c++) text[length++] = *c;
    const size_t whole = (negative ? 1 : 0) + 2 + (size_t)decimals;
    while (length < whole) text[length++] = '0';
    return length;
}

/* Digit i of a number whose first digit comes before 10^point; 0 outside of those that there are. */
static char digit_at(const char *digits, int i) { return i >= 0 && i < DIGITS ? digits[i] : '0'; }

size_t sch_number_write_microsoft(uint64_t bits, enum sch_float_width width, unsigned decimals,
                                  char text[SCH_NUMBER_MICROSOFT_BYTES])
{
    char made[SCH_NUMBER_BYTES], digits[DIGITS], plain[SCH_NUMBER_MICROSOFT_BYTES];
    const size_t bytes = sch_number_write_scientific(bits, width, DIGITS - 1, made);
    if (!bytes) return write_special(bits, width, decimals, text);
    const char *at = made;
    size_t length = 0;
    if (*at == '-') text[length++] = *at++;
    digits[0] = *at;
    memcpy(digits + 1, at + 2, DIGITS - 1);
    at += DIGITS + 2; /* the exponent's sign */
    int point = 0;
    for (const char *c = at + 1; c < made + bytes; c++) point = 10 * point + (*c - '0');
    point = (*at == '-' ? -point : point) + 1;

    /* A digit for the carry, those before the point, those after it. */
    const int whole = point > 1 ? point : 1, count = 1 + whole + (int)decimals, shift = point - whole - 1;
    for (int i = 0; i < count; i++) plain[i] = digit_at(digits, i + shift);
    bool carry = digit_at(digits, count + shift) >= '5';
    for (int i = count - 1; carry; i--) {
        carry = plain[i] == '9';
        plain[i] = carry ? '0' : (char)(plain[i] + 1);
    }
    for (int i = plain[0] == '0' ? 1 : 0; i < count; i++) {
        if (i == 1 + whole) text[length++] = '.';
        text[length++] = plain[i];
    }
    return length;
}

size_t sch_number_read_microsoft(const char *text, size_t bytes, enum sch_float_width width, bool negative,
                                 uint64_t *bits)
{
    static const struct {
        const char *word;
        bool nan, quiet;
    } words[] = {{"1.#INF", false, false}, {"1.#IND", true, true}, {"1.#QNAN", true, true}, {"1.#SNAN", true, false}};
    const struct fields f = fields_of(width);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (bytes < length || strncasecmp(text, words[i].word, length) != 0) continue;
        const bool payload = words[i].nan && (!words[i].quiet || (negative && words[i].word[3] == 'Q'));
        *bits = f.exponent | (words[i].quiet ? f.quiet : 0) | (payload ? f.payload : 0);
        while (length < bytes && text[length] == '0') length++;
        return length;
    }
    return 0;
}
