/* Boxes of pixels: left, top, right, bottom; the last two are outside. And the lanes of blocks that are in them. */
#ifndef SCH_PIPELINE_BOX_H
#define SCH_PIPELINE_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/raster.h"

/* The box's part within bounds; whether there is one. */
static inline bool sch_box_clip(int32_t box[4], const int32_t bounds[4])
{
    for (unsigned i = 0; i < 2; i++) {
        if (box[i] < bounds[i]) box[i] = bounds[i];
        if (box[i + 2] > bounds[i + 2]) box[i + 2] = bounds[i + 2];
    }
    return box[0] < box[2] && box[1] < box[3];
}

static inline int32_t sch_box_limited(int32_t value, int32_t most)
{
    return value < 0 ? 0 : value < most ? value : most;
}

/* Lanes of a block's first `count` columns. */
static inline uint32_t sch_box_columns(int32_t count)
{
    static const uint32_t lanes[SCH_BLOCK_WIDTH + 1] = {0,          0x00050005, 0x000f000f, 0x005f005f, 0x00ff00ff,
                                                        0x05ff05ff, 0x0fff0fff, 0x5fff5fff, 0xffffffff};
    return lanes[count];
}

/* Lanes of a block's first `count` rows. */
static inline uint32_t sch_box_rows(int32_t count)
{
    static const uint32_t lanes[SCH_BLOCK_HEIGHT + 1] = {0, 0x00003333, 0x0000ffff, 0x3333ffff, 0xffffffff};
    return lanes[count];
}

/* The lanes of the block whose upper left pixel is (x, y) that are in the box. */
static inline uint32_t sch_box_lanes(const int32_t box[4], int32_t x, int32_t y)
{
    return ~sch_box_columns(sch_box_limited(box[0] - x, SCH_BLOCK_WIDTH)) &
           sch_box_columns(sch_box_limited(box[2] - x, SCH_BLOCK_WIDTH)) &
           ~sch_box_rows(sch_box_limited(box[1] - y, SCH_BLOCK_HEIGHT)) &
           sch_box_rows(sch_box_limited(box[3] - y, SCH_BLOCK_HEIGHT));
}

/* The same for samples at an offset from their pixels' centres, and a box in sub-pixels. */
uint32_t sch_box_sample_lanes(const int32_t bounds[4], int32_t x, int32_t y, int32_t sample_x, int32_t sample_y);

#endif
