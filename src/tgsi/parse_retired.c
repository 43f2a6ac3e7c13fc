/* Opcodes that are none any more (retired.def): their statements become instructions of today. The temporaries and
 * literals that these need get their numbers when the whole text was read, behind all that it declares; labels then
 * count the new instructions. Holds no opcode's name. */
#include "base/number.h"
#include "tgsi/parser.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 7, MOST_SOURCES = 3, TEMPORARIES = 2, LITERALS_OF_AN_IMMEDIATE = 4 };

struct step {
    uint16_t opcode;
    const char *to, *from[MOST_SOURCES];
};

struct sch_tgsi_retired {
    const char *name, *words; /* `words` NULL: unsettled */
    uint8_t dsts, srcs;
    uint32_t flags;
    const char *reason;
    struct step steps[MOST_STEPS];
};

static const struct sch_tgsi_retired retired[] = {
#define STEP(opcode, to, ...)                                                                                          \
    {                                                                                                                  \
        SCH_OP_##opcode, to, { __VA_ARGS__ }                                                                           \
    }
#define RETIRED(name, dsts, srcs, flags, words, ...) {#name, words, dsts, srcs, flags, NULL, {__VA_ARGS__}},
#define UNSETTLED(name, reason)                      {#name, NULL, 0, 0, 0, reason, {{0, NULL, {NULL}}}},
#include "tgsi/retired.def"
#undef STEP
#undef RETIRED
#undef UNSETTLED
};
_Static_assert(sizeof retired / sizeof *retired == SCH_TGSI_RETIRED, "parser->told_retired has a place for each");

const struct sch_tgsi_retired *sch_tgsi_find_retired(struct sch_tgsi_word word, bool *saturate, bool *precise)
{
    *precise = sch_tgsi_drop_suffix(&word, "_PRECISE");
    *saturate = sch_tgsi_drop_suffix(&word, "_SAT");
    for (size_t i = 0; i < SCH_TGSI_RETIRED; i++)
        if (sch_tgsi_word_is(word, retired[i].name)) return &retired[i];
    return NULL;
}

/* ---- literals and temporaries: numbers below 0 until the text was read ---- */

/* The register of a literal, added to the pool where it is not there. */
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

static struct sch_ir_src temporary(struct sch_tgsi_parser *parser, char letter)
{
    parser->uses_temporaries = true;
    return sch_ir_src(SCH_FILE_TEMPORARY, letter == 'T' ? -1 : -2);
}

/* ---- a step's operands ---- */

static unsigned mask_of(const char *letters)
{
    unsigned mask = 0;
    if (*letters != '.') return 15;
    while (*++letters) mask |= 1u << sch_tgsi_component(*letters);
    return mask;
}

/* False: the step writes nothing that is asked for. */
static bool destination(struct sch_tgsi_parser *parser, const struct sch_ir_instruction *written, const char *to,
                        struct sch_ir_instruction *made)
{
    if (!*to) return true;
    made->dst_count = 1;
    made->dst[0] = written->dst[0];
    made->saturate = written->saturate && *to == 'D';
    if (*to != 'D') {
        made->dst[0] = sch_ir_dst(SCH_FILE_TEMPORARY, temporary(parser, *to).index.index);
    }
    made->dst[0].write_mask &= (uint8_t)mask_of(to + 1);
    return made->dst[0].write_mask;
}

static bool literal(struct sch_tgsi_parser *parser, const char *text, struct sch_ir_src *src)
{
    return sch_tgsi_literal(parser, (uint32_t)sch_number_read_decimal(text, strlen(text), SCH_FLOAT_32), src);
}

/* "A", "-A", "|A|", "A.xxxx" and so on. */
static bool source(struct sch_tgsi_parser *parser, const struct sch_ir_instruction *written, const char *from,
                   struct sch_ir_src *src)
{
    bool negate = *from == '-', absolute = *from == '|';
    if (*from >= '0' && *from <= '9') return literal(parser, from, src);
    from += negate || absolute;
    *src = *from >= 'T' ? temporary(parser, *from) : written->src[*from - 'A'];
    if (from[1] == '.') {
        uint8_t own[4];
        memcpy(own, src->swizzle, sizeof own);
        for (unsigned c = 0; c < 4; c++) src->swizzle[c] = own[sch_tgsi_component(from[2 + c])];
    }
    if (absolute) src->negate = false;
    src->absolute = src->absolute || absolute;
    src->negate = src->negate != negate;
    return true;
}

static bool add_step(struct sch_tgsi_parser *parser, const struct sch_ir_instruction *written, const struct step *step)
{
    struct sch_ir_instruction made = {
        .opcode = step->opcode, .precise = written->precise, .position = written->position};
    const struct sch_op_info *op = sch_op_info(step->opcode);
    if (!destination(parser, written, step->to, &made)) return true;
    for (; made.src_count < op->srcs; made.src_count++)
        if (!source(parser, written, step->from[made.src_count], &made.src[made.src_count])) return false;
    if (op->flags & SCH_OPF_TEXTURE) {
        made.has_texture = true;
        made.target = written->target;
        made.return_type = SCH_RETURN_UNKNOWN;
    }
    return sch_tgsi_added(parser, sch_ir_add_instruction(parser->shader, &made), "instructions",
                          parser->shader->limits.instructions);
}

/* ---- the statement ---- */

/* Notes that the instruction `source` of the text became `count`. */
static bool note_growth(struct sch_tgsi_parser *parser, uint32_t source, uint32_t count)
{
    if (count == 1) return true;
    if (!SCH_ARENA_GROW(&parser->shader->arena, parser->growths, parser->growth_capacity, parser->growth_count))
        return sch_tgsi_added(parser, SCH_IR_OUT_OF_MEMORY, "", 0);
    parser->grown += count - 1; /* a step that writes nothing may leave none: the sum wraps as it should */
    parser->growths[parser->growth_count++] = (struct sch_tgsi_growth){source, parser->grown};
    return true;
}

static void tell(struct sch_tgsi_parser *parser, const struct sch_tgsi_retired *of, struct sch_tgsi_cursor at)
{
    if (parser->told_retired[of - retired]) return;
    parser->told_retired[of - retired] = true;
    sch_tgsi_warning_at(parser, at, SCH_D_TEXT_RETIRED, "%s is no opcode any more: read as %s", of->name, of->words);
}

bool sch_tgsi_retired_statement(struct sch_tgsi_parser *parser, const struct sch_tgsi_retired *of, bool saturate,
                                bool precise, struct sch_position position, struct sch_tgsi_cursor at)
{
    if (!of->words)
        return sch_tgsi_error_at(parser, at, SCH_D_TEXT_UNSETTLED, "there is no opcode %s any more, and %s", of->name,
                                 of->reason);
    const struct sch_op_info form = {
        .name = of->name, .opcode = of->steps[0].opcode, .dsts = of->dsts, .srcs = of->srcs, .flags = of->flags};
    struct sch_ir_instruction written = {.saturate = saturate, .precise = precise, .position = position};
    if (!sch_tgsi_instruction(parser, &form, &written)) return false;
    tell(parser, of, at);
    const size_t first = parser->shader->instruction_count;
    const uint32_t number = (uint32_t)first - parser->grown;
    for (size_t n = 0; n < MOST_STEPS && of->steps[n].to; n++)
        if (!add_step(parser, &written, &of->steps[n])) return false;
    return note_growth(parser, number, (uint32_t)(parser->shader->instruction_count - first));
}

/* ---- when the text was read ---- */

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

/* The place before the first instruction, or behind the last item of `kind`, whichever is later. */
static size_t place_behind(const struct sch_ir_shader *shader, enum sch_ir_kind kind)
{
    size_t place = 0, first = SIZE_MAX;
    for (size_t i = 0; i < shader->item_count; i++) {
        if (shader->items[i].kind == SCH_IR_INSTRUCTION && first == SIZE_MAX) first = i;
        if (shader->items[i].kind == kind) place = i + 1;
    }
    return first != SIZE_MAX && first > place ? first : place;
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
    if (last >= shader->limits.registers || last > INT16_MAX)
        return sch_tgsi_error(parser, SCH_D_TEXT_LIMIT, "no TEMP is left for the steps of old opcodes");
    const struct sch_ir_declaration made = {.file = SCH_FILE_TEMPORARY,
                                            .usage_mask = 15,
                                            .first = (uint16_t)*first,
                                            .last = (uint16_t)last,
                                            .position = parser->first_made};
    size_t place = place_behind(shader, SCH_IR_DECLARATION);
    if (!sch_tgsi_added(parser, sch_ir_add_declaration(shader, &made), "declarations", shader->limits.declarations))
        return false;
    move_last_item(shader, place);
    return true;
}

static bool declare_literals(struct sch_tgsi_parser *parser)
{
    struct sch_ir_shader *shader = parser->shader;
    for (uint32_t n = 0; n < parser->literal_count; n += LITERALS_OF_AN_IMMEDIATE) {
        struct sch_ir_immediate made = {.type = SCH_IMMEDIATE_FLT32, .position = parser->first_made};
        size_t place = place_behind(shader, SCH_IR_IMMEDIATE);
        for (uint32_t c = 0; c < LITERALS_OF_AN_IMMEDIATE && n + c < parser->literal_count; c++)
            made.word[c] = parser->literals[n + c];
        if (!sch_tgsi_added(parser, sch_ir_add_immediate(shader, &made), "immediates", shader->limits.declarations))
            return false;
        move_last_item(shader, place);
    }
    return true;
}

/* Registers of numbers below 0 are the parser's own: texts have none. */
static void number_operand(struct sch_ir_bracket *index, uint32_t temporaries, uint32_t immediates, uint8_t file)
{
    if (index->is_indirect || index->index >= 0) return;
    uint32_t first = file == SCH_FILE_IMMEDIATE ? immediates : temporaries;
    index->index = (int16_t)(first + (uint32_t)(-1 - index->index));
}

void sch_tgsi_finish_made(struct sch_tgsi_parser *parser)
{
    struct sch_ir_shader *shader = parser->shader;
    uint32_t temporaries, immediates = (uint32_t)shader->immediate_count;
    if (!parser->literal_count && !parser->uses_temporaries && !parser->growth_count) return;
    if (immediates + SCH_TGSI_LITERALS / LITERALS_OF_AN_IMMEDIATE > INT16_MAX) {
        sch_tgsi_error(parser, SCH_D_TEXT_LIMIT, "no IMM is left for the literals of old opcodes");
        return;
    }
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
