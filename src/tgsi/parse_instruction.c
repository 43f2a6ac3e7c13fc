/* Instructions: the opcode word with its suffixes, operands as the opcode's row counts them, target, texel offsets,
 * memory words, branch label. */
#include "tgsi/parser.h"
#include "tgsi/rules.h"

#include <string.h>

const struct sch_op_info *sch_tgsi_find_opcode(struct sch_tgsi_word word, bool *saturate, bool *precise)
{
    *precise = sch_tgsi_drop_suffix(&word, "_PRECISE");
    *saturate = sch_tgsi_drop_suffix(&word, "_SAT");
    return sch_op_find(word.text, word.bytes);
}

/* A comma between operands; the message says how many the opcode takes. */
static bool separator(struct sch_tgsi_parser *parser, const struct sch_op_info *op)
{
    if (sch_tgsi_accept(parser, ',')) {
        sch_tgsi_skip_white(parser);
        return true;
    }
    struct sch_tgsi_cursor before = parser->cursor;
    sch_tgsi_skip_white(parser);
    if (parser->cursor.line != before.line) parser->cursor = before; /* the fault is on the line that ended */
    return sch_tgsi_error(parser, SCH_D_TEXT_OPERANDS, "expected ',': %s takes %u destination%s, %u source%s%s",
                          op->name, op->dsts, op->dsts == 1 ? "" : "s", op->srcs, op->srcs == 1 ? "" : "s",
                          op->flags & SCH_OPF_TEXTURE ? " and a texture target" : "");
}

/* White space before the first operand. Where a line ends instead, the fault is on that line, not on the next one. */
static bool first_operand(struct sch_tgsi_parser *parser, const struct sch_op_info *op)
{
    struct sch_tgsi_cursor before = parser->cursor;
    sch_tgsi_skip_white(parser);
    if (parser->cursor.line == before.line) return true;
    struct sch_tgsi_cursor operand = parser->cursor;
    char c = sch_tgsi_peek(parser);
    if (c == '-' || c == '|' || sch_tgsi_take_word(parser, SCH_WORDS_FILE)) {
        parser->cursor = operand;
        return true;
    }
    parser->cursor = before;
    return sch_tgsi_error(parser, SCH_D_TEXT_OPERANDS, "%s has no operands: it takes %u destination%s, %u source%s",
                          op->name, op->dsts, op->dsts == 1 ? "" : "s", op->srcs, op->srcs == 1 ? "" : "s");
}

/* Whether the statement continues with an operand. */
static bool operand_follows(struct sch_tgsi_parser *parser)
{
    struct sch_tgsi_cursor before = parser->cursor;
    sch_tgsi_skip_white(parser);
    char c = sch_tgsi_peek(parser);
    bool follows = c == '-' || c == '|' || sch_tgsi_take_word(parser, SCH_WORDS_FILE);
    parser->cursor = before;
    return follows;
}

/* Whether a comma and a register come next. */
static bool register_follows(struct sch_tgsi_parser *parser)
{
    struct sch_tgsi_cursor before = parser->cursor;
    bool follows = false;
    if (sch_tgsi_accept(parser, ',')) {
        sch_tgsi_skip_white(parser);
        follows = sch_tgsi_take_word(parser, SCH_WORDS_FILE) && sch_tgsi_accept(parser, '[');
    }
    parser->cursor = before;
    return follows;
}

/* Sources that old texts and the specification leave out: the stream of EMIT and ENDPRIM, the second one of
 * SAMPLE_INFO, of which nothing is known. */
static bool literal_source(struct sch_tgsi_parser *parser, struct sch_ir_instruction *instruction)
{
    if (!parser->first_made.line) parser->first_made = instruction->position;
    return sch_tgsi_literal(parser, 0, &instruction->src[instruction->src_count++]);
}

static bool left_out(struct sch_tgsi_parser *parser, const struct sch_op_info *op,
                     const struct sch_ir_instruction *instruction)
{
    struct sch_tgsi_cursor before = parser->cursor;
    if (op->flags & SCH_OPF_GEOMETRY_STAGE && !operand_follows(parser)) {
        sch_tgsi_tell(parser, before, SCH_TGSI_TOLD_STREAM, "Mesa wants a stream here: read as stream 0");
        return true;
    }
    if (op->opcode != SCH_OP_SAMPLE_INFO || instruction->src_count != 1) return false;
    if (sch_tgsi_accept(parser, ',')) {
        parser->cursor = before;
        return false;
    }
    sch_tgsi_tell(parser, before, SCH_TGSI_TOLD_OPERAND, "Mesa wants a second source here, which means nothing");
    return true;
}

static bool operands(struct sch_tgsi_parser *parser, const struct sch_op_info *op,
                     struct sch_ir_instruction *instruction)
{
    if (op->srcs == 1 && !op->dsts && left_out(parser, op, instruction)) return literal_source(parser, instruction);
    if (op->dsts + op->srcs && !first_operand(parser, op)) return false;
    for (unsigned i = 0; i < op->dsts; i++)
        if ((i && !separator(parser, op)) || !sch_tgsi_dst(parser, &instruction->dst[i])) return false;
    instruction->dst_count = op->dsts;
    while (instruction->src_count < op->srcs) {
        struct sch_ir_src *src = &instruction->src[instruction->src_count];
        if (instruction->src_count && left_out(parser, op, instruction)) return literal_source(parser, instruction);
        if ((instruction->src_count + op->dsts && !separator(parser, op)) || !sch_tgsi_src(parser, src)) return false;
        instruction->src_count++;
        /* The form with fewer sources ends with the sampler; the other one has a register after it. */
        if (src->file == SCH_FILE_SAMPLER && sch_op_form(op->opcode, instruction->src_count) != op &&
            !register_follows(parser))
            break;
    }
    return true;
}

static bool target(struct sch_tgsi_parser *parser, const struct sch_op_info *op, struct sch_ir_instruction *instruction)
{
    struct sch_tgsi_cursor before = parser->cursor;
    if (op->opcode == SCH_OP_SAMP2HND && !sch_tgsi_accept(parser, ',')) {
        sch_tgsi_tell(parser, before, SCH_TGSI_TOLD_TARGET, "Mesa wants a texture target here: read as UNKNOWN");
        instruction->target = SCH_TARGET_UNKNOWN;
        return true;
    }
    parser->cursor = before;
    if (!separator(parser, op)) return false;
    const struct sch_word *word = sch_tgsi_take_word(parser, SCH_WORDS_TARGET);
    if (!word) return sch_tgsi_expected(parser, SCH_D_TEXT_TARGET, "a texture target");
    instruction->target = (uint8_t)word->number;
    return true;
}

static bool texel_offsets(struct sch_tgsi_parser *parser, const struct sch_op_info *op,
                          struct sch_ir_instruction *instruction)
{
    while (sch_tgsi_accept(parser, ',')) {
        if (instruction->offset_count == SCH_MAX_OFFSETS)
            return sch_tgsi_error(parser, SCH_D_TEXT_OFFSETS, "%s takes at most %d texel offsets", op->name,
                                  SCH_MAX_OFFSETS);
        sch_tgsi_skip_white(parser);
        if (!sch_tgsi_texel_offset(parser, &instruction->offset[instruction->offset_count])) return false;
        instruction->offset_count++;
    }
    return true;
}

/* Qualifiers, a target, a format, in any order. */
static bool memory_words(struct sch_tgsi_parser *parser, struct sch_ir_instruction *instruction)
{
    while (sch_tgsi_accept(parser, ',')) {
        sch_tgsi_skip_white(parser);
        const struct sch_word *word;
        if ((word = sch_tgsi_take_word(parser, SCH_WORDS_QUALIFIER)))
            instruction->qualifiers |= (uint8_t)word->number;
        else if ((word = sch_tgsi_take_word(parser, SCH_WORDS_TARGET)))
            instruction->memory_target = (uint8_t)word->number;
        else if ((word = sch_tgsi_take_format(parser)))
            instruction->memory_format = (uint16_t)word->number;
        else
            return sch_tgsi_expected(parser, SCH_D_TEXT_MEMORY_WORD,
                                     "a memory qualifier, texture target or PIPE_FORMAT_ word");
    }
    return true;
}

static bool branch_label(struct sch_tgsi_parser *parser, struct sch_ir_instruction *instruction)
{
    if (!sch_tgsi_accept(parser, ':')) return true;
    uint64_t label;
    if (!sch_tgsi_uint(parser, UINT32_MAX, "the label", &label)) return false;
    instruction->has_label = true;
    instruction->label = (uint32_t)label;
    return true;
}

bool sch_tgsi_instruction(struct sch_tgsi_parser *parser, const struct sch_op_info *op,
                          struct sch_ir_instruction *instruction)
{
    instruction->opcode = op->opcode;
    if (!operands(parser, op, instruction)) return false;
    if (op->flags & SCH_OPF_TEXTURE && !target(parser, op, instruction)) return false;

    instruction->has_memory = sch_tgsi_memory_word_in_text(op);
    if (op->flags & SCH_OPF_TEXTURE || sch_tgsi_offsets_without_target(op)) {
        instruction->has_texture = true;
        instruction->return_type = SCH_RETURN_UNKNOWN;
        if (!(op->flags & SCH_OPF_TEXTURE)) instruction->target = SCH_TARGET_UNKNOWN;
        if (!texel_offsets(parser, op, instruction)) return false;
    } else if (instruction->has_memory && !memory_words(parser, instruction)) {
        return false;
    }
    if (op->flags & SCH_OPF_BRANCH && !branch_label(parser, instruction)) return false;
    if (!sch_tgsi_accept(parser, ',')) return true;
    parser->cursor.at--; /* point at the comma */
    return sch_tgsi_error(parser, SCH_D_TEXT_OPERANDS, "%s takes nothing more: it has %u destination%s, %u source%s",
                          op->name, op->dsts, op->dsts == 1 ? "" : "s", op->srcs, op->srcs == 1 ? "" : "s");
}
