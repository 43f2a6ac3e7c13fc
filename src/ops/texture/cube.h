/* Cube maps: from a direction to a face and the position on it, that position's derivatives, and what lies beyond an
 * edge. Holds no levels of detail, no texels and no loads. Faces are numbered +X, -X, +Y, -Y, +Z, -Z. */
#ifndef SCH_OPS_TEXTURE_CUBE_H
#define SCH_OPS_TEXTURE_CUBE_H

#include "ops/texture/address.h"

/* A direction on its face: s = (sc / ma) * 0.5 + 0.5, where ma is the magnitude of the component that chose the face
 * and sc (tc) the one along s (t). */
struct tex_face {
    vi32 face;
    vf32 sc, tc, ma;
    vf32 s, t;
};

/* Which component is the greatest in magnitude, Z before Y before X among equals: masks, and what it is. None is a
 * NaN. */
struct tex_greatest {
    vi32 is_y, is_z;
    vf32 value;
};

OPS_INLINE struct tex_greatest tex_greatest_of(vf32 x, vf32 y, vf32 z)
{
    struct tex_greatest out;
    vf32 ax = v_abs_f32(x), ay = v_abs_f32(y), az = v_abs_f32(z);
    out.is_z = (vi32)(az >= ax) & (vi32)(az >= ay);
    out.is_y = (vi32)(ay >= ax) & ~out.is_z;
    out.value = v_select_f32(out.is_z, z, v_select_f32(out.is_y, y, x));
    return out;
}

/* The number of the face that it is on. */
OPS_INLINE vi32 tex_greatest_face(const struct tex_greatest *greatest)
{
    return (greatest->is_z & 4) | (greatest->is_y & 2) | (vi32)((vu32)greatest->value >> 31);
}

/* Which component is which on a face, and the signs to flip. The table is +X (-z, -y), -X (z, -y), +Y (x, z),
 * -Y (x, -z), +Z (x, -y), -Z (-x, -y). */
struct tex_face_axes {
    vi32 is_x, is_y, is_z;          /* masks: the face's axis */
    vi32 sc_sign, tc_sign, ma_sign; /* the sign bit or 0 */
};

OPS_INLINE struct tex_face_axes tex_face_axes_by(vi32 is_y, vi32 is_z, vi32 ma_sign)
{
    struct tex_face_axes out = {.is_y = is_y, .is_z = is_z, .is_x = ~(is_y | is_z), .ma_sign = ma_sign};
    out.sc_sign = (ma_sign ^ (out.is_x & INT32_MIN)) & ~is_y;
    out.tc_sign = ma_sign | (~is_y & INT32_MIN);
    return out;
}

OPS_INLINE struct tex_face_axes tex_face_axes_of(vi32 face)
{
    return tex_face_axes_by((vi32)((face & 6) == 2), (vi32)((face & 6) == 4), face << 31);
}

OPS_INLINE vf32 tex_flip(vf32 v, vi32 sign) { return (vf32)((vi32)v ^ sign); }

/* 0 in place of a NaN. */
OPS_INLINE vf32 tex_number(vf32 v) { return (vf32)((vi32)v & ~v_isnan_f32(v)); }

/* The components of a vector along the axes of the face. */
OPS_INLINE void tex_face_select_across(const struct tex_face_axes *axes, vf32 x, vf32 y, vf32 z, struct tex_face *out)
{
    out->sc = tex_flip(v_select_f32(axes->is_x, z, x), axes->sc_sign);
    out->tc = tex_flip(v_select_f32(axes->is_y, z, y), axes->tc_sign);
}

/* The components of a vector as the face sees them; where the face is the vector's own, ma is a magnitude. */
OPS_INLINE void tex_face_select(vi32 face, vf32 x, vf32 y, vf32 z, struct tex_face *out)
{
    struct tex_face_axes axes = tex_face_axes_of(face);
    tex_face_select_across(&axes, x, y, z, out);
    out->ma = tex_flip(v_select_f32(axes.is_z, z, v_select_f32(axes.is_y, y, x)), axes.ma_sign);
}

/* The other way: the vector that tex_face_select takes apart. */
OPS_INLINE void tex_face_join(vi32 face, vf32 sc, vf32 tc, vf32 ma, vf32 at[3])
{
    struct tex_face_axes axes = tex_face_axes_of(face);
    sc = tex_flip(sc, axes.sc_sign);
    tc = tex_flip(tc, axes.tc_sign);
    ma = tex_flip(ma, axes.ma_sign);
    at[0] = v_select_f32(axes.is_x, ma, sc);
    at[1] = v_select_f32(axes.is_y, ma, tc);
    at[2] = v_select_f32(axes.is_z, ma, v_select_f32(axes.is_y, tc, sc));
}

/* A NaN of the direction counts as 0, so that s and t lie in [0, 1]; of infinities, or zeros alone, they are NaN. */
OPS_INLINE struct tex_face tex_face_of(vf32 x, vf32 y, vf32 z)
{
    struct tex_face out;
    x = tex_number(x);
    y = tex_number(y);
    z = tex_number(z);
    const struct tex_greatest greatest = tex_greatest_of(x, y, z);
    const struct tex_face_axes axes = tex_face_axes_by(greatest.is_y, greatest.is_z, (vi32)greatest.value & INT32_MIN);
    out.face = tex_greatest_face(&greatest);
    tex_face_select_across(&axes, x, y, z, &out);
    out.ma = v_abs_f32(greatest.value);
    out.s = (out.sc / out.ma) * 0.5f + 0.5f;
    out.t = (out.tc / out.ma) * 0.5f + 0.5f;
    return out;
}

/* The derivatives of s and t that a derivative of the direction makes, on a face held fast. */
OPS_INLINE void tex_face_derivative(const struct tex_face *face, vf32 dx, vf32 dy, vf32 dz, vf32 d[2])
{
    struct tex_face along;
    tex_face_select(face->face, dx, dy, dz, &along);
    vf32 drift = along.ma / face->ma;
    d[0] = (along.sc / face->ma - (face->sc / face->ma) * drift) * 0.5f;
    d[1] = (along.tc / face->ma - (face->tc / face->ma) * drift) * 0.5f;
}

/* Where texel (i, j) of a face of n by n is one step outside on one axis: the texel of the neighbouring face across
 * that edge. Others stay. Outside on both axes, where there is no texel: some texel of the neighbour in i's direction.
 *
 * With the cube's edge 2 n long, a texel's centre is at (2 i + 1 - n, 2 j + 1 - n, n). Beyond the edge the coordinate
 * that left is n + 1; folded over the edge it is n, the neighbour's major one, and the old major one n - 1. No other
 * one is as great as n, so the direction finds its face like any other. All are small whole numbers: exact. */
OPS_INLINE void tex_face_neighbour(vi32 *face, vi32 *i, vi32 *j, int32_t n)
{
    const vi32 zero = v_splat_i32(0), last = v_splat_i32(n - 1);
    vi32 i_left = (vi32)(*i < 0) | (vi32)(*i >= n);
    vi32 low = tex_max(*j, zero), inside_j = tex_min(low, last);
    vi32 at_j = v_select_i32(i_left, inside_j, *j);
    vi32 left = i_left | (vi32)(at_j != inside_j);
    vf32 a = tex_clamp_f32(v_f32_from_i32(*i * 2 + (1 - n)), (float)-n, (float)n);
    vf32 b = tex_clamp_f32(v_f32_from_i32(at_j * 2 + (1 - n)), (float)-n, (float)n);
    vf32 at[3];
    struct tex_face to;
    tex_face_join(*face, a, b, v_f32_from_i32(n + left), at);
    const struct tex_greatest greatest = tex_greatest_of(at[0], at[1], at[2]);
    *face = tex_greatest_face(&greatest);
    tex_face_select(*face, at[0], at[1], at[2], &to);
    *i = v_i32_from_f32(to.sc + (float)(n - 1)) >> 1;
    *j = v_i32_from_f32(to.tc + (float)(n - 1)) >> 1;
}

#endif
