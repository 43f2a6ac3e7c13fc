/* Which draws read what they write (docs/pipeline.md, "Draws"): by level and layer of what programs name, by bytes of
 * buffers. Draws nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../support/api_program.h"
#include "api/draw.h"
#include "api/run.h"

enum { SIDE = 8, LEVELS = 3, LAYERS = 4, WORDS = 64 };

static struct sch_context *context;
static struct sch_resource *picture, *depth, *buffer;

static struct sch_resource *make(enum sch_target target, enum sch_format format, uint32_t width, uint32_t layers,
                                 uint32_t levels)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = target,
                                                 .format = format,
                                                 .width = width,
                                                 .height = target == SCH_TARGET_BUFFER ? 1 : SIDE,
                                                 .layers = layers,
                                                 .levels = levels};
    struct sch_resource *made;
    assert_int_equal(sch_resource_create(context, &options, NULL, &made), SCH_OK);
    return made;
}

static int begin(void **state)
{
    (void)state;
    context = api_context();
    picture = make(SCH_TARGET_2D_ARRAY, SCH_FORMAT_R32_UINT, SIDE, LAYERS, LEVELS);
    depth = make(SCH_TARGET_2D_ARRAY, SCH_FORMAT_Z32_FLOAT, SIDE, LAYERS, LEVELS);
    buffer = make(SCH_TARGET_BUFFER, SCH_FORMAT_R32_UINT, WORDS, 1, 1);
    return 0;
}

static int end(void **state)
{
    (void)state;
    sch_resource_destroy(picture);
    sch_resource_destroy(depth);
    sch_resource_destroy(buffer);
    sch_context_destroy(context);
    return 0;
}

/* A framebuffer of level 1 of a texture without layers. */
static struct sch_framebuffer *make_flat(struct sch_resource *of, bool in_depth)
{
    const struct sch_surface_options some = {.size = sizeof some, .level = 1};
    struct sch_framebuffer_options options = {.size = sizeof options};
    struct sch_framebuffer *made;
    struct sch_surface **surface = in_depth ? &options.depth_stencil : &options.colors[3];
    assert_int_equal(sch_surface_create(of, &some, NULL, surface), SCH_OK);
    assert_int_equal(sch_framebuffer_create(context, &options, NULL, &made), SCH_OK);
    sch_surface_destroy(*surface);
    return made;
}

/* A framebuffer of layers 1 and 2 of level 1, in colour and depth. */
static struct sch_framebuffer *make_framebuffer(void)
{
    const struct sch_surface_options some = {.size = sizeof some, .level = 1, .first_layer = 1, .layer_count = 2};
    struct sch_framebuffer_options options = {.size = sizeof options};
    struct sch_framebuffer *made;
    assert_int_equal(sch_surface_create(picture, &some, NULL, &options.colors[3]), SCH_OK);
    assert_int_equal(sch_surface_create(depth, &some, NULL, &options.depth_stencil), SCH_OK);
    assert_int_equal(sch_framebuffer_create(context, &options, NULL, &made), SCH_OK);
    sch_surface_destroy(options.colors[3]);
    sch_surface_destroy(options.depth_stencil);
    return made;
}

/* A draw of programs with these texts into a framebuffer, which is destroyed; `vertices` and `indices` may be empty. */
static bool is_feedback_in(struct sch_framebuffer *framebuffer, const char *vertex, const char *fragment,
                           const struct sch_bindings *given, struct sch_draw_memory vertices,
                           struct sch_draw_memory indices)
{
    struct sch_program *programs[2] = {api_default_program(context, vertex), api_default_program(context, fragment)};
    const struct sch_pipeline_options options = {
        .size = sizeof options, .vertex = programs[0], .fragment = programs[1]};
    struct sch_pipeline *pipeline;
    struct sch_api_bound bound[2];
    assert_int_equal(sch_pipeline_create(context, &options, NULL, &pipeline), SCH_OK);
    for (unsigned i = 0; i < 2; i++) assert_int_equal(sch_api_bind(programs[i], given, NULL, &bound[i]), SCH_OK);
    const struct sch_draw_pipeline draw = {
        .link = &pipeline->link,
        .programs = {[SCH_STAGE_VERTEX] = programs[0]->exec, [SCH_STAGE_FRAGMENT] = programs[1]->exec},
        .bindings = {[SCH_STAGE_VERTEX] = &bound[0].exec, [SCH_STAGE_FRAGMENT] = &bound[1].exec},
        .framebuffer = &framebuffer->draw,
        .buffers = &vertices,
        .buffer_count = 1};
    const bool is = sch_api_is_feedback(pipeline, &draw, &indices);
    for (unsigned i = 0; i < 2; i++) sch_api_unbind(context, &bound[i]);
    sch_pipeline_destroy(pipeline);
    sch_framebuffer_destroy(framebuffer);
    for (unsigned i = 0; i < 2; i++) sch_program_destroy(programs[i]);
    return is;
}

static bool is_feedback(const char *vertex, const char *fragment, const struct sch_bindings *given,
                        struct sch_draw_memory vertices, struct sch_draw_memory indices)
{
    return is_feedback_in(make_framebuffer(), vertex, fragment, given, vertices, indices);
}

static const struct sch_draw_memory nothing = {NULL, 0};
static const char plain_vertex[] = "VERT\nDCL OUT[0], POSITION\nIMM[0] FLT32 {0, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n";
static const char plain_fragment[] =
    "FRAG\nDCL OUT[0], COLOR[3]\nIMM[0] UINT32 {0, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n";
static const char fetching[] =
    "FRAG\nDCL SVIEW[1], 2D_ARRAY, UINT\nDCL OUT[0], COLOR[3]\nDCL TEMP[0]\n"
    "IMM[0] UINT32 {0, 0, 0, 1}\nSAMPLE_I TEMP[0], IMM[0], SVIEW[1]\nMOV OUT[0], TEMP[0]\nEND\n";
static const char storing[] = "FRAG\nDCL BUFFER[0]\nDCL OUT[0], COLOR[3]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 0, 0, 1}\n"
                              "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].wwww\nMOV OUT[0], IMM[0]\nEND\n";

static void views_count_by_level(void **state)
{
    (void)state;
    static const struct {
        uint32_t first_level, level_count, first_layer, layer_count;
        bool is;
    } cases[] = {
        {0, 1, 0, 4, false}, {1, 1, 0, 4, true},  {2, 1, 0, 4, false}, {0, 3, 0, 4, true},
        {0, 2, 0, 1, false}, {1, 1, 0, 1, false}, {1, 1, 1, 1, true},  {1, 1, 2, 1, true},
        {1, 1, 3, 1, false}, {1, 2, 0, 2, true},  {1, 2, 2, 2, true},  {2, 1, 1, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned deep = 0; deep < 2; deep++) {
            const struct sch_view_options options = {.size = sizeof options,
                                                     .first_level = cases[i].first_level,
                                                     .level_count = cases[i].level_count,
                                                     .first_layer = cases[i].first_layer,
                                                     .layer_count = cases[i].layer_count};
            struct sch_view *view;
            assert_int_equal(sch_view_create(deep ? depth : picture, &options, &view), SCH_OK);
            struct sch_view *views[3] = {NULL, view, NULL};
            const struct sch_bindings bindings = {.size = sizeof bindings, .views = views, .view_count = 3};
            if (is_feedback(plain_vertex, fetching, &bindings, nothing, nothing) != cases[i].is)
                fail_msg("case %zu, depth %u", i, deep);
            views[2] = view; /* bound, but not where it is read */
            views[1] = NULL;
            assert_false(is_feedback(plain_vertex, fetching, &bindings, nothing, nothing));
            assert_false(is_feedback(plain_vertex, plain_fragment, &bindings, nothing, nothing));
            sch_view_destroy(view);
        }
}

/* Fetches of the pixel itself are no feedback, whatever way its place is computed [GL 9.3.1]; those of other pixels and
 * levels are, and what cannot be known. CONST[0] turns y as Mesa's clients do: 1 and 0, -1 and the height. */
static void own_pixels_are_no_feedback(void **state)
{
    (void)state;
    static const char before[] = "DCL IN[0], POSITION, LINEAR\nDCL SVIEW[1], 2D, UINT\nDCL SAMP[1]\nDCL CONST[0]\n"
                                 "DCL OUT[0], COLOR[3]\nDCL TEMP[0..3]\nIMM[0] UINT32 {0, 1, 0, 0}\n"
                                 "IMM[1] FLT32 {0, 1, 0.5, -1}\nMOV TEMP[0], IMM[0].xxxx\n";
    static const struct {
        const char *properties, *text;
        bool own;
    } cases[] = {
        {"", "F2I TEMP[0].xy, IN[0].xyyy\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", true},
        {"", "F2U TEMP[0].xy, IN[0]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", true},
        {"", "FLR TEMP[2], IN[0]\nF2I TEMP[0].xy, TEMP[2]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", true},
        {"",
         "MAD TEMP[2].y, IN[0], CONST[0].xxxx, CONST[0].yyyy\nMOV TEMP[2].x, IN[0]\nF2I TEMP[0].xy, TEMP[2]\n"
         "TXF TEMP[1], TEMP[0], SAMP[1], 2D\n",
         true},
        {"PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n",
         "MAD TEMP[2].y, IN[0], CONST[0].zzzz, CONST[0].wwww\nMOV TEMP[2].x, IN[0]\nF2I TEMP[0].xy, TEMP[2]\n"
         "TXF TEMP[1], TEMP[0], SAMP[1], 2D\n",
         true},
        {"PROPERTY FS_COORD_PIXEL_CENTER INTEGER\n", "F2I TEMP[0].xy, IN[0]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n",
         true},
        /* the lower rows for the upper ones, and back */
        {"PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n", "F2I TEMP[0].xy, IN[0]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        {"",
         "MAD TEMP[2].y, IN[0], CONST[0].zzzz, CONST[0].wwww\nMOV TEMP[2].x, IN[0]\nF2I TEMP[0].xy, TEMP[2]\n"
         "TXF TEMP[1], TEMP[0], SAMP[1], 2D\n",
         false},
        /* the pixel beside it */
        {"", "ADD TEMP[2], IN[0], IMM[1].yxxx\nF2I TEMP[0].xy, TEMP[2]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        {"", "ADD TEMP[2], IN[0], IMM[1].zxxx\nF2I TEMP[0].xy, TEMP[2]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        {"", "ADD TEMP[2], IN[0], -IMM[1].xyxx\nF2I TEMP[0].xy, TEMP[2]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        {"", "F2I TEMP[0].xy, IN[0].yxxx\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        {"", "F2I TEMP[0].xy, IN[0].xxxx\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        {"", "F2I TEMP[0].x, IN[0]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        {"", "F2I TEMP[0].xy, -IN[0]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        {"", "F2I TEMP[0].xy, IN[0]\nUADD TEMP[0].x, TEMP[0], IMM[0].yyyy\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        {"", "F2I TEMP[0].xy, IN[0]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D, IMM[0].yxx\n", false},
        /* another level */
        {"", "F2I TEMP[0].xy, IN[0]\nMOV TEMP[0].w, IMM[0].yyyy\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        {"", "F2I TEMP[0].xyw, IN[0]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\n", false},
        /* once right, once wrong; behind a branch; seen by the neighbours */
        {"", "F2I TEMP[0].xy, IN[0]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\nTXF TEMP[1], IMM[0].xxxx, SAMP[1], 2D\n",
         false},
        {"", "F2I TEMP[0].xy, IN[0]\nUIF IMM[0].yyyy\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\nENDIF\n", false},
        {"", "F2I TEMP[0].xy, IN[0]\nTXF TEMP[1], TEMP[0], SAMP[1], 2D\nDDX TEMP[1], TEMP[1]\n", false},
        {"", "TEX TEMP[1], IN[0], SAMP[1], 2D\n", false},
    };
    static const float turns[4] = {1, 0, -1, SIDE / 2};
    const struct sch_constant_buffer constants = {turns, sizeof turns};
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        const bool in_depth = i % 2;
        struct sch_resource *flat =
            make(SCH_TARGET_2D, in_depth ? SCH_FORMAT_Z32_FLOAT : SCH_FORMAT_R32_UINT, SIDE, 1, LEVELS);
        const struct sch_view_options options = {.size = sizeof options, .first_level = 1, .level_count = 2};
        char text[1200];
        struct sch_view *view;
        assert_int_equal(sch_view_create(flat, &options, &view), SCH_OK);
        struct sch_view *const views[] = {NULL, view};
        const struct sch_bindings bindings = {
            .size = sizeof bindings, .views = views, .view_count = 2, .constants = &constants, .constant_count = 1};
        snprintf(text, sizeof text, "FRAG\n%s%s%sMOV OUT[0], TEMP[1]\nEND\n", cases[i / 2].properties, before,
                 cases[i / 2].text);
        const bool is = is_feedback_in(make_flat(flat, in_depth), plain_vertex, text, &bindings, nothing, nothing);
        if (is != (in_depth || !cases[i / 2].own)) fail_msg("depth %d: %s", in_depth, text);
        sch_view_destroy(view);
        sch_resource_destroy(flat);
    }
}

static void images_count_by_level(void **state)
{
    (void)state;
    static const char loading[] =
        "FRAG\nDCL IMAGE[0], 2D_ARRAY, PIPE_FORMAT_R32_UINT\nDCL OUT[0], COLOR[3]\nDCL TEMP[0]\n"
        "IMM[0] UINT32 {0, 0, 0, 1}\nLOAD TEMP[0], IMAGE[0], IMM[0], 2D_ARRAY, PIPE_FORMAT_R32_UINT\n"
        "MOV OUT[0], TEMP[0]\nEND\n";
    for (uint32_t level = 0; level < LEVELS; level++) {
        const struct sch_image_options options = {.size = sizeof options, .level = level};
        struct sch_image *image;
        assert_int_equal(sch_image_create(picture, &options, &image), SCH_OK);
        struct sch_image *const images[] = {image};
        const struct sch_bindings bindings = {.size = sizeof bindings, .images = images, .image_count = 1};
        assert_int_equal(is_feedback(plain_vertex, loading, &bindings, nothing, nothing), level == 1);
        sch_image_destroy(image);
    }
}

/* Handles name any view, and any image. */
static void handles_may_name_anything(void **state)
{
    (void)state;
    static const char loads[] = "FRAG\nDCL OUT[0], COLOR[3]\nDCL TEMP[0..1]\nDCL CONST[0]\nMOV TEMP[1], CONST[0]\n"
                                "LOAD TEMP[0], TEMP[1], CONST[0], 2D_ARRAY, PIPE_FORMAT_R32_UINT\n"
                                "MOV OUT[0], TEMP[0]\nEND\n";
    const struct sch_image_options first = {.size = sizeof first}, second = {.size = sizeof second, .level = 1};
    struct sch_image *images[2];
    assert_int_equal(sch_image_create(picture, &first, &images[0]), SCH_OK);
    assert_int_equal(sch_image_create(picture, &second, &images[1]), SCH_OK);
    struct sch_bindings shown = {.size = sizeof shown, .images = images, .image_count = 1};
    assert_false(is_feedback(plain_vertex, loads, &shown, nothing, nothing));
    shown.image_count = 2;
    assert_true(is_feedback(plain_vertex, loads, &shown, nothing, nothing));
    assert_false(is_feedback(plain_vertex, plain_fragment, &shown, nothing, nothing));
    for (unsigned i = 0; i < 2; i++) sch_image_destroy(images[i]);
    static const char handles[] = "FRAG\nDCL SAMP[0]\nDCL OUT[0], COLOR[3]\nDCL TEMP[0]\nDCL CONST[0]\n"
                                  "TEX TEMP[0], CONST[0], CONST[0], 2D\nMOV OUT[0], TEMP[0]\nEND\n";
    const struct sch_view_options options = {.size = sizeof options, .first_level = 1, .level_count = 1};
    struct sch_view *view;
    assert_int_equal(sch_view_create(picture, &options, &view), SCH_OK);
    struct sch_view *const views[] = {NULL, NULL, view};
    const struct sch_bindings bindings = {.size = sizeof bindings, .views = views, .view_count = 3};
    assert_true(is_feedback(plain_vertex, handles, &bindings, nothing, nothing));
    assert_false(is_feedback(plain_vertex, handles, NULL, nothing, nothing));
    sch_view_destroy(view);
}

/* Bytes 64 to 127 of the buffer are stored; constants, vertices and indices are next to them, or reach into them. */
static void stored_bytes_are_read(void **state)
{
    (void)state;
    static const char constants[] = "VERT\nDCL CONST[0]\nDCL OUT[0], POSITION\nMOV OUT[0], CONST[0]\nEND\n";
    static const struct {
        uint64_t offset, bytes;
        bool is;
    } cases[] = {{0, 64, false}, {0, 65, true}, {128, 16, false}, {127, 1, true}, {64, 64, true}, {0, 256, true}};
    const struct sch_storage_buffer stored = {.resource = buffer, .offset = 64, .bytes = 64};
    uint8_t *const bytes = sch_texture_of(buffer->texture)->level[0].texels;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct sch_constant_buffer read = {
            .resource = buffer, .offset = cases[i].offset, .bytes = cases[i].bytes};
        const struct sch_draw_memory memory = {bytes + cases[i].offset, cases[i].bytes};
        struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &stored, .buffer_count = 1};
        assert_int_equal(is_feedback(plain_vertex, storing, &bindings, memory, nothing), cases[i].is);
        assert_int_equal(is_feedback(plain_vertex, storing, &bindings, nothing, memory), cases[i].is);
        assert_false(is_feedback(plain_vertex, plain_fragment, &bindings, memory, memory));
        bindings.constants = &read;
        bindings.constant_count = 1;
        assert_int_equal(is_feedback(constants, storing, &bindings, nothing, nothing), cases[i].is);
        assert_false(is_feedback(plain_vertex, storing, &bindings, nothing, nothing));
        assert_false(is_feedback(constants, plain_fragment, &bindings, nothing, nothing));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_count_by_level),  cmocka_unit_test(own_pixels_are_no_feedback),
        cmocka_unit_test(images_count_by_level), cmocka_unit_test(handles_may_name_anything),
        cmocka_unit_test(stored_bytes_are_read),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
