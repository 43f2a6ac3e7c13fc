/* Texture lookups: from operands and bindings to a question that src/ops answers. Where units are indexed by registers,
 * one question is asked for each view and sampler that lanes name. Targets other than 2D and RECT are refused when the
 * program is made; a bound view of another shape answers like no view: with zeros. */
#include "exec/decode.h"
#include "exec/machine.h"
#include "isa/errors.h"

enum lookup_kind { KIND_SAMPLE, KIND_PROJECT, KIND_FETCH, KIND_SIZE };

struct lookup_row {
    uint8_t kind, mode;
    int8_t view, sampler, value, component, ddx, ddy;
    bool there;
};

static const struct lookup_row rows[SCH_OP_LIMIT] = {
#define LOOKUP(name, kind, mode, view, sampler, value, component, ddx, ddy)                                            \
    [SCH_OP_##name] = {KIND_##kind, SCH_LOD_##mode, view, sampler, value, component, ddx, ddy, true},
#include "exec/lookups.def"
#undef LOOKUP
};

struct sch_exec_lookup {
    const struct lookup_row *row;
    uint8_t target; /* enum sch_target */
    uint8_t coordinates;
    uint8_t swizzle[4]; /* of the result: SAMPLE opcodes take the view operand's */
    int8_t offset[3];
};

typedef const struct sch_exec_instruction instruction;

bool sch_exec_lookup_runs(unsigned opcode) { return opcode < SCH_OP_LIMIT && rows[opcode].there; }

/* ---- decoding ---- */

/* Texel offsets are immediates that fit a byte; the specification leaves the range to drivers. */
static bool decode_offset(struct sch_exec_decoder *d, struct sch_exec_lookup *lookup)
{
    const struct sch_ir_instruction *in = d->source;
    if (!in->offset_count) return true;
    const struct sch_ir_texel_offset *from = &in->offset[0];
    if (in->offset_count > 1 || from->file != SCH_FILE_IMMEDIATE || from->index < 0 ||
        (size_t)from->index >= d->shader->immediate_count)
        return false;
    for (unsigned c = 0; c < 3; c++) {
        int32_t value = (int32_t)d->shader->immediates[from->index].word[from->swizzle[c] & 3];
        if (c >= lookup->coordinates) continue;
        if (value < INT8_MIN || value > INT8_MAX) return false;
        lookup->offset[c] = (int8_t)value;
    }
    return true;
}

static void refuse_target(struct sch_exec_decoder *d, unsigned target)
{
    d->refused = true;
    unsigned opcode = d->source->opcode;
    if (d->refused_targets[opcode] >> (target % 32) & 1) return;
    d->refused_targets[opcode] |= 1u << (target % 32);
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_TARGET, target);
    sch_diagnostics_add(d->diagnostics, SCH_SEVERITY_ERROR, SCH_D_UNSUPPORTED_TARGET, d->source->position,
                        "%s on %s textures is not executed yet", sch_op_info(opcode)->name, word ? word->word : "?");
}

/* The target: the instruction's own, or that of the view's declaration where it has none. TEX opcodes, for which the
 * declaration is optional, are then 2D. */
static unsigned lookup_target(const struct sch_exec_decoder *d, const struct lookup_row *row)
{
    const struct sch_ir_instruction *in = d->source;
    bool tex = sch_op_info(in->opcode)->flags & SCH_OPF_TEXTURE;
    if (tex && in->has_texture && in->target != SCH_TARGET_UNKNOWN) return in->target;
    const struct sch_ir_bracket *view = &in->src[row->view].index;
    unsigned target = SCH_TARGET_UNKNOWN;
    if (view->index >= 0 && (uint32_t)view->index < d->program->view_target_count)
        target = d->program->view_targets[view->index];
    return tex && target == SCH_TARGET_UNKNOWN ? (unsigned)SCH_TARGET_2D : target;
}

enum sch_status sch_exec_lookup_decode(struct sch_exec_decoder *d, struct sch_exec_instruction *out)
{
    const struct lookup_row *row = &rows[out->opcode];
    struct sch_exec_lookup *lookup = SCH_ARENA_NEW(&d->program->arena, struct sch_exec_lookup);
    if (!lookup) return SCH_STATUS_MEMORY;
    lookup->row = row;
    unsigned target = lookup_target(d, row);
    if (target != SCH_TARGET_2D && target != SCH_TARGET_RECT) {
        refuse_target(d, target);
        return SCH_STATUS_OK;
    }
    lookup->target = (uint8_t)target;
    lookup->coordinates = 2;
    bool sample_family = sch_op_info(out->opcode)->flags & SCH_OPF_SAMPLE && row->kind != KIND_SIZE;
    for (unsigned c = 0; c < 4; c++) lookup->swizzle[c] = sample_family ? out->src[row->view].swizzle[c] : (uint8_t)c;
    out->lookup = lookup;
    if (decode_offset(d, lookup)) return SCH_STATUS_OK;
    d->refused = true;
    if (!d->refused_offsets)
        sch_diagnostics_add(d->diagnostics, SCH_SEVERITY_ERROR, SCH_D_UNSUPPORTED_OFFSET, d->source->position,
                            "%s: a texel offset that is no immediate of -128 to 127 is not executed yet",
                            sch_op_info(out->opcode)->name);
    d->refused_offsets = true;
    return SCH_STATUS_OK;
}

/* ---- running ---- */

/* One lookup of the lanes that name the same view and sampler. */
struct question {
    instruction *in;
    const struct sch_exec_view *view; /* NULL: none is bound, or one of another shape */
    const struct sch_exec_sampler *sampler;
    const struct sch_lanes *coordinate[4], *value, *ddx[3], *ddy[3];
    const struct sch_lanes *mask;
};

static bool flat(unsigned target) { return target == SCH_TARGET_2D || target == SCH_TARGET_RECT; }

static const struct sch_exec_view *bound_view(const struct sch_exec_machine *machine, int64_t number)
{
    const struct sch_exec_bindings *bindings = machine->bindings;
    if (!bindings || number < 0 || number >= bindings->view_count) return NULL;
    const struct sch_exec_view *view = &bindings->views[number];
    return view->texture && view->texture->levels && flat(view->target) ? view : NULL;
}

static const struct sch_exec_sampler *bound_sampler(const struct sch_exec_machine *machine, int64_t number)
{
    const struct sch_exec_bindings *bindings = machine->bindings;
    if (!bindings || number < 0 || number >= bindings->sampler_count) return NULL;
    return &bindings->samplers[number];
}

/* The sampler's part of the key, and the view's. Coordinates in texels follow the instruction's target. */
static struct sch_sampler_key merged_key(const struct question *q)
{
    struct sch_sampler_key key = {.rules = SCH_RULES_TGSI};
    if (q->sampler) key = q->sampler->key;
    key.format = q->view->format;
    key.target = q->in->lookup->target;
    memcpy(key.swizzle, q->view->swizzle, sizeof key.swizzle);
    return key;
}

static void answer_zero(struct sch_lanes *const result[4])
{
    for (unsigned c = 0; c < 4; c++) memset(result[c], 0, sizeof *result[c]);
}

static void answer_sample(const struct sch_exec_machine *machine, const struct question *q,
                          struct sch_lanes *const result[4])
{
    if (!q->sampler) {
        answer_zero(result);
        return;
    }
    struct sch_sampler_key key = merged_key(q);
    struct sch_sample_request request = {
        .lod_mode = q->in->lookup->row->mode, .quads = machine->quads, .lod = q->value, .mask = q->mask};
    memcpy(request.coordinate, q->coordinate, sizeof request.coordinate);
    memcpy(request.ddx, q->ddx, sizeof request.ddx);
    memcpy(request.ddy, q->ddy, sizeof request.ddy);
    machine->ops->sample(&key, &q->sampler->values, q->view->texture, &request, result);
}

static void answer_fetch(const struct sch_exec_machine *machine, const struct question *q,
                         struct sch_lanes *const result[4])
{
    struct sch_sampler_key key = merged_key(q);
    struct sch_fetch_request request = {.level = q->value, .mask = q->mask};
    if (q->in->lookup->target == SCH_TARGET_RECT) request.level = NULL; /* has one level */
    memcpy(request.coordinate, q->coordinate, sizeof request.coordinate);
    machine->ops->fetch(&key, q->view->texture, &request, result);
}

/* Width and height of the level, 0 where there is no such level; z 0; the number of levels in w in any case. */
static void answer_size(const struct question *q, struct sch_lanes *const result[4])
{
    const struct sch_texture *texture = q->view->texture;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        uint32_t level = q->in->lookup->target == SCH_TARGET_RECT || !q->value ? 0 : q->value->u[i];
        bool there = level < texture->levels && level < SCH_MAX_LEVELS;
        result[0]->u[i] = there ? texture->level[level].width : 0;
        result[1]->u[i] = there ? texture->level[level].height : 0;
        result[2]->u[i] = 0;
        result[3]->u[i] = texture->levels;
    }
}

static void answer(const struct sch_exec_machine *machine, const struct question *q, struct sch_lanes *const result[4])
{
    if (!q->view)
        answer_zero(result);
    else if (q->in->lookup->row->kind == KIND_SIZE)
        answer_size(q, result);
    else if (q->in->lookup->row->kind == KIND_FETCH)
        answer_fetch(machine, q, result);
    else
        answer_sample(machine, q, result);
}

static const struct sch_lanes *source(struct sch_exec_machine *machine, instruction *in, int s, unsigned channel)
{
    return sch_exec_source(machine, &in->src[s], channel, &machine->scratch[s][channel]);
}

static void gather_question(struct sch_exec_machine *machine, instruction *in, struct question *q)
{
    const struct lookup_row *row = in->lookup->row;
    if (row->kind != KIND_SIZE)
        for (unsigned c = 0; c < in->lookup->coordinates; c++) q->coordinate[c] = source(machine, in, 0, c);
    if (row->kind == KIND_PROJECT) {
        const struct sch_lanes *w = source(machine, in, 0, 3);
        for (unsigned c = 0; c < in->lookup->coordinates; c++) {
            struct sch_lanes *to = &machine->result[4 + c];
            const struct sch_lanes *quotient[2] = {q->coordinate[c], w};
            machine->ops->op[SCH_OP_DIV](0, &to, quotient);
            q->coordinate[c] = to;
        }
    }
    if (row->value >= 0) q->value = source(machine, in, row->value, (unsigned)row->component);
    for (unsigned c = 0; c < in->lookup->coordinates && row->ddx >= 0; c++) {
        q->ddx[c] = source(machine, in, row->ddx, c);
        q->ddy[c] = source(machine, in, row->ddy, c);
    }
}

/* Lanes name different units: one question for each pair of view and sampler, in the order of the lanes. */
static void answer_divergent(struct sch_exec_machine *machine, struct question *q, const int64_t *views,
                             const int64_t *samplers, struct sch_lanes *const result[4])
{
    struct sch_lanes some[4], mask;
    struct sch_lanes *const to[4] = {&some[0], &some[1], &some[2], &some[3]};
    for (uint32_t left = machine->exec; left;) {
        unsigned first = (unsigned)__builtin_ctz(left);
        uint32_t lanes = 0;
        for (unsigned i = first; i < SCH_GROUP_LANES; i++)
            if (left >> i & 1 && views[i] == views[first] && samplers[i] == samplers[first]) lanes |= 1u << i;
        left &= ~lanes;
        machine->ops->mask_lanes(&mask, lanes);
        q->view = bound_view(machine, views[first]);
        q->sampler = bound_sampler(machine, samplers[first]);
        q->mask = &mask;
        answer(machine, q, to);
        for (unsigned c = 0; c < 4; c++) machine->ops->commit(result[c], &some[c], &mask);
    }
}

static instruction *run_lookup(struct sch_exec_machine *machine, instruction *in)
{
    const struct lookup_row *row = in->lookup->row;
    struct question q = {.in = in};
    struct sch_lanes *const result[4] = {&machine->result[0], &machine->result[1], &machine->result[2],
                                         &machine->result[3]};
    gather_question(machine, in, &q);
    int64_t views[SCH_GROUP_LANES], samplers[SCH_GROUP_LANES] = {0};
    bool same_view = true, same_sampler = true;
    sch_exec_resolve(machine, &in->src[row->view].index, views, &same_view);
    if (row->sampler >= 0) sch_exec_resolve(machine, &in->src[row->sampler].index, samplers, &same_sampler);
    if (same_view && same_sampler) {
        q.view = bound_view(machine, views[0]);
        q.sampler = row->sampler >= 0 ? bound_sampler(machine, samplers[0]) : NULL;
        q.mask = sch_exec_mask(machine);
        answer(machine, &q, result);
    } else {
        answer_divergent(machine, &q, views, samplers, result);
    }
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        struct sch_lanes *value = result[in->lookup->swizzle[c]];
        const struct sch_lanes *written = value;
        if (in->saturate) {
            struct sch_lanes *to = &machine->result[4];
            in->saturate(0, &to, &written);
            written = to;
        }
        sch_exec_write(machine, &in->dst[0], c, written);
    }
    return in + 1;
}

sch_exec_handler *sch_exec_lookup_handler(const struct sch_exec_lookup *lookup) { return lookup ? run_lookup : NULL; }
