/* Lists of primitives by tile: counted first, then filled in, so that they need no more memory than they have entries.
 * A primitive is listed in all tiles of its box. */
#include "pipeline/bin.h"

#include <string.h>

/* Most primitives are in one tile: the two words that left and top, right and bottom are differ by 1 in both halves. */
static bool is_one(const struct sch_bin_tiles *tiles)
{
    uint32_t word[2];
    _Static_assert(sizeof word == sizeof *tiles, "four places are two words");
    memcpy(word, tiles, sizeof word);
    return word[1] - word[0] == 0x00010001;
}

/* Left, top, right, bottom. */
typedef int32_t box_t __attribute__((vector_size(16)));
typedef uint16_t tiles_t __attribute__((vector_size(8)));

static box_t load_box(const int32_t at[4])
{
    box_t box;
    memcpy(&box, at, sizeof box);
    return box;
}

static box_t greater(box_t a, box_t b)
{
    const box_t first = a > b;
    return (a & first) | (b & ~first);
}

/* The tiles of a box that is not empty. */
static struct sch_bin_tiles tiles_of(box_t box, uint32_t shift)
{
    const tiles_t of = __builtin_convertvector((box - (box_t){0, 0, 1, 1}) >> (int32_t)shift, tiles_t);
    const tiles_t ends = of + (tiles_t){0, 0, 1, 1};
    struct sch_bin_tiles tiles;
    memcpy(&tiles, &ends, sizeof tiles);
    return tiles;
}

/* Those of each primitive. How many there are together. */
static uint64_t list_tiles(struct sch_bin_tiles *each, const struct sch_raster_primitive *primitives, uint32_t count,
                           uint32_t shift)
{
    uint64_t references = 0;
    for (uint32_t n = 0; n < count; n++) {
        each[n] = tiles_of(load_box(primitives[n].box), shift);
        references += is_one(&each[n]) ? 1 : sch_bin_references(&each[n]);
    }
    return references;
}

bool sch_bin_extent(struct sch_bin_extent *extent, const struct sch_raster_primitive *primitives, uint32_t count,
                    uint32_t shift, struct sch_scratch *scratch, struct sch_scratch_array *tiles)
{
    /* The complements of left and top: their greatest is that of the least. */
    const box_t least = {-1, -1, 0, 0};
    box_t all = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
    uint64_t pixels = 0;
    *extent = (struct sch_bin_extent){.tiles = NULL};
    if (!count) return true;
    for (uint32_t n = 0; n < count; n++) {
        const int32_t *box = primitives[n].box;
        all = greater(all, load_box(box) ^ least);
        pixels += (uint64_t)((uint32_t)box[2] - (uint32_t)box[0]) * ((uint32_t)box[3] - (uint32_t)box[1]);
    }
    extent->all = tiles_of(all ^ least, shift);
    extent->references = count;
    extent->pixels = pixels;
    if (is_one(&extent->all)) return true;
    if (!sch_scratch_reserve(scratch, tiles, count, sizeof(struct sch_bin_tiles))) return false;
    extent->tiles = tiles->data;
    extent->references = list_tiles(tiles->data, primitives, count, shift);
    return true;
}

/* The entry of a tile in the part's rows of tiles. */
static size_t entry(const struct sch_bin_part *part, uint32_t column, uint32_t row)
{
    return (size_t)(row - part->top) * (part->right - part->left) + (column - part->left);
}

/* How many primitives each tile has, in the entry after its own. The part is copied here and below, as the compiler
 * does not know that what is written is not in it. */
static void count(const struct sch_bin_part *part, uint32_t *starts)
{
    const struct sch_bin_part of = *part;
    for (uint32_t n = of.first; n < of.end; n++) {
        const struct sch_bin_tiles tiles = of.tiles[n];
        if (is_one(&tiles)) {
            starts[entry(&of, tiles.left, tiles.top) + 1]++;
            continue;
        }
        for (uint32_t row = tiles.top; row < tiles.bottom; row++)
            for (uint32_t column = tiles.left; column < tiles.right; column++) starts[entry(&of, column, row) + 1]++;
    }
}

/* Leaves in each entry where the tile's list ends, which is where the next one's begins. */
static void list(const struct sch_bin_part *part, uint32_t *starts, uint32_t *numbers)
{
    const struct sch_bin_part of = *part;
    for (uint32_t n = of.first; n < of.end; n++) {
        const struct sch_bin_tiles tiles = of.tiles[n];
        if (is_one(&tiles)) {
            numbers[starts[entry(&of, tiles.left, tiles.top)]++] = n;
            continue;
        }
        for (uint32_t row = tiles.top; row < tiles.bottom; row++)
            for (uint32_t column = tiles.left; column < tiles.right; column++)
                numbers[starts[entry(&of, column, row)]++] = n;
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

bool sch_bin_bounds(const struct sch_bins *bins, struct sch_bin_tiles *bounds)
{
    *bounds = (struct sch_bin_tiles){.left = UINT16_MAX, .top = UINT16_MAX};
    for (uint32_t p = 0; p < bins->part_count; p++) {
        const struct sch_bin_part *part = &bins->parts[p];
        if (part->first == part->end) continue;
        if (bounds->left > part->left) bounds->left = (uint16_t)part->left;
        if (bounds->top > part->top) bounds->top = (uint16_t)part->top;
        if (bounds->right < part->right) bounds->right = (uint16_t)part->right;
        if (bounds->bottom < part->bottom) bounds->bottom = (uint16_t)part->bottom;
    }
    return bounds->right != 0;
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
    walk->primitives = part->primitives;
    const uint32_t *starts = part->starts.data;
    const size_t tile = entry(part, walk->column, walk->row);
    const bool all = is_one_tile(part);
    walk->numbers = all ? NULL : part->numbers.data;
    walk->at = all ? part->first : starts[tile];
    walk->end = all ? part->end : starts[tile + 1];
}

bool sch_bin_enter(struct sch_bin_walk *walk)
{
    while (walk->at == walk->end) {
        if (walk->part + 1 >= walk->bins->part_count) return false;
        walk->part++;
        enter(walk, &walk->bins->parts[walk->part]);
    }
    return true;
}
