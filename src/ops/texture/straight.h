/* One texel a pixel: groups whose texels lie in a picture as their pixels do, eight columns of two rows for each pair
 * of vectors, and have the same weights if they are filtered. So they do where a pass reads a picture of its own size.
 * One test shows it for all lanes; then whole rows are loaded, and no index is made, wrapped or gathered. What else
 * there is goes by ops/texture/pair.h or texture.c; the results are the same. Only where state is a constant
 * (SCH_FOLD), with eight lanes. */
#ifndef SCH_OPS_TEXTURE_STRAIGHT_H
#define SCH_OPS_TEXTURE_STRAIGHT_H

#include "ops/texture/pair.h"
#include "ops/texture/result.h"

/* Groups that are not straight: a function of its own, whose registers the other does not save (jit/lookup_bodies.c).
 */
#ifndef TEX_SAMPLE_REST
#define TEX_SAMPLE_REST(values, texture, request, result) ((void)0)
#endif

#if defined(SCH_FOLD) && defined(V_PERMUTE) && defined(V_FMA_F32) && !defined(SCH_TRACE) && SCH_LANES == 8

/* Whether what tex_pair_takes() may be so: words of a picture, whose indices no offset moves, and which are little code
 * to filter. */
OPS_INLINE bool tex_may_be_straight(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    if (tex_format_of(key)->flags & TEX_SRGB || (tex_min_linear(key) && !tex_joins(key))) return false;
    return tex_axes(key->target) == 2 && !tex_has_layers(key->target) && tex_pair_may_have_rows(key) &&
           !TEX_ASKED(key, request, offsets);
}

enum { TEX_PAIRS = OPS_VECTORS / TEX_PAIR };

/* Where the lanes of a group lie along an axis. */
struct tex_straight_axis {
    int32_t begin[TEX_PAIRS]; /* the first texel of each pair of vectors */
    uint32_t weight;          /* of every lane's second texel */
    vi32 apart;               /* not zero: lanes do not lie as their pixels do, or not in the level */
};

/* The lanes of two vectors are `lane` texels further than the first lane, which is at most at `last`; where they are
 * filtered, they have one weight. The sum that holds a position (tex_position_in_float()) decides it where it is that
 * of an index in the level, as those of the first and the last lane are then. Nothing is reduced: a coordinate that is
 * in the level lies there in any period. All is values and nothing branches, so that what several lookups have in
 * common is computed once. */
OPS_INLINE void tex_straight_locate(const struct sch_sampler_key *key, const struct sch_sample_request *request,
                                    unsigned a, int32_t size, int32_t last, const vi32 lane[TEX_PAIR],
                                    struct tex_straight_axis *axis)
{
    const vf32 scale = v_splat_f32((float)(tex_in_texels(key) ? 256 : 256 * size));
    const int32_t same = tex_min_linear(key) ? -1 : -256, zero = 0x4b400000 + (tex_min_linear(key) ? 128 : 0);
    const vu32 most = v_splat_u32((uint32_t)last * 256u + 255u);
    vi32 first[TEX_PAIRS];
    axis->apart = v_splat_i32(last < 0 ? -1 : 0);
    OPS_UNROLL
    for (unsigned pair = 0; pair < TEX_PAIRS; pair++) {
        vi32 sum[TEX_PAIR];
        OPS_UNROLL
        for (unsigned v = 0; v < TEX_PAIR; v++) {
            const vf32 u = ops_load_F(request->coordinate[a], pair * TEX_PAIR + v);
            sum[v] = (vi32)v_fma_f32(u, scale, v_splat_f32(0x1.8p23f));
        }
        first[pair] = v_splat_i32(sum[0][0]) & same;
        const vu32 at = (vu32)(first[pair] - zero);
        axis->apart |= (vi32)(at ^ v_min_u32(at, most));
        OPS_UNROLL
        for (unsigned v = 0; v < TEX_PAIR; v++) axis->apart |= sum[v] - (first[pair] + lane[v] * 256);
        if (tex_min_linear(key)) axis->apart |= (first[pair] - first[0]) & 255;
        axis->begin[pair] = (int32_t)(at[0] >> 8);
    }
    axis->apart &= same;
    axis->weight = (uint32_t)(first[0][0] - zero) & 255u;
}

/* Texels of a row, columns 0 to 7, in the order in which tex_straight_quads() takes two rows apart. */
OPS_INLINE vu32 tex_straight_row(const uint8_t *from)
{
    const vu32 row = v_load_u32(from);
    return __builtin_shufflevector(row, row, 0, 1, 4, 5, 2, 3, 6, 7);
}

/* The quads of the first or the second vector. */
OPS_INLINE vu32 tex_straight_quads(unsigned vector, vu32 upper, vu32 lower)
{
    return vector ? __builtin_shufflevector(upper, lower, 2, 3, 10, 11, 6, 7, 14, 15)
                  : __builtin_shufflevector(upper, lower, 0, 1, 8, 9, 4, 5, 12, 13);
}

/* What a texel beside the others weighs, and the one below: near and far. */
struct tex_straight_weights {
    vu32 across; /* halves of each word */
    vf32 down[2];
};

/* A channel of a row of texels and the next ones, joined, weighed: below 2^16. */
OPS_INLINE vf32 tex_straight_sum(const vu32 half[2], unsigned channel, vu32 across)
{
    return v_f32_from_i32(v_dot_halves_i32(half[channel / 2] >> (channel & 1) * 8 & 0x00ff00ffu, across));
}

/* The filtered colours of two rows of pixels. Sums of rows are below 2^16, and those of two, below 2^24, are exact
 * floats as their parts are: what ops/texture/filter.h makes of bytes (tex_exact()). */
OPS_INLINE void tex_straight_filter(const struct sch_sampler_key *key, const uint8_t *from, uint64_t row_bytes,
                                    const struct tex_straight_weights *weights, struct tex_texel color[TEX_PAIR])
{
    vu32 half[3][2];
    OPS_UNROLL
    for (unsigned i = 0; i < 3; i++, from += row_bytes)
        v_join_halves_u32(tex_straight_row(from), tex_straight_row(from + 4), half[i]);
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const unsigned channel = tex_format_component(tex_format_of(key), key->rules, i);
        vf32 row[3], mean[2];
        OPS_UNROLL
        for (unsigned r = 0; r < 3 && channel < TEX_ZERO; r++)
            row[r] = tex_straight_sum(half[r], channel, weights->across);
        OPS_UNROLL
        for (unsigned r = 0; r < 2 && channel < TEX_ZERO; r++)
            mean[r] = v_over_255_f32(v_fma_f32(row[r + 1], weights->down[1], row[r] * weights->down[0]), 0x1p-16f);
        OPS_UNROLL
        for (unsigned v = 0; v < TEX_PAIR; v++)
            color[v].c[i] = channel < TEX_ZERO ? (vf32)tex_straight_quads(v, (vu32)mean[0], (vu32)mean[1])
                                               : v_splat_f32(channel == TEX_ONE ? 1.0f : 0.0f);
    }
}

/* Those of texels that are not filtered. */
OPS_INLINE void tex_straight_take(const struct sch_sampler_key *key, const struct tex_lookup *q,
                                  const struct sch_texture_level *level, const uint8_t *from,
                                  struct tex_texel color[TEX_PAIR])
{
    const vu32 upper = tex_straight_row(from), lower = tex_straight_row(from + level->row_bytes);
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) {
        struct tex_place place;
        struct tex_corners corners;
        tex_pair_begin(key, &q[v], level, &place);
        corners.raw[0] = (struct tex_raw){{tex_straight_quads(v, upper, lower)}};
        corners.x[0] = corners.y[0] = corners.z[0] = corners.border[0] = corners.missing[0] = v_splat_i32(0);
        corners.weight[0] = v_splat_u32(1);
        color[v] = tex_combined(key, &place, &corners, key->reduction, v_splat_i32(-1));
    }
}

/* Whether the first two pixels are about one texel apart. A group where they are not is seldom straight, and is known
 * by less than what shows that one is. */
OPS_INLINE bool tex_begins_straight(const struct sch_sampler_key *key, const struct sch_texture *texture,
                                    const struct sch_sample_request *request)
{
    const float size[2] = {(float)texture->level[0].width, (float)texture->level[0].height};
    float step[2];
    OPS_UNROLL
    for (unsigned a = 0; a < 2; a++) {
        const vf32 at = ops_load_F(request->coordinate[a], 0);
        step[a] = (at[1] - at[0]) * (tex_in_texels(key) ? 1.0f : size[a]);
    }
    return step[0] > 0.99f && step[0] < 1.01f && step[1] > -0.01f && step[1] < 0.01f;
}

/* Whether the group was looked up; false: it is not straight, or not for all lanes, and nothing is done. */
OPS_INLINE bool tex_straight_sample(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                    const struct sch_texture *texture, const struct sch_sample_request *request,
                                    struct sch_lanes *const result[4])
{
    const struct sch_texture_level *level = &texture->level[0];
    const vi32 column = (v_lane_i32() >> 2) * 2 + (v_lane_i32() & 1), row = v_lane_i32() >> 1 & 1;
    const vi32 lane[2][TEX_PAIR] = {{column, column + SCH_LANES / 2}, {row, row}};
    const int32_t size[2] = {(int32_t)level->width, (int32_t)level->height}, extent[2] = {SCH_LANES, 2};
    struct tex_lookup q[OPS_VECTORS];
    struct tex_straight_axis axis[2];
    vi32 apart = v_splat_i32(0);
    if (!tex_may_be_straight(key, request)) return false;
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        q[v] = tex_lookup_of(values, texture, request, v);
        apart |= ~q[v].mask;
        if (key->rules == SCH_RULES_D3D) apart |= tex_hidden(key, &q[v]);
    }
    OPS_UNROLL
    for (unsigned a = 0; a < 2; a++) {
        const int32_t last = texture->levels ? size[a] + 1 - extent[a] - (int32_t)tex_pair_width(key) : -1;
        tex_straight_locate(key, request, a, size[a], last, lane[a], &axis[a]);
        apart |= axis[a].apart;
    }
    if (v_any_bit(apart)) return false;
    const float down = (float)axis[1].weight;
    const struct tex_straight_weights weights = {.across = v_splat_u32((256u - axis[0].weight) | axis[0].weight << 16),
                                                 .down = {v_splat_f32(256.0f - down), v_splat_f32(down)}};
    OPS_UNROLL
    for (unsigned pair = 0; pair < TEX_PAIRS; pair++) {
        const uint8_t *from = level->texels + (uint64_t)(uint32_t)axis[1].begin[pair] * level->row_bytes +
                              (uint32_t)axis[0].begin[pair] * 4u;
        struct tex_texel color[TEX_PAIR];
        if (tex_min_linear(key))
            tex_straight_filter(key, from, level->row_bytes, &weights, color);
        else
            tex_straight_take(key, &q[pair * TEX_PAIR], level, from, color);
        OPS_UNROLL
        for (unsigned v = 0; v < TEX_PAIR; v++)
            tex_store_texel(key, &color[v], pair * TEX_PAIR + v, v_splat_i32(-1), result);
    }
    return true;
}

#else
OPS_INLINE bool tex_may_be_straight(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    (void)key, (void)request;
    return false;
}
OPS_INLINE bool tex_begins_straight(const struct sch_sampler_key *key, const struct sch_texture *texture,
                                    const struct sch_sample_request *request)
{
    (void)key, (void)texture, (void)request;
    return false;
}
OPS_INLINE bool tex_straight_sample(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                    const struct sch_texture *texture, const struct sch_sample_request *request,
                                    struct sch_lanes *const result[4])
{
    (void)key, (void)values, (void)texture, (void)request, (void)result;
    return false;
}
#endif
#endif
