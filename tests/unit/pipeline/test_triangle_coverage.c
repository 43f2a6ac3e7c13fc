/* Which samples triangles cover: setup and coverage at every width against the text, sample by sample, exactly; and
 * meshes, of which every sample is covered once. Interpolation is test_interpolation's. SCH_LONG=1: a million
 * triangles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "next_level.h"
#include "ops/ops.h"
#include "pipeline/box.h"
#include "pipeline/samples.h"
#include "pipeline/triangle.h"
#include "triangle_reference.h"

enum {
    SIDE = 16384,   /* of the framebuffer */
    LONG = 1000000, /* triangles */
    SHORT = 12000,
    BLOCKS = 3 /* of a triangle that are looked at */
};

static uint64_t seed;
static const uint32_t sample_counts[] = {1, 2, 4, 8, 16};

/* A draw's state. */
struct scene {
    struct sch_rasterizer_options rasterizer;
    struct sch_dynamic_state dynamic;
    struct sch_setup setup;
    struct sch_sample_pattern pattern;
    int32_t rectangle[4]; /* of the viewport, in sub-pixels */
    uint32_t samples;
};

static void make_scene(struct scene *scene, uint32_t samples, bool bottom_rule, uint32_t width, uint32_t height)
{
    memset(scene, 0, sizeof *scene);
    scene->samples = samples;
    scene->rasterizer.multisample = true;
    scene->rasterizer.half_pixel_center = true;
    scene->rasterizer.bottom_edge_rule = bottom_rule;
    scene->dynamic.viewport_count = 1;
    scene->dynamic.viewports[0] = (struct sch_viewport){.scale = {(float)width / 2, (float)height / 2, 1},
                                                        .translate = {(float)width / 2, (float)height / 2, 0}};
    scene->rectangle[2] = (int32_t)(width * 256);
    scene->rectangle[3] = (int32_t)(height * 256);
    sch_sample_pattern(samples, &scene->pattern);
    sch_setup_init(&scene->setup, next_level(), &scene->rasterizer, &scene->dynamic, width, height, samples,
                   SCH_FORMAT_NONE);
}

static struct place sample_place(const struct scene *scene, int32_t x, int32_t y, uint32_t sample)
{
    return (struct place){x * 256 + 128 + scene->pattern.x[sample], y * 256 + 128 + scene->pattern.y[sample]};
}

/* A lane's pixel in its block. */
static int32_t lane_x(unsigned lane) { return (int32_t)(lane / 4 % 4 * 2 + lane % 2); }
static int32_t lane_y(unsigned lane) { return (int32_t)(lane / 16 * 2 + lane / 2 % 2); }

static bool in_rectangle(const int32_t rectangle[4], struct place p)
{
    return p.x >= rectangle[0] && p.x < rectangle[2] && p.y >= rectangle[1] && p.y < rectangle[3];
}

/* By the text: in the triangle, the viewport and the framebuffer. */
static uint32_t expected_lanes(const struct scene *scene, const struct place t[3], int32_t x, int32_t y,
                               uint32_t sample)
{
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        const int32_t column = x + lane_x(lane), row = y + lane_y(lane);
        const struct place p = sample_place(scene, column, row, sample);
        const bool there = column >= 0 && row >= 0 && column < SIDE && row < SIDE;
        if (there && in_rectangle(scene->rectangle, p) && reference_covers(t, p, scene->rasterizer.bottom_edge_rule))
            lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

static bool set_up(const struct scene *scene, const struct place t[3], struct sch_raster_primitive *primitive)
{
    struct sch_setup setup = scene->setup;
    struct sch_corner corners[3];
    setup.ops = next_level();
    for (unsigned i = 0; i < 3; i++)
        corners[i] = (struct sch_corner){.x = (int32_t)t[i].x, .y = (int32_t)t[i].y, .inverse_w = 1};
    return sch_setup_triangle(&setup, corners, 0, primitive);
}

/* What the pipeline makes of a block. */
static uint32_t covered_lanes(const struct scene *scene, const struct sch_raster_primitive *p, const uint32_t *masks,
                              int32_t x, int32_t y, uint32_t sample)
{
    uint32_t lanes = masks[sample] & sch_box_lanes(p->box, x, y);
    if (p->fractional)
        lanes &= sch_box_sample_lanes(p->bounds, x, y, scene->pattern.x[sample], scene->pattern.y[sample]);
    return lanes;
}

static void report(const struct place t[3], const char *level, int32_t x, int32_t y, uint32_t sample, uint32_t got,
                   uint32_t expected)
{
    fail_msg("%s: (%lld, %lld) (%lld, %lld) (%lld, %lld), block (%d, %d), sample %u: %08x instead of %08x", level,
             (long long)t[0].x, (long long)t[0].y, (long long)t[1].x, (long long)t[1].y, (long long)t[2].x,
             (long long)t[2].y, x, y, sample, got, expected);
}

static unsigned block_bit(int32_t x, int32_t y) { return (unsigned)((x & 63) / 8 + (y & 63) / 4 % 4 * 8); }

/* What a tile says of a block holds for its samples. */
static void check_tile(const struct scene *scene, const struct place t[3], const struct sch_raster_primitive *p,
                       const struct sch_ops *ops, int32_t x, int32_t y, const uint32_t *expected)
{
    struct sch_tile_blocks blocks;
    ops->cover_tile(&blocks, p->edges, 3, p->box, x & ~63, y & ~63, &scene->pattern);
    const unsigned word = (unsigned)(y & 63) / 16, bit = block_bit(x, y);
    for (uint32_t s = 0; s < scene->samples; s++) {
        if (!(blocks.some[word] >> bit & 1) && expected[s]) report(t, "none of a block", x, y, s, 0, expected[s]);
        if ((blocks.all[word] >> bit & 1) && !p->fractional && expected[s] != UINT32_MAX)
            report(t, "all of a block", x, y, s, UINT32_MAX, expected[s]);
    }
}

/* What setup itself says is covered of a small triangle, which is all of it. */
static void check_small(const struct scene *scene, const struct place t[3], const struct sch_raster_primitive *p)
{
    const int32_t x = p->box[0] & ~1, y = p->box[1] & ~1;
    if (!p->small) return;
    const uint32_t expected = expected_lanes(scene, t, x, y, 0);
    if (scene->samples > 1 || p->box[2] - x > SCH_BLOCK_WIDTH || p->box[3] - y > SCH_BLOCK_HEIGHT)
        report(t, "a small triangle that is none", x, y, 0, p->lanes, expected);
    if (p->lanes != expected) report(t, "a small triangle", x, y, 0, p->lanes, expected);
}

static void check_block(const struct scene *scene, const struct place t[3], int32_t x, int32_t y)
{
    struct sch_raster_primitive primitive;
    uint32_t expected[SCH_MAX_SAMPLES], masks[SCH_MAX_SAMPLES];
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    const bool drawn = set_up(scene, t, &primitive);
    for (uint32_t s = 0; s < scene->samples; s++) {
        expected[s] = expected_lanes(scene, t, x, y, s);
        if (!drawn && expected[s]) report(t, "setup", x, y, s, 0, expected[s]);
    }
    if (!drawn) return;
    check_small(scene, t, &primitive);
    for (unsigned level = 0; level < count; level++) {
        levels[level]->cover_edges(masks, primitive.edges, 3, x, y, &scene->pattern);
        for (uint32_t s = 0; s < scene->samples; s++) {
            const uint32_t got = covered_lanes(scene, &primitive, masks, x, y, s);
            if (got != expected[s]) report(t, levels[level]->name, x, y, s, got, expected[s]);
        }
        check_tile(scene, t, &primitive, levels[level], x, y, expected);
    }
}

/* ---- random triangles ---- */

static const int64_t guard = INT64_C(32768) * 256;

static int64_t limited(int64_t value) { return value < -guard ? -guard : value > guard ? guard : value; }

static struct place near_place(struct place center, int64_t reach)
{
    return (struct place){limited(center.x + random_in(&seed, -reach, reach)),
                          limited(center.y + random_in(&seed, -reach, reach))};
}

/* Two places on a line that passes a third one, or next to it. */
static void through(struct place *a, struct place *b, struct place p, int64_t reach)
{
    const int64_t dx = random_in(&seed, -reach, reach), dy = random_in(&seed, -reach, reach);
    const int64_t first = random_in(&seed, 0, 8), second = random_in(&seed, 0, 8);
    *a = (struct place){limited(p.x + dx * first + random_in(&seed, -1, 1)),
                        limited(p.y + dy * first + random_in(&seed, -1, 1))};
    *b = (struct place){limited(p.x - dx * second), limited(p.y - dy * second)};
}

/* A triangle about a sample: of any size, a sliver, smaller than a pixel, with edges through samples, with horizontal
 * and vertical edges, with corners at samples. */
static void random_triangle(struct place t[3], struct place sample)
{
    static const int64_t reaches[] = {40, 300, 2000, 20000, 400000, 8000000};
    const int64_t reach = reaches[next_random(&seed) % 6];
    const unsigned kind = (unsigned)(next_random(&seed) % 8);
    for (unsigned i = 0; i < 3; i++) t[i] = near_place(sample, reach);
    if (kind < 4) through(&t[0], &t[1], sample, reach / 8 + 1);
    if (kind == 1) through(&t[1], &t[2], sample, reach / 8 + 1);
    if (kind == 2) t[2] = near_place(t[0], 3); /* a sliver */
    if (kind == 3) t[2].x = limited(t[1].x + 256 * random_in(&seed, -9, 9)), t[2].y = t[1].y;
    if (kind == 4) t[1].y = t[0].y, t[0].y = limited(sample.y);
    if (kind == 5) t[1].x = t[0].x = limited(sample.x);
    if (kind == 6) t[0] = sample;
    const unsigned turn = (unsigned)(next_random(&seed) % 3);
    for (unsigned i = 0; i < turn; i++) {
        const struct place first = t[0];
        t[0] = t[1], t[1] = t[2], t[2] = first;
    }
}

static int32_t pixel_of(int64_t place)
{
    const int64_t pixel = place >> 8;
    return (int32_t)(pixel < 0 ? 0 : pixel >= SIDE ? SIDE - 1 : pixel);
}

static void check_around(const struct scene *scene, const struct place t[3], struct place p)
{
    check_block(scene, t, pixel_of(p.x) & ~7, pixel_of(p.y) & ~3);
}

static void check_random(const struct scene *scene)
{
    const struct place pixel = {random_in(&seed, 0, SIDE - 1), random_in(&seed, 0, SIDE - 1)};
    const uint32_t s = (uint32_t)(next_random(&seed) % scene->samples);
    const struct place sample = sample_place(scene, (int32_t)pixel.x, (int32_t)pixel.y, s);
    struct place t[3];
    random_triangle(t, sample);
    check_around(scene, t, sample);
    for (unsigned i = 1; i < BLOCKS; i++) { /* a place on an edge */
        const struct place a = t[i], b = t[i - 1];
        const int64_t part = random_in(&seed, 0, 64);
        check_around(scene, t, (struct place){a.x + (b.x - a.x) * part / 64, a.y + (b.y - a.y) * part / 64});
    }
}

static void random_triangles_are_exact(void **state)
{
    (void)state;
    static struct scene scenes[10];
    const unsigned count = getenv("SCH_LONG") ? LONG : SHORT;
    for (unsigned i = 0; i < 10; i++) make_scene(&scenes[i], sample_counts[i % 5], i >= 5, SIDE, SIDE);
    for (unsigned i = 0; i < count; i++) check_random(&scenes[i % 10]);
}

/* Viewports that end within pixels: exact half-planes. */
static void viewports_cut_samples(void **state)
{
    (void)state;
    static struct scene scene;
    for (unsigned round = 0; round < 400; round++) {
        make_scene(&scene, sample_counts[round % 5], round & 1, SIDE, SIDE);
        int32_t *r = scene.rectangle;
        for (unsigned axis = 0; axis < 2; axis++) {
            r[axis] = (int32_t)random_in(&seed, -2000, 9000);
            r[2 + axis] = r[axis] + (int32_t)random_in(&seed, 0, 9000);
            const float sum = (float)(r[axis] + r[2 + axis]) / 512, span = (float)(r[2 + axis] - r[axis]) / 512;
            scene.dynamic.viewports[0].translate[axis] = sum;
            scene.dynamic.viewports[0].scale[axis] = round & 2 ? -span : span;
        }
        sch_setup_init(&scene.setup, next_level(), &scene.rasterizer, &scene.dynamic, SIDE, SIDE, scene.samples,
                       SCH_FORMAT_NONE);
        const struct place everything[3] = {{-30000, -30000}, {90000, -30000}, {-30000, 90000}};
        for (unsigned side = 0; side < 4; side++) {
            const struct place corner = {r[side & 1 ? 2 : 0], r[side & 2 ? 3 : 1]};
            check_around(&scene, everything, corner);
        }
    }
}

/* Triangles about as large as 8 x 4 pixels, with corners anywhere in them and on their centres, in a viewport that cuts
 * some of them; and some with corners far away, of which it leaves as little. */
static void small_triangles_are_known(void **state)
{
    (void)state;
    static struct scene scene;
    unsigned small = 0, covering = 0;
    enum { ROUNDS = 20000 };
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct sch_raster_primitive primitive;
        struct place t[3];
        if (round % 50 == 0) make_scene(&scene, 1, round & 64, SIDE, SIDE);
        const int64_t x = random_in(&seed, 0, SIDE - 40) * 256, y = random_in(&seed, 0, SIDE - 40) * 256;
        const unsigned one = (unsigned)(next_random(&seed) % 3); /* the corner that may be far away */
        const unsigned along = (unsigned)(next_random(&seed) & 1);
        const int64_t away = (next_random(&seed) & 1 ? 1 : -1) * INT64_C(3000);
        for (unsigned i = 0; i < 3; i++) {
            const int64_t grid = round & 1 ? 128 : 1, far = i == one && round % 8 < 2 ? away : 1;
            t[i].x = limited(x + random_in(&seed, -256, 2200) / grid * grid * (along == 0 ? far : 1));
            t[i].y = limited(y + random_in(&seed, -256, 1200) / grid * grid * (along == 1 ? far : 1));
        }
        if (round % 32 < 2) t[(one + 1) % 3].y = t[(one + 2) % 3].y; /* so that each of the three may be far */
        for (unsigned axis = 0; axis < 2; axis++) {                  /* pixels of the viewport, which has whole ones */
            const int32_t first = (int32_t)((axis ? y : x) >> 8) + (int32_t)random_in(&seed, round & 2 ? -20 : -2, 3);
            const int32_t last = first + (int32_t)random_in(&seed, 1, round & 2 ? 60 : 9);
            scene.rectangle[axis] = first * 256;
            scene.rectangle[2 + axis] = last * 256;
            scene.setup.viewports[0].box[axis] = first > 0 ? first : 0;
            scene.setup.viewports[0].box[2 + axis] = last < SIDE ? last : SIDE;
        }
        if (!set_up(&scene, t, &primitive)) continue;
        check_small(&scene, t, &primitive);
        small += primitive.small;
        covering += primitive.small && primitive.lanes;
    }
    if (small < ROUNDS / 4 || covering < ROUNDS / 5) fail_msg("%u small, %u of them with pixels", small, covering);
}

/* ---- tiles ---- */

/* Any edge that has a corner of some block's rectangle on it, or next to it. Corners of primitives are in the guard
 * band, so that their differences are at most 2^24. */
static void random_edge(struct sch_edge *edge, const struct sch_sample_pattern *pattern, int32_t x, int32_t y)
{
    static const int64_t sizes[] = {3, 200, 5000, 300000, 1 << 24};
    const int64_t size = sizes[next_random(&seed) % 5];
    const int64_t px = (x + random_in(&seed, 0, 7) * 8 + 7 * random_in(&seed, 0, 1)) * 256 + 128;
    const int64_t py = (y + random_in(&seed, 0, 15) * 4 + 3 * random_in(&seed, 0, 1)) * 256 + 128;
    edge->a = (int32_t)random_in(&seed, -size, size);
    edge->b = (int32_t)random_in(&seed, -size, size);
    edge->bias = -(int32_t)(next_random(&seed) % 2);
    edge->c = -edge->a * (px + (next_random(&seed) % 2 ? pattern->least[0] : pattern->most[0])) -
              edge->b * (py + (next_random(&seed) % 2 ? pattern->least[1] : pattern->most[1]));
    edge->c += random_in(&seed, -1, 1);
    if (next_random(&seed) % 4 == 0) edge->c += random_in(&seed, 0, 3) * 4000 * size; /* somewhere else */
}

/* Boxes of all sizes: from within a block to more than the tile. */
static void random_box(int32_t box[4], int32_t x, int32_t y)
{
    const int64_t reach = random_in(&seed, 0, 3) ? 96 : 12;
    const int32_t at[2] = {x, y};
    for (unsigned axis = 0; axis < 2; axis++) {
        box[axis] = (int32_t)(at[axis] + random_in(&seed, reach == 12 ? -4 : -40, 60));
        box[2 + axis] = (int32_t)(box[axis] + random_in(&seed, 1, reach));
    }
}

/* The least and the largest value over the rectangle of a block's samples, by its corners. */
static void edge_extent(const struct sch_edge *edge, const struct sch_sample_pattern *pattern, int32_t x, int32_t y,
                        int64_t extent[2])
{
    extent[0] = INT64_MAX;
    extent[1] = INT64_MIN;
    for (unsigned corner = 0; corner < 4; corner++) {
        const int64_t px = x * 256 + 128 + (corner & 1 ? 7 * 256 + pattern->most[0] : pattern->least[0]);
        const int64_t py = y * 256 + 128 + (corner & 2 ? 3 * 256 + pattern->most[1] : pattern->least[1]);
        const int64_t value = edge->c + edge->bias + edge->a * px + edge->b * py;
        extent[0] = value < extent[0] ? value : extent[0];
        extent[1] = value > extent[1] ? value : extent[1];
    }
}

/* What raster.def says of a tile. */
static void expected_tile(struct sch_tile_blocks *blocks, const struct sch_edge *edges, unsigned count,
                          const int32_t box[4], int32_t x, int32_t y, const struct sch_sample_pattern *pattern)
{
    unsigned in_box = 0;
    memset(blocks, 0, sizeof *blocks);
    for (unsigned n = 0; n < 128; n++) {
        const int32_t bx = x + (int32_t)(n % 8 * 8), by = y + (int32_t)(n / 8 * 4);
        if (bx >= box[2] || bx + 8 <= box[0] || by >= box[3] || by + 4 <= box[1]) continue;
        blocks->some[n / 32] |= UINT32_C(1) << n % 32;
        in_box++;
        if (bx >= box[0] && bx + 8 <= box[2] && by >= box[1] && by + 4 <= box[3])
            blocks->all[n / 32] |= UINT32_C(1) << n % 32;
    }
    if (in_box <= 2) memset(blocks->all, 0, sizeof blocks->all);
    for (unsigned n = 0; n < 128 && in_box > 2; n++)
        for (unsigned e = 0; e < count; e++) {
            int64_t extent[2];
            edge_extent(&edges[e], pattern, x + (int32_t)(n % 8 * 8), y + (int32_t)(n / 8 * 4), extent);
            if (extent[1] < 0) blocks->some[n / 32] &= ~(UINT32_C(1) << n % 32);
            if (extent[0] < 0) blocks->all[n / 32] &= ~(UINT32_C(1) << n % 32);
        }
}

/* The lanes of a block whose first sample is inside of all edges, one at a time. */
static uint32_t expected_mask(const struct sch_edge *edges, unsigned count, int32_t x, int32_t y,
                              const struct sch_sample_pattern *pattern)
{
    uint32_t inside = 0;
    for (int32_t lane = 0; lane < 32; lane++) {
        const int64_t px = (int64_t)(x + lane / 4 % 4 * 2 + lane % 2) * 256 + 128 + pattern->x[0];
        const int64_t py = (int64_t)(y + lane / 16 * 2 + lane / 2 % 2) * 256 + 128 + pattern->y[0];
        unsigned of = 0;
        for (unsigned e = 0; e < count; e++) of += edges[e].c + edges[e].bias + edges[e].a * px + edges[e].b * py >= 0;
        inside |= (uint32_t)(of == count) << lane;
    }
    return inside;
}

/* Masks of many blocks of a tile at once; those of others stay. */
static void check_blocks(const struct sch_ops *const *ops, unsigned levels, const struct sch_edge *edges,
                         unsigned count, int32_t x, int32_t y, const struct sch_sample_pattern *pattern)
{
    enum { UNTOUCHED = 0x5a5a5a5a };
    uint32_t expected[SCH_TILE_BLOCKS], masks[SCH_TILE_BLOCKS], wanted[4];
    for (unsigned w = 0; w < 4; w++) wanted[w] = (uint32_t)random_in(&seed, 0, UINT32_MAX);
    for (unsigned n = 0; n < SCH_TILE_BLOCKS; n++)
        expected[n] = wanted[n / 32] >> n % 32 & 1
                          ? expected_mask(edges, count, x + (int32_t)(n % 8 * 8), y + (int32_t)(n / 8 * 4), pattern)
                          : UNTOUCHED;
    for (unsigned l = 0; l < levels; l++) {
        for (unsigned n = 0; n < SCH_TILE_BLOCKS; n++) masks[n] = UNTOUCHED;
        ops[l]->cover_blocks(masks, edges, count, x, y, pattern, wanted);
        for (unsigned n = 0; n < SCH_TILE_BLOCKS; n++)
            if (masks[n] != expected[n])
                fail_msg("%s, block %u: %08x, not %08x", ops[l]->name, n, masks[n], expected[n]);
    }
}

/* Masks of all blocks of a window, and no more; also where an edge is so far that its values are not words. */
static void check_window(const struct sch_ops *const *ops, unsigned levels, const struct sch_edge *of, unsigned count,
                         int32_t x, int32_t y, const struct sch_sample_pattern *pattern)
{
    enum { UNTOUCHED = 0x5a5a5a5a, MOST_BLOCKS = 64 };
    uint32_t expected[MOST_BLOCKS + 1], masks[MOST_BLOCKS + 1];
    const unsigned columns = (unsigned)random_in(&seed, 1, 8), rows = (unsigned)random_in(&seed, 1, 8);
    const unsigned blocks = columns * rows;
    struct sch_edge edges[4];
    memcpy(edges, of, sizeof edges);
    if (next_random(&seed) % 4 == 0) edges[0].c += INT64_C(1) << random_in(&seed, 36, 45);
    for (unsigned n = 0; n < blocks; n++)
        expected[n] =
            expected_mask(edges, count, x + (int32_t)(n % columns * 8), y + (int32_t)(n / columns * 4), pattern);
    expected[blocks] = UNTOUCHED;
    for (unsigned l = 0; l < levels; l++) {
        masks[blocks] = UNTOUCHED;
        ops[l]->cover_window(masks, edges, count, x, y, pattern, columns, rows);
        for (unsigned n = 0; n <= blocks; n++)
            if (masks[n] != expected[n])
                fail_msg("%s, block %u of %u x %u: %08x, not %08x", ops[l]->name, n, columns, rows, masks[n],
                         expected[n]);
    }
}

static void tiles_are_exact(void **state)
{
    (void)state;
    unsigned levels, mixed = 0, few = 0;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned round = 0; round < 4000; round++) {
        const int32_t x = (int32_t)random_in(&seed, 0, 255) * 64, y = (int32_t)random_in(&seed, 0, 255) * 64;
        const unsigned count = (unsigned)random_in(&seed, 0, 4);
        struct sch_sample_pattern pattern;
        struct sch_tile_blocks blocks, expected;
        struct sch_edge edges[4] = {0};
        int32_t box[4];
        sch_sample_pattern(sample_counts[round % 5], &pattern);
        for (unsigned axis = 0; axis < 2 && round % 3 == 0; axis++) { /* those of the patterns are nearly square */
            pattern.least[axis] = (int32_t)random_in(&seed, -128, 0);
            pattern.most[axis] = (int32_t)random_in(&seed, 0, 127);
        }
        for (unsigned e = 0; e < count; e++) random_edge(&edges[e], &pattern, x, y);
        random_box(box, x, y);
        expected_tile(&expected, edges, count, box, x, y, &pattern);
        for (unsigned l = 0; l < levels; l++) {
            ops[l]->cover_tile(&blocks, edges, count, box, x, y, &pattern);
            for (unsigned w = 0; w < 4; w++)
                if (blocks.some[w] != expected.some[w] || blocks.all[w] != expected.all[w])
                    fail_msg("%s, round %u, word %u: some %08x, not %08x, all %08x, not %08x", ops[l]->name, round, w,
                             blocks.some[w], expected.some[w], blocks.all[w], expected.all[w]);
        }
        check_blocks(ops, levels, edges, count, x, y, &pattern);
        check_window(ops, levels, edges, count, x, y, &pattern);
        mixed += expected.all[1] && expected.some[1] != expected.all[1];
        few += !memcmp(expected.all, (uint32_t[4]){0}, sizeof expected.all) && expected.some[0];
    }
    assert_true(mixed > 200 && few > 100);
}

/* ---- parts of pixels ---- */

/* By a grid of 16 x 16 points in the pixel, one at a time. */
static uint32_t expected_part(const struct sch_edge *edges, unsigned count, int32_t x, int32_t y)
{
    uint32_t part = 0;
    for (int32_t n = 0; n < 256; n++) {
        const int64_t px = x * 256 + n % 16 * 16 + 8, py = y * 256 + n / 16 * 16 + 8;
        bool inside = true;
        for (unsigned e = 0; e < count; e++)
            inside &= edges[e].c + edges[e].bias + edges[e].a * px + edges[e].b * py >= 0;
        part += inside;
    }
    return part;
}

/* Of any edges; also with a stipple that leaves all. */
static void parts_count_points(void **state)
{
    (void)state;
    static const struct sch_sample_pattern centres = {.samples = 1};
    static const struct sch_line_stipple all = {.place = {5, 1, 1}, .unit = 256, .factor = 1, .pattern = 0xffff};
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned round = 0; round < 1000; round++) {
        const int32_t x = (int32_t)random_in(&seed, 0, 31) * 64, y = (int32_t)random_in(&seed, 0, 31) * 64;
        const unsigned count = (unsigned)random_in(&seed, 0, 4);
        struct sch_lanes part, stippled;
        struct sch_edge edges[4];
        for (unsigned e = 0; e < count; e++) { /* through points of the block and around it */
            random_edge(&edges[e], &centres, x, y);
            edges[e].c = -edges[e].a * (x * INT64_C(256) + 16 * random_in(&seed, -10, 140) + 8) -
                         edges[e].b * (y * INT64_C(256) + 16 * random_in(&seed, -10, 80) + 8);
        }
        const struct sch_ops *level = ops[round % levels];
        level->cover_part(&part, edges, count, x, y);
        level->cover_part_stippled(&stippled, edges, count, &all, x, y);
        for (unsigned lane = 0; lane < 32; lane++) {
            const int32_t column = (int32_t)(lane / 4 % 4 * 2 + lane % 2),
                          row = (int32_t)(lane / 16 * 2 + lane / 2 % 2);
            const uint32_t wanted = expected_part(edges, count, x + column, y + row);
            assert_int_equal(part.u[lane], wanted);
            assert_int_equal(stippled.u[lane], wanted);
        }
    }
}

/* ---- meshes ---- */

enum { MESH = 256 }; /* pixels of a side */

struct mesh {
    struct scene scene;
    uint8_t times[MESH][MESH][4]; /* each sample was covered */
};

/* All samples of a triangle, at one of the levels. */
static void draw(struct mesh *mesh, const struct place t[3], const struct sch_ops *ops)
{
    struct sch_raster_primitive p;
    uint32_t masks[SCH_MAX_SAMPLES];
    if (!set_up(&mesh->scene, t, &p)) return;
    for (int32_t y = p.box[1] & ~3; y < p.box[3]; y += 4)
        for (int32_t x = p.box[0] & ~7; x < p.box[2]; x += 8) {
            ops->cover_edges(masks, p.edges, 3, x, y, &mesh->scene.pattern);
            for (uint32_t s = 0; s < mesh->scene.samples; s++)
                for (uint32_t lanes = masks[s] & sch_box_lanes(p.box, x, y); lanes; lanes &= lanes - 1) {
                    const unsigned lane = (unsigned)__builtin_ctz(lanes);
                    mesh->times[y + lane_y(lane)][x + lane_x(lane)][s]++;
                }
        }
}

/* Every sample within a polygon once, all others never. */
static void check_mesh(const struct mesh *mesh, const struct place *polygon, unsigned count)
{
    for (int32_t y = 0; y < MESH; y++)
        for (int32_t x = 0; x < MESH; x++)
            for (uint32_t s = 0; s < mesh->scene.samples; s++) {
                const struct place p = sample_place(&mesh->scene, x, y, s);
                bool inside = false; /* an odd number of edges is to the right of it */
                for (unsigned i = 0; i < count; i++) {
                    const struct place a = polygon[i], b = polygon[(i + 1) % count];
                    if ((a.y <= p.y) == (b.y <= p.y)) continue;
                    inside ^= side_of(a, b, p, false) == (a.y < b.y ? 1 : -1);
                }
                if (mesh->times[y][x][s] != inside)
                    fail_msg("(%d, %d) sample %u: %u times, inside %d", x, y, s, mesh->times[y][x][s], inside);
            }
}

static const struct sch_ops *random_level(void)
{
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    return levels[next_random(&seed) % count];
}

/* A square that is split again and again at places inside of a triangle: most are slivers in the end. */
static void split_squares_are_covered_once(void **state)
{
    (void)state;
    enum { TRIANGLES = 100000 };
    static struct mesh mesh;
    const unsigned wanted = getenv("SCH_LONG") ? TRIANGLES : TRIANGLES / 5;
    struct place(*t)[3] = calloc(TRIANGLES + 2, sizeof *t);
    const struct place square[4] = {{-1000, 777}, {64999, -300}, {65400, 65000}, {130, 64321}};
    assert_non_null(t);
    for (unsigned samples = 1; samples <= 4; samples *= 4) {
        unsigned count = 2;
        memset(&mesh, 0, sizeof mesh);
        make_scene(&mesh.scene, samples, false, MESH, MESH);
        for (unsigned i = 0; i < 3; i++) t[0][i] = square[i], t[1][i] = square[(i + 2) % 4];
        for (unsigned tries = 0; count < wanted && tries < 20 * wanted; tries++) {
            struct place *old = t[next_random(&seed) % count];
            const int64_t u = random_in(&seed, 0, 64), v = random_in(&seed, 0, 64 - u);
            const struct place p = {old[0].x + ((old[1].x - old[0].x) * u + (old[2].x - old[0].x) * v) / 64,
                                    old[0].y + ((old[1].y - old[0].y) * u + (old[2].y - old[0].y) * v) / 64};
            const int area = sign_of(area_of(old[0], old[1], old[2]));
            bool inside = area != 0;
            for (unsigned i = 0; i < 3; i++) inside &= sign_of(area_of(old[i], old[(i + 1) % 3], p)) == area;
            if (!inside) continue;
            memcpy(t[count], old, sizeof *t);
            memcpy(t[count + 1], old, sizeof *t);
            old[0] = t[count][1] = t[count + 1][2] = p;
            count += 2;
        }
        assert_true(count > 1000);
        for (unsigned i = 0; i < count; i++) draw(&mesh, t[i], random_level());
        check_mesh(&mesh, square, 4);
    }
    free(t);
}

/* Fans about a place, with edges in all directions, and strips of them that fold back: the polygon is seen from the
 * place, so that its triangles do not overlap. */
static void fans_are_covered_once(void **state)
{
    (void)state;
    enum { ROUND = 1024 };
    static struct mesh mesh;
    static struct place polygon[ROUND];
    const unsigned rounds = getenv("SCH_LONG") ? 100 : 8;
    for (unsigned round = 0; round < rounds; round++) {
        const struct place center = {random_in(&seed, 20000, 45000), random_in(&seed, 20000, 45000)};
        const unsigned side = ROUND / 4;
        memset(&mesh, 0, sizeof mesh);
        make_scene(&mesh.scene, round & 1 ? 4 : 1, round & 2, MESH, MESH);
        for (unsigned i = 0; i < ROUND; i++) { /* once around a square, nearer and farther */
            const int64_t along = (int64_t)(i % side) * 2 - (int64_t)side, reach = random_in(&seed, 1, 120);
            const int64_t half = (int64_t)side;
            const struct place directions[4] = {{along, -half}, {half, along}, {-along, half}, {-half, -along}};
            polygon[i] = (struct place){center.x + directions[i / side].x * reach / 2,
                                        center.y + directions[i / side].y * reach / 2};
        }
        for (unsigned i = 0; i < ROUND; i++) {
            const struct place t[3] = {center, polygon[i], polygon[(i + 1) % ROUND]};
            draw(&mesh, t, random_level());
        }
        if (!mesh.scene.rasterizer.bottom_edge_rule) {
            check_mesh(&mesh, polygon, ROUND);
            continue;
        }
        for (unsigned i = 0; i < sizeof mesh.times; i++) assert_in_range(((const uint8_t *)mesh.times)[i], 0, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_triangles_are_exact), cmocka_unit_test(viewports_cut_samples),
        cmocka_unit_test(small_triangles_are_known),  cmocka_unit_test(split_squares_are_covered_once),
        cmocka_unit_test(fans_are_covered_once),      cmocka_unit_test(tiles_are_exact),
        cmocka_unit_test(parts_count_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
