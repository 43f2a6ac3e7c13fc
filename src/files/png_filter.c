/* The filters of PNG's rows. Pieces of a constant size are loops that compilers turn into vectors, at any level of
 * optimisation at which they do so at all. */
#include "files/png_filter.h"

#include <string.h>

enum { PIECE = 64, SAMPLED = 4 };

/* A byte that is filtered: x is to the right of a, below b; c is above a (9.2). */
static inline uint8_t filtered(enum sch_png_filter filter, uint8_t x, uint8_t a, uint8_t b, uint8_t c)
{
    switch (filter) {
    case SCH_PNG_FILTER_SUB:
        return (uint8_t)(x - a);
    case SCH_PNG_FILTER_UP:
        return (uint8_t)(x - b);
    case SCH_PNG_FILTER_AVERAGE:
        return (uint8_t)(x - ((a + b) >> 1));
    case SCH_PNG_FILTER_PAETH: {
        /* 9.4: the nearest of a, b, c to a + b - c; of equals the first. 16 bits, so that more fit a vector. */
        int16_t pa = (int16_t)(b - c), pb = (int16_t)(a - c), pc = (int16_t)(pa + pb);
        pa = pa < 0 ? (int16_t)-pa : pa;
        pb = pb < 0 ? (int16_t)-pb : pb;
        pc = pc < 0 ? (int16_t)-pc : pc;
        const uint8_t other = pb <= pc ? b : c;
        return (uint8_t)(x - (pa <= pb && pa <= pc ? a : other));
    }
    default:
        return x;
    }
}

static inline __attribute__((always_inline)) void filter_piece(enum sch_png_filter filter, uint8_t *restrict to,
                                                               const uint8_t *restrict row,
                                                               const uint8_t *restrict above, size_t step)
{
    const uint8_t *restrict left = row - step, *restrict corner = above - step;
    for (int i = 0; i < PIECE; i++) to[i] = filtered(filter, row[i], left[i], above[i], corner[i]);
}

static inline __attribute__((always_inline)) void
filter_row(enum sch_png_filter filter, uint8_t *to, const uint8_t *row, const uint8_t *above, size_t bytes, size_t step)
{
    size_t i = 0;
    for (; bytes - i >= PIECE; i += PIECE) filter_piece(filter, to + i, row + i, above + i, step);
    for (; i < bytes; i++) to[i] = filtered(filter, row[i], (row - step)[i], above[i], (above - step)[i]);
}

void sch_png_filter(enum sch_png_filter filter, uint8_t *to, const uint8_t *row, const uint8_t *above, size_t bytes,
                    size_t step)
{
    switch (filter) {
    case SCH_PNG_FILTER_SUB:
        filter_row(SCH_PNG_FILTER_SUB, to, row, above, bytes, step);
        return;
    case SCH_PNG_FILTER_UP:
        filter_row(SCH_PNG_FILTER_UP, to, row, above, bytes, step);
        return;
    case SCH_PNG_FILTER_AVERAGE:
        filter_row(SCH_PNG_FILTER_AVERAGE, to, row, above, bytes, step);
        return;
    case SCH_PNG_FILTER_PAETH:
        filter_row(SCH_PNG_FILTER_PAETH, to, row, above, bytes, step);
        return;
    default:
        memcpy(to, row, bytes);
    }
}

/* The sum of the absolute values of bytes that are taken as numbers with a sign. */
static uint32_t magnitude(const uint8_t *bytes)
{
    uint32_t sum = 0;
    for (int i = 0; i < PIECE; i++) {
        const uint8_t negative = (uint8_t)-bytes[i];
        sum += bytes[i] < negative ? bytes[i] : negative;
    }
    return sum;
}

/* A piece that the row ends in is filled up with zeros. */
static uint32_t short_magnitude(const uint8_t *bytes, size_t count)
{
    uint8_t piece[PIECE] = {0};
    memcpy(piece, bytes, count);
    return magnitude(piece);
}

enum sch_png_filter sch_png_choose_filter(const uint8_t *row, const uint8_t *above, size_t bytes, size_t step,
                                          int thorough)
{
    const size_t pieces = (bytes + PIECE - 1) / PIECE, stride = !thorough && pieces >= 2 * SAMPLED ? SAMPLED : 1;
    uint64_t sums[SCH_PNG_FILTERS] = {0};
    for (size_t piece = 0; piece < pieces; piece += stride) {
        const size_t at = piece * PIECE, count = bytes - at < PIECE ? bytes - at : PIECE;
        for (int filter = 0; filter < SCH_PNG_FILTERS; filter++) {
            uint8_t made[PIECE];
            sch_png_filter((enum sch_png_filter)filter, made, row + at, above + at, count, step);
            sums[filter] += count < PIECE ? short_magnitude(made, count) : magnitude(made);
        }
    }
    int best = SCH_PNG_FILTER_NONE;
    for (int filter = 1; filter < SCH_PNG_FILTERS; filter++)
        if (sums[filter] < sums[best]) best = filter;
    return (enum sch_png_filter)best;
}
