/* Rectangles of pixels as lanes of blocks. */
#include "pipeline/box.h"

/* The first pixel whose sample at an offset from the centre is not before a place in sub-pixels. */
static int32_t first_pixel(int32_t place, int32_t sample)
{
    return (place - sample - SCH_SUBPIXELS / 2 + SCH_SUBPIXELS - 1) >> 8;
}

uint32_t sch_box_sample_lanes(const int32_t bounds[4], int32_t x, int32_t y, int32_t sample_x, int32_t sample_y)
{
    const int32_t box[4] = {first_pixel(bounds[0], sample_x), first_pixel(bounds[1], sample_y),
                            first_pixel(bounds[2], sample_x), first_pixel(bounds[3], sample_y)};
    return sch_box_lanes(box, x, y);
}
