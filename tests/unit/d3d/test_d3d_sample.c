/* The behaviour that Microsoft's page of `sample` (sm4 - asm) states, sentence by sentence: pixel shaders in assembly
 * text through the public API at every width, against values worked out by hand. Test names begin with the numbers
 * below, which count the page's statements from top to bottom (Remarks, arrays, offsets, return type, LOD, miscellany,
 * restrictions):
 *
 *  1 every resource type but buffers is a source
 *  2 coordinates are floats in the normalised space of the texture
 *  3 the sampler's address modes act outside [0, 1], after the offset was added
 *  4 the t# stands for whatever is bound to its slot outside; its declaration has the return type
 *  5 the s# stands for the filter controls: point or linear, mipmaps, address wrapping
 *  6 data type and memory come with the t#, filtering with the s#, each by itself
 *  7 1D arrays: the second component after the swizzle is the slice: a scaled float, nearest even, then clamped
 *  8 2D arrays: the third component, with the same meaning
 *  9 immediate offsets are in texels
 * 10 they are four bits in two's complement: -8 to 7
 * 11 they are defined for all resources with arrays and 3D, not for cubes
 * 12 they are added in the space of each mip level that is accessed
 * 13 they do not apply along the axis of an array
 * 14 v and w are ignored for 1D
 * 15 w is ignored for 2D
 * 16 the address modes are applied after the offset (said twice: every mode)
 * 17 the resource's format decides what comes back: sRGB is made linear first, then filtered, in [0, 1]
 * 18 four components come back, with the format's defaults for missing ones
 * 19 the resource's swizzle turns the result, then the mask chooses what is written
 * 20 a point-sampled 32-bit float comes unmodified; denormals may be flushed (here: are not)
 * 21 ld gives 32-bit floats without modification
 * 22 derivatives are those of deriv_rtx and deriv_rty
 * 23 sample_l and sample_d take LOD and derivatives from the program
 * 24 one LOD may serve the four pixels of a 2 x 2 quad, never more (here: serves the four)
 * 25 1D ignores the components behind the first, 1D arrays those behind the second, 2D the fourth
 * 26 a slot with nothing bound gives 0 in all components
 * 27 the resource is a t#           28 ... and no constant buffer      29 the sampler is an s#
 * 30 no relative addressing of t#, s#                                  31 addresses: r#, x#, cb#, v#, immediate values
 * 32 destinations: r#, x#, o#       33 no offset on cubes              34 stages: pixel shaders
 * 35 shader models 4, 4.1 and 5, not 3
 * Not of the page: 36 _sat clamps the result */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <scheelite/scheelite.h>

enum { LANES = 8, WORDS = 4, TEXT = 2048, WIDTHS = 3 };

/* A shader with one lookup, t0, s0; texels level after level, layer after layer, row after row. */
struct scene {
    const char *model, *dimension, *type, *body; /* NULL: ps_4_0, texture2d, float */
    enum sch_target target;
    const char *format; /* NULL: R32_FLOAT */
    uint32_t width, height, depth, layers, levels;
    const void *texels;
    size_t bytes; /* 0: nothing is bound */
    struct sch_sampler_options state;
};

typedef uint32_t result_words[LANES][WORDS];

static const enum sch_wrap clamped = SCH_WRAP_CLAMP_TO_EDGE;

static void write_text(const struct scene *scene, char *text)
{
    const char *type = scene->type ? scene->type : "float";
    int length =
        snprintf(text, TEXT,
                 "%s\ndcl_constantbuffer CB0[1], immediateIndexed\ndcl_sampler s0, mode_default\n"
                 "dcl_resource_%s (%s,%s,%s,%s) t0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 4\n"
                 "dcl_indexableTemp x0[2], 4\n%s\nret\n",
                 scene->model ? scene->model : "ps_4_0", scene->dimension ? scene->dimension : "texture2d", type, type,
                 type, type, scene->body);
    assert_true(length > 0 && length < TEXT);
}

struct bound {
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_sampler *sampler;
};

static void bind(struct sch_context *context, const struct scene *scene, struct bound *to)
{
    struct sch_sampler_options state = scene->state;
    state.size = sizeof state;
    assert_int_equal(sch_sampler_create(context, &state, NULL, &to->sampler), SCH_OK);
    if (!scene->bytes) return;
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = scene->target,
                                               .format =
                                                   sch_format_by_name(scene->format ? scene->format : "R32_FLOAT"),
                                               .width = scene->width,
                                               .height = scene->height,
                                               .depth = scene->depth,
                                               .layers = scene->layers,
                                               .levels = scene->levels};
    assert_int_equal(sch_resource_create(context, &shape, NULL, &to->resource), SCH_OK);
    assert_int_equal(sch_resource_bytes(to->resource), scene->bytes);
    assert_int_equal(sch_resource_write_all(to->resource, scene->texels, scene->bytes), SCH_OK);
    assert_int_equal(sch_view_create(to->resource, NULL, &to->view), SCH_OK);
}

static void run_width(const struct scene *scene, const char *text, unsigned width, const float at[LANES][4],
                      result_words words)
{
    static const uint32_t constants[4] = {0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000};
    struct sch_context *context;
    struct sch_shader *shader;
    struct sch_program *program;
    struct bound to = {0};
    uint32_t inputs[LANES][4];
    memcpy(inputs, at, sizeof inputs);
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) != SCH_OK) fail_msg("not read:\n%s", text);
    const struct sch_program_options options = {.size = sizeof options, .width = width};
    if (sch_program_create(context, shader, &options, NULL, &program) != SCH_OK) fail_msg("no program:\n%s", text);
    bind(context, scene, &to);
    const struct sch_constant_buffer buffer = {constants, sizeof constants};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = &buffer,
                                          .constant_count = 1,
                                          .views = &to.view,
                                          .view_count = 1,
                                          .samplers = &to.sampler,
                                          .sampler_count = 1};
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = LANES,
                                         .quads = true,
                                         .inputs = inputs[0],
                                         .input_bytes = sizeof inputs,
                                         .input_registers = 1,
                                         .outputs = words[0],
                                         .output_bytes = LANES * sizeof *words,
                                         .output_registers = 1};
    assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
    sch_sampler_destroy(to.sampler);
    sch_view_destroy(to.view);
    sch_resource_destroy(to.resource);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* The same at every width. */
static void run(const struct scene *scene, const float at[LANES][4], result_words words)
{
    char text[TEXT];
    result_words again;
    write_text(scene, text);
    run_width(scene, text, 4, at, words);
    for (unsigned w = 1; w < WIDTHS; w++) {
        run_width(scene, text, 4u << w, at, again);
        assert_memory_equal(again, words, sizeof again);
    }
}

static float number(uint32_t word)
{
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

/* The first component of each lane. */
static void expect(const struct scene *scene, const float at[LANES][4], const float wanted[LANES])
{
    result_words words;
    run(scene, at, words);
    for (unsigned i = 0; i < LANES; i++)
        if (!(number(words[i][0]) == wanted[i]))
            fail_msg("lane %u at (%g, %g, %g, %g): %.9g, not %.9g: %s", i, (double)at[i][0], (double)at[i][1],
                     (double)at[i][2], (double)at[i][3], (double)number(words[i][0]), (double)wanted[i], scene->body);
}

/* All lanes at one place: the words of the first, which the others have, too. */
static void expect_words(const struct scene *scene, float x, float y, float z, const uint32_t wanted[4])
{
    result_words words;
    float at[LANES][4];
    for (unsigned i = 0; i < LANES; i++) memcpy(at[i], (float[4]){x, y, z, 0}, sizeof at[i]);
    run(scene, at, words);
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned c = 0; c < 4; c++)
            if (words[i][c] != wanted[c])
                fail_msg("lane %u, component %u is %08x, not %08x: %s", i, c, words[i][c], wanted[c], scene->body);
}

static void expect_one(const struct scene *scene, float x, float y, float z, float wanted)
{
    float at[LANES][4], all[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        memcpy(at[i], (float[4]){x, y, z, 0}, sizeof at[i]);
        all[i] = wanted;
    }
    expect(scene, at, all);
}

/* The first error of reading and checking a whole program; 0: none. */
static unsigned error_of(const char *text)
{
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
    struct sch_diagnostic_info view = {.size = sizeof view};
    unsigned code = 0;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    enum sch_result result = sch_shader_read(context, text, strlen(text), NULL, list, &shader);
    if (result == SCH_OK) result = sch_shader_check(shader, list);
    for (size_t i = 0; !code && i < sch_diagnostics_count(list); i++)
        if (sch_diagnostics_get(list, i, &view) && view.severity == SCH_SEVERITY_ERROR) code = view.code;
    assert_true((result == SCH_OK) == (code == 0));
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
    return code;
}

static void expect_error(const char *model, const char *dimension, const char *body, unsigned code)
{
    char text[TEXT];
    write_text(&(struct scene){.model = model, .dimension = dimension, .body = body}, text);
    unsigned found = error_of(text);
    if (found != code) fail_msg("%s: %u, not %u", body, found, code);
}

static const float row8[] = {0, 1, 2, 3, 4, 5, 6, 7};
static const struct scene line = {.dimension = "texture1d",
                                  .body = "sample o0.xyzw, v0.xxxx, t0.xyzw, s0",
                                  .target = SCH_TARGET_1D,
                                  .width = 8,
                                  .texels = row8,
                                  .bytes = sizeof row8};

/* ---- remarks ---- */

static void s1_every_resource_type_but_buffers(void **state)
{
    static const struct {
        const char *model, *dimension, *address;
        enum sch_target target;
        uint32_t layers;
    } rows[] = {{"ps_4_0", "texture1d", "v0.xxxx", SCH_TARGET_1D, 1},
                {"ps_4_0", "texture1darray", "v0.xyxx", SCH_TARGET_1D_ARRAY, 2},
                {"ps_4_0", "texture2d", "v0.xyxx", SCH_TARGET_2D, 1},
                {"ps_4_0", "texture2darray", "v0.xyzx", SCH_TARGET_2D_ARRAY, 2},
                {"ps_4_0", "texture3d", "v0.xyzx", SCH_TARGET_3D, 1},
                {"ps_4_0", "texturecube", "v0.xyzx", SCH_TARGET_CUBE, 6},
                {"ps_4_1", "texturecubearray", "v0.xyzw", SCH_TARGET_CUBE_ARRAY, 12}};
    static const float texels[12] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21};
    /* Everywhere x 0, y 1, z 1: layer 1 of arrays, face +Z (4) of cubes; w 0: the first cube. */
    static const float wanted[] = {10, 11, 10, 11, 10, 14, 14};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[64];
        snprintf(body, sizeof body, "sample o0.xyzw, %s, t0.xyzw, s0", rows[i].address);
        const struct scene scene = {.model = rows[i].model,
                                    .dimension = rows[i].dimension,
                                    .body = body,
                                    .target = rows[i].target,
                                    .width = 1,
                                    .layers = rows[i].layers,
                                    .texels = texels,
                                    .bytes = 4 * rows[i].layers};
        expect_one(&scene, 0, 1, 1, wanted[i]);
    }
    expect_error("ps_4_0", "buffer", "sample o0.xyzw, v0.xyxx, t0.xyzw, s0", 2407);
}

static void s2_coordinates_are_normalised(void **state)
{
    static const float at[LANES][4] = {{0.0f / 8}, {0.99f / 8}, {1.0f / 8}, {4.5f / 8},
                                       {5.9f / 8}, {7.0f / 8},  {7.9f / 8}, {2.25f / 8}};
    static const float wanted[LANES] = {0, 0, 1, 4, 5, 7, 7, 2};
    (void)state;
    expect(&line, at, wanted);
}

/* Texel 13 - 3 = 10 is outside: repeated 2, clamped 7. Were the mode applied first: 5 - 3 = 2 and 7 - 3 = 4. */
static void s3_address_modes_act_after_the_offset(void **state)
{
    struct scene scene = line;
    (void)state;
    scene.body = "sample_aoffimmi(-3,0,0) o0.xyzw, v0.xxxx, t0.xyzw, s0";
    expect_one(&scene, 13.5f / 8, 0, 0, 2);
    scene.state.wrap_s = clamped;
    expect_one(&scene, 13.5f / 8, 0, 0, 7);
    scene.body = "sample_aoffimmi(3,0,0) o0.xyzw, v0.xxxx, t0.xyzw, s0";
    expect_one(&scene, -2.5f / 8, 0, 0, 0); /* -3 + 3; clamped first: 3 */
    scene.body = line.body;
    expect_one(&scene, -2.5f / 8, 0, 0, 0);
    expect_one(&scene, 13.5f / 8, 0, 0, 7);
}

static void s4_the_slot_holds_what_is_bound(void **state)
{
    static const int32_t signed_texels[] = {-5, 6};
    static const uint32_t unsigned_texels[] = {0xfffffffb, 6};
    struct scene scene = {.body = "sample o0.xyzw, v0.xyxx, t0.xyzw, s0",
                          .type = "sint",
                          .target = SCH_TARGET_2D,
                          .format = "R32_SINT",
                          .width = 2,
                          .texels = signed_texels,
                          .bytes = sizeof signed_texels};
    (void)state;
    expect_words(&scene, 0.25f, 0, 0, (const uint32_t[4]){0xfffffffb, 0, 0, 1});
    scene.type = "uint";
    scene.format = "R32_UINT";
    scene.texels = unsigned_texels;
    expect_words(&scene, 0.25f, 0, 0, (const uint32_t[4]){0xfffffffb, 0, 0, 1});
    scene.type = "float";
    scene.format = "R32_FLOAT";
    scene.texels = row8;
    expect_words(&scene, 0.75f, 0, 0, (const uint32_t[4]){0x3f800000, 0, 0, 0x3f800000});
}

/* 15 texels: 8 of level 0, 4 of level 1 with 100 and on, 2 of level 2 with 200 and on, 1 of level 3. */
static const float pyramid[] = {0, 1, 2, 3, 4, 5, 6, 7, 100, 101, 102, 103, 200, 201, 300};
static const struct scene levels = {.dimension = "texture1d",
                                    .body = "sample o0.xyzw, v0.xxxx, t0.xyzw, s0",
                                    .target = SCH_TARGET_1D,
                                    .width = 8,
                                    .levels = 4,
                                    .texels = pyramid,
                                    .bytes = sizeof pyramid,
                                    .state = {.mip_filter = SCH_MIP_NEAREST}};

/* At 3/8, the boundary of texels 2 and 3, with derivative 0 (magnified); in level 1 at 3/8 * 4 = 1.5 of level 1. */
static void s5_the_sampler_has_the_filter_controls(void **state)
{
    struct scene scene = levels;
    (void)state;
    expect_one(&scene, 3.0f / 8, 0, 0, 3);
    scene.state.mag_filter = SCH_FILTER_LINEAR;
    expect_one(&scene, 3.0f / 8, 0, 0, 2.5f);
    scene.state.min_filter = SCH_FILTER_LINEAR;
    scene.state.min_lod = 1;
    scene.state.max_lod = 9;
    expect_one(&scene, 3.0f / 8, 0, 0, 101); /* 1.5 is the middle of texel 1 */
    scene.state.min_lod = 1.5f;
    scene.state.mip_filter = SCH_MIP_LINEAR;
    expect_one(&scene, 3.0f / 8, 0, 0, 0.5f * 101 + 0.5f * 200.25f); /* level 2: 0.75 - 0.5 is a quarter past texel 0 */
    scene.state.mip_filter = SCH_MIP_NONE;
    expect_one(&scene, 3.0f / 8, 0, 0, 2.5f);
    scene.state = (struct sch_sampler_options){.wrap_s = SCH_WRAP_MIRROR_REPEAT};
    expect_one(&scene, 8.5f / 8, 0, 0, 7);
    scene.state.wrap_s = SCH_WRAP_CLAMP_TO_BORDER;
    scene.state.border[0] = 42;
    expect_one(&scene, 8.5f / 8, 0, 0, 42);
}

static void s6_type_and_filter_are_apart(void **state)
{
    static const uint8_t bytes[] = {0, 0, 0, 0, 255, 255, 255, 255};
    static const float floats[] = {4, 8};
    static const char *const formats[] = {"R8G8B8A8_UNORM", "R8G8B8A8_SRGB", "R32_FLOAT"};
    static const float point[] = {1, 1, 8}, linear[] = {0.5f, 0.5f, 6};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct scene scene = line;
        scene.width = 2;
        scene.format = formats[i];
        scene.texels = i == 2 ? (const void *)floats : bytes;
        scene.bytes = 8;
        expect_one(&scene, 0.5f, 0, 0, point[i]);
        scene.state.mag_filter = SCH_FILTER_LINEAR;
        expect_one(&scene, 0.5f, 0, 0, linear[i]);
    }
}

/* ---- arrays ---- */

static const float slices[] = {10, 11, 12, 13};
/* Scaled, not normalised; ties to even; then the clamp. */
static const float slice_at[LANES] = {0.5f, 1.5f, 2.5f, 3.5f, -7, 1.49f, 2.51f, 1e9f};
static const float slice_wanted[LANES] = {10, 12, 12, 13, 10, 11, 13, 13};

static void check_slices(const struct scene *scene, unsigned component)
{
    float at[LANES][4] = {{0}};
    for (unsigned i = 0; i < LANES; i++) at[i][component] = slice_at[i];
    expect(scene, at, slice_wanted);
}

static void s7_slices_of_1d_arrays(void **state)
{
    struct scene scene = {.dimension = "texture1darray",
                          .target = SCH_TARGET_1D_ARRAY,
                          .width = 1,
                          .layers = 4,
                          .texels = slices,
                          .bytes = sizeof slices};
    (void)state;
    scene.body = "sample o0.xyzw, v0.xyxx, t0.xyzw, s0";
    check_slices(&scene, 1);
    scene.body = "sample o0.xyzw, v0.xwyz, t0.xyzw, s0"; /* the second after the swizzle */
    check_slices(&scene, 3);
}

static void s8_slices_of_2d_arrays(void **state)
{
    struct scene scene = {.dimension = "texture2darray",
                          .target = SCH_TARGET_2D_ARRAY,
                          .width = 1,
                          .layers = 4,
                          .texels = slices,
                          .bytes = sizeof slices};
    (void)state;
    scene.body = "sample o0.xyzw, v0.xyzx, t0.xyzw, s0";
    check_slices(&scene, 2);
    scene.body = "sample o0.xyzw, v0.xyww, t0.xyzw, s0";
    check_slices(&scene, 3);
    scene.body = "sample o0.xyzw, v0.zyxw, t0.xyzw, s0";
    check_slices(&scene, 0);
}

/* ---- offsets ---- */

static const float sixteen[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static void s9_s10_offsets_are_texels_from_minus_8_to_7(void **state)
{
    struct scene scene = line;
    (void)state;
    scene.width = 16;
    scene.texels = sixteen;
    scene.bytes = sizeof sixteen;
    for (int offset = -10; offset < 10; offset++) {
        char body[96];
        snprintf(body, sizeof body, "sample_aoffimmi(%d,0,0) o0.xyzw, v0.xxxx, t0.xyzw, s0", offset);
        scene.body = body;
        if (offset >= -8 && offset <= 7)
            expect_one(&scene, 8.5f / 16, 0, 0, (float)(8 + offset));
        else
            expect_error("ps_4_0", "texture1d", body, 1206);
    }
}

static void s11_offsets_on_every_resource_but_cubes(void **state)
{
    static const struct {
        const char *dimension;
        enum sch_target target;
        uint32_t height, depth, layers;
        float wanted; /* of texels that count through width 2 */
    } rows[] = {{"texture1d", SCH_TARGET_1D, 1, 1, 1, 1},
                {"texture1darray", SCH_TARGET_1D_ARRAY, 1, 1, 2, 1},
                {"texture2d", SCH_TARGET_2D, 2, 1, 1, 3},
                {"texture2darray", SCH_TARGET_2D_ARRAY, 2, 1, 2, 3},
                {"texture3d", SCH_TARGET_3D, 2, 2, 1, 7}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct scene scene = {.dimension = rows[i].dimension,
                                    .body = "sample_aoffimmi(1,1,1) o0.xyzw, v0.xyzx, t0.xyzw, s0",
                                    .target = rows[i].target,
                                    .width = 2,
                                    .height = rows[i].height,
                                    .depth = rows[i].depth,
                                    .layers = rows[i].layers,
                                    .texels = sixteen,
                                    .bytes = 8 * rows[i].height * rows[i].depth * rows[i].layers};
        expect_one(&scene, 0.25f, 0.25f, 0.25f, rows[i].wanted);
    }
    expect_error("ps_4_0", "texturecube", "sample_aoffimmi(1,1,1) o0.xyzw, v0.xyzx, t0.xyzw, s0", 2406);
}

/* dx is a quarter, 2 texels of level 0: LOD 1. At 1/16 stands texel 0 of both levels, at 5/16 texel 1 of level 1. */
static void s12_offsets_are_of_each_level(void **state)
{
    static const float at[LANES][4] = {{0.0625f}, {0.3125f}, {0.0625f}, {0.3125f},
                                       {0.0625f}, {0.3125f}, {0.0625f}, {0.3125f}};
    static const float wanted[LANES] = {101, 102, 101, 102, 101, 102, 101, 102};
    struct scene scene = levels;
    (void)state;
    scene.body = "sample_aoffimmi(1,0,0) o0.xyzw, v0.xxxx, t0.xyzw, s0";
    expect(&scene, at, wanted);
    scene.state.mip_filter = SCH_MIP_LINEAR;
    scene.body = "sample_l_aoffimmi(1,0,0) o0.xyzw, v0.xxxx, t0.xyzw, s0, l(0.5)";
    expect_one(&scene, 0.0625f, 0, 0, 0.5f * 1 + 0.5f * 101);
}

static void s13_no_offsets_between_slices(void **state)
{
    struct scene scene = {.dimension = "texture1darray",
                          .target = SCH_TARGET_1D_ARRAY,
                          .width = 2,
                          .layers = 4,
                          .texels = row8,
                          .bytes = sizeof row8};
    (void)state;
    scene.body = "sample_aoffimmi(1,1,0) o0.xyzw, v0.xyxx, t0.xyzw, s0";
    expect_one(&scene, 0.25f, 1, 0, 3); /* slice 1, texel 1 */
    scene.body = "sample_aoffimmi(0,-1,0) o0.xyzw, v0.xyxx, t0.xyzw, s0";
    expect_one(&scene, 0.25f, 3, 0, 6);
    scene.dimension = "texture2darray";
    scene.target = SCH_TARGET_2D_ARRAY;
    scene.body = "sample_aoffimmi(1,0,2) o0.xyzw, v0.xyzx, t0.xyzw, s0";
    expect_one(&scene, 0.25f, 0, 1, 3);
    scene.body = "sample_aoffimmi(0,0,-2) o0.xyzw, v0.xyzx, t0.xyzw, s0";
    expect_one(&scene, 0.25f, 0, 3, 6);
}

static void s14_v_and_w_are_ignored_for_1d(void **state)
{
    struct scene scene = line;
    (void)state;
    scene.body = "sample_aoffimmi(2,-8,7) o0.xyzw, v0.xxxx, t0.xyzw, s0";
    expect_one(&scene, 3.5f / 8, 0, 0, 5);
}

static void s15_w_is_ignored_for_2d(void **state)
{
    const struct scene scene = {.body = "sample_aoffimmi(1,1,-5) o0.xyzw, v0.xyxx, t0.xyzw, s0",
                                .target = SCH_TARGET_2D,
                                .width = 4,
                                .height = 4,
                                .texels = sixteen,
                                .bytes = sizeof sixteen};
    (void)state;
    expect_one(&scene, 1.5f / 4, 0.5f / 4, 0, 6); /* (2, 1) */
}

/* 7 texels on from texel 4 and 8 back from texel 2 of 8: texels 11 and -6. */
static void s16_every_address_mode_after_the_offset(void **state)
{
    static const struct {
        enum sch_wrap wrap;
        float after, before;
    } rows[] = {{SCH_WRAP_REPEAT, 3, 2},
                {SCH_WRAP_CLAMP_TO_EDGE, 7, 0},
                {SCH_WRAP_MIRROR_REPEAT, 4, 5},
                {SCH_WRAP_MIRROR_CLAMP_TO_EDGE, 7, 5},
                {SCH_WRAP_CLAMP_TO_BORDER, -1, -1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scene scene = line;
        scene.state.wrap_s = rows[i].wrap;
        scene.state.border[0] = -1;
        scene.body = "sample_aoffimmi(7,0,0) o0.xyzw, v0.xxxx, t0.xyzw, s0";
        expect_one(&scene, 4.5f / 8, 0, 0, rows[i].after);
        scene.body = "sample_aoffimmi(-8,0,0) o0.xyzw, v0.xxxx, t0.xyzw, s0";
        expect_one(&scene, 2.5f / 8, 0, 0, rows[i].before);
    }
}

/* ---- what comes back ---- */

/* Halfway between the codes 0 and 255: 1/2 in linear light, also by way of the curve 0.5 would be 0.214. Code 51 is
 * 0.2:
 * ((0.2 + 0.055) / 1.055)^2.4 = 0.0331048; alpha has no curve. */
static void s17_srgb_is_linear_before_filtering(void **state)
{
    static const uint8_t texels[] = {0, 0, 0, 0, 255, 51, 255, 51};
    struct scene scene = line;
    result_words words;
    float at[LANES][4] = {{0}};
    (void)state;
    scene.width = 2;
    scene.format = "R8G8B8A8_SRGB";
    scene.texels = texels;
    scene.bytes = sizeof texels;
    for (unsigned i = 0; i < LANES; i++) at[i][0] = 0.5f;
    run(&scene, at, words);
    assert_true(fabsf(number(words[0][1]) - 0.0331048f) < 1e-6f);
    assert_true(fabsf(number(words[0][3]) - 0.2f) < 1e-6f);
    scene.state.mag_filter = SCH_FILTER_LINEAR;
    run(&scene, at, words);
    assert_true(fabsf(number(words[0][0]) - 0.5f) < 1e-6f);
    assert_true(fabsf(number(words[0][1]) - 0.0165524f) < 1e-6f);
    assert_true(fabsf(number(words[0][3]) - 0.1f) < 1e-6f);
}

static void s18_missing_components_have_defaults(void **state)
{
    enum { ONE = 0x3f800000 };
    static const uint32_t texel[4] = {0x40000000, 0x40400000, 0x40800000, 0x40a00000};
    static const uint8_t bytes[4] = {255, 0, 255, 0};
    static const struct {
        const char *format, *type;
        const void *texel;
        size_t bytes;
        uint32_t wanted[4];
    } rows[] = {{"R32_FLOAT", "float", texel, 4, {0x40000000, 0, 0, ONE}},
                {"R32G32_FLOAT", "float", texel, 8, {0x40000000, 0x40400000, 0, ONE}},
                {"R32G32B32_FLOAT", "float", texel, 12, {0x40000000, 0x40400000, 0x40800000, ONE}},
                {"R32G32B32A32_FLOAT", "float", texel, 16, {0x40000000, 0x40400000, 0x40800000, 0x40a00000}},
                {"R8_UNORM", "unorm", bytes, 1, {ONE, 0, 0, ONE}},
                {"R8G8_UNORM", "unorm", bytes, 2, {ONE, 0, 0, ONE}},
                {"A8_UNORM", "unorm", bytes, 1, {0, 0, 0, ONE}},
                {"R32_UINT", "uint", texel, 4, {0x40000000, 0, 0, 1}},
                {"R32G32_SINT", "sint", texel, 8, {0x40000000, 0x40400000, 0, 1}}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct scene scene = {.body = "sample o0.xyzw, v0.xyxx, t0.xyzw, s0",
                                    .type = rows[i].type,
                                    .target = SCH_TARGET_2D,
                                    .format = rows[i].format,
                                    .width = 1,
                                    .texels = rows[i].texel,
                                    .bytes = rows[i].bytes};
        expect_words(&scene, 0.5f, 0.5f, 0, rows[i].wanted);
    }
}

static void s19_swizzle_then_mask(void **state)
{
    static const uint32_t texel[4] = {11, 12, 13, 14};
    struct scene scene = {.type = "uint",
                          .target = SCH_TARGET_2D,
                          .format = "R32G32B32A32_UINT",
                          .width = 1,
                          .texels = texel,
                          .bytes = sizeof texel};
    (void)state;
    scene.body = "sample o0.xyzw, v0.xyxx, t0.wzyx, s0";
    expect_words(&scene, 0, 0, 0, (const uint32_t[4]){14, 13, 12, 11});
    scene.body = "mov r0.xyzw, l(1, 2, 3, 4)\nsample r0.yw, v0.xyxx, t0.wzyx, s0\nmov o0.xyzw, r0.xyzw";
    expect_words(&scene, 0, 0, 0, (const uint32_t[4]){1, 13, 3, 11});
    scene.body = "mov r0.xyzw, l(1, 2, 3, 4)\nsample r0.z, v0.xyxx, t0.yyxy, s0\nmov o0.xyzw, r0.xyzw";
    expect_words(&scene, 0, 0, 0, (const uint32_t[4]){1, 2, 11, 4});
}

static const uint32_t odd_words[4] = {0x00000123, 0x807fffff, 0x7f800123, 0x80000000};

static void s20_point_sampling_keeps_floats(void **state)
{
    const struct scene scene = {.body = "sample o0.xyzw, v0.xyxx, t0.xyzw, s0",
                                .target = SCH_TARGET_2D,
                                .format = "R32G32B32A32_FLOAT",
                                .width = 1,
                                .texels = odd_words,
                                .bytes = sizeof odd_words};
    (void)state;
    expect_words(&scene, 0.5f, 0.5f, 0, odd_words);
}

static void s21_ld_keeps_floats(void **state)
{
    const struct scene scene = {.body = "ld o0.xyzw, l(0, 0, 0, 0), t0.xyzw",
                                .target = SCH_TARGET_2D,
                                .format = "R32G32B32A32_FLOAT",
                                .width = 1,
                                .texels = odd_words,
                                .bytes = sizeof odd_words};
    (void)state;
    expect_words(&scene, 0.5f, 0.5f, 0, odd_words);
}

/* ---- level of detail ---- */

/* Levels of 8 x 8 whose texels are the level's number. */
static float numbered[64 + 16 + 4 + 1];
static const struct scene square = {.target = SCH_TARGET_2D,
                                    .width = 8,
                                    .height = 8,
                                    .levels = 4,
                                    .texels = numbered,
                                    .bytes = sizeof numbered,
                                    .state = {.mip_filter = SCH_MIP_LINEAR}};

static void number_levels(void)
{
    unsigned at = 0;
    for (unsigned level = 0; level < 4; level++)
        for (unsigned i = 0; i < (64u >> 2 * level); i++) numbered[at++] = (float)level;
}

/* Two quads: x steps by `dx`, y by `dy`, in texels of level 0. */
static void place_quads(float at[LANES][4], const float dx[2], const float dy[2])
{
    memset(at, 0, LANES * sizeof *at);
    for (unsigned i = 0; i < LANES; i++) {
        at[i][0] = (i & 1 ? dx[i / 4] : 0) / 8;
        at[i][1] = (i & 2 ? dy[i / 4] : 0) / 8;
    }
}

static void s22_derivatives_are_those_of_deriv(void **state)
{
    float at[LANES][4];
    result_words implicit, given;
    struct scene scene = square;
    (void)state;
    number_levels();
    for (int step = 0; step < 32; step++) {
        const float dx[2] = {0.75f + (float)step * 0.31f, 8 - (float)step * 0.2f},
                    dy[2] = {0.1f * (float)step, 1 + 0.01f * (float)step};
        place_quads(at, dx, dy);
        scene.body = "sample o0.xyzw, v0.xyxx, t0.xyzw, s0";
        run(&scene, at, implicit);
        scene.body = "deriv_rtx r0.xy, v0.xyxx\nderiv_rty r1.xy, v0.xyxx\n"
                     "sample_d o0.xyzw, v0.xyxx, t0.xyzw, s0, r0.xyxx, r1.xyxx";
        run(&scene, at, given);
        assert_memory_equal(implicit, given, sizeof given);
        assert_true(number(implicit[0][0]) < 4 && (step == 0 || number(implicit[0][0]) > 0));
    }
}

/* A quad whose own level would be 2. */
static void s23_sample_l_and_sample_d_take_theirs(void **state)
{
    static const float four[2] = {4, 4};
    float at[LANES][4], wanted[LANES];
    static const struct {
        const char *body;
        float level;
    } rows[] = {{"sample o0.xyzw, v0.xyxx, t0.xyzw, s0", 2},
                {"sample_l o0.xyzw, v0.xyxx, t0.xyzw, s0, l(0.0)", 0},
                {"sample_l o0.xyzw, v0.xyxx, t0.xyzw, s0, l(2.75)", 2.75f},
                {"sample_d o0.xyzw, v0.xyxx, t0.xyzw, s0, l(0.0, 0.0, 0.0, 0.0), l(0.0, 0.0, 0.0, 0.0)", 0},
                {"sample_d o0.xyzw, v0.xyxx, t0.xyzw, s0, l(0.0, 0.0, 0.0, 0.0), l(0.0, 0.25, 0.0, 0.0)", 1},
                {"sample_d o0.xyzw, v0.xyxx, t0.xyzw, s0, l(1.0, 0.0, 0.0, 0.0), l(0.0, 0.25, 0.0, 0.0)", 3}};
    (void)state;
    number_levels();
    place_quads(at, four, four);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct scene scene = square;
        scene.body = rows[r].body;
        for (unsigned i = 0; i < LANES; i++) wanted[i] = rows[r].level;
        expect(&scene, at, wanted);
    }
}

/* The fourth pixel of the first quad is far away: its own rows and columns would say another level. */
static void s24_one_level_for_a_quad_not_for_two(void **state)
{
    static const float dx[2] = {2, 8}, dy[2] = {1, 0.5f};
    static const float wanted[LANES] = {1, 1, 1, 1, 3, 3, 3, 3};
    float at[LANES][4];
    struct scene scene = square;
    (void)state;
    number_levels();
    scene.body = "sample o0.xyzw, v0.xyxx, t0.xyzw, s0";
    place_quads(at, dx, dy);
    at[3][0] += 0.5f;
    expect(&scene, at, wanted);
}

/* ---- miscellany ---- */

/* Lanes of the second quad have the same place as those of the first and anything in the components that do not
 * count. */
static void check_ignored(const struct scene *scene, unsigned used)
{
    static const float junk[] = {NAN, INFINITY, -1e30f, 0.3f};
    float at[LANES][4];
    result_words words;
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned c = 0; c < 4; c++)
            at[i][c] = c < used ? 0.3f + 0.2f * (float)(i % 4) : i < 4 ? 0 : junk[(i + c) % 4];
    run(scene, at, words);
    for (unsigned i = 0; i < 4; i++) assert_memory_equal(words[i], words[i + 4], sizeof words[i]);
    assert_true(words[0][0] != words[2][0]);
}

static void s25_components_behind_are_ignored(void **state)
{
    struct scene scene = levels;
    (void)state;
    scene.body = "sample o0.xyzw, v0.xyzw, t0.xyzw, s0";
    check_ignored(&scene, 1);
    scene = (struct scene){.dimension = "texture1darray",
                           .body = scene.body,
                           .target = SCH_TARGET_1D_ARRAY,
                           .width = 8,
                           .layers = 2,
                           .texels = sixteen,
                           .bytes = sizeof sixteen,
                           .state = {.mag_filter = SCH_FILTER_LINEAR}};
    check_ignored(&scene, 2);
    scene.dimension = "texture2d";
    scene.target = SCH_TARGET_2D;
    scene.layers = 1;
    scene.height = 2;
    check_ignored(&scene, 2); /* r has no meaning for 2D either */
}

static void s26_nothing_bound_gives_zero(void **state)
{
    static const char *const dimensions[] = {"texture1d", "texture1darray", "texture2d",       "texture2darray",
                                             "texture3d", "texturecube",    "texturecubearray"};
    static const char *const bodies[] = {
        "sample o0.xyzw, v0.xyzw, t0.xyzw, s0",
        "mov r0.xyzw, l(1.0, 2.0, 3.0, 4.0)\nsample r0.xyzw, v0.xyzw, t0.wwww, s0\nmov o0.xyzw, r0.xyzw"};
    (void)state;
    for (unsigned d = 0; d < 7; d++)
        for (unsigned b = 0; b < 2; b++) {
            struct scene scene = {.model = "ps_4_1", .dimension = dimensions[d], .body = bodies[b]};
            scene.state.wrap_s = scene.state.wrap_t = SCH_WRAP_CLAMP_TO_BORDER;
            for (unsigned c = 0; c < 4; c++) scene.state.border[c] = 1;
            expect_words(&scene, 0.5f, 1.5f, 0.25f, (const uint32_t[4]){0});
        }
}

/* ---- restrictions ---- */

static void s27_to_s33_restrictions(void **state)
{
    static const struct {
        const char *dimension, *body;
        unsigned code;
    } rows[] = {
        {"texture2d", "sample o0.xyzw, v0.xyxx, v0.xyzw, s0", 2400},
        {"texture2d", "sample o0.xyzw, v0.xyxx, r0.xyzw, s0", 2400},
        {"texture2d", "sample o0.xyzw, v0.xyxx, cb0[0].xyzw, s0", 2401},
        {"texture2d", "sample o0.xyzw, v0.xyxx, t0.xyzw, t0.xyzw", 2402},
        {"texture2d", "mov r0.x, l(0)\nsample o0.xyzw, v0.xyxx, t[r0.x].xyzw, s0", 2403},
        {"texture2d", "mov r0.x, l(0)\nsample o0.xyzw, v0.xyxx, t0.xyzw, s[r0.x]", 2403},
        {"texture2d", "sample o0.xyzw, o0.xyxx, t0.xyzw, s0", 2404},
        {"texture2d", "sample o0.xyzw, t0.xyxx, t0.xyzw, s0", 2404},
        {"texture2d", "sample v0.xyzw, v0.xyxx, t0.xyzw, s0", 2405},
        {"texture2d", "sample cb0[0].xyzw, v0.xyxx, t0.xyzw, s0", 2405},
        {"texturecube", "sample_aoffimmi(0,1,0) o0.xyzw, v0.xyzx, t0.xyzw, s0", 2406},
        {"texturecube", "sample o0.xyzw, v0.xyzx, t0.xyzw, s0", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_error("ps_4_0", rows[i].dimension, rows[i].body, rows[i].code);
}

/* All of them at (1/2, 1/2): texel (2, 2) of 4 x 4. */
static void s31_s32_addresses_and_destinations(void **state)
{
    static const char *const bodies[] = {
        "mov r0.xy, v0.xyxx\nsample o0.xyzw, r0.xyxx, t0.xyzw, s0",
        "mov x0[1].xy, v0.xyxx\nsample o0.xyzw, x0[1].xyxx, t0.xyzw, s0",
        "sample o0.xyzw, cb0[0].xyxx, t0.xyzw, s0",
        "sample o0.xyzw, v0.xyxx, t0.xyzw, s0",
        "sample o0.xyzw, l(0.5, 0.5, 0.0, 0.0), t0.xyzw, s0",
        "sample r1.xyzw, v0.xyxx, t0.xyzw, s0\nmov o0.xyzw, r1.xyzw",
        "sample x0[1].xyzw, v0.xyxx, t0.xyzw, s0\nmov o0.xyzw, x0[1].xyzw",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const struct scene scene = {.body = bodies[i],
                                    .target = SCH_TARGET_2D,
                                    .width = 4,
                                    .height = 4,
                                    .texels = sixteen,
                                    .bytes = sizeof sixteen};
        expect_one(&scene, 0.5f, 0.5f, 0, 10);
    }
}

static void s34_stages(void **state)
{
    static const char vertex[] = "vs_4_0\ndcl_sampler s0, mode_default\n"
                                 "dcl_resource_texture2d (float,float,float,float) t0\ndcl_input v0.xyzw\n"
                                 "dcl_output o0.xyzw\nsample o0.xyzw, v0.xyxx, t0.xyzw, s0\nret\n";
    static const char geometry[] =
        "gs_4_0\ndcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
        "dcl_input v[1][0].xyzw\ndcl_temps 1\ndcl_inputprimitive point\ndcl_outputtopology pointlist\n"
        "dcl_output o0.xyzw\ndcl_maxout 1\nsample o0.xyzw, v[0][0].xyxx, t0.xyzw, s0\nemit\nret\n";
    (void)state;
    assert_int_equal(error_of(vertex), 2408);
    assert_int_equal(error_of(geometry), 2408);
}

static void s35_models(void **state)
{
    static const char *const models[] = {"ps_4_0", "ps_4_1", "ps_5_0"};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct scene scene = line;
        scene.model = models[i];
        expect_one(&scene, 2.5f / 8, 0, 0, 2);
    }
    char text[TEXT];
    write_text(&(struct scene){.model = "ps_3_0", .body = line.body}, text);
    assert_int_not_equal(error_of(text), 0);
}

/* _sat of every lookup that gives floats: below 0, above 1 and NaN; without it the texels as they are. */
static void s36_saturated_results(void **state)
{
    static const uint32_t texels[4] = {0xc0000000, 0x3f000000, 0x40400000, 0x7fc00000}; /* -2, 0.5, 3, NaN */
    static const uint32_t clamped_words[4] = {0, 0x3f000000, 0x3f800000, 0};
    static const struct {
        const char *opcode, *rest;
        bool gathers; /* z in all components */
    } rows[] = {{"sample", "v0.xyxx, t0.xyzw, s0", false},
                {"sample_b", "v0.xyxx, t0.xyzw, s0, l(1.0)", false},
                {"sample_l", "v0.xyxx, t0.xyzw, s0, l(0.0)", false},
                {"sample_d", "v0.xyxx, t0.xyzw, s0, v0.zzzz, v0.zzzz", false},
                {"ld", "l(0, 0, 0, 0), t0.xyzw", false},
                {"gather4", "v0.xyxx, t0.xyzw, s0.z", true},
                {"gather4_po", "v0.xyxx, l(1, 1, 0, 0), t0.xyzw, s0.z", true},
                {"sample_l_s", "r1.x, v0.xyxx, t0.xyzw, s0, l(0.0)", false},
                {"sample_cl_s", "r1.x, v0.xyxx, t0.xyzw, s0, l(0.0)", false},
                {"sample_b_cl_s", "r1.x, v0.xyxx, t0.xyzw, s0, l(0.0), l(0.0)", false},
                {"sample_d_cl_s", "r1.x, v0.xyxx, t0.xyzw, s0, v0.zzzz, v0.zzzz, l(0.0)", false},
                {"gather4_s", "r1.x, v0.xyxx, t0.xyzw, s0.z", true},
                {"ld_s", "r1.x, l(0, 0, 0, 0), t0.xyzw", false}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned saturates = 0; saturates < 2; saturates++) {
            char body[128];
            snprintf(body, sizeof body, "%s%s o0.xyzw, %s", rows[i].opcode, saturates ? "_sat" : "", rows[i].rest);
            const struct scene scene = {.model = "ps_5_0",
                                        .body = body,
                                        .target = SCH_TARGET_2D,
                                        .format = "R32G32B32A32_FLOAT",
                                        .width = 1,
                                        .texels = texels,
                                        .bytes = sizeof texels};
            const uint32_t *from = saturates ? clamped_words : texels;
            const uint32_t gathered[4] = {from[2], from[2], from[2], from[2]};
            expect_words(&scene, 0.5f, 0.5f, 0, rows[i].gathers ? gathered : from);
        }
    }
    const struct scene size = {.model = "ps_5_0",
                               .body = "resinfo_sat o0.xyzw, l(0), t0.xyzw",
                               .target = SCH_TARGET_2D,
                               .width = 8,
                               .texels = row8,
                               .bytes = sizeof row8};
    expect_words(&size, 0, 0, 0, (const uint32_t[4]){0x3f800000, 0x3f800000, 0, 0x3f800000});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s1_every_resource_type_but_buffers),
        cmocka_unit_test(s2_coordinates_are_normalised),
        cmocka_unit_test(s3_address_modes_act_after_the_offset),
        cmocka_unit_test(s4_the_slot_holds_what_is_bound),
        cmocka_unit_test(s5_the_sampler_has_the_filter_controls),
        cmocka_unit_test(s6_type_and_filter_are_apart),
        cmocka_unit_test(s7_slices_of_1d_arrays),
        cmocka_unit_test(s8_slices_of_2d_arrays),
        cmocka_unit_test(s9_s10_offsets_are_texels_from_minus_8_to_7),
        cmocka_unit_test(s11_offsets_on_every_resource_but_cubes),
        cmocka_unit_test(s12_offsets_are_of_each_level),
        cmocka_unit_test(s13_no_offsets_between_slices),
        cmocka_unit_test(s14_v_and_w_are_ignored_for_1d),
        cmocka_unit_test(s15_w_is_ignored_for_2d),
        cmocka_unit_test(s16_every_address_mode_after_the_offset),
        cmocka_unit_test(s17_srgb_is_linear_before_filtering),
        cmocka_unit_test(s18_missing_components_have_defaults),
        cmocka_unit_test(s19_swizzle_then_mask),
        cmocka_unit_test(s20_point_sampling_keeps_floats),
        cmocka_unit_test(s21_ld_keeps_floats),
        cmocka_unit_test(s22_derivatives_are_those_of_deriv),
        cmocka_unit_test(s23_sample_l_and_sample_d_take_theirs),
        cmocka_unit_test(s24_one_level_for_a_quad_not_for_two),
        cmocka_unit_test(s25_components_behind_are_ignored),
        cmocka_unit_test(s26_nothing_bound_gives_zero),
        cmocka_unit_test(s27_to_s33_restrictions),
        cmocka_unit_test(s31_s32_addresses_and_destinations),
        cmocka_unit_test(s34_stages),
        cmocka_unit_test(s35_models),
        cmocka_unit_test(s36_saturated_results),
    };
    return cmocka_run_group_tests_name("d3d sample", tests, NULL, NULL);
}
