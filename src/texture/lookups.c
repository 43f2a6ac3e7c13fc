/* Lookups without a shader: up to a group of them at a time becomes one request to the operations. Holds no meaning of
 * lookups (src/ops) and checks no memory of callers (src/api). */
#include <string.h>

#include "isa/errors.h"
#include "ops/ops.h"
#include "texture/texture.h"

struct sch_texture_lookup_kind sch_texture_kind_of_lookup(const struct sch_lookup *lookup)
{
    return (struct sch_texture_lookup_kind){.operation = lookup->operation,
                                            .component = lookup->operation == SCH_LOOKUP_GATHER ? lookup->component : 0,
                                            .compare =
                                                lookup->compare && (unsigned)lookup->operation <= SCH_LOOKUP_GATHER,
                                            .offsets = lookup->offset[0] || lookup->offset[1] || lookup->offset[2]};
}

static bool filters(const struct sch_texture_lookup_kind *kind)
{
    return (unsigned)kind->operation <= SCH_LOOKUP_GATHER || kind->operation == SCH_LOOKUP_LOD;
}

/* Lookups that filter are for what has coordinates between texels; gathers need two axes. */
static bool target_has(unsigned target, const struct sch_texture_lookup_kind *kind, struct sch_diagnostics *diagnostics)
{
    const struct sch_target_facts *is = sch_target_facts(target);
    if ((unsigned)kind->operation > SCH_LOOKUP_LOD)
        return sch_refuse_argument(diagnostics, ".operation", "operation %u does not exist", (unsigned)kind->operation);
    if (kind->component > 3)
        return sch_refuse_argument(diagnostics, ".component", "component %u, of 0 to 3", kind->component);
    if (is->family == SCH_FAMILY_NONE || is->plain != target)
        return sch_refuse_argument(diagnostics, "view", "textures have no such target");
    if (!filters(kind)) return true;
    if (is->family == SCH_FAMILY_BUFFER || is->multisampled)
        return sch_refuse_argument(diagnostics, ".operation", "the view's target has only FETCH, SIZE and SAMPLES");
    if (kind->operation == SCH_LOOKUP_GATHER && is->axes != 2)
        return sch_refuse_argument(diagnostics, ".operation", "GATHER needs a target with two axes");
    return !kind->compare || is->axes <= 2 || sch_refuse_argument(diagnostics, ".compare", "3D has no comparison");
}

bool sch_texture_check_lookup(const struct sch_sampler_key *sampler, unsigned target,
                              const struct sch_texture_lookup_kind *kind, struct sch_diagnostics *diagnostics)
{
    if (!target_has(target, kind, diagnostics)) return false;
    return !(filters(kind) && sampler && sampler->unnormalized && !sch_texture_takes_texels(target)) ||
           sch_refuse_argument(diagnostics, "sampler", "coordinates in texels do not fit the view's target");
}

/* The lanes of one group of lookups; those that a request does not use are not filled. */
struct lanes {
    struct sch_lanes mask, coordinate[4], reference, lod, ddx[3], ddy[3], offset[3], result[4];
    struct sch_few_texel_tiles tiles;
};

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static unsigned spatial(const struct sch_target_facts *is) { return is->cube ? 3 : is->axes; }

static void fill_sample(struct lanes *lanes, const struct sch_texture_lookups *group)
{
    for (uint32_t i = 0; i < group->count; i++) {
        const struct sch_lookup *lookup = &group->lookups[i];
        lanes->mask.u[i] = UINT32_MAX;
        for (unsigned c = 0; c < 4; c++) lanes->coordinate[c].u[i] = float_bits(lookup->at[c]);
        lanes->reference.u[i] = float_bits(lookup->reference);
        lanes->lod.u[i] = float_bits(group->kind.operation == SCH_LOOKUP_SAMPLE_B ? lookup->bias : lookup->lod);
        for (unsigned c = 0; c < 3; c++) {
            lanes->ddx[c].u[i] = float_bits(lookup->ddx[c]);
            lanes->ddy[c].u[i] = float_bits(lookup->ddy[c]);
            lanes->offset[c].u[i] = (uint32_t)lookup->offset[c];
        }
    }
}

/* No lane's neighbours are known: what is implicit in a shader has its derivatives given. */
static void run_samples(const struct sch_ops *ops, const struct sch_texture_lookups *group, struct lanes *lanes,
                        struct sch_lanes *const result[4])
{
    const struct sch_target_facts *is = sch_target_facts(group->key.target);
    const unsigned axes = spatial(is);
    const enum sch_lookup_operation operation = group->kind.operation;
    struct sch_sample_request request = {.lod_mode =
                                             operation == SCH_LOOKUP_SAMPLE_L ? SCH_LOD_EXPLICIT : SCH_LOD_GRADIENTS,
                                         .biased = operation == SCH_LOOKUP_SAMPLE_B,
                                         .component = (uint8_t)group->kind.component,
                                         .offsets = group->kind.offsets && !is->cube,
                                         .mask = &lanes->mask,
                                         .trace = group->trace,
                                         .tiles = sch_few_texel_tiles_init(&lanes->tiles, ops->tile_decode)};
    struct sch_sampler_key key = group->key;
    if (!group->kind.compare) key.compare = SCH_COMPARE_NONE;
    fill_sample(lanes, group);
    for (unsigned c = 0; c < axes + is->layered; c++) request.coordinate[c] = &lanes->coordinate[c];
    if (key.compare) request.reference = &lanes->reference;
    if (operation == SCH_LOOKUP_SAMPLE_L || operation == SCH_LOOKUP_SAMPLE_B) request.lod = &lanes->lod;
    for (unsigned c = 0; c < axes; c++) {
        request.ddx[c] = &lanes->ddx[c];
        request.ddy[c] = &lanes->ddy[c];
        request.offset[0][c] = &lanes->offset[c];
    }
    sch_sample_fn *function = operation == SCH_LOOKUP_GATHER ? ops->texture_gather
                              : operation == SCH_LOOKUP_LOD  ? ops->lod_query
                                                             : ops->sample;
    function(&key, group->values, group->texture, &request, result);
}

static void run_fetches(const struct sch_ops *ops, const struct sch_texture_lookups *group, struct lanes *lanes,
                        struct sch_lanes *const result[4])
{
    const struct sch_target_facts *is = sch_target_facts(group->key.target);
    struct sch_fetch_request request = {.mask = &lanes->mask,
                                        .trace = group->trace,
                                        .tiles = sch_few_texel_tiles_init(&lanes->tiles, ops->tile_decode)};
    for (uint32_t i = 0; i < group->count; i++) {
        const struct sch_lookup *lookup = &group->lookups[i];
        lanes->mask.u[i] = UINT32_MAX;
        for (unsigned c = 0; c < 4; c++) lanes->coordinate[c].u[i] = lookup->texel[c];
        for (unsigned c = 0; c < 3; c++) lanes->offset[c].u[i] = (uint32_t)lookup->offset[c];
        lanes->lod.u[i] = is->multisampled ? lookup->sample : lookup->level;
    }
    bool layers = is->layered || is->cube;
    for (unsigned c = 0; c < (unsigned)is->axes + layers; c++) request.coordinate[c] = &lanes->coordinate[c];
    for (unsigned c = 0; c < is->axes && group->kind.offsets; c++) request.offset[c] = &lanes->offset[c];
    if (is->multisampled || !is->one_level) request.level = &lanes->lod;
    ops->fetch(&group->key, group->texture, &request, result);
}

static void run_queries(const struct sch_texture_lookups *group, uint32_t (*results)[4])
{
    for (uint32_t i = 0; i < group->count; i++) {
        if (group->kind.operation == SCH_LOOKUP_SIZE)
            sch_texture_size(group->texture, group->key.target, group->lookups[i].level, results[i]);
        else
            results[i][0] = sch_texture_samples(group->texture, group->key.target);
    }
}

void sch_texture_run_lookups(const struct sch_ops *ops, const struct sch_texture_lookups *group, uint32_t (*results)[4])
{
    memset(results, 0, group->count * sizeof *results);
    if (!group->texture || (filters(&group->kind) && !group->values)) return;
    if (group->kind.operation == SCH_LOOKUP_SIZE || group->kind.operation == SCH_LOOKUP_SAMPLES) {
        run_queries(group, results);
        return;
    }
    struct lanes lanes = {0};
    struct sch_lanes *const result[4] = {&lanes.result[0], &lanes.result[1], &lanes.result[2], &lanes.result[3]};
    if (group->kind.operation == SCH_LOOKUP_FETCH)
        run_fetches(ops, group, &lanes, result);
    else
        run_samples(ops, group, &lanes, result);
    for (uint32_t i = 0; i < group->count; i++)
        for (unsigned c = 0; c < 4; c++) results[i][c] = lanes.result[c].u[i];
}
