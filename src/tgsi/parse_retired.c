/* Opcodes of old texts (retired.def): their statements become instructions of today, with temporaries and
 * literals of parse_generated.c. Holds no opcode's name. */
#include "base/number.h"
#include "tgsi/parser.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 7, MOST_SOURCES = 3 };

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
        made->dst[0] = sch_ir_dst(SCH_FILE_TEMPORARY, sch_tgsi_temporary(parser, *to != 'T').index.index);
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
    *src = *from >= 'T' ? sch_tgsi_temporary(parser, *from != 'T') : written->src[*from - 'A'];
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

static void tell(struct sch_tgsi_parser *parser, const struct sch_tgsi_retired *of, struct sch_tgsi_cursor at)
{
    if (parser->told_retired[of - retired]) return;
    parser->told_retired[of - retired] = true;
    sch_tgsi_warning_at(parser, at, SCH_D_TEXT_RETIRED, "%s is not an opcode any more: read as %s", of->name,
                        of->words);
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
    return sch_tgsi_note_growth(parser, number, (uint32_t)(parser->shader->instruction_count - first));
}
