/* Rectangles of pixels as lanes of blocks. */
#include "pipeline/box.h"

#include "abi/raster.h"

static int32_t limited(int32_t value, int32_t most) { return value < 0 ? 0 : value < most ? value : most; }

uint32_t sch_box_lanes(const int32_t box[4], int32_t x, int32_t y)
{
    /* Lanes of the columns, of the rows before the n-th one. */
    static const uint32_t columns[SCH_BLOCK_WIDTH + 1] = {0,          0x00050005, 0x000f000f, 0x005f005f, 0x00ff00ff,
                                                          0x05ff05ff, 0x0fff0fff, 0x5fff5fff, 0xffffffff};
    static const uint32_t rows[SCH_BLOCK_HEIGHT + 1] = {0, 0x00003333, 0x0000ffff, 0x3333ffff, 0xffffffff};
    return ~columns[limited(box[0] - x, SCH_BLOCK_WIDTH)] & columns[limited(box[2] - x, SCH_BLOCK_WIDTH)] &
           ~rows[limited(box[1] - y, SCH_BLOCK_HEIGHT)] & rows[limited(box[3] - y, SCH_BLOCK_HEIGHT)];
}

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
