/* Volumes looked up along their axes: groups whose pixels have one position along the first axis in each column, along
 * the second in each row, and along the third all the same, eight columns of two rows for each pair of vectors. So they
 * have where a picture goes through a volume slice by slice. One test shows it for all lanes; then rows of texels are
 * weighed along the third axis and the first as they are in memory, once for both rows of pixels. What else there is
 * goes by ops/texture/pair.h or texture.c; the results are the same. Only where state is a constant (SCH_FOLD), with
 * eight lanes. */
#ifndef SCH_OPS_TEXTURE_ALIGNED_H
#define SCH_OPS_TEXTURE_ALIGNED_H

#include "ops/texture/straight.h"

#if defined(SCH_FOLD) && defined(V_PERMUTE) && defined(V_FMA_F32) && !defined(SCH_TRACE) && SCH_LANES == 8

/* Whether what tex_is_paired() may be so: bytes whose sums are exact, and whose indices no offset moves. */
OPS_INLINE bool tex_may_be_aligned(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    return tex_axes(key->target) == 3 && tex_joins(key) && !TEX_ASKED(key, request, offsets);
}

/* Rows of texels that a pair of vectors may need: those of two rows of pixels at most one texel apart, and one more. */
enum { TEX_ALIGNED_ROWS = 3 };

/* Whether the first quad is aligned. A group that is not is known by less than what shows that one is. */
OPS_INLINE bool tex_begins_aligned(const struct sch_sample_request *request)
{
    const vf32 s = ops_load_F(request->coordinate[0], 0), t = ops_load_F(request->coordinate[1], 0);
    const vf32 r = ops_load_F(request->coordinate[2], 0);
    return s[0] == s[2] && t[0] == t[1] && r[0] == r[1] && r[0] == r[2];
}

/* The sums that hold the positions of a vector along an axis, as in tex_straight_locate(). */
OPS_INLINE vi32 tex_aligned_sums(const struct sch_sampler_key *key, const struct sch_sample_request *request,
                                 unsigned a, uint32_t size, unsigned vector)
{
    const vf32 scale = v_splat_f32(tex_in_texels(key) ? 256.0f : (float)(256u * size));
    return (vi32)v_fma_f32(ops_load_F(request->coordinate[a], vector), scale, v_splat_f32(0x1.8p23f));
}

/* Where the texels of a pair of vectors are. */
struct tex_aligned {
    vi32 column;        /* of eight pixels, in the order of tex_straight_row(), counted from `left` */
    vu32 weight;        /* of the next column, likewise */
    int32_t left, top;  /* the first texel of eight columns */
    int32_t rows;       /* of texels */
    int32_t row[2];     /* those of both rows of pixels, in 1/256 texels */
    int32_t slice, far; /* and what the next slice weighs */
};

/* Bits of *apart: lanes do not lie along the axes, or some column is not in the level or not among the eight. False:
 * rows or slices are not. */
OPS_INLINE bool tex_aligned_locate(const struct sch_sampler_key *key, const struct sch_sample_request *request,
                                   const struct sch_texture_level *level, unsigned first, struct tex_aligned *at,
                                   vi32 *apart)
{
    const int32_t zero = 0x4b400000 + 128; /* position 0; a sum that decides none is one outside of every level */
    vi32 x[TEX_PAIR], y[TEX_PAIR], z[TEX_PAIR];
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) {
        x[v] = tex_aligned_sums(key, request, 0, level->width, first + v);
        y[v] = tex_aligned_sums(key, request, 1, level->height, first + v);
        z[v] = tex_aligned_sums(key, request, 2, level->depth, first + v);
    }
    const vu32 columns = tex_straight_quads(0, (vu32)x[0], (vu32)x[1]);
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) {
        *apart |= x[v] ^ (vi32)tex_straight_quads(v, columns, columns);
        *apart |= y[v] ^ __builtin_shufflevector(y[0], y[0], 0, 0, 2, 2, 0, 0, 2, 2);
        *apart |= z[v] ^ z[0][0];
        at->row[v] = y[0][2 * v] - zero;
    }
    at->slice = (z[0][0] - zero) >> 8, at->far = (z[0][0] - zero) & 255;
    const bool down = at->row[0] <= at->row[1];
    at->top = at->row[!down] >> 8, at->rows = (at->row[down] >> 8) + 2 - at->top;
    const vi32 position = (vi32)columns - zero, index = position >> 8;
    const vi32 right = v_splat_i32((int32_t)level->width - SCH_LANES);
    const vi32 left = tex_min(tex_max(tex_min(v_splat_i32(index[0]), v_splat_i32(index[7])), v_splat_i32(0)), right);
    at->left = left[0];
    at->column = index - left;
    at->weight = (vu32)position & 255u;
    *apart |= (at->column | (at->column + 1)) & -SCH_LANES;
    return at->top >= 0 && at->rows <= TEX_ALIGNED_ROWS && at->top + at->rows <= (int32_t)level->height &&
           (uint32_t)at->slice < level->depth - 1;
}

/* A row of texels of two slices, a quarter of it for each component: bytes weighed along the third axis, below 2^16,
 * and then along the first, below 2^24. Halves are multiplied as signed ones, less 2^15. */
OPS_INLINE void tex_aligned_row(const struct sch_sampler_key *key, const struct tex_aligned *at, const uint8_t *from,
                                uint64_t slice_bytes, vu32 row[4])
{
    const vu32 texels[2] = {v_load_u32(from), v_load_u32(from + slice_bytes)};
    const vu32 far = v_splat_u32((uint32_t)at->far * 0x10001u);
    const vu32 near = v_splat_u32((uint32_t)(256 - at->far) * 0x10001u);
    const vu32 across = (256u - at->weight) | at->weight << 16;
    vu32 half[2][2]; /* of the odd bytes and the even ones: each byte's of both columns */
    OPS_UNROLL
    for (unsigned odd = 0; odd < 2; odd++) {
        vu32 bytes[2];
        OPS_UNROLL
        for (unsigned i = 0; i < 2; i++) bytes[i] = texels[i] >> odd * 8 & 0x00ff00ffu;
        const vu32 sum = v_add_halves_u32(v_mul_halves_u32(bytes[0], near), v_mul_halves_u32(bytes[1], far));
        v_permute_halves_u32(sum ^ 0x80008000u, at->column, half[odd]);
    }
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const unsigned channel = tex_format_component(tex_format_of(key), key->rules, i);
        row[i] = v_splat_u32(0);
        if (channel < TEX_ZERO)
            row[i] = (vu32)v_dot_halves_i32(half[channel & 1][channel >> 1 & 1], across) + (1u << 23);
    }
}

/* A row of pixels from the rows above and below it. */
OPS_INLINE void tex_aligned_pixels(const struct sch_sampler_key *key, const vu32 rows[2][4], uint32_t weight,
                                   struct tex_texel *mean)
{
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const unsigned channel = tex_format_component(tex_format_of(key), key->rules, i);
        mean->c[i] = v_splat_f32(channel == TEX_ONE ? 1.0f : 0.0f);
        if (channel < TEX_ZERO)
            mean->c[i] = v_wide_over_255_f32(rows[0][i] * (256u - weight) + rows[1][i] * weight, 0x1p-24f);
    }
}

/* Whether the group was looked up; false: it is not aligned, or not for all lanes, and nothing is done. */
OPS_INLINE bool tex_aligned_sample(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                   const struct sch_texture *texture, const struct sch_sample_request *request,
                                   struct sch_lanes *const result[4])
{
    const struct sch_texture_level *level = &texture->level[0];
    struct tex_aligned at[TEX_PAIRS];
    vi32 apart = v_splat_i32(0);
    bool fits = texture->levels != 0 && tex_pair_fits(key, level);
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const struct tex_lookup q = tex_lookup_of(values, texture, request, v);
        apart |= ~q.mask;
        if (key->rules == SCH_RULES_D3D) apart |= tex_hidden(key, &q);
    }
    OPS_UNROLL
    for (unsigned pair = 0; pair < TEX_PAIRS; pair++)
        fits &= tex_aligned_locate(key, request, level, pair * TEX_PAIR, &at[pair], &apart);
    if (!fits || v_any_bit(apart)) return false;
    OPS_LOOP_VECTORS
    for (unsigned pair = 0; pair < TEX_PAIRS; pair++) {
        const struct tex_aligned *here = &at[pair];
        const uint8_t *from = level->texels + (uint64_t)(uint32_t)here->slice * level->slice_bytes +
                              (uint64_t)(uint32_t)here->top * level->row_bytes + (uint32_t)here->left * 4u;
        vu32 row[TEX_ALIGNED_ROWS][4];
        OPS_LOOP_VECTORS
        for (int32_t n = 0; n < here->rows; n++, from += level->row_bytes)
            tex_aligned_row(key, here, from, level->slice_bytes, row[n]);
        struct tex_texel mean[2];
        OPS_UNROLL
        for (unsigned i = 0; i < 2; i++)
            tex_aligned_pixels(key, &row[(here->row[i] >> 8) - here->top], (uint32_t)here->row[i] & 255u, &mean[i]);
        OPS_UNROLL
        for (unsigned v = 0; v < TEX_PAIR; v++) {
            struct tex_texel color;
            OPS_UNROLL
            for (unsigned i = 0; i < 4; i++)
                color.c[i] = (vf32)tex_straight_quads(v, (vu32)mean[0].c[i], (vu32)mean[1].c[i]);
            tex_store_texel(key, &color, pair * TEX_PAIR + v, v_splat_i32(-1), result);
        }
    }
    return true;
}

#else
OPS_INLINE bool tex_may_be_aligned(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    (void)key, (void)request;
    return false;
}
OPS_INLINE bool tex_begins_aligned(const struct sch_sample_request *request)
{
    (void)request;
    return false;
}
OPS_INLINE bool tex_aligned_sample(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                   const struct sch_texture *texture, const struct sch_sample_request *request,
                                   struct sch_lanes *const result[4])
{
    (void)key, (void)values, (void)texture, (void)request, (void)result;
    return false;
}
#endif
#endif
