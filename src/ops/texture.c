/* The texture unit's lookups: how a group's questions are taken apart into level of detail, levels, addresses and
 * filters. State that is constant per sampler and view is in the key, and every branch on state is one on the key, so
 * that constants fold. Works so far on targets 2D and RECT with formats of kind UNORM8; src/texture refuses the rest.
 */
#include "ops/op.h"
#include "ops/tex_address.h"
#include "ops/tex_filter.h"
#include "ops/tex_lod.h"

/* One vector of a sample request. */
struct tex_question {
    const struct sch_sampler_key *key;
    const struct sch_sampler_values *values;
    const struct sch_texture *texture;
    const struct sch_sample_request *request;
    unsigned vector;
    vi32 mask;
    vf32 at[2];
};

OPS_INLINE bool tex_in_texels(const struct sch_sampler_key *key)
{
    return key->unnormalized || key->target == SCH_TARGET_RECT;
}

/* Whether the level of detail changes the result. */
OPS_INLINE bool tex_needs_lod(const struct sch_sampler_key *key)
{
    return key->mip != 0 || key->min_linear != key->mag_linear;
}

/* rho^2 of implicit derivatives (one for a quad: those of its first row and column) or of given ones. */
OPS_INLINE vf32 tex_question_rho2(const struct tex_question *q)
{
    const struct sch_sample_request *request = q->request;
    vf32 dx[2], dy[2];
    if (request->lod_mode != SCH_LOD_GRADIENTS && !request->quads) return v_splat_f32(0.0f);
    for (unsigned i = 0; i < 2; i++) {
        if (request->lod_mode == SCH_LOD_GRADIENTS) {
            dx[i] = ops_load_F(request->ddx[i], q->vector);
            dy[i] = ops_load_F(request->ddy[i], q->vector);
        } else {
            vf32 first = v_quad_0000_f32(q->at[i]);
            dx[i] = v_quad_1111_f32(q->at[i]) - first;
            dy[i] = v_quad_2222_f32(q->at[i]) - first;
        }
    }
    const struct sch_texture_level *base = &q->texture->level[0];
    float width = tex_in_texels(q->key) ? 1.0f : (float)base->width;
    float height = tex_in_texels(q->key) ? 1.0f : (float)base->height;
    return tex_rho2(tex_length2(dx[0], dx[1], width, height), tex_length2(dy[0], dy[1], width, height));
}

/* The level of detail: computed or given, then the sampler's and the instruction's bias, then the clamps. */
OPS_INLINE vi32 tex_question_lod(const struct tex_question *q)
{
    const struct sch_sample_request *request = q->request;
    vi32 lod = v_splat_i32(0);
    if (request->lod_mode == SCH_LOD_EXPLICIT)
        lod = tex_lod_fixed(ops_load_F(request->lod, q->vector));
    else if (request->lod_mode != SCH_LOD_ZERO)
        lod = tex_lod_log2(tex_question_rho2(q));
    lod += tex_lod_of(q->values->lod_bias);
    if (request->lod_mode == SCH_LOD_BIAS) lod += tex_lod_fixed(ops_load_F(request->lod, q->vector));
    return tex_lod_clamp(lod, q->values);
}

OPS_INLINE vi32 tex_offset(const struct tex_question *q, unsigned axis)
{
    const struct sch_lanes *offset = q->request->offset[0][axis];
    if (!offset) return v_splat_i32(0);
    return tex_min(tex_max(ops_load_I(offset, q->vector), v_splat_i32(INT16_MIN)), v_splat_i32(INT16_MAX));
}

/* One level with one filter, for the lanes of the mask; other lanes are undefined. */
OPS_INLINE struct tex_color tex_question_filter(const struct tex_question *q, const struct sch_texture_level *level,
                                                bool linear, vi32 mask)
{
    const uint32_t size[2] = {level->width, level->height};
    struct tex_axis axis[2];
    for (unsigned i = 0; i < 2; i++) {
        struct tex_axis_state state = {.wrap = q->key->wrap[i],
                                       .texels = tex_in_texels(q->key),
                                       .linear = linear,
                                       .size = (int32_t)size[i],
                                       .offset = tex_offset(q, i)};
        axis[i] = tex_address(&state, q->at[i]);
    }
    const struct tex_format *format = &tex_formats[q->key->format];
    return linear ? tex_bilinear(format, q->values, level, axis, mask)
                  : tex_nearest(format, q->values, level, axis, mask);
}

OPS_INLINE void tex_merge(struct tex_color *color, const struct tex_color *other, vi32 mask)
{
    for (unsigned i = 0; i < 4; i++) color->c[i] = v_select_f32(mask, other->c[i], color->c[i]);
}

/* One level; `magnified` lanes take the magnification filter. */
OPS_INLINE void tex_question_level(const struct tex_question *q, const struct sch_texture_level *level, vi32 magnified,
                                   vi32 mask, struct tex_color *color)
{
    if (q->key->min_linear == q->key->mag_linear) {
        struct tex_color all = tex_question_filter(q, level, q->key->mag_linear, mask);
        tex_merge(color, &all, mask);
        return;
    }
    vi32 linear = (q->key->mag_linear ? magnified : ~magnified) & mask;
    vi32 nearest = mask & ~linear;
    if (v_any(linear)) {
        struct tex_color some = tex_question_filter(q, level, true, linear);
        tex_merge(color, &some, linear);
    }
    if (v_any(nearest)) {
        struct tex_color some = tex_question_filter(q, level, false, nearest);
        tex_merge(color, &some, nearest);
    }
}

/* The levels that lanes chose, one after the other. */
OPS_INLINE struct tex_color tex_question_levels(const struct tex_question *q, vi32 level, vi32 magnified, vi32 mask)
{
    struct tex_color color = {{v_splat_f32(0.0f), v_splat_f32(0.0f), v_splat_f32(0.0f), v_splat_f32(0.0f)}};
    if (q->key->mip == 0) {
        tex_question_level(q, &q->texture->level[0], magnified, mask, &color);
        return color;
    }
    for (uint32_t i = 0; i < q->texture->levels; i++) {
        vi32 here = mask & (vi32)(level == (int32_t)i);
        if (v_any(here)) tex_question_level(q, &q->texture->level[i], magnified, here, &color);
    }
    return color;
}

/* a and b mixed by `weight` / 256 of b: fma(b, w, a (1 - w)) within [min(a, b), max(a, b)]. */
OPS_INLINE vf32 tex_mix(vf32 a, vf32 b, vi32 weight)
{
    vf32 w = v_f32_from_i32(weight) * 0x1p-8f;
    vf32 mixed = v_fma_f32(b, w, a * (1.0f - w));
    vf32 low = v_select_f32((vi32)(b < a), b, a), high = v_select_f32((vi32)(b < a), a, b);
    mixed = v_select_f32((vi32)(mixed < low), low, mixed);
    return v_select_f32((vi32)(mixed > high), high, mixed);
}

/* Mip nearest takes level floor(LOD + 1/2); linear floor(LOD) and the next by the fraction; none level 0. */
OPS_INLINE struct tex_color tex_question_mips(const struct tex_question *q, vi32 lod)
{
    vi32 magnified = (vi32)(lod <= 0), zero = v_splat_i32(0), last = v_splat_i32((int32_t)q->texture->levels - 1);
    vi32 level = (q->key->mip == 1 ? lod + 128 : lod) >> 8;
    struct tex_color color = tex_question_levels(q, tex_min(tex_max(level, zero), last), magnified, q->mask);
    if (q->key->mip != 2) return color;
    vi32 weight = lod & 255;
    vi32 between = q->mask & ~magnified & (vi32)(level < last) & (vi32)(weight != 0);
    if (!v_any(between)) return color;
    struct tex_color next = tex_question_levels(q, level + 1, magnified, between);
    for (unsigned i = 0; i < 4; i++)
        color.c[i] = v_select_f32(between, tex_mix(color.c[i], next.c[i], weight), color.c[i]);
    return color;
}

/* The view's swizzle of one result component. */
OPS_INLINE vf32 tex_swizzled(const struct tex_color *color, unsigned entry)
{
    switch (entry) {
    case 0:
        return color->c[0];
    case 1:
        return color->c[1];
    case 2:
        return color->c[2];
    case 3:
        return color->c[3];
    default:
        return tex_constant(entry);
    }
}

OPS_INLINE void tex_store(const struct sch_sampler_key *key, const struct tex_color *color, unsigned vector, vi32 mask,
                          struct sch_lanes *const result[4])
{
    for (unsigned i = 0; i < 4; i++)
        ops_store_U(result[i], vector, 0, v_as_u32(tex_swizzled(color, key->swizzle[i])) & (vu32)mask);
}

OPS_INLINE void tex_store_zero(unsigned vector, struct sch_lanes *const result[4])
{
    for (unsigned i = 0; i < 4; i++) ops_store_U(result[i], vector, 0, v_splat_u32(0));
}

sch_sample_fn OPS_LOCAL(sample);
void OPS_LOCAL(sample)(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                       const struct sch_texture *texture, const struct sch_sample_request *request,
                       struct sch_lanes *const result[4])
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct tex_question q = {key, values, texture, request, v, ops_load_I(request->mask, v), {{0}, {0}}};
        if (texture->levels == 0 || !v_any(q.mask)) {
            tex_store_zero(v, result);
            continue;
        }
        for (unsigned i = 0; i < 2; i++) q.at[i] = ops_load_F(request->coordinate[i], v);
        vi32 lod = tex_needs_lod(key) ? tex_question_lod(&q) : v_splat_i32(0);
        struct tex_color color = tex_question_mips(&q, lod);
        tex_store(key, &color, v, q.mask, result);
    }
}

/* A texel outside the level: 0 everywhere, or by D3D's rules the defaults in components that the format lacks. */
OPS_INLINE struct tex_color tex_outside(const struct sch_sampler_key *key, const struct tex_format *format)
{
    struct tex_color color;
    for (unsigned i = 0; i < 4; i++) {
        bool one = key->rules == SCH_RULES_D3D && format->component[i] == TEX_ONE;
        color.c[i] = v_splat_f32(one ? 1.0f : 0.0f);
    }
    return color;
}

sch_fetch_fn OPS_LOCAL(fetch);
void OPS_LOCAL(fetch)(const struct sch_sampler_key *key, const struct sch_texture *texture,
                      const struct sch_fetch_request *request, struct sch_lanes *const result[4])
{
    const struct tex_format *format = &tex_formats[key->format];
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vi32 mask = ops_load_I(request->mask, v);
        if (texture->levels == 0 || !v_any(mask)) {
            tex_store_zero(v, result);
            continue;
        }
        /* Unsigned texel addresses: the sum wraps, so that anything negative is far outside. */
        vu32 x = ops_load_U(request->coordinate[0], v), y = ops_load_U(request->coordinate[1], v);
        if (request->offset[0]) x += ops_load_U(request->offset[0], v);
        if (request->offset[1]) y += ops_load_U(request->offset[1], v);
        vu32 level = request->level ? ops_load_U(request->level, v) : v_splat_u32(0);
        struct tex_color color = tex_outside(key, format);
        for (uint32_t i = 0; i < texture->levels; i++) {
            const struct sch_texture_level *here = &texture->level[i];
            vi32 inside = mask & (vi32)(level == i) & (vi32)(x < here->width) & (vi32)(y < here->height);
            if (!v_any(inside)) continue;
            struct tex_color texels = tex_decode(format, tex_load(format, here, (vi32)x, (vi32)y, inside));
            tex_merge(&color, &texels, inside);
        }
        tex_store(key, &color, v, mask, result);
    }
}

sch_sample_fn OPS_LOCAL(texture_gather);
void OPS_LOCAL(texture_gather)(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                               const struct sch_texture *texture, const struct sch_sample_request *request,
                               struct sch_lanes *const result[4])
{
    (void)key, (void)values, (void)texture, (void)request;
    for (unsigned v = 0; v < OPS_VECTORS; v++) tex_store_zero(v, result);
}
sch_sample_fn OPS_LOCAL(lod_query);
void OPS_LOCAL(lod_query)(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                          const struct sch_texture *texture, const struct sch_sample_request *request,
                          struct sch_lanes *const result[4])
{
    (void)key, (void)values, (void)texture, (void)request;
    for (unsigned v = 0; v < OPS_VECTORS; v++) tex_store_zero(v, result);
}
sch_image_store_fn OPS_LOCAL(image_store);
void OPS_LOCAL(image_store)(const struct sch_sampler_key *key, const struct sch_texture *texture,
                            const struct sch_image_request *request, const struct sch_lanes *const value[4])
{
    (void)key, (void)value, (void)texture, (void)request;
}
sch_image_texel_fn OPS_LOCAL(image_texel);
void OPS_LOCAL(image_texel)(const struct sch_sampler_key *key, const struct sch_texture *texture,
                            const struct sch_image_request *request, struct sch_lanes *texel)
{
    (void)key, (void)texture, (void)request;
    for (unsigned v = 0; v < OPS_VECTORS; v++) ops_store_U(texel, v, 0, v_splat_u32(0));
}
