/* Words and numbers of options. */
#include "state.h"
#include "value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct sch_cli_word sch_cli_targets[] = {{"1D", SCH_TARGET_1D},
                                               {"2D", SCH_TARGET_2D},
                                               {"3D", SCH_TARGET_3D},
                                               {"CUBE", SCH_TARGET_CUBE},
                                               {"RECT", SCH_TARGET_RECT},
                                               {"1D_ARRAY", SCH_TARGET_1D_ARRAY},
                                               {"2D_ARRAY", SCH_TARGET_2D_ARRAY},
                                               {"CUBE_ARRAY", SCH_TARGET_CUBE_ARRAY},
                                               {"2D_MSAA", SCH_TARGET_2D_MSAA},
                                               {"2D_ARRAY_MSAA", SCH_TARGET_2D_ARRAY_MSAA},
                                               {"BUFFER", SCH_TARGET_BUFFER},
                                               /* as TGSI writes them, and as the numbers' names are */
                                               {"1DARRAY", SCH_TARGET_1D_ARRAY},
                                               {"2DARRAY", SCH_TARGET_2D_ARRAY},
                                               {"CUBEARRAY", SCH_TARGET_CUBE_ARRAY},
                                               {"SHADOW1D", SCH_TARGET_1D + SCH_CLI_SHADOW},
                                               {"SHADOW2D", SCH_TARGET_2D + SCH_CLI_SHADOW},
                                               {"SHADOWCUBE", SCH_TARGET_CUBE + SCH_CLI_SHADOW},
                                               {"SHADOWRECT", SCH_TARGET_RECT + SCH_CLI_SHADOW},
                                               {"SHADOW_CUBE", SCH_TARGET_CUBE + SCH_CLI_SHADOW},
                                               {"SHADOW_RECT", SCH_TARGET_RECT + SCH_CLI_SHADOW},
                                               {"SHADOW1D_ARRAY", SCH_TARGET_1D_ARRAY + SCH_CLI_SHADOW},
                                               {"SHADOW2D_ARRAY", SCH_TARGET_2D_ARRAY + SCH_CLI_SHADOW},
                                               {"SHADOWCUBE_ARRAY", SCH_TARGET_CUBE_ARRAY + SCH_CLI_SHADOW},
                                               {"SHADOW1DARRAY", SCH_TARGET_1D_ARRAY + SCH_CLI_SHADOW},
                                               {"SHADOW2DARRAY", SCH_TARGET_2D_ARRAY + SCH_CLI_SHADOW},
                                               {"SHADOWCUBEARRAY", SCH_TARGET_CUBE_ARRAY + SCH_CLI_SHADOW},
                                               {NULL, 0}};

bool sch_cli_find_word(const struct sch_cli_word *words, const char *text, size_t bytes, int *value)
{
    for (; words->word; words++)
        if (strncmp(words->word, text, bytes) == 0 && words->word[bytes] == 0) {
            *value = words->value;
            return true;
        }
    return false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* 0x and eight digits; more behind them make it a hexadecimal float. */
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

/* Reads one number and moves `*at` behind it. */
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
