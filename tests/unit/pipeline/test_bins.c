/* Lists of primitives by tile: the tiles of boxes, all together and of each, and the lists that a walk sees, against
 * those that are found tile by tile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/allocator.h"
#include "pipeline/bin.h"
#include "triangle_reference.h"

enum {
    ROUNDS = 3000,
    MOST = 50,  /* primitives */
    TILES = 4,  /* in a row, and rows, that boxes touch at most */
    WHOLE = 15, /* log2 of a tile that is all of the framebuffer */
    SHIFTS = 3,
};

static uint64_t seed;

static bool meets(const int32_t box[4], int32_t column, int32_t row, uint32_t shift)
{
    const int32_t side = 1 << shift, left = column * side, top = row * side;
    return box[0] < left + side && box[2] > left && box[1] < top + side && box[3] > top;
}

/* Somewhere in a square of TILES x TILES tiles that begins with tile (column, row); most are small. */
static void make_box(int32_t box[4], int32_t column, int32_t row, uint32_t shift)
{
    const int32_t corner[2] = {column << shift, row << shift}, side = 1 << shift;
    const int32_t reach = random_in(&seed, 0, 9) ? 5 : TILES * side;
    for (unsigned a = 0; a < 2; a++) {
        const int32_t end =
            corner[a] + TILES * side < SCH_FRAMEBUFFER_SIDE ? corner[a] + TILES * side : SCH_FRAMEBUFFER_SIDE;
        box[a] = (int32_t)random_in(&seed, corner[a], end - 1);
        const int32_t far = end - box[a] < reach ? end : box[a] + reach;
        box[2 + a] = (int32_t)random_in(&seed, box[a] + 1, far);
    }
}

static void check_list(const struct sch_bins *bins, uint32_t count, uint32_t column, uint32_t row)
{
    const struct sch_bin_part *part = bins->parts;
    struct sch_bin_walk walk;
    sch_bin_begin(&walk, bins, column, row);
    for (uint32_t n = part->first; n < count; n++) {
        if (!meets(part->primitives[n].box, (int32_t)column, (int32_t)row, bins->shift)) continue;
        assert_ptr_equal(sch_bin_look(&walk), &part->primitives[n]);
        sch_bin_pass(&walk);
    }
    assert_null(sch_bin_look(&walk));
}

/* Those of the square that boxes are in, and one more tile at each side, which has no primitive. */
static void check_lists(const struct sch_bins *bins, uint32_t count, int32_t column, int32_t row)
{
    for (int32_t y = row - 1; y <= row + TILES; y++)
        for (int32_t x = column - 1; x <= column + TILES; x++)
            if (x >= 0 && y >= 0) check_list(bins, count, (uint32_t)x, (uint32_t)y);
}

/* The tiles that a box meets are those from left to right and top to bottom. */
static void check_tiles(const struct sch_bin_tiles *tiles, const int32_t box[4], uint32_t shift)
{
    assert_true(meets(box, tiles->left, tiles->top, shift));
    assert_true(meets(box, tiles->right - 1, tiles->bottom - 1, shift));
    assert_false(meets(box, tiles->left - 1, tiles->top, shift));
    assert_false(meets(box, tiles->left, tiles->top - 1, shift));
    assert_false(meets(box, tiles->right, tiles->top, shift));
    assert_false(meets(box, tiles->left, tiles->bottom, shift));
}

static void check_extent(const struct sch_bin_extent *extent, const struct sch_raster_primitive *primitives,
                         uint32_t count, uint32_t shift)
{
    int32_t all[4] = {INT32_MAX, INT32_MAX, 0, 0};
    uint64_t pixels = 0, references = 0;
    for (uint32_t n = 0; n < count; n++) {
        const int32_t *box = primitives[n].box;
        const struct sch_bin_tiles *tiles = extent->tiles ? &extent->tiles[n] : &extent->all;
        for (unsigned a = 0; a < 2; a++) {
            if (box[a] < all[a]) all[a] = box[a];
            if (box[2 + a] > all[2 + a]) all[2 + a] = box[2 + a];
        }
        check_tiles(tiles, box, shift);
        references += sch_bin_references(tiles);
        pixels += (uint64_t)(box[2] - box[0]) * (uint64_t)(box[3] - box[1]);
    }
    check_tiles(&extent->all, all, shift);
    assert_int_equal(!extent->tiles, sch_bin_references(&extent->all) == 1);
    assert_int_equal(extent->references, references);
    assert_int_equal(extent->pixels, pixels);
}

/* A part that begins anywhere in the row, as where a chunk is cut. */
static void fill_part(struct sch_bin_part *part, const struct sch_bin_extent *extent,
                      const struct sch_raster_primitive *primitives, uint32_t count, struct sch_scratch *scratch)
{
    part->primitives = primitives;
    part->tiles = extent->tiles;
    part->first = (uint32_t)random_in(&seed, 0, 3) ? 0 : (uint32_t)random_in(&seed, 0, (int32_t)count - 1);
    part->end = count;
    part->left = extent->all.left;
    part->top = extent->all.top;
    part->right = extent->all.right;
    part->bottom = extent->all.bottom;
    assert_true(sch_bin_fill(part, scratch));
}

static void lists_are_those_of_each_tile(void **state)
{
    static const uint32_t shifts[SHIFTS] = {3, 6, WHOLE};
    static struct sch_raster_primitive primitives[MOST];
    struct sch_scratch scratch = {.allocator = sch_allocator_libc};
    struct sch_bin_part part = {.first = 0};
    struct sch_scratch_array tiles = {.data = NULL};
    struct sch_bin_extent extent;
    uint32_t listed = 0, single = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t shift = shifts[round % SHIFTS], count = (uint32_t)random_in(&seed, 1, round % 5 ? MOST : 2);
        const struct sch_bins bins = {.shift = shift, .parts = &part, .part_count = 1};
        const int32_t last = shift == WHOLE ? 0 : (SCH_FRAMEBUFFER_SIDE >> shift) - 1;
        const int32_t column = random_in(&seed, 0, 2) ? (int32_t)random_in(&seed, 0, last) : last;
        const int32_t row = random_in(&seed, 0, 2) ? (int32_t)random_in(&seed, 0, last) : last;
        for (uint32_t n = 0; n < count; n++) make_box(primitives[n].box, column, row, shift);
        assert_true(sch_bin_extent(&extent, primitives, count, shift, &scratch, &tiles));
        check_extent(&extent, primitives, count, shift);
        fill_part(&part, &extent, primitives, count, &scratch);
        check_lists(&bins, count, column, row);
        extent.tiles ? listed++ : single++;
    }
    assert_true(listed && single > ROUNDS / SHIFTS);
    assert_true(sch_bin_extent(&extent, primitives, 0, 6, &scratch, &tiles));
    assert_null(extent.tiles);
    assert_int_equal(extent.references, 0);
    sch_scratch_free(&scratch, &tiles);
    sch_scratch_free(&scratch, &part.starts);
    sch_scratch_free(&scratch, &part.numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_are_those_of_each_tile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
