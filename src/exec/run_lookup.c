/* Texture lookups when they run: from operands and bindings to requests that src/ops executes. Where units are named
 * by registers or handles, there is one request for each view, sampler and gathered component that lanes name. */
#include "exec/lookup.h"
#include "exec/samples.h"
#include "exec/source.h"

typedef const struct sch_prepared_instruction instruction;

/* One lookup of the lanes that name the same view and sampler. */
struct lookup {
    const struct sch_prepared_lookup *lookup;
    const struct sch_exec_view *view;       /* NULL: none is bound, or one of another shape */
    const struct sch_exec_sampler *sampler; /* NULL: none is bound */
    unsigned component;
    bool staged; /* operands are in the machine's scratch: channel c of source s in scratch[s][c] */
    const struct sch_lanes *coordinate[4], *value, *reference, *clamp, *ddx[3], *ddy[3], *offset[4][3];
    const struct sch_lanes *mask;
    uint32_t lanes; /* the mask's bits */
};

static const struct sch_exec_view *bound_view(const struct sch_exec_bindings *bindings,
                                              const struct sch_prepared_lookup *lookup, int64_t number)
{
    if (!bindings || number < 0 || number >= bindings->view_count) return NULL;
    const struct sch_exec_view *view = &bindings->views[number];
    bool there = view->texture && view->texture->levels && sch_exec_results(view->target, lookup->target);
    return there ? view : NULL;
}

static const struct sch_exec_sampler *bound_sampler(const struct sch_exec_bindings *bindings, int64_t number)
{
    if (!bindings || number < 0 || number >= bindings->sampler_count) return NULL;
    return bindings->samplers[number].missing ? NULL : &bindings->samplers[number];
}

/* The sampler's part of the key, and the view's. What coordinates mean follows the instruction's target. */
static struct sch_sampler_key merged_key(const struct sch_prepared_lookup *lookup, const struct sch_exec_view *view,
                                         const struct sch_exec_sampler *sampler)
{
    struct sch_sampler_key key = {.rules = SCH_RULES_TGSI};
    if (sampler) key = sampler->key;
    if (lookup->d3d) key.rules = SCH_RULES_D3D;
    if (!lookup->compares) key.compare = SCH_COMPARE_NONE;
    key.format = view->format;
    key.target = lookup->target;
    if (sch_target_facts(key.target)->one_level) key.mip = 0; /* RECT shows a 2D view's first level */
    memcpy(key.swizzle, view->swizzle, sizeof key.swizzle);
    return key;
}

/* Which sampler meets which view is known only when it runs: docs/texture.md makes the wrong one read as if there were
 * none. */
static bool sampler_fits(const struct sch_prepared_lookup *lookup, const struct sch_exec_sampler *sampler)
{
    return sampler && !(sampler->key.unnormalized && !sch_texture_takes_texels(lookup->target));
}

bool sch_exec_bind_lookup(const struct sch_exec_bindings *bindings, const struct sch_prepared_instruction *in,
                          int64_t number, struct sch_exec_bound_lookup *bound)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    const struct sch_prepared_index *named = &in->src[lookup->view].index;
    const struct sch_exec_view *view = bound_view(bindings, lookup, named->is_indirect ? number : named->base);
    const struct sch_exec_sampler *sampler = NULL;
    if (lookup->sampler >= 0) named = &in->src[lookup->sampler].index;
    if (lookup->sampler >= 0) sampler = bound_sampler(bindings, named->is_indirect ? number : named->base);
    bool samples = lookup->kind <= SCH_PREPARED_LOD;
    if (!view || lookup->render_target || (samples && !sampler_fits(lookup, sampler))) return false;
    *bound = (struct sch_exec_bound_lookup){.key = merged_key(lookup, view, sampler),
                                            .values = sampler ? &sampler->values : NULL,
                                            .texture = view->texture};
    return true;
}

static void return_zero(struct sch_lanes *const result[4])
{
    for (unsigned c = 0; c < 4; c++) memset(result[c], 0, sizeof *result[c]);
}

/* ---- heat maps and observers ---- */

/* Whether lookups report what they do. */
static bool is_traced(const struct sch_exec_machine *machine)
{
    return machine->heat && machine->lookups != machine->ops;
}

static void note_trace(struct sch_exec_machine *machine, const struct lookup *q)
{
    struct sch_exec_heat *heat = machine->heat;
    bool filters = q->lookup->kind == SCH_PREPARED_SAMPLE || q->lookup->kind == SCH_PREPARED_PROJECT;
    for (uint32_t left = q->lanes; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        const struct sch_trace_lane *lane = &heat->trace.lane[i];
        heat->texels[i] += lane->texels;
        if (filters && lane->active && lane->lod > heat->lods[i]) heat->lods[i] = lane->lod;
    }
}

static struct sch_texture_trace *fresh_trace(struct sch_exec_machine *machine)
{
    if (!is_traced(machine)) return NULL;
    if (!machine->heat->kept) memset(&machine->heat->trace, 0, sizeof machine->heat->trace);
    return &machine->heat->trace;
}

/* ---- results ---- */

static void run_sample(struct sch_exec_machine *machine, const struct lookup *q, struct sch_lanes *const result[4])
{
    const struct sch_prepared_lookup *lookup = q->lookup;
    if (!sampler_fits(lookup, q->sampler)) {
        return_zero(result);
        return;
    }
    struct sch_sampler_key key = merged_key(q->lookup, q->view, q->sampler);
    struct sch_sample_request request = {.lod_mode = lookup->mode,
                                         .quads = machine->quads,
                                         .component = (uint8_t)q->component,
                                         .reference = q->reference,
                                         .lod = lookup->kind == SCH_PREPARED_GATHER ? NULL : q->value,
                                         .min_lod = q->clamp,
                                         .offsets = lookup->offsets,
                                         .mask = q->mask,
                                         .trace = fresh_trace(machine),
                                         .tiles = machine->group.tiles};
    memcpy(request.coordinate, q->coordinate, sizeof request.coordinate);
    memcpy(request.ddx, q->ddx, sizeof request.ddx);
    memcpy(request.ddy, q->ddy, sizeof request.ddy);
    memcpy(request.offset, q->offset, sizeof request.offset);
    const struct sch_ops *ops = machine->lookups;
    sch_sample_fn *sample = lookup->kind == SCH_PREPARED_GATHER ? ops->texture_gather
                            : lookup->kind == SCH_PREPARED_LOD  ? ops->lod_query
                                                                : ops->sample;
    sample(&key, &q->sampler->values, q->view->texture, &request, result);
    if (is_traced(machine)) note_trace(machine, q);
}

static void run_fetch(struct sch_exec_machine *machine, const struct lookup *q, struct sch_lanes *const result[4])
{
    struct sch_sampler_key key = merged_key(q->lookup, q->view, q->sampler);
    struct sch_fetch_request request = {.level = q->value,
                                        .mask = q->mask,
                                        .trace = fresh_trace(machine),
                                        .tiles = machine->group.tiles,
                                        .concurrent = machine->group.concurrent};
    memcpy(request.coordinate, q->coordinate, sizeof request.coordinate);
    memcpy(request.offset, q->offset[0], sizeof request.offset);
    machine->lookups->fetch(&key, q->view->texture, &request, result);
    if (is_traced(machine)) note_trace(machine, q);
}

/* Levels are mostly the same in all lanes. */
static void run_size(const struct sch_prepared_lookup *lookup, const struct sch_texture *texture,
                     const struct sch_lanes *value, struct sch_lanes *const result[4])
{
    uint32_t words[4];
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        if (!i || (value && value->u[i] != value->u[i - 1]))
            sch_texture_size(texture, lookup->target, value ? value->u[i] : 0, words);
        for (unsigned c = 0; c < 4; c++) result[c]->u[i] = words[c];
    }
}

/* How many samples the view or, where a temporary stands for it, the render target has. */
static uint32_t sample_count(const struct sch_exec_machine *machine, const struct sch_prepared_lookup *lookup,
                             const struct sch_texture *texture)
{
    if (!lookup->render_target) return sch_texture_samples(texture, lookup->target);
    return machine->source->samples;
}

/* From the texel's corner, in Direct3D from its centre ("relative to the center of the pixel"), where a sample that
 * does not exist gives 0; z and w are 0. */
static void run_position(uint32_t samples, bool d3d, const struct sch_lanes *value, struct sch_lanes *const result[4])
{
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        float offset[2];
        sch_exec_sample_offset(samples, value->u[i], offset);
        for (unsigned c = 0; c < 2; c++) {
            float position = d3d ? offset[c] : offset[c] + 0.5f;
            memcpy(&result[c]->u[i], &position, sizeof position);
        }
    }
}

void sch_exec_run_query(const struct sch_exec_machine *machine, const struct sch_prepared_lookup *lookup,
                        const struct sch_texture *texture, const struct sch_lanes *value,
                        struct sch_lanes *const result[4])
{
    if (lookup->kind == SCH_PREPARED_SIZE && texture) {
        run_size(lookup, texture, value, result);
        return;
    }
    return_zero(result);
    if (!texture && !lookup->render_target) return;
    uint32_t samples = sample_count(machine, lookup, texture);
    if (lookup->kind == SCH_PREPARED_SAMPLES) machine->ops->splat(result[0], samples);
    if (lookup->kind == SCH_PREPARED_POSITION) run_position(samples, lookup->d3d, value, result);
}

static void run_request(struct sch_exec_machine *machine, const struct lookup *q, struct sch_lanes *const result[4])
{
    if (!q->view && !q->lookup->render_target) {
        return_zero(result);
        return;
    }
    switch ((enum sch_prepared_lookup_kind)q->lookup->kind) {
    case SCH_PREPARED_FETCH:
    case SCH_PREPARED_FETCH_MS:
        run_fetch(machine, q, result);
        break;
    case SCH_PREPARED_SIZE:
    case SCH_PREPARED_SAMPLES:
    case SCH_PREPARED_POSITION:
        sch_exec_run_query(machine, q->lookup, q->view ? q->view->texture : NULL, q->value, result);
        break;
    case SCH_PREPARED_SAMPLE:
    case SCH_PREPARED_PROJECT:
    case SCH_PREPARED_GATHER:
    case SCH_PREPARED_LOD:
        run_sample(machine, q, result);
        break;
    }
}

/* ---- operands ---- */

static const struct sch_lanes *source(struct sch_exec_machine *machine, instruction *in, const struct lookup *q, int s,
                                      unsigned channel)
{
    if (q->staged) return &machine->group.scratch[s][channel];
    return sch_exec_operand(machine, in, (unsigned)s, channel);
}

static const struct sch_lanes *operand(struct sch_exec_machine *machine, instruction *in, const struct lookup *q,
                                       struct sch_prepared_operand which)
{
    return which.source < 0 ? NULL : source(machine, in, q, which.source, which.component);
}

static const struct sch_lanes *quotient(struct sch_exec_machine *machine, const struct sch_lanes *value,
                                        const struct sch_lanes *divisor, struct sch_lanes *to)
{
    const struct sch_lanes *operands[2] = {value, divisor};
    machine->ops->op[SCH_OP_DIV](SCH_RULE_NONE, &to, operands);
    return to;
}

/* "coord.xyz = src0.xyz / src0.w": layers and reference values too. */
static void project(struct sch_exec_machine *machine, instruction *in, struct lookup *q)
{
    const struct sch_lanes *w = source(machine, in, q, 0, 3);
    for (unsigned c = 0; c < 3; c++)
        if (q->coordinate[c]) q->coordinate[c] = quotient(machine, q->coordinate[c], w, &machine->group.result[4 + c]);
    if (q->reference) q->reference = quotient(machine, q->reference, w, &machine->group.result[7]);
}

static bool is_query(const struct sch_prepared_lookup *lookup) { return lookup->kind >= SCH_PREPARED_SIZE; }

static void read_coordinates(struct sch_exec_machine *machine, instruction *in, struct lookup *q)
{
    const struct sch_prepared_lookup *lookup = q->lookup;
    unsigned axes = lookup->axes;
    for (unsigned c = 0; c < axes + lookup->layer; c++) q->coordinate[c] = source(machine, in, q, 0, c);
    q->reference = operand(machine, in, q, lookup->reference);
    for (unsigned c = 0; c < axes && lookup->ddx >= 0; c++) {
        q->ddx[c] = source(machine, in, q, lookup->ddx, c);
        q->ddy[c] = source(machine, in, q, lookup->ddx + 1, c);
    }
    if (lookup->kind == SCH_PREPARED_PROJECT) project(machine, in, q);
}

/* Offsets are along the axes of a level; those of cubes are not offset. */
static void read_offsets(struct sch_exec_machine *machine, struct lookup *q, struct sch_lanes kept[4][3])
{
    const struct sch_prepared_lookup *lookup = q->lookup;
    const struct sch_target_facts *is = sch_target_facts(lookup->target);
    for (unsigned n = 0; n < lookup->offsets && !is->cube; n++)
        for (unsigned c = 0; c < is->axes; c++)
            q->offset[n][c] = sch_exec_source(machine, &lookup->offset[n], c, &kept[n][c]);
}

/* ---- lanes that name different units ---- */

struct units {
    struct sch_exec_units named;
    uint8_t components[SCH_GROUP_LANES]; /* gathered */
    bool same;
};

void sch_exec_name_units(struct sch_exec_machine *machine, instruction *in, struct sch_exec_units *units)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    bool same_view, same_sampler = true;
    if (lookup->handle) {
        sch_exec_handle_numbers(machine, &in->src[lookup->view], SCH_HANDLE_SAMPLER, units->views, &same_view);
        memcpy(units->samplers, units->views, sizeof units->samplers);
    } else {
        sch_exec_resolve(machine, &in->src[lookup->view].index, units->views, &same_view);
        int named = lookup->sampler >= 0 ? lookup->sampler : lookup->view;
        sch_exec_resolve(machine, &in->src[named].index, units->samplers, &same_sampler);
    }
    units->same = same_view && same_sampler;
}

static void name_units(struct sch_exec_machine *machine, instruction *in, const struct sch_lanes *component,
                       struct units *units)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    sch_exec_name_units(machine, in, &units->named);
    units->same = units->named.same;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        units->components[i] = component ? component->u[i] & 3 : lookup->component;
        if (units->components[i] != units->components[0]) units->same = false;
    }
}

static void choose_units(struct sch_exec_machine *machine, struct lookup *q, const struct units *units, unsigned lane)
{
    q->view = q->lookup->render_target ? NULL : bound_view(machine->bindings, q->lookup, units->named.views[lane]);
    q->sampler = q->lookup->sampler >= 0 ? bound_sampler(machine->bindings, units->named.samplers[lane]) : NULL;
    q->component = units->components[lane];
}

static void run_divergent(struct sch_exec_machine *machine, struct lookup *q, const struct units *units,
                          struct sch_lanes *const result[4])
{
    struct sch_lanes some[4], mask;
    struct sch_lanes *const to[4] = {&some[0], &some[1], &some[2], &some[3]};
    for (uint32_t left = machine->group.exec; left; left &= ~q->lanes) {
        unsigned first = (unsigned)__builtin_ctz(left);
        q->lanes = 0;
        for (unsigned i = first; i < SCH_GROUP_LANES; i++)
            if (left >> i & 1 && units->named.views[i] == units->named.views[first] &&
                units->named.samplers[i] == units->named.samplers[first] &&
                units->components[i] == units->components[first])
                q->lanes |= 1u << i;
        machine->ops->mask_lanes(&mask, q->lanes);
        choose_units(machine, q, units, first);
        q->mask = &mask;
        run_request(machine, q, to);
        for (unsigned c = 0; c < 4; c++) machine->ops->commit(result[c], &some[c], &mask);
    }
}

static void write_result(struct sch_exec_machine *machine, instruction *in)
{
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        const struct sch_lanes *value = &machine->group.result[in->lookup->swizzle[c]];
        if (in->modify) {
            struct sch_lanes *to = &machine->group.result[4];
            machine->ops->modify[in->modify](SCH_RULE_NONE, &to, &value);
            value = to;
        }
        sch_exec_write(machine, &in->dst[0], c, value);
    }
}

void sch_exec_run_lookup(struct sch_exec_machine *machine, instruction *in, bool staged)
{
    sch_exec_hasten(machine, SCH_EXEC_LOOKUP_COST);
    const struct sch_prepared_lookup *lookup = in->lookup;
    struct lookup q = {.lookup = lookup, .staged = staged};
    struct sch_lanes *const result[4] = {&machine->group.result[0], &machine->group.result[1],
                                         &machine->group.result[2], &machine->group.result[3]};
    struct sch_lanes kept[4][3];
    struct units units;
    if (!is_query(lookup)) read_coordinates(machine, in, &q);
    q.value = operand(machine, in, &q, lookup->value);
    q.clamp = operand(machine, in, &q, lookup->clamp);
    read_offsets(machine, &q, kept);
    name_units(machine, in, lookup->kind == SCH_PREPARED_GATHER ? q.value : NULL, &units);
    if (units.same) {
        choose_units(machine, &q, &units, 0);
        q.mask = sch_exec_mask(machine);
        q.lanes = machine->group.exec;
        run_request(machine, &q, result);
    } else {
        run_divergent(machine, &q, &units, result);
    }
}

instruction *sch_exec_run_bound_lookup(struct sch_exec_machine *machine, instruction *in)
{
    sch_exec_run_lookup(machine, in, false);
    write_result(machine, in);
    return in + 1;
}
