/* Where the pixels of a block are, in the order of lanes. */
#ifndef SCH_OPS_RASTER_BLOCK_H
#define SCH_OPS_RASTER_BLOCK_H

#include "ops/op.h"

/* Numbers across and down of the pixels of vector v of a block. */
OPS_INLINE vi32 block_column(unsigned v)
{
    vi32 lane = v_lane_i32() + (int32_t)(v * SCH_LANES);
    return (lane >> 2 & 3) * 2 + (lane & 1);
}
OPS_INLINE vi32 block_row(unsigned v)
{
    vi32 lane = v_lane_i32() + (int32_t)(v * SCH_LANES);
    return (lane >> 4) * 2 + (lane >> 1 & 1);
}

/* Their centres, from an offset in sub-pixels of the block's first centre. */
OPS_INLINE vf64 block_center_x(unsigned v, int32_t offset)
{
    return v_f64_from_i32(block_column(v) * SCH_SUBPIXELS + (offset + SCH_SUBPIXELS / 2));
}
OPS_INLINE vf64 block_center_y(unsigned v, int32_t offset)
{
    return v_f64_from_i32(block_row(v) * SCH_SUBPIXELS + (offset + SCH_SUBPIXELS / 2));
}

/* The grid of 16 x 16 points in a pixel by which parts of it are counted, from its centre: a sixteenth of a pixel
 * apart, the outer ones half as far from the pixel's edge. */
enum { BLOCK_GRID_STEP = SCH_SUBPIXELS / 16, BLOCK_GRID_FIRST = (BLOCK_GRID_STEP - SCH_SUBPIXELS) / 2 };

/* The bits of a vector's lanes in a word for the group. */
OPS_INLINE uint32_t block_bits(vi32 mask, unsigned v) { return v_mask_bits(mask) << (v * SCH_LANES % SCH_GROUP_LANES); }

#endif
