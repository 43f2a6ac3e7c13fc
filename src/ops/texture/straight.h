/* One texel a pixel: pairs of vectors whose texels lie in a picture as their pixels do, eight columns of two rows. So
 * they do where a pass reads a picture of its own size. One test shows it for all lanes; then whole rows are loaded,
 * and no index is made, wrapped or gathered. What else there is goes by ops/texture/pair.h or texture.c; the results
 * are the same. Only where state is a constant (SCH_FOLD), with eight lanes. Holds no arithmetic of filters. */
#ifndef SCH_OPS_TEXTURE_STRAIGHT_H
#define SCH_OPS_TEXTURE_STRAIGHT_H

#include "ops/texture/pair.h"
#include "ops/texture/result.h"

/* The vectors from `first` on, which are not straight: a function of its own, whose registers the other does not save
 * (jit/lookup_bodies.c). */
#ifndef TEX_SAMPLE_REST
#define TEX_SAMPLE_REST(values, texture, request, first, result) ((void)(first))
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

/* What the vectors of a group share. */
struct tex_straight {
    vf32 scale[2];   /* from coordinates to 1/256 texels */
    int32_t last[2]; /* the greatest indices at which two vectors may begin */
};

OPS_INLINE struct tex_straight tex_straight_of(const struct sch_sampler_key *key, const struct sch_texture_level *level)
{
    const int32_t size[2] = {(int32_t)level->width, (int32_t)level->height}, extent[2] = {SCH_LANES, 2};
    struct tex_straight straight;
    OPS_UNROLL
    for (unsigned a = 0; a < 2; a++) {
        straight.scale[a] = v_splat_f32((float)(tex_in_texels(key) ? 256 : 256 * size[a]));
        straight.last[a] = size[a] + 1 - extent[a] - (int32_t)tex_pair_width(key);
    }
    return straight;
}

/* Texels of a row, columns 0 to 7, in the order in which tex_straight_quads() takes two rows apart. */
OPS_INLINE vu32 tex_straight_row(const uint8_t *from)
{
    const vu32 row = v_load_u32(from);
    return __builtin_shufflevector(row, row, 0, 1, 4, 5, 2, 3, 6, 7);
}

/* The quads of the first or the second vector. */
OPS_INLINE struct tex_raw tex_straight_quads(unsigned vector, vu32 upper, vu32 lower)
{
    const vu32 quads = vector ? __builtin_shufflevector(upper, lower, 2, 3, 10, 11, 6, 7, 14, 15)
                              : __builtin_shufflevector(upper, lower, 0, 1, 8, 9, 4, 5, 12, 13);
    return (struct tex_raw){{quads}};
}

OPS_INLINE void tex_straight_load(const struct sch_sampler_key *key, const struct sch_texture_level *level,
                                  int32_t left, int32_t top, struct tex_corners corners[TEX_PAIR])
{
    const uint8_t *from = level->texels + (uint64_t)(uint32_t)top * level->row_bytes + (uint32_t)left * 4u;
    const unsigned width = tex_pair_width(key);
    vu32 row[3][2];
    OPS_UNROLL
    for (unsigned i = 0; i <= width; i++) {
        row[i][0] = tex_straight_row(from);
        if (width == 2) row[i][1] = tex_straight_row(from + 4);
        if (tex_joins(key)) v_join_halves_u32(row[i][0], row[i][1], row[i]);
        from += level->row_bytes;
    }
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) OPS_UNROLL
    for (unsigned n = 0; n < width * width; n++)
        corners[v].raw[n] = tex_straight_quads(v, row[n >> 1][n & 1], row[(n >> 1) + 1][n & 1]);
}

/* The weights along an axis of two vectors' second texels, which are `lane` further than that of the first lane, and
 * its index. Lanes of which that is not so get bits of `apart` above those of weights.
 * The sum that holds a position (tex_position_in_float()) decides it where it is that of an index in the level, and the
 * caller looks whether the first and the last one are. Nothing is reduced: a coordinate that is in the level lies there
 * in any period. */
OPS_INLINE int32_t tex_straight_axis(const struct sch_sampler_key *key, vf32 scale, const vf32 u[TEX_PAIR],
                                     const vi32 lane[TEX_PAIR], vu32 weight[TEX_PAIR], vi32 *apart)
{
    const int32_t zero = 0x4b400000 + (tex_min_linear(key) ? 128 : 0);
    vi32 sum[TEX_PAIR];
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) sum[v] = (vi32)v_fma_f32(u[v], scale, v_splat_f32(0x1.8p23f));
    const vi32 begin = (v_splat_i32(sum[0][0]) - zero) & -256;
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) {
        weight[v] = (vu32)(sum[v] - (begin + (lane[v] * 256 + zero)));
        *apart |= (vi32)weight[v];
    }
    return (int32_t)((uint32_t)begin[0] >> 8);
}

/* Whether vectors `first` and the next were looked up; false: they are not straight, or not for all lanes, and nothing
 * is done. */
OPS_INLINE bool tex_straight_pair(const struct sch_sampler_key *key, const struct tex_straight *straight,
                                  const struct sch_sampler_values *values, const struct sch_texture *texture,
                                  const struct sch_sample_request *request, unsigned first,
                                  struct sch_lanes *const result[4])
{
    const struct sch_texture_level *level = &texture->level[0];
    const vi32 column = (v_lane_i32() >> 2) * 2 + (v_lane_i32() & 1), row = v_lane_i32() >> 1 & 1;
    const vi32 lane[2][TEX_PAIR] = {{column, column + SCH_LANES / 2}, {row, row}};
    struct tex_lookup q[TEX_PAIR];
    struct tex_place place[TEX_PAIR];
    struct tex_corners corners[TEX_PAIR];
    int32_t begin[2];
    vi32 apart = v_splat_i32(0);
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) {
        q[v] = tex_lookup_of(values, texture, request, first + v);
        tex_locate(key, &q[v]);
        tex_pair_begin(key, &q[v], level, &place[v]);
    }
    if (!v_all(q[0].mask & q[1].mask)) return false;
    if (key->rules == SCH_RULES_D3D && v_any(tex_hidden(key, &q[0]) | tex_hidden(key, &q[1]))) return false;
    OPS_UNROLL
    for (unsigned a = 0; a < 2; a++) {
        const vf32 u[TEX_PAIR] = {q[0].at[a], q[1].at[a]};
        vu32 weight[TEX_PAIR];
        begin[a] = tex_straight_axis(key, straight->scale[a], u, lane[a], weight, &apart);
        OPS_UNROLL
        for (unsigned v = 0; v < TEX_PAIR; v++) place[v].axis[a].weight = weight[v];
    }
    if (v_any_bit(apart & -256) || begin[0] > straight->last[0] || begin[1] > straight->last[1]) return false;
    tex_straight_load(key, level, begin[0], begin[1], corners);
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) {
        tex_pair_weigh(key, &place[v], &corners[v]);
        const struct tex_texel color = tex_combined(key, &place[v], &corners[v], key->reduction, v_splat_i32(-1));
        tex_store_texel(key, &color, first + v, v_splat_i32(-1), result);
    }
    return true;
}

/* How many vectors of a group were looked up, from the first on. */
OPS_INLINE unsigned tex_straight_sample(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                        const struct sch_texture *texture, const struct sch_sample_request *request,
                                        struct sch_lanes *const result[4])
{
    if (!tex_may_be_straight(key, request) || texture->levels == 0) return 0;
    const struct tex_straight straight = tex_straight_of(key, &texture->level[0]);
    unsigned first = 0;
    OPS_LOOP_VECTORS
    for (; first < OPS_VECTORS; first += TEX_PAIR)
        if (!tex_straight_pair(key, &straight, values, texture, request, first, result)) break;
    return first;
}

#else
OPS_INLINE bool tex_may_be_straight(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    (void)key, (void)request;
    return false;
}
OPS_INLINE unsigned tex_straight_sample(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                        const struct sch_texture *texture, const struct sch_sample_request *request,
                                        struct sch_lanes *const result[4])
{
    (void)key, (void)values, (void)texture, (void)request, (void)result;
    return 0;
}
#endif
#endif
