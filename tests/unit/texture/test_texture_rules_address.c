/* Published mistakes of other texture units (texture_support.h says how they are asked): where gathers and
 * coordinates lead: component order, wrap modes, offsets, layers, cubes. */
#include "texture_support.h"

#include <math.h>

/* ---- gather ---- */

/* Ryujinx#2397 (component order), mesa/mesa "gallivm: fix gather implementation a bit". Direct3D 7.18: x is the lower
 * left, counter-clockwise. Position 4 * 0.5 - 0.5 = 1.5: texels 1 and 2 of both axes. */
static void test_gather_starts_lower_left_and_goes_counterclockwise(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TARGET_2D, 4, 4, 1);
    EXPECT(ASK(view, nearest(SCH_WRAP_CLAMP_TO_EDGE), .operation = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f}),
           FLOATS(21, 22, 12, 11));
}

/* mesa/mesa "gallivm: fix gather implementation a bit" (mirror modes left broken: "too complex to fix right now"). The
 * two texels are wrapped each by itself and keep their places: under mirroring the second may be left of the first.
 * Four texels a row; s = 0: -1 and 0; -0.5: -3 and -2; -1.25: -6 and -5; 1: 3 and 4. CLAMP and MIRROR_CLAMP limit the
 * coordinate to [0, 1] and [-1, 1]: positions to -0.5 and -4.5. */
static void test_gather_wraps_each_texel_by_itself(void **state)
{
    (void)state;
    static const float at[4] = {0.0f, -0.5f, -1.25f, 1.0f};
    static const struct {
        enum sch_wrap wrap;
        float pair[4][2]; /* of (i0, j0) and (i1, j0) */
    } rows[] = {
        {SCH_WRAP_REPEAT, {{3, 0}, {1, 2}, {2, 3}, {3, 0}}},
        {SCH_WRAP_CLAMP, {{BORDER, 0}, {BORDER, 0}, {BORDER, 0}, {3, BORDER}}},
        {SCH_WRAP_CLAMP_TO_EDGE, {{0, 0}, {0, 0}, {0, 0}, {3, 3}}},
        {SCH_WRAP_CLAMP_TO_BORDER, {{BORDER, 0}, {BORDER, BORDER}, {BORDER, BORDER}, {3, BORDER}}},
        {SCH_WRAP_MIRROR_REPEAT, {{0, 0}, {2, 1}, {2, 3}, {3, 3}}},
        {SCH_WRAP_MIRROR_CLAMP, {{0, 0}, {2, 1}, {BORDER, 3}, {3, BORDER}}},
        {SCH_WRAP_MIRROR_CLAMP_TO_EDGE, {{0, 0}, {2, 1}, {3, 3}, {3, 3}}},
        {SCH_WRAP_MIRROR_CLAMP_TO_BORDER, {{0, 0}, {2, 1}, {BORDER, BORDER}, {3, BORDER}}},
    };
    const struct sch_view *view = grid(SCH_TARGET_2D, 4, 4, 1);
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_LINEAR, SCH_MIP_NONE);
        of.wrap_s = rows[r].wrap;
        of.border[0] = BORDER;
        const struct sch_sampler *sampler = sampler_of(of);
        for (unsigned i = 0; i < 4; i++) { /* t = 0: rows 0 and 0 */
            float first = rows[r].pair[i][0], second = rows[r].pair[i][1];
            EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {at[i], 0.0f}),
                   FLOATS(first, second, second, first));
        }
    }
}

/* yuzu-emu/yuzu#10030: positions are 16.8 fixed point, rounded to nearest even (Direct3D 7.18.16.1, 3.2.4.1), so that
 * a position just below 1 is 1. 1 - 2^-9 is 255.5 / 256: the tie goes to 256. */
static void test_gather_rounds_positions_to_256ths(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TARGET_2D, 4, 4, 1);
    const struct sch_sampler *sampler = linear(SCH_WRAP_CLAMP_TO_EDGE);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {(1.5f - 0x1p-10f) / 4, 0.0f}), FLOATS(1, 2, 2, 1));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {(1.5f - 0x1p-9f) / 4, 0.0f}), FLOATS(1, 2, 2, 1));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {(1.5f - 0x1p-9f - 0x1p-15f) / 4, 0.0f}),
           FLOATS(0, 1, 1, 0));
    /* Nearest filtering takes the floor of the same rounded number. */
    EXPECT_FIRST(ASK(view, nearest(SCH_WRAP_CLAMP_TO_EDGE), .at = {(1 - 0x1p-9f) / 4, 0.0f}), 1);
    EXPECT_FIRST(ASK(view, nearest(SCH_WRAP_CLAMP_TO_EDGE), .at = {(1 - 0x1p-9f - 0x1p-15f) / 4, 0.0f}), 0);
}

/* gpuweb/gpuweb#4857 (offsets on arrays are broken on several devices). Texels 1, 2 + 1 by 1, 2 - 1; the layer
 * stays. */
static void test_gather_offsets_move_texels_not_layers(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TARGET_2D_ARRAY, 4, 4, 3);
    const struct sch_sampler *sampler = linear(SCH_WRAP_CLAMP_TO_EDGE);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f, 1.0f}, .offset = {1, -1}),
           FLOATS(112, 113, 103, 102));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f, 1.0f}, .offset = {1, -1, 1}),
           FLOATS(112, 113, 103, 102));
}

/* gpuweb/gpuweb#4857 (integer formats). Bits are moved, 8-bit numbers sign-extended; a component that the format lacks
 * is 0, and the integer 1 for alpha. */
static void test_gather_moves_integers(void **state)
{
    (void)state;
    static const uint32_t words[4] = {0x80000001, 0x7f800001, 0x3f800000, 0xffffffff};
    static const int8_t pairs[8] = {1, -1, 2, -2, 3, -3, 4, -128};
    const struct sch_sampler *sampler = linear(SCH_WRAP_CLAMP_TO_EDGE);
    const struct sch_view *view =
        view_of("R32_UINT", SHAPE(.target = SCH_TARGET_2D, .width = 2, .height = 2), words, NULL);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f}),
           WORDS(0x3f800000, 0xffffffff, 0x7f800001, 0x80000001));
    view = view_of("R8G8_SINT", SHAPE(.target = SCH_TARGET_2D, .width = 2, .height = 2), pairs, NULL);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f}, .component = 1),
           WORDS(-3, -128, -2, -1));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f}, .component = 2), WORDS(0, 0, 0, 0));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f}, .component = 3), WORDS(1, 1, 1, 1));
}

/* gpuweb/gpuweb#4857 (cubes); Direct3D 7.18.12: beyond an edge stands the neighbouring face's texel.
 * Right of +Z (s = x): +X has s = -z, its column 0, rows alike. Above +Z (t = -y): +Y has t = z, its row 3, columns
 * alike. Right of +Y (s = x, t = z): +X has s = -z, t = -y: its row 0, columns the other way round. Above +Y: -Z has
 * s = -x: its row 0, columns the other way round. 0.9375 is s = 0.96875, position 3.375: texels 3 and 4. */
static void test_gather_crosses_cube_edges(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TARGET_CUBE, 4, 4, 6);
    const struct sch_sampler *sampler = linear(SCH_WRAP_REPEAT);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0.9375f, 0, 1}), FLOATS(423, 20, 10, 413));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0, 0.9375f, 1}), FLOATS(401, 402, 232, 231));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0.9375f, 1, 0}), FLOATS(223, 1, 2, 213));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0, 1, -0.9375f}), FLOATS(201, 202, 501, 502));
}

/* mesa/mesa "gallivm: implement accurate corner behavior for textureGather with cube maps"; Direct3D 7.18.12: at a
 * corner the missing texel is the mean of the other three. +Z (3, 0) = 403, +X (0, 0) = 0, +Y (3, 3) = 233. */
static void test_gather_at_a_cube_corner_is_the_mean(void **state)
{
    (void)state;
    const struct sch_sampler *sampler = linear(SCH_WRAP_REPEAT);
    EXPECT(ASK(grid(SCH_TARGET_CUBE, 4, 4, 6), sampler, .operation = SCH_LOOKUP_GATHER, .at = {0.9375f, 0.9375f, 1}),
           FLOATS(403, 0, 212, 233));
    /* One texel a face, so that each place is a corner: (31 + 10 + 20) / 765 rounded once; integers truncate 61 / 3. */
    static const uint8_t codes[6] = {10, 200, 20, 200, 31, 200};
    struct sch_resource_options shape = SHAPE(.target = SCH_TARGET_CUBE, .width = 1, .height = 1, .layers = 6);
    EXPECT(ASK(view_of("R8_UNORM", shape, codes, NULL), sampler, .operation = SCH_LOOKUP_GATHER,
               .at = {0.9375f, 0.9375f, 1}),
           FLOATS(quotient(31, 255), quotient(10, 255), quotient(61, 765), quotient(20, 255)));
    EXPECT(ASK(view_of("R8_UINT", shape, codes, NULL), sampler, .operation = SCH_LOOKUP_GATHER,
               .at = {0.9375f, 0.9375f, 1}),
           WORDS(31, 10, 20, 20));
}

/* Direct3D's gather4_c: the missing texel is synthesised behind the comparison: 0, 1/3, 2/3 or 1, never a comparison
 * with a mean. reference < 403, 0, 233. */
static void test_gather_with_comparison_at_a_cube_corner_counts_thirds(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TARGET_CUBE, 4, 4, 6);
    const struct sch_sampler *sampler = comparing(SCH_COMPARE_LESS, SCH_RULES_TGSI);
    static const struct {
        float reference, x, y, z, w;
    } rows[] = {{500, 0, 0, 0, 0}, {300, 1, 0, 0x1.555556p-2f, 0}, {100, 1, 0, 0x1.555556p-1f, 1}, {-1, 1, 1, 1, 1}};
    for (unsigned i = 0; i < 4; i++)
        EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .compare = true, .at = {0.9375f, 0.9375f, 1},
                   .reference = rows[i].reference),
               FLOATS(rows[i].x, rows[i].y, rows[i].z, rows[i].w));
}

/* HansKristian-Work/dxil-spirv#229: the comparison of a gather was lost. The texels are 21, 22, 12, 11. */
static void test_gather_compares(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TARGET_2D, 4, 4, 1);
    EXPECT(ASK(view, comparing(SCH_COMPARE_GREATER, SCH_RULES_TGSI), .operation = SCH_LOOKUP_GATHER, .compare = true,
               .at = {0.5f, 0.5f}, .reference = 20),
           FLOATS(0, 0, 1, 1));
    EXPECT(ASK(view, comparing(SCH_COMPARE_LEQUAL, SCH_RULES_TGSI), .operation = SCH_LOOKUP_GATHER, .compare = true,
               .at = {0.5f, 0.5f}, .reference = 21),
           FLOATS(1, 1, 0, 0));
}

/* docs/texture.md, "Gather": comparisons go through the view's swizzle as those of a lookup do, and they are red: a
 * constant in red's place is what comes, and the component that is asked does not matter. */
static void test_gather_compares_through_the_swizzle(void **state)
{
    (void)state;
    static const float depth = 0.5f;
    static const struct {
        uint8_t red;
        float want;
    } rows[] = {{0, 1}, {3, 1}, {4, 0}, {5, 1}};
    for (unsigned i = 0; i < 4; i++) {
        const struct sch_view_options how = VIEW(.swizzle = {rows[i].red, 4, 5, 4});
        const struct sch_view *view = view_of("Z32_FLOAT", SHAPE(.target = SCH_TARGET_2D), &depth, &how);
        for (uint32_t component = 0; component < 4; component++) {
            float passes = rows[i].want, fails = rows[i].red == 5;
            EXPECT(ASK(view, comparing(SCH_COMPARE_LESS, SCH_RULES_TGSI), .operation = SCH_LOOKUP_GATHER,
                       .compare = true, .component = component, .reference = 0.25f),
                   FLOATS(passes, passes, passes, passes));
            EXPECT(ASK(view, comparing(SCH_COMPARE_GREATER, SCH_RULES_TGSI), .operation = SCH_LOOKUP_GATHER,
                       .compare = true, .component = component, .reference = 0.25f),
                   FLOATS(fails, fails, fails, fails));
        }
    }
}

/* ---- coordinates ---- */

/* gpuweb/gpuweb#4857; Direct3D 7.18.8: the offset is added before the address mode. One row of four texels. */
static void test_offsets_come_before_wrapping(void **state)
{
    (void)state;
    static const struct {
        enum sch_wrap wrap;
        float s;
        int32_t offset;
        float texel;
    } rows[] = {
        {SCH_WRAP_REPEAT, 0.875f, 1, 0},           {SCH_WRAP_REPEAT, 0.125f, -1, 3},
        {SCH_WRAP_MIRROR_REPEAT, 0.875f, 1, 3},    {SCH_WRAP_MIRROR_REPEAT, 0.875f, 2, 2},
        {SCH_WRAP_MIRROR_REPEAT, -0.125f, -1, 1},  {SCH_WRAP_MIRROR_REPEAT, -0.125f, 1, 0},
        {SCH_WRAP_CLAMP_TO_BORDER, -0.125f, 1, 0}, {SCH_WRAP_CLAMP_TO_BORDER, 0.875f, 1, BORDER},
        {SCH_WRAP_CLAMP_TO_EDGE, -0.625f, 4, 1},   {SCH_WRAP_MIRROR_CLAMP_TO_EDGE, -0.125f, 1, 0},
    };
    const struct sch_view *view = grid(SCH_TARGET_1D, 4, 1, 1);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_sampler_options of = options(rows[i].wrap, SCH_FILTER_NEAREST, SCH_MIP_NONE);
        of.border[0] = BORDER;
        EXPECT_FIRST(ASK(view, sampler_of(of), .at = {rows[i].s}, .offset = {rows[i].offset}), rows[i].texel);
    }
}

/* Direct3D 7.18.8: offsets count texels of the level that is read. Level 1 of 4 texels has texels 10, 11. */
static void test_offsets_count_texels_of_the_level(void **state)
{
    (void)state;
    static const float texels[7] = {0, 1, 2, 3, 10, 11, 20};
    const struct sch_view *view =
        view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_1D, .width = 4, .levels = 3), texels, NULL);
    const struct sch_sampler *sampler = mips(SCH_MIP_NEAREST);
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.125f}, .lod = 1, .offset = {1}), 11);
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.125f}, .lod = 0, .offset = {1}), 1);
}

/* yuzu-emu/yuzu#1496, #1909: to nearest even by all rules (OpenGL 4.6 8.14.2, RNE; Direct3D 7.18.5). Clamped; a NaN is
 * 0. */
static void test_ties_of_array_layers(void **state)
{
    (void)state;
    static const struct {
        float layer, chosen;
    } rows[] = {{0.5f, 0},  {1.5f, 2},      {2.5f, 2},     {-0.5f, 0}, {0x1.fffffep-2f, 0}, {0x1.000002p-1f, 1}, {1, 1},
                {99.0f, 3}, {-INFINITY, 0}, {INFINITY, 3}, {NAN, 0}};
    const struct sch_view *lines = grid(SCH_TARGET_1D_ARRAY, 1, 1, 4);
    const struct sch_view *images = grid(SCH_TARGET_2D_ARRAY, 1, 1, 4);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned rules = SCH_RULES_TGSI; rules <= SCH_RULES_MAXWELL; rules++) {
            const struct sch_sampler *sampler = comparing(SCH_COMPARE_NONE, (enum sch_rules)rules);
            float want = 100 * rows[i].chosen;
            EXPECT_FIRST(ASK(lines, sampler, .at = {0, rows[i].layer}), want);
            EXPECT_FIRST(ASK(images, sampler, .at = {0, 0, rows[i].layer}), want);
        }
    }
}

/* Direct3D 7.18.7: the fourth coordinate picks the cube, by the same rounding; then the face: -Y is 3. */
static void test_ties_of_cube_array_layers(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TARGET_CUBE_ARRAY, 1, 1, 18);
    for (unsigned rules = SCH_RULES_TGSI; rules <= SCH_RULES_MAXWELL; rules++) {
        const struct sch_sampler *sampler = comparing(SCH_COMPARE_NONE, (enum sch_rules)rules);
        EXPECT_FIRST(ASK(view, sampler, .at = {0, -1, 0, 0.5f}), 300);
        EXPECT_FIRST(ASK(view, sampler, .at = {0, -1, 0, 1.5f}), 1500);
        EXPECT_FIRST(ASK(view, sampler, .at = {0, -1, 0, 7}), 1500);
    }
}

/* yuzu-emu/yuzu#1909: array index and depth reference were swapped. Layers 0.25 and 0.75. */
static void test_layer_and_reference_are_not_swapped(void **state)
{
    (void)state;
    static const float depth[2] = {0.25f, 0.75f};
    const struct sch_view *view =
        view_of("Z32_FLOAT", SHAPE(.target = SCH_TARGET_2D_ARRAY, .width = 1, .height = 1, .layers = 2), depth, NULL);
    for (unsigned rules = SCH_RULES_TGSI; rules <= SCH_RULES_MAXWELL; rules++) {
        const struct sch_sampler *sampler = comparing(SCH_COMPARE_LESS, (enum sch_rules)rules);
        EXPECT_FIRST(ASK(view, sampler, .compare = true, .at = {0, 0, 0}, .reference = 0.6f), 0);
        EXPECT_FIRST(ASK(view, sampler, .compare = true, .at = {0, 0, 1}, .reference = 0.6f), 1);
        EXPECT_FIRST(ASK(view, sampler, .compare = true, .at = {0, 0, 1}, .reference = 0.8f), 0);
        EXPECT_FIRST(ASK(view, sampler, .compare = true, .at = {0, 0, 0}, .reference = 0.1f), 1);
    }
}

/* RECT and samplers without normalisation count texels: nearest 2.5, 1 is texel (2, 1); linear 1 is position 0.5, half
 * of texels 0 and 1. */
static void test_coordinates_in_texels(void **state)
{
    (void)state;
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NONE);
    of.unnormalized = true;
    const struct sch_view *plain = grid(SCH_TARGET_2D, 4, 4, 1), *rect = grid(SCH_TARGET_RECT, 4, 4, 1);
    EXPECT_FIRST(ASK(plain, sampler_of(of), .at = {2.5f, 1}), 12);
    EXPECT_FIRST(ASK(rect, nearest(SCH_WRAP_CLAMP_TO_EDGE), .at = {2.5f, 1}), 12);
    EXPECT_FIRST(ASK(rect, linear(SCH_WRAP_CLAMP_TO_EDGE), .at = {1, 0}), 0.5f);
    EXPECT_FIRST(ASK(rect, nearest(SCH_WRAP_CLAMP_TO_EDGE), .at = {1e30f, -1e30f}), 3);
}

/* The third wrap mode is the third axis's, and only its. */
static void test_third_wrap_mode_is_of_depth(void **state)
{
    (void)state;
    static const struct {
        enum sch_wrap wrap;
        float r, slice;
    } rows[] = {{SCH_WRAP_REPEAT, 1.125f, 0},
                {SCH_WRAP_MIRROR_REPEAT, 1.125f, 300},
                {SCH_WRAP_CLAMP_TO_EDGE, -0.375f, 0},
                {SCH_WRAP_CLAMP_TO_BORDER, 1.125f, BORDER}};
    const struct sch_view *view = grid(SCH_TARGET_3D, 2, 2, 4);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NONE);
        of.wrap_r = rows[i].wrap;
        of.border[0] = BORDER;
        const struct sch_sampler *sampler = sampler_of(of);
        EXPECT_FIRST(ASK(view, sampler, .at = {0.25f, 0.25f, rows[i].r}), rows[i].slice);
        if (rows[i].slice < 0) continue;
        EXPECT_FIRST(ASK(view, sampler, .at = {9, 9, rows[i].r}), rows[i].slice + 11);
    }
}

/* Direct3D 7.18.7: among equals Z before Y before X. The sign is the component's sign bit; 0 / 0 is the first texel. */
static void test_cube_face_of_equal_components(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TARGET_CUBE, 1, 1, 6);
    const struct sch_sampler *sampler = nearest(SCH_WRAP_CLAMP_TO_EDGE);
    EXPECT_FIRST(ASK(view, sampler, .at = {1, 1, 1}), 400);
    EXPECT_FIRST(ASK(view, sampler, .at = {1, -1, -1}), 500);
    EXPECT_FIRST(ASK(view, sampler, .at = {1, 1, 0.5f}), 200);
    EXPECT_FIRST(ASK(view, sampler, .at = {-1, -1, 0.5f}), 300);
    EXPECT_FIRST(ASK(view, sampler, .at = {-1, 0.5f, 0.5f}), 100);
    EXPECT_FIRST(ASK(view, sampler, .at = {0, 0, -0.0f}), 500);
}

/* docs/texture.md, rule 3: a NaN of a direction is 0, in the choice of the face and on it. Texels 1 and 2 of the face;
 * all three NaN: as (0, 0, 0), whose 0 / 0 is position 0. */
static void test_cube_directions_with_nan(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TARGET_CUBE, 4, 4, 6);
    const struct sch_sampler *sampler = linear(SCH_WRAP_CLAMP_TO_EDGE);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {NAN, 0, 1}), FLOATS(421, 422, 412, 411));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {0, 1, -NAN}), FLOATS(221, 222, 212, 211));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER, .at = {-0.5f, NAN, NAN}), FLOATS(121, 122, 112, 111));
    EXPECT_FIRST(ASK(view, nearest(SCH_WRAP_REPEAT), .at = {NAN, NAN, NAN}), 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_gather_starts_lower_left_and_goes_counterclockwise),
        TEST(test_gather_wraps_each_texel_by_itself),
        TEST(test_gather_rounds_positions_to_256ths),
        TEST(test_gather_offsets_move_texels_not_layers),
        TEST(test_gather_moves_integers),
        TEST(test_gather_crosses_cube_edges),
        TEST(test_gather_at_a_cube_corner_is_the_mean),
        TEST(test_gather_with_comparison_at_a_cube_corner_counts_thirds),
        TEST(test_gather_compares),
        TEST(test_gather_compares_through_the_swizzle),
        TEST(test_offsets_come_before_wrapping),
        TEST(test_offsets_count_texels_of_the_level),
        TEST(test_ties_of_array_layers),
        TEST(test_ties_of_cube_array_layers),
        TEST(test_layer_and_reference_are_not_swapped),
        TEST(test_coordinates_in_texels),
        TEST(test_third_wrap_mode_is_of_depth),
        TEST(test_cube_face_of_equal_components),
        TEST(test_cube_directions_with_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
