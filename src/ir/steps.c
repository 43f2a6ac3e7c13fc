/* Channels whose values differ from lane to lane by a step that is known: addresses, mostly, as each lane has its
 * number and a step times that is added to something uniform. Integers are modulo 2^32, so sums and products by
 * constants keep a step whatever wraps. As with uniformity, a channel has a step when each of its writes has it,
 * without a mask or where all lanes execute; registers begin with zeros, which have none, so that nothing may be read
 * before it is written. */
#include "ir/analysis.h"

typedef const struct sch_prepared_instruction instruction;

enum { MOST_PASSES = 16 };

enum knowledge { OPEN, KNOWN, VARIES }; /* OPEN: nothing contradicts yet, and nothing gives a step */

struct value {
    uint8_t knowledge;
    uint32_t step;
};

struct search {
    const struct sch_prepared *program;
    const struct sch_ir_liveness *liveness;
    const struct sch_ir_uniformity *uniformity;
    const uint64_t *numbers;
    struct value *values;  /* by channel */
    uint32_t *first_write; /* by channel: the number of the instruction */
    bool changed;
};

static const struct value varies = {.knowledge = VARIES};

/* ---- operands ---- */

static struct value read_source(const struct search *s, const struct sch_prepared_src *src, unsigned c)
{
    const uint32_t channel = src->channel[c];
    if (src->access != SCH_ACCESS_PLAIN) return varies;
    if (src->space != SCH_SPACE_STATE || sch_ir_is_uniform(s->uniformity, channel))
        return (struct value){.knowledge = KNOWN};
    return src->modify ? varies : s->values[channel];
}

/* A factor that is a constant of the program. */
static bool read_constant(const struct search *s, const struct sch_prepared_src *src, unsigned c, uint32_t *word)
{
    if (src->access != SCH_ACCESS_PLAIN || src->space != SCH_SPACE_PROGRAM || src->modify) return false;
    *word = s->program->program_words[src->channel[c]];
    return true;
}

static struct value add(struct value a, struct value b)
{
    if (a.knowledge == VARIES || b.knowledge == VARIES) return varies;
    if (a.knowledge == OPEN || b.knowledge == OPEN) return (struct value){.knowledge = OPEN};
    return (struct value){.knowledge = KNOWN, .step = a.step + b.step};
}

static struct value multiply(const struct search *s, instruction *in, unsigned c)
{
    uint32_t factor;
    for (unsigned other = 0; other < 2; other++)
        if (read_constant(s, &in->src[1 - other], c, &factor)) {
            struct value value = read_source(s, &in->src[other], c);
            value.step *= factor;
            return value;
        }
    const struct value a = read_source(s, &in->src[0], c), b = read_source(s, &in->src[1], c);
    const struct value sum = add(a, b);
    return sum.knowledge == KNOWN && (a.step || b.step) ? varies : sum;
}

static struct value shift(const struct search *s, instruction *in, unsigned c)
{
    struct value value = read_source(s, &in->src[0], c);
    uint32_t by;
    if (!read_constant(s, &in->src[1], c, &by)) return varies;
    value.step <<= by & 31;
    return value;
}

/* What an instruction makes in channel c. */
static struct value compute(const struct search *s, instruction *in, unsigned c)
{
    if (in->modify) return varies;
    switch (in->opcode) {
    case SCH_OP_MOV:
        return read_source(s, &in->src[0], c);
    case SCH_OP_UADD:
        return add(read_source(s, &in->src[0], c), read_source(s, &in->src[1], c));
    case SCH_OP_UMUL:
        return multiply(s, in, c);
    case SCH_OP_UMAD:
        return add(multiply(s, in, c), read_source(s, &in->src[2], c));
    case SCH_OP_SHL:
        return shift(s, in, c);
    default:
        return varies;
    }
}

/* ---- writes and reads ---- */

static void merge(struct search *s, uint32_t channel, struct value made)
{
    struct value *value = &s->values[channel];
    if (made.knowledge == OPEN || value->knowledge == VARIES) return;
    if (value->knowledge == KNOWN && made.knowledge == KNOWN && value->step == made.step) return;
    *value = value->knowledge == OPEN ? made : varies;
    s->changed = true;
}

static void check_writes(struct search *s, uint32_t n)
{
    instruction *in = &s->program->instructions[n];
    const bool whole = sch_ir_is_whole(s->uniformity, s->program->flow.links[n].around);
    for (unsigned d = 0; d < in->dst_count; d++) {
        const struct sch_prepared_dst *dst = &in->dst[d];
        for (unsigned c = 0; c < 4 && dst->access == SCH_ACCESS_PLAIN; c++) {
            const bool masked = !(s->liveness->unmasked[n] >> (4 * d + c) & 1);
            if (dst->mask >> c & 1) merge(s, dst->channel + c, masked && !whole ? varies : compute(s, in, c));
        }
    }
}

/* Whether lanes that come to `n` have come to `earlier` since the constructs around that were entered. */
static bool follows(const struct sch_ir_flow *flow, uint32_t n, uint32_t earlier)
{
    if (n <= earlier) return false;
    const uint32_t around = flow->links[earlier].around;
    uint32_t at = flow->links[n].around;
    while (at != SCH_FLOW_NONE && at != around) at = flow->constructs[at].outer;
    if (at != around) return false;
    if (around == SCH_FLOW_NONE || flow->constructs[around].kind == SCH_CONSTRUCT_LOOP) return true;
    if (flow->constructs[around].kind != SCH_CONSTRUCT_IF) return false;
    const uint32_t other = sch_ir_flow_else(flow, flow->constructs[around].opener);
    return other == SCH_FLOW_NONE || earlier > other || n < other;
}

static void list_first_writes(struct search *s)
{
    for (uint32_t n = s->program->instruction_count; n-- > 0;) {
        instruction *in = &s->program->instructions[n];
        for (unsigned d = 0; d < in->dst_count; d++)
            for (unsigned c = 0; c < 4 && in->dst[d].access == SCH_ACCESS_PLAIN; c++)
                if (in->dst[d].mask >> c & 1) s->first_write[in->dst[d].channel + c] = n;
    }
}

/* What may be read before it is written has no step. */
static void check_reads(struct search *s)
{
    for (uint32_t n = 0; n < s->program->instruction_count; n++) {
        instruction *in = &s->program->instructions[n];
        for (unsigned i = 0; i < in->src_count; i++)
            for (unsigned c = 0; c < 4; c++) {
                const struct sch_prepared_src *src = &in->src[i];
                if (src->access != SCH_ACCESS_PLAIN || src->space != SCH_SPACE_STATE) continue;
                if (s->values[src->channel[c]].knowledge != OPEN) continue;
                if (!follows(&s->program->flow, n, s->first_write[src->channel[c]]))
                    s->values[src->channel[c]] = varies;
            }
    }
}

/* ---- together ---- */

/* Files that are written by instructions alone, and never at a place that a register chooses. */
static void begin(struct search *s)
{
    static const uint8_t files[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS};
    const uint32_t channels = sch_ir_channel_count(s->program);
    for (uint32_t c = 0; c < channels; c++) {
        s->values[c] = varies;
        s->first_write[c] = UINT32_MAX;
        if (s->numbers && sch_ir_set_has(s->numbers, c)) s->values[c] = (struct value){.knowledge = KNOWN, .step = 1};
    }
    for (unsigned f = 0; f < sizeof files; f++) {
        const struct sch_prepared_file *file = &s->program->files[files[f]];
        const bool plain = file->stored && !(s->program->indexed >> files[f] & 1);
        for (uint32_t c = 0; c < 4 * file->count && plain; c++) s->values[file->base + c].knowledge = OPEN;
    }
    list_first_writes(s);
    check_reads(s);
}

static void keep(const struct search *s, struct sch_ir_steps *steps)
{
    for (uint32_t c = 0; c < sch_ir_channel_count(s->program); c++) {
        if (s->values[c].knowledge != KNOWN) continue;
        sch_ir_set_add(steps->known, c);
        steps->step[c] = s->values[c].step;
    }
}

enum sch_result sch_ir_find_steps(const struct sch_prepared *program, const struct sch_ir_liveness *liveness,
                                  const struct sch_ir_uniformity *uniformity, const uint64_t *numbers,
                                  struct sch_arena *arena, struct sch_ir_steps *steps)
{
    const uint32_t channels = sch_ir_channel_count(program);
    struct search s = {.program = program,
                       .liveness = liveness,
                       .uniformity = uniformity,
                       .numbers = numbers,
                       .values = SCH_ARENA_ARRAY(arena, struct value, channels),
                       .first_write = SCH_ARENA_ARRAY(arena, uint32_t, channels),
                       .changed = true};
    *steps = (struct sch_ir_steps){.known = SCH_ARENA_ARRAY(arena, uint64_t, sch_ir_set_words(channels)),
                                   .step = SCH_ARENA_ARRAY(arena, uint32_t, channels)};
    if (!s.values || !s.first_write || !steps->known || !steps->step) return SCH_ERROR_MEMORY;
    if (program->flow.calls) return SCH_OK; /* a call's subroutine may be anywhere in the program */
    begin(&s);
    for (unsigned pass = 0; pass < MOST_PASSES && s.changed; pass++) {
        s.changed = false;
        for (uint32_t n = 0; n < program->instruction_count; n++) check_writes(&s, n);
    }
    if (!s.changed) keep(&s, steps);
    return SCH_OK;
}
