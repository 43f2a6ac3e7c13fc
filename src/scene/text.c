/* Tokens of scenes, the words and numbers that all statements are made of, and errors. */
#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_NUMBER = 64 };

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static void report(struct sch_scene_text *text, const struct sch_scene_place *place, const char *name,
                   const char *format, va_list arguments)
{
    text->wrong = true;
    if (text->scene->errors++ >= SCH_SCENE_ERRORS) return;
    char message[512];
    const int bytes = vsnprintf(message, sizeof message, format, arguments);
    const bool unknown = place->offset == text->token.place.offset && text->nearest.word == text->token.text;
    if (unknown && strcmp(name, "SCENE_SYNTAX") != 0 && bytes >= 0 && (size_t)bytes < sizeof message)
        snprintf(message + bytes, sizeof message - (size_t)bytes, "%s", sch_nearest_said(&text->nearest));
    const struct sch_diagnostic_info info = {.size = sizeof info,
                                             .severity = SCH_SEVERITY_ERROR,
                                             .code = sch_error_number(name),
                                             .line = place->line,
                                             .column = place->column,
                                             .offset = place->offset,
                                             .source = text->scene->name,
                                             .message = message};
    text->host->report(text->host->user, &info);
}

void sch_scene_warn_of_file(struct sch_scene_text *text, const struct sch_scene_place *place, unsigned code,
                            const char *path, const char *message)
{
    char named[512];
    const struct sch_diagnostic_info info = {.size = sizeof info,
                                             .severity = SCH_SEVERITY_WARNING,
                                             .code = code,
                                             .line = place->line,
                                             .column = place->column,
                                             .offset = place->offset,
                                             .source = text->scene->name,
                                             .message = named};
    snprintf(named, sizeof named, "%s: %s", path, message);
    text->host->report(text->host->user, &info);
}

bool sch_scene_refuse_at(struct sch_scene_text *text, const struct sch_scene_place *place, const char *name,
                         const char *format, ...)
{
    if (text->wrong) return false;
    va_list arguments;
    va_start(arguments, format);
    report(text, place, name, format, arguments);
    va_end(arguments);
    return false;
}

bool sch_scene_refuse(struct sch_scene_text *text, const char *name, const char *format, ...)
{
    if (text->wrong) return false;
    va_list arguments;
    va_start(arguments, format);
    report(text, &text->token.place, name, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

/* Blanks, commas and comments mean nothing. A backslash before the end of a line continues it. */
static void skip_blanks(struct sch_cursor *cursor)
{
    for (;; cursor->at++) {
        sch_cursor_blanks(cursor);
        if (cursor->at == cursor->end) return;
        const char *at = cursor->at; /* a zero byte follows the text */
        if (*at == '#')
            while (cursor->at + 1 < cursor->end && cursor->at[1] != '\n') cursor->at++;
        else if (*at == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'))) {
            sch_cursor_next_line(cursor);
            cursor->at--;
        } else if (*at != ',')
            return;
    }
}

static bool ends_atom(char c) { return (unsigned char)c <= ' ' || strchr("{}=*;,#\"\\", c); }

static void take_string(struct sch_scene_text *text, struct sch_scene_token *token)
{
    struct sch_cursor *cursor = &text->cursor;
    token->kind = SCH_SCENE_STRING;
    token->text = ++cursor->at;
    while (cursor->at < cursor->end && *cursor->at != '"' && *cursor->at != '\n') cursor->at++;
    token->bytes = (size_t)(cursor->at - token->text);
    if (cursor->at < cursor->end && *cursor->at == '"')
        cursor->at++;
    else
        sch_scene_refuse(text, "SCENE_SYNTAX", "a string ends with \" on its line");
}

void sch_scene_next(struct sch_scene_text *text)
{
    struct sch_cursor *cursor = &text->cursor;
    struct sch_scene_token *token = &text->token;
    skip_blanks(cursor);
    token->place =
        (struct sch_scene_place){cursor->number, sch_cursor_column(cursor), (size_t)(cursor->at - text->scene->text)};
    token->text = cursor->at;
    token->bytes = 1;
    if (cursor->at == cursor->end) {
        token->kind = SCH_SCENE_TEXT_END;
        token->bytes = 0;
    } else if (*cursor->at == '\n' || *cursor->at == ';') {
        token->kind = SCH_SCENE_LINE_END;
        if (*cursor->at == '\n')
            sch_cursor_next_line(cursor);
        else
            cursor->at++;
    } else if (*cursor->at == '"') {
        take_string(text, token);
    } else if (strchr("{}=*", *cursor->at)) {
        token->kind = SCH_SCENE_SIGN;
        cursor->at++;
    } else {
        token->kind = SCH_SCENE_ATOM;
        do cursor->at++;
        while (cursor->at < cursor->end && !ends_atom(*cursor->at));
        token->bytes = (size_t)(cursor->at - token->text);
    }
}

void sch_scene_try(struct sch_scene_text *text, const char *word)
{
    if (text->token.kind != SCH_SCENE_ATOM || !isalpha((unsigned char)*text->token.text)) return;
    if (text->nearest.word != text->token.text) text->nearest = sch_nearest_to(text->token.text, text->token.bytes);
    sch_nearest_offer(&text->nearest, word);
}

bool sch_scene_is(struct sch_scene_text *text, const char *word)
{
    const struct sch_scene_token *token = &text->token;
    if (token->kind == SCH_SCENE_ATOM && token->bytes == strlen(word) && memcmp(token->text, word, token->bytes) == 0)
        return true;
    sch_scene_try(text, word);
    return false;
}

bool sch_scene_word(struct sch_scene_text *text, const char *word)
{
    if (!sch_scene_is(text, word)) return false;
    sch_scene_next(text);
    return true;
}

bool sch_scene_sign(struct sch_scene_text *text, char sign)
{
    if (text->token.kind != SCH_SCENE_SIGN || *text->token.text != sign) return false;
    sch_scene_next(text);
    return true;
}

bool sch_scene_at_end(const struct sch_scene_text *text)
{
    return text->wrong || text->token.kind == SCH_SCENE_LINE_END || text->token.kind == SCH_SCENE_TEXT_END ||
           (text->token.kind == SCH_SCENE_SIGN && *text->token.text == '}');
}

void sch_scene_skip_lines(struct sch_scene_text *text)
{
    while (text->token.kind == SCH_SCENE_LINE_END && !text->wrong) sch_scene_next(text);
}

bool sch_scene_open(struct sch_scene_text *text)
{
    if (!sch_scene_sign(text, '{')) return sch_scene_refuse(text, "SCENE_SYNTAX", "expected {");
    sch_scene_skip_lines(text);
    return !text->wrong;
}

bool sch_scene_end(struct sch_scene_text *text)
{
    if (!sch_scene_at_end(text)) return sch_scene_refuse(text, "SCENE_SYNTAX", "the statement ends here");
    if (text->token.kind == SCH_SCENE_LINE_END) sch_scene_skip_lines(text);
    return !text->wrong;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

bool sch_scene_choice(struct sch_scene_text *text, const char *const *words, const char *what, uint32_t *number)
{
    for (uint32_t n = 0; words[n]; n++) {
        if (!*words[n] || !sch_scene_word(text, words[n])) continue;
        *number = n;
        return true;
    }
    char list[400] = "";
    for (; *words; words++)
        if (**words) sch_text_add(list, sizeof list, "%s%s", *list ? ", " : "", *words);
    return sch_scene_refuse(text, "SCENE_WORD", "%s is one of %s", what, list);
}

bool sch_scene_bool(struct sch_scene_text *text, bool *value)
{
    static const char *const words[] = {"on", "off", "true", "false", NULL};
    uint32_t chosen = 0;
    if (!sch_scene_choice(text, words, "it", &chosen)) return false;
    *value = !(chosen & 1);
    return true;
}

bool sch_scene_format(struct sch_scene_text *text, enum sch_format *format)
{
    char name[64] = "";
    if (text->token.kind == SCH_SCENE_ATOM && text->token.bytes < sizeof name)
        memcpy(name, text->token.text, text->token.bytes);
    *format = sch_format_by_name(name);
    struct sch_name_info row = {.size = sizeof row};
    for (size_t i = 0; *format == SCH_FORMAT_NONE && sch_table_name(SCH_NAMES_FORMATS, i, &row); i++)
        sch_scene_try(text, row.name);
    if (*format == SCH_FORMAT_NONE)
        return sch_scene_refuse(text, "SCENE_WORD", "there is no such format (scheelite list formats)");
    sch_scene_next(text);
    return true;
}

const char *sch_scene_string(struct sch_scene_text *text, const char *what)
{
    if (text->token.kind != SCH_SCENE_STRING) {
        sch_scene_refuse(text, "SCENE_SYNTAX", "expected %s in quotes", what);
        return NULL;
    }
    char *copy = sch_scene_alloc(text->scene, text->token.bytes + 1);
    if (!copy) return NULL;
    memcpy(copy, text->token.text, text->token.bytes);
    sch_scene_next(text);
    return text->wrong ? NULL : copy;
}

const struct sch_scene_object *sch_scene_named(struct sch_scene_text *text, enum sch_scene_kind kind)
{
    if (text->token.kind != SCH_SCENE_ATOM) {
        sch_scene_refuse(text, "SCENE_NAME", "expected the name of a %s", sch_scene_kind_words[kind]);
        return NULL;
    }
    struct sch_scene_object *object = sch_scene_find(text->scene, text->token.text, text->token.bytes);
    if (object && object->kind == kind) {
        sch_scene_next(text);
        return object;
    }
    const int bytes = text->token.bytes < 64 ? (int)text->token.bytes : 64;
    text->nearest.word = NULL; /* objects alone are meant */
    for (const struct sch_scene_object *other = object ? NULL : text->scene->objects; other; other = other->next)
        if (other->kind == kind) sch_scene_try(text, other->name);
    if (object)
        sch_scene_refuse(text, "SCENE_NAME", "%s is a %s, not a %s", object->name, sch_scene_kind_words[object->kind],
                         sch_scene_kind_words[kind]);
    else
        sch_scene_refuse(text, "SCENE_NAME", "no %s above has the name %.*s", sch_scene_kind_words[kind], bytes,
                         text->token.text);
    return NULL;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static bool is_special(const char *digits)
{
    return strcasecmp(digits, "inf") == 0 || strcasecmp(digits, "infinity") == 0 || strcasecmp(digits, "nan") == 0;
}

/* What strtod reads beyond the numbers of scenes: hexadecimal floats and nan(...). */
static bool is_plain(const char *copy)
{
    const char *digits = copy + (*copy == '-' || *copy == '+');
    if (is_special(digits)) return true;
    return *digits && digits[strspn(digits, "0123456789.eE+-")] == 0;
}

bool sch_scene_parse_number(const char *text, size_t bytes, struct sch_scene_number *number)
{
    char copy[LONGEST_NUMBER], *end;
    *number = (struct sch_scene_number){0};
    if (!bytes || bytes >= sizeof copy) return false;
    memcpy(copy, text, bytes);
    copy[bytes] = 0;
    number->whole = sch_text_integer(text, bytes, INT64_MIN, UINT64_MAX, &number->integer);
    if (number->whole && *copy == '-')
        number->real = -(double)(0 - number->integer);
    else if (number->whole)
        number->real = (double)number->integer;
    number->single = strtof(copy, &end);
    if (number->whole && (*copy != '-' || number->integer)) return true; /* -0 is a float, too */
    if (!is_plain(copy)) return false;
    number->real = strtod(copy, NULL);
    return end != copy && !*end && (!isinf(number->real) || !strpbrk(copy, "0123456789"));
}

bool sch_scene_number(struct sch_scene_text *text, const char *what, struct sch_scene_number *number)
{
    if (text->token.kind != SCH_SCENE_ATOM || !sch_scene_parse_number(text->token.text, text->token.bytes, number))
        return sch_scene_refuse(text, "SCENE_NUMBER", "%s is a number", what);
    sch_scene_next(text);
    return true;
}

bool sch_scene_uint(struct sch_scene_text *text, const char *what, uint64_t low, uint64_t high, uint64_t *value)
{
    struct sch_scene_number number;
    if (text->token.kind != SCH_SCENE_ATOM || *text->token.text == '-' ||
        !sch_scene_parse_number(text->token.text, text->token.bytes, &number) || !number.whole ||
        number.integer < low || number.integer > high)
        return sch_scene_refuse(text, "SCENE_NUMBER", "%s is a whole number from %llu to %llu", what,
                                (unsigned long long)low, (unsigned long long)high);
    *value = number.integer;
    sch_scene_next(text);
    return true;
}

bool sch_scene_u32(struct sch_scene_text *text, const char *what, uint32_t low, uint32_t high, uint32_t *value)
{
    uint64_t wide = 0;
    if (!sch_scene_uint(text, what, low, high, &wide)) return false;
    *value = (uint32_t)wide;
    return true;
}

bool sch_scene_float(struct sch_scene_text *text, const char *what, float *value)
{
    struct sch_scene_number number = {0};
    if (!sch_scene_number(text, what, &number)) return false;
    *value = number.single;
    return true;
}

bool sch_scene_floats(struct sch_scene_text *text, const char *what, float *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!sch_scene_float(text, what, &values[i])) return false;
    return true;
}

bool sch_scene_at_number(const struct sch_scene_text *text)
{
    return !sch_scene_at_end(text) && text->token.kind == SCH_SCENE_ATOM && *text->token.text <= '9';
}

bool sch_scene_span(struct sch_scene_text *text, const char *what, const char *many, uint32_t high, uint32_t *first,
                    uint32_t *count)
{
    *count = 1;
    return sch_scene_u32(text, what, 0, high, first) &&
           (!sch_scene_at_number(text) || sch_scene_u32(text, many, 1, high, count));
}

bool sch_scene_offset(struct sch_scene_text *text, uint64_t *offset)
{
    return !sch_scene_word(text, "offset") || sch_scene_uint(text, "an offset", 0, INT64_MAX, offset);
}
