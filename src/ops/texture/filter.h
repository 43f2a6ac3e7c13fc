/* From the texels of one level to one colour: which texels a footprint has and what they weigh, and the ways to combine
 * them: exact sums, mixing, comparison, minimum and maximum. Holds no addressing (ops/texture/address.h,
 * ops/texture/cube.h), no decoding (ops/texture/decode.h) and no choice of level (texture.c). docs/texture.md,
 * "Filtering". */
#ifndef SCH_OPS_TEXTURE_FILTER_H
#define SCH_OPS_TEXTURE_FILTER_H

#include "ops/texture/address.h"
#include "ops/texture/cube.h"
#include "ops/texture/key.h"
#include "ops/texture/rows.h"
#include "ops/texture/trace.h"

enum { TEX_CORNERS = 8 };

/* One filtering: a level, the indices along its axes, and what state it needs. */
struct tex_place {
    const struct sch_sampler_values *values;
    const struct sch_texture_level *level;
    struct tex_axis axis[3];
    vi32 slice;   /* layer; cubes: of the cube's first face */
    vi32 face;    /* of cubes */
    int32_t near; /* truth: tex_is_near() */
    struct sch_texel_tiles *tiles;
    vf32 reference;
};

/* Texel n is at axis.index[bit a of n] along axis a. */
struct tex_corners {
    struct tex_raw raw[TEX_CORNERS]; /* 0 where border or missing; those of n and n + 1 joined where tex_joins() */
    vi32 x[TEX_CORNERS], y[TEX_CORNERS], z[TEX_CORNERS];
    vi32 border[TEX_CORNERS];
    vu32 weight[TEX_CORNERS];  /* sum: 256 to the number of axes */
    vi32 missing[TEX_CORNERS]; /* the corner of a seamless cube */
};

/* Whether bytes are filtered in integers. */
OPS_INLINE bool tex_sums_bytes(const struct sch_sampler_key *key)
{
    return tex_axes(key->target) >= 2 && tex_corner_count(key) > 1 && tex_is_unorm8(tex_format_of(key));
}

/* Whether neighbours' words are read as tex_byte_sums() takes them: v_join_halves_u32(). */
OPS_INLINE bool tex_joins(const struct sch_sampler_key *key)
{
#ifdef SCH_TRACE
    (void)key;
    return false;
#else
    return tex_sums_bytes(key) && !key->compare && key->reduction == SCH_REDUCTION_AVERAGE;
#endif
}

/* Texels n and n + 1, the other way of the two. */
OPS_INLINE void tex_join_pair(struct tex_raw raw[2])
{
    vu32 half[2];
    v_join_halves_u32(raw[0].word[0], raw[1].word[0], half);
    OPS_UNROLL
    for (unsigned n = 0; n < 2; n++) raw[n].word[0] = half[n];
}

/* Where corner n lies if it is on its own face; all but its texel. */
OPS_SHARED void tex_corner(const struct sch_sampler_key *key, const struct tex_place *place, unsigned n,
                           struct tex_corners *corners)
{
    const struct tex_axis *axis = place->axis;
    vu32 weight = v_splat_u32(1);
    vi32 index[3] = {{0}}, outside[3] = {{0}}, none = v_splat_i32(0);
    OPS_UNROLL
    for (unsigned a = 0; a < tex_axes(key->target); a++) {
        unsigned side = n >> a & 1;
        index[a] = axis[a].index[side];
        outside[a] = axis[a].outside[side];
        weight *= side ? axis[a].weight : 256u - axis[a].weight;
    }
    corners->x[n] = index[0];
    corners->y[n] = index[1];
    corners->z[n] = tex_axes(key->target) == 3 ? index[2] : place->slice;
    if (tex_seamless(key)) corners->z[n] += place->face;
    corners->weight[n] = weight;
    corners->border[n] = tex_seamless(key) ? none : outside[0] | outside[1] | outside[2];
    corners->missing[n] = none;
}

/* Corner n of a seamless cube where some lane's texels are not all on their face. */
OPS_SHARED void tex_corner_across(const struct tex_place *place, unsigned n, struct tex_corners *corners)
{
    vi32 face = place->face;
    corners->missing[n] = place->axis[0].outside[n & 1] & place->axis[1].outside[n >> 1];
    tex_face_neighbour(&face, &corners->x[n], &corners->y[n], (int32_t)place->level->width);
    corners->z[n] = place->slice + face;
}

/* The lanes with a texel outside of the level, or of a seamless cube's face. */
OPS_INLINE vi32 tex_leaves(const struct sch_sampler_key *key, const struct tex_place *place)
{
    vi32 leaves = v_splat_i32(0);
    OPS_UNROLL
    for (unsigned a = 0; a < tex_axes(key->target); a++)
        leaves |= place->axis[a].outside[0] | place->axis[a].outside[1];
    return leaves;
}

/* Whether corners may be read together: texels of one word each in two axes or three, in a level that is near. */
OPS_INLINE bool tex_has_neighbours(const struct sch_sampler_key *key, const struct tex_place *place, unsigned count)
{
    const struct tex_format *format = tex_format_of(key);
    return count >= 4 && format->bytes == 4 && format->block_width == 1 && place->near;
}

/* Where corners n and n + 1 are neighbours in memory, for all lanes: how far from the first pair the others are, in
 * rows and slices, in which all lanes agree. */
struct tex_pairs {
    int32_t row, slice;
};

/* Whether they are, and lie in the level. Here and below: not called where lanes leave the face of a seamless cube. */
OPS_INLINE bool tex_in_pairs(const struct sch_sampler_key *key, const struct tex_place *place, unsigned count,
                             struct tex_pairs *pairs)
{
    const struct tex_axis *axis = place->axis;
    bool large = count >= 4 && tex_is_large(tex_format_of(key)) && place->near;
    *pairs = (struct tex_pairs){.row = 1, .slice = 1};
    if (!large && !tex_has_neighbours(key, place, count)) return false;
    if (tex_seamless(key)) return true;
    vi32 apart = (axis[0].index[1] - axis[0].index[0] - 1) | tex_leaves(key, place);
    vi32 row = axis[1].index[1] - axis[1].index[0];
    pairs->row = row[0];
    apart |= row ^ row[0];
    if (tex_axes(key->target) == 3) {
        vi32 slice = axis[2].index[1] - axis[2].index[0];
        pairs->slice = slice[0];
        apart |= slice ^ slice[0];
    }
    return !v_any_bit(apart);
}

/* Reads them: `slice` is that of corner 0. One vector of offsets serves them all. */
OPS_INLINE void tex_corners_load_pairs(const struct sch_sampler_key *key, const struct tex_place *place,
                                       const struct tex_pairs *pairs, unsigned count, vi32 slice, bool joined,
                                       struct tex_corners *corners)
{
    const struct sch_texture_level *level = place->level;
    const vi32 x = place->axis[0].index[0], y = place->axis[1].index[0];
    OPS_UNROLL
    for (unsigned n = 0; n < count; n += 2) {
        const uint8_t *from = level->texels;
        if (n & 2) from += pairs->row * (int64_t)level->row_bytes;
        if (n & 4) from += pairs->slice * (int64_t)level->slice_bytes;
        tex_texel_load_pair(tex_format_of(key), level, from, x, y, slice, &corners->raw[n]);
        if (joined) tex_join_pair(&corners->raw[n]);
    }
}

#ifdef V_PERMUTE
/* Texels n and n + 1 of a row of corners from words `index` and the next, counted from the first of two rows of
 * memory. */
OPS_INLINE void tex_corners_permute(bool joined, vu32 upper, vu32 lower, vi32 index, struct tex_raw raw[2])
{
    vu32 word[2];
    v_permute2_pairs_u32(upper, lower, index, word);
    if (joined) v_permute2_halves_u32(upper, lower, index, word);
    OPS_UNROLL
    for (unsigned n = 0; n < 2; n++) raw[n] = (struct tex_raw){{word[n]}};
}

/* Where the corners of all lanes lie in three rows as wide as the vector, which begin a little before the first lane's:
 * reads the rows. So they do in pictures of textures that are neither turned nor made much smaller. */
OPS_INLINE bool tex_corners_load_rows(const struct sch_sampler_key *key, const struct tex_place *place, unsigned count,
                                      bool joined, struct tex_corners *corners)
{
    const struct tex_axis *axis = place->axis;
    const struct sch_texture_level *level = place->level;
    if (tex_is_cube(key->target)) return false; /* directions bend: pictures are hardly ever so */
    if (!tex_has_neighbours(key, place, count) || level->width < SCH_LANES || level->height < 3) return false;
    const int32_t left = tex_row_begin(axis[0].index[0][0] - SCH_LANES / 8, (int32_t)level->width - SCH_LANES);
    const int32_t top = tex_row_begin(axis[1].index[0][0], (int32_t)level->height - 3);
    vi32 x = axis[0].index[0] - left, y = axis[1].index[0] - top;
    vi32 bad = tex_outside_rows(x | (x + 1), y) | tex_leaves(key, place);
    OPS_UNROLL
    for (unsigned a = 0; a < 2; a++) bad |= axis[a].index[1] - axis[a].index[0] - 1;
    OPS_UNROLL
    for (unsigned n = 0; n < count; n += 4) bad |= corners->z[n] ^ corners->z[n][0];
    if (v_any_bit(bad)) return false;
    vi32 index = x + y * SCH_LANES;
    OPS_UNROLL
    for (unsigned n = 0; n < count; n += 2) {
        const uint8_t *from = level->texels + (uint32_t)corners->z[n][0] * level->slice_bytes +
                              ((uint32_t)top + (n >> 1 & 1)) * (uint64_t)level->row_bytes + (uint32_t)left * 4u;
        tex_corners_permute(joined, v_load_u32(from), v_load_u32(from + level->row_bytes), index, &corners->raw[n]);
    }
    return true;
}

#else
OPS_INLINE bool tex_corners_load_rows(const struct sch_sampler_key *key, const struct tex_place *place, unsigned count,
                                      bool joined, struct tex_corners *corners)
{
    (void)key, (void)place, (void)count, (void)joined, (void)corners;
    return false;
}
#endif

#if defined(V_PERMUTE) && SCH_LANES == 16
OPS_INLINE vi32 tex_quad_least(vi32 v)
{
    v = tex_min(v, v_quad_1032_i32(v));
    return tex_min(v, v_quad_2301_i32(v));
}

/* Where all corners of each quad lie in one block of 4 by 4 texels (of each slice), and within the level: reads the
 * blocks row by row. */
OPS_INLINE bool tex_corners_load_blocks(const struct sch_sampler_key *key, const struct tex_place *place,
                                        unsigned count, bool joined, struct tex_corners *corners)
{
    const struct tex_axis *axis = place->axis;
    const struct sch_texture_level *level = place->level;
    if (!tex_has_neighbours(key, place, count) || level->width < 4 || level->height < 4) return false;
    vi32 left = tex_min(tex_quad_least(axis[0].index[0]), v_splat_i32((int32_t)level->width - 4));
    vi32 top = tex_min(tex_quad_least(axis[1].index[0]), v_splat_i32((int32_t)level->height - 4));
    vi32 x = axis[0].index[0] - left, y = axis[1].index[0] - top;
    vi32 bad = (vi32)((vu32)x > 2u) | (vi32)((vu32)y > 2u);
    OPS_UNROLL
    for (unsigned a = 0; a < 2; a++) bad |= (vi32)(axis[a].index[1] - axis[a].index[0] != 1);
    if (!tex_seamless(key)) bad |= tex_leaves(key, place);
    OPS_UNROLL
    for (unsigned n = 0; n < count; n += 4) bad |= (vi32)(corners->z[n] != v_quad_0000_i32(corners->z[n]));
    if (v_any(bad)) return false;
    vi32 at = top * (int32_t)level->row_bytes + left * 4, index = x + (v_lane_i32() & ~3);
    vi32 last = (vi32)(y == 2), near = index + (y & 1) * SCH_LANES;
    OPS_UNROLL
    for (unsigned n = 0; n < count; n += 4) {
        vi32 slice = at + corners->z[n] * (int32_t)level->slice_bytes;
        vu32 row[4];
        OPS_UNROLL
        for (unsigned i = 0; i < 4; i++) {
            row[i] = v_quad_load_u32(level->texels + (size_t)i * level->row_bytes, slice);
        }
        OPS_UNROLL
        for (unsigned i = 0; i < 2; i++) {
            struct tex_raw *raw = &corners->raw[n + 2 * i];
            vu32 word[2] = {v_permute_u32(row[i + 2], index), v_permute_u32(row[i + 2], index + 1)};
            if (joined) v_permute_halves_u32(row[i + 2], index, word);
            tex_corners_permute(joined, row[i], row[i + 1], near, raw);
            OPS_UNROLL
            for (unsigned k = 0; k < 2; k++) raw[k].word[0] = v_select_u32(last, word[k], raw[k].word[0]);
        }
    }
    return true;
}
#else
OPS_INLINE bool tex_corners_load_blocks(const struct sch_sampler_key *key, const struct tex_place *place,
                                        unsigned count, bool joined, struct tex_corners *corners)
{
    (void)key, (void)place, (void)count, (void)joined, (void)corners;
    return false;
}
#endif

/* In levels that caches do not hold, where the next group's texels will probably be: as far on as two vectors of a
 * picture are from each other, seen from the first two quads. Two rows of each quad; a guess only costs time. */
OPS_INLINE void tex_prefetch(const struct sch_sampler_key *key, const struct tex_place *place)
{
#if SCH_LANES >= 8
    enum { LARGE = 1 << 23 };
    const struct sch_texture_level *level = place->level;
    const uint64_t bytes = (tex_is_cube(key->target) ? 6 : 1) * level->slice_bytes;
    if (tex_axes(key->target) != 2 || !place->near || bytes < LARGE || tex_is_block(tex_format_of(key))) return;
    vi32 slice = place->slice;
    if (tex_seamless(key)) slice += place->face;
    vi32 at = place->axis[1].index[0] * (int32_t)level->row_bytes +
              place->axis[0].index[0] * tex_format_of(key)->bytes + slice * (int32_t)level->slice_bytes;
    int64_t ahead = (int64_t)(SCH_GROUP_LANES / 4) * (at[4] - at[0]);
    OPS_UNROLL
    for (unsigned quad = 0; quad < SCH_LANES / 4; quad++) {
        v_prefetch(level->texels, at[4 * quad] + ahead);
        v_prefetch(level->texels, at[4 * quad] + ahead + level->row_bytes);
    }
#else
    (void)key, (void)place;
#endif
}

/* The only corner, where no lane leaves the level. */
OPS_INLINE bool tex_corner_load_rows(const struct sch_sampler_key *key, const struct tex_place *place,
                                     struct tex_corners *corners)
{
    if (tex_axes(key->target) < 2 || tex_is_cube(key->target)) return false;
    bool sliced = tex_has_layers(key->target) || tex_axes(key->target) == 3;
    if (!tex_texel_load_rows(tex_format_of(key), place->level, sliced, corners->x[0], corners->y[0], corners->z[0],
                             v_splat_i32(-1), &corners->raw[0]))
        return false;
    corners->raw[0].word[0] &= ~(vu32)corners->border[0];
    return true;
}

/* Corners that are read side by side or near each other; of a seamless cube all on their faces. */
OPS_INLINE bool tex_corners_load_together(const struct sch_sampler_key *key, const struct tex_place *place,
                                          unsigned count, bool rare, bool joined, struct tex_corners *corners)
{
    if (count == 1) return !rare && tex_corner_load_rows(key, place, corners);
    if (!rare && tex_corners_load_rows(key, place, count, joined, corners)) return true;
    tex_prefetch(key, place);
    if (!rare && tex_corners_load_blocks(key, place, count, joined, corners)) return true;
    struct tex_pairs pairs;
    if (!tex_in_pairs(key, place, count, &pairs)) return false;
    tex_corners_load_pairs(key, place, &pairs, count, corners->z[0], joined, corners);
    return true;
}

/* Across a cube's edges, or along the third axis, the texels of a lane are in several slices. */
OPS_INLINE enum tex_slices tex_slices_of(const struct sch_sampler_key *key)
{
    if (tex_seamless(key) || tex_axes(key->target) == 3) return TEX_SLICES_APART;
    return tex_has_layers(key->target) || tex_is_cube(key->target) ? TEX_SLICES : TEX_SLICE_ONE;
}

/* The needed texels of compressed blocks. */
OPS_INLINE void tex_corners_load_tiles(const struct sch_sampler_key *key, const struct tex_place *place, unsigned count,
                                       const vi32 *needed, struct tex_corners *corners)
{
    struct tex_tiled at[TEX_CORNERS];
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) at[n] = tex_tiled_of(corners->x[n], corners->y[n], corners->z[n]);
    tex_tiles_load(key->format, place->level, place->tiles, count, tex_slices_of(key), at, needed, corners->raw);
}

/* `count` corners: tex_corner_count(), or the four of a gather. Indices are within the level in all lanes. `rare`:
 * ops/texture/pair.h has what lies together. `joined`: as tex_joins() says, but not of a gather. */
OPS_INLINE void tex_corners_load(const struct sch_sampler_key *key, const struct tex_place *place, unsigned count,
                                 vi32 mask, bool rare, bool joined, struct tex_corners *corners)
{
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) tex_corner(key, place, n, corners);
    if (tex_seamless(key) && count > 1 && v_any(tex_leaves(key, place))) {
        OPS_UNROLL
        for (unsigned n = 0; n < count; n++) tex_corner_across(place, n, corners);
    } else if (!tex_is_block(tex_format_of(key)) &&
               tex_corners_load_together(key, place, count, rare, joined, corners)) {
        return;
    }
    /* What is left of neighbours is rare: one way does for it. */
    bool near = place->near && !tex_has_neighbours(key, place, count);
    vi32 needed[TEX_CORNERS];
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        needed[n] = ~corners->border[n] & ~corners->missing[n];
        if (tex_seamless(key) || tex_is_block(tex_format_of(key))) needed[n] &= mask;
        if (!tex_is_block(tex_format_of(key)))
            corners->raw[n] = tex_texel_load(tex_format_of(key), place->level, near, corners->x[n], corners->y[n],
                                             corners->z[n], needed[n]);
    }
    if (tex_is_block(tex_format_of(key))) tex_corners_load_tiles(key, place, count, needed, corners);
    OPS_UNROLL
    for (unsigned n = 0; joined && n < count; n += 2) tex_join_pair(&corners->raw[n]);
}

OPS_INLINE vi32 tex_any_of(const vi32 *flags, unsigned count)
{
    vi32 any = flags[0];
    OPS_UNROLL
    for (unsigned n = 1; n < count; n++) any |= flags[n];
    return any;
}

/* a and b mixed by w of b, 0 <= w < 1: fma(b, w, a (1 - w)) within [min(a, b), max(a, b)]; a itself where w is 0.
 * `exact`: a (1 - w) is a float, and so the mean is rounded once, to none beyond a or b. `finite`: both are. */
OPS_INLINE vf32 tex_mix_of(vf32 a, vf32 b, vf32 w, bool exact, bool finite)
{
    vf32 mixed = v_fma_f32(b, w, a * (1.0f - w));
    if (!exact) mixed = v_less_f32(v_greater_f32(a, b), v_greater_f32(v_less_f32(b, a), mixed));
    return v_select_f32((vi32)(w == 0.0f), a, finite ? mixed : v_canon_f32(mixed));
}

/* What is looked up is finite: codes of UNORM and SNORM, whose border colour is clamped and no NaN, or comparisons. */
OPS_INLINE bool tex_is_finite(const struct sch_sampler_key *key)
{
    return key->compare || tex_is_exact(tex_format_of(key));
}

OPS_INLINE vf32 tex_weight(vu32 weight) { return v_f32_from_i32((vi32)weight) * 0x1p-8f; }

/* From four values without the one that is missing: the other three in order. */
OPS_INLINE void tex_others(const struct tex_corners *corners, const vf32 value[4], vf32 others[3])
{
    vi32 first = corners->missing[0], second = first | corners->missing[1], third = second | corners->missing[2];
    others[0] = v_select_f32(first, value[1], value[0]);
    others[1] = v_select_f32(second, value[2], value[1]);
    others[2] = v_select_f32(third, value[3], value[2]);
}

/* ((a + b) + c) / 3 within the three. */
OPS_INLINE vf32 tex_mean3(const vf32 v[3])
{
    vf32 mean = ((v[0] + v[1]) + v[2]) / 3.0f, low = v[0], high = v[0];
    OPS_UNROLL
    for (unsigned i = 1; i < 3; i++) {
        low = v_select_f32((vi32)(v[i] < low), v[i], low);
        high = v_select_f32((vi32)(v[i] > high), v[i], high);
    }
    mean = v_select_f32((vi32)(mean < low), low, mean);
    return v_canon_f32(v_select_f32((vi32)(mean > high), high, mean));
}

OPS_INLINE struct tex_texel tex_border_texel(const struct sch_sampler_key *key, const struct tex_place *place)
{
    struct tex_texel texel;
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++)
        texel.c[i] = v_as_f32(v_splat_u32(tex_texel_border(tex_format_of(key), key->rules, place->values, i)));
    return texel;
}

OPS_SHARED struct tex_texel tex_corner_texel(const struct sch_sampler_key *key, const struct tex_place *place,
                                             const struct tex_corners *corners, unsigned n, vi32 mask)
{
    struct tex_texel texel = tex_texel_decode(tex_format_of(key), key->rules, &corners->raw[n], corners->x[n]);
    if (!v_any(corners->border[n] & mask)) return texel;
    struct tex_texel border = tex_border_texel(key, place);
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) texel.c[i] = v_select_f32(corners->border[n], border.c[i], texel.c[i]);
    return texel;
}

/* ---- exact sums ---- */

/* sum[channel] = the four texels' bytes times their weights, which add up to 65536: at most 255 * 2^16, below 2^24.
 * The texels of each row are joined (v_join_halves_u32), so that a channel's two bytes share a word with another one's:
 * their products with two halves of a word are the row's sum, at most 255 * 256. */
OPS_INLINE void tex_byte_sums(const struct tex_raw raw[4], const struct tex_axis axis[2], vu32 sum[4])
{
    vu32 across = (256u - axis[0].weight) | axis[0].weight << 16;
    OPS_UNROLL
    for (unsigned channel = 0; channel < 4; channel++) {
        vu32 row[2];
        OPS_UNROLL
        for (unsigned i = 0; i < 2; i++) {
            vu32 half = raw[2 * i + channel / 2].word[0];
            row[i] = (vu32)v_dot_halves_i32((half >> (channel & 1) * 8) & 0x00ff00ffu, across);
        }
        sum[channel] = v_weigh_halves_u32(row[0], row[1], axis[1].weight);
    }
}

/* For eight texels, whose weights add up to 2^24: at most 255 * 2^24, below 2^32. */
OPS_INLINE void tex_byte_sums_3d(const struct tex_raw raw[8], const struct tex_axis axis[3], vu32 sum[4])
{
    vu32 far[4];
    tex_byte_sums(raw, axis, sum);
    tex_byte_sums(raw + 4, axis, far);
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) sum[i] = (sum[i] << 8) + (far[i] - sum[i]) * axis[2].weight;
}

/* Codes of texels n and n + 1 times their weights along the first axis. Where codes and signs have 16 bits, as halves
 * of one word: at most 32767 * 256. */
OPS_INLINE vu32 tex_code_sum(const struct sch_sampler_key *key, const struct tex_place *place,
                             const struct tex_corners *corners, unsigned n, unsigned channel)
{
    const struct tex_format *format = tex_format_of(key);
    const vu32 far = place->axis[0].weight, near = 256u - far;
    vi32 first = tex_texel_code(format, &corners->raw[n], channel, corners->x[n]);
    vi32 second = tex_texel_code(format, &corners->raw[n + 1], channel, corners->x[n + 1]);
    if (tex_format_max(format, channel) > INT16_MAX) return (vu32)first * near + (vu32)second * far;
    return (vu32)v_dot_halves_i32(((vu32)first & 0xffffu) | (vu32)second << 16, near | far << 16);
}

/* The sum of code * weight of one channel. Up to two axes it fits 32 bits (65535 * 2^16, or +-32767 * 2^16); the third
 * is done in binary64, exactly (2^40). */
OPS_SHARED vf64 tex_channel_sum(const struct sch_sampler_key *key, const struct tex_place *place,
                                const struct tex_corners *corners, unsigned channel)
{
    const unsigned count = tex_corner_count(key);
    bool is_signed = tex_is_signed(tex_format_of(key));
    vu32 sum[2] = {v_splat_u32(0), v_splat_u32(0)};
    OPS_UNROLL
    for (unsigned n = 0; n < count; n += 2) {
        vu32 row = tex_code_sum(key, place, corners, n, channel);
        if (tex_axes(key->target) > 1) row *= n >> 1 & 1 ? place->axis[1].weight : 256u - place->axis[1].weight;
        sum[n >> 2] += row;
    }
    vf64 near = is_signed ? v_f64_from_i32((vi32)sum[0]) : v_f64_from_u32(sum[0]);
    if (tex_axes(key->target) < 3) return near;
    vf64 far = is_signed ? v_f64_from_i32((vi32)sum[1]) : v_f64_from_u32(sum[1]);
    vf64 weight = v_f64_from_i32((vi32)place->axis[2].weight);
    return near * (256.0 - weight) + far * weight;
}

/* 256 to the number of axes. */
OPS_INLINE double tex_weights(unsigned axes) { return axes == 1 ? 0x1p8 : axes == 2 ? 0x1p16 : 0x1p24; }

/* S / (max * 2^k), correctly rounded: S < 2^40 is an integer, and S / max comes nearer than 2^-42 of itself to no
 * middle between floats unless it is one. That it is not: max is odd, so a quotient with so few digits is whole, at
 * most 2^24. What errs by 2^-52 in binary64, as the product with max's reciprocal does, is rounded to the same float.
 * With border texels: (S / max + their weight times the border colour, exact, rounded to binary64) / 2^k: a lookup of
 * border only gives the border colour. */
OPS_INLINE vf32 tex_quotient(const struct sch_sampler_key *key, const struct tex_place *place,
                             const struct tex_corners *corners, vf64 sum, unsigned component, int32_t max, vi32 mask)
{
    const unsigned count = tex_corner_count(key);
    const double whole = tex_weights(tex_axes(key->target));
    vi32 border = tex_any_of(corners->border, count);
    if (!v_any(border & mask)) return v_f32_from_f64(sum * (1.0 / (double)max / whole));
    vf64 inner = sum / (double)max;
    vu32 weight = v_splat_u32(0);
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) weight += corners->weight[n] & (vu32)corners->border[n];
    vf32 color = v_as_f32(v_splat_u32(tex_texel_border(tex_format_of(key), key->rules, place->values, component)));
    vf64 outer = v_f64_from_i32((vi32)weight) * v_f64_from_f32(color);
    inner = v_select_f64(v_mask_widen(border), inner + outer, inner);
    return v_f32_from_f64(inner * (1.0 / whole));
}

/* The corner of a cube: its weight in equal thirds to the other three. 3 S + weight * (their sum) < 2^35. */
OPS_INLINE vf32 tex_corner_quotient(const struct sch_sampler_key *key, const struct tex_corners *corners, vf64 sum,
                                    unsigned channel, int32_t max)
{
    const unsigned count = tex_corner_count(key);
    vi32 codes = v_splat_i32(0), weight = codes;
    struct tex_raw raw[TEX_CORNERS];
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) raw[n] = corners->raw[n];
    OPS_UNROLL
    for (unsigned n = 0; tex_joins(key) && n < count; n += 2) tex_join_pair(&raw[n]);
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        vi32 code = tex_texel_code(tex_format_of(key), &raw[n], channel, corners->x[n]);
        codes += code & ~corners->missing[n];
        weight += (vi32)corners->weight[n] & corners->missing[n];
    }
    vf64 thrice = 3.0 * sum + v_f64_from_i32(codes) * v_f64_from_i32(weight);
    return v_f32_from_f64(thrice / (3.0 * (double)max * 65536.0));
}

OPS_SHARED struct tex_texel tex_exact(const struct sch_sampler_key *key, const struct tex_place *place,
                                      const struct tex_corners *corners, vi32 mask)
{
    const unsigned count = tex_corner_count(key);
    struct tex_texel texel;
    vu32 sums[4];
    bool bytes = tex_joins(key);
    bool solid = tex_axes(key->target) == 3;
    if (bytes && solid)
        tex_byte_sums_3d(corners->raw, place->axis, sums);
    else if (bytes)
        tex_byte_sums(corners->raw, place->axis, sums);
    vi32 border = tex_any_of(corners->border, count);
    vi32 missing = tex_seamless(key) ? tex_any_of(corners->missing, count) : v_splat_i32(0);
    bool plain = !v_any((border | missing) & mask);
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        unsigned channel = tex_format_component(tex_format_of(key), key->rules, i);
        if (channel >= TEX_ZERO) {
            texel.c[i] = v_splat_f32(channel == TEX_ONE ? 1.0f : 0.0f);
            continue;
        }
        int32_t max = tex_format_max(tex_format_of(key), channel);
        if (bytes && plain) {
            /* The divisor 255 * 2^16 or 2^24 is an exact float, as is S < 2^24, and the quotient is not a denormal. */
            texel.c[i] = solid ? v_wide_over_255_f32(sums[channel], 0x1p-24f)
                               : v_over_255_f32(v_f32_from_i32((vi32)sums[channel]), 0x1p-16f);
            continue;
        }
        vf64 sum = !bytes  ? tex_channel_sum(key, place, corners, channel)
                   : solid ? v_f64_from_u32(sums[channel])
                           : v_f64_from_i32((vi32)sums[channel]);
        texel.c[i] = tex_quotient(key, place, corners, sum, i, max, mask);
        if (tex_seamless(key) && v_any(missing & mask)) {
            vf32 third = tex_corner_quotient(key, corners, sum, channel, max);
            texel.c[i] = v_select_f32(missing, third, texel.c[i]);
        }
    }
    return texel;
}

/* ---- mixing ---- */

/* The missing texel of a cube's corner. */
OPS_INLINE void tex_fill_missing(const struct tex_corners *corners, struct tex_texel texel[TEX_CORNERS])
{
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        vf32 value[4], others[3];
        OPS_UNROLL
        for (unsigned n = 0; n < 4; n++) value[n] = texel[n].c[i];
        tex_others(corners, value, others);
        vf32 mean = tex_mean3(others);
        OPS_UNROLL
        for (unsigned n = 0; n < 4; n++) texel[n].c[i] = v_select_f32(corners->missing[n], mean, texel[n].c[i]);
    }
}

/* The texels mixed along each axis; components that the format lacks are the same in all. `exact`: halves or shorter
 * floats, which have 11 bits, and weights 8. */
OPS_INLINE struct tex_texel tex_mix_texels(const struct sch_sampler_key *key, const struct tex_place *place, bool exact,
                                           struct tex_texel texel[TEX_CORNERS])
{
    OPS_UNROLL
    for (unsigned a = 0, pairs = tex_corner_count(key); a < tex_axes(key->target); a++) {
        vf32 weight = tex_weight(place->axis[a].weight);
        pairs /= 2;
        OPS_UNROLL
        for (unsigned n = 0; n < pairs; n++) OPS_UNROLL
        for (unsigned i = 0; i < 4; i++)
            if (tex_format_component(tex_format_of(key), key->rules, i) < TEX_ZERO)
                texel[n].c[i] = tex_mix_of(texel[2 * n].c[i], texel[2 * n + 1].c[i], weight, exact && a == 0, false);
    }
    return texel[0];
}

OPS_SHARED struct tex_texel tex_mixed(const struct sch_sampler_key *key, const struct tex_place *place,
                                      const struct tex_corners *corners, vi32 mask)
{
    const unsigned count = tex_corner_count(key);
    struct tex_texel texel[TEX_CORNERS];
    const vi32 border = tex_any_of(corners->border, count), missing = tex_any_of(corners->missing, count);
    if (count > 1 && tex_is_short_float(tex_format_of(key)) && !v_any((border | missing) & mask)) {
        OPS_UNROLL
        for (unsigned n = 0; n < count; n++)
            texel[n] = tex_texel_decode(tex_format_of(key), key->rules, &corners->raw[n], corners->x[n]);
        return tex_mix_texels(key, place, true, texel);
    }
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) texel[n] = tex_corner_texel(key, place, corners, n, mask);
    if (count == 1) return texel[0];
    if (tex_seamless(key) && v_any(missing & mask)) tex_fill_missing(corners, texel);
    return tex_mix_texels(key, place, false, texel);
}

/* Whether texels are filtered as they are in memory, four floats side by side, and only their mean is taken apart. */
OPS_INLINE bool tex_mixes_whole(const struct sch_sampler_key *key)
{
#ifdef SCH_TRACE
    (void)key;
    return false;
#else
    const struct tex_format *format = tex_format_of(key);
    if (!tex_is_large(format) || tex_axes(key->target) != 2 || tex_is_cube(key->target)) return false;
    if (tex_corner_count(key) != 4 || key->compare || key->reduction != SCH_REDUCTION_AVERAGE) return false;
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (format->channel[i].type != TEX_FLOAT && format->channel[i].type != TEX_VOID) return false;
    return true;
#endif
}

/* The same as tex_mixed() of texels whose pairs lie together; false: they do not. NaNs are NaNs on the way, which bits
 * they have is decided in the end: those of the texel where nothing was mixed. */
OPS_SHARED bool tex_mixed_whole(const struct sch_sampler_key *key, const struct tex_place *place,
                                struct tex_texel *texel)
{
    const struct sch_texture_level *level = place->level;
    const struct tex_axis *axis = place->axis;
    struct tex_pairs pairs;
    if (!tex_in_pairs(key, place, 4, &pairs)) return false;
    tex_prefetch(key, place);
    const vi32 at = place->slice * (int32_t)level->slice_bytes + axis[1].index[0] * (int32_t)level->row_bytes +
                    axis[0].index[0] * 16;
    const vf32 weight[2] = {tex_weight(axis[0].weight), tex_weight(axis[1].weight)};
    vu32 mean[4], channel[4];
    OPS_UNROLL
    for (int part = 0; part < 4; part++) {
        const vf32 s = v_quad_lane_f32(weight[0], part), t = v_quad_lane_f32(weight[1], part);
        vf32 row[2];
        OPS_UNROLL
        for (unsigned i = 0; i < 2; i++) {
            const uint8_t *from = level->texels + (i ? pairs.row * (int64_t)level->row_bytes : 0);
            const vf32 first = (vf32)v_gather_near_quads(from, at, part);
            row[i] = tex_mix_of(first, (vf32)v_gather_near_quads(from + 16, at, part), s, false, true);
        }
        const vf32 mixed = tex_mix_of(row[0], row[1], t, false, true);
        const vi32 moved = (vi32)(s == 0.0f) & (vi32)(t == 0.0f);
        mean[part] = (vu32)v_select_f32(moved, mixed, v_canon_f32(mixed));
    }
    v_quads_of_words(channel, mean);
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = tex_format_component(tex_format_of(key), key->rules, i);
        texel->c[i] = (vf32)(from < TEX_ZERO ? channel[tex_format_of(key)->channel[from].offset / 32 & 3]
                                             : v_splat_u32(tex_constant_bits(tex_format_of(key), from)));
    }
    return true;
}

/* ---- comparison ---- */

/* The reference as the format allows it: docs/texture.md, "Comparison". */
OPS_INLINE vf32 tex_reference(const struct sch_sampler_key *key, vf32 reference)
{
    unsigned channel = tex_format_component(tex_format_of(key), key->rules, 0);
    if (channel >= TEX_ZERO || tex_format_of(key)->flags & TEX_SRGB) return reference;
    unsigned type = tex_format_of(key)->channel[channel].type;
    if (type != TEX_UNORM && type != TEX_SNORM) return reference;
    reference =
        tex_clamp_f32((vf32)((vi32)reference & ~v_isnan_f32(reference)), type == TEX_SNORM ? -1.0f : 0.0f, 1.0f);
    if (key->rules == SCH_RULES_TGSI) return reference;
    double max = (double)(uint32_t)tex_format_max(tex_format_of(key), channel);
    return v_f32_from_f64(v_floor_f64(v_f64_from_f32(reference) * max + 0.5) / max);
}

/* reference FUNC texel, as a mask. */
OPS_INLINE vi32 tex_compare(unsigned function, vf32 reference, vf32 texel)
{
    switch (function) {
    case SCH_COMPARE_NEVER:
        return v_splat_i32(0);
    case SCH_COMPARE_LESS:
        return (vi32)(reference < texel);
    case SCH_COMPARE_EQUAL:
        return (vi32)(reference == texel);
    case SCH_COMPARE_LEQUAL:
        return (vi32)(reference <= texel);
    case SCH_COMPARE_GREATER:
        return (vi32)(reference > texel);
    case SCH_COMPARE_NOTEQUAL:
        return (vi32)(reference != texel);
    case SCH_COMPARE_GEQUAL:
        return (vi32)(reference >= texel);
    default:
        return v_splat_i32(-1);
    }
}

/* The same of the key's function. A NaN reference (`unordered`) passes NOTEQUAL and ALWAYS only, clamped or not. */
OPS_INLINE vi32 tex_passes(const struct sch_sampler_key *key, vf32 reference, vi32 unordered, vf32 texel)
{
    bool nan_passes = key->compare == SCH_COMPARE_NOTEQUAL || key->compare == SCH_COMPARE_ALWAYS;
    vi32 passes = tex_compare(key->compare, reference, texel);
    return nan_passes ? passes | unordered : passes & ~unordered;
}

/* The comparison's result of each corner: masks; of missing ones 0. */
OPS_SHARED void tex_comparisons(const struct sch_sampler_key *key, const struct tex_place *place,
                                const struct tex_corners *corners, unsigned count, vi32 mask, vi32 passes[TEX_CORNERS])
{
    vf32 reference = tex_reference(key, place->reference);
    vi32 unordered = v_isnan_f32(place->reference);
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        vf32 texel = tex_corner_texel(key, place, corners, n, mask).c[0];
        passes[n] = tex_passes(key, reference, unordered, texel) & ~corners->missing[n];
    }
}

/* The sum of the weights that pass over that of all: at most 2^24, exact floats. */
OPS_SHARED vf32 tex_compared(const struct sch_sampler_key *key, const struct tex_place *place,
                             const struct tex_corners *corners, vi32 mask)
{
    const unsigned count = tex_corner_count(key);
    vi32 passes[TEX_CORNERS];
    tex_comparisons(key, place, corners, count, mask, passes);
    if (count == 1) return tex_one_where(passes[0]);
    vu32 sum = v_splat_u32(0);
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) sum += corners->weight[n] & (vu32)passes[n];
    vf32 result = v_f32_from_i32((vi32)sum) * (float)(1.0 / tex_weights(tex_axes(key->target)));
    if (!tex_seamless(key) || !v_any(tex_any_of(corners->missing, count) & mask)) return result;
    vi32 passed = v_splat_i32(0), weight = passed;
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        passed -= passes[n];
        weight += (vi32)corners->weight[n] & corners->missing[n];
    }
    vf32 thirds = v_f32_from_i32(3 * (vi32)sum + passed * weight) / 196608.0f;
    return v_select_f32(tex_any_of(corners->missing, count), thirds, result);
}

/* ---- minimum and maximum ---- */

OPS_INLINE vf32 tex_lesser(bool maximum, vf32 r, vf32 t)
{
    vi32 takes = (maximum ? (vi32)(t > r) : (vi32)(t < r)) | v_isnan_f32(r);
    return v_select_f32(takes, t, r);
}

/* For the texels whose weight is not 0. Corner 0 always weighs something, unless it is missing. */
OPS_SHARED struct tex_texel tex_extreme(const struct sch_sampler_key *key, const struct tex_place *place,
                                        const struct tex_corners *corners, bool maximum, vi32 mask)
{
    const unsigned count = tex_corner_count(key);
    struct tex_texel result = {0};
    vi32 have = v_splat_i32(0), passes[TEX_CORNERS];
    if (key->compare) tex_comparisons(key, place, corners, count, mask, passes);
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        struct tex_texel texel = tex_corner_texel(key, place, corners, n, mask);
        vi32 counts = ~corners->missing[n] & (vi32)(corners->weight[n] != 0);
        OPS_UNROLL
        for (unsigned i = 0; i < 4; i++) {
            vf32 value = key->compare ? tex_one_where(passes[n]) : texel.c[i];
            vf32 next = v_select_f32(have, tex_lesser(maximum, result.c[i], value), value);
            result.c[i] = v_select_f32(counts, next, result.c[i]);
        }
        have |= counts;
    }
    return result;
}

/* ---- all of them ---- */

OPS_SHARED void tex_trace_corners(struct sch_texture_trace *trace, unsigned vector, const struct sch_sampler_key *key,
                                  const struct tex_place *place, const struct tex_corners *corners, unsigned count,
                                  vi32 mask, uint32_t level, unsigned tap)
{
#ifdef SCH_TRACE
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        vf64 weight = v_f64_from_i32((vi32)corners->weight[n]) * (1.0 / tex_weights(tex_axes(key->target)));
        const struct tex_used used = {.mask = mask & ~corners->missing[n] & (vi32)(corners->weight[n] != 0),
                                      .border = corners->border[n],
                                      .x = corners->x[n],
                                      .y = corners->y[n],
                                      .z = corners->z[n],
                                      .weight = count == 1 ? v_splat_f32(1.0f) : v_f32_from_f64(weight),
                                      .level = level,
                                      .tap = tap};
        struct tex_texel texel = tex_corner_texel(key, place, corners, n, mask);
        if (key->compare) {
            vi32 passes[TEX_CORNERS];
            tex_comparisons(key, place, corners, count, mask, passes);
            texel.c[0] = tex_one_where(passes[n]);
        }
        tex_trace_texel(trace, vector, &used, &texel);
    }
#else
    (void)trace, (void)vector, (void)key, (void)place, (void)corners, (void)count, (void)mask, (void)level, (void)tap;
#endif
}

/* The filtered colour of the corners; other lanes than the mask's are undefined. */
OPS_INLINE struct tex_texel tex_combined(const struct sch_sampler_key *key, const struct tex_place *place,
                                         const struct tex_corners *corners, unsigned reduction, vi32 mask)
{
    const unsigned count = tex_corner_count(key);
    if (reduction != SCH_REDUCTION_AVERAGE && !tex_is_integer(tex_format_of(key)))
        return tex_extreme(key, place, corners, reduction == SCH_REDUCTION_MAXIMUM, mask);
    if (key->compare) {
        vf32 r = tex_compared(key, place, corners, mask);
        return (struct tex_texel){{r, r, r, r}};
    }
    if (tex_is_exact(tex_format_of(key)) && count > 1) return tex_exact(key, place, corners, mask);
    return tex_mixed(key, place, corners, mask);
}

#endif
