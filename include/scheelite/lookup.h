/* Lookups in textures without a shader, and how their results come about. What lookups mean: docs/texture.md. */
#ifndef SCHEELITE_LOOKUP_H
#define SCHEELITE_LOOKUP_H

#include "resource.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `count` lookups in one view (NULL: none is bound) with one sampler (which FETCH, SIZE and SAMPLES do not use):
 * four words each, the components after the view's swizzle (sizes and numbers of samples are not swizzled). Without a
 * view, or a sampler that is needed, they are 0. `lookups->size` bytes lie between one element and the next. `width`:
 * lanes of a vector, 4, 8 or 16, 0 for the best; the results are the same. ARGUMENT for a component, operation or width
 * that is not, for elements of different sizes, and for lookups that the target does not have: BUFFER and multisampled
 * targets are only fetched and measured, gathers need two axes, 3D is not compared, cubes and 3D do not go with
 * coordinates in texels. Then no lookup is run. Thread-safe. */
SCH_API enum sch_result sch_lookup_run(const struct sch_view *view, const struct sch_sampler *sampler,
                                       const struct sch_lookup *lookups, uint32_t count, uint32_t width,
                                       uint32_t (*results)[4]);

/* How the result of a lookup came about: its level of detail, and each texel with its weight. Immutable: any number of
 * threads may read it. Does not need the view and the sampler to stay. */
struct sch_explanation;

/* Runs one lookup and explains it; `view` and `sampler` as above. `*explanation` is NULL unless the result is SCH_OK.
 * Errors as sch_lookup_run, MEMORY, LIMIT. Thread-safe. */
SCH_API enum sch_result sch_lookup_explain(struct sch_context *context, const struct sch_view *view,
                                           const struct sch_sampler *sampler, const struct sch_lookup *lookup,
                                           struct sch_explanation **explanation);
SCH_API void sch_explanation_destroy(struct sch_explanation *explanation); /* takes NULL */

struct sch_explanation_info {
    size_t size;
    uint32_t result[4];
    int32_t face, layer;                 /* -1: the target has none */
    float ddx[3], ddy[3];                /* in texels of level 0 */
    float lod_computed, lod_biased, lod; /* before biases, before and after the clamps */
    bool magnified;
    uint32_t taps; /* 0: nothing was filtered, as where the clamps leave nothing of the view (D3D rules) */
    uint32_t level[2];
    float level_weight;   /* of level[1] */
    uint32_t texel_count; /* of sizes and numbers of samples 0 */
};

/* ARGUMENT for a `size` that is not set. Thread-safe. */
SCH_API enum sch_result sch_explanation_get_info(const struct sch_explanation *explanation,
                                                 struct sch_explanation_info *info);

/* A texel that took part in a result. */
struct sch_footprint_texel {
    size_t size;
    uint32_t level, tap;
    uint32_t x, y, z; /* z: slice of a 3-D level, else layer; of cubes 6 * cube + face */
    uint32_t sample;
    bool border;       /* the border colour stands for it */
    float weight;      /* in its tap of its level, 0..1 */
    uint32_t value[4]; /* decoded components; of a comparison its result, in [0] */
};

/* Texel `position` from 0; false past the last. Thread-safe. */
SCH_API bool sch_explanation_texel(const struct sch_explanation *explanation, uint32_t position,
                                   struct sch_footprint_texel *texel);

#ifdef __cplusplus
}
#endif
#endif
