/* Texture lookups without a shader, and explanations of their results. docs/texture.md says what lookups return.
 *
 * Example, with a view of four texels and a sampler (resource.h):
 *
 *     struct sch_lookup middle = {.size = sizeof middle, .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.5F, 0.5F}};
 *     uint32_t result[1][4];
 *     struct sch_explanation *explanation;
 *     struct sch_footprint_texel texel = {.size = sizeof texel};
 *     if (sch_lookup_run(view, sampler, &middle, 1, 0, result) != SCH_OK) return 1;
 *     printf("%08x\n", result[0][0]); // prints 3e800000
 *     if (sch_lookup_explain(context, view, sampler, &middle, &explanation) != SCH_OK) return 1;
 *     for (uint32_t n = 0; sch_explanation_texel(explanation, n, &texel); n++)
 *         fprintf(stderr, "texel %u,%u with weight %g\n", texel.x, texel.y, texel.weight);
 *     sch_explanation_destroy(explanation);
 */
#ifndef SCHEELITE_LOOKUP_H
#define SCHEELITE_LOOKUP_H

#include "resource.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a lookup without a shader does. */
enum sch_lookup_operation {
    SCH_LOOKUP_SAMPLE = 0, /* a filtered sample; ddx and ddy (0 unless set) give the level of detail */
    SCH_LOOKUP_SAMPLE_L,   /* a filtered sample at the level of detail `lod` */
    SCH_LOOKUP_SAMPLE_B,   /* as SAMPLE, with `bias` added to the level of detail */
    SCH_LOOKUP_SAMPLE_D,   /* as SAMPLE, whose derivatives are always given */
    SCH_LOOKUP_GATHER,     /* one component of the four texels that a linear filter would read */
    SCH_LOOKUP_FETCH,      /* one texel, unfiltered */
    SCH_LOOKUP_SIZE,       /* width, height, depth or layers of `level`; number of levels */
    SCH_LOOKUP_SAMPLES,    /* number of samples, 0, 0, 0 */
    SCH_LOOKUP_LOD         /* level of detail that is accessed, the same before the clamps, 0, 0 */
};

/* A lookup (sch_lookup_run). Members that the operation does not read have no effect. */
struct sch_lookup {
    size_t size; /* the same in all elements of an array, whose stride it is */
    enum sch_lookup_operation operation;
    bool compare; /* SAMPLE*, GATHER: compare texels with `reference` by the sampler's function */
    float at[4];  /* SAMPLE*, GATHER, LOD: coordinates along the target's axes (cubes: x, y, z), then the layer */
    float reference, lod, bias, ddx[3], ddy[3]; /* ddx, ddy: differences of `at` to the next pixel in x and in y */
    int32_t offset[3];                          /* SAMPLE*, GATHER, FETCH: in texels */
    uint32_t component;                         /* GATHER: 0 to 3 */
    uint32_t texel[4];                          /* FETCH: coordinates of the texel, then the layer */
    uint32_t level, sample;                     /* FETCH, SIZE; `sample` of multisampled targets */
};

/* Runs `count` lookups in one view with one sampler, on the calling thread. Both are optional: NULL means that none is
 * bound, and lookups that need it return 0. FETCH, SIZE and SAMPLES need no sampler. `results` receives `count`
 * elements.
 *
 * Each result is four words: the components after the view's swizzle, or what enum sch_lookup_operation says for SIZE,
 * SAMPLES and LOD, which have no swizzle. The elements of `lookups` are lookups->size bytes apart. `width` is the
 * number of lanes of a vector: 4, 8 or 16 (or the next narrower that this processor has), or 0 for its best. It does
 * not change results.
 *
 * ARGUMENT: an operation, component or width that does not exist; elements of different sizes; lookups that the target
 * does not have. BUFFER and multisampled targets have only FETCH, SIZE and SAMPLES, gathers need a target with two
 * axes, 3D has no comparison, and samplers with coordinates in texels do not fit cubes and 3D. No lookup is run then.
 * Thread-safe. */
SCH_API enum sch_result sch_lookup_run(const struct sch_view *view, const struct sch_sampler *sampler,
                                       const struct sch_lookup *lookups, uint32_t count, uint32_t width,
                                       uint32_t (*results)[4]);

/* The explanation of a lookup's result: its level of detail, and each texel with its weight. Immutable: any number of
 * threads may read it. It does not refer to the view and the sampler. */
struct sch_explanation;

/* Runs one lookup and explains it. `view` and `sampler` are as in sch_lookup_run. Errors: ARGUMENT (as sch_lookup_run),
 * MEMORY, LIMIT. Thread-safe. */
SCH_API enum sch_result sch_lookup_explain(struct sch_context *context, const struct sch_view *view,
                                           const struct sch_sampler *sampler, const struct sch_lookup *lookup,
                                           struct sch_explanation **explanation);
SCH_API void sch_explanation_destroy(struct sch_explanation *explanation); /* takes NULL */

/* What a lookup computed on its way to the result (docs/texture.md, "Level of detail"). */
struct sch_explanation_info {
    size_t size;
    uint32_t result[4];                  /* as sch_lookup_run returns it */
    int32_t face, layer;                 /* -1: the target has none */
    float ddx[3], ddy[3];                /* derivatives, in texels of level 0 */
    float lod_computed, lod_biased, lod; /* level of detail: before biases, before clamps, after clamps */
    bool magnified;                      /* the magnification filter was used */
    /* Samples along the line of anisotropy, otherwise 1. 0: nothing was filtered; for example, the clamps left no level
     * (Direct3D's rules). */
    uint32_t taps;
    uint32_t level[2];    /* the levels that were read; the second with mip filter LINEAR only */
    float level_weight;   /* of level[1]; level[0] has 1 - level_weight */
    uint32_t texel_count; /* 0 for SIZE, SAMPLES and LOD */
};

/* Fills in `*info`. ARGUMENT if `size` is not set. Thread-safe. */
SCH_API enum sch_result sch_explanation_get_info(const struct sch_explanation *explanation,
                                                 struct sch_explanation_info *info);

/* A texel that contributed to a result. */
struct sch_footprint_texel {
    size_t size;
    uint32_t level, tap;
    uint32_t x, y, z;  /* z: the slice of a 3-D level, otherwise the layer; of cubes 6 * cube + face */
    uint32_t sample;   /* of a multisampled texture */
    bool border;       /* the border colour was read; x, y and z mean nothing then */
    float weight;      /* within its tap and level, 0 to 1 */
    uint32_t value[4]; /* decoded components; of a comparison its result, in [0] */
};

/* Texel `position`, counted from 0. False past the last, and if `size` is not set. Thread-safe. */
SCH_API bool sch_explanation_texel(const struct sch_explanation *explanation, uint32_t position,
                                   struct sch_footprint_texel *texel);

#ifdef __cplusplus
}
#endif
#endif
