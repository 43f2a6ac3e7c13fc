/* What alpha decides: the alpha test and alpha to coverage. docs/pipeline.md, "Depth and stencil". */
#include "ops/raster/compare.h"

/* Clamped to 0..1; NaN is 0. */
OPS_INLINE vf32 alpha_clamped(vf32 alpha)
{
    alpha = v_select_f32((vi32)(alpha > 0.0f), alpha, v_splat_f32(0.0f));
    return v_select_f32((vi32)(alpha < 1.0f), alpha, v_splat_f32(1.0f));
}

/* OpenGL 17.3.2; what is unordered passes NOTEQUAL and ALWAYS alone. */
uint32_t OPS_LOCAL(alpha_test)(uint32_t function, float reference, bool clamp, const struct sch_lanes *alpha);
uint32_t OPS_LOCAL(alpha_test)(uint32_t function, float reference, bool clamp, const struct sch_lanes *alpha)
{
    uint32_t bits = 0;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vf32 a = ops_load_F(alpha, v);
        if (clamp) a = alpha_clamped(a);
        bits |= v_mask_bits(raster_compare_f32(function, a, v_splat_f32(reference))) << (v * SCH_LANES);
    }
    return bits;
}

/* The least float whose product with `samples` is at least s + 1/2. The quotient is no middle of floats, nor next to
 * one, so that the nearest float is that or the one below. */
OPS_INLINE float alpha_threshold(uint32_t s, uint32_t samples)
{
    const double least = (double)s + 0.5;
    union {
        float f;
        uint32_t u;
    } threshold = {(float)(least / (double)samples)};
    if ((double)threshold.f * (double)samples < least) threshold.u++;
    return threshold.f;
}

/* Sample s is covered where floor(alpha * samples + 1/2) > s. A NaN covers none. */
void OPS_LOCAL(alpha_to_coverage)(const struct sch_lanes *alpha, uint32_t samples, uint32_t lanes[SCH_MAX_SAMPLES]);
void OPS_LOCAL(alpha_to_coverage)(const struct sch_lanes *alpha, uint32_t samples, uint32_t lanes[SCH_MAX_SAMPLES])
{
    for (unsigned s = 0; s < samples; s++) {
        const float threshold = alpha_threshold(s, samples);
        uint32_t bits = 0;
        for (unsigned v = 0; v < OPS_VECTORS; v++)
            bits |= v_mask_bits((vi32)(ops_load_F(alpha, v) >= threshold)) << (v * SCH_LANES);
        lanes[s] = bits;
    }
}
