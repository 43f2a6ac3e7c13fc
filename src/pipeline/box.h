/* Boxes of pixels: left, top, right, bottom; the last two are outside. And the lanes of blocks that are in them. */
#ifndef SCH_PIPELINE_BOX_H
#define SCH_PIPELINE_BOX_H

#include <stdbool.h>
#include <stdint.h>

/* The box's part within bounds; whether there is one. */
static inline bool sch_box_clip(int32_t box[4], const int32_t bounds[4])
{
    for (unsigned i = 0; i < 2; i++) {
        if (box[i] < bounds[i]) box[i] = bounds[i];
        if (box[i + 2] > bounds[i + 2]) box[i + 2] = bounds[i + 2];
    }
    return box[0] < box[2] && box[1] < box[3];
}

/* The lanes of the block whose upper left pixel is (x, y) that are in the box. */
uint32_t sch_box_lanes(const int32_t box[4], int32_t x, int32_t y);

/* The same for samples at an offset from their pixels' centres, and a box in sub-pixels. */
uint32_t sch_box_sample_lanes(const int32_t bounds[4], int32_t x, int32_t y, int32_t sample_x, int32_t sample_y);

#endif
