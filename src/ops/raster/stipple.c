/* Which pixels and samples of a block the stipples of lines and polygons leave. */
#include "ops/raster/block.h"

/* c + a * x + b * y of vector v; (x, y) is the place in the block's first pixel, from its centre. All are whole numbers
 * below 2^53. */
OPS_INLINE vf64 stipple_linear(unsigned v, double c, double a, double b, int32_t x, int32_t y)
{
    return c + a * block_center_x(v, x) + b * block_center_y(v, y);
}

/* Where a line is drawn. The quotient is below 2^17 in the guard band and the unit a whole number below 2^34: what is
 * not a whole number is further from one than the division's rounding. Places before the line count as its beginning.
 * */
OPS_INLINE vi32 stipple_on(unsigned v, const struct sch_line_stipple *stipple, int32_t x, int32_t y)
{
    const double *place = stipple->place;
    vi32 units = v_i32_from_f64(stipple_linear(v, place[0], place[1], place[2], x, y) / stipple->unit);
    vu32 counter = (vu32)v_max_i32(units, v_splat_i32(0)) + stipple->first;
    vu32 bit = v_div_u32_nonzero(counter, v_splat_u32(stipple->factor)) & 15u;
    return -(vi32)((v_splat_u32(stipple->pattern) >> bit) & 1u);
}

/* See raster.def. */
void OPS_LOCAL(stipple_line)(uint32_t *masks, const struct sch_line_stipple *stipple, int32_t x, int32_t y,
                             const struct sch_sample_pattern *pattern);
void OPS_LOCAL(stipple_line)(uint32_t *masks, const struct sch_line_stipple *stipple, int32_t x, int32_t y,
                             const struct sch_sample_pattern *pattern)
{
    for (uint32_t s = 0; s < pattern->samples; s++) {
        const int32_t sx = x * SCH_SUBPIXELS + pattern->x[s], sy = y * SCH_SUBPIXELS + pattern->y[s];
        uint32_t on = 0;
        for (unsigned v = 0; v < OPS_VECTORS; v++) on |= block_bits(stipple_on(v, stipple, sx, sy), v);
        masks[s] &= on;
    }
}

OPS_INLINE vi32 stipple_inside(unsigned v, const struct sch_edge *edges, unsigned edge_count, int32_t x, int32_t y)
{
    vi32 inside = v_splat_i32(-1);
    for (unsigned e = 0; e < edge_count; e++) {
        const double c = (double)(edges[e].c + edges[e].bias);
        inside &= v_mask_narrow((vi64)(stipple_linear(v, c, edges[e].a, edges[e].b, x, y) >= 0.0));
    }
    return inside;
}

/* See raster.def. */
void OPS_LOCAL(cover_part_stippled)(struct sch_lanes *part, const struct sch_edge *edges, unsigned edge_count,
                                    const struct sch_line_stipple *stipple, int32_t x, int32_t y);
void OPS_LOCAL(cover_part_stippled)(struct sch_lanes *part, const struct sch_edge *edges, unsigned edge_count,
                                    const struct sch_line_stipple *stipple, int32_t x, int32_t y)
{
    x *= SCH_SUBPIXELS;
    y *= SCH_SUBPIXELS;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vi32 sum = v_splat_i32(0);
        for (int32_t j = BLOCK_GRID_FIRST; j < SCH_SUBPIXELS / 2; j += BLOCK_GRID_STEP)
            for (int32_t i = BLOCK_GRID_FIRST; i < SCH_SUBPIXELS / 2; i += BLOCK_GRID_STEP) {
                vi32 inside = stipple_inside(v, edges, edge_count, x + i, y + j);
                if (v_any(inside)) sum -= inside & stipple_on(v, stipple, x + i, y + j);
            }
        ops_put_I(part, v, sum);
    }
}

/* See raster.def. */
uint32_t OPS_LOCAL(stipple_polygon)(const uint32_t rows[32], int32_t x, int32_t y);
uint32_t OPS_LOCAL(stipple_polygon)(const uint32_t rows[32], int32_t x, int32_t y)
{
    uint32_t lanes = 0;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vi32 row = block_row(v);
        vu32 shift = (vu32)(31 - ((block_column(v) + x) & 31)), words = v_splat_u32(0);
        for (int32_t r = 0; r < SCH_BLOCK_HEIGHT; r++)
            words = v_select_u32((vi32)(row == r), v_splat_u32(rows[(y + r) & 31]), words);
        lanes |= block_bits(-(vi32)(words >> shift & 1u), v);
    }
    return lanes;
}
