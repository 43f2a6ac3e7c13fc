/* What the semantics and properties of fragment shaders do in a draw. Expectations are the sentences of tgsi.rst,
 * "Declaration Semantic" and "Properties". `effect:` names what a test is of (tests/static/semantics.py). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "effects.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { ALL_PIXELS = EFFECT_SIDE * EFFECT_SIDE };

static void fill_at(struct draw_scene *scene, const char *fragment, const double box[4], float z, float w)
{
    struct effect_vertex vertices[4] = {0};
    effect_rectangle(vertices, box, z, w);
    effect_draw(scene, EFFECT_POSITION, fragment, SCH_PRIMITIVE_TRIANGLE_STRIP, vertices, 4);
}

/* ---- the window position ---- */

/* "The X component starts at zero and always increases from left to right"; y begins where FS_COORD_ORIGIN says; "the W
 * component contains the interpolated reciprocal of the vertex position W component". In Direct3D it is "the reciprocal
 * of the linearly interpolated 1/w value" (D3D 16.3).
 * effect: FRAG IN POSITION, FRAG SV POSITION, PROPERTY FS_COORD_ORIGIN, PROPERTY FS_COORD_PIXEL_CENTER. */
static void fragments_know_where_they_are(void **state)
{
    (void)state;
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (unsigned n = 0; n < 16; n++) {
        const bool value = n & 1, lower = n & 2, whole = n & 4, d3d = n & 8;
        const float half = whole ? 0 : 0.5f;
        char text[512];
        snprintf(text, sizeof text, "FRAG\n%s%s%sDCL %s\nDCL OUT[0], COLOR\nMOV OUT[0], %s[0]\nEND\n",
                 lower ? "PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n" : "",
                 whole ? "PROPERTY FS_COORD_PIXEL_CENTER INTEGER\n" : "", d3d ? "PROPERTY D3D_RULES 1\n" : "",
                 value ? "SV[0], POSITION" : "IN[0], POSITION, LINEAR", value ? "SV" : "IN");
        fill_at(&scene, text, effect_window, 0.25f, 4);
        effect_floats(&scene, 5, 9, 5 + half, (lower ? EFFECT_SIDE - 10 : 9) + half, 0.25f, d3d ? 4 : 0.25f);
        effect_floats(&scene, 0, 15, half, (lower ? 0 : 15) + half, 0.25f, d3d ? 4 : 0.25f);
    }
    draw_end(&scene);
}

/* ---- primitives ---- */

/* "The value contains the primitive id": the second triangle of a strip has 1.
 * effect: FRAG IN PRIM_ID, FRAG SV PRIM_ID. */
static void fragments_know_their_primitive(void **state)
{
    (void)state;
    static const char *const shows[] = {
        EFFECT_SHOW("IN", "PRIM_ID, CONSTANT"),
        "FRAG\nDCL SV[0], PRIM_ID\nDCL OUT[0], COLOR\nMOV OUT[0].x, SV[0]\nEND\n",
    };
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (size_t n = 0; n < COUNT(shows); n++) {
        fill_at(&scene, shows[n], effect_window, 0.5f, 1);
        assert_int_equal(draw_pixel(&scene, 2, 2), 0);
        assert_int_equal(draw_pixel(&scene, 13, 13), 1);
        /* the diagonal is the left edge of the second one (D3D 3.4.2.1) */
        assert_int_equal(effect_count(&scene), ALL_PIXELS / 2 + EFFECT_SIDE / 2);
    }
    draw_end(&scene);
}

/* ---- layers and viewports ---- */

static void check_layer(const struct draw_scene *scene, uint32_t x, uint32_t layer, uint32_t first, uint32_t second)
{
    uint32_t word[4];
    effect_read_layer(scene, x, 7, layer, word);
    if (word[0] != first || word[1] != second)
        fail_msg("layer %u, x %u: %u %u, expected %u %u\n%s", layer, x, word[0], word[1], first, second, scene->vertex);
}

#define PLACED(properties, semantics, code)                                                                            \
    "VERT\n" properties "DCL IN[0]\nDCL OUT[0], POSITION\n" semantics                                                  \
    "IMM[0] UINT32 {1, 2, 3, 0}\nMOV OUT[0], IN[0]\n" code "END\n"
/* The layer plus 1, and the viewport plus 1. */
#define BOTH_SHOWN                                                                                                     \
    "FRAG\nDCL IN[0], LAYER, CONSTANT\nDCL IN[1], VIEWPORT_INDEX, CONSTANT\nDCL OUT[0], COLOR\n"                       \
    "IMM[0] UINT32 {1, 0, 0, 0}\nUADD OUT[0].x, IN[0].xxxx, IMM[0].xxxx\nUADD OUT[0].y, IN[1].xxxx, "                  \
    "IMM[0].xxxx\nEND\n"

/* LAYER "contains the layer value to use for the color and depth/stencil surfaces", VIEWPORT_INDEX "the index of the
 * viewport (and scissor) to use", VIEWPORT_MASK "a bit mask of viewports to broadcast the current primitive to"; with
 * LAYER_VIEWPORT_RELATIVE "the LAYER output value is relative to the current viewport".
 * effect: VERT OUT LAYER, FRAG IN LAYER, VERT OUT VIEWPORT_INDEX, FRAG IN VIEWPORT_INDEX, VERT OUT VIEWPORT_MASK,
 * PROPERTY LAYER_VIEWPORT_RELATIVE. */
static void primitives_have_layers_and_viewports(void **state)
{
    (void)state;
    static const struct {
        const char *vertex;
        uint32_t left[EFFECT_LAYERS][2],
            right[EFFECT_LAYERS][2]; /* layer and viewport plus 1, by layer; 0: nothing is drawn */
    } rows[] = {
        {PLACED("", "", ""), {{1, 1}}, {{0}}},
        {PLACED("", "DCL OUT[1], LAYER\n", "MOV OUT[1].x, IMM[0].yyyy\n"), {[2] = {3, 1}}, {{0}}},
        {PLACED("", "DCL OUT[1], VIEWPORT_INDEX\n", "MOV OUT[1].x, IMM[0].xxxx\n"), {{0}}, {{1, 2}}},
        {PLACED("", "DCL OUT[1], VIEWPORT_MASK\n", "MOV OUT[1].x, IMM[0].zzzz\n"), {{1, 1}}, {{1, 2}}},
        {PLACED("", "DCL OUT[1], VIEWPORT_MASK\n", "MOV OUT[1].x, IMM[0].yyyy\n"), {{0}}, {{1, 2}}},
        {PLACED("", "DCL OUT[1], VIEWPORT_MASK\n", "MOV OUT[1].x, IMM[0].wwww\n"), {{0}}, {{0}}},
        {PLACED("", "DCL OUT[1], LAYER\nDCL OUT[2], VIEWPORT_INDEX\n",
                "MOV OUT[1].x, IMM[0].yyyy\nMOV OUT[2].x, IMM[0].xxxx\n"),
         {{0}},
         {[2] = {3, 2}}},
        {PLACED("PROPERTY LAYER_VIEWPORT_RELATIVE 1\n", "DCL OUT[1], LAYER\nDCL OUT[2], VIEWPORT_INDEX\n",
                "MOV OUT[1].x, IMM[0].yyyy\nMOV OUT[2].x, IMM[0].xxxx\n"),
         {{0}},
         {[3] = {4, 2}}},
        {PLACED("PROPERTY LAYER_VIEWPORT_RELATIVE 1\n", "DCL OUT[1], LAYER\nDCL OUT[2], VIEWPORT_MASK\n",
                "MOV OUT[1].x, IMM[0].xxxx\nMOV OUT[2].x, IMM[0].zzzz\n"),
         {[1] = {2, 1}},
         {[2] = {3, 2}}},
    };
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    effect_use_layers(&scene);
    effect_use_viewports(&scene);
    for (size_t n = 0; n < COUNT(rows); n++) {
        effect_fill(&scene, rows[n].vertex, BOTH_SHOWN);
        for (uint32_t layer = 0; layer < EFFECT_LAYERS; layer++) {
            check_layer(&scene, 3, layer, rows[n].left[layer][0], rows[n].left[layer][1]);
            check_layer(&scene, 12, layer, rows[n].right[layer][0], rows[n].right[layer][1]);
        }
    }
    draw_end(&scene);
}

/* ---- colours ---- */

/* "The semantic index is used to distinguish them"; with the property COLOR 0 "goes to all color buffers".
 * effect: FRAG OUT COLOR, PROPERTY FS_COLOR0_WRITES_ALL_CBUFS. */
static void colours_have_their_buffers(void **state)
{
    (void)state;
#define COLORS(property)                                                                                               \
    "FRAG\n" property "DCL OUT[0], COLOR[2]\nDCL OUT[1], COLOR\nIMM[0] UINT32 {5, 6, 7, 0}\n"                          \
    "MOV OUT[0], IMM[0].xxxx\nMOV OUT[1], IMM[0].yyyy\nEND\n"
    static const struct {
        const char *fragment;
        uint32_t expected[3];
    } rows[] = {{COLORS(""), {6, 0, 5}},
                {COLORS("PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n"), {6, 6, 6}},
                {COLORS("PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 0\n"), {6, 0, 5}}};
#undef COLORS
    struct draw_scene scene;
    struct sch_framebuffer_options framebuffer = {.size = sizeof framebuffer};
    struct sch_resource *buffers[3];
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = SCH_TARGET_2D,
                                                 .format = SCH_FORMAT_R32_UINT,
                                                 .width = EFFECT_SIDE,
                                                 .height = EFFECT_SIDE};
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    sch_framebuffer_destroy(scene.framebuffer);
    for (unsigned b = 0; b < 3; b++) {
        assert_int_equal(sch_resource_create(scene.context, &options, NULL, &buffers[b]), SCH_OK);
        assert_int_equal(sch_surface_create(buffers[b], NULL, NULL, &framebuffer.colors[b]), SCH_OK);
    }
    assert_int_equal(sch_framebuffer_create(scene.context, &framebuffer, NULL, &scene.framebuffer), SCH_OK);
    for (size_t n = 0; n < COUNT(rows); n++) {
        fill_at(&scene, rows[n].fragment, effect_window, 0.5f, 1);
        for (unsigned b = 0; b < 3; b++) {
            uint32_t word[4];
            draw_read(&scene, buffers[b], 8, 3, 0, word);
            assert_int_equal(word[0], rows[n].expected[b]);
        }
    }
    for (unsigned b = 0; b < 3; b++) sch_surface_destroy(framebuffer.colors[b]);
    for (unsigned b = 0; b < 3; b++) sch_resource_destroy(buffers[b]);
    draw_end(&scene);
}

/* The product of source and destination (KHR_blend_equation_advanced: MULTIPLY of opaque colours).
 * effect: PROPERTY FS_BLEND_EQUATION_ADVANCED. */
static void equations_may_be_advanced(void **state)
{
    (void)state;
    static const char fragment[] = "FRAG\nPROPERTY FS_BLEND_EQUATION_ADVANCED 2\nDCL OUT[0], COLOR\n"
                                   "IMM[0] FLT32 {0.5, 0.25, 1.0, 1.0}\nMOV OUT[0], IMM[0]\nEND\n";
    static const float cleared[4] = {0.5f, 0.5f, 0.25f, 1};
    struct effect_vertex vertices[4] = {0};
    struct draw_scene scene;
    draw_begin(&scene, EFFECT_SIDE, EFFECT_SIDE, 1, SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FORMAT_NONE);
    draw_clear(&scene, cleared, 0, 0);
    scene.blend.targets[0].enabled = true;
    scene.blend.advanced = SCH_ADVANCED_MULTIPLY;
    scene.vertex = EFFECT_POSITION;
    scene.fragment = fragment;
    effect_rectangle(vertices, effect_window, 0.5f, 1);
    draw_vertices(&scene, vertices[0].position, 4, 3);
    draw(&scene, SCH_PRIMITIVE_TRIANGLE_STRIP, 4);
    effect_floats(&scene, 4, 4, 0.25f, 0.125f, 0.25f, 1);
    draw_end(&scene);
}

/* ---- depth and stencil ---- */

#define DEPTH_FORMAT SCH_FORMAT_Z32_FLOAT

static float depth_at(const struct draw_scene *scene, uint32_t x, uint32_t y)
{
    uint32_t word[4];
    draw_read(scene, scene->depth, x, y, 0, word);
    return api_float(word[0]);
}

static void clear_depth(struct draw_scene *scene, double depth, uint32_t stencil)
{
    static const float nothing[4] = {0, 0, 0, 0};
    draw_clear(scene, nothing, depth, stencil);
}

static void begin_depth(struct draw_scene *scene, uint32_t samples)
{
    effect_begin(scene, samples, DEPTH_FORMAT);
    clear_depth(scene, 1, 0);
    scene->tests.depth_enabled = scene->tests.depth_writes = true;
    scene->tests.depth_function = SCH_COMPARE_LESS;
}

/* "Only the Z component is writable. This allows the fragment shader to change the fragment's Z position." Layouts say
 * how it compares with the interpolated one, 0.5 here; what is written counts.
 * effect: FRAG OUT POSITION, PROPERTY FS_DEPTH_LAYOUT. */
static void fragments_may_have_another_depth(void **state)
{
    (void)state;
    static const float written[] = {0.75f, 0.25f, 0.75f, 0.25f,
                                    0.5f}; /* by layout: none, any, greater, less, unchanged */
    struct draw_scene scene;
    begin_depth(&scene, 1);
    for (unsigned layout = 0; layout < COUNT(written); layout++) {
        char text[512];
        snprintf(text, sizeof text,
                 "FRAG\nPROPERTY FS_DEPTH_LAYOUT %u\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\n"
                 "IMM[0] FLT32 {%.2f, 9.0, 9.0, 9.0}\nMOV OUT[0].z, IMM[0].xxxx\nMOV OUT[1], IMM[0].yyyy\nEND\n",
                 layout, (double)written[layout]);
        clear_depth(&scene, 1, 0);
        fill_at(&scene, text, effect_window, 0.5f, 1);
        assert_float_equal(depth_at(&scene, 6, 6), written[layout], 0);
        clear_depth(&scene, 0.625, 0); /* 0.75 is behind it, the others are before it */
        fill_at(&scene, text, effect_window, 0.5f, 1);
        assert_int_equal(effect_count(&scene), written[layout] < 0.625f ? ALL_PIXELS : 0);
    }
    draw_end(&scene);
}

/* "An output is a writable stencil reference value. Only the Y component is writable."
 * effect: FRAG OUT STENCIL. */
static void fragments_may_have_a_reference(void **state)
{
    (void)state;
    static const char fragment[] = "FRAG\nDCL OUT[0], STENCIL\nDCL OUT[1], COLOR\nIMM[0] UINT32 {7, 9, 8, 6}\n"
                                   "MOV OUT[0].y, IMM[0].yyyy\nMOV OUT[1], IMM[0].xxxx\nEND\n";
    struct draw_scene scene;
    uint32_t word[4];
    effect_begin(&scene, 1, SCH_FORMAT_S8_UINT);
    clear_depth(&scene, 0, 1);
    scene.dynamic.stencil_reference[0] = scene.dynamic.stencil_reference[1] = 3;
    scene.tests.stencil[0] = (struct sch_stencil_face){.enabled = true,
                                                       .function = SCH_COMPARE_ALWAYS,
                                                       .pass = SCH_STENCIL_REPLACE,
                                                       .depth_fail = SCH_STENCIL_REPLACE,
                                                       .fail = SCH_STENCIL_KEEP,
                                                       .value_mask = 255,
                                                       .write_mask = 255};
    fill_at(&scene, fragment, effect_window, 0.5f, 1);
    draw_read(&scene, scene.depth, 4, 4, 0, word);
    assert_int_equal(word[0] & 255, 9);
    fill_at(&scene, EFFECT_ONE, effect_window, 0.5f, 1);
    draw_read(&scene, scene.depth, 4, 4, 0, word);
    assert_int_equal(word[0] & 255, 3);
    draw_end(&scene);
}

/* "Whether depth test, stencil test, and occlusion query should run before the fragment shader (regardless of fragment
 * shader side effects)."
 * effect: PROPERTY FS_EARLY_DEPTH_STENCIL. */
static void tests_may_be_early(void **state)
{
    (void)state;
    struct draw_scene scene;
    struct sch_query *query = NULL;
    struct sch_query_result result;
    begin_depth(&scene, 1);
    assert_int_equal(sch_query_create(scene.context, SCH_QUERY_OCCLUSION_COUNTER, 0, &query), SCH_OK);
    for (unsigned early = 0; early < 2; early++) {
        clear_depth(&scene, 1, 0);
        assert_int_equal(sch_renderer_begin_query(scene.renderer, query), SCH_OK);
        fill_at(&scene,
                early ? "FRAG\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\nDCL OUT[0], COLOR\nKILL\nEND\n"
                      : "FRAG\nDCL OUT[0], COLOR\nKILL\nEND\n",
                effect_window, 0.5f, 1);
        assert_int_equal(sch_renderer_end_query(scene.renderer, query), SCH_OK);
        assert_int_equal(sch_query_get_result(query, &result), SCH_OK);
        assert_int_equal(result.values[0], early ? ALL_PIXELS : 0);
        assert_float_equal(depth_at(&scene, 3, 3), early ? 0.5f : 1, 0);
    }
    sch_query_destroy(query);
    draw_end(&scene);
}

/* ---- samples ---- */

static void check_samples(const struct draw_scene *scene, uint32_t x, uint32_t y, const uint32_t expected[4])
{
    for (uint32_t s = 0; s < 4; s++) {
        uint32_t word[4];
        draw_read(scene, scene->color, x, y, s, word);
        if (word[0] != expected[s]) fail_msg("sample %u: 0x%x, expected 0x%x", s, word[0], expected[s]);
    }
}

#define VALUE_X(value) "FRAG\nDCL SV[0], " value "\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0].xxxx\nEND\n"
#define VALUE_Y(value) "FRAG\nDCL SV[0], " value "\nDCL OUT[0], COLOR\nMOV OUT[0], SV[0].yyyy\nEND\n"

/* "The sample mask indicates the set of samples covered by the current primitive. If MSAA is not enabled, the value is
 * (1, 0, 0, 0)"; "for an output, the sample mask is used to disable further sample processing".
 * effect: FRAG SV SAMPLEMASK, FRAG OUT SAMPLEMASK. */
static void masks_of_samples_go_in_and_out(void **state)
{
    (void)state;
    static const double box[4] = {0, 0, 10.5, 16}; /* samples 0 and 2 of pixels at 10: -2/16 and -6/16 of the centre */
    static const char writes[] = "FRAG\nDCL OUT[0], COLOR\nDCL OUT[1], SAMPLEMASK\nIMM[0] UINT32 {6, 1, 0, 0}\n"
                                 "MOV OUT[0], IMM[0].yyyy\nMOV OUT[1].x, IMM[0].xxxx\nEND\n";
    struct draw_scene scene;
    effect_begin(&scene, 4, SCH_FORMAT_NONE);
    fill_at(&scene, VALUE_X("SAMPLEMASK"), box, 0.5f, 1);
    check_samples(&scene, 9, 4, (const uint32_t[4]){15, 15, 15, 15});
    check_samples(&scene, 10, 4, (const uint32_t[4]){5, 0, 5, 0});
    fill_at(&scene, writes, box, 0.5f, 1);
    check_samples(&scene, 9, 4, (const uint32_t[4]){0, 1, 1, 0});
    check_samples(&scene, 10, 4, (const uint32_t[4]){0, 0, 1, 0});
    scene.rasterizer.multisample = false; /* "If MULTISAMPLE is disabled ... this step is skipped" (GL 14.9.3) */
    fill_at(&scene, writes, box, 0.5f, 1);
    check_samples(&scene, 9, 4, (const uint32_t[4]){1, 1, 1, 1});
    fill_at(&scene, VALUE_X("SAMPLEMASK"), box, 0.5f, 1); /* "all bits are zero except for bit zero" (GL 15.2.2) */
    check_samples(&scene, 9, 4, (const uint32_t[4]){1, 1, 1, 1});
    draw_end(&scene);
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    fill_at(&scene, VALUE_X("SAMPLEMASK"), box, 0.5f, 1);
    assert_int_equal(draw_pixel(&scene, 9, 4), 1);
    draw_end(&scene);
}

/* "If the fragment shader uses this system value, the fragment shader is automatically executed at per sample
 * frequency"; positions "are in the range [0, 1] where 0.5 is the center of the fragment".
 * effect: FRAG SV SAMPLEID, FRAG SV SAMPLEPOS. */
static void fragments_know_their_sample(void **state)
{
    (void)state;
    uint32_t expected[4];
    static const float x[4] = {0.375f, 0.875f, 0.125f, 0.625f}, y[4] = {0.125f, 0.375f, 0.625f, 0.875f};
    struct draw_scene scene;
    effect_begin(&scene, 4, SCH_FORMAT_NONE);
    fill_at(&scene, VALUE_X("SAMPLEID"), effect_window, 0.5f, 1);
    check_samples(&scene, 9, 4, (const uint32_t[4]){0, 1, 2, 3});
    fill_at(&scene, VALUE_X("SAMPLEPOS"), effect_window, 0.5f, 1);
    for (unsigned s = 0; s < 4; s++) expected[s] = api_bits(x[s]);
    check_samples(&scene, 9, 4, expected);
    fill_at(&scene, VALUE_Y("SAMPLEPOS"), effect_window, 0.5f, 1);
    for (unsigned s = 0; s < 4; s++) expected[s] = api_bits(y[s]);
    check_samples(&scene, 9, 4, expected);
    draw_end(&scene);
    effect_begin(&scene, 1, SCH_FORMAT_NONE); /* "the sub-pixel coordinates of the center" (GL 15.2.2) */
    fill_at(&scene, VALUE_X("SAMPLEPOS"), effect_window, 0.5f, 1);
    assert_int_equal(draw_pixel(&scene, 9, 4), api_bits(0.5f));
    fill_at(&scene, VALUE_X("SAMPLEID"), effect_window, 0.5f, 1);
    assert_int_equal(effect_count(&scene), 0);
    draw_end(&scene);
}

/* SAMPLEMASK excludes samples that failed the early tests: of pixels at 8 those 0.4 from the left have a nearer depth.
 * effect: PROPERTY FS_POST_DEPTH_COVERAGE. */
static void coverage_may_be_after_depth(void **state)
{
    (void)state;
#define MASK(property)                                                                                                 \
    "FRAG\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\n" property "DCL SV[0], SAMPLEMASK\nDCL OUT[0], COLOR\n"                  \
    "MOV OUT[0], SV[0].xxxx\nEND\n"
    static const double near[4] = {0, 0, 8.4, 16};
    struct draw_scene scene;
    begin_depth(&scene, 4);
    for (unsigned post = 0; post < 2; post++) {
        const uint32_t mask = post ? 10 : 15;
        clear_depth(&scene, 1, 0);
        fill_at(&scene, EFFECT_ONE, near, 0.25f, 1);
        fill_at(&scene, post ? MASK("PROPERTY FS_POST_DEPTH_COVERAGE 1\n") : MASK(""), effect_window, 0.5f, 1);
        check_samples(&scene, 8, 4, (const uint32_t[4]){0, mask, 0, mask});
        check_samples(&scene, 9, 4, (const uint32_t[4]){15, 15, 15, 15});
        check_samples(&scene, 7, 4, (const uint32_t[4]){0, 0, 0, 0});
    }
#undef MASK
    draw_end(&scene);
}

/* ---- helpers, coverage, groups ---- */

/* "Whether the current invocation is covered or not": the difference to a helper on the right shows it.
 * effect: FRAG SV HELPER_INVOCATION. */
static void helpers_know_that_they_are(void **state)
{
    (void)state;
    static const char fragment[] = "FRAG\nDCL SV[0], HELPER_INVOCATION\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
                                   "I2F TEMP[0].x, SV[0].xxxx\nDDX_FINE TEMP[1].x, TEMP[0].xxxx\n"
                                   "MOV OUT[0].x, TEMP[1].xxxx\nMOV OUT[0].y, SV[0].xxxx\nEND\n";
    static const double box[4] = {0, 0, 5, 16};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    fill_at(&scene, fragment, box, 0.5f, 1);
    effect_words(&scene, 2, 4, 0, 0, 0, 0);
    effect_words(&scene, 4, 4, api_bits(-1.0f), 0, 0, 0); /* all ones as an integer, less 0 */
    effect_words(&scene, 5, 4, 0, 0, 0, 0);
    draw_end(&scene);
}

/* Bit 0: "the primitive covers the whole pixel".
 * effect: FRAG SV INNER_COVERAGE. */
static void fragments_know_whether_they_are_inside(void **state)
{
    (void)state;
    static const char fragment[] = "FRAG\nDCL SV[0], INNER_COVERAGE\nDCL OUT[0], COLOR\nIMM[0] UINT32 {1, 0, 0, 0}\n"
                                   "UADD OUT[0].x, SV[0].xxxx, IMM[0].xxxx\nEND\n";
    struct effect_vertex vertices[4] = {0};
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    scene.rasterizer.conservative = SCH_CONSERVATIVE_POST_SNAP;
    effect_rectangle(vertices, effect_window, 0.5f, 1);
    effect_draw(&scene, EFFECT_POSITION, fragment, SCH_PRIMITIVE_TRIANGLES, vertices, 3); /* x + y <= 16 */
    for (uint32_t y = 0; y < EFFECT_SIDE; y++)
        for (uint32_t x = 0; x < EFFECT_SIDE; x++) {
            if (x + y <= EFFECT_SIDE - 2) assert_int_equal(draw_pixel(&scene, x, y), 2);
            if (x + y == EFFECT_SIDE - 1) assert_int_equal(draw_pixel(&scene, x, y), 1);
            if (x + y > EFFECT_SIDE) assert_int_equal(draw_pixel(&scene, x, y), 0);
        }
    draw_end(&scene);
}

/* The lane of a pixel: quads of a block of 8 x 4 pixels, from the left and then down; in them likewise. */
static uint32_t lane_of(uint32_t x, uint32_t y)
{
    const uint32_t quad = x / 2 % 4 + y / 2 % 2 * 4;
    return 4 * quad + (y & 1) * 2 + (x & 1);
}

struct lanes_row {
    const char *name;
    uint32_t (*value)(uint32_t lane);
};
static uint32_t lane_size(uint32_t lane) { return lane < 32 ? 32 : 0; }
static uint32_t lane_own(uint32_t lane) { return lane; }
static uint32_t lane_equal(uint32_t lane) { return UINT32_C(1) << lane; }
static uint32_t lane_later(uint32_t lane) { return lane == 31 ? 0 : UINT32_MAX << (lane + 1); }
static uint32_t lane_not_before(uint32_t lane) { return UINT32_MAX << lane; }
static uint32_t lane_before(uint32_t lane) { return (UINT32_C(1) << lane) - 1; }
static uint32_t lane_not_later(uint32_t lane) { return lane_before(lane) | lane_equal(lane); }
static const struct lanes_row lanes_rows[] = {
    {"SUBGROUP_SIZE", lane_size},          {"SUBGROUP_INVOCATION", lane_own}, {"SUBGROUP_EQ_MASK", lane_equal},
    {"SUBGROUP_GE_MASK", lane_not_before}, {"SUBGROUP_GT_MASK", lane_later},  {"SUBGROUP_LE_MASK", lane_not_later},
    {"SUBGROUP_LT_MASK", lane_before},
};

/* A group is one primitive in one block of 8 x 4 pixels, with fixed places for lanes.
 * effect: FRAG SV SUBGROUP_SIZE, FRAG SV SUBGROUP_INVOCATION, FRAG SV SUBGROUP_EQ_MASK, FRAG SV SUBGROUP_GE_MASK,
 * FRAG SV SUBGROUP_GT_MASK, FRAG SV SUBGROUP_LE_MASK, FRAG SV SUBGROUP_LT_MASK. */
static void fragments_have_their_lanes(void **state)
{
    (void)state;
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    for (size_t n = 0; n < COUNT(lanes_rows); n++) {
        char text[256];
        snprintf(text, sizeof text, VALUE_X("%s"), lanes_rows[n].name);
        fill_at(&scene, text, effect_window, 0.5f, 1);
        for (uint32_t y = 0; y < EFFECT_SIDE; y++)
            for (uint32_t x = 0; x < EFFECT_SIDE; x++)
                assert_int_equal(draw_pixel(&scene, x, y), lanes_rows[n].value(lane_of(x, y)));
    }
    draw_end(&scene);
}

/* ---- values of vertices ---- */

/* A row of points, one at each pixel of the first line. */
static void make_points(struct effect_vertex points[EFFECT_SIDE])
{
    memset(points, 0, EFFECT_SIDE * sizeof *points);
    for (unsigned i = 0; i < EFFECT_SIDE; i++) {
        const float position[4] = {draw_at(i + 0.5, EFFECT_SIDE), draw_at(0.5, EFFECT_SIDE), 0.5f, 1};
        memcpy(points[i].position, position, sizeof position);
    }
}

#define VERTEX_VALUE                                                                                                   \
    "VERT\nDCL IN[0]\nDCL SV[0], %s\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nMOV OUT[0], IN[0]\n"                \
    "MOV OUT[1], SV[0].xxxx\nEND\n"

/* Draws points that have a system value, and compares it at the pixel of vertex `vertex`. */
static void check_value(struct draw_scene *scene, const char *name, const struct sch_draw *draw, uint32_t vertex,
                        uint32_t expected)
{
    static const float nothing[4] = {0, 0, 0, 0};
    char text[256];
    snprintf(text, sizeof text, VERTEX_VALUE, name);
    draw_clear(scene, nothing, 0, 0);
    scene->vertex = text;
    scene->fragment = EFFECT_SHOW("IN", "GENERIC[0], CONSTANT");
    assert_int_equal(draw_try(scene, draw), SCH_OK);
    if (draw_pixel(scene, vertex, 0) != expected)
        fail_msg("%s of vertex %u: %u, expected %u", name, vertex, draw_pixel(scene, vertex, 0), expected);
}

/* VERTEXID "does (unlike in d3d10) include the base vertex"; "VERTEXID_NOBASE + BASEVERTEX == VERTEXID"; BASEVERTEX
 * "for non-indexed draw calls" is "the first (or start) value instead"; INSTANCEID "does not include the base
 * instance"; BASEINSTANCE is "the base instance argument supplied for this draw", DRAWID "the zero-based index of the
 * current draw".
 * effect: VERT SV VERTEXID, VERT SV VERTEXID_NOBASE, VERT SV BASEVERTEX, VERT SV INSTANCEID, VERT SV BASEINSTANCE,
 * VERT SV DRAWID. */
static void vertices_know_their_numbers(void **state)
{
    (void)state;
    static const uint16_t indices[] = {9, 4, 1, 6};
    static const struct sch_draw_range ranges[] = {{.start = 0, .count = 2}, {.start = 5, .count = 3}};
    const struct sch_draw plain = {.size = sizeof plain,
                                   .primitive = SCH_PRIMITIVE_POINTS,
                                   .start = 2,
                                   .count = 4,
                                   .instance_count = 3,
                                   .start_instance = 7,
                                   .draw_id = 5};
    struct sch_draw indexed = plain, several = plain, baseless = plain;
    baseless.no_base = true;
    indexed.start = 1;
    indexed.count = 3;
    indexed.index_bytes = 2;
    indexed.indices = (struct sch_vertex_buffer){.memory = indices, .memory_bytes = sizeof indices};
    indexed.index_bias = 3;
    several.ranges = ranges;
    several.range_count = COUNT(ranges);
    several.range_stride = sizeof *ranges;
    struct effect_vertex points[EFFECT_SIDE];
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    make_points(points);
    draw_vertices(&scene, points[0].position, EFFECT_SIDE, 3);
    static const struct {
        const char *name;
        uint32_t plain, indexed, several, baseless; /* of vertex 4, the last instance; the index 1; vertex 6 */
    } rows[] = {{"VERTEXID", 4, 4, 6, 4},   {"VERTEXID_NOBASE", 2, 1, 1, 4}, {"BASEVERTEX", 2, 3, 5, 0},
                {"INSTANCEID", 2, 2, 2, 2}, {"BASEINSTANCE", 7, 7, 7, 7},    {"DRAWID", 5, 5, 6, 5}};
    for (size_t n = 0; n < COUNT(rows); n++) {
        check_value(&scene, rows[n].name, &plain, 4, rows[n].plain);
        check_value(&scene, rows[n].name, &indexed, 4, rows[n].indexed);
        check_value(&scene, rows[n].name, &several, 6, rows[n].several);
        check_value(&scene, rows[n].name, &baseless, 4, rows[n].baseless);
    }
    draw_end(&scene);
}

/* Groups of vertices are 32 as they are assembled.
 * effect: VERT SV SUBGROUP_SIZE, VERT SV SUBGROUP_INVOCATION, VERT SV SUBGROUP_EQ_MASK, VERT SV SUBGROUP_GE_MASK,
 * VERT SV SUBGROUP_GT_MASK, VERT SV SUBGROUP_LE_MASK, VERT SV SUBGROUP_LT_MASK. */
static void vertices_have_their_lanes(void **state)
{
    (void)state;
    const struct sch_draw all = {
        .size = sizeof all, .primitive = SCH_PRIMITIVE_POINTS, .count = EFFECT_SIDE, .instance_count = 1};
    struct effect_vertex points[EFFECT_SIDE];
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    make_points(points);
    draw_vertices(&scene, points[0].position, EFFECT_SIDE, 3);
    for (size_t n = 0; n < COUNT(lanes_rows); n++)
        for (uint32_t vertex = 0; vertex < EFFECT_SIDE; vertex += 5)
            check_value(&scene, lanes_rows[n].name, &all, vertex, lanes_rows[n].value(vertex));
    draw_end(&scene);
}

/* ---- arithmetic ---- */

/* "A float multiplication with a factor 0 gives 0"; Direct3D flushes denormals (D3D 3.1.3).
 * effect: PROPERTY LEGACY_MATH_RULES, PROPERTY D3D_RULES. */
static void rules_of_arithmetic_hold_in_draws(void **state)
{
    (void)state;
#define PRODUCTS(property)                                                                                             \
    "FRAG\n" property "DCL OUT[0], COLOR\nIMM[0] UINT32 {2139095040, 0, 8388608, 1056964608}\n"                        \
    "MUL OUT[0].x, IMM[0].xxxx, IMM[0].yyyy\nMUL OUT[0].y, IMM[0].zzzz, IMM[0].wwww\nEND\n"
    struct draw_scene scene;
    effect_begin(&scene, 1, SCH_FORMAT_NONE);
    fill_at(&scene, PRODUCTS(""), effect_window, 0.5f, 1);
    effect_words(&scene, 4, 4, 0x7fc00000, 0x00400000, 0, 0);
    fill_at(&scene, PRODUCTS("PROPERTY LEGACY_MATH_RULES 1\n"), effect_window, 0.5f, 1);
    effect_words(&scene, 4, 4, 0, 0x00400000, 0, 0);
    fill_at(&scene, PRODUCTS("PROPERTY D3D_RULES 1\n"), effect_window, 0.5f, 1);
    effect_words(&scene, 4, 4, 0x7fc00000, 0, 0, 0);
#undef PRODUCTS
    draw_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fragments_know_where_they_are),
        cmocka_unit_test(fragments_know_their_primitive),
        cmocka_unit_test(primitives_have_layers_and_viewports),
        cmocka_unit_test(colours_have_their_buffers),
        cmocka_unit_test(equations_may_be_advanced),
        cmocka_unit_test(fragments_may_have_another_depth),
        cmocka_unit_test(fragments_may_have_a_reference),
        cmocka_unit_test(tests_may_be_early),
        cmocka_unit_test(masks_of_samples_go_in_and_out),
        cmocka_unit_test(fragments_know_their_sample),
        cmocka_unit_test(coverage_may_be_after_depth),
        cmocka_unit_test(helpers_know_that_they_are),
        cmocka_unit_test(fragments_know_whether_they_are_inside),
        cmocka_unit_test(fragments_have_their_lanes),
        cmocka_unit_test(vertices_know_their_numbers),
        cmocka_unit_test(vertices_have_their_lanes),
        cmocka_unit_test(rules_of_arithmetic_hold_in_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
