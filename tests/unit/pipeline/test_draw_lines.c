/* Lines, points and outlines of polygons through whole draws: what reaches which pixel where several steps have a part
 * in it. Which samples they cover is test_line_coverage's and test_point_coverage's to say. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "../support/draw_support.h"

enum { SIDE = 32, MOST = 8 };

struct place {
    double x, y; /* pixels */
    float z;     /* clip space, and depth */
    float other; /* PSIZE, EDGEFLAG */
};

static void begin(struct draw_scene *scene, uint32_t samples, enum sch_format depth)
{
    static const float black[4];
    draw_begin(scene, SIDE, SIDE, samples, SCH_FORMAT_R8G8B8A8_UNORM, depth);
    draw_clear(scene, black, 1, 0);
}

/* Draws white vertices. */
static void draw_places(struct draw_scene *scene, enum sch_primitive primitive, const struct place *places,
                        uint32_t count)
{
    float words[MOST][8];
    for (uint32_t i = 0; i < count; i++) {
        const float vertex[8] = {
            draw_at(places[i].x, SIDE), draw_at(places[i].y, SIDE), places[i].z, 1, places[i].other, 1, 1, 1};
        memcpy(words[i], vertex, sizeof vertex);
    }
    draw_vertices(scene, words[0], count, 2);
    draw(scene, primitive, count);
}

struct picture {
    uint32_t pixels[SIDE][SIDE];
};

static void take(struct draw_scene *scene, struct picture *picture)
{
    static const float black[4];
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) picture->pixels[y][x] = draw_pixel(scene, x, y);
    draw_clear(scene, black, 1, 0);
}

static void assert_same(const char *what, const struct picture *a, const struct picture *b)
{
    uint32_t drawn = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            drawn += a->pixels[y][x] != 0;
            if (a->pixels[y][x] != b->pixels[y][x])
                fail_msg("%s: pixel %u, %u is %08x and %08x", what, x, y, a->pixels[y][x], b->pixels[y][x]);
        }
    assert_in_range(drawn, 3, SIDE * SIDE - 1);
}

static const char marked_vertex[] = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                                    "DCL OUT[2], EDGEFLAG\nDCL OUT[3], PSIZE\nMOV OUT[0], IN[0]\n"
                                    "MOV OUT[1], IN[1].yyyy\nMOV OUT[2].x, IN[1].xxxx\nMOV OUT[3].x, IN[1].xxxx\nEND\n";

/* ---- outlines ---- */

static const struct place around[] = {{3, 4, 0, 1}, {17, 6, 0, 1}, {28, 19, 0, 1}, {15, 29, 0, 1}, {4, 20, 0, 1}};

/* OpenGL 14.6.4: boundaries in their order as one line loop; the count of the stipple begins with the polygon. */
static void outlines_are_loops(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum sch_primitive primitive;
        uint32_t count;
        uint8_t order[MOST];
    } shapes[] = {
        {"triangle", SCH_PRIMITIVE_TRIANGLES, 3, {0, 1, 2}},
        {"quadrilateral", SCH_PRIMITIVE_QUADS, 4, {0, 1, 2, 3}},
        {"quadrilateral of a strip", SCH_PRIMITIVE_QUAD_STRIP, 4, {0, 1, 3, 2}},
        {"polygon", SCH_PRIMITIVE_POLYGON, 5, {0, 1, 2, 3, 4}},
    };
    struct draw_scene scene;
    struct picture outline, loop;
    begin(&scene, 1, SCH_FORMAT_NONE);
    for (unsigned n = 0; n < sizeof shapes / sizeof *shapes * 2; n++) {
        struct place places[MOST];
        const uint32_t count = shapes[n / 2].count;
        for (uint32_t i = 0; i < count; i++) places[shapes[n / 2].order[i]] = around[i];
        scene.rasterizer.line_stipple_enable = n % 2;
        scene.rasterizer.line_stipple_pattern = 0x1f35;
        scene.rasterizer.line_stipple_factor = 1;
        scene.rasterizer.fill_front = scene.rasterizer.fill_back = SCH_FILL_LINE;
        draw_places(&scene, shapes[n / 2].primitive, places, count);
        take(&scene, &outline);
        draw_places(&scene, SCH_PRIMITIVE_LINE_LOOP, around, count);
        take(&scene, &loop);
        assert_same(shapes[n / 2].what, &outline, &loop);
    }
    draw_end(&scene);
}

static void corners_are_points(void **state)
{
    (void)state;
    struct draw_scene scene;
    struct picture corners, points;
    begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.point_size = 3;
    scene.rasterizer.fill_front = scene.rasterizer.fill_back = SCH_FILL_POINT;
    draw_places(&scene, SCH_PRIMITIVE_POLYGON, around, 5);
    take(&scene, &corners);
    draw_places(&scene, SCH_PRIMITIVE_POINTS, around, 5);
    take(&scene, &points);
    assert_same("points", &corners, &points);
    draw_end(&scene);
}

/* The corners go round clockwise on the picture: a back face by default. */
static void faces_have_their_own_fill(void **state)
{
    (void)state;
    struct draw_scene scene;
    struct picture drawn, loop, empty;
    begin(&scene, 1, SCH_FORMAT_NONE);
    take(&scene, &empty);
    draw_places(&scene, SCH_PRIMITIVE_LINE_LOOP, around, 4);
    take(&scene, &loop);
    for (unsigned n = 0; n < 4; n++) {
        const bool back = !(n & 1);
        scene.rasterizer.front_ccw = back;
        scene.rasterizer.fill_front = back ? SCH_FILL_POINT : SCH_FILL_LINE;
        scene.rasterizer.fill_back = back ? SCH_FILL_LINE : SCH_FILL_POINT;
        scene.rasterizer.cull_face = n & 2 ? (back ? SCH_FACE_BACK : SCH_FACE_FRONT) : 0;
        draw_places(&scene, SCH_PRIMITIVE_QUADS, around, 4);
        take(&scene, &drawn);
        if (n & 2)
            assert_memory_equal(&drawn, &empty, sizeof drawn);
        else
            assert_same("face", &drawn, &loop);
    }
    draw_end(&scene);
}

/* OpenGL 10.1.17: the edge that begins at a vertex without the flag is none; nor is that vertex a point. */
static void edge_flags_hide(void **state)
{
    (void)state;
    static const struct place marked[] = {{3, 4, 0, 1}, {17, 6, 0, 0}, {28, 29, 0, 1}};
    static const struct place lines[] = {{3, 4, 0, 1}, {17, 6, 0, 1}, {28, 29, 0, 1}, {3, 4, 0, 1}};
    struct draw_scene scene;
    struct picture drawn, expected;
    begin(&scene, 1, SCH_FORMAT_NONE);
    scene.vertex = marked_vertex;
    scene.rasterizer.fill_front = scene.rasterizer.fill_back = SCH_FILL_LINE;
    draw_places(&scene, SCH_PRIMITIVE_TRIANGLES, marked, 3);
    take(&scene, &drawn);
    draw_places(&scene, SCH_PRIMITIVE_LINES, lines, 4);
    take(&scene, &expected);
    assert_same("edge", &drawn, &expected);
    draw_end(&scene);
}

/* OpenGL 14.6.5: by the mode that the polygon is filled in; lines proper have none. */
static void outlines_have_their_offset(void **state)
{
    (void)state;
    static const struct place quad[] = {
        {4.5, 4.5, 0.5f, 1}, {20.5, 4.5, 0.5f, 1}, {20.5, 20.5, 0.5f, 1}, {4.5, 20.5, 0.5f, 1}};
    struct draw_scene scene;
    begin(&scene, 1, SCH_FORMAT_Z32_FLOAT);
    scene.tests.depth_enabled = scene.tests.depth_writes = true;
    scene.tests.depth_function = SCH_COMPARE_ALWAYS;
    scene.rasterizer.offset_units = 0.125f;
    scene.rasterizer.offset_units_unscaled = true;
    for (unsigned fill = SCH_FILL_LINE; fill <= SCH_FILL_POINT; fill++)
        for (unsigned n = 0; n < 4; n++) {
            uint32_t words[4];
            float depth;
            scene.rasterizer.fill_front = scene.rasterizer.fill_back = (enum sch_fill)fill;
            scene.rasterizer.offset_tri = n == 0;
            scene.rasterizer.offset_line = n == 1 || n == 3;
            scene.rasterizer.offset_point = n == 2;
            draw_places(&scene, n == 3 ? SCH_PRIMITIVE_LINE_LOOP : SCH_PRIMITIVE_QUADS, quad, 4);
            draw_read(&scene, scene.depth, 4, 4, 0, words);
            memcpy(&depth, words, sizeof depth);
            assert_true(depth == (n == fill ? 0.625f : 0.5f));
        }
    draw_end(&scene);
}

/* ---- stipples ---- */

/* A horizontal line from pixel x = 2 on, in strips of several segments: one bit for two pixels. */
static void stipples_go_on_in_strips(void **state)
{
    (void)state;
    static const struct place strip[] = {{2.5, 5.5, 0, 0}, {7.5, 5.5, 0, 0}, {8.5, 5.5, 0, 0}, {28.5, 5.5, 0, 0}};
    struct draw_scene scene;
    begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.line_stipple_enable = true;
    scene.rasterizer.line_stipple_pattern = 0x2ca7;
    scene.rasterizer.line_stipple_factor = 2;
    for (unsigned independent = 0; independent < 2; independent++) {
        struct picture drawn;
        draw_places(&scene, independent ? SCH_PRIMITIVE_LINES : SCH_PRIMITIVE_LINE_STRIP, strip, 4);
        take(&scene, &drawn);
        for (uint32_t x = 0; x < SIDE; x++) {
            const bool inside = x >= 2 && x < 28 && !(independent && x == 7);
            const uint32_t counter = independent && x >= 8 ? x - 8 : x - 2;
            assert_int_equal(drawn.pixels[5][x] != 0, inside && 0x2ca7 >> (counter / 2 % 16) & 1);
        }
    }
    draw_end(&scene);
}

/* What the near plane cuts off, and lines that it drops, count. */
static void stipples_count_what_is_clipped(void **state)
{
    (void)state;
    static const struct place strip[] = {{1.5, 3.5, -1, 0}, {9.5, 6.5, -0.25f, 0}, {30.5, 9.5, 0.625f, 0}};
    struct draw_scene scene;
    struct picture whole, cut;
    uint32_t drawn = 0;
    begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.line_stipple_enable = true;
    scene.rasterizer.line_stipple_pattern = 0x2ca7;
    scene.rasterizer.line_stipple_factor = 1;
    draw_places(&scene, SCH_PRIMITIVE_LINE_STRIP, strip, 3);
    take(&scene, &cut);
    scene.rasterizer.depth_clip_near = false;
    draw_places(&scene, SCH_PRIMITIVE_LINE_STRIP, strip, 3);
    take(&scene, &whole);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            assert_int_equal(cut.pixels[y][x], x < 15 ? 0 : whole.pixels[y][x]); /* z is 0 at x = 15.5 */
            drawn += cut.pixels[y][x] != 0;
        }
    assert_in_range(drawn, 6, 12);
    draw_end(&scene);
}

/* OpenGL 14.6.2: of filled polygons only. */
static void polygons_are_stippled(void **state)
{
    (void)state;
    static const struct place all[] = {{0, 0, 0, 0}, {SIDE, 0, 0, 0}, {SIDE, SIDE, 0, 0}, {0, SIDE, 0, 0}};
    struct draw_scene scene;
    struct picture drawn, lines, loop;
    begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.poly_stipple_enable = true;
    for (uint32_t y = 0; y < 32; y++) scene.dynamic.polygon_stipple[y] = 0x80000000u >> y | 0xf0u;
    draw_places(&scene, SCH_PRIMITIVE_QUADS, all, 4);
    take(&scene, &drawn);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) assert_int_equal(drawn.pixels[y][x] != 0, x == y || (x >= 24 && x < 28));
    scene.rasterizer.fill_front = scene.rasterizer.fill_back = SCH_FILL_LINE;
    draw_places(&scene, SCH_PRIMITIVE_QUADS, around, 4);
    take(&scene, &lines);
    draw_places(&scene, SCH_PRIMITIVE_LINE_LOOP, around, 4);
    take(&scene, &loop);
    assert_same("outline", &lines, &loop);
    draw_end(&scene);
}

/* ---- smoothness, samples, sprites ---- */

/* A line of width 1 whose rectangle has three quarters of one row and a quarter of the next, from pixel 4 to 19. */
static void smooth_lines_have_parts(void **state)
{
    (void)state;
    static const struct place line[] = {{4, 8.75, 0, 1}, {20, 8.75, 0, 1}};
    for (uint32_t samples = 1; samples <= 4; samples += 3) {
        struct draw_scene scene;
        struct picture drawn;
        begin(&scene, samples, SCH_FORMAT_NONE);
        scene.rasterizer.line_smooth = true;
        scene.rasterizer.multisample = samples == 1;
        draw_places(&scene, SCH_PRIMITIVE_LINES, line, 2);
        take(&scene, &drawn);
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++) {
                const uint32_t part = x < 4 || x >= 20 ? 0 : y == 8 ? 191 : y == 9 ? 64 : 0; /* of 255 */
                assert_int_equal(drawn.pixels[y][x], part ? part << 24 | 0xffffff : 0);
            }
        draw_end(&scene);
    }
}

/* Blocks that are covered all over, and those around them. */
static void smooth_lines_fill(void **state)
{
    (void)state;
    static const struct place line[] = {{2.25, 16, 0, 1}, {30, 16, 0, 1}};
    struct draw_scene scene;
    struct picture drawn;
    begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.line_smooth = true;
    scene.rasterizer.line_width = 20;
    draw_places(&scene, SCH_PRIMITIVE_LINES, line, 2);
    take(&scene, &drawn);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const bool inside = x >= 2 && x < 30 && y >= 6 && y < 26;
            assert_int_equal(drawn.pixels[y][x] >> 24, !inside ? 0 : x == 2 ? 191 : 255);
        }
    draw_end(&scene);
}

/* Between the centres of pixels, at the boundary of two blocks: an eighth of the pixels on both sides. */
static void smooth_slivers_are_drawn(void **state)
{
    (void)state;
    static const struct place line[] = {{4, 8, 0, 1}, {20, 8, 0, 1}};
    static const struct place quad[] = {{4, 7.875, 0, 1}, {20, 7.875, 0, 1}, {20, 8.125, 0, 1}, {4, 8.125, 0, 1}};
    struct draw_scene scene;
    begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.line_smooth = scene.rasterizer.poly_smooth = true;
    scene.rasterizer.line_width = 0.25f;
    scene.blend.targets[0].enabled = true; /* two triangles: their parts are added */
    scene.blend.targets[0].color_equation = scene.blend.targets[0].alpha_equation = SCH_BLEND_ADD;
    scene.blend.targets[0].color_source = scene.blend.targets[0].alpha_source = SCH_FACTOR_ONE;
    scene.blend.targets[0].color_destination = scene.blend.targets[0].alpha_destination = SCH_FACTOR_ONE;
    for (unsigned n = 0; n < 2; n++) {
        struct picture drawn;
        draw_places(&scene, n ? SCH_PRIMITIVE_QUADS : SCH_PRIMITIVE_LINES, n ? quad : line, n ? 4 : 2);
        take(&scene, &drawn);
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++) {
                const uint32_t alpha = drawn.pixels[y][x] >> 24; /* 32 of 256, each triangle's rounded */
                const bool inside = x >= 4 && x < 20 && (y == 7 || y == 8);
                assert_in_range(alpha, inside ? 31 : 0, inside ? 33 : 0);
            }
    }
    draw_end(&scene);
}

/* With `multisample` off a pixel has all samples; with it, those in the rectangle. */
static void samples_of_lines(void **state)
{
    (void)state;
    static const struct place line[] = {{4, 8.75, 0, 1}, {20, 8.75, 0, 1}};
    for (unsigned multisample = 0; multisample < 2; multisample++) {
        struct draw_scene scene;
        begin(&scene, 4, SCH_FORMAT_NONE);
        scene.rasterizer.multisample = multisample;
        scene.rasterizer.line_width = 0.5f; /* rows 8.5 to 9: the samples 5/8 and 7/8 down */
        draw_places(&scene, SCH_PRIMITIVE_LINES, line, 2);
        for (uint32_t y = 7; y < 11; y++) {
            uint32_t covered = 0;
            for (uint32_t s = 0; s < 4; s++) {
                uint32_t words[4];
                draw_read(&scene, scene.color, 10, y, s, words);
                covered += words[0] != 0;
            }
            assert_int_equal(covered, y != 8 ? 0 : multisample ? 2 : 4);
        }
        draw_end(&scene);
    }
}

/* OpenGL 14.4.1, equations 14.3 and 14.4; PSIZE. */
static void sprites_have_coordinates(void **state)
{
    (void)state;
    static const struct place point[] = {{16, 8, 0, 4}};
    static const char fragment[] = "FRAG\nDCL IN[0], PCOORD, LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    struct draw_scene scene;
    begin(&scene, 1, SCH_FORMAT_NONE);
    scene.vertex = marked_vertex;
    scene.fragment = fragment;
    scene.rasterizer.point_quad_rasterization = true;
    scene.rasterizer.point_size_per_vertex = true;
    for (unsigned lower = 0; lower < 2; lower++) {
        static const uint32_t eighths[] = {32, 96, 159, 223}; /* 1/8, 3/8, 5/8, 7/8 of 255 */
        struct picture drawn;
        scene.rasterizer.sprite_coord_mode = lower ? SCH_SPRITE_LOWER_LEFT : SCH_SPRITE_UPPER_LEFT;
        draw_places(&scene, SCH_PRIMITIVE_POINTS, point, 1);
        take(&scene, &drawn);
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++) {
                const bool inside = x >= 14 && x < 18 && y >= 6 && y < 10;
                const uint32_t s = inside ? eighths[x - 14] : 0, t = inside ? eighths[lower ? 9 - y : y - 6] : 0;
                assert_int_equal(drawn.pixels[y][x], inside ? 0xff000000u | t << 8 | s : 0);
            }
    }
    draw_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_are_loops),
        cmocka_unit_test(corners_are_points),
        cmocka_unit_test(faces_have_their_own_fill),
        cmocka_unit_test(edge_flags_hide),
        cmocka_unit_test(outlines_have_their_offset),
        cmocka_unit_test(stipples_go_on_in_strips),
        cmocka_unit_test(stipples_count_what_is_clipped),
        cmocka_unit_test(polygons_are_stippled),
        cmocka_unit_test(smooth_lines_have_parts),
        cmocka_unit_test(smooth_lines_fill),
        cmocka_unit_test(smooth_slivers_are_drawn),
        cmocka_unit_test(samples_of_lines),
        cmocka_unit_test(sprites_have_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
