/* Lists of primitives by tile: counted first, then filled in, so that they need no more memory than they have entries.
 * A primitive is listed in all tiles of its box. */
#include "pipeline/bin.h"

#include <string.h>

static struct sch_bin_tiles tiles_of(const struct sch_raster_primitive *primitive, uint32_t shift)
{
    return (struct sch_bin_tiles){.left = (uint16_t)((uint32_t)primitive->box[0] >> shift),
                                  .top = (uint16_t)((uint32_t)primitive->box[1] >> shift),
                                  .right = (uint16_t)((((uint32_t)primitive->box[2] - 1) >> shift) + 1),
                                  .bottom = (uint16_t)((((uint32_t)primitive->box[3] - 1) >> shift) + 1)};
}

static uint64_t pixels_of(const struct sch_raster_primitive *primitive)
{
    return (uint64_t)(uint32_t)(primitive->box[2] - primitive->box[0]) *
           (uint32_t)(primitive->box[3] - primitive->box[1]);
}

struct sch_bin_extent sch_bin_extent(const struct sch_raster_primitive *primitives, uint32_t count, uint32_t shift,
                                     struct sch_bin_tiles *tiles)
{
    struct sch_bin_extent extent = {.tiles = tiles, .all = {.left = UINT16_MAX, .top = UINT16_MAX}};
    for (uint32_t n = 0; n < count; n++) {
        const struct sch_bin_tiles of = tiles_of(&primitives[n], shift);
        tiles[n] = of;
        if (extent.all.left > of.left) extent.all.left = of.left;
        if (extent.all.top > of.top) extent.all.top = of.top;
        if (extent.all.right < of.right) extent.all.right = of.right;
        if (extent.all.bottom < of.bottom) extent.all.bottom = of.bottom;
        extent.references += sch_bin_references(&of);
        extent.pixels += pixels_of(&primitives[n]);
    }
    if (!count) extent.all.left = extent.all.top = 0;
    return extent;
}

/* The entry of a tile in the part's rows of tiles. */
static size_t entry(const struct sch_bin_part *part, uint32_t column, uint32_t row)
{
    return (size_t)(row - part->top) * (part->right - part->left) + (column - part->left);
}

/* How many primitives each tile has, in the entry after its own. */
static void count(const struct sch_bin_part *part, uint32_t *starts)
{
    for (uint32_t n = part->first; n < part->end; n++) {
        const struct sch_bin_tiles tiles = part->tiles[n];
        for (uint32_t row = tiles.top; row < tiles.bottom; row++)
            for (uint32_t column = tiles.left; column < tiles.right; column++) starts[entry(part, column, row) + 1]++;
    }
}

/* Leaves in each entry where the tile's list ends, which is where the next one's begins. */
static void list(const struct sch_bin_part *part, uint32_t *starts, uint32_t *numbers)
{
    for (uint32_t n = part->first; n < part->end; n++) {
        const struct sch_bin_tiles tiles = part->tiles[n];
        for (uint32_t row = tiles.top; row < tiles.bottom; row++)
            for (uint32_t column = tiles.left; column < tiles.right; column++)
                numbers[starts[entry(part, column, row)]++] = n;
    }
}

/* Its list is all primitives. */
static bool is_one_tile(const struct sch_bin_part *part)
{
    return part->right - part->left == 1 && part->bottom - part->top == 1;
}

bool sch_bin_fill(struct sch_bin_part *part, struct sch_scratch *scratch)
{
    const size_t tiles = (size_t)(part->right - part->left) * (part->bottom - part->top);
    if (is_one_tile(part)) return true;
    if (!sch_scratch_reserve(scratch, &part->starts, tiles + 2, sizeof(uint32_t))) return false;
    uint32_t *starts = part->starts.data;
    memset(starts, 0, (tiles + 2) * sizeof *starts);
    count(part, starts + 1);
    for (size_t t = 1; t <= tiles; t++) starts[t + 1] += starts[t];
    if (!sch_scratch_reserve(scratch, &part->numbers, starts[tiles + 1], sizeof(uint32_t))) return false;
    list(part, starts + 1, part->numbers.data);
    return true;
}

void sch_bin_begin(struct sch_bin_walk *walk, const struct sch_bins *bins, uint32_t column, uint32_t row)
{
    *walk = (struct sch_bin_walk){.bins = bins, .column = column, .row = row, .part = UINT32_MAX};
}

/* The list of the walk's tile in a part. */
static void enter(struct sch_bin_walk *walk, const struct sch_bin_part *part)
{
    walk->at = walk->end = 0;
    if (walk->column < part->left || walk->column >= part->right) return;
    if (walk->row < part->top || walk->row >= part->bottom) return;
    const uint32_t *starts = part->starts.data;
    const size_t tile = entry(part, walk->column, walk->row);
    const bool all = is_one_tile(part);
    walk->numbers = all ? NULL : part->numbers.data;
    walk->at = all ? part->first : starts[tile];
    walk->end = all ? part->end : starts[tile + 1];
}

/* Primitives of a draw are more than caches hold, and a tile has them here and there. */
enum { AHEAD = 4, CACHE_LINE = 64 };
static void prefetch(const struct sch_raster_primitive *primitive, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += CACHE_LINE) __builtin_prefetch((const char *)primitive + at);
}

const struct sch_raster_primitive *sch_bin_next(struct sch_bin_walk *walk, uint32_t *part)
{
    while (walk->at == walk->end) {
        if (walk->part + 1 >= walk->bins->part_count) return NULL;
        walk->part++;
        enter(walk, &walk->bins->parts[walk->part]);
    }
    *part = walk->part;
    const struct sch_raster_primitive *primitives = walk->bins->parts[walk->part].primitives;
    const uint32_t at = walk->at++;
    if (!walk->numbers) return &primitives[at];
    if (walk->end - at > AHEAD) prefetch(&primitives[walk->numbers[at + AHEAD]], walk->bins->bytes);
    return &primitives[walk->numbers[at]];
}
