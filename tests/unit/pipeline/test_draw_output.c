/* What the output of draws leaves in buffers, through the public API: every colour format with blending, logic
 * operations, masks and the alpha test, every depth format with its tests, alpha to coverage. All pixels of a buffer of
 * random texels are drawn over with one colour; blend_reference.c and depth_reference.c say what each becomes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/blend_reference.h"
#include "../support/depth_reference.h"
#include "../support/draw_support.h"
#include "../support/random_number.h"

enum { COLUMNS = 9, ROWS = 5, PIXELS = COLUMNS * ROWS };

static uint64_t seed = 8;

static uint32_t next(void) { return (uint32_t)(random_number(&seed) >> 32); }

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static uint32_t any_component(bool integer)
{
    static const uint32_t edges[] = {0x7fc00000u, 0x7f800000u, 0xff800000u, 0x80000000u, 0,           0x3f800000u,
                                     0x3f000000u, 0x40000000u, 0xbf000000u, 0x00000001u, 0x7fffffffu, 0xffffffffu};
    if (next() % 4 == 0) return edges[next() % (sizeof edges / sizeof *edges)];
    return integer ? next() >> next() % 32 : bits_of((float)(next() >> 8) * 0x1p-24f);
}

/* ---- one draw over all pixels ---- */

struct written {
    uint32_t color[4], second[4], depth, stencil; /* what the program writes, as bits */
    bool has_depth, has_stencil;
};

static void fragment_text(char *text, size_t bytes, const struct written *w)
{
    const char *depth = w->has_depth ? "DCL OUT[2], POSITION\n" : "";
    const char *stencil = w->has_stencil ? "DCL OUT[3], STENCIL\n" : "";
    const int length = snprintf(
        text, bytes,
        "FRAG\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n%s%sIMM[0] UINT32 {%u, %u, %u, %u}\nIMM[1] UINT32 {%u, %u, %u, "
        "%u}\nIMM[2] UINT32 {%u, %u, 0, 0}\nMOV OUT[0], IMM[0]\nMOV OUT[1], IMM[1]\n%s%sEND\n",
        depth, stencil, w->color[0], w->color[1], w->color[2], w->color[3], w->second[0], w->second[1], w->second[2],
        w->second[3], w->depth, w->stencil, w->has_depth ? "MOV OUT[2].z, IMM[2].xxxx\n" : "",
        w->has_stencil ? "MOV OUT[3].y, IMM[2].yyyy\n" : "");
    assert_in_range(length, 1, bytes - 1);
}

/* A triangle over all pixels; `turned`: its vertices go round the other way. */
static void cover_pixels(struct draw_scene *scene, float depth, bool turned)
{
    const float far = 3.0f; /* clip space: outside of the window */
    const float vertices[3][8] = {{-1, -1, depth, 1, 0},
                                  {turned ? -1 : far, turned ? far : -1, depth, 1, 0},
                                  {turned ? far : -1, turned ? -1 : far, depth, 1, 0}};
    draw_vertices(scene, vertices[0], 3, 2);
    draw(scene, SCH_PRIMITIVE_TRIANGLES, 3);
}

static void cover_all(struct draw_scene *scene, const struct written *w, float depth, bool turned)
{
    char text[1024];
    fragment_text(text, sizeof text, w);
    scene->fragment = text;
    cover_pixels(scene, depth, turned);
}

static void any_texels(uint8_t *texels, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) texels[i] = (uint8_t)next();
}

/* ---- colours ---- */

static const enum sch_blend_factor factors[] = {
    SCH_FACTOR_SRC1_COLOR,     SCH_FACTOR_INV_SRC1_ALPHA, SCH_FACTOR_ONE,
    SCH_FACTOR_SRC_COLOR,      SCH_FACTOR_SRC_ALPHA,      SCH_FACTOR_DST_ALPHA,
    SCH_FACTOR_DST_COLOR,      SCH_FACTOR_CONST_COLOR,    SCH_FACTOR_ZERO,
    SCH_FACTOR_INV_SRC_COLOR,  SCH_FACTOR_INV_SRC_ALPHA,  SCH_FACTOR_INV_DST_ALPHA,
    SCH_FACTOR_INV_DST_COLOR,  SCH_FACTOR_CONST_ALPHA,    SCH_FACTOR_SRC_ALPHA_SATURATE,
    SCH_FACTOR_INV_CONST_COLOR};

/* `second`: the factors of the second source colour, which come first, too. */
static enum sch_blend_factor any_factor(bool second)
{
    const unsigned count = sizeof factors / sizeof *factors, without = 2;
    return second ? factors[next() % count] : factors[without + next() % (count - without)];
}

static void any_target(struct sch_blend_target *target, bool second)
{
    *target = (struct sch_blend_target){next() % 4 != 0,
                                        (enum sch_blend_equation)(next() % 5),
                                        (enum sch_blend_equation)(next() % 5),
                                        any_factor(second),
                                        any_factor(second),
                                        any_factor(second),
                                        any_factor(second),
                                        next() % 2 ? 15 : next() % 16};
}

static void any_blend(struct draw_scene *scene, bool second)
{
    any_target(&scene->blend.targets[0], second);
    scene->blend.logic_enabled = next() % 5 == 0;
    scene->blend.logic_operation = (enum sch_logic_operation)(next() % 16);
    scene->rasterizer.clamp_fragment_color = next() % 4 == 0;
    for (unsigned c = 0; c < 4; c++) scene->dynamic.blend_color[c] = (float)(next() % 9) / 4 - 0.5f;
}

static void any_alpha_test(struct draw_scene *scene)
{
    scene->tests.alpha_enabled = next() % 4 == 0;
    scene->tests.alpha_function = (enum sch_compare)(1 + next() % 8);
    scene->tests.alpha_reference = 0.5f;
}

/* OpenGL 17.3.2: not tested if colour buffer 0 has integers. */
static bool alpha_passes(const struct draw_scene *scene, const struct ref_row *row, const struct written *w)
{
    float alpha = float_of(w->color[3]);
    if (!scene->tests.alpha_enabled || ref_is_integral(row)) return true;
    if (scene->rasterizer.clamp_fragment_color) alpha = !(alpha > 0) ? 0 : alpha > 1 ? 1 : alpha;
    return ref_compare_floats(scene->tests.alpha_function, alpha, scene->tests.alpha_reference);
}

static void draw_colors(const struct ref_row *row)
{
    static uint8_t before[PIXELS * REF_BLOCK_BYTES], after[PIXELS * REF_BLOCK_BYTES];
    const size_t bytes = (size_t)PIXELS * row->bytes;
    struct draw_scene scene;
    struct written w = {.has_depth = false};
    struct ref_fragment fragment;
    draw_begin(&scene, COLUMNS, ROWS, 1, (enum sch_format)row->number, SCH_FORMAT_NONE);
    for (unsigned n = 0; n < 3; n++) {
        any_blend(&scene, true);
        any_alpha_test(&scene);
        for (unsigned c = 0; c < 4; c++) {
            w.color[c] = any_component(ref_is_integral(row));
            w.second[c] = any_component(ref_is_integral(row));
        }
        any_texels(before, bytes);
        assert_int_equal(sch_resource_write_all(scene.color, before, bytes), SCH_OK);
        cover_all(&scene, &w, 0, n % 2);
        assert_int_equal(sch_resource_read_all(scene.color, after, bytes), SCH_OK);
        memcpy(fragment.source, w.color, sizeof w.color);
        memcpy(fragment.second, w.second, sizeof w.second);
        memcpy(fragment.constant, scene.dynamic.blend_color, sizeof fragment.constant);
        fragment.clamp = scene.rasterizer.clamp_fragment_color;
        for (unsigned p = 0; p < PIXELS; p++) {
            uint8_t *want = before + (size_t)p * row->bytes;
            if (alpha_passes(&scene, row, &w)) ref_merge(row, &scene.blend, 0, &fragment, want);
            if (memcmp(want, after + (size_t)p * row->bytes, row->bytes) != 0)
                fail_msg("%s, draw %u, pixel %u: another texel", row->name, n, p);
        }
    }
    draw_end(&scene);
}

static void every_color_format(void **state)
{
    (void)state;
    const struct ref_row *row;
    const unsigned rows = ref_rows(&row);
    for (unsigned r = 0; r < rows; r++, row++)
        if (ref_is_color(row)) draw_colors(row);
}

/* ---- several colour buffers ---- */

static const enum sch_format buffer_formats[SCH_COLOR_BUFFERS] = {
    SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FORMAT_B5G6R5_UNORM,    SCH_FORMAT_R8G8B8A8_SRGB,
    SCH_FORMAT_R16G16_SNORM,   SCH_FORMAT_R16G16B16A16_UINT,  SCH_FORMAT_R11G11B10_FLOAT, SCH_FORMAT_A8_UNORM};

struct buffers {
    struct sch_resource *resource[SCH_COLOR_BUFFERS];
    uint8_t before[SCH_COLOR_BUFFERS][PIXELS * REF_BLOCK_BYTES];
};

static const struct ref_row *row_of(enum sch_format format)
{
    const struct ref_row *row;
    const unsigned rows = ref_rows(&row);
    for (unsigned r = 0; r < rows; r++)
        if (row[r].number == (unsigned)format) return &row[r];
    return NULL;
}

/* A framebuffer of eight buffers in place of the scene's, and texels in them; the third place is empty. */
static void make_buffers(struct draw_scene *scene, struct buffers *buffers)
{
    struct sch_framebuffer_options options = {.size = sizeof options, .width = COLUMNS, .height = ROWS};
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++) {
        const struct sch_resource_options resource = {.size = sizeof resource,
                                                      .target = SCH_TARGET_2D,
                                                      .format = buffer_formats[n],
                                                      .width = COLUMNS,
                                                      .height = ROWS};
        assert_int_equal(sch_resource_create(scene->context, &resource, NULL, &buffers->resource[n]), SCH_OK);
        any_texels(buffers->before[n], sizeof buffers->before[n]);
        assert_int_equal(
            sch_resource_write_all(buffers->resource[n], buffers->before[n], sch_resource_bytes(buffers->resource[n])),
            SCH_OK);
        if (n != 2) assert_int_equal(sch_surface_create(buffers->resource[n], NULL, NULL, &options.colors[n]), SCH_OK);
    }
    sch_framebuffer_destroy(scene->framebuffer);
    assert_int_equal(sch_framebuffer_create(scene->context, &options, NULL, &scene->framebuffer), SCH_OK);
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++) sch_surface_destroy(options.colors[n]);
}

/* Colours 0 to 7, or one for all. */
static void write_colors_text(char *text, size_t bytes, bool one, uint32_t colors[SCH_COLOR_BUFFERS][4])
{
    int length = snprintf(text, bytes, "FRAG\n%s", one ? "PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n" : "");
    for (unsigned n = 0; n < (one ? 1 : SCH_COLOR_BUFFERS); n++)
        length += snprintf(text + length, bytes - (size_t)length, "DCL OUT[%u], COLOR[%u]\n", n, n);
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++) {
        if (one && n) memcpy(colors[n], colors[0], sizeof colors[n]);
        length += snprintf(text + length, bytes - (size_t)length, "IMM[%u] UINT32 {%u, %u, %u, %u}\n", n, colors[n][0],
                           colors[n][1], colors[n][2], colors[n][3]);
    }
    for (unsigned n = 0; n < (one ? 1 : SCH_COLOR_BUFFERS); n++)
        length += snprintf(text + length, bytes - (size_t)length, "MOV OUT[%u], IMM[%u]\n", n, n);
    length += snprintf(text + length, bytes - (size_t)length, "END\n");
    assert_in_range(length, 1, bytes - 1);
}

static void compare_buffers(const struct draw_scene *scene, struct buffers *buffers,
                            uint32_t colors[SCH_COLOR_BUFFERS][4])
{
    static uint8_t after[PIXELS * REF_BLOCK_BYTES];
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++) {
        const struct ref_row *row = row_of(buffer_formats[n]);
        struct ref_fragment fragment = {.clamp = scene->rasterizer.clamp_fragment_color};
        memcpy(fragment.source, colors[n], sizeof fragment.source);
        memcpy(fragment.second, colors[1], sizeof fragment.second);
        memcpy(fragment.constant, scene->dynamic.blend_color, sizeof fragment.constant);
        assert_int_equal(sch_resource_read_all(buffers->resource[n], after, sch_resource_bytes(buffers->resource[n])),
                         SCH_OK);
        for (unsigned p = 0; p < PIXELS; p++) {
            uint8_t *want = buffers->before[n] + (size_t)p * row->bytes;
            if (n != 2) ref_merge(row, &scene->blend, n, &fragment, want);
            if (memcmp(want, after + (size_t)p * row->bytes, row->bytes) != 0)
                fail_msg("buffer %u, %s, pixel %u: another texel", n, row->name, p);
        }
    }
}

/* Each with its own state, or all with that of the first; a hole takes nothing from the others. */
static void buffers_have_state_of_their_own(void **state)
{
    (void)state;
    static struct buffers buffers;
    char text[2048];
    for (unsigned n = 0; n < 24; n++) {
        uint32_t colors[SCH_COLOR_BUFFERS][4];
        struct draw_scene scene;
        draw_begin(&scene, COLUMNS, ROWS, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
        make_buffers(&scene, &buffers);
        any_blend(&scene, false);
        scene.blend.independent = n % 4 != 0;
        for (unsigned t = 0; t < SCH_COLOR_BUFFERS; t++) any_target(&scene.blend.targets[t], false);
        for (unsigned t = 0; t < SCH_COLOR_BUFFERS; t++)
            for (unsigned c = 0; c < 4; c++)
                colors[t][c] = any_component(buffer_formats[t] == SCH_FORMAT_R16G16B16A16_UINT);
        write_colors_text(text, sizeof text, n % 3 == 2, colors);
        scene.fragment = text;
        cover_pixels(&scene, 0, false);
        compare_buffers(&scene, &buffers, colors);
        for (unsigned t = 0; t < SCH_COLOR_BUFFERS; t++) sch_resource_destroy(buffers.resource[t]);
        draw_end(&scene);
    }
}

/* ---- depth and stencil ---- */

static struct sch_stencil_face any_face(void)
{
    return (struct sch_stencil_face){next() % 4 != 0,
                                     (enum sch_compare)(1 + next() % 8),
                                     (enum sch_stencil_operation)(next() % 8),
                                     (enum sch_stencil_operation)(next() % 8),
                                     (enum sch_stencil_operation)(next() % 8),
                                     next() % 2 ? 255 : (uint8_t)next(),
                                     next() % 2 ? 255 : (uint8_t)next()};
}

static void any_tests(struct draw_scene *scene, struct written *w)
{
    scene->tests.depth_enabled = next() % 4 != 0;
    scene->tests.depth_writes = next() % 4 != 0;
    scene->tests.depth_function = (enum sch_compare)(1 + next() % 8);
    scene->tests.depth_bounds = next() % 4 == 0;
    scene->tests.depth_bounds_min = 0.25f;
    scene->tests.depth_bounds_max = 0.75f;
    scene->tests.stencil[0] = any_face();
    scene->dynamic.stencil_reference[0] = (uint8_t)next();
    w->has_depth = next() % 2;
    w->depth = bits_of((float)(next() % 13) / 8 - 0.25f); /* outside of 0..1, too */
    w->has_stencil = next() % 4 == 0;
    w->stencil = next();
}

static uint64_t number_of(const uint8_t *texel, unsigned bytes)
{
    uint64_t number = 0;
    for (unsigned b = 0; b < bytes; b++) number |= (uint64_t)texel[b] << 8 * b;
    return number;
}

static void draw_depth(const struct ref_depth_layout *layout)
{
    static uint8_t before[PIXELS * 8], after[PIXELS * 8], colors[PIXELS * 4];
    const size_t bytes = (size_t)PIXELS * layout->bytes;
    struct draw_scene scene;
    struct written w = {.color = {0x3f800000u, 0, 0, 0x3f800000u}};
    draw_begin(&scene, COLUMNS, ROWS, 1, SCH_FORMAT_R8G8B8A8_UNORM, layout->format);
    for (unsigned n = 0; n < 30; n++) {
        const float z = (float)(next() % 9) / 8;
        any_tests(&scene, &w);
        any_texels(before, bytes);
        for (unsigned p = 0; p < PIXELS && layout->depth_bits; p++) { /* often the fragment's own depth */
            uint64_t texel = number_of(before + (size_t)p * layout->bytes, layout->bytes);
            const uint32_t code = ref_depth_code(layout, (double)(next() % 9) / 8, 0, 1);
            if (next() % 3 || layout->is_float)
                texel = ref_with_field(texel, layout->depth_at, layout->depth_bits, code);
            for (unsigned b = 0; b < layout->bytes; b++)
                before[(size_t)p * layout->bytes + b] = (uint8_t)(texel >> 8 * b);
        }
        memset(colors, 0, sizeof colors);
        assert_int_equal(sch_resource_write_all(scene.color, colors, sizeof colors), SCH_OK);
        assert_int_equal(sch_resource_write_all(scene.depth, before, bytes), SCH_OK);
        cover_all(&scene, &w, z, n % 2);
        assert_int_equal(sch_resource_read_all(scene.color, colors, sizeof colors), SCH_OK);
        assert_int_equal(sch_resource_read_all(scene.depth, after, bytes), SCH_OK);
        const double own = w.has_depth ? (double)float_of(w.depth) : (double)z;
        const struct ref_depth_fragment fragment = {false, ref_depth_code(layout, own, 0, 1),
                                                    w.has_stencil ? w.stencil : scene.dynamic.stencil_reference[0]};
        for (unsigned p = 0; p < PIXELS; p++) {
            uint64_t want = number_of(before + (size_t)p * layout->bytes, layout->bytes);
            const bool passed = ref_depth_test(layout, &scene.tests, &fragment, &want) == REF_PASSED;
            const uint64_t got = number_of(after + (size_t)p * layout->bytes, layout->bytes);
            if (got != want)
                fail_msg("%s, draw %u, pixel %u: %llx, not %llx", layout->name, n, p, (unsigned long long)got,
                         (unsigned long long)want);
            assert_int_equal(number_of(colors + 4 * (size_t)p, 4), passed ? 0xff0000ffu : 0);
        }
    }
    draw_end(&scene);
}

static void every_depth_format(void **state)
{
    (void)state;
    for (unsigned f = 0; f < REF_DEPTH_LAYOUTS; f++) draw_depth(&ref_depth_layouts[f]);
}

/* Triangles that go round the other way take the other face's state and reference, and so does the other rule for what
 * is a front. */
static void faces_have_stencil_of_their_own(void **state)
{
    (void)state;
    const struct sch_stencil_face front = {
        true, SCH_COMPARE_ALWAYS, SCH_STENCIL_KEEP, SCH_STENCIL_KEEP, SCH_STENCIL_REPLACE, 255, 255};
    const struct written w = {.has_depth = false};
    uint32_t stored[2][2];
    struct draw_scene scene;
    draw_begin(&scene, COLUMNS, ROWS, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_S8_UINT);
    scene.tests.stencil[0] = scene.tests.stencil[1] = front;
    scene.tests.stencil[1].write_mask = 0x0f;
    scene.dynamic.stencil_reference[0] = 0xa5;
    scene.dynamic.stencil_reference[1] = 0x5c;
    for (unsigned turned = 0; turned < 2; turned++)
        for (unsigned ccw = 0; ccw < 2; ccw++) {
            uint32_t word[4];
            draw_clear(&scene, (const float[4]){0, 0, 0, 0}, 0, 0);
            scene.rasterizer.front_ccw = ccw;
            cover_all(&scene, &w, 0, turned);
            draw_read(&scene, scene.depth, 4, 2, 0, word);
            stored[turned][ccw] = word[0] & 255;
        }
    assert_true(stored[0][0] == 0xa5 || stored[0][0] == 0x0c);
    assert_int_equal(stored[0][1], stored[0][0] == 0xa5 ? 0x0c : 0xa5);
    assert_int_equal(stored[1][0], stored[0][1]);
    assert_int_equal(stored[1][1], stored[0][0]);
    draw_end(&scene);
}

/* ---- alpha ---- */

/* Samples 0 to n - 1 are covered, n = floor(alpha * samples + 1/2); alpha to one comes after that. */
static void alpha_becomes_coverage(void **state)
{
    (void)state;
    static const struct {
        float alpha;
        uint32_t samples, covered;
    } cases[] = {{0, 4, 0},    {0.12f, 4, 0}, {0.125f, 4, 1}, {0.5f, 4, 2},   {0.874f, 4, 3}, {0.875f, 4, 4},
                 {1, 4, 4},    {2, 4, 4},     {-1, 4, 0},     {NAN, 4, 0},    {0.5f, 2, 1},   {0.75f, 2, 2},
                 {0.3f, 8, 2}, {0.32f, 8, 3}, {0.03f, 16, 0}, {0.04f, 16, 1}, {0.99f, 16, 16}};
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++)
        for (unsigned one = 0; one < 2; one++) {
            struct draw_scene scene;
            const struct written w = {.color = {0x3f800000u, 0, 0, bits_of(cases[n].alpha)}};
            const uint32_t alpha = cases[n].alpha >= 1 || one ? 255 : (uint32_t)lrint((double)cases[n].alpha * 255);
            draw_begin(&scene, COLUMNS, ROWS, cases[n].samples, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
            draw_clear(&scene, (const float[4]){0, 0, 0, 0}, 0, 0);
            scene.rasterizer.multisample = true;
            scene.blend.alpha_to_coverage = true;
            scene.blend.alpha_to_one = one;
            cover_all(&scene, &w, 0, false);
            for (uint32_t s = 0; s < cases[n].samples; s++) {
                uint32_t word[4];
                draw_read(&scene, scene.color, 4, 2, s, word);
                assert_int_equal(word[0], s < cases[n].covered ? 0xffu | alpha << 24 : 0);
            }
            draw_end(&scene);
        }
}

/* OpenGL 17.3.1: "each alpha value", that of the second source, too. */
static void alpha_of_both_sources_becomes_one(void **state)
{
    (void)state;
    for (unsigned one = 0; one < 2; one++) {
        struct draw_scene scene;
        uint32_t word[4];
        const uint32_t quarter = bits_of(0.25f);
        const struct written w = {.color = {0, 0, 0, quarter}, .second = {0, 0, 0, quarter}};
        draw_begin(&scene, COLUMNS, ROWS, 4, SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FORMAT_NONE);
        draw_clear(&scene, (const float[4]){1, 1, 1, 1}, 0, 0);
        scene.rasterizer.multisample = true;
        scene.blend.alpha_to_one = one;
        scene.blend.targets[0] = (struct sch_blend_target){.enabled = true,
                                                           .color_source = SCH_FACTOR_SRC_ALPHA,
                                                           .color_destination = SCH_FACTOR_INV_SRC1_ALPHA,
                                                           .alpha_source = SCH_FACTOR_SRC1_ALPHA,
                                                           .alpha_destination = SCH_FACTOR_ZERO,
                                                           .color_mask = 15};
        cover_all(&scene, &w, 0, false);
        draw_read(&scene, scene.color, 4, 2, 3, word);
        assert_int_equal(word[0], bits_of(one ? 0 : 0.75f));
        assert_int_equal(word[3], bits_of(one ? 1 : 0.0625f));
        draw_end(&scene);
    }
}

/* OpenGL 17.3.1: neither with integers in colour buffer 0. */
static void alpha_of_integers_is_no_coverage(void **state)
{
    (void)state;
    struct draw_scene scene;
    const struct written w = {.color = {1, 2, 3, 0}};
    draw_begin(&scene, COLUMNS, ROWS, 4, SCH_FORMAT_R8G8B8A8_UINT, SCH_FORMAT_NONE);
    draw_clear(&scene, (const float[4]){0, 0, 0, 0}, 0, 0);
    scene.rasterizer.multisample = true;
    scene.blend.alpha_to_coverage = scene.blend.alpha_to_one = true;
    scene.tests.alpha_enabled = true;
    scene.tests.alpha_function = SCH_COMPARE_NEVER;
    cover_all(&scene, &w, 0, false);
    for (uint32_t s = 0; s < 4; s++) {
        uint32_t word[4];
        draw_read(&scene, scene.color, 4, 2, s, word);
        assert_int_equal(word[0], 0x00030201);
    }
    draw_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alpha_becomes_coverage),
        cmocka_unit_test(alpha_of_both_sources_becomes_one),
        cmocka_unit_test(alpha_of_integers_is_no_coverage),
        cmocka_unit_test(faces_have_stencil_of_their_own),
        cmocka_unit_test(every_depth_format),
        cmocka_unit_test(every_color_format),
        cmocka_unit_test(buffers_have_state_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
