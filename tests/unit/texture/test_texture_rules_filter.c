/* Published mistakes of other texture units (texture_support.h says how they are asked): filtering, formats,
 * border colours, swizzles and comparisons. */
#include "texture_support.h"

#include <math.h>
#include <string.h>

/* ---- filtering ---- */

/* Direct3D 7.18.16: fixed-point formats keep their precision. Codes 10 and 201, position 77 / 256 (s = 205 / 512):
 * (10 * 179 + 201 * 77) / (255 * 256), rounded once. */
static void test_unorm_filtering_rounds_once(void **state)
{
    (void)state;
    static const uint8_t codes[2] = {10, 201};
    const struct sch_view *view = view_of("R8_UNORM", SHAPE(.target = SCH_TARGET_1D, .width = 2), codes, NULL);
    EXPECT(ASK(view, linear(SCH_WRAP_CLAMP_TO_EDGE), .at = {205 / 512.0f}),
           FLOATS(quotient(10 * 179 + 201 * 77, 255 * 256), 0, 0, 1));
}

/* Direct3D 7.18.16.2 leaves it open; we do not let a NaN or an infinity of weight 0 through, whatever the axis or
 * level. */
static void test_texels_of_weight_zero_do_not_leak(void **state)
{
    (void)state;
    static const uint32_t poison[] = {0x7fc00000, 0x7f800000, 0xff800000};
    const struct sch_sampler *sampler = linear(SCH_WRAP_REPEAT);
    struct sch_sampler_options of = options(SCH_WRAP_REPEAT, SCH_FILTER_LINEAR, SCH_MIP_LINEAR);
    const struct sch_sampler *trilinear = sampler_of(of);
    for (unsigned i = 0; i < 3; i++) {
        float bad = from_bits(poison[i]), square[4] = {3, bad, bad, bad}, row[7] = {1, 1, 1, 1, 5, 5, bad};
        const struct sch_view *view =
            view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_2D, .width = 2, .height = 2), square, NULL);
        EXPECT_FIRST(ASK(view, sampler, .at = {0.25f, 0.25f}), 3);
        square[1] = 3; /* the first row is mixed, the second has weight 0 */
        view = view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_2D, .width = 2, .height = 2), square, NULL);
        EXPECT_FIRST(ASK(view, sampler, .at = {0.5f, 0.25f}), 3);
        view = view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_1D, .width = 4, .levels = 3), row, NULL);
        EXPECT_FIRST(ASK(view, trilinear, .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.25f}, .lod = 1), 5);
    }
}

/* Direct3D 7.18.16: the minimum and maximum of the texels whose weight is not zero. */
static void test_minimum_and_maximum_ignore_weight_zero(void **state)
{
    (void)state;
    static const float texels[4] = {5, -7, 11, 0};
    const struct sch_view *view = view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_1D, .width = 4), texels, NULL);
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_LINEAR, SCH_MIP_NONE);
    of.reduction = SCH_REDUCTION_MINIMUM;
    const struct sch_sampler *minimum = sampler_of(of);
    of.reduction = SCH_REDUCTION_MAXIMUM;
    const struct sch_sampler *maximum = sampler_of(of);
    EXPECT_FIRST(ASK(view, minimum, .at = {0.125f}), 5);             /* texel 0 alone */
    EXPECT_FIRST(ASK(view, minimum, .at = {0.125f + 0x1p-10f}), -7); /* 1 / 256 of texel 1 */
    EXPECT_FIRST(ASK(view, maximum, .at = {0.375f}), -7);
    EXPECT_FIRST(ASK(view, maximum, .at = {0.5f}), 11);
    EXPECT_FIRST(ASK(view, minimum, .at = {0.5f}), -7);
}

/* Direct3D 7.18.16.2: point sampling gives the texel; ours moves its bits: denormals, quiet and signalling NaNs. */
static void test_nearest_moves_bits(void **state)
{
    (void)state;
    static const uint32_t words[] = {0x00000001, 0x807fffff, 0x7f812345, 0xffc12345,
                                     0x80000000, 0x7f800000, 0xff800001};
    const struct sch_sampler *sampler = nearest(SCH_WRAP_CLAMP_TO_EDGE);
    const struct sch_view *view = view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_1D, .width = 7), words, NULL);
    for (unsigned i = 0; i < 7; i++)
        EXPECT(ASK(view, sampler, .at = {((float)i + 0.5f) / 7}), WORDS(words[i], 0, 0, bits(1)));
    /* 16 bits: the smallest denormal is 2^-24, a NaN's payload moves up by 13 bits and stays signalling. */
    static const uint16_t halves[4] = {0x0001, 0x7d01, 0xfe00, 0x83ff};
    static const uint32_t wide[4] = {0x33800000, 0x7fa02000, 0xffc00000, 0xb87fc000};
    view = view_of("R16_FLOAT", SHAPE(.target = SCH_TARGET_1D, .width = 4), halves, NULL);
    for (unsigned i = 0; i < 4; i++)
        EXPECT(ASK(view, sampler, .at = {((float)i + 0.5f) / 4}), WORDS(wide[i], 0, 0, bits(1)));
}

/* Integers are never filtered: linear and mip linear take what nearest takes, here texel 1 (position 1.0) of level
 * 1. */
static void test_integers_are_not_filtered(void **state)
{
    (void)state;
    static const uint8_t texels[7] = {1, 2, 3, 4, 50, 60, 70};
    const struct sch_view *view =
        view_of("R8_UINT", SHAPE(.target = SCH_TARGET_1D, .width = 4, .levels = 3), texels, NULL);
    const struct sch_sampler *sampler = sampler_of(options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_LINEAR, SCH_MIP_LINEAR));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = 1.25f), WORDS(60, 0, 0, 1));
}

/* Six faces of n x n, all of face i the value[i]. */
static const struct sch_view *plain_faces(const float value[6])
{
    float texels[6 * 16];
    for (unsigned i = 0; i < 6 * 16; i++) texels[i] = value[i / 16];
    return view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_CUBE, .width = 4, .height = 4, .layers = 6), texels, NULL);
}

/* Direct3D 7.18.12; OpenGL without GL_TEXTURE_CUBE_MAP_SEAMLESS. +Z is 8, +X is 0; position 3.375: 3/8 of the texel
 * beyond the edge: 8 * 5/8 = 5. Faces apart: the wrap mode finds +Z again. Direct3D has no such state. */
static void test_seamless_cubes_and_faces_apart(void **state)
{
    (void)state;
    static const float value[6] = {0, 100, 100, 100, 8, 100};
    const struct sch_view *view = plain_faces(value);
    struct sch_sampler_options of = options(SCH_WRAP_REPEAT, SCH_FILTER_LINEAR, SCH_MIP_NONE);
    EXPECT_FIRST(ASK(view, sampler_of(of), .at = {0.9375f, 0, 1}), 5);
    of.non_seamless_cube_map = true;
    EXPECT_FIRST(ASK(view, sampler_of(of), .at = {0.9375f, 0, 1}), 8);
    of.rules = SCH_RULES_D3D;
    EXPECT_FIRST(ASK(view, sampler_of(of), .at = {0.9375f, 0, 1}), 5);
    of.rules = SCH_RULES_TGSI;
    of.wrap_s = SCH_WRAP_CLAMP_TO_BORDER;
    of.border[0] = 16;
    EXPECT_FIRST(ASK(view, sampler_of(of), .at = {0.9375f, 0, 1}), 11); /* 8 * 5/8 + 16 * 3/8 */
}

/* Direct3D 7.18.12: the missing texel's weight in thirds to the others. Weights of 2^16: +Y 160 * 96, corner 96 * 96,
 * +Z 160 * 160, +X 96 * 160. */
static void test_linear_at_a_cube_corner_shares_in_thirds(void **state)
{
    (void)state;
    enum { X = 30, Y = 60, Z = 90 };
    uint8_t codes[6 * 16];
    static const uint8_t face[6] = {X, 200, Y, 200, Z, 200};
    for (unsigned i = 0; i < 6 * 16; i++) codes[i] = face[i / 16];
    const struct sch_view *view =
        view_of("R8_UNORM", SHAPE(.target = SCH_TARGET_CUBE, .width = 4, .height = 4, .layers = 6), codes, NULL);
    const int64_t sum = Y * 160 * 96 + Z * 160 * 160 + X * 96 * 160;
    EXPECT_FIRST(ASK(view, linear(SCH_WRAP_REPEAT), .at = {0.9375f, 0.9375f, 1}),
                 quotient(3 * sum + 96 * 96 * (X + Y + Z), 3 * 255 * 65536));
}

/* Direct3D 3.2.3.7: decoded before filtering, alpha is linear. 0 and 255 make 1/2, not the 0.21 of code 127.5. Code 128
 * is
 * ((128 / 255 + 0.055) / 1.055)^2.4 = 0.21586050011389..., code 10 is 10 / 255 / 12.92 = 0.00303526983548... */
static void test_srgb_is_decoded_before_filtering(void **state)
{
    (void)state;
    static const uint8_t texels[8] = {0, 128, 10, 0, 255, 128, 10, 255};
    const struct sch_view *view = view_of("R8G8B8A8_SRGB", SHAPE(.target = SCH_TARGET_1D, .width = 2), texels, NULL);
    EXPECT(ASK(view, linear(SCH_WRAP_CLAMP_TO_EDGE), .at = {0.5f}),
           WORDS(bits(0.5f), 0x3e5d0a89, 0x3b46eb61, bits(0.5f)));
}

/* ---- formats, borders, swizzles ---- */

/* Ryujinx/Ryujinx#893; Direct3D 7.18.9: the border colour is limited to the format's range, and components that the
 * format lacks keep their default. */
static void test_border_colour_is_the_formats(void **state)
{
    (void)state;
    static const uint32_t texel[4];
    static const struct {
        const char *format;
        float want[4];
    } rows[] = {
        {"R8G8B8A8_UNORM", {0.25f, 0.5f, 1, 0}},      {"R8_UNORM", {0.25f, 0, 0, 1}},
        {"R8G8B8X8_UNORM", {0.25f, 0.5f, 1, 1}},      {"A8_UNORM", {0, 0, 0, 0}},
        {"R8G8B8A8_SNORM", {0.25f, 0.5f, 1, -1}},     {"R8G8B8A8_SRGB", {0.25f, 0.5f, 1, 0}},
        {"R32G32B32A32_FLOAT", {0.25f, 0.5f, 2, -3}}, {"R16G16_FLOAT", {0.25f, 0.5f, 0, 1}},
        {"B8G8R8A8_UNORM", {0.25f, 0.5f, 1, 0}},
    };
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_BORDER, SCH_FILTER_NEAREST, SCH_MIP_NONE);
    memcpy(of.border, (float[4]){0.25f, 0.5f, 2, -3}, sizeof of.border);
    const struct sch_sampler *sampler = sampler_of(of);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        EXPECT(ASK(view_of(rows[i].format, SHAPE(.target = SCH_TARGET_1D), texel, NULL), sampler, .at = {-1}),
               FLOATS(rows[i].want[0], rows[i].want[1], rows[i].want[2], rows[i].want[3]));
    of.border[0] = NAN;
    EXPECT_FIRST(ASK(view_of("R8_UNORM", SHAPE(.target = SCH_TARGET_1D), texel, NULL), sampler_of(of), .at = {-1}), 0);
}

/* OpenGL 4.5, 8.14.2: "For floating-point and integer formats, border values are clamped to the representable range of
 * the format". Infinities and NaNs that a format has are representable. */
static void test_border_colour_of_small_floats(void **state)
{
    (void)state;
    static const uint32_t texel[4];
    static const struct {
        const char *format;
        float border[4], want[4];
    } rows[] = {
        {"R16G16B16A16_FLOAT", {70000, -70000, INFINITY, -0.5f}, {65504, -65504, INFINITY, -0.5f}},
        {"R16G16B16A16_FLOAT", {65519, -INFINITY, 0x1p-30f, 1}, {65504, -INFINITY, 0x1p-30f, 1}},
        {"R11G11B10_FLOAT", {70000, -1, 65000, 9}, {65024, 0, 64512, 1}},
        {"R11G11B10_FLOAT", {INFINITY, -INFINITY, 0.3f, 9}, {INFINITY, 0, 0.3f, 1}},
        {"R9G9B9E5_FLOAT", {-0.5f, 70000, 0.3f, 9}, {0, 65408, 0.3f, 1}},
        {"R9G9B9E5_FLOAT", {INFINITY, -INFINITY, NAN, 9}, {65408, 0, 0, 1}},
        {"R32G32_FLOAT", {-0.5f, INFINITY, 5, 9}, {-0.5f, INFINITY, 0, 1}},
    };
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_BORDER, SCH_FILTER_NEAREST, SCH_MIP_NONE);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(of.border, rows[i].border, sizeof of.border);
        EXPECT(ASK(view_of(rows[i].format, SHAPE(.target = SCH_TARGET_1D), texel, NULL), sampler_of(of), .at = {-1}),
               FLOATS(rows[i].want[0], rows[i].want[1], rows[i].want[2], rows[i].want[3]));
    }
}

/* The border of an integer format is integers, limited to the channel's range; the missing alpha is the integer 1. */
static void test_border_colour_of_integers(void **state)
{
    (void)state;
    static const uint32_t texel[4];
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_BORDER, SCH_FILTER_NEAREST, SCH_MIP_NONE);
    of.border_is_words = true;
    memcpy(of.border_words, (uint32_t[4]){5, 300, (uint32_t)-300, (uint32_t)-1}, sizeof of.border_words);
    const struct sch_sampler *sampler = sampler_of(of);
    struct sch_resource_options shape = SHAPE(.target = SCH_TARGET_1D);
    EXPECT(ASK(view_of("R8G8B8A8_UINT", shape, texel, NULL), sampler, .at = {-1}), WORDS(5, 255, 255, 255));
    EXPECT(ASK(view_of("R8G8B8A8_SINT", shape, texel, NULL), sampler, .at = {-1}), WORDS(5, 127, -128, -1));
    EXPECT(ASK(view_of("R32G32_SINT", shape, texel, NULL), sampler, .at = {-1}), WORDS(5, 300, 0, 1));
}

/* mesa's table (tgsi.rst, Texture Component Table): depth in all components; Direct3D: depth r, 0, 0, 1 and stencil 0,
 * s, 0, 1. 24 bits of depth lie low. */
static void test_depth_and_stencil_views(void **state)
{
    (void)state;
    static const uint32_t texel = 0x5affffff;
    const struct sch_resource_options shape = SHAPE(.target = SCH_TARGET_2D);
    const struct sch_view_options stencil_of = VIEW(.format = sch_format_by_name("X24S8_UINT"));
    const struct sch_view *depth = view_of("Z24_UNORM_S8_UINT", shape, &texel, NULL);
    const struct sch_view *stencil = view_of("Z24_UNORM_S8_UINT", shape, &texel, &stencil_of);
    const struct sch_sampler *tgsi = comparing(SCH_COMPARE_NONE, SCH_RULES_TGSI);
    const struct sch_sampler *d3d = comparing(SCH_COMPARE_NONE, SCH_RULES_D3D);
    const struct sch_sampler *maxwell = comparing(SCH_COMPARE_NONE, SCH_RULES_MAXWELL);
    EXPECT(ASK(depth, tgsi, .at = {0}), FLOATS(1, 1, 1, 1));
    EXPECT(ASK(depth, d3d, .at = {0}), FLOATS(1, 0, 0, 1));
    EXPECT(ASK(depth, maxwell, .at = {0}), FLOATS(1, 0, 0, 1));
    EXPECT(ASK(stencil, tgsi, .at = {0}), WORDS(0x5a, 0x5a, 0x5a, 0x5a));
    EXPECT(ASK(stencil, d3d, .at = {0}), WORDS(0, 0x5a, 0, 1));
    EXPECT(ASK(stencil, maxwell, .at = {0}), WORDS(0x5a, 0, 0, 1));
}

/* virgl/virglrenderer#221 (BGRA), Direct3D 3.2.3: the bits of X channels are nobody's: alpha is 1. */
static void test_x_channels_read_one(void **state)
{
    (void)state;
    static const uint8_t texel[4] = {51, 102, 153, 18};
    const struct sch_sampler *sampler = linear(SCH_WRAP_CLAMP_TO_EDGE);
    const struct sch_resource_options shape = SHAPE(.target = SCH_TARGET_2D);
    EXPECT(ASK(view_of("R8G8B8X8_UNORM", shape, texel, NULL), sampler, .at = {0}), FLOATS(0.2f, 0.4f, 0.6f, 1));
    EXPECT(ASK(view_of("B8G8R8X8_UNORM", shape, texel, NULL), sampler, .at = {0}), FLOATS(0.6f, 0.4f, 0.2f, 1));
    EXPECT(ASK(view_of("R8G8B8X8_UINT", shape, texel, NULL), sampler, .at = {0}), WORDS(51, 102, 153, 1));
}

/* The view's swizzle has 0 and 1 of the format's type; a gather's component goes through it; comparisons too. */
static void test_swizzles_to_zero_and_one(void **state)
{
    (void)state;
    static const float texel[4] = {2, 3, 5, 7};
    static const uint8_t code[4] = {2, 3, 5, 7};
    const struct sch_view_options how = VIEW(.swizzle = {3, 4, 5, 0}), shadow = VIEW(.swizzle = {4, 1, 5, 0});
    const struct sch_resource_options shape = SHAPE(.target = SCH_TARGET_2D);
    const struct sch_view *floats = view_of("R32G32B32A32_FLOAT", shape, texel, &how);
    const struct sch_sampler *sampler = comparing(SCH_COMPARE_LESS, SCH_RULES_TGSI);
    EXPECT(ASK(floats, sampler, .at = {0}), FLOATS(7, 0, 1, 2));
    EXPECT(ASK(floats, sampler, .operation = SCH_LOOKUP_FETCH), FLOATS(7, 0, 1, 2));
    EXPECT(ASK(view_of("R8G8B8A8_UINT", shape, code, &how), sampler, .at = {0}), WORDS(7, 0, 1, 2));
    EXPECT(ASK(floats, sampler, .operation = SCH_LOOKUP_GATHER, .component = 0), FLOATS(7, 7, 7, 7));
    EXPECT(ASK(floats, sampler, .operation = SCH_LOOKUP_GATHER, .component = 1), FLOATS(0, 0, 0, 0));
    EXPECT(ASK(floats, sampler, .operation = SCH_LOOKUP_GATHER, .component = 2), FLOATS(1, 1, 1, 1));
    EXPECT(ASK(view_of("Z32_FLOAT", shape, texel, &shadow), sampler, .compare = true, .at = {0}, .reference = 1),
           FLOATS(0, 1, 1, 1));
    EXPECT(ASK(view_of("Z32_FLOAT", shape, texel, &shadow), sampler, .compare = true, .at = {0}, .reference = 3),
           FLOATS(0, 0, 1, 0));
}

/* ---- comparison ---- */

/* Direct3D 7.18.13: a reference outside [0, 1] is limited to what a UNORM depth can be; a float depth leaves it
 * alone. */
static void test_unorm_depth_limits_the_reference(void **state)
{
    (void)state;
    static const uint16_t one = 0xffff, zero = 0;
    static const float far = 1;
    static const struct {
        enum sch_compare compare;
        float reference, at_one, at_zero, floating; /* the last: with the float depth 1 */
    } rows[] = {
        {SCH_COMPARE_LEQUAL, 2, 1, 0, 0},          {SCH_COMPARE_LESS, 2, 0, 0, 0},
        {SCH_COMPARE_EQUAL, 2, 1, 0, 0},           {SCH_COMPARE_GREATER, 2, 0, 1, 1},
        {SCH_COMPARE_GEQUAL, -5, 0, 1, 0},         {SCH_COMPARE_EQUAL, -5, 0, 1, 0},
        {SCH_COMPARE_LESS, -5, 1, 0, 1},           {SCH_COMPARE_EQUAL, INFINITY, 1, 0, 0},
        {SCH_COMPARE_NOTEQUAL, INFINITY, 0, 1, 1}, {SCH_COMPARE_EQUAL, -INFINITY, 0, 1, 0},
    };
    const struct sch_resource_options shape = SHAPE(.target = SCH_TARGET_2D);
    const struct sch_view *ones = view_of("Z16_UNORM", shape, &one, NULL);
    const struct sch_view *zeros = view_of("Z16_UNORM", shape, &zero, NULL);
    const struct sch_view *floats = view_of("Z32_FLOAT", shape, &far, NULL);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned rules = SCH_RULES_TGSI; rules <= SCH_RULES_MAXWELL; rules++) {
            const struct sch_sampler *sampler = comparing(rows[i].compare, (enum sch_rules)rules);
            float ref = rows[i].reference;
            EXPECT_FIRST(ASK(ones, sampler, .compare = true, .reference = ref), rows[i].at_one);
            EXPECT_FIRST(ASK(zeros, sampler, .compare = true, .reference = ref), rows[i].at_zero);
            EXPECT_FIRST(ASK(floats, sampler, .compare = true, .reference = ref), rows[i].floating);
        }
    }
}

/* Direct3D 7.18.13: a NaN compares false, NOTEQUAL apart; clamping a reference to the format does not change that. */
static void test_nan_reference_with_each_function(void **state)
{
    (void)state;
    static const float depth[2] = {0.5f, NAN};
    static const uint16_t zero = 0;
    const struct sch_view *floats = view_of("Z32_FLOAT", SHAPE(.target = SCH_TARGET_2D, .width = 2), depth, NULL);
    const struct sch_view *codes = view_of("Z16_UNORM", SHAPE(.target = SCH_TARGET_2D), &zero, NULL);
    for (unsigned f = SCH_COMPARE_NEVER; f <= SCH_COMPARE_ALWAYS; f++) {
        const struct sch_sampler *sampler = comparing((enum sch_compare)f, SCH_RULES_TGSI);
        float want = f == SCH_COMPARE_NOTEQUAL || f == SCH_COMPARE_ALWAYS;
        EXPECT(ASK(floats, sampler, .compare = true, .at = {0.25f}, .reference = NAN), FLOATS(want, want, want, want));
        EXPECT_FIRST(ASK(floats, sampler, .compare = true, .at = {0.75f}, .reference = 0.5f), want);
        EXPECT_FIRST(ASK(codes, sampler, .compare = true, .reference = NAN), want);
    }
}

/* The reference stands on the left; and by Direct3D's rules it is rounded to the format's codes (7.18.13): 1.2 codes
 * are 1 there, and more than 1 by TGSI's. */
static void test_reference_stands_left_and_is_rounded_by_d3d(void **state)
{
    (void)state;
    static const uint16_t code = 1;
    static const float half = 0.5f;
    const struct sch_view *codes = view_of("Z16_UNORM", SHAPE(.target = SCH_TARGET_2D), &code, NULL);
    const struct sch_view *floats = view_of("Z32_FLOAT", SHAPE(.target = SCH_TARGET_2D), &half, NULL);
    for (unsigned rules = SCH_RULES_TGSI; rules <= SCH_RULES_MAXWELL; rules++) {
        enum sch_rules whose = (enum sch_rules)rules;
        float rounded = rules != SCH_RULES_TGSI;
        EXPECT_FIRST(ASK(floats, comparing(SCH_COMPARE_LESS, whose), .compare = true, .reference = 0.25f), 1);
        EXPECT_FIRST(ASK(floats, comparing(SCH_COMPARE_GREATER, whose), .compare = true, .reference = 0.25f), 0);
        EXPECT_FIRST(ASK(codes, comparing(SCH_COMPARE_EQUAL, whose), .compare = true, .reference = 1.2f / 65535),
                     rounded);
        EXPECT_FIRST(ASK(codes, comparing(SCH_COMPARE_GREATER, whose), .compare = true, .reference = 1.2f / 65535),
                     1 - rounded);
    }
}

/* Comparisons are filtered, not depths: texels 0 and 1, reference 0.25 LESS: 0 and 1, a quarter along. A filtered depth
 * of 0.25 would give 0. */
static void test_comparisons_are_filtered(void **state)
{
    (void)state;
    static const float depth[2] = {0, 1};
    const struct sch_view *view = view_of("Z32_FLOAT", SHAPE(.target = SCH_TARGET_2D, .width = 2), depth, NULL);
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_LINEAR, SCH_MIP_NONE);
    of.compare = SCH_COMPARE_LESS;
    EXPECT(ASK(view, sampler_of(of), .compare = true, .at = {0.375f}, .reference = 0.25f),
           FLOATS(0.25f, 0.25f, 0.25f, 0.25f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_unorm_filtering_rounds_once),
        TEST(test_texels_of_weight_zero_do_not_leak),
        TEST(test_minimum_and_maximum_ignore_weight_zero),
        TEST(test_nearest_moves_bits),
        TEST(test_integers_are_not_filtered),
        TEST(test_seamless_cubes_and_faces_apart),
        TEST(test_linear_at_a_cube_corner_shares_in_thirds),
        TEST(test_srgb_is_decoded_before_filtering),
        TEST(test_border_colour_is_the_formats),
        TEST(test_border_colour_of_small_floats),
        TEST(test_border_colour_of_integers),
        TEST(test_depth_and_stencil_views),
        TEST(test_x_channels_read_one),
        TEST(test_swizzles_to_zero_and_one),
        TEST(test_unorm_depth_limits_the_reference),
        TEST(test_nan_reference_with_each_function),
        TEST(test_reference_stands_left_and_is_rounded_by_d3d),
        TEST(test_comparisons_are_filtered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
