/* Tessellation in draws: what control shaders, the tessellator and evaluation shaders make of patches, as a geometry
 * shader behind them writes it down, or as pixels. Expectations are from OpenGL 4.6 11.2, tgsi.rst and
 * docs/pipeline.md, "Tessellation"; what a domain is divided into is tessellate_reference.c's. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_program.h"
#include "by_code.h"
#include "draw_support.h"
#include "tessellate_reference.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SIDE = 16, CORNERS = 3, MOST_RECORDS = 40000 };

static const float black[4] = {0, 0, 0, 0};

/* What a geometry shader writes for each primitive: GENERIC[0] of its vertices, bits of floats or integers. */
struct recorded {
    uint32_t count, unused[3];
    union {
        float f[4];
        uint32_t u[4];
    } vertex[MOST_RECORDS][CORNERS];
};
static struct recorded recorded;

/* Constants and memory of all stages. */
static float levels[2][4]; /* outer, inner */
static const struct sch_constant_buffer constants = {.data = levels, .bytes = sizeof levels};
static struct sch_storage_buffer storage = {.data = &recorded, .bytes = sizeof recorded};
static const struct sch_bindings bindings = {
    .size = sizeof bindings, .constants = &constants, .constant_count = 1, .buffers = &storage, .buffer_count = 1};

static void begin(struct draw_scene *scene)
{
    draw_begin(scene, SIDE, SIDE, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
    draw_clear(scene, black, 1, 0);
    scene->engine = by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
    scene->rasterizer.depth_clip_near = scene->rasterizer.depth_clip_far = false;
    for (unsigned s = 0; s < COUNT(scene->bindings); s++) scene->bindings[s] = &bindings;
}

/* ---- shaders ---- */

#define VERTEX                                                                                                         \
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nMOV OUT[0], IN[0]\n"                    \
    "MOV OUT[1], IN[1]\nEND\n"
/* Copies its vertex; the levels are constants. `vertices`: TCS_VERTICES_OUT. */
#define CONTROL(vertices, declarations, code)                                                                          \
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT " vertices "\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[1]\n"              \
    "DCL SV[0], INVOCATIONID\nDCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[1]\nDCL OUT[2], TESSOUTER\n"               \
    "DCL OUT[3], TESSINNER\nDCL CONST[0][0..1]\nDCL ADDR[0]\nDCL TEMP[0..3]\nIMM[0] UINT32 {0, 1, 2, 3}\n"             \
    "IMM[1] FLT32 {1.0, 2.0, 4.0, 0.5}\n" declarations "UARL ADDR[0].x, SV[0].xxxx\n"                                  \
    "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nMOV OUT[ADDR[0].x][1], IN[ADDR[0].x][1]\n"                               \
    "MOV OUT[2], CONST[0][0]\nMOV OUT[3], CONST[0][1]\n" code "END\n"
/* GENERIC[0] is what `code` leaves in TEMP[0], which begins as (u, v, w, 0). The position is that of vertex 0. */
#define EVALUATION(properties, declarations, code)                                                                     \
    "TESS_EVAL\n" properties "DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[1]\nDCL SV[0], TESSCOORD\n"                  \
    "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0..5]\nDCL ADDR[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n"          \
    "IMM[1] FLT32 {1.0, 2.0, 4.0, -1.0}\n" declarations "MOV TEMP[0].xyz, SV[0]\nMOV TEMP[0].w, IMM[0].xxxx\n"         \
    "MOV OUT[0], IN[0][0]\n" code "MOV OUT[1], TEMP[0]\nEND\n"
#define TRIANGLES "PROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 2\n"
#define QUADS     "PROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\n"
#define ISOLINES  "PROPERTY TES_PRIM_MODE 1\nPROPERTY TES_SPACING 2\n"
#define NEXT      "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww\n"
/* Writes GENERIC[0] of the vertices of its primitives down, of which there are `code` stores. */
#define RECORDER(primitive, code)                                                                                      \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE " primitive "\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"                           \
    "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], GENERIC[0]\nDCL BUFFER[0]\nDCL TEMP[0]\n"                         \
    "IMM[0] UINT32 {0, 1, 48, 16}\nATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"                          \
    "UMAD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz, IMM[0].wwww\n" code "END\n"
#define STORED(vertex) "STORE BUFFER[0], TEMP[0].xxxx, IN[" vertex "][0]\n"

static const char *const recorders[CORNERS] = {RECORDER("POINTS", STORED("0")),
                                               RECORDER("LINES", STORED("0") NEXT STORED("1")),
                                               RECORDER("TRIANGLES", STORED("0") NEXT STORED("1") NEXT STORED("2"))};

/* Draws patches of `size` vertices and records what becomes of them, primitives of so many corners. */
static enum sch_result record(struct draw_scene *scene, unsigned corners, uint32_t size, uint32_t vertices)
{
    memset(&recorded, 0, sizeof recorded);
    scene->geometry = recorders[corners - 1];
    scene->vertex = VERTEX;
    scene->fragment = NULL;
    scene->dynamic.patch_vertices = size;
    const struct sch_draw draw = {
        .size = sizeof draw, .primitive = SCH_PRIMITIVE_PATCHES, .count = vertices, .instance_count = 1};
    const enum sch_result result = draw_try(scene, &draw);
    assert_true(recorded.count <= MOST_RECORDS);
    return result;
}

/* ---- domains ---- */

static void set_levels(float a, float b, float c, float d, float u, float v)
{
    const float outer[4] = {a, b, c, d}, inner[4] = {u, v, 0, 0};
    memcpy(levels[0], outer, sizeof outer);
    memcpy(levels[1], inner, sizeof inner);
}

static ref_place place_of(const float coordinate[4])
{
    return (uint64_t)((double)coordinate[0] * REF_TESS_ONE) << 32 | (uint64_t)((double)coordinate[1] * REF_TESS_ONE);
}

static int compare_places(const void *a, const void *b)
{
    const ref_place x = *(const ref_place *)a, y = *(const ref_place *)b;
    return x < y ? -1 : x > y;
}

/* Coordinates that are no multiples of 1/65536 or have a wrong w. */
static void check_coordinates(enum ref_tess_domain domain, unsigned corners)
{
    for (uint32_t n = 0; n < recorded.count; n++)
        for (unsigned c = 0; c < corners; c++) {
            const float *at = recorded.vertex[n][c].f;
            assert_true(at[0] >= 0 && at[0] <= 1 && at[1] >= 0 && at[1] <= 1);
            assert_true(at[0] * REF_TESS_ONE == floorf(at[0] * REF_TESS_ONE));
            assert_true(at[1] * REF_TESS_ONE == floorf(at[1] * REF_TESS_ONE));
            assert_true(at[2] == (domain == REF_TRIANGLES ? 1 - at[0] - at[1] : 0));
        }
}

/* What was recorded are the primitives of the reference; clockwise ones are turned. */
static void same_primitives(enum ref_tess_domain domain, enum ref_tess_spacing spacing, bool clockwise)
{
    static struct ref_tess expected, got;
    ref_tessellate(domain, spacing, levels[0], levels[1], &expected);
    const bool turned = clockwise && expected.corners == 3;
    got = (struct ref_tess){.primitives = recorded.count, .corners = expected.corners};
    assert_int_equal(recorded.count, expected.primitives);
    for (uint32_t n = 0; n < recorded.count; n++)
        for (unsigned c = 0; c < expected.corners; c++)
            got.primitive[n][turned && c ? 3 - c : c] = place_of(recorded.vertex[n][c].f);
    ref_tess_sort(&got);
    ref_tess_sort(&expected);
    for (uint32_t n = 0; n < recorded.count; n++)
        for (unsigned c = 0; c < expected.corners; c++) assert_true(got.primitive[n][c] == expected.primitive[n][c]);
    check_coordinates(domain, expected.corners);
}

static void same_points(enum ref_tess_domain domain, enum ref_tess_spacing spacing)
{
    static struct ref_tess expected;
    static ref_place got[REF_TESS_POINTS];
    ref_tessellate(domain, spacing, levels[0], levels[1], &expected);
    assert_int_equal(recorded.count, expected.points);
    for (uint32_t n = 0; n < recorded.count; n++) got[n] = place_of(recorded.vertex[n][0].f);
    qsort(got, recorded.count, sizeof *got, compare_places);
    qsort(expected.point, expected.points, sizeof *expected.point, compare_places);
    assert_memory_equal(got, expected.point, recorded.count * sizeof *got);
    check_coordinates(domain, 1);
}

static void draw_domain(enum ref_tess_domain domain, unsigned spacing, bool clockwise, bool points)
{
    static const unsigned modes[] = {SCH_PRIMITIVE_LINES, SCH_PRIMITIVE_TRIANGLES, SCH_PRIMITIVE_QUADS};
    static const unsigned corners[] = {2, 3, 3};
    char text[1024], properties[256];
    struct draw_scene scene;
    begin(&scene);
    snprintf(properties, sizeof properties,
             "PROPERTY TES_PRIM_MODE %u\nPROPERTY TES_SPACING %u\nPROPERTY TES_VERTEX_ORDER_CW %u\n"
             "PROPERTY TES_POINT_MODE %u\n",
             modes[domain], spacing, clockwise, points);
    snprintf(text, sizeof text, "TESS_EVAL\n%s%s", properties, strchr(EVALUATION("", "", ""), '\n') + 1);
    static const float vertices[1][8];
    draw_vertices(&scene, vertices[0], 1, 2);
    scene.tess_ctrl = CONTROL("1", "", "");
    scene.tess_eval = text;
    assert_int_equal(record(&scene, points ? 1 : corners[domain], 1, 1), SCH_OK);
    if (points)
        same_points(domain, (enum ref_tess_spacing)spacing);
    else
        same_primitives(domain, (enum ref_tess_spacing)spacing, clockwise);
    draw_end(&scene);
}

/* effects: TESS_CTRL OUT TESSOUTER, TESS_CTRL OUT TESSINNER, TESS_EVAL SV TESSCOORD, PROPERTY TES_PRIM_MODE, PROPERTY
 * TES_SPACING, PROPERTY TES_VERTEX_ORDER_CW, PROPERTY TES_POINT_MODE. */
static void domains_are_divided(void **state)
{
    (void)state;
    static const float sets[][6] = {{3.5f, 2, 5.25f, 7, 4, 6.5f}, {1, 1, 1, 1, 1, 1},  {12, 9.75f, 1, 3, 1, 2.5f},
                                    {2, 2, 2, 2, 3.125f, 1},      {64, 5, 1, 7, 9, 2}, {1, 64, 3, 2, 64, 64},
                                    {6, 7, 8, 9, 0, -1}};
    const unsigned count = by_code() ? 1 : COUNT(sets);
    for (unsigned n = 0; n < count; n++)
        for (unsigned domain = 0; domain < 3; domain++)
            for (unsigned spacing = 0; spacing < 3; spacing++) {
                set_levels(sets[n][0], sets[n][1], sets[n][2], sets[n][3], sets[n][4], sets[n][5]);
                draw_domain((enum ref_tess_domain)domain, spacing, false, false);
                if (domain) draw_domain((enum ref_tess_domain)domain, spacing, true, false);
                draw_domain((enum ref_tess_domain)domain, spacing, false, true);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(domains_are_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
