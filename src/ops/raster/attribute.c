/* What is interpolated over a primitive: weights, depth, attributes and POSITION at places in sub-pixels. Which place
 * an input is evaluated at, and which vertices there are, is src/pipeline's. The steps are those of docs/pipeline.md,
 * "Interpolation": edge functions are whole numbers in doubles, nothing is fused. */
#include <stddef.h>

#include "ops/op.h"

enum { ATTRIBUTE_VECTOR_QUADS = SCH_LANES / SCH_QUAD_LANES };

/* ---- what lanes have of their quad ---- */

/* A value of each quad of a vector, in the quad's lanes. */
#define ATTRIBUTE_FOUR(x) x, x, x, x
#if SCH_LANES == 4
#define ATTRIBUTE_QUADS(of)                                                                                            \
    {                                                                                                                  \
        ATTRIBUTE_FOUR(of(0))                                                                                          \
    }
#elif SCH_LANES == 8
#define ATTRIBUTE_QUADS(of)                                                                                            \
    {                                                                                                                  \
        ATTRIBUTE_FOUR(of(0)), ATTRIBUTE_FOUR(of(1))                                                                   \
    }
#else
#define ATTRIBUTE_QUADS(of)                                                                                            \
    {                                                                                                                  \
        ATTRIBUTE_FOUR(of(0)), ATTRIBUTE_FOUR(of(1)), ATTRIBUTE_FOUR(of(2)), ATTRIBUTE_FOUR(of(3))                     \
    }
#endif

OPS_INLINE vi32 attribute_of_quads_i32(const int32_t *values, unsigned v)
{
    values += v * ATTRIBUTE_VECTOR_QUADS;
#define OF(q) values[q]
    return (vi32)ATTRIBUTE_QUADS(OF);
#undef OF
}

/* The double, the float at an offset in the primitives. */
OPS_INLINE vf64 attribute_f64(const struct sch_quads *quads, unsigned v, bool same, size_t offset)
{
    const struct sch_interpolant *const *of = quads->of + (same ? 0 : v * ATTRIBUTE_VECTOR_QUADS);
#define OF(q) (*(const double *)((const char *)of[same ? 0 : (q)] + offset))
    return (vf64)ATTRIBUTE_QUADS(OF);
#undef OF
}
OPS_INLINE vf32 attribute_f32(const struct sch_quads *quads, unsigned v, bool same, size_t offset)
{
    const struct sch_interpolant *const *of = quads->of + (same ? 0 : v * ATTRIBUTE_VECTOR_QUADS);
#define OF(q) (*(const float *)((const char *)of[same ? 0 : (q)] + offset))
    return (vf32)ATTRIBUTE_QUADS(OF);
#undef OF
}
#define ATTRIBUTE_F64(member) attribute_f64(quads, v, same, offsetof(struct sch_interpolant, member))
#define ATTRIBUTE_F32(member) attribute_f32(quads, v, same, offsetof(struct sch_interpolant, member))

OPS_INLINE vi32 attribute_perspective(const struct sch_quads *quads, unsigned v, bool same)
{
    const struct sch_interpolant *const *of = quads->of + (same ? 0 : v * ATTRIBUTE_VECTOR_QUADS);
#define OF(q) (-(int32_t)of[same ? 0 : (q)]->perspective)
    return (vi32)ATTRIBUTE_QUADS(OF);
#undef OF
}

/* A word of a vertex. */
OPS_INLINE vf32 attribute_vertex(const struct sch_quads *quads, unsigned v, bool same, unsigned vertex, unsigned word)
{
    const uint32_t *const(*of)[3] = quads->vertex + (same ? 0 : v * ATTRIBUTE_VECTOR_QUADS);
#define OF(q) of[same ? 0 : (q)][vertex][word]
    return (vf32)(vu32)ATTRIBUTE_QUADS(OF);
#undef OF
}

/* ---- places ---- */

OPS_INLINE vi32 attribute_lanes(unsigned v) { return v_lane_i32() + (int32_t)(v * SCH_LANES); }

/* The centres of pixels. */
OPS_INLINE vi32 attribute_center_x(const struct sch_quads *quads, unsigned v)
{
    return (attribute_of_quads_i32(quads->x, v) + (attribute_lanes(v) & 1)) * SCH_SUBPIXELS + SCH_SUBPIXELS / 2;
}
OPS_INLINE vi32 attribute_center_y(const struct sch_quads *quads, unsigned v)
{
    return (attribute_of_quads_i32(quads->y, v) + (attribute_lanes(v) >> 1 & 1)) * SCH_SUBPIXELS + SCH_SUBPIXELS / 2;
}

/* See raster.def. */
void OPS_LOCAL(places)(struct sch_lane_places *places, const struct sch_quads *quads, int32_t x, int32_t y);
void OPS_LOCAL(places)(struct sch_lane_places *places, const struct sch_quads *quads, int32_t x, int32_t y)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        ops_store_I(&places->x, v, 0, attribute_center_x(quads, v) + x);
        ops_store_I(&places->y, v, 0, attribute_center_y(quads, v) + y);
    }
}

/* See raster.def. D3D 3.5.5: the centre where all samples are covered; else the first one that is covered and in the
 * sample mask; where there is none, the first one of the sample mask, or the centre if the mask has all. */
void OPS_LOCAL(places_centroid)(struct sch_lane_places *places, const struct sch_quads *quads, const uint32_t *masks,
                                uint32_t sample_mask, const struct sch_sample_pattern *pattern);
void OPS_LOCAL(places_centroid)(struct sch_lane_places *places, const struct sch_quads *quads, const uint32_t *masks,
                                uint32_t sample_mask, const struct sch_sample_pattern *pattern)
{
    const uint32_t samples = (UINT32_C(2) << (pattern->samples - 1)) - 1;
    uint32_t all = UINT32_MAX, first = 0;
    for (uint32_t s = 0; s < pattern->samples; s++) all &= masks[s];
    sample_mask &= samples;
    while (sample_mask != samples && sample_mask >> first && !(sample_mask >> first & 1)) first++;
    const bool centered = sample_mask == samples || !sample_mask;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vi32 x = v_splat_i32(centered ? 0 : pattern->x[first]), y = v_splat_i32(centered ? 0 : pattern->y[first]);
        for (uint32_t s = pattern->samples; s-- > 0;) {
            if (!(sample_mask >> s & 1)) continue;
            const vi32 covered = v_mask_from_bits(masks[s] >> (v * SCH_LANES));
            x = v_select_i32(covered, v_splat_i32(pattern->x[s]), x);
            y = v_select_i32(covered, v_splat_i32(pattern->y[s]), y);
        }
        const vi32 partial = ~v_mask_from_bits(all >> (v * SCH_LANES));
        ops_store_I(&places->x, v, 0, attribute_center_x(quads, v) + (x & partial));
        ops_store_I(&places->y, v, 0, attribute_center_y(quads, v) + (y & partial));
    }
}

/* An offset in pixels as sub-pixels, a multiple of a sixteenth pixel: nearest, ties to even. NaN is 0, and offsets are
 * limited to 1024 pixels. Adding 1.5 * 2^23 makes the sum's last place 1. */
OPS_INLINE vi32 attribute_offset(vf32 offset)
{
    offset = (vf32)((vi32)offset & (vi32)(offset == offset));
    offset = v_less_f32(v_greater_f32(offset, v_splat_f32(-1024.0f)), v_splat_f32(1024.0f));
    return (v_as_i32(offset * 16.0f + 0x1.8p23f) - 0x4b400000) * (SCH_SUBPIXELS / 16);
}

/* See raster.def. */
void OPS_LOCAL(places_offset)(struct sch_lane_places *places, const struct sch_quads *quads, const struct sch_lanes *x,
                              const struct sch_lanes *y);
void OPS_LOCAL(places_offset)(struct sch_lane_places *places, const struct sch_quads *quads, const struct sch_lanes *x,
                              const struct sch_lanes *y)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        ops_store_I(&places->x, v, 0, attribute_center_x(quads, v) + attribute_offset(ops_load_F(x, v)));
        ops_store_I(&places->y, v, 0, attribute_center_y(quads, v) + attribute_offset(ops_load_F(y, v)));
    }
}

/* ---- edge functions and weights ---- */

struct attribute_edges {
    vf64 e1, e2;
};

/* E1 and E2: exact, whatever the order. */
OPS_INLINE struct attribute_edges attribute_edges(const struct sch_quads *quads, const struct sch_lane_places *places,
                                                  unsigned v, bool same)
{
    const vf64 x = v_f64_from_i32(ops_load_I(&places->x, v)), y = v_f64_from_i32(ops_load_I(&places->y, v));
    return (struct attribute_edges){.e1 = (ATTRIBUTE_F64(e1[0]) + ATTRIBUTE_F64(e1[1]) * x) + ATTRIBUTE_F64(e1[2]) * y,
                                    .e2 = (ATTRIBUTE_F64(e2[0]) + ATTRIBUTE_F64(e2[1]) * x) + ATTRIBUTE_F64(e2[2]) * y};
}

/* The three as floats, multiplied by 1 / w. */
struct attribute_terms {
    vf32 u0, u1, u2;
};

OPS_INLINE struct attribute_terms attribute_terms(const struct sch_quads *quads, const struct attribute_edges *edges,
                                                  unsigned v, bool same)
{
    const vf64 e0 = (ATTRIBUTE_F64(area) - edges->e1) - edges->e2;
    return (struct attribute_terms){.u0 = v_f32_from_f64(e0) * ATTRIBUTE_F32(inverse_w[0]),
                                    .u1 = v_f32_from_f64(edges->e1) * ATTRIBUTE_F32(inverse_w[1]),
                                    .u2 = v_f32_from_f64(edges->e2) * ATTRIBUTE_F32(inverse_w[2])};
}

OPS_INLINE void attribute_linear(struct sch_weights *weights, const struct sch_quads *quads,
                                 const struct attribute_edges *edges, unsigned v, bool same)
{
    const vf32 inverse_area = v_f32_from_f64(ATTRIBUTE_F64(inverse_area));
    ops_store_F(&weights->l1, v, 0, v_f32_from_f64(edges->e1) * inverse_area);
    ops_store_F(&weights->l2, v, 0, v_f32_from_f64(edges->e2) * inverse_area);
}

OPS_INLINE void attribute_perspective_weights(struct sch_weights *weights, const struct sch_quads *quads,
                                              const struct attribute_edges *edges, unsigned v, bool same)
{
    const struct attribute_terms terms = attribute_terms(quads, edges, v, same);
    const vf32 r = 1.0f / (terms.u0 + (terms.u1 + terms.u2));
    vf32 l1 = terms.u1 * r, l2 = terms.u2 * r;
    if (!same) {
        const vf32 inverse_area = v_f32_from_f64(ATTRIBUTE_F64(inverse_area));
        const vi32 perspective = attribute_perspective(quads, v, same);
        l1 = v_select_f32(perspective, l1, v_f32_from_f64(edges->e1) * inverse_area);
        l2 = v_select_f32(perspective, l2, v_f32_from_f64(edges->e2) * inverse_area);
    }
    ops_store_F(&weights->l1, v, 0, l1);
    ops_store_F(&weights->l2, v, 0, l2);
}

OPS_INLINE void attribute_weights(struct sch_weights *perspective, struct sch_weights *linear,
                                  const struct sch_quads *quads, const struct sch_lane_places *places, bool same)
{
    const bool flat = same && !quads->of[0]->perspective;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const struct attribute_edges edges = attribute_edges(quads, places, v, same);
        if (linear) attribute_linear(linear, quads, &edges, v, same);
        if (perspective && flat) attribute_linear(perspective, quads, &edges, v, same);
        if (perspective && !flat) attribute_perspective_weights(perspective, quads, &edges, v, same);
    }
}

/* See raster.def. */
void OPS_LOCAL(weights)(struct sch_weights *perspective, struct sch_weights *linear, const struct sch_quads *quads,
                        const struct sch_lane_places *places);
void OPS_LOCAL(weights)(struct sch_weights *perspective, struct sch_weights *linear, const struct sch_quads *quads,
                        const struct sch_lane_places *places)
{
    if (quads->same)
        attribute_weights(perspective, linear, quads, places, true);
    else
        attribute_weights(perspective, linear, quads, places, false);
}

/* ---- values ---- */

/* Equal values have the difference 0, infinities, too, so that what is constant stays. */
OPS_INLINE vf32 attribute_difference(vf32 a, vf32 b) { return (vf32)((vi32)(a - b) & (vi32)(a != b)); }

OPS_INLINE void attribute_channel(struct sch_lanes *dst, const struct sch_weights *weights,
                                  const struct sch_quads *quads, unsigned word, bool same)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const vf32 a0 = attribute_vertex(quads, v, same, 0, word);
        const vf32 d1 = attribute_difference(attribute_vertex(quads, v, same, 1, word), a0);
        const vf32 d2 = attribute_difference(attribute_vertex(quads, v, same, 2, word), a0);
        const vf32 value = (ops_load_F(&weights->l1, v) * d1 + a0) + ops_load_F(&weights->l2, v) * d2;
        ops_store_F(dst, v, SCH_OPF_CANON, value);
    }
}

/* See raster.def. */
void OPS_LOCAL(attributes)(struct sch_lanes dst[4], unsigned mask, const struct sch_weights *weights,
                           const struct sch_quads *quads, unsigned word);
void OPS_LOCAL(attributes)(struct sch_lanes dst[4], unsigned mask, const struct sch_weights *weights,
                           const struct sch_quads *quads, unsigned word)
{
    for (unsigned channel = 0; channel < 4; channel++) {
        if (!(mask >> channel & 1)) continue;
        if (quads->same)
            attribute_channel(&dst[channel], weights, quads, word + channel, true);
        else
            attribute_channel(&dst[channel], weights, quads, word + channel, false);
    }
}

/* See raster.def. */
void OPS_LOCAL(constants)(struct sch_lanes dst[4], unsigned mask, const struct sch_quads *quads, unsigned word);
void OPS_LOCAL(constants)(struct sch_lanes dst[4], unsigned mask, const struct sch_quads *quads, unsigned word)
{
    for (unsigned channel = 0; channel < 4; channel++) {
        if (!(mask >> channel & 1)) continue;
        for (unsigned v = 0; v < OPS_VECTORS; v++) {
            const uint32_t *const *of = quads->provoking + v * ATTRIBUTE_VECTOR_QUADS;
#define OF(q) of[q][word + channel]
            ops_store_U(&dst[channel], v, 0, (vu32)ATTRIBUTE_QUADS(OF));
#undef OF
        }
    }
}

OPS_INLINE vf64 attribute_depth(const struct sch_quads *quads, const struct sch_lane_places *places, unsigned v,
                                bool same)
{
    const struct attribute_edges edges = attribute_edges(quads, places, v, same);
    return (ATTRIBUTE_F64(depth[0]) + edges.e1 * ATTRIBUTE_F64(depth[1])) + edges.e2 * ATTRIBUTE_F64(depth[2]);
}

/* See raster.def. */
void OPS_LOCAL(depth)(struct sch_double_lanes *z, const struct sch_quads *quads, const struct sch_lane_places *places);
void OPS_LOCAL(depth)(struct sch_double_lanes *z, const struct sch_quads *quads, const struct sch_lane_places *places)
{
    if (quads->same) {
        for (unsigned v = 0; v < OPS_VECTORS; v++)
            *(v_mem_f64 *)(z->d + v * SCH_LANES) = attribute_depth(quads, places, v, true);
        return;
    }
    for (unsigned v = 0; v < OPS_VECTORS; v++)
        *(v_mem_f64 *)(z->d + v * SCH_LANES) = attribute_depth(quads, places, v, false);
}

/* See raster.def. */
void OPS_LOCAL(depth_range)(struct sch_lanes *min, struct sch_lanes *max, const struct sch_quads *quads);
void OPS_LOCAL(depth_range)(struct sch_lanes *min, struct sch_lanes *max, const struct sch_quads *quads)
{
    const bool same = false;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        ops_store_F(min, v, 0, ATTRIBUTE_F32(depth_min));
        ops_store_F(max, v, 0, ATTRIBUTE_F32(depth_max));
    }
}

/* ---- POSITION ---- */

/* Sub-pixels as pixels: exact. */
OPS_INLINE vf32 attribute_pixels(vi32 place, const struct sch_position_key *key)
{
    return v_f32_from_i32(place - (key->integer_center ? SCH_SUBPIXELS / 2 : 0)) * (1.0f / SCH_SUBPIXELS);
}

/* Within the range that depth is clamped to; NaN is its lower end. */
OPS_INLINE vf32 attribute_window_z(const struct sch_quads *quads, const struct sch_lane_places *places, unsigned v)
{
    const bool same = false;
    vf64 z = attribute_depth(quads, places, v, same);
    const vf64 least = v_f64_from_f32(ATTRIBUTE_F32(depth_min)), most = v_f64_from_f32(ATTRIBUTE_F32(depth_max));
    z = v_select_f64((vi64)(z > least), z, least);
    z = v_select_f64((vi64)(z < most), z, most);
    return v_f32_from_f64(z);
}

/* 1 / w changes linearly in the window. */
OPS_INLINE vf32 attribute_inverse_w(const struct sch_quads *quads, const struct sch_lane_places *places, unsigned v)
{
    const bool same = false;
    const struct attribute_edges edges = attribute_edges(quads, places, v, same);
    const struct attribute_terms terms = attribute_terms(quads, &edges, v, same);
    const vf64 sum = v_f64_from_f32(terms.u0 + (terms.u1 + terms.u2));
    const vf32 value = v_f32_from_f64(sum * ATTRIBUTE_F64(w_unit));
    return v_select_f32(attribute_perspective(quads, v, same), value, ATTRIBUTE_F32(inverse_w[0]));
}

/* See raster.def. */
void OPS_LOCAL(position)(struct sch_lanes dst[4], unsigned mask, const struct sch_position_key *key,
                         const struct sch_quads *quads, const struct sch_lane_places *places);
void OPS_LOCAL(position)(struct sch_lanes dst[4], unsigned mask, const struct sch_position_key *key,
                         const struct sch_quads *quads, const struct sch_lane_places *places)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vi32 y = ops_load_I(&places->y, v);
        if (key->lower_left) y = (int32_t)(key->height * SCH_SUBPIXELS) - y;
        if (mask & 1) ops_store_F(&dst[0], v, 0, attribute_pixels(ops_load_I(&places->x, v), key));
        if (mask & 2) ops_store_F(&dst[1], v, 0, attribute_pixels(y, key));
        if (mask & 4) ops_store_F(&dst[2], v, 0, attribute_window_z(quads, places, v));
        if (!(mask & 8)) continue;
        const vf32 inverse = attribute_inverse_w(quads, places, v);
        ops_store_F(&dst[3], v, SCH_OPF_CANON, key->clip_w ? 1.0f / inverse : inverse);
    }
}
