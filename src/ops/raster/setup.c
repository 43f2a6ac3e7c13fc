/* Setup of triangles, a vector of them at a time: which ones can be seen, the order of interpolation, edges by the
 * top-left rule, depth and its offset, 1 / w (docs/pipeline.md, "Triangles"). Holds no state (src/pipeline/triangle.c)
 * and no coverage.
 *
 * Corners are whole numbers below 2^24 in the guard band. So products and sums of what they differ by are below 2^53,
 * and exact in double. Nothing is fused. */
#include <stddef.h>

#include "ops/op.h"

/* A corner of each triangle. */
struct setup_corner {
    vi32 x, y;
    vf32 z, inverse_w;
    vi32 vertex;
};

struct setup_edge {
    vi32 a, b;
};

/* The bits of a vector's lanes. */
enum { SETUP_LANES = (1 << SCH_LANES) - 1 };

/* Records to write: lane i's is `offset` bytes after `records`. */
struct setup_places {
    struct sch_raster_primitive *records;
    uint32_t offset[SCH_LANES];
};

/* ---- which ones ---- */

/* The triangles of a vector: lanes off the mask have the first one, in `some`. */
OPS_INLINE const struct sch_assembled_primitive *setup_rows(const struct sch_assembled_primitive *triangles, unsigned v,
                                                            uint32_t lanes, struct sch_assembled_primitive *some)
{
    const struct sch_assembled_primitive *rows = triangles + (size_t)v * SCH_LANES;
    if (lanes == SETUP_LANES) return rows;
    for (unsigned i = 0; i < SCH_LANES; i++) some[i] = lanes >> i & 1 ? rows[i] : triangles[0];
    return some;
}

OPS_INLINE struct setup_corner setup_corner(const struct sch_window_vertex *corners,
                                            const struct sch_assembled_primitive *rows, unsigned i, vu32 vertex)
{
    vu32 word[4];
    v_gather_rows_u32x4(corners, sizeof *corners, &rows->vertex[i], sizeof *rows, word);
    return (struct setup_corner){(vi32)word[0], (vi32)word[1], (vf32)word[2], (vf32)word[3], (vi32)vertex};
}

/* Twice the area, clockwise positive. */
OPS_INLINE vhf64 setup_area(const struct setup_corner c[3], int half)
{
    const vhf64 bx = v_half_f64_from_i32(c[1].x - c[0].x, half), by = v_half_f64_from_i32(c[1].y - c[0].y, half);
    const vhf64 cx = v_half_f64_from_i32(c[2].x - c[0].x, half), cy = v_half_f64_from_i32(c[2].y - c[0].y, half);
    return bx * cy - cx * by;
}

OPS_INLINE vi32 setup_least(vi32 a, vi32 b, vi32 c) { return v_min_i32(v_min_i32(a, b), c); }
OPS_INLINE vi32 setup_most(vi32 a, vi32 b, vi32 c) { return v_max_i32(v_max_i32(a, b), c); }

/* Pixels whose centres are at most `reach` from the corners' box: 2 * (256 * x + 128) >= 2 * low - reach, and so on. */
OPS_INLINE void setup_box(vi32 box[4], const struct setup_corner c[3], const struct sch_setup *setup,
                          const struct sch_setup_viewport *in)
{
    const vi32 low[2] = {setup_least(c[0].x, c[1].x, c[2].x), setup_least(c[0].y, c[1].y, c[2].y)};
    const vi32 high[2] = {setup_most(c[0].x, c[1].x, c[2].x), setup_most(c[0].y, c[1].y, c[2].y)};
    for (unsigned axis = 0; axis < 2; axis++) {
        const vi32 first = (2 * low[axis] + (SCH_SUBPIXELS - 1 - setup->reach)) >> 9;
        const vi32 last = (2 * high[axis] + (SCH_SUBPIXELS + setup->reach)) >> 9;
        box[axis] = v_max_i32(first, v_splat_i32(in->box[axis]));
        box[2 + axis] = v_min_i32(last, v_splat_i32(in->box[2 + axis]));
    }
}

OPS_INLINE vi32 setup_mask(bool value) { return v_splat_i32(-(int32_t)value); }

/* Those that have area and pixels and whose face is not culled; of the area, which is a whole number, the upper words
 * say whether it is 0 or less. */
OPS_INLINE vi32 setup_seen(const struct sch_setup *setup, vi32 area, vi32 back, const vi32 box[4])
{
    const vi32 culled =
        (back & setup_mask(setup->cull_face & SCH_FACE_BACK)) | (~back & setup_mask(setup->cull_face & SCH_FACE_FRONT));
    return (vi32)((area & INT32_MAX) != 0) & ~culled & (vi32)(box[0] < box[2]) & (vi32)(box[1] < box[3]);
}

/* ---- the order of interpolation ---- */

OPS_INLINE struct setup_corner setup_select(vi32 mask, struct setup_corner a, struct setup_corner b)
{
    return (struct setup_corner){v_select_i32(mask, a.x, b.x), v_select_i32(mask, a.y, b.y),
                                 v_select_f32(mask, a.z, b.z), v_select_f32(mask, a.inverse_w, b.inverse_w),
                                 v_select_i32(mask, a.vertex, b.vertex)};
}

/* Whether a is lower in (y, x). */
OPS_INLINE vi32 setup_before(const struct setup_corner *a, const struct setup_corner *b)
{
    const vi32 beside = (vi32)(a->y == b->y) & (vi32)(a->x < b->x);
    return (vi32)(a->y < b->y) | beside;
}

/* The lowest one first, then clockwise; corners of triangles with area are three places. */
OPS_INLINE void setup_order(struct setup_corner c[3], vi32 counter)
{
    const struct setup_corner a = c[0], b = setup_select(counter, c[2], c[1]), d = setup_select(counter, c[1], c[2]);
    const vi32 third = setup_before(&d, &a) & setup_before(&d, &b), second = ~third & setup_before(&b, &a);
    c[0] = setup_select(third, d, setup_select(second, b, a));
    c[1] = setup_select(third, a, setup_select(second, d, b));
    c[2] = setup_select(third, b, setup_select(second, a, d));
}

/* ---- edges ---- */

/* From one corner to the next, clockwise: >= 0 on the right hand side. */
OPS_INLINE struct setup_edge setup_edge(const struct setup_corner *from, const struct setup_corner *to)
{
    return (struct setup_edge){.a = from->y - to->y, .b = to->x - from->x};
}

/* c of c + a * x + b * y, which is 0 at a corner. */
OPS_INLINE vhf64 setup_constant(const struct setup_edge *edge, const struct setup_corner *at, int half)
{
    return 0.0 - (v_half_f64_from_i32(edge->a, half) * v_half_f64_from_i32(at->x, half) +
                  v_half_f64_from_i32(edge->b, half) * v_half_f64_from_i32(at->y, half));
}

/* A left edge has a > 0, a top edge a = 0 and b > 0 (D3D 3.4.2.1). */
OPS_INLINE vi32 setup_bias(const struct setup_edge *edge, const struct sch_setup *setup)
{
    if (setup->conservative) return v_splat_i32(0);
    const vi32 right = (vi32)(edge->b > 0) ^ setup_mask(setup->bottom_edge_rule);
    return ~((vi32)(edge->a > 0) | ((vi32)(edge->a == 0) & right));
}

/* A whole number below 2^51. */
OPS_INLINE vhi64 setup_whole(vhf64 value)
{
    const vhf64 magic = v_half_splat_f64(0x1.8p52);
    return (vhi64)(value + magic) - (vhi64)magic;
}

OPS_INLINE vi32 setup_absolute(vi32 value) { return v_max_i32(value, -value); }

/* Inside is where the square of the pixel, closed, meets the closed triangle: past its edges and its box there is
 * nothing else that separates two convex shapes. */
OPS_INLINE vhi64 setup_widened(vhi64 c, const struct setup_edge *edge, const struct sch_setup *setup, int half)
{
    if (!setup->conservative) return c;
    const vhi64 reach = v_half_i64_from_i32(setup_absolute(edge->a) + setup_absolute(edge->b), half) * setup->reach;
    return c + (reach >> 1);
}

#define SETUP_OFFSET(member) setup_at(places->records, offsetof(struct sch_raster_primitive, member)), places->offset

OPS_INLINE void *setup_at(struct sch_raster_primitive *records, size_t offset) { return (char *)records + offset; }

/* What is in struct sch_edge besides c. */
OPS_INLINE vhu64 setup_steps(const struct setup_edge *edge, int half)
{
    return v_half_join_u64((vu32)edge->a, (vu32)edge->b, half);
}

_Static_assert(sizeof(struct sch_edge) == 24 && offsetof(struct sch_edge, a) == 8 &&
                   offsetof(struct sch_edge, b) == 12 && offsetof(struct sch_edge, bias) == 16,
               "edges are stored in pairs of eight bytes");

OPS_INLINE void setup_store_edges(const struct setup_places *places, const struct setup_edge edges[3],
                                  const vhf64 constant[3], const struct sch_setup *setup, int half)
{
    vhu64 c[3], steps[3], bias[3];
    for (unsigned e = 0; e < 3; e++) {
        c[e] = (vhu64)setup_widened(setup_whole(constant[e]), &edges[e], setup, half);
        steps[e] = setup_steps(&edges[e], half);
        bias[e] = v_half_u64_from_u32((vu32)setup_bias(&edges[e], setup), half);
    }
    v_half_scatter_rows_u64x2(SETUP_OFFSET(edges[0].c), half, c[0], steps[0]);
    v_half_scatter_rows_u64x2(SETUP_OFFSET(edges[0].bias), half, bias[0], c[1]);
    v_half_scatter_rows_u64x2(SETUP_OFFSET(edges[1].a), half, steps[1], bias[1]);
    v_half_scatter_rows_u64x2(SETUP_OFFSET(edges[2].c), half, c[2], steps[2]);
    v_half_scatter_rows_u64x2(SETUP_OFFSET(edges[2].bias), half, bias[2], (vhu64){0}); /* the fourth edge is not used */
}

/* ---- coverage of small triangles ---- */

/* An edge function in a window of 8 x 4 pixels: its value at the first one, and its change from pixel to pixel. */
struct setup_steps {
    vi32 first, a, b;
};

/* Corners are in their order. Whether the window has all pixels of the box, and edge functions in it are words of 32
 * bits: they are, where corners are less than 16 pixels from each other, and so less than 24 from all pixels of a
 * window that begins among them. */
OPS_INLINE vi32 setup_small(const struct setup_corner c[3], const vi32 box[4], const vi32 begin[2])
{
    const vi32 wide = setup_most(c[0].x, c[1].x, c[2].x) - setup_least(c[0].x, c[1].x, c[2].x);
    const vi32 high = v_max_i32(c[1].y, c[2].y) - c[0].y; /* which is the lowest */
    return (vi32)(wide < 16 * SCH_SUBPIXELS) & (vi32)(high < 16 * SCH_SUBPIXELS) &
           (vi32)(box[2] - begin[0] <= SCH_BLOCK_WIDTH) & (vi32)(box[3] - begin[1] <= SCH_BLOCK_HEIGHT);
}

OPS_INLINE struct setup_steps setup_steps_of(const struct sch_setup *setup, const struct setup_edge *edge,
                                             const struct setup_corner *at, const vi32 begin[2])
{
    const vi32 x = begin[0] * SCH_SUBPIXELS + SCH_SUBPIXELS / 2 - at->x;
    const vi32 y = begin[1] * SCH_SUBPIXELS + SCH_SUBPIXELS / 2 - at->y;
    return (struct setup_steps){edge->a * x + edge->b * y + setup_bias(edge, setup), edge->a * SCH_SUBPIXELS,
                                edge->b * SCH_SUBPIXELS};
}

/* The lanes of the window's part of 4 x 2 that are outside of an edge: its sign says it. */
OPS_INLINE vu32 setup_part(const struct setup_steps steps[3], int32_t part)
{
    enum { LANES = 2 * SCH_QUAD_LANES };
    vi32 any[LANES];
    V_UNROLL
    for (unsigned e = 0; e < 3; e++) {
        vi32 at = steps[e].first + steps[e].a * (part % 2 * 4) + steps[e].b * (part / 2 * 2);
        V_UNROLL
        for (unsigned i = 0; i < 4; i++) {
            const unsigned upper = i / 2 * SCH_QUAD_LANES + i % 2, lower = upper + 2;
            any[upper] = e ? any[upper] | at : at;
            any[lower] = e ? any[lower] | (at + steps[e].b) : at + steps[e].b;
            at += steps[e].a;
        }
    }
    vu32 outside = v_splat_u32(0);
    V_UNROLL
    for (unsigned n = 0; n < LANES; n++) outside |= (vu32)any[n] >> 31 << (LANES * (unsigned)part + n);
    return outside;
}

/* The lanes of the window that are in the box: of its first column and row those from the box's first on, and as far as
 * it is wide and high. Quads have lanes 0 and 2 in a column, 0 and 1 in a row. */
OPS_INLINE vu32 setup_box_lanes(const vi32 box[4], const vi32 begin[2])
{
    const vi32 wide = box[2] - begin[0], high = box[3] - begin[1];
    const vu32 quads = v_shl_u32(v_splat_u32(1), (vu32)(wide & ~1) * 2u);
    const vu32 columns = quads + ((vu32)(-(wide & 1)) & quads * 5u) - 1u;
    vu32 rows = v_splat_u32(0x3333);
    rows |= (vu32)(high > 1) & 0xccccu;
    rows |= (vu32)(high > 2) & 0x33330000u;
    rows |= (vu32)(high > 3) & 0xcccc0000u;
    const vu32 before = ((vu32)(-(box[0] & 1)) & 0x00050005u) | ((vu32)(-(box[1] & 1)) & 0x3333u);
    return (columns | columns << 16) & rows & ~before;
}

/* Small triangles, and the lanes that they cover of the window that begins in their box's first quad. */
struct setup_covered {
    vi32 small;
    vu32 lanes;
};

OPS_INLINE struct setup_covered setup_covered(const struct sch_setup *setup, const struct setup_corner c[3],
                                              const struct setup_edge edges[3], const vi32 box[4])
{
    const vi32 begin[2] = {box[0] & ~1, box[1] & ~1}, small = setup_small(c, box, begin);
    if (!v_any(small)) return (struct setup_covered){small, v_splat_u32(0)};
    const bool wide = v_any(small & (vi32)(box[2] - begin[0] > SCH_BLOCK_WIDTH / 2));
    const bool high = v_any(small & (vi32)(box[3] - begin[1] > SCH_BLOCK_HEIGHT / 2));
    struct setup_steps steps[3];
    V_UNROLL
    for (unsigned e = 0; e < 3; e++) steps[e] = setup_steps_of(setup, &edges[e], &c[(e + 1) % 3], begin);
    vu32 outside = setup_part(steps, 0);
    if (wide) outside |= setup_part(steps, 1);
    if (high) outside |= setup_part(steps, 2);
    if (wide && high) outside |= setup_part(steps, 3);
    return (struct setup_covered){small, setup_box_lanes(box, begin) & ~outside};
}

/* ---- depth ---- */

OPS_INLINE vhf64 setup_select_f64(vhi64 mask, vhf64 a, vhf64 b)
{
    return (vhf64)(((vhi64)a & mask) | ((vhi64)b & ~mask));
}
OPS_INLINE vhf64 setup_at_most(vhf64 v, vhf64 most) { return setup_select_f64((vhi64)(v > most), most, v); }
OPS_INLINE vhf64 setup_at_least(vhf64 v, vhf64 least) { return setup_select_f64((vhi64)(v < least), least, v); }
OPS_INLINE vhf64 setup_absolute_f64(vhf64 v) { return (vhf64)((vhu64)v & (UINT64_MAX >> 1)); }

/* 2^exponent of normal numbers. */
OPS_INLINE vhf64 setup_power(vi32 exponent, int half)
{
    return (vhf64)v_half_join_u64(v_splat_u32(0), (vu32)((exponent + 1023) << 20), half);
}

/* 2^(e - 23) of the largest |z|, e its exponent. */
OPS_INLINE vhf64 setup_float_unit(const struct setup_corner c[3], int half)
{
    vi32 exponent = v_splat_i32(1);
    for (unsigned i = 0; i < 3; i++) exponent = v_max_i32(exponent, (vi32)c[i].z >> 23 & 255);
    return setup_power(exponent - (127 + 23), half);
}

/* What depth changes from pixel to pixel is dx and dy; where scale is 0 it has no part in the offset, be it what it may
 * (D3D 15.10). */
OPS_INLINE vhf64 setup_depth_offset(const struct sch_setup *setup, const struct setup_corner c[3], vhf64 dx, vhf64 dy,
                                    int half)
{
    vhf64 offset = v_half_splat_f64(setup->offset_units);
    if (!setup->offset_unscaled)
        offset = offset * (setup->depth_unit > 0 ? v_half_splat_f64(setup->depth_unit) : setup_float_unit(c, half));
    if (setup->offset_scale < 0 || setup->offset_scale > 0) {
        dx = setup_absolute_f64(dx);
        dy = setup_absolute_f64(dy);
        offset = setup_select_f64((vhi64)(dx > dy), dx, dy) * setup->offset_scale + offset;
    }
    const vhf64 clamp = v_half_splat_f64(setup->offset_clamp);
    if (setup->offset_clamp > 0) offset = setup_at_most(offset, clamp);
    if (setup->offset_clamp < 0) offset = setup_at_least(offset, clamp);
    return offset;
}

/* Depth at corner 0, and what E1 and E2 are multiplied by; the offset of triangles that are filled so. */
struct setup_depth {
    vhf64 of[3], offset;
};

OPS_INLINE struct setup_depth setup_depth(const struct sch_setup *setup, unsigned fill, const struct setup_corner c[3],
                                          const struct setup_edge edges[3], vhf64 inverse_area, int half)
{
    const vhf64 z = v_half_f64_from_f32(c[0].z, half);
    struct setup_depth depth = {.of = {z, (v_half_f64_from_f32(c[1].z, half) - z) * inverse_area,
                                       (v_half_f64_from_f32(c[2].z, half) - z) * inverse_area}};
    if (!setup->offset[fill]) return depth;
    const vhf64 dx =
        (v_half_f64_from_i32(edges[1].a, half) * depth.of[1] + v_half_f64_from_i32(edges[2].a, half) * depth.of[2]) *
        (double)SCH_SUBPIXELS;
    const vhf64 dy =
        (v_half_f64_from_i32(edges[1].b, half) * depth.of[1] + v_half_f64_from_i32(edges[2].b, half) * depth.of[2]) *
        (double)SCH_SUBPIXELS;
    depth.offset = setup_depth_offset(setup, c, dx, dy, half);
    depth.of[0] = depth.of[0] + depth.offset;
    return depth;
}

/* ---- 1 / w ---- */

struct setup_inverse_w {
    vf32 of[3];
    vi32 perspective;
    vi32 shift; /* by a power of two; undone in w_unit */
};

/* 62 minus the exponent of the largest of the three magnitudes; 0 in lanes where not all are finite or none is more
 * than 0, `usual` off. */
OPS_INLINE vi32 setup_shift(const vf32 inverse_w[3], vi32 *usual)
{
    vi32 largest = v_splat_i32(0);
    for (unsigned i = 0; i < 3; i++) largest = v_max_i32(largest, (vi32)inverse_w[i] & INT32_MAX);
    *usual = (vi32)(largest > 0) & (vi32)(largest < 0x7f800000);
    const vhf64 low = v_half_f64_from_f32((vf32)largest, 0), high = v_half_f64_from_f32((vf32)largest, 1);
    const vi32 exponent = (vi32)(v_high_of_halves((vhu64)low, (vhu64)high) >> 20) - 1023;
    return (62 - exponent) & *usual;
}

OPS_INLINE vf32 setup_scaled(vf32 value, vi32 shift, vi32 usual)
{
    const vf32 scaled = v_f32_of_halves(v_half_f64_from_f32(value, 0) * setup_power(shift, 0),
                                        v_half_f64_from_f32(value, 1) * setup_power(shift, 1));
    const vi32 tiny = usual & (vi32)(value > 0) & (vi32)(scaled < 0x1p-64f);
    return v_select_f32(tiny, v_splat_f32(0x1p-64f), scaled);
}

/* With the largest one between 2^62 and 2^63 neither the products with edge functions nor their sum overflow, nor is a
 * product of positive numbers less than 2^-64: what is smaller counts as 2^-64. */
OPS_INLINE struct setup_inverse_w setup_inverse_w(const vf32 inverse_w[3])
{
    struct setup_inverse_w made = {.shift = v_splat_i32(0)};
    vi32 usual;
    for (unsigned i = 0; i < 3; i++) made.of[i] = inverse_w[i];
    made.perspective =
        (vi32)((vi32)inverse_w[0] != (vi32)inverse_w[1]) | (vi32)((vi32)inverse_w[0] != (vi32)inverse_w[2]);
    if (!v_any(made.perspective)) return made;
    made.shift = setup_shift(inverse_w, &usual);
    for (unsigned i = 0; i < 3; i++)
        made.of[i] = v_select_f32(made.perspective, setup_scaled(inverse_w[i], made.shift, usual), inverse_w[i]);
    return made;
}

/* 0 in lanes without perspective. */
OPS_INLINE vhf64 setup_w_unit(const struct setup_inverse_w *w, vhf64 inverse_area, int half)
{
    const vhf64 unit = inverse_area * setup_power(-w->shift, half);
    return (vhf64)((vhi64)unit & v_half_i64_from_i32(w->perspective, half));
}

/* See raster.def. */
void OPS_LOCAL(scale_inverse_w)(struct sch_interpolant *of);
void OPS_LOCAL(scale_inverse_w)(struct sch_interpolant *of)
{
    const vf32 inverse_w[3] = {v_splat_f32(of->inverse_w[0]), v_splat_f32(of->inverse_w[1]),
                               v_splat_f32(of->inverse_w[2])};
    const struct setup_inverse_w w = setup_inverse_w(inverse_w);
    for (unsigned i = 0; i < 3; i++) of->inverse_w[i] = w.of[i][0];
    of->perspective = w.perspective[0];
    of->w_unit = setup_w_unit(&w, v_half_splat_f64(of->inverse_area), 0)[0];
}

/* ---- records ---- */

#define SETUP_STANDS(member, place) (offsetof(struct sch_interpolant, member) == (place))
_Static_assert(SETUP_STANDS(vertex, 0) && SETUP_STANDS(provoking, 12) && SETUP_STANDS(e1, 16) && SETUP_STANDS(e2, 40) &&
                   SETUP_STANDS(area, 64) && SETUP_STANDS(inverse_area, 72) && SETUP_STANDS(depth, 80) &&
                   SETUP_STANDS(inverse_w, 104) && SETUP_STANDS(perspective, 116) && SETUP_STANDS(w_unit, 120),
               "what is interpolated is stored in pairs of eight bytes");

OPS_INLINE void setup_store_interpolant(const struct setup_places *places, const struct sch_setup *setup,
                                        const struct setup_corner c[3], const struct setup_edge edges[3],
                                        const vhf64 constant[3], const struct setup_inverse_w *w, vhf64 area, int half)
{
    const vhf64 inverse_area = 1.0 / area;
    const struct setup_depth depth = setup_depth(setup, SCH_FILL_SOLID, c, edges, inverse_area, half);
    const vhf64 a1 = v_half_f64_from_i32(edges[1].a, half), b1 = v_half_f64_from_i32(edges[1].b, half);
    const vhf64 a2 = v_half_f64_from_i32(edges[2].a, half), b2 = v_half_f64_from_i32(edges[2].b, half);
    v_half_scatter_rows_u64x2(SETUP_OFFSET(of.e1[0]), half, (vhu64)constant[1], (vhu64)a1);
    v_half_scatter_rows_u64x2(SETUP_OFFSET(of.e1[2]), half, (vhu64)b1, (vhu64)constant[2]);
    v_half_scatter_rows_u64x2(SETUP_OFFSET(of.e2[1]), half, (vhu64)a2, (vhu64)b2);
    v_half_scatter_rows_u64x2(SETUP_OFFSET(of.area), half, (vhu64)area, (vhu64)inverse_area);
    v_half_scatter_rows_u64x2(SETUP_OFFSET(of.depth[0]), half, (vhu64)depth.of[0], (vhu64)depth.of[1]);
    v_half_scatter_rows_u64x2(SETUP_OFFSET(of.depth[2]), half, (vhu64)depth.of[2],
                              v_half_join_u64((vu32)w->of[0], (vu32)w->of[1], half));
    v_half_scatter_rows_u64x2(SETUP_OFFSET(of.inverse_w[2]), half,
                              v_half_join_u64((vu32)w->of[2], (vu32)w->perspective, half),
                              (vhu64)setup_w_unit(w, inverse_area, half));
}

#define SETUP_HEAD(member, place) (offsetof(struct sch_raster_primitive, member) == (place))
_Static_assert(SETUP_HEAD(coverage, 0) && SETUP_HEAD(edge_count, 1) && SETUP_HEAD(viewport, 2) &&
                   SETUP_HEAD(distances, 3) && SETUP_HEAD(back, 4) && SETUP_HEAD(smooth, 5) &&
                   SETUP_HEAD(all_samples, 6) && SETUP_HEAD(is_point, 7) && SETUP_HEAD(is_triangle, 8) &&
                   SETUP_HEAD(stippled, 9) && SETUP_HEAD(line_stippled, 10) && SETUP_HEAD(fractional, 11) &&
                   SETUP_HEAD(primitive_id, 12) && sizeof(bool) == 1,
               "heads of records are stored as four words");
_Static_assert(SETUP_HEAD(small, offsetof(struct sch_raster_primitive, layer) + 2) &&
                   SETUP_HEAD(strict, offsetof(struct sch_raster_primitive, layer) + 3) &&
                   SETUP_HEAD(lanes, offsetof(struct sch_raster_primitive, layer) + 4) &&
                   SETUP_HEAD(of.vertex[0], offsetof(struct sch_raster_primitive, layer) + 8),
               "so is what follows the box");

/* Where a byte of memory is in a word. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SETUP_BYTE(value, place) ((value) << (8 * (place)))
#else
#define SETUP_BYTE(value, place) ((value) << (8 * (3 - (place))))
#endif

OPS_INLINE uint32_t setup_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return SETUP_BYTE(a, 0) | SETUP_BYTE(b, 1) | SETUP_BYTE(c, 2) | SETUP_BYTE(d, 3);
}

OPS_INLINE void setup_store_head(const struct setup_places *places, const struct sch_setup *setup, uint32_t viewport,
                                 vi32 back, vu32 distances, vu32 id)
{
    const vu32 word[4] = {
        v_splat_u32(setup_bytes(SCH_COVERAGE_EDGES, 3, viewport, 0)) | SETUP_BYTE(distances, 3),
        v_splat_u32(setup_bytes(0, setup->smooth, setup->all_samples, false)) | SETUP_BYTE((vu32)back & 1u, 0),
        v_splat_u32(setup_bytes(true, setup->stippled, false, setup->viewports[viewport].fractional)), id};
    v_scatter_rows_u32x4(SETUP_OFFSET(coverage), word);
}

OPS_INLINE uint32_t setup_count(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

/* Lane after lane in the places of those that are kept, all others after them; answers how many are kept. */
OPS_INLINE uint32_t setup_offsets(uint32_t offset[SCH_LANES], uint32_t kept)
{
    const uint32_t bytes = sizeof(struct sch_raster_primitive);
    uint32_t rank = 0;
    if (kept == SETUP_LANES) {
        v_store_u32(offset, (vu32)v_lane_i32() * bytes);
        return SCH_LANES;
    }
    const uint32_t count = setup_count(kept);
    for (unsigned i = 0; i < SCH_LANES; i++) {
        offset[i] = (kept >> i & 1 ? rank : count) * bytes;
        rank += kept >> i & 1;
    }
    return count;
}

/* What is the same for all triangles that are set up together. */
struct setup_task {
    const struct sch_setup *setup;
    uint32_t viewport;
    const struct sch_window_vertex *corners;
    const struct sch_assembled_primitive *triangles;
    const struct sch_lanes *distances;
};

/* What is stored after the edges of a record, besides what is interpolated. */
OPS_INLINE void setup_store_rest(const struct setup_places *places, const struct sch_setup *setup,
                                 const struct sch_setup_viewport *in, const struct setup_corner c[3], vu32 provoking,
                                 struct setup_covered covered, uint32_t count)
{
    const vu32 lanes[4] = {SETUP_BYTE((vu32)covered.small & 1u, 2), covered.lanes, (vu32)c[0].vertex,
                           (vu32)c[1].vertex};
    v_scatter_rows_u32x4(SETUP_OFFSET(layer), lanes); /* no layer, not strict; the vertices again below */
    const vu32 vertex[4] = {(vu32)c[0].vertex, (vu32)c[1].vertex, (vu32)c[2].vertex, provoking};
    v_scatter_rows_u32x4(SETUP_OFFSET(of.vertex), vertex);
    for (uint32_t n = 0; n < count && setup->interpolates; n++) {
        struct sch_raster_primitive *record = &places->records[n];
        record->of.depth_min = in->depth_min;
        record->of.depth_max = in->depth_max;
    }
    for (uint32_t n = 0; n < count && in->fractional; n++) {
        struct sch_raster_primitive *record = &places->records[n];
        for (unsigned i = 0; i < 4; i++) record->bounds[i] = in->bounds[i];
    }
}

/* The records of a vector's triangles; answers how many. */
OPS_INLINE uint32_t setup_vector(struct sch_raster_primitive *records, const struct setup_task *task, uint32_t lanes,
                                 unsigned v)
{
    const struct sch_setup *setup = task->setup;
    const struct sch_setup_viewport *in = &setup->viewports[task->viewport];
    struct sch_assembled_primitive some[SCH_LANES];
    const struct sch_assembled_primitive *rows = setup_rows(task->triangles, v, lanes, some);
    struct setup_corner c[3];
    vi32 box[4];
    vu32 vertex[4];
    v_load_rows_u32x4(rows->vertex, sizeof *rows, vertex);
    for (unsigned i = 0; i < 3; i++) c[i] = setup_corner(task->corners, rows, i, vertex[i]);
    const vhf64 low = setup_area(c, 0), high = setup_area(c, 1);
    const vi32 area = (vi32)v_high_of_halves((vhu64)low, (vhu64)high), counter = (vi32)(area < 0);
    const vi32 back = counter ^ setup_mask(setup->front_ccw);
    setup_box(box, c, setup, in);
    uint32_t kept = lanes & v_mask_bits(setup_seen(setup, area, back, box));
    if (!kept) return 0;
    setup_order(c, counter);
    const struct setup_edge edges[3] = {setup_edge(&c[1], &c[2]), setup_edge(&c[2], &c[0]), setup_edge(&c[0], &c[1])};
    struct setup_covered covered = {v_splat_i32(0), v_splat_u32(0)};
    if (setup->centers && !in->fractional) covered = setup_covered(setup, c, edges, box);
    const uint32_t small = v_mask_bits(covered.small);
    kept &= ~(small & v_mask_bits((vi32)(covered.lanes == 0)));
    if (!kept) return 0;

    struct setup_places places_of = {.records = records}, *places = &places_of;
    const uint32_t count = setup_offsets(places_of.offset, kept);
    vu32 id = v_splat_u32(0);
    V_EACH_LANE(i) id[i] = rows[i].id;
    setup_store_head(places, setup, task->viewport, back,
                     task->distances ? ops_load_U(task->distances, v) : v_splat_u32(0), id);
    v_scatter_rows_u32x4(SETUP_OFFSET(box), (const vu32[4]){(vu32)box[0], (vu32)box[1], (vu32)box[2], (vu32)box[3]});
    setup_store_rest(places, setup, in, c, vertex[3], covered, count);
    const bool wants_edges = setup->small_edges || kept & ~small;
    if (!wants_edges && !setup->interpolates) return count;
    vhf64 constant[2][3];
    V_UNROLL
    for (int half = 0; half < 2; half++) {
        constant[half][0] = setup_constant(&edges[0], &c[1], half);
        constant[half][1] = setup_constant(&edges[1], &c[2], half);
        constant[half][2] = setup_constant(&edges[2], &c[0], half);
        if (wants_edges) setup_store_edges(places, edges, constant[half], setup, half);
    }
    if (!setup->interpolates) return count;
    const struct setup_inverse_w w = setup_inverse_w((const vf32[3]){c[0].inverse_w, c[1].inverse_w, c[2].inverse_w});
    setup_store_interpolant(places, setup, c, edges, constant[0], &w, setup_absolute_f64(low), 0);
    setup_store_interpolant(places, setup, c, edges, constant[1], &w, setup_absolute_f64(high), 1);
    return count;
}

/* See raster.def. */
uint32_t OPS_LOCAL(setup_triangles)(struct sch_raster_primitive *records, const struct sch_setup *setup,
                                    uint32_t viewport, const struct sch_window_vertex *corners,
                                    const struct sch_assembled_primitive *triangles, uint32_t lanes,
                                    const struct sch_lanes *distances);
uint32_t OPS_LOCAL(setup_triangles)(struct sch_raster_primitive *records, const struct sch_setup *setup,
                                    uint32_t viewport, const struct sch_window_vertex *corners,
                                    const struct sch_assembled_primitive *triangles, uint32_t lanes,
                                    const struct sch_lanes *distances)
{
    const struct setup_task task = {setup, viewport, corners, triangles, distances};
    uint32_t count = 0;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const uint32_t bits = lanes >> v * SCH_LANES & SETUP_LANES;
        if (bits) count += setup_vector(records + count, &task, bits, v);
    }
    return count;
}

/* For lanes that are all the same. */
OPS_INLINE double setup_first(vhf64 v) { return v[0]; }

/* See raster.def. */
double OPS_LOCAL(triangle_offset)(const struct sch_setup *setup, unsigned fill,
                                  const struct sch_window_vertex corners[3]);
double OPS_LOCAL(triangle_offset)(const struct sch_setup *setup, unsigned fill,
                                  const struct sch_window_vertex corners[3])
{
    struct setup_corner c[3];
    for (unsigned i = 0; i < 3; i++)
        c[i] = (struct setup_corner){v_splat_i32(corners[i].x), v_splat_i32(corners[i].y), v_splat_f32(corners[i].z),
                                     v_splat_f32(corners[i].inverse_w), v_splat_i32((int32_t)i)};
    const double area = setup_first(setup_area(c, 0));
    if (!setup->offset[fill]) return 0;
    if (area == 0) {
        const vhf64 flat = v_half_splat_f64(0);
        return setup_first(setup_depth_offset(setup, c, flat, flat, 0));
    }
    setup_order(c, v_splat_i32(-(area < 0)));
    const struct setup_edge edges[3] = {[1] = setup_edge(&c[2], &c[0]), [2] = setup_edge(&c[0], &c[1])};
    const vhf64 inverse_area = 1.0 / setup_absolute_f64(v_half_splat_f64(area));
    return setup_first(setup_depth(setup, fill, c, edges, inverse_area, 0).offset);
}

/* ---- clip codes ---- */

OPS_INLINE vu32 setup_codes(const uint32_t *codes, vu32 vertex)
{
    return v_gather_near_u32(codes, (vi32)(vertex * (uint32_t)sizeof *codes));
}

/* See raster.def. */
struct sch_clip_masks OPS_LOCAL(clip_triangles)(const uint32_t *codes, const struct sch_assembled_primitive *triangles,
                                                uint32_t lanes, struct sch_lanes *distances);
struct sch_clip_masks OPS_LOCAL(clip_triangles)(const uint32_t *codes, const struct sch_assembled_primitive *triangles,
                                                uint32_t lanes, struct sch_lanes *distances)
{
    struct sch_clip_masks masks = {0};
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const uint32_t bits = lanes >> v * SCH_LANES & SETUP_LANES;
        struct sch_assembled_primitive some[SCH_LANES];
        vu32 vertex[4];
        v_load_rows_u32x4(setup_rows(triangles, v, bits, some)->vertex, sizeof *triangles, vertex);
        const vu32 a = setup_codes(codes, vertex[0]), b = setup_codes(codes, vertex[1]);
        const vu32 c = setup_codes(codes, vertex[2]), any = a | b | c;
        const vi32 kept = v_mask_from_bits(bits) & (vi32)((a & b & c) == 0) & (vi32)((any & SCH_OUTSIDE_DROP) == 0);
        const vi32 whole = (vi32)((any & SCH_OUTSIDE_CUTS) == 0);
        masks.whole |= v_mask_bits(kept & whole) << v * SCH_LANES;
        masks.cut |= v_mask_bits(kept & ~whole) << v * SCH_LANES;
        ops_put_U(distances, v, (any & SCH_OUTSIDE_DISTANCES) >> 8);
    }
    return masks;
}
