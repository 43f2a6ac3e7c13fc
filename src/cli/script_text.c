/* Words, numbers and conditions of scripts; their errors. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

enum { MOST_ERRORS = 20, DEEPEST = 16, LONGEST_NUMBER = 64 };

void sch_script_error(struct sch_script_text *text, const char *name, const char *format, ...)
{
    if (text->script->errors++ >= MOST_ERRORS) return;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const char *line = text->at, *begin = text->script->input.data;
    while (line > begin && line[-1] != '\n') line--;
    struct sch_cli_place place = {&text->script->input, text->line, (uint32_t)(text->at - line) + 1};
    sch_cli_report(&place, sch_cli_error_number(name), "%s", message);
}

void sch_script_blanks(struct sch_script_text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t' || *text->at == '\r')) text->at++;
}

bool sch_script_at_end(struct sch_script_text *text)
{
    sch_script_blanks(text);
    return text->at == text->end || *text->at == '%' || *text->at == '#' || *text->at == '\n';
}

bool sch_script_char(struct sch_script_text *text, char c)
{
    sch_script_blanks(text);
    if (text->at == text->end || *text->at != c) return false;
    text->at++;
    return true;
}

static bool is_word_character(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool sch_script_words(struct sch_script_text *text, const char *words)
{
    struct sch_script_text from = *text;
    sch_script_blanks(text);
    for (; *words; words++) {
        if (*words == ' ') {
            sch_script_blanks(text);
        } else if (text->at < text->end && *text->at == *words) {
            text->at++;
        } else {
            *text = from;
            return false;
        }
    }
    if (text->at < text->end && is_word_character(text->at[-1]) && is_word_character(*text->at)) {
        *text = from;
        return false;
    }
    return true;
}

/* The characters of a number as a string of its own; 0: there are none, or too many. */
static size_t copy_number(struct sch_script_text *text, char copy[LONGEST_NUMBER])
{
    size_t bytes = 0;
    sch_script_blanks(text);
    for (const char *at = text->at; at < text->end; at++, bytes++) {
        bool sign = *at == '-' || *at == '+';
        if (!is_word_character(*at) && *at != '.' && !sign) break;
        if (sign && bytes && !strchr("eEpP", at[-1])) break;
        if (bytes + 1 == LONGEST_NUMBER) return 0;
        copy[bytes] = *at;
    }
    copy[bytes] = 0;
    return bytes;
}

/* An integer, decimal or 0x..., as 64 bits; `low` and `high` are what the type holds. */
static bool read_integer(const char *copy, int64_t low, uint64_t high, uint64_t *bits)
{
    bool minus = *copy == '-';
    const char *digits = copy + (minus || *copy == '+');
    bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;
    if (!isdigit((unsigned char)*digits)) return false;
    errno = 0;
    uint64_t value = strtoull(digits, &end, hexadecimal ? 16 : 10);
    if (*end || errno) return false;
    if (minus) {
        if (value > (uint64_t)0 - (uint64_t)low) return false;
        value = 0 - value;
    } else if (value > high) {
        return false;
    }
    *bits = value;
    return true;
}

bool sch_script_uint(struct sch_script_text *text, uint32_t high, uint32_t *value)
{
    char copy[LONGEST_NUMBER];
    uint64_t bits;
    size_t bytes = copy_number(text, copy);
    if (!bytes || !read_integer(copy, 0, high, &bits)) return false;
    text->at += bytes;
    *value = (uint32_t)bits;
    return true;
}

bool sch_script_word32(struct sch_script_text *text, enum sch_script_number number, uint32_t *bits)
{
    char copy[LONGEST_NUMBER], *end;
    size_t bytes = copy_number(text, copy);
    if (!bytes) return false;
    if (number == SCH_SCRIPT_FLOAT) {
        float value = strtof(copy, &end); /* too large: infinity, which is how scripts write it */
        if (*end) return false;
        memcpy(bits, &value, sizeof *bits);
    } else {
        /* Either type may be written as the other: -1 for 0xffffffff. */
        uint64_t value;
        if (!read_integer(copy, INT32_MIN, UINT32_MAX, &value)) return false;
        *bits = (uint32_t)value;
    }
    text->at += bytes;
    return true;
}

bool sch_script_word64(struct sch_script_text *text, enum sch_script_number number, uint64_t *bits)
{
    char copy[LONGEST_NUMBER], *end;
    size_t bytes = copy_number(text, copy);
    if (!bytes) return false;
    if (number == SCH_SCRIPT_FLOAT) {
        double value = strtod(copy, &end);
        if (*end) return false;
        memcpy(bits, &value, sizeof *bits);
    } else if (!read_integer(copy, INT64_MIN, UINT64_MAX, bits)) {
        return false;
    }
    text->at += bytes;
    return true;
}

/* ---- conditions: | of & of terms; a term is !term, (condition), sm OP VERSION, TAG or TAG OP VERSION ------------- */

enum relation { LESS, LESS_EQUAL, EQUAL, NOT_EQUAL, GREATER_EQUAL, GREATER, NONE };

static enum relation read_operator(struct sch_script_text *text)
{
    static const struct {
        const char *sign;
        enum relation relation;
    } signs[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"==", EQUAL},
                 {"!=", NOT_EQUAL},  {"<", LESS},           {">", GREATER}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (sch_script_words(text, signs[i].sign)) return signs[i].relation;
    return NONE;
}

static bool compare(unsigned a, enum relation relation, unsigned b)
{
    switch (relation) {
    case LESS:
        return a < b;
    case LESS_EQUAL:
        return a <= b;
    case EQUAL:
        return a == b;
    case NOT_EQUAL:
        return a != b;
    case GREATER_EQUAL:
        return a >= b;
    default:
        return a > b;
    }
}

/* M.m; further parts, which versions of drivers have, are passed over. */
static bool read_version(struct sch_script_text *text, unsigned *version)
{
    unsigned major = 0, minor = 0, part = 0;
    sch_script_blanks(text);
    do {
        unsigned value = 0, digits = 0;
        for (; text->at < text->end && isdigit((unsigned char)*text->at); text->at++, digits++)
            value = value < 1000 ? value * 10 + (unsigned)(*text->at - '0') : value;
        if (!digits) return false;
        if (part == 0) major = value;
        if (part++ == 1) minor = value;
    } while (text->at < text->end && *text->at == '.' && text->at++);
    *version = major * 10 + (minor < 10 ? minor : 9);
    return true;
}

static bool read_any(struct sch_script_text *text, unsigned model, unsigned depth, bool *holds);

static bool read_term(struct sch_script_text *text, unsigned model, unsigned depth, bool *holds)
{
    unsigned version;
    if (depth > DEEPEST) return false;
    if (sch_script_char(text, '!')) {
        if (!read_term(text, model, depth + 1, holds)) return false;
        *holds = !*holds;
        return true;
    }
    if (sch_script_char(text, '(')) return read_any(text, model, depth + 1, holds) && sch_script_char(text, ')');
    bool is_model = sch_script_words(text, "sm");
    const char *tag = text->at;
    while (!is_model && text->at < text->end && is_word_character(*text->at)) text->at++;
    if (!is_model && text->at == tag) return false;
    enum relation relation = read_operator(text);
    if (relation == NONE) {
        *holds = false;
        return !is_model;
    }
    if (!read_version(text, &version)) return false;
    *holds = is_model && compare(model, relation, version);
    return true;
}

static bool read_all(struct sch_script_text *text, unsigned model, unsigned depth, bool *holds)
{
    bool other;
    if (!read_term(text, model, depth, holds)) return false;
    while (sch_script_char(text, '&')) {
        if (!read_term(text, model, depth, &other)) return false;
        *holds = *holds && other;
    }
    return true;
}

static bool read_any(struct sch_script_text *text, unsigned model, unsigned depth, bool *holds)
{
    bool other;
    if (!read_all(text, model, depth, holds)) return false;
    while (sch_script_char(text, '|')) {
        if (!read_all(text, model, depth, &other)) return false;
        *holds = *holds || other;
    }
    return true;
}

/* Whether `condition` holds at a shader model; no tag (msl, vulkan, ...) holds. False: it is no condition. */
static bool read_condition(struct sch_script_span condition, unsigned model, bool *holds)
{
    struct sch_script_text text = {.at = condition.text, .end = condition.text + condition.bytes};
    *holds = true;
    if (!condition.bytes) return true;
    if (!read_any(&text, model, 0, holds)) return false;
    sch_script_blanks(&text);
    return text.at == text.end;
}

static const char *const prefix_words[] = {[SCH_SCRIPT_TODO] = "todo",
                                           [SCH_SCRIPT_BUG] = "bug",
                                           [SCH_SCRIPT_IF] = "if",
                                           [SCH_SCRIPT_FAIL] = "fail",
                                           [SCH_SCRIPT_NOTIMPL] = "notimpl"};

/* The text between parentheses; false when they do not close. */
static bool read_parentheses(struct sch_script_text *text, struct sch_script_span *span)
{
    unsigned depth = 1;
    span->text = text->at;
    for (; text->at < text->end; text->at++) {
        if (*text->at == '(') depth++;
        if (*text->at == ')' && --depth == 0) {
            span->bytes = (size_t)(text->at++ - span->text);
            return span->bytes > 0;
        }
    }
    return false;
}

void sch_script_prefixes(struct sch_script_text *text, struct sch_script_item *item, unsigned words)
{
    bool holds;
    for (bool found = true; found;) {
        found = false;
        for (unsigned i = 0; i < sizeof prefix_words / sizeof *prefix_words; i++) {
            struct sch_script_prefix prefix = {.word = (enum sch_script_word)i};
            if (!(words >> i & 1) || !sch_script_words(text, prefix_words[i])) continue;
            found = true;
            struct sch_script_text place = *text;
            if (sch_script_char(text, '(') &&
                (!read_parentheses(text, &prefix.condition) || !read_condition(prefix.condition, 0, &holds))) {
                sch_script_error(&place, "SCRIPT_CONDITION", "this is no condition");
                return;
            }
            if (item->prefixes == SCH_SCRIPT_PREFIXES) {
                sch_script_error(&place, "SCRIPT_CONDITION", "more than %d of todo, bug, if, fail and notimpl",
                                 SCH_SCRIPT_PREFIXES);
                return;
            }
            item->prefix[item->prefixes++] = prefix;
        }
    }
}

/* Of a condition that was read before. */
static bool holds(const struct sch_script_prefix *prefix, unsigned model)
{
    bool holds;
    read_condition(prefix->condition, model, &holds);
    return holds;
}

bool sch_script_holds(const struct sch_script_item *item, unsigned words, unsigned model)
{
    for (unsigned i = 0; i < item->prefixes; i++)
        if (words >> item->prefix[i].word & 1 && holds(&item->prefix[i], model)) return true;
    return false;
}

bool sch_script_applies(const struct sch_script_item *item, unsigned model)
{
    for (unsigned i = 0; i < item->prefixes; i++)
        if (item->prefix[i].word == SCH_SCRIPT_IF && !holds(&item->prefix[i], model)) return false;
    return true;
}
