/* A group's request to the texture unit, a vector at a time, as far as lookups and queries of the level of detail share
 * it: where the coordinates lie and which level of detail follows. Holds no texels and no filters. docs/texture.md,
 * "Level of detail". */
#ifndef SCH_OPS_TEXTURE_LOOKUP_H
#define SCH_OPS_TEXTURE_LOOKUP_H

#include "ops/texture/key.h"
#include "ops/texture/lod.h"

/* One vector of a sample request. */
struct tex_lookup {
    const struct sch_sampler_values *values;
    const struct sch_texture *texture;
    const struct sch_sample_request *request;
    unsigned vector;
    vi32 mask;
    vf32 at[3]; /* along the axes of an image: of cubes, on the face */
    vi32 slice; /* layer; of cubes the cube's first face */
    struct tex_face face;
    vi32 magnified;
    struct tex_footprint footprint;
};

OPS_INLINE struct tex_lookup tex_lookup_of(const struct sch_sampler_values *values, const struct sch_texture *texture,
                                           const struct sch_sample_request *request, unsigned vector)
{
    return (struct tex_lookup){.values = values,
                               .texture = texture,
                               .request = request,
                               .vector = vector,
                               .mask = ops_load_I(request->mask, vector)};
}

/* ---- coordinates ---- */

/* Which of `count` layers: the nearest, ties to even (OpenGL 4.6, 8.14.2, RNE); clamped, NaN 0. */
OPS_INLINE vi32 tex_layer(vf32 x, uint32_t count)
{
    x = tex_clamp_f32((vf32)((vi32)x & ~v_isnan_f32(x)), -1.0f, 4096.0f);
    vi32 nearest = v_i32_from_f32(v_rint_f32(x));
    return tex_min(tex_max(nearest, v_splat_i32(0)), v_splat_i32((int32_t)count - 1));
}

OPS_INLINE void tex_locate(const struct sch_sampler_key *key, struct tex_lookup *q)
{
    bool cube = tex_is_cube(key->target);
    unsigned axes = cube ? 3 : tex_axes(key->target);
    OPS_UNROLL
    for (unsigned a = 0; a < 3; a++)
        q->at[a] = a < axes ? ops_load_F(q->request->coordinate[a], q->vector) : v_splat_f32(0.0f);
    q->slice = v_splat_i32(0);
    if (tex_has_layers(key->target)) {
        uint32_t layers = cube ? q->texture->layers / 6 : q->texture->layers;
        q->slice = tex_layer(ops_load_F(q->request->coordinate[axes], q->vector), layers);
        if (cube) q->slice *= 6;
    }
    if (!cube) return;
    q->face = tex_face_of(q->at[0], q->at[1], q->at[2]);
}

OPS_INLINE vi32 tex_offset(const struct tex_lookup *q, unsigned set, unsigned axis)
{
    const struct sch_lanes *offset = q->request->offset[set][axis];
    if (!offset) return v_splat_i32(0);
    return tex_min(tex_max(ops_load_I(offset, q->vector), v_splat_i32(INT16_MIN)), v_splat_i32(INT16_MAX));
}

/* ---- level of detail ---- */

OPS_INLINE void tex_given_derivatives(const struct sch_sampler_key *key, const struct tex_lookup *q,
                                      struct tex_derivatives *d)
{
    const struct sch_sample_request *request = q->request;
    unsigned axes = tex_is_cube(key->target) ? 3 : tex_axes(key->target);
    OPS_UNROLL
    for (unsigned a = 0; a < 3; a++) {
        d->x[a] = a < axes ? ops_load_F(request->ddx[a], q->vector) : v_splat_f32(0.0f);
        d->y[a] = a < axes ? ops_load_F(request->ddy[a], q->vector) : v_splat_f32(0.0f);
    }
    if (!tex_is_cube(key->target)) return;
    vf32 x[2], y[2];
    tex_face_derivative(&q->face, d->x[0], d->x[1], d->x[2], x);
    tex_face_derivative(&q->face, d->y[0], d->y[1], d->y[2], y);
    OPS_UNROLL
    for (unsigned a = 0; a < 2; a++) d->x[a] = x[a], d->y[a] = y[a];
}

OPS_INLINE void tex_implicit_derivatives(const struct sch_sampler_key *key, const struct tex_lookup *q,
                                         struct tex_derivatives *d)
{
    if (!TEX_ASKED(key, q->request, quads)) {
        OPS_UNROLL
        for (unsigned a = 0; a < 3; a++) d->x[a] = d->y[a] = v_splat_f32(0.0f);
        if (!tex_is_cube(key->target)) return;
        /* They are NaN nevertheless for a direction with infinities, or of zeros alone. */
        vf32 zero = v_splat_f32(0.0f), still[2];
        tex_face_derivative(&q->face, zero, zero, zero, still);
        OPS_UNROLL
        for (unsigned a = 0; a < 2; a++) d->x[a] = d->y[a] = still[a];
    } else if (tex_is_cube(key->target)) {
        tex_quad_face_derivatives(&q->face, q->at[0], q->at[1], q->at[2], d);
    } else {
        tex_quad_derivatives(q->at, tex_axes(key->target), d);
    }
}

/* The footprint of lookups whose level follows from derivatives. */
OPS_INLINE void tex_measure(const struct sch_sampler_key *key, struct tex_lookup *q)
{
    struct tex_derivatives d;
    if (TEX_ASKED(key, q->request, lod_mode) == SCH_LOD_GRADIENTS)
        tex_given_derivatives(key, q, &d);
    else
        tex_implicit_derivatives(key, q, &d);
    const struct sch_texture_level *base = &q->texture->level[0];
    float size[3] = {(float)base->width, (float)base->height, (float)base->depth};
    OPS_UNROLL
    for (unsigned a = 0; a < 3 && tex_in_texels(key); a++) size[a] = 1.0f;
    tex_footprint_of(&d, size, tex_axes(key->target), tex_anisotropy_of(key), &q->footprint);
}

/* A footprint's level of detail with what is added to it, before the clamps. */
OPS_INLINE vi32 tex_add_bias(const struct sch_sampler_key *key, const struct tex_lookup *q, vi32 lod)
{
    const struct sch_sample_request *request = q->request;
    const uint8_t mode = TEX_ASKED(key, request, lod_mode);
    lod += tex_lod_of(q->values->lod_bias);
    bool biased = mode == SCH_LOD_BIAS || (mode == SCH_LOD_GRADIENTS && TEX_ASKED(key, request, biased));
    if (biased) lod += tex_lod_fixed(ops_load_F(request->lod, q->vector));
    return lod;
}

/* Before the clamps. */
OPS_SHARED vi32 tex_biased_lod(const struct sch_sampler_key *key, struct tex_lookup *q)
{
    const struct sch_sample_request *request = q->request;
    q->footprint = (struct tex_footprint){.lod = v_splat_i32(0), .taps = v_splat_i32(1)};
    const uint8_t mode = TEX_ASKED(key, request, lod_mode);
    if (mode == SCH_LOD_EXPLICIT)
        q->footprint.lod = tex_lod_fixed(ops_load_F(request->lod, q->vector));
    else if (mode != SCH_LOD_ZERO)
        tex_measure(key, q);
    return tex_add_bias(key, q, q->footprint.lod);
}

OPS_INLINE vi32 tex_clamped_lod(const struct sch_sampler_key *key, const struct tex_lookup *q, vi32 lod)
{
    lod = tex_lod_clamp(lod, q->values);
    lod = tex_max(lod, tex_lod_of(q->texture->min_lod));
    if (TEX_GIVES_MIN_LOD(key, q->request))
        lod = tex_max(lod, tex_lod_fixed(ops_load_F(q->request->min_lod, q->vector)));
    return lod;
}

/* Lanes for which the clamps leave no level of the view: D3D's rules have nothing to look up then. */
OPS_INLINE vi32 tex_hidden(const struct sch_sampler_key *key, const struct tex_lookup *q)
{
    if (key->rules != SCH_RULES_D3D) return v_splat_i32(0);
    const float last = (float)q->texture->levels - 1.0f;
    vi32 hidden = v_splat_i32(-(int32_t)tex_view_is_empty(key, q->texture));
    if (TEX_GIVES_MIN_LOD(key, q->request)) hidden |= (vi32)(ops_load_F(q->request->min_lod, q->vector) > last);
    return hidden;
}

/* The level of detail that a lookup accesses, as a query returns it: within the levels, whole where only one is
 * taken. */
OPS_INLINE vi32 tex_accessed_lod(const struct sch_sampler_key *key, const struct tex_lookup *q, vi32 lod)
{
    lod = tex_min(tex_max(lod, v_splat_i32(0)), v_splat_i32(256 * ((int32_t)q->texture->levels - 1)));
    if (!tex_mip_linear(key)) lod = key->mip == 0 ? v_splat_i32(0) : tex_nearest_level(lod) << 8;
    return lod;
}

#endif
