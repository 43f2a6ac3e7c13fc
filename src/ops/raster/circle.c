/* Which samples of a block are in a circle, exactly: the squares of distances are whole numbers below 2^53 near the
 * circle. How circles come about is src/pipeline's. */
#include "ops/raster/block.h"

/* How far 2 * |offset| is past the reach. */
OPS_INLINE vf64 circle_past(vf64 offset, double reach)
{
    const vf64 past = v_abs_f64(offset) * 2.0 - reach;
    return (vf64)((vi64)past & (vi64)(past > 0.0));
}

/* Where places of vector v are inside; dx and dy are the block's first pixel and the place in it, from the centre. */
OPS_INLINE vi32 circle_inside(unsigned v, const struct sch_circle *circle, int32_t dx, int32_t dy)
{
    const vf64 x = circle_past(block_center_x(v, dx), circle->reach);
    const vf64 y = circle_past(block_center_y(v, dy), circle->reach);
    return v_mask_narrow((vi64)(x * x + y * y <= (double)circle->diameter * circle->diameter));
}

/* See raster.def. */
void OPS_LOCAL(cover_circle)(uint32_t *masks, const struct sch_circle *circle, int32_t x, int32_t y,
                             const struct sch_sample_pattern *pattern);
void OPS_LOCAL(cover_circle)(uint32_t *masks, const struct sch_circle *circle, int32_t x, int32_t y,
                             const struct sch_sample_pattern *pattern)
{
    const int32_t dx = x * SCH_SUBPIXELS - circle->center[0], dy = y * SCH_SUBPIXELS - circle->center[1];
    for (uint32_t s = 0; s < pattern->samples; s++) {
        masks[s] = 0;
        for (unsigned v = 0; v < OPS_VECTORS; v++)
            masks[s] |= block_bits(circle_inside(v, circle, dx + pattern->x[s], dy + pattern->y[s]), v);
    }
}

/* See raster.def. */
void OPS_LOCAL(cover_part_circle)(struct sch_lanes *part, const struct sch_circle *circle, int32_t x, int32_t y);
void OPS_LOCAL(cover_part_circle)(struct sch_lanes *part, const struct sch_circle *circle, int32_t x, int32_t y)
{
    const int32_t dx = x * SCH_SUBPIXELS - circle->center[0], dy = y * SCH_SUBPIXELS - circle->center[1];
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vi32 sum = v_splat_i32(0);
        for (int32_t j = BLOCK_GRID_FIRST; j < SCH_SUBPIXELS / 2; j += BLOCK_GRID_STEP)
            for (int32_t i = BLOCK_GRID_FIRST; i < SCH_SUBPIXELS / 2; i += BLOCK_GRID_STEP)
                sum -= circle_inside(v, circle, dx + i, dy + j);
        ops_put_I(part, v, sum);
    }
}
