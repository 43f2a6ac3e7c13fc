/* The text reader: stage word, the loop over statements, immediates and properties, and how reading continues after an
 * error. Every byte is looked at a bounded number of times. */
#include "base/nearest.h"
#include "base/number.h"
#include "tgsi/find.h"
#include "tgsi/parser.h"
#include "tgsi/rules.h"
#include "tgsi/tgsi.h"

#include <limits.h>
#include <stdio.h>

static bool read_property(struct sch_tgsi_parser *parser, struct sch_ir_property *property)
{
    if (!sch_tgsi_skip_white(parser))
        return sch_tgsi_expected(parser, SCH_D_TEXT_PUNCTUATION, "white space after PROPERTY");
    const struct sch_word *name = sch_tgsi_take_word(parser, SCH_WORDS_PROPERTY);
    if (!name) return sch_tgsi_expected(parser, SCH_D_TEXT_PROPERTY, "the name of a property");
    property->name = (uint8_t)name->number;
    property->count = 1;
    sch_tgsi_skip_white(parser);

    enum sch_vocabulary vocabulary = sch_tgsi_property_vocabulary(name);
    if (vocabulary != SCH_WORDS_COUNT) {
        const struct sch_word *word = sch_tgsi_take_word(parser, vocabulary);
        if (!word) return sch_tgsi_expected(parser, SCH_D_TEXT_PROPERTY_VALUE, "a word that the property has");
        property->value[0] = word->number;
        if (name->number == SCH_PROPERTY_GS_INPUT_PRIMITIVE && parser->shader->stage == SCH_STAGE_GEOMETRY)
            parser->implied_vertices = word->extra;
        return true;
    }
    if (sch_tgsi_peek(parser) < '0' || sch_tgsi_peek(parser) > '9')
        return sch_tgsi_expected(parser, SCH_D_TEXT_PROPERTY_VALUE, "a number");
    uint64_t value;
    if (!sch_tgsi_uint(parser, UINT32_MAX, "the property's value", &value)) return false;
    property->value[0] = (uint32_t)value;
    return true;
}

static bool no_value(struct sch_tgsi_parser *parser, const struct sch_word *type)
{
    char what[48];
    snprintf(what, sizeof what, "a value of type %s", type->word);
    return sch_tgsi_expected(parser, SCH_D_TEXT_IMMEDIATE_VALUE, what);
}

/* 0x and exactly eight hexadecimal digits are the bits; else a decimal number. */
static bool float_value(struct sch_tgsi_parser *parser, const struct sch_word *type, uint32_t *word)
{
    const char *at = parser->cursor.at;
    size_t left = (size_t)(parser->end - at);
    if (left >= 2 && at[0] == '0' && at[1] == 'x') {
        struct sch_tgsi_word digits = sch_tgsi_word(parser);
        uint32_t value = 0;
        bool hexadecimal = digits.bytes == 10;
        for (size_t i = 2; hexadecimal && i < 10; i++) {
            char c = at[i] >= 'A' && at[i] <= 'F' ? (char)(at[i] - 'A' + 'a') : at[i];
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) hexadecimal = false;
            value = value << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
        }
        if (!hexadecimal)
            return sch_tgsi_error(parser, SCH_D_TEXT_IMMEDIATE_VALUE,
                                  "a hexadecimal float has exactly eight digits after 0x");
        parser->hex_floats = true;
        sch_tgsi_take(parser, digits);
        *word = value;
        return true;
    }
    size_t bytes = sch_number_scan_decimal(at, left);
    if (!bytes) return no_value(parser, type);
    *word = (uint32_t)sch_number_read_decimal(at, bytes, SCH_FLOAT_32);
    parser->decimal_floats = true;
    parser->cursor.at += bytes;
    return true;
}

/* strtoll and strtoull with base 0: a sign, then decimal, 0x hexadecimal, or octal after a leading 0. */
static bool long_value(struct sch_tgsi_parser *parser, const struct sch_word *type, bool is_signed, uint64_t *value)
{
    const char *at = parser->cursor.at, *end = parser->end;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    unsigned base = 10;
    if (at < end && *at == '0') base = 8;
    if (end - at > 1 && at[0] == '0' && (at[1] | 0x20) == 'x') {
        base = 16;
        at += 2;
    }
    const char *first = at;
    uint64_t number = 0;
    bool large = false;
    for (; at < end; at++) {
        unsigned digit = (unsigned)(*at - '0'), letter = (unsigned)((*at | 0x20) - 'a');
        if (digit > 9) digit = letter < 6 ? 10 + letter : base;
        if (digit >= base) break;
        if (__builtin_mul_overflow(number, base, &number) || __builtin_add_overflow(number, digit, &number))
            large = true;
    }
    if (at == first) return no_value(parser, type);
    if (is_signed && number > (uint64_t)INT64_MAX + negative) large = true;
    if (large) return sch_tgsi_error(parser, SCH_D_TEXT_NUMBER_RANGE, "the number does not fit %s", type->word);
    *value = negative ? 0 - number : number;
    parser->cursor.at = at;
    return true;
}

static bool int_value(struct sch_tgsi_parser *parser, uint32_t *word)
{
    bool negative = sch_tgsi_peek(parser) == '-';
    if (negative || sch_tgsi_peek(parser) == '+') parser->cursor.at++;
    if (sch_tgsi_peek(parser) < '0' || sch_tgsi_peek(parser) > '9')
        return sch_tgsi_expected(parser, SCH_D_TEXT_IMMEDIATE_VALUE, "a value of type INT32");
    uint64_t value;
    if (!sch_tgsi_uint(parser, negative ? (uint64_t)INT32_MAX + 1 : INT32_MAX, "the value", &value)) return false;
    *word = negative ? 0u - (uint32_t)value : (uint32_t)value;
    return true;
}

/* One value: one word, or two with the low one first. */
static bool immediate_value(struct sch_tgsi_parser *parser, const struct sch_word *type, uint32_t *words)
{
    uint64_t value = 0;
    switch (type->number) {
    case SCH_IMMEDIATE_FLT32:
        return float_value(parser, type, words);
    case SCH_IMMEDIATE_INT32:
        return int_value(parser, words);
    case SCH_IMMEDIATE_UINT32:
        if (sch_tgsi_peek(parser) < '0' || sch_tgsi_peek(parser) > '9') return no_value(parser, type);
        if (!sch_tgsi_uint(parser, UINT32_MAX, "the value", &value)) return false;
        *words = (uint32_t)value;
        return true;
    case SCH_IMMEDIATE_FLT64: {
        size_t bytes = sch_number_read_double(parser->cursor.at, (size_t)(parser->end - parser->cursor.at), &value);
        if (!bytes) return no_value(parser, type);
        parser->cursor.at += bytes;
        break;
    }
    default:
        if (!long_value(parser, type, type->number == SCH_IMMEDIATE_INT64, &value)) return false;
        break;
    }
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
    return true;
}

static bool read_immediate(struct sch_tgsi_parser *parser, struct sch_ir_immediate *immediate)
{
    uint32_t number = parser->immediates++;
    if (sch_tgsi_peek(parser) == '[') {
        uint64_t index;
        parser->cursor.at++;
        sch_tgsi_skip_white(parser);
        struct sch_tgsi_cursor at = parser->cursor;
        if (!sch_tgsi_uint(parser, UINT32_MAX, "the immediate's index", &index)) return false;
        if (index != number)
            return sch_tgsi_error_at(parser, at, SCH_D_TEXT_IMMEDIATE_INDEX, "this is immediate %u, not %u", number,
                                     (uint32_t)index);
        if (!sch_tgsi_require(parser, ']', "after the immediate's index")) return false;
    }
    if (!sch_tgsi_skip_white(parser))
        return sch_tgsi_expected(parser, SCH_D_TEXT_PUNCTUATION, "white space before the immediate's type");
    const struct sch_word *type = sch_tgsi_take_word(parser, SCH_WORDS_IMMEDIATE);
    if (!type) return sch_tgsi_expected(parser, SCH_D_TEXT_IMMEDIATE_TYPE, "an immediate's type");
    immediate->type = (uint8_t)type->number;

    if (!sch_tgsi_require(parser, '{', "before the values")) return false;
    for (unsigned i = 0; i < type->extra; i++) {
        if (i &&
            !sch_tgsi_require(parser, ',', type->extra == 4 ? "between the four values" : "between the two values"))
            return false;
        sch_tgsi_skip_white(parser);
        if (!immediate_value(parser, type, &immediate->word[i * 4 / type->extra])) return false;
    }
    return sch_tgsi_require(parser, '}', "after the values");
}

static bool declaration_statement(struct sch_tgsi_parser *parser, struct sch_position position)
{
    struct sch_ir_declaration declaration = {.position = position};
    return sch_tgsi_declaration(parser, &declaration) &&
           sch_tgsi_added(parser, sch_ir_add_declaration(parser->shader, &declaration), "declarations",
                          parser->shader->limits.declarations);
}

static bool immediate_statement(struct sch_tgsi_parser *parser, struct sch_position position)
{
    struct sch_ir_immediate immediate = {.position = position};
    return read_immediate(parser, &immediate) &&
           sch_tgsi_added(parser, sch_ir_add_immediate(parser->shader, &immediate), "immediates",
                          parser->shader->limits.declarations);
}

static bool property_statement(struct sch_tgsi_parser *parser, struct sch_position position)
{
    struct sch_ir_property property = {.position = position};
    return read_property(parser, &property) && sch_tgsi_added(parser, sch_ir_add_property(parser->shader, &property),
                                                              "properties", parser->shader->limits.declarations);
}

static bool instruction_statement(struct sch_tgsi_parser *parser, const struct sch_op_info *op, bool saturate,
                                  bool precise, struct sch_position position)
{
    struct sch_ir_instruction instruction = {.saturate = saturate, .precise = precise, .position = position};
    if (op->dsts + op->srcs && !sch_tgsi_at_end(parser)) {
        struct sch_tgsi_cursor before = parser->cursor;
        if (!sch_tgsi_skip_white(parser))
            return sch_tgsi_expected(parser, SCH_D_TEXT_PUNCTUATION, "white space after the opcode");
        parser->cursor = before;
    }
    return sch_tgsi_instruction(parser, op, &instruction) &&
           sch_tgsi_added(parser, sch_ir_add_instruction(parser->shader, &instruction), "instructions",
                          parser->shader->limits.instructions);
}

static bool retired_statement(struct sch_tgsi_parser *parser, struct sch_tgsi_word word,
                              const struct sch_tgsi_retired *retired, bool saturate, bool precise,
                              struct sch_position position)
{
    struct sch_tgsi_cursor at = parser->cursor;
    if (!parser->first_made.line) parser->first_made = position;
    sch_tgsi_take(parser, word);
    return sch_tgsi_retired_statement(parser, retired, saturate, precise, position, at);
}

/* The opcode, or word of another statement, that was perhaps meant; NULL: none is like it. */
static const char *nearest_statement(struct sch_tgsi_word word)
{
    static const char *const others[] = {"DCL", "IMM", "PROPERTY"};
    const char *found = NULL;
    unsigned apart = UINT_MAX;
    if (word.text[0] == '_') return NULL; /* a suffix without its opcode */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        sch_nearest_try(word.text, word.bytes, others[i], &found, &apart);
    for (unsigned opcode = 0; opcode < SCH_OP_LIMIT; opcode++) {
        const struct sch_op_info *row = sch_op_info(opcode);
        if (row) sch_nearest_try(word.text, word.bytes, row->name, &found, &apart);
    }
    return found;
}

static bool unknown_statement(struct sch_tgsi_parser *parser, struct sch_tgsi_word word, bool has_label)
{
    if (!word.bytes) return sch_tgsi_expected(parser, SCH_D_TEXT_STATEMENT, has_label ? "an opcode" : "a statement");
    if (has_label &&
        (sch_tgsi_word_is(word, "DCL") || sch_tgsi_word_is(word, "IMM") || sch_tgsi_word_is(word, "PROPERTY")))
        return sch_tgsi_error(parser, SCH_D_TEXT_STATEMENT, "a label is allowed only before an instruction");

    struct sch_tgsi_word name = word;
    bool saturate, precise;
    while (name.bytes && name.text[name.bytes - 1] != '_') name.bytes--;
    if (name.bytes > 1) {
        name.bytes--;
        if (sch_tgsi_find_opcode(name, &saturate, &precise))
            return sch_tgsi_error(parser, SCH_D_TEXT_SUFFIX,
                                  "\"%.*s\": the suffixes are _SAT and _PRECISE, in this order", SCH_TGSI_QUOTE(word));
    }
    const char *near = sch_diagnostics_keeps(parser->diagnostics) ? nearest_statement(word) : NULL;
    return sch_tgsi_error(parser, SCH_D_TEXT_STATEMENT, "no opcode is called \"%.*s%s\"%s%s%s", SCH_TGSI_QUOTE(word),
                          word.bytes > 40 ? "..." : "", near ? "; did you mean " : "", near ? near : "",
                          near ? "?" : "");
}

/* Digits, white space, ":". The number means nothing: instructions are counted. */
static bool accept_label(struct sch_tgsi_parser *parser)
{
    struct sch_tgsi_cursor before = parser->cursor;
    while (sch_tgsi_peek(parser) >= '0' && sch_tgsi_peek(parser) <= '9') parser->cursor.at++;
    if (parser->cursor.at > before.at && sch_tgsi_accept(parser, ':')) return true;
    parser->cursor = before;
    return false;
}

static bool statement(struct sch_tgsi_parser *parser)
{
    struct sch_position position = sch_tgsi_position(parser, &parser->cursor);
    bool has_label = accept_label(parser), saturate, precise;
    if (has_label) {
        sch_tgsi_skip_white(parser);
        position = sch_tgsi_position(parser, &parser->cursor);
    }
    struct sch_tgsi_word word = sch_tgsi_word(parser);
    const struct sch_op_info *op = sch_tgsi_find_opcode(word, &saturate, &precise);
    if (op) {
        sch_tgsi_take(parser, word);
        return instruction_statement(parser, op, saturate, precise, position);
    }
    const struct sch_tgsi_retired *retired = sch_tgsi_find_retired(word, &saturate, &precise);
    if (retired) return retired_statement(parser, word, retired, saturate, precise, position);
    static const struct {
        const char *word;
        bool (*read)(struct sch_tgsi_parser *parser, struct sch_position position);
    } statements[] = {{"DCL", declaration_statement}, {"IMM", immediate_statement}, {"PROPERTY", property_statement}};
    for (size_t i = 0; !has_label && word.bytes && i < sizeof statements / sizeof *statements; i++)
        if (sch_tgsi_word_is(word, statements[i].word)) {
            sch_tgsi_take(parser, word);
            return statements[i].read(parser, position);
        }
    return unknown_statement(parser, word, has_label);
}

/* Whether a statement seems to begin at the cursor: a label, a keyword or an opcode. */
static bool statement_begins(struct sch_tgsi_parser *parser)
{
    struct sch_tgsi_cursor before = parser->cursor;
    bool label = accept_label(parser), saturate, precise;
    parser->cursor = before;
    if (label) return true;
    struct sch_tgsi_word word = sch_tgsi_word(parser);
    return sch_tgsi_word_is(word, "DCL") || sch_tgsi_word_is(word, "IMM") || sch_tgsi_word_is(word, "PROPERTY") ||
           sch_tgsi_find_opcode(word, &saturate, &precise) || sch_tgsi_find_retired(word, &saturate, &precise);
}

/* The last byte before `at` that is not white space, as far as a bounded look back finds it. */
static char byte_before(const char *start, const char *at)
{
    for (unsigned i = 0; at > start && i < 64; i++) {
        char c = *--at;
        if (c != ' ' && c != '\t' && c != '\n') return c;
    }
    return '\0';
}

/* After an error: goes to the next place where a statement may begin, that is after white space that no comma, sign or
 * opening bracket precedes; at the beginning of a line any word will do. `start` is where the wrong statement began. */
static void resynchronise(struct sch_tgsi_parser *parser, const char *start)
{
    const char *at = parser->cursor.at;
    char previous = byte_before(start, at);
    bool white = at > start && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\n'), new_line = false;
    while (!sch_tgsi_at_end(parser)) {
        char c = sch_tgsi_peek(parser);
        if (c == ' ' || c == '\t' || c == '\n') {
            uint32_t line = parser->cursor.line;
            sch_tgsi_skip_white(parser);
            white = true;
            new_line = parser->cursor.line != line;
            continue;
        }
        bool continues = previous == ',' || previous == '-' || previous == '+' || previous == '[' || previous == '(' ||
                         previous == '{' || previous == '|';
        struct sch_tgsi_word word = sch_tgsi_word(parser);
        if (white && !continues && word.bytes) {
            const char *behind = word.text + word.bytes;
            bool stands_alone = behind >= parser->end || *behind == ' ' || *behind == '\t' || *behind == '\n';
            if ((new_line && stands_alone) || statement_begins(parser)) return;
        }
        parser->cursor.at += word.bytes ? word.bytes : 1;
        previous = parser->cursor.at[-1];
        white = new_line = false;
    }
}

static void statements(struct sch_tgsi_parser *parser)
{
    bool separated = false; /* white space was skipped on the way to the next statement */
    while (!sch_tgsi_at_end(parser)) {
        parser->fatal = sch_until_step(parser->until, parser->steps++);
        if (parser->fatal != SCH_OK) return;
        separated = sch_tgsi_skip_white(parser) || separated;
        if (sch_tgsi_at_end(parser)) return;
        const char *start = parser->cursor.at;
        bool good = separated ? statement(parser)
                              : sch_tgsi_expected(parser, SCH_D_TEXT_CHARACTER, "white space and the next statement");
        if (parser->fatal != SCH_OK) return;
        separated = !good;
        if (good) continue;
        if (parser->errors >= parser->error_limit) {
            sch_tgsi_error(parser, SCH_D_TEXT_ERRORS, "too many errors; reading stops here");
            return;
        }
        if (parser->cursor.at == start) {
            struct sch_tgsi_word word = sch_tgsi_word(parser);
            parser->cursor.at += word.bytes ? word.bytes : 1;
        }
        resynchronise(parser, start);
    }
}

static bool stage_word(struct sch_tgsi_parser *parser, enum sch_stage *stage)
{
    sch_tgsi_skip_white(parser);
    size_t bytes;
    const struct sch_word *word = sch_tgsi_stage_at(parser->cursor.at, parser->end, &bytes);
    if (!word) return sch_tgsi_expected(parser, SCH_D_TEXT_STAGE, "FRAG, VERT, GEOM, TESS_CTRL, TESS_EVAL or COMP");
    parser->cursor.at += bytes;
    *stage = (enum sch_stage)word->number;
    return true;
}

static enum sch_result parse(struct sch_tgsi_parser *parser, const struct sch_allocator *allocator,
                             const struct sch_limits *limits, struct sch_ir_shader **shader)
{
    enum sch_stage stage = SCH_STAGE_FRAGMENT;
    if (!stage_word(parser, &stage)) return SCH_ERROR_INVALID;
    parser->implied_vertices = sch_tgsi_implied_vertices(stage);
    parser->shader = sch_ir_create(allocator, stage, limits);
    if (!parser->shader) return SCH_ERROR_MEMORY;

    statements(parser);
    if (!parser->errors && parser->fatal == SCH_OK) sch_tgsi_finish_made(parser);
    if (parser->errors || parser->fatal != SCH_OK) {
        sch_ir_destroy(parser->shader);
        return parser->fatal != SCH_OK ? parser->fatal : SCH_ERROR_INVALID;
    }
    parser->shader->float_style = parser->decimal_floats ? SCH_FLOAT_TEXT_DECIMAL
                                  : parser->hex_floats   ? SCH_FLOAT_TEXT_HEX
                                                         : SCH_FLOAT_TEXT_SOURCE;
    *shader = parser->shader;
    return SCH_OK;
}

/* The parser's cursor goes to the only shader; an error where there are several. */
static bool choose(struct sch_tgsi_parser *parser, const struct sch_tgsi_found *found, uint32_t line)
{
    const struct sch_tgsi_span *span = &found->spans[found->count > 1];
    uint32_t number = span->line > UINT32_MAX - line ? UINT32_MAX : span->line + line - 1;
    parser->text = found->text;
    parser->end = found->text + span->end;
    parser->cursor = (struct sch_tgsi_cursor){found->text + span->begin, found->text + span->line_begin, number};
    if (found->count == 1) return true;
    return sch_tgsi_error(parser, SCH_D_TEXT_WHICH, "the text holds %zu shaders, of which this is the second",
                          found->count);
}

enum sch_result sch_tgsi_parse_part(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                    const char *text, size_t bytes, uint32_t line, const struct sch_until *until,
                                    struct sch_diagnostics *diagnostics, struct sch_ir_shader **shader)
{
    *shader = NULL;
    if (bytes && text[bytes - 1] == '\0') bytes--;
    struct sch_tgsi_parser parser = {.cursor = {text, text, line},
                                     .text = text,
                                     .end = text + bytes,
                                     .diagnostics = diagnostics,
                                     .until = until,
                                     .error_limit = limits->diagnostics};
    if (limits->source_bytes && bytes > limits->source_bytes) {
        sch_tgsi_error(&parser, SCH_D_TEXT_LIMIT, "the text has %zu bytes, the limit is %zu", bytes,
                       limits->source_bytes);
        return SCH_ERROR_LIMIT;
    }
    struct sch_tgsi_found found;
    enum sch_result status = sch_tgsi_find(allocator, text, bytes, until, &found);
    if (status == SCH_ERROR_LIMIT)
        sch_tgsi_error(&parser, SCH_D_TEXT_LIMIT, "the text holds more than %d shaders", SCH_TGSI_FOUND_LIMIT);
    if (status == SCH_OK)
        status = choose(&parser, &found, line) ? parse(&parser, allocator, limits, shader) : SCH_ERROR_INVALID;
    sch_tgsi_found_release(&found);
    return status;
}

enum sch_result sch_tgsi_parse(const struct sch_allocator *allocator, const struct sch_limits *limits, const char *text,
                               size_t bytes, struct sch_diagnostics *diagnostics, struct sch_ir_shader **shader)
{
    return sch_tgsi_parse_part(allocator, limits, text, bytes, 1, NULL, diagnostics, shader);
}
