/* What is the same in all lanes: channels into which every write puts one value for all lanes, conditions on those, and
 * constructs in which all lanes execute wherever some do. Instructions are executed by the group, not by lanes, so that
 * a channel is uniform when each of its writes is: by arithmetic of uniform operands, and either without a mask
 * (ir/liveness.c) or where all lanes execute. Found from above: everything is taken to be uniform until something
 * contradicts, so that what is left holds at every step of the program if it holds at the first. */
#include "ir/analysis.h"

typedef const struct sch_prepared_instruction instruction;

enum { MOST_PASSES = 64 };

struct search {
    const struct sch_prepared *program;
    const struct sch_ir_flow *flow;
    const struct sch_ir_liveness *liveness;
    struct sch_ir_uniformity *found;
    bool changed;
};

/* ---- channels ---- */

static bool is_uniform_source(const struct search *s, const struct sch_prepared_src *src, unsigned c)
{
    if (src->access != SCH_ACCESS_PLAIN) return false;
    return src->space != SCH_SPACE_STATE || sch_ir_set_has(s->found->channels, src->channel[c]);
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
    s->changed = s->changed || sch_ir_set_has(s->found->channels, channel);
    sch_ir_set_drop(s->found->channels, channel);
}

static void check_writes(struct search *s, uint32_t n)
{
    instruction *in = &s->program->instructions[n];
    const bool whole = sch_ir_is_whole(s->found, s->flow->links[n].around), computed = computes(in);
    const bool lanewise = computed && sch_op_info(in->opcode)->shape == SCH_SHAPE_COMP;
    const bool all = computed && !lanewise && are_uniform(s, in, sch_ir_channels_read(in));
    for (unsigned d = 0; d < in->dst_count; d++) {
        const struct sch_prepared_dst *dst = &in->dst[d];
        for (unsigned c = 0; c < 4 && dst->access == SCH_ACCESS_PLAIN; c++) {
            bool masked = !(s->liveness->unmasked[n] >> (4 * d + c) & 1);
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
    const struct sch_ir_flow *flow = s->flow;
    const unsigned opcode = s->program->instructions[n].opcode;
    if (opcode != SCH_OP_BRK && opcode != SCH_OP_CONT) return;
    if (sch_ir_is_whole(s->found, flow->links[n].around)) return;
    const uint32_t beyond = flow->constructs[flow->links[n].construct].outer;
    for (uint32_t at = flow->links[n].around; at != beyond; at = flow->constructs[at].outer)
        set_flag(s, &s->found->whole[at], false);
}

static void check_constructs(struct search *s)
{
    for (uint32_t c = 0; c < s->flow->construct_count; c++) {
        const struct sch_ir_construct *construct = &s->flow->constructs[c];
        bool *same_way = &s->found->same_way[c], *whole = &s->found->whole[c];
        instruction *in = &s->program->instructions[construct->opener];
        if (*same_way) set_flag(s, same_way, is_uniform_source(s, &in->src[0], 0));
        const bool entered_whole = *whole && sch_ir_is_whole(s->found, construct->outer);
        set_flag(s, whole, entered_whole && (construct->kind == SCH_CONSTRUCT_LOOP || *same_way));
    }
}

/* ---- together ---- */

static void give_up(struct search *s)
{
    s->found->channels = NULL;
    for (uint32_t c = 0; c < s->flow->construct_count; c++) s->found->same_way[c] = s->found->whole[c] = false;
}

/* Files that are written by instructions alone, and never at a place that a register chooses. */
static void begin(struct search *s, const uint64_t *given)
{
    static const uint8_t files[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT};
    for (unsigned f = 0; f < sizeof files; f++) {
        const struct sch_prepared_file *file = &s->program->files[files[f]];
        const bool plain = file->stored && !(s->program->indexed >> files[f] & 1);
        for (uint32_t c = 0; c < 4 * file->count && plain; c++) sch_ir_set_add(s->found->channels, file->base + c);
    }
    for (uint32_t c = 0; given && c < sch_ir_channel_count(s->program); c++)
        if (sch_ir_set_has(given, c)) sch_ir_set_add(s->found->channels, c);
    for (uint32_t c = 0; c < s->flow->construct_count; c++) {
        const unsigned kind = s->flow->constructs[c].kind;
        s->found->same_way[c] = kind == SCH_CONSTRUCT_IF;
        s->found->whole[c] = kind == SCH_CONSTRUCT_IF || kind == SCH_CONSTRUCT_LOOP;
    }
}

enum sch_result sch_ir_find_uniformity(const struct sch_prepared *program, const struct sch_ir_liveness *liveness,
                                       bool full, const uint64_t *given, struct sch_arena *arena,
                                       struct sch_ir_uniformity *uniformity)
{
    struct search s = {
        .program = program, .flow = &program->flow, .liveness = liveness, .found = uniformity, .changed = true};
    *uniformity = (struct sch_ir_uniformity){
        .channels = SCH_ARENA_ARRAY(arena, uint64_t, sch_ir_set_words(sch_ir_channel_count(program))),
        .same_way = SCH_ARENA_ARRAY(arena, bool, program->flow.construct_count),
        .whole = SCH_ARENA_ARRAY(arena, bool, program->flow.construct_count),
        .all = full && !program->flow.ends_invocations};
    if (!uniformity->channels || !uniformity->same_way || !uniformity->whole) return SCH_ERROR_MEMORY;
    begin(&s, given);
    for (unsigned pass = 0; pass < MOST_PASSES && s.changed; pass++) {
        s.changed = false;
        check_constructs(&s);
        for (uint32_t n = 0; n < program->instruction_count; n++) {
            check_leaving(&s, n);
            check_writes(&s, n);
        }
    }
    if (s.changed) give_up(&s);
    return SCH_OK;
}
