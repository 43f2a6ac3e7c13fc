/* Points: every pixel, sample and part of a pixel of random points, at all widths of vectors, compared with references
 * that are written from OpenGL 4.6, 14.4, and are exact from the corners; coordinates across sprites; the stipple of
 * polygons. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>

#include "pipeline/point.h"
#include "raster_cover.h"

static uint64_t seed;
static uint32_t below(uint32_t limit) { return (uint32_t)(random_number(&seed) >> 32) % limit; }

struct point {
    struct sch_corner corner;
    float size;
    bool bottom;
};

static double rounded(double value, double least)
{
    value = floor(value + 0.5);
    return value >= least ? value : least; /* NaN, too */
}

/* ---- whether a place is covered, by 14.4.1 and 14.4.3; window coordinates with OpenGL's y axis, in pixels ---- */

static bool in_pixels(const void *shape, int32_t column, int32_t row)
{
    const struct point *point = shape;
    const double x = column / 256.0, y = row / 256.0;
    const double width = rounded((double)point->size, 1);
    const double wx = point->corner.x / 256.0, wy = (point->bottom ? -1 : 1) * point->corner.y / 256.0;
    const bool odd = fmod(width, 2) == 1;
    const double cx = odd ? floor(wx) + 0.5 : floor(wx + 0.5), cy = odd ? floor(wy) + 0.5 : floor(wy + 0.5);
    return fabs(x - cx) < width / 2 && fabs((point->bottom ? -y : y) - cy) < width / 2;
}

/* Left edges belong to the square, and upper ones, or lower ones (D3D 3.4.6, 3.4.2.1). */
static bool in_square(const void *shape, int32_t column, int32_t row)
{
    const struct point *point = shape;
    const double x = column / 256.0, y = row / 256.0;
    const double half = rounded((double)point->size * 256, 1) / 512;
    const double dx = x - point->corner.x / 256.0, dy = y - point->corner.y / 256.0;
    const bool across = dx >= -half && dx < half;
    return across && (point->bottom ? dy > -half && dy <= half : dy >= -half && dy < half);
}

/* Distances below 2^12 pixels, whose squares are whole numbers of 2^-16 pixels: exact in double. */
static bool in_circle(const void *shape, int32_t column, int32_t row)
{
    const struct point *point = shape;
    const double x = column / 256.0, y = row / 256.0;
    const double half = rounded((double)point->size * 256, 1) / 512;
    const double dx = x - point->corner.x / 256.0, dy = y - point->corner.y / 256.0;
    return dx * dx + dy * dy <= half * half;
}

/* ---- random points ---- */

static int32_t coordinate(void)
{
    static const int32_t steps[] = {256, 128, 64, 16, 1};
    const int32_t at = (int32_t)below(COVER_SIDE * 256), step = steps[below(5)];
    return at / step * step + (below(4) ? 0 : (int32_t)below(3) - 1);
}

static float point_size(void)
{
    static const float sizes[] = {1,  1,         2,        3,     4,          1.5f,       2.5f, 0.5f, 0.25f, 0,
                                  -1, -INFINITY, INFINITY, 1e30f, 1.4999999f, 0.0019531f, 5,    64,   7.75f};
    switch (below(4)) {
    case 0:
        return (float)below(20 * 1024) / 1024;
    case 1:
        return (float)(1 + below(5120)) / 256;
    case 2:
        return below(8) ? (float)below(16) : NAN;
    default:
        return sizes[below(sizeof sizes / sizeof *sizes)];
    }
}

static void random_point(struct point *point)
{
    memset(point, 0, sizeof *point);
    point->corner = (struct sch_corner){.x = coordinate(), .y = coordinate(), .z = 0.25f, .inverse_w = 2, .vertex = 7};
    point->size = point_size();
    point->bottom = below(2);
    if (below(8) == 0) { /* a place of the grid on the circle, or on an edge of the square */
        const int32_t at = (int32_t)below(COVER_SIDE * 16) * 16 + 8, k = 1 + (int32_t)below(200);
        point->size = (float)(10 * k) / 256;
        point->corner.x = at + (below(2) ? 3 * k : 5 * k);
        point->corner.y = at - 4 * k;
    }
}

static void compare(const struct point *point, struct sch_rasterizer_options *options, uint32_t samples,
                    const struct covered *expected)
{
    char text[128];
    struct sch_point_rules rules;
    struct sch_raster_primitive primitive;
    memset(&primitive, 0xa5, sizeof primitive);
    options->bottom_edge_rule = point->bottom;
    options->point_size_per_vertex = below(2);
    options->point_size = options->point_size_per_vertex ? 3 : point->size;
    const float size = options->point_size_per_vertex ? point->size : 3;
    sch_point_rules(&rules, options, samples);
    const bool any = sch_point_setup(&rules, &cover_everything, &point->corner, size, 0, &primitive);
    if (cover_differs(any ? &primitive : NULL, samples, expected, text))
        fail_msg("(%d, %d), size %g, bottom %d: %s", point->corner.x, point->corner.y, (double)point->size,
                 point->bottom, text);
}

/* Squares of whole pixels: neither multisampled nor smooth nor sprites. */
static void aliased_points(void **state)
{
    (void)state;
    static struct covered expected;
    seed = 1;
    for (unsigned n = 0, count = cover_count(500, 100000); n < count; n++) {
        struct point point;
        const uint32_t samples = cover_samples_of[n % 5];
        random_point(&point);
        struct sch_rasterizer_options options = {.multisample = samples == 1};
        cover_by_samples(in_pixels, &point, samples, true, &expected);
        compare(&point, &options, samples, &expected);
    }
}

/* Exact squares, by samples or by centres; being smooth has no effect on them. */
static void sprites(void **state)
{
    (void)state;
    static struct covered expected;
    seed = 2;
    for (unsigned n = 0, count = cover_count(500, 100000); n < count; n++) {
        struct point point;
        const uint32_t samples = cover_samples_of[n % 5];
        random_point(&point);
        struct sch_rasterizer_options options = {
            .point_quad_rasterization = true, .multisample = below(2), .point_smooth = below(2)};
        cover_by_samples(in_square, &point, samples, !options.multisample, &expected);
        compare(&point, &options, samples, &expected);
    }
}

static void multisampled_circles(void **state)
{
    (void)state;
    static struct covered expected;
    seed = 3;
    for (unsigned n = 0, count = cover_count(400, 100000); n < count; n++) {
        struct point point;
        const uint32_t samples = cover_samples_of[1 + n % 4];
        random_point(&point);
        struct sch_rasterizer_options options = {.multisample = true, .point_smooth = below(2)};
        cover_by_samples(in_circle, &point, samples, false, &expected);
        compare(&point, &options, samples, &expected);
    }
}

static void smooth_points(void **state)
{
    (void)state;
    static struct covered expected;
    seed = 4;
    for (unsigned n = 0, count = cover_count(60, 5000); n < count; n++) {
        struct point point;
        const uint32_t samples = cover_samples_of[n % 5];
        random_point(&point);
        struct sch_rasterizer_options options = {.multisample = samples == 1, .point_smooth = true};
        cover_by_parts(in_circle, &point, samples, &expected);
        compare(&point, &options, samples, &expected);
    }
}

/* The distance between a coordinate and an interval around another one. */
static double distance(double from, double to, double reach)
{
    const double between = fabs(from - to) - reach;
    return between > 0 ? between : 0;
}

/* NV_conservative_raster: pixels whose square, closed, meets the square or the circle have all samples. */
static void conservative_points(void **state)
{
    (void)state;
    static struct covered expected;
    seed = 7;
    for (unsigned n = 0, count = cover_count(500, 100000); n < count; n++) {
        struct point point;
        const uint32_t samples = cover_samples_of[n % 5];
        random_point(&point);
        struct sch_rasterizer_options options = {
            .point_quad_rasterization = below(2), .multisample = below(2), .point_smooth = below(2)};
        const double reach = cover_conservatively(&options, &seed);
        const double half = rounded((double)point.size * 256, 1) / 512;
        if (below(2) && half < 16) /* the pixels of a column are just met, or just not */
            point.corner.x = (int32_t)(20 * 256 + 128 + (half + reach) * 256 + below(2));
        for (int32_t y = 0; y < COVER_SIDE; y++)
            for (int32_t x = 0; x < COVER_SIDE; x++) {
                const double dx = distance(point.corner.x / 256.0, x + 0.5, reach);
                const double dy = distance(point.corner.y / 256.0, y + 0.5, reach);
                const bool inside =
                    options.point_quad_rasterization ? dx <= half && dy <= half : dx * dx + dy * dy <= half * half;
                for (uint32_t s = 0; s < samples; s++) expected.of[y][x][s] = inside;
            }
        compare(&point, &options, samples, &expected);
    }
}

/* The largest point reaches as far as it should, and larger ones no further. */
static void largest_points(void **state)
{
    (void)state;
    const struct sch_setup_viewport all = {.frame = {0, 0, SCH_FRAMEBUFFER_SIDE, SCH_FRAMEBUFFER_SIDE}};
    const struct sch_corner corner = {.x = 8192 * 256, .y = 8192 * 256 + 128};
    for (unsigned smooth = 0; smooth < 2; smooth++)
        for (unsigned n = 0; n < 2; n++) {
            const struct sch_rasterizer_options options = {.point_size = n ? INFINITY : SCH_POINT_SIZE_MAX,
                                                           .point_smooth = smooth};
            struct sch_point_rules rules;
            struct sch_raster_primitive primitive;
            sch_point_rules(&rules, &options, 1);
            assert_true(sch_point_setup(&rules, &all, &corner, 1, 0, &primitive));
            assert_int_equal(primitive.box[0], 8192 - SCH_POINT_SIZE_MAX / 2 - (smooth ? 1 : 0));
            assert_int_equal(primitive.box[2], 8192 + SCH_POINT_SIZE_MAX / 2 + (smooth ? 1 : 0));
        }
}

/* OpenGL 14.4.1, equations 14.3 and 14.4, at places of the grid: the coordinates are E1 / A and E2 / A, exactly. */
static void coordinates_across(void **state)
{
    (void)state;
    seed = 5;
    for (unsigned n = 0; n < 10000; n++) {
        struct point point;
        struct sch_point_rules rules;
        struct sch_raster_primitive primitive;
        random_point(&point);
        point.corner.x = point.corner.y = 20 * 256 + (int32_t)below(256);
        point.size = 1 + (float)below(1024) / 256;
        const struct sch_rasterizer_options options = {.point_quad_rasterization = true,
                                                       .point_size = point.size,
                                                       .sprite_coord_mode =
                                                           n % 2 ? SCH_SPRITE_LOWER_LEFT : SCH_SPRITE_UPPER_LEFT};
        const struct sch_setup_viewport viewport = {
            .frame = {0, 0, COVER_SIDE, COVER_SIDE}, .depth_min = 0.125f, .depth_max = 0.75f};
        sch_point_rules(&rules, &options, 1);
        assert_true(sch_point_setup(&rules, &viewport, &point.corner, 1, 0.5, &primitive));
        const struct sch_interpolant *of = &primitive.of;
        const double x = below(COVER_SIDE * 256), y = below(COVER_SIDE * 256), size = (double)point.size * 256;
        const double e1 = of->e1[0] + of->e1[1] * x + of->e1[2] * y, e2 = of->e2[0] + of->e2[1] * x + of->e2[2] * y;
        const double s = size / 2 + (x - point.corner.x), t = size / 2 + (n % 2 ? -1 : 1) * (y - point.corner.y);
        assert_true(e1 * size == s * of->area && e2 * size == t * of->area);
        assert_true(of->inverse_area == 1 / of->area);
        assert_true(of->depth[0] == 0.75 && of->depth[1] == 0 && of->depth[2] == 0);
        assert_true(!of->perspective && of->inverse_w[0] == 2);
        for (unsigned v = 0; v < 3; v++) assert_int_equal(of->vertex[v], 7);
        assert_true(of->depth_min == 0.125f && of->depth_max == 0.75f);
        assert_true(primitive.is_point && !primitive.stippled && !primitive.line_stippled && !primitive.fractional);
    }
}

/* How far 2 * |offset| is past the reach, and whether a place is in the circle: struct sch_circle, in whole numbers. */
static int64_t past(int64_t offset, int64_t reach)
{
    const int64_t far = 2 * llabs(offset) - reach;
    return far > 0 ? far : 0;
}

static bool in_reach(const struct sch_circle *circle, int64_t x, int64_t y)
{
    const int64_t dx = past(x - circle->center[0], circle->reach), dy = past(y - circle->center[1], circle->reach);
    return dx * dx + dy * dy <= (int64_t)circle->diameter * circle->diameter;
}

/* Circles of any reach that have a place of the block on their edge, or next to it. */
static void circles_end_exactly(void **state)
{
    (void)state;
    unsigned levels;
    const struct sch_ops *const *level = sch_ops_levels(&levels);
    seed = 8;
    for (unsigned n = 0; n < 4000; n++) {
        const int32_t x = (int32_t)below(64) * SCH_BLOCK_WIDTH, y = (int32_t)below(64) * SCH_BLOCK_HEIGHT;
        const int32_t px = (x + (int32_t)below(8)) * 256 + 128, py = (y + (int32_t)below(4)) * 256 + 128;
        const int32_t near = n % 4 ? (int32_t)below(3) : (int32_t)below(4000), far = (int32_t)below(4000);
        const int32_t reach = n % 3 ? (int32_t)below(400) : 0;
        const int32_t dx = (near + reach) / 2 + 1, dy = (far + reach) / 2 + 1;
        const struct sch_circle circle = {.center = {px + (n & 1 ? dx : -dx), py + (n & 2 ? dy : -dy)},
                                          .reach = (int32_t)reach,
                                          .diameter = (int32_t)(past(dy, reach) + (int32_t)below(2))};
        struct sch_sample_pattern pattern;
        uint32_t masks[SCH_MAX_SAMPLES];
        sch_sample_pattern(1u << n % 5, &pattern);
        memset(masks, 0xa5, sizeof masks);
        level[n % levels]->cover_circle(masks, &circle, x, y, &pattern);
        for (uint32_t s = 0; s < pattern.samples; s++)
            for (unsigned j = 0; j < SCH_BLOCK_HEIGHT; j++)
                for (unsigned i = 0; i < SCH_BLOCK_WIDTH; i++)
                    assert_int_equal(masks[s] >> block_lane(i, j) & 1,
                                     in_reach(&circle, (x + (int32_t)i) * 256 + 128 + pattern.x[s],
                                              (y + (int32_t)j) * 256 + 128 + pattern.y[s]));
    }
}

/* Rows from the top, the highest bit is the leftmost pixel (OpenGL 14.6.2). */
static void polygon_stipple(void **state)
{
    (void)state;
    unsigned levels;
    const struct sch_ops *const *level = sch_ops_levels(&levels);
    uint32_t rows[32];
    seed = 6;
    for (unsigned i = 0; i < 32; i++) rows[i] = (uint32_t)random_number(&seed);
    for (unsigned n = 0; n < 500; n++) {
        const uint32_t x = below(2048) * SCH_BLOCK_WIDTH, y = below(4096) * SCH_BLOCK_HEIGHT;
        uint32_t expected = 0;
        for (uint32_t j = 0; j < SCH_BLOCK_HEIGHT; j++)
            for (uint32_t i = 0; i < SCH_BLOCK_WIDTH; i++)
                expected |= (rows[(y + j) % 32] >> (31 - (x + i) % 32) & 1) << block_lane(i, j);
        for (unsigned l = 0; l < levels; l++)
            assert_int_equal(level[l]->stipple_polygon(rows, (int32_t)x, (int32_t)y), expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aliased_points),       cmocka_unit_test(sprites),
        cmocka_unit_test(multisampled_circles), cmocka_unit_test(smooth_points),
        cmocka_unit_test(largest_points),       cmocka_unit_test(coordinates_across),
        cmocka_unit_test(polygon_stipple),      cmocka_unit_test(conservative_points),
        cmocka_unit_test(circles_end_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
