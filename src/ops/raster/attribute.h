/* What is interpolated over a primitive: weights, depth, attributes and POSITION at places in sub-pixels. Which place
 * an input is evaluated at, and which vertices there are, is src/pipeline's. The steps are those of docs/pipeline.md,
 * "Interpolation": edge functions are whole numbers in doubles, nothing is fused. */
#ifndef SCH_OPS_RASTER_ATTRIBUTE_H
#define SCH_OPS_RASTER_ATTRIBUTE_H

#include <stddef.h>

#include "ops/op.h"

enum { ATTRIBUTE_VECTOR_QUADS = SCH_LANES / SCH_QUAD_LANES };

/* ---- what lanes have of their quad ---- */

/* A word of each quad of a vector, in the quad's lanes. */
#define ATTRIBUTE_FOUR(x) x, x, x, x
#if SCH_LANES == 4
#define ATTRIBUTE_QUADS(of) ((vu32){ATTRIBUTE_FOUR(of(0))})
#elif SCH_LANES == 8
#define ATTRIBUTE_QUADS(of) ((vu32){ATTRIBUTE_FOUR(of(0)), ATTRIBUTE_FOUR(of(1))})
#else
#define ATTRIBUTE_QUADS(of)                                                                                            \
    ((vu32){ATTRIBUTE_FOUR(of(0)), ATTRIBUTE_FOUR(of(1)), ATTRIBUTE_FOUR(of(2)), ATTRIBUTE_FOUR(of(3))})
#endif

OPS_INLINE vi32 attribute_of_quads_i32(const int32_t *values, unsigned v)
{
    values += v * ATTRIBUTE_VECTOR_QUADS;
#define OF(q) (uint32_t) values[q]
    return (vi32)ATTRIBUTE_QUADS(OF);
#undef OF
}

/* The bits of the float at an offset in the primitives. */
typedef uint32_t attribute_word __attribute__((may_alias));
OPS_INLINE vf32 attribute_f32(const struct sch_quads *quads, unsigned v, bool same, size_t offset)
{
    const struct sch_interpolant *const *of = quads->of + (same ? 0 : v * ATTRIBUTE_VECTOR_QUADS);
#define OF(q) (*(const attribute_word *)((const char *)of[same ? 0 : (q)] + offset))
    return (vf32)ATTRIBUTE_QUADS(OF);
#undef OF
}
#define ATTRIBUTE_F32(member) attribute_f32(quads, v, same, offsetof(struct sch_interpolant, member))

/* A word of each quad's row of four, in the quad's lanes. */
OPS_INLINE vf32 attribute_of_rows(vf32 rows, unsigned channel)
{
    return channel == 0   ? V_MIX(rows, rows, 0, 0, 0, 0)
           : channel == 1 ? V_MIX(rows, rows, 1, 1, 1, 1)
           : channel == 2 ? V_MIX(rows, rows, 2, 2, 2, 2)
                          : V_MIX(rows, rows, 3, 3, 3, 3);
}

/* 1 / w of the corners, and where they differ. */
struct attribute_inverses {
    vf32 of[3];
    vi32 differ;
};

_Static_assert(offsetof(struct sch_interpolant, perspective) == offsetof(struct sch_interpolant, inverse_w) + 12,
               "the three 1 / w and whether they differ are a row of words");
OPS_INLINE struct attribute_inverses attribute_inverses(const struct sch_quads *quads, unsigned v, bool same)
{
    const void *at[ATTRIBUTE_VECTOR_QUADS];
    for (unsigned q = 0; q < ATTRIBUTE_VECTOR_QUADS; q++)
        at[q] = quads->of[same ? 0 : v * ATTRIBUTE_VECTOR_QUADS + q]->inverse_w;
    const vf32 rows = (vf32)v_load_parts(at);
    return (struct attribute_inverses){
        .of = {attribute_of_rows(rows, 0), attribute_of_rows(rows, 1), attribute_of_rows(rows, 2)},
        .differ = (vi32)attribute_of_rows(rows, 3)};
}

/* A word of a vertex. */
OPS_INLINE vf32 attribute_vertex(const struct sch_quads *quads, unsigned v, bool same, unsigned vertex, unsigned word)
{
    const uint32_t *const(*of)[SCH_QUAD_VERTICES] = quads->vertex + (same ? 0 : v * ATTRIBUTE_VECTOR_QUADS);
#define OF(q) of[same ? 0 : (q)][vertex][word]
    return (vf32)ATTRIBUTE_QUADS(OF);
#undef OF
}

/* ---- places ---- */

/* The centres of pixels. A vector begins with a quad, so that its lanes are those of any other. */
OPS_INLINE vi32 attribute_center_x(const struct sch_quads *quads, unsigned v)
{
    return (attribute_of_quads_i32(quads->x, v) + (v_lane_i32() & 1)) * SCH_SUBPIXELS + SCH_SUBPIXELS / 2;
}
OPS_INLINE vi32 attribute_center_y(const struct sch_quads *quads, unsigned v)
{
    return (attribute_of_quads_i32(quads->y, v) + (v_lane_i32() >> 1 & 1)) * SCH_SUBPIXELS + SCH_SUBPIXELS / 2;
}

OPS_INLINE vi32 attribute_place_x(const struct sch_quads *quads, const struct sch_lane_places *places, unsigned v)
{
    if (places->uniform) return attribute_center_x(quads, v) + places->offset[0];
    return ops_load_I(&places->x, v);
}
OPS_INLINE vi32 attribute_place_y(const struct sch_quads *quads, const struct sch_lane_places *places, unsigned v)
{
    if (places->uniform) return attribute_center_y(quads, v) + places->offset[1];
    return ops_load_I(&places->y, v);
}

/* An offset in pixels as sub-pixels, a multiple of a sixteenth pixel: nearest, ties to even. NaN is 0, and offsets are
 * limited to 1024 pixels. Adding 1.5 * 2^23 makes the sum's last place 1. */
OPS_INLINE vi32 attribute_offset(vf32 offset)
{
    offset = (vf32)((vi32)offset & (vi32)(offset == offset));
    offset = v_less_f32(v_greater_f32(offset, v_splat_f32(-1024.0f)), v_splat_f32(1024.0f));
    return (v_as_i32(offset * 16.0f + 0x1.8p23f) - 0x4b400000) * (SCH_SUBPIXELS / 16);
}

/* ---- edge functions ----
 *
 * In doubles, half of a vector's lanes at a time: so many are in one register wherever the level has its own. */

typedef double vhalf64 __attribute__((vector_size(SCH_LANES * 4)));
typedef int64_t vhalf_mask __attribute__((vector_size(SCH_LANES * 4)));
typedef int32_t vhalf_i32 __attribute__((vector_size(SCH_LANES * 2)));
typedef float vhalf32 __attribute__((vector_size(SCH_LANES * 2)));
typedef vhalf64 vhalf_memory_f64 __attribute__((aligned(1), may_alias));
typedef vhalf_i32 vhalf_memory_i32 __attribute__((aligned(1), may_alias));
enum { ATTRIBUTE_HALF_LANES = SCH_LANES / 2 };

/* A value of each quad of a half, in the quad's lanes; of 4 lanes a half is a row of a quad. RIGHT and DOWN: the lanes
 * that are right of the quad's first one, that are below it, in an upper or a lower row. */
#if SCH_LANES == 4
#define ATTRIBUTE_HALF_QUADS(of)                                                                                       \
    {                                                                                                                  \
        of(0), of(0)                                                                                                   \
    }
#define ATTRIBUTE_LOW  0, 1
#define ATTRIBUTE_HIGH 2, 3
#define ATTRIBUTE_RIGHT                                                                                                \
    {                                                                                                                  \
        0, -1                                                                                                          \
    }
#define ATTRIBUTE_DOWN(row)                                                                                            \
    {                                                                                                                  \
        -(int64_t)(row), -(int64_t)(row)                                                                               \
    }
#elif SCH_LANES == 8
#define ATTRIBUTE_HALF_QUADS(of)                                                                                       \
    {                                                                                                                  \
        ATTRIBUTE_FOUR(of(0))                                                                                          \
    }
#define ATTRIBUTE_LOW  0, 1, 2, 3
#define ATTRIBUTE_HIGH 4, 5, 6, 7
#define ATTRIBUTE_RIGHT                                                                                                \
    {                                                                                                                  \
        0, -1, 0, -1                                                                                                   \
    }
#define ATTRIBUTE_DOWN(row)                                                                                            \
    {                                                                                                                  \
        0, 0, -1, -1                                                                                                   \
    }
#else
#define ATTRIBUTE_HALF_QUADS(of)                                                                                       \
    {                                                                                                                  \
        ATTRIBUTE_FOUR(of(0)), ATTRIBUTE_FOUR(of(1))                                                                   \
    }
#define ATTRIBUTE_LOW  0, 1, 2, 3, 4, 5, 6, 7
#define ATTRIBUTE_HIGH 8, 9, 10, 11, 12, 13, 14, 15
#define ATTRIBUTE_RIGHT                                                                                                \
    {                                                                                                                  \
        0, -1, 0, -1, 0, -1, 0, -1                                                                                     \
    }
#define ATTRIBUTE_DOWN(row)                                                                                            \
    {                                                                                                                  \
        0, 0, -1, -1, 0, 0, -1, -1                                                                                     \
    }
#endif

/* The first quad of half `half` of a group. */
OPS_INLINE unsigned attribute_half_quad(unsigned half) { return half * ATTRIBUTE_HALF_LANES / SCH_QUAD_LANES; }

OPS_INLINE vf32 attribute_join(vhalf64 low, vhalf64 high)
{
    const vhalf32 first = __builtin_convertvector(low, vhalf32), second = __builtin_convertvector(high, vhalf32);
    return __builtin_shufflevector(first, second, V_COUNT);
}

OPS_INLINE vhalf64 attribute_select(vhalf_mask mask, vhalf64 a, vhalf64 b)
{
    return (vhalf64)(((vhalf_mask)a & mask) | ((vhalf_mask)b & ~mask));
}

/* The double at an offset in the primitives. */
OPS_INLINE vhalf64 attribute_f64(const struct sch_quads *quads, unsigned half, bool same, size_t offset)
{
    const struct sch_interpolant *const *of = quads->of + (same ? 0 : attribute_half_quad(half));
#define OF(q) (*(const double *)((const char *)of[same ? 0 : (q)] + offset))
    return (vhalf64)ATTRIBUTE_HALF_QUADS(OF);
#undef OF
}
#define ATTRIBUTE_F64(member) attribute_f64(quads, half, same, offsetof(struct sch_interpolant, member))

/* Edge functions in all halves of a group. They are copies: for all that the compiler knows, results are stored
 * where the primitive is. */
enum { ATTRIBUTE_HALVES = 2 * OPS_VECTORS };
struct attribute_edges {
    vhalf64 e1[ATTRIBUTE_HALVES], e2[ATTRIBUTE_HALVES];
};

/* Where the first lanes of quads are, in sub-pixels, at one offset from the centres of their pixels. */
OPS_INLINE void attribute_quad_places(double *places, const int32_t *pixels, int32_t offset)
{
    enum { VECTOR = 4 };
    typedef int32_t four_i32 __attribute__((vector_size(16)));
    typedef double four_f64 __attribute__((vector_size(32)));
    typedef four_i32 four_memory_i32 __attribute__((aligned(4), may_alias));
    typedef four_f64 four_memory_f64 __attribute__((aligned(8), may_alias));
    for (unsigned q = 0; q < SCH_GROUP_QUADS; q += VECTOR)
        *(four_memory_f64 *)(places + q) = __builtin_convertvector(
            *(const four_memory_i32 *)(pixels + q) * SCH_SUBPIXELS + (SCH_SUBPIXELS / 2 + offset), four_f64);
}

/* Where the lanes of a half are. */
OPS_INLINE vhalf64 attribute_half_places(const double *places, unsigned half, vhalf_mask further)
{
    const unsigned quad = attribute_half_quad(half);
    const vhalf64 pixel = {0};
#define OF(q) places[quad + (q)]
    const vhalf64 first = ATTRIBUTE_HALF_QUADS(OF);
#undef OF
    return first + (vhalf64)((vhalf_mask)(pixel + SCH_SUBPIXELS) & further);
}

OPS_INLINE vhalf64 attribute_edge(const struct sch_quads *quads, unsigned half, bool same, size_t offset, vhalf64 x,
                                  vhalf64 y)
{
    const vhalf64 c = attribute_f64(quads, half, same, offset);
    const vhalf64 a = attribute_f64(quads, half, same, offset + sizeof(double));
    const vhalf64 b = attribute_f64(quads, half, same, offset + 2 * sizeof(double));
    return (c + a * x) + b * y;
}

/* At one offset from the centres of the quads' pixels. */
OPS_INLINE void attribute_edges_of_quads(struct attribute_edges *edges, const struct sch_quads *quads,
                                         const struct sch_lane_places *places, bool same)
{
    double columns[SCH_GROUP_QUADS], rows[SCH_GROUP_QUADS];
    attribute_quad_places(columns, quads->x, places->offset[0]);
    attribute_quad_places(rows, quads->y, places->offset[1]);
    OPS_UNROLL
    for (unsigned half = 0; half < ATTRIBUTE_HALVES; half++) {
        const vhalf_mask right = ATTRIBUTE_RIGHT, down = ATTRIBUTE_DOWN(half & 1);
        const vhalf64 x = attribute_half_places(columns, half, right);
        const vhalf64 y = attribute_half_places(rows, half, down);
        edges->e1[half] = attribute_edge(quads, half, same, offsetof(struct sch_interpolant, e1), x, y);
        edges->e2[half] = attribute_edge(quads, half, same, offsetof(struct sch_interpolant, e2), x, y);
    }
}

/* Pixels of the lanes of a half from its first one. */
#if SCH_LANES == 4
#define ATTRIBUTE_COLUMNS                                                                                              \
    {                                                                                                                  \
        0, 1                                                                                                           \
    }
#define ATTRIBUTE_ROWS                                                                                                 \
    {                                                                                                                  \
        0, 0                                                                                                           \
    }
#elif SCH_LANES == 8
#define ATTRIBUTE_COLUMNS                                                                                              \
    {                                                                                                                  \
        0, 1, 0, 1                                                                                                     \
    }
#define ATTRIBUTE_ROWS                                                                                                 \
    {                                                                                                                  \
        0, 0, 1, 1                                                                                                     \
    }
#else
#define ATTRIBUTE_COLUMNS                                                                                              \
    {                                                                                                                  \
        0, 1, 0, 1, 2, 3, 2, 3                                                                                         \
    }
#define ATTRIBUTE_ROWS                                                                                                 \
    {                                                                                                                  \
        0, 0, 1, 1, 0, 0, 1, 1                                                                                         \
    }
#endif

/* An edge function in the first half of a block, and how far it is from there to other halves: to the next one down, in
 * a quad or in a row of quads, to the next quads to the right, to those after them, and to the next block. */
struct attribute_steps {
    vhalf64 first, down, right, further, block;
};

/* What a group of one primitive has of it. Code keeps it for all blocks that a group stands for: after a store to
 * texels a compiler knows nothing that is in memory any more. Vectors are as they are used, or LLVM would make them of
 * numbers before the loop over blocks, for groups of several primitives, too. */
struct attribute_kept {
    bool same, block, perspective; /* as struct sch_quads and its primitive have it; nothing else counts unless same */
    vf32 inverse_area;
    struct attribute_steps e1, e2; /* of blocks */
};

/* Edge functions in a block of one primitive, from the first half on. Sums of whole numbers are exact in any order.
 * With 4 lanes a half is a row of a quad. */
OPS_INLINE void attribute_edge_of_block(vhalf64 *edge, const struct attribute_steps *steps)
{
    enum { ACROSS = SCH_LANES == 4 ? 2 : 1, ROW_OF_QUADS = ATTRIBUTE_HALVES / 2 };
    const vhalf64 row_of_quads = ACROSS == 2 ? steps->down + steps->down : steps->down;
    edge[0] = steps->first;
    if (ACROSS == 2) edge[1] = edge[0] + steps->down;
    OPS_UNROLL
    for (unsigned half = ACROSS; half < ROW_OF_QUADS; half++) {
        const bool two = half / ACROSS & (half / ACROSS - 1); /* short chains */
        const bool far = two || half / ACROSS == 2;
        edge[half] = far ? edge[half - 2 * ACROSS] + steps->further : edge[half - ACROSS] + steps->right;
    }
    OPS_UNROLL
    for (unsigned half = ROW_OF_QUADS; half < ATTRIBUTE_HALVES; half++)
        edge[half] = edge[half - ROW_OF_QUADS] + row_of_quads;
}

/* Where the lanes of a block's first half are, an offset from the centres. A lane begins with the pixel of the quad
 * that has its number, so that places are a vector from memory. */
OPS_INLINE vhalf64 attribute_block_places(const int32_t *pixels, int32_t offset, vhalf_i32 further)
{
    return __builtin_convertvector(*(const vhalf_memory_i32 *)pixels * SCH_SUBPIXELS +
                                       (further * SCH_SUBPIXELS + (SCH_SUBPIXELS / 2 + offset)),
                                   vhalf64);
}

OPS_INLINE void attribute_make_steps(struct attribute_steps *steps, const double function[3], vhalf64 x, vhalf64 y)
{
    enum { COLUMNS = SCH_LANES == 16 ? 4 : 2, ROWS = SCH_LANES == 4 ? 1 : 2 };
    const vhalf64 none = {0};
    steps->first = (function[0] + function[1] * x) + function[2] * y;
    steps->down = function[2] * (ROWS * SCH_SUBPIXELS) - none;
    steps->right = function[1] * (COLUMNS * SCH_SUBPIXELS) - none;
    steps->further = function[1] * (2 * COLUMNS * SCH_SUBPIXELS) - none;
    steps->block = function[1] * (SCH_BLOCK_WIDTH * SCH_SUBPIXELS) - none;
}

OPS_INLINE void attribute_keep_edges(struct attribute_kept *kept, const struct sch_quads *quads,
                                     const struct sch_lane_places *places)
{
    const vhalf_i32 quad = {ATTRIBUTE_LOW}, columns = ATTRIBUTE_COLUMNS, rows = ATTRIBUTE_ROWS;
    const vhalf64 x = attribute_block_places(quads->x, places->offset[0], columns - (quad & 3) * 2);
    const vhalf64 y = attribute_block_places(quads->y, places->offset[1], rows - (quad >> 2) * 2);
    attribute_make_steps(&kept->e1, quads->of[0]->e1, x, y);
    attribute_make_steps(&kept->e2, quads->of[0]->e2, x, y);
}

OPS_INLINE void attribute_keep(struct attribute_kept *kept, const struct sch_quads *quads)
{
    const struct sch_lane_places places = {.uniform = true};
    kept->same = quads->same;
    kept->block = quads->same && quads->block;
    if (!quads->same) return;
    kept->perspective = quads->of[0]->perspective;
    kept->inverse_area = v_splat_f32((float)quads->of[0]->inverse_area);
    if (quads->block) attribute_keep_edges(kept, quads, &places);
}

/* On to the next block to the right. */
OPS_INLINE void attribute_kept_advance(struct attribute_kept *kept)
{
    kept->e1.first += kept->e1.block;
    kept->e2.first += kept->e2.block;
}

OPS_INLINE void attribute_edges_of_kept(struct attribute_edges *edges, const struct attribute_kept *kept)
{
    attribute_edge_of_block(edges->e1, &kept->e1);
    attribute_edge_of_block(edges->e2, &kept->e2);
}

OPS_INLINE void attribute_edges_of_block(struct attribute_edges *edges, const struct sch_quads *quads,
                                         const struct sch_lane_places *places)
{
    struct attribute_kept kept;
    attribute_keep_edges(&kept, quads, places);
    attribute_edges_of_kept(edges, &kept);
}

/* At places that lanes have each for themselves. */
OPS_INLINE void attribute_edges_of_lanes(struct attribute_edges *edges, const struct sch_quads *quads,
                                         const struct sch_lane_places *places, bool same)
{
    const int32_t *columns = (const int32_t *)places->x.u, *rows = (const int32_t *)places->y.u;
    OPS_UNROLL
    for (unsigned half = 0; half < ATTRIBUTE_HALVES; half++) {
        const vhalf_i32 column = *(const vhalf_memory_i32 *)(columns + half * ATTRIBUTE_HALF_LANES);
        const vhalf_i32 row = *(const vhalf_memory_i32 *)(rows + half * ATTRIBUTE_HALF_LANES);
        const vhalf64 x = __builtin_convertvector(column, vhalf64), y = __builtin_convertvector(row, vhalf64);
        edges->e1[half] = attribute_edge(quads, half, same, offsetof(struct sch_interpolant, e1), x, y);
        edges->e2[half] = attribute_edge(quads, half, same, offsetof(struct sch_interpolant, e2), x, y);
    }
}

OPS_INLINE void attribute_edges(struct attribute_edges *edges, const struct sch_quads *quads,
                                const struct sch_lane_places *places, bool same)
{
    if (!places->uniform) {
        attribute_edges_of_lanes(edges, quads, places, same);
    } else if (same && quads->block) {
        attribute_edges_of_block(edges, quads, places);
    } else {
        attribute_edges_of_quads(edges, quads, places, same);
    }
}

/* The edge functions at another offset from the centres, from those at the centres: whole numbers, so exactly what
 * attribute_edges has there. */
OPS_INLINE void attribute_edges_move(struct attribute_edges *edges, const struct attribute_edges *centers,
                                     const struct sch_quads *quads, bool same, double right, double down)
{
    OPS_UNROLL
    for (unsigned half = 0; half < ATTRIBUTE_HALVES; half++) {
        edges->e1[half] = centers->e1[half] + (ATTRIBUTE_F64(e1[1]) * right + ATTRIBUTE_F64(e1[2]) * down);
        edges->e2[half] = centers->e2[half] + (ATTRIBUTE_F64(e2[1]) * right + ATTRIBUTE_F64(e2[2]) * down);
    }
}

/* ---- weights ---- */

/* The areas as floats. E0 is only there where it is asked for. */
struct attribute_floats {
    vf32 e0, e1, e2;
};

OPS_INLINE struct attribute_floats attribute_floats(const struct attribute_edges *edges, const struct sch_quads *quads,
                                                    unsigned v, bool same, bool perspective)
{
    unsigned half = 2 * v;
    const vhalf64 low1 = edges->e1[half], low2 = edges->e2[half];
    const vhalf64 low0 = perspective ? (ATTRIBUTE_F64(area) - low1) - low2 : low1;
    half = 2 * v + 1;
    const vhalf64 high1 = edges->e1[half], high2 = edges->e2[half];
    const vhalf64 high0 = perspective ? (ATTRIBUTE_F64(area) - high1) - high2 : high1;
    return (struct attribute_floats){
        .e0 = attribute_join(low0, high0), .e1 = attribute_join(low1, high1), .e2 = attribute_join(low2, high2)};
}

OPS_INLINE vf32 attribute_inverse_area(const struct sch_quads *quads, unsigned v, bool same)
{
    if (same) return v_splat_f32((float)quads->of[0]->inverse_area);
    const struct sch_interpolant *const *of = quads->of + v * ATTRIBUTE_VECTOR_QUADS;
#define OF(q) of[q]->inverse_area
#if SCH_LANES == 4
    return v_splat_f32((float)OF(0));
#elif SCH_LANES == 8
    const double areas __attribute__((vector_size(16))) = {OF(0), OF(1)};
    typedef float floats __attribute__((vector_size(8)));
    const floats rounded = __builtin_convertvector(areas, floats);
    return __builtin_shufflevector(rounded, rounded, ATTRIBUTE_FOUR(0), ATTRIBUTE_FOUR(1));
#else
    const double areas __attribute__((vector_size(32))) = {OF(0), OF(1), OF(2), OF(3)};
    typedef float floats __attribute__((vector_size(16)));
    const floats rounded = __builtin_convertvector(areas, floats);
    return __builtin_shufflevector(rounded, rounded, ATTRIBUTE_FOUR(0), ATTRIBUTE_FOUR(1), ATTRIBUTE_FOUR(2),
                                   ATTRIBUTE_FOUR(3));
#endif
#undef OF
}

/* The areas times 1 / w of their corners. */
OPS_INLINE struct attribute_floats attribute_terms(struct attribute_floats areas,
                                                   const struct attribute_inverses *inverses)
{
    return (struct attribute_floats){
        .e0 = areas.e0 * inverses->of[0], .e1 = areas.e1 * inverses->of[1], .e2 = areas.e2 * inverses->of[2]};
}

/* `kept`: of groups of one primitive, or NULL. */
OPS_INLINE void attribute_weights(struct sch_weights *perspective, struct sch_weights *linear,
                                  const struct sch_quads *quads, const struct attribute_edges *edges, bool same,
                                  const struct attribute_kept *kept)
{
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const struct attribute_floats areas = attribute_floats(edges, quads, v, same, perspective);
        const vf32 inverse_area = kept ? kept->inverse_area : attribute_inverse_area(quads, v, same);
        const vf32 straight1 = areas.e1 * inverse_area, straight2 = areas.e2 * inverse_area;
        if (linear) {
            ops_put_F(&linear->l1, v, straight1);
            ops_put_F(&linear->l2, v, straight2);
        }
        if (!perspective) continue;
        const struct attribute_inverses inverses = attribute_inverses(quads, v, same);
        const struct attribute_floats terms = attribute_terms(areas, &inverses);
        const vf32 r = 1.0f / (terms.e0 + (terms.e1 + terms.e2));
        vf32 l1 = terms.e1 * r, l2 = terms.e2 * r;
        if (!same) {
            l1 = v_select_f32(inverses.differ, l1, straight1);
            l2 = v_select_f32(inverses.differ, l2, straight2);
        }
        ops_put_F(&perspective->l1, v, l1);
        ops_put_F(&perspective->l2, v, l2);
    }
}

/* In a group of one primitive without perspective, and of lines and points, all weights are linear. */
OPS_INLINE void attribute_flat_weights(struct sch_weights *perspective, struct sch_weights *linear,
                                       const struct sch_quads *quads, const struct attribute_edges *edges,
                                       const struct attribute_kept *kept)
{
    attribute_weights(NULL, perspective, quads, edges, true, kept);
    for (unsigned v = 0; v < OPS_VECTORS && linear; v++) {
        ops_put_F(&linear->l1, v, ops_load_F(&perspective->l1, v));
        ops_put_F(&linear->l2, v, ops_load_F(&perspective->l2, v));
    }
}

OPS_INLINE void attribute_same_weights(struct sch_weights *perspective, struct sch_weights *linear,
                                       const struct sch_quads *quads, const struct attribute_edges *edges,
                                       const struct attribute_kept *kept)
{
    if (!perspective || (kept ? kept->perspective : quads->of[0]->perspective)) {
        if (linear)
            attribute_weights(perspective, linear, quads, edges, true, kept);
        else
            attribute_weights(perspective, NULL, quads, edges, true, kept);
        return;
    }
    attribute_flat_weights(perspective, linear, quads, edges, kept);
}

/* ---- values ---- */

/* Equal values have the difference 0, infinities, too, so that what is constant stays. */
OPS_INLINE vf32 attribute_difference(vf32 a, vf32 b) { return (vf32)((vi32)(a - b) & (vi32)(a != b)); }

/* What a channel is interpolated from: of the first corner, and the differences of the others. */
struct attribute_corners {
    vf32 first, by1, by2;
};

OPS_INLINE void attribute_channel_of_corners(struct sch_lanes *dst, const struct sch_weights *weights,
                                             const struct attribute_corners *corners, unsigned v)
{
    const vf32 l1 = ops_load_F(&weights->l1, v), l2 = ops_load_F(&weights->l2, v);
    ops_store_F(dst, v, SCH_OPF_CANON, (l1 * corners->by1 + corners->first) + l2 * corners->by2);
}

OPS_INLINE struct attribute_corners attribute_corners_from(vf32 first, vf32 second, vf32 third)
{
    return (struct attribute_corners){
        .first = first, .by1 = attribute_difference(second, first), .by2 = attribute_difference(third, first)};
}

OPS_INLINE struct attribute_corners attribute_corners(const struct sch_quads *quads, unsigned v, bool same,
                                                      unsigned word)
{
    return attribute_corners_from(attribute_vertex(quads, v, same, 0, word), attribute_vertex(quads, v, same, 1, word),
                                  attribute_vertex(quads, v, same, 2, word));
}

OPS_INLINE void attribute_channel(struct sch_lanes *dst, const struct sch_weights *weights,
                                  const struct sch_quads *quads, unsigned word, bool same)
{
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const struct attribute_corners corners = attribute_corners(quads, v, same, word);
        attribute_channel_of_corners(dst, weights, &corners, v);
    }
}

/* Four words of a vertex of each quad, in the quad's lanes. */
OPS_INLINE vf32 attribute_rows(const struct sch_quads *quads, unsigned v, bool same, unsigned vertex, unsigned word)
{
    const void *at[ATTRIBUTE_VECTOR_QUADS];
    for (unsigned q = 0; q < ATTRIBUTE_VECTOR_QUADS; q++)
        at[q] = quads->vertex[same ? 0 : v * ATTRIBUTE_VECTOR_QUADS + q][vertex] + word;
    return (vf32)v_load_parts(at);
}

/* The corners of four channels, in rows. */
OPS_INLINE struct attribute_corners attribute_corner_rows(const struct sch_quads *quads, unsigned v, bool same,
                                                          unsigned word)
{
    return attribute_corners_from(attribute_rows(quads, v, same, 0, word), attribute_rows(quads, v, same, 1, word),
                                  attribute_rows(quads, v, same, 2, word));
}

OPS_INLINE struct attribute_corners attribute_corners_of_rows(const struct attribute_corners *rows, unsigned channel)
{
    return (struct attribute_corners){.first = attribute_of_rows(rows->first, channel),
                                      .by1 = attribute_of_rows(rows->by1, channel),
                                      .by2 = attribute_of_rows(rows->by2, channel)};
}

/* What is the same in the lanes of a quad is computed of all four channels at once. */
OPS_INLINE void attribute_channels_of_rows(struct sch_lanes dst[4], unsigned mask, const struct sch_weights *weights,
                                           const struct sch_quads *quads, unsigned word, bool same)
{
    struct attribute_corners rows = attribute_corner_rows(quads, 0, same, word);
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        if (v && !same) rows = attribute_corner_rows(quads, v, false, word);
        OPS_UNROLL
        for (unsigned channel = 0; channel < 4; channel++) {
            if (!(mask >> channel & 1)) continue;
            const struct attribute_corners corners = attribute_corners_of_rows(&rows, channel);
            attribute_channel_of_corners(&dst[channel], weights, &corners, v);
        }
    }
}

/* The corners of the channels of a group of one primitive, to be kept. */
OPS_INLINE void attribute_keep_channels(struct attribute_corners corners[4], unsigned mask,
                                        const struct sch_quads *quads, unsigned word)
{
    struct attribute_corners rows;
    if (mask & (mask - 1)) rows = attribute_corner_rows(quads, 0, true, word);
    OPS_UNROLL
    for (unsigned channel = 0; channel < 4; channel++)
        if (mask >> channel & 1)
            corners[channel] = mask & (mask - 1) ? attribute_corners_of_rows(&rows, channel)
                                                 : attribute_corners(quads, 0, true, word + channel);
}

OPS_INLINE void attribute_kept_channels(struct sch_lanes dst[4], unsigned mask, const struct sch_weights *weights,
                                        const struct attribute_corners corners[4])
{
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        OPS_UNROLL
        for (unsigned channel = 0; channel < 4; channel++)
            if (mask >> channel & 1) attribute_channel_of_corners(&dst[channel], weights, &corners[channel], v);
    }
}

/* One channel may be less than a row: a clip distance. */
OPS_INLINE void attribute_channels(struct sch_lanes dst[4], unsigned mask, const struct sch_weights *weights,
                                   const struct sch_quads *quads, unsigned word, bool same)
{
    if (mask & (mask - 1)) {
        attribute_channels_of_rows(dst, mask, weights, quads, word, same);
        return;
    }
    OPS_UNROLL
    for (unsigned channel = 0; channel < 4; channel++)
        if (mask >> channel & 1) attribute_channel(&dst[channel], weights, quads, word + channel, same);
}

/* What the provoking vertex has. */
OPS_INLINE void attribute_constants(struct sch_lanes dst[4], unsigned mask, const struct sch_quads *quads,
                                    unsigned word, bool same)
{
    OPS_UNROLL
    for (unsigned channel = 0; channel < 4; channel++) {
        if (!(mask >> channel & 1)) continue;
        OPS_UNROLL
        for (unsigned v = 0; v < OPS_VECTORS; v++) {
            const vf32 value = attribute_vertex(quads, v, same, SCH_QUAD_PROVOKING, word + channel);
            ops_put_U(&dst[channel], v, (vu32)value);
        }
    }
}

OPS_INLINE vhalf64 attribute_depth(const struct attribute_edges *edges, const struct sch_quads *quads, unsigned half,
                                   bool same)
{
    return (ATTRIBUTE_F64(depth[0]) + edges->e1[half] * ATTRIBUTE_F64(depth[1])) +
           edges->e2[half] * ATTRIBUTE_F64(depth[2]);
}

OPS_INLINE void attribute_depths(struct sch_double_lanes *z, const struct sch_quads *quads,
                                 const struct sch_lane_places *places, bool same)
{
    struct attribute_edges edges;
    attribute_edges(&edges, quads, places, same);
    OPS_UNROLL
    for (unsigned half = 0; half < 2 * OPS_VECTORS; half++)
        *(vhalf_memory_f64 *)(z->d + half * ATTRIBUTE_HALF_LANES) = attribute_depth(&edges, quads, half, same);
}

/* ---- POSITION ---- */

/* Sub-pixels as pixels: exact. */
OPS_INLINE vf32 attribute_pixels(vi32 place, const struct sch_position_key *key)
{
    return v_f32_from_i32(place - (key->integer_center ? SCH_SUBPIXELS / 2 : 0)) * (1.0f / SCH_SUBPIXELS);
}

/* A float of the primitives as a double. */
OPS_INLINE vhalf64 attribute_limit(const struct sch_quads *quads, unsigned half, bool same, size_t offset)
{
    const struct sch_interpolant *const *of = quads->of + (same ? 0 : attribute_half_quad(half));
#define OF(q) (double)(*(const float *)((const char *)of[same ? 0 : (q)] + offset))
    return (vhalf64)ATTRIBUTE_HALF_QUADS(OF);
#undef OF
}

/* Depth; but for Direct3D (16.3.1) within the range that it is clamped to: what is not greater, a NaN or a zero, is its
 * lower end. */
OPS_INLINE vhalf64 attribute_position_z(const struct sch_position_key *key, const struct attribute_edges *edges,
                                        const struct sch_quads *quads, unsigned half, bool same)
{
    vhalf64 z = attribute_depth(edges, quads, half, same);
    if (key->d3d) return z;
    const vhalf64 least = attribute_limit(quads, half, same, offsetof(struct sch_interpolant, depth_min));
    const vhalf64 most = attribute_limit(quads, half, same, offsetof(struct sch_interpolant, depth_max));
    z = attribute_select((vhalf_mask)(z > least), z, least);
    return attribute_select((vhalf_mask)(z < most), z, most);
}

/* 1 / w changes linearly in the window. */
OPS_INLINE vf32 attribute_inverse_w(const struct attribute_edges *edges, const struct sch_quads *quads, unsigned v,
                                    bool same)
{
    const struct attribute_floats areas = attribute_floats(edges, quads, v, same, true);
    const struct attribute_inverses inverses = attribute_inverses(quads, v, same);
    const struct attribute_floats terms = attribute_terms(areas, &inverses);
    const struct {
        vhalf32 low, high;
    } sum = {__builtin_shufflevector(terms.e0 + (terms.e1 + terms.e2), terms.e0, ATTRIBUTE_LOW),
             __builtin_shufflevector(terms.e0 + (terms.e1 + terms.e2), terms.e0, ATTRIBUTE_HIGH)};
    unsigned half = 2 * v;
    const vhalf64 low = __builtin_convertvector(sum.low, vhalf64) * ATTRIBUTE_F64(w_unit);
    half = 2 * v + 1;
    const vhalf64 high = __builtin_convertvector(sum.high, vhalf64) * ATTRIBUTE_F64(w_unit);
    return v_select_f32(inverses.differ, attribute_join(low, high), inverses.of[0]);
}

OPS_INLINE void attribute_position(struct sch_lanes dst[4], unsigned mask, const struct sch_position_key *key,
                                   const struct sch_quads *quads, const struct sch_lane_places *places,
                                   const struct attribute_edges *edges, bool same)
{
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        if (mask & 1) ops_put_F(&dst[0], v, attribute_pixels(attribute_place_x(quads, places, v), key));
        if (!(mask & 2)) continue;
        vi32 y = attribute_place_y(quads, places, v);
        if (key->lower_left) y = (int32_t)(key->height * SCH_SUBPIXELS) - y;
        ops_put_F(&dst[1], v, attribute_pixels(y, key));
    }
    if (!(mask & 12)) return;
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const vhalf64 low = attribute_position_z(key, edges, quads, 2 * v, same);
        const vhalf64 high = attribute_position_z(key, edges, quads, 2 * v + 1, same);
        if (mask & 4) ops_put_F(&dst[2], v, attribute_join(low, high));
        if (!(mask & 8)) continue;
        const vf32 inverse = attribute_inverse_w(edges, quads, v, same);
        ops_store_F(&dst[3], v, SCH_OPF_CANON, key->d3d ? 1.0f / inverse : inverse);
    }
}

#endif
