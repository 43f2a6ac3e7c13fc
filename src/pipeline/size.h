/* Sizes of points and widths of lines as whole numbers. Every float is one: what is below the least size, or NaN,
 * counts as the least, and what is above the largest as the largest (SCH_POINT_SIZE_MAX, SCH_LINE_WIDTH_MAX). */
#ifndef SCH_PIPELINE_SIZE_H
#define SCH_PIPELINE_SIZE_H

#include "abi/raster.h"

/* The nearest whole number of `units` in a pixel, the greater one of two; at least 1. */
static inline int32_t sch_size_in_units(float size, int32_t units, int32_t max_pixels)
{
    double scaled = (double)size * units;
    if (!(scaled > 1.0)) return 1;
    if (scaled > (double)max_pixels * units) return max_pixels * units;
    return (int32_t)(scaled + 0.5);
}

#endif
