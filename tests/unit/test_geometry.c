/* Geometry shaders in draws: what reaches which pixel. What they emit, word for word, is in test_stream_output.c, since
 * stream output shows it. Expectations are worked out from docs/pipeline.md, "Geometry shaders". */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api_program.h"
#include "by_code.h"
#include "draw_support.h"

enum { SIDE = 16 };

static const float black[4] = {0, 0, 0, 0};

static void begin(struct draw_scene *scene)
{
    draw_begin(scene, SIDE, SIDE, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
    draw_clear(scene, black, 1, 0);
    scene->engine = by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
    scene->rasterizer.depth_clip_near = scene->rasterizer.depth_clip_far = false;
}

/* From each point a square of 2 x 2 pixels below and to the right, of its colour. */
#define SQUARE(properties, declarations, before)                                                                       \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"                          \
    "PROPERTY GS_MAX_OUTPUT_VERTICES 4\n" properties "DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"                \
    "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n" declarations "DCL TEMP[0..2]\nIMM[0] UINT32 {0, 0, 0, 0}\n"       \
    "IMM[1] FLT32 {0.25, 0.0, 0.0, 0.0}\n" before "MOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\n"     \
    "ADD OUT[0], IN[0][0], IMM[1].xyyy\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\n"                                      \
    "ADD OUT[0], IN[0][0], IMM[1].yxyy\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\n"                                      \
    "ADD OUT[0], IN[0][0], IMM[1].xxyy\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\nEND\n"

/* A vertex at the corner of a pixel. */
static void put(float vertex[8], unsigned x, unsigned y, float red, float green)
{
    const float words[8] = {(float)x / (SIDE / 2) - 1, (float)y / (SIDE / 2) - 1, 0, 1, red, green, 0, 1};
    memcpy(vertex, words, sizeof words);
}

static void squares_cover(const struct draw_scene *scene, unsigned x, unsigned y, uint32_t color)
{
    for (unsigned row = y; row < y + 2; row++)
        for (unsigned column = x; column < x + 2; column++) assert_int_equal(draw_pixel(scene, column, row), color);
}

static void points_become_squares(void **state)
{
    (void)state;
    static const char square[] = SQUARE("", "", "");
    static float vertices[3][8];
    struct draw_scene scene;
    put(vertices[0], 2, 2, 1, 0);
    put(vertices[1], 8, 4, 0, 1);
    put(vertices[2], 9, 5, 1, 1); /* over a corner of the one before */
    begin(&scene);
    scene.geometry = square;
    draw_vertices(&scene, vertices[0], 3, 2);
    draw(&scene, SCH_PRIMITIVE_POINTS, 3);
    squares_cover(&scene, 2, 2, 0xff0000ff);
    squares_cover(&scene, 9, 5, 0xff00ffff);
    assert_int_equal(draw_pixel(&scene, 8, 4), 0xff00ff00);
    assert_int_equal(draw_pixel(&scene, 8, 5), 0xff00ff00);
    assert_int_equal(draw_pixel(&scene, 4, 2), 0);
    assert_int_equal(draw_pixel(&scene, 2, 4), 0);
    draw_end(&scene);
}

/* A draw of another primitive than GS_INPUT_PRIMITIVE says. */
static void primitives_have_to_fit(void **state)
{
    (void)state;
    static const struct {
        const char *input;
        uint32_t taken; /* bits: enum sch_primitive */
    } cases[] = {
        {"POINTS", 1u << SCH_PRIMITIVE_POINTS},
        {"LINES", 1u << SCH_PRIMITIVE_LINES | 1u << SCH_PRIMITIVE_LINE_LOOP | 1u << SCH_PRIMITIVE_LINE_STRIP},
        {"TRIANGLES",
         1u << SCH_PRIMITIVE_TRIANGLES | 1u << SCH_PRIMITIVE_TRIANGLE_STRIP | 1u << SCH_PRIMITIVE_TRIANGLE_FAN},
        {"LINES_ADJACENCY", 1u << SCH_PRIMITIVE_LINES_ADJACENCY | 1u << SCH_PRIMITIVE_LINE_STRIP_ADJACENCY},
        {"TRIANGLES_ADJACENCY", 1u << SCH_PRIMITIVE_TRIANGLES_ADJACENCY | 1u << SCH_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY},
    };
    static float vertices[6][8];
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct draw_scene scene;
        char text[512];
        snprintf(text, sizeof text,
                 "GEOM\nPROPERTY GS_INPUT_PRIMITIVE %s\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                 "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n"
                 "IMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n",
                 cases[n].input);
        begin(&scene);
        scene.geometry = text;
        scene.fragment = NULL;
        draw_vertices(&scene, vertices[0], 6, 2);
        for (unsigned p = 0; p <= SCH_PRIMITIVE_PATCHES; p++) {
            const struct sch_draw draw = {
                .size = sizeof draw, .primitive = (enum sch_primitive)p, .count = 6, .instance_count = 1};
            struct sch_diagnostic_info told = {.size = sizeof told};
            assert_int_equal(sch_diagnostics_create(scene.context, &scene.dispatch.diagnostics), SCH_OK);
            const bool fits = cases[n].taken >> p & 1;
            assert_int_equal(draw_try(&scene, &draw), fits ? SCH_OK : SCH_ERROR_ARGUMENT);
            if (!fits) assert_true(sch_diagnostics_get(scene.dispatch.diagnostics, 0, &told) && told.code == 6312);
            sch_diagnostics_destroy(scene.dispatch.diagnostics);
            scene.dispatch.diagnostics = NULL;
        }
        draw_end(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_become_squares),
        cmocka_unit_test(primitives_have_to_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
