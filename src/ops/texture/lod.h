/* The level of detail of a lookup, a signed number with 8 fractional bits, and the taps that anisotropic filtering
 * spreads along the footprint. Holds no texel addresses and no loads.
 *
 *   rho^2 = max(|dX|^2, |dY|^2), |dX|^2 = (ds/dx * width)^2 + (dt/dx * height)^2 and dY likewise, every operation
 *   rounded to binary32 in this order; the sizes are those of level 0, 1 for coordinates in texels.
 *   LOD = log2(rho^2) / 2 rounded to the nearest 1/256 (there are no ties), from -128 to 127 255/256.
 * Explicit LODs, biases and clamps are rounded to the same numbers, ties to even, NaN being 0; sums saturate. */
#ifndef SCH_OPS_TEXTURE_LOD_H
#define SCH_OPS_TEXTURE_LOD_H

#include "ops/alu/math_f32.h"
#include "ops/texture/address.h"
#include "ops/texture/cube.h"

enum { TEX_LOD_LOW = -32768, TEX_LOD_HIGH = 32767 };

OPS_INLINE vi32 tex_lod_fixed(vf32 v)
{
    return v_i32_from_f32(v_rint_f32(tex_clamp_f32(v, -128.0f, 0x1.fffcp6f) * 256.0f));
}

OPS_INLINE vi32 tex_lod_of(float v) { return tex_lod_fixed(v_splat_f32(v)); }

/* round(128 * log2(rho2)) where binary32 decides it, for all lanes or none: 256 / ln 2 * atanh(s), s within 0.1716, by
 * four terms. Its error is below 2^-13 (every float of an octave); results nearer to a half than 2^-10 are left to
 * binary64. */
OPS_INLINE bool tex_lod_log2_near(vf32 rho2, vi32 *lod)
{
    vi32 exponent = (vi32)(((vu32)rho2 + (0x3f800000u - 0x3f3504f3u)) >> 23) - 127;
    vf32 m = (vf32)((vu32)rho2 - ((vu32)exponent << 23)), s = (m - 1.0f) / (m + 1.0f), z = s * s;
    vf32 p = (z * 52.76150f + 73.86609f) * z + 123.11015f;
    vf32 steps = (p * z + 369.33045f) * s, magic = steps + 0x1.8p23f;
    *lod = exponent * 128 + ((vi32)magic - 0x4b400000);
    vi32 undecided = (vi32)(v_abs_f32(steps - (magic - 0x1.8p23f)) > 0.499f);
    undecided |= (vi32)((vu32)rho2 - 0x00800000u >= 0x7f000000u); /* 0, denormal, negative, infinite, NaN */
    return !v_any(undecided);
}

/* round(128 * log2(rho2)). A step lies where rho2 = 2^((2 k + 1) / 256), which is irrational: no float is on it, and
 * none is nearer to one than 2^-33 of itself (the floats around all 128 of an octave; 2^-32.01 is the least), while
 * v_log2_core errs by 2^-51. So rounding its result decides every step exactly. */
OPS_INLINE vi32 tex_lod_log2(vf32 rho2)
{
    vi32 lod;
    if (tex_lod_log2_near(rho2, &lod)) return lod;
    vf64 steps = v_log2_core(0, v_f64_from_f32(rho2)) * 128.0;
    lod = (vi32)v_lo_u64((vu64)(steps + 0x1.8p52));
    lod = v_select_i32((vi32)(rho2 > 0.0f), lod, v_splat_i32(TEX_LOD_LOW));
    lod = v_select_i32((vi32)(rho2 == V_INF_F32), v_splat_i32(TEX_LOD_HIGH), lod);
    return lod & ~v_isnan_f32(rho2);
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

/* The level that mip nearest takes, before it is brought within the view's: floor(LOD + 1/2), the upper one of two that
 * are equally near (Direct3D 11.3, 7.18.10; OpenGL 4.6, 8.14.3, equation 8.15, "alternative"). */
OPS_INLINE vi32 tex_nearest_level(vi32 lod) { return (lod + 128) >> 8; }

/* A level of detail as a number: exact. */
OPS_INLINE vf32 tex_lod_float(vi32 lod) { return v_f32_from_i32(lod) * 0x1p-8f; }

/* The coordinates' derivatives by window x and y, before any size; axes that the target lacks are 0. */
struct tex_derivatives {
    vf32 x[3], y[3];
};

/* Differences of each quad's first row and first column, for all four lanes. */
OPS_INLINE void tex_quad_differences(vf32 at, vf32 *x, vf32 *y)
{
    vf32 first = v_quad_0000_f32(at);
    *x = v_quad_1111_f32(at) - first;
    *y = v_quad_2222_f32(at) - first;
}

OPS_INLINE void tex_quad_derivatives(const vf32 at[3], unsigned axes, struct tex_derivatives *d)
{
    OPS_UNROLL
    for (unsigned i = 0; i < 3; i++) {
        if (i < axes)
            tex_quad_differences(at[i], &d->x[i], &d->y[i]);
        else
            d->x[i] = d->y[i] = v_splat_f32(0.0f);
    }
}

/* For directions x, y, z, on the face and at the point of each quad's first lane. */
OPS_INLINE void tex_quad_face_derivatives(const struct tex_face *face, vf32 x, vf32 y, vf32 z,
                                          struct tex_derivatives *d)
{
    struct tex_face first = {.face = v_quad_0000_i32(face->face),
                             .sc = v_quad_0000_f32(face->sc),
                             .tc = v_quad_0000_f32(face->tc),
                             .ma = v_quad_0000_f32(face->ma)};
    const vf32 at[3] = {x, y, z};
    struct tex_derivatives along;
    tex_quad_derivatives(at, 3, &along);
    tex_face_derivative(&first, along.x[0], along.x[1], along.x[2], d->x);
    tex_face_derivative(&first, along.y[0], along.y[1], along.y[2], d->y);
    d->x[2] = d->y[2] = v_splat_f32(0.0f);
}

/* What a lookup covers of level 0. */
struct tex_footprint {
    vi32 lod;          /* before biases */
    vi32 taps;         /* at least 1 */
    vf32 du[2];        /* where taps > 1: the coordinates' derivative along the major direction */
    vf32 dx[3], dy[3]; /* the derivatives in texels */
};

OPS_INLINE vf32 tex_squared_length(const vf32 d[3], unsigned axes)
{
    vf32 sum = d[0] * d[0];
    if (axes > 1) sum += d[1] * d[1];
    if (axes > 2) sum += d[2] * d[2];
    return sum;
}

/* The ratio of anisotropy, and the square of the minor axis in *minor2; both meant only where 0 < major2 < infinity.
 * From binary32 values whose squares neither overflow nor vanish in binary64. */
OPS_INLINE vf64 tex_anisotropy(const struct tex_footprint *footprint, vf32 major2, unsigned max_anisotropy,
                               vf32 *minor2)
{
    const double most = max_anisotropy;
    vf64 xs = v_f64_from_f32(footprint->dx[0]), xt = v_f64_from_f32(footprint->dx[1]);
    vf64 ys = v_f64_from_f32(footprint->dy[0]), yt = v_f64_from_f32(footprint->dy[1]);
    vf64 det = v_abs_f64(xs * yt - xt * ys), square = v_f64_from_f32(major2);
    vf64 ratio = square / det;
    vi64 within = (vi64)(ratio <= most);
    vf64 minor = v_select_f64(within, det * det / square, square / (most * most));
    *minor2 = v_f32_from_f64(minor);
    ratio = v_select_f64(within, ratio, v_splat_f64(most));
    /* a minor axis below a texel needs no more taps than the major one has texels (none: the caller takes one) */
    vf64 length = v_sqrt_f64(square);
    return v_select_f64((vi64)(minor < 1.0) & (vi64)(length < ratio), length, ratio);
}

/* The footprint of derivatives on level 0's sizes (1 for coordinates in texels). Only two axes can be anisotropic; a
 * footprint without extent, or an unbounded one, is not. */
OPS_INLINE void tex_footprint_of(const struct tex_derivatives *d, const float size[3], unsigned axes,
                                 unsigned max_anisotropy, struct tex_footprint *out)
{
    OPS_UNROLL
    for (unsigned i = 0; i < 3; i++) {
        out->dx[i] = i < axes ? d->x[i] * size[i] : v_splat_f32(0.0f);
        out->dy[i] = i < axes ? d->y[i] * size[i] : v_splat_f32(0.0f);
    }
    vf32 x2 = tex_squared_length(out->dx, axes), y2 = tex_squared_length(out->dy, axes);
    vf32 rho2 = tex_rho2(x2, y2);
    out->taps = v_splat_i32(1);
    out->du[0] = out->du[1] = v_splat_f32(0.0f);
    if (max_anisotropy > 1 && axes == 2) {
        vi32 along_y = (vi32)(y2 > x2), bounded = (vi32)(rho2 > 0.0f) & (vi32)(rho2 < V_INF_F32);
        vf32 minor2;
        vi32 taps = v_i32_from_f64(v_ceil_f64(tex_anisotropy(out, rho2, max_anisotropy, &minor2)));
        out->taps = v_select_i32(bounded, tex_max(taps, out->taps), out->taps);
        rho2 = v_select_f32(bounded, minor2, rho2);
        OPS_UNROLL
        for (unsigned i = 0; i < 2; i++) out->du[i] = v_select_f32(along_y, d->y[i], d->x[i]);
    }
    out->lod = tex_lod_log2(rho2);
}

/* A coordinate of tap 0 .. taps - 1: spread evenly along du around u. */
OPS_INLINE vf32 tex_tap_position(vf32 u, vf32 du, vi32 tap, vi32 taps)
{
    vf32 t = v_f32_from_i32(2 * tap + 1 - taps) / v_f32_from_i32(2 * taps);
    return v_select_f32((vi32)(taps == 1), u, u + t * du);
}

#endif
