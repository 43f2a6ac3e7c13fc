/* Statements of a program's text, and the form that is one instruction. The syntax is in docs/maxwell.md. */
#include "maxwell/text/statement.h"

#include <string.h>

#include "base/digit.h"
#include "isa/errors.h"
#include "maxwell/text/general.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

struct sch_position sch_maxwell_lexer_position(const struct sch_maxwell_lexer *lexer)
{
    return (struct sch_position){
        .line = lexer->line, .column = (uint32_t)(lexer->at - lexer->line_begin) + 1, .offset = lexer->at};
}

static struct sch_position statement_position(const struct sch_maxwell_statement *statement, size_t at)
{
    struct sch_position position = statement->position;
    position.column += (uint32_t)at;
    position.offset += at;
    return position;
}

static void report(const struct sch_maxwell_lexer *lexer, struct sch_position position, unsigned number,
                   const char *message)
{
    sch_diagnostics_add(lexer->diagnostics, SCH_SEVERITY_ERROR, number, position, "%s", message);
}

static bool starts(const struct sch_maxwell_lexer *lexer, size_t at, char second)
{
    return lexer->bytes - at >= 2 && lexer->text[at] == '/' && lexer->text[at + 1] == second;
}

static void take_line_end(struct sch_maxwell_lexer *lexer)
{
    lexer->at++;
    lexer->line++;
    lexer->line_begin = lexer->at;
}

/* Keeps the comment from `begin` to the lexer, without its marks, if it is a word. */
static void keep_comment(struct sch_maxwell_lexer *lexer, size_t begin, size_t end)
{
    enum { DIGITS = 16 };
    const char *text = lexer->text;
    while (begin < end && is_blank(text[begin])) begin++;
    while (end > begin && is_blank(text[end - 1])) end--;
    if (end - begin != DIGITS + 2 || text[begin] != '0' || text[begin + 1] != 'x') return;
    uint64_t word = 0;
    for (size_t i = begin + 2; i < end; i++) {
        const unsigned digit = sch_digit(text[i]);
        if (digit > 15) return;
        word = word << 4 | digit;
    }
    const unsigned at = lexer->comment_count < SCH_MAXWELL_COMMENTS ? lexer->comment_count++ : SCH_MAXWELL_COMMENTS - 1;
    lexer->comments[at].word = word;
    lexer->comments[at].line = lexer->line;
}

/* Skips the comment that begins here. False: it has no end. */
static bool skip_comment(struct sch_maxwell_lexer *lexer)
{
    if (lexer->text[lexer->at + 1] == '/') {
        const char *end = memchr(lexer->text + lexer->at, '\n', lexer->bytes - lexer->at);
        lexer->at = end ? (size_t)(end - lexer->text) : lexer->bytes;
        return true;
    }
    struct sch_position position = sch_maxwell_lexer_position(lexer);
    lexer->at += 2;
    const size_t begin = lexer->at;
    while (lexer->at < lexer->bytes) {
        if (lexer->bytes - lexer->at >= 2 && memcmp(lexer->text + lexer->at, "*/", 2) == 0) {
            keep_comment(lexer, begin, lexer->at);
            lexer->at += 2;
            return true;
        }
        if (lexer->text[lexer->at] == '\n')
            take_line_end(lexer);
        else
            lexer->at++;
    }
    report(lexer, position, SCH_D_MAXWELL_COMMENT, "the comment does not end");
    return false;
}

bool sch_maxwell_lexer_skip(struct sch_maxwell_lexer *lexer)
{
    lexer->comment_count = 0;
    while (lexer->at < lexer->bytes) {
        char c = lexer->text[lexer->at];
        if (c == '\n')
            take_line_end(lexer);
        else if (is_blank(c) || c == ';')
            lexer->at++;
        else if (starts(lexer, lexer->at, '/') || starts(lexer, lexer->at, '*')) {
            if (!skip_comment(lexer)) return false;
        } else
            break;
    }
    return true;
}

/* A comment inside of a statement becomes blanks; one that goes over the line's end ends the statement. */
static size_t comment_inside(const struct sch_maxwell_lexer *lexer, size_t at)
{
    if (!starts(lexer, at, '*')) return 0;
    for (size_t i = at + 2; lexer->bytes - i >= 2 && lexer->text[i] != '\n'; i++)
        if (memcmp(lexer->text + i, "*/", 2) == 0) return i + 2 - at;
    return 0;
}

/* An opening brace of dual issue: no control field follows it. */
static bool take_opening(struct sch_maxwell_lexer *lexer)
{
    if (lexer->at >= lexer->bytes || lexer->text[lexer->at] != '{') return false;
    size_t at = lexer->at + 1;
    while (at < lexer->bytes && is_blank(lexer->text[at])) at++;
    if (at < lexer->bytes && (lexer->text[at] == '&' || lexer->text[at] == '?')) return false;
    lexer->at = at;
    return true;
}

/* Copies bytes up to the statement's end, where the lexer is then. False: too long. */
static bool copy_statement(struct sch_maxwell_lexer *lexer, struct sch_maxwell_statement *statement)
{
    unsigned depth = 0;
    bool quoted = false;
    while (lexer->at < lexer->bytes) {
        char c = lexer->text[lexer->at];
        size_t comment = quoted ? 0 : comment_inside(lexer, lexer->at), take = comment ? comment : 1;
        if (c == '\n') break;
        if (!quoted && (c == ';' || (c == '}' && depth == 0))) break;
        if (!quoted && !comment && (starts(lexer, lexer->at, '/') || starts(lexer, lexer->at, '*'))) break;
        if (c == '"') quoted = !quoted;
        if (!quoted && c == '{') depth++;
        if (!quoted && c == '}') depth--;
        if (take > SCH_MAXWELL_STATEMENT - statement->bytes) return false;
        memset(statement->text + statement->bytes, comment ? ' ' : c, take);
        statement->bytes += take;
        lexer->at += take;
    }
    return true;
}

static void skip_to_line_end(struct sch_maxwell_lexer *lexer)
{
    const char *end = memchr(lexer->text + lexer->at, '\n', lexer->bytes - lexer->at);
    lexer->at = end ? (size_t)(end - lexer->text) : lexer->bytes;
}

bool sch_maxwell_lexer_take(struct sch_maxwell_lexer *lexer, struct sch_maxwell_statement *statement)
{
    statement->opens = take_opening(lexer);
    statement->closes = false;
    statement->bytes = 0;
    statement->position = sch_maxwell_lexer_position(lexer);
    if (!copy_statement(lexer, statement)) {
        report(lexer, statement->position, SCH_D_MAXWELL_STATEMENT, "the statement is too long");
        skip_to_line_end(lexer);
        return false;
    }
    while (statement->bytes && is_blank(statement->text[statement->bytes - 1])) statement->bytes--;
    statement->text[statement->bytes] = 0;
    if (lexer->at < lexer->bytes && lexer->text[lexer->at] == '}') {
        statement->closes = true;
        lexer->at++;
    }
    if (statement->bytes) return true;
    report(lexer, statement->position, SCH_D_MAXWELL_STATEMENT, "expected an instruction or a directive");
    return false;
}

/* Where the control fields begin: at & or ?, or the brace before it. Other braces are those of a set of scoreboards;
 * three of ? begin nvdisasm's names of values without a meaning. */
static size_t fields_begin(const struct sch_maxwell_statement *statement, size_t begin)
{
    const char *text = statement->text;
    size_t at = begin;
    for (;; at++) {
        at += strcspn(text + at, "{&?");
        size_t mark = at;
        if (text[at] == '{') mark++;
        while (is_blank(text[mark])) mark++;
        if (!text[at] || text[mark] == '&') return at;
        if (text[mark] != '?') continue;
        if (text[mark + 1] != '?') return at;
        at = mark;
        while (text[at + 1] == '?') at++;
    }
}

static bool read_fields(const struct sch_maxwell_statement *statement, size_t begin,
                        struct sch_diagnostics *diagnostics, struct sch_maxwell_fields *fields)
{
    fields->given = begin < statement->bytes;
    return sch_maxwell_schedule_parse(statement->text + begin, statement->bytes - begin,
                                      statement_position(statement, begin), diagnostics, &fields->schedule) == SCH_OK;
}

/* Whether the first word from `at` on, after a guard, is an operation other than texture operations. */
static bool is_general(const struct sch_maxwell_statement *statement, size_t at, size_t end)
{
    const char *text = statement->text;
    while (at < end && is_blank(text[at])) at++;
    if (at < end && text[at] == '@') {
        while (at < end && !is_blank(text[at])) at++;
        while (at < end && is_blank(text[at])) at++;
    }
    size_t bytes = 0;
    while (at + bytes < end && ((text[at + bytes] >= 'A' && text[at + bytes] <= 'Z') ||
                                (text[at + bytes] >= '0' && text[at + bytes] <= '9')))
        bytes++;
    return sch_maxwell_code_operation_find(text + at, bytes) >= 0;
}

/* Control fields before the instruction, as other assemblers write them; `*from` is where the instruction begins. */
static bool take_prefix(const struct sch_maxwell_statement *statement, struct sch_diagnostics *diagnostics,
                        size_t *from, struct sch_maxwell_schedule *schedule)
{
    if (!sch_maxwell_has_prefix(statement->text, statement->bytes)) return true;
    *from = sch_maxwell_prefix_parse(statement->text, statement->bytes, schedule);
    if (*from) return true;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_CONTROL_FIELD, statement->position,
                        "control fields before an instruction are 02:1:-:Y:4 (wait, read, write, yield, stall) or "
                        "[B-1----:R0:W-:Y:S04]");
    return false;
}

static bool read_texture(const struct sch_maxwell_statement *statement, size_t from, size_t end,
                         struct sch_diagnostics *diagnostics, struct sch_maxwell_line *line)
{
    size_t used = 0;
    struct sch_maxwell_schedule unused;
    if (sch_maxwell_parse(statement->text + from, end - from, statement_position(statement, from), diagnostics,
                          &line->instruction, &unused, &used) != SCH_OK)
        return false;
    used += from;
    while (used < end && is_blank(statement->text[used])) used++;
    if (used == end) return true;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_STATEMENT, statement_position(statement, used),
                        "the instruction ends before this");
    return false;
}

bool sch_maxwell_statement_instruction(const struct sch_maxwell_statement *statement, uint32_t address, bool labels,
                                       struct sch_diagnostics *diagnostics, struct sch_maxwell_line *line,
                                       struct sch_maxwell_fields *fields)
{
    if (memchr(statement->text, 0, statement->bytes)) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_STATEMENT, statement->position,
                            "the statement contains a zero byte");
        return false;
    }
    struct sch_maxwell_schedule before;
    size_t from = 0;
    if (!take_prefix(statement, diagnostics, &from, &before)) return false;
    const size_t begin = fields_begin(statement, from);
    if (from && begin < statement->bytes) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_CONTROL_FIELD,
                            statement_position(statement, begin),
                            "there are control fields before the instruction already");
        return false;
    }
    *line = (struct sch_maxwell_line){.texture = !is_general(statement, from, begin)};
    if (!(line->texture ? read_texture(statement, from, begin, diagnostics, line)
                        : sch_maxwell_code_parse(statement->text + from, begin - from,
                                                 statement_position(statement, from), address, diagnostics, &line->word,
                                                 &line->marks, labels ? &line->label : NULL) == SCH_OK))
        return false;
    if (!read_fields(statement, begin, diagnostics, fields)) return false;
    if (from) *fields = (struct sch_maxwell_fields){.given = true, .schedule = before};
    return true;
}

bool sch_maxwell_statement_number(const struct sch_maxwell_statement *statement, size_t begin,
                                  struct sch_diagnostics *diagnostics, uint64_t *number,
                                  struct sch_maxwell_fields *fields)
{
    const char *text = statement->text;
    while (is_blank(text[begin])) begin++;
    size_t at = begin;
    unsigned base = 10, digits = 0;
    if (text[at] == '0' && (text[at + 1] == 'x' || text[at + 1] == 'X')) {
        base = 16;
        at += 2;
    }
    uint64_t value = 0;
    bool good = true;
    for (unsigned next; (next = sch_digit(text[at])) < base; at++, digits++)
        good = good && !__builtin_mul_overflow(value, (uint64_t)base, &value) &&
               !__builtin_add_overflow(value, (uint64_t)next, &value);
    size_t end = at;
    while (is_blank(text[end])) end++;
    good = good && digits && (end == statement->bytes || (fields && fields_begin(statement, at) == end));
    if (!good) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_NUMBER, statement_position(statement, begin),
                            "expected a number of 64 bits, decimal or 0x and hexadecimal digits");
        return false;
    }
    *number = value;
    return !fields || read_fields(statement, end, diagnostics, fields);
}

enum sch_result sch_maxwell_parse_line(const char *text, size_t bytes, uint32_t address,
                                       struct sch_diagnostics *diagnostics, struct sch_maxwell_line *line,
                                       uint32_t *slot)
{
    struct sch_maxwell_lexer lexer = {.text = text, .bytes = bytes, .line = 1, .diagnostics = diagnostics};
    struct sch_maxwell_statement statement;
    struct sch_maxwell_fields fields;
    if (!sch_maxwell_lexer_skip(&lexer)) return SCH_ERROR_INVALID;
    if (lexer.at == bytes) {
        report(&lexer, sch_maxwell_lexer_position(&lexer), SCH_D_MAXWELL_ONE_INSTRUCTION, "there is no instruction");
        return SCH_ERROR_INVALID;
    }
    if (!sch_maxwell_lexer_take(&lexer, &statement)) return SCH_ERROR_INVALID;
    if (!sch_maxwell_statement_instruction(&statement, address, false, diagnostics, line, &fields))
        return SCH_ERROR_INVALID;
    if (!sch_maxwell_lexer_skip(&lexer)) return SCH_ERROR_INVALID;
    if (lexer.at < bytes) {
        report(&lexer, sch_maxwell_lexer_position(&lexer), SCH_D_MAXWELL_ONE_INSTRUCTION,
               "one instruction was asked for, and this follows it");
        return SCH_ERROR_INVALID;
    }
    if (slot) {
        *slot = line->texture ? sch_maxwell_slot_with_phase(&fields.schedule, line->instruction.phase)
                              : sch_maxwell_slot_of(&fields.schedule) | line->marks;
        if (statement.opens && !fields.given) *slot = sch_maxwell_slot_opening(*slot);
    }
    return SCH_OK;
}
