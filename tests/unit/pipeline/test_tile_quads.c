/* Small primitives, and some larger ones among them, in groups of quads, straight from the walk over a tile: every
 * pixel has the primitives that cover it in the order of the draw, no group has a pixel twice, and each quad knows its
 * primitive. Without larger ones, the groups are those of a model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/allocator.h"
#include "pipeline/box.h"
#include "pipeline/samples.h"
#include "pipeline/tile.h"
#include "triangle_reference.h"

enum {
    ROUNDS = 4000,
    PARTS = 3, /* chunks of a draw */
    MOST = 40, /* primitives of each */
    SHIFT = 6,
    TILES = 2, /* in a row, and rows: the primitives are about the corner of four */
    CORNER = 1 << SHIFT,
    NEAR = 12, /* pixels from the corner that primitives begin in, at most */
    FIRST = CORNER - NEAR,
    SIDE = 2 * NEAR + SCH_BLOCK_WIDTH,
    GROUPS = 5, /* taken at a time, at most */
    WORDS = 4,  /* of a vertex */
    ALL_GROUPS = 8 * PARTS * MOST
};

static uint64_t seed;

/* What covers a pixel: numbers of primitives. */
struct pixel {
    uint8_t of[PARTS * MOST];
    uint32_t count;
};

struct mesh {
    struct sch_raster_primitive primitives[PARTS][MOST];
    struct sch_bin_tiles tiles[PARTS][MOST];
    uint32_t words[PARTS][3 * MOST * WORDS];
    struct sch_vertices vertices[PARTS];
    struct sch_bin_part parts[PARTS];
    struct sch_bins bins;
    struct pixel expected[SIDE][SIDE], found[SIDE][SIDE]; /* from pixel FIRST on */
};

/* A lane's pixel among 8 x 4. */
static int32_t lane_x(uint32_t lane) { return (int32_t)(lane / 4 % 4 * 2 + lane % 2); }
static int32_t lane_y(uint32_t lane) { return (int32_t)(lane / 16 * 2 + lane / 2 % 2); }

/* Those of a quad's, or of all, from (x, y) on. */
static void add(struct pixel pixels[SIDE][SIDE], int32_t x, int32_t y, uint32_t lanes, uint32_t number)
{
    for (uint32_t lane = 0; lane < SCH_GROUP_LANES; lane++) {
        const int32_t column = x + lane_x(lane) - FIRST, row = y + lane_y(lane) - FIRST;
        if (!(lanes >> lane & 1)) continue;
        assert_in_range(column, 0, SIDE - 1);
        assert_in_range(row, 0, SIDE - 1);
        struct pixel *pixel = &pixels[row][column];
        assert_in_range(pixel->count, 0, PARTS * MOST - 1);
        pixel->of[pixel->count++] = (uint8_t)number;
    }
}

static const uint32_t all_pixels[32] = {[0 ... 31] = UINT32_MAX}; /* a polygon stipple */

/* All pixels of a box. The walk finds those of a stippled one block after block. */
static void make_box(struct sch_raster_primitive *primitive)
{
    primitive->small = false;
    primitive->stippled = random_in(&seed, 0, 1);
    for (uint32_t axis = 0; axis < 2; axis++) {
        primitive->box[axis] = FIRST + (int32_t)random_in(&seed, 0, SIDE - 1);
        primitive->box[2 + axis] = (int32_t)random_in(&seed, primitive->box[axis] + 1, FIRST + SIDE);
    }
}

/* Mostly of one quad, as those of dense meshes are; or anything that fits 8 x 4 pixels. Few are larger. */
static void make_primitive(struct sch_raster_primitive *primitive, uint32_t number, int32_t reach, bool small)
{
    const int32_t x = CORNER + (int32_t)random_in(&seed, -reach, reach - 1);
    const int32_t y = CORNER + (int32_t)random_in(&seed, -reach, reach - 1);
    const bool one = random_in(&seed, 0, 3) != 0;
    const int32_t width = (one ? 2 : SCH_BLOCK_WIDTH) - (x & 1), height = (one ? 2 : SCH_BLOCK_HEIGHT) - (y & 1);
    memset(primitive, 0, sizeof *primitive);
    primitive->coverage = SCH_COVERAGE_EDGES;
    primitive->small = true;
    primitive->back = random_in(&seed, 0, 1);
    primitive->layer = (uint16_t)random_in(&seed, 0, 9);
    primitive->box[0] = x;
    primitive->box[1] = y;
    primitive->box[2] = x + (int32_t)random_in(&seed, 1, width);
    primitive->box[3] = y + (int32_t)random_in(&seed, 1, height);
    const uint32_t all = sch_box_lanes(primitive->box, x & ~1, y & ~1);
    do primitive->lanes = all & (uint32_t)next_random(&seed);
    while (!primitive->lanes);
    for (uint32_t v = 0; v < 3; v++) primitive->of.vertex[v] = 3 * number + v;
    primitive->of.provoking = 3 * number + (uint32_t)random_in(&seed, 0, 2);
    if (!small && !random_in(&seed, 0, 15)) make_box(primitive);
}

static void expect(struct mesh *mesh, const struct sch_raster_primitive *primitive, uint32_t number)
{
    const int32_t left = primitive->box[0] & ~1, top = primitive->box[1] & ~1;
    if (primitive->small) {
        add(mesh->expected, left, top, primitive->lanes, number);
        return;
    }
    for (int32_t y = top; y < primitive->box[3]; y += SCH_BLOCK_HEIGHT)
        for (int32_t x = left; x < primitive->box[2]; x += SCH_BLOCK_WIDTH)
            add(mesh->expected, x, y, sch_box_lanes(primitive->box, x, y), number);
}

static void make_mesh(struct mesh *mesh, const struct sch_vertex_layout *layout, struct sch_scratch *scratch,
                      bool small)
{
    const int32_t reach = (int32_t)random_in(&seed, 2, NEAR);
    memset(mesh->expected, 0, sizeof mesh->expected);
    memset(mesh->found, 0, sizeof mesh->found);
    mesh->bins = (struct sch_bins){.shift = SHIFT, .parts = mesh->parts, .part_count = PARTS};
    for (uint32_t p = 0; p < PARTS; p++) {
        struct sch_bin_part *part = &mesh->parts[p];
        mesh->vertices[p] = (struct sch_vertices){.layout = layout, .words = mesh->words[p]};
        part->primitives = mesh->primitives[p];
        part->tiles = mesh->tiles[p];
        part->vertices = &mesh->vertices[p];
        part->first = 0;
        part->end = (uint32_t)random_in(&seed, 0, MOST);
        part->left = part->top = 0;
        part->right = part->bottom = TILES;
        for (uint32_t n = 0; n < part->end; n++) {
            struct sch_raster_primitive *made = &mesh->primitives[p][n];
            make_primitive(made, n, reach, small);
            expect(mesh, made, p * MOST + n);
            mesh->tiles[p][n] = (struct sch_bin_tiles){
                .left = (uint16_t)(made->box[0] >> SHIFT),
                .top = (uint16_t)(made->box[1] >> SHIFT),
                .right = (uint16_t)(((made->box[2] - 1) >> SHIFT) + 1),
                .bottom = (uint16_t)(((made->box[3] - 1) >> SHIFT) + 1),
            };
        }
        assert_true(sch_bin_fill(part, scratch));
    }
}

/* The part that has a primitive. */
static uint32_t part_of(const struct mesh *mesh, const struct sch_raster_primitive *primitive)
{
    uint32_t p = 0;
    while (primitive < mesh->primitives[p] || primitive >= mesh->primitives[p] + MOST) assert_in_range(++p, 0, PARTS);
    return p;
}

static void check_quad(struct mesh *mesh, const struct sch_tile_group *group, uint32_t q, bool vertices)
{
    const struct sch_raster_primitive *primitive = sch_tile_primitive(group, q);
    const uint32_t at = group->quads.same ? 0 : q, p = part_of(mesh, primitive);
    const uint32_t lanes = group->masks[0] >> SCH_QUAD_LANES * q & 15;
    if (!group->quads.block) assert_true(lanes);
    assert_int_equal(group->quads.layer[q], primitive->layer);
    assert_int_equal(group->back >> SCH_QUAD_LANES * q & 15, primitive->back ? 15 : 0);
    for (uint32_t v = 0; v < 3 && vertices; v++)
        assert_ptr_equal(group->quads.vertex[at][v], mesh->words[p] + primitive->of.vertex[v] * WORDS);
    if (vertices)
        assert_ptr_equal(group->quads.vertex[at][SCH_QUAD_PROVOKING], mesh->words[p] + primitive->of.provoking * WORDS);
    add(mesh->found, group->quads.x[q], group->quads.y[q], lanes,
        p * MOST + (uint32_t)(primitive - mesh->primitives[p]));
}

static void check_group(struct mesh *mesh, const struct sch_tile_group *group, bool vertices)
{
    const struct sch_quads *quads = &group->quads;
    assert_in_range(group->count, 1, SCH_GROUP_QUADS);
    assert_int_equal(group->repeat, 1);
    assert_false(group->smooth);
    if (group->count < SCH_GROUP_QUADS) assert_int_equal(group->masks[0] >> SCH_QUAD_LANES * group->count, 0);
    for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        for (uint32_t other = 0; other < q && q < group->count; other++)
            assert_false(quads->x[other] == quads->x[q] && quads->y[other] == quads->y[q]);
        if (q < group->count) {
            check_quad(mesh, group, q, vertices);
            continue;
        }
        assert_int_equal(quads->x[q], quads->x[0]);
        assert_int_equal(quads->y[q], quads->y[0]);
        assert_int_equal(quads->layer[q], quads->layer[0]);
        if (!quads->same) assert_ptr_equal(quads->of[q], quads->of[0]);
    }
}

static void walk_tile(struct mesh *mesh, const struct sch_tile_rules *rules, uint32_t column, uint32_t row)
{
    static struct sch_tile_walk walk;
    static struct sch_tile_group groups[GROUPS];
    const uint32_t most = (uint32_t)random_in(&seed, 1, GROUPS);
    uint32_t count;
    memset(groups, 0xa5, sizeof groups);
    memset(&walk, 0x80, sizeof walk); /* places far to the left */
    sch_tile_begin(&walk, rules, &mesh->bins, column, row);
    while ((count = sch_tile_next(&walk, groups, most, 1)) > 0) {
        assert_in_range(count, 1, most);
        for (uint32_t g = 0; g < count; g++) check_group(mesh, &groups[g], rules->vertices);
    }
}

/* ---- a model of how quads join groups ---- */

/* A group has quads of its own, or a block's lanes. Its places are those that no other quad may join it in. */
struct model_group {
    uint32_t count;
    int32_t x[SCH_GROUP_QUADS], y[SCH_GROUP_QUADS];
    const struct sch_raster_primitive *of[SCH_GROUP_QUADS];
    uint32_t lanes[SCH_GROUP_QUADS];
    bool block, taken[SIDE / 2][SIDE / 2];
};

/* The open groups are those of numbers open[0] and open[1], in the order that they run in. */
struct model {
    struct model_group groups[ALL_GROUPS];
    uint32_t count, open[2], open_count;
};

struct model_quad {
    const struct sch_raster_primitive *of;
    int32_t x, y;
    uint32_t lanes;
};

static bool *place_in(struct model_group *group, int32_t x, int32_t y)
{
    return &group->taken[(y - FIRST) / 2][(x - FIRST) / 2];
}

static struct model_group *new_group(struct model *model)
{
    assert_in_range(model->count, 0, ALL_GROUPS - 1);
    struct model_group *group = &model->groups[model->count++];
    memset(group, 0, sizeof *group);
    return group;
}

static struct model_group *open_one(struct model *model, uint32_t number)
{
    if (number < model->open_count) return &model->groups[model->open[number]];
    model->open[model->open_count++] = model->count;
    return new_group(model);
}

static void close_one(struct model *model)
{
    model->open[0] = model->open[1];
    model->open_count--;
}

/* Whether it had room and no other quad in the place. */
static bool joins(struct model_group *group, const struct model_quad *quad)
{
    bool *place = place_in(group, quad->x, quad->y);
    if (*place || group->count == SCH_GROUP_QUADS) return false;
    *place = true;
    group->of[group->count] = quad->of;
    group->x[group->count] = quad->x;
    group->y[group->count] = quad->y;
    group->lanes[group->count++] = quad->lanes;
    return true;
}

static bool second_has(struct model *model, const struct model_quad *quads, uint32_t count)
{
    for (uint32_t n = 0; n < count && model->open_count == 2; n++)
        if (*place_in(&model->groups[model->open[1]], quads[n].x, quads[n].y)) return true;
    return false;
}

static void join_model(struct model *model, struct model_quad *quads, uint32_t count)
{
    while (count) {
        uint32_t left = 0;
        while (second_has(model, quads, count)) close_one(model);
        for (uint32_t n = 0; n < count; n++)
            if (!joins(open_one(model, 0), &quads[n]) && !joins(open_one(model, 1), &quads[n]))
                quads[left++] = quads[n];
        count = left;
        if (count || model->groups[model->open[0]].count == SCH_GROUP_QUADS) close_one(model);
    }
}

/* More than half of a block's quads are a group, and later quads in the block must come after it. */
static void add_block(struct model *model, const struct model_quad *quad)
{
    struct model_group *group = new_group(model);
    group->block = true;
    group->of[0] = quad->of;
    group->x[0] = quad->x;
    group->y[0] = quad->y;
    group->lanes[0] = quad->lanes;
    for (uint32_t n = 0; n < model->open_count; n++)
        for (int32_t q = 0; q < SCH_GROUP_QUADS; q++)
            *place_in(&model->groups[model->open[n]], quad->x + q % 4 * 2, quad->y + q / 4 * 2) = true;
}

static void add_to_model(struct model *model, const struct sch_raster_primitive *primitive, const int32_t tile[4])
{
    const struct model_quad all = {primitive, primitive->box[0] & ~1, primitive->box[1] & ~1,
                                   primitive->lanes &
                                       sch_box_lanes(tile, primitive->box[0] & ~1, primitive->box[1] & ~1)};
    struct model_quad quads[SCH_GROUP_QUADS];
    uint32_t count = 0;
    for (int32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        const uint32_t lanes = all.lanes >> SCH_QUAD_LANES * q & 15;
        if (lanes) quads[count++] = (struct model_quad){primitive, all.x + q % 4 * 2, all.y + q / 4 * 2, lanes};
    }
    if (count > 4 && all.x % SCH_BLOCK_WIDTH == 0 && all.y % SCH_BLOCK_HEIGHT == 0)
        add_block(model, &all);
    else
        join_model(model, quads, count);
}

static void compare_group(const struct sch_tile_group *found, const struct model_group *expected)
{
    assert_int_equal(found->quads.block, expected->block);
    if (!expected->block) assert_int_equal(found->count, expected->count);
    for (uint32_t q = 0; q < (expected->block ? 1 : expected->count); q++) {
        assert_int_equal(found->quads.x[q], expected->x[q]);
        assert_int_equal(found->quads.y[q], expected->y[q]);
        assert_ptr_equal(sch_tile_primitive(found, q), expected->of[q]);
        if (!expected->block) assert_int_equal(found->masks[0] >> SCH_QUAD_LANES * q & 15, expected->lanes[q]);
    }
    if (expected->block) assert_int_equal(found->masks[0], expected->lanes[0]);
}

static void compare_tile(const struct mesh *mesh, const struct sch_tile_rules *rules, uint32_t column, uint32_t row)
{
    static struct sch_tile_walk walk;
    static struct sch_tile_group groups[ALL_GROUPS];
    static struct model model;
    const int32_t left = (int32_t)column * CORNER, top = (int32_t)row * CORNER;
    const int32_t tile[4] = {left, top, left + CORNER, top + CORNER};
    model.count = model.open_count = 0;
    for (uint32_t p = 0; p < PARTS; p++)
        for (uint32_t n = 0; n < mesh->parts[p].end; n++) {
            const struct sch_bin_tiles *in = &mesh->tiles[p][n];
            if (column < in->left || column >= in->right || row < in->top || row >= in->bottom) continue;
            add_to_model(&model, &mesh->primitives[p][n], tile);
        }
    sch_tile_begin(&walk, rules, &mesh->bins, column, row);
    assert_int_equal(sch_tile_next(&walk, groups, ALL_GROUPS, 1), model.count);
    for (uint32_t g = 0; g < model.count; g++) compare_group(&groups[g], &model.groups[g]);
}

/* ---- the tests ---- */

static void free_lists(struct mesh *mesh, struct sch_scratch *scratch)
{
    for (uint32_t p = 0; p < PARTS; p++) {
        sch_scratch_free(scratch, &mesh->parts[p].starts);
        sch_scratch_free(scratch, &mesh->parts[p].numbers);
    }
}

static void quads_keep_their_order(void **state)
{
    static struct mesh mesh;
    struct sch_scratch scratch = {.allocator = sch_allocator_libc};
    const struct sch_vertex_layout layout = {.words = WORDS};
    struct sch_tile_rules rules = {
        .ops = sch_ops_for_width(0), .layout = &layout, .sample_mask = 1, .polygon_stipple = all_pixels};
    (void)state;
    sch_sample_pattern(1, &rules.pattern);
    for (unsigned round = 0; round < ROUNDS; round++) {
        rules.vertices = round & 1;
        make_mesh(&mesh, &layout, &scratch, false);
        for (uint32_t tile = 0; tile < TILES * TILES; tile++) walk_tile(&mesh, &rules, tile % TILES, tile / TILES);
        for (uint32_t n = 0; n < SIDE * SIDE; n++) {
            const struct pixel *expected = &mesh.expected[n / SIDE][n % SIDE], *found = &mesh.found[n / SIDE][n % SIDE];
            assert_int_equal(found->count, expected->count);
            if (found->count) assert_memory_equal(found->of, expected->of, found->count);
        }
    }
    free_lists(&mesh, &scratch);
}

static void groups_are_those_of_the_model(void **state)
{
    static struct mesh mesh;
    struct sch_scratch scratch = {.allocator = sch_allocator_libc};
    const struct sch_vertex_layout layout = {.words = WORDS};
    struct sch_tile_rules rules = {.ops = sch_ops_for_width(0), .layout = &layout, .sample_mask = 1};
    (void)state;
    sch_sample_pattern(1, &rules.pattern);
    for (unsigned round = 0; round < ROUNDS; round++) {
        rules.vertices = round & 1;
        make_mesh(&mesh, &layout, &scratch, true);
        for (uint32_t tile = 0; tile < TILES * TILES; tile++) compare_tile(&mesh, &rules, tile % TILES, tile / TILES);
    }
    free_lists(&mesh, &scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quads_keep_their_order),
                                       cmocka_unit_test(groups_are_those_of_the_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
