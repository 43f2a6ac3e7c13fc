/* Depth as it is stored, and how stored depths compare. docs/pipeline.md, "Depth and stencil". Holds no tests of groups
 * (ops/raster/depth_stencil.h, ops/raster/depth.c). */
#ifndef SCH_OPS_RASTER_DEPTH_H
#define SCH_OPS_RASTER_DEPTH_H

#include "ops/raster/compare.h"
#include "ops/texture/decode.h"

/* The code of a depth between 0 and 1 in `bits` bits: z * (2^bits - 1) to the nearest; of the only tie, z = 1/2, to the
 * greater one, which is even. A fused product with 1.5 * 2^52, whose last place is 1, has that integer in its low bits.
 * Without one z * 2^bits is exact, and the difference rounded to odd keeps what the second rounding must see. */
OPS_INLINE vu32 depth_unorm_code(vf64 z, unsigned bits)
{
    const double power = (double)((uint64_t)1 << bits);
#ifdef V_FMA_F64
    return v_lo_u64((vu64)v_fma_f64(z, v_splat_f64(power - 1.0), v_splat_f64(0x1.8p52)));
#else
    vf64 high = z * power, product = high - z, error = (high - product) - z;
    return v_lo_u64((vu64)(v_round_odd(product, error) + 0x1.8p52));
#endif
}

/* min(max, max(min, z)), where a NaN is `min` (Direct3D 11.3 17.10, 3.1), rounded to the channel, or to a float before
 * that if `single`; -0 is stored as 0. Limits are floats, so a float may be rounded before. */
OPS_INLINE vu32 depth_code(const struct tex_channel *channel, bool single, vf64 z, vf32 min, vf32 max)
{
    const vf32 zero = v_splat_f32(0.0f), one = v_splat_f32(1.0f);
    if (channel->type == TEX_FLOAT) return v_as_u32(v_less_f32(v_greater_f32(v_f32_from_f64(z), min), max) + 0.0f);
    min = v_less_f32(v_greater_f32(min, zero), one);
    max = v_less_f32(v_greater_f32(max, zero), one);
    if (single) z = v_f64_from_f32(v_f32_from_f64(z));
    z = v_less_f64(v_greater_f64(z, v_f64_from_f32(min)), v_f64_from_f32(max));
    return depth_unorm_code(z, channel->bits);
}

/* A primitive's depth and the one that the program writes. A NaN is neither greater nor less: it counts as written (the
 * limits come later). */
OPS_INLINE vf64 depth_written(unsigned layout, vf64 plain, vf64 own)
{
    switch (layout) {
    case SCH_DEPTH_LAYOUT_UNCHANGED:
        return plain;
    case SCH_DEPTH_LAYOUT_GREATER:
        return v_select_f64((vi64)(own < plain), plain, own);
    case SCH_DEPTH_LAYOUT_LESS:
        return v_select_f64((vi64)(own > plain), plain, own);
    default:
        return own;
    }
}

/* Codes compare as integers, floats as floats. */
OPS_INLINE vi32 depth_compare(const struct tex_channel *channel, unsigned function, vu32 fragment, vu32 stored)
{
    if (channel->type == TEX_FLOAT) return raster_compare_f32(function, (vf32)fragment, (vf32)stored);
    return raster_compare_u32(function, fragment, stored);
}

#endif
