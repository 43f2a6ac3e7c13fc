/* From a coordinate to texel indices and a weight, one axis at a time: the address chain of Direct3D 11.3 (7.18.5-9)
 * with gallium's eight wrap modes. Holds no loads and no filtering.
 *
 * The position in texels (coordinate times size, less 1/2 for linear filtering) has 8 fractional bits: the exact real
 * number rounded once, to nearest, ties to even. Linear filtering takes texels floor and floor + 1 with the fraction as
 * the second one's weight; nearest filtering takes floor of the same rounded number and has the weight 0. The texel
 * offset is added next, then the wrap mode works on integers. A NaN position, which repeating and mirroring make of
 * infinities too, is 0: texel 0 with weight 1 before the offset (D3D: float to fixed). */
#ifndef SCH_OPS_TEXTURE_ADDRESS_H
#define SCH_OPS_TEXTURE_ADDRESS_H

#include "ops/op.h"

/* Two neighbouring texels; nearest filtering uses the first only. */
struct tex_axis {
    vi32 index[2];   /* 0 to size - 1, also where `outside` */
    vi32 outside[2]; /* mask: the border colour is there; seamless cubes: the texel is on another face */
    vu32 weight;     /* of index[1], in 1/256; the other one's is 256 - weight */
};

/* What an axis depends on besides the coordinate. Truths are words: three bytes that are written one by one and read as
 * a word made the loads wait. */
struct tex_axis_state {
    uint32_t wrap;      /* enum sch_wrap */
    int32_t texels;     /* the coordinate is in texels already */
    int32_t any_linear; /* some lane may filter linearly */
    int32_t has_offset;
    vi32 linear;  /* mask: lanes that do */
    int32_t size; /* of the level, 1 to 16384 */
    vi32 offset;  /* texels, within 16 bits */
};

OPS_INLINE vi32 tex_min(vi32 a, vi32 b) { return v_select_i32((vi32)(a < b), a, b); }
OPS_INLINE vi32 tex_max(vi32 a, vi32 b) { return v_select_i32((vi32)(a > b), a, b); }

/* A NaN stays. */
OPS_INLINE vf32 tex_clamp_f32(vf32 v, float low, float high)
{
    v = v_select_f32((vi32)(v < low), v_splat_f32(low), v);
    return v_select_f32((vi32)(v > high), v_splat_f32(high), v);
}

OPS_INLINE vf32 tex_one_where(vi32 mask) { return (vf32)((vi32)v_splat_f32(1.0f) & mask); }

OPS_INLINE vf64 tex_clamp_f64(vf64 v, double low, double high)
{
    v = v_select_f64((vi64)(v < low), v_splat_f64(low), v);
    return v_select_f64((vi64)(v > high), v_splat_f64(high), v);
}

OPS_INLINE bool tex_is_periodic(const struct tex_axis_state *state)
{
    return state->wrap == SCH_WRAP_REPEAT || state->wrap == SCH_WRAP_MIRROR_REPEAT;
}

/* The coordinate with whole periods taken off. Exact: x - rint(x) is a multiple of x's last place and at most 1/2, and
 * a period is an even number of 1/256 texels, so that ties keep their side. */
OPS_INLINE vf32 tex_reduce(const struct tex_axis_state *state, vf32 u)
{
    if (state->texels) return u;
    if (state->wrap == SCH_WRAP_REPEAT) return u - v_rint_f32(u);
    if (state->wrap == SCH_WRAP_MIRROR_REPEAT) return u - 2.0f * v_rint_f32(u * 0.5f);
    return u;
}

/* The position in 1/256 texels in binary32, and bits of the lanes that it does not decide, which it does not look for
 * where the coordinate is `reduced`. Adding 1.5 * 2^23 to the product with size * 256 rounds it to an integer, ties to
 * even, which is in the low bits; the sum is in [2^23, 2^24), where floats are the integers, if the product is in
 * [-2^22, 2^22). A fused sum rounds the exact product. (128 is even: subtracting it later keeps the ties' sides.) */
#ifdef V_FMA_F32
OPS_INLINE vi32 tex_position_in_float(const struct tex_axis_state *state, vf32 near, bool reduced, vi32 *open)
{
    const float size = (float)(256 * (state->texels ? 1 : state->size));
    const vi32 magic = (vi32)v_fma_f32(near, v_splat_f32(size), v_splat_f32(0x1.8p23f));
    *open = reduced ? v_splat_i32(0) : (magic ^ 0x4b000000) & (vi32)v_splat_u32(0xff800000u);
    return magic - (0x4b400000 + (state->linear & 128));
}
#else
/* If the size is a power of two the product is exact. If not, it lies on the same side of every half as the exact one,
 * or on the half itself: then it decides nothing. */
OPS_INLINE vi32 tex_position_in_float(const struct tex_axis_state *state, vf32 near, bool reduced, vi32 *open)
{
    const bool exact = state->texels || (state->size & (state->size - 1)) == 0;
    vf32 product = near * (float)(256 * (state->texels ? 1 : state->size)), magic = product + 0x1.8p23f;
    *open = reduced ? v_splat_i32(0) : ~(vi32)(v_abs_f32(product) < 0x1p22f);
    if (!exact) *open |= (vi32)(v_abs_f32(product - (magic - 0x1.8p23f)) == 0.5f);
    return (vi32)magic - (0x4b400000 + (state->linear & 128));
}
#endif

/* The position in 1/256 texels. The product of a float (24 bits) and size * 256 (23) is exact in double; adding
 * 1.5 * 2^52 leaves the rounded integer in the low bits, since |product| <= 2^30. */
OPS_INLINE vi32 tex_position(const struct tex_axis_state *state, vf32 u)
{
    vf32 near = tex_reduce(state, u);
    vi32 open, position = tex_position_in_float(state, near, false, &open);
    if (!v_any_bit(open)) return position;
    vf64 product = v_f64_from_f32(near) * (state->texels ? 256.0 : 256.0 * state->size);
    if (state->texels || !tex_is_periodic(state)) product = tex_clamp_f64(product, -0x1p30, 0x1p30);
    vi32 half = state->linear & 128;
    vf64 magic = (product - v_f64_from_i32(half)) + 0x1.8p52;
    return (vi32)v_lo_u64((vu64)magic) & ~v_isnan_f32(near);
}

/* i modulo `period` for texel indices of an axis. Normalised coordinates without offset were reduced to
 * [-period/2 - 1, period/2 + 1] texels: one step. Others may be anywhere. */
OPS_INLINE vi32 tex_periodic(const struct tex_axis_state *state, vi32 i, int32_t period)
{
    if (state->has_offset) i += state->offset;
    if ((period & (period - 1)) == 0) return i & (period - 1);
    if (state->has_offset || state->texels) i = v_rem_i32(i, v_splat_i32(period));
    i += (vi32)(i < 0) & period;
    return i - ((vi32)(i >= period) & period);
}

/* The index after i of a period. */
OPS_INLINE vi32 tex_next(vi32 i, int32_t period) { return (i + 1) & ~(vi32)(i == period - 1); }

/* Texel indices of the periodic modes. */
OPS_INLINE void tex_repeat(const struct tex_axis_state *state, vi32 i, vi32 index[2])
{
    int32_t size = state->size, period = state->wrap == SCH_WRAP_REPEAT ? size : 2 * size;
    index[0] = tex_periodic(state, i, period);
    index[1] = state->any_linear ? tex_next(index[0], period) : index[0];
    if (state->wrap == SCH_WRAP_REPEAT) return;
    OPS_UNROLL
    for (unsigned n = 0; n < 2; n++)
        index[n] = v_select_i32((vi32)(index[n] >= size), 2 * size - 1 - index[n], index[n]);
}

/* Wraps texel index i of the modes that are not periodic. */
OPS_INLINE vi32 tex_wrap(const struct tex_axis_state *state, vi32 i, vi32 *outside)
{
    int32_t size = state->size;
    *outside = v_splat_i32(0);
    switch (state->wrap) {
    case SCH_WRAP_CLAMP_TO_EDGE:
        break;
    case SCH_WRAP_MIRROR_CLAMP_TO_EDGE:
        i ^= i >> 31;
        break;
    case SCH_WRAP_MIRROR_CLAMP:
    case SCH_WRAP_MIRROR_CLAMP_TO_BORDER:
        i ^= i >> 31; /* -1 - i where i < 0 */
        /* fall through */
    default:
        *outside = (vi32)(i < 0) | (vi32)(i >= size);
        /* CLAMP and MIRROR_CLAMP reach the border by linear filtering only: nearest takes the edge. */
        if (state->wrap == SCH_WRAP_CLAMP || state->wrap == SCH_WRAP_MIRROR_CLAMP) *outside &= state->linear;
    }
    return tex_min(tex_max(i, v_splat_i32(0)), v_splat_i32(size - 1));
}

/* GL_CLAMP's clamping of the coordinate to [0, 1], or [-1, 1] before mirroring, after the offset was added: linear
 * filtering then blends at most half of the border in. */
OPS_INLINE vi32 tex_clamp_position(const struct tex_axis_state *state, vi32 position)
{
    vi32 half = state->linear & 128;
    int32_t high = 256 * state->size, low = state->wrap == SCH_WRAP_MIRROR_CLAMP ? -high : 0;
    return tex_min(tex_max(position, low - half), high - half);
}

OPS_INLINE struct tex_axis tex_address(const struct tex_axis_state *state, vf32 u)
{
    struct tex_axis axis;
    vi32 position = tex_position(state, u);
    if (state->has_offset && !tex_is_periodic(state)) position += 256 * state->offset;
    if (state->wrap == SCH_WRAP_CLAMP || state->wrap == SCH_WRAP_MIRROR_CLAMP)
        position = tex_clamp_position(state, position);
    vi32 i = position >> 8;
    axis.weight = state->any_linear ? (vu32)(position & state->linear & 255) : v_splat_u32(0);
    if (tex_is_periodic(state)) {
        tex_repeat(state, i, axis.index);
        axis.outside[0] = axis.outside[1] = v_splat_i32(0);
        return axis;
    }
    axis.index[0] = tex_wrap(state, i, &axis.outside[0]);
    axis.index[1] = axis.index[0];
    axis.outside[1] = axis.outside[0];
    if (state->any_linear) axis.index[1] = tex_wrap(state, i + 1, &axis.outside[1]);
    return axis;
}

/* An axis of a seamless cube's face: no wrap mode; nearest lookups stay on the face, linear ones reach -1 and size. */
OPS_INLINE struct tex_axis tex_face_address(const struct tex_axis_state *state, vf32 u)
{
    struct tex_axis axis;
    vi32 position = tex_position(state, u);
    vi32 i = position >> 8, last = v_splat_i32(state->size - 1), zero = v_splat_i32(0);
    /* s and t lie in [0, 1] (or are NaN: 0), so that i is in [-1, size]. */
    axis.index[0] = v_select_i32(state->linear, i, tex_min(tex_max(i, zero), last));
    axis.index[1] = i + 1;
    axis.weight = (vu32)(position & state->linear & 255);
    OPS_UNROLL
    for (unsigned n = 0; n < 2; n++) axis.outside[n] = (vi32)(axis.index[n] < 0) | (vi32)(axis.index[n] > last);
    return axis;
}

#endif
