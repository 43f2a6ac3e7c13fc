/* Every texture opcode reads its operands from the right places, on every target: textures whose texels say where they
 * are, nearest filtering, programs of one lookup. What filters compute is tested elsewhere (test_texture.c). */
// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/api_program.h"
#include "../support/by_code.h"

enum { LANES = 8, SIZE = 4, LAYERS = 12, LEVELS = 3, LAYER_STEP = 100, LEVEL_STEP = 10000 };

struct unit {
    struct sch_context *context;
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_sampler *sampler;
    struct sch_image *image;
};

/* A texel is x, y, slice or layer * 100, and level * 10000 + sample. */
static void fill(struct sch_resource *resource, const struct sch_resource_options *shape, uint32_t samples)
{
    bool one_dimension =
        shape->target == SCH_TARGET_1D || shape->target == SCH_TARGET_1D_ARRAY || shape->target == SCH_TARGET_BUFFER;
    for (uint32_t level = 0; level < (shape->levels ? shape->levels : 1); level++) {
        uint32_t width = shape->width >> level, height = one_dimension ? 1 : shape->height >> level;
        uint32_t slices = shape->target == SCH_TARGET_3D ? shape->depth >> level : shape->layers;
        for (uint32_t slice = 0; slice < (slices ? slices : 1) * samples; slice++) {
            float texels[SIZE][SIZE][4];
            for (uint32_t y = 0; y < height; y++)
                for (uint32_t x = 0; x < width; x++) {
                    texels[y][x][0] = (float)x;
                    texels[y][x][1] = (float)y;
                    texels[y][x][2] = (float)(slice / samples * LAYER_STEP);
                    texels[y][x][3] = (float)(level * LEVEL_STEP + slice % samples);
                }
            const struct sch_transfer layer = {
                .size = sizeof layer,
                .level = level,
                .sample = slice % samples,
                .box = {0, 0, (int32_t)(slice / samples), (int32_t)width, (int32_t)height, 1},
                .row_bytes = sizeof texels[0]};
            assert_int_equal(sch_resource_write(resource, &layer, texels, sizeof texels, NULL), SCH_OK);
        }
    }
}

static struct unit open_unit(enum sch_target target, bool has_image)
{
    struct unit unit = {0};
    bool multisampled = target == SCH_TARGET_2D_MSAA || target == SCH_TARGET_2D_ARRAY_MSAA;
    bool layered = target == SCH_TARGET_1D_ARRAY || target == SCH_TARGET_2D_ARRAY || target == SCH_TARGET_CUBE_ARRAY ||
                   target == SCH_TARGET_2D_ARRAY_MSAA;
    bool flat = target == SCH_TARGET_BUFFER || target == SCH_TARGET_1D || target == SCH_TARGET_1D_ARRAY;
    bool one_level = multisampled || has_image || target == SCH_TARGET_BUFFER || target == SCH_TARGET_RECT;
    struct sch_resource_options shape = {.size = sizeof shape,
                                         .target = target,
                                         .format = sch_format_by_name("R32G32B32A32_FLOAT"),
                                         .width = SIZE,
                                         .height = flat ? 1 : SIZE,
                                         .depth = target == SCH_TARGET_3D ? SIZE : 1,
                                         .layers = layered                     ? LAYERS
                                                   : target == SCH_TARGET_CUBE ? 6
                                                                               : 1,
                                         .levels = one_level ? 1 : LEVELS,
                                         .samples = multisampled ? 4 : 1};
    assert_int_equal(sch_context_create(NULL, &unit.context), SCH_OK);
    assert_int_equal(sch_resource_create(unit.context, &shape, NULL, &unit.resource), SCH_OK);
    fill(unit.resource, &shape, shape.samples);
    assert_int_equal(sch_view_create(unit.resource, NULL, &unit.view), SCH_OK);
    struct sch_sampler_options state = {.size = sizeof state,
                                        .wrap_s = SCH_WRAP_CLAMP_TO_EDGE,
                                        .wrap_t = SCH_WRAP_CLAMP_TO_EDGE,
                                        .wrap_r = SCH_WRAP_CLAMP_TO_EDGE,
                                        .mip_filter = target == SCH_TARGET_RECT ? SCH_MIP_NONE : SCH_MIP_NEAREST,
                                        .compare = SCH_COMPARE_EQUAL};
    assert_int_equal(sch_sampler_create(unit.context, &state, NULL, &unit.sampler), SCH_OK);
    if (has_image) assert_int_equal(sch_image_create(unit.resource, NULL, &unit.image), SCH_OK);
    return unit;
}

static void close_unit(struct unit *unit)
{
    sch_image_destroy(unit->image);
    sch_sampler_destroy(unit->sampler);
    sch_view_destroy(unit->view);
    sch_resource_destroy(unit->resource);
    sch_context_destroy(unit->context);
}

/* Runs a fragment program over LANES invocations, IN[0].x being 1 in the right columns of quads. All give the same. */
static void look_up(const struct unit *unit, const char *body, unsigned width, uint32_t out[4])
{
    char text[2048];
    uint32_t outputs[LANES][4] = {{0}};
    snprintf(text, sizeof text,
             "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0..1]\nDCL TEMP[0..4]\nDCL ADDR[0]\nDCL "
             "CONST[0]\n%sEND\n",
             body);
    struct sch_program *program = api_program(unit->context, text, width);
    struct sch_view *views[2] = {unit->view, NULL};
    struct sch_sampler *samplers[2] = {unit->sampler, unit->sampler};
    struct sch_image *images[1] = {unit->image};
    static const uint32_t constants[4] = {1, 0, 2, 0};
    const struct sch_constant_buffer buffer = {constants, sizeof constants};
    uint32_t pixels[LANES][4], inputs[LANES][4] = {{0}};
    for (unsigned i = 1; i < LANES; i += 2) inputs[i][0] = api_bits(1.0f);
    for (unsigned i = 0; i < LANES; i++) memcpy(pixels[i], (const uint32_t[4]){2, 1, 3, 2}, sizeof pixels[i]);
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = &buffer,
                                          .constant_count = 1,
                                          .views = views,
                                          .view_count = 2,
                                          .samplers = samplers,
                                          .sampler_count = 2,
                                          .images = images,
                                          .image_count = 1,
                                          .color_buffers = images,
                                          .color_buffer_count = 1};
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = LANES,
                                         .quads = true,
                                         .inputs = inputs[0],
                                         .input_bytes = sizeof inputs,
                                         .input_registers = 1,
                                         .samples = 4,
                                         .pixels = pixels[0],
                                         .pixel_bytes = sizeof pixels,
                                         .outputs = outputs[0],
                                         .output_bytes = sizeof outputs,
                                         .output_registers = 1};
    assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
    for (unsigned i = 1; i < LANES; i++) assert_memory_equal(outputs[i], outputs[0], sizeof outputs[0]);
    memcpy(out, outputs[LANES - 1], 4 * sizeof *out);
    sch_program_destroy(program);
}

struct lookup {
    enum sch_target target;
    const char *body;
    float expected[4];
};

static void look_up_all(const struct lookup *lookups, size_t count, bool image, bool words)
{
    for (size_t n = 0; n < count; n++) {
        struct unit unit = open_unit(lookups[n].target, image);
        uint32_t out[4];
        look_up(&unit, lookups[n].body, 0, out);
        for (unsigned c = 0; c < 4; c++) {
            float got = words ? (float)out[c] : api_float(out[c]);
            if (got != lookups[n].expected[c])
                fail_msg("%s: component %u is %g, not %g", lookups[n].body, c, (double)got,
                         (double)lookups[n].expected[c]);
        }
        close_unit(&unit);
    }
}
#define ASK(lookups, image, words) look_up_all(lookups, sizeof(lookups) / sizeof *(lookups), image, words)

/* s = 5/8 is texel 2 of 4; t = 3/8 is 1; the layer 3. */
#define AT            "IMM[0] FLT32 {0.625, 0.375, 3.0, 3.0}\n"
#define AT_1D_ARRAY   "IMM[0] FLT32 {0.625, 3.0, 0.0, 0.0}\n"
#define CUBE_AT       "IMM[0] FLT32 {1.0, 0.25, -0.25, 1.0}\n" /* +X: s 5/8, t 3/8 */
#define SVIEW(target) "DCL SVIEW[0], " target ", FLOAT\n"

static void coordinates_by_target(void **state)
{
    (void)state;
    static const struct lookup lookups[] = {
        {SCH_TARGET_1D, AT "TEX_LZ OUT[0], IMM[0], SAMP[0], 1D\n", {2, 0, 0, 0}},
        {SCH_TARGET_2D, AT "TEX OUT[0], IMM[0], SAMP[0], 2D\n", {2, 1, 0, 0}},
        {SCH_TARGET_RECT, "IMM[0] FLT32 {2.5, 1.5, 9.0, 9.0}\nTEX OUT[0], IMM[0], SAMP[0], RECT\n", {2, 1, 0, 0}},
        {SCH_TARGET_3D, "IMM[0] FLT32 {0.625, 0.375, 0.875, 9.0}\nTEX OUT[0], IMM[0], SAMP[0], 3D\n", {2, 1, 300, 0}},
        {SCH_TARGET_CUBE, CUBE_AT "TEX OUT[0], IMM[0], SAMP[0], CUBE\n", {2, 1, 0, 0}},
        {SCH_TARGET_1D_ARRAY, AT_1D_ARRAY "TEX OUT[0], IMM[0], SAMP[0], 1D_ARRAY\n", {2, 0, 300, 0}},
        {SCH_TARGET_2D_ARRAY, AT "TEX OUT[0], IMM[0], SAMP[0], 2D_ARRAY\n", {2, 1, 300, 0}},
        {SCH_TARGET_CUBE_ARRAY, CUBE_AT "TEX OUT[0], IMM[0], SAMP[0], CUBEARRAY\n", {2, 1, 600, 0}},
        {SCH_TARGET_2D_ARRAY, AT "TEX OUT[0], IMM[0], SAMP[0], 2D\n", {2, 1, 0, 0}},
        {SCH_TARGET_CUBE_ARRAY,
         SVIEW("CUBEARRAY") CUBE_AT "SAMPLE OUT[0], IMM[0], SVIEW[0], SAMP[0]\n",
         {2, 1, 600, 0}},
        {SCH_TARGET_2D_ARRAY, SVIEW("2D_ARRAY") AT "SAMPLE OUT[0], IMM[0], SVIEW[0].zyxw, SAMP[0]\n", {300, 1, 2, 0}},
        {SCH_TARGET_2D, AT "TEX OUT[0], IMM[0], SAMP[0], 3D\n", {0, 0, 0, 0}}, /* another shape */
        {SCH_TARGET_2D, AT "TEX OUT[0], IMM[0], SAMP[1], 2D\n", {0, 0, 0, 0}}, /* not bound */
        {SCH_TARGET_2D, "IMM[0] FLT32 {1.25, 0.75, 3.0, 2.0}\nTXP OUT[0], IMM[0], SAMP[0], 2D\n", {2, 1, 0, 0}},
    };
    ASK(lookups, false, false);
}

/* A step of one texel of level 0 from column to column, which stays in a texel of level 1. */
#define STEP      "IMM[1] FLT32 {0.25, 0.0, 0.0, 0.0}\nMAD TEMP[0], IN[0].xxxx, IMM[1], IMM[0]\n"
#define CUBE_STEP "IMM[1] FLT32 {0.0, 0.0, -0.5, 0.0}\nMAD TEMP[0], IN[0].xxxx, IMM[1], IMM[0]\n"

/* Level 1 has two texels an axis: 5/8 is texel 1, 3/8 is 0. Implicit levels of uniform coordinates are 0. */
static void levels_and_biases(void **state)
{
    (void)state;
    static const struct lookup lookups[] = {
        {SCH_TARGET_2D, "IMM[0] FLT32 {0.625, 0.375, 3.0, 1.0}\nTXL OUT[0], IMM[0], SAMP[0], 2D\n", {1, 0, 0, 10000}},
        {SCH_TARGET_2D,
         "IMM[0] FLT32 {0.625, 0.375, 3.0, 1.0}\n" STEP "TXB OUT[0], TEMP[0], SAMP[0], 2D\n",
         {1, 0, 0, 10000}},
        {SCH_TARGET_CUBE_ARRAY,
         CUBE_AT "IMM[1] FLT32 {1.0, 9.0, 9.0, 9.0}\nTXL2 OUT[0], IMM[0], IMM[1], SAMP[0], CUBEARRAY\n",
         {1, 0, 600, 10000}},
        {SCH_TARGET_CUBE_ARRAY,
         CUBE_AT CUBE_STEP "IMM[2] FLT32 {1.0, 0.0, 0.0, 0.0}\nTXB2 OUT[0], TEMP[0], IMM[2], SAMP[0], CUBEARRAY\n",
         {1, 0, 600, 10000}},
        {SCH_TARGET_2D,
         AT "IMM[1] FLT32 {0.5, 0.0, 9.0, 9.0}\nIMM[2] FLT32 {0.0, 0.0, 9.0, 9.0}\nTXD OUT[0], IMM[0], IMM[1], IMM[2], "
            "SAMP[0], 2D\n",
         {1, 0, 0, 10000}},
        {SCH_TARGET_2D,
         AT "IMM[1] FLT32 {0.0, 0.0, 9.0, 9.0}\nIMM[2] FLT32 {0.0, 0.5, 9.0, 9.0}\nTXD OUT[0], IMM[0], IMM[1], IMM[2], "
            "SAMP[0], 2D\n",
         {1, 0, 0, 10000}},
        {SCH_TARGET_2D,
         SVIEW("2D") AT "IMM[1] FLT32 {0.5, 0.0, 9.0, 9.0}\nIMM[2] FLT32 {0.0, 0.0, 9.0, 9.0}\nSAMPLE_D OUT[0], "
                        "IMM[0], SVIEW[0], SAMP[0], IMM[1], IMM[2]\n",
         {1, 0, 0, 10000}},
        {SCH_TARGET_2D,
         SVIEW("2D") AT "IMM[1] FLT32 {1.0, 2.0, 2.0, 2.0}\nSAMPLE_L OUT[0], IMM[0], SVIEW[0], SAMP[0], IMM[1]\n",
         {1, 0, 0, 10000}},
        {SCH_TARGET_2D,
         SVIEW("2D") AT STEP "IMM[2] FLT32 {1.0, 0.0, 0.0, 0.0}\nSAMPLE_B OUT[0], TEMP[0], SVIEW[0], SAMP[0], IMM[2]\n",
         {1, 0, 0, 10000}},
        {SCH_TARGET_2D, AT "LODQ OUT[0], IMM[0], SAMP[0], 2D\n", {0, -128, 0, 0}},
        {SCH_TARGET_2D, SVIEW("2D") AT "LOD OUT[0], IMM[0], SVIEW[0].yxzw, SAMP[0]\n", {-128, 0, 0, 0}},
        {SCH_TARGET_2D, AT "IMM[1] INT32 {1, -1, 0, 0}\nTEX OUT[0], IMM[0], SAMP[0], 2D, IMM[1].xyz\n", {3, 0, 0, 0}},
        {SCH_TARGET_2D, AT "TEX OUT[0], IMM[0], SAMP[0], 2D, CONST[0].xyz\n", {3, 1, 0, 0}},
    };
    ASK(lookups, false, false);
}

/* The sampler's function is EQUAL, the texel's first component 2. The reference is 2 in one place and 7 elsewhere. */
static void references_by_target(void **state)
{
    (void)state;
    static const struct lookup lookups[] = {
        {SCH_TARGET_1D, "IMM[0] FLT32 {0.625, 7.0, 2.0, 7.0}\nTEX OUT[0], IMM[0], SAMP[0], SHADOW1D\n", {1, 1, 1, 1}},
        {SCH_TARGET_2D, "IMM[0] FLT32 {0.625, 0.375, 2.0, 7.0}\nTEX OUT[0], IMM[0], SAMP[0], SHADOW2D\n", {1, 1, 1, 1}},
        {SCH_TARGET_2D, "IMM[0] FLT32 {0.625, 0.375, 7.0, 2.0}\nTEX OUT[0], IMM[0], SAMP[0], SHADOW2D\n", {0, 0, 0, 0}},
        {SCH_TARGET_RECT, "IMM[0] FLT32 {2.5, 1.5, 2.0, 7.0}\nTEX OUT[0], IMM[0], SAMP[0], SHADOWRECT\n", {1, 1, 1, 1}},
        {SCH_TARGET_1D_ARRAY,
         "IMM[0] FLT32 {0.625, 3.0, 2.0, 7.0}\nTEX OUT[0], IMM[0], SAMP[0], SHADOW1D_ARRAY\n",
         {1, 1, 1, 1}},
        {SCH_TARGET_2D_ARRAY,
         "IMM[0] FLT32 {0.625, 0.375, 3.0, 2.0}\nTEX OUT[0], IMM[0], SAMP[0], SHADOW2D_ARRAY\n",
         {1, 1, 1, 1}},
        {SCH_TARGET_CUBE,
         "IMM[0] FLT32 {1.0, 0.25, -0.25, 2.0}\nTEX OUT[0], IMM[0], SAMP[0], SHADOWCUBE\n",
         {1, 1, 1, 1}},
        {SCH_TARGET_CUBE_ARRAY,
         CUBE_AT "IMM[1] FLT32 {2.0, 7.0, 7.0, 7.0}\nTEX2 OUT[0], IMM[0], IMM[1], SAMP[0], SHADOWCUBEARRAY\n",
         {1, 1, 1, 1}},
        {SCH_TARGET_CUBE_ARRAY,
         CUBE_AT "IMM[1] FLT32 {0.0, 2.0, 7.0, 7.0}\nTXB2 OUT[0], IMM[0], IMM[1], SAMP[0], SHADOWCUBEARRAY\n",
         {1, 1, 1, 1}},
        {SCH_TARGET_CUBE_ARRAY,
         CUBE_AT "IMM[1] FLT32 {0.0, 2.0, 7.0, 7.0}\nTXL2 OUT[0], IMM[0], IMM[1], SAMP[0], SHADOWCUBEARRAY\n",
         {1, 1, 1, 1}},
        {SCH_TARGET_CUBE,
         "IMM[0] FLT32 {1.0, 0.25, -0.25, 2.0}\nIMM[1] FLT32 {0.0, 7.0, 7.0, 7.0}\nTXB2 OUT[0], IMM[0], IMM[1], "
         "SAMP[0], SHADOWCUBE\n",
         {1, 1, 1, 1}},
        {SCH_TARGET_2D, "IMM[0] FLT32 {1.25, 0.75, 4.0, 2.0}\nTXP OUT[0], IMM[0], SAMP[0], SHADOW2D\n", {1, 1, 1, 1}},
        {SCH_TARGET_2D, "IMM[0] FLT32 {0.625, 0.375, 2.0, 0.0}\nTXL OUT[0], IMM[0], SAMP[0], SHADOW2D\n", {1, 1, 1, 1}},
        {SCH_TARGET_2D,
         SVIEW("2D") AT "IMM[1] FLT32 {2.0, 7.0, 7.0, 7.0}\nSAMPLE_C OUT[0], IMM[0], SVIEW[0], SAMP[0], IMM[1].xxxx\n",
         {1, 1, 1, 1}},
        {SCH_TARGET_2D,
         SVIEW("2D") AT
         "IMM[1] FLT32 {2.0, 7.0, 7.0, 7.0}\nSAMPLE_C_LZ OUT[0], IMM[0], SVIEW[0], SAMP[0], IMM[1].yyyy\n",
         {0, 0, 0, 0}},
        {SCH_TARGET_CUBE_ARRAY,
         "IMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}\nIMM[1] FLT32 {2.0, 7.0, 7.0, 7.0}\nTG4 OUT[0], IMM[0], IMM[1], SAMP[0], "
         "SHADOWCUBEARRAY\n",
         {0, 1, 1, 0}},
        {SCH_TARGET_2D,
         "IMM[0] FLT32 {0.5, 0.5, 2.0, 7.0}\nTG4 OUT[0], IMM[0], IMM[0], SAMP[0], SHADOW2D\n",
         {0, 1, 1, 0}},
        {SCH_TARGET_2D, "IMM[0] FLT32 {0.5, 0.5, 2.0, 7.0}\nTG4 OUT[0], IMM[0], SAMP[0], SHADOW2D\n", {0, 1, 1, 0}},
    };
    ASK(lookups, false, false);
}

/* The footprint of (1/2, 1/2) is x 1..2, y 1..2. */
#define MIDDLE "IMM[0] FLT32 {0.5, 0.5, 3.0, 0.0}\nIMM[1] UINT32 {0, 1, 2, 4294967295}\n"
static void gathered_components(void **state)
{
    (void)state;
    static const struct lookup lookups[] = {
        {SCH_TARGET_2D, MIDDLE "TG4 OUT[0], IMM[0], IMM[1].xxxx, SAMP[0], 2D\n", {1, 2, 2, 1}},
        {SCH_TARGET_2D, MIDDLE "TG4 OUT[0], IMM[0], IMM[1].yyyy, SAMP[0], 2D\n", {2, 2, 1, 1}},
        {SCH_TARGET_2D, MIDDLE "TG4 OUT[0], IMM[0], IMM[1].xxxx, SAMP[0].yyyy, 2D\n", {2, 2, 1, 1}},
        {SCH_TARGET_2D, MIDDLE "TG4 OUT[0], IMM[0], SAMP[0].yyzw, 2D\n", {2, 2, 1, 1}},
        {SCH_TARGET_2D, MIDDLE "TG4 OUT[0], IMM[0], SAMP[0], 2D, IMM[1].yxx\n", {2, 3, 3, 2}},
        {SCH_TARGET_2D_ARRAY, MIDDLE "TG4 OUT[0], IMM[0], SAMP[0].zyzw, 2D_ARRAY\n", {300, 300, 300, 300}},
        {SCH_TARGET_2D_ARRAY, MIDDLE "TG4 OUT[0], IMM[0], IMM[1].zzzz, SAMP[0], 2D_ARRAY\n", {300, 300, 300, 300}},
        {SCH_TARGET_2D, MIDDLE "TG4 OUT[0], IMM[0], IMM[1].xxxx, SAMP[0], 2D, IMM[1].yxx\n", {2, 3, 3, 2}},
        {SCH_TARGET_2D,
         MIDDLE "TG4 OUT[0], IMM[0], IMM[1].xxxx, SAMP[0], 2D, IMM[1].yxx, IMM[1].xxx, IMM[1].zxx, IMM[1].wxx\n",
         {2, 1, 3, 0}},
        /* Cubes have no offsets: four of them leave the plain gather. */
        {SCH_TARGET_CUBE,
         MIDDLE "TG4 OUT[0], IMM[0].wwzw, IMM[1].xxxx, SAMP[0], CUBE, IMM[1].yxx, IMM[1].xxx, IMM[1].zxx, IMM[1].wxx\n",
         {1, 2, 2, 1}},
        {SCH_TARGET_2D, SVIEW("2D") MIDDLE "GATHER4 OUT[0], IMM[0], SVIEW[0], SAMP[0].yyyy\n", {2, 2, 1, 1}},
        {SCH_TARGET_2D, SVIEW("2D") MIDDLE "GATHER4 OUT[0], IMM[0], SVIEW[0].wzyx, SAMP[0]\n", {1, 2, 2, 1}},
        {SCH_TARGET_2D, SVIEW("2D") MIDDLE "GATHER4 OUT[0], IMM[0], SVIEW[0].xxxx, SAMP[0]\n", {1, 1, 1, 1}},
    };
    ASK(lookups, false, false);
}

#define TEXEL "IMM[0] UINT32 {2, 1, 3, 1}\nIMM[1] UINT32 {0, 3, 1, 2}\n"
static void fetched_texels(void **state)
{
    (void)state;
    static const struct lookup lookups[] = {
        {SCH_TARGET_BUFFER, TEXEL "TXF OUT[0], IMM[0], SAMP[0], BUFFER\n", {2, 0, 0, 0}},
        {SCH_TARGET_1D, TEXEL "TXF OUT[0], IMM[0].wxxw, SAMP[0], 1D\n", {1, 0, 0, 10000}},
        {SCH_TARGET_2D, TEXEL "TXF OUT[0], IMM[0].wwzw, SAMP[0], 2D\n", {1, 1, 0, 10000}},
        {SCH_TARGET_2D, TEXEL "TXF OUT[0], IMM[0].wwzw, SAMP[0], 2D, IMM[1].xxx\n", {1, 1, 0, 10000}},
        {SCH_TARGET_2D, TEXEL "TXF_LZ OUT[0], IMM[0], SAMP[0], 2D, IMM[1].zxx\n", {3, 1, 0, 0}},
        {SCH_TARGET_RECT, TEXEL "TXF OUT[0], IMM[0], SAMP[0], RECT\n", {2, 1, 0, 0}},
        {SCH_TARGET_3D, TEXEL "TXF_LZ OUT[0], IMM[0], SAMP[0], 3D\n", {2, 1, 300, 0}},
        {SCH_TARGET_1D_ARRAY, TEXEL "TXF_LZ OUT[0], IMM[0].xzzz, SAMP[0], 1D_ARRAY\n", {2, 0, 300, 0}},
        {SCH_TARGET_2D_ARRAY, TEXEL "TXF_LZ OUT[0], IMM[0], SAMP[0], 2D_ARRAY\n", {2, 1, 300, 0}},
        {SCH_TARGET_CUBE, TEXEL "TXF_LZ OUT[0], IMM[0], SAMP[0], CUBE\n", {2, 1, 300, 0}},
        {SCH_TARGET_2D_MSAA, TEXEL "TXF OUT[0], IMM[0], SAMP[0], 2D_MSAA\n", {2, 1, 0, 1}},
        {SCH_TARGET_2D_ARRAY_MSAA, TEXEL "TXF OUT[0], IMM[0], SAMP[0], 2D_ARRAY_MSAA\n", {2, 1, 300, 1}},
        {SCH_TARGET_2D_MSAA,
         SVIEW("2D_MSAA") TEXEL "SAMPLE_I_MS OUT[0], IMM[0], SVIEW[0], IMM[1].wwww\n",
         {2, 1, 0, 2}},
        {SCH_TARGET_2D, SVIEW("2D") TEXEL "SAMPLE_I OUT[0], IMM[0].wwzw, SVIEW[0]\n", {1, 1, 0, 10000}},
        {SCH_TARGET_2D, SVIEW("2D") TEXEL "SAMPLE_I_MS OUT[0], IMM[0], SVIEW[0], IMM[1].wwww\n", {2, 1, 0, 0}},
    };
    ASK(lookups, false, false);
}

static void queries(void **state)
{
    (void)state;
    static const struct lookup lookups[] = {
        {SCH_TARGET_1D, TEXEL "TXQ OUT[0], IMM[0].wwww, SAMP[0], 1D\n", {2, 0, 0, 3}},
        {SCH_TARGET_2D, TEXEL "TXQ OUT[0], IMM[0].wwww, SAMP[0], 2D\n", {2, 2, 0, 3}},
        {SCH_TARGET_2D, TEXEL "TXQ OUT[0], IMM[0].zzzz, SAMP[0], 2D\n", {0, 0, 0, 3}},
        {SCH_TARGET_3D, TEXEL "TXQ OUT[0], IMM[0].wwww, SAMP[0], 3D\n", {2, 2, 2, 3}},
        {SCH_TARGET_1D_ARRAY, TEXEL "TXQ OUT[0], IMM[1].xxxx, SAMP[0], 1D_ARRAY\n", {4, 12, 0, 3}},
        {SCH_TARGET_2D_ARRAY, TEXEL "TXQ OUT[0], IMM[1].xxxx, SAMP[0], 2D_ARRAY\n", {4, 4, 12, 3}},
        {SCH_TARGET_CUBE_ARRAY, TEXEL "TXQ OUT[0], IMM[1].xxxx, SAMP[0], CUBEARRAY\n", {4, 4, 2, 3}},
        {SCH_TARGET_BUFFER, TEXEL "TXQ OUT[0], IMM[1].yyyy, SAMP[0], BUFFER\n", {4, 0, 0, 1}},
        {SCH_TARGET_2D, SVIEW("2D") TEXEL "SVIEWINFO OUT[0], IMM[0].wwww, SVIEW[0].wzyx\n", {2, 2, 0, 3}},
        {SCH_TARGET_2D_MSAA, TEXEL "TXQS OUT[0], SAMP[0], 2D_MSAA\n", {4, 0, 0, 0}},
        {SCH_TARGET_2D, TEXEL "TXQS OUT[0], SAMP[0], 2D\n", {1, 0, 0, 0}},
        {SCH_TARGET_2D_MSAA, SVIEW("2D_MSAA") TEXEL "SAMPLE_INFO OUT[0], SVIEW[0].yxzw, IMM[0]\n", {0, 4, 0, 0}},
        {SCH_TARGET_2D, SVIEW("2D") TEXEL "SAMPLE_INFO OUT[0], TEMP[0], IMM[0]\n", {4, 0, 0, 0}},
    };
    ASK(lookups, false, true);
    static const struct lookup positions[] = {
        {SCH_TARGET_2D_MSAA,
         SVIEW("2D_MSAA") TEXEL "SAMPLE_POS OUT[0], SVIEW[0], IMM[1].xxxx\n",
         {0.375f, 0.125f, 0, 0}},
        {SCH_TARGET_2D, SVIEW("2D") TEXEL "SAMPLE_POS OUT[0], SVIEW[0], IMM[1].xxxx\n", {0.5f, 0.5f, 0, 0}},
        {SCH_TARGET_2D, SVIEW("2D") TEXEL "SAMPLE_POS OUT[0], TEMP[0].yxzw, IMM[1].xxxx\n", {0.125f, 0.375f, 0, 0}},
    };
    ASK(positions, false, false);
}

#define IMAGE(target) "DCL IMAGE[0], " target ", PIPE_FORMAT_R32G32B32A32_FLOAT, WR\n" TEXEL
static void images(void **state)
{
    (void)state;
    static const struct lookup lookups[] = {
        {SCH_TARGET_BUFFER, IMAGE("BUFFER") "LOAD OUT[0], IMAGE[0], IMM[0]\n", {2, 0, 0, 0}},
        {SCH_TARGET_2D, IMAGE("2D") "LOAD OUT[0], IMAGE[0].yxzw, IMM[0], 2D\n", {1, 2, 0, 0}},
        {SCH_TARGET_2D_ARRAY, IMAGE("2D_ARRAY") "LOAD OUT[0], IMAGE[0], IMM[0], 2D_ARRAY\n", {2, 1, 300, 0}},
        {SCH_TARGET_CUBE, IMAGE("CUBE") "LOAD OUT[0], IMAGE[0], IMM[0], CUBE\n", {2, 1, 300, 0}},
        {SCH_TARGET_3D, IMAGE("3D") "LOAD OUT[0], IMAGE[0], IMM[0], 3D\n", {2, 1, 300, 0}},
        {SCH_TARGET_1D_ARRAY, IMAGE("1D_ARRAY") "LOAD OUT[0], IMAGE[0], IMM[0].xzyy, 1D_ARRAY\n", {2, 0, 300, 0}},
        {SCH_TARGET_2D_MSAA, IMAGE("2D_MSAA") "LOAD OUT[0], IMAGE[0], IMM[0], 2D_MSAA\n", {2, 1, 0, 1}},
        {SCH_TARGET_2D, IMAGE("3D") "LOAD OUT[0], IMAGE[0], IMM[0], 3D\n", {0, 0, 0, 0}},
        {SCH_TARGET_2D,
         IMAGE("2D") "IMM[2] FLT32 {5.0, 6.0, 7.0, 8.0}\nSTORE IMAGE[0].x, IMM[0], IMM[2], 2D\n"
                     "LOAD OUT[0], IMAGE[0], IMM[0], 2D\n",
         {5, 6, 7, 8}},
        {SCH_TARGET_2D,
         IMAGE("2D") "IMG2HND TEMP[0], IMAGE[0], 2D\nIMM[2] FLT32 {5.0, 6.0, 7.0, 8.0}\n"
                     "STORE TEMP[0], IMM[0], IMM[2], 2D\nLOAD OUT[0], TEMP[0], IMM[0], 2D\n",
         {5, 6, 7, 8}},
        {SCH_TARGET_2D, IMAGE("2D") "SAMP2HND TEMP[0], SAMP[0], 2D\nLOAD OUT[0], TEMP[0], IMM[0], 2D\n", {0, 0, 0, 0}},
        {SCH_TARGET_2D, AT "SAMP2HND TEMP[0], SAMP[0], 2D\nTEX OUT[0], IMM[0], TEMP[0].zwzw, 2D\n", {2, 1, 0, 0}},
        {SCH_TARGET_2D, AT "TEX OUT[0], IMM[0], CONST[0], 2D\n", {0, 0, 0, 0}},
        {SCH_TARGET_2D, "DCL RES[0], 2D\n" TEXEL "LOAD OUT[0], RES[0], IMM[0]\n", {2, 1, 0, 0}},
        {SCH_TARGET_2D, "FBFETCH OUT[0], OUT[0]\n", {2, 1, 0, 0}},
        {SCH_TARGET_2D_ARRAY_MSAA, "FBFETCH OUT[0], OUT[0].wzyx\n", {2, 300, 1, 2}},
    };
    ASK(lookups, true, false);
    static const struct lookup sizes[] = {
        {SCH_TARGET_2D, IMAGE("2D") "RESQ OUT[0], IMAGE[0], 2D\n", {4, 4, 0, 1}},
        {SCH_TARGET_CUBE, IMAGE("CUBE") "RESQ OUT[0], IMAGE[0], CUBE\n", {4, 4, 0, 1}},
        {SCH_TARGET_CUBE_ARRAY, IMAGE("CUBEARRAY") "RESQ OUT[0], IMAGE[0], CUBEARRAY\n", {4, 4, 2, 1}},
        {SCH_TARGET_2D_ARRAY_MSAA, IMAGE("2D_ARRAY_MSAA") "RESQ OUT[0], IMAGE[0], 2D_ARRAY_MSAA\n", {4, 4, 12, 4}},
    };
    ASK(sizes, true, true);
}

/* One texture, its sampler with coordinates in texels, at each width: what `body` answers in x. */
static float look_up_in_texels(enum sch_target target, const char *body)
{
    struct unit unit = open_unit(target, false);
    const struct sch_sampler_options state = {.size = sizeof state,
                                              .wrap_s = SCH_WRAP_CLAMP_TO_EDGE,
                                              .wrap_t = SCH_WRAP_CLAMP_TO_EDGE,
                                              .wrap_r = SCH_WRAP_CLAMP_TO_EDGE,
                                              .unnormalized = true};
    sch_sampler_destroy(unit.sampler);
    assert_int_equal(sch_sampler_create(unit.context, &state, NULL, &unit.sampler), SCH_OK);
    uint32_t out[4], first = 0;
    for (unsigned width = 4; width <= 16; width *= 2) {
        look_up(&unit, body, width, out);
        if (width == 4) first = out[0];
        assert_int_equal(out[0], first);
    }
    close_unit(&unit);
    return api_float(first);
}

/* A sampler with coordinates in texels is none for cubes and 3D, and is not looked at by fetches and queries. */
static void coordinates_in_texels(void **state)
{
    (void)state;
#define IN_TEXELS "IMM[0] FLT32 {2.5, 1.5, 1.25, 1.0}\nIMM[1] UINT32 {3, 1, 2, 0}\n"
    assert_true(look_up_in_texels(SCH_TARGET_2D, IN_TEXELS "TEX OUT[0], IMM[0], SAMP[0], 2D\n") == 2);
    assert_true(look_up_in_texels(SCH_TARGET_2D_ARRAY, IN_TEXELS "TG4 OUT[0], IMM[0], SAMP[0].yyzw, 2D_ARRAY\n") == 2);
    assert_true(look_up_in_texels(SCH_TARGET_1D, IN_TEXELS "TXL OUT[0], IMM[0], SAMP[0], 1D\n") == 2);
    assert_true(look_up_in_texels(SCH_TARGET_3D, IN_TEXELS "TEX OUT[0], IMM[0], SAMP[0], 3D\n") == 0);
    assert_true(look_up_in_texels(SCH_TARGET_CUBE, IN_TEXELS "TXL OUT[0], IMM[0], SAMP[0], CUBE\n") == 0);
    assert_true(look_up_in_texels(SCH_TARGET_CUBE_ARRAY, IN_TEXELS "TEX OUT[0], IMM[0], SAMP[0], CUBEARRAY\n") == 0);
    assert_true(look_up_in_texels(SCH_TARGET_CUBE, IN_TEXELS "TG4 OUT[0], IMM[0], SAMP[0].zyzw, CUBE\n") == 0);
    assert_true(look_up_in_texels(SCH_TARGET_CUBE, IN_TEXELS "LODQ OUT[0].x, IMM[0], SAMP[0], CUBE\n") == 0);
    assert_true(look_up_in_texels(SCH_TARGET_3D, IN_TEXELS "TXF OUT[0], IMM[1], SAMP[0], 3D\n") == 3);
}

/* Texels read and greatest levels, and the same outputs whether anybody asks or not. */
static void heat(void **state)
{
    (void)state;
    if (by_code()) skip(); /* machine code counts no texels */
    struct unit unit = open_unit(SCH_TARGET_2D, false);
    uint32_t outputs[2][LANES][4], texels[LANES];
    float lods[LANES];
    struct sch_program *program =
        api_program(unit.context,
                    "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL TEMP[0]\nIMM[0] FLT32 {0.625, 0.375, 3.0, 1.0}\n"
                    "IMM[1] UINT32 {2, 1, 3, 0}\nTXL OUT[0].x, IMM[0], SAMP[0], 2D\nTEX OUT[0].y, IMM[0], SAMP[0], 2D\n"
                    "TXF OUT[0].z, IMM[1], SAMP[0], 2D\nTXQ OUT[0].w, IMM[1].wwww, SAMP[0], 2D\nEND\n",
                    0);
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .views = &unit.view, .view_count = 1, .samplers = &unit.sampler, .sampler_count = 1};
    for (unsigned asked = 0; asked < 2; asked++) {
        const struct sch_invocations work = {.size = sizeof work,
                                             .count = LANES,
                                             .outputs = outputs[asked][0],
                                             .output_bytes = sizeof outputs[asked],
                                             .output_registers = 1,
                                             .texels_read = asked ? texels : NULL,
                                             .texels_read_bytes = asked ? sizeof texels : 0,
                                             .greatest_lods = asked ? lods : NULL,
                                             .greatest_lod_bytes = asked ? sizeof lods : 0};
        assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
    }
    assert_memory_equal(outputs[0], outputs[1], sizeof outputs[0]);
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(texels[i], 3);
        assert_true(lods[i] == 1.0f);
    }
    sch_program_destroy(program);
    close_unit(&unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_by_target),
        cmocka_unit_test(levels_and_biases),
        cmocka_unit_test(references_by_target),
        cmocka_unit_test(gathered_components),
        cmocka_unit_test(fetched_texels),
        cmocka_unit_test(queries),
        cmocka_unit_test(images),
        cmocka_unit_test(coordinates_in_texels),
        cmocka_unit_test(heat),
    };
    return cmocka_run_group_tests_name("lookups", tests, NULL, NULL);
}
