/* Pictures that are not turned, of any size: groups whose pixels have one position along the first axis in each column
 * and along the second in each row, eight columns of two rows for each pair of vectors, that need nine columns of
 * texels at most. So they do where a rectangle is filled from a picture that is enlarged or of its own size. One test
 * shows it for all lanes; then each row of pixels loads two rows of texels and permutes them as its columns lie. What
 * else there is goes by ops/texture/pair.h or texture.c; the results are the same. Only where state is a constant
 * (SCH_FOLD), with eight lanes. */
#ifndef SCH_OPS_TEXTURE_UPRIGHT_H
#define SCH_OPS_TEXTURE_UPRIGHT_H

#include "ops/texture/straight.h"

#if defined(SCH_FOLD) && defined(V_PERMUTE) && defined(V_FMA_F32) && !defined(SCH_TRACE) && SCH_LANES == 8

/* Whether what tex_pair_takes() may be so: pictures of bytes whose sums are exact. */
OPS_INLINE bool tex_may_be_upright(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    return tex_min_linear(key) && tex_may_be_straight(key, request);
}

/* Where the texels of a pair of vectors are. */
struct tex_upright {
    vi32 column; /* of eight pixels, in the order of tex_straight_quads(), counted from `left` */
    vu32 across; /* what it and the next one weigh */
    int32_t left;
    int32_t row[2];  /* the upper row of texels of both rows of pixels */
    vf32 down[2][2]; /* what it and the lower one weigh */
};

/* The sums that hold the positions of a vector along an axis, as in tex_straight_locate(). Where coordinates repeat,
 * they are counted from the first lane's period, if that is not negative; what is not in it is outside then. The
 * difference is exact: it is not greater than a coordinate that is at least 1, and a multiple of its last place. */
OPS_INLINE vi32 tex_upright_sums(const struct sch_sampler_key *key, const struct sch_texture *texture,
                                 const struct sch_sample_request *request, unsigned a, unsigned vector)
{
    const struct sch_texture_level *level = &texture->level[0];
    const uint32_t size = a ? level->height : level->width;
    vf32 u = ops_load_F(request->coordinate[a], vector);
    if (key->wrap[a] == SCH_WRAP_REPEAT && !tex_in_texels(key)) {
        const vf32 first = v_splat_f32(ops_load_F(request->coordinate[a], 0)[0]);
        u -= v_greater_f32(v_floor_f32(first), v_splat_f32(0.0f));
    }
    return (vi32)v_fma_f32(u, v_splat_f32((float)(tex_in_texels(key) ? 256 : 256 * size)), v_splat_f32(0x1.8p23f));
}

/* Whether the first quad is upright. A group that is not is known by less than what shows that one is. */
OPS_INLINE bool tex_begins_upright(const struct sch_sampler_key *key, const struct sch_texture *texture,
                                   const struct sch_sample_request *request)
{
    const vi32 x = tex_upright_sums(key, texture, request, 0, 0), y = tex_upright_sums(key, texture, request, 1, 0);
    return x[0] == x[2] && y[0] == y[1];
}

/* Bits of the result: lanes do not lie so, or not in the level. */
OPS_INLINE vi32 tex_upright_locate(const struct sch_texture_level *level, const vi32 x[TEX_PAIR],
                                   const vi32 y[TEX_PAIR], struct tex_upright *at)
{
    const int32_t zero = 0x4b400000 + 128; /* position 0; a sum that decides none is one outside of every level */
    const vu32 sums = tex_straight_quads(0, (vu32)x[0], (vu32)x[1]);
    const vi32 rows = __builtin_shufflevector(y[0], y[0], 0, 0, 2, 2, 0, 0, 2, 2);
    vi32 apart = v_splat_i32(0);
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) apart |= (x[v] ^ (vi32)tex_straight_quads(v, sums, sums)) | (y[v] ^ rows);
    const vi32 column = (vi32)sums - zero, row = rows - zero;
    const vu32 across = (vu32)column & 255u;
    const vf32 down = v_f32_from_i32(row & 255);
    at->across = (256u - across) | across << 16;
    OPS_UNROLL
    for (unsigned n = 0; n < 2; n++) {
        at->row[n] = (row >> 8)[2 * n];
        at->down[n][1] = v_splat_f32(down[2 * n]);
        at->down[n][0] = 256.0f - at->down[n][1];
    }
    const vi32 index = column >> 8, last = v_splat_i32((int32_t)level->width - SCH_LANES - 1);
    const vi32 left = tex_min(tex_max(v_splat_i32(index[0]), v_splat_i32(0)), last);
    at->left = left[0];
    at->column = index - left;
    const vi32 bottom = v_splat_i32((int32_t)level->height - 2);
    const vi32 inside = (vi32)v_min_u32((vu32)(row >> 8), (vu32)bottom);
    return apart | (at->column & -SCH_LANES) | (inside ^ (row >> 8));
}

/* The filtered colours of two rows of pixels: sums of rows are mixed as in tex_straight_filter(). */
OPS_INLINE void tex_upright_filter(const struct sch_sampler_key *key, const struct sch_texture_level *level,
                                   const struct tex_upright *at, struct tex_texel color[TEX_PAIR])
{
    vu32 half[2][2][2]; /* [row of pixels][row of texels] */
    OPS_UNROLL
    for (unsigned n = 0; n < 2; n++) {
        const uint8_t *from =
            level->texels + (uint64_t)(uint32_t)at->row[n] * level->row_bytes + (uint32_t)at->left * 4u;
        OPS_UNROLL
        for (unsigned r = 0; r < 2; r++, from += level->row_bytes)
            v_join_halves_u32(v_permute_u32(v_load_u32(from), at->column),
                              v_permute_u32(v_load_u32(from + 4), at->column), half[n][r]);
    }
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const unsigned channel = tex_format_component(tex_format_of(key), key->rules, i);
        vf32 mean[2];
        OPS_UNROLL
        for (unsigned n = 0; n < 2 && channel < TEX_ZERO; n++) {
            const vf32 upper = tex_straight_sum(half[n][0], channel, at->across);
            const vf32 lower = tex_straight_sum(half[n][1], channel, at->across);
            mean[n] = v_over_255_f32(v_fma_f32(lower, at->down[n][1], upper * at->down[n][0]), 0x1p-16f);
        }
        OPS_UNROLL
        for (unsigned v = 0; v < TEX_PAIR; v++)
            color[v].c[i] = channel < TEX_ZERO ? (vf32)tex_straight_quads(v, (vu32)mean[0], (vu32)mean[1])
                                               : v_splat_f32(channel == TEX_ONE ? 1.0f : 0.0f);
    }
}

/* Whether the group was looked up; false: nothing is done. */
OPS_INLINE bool tex_upright_sample(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                   const struct sch_texture *texture, const struct sch_sample_request *request,
                                   struct sch_lanes *const result[4])
{
    const struct sch_texture_level *level = &texture->level[0];
    struct tex_upright at[TEX_PAIRS];
    vi32 x[OPS_VECTORS], y[OPS_VECTORS], apart = v_splat_i32(0);
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const struct tex_lookup q = tex_lookup_of(values, texture, request, v);
        apart |= ~q.mask;
        if (key->rules == SCH_RULES_D3D) apart |= tex_hidden(key, &q);
    }
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        x[v] = tex_upright_sums(key, texture, request, 0, v);
        y[v] = tex_upright_sums(key, texture, request, 1, v);
    }
    OPS_UNROLL
    for (unsigned pair = 0; pair < TEX_PAIRS; pair++)
        apart |= tex_upright_locate(level, &x[pair * TEX_PAIR], &y[pair * TEX_PAIR], &at[pair]);
    if (texture->levels == 0 || level->width <= SCH_LANES || level->height < 2 || v_any_bit(apart)) return false;
    OPS_UNROLL
    for (unsigned pair = 0; pair < TEX_PAIRS; pair++) {
        struct tex_texel color[TEX_PAIR];
        tex_upright_filter(key, level, &at[pair], color);
        OPS_UNROLL
        for (unsigned v = 0; v < TEX_PAIR; v++)
            tex_store_texel(key, &color[v], pair * TEX_PAIR + v, v_splat_i32(-1), result);
    }
    return true;
}

#else
OPS_INLINE bool tex_may_be_upright(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    (void)key, (void)request;
    return false;
}
OPS_INLINE bool tex_begins_upright(const struct sch_sampler_key *key, const struct sch_texture *texture,
                                   const struct sch_sample_request *request)
{
    (void)key, (void)texture, (void)request;
    return false;
}
OPS_INLINE bool tex_upright_sample(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                   const struct sch_texture *texture, const struct sch_sample_request *request,
                                   struct sch_lanes *const result[4])
{
    (void)key, (void)values, (void)texture, (void)request, (void)result;
    return false;
}
#endif
#endif
