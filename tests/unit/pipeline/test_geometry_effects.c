/* What each semantic does of geometry shaders: inputs that come from the stage before, outputs that the rasterizer and
 * fragments take. A vertex shader passes IN[1] as GENERIC[9], which has no effect; a geometry shader passes that on
 * under the semantic that is tested. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "effects.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char plain_vertex[] = EFFECT_PASS("GENERIC[9]");

/* A geometry shader that passes its primitive on, its GENERIC[9] as OUT[1], whose declaration is `semantic`. */
#define PASS(input, output, vertices, properties, semantic)                                                            \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE " input "\nPROPERTY GS_OUTPUT_PRIMITIVE " output                                \
    "\nPROPERTY GS_MAX_OUTPUT_VERTICES 3\n" properties "DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[9]\n"              \
    "DCL OUT[0], POSITION\nDCL OUT[1], " semantic "\nIMM[0] UINT32 {0, 0, 0, 0}\n" vertices "END\n"
#define VERTEX(n) "MOV OUT[0], IN[" n "][0]\nMOV OUT[1], IN[" n "][1]\nEMIT IMM[0].xxxx\n"
#define TRIANGLES(properties, semantic)                                                                                \
    PASS("TRIANGLES", "TRIANGLE_STRIP", VERTEX("0") VERTEX("1") VERTEX("2"), properties, semantic)
#define POINTS(semantic) PASS("POINTS", "POINTS", VERTEX("0"), "", semantic)

static void fill(struct draw_scene *scene, const char *geometry, const char *fragment)
{
    scene->geometry = geometry;
    effect_fill(scene, plain_vertex, fragment);
}

/* ---- inputs ---- */

/* "DCL IN[][0], X": what the vertex shader writes as X, whatever X means to the rasterizer.
 * effect: GEOM IN CLIPDIST, GEOM IN CLIPVERTEX, GEOM IN COLOR, GEOM IN FOG, GEOM IN GENERIC, GEOM IN PSIZE,
 * GEOM IN TEXCOORD. */
static void inputs_come_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"CLIPDIST", "CLIPDIST[1]", "CLIPVERTEX", "COLOR",
                                        "COLOR[1]", "BCOLOR",      "FOG",        "PSIZE",
                                        "GENERIC",  "GENERIC[12]", "TEXCOORD",   "TEXCOORD[7]"};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (size_t n = 0; n < COUNT(names); n++) {
        char vertex[256], geometry[1024];
        snprintf(vertex, sizeof vertex,
                 "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], %s\n"
                 "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n",
                 names[n]);
        snprintf(geometry, sizeof geometry,
                 "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
                 "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL IN[][1], %s\nDCL OUT[0], POSITION\n"
                 "DCL OUT[1], GENERIC\nIMM[0] UINT32 {0, 0, 0, 0}\n" VERTEX("0") VERTEX("1") VERTEX("2") "END\n",
                 names[n]);
        scene.geometry = geometry;
        effect_fill(&scene, vertex, EFFECT_SHOW("IN", "GENERIC, CONSTANT"));
        effect_floats(&scene, 5, 9, 0.25f, -3, 7, 1.5f);
    }
    draw_end(&scene);
}

/* "This semantic label indicates the value contains the primitive id": as an input and as a system value; also the
 * position, which a vertex of each primitive has. What nothing writes is (0, 0, 0, 1), beside a number an integer.
 * effect: GEOM IN PRIM_ID, GEOM SV PRIM_ID, GEOM IN POSITION. */
static void primitives_have_their_number(void **state)
{
    (void)state;
#define NUMBERED(declaration, number)                                                                                  \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"                                  \
    "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\n" declaration "DCL OUT[0], POSITION\n"                  \
    "DCL OUT[1], GENERIC\nIMM[0] UINT32 {0, 100, 0, 0}\nMOV OUT[0], IN[0][0]\nUADD OUT[1].x, " number                  \
    ", IMM[0].yyyy\nEMIT IMM[0].xxxx\nEND\n"
    static const struct {
        const char *text;
        bool is_number;
        uint32_t rest; /* else the same of all primitives */
    } cases[] = {{NUMBERED("DCL SV[0], PRIM_ID\n", "SV[0].xxxx"), true, 0},
                 {NUMBERED("DCL IN[][1], PRIM_ID\n", "IN[0][1].xxxx"), true, 0},
                 {NUMBERED("DCL IN[][1], PRIM_ID\n", "IN[0][1].yyyy"), false, 0},
                 {NUMBERED("DCL IN[][1], PRIM_ID\n", "IN[0][1].zzzz"), false, 0},
                 {NUMBERED("DCL IN[][1], PRIM_ID\n", "IN[0][1].wwww"), false, 1},
                 {NUMBERED("DCL IN[][1], GENERIC[40]\n", "IN[0][1].yyyy"), false, 0},
                 {NUMBERED("DCL IN[][1], GENERIC[40]\n", "IN[0][1].zzzz"), false, 0},
                 {NUMBERED("DCL IN[][1], GENERIC[40]\n", "IN[0][1].wwww"), false, 0x3f800000}};
    struct effect_vertex points[EFFECT_SIDE];
    struct draw_scene scene;
    memset(points, 0, sizeof points);
    for (unsigned n = 0; n < EFFECT_SIDE; n++) {
        points[n].position[0] = draw_at(n + 0.5, EFFECT_SIDE);
        points[n].position[1] = draw_at(3.5, EFFECT_SIDE);
        points[n].position[3] = 1;
    }
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (size_t t = 0; t < COUNT(cases); t++) {
        scene.geometry = cases[t].text;
        effect_draw(&scene, EFFECT_POSITION, EFFECT_SHOW("IN", "GENERIC, CONSTANT"), SCH_PRIMITIVE_POINTS, points,
                    EFFECT_SIDE);
        for (unsigned n = 0; n < EFFECT_SIDE; n++)
            assert_int_equal(draw_pixel(&scene, n, 3), 100 + (cases[t].is_number ? n : cases[t].rest));
    }
    draw_end(&scene);
#undef NUMBERED
}

/* ---- outputs that fragments read ---- */

/* effect: GEOM OUT POSITION, GEOM OUT COLOR, GEOM OUT FOG, GEOM OUT GENERIC, GEOM OUT TEXCOORD. */
static void outputs_go_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"COLOR", "COLOR[1]", "FOG", "GENERIC[3]", "TEXCOORD[5]"};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (size_t n = 0; n < COUNT(names); n++) {
        char geometry[1024], fragment[256];
        snprintf(geometry, sizeof geometry,
                 "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
                 "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[9]\n"
                 "DCL OUT[0], POSITION\nDCL OUT[1], %s\nIMM[0] UINT32 {0, 0, 0, 0}\n" VERTEX("0") VERTEX("1")
                     VERTEX("2") "END\n",
                 names[n]);
        snprintf(fragment, sizeof fragment,
                 "FRAG\nDCL IN[0], %s, CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n", names[n]);
        fill(&scene, geometry, fragment);
        effect_floats(&scene, 5, 9, 0.25f, -3, 7, 1.5f);
        assert_int_equal(effect_count(&scene), EFFECT_SIDE * EFFECT_SIDE);
    }
    draw_end(&scene);
}

/* clamp_vertex_color: the colours of the last stage, front and back, whether its lanes emit together or not; nothing
 * else. */
static void colours_are_clamped(void **state)
{
    (void)state;
#define PASSED VERTEX("0") VERTEX("1") VERTEX("2")
#define PARTED(semantic)                                                                                               \
    PASS("TRIANGLES", "TRIANGLE_STRIP", "UIF SV[0].xxxx\n" PASSED "ELSE\n" PASSED "ENDIF\n", "DCL SV[0], PRIM_ID\n",   \
         semantic)
    static const struct {
        const char *vertex, *geometry, *fragment;
        bool clamped;
    } rows[] = {
        {EFFECT_PASS("COLOR"), NULL, EFFECT_SHOW("IN", "COLOR, CONSTANT"), true},
        {EFFECT_PASS("COLOR[1]"), NULL, EFFECT_SHOW("IN", "COLOR[1], CONSTANT"), true},
        {EFFECT_PASS("GENERIC"), NULL, EFFECT_SHOW("IN", "GENERIC, CONSTANT"), false},
        {plain_vertex, TRIANGLES("", "COLOR"), EFFECT_SHOW("IN", "COLOR, CONSTANT"), true},
        {plain_vertex, PARTED("COLOR"), EFFECT_SHOW("IN", "COLOR, CONSTANT"), true},
        {plain_vertex, TRIANGLES("", "GENERIC"), EFFECT_SHOW("IN", "GENERIC, CONSTANT"), false},
        {plain_vertex, PARTED("GENERIC"), EFFECT_SHOW("IN", "GENERIC, CONSTANT"), false},
    };
    static const char back[] = TRIANGLES("", "BCOLOR"), front[] = EFFECT_SHOW("IN", "COLOR, CONSTANT");
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (unsigned clamps = 0; clamps < 2; clamps++) {
        scene.rasterizer.clamp_vertex_color = clamps;
        for (size_t n = 0; n < COUNT(rows); n++) {
            scene.geometry = rows[n].geometry;
            effect_fill(&scene, rows[n].vertex, rows[n].fragment);
            if (clamps && rows[n].clamped)
                effect_floats(&scene, 5, 9, 0.25f, 0, 1, 1);
            else
                effect_floats(&scene, 5, 9, 0.25f, -3, 7, 1.5f);
        }
    }
    scene.rasterizer.light_twoside = true;
    for (unsigned n = 0, found = 0; n < 2; n++) {
        scene.rasterizer.front_ccw = n;
        fill(&scene, back, front);
        found += draw_pixel(&scene, 5, 9) != 0;
        if (draw_pixel(&scene, 5, 9)) effect_floats(&scene, 5, 9, 0.25f, 0, 1, 1);
        if (n) assert_int_equal(found, 1);
    }
    draw_end(&scene);
#undef PARTED
#undef PASSED
}

/* effect: GEOM OUT BCOLOR. */
static void back_faces_have_back_colours(void **state)
{
    (void)state;
    static const char geometry[] = TRIANGLES("", "BCOLOR"), fragment[] = EFFECT_SHOW("IN", "COLOR, CONSTANT");
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (unsigned n = 0; n < 2; n++) {
        scene.rasterizer.light_twoside = true;
        scene.rasterizer.front_ccw = n; /* one of both is the back */
        fill(&scene, geometry, fragment);
        const uint32_t word = draw_pixel(&scene, 5, 9);
        assert_int_equal(word, word ? 0x3e800000 : 0); /* 0.25, or of no colour */
    }
    scene.rasterizer.front_ccw = false;
    fill(&scene, geometry, fragment);
    const uint32_t first = draw_pixel(&scene, 5, 9);
    scene.rasterizer.front_ccw = true;
    fill(&scene, geometry, fragment);
    assert_int_not_equal(first, draw_pixel(&scene, 5, 9));
    draw_end(&scene);
}

/* "For geometry shaders ... replacing the value" (OpenGL 4.6 11.3.4.5): of the provoking vertex.
 * effect: GEOM OUT PRIM_ID. */
static void numbers_are_replaced(void **state)
{
    (void)state;
    static const char shown[] = EFFECT_SHOW("IN", "PRIM_ID, CONSTANT");
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    fill(&scene, TRIANGLES("", "PRIM_ID"), shown);
    assert_int_equal(draw_pixel(&scene, 2, 2), 0x3e800000);
    fill(&scene, TRIANGLES("", "GENERIC"), shown); /* that of the primitive it ran for */
    assert_int_equal(draw_pixel(&scene, 13, 13), 1);
    draw_end(&scene);
}

/* ---- outputs that fixed functions read ---- */

/* x - 6 and y - 6, in pixels, in IN[1]. */
static void distances(struct effect_vertex vertices[4])
{
    memset(vertices, 0, 4 * sizeof *vertices);
    effect_rectangle(vertices, effect_window, 0.5f, 1);
    for (unsigned i = 0; i < 4; i++) {
        vertices[i].a[0] = i & 1 ? EFFECT_SIDE - 6 : -6;
        vertices[i].a[1] = i & 2 ? EFFECT_SIDE - 6 : -6;
    }
}

static void draw_distances(struct draw_scene *scene, const char *geometry, uint32_t left, uint32_t top)
{
    struct effect_vertex vertices[4];
    distances(vertices);
    scene->geometry = geometry;
    effect_draw(scene, plain_vertex, EFFECT_ONE, SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
    for (uint32_t y = 0; y < EFFECT_SIDE; y++)
        for (uint32_t x = 0; x < EFFECT_SIDE; x++) assert_int_equal(draw_pixel(scene, x, y), x >= left && y >= top);
}

/* effect: GEOM OUT CLIPDIST, GEOM OUT CLIPVERTEX. */
static void primitives_are_clipped(void **state)
{
    (void)state;
    const float plane[4] = {1, 0, 0, 0};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.clip_plane_enable = 255;
    draw_distances(&scene, TRIANGLES("PROPERTY NUM_CLIPDIST_ENABLED 1\n", "CLIPDIST"), 6, 0);
    draw_distances(&scene, TRIANGLES("PROPERTY NUM_CLIPDIST_ENABLED 2\n", "CLIPDIST"), 6, 6);
    draw_distances(&scene, TRIANGLES("PROPERTY NUM_CLIPDIST_ENABLED 0\n", "CLIPDIST"), 0, 0);
    scene.rasterizer.clip_plane_enable = 2;
    memcpy(scene.dynamic.clip_planes[1], plane, sizeof plane);
    draw_distances(&scene, TRIANGLES("", "CLIPVERTEX"), 6, 0);
    draw_distances(&scene, TRIANGLES("", "GENERIC"), EFFECT_SIDE / 2, 0); /* the position's */
    draw_distances(&scene, TRIANGLES("PROPERTY VS_PROHIBIT_UCPS 1\n", "GENERIC"), 0, 0);
    draw_end(&scene);
}

/* effect: GEOM OUT PSIZE. */
static void points_have_their_size(void **state)
{
    (void)state;
    const struct effect_vertex point = {.position = {0, 0, 0.5f, 1}, .a = {6, 1, 1, 1}};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.point_size = 2;
    scene.rasterizer.point_size_per_vertex = true;
    scene.geometry = POINTS("PSIZE");
    effect_draw(&scene, plain_vertex, EFFECT_ONE, SCH_PRIMITIVE_POINTS, &point, 1);
    assert_int_equal(effect_count(&scene), 36);
    scene.geometry = POINTS("GENERIC");
    effect_draw(&scene, EFFECT_PASS("PSIZE"), EFFECT_ONE, SCH_PRIMITIVE_POINTS, &point, 1); /* only of the last stage */
    assert_int_equal(effect_count(&scene), 4);
    draw_end(&scene);
}

/* Bits: 2 * layer + (0 left, 1 right), where something is drawn. */
static uint32_t drawn_in(const struct draw_scene *scene)
{
    uint32_t bits = 0;
    for (uint32_t layer = 0; layer < EFFECT_LAYERS; layer++)
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t word[4];
            effect_read_layer(scene, 3 + 8 * side, 7, layer, word);
            if (word[0]) bits |= 1u << (2 * layer + side);
        }
    return bits;
}

/* GENERIC[9] is not what goes on, but an integer of IMM[1]. */
#define NUMBER(properties, semantics, code)                                                                            \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"                       \
    "PROPERTY GS_MAX_OUTPUT_VERTICES 3\n" properties "DCL IN[][0], POSITION\nDCL OUT[0], POSITION\n" semantics         \
    "IMM[0] UINT32 {0, 1, 2, 3}\n" code "MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\n" code                                \
    "MOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\n" code "MOV OUT[0], IN[2][0]\nEMIT IMM[0].xxxx\nEND\n"

/* effect: GEOM OUT LAYER, GEOM OUT VIEWPORT_INDEX, GEOM OUT VIEWPORT_MASK, PROPERTY LAYER_VIEWPORT_RELATIVE. */
static void primitives_have_layers_and_viewports(void **state)
{
    (void)state;
    static const struct {
        const char *geometry;
        uint32_t drawn;
    } rows[] = {
        {NUMBER("", "", ""), 1},
        {NUMBER("", "DCL OUT[1], LAYER\n", "MOV OUT[1].x, IMM[0].zzzz\n"), 1u << 4},
        {NUMBER("", "DCL OUT[1], VIEWPORT_INDEX\n", "MOV OUT[1].x, IMM[0].yyyy\n"), 1u << 1},
        {NUMBER("", "DCL OUT[1], VIEWPORT_MASK\n", "MOV OUT[1].x, IMM[0].wwww\n"), 3},
        {NUMBER("", "DCL OUT[1], VIEWPORT_MASK\n", "MOV OUT[1].x, IMM[0].xxxx\n"), 0},
        {NUMBER("PROPERTY LAYER_VIEWPORT_RELATIVE 1\n", "DCL OUT[1], LAYER\nDCL OUT[2], VIEWPORT_MASK\n",
                "MOV OUT[1].x, IMM[0].yyyy\nMOV OUT[2].x, IMM[0].wwww\n"),
         1u << 2 | 1u << 5},
    };
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    effect_use_layers(&scene);
    effect_use_viewports(&scene);
    for (size_t n = 0; n < COUNT(rows); n++) {
        fill(&scene, rows[n].geometry, EFFECT_ONE);
        assert_int_equal(drawn_in(&scene), rows[n].drawn);
    }
    /* A vertex shader's layer is an input like others. */
    scene.geometry = rows[0].geometry;
    effect_fill(&scene,
                "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], LAYER\nIMM[0] UINT32 {2, 0, 0, 0}\n"
                "MOV OUT[0], IN[0]\nMOV OUT[1], IMM[0]\nEND\n",
                EFFECT_ONE);
    assert_int_equal(drawn_in(&scene), 1);
    draw_end(&scene);
}

/* ---- invocations ---- */

/* Sixteen invocations of one point, each with a pixel: "a system value contains the current invocation id"; those that
 * follow each other share a group.
 * effect: GEOM SV INVOCATIONID, PROPERTY GS_INVOCATIONS, GEOM SV SUBGROUP_SIZE, GEOM SV SUBGROUP_INVOCATION,
 * GEOM SV SUBGROUP_EQ_MASK, GEOM SV SUBGROUP_GE_MASK, GEOM SV SUBGROUP_GT_MASK, GEOM SV SUBGROUP_LE_MASK,
 * GEOM SV SUBGROUP_LT_MASK. */
static void invocations_have_their_lanes(void **state)
{
    (void)state;
    static const char *const names[] = {"INVOCATIONID",     "SUBGROUP_SIZE",    "SUBGROUP_INVOCATION",
                                        "SUBGROUP_EQ_MASK", "SUBGROUP_GE_MASK", "SUBGROUP_GT_MASK",
                                        "SUBGROUP_LE_MASK", "SUBGROUP_LT_MASK"};
    struct effect_vertex point = {.position = {0, 0, 0.5f, 1}};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (size_t n = 0; n < COUNT(names); n++) {
        char geometry[1024];
        snprintf(geometry, sizeof geometry,
                 "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                 "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nPROPERTY GS_INVOCATIONS 16\nDCL IN[][0], POSITION\n"
                 "DCL SV[0], INVOCATIONID\nDCL SV[1], %s\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC\nDCL TEMP[0]\n"
                 "IMM[0] UINT32 {0, 0, 0, 0}\nIMM[1] FLT32 {0.125, -0.9375, 0.0, 1.0}\nU2F TEMP[0].x, SV[0].xxxx\n"
                 "MAD OUT[0].x, TEMP[0].xxxx, IMM[1].xxxx, IMM[1].yyyy\nMOV OUT[0].yzw, IN[0][0]\n"
                 "MOV OUT[1], SV[1].xxxx\nEMIT IMM[0].xxxx\nEND\n",
                 names[n]);
        scene.geometry = geometry;
        effect_draw(&scene, EFFECT_POSITION, EFFECT_SHOW("IN", "GENERIC, CONSTANT"), SCH_PRIMITIVE_POINTS, &point, 1);
        for (uint32_t i = 0; i < EFFECT_SIDE; i++) {
            const uint32_t self = 1u << i, before = self - 1;
            const uint32_t expected[] = {i, 32, i, self, ~before, ~(before | self), before | self, before};
            assert_int_equal(draw_pixel(&scene, i, 8), expected[n]);
        }
    }
    draw_end(&scene);
}

/* Where groups can be seen they have 32 lanes, also if what these may emit takes 16 MiB: the last 16 of 32 invocations
 * are in the window. */
static void groups_that_are_seen_are_whole(void **state)
{
    (void)state;
    static const char geometry[] =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 16384\nPROPERTY GS_INVOCATIONS 32\nDCL IN[][0], POSITION\n"
        "DCL SV[0], INVOCATIONID\nDCL SV[1], SUBGROUP_INVOCATION\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC\n"
        "DCL TEMP[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nIMM[1] FLT32 {0.125, -2.9375, 0.0, 1.0}\n"
        "U2F TEMP[0].x, SV[0].xxxx\nMAD OUT[0].x, TEMP[0].xxxx, IMM[1].xxxx, IMM[1].yyyy\n"
        "MOV OUT[0].yzw, IN[0][0]\nMOV OUT[1], SV[1].xxxx\nEMIT IMM[0].xxxx\nEND\n";
    struct effect_vertex point = {.position = {0, 0, 0.5f, 1}};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    scene.geometry = geometry;
    effect_draw(&scene, EFFECT_POSITION, EFFECT_SHOW("IN", "GENERIC, CONSTANT"), SCH_PRIMITIVE_POINTS, &point, 1);
    for (uint32_t i = 0; i < EFFECT_SIDE; i++) assert_int_equal(draw_pixel(&scene, i, 8), i + 16);
    draw_end(&scene);
}

/* effect: GEOM SV TESS_DEFAULT_OUTER_LEVEL, GEOM SV TESS_DEFAULT_INNER_LEVEL. */
static void default_levels_are_known(void **state)
{
    (void)state;
#define LEVELS(name)                                                                                                   \
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"                       \
    "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL SV[0], " name "\nDCL OUT[0], POSITION\n"            \
    "DCL OUT[1], GENERIC\nIMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nMOV OUT[1], SV[0]\nEMIT IMM[0].xxxx\n"     \
    "MOV OUT[0], IN[1][0]\nMOV OUT[1], SV[0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[2][0]\nMOV OUT[1], SV[0]\n"             \
    "EMIT IMM[0].xxxx\nEND\n"
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (unsigned n = 0; n < 4; n++) scene.dynamic.default_outer_levels[n] = 2 + (float)n;
    scene.dynamic.default_inner_levels[0] = 7;
    scene.dynamic.default_inner_levels[1] = 8;
    fill(&scene, LEVELS("TESS_DEFAULT_OUTER_LEVEL"), EFFECT_SHOW("IN", "GENERIC, CONSTANT"));
    effect_floats(&scene, 5, 9, 2, 3, 4, 5);
    fill(&scene, LEVELS("TESS_DEFAULT_INNER_LEVEL"), EFFECT_SHOW("IN", "GENERIC, CONSTANT"));
    effect_floats(&scene, 5, 9, 7, 8, 0, 0);
#undef LEVELS
    draw_end(&scene);
}

/* Four points are emitted into a limit of two.
 * effect: PROPERTY GS_MAX_OUTPUT_VERTICES. */
static void vertices_are_limited(void **state)
{
    (void)state;
    static const struct {
        const char *limit;
        uint32_t points;
    } rows[] = {{"1", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"16384", 4}};
    struct effect_vertex point = {.position = {0, 0, 0.5f, 1}};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (size_t n = 0; n < COUNT(rows); n++) {
        char geometry[1024];
        snprintf(geometry, sizeof geometry,
                 "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                 "PROPERTY GS_MAX_OUTPUT_VERTICES %s\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL TEMP[0]\n"
                 "IMM[0] UINT32 {0, 0, 0, 0}\nIMM[1] FLT32 {0.125, 0.0, 0.0, 0.0}\nMOV TEMP[0], IN[0][0]\n"
                 "MOV OUT[0], TEMP[0]\nEMIT IMM[0].xxxx\nADD TEMP[0], TEMP[0], IMM[1]\nMOV OUT[0], TEMP[0]\n"
                 "EMIT IMM[0].xxxx\nADD TEMP[0], TEMP[0], IMM[1]\nMOV OUT[0], TEMP[0]\nEMIT IMM[0].xxxx\n"
                 "ADD TEMP[0], TEMP[0], IMM[1]\nMOV OUT[0], TEMP[0]\nEMIT IMM[0].xxxx\nEND\n",
                 rows[n].limit);
        scene.geometry = geometry;
        effect_draw(&scene, EFFECT_POSITION, EFFECT_ONE, SCH_PRIMITIVE_POINTS, &point, 1);
        assert_int_equal(effect_count(&scene), rows[n].points);
    }
    draw_end(&scene);
}

/* Each point becomes two, side by side; vertices of a stream that is not drawn, or a limit above what is emitted, leave
 * gaps before, between or after them. In the last case only points of even rows do, so that invocations part. */
#define NEXT  "ADD TEMP[0], TEMP[0], IMM[1]\nMOV OUT[0], TEMP[0]\n"
#define DRAWN "EMIT IMM[0].xxxx\n"
#define OTHER "EMIT IMM[0].yyyy\n"
#define EVEN  "UIF IN[0][0].zzzz\n" NEXT DRAWN "ENDIF\n"
static void gaps_are_closed(void **state)
{
    (void)state;
    static const struct {
        const char *limit, *emits;
        bool part;
    } rows[] = {{"2", DRAWN NEXT DRAWN, false},
                {"5", DRAWN NEXT DRAWN, false},
                {"3", OTHER DRAWN NEXT DRAWN, false},
                {"3", DRAWN OTHER NEXT DRAWN, false},
                {"3", DRAWN NEXT DRAWN OTHER, false},
                {"7", DRAWN NEXT DRAWN OTHER, false},
                {"2", DRAWN EVEN, true}};
    struct effect_vertex points[EFFECT_SIDE];
    struct draw_scene scene;
    memset(points, 0, sizeof points);
    for (unsigned n = 0; n < EFFECT_SIDE; n++) {
        points[n].position[0] = draw_at(n % 4 + 0.5, EFFECT_SIDE);
        points[n].position[1] = draw_at(n + 0.5, EFFECT_SIDE);
        points[n].position[2] = n % 2 ? 0 : 0.5f;
        points[n].position[3] = 1;
    }
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (size_t n = 0; n < COUNT(rows); n++) {
        char geometry[1024];
        snprintf(geometry, sizeof geometry,
                 "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                 "PROPERTY GS_MAX_OUTPUT_VERTICES %s\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL TEMP[0]\n"
                 "IMM[0] UINT32 {0, 1, 0, 0}\nIMM[1] FLT32 {0.125, 0.0, 0.0, 0.0}\nMOV TEMP[0], IN[0][0]\n"
                 "MOV OUT[0], TEMP[0]\n%sEND\n",
                 rows[n].limit, rows[n].emits);
        scene.geometry = geometry;
        effect_draw(&scene, EFFECT_POSITION, EFFECT_ONE, SCH_PRIMITIVE_POINTS, points, EFFECT_SIDE);
        for (uint32_t y = 0; y < EFFECT_SIDE; y++)
            for (uint32_t x = 0; x < EFFECT_SIDE; x++) {
                const uint32_t count = rows[n].part && y % 2 ? 1 : 2;
                if (!draw_pixel(&scene, x, y) != (x < y % 4 || x >= y % 4 + count))
                    fail_msg("case %zu: another pixel at %u, %u", n, x, y);
            }
    }
    draw_end(&scene);
}

/* Three vertices are three points, two lines of a strip, or a triangle.
 * effect: PROPERTY GS_INPUT_PRIMITIVE, PROPERTY GS_OUTPUT_PRIMITIVE. */
static void strips_are_cut(void **state)
{
    (void)state;
    static const char points[] = PASS("TRIANGLES", "POINTS", VERTEX("0") VERTEX("1") VERTEX("2"), "", "GENERIC"),
                      lines[] = PASS("TRIANGLES", "LINE_STRIP", VERTEX("0") VERTEX("1") VERTEX("2"), "", "GENERIC"),
                      triangle[] = TRIANGLES("", "GENERIC");
    struct effect_vertex vertices[3];
    static const double places[3][2] = {{2.5, 2.5}, {10.5, 2.5}, {10.5, 10.5}};
    struct draw_scene scene;
    memset(vertices, 0, sizeof vertices);
    for (unsigned n = 0; n < 3; n++) {
        vertices[n].position[0] = draw_at(places[n][0], EFFECT_SIDE);
        vertices[n].position[1] = draw_at(places[n][1], EFFECT_SIDE);
        vertices[n].position[3] = 1;
    }
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    scene.geometry = points;
    effect_draw(&scene, plain_vertex, EFFECT_ONE, SCH_PRIMITIVE_TRIANGLES, vertices, 3);
    assert_int_equal(effect_count(&scene), 3);
    scene.geometry = lines;
    effect_draw(&scene, plain_vertex, EFFECT_ONE, SCH_PRIMITIVE_TRIANGLES, vertices, 3);
    assert_int_equal(effect_count(&scene), 8 + 8); /* without their last pixels, of which one begins the other */
    scene.geometry = triangle;
    effect_draw(&scene, plain_vertex, EFFECT_ONE, SCH_PRIMITIVE_TRIANGLES, vertices, 3);
    assert_int_equal(effect_count(&scene),
                     36); /* centres on the diagonal are on its left edge, those on the right no more */
    draw_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_are_clamped),
        cmocka_unit_test(inputs_come_by_name),
        cmocka_unit_test(primitives_have_their_number),
        cmocka_unit_test(outputs_go_by_name),
        cmocka_unit_test(back_faces_have_back_colours),
        cmocka_unit_test(numbers_are_replaced),
        cmocka_unit_test(primitives_are_clipped),
        cmocka_unit_test(points_have_their_size),
        cmocka_unit_test(primitives_have_layers_and_viewports),
        cmocka_unit_test(groups_that_are_seen_are_whole),
        cmocka_unit_test(invocations_have_their_lanes),
        cmocka_unit_test(default_levels_are_known),
        cmocka_unit_test(vertices_are_limited),
        cmocka_unit_test(gaps_are_closed),
        cmocka_unit_test(strips_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
