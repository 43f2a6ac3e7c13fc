/* See maxwell_scalar.h: the text of an instruction, operands, condition codes. */
#include "maxwell_scalar.h"

#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

/* Takes an ending off; false: it is not there. */
static bool take(char *text, const char *ending)
{
    if (!ends_with(text, ending)) return false;
    text[strlen(text) - strlen(ending)] = 0;
    return true;
}

static bool read_number(const char *text, int64_t *value)
{
    char *end;
    const bool minus = *text == '-';
    *value = (int64_t)strtoull(text + minus, &end, 0);
    if (minus) *value = -*value;
    return end != text + minus && !*end;
}

/* A part of a register or constant: what follows the last dot. */
static void take_part(char *text, struct scalar_operand *operand)
{
    char *dot = strrchr(text, '.');
    if (!dot || strlen(dot + 1) >= sizeof operand->part) return;
    strcpy(operand->part, dot + 1);
    *dot = 0;
}

static bool read_constant(char *text, struct scalar_operand *operand)
{
    unsigned bank;
    int64_t offset;
    char *bracket = strchr(text, ']'), *inner;
    if (!bracket) return false;
    *bracket = 0;
    bank = (unsigned)strtoul(text + 2, NULL, 16);
    inner = strchr(bracket + 1, '[');
    bracket = inner ? strchr(inner, ']') : NULL;
    if (!bracket) return false;
    *bracket = 0;
    if (!read_number(inner + 1, &offset) || offset < 0) return false;
    take_part(bracket + 1, operand);
    operand->kind = SCALAR_CONSTANT;
    operand->number = bank;
    operand->offset = (uint32_t)offset;
    return true;
}

static bool read_immediate(char *text, struct scalar_operand *operand)
{
    static const char *const parts[] = {".H1", ".B1", ".B2", ".B3"};
    char *end;
    operand->kind = SCALAR_IMMEDIATE;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        if (take(text, parts[i])) strcpy(operand->part, parts[i] + 1);
    operand->inverted = take(text, ".INV");
    operand->bars = take(text, ".ABS");
    operand->minus = take(text, ".NEG");
    while (take(text, " ")) continue;
    if (read_number(text, &operand->value)) return true;
    operand->is_float = true;
    if (strstr(text, "NAN") || strstr(text, "INF")) return true;
    strtod(text, &end);
    return end != text && !*end;
}

static bool read_operand(char *text, struct scalar_operand *operand)
{
    *operand = (struct scalar_operand){.kind = SCALAR_NAME};
    while (take(text, " ")) continue;
    const bool number = (*text >= '0' && *text <= '9') ||
                        ((*text == '-' || *text == '+') &&
                         ((text[1] >= '0' && text[1] <= '9') || text[1] == 'I' || text[1] == 'Q' || text[1] == 'S'));
    if (number) return read_immediate(text, operand);
    if (*text == '!' || *text == '~') {
        operand->inverted = true;
        text++;
    }
    if (*text == '-') {
        operand->minus = true;
        text++;
    }
    if (*text == '|') {
        operand->bars = true;
        if (!take(text, "|")) return false;
        text++;
    }
    if (strncmp(text, "c[", 2) == 0) return read_constant(text, operand);
    const bool is_register = *text == 'R' && (text[1] == 'Z' || (text[1] >= '0' && text[1] <= '9'));
    if (is_register) {
        take_part(text, operand);
        operand->kind = SCALAR_REGISTER;
        operand->number = text[1] == 'Z' ? SCALAR_ZERO : (uint32_t)strtoul(text + 1, NULL, 10);
        return true;
    }
    if (*text == 'P' && text[1] && !text[2] && (text[1] == 'T' || (text[1] >= '0' && text[1] <= '6'))) {
        operand->kind = SCALAR_PREDICATE;
        operand->number = text[1] == 'T' ? SCALAR_TRUE : (uint32_t)(text[1] - '0');
        return true;
    }
    if (strlen(text) >= sizeof operand->name) return false;
    strcpy(operand->name, text);
    return true;
}

static bool read_modifiers(char *text, struct scalar_word *read)
{
    char *dot = strchr(text, '.');
    if (dot) *dot++ = 0;
    if (strlen(text) >= sizeof read->operation) return false;
    strcpy(read->operation, text);
    while (dot) {
        char *next = strchr(dot, '.');
        if (next) *next++ = 0;
        if (read->modifier_count == 12 || strlen(dot) >= sizeof read->modifiers[0]) return false;
        strcpy(read->modifiers[read->modifier_count++], dot);
        dot = next;
    }
    return true;
}

bool scalar_read(uint64_t word, const char *text, struct scalar_word *read)
{
    char copy[400], *at = copy;
    *read = (struct scalar_word){.word = word, .guard = SCALAR_TRUE};
    if (strlen(text) >= sizeof copy) return false;
    strcpy(copy, text);
    take(copy, ";");
    if (*at == '@') {
        char *blank = strchr(at, ' ');
        struct scalar_operand guard;
        if (!blank) return false;
        *blank = 0;
        if (!read_operand(at + 1, &guard)) return false;
        read->guard = guard.number;
        read->guard_inverted = guard.inverted;
        at = blank + 1;
    }
    char *rest = strchr(at, ' ');
    if (rest) *rest++ = 0;
    if (!read_modifiers(at, read)) return false;
    while (rest) {
        char *comma = strstr(rest, ", ");
        if (comma) *comma = 0;
        while (*rest == ' ') rest++;
        if (take(rest, ".CC")) read->writes_cc = true;
        if (read->count == 8 || !read_operand(rest, &read->operands[read->count])) return false;
        read->count++;
        rest = comma ? comma + 2 : NULL;
    }
    return true;
}

bool scalar_has(const struct scalar *s, const char *modifier)
{
    for (unsigned i = 0; i < s->word->modifier_count; i++)
        if (strcmp(s->word->modifiers[i], modifier) == 0) return true;
    return false;
}

int scalar_which(const struct scalar *s, const char *const *list, unsigned count)
{
    for (unsigned i = 0; i < s->word->modifier_count; i++)
        for (unsigned n = 0; n < count; n++)
            if (strcmp(s->word->modifiers[i], list[n]) == 0) return (int)n;
    return -1;
}

const char *scalar_modifier(const struct scalar *s, unsigned number)
{
    return number < s->word->modifier_count ? s->word->modifiers[number] : "";
}

/* ---- operands ---- */

static uint32_t bank_word(const struct scalar *s, uint32_t bank, uint32_t offset)
{
    return bank < SCALAR_BANKS && offset / 4 < SCALAR_BANK_WORDS ? s->banks[bank][offset / 4] : 0;
}

static uint32_t lane_word(const struct scalar *s, uint32_t number)
{
    return number < SCALAR_ZERO ? s->in->r[number] : 0;
}

uint64_t scalar_float_bits(const struct scalar *s, bool is_double)
{
    const uint64_t word = s->word->word;
    const uint64_t short_bits = (word >> 20 & 0x7ffff) | (word >> 56 & 1) << 19;
    if (strstr(s->word->operation, "32I")) return word >> 20 & UINT32_MAX;
    return is_double ? short_bits << 44 : short_bits << 12;
}

uint32_t scalar_get(const struct scalar *s, unsigned operand)
{
    const struct scalar_operand *is = &s->word->operands[operand];
    if (is->kind == SCALAR_REGISTER) return lane_word(s, is->number);
    if (is->kind == SCALAR_CONSTANT) return bank_word(s, is->number, is->offset);
    return is->is_float ? (uint32_t)scalar_float_bits(s, false) : (uint32_t)is->value;
}

uint64_t scalar_get64(const struct scalar *s, unsigned operand)
{
    const struct scalar_operand *is = &s->word->operands[operand];
    if (is->kind == SCALAR_REGISTER) return (uint64_t)lane_word(s, is->number + 1) << 32 | lane_word(s, is->number);
    if (is->kind == SCALAR_CONSTANT)
        return (uint64_t)bank_word(s, is->number, is->offset + 4) << 32 | bank_word(s, is->number, is->offset);
    return (uint64_t)is->value;
}

bool scalar_get_predicate(const struct scalar *s, unsigned operand)
{
    const struct scalar_operand *is = &s->word->operands[operand];
    return (is->number == SCALAR_TRUE || s->in->p[is->number]) != is->inverted;
}

void scalar_put(struct scalar *s, unsigned operand, uint32_t value)
{
    const uint32_t number = s->word->operands[operand].number;
    if (number < SCALAR_ZERO) s->out->r[number] = value;
}

void scalar_put64(struct scalar *s, unsigned operand, uint64_t value)
{
    const uint32_t number = s->word->operands[operand].number;
    if (number < SCALAR_ZERO) s->out->r[number] = (uint32_t)value;
    if (number + 1 < SCALAR_ZERO) s->out->r[number + 1] = (uint32_t)(value >> 32);
}

void scalar_put_predicate(struct scalar *s, unsigned operand, bool value)
{
    const uint32_t number = s->word->operands[operand].number;
    if (number < SCALAR_TRUE) s->out->p[number] = value;
}

/* ---- condition codes ---- */

void scalar_flags(struct scalar *s, bool z, bool sign, bool c, bool o)
{
    if (!s->word->writes_cc) return;
    s->out->z = z;
    s->out->s = sign;
    s->out->c = c;
    s->out->o = o;
}

void scalar_logic_flags(struct scalar *s, uint32_t result) { scalar_flags(s, !result, result >> 31, false, false); }

bool scalar_combine(const struct scalar *s, bool a, bool b)
{
    if (scalar_has(s, "AND")) return a && b;
    if (scalar_has(s, "OR")) return a || b;
    return a != b;
}

bool scalar_cc_test(const struct scalar *s, const char *test)
{
    const bool Z = s->in->z, S = s->in->s, C = s->in->c, O = s->in->o;
    const struct {
        const char *test;
        bool holds;
    } rows[] = {{"F", false},
                {"T", true},
                {"LT", (S && !Z) != O},
                {"LTU", S != O},
                {"EQ", Z && !S},
                {"EQU", Z},
                {"LE", S != (Z || O)},
                {"LEU", (S != O) || Z},
                {"GT", (!S != O) && !Z},
                {"GTU", !S != (Z || O)},
                {"NE", !Z},
                {"NEU", S || !Z},
                {"GE", S == O},
                {"GEU", (!S || Z) != O},
                {"NUM", !(S && Z)},
                {"NAN", S && Z},
                {"OFF", !O},
                {"OFT", O},
                {"LO", !C},
                {"HS", C},
                {"SFF", !S},
                {"SFT", S},
                {"LS", Z || !C},
                {"HI", C && !Z},
                {"RLE", S || Z},
                {"RGT", !S && !Z}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].test, test) == 0) return rows[i].holds;
    return false; /* tests of a pixel's clip state, which nothing has */
}

/* ---- operations ---- */

scalar_fn *scalar_find(const char *operation)
{
    const struct scalar_row *const lists[] = {scalar_integer_rows, scalar_video_rows, scalar_float_rows,
                                              scalar_convert_rows, scalar_lane_rows};
    for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct scalar_row *row = lists[i]; row->operation; row++)
            if (strcmp(row->operation, operation) == 0) return row->run;
    return NULL;
}
