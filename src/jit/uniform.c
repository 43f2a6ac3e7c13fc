/* What is the same in all lanes: channels into which every write puts one value for all lanes, conditions on those, and
 * constructs in which all lanes execute wherever some do. Blocks are entered by the group, not by lanes, so that a
 * channel is uniform when each of its writes is: by arithmetic of uniform operands, and either without a mask
 * (jit/liveness.c) or where all lanes execute. Found from above: everything is taken to be uniform until something
 * contradicts, so that what is left holds at every step of the program if it holds at the first. */
#include "jit/emit.h"

typedef const struct sch_prepared_instruction instruction;

enum { MOST_PASSES = 64 };

struct search {
    struct jit_emitter *e;
    struct jit_plan *plan;
    const struct sch_prepared *program;
    bool changed;
};

static bool has(const uint64_t *set, uint32_t channel) { return set[channel / 64] >> channel % 64 & 1; }

bool jit_is_uniform(const struct jit_emitter *e, uint32_t channel)
{
    return e->plan.uniform && has(e->plan.uniform, channel);
}

/* ---- channels ---- */

static bool is_uniform_source(const struct search *s, const struct sch_prepared_src *src, unsigned c)
{
    if (src->access != SCH_ACCESS_PLAIN) return false;
    return src->space != SCH_SPACE_STATE || has(s->plan->uniform, src->channel[c]);
}

/* Channels as bits, after the swizzle. */
static bool are_uniform(const struct search *s, instruction *in, unsigned channels)
{
    for (unsigned i = 0; i < in->src_count; i++)
        for (unsigned c = 0; c < 4; c++)
            if (channels >> c & 1 && !is_uniform_source(s, &in->src[i], c)) return false;
    return true;
}

static bool computes(instruction *in)
{
    const struct sch_op_info *info = sch_op_info(in->opcode);
    return SCH_SHAPE_IS_ARITHMETIC(info->shape) && !(info->flags & (SCH_OPF_DERIVATIVE | SCH_OPF_CROSS_LANE));
}

static void contradict(struct search *s, uint32_t channel)
{
    uint64_t *word = &s->plan->uniform[channel / 64], bit = UINT64_C(1) << channel % 64;
    s->changed = s->changed || (*word & bit);
    *word &= ~bit;
}

static void check_writes(struct search *s, uint32_t n)
{
    instruction *in = &s->program->instructions[n];
    const bool whole = jit_is_whole(s->e, s->e->flow->links[n].around), computed = computes(in);
    const bool lanewise = computed && sch_op_info(in->opcode)->shape == SCH_SHAPE_COMP;
    const bool all = computed && !lanewise && are_uniform(s, in, jit_channels_read(in));
    for (unsigned d = 0; d < in->dst_count; d++) {
        const struct sch_prepared_dst *dst = &in->dst[d];
        for (unsigned c = 0; c < 4 && dst->access == SCH_ACCESS_PLAIN; c++) {
            bool masked = !(s->plan->unmasked[n] >> (4 * d + c) & 1);
            bool same = lanewise ? are_uniform(s, in, 1u << c) : all;
            if (dst->mask >> c & 1 && (!same || (masked && !whole))) contradict(s, dst->channel + c);
        }
    }
}

/* ---- constructs ---- */

static void set_flag(struct search *s, bool *flag, bool value)
{
    s->changed = s->changed || *flag != value;
    *flag = value;
}

/* Where some lanes leave and others do not, those that stay are not all any more. */
static void check_leaving(struct search *s, uint32_t n)
{
    const struct sch_ir_flow *flow = s->e->flow;
    const unsigned opcode = s->program->instructions[n].opcode;
    if (opcode != SCH_OP_BRK && opcode != SCH_OP_CONT) return;
    if (jit_is_whole(s->e, flow->links[n].around)) return;
    const uint32_t beyond = flow->constructs[flow->links[n].construct].outer;
    for (uint32_t at = flow->links[n].around; at != beyond; at = flow->constructs[at].outer)
        if (s->plan->constructs[at].whole) set_flag(s, &s->plan->constructs[at].whole, false);
}

static void check_constructs(struct search *s)
{
    for (uint32_t c = 0; c < s->e->flow->construct_count; c++) {
        struct jit_construct *construct = &s->plan->constructs[c];
        instruction *in = &s->program->instructions[construct->is->opener];
        if (construct->uniform) set_flag(s, &construct->uniform, is_uniform_source(s, &in->src[0], 0));
        bool whole = construct->whole && jit_is_whole(s->e, construct->is->outer);
        set_flag(s, &construct->whole, whole && (construct->is->kind == SCH_CONSTRUCT_LOOP || construct->uniform));
    }
}

/* ---- together ---- */

static void give_up(struct jit_emitter *e)
{
    e->plan.uniform = NULL;
    for (uint32_t c = 0; c < e->flow->construct_count; c++)
        e->plan.constructs[c].uniform = e->plan.constructs[c].whole = false;
}

/* The files whose channels are variables; the rest is not uniform. */
static void begin(struct search *s)
{
    for (uint32_t c = 0; c < s->e->channel_count; c++) {
        unsigned file = s->e->file_of[c];
        bool variable = file == SCH_FILE_TEMPORARY || file == SCH_FILE_ADDRESS || file == SCH_FILE_OUTPUT;
        if (variable && !s->plan->in_memory[file]) s->plan->uniform[c / 64] |= UINT64_C(1) << c % 64;
    }
    for (uint32_t c = 0; c < s->e->flow->construct_count; c++) {
        struct jit_construct *construct = &s->plan->constructs[c];
        construct->uniform = construct->is->kind == SCH_CONSTRUCT_IF;
        construct->whole = construct->uniform || construct->is->kind == SCH_CONSTRUCT_LOOP;
    }
}

enum sch_result jit_find_uniform(struct jit_emitter *e)
{
    struct search s = {.e = e, .plan = &e->plan, .program = e->program};
    e->plan.uniform = SCH_ARENA_ARRAY(&e->arena, uint64_t, e->channel_count / 64 + (size_t)1);
    if (!e->plan.uniform) return SCH_ERROR_MEMORY;
    begin(&s);
    s.changed = true;
    for (unsigned pass = 0; pass < MOST_PASSES && s.changed; pass++) {
        s.changed = false;
        check_constructs(&s);
        for (uint32_t n = 0; n < e->program->instruction_count; n++) {
            check_leaving(&s, n);
            check_writes(&s, n);
        }
    }
    if (s.changed) give_up(e);
    return SCH_OK;
}
