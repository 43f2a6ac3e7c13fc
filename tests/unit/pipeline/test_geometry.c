/* Geometry shaders in draws: what reaches which pixel. What they emit, word for word, is in test_stream_output.c, since
 * stream output shows it. Expectations are worked out from docs/pipeline.md, "Geometry shaders". */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "../support/draw_support.h"

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

/* ---- ends ---- */

/* The budget ends at the loop of the invocation that turns for ever; so does a bound on the work, at the same place
 * whatever runs it. */
static void draws_end_in_geometry_shaders(void **state)
{
    (void)state;
    static const char geometry[] =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nPROPERTY GS_INVOCATIONS 3\nDCL IN[][0], POSITION\nDCL SV[0], PRIM_ID\n"
        "DCL SV[1], INVOCATIONID\nDCL OUT[0], POSITION\nDCL TEMP[0]\nIMM[0] UINT32 {0, 40, 2, 1}\n"
        "USEQ TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUSEQ TEMP[0].y, SV[1].xxxx, IMM[0].zzzz\n"
        "AND TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy\nUIF TEMP[0].xxxx\nBGNLOOP\nMOV TEMP[0].z, IMM[0].xxxx\nENDLOOP\n"
        "ENDIF\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n";
    static float vertices[100][8];
    for (unsigned threads = 1; threads <= 3; threads++) {
        const struct sch_draw all = {
            .size = sizeof all, .primitive = SCH_PRIMITIVE_POINTS, .count = 100, .instance_count = 1};
        struct draw_scene scene;
        begin(&scene);
        scene.geometry = geometry;
        scene.fragment = NULL;
        scene.dispatch.threads = threads;
        scene.dispatch.budget = 1000;
        draw_vertices(&scene, vertices[0], 100, 2);
        assert_int_equal(draw_try(&scene, &all), SCH_ERROR_BUDGET);
        assert_int_equal(scene.report.stage, SCH_STAGE_GEOMETRY);
        assert_int_equal(scene.report.invocation, 40 * 3 + 2);
        assert_int_equal(scene.report.instruction, 6); /* ENDLOOP */
        assert_int_equal(scene.report.line, 18);
        scene.dispatch.work = 500; /* less than the vertices, and the loop */
        assert_int_equal(draw_try(&scene, &all), SCH_ERROR_WORK);
        assert_int_equal(scene.report.stage, SCH_STAGE_GEOMETRY);
        assert_int_equal(scene.report.instructions, 500);
        draw_end(&scene);
    }
}

/* ---- cuts ---- */

/* A triangle of 8 pixels from each point, whose second corner is as far before the point as the third component of its
 * colour says: the near plane cuts the second one of three, at a quarter of its width. What there is of the others
 * stays. */
static void cut_triangles_leave_others_alone(void **state)
{
    (void)state;
    static const char geometry[] =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL OUT[0], POSITION\n"
        "DCL OUT[1], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nIMM[1] FLT32 {1.0, 0.0, 0.0, 0.0}\n"
        "MOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\n"
        "ADD OUT[0], IN[0][0], IMM[1].xyyy\nADD OUT[0].z, IN[0][0].zzzz, IN[0][1].zzzz\nMOV OUT[1], IN[0][1]\n"
        "EMIT IMM[0].xxxx\nADD OUT[0], IN[0][0], IMM[1].yxyy\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\nEND\n";
    static float vertices[3][8];
    struct draw_scene scene;
    put(vertices[0], 0, 0, 1, 0);
    put(vertices[1], 8, 0, 1, 1);
    put(vertices[2], 0, 8, 0, 1);
    vertices[1][2] = 0.5f;
    vertices[1][6] = -2;
    begin(&scene);
    scene.rasterizer.depth_clip_near = true;
    scene.geometry = geometry;
    draw_vertices(&scene, vertices[0], 3, 2);
    draw(&scene, SCH_PRIMITIVE_POINTS, 3);
    for (unsigned n = 0; n < 5; n++) {
        assert_int_equal(draw_pixel(&scene, n, 1), 0xff0000ff);
        assert_int_equal(draw_pixel(&scene, n, 9), 0xff00ff00);
        assert_int_equal(draw_pixel(&scene, 8 + n, 1), n < 2 ? 0xff00ffff : 0);
    }
    draw_end(&scene);
}

/* ---- order ---- */

enum { MANY_COLUMNS = 256, MANY = 20000 };

/* Points in several chunks, each of which is drawn twice: over the pixel of the next one, and then over its own, which
 * the one before has coloured. The first point is missing where bits 6 and 0 of the number are 1, so that lanes of some
 * groups part. Pixels have what the vertices say. */
static void many_primitives_keep_their_order(void **state)
{
    (void)state;
    static const char geometry[] =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL SV[0], PRIM_ID\n"
        "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0..3]\nIMM[0] UINT32 {0, 1, 255, 8}\n"
        "IMM[1] FLT32 {0.0078125, -0.99609375, 0.0, 1.0}\nIMM[2] UINT32 {65, 0, 0, 0}\n"
        "F2U TEMP[3].x, IN[0][1].xxxx\nMOV OUT[1].x, TEMP[3].xxxx\nMOV OUT[0].zw, IMM[1].zwzw\n"
        "AND TEMP[0].x, SV[0].xxxx, IMM[2].xxxx\nUSNE TEMP[0].x, TEMP[0].xxxx, IMM[2].xxxx\nUIF TEMP[0].xxxx\n"
        "UADD TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\nAND TEMP[2].x, TEMP[1].xxxx, IMM[0].zzzz\n"
        "USHR TEMP[2].y, TEMP[1].xxxx, IMM[0].wwww\nU2F TEMP[2].xy, TEMP[2].xyyy\n"
        "MAD OUT[0].xy, TEMP[2].xyyy, IMM[1].xxxx, IMM[1].yyyy\nEMIT IMM[0].xxxx\nENDIF\n"
        "MOV OUT[1].x, TEMP[3].xxxx\nMOV OUT[0].zw, IMM[1].zwzw\nAND TEMP[2].x, SV[0].xxxx, IMM[0].zzzz\n"
        "USHR TEMP[2].y, SV[0].xxxx, IMM[0].wwww\nU2F TEMP[2].xy, TEMP[2].xyyy\n"
        "MAD OUT[0].xy, TEMP[2].xyyy, IMM[1].xxxx, IMM[1].yyyy\nEMIT IMM[0].xxxx\nEND\n";
    static const char fragment[] = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    static float vertices[MANY][8];
    for (unsigned n = 0; n < MANY; n++) vertices[n][4] = (float)(n + 7);
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct draw_scene scene;
        draw_begin(&scene, MANY_COLUMNS, MANY_COLUMNS, 1, SCH_FORMAT_R32G32B32A32_UINT, SCH_FORMAT_NONE);
        draw_clear(&scene, black, 1, 0);
        scene.engine = by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
        scene.geometry = geometry;
        scene.fragment = fragment;
        scene.dispatch.threads = threads;
        draw_vertices(&scene, vertices[0], MANY, 2);
        draw(&scene, SCH_PRIMITIVE_POINTS, MANY);
        for (unsigned n = 0; n < MANY; n++)
            assert_int_equal(draw_pixel(&scene, n % MANY_COLUMNS, n / MANY_COLUMNS), n + 7);
        draw_end(&scene);
    }
}

/* ---- memory ---- */

enum { POINTS = 100000, EMITTED = 64, MOST_MEMORY = 48 << 20, FEW = 1024, MOST_FOR_FEW = 16 << 20 };

/* Each of 100,000 points becomes a strip of 62 triangles: of vertices of 96 bytes all together 600 MiB. The draw goes
 * well with less than a tenth of that, and has one answer. */
static void amplified_draws_are_bounded(void **state)
{
    (void)state;
    static const char geometry[] =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 64\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL OUT[0], POSITION\n"
        "DCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\nDCL OUT[3], GENERIC[2]\nDCL OUT[4], GENERIC[3]\nDCL "
        "TEMP[0..1]\n"
        "IMM[0] UINT32 {0, 1, 64, 0}\nIMM[1] FLT32 {0.001, 0.25, 0.0, 0.0}\nMOV TEMP[0].x, IMM[0].xxxx\n"
        "MOV TEMP[1], IN[0][0]\nBGNLOOP\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[0].yyyy\nBRK\nENDIF\n"
        "MOV OUT[0], TEMP[1]\nMOV OUT[1], IN[0][1]\nMOV OUT[2], IN[0][1]\nMOV OUT[3], IN[0][1]\nMOV OUT[4], IN[0][1]\n"
        "EMIT IMM[0].xxxx\nADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\nADD TEMP[1].y, TEMP[1].yyyy, IMM[1].xxxx\n"
        "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nEND\n";
    static const char fragment[] = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], GENERIC[1], CONSTANT\n"
                                   "DCL IN[2], GENERIC[2], CONSTANT\nDCL IN[3], GENERIC[3], CONSTANT\n"
                                   "DCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nMOV OUT[0].y, IN[1]\nMOV OUT[0].z, IN[2]\n"
                                   "MOV OUT[0].w, IN[3]\nEND\n";
    static float vertices[POINTS][8];
    struct sch_query *generated;
    uint32_t first[SIDE][SIDE];
    for (unsigned n = 0; n < POINTS; n++)
        put(vertices[n], n % 7, n / 7 % SIDE, (float)(n % 255) / 255, (float)n / POINTS);
    for (unsigned turn = 0; turn < (by_code() ? 2 : 3); turn++) {
        struct draw_scene scene;
        begin(&scene);
        scene.geometry = geometry;
        scene.fragment = fragment;
        scene.width = 4u << turn;
        scene.dispatch.threads = 1 + turn;
        draw_vertices(&scene, vertices[0], POINTS, 2);
        struct sch_context_memory before = {.size = sizeof before}, after = {.size = sizeof after};
        assert_int_equal(sch_query_create(scene.context, SCH_QUERY_PRIMITIVES_GENERATED, 0, &generated), SCH_OK);
        assert_int_equal(sch_renderer_begin_query(scene.renderer, generated), SCH_OK);
        sch_context_get_memory(scene.context, &before);
        draw(&scene, SCH_PRIMITIVE_POINTS, POINTS);
        sch_context_get_memory(scene.context, &after);
        assert_true(after.held - before.held < MOST_MEMORY); /* what a renderer has taken it keeps */
        struct sch_query_result counted;
        assert_int_equal(sch_renderer_end_query(scene.renderer, generated), SCH_OK);
        assert_int_equal(sch_query_get_result(generated, &counted), SCH_OK);
        assert_int_equal(counted.values[0], POINTS * (EMITTED - 2));
        for (unsigned y = 0; y < SIDE; y++)
            for (unsigned x = 0; x < SIDE; x++) {
                if (!turn) first[y][x] = draw_pixel(&scene, x, y);
                assert_int_equal(draw_pixel(&scene, x, y), first[y][x]);
            }
        sch_query_destroy(generated);
        draw_end(&scene);
    }
}

/* 1,024 points may become 1,024 vertices of 32 bytes each, and become one: there is no place for all of them at
 * once. */
static void what_may_be_emitted_is_bounded(void **state)
{
    (void)state;
    static const char geometry[] =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 1024\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL OUT[0], POSITION\n"
        "DCL OUT[1], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][1]\n"
        "EMIT IMM[0].xxxx\nEND\n";
    static float vertices[FEW][8];
    struct sch_context_memory before = {.size = sizeof before}, after = {.size = sizeof after};
    struct draw_scene scene;
    for (unsigned n = 0; n < FEW; n++) put(vertices[n], n % SIDE, n / SIDE % SIDE, 1, 0);
    begin(&scene);
    scene.geometry = geometry;
    draw_vertices(&scene, vertices[0], FEW, 2);
    sch_context_get_memory(scene.context, &before);
    draw(&scene, SCH_PRIMITIVE_POINTS, FEW);
    sch_context_get_memory(scene.context, &after);
    assert_true(after.held - before.held < MOST_FOR_FEW);
    for (unsigned n = 0; n < SIDE * SIDE; n++) assert_int_equal(draw_pixel(&scene, n % SIDE, n / SIDE), 0xff0000ff);
    draw_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_become_squares),
        cmocka_unit_test(primitives_have_to_fit),
        cmocka_unit_test(draws_end_in_geometry_shaders),
        cmocka_unit_test(many_primitives_keep_their_order),
        cmocka_unit_test(cut_triangles_leave_others_alone),
        cmocka_unit_test(amplified_draws_are_bounded),
        cmocka_unit_test(what_may_be_emitted_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
