/* The texture unit's filtered lookups, gathers and LOD queries: how a group's requests are taken apart into level of
 * detail, levels, taps, addresses and filters. State that is constant per sampler and view is in the key, and every
 * branch on state is one on the key, so that constants fold. What all of it means: docs/texture.md. Holds no fetches
 * and images (texel.c), no arithmetic of filters (ops/texture/filter.h). */
#include "ops/texture/aligned.h"
#include "ops/texture/pair.h"
#include "ops/texture/result.h"
#include "ops/texture/sheet.h"
#include "ops/texture/straight.h"
#include "ops/texture/upright.h"

/* Whether the level of detail changes the result. */
OPS_INLINE bool tex_needs_lod(const struct sch_sampler_key *key)
{
#ifdef SCH_TRACE
    (void)key;
    return true;
#else
    return key->mip != 0 || tex_min_linear(key) != tex_mag_linear(key) || tex_anisotropy_of(key) > 1;
#endif
}

/* Whether lookups go by ops/texture/pair.h: not gathers, and with 16 lanes not what is not filtered, as those lost by
 * it where it was measured. */
OPS_INLINE bool tex_is_paired(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    if (tex_is_block(tex_format_of(key)) || (!tex_min_linear(key) && SCH_LANES != 8)) return false;
    return !tex_needs_lod(key) && tex_pair_takes(key, TEX_ASKED(key, request, offsets) != 0);
}

/* Whether they go by ops/texture/sheet.h. */
OPS_INLINE bool tex_has_sheets(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    return tex_is_block(tex_format_of(key)) && !tex_needs_lod(key) &&
           tex_pair_takes(key, TEX_ASKED(key, request, offsets) != 0);
}

/* Whether the two levels of a lookup go that way, where all lanes have the same: bytes, whose sums are finite. */
OPS_INLINE bool tex_has_paired_levels(const struct sch_sampler_key *key, const struct sch_sample_request *request)
{
    if (!tex_mip_linear(key) || !tex_min_linear(key) || !tex_mag_linear(key) || tex_anisotropy_of(key) > 1)
        return false;
    if (!tex_joins(key) || tex_axes(key->target) != 2 || tex_is_block(tex_format_of(key))) return false;
    if (tex_is_cube(key->target)) return false;
    return tex_pair_takes(key, TEX_ASKED(key, request, offsets) != 0);
}

/* ---- one level ---- */

/* Where the lanes' footprints lie in a level. `u`: the coordinates; `linear`: which lanes filter linearly. Axes that
 * the target has not stay as they are: clearing and copying the whole struct was a quarter of this step. */
OPS_SHARED void tex_place_of(const struct sch_sampler_key *key, const struct tex_lookup *q,
                             const struct sch_texture_level *level, const vf32 u[3], vi32 linear, bool any_linear,
                             unsigned offset_set, struct tex_place *place)
{
    place->values = q->values;
    place->level = level;
    place->near = tex_is_near(level, tex_slices(key->target, q->texture, level));
    place->slice = q->slice;
    place->face = q->face.face;
    place->tiles = q->request->tiles;
    if (key->compare) place->reference = ops_load_F(q->request->reference, q->vector);
    bool cube = tex_is_cube(key->target);
    if (cube && !tex_seamless(key)) place->slice += q->face.face;
    const uint32_t size[3] = {level->width, level->height, level->depth};
    OPS_UNROLL
    for (unsigned a = 0; a < tex_axes(key->target); a++) {
        struct tex_axis_state state = {.wrap = key->wrap[a],
                                       .texels = tex_in_texels(key),
                                       .any_linear = any_linear,
                                       .has_offset = TEX_ASKED(key, q->request, offsets) != 0 && !cube,
                                       .linear = linear,
                                       .size = (int32_t)size[a],
                                       .offset = v_splat_i32(0)};
        if (state.has_offset) state.offset = tex_offset(q, offset_set, a);
        if (tex_seamless(key)) state.wrap = SCH_WRAP_CLAMP_TO_EDGE;
        place->axis[a] = tex_seamless(key) ? tex_face_address(&state, u[a]) : tex_address(&state, u[a]);
    }
}

OPS_SHARED struct tex_texel tex_filter(const struct sch_sampler_key *key, const struct tex_lookup *q, uint32_t number,
                                       const vf32 u[3], vi32 mask, unsigned tap)
{
    bool min = tex_min_linear(key), mag = tex_mag_linear(key);
    vi32 linear = v_splat_i32(-(int32_t)min);
    if (min != mag) linear = mag ? q->magnified : ~q->magnified;
    struct tex_place place;
    tex_place_of(key, q, &q->texture->level[number], u, linear, min || mag, 0, &place);
    struct tex_texel mean;
    if (tex_mixes_whole(key) && tex_mixed_whole(key, &place, &mean)) return mean;
    struct tex_corners corners;
    bool rare = tex_is_paired(key, q->request) || tex_has_paired_levels(key, q->request);
    tex_corners_load(key, &place, tex_corner_count(key), mask, rare, tex_joins(key), &corners);
    tex_trace_corners(q->request->trace, q->vector, key, &place, &corners, tex_corner_count(key), mask, number, tap);
    return tex_combined(key, &place, &corners, key->reduction, mask);
}

OPS_INLINE void tex_merge(struct tex_texel *to, const struct tex_texel *from, vi32 mask)
{
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) to->c[i] = v_select_f32(mask, from->c[i], to->c[i]);
}

/* `next` joins what came before with weight w of 1, or by the reduction. */
OPS_INLINE void tex_join(const struct sch_sampler_key *key, struct tex_texel *to, const struct tex_texel *next, vf32 w,
                         vi32 mask)
{
    bool maximum = key->reduction == SCH_REDUCTION_MAXIMUM, average = key->reduction == SCH_REDUCTION_AVERAGE;
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        vf32 joined = average ? tex_mix_of(to->c[i], next->c[i], w, false, tex_is_finite(key))
                              : tex_lesser(maximum, to->c[i], next->c[i]);
        to->c[i] = v_select_f32(mask, joined, to->c[i]);
    }
}

/* All taps of one level. */
OPS_INLINE struct tex_texel tex_taps(const struct sch_sampler_key *key, const struct tex_lookup *q, uint32_t number,
                                     vi32 mask)
{
    bool cube = tex_is_cube(key->target);
    const vf32 still[3] = {cube ? q->face.s : q->at[0], cube ? q->face.t : q->at[1], q->at[2]};
    if (tex_anisotropy_of(key) <= 1) return tex_filter(key, q, number, still, mask, 0);
    struct tex_texel color = {0};
    vi32 taps = q->footprint.taps;
    for (int32_t tap = 0;; tap++) {
        vi32 here = mask & (vi32)(taps > tap);
        if (!v_any(here)) return color;
        vf32 u[3] = {still[0], still[1], still[2]};
        OPS_UNROLL
        for (unsigned a = 0; a < 2; a++) u[a] = tex_tap_position(still[a], q->footprint.du[a], v_splat_i32(tap), taps);
        struct tex_texel next = tex_filter(key, q, number, u, here, (unsigned)tap);
        if (tap == 0)
            tex_merge(&color, &next, here);
        else
            tex_join(key, &color, &next, v_splat_f32(1.0f / (float)(tap + 1)), here);
    }
}

/* The levels that lanes chose, one after the other. */
OPS_SHARED struct tex_texel tex_levels(const struct sch_sampler_key *key, const struct tex_lookup *q, vi32 level,
                                       vi32 mask)
{
    if (key->mip == 0) return tex_taps(key, q, 0, mask);
    struct tex_texel color = {0};
    for (vi32 left = mask; v_any(left);) {
        uint32_t first = (uint32_t)__builtin_ctz(v_mask_bits(left));
        int32_t number = level[first];
        vi32 here = left & (vi32)(level == number);
        struct tex_texel some = tex_taps(key, q, (uint32_t)number, here);
        tex_merge(&color, &some, here);
        left &= ~here;
    }
    return color;
}

/* Mip nearest takes the nearest level; linear floor(LOD) and the next by the fraction; none level 0. */
OPS_SHARED struct tex_texel tex_mips(const struct sch_sampler_key *key, const struct tex_lookup *q, vi32 lod)
{
    vi32 zero = v_splat_i32(0), last = v_splat_i32((int32_t)q->texture->levels - 1);
    bool pair = tex_mip_linear(key);
    vi32 level = pair ? lod >> 8 : tex_nearest_level(lod);
    vi32 weight = lod & 255;
    vi32 first = tex_min(tex_max(level, zero), last);
    if (!pair) return tex_levels(key, q, first, q->mask);
    vi32 between = q->mask & (vi32)(level >= 0) & (vi32)(level < last) & (vi32)(weight != 0);
    struct tex_texel color = {0};
    vi32 mask = q->mask;
    for (unsigned step = 0; step < 2 && v_any(mask); step++) {
        struct tex_texel some = tex_levels(key, q, step ? level + 1 : first, mask);
        if (step)
            tex_join(key, &color, &some, tex_weight((vu32)weight), mask);
        else
            tex_merge(&color, &some, mask);
        mask = between;
    }
    return color;
}

/* ---- results ---- */

/* What the traced level writes down about a lookup's level of detail. */
OPS_INLINE void tex_trace_lookup(const struct sch_sampler_key *key, const struct tex_lookup *q, vi32 biased, vi32 lod)
{
#ifdef SCH_TRACE
    if (!q->request->trace) return;
    int32_t last = (int32_t)q->texture->levels - 1;
    vi32 levels = tex_mip_linear(key) ? lod >> 8 : tex_nearest_level(lod);
    V_EACH_LANE(i) {
        if (!q->mask[i]) continue;
        struct sch_trace_lane *lane = &q->request->trace->lane[q->vector * SCH_LANES + (unsigned)i];
        int32_t level = levels[i], first = level < 0 ? 0 : level;
        if (first > last || key->mip == 0) first = key->mip == 0 ? 0 : last;
        bool pair = tex_mip_linear(key) && level >= 0 && level < last && (lod[i] & 255);
        lane->active = true;
        lane->taps = (uint32_t)q->footprint.taps[i];
        lane->face = tex_is_cube(key->target) ? q->face.face[i] : -1;
        lane->layer = tex_has_layers(key->target) ? q->slice[i] : -1;
        OPS_UNROLL
        for (unsigned a = 0; a < 3; a++) {
            lane->ddx[a] = q->footprint.dx[a][i];
            lane->ddy[a] = q->footprint.dy[a][i];
        }
        lane->lod_computed = (float)q->footprint.lod[i] / 256.0f;
        lane->lod_biased = (float)biased[i] / 256.0f;
        lane->lod = (float)lod[i] / 256.0f;
        lane->magnified = lod[i] <= 0;
        lane->level[0] = (uint32_t)first;
        lane->level[1] = (uint32_t)(pair ? first + 1 : first);
        lane->level_weight = pair ? (float)(lod[i] & 255) / 256.0f : 0.0f;
    }
#else
    (void)key, (void)q, (void)biased, (void)lod;
#endif
}

/* Whether two vectors were filtered side by side; `ways` as in tex_pair_corners(). */
OPS_INLINE bool tex_sampled_pair(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                 const struct sch_texture *texture, const struct sch_sample_request *request,
                                 unsigned first, enum tex_pair_ways *ways, struct sch_lanes *const result[4])
{
    struct tex_lookup q[TEX_PAIR];
    struct tex_place place[TEX_PAIR];
    struct tex_corners corners[TEX_PAIR];
    struct tex_texel color[TEX_PAIR];
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) {
        q[v] = tex_lookup_of(values, texture, request, first + v);
        tex_locate(key, &q[v]);
    }
    if (key->rules == SCH_RULES_D3D && v_any(tex_hidden(key, &q[0]) | tex_hidden(key, &q[1]))) return false;
    const struct sch_texture_level *const level[TEX_PAIR] = {&texture->level[0], &texture->level[0]};
    if (texture->levels == 0 || !tex_pair_corners(key, q, level, ways, place, corners)) return false;
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++)
        color[v] = tex_combined(key, &place[v], &corners[v], key->reduction, q[v].mask);
    OPS_UNROLL
    for (unsigned v = 0; v < TEX_PAIR; v++) tex_store_texel(key, &color[v], first + v, q[v].mask, result);
    return true;
}

/* `given`: the clamped level of detail, where another way has found it; else NULL. */
OPS_INLINE void tex_sample_vector(const struct sch_sampler_key *key, struct tex_lookup *q, const vi32 *given,
                                  struct sch_lanes *const result[4])
{
    if (q->texture->levels == 0 || !v_any(q->mask)) {
        tex_store_zero(q->vector, result);
        return;
    }
    tex_locate(key, q);
    vi32 lod = v_splat_i32(0), active = q->mask, hidden = tex_hidden(key, q);
    if (given) {
        lod = *given;
    } else if (tex_needs_lod(key)) {
        vi32 biased = tex_biased_lod(key, q);
        lod = tex_clamped_lod(key, q, biased);
        q->footprint.taps &= ~hidden;
        tex_trace_lookup(key, q, biased, lod);
    }
    q->magnified = (vi32)(lod <= 0);
    q->mask &= ~hidden;
    struct tex_texel color = tex_mips(key, q, lod);
    if (v_any(hidden)) {
        struct tex_texel none = tex_hidden_texel(key);
        tex_merge(&color, &none, hidden);
    }
    tex_store_texel(key, &color, q->vector, active, result);
}

/* The clamped level of detail of each of a group's vectors. */
OPS_INLINE void tex_group_lod(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                              const struct sch_texture *texture, const struct sch_sample_request *request,
                              vi32 lod[OPS_VECTORS])
{
    const bool together = tex_measures_together(key, request);
    vi32 quads = v_splat_i32(0);
    if (together) quads = tex_quads_lod(key, texture, request);
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct tex_lookup q = tex_lookup_of(values, texture, request, v);
        if (!together) tex_locate(key, &q);
        vi32 biased = together ? tex_add_bias(key, &q, tex_of_quads(quads, v)) : tex_biased_lod(key, &q);
        lod[v] = tex_clamped_lod(key, &q, biased);
    }
}

/* Two filterings of single levels side by side: of two vectors that are magnified, or of both levels of one vector
 * whose lanes all have the same ones. How many vectors; 0: it is neither, and nothing is done. */
OPS_INLINE unsigned tex_sampled_levels(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                       const struct sch_texture *texture, const struct sch_sample_request *request,
                                       unsigned first, const vi32 lod[OPS_VECTORS], struct sch_lanes *const result[4])
{
    const unsigned second = first + 1 < OPS_VECTORS ? first + 1 : first;
    struct tex_lookup q[TEX_PAIR] = {tex_lookup_of(values, texture, request, first),
                                     tex_lookup_of(values, texture, request, second)};
    const bool magnified = !v_any((q[0].mask & (vi32)(lod[first] > 0)) | (q[1].mask & (vi32)(lod[second] > 0)));
    const int32_t upper = magnified ? 0 : lod[first][0] >> 8, last = (int32_t)texture->levels - 1;
    if (!magnified && (upper < 0 || upper >= last || v_any_bit(q[0].mask & ((lod[first] >> 8) ^ upper)))) return 0;
    if (!magnified) q[1] = q[0];
    OPS_UNROLL
    for (unsigned i = 0; i < TEX_PAIR; i++) tex_locate(key, &q[i]);
    if (key->rules == SCH_RULES_D3D && v_any(tex_hidden(key, &q[0]) | tex_hidden(key, &q[1]))) return 0;
    const struct sch_texture_level *const level[TEX_PAIR] = {&texture->level[upper],
                                                             &texture->level[magnified ? 0 : upper + 1]};
    struct tex_place place[TEX_PAIR];
    struct tex_corners corners[TEX_PAIR];
    struct tex_texel color[TEX_PAIR];
    /* Hardly any vector's texels lie in rows of the larger level. */
    enum tex_pair_ways ways = magnified ? TEX_PAIR_BOTH : TEX_PAIR_APART;
    if (!tex_pair_corners(key, q, level, &ways, place, corners)) return 0;
    OPS_UNROLL
    for (unsigned i = 0; i < TEX_PAIR; i++)
        color[i] = tex_combined(key, &place[i], &corners[i], key->reduction, q[i].mask);
    if (magnified)
        tex_store_texel(key, &color[1], second, q[1].mask, result);
    else
        tex_join(key, &color[0], &color[1], tex_weight((vu32)(lod[first] & 255)), q[0].mask);
    tex_store_texel(key, &color[0], first, q[0].mask, result);
    return magnified ? TEX_PAIR : 1;
}

OPS_INLINE void tex_sample_levels(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                  const struct sch_texture *texture, const struct sch_sample_request *request,
                                  struct sch_lanes *const result[4])
{
    vi32 lod[OPS_VECTORS];
    tex_group_lod(key, values, texture, request, lod);
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS;) {
        struct tex_lookup q = tex_lookup_of(values, texture, request, v);
        unsigned done = 0;
        if (texture->levels && v_any(q.mask)) done = tex_sampled_levels(key, values, texture, request, v, lod, result);
        if (!done) tex_sample_vector(key, &q, &lod[v], result);
        v += done ? done : 1;
    }
}

OPS_INLINE void tex_sample_pairs(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                 const struct sch_texture *texture, const struct sch_sample_request *request,
                                 struct sch_lanes *const result[4])
{
    enum tex_pair_ways ways = TEX_PAIR_BOTH;
    OPS_LOOP_VECTORS
    for (unsigned first = 0; first < OPS_VECTORS; first += TEX_PAIR) {
        if (tex_sampled_pair(key, values, texture, request, first, &ways, result)) continue;
        OPS_LOOP_VECTORS
        for (unsigned v = first; v < first + TEX_PAIR; v++) {
            struct tex_lookup q = tex_lookup_of(values, texture, request, v);
            tex_sample_vector(key, &q, NULL, result);
        }
    }
}

#ifdef SCH_FOLD
/* The whole group, where every vector's texels lie in rows, or all are those of pictures that are not turned. False:
 * some do not, and the results are not meant. */
static bool tex_sampled_rows(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                             const struct sch_texture *texture, const struct sch_sample_request *request,
                             struct sch_lanes *const result[4])
{
    if (tex_may_be_upright(key, request))
        return tex_begins_upright(key, texture, request) && tex_upright_sample(key, values, texture, request, result);
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v += TEX_PAIR) {
        enum tex_pair_ways ways = TEX_PAIR_IN_ROWS; /* in the loop, so that it is known (jit/specialise.c) */
        if (!tex_sampled_pair(key, values, texture, request, v, &ways, result)) return false;
    }
    return true;
}
#endif

OPS_INLINE void tex_sample_vectors(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                   const struct sch_texture *texture, const struct sch_sample_request *request,
                                   struct sch_lanes *const result[4])
{
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct tex_lookup q = tex_lookup_of(values, texture, request, v);
        tex_sample_vector(key, &q, NULL, result);
    }
}

sch_sample_fn OPS_LOCAL(sample);
void OPS_LOCAL(sample)(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                       const struct sch_texture *texture, const struct sch_sample_request *request,
                       struct sch_lanes *const result[4])
{
    if (tex_is_paired(key, request)) {
        if (tex_may_be_aligned(key, request)) {
            if (!tex_begins_aligned(request) || !tex_aligned_sample(key, values, texture, request, result))
                TEX_SAMPLE_REST(values, texture, request, result);
            return;
        }
        if (!tex_may_be_straight(key, request)) {
            tex_sample_pairs(key, values, texture, request, result);
            return;
        }
        if (!tex_begins_straight(key, texture, request) || !tex_straight_sample(key, values, texture, request, result))
            TEX_SAMPLE_REST(values, texture, request, result);
        return;
    }
    if (tex_has_paired_levels(key, request)) {
        tex_sample_levels(key, values, texture, request, result);
        return;
    }
    if (tex_has_sheets(key, request) && tex_sheet_sample(key, values, texture, request, result)) return;
    tex_sample_vectors(key, values, texture, request, result);
}

/* ---- LOD queries ---- */

sch_sample_fn OPS_LOCAL(lod_query);
void OPS_LOCAL(lod_query)(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                          const struct sch_texture *texture, const struct sch_sample_request *request,
                          struct sch_lanes *const result[4])
{
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct tex_lookup q = tex_lookup_of(values, texture, request, v);
        tex_store_zero(v, result);
        if (texture->levels == 0 || !v_any(q.mask)) continue;
        tex_locate(key, &q);
        vi32 biased = tex_biased_lod(key, &q), lod = tex_clamped_lod(key, &q, biased);
        tex_trace_lookup(key, &q, biased, lod);
        vi32 accessed = tex_view_is_empty(key, texture) ? v_splat_i32(0) : tex_accessed_lod(key, &q, lod);
        ops_put_U(result[0], v, v_as_u32(tex_lod_float(accessed)) & (vu32)q.mask);
        ops_put_U(result[1], v, v_as_u32(tex_lod_float(biased)) & (vu32)q.mask);
    }
}

/* ---- gathers ---- */

enum { GATHERED = 4 }; /* corners, whatever the filters */

/* The mean of three integers, truncated. */
OPS_INLINE vf32 tex_integer_mean3(const struct tex_format *format, const vf32 v[3])
{
    if (tex_is_signed(format)) {
        vi64 sum = v_i64_from_i32((vi32)v[0]) + v_i64_from_i32((vi32)v[1]) + v_i64_from_i32((vi32)v[2]);
        return v_as_f32(__builtin_convertvector(v_div_i64(sum, v_splat_i64(3)), vi32));
    }
    vu64 sum = v_u64_from_u32((vu32)v[0]) + v_u64_from_u32((vu32)v[1]) + v_u64_from_u32((vu32)v[2]);
    return v_as_f32(v_lo_u64(v_div_u64(sum, v_splat_u64(3))));
}

/* What stands for the corner of a seamless cube in a gather of `component`. */
OPS_INLINE vf32 tex_gathered_corner(const struct sch_sampler_key *key, const struct tex_corners *corners,
                                    unsigned component, const vf32 value[4])
{
    vf32 others[3];
    tex_others(corners, value, others);
    unsigned channel = tex_format_component(tex_format_of(key), key->rules, component);
    if (key->compare) return (others[0] + others[1] + others[2]) / 3.0f;
    if (channel >= TEX_ZERO) return value[0];
    if (tex_is_integer(tex_format_of(key))) return tex_integer_mean3(tex_format_of(key), others);
    if (!tex_is_exact(tex_format_of(key))) return tex_mean3(others);
    vi32 sum = v_splat_i32(0);
    OPS_UNROLL
    for (unsigned n = 0; n < 4; n++)
        sum += tex_texel_code(tex_format_of(key), &corners->raw[n], channel, corners->x[n]) & ~corners->missing[n];
    return v_f32_from_i32(sum) / (3.0f * (float)tex_format_max(tex_format_of(key), channel));
}

/* The value of each corner: a component, or the comparison. */
OPS_INLINE void tex_gathered(const struct sch_sampler_key *key, const struct tex_place *place,
                             const struct tex_corners *corners, unsigned component, vi32 mask, vf32 value[4])
{
    vi32 passes[TEX_CORNERS];
    if (key->compare) tex_comparisons(key, place, corners, GATHERED, mask, passes);
    OPS_UNROLL
    for (unsigned n = 0; n < 4; n++)
        value[n] =
            key->compare ? tex_one_where(passes[n]) : tex_corner_texel(key, place, corners, n, mask).c[component];
    if (!tex_seamless(key)) return;
    vi32 missing = tex_any_of(corners->missing, GATHERED);
    if (!v_any(missing & mask)) return;
    vf32 corner = tex_gathered_corner(key, corners, component, value);
    OPS_UNROLL
    for (unsigned n = 0; n < 4; n++) value[n] = v_select_f32(corners->missing[n], corner, value[n]);
}

/* x (i0, j1), y (i1, j1), z (i1, j0), w (i0, j0). */
static const uint8_t tex_gather_order[4] = {2, 3, 1, 0};

OPS_SHARED void tex_gather(const struct sch_sampler_key *key, const struct tex_lookup *q, unsigned component,
                           struct sch_lanes *const result[4])
{
    bool cube = tex_is_cube(key->target), apart = TEX_ASKED(key, q->request, offsets) == 4 && !cube;
    const vf32 u[3] = {cube ? q->face.s : q->at[0], cube ? q->face.t : q->at[1], q->at[2]};
    OPS_UNROLL
    for (unsigned set = 0; set < (apart ? 4u : 1u); set++) {
        struct tex_place place;
        tex_place_of(key, q, &q->texture->level[0], u, v_splat_i32(-1), true, set, &place);
        struct tex_corners corners;
        vf32 value[4];
        tex_corners_load(key, &place, GATHERED, q->mask, false, false, &corners);
        OPS_UNROLL
        for (unsigned n = 0; n < GATHERED; n++) corners.weight[n] = v_splat_u32(65536);
        tex_gathered(key, &place, &corners, component, q->mask, value);
        if (apart) {
            ops_put_U(result[set], q->vector, v_as_u32(value[0]) & (vu32)q->mask);
        } else {
            OPS_UNROLL
            for (unsigned i = 0; i < 4; i++)
                ops_put_U(result[i], q->vector, v_as_u32(value[tex_gather_order[i]]) & (vu32)q->mask);
        }
        tex_trace_corners(q->request->trace, q->vector, key, &place, &corners, apart ? 1 : GATHERED, q->mask, 0, 0);
    }
}

/* A component where level 0 is clamped off; of a comparison its result: "the out of bounds result is used as the
 * comparison value against the reference" [D3D 11.3, 5.8.6]. By other rules it is 0. */
OPS_INLINE vf32 tex_gathered_outside(const struct sch_sampler_key *key, const struct tex_lookup *q, unsigned component)
{
    struct tex_texel none = tex_outside(key);
    if (!key->compare) return none.c[component];
    if (key->rules != SCH_RULES_D3D) return v_splat_f32(0.0f);
    vf32 given = ops_load_F(q->request->reference, q->vector);
    return tex_one_where(tex_passes(key, tex_reference(key, given), v_isnan_f32(given), none.c[0]));
}

sch_sample_fn OPS_LOCAL(texture_gather);
void OPS_LOCAL(texture_gather)(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                               const struct sch_texture *texture, const struct sch_sample_request *request,
                               struct sch_lanes *const result[4])
{
    /* Comparisons have one component: red. */
    unsigned component = key->swizzle[key->compare ? 0 : TEX_ASKED(key, request, component) & 3];
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct tex_lookup q = tex_lookup_of(values, texture, request, v);
        tex_store_zero(v, result);
        if (texture->levels == 0 || !v_any(q.mask)) continue;
        if (component >= TEX_ZERO || texture->min_lod >= 1.0f || tex_view_is_empty(key, texture)) {
            vf32 value =
                component < TEX_ZERO ? tex_gathered_outside(key, &q, component) : tex_swizzle_constant(key, component);
            OPS_UNROLL
            for (unsigned i = 0; i < 4; i++) ops_put_U(result[i], v, v_as_u32(value) & (vu32)q.mask);
            continue;
        }
        tex_locate(key, &q);
        q.footprint = (struct tex_footprint){.lod = v_splat_i32(0), .taps = v_splat_i32(1)};
        tex_trace_lookup(key, &q, q.footprint.lod, q.footprint.lod);
        tex_gather(key, &q, component, result);
    }
}
