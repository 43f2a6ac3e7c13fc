/* Text to instructions, in the pages' syntax and nvdisasm's. Names, layouts and codes are those of src/isa/maxwell.def.
 * The text is cut into operands first; which of them are there is decided by their kinds. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/digit.h"
#include "isa/errors.h"
#include "maxwell/text/control.h"
#include "maxwell/text/tables.h"
#include "maxwell/text/text.h"

enum { OPERANDS = 12, MODIFIERS = 16 };

struct piece {
    const char *at;
    size_t bytes;
};

struct parser {
    const char *text, *end, *at;
    struct sch_position position; /* of `text` */
    struct sch_diagnostics *diagnostics;
    struct sch_maxwell_instruction *instruction;
    const struct sch_maxwell_form_row *form;
    struct piece name, modifiers[MODIFIERS], operands[OPERANDS];
    size_t modifier_count, operand_count, next; /* next: of the operands */
    uint64_t seen;                              /* a bit for each field that a modifier set */
};

__attribute__((format(printf, 4, 5))) static bool fail(struct parser *parser, const char *at, unsigned code,
                                                       const char *format, ...)
{
    char message[160];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    sch_diagnostics_add(parser->diagnostics, SCH_SEVERITY_ERROR, code,
                        sch_position_at(parser->position, parser->text, at), "%s", message);
    return false;
}

static const char *operation_name(const struct parser *parser)
{
    return sch_maxwell_operation_names[parser->instruction->operation];
}

/* ---- characters and words ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

static bool is_word(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_blanks(struct parser *parser)
{
    while (parser->at < parser->end && is_blank(*parser->at)) parser->at++;
}

static char peek(const struct parser *parser) { return parser->at < parser->end ? *parser->at : 0; }

static struct piece take_word(struct parser *parser)
{
    struct piece piece = {.at = parser->at};
    while (parser->at < parser->end && is_word(*parser->at)) parser->at++;
    piece.bytes = (size_t)(parser->at - piece.at);
    return piece;
}

static bool is(struct piece piece, const char *word)
{
    return strlen(word) == piece.bytes && memcmp(piece.at, word, piece.bytes) == 0;
}

/* For messages: at most so many bytes of a piece are shown. */
enum { SHOWN = 40 };
static int shown(struct piece piece) { return piece.bytes < SHOWN ? (int)piece.bytes : SHOWN; }

/* Decimal, or hexadecimal after 0x. A number that is too large for 32 bits is UINT32_MAX. */
static bool number_of(struct piece piece, uint32_t *number)
{
    unsigned base = 10;
    size_t i = 0;
    if (piece.bytes > 2 && piece.at[0] == '0' && (piece.at[1] == 'x' || piece.at[1] == 'X')) {
        base = 16;
        i = 2;
    }
    uint64_t value = 0;
    for (; i < piece.bytes; i++) {
        unsigned digit = sch_digit(piece.at[i]);
        if (digit >= base) return false;
        value = value * base + digit;
        if (value > UINT32_MAX) value = UINT32_MAX;
    }
    *number = (uint32_t)value;
    return piece.bytes > 0;
}

/* R or P and decimal digits, or `last` by its letter. */
static bool numbered(struct piece piece, char letter, char zero, unsigned last, uint8_t *number)
{
    if (piece.bytes < 2 || piece.at[0] != letter) return false;
    if (piece.bytes == 2 && piece.at[1] == zero) {
        *number = (uint8_t)last;
        return true;
    }
    unsigned value = 0;
    for (size_t i = 1; i < piece.bytes; i++) {
        unsigned digit = sch_digit(piece.at[i]);
        if (digit > 9 || i > 3) return false;
        value = value * 10 + digit;
    }
    *number = (uint8_t)value;
    return value < last;
}

static bool register_of(struct piece piece, uint8_t *number)
{
    return numbered(piece, 'R', 'Z', SCH_MAXWELL_RZ, number);
}

static bool predicate_of(struct piece piece, uint8_t *number)
{
    return numbered(piece, 'P', 'T', SCH_MAXWELL_PT, number);
}

static bool value_of(enum sch_maxwell_field field, struct piece piece, unsigned *value)
{
    for (size_t i = 0; i < sch_maxwell_name_count; i++)
        if (sch_maxwell_names[i].field == field && is(piece, sch_maxwell_names[i].text)) {
            *value = sch_maxwell_names[i].value;
            return true;
        }
    return false;
}

/* ---- cutting ---- */

static bool cut_guard(struct parser *parser, uint8_t *guard, bool *inverted)
{
    skip_blanks(parser);
    *guard = SCH_MAXWELL_PT;
    *inverted = false;
    if (peek(parser) != '@') return true;
    const char *begin = parser->at++;
    *inverted = peek(parser) == '!';
    if (*inverted) parser->at++;
    if (predicate_of(take_word(parser), guard)) return true;
    return fail(parser, begin, SCH_D_MAXWELL_GUARD, "expected @P0 to @P6, @PT, or one of them with ! after the @");
}

static bool cut_name(struct parser *parser)
{
    skip_blanks(parser);
    parser->name = take_word(parser);
    while (peek(parser) == '.') {
        parser->at++;
        struct piece modifier = take_word(parser);
        if (!modifier.bytes || parser->modifier_count == MODIFIERS)
            return fail(parser, modifier.at, SCH_D_MAXWELL_MODIFIER, "expected a modifier after the dot");
        parser->modifiers[parser->modifier_count++] = modifier;
    }
    return true;
}

static bool cut_operands(struct parser *parser)
{
    do {
        skip_blanks(parser);
        struct piece operand = take_word(parser);
        if (!operand.bytes) return fail(parser, parser->at, SCH_D_MAXWELL_OPERANDS, "expected an operand");
        if (parser->operand_count == OPERANDS)
            return fail(parser, operand.at, SCH_D_MAXWELL_OPERANDS, "too many operands");
        parser->operands[parser->operand_count++] = operand;
        skip_blanks(parser);
    } while (peek(parser) == ',' && parser->at++);
    return true;
}

/* The marks of the control word, up to the semicolon or the end. */
static bool cut_schedule(struct parser *parser, struct sch_maxwell_schedule *schedule)
{
    const char *begin = parser->at;
    const char *semicolon = memchr(begin, ';', (size_t)(parser->end - begin));
    const char *end = semicolon ? semicolon : parser->end;
    const char first = peek(parser);
    if (begin < end && first != '{' && first != '&' && first != '?')
        return fail(parser, begin, SCH_D_MAXWELL_PUNCTUATION, "expected a comma, a scheduling mark or a semicolon");
    parser->at = end + (semicolon != NULL);
    return sch_maxwell_schedule_parse(begin, (size_t)(end - begin),
                                      sch_position_at(parser->position, parser->text, begin), parser->diagnostics,
                                      schedule) == SCH_OK;
}

/* ---- modifiers ---- */

static bool has_modifier(const struct parser *parser, enum sch_maxwell_field field)
{
    for (size_t i = 0; i < sch_maxwell_modifier_count; i++)
        if (sch_maxwell_modifiers[i].operation == parser->instruction->operation &&
            sch_maxwell_modifiers[i].field == field)
            return true;
    return false;
}

static bool set_modifier(struct parser *parser, struct piece piece, enum sch_maxwell_field field, unsigned value)
{
    if (!sch_maxwell_can_say(parser->instruction->operation, field, value))
        return fail(parser, piece.at, SCH_D_MAXWELL_MODIFIER, "%s has no .%.*s", operation_name(parser), shown(piece),
                    piece.at);
    if (parser->seen >> field & 1)
        return fail(parser, piece.at, SCH_D_MAXWELL_MODIFIER_TWICE,
                    "the instruction already has a modifier of the kind of .%.*s", shown(piece), piece.at);
    parser->seen |= (uint64_t)1 << field;
    sch_maxwell_set(parser->instruction, field, value);
    return true;
}

/* .B of TLD4 is the component blue, unless another component is named: then, or as a second .B, it is bindless. */
static bool is_ambiguous(const struct parser *parser, struct piece piece)
{
    return is(piece, "B") && has_modifier(parser, SCH_MF_BINDLESS) && has_modifier(parser, SCH_MF_COMPONENT);
}

static bool one_modifier(struct parser *parser, struct piece piece)
{
    for (size_t i = 0; i < sch_maxwell_modifier_count; i++) {
        unsigned value;
        if (sch_maxwell_modifiers[i].operation != parser->instruction->operation) continue;
        if (value_of(sch_maxwell_modifiers[i].field, piece, &value))
            return set_modifier(parser, piece, sch_maxwell_modifiers[i].field, value);
    }
    return fail(parser, piece.at, SCH_D_MAXWELL_MODIFIER, "%s has no .%.*s", operation_name(parser), shown(piece),
                piece.at);
}

static bool read_modifiers(struct parser *parser)
{
    for (size_t i = 0; i < parser->modifier_count; i++)
        if (!is_ambiguous(parser, parser->modifiers[i]) && !one_modifier(parser, parser->modifiers[i])) return false;
    for (size_t i = 0; i < parser->modifier_count; i++) {
        if (!is_ambiguous(parser, parser->modifiers[i])) continue;
        const bool named = parser->seen >> SCH_MF_COMPONENT & 1;
        const enum sch_maxwell_field field = named ? SCH_MF_BINDLESS : SCH_MF_COMPONENT;
        unsigned value;
        if (!value_of(field, parser->modifiers[i], &value) || !set_modifier(parser, parser->modifiers[i], field, value))
            return false;
    }
    for (size_t i = 0; i < sch_maxwell_modifier_count; i++) {
        const enum sch_maxwell_field field = sch_maxwell_modifiers[i].field;
        if (sch_maxwell_modifiers[i].operation != parser->instruction->operation || parser->seen >> field & 1) continue;
        const unsigned value = sch_maxwell_get(parser->instruction, field);
        if (sch_maxwell_name(field, value) || !sch_maxwell_can_say(parser->instruction->operation, field, value))
            return fail(parser, parser->name.at + parser->name.bytes, SCH_D_MAXWELL_MODIFIER_MISSING, "%s needs %s",
                        operation_name(parser),
                        field == SCH_MF_MODE  ? ".LOD"
                        : field == SCH_MF_LOD ? ".LZ or .LL"
                                              : "a component: .R, .G, .B or .A");
    }
    return true;
}

/* ---- operands ---- */

static struct piece this_operand(const struct parser *parser)
{
    if (parser->next < parser->operand_count) return parser->operands[parser->next];
    return (struct piece){parser->at, 0};
}

static bool want_register(struct parser *parser, uint8_t *number, const char *which)
{
    struct piece piece = this_operand(parser);
    if (!register_of(piece, number))
        return fail(parser, piece.at, SCH_D_MAXWELL_REGISTER, "expected %s: R0 to R254, or RZ", which);
    parser->next++;
    return true;
}

static bool want_number(struct parser *parser, uint32_t greatest, const char *which, uint32_t *number)
{
    struct piece piece = this_operand(parser);
    if (!number_of(piece, number)) return fail(parser, piece.at, SCH_D_MAXWELL_OPERAND_NUMBER, "expected %s", which);
    if (*number > greatest)
        return fail(parser, piece.at, SCH_D_MAXWELL_NUMBER_RANGE, "%s ends at 0x%x", which, (unsigned)greatest);
    parser->next++;
    return true;
}

/* Whether the index is two numbers, not one. After the pair of TXQ and TXA, which have no paramA, the page demands the
 * mask: three numbers. */
static bool is_pair(const struct parser *parser)
{
    uint32_t number;
    if (parser->next + 1 >= parser->operand_count || !number_of(parser->operands[parser->next + 1], &number))
        return false;
    return strchr(parser->form->operands, 'p') || parser->operand_count - parser->next > 2;
}

static bool read_index(struct parser *parser, char letter)
{
    uint32_t index, sampler = 0;
    if (letter != 'i' && is_pair(parser)) {
        if (!want_number(parser, 0xff, "#tidU08", &index)) return false;
        if (!want_number(parser, 0x1f, "#smpU05", &sampler)) return false;
        index |= sampler << 8;
    } else if (!want_number(parser, 0x1fff, "the index #tsPtrIdxU13", &index))
        return false;
    if (letter != 'x') parser->instruction->index = (uint16_t)index;
    return true;
}

static bool read_parameter(struct parser *parser)
{
    struct piece piece = this_operand(parser);
    unsigned value;
    if (!value_of(SCH_MF_PARAMETER, piece, &value))
        return fail(parser, piece.at, SCH_D_MAXWELL_PARAMETER,
                    "expected #paramA: 1D, 2D, 3D, CUBE or ARRAY_ with one of them");
    parser->instruction->parameter = (uint8_t)value;
    parser->next++;
    return true;
}

static bool read_query(struct parser *parser)
{
    struct piece piece = this_operand(parser);
    unsigned value, code;
    uint32_t number;
    if (!value_of(SCH_MF_QUERY, piece, &value)) {
        if (!number_of(piece, &number))
            return fail(parser, piece.at, SCH_D_MAXWELL_QUERY, "expected a query: TEX_HEADER_DIMENSION, ...");
        if (number > 0x1f) return fail(parser, piece.at, SCH_D_MAXWELL_NUMBER_RANGE, "a query's number ends at 31");
        value = number * 2;
    }
    static const struct sch_maxwell_field_row row = {.width = 6, .coding = SCH_MAXWELL_CODING_QUERY};
    if (!sch_maxwell_to_code(&row, value, &code))
        return fail(parser, piece.at, SCH_D_MAXWELL_QUERY, "there is no query %.*s", shown(piece), piece.at);
    parser->instruction->query = (uint8_t)value;
    parser->next++;
    return true;
}

/* A number up to 0xf, or letters in the order RGBA. */
static bool mask_of(struct parser *parser, struct piece piece, uint8_t *mask)
{
    uint32_t number;
    if (number_of(piece, &number)) {
        *mask = (uint8_t)number;
        if (number > 0xf) return fail(parser, piece.at, SCH_D_MAXWELL_NUMBER_RANGE, "a write mask ends at 0xf");
        return true;
    }
    size_t at = 0;
    *mask = 0;
    for (unsigned i = 0; i < 4; i++)
        if (at < piece.bytes && piece.at[at] == "RGBA"[i]) {
            *mask |= (uint8_t)(1u << i);
            at++;
        }
    if (at && at == piece.bytes) return true;
    return fail(parser, piece.at, SCH_D_MAXWELL_MASK, "expected a write mask: a number up to 0xf, or letters of RGBA");
}

/* The mask of vec4 operations may be left out. */
static bool read_mask(struct parser *parser)
{
    parser->instruction->write_mask = 0xf;
    if (parser->next == parser->operand_count) return true;
    return mask_of(parser, parser->operands[parser->next++], &parser->instruction->write_mask);
}

/* #wmskU34C may be left out, #wmskU2C may not. Reserved codes are named as nvdisasm does. */
static bool read_mask_letters(struct parser *parser)
{
    struct sch_maxwell_instruction *instruction = parser->instruction;
    const bool wide = instruction->rd1 != SCH_MAXWELL_RZ;
    struct piece piece = this_operand(parser);
    uint8_t mask = 0xf;
    if (!piece.bytes && !wide)
        return fail(parser, piece.at, SCH_D_MAXWELL_OPERANDS,
                    "expected the write mask: without Rd1 it must be written");
    const bool written = piece.bytes > 0;
    parser->next += written;
    for (size_t i = 0; i < sch_maxwell_mask_count && written; i++) {
        const struct sch_maxwell_mask_row *row = &sch_maxwell_masks[i];
        if (row->wide != wide || !is(piece, row->text)) continue;
        instruction->mask_code = row->code;
        instruction->write_mask = row->mask;
        return true;
    }
    if (written && !mask_of(parser, piece, &mask)) return false;
    for (size_t i = 0; i < sch_maxwell_mask_count; i++) {
        const struct sch_maxwell_mask_row *row = &sch_maxwell_masks[i];
        if (row->wide != wide || row->mask != mask || !mask) continue;
        instruction->mask_code = row->code;
        instruction->write_mask = mask;
        return true;
    }
    return fail(parser, piece.at, wide ? SCH_D_MAXWELL_MASK_TWO : SCH_D_MAXWELL_MASK_ONE,
                wide ? "with Rd1 the mask is RGB, RGA, RBA, GBA or RGBA"
                     : "with RZ for Rd1 the mask is R, G, B, A, RG, RA, GA or BA");
}

static bool read_unused(struct parser *parser)
{
    uint8_t number;
    struct piece piece = this_operand(parser);
    if (!register_of(piece, &number)) return true;
    parser->next++;
    if (number == SCH_MAXWELL_RZ) return true;
    return fail(parser, piece.at, SCH_D_MAXWELL_NO_RB, "%s without .B has no parameter in Rb", operation_name(parser));
}

static bool read_operand(struct parser *parser, char letter)
{
    struct sch_maxwell_instruction *instruction = parser->instruction;
    uint8_t ignored;
    switch (letter) {
    case 'e':
        parser->next += predicate_of(this_operand(parser), &instruction->residency);
        return true;
    case '1':
        return want_register(parser, &instruction->rd1, "the destination Rd1");
    case 'd':
        return want_register(parser, &instruction->rd, "the destination Rd");
    case 'a':
        return want_register(parser, &instruction->ra, "the source Ra");
    case 'b':
        return !register_of(this_operand(parser), &ignored) || want_register(parser, &instruction->rb, "Rb");
    case 'B':
        return want_register(parser, &instruction->rb, "the source Rb");
    case 'z':
        return read_unused(parser);
    case 'q':
        return read_query(parser);
    case 'I':
    case 'i':
    case 'x':
        return read_index(parser, letter);
    case 'p':
        return read_parameter(parser);
    case 'm':
        return read_mask(parser);
    case 'c':
        return read_mask_letters(parser);
    default:
        return false;
    }
}

/* ---- codes ---- */

static const char *modifier_of(const struct parser *parser, enum sch_maxwell_field field)
{
    for (size_t i = 0; i < parser->modifier_count; i++) {
        unsigned value;
        if (value_of(field, parser->modifiers[i], &value)) return parser->modifiers[i].at;
    }
    return parser->name.at;
}

static struct piece parameter_piece(const struct parser *parser)
{
    unsigned value;
    for (size_t i = 0; i < parser->operand_count; i++)
        if (value_of(SCH_MF_PARAMETER, parser->operands[i], &value)) return parser->operands[i];
    return parser->name;
}

/* TEXS and TLDS: the form code of paramA and modifiers; the mask code is set already. */
static bool find_form(struct parser *parser)
{
    struct sch_maxwell_instruction *i = parser->instruction;
    if (!sch_maxwell_is_scalar(i->operation)) return true;
    const uint8_t mask_code = i->mask_code, mask = i->write_mask, rd1 = i->rd1;
    i->rd1 = SCH_MAXWELL_RZ;
    i->write_mask = 1;
    bool found = sch_maxwell_choose_codes(i);
    i->rd1 = rd1;
    i->write_mask = mask;
    i->mask_code = mask_code;
    if (found) return true;

    bool known = false;
    for (size_t k = 0; k < sch_maxwell_scalar_count; k++)
        known |= sch_maxwell_scalars[k].operation == i->operation && sch_maxwell_scalars[k].parameter == i->parameter;
    struct piece piece = parameter_piece(parser);
    if (!known)
        return fail(parser, piece.at, SCH_D_MAXWELL_PARAMETER_RESERVED, "%s cannot have %.*s", operation_name(parser),
                    shown(piece), piece.at);
    if (i->multisample && i->lod != SCH_MAXWELL_LZ)
        return fail(parser, modifier_of(parser, SCH_MF_MULTISAMPLE), SCH_D_MAXWELL_MS_LOD, ".MS goes with .LZ only");
    if (i->multisample && i->parameter != SCH_MAXWELL_2D && i->parameter != SCH_MAXWELL_ARRAY_2D)
        return fail(parser, modifier_of(parser, SCH_MF_MULTISAMPLE), SCH_D_MAXWELL_MS_PARAMETER,
                    ".MS goes with 2D and ARRAY_2D only");
    return fail(parser, piece.at, SCH_D_MAXWELL_SCALAR_FORM, "%s cannot have %.*s with these modifiers",
                operation_name(parser), shown(piece), piece.at);
}

static bool find_operation(struct parser *parser, unsigned *operation)
{
    for (*operation = 0; *operation < SCH_MAXWELL_OPERATIONS; ++*operation)
        if (is(parser->name, sch_maxwell_operation_names[*operation])) return true;
    if (!parser->name.bytes) return fail(parser, parser->at, SCH_D_MAXWELL_OPERATION, "expected a Maxwell instruction");
    return fail(parser, parser->name.at, SCH_D_MAXWELL_OPERATION, "%.*s is not a Maxwell instruction",
                shown(parser->name), parser->name.at);
}

static bool parse(struct parser *parser, struct sch_maxwell_schedule *schedule)
{
    uint8_t guard;
    bool inverted;
    unsigned operation;
    if (!cut_guard(parser, &guard, &inverted) || !cut_name(parser) || !find_operation(parser, &operation)) return false;
    struct sch_maxwell_instruction *instruction = parser->instruction;
    *instruction = sch_maxwell_blank(operation, false);
    instruction->guard = guard;
    instruction->guard_not = inverted;
    if (!read_modifiers(parser) || !cut_operands(parser)) return false;
    parser->form = sch_maxwell_form_of(operation, instruction->bindless);
    if (!parser->form) return fail(parser, parser->name.at, SCH_D_MAXWELL_MODIFIER, "the operation has no .B");
    for (const char *letter = parser->form->operands; *letter; letter++)
        if (!read_operand(parser, *letter)) return false;
    if (parser->next < parser->operand_count)
        return fail(parser, parser->operands[parser->next].at, SCH_D_MAXWELL_OPERANDS,
                    "the instruction ends before this operand");
    return cut_schedule(parser, schedule) && find_form(parser);
}

enum sch_result sch_maxwell_parse(const char *text, size_t bytes, struct sch_position position,
                                  struct sch_diagnostics *diagnostics, struct sch_maxwell_instruction *instruction,
                                  struct sch_maxwell_schedule *schedule, size_t *used)
{
    struct parser parser = {.text = text,
                            .end = text + bytes,
                            .at = text,
                            .position = position,
                            .diagnostics = diagnostics,
                            .instruction = instruction};
    struct sch_maxwell_schedule ignored;
    bool good = parse(&parser, schedule ? schedule : &ignored);
    *used = (size_t)(parser.at - text);
    return good ? SCH_OK : SCH_ERROR_INVALID;
}
