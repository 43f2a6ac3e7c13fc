/* Which primitives touch which tiles of the framebuffer. Primitives stay where their chunk has them, in its order;
 * tiles list their numbers. */
#ifndef SCH_PIPELINE_BIN_H
#define SCH_PIPELINE_BIN_H

#include "pipeline/primitive.h"
#include "pipeline/scratch.h"

/* Tiles from left to right, from top to bottom; the last two are outside. */
struct sch_bin_tiles {
    uint16_t left, top, right, bottom;
};

/* The tiles of a row of primitives. */
struct sch_bin_extent {
    const struct sch_bin_tiles *tiles; /* of each; NULL: one tile has them all */
    struct sch_bin_tiles all;
    uint64_t references; /* how many tiles they are listed in, all together */
    uint64_t pixels;     /* of all boxes */
};

/* Consecutive primitives of one chunk. */
struct sch_bin_part {
    const struct sch_raster_primitive *primitives;
    const struct sch_bin_tiles *tiles;   /* of each primitive; NULL: one tile has them all */
    const struct sch_vertices *vertices; /* that they refer to */
    uint32_t first, end;
    uint32_t left, top, right, bottom; /* tiles that they touch, and others of the chunk; the last two are outside */
    /* Unused where there is one tile. */
    struct sch_scratch_array starts;  /* uint32_t: of each of these tiles, row by row, and after the last */
    struct sch_scratch_array numbers; /* uint32_t: of primitives, tile by tile */
};

/* A row of parts, in the order of the draw. */
struct sch_bins {
    uint32_t shift; /* log2 of a tile's side in pixels */
    struct sch_bin_part *parts;
    uint32_t part_count;
    uint32_t bytes; /* of a primitive, that are read of small ones: its first ones */
};

/* How many tiles a primitive is listed in. */
static inline uint32_t sch_bin_references(const struct sch_bin_tiles *tiles)
{
    return (uint32_t)(tiles->right - tiles->left) * (uint32_t)(tiles->bottom - tiles->top);
}

/* The tiles of `count` primitives; those of each go to `tiles`, where there are several. False: no memory. */
bool sch_bin_extent(struct sch_bin_extent *extent, const struct sch_raster_primitive *primitives, uint32_t count,
                    uint32_t shift, struct sch_scratch *scratch, struct sch_scratch_array *tiles);

/* Lists the primitives of one part; of different parts on different threads. False: no memory. */
bool sch_bin_fill(struct sch_bin_part *part, struct sch_scratch *scratch);

/* The tiles that some part has primitives in; false: there are none. */
bool sch_bin_bounds(const struct sch_bins *bins, struct sch_bin_tiles *bounds);

/* The primitives of one tile, in their order. */
struct sch_bin_walk {
    const struct sch_bins *bins;
    uint32_t column, row;
    uint32_t part;
    const struct sch_raster_primitive *primitives; /* of the part */
    const uint32_t *numbers; /* of the list that `at` and `end` count in; NULL: they are primitives */
    uint32_t at, end;
};
void sch_bin_begin(struct sch_bin_walk *walk, const struct sch_bins *bins, uint32_t column, uint32_t row);
/* The next part that has the walk's tile; false: there is none. */
bool sch_bin_enter(struct sch_bin_walk *walk);

/* Primitives of a draw are more than caches hold, and a tile has them here and there. */
enum { SCH_BIN_AHEAD = 4, SCH_BIN_CACHE_LINE = 64 };
static inline void sch_bin_prefetch(const struct sch_raster_primitive *primitive, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += SCH_BIN_CACHE_LINE) __builtin_prefetch((const char *)primitive + at);
}

/* The next primitive, which stays the next one; NULL: there is none. It is of the walk's part. */
static inline const struct sch_raster_primitive *sch_bin_look(struct sch_bin_walk *walk)
{
    if (walk->at == walk->end && !sch_bin_enter(walk)) return NULL;
    return &walk->primitives[walk->numbers ? walk->numbers[walk->at] : walk->at];
}
/* Continues after it. */
static inline void sch_bin_pass(struct sch_bin_walk *walk)
{
    const uint32_t at = walk->at++;
    if (walk->numbers && walk->end - at > SCH_BIN_AHEAD)
        sch_bin_prefetch(&walk->primitives[walk->numbers[at + SCH_BIN_AHEAD]], walk->bins->bytes);
}

#endif
