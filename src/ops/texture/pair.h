/* Two vectors of a group looked up side by side: where all their texels lie in three rows as wide as a vector, no step
 * branches, and the processor has two chains from coordinates to colours to work on instead of one. What else there is
 * goes through texture.c's general way; the results are the same. Only where state is a constant (SCH_FOLD) and one
 * instruction permutes a vector (V_PERMUTE). Holds no arithmetic of filters. */
#ifndef SCH_OPS_TEXTURE_PAIR_H
#define SCH_OPS_TEXTURE_PAIR_H

#include "ops/texture/filter.h"
#include "ops/texture/lookup.h"

enum { TEX_PAIR = 2 };

/* Where corners are looked for: in rows first, in rows only, or not in rows, where they hardly ever are. */
enum tex_pair_ways { TEX_PAIR_BOTH, TEX_PAIR_IN_ROWS, TEX_PAIR_APART };

#if defined(SCH_FOLD) && defined(V_PERMUTE) && !defined(SCH_TRACE)

/* An axis that neither mirrors nor has offsets within its period: texel indices follow each other. */
OPS_INLINE bool tex_pair_takes_axis(const struct sch_sampler_key *key, unsigned axis, bool offsets)
{
    unsigned wrap = key->wrap[axis];
    if (wrap == SCH_WRAP_REPEAT) return !offsets && !tex_in_texels(key);
    return wrap == SCH_WRAP_CLAMP || wrap == SCH_WRAP_CLAMP_TO_EDGE || wrap == SCH_WRAP_CLAMP_TO_BORDER;
}

/* Two axes or three, and texels of one word; two axes without filtering, or of compressed blocks (ops/texture/sheet.h);
 * faces of seamless cubes that are filtered, whose wrap modes and offsets count for nothing. */
OPS_INLINE bool tex_pair_takes(const struct sch_sampler_key *key, bool offsets)
{
    const struct tex_format *format = tex_format_of(key);
    if (tex_axes(key->target) < 2) return false;
    if (tex_is_cube(key->target))
        return tex_seamless(key) && tex_min_linear(key) && format->bytes == 4 && format->block_width == 1;
    if (!tex_min_linear(key) && tex_axes(key->target) > 2) return false;
    const bool blocks = tex_is_block(format) && tex_axes(key->target) == 2 && tex_min_linear(key);
    if (!blocks && (format->bytes != 4 || format->block_width != 1)) return false;
    OPS_UNROLL
    for (unsigned a = 0; a < tex_axes(key->target); a++)
        if (!tex_pair_takes_axis(key, a, offsets)) return false;
    return true;
}

/* Whether a reduced coordinate is in [-1/2, 1/2], or NaN. */
OPS_INLINE bool tex_is_reduced(const struct tex_axis_state *state)
{
    return state->wrap == SCH_WRAP_REPEAT && !state->texels;
}

/* Whether the index of a lane that binary32 does not decide is outside of every level, so that nothing more needs to
 * find such lanes: the sum is not in [2^23, 2^24) then (tex_position_in_float()), so the position is not in
 * [-2^22, 2^22), nor the index in [-16384, 16384). Subtracting half a texel moves only what is next to 2^22, to the
 * last index of the largest level, which has no neighbour to be filtered with. An offset may bring any index inside. */
#ifdef V_FMA_F32
OPS_INLINE bool tex_pair_open_is_outside(const struct tex_axis_state *state) { return !state->has_offset; }
#else
OPS_INLINE bool tex_pair_open_is_outside(const struct tex_axis_state *state)
{
    (void)state;
    return false;
}
#endif

/* Texel indices along an axis, which are outside of the level where a wrap mode would have to act, and weights; lanes
 * that binary32 does not decide are outside, or get bits of `bad`. A reduced position is less than half a period, and
 * one texel, off; that of a NaN is not decided. */
OPS_INLINE void tex_pair_index(const struct tex_axis_state *state, vf32 u, struct tex_axis *axis, vi32 *bad)
{
    const bool reduced = tex_is_reduced(state);
    vf32 near = tex_reduce(state, u);
    vi32 open, position = tex_position_in_float(state, near, reduced, &open);
    if (!tex_pair_open_is_outside(state)) *bad |= open;
    if (state->has_offset) position += 256 * state->offset;
    axis->weight = (vu32)(position & 255);
    axis->outside[0] = axis->outside[1] = v_splat_i32(0);
    vi32 index = position >> 8;
    if (reduced) index = (vi32)v_min_u32((vu32)index, (vu32)(index + state->size));
    axis->index[0] = index;
    axis->index[1] = index + 1;
}

/* The place of a vector's texels in a level but for its axes. */
OPS_INLINE void tex_pair_begin(const struct sch_sampler_key *key, const struct tex_lookup *q,
                               const struct sch_texture_level *level, struct tex_place *place)
{
    place->values = q->values;
    place->level = level;
    place->near = true;
    place->slice = q->slice;
    place->face = q->face.face;
    if (key->compare) place->reference = ops_load_F(q->request->reference, q->vector);
}

/* As tex_place_of(), but that nothing was wrapped. Lanes that this does not decide get bits of `bad`. */
OPS_INLINE void tex_pair_place(const struct sch_sampler_key *key, const struct tex_lookup *q,
                               const struct sch_texture_level *level, struct tex_place *place, vi32 *bad)
{
    const uint32_t size[3] = {level->width, level->height, level->depth};
    tex_pair_begin(key, q, level, place);
    const bool cube = tex_is_cube(key->target);
    const vf32 at[3] = {cube ? q->face.s : q->at[0], cube ? q->face.t : q->at[1], q->at[2]};
    OPS_UNROLL
    for (unsigned a = 0; a < tex_axes(key->target); a++) {
        struct tex_axis_state state = {.wrap = cube ? SCH_WRAP_CLAMP_TO_EDGE : key->wrap[a],
                                       .texels = tex_in_texels(key),
                                       .any_linear = tex_min_linear(key),
                                       .has_offset = TEX_ASKED(key, q->request, offsets) != 0 && !cube,
                                       .linear = v_splat_i32(-(int32_t)tex_min_linear(key)),
                                       .size = (int32_t)size[a],
                                       .offset = v_splat_i32(0)};
        if (state.has_offset) state.offset = tex_offset(q, 0, a);
        tex_pair_index(&state, at[a], &place->axis[a], bad);
    }
}

/* The slice of a vector's corner n. */
OPS_INLINE vi32 tex_pair_slice(const struct sch_sampler_key *key, const struct tex_place *place, unsigned n)
{
    if (tex_is_cube(key->target)) return place->slice + place->face;
    return tex_axes(key->target) == 3 ? place->axis[2].index[n >> 2 & 1] : place->slice;
}

/* Three rows (of two slices, where there are three axes), without filtering two, that may hold the texels of a
 * vector. */
struct tex_rows {
    vi32 x, y;         /* the texels in the rows */
    int32_t left, top; /* where the rows begin */
};

/* How many texels the footprint of a lane is wide. */
OPS_INLINE uint32_t tex_pair_width(const struct sch_sampler_key *key) { return tex_min_linear(key) ? 2 : 1; }

/* tex_row_begin() `before` the index of the first lane, in all lanes: the way through a number takes twice as long. */
OPS_INLINE vi32 tex_pair_row_begin(vi32 index, int32_t before, int32_t last)
{
    return tex_min(tex_max(v_splat_i32(index[0]) - before, v_splat_i32(0)), v_splat_i32(last));
}

/* What is not zero where lanes of some vector are not in its rows. */
struct tex_apart {
    vi32 columns, rows, slices;
};

OPS_INLINE struct tex_rows tex_pair_rows(const struct sch_sampler_key *key, const struct tex_place *place,
                                         struct tex_apart *apart)
{
    const struct sch_texture_level *level = place->level;
    const int32_t width = (int32_t)tex_pair_width(key);
    vi32 x = place->axis[0].index[0], y = place->axis[1].index[0];
    const vi32 left = tex_pair_row_begin(x, SCH_LANES / 8, (int32_t)level->width - SCH_LANES);
    const vi32 top = tex_pair_row_begin(y, 0, (int32_t)level->height - 1 - width);
    struct tex_rows rows = {.x = x - left, .y = y - top, .left = left[0], .top = top[0]};
    apart->columns |= rows.x | (rows.x + (width - 1));
    apart->rows |= rows.y;
    vi32 slice = tex_pair_slice(key, place, 0);
    if (tex_has_layers(key->target) || tex_axes(key->target) == 3) apart->slices |= slice ^ slice[0];
    if (tex_axes(key->target) == 3) apart->slices |= (vi32)((vu32)slice >= level->depth - 1u);
    return rows;
}

OPS_INLINE void tex_pair_load_rows(const struct sch_sampler_key *key, const struct tex_place *place,
                                   const struct tex_rows *rows, struct tex_corners *corners)
{
    const struct sch_texture_level *level = place->level;
    const uint8_t *from = level->texels + (uint64_t)(uint32_t)rows->top * level->row_bytes + (uint32_t)rows->left * 4u;
    vi32 index = rows->x + rows->y * SCH_LANES, slice = tex_pair_slice(key, place, 0);
    if (tex_has_layers(key->target) || tex_axes(key->target) == 3) from += (uint32_t)slice[0] * level->slice_bytes;
    if (!tex_min_linear(key)) {
        const vu32 word = v_permute2_u32(v_load_u32(from), v_load_u32(from + level->row_bytes), index);
        corners->raw[0] = (struct tex_raw){{word}};
        return;
    }
    OPS_UNROLL
    for (unsigned n = 0; n < tex_corner_count(key); n += 4) {
        vu32 row[3];
        OPS_UNROLL
        for (unsigned i = 0; i < 3; i++) row[i] = v_load_u32(from + (uint64_t)i * level->row_bytes);
        OPS_UNROLL
        for (unsigned i = 0; i < 2; i++)
            tex_corners_permute(tex_joins(key), row[i], row[i + 1], index, &corners->raw[n + 2 * i]);
        from += level->slice_bytes;
    }
}

/* Where the texels lie in the level, but not in rows. */
OPS_INLINE void tex_pair_load_others(const struct sch_sampler_key *key, const struct tex_place *place,
                                     struct tex_corners *corners)
{
    const struct tex_format *format = tex_format_of(key);
    const struct tex_axis *axis = place->axis;
    tex_prefetch(key, place);
    if (!tex_min_linear(key)) {
        corners->raw[0] = tex_texel_load_near(format, place->level, axis[0].index[0], axis[1].index[0],
                                              tex_pair_slice(key, place, 0), v_splat_i32(-1));
        return;
    }
    if (tex_corners_load_blocks(key, place, tex_corner_count(key), tex_joins(key), corners)) return;
    const struct tex_pairs pairs = {.row = 1, .slice = 1};
    tex_corners_load_pairs(key, place, &pairs, tex_corner_count(key), tex_pair_slice(key, place, 0), tex_joins(key),
                           corners);
}

/* All of the corners but their texels. */
OPS_INLINE void tex_pair_weigh(const struct sch_sampler_key *key, const struct tex_place *place,
                               struct tex_corners *corners)
{
    OPS_UNROLL
    for (unsigned n = 0; n < tex_corner_count(key); n++) {
        vu32 weight = v_splat_u32(1);
        OPS_UNROLL
        for (unsigned a = 0; a < tex_axes(key->target); a++)
            weight *= n >> a & 1 ? place->axis[a].weight : 256u - place->axis[a].weight;
        corners->x[n] = corners->border[n] = corners->missing[n] = v_splat_i32(0);
        corners->z[n] = tex_pair_slice(key, place, n);
        corners->weight[n] = weight;
    }
}

/* Whether a vector's texels may lie in rows. Directions of cubes bend: they hardly ever do. */
OPS_INLINE bool tex_pair_may_have_rows(const struct sch_sampler_key *key) { return !tex_is_cube(key->target); }

/* Whether a level has room for rows, and for pairs along each axis. */
OPS_INLINE bool tex_pair_fits(const struct sch_sampler_key *key, const struct sch_texture_level *level)
{
    return level->width >= SCH_LANES && level->height >= 4 && (tex_axes(key->target) < 3 || level->depth >= 2);
}

/* The corners of two vectors, each in a level. False: nothing is done. Where texels are scattered, those of the group's
 * other pairs are not looked for in rows. */
OPS_INLINE bool tex_pair_corners(const struct sch_sampler_key *key, const struct tex_lookup q[TEX_PAIR],
                                 const struct sch_texture_level *const level[TEX_PAIR], enum tex_pair_ways *ways,
                                 struct tex_place place[TEX_PAIR], struct tex_corners corners[TEX_PAIR])
{
    const struct sch_texture *texture = q[0].texture;
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++)
        if (!tex_pair_fits(key, level[v])) return false;
    vi32 bad = v_splat_i32(0);
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) {
        tex_pair_place(key, &q[v], level[v], &place[v], &bad);
        tex_pair_weigh(key, &place[v], &corners[v]);
    }
    if (tex_pair_may_have_rows(key) && *ways != TEX_PAIR_APART) {
        struct tex_rows rows[TEX_PAIR];
        struct tex_apart apart = {v_splat_i32(0), v_splat_i32(0), v_splat_i32(0)};
        OPS_UNROLL
        for (unsigned v = 0; v < TEX_PAIR; v++) rows[v] = tex_pair_rows(key, &place[v], &apart);
        if (!v_any_bit(bad | tex_outside_rows(apart.columns, apart.rows) | apart.slices)) {
            OPS_UNROLL
            for (unsigned v = 0; v < TEX_PAIR; v++) tex_pair_load_rows(key, &place[v], &rows[v], &corners[v]);
            return true;
        }
    }
    if (*ways == TEX_PAIR_IN_ROWS) return false;
    *ways = TEX_PAIR_APART;
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) {
        const uint32_t size[3] = {level[v]->width, level[v]->height, level[v]->depth};
        if (!tex_is_near(level[v], tex_slices(key->target, texture, level[v]))) return false;
        OPS_UNROLL
        for (unsigned a = 0; a < tex_axes(key->target); a++)
            bad |= (vi32)((vu32)place[v].axis[a].index[0] > size[a] - tex_pair_width(key));
    }
    if (v_any_bit(bad)) return false;
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) tex_pair_load_others(key, &place[v], &corners[v]);
    return true;
}

/* ---- the level of detail of a group's quads together ---- */

/* Whether it follows from differences within quads alone. */
OPS_INLINE bool tex_measures_together(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    const uint8_t mode = TEX_ASKED(key, request, lod_mode);
    return (mode == SCH_LOD_IMPLICIT || mode == SCH_LOD_BIAS) && TEX_ASKED(key, request, quads);
}

/* Before biases and clamps, one lane for each quad, as tex_measure() has it in all four. */
OPS_INLINE vi32 tex_quads_lod(const struct sch_sampler_key *key, const struct sch_texture *texture,
                              const struct sch_sample_request *request)
{
    const struct sch_texture_level *base = &texture->level[0];
    float size[3] = {(float)base->width, (float)base->height, (float)base->depth};
    struct tex_derivatives d;
    struct tex_footprint footprint;
    OPS_UNROLL
    for (unsigned a = 0; a < 3; a++) {
        if (tex_in_texels(key)) size[a] = 1.0f;
        d.x[a] = d.y[a] = v_splat_f32(0.0f);
        if (a >= tex_axes(key->target)) continue;
        vf32 at[OPS_VECTORS];
        OPS_UNROLL
        for (unsigned v = 0; v < OPS_VECTORS; v++) at[v] = ops_load_F(request->coordinate[a], v);
        const vf32 first = V_QUAD_LANE_F32(at, 0);
        d.x[a] = V_QUAD_LANE_F32(at, 1) - first;
        d.y[a] = V_QUAD_LANE_F32(at, 2) - first;
    }
    tex_footprint_of(&d, size, tex_axes(key->target), 1, &footprint);
    return footprint.lod;
}

OPS_INLINE vi32 tex_of_quads(vi32 quads, unsigned vector) { return v_of_quads_i32(quads, vector); }

#else

OPS_INLINE bool tex_measures_together(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    (void)key, (void)request;
    return false;
}
OPS_INLINE vi32 tex_quads_lod(const struct sch_sampler_key *key, const struct sch_texture *texture,
                              const struct sch_sample_request *request)
{
    (void)key, (void)texture, (void)request;
    return v_splat_i32(0);
}
OPS_INLINE vi32 tex_of_quads(vi32 quads, unsigned vector)
{
    (void)vector;
    return quads;
}
OPS_INLINE bool tex_pair_takes(const struct sch_sampler_key *key, bool offsets)
{
    (void)key, (void)offsets;
    return false;
}
OPS_INLINE bool tex_pair_corners(const struct sch_sampler_key *key, const struct tex_lookup q[TEX_PAIR],
                                 const struct sch_texture_level *const level[TEX_PAIR], enum tex_pair_ways *ways,
                                 struct tex_place place[TEX_PAIR], struct tex_corners corners[TEX_PAIR])
{
    (void)key, (void)q, (void)level, (void)ways, (void)place, (void)corners;
    return false;
}

#endif
#endif
