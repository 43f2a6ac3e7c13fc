/* Mistakes of the texture units of others, as their users published them, each as a question to ours. What is expected
 * was worked out by hand from the specification (docs/texture.md says which), never by running what is tested. Asks
 * through the public interface only, at every vector width. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

/* ---- resources of one test, given back behind it ---- */

enum { KEPT = 64, TEXELS = 4096 };
static struct sch_context *context;
static struct sch_view *views[KEPT];
static struct sch_sampler *samplers[KEPT];
static unsigned view_count, sampler_count;

static int set_up(void **state)
{
    (void)state;
    view_count = sampler_count = 0;
    return sch_context_create(NULL, &context) == SCH_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < view_count; i++) sch_view_destroy(views[i]);
    for (unsigned i = 0; i < sampler_count; i++) sch_sampler_destroy(samplers[i]);
    sch_context_destroy(context);
    return 0;
}

#define SHAPE(...) ((struct sch_resource_options){.size = sizeof(struct sch_resource_options), __VA_ARGS__})
#define VIEW(...)  ((struct sch_view_options){.size = sizeof(struct sch_view_options), __VA_ARGS__})

/* A view of a resource that `data` fills, in the order of docs/texture.md. */
static const struct sch_view *view_of(const char *format, struct sch_resource_options shape, const void *data,
                                      const struct sch_view_options *how)
{
    struct sch_resource *resource = NULL;
    shape.format = sch_format_by_name(format);
    assert_true(shape.format > 0);
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
    assert_int_equal(sch_resource_write_all(resource, data, sch_resource_bytes(resource)), SCH_OK);
    assert_true(view_count < KEPT);
    assert_int_equal(sch_view_create(resource, how, &views[view_count]), SCH_OK);
    sch_resource_destroy(resource);
    return views[view_count++];
}

/* One level of R32_FLOAT: texel (x, y) of slice or layer z is 100 z + 10 y + x. */
static const struct sch_view *grid(enum sch_texture_target target, uint32_t width, uint32_t height, uint32_t slices)
{
    float texels[TEXELS];
    assert_true(width * height * slices <= TEXELS);
    for (uint32_t i = 0; i < width * height * slices; i++)
        texels[i] = (float)(100 * (i / (width * height)) + 10 * (i / width % height) + i % width);
    bool volume = target == SCH_TEXTURE_3D;
    return view_of("R32_FLOAT",
                   SHAPE(.target = target, .width = width, .height = height, .depth = volume ? slices : 1,
                         .layers = volume ? 1 : slices),
                   texels, NULL);
}

/* 16 x 16 texels of R32_FLOAT in five levels: all of level n are value[n]. */
static const struct sch_view *levels_of(enum sch_texture_target target, uint32_t layers, const float value[5],
                                        const struct sch_view_options *how)
{
    float texels[TEXELS];
    uint32_t at = 0;
    for (uint32_t level = 0; level < 5; level++)
        for (uint32_t i = 0; i < layers << (8 - 2 * level); i++) texels[at++] = value[level];
    assert_true(at <= TEXELS);
    return view_of("R32_FLOAT", SHAPE(.target = target, .width = 16, .height = 16, .layers = layers, .levels = 5),
                   texels, how);
}

static const float level_numbers[5] = {0, 1, 2, 3, 4};
static const struct sch_view *numbered(void) { return levels_of(SCH_TEXTURE_2D, 1, level_numbers, NULL); }

static struct sch_sampler_options options(enum sch_wrap wrap, enum sch_filter filter, enum sch_mip_filter mip)
{
    return (struct sch_sampler_options){.size = sizeof(struct sch_sampler_options),
                                        .wrap_s = wrap,
                                        .wrap_t = wrap,
                                        .wrap_r = wrap,
                                        .min_filter = filter,
                                        .mag_filter = filter,
                                        .mip_filter = mip};
}

static const struct sch_sampler *sampler_of(struct sch_sampler_options of)
{
    assert_true(sampler_count < KEPT);
    assert_int_equal(sch_sampler_create(context, &of, NULL, &samplers[sampler_count]), SCH_OK);
    return samplers[sampler_count++];
}

static const struct sch_sampler *nearest(enum sch_wrap wrap)
{
    return sampler_of(options(wrap, SCH_FILTER_NEAREST, SCH_MIP_NONE));
}

static const struct sch_sampler *linear(enum sch_wrap wrap)
{
    return sampler_of(options(wrap, SCH_FILTER_LINEAR, SCH_MIP_NONE));
}

static const struct sch_sampler *mips(enum sch_mip_filter mip)
{
    return sampler_of(options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, mip));
}

static const struct sch_sampler *comparing(enum sch_compare compare, enum sch_lookup_rules rules)
{
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NONE);
    of.compare = compare;
    of.rules = rules;
    return sampler_of(of);
}

/* ---- questions and expectations ---- */

struct answer {
    uint32_t u[4];
};

static uint32_t bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float from_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* A quotient of whole numbers below 2^26, rounded once: binary64's own rounding cannot come near a tie. */
static float quotient(int64_t n, int64_t d) { return (float)((double)n / (double)d); }

static void check(int line, struct answer have, struct answer want)
{
    for (unsigned c = 0; c < 4; c++) {
        if (have.u[c] == want.u[c]) continue;
        print_error("line %d, component %u: have 0x%08x (%g), want 0x%08x (%g)\n", line, c, have.u[c],
                    (double)from_bits(have.u[c]), want.u[c], (double)from_bits(want.u[c]));
        fail();
    }
}

static struct answer ask(int line, const struct sch_view *view, const struct sch_sampler *sampler,
                         struct sch_question question)
{
    static const uint32_t widths[] = {4, 8, 16};
    struct answer first = {{0}};
    for (unsigned i = 0; i < 3; i++) {
        struct answer here;
        assert_int_equal(sch_ask(view, sampler, &question, 1, widths[i], &here.u), SCH_OK);
        if (i == 0) first = here;
        check(line, here, first);
    }
    return first;
}

#define ASK(view, sampler, ...)                                                                                        \
    ask(__LINE__, (view), (sampler), (struct sch_question){.size = sizeof(struct sch_question), __VA_ARGS__})
#define WORDS(a, b, c, d)     ((struct answer){{(uint32_t)(a), (uint32_t)(b), (uint32_t)(c), (uint32_t)(d)}})
#define FLOATS(a, b, c, d)    WORDS(bits(a), bits(b), bits(c), bits(d))
#define EXPECT(have, want)    check(__LINE__, (have), (want))
#define EXPECT_FIRST(have, x) assert_int_equal((have).u[0], bits(x))
#define BORDER                (-1.0f)

/* ---- gather ---- */

/* Ryujinx#2397 (component order), mesa/mesa "gallivm: fix gather implementation a bit". Direct3D 7.18: x is the lower
 * left, counter-clockwise. Position 4 * 0.5 - 0.5 = 1.5: texels 1 and 2 of both axes. */
static void test_gather_starts_lower_left_and_goes_counterclockwise(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TEXTURE_2D, 4, 4, 1);
    EXPECT(ASK(view, nearest(SCH_WRAP_CLAMP_TO_EDGE), .lookup = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f}),
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
    const struct sch_view *view = grid(SCH_TEXTURE_2D, 4, 4, 1);
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_LINEAR, SCH_MIP_NONE);
        of.wrap_s = rows[r].wrap;
        of.border[0] = BORDER;
        const struct sch_sampler *sampler = sampler_of(of);
        for (unsigned i = 0; i < 4; i++) { /* t = 0: rows 0 and 0 */
            float first = rows[r].pair[i][0], second = rows[r].pair[i][1];
            EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {at[i], 0.0f}),
                   FLOATS(first, second, second, first));
        }
    }
}

/* yuzu-emu/yuzu#10030: positions are 16.8 fixed point, rounded to nearest even (Direct3D 7.18.16.1, 3.2.4.1), so that
 * a position just below 1 is 1. 1 - 2^-9 is 255.5 / 256: the tie goes to 256. */
static void test_gather_rounds_positions_to_256ths(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TEXTURE_2D, 4, 4, 1);
    const struct sch_sampler *sampler = linear(SCH_WRAP_CLAMP_TO_EDGE);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {(1.5f - 0x1p-10f) / 4, 0.0f}), FLOATS(1, 2, 2, 1));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {(1.5f - 0x1p-9f) / 4, 0.0f}), FLOATS(1, 2, 2, 1));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {(1.5f - 0x1p-9f - 0x1p-15f) / 4, 0.0f}),
           FLOATS(0, 1, 1, 0));
    /* Nearest filtering takes the floor of the same rounded number. */
    EXPECT_FIRST(ASK(view, nearest(SCH_WRAP_CLAMP_TO_EDGE), .at = {(1 - 0x1p-9f) / 4, 0.0f}), 1);
    EXPECT_FIRST(ASK(view, nearest(SCH_WRAP_CLAMP_TO_EDGE), .at = {(1 - 0x1p-9f - 0x1p-15f) / 4, 0.0f}), 0);
}

/* gpuweb/gpuweb#4857 (offsets on arrays are broken on several devices). Texels 1, 2 + 1 by 1, 2 - 1; the layer stays.
 */
static void test_gather_offsets_move_texels_not_layers(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TEXTURE_2D_ARRAY, 4, 4, 3);
    const struct sch_sampler *sampler = linear(SCH_WRAP_CLAMP_TO_EDGE);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f, 1.0f}, .offset = {1, -1}),
           FLOATS(112, 113, 103, 102));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f, 1.0f}, .offset = {1, -1, 1}),
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
        view_of("R32_UINT", SHAPE(.target = SCH_TEXTURE_2D, .width = 2, .height = 2), words, NULL);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f}),
           WORDS(0x3f800000, 0xffffffff, 0x7f800001, 0x80000001));
    view = view_of("R8G8_SINT", SHAPE(.target = SCH_TEXTURE_2D, .width = 2, .height = 2), pairs, NULL);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f}, .component = 1),
           WORDS(-3, -128, -2, -1));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f}, .component = 2), WORDS(0, 0, 0, 0));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.5f, 0.5f}, .component = 3), WORDS(1, 1, 1, 1));
}

/* gpuweb/gpuweb#4857 (cubes); Direct3D 7.18.12: beyond an edge stands the neighbouring face's texel.
 * Right of +Z (s = x): +X has s = -z, its column 0, rows alike. Above +Z (t = -y): +Y has t = z, its row 3, columns
 * alike. Right of +Y (s = x, t = z): +X has s = -z, t = -y: its row 0, columns the other way round. Above +Y: -Z has
 * s = -x: its row 0, columns the other way round. 0.9375 is s = 0.96875, position 3.375: texels 3 and 4. */
static void test_gather_crosses_cube_edges(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TEXTURE_CUBE, 4, 4, 6);
    const struct sch_sampler *sampler = linear(SCH_WRAP_REPEAT);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.9375f, 0, 1}), FLOATS(423, 20, 10, 413));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0, 0.9375f, 1}), FLOATS(401, 402, 232, 231));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.9375f, 1, 0}), FLOATS(223, 1, 2, 213));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0, 1, -0.9375f}), FLOATS(201, 202, 501, 502));
}

/* mesa/mesa "gallivm: implement accurate corner behavior for textureGather with cube maps"; Direct3D 7.18.12: at a
 * corner the missing texel is the mean of the other three. +Z (3, 0) = 403, +X (0, 0) = 0, +Y (3, 3) = 233. */
static void test_gather_at_a_cube_corner_is_the_mean(void **state)
{
    (void)state;
    const struct sch_sampler *sampler = linear(SCH_WRAP_REPEAT);
    EXPECT(ASK(grid(SCH_TEXTURE_CUBE, 4, 4, 6), sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.9375f, 0.9375f, 1}),
           FLOATS(403, 0, 212, 233));
    /* One texel a face, so that each place is a corner: (31 + 10 + 20) / 765 rounded once; integers truncate 61 / 3. */
    static const uint8_t codes[6] = {10, 200, 20, 200, 31, 200};
    struct sch_resource_options shape = SHAPE(.target = SCH_TEXTURE_CUBE, .width = 1, .height = 1, .layers = 6);
    EXPECT(
        ASK(view_of("R8_UNORM", shape, codes, NULL), sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.9375f, 0.9375f, 1}),
        FLOATS(quotient(31, 255), quotient(10, 255), quotient(61, 765), quotient(20, 255)));
    EXPECT(
        ASK(view_of("R8_UINT", shape, codes, NULL), sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0.9375f, 0.9375f, 1}),
        WORDS(31, 10, 20, 20));
}

/* Direct3D's gather4_c: the missing texel is synthesised behind the comparison: 0, 1/3, 2/3 or 1, never a comparison
 * with a mean. reference < 403, 0, 233. */
static void test_gather_with_comparison_at_a_cube_corner_counts_thirds(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TEXTURE_CUBE, 4, 4, 6);
    const struct sch_sampler *sampler = comparing(SCH_COMPARE_LESS, SCH_LOOKUP_TGSI);
    static const struct {
        float reference, x, y, z, w;
    } rows[] = {{500, 0, 0, 0, 0}, {300, 1, 0, 0x1.555556p-2f, 0}, {100, 1, 0, 0x1.555556p-1f, 1}, {-1, 1, 1, 1, 1}};
    for (unsigned i = 0; i < 4; i++)
        EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .compare = true, .at = {0.9375f, 0.9375f, 1},
                   .reference = rows[i].reference),
               FLOATS(rows[i].x, rows[i].y, rows[i].z, rows[i].w));
}

/* HansKristian-Work/dxil-spirv#229: the comparison of a gather was lost. The texels are 21, 22, 12, 11. */
static void test_gather_compares(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TEXTURE_2D, 4, 4, 1);
    EXPECT(ASK(view, comparing(SCH_COMPARE_GREATER, SCH_LOOKUP_TGSI), .lookup = SCH_LOOKUP_GATHER, .compare = true,
               .at = {0.5f, 0.5f}, .reference = 20),
           FLOATS(0, 0, 1, 1));
    EXPECT(ASK(view, comparing(SCH_COMPARE_LEQUAL, SCH_LOOKUP_TGSI), .lookup = SCH_LOOKUP_GATHER, .compare = true,
               .at = {0.5f, 0.5f}, .reference = 21),
           FLOATS(1, 1, 0, 0));
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
    const struct sch_view *view = grid(SCH_TEXTURE_1D, 4, 1, 1);
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
        view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_1D, .width = 4, .levels = 3), texels, NULL);
    const struct sch_sampler *sampler = mips(SCH_MIP_NEAREST);
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.125f}, .lod = 1, .offset = {1}), 11);
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.125f}, .lod = 0, .offset = {1}), 1);
}

/* yuzu-emu/yuzu#1496, #1909. The sum is exact: 0.5 less the smallest step is layer 0 (a rounded sum would make it 1).
 * OpenGL: floor(x + 1/2); Direct3D 7.18.5 (and Maxwell): to nearest even. Clamped; a NaN is 0. */
static void test_ties_of_array_layers(void **state)
{
    (void)state;
    static const struct {
        float layer, tgsi, even;
    } rows[] = {{0.5f, 1, 0},  {1.5f, 2, 2},      {2.5f, 3, 2},     {-0.5f, 0, 0}, {0x1.fffffep-2f, 0, 0},
                {99.0f, 3, 3}, {-INFINITY, 0, 0}, {INFINITY, 3, 3}, {NAN, 0, 0}};
    const struct sch_view *lines = grid(SCH_TEXTURE_1D_ARRAY, 1, 1, 4);
    const struct sch_view *images = grid(SCH_TEXTURE_2D_ARRAY, 1, 1, 4);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned rules = SCH_LOOKUP_TGSI; rules <= SCH_LOOKUP_MAXWELL; rules++) {
            const struct sch_sampler *sampler = comparing(SCH_COMPARE_DEFAULT, (enum sch_lookup_rules)rules);
            float want = 100 * (rules == SCH_LOOKUP_TGSI ? rows[i].tgsi : rows[i].even);
            EXPECT_FIRST(ASK(lines, sampler, .at = {0, rows[i].layer}), want);
            EXPECT_FIRST(ASK(images, sampler, .at = {0, 0, rows[i].layer}), want);
        }
    }
}

/* Direct3D 7.18.7: the fourth coordinate picks the cube, by the same rounding; then the face: -Y is 3. */
static void test_ties_of_cube_array_layers(void **state)
{
    (void)state;
    const struct sch_view *view = grid(SCH_TEXTURE_CUBE_ARRAY, 1, 1, 18);
    const struct sch_sampler *tgsi = comparing(SCH_COMPARE_DEFAULT, SCH_LOOKUP_TGSI);
    const struct sch_sampler *d3d = comparing(SCH_COMPARE_DEFAULT, SCH_LOOKUP_D3D);
    EXPECT_FIRST(ASK(view, tgsi, .at = {0, -1, 0, 0.5f}), 900);
    EXPECT_FIRST(ASK(view, d3d, .at = {0, -1, 0, 0.5f}), 300);
    EXPECT_FIRST(ASK(view, tgsi, .at = {0, -1, 0, 7}), 1500);
}

/* yuzu-emu/yuzu#1909: array index and depth reference were swapped. Layers 0.25 and 0.75. */
static void test_layer_and_reference_are_not_swapped(void **state)
{
    (void)state;
    static const float depth[2] = {0.25f, 0.75f};
    const struct sch_view *view =
        view_of("Z32_FLOAT", SHAPE(.target = SCH_TEXTURE_2D_ARRAY, .width = 1, .height = 1, .layers = 2), depth, NULL);
    for (unsigned rules = SCH_LOOKUP_TGSI; rules <= SCH_LOOKUP_MAXWELL; rules++) {
        const struct sch_sampler *sampler = comparing(SCH_COMPARE_LESS, (enum sch_lookup_rules)rules);
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
    const struct sch_view *plain = grid(SCH_TEXTURE_2D, 4, 4, 1), *rect = grid(SCH_TEXTURE_RECT, 4, 4, 1);
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
    const struct sch_view *view = grid(SCH_TEXTURE_3D, 2, 2, 4);
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
    const struct sch_view *view = grid(SCH_TEXTURE_CUBE, 1, 1, 6);
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
    const struct sch_view *view = grid(SCH_TEXTURE_CUBE, 4, 4, 6);
    const struct sch_sampler *sampler = linear(SCH_WRAP_CLAMP_TO_EDGE);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {NAN, 0, 1}), FLOATS(421, 422, 412, 411));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {0, 1, -NAN}), FLOATS(221, 222, 212, 211));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER, .at = {-0.5f, NAN, NAN}), FLOATS(121, 122, 112, 111));
    EXPECT_FIRST(ASK(view, nearest(SCH_WRAP_REPEAT), .at = {NAN, NAN, NAN}), 400);
}

/* ---- level of detail ---- */

/* xemu-project/xemu#767, #2435, doitsujin/dxvk#2779: Direct3D 7.18.10: biases are added, then the sum is clamped. */
static void test_bias_comes_before_the_clamp(void **state)
{
    (void)state;
    const struct sch_view *view = numbered();
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NEAREST);
    of.lod_bias = 2;
    of.max_lod = 1;
    EXPECT_FIRST(ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_SAMPLE_L, .lod = 0), 1);
    of.max_lod = 3;
    EXPECT_FIRST(ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_SAMPLE_L, .lod = -1), 1);
    /* Four texels a step are LOD 2; with both biases 5.5, limited to 3. */
    EXPECT_FIRST(ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_SAMPLE_B, .ddx = {0.25f}, .bias = 1.5f), 3);
    /* The sum is not clamped half way: 2 - 4 + 3. */
    of.lod_bias = -4;
    EXPECT_FIRST(ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_SAMPLE_B, .ddx = {0.25f}, .bias = 3), 1);
    of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_LINEAR);
    of.lod_bias = 1;
    of.min_lod = 2.5f;
    of.max_lod = 9;
    EXPECT_FIRST(ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_SAMPLE_L, .lod = 0), 2.5f);
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
        EXPECT_FIRST(ASK(numbered(), sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .lod = lod), 3);
}

/* doitsujin/dxvk#3435, dolphin-emu/dolphin#10292: the sampler's bias counts for an explicit LOD too. */
static void test_bias_counts_for_explicit_lod(void **state)
{
    (void)state;
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NEAREST);
    of.lod_bias = 1;
    EXPECT_FIRST(ASK(numbered(), sampler_of(of), .lookup = SCH_LOOKUP_SAMPLE_L, .lod = 1), 2);
    EXPECT_FIRST(ASK(numbered(), mips(SCH_MIP_NEAREST), .lookup = SCH_LOOKUP_SAMPLE_L, .lod = NAN), 0);
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
    EXPECT(ASK(view, free, .lookup = SCH_LOOKUP_LOD, .ddx = {0.25f}), FLOATS(2.5f, 2.5f, 0, 0));
    EXPECT(ASK(view, free, .lookup = SCH_LOOKUP_LOD, .ddy = {0, 4}), FLOATS(4, 6.5f, 0, 0));
    EXPECT(ASK(view, free, .lookup = SCH_LOOKUP_LOD, .ddx = {0x1p-6f}), FLOATS(0, -1.5f, 0, 0));
    EXPECT(ASK(view, mips(SCH_MIP_LINEAR), .lookup = SCH_LOOKUP_LOD, .at = {0.5f}), FLOATS(0, -128, 0, 0));
    of.max_lod = 2;
    EXPECT(ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_LOD, .ddx = {0.25f}), FLOATS(2, 2.5f, 0, 0));
    of.max_lod = 0;
    of.mip_filter = SCH_MIP_NEAREST;
    EXPECT(ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_LOD, .ddx = {0.25f}), FLOATS(3, 2.5f, 0, 0));
    of.mip_filter = SCH_MIP_NONE;
    EXPECT(ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_LOD, .ddx = {0.25f}), FLOATS(0, 2.5f, 0, 0));
}

/* KhronosGroup/WebGL#1621 (ceil for floor); Direct3D 7.18.10: level floor(LOD + 1/2). The old OpenGL formula, ceil(LOD
 * + 1/2) - 1, differs at the ties. */
static void test_nearest_level_is_floor_of_lod_and_a_half(void **state)
{
    (void)state;
    static const float rows[][2] = {
        {0x1p-8f, 0}, {127 / 256.0f, 0},     {0.5f, 1}, {1 + 1 / 256.0f, 1}, {1 + 127 / 256.0f, 1},
        {1.5f, 2},    {2 + 129 / 256.0f, 3}, {3.5f, 4}, {9.0f, 4},           {-3.0f, 0}};
    const struct sch_view *view = numbered();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        EXPECT_FIRST(ASK(view, mips(SCH_MIP_NEAREST), .lookup = SCH_LOOKUP_SAMPLE_L, .lod = rows[i][0]), rows[i][1]);
}

/* Direct3D 7.18.16: LOD has 8 fractional bits, and snapping near whole numbers is a violation. */
static void test_weights_of_levels_are_not_snapped(void **state)
{
    (void)state;
    static const float value[5] = {0, 0, 256, 0, 0};
    const struct sch_view *view = levels_of(SCH_TEXTURE_2D, 1, value, NULL);
    const struct sch_sampler *sampler = mips(SCH_MIP_LINEAR);
    static const int steps[] = {0, 1, 2, 127, 128, 254, 255};
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++)
        EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .lod = 1 + (float)steps[i] / 256),
                     (float)steps[i]);
    /* LOD itself is rounded to nearest even: 1.5 / 256 and 2.5 / 256 are 2 / 256. */
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .lod = 1 + 0x1.8p-8f), 2);
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .lod = 1 + 0x1.4p-7f), 2);
}

/* Direct3D 7.18.10: magnification is LOD <= 0, after the clamps. Texels 0 and 8: half of both, or the second. */
static void test_lod_zero_is_magnification(void **state)
{
    (void)state;
    static const float texels[2] = {0, 8};
    const struct sch_view *view = view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_2D, .width = 2), texels, NULL);
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NONE);
    of.mag_filter = SCH_FILTER_LINEAR;
    const struct sch_sampler *free = sampler_of(of);
    EXPECT_FIRST(ASK(view, free, .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = 0), 4);
    EXPECT_FIRST(ASK(view, free, .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = 1 / 256.0f), 8);
    EXPECT_FIRST(ASK(view, free, .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = 1 / 1024.0f), 4);
    EXPECT_FIRST(ASK(view, free, .lookup = SCH_LOOKUP_SAMPLE_D, .at = {0.5f}, .ddx = {0.5f}), 4); /* one texel */
    EXPECT_FIRST(ASK(view, free, .lookup = SCH_LOOKUP_SAMPLE_D, .at = {0.5f}, .ddx = {0.75f}), 8);
    of.min_lod = 1;
    of.max_lod = 5;
    EXPECT_FIRST(ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = -3), 8);
    of.min_lod = -5;
    of.max_lod = 0;
    EXPECT_FIRST(ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = 3), 4);
}

/* gpuweb/cts#3940 (cubes with derivatives are skipped). On each face sc / ma = 1/2 or -1/2, and only the major axis
 * moves, by its own size: |ds| = |0 - 1/2| / 2 = 1/4, 4 of 16 texels, LOD 2. A radial step changes nothing: 1/2 - 1/2.
 */
static void test_cube_gradients_count_the_major_axis(void **state)
{
    (void)state;
    const struct sch_view *view = levels_of(SCH_TEXTURE_CUBE, 6, level_numbers, NULL);
    const struct sch_sampler *sampler = mips(SCH_MIP_LINEAR);
    for (unsigned face = 0; face < 6; face++) {
        unsigned major = face / 2, minor = (major + 1) % 3;
        struct sch_question question = {.size = sizeof question, .lookup = SCH_LOOKUP_LOD};
        question.at[major] = face % 2 ? -2.0f : 2.0f;
        question.at[minor] = 1;
        question.ddx[major] = question.at[major];
        EXPECT(ask(__LINE__, view, sampler, question), FLOATS(2, 2, 0, 0));
        question.lookup = SCH_LOOKUP_SAMPLE_D;
        EXPECT_FIRST(ask(__LINE__, view, sampler, question), 2);
        question.lookup = SCH_LOOKUP_LOD;
        question.ddx[minor] = 1;
        EXPECT(ask(__LINE__, view, sampler, question), FLOATS(0, -128, 0, 0));
    }
}

/* HansKristian-Work/vkd3d-proton#1131: components of a cube's derivatives were dropped. Each axis that lies in the
 * face, in both derivatives: 1/2 of the coordinate is 1/4 of the face, 4 texels, LOD 2. */
static void test_cube_gradients_use_all_components(void **state)
{
    (void)state;
    const struct sch_view *view = levels_of(SCH_TEXTURE_CUBE, 6, level_numbers, NULL);
    const struct sch_sampler *sampler = mips(SCH_MIP_NEAREST);
    for (unsigned face = 0; face < 6; face++) {
        for (unsigned moving = 0; moving < 3; moving++) {
            if (moving == face / 2) continue;
            struct sch_question question = {.size = sizeof question, .lookup = SCH_LOOKUP_SAMPLE_D};
            question.at[face / 2] = face % 2 ? -1 : 1;
            question.ddx[moving] = 0.5f;
            EXPECT_FIRST(ask(__LINE__, view, sampler, question), 2);
            question.ddx[moving] = 0;
            question.ddy[moving] = 0.5f;
            EXPECT_FIRST(ask(__LINE__, view, sampler, question), 2);
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
        view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_2D, .width = 16, .height = 16, .levels = 5), texels, NULL);
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_NEAREST);
    of.max_anisotropy = 4;
    const struct sch_sampler *four = sampler_of(of);
    EXPECT_FIRST(ASK(view, four, .lookup = SCH_LOOKUP_SAMPLE_D, .at = {0.5f, 0.5f}, .ddx = {0.5f}, .ddy = {0, 0.125f}),
                 3.5f);
    EXPECT_FIRST(ASK(view, four, .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.5f, 0.5f}, .lod = 1), 4);
    of.max_anisotropy = 2;
    EXPECT_FIRST(
        ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_SAMPLE_D, .at = {0.5f, 0.5f}, .ddx = {0.5f}, .ddy = {0, 0.125f}),
        21.5f);
    of.max_anisotropy = 1;
    EXPECT_FIRST(
        ASK(view, sampler_of(of), .lookup = SCH_LOOKUP_SAMPLE_D, .at = {0.5f, 0.5f}, .ddx = {0.5f}, .ddy = {0, 0.125f}),
        20 + 3); /* LOD 3 */
}

/* ---- filtering ---- */

/* Direct3D 7.18.16: fixed-point formats keep their precision. Codes 10 and 201, position 77 / 256 (s = 205 / 512):
 * (10 * 179 + 201 * 77) / (255 * 256), rounded once. */
static void test_unorm_filtering_rounds_once(void **state)
{
    (void)state;
    static const uint8_t codes[2] = {10, 201};
    const struct sch_view *view = view_of("R8_UNORM", SHAPE(.target = SCH_TEXTURE_1D, .width = 2), codes, NULL);
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
            view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_2D, .width = 2, .height = 2), square, NULL);
        EXPECT_FIRST(ASK(view, sampler, .at = {0.25f, 0.25f}), 3);
        square[1] = 3; /* the first row is mixed, the second has weight 0 */
        view = view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_2D, .width = 2, .height = 2), square, NULL);
        EXPECT_FIRST(ASK(view, sampler, .at = {0.5f, 0.25f}), 3);
        view = view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_1D, .width = 4, .levels = 3), row, NULL);
        EXPECT_FIRST(ASK(view, trilinear, .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.25f}, .lod = 1), 5);
    }
}

/* Direct3D 7.18.16: the minimum and maximum of the texels whose weight is not zero. */
static void test_minimum_and_maximum_ignore_weight_zero(void **state)
{
    (void)state;
    static const float texels[4] = {5, -7, 11, 0};
    const struct sch_view *view = view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_1D, .width = 4), texels, NULL);
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
    const struct sch_view *view = view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_1D, .width = 7), words, NULL);
    for (unsigned i = 0; i < 7; i++)
        EXPECT(ASK(view, sampler, .at = {((float)i + 0.5f) / 7}), WORDS(words[i], 0, 0, bits(1)));
    /* 16 bits: the smallest denormal is 2^-24, a NaN's payload moves up by 13 bits and stays signalling. */
    static const uint16_t halves[4] = {0x0001, 0x7d01, 0xfe00, 0x83ff};
    static const uint32_t wide[4] = {0x33800000, 0x7fa02000, 0xffc00000, 0xb87fc000};
    view = view_of("R16_FLOAT", SHAPE(.target = SCH_TEXTURE_1D, .width = 4), halves, NULL);
    for (unsigned i = 0; i < 4; i++)
        EXPECT(ASK(view, sampler, .at = {((float)i + 0.5f) / 4}), WORDS(wide[i], 0, 0, bits(1)));
}

/* Integers are never filtered: linear and mip linear take what nearest takes, here texel 1 (position 1.0) of level 1.
 */
static void test_integers_are_not_filtered(void **state)
{
    (void)state;
    static const uint8_t texels[7] = {1, 2, 3, 4, 50, 60, 70};
    const struct sch_view *view =
        view_of("R8_UINT", SHAPE(.target = SCH_TEXTURE_1D, .width = 4, .levels = 3), texels, NULL);
    const struct sch_sampler *sampler = sampler_of(options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_LINEAR, SCH_MIP_LINEAR));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.5f}, .lod = 1.25f), WORDS(60, 0, 0, 1));
}

/* Six faces of n x n, all of face i the value[i]. */
static const struct sch_view *plain_faces(const float value[6])
{
    float texels[6 * 16];
    for (unsigned i = 0; i < 6 * 16; i++) texels[i] = value[i / 16];
    return view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_CUBE, .width = 4, .height = 4, .layers = 6), texels, NULL);
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
    of.cube_faces_apart = true;
    EXPECT_FIRST(ASK(view, sampler_of(of), .at = {0.9375f, 0, 1}), 8);
    of.rules = SCH_LOOKUP_D3D;
    EXPECT_FIRST(ASK(view, sampler_of(of), .at = {0.9375f, 0, 1}), 5);
    of.rules = SCH_LOOKUP_TGSI;
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
        view_of("R8_UNORM", SHAPE(.target = SCH_TEXTURE_CUBE, .width = 4, .height = 4, .layers = 6), codes, NULL);
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
    const struct sch_view *view = view_of("R8G8B8A8_SRGB", SHAPE(.target = SCH_TEXTURE_1D, .width = 2), texels, NULL);
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
        EXPECT(ASK(view_of(rows[i].format, SHAPE(.target = SCH_TEXTURE_1D), texel, NULL), sampler, .at = {-1}),
               FLOATS(rows[i].want[0], rows[i].want[1], rows[i].want[2], rows[i].want[3]));
    of.border[0] = NAN;
    EXPECT_FIRST(ASK(view_of("R8_UNORM", SHAPE(.target = SCH_TEXTURE_1D), texel, NULL), sampler_of(of), .at = {-1}), 0);
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
    struct sch_resource_options shape = SHAPE(.target = SCH_TEXTURE_1D);
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
    const struct sch_resource_options shape = SHAPE(.target = SCH_TEXTURE_2D);
    const struct sch_view_options stencil_of = VIEW(.format = sch_format_by_name("X24S8_UINT"));
    const struct sch_view *depth = view_of("Z24_UNORM_S8_UINT", shape, &texel, NULL);
    const struct sch_view *stencil = view_of("Z24_UNORM_S8_UINT", shape, &texel, &stencil_of);
    const struct sch_sampler *tgsi = comparing(SCH_COMPARE_DEFAULT, SCH_LOOKUP_TGSI);
    const struct sch_sampler *d3d = comparing(SCH_COMPARE_DEFAULT, SCH_LOOKUP_D3D);
    const struct sch_sampler *maxwell = comparing(SCH_COMPARE_DEFAULT, SCH_LOOKUP_MAXWELL);
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
    const struct sch_resource_options shape = SHAPE(.target = SCH_TEXTURE_2D);
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
    const struct sch_resource_options shape = SHAPE(.target = SCH_TEXTURE_2D);
    const struct sch_view *floats = view_of("R32G32B32A32_FLOAT", shape, texel, &how);
    const struct sch_sampler *sampler = comparing(SCH_COMPARE_LESS, SCH_LOOKUP_TGSI);
    EXPECT(ASK(floats, sampler, .at = {0}), FLOATS(7, 0, 1, 2));
    EXPECT(ASK(floats, sampler, .lookup = SCH_LOOKUP_FETCH), FLOATS(7, 0, 1, 2));
    EXPECT(ASK(view_of("R8G8B8A8_UINT", shape, code, &how), sampler, .at = {0}), WORDS(7, 0, 1, 2));
    EXPECT(ASK(floats, sampler, .lookup = SCH_LOOKUP_GATHER, .component = 0), FLOATS(7, 7, 7, 7));
    EXPECT(ASK(floats, sampler, .lookup = SCH_LOOKUP_GATHER, .component = 1), FLOATS(0, 0, 0, 0));
    EXPECT(ASK(floats, sampler, .lookup = SCH_LOOKUP_GATHER, .component = 2), FLOATS(1, 1, 1, 1));
    EXPECT(ASK(view_of("Z32_FLOAT", shape, texel, &shadow), sampler, .compare = true, .at = {0}, .reference = 1),
           FLOATS(0, 1, 1, 1));
    EXPECT(ASK(view_of("Z32_FLOAT", shape, texel, &shadow), sampler, .compare = true, .at = {0}, .reference = 3),
           FLOATS(0, 0, 1, 0));
}

/* ---- comparison ---- */

/* Direct3D 7.18.13: a reference outside [0, 1] is limited to what a UNORM depth can be; a float depth leaves it alone.
 */
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
    const struct sch_resource_options shape = SHAPE(.target = SCH_TEXTURE_2D);
    const struct sch_view *ones = view_of("Z16_UNORM", shape, &one, NULL);
    const struct sch_view *zeros = view_of("Z16_UNORM", shape, &zero, NULL);
    const struct sch_view *floats = view_of("Z32_FLOAT", shape, &far, NULL);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned rules = SCH_LOOKUP_TGSI; rules <= SCH_LOOKUP_MAXWELL; rules++) {
            const struct sch_sampler *sampler = comparing(rows[i].compare, (enum sch_lookup_rules)rules);
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
    const struct sch_view *floats = view_of("Z32_FLOAT", SHAPE(.target = SCH_TEXTURE_2D, .width = 2), depth, NULL);
    const struct sch_view *codes = view_of("Z16_UNORM", SHAPE(.target = SCH_TEXTURE_2D), &zero, NULL);
    for (unsigned f = SCH_COMPARE_NEVER; f <= SCH_COMPARE_ALWAYS; f++) {
        const struct sch_sampler *sampler = comparing((enum sch_compare)f, SCH_LOOKUP_TGSI);
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
    const struct sch_view *codes = view_of("Z16_UNORM", SHAPE(.target = SCH_TEXTURE_2D), &code, NULL);
    const struct sch_view *floats = view_of("Z32_FLOAT", SHAPE(.target = SCH_TEXTURE_2D), &half, NULL);
    for (unsigned rules = SCH_LOOKUP_TGSI; rules <= SCH_LOOKUP_MAXWELL; rules++) {
        enum sch_lookup_rules whose = (enum sch_lookup_rules)rules;
        float rounded = rules != SCH_LOOKUP_TGSI;
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
    const struct sch_view *view = view_of("Z32_FLOAT", SHAPE(.target = SCH_TEXTURE_2D, .width = 2), depth, NULL);
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_LINEAR, SCH_MIP_NONE);
    of.compare = SCH_COMPARE_LESS;
    EXPECT(ASK(view, sampler_of(of), .compare = true, .at = {0.375f}, .reference = 0.25f),
           FLOATS(0.25f, 0.25f, 0.25f, 0.25f));
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
        {{.target = SCH_TEXTURE_2D, .width = 13, .height = 7, .levels = 3}, 0, {13, 7, 0, 3}},
        {{.target = SCH_TEXTURE_2D, .width = 13, .height = 7, .levels = 4}, 3, {1, 1, 0, 4}},
        {{.target = SCH_TEXTURE_2D, .width = 13, .height = 7, .levels = 3}, 2, {3, 1, 0, 3}},
        {{.target = SCH_TEXTURE_2D, .width = 13, .height = 7, .levels = 3}, 3, {0, 0, 0, 3}},
        {{.target = SCH_TEXTURE_2D, .width = 13, .height = 7, .levels = 3}, 0xffffffff, {0, 0, 0, 3}},
        {{.target = SCH_TEXTURE_3D, .width = 5, .height = 3, .depth = 7, .levels = 2}, 1, {2, 1, 3, 2}},
        {{.target = SCH_TEXTURE_1D_ARRAY, .width = 8, .layers = 5, .levels = 2}, 1, {4, 5, 0, 2}},
        {{.target = SCH_TEXTURE_2D_ARRAY, .width = 8, .height = 4, .layers = 5, .levels = 3}, 2, {2, 1, 5, 3}},
        {{.target = SCH_TEXTURE_CUBE, .width = 8, .height = 8, .layers = 6, .levels = 2}, 1, {4, 4, 0, 2}},
        {{.target = SCH_TEXTURE_CUBE_ARRAY, .width = 8, .height = 8, .layers = 18, .levels = 2}, 1, {4, 4, 3, 2}},
        {{.target = SCH_TEXTURE_BUFFER, .width = 77}, 0, {77, 0, 0, 1}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_resource_options shape = rows[i].shape;
        shape.size = sizeof shape;
        EXPECT(ASK(view_of("R8_UNORM", shape, none, NULL), NULL, .lookup = SCH_LOOKUP_SIZE, .level = rows[i].level),
               WORDS(rows[i].want[0], rows[i].want[1], rows[i].want[2], rows[i].want[3]));
    }
    EXPECT(ASK(NULL, NULL, .lookup = SCH_LOOKUP_SIZE), WORDS(0, 0, 0, 0));
}

/* baldurk/renderdoc#1025 (0 for views without samples), Ryujinx/Ryujinx#5750. Unbound: 0 (Direct3D 7.18). */
static void test_sample_count_of_plain_views_is_one(void **state)
{
    (void)state;
    static const uint32_t none[4];
    EXPECT(ASK(view_of("R8_UNORM", SHAPE(.target = SCH_TEXTURE_2D), none, NULL), NULL, .lookup = SCH_LOOKUP_SAMPLES),
           WORDS(1, 0, 0, 0));
    EXPECT(ASK(view_of("R8_UNORM", SHAPE(.target = SCH_TEXTURE_2D_MSAA, .samples = 4), none, NULL), NULL,
               .lookup = SCH_LOOKUP_SAMPLES),
           WORDS(4, 0, 0, 0));
    EXPECT(ASK(NULL, NULL, .lookup = SCH_LOOKUP_SAMPLES), WORDS(0, 0, 0, 0));
}

/* Direct3D 7.18: unbound gives 0 in all four components, alpha too. */
static void test_unbound_views_give_zero(void **state)
{
    (void)state;
    const struct sch_sampler *sampler = linear(SCH_WRAP_REPEAT);
    static const enum sch_lookup lookups[] = {SCH_LOOKUP_SAMPLE, SCH_LOOKUP_SAMPLE_L, SCH_LOOKUP_GATHER,
                                              SCH_LOOKUP_FETCH, SCH_LOOKUP_LOD};
    for (unsigned i = 0; i < sizeof lookups / sizeof *lookups; i++)
        EXPECT(ASK(NULL, sampler, .lookup = lookups[i], .at = {0.5f}), WORDS(0, 0, 0, 0));
}

/* Direct3D 7.19 (ld): unsigned addresses, the offset is added modulo 2^32; outside is 0, by TGSI's rules alpha too. */
static void test_fetch_outside_is_zero(void **state)
{
    (void)state;
    static const uint8_t texels[2 * (4 * 2 + 2)] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};
    const struct sch_view *view =
        view_of("R8_UINT", SHAPE(.target = SCH_TEXTURE_2D_ARRAY, .width = 4, .height = 2, .levels = 2, .layers = 2),
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
        struct sch_question question = {.size = sizeof question, .lookup = SCH_LOOKUP_FETCH, .level = rows[i].level};
        memcpy(question.texel, rows[i].texel, sizeof rows[i].texel);
        memcpy(question.offset, rows[i].offset, sizeof rows[i].offset);
        EXPECT(ask(__LINE__, view, NULL, question), WORDS(rows[i].want, 0, 0, rows[i].want ? 1 : 0));
    }
}

/* Samples lie behind one another within a layer; one that is not there is outside. */
static void test_fetch_of_samples(void **state)
{
    (void)state;
    static const float texels[2 * 4] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct sch_view *view =
        view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_2D_ARRAY_MSAA, .layers = 2, .samples = 4), texels, NULL);
    EXPECT_FIRST(ASK(view, NULL, .lookup = SCH_LOOKUP_FETCH, .texel = {0, 0, 1}, .sample = 2), 7);
    EXPECT_FIRST(ASK(view, NULL, .lookup = SCH_LOOKUP_FETCH, .texel = {0, 0, 0}, .sample = 3), 4);
    EXPECT(ASK(view, NULL, .lookup = SCH_LOOKUP_FETCH, .texel = {0, 0, 0}, .sample = 4), WORDS(0, 0, 0, 0));
}

/* KhronosGroup/WebGL#1621 (the wrong level): a view's LOD counts from its first level, and its size is the base of rho:
 * a step of 1/2 is two of its four texels, LOD 1. */
static void test_views_count_levels_from_their_first(void **state)
{
    (void)state;
    const struct sch_view_options how = VIEW(.first_level = 2, .level_count = 2);
    const struct sch_view *view = levels_of(SCH_TEXTURE_2D, 1, level_numbers, &how);
    const struct sch_sampler *sampler = mips(SCH_MIP_NEAREST);
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .lod = 0), 2);
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .lod = 9), 3);
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_SAMPLE_D, .ddx = {0.5f}), 3);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_LOD, .ddx = {0.5f}), FLOATS(1, 1, 0, 0));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_SIZE), WORDS(4, 4, 0, 2));
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_SIZE, .level = 2), WORDS(0, 0, 0, 2));
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_FETCH, .level = 1), 3);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_FETCH, .level = 2), WORDS(0, 0, 0, 0));
}

/* A view's layers are clamped to and fetched within its own range. */
static void test_views_count_layers_from_their_first(void **state)
{
    (void)state;
    static const float texels[5] = {0, 1, 2, 3, 4};
    const struct sch_view_options how = VIEW(.first_layer = 1, .layer_count = 2);
    const struct sch_view *view =
        view_of("R32_FLOAT", SHAPE(.target = SCH_TEXTURE_2D_ARRAY, .layers = 5), texels, &how);
    const struct sch_sampler *sampler = nearest(SCH_WRAP_REPEAT);
    EXPECT_FIRST(ASK(view, sampler, .at = {0, 0, 0}), 1);
    EXPECT_FIRST(ASK(view, sampler, .at = {0, 0, 9}), 2);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_SIZE), WORDS(1, 1, 2, 1));
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_FETCH, .texel = {0, 0, 1}), 2);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_FETCH, .texel = {0, 0, 2}), WORDS(0, 0, 0, 0));
}

/* Direct3D 7.18.10: a view's own minimum comes behind the sampler's clamps, fetches of what it hides are outside, and
 * so is a gather where level 0 is hidden. */
static void test_minimum_lod_of_a_view(void **state)
{
    (void)state;
    struct sch_view_options how = VIEW(.min_lod = 1.5f);
    const struct sch_view *view = levels_of(SCH_TEXTURE_2D, 1, level_numbers, &how);
    how.min_lod = 0.5f;
    const struct sch_view *half = levels_of(SCH_TEXTURE_2D, 1, (float[5]){6, 7, 8, 9, 10}, &how);
    struct sch_sampler_options of = options(SCH_WRAP_CLAMP_TO_EDGE, SCH_FILTER_NEAREST, SCH_MIP_LINEAR);
    of.min_lod = -1;
    of.max_lod = 1;
    const struct sch_sampler *sampler = sampler_of(of);
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .lod = 0), 1.5f);
    EXPECT_FIRST(ASK(half, sampler, .lookup = SCH_LOOKUP_SAMPLE_L, .lod = 0), 6.5f);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_FETCH, .level = 0), WORDS(0, 0, 0, 0));
    EXPECT_FIRST(ASK(view, sampler, .lookup = SCH_LOOKUP_FETCH, .level = 1), 1);
    EXPECT_FIRST(ASK(half, sampler, .lookup = SCH_LOOKUP_FETCH, .level = 0), 6);
    EXPECT(ASK(view, sampler, .lookup = SCH_LOOKUP_GATHER), WORDS(0, 0, 0, 0));
    EXPECT(ASK(half, sampler, .lookup = SCH_LOOKUP_GATHER), FLOATS(6, 6, 6, 6));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

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
        TEST(test_offsets_come_before_wrapping),
        TEST(test_offsets_count_texels_of_the_level),
        TEST(test_ties_of_array_layers),
        TEST(test_ties_of_cube_array_layers),
        TEST(test_layer_and_reference_are_not_swapped),
        TEST(test_coordinates_in_texels),
        TEST(test_third_wrap_mode_is_of_depth),
        TEST(test_cube_face_of_equal_components),
        TEST(test_cube_directions_with_nan),
        TEST(test_bias_comes_before_the_clamp),
        TEST(test_minimum_lod_wins_over_maximum_lod),
        TEST(test_bias_counts_for_explicit_lod),
        TEST(test_lod_query_gives_accessed_and_computed),
        TEST(test_nearest_level_is_floor_of_lod_and_a_half),
        TEST(test_weights_of_levels_are_not_snapped),
        TEST(test_lod_zero_is_magnification),
        TEST(test_cube_gradients_count_the_major_axis),
        TEST(test_cube_gradients_use_all_components),
        TEST(test_anisotropic_taps_lie_along_the_major_axis),
        TEST(test_unorm_filtering_rounds_once),
        TEST(test_texels_of_weight_zero_do_not_leak),
        TEST(test_minimum_and_maximum_ignore_weight_zero),
        TEST(test_nearest_moves_bits),
        TEST(test_integers_are_not_filtered),
        TEST(test_seamless_cubes_and_faces_apart),
        TEST(test_linear_at_a_cube_corner_shares_in_thirds),
        TEST(test_srgb_is_decoded_before_filtering),
        TEST(test_border_colour_is_the_formats),
        TEST(test_border_colour_of_integers),
        TEST(test_depth_and_stencil_views),
        TEST(test_x_channels_read_one),
        TEST(test_swizzles_to_zero_and_one),
        TEST(test_unorm_depth_limits_the_reference),
        TEST(test_nan_reference_with_each_function),
        TEST(test_reference_stands_left_and_is_rounded_by_d3d),
        TEST(test_comparisons_are_filtered),
        TEST(test_size_of_a_level),
        TEST(test_sample_count_of_plain_views_is_one),
        TEST(test_unbound_views_give_zero),
        TEST(test_fetch_outside_is_zero),
        TEST(test_fetch_of_samples),
        TEST(test_views_count_levels_from_their_first),
        TEST(test_views_count_layers_from_their_first),
        TEST(test_minimum_lod_of_a_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
