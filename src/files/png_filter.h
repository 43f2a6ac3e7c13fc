/* The filters of PNG's rows (PNG 3rd edition, 9), and a quick choice of one. Holds no compression. */
#ifndef SCH_FILES_PNG_FILTER_H
#define SCH_FILES_PNG_FILTER_H

#include <stddef.h>
#include <stdint.h>

enum sch_png_filter {
    SCH_PNG_FILTER_NONE = 0,
    SCH_PNG_FILTER_SUB = 1,
    SCH_PNG_FILTER_UP = 2,
    SCH_PNG_FILTER_AVERAGE = 3,
    SCH_PNG_FILTER_PAETH = 4,
    SCH_PNG_FILTERS
};

/* The most bytes of a pixel. So many zeros are in front of a row and of the row above it. */
enum { SCH_PNG_STEP_MAX = 8 };

/* Filters a row of `bytes` whose pixels, or bytes if a pixel has fewer, are `step` bytes apart. */
void sch_png_filter(enum sch_png_filter filter, uint8_t *to, const uint8_t *row, const uint8_t *above, size_t bytes,
                    size_t step);

/* The filter of the smallest sum of absolute differences (12.7, "adaptive filtering"). Not `thorough`: a part of a long
 * row speaks for all of it. */
enum sch_png_filter sch_png_choose_filter(const uint8_t *row, const uint8_t *above, size_t bytes, size_t step,
                                          int thorough);

#endif
