/* What the parser makes that the text does not have: temporaries, literals, instructions that became several. Their
 * numbers are below 0, and get their values when the whole text was read, after all that it declares; labels then
 * count the new instructions. Knows no statement. */
#include "tgsi/parser.h"

#include <string.h>

enum { TEMPORARIES = 2, LITERALS_OF_AN_IMMEDIATE = 4 };

bool sch_tgsi_literal(struct sch_tgsi_parser *parser, uint32_t bits, struct sch_ir_src *src)
{
    uint32_t n = 0;
    while (n < parser->literal_count && parser->literals[n] != bits) n++;
    if (n == SCH_TGSI_LITERALS) return sch_tgsi_error(parser, SCH_D_TEXT_LIMIT, "too many literals of old opcodes");
    if (n == parser->literal_count) parser->literals[parser->literal_count++] = bits;
    *src = sch_ir_src(SCH_FILE_IMMEDIATE, -1 - (int)(n / LITERALS_OF_AN_IMMEDIATE));
    memset(src->swizzle, (int)(n % LITERALS_OF_AN_IMMEDIATE), sizeof src->swizzle);
    return true;
}

struct sch_ir_src sch_tgsi_temporary(struct sch_tgsi_parser *parser, unsigned number)
{
    parser->uses_temporaries = true;
    return sch_ir_src(SCH_FILE_TEMPORARY, -1 - (int)number);
}

bool sch_tgsi_note_growth(struct sch_tgsi_parser *parser, uint32_t source, uint32_t count)
{
    if (count == 1) return true;
    if (!SCH_ARENA_GROW(&parser->shader->arena, parser->growths, parser->growth_capacity, parser->growth_count))
        return sch_tgsi_added(parser, SCH_ERROR_MEMORY, "", 0);
    parser->grown += count - 1; /* a step that writes nothing may leave none: the sum wraps as it should */
    parser->growths[parser->growth_count++] = (struct sch_tgsi_growth){source, parser->grown};
    return true;
}

/* What an instruction's number in the text is among those that were made. */
static uint32_t new_label(const struct sch_tgsi_parser *parser, uint32_t label)
{
    size_t low = 0, high = parser->growth_count; /* growths[low - 1]: the last one before the label */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (parser->growths[middle].source < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? label + parser->growths[low - 1].sum : label;
}

/* Moves the item that was stored last to the place `to`. */
static void move_last_item(struct sch_ir_shader *shader, size_t to)
{
    struct sch_ir_item last = shader->items[shader->item_count - 1];
    memmove(&shader->items[to + 1], &shader->items[to], (shader->item_count - 1 - to) * sizeof last);
    shader->items[to] = last;
}

/* The index before the first instruction, or after the last item of `kind`, whichever is later. */
static size_t index_behind(const struct sch_ir_shader *shader, enum sch_ir_kind kind)
{
    size_t index = 0, first = SIZE_MAX;
    for (size_t i = 0; i < shader->item_count; i++) {
        if (shader->items[i].kind == SCH_IR_INSTRUCTION && first == SIZE_MAX) first = i;
        if (shader->items[i].kind == kind) index = i + 1;
    }
    return first != SIZE_MAX && first > index ? first : index;
}

static bool declare_temporaries(struct sch_tgsi_parser *parser, uint32_t *first)
{
    struct sch_ir_shader *shader = parser->shader;
    *first = 0;
    for (size_t i = 0; i < shader->declaration_count; i++)
        if (shader->declarations[i].file == SCH_FILE_TEMPORARY && shader->declarations[i].last >= *first)
            *first = shader->declarations[i].last + 1u;
    if (!parser->uses_temporaries) return true;
    uint32_t last = *first + TEMPORARIES - 1;
    if (last >= shader->limits.registers || last >= SCH_IR_REGISTERS)
        return sch_tgsi_error(parser, SCH_D_TEXT_LIMIT, "no TEMP is left for the steps of old opcodes");
    const struct sch_ir_declaration made = {
        .file = SCH_FILE_TEMPORARY, .usage_mask = 15, .first = *first, .last = last, .position = parser->first_made};
    size_t index = index_behind(shader, SCH_IR_DECLARATION);
    if (!sch_tgsi_added(parser, sch_ir_add_declaration(shader, &made), "declarations", shader->limits.declarations))
        return false;
    move_last_item(shader, index);
    return true;
}

static bool declare_literals(struct sch_tgsi_parser *parser)
{
    struct sch_ir_shader *shader = parser->shader;
    for (uint32_t n = 0; n < parser->literal_count; n += LITERALS_OF_AN_IMMEDIATE) {
        struct sch_ir_immediate made = {.type = SCH_IMMEDIATE_FLT32, .position = parser->first_made};
        size_t index = index_behind(shader, SCH_IR_IMMEDIATE);
        for (uint32_t c = 0; c < LITERALS_OF_AN_IMMEDIATE && n + c < parser->literal_count; c++)
            made.word[c] = parser->literals[n + c];
        if (!sch_tgsi_added(parser, sch_ir_add_immediate(shader, &made), "immediates", shader->limits.declarations))
            return false;
        move_last_item(shader, index);
    }
    return true;
}

/* Registers of numbers below 0 are the parser's own: texts have none. */
static void number_operand(struct sch_ir_bracket *index, uint32_t temporaries, uint32_t immediates, uint8_t file)
{
    if (index->is_indirect || index->index >= 0) return;
    uint32_t first = file == SCH_FILE_IMMEDIATE ? immediates : temporaries;
    index->index = (int32_t)(first + (uint32_t)(-1 - index->index));
}

void sch_tgsi_finish_made(struct sch_tgsi_parser *parser)
{
    struct sch_ir_shader *shader = parser->shader;
    uint32_t temporaries, immediates = (uint32_t)shader->immediate_count;
    if (!parser->literal_count && !parser->uses_temporaries && !parser->growth_count) return;
    if (!declare_temporaries(parser, &temporaries) || !declare_literals(parser)) return;
    for (size_t i = 0; i < shader->instruction_count; i++) {
        struct sch_ir_instruction *in = &shader->instructions[i];
        for (unsigned d = 0; d < in->dst_count; d++)
            number_operand(&in->dst[d].index, temporaries, immediates, in->dst[d].file);
        for (unsigned s = 0; s < in->src_count; s++)
            number_operand(&in->src[s].index, temporaries, immediates, in->src[s].file);
        if (in->has_label) in->label = new_label(parser, in->label);
    }
}
