/* Which primitives touch which tiles of the framebuffer. Primitives stay where their chunk has them, in its order;
 * tiles list their numbers. */
#ifndef SCH_PIPELINE_BIN_H
#define SCH_PIPELINE_BIN_H

#include "pipeline/primitive.h"
#include "pipeline/scratch.h"

/* Consecutive primitives of one chunk. */
struct sch_bin_part {
    const struct sch_raster_primitive *primitives;
    const struct sch_vertices *vertices; /* that they refer to */
    uint32_t first, end;
    uint32_t left, top, right, bottom; /* tiles that they touch; the last two are outside */
    struct sch_scratch_array starts;   /* uint32_t: of each of these tiles, row by row, and behind the last */
    struct sch_scratch_array numbers;  /* uint32_t: of primitives, tile by tile */
};

/* A row of parts, in the order of the draw. */
struct sch_bins {
    uint32_t shift; /* log2 of a tile's side in pixels */
    struct sch_bin_part *parts;
    uint32_t part_count;
};

/* How many tiles a primitive is listed in. */
uint64_t sch_bin_references(const struct sch_raster_primitive *primitive, uint32_t shift);

/* Lists the primitives of one part; of different parts on different threads. False: no memory. */
bool sch_bin_fill(const struct sch_bins *bins, struct sch_bin_part *part, struct sch_scratch *scratch);

/* The primitives of one tile, in their order. */
struct sch_bin_walk {
    const struct sch_bins *bins;
    uint32_t column, row;
    uint32_t part;
    const uint32_t *number, *end;
};
void sch_bin_begin(struct sch_bin_walk *walk, const struct sch_bins *bins, uint32_t column, uint32_t row);
/* NULL: there is no other. `*part` receives the number of its part. */
const struct sch_raster_primitive *sch_bin_next(struct sch_bin_walk *walk, uint32_t *part);

#endif
