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

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "../support/draw_support.h"
#include "../support/tessellate_reference.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SIDE = 16, CORNERS = 3, MOST_RECORDS = 40000 };

static const float black[4] = {0, 0, 0, 0};
#define PICTURE_HASH UINT64_C(0xd0e7ce33572dcf84)

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

/* effect: TESS_CTRL OUT TESSOUTER, TESS_CTRL OUT TESSINNER, TESS_EVAL SV TESSCOORD, PROPERTY TES_PRIM_MODE, PROPERTY
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

/* ---- what goes from stage to stage ---- */

static void expect_vertex(uint32_t primitive, unsigned vertex, float x, float y, float z, float w)
{
    const float expected[4] = {x, y, z, w};
    assert_true(primitive < recorded.count);
    assert_memory_equal(recorded.vertex[primitive][vertex].f, expected, sizeof expected);
}

static void expect_words(uint32_t primitive, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    const uint32_t expected[4] = {x, y, z, w};
    assert_true(primitive < recorded.count);
    assert_memory_equal(recorded.vertex[primitive][0].u, expected, sizeof expected);
}

/* Vertex v at v, with (10 v + 1, 10 v + 2, 10 v + 3, 10 v + 4). */
static float numbered[96][8];
static void draw_numbered(struct draw_scene *scene)
{
    for (unsigned v = 0; v < COUNT(numbered); v++) {
        const float words[8] = {(float)v, 0, 0, 1};
        memcpy(numbered[v], words, sizeof words);
        for (unsigned c = 0; c < 4; c++) numbered[v][4 + c] = (float)(10 * v + c + 1);
    }
    draw_vertices(scene, numbered[0], COUNT(numbered), 2);
}

/* The text of a recorder that reads another semantic. */
static void recorder_of(char *text, size_t room, unsigned corners, const char *semantic)
{
    const char *from = recorders[corners - 1], *at = strstr(from, "GENERIC[0]");
    snprintf(text, room, "%.*s%s%s", (int)(at - from), from, semantic, at + strlen("GENERIC[0]"));
}

/* Attributes of vertices link by name and index, through all stages: vertex 2 of the second patch, plus its vertex 0.
 * effect: TESS_CTRL IN POSITION, TESS_CTRL IN COLOR, TESS_CTRL IN FOG, TESS_CTRL IN PSIZE, TESS_CTRL IN GENERIC,
 * TESS_CTRL IN CLIPDIST, TESS_CTRL IN CLIPVERTEX, TESS_CTRL IN TEXCOORD, TESS_CTRL OUT POSITION, TESS_CTRL OUT COLOR,
 * TESS_CTRL OUT BCOLOR, TESS_CTRL OUT FOG, TESS_CTRL OUT PSIZE, TESS_CTRL OUT GENERIC, TESS_CTRL OUT CLIPDIST,
 * TESS_CTRL OUT CLIPVERTEX, TESS_CTRL OUT TEXCOORD, TESS_EVAL IN POSITION, TESS_EVAL IN COLOR, TESS_EVAL IN FOG,
 * TESS_EVAL IN PSIZE, TESS_EVAL IN GENERIC, TESS_EVAL IN CLIPDIST, TESS_EVAL IN CLIPVERTEX, TESS_EVAL IN TEXCOORD,
 * TESS_EVAL OUT COLOR, TESS_EVAL OUT BCOLOR, TESS_EVAL OUT FOG, TESS_EVAL OUT GENERIC, TESS_EVAL OUT TEXCOORD. */
static void attributes_go_through(void **state)
{
    (void)state;
    static const char *const names[] = {"POSITION",   "COLOR",    "BCOLOR",     "FOG",        "PSIZE",
                                        "GENERIC[7]", "CLIPDIST", "CLIPVERTEX", "TEXCOORD[3]"};
    for (size_t n = 0; n < COUNT(names); n++) {
        char vertex[256], control[768], evaluation[256], geometry[1024];
        struct draw_scene scene;
        if (by_code_skips(4)) continue;
        begin(&scene);
        snprintf(vertex, sizeof vertex, "VERT\nDCL IN[1]\nDCL OUT[0], %s\nMOV OUT[0], IN[1]\nEND\n", names[n]);
        snprintf(control, sizeof control,
                 "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], %s\nDCL OUT[][0], %s\nDCL OUT[1], TESSOUTER\n"
                 "DCL OUT[2], TESSINNER\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n"
                 "UARL ADDR[0].x, SV[0].xxxx\nADD OUT[ADDR[0].x][0], IN[ADDR[0].x][0], IN[0][0]\nMOV OUT[1], IMM[0]\n"
                 "MOV OUT[2], IMM[0]\nEND\n",
                 names[n], names[n]);
        snprintf(evaluation, sizeof evaluation,
                 "TESS_EVAL\n" TRIANGLES "DCL IN[][0], %s\nDCL OUT[0], %s\nMOV OUT[0], IN[2][0]\nEND\n", names[n],
                 names[n]);
        recorder_of(geometry, sizeof geometry, 3, names[n]);
        draw_numbered(&scene);
        memset(&recorded, 0, sizeof recorded);
        scene.vertex = vertex;
        scene.tess_ctrl = control;
        scene.tess_eval = evaluation;
        scene.geometry = geometry;
        scene.fragment = NULL;
        draw(&scene, SCH_PRIMITIVE_PATCHES, 6);
        assert_int_equal(recorded.count, 2);
        expect_vertex(0, 1, 22, 24, 26, 28);
        expect_vertex(1, 2, 82, 84, 86, 88);
        draw_end(&scene);
    }
}

/* One word of a patch for each of the ways to read it: `declaration` is IN[2] or SV[1], which `code` reads. */
static void read_patch(const char *control, const char *declaration, const char *code)
{
    char text[1024];
    struct draw_scene scene;
    const char *const whole = EVALUATION(TRIANGLES "PROPERTY TES_POINT_MODE 1\n", "@", "#");
    const char *const at = strchr(whole, '@'), *const then = strchr(whole, '#');
    snprintf(text, sizeof text, "%.*s%s%.*s%s%s", (int)(at - whole), whole, declaration, (int)(then - at - 1), at + 1,
             code, then + 1);
    begin(&scene);
    scene.dynamic.default_outer_levels[0] = 2.5f;
    scene.dynamic.default_outer_levels[1] = 1.5f;
    scene.dynamic.default_outer_levels[2] = 3.5f;
    scene.dynamic.default_outer_levels[3] = -1;
    scene.dynamic.default_inner_levels[0] = 4.5f;
    scene.dynamic.default_inner_levels[1] = 0.25f;
    draw_numbered(&scene);
    scene.tess_ctrl = control;
    scene.tess_eval = text;
    assert_int_equal(record(&scene, 1, 3, 6), SCH_OK);
    draw_end(&scene);
}

#define OWN_PATCH                                                                                                      \
    CONTROL("2", "DCL OUT[4], PATCH[6]\nDCL OUT[5], PATCH[5]\n",                                                       \
            "MUL OUT[5], CONST[0][0], IMM[1].yyyy\nMOV OUT[5].y, IN[2][1].xxxx\nMOV OUT[4], IMM[1]\n")

/* What a control shader writes for the patch is what the evaluation shader reads, levels before any clamp.
 * effect: TESS_CTRL OUT PATCH, TESS_EVAL IN PATCH, TESS_EVAL IN TESSOUTER, TESS_EVAL IN TESSINNER, TESS_EVAL SV
 * TESSOUTER, TESS_EVAL SV TESSINNER. */
static void patches_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *declaration, *code;
    } ways[] = {{"DCL IN[2], TESSOUTER\n", "MOV TEMP[0], IN[2]\n"},
                {"DCL SV[1], TESSOUTER\n", "MOV TEMP[0], SV[1]\n"},
                {"DCL IN[2], TESSINNER\n", "MOV TEMP[0], IN[2]\n"},
                {"DCL SV[1], TESSINNER\n", "MOV TEMP[0], SV[1]\n"}};
    set_levels(3.25f, 2, 100, -7, 0.5f, 80);
    for (unsigned n = 0; n < COUNT(ways); n++) {
        read_patch(OWN_PATCH, ways[n].declaration, ways[n].code);
        assert_true(recorded.count > 8);
        for (uint32_t i = 0; i < recorded.count; i++)
            assert_memory_equal(recorded.vertex[i][0].f, levels[n / 2], sizeof levels[0]);
        if (by_code()) continue;
        read_patch(NULL, ways[n].declaration, ways[n].code); /* default levels */
        assert_true(recorded.count > 8);
        expect_vertex(recorded.count - 1, 0, n < 2 ? 2.5f : 4.5f, n < 2 ? 1.5f : 0.25f, n < 2 ? 3.5f : 0,
                      n < 2 ? -1 : 0);
    }
    read_patch(OWN_PATCH, "DCL IN[2], PATCH[5]\n", "MOV TEMP[0], IN[2]\n");
    expect_vertex(0, 0, 6.5f, 21, 200, -14);
    expect_vertex(recorded.count - 1, 0, 6.5f, 51, 200, -14);
    read_patch(OWN_PATCH, "DCL IN[2], PATCH[6]\n", "MOV TEMP[0], IN[2]\n");
    expect_vertex(recorded.count - 1, 0, 1, 2, 4, 0.5f);
    read_patch(NULL, "DCL IN[2], PATCH[5]\n", "MOV TEMP[0], IN[2]\n");
    expect_vertex(0, 0, 0, 0, 0, 1);
    /* The vertices' GENERIC[5] is no PATCH[5]. */
    read_patch(OWN_PATCH, "DCL IN[2], PATCH[1]\n", "MOV TEMP[0], IN[2]\n");
    expect_vertex(0, 0, 0, 0, 0, 1);
}

/* A patch has the default levels before its control shader, and no PATCH[n].
 * effect: TESS_CTRL IN TESSOUTER, TESS_CTRL IN TESSINNER, TESS_CTRL SV TESSOUTER, TESS_CTRL SV TESSINNER, TESS_CTRL IN
 * PATCH. */
static void control_shaders_read_levels(void **state)
{
    (void)state;
    static const char *const controls[] = {
        CONTROL("1", "DCL IN[2], TESSOUTER\nDCL IN[3], TESSINNER\nDCL IN[4], PATCH[0]\nDCL OUT[4], PATCH[5]\n",
                "MOV OUT[4].xy, IN[2]\nMOV OUT[4].z, IN[3]\nMOV OUT[4].z, IN[3].yyyy\nMOV OUT[4].w, IN[4].wwww\n"),
        CONTROL("1", "DCL SV[1], TESSOUTER\nDCL SV[2], TESSINNER\nDCL OUT[4], PATCH[5]\n",
                "MOV OUT[4].xy, SV[1]\nMOV OUT[4].z, SV[2].yyyy\nMOV OUT[4].w, IMM[1].xxxx\n")};
    set_levels(1, 1, 1, 1, 1, 1);
    for (unsigned n = 0; n < COUNT(controls); n++) {
        read_patch(controls[n], "DCL IN[2], PATCH[5]\n", "MOV TEMP[0], IN[2]\n");
        assert_int_equal(recorded.count, 6);
        expect_vertex(5, 0, 2.5f, 1.5f, 0.25f, 1);
    }
}

/* effect: VERT SV TESS_DEFAULT_OUTER_LEVEL, VERT SV TESS_DEFAULT_INNER_LEVEL, TESS_CTRL SV TESS_DEFAULT_OUTER_LEVEL,
 * TESS_CTRL SV TESS_DEFAULT_INNER_LEVEL, TESS_EVAL SV TESS_DEFAULT_OUTER_LEVEL, TESS_EVAL SV
 * TESS_DEFAULT_INNER_LEVEL. */
static void default_levels_are_values(void **state)
{
    (void)state;
    static const char *const control =
        CONTROL("1", "DCL SV[1], TESS_DEFAULT_OUTER_LEVEL\nDCL SV[2], TESS_DEFAULT_INNER_LEVEL\nDCL OUT[4], PATCH[5]\n",
                "MOV OUT[4].xy, SV[1].yzyz\nMOV OUT[4].zw, SV[2].xyxy\n");
    set_levels(1, 1, 1, 1, 1, 1);
    read_patch(control, "DCL IN[2], PATCH[5]\n", "MOV TEMP[0], IN[2]\n");
    expect_vertex(0, 0, 1.5f, 3.5f, 4.5f, 0.25f);
    read_patch(control, "DCL SV[1], TESS_DEFAULT_OUTER_LEVEL\n", "MOV TEMP[0], SV[1]\n");
    expect_vertex(5, 0, 2.5f, 1.5f, 3.5f, -1);
    read_patch(control, "DCL SV[1], TESS_DEFAULT_INNER_LEVEL\n", "MOV TEMP[0], SV[1]\n");
    expect_vertex(5, 0, 4.5f, 0.25f, 0, 0);

    struct draw_scene scene;
    begin(&scene);
    scene.vertex = "VERT\nDCL IN[0]\nDCL SV[0], TESS_DEFAULT_OUTER_LEVEL\nDCL SV[1], TESS_DEFAULT_INNER_LEVEL\n"
                   "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nMOV OUT[0], IN[0]\nMOV OUT[1].xy, SV[0].zwww\n"
                   "MOV OUT[1].zw, SV[1].yxyx\nEND\n";
    scene.geometry = recorders[0];
    scene.fragment = NULL;
    scene.dynamic.default_outer_levels[2] = 9;
    scene.dynamic.default_inner_levels[0] = 7;
    scene.dynamic.default_outer_levels[3] = 8;
    scene.dynamic.default_inner_levels[1] = 6;
    memset(&recorded, 0, sizeof recorded);
    draw_numbered(&scene);
    draw(&scene, SCH_PRIMITIVE_POINTS, 1);
    expect_vertex(0, 0, 9, 8, 6, 7);
    draw_end(&scene);
}

/* Vertices of a patch: of the draw's, of the control shader's; its number.
 * effect: TESS_CTRL SV VERTICESIN, TESS_EVAL SV VERTICESIN, PROPERTY TCS_VERTICES_OUT. */
static void patches_are_counted(void **state)
{
    (void)state;
    /* Each invocation writes its number where the next one belongs, which reads it behind the barrier. */
    static const char *const control = CONTROL(
        "5",
        "DCL SV[1], VERTICESIN\nDCL SV[2], PRIM_ID\nDCL OUT[4], PATCH[0]\nDCL OUT[][5], GENERIC[4]\nDCL IN[6], "
        "PRIM_ID\n",
        "UADD TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nMOV OUT[ADDR[0].x][5], TEMP[0].xxxx\nBARRIER\n"
        "UMOD TEMP[1].x, TEMP[0].xxxx, SV[1].xxxx\nUARL ADDR[0].x, TEMP[1].xxxx\nMOV TEMP[2], OUT[ADDR[0].x][5]\n"
        "BARRIER\nUARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][5].y, TEMP[2].xxxx\nMOV OUT[4].x, SV[1].xxxx\n"
        "MOV OUT[4].y, SV[2].xxxx\nMOV OUT[4].z, IN[6].xxxx\n");
    set_levels(1, 1, 1, 1, 1, 1);
    read_patch(control, "DCL SV[1], VERTICESIN\nDCL SV[2], PRIM_ID\nDCL IN[2], PATCH[0]\nDCL IN[3], PRIM_ID\n",
               "MOV TEMP[0].xyz, IN[2]\nMUL TEMP[0].w, SV[1].xxxx, IMM[0].yyyy\nUMAD TEMP[0].w, SV[2].xxxx, "
               "IMM[0].wwww, SV[1].xxxx\nUADD TEMP[0].w, TEMP[0].wwww, IN[3].xxxx\n");
    assert_int_equal(recorded.count, 6);
    expect_words(0, 3, 0, 0, 5);
    expect_words(5, 3, 1, 1, 5 + 3 + 1);
    read_patch(NULL, "DCL SV[1], VERTICESIN\n", "MOV TEMP[0], SV[1].xxxx\n");
    expect_words(0, 3, 3, 3, 3);
    read_patch(control, "DCL IN[][2], GENERIC[4]\n",
               "MOV TEMP[0].x, IN[3][2].yyyy\nMOV TEMP[0].y, IN[1][2].yyyy\nMOV TEMP[0].z, IN[4][2].xxxx\n"
               "UARL ADDR[0].x, IMM[0].wwww\nMOV TEMP[0].w, IN[ADDR[0].x+2][2].xxxx\n");
    expect_words(0, 2, 3, 5, 0); /* vertex 5 is none */
}

/* 40 patches of one vertex each: a group of points has those of several.
 * effect: TESS_CTRL SV SUBGROUP_SIZE, TESS_CTRL SV SUBGROUP_INVOCATION, TESS_CTRL SV SUBGROUP_EQ_MASK, TESS_CTRL SV
 * SUBGROUP_GE_MASK, TESS_CTRL SV SUBGROUP_GT_MASK, TESS_CTRL SV SUBGROUP_LE_MASK, TESS_CTRL SV SUBGROUP_LT_MASK,
 * TESS_EVAL SV SUBGROUP_SIZE, TESS_EVAL SV SUBGROUP_INVOCATION, TESS_EVAL SV SUBGROUP_EQ_MASK, TESS_EVAL SV
 * SUBGROUP_GE_MASK, TESS_EVAL SV SUBGROUP_GT_MASK, TESS_EVAL SV SUBGROUP_LE_MASK, TESS_EVAL SV SUBGROUP_LT_MASK. */
static void groups_are_seen(void **state)
{
    (void)state;
    static const char *const masks[] = {"EQ", "GE", "GT", "LE", "LT"};
    for (unsigned n = 0; n < COUNT(masks); n++) {
        char evaluation[1024], control[1536];
        struct draw_scene scene;
        if (by_code_skips(2)) continue;
        begin(&scene);
        draw_numbered(&scene);
        snprintf(control, sizeof control,
                 "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL SV[0], SUBGROUP_INVOCATION\nDCL SV[1], SUBGROUP_SIZE\n"
                 "DCL SV[2], SUBGROUP_%s_MASK\nDCL SV[3], INVOCATIONID\nDCL OUT[][0], GENERIC[0]\nDCL OUT[1], "
                 "TESSOUTER\nDCL ADDR[0]\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\nUARL ADDR[0].x, SV[3].xxxx\n"
                 "MOV OUT[ADDR[0].x][0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0].y, SV[1].xxxx\n"
                 "MOV OUT[ADDR[0].x][0].z, SV[2].xxxx\nMOV OUT[1], IMM[0]\nEND\n",
                 masks[n]);
        snprintf(evaluation, sizeof evaluation,
                 "TESS_EVAL\n" TRIANGLES "PROPERTY TES_POINT_MODE 1\nDCL IN[][0], GENERIC[0]\nDCL SV[0], "
                 "SUBGROUP_INVOCATION\nDCL SV[1], SUBGROUP_SIZE\nDCL SV[2], SUBGROUP_%s_MASK\nDCL OUT[0], GENERIC[0]\n"
                 "DCL TEMP[0]\nMOV TEMP[0].x, SV[0].xxxx\nMOV TEMP[0].y, SV[1].xxxx\nMOV TEMP[0].z, SV[2].xxxx\n"
                 "UADD OUT[0], TEMP[0], IN[2][0]\nEND\n",
                 masks[n]);
        scene.tess_ctrl = control;
        scene.tess_eval = evaluation;
        assert_int_equal(record(&scene, 1, 1, 40), SCH_OK);
        assert_int_equal(recorded.count, 120);
        for (uint32_t i = 0; i < recorded.count; i++) {
            uint32_t expected = 0;
            for (unsigned turn = 0; turn < 2; turn++) {
                const uint32_t self = 1u << (turn ? i % 32 : 2), before = self - 1;
                const uint32_t all[] = {self, ~before, ~(before | self), before | self, before};
                expected += all[n];
            }
            expect_words(i, i % 32 + 2, 64, expected, recorded.vertex[i][0].u[3]);
        }
        draw_end(&scene);
    }
}

/* ---- which patches there are ---- */

/* Levels by vertex: x is all outer ones, y the inner ones. */
#define OWN_LEVELS CONTROL("1", "", "MOV OUT[2], IN[0][1].xxxx\nMOV OUT[3], IN[0][1].yyyy\n")
#define NUMBERED                                                                                                       \
    EVALUATION(QUADS, "DCL SV[1], PRIM_ID\nDCL SV[2], VERTICESIN\n",                                                   \
               "MOV TEMP[0].w, SV[1].xxxx\nMOV TEMP[0].z, IN[0][1].xxxx\n")

static void patches_without_levels_are_discarded(void **state)
{
    (void)state;
    static float vertices[][8] = {{0, 0, 0, 1, 0, 5},     {0, 0, 0, 1, -1, 5}, {0, 0, 0, 1, 1, 1},
                                  {0, 0, 0, 1, NAN, 5},   {0, 0, 0, 1, 2, 2},  {0, 0, 0, 1, -INFINITY, 1},
                                  {0, 0, 0, 1, -0.0f, 2}, {0, 0, 0, 1, 1, NAN}};
    struct draw_scene scene;
    begin(&scene);
    draw_vertices(&scene, vertices[0], COUNT(vertices), 2);
    scene.tess_ctrl = OWN_LEVELS;
    scene.tess_eval = NUMBERED;
    assert_int_equal(record(&scene, 3, 1, COUNT(vertices)), SCH_OK);
    assert_int_equal(recorded.count, 2 + 8 + 2);
    for (uint32_t n = 0; n < recorded.count; n++)
        assert_int_equal(recorded.vertex[n][0].u[3], n < 2 ? 2 : n < 10 ? 4 : 7);
    /* All of them, and levels that nothing writes. */
    vertices[2][4] = vertices[4][4] = vertices[7][4] = 0;
    assert_int_equal(record(&scene, 3, 1, COUNT(vertices)), SCH_OK);
    assert_int_equal(recorded.count, 0);
    scene.tess_ctrl = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 1\nDCL OUT[0], TESSOUTER\nDCL CONST[0][0]\n"
                      "MOV OUT[0].xyz, CONST[0][0]\nEND\n";
    set_levels(1, 1, 1, 1, 1, 1);
    scene.tess_eval = EVALUATION(TRIANGLES, "", "");
    assert_int_equal(record(&scene, 3, 1, 2), SCH_OK);
    assert_int_equal(recorded.count, 2);
    scene.tess_eval = EVALUATION(QUADS, "", "");
    assert_int_equal(record(&scene, 3, 1, 2), SCH_OK);
    assert_int_equal(recorded.count, 0);
    draw_end(&scene);
}

/* Without properties: triangles, equally spaced, counter-clockwise. */
static void properties_have_defaults(void **state)
{
    (void)state;
    static const float vertices[1][8];
    struct draw_scene scene;
    begin(&scene);
    draw_vertices(&scene, vertices[0], 1, 2);
    scene.tess_ctrl = CONTROL("1", "", "");
    scene.tess_eval = EVALUATION("", "", "");
    set_levels(3.5f, 2, 5.25f, 7, 4, 6.5f);
    assert_int_equal(record(&scene, 3, 1, 1), SCH_OK);
    same_primitives(REF_TRIANGLES, REF_EQUAL, false);
    draw_end(&scene);
}

/* Instances, restarts and incomplete patches: PRIM_ID counts patches of an instance. */
static void patches_are_assembled(void **state)
{
    (void)state;
    static const uint8_t indices[] = {0, 1, 2, 9, 3, 4, 5, 6, 9, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7};
    struct draw_scene scene;
    begin(&scene);
    draw_numbered(&scene);
    set_levels(1, 1, 1, 1, 1, 1);
    memset(&recorded, 0, sizeof recorded);
    scene.vertex = VERTEX;
    scene.tess_ctrl = CONTROL("3", "", "");
    scene.tess_eval = EVALUATION(TRIANGLES "PROPERTY TES_POINT_MODE 1\n", "DCL SV[1], PRIM_ID\n",
                                 "MOV TEMP[0], IN[1][1]\nMOV TEMP[0].w, SV[1].xxxx\n");
    scene.geometry = recorders[0];
    scene.fragment = NULL;
    scene.dynamic.patch_vertices = 3;
    const struct sch_draw draw = {.size = sizeof draw,
                                  .primitive = SCH_PRIMITIVE_PATCHES,
                                  .count = sizeof indices,
                                  .instance_count = 2,
                                  .index_bytes = 1,
                                  .indices = {.memory = indices, .memory_bytes = sizeof indices},
                                  .restart = true,
                                  .restart_index = 9};
    assert_int_equal(draw_try(&scene, &draw), SCH_OK);
    static const uint32_t middle[] = {1, 4, 2, 5};
    assert_int_equal(recorded.count, 2 * 4 * 3);
    for (uint32_t n = 0; n < recorded.count; n++) {
        assert_true(recorded.vertex[n][0].f[0] == (float)(10 * middle[n / 3 % 4] + 1));
        assert_int_equal(recorded.vertex[n][0].u[3], n / 3 % 4);
    }
    draw_end(&scene);
}

/* ---- order, engines, threads ---- */

/* Control shaders that write memory run patch after patch, evaluation shaders point after point. */
static void side_effects_are_ordered(void **state)
{
    (void)state;
    static float vertices[300][8];
    struct draw_scene scene;
    begin(&scene);
    for (unsigned v = 0; v < COUNT(vertices); v++) {
        vertices[v][4] = (float)(1 + v % 3);
        vertices[v][5] = (float)(v % 5);
    }
    draw_vertices(&scene, vertices[0], COUNT(vertices), 2);
    scene.dispatch.threads = 3;
    scene.vertex = VERTEX;
    scene.tess_ctrl = CONTROL("2", "DCL BUFFER[0]\nDCL SV[1], PRIM_ID\nDCL OUT[4], PATCH[0]\n",
                              "MOV OUT[2], IN[0][1].xxxx\nMOV OUT[3], IN[0][1].yyyy\nATOMUADD TEMP[0].x, BUFFER[0], "
                              "IMM[0].xxxx, IMM[0].yyyy\nMOV OUT[4], TEMP[0].xxxx\n");
    scene.tess_eval =
        EVALUATION(QUADS, "DCL BUFFER[0]\nDCL IN[2], PATCH[0]\nDCL SV[1], PRIM_ID\nIMM[2] UINT32 {4, 16, 48, 2}\n",
                   "ATOMUADD TEMP[1].x, BUFFER[0], IMM[2].xxxx, IMM[0].yyyy\nUMAD TEMP[1].x, "
                   "TEMP[1].xxxx, IMM[2].zzzz, IMM[2].yyyy\nMOV TEMP[2].xy, SV[0]\nMOV TEMP[2].z, SV[1].xxxx\n"
                   "MOV TEMP[2].w, IN[2].xxxx\nSTORE BUFFER[0], TEMP[1].xxxx, TEMP[2]\n");
    scene.fragment = NULL;
    scene.dynamic.patch_vertices = 1;
    memset(&recorded, 0, sizeof recorded);
    draw(&scene, SCH_PRIMITIVE_PATCHES, COUNT(vertices));
    assert_int_equal(recorded.count, 2 * COUNT(vertices));
    assert_true(recorded.unused[0] > 4 * COUNT(vertices));
    for (uint32_t n = 0; n < recorded.unused[0]; n++) {
        const uint32_t patch = recorded.vertex[n][0].u[2];
        if (n) assert_in_range(patch, recorded.vertex[n - 1][0].u[2], recorded.vertex[n - 1][0].u[2] + 1);
        assert_int_equal(recorded.vertex[n][0].u[3], 2 * patch + 1);
    }
    draw_end(&scene);
}

/* A quadrilateral (u, v) of a grid of 4 x 4 patches: bent, and of a colour of its own. */
#define SURFACE(properties)                                                                                            \
    "TESS_EVAL\n" properties "DCL IN[][0], POSITION\nDCL IN[2], PATCH[0]\nDCL SV[0], TESSCOORD\nDCL SV[1], PRIM_ID\n"  \
    "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0..3]\nIMM[0] UINT32 {3, 2, 0, 0}\n"                       \
    "IMM[1] FLT32 {4.0, 0.25, 2.0, -1.0}\nIMM[2] FLT32 {0.05, 1.0, 0.0, 17.0}\nMOV TEMP[3], SV[0]\n"                   \
    "MOV TEMP[3].w, IMM[2].zzzz\nADD TEMP[0].xy, IN[0][0], TEMP[3]\nMUL TEMP[0].xy, TEMP[0], IMM[1].yyyy\n"            \
    "MAD TEMP[1].xy, TEMP[0], IMM[1].zzzz, IMM[1].wwww\n"                                                              \
    "MUL TEMP[2].x, TEMP[0].xxxx, TEMP[0].yyyy\nMUL TEMP[2].x, TEMP[2].xxxx, TEMP[0].yyyy\nMAD TEMP[1].x, "            \
    "TEMP[2].xxxx, IMM[2].xxxx, TEMP[1].xxxx\n"                                                                        \
    "MOV OUT[0].xy, TEMP[1]\nMOV OUT[0].zw, IMM[2].zyzy\nMOV OUT[1], TEMP[0].xyxy\nADD OUT[1].z, TEMP[3].zzzz, "       \
    "IN[2].xxxx\nEND\n"
/* Patch n is at (n & 3, n / 4) in the grid. The level of an edge follows from the edge alone: 2 + place % 5. */
#define GRID(most)                                                                                                     \
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 1\nDCL IN[][0], POSITION\nDCL OUT[][0], POSITION\nDCL OUT[1], TESSOUTER\n"   \
    "DCL OUT[2], TESSINNER\nDCL OUT[3], PATCH[0]\nDCL TEMP[0..3]\nIMM[0] FLT32 {3.0, 7.0, 1.5, 0.25}\n"                \
    "IMM[1] FLT32 {1.0, 0.0, 0.0, " most "}\nMOV OUT[0][0], IN[0][0]\n"                                                \
    "MAD TEMP[0].x, IN[0][0].xxxx, IMM[0].xxxx, IN[0][0].yyyy\nADD TEMP[1].x, IN[0][0].xxxx, IMM[1].xxxx\n"            \
    "MAD TEMP[0].z, TEMP[1].xxxx, IMM[0].xxxx, IN[0][0].yyyy\nMAD TEMP[0].y, IN[0][0].yyyy, IMM[0].zzzz, "             \
    "IN[0][0].xxxx\n"                                                                                                  \
    "ADD TEMP[1].y, IN[0][0].yyyy, IMM[1].xxxx\nMAD TEMP[0].w, TEMP[1].yyyy, IMM[0].zzzz, IN[0][0].xxxx\n"             \
    "ADD OUT[1], TEMP[0], IMM[1].wwww\nADD OUT[2], TEMP[0], IMM[1].wwww\nMUL OUT[3], TEMP[0], IMM[0].wwww\nEND\n"

static const char grid_vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
static float grid[16][4];

static void set_grid(struct draw_scene *scene, const char *evaluation)
{
    for (unsigned n = 0; n < 16; n++) {
        grid[n][0] = (float)(n % 4);
        grid[n][1] = (float)(n / 4);
        grid[n][3] = 1;
    }
    draw_vertices(scene, grid[0], 16, 1);
    scene->vertex = grid_vertex;
    scene->tess_ctrl = GRID("2.5");
    scene->tess_eval = evaluation;
    scene->dynamic.patch_vertices = 1;
}

enum { WIDE = 64 };

/* Each sample inside of the surface is covered once, by one patch or the other. */
static void edges_have_no_cracks(void **state)
{
    (void)state;
    static const char *const evaluations[] = {
        SURFACE("PROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\n"),
        SURFACE("PROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 1\n"),
        SURFACE("PROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 0\nPROPERTY TES_VERTEX_ORDER_CW 1\n")};
    for (unsigned n = 0; n < COUNT(evaluations); n++) {
        struct draw_scene scene;
        draw_begin(&scene, WIDE, WIDE, 4, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
        scene.engine = by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
        scene.rasterizer.multisample = true;
        draw_clear(&scene, black, 1, 0);
        set_grid(&scene, evaluations[n]);
        scene.fragment =
            "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0.00392156862, 0.0, 0.0, 0.0}\nMOV OUT[0], IMM[0]\nEND\n";
        scene.blend.targets[0] = (struct sch_blend_target){.enabled = true,
                                                           .color_equation = SCH_BLEND_ADD,
                                                           .color_source = SCH_FACTOR_ONE,
                                                           .color_destination = SCH_FACTOR_ONE,
                                                           .alpha_equation = SCH_BLEND_ADD,
                                                           .alpha_source = SCH_FACTOR_ONE,
                                                           .alpha_destination = SCH_FACTOR_ONE,
                                                           .color_mask = 15};
        draw(&scene, SCH_PRIMITIVE_PATCHES, 16);
        for (uint32_t y = 0; y < WIDE; y++) /* the right edge is bent out of the framebuffer */
            for (uint32_t x = 0; x < WIDE; x++)
                for (uint32_t sample = 0; sample < 4; sample++) {
                    uint32_t word[4];
                    draw_read(&scene, scene.color, x, y, sample, word);
                    if (word[0] != 1) fail_msg("%u: sample %u of (%u, %u): %x", n, sample, x, y, word[0]);
                }
        draw_end(&scene);
    }
}

static const char shaded[] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

static void draw_picture(unsigned threads, unsigned width, uint32_t *picture)
{
    struct draw_scene scene;
    draw_begin(&scene, WIDE, WIDE, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
    scene.engine = by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
    draw_clear(&scene, black, 1, 0);
    set_grid(&scene, SURFACE("PROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 0\n"));
    scene.tess_ctrl = GRID("40.25");
    scene.fragment = shaded;
    scene.width = width;
    scene.dispatch.threads = threads;
    draw(&scene, SCH_PRIMITIVE_PATCHES, 16);
    for (uint32_t y = 0; y < WIDE; y++)
        for (uint32_t x = 0; x < WIDE; x++) picture[y * WIDE + x] = draw_pixel(&scene, x, y);
    draw_end(&scene);
}

/* A picture of some 50,000 triangles: FNV-1a of it, the same by every engine. */
static void bits_are_equal(void **state)
{
    (void)state;
    static uint32_t first[WIDE * WIDE], other[WIDE * WIDE];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    draw_picture(1, 4, first);
    for (unsigned n = 0; n < WIDE * WIDE; n++) hash = (hash ^ first[n]) * UINT64_C(0x100000001b3);
    for (unsigned threads = 1; threads <= 3; threads++)
        for (unsigned width = 4; width <= 16; width *= 2) {
            draw_picture(threads, width, other);
            assert_memory_equal(first, other, sizeof first);
        }
    if (hash != PICTURE_HASH) fail_msg("the picture's hash is 0x%016llx", (unsigned long long)hash);
}

/* ---- fixed functions behind the last stage ---- */

/* A quadrilateral over the whole framebuffer, as six triangles or as points; `code` may change outputs. */
#define WHOLE(properties, declarations, code)                                                                          \
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\n" properties                                         \
    "DCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nIMM[0] FLT32 {2.0, -1.0, 0.0, 1.0}\n"         \
    "IMM[1] UINT32 {0, 1, 2, 6}\nIMM[2] FLT32 {-0.5, 4.0, 0.25, 0.5}\nDCL TEMP[0]\n" declarations                      \
    "MAD OUT[0].xy, SV[0], IMM[0].xxxx, IMM[0].yyyy\nMOV OUT[0].zw, IMM[0].zzzw\nMOV OUT[1], IMM[0].wzzw\n" code       \
    "END\n"

static const char nothing[] = "VERT\nEND\n";

static void draw_whole(struct draw_scene *scene, const char *evaluation, const char *fragment)
{
    static const float vertices[2][8];
    draw_clear(scene, black, 1, 0);
    draw_vertices(scene, vertices[0], 1, 2);
    for (unsigned c = 0; c < 4; c++) scene->dynamic.default_outer_levels[c] = 2;
    scene->dynamic.default_inner_levels[0] = scene->dynamic.default_inner_levels[1] = 2;
    scene->dynamic.patch_vertices = 1;
    scene->vertex = nothing;
    scene->tess_eval = evaluation;
    scene->fragment = fragment;
    draw(scene, SCH_PRIMITIVE_PATCHES, 1);
}

static uint32_t count_red(const struct draw_scene *scene, uint32_t left, uint32_t right)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = left; x < right; x++) count += (draw_pixel(scene, x, y) & 0xff) != 0;
    return count;
}

/* effect: TESS_EVAL OUT POSITION, TESS_EVAL OUT CLIPDIST, TESS_EVAL OUT CLIPVERTEX, TESS_EVAL OUT PSIZE, PROPERTY
 * VS_PROHIBIT_UCPS, PROPERTY NUM_CLIPDIST_ENABLED, PROPERTY NUM_CULLDIST_ENABLED. */
static void positions_are_clipped(void **state)
{
    (void)state;
    struct draw_scene scene;
    begin(&scene);
    draw_whole(&scene, WHOLE("", "", ""), shaded);
    assert_int_equal(count_red(&scene, 0, SIDE), SIDE * SIDE);
    assert_int_equal(draw_pixel(&scene, 3, 12), 0xff0000ff);

    scene.rasterizer.clip_plane_enable = 1;
    draw_whole(
        &scene,
        WHOLE("PROPERTY NUM_CLIPDIST_ENABLED 1\n", "DCL OUT[2], CLIPDIST\n", "ADD OUT[2].x, SV[0].xxxx, IMM[2].xxxx\n"),
        shaded);
    assert_int_equal(count_red(&scene, 0, SIDE / 2), 0);
    assert_int_equal(count_red(&scene, SIDE / 2, SIDE), SIDE * SIDE / 2);
    /* Triangles are culled whose corners all have a negative distance: those in u < 1/2. */
    draw_whole(&scene,
               WHOLE("PROPERTY NUM_CULLDIST_ENABLED 1\n", "DCL OUT[2], CLIPDIST\n",
                     "ADD OUT[2].x, SV[0].xxxx, IMM[2].xxxx\nADD OUT[2].x, OUT[2].xxxx, -IMM[2].zzzz\n"),
               shaded);
    assert_int_equal(count_red(&scene, SIDE / 2, SIDE), SIDE * SIDE / 2);
    assert_in_range(count_red(&scene, 0, SIDE / 2), 0, SIDE * SIDE / 2 - 1);

    scene.dynamic.clip_planes[0][0] = 1;
    scene.dynamic.clip_planes[0][3] = -0.75f; /* x of CLIPVERTEX = u */
    draw_whole(&scene, WHOLE("", "DCL OUT[2], CLIPVERTEX\n", "MOV OUT[2].xyz, SV[0]\nMOV OUT[2].w, IMM[0].wwww\n"),
               shaded);
    assert_int_equal(count_red(&scene, 0, 3 * SIDE / 4), 0);
    assert_int_equal(count_red(&scene, 3 * SIDE / 4, SIDE), SIDE * SIDE / 4);
    draw_whole(&scene,
               WHOLE("PROPERTY VS_PROHIBIT_UCPS 1\n", "DCL OUT[2], CLIPVERTEX\n",
                     "MOV OUT[2].xyz, SV[0]\nMOV OUT[2].w, IMM[0].wwww\n"),
               shaded);
    assert_int_equal(count_red(&scene, 0, SIDE), SIDE * SIDE);
    scene.rasterizer.clip_plane_enable = 0;

    /* Nine points of 4 x 4 pixels, of which those on the edges are cut by the framebuffer. */
    scene.rasterizer.point_size_per_vertex = true;
    draw_whole(&scene, WHOLE("PROPERTY TES_POINT_MODE 1\n", "DCL OUT[2], PSIZE\n", "MOV OUT[2].x, IMM[2].yyyy\n"),
               shaded);
    assert_int_equal(count_red(&scene, 0, SIDE), 8 * 8);
    assert_int_equal(draw_pixel(&scene, 9, 9), 0xff0000ff);
    assert_int_equal(draw_pixel(&scene, 10, 9), 0);
    draw_end(&scene);
}

/* Fragments show what the primitive was given.
 * effect: TESS_EVAL OUT LAYER, TESS_EVAL OUT VIEWPORT_INDEX, TESS_EVAL OUT VIEWPORT_MASK, PROPERTY
 * LAYER_VIEWPORT_RELATIVE, FRAG SV TESS_DEFAULT_OUTER_LEVEL, FRAG SV TESS_DEFAULT_INNER_LEVEL, FRAG IN PRIM_ID. */
static void primitives_choose_viewports(void **state)
{
    (void)state;
    struct draw_scene scene;
    begin(&scene);
    scene.dynamic.viewport_count = 3;
    for (unsigned v = 1; v < 3; v++) scene.dynamic.viewports[v] = scene.dynamic.viewports[0];
    scene.dynamic.viewports[2].scale[0] /= 2; /* the left half */
    scene.dynamic.viewports[2].translate[0] /= 2;
    static const char fragment[] =
        "FRAG\nDCL IN[0], LAYER, CONSTANT\nDCL IN[1], VIEWPORT_INDEX, CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] "
        "FLT32 {0.25, 1.0, 0.0, 0.0}\nU2F TEMP[0].x, IN[0].xxxx\nU2F TEMP[0].y, IN[1].xxxx\nMUL TEMP[0].xy, TEMP[0], "
        "IMM[0].xxxx\nMOV OUT[0].xy, TEMP[0]\nMOV OUT[0].zw, IMM[0].yyyy\nEND\n";
    draw_whole(&scene,
               WHOLE("", "DCL OUT[2], LAYER\nDCL OUT[3], VIEWPORT_INDEX\n",
                     "MOV OUT[2].x, IMM[1].yyyy\nMOV OUT[3].x, IMM[1].zzzz\n"),
               fragment);
    assert_int_equal(draw_pixel(&scene, 2, 2), 0xffff8040);
    assert_int_equal(draw_pixel(&scene, SIDE / 2, 2), 0);
    draw_whole(&scene,
               WHOLE("PROPERTY LAYER_VIEWPORT_RELATIVE 1\n", "DCL OUT[2], LAYER\nDCL OUT[3], VIEWPORT_MASK\n",
                     "MOV OUT[2].x, IMM[1].yyyy\nMOV OUT[3].x, IMM[1].wwww\n"), /* viewports 1 and 2 */
               fragment);
    assert_int_equal(draw_pixel(&scene, 2, 2), 0xffff80bf); /* 1 + 2 */
    assert_int_equal(draw_pixel(&scene, SIDE / 2, 2), 0xffff4080);
    draw_whole(&scene, WHOLE("", "", ""),
               "FRAG\nDCL SV[0], TESS_DEFAULT_OUTER_LEVEL\nDCL SV[1], TESS_DEFAULT_INNER_LEVEL\nDCL OUT[0], COLOR\n"
               "IMM[0] FLT32 {0.25, 0.5, 0.0, 0.0}\nMUL OUT[0].xy, SV[0], IMM[0].xxxx\nMUL OUT[0].zw, SV[1].xyxy, "
               "IMM[0].yyyy\nEND\n");
    assert_int_equal(draw_pixel(&scene, 2, 2), 0xffff8080);
    draw_end(&scene);
}

/* ---- what is counted, refused, ended ---- */

static uint64_t value_of(const struct sch_query *query, uint32_t index)
{
    struct sch_query_result result;
    assert_int_equal(sch_query_get_result(query, &result), SCH_OK);
    return result.values[index];
}

static void statistics_count(void **state)
{
    (void)state;
    static float vertices[7][8] = {
        {0, 0, 0, 1, 2, 2}, {0, 0, 0, 1, 0, 2}, {0, 0, 0, 1, 1, 1}, {0, 0, 0, 1, 3, 3}, {0, 0, 0, 1, 1, 1}};
    struct draw_scene scene;
    struct sch_query *query, *generated;
    begin(&scene);
    assert_int_equal(sch_query_create(scene.context, SCH_QUERY_PIPELINE_STATISTICS, 0, &query), SCH_OK);
    assert_int_equal(sch_query_create(scene.context, SCH_QUERY_PRIMITIVES_GENERATED, 0, &generated), SCH_OK);
    assert_int_equal(sch_renderer_begin_query(scene.renderer, query), SCH_OK);
    assert_int_equal(sch_renderer_begin_query(scene.renderer, generated), SCH_OK);
    draw_vertices(&scene, vertices[0], COUNT(vertices), 2);
    scene.vertex = VERTEX;
    scene.tess_ctrl = OWN_LEVELS;
    scene.tess_eval = NUMBERED;
    scene.fragment = shaded;
    scene.dynamic.patch_vertices = 1;
    draw(&scene, SCH_PRIMITIVE_PATCHES, 4);
    scene.tess_ctrl = NULL;
    scene.dynamic.patch_vertices = 3; /* the default level is 1 */
    draw(&scene, SCH_PRIMITIVE_PATCHES, 7);
    assert_int_equal(sch_renderer_end_query(scene.renderer, query), SCH_OK);
    assert_int_equal(sch_renderer_end_query(scene.renderer, generated), SCH_OK);
    assert_int_equal(value_of(query, SCH_STATISTIC_IA_VERTICES), 4 + 6);
    assert_int_equal(value_of(query, SCH_STATISTIC_VS_INVOCATIONS), 4 + 6);
    assert_int_equal(value_of(query, SCH_STATISTIC_IA_PRIMITIVES), 4 + 2);
    assert_int_equal(value_of(query, SCH_STATISTIC_HS_INVOCATIONS), 4);
    assert_int_equal(value_of(query, SCH_STATISTIC_DS_INVOCATIONS), 9 + 4 + 16 + 2 * 4);
    assert_int_equal(value_of(query, SCH_STATISTIC_C_INVOCATIONS), 8 + 2 + 18 + 2 * 2);
    assert_int_equal(value_of(generated, 0), 8 + 2 + 18 + 2 * 2);
    sch_query_destroy(query);
    sch_query_destroy(generated);
    draw_end(&scene);
}

/* Another primitive than patches, patches without an evaluation program, without vertices. */
static void draws_are_refused(void **state)
{
    (void)state;
    struct draw_scene scene;
    begin(&scene);
    draw_numbered(&scene);
    for (unsigned n = 0; n < 3; n++) {
        struct sch_diagnostic_info told = {.size = sizeof told};
        const struct sch_draw draw = {.size = sizeof draw,
                                      .primitive = n == 1 ? SCH_PRIMITIVE_TRIANGLES : SCH_PRIMITIVE_PATCHES,
                                      .count = 3,
                                      .instance_count = 1};
        scene.vertex = VERTEX;
        scene.fragment = NULL;
        scene.tess_eval = n ? EVALUATION(TRIANGLES, "", "") : NULL;
        scene.dynamic.patch_vertices = n == 2 ? 0 : 3;
        assert_int_equal(sch_diagnostics_create(scene.context, &scene.dispatch.diagnostics), SCH_OK);
        assert_int_equal(draw_try(&scene, &draw), SCH_ERROR_ARGUMENT);
        assert_true(sch_diagnostics_get(scene.dispatch.diagnostics, 0, &told));
        assert_int_equal(told.code, n == 2 ? 6300 : 6312);
        sch_diagnostics_destroy(scene.dispatch.diagnostics);
        scene.dispatch.diagnostics = NULL;
    }
    draw_end(&scene);
}

/* A loop without an end, and a bound on the work, in either shader: the report names its stage. */
static void ends_are_reported(void **state)
{
    (void)state;
    static const char loop[] = "BGNLOOP\nADD TEMP[1], TEMP[1], TEMP[1]\nENDLOOP\n";
    char control[1024], evaluation[1024];
    set_levels(1, 1, 1, 1, 1, 1);
    for (unsigned n = 0; n < 4; n++) {
        struct draw_scene scene;
        begin(&scene);
        draw_numbered(&scene);
        snprintf(control, sizeof control, "%.*s%sEND\n", (int)strlen(CONTROL("1", "", "")) - 4, CONTROL("1", "", ""),
                 n % 2 ? "" : loop);
        snprintf(evaluation, sizeof evaluation, "%.*s%sEND\n", (int)strlen(EVALUATION(TRIANGLES, "", "")) - 4,
                 EVALUATION(TRIANGLES, "", ""), n % 2 ? loop : "");
        scene.tess_ctrl = control;
        scene.tess_eval = evaluation;
        if (n < 2)
            scene.dispatch.budget = 1000;
        else
            scene.dispatch.work = 1000;
        assert_int_equal(record(&scene, 3, 1, 2), n < 2 ? SCH_ERROR_BUDGET : SCH_ERROR_WORK);
        assert_int_equal(scene.report.stage, n % 2 ? SCH_STAGE_TESS_EVAL : SCH_STAGE_TESS_CTRL);
        draw_end(&scene);
    }
}

/* ---- what else takes primitives ---- */

/* Stream output gets the triangles that a geometry shader gets, in their order. */
static void primitives_are_streamed(void **state)
{
    (void)state;
    enum { BYTES = 1 << 16 };
    static uint32_t streamed[BYTES / 4];
    static float vertices[9][8];
    static const struct sch_stream_output_options layout = {
        .size = sizeof layout,
        .stride = {4},
        .register_count = 1,
        .registers = {{.output = 1, .first_component = 0, .component_count = 4}}};
    struct draw_scene scene;
    begin(&scene);
    for (unsigned v = 0; v < COUNT(vertices); v++) {
        vertices[v][4] = 1 + (float)(v % 4);
        vertices[v][5] = (float)(v % 3);
    }
    draw_vertices(&scene, vertices[0], COUNT(vertices), 2);
    scene.tess_ctrl = OWN_LEVELS;
    scene.tess_eval = NUMBERED;
    assert_int_equal(record(&scene, 3, 1, COUNT(vertices)), SCH_OK);
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R8_UINT, .width = BYTES};
    struct sch_stream_target_options all = {.size = sizeof all};
    assert_int_equal(sch_resource_create(scene.context, &options, NULL, &all.resource), SCH_OK);
    assert_int_equal(sch_stream_target_create(scene.context, &all, NULL, &scene.stream_targets[0]), SCH_OK);
    scene.geometry = NULL;
    scene.stream_layout = &layout;
    draw(&scene, SCH_PRIMITIVE_PATCHES, COUNT(vertices));
    assert_in_range(recorded.count, 40, BYTES / sizeof recorded.vertex[0]);
    assert_int_equal(sch_stream_target_get_filled(scene.stream_targets[0]), recorded.count * sizeof recorded.vertex[0]);
    assert_int_equal(sch_resource_read_all(all.resource, streamed, sizeof streamed), SCH_OK);
    assert_memory_equal(streamed, recorded.vertex, recorded.count * sizeof recorded.vertex[0]);
    sch_stream_target_destroy(scene.stream_targets[0]);
    sch_resource_destroy(all.resource);
    draw_end(&scene);
}

/* Primitives of patches have the patch's number in the history of a pixel, and no vertices of the draw. */
static void histories_have_patches(void **state)
{
    (void)state;
    const struct sch_pixel_history_options options = {.size = sizeof options, .x = 3, .y = 9};
    struct sch_pixel_history_info info = {.size = sizeof info};
    struct sch_pixel_event event = {.size = sizeof event};
    struct sch_pixel_history *history;
    struct draw_scene scene;
    if (by_code()) return;
    begin(&scene);
    set_grid(&scene, SURFACE("PROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\n"));
    scene.fragment = shaded;
    assert_int_equal(sch_pixel_history_create(scene.color, &options, NULL, &history), SCH_OK);
    assert_int_equal(sch_renderer_record_pixel(scene.renderer, history), SCH_OK);
    draw(&scene, SCH_PRIMITIVE_PATCHES, 16);
    assert_int_equal(sch_pixel_history_get_info(history, &info), SCH_OK);
    assert_int_equal(info.event_count, 1);
    assert_int_equal(sch_pixel_history_get_event(history, 0, &event), SCH_OK);
    assert_int_equal(event.primitive_id, 4 * (9 * 4 / SIDE)); /* y goes down: row 9 / 4 of the grid, column 0 */
    assert_int_equal(event.vertex_count, 0);
    assert_int_equal(sch_renderer_record_pixel(scene.renderer, NULL), SCH_OK);
    sch_pixel_history_destroy(history);
    draw_end(&scene);
}

/* 32 vertices of three registers: 1,536 bytes for each patch. */
#define WIDE_CONTROL                                                                                                   \
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 32\nDCL SV[0], INVOCATIONID\nDCL OUT[][0], POSITION\n"                       \
    "DCL OUT[][1], GENERIC[1]\nDCL OUT[][2], GENERIC[2]\nDCL OUT[3], TESSOUTER\nDCL OUT[4], TESSINNER\nDCL ADDR[0]\n"  \
    "IMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\nUARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IMM[0]\n"                   \
    "MOV OUT[ADDR[0].x][1], IMM[0]\nMOV OUT[ADDR[0].x][2], IMM[0]\nMOV OUT[3], IMM[0]\nMOV OUT[4], IMM[0]\nEND\n"
#define WIDE_EVALUATION                                                                                                \
    "TESS_EVAL\n" QUADS "DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[1]\nDCL IN[][2], GENERIC[2]\n"                    \
    "DCL OUT[0], POSITION\nDCL TEMP[0]\nADD TEMP[0], IN[31][0], IN[31][1]\nADD OUT[0], TEMP[0], IN[31][2]\nEND\n"

/* Memory does not grow with what patches become: 42 million points, of which a million alone has no room; and 40,000
 * patches of four points, more than are taken together, also where control shaders write 61 MB. */
static void memory_is_bounded(void **state)
{
    (void)state;
    enum { PATCHES = 10000, POINTS = 65 * 65, MANY = 40000 };
    static float vertices[MANY][8];
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = 24 << 20};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    struct sch_context *context;
    struct sch_query *query;
    struct draw_scene scene;
    if (by_code()) return; /* engines do not matter */
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    draw_begin_in(&scene, context, SIDE, SIDE, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
    assert_int_equal(
        sch_query_create(context, SCH_QUERY_PIPELINE_STATISTICS_SINGLE, SCH_STATISTIC_DS_INVOCATIONS, &query), SCH_OK);
    draw_vertices(&scene, vertices[0], MANY, 2);
    for (unsigned c = 0; c < 4; c++) scene.dynamic.default_outer_levels[c] = 64;
    scene.dynamic.default_inner_levels[0] = scene.dynamic.default_inner_levels[1] = 64;
    scene.dynamic.patch_vertices = 1;
    scene.vertex = VERTEX;
    scene.tess_eval = "TESS_EVAL\n" QUADS "DCL OUT[0], POSITION\nDCL SV[0], TESSCOORD\nMOV OUT[0], SV[0]\nEND\n";
    scene.fragment = NULL;
    scene.rasterizer.rasterizer_discard = true;
    scene.dispatch.threads = 2;
    assert_int_equal(sch_renderer_begin_query(scene.renderer, query), SCH_OK);
    draw(&scene, SCH_PRIMITIVE_PATCHES, PATCHES);
    assert_int_equal(sch_renderer_end_query(scene.renderer, query), SCH_OK);
    assert_int_equal(value_of(query, 0), PATCHES * POINTS);
    for (unsigned c = 0; c < 4; c++) scene.dynamic.default_outer_levels[c] = 1;
    scene.dynamic.default_inner_levels[0] = scene.dynamic.default_inner_levels[1] = 1;
    assert_int_equal(sch_renderer_begin_query(scene.renderer, query), SCH_OK);
    draw(&scene, SCH_PRIMITIVE_PATCHES, MANY);
    assert_int_equal(sch_renderer_end_query(scene.renderer, query), SCH_OK);
    assert_int_equal(value_of(query, 0), MANY * 4);
    scene.tess_ctrl = WIDE_CONTROL;
    scene.tess_eval = WIDE_EVALUATION;
    assert_int_equal(sch_renderer_begin_query(scene.renderer, query), SCH_OK);
    draw(&scene, SCH_PRIMITIVE_PATCHES, MANY);
    assert_int_equal(sch_renderer_end_query(scene.renderer, query), SCH_OK);
    assert_int_equal(value_of(query, 0), MANY * 4);
    sch_query_destroy(query);
    draw_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(domains_are_divided),
        cmocka_unit_test(attributes_go_through),
        cmocka_unit_test(patches_are_read),
        cmocka_unit_test(control_shaders_read_levels),
        cmocka_unit_test(default_levels_are_values),
        cmocka_unit_test(patches_are_counted),
        cmocka_unit_test(groups_are_seen),
        cmocka_unit_test(patches_without_levels_are_discarded),
        cmocka_unit_test(properties_have_defaults),
        cmocka_unit_test(patches_are_assembled),
        cmocka_unit_test(side_effects_are_ordered),
        cmocka_unit_test(edges_have_no_cracks),
        cmocka_unit_test(bits_are_equal),
        cmocka_unit_test(positions_are_clipped),
        cmocka_unit_test(primitives_choose_viewports),
        cmocka_unit_test(statistics_count),
        cmocka_unit_test(draws_are_refused),
        cmocka_unit_test(ends_are_reported),
        cmocka_unit_test(primitives_are_streamed),
        cmocka_unit_test(histories_have_patches),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
