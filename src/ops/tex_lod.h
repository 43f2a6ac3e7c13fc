/* The level of detail of a lookup, a signed number with 8 fractional bits. Holds no coordinates and no loads.
 *
 *   rho^2 = max(|dX|^2, |dY|^2), |dX|^2 = (ds/dx * width)^2 + (dt/dx * height)^2 and dY likewise, every operation
 *   rounded to binary32 in this order; the sizes are those of level 0, 1 for coordinates in texels.
 *   LOD = log2(rho^2) / 2 rounded to the nearest 1/256 (there are no ties), from -128 to 127 255/256.
 * Explicit LODs, biases and clamps are rounded to the same numbers, ties to even, NaN being 0; sums saturate. */
#ifndef SCH_OPS_TEX_LOD_H
#define SCH_OPS_TEX_LOD_H

#include "ops/math_f32.h"
#include "ops/tex_address.h"

enum { TEX_LOD_LOW = -32768, TEX_LOD_HIGH = 32767 };

OPS_INLINE vi32 tex_lod_fixed(vf32 v)
{
    return v_i32_from_f32(v_rint_f32(tex_clamp_f32(v, -128.0f, 0x1.fffcp6f) * 256.0f));
}

OPS_INLINE vi32 tex_lod_of(float v) { return tex_lod_fixed(v_splat_f32(v)); }

/* round(128 * log2(rho2)). A step lies where rho2 = 2^((2 k + 1) / 256), which is irrational: no float is on it, and
 * none is nearer to one than 2^-33 of itself (the floats around all 128 of an octave; 2^-32.01 is the least), while
 * v_log2_core errs by 2^-51. So rounding its result decides every step exactly. */
OPS_INLINE vi32 tex_lod_log2(vf32 rho2)
{
    vf64 steps = v_log2_core(v_f64_from_f32(rho2)) * 128.0;
    vi32 lod = (vi32)v_lo_u64((vu64)(steps + 0x1.8p52));
    lod = v_select_i32((vi32)(rho2 > 0.0f), lod, v_splat_i32(TEX_LOD_LOW));
    lod = v_select_i32((vi32)(rho2 == V_INF_F32), v_splat_i32(TEX_LOD_HIGH), lod);
    return lod & ~v_isnan_f32(rho2);
}

/* |d|^2 of one direction. */
OPS_INLINE vf32 tex_length2(vf32 ds, vf32 dt, float width, float height)
{
    ds *= width;
    dt *= height;
    return ds * ds + dt * dt;
}

/* The greater one; NaN if any is NaN. */
OPS_INLINE vf32 tex_rho2(vf32 x2, vf32 y2)
{
    vf32 greater = v_select_f32((vi32)(x2 > y2), x2, y2);
    return v_select_f32(v_isnan_f32(x2), x2, greater);
}

/* What min_lod and max_lod leave of a sum, which they also bring back into range: the former wins. */
OPS_INLINE vi32 tex_lod_clamp(vi32 lod, const struct sch_sampler_values *values)
{
    return tex_max(tex_min(lod, tex_lod_of(values->max_lod)), tex_lod_of(values->min_lod));
}

#endif
