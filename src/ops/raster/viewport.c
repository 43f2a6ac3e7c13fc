/* From clip space to the window: clip codes of vertices, the division by w, the viewport's scale and translation, and
 * the snapping to 1/256 pixel. Holds no cutting of primitives: src/pipeline/clip.c. */
#include "ops/op.h"

/* The guard band in pixels (D3D 11.3 15.6.1). It is the same for every viewport: what it cuts is part of the rules. */
#define VIEWPORT_BAND_MIN (-(float)SCH_GUARD_BAND)
#define VIEWPORT_BAND_MAX ((float)(SCH_GUARD_BAND - 1))
/* The least normal number: denormal w count as 0, as in D3D 11.3 3.1.3.2, so that 1 / w is finite. */
#define VIEWPORT_W_MIN     0x1p-126f
#define VIEWPORT_DEPTH_MAX 0x1.fffffep127f

OPS_INLINE vi32 viewport_finite(vf32 value) { return (vi32)(v_abs_f32(value) < v_splat_f32(V_INF_F32)); }

OPS_INLINE vi32 viewport_code(vi32 outside, int32_t code) { return outside & code; }

/* The nearest place in sub-pixels, ties to even (D3D 11.3 3.2.4.1, 15.16). The product is exact. */
OPS_INLINE vi32 viewport_snapped(vf32 value) { return v_i32_from_f32(v_rint_f32(value * (float)SCH_SUBPIXELS)); }

OPS_INLINE vf32 viewport_clamped(vf32 value, float least, float most)
{
    return v_less_f32(v_greater_f32(value, v_splat_f32(least)), v_splat_f32(most));
}

/* Codes of w, near and far: comparisons of clip coordinates, which are exact (OpenGL 4.6 13.7). */
OPS_INLINE vi32 viewport_depth_codes(vi32 behind, vf32 z, vf32 w, const struct sch_viewport_key *key)
{
    vi32 codes = viewport_code(behind, SCH_OUTSIDE_W);
    if (key->cut || key->unclipped) return codes;
    vf32 near = key->clip_halfz ? v_splat_f32(0) : v_neg_f32(w);
    if (key->depth_clip_near) codes |= viewport_code((vi32)(z < near), SCH_OUTSIDE_NEAR);
    if (key->depth_clip_far) codes |= viewport_code((vi32)(z > w), SCH_OUTSIDE_FAR);
    return codes;
}

OPS_INLINE vi32 viewport_band_codes(vf32 x, vf32 y, const struct sch_viewport_key *key)
{
    float min = key->unclipped ? -(float)SCH_UNCLIPPED_BAND : VIEWPORT_BAND_MIN;
    float max = key->unclipped ? (float)SCH_UNCLIPPED_BAND : VIEWPORT_BAND_MAX;
    return viewport_code((vi32)(x < min), SCH_OUTSIDE_X_MIN) | viewport_code((vi32)(x > max), SCH_OUTSIDE_X_MAX) |
           viewport_code((vi32)(y < min), SCH_OUTSIDE_Y_MIN) | viewport_code((vi32)(y > max), SCH_OUTSIDE_Y_MAX);
}

/* A vector of vertices in the window. */
struct viewport_window {
    vi32 x, y, codes;
    vf32 z, inverse_w;
};

/* Vertices that are divided by w, or whose w are all 1 and the quotients what is divided. */
OPS_INLINE struct viewport_window viewport_divided(vf32 x, vf32 y, vf32 z, vf32 w, vf32 place[2])
{
    struct viewport_window made = {.z = z, .inverse_w = w};
    place[0] = x;
    place[1] = y;
    if (v_all((vi32)(w == 1.0f))) return made;
    place[0] = x / w;
    place[1] = y / w;
    made.z = z / w;
    made.inverse_w = 1.0f / w;
    return made;
}

/* What a value lacks to be within bounds: the bits of 0 where it is, others where it is not, or is a NaN. */
OPS_INLINE vi32 viewport_lack(vf32 value, vf32 least, vf32 most)
{
    return (vi32)(v_less_f32(most, v_greater_f32(least, value)) - value);
}

/* Whether a vertex has no code, of its clip coordinates and its place in the window: where these are finite, all clip
 * coordinates are but w. Words that are joined are less work than comparisons. */
OPS_INLINE vi32 viewport_inside(vf32 clip_z, vf32 w, const vf32 place[2], vf32 z, const struct sch_viewport_key *key)
{
    const vf32 least = v_splat_f32(VIEWPORT_BAND_MIN), most = v_splat_f32(VIEWPORT_BAND_MAX);
    const vf32 none = v_splat_f32(V_INF_F32), near = key->clip_halfz ? v_splat_f32(0) : v_neg_f32(w);
    vi32 lack = viewport_lack(place[0], least, most) | viewport_lack(place[1], least, most);
    lack |= viewport_lack(w, v_splat_f32(VIEWPORT_W_MIN), v_splat_f32(VIEWPORT_DEPTH_MAX)) | (vi32)(z - z);
    if (key->depth_clip_near) lack |= viewport_lack(clip_z, near, none);
    if (key->depth_clip_far) lack |= viewport_lack(clip_z, -none, w);
    return (vi32)(lack == 0);
}

/* Quotients, products and sums are rounded one by one. */
OPS_INLINE struct viewport_window viewport_vector(vf32 x, vf32 y, vf32 z, vf32 w, const struct sch_viewport *viewport,
                                                  const struct sch_viewport_key *key)
{
    const float *scale = viewport->scale, *translate = viewport->translate;
    const int32_t shift = key->half_pixel_center ? 0 : SCH_SUBPIXELS / 2;
    vf32 place[2] = {x, y};
    struct viewport_window made = {.z = z, .inverse_w = w};
    if (!key->window_space) {
        made = viewport_divided(x, y, z, w, place);
        place[0] = place[0] * scale[0] + translate[0];
        place[1] = place[1] * scale[1] + translate[1];
        made.z = made.z * scale[2] + translate[2];
    }
    if (!key->window_space && !key->cut && !key->unclipped && v_all(viewport_inside(z, w, place, made.z, key))) {
        made.x = __builtin_convertvector(v_rint_f32(place[0] * (float)SCH_SUBPIXELS), vi32) + shift;
        made.y = __builtin_convertvector(v_rint_f32(place[1] * (float)SCH_SUBPIXELS), vi32) + shift;
        made.codes = v_splat_i32(0);
        return made;
    }
    vi32 drop = ~(viewport_finite(x) & viewport_finite(y) & viewport_finite(z) & viewport_finite(w));
    vi32 codes = v_splat_i32(0), behind = codes;
    if (!key->window_space) {
        behind = ~(vi32)(w >= VIEWPORT_W_MIN);
        codes = viewport_depth_codes(behind, z, w, key);
        drop |= ~behind & (v_isnan_f32(place[0]) | v_isnan_f32(place[1]) | v_isnan_f32(made.z));
    }
    if (key->cut) {
        place[0] = viewport_clamped(place[0], VIEWPORT_BAND_MIN, VIEWPORT_BAND_MAX);
        place[1] = viewport_clamped(place[1], VIEWPORT_BAND_MIN, VIEWPORT_BAND_MAX);
    } else if (key->window_space) {
        drop |= (vi32)(viewport_band_codes(place[0], place[1], key) != 0);
    } else {
        codes |= ~behind & viewport_band_codes(place[0], place[1], key);
    }
    made.z = viewport_clamped(made.z, -VIEWPORT_DEPTH_MAX, VIEWPORT_DEPTH_MAX); /* a quotient that overflows */
    codes |= viewport_code(drop, SCH_OUTSIDE_DROP);
    const vi32 kept = (vi32)(codes == 0);
    return (struct viewport_window){.x = (viewport_snapped(place[0]) + shift) & kept,
                                    .y = (viewport_snapped(place[1]) + shift) & kept,
                                    .codes = codes,
                                    .z = (vf32)((vi32)made.z & kept),
                                    .inverse_w = (vf32)((vi32)made.inverse_w & kept)};
}

/* See raster.def. */
void OPS_LOCAL(viewport)(struct sch_window_lanes *window, const struct sch_lanes position[4],
                         const struct sch_viewport *viewport, const struct sch_viewport_key *key);
void OPS_LOCAL(viewport)(struct sch_window_lanes *window, const struct sch_lanes position[4],
                         const struct sch_viewport *viewport, const struct sch_viewport_key *key)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const struct viewport_window made =
            viewport_vector(ops_load_F(&position[0], v), ops_load_F(&position[1], v), ops_load_F(&position[2], v),
                            ops_load_F(&position[3], v), viewport, key);
        ops_put_I(&window->x, v, made.x);
        ops_put_I(&window->y, v, made.y);
        ops_put_F(&window->z, v, made.z);
        ops_put_F(&window->inverse_w, v, made.inverse_w);
        ops_put_I(&window->codes, v, made.codes);
    }
}

/* Positions become corners; answers codes. */
OPS_INLINE vi32 viewport_row(vu32 word[4], const struct sch_viewport *viewport, const struct sch_viewport_key *key)
{
    const struct viewport_window made =
        viewport_vector((vf32)word[0], (vf32)word[1], (vf32)word[2], (vf32)word[3], viewport, key);
    word[0] = (vu32)made.x;
    word[1] = (vu32)made.y;
    word[2] = (vu32)made.z;
    word[3] = (vu32)made.inverse_w;
    return made.codes;
}

OPS_INLINE struct sch_window_vertex viewport_lane(const vu32 word[4], uint32_t lane)
{
    const vf32 z = (vf32)word[2], inverse_w = (vf32)word[3];
    return (struct sch_window_vertex){(int32_t)word[0][lane], (int32_t)word[1][lane], z[lane], inverse_w[lane]};
}

/* See raster.def. Where there is not one vector of vertices, lanes past the last one are that again. */
uint32_t OPS_LOCAL(viewport_vertices)(struct sch_window_vertex *corners, uint32_t *codes, const uint32_t *position,
                                      uint32_t stride, uint32_t count, const struct sch_viewport *viewport,
                                      const struct sch_viewport_key *key);
uint32_t OPS_LOCAL(viewport_vertices)(struct sch_window_vertex *corners, uint32_t *codes, const uint32_t *position,
                                      uint32_t stride, uint32_t count, const struct sch_viewport *viewport,
                                      const struct sch_viewport_key *key)
{
    vi32 any = v_splat_i32(0);
    vu32 word[4];
    for (uint32_t first = 0, next; first < count && count >= SCH_LANES; first = next) {
        const uint32_t last = count - SCH_LANES; /* whose vector has lanes that the one before has, too */
        v_load_rows_u32x4(position + (size_t)first * stride, stride * sizeof *position, word);
        const vi32 made = viewport_row(word, viewport, key);
        v_store_rows_u32x4(corners + first, sizeof *corners, word);
        v_store_i32(codes + first, made);
        any |= made;
        next = first < last && first + SCH_LANES > last ? last : first + SCH_LANES;
    }
    if (count < SCH_LANES && count) {
        const vi32 lane = v_min_i32(v_lane_i32(), v_splat_i32((int32_t)(count - 1)));
        v_gather_near_u32x4(position, lane * (int32_t)(stride * sizeof *position), word);
        const vi32 made = viewport_row(word, viewport, key);
        for (uint32_t i = 0; i < count; i++) {
            corners[i] = viewport_lane(word, i);
            codes[i] = (uint32_t)made[i];
        }
        any |= made;
    }
    uint32_t all = 0;
    V_EACH_LANE(i) all |= (uint32_t)any[i];
    return all;
}
