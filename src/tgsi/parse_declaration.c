/* DCL: registers, then attributes, which are optional but have a fixed order. Mesa's parser crashes on an unknown word
 * in the semantic's place; here it is an error. */
#include "tgsi/parser.h"
#include "tgsi/rules.h"

struct range {
    uint32_t first, last;
};

/* After "[": first [..last] "]", or "]" alone where that means all vertices. */
static bool range(struct sch_tgsi_parser *parser, bool may_be_empty, struct range *result)
{
    uint64_t first, last;
    if (sch_tgsi_accept(parser, ']')) {
        if (may_be_empty && parser->implied_vertices) {
            *result = (struct range){0, parser->implied_vertices - 1};
            return true;
        }
        parser->cursor.at--;
        return sch_tgsi_error(parser, SCH_D_TEXT_EMPTY_BRACKET,
                              may_be_empty && parser->shader->stage == SCH_STAGE_GEOMETRY
                                  ? "an empty bracket needs PROPERTY GS_INPUT_PRIMITIVE before it"
                                  : "this bracket cannot be empty");
    }
    if (!sch_tgsi_uint(parser, SCH_TGSI_MAX_RANGE, "the register index", &first)) return false;
    last = first;
    struct sch_tgsi_cursor before = parser->cursor;
    sch_tgsi_skip_white(parser);
    if (parser->end - parser->cursor.at >= 2 && parser->cursor.at[0] == '.' && parser->cursor.at[1] == '.') {
        parser->cursor.at += 2;
        if (!sch_tgsi_uint(parser, SCH_TGSI_MAX_RANGE, "the register index", &last)) return false;
    } else {
        parser->cursor = before;
    }
    if (last < first)
        return sch_tgsi_error(parser, SCH_D_TEXT_RANGE, "the range %llu..%llu ends before it begins",
                              (unsigned long long)first, (unsigned long long)last);
    *result = (struct range){(uint32_t)first, (uint32_t)last};
    return sch_tgsi_require(parser, ']', "or '..' after the register index");
}

static bool registers(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    struct range ranges[2];
    if (!sch_tgsi_file_bracket(parser, &declaration->file)) return false;
    struct sch_tgsi_cursor at = parser->cursor;
    if (!range(parser, true, &ranges[0])) return false;
    unsigned count = 1;
    if (sch_tgsi_accept(parser, '[')) {
        if (!range(parser, false, &ranges[1])) return false;
        count = 2;
    }
    if (count == 2 && ranges[0].last > SCH_TGSI_MAX_DIMENSION)
        return sch_tgsi_error_at(parser, at, SCH_D_TEXT_NUMBER_RANGE, "the first bracket's number is above %d",
                                 SCH_TGSI_MAX_DIMENSION);
    if (count == 2 && !sch_file_is_per_vertex(parser->shader->stage, declaration->file)) {
        declaration->has_dimension = true;
        declaration->dimension = (uint16_t)ranges[0].first;
        if (ranges[0].first != ranges[0].last)
            sch_tgsi_warning_at(parser, at, SCH_D_TEXT_DIMENSION_RANGE,
                                "only %u of the first bracket's range %u..%u is declared", ranges[0].first,
                                ranges[0].first, ranges[0].last);
    }
    declaration->first = ranges[count - 1].first;
    declaration->last = ranges[count - 1].last;
    if (declaration->last < parser->shader->limits.registers) return true;
    parser->fatal = SCH_ERROR_LIMIT;
    return sch_tgsi_error(parser, SCH_D_TEXT_LIMIT, "register %u is above the limit of %u registers", declaration->last,
                          parser->shader->limits.registers);
}

/* A comma and, after it, something that `word` may be: the cursor is at it, and goes back when it is not. */
struct attribute {
    struct sch_tgsi_cursor before;
    struct sch_tgsi_word word;
};

static bool attribute(struct sch_tgsi_parser *parser, struct attribute *result)
{
    result->before = parser->cursor;
    if (!sch_tgsi_accept(parser, ',')) return false;
    sch_tgsi_skip_white(parser);
    result->word = sch_tgsi_word(parser);
    return true;
}

/* Takes ", WORD". */
static bool accept_attribute(struct sch_tgsi_parser *parser, const char *word)
{
    struct attribute next;
    if (!attribute(parser, &next)) return false;
    if (sch_tgsi_word_is(next.word, word)) {
        sch_tgsi_take(parser, next.word);
        return true;
    }
    parser->cursor = next.before;
    return false;
}

/* Takes ", WORD" when the word is of the vocabulary. */
static const struct sch_word *accept_attribute_of(struct sch_tgsi_parser *parser, enum sch_vocabulary vocabulary)
{
    struct attribute next;
    if (!attribute(parser, &next)) return NULL;
    const struct sch_word *word = sch_tgsi_take_word(parser, vocabulary);
    if (!word) parser->cursor = next.before;
    return word;
}

static bool array(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    if (!accept_attribute(parser, "ARRAY")) return true;
    uint64_t id;
    if (!sch_tgsi_require(parser, '(', "after ARRAY")) return false;
    sch_tgsi_skip_white(parser);
    if (sch_tgsi_peek(parser) == '+') parser->cursor.at++; /* it is read as a signed number */
    if (!sch_tgsi_uint(parser, SCH_TGSI_MAX_ARRAY_ID, "the ArrayID", &id)) return false;
    declaration->array_id = (uint16_t)id;
    return sch_tgsi_require(parser, ')', "after the ArrayID");
}

static bool target_attribute(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    const struct sch_word *target = sch_tgsi_take_word(parser, SCH_WORDS_TARGET);
    if (!target) return sch_tgsi_expected(parser, SCH_D_TEXT_TARGET, "a texture target");
    declaration->target = (uint8_t)target->number;
    return true;
}

static bool image(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    struct attribute next;
    if (!attribute(parser, &next)) return true;
    if (!target_attribute(parser, declaration)) return false;
    while (attribute(parser, &next)) {
        const struct sch_word *format;
        if (sch_tgsi_word_is(next.word, "RAW")) {
            declaration->raw = true;
            sch_tgsi_take(parser, next.word);
        } else if (sch_tgsi_word_is(next.word, "WR")) {
            declaration->writable = true;
            sch_tgsi_take(parser, next.word);
        } else if (declaration->file == SCH_FILE_IMAGE && (format = sch_tgsi_take_format(parser))) {
            declaration->format = (uint16_t)format->number;
        } else {
            parser->cursor = next.before;
            break;
        }
    }
    return true;
}

static bool resource(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    if (!image(parser, declaration)) return false;
    struct attribute next;
    if (attribute(parser, &next)) return sch_tgsi_expected(parser, SCH_D_TEXT_ATTRIBUTE, "WR or RAW");
    return true;
}

static bool view(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    struct attribute next;
    if (!attribute(parser, &next)) return true;
    if (!target_attribute(parser, declaration)) return false;
    unsigned count = 0;
    struct sch_tgsi_cursor at = parser->cursor;
    for (; count < 4; count++) {
        if (!attribute(parser, &next)) break;
        const struct sch_word *type = sch_tgsi_take_word(parser, SCH_WORDS_RETURN_TYPE);
        if (!type) return sch_tgsi_expected(parser, SCH_D_TEXT_RETURN_TYPE, "UNORM, SNORM, SINT, UINT or FLOAT");
        declaration->return_type[count] = (uint8_t)type->number;
    }
    if (!count) return sch_tgsi_require(parser, ',', "and the type that the view returns");
    if (count < 4)
        for (unsigned c = 1; c < 4; c++) declaration->return_type[c] = declaration->return_type[0];
    if (count == 2 || count == 3)
        sch_tgsi_warning_at(parser, at, SCH_D_TEXT_VIEW_TYPES, "of %u types only the first counts: give one or four",
                            count);
    if (attribute(parser, &next)) return sch_tgsi_expected(parser, SCH_D_TEXT_ATTRIBUTE, "the end of the declaration");
    return true;
}

static bool memory(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    const struct sch_word *kind = accept_attribute_of(parser, SCH_WORDS_MEMORY_KIND);
    if (kind) declaration->memory_kind = (uint8_t)kind->number;
    return true;
}

static bool may_have_streams(const struct sch_tgsi_parser *parser, const struct sch_ir_declaration *declaration)
{
    return declaration->file == SCH_FILE_OUTPUT && parser->shader->stage == SCH_STAGE_GEOMETRY;
}

/* Whether the word is an attribute that comes after the semantic. */
static bool is_later(struct sch_tgsi_parser *parser, const struct sch_ir_declaration *declaration,
                     struct sch_tgsi_word word)
{
    struct sch_tgsi_cursor at = parser->cursor;
    bool later = sch_tgsi_take_word(parser, SCH_WORDS_INTERPOLATION) || sch_tgsi_take_word(parser, SCH_WORDS_LOCATION);
    parser->cursor = at;
    return later || sch_tgsi_word_is(word, "INVARIANT") ||
           (may_have_streams(parser, declaration) && sch_tgsi_word_is(word, "STREAM"));
}

/* [, LOCAL] [, semantic [index]]. The flags of a declaration do not depend on each other ("If Semantic flag is set to
 * 1", "If Interpolate flag is set to 1"), so that later attributes may follow where there is no semantic. COLOR is a
 * semantic here, and an interpolation after one. */
static bool semantic(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    declaration->local = accept_attribute(parser, "LOCAL");
    struct attribute next;
    if (!attribute(parser, &next)) return true;
    const struct sch_word *word = sch_tgsi_take_word(parser, SCH_WORDS_SEMANTIC);
    if (!word && is_later(parser, declaration, next.word)) {
        parser->cursor = next.before;
        return true;
    }
    if (!word) return sch_tgsi_expected(parser, SCH_D_TEXT_SEMANTIC, "a semantic");
    declaration->has_semantic = true;
    declaration->semantic = (uint8_t)word->number;
    if (!sch_tgsi_accept(parser, '[')) return true;
    uint64_t index;
    if (!sch_tgsi_uint(parser, UINT16_MAX, "the semantic index", &index)) return false;
    declaration->semantic_index = (uint16_t)index;
    return sch_tgsi_require(parser, ']', "after the semantic index");
}

static bool streams(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    if (!may_have_streams(parser, declaration)) return true;
    if (!accept_attribute(parser, "STREAM")) return true;
    if (!sch_tgsi_require(parser, '(', "after STREAM")) return false;
    for (unsigned c = 0; c < 4; c++) {
        uint64_t stream;
        if (c && !sch_tgsi_require(parser, ',', "between the four streams")) return false;
        if (!sch_tgsi_uint(parser, 3, "the stream", &stream)) return false;
        declaration->stream[c] = (uint8_t)stream;
    }
    return sch_tgsi_require(parser, ')', "after the streams");
}

/* Mesa 7.5 to 8 print the interpolation of every declaration. CONSTANT, the number 0, says nothing where nothing is
 * interpolated: in other stages, and of other registers than inputs. */
static void drop_old_interpolation(struct sch_tgsi_parser *parser, const struct sch_ir_declaration *declaration)
{
    if (parser->shader->stage == SCH_STAGE_FRAGMENT && declaration->file == SCH_FILE_INPUT) return;
    struct sch_tgsi_cursor before = parser->cursor;
    if (!accept_attribute(parser, "CONSTANT")) return;
    struct sch_tgsi_cursor behind = parser->cursor;
    parser->cursor = accept_attribute_of(parser, SCH_WORDS_LOCATION) ? before : behind; /* locations are newer */
}

/* CYLWRAP_X and the like, which Mesa had up to version 20: coordinates wrapped around when they were interpolated. */
static void drop_wrap(struct sch_tgsi_parser *parser)
{
    static const char name[] = "CYLWRAP_";
    enum { NAME = sizeof name - 1 };
    struct attribute next;
    struct sch_tgsi_cursor at = parser->cursor;
    if (!attribute(parser, &next)) return;
    const struct sch_tgsi_word beginning = {next.word.text, NAME};
    if (next.word.bytes <= NAME || next.word.bytes > NAME + 4 || !sch_tgsi_word_is(beginning, name)) {
        parser->cursor = next.before;
        return;
    }
    for (size_t i = NAME; i < next.word.bytes; i++)
        if (sch_tgsi_component(next.word.text[i]) < 0) {
            parser->cursor = next.before;
            return;
        }
    sch_tgsi_take(parser, next.word);
    sch_tgsi_tell(parser, at, SCH_TGSI_TOLD_WRAP,
                  "Mesa has no cylindrical wrap any more: the input is interpolated as others are");
}

/* [, interpolation] [, location] [, INVARIANT], then nothing. */
static bool last_attributes(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    drop_old_interpolation(parser, declaration);
    const struct sch_word *mode = accept_attribute_of(parser, SCH_WORDS_INTERPOLATION);
    if (mode) {
        declaration->has_interpolation = true;
        declaration->interpolation = (uint8_t)mode->number;
    }
    struct sch_tgsi_cursor at = parser->cursor;
    const struct sch_word *location = accept_attribute_of(parser, SCH_WORDS_LOCATION);
    if (location && mode)
        declaration->location = (uint8_t)location->number;
    else if (location && location->number != SCH_LOCATION_CENTER)
        sch_tgsi_warning_at(parser, at, SCH_D_TEXT_LOCATION, "%s has no effect without an interpolation mode before it",
                            location->word);
    drop_wrap(parser);
    declaration->invariant = accept_attribute(parser, "INVARIANT");
    struct attribute next;
    if (!attribute(parser, &next)) return true;
    return sch_tgsi_expected(parser, SCH_D_TEXT_ATTRIBUTE, "an attribute that is allowed here");
}

static bool attributes(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    switch (sch_tgsi_attributes(declaration->file)) {
    case SCH_TGSI_ATTRIBUTES_RESOURCE:
        return resource(parser, declaration);
    case SCH_TGSI_ATTRIBUTES_VIEW:
        return view(parser, declaration);
    case SCH_TGSI_ATTRIBUTES_IMAGE:
        if (!image(parser, declaration)) return false;
        break;
    case SCH_TGSI_ATTRIBUTES_BUFFER:
        declaration->atomic = accept_attribute(parser, "ATOMIC");
        break;
    case SCH_TGSI_ATTRIBUTES_MEMORY:
        if (!memory(parser, declaration)) return false;
        break;
    case SCH_TGSI_ATTRIBUTES_SEMANTIC:
        if (!semantic(parser, declaration) || !streams(parser, declaration)) return false;
        break;
    }
    return last_attributes(parser, declaration);
}

bool sch_tgsi_declaration(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration)
{
    if (!sch_tgsi_skip_white(parser)) return sch_tgsi_expected(parser, SCH_D_TEXT_PUNCTUATION, "white space after DCL");
    return registers(parser, declaration) && sch_tgsi_mask(parser, &declaration->usage_mask) &&
           array(parser, declaration) && attributes(parser, declaration);
}
