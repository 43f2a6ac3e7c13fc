/* Boxes of pixels: left, top, right, bottom; the last two are outside. */
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

#endif
