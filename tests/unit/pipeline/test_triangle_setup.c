/* What setup of triangles decides besides coverage by samples: faces and culling, the offset of depth, what of a
 * viewport is kept, conservative rasterisation, whole pixels inside, and parts of pixels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>

#include "next_level.h"
#include "ops/ops.h"
#include "pipeline/box.h"
#include "pipeline/samples.h"
#include "pipeline/triangle.h"
#include "triangle_reference.h"

enum { SIDE = 512 };

static uint64_t seed;

static struct sch_rasterizer_options usual(void)
{
    return (struct sch_rasterizer_options){.half_pixel_center = true, .multisample = true};
}

static struct sch_viewport whole_viewport(void)
{
    return (struct sch_viewport){.scale = {SIDE / 2, SIDE / 2, 0.5f}, .translate = {SIDE / 2, SIDE / 2, 0.5f}};
}

static void make_setup(struct sch_setup *setup, const struct sch_rasterizer_options *rasterizer, uint32_t samples,
                       enum sch_format depth)
{
    struct sch_dynamic_state dynamic = {.viewport_count = 2};
    dynamic.viewports[0] = dynamic.viewports[1] = whole_viewport();
    dynamic.scissors[0] = (struct sch_scissor){10, 20, 30, 40};
    dynamic.scissors[1] = (struct sch_scissor){100, 0, UINT32_MAX, UINT32_MAX};
    sch_setup_init(setup, next_level(), rasterizer, &dynamic, SIDE, SIDE, samples, depth);
}

static void make_corners(struct sch_corner corners[3], const struct place t[3])
{
    for (unsigned i = 0; i < 3; i++)
        corners[i] =
            (struct sch_corner){.x = (int32_t)t[i].x, .y = (int32_t)t[i].y, .z = 0.5f, .inverse_w = 1, .vertex = 7 + i};
}

/* ---- faces ---- */

/* OpenGL 14.6.1 with y down: the corners of the first go counter-clockwise on the screen. */
static void faces_follow_the_order(void **state)
{
    (void)state;
    static const struct place counter[3] = {{0, 0}, {0, 25600}, {25600, 0}};
    for (unsigned bits = 0; bits < 64; bits++) {
        struct sch_rasterizer_options rasterizer = usual();
        struct sch_setup setup;
        struct sch_corner corners[3];
        struct sch_raster_primitive p;
        rasterizer.front_ccw = bits & 1;
        rasterizer.cull_face = bits >> 1 & 3;
        make_setup(&setup, &rasterizer, 1, SCH_FORMAT_NONE);
        make_corners(corners, counter);
        for (unsigned turn = bits >> 4 & 3; turn; turn--) {
            const struct sch_corner first = corners[0];
            corners[0] = corners[1], corners[1] = corners[2], corners[2] = first;
        }
        const bool clockwise = bits & 8;
        if (clockwise) {
            const struct sch_corner second = corners[1];
            corners[1] = corners[2], corners[2] = second;
        }
        const bool back = clockwise == rasterizer.front_ccw;
        const int64_t area = sch_triangle_area(corners);
        assert_int_equal(area, clockwise ? 25600 * 25600 : -25600 * 25600);
        assert_int_equal(sch_triangle_is_back(&setup, area), back);
        const bool drawn = !(rasterizer.cull_face & (back ? SCH_FACE_BACK : SCH_FACE_FRONT));
        assert_int_equal(sch_setup_triangle(&setup, corners, 0, &p), drawn);
        if (drawn) assert_int_equal(p.back, back);
    }
}

/* Triangles without area are back faces, and are never drawn (D3D 15, OpenGL 14.6.1). */
static void no_area_is_not_drawn(void **state)
{
    (void)state;
    static const struct place flat[4][3] = {{{0, 0}, {2560, 2560}, {5120, 5120}},
                                            {{900, 700}, {900, 700}, {2000, 3000}},
                                            {{5, 5}, {5, 5}, {5, 5}},
                                            {{100, 300}, {90000, 300}, {500, 300}}};
    for (unsigned n = 0; n < 8; n++) {
        struct sch_rasterizer_options rasterizer = usual();
        struct sch_setup setup;
        struct sch_corner corners[3];
        struct sch_raster_primitive p;
        rasterizer.front_ccw = n & 4;
        rasterizer.conservative = n & 4 ? SCH_CONSERVATIVE_POST_SNAP : SCH_CONSERVATIVE_OFF;
        make_setup(&setup, &rasterizer, 4, SCH_FORMAT_NONE);
        make_corners(corners, flat[n % 4]);
        assert_int_equal(sch_triangle_area(corners), 0);
        assert_true(sch_triangle_is_back(&setup, 0));
        assert_false(sch_setup_triangle(&setup, corners, 0, &p));
    }
}

/* ---- what is delivered ---- */

static void state_arrives(void **state)
{
    (void)state;
    static const struct place t[3] = {{0, 0}, {90000, 0}, {0, 90000}};
    for (unsigned bits = 0; bits < 64; bits++) {
        struct sch_rasterizer_options rasterizer = usual();
        struct sch_setup setup;
        struct sch_corner corners[3];
        struct sch_raster_primitive p;
        const uint32_t samples = bits & 1 ? 4 : 1;
        rasterizer.multisample = bits & 2;
        rasterizer.poly_smooth = bits & 4;
        rasterizer.poly_stipple_enable = bits & 8;
        rasterizer.scissor = bits & 16;
        rasterizer.depth_clamp = bits & 32;
        make_setup(&setup, &rasterizer, samples, SCH_FORMAT_NONE);
        make_corners(corners, t);
        p.layer = 5;
        p.primitive_id = 77;
        p.of.provoking = 9;
        assert_true(sch_setup_triangle(&setup, corners, bits & 1, &p));
        const bool multisampled = samples > 1 && rasterizer.multisample;
        assert_int_equal(p.coverage, SCH_COVERAGE_EDGES);
        assert_int_equal(p.edge_count, 3);
        assert_int_equal(p.smooth, rasterizer.poly_smooth && !multisampled); /* OpenGL 14.6.6 */
        assert_int_equal(p.all_samples, !multisampled);
        assert_int_equal(p.stippled, rasterizer.poly_stipple_enable);
        assert_false(p.is_point || p.fractional);
        assert_int_equal(p.viewport, bits & 1);
        assert_int_equal(p.layer, 5);
        assert_int_equal(p.primitive_id, 77);
        assert_int_equal(p.of.provoking, 9);
        assert_int_equal(p.box[0], rasterizer.scissor ? bits & 1 ? 100 : 10 : 0);
        assert_int_equal(p.box[1], rasterizer.scissor && !(bits & 1) ? 20 : 0);
        if (rasterizer.scissor && !(bits & 1)) {
            assert_int_equal(p.box[2], 30);
            assert_int_equal(p.box[3], 40);
        }
        assert_int_equal(p.of.vertex[0], 7); /* the lowest corner in (y, x) */
        assert_int_equal(p.of.vertex[1], 8);
        assert_float_equal(p.of.depth_min, 0, 0);
        assert_float_equal(p.of.depth_max, 1, 0);
    }
}

static void depth_range_is_the_viewports(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 8; bits++) {
        struct sch_rasterizer_options rasterizer = usual();
        struct sch_dynamic_state dynamic = {.viewport_count = 1};
        struct sch_setup setup;
        rasterizer.depth_clamp = bits & 1;
        rasterizer.clip_halfz = bits & 2;
        dynamic.viewports[0] = whole_viewport();
        dynamic.viewports[0].scale[2] = bits & 4 ? -0.25f : 0.25f;
        sch_setup_init(&setup, next_level(), &rasterizer, &dynamic, SIDE, SIDE, 1, SCH_FORMAT_NONE);
        const float other = bits & 2 ? 0.5f : bits & 4 ? 0.75f : 0.25f, far = bits & 4 ? 0.25f : 0.75f;
        const float low = bits & 1 ? fminf(other, far) : 0, high = bits & 1 ? fmaxf(other, far) : 1;
        assert_float_equal(setup.viewports[0].depth_min, low, 0);
        assert_float_equal(setup.viewports[0].depth_max, high, 0);
    }
}

/* D3D 15.6: edges at translate -+ |scale|, exactly; a sum that floats and doubles round counts, too. */
static void viewport_edges_are_exact(void **state)
{
    (void)state;
    static const struct {
        float scale, translate;
        int32_t first, last;
    } cases[] = {{50, 50, 0, 25600},
                 {-50, 50, 0, 25600},
                 {10.25f, 20.5f, 2624, 7872},
                 {0x1p-149f, 16, 4096, 4097}, /* just before and after a sub-pixel: the first one not before */
                 {0x1p-60f, 0.5f, 128, 129},
                 {0.001f, 0.25f, 64, 65},
                 {1e30f, 0, -8388608, 8388608},
                 {0, 3, 768, 768}};
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct sch_rasterizer_options rasterizer = usual();
        struct sch_dynamic_state dynamic = {.viewport_count = 1};
        struct sch_setup setup;
        dynamic.viewports[0] = whole_viewport();
        dynamic.viewports[0].scale[0] = cases[n].scale;
        dynamic.viewports[0].translate[0] = cases[n].translate;
        sch_setup_init(&setup, next_level(), &rasterizer, &dynamic, SIDE, SIDE, 4, SCH_FORMAT_NONE);
        assert_int_equal(setup.viewports[0].bounds[0], cases[n].first);
        assert_int_equal(setup.viewports[0].bounds[2], cases[n].last);
    }
}

/* ---- the offset of depth ---- */

/* OpenGL 14.6.5 with 14.12, in long doubles. */
static long double expected_offset(const struct sch_rasterizer_options *r, const struct place t[3], const float z[3],
                                   long double unit)
{
    const long double area = (long double)area_of(t[0], t[1], t[2]);
    const long double x1 = t[1].x - t[0].x, y1 = t[1].y - t[0].y, x2 = t[2].x - t[0].x, y2 = t[2].y - t[0].y;
    const long double z1 = (long double)z[1] - (long double)z[0], z2 = (long double)z[2] - (long double)z[0];
    const long double dx = fabsl(z1 * y2 - z2 * y1) / fabsl(area) * 256;
    const long double dy = fabsl(z2 * x1 - z1 * x2) / fabsl(area) * 256;
    long double offset = fmaxl(dx, dy) * (long double)r->offset_scale +
                         (r->offset_units_unscaled ? 1 : unit) * (long double)r->offset_units;
    if (r->offset_clamp > 0) offset = fminl(offset, (long double)r->offset_clamp);
    if (r->offset_clamp < 0) offset = fmaxl(offset, (long double)r->offset_clamp);
    return offset;
}

static void offsets_follow_the_formula(void **state)
{
    (void)state;
    static const enum sch_format formats[] = {SCH_FORMAT_NONE, SCH_FORMAT_Z16_UNORM, SCH_FORMAT_Z24X8_UNORM,
                                              SCH_FORMAT_S8_UINT_Z24_UNORM, SCH_FORMAT_Z32_FLOAT};
    static const float clamps[] = {0, 0, 1e-6f, -1e-6f, NAN, 0.01f, -0.01f};
    for (unsigned round = 0; round < 4000; round++) {
        struct sch_rasterizer_options rasterizer = usual();
        struct sch_setup setup;
        struct sch_corner corners[3];
        struct sch_raster_primitive p;
        struct place t[3];
        float z[3];
        const enum sch_format format = formats[round % 5];
        const bool tiny = round % 16 == 2; /* without a slope, so that the bound is a small one */
        for (unsigned i = 0; i < 3; i++) {
            t[i] = (struct place){random_in(&seed, 0, 120000), random_in(&seed, 0, 120000)};
            z[i] = (float)random_in(&seed, 1, 1 << 24) / (1 << 24);
            if (round & 1) z[i] = ldexpf(z[i], -(int)(round % 20));
            if (tiny) z[i] = ldexpf(z[i], -126); /* denormals, but for 1 */
        }
        if (area_of(t[0], t[1], t[2]) == 0) continue;
        rasterizer.offset_scale = (float)random_in(&seed, -4, 4);
        if (tiny) rasterizer.offset_scale = 0;
        rasterizer.offset_units = (float)random_in(&seed, -4, 4);
        rasterizer.offset_clamp = clamps[round % 7];
        rasterizer.offset_units_unscaled = round % 11 == 0;
        rasterizer.offset_tri = round % 3 != 0;
        rasterizer.offset_line = round % 3 != 1;
        rasterizer.offset_point = round % 3 != 2;
        make_setup(&setup, &rasterizer, 4, format);
        make_corners(corners, t);
        for (unsigned i = 0; i < 3; i++) corners[i].z = z[i];
        const float largest = fmaxf(fmaxf(fmaxf(z[0], z[1]), z[2]), 0x1p-126f);
        const long double unit = format == SCH_FORMAT_Z16_UNORM   ? 0x1.000102p-16L
                                 : format == SCH_FORMAT_Z32_FLOAT ? ldexpl(1, ilogbf(largest) - 23)
                                                                  : 0x1.000002p-24L;
        const long double wanted = expected_offset(&rasterizer, t, z, unit);
        const long double bound = fabsl(wanted) * 0x1p-48L + (tiny ? 0 : 0x1p-70L);
        assert_true(fabsl((long double)sch_triangle_offset(&setup, corners, SCH_FILL_SOLID) -
                          (rasterizer.offset_tri ? wanted : 0)) <= bound);
        assert_true(fabsl((long double)sch_triangle_offset(&setup, corners, SCH_FILL_LINE) -
                          (rasterizer.offset_line ? wanted : 0)) <= bound);
        assert_true(fabsl((long double)sch_triangle_offset(&setup, corners, SCH_FILL_POINT) -
                          (rasterizer.offset_point ? wanted : 0)) <= bound);
        if (!sch_setup_triangle(&setup, corners, 0, &p)) continue;
        const double z0 = (double)z[p.of.vertex[0] - 7];
        assert_true(p.of.depth[0] == z0 + sch_triangle_offset(&setup, corners, SCH_FILL_SOLID));
    }
}

/* OpenGL 14.6.5: r "is guaranteed to remain distinct throughout polygon rasterization and in the depth buffer". Depths
 * halfway between two texels are the hard ones. D3D 15.10: "the minimum representable value > 0 in the depth buffer
 * format, converted to float32". */
static void a_unit_remains_distinct(void **state)
{
    (void)state;
    static const struct {
        enum sch_format format;
        unsigned bits, shift; /* of the depth that is stored; how many of them a float does not have */
    } rows[] = {{SCH_FORMAT_Z16_UNORM, 16, 0}, {SCH_FORMAT_Z24X8_UNORM, 24, 0}, {SCH_FORMAT_Z32_UNORM, 32, 8}};
    static const struct place t[3] = {{0, 0}, {90000, 0}, {0, 90000}};
    struct sch_rasterizer_options rasterizer = usual();
    rasterizer.offset_tri = true;
    rasterizer.offset_units = 1;
    for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++) {
        const double most = ldexp(1, (int)rows[row].bits) - 1, smallest = ldexp(1, (int)rows[row].shift) / most;
        struct sch_setup setup;
        struct sch_corner corners[3];
        make_setup(&setup, &rasterizer, 1, rows[row].format);
        make_corners(corners, t);
        const double r = sch_triangle_offset(&setup, corners, SCH_FILL_SOLID);
        assert_true(r >= smallest && r <= smallest * (1 + 0x1p-22));
        for (unsigned round = 0; round < 4000; round++) {
            const double z = round ? (double)(float)random_in(&seed, 1, 1 << 24) / (1 << 24) : 0.5;
            assert_true(nearbyint((z + r) * most) > nearbyint(z * most));
        }
    }
}

/* Where the scale is 0 the slope has no part, even where it is not finite (D3D 15.10). */
static void a_scale_of_zero_counts_nothing(void **state)
{
    (void)state;
    static const struct place t[3] = {{0, 0}, {90000, 0}, {0, 90000}};
    struct sch_rasterizer_options rasterizer = usual();
    struct sch_setup setup;
    struct sch_corner corners[3];
    rasterizer.offset_tri = true;
    rasterizer.offset_units = 3;
    make_setup(&setup, &rasterizer, 1, SCH_FORMAT_Z16_UNORM);
    make_corners(corners, t);
    corners[1].z = INFINITY;
    assert_true(sch_triangle_offset(&setup, corners, SCH_FILL_SOLID) == 3 * 0x1.000102p-16);
    corners[1] = corners[0]; /* no area: no slope */
    assert_true(sch_triangle_offset(&setup, corners, SCH_FILL_SOLID) == 3 * 0x1.000102p-16);
    setup.offset_scale = 2;
    corners[1].z = 0.25f;
    assert_true(sch_triangle_offset(&setup, corners, SCH_FILL_SOLID) == 3 * 0x1.000102p-16);
    assert_true(sch_triangle_offset(&setup, corners, SCH_FILL_LINE) == 0); /* it is not enabled there */
}

/* ---- 1 / w ---- */

/* docs/pipeline.md, "Interpolation": of three that differ the largest is scaled to between 2^62 and 2^63; a positive
 * one that is below 2^-64 then counts as 2^-64. Where that cannot be they stay. */
static void expected_inverse_w(const float given[3], double inverse_area, struct sch_interpolant *of)
{
    float largest = 0;
    bool finite = true;
    for (unsigned i = 0; i < 3; i++) {
        of->inverse_w[i] = given[i];
        finite &= isfinite(given[i]) != 0;
        if (fabsf(given[i]) > largest) largest = fabsf(given[i]);
    }
    const bool differ = memcmp(&given[0], &given[1], 4) != 0 || memcmp(&given[0], &given[2], 4) != 0;
    of->perspective = differ ? UINT32_MAX : 0;
    of->w_unit = of->perspective ? inverse_area : 0;
    if (!of->perspective || !finite || !(largest > 0)) return;
    const int shift = 62 - ilogb((double)largest);
    for (unsigned i = 0; i < 3; i++) {
        of->inverse_w[i] = (float)ldexp((double)given[i], shift);
        if (given[i] > 0 && of->inverse_w[i] < 0x1p-64f) of->inverse_w[i] = 0x1p-64f;
    }
    of->w_unit = ldexp(inverse_area, -shift);
}

static void w_is_scaled(void **state)
{
    (void)state;
    static const float sizes[] = {
        FLT_MAX,   -FLT_MAX,   1,         1.5f,     0x1.fffffep-1f, 0x1p-1f,   0x1p-63f,   0x1p-64f, 0x1p-125f,
        0x1p-126f, 0x1p-127f,  0x1p-149f, 0x1p126f, 0x1.8p127f,     0x1p-130f, 0x1.8p-66f, 0,        -0.0f,
        -1,        -0x1p-127f, -0x1p100f, INFINITY, -INFINITY,      NAN,       0x1p-65f,   3e-30f};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (unsigned round = 0; round < SIZES * SIZES * SIZES; round++) {
        const float given[3] = {sizes[round % SIZES], sizes[round / SIZES % SIZES], sizes[round / SIZES / SIZES]};
        struct sch_interpolant of = {.inverse_area = 1.0 / (1 + round)}, expected = {.area = 0};
        memcpy(of.inverse_w, given, sizeof given);
        expected_inverse_w(given, of.inverse_area, &expected);
        next_level()->scale_inverse_w(&of);
        assert_int_equal(of.perspective, expected.perspective);
        assert_true(of.w_unit == expected.w_unit);
        for (unsigned i = 0; i < 3; i++)
            if (!isnan(given[i])) assert_memory_equal(&of.inverse_w[i], &expected.inverse_w[i], sizeof(float));
    }
}

/* ---- conservative rasterisation ---- */

/* Segments that meet, ends included. Both are closed; coordinates in halves of sub-pixels. */
static bool segments_meet(struct place a, struct place b, struct place c, struct place d)
{
    const int ab_c = sign_of(area_of(a, b, c)), ab_d = sign_of(area_of(a, b, d));
    const int cd_a = sign_of(area_of(c, d, a)), cd_b = sign_of(area_of(c, d, b));
    return ab_c * ab_d <= 0 && cd_a * cd_b <= 0 && (ab_c || ab_d || cd_a || cd_b);
}

static bool closed_in(const struct place t[3], struct place p)
{
    const int area = sign_of(area_of(t[0], t[1], t[2]));
    for (unsigned i = 0; i < 3; i++)
        if (sign_of(area_of(t[i], t[(i + 1) % 3], p)) == -area) return false;
    return true;
}

/* Whether a square about a place, closed, and a triangle have a place in common; or, `whole`, the square is in it. */
static bool square_meets(const struct place t[3], struct place center, int64_t half, bool whole)
{
    const struct place corner[4] = {{center.x - half, center.y - half},
                                    {center.x + half, center.y - half},
                                    {center.x + half, center.y + half},
                                    {center.x - half, center.y + half}};
    bool some = false, all = true;
    for (unsigned i = 0; i < 4; i++) {
        const bool in = closed_in(t, corner[i]);
        some |= in;
        all &= in;
    }
    if (whole) return all;
    for (unsigned i = 0; i < 3; i++) {
        some |= llabs(t[i].x - center.x) <= half && llabs(t[i].y - center.y) <= half;
        for (unsigned k = 0; k < 4; k++) some |= segments_meet(t[i], t[(i + 1) % 3], corner[k], corner[(k + 1) % 4]);
    }
    return some;
}

static void random_small(struct place t[3])
{
    static const int64_t reaches[] = {4, 20, 600, 20000};
    const int64_t reach = reaches[next_random(&seed) % 4];
    const struct place at = {random_in(&seed, 0, 40) * 256, random_in(&seed, 0, 40) * 256};
    for (unsigned i = 0; i < 3; i++) {
        t[i] = (struct place){at.x + random_in(&seed, -reach, reach), at.y + random_in(&seed, -reach, reach)};
        const int64_t off = random_in(&seed, -1, 1); /* on edges and corners of pixels, or next to them */
        if (next_random(&seed) % 2) t[i].x = (t[i].x & ~127) + off;
        if (next_random(&seed) % 2) t[i].y = (t[i].y & ~127) + off;
    }
}

static struct place center_of(int32_t x, int32_t y, unsigned lane)
{
    return (struct place){(x + (int32_t)(lane / 4 % 4 * 2 + lane % 2)) * 256 + 128,
                          (y + (int32_t)(lane / 16 * 2 + lane / 2 % 2)) * 256 + 128};
}

/* All pixels of a corner of the framebuffer. */
static void check_conservative(const struct sch_setup *setup, const struct place t[3], int64_t reach)
{
    struct sch_corner corners[3];
    struct sch_raster_primitive p;
    struct sch_sample_pattern pattern;
    struct sch_edge inner[3];
    struct place doubled[3];
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    sch_sample_pattern(1, &pattern);
    make_corners(corners, t);
    const bool drawn = sch_setup_triangle(setup, corners, 0, &p);
    const bool area = sign_of(area_of(t[0], t[1], t[2]));
    if (drawn) {
        assert_true(p.all_samples && !p.smooth);
        sch_triangle_inner_edges(&p, inner);
    }
    for (unsigned i = 0; i < 3; i++) doubled[i] = (struct place){2 * t[i].x, 2 * t[i].y};
    for (int32_t y = 0; y < 48; y += 4)
        for (int32_t x = 0; x < 48; x += 8) {
            const struct sch_ops *ops = levels[next_random(&seed) % count];
            uint32_t lanes = 0, whole = 0, wanted = 0, wanted_whole = 0;
            if (drawn) {
                ops->cover_edges(&lanes, p.edges, 3, x, y, &pattern);
                ops->cover_edges(&whole, inner, 3, x, y, &pattern);
                lanes &= sch_box_lanes(p.box, x, y);
            }
            for (unsigned lane = 0; lane < 32 && area; lane++) {
                const struct place c = center_of(x, y, lane), twice = {2 * c.x, 2 * c.y};
                wanted |= (uint32_t)square_meets(doubled, twice, reach, false) << lane;
                wanted_whole |= (uint32_t)square_meets(doubled, twice, 256, true) << lane;
            }
            if (lanes != wanted || (drawn && whole != wanted_whole))
                fail_msg("(%lld, %lld) (%lld, %lld) (%lld, %lld) at (%d, %d): %08x %08x instead of %08x %08x",
                         (long long)t[0].x, (long long)t[0].y, (long long)t[1].x, (long long)t[1].y, (long long)t[2].x,
                         (long long)t[2].y, x, y, lanes, whole, wanted, wanted_whole);
        }
}

/* NV_conservative_raster: a pixel is covered where any part of it is, edges and corners included. */
static void conservative_is_what_touches(void **state)
{
    (void)state;
    const unsigned rounds = getenv("SCH_LONG") ? 20000 : 1000;
    for (unsigned round = 0; round < rounds; round++) {
        struct sch_rasterizer_options rasterizer = usual();
        struct sch_setup setup;
        struct place t[3];
        const bool before = round & 1;
        const unsigned dilate = round / 2 % 4;
        rasterizer.conservative = before ? SCH_CONSERVATIVE_PRE_SNAP : SCH_CONSERVATIVE_POST_SNAP;
        rasterizer.conservative_dilate = (float)dilate / 4;
        rasterizer.poly_smooth = round & 8;
        make_setup(&setup, &rasterizer, round & 16 ? 4 : 1, SCH_FORMAT_NONE);
        random_small(t);
        check_conservative(&setup, t, 256 + before + 128 * (int64_t)dilate);
    }
}

/* ---- parts of pixels ---- */

static void parts_are_counted(void **state)
{
    (void)state;
    static struct sch_lanes part;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned round = 0; round < 40; round++) {
        struct sch_rasterizer_options rasterizer = usual();
        struct sch_setup setup;
        struct sch_corner corners[3];
        struct sch_raster_primitive p;
        struct place t[3];
        rasterizer.poly_smooth = true;
        rasterizer.bottom_edge_rule = round & 1;
        make_setup(&setup, &rasterizer, 1, SCH_FORMAT_NONE);
        random_small(t);
        make_corners(corners, t);
        const int32_t x = (int32_t)(t[0].x >> 8) & ~7, y = (int32_t)(t[0].y >> 8) & ~3;
        const bool drawn = sch_setup_triangle(&setup, corners, 0, &p);
        for (unsigned level = 0; level < count && drawn; level++) {
            levels[level]->cover_part(&part, p.edges, 3, x, y);
            for (unsigned lane = 0; lane < 32; lane++) {
                const struct place c = center_of(x, y, lane);
                unsigned wanted = 0;
                for (int64_t j = -120; j < 128; j += 16)
                    for (int64_t i = -120; i < 128; i += 16)
                        wanted += reference_covers(t, (struct place){c.x + i, c.y + j}, round & 1);
                assert_int_equal(part.u[lane], wanted);
                const bool boxed = sch_box_lanes(p.box, x, y) >> lane & 1;
                if (wanted && c.x > 0 && c.y > 0) assert_true(boxed);
            }
        }
    }
}

/* ---- many at once ---- */

enum { TOGETHER = 32 };

struct together {
    struct sch_assembled_primitive triangles[TOGETHER];
    struct sch_window_vertex corners[3 * TOGETHER];
    struct sch_lanes distances;
};

static float random_float(int low, int high)
{
    return (float)ldexp(1 + (double)(next_random(&seed) >> 11) * 0x1p-53, (int)random_in(&seed, low, high));
}

static void random_together(struct together *t)
{
    memset(t, 0, sizeof *t);
    for (uint32_t n = 0; n < TOGETHER; n++) {
        struct place places[3];
        const bool flat = next_random(&seed) % 3 == 0;
        const float w = random_float(-140, 100);
        random_small(places);
        t->triangles[n].provoking = (uint32_t)random_in(&seed, 0, 3 * TOGETHER - 1);
        t->triangles[n].id = (uint32_t)next_random(&seed);
        t->distances.u[n] = (uint32_t)next_random(&seed) & 255;
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t vertex = (3 * n + i) * 37 % (3 * TOGETHER);
            t->triangles[n].vertex[i] = vertex;
            t->corners[vertex] =
                (struct sch_window_vertex){(int32_t)places[i].x, (int32_t)places[i].y, random_float(-130, 3) - 1,
                                           flat ? w : random_float(-140, 100)};
            if (next_random(&seed) % 64 == 0) t->corners[vertex].inverse_w = (float)random_in(&seed, -1, 0);
        }
    }
}

/* By itself, at the narrowest level. */
static bool set_up_alone(const struct sch_setup *setup, const struct together *t, uint32_t n, uint32_t viewport,
                         struct sch_raster_primitive *p)
{
    struct sch_setup alone = *setup;
    struct sch_corner corners[3];
    alone.ops = sch_ops_for_width(4);
    for (unsigned i = 0; i < 3; i++) {
        const struct sch_window_vertex *at = &t->corners[t->triangles[n].vertex[i]];
        corners[i] = (struct sch_corner){at->x, at->y, at->z, at->inverse_w, t->triangles[n].vertex[i]};
    }
    memset(p, 0, sizeof *p);
    p->of.provoking = t->triangles[n].provoking;
    p->primitive_id = t->triangles[n].id;
    if (!sch_setup_triangle(&alone, corners, viewport, p)) return false;
    p->distances = (uint8_t)t->distances.u[n];
    return true;
}

static void check_same_edges(const struct sch_raster_primitive *a, const struct sch_raster_primitive *b)
{
    for (unsigned e = 0; e < 3; e++) {
        assert_true(a->edges[e].a == b->edges[e].a && a->edges[e].b == b->edges[e].b);
        assert_true(a->edges[e].c == b->edges[e].c && a->edges[e].bias == b->edges[e].bias);
    }
}

static void check_same(const struct sch_setup *setup, const struct sch_raster_primitive *a,
                       const struct sch_raster_primitive *b)
{
    assert_memory_equal(a, b, offsetof(struct sch_raster_primitive, layer));
    if (setup->small_edges || !a->small) check_same_edges(a, b);
    assert_memory_equal(&a->of, &b->of, offsetof(struct sch_interpolant, perspective));
    assert_int_equal(a->of.perspective, b->of.perspective);
    assert_memory_equal(&a->of.w_unit, &b->of.w_unit, sizeof a->of - offsetof(struct sch_interpolant, w_unit));
    assert_int_equal(a->layer, b->layer);
    assert_int_equal(a->small, b->small);
    if (a->small) assert_true(a->lanes && a->lanes == b->lanes); /* what covers nothing is not drawn */
    if (a->fractional) assert_memory_equal(a->bounds, b->bounds, sizeof a->bounds);
}

static void check_together(const struct sch_setup *setup, const struct together *t, uint32_t lanes, uint32_t viewport)
{
    struct sch_raster_primitive made[TOGETHER + 1], alone;
    struct sch_assembled_primitive triangles[TOGETHER];
    memcpy(triangles, t->triangles, sizeof triangles);
    for (uint32_t n = 1; n < TOGETHER; n++) /* of those off the mask nothing is read but the first one's */
        for (unsigned i = 0; i < 3 && !(lanes >> n & 1); i++) triangles[n].vertex[i] = 0x07ffffff;
    const uint32_t count =
        setup->ops->setup_triangles(made, setup, viewport, t->corners, triangles, lanes, &t->distances);
    uint32_t drawn = 0;
    for (uint32_t n = 0; n < TOGETHER; n++) {
        if (!(lanes >> n & 1) || !set_up_alone(setup, t, n, viewport, &alone)) continue;
        assert_true(drawn < count);
        check_same(setup, &made[drawn++], &alone);
    }
    assert_int_equal(drawn, count);
}

/* Triangles that are set up together are what each is by itself, in their order. */
static void triangles_are_set_up_together(void **state)
{
    (void)state;
    static struct together t;
    for (unsigned round = 0; round < 4000; round++) {
        struct sch_rasterizer_options rasterizer = usual();
        struct sch_setup setup;
        rasterizer.front_ccw = round & 1;
        rasterizer.cull_face = round >> 1 & 3;
        rasterizer.bottom_edge_rule = round & 8;
        rasterizer.offset_tri = round & 16;
        rasterizer.offset_units = round & 32 ? 3 : 0;
        rasterizer.offset_scale = round & 64 ? -0.5f : 0;
        rasterizer.offset_clamp = round & 128 ? 0x1p-20f : 0;
        rasterizer.scissor = round & 256;
        if (round % 5 == 0) rasterizer.conservative = SCH_CONSERVATIVE_POST_SNAP;
        make_setup(&setup, &rasterizer, round & 512 ? 4 : 1, round % 3 ? SCH_FORMAT_Z32_FLOAT : SCH_FORMAT_Z16_UNORM);
        setup.viewports[1].fractional = round % 7 == 0;
        setup.small_edges = round % 11 < 5;
        random_together(&t);
        const uint32_t lanes = round % 4 ? (uint32_t)next_random(&seed) : UINT32_MAX;
        check_together(&setup, &t, lanes, round & 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faces_follow_the_order),
                                       cmocka_unit_test(no_area_is_not_drawn),
                                       cmocka_unit_test(state_arrives),
                                       cmocka_unit_test(depth_range_is_the_viewports),
                                       cmocka_unit_test(viewport_edges_are_exact),
                                       cmocka_unit_test(offsets_follow_the_formula),
                                       cmocka_unit_test(a_unit_remains_distinct),
                                       cmocka_unit_test(a_scale_of_zero_counts_nothing),
                                       cmocka_unit_test(w_is_scaled),
                                       cmocka_unit_test(conservative_is_what_touches),
                                       cmocka_unit_test(parts_are_counted),
                                       cmocka_unit_test(triangles_are_set_up_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
