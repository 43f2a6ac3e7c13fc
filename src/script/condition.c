/* todo(...), bug(...), if(...), fail(...), notimpl(...), and their conditions: | of & of terms; a term is !term,
 * (condition), sm OP VERSION, TAG or TAG OP VERSION. No tag (msl, vulkan, ...) holds. */
#include <ctype.h>

#include "text.h"

enum { DEEPEST = 16 };

enum relation { LESS = 1, EQUAL = 2, GREATER = 4 }; /* bits: any of them */

/* 0: there is none. */
static int read_operator(struct sch_script_text *text)
{
    static const struct sch_script_choice signs[] = {
        {"<=", LESS | EQUAL}, {">=", GREATER | EQUAL}, {"==", EQUAL}, {"!=", LESS | GREATER},
        {"<", LESS},          {">", GREATER},          {NULL, 0}};
    int relation = 0;
    sch_script_choose(text, signs, &relation);
    return relation;
}

/* M.m; further parts, which versions of drivers have, are passed over. */
static bool read_version(struct sch_script_text *text, unsigned *version)
{
    unsigned major = 0, minor = 0, part = 0;
    sch_cursor_blanks(&text->cursor);
    do {
        unsigned value = 0, digits = 0;
        for (; text->cursor.at < text->cursor.end && isdigit((unsigned char)*text->cursor.at);
             text->cursor.at++, digits++)
            value = value < 1000 ? value * 10 + (unsigned)(*text->cursor.at - '0') : value;
        if (!digits) return false;
        if (part == 0) major = value;
        if (part++ == 1) minor = value;
    } while (text->cursor.at < text->cursor.end && *text->cursor.at == '.' && text->cursor.at++);
    *version = major * 10 + (minor < 10 ? minor : 9);
    return true;
}

static bool read_any(struct sch_script_text *text, unsigned model, unsigned depth, bool *holds);

static bool read_term(struct sch_script_text *text, unsigned model, unsigned depth, bool *holds)
{
    unsigned version;
    if (depth > DEEPEST) return false;
    if (sch_cursor_char(&text->cursor, '!')) {
        if (!read_term(text, model, depth + 1, holds)) return false;
        *holds = !*holds;
        return true;
    }
    if (sch_cursor_char(&text->cursor, '('))
        return read_any(text, model, depth + 1, holds) && sch_cursor_char(&text->cursor, ')');
    bool is_model = sch_cursor_words(&text->cursor, "sm");
    const char *tag = text->cursor.at;
    while (!is_model && text->cursor.at < text->cursor.end && sch_text_in_word(*text->cursor.at)) text->cursor.at++;
    if (!is_model && text->cursor.at == tag) return false;
    const int relation = read_operator(text);
    if (!relation) {
        *holds = false;
        return !is_model;
    }
    if (!read_version(text, &version)) return false;
    *holds = is_model && relation & (model < version ? LESS : model > version ? GREATER : EQUAL);
    return true;
}

static bool read_all(struct sch_script_text *text, unsigned model, unsigned depth, bool *holds)
{
    bool other;
    if (!read_term(text, model, depth, holds)) return false;
    while (sch_cursor_char(&text->cursor, '&')) {
        if (!read_term(text, model, depth, &other)) return false;
        *holds = *holds && other;
    }
    return true;
}

static bool read_any(struct sch_script_text *text, unsigned model, unsigned depth, bool *holds)
{
    bool other;
    if (!read_all(text, model, depth, holds)) return false;
    while (sch_cursor_char(&text->cursor, '|')) {
        if (!read_all(text, model, depth, &other)) return false;
        *holds = *holds || other;
    }
    return true;
}

/* Whether `condition` holds at a shader model. False: it is not a condition. */
static bool read_condition(struct sch_script_string condition, unsigned model, bool *holds)
{
    struct sch_script_text text = {.cursor = sch_cursor_begin(condition.text, condition.bytes)};
    *holds = true;
    if (!condition.bytes) return true;
    if (!read_any(&text, model, 0, holds)) return false;
    sch_cursor_blanks(&text.cursor);
    return text.cursor.at == text.cursor.end;
}

static const char *const prefix_words[] = {[SCH_SCRIPT_TODO] = "todo",
                                           [SCH_SCRIPT_BUG] = "bug",
                                           [SCH_SCRIPT_IF] = "if",
                                           [SCH_SCRIPT_FAIL] = "fail",
                                           [SCH_SCRIPT_NOTIMPL] = "notimpl"};

/* The text between parentheses; false when they do not close. */
static bool read_parentheses(struct sch_script_text *text, struct sch_script_string *span)
{
    unsigned depth = 1;
    span->text = text->cursor.at;
    for (; text->cursor.at < text->cursor.end; text->cursor.at++) {
        if (*text->cursor.at == '(') depth++;
        if (*text->cursor.at == ')' && --depth == 0) {
            span->bytes = (size_t)(text->cursor.at++ - span->text);
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
            if (!(words >> i & 1) || !sch_cursor_words(&text->cursor, prefix_words[i])) continue;
            found = true;
            struct sch_script_text place = *text;
            if (sch_cursor_char(&text->cursor, '(') &&
                (!read_parentheses(text, &prefix.condition) || !read_condition(prefix.condition, 0, &holds))) {
                sch_script_refuse(&place, "SCRIPT_CONDITION", "this is not a condition");
                return;
            }
            if (item->prefixes == SCH_SCRIPT_PREFIXES) {
                sch_script_refuse(&place, "SCRIPT_CONDITION", "more than %d of todo, bug, if, fail and notimpl",
                                  SCH_SCRIPT_PREFIXES);
                return;
            }
            item->prefix[item->prefixes++] = prefix;
        }
    }
}

/* For a condition that was read before. */
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
