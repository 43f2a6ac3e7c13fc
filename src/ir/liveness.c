/* Liveness, which writes need no mask, and which results of atomics are not read. Lanes that do not execute wait at
 * places that the constructs around the instruction decide (ELSE, the next label, the end, the loop's next iteration)
 * or have ended, and what a lane that continues from such a place may read is the usual liveness along the flow of one
 * lane. Other lanes see registers by derivatives, implicit levels of detail and READ_INVOC. */
#include "ir/analysis.h"

#include <string.h>

typedef const struct sch_prepared_instruction instruction;

enum { MOST_WORDS = 1 << 20, MOST_PASSES = 64 };

struct liveness {
    const struct sch_prepared *program;
    const struct sch_ir_flow *flow;
    struct sch_ir_liveness *found;
    struct sch_arena *arena; /* of what is found */
    size_t words;            /* of a set */
    uint64_t *live;          /* sets by instruction: what is live before it */
    uint64_t *seen;          /* channels whose lanes see each other */
    uint64_t *now;
};

uint32_t sch_ir_channel_count(const struct sch_prepared *program)
{
    uint32_t count = program->channels[SCH_SPACE_STATE];
    for (unsigned f = 0; f < SCH_FILE_COUNT; f++) {
        const struct sch_prepared_file *file = &program->files[f];
        const uint32_t end = file->base + file->width * file->count;
        if (file->stored && file->space == SCH_SPACE_STATE && end > count) count = end;
    }
    return count;
}

static uint64_t *before(const struct liveness *l, uint32_t n) { return l->live + (size_t)n * l->words; }

static void join(const struct liveness *l, uint64_t *set, uint32_t n)
{
    const uint64_t *other = before(l, n);
    for (size_t w = 0; w < l->words; w++) set[w] |= other[w];
}

/* ---- what an instruction reads and writes ---- */

static void add_index(uint64_t *set, const struct sch_prepared_index *index)
{
    if (index->is_indirect && index->space == SCH_SPACE_STATE) sch_ir_set_add(set, index->channel);
}

/* `channels`: bits, after the swizzle. */
static void add_source(uint64_t *set, const struct sch_prepared_src *src, unsigned channels)
{
    add_index(set, &src->index);
    add_index(set, &src->dimension);
    if (src->access != SCH_ACCESS_PLAIN || src->space != SCH_SPACE_STATE) return;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1) sch_ir_set_add(set, src->channel[c]);
}

unsigned sch_ir_channels_read(instruction *in)
{
    return sch_op_channels_read(sch_op_info(in->opcode), in->dst_count ? in->dst[0].mask : 0);
}

static void add_reads(uint64_t *set, instruction *in)
{
    unsigned channels = sch_ir_channels_read(in);
    for (unsigned s = 0; s < in->src_count; s++) add_source(set, &in->src[s], channels);
    for (unsigned d = 0; d < in->dst_count; d++) {
        add_index(set, &in->dst[d].index);
        add_index(set, &in->dst[d].dimension);
    }
    for (unsigned n = 0; in->lookup && n < in->lookup->offsets; n++) add_source(set, &in->lookup->offset[n], 15);
    if (!in->resource) return;
    add_index(set, &in->resource->index);
    add_index(set, &in->resource->dimension);
    if (in->resource->handle) add_source(set, in->resource->handle, 15);
}

/* Where every written channel is computed: not the shapes that leave out some of the mask. */
static void drop_writes(uint64_t *set, instruction *in)
{
    unsigned shape = sch_op_info(in->opcode)->shape;
    if (shape == SCH_SHAPE_COMPARE64 || shape == SCH_SHAPE_NARROW64 || !in->dst_count) return;
    const struct sch_prepared_dst *dst = &in->dst[0];
    for (unsigned c = 0; c < 4 && dst->access == SCH_ACCESS_PLAIN; c++)
        if (dst->mask >> c & 1) sch_ir_set_drop(set, dst->channel + c);
}

static bool other_lanes_see(instruction *in)
{
    const struct sch_op_info *info = sch_op_info(in->opcode);
    return (info->flags & (SCH_OPF_DERIVATIVE | SCH_OPF_CROSS_LANE)) != 0 || in->lookup ||
           info->shape == SCH_SHAPE_LANE;
}

/* ---- the flow of one lane ---- */

static const struct sch_ir_construct *around(const struct liveness *l, uint32_t n)
{
    return &l->flow->constructs[l->flow->links[n].around];
}

static const struct sch_ir_construct *own(const struct liveness *l, uint32_t n)
{
    return &l->flow->constructs[l->flow->links[n].construct];
}

static uint32_t behind_else(const struct liveness *l, uint32_t n)
{
    const uint32_t other = sch_ir_flow_else(l->flow, n);
    return other == SCH_FLOW_NONE ? own(l, n)->end : other + 1;
}

static void join_labels(const struct liveness *l, uint64_t *set, uint32_t opener)
{
    const uint32_t end = own(l, opener)->end;
    for (uint32_t n = opener; n != end;) join(l, set, n = l->flow->links[n].reconvergence);
}

/* What is live after an instruction for the lane that executed it. */
static void join_next(const struct liveness *l, uint64_t *set, uint32_t n)
{
    switch (l->program->instructions[n].opcode) {
    case SCH_OP_IF:
    case SCH_OP_UIF:
        join(l, set, n + 1);
        join(l, set, behind_else(l, n));
        break;
    case SCH_OP_ELSE:
        join(l, set, around(l, n)->end);
        break;
    case SCH_OP_ENDLOOP:
        join(l, set, around(l, n)->opener + 1);
        break;
    case SCH_OP_BRK:
        join(l, set, own(l, n)->end + 1);
        break;
    case SCH_OP_CONT:
        join(l, set, own(l, n)->end);
        break;
    case SCH_OP_SWITCH:
        join_labels(l, set, n);
        break;
    case SCH_OP_RET:
    case SCH_OP_END:
        break;
    default:
        join(l, set, n + 1);
        break;
    }
}

static bool update(struct liveness *l, uint32_t n)
{
    memset(l->now, 0, l->words * sizeof *l->now);
    join_next(l, l->now, n);
    drop_writes(l->now, &l->program->instructions[n]);
    add_reads(l->now, &l->program->instructions[n]);
    if (memcmp(before(l, n), l->now, l->words * sizeof *l->now) == 0) return false;
    memcpy(before(l, n), l->now, l->words * sizeof *l->now);
    return true;
}

/* ---- where lanes wait ---- */

struct waiting {
    struct liveness *l;
    uint64_t *sets; /* by depth */
    uint32_t depth; /* constructs that are open */
};

static uint64_t *top(const struct waiting *w) { return w->sets + (size_t)w->depth * w->l->words; }

static void open_construct(struct waiting *w, uint32_t n)
{
    const struct liveness *l = w->l;
    const struct sch_ir_construct *construct = own(l, n);
    const uint64_t *outer = top(w);
    w->depth++;
    memcpy(top(w), outer, l->words * sizeof *outer);
    if (construct->kind == SCH_CONSTRUCT_IF && sch_ir_flow_else(l->flow, n) != SCH_FLOW_NONE)
        join(l, top(w), sch_ir_flow_else(l->flow, n) + 1);
    if (construct->kind == SCH_CONSTRUCT_LOOP && construct->continues) join(l, top(w), n + 1);
    if (construct->kind == SCH_CONSTRUCT_SWITCH) join_labels(l, top(w), n);
    join(l, top(w), construct->end + 1);
}

static void open_else(struct waiting *w, uint32_t n)
{
    memcpy(top(w), top(w) - w->l->words, w->l->words * sizeof(uint64_t));
    join(w->l, top(w), around(w->l, n)->end + 1);
}

static uint8_t free_channels(const struct waiting *w, instruction *in)
{
    const struct liveness *l = w->l;
    uint8_t channels = 0;
    for (unsigned d = 0; d < in->dst_count; d++) {
        const struct sch_prepared_dst *dst = &in->dst[d];
        if (dst->access != SCH_ACCESS_PLAIN || dst->file == SCH_FILE_OUTPUT || l->program->indexed >> dst->file & 1)
            continue;
        for (unsigned c = 0; c < 4; c++) {
            uint32_t channel = dst->channel + c;
            bool kept = sch_ir_set_has(l->seen, channel) || sch_ir_set_has(top(w), channel);
            if (dst->mask >> c & 1 && !kept) channels |= (uint8_t)(1u << (4 * d + c));
        }
    }
    return channels;
}

static void find_free(struct waiting *w)
{
    for (uint32_t n = 0; n < w->l->program->instruction_count; n++) {
        instruction *in = &w->l->program->instructions[n];
        w->l->found->unmasked[n] = free_channels(w, in);
        const uint32_t flags = sch_op_info(in->opcode)->flags;
        if (flags & SCH_OPF_OPENS) open_construct(w, n);
        if (in->opcode == SCH_OP_ELSE) open_else(w, n);
        if (flags & SCH_OPF_CLOSES) w->depth--;
    }
}

/* ---- together ---- */

static bool has_subroutines(const struct sch_ir_flow *flow)
{
    for (uint32_t c = 0; c < flow->construct_count; c++)
        if (flow->constructs[c].kind == SCH_CONSTRUCT_SUB) return true;
    return false;
}

/* What is live after some BARRIER, and what other lanes see: a lane that does not execute the next write shows what it
 * had before. */
static enum sch_result find_across(const struct liveness *l)
{
    if (!l->flow->barriers) return SCH_OK;
    uint64_t *across = SCH_ARENA_ARRAY(l->arena, uint64_t, l->words);
    if (!across) return SCH_ERROR_MEMORY;
    for (uint32_t n = 0; n < l->program->instruction_count; n++)
        if (sch_op_info(l->program->instructions[n].opcode)->flags & SCH_OPF_BARRIER) join(l, across, n + 1);
    for (size_t w = 0; w < l->words; w++) across[w] |= l->seen[w];
    l->found->across = across;
    return SCH_OK;
}

static bool is_unread(struct liveness *l, uint32_t n)
{
    const struct sch_prepared_dst *dst = &l->program->instructions[n].dst[0];
    if (dst->access == SCH_ACCESS_NONE) return true;
    if (dst->access != SCH_ACCESS_PLAIN || dst->file != SCH_FILE_TEMPORARY ||
        l->program->indexed >> SCH_FILE_TEMPORARY & 1)
        return false;
    memset(l->now, 0, l->words * sizeof *l->now);
    join_next(l, l->now, n);
    for (unsigned c = 0; c < 4; c++)
        if (dst->mask >> c & 1 &&
            (sch_ir_set_has(l->now, dst->channel + c) || sch_ir_set_has(l->seen, dst->channel + c)))
            return false;
    return true;
}

static void find_unread(struct liveness *l)
{
    for (uint32_t n = 0; n < l->program->instruction_count; n++)
        if (sch_prepared_is_atomic(&l->program->instructions[n])) l->found->unread[n] = is_unread(l, n);
}

static enum sch_result find(struct liveness *l, struct sch_arena *scratch)
{
    const uint32_t count = l->program->instruction_count;
    const size_t depth = l->flow->max_depth + (size_t)1;
    struct waiting waiting = {.l = l, .sets = SCH_ARENA_ARRAY(scratch, uint64_t, l->words * depth)};
    l->live = SCH_ARENA_ARRAY(scratch, uint64_t, l->words * (count + (size_t)1));
    l->seen = SCH_ARENA_ARRAY(scratch, uint64_t, l->words);
    l->now = SCH_ARENA_ARRAY(scratch, uint64_t, l->words);
    if (scratch->failed) return SCH_ERROR_MEMORY;
    for (uint32_t n = 0; n < count; n++)
        if (other_lanes_see(&l->program->instructions[n])) add_reads(l->seen, &l->program->instructions[n]);
    bool changed = true;
    for (unsigned pass = 0; pass < MOST_PASSES && changed; pass++) {
        changed = false;
        for (uint32_t n = count; n-- > 0;) changed = update(l, n) || changed;
    }
    if (changed) return SCH_OK;
    find_free(&waiting);
    find_unread(l);
    return find_across(l);
}

enum sch_result sch_ir_find_liveness(const struct sch_prepared *program, struct sch_arena *arena,
                                     struct sch_ir_liveness *liveness)
{
    const size_t count = program->instruction_count + (size_t)1;
    struct liveness l = {.program = program,
                         .flow = &program->flow,
                         .found = liveness,
                         .arena = arena,
                         .words = sch_ir_set_words(sch_ir_channel_count(program))};
    *liveness = (struct sch_ir_liveness){.unmasked = SCH_ARENA_ARRAY(arena, uint8_t, count),
                                         .unread = SCH_ARENA_ARRAY(arena, bool, count)};
    if (!liveness->unmasked || !liveness->unread) return SCH_ERROR_MEMORY;
    if (has_subroutines(&program->flow) || l.words * count > MOST_WORDS) return SCH_OK;
    struct sch_arena scratch;
    sch_arena_init(&scratch, &arena->allocator, 0);
    enum sch_result status = find(&l, &scratch);
    sch_arena_release(&scratch);
    return status;
}
