/* The alpha test. docs/pipeline.md, "Depth and stencil". */
#ifndef SCH_OPS_RASTER_ALPHA_H
#define SCH_OPS_RASTER_ALPHA_H

#include "ops/raster/compare.h"

/* Clamped to 0..1; NaN is 0. */
OPS_INLINE vf32 alpha_clamped(vf32 alpha)
{
    alpha = v_select_f32((vi32)(alpha > 0.0f), alpha, v_splat_f32(0.0f));
    return v_select_f32((vi32)(alpha < 1.0f), alpha, v_splat_f32(1.0f));
}

/* The lanes that pass (OpenGL 17.3.2); what is unordered passes NOTEQUAL and ALWAYS alone. */
OPS_INLINE uint32_t alpha_passes(unsigned function, float reference, bool clamp, const struct sch_lanes *alpha)
{
    uint32_t bits = 0;
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vf32 a = ops_load_F(alpha, v);
        if (clamp) a = alpha_clamped(a);
        bits |= v_mask_bits(raster_compare_f32(function, a, v_splat_f32(reference))) << (v * SCH_LANES);
    }
    return bits;
}

#endif
