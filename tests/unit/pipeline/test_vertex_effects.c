/* What the semantics and properties of vertex shaders do in a draw, and those of fragment shaders that have what they
 * wrote. Expectations are the sentences of tgsi.rst, "Declaration Semantic" and "Properties". `effect:` names what a
 * test is of (tests/static/semantics.py). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "effects.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- attributes ---- */

/* Labels of vertex inputs change nothing: elements are given by the register's number.
 * effect: VERT IN POSITION, VERT IN COLOR, VERT IN FOG, VERT IN PSIZE, VERT IN GENERIC, VERT IN NORMAL,
 * VERT IN TEXCOORD, VERT IN CLIPDIST, VERT IN CLIPVERTEX. */
static void vertex_inputs_have_labels(void **state)
{
    (void)state;
    static const char *const labels[] = {"POSITION", "COLOR[1]",    "FOG",      "PSIZE",     "GENERIC[3]",
                                         "NORMAL",   "TEXCOORD[2]", "CLIPDIST", "CLIPVERTEX"};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (size_t n = 0; n < COUNT(labels); n++) {
        char vertex[256];
        snprintf(vertex, sizeof vertex,
                 "VERT\nDCL IN[0], GENERIC[1]\nDCL IN[1], %s\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                 "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n",
                 labels[n]);
        effect_fill(&scene, vertex, EFFECT_SHOW("IN", "GENERIC[0], CONSTANT"));
        effect_floats(&scene, 3, 4, 0.25f, -3, 7, 1.5f);
    }
    draw_end(&scene);
}

/* "Fog coord really is just an ordinary vec4 register like regular semantics."
 * effect: VERT OUT GENERIC, FRAG IN GENERIC, VERT OUT FOG, FRAG IN FOG, VERT OUT TEXCOORD, FRAG IN TEXCOORD. */
static void attributes_reach_fragments(void **state)
{
    (void)state;
    static const char *const names[] = {"GENERIC[5]", "FOG", "TEXCOORD[3]", "COLOR[1]"};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (size_t n = 0; n < COUNT(names); n++) {
        char vertex[256], fragment[256];
        snprintf(vertex, sizeof vertex, EFFECT_PASS("%s"), names[n]);
        snprintf(fragment, sizeof fragment, EFFECT_SHOW("IN", "%s, PERSPECTIVE"), names[n]);
        effect_fill(&scene, vertex, fragment);
        effect_floats(&scene, 9, 2, 0.25f, -3, 7, 1.5f);
        assert_int_equal(effect_count(&scene), EFFECT_SIDE * EFFECT_SIDE);
    }
    effect_fill(&scene, EFFECT_PASS("GENERIC[5]"), EFFECT_SHOW("IN", "GENERIC[4], PERSPECTIVE"));
    effect_floats(&scene, 9, 2, 0, 0, 0, 1); /* nothing writes it */
    draw_end(&scene);
}

/* "This label is needed so that the flat/smooth shading can be applied to the right interpolants during rasterization."
 * effect: VERT OUT COLOR, FRAG IN COLOR. */
static void flat_shading_is_of_colours(void **state)
{
    (void)state;
    struct effect_vertex vertices[4];
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    effect_rectangle(vertices, effect_window, 0.5f, 1);
    for (unsigned i = 0; i < 4; i++) { /* x of the window in x, and the vertex's number */
        const float a[4] = {i & 1 ? EFFECT_SIDE : 0, (float)i, 0, 0};
        memcpy(vertices[i].a, a, sizeof a);
    }
    scene.rasterizer.flatshade = true;
    scene.rasterizer.flatshade_first = false;
    effect_draw(&scene, EFFECT_PASS("COLOR"), EFFECT_SHOW("IN", "COLOR"), SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
    effect_floats(&scene, 1, 1, 0, 2, 0, 0); /* vertex 2 of the first triangle, 3 of the second one */
    effect_floats(&scene, 14, 14, EFFECT_SIDE, 3, 0, 0);
    effect_draw(&scene, EFFECT_PASS("COLOR"), EFFECT_SHOW("IN", "COLOR, LINEAR"), SCH_PRIMITIVE_TRIANGLE_STRIP,
                vertices, 4);
    uint32_t word[4];
    draw_read(&scene, scene.color, 5, 9, 0, word);
    assert_float_equal(api_float(word[0]), 5.5, 1e-4); /* a mode of its own */
    effect_draw(&scene, EFFECT_PASS("GENERIC"), EFFECT_SHOW("IN", "GENERIC"), SCH_PRIMITIVE_TRIANGLE_STRIP, vertices,
                4);
    draw_read(&scene, scene.color, 5, 9, 0, word);
    assert_float_equal(api_float(word[0]), 5.5, 1e-4); /* no colour */
    scene.rasterizer.flatshade = false;
    effect_draw(&scene, EFFECT_PASS("COLOR"), EFFECT_SHOW("IN", "COLOR, COLOR"), SCH_PRIMITIVE_TRIANGLE_STRIP, vertices,
                4);
    draw_read(&scene, scene.color, 5, 9, 0, word);
    assert_float_equal(api_float(word[0]), 5.5, 1e-4);
    draw_end(&scene);
}

/* A triangle over the left upper half of the window, as seen counter-clockwise or clockwise. */
static void triangle(struct effect_vertex vertices[3], bool clockwise)
{
    struct effect_vertex corners[4];
    memset(corners, 0, sizeof corners);
    effect_rectangle(corners, effect_window, 0.5f, 1);
    vertices[0] = corners[0];
    vertices[1] = corners[clockwise ? 1 : 2];
    vertices[2] = corners[clockwise ? 2 : 1];
    for (unsigned i = 0; i < 3; i++) vertices[i].a[0] = 2, vertices[i].b[0] = 3;
}

/* "COLOR and BCOLOR end up occupying the same slots in the fragment shader."
 * effect: VERT OUT BCOLOR. */
static void back_faces_have_back_colours(void **state)
{
    (void)state;
    static const char both[] = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\n"
                               "DCL OUT[2], BCOLOR\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nEND\n";
    static const char fragment[] = EFFECT_SHOW("IN", "COLOR, COLOR");
    struct draw_scene scene;
    struct effect_vertex vertices[3];
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (unsigned n = 0; n < 8; n++) {
        const bool clockwise = n & 1, ccw_is_front = n & 2, twoside = n & 4;
        scene.rasterizer.front_ccw = ccw_is_front;
        scene.rasterizer.light_twoside = twoside;
        triangle(vertices, clockwise);
        effect_draw(&scene, both, fragment, SCH_PRIMITIVE_TRIANGLES, vertices, 3);
        effect_floats(&scene, 2, 2, twoside && clockwise == ccw_is_front ? 3 : 2, 0, 0, 0);
        effect_draw(&scene, EFFECT_PASS("COLOR"), fragment, SCH_PRIMITIVE_TRIANGLES, vertices, 3);
        effect_floats(&scene, 2, 2, 2, 0, 0, 0); /* there is no back colour */
    }
    draw_end(&scene);
}

/* "F will be positive when the fragment belongs to a front-facing polygon, and negative when the fragment belongs to a
 * back-facing polygon"; as a system value "0xffffffff" and "0".
 * effect: FRAG IN FACE, FRAG SV FACE. */
static void faces_are_front_or_back(void **state)
{
    (void)state;
    struct draw_scene scene;
    struct effect_vertex vertices[3];
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (unsigned n = 0; n < 4; n++) {
        const bool front = (n & 1) != (n >> 1 & 1);
        scene.rasterizer.front_ccw = n & 2;
        triangle(vertices, n & 1);
        effect_draw(&scene, EFFECT_POSITION, EFFECT_SHOW("IN", "FACE, CONSTANT"), SCH_PRIMITIVE_TRIANGLES, vertices, 3);
        effect_floats(&scene, 2, 2, front ? 1 : -1, 0, 0, 1);
        effect_draw(&scene, EFFECT_POSITION,
                    "FRAG\nDCL SV[0], FACE\nDCL OUT[0], COLOR\nIMM[0] UINT32 {7, 0, 0, 0}\nMOV OUT[0].x, SV[0]\n"
                    "MOV OUT[0].y, IMM[0].xxxx\nEND\n",
                    SCH_PRIMITIVE_TRIANGLES, vertices, 3);
        effect_words(&scene, 2, 2, front ? UINT32_MAX : 0, 7, 0, 0);
    }
    const struct effect_vertex point = {.position = {0, 0, 0.5f, 1}}; /* "all other fragments" (GL 15.2.2) */
    scene.rasterizer.point_size = 4;
    effect_draw(&scene, EFFECT_POSITION, EFFECT_SHOW("IN", "FACE, CONSTANT"), SCH_PRIMITIVE_POINTS, &point, 1);
    effect_floats(&scene, 8, 8, 1, 0, 0, 1);
    draw_end(&scene);
}

/* ---- positions ---- */

/* "After clipping, the X, Y and Z components of the vertex will be divided by the W value."
 * effect: VERT OUT POSITION. */
static void positions_are_divided_by_w(void **state)
{
    (void)state;
    static const double box[4] = {4, 6, 12, 9};
    struct effect_vertex vertices[4] = {0};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (float w = 0.5f; w <= 4; w *= 2) {
        effect_rectangle(vertices, box, 0.25f, w);
        effect_draw(&scene, EFFECT_POSITION, EFFECT_ONE, SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
        for (uint32_t y = 0; y < EFFECT_SIDE; y++)
            for (uint32_t x = 0; x < EFFECT_SIDE; x++)
                assert_int_equal(draw_pixel(&scene, x, y), x >= 4 && x < 12 && y >= 6 && y < 9);
    }
    draw_end(&scene);
}

/* "Division of X,Y,Z by W and the viewport transformation are disabled, and 1/W is directly taken from the 4-th
 * component of the shader output. Naturally, clipping is not performed on window coordinates either."
 * effect: PROPERTY VS_WINDOW_SPACE_POSITION. */
static void positions_may_be_in_the_window(void **state)
{
    (void)state;
    static const char vertex[] = "VERT\nPROPERTY VS_WINDOW_SPACE_POSITION 1\nDCL IN[0]\nDCL OUT[0], POSITION\n"
                                 "MOV OUT[0], IN[0]\nEND\n";
    static const struct effect_vertex vertices[4] = {{.position = {4, 6, 0.25f, 3}},
                                                     {.position = {12, 6, 0.25f, 3}},
                                                     {.position = {4, 9, 0.25f, 3}},
                                                     {.position = {12, 9, 0.25f, 3}}};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    effect_draw(&scene, vertex, EFFECT_SHOW("IN", "POSITION, LINEAR"), SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
    for (uint32_t y = 0; y < EFFECT_SIDE; y++)
        for (uint32_t x = 0; x < EFFECT_SIDE; x++)
            if (x >= 4 && x < 12 && y >= 6 && y < 9)
                effect_floats(&scene, x, y, (float)x + 0.5f, (float)y + 0.5f, 0.25f, 3);
            else
                effect_words(&scene, x, y, 0, 0, 0, 0);
    draw_end(&scene);
}

/* ---- clipping ---- */

/* The window, with IN[1].x = IN[2].y = x - 6 and IN[1].y = y - 6 in pixels. */
static void distances(struct effect_vertex vertices[4])
{
    effect_rectangle(vertices, effect_window, 0.5f, 1);
    for (unsigned i = 0; i < 4; i++) {
        const float x = i & 1 ? EFFECT_SIDE - 6 : -6, y = i & 2 ? EFFECT_SIDE - 6 : -6;
        const float a[4] = {x, y, x, -1}, b[4] = {-1, x, 1, -1};
        memcpy(vertices[i].a, a, sizeof a);
        memcpy(vertices[i].b, b, sizeof b);
    }
}

#define DISTANCES(properties)                                                                                          \
    "VERT\n" properties "DCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL OUT[0], POSITION\nDCL OUT[1..2], CLIPDIST\n"             \
    "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nEND\n"

static void check_box(const struct draw_scene *scene, uint32_t left, uint32_t top)
{
    for (uint32_t y = 0; y < EFFECT_SIDE; y++)
        for (uint32_t x = 0; x < EFFECT_SIDE; x++) assert_int_equal(draw_pixel(scene, x, y), x >= left && y >= top);
}

/* "Primitive setup only invokes rasterization on pixels for which the interpolated plane distances are >= 0";
 * "primitives will be completely discarded if the plane distance for all of the vertices in the primitive are < 0"; the
 * properties "are used to divide up the 2 x vec4 space between clipping and culling".
 * effect: VERT OUT CLIPDIST, PROPERTY NUM_CLIPDIST_ENABLED, PROPERTY NUM_CULLDIST_ENABLED,
 * PROPERTY D3D_CLIP_DISTANCES, PROPERTY D3D_CULL_DISTANCES. */
static void distances_clip_and_cull(void **state)
{
    (void)state;
    static const struct {
        const char *vertex;
        uint32_t left, top;
    } rows[] = {
        {DISTANCES("PROPERTY NUM_CLIPDIST_ENABLED 1\n"), 6, 0},
        {DISTANCES("PROPERTY NUM_CLIPDIST_ENABLED 2\n"), 6, 6},
        {DISTANCES("PROPERTY NUM_CLIPDIST_ENABLED 0\n"), 0, 0},
        {DISTANCES("PROPERTY NUM_CLIPDIST_ENABLED 4\n"), EFFECT_SIDE, EFFECT_SIDE},
        {DISTANCES("PROPERTY NUM_CULLDIST_ENABLED 3\n"), 0, 0}, /* some vertex is inside of each */
        {DISTANCES("PROPERTY NUM_CULLDIST_ENABLED 4\n"), EFFECT_SIDE, EFFECT_SIDE},
        {DISTANCES("PROPERTY NUM_CLIPDIST_ENABLED 2\nPROPERTY NUM_CULLDIST_ENABLED 1\n"), 6, 6},
        {DISTANCES("PROPERTY NUM_CLIPDIST_ENABLED 2\nPROPERTY NUM_CULLDIST_ENABLED 2\n"), EFFECT_SIDE, EFFECT_SIDE},
        {DISTANCES("PROPERTY D3D_CLIP_DISTANCES 32\n"), 6, 0}, /* OUT[2].y */
        {DISTANCES("PROPERTY D3D_CLIP_DISTANCES 34\n"), 6, 6}, /* and OUT[1].y */
        {DISTANCES("PROPERTY D3D_CLIP_DISTANCES 1\nPROPERTY D3D_CULL_DISTANCES 64\n"), 6, 0},
        {DISTANCES("PROPERTY D3D_CLIP_DISTANCES 1\nPROPERTY D3D_CULL_DISTANCES 128\n"), EFFECT_SIDE, EFFECT_SIDE},
    };
    struct draw_scene scene;
    struct effect_vertex vertices[4];
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.clip_plane_enable = 255;
    distances(vertices);
    for (size_t n = 0; n < COUNT(rows); n++) {
        effect_draw(&scene, rows[n].vertex, EFFECT_ONE, SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
        check_box(&scene, rows[n].left, rows[n].top);
    }
    draw_end(&scene);
}

/* "In which case the appropriately interpolated clip distances or cull distances show up, as expected" (D3D 15.4.3).
 * effect: FRAG IN CLIPDIST. */
static void fragments_read_distances(void **state)
{
    (void)state;
    struct draw_scene scene;
    struct effect_vertex vertices[4];
    uint32_t word[4];
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    distances(vertices);
    effect_draw(&scene, DISTANCES("PROPERTY NUM_CULLDIST_ENABLED 3\n"), EFFECT_SHOW("IN", "CLIPDIST, LINEAR"),
                SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
    draw_read(&scene, scene.color, 9, 12, 0, word);
    assert_float_equal(api_float(word[0]), 3.5, 1e-4);
    assert_float_equal(api_float(word[1]), 6.5, 1e-4);
    draw_end(&scene);
}

/* User planes are tested against CLIPVERTEX, or POSITION; "user clip planes should have no effect (be disabled) even if
 * that shader does not write to any clip distance outputs and the rasterizer's clip_plane_enable is non-zero".
 * effect: VERT OUT CLIPVERTEX, PROPERTY VS_PROHIBIT_UCPS. */
static void user_planes_clip(void **state)
{
    (void)state;
    struct draw_scene scene;
    struct effect_vertex vertices[4];
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    distances(vertices);
    scene.rasterizer.clip_plane_enable = 2;
    const float plane[4] = {1, 0, 0, 0}; /* x >= 0: of positions the right half */
    memcpy(scene.dynamic.clip_planes[1], plane, sizeof plane);
    effect_draw(&scene, EFFECT_POSITION, EFFECT_ONE, SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
    check_box(&scene, EFFECT_SIDE / 2, 0);
    effect_draw(&scene, EFFECT_PASS("CLIPVERTEX"), EFFECT_ONE, SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
    check_box(&scene, 6, 0);
    effect_draw(&scene, "VERT\nPROPERTY VS_PROHIBIT_UCPS 1\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n",
                EFFECT_ONE, SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
    check_box(&scene, 0, 0);
    draw_end(&scene);
}

/* ---- points and edges ---- */

/* "The point size controls the width or diameter of points for rasterization."
 * effect: VERT OUT PSIZE. */
static void points_have_their_size(void **state)
{
    (void)state;
    const struct effect_vertex point = {.position = {0, 0, 0.5f, 1}, .a = {6, 1, 1, 1}};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.point_size = 2;
    scene.rasterizer.point_size_per_vertex = true;
    effect_draw(&scene, EFFECT_PASS("PSIZE"), EFFECT_ONE, SCH_PRIMITIVE_POINTS, &point, 1);
    for (uint32_t y = 0; y < EFFECT_SIDE; y++)
        for (uint32_t x = 0; x < EFFECT_SIDE; x++)
            assert_int_equal(draw_pixel(&scene, x, y), x >= 5 && x < 11 && y >= 5 && y < 11);
    effect_draw(&scene, EFFECT_POSITION, EFFECT_ONE, SCH_PRIMITIVE_POINTS, &point, 1);
    assert_int_equal(effect_count(&scene), 4);
    scene.rasterizer.point_size_per_vertex = false;
    effect_draw(&scene, EFFECT_PASS("PSIZE"), EFFECT_ONE, SCH_PRIMITIVE_POINTS, &point, 1);
    assert_int_equal(effect_count(&scene), 4);
    draw_end(&scene);
}

/* Inputs "replaceable by sprite coordinates via the sprite_coord_enable state"; PCOORD has "sprite coordinates in the
 * form (x, y, 0, 1), if the current primitive is a point and point sprites are enabled".
 * effect: FRAG IN PCOORD, FRAG IN TEXCOORD, VERT OUT TEXCOORD. */
static void sprites_have_coordinates(void **state)
{
    (void)state;
    const struct effect_vertex point = {.position = {0, 0, 0.5f, 1}, .a = {9, 8, 7, 6}};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.point_size = 8; /* from 4 to 12 */
    scene.rasterizer.point_quad_rasterization = true;
    scene.rasterizer.sprite_coord_enable = 1u << 2;
    scene.rasterizer.sprite_coord_mode = SCH_SPRITE_UPPER_LEFT;
    effect_draw(&scene, EFFECT_PASS("TEXCOORD[2]"), EFFECT_SHOW("IN", "TEXCOORD[2], LINEAR"), SCH_PRIMITIVE_POINTS,
                &point, 1);
    effect_floats(&scene, 4, 7, 0.0625f, 0.4375f, 0, 1);
    assert_int_equal(effect_count(&scene), 64);
    effect_draw(&scene, EFFECT_PASS("TEXCOORD[1]"), EFFECT_SHOW("IN", "TEXCOORD[1], LINEAR"), SCH_PRIMITIVE_POINTS,
                &point, 1);
    effect_floats(&scene, 4, 7, 9, 8, 7, 6);
    effect_draw(&scene, EFFECT_PASS("GENERIC[2]"), EFFECT_SHOW("IN", "GENERIC[2], LINEAR"), SCH_PRIMITIVE_POINTS,
                &point, 1);
    effect_floats(&scene, 4, 7, 9, 8, 7, 6);
    effect_draw(&scene, EFFECT_POSITION, EFFECT_SHOW("IN", "PCOORD, LINEAR"), SCH_PRIMITIVE_POINTS, &point, 1);
    effect_floats(&scene, 11, 5, 0.9375f, 0.1875f, 0, 1);
    scene.rasterizer.sprite_coord_mode = SCH_SPRITE_LOWER_LEFT;
    effect_draw(&scene, EFFECT_POSITION, EFFECT_SHOW("IN", "PCOORD, LINEAR"), SCH_PRIMITIVE_POINTS, &point, 1);
    effect_floats(&scene, 11, 5, 0.9375f, 0.8125f, 0, 1);
    scene.rasterizer.sprite_coord_generic = true;
    effect_draw(&scene, EFFECT_PASS("GENERIC[2]"), EFFECT_SHOW("IN", "GENERIC[2], LINEAR"), SCH_PRIMITIVE_POINTS,
                &point, 1);
    effect_floats(&scene, 4, 7, 0.0625f, 0.5625f, 0, 1);
    draw_end(&scene);
}

/* "Edge flags are used to control which lines or points are actually drawn when the polygon mode converts
 * triangles/quads/polygons into points or lines"; "normally, the vertex shader simply copies the edge flag input".
 * effect: VERT OUT EDGEFLAG, VERT IN EDGEFLAG. */
static void edges_have_flags(void **state)
{
    (void)state;
    static const char copies[] = "VERT\nDCL IN[0]\nDCL IN[1], EDGEFLAG\nDCL OUT[0], POSITION\nDCL OUT[1], EDGEFLAG\n"
                                 "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n";
    static const float at[3][2] = {{2.5f, 2.5f}, {2.5f, 12.5f}, {12.5f, 2.5f}};
    struct effect_vertex vertices[3];
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.fill_front = scene.rasterizer.fill_back = SCH_FILL_POINT;
    for (unsigned flags = 0; flags < 8; flags++) {
        memset(vertices, 0, sizeof vertices);
        for (unsigned i = 0; i < 3; i++) {
            const float position[4] = {draw_at(at[i][0], EFFECT_SIDE), draw_at(at[i][1], EFFECT_SIDE), 0.5f, 1};
            memcpy(vertices[i].position, position, sizeof position);
            vertices[i].a[0] = (float)(flags >> i & 1);
        }
        effect_draw(&scene, copies, EFFECT_ONE, SCH_PRIMITIVE_TRIANGLES, vertices, 3);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(draw_pixel(&scene, (uint32_t)at[i][0], (uint32_t)at[i][1]), flags >> i & 1);
    }
    draw_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex_inputs_have_labels),
        cmocka_unit_test(attributes_reach_fragments),
        cmocka_unit_test(flat_shading_is_of_colours),
        cmocka_unit_test(back_faces_have_back_colours),
        cmocka_unit_test(faces_are_front_or_back),
        cmocka_unit_test(positions_are_divided_by_w),
        cmocka_unit_test(positions_may_be_in_the_window),
        cmocka_unit_test(distances_clip_and_cull),
        cmocka_unit_test(fragments_read_distances),
        cmocka_unit_test(user_planes_clip),
        cmocka_unit_test(points_have_their_size),
        cmocka_unit_test(sprites_have_coordinates),
        cmocka_unit_test(edges_have_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
