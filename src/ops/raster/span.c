/* The steps around shaders, on whole groups: where the pixels of quads side by side are, what changes linearly over
 * them, colours as bytes in the order of memory, and the numbers of threads. Holds no walk over pixels or work groups
 * and no access to the caller's memory: src/run. */
#include "ops/op.h"

/* Lane numbers from v * SCH_LANES on. */
OPS_INLINE vu32 span_lanes(unsigned v) { return (vu32)v_lane_i32() + v * SCH_LANES; }

/* Where the pixels of lanes are in quads side by side that begin at a column, at a row. */
OPS_INLINE vf32 span_column(vu32 lane, vu32 column)
{
    return v_f32_from_i32((vi32)((lane >> 2) * 2u + (lane & 1u) + column));
}

/* The threads of lanes, where those of a work group are one row. */
OPS_INLINE vu32 span_thread(vu32 lane, vu32 first) { return lane + first; }

OPS_INLINE vf32 span_row(vu32 lane, vu32 row) { return v_f32_from_i32((vi32)((lane >> 1 & 1u) + row)); }

/* See sch_ops.quad_pixels. */
void OPS_LOCAL(quad_pixels)(struct sch_lanes *x, struct sch_lanes *y, uint32_t column, uint32_t row);
void OPS_LOCAL(quad_pixels)(struct sch_lanes *x, struct sch_lanes *y, uint32_t column, uint32_t row)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        ops_put_F(x, v, span_column(span_lanes(v), v_splat_u32(column)));
        ops_put_F(y, v, span_row(span_lanes(v), v_splat_u32(row)));
    }
}

OPS_INLINE vf32 span_sum(vf32 first, vf32 across, vf32 down, vf32 x, vf32 y)
{
    return v_fma_f32(y, down, v_fma_f32(x, across, first));
}

OPS_INLINE vf32 span_linear(const float steps[3], vf32 x, vf32 y)
{
    return span_sum(v_splat_f32(steps[0]), v_splat_f32(steps[1]), v_splat_f32(steps[2]), x, y);
}

/* See sch_ops.plane. */
void OPS_LOCAL(plane)(struct sch_lanes *dst, const struct sch_group_plane *plane, const struct sch_lanes *x,
                      const struct sch_lanes *y);
void OPS_LOCAL(plane)(struct sch_lanes *dst, const struct sch_group_plane *plane, const struct sch_lanes *x,
                      const struct sch_lanes *y)
{
    if (plane->division == SCH_PLANE_SCALED) {
        for (unsigned v = 0; v < OPS_VECTORS; v++) {
            vf32 value = span_linear(plane->value, ops_load_F(x, v), ops_load_F(y, v));
            ops_store_F(dst, v, SCH_OPF_CANON, value * plane->scale);
        }
        return;
    }
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vf32 column = ops_load_F(x, v), row = ops_load_F(y, v);
        vf32 divisor = span_linear(plane->divisor, column, row);
        ops_store_F(dst, v, SCH_OPF_CANON, span_linear(plane->value, column, row) / divisor);
    }
}

/* 0 to 1 as 0 to 255 in the low bits of SPAN_BYTE_BIAS, rounded once, to nearest even: the sum's last place is 1. A
 * NaN is 0. Without `clamps`, colours are known to be from 0 to 1. */
#define SPAN_BYTE_BIAS UINT32_C(0x4b400000) /* 1.5 * 2^23 */
OPS_INLINE vu32 span_unorm8(vf32 value, bool clamps)
{
    if (clamps) value = v_less_f32(v_greater_f32(value, v_splat_f32(0.0f)), v_splat_f32(1.0f));
    return v_as_u32(v_fma_f32(value, v_splat_f32(255.0f), v_splat_f32(0x1.8p23f)));
}

OPS_INLINE vu32 span_pack(vf32 x, vf32 y, vf32 z, vf32 w, bool clamps)
{
    return span_unorm8(x, clamps) + (span_unorm8(y, clamps) << 8) + (span_unorm8(z, clamps) << 16) +
           (span_unorm8(w, clamps) << 24) - SPAN_BYTE_BIAS * UINT32_C(0x01010101);
}

/* The lanes of the upper and of the lower row of a vector's quads. */
typedef uint32_t span_half __attribute__((vector_size(SCH_LANES * 2)));
typedef span_half span_half_in_memory __attribute__((aligned(1), may_alias));
#if SCH_LANES == 4
#define SPAN_UPPER 0, 1
#define SPAN_LOWER 2, 3
#elif SCH_LANES == 8
#define SPAN_UPPER 0, 1, 4, 5
#define SPAN_LOWER 2, 3, 6, 7
#else
#define SPAN_UPPER 0, 1, 4, 5, 8, 9, 12, 13
#define SPAN_LOWER 2, 3, 6, 7, 10, 11, 14, 15
#endif

/* See sch_ops.pack_unorm8. */
void OPS_LOCAL(pack_unorm8)(void *upper, void *lower, const struct sch_lanes rgba[4]);
void OPS_LOCAL(pack_unorm8)(void *upper, void *lower, const struct sch_lanes rgba[4])
{
    span_half_in_memory *above = upper, *below = lower;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vu32 packed = span_pack(ops_load_F(&rgba[0], v), ops_load_F(&rgba[1], v), ops_load_F(&rgba[2], v),
                                ops_load_F(&rgba[3], v), true);
        above[v] = __builtin_shufflevector(packed, packed, SPAN_UPPER);
        below[v] = __builtin_shufflevector(packed, packed, SPAN_LOWER);
    }
}

/* The same steps as operations of one vector each, for machine code that does what is around groups itself
 * (jit/span.c). Operands of pixel_column and pixel_row: numbers of lanes, and where the quads begin; of thread_number:
 * the same, and the first thread; of planes: x, y, the value's three numbers, then its scale or the divisor's three. */
#define SPAN_OPERATION(name)                                                                                           \
    void OPS_LOCAL(name)(uint32_t rules, struct sch_lanes *const dst[], const struct sch_lanes *const src[]);          \
    void OPS_LOCAL(name)(uint32_t rules OPS_UNUSED, struct sch_lanes *const dst[], const struct sch_lanes *const src[])
#if OPS_VECTORS == 1
SPAN_OPERATION(pixel_column) { ops_put_F(dst[0], 0, span_column(ops_load_U(src[0], 0), ops_load_U(src[1], 0))); }
SPAN_OPERATION(pixel_row) { ops_put_F(dst[0], 0, span_row(ops_load_U(src[0], 0), ops_load_U(src[1], 0))); }
SPAN_OPERATION(thread_number) { ops_put_U(dst[0], 0, span_thread(ops_load_U(src[0], 0), ops_load_U(src[1], 0))); }

OPS_INLINE vf32 span_operand_sum(const struct sch_lanes *const src[], unsigned first)
{
    return span_sum(ops_load_F(src[first], 0), ops_load_F(src[first + 1], 0), ops_load_F(src[first + 2], 0),
                    ops_load_F(src[0], 0), ops_load_F(src[1], 0));
}

SPAN_OPERATION(plane_scaled)
{
    ops_store_F(dst[0], 0, SCH_OPF_CANON, span_operand_sum(src, 2) * ops_load_F(src[5], 0));
}

SPAN_OPERATION(plane_divided)
{
    ops_store_F(dst[0], 0, SCH_OPF_CANON, span_operand_sum(src, 2) / span_operand_sum(src, 5));
}

OPS_INLINE void span_color(struct sch_lanes *const dst[], const struct sch_lanes *const src[], bool clamps)
{
    ops_put_U(
        dst[0], 0,
        span_pack(ops_load_F(src[0], 0), ops_load_F(src[1], 0), ops_load_F(src[2], 0), ops_load_F(src[3], 0), clamps));
}
SPAN_OPERATION(color_unorm8) { span_color(dst, src, true); }
SPAN_OPERATION(color_unorm8_from_0_to_1) { span_color(dst, src, false); }
#endif

/* See sch_ops.thread_ids. */
void OPS_LOCAL(thread_ids)(struct sch_lanes id[3], uint32_t first, const uint32_t block[3]);
void OPS_LOCAL(thread_ids)(struct sch_lanes id[3], uint32_t first, const uint32_t block[3])
{
    if (block[1] == 1 && block[2] == 1) {
        for (unsigned v = 0; v < OPS_VECTORS; v++) ops_put_U(&id[0], v, span_thread(span_lanes(v), v_splat_u32(first)));
        return;
    }
    const vu32 width = v_splat_u32(block[0]), height = v_splat_u32(block[1]);
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vu32 thread = span_lanes(v) + first, line = v_div_u32_nonzero(thread, width);
        thread -= line * width;
        vu32 layer = v_div_u32_nonzero(line, height), row = line - layer * height;
        ops_put_U(&id[0], v, thread);
        ops_put_U(&id[1], v, row);
        ops_put_U(&id[2], v, layer);
    }
}
