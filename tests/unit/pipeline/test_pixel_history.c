/* Histories of pixels, through the public API: what each test of the output says of a fragment, which primitive it is
 * of, samples, clears, blits, limits and wrong calls. All cases are worked out by hand from docs/pipeline.md; the pixel
 * is 3, 2 of 8 x 8 unless a test says otherwise. tests/unit/pipeline/test_draw_random.c compares histories of random
 * draws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/draw_support.h"

enum { SIDE = 8, X = 3, Y = 2 };

static const float red[4] = {1, 0, 0, 1}, grey[4] = {0.2f, 0.2f, 0.2f, 1};

/* A scene whose pixel is recorded. */
struct recorded {
    struct draw_scene scene;
    struct sch_pixel_history *history;
};

static void record(struct recorded *r, struct sch_resource *resource, const struct sch_pixel_history_options *options)
{
    assert_int_equal(sch_pixel_history_create(resource, options, NULL, &r->history), SCH_OK);
    assert_int_equal(sch_renderer_record_pixel(r->scene.renderer, r->history), SCH_OK);
}

static void begin(struct recorded *r, uint32_t samples, enum sch_format depth)
{
    const struct sch_pixel_history_options options = {.size = sizeof options, .x = X, .y = Y};
    draw_begin(&r->scene, SIDE, SIDE, samples, SCH_FORMAT_R8G8B8A8_UNORM, depth);
    r->scene.dispatch.threads = 3;
    record(r, r->scene.color, &options);
}

static void end(struct recorded *r)
{
    assert_int_equal(sch_renderer_record_pixel(r->scene.renderer, NULL), SCH_OK);
    sch_pixel_history_destroy(r->history);
    draw_end(&r->scene);
}

static uint32_t count(const struct recorded *r)
{
    struct sch_pixel_history_info info = {.size = sizeof info};
    assert_int_equal(sch_pixel_history_get_info(r->history, &info), SCH_OK);
    return info.event_count;
}

static struct sch_pixel_event event_of(const struct recorded *r, uint32_t index)
{
    struct sch_pixel_event event = {.size = sizeof event};
    assert_int_equal(sch_pixel_history_get_event(r->history, index, &event), SCH_OK);
    assert_int_equal(event.size, sizeof event);
    return event;
}

static struct sch_pixel_sample sample_of(const struct recorded *r, uint32_t index, uint32_t number)
{
    struct sch_pixel_sample sample = {.size = sizeof sample};
    assert_int_equal(sch_pixel_history_get_sample(r->history, index, number, &sample), SCH_OK);
    return sample;
}

static enum sch_pixel_outcome outcome(const struct recorded *r, uint32_t index, uint32_t number)
{
    return sample_of(r, index, number).outcome;
}

/* A triangle over all pixels. */
static void cover(struct draw_scene *scene, float depth, const float color[4], bool back)
{
    const float corners[3][2] = {{-1, -1}, {-1, 3}, {3, -1}};
    float vertices[3][8];
    for (unsigned v = 0; v < 3; v++) {
        const float *at = corners[back ? 2 - v : v];
        const float vertex[4] = {at[0], at[1], depth, 1};
        memcpy(vertices[v], vertex, sizeof vertex);
        memcpy(vertices[v] + 4, color, sizeof vertex);
    }
    draw_vertices(scene, vertices[0], 3, 2);
    draw(scene, SCH_PRIMITIVE_TRIANGLES, 3);
}

static void is_color(const union sch_color *have, float r, float g, float b, float a)
{
    const float want[4] = {r, g, b, a};
    assert_memory_equal(have->f, want, sizeof want);
}

/* ---- what was drawn ---- */

static void a_clear_and_a_triangle(void **state)
{
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_Z24_UNORM_S8_UINT);
    struct sch_depth_stencil_alpha_options *tests = &r.scene.tests;
    tests->depth_enabled = tests->depth_writes = true;
    tests->depth_function = SCH_COMPARE_LESS;
    assert_int_equal(sch_pixel_history_set_label(r.history, 7), SCH_OK);
    draw_clear(&r.scene, grey, 1.0, 9);
    assert_int_equal(sch_pixel_history_set_label(r.history, UINT64_C(1) << 40), SCH_OK);
    cover(&r.scene, 0.25f, red, false);
    assert_int_equal(count(&r), 2);

    struct sch_pixel_event event = event_of(&r, 0);
    assert_int_equal(event.kind, SCH_PIXEL_CLEAR);
    assert_int_equal(event.label, 7);
    assert_int_equal(event.call, 0);
    assert_int_equal(event.buffer, 0);
    assert_int_equal(event.samples, 1);
    assert_int_equal(event.color_formats[0], SCH_FORMAT_R8G8B8A8_UNORM);
    assert_int_equal(event.color_formats[1], SCH_FORMAT_NONE);
    assert_int_equal(event.depth_stencil_format, SCH_FORMAT_Z24_UNORM_S8_UINT);
    struct sch_pixel_sample sample = sample_of(&r, 0, 0);
    assert_int_equal(sample.outcome, SCH_PIXEL_PASSED);
    is_color(&sample.before.colors[0], 0, 0, 0, 0);
    is_color(&sample.after.colors[0], 51 / 255.0f, 51 / 255.0f, 51 / 255.0f, 1);
    assert_true(sample.before.depth == 0 && sample.after.depth == 1);
    assert_int_equal(sample.after.stencil, 9);

    event = event_of(&r, 1);
    assert_int_equal(event.kind, SCH_PIXEL_DRAW);
    assert_true(event.label == UINT64_C(1) << 40);
    assert_int_equal(event.call, 1);
    assert_int_equal(event.primitive, SCH_PRIMITIVE_TRIANGLES);
    assert_int_equal(event.shape, SCH_PIXEL_TRIANGLE);
    assert_int_equal(event.primitive_id, 0);
    assert_int_equal(event.instance, 0);
    assert_int_equal(event.vertex_count, 3);
    for (uint32_t v = 0; v < 3; v++) assert_int_equal(event.vertices[v], v);
    assert_int_equal(event.covered, 1);
    assert_int_equal(event.part, 256);
    assert_true(event.center_covered && !event.back_face && event.ran);
    assert_true(event.depth_test && !event.stencil_test && !event.alpha_test && !event.depth_bounds_test);
    assert_int_equal(event.depth_function, SCH_COMPARE_LESS);
    assert_true(event.early_tests); /* nobody can see that */
    assert_int_equal(event.color_writes, 1);
    is_color(&event.colors[0], 1, 0, 0, 1);
    assert_true(!event.writes_depth && !event.writes_stencil && !event.writes_sample_mask);
    sample = sample_of(&r, 1, 0);
    assert_int_equal(sample.outcome, SCH_PIXEL_PASSED);
    assert_true(sample.has_depth);
    assert_true(sample.depth == 4194304 / 16777215.0); /* 0.25 * (2^24 - 1) = 4194303.75 */
    assert_true(sample.before.depth == 1 && sample.after.depth == sample.depth);
    is_color(&sample.before.colors[0], 51 / 255.0f, 51 / 255.0f, 51 / 255.0f, 1);
    is_color(&sample.after.colors[0], 1, 0, 0, 1);
    assert_memory_equal(sample.after.texels[0], ((const uint8_t[]){255, 0, 0, 255}), 4);
    assert_int_equal(sample.before.stencil, 9);
    assert_int_equal(sample.after.stencil, 9);
    end(&r);
}

/* Two instances of a strip of four vertices over the left half and the right half of the picture: indices 4 to 7 with a
 * base of -4, in the second of two ranges. */
static void numbers_of_primitives(void **state)
{
    static const uint32_t indices[] = {0, 0, 0, 4, 5, 6, 7};
    const float vertices[4][8] = {{-1, -1, 0, 1, 1}, {-1, 1, 0, 1, 1}, {1, -1, 0, 1, 1}, {1, 1, 0, 1, 1}};
    const struct sch_draw_range ranges[] = {{0, 3, 0}, {3, 4, -4}};
    const struct sch_draw strip = {.size = sizeof strip,
                                   .primitive = SCH_PRIMITIVE_TRIANGLE_STRIP,
                                   .instance_count = 2,
                                   .index_bytes = 4,
                                   .indices = {.memory = indices, .memory_bytes = sizeof indices},
                                   .draw_id = 5,
                                   .ranges = ranges,
                                   .range_count = 2,
                                   .range_stride = sizeof ranges[0]};
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    draw_vertices(&r.scene, vertices[0], 4, 2);
    assert_int_equal(draw_try(&r.scene, &strip), SCH_OK);
    /* Pixel 3, 2 is above the diagonal from the lower left to the upper right: of the first triangle. */
    assert_int_equal(count(&r), 2);
    for (uint32_t n = 0; n < 2; n++) {
        const struct sch_pixel_event event = event_of(&r, n);
        assert_int_equal(event.draw_id, 6);
        assert_int_equal(event.instance, n);
        assert_int_equal(event.primitive_id, 0);
        assert_int_equal(event.vertex_count, 3);
        for (uint32_t v = 0; v < 3; v++) assert_int_equal(event.vertices[v], v);
        assert_int_equal(event.call, 0);
        assert_int_equal(event.depth_stencil_format, SCH_FORMAT_NONE);
    }
    end(&r);
}

/* The second triangle of a quadrilateral has vertices 0, 2, 3 of it; the first one, clipped or not, 0, 1, 2. */
static void vertices_of_quadrilaterals(void **state)
{
    const float quads[8][8] = {{-9, -9, 0, 1}, {-9, -8, 0, 1}, {-8, -8, 0, 1}, {-8, -9, 0, 1},
                               {-1, -1, 0, 1}, {-1, 1, 0, 1},  {1, 1, 0, 1},   {1, -1, 0, 1}};
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    draw_vertices(&r.scene, quads[0], 8, 2);
    draw(&r.scene, SCH_PRIMITIVE_QUADS, 8);
    struct sch_pixel_event event = event_of(&r, 0);
    assert_int_equal(count(&r), 1);
    assert_int_equal(event.primitive_id, 1);
    assert_int_equal(event.vertex_count, 3);
    assert_int_equal(event.vertices[0], 4);
    assert_int_equal(event.vertices[1], 6);
    assert_int_equal(event.vertices[2], 7);
    end(&r);
}

static void lines_and_points(void **state)
{
    const float y = draw_at(Y + 0.5, SIDE);
    const float vertices[3][8] = {{-1, y, 0, 1}, {1, y, 0, 1, 1}, {draw_at(X + 0.5, SIDE), y, 0, 1, 0, 1}};
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    draw_vertices(&r.scene, vertices[0], 3, 2);
    draw(&r.scene, SCH_PRIMITIVE_LINE_STRIP, 2);
    draw(&r.scene, SCH_PRIMITIVE_POINTS, 3);
    r.scene.rasterizer.fill_front = r.scene.rasterizer.fill_back = SCH_FILL_LINE;
    cover(&r.scene, 0, red, false); /* the outline is elsewhere */
    assert_int_equal(count(&r), 2);
    struct sch_pixel_event event = event_of(&r, 0);
    assert_int_equal(event.shape, SCH_PIXEL_LINE);
    assert_int_equal(event.vertex_count, 2);
    assert_int_equal(event.vertices[1], 1);
    event = event_of(&r, 1);
    assert_int_equal(event.shape, SCH_PIXEL_POINT);
    assert_int_equal(event.primitive_id, 2);
    assert_int_equal(event.vertex_count, 1);
    assert_int_equal(event.vertices[0], 2);
    is_color(&event.colors[0], 0, 1, 0, 0);
    end(&r);
}

/* ---- before there is a fragment ---- */

static void culled_and_scissored(void **state)
{
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    draw_clear(&r.scene, grey, 0, 0);
    r.scene.rasterizer.cull_face = SCH_FACE_BACK;
    cover(&r.scene, 0, red, true);
    assert_int_equal(outcome(&r, 1, 0), SCH_PIXEL_CULLED);
    assert_true(event_of(&r, 1).back_face && !event_of(&r, 1).ran);
    r.scene.rasterizer.scissor = true;
    r.scene.dynamic.scissors[0] = (struct sch_scissor){X + 1, 0, SIDE, SIDE};
    cover(&r.scene, 0, red, false);
    assert_int_equal(outcome(&r, 2, 0), SCH_PIXEL_SCISSOR);
    assert_int_equal(event_of(&r, 2).covered, 1);
    const struct sch_pixel_sample sample = sample_of(&r, 2, 0); /* nothing was written: as the clear left it */
    is_color(&sample.before.colors[0], 51 / 255.0f, 51 / 255.0f, 51 / 255.0f, 1);
    is_color(&sample.after.colors[0], 51 / 255.0f, 51 / 255.0f, 51 / 255.0f, 1);
    r.scene.dynamic.scissors[0] = (struct sch_scissor){X, Y, X + 1, Y + 1};
    cover(&r.scene, 0, red, false);
    assert_int_equal(outcome(&r, 3, 0), SCH_PIXEL_PASSED);
    r.scene.rasterizer.rasterizer_discard = true;
    cover(&r.scene, 0, red, false);
    assert_int_equal(count(&r), 4);
    /* and the picture is what it would be */
    assert_int_equal(draw_pixel(&r.scene, X, Y), 0xff0000ff);
    assert_int_equal(draw_pixel(&r.scene, X + 1, Y), 0xff0000ff);
    assert_int_equal(draw_pixel(&r.scene, X - 1, Y), 0xff333333);
    end(&r);
}

/* Setup has looked at the coverage of small triangles when the scissor's turn is, which is after what it hides was
 * recorded: the picture is what it would be. */
static void scissored_and_small(void **state)
{
    struct recorded r;
    uint32_t pixels[2][SIDE][SIDE];
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    r.scene.rasterizer.scissor = true;
    r.scene.dynamic.scissors[0] = (struct sch_scissor){X - 1, Y - 1, X + 1, Y + 1};
    const float left = 2 * (X - 2.9f) / SIDE - 1, right = 2 * (X + 3.9f) / SIDE - 1;
    const float top = 2 * (Y - 1.9f) / SIDE - 1, bottom = 2 * (Y + 1.9f) / SIDE - 1;
    const float vertices[3][8] = {
        {left, top, 0, 1, 1, 0, 0, 1}, {right, top, 0, 1, 1, 0, 0, 1}, {left, bottom, 0, 1, 1, 0, 0, 1}};
    for (unsigned without = 0; without < 2; without++) {
        if (without) assert_int_equal(sch_renderer_record_pixel(r.scene.renderer, NULL), SCH_OK);
        draw_clear(&r.scene, grey, 0, 0);
        draw_vertices(&r.scene, vertices[0], 3, 2);
        draw(&r.scene, SCH_PRIMITIVE_TRIANGLES, 3);
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++) pixels[without][y][x] = draw_pixel(&r.scene, x, y);
    }
    assert_memory_equal(pixels[0], pixels[1], sizeof pixels[0]);
    assert_int_equal(pixels[0][Y][X - 1], 0xff0000ff);
    assert_int_equal(pixels[0][Y][X - 2], 0xff333333);
    end(&r);
}

static void clipped_and_stippled(void **state)
{
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    r.scene.rasterizer.clip_plane_enable = 1;
    r.scene.dynamic.clip_planes[0][0] = 1; /* x >= 0: the right half */
    cover(&r.scene, 0, red, false);
    assert_int_equal(outcome(&r, 0, 0), SCH_PIXEL_CLIP_DISTANCE);
    r.scene.rasterizer.clip_plane_enable = 0;
    r.scene.rasterizer.poly_stipple_enable = true;
    memset(r.scene.dynamic.polygon_stipple, 255, sizeof r.scene.dynamic.polygon_stipple);
    r.scene.dynamic.polygon_stipple[Y] = ~(UINT32_C(1) << (31 - X));
    cover(&r.scene, 0, red, false);
    assert_int_equal(outcome(&r, 1, 0), SCH_PIXEL_STIPPLE);
    assert_int_equal(draw_pixel(&r.scene, X, Y), 0);
    assert_int_equal(draw_pixel(&r.scene, X + 1, Y), 0xff0000ff);
    assert_int_equal(count(&r), 2);
    end(&r);
}

/* ---- behind the program ---- */

static const char killing[] =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nIMM[0] FLT32 {-1.0, 0, 0, 0}\n"
    "MOV OUT[0], IN[0]\nKILL_IF IMM[0]\nEND\n";
static const char killing_late[] =
    "FRAG\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
    "IMM[0] FLT32 {-1.0, 0, 0, 0}\nMOV OUT[0], IN[0]\nKILL_IF IMM[0]\nEND\n";

static void discarded(void **state)
{
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_Z32_FLOAT);
    r.scene.tests.depth_enabled = r.scene.tests.depth_writes = true;
    r.scene.tests.depth_function = SCH_COMPARE_GREATER;
    r.scene.fragment = killing;
    cover(&r.scene, 0.5f, red, false);
    struct sch_pixel_sample sample = sample_of(&r, 0, 0);
    assert_int_equal(sample.outcome, SCH_PIXEL_DISCARDED);
    assert_true(event_of(&r, 0).ran && !event_of(&r, 0).early_tests);
    assert_int_equal(event_of(&r, 0).color_writes, 0);
    assert_true(!sample.has_depth && sample.after.depth == 0);
    /* tests before the program write depth, whatever it does */
    r.scene.fragment = killing_late;
    cover(&r.scene, 0.5f, red, false);
    sample = sample_of(&r, 1, 0);
    assert_int_equal(sample.outcome, SCH_PIXEL_DISCARDED);
    assert_true(event_of(&r, 1).early_tests);
    assert_true(sample.has_depth && sample.depth == 0.5);
    assert_true(sample.before.depth == 0 && sample.after.depth == 0.5);
    /* the program does not run */
    cover(&r.scene, 0.25f, red, false);
    assert_int_equal(outcome(&r, 2, 0), SCH_PIXEL_DEPTH);
    assert_true(!event_of(&r, 2).ran && event_of(&r, 2).color_writes == 0);
    end(&r);
}

static void alpha_test(void **state)
{
    const float half[4] = {1, 1, 1, 0.5f};
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    r.scene.tests.alpha_enabled = true;
    r.scene.tests.alpha_function = SCH_COMPARE_GREATER;
    r.scene.tests.alpha_reference = 0.5f;
    cover(&r.scene, 0, half, false);
    cover(&r.scene, 0, red, false);
    assert_int_equal(outcome(&r, 0, 0), SCH_PIXEL_ALPHA_TEST);
    assert_int_equal(outcome(&r, 1, 0), SCH_PIXEL_PASSED);
    const struct sch_pixel_event event = event_of(&r, 0);
    assert_true(event.alpha_test && event.alpha_reference == 0.5f);
    assert_int_equal(event.alpha_function, SCH_COMPARE_GREATER);
    assert_true(event.colors[0].f[3] == 0.5f);
    end(&r);
}

/* What is first to fail counts: bounds, stencil, depth. The stencil operations are made. */
static void depth_and_stencil(void **state)
{
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_Z24_UNORM_S8_UINT);
    struct sch_depth_stencil_alpha_options *tests = &r.scene.tests;
    draw_clear(&r.scene, grey, 0.5, 0x13);
    tests->depth_enabled = tests->depth_writes = true;
    tests->depth_function = SCH_COMPARE_LESS;
    tests->depth_bounds = true;
    tests->depth_bounds_min = 0.6f;
    tests->depth_bounds_max = 1;
    tests->stencil[0] = (struct sch_stencil_face){.enabled = true,
                                                  .function = SCH_COMPARE_EQUAL,
                                                  .fail = SCH_STENCIL_ZERO,
                                                  .depth_fail = SCH_STENCIL_INCREMENT,
                                                  .pass = SCH_STENCIL_INVERT,
                                                  .value_mask = 0x0f,
                                                  .write_mask = 0xff};
    r.scene.dynamic.stencil_reference[0] = 4;
    cover(&r.scene, 0.75f, red, false);
    struct sch_pixel_sample sample = sample_of(&r, 1, 0);
    assert_int_equal(sample.outcome, SCH_PIXEL_DEPTH_BOUNDS);
    assert_true(!sample.has_depth);
    assert_int_equal(sample.after.stencil, 0x13);
    assert_true(event_of(&r, 1).depth_bounds_test && event_of(&r, 1).depth_bounds_min == 0.6f);

    tests->depth_bounds_min = 0;
    r.scene.dynamic.stencil_reference[0] = 0x23; /* 3 == 3 by the mask */
    cover(&r.scene, 0.75f, red, false);
    sample = sample_of(&r, 2, 0);
    assert_int_equal(sample.outcome, SCH_PIXEL_DEPTH);
    assert_true(sample.has_depth && sample.depth == 12582911 / 16777215.0); /* 12582911.25 */
    assert_true(sample.before.depth == 8388608 / 16777215.0);               /* 8388607.5, to even */
    assert_true(sample.after.depth == sample.before.depth);
    assert_int_equal(sample.after.stencil, 0x14);
    const struct sch_pixel_event event = event_of(&r, 2);
    assert_true(event.stencil_test);
    assert_int_equal(event.stencil_reference, 0x23);
    assert_int_equal(event.stencil_face.value_mask, 0x0f);
    assert_int_equal(event.stencil_face.function, SCH_COMPARE_EQUAL);

    cover(&r.scene, 0.25f, red, false); /* 3 is not 4 */
    sample = sample_of(&r, 3, 0);
    assert_int_equal(sample.outcome, SCH_PIXEL_STENCIL);
    assert_true(!sample.has_depth);
    assert_int_equal(sample.before.stencil, 0x14);
    assert_int_equal(sample.after.stencil, 0);

    r.scene.dynamic.stencil_reference[0] = 0x10;
    cover(&r.scene, 0.25f, red, false);
    sample = sample_of(&r, 4, 0);
    assert_int_equal(sample.outcome, SCH_PIXEL_PASSED);
    assert_int_equal(sample.after.stencil, 0xff);
    is_color(&sample.after.colors[0], 1, 0, 0, 1);

    tests->stencil[1] = tests->stencil[0]; /* back faces have a face, and a reference, of their own */
    tests->stencil[1].function = SCH_COMPARE_NEVER;
    r.scene.dynamic.stencil_reference[1] = 0x77;
    cover(&r.scene, 0.125f, red, true);
    assert_int_equal(outcome(&r, 5, 0), SCH_PIXEL_STENCIL);
    assert_int_equal(event_of(&r, 5).stencil_face.function, SCH_COMPARE_NEVER);
    assert_int_equal(event_of(&r, 5).stencil_reference, 0x77);
    end(&r);
}

static const char writing[] =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\nDCL OUT[2], STENCIL\n"
    "DCL OUT[3], SAMPLEMASK\nIMM[0] FLT32 {0.0, 0.0, 0.625, 0.0}\nIMM[1] UINT32 {5, 205, 0, 0}\n"
    "MOV OUT[0], IN[0]\nMOV OUT[1].z, IMM[0].zzzz\nMOV OUT[2].y, IMM[1].yyyy\nMOV OUT[3].x, IMM[1].xxxx\nEND\n";

/* Depth, stencil reference and sample mask of the program: samples 0 and 2 of four. */
static void what_the_program_writes(void **state)
{
    struct recorded r;
    (void)state;
    begin(&r, 4, SCH_FORMAT_Z32_FLOAT_S8X24_UINT);
    draw_clear(&r.scene, grey, 0.5, 0);
    r.scene.tests.depth_enabled = true;
    r.scene.tests.depth_function = SCH_COMPARE_GREATER;
    r.scene.tests.stencil[0] = (struct sch_stencil_face){
        .enabled = true, .function = SCH_COMPARE_ALWAYS, .pass = SCH_STENCIL_REPLACE, .write_mask = 0xff};
    r.scene.fragment = writing;
    cover(&r.scene, 0.25f, red, false);
    const struct sch_pixel_event event = event_of(&r, 1);
    assert_true(event.writes_depth && event.depth == 0.625f);
    assert_true(event.writes_stencil && event.stencil == 205 && event.stencil_reference == 205);
    assert_true(event.writes_sample_mask && event.sample_mask == 5);
    assert_int_equal(event.covered, 15);
    for (uint32_t s = 0; s < 4; s++) {
        const struct sch_pixel_sample sample = sample_of(&r, 1, s);
        assert_int_equal(sample.outcome, s % 2 ? SCH_PIXEL_PROGRAM_MASK : SCH_PIXEL_PASSED);
        assert_int_equal(sample.after.stencil, s % 2 ? 0 : 205);
        assert_int_equal(sample.has_depth, s % 2 == 0);
        if (sample.has_depth) assert_true(sample.depth == 0.625);
        assert_true(sample.after.depth == 0.5); /* is not written */
    }
    end(&r);
}

/* ---- samples ---- */

/* The edge between pixel 3 and 4 moved to the middle of pixel 3: the standard pattern of four has samples 0 and 2 on
 * its left (x -2/16 and -6/16; 1 and 3 are at 6/16 and 2/16). The centre is on a right edge, so it is outside. */
static void some_samples(void **state)
{
    const float edge = draw_at(X + 0.5, SIDE);
    const float strip[4][8] = {{-1, -1, 0, 1, 1}, {edge, -1, 0, 1, 1}, {-1, 1, 0, 1, 1}, {edge, 1, 0, 1, 1}};
    struct recorded r;
    (void)state;
    begin(&r, 4, SCH_FORMAT_NONE);
    r.scene.dynamic.sample_mask = 0xe;
    draw_vertices(&r.scene, strip[0], 4, 2);
    draw(&r.scene, SCH_PRIMITIVE_TRIANGLE_STRIP, 4);
    assert_int_equal(count(&r), 1);
    const struct sch_pixel_event event = event_of(&r, 0);
    assert_int_equal(event.samples, 4);
    assert_int_equal(event.covered, 5);
    assert_true(!event.center_covered);
    static const enum sch_pixel_outcome want[4] = {SCH_PIXEL_SAMPLE_MASK, SCH_PIXEL_NOT_COVERED, SCH_PIXEL_PASSED,
                                                   SCH_PIXEL_NOT_COVERED};
    for (uint32_t s = 0; s < 4; s++) {
        const struct sch_pixel_sample sample = sample_of(&r, 0, s);
        assert_int_equal(sample.outcome, want[s]);
        is_color(&sample.after.colors[0], s == 2, 0, 0, 0);
    }
    end(&r);
}

/* floor(alpha * 4 + 1/2) samples: of 0.5 the first two. */
static void alpha_to_coverage(void **state)
{
    const float half[4] = {1, 1, 1, 0.5f};
    struct recorded r;
    (void)state;
    begin(&r, 4, SCH_FORMAT_NONE);
    r.scene.blend.alpha_to_coverage = true;
    cover(&r.scene, 0, half, false);
    for (uint32_t s = 0; s < 4; s++)
        assert_int_equal(outcome(&r, 0, s), s < 2 ? SCH_PIXEL_PASSED : SCH_PIXEL_ALPHA_TO_COVERAGE);
    end(&r);
}

static const char per_sample[] =
    "FRAG\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {0.25, 0, 0, 0}\n"
    "I2F TEMP[0], SV[0].xxxx\nMUL OUT[0], TEMP[0], IMM[0].xxxx\nEND\n";

/* A program that runs for each sample: an event each, with its own colour. */
static void programs_per_sample(void **state)
{
    struct recorded r;
    (void)state;
    begin(&r, 4, SCH_FORMAT_NONE);
    r.scene.fragment = per_sample;
    cover(&r.scene, 0, red, false);
    assert_int_equal(count(&r), 4);
    for (uint32_t n = 0; n < 4; n++) {
        const struct sch_pixel_event event = event_of(&r, n);
        assert_int_equal(event.covered, 1u << n);
        assert_true(event.colors[0].f[0] == 0.25f * (float)n);
        for (uint32_t s = 0; s < 4; s++)
            assert_int_equal(outcome(&r, n, s), s == n ? SCH_PIXEL_PASSED : SCH_PIXEL_NOT_COVERED);
        assert_int_equal(sample_of(&r, n, n).after.texels[0][0], (uint8_t)(255 * n / 4.0 + 0.5));
    }
    end(&r);
}

/* A point of one pixel has its four samples in one group, before and behind the program. */
static void samples_of_one_group(void **state)
{
    const float point[8] = {draw_at(X + 0.5, SIDE), draw_at(Y + 0.5, SIDE), 0.5f, 1};
    struct recorded r;
    (void)state;
    begin(&r, 4, SCH_FORMAT_Z32_FLOAT);
    r.scene.fragment = per_sample;
    r.scene.tests.depth_enabled = r.scene.tests.depth_writes = true;
    r.scene.tests.depth_function = SCH_COMPARE_GREATER;
    r.scene.rasterizer.point_quad_rasterization = true;
    for (unsigned turn = 0; turn < 2; turn++) { /* the second time no sample is deeper */
        draw_vertices(&r.scene, point, 1, 2);
        draw(&r.scene, SCH_PRIMITIVE_POINTS, 1);
    }
    assert_int_equal(count(&r), 8);
    for (uint32_t n = 0; n < 8; n++) {
        assert_true(event_of(&r, n).early_tests && event_of(&r, n).ran == (n < 4));
        assert_int_equal(outcome(&r, n, n % 4), n < 4 ? SCH_PIXEL_PASSED : SCH_PIXEL_DEPTH);
    }
    end(&r);
}

static void one_sample_is_asked_for(void **state)
{
    const float edge = draw_at(X + 0.5, SIDE);
    const float strip[4][8] = {{-1, -1, 0, 1, 1}, {edge, -1, 0, 1, 1}, {-1, 1, 0, 1, 1}, {edge, 1, 0, 1, 1}};
    const struct sch_pixel_history_options options = {.size = sizeof options, .x = X, .y = Y, .samples = 8};
    struct recorded r;
    (void)state;
    draw_begin(&r.scene, SIDE, SIDE, 4, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
    record(&r, r.scene.color, &options);
    draw_vertices(&r.scene, strip[0], 4, 2);
    draw(&r.scene, SCH_PRIMITIVE_TRIANGLE_STRIP, 4);
    assert_int_equal(count(&r), 0); /* sample 3 is not covered */
    cover(&r.scene, 0, red, false);
    assert_int_equal(count(&r), 1);
    is_color(&sample_of(&r, 0, 3).before.colors[0], 0, 0, 0, 0);
    struct sch_pixel_sample other = {.size = sizeof other};
    assert_int_equal(sch_pixel_history_get_sample(r.history, 0, 0, &other), SCH_ERROR_ARGUMENT);
    end(&r);
}

/* ---- what else changes the pixel ---- */

static void clears_blits_and_others(void **state)
{
    const struct sch_framebuffer_clear elsewhere = {
        .size = sizeof elsewhere, .parts = SCH_PART_COLOR, .scissored = true, .scissor = {0, 0, X, SIDE}};
    const struct sch_framebuffer_clear nothing = {.size = sizeof nothing, .parts = SCH_PART_DEPTH, .depth = 1};
    struct sch_blit turned = {.size = sizeof turned, .box = {SIDE, 0, 0, -SIDE, SIDE, 1}};
    const struct sch_transfer one = {.size = sizeof one, .box = {X, Y, 0, 1, 1, 1}};
    const uint32_t blue = 0xffff0000;
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    assert_int_equal(sch_renderer_clear(r.scene.renderer, r.scene.framebuffer, &elsewhere, NULL), SCH_OK);
    assert_int_equal(outcome(&r, 0, 0), SCH_PIXEL_SCISSOR);
    assert_int_equal(sch_renderer_clear(r.scene.renderer, r.scene.framebuffer, &nothing, NULL), SCH_OK);
    assert_int_equal(count(&r), 1);
    /* the mirrored half of a picture that is red at 4, 2 */
    const struct sch_transfer other = {.size = sizeof other, .box = {SIDE - 1 - X, Y, 0, 1, 1, 1}};
    const uint32_t word = 0xff0000ff;
    assert_int_equal(sch_resource_write(r.scene.color, &other, &word, 4, NULL), SCH_OK);
    assert_int_equal(sch_renderer_blit(r.scene.renderer, r.scene.color, r.scene.color, &turned, false, NULL), SCH_OK);
    assert_int_equal(count(&r), 2);
    assert_int_equal(event_of(&r, 1).kind, SCH_PIXEL_BLIT);
    assert_int_equal(event_of(&r, 1).call, 2);
    is_color(&sample_of(&r, 1, 0).after.colors[0], 1, 0, 0, 1);
    turned.scissored = true;
    turned.scissor[0] = X + 1;
    turned.scissor[2] = turned.scissor[3] = SIDE;
    assert_int_equal(sch_renderer_blit(r.scene.renderer, r.scene.color, r.scene.color, &turned, false, NULL), SCH_OK);
    assert_int_equal(outcome(&r, 2, 0), SCH_PIXEL_SCISSOR);
    turned.scissored = false;
    turned.box = (struct sch_box){X + 1, 0, 0, 2, SIDE, 1};
    assert_int_equal(sch_renderer_blit(r.scene.renderer, r.scene.color, r.scene.color, &turned, false, NULL), SCH_OK);
    assert_int_equal(count(&r), 3);
    /* a transfer between two labels */
    assert_int_equal(sch_pixel_history_set_label(r.history, 11), SCH_OK);
    assert_int_equal(sch_resource_write(r.scene.color, &one, &blue, 4, NULL), SCH_OK);
    assert_int_equal(sch_pixel_history_set_label(r.history, 12), SCH_OK);
    assert_int_equal(count(&r), 4);
    assert_int_equal(event_of(&r, 3).kind, SCH_PIXEL_OTHER);
    assert_int_equal(event_of(&r, 3).label, 11);
    is_color(&sample_of(&r, 3, 0).before.colors[0], 1, 0, 0, 1);
    is_color(&sample_of(&r, 3, 0).after.colors[0], 0, 0, 1, 1);
    cover(&r.scene, 0, red, false);
    assert_int_equal(event_of(&r, 4).label, 12);
    end(&r);
}

static const char storing[] =
    "FRAG\nDCL OUT[0], COLOR\nDCL IMAGE[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR\n"
    "IMM[0] UINT32 {3, 2, 0, 0}\nIMM[1] FLT32 {0.0, 1.0, 0.0, 1.0}\n"
    "STORE IMAGE[0], IMM[0], IMM[1], 2D, PIPE_FORMAT_R8G8B8A8_UNORM\nMOV OUT[0], IMM[1].wxxw\nEND\n";

/* A program that stores to the pixel while it draws elsewhere. */
static void stores_of_programs(void **state)
{
    const float point[2][8] = {{draw_at(0.5, SIDE), draw_at(0.5, SIDE), 0, 1}};
    struct recorded r;
    struct sch_image *image = NULL;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    assert_int_equal(sch_image_create(r.scene.color, NULL, &image), SCH_OK);
    const struct sch_bindings bindings = {.size = sizeof bindings, .images = &image, .image_count = 1};
    r.scene.bindings[SCH_STAGE_FRAGMENT] = &bindings;
    r.scene.fragment = storing;
    draw_vertices(&r.scene, point[0], 1, 2);
    assert_int_equal(sch_pixel_history_set_label(r.history, 3), SCH_OK);
    draw(&r.scene, SCH_PRIMITIVE_POINTS, 1);
    assert_int_equal(count(&r), 1);
    assert_int_equal(event_of(&r, 0).kind, SCH_PIXEL_OTHER);
    assert_int_equal(event_of(&r, 0).label, 3);
    is_color(&sample_of(&r, 0, 0).after.colors[0], 0, 1, 0, 1);
    sch_image_destroy(image);
    end(&r);
}

/* The pixel of a depth buffer, while colours are drawn, too. */
static void depth_buffers(void **state)
{
    const struct sch_pixel_history_options options = {.size = sizeof options, .x = X, .y = Y};
    struct recorded r;
    (void)state;
    draw_begin(&r.scene, SIDE, SIDE, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_Z16_UNORM);
    record(&r, r.scene.depth, &options);
    r.scene.tests.depth_enabled = r.scene.tests.depth_writes = true;
    r.scene.tests.depth_function = SCH_COMPARE_ALWAYS;
    cover(&r.scene, 0.5f, red, false);
    assert_int_equal(event_of(&r, 0).buffer, SCH_COLOR_BUFFERS);
    const struct sch_pixel_sample sample = sample_of(&r, 0, 0);
    assert_true(sample.depth == 32768 / 65535.0 && sample.after.depth == sample.depth); /* 32767.5, to even */
    is_color(&sample.after.colors[0], 1, 0, 0, 1);
    const uint16_t half = 0x1234;
    const struct sch_transfer one = {.size = sizeof one, .box = {X, Y, 0, 1, 1, 1}};
    assert_int_equal(sch_resource_write(r.scene.depth, &one, &half, 2, NULL), SCH_OK);
    assert_int_equal(sch_renderer_record_pixel(r.scene.renderer, NULL), SCH_OK);
    assert_int_equal(event_of(&r, 1).kind, SCH_PIXEL_OTHER);
    assert_true(sample_of(&r, 1, 0).after.depth == 0x1234 / 65535.0);
    assert_int_equal(event_of(&r, 1).buffer, SCH_COLOR_BUFFERS);
    end(&r);
}

/* Another layer, another level and another resource are none of the pixel's. */
static void layers_and_levels(void **state)
{
    const struct sch_resource_options array = {.size = sizeof array,
                                               .target = SCH_TARGET_2D_ARRAY,
                                               .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                               .width = 2 * SIDE,
                                               .height = 2 * SIDE,
                                               .layers = 4,
                                               .levels = 2};
    const struct sch_pixel_history_options options = {.size = sizeof options, .x = X, .y = Y, .level = 1, .layer = 2};
    struct recorded r;
    struct sch_resource *resource = NULL;
    (void)state;
    draw_begin(&r.scene, SIDE, SIDE, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
    assert_int_equal(sch_resource_create(r.scene.context, &array, NULL, &resource), SCH_OK);
    record(&r, resource, &options);
    cover(&r.scene, 0, red, false);
    assert_int_equal(count(&r), 0);
    for (uint32_t first = 0; first < 4; first++) {
        const struct sch_surface_options surface = {
            .size = sizeof surface, .level = 1, .first_layer = first, .layer_count = 1};
        struct sch_framebuffer_options framebuffer = {.size = sizeof framebuffer};
        assert_int_equal(sch_surface_create(resource, &surface, NULL, &framebuffer.colors[2]), SCH_OK);
        sch_framebuffer_destroy(r.scene.framebuffer);
        assert_int_equal(sch_framebuffer_create(r.scene.context, &framebuffer, NULL, &r.scene.framebuffer), SCH_OK);
        sch_surface_destroy(framebuffer.colors[2]);
        cover(&r.scene, 0, red, false);
    }
    assert_int_equal(count(&r), 1);
    assert_int_equal(event_of(&r, 0).call, 3);
    assert_int_equal(event_of(&r, 0).buffer, 2);
    assert_int_equal(event_of(&r, 0).color_formats[0], SCH_FORMAT_NONE);
    assert_int_equal(event_of(&r, 0).color_writes, 0); /* the program has colour 0 alone */
    sch_resource_destroy(resource);
    end(&r);
}

/* ---- ends ---- */

static const char endless[] = "FRAG\nDCL OUT[0], COLOR\nBGNLOOP\nENDLOOP\nEND\n";

static void draws_that_end_early(void **state)
{
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    const float vertices[3][8] = {{-1, -1, 0, 1}, {-1, 3, 0, 1}, {3, -1, 0, 1}};
    const struct sch_draw call = {
        .size = sizeof call, .primitive = SCH_PRIMITIVE_TRIANGLES, .count = 3, .instance_count = 1};
    r.scene.fragment = endless;
    r.scene.dispatch.budget = 100;
    draw_vertices(&r.scene, vertices[0], 3, 2);
    assert_int_equal(draw_try(&r.scene, &call), SCH_ERROR_BUDGET);
    assert_int_equal(count(&r), 1);
    assert_int_equal(outcome(&r, 0, 0), SCH_PIXEL_UNFINISHED);
    assert_true(!event_of(&r, 0).ran);
    end(&r);
}

static void limits(void **state)
{
    const struct sch_pixel_history_options options = {.size = sizeof options, .x = X, .y = Y, .max_events = 20};
    struct sch_pixel_history_info info = {.size = sizeof info};
    struct recorded r;
    (void)state;
    draw_begin(&r.scene, SIDE, SIDE, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
    record(&r, r.scene.color, &options);
    for (unsigned n = 0; n < 25; n++) cover(&r.scene, 0, n % 2 ? red : grey, false);
    assert_int_equal(sch_pixel_history_get_info(r.history, &info), SCH_OK);
    assert_int_equal(info.event_count, 20);
    assert_int_equal(info.not_kept, 5);
    assert_int_equal(info.calls, 25);
    for (uint32_t n = 0; n < 20; n++)
        is_color(&sample_of(&r, n, 0).after.colors[0], n % 2 ? 1 : 51 / 255.0f, n % 2 ? 0 : 51 / 255.0f,
                 n % 2 ? 0 : 51 / 255.0f, 1);
    end(&r);
}

static void wrong_calls(void **state)
{
    const struct sch_resource_options buffer = {
        .size = sizeof buffer, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R8_UINT, .width = 4};
    const struct sch_resource_options packed = {
        .size = sizeof packed, .target = SCH_TARGET_2D, .format = SCH_FORMAT_R8_SSCALED, .width = 4, .height = 4};
    static const struct sch_pixel_history_options wrong[] = {
        {.size = sizeof wrong[0], .x = SIDE},     {.size = sizeof wrong[0], .y = SIDE},
        {.size = sizeof wrong[0], .layer = 1},    {.size = sizeof wrong[0], .level = 1},
        {.size = sizeof wrong[0], .samples = 16}, {.size = 0}};
    struct sch_pixel_history_options options = {.size = sizeof options};
    struct sch_pixel_history *made = NULL;
    struct sch_resource *bytes = NULL, *blocks = NULL;
    struct sch_renderer *second = NULL;
    struct recorded r;
    (void)state;
    begin(&r, 4, SCH_FORMAT_NONE);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        made = r.history;
        assert_int_equal(sch_pixel_history_create(r.scene.color, &wrong[i], NULL, &made), SCH_ERROR_ARGUMENT);
        assert_null(made);
    }
    assert_int_equal(sch_resource_create(r.scene.context, &buffer, NULL, &bytes), SCH_OK);
    assert_int_equal(sch_resource_create(r.scene.context, &packed, NULL, &blocks), SCH_OK);
    assert_int_equal(sch_pixel_history_create(bytes, &options, NULL, &made), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_pixel_history_create(blocks, &options, NULL, &made), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(sch_pixel_history_create(NULL, &options, NULL, &made), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_pixel_history_create(r.scene.color, NULL, NULL, &made), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_pixel_history_create(r.scene.color, &options, NULL, NULL), SCH_ERROR_ARGUMENT);

    assert_int_equal(sch_renderer_create(r.scene.context, &second), SCH_OK);
    assert_int_equal(sch_renderer_record_pixel(second, r.history), SCH_ERROR_ARGUMENT); /* the first one does */
    assert_int_equal(sch_renderer_record_pixel(NULL, r.history), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_record_pixel(r.scene.renderer, r.history), SCH_OK); /* again */
    assert_int_equal(sch_renderer_record_pixel(r.scene.renderer, NULL), SCH_OK);
    assert_int_equal(sch_renderer_record_pixel(second, r.history), SCH_OK);
    sch_renderer_destroy(second);
    assert_int_equal(sch_renderer_record_pixel(r.scene.renderer, r.history), SCH_OK);

    struct sch_pixel_event event = {.size = sizeof event};
    struct sch_pixel_sample sample = {.size = sizeof sample};
    struct sch_pixel_history_info info = {.size = 0};
    cover(&r.scene, 0, red, false);
    assert_int_equal(sch_pixel_history_get_info(r.history, &info), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_pixel_history_get_info(NULL, &info), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_pixel_history_get_event(r.history, 1, &event), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_pixel_history_get_sample(r.history, 0, 4, &sample), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_pixel_history_get_sample(r.history, 1, 0, &sample), SCH_ERROR_ARGUMENT);
    event.size = sample.size = 0;
    assert_int_equal(sch_pixel_history_get_event(r.history, 0, &event), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_pixel_history_get_sample(r.history, 0, 0, &sample), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_pixel_history_set_label(NULL, 1), SCH_ERROR_ARGUMENT);
    sch_pixel_history_destroy(NULL);
    sch_resource_destroy(bytes);
    sch_resource_destroy(blocks);
    end(&r);
}

/* What a condition prevents did not happen. */
static void conditions(void **state)
{
    const struct sch_blit blit = {.size = sizeof blit};
    struct recorded r;
    struct sch_query *query = NULL;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    assert_int_equal(sch_query_create(r.scene.context, SCH_QUERY_OCCLUSION_COUNTER, 0, &query), SCH_OK);
    assert_int_equal(sch_renderer_begin_query(r.scene.renderer, query), SCH_OK);
    assert_int_equal(sch_renderer_end_query(r.scene.renderer, query), SCH_OK);
    sch_renderer_set_condition(r.scene.renderer, query, false);
    cover(&r.scene, 0, red, false);
    draw_clear(&r.scene, grey, 0, 0);
    assert_int_equal(sch_renderer_blit(r.scene.renderer, r.scene.color, r.scene.color, &blit, true, NULL), SCH_OK);
    assert_int_equal(count(&r), 0);
    sch_renderer_set_condition(r.scene.renderer, query, true);
    cover(&r.scene, 0, red, false);
    assert_int_equal(count(&r), 1);
    sch_renderer_set_condition(r.scene.renderer, NULL, false);
    sch_query_destroy(query);
    end(&r);
}

/* ---- primitives that shaders make ---- */

/* Each of two triangles, of which the second covers the pixel, becomes the same triangle twice: events with the number
 * of the primitive that they come from, and the instance; vertices are nobody's. */
static void geometry_shaders_make_primitives(void **state)
{
    static const char twice[] =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nPROPERTY GS_INVOCATIONS 2\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
        "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
        "MOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[1][0]\nMOV OUT[1], IN[1][1]\n"
        "EMIT IMM[0].xxxx\nMOV OUT[0], IN[2][0]\nMOV OUT[1], IN[2][1]\nEMIT IMM[0].xxxx\nEND\n";
    static const float corners[6][8] = {{3, 3, 0, 1},   {3, 4, 0, 1},  {4, 3, 0, 1},
                                        {-1, -1, 0, 1}, {-1, 3, 0, 1}, {3, -1, 0, 1}};
    const struct sch_draw both = {
        .size = sizeof both, .primitive = SCH_PRIMITIVE_TRIANGLES, .count = 6, .instance_count = 2};
    struct recorded r;
    (void)state;
    begin(&r, 1, SCH_FORMAT_NONE);
    r.scene.geometry = twice;
    draw_vertices(&r.scene, corners[0], 6, 2);
    assert_int_equal(draw_try(&r.scene, &both), SCH_OK);
    assert_int_equal(count(&r), 4);
    for (uint32_t n = 0; n < 4; n++) {
        const struct sch_pixel_event event = event_of(&r, n);
        assert_int_equal(event.kind, SCH_PIXEL_DRAW);
        assert_int_equal(event.primitive, SCH_PRIMITIVE_TRIANGLES);
        assert_int_equal(event.primitive_id, 1);
        assert_int_equal(event.instance, n / 2);
        assert_int_equal(event.shape, SCH_PIXEL_TRIANGLE);
        assert_int_equal(event.vertex_count, 0);
        assert_int_equal(outcome(&r, n, 0), SCH_PIXEL_PASSED);
    }
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_clear_and_a_triangle),
                                       cmocka_unit_test(numbers_of_primitives),
                                       cmocka_unit_test(vertices_of_quadrilaterals),
                                       cmocka_unit_test(lines_and_points),
                                       cmocka_unit_test(culled_and_scissored),
                                       cmocka_unit_test(scissored_and_small),
                                       cmocka_unit_test(clipped_and_stippled),
                                       cmocka_unit_test(discarded),
                                       cmocka_unit_test(alpha_test),
                                       cmocka_unit_test(depth_and_stencil),
                                       cmocka_unit_test(what_the_program_writes),
                                       cmocka_unit_test(some_samples),
                                       cmocka_unit_test(alpha_to_coverage),
                                       cmocka_unit_test(programs_per_sample),
                                       cmocka_unit_test(samples_of_one_group),
                                       cmocka_unit_test(one_sample_is_asked_for),
                                       cmocka_unit_test(clears_blits_and_others),
                                       cmocka_unit_test(stores_of_programs),
                                       cmocka_unit_test(depth_buffers),
                                       cmocka_unit_test(layers_and_levels),
                                       cmocka_unit_test(draws_that_end_early),
                                       cmocka_unit_test(limits),
                                       cmocka_unit_test(wrong_calls),
                                       cmocka_unit_test(geometry_shaders_make_primitives),
                                       cmocka_unit_test(conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
