/* See value.h. Decimal to float and back go by the C library, which rounds correctly; the command never sets a locale,
 * so the point is a point. */
#include "value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 128, QUIET = 0x00400000 };

#define EXPONENT 0x7f800000u
#define FRACTION 0x007fffffu
#define SIGN     0x80000000u

static const char no_value[] = "expected a value: 1.5, -3.0, inf, nan, 3i, 3u, or a word in hexadecimal: 0x40400000";

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* One value without what surrounds it. */
struct token {
    char text[LONGEST];
    size_t bytes;
};

static bool take_token(const char *at, const char *end, struct token *token)
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-()";
    size_t bytes = 0;
    while (at + bytes < end && at[bytes] && strchr(letters, at[bytes])) bytes++;
    if (!bytes || bytes >= LONGEST) return false;
    memcpy(token->text, at, bytes);
    token->text[bytes] = 0;
    token->bytes = bytes;
    return true;
}

/* inf, infinity, nan and nan(0xN), N the 23 bits of its fraction, with a sign or without. */
static bool read_special(const char *text, uint32_t *bits)
{
    const uint32_t sign = *text == '-' ? SIGN : 0;
    if (*text == '-' || *text == '+') text++;
    if (strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0) {
        *bits = sign | EXPONENT;
        return true;
    }
    if (strncasecmp(text, "nan", 3) != 0) return false;
    if (!text[3]) {
        *bits = sign | EXPONENT | QUIET;
        return true;
    }
    if (strncasecmp(text + 3, "(0x", 3) != 0) return false;
    const char *digits = text + 6;
    const size_t count = strspn(digits, "0123456789abcdefABCDEF");
    if (!count || count > 8 || strcmp(digits + count, ")") != 0) return false;
    const unsigned long fraction = strtoul(digits, NULL, 16);
    *bits = sign | EXPONENT | (uint32_t)fraction;
    return fraction && fraction <= FRACTION;
}

/* 3i, -3i, 3u. NULL, or what is wrong. */
static const char *read_integer(const struct token *token, uint32_t *bits)
{
    static const char range[] = "expected an integer of 32 bits: -2147483648i to 2147483647i, 0u to 4294967295u";
    const bool is_signed = token->text[token->bytes - 1] == 'i', negative = *token->text == '-';
    const char *digit = token->text + (negative || *token->text == '+');
    int64_t number = 0;
    if (token->text + token->bytes - digit > 11) return range;
    for (; is_digit(*digit); digit++) number = number * 10 + (*digit - '0');
    if (negative) number = -number;
    if (is_signed ? number < INT32_MIN || number > INT32_MAX : number < 0 || negative || number > UINT32_MAX)
        return range;
    *bits = (uint32_t)number;
    return NULL;
}

static bool is_integer(const struct token *token)
{
    const size_t sign = *token->text == '-' || *token->text == '+', digits = strspn(token->text + sign, "0123456789");
    const char *suffix = token->text + sign + digits;
    return digits && (strcmp(suffix, "i") == 0 || strcmp(suffix, "u") == 0);
}

/* Whether a decimal number could be read there, too. */
static bool looks_decimal(const char *digits)
{
    digits += strspn(digits, "0123456789");
    if (*digits != 'e' && *digits != 'E') return !*digits;
    return digits[1] && !digits[1 + strspn(digits + 1, "0123456789")];
}

/* A float: a whole number in digits, with a point, with an exponent; in hexadecimal with a point or p. */
static const char *read_float(const struct token *token, struct sch_cli_spelled *value)
{
    const char *text = token->text;
    char *end;
    const char *magnitude = text + (*text == '-' || *text == '+');
    if (!is_digit(*magnitude) && !(*magnitude == '.' && is_digit(magnitude[1]))) return no_value;
    const bool hexadecimal = magnitude[1] == 'x' || magnitude[1] == 'X';
    if (hexadecimal && !strpbrk(magnitude, ".pP")) return no_value;
    const float number = strtof(text, &end);
    const bool point = strchr(text, '.');
    if (point && (*end == 'f' || *end == 'F')) end++;
    if (*end) return no_value;
    if (isinf(number)) return "this number is larger than the largest float; infinity is written inf";
    memcpy(&value->bits, &number, sizeof number);
    return NULL;
}

/* Digits without 0x that are a word in one place and a number in another, or neither: an error is better than a guess.
 * NULL: they are not of this kind. */
static const char *doubtful_digits(const char *digits, size_t count, enum sch_cli_value_place place)
{
    if (place == SCH_CLI_PLACE_OPTION || strspn(digits, "0") == count) return NULL;
    if (count == 8 && place == SCH_CLI_PLACE_CONSTANT && looks_decimal(digits))
        return "eight digits may be a number or a word: a number has a point, a word begins with 0x";
    if (count == 8 || place == SCH_CLI_PLACE_CONSTANT) return NULL;
    if (looks_decimal(digits))
        return "this may be a number or a word in hexadecimal: a number has a point (3.0) or a suffix (3i, 3u), a word "
               "begins with 0x (0x3) or has eight digits";
    return "a word in hexadecimal begins with 0x, or has eight digits";
}

static const char *read_token(const struct token *token, enum sch_cli_value_place place, struct sch_cli_spelled *value)
{
    const char *text = token->text;
    const bool prefix = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = text + (prefix ? 2 : 0);
    const size_t count = strspn(digits, "0123456789abcdefABCDEF");
    const bool only_digits = count && !digits[count];
    const char *doubt = only_digits && !prefix ? doubtful_digits(digits, count, place) : NULL;
    *value = (struct sch_cli_spelled){0, SCH_CLI_SPELLED_BITS};
    if (only_digits && (prefix || place == SCH_CLI_PLACE_LINE) && count - strspn(digits, "0") > 8)
        return "a word has at most eight hexadecimal digits; a float has a point or an exponent";
    if (doubt) return doubt;
    if (only_digits && (prefix || (count == 8 && place != SCH_CLI_PLACE_OPTION) || strspn(digits, "0") == count)) {
        value->bits = (uint32_t)strtoul(digits, NULL, 16);
        return NULL;
    }
    if (is_integer(token)) {
        value->spelling = SCH_CLI_SPELLED_INTEGER;
        return read_integer(token, &value->bits);
    }
    value->spelling = SCH_CLI_SPELLED_FLOAT;
    return read_special(text, &value->bits) ? NULL : read_float(token, value);
}

/* What most lines of eval consist of: up to eight hexadecimal digits after 0x, or eight without. False: something
 * else, or perhaps. */
static bool read_plain_word(const char **at, const char *end, enum sch_cli_value_place place,
                            struct sch_cli_spelled *value)
{
    const char *digit = *at;
    const bool prefix = end - digit > 2 && digit[0] == '0' && digit[1] == 'x';
    uint32_t bits = 0;
    if (prefix) digit += 2;
    const char *last = end - digit > 8 ? digit + 8 : end, *first = digit;
    for (; digit < last; digit++) {
        const char c = *digit;
        if (c >= '0' && c <= '9')
            bits = bits << 4 | (uint32_t)(c - '0');
        else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
            bits = bits << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
        else
            break;
    }
    const bool ends = digit == end || *digit == ',' || *digit == '\t';
    if (!ends || digit == first || (!prefix && (place != SCH_CLI_PLACE_LINE || digit - first < 8))) return false;
    *value = (struct sch_cli_spelled){bits, SCH_CLI_SPELLED_BITS};
    *at = digit;
    return true;
}

const char *sch_cli_value_read(const char **at, const char *end, enum sch_cli_value_place place,
                               struct sch_cli_spelled *value)
{
    struct token token;
    if (read_plain_word(at, end, place, value)) return NULL;
    if (!take_token(*at, end, &token)) return no_value;
    const char *problem = read_token(&token, place, value);
    if (!problem) *at += token.bytes;
    return problem;
}

const char *sch_cli_value_doubt(const struct sch_cli_spelled *value, enum sch_value_type type, const char *text,
                                const char *end, const char *reg, char message[256])
{
    const bool for_integer = type == SCH_VALUE_INT || type == SCH_VALUE_UINT;
    if (!for_integer || value->spelling != SCH_CLI_SPELLED_FLOAT || !value->bits) return NULL;
    const int bytes = end - text < 40 ? (int)(end - text) : 40;
    char decimal[SCH_CLI_VALUE_BYTES];
    sch_float_text(value->bits, decimal);
    snprintf(message, 256,
             "%.*s is the float %s, and %s takes its bits 0x%08x for an integer: integers are written 3i, -3i or 3u",
             bytes, text, decimal, reg, value->bits);
    return "FLOAT_FOR_INTEGER";
}

void sch_cli_value_print(uint32_t bits, enum sch_value_type type, enum sch_cli_floats floats,
                         char text[SCH_CLI_VALUE_BYTES])
{
    char decimal[SCH_CLI_VALUE_BYTES];
    if (type == SCH_VALUE_INT)
        snprintf(decimal, sizeof decimal, "%di", (int)bits);
    else if (type == SCH_VALUE_UINT)
        snprintf(decimal, sizeof decimal, "%uu", bits);
    else
        sch_float_text(bits, decimal);
    if (floats == SCH_CLI_FLOATS_DEC)
        snprintf(text, SCH_CLI_VALUE_BYTES, "%s", decimal);
    else if (floats == SCH_CLI_FLOATS_BOTH)
        snprintf(text, SCH_CLI_VALUE_BYTES, "0x%08x(%.34s)", bits, decimal);
    else
        snprintf(text, SCH_CLI_VALUE_BYTES, "0x%08x", bits);
}

void sch_cli_put_values(FILE *file, const uint32_t words[4], const enum sch_value_type types[4],
                        enum sch_cli_floats floats)
{
    char text[SCH_CLI_VALUE_BYTES];
    if (floats == SCH_CLI_FLOATS_HEX) { /* what long tables are printed with: printf takes thrice as long */
        static const char digits[] = "0123456789abcdef";
        char all[4 * 11], *at = all;
        for (unsigned c = 0; c < 4; c++) {
            at = mempcpy(at, "0x", 2);
            for (int shift = 28; shift >= 0; shift -= 4) *at++ = digits[words[c] >> shift & 15];
            *at++ = ',';
        }
        fwrite(all, 1, sizeof all - 1, file);
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        sch_cli_value_print(words[c], types ? types[c] : SCH_VALUE_UNKNOWN, floats, text);
        fprintf(file, "%s%s", c ? "," : "", text);
    }
}
