/* Words and numbers of options. */
#include "words.h"
#include "state.h"
#include "value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* TGSI's text and the names of numbers have no underscores where --target has some. */
static bool is_target(const char *word, const char *text, size_t bytes)
{
    for (; *word; word++) {
        if (bytes && *text == *word)
            text++, bytes--;
        else if (*word != '_')
            return false;
    }
    return bytes == 0;
}

bool sch_cli_find_target(const char *text, size_t bytes, enum sch_target *target, bool *compares)
{
    static const char shadow[] = "SHADOW";
    static const bool comparable[] = {
        [SCH_TARGET_1D] = true,       [SCH_TARGET_2D] = true,        [SCH_TARGET_CUBE] = true,
        [SCH_TARGET_RECT] = true,     [SCH_TARGET_1D_ARRAY] = true,  [SCH_TARGET_2D_ARRAY] = true,
        [SCH_TARGET_2D_MSAA] = false, [SCH_TARGET_CUBE_ARRAY] = true};
    size_t at = sizeof shadow - 1;
    *compares = bytes > at && strncmp(text, shadow, at) == 0;
    if (!*compares)
        at = 0;
    else if (text[at] == '_')
        at++;
    for (uint32_t number = 0; sch_target_words[number]; number++) {
        if (!*sch_target_words[number] || !is_target(sch_target_words[number], text + at, bytes - at)) continue;
        *target = (enum sch_target)number;
        return !*compares || comparable[number];
    }
    return false;
}

struct sch_nearest sch_cli_nearest_target(const char *word, size_t bytes)
{
    struct sch_nearest nearest = sch_nearest_to(word, bytes);
    sch_nearest_offer_set(&nearest, sch_cli_options[SCH_OPTION_SAMPLE_TARGET].values);
    return nearest;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* 0x and eight digits; more after them make it a hexadecimal float. */
static bool read_bits(const char **at, struct sch_cli_value *value)
{
    const char *text = *at;
    if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X')) return false;
    if (strspn(text + 2, "0123456789abcdefABCDEF") != 8 || strspn(text + 10, ".pP")) return false;
    uint32_t bits = (uint32_t)strtoul(text, NULL, 16);
    *value = (struct sch_cli_value){bits, bits, true};
    *at = text + 10;
    return true;
}

/* The whole number that a text in decimal digits says exactly; a float is not always as exact. */
static bool read_decimal(const char *text, const char *end, struct sch_cli_value *value)
{
    bool negative = *text == '-';
    int64_t number = 0;
    if (negative || *text == '+') text++;
    if (text == end || end - text > 10) return false;
    for (; text < end; text++) {
        if (!is_digit(*text)) return false;
        number = number * 10 + (*text - '0');
    }
    if (negative) number = -number;
    if (number < INT32_MIN || number > UINT32_MAX) return false;
    value->integer = (uint32_t)number;
    return true;
}

/* Reads one number and moves `*at` past it. */
static bool read_value(const char **at, struct sch_cli_value *value)
{
    if (read_bits(at, value)) return true;
    const char *text = *at, *end = text;
    struct sch_cli_spelled spelled = {0};
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) { /* a float, with a point or without */
        char *behind;
        const float bare = strtof(text, &behind);
        if (isinf(bare)) return false;
        memcpy(&spelled.bits, &bare, sizeof bare);
        end = behind;
    } else if (sch_cli_value_read(&end, text + strlen(text), SCH_CLI_PLACE_OPTION, &spelled)) {
        return false;
    }
    if (spelled.spelling == SCH_CLI_SPELLED_INTEGER) {
        *value = (struct sch_cli_value){spelled.bits, spelled.bits, true};
        *at = end;
        return true;
    }
    float number;
    memcpy(&number, &spelled.bits, sizeof number);
    value->bits = spelled.bits;
    value->is_integer = read_decimal(text, end, value);
    if (!value->is_integer && number >= -2147483648.0f && number < 4294967296.0f && number == floorf(number)) {
        value->integer = (uint32_t)(int64_t)number;
        value->is_integer = true;
    }
    *at = end;
    return true;
}

unsigned sch_cli_read_values(const char *text, struct sch_cli_value *values, unsigned most)
{
    for (unsigned count = 0; count < most; text++) {
        if (!read_value(&text, &values[count++])) return 0;
        if (*text == 0) return count;
        if (*text != ',') return 0;
    }
    return 0;
}
