/* Operands: FILE[...][...] with indices, masks, swizzles and modifiers. */
#include "tgsi/parser.h"
#include "tgsi/rules.h"

#include <string.h>

bool sch_tgsi_file_bracket(struct sch_tgsi_parser *parser, uint8_t *file)
{
    const struct sch_word *word = sch_tgsi_take_word(parser, SCH_WORDS_FILE);
    if (!word) return sch_tgsi_expected(parser, SCH_D_TEXT_FILE, "a register file");
    *file = (uint8_t)word->number;
    return sch_tgsi_require(parser, '[', "after the register file");
}

/* "(n)" right after a bracket. */
static bool array_id(struct sch_tgsi_parser *parser, struct sch_ir_bracket *bracket)
{
    if (sch_tgsi_peek(parser) != '(') return true;
    struct sch_tgsi_cursor at = parser->cursor;
    parser->cursor.at++;
    uint64_t id;
    if (!sch_tgsi_uint(parser, SCH_TGSI_MAX_ARRAY_ID, "the ArrayID", &id)) return false;
    if (!sch_tgsi_require(parser, ')', "after the ArrayID")) return false;
    if (bracket->is_indirect)
        bracket->indirect.array_id = (uint16_t)id;
    else
        sch_tgsi_warning_at(parser, at, SCH_D_TEXT_DIRECT_ARRAY_ID,
                            "the ArrayID has no effect: the bracket is not indirect");
    return true;
}

/* The number after an index register's + or -: no blank is between the two. */
static bool indirect_offset(struct sch_tgsi_parser *parser, struct sch_ir_bracket *bracket)
{
    bool negative = sch_tgsi_peek(parser) == '-';
    parser->cursor.at++;
    if (sch_tgsi_peek(parser) < '0' || sch_tgsi_peek(parser) > '9')
        return sch_tgsi_expected(parser, SCH_D_TEXT_NUMBER, "a number right after the sign");
    uint64_t number;
    if (!sch_tgsi_uint(parser, negative ? -SCH_TGSI_MIN_INDEX : SCH_TGSI_MAX_INDEX, "the offset", &number))
        return false;
    bracket->index = negative ? -(int32_t)number : (int32_t)number;
    return true;
}

static bool indirect_bracket(struct sch_tgsi_parser *parser, struct sch_ir_bracket *bracket)
{
    struct sch_tgsi_cursor at = parser->cursor;
    uint64_t index;
    if (!sch_tgsi_file_bracket(parser, &bracket->indirect.file)) return false;
    if (bracket->indirect.file == SCH_FILE_NULL)
        return sch_tgsi_error_at(parser, at, SCH_D_TEXT_FILE, "NULL cannot be an index register");
    if (bracket->indirect.file == SCH_FILE_RESOURCE)
        return sch_tgsi_error_at(parser, at, SCH_D_TEXT_FILE, "RES cannot be an index register");
    if (!sch_tgsi_uint(parser, SCH_TGSI_MAX_INDEX, "the index register", &index)) return false;
    if (!sch_tgsi_require(parser, ']', "after the index register")) return false;
    bracket->is_indirect = true;
    bracket->indirect.index = (int32_t)index;

    if (sch_tgsi_accept(parser, '.')) {
        sch_tgsi_skip_white(parser);
        int component = sch_tgsi_component(sch_tgsi_peek(parser));
        if (component < 0) return sch_tgsi_expected(parser, SCH_D_TEXT_SWIZZLE, "x, y, z or w of the index register");
        bracket->indirect.component = (uint8_t)component;
        parser->cursor.at++;
    }
    sch_tgsi_skip_white(parser);
    char sign = sch_tgsi_peek(parser);
    return sign != '+' && sign != '-' ? true : indirect_offset(parser, bracket);
}

/* After "[": an index or an index register, "]", an ArrayID. */
static bool bracket(struct sch_tgsi_parser *parser, struct sch_ir_bracket *result)
{
    *result = (struct sch_ir_bracket){0};
    sch_tgsi_skip_white(parser);
    char c = sch_tgsi_peek(parser);
    if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
        if (!indirect_bracket(parser, result)) return false;
    } else {
        uint64_t index;
        if (!sch_tgsi_uint(parser, SCH_TGSI_MAX_INDEX, "the register index", &index)) return false;
        result->index = (int32_t)index;
    }
    return sch_tgsi_require(parser, ']', "after the register index") && array_id(parser, result);
}

/* FILE and one or two brackets: of two the first is the dimension. */
static bool file_and_brackets(struct sch_tgsi_parser *parser, uint8_t *file, struct sch_ir_bracket *index,
                              struct sch_ir_bracket *dimension, bool *has_dimension)
{
    if (!sch_tgsi_file_bracket(parser, file)) return false;
    if (!bracket(parser, index)) return false;
    if (!sch_tgsi_accept(parser, '[')) return true;
    *dimension = *index;
    *has_dimension = true;
    if (!bracket(parser, index)) return false;
    if (!sch_tgsi_accept(parser, '[')) return true;
    return sch_tgsi_error(parser, SCH_D_TEXT_PUNCTUATION, "an operand has at most two brackets");
}

bool sch_tgsi_mask(struct sch_tgsi_parser *parser, uint8_t *mask)
{
    *mask = 15;
    if (!sch_tgsi_accept(parser, '.')) return true;
    sch_tgsi_skip_white(parser);
    unsigned bits = 0;
    for (int c = 0; c < 4; c++)
        if (sch_tgsi_component(sch_tgsi_peek(parser)) == c) {
            bits |= 1u << c;
            parser->cursor.at++;
        }
    if (!bits || sch_tgsi_word(parser).bytes)
        return sch_tgsi_error(parser, SCH_D_TEXT_MASK, "a mask has one or more of x, y, z, w, in this order");
    *mask = (uint8_t)bits;
    return true;
}

/* r, g, b, a beside x, y, z, w; -1: none. */
static int swizzle_letter(struct sch_tgsi_parser *parser, char c)
{
    static const char colors[] = "rgba";
    int component = sch_tgsi_component(c);
    const char *color = c ? strchr(colors, c | 0x20) : NULL;
    if (component >= 0 || !color) return component;
    sch_tgsi_tell(parser, parser->cursor, SCH_TGSI_TOLD_SWIZZLE, "Mesa takes the letters x, y, z, w only");
    return (int)(color - colors);
}

/* "." and `count` component letters, or the swizzle as it was. If there are fewer letters, the last one is repeated, as
 * in the specification's examples: ".x" is ".xxxx". */
static bool swizzle(struct sch_tgsi_parser *parser, unsigned count, uint8_t *components)
{
    if (!sch_tgsi_accept(parser, '.')) return true;
    sch_tgsi_skip_white(parser);
    struct sch_tgsi_cursor at = parser->cursor;
    unsigned found = 0;
    for (; found < count; found++) {
        int component = swizzle_letter(parser, sch_tgsi_peek(parser));
        if (component < 0) break;
        components[found] = (uint8_t)component;
        parser->cursor.at++;
    }
    if (!found || sch_tgsi_word(parser).bytes)
        return sch_tgsi_error(parser, SCH_D_TEXT_SWIZZLE, "a swizzle has %s of the letters x, y, z, w",
                              count == 4 ? "four" : "three");
    if (found < count)
        sch_tgsi_tell(parser, at, SCH_TGSI_TOLD_SWIZZLE,
                      count == 4 ? "Mesa wants four letters here: the last one is repeated"
                                 : "Mesa wants three letters here: the last one is repeated");
    for (; found < count; found++) components[found] = components[found - 1];
    return true;
}

bool sch_tgsi_dst(struct sch_tgsi_parser *parser, struct sch_ir_dst *dst)
{
    *dst = (struct sch_ir_dst){.write_mask = 15};
    return file_and_brackets(parser, &dst->file, &dst->index, &dst->dimension, &dst->has_dimension) &&
           sch_tgsi_mask(parser, &dst->write_mask);
}

bool sch_tgsi_src(struct sch_tgsi_parser *parser, struct sch_ir_src *src)
{
    *src = (struct sch_ir_src){.swizzle = {0, 1, 2, 3}};
    src->negate = sch_tgsi_accept(parser, '-');
    src->absolute = sch_tgsi_accept(parser, '|');
    sch_tgsi_skip_white(parser);
    if (!file_and_brackets(parser, &src->file, &src->index, &src->dimension, &src->has_dimension)) return false;
    if (!swizzle(parser, 4, src->swizzle)) return false;
    return !src->absolute || sch_tgsi_require(parser, '|', "after the operand of |...|");
}

bool sch_tgsi_texel_offset(struct sch_tgsi_parser *parser, struct sch_ir_texel_offset *offset)
{
    *offset = (struct sch_ir_texel_offset){.swizzle = {0, 1, 2}};
    struct sch_tgsi_cursor at = parser->cursor;
    uint64_t index;
    if (!sch_tgsi_file_bracket(parser, &offset->file)) return false;
    if (offset->file == SCH_FILE_RESOURCE)
        return sch_tgsi_error_at(parser, at, SCH_D_TEXT_FILE, "RES cannot hold a texel offset");
    if (!sch_tgsi_uint(parser, SCH_TGSI_MAX_INDEX, "the register index", &index)) return false;
    offset->index = (int32_t)index;
    return sch_tgsi_require(parser, ']', "after the register index") && swizzle(parser, 3, offset->swizzle);
}
