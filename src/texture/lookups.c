/* Questions to the texture unit without a shader: up to a group of them at a time becomes one request to the
 * operations. Holds no meaning of lookups (src/ops) and checks no memory of callers (src/api). */
#include <string.h>

#include "ops/ops.h"
#include "texture/texture.h"

static bool filters(const struct sch_texture_lookup_kind *kind)
{
    return kind->lookup <= SCH_LOOKUP_GATHER || kind->lookup == SCH_LOOKUP_LOD;
}

/* Lookups that filter are for what has coordinates between texels; gathers need two axes. */
static bool target_has(unsigned target, const struct sch_texture_lookup_kind *kind)
{
    const struct sch_target_facts *is = sch_target_facts(target);
    if (kind->lookup > SCH_LOOKUP_LOD || kind->component > 3) return false;
    if (is->family == SCH_FAMILY_NONE || is->plain != target) return false;
    if (!filters(kind)) return true;
    if (is->family == SCH_FAMILY_BUFFER || is->multisampled) return false;
    if (kind->lookup == SCH_LOOKUP_GATHER && is->axes != 2) return false;
    return !kind->compare || is->axes <= 2;
}

enum sch_result sch_texture_check_lookup(const struct sch_sampler_key *sampler, unsigned target,
                                         const struct sch_texture_lookup_kind *kind)
{
    if (!target_has(target, kind)) return SCH_ERROR_ARGUMENT;
    if (filters(kind) && sampler && sampler->unnormalized && !sch_texture_takes_texels(target))
        return SCH_ERROR_ARGUMENT;
    return SCH_OK;
}

/* The lanes of one group of questions; those that a request does not use are not filled. */
struct lanes {
    struct sch_lanes mask, coordinate[4], reference, lod, ddx[3], ddy[3], offset[3], result[4];
};

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static unsigned spatial(const struct sch_target_facts *is) { return is->cube ? 3 : is->axes; }

static void fill_sample(struct lanes *lanes, const struct sch_texture_lookups *asked)
{
    for (uint32_t i = 0; i < asked->count; i++) {
        const struct sch_texture_lookup *q = &asked->lookups[i];
        lanes->mask.u[i] = UINT32_MAX;
        for (unsigned c = 0; c < 4; c++) lanes->coordinate[c].u[i] = float_bits(q->at[c]);
        lanes->reference.u[i] = float_bits(q->reference);
        lanes->lod.u[i] = float_bits(asked->kind.lookup == SCH_LOOKUP_SAMPLE_B ? q->bias : q->lod);
        for (unsigned c = 0; c < 3; c++) {
            lanes->ddx[c].u[i] = float_bits(q->ddx[c]);
            lanes->ddy[c].u[i] = float_bits(q->ddy[c]);
            lanes->offset[c].u[i] = (uint32_t)q->offset[c];
        }
    }
}

/* Nobody's neighbours are known: what is implicit in a shader has its derivatives given. */
static void ask_sample(const struct sch_ops *ops, const struct sch_texture_lookups *asked, struct lanes *lanes,
                       struct sch_lanes *const result[4])
{
    const struct sch_target_facts *is = sch_target_facts(asked->key.target);
    unsigned axes = spatial(is), lookup = asked->kind.lookup;
    struct sch_sample_request request = {.lod_mode =
                                             lookup == SCH_LOOKUP_SAMPLE_L ? SCH_LOD_EXPLICIT : SCH_LOD_GRADIENTS,
                                         .biased = lookup == SCH_LOOKUP_SAMPLE_B,
                                         .component = (uint8_t)asked->kind.component,
                                         .offsets = asked->kind.offsets && !is->cube,
                                         .mask = &lanes->mask,
                                         .trace = asked->trace};
    struct sch_sampler_key key = asked->key;
    if (!asked->kind.compare) key.compare = SCH_COMPARE_NONE;
    fill_sample(lanes, asked);
    for (unsigned c = 0; c < axes + is->layered; c++) request.coordinate[c] = &lanes->coordinate[c];
    if (key.compare) request.reference = &lanes->reference;
    if (lookup == SCH_LOOKUP_SAMPLE_L || lookup == SCH_LOOKUP_SAMPLE_B) request.lod = &lanes->lod;
    for (unsigned c = 0; c < axes; c++) {
        request.ddx[c] = &lanes->ddx[c];
        request.ddy[c] = &lanes->ddy[c];
        request.offset[0][c] = &lanes->offset[c];
    }
    sch_sample_fn *function = lookup == SCH_LOOKUP_GATHER ? ops->texture_gather
                              : lookup == SCH_LOOKUP_LOD  ? ops->lod_query
                                                          : ops->sample;
    function(&key, asked->values, asked->texture, &request, result);
}

static void ask_fetch(const struct sch_ops *ops, const struct sch_texture_lookups *asked, struct lanes *lanes,
                      struct sch_lanes *const result[4])
{
    const struct sch_target_facts *is = sch_target_facts(asked->key.target);
    struct sch_fetch_request request = {.mask = &lanes->mask, .trace = asked->trace};
    for (uint32_t i = 0; i < asked->count; i++) {
        const struct sch_texture_lookup *q = &asked->lookups[i];
        lanes->mask.u[i] = UINT32_MAX;
        for (unsigned c = 0; c < 4; c++) lanes->coordinate[c].u[i] = q->texel[c];
        for (unsigned c = 0; c < 3; c++) lanes->offset[c].u[i] = (uint32_t)q->offset[c];
        lanes->lod.u[i] = is->multisampled ? q->sample : q->level;
    }
    bool layers = is->layered || is->cube;
    for (unsigned c = 0; c < (unsigned)is->axes + layers; c++) request.coordinate[c] = &lanes->coordinate[c];
    for (unsigned c = 0; c < is->axes && asked->kind.offsets; c++) request.offset[c] = &lanes->offset[c];
    if (is->multisampled || !is->one_level) request.level = &lanes->lod;
    ops->fetch(&asked->key, asked->texture, &request, result);
}

static void ask_numbers(const struct sch_texture_lookups *asked, uint32_t (*answers)[4])
{
    for (uint32_t i = 0; i < asked->count; i++) {
        if (asked->kind.lookup == SCH_LOOKUP_SIZE)
            sch_texture_size(asked->texture, asked->key.target, asked->lookups[i].level, answers[i]);
        else
            answers[i][0] = sch_texture_samples(asked->texture, asked->key.target);
    }
}

void sch_texture_run_lookups(const struct sch_ops *ops, const struct sch_texture_lookups *asked, uint32_t (*answers)[4])
{
    memset(answers, 0, asked->count * sizeof *answers);
    if (!asked->texture || (filters(&asked->kind) && !asked->values)) return;
    if (asked->kind.lookup == SCH_LOOKUP_SIZE || asked->kind.lookup == SCH_LOOKUP_SAMPLES) {
        ask_numbers(asked, answers);
        return;
    }
    struct lanes lanes = {0};
    struct sch_lanes *const result[4] = {&lanes.result[0], &lanes.result[1], &lanes.result[2], &lanes.result[3]};
    if (asked->kind.lookup == SCH_LOOKUP_FETCH)
        ask_fetch(ops, asked, &lanes, result);
    else
        ask_sample(ops, asked, &lanes, result);
    for (uint32_t i = 0; i < asked->count; i++)
        for (unsigned c = 0; c < 4; c++) answers[i][c] = lanes.result[c].u[i];
}
