/* What alpha decides, and what becomes of it before: the alpha test, alpha to coverage, alpha to one, parts of pixels;
 * masks of samples. docs/pipeline.md, "Depth and stencil". */
#include "ops/raster/alpha.h"

/* See raster.def. */
uint32_t OPS_LOCAL(alpha_test)(uint32_t function, float reference, bool clamp, const struct sch_lanes *alpha);
uint32_t OPS_LOCAL(alpha_test)(uint32_t function, float reference, bool clamp, const struct sch_lanes *alpha)
{
    return alpha_passes(function, reference, clamp, alpha);
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

/* See raster.def. */
void OPS_LOCAL(change_alpha)(struct sch_lanes *alpha, bool clamp, bool one, const struct sch_lanes *part);
void OPS_LOCAL(change_alpha)(struct sch_lanes *alpha, bool clamp, bool one, const struct sch_lanes *part)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vf32 a = ops_load_F(alpha, v);
        if (clamp) a = alpha_clamped(a);
        if (one) a = v_splat_f32(1.0f);
        if (part) a *= v_f32_from_i32(ops_load_I(part, v)) * (1.0f / 256);
        ops_put_F(alpha, v, a);
    }
}

/* See raster.def. */
void OPS_LOCAL(lanes_of_masks)(const struct sch_lanes *masks, uint32_t samples, uint32_t lanes[SCH_MAX_SAMPLES]);
void OPS_LOCAL(lanes_of_masks)(const struct sch_lanes *masks, uint32_t samples, uint32_t lanes[SCH_MAX_SAMPLES])
{
    for (unsigned s = 0; s < samples; s++) {
        uint32_t bits = 0;
        for (unsigned v = 0; v < OPS_VECTORS; v++)
            bits |= v_mask_bits((vi32)((ops_load_U(masks, v) >> s & 1u) != 0u)) << (v * SCH_LANES);
        lanes[s] = bits;
    }
}

/* See raster.def. */
void OPS_LOCAL(masks_of_lanes)(const uint32_t *lanes, uint32_t samples, struct sch_lanes *masks);
void OPS_LOCAL(masks_of_lanes)(const uint32_t *lanes, uint32_t samples, struct sch_lanes *masks)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vu32 mask = v_splat_u32(0);
        for (unsigned s = 0; s < samples; s++)
            mask |= (vu32)v_mask_from_bits(lanes[s] >> (v * SCH_LANES)) & (UINT32_C(1) << s);
        ops_put_U(masks, v, mask);
    }
}
