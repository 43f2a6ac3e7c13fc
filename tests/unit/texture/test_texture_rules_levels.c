/* Published mistakes of other texture units (texture_support.h says how they are asked): levels of detail,
 * anisotropy, and what queries, views and fetches see of levels, layers and samples. */
#include "../support/explained.h"
#include "texture_support.h"

#include <math.h>
#include <string.h>

/* Sixteen texels square; level n holds n. */
static const float level_numbers[5] = {0, 1, 2, 3, 4};
static const struct sch_view *numbered(void) { return levels_of(SCH_TARGET_2D, 1, level_numbers, NULL); }

/* ---- level of detail ---- */

/* xemu-project/xemu#767, #2435, doitsujin/dxvk#2779: Direct3D 7.18.10: biases are added, then the sum is clamped. */
static void test_bias_comes_before_the_clamp(void **state)
{
    (void)state;
    const struct sch_view *view = numbered();
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NEAREST);
    of.lod_bias = 2;
    of.max_lod = 1;
    EXPECT_FIRST(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_SAMPLE_L, .lod = 0), 1);
    of.max_lod = 3;
    EXPECT_FIRST(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_SAMPLE_L, .lod = -1), 1);
    /* Four texels a step are LOD 2; with both biases 5.5, limited to 3. */
    EXPECT_FIRST(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_SAMPLE_B, .ddx = {0.25f}, .bias = 1.5f), 3);
    /* The sum is not clamped half way: 2 - 4 + 3. */
    of.lod_bias = -4;
    EXPECT_FIRST(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_SAMPLE_B, .ddx = {0.25f}, .bias = 3), 1);
    of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_LINEAR);
    of.lod_bias = 1;
    of.min_lod = 2.5f;
    of.max_lod = 9;
    EXPECT_FIRST(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_SAMPLE_L, .lod = 0), 2.5f);
}

/* Direct3D 7.18.10: max(MinLOD, min(MaxLOD, LOD)): the minimum wins. */
static void test_minimum_lod_wins_over_maximum_lod(void **state)
{
    (void)state;
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NEAREST);
    of.min_lod = 3;
    of.max_lod = 1;
    const struct sch_sampler *sampler = sampler_of(of);
    for (float lod = 0; lod < 5; lod++)
        EXPECT_FIRST(ASK(numbered(), sampler, .operation = SCH_LOOKUP_SAMPLE_L, .lod = lod), 3);
}

/* doitsujin/dxvk#3435, dolphin-emu/dolphin#10292: the sampler's bias counts for an explicit LOD too. */
static void test_bias_counts_for_explicit_lod(void **state)
{
    (void)state;
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NEAREST);
    of.lod_bias = 1;
    EXPECT_FIRST(ASK(numbered(), sampler_of(of), .operation = SCH_LOOKUP_SAMPLE_L, .lod = 1), 2);
    EXPECT_FIRST(ASK(numbered(), mips(SCH_MIP_NEAREST), .operation = SCH_LOOKUP_SAMPLE_L, .lod = NAN), 0);
}

/* KhronosGroup/Vulkan-Docs#2777, Ryujinx/Ryujinx#2397: x is what is accessed, y what was computed. 16 texels: a step
 * of 1/4 is LOD 2, of 4 LOD 6, of 1/64 LOD -2; none is -128. */
static void test_lod_query_gives_accessed_and_computed(void **state)
{
    (void)state;
    const struct sch_view *view = numbered();
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_LINEAR);
    of.lod_bias = 0.5f;
    const struct sch_sampler *free = sampler_of(of);
    EXPECT(ASK(view, free, .operation = SCH_LOOKUP_LOD, .ddx = {0.25f}), FLOATS(2.5f, 2.5f, 0, 0));
    EXPECT(ASK(view, free, .operation = SCH_LOOKUP_LOD, .ddy = {0, 4}), FLOATS(4, 6.5f, 0, 0));
    EXPECT(ASK(view, free, .operation = SCH_LOOKUP_LOD, .ddx = {0x1p-6f}), FLOATS(0, -1.5f, 0, 0));
    EXPECT(ASK(view, mips(SCH_MIP_LINEAR), .operation = SCH_LOOKUP_LOD, .at = {0.5f}), FLOATS(0, -128, 0, 0));
    of.max_lod = 2;
    EXPECT(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_LOD, .ddx = {0.25f}), FLOATS(2, 2.5f, 0, 0));
    of.max_lod = 0;
    of.mip_filter = SCH_MIP_NEAREST;
    EXPECT(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_LOD, .ddx = {0.25f}), FLOATS(3, 2.5f, 0, 0));
    of.mip_filter = SCH_MIP_NONE;
    EXPECT(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_LOD, .ddx = {0.25f}), FLOATS(0, 2.5f, 0, 0));
}

/* KhronosGroup/WebGL#1621 (ceil for floor). Direct3D 7.18.10: level floor(LOD + 1/2); OpenGL 4.6, 8.14.3, equation
 * 8.15, allows it ("alternative"). So by all rules. */
static void test_ties_of_levels_go_up(void **state)
{
    (void)state;
    static const struct {
        float lod, level;
    } rows[] = {{0x1p-8f, 0},
                {127 / 256.0f, 0},
                {0.5f, 1},
                {129 / 256.0f, 1},
                {1, 1},
                {1 + 1 / 256.0f, 1},
                {1.5f, 2},
                {1 + 127 / 256.0f, 1},
                {2.5f, 3},
                {2 + 129 / 256.0f, 3},
                {3.5f, 4},
                {4.5f, 4},
                {9.0f, 4},
                {-3.0f, 0},
                {-0.5f, 0},
                {4, 4},
                {3 + 129 / 256.0f, 4}};
    const struct sch_view *view = numbered();
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NEAREST);
    for (unsigned rules = SCH_RULES_TGSI; rules <= SCH_RULES_MAXWELL; rules++) {
        of.rules = (enum sch_rules)rules;
        const struct sch_sampler *sampler = sampler_of(of);
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
            EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .lod = rows[i].lod), rows[i].level);
        }
        /* A query tells the level that a lookup takes: a step of 1/4 is LOD 2. */
        of.lod_bias = 0.5f;
        EXPECT(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_LOD, .ddx = {0.25f}), FLOATS(3, 2.5f, 0, 0));
        EXPECT_FIRST(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_SAMPLE, .ddx = {0.25f}), 3);
        of.lod_bias = 0;
    }
}

/* Direct3D 7.18.16: LOD has 8 fractional bits, and snapping near whole numbers is a violation. */
static void test_weights_of_levels_are_not_snapped(void **state)
{
    (void)state;
    static const float value[5] = {0, 0, 256, 0, 0};
    const struct sch_view *view = levels_of(SCH_TARGET_2D, 1, value, NULL);
    const struct sch_sampler *sampler = mips(SCH_MIP_LINEAR);
    static const int steps[] = {0, 1, 2, 127, 128, 254, 255};
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++)
        EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .lod = 1 + (float)steps[i] / 256),
                     (float)steps[i]);
    /* LOD itself is rounded to nearest even: 1.5 / 256 and 2.5 / 256 are 2 / 256. */
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .lod = 1 + 0x1.8p-8f), 2);
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .lod = 1 + 0x1.4p-7f), 2);
}

/* Direct3D 7.18.10: magnification is LOD <= 0, after the clamps. Texels 0 and 8: half of both, or the second. */
static void test_lod_zero_is_magnification(void **state)
{
    (void)state;
    static const float texels[2] = {0, 8};
    const struct sch_view *view = view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_2D, .width = 2), texels, NULL);
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NONE);
    of.mag_filter = SCH_FILTER_LINEAR;
    const struct sch_sampler *free = sampler_of(of);
    EXPECT_FIRST(ASK(view, free, .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = 0), 4);
    EXPECT_FIRST(ASK(view, free, .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = 1 / 256.0f), 8);
    EXPECT_FIRST(ASK(view, free, .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = 1 / 1024.0f), 4);
    EXPECT_FIRST(ASK(view, free, .operation = SCH_LOOKUP_SAMPLE_D, .at = {0.5f}, .ddx = {0.5f}), 4); /* one texel */
    EXPECT_FIRST(ASK(view, free, .operation = SCH_LOOKUP_SAMPLE_D, .at = {0.5f}, .ddx = {0.75f}), 8);
    of.min_lod = 1;
    of.max_lod = 5;
    EXPECT_FIRST(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = -3), 8);
    of.min_lod = -5;
    of.max_lod = 0;
    EXPECT_FIRST(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = 3), 4);
}

/* gpuweb/cts#3940 (cubes with derivatives are skipped). On each face sc / ma = 1/2 or -1/2, and only the major axis
 * moves, by its own size: |ds| = |0 - 1/2| / 2 = 1/4, 4 of 16 texels, LOD 2. A radial step changes nothing: 1/2 -
 * 1/2. */
static void test_cube_gradients_count_the_major_axis(void **state)
{
    (void)state;
    const struct sch_view *view = levels_of(SCH_TARGET_CUBE, 6, level_numbers, NULL);
    const struct sch_sampler *sampler = mips(SCH_MIP_LINEAR);
    for (unsigned face = 0; face < 6; face++) {
        unsigned major = face / 2, minor = (major + 1) % 3;
        struct sch_lookup lookup = {.size = sizeof lookup, .operation = SCH_LOOKUP_LOD};
        lookup.at[major] = face % 2 ? -2.0f : 2.0f;
        lookup.at[minor] = 1;
        lookup.ddx[major] = lookup.at[major];
        EXPECT(look_up(__LINE__, view, sampler, lookup), FLOATS(2, 2, 0, 0));
        lookup.operation = SCH_LOOKUP_SAMPLE_D;
        EXPECT_FIRST(look_up(__LINE__, view, sampler, lookup), 2);
        lookup.operation = SCH_LOOKUP_LOD;
        lookup.ddx[minor] = 1;
        EXPECT(look_up(__LINE__, view, sampler, lookup), FLOATS(0, -128, 0, 0));
    }
}

/* HansKristian-Work/vkd3d-proton#1131: components of a cube's derivatives were dropped. Each axis that lies in the
 * face, in both derivatives: 1/2 of the coordinate is 1/4 of the face, 4 texels, LOD 2. */
static void test_cube_gradients_use_all_components(void **state)
{
    (void)state;
    const struct sch_view *view = levels_of(SCH_TARGET_CUBE, 6, level_numbers, NULL);
    const struct sch_sampler *sampler = mips(SCH_MIP_NEAREST);
    for (unsigned face = 0; face < 6; face++) {
        for (unsigned moving = 0; moving < 3; moving++) {
            if (moving == face / 2) continue;
            struct sch_lookup lookup = {.size = sizeof lookup, .operation = SCH_LOOKUP_SAMPLE_D};
            lookup.at[face / 2] = face % 2 ? -1 : 1;
            lookup.ddx[moving] = 0.5f;
            EXPECT_FIRST(look_up(__LINE__, view, sampler, lookup), 2);
            lookup.ddx[moving] = 0;
            lookup.ddy[moving] = 0.5f;
            EXPECT_FIRST(look_up(__LINE__, view, sampler, lookup), 2);
        }
    }
}

/* KhronosGroup/WebGL#3159, docs/texture.md: steps of 8 and 2 texels: ratio 4, LOD of the minor axis: 1, four taps along
 * the major one at -3/8, -1/8, 1/8, 3/8 of it. Level 1 has texels 0 to 7: u = 1/2 gives 2, 3, 4, 5. The running mean:
 * 2; 2.5; 2.5 and 4 by 1/3; that and 5 by 1/4: 3.5. At most 2: level 2 (texels 20 to 23) at -1/4, 1/4: 21 and 22. */
static void test_anisotropic_taps_lie_along_the_major_axis(void **state)
{
    (void)state;
    float texels[256 + 64 + 16 + 4 + 1];
    for (unsigned i = 0; i < 341; i++) texels[i] = i < 256 ? 1000 : i < 320 ? (float)(i % 8) : 20 + (float)(i % 4);
    const struct sch_view *view =
        view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_2D, .width = 16, .height = 16, .levels = 5), texels, NULL);
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NEAREST);
    of.max_anisotropy = 4;
    const struct sch_sampler *four = sampler_of(of);
    EXPECT_FIRST(
        ASK(view, four, .operation = SCH_LOOKUP_SAMPLE_D, .at = {0.5f, 0.5f}, .ddx = {0.5f}, .ddy = {0, 0.125f}), 3.5f);
    EXPECT_FIRST(ASK(view, four, .operation = SCH_LOOKUP_SAMPLE_L, .at = {0.5f, 0.5f}, .lod = 1), 4);
    of.max_anisotropy = 2;
    EXPECT_FIRST(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_SAMPLE_D, .at = {0.5f, 0.5f}, .ddx = {0.5f},
                     .ddy = {0, 0.125f}),
                 21.5f);
    of.max_anisotropy = 1;
    EXPECT_FIRST(ASK(view, sampler_of(of), .operation = SCH_LOOKUP_SAMPLE_D, .at = {0.5f, 0.5f}, .ddx = {0.5f},
                     .ddy = {0, 0.125f}),
                 20 + 3); /* LOD 3 */
}

/* ---- queries, views, fetches ---- */

/* yuzu-emu/yuzu#1261, #1766; tgsi.rst TXQ: max(1, size >> level), layers are not halved, cube arrays count cubes; a
 * level that is not there has no size. */
static void test_size_of_a_level(void **state)
{
    (void)state;
    static const uint32_t none[TEXELS];
    static const struct {
        struct sch_resource_options shape;
        uint32_t level, want[4];
    } rows[] = {
        {{.target = SCH_TARGET_2D, .width = 13, .height = 7, .levels = 3}, 0, {13, 7, 0, 3}},
        {{.target = SCH_TARGET_2D, .width = 13, .height = 7, .levels = 4}, 3, {1, 1, 0, 4}},
        {{.target = SCH_TARGET_2D, .width = 13, .height = 7, .levels = 3}, 2, {3, 1, 0, 3}},
        {{.target = SCH_TARGET_2D, .width = 13, .height = 7, .levels = 3}, 3, {0, 0, 0, 3}},
        {{.target = SCH_TARGET_2D, .width = 13, .height = 7, .levels = 3}, 0xffffffff, {0, 0, 0, 3}},
        {{.target = SCH_TARGET_3D, .width = 5, .height = 3, .depth = 7, .levels = 2}, 1, {2, 1, 3, 2}},
        {{.target = SCH_TARGET_1D_ARRAY, .width = 8, .layers = 5, .levels = 2}, 1, {4, 5, 0, 2}},
        {{.target = SCH_TARGET_2D_ARRAY, .width = 8, .height = 4, .layers = 5, .levels = 3}, 2, {2, 1, 5, 3}},
        {{.target = SCH_TARGET_CUBE, .width = 8, .height = 8, .layers = 6, .levels = 2}, 1, {4, 4, 0, 2}},
        {{.target = SCH_TARGET_CUBE_ARRAY, .width = 8, .height = 8, .layers = 18, .levels = 2}, 1, {4, 4, 3, 2}},
        {{.target = SCH_TARGET_BUFFER, .width = 77}, 0, {77, 0, 0, 1}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_resource_options shape = rows[i].shape;
        shape.size = sizeof shape;
        EXPECT(ASK(view_of("R8_UNORM", shape, none, NULL), NULL, .operation = SCH_LOOKUP_SIZE, .level = rows[i].level),
               WORDS(rows[i].want[0], rows[i].want[1], rows[i].want[2], rows[i].want[3]));
    }
    EXPECT(ASK(NULL, NULL, .operation = SCH_LOOKUP_SIZE), WORDS(0, 0, 0, 0));
}

/* baldurk/renderdoc#1025 (0 for views without samples), Ryujinx/Ryujinx#5750. Unbound: 0 (Direct3D 7.18). */
static void test_sample_count_of_plain_views_is_one(void **state)
{
    (void)state;
    static const uint32_t none[4];
    EXPECT(ASK(view_of("R8_UNORM", SHAPE(.target = SCH_TARGET_2D), none, NULL), NULL, .operation = SCH_LOOKUP_SAMPLES),
           WORDS(1, 0, 0, 0));
    EXPECT(ASK(view_of("R8_UNORM", SHAPE(.target = SCH_TARGET_2D_MSAA, .samples = 4), none, NULL), NULL,
               .operation = SCH_LOOKUP_SAMPLES),
           WORDS(4, 0, 0, 0));
    EXPECT(ASK(NULL, NULL, .operation = SCH_LOOKUP_SAMPLES), WORDS(0, 0, 0, 0));
}

/* Direct3D 7.18: unbound gives 0 in all four components, alpha too. */
static void test_unbound_views_give_zero(void **state)
{
    (void)state;
    const struct sch_sampler *sampler = linear(SCH_WRAP_REPEAT);
    static const enum sch_lookup_operation lookups[] = {SCH_LOOKUP_SAMPLE, SCH_LOOKUP_SAMPLE_L, SCH_LOOKUP_GATHER,
                                                        SCH_LOOKUP_FETCH, SCH_LOOKUP_LOD};
    for (unsigned i = 0; i < sizeof lookups / sizeof *lookups; i++)
        EXPECT(ASK(NULL, sampler, .operation = lookups[i], .at = {0.5f}), WORDS(0, 0, 0, 0));
}

/* Direct3D 7.19 (ld): unsigned addresses, the offset is added modulo 2^32; outside is 0, by TGSI's rules alpha too. */
static void test_fetch_outside_is_zero(void **state)
{
    (void)state;
    static const uint8_t texels[2 * (4 * 2 + 2)] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};
    const struct sch_view *view =
        view_of("R8_UINT", SHAPE(.target = SCH_TARGET_2D_ARRAY, .width = 4, .height = 2, .levels = 2, .layers = 2),
                texels, NULL);
    static const struct {
        uint32_t texel[3], level;
        int32_t offset[2];
        uint32_t want;
    } rows[] = {
        {{1, 1, 0}, 0, {0, 0}, 60},          {{4, 0, 0}, 0, {0, 0}, 0},          {{0, 2, 0}, 0, {0, 0}, 0},
        {{0, 0, 2}, 0, {0, 0}, 0},           {{0, 0, 0}, 2, {0, 0}, 0},          {{2, 0, 0}, 1, {0, 0}, 0},
        {{3, 1, 0}, 0, {-1, -1}, 30},        {{0, 0, 0}, 0, {-1, 0}, 0},         {{4, 0, 0}, 0, {-1, 0}, 40},
        {{0xffffffff, 0, 0}, 0, {1, 0}, 10}, {{0, 0, 0xffffffff}, 0, {0, 0}, 0}, {{0, 0, 1}, 0, {0, 0}, 90},
        {{0x80000000, 0, 0}, 0, {0, 0}, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_lookup lookup = {.size = sizeof lookup, .operation = SCH_LOOKUP_FETCH, .level = rows[i].level};
        memcpy(lookup.texel, rows[i].texel, sizeof rows[i].texel);
        memcpy(lookup.offset, rows[i].offset, sizeof rows[i].offset);
        EXPECT(look_up(__LINE__, view, NULL, lookup), WORDS(rows[i].want, 0, 0, rows[i].want ? 1 : 0));
    }
}

/* Samples lie behind one another within a layer; one that is not there is outside. */
static void test_fetch_of_samples(void **state)
{
    (void)state;
    static const float texels[2 * 4] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct sch_view *view =
        view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_2D_ARRAY_MSAA, .layers = 2, .samples = 4), texels, NULL);
    EXPECT_FIRST(ASK(view, NULL, .operation = SCH_LOOKUP_FETCH, .texel = {0, 0, 1}, .sample = 2), 7);
    EXPECT_FIRST(ASK(view, NULL, .operation = SCH_LOOKUP_FETCH, .texel = {0, 0, 0}, .sample = 3), 4);
    EXPECT(ASK(view, NULL, .operation = SCH_LOOKUP_FETCH, .texel = {0, 0, 0}, .sample = 4), WORDS(0, 0, 0, 0));
}

/* KhronosGroup/WebGL#1621 (the wrong level): a view's LOD counts from its first level, and its size is the base of rho:
 * a step of 1/2 is two of its four texels, LOD 1. */
static void test_views_count_levels_from_their_first(void **state)
{
    (void)state;
    const struct sch_view_options how = VIEW(.first_level = 2, .level_count = 2);
    const struct sch_view *view = levels_of(SCH_TARGET_2D, 1, level_numbers, &how);
    const struct sch_sampler *sampler = mips(SCH_MIP_NEAREST);
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .lod = 0), 2);
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .lod = 9), 3);
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_D, .ddx = {0.5f}), 3);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_LOD, .ddx = {0.5f}), FLOATS(1, 1, 0, 0));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_SIZE), WORDS(4, 4, 0, 2));
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_SIZE, .level = 2), WORDS(0, 0, 0, 2));
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_FETCH, .level = 1), 3);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_FETCH, .level = 2), WORDS(0, 0, 0, 0));
}

/* A view's layers are clamped to and fetched within its own range. */
static void test_views_count_layers_from_their_first(void **state)
{
    (void)state;
    static const float texels[5] = {0, 1, 2, 3, 4};
    const struct sch_view_options how = VIEW(.first_layer = 1, .layer_count = 2);
    const struct sch_view *view = view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_2D_ARRAY, .layers = 5), texels, &how);
    const struct sch_sampler *sampler = nearest(SCH_WRAP_REPEAT);
    EXPECT_FIRST(ASK(view, sampler, .at = {0, 0, 0}), 1);
    EXPECT_FIRST(ASK(view, sampler, .at = {0, 0, 9}), 2);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_SIZE), WORDS(1, 1, 2, 1));
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_FETCH, .texel = {0, 0, 1}), 2);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_FETCH, .texel = {0, 0, 2}), WORDS(0, 0, 0, 0));
}

/* Direct3D 7.18.10: a view's own minimum comes behind the sampler's clamps, fetches of what it hides are outside, and
 * so is a gather where level 0 is hidden. */
static void test_minimum_lod_of_a_view(void **state)
{
    (void)state;
    struct sch_view_options how = VIEW(.min_lod = 1.5f);
    const struct sch_view *view = levels_of(SCH_TARGET_2D, 1, level_numbers, &how);
    how.min_lod = 0.5f;
    const struct sch_view *half = levels_of(SCH_TARGET_2D, 1, (float[5]){6, 7, 8, 9, 10}, &how);
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_LINEAR);
    of.min_lod = -1;
    of.max_lod = 1;
    const struct sch_sampler *sampler = sampler_of(of);
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .lod = 0), 1.5f);
    EXPECT_FIRST(ASK(half, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .lod = 0), 6.5f);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_FETCH, .level = 0), WORDS(0, 0, 0, 0));
    EXPECT_FIRST(ASK(view, sampler, .operation = SCH_LOOKUP_FETCH, .level = 1), 1);
    EXPECT_FIRST(ASK(half, sampler, .operation = SCH_LOOKUP_FETCH, .level = 0), 6);
    EXPECT(ASK(view, sampler, .operation = SCH_LOOKUP_GATHER), WORDS(0, 0, 0, 0));
    EXPECT(ASK(half, sampler, .operation = SCH_LOOKUP_GATHER), FLOATS(6, 6, 6, 6));
}

/* Direct3D 5.8.5: where a view's minimum is past its last level, a lookup is outside: 0, and the format's defaults in
 * components that it lacks. 2 leaves the last of three levels, 2.01 none: "any value past the least detailed mip". TGSI
 * and Maxwell take the last one. */
static void test_nothing_is_left_of_a_view(void **state)
{
    (void)state;
    static const float texels[21] = {[20] = 7};
    const struct sch_resource_options shape = SHAPE(.target = SCH_TARGET_2D, .width = 4, .height = 4, .levels = 3);
    const struct sch_view_options last = VIEW(.min_lod = 2), none = VIEW(.min_lod = 2.01f);
    const struct sch_view_options turned = VIEW(.min_lod = 2.01f, .swizzle = {3, 0, 5, 1});
    const struct sch_view *left = view_of("R32_FLOAT", shape, texels, &last);
    const struct sch_view *hidden = view_of("R32_FLOAT", shape, texels, &none);
    const struct sch_view *words = view_of("R32_UINT", shape, texels, &turned);
    const struct sch_view *depths = view_of("Z32_FLOAT", shape, texels, &none);
    const struct sch_view_options half = VIEW(.min_lod = 0.5f);
    const struct sch_view *single =
        view_of("R32_FLOAT", SHAPE(.target = SCH_TARGET_2D, .width = 1, .height = 1), &texels[20], &half);
    for (unsigned rules = SCH_RULES_TGSI; rules <= SCH_RULES_MAXWELL; rules++) {
        struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_LINEAR, SCH_MIP_LINEAR);
        of.rules = (enum sch_rules)rules;
        of.compare = SCH_COMPARE_LESS;
        const struct sch_sampler *sampler = sampler_of(of);
        bool d3d = rules == SCH_RULES_D3D;
        EXPECT(ASK(left, sampler, .at = {0.5f}), FLOATS(7, 0, 0, 1));
        EXPECT(ASK(hidden, sampler, .at = {0.5f}), FLOATS(d3d ? 0 : 7, 0, 0, 1));
        EXPECT(ASK(hidden, sampler, .operation = SCH_LOOKUP_SAMPLE_L, .lod = 0), FLOATS(d3d ? 0 : 7, 0, 0, 1));
        const struct sch_lookup lookup = {.size = sizeof lookup, .at = {0.5f}};
        struct explained why;
        assert_int_equal(explain(context, hidden, sampler, &lookup, &why), SCH_OK);
        assert_true((why.info.taps == 0) == d3d && (why.info.texel_count == 0) == d3d);
        EXPECT(ASK(words, sampler, .at = {0.5f}), WORDS(1, d3d ? 0 : bits(7), 1, 0));
        EXPECT_FIRST(ASK(depths, sampler, .compare = true, .reference = 3), !d3d);
        /* Gathers see level 0 alone, and are outside by all rules. */
        EXPECT(ASK(hidden, sampler, .operation = SCH_LOOKUP_GATHER, .component = 3), FLOATS(d3d, d3d, d3d, d3d));
        EXPECT(ASK(words, sampler, .operation = SCH_LOOKUP_GATHER, .component = 2), WORDS(1, 1, 1, 1));
        /* 5.8.6.3: the reference is compared with what is outside; LOD gives 0, and no level can be fetched. */
        EXPECT(ASK(depths, sampler, .operation = SCH_LOOKUP_GATHER, .compare = true, .reference = -1),
               FLOATS(d3d, d3d, d3d, d3d));
        EXPECT(ASK(depths, sampler, .operation = SCH_LOOKUP_GATHER, .compare = true, .reference = 0),
               WORDS(0, 0, 0, 0));
        EXPECT_FIRST(ASK(single, sampler, .operation = SCH_LOOKUP_GATHER), d3d ? 0 : 7);
        EXPECT_FIRST(ASK(hidden, sampler, .operation = SCH_LOOKUP_LOD), d3d ? 0 : 2);
        EXPECT_FIRST(ASK(left, sampler, .operation = SCH_LOOKUP_LOD), 2);
        EXPECT(ASK(hidden, sampler, .operation = SCH_LOOKUP_FETCH, .level = 2), FLOATS(d3d ? 0 : 7, 0, 0, 1));
        EXPECT(ASK(left, sampler, .operation = SCH_LOOKUP_FETCH, .level = 2), FLOATS(7, 0, 0, 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_bias_comes_before_the_clamp),
        TEST(test_minimum_lod_wins_over_maximum_lod),
        TEST(test_bias_counts_for_explicit_lod),
        TEST(test_lod_query_gives_accessed_and_computed),
        TEST(test_ties_of_levels_go_up),
        TEST(test_weights_of_levels_are_not_snapped),
        TEST(test_lod_zero_is_magnification),
        TEST(test_cube_gradients_count_the_major_axis),
        TEST(test_cube_gradients_use_all_components),
        TEST(test_anisotropic_taps_lie_along_the_major_axis),
        TEST(test_size_of_a_level),
        TEST(test_sample_count_of_plain_views_is_one),
        TEST(test_unbound_views_give_zero),
        TEST(test_fetch_outside_is_zero),
        TEST(test_fetch_of_samples),
        TEST(test_views_count_levels_from_their_first),
        TEST(test_views_count_layers_from_their_first),
        TEST(test_minimum_lod_of_a_view),
        TEST(test_nothing_is_left_of_a_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
