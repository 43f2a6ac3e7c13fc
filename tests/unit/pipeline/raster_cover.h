/* Pixels and samples of a primitive as a draw finds them, by the operations of a level, and what the tests of coverage
 * share: what a reference says is covered, and the comparison with it. */
#ifndef TESTS_RASTER_COVER_H
#define TESTS_RASTER_COVER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/random_number.h"
#include "ops/ops.h"
#include "pipeline/primitive.h"
#include "pipeline/samples.h"

enum { COVER_LEFT = 0, COVER_TOP = 0, COVER_SIDE = 48 }; /* pixels that are compared */

/* What is covered: of each sample, or of the pixel in 256ths if that is smooth. */
struct covered {
    uint16_t of[COVER_SIDE][COVER_SIDE][SCH_MAX_SAMPLES];
};

static inline unsigned block_lane(unsigned x, unsigned y) { return (y / 2 * 4 + x / 2) * 4 + y % 2 * 2 + x % 2; }

static inline uint32_t cover_in_box(const int32_t box[4], int32_t x, int32_t y)
{
    uint32_t lanes = 0;
    for (int32_t j = 0; j < SCH_BLOCK_HEIGHT; j++)
        for (int32_t i = 0; i < SCH_BLOCK_WIDTH; i++)
            if (x + i >= box[0] && x + i < box[2] && y + j >= box[1] && y + j < box[3])
                lanes |= 1u << block_lane((unsigned)i, (unsigned)j);
    return lanes;
}

static inline void cover_smooth(const struct sch_ops *ops, const struct sch_raster_primitive *p, int32_t x, int32_t y,
                                struct sch_lanes *part)
{
    if (p->coverage == SCH_COVERAGE_CIRCLE)
        ops->cover_part_circle(part, &p->circle, x, y);
    else if (p->line_stippled)
        ops->cover_part_stippled(part, p->edges, p->edge_count, &p->stipple, x, y);
    else
        ops->cover_part(part, p->edges, p->edge_count, x, y);
}

static inline void cover_samples(const struct sch_ops *ops, const struct sch_raster_primitive *p, int32_t x, int32_t y,
                                 const struct sch_sample_pattern *pattern, uint32_t *masks)
{
    if (p->coverage == SCH_COVERAGE_CIRCLE)
        ops->cover_circle(masks, &p->circle, x, y, pattern);
    else if (!p->edge_count)
        memset(masks, 0xff, pattern->samples * sizeof *masks);
    else
        ops->cover_edges(masks, p->edges, p->edge_count, x, y, pattern);
    if (p->line_stippled) ops->stipple_line(masks, &p->stipple, x, y, pattern);
}

/* A block of `samples`: sample s of pixel (i, j) of it into of[j][i][s]. */
static inline void cover_block(const struct sch_ops *ops, const struct sch_raster_primitive *p, uint32_t samples,
                               int32_t x, int32_t y, uint16_t of[SCH_BLOCK_HEIGHT][SCH_BLOCK_WIDTH][SCH_MAX_SAMPLES])
{
    struct sch_sample_pattern pattern;
    struct sch_lanes part;
    uint32_t masks[SCH_MAX_SAMPLES];
    const uint32_t inside = cover_in_box(p->box, x, y);
    memset(masks, 0xa5, sizeof masks);
    sch_sample_pattern(p->all_samples ? 1 : samples, &pattern);
    if (p->smooth)
        cover_smooth(ops, p, x, y, &part);
    else
        cover_samples(ops, p, x, y, &pattern, masks);
    for (unsigned j = 0; j < SCH_BLOCK_HEIGHT; j++)
        for (unsigned i = 0; i < SCH_BLOCK_WIDTH; i++)
            for (uint32_t s = 0; s < samples; s++) {
                const unsigned lane = block_lane(i, j);
                if (!(inside >> lane & 1))
                    of[j][i][s] = 0;
                else if (p->smooth)
                    of[j][i][s] = (uint16_t)part.u[lane];
                else
                    of[j][i][s] = masks[p->all_samples ? 0 : s] >> lane & 1;
            }
}

static inline void cover_all(const struct sch_ops *ops, const struct sch_raster_primitive *p, uint32_t samples,
                             struct covered *covered)
{
    uint16_t block[SCH_BLOCK_HEIGHT][SCH_BLOCK_WIDTH][SCH_MAX_SAMPLES];
    memset(covered, 0, sizeof *covered);
    for (int32_t y = 0; y < COVER_SIDE; y += SCH_BLOCK_HEIGHT)
        for (int32_t x = 0; x < COVER_SIDE; x += SCH_BLOCK_WIDTH) {
            if (!cover_in_box(p->box, x, y)) continue;
            cover_block(ops, p, samples, x, y, block);
            for (unsigned j = 0; j < SCH_BLOCK_HEIGHT; j++)
                memcpy(covered->of[y + (int32_t)j][x], block[j], sizeof block[j]);
        }
}

/* Conservative rasterisation of some kind; answers how far a pixel's square reaches from its centre, in pixels. */
static inline double cover_conservatively(struct sch_rasterizer_options *options, uint64_t *seed)
{
    const uint64_t number = random_number(seed);
    options->conservative = number & 1 ? SCH_CONSERVATIVE_POST_SNAP : SCH_CONSERVATIVE_PRE_SNAP;
    options->conservative_dilate = (float)(number >> 1 & 3) / 4;
    return 0.5 + (double)options->conservative_dilate + (number & 1 ? 0 : 1.0 / 512);
}

/* ---- references ---- */

static const struct sch_setup_viewport cover_everything = {.frame = {0, 0, COVER_SIDE, COVER_SIDE}, .depth_max = 1};
static const uint32_t cover_samples_of[] = {1, 2, 4, 8, 16};

/* Whether a place (sub-pixels) is in a shape. */
typedef bool cover_inside(const void *shape, int32_t x, int32_t y);

/* By the samples, or all by the centre. */
static inline void cover_by_samples(cover_inside *inside, const void *shape, uint32_t samples, bool centres,
                                    struct covered *covered)
{
    struct sch_sample_pattern pattern;
    sch_sample_pattern(centres ? 1 : samples, &pattern);
    for (int32_t y = 0; y < COVER_SIDE; y++)
        for (int32_t x = 0; x < COVER_SIDE; x++)
            for (uint32_t s = 0; s < samples; s++) {
                const uint32_t n = centres ? 0 : s;
                covered->of[y][x][s] = inside(shape, x * 256 + 128 + pattern.x[n], y * 256 + 128 + pattern.y[n]);
            }
}

/* In 256ths, by a grid of 16 x 16, the same for all samples. */
static inline void cover_by_parts(cover_inside *inside, const void *shape, uint32_t samples, struct covered *covered)
{
    for (int32_t y = 0; y < COVER_SIDE; y++)
        for (int32_t x = 0; x < COVER_SIDE; x++) {
            uint16_t count = 0;
            for (int32_t n = 0; n < 256; n++)
                count += inside(shape, x * 256 + n % 16 * 16 + 8, y * 256 + n / 16 * 16 + 8);
            for (uint32_t s = 0; s < samples; s++) covered->of[y][x][s] = count;
        }
}

/* The first difference between what is covered at some level and what is expected, as text; false: there is none.
 * `primitive` NULL: nothing is drawn. */
static inline bool cover_differs(const struct sch_raster_primitive *primitive, uint32_t samples,
                                 const struct covered *expected, char text[128])
{
    static struct covered covered;
    unsigned levels;
    const struct sch_ops *const *level = sch_ops_levels(&levels);
    for (unsigned l = 0; l < levels; l++) {
        if (primitive)
            cover_all(level[l], primitive, samples, &covered);
        else
            memset(&covered, 0, sizeof covered);
        for (int32_t y = 0; y < COVER_SIDE; y++)
            for (int32_t x = 0; x < COVER_SIDE; x++)
                for (uint32_t s = 0; s < samples; s++) {
                    const unsigned have = covered.of[y][x][s], want = expected->of[y][x][s];
                    if (have == want) continue;
                    snprintf(text, 128, "%s, %u samples: pixel %d, %d sample %u is %u, not %u", level[l]->name, samples,
                             x, y, s, have, want);
                    return true;
                }
    }
    return false;
}

static inline unsigned cover_count(unsigned usual, unsigned whole) { return getenv("SCH_LONG") ? whole : usual; }

#endif
