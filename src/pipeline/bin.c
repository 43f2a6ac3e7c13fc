/* Lists of primitives by tile: counted first, then filled in, so that they need no more memory than they have entries.
 * A primitive is listed in all tiles of its box. */
#include "pipeline/bin.h"

#include <string.h>

/* Tiles from left to right (outside), from top to bottom (outside). */
struct tiles {
    uint32_t left, top, right, bottom;
};

static struct tiles tiles_of(const struct sch_raster_primitive *primitive, uint32_t shift)
{
    return (struct tiles){.left = (uint32_t)primitive->box[0] >> shift,
                          .top = (uint32_t)primitive->box[1] >> shift,
                          .right = (((uint32_t)primitive->box[2] - 1) >> shift) + 1,
                          .bottom = (((uint32_t)primitive->box[3] - 1) >> shift) + 1};
}

uint64_t sch_bin_references(const struct sch_raster_primitive *primitive, uint32_t shift)
{
    const struct tiles tiles = tiles_of(primitive, shift);
    return (uint64_t)(tiles.right - tiles.left) * (tiles.bottom - tiles.top);
}

static void find_bounds(struct sch_bin_part *part, uint32_t shift)
{
    part->left = part->top = UINT32_MAX;
    part->right = part->bottom = 0;
    for (uint32_t n = part->first; n < part->end; n++) {
        const struct tiles tiles = tiles_of(&part->primitives[n], shift);
        if (part->left > tiles.left) part->left = tiles.left;
        if (part->top > tiles.top) part->top = tiles.top;
        if (part->right < tiles.right) part->right = tiles.right;
        if (part->bottom < tiles.bottom) part->bottom = tiles.bottom;
    }
    if (part->first == part->end) part->left = part->top = 0;
}

/* The entry of a tile in the part's rows of tiles. */
static size_t entry(const struct sch_bin_part *part, uint32_t column, uint32_t row)
{
    return (size_t)(row - part->top) * (part->right - part->left) + (column - part->left);
}

/* How many primitives each tile has, in the entry after its own. */
static void count(const struct sch_bin_part *part, uint32_t shift, uint32_t *starts)
{
    for (uint32_t n = part->first; n < part->end; n++) {
        const struct tiles tiles = tiles_of(&part->primitives[n], shift);
        for (uint32_t row = tiles.top; row < tiles.bottom; row++)
            for (uint32_t column = tiles.left; column < tiles.right; column++) starts[entry(part, column, row) + 1]++;
    }
}

/* Leaves in each entry where the tile's list ends, which is where the next one's begins. */
static void list(const struct sch_bin_part *part, uint32_t shift, uint32_t *starts, uint32_t *numbers)
{
    for (uint32_t n = part->first; n < part->end; n++) {
        const struct tiles tiles = tiles_of(&part->primitives[n], shift);
        for (uint32_t row = tiles.top; row < tiles.bottom; row++)
            for (uint32_t column = tiles.left; column < tiles.right; column++)
                numbers[starts[entry(part, column, row)]++] = n;
    }
}

bool sch_bin_fill(const struct sch_bins *bins, struct sch_bin_part *part, struct sch_scratch *scratch)
{
    find_bounds(part, bins->shift);
    const size_t tiles = (size_t)(part->right - part->left) * (part->bottom - part->top);
    if (!sch_scratch_reserve(scratch, &part->starts, tiles + 2, sizeof(uint32_t))) return false;
    uint32_t *starts = part->starts.data;
    memset(starts, 0, (tiles + 2) * sizeof *starts);
    count(part, bins->shift, starts + 1);
    for (size_t t = 1; t <= tiles; t++) starts[t + 1] += starts[t];
    if (!sch_scratch_reserve(scratch, &part->numbers, starts[tiles + 1], sizeof(uint32_t))) return false;
    list(part, bins->shift, starts + 1, part->numbers.data);
    return true;
}

void sch_bin_begin(struct sch_bin_walk *walk, const struct sch_bins *bins, uint32_t column, uint32_t row)
{
    *walk = (struct sch_bin_walk){.bins = bins, .column = column, .row = row, .part = UINT32_MAX};
}

/* The list of the walk's tile in a part. */
static void enter(struct sch_bin_walk *walk, const struct sch_bin_part *part)
{
    walk->number = walk->end = NULL;
    if (walk->column < part->left || walk->column >= part->right) return;
    if (walk->row < part->top || walk->row >= part->bottom) return;
    const uint32_t *starts = part->starts.data, *numbers = part->numbers.data;
    const size_t tile = entry(part, walk->column, walk->row);
    walk->number = numbers + starts[tile];
    walk->end = numbers + starts[tile + 1];
}

/* Primitives of a draw are more than caches hold, and a tile has them here and there. */
enum { AHEAD = 4, CACHE_LINE = 64 };
static void prefetch(const struct sch_raster_primitive *primitive)
{
    for (size_t at = 0; at < sizeof *primitive; at += CACHE_LINE) __builtin_prefetch((const char *)primitive + at);
}

const struct sch_raster_primitive *sch_bin_next(struct sch_bin_walk *walk, uint32_t *part)
{
    while (walk->number == walk->end) {
        if (walk->part + 1 >= walk->bins->part_count) return NULL;
        walk->part++;
        enter(walk, &walk->bins->parts[walk->part]);
    }
    *part = walk->part;
    const struct sch_raster_primitive *primitives = walk->bins->parts[walk->part].primitives;
    if (walk->end - walk->number > AHEAD) prefetch(&primitives[walk->number[AHEAD]]);
    return &primitives[*walk->number++];
}
