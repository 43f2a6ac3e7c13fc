/* Questions to the texture unit without a shader. What the answers are: docs/texture.md. */
#ifndef SCHEELITE_SAMPLE_H
#define SCHEELITE_SAMPLE_H

#include "resource.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sch_lookup {
    size_t size; /* the same in all questions of a call: it is the distance from one to the next */
    enum sch_lookup_operation operation;
    bool compare; /* samples and gathers: with `reference` and the sampler's function */
    float at[4];  /* s, t, r of the target's axes (cubes: x, y, z), then the layer */
    float reference, lod, bias, ddx[3], ddy[3];
    int32_t offset[3];      /* texels */
    uint32_t component;     /* of a gather: 0..3 */
    uint32_t texel[4];      /* FETCH: the target's axes, then the layer */
    uint32_t level, sample; /* FETCH, SIZE */
};

/* Answers `count` questions about one view (NULL: unbound) and sampler (not used by FETCH, SIZE, SAMPLES): four words
 * each, the components after the view's swizzle (sizes and numbers of samples are not swizzled). Without a view or a
 * sampler that is needed the answer is 0. `width`: lanes of a vector, 4, 8 or 16, 0 for the best; the answers are the
 * same. ARGUMENT for a component, lookup or width that is not, and for lookups that the target does not have: BUFFER
 * and multisampled targets are only fetched and measured, gathers need two axes, 3D is not compared, cubes and 3D do
 * not go with coordinates in texels. Then no question is answered. Thread-safe. */
SCH_API enum sch_result sch_lookup_run(const struct sch_view *view, const struct sch_sampler *sampler,
                                       const struct sch_lookup *lookups, uint32_t count, uint32_t width,
                                       uint32_t (*answers)[4]);

/* A texel that took part in an answer. */
struct sch_footprint_texel {
    uint32_t level, tap;
    uint32_t x, y, z; /* z: slice of a 3-D level, else layer; of cubes 6 * cube + face */
    uint32_t sample;
    bool border;       /* the border colour stands for it */
    float weight;      /* in its tap of its level, 0..1 */
    uint32_t value[4]; /* decoded components; of a comparison its result, in [0] */
};

/* How an answer came about. The caller sets `size`; the rest is filled in. */
struct sch_explanation {
    size_t size;
    uint32_t answer[4];
    int32_t face, layer;                 /* -1: the target has none */
    float ddx[3], ddy[3];                /* in texels of level 0 */
    float lod_computed, lod_biased, lod; /* before biases, before and after the clamps */
    bool magnified;
    uint32_t taps; /* 0: nothing was filtered, as where the clamps leave nothing of the view (D3D rules) */
    uint32_t level[2];
    float level_weight; /* of level[1] */
    uint32_t texel_count;
    struct sch_footprint_texel texels[512];
};

/* Answers one question and explains it; errors as sch_lookup_run, MEMORY, and ARGUMENT for an explanation whose `size`
 * is not set: after an error it is as it was. Texels past the room for them are dropped. Sizes and numbers of samples
 * have nothing to explain: 0, no texels. Thread-safe. */
SCH_API enum sch_result sch_lookup_explain(const struct sch_view *view, const struct sch_sampler *sampler,
                                           const struct sch_lookup *lookup, struct sch_explanation *explanation);

#ifdef __cplusplus
}
#endif
#endif
