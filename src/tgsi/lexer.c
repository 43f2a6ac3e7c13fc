/* The lexer's primitives: white space, words, numbers, and how errors are reported. No statement is known here. */
#include "tgsi/parser.h"
#include "tgsi/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct sch_position sch_tgsi_position(const struct sch_tgsi_parser *parser, const struct sch_tgsi_cursor *cursor)
{
    size_t column = (size_t)(cursor->at - cursor->line_begin) + 1;
    return (struct sch_position){.line = cursor->line,
                                 .column = column > UINT32_MAX ? UINT32_MAX : (uint32_t)column,
                                 .offset = (uint64_t)(cursor->at - parser->text)};
}

static void report(struct sch_tgsi_parser *parser, struct sch_tgsi_cursor at, enum sch_severity severity,
                   enum sch_diagnostic_code code, const char *format, va_list arguments)
    __attribute__((format(printf, 5, 0)));

static void report(struct sch_tgsi_parser *parser, struct sch_tgsi_cursor at, enum sch_severity severity,
                   enum sch_diagnostic_code code, const char *format, va_list arguments)
{
    char message[320];
    vsnprintf(message, sizeof message, format, arguments);
    sch_diagnostics_add(parser->diagnostics, severity, code, sch_tgsi_position(parser, &at), "%s", message);
}

bool sch_tgsi_error(struct sch_tgsi_parser *parser, enum sch_diagnostic_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(parser, parser->cursor, SCH_SEVERITY_ERROR, code, format, arguments);
    va_end(arguments);
    parser->errors++;
    return false;
}

bool sch_tgsi_error_at(struct sch_tgsi_parser *parser, struct sch_tgsi_cursor at, enum sch_diagnostic_code code,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(parser, at, SCH_SEVERITY_ERROR, code, format, arguments);
    va_end(arguments);
    parser->errors++;
    return false;
}

void sch_tgsi_warning_at(struct sch_tgsi_parser *parser, struct sch_tgsi_cursor at, enum sch_diagnostic_code code,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(parser, at, SCH_SEVERITY_WARNING, code, format, arguments);
    va_end(arguments);
}

void sch_tgsi_tell(struct sch_tgsi_parser *parser, struct sch_tgsi_cursor at, enum sch_tgsi_told form,
                   const char *words)
{
    if (!(parser->told & form)) sch_tgsi_warning_at(parser, at, SCH_D_TEXT_NOT_MESAS, "%s", words);
    parser->told |= form;
}

bool sch_tgsi_expected(struct sch_tgsi_parser *parser, enum sch_diagnostic_code code, const char *what)
{
    struct sch_tgsi_cursor before = parser->cursor;
    sch_tgsi_skip_white(parser);
    if (sch_tgsi_at_end(parser)) return sch_tgsi_error(parser, code, "expected %s, not the end of the text", what);
    if (parser->cursor.line != before.line) { /* the fault is on the line that ended */
        parser->cursor = before;
        return sch_tgsi_error(parser, code, "expected %s, not the end of the line", what);
    }
    struct sch_tgsi_word word = sch_tgsi_word(parser);
    unsigned char c = (unsigned char)sch_tgsi_peek(parser);
    if (word.bytes)
        return sch_tgsi_error(parser, code, "expected %s, not \"%.*s%s\"", what, SCH_TGSI_QUOTE(word),
                              word.bytes > 40 ? "..." : "");
    if (c == '\r')
        return sch_tgsi_error(parser, code, "expected %s, not a carriage return: it is not white space", what);
    if (c > 0x20 && c < 0x7f) return sch_tgsi_error(parser, code, "expected %s, not '%c'", what, c);
    return sch_tgsi_error(parser, code, "expected %s, not byte 0x%02x", what, c);
}

bool sch_tgsi_added(struct sch_tgsi_parser *parser, enum sch_result status, const char *what, uint32_t limit)
{
    if (status == SCH_OK) return true;
    if (status == SCH_ERROR_LIMIT) {
        parser->fatal = SCH_ERROR_LIMIT;
        return sch_tgsi_error(parser, SCH_D_TEXT_LIMIT, "more than %u %s", limit, what);
    }
    bool bounded = sch_tgsi_memory_limit_reached(parser->shader);
    parser->fatal = bounded ? SCH_ERROR_LIMIT : SCH_ERROR_MEMORY;
    return sch_tgsi_error(parser, SCH_D_TEXT_LIMIT, "the shader needs more memory than %s",
                          bounded ? "the limit allows" : "there is");
}

bool sch_tgsi_skip_white(struct sch_tgsi_parser *parser)
{
    const char *begin = parser->cursor.at;
    const char *at = begin;
    for (; at < parser->end && (*at == ' ' || *at == '\t' || *at == '\n'); at++)
        if (*at == '\n') {
            parser->cursor.line_begin = at + 1;
            if (parser->cursor.line < UINT32_MAX) parser->cursor.line++;
        }
    parser->cursor.at = at;
    return at > begin;
}

bool sch_tgsi_accept(struct sch_tgsi_parser *parser, char c)
{
    struct sch_tgsi_cursor before = parser->cursor;
    sch_tgsi_skip_white(parser);
    if (!sch_tgsi_at_end(parser) && *parser->cursor.at == c) {
        parser->cursor.at++;
        return true;
    }
    parser->cursor = before;
    return false;
}

bool sch_tgsi_require(struct sch_tgsi_parser *parser, char c, const char *where)
{
    if (sch_tgsi_accept(parser, c)) return true;
    char what[96];
    snprintf(what, sizeof what, "'%c' %s", c, where);
    return sch_tgsi_expected(parser, SCH_D_TEXT_PUNCTUATION, what);
}

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

struct sch_tgsi_word sch_tgsi_word(const struct sch_tgsi_parser *parser)
{
    const char *end = parser->cursor.at;
    while (end < parser->end && is_word_byte(*end)) end++;
    return (struct sch_tgsi_word){parser->cursor.at, (size_t)(end - parser->cursor.at)};
}

void sch_tgsi_take(struct sch_tgsi_parser *parser, struct sch_tgsi_word word) { parser->cursor.at += word.bytes; }

bool sch_tgsi_word_is(struct sch_tgsi_word word, const char *upper_case)
{
    for (size_t i = 0; i < word.bytes; i++) {
        char c = word.text[i];
        if (c >= 'a' && c <= 'z') c = (char)(c - 'a' + 'A');
        if (c != upper_case[i]) return false;
    }
    return upper_case[word.bytes] == '\0';
}

bool sch_tgsi_drop_suffix(struct sch_tgsi_word *word, const char *suffix)
{
    size_t bytes = strlen(suffix);
    if (word->bytes <= bytes) return false;
    struct sch_tgsi_word tail = {word->text + word->bytes - bytes, bytes};
    if (!sch_tgsi_word_is(tail, suffix)) return false;
    word->bytes -= bytes;
    return true;
}

const struct sch_word *sch_tgsi_take_word(struct sch_tgsi_parser *parser, enum sch_vocabulary vocabulary)
{
    struct sch_tgsi_word word = sch_tgsi_word(parser);
    const struct sch_word *found = sch_word_find(vocabulary, word.text, word.bytes);
    if (found) sch_tgsi_take(parser, word);
    return found;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* "FRAG", or "FRAG1.1", as texts up to Mesa 7.8 begin: the version says nothing. */
const struct sch_word *sch_tgsi_stage_at(const char *at, const char *end, size_t *bytes)
{
    const char *stop = at;
    while (stop < end && is_word_byte(*stop)) stop++;
    *bytes = (size_t)(stop - at);
    const struct sch_word *found = sch_word_find(SCH_WORDS_STAGE, at, *bytes);
    if (found || stop == end || *stop != '.') return found;
    size_t letters = *bytes;
    while (letters && is_digit(at[letters - 1])) letters--;
    const char *minor = stop + 1;
    for (stop = minor; stop < end && is_digit(*stop);) stop++;
    const bool version = letters < *bytes && stop > minor && (stop == end || !is_word_byte(*stop));
    *bytes = (size_t)(stop - at);
    return version ? sch_word_find(SCH_WORDS_STAGE, at, letters) : NULL;
}

const struct sch_word *sch_tgsi_take_format(struct sch_tgsi_parser *parser)
{
    static const char prefix[] = "PIPE_FORMAT_";
    enum { PREFIX = sizeof prefix - 1 };
    struct sch_tgsi_word word = sch_tgsi_word(parser);
    if (word.bytes < PREFIX || !sch_tgsi_word_is((struct sch_tgsi_word){word.text, PREFIX}, prefix)) return NULL;
    const struct sch_word *found = sch_word_find(SCH_WORDS_FORMAT, word.text + PREFIX, word.bytes - PREFIX);
    if (found) sch_tgsi_take(parser, word);
    return found;
}

bool sch_tgsi_uint(struct sch_tgsi_parser *parser, uint64_t limit, const char *what, uint64_t *value)
{
    sch_tgsi_skip_white(parser);
    const char *at = parser->cursor.at;
    uint64_t number = 0;
    bool large = false;
    for (; at < parser->end && *at >= '0' && *at <= '9'; at++) {
        if (number > UINT64_MAX / 10 - 1) large = true;
        number = number * 10 + (uint64_t)(*at - '0');
    }
    size_t bytes = (size_t)(at - parser->cursor.at);
    if (!bytes) return sch_tgsi_expected(parser, SCH_D_TEXT_NUMBER, what);
    if (large || number > limit)
        return sch_tgsi_error(parser, SCH_D_TEXT_NUMBER_RANGE, "%s %.*s%s is above %llu", what,
                              (int)(bytes > 40 ? 40 : bytes), parser->cursor.at, bytes > 40 ? "..." : "",
                              (unsigned long long)limit);
    parser->cursor.at = at;
    *value = number;
    return true;
}

int sch_tgsi_component(char c)
{
    switch (c) {
    case 'x':
    case 'X':
        return 0;
    case 'y':
    case 'Y':
        return 1;
    case 'z':
    case 'Z':
        return 2;
    case 'w':
    case 'W':
        return 3;
    default:
        return -1;
    }
}
