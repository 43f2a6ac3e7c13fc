/* Values of registers as people write and read them: words, floats, integers (docs/values.md). What a spelling means
 * depends on the spelling alone, never on the register. Prints nothing but what it is asked to put into a buffer. */
#ifndef SCH_CLI_VALUE_H
#define SCH_CLI_VALUE_H

#include "../support/decimal.h"
#include "cli.h"

/* How a value was written. */
enum sch_cli_spelling {
    SCH_CLI_SPELLED_BITS,   /* a word: 0x3f800000, 3f800000; 0 */
    SCH_CLI_SPELLED_FLOAT,  /* 1.5, 1e-3, -3, inf, nan */
    SCH_CLI_SPELLED_INTEGER /* 3i, -3i, 3u */
};

struct sch_cli_spelled {
    uint32_t bits;
    enum sch_cli_spelling spelling;
};

/* What a value of one word is printed as: halves of 64-bit values are UNKNOWN. */
static inline enum sch_value_type sch_cli_word_type(enum sch_value_type type)
{
    return type > SCH_VALUE_UINT ? SCH_VALUE_UNKNOWN : type;
}

enum { SCH_CLI_VALUE_BYTES = SCH_FLOAT_TEXT };

/* Where a value is written. Decimal digits are a number in options. Eight hexadecimal digits are a word in lines of
 * eval and in constants; fewer are refused in lines, and eight that may be a number in constants. */
enum sch_cli_value_place { SCH_CLI_PLACE_LINE, SCH_CLI_PLACE_CONSTANT, SCH_CLI_PLACE_OPTION };

/* Reads the value that begins at `*at` and moves it past the last character. NULL, or what is wrong with the value;
 * `*at` stays then. */
const char *sch_cli_value_read(const char **at, const char *end, enum sch_cli_value_place place,
                               struct sch_cli_spelled *value);

/* Why this spelling is perhaps not what was meant for such a register: a warning's name in the table and its text in
 * `message`, about the value written from `text` to `end`. NULL: nothing is to be said. */
const char *sch_cli_value_doubt(const struct sch_cli_spelled *value, enum sch_value_type type, const char *text,
                                const char *end, const char *reg, char message[256]);

/* --floats: how values are printed. */
enum sch_cli_floats { SCH_CLI_FLOATS_HEX, SCH_CLI_FLOATS_DEC, SCH_CLI_FLOATS_BOTH };

/* The value as --floats wants it: 0x3f800000, 1.0 (3i where the register holds integers), 0x3f800000(1.0). */
void sch_cli_value_print(uint32_t bits, enum sch_value_type type, enum sch_cli_floats floats,
                         char text[SCH_CLI_VALUE_BYTES]);

/* Four values with commas between them. */
void sch_cli_put_values(FILE *file, const uint32_t words[4], const enum sch_value_type types[4],
                        enum sch_cli_floats floats);

#endif
