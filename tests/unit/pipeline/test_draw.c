/* Whole draws through the public API: what reaches which pixel. Expectations are worked out from the rules of
 * docs/pipeline.md; what each step computes has tests of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/draw_support.h"

enum { SIDE = 32 };

static const float black[4] = {0, 0, 0, 0};
static const uint32_t red = 0xff0000ff, green = 0xff00ff00, blue = 0xffff0000;

/* A vertex at a place in the window (pixels), depth 0 to 1, with a colour. */
struct corner {
    double x, y;
    float depth;
    float color[4];
};

static void put(struct draw_scene *scene, float (*words)[8], const struct corner *corners, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const float position[4] = {draw_at(corners[i].x, scene->columns), draw_at(corners[i].y, scene->rows),
                                   corners[i].depth, 1};
        memcpy(words[i], position, sizeof position);
        memcpy(words[i] + 4, corners[i].color, sizeof corners[i].color);
    }
    draw_vertices(scene, words[0], count, 2);
}

static void begin(struct draw_scene *scene, uint32_t samples, enum sch_format depth)
{
    draw_begin(scene, SIDE, SIDE, samples, SCH_FORMAT_R8G8B8A8_UNORM, depth);
    draw_clear(scene, black, 1, 0);
}

#define RED                                                                                                            \
    {                                                                                                                  \
        1, 0, 0, 1                                                                                                     \
    }
#define GREEN                                                                                                          \
    {                                                                                                                  \
        0, 1, 0, 1                                                                                                     \
    }
#define BLUE                                                                                                           \
    {                                                                                                                  \
        0, 0, 1, 1                                                                                                     \
    }

/* ---- shapes ---- */

/* A rectangle of two triangles from (4, 6) to (20, 10): its pixels and no others. */
static void rectangles_are_filled(void **state)
{
    (void)state;
    static const struct corner corners[] = {{4, 6, 0, RED}, {20, 6, 0, RED}, {4, 10, 0, RED}, {20, 10, 0, RED}};
    float words[4][8];
    struct draw_scene scene;
    begin(&scene, 1, SCH_FORMAT_NONE);
    put(&scene, words, corners, 4);
    draw(&scene, SCH_PRIMITIVE_TRIANGLE_STRIP, 4);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            assert_int_equal(draw_pixel(&scene, x, y), x >= 4 && x < 20 && y >= 6 && y < 10 ? red : 0);
    draw_end(&scene);
}

static void points_and_lines_are_drawn(void **state)
{
    (void)state;
    static const struct corner corners[] = {{3.5, 2.5, 0, GREEN}, {4.5, 9.5, 0, BLUE}, {12.5, 9.5, 0, BLUE}};
    float words[3][8];
    struct draw_scene scene;
    begin(&scene, 1, SCH_FORMAT_NONE);
    put(&scene, words, corners, 1);
    draw(&scene, SCH_PRIMITIVE_POINTS, 1);
    put(&scene, words, corners + 1, 2);
    draw(&scene, SCH_PRIMITIVE_LINES, 2);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const bool point = x == 3 && y == 2, line = y == 9 && x >= 4 && x < 12;
            assert_int_equal(draw_pixel(&scene, x, y), point ? green : line ? blue : 0);
        }
    draw_end(&scene);
}

/* ---- depth ---- */

static void nearer_triangles_hide_others(void **state)
{
    (void)state;
    static const struct corner corners[] = {{0, 0, 0.25f, RED},   {32, 0, 0.25f, RED},   {0, 32, 0.25f, RED},
                                            {0, 0, 0.75f, GREEN}, {32, 0, 0.75f, GREEN}, {32, 32, 0.75f, GREEN},
                                            {0, 0, 0.125f, BLUE}, {8, 0, 0.125f, BLUE},  {0, 8, 0.125f, BLUE}};
    static const enum sch_format formats[] = {SCH_FORMAT_Z16_UNORM, SCH_FORMAT_Z24_UNORM_S8_UINT, SCH_FORMAT_Z32_FLOAT,
                                              SCH_FORMAT_Z32_FLOAT_S8X24_UINT};
    float words[9][8];
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        struct draw_scene scene;
        begin(&scene, 1, formats[f]);
        scene.tests.depth_enabled = scene.tests.depth_writes = true;
        scene.tests.depth_function = SCH_COMPARE_LESS;
        put(&scene, words, corners, 9);
        draw(&scene, SCH_PRIMITIVE_TRIANGLES, 9);
        assert_int_equal(draw_pixel(&scene, 1, 1), blue);
        assert_int_equal(draw_pixel(&scene, 10, 4), red); /* red was there first and is nearer than green */
        assert_int_equal(draw_pixel(&scene, 28, 20), green);
        assert_int_equal(draw_pixel(&scene, 4, 30), 0);
        draw_end(&scene);
    }
}

/* ---- blending ---- */

static void colours_are_blended_in_the_order_of_the_draw(void **state)
{
    (void)state;
    static const struct corner corners[] = {{0, 0, 0, {1, 0, 0, 0.5f}},  {64, 0, 0, {1, 0, 0, 0.5f}},
                                            {0, 64, 0, {1, 0, 0, 0.5f}}, {0, 0, 0, {0, 1, 0, 0.5f}},
                                            {64, 0, 0, {0, 1, 0, 0.5f}}, {0, 64, 0, {0, 1, 0, 0.5f}}};
    float words[6][8];
    struct draw_scene scene;
    begin(&scene, 1, SCH_FORMAT_NONE);
    scene.blend.targets[0] = (struct sch_blend_target){.enabled = true,
                                                       .color_source = SCH_FACTOR_SRC_ALPHA,
                                                       .color_destination = SCH_FACTOR_INV_SRC_ALPHA,
                                                       .alpha_source = SCH_FACTOR_ONE,
                                                       .alpha_destination = SCH_FACTOR_ZERO,
                                                       .color_mask = 15};
    put(&scene, words, corners, 6);
    draw(&scene, SCH_PRIMITIVE_TRIANGLES, 6);
    /* 0.5 red, rounded to 128; of which half, 64, and 0.5 green */
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x + y < SIDE; x++) assert_int_equal(draw_pixel(&scene, x, y), 0x80008040);
    draw_end(&scene);
}

/* ---- samples ---- */

static void half_covered_pixels_have_some_samples(void **state)
{
    (void)state;
    static const struct corner corners[] = {{0, 0, 0, RED}, {10.5, 0, 0, RED}, {0, 32, 0, RED}, {10.5, 32, 0, RED}};
    float words[4][8];
    struct draw_scene scene;
    begin(&scene, 4, SCH_FORMAT_NONE);
    put(&scene, words, corners, 4);
    draw(&scene, SCH_PRIMITIVE_TRIANGLE_STRIP, 4);
    for (uint32_t s = 0; s < 4; s++) {
        uint32_t word[4];
        draw_read(&scene, scene.color, 9, 5, s, word);
        assert_int_equal(word[0], red);
        draw_read(&scene, scene.color, 10, 5, s, word);
        assert_int_equal(word[0], s == 0 || s == 2 ? red : 0); /* at -2/16 and -6/16 of the centre */
        draw_read(&scene, scene.color, 11, 5, s, word);
        assert_int_equal(word[0], 0);
    }
    draw_end(&scene);
}

/* INTERP_CENTROID is what an input at the location CENTROID is, and differs from the centre where that is not
 * covered. */
static void centroids_are_where_samples_are_covered(void **state)
{
    (void)state;
    static const char fragment[] = "FRAG\n"
                                   "DCL IN[0], GENERIC[0], LINEAR\n"
                                   "DCL OUT[0], COLOR\nDCL TEMP[0]\n"
                                   "INTERP_CENTROID TEMP[0], IN[0]\n"
                                   "MOV OUT[0], TEMP[0]\nMOV OUT[0].z, IN[0].xxxx\nEND\n";
    /* x of the colour is the place across, over the picture */
    static const struct corner corners[] = {{0, 0, 0, {0, 0, 0, 1}},
                                            {10.25, 0, 0, {10.25f / 32, 0, 0, 1}},
                                            {0, 64, 0, {0, 0, 0, 1}},
                                            {10.25, 64, 0, {10.25f / 32, 0, 0, 1}}};
    float words[4][8];
    struct draw_scene scene;
    uint32_t word[4];
    draw_begin(&scene, SIDE, SIDE, 4, SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FORMAT_NONE);
    draw_clear(&scene, black, 1, 0);
    scene.fragment = fragment;
    put(&scene, words, corners, 4);
    draw(&scene, SCH_PRIMITIVE_TRIANGLE_STRIP, 4);
    draw_read(&scene, scene.color, 10, 5, 2, word); /* the only sample that is covered, at 10.5 - 6/16 */
    assert_float_equal(api_float(word[0]) * 32, 10.125, 1e-5);
    assert_float_equal(api_float(word[2]) * 32, 10.5, 1e-5);
    draw_read(&scene, scene.color, 3, 5, 2, word); /* wholly covered */
    assert_float_equal(api_float(word[0]) * 32, 3.5, 1e-5);
    draw_end(&scene);
}

/* A program for each sample over several tiles: every sample of every pixel once, with its own number. */
static void every_sample_is_shaded_once(void **state)
{
    (void)state;
    enum { WIDE = 192, HIGH = 128, SAMPLES = 4 };
    static const char fragment[] = "FRAG\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
                                   "IMM[0] UINT32 {1, 0, 0, 0}\nUADD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                                   "U2F OUT[0], TEMP[0].xxxx\nEND\n";
    static const struct corner corners[] = {{0, 0, 0, RED}, {WIDE, 0, 0, RED}, {0, HIGH, 0, RED}, {WIDE, HIGH, 0, RED}};
    float words[4][8];
    struct draw_scene scene;
    draw_begin(&scene, WIDE, HIGH, SAMPLES, SCH_FORMAT_R32_FLOAT, SCH_FORMAT_NONE);
    draw_clear(&scene, black, 1, 0);
    scene.fragment = fragment;
    scene.blend.targets[0] = (struct sch_blend_target){.enabled = true,
                                                       .color_source = SCH_FACTOR_ONE,
                                                       .color_destination = SCH_FACTOR_ONE,
                                                       .alpha_source = SCH_FACTOR_ONE,
                                                       .alpha_destination = SCH_FACTOR_ONE,
                                                       .color_mask = 15};
    put(&scene, words, corners, 4);
    draw(&scene, SCH_PRIMITIVE_TRIANGLE_STRIP, 4);
    for (uint32_t y = 0; y < HIGH; y += 5)
        for (uint32_t x = 0; x < WIDE; x++)
            for (uint32_t s = 0; s < SAMPLES; s++) {
                uint32_t word[4];
                draw_read(&scene, scene.color, x, y, s, word);
                assert_true(api_float(word[0]) == (float)(s + 1));
            }
    draw_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles_are_filled),
        cmocka_unit_test(points_and_lines_are_drawn),
        cmocka_unit_test(nearer_triangles_hide_others),
        cmocka_unit_test(colours_are_blended_in_the_order_of_the_draw),
        cmocka_unit_test(half_covered_pixels_have_some_samples),
        cmocka_unit_test(centroids_are_where_samples_are_covered),
        cmocka_unit_test(every_sample_is_shaded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
