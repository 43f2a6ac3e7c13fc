/* See expression.h. */
#include "expression.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const files[] = {
    [SCH_FILE_CONSTANT] = "CONST", [SCH_FILE_INPUT] = "IN",     [SCH_FILE_OUTPUT] = "OUT",
    [SCH_FILE_TEMPORARY] = "TEMP", [SCH_FILE_ADDRESS] = "ADDR", [SCH_FILE_IMMEDIATE] = "IMM",
    [SCH_FILE_SYSTEM_VALUE] = "SV"};
enum { FILES = sizeof files / sizeof *files };

void sch_debugger_register_name(const struct sch_debug_register *which, bool several_vertices,
                                char name[SCH_DEBUGGER_NAME_BYTES])
{
    const bool dimension = which->file == SCH_FILE_CONSTANT || (which->file == SCH_FILE_INPUT && several_vertices);
    if (dimension)
        snprintf(name, SCH_DEBUGGER_NAME_BYTES, "%s[%" PRIu32 "][%" PRIu32 "]", files[which->file], which->dimension,
                 which->index);
    else
        snprintf(name, SCH_DEBUGGER_NAME_BYTES, "%s[%" PRIu32 "]", files[which->file], which->index);
}

bool sch_debugger_shown_name(const struct sch_debugger_subject *subject, const struct sch_debug_register *which,
                             char name[SCH_DEBUGGER_NAME_BYTES])
{
    const struct sch_debugger_target *target = subject->target;
    if (target->has_names && sch_debugger_target_name(target, which, name)) return true;
    sch_debugger_register_name(which, subject->several_vertices, name);
    return !target->has_names;
}

/* ---- operands ---- */

static void skip_blanks(const char **text) { *text += strspn(*text, " \t"); }

static bool take(const char **text, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0) return false;
    *text += length;
    return true;
}

/* [N] */
static bool take_index(const char **text, uint32_t *index)
{
    uint64_t value = 0;
    const char *at = *text;
    if (*at++ != '[' || !isdigit((unsigned char)*at)) return false;
    for (; isdigit((unsigned char)*at); at++) {
        value = value * 10 + (uint64_t)(*at - '0');
        if (value > UINT32_MAX) return false;
    }
    if (*at++ != ']') return false;
    *index = (uint32_t)value;
    *text = at;
    return true;
}

/* Up to four of xyzw, none of which need be different. */
static bool take_channels(const char **text, struct sch_debugger_operand *operand)
{
    static const char letters[] = "xyzw";
    operand->count = 0;
    for (const char *found; **text && (found = strchr(letters, **text)) != NULL; ++*text) {
        if (operand->count == 4) return false;
        operand->channel[operand->count++] = (uint8_t)(found - letters);
    }
    return operand->count && !isalnum((unsigned char)**text) && **text != '_';
}

/* TEMP[0], CONST[1][2] */
static bool take_register(const char **text, struct sch_debug_register *which)
{
    const char *at = *text;
    uint32_t first;
    unsigned file = 0;
    const size_t length = strcspn(at, "[");
    while (file < FILES && !(files[file] && strlen(files[file]) == length && strncmp(at, files[file], length) == 0))
        file++;
    if (file == FILES) return false;
    at += length;
    if (!take_index(&at, &first)) return false;
    *which = (struct sch_debug_register){(enum sch_file)file, 0, first};
    if (*at == '[') {
        which->dimension = first;
        if ((file != SCH_FILE_INPUT && file != SCH_FILE_CONSTANT) || !take_index(&at, &which->index)) return false;
    }
    *text = at;
    return true;
}

/* r0, cb0[2] */
static bool take_own_register(const struct sch_debugger_subject *subject, const char **text,
                              struct sch_debug_register *which)
{
    const struct sch_debugger_target *target = subject->target;
    return target->has_names && sch_debugger_target_find(target, text, which);
}

bool sch_debugger_read_operand(const struct sch_debugger_subject *subject, const char **text,
                               struct sch_debugger_operand *operand)
{
    const char *at = *text;
    const uint32_t components = subject->target->components;
    *operand = (struct sch_debugger_operand){.channel = {0, 1, 2, 3}, .count = components, .plain = true};
    if (!(components > 1 && take_register(&at, &operand->which)) && !take_own_register(subject, &at, &operand->which))
        return false;
    if (*at == '.' && components > 1) {
        at++;
        operand->plain = false;
        if (!take_channels(&at, operand)) return false;
    }
    *text = at;
    return true;
}

uint32_t sch_debugger_channels(const struct sch_debugger_operand *operand)
{
    uint32_t channels = 0;
    for (unsigned c = 0; c < operand->count; c++) channels |= 1u << operand->channel[c];
    return channels;
}

/* ---- conditions ---- */

static bool wrong(char problem[160], const char *what)
{
    snprintf(problem, 160, "%s; a condition is [any] REGISTER.c OP NUMBER, as TEMP[0].x > 1.5", what);
    return false;
}

static bool take_cast(const char **text, enum sch_debugger_type *type)
{
    static const char *const casts[] = {
        [SCH_DEBUGGER_FLOAT] = "float(", [SCH_DEBUGGER_INT] = "int(", [SCH_DEBUGGER_UINT] = "uint("};
    for (unsigned t = SCH_DEBUGGER_FLOAT; t <= SCH_DEBUGGER_UINT; t++) {
        if (!take(text, casts[t])) continue;
        *type = (enum sch_debugger_type)t;
        return true;
    }
    return false;
}

static bool take_comparison(const char **text, enum sch_compare *compare)
{
    static const struct {
        const char *word;
        enum sch_compare compare;
    } words[] = {{"==", SCH_COMPARE_EQUAL},  {"!=", SCH_COMPARE_NOTEQUAL}, {"<=", SCH_COMPARE_LEQUAL},
                 {">=", SCH_COMPARE_GEQUAL}, {"<", SCH_COMPARE_LESS},      {">", SCH_COMPARE_GREATER}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!take(text, words[i].word)) continue;
        *compare = words[i].compare;
        return true;
    }
    return false;
}

/* Digits are what the register holds, and a word is bits of it; what is spelled as a float or as an integer is compared
 * with a register that holds such. */
static bool read_number(const struct sch_debugger_subject *subject, const char *text, enum sch_debugger_type *type,
                        uint32_t *bits)
{
    const size_t sign = *text == '-' || *text == '+';
    const bool whole = text[sign] && !text[sign + strspn(text + sign, "0123456789")];
    const bool for_integer = *type == SCH_DEBUGGER_INT || *type == SCH_DEBUGGER_UINT;
    char integer[80];
    enum sch_debugger_type spelled;
    snprintf(integer, sizeof integer, "%s%c", text, *type == SCH_DEBUGGER_INT ? 'i' : 'u');
    if (!subject->read_value(whole && for_integer ? integer : text, &spelled, bits)) return false;
    if (spelled == SCH_DEBUGGER_HEX) {
        if (*type == SCH_DEBUGGER_UNKNOWN) *type = SCH_DEBUGGER_UINT;
        return true;
    }
    if (*type == SCH_DEBUGGER_UNKNOWN) *type = spelled;
    return (spelled == SCH_DEBUGGER_FLOAT) == (*type == SCH_DEBUGGER_FLOAT);
}

bool sch_debugger_read_condition(const struct sch_debugger_subject *subject, const char *text,
                                 struct sch_debug_breakpoint *breakpoint, char problem[160])
{
    static const enum sch_debug_type types[] = {SCH_DEBUG_F32, SCH_DEBUG_F32, SCH_DEBUG_I32, SCH_DEBUG_U32};
    struct sch_debugger_operand operand;
    enum sch_debugger_type type = SCH_DEBUGGER_UNKNOWN, of[4];
    uint32_t words[4][SCH_DEBUGGER_LANES];
    char number[64];
    skip_blanks(&text);
    breakpoint->some_lane = take(&text, "any ");
    skip_blanks(&text);
    const bool cast = take_cast(&text, &type);
    skip_blanks(&text);
    if (!sch_debugger_read_operand(subject, &text, &operand) || operand.count != 1)
        return wrong(problem, "it begins with no component of a register");
    if (sch_debugger_target_read(subject->target, &operand.which, words) != SCH_OK)
        return wrong(problem, "the program has no such register");
    skip_blanks(&text);
    if (cast && !take(&text, ")")) return wrong(problem, "a ) is missing");
    skip_blanks(&text);
    if (!take_comparison(&text, &breakpoint->compare)) return wrong(problem, "there is no comparison");
    skip_blanks(&text);
    snprintf(number, sizeof number, "%s", text);
    for (size_t end = strlen(number); end && (number[end - 1] == ' ' || number[end - 1] == '\t');) number[--end] = 0;
    subject->types(subject->user, &operand.which, of);
    if (type == SCH_DEBUGGER_UNKNOWN) type = of[operand.channel[0]];
    if (strlen(text) >= sizeof number || !read_number(subject, number, &type, &breakpoint->value))
        return wrong(problem, "what it is compared with is not a number of the register's type");
    breakpoint->of = operand.which;
    breakpoint->channel = operand.channel[0];
    breakpoint->type = types[type];
    return true;
}
