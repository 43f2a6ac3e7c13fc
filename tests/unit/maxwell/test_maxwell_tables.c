/* The tables and worked examples of the instruction pages TMML, TLDS and TXQ (SPA 5.0), row by row, executed. Each test
 * names the table that it holds. Expected values are worked out by hand from the page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/errors.h"
#include "maxwell_world.h"

static const unsigned widths[] = {4, 8, 16};

static void fresh(struct world *world, unsigned width, uint64_t seed)
{
    world->options.lanes = width;
    world_remake(world);
    fill_group(&world->warp, seed);
}

/* ---- TLDS ---- */

/* [TLDS] "Legal modifier table": encoding, paramA, .lod, .AOFFI, .MS, Ra, Rb. Texel (3, 2), 3-D slice 5, layer 4, level
 * 1, sample 3; the offset is (1, -2) from (2, 4). */
static void tlds_encodings(void **state)
{
    struct world *world = *state;
    static const struct {
        unsigned encoding, texture;
        const char *text;
        uint32_t ra[2], rb[2]; /* R20, R21; R30, R31 */
        unsigned level, x, y, z;
    } rows[] = {
        {0, WORLD_1D, "TLDS.LZ RZ, R8, R20, 0x1, 1D, R;", {3, 0}, {0, 0}, 0, 3, 0, 0},
        {1, WORLD_1D, "TLDS.LL RZ, R8, R20, R30, 0x1, 1D, R;", {3, 0}, {1, 0}, 1, 3, 0, 0},
        {2, WORLD_2D, "TLDS.LZ RZ, R8, R20, R30, 0x2, 2D, R;", {3, 0}, {2, 0}, 0, 3, 2, 0},
        {4, WORLD_2D, "TLDS.LZ.AOFFI RZ, R8, R20, R30, 0x2, 2D, R;", {2, 4}, {0xe1, 0}, 0, 3, 2, 0},
        {5, WORLD_2D, "TLDS.LL RZ, R8, R20, R30, 0x2, 2D, R;", {3, 2}, {1, 0}, 1, 3, 2, 0},
        {6, WORLD_2D_MS, "TLDS.LZ.MS RZ, R8, R20, R30, 0x9, 2D, R;", {3, 2}, {3, 0}, 0, 3, 2, 3},
        {7, WORLD_3D, "TLDS.LZ RZ, R8, R20, R30, 0x3, 3D, R;", {3, 2}, {5, 0}, 0, 3, 2, 5},
        {8, WORLD_2D_ARRAY, "TLDS.LZ RZ, R8, R20, R30, 0x6, ARRAY_2D, R;", {4, 0}, {3, 2}, 0, 3, 2, 4},
        {12, WORLD_2D, "TLDS.LL.AOFFI RZ, R8, R20, R30, 0x2, 2D, R;", {2, 4}, {1, 0xe1}, 1, 3, 2, 0},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        assert_int_equal(world_parse(rows[n].text).form_code, rows[n].encoding);
        for (unsigned w = 0; w < 3; w++) {
            fresh(world, widths[w], n + 1);
            for (unsigned i = 0; i < 2; i++) {
                if (rows[n].ra[i] || i == 0) set_word(world, 20 + i, rows[n].ra[i]);
                if (rows[n].rb[i] || i == 0) set_word(world, 30 + i, rows[n].rb[i]);
            }
            world_run(world, rows[n].text);
            expect_word(
                world, 8,
                world_texel((enum world_texture)rows[n].texture, rows[n].level, rows[n].x, rows[n].y, rows[n].z, 0));
        }
    }
}

struct mask_row {
    const char *rd1, *mask;
    unsigned code;
    const char *rd0_holds, *rd1_holds; /* a letter for each register, or of halves two */
};

/* The group afterwards: R8, R9 and R12, R13 hold what the row says, everything else is as before. */
static void check_mask(struct world *world, const struct mask_row *row, bool half, unsigned width)
{
    char text[96];
    snprintf(text, sizeof text, "TLDS%s.LZ %s, R8, R20, R30, 0x2, 2D, %s;", half ? ".F16" : "", row->rd1, row->mask);
    assert_int_equal(world_parse(text).mask_code, row->code);
    fresh(world, width, 77);
    set_word(world, 20, 5);
    set_word(world, 30, 0);
    struct sch_maxwell_warp expected = world->warp;
    static const char letters[] = "RGBA";
    for (unsigned r = 0; r < 2; r++) {
        const char *holds = r ? row->rd1_holds : row->rd0_holds;
        for (unsigned n = 0; holds[n]; n++) {
            unsigned component = (unsigned)(strchr(letters, holds[n]) - letters);
            uint32_t word = world_texel(WORLD_2D, 0, 5, 0, 0, component);
            for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
                uint32_t *to = &expected.registers[r ? 12 : 8].u[i];
                if (!half)
                    expected.registers[(r ? 12 : 8) + n].u[i] = word;
                else
                    *to = n ? *to | half_word(word, false) << 16 : half_word(word, false);
            }
        }
    }
    world_run(world, text);
    if (memcmp(&world->warp, &expected, sizeof expected) != 0) fail_msg("%s", text);
}

/* [TLDS] "Legal modifier table for Rd1,Rd0,wmsk for 32 bit return data". */
static void tlds_masks(void **state)
{
    static const struct mask_row rows[] = {
        {"RZ", "R", 0, "R", ""},        {"RZ", "G", 1, "G", ""},      {"RZ", "B", 2, "B", ""},
        {"RZ", "A", 3, "A", ""},        {"RZ", "RG", 4, "RG", ""},    {"RZ", "RA", 5, "RA", ""},
        {"RZ", "GA", 6, "GA", ""},      {"RZ", "BA", 7, "BA", ""},    {"R12", "RGB", 0, "RG", "B"},
        {"R12", "RGA", 1, "RG", "A"},   {"R12", "RBA", 2, "RB", "A"}, {"R12", "GBA", 3, "GB", "A"},
        {"R12", "RGBA", 4, "RG", "BA"},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned w = 0; w < 3; w++) check_mask(*state, &rows[n], false, widths[w]);
}

/* [TLDS] "Legal modifier table for Rd1,Rd0,wmsk for packed FP16 return data". Halves of one register; a single one has
 * 0 above it. */
static void tlds_masks_of_halves(void **state)
{
    static const struct mask_row rows[] = {
        {"RZ", "R", 0, "R", ""},        {"RZ", "G", 1, "G", ""},      {"RZ", "B", 2, "B", ""},
        {"RZ", "A", 3, "A", ""},        {"RZ", "RG", 4, "RG", ""},    {"RZ", "RA", 5, "RA", ""},
        {"RZ", "GA", 6, "GA", ""},      {"RZ", "BA", 7, "BA", ""},    {"R12", "RGB", 0, "RG", "B"},
        {"R12", "RGA", 1, "RG", "A"},   {"R12", "RBA", 2, "RB", "A"}, {"R12", "GBA", 3, "GB", "A"},
        {"R12", "RGBA", 4, "RG", "BA"},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned w = 0; w < 3; w++) check_mask(*state, &rows[n], true, widths[w]);
}

/* "Rounding mode is controlled by a PRI": 2049 lies between 2048 and 2050, 65519 and 65520 round to 65504 and
 * infinity. */
static void tlds_half_rounding(void **state)
{
    struct world *world = *state;
    static const struct {
        float value;
        uint32_t nearest, zero;
    } rows[] = {{2049, 0x6800, 0x6800},    {2051, 0x6802, 0x6801},
                {-2051, 0xe802, 0xe801},   {65519, 0x7bff, 0x7bff},
                {65520, 0x7c00, 0x7bff},   {0x1p-24f, 1, 1},
                {0x1.8p-24f, 2, 1},        {0x1p-25f, 0, 0},
                {-0.0f, 0x8000, 0x8000},   {0x1.ffffp-15f, 0x0400, 0x03ff},
                {1.0f / 3, 0x3555, 0x3555}};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned zero = 0; zero < 2; zero++) {
            world->options.half_rounding = zero ? SCH_MAXWELL_HALF_ZERO : SCH_MAXWELL_HALF_NEAREST;
            fresh(world, 0, n);
            memcpy(world->memory[WORLD_OTHER], &rows[n].value, 4);
            set_word(world, 20, 0);
            world_run(world, "TLDS.F16.LZ RZ, R8, R20, RZ, 0xd, 2D, R;");
            expect_word(world, 8, zero ? rows[n].zero : rows[n].nearest);
        }
}

/* [TLDS] "Examples": the comments say which registers are read and written. Other registers may hold anything. */
static void tlds_examples(void **state)
{
    struct world *world = *state;
    world->constants[7] = WORLD_2D;
    world->constants[0] = WORLD_2D_MS;
    for (unsigned seed = 1; seed < 9; seed++) {
        fresh(world, 0, seed);
        set_word(world, 9, 6);
        set_word(world, 11, 1);
        struct sch_maxwell_warp expected = world->warp;
        static const uint8_t written[4] = {4, 5, 0, 1}; /* R0, R1: Rd1; R4, R5: Rd0 */
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
                expected.registers[written[c]].u[i] = world_texel(WORLD_2D, 0, 6, 1, 0, c);
        world_run(world, "TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;");
        assert_memory_equal(&world->warp, &expected, sizeof expected);

        fresh(world, 0, seed);
        set_word(world, 6, 2);
        set_word(world, 7, 3);
        set_word(world, 11, 1);
        expected = world->warp;
        for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
            expected.registers[9].u[i] = world_texel(WORLD_2D_MS, 0, 2, 3, 1, 0);
        world_run(world, "TLDS.LZ.MS RZ, R9, R6, R11, 0x0, 2D, R;");
        assert_memory_equal(&world->warp, &expected, sizeof expected);
    }
}

/* [TLDS] "Texture Header State Overrides": filters, anisotropy, border colour, comparison and the header's options
 * change nothing. */
static void tlds_overrides(void **state)
{
    struct world *world = *state;
    for (unsigned sampler = 0; sampler <= NO_SAMPLER; sampler++)
        for (unsigned options = 0; options < 2; options++) {
            world->constants[20] = sampler << 20 | WORLD_2D;
            world->textures[WORLD_2D].use_header_options = options;
            world->textures[WORLD_2D].max_anisotropy = 16;
            world->textures[WORLD_2D].lod_bias = 2;
            fresh(world, 0, sampler);
            set_word(world, 20, 7);
            set_word(world, 30, 3);
            set_word(world, 31, 16); /* outside: no border colour */
            world_run(world, "TLDS.LZ R12, R8, R20, R30, 0x14, 2D, RGBA;");
            expect_word(world, 8, world_texel(WORLD_2D, 0, 7, 3, 0, 0));
            expect_word(world, 13, world_texel(WORLD_2D, 0, 7, 3, 0, 3));
            world_run(world, "TLDS.LZ R12, R8, R20, R31, 0x14, 2D, RGBA;");
            expect_word(world, 8, 0);
            expect_word(world, 13, 0);
        }
}

/* "LOD Level 0 actually selects the level set by textureHeader.resViewMinMapLevel." */
static void level_0_is_the_views(void **state)
{
    struct world *world = *state;
    struct sch_maxwell_texture *t = &world->textures[WORLD_2D];
    t->view_min_level = 2;
    t->texture.levels = 3;
    memmove(&t->texture.level[0], &t->texture.level[2], 3 * sizeof t->texture.level[0]);
    fresh(world, 0, 1);
    set_word(world, 20, 1);
    set_word(world, 30, 0);
    set_float(world, 40, 0.375f); /* texel 1 of 4 */
    set_float(world, 41, 0.25f);
    world_run(world, "TLDS.LZ RZ, R8, R20, R30, 0x2, 2D, R;");
    expect_word(world, 8, world_texel(WORLD_2D, 2, 1, 0, 0, 0));
    world_run(world, "TEX.LZ R8, R40, 0x2, 2D, 0x1;");
    expect_word(world, 8, world_texel(WORLD_2D, 2, 1, 0, 0, 0));
    set_word(world, 10, 0);
    world_run(world, "TXQ R8, R10, TEX_HEADER_DIMENSION, 0x2, 0xf;");
    expect_word(world, 8, 4);
    expect_word(world, 9, 2);
    expect_word(world, 11, 3);
}

/* ---- TXQ ---- */

/* [TXQ] "TXQ return value table": nine types, every level and one more; and the footnote. */
static void txq_dimensions(void **state)
{
    struct world *world = *state;
    enum { W, H, D, LENGTH, LEVELS, ZERO, ONE, FOOT_ONE, FOOT_DEPTH };
    static const struct {
        uint8_t type, row[4];
    } rows[] = {
        {SCH_MAXWELL_ONE_D, {W, ZERO, ZERO, LEVELS}},
        {SCH_MAXWELL_TWO_D, {W, H, FOOT_ONE, LEVELS}},
        {SCH_MAXWELL_THREE_D, {W, H, D, LEVELS}},
        {SCH_MAXWELL_CUBEMAP, {W, H, ZERO, LEVELS}},
        {SCH_MAXWELL_ONE_D_ARRAY, {W, LENGTH, ZERO, LEVELS}},
        {SCH_MAXWELL_TWO_D_ARRAY, {W, H, LENGTH, LEVELS}},
        {SCH_MAXWELL_ONE_D_BUFFER, {W, ZERO, ZERO, ONE}},
        {SCH_MAXWELL_TWO_D_NO_MIPMAP, {W, H, FOOT_DEPTH, ONE}},
        {SCH_MAXWELL_CUBEMAP_ARRAY, {W, H, LENGTH, LEVELS}},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned level = 0; level < 10; level++)
            for (unsigned samples = 1; samples <= 4; samples *= 4) {
                struct sch_maxwell_texture *t = &world->textures[WORLD_NONE];
                t->type = rows[n].type;
                t->width = 200, t->height = 60, t->depth = 9;
                t->view_max_level = 7;
                t->samples = (uint8_t)samples;
                fresh(world, 0, n);
                set_word(world, 8, level < 9 ? level : 0xffffffffu);
                world_run(world, "TXQ R4, R8, TEX_HEADER_DIMENSION, 0x0, 0xf;");
                bool one = samples > 1 || rows[n].row[3] == ONE;
                unsigned at = one ? 0 : level, there = at < 8;
                uint32_t shrunk[3] = {200u >> at, at < 6 ? 60u >> at : 1, at < 4 ? 9u >> at : 1};
                for (unsigned c = 0; c < 4; c++) {
                    const uint32_t value[] = {[W] = there ? shrunk[0] : 0,
                                              [H] = there ? shrunk[1] : 0,
                                              [D] = there ? shrunk[2] : 0,
                                              [LENGTH] = there ? 9 : 0,
                                              [LEVELS] = 8,
                                              [ZERO] = 0,
                                              [ONE] = 1,
                                              [FOOT_ONE] = samples > 1,
                                              [FOOT_DEPTH] = samples > 1 ? 9 : 0};
                    expect_word(world, 4 + c, value[rows[n].row[c]]);
                }
            }
}

/* [TXQ] TEX_HEADER_TEXTURE_TYPE: (0, 0, ms count, 0), no input register. */
static void txq_texture_type(void **state)
{
    struct world *world = *state;
    world_run(world, "TXQ R4, RZ, TEX_HEADER_TEXTURE_TYPE, 0x9, 0xf;");
    for (unsigned c = 0; c < 4; c++) expect_word(world, 4 + c, c == 2 ? 4 : 0);
    world_run(world, "TXQ R4, RZ, TEX_HEADER_TEXTURE_TYPE, 0x2, 0xf;");
    for (unsigned c = 0; c < 4; c++) expect_word(world, 4 + c, c == 2 ? 1 : 0);
}

/* [TXQ] TEX_HEADER_SAMPLER_POS: {4.12,4.12} from the pixel's centre: (p / 16 - 1/2) * 4096, y in the upper half. */
static void txq_sample_positions(void **state)
{
    struct world *world = *state;
    static const struct {
        uint8_t mode, samples, at[16][2]; /* in sixteenths of a pixel */
    } rows[] = {
        {0, 1, {{8, 8}}},
        {1, 2, {{4, 4}, {12, 12}}},
        {2, 4, {{6, 2}, {14, 6}, {2, 10}, {10, 14}}},
        {3, 8, {{1, 7}, {5, 3}, {3, 13}, {7, 11}, {9, 5}, {15, 1}, {11, 15}, {13, 9}}},
        {4, 8, {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}}},
        {5, 2, {{12, 12}, {4, 4}}},
        {6,
         16,
         {{9, 9},
          {7, 5},
          {5, 10},
          {12, 7},
          {3, 6},
          {10, 13},
          {13, 11},
          {11, 3},
          {6, 14},
          {8, 1},
          {4, 2},
          {2, 12},
          {0, 8},
          {15, 4},
          {14, 15},
          {1, 0}}},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned sample = 0; sample < 18; sample++) {
            world->textures[WORLD_2D_MS].sample_mode = rows[n].mode;
            world->textures[WORLD_2D_MS].samples = rows[n].samples;
            fresh(world, 0, n);
            set_word(world, 8, sample < 17 ? sample : 0x80000000u);
            world_run(world, "TXQ R4, R8, TEX_HEADER_SAMPLER_POS, 0x9, 0xf;");
            uint32_t x = 0, y = 0;
            if (sample < rows[n].samples) {
                x = (uint32_t)((rows[n].at[sample][0] - 8) * 4096 / 16) & 0xffff;
                y = (uint32_t)((rows[n].at[sample][1] - 8) * 4096 / 16) & 0xffff;
            }
            expect_word(world, 4, y << 16 | x);
            for (unsigned c = 1; c < 4; c++) expect_word(world, 4 + c, 0);
        }
}

/* [TXQ] "Texture parameter packing in Ra": "If a parameter is not specified, then the rest are compacted upwards". */
static void txq_packing(void **state)
{
    struct world *world = *state;
    fresh(world, 0, 3);
    set_word(world, 8, WORLD_2D);
    set_word(world, 9, 2);
    world_run(world, "TXQ.B R4, R8, TEX_HEADER_DIMENSION, 0x0, 0x3;");
    expect_word(world, 4, 4);
    expect_word(world, 5, 2);
    world_run(world, "TXQ R4, R9, TEX_HEADER_DIMENSION, 0x2, 0x3;");
    expect_word(world, 4, 4);
    set_word(world, 8, WORLD_2D_MS);
    world_run(world, "TXQ.B R4, R8, TEX_HEADER_TEXTURE_TYPE, 0x0, 0x4;");
    expect_word(world, 4, 4);
}

/* [TXQ] "Examples": TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf. */
static void txq_example(void **state)
{
    struct world *world = *state;
    world->constants[0] = WORLD_3D;
    fresh(world, 0, 5);
    set_word(world, 6, 1);
    struct sch_maxwell_warp expected = world->warp;
    static const uint32_t answer[4] = {4, 2, 8, 5};
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) expected.registers[c].u[i] = answer[c];
    world_run(world, "TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf;");
    assert_memory_equal(&world->warp, &expected, sizeof expected);
}

/* "Any header pointer greater than one specified in SetTexHeaderPoolC.MaximumIndex will be regarded as an "invalid"
 * texture", and so with the sampler's; [TLDS] looks at the header's alone. */
static void maximum_indices(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *text;
        bool needs_sampler;
    } rows[] = {{"TXQ R4, R8, TEX_HEADER_DIMENSION, 0x14, 0x1;", true},
                {"TXQ R4, R8, TEX_HEADER_TEXTURE_TYPE, 0x14, 0x4;", true},
                {"TEX.LZ R4, R8, 0x14, 2D, 0x1;", true},
                {"TMML.LOD R4, R8, 0x14, 2D, 0x1;", true},
                {"TLDS.LZ RZ, R4, R8, RZ, 0x14, 2D, R;", false},
                {"TLD.LZ R4, R8, 0x14, 2D, 0x1;", false}};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned header = 0; header < 2; header++)
            for (unsigned sampler = 0; sampler < 2; sampler++)
                for (unsigned via = 0; via < 2; via++) {
                    world->constants[20] = sampler << 20 | (WORLD_2D + header);
                    world->textures[WORLD_2D + 1] = world->textures[WORLD_2D];
                    world->options.maximum_header = WORLD_2D;
                    world->options.maximum_sampler = via ? WORLD_2D : 0;
                    world->options.via_header_binding = via;
                    fresh(world, 0, n);
                    set_word(world, 8, 0);
                    set_word(world, 9, 0);
                    world_run(world, rows[n].text);
                    bool valid = !header && (via || !sampler || !rows[n].needs_sampler);
                    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
                        assert_int_equal(world->warp.registers[4].u[i] != 0, valid);
                }
    world->options.no_headers = true;
    fresh(world, 0, 1);
    world->constants[20] = 0;
    world_run(world, "TXQ R4, R8, TEX_HEADER_TEXTURE_TYPE, 0x14, 0x4;");
    expect_word(world, 4, 0);
}

/* ---- TMML ---- */

/* A quad's coordinates: `at` and steps to the right and down, all lanes' quads alike. */
static void set_quads(struct world *world, unsigned number, float at, float right, float down)
{
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
        world->warp.registers[number].u[i] = word_of(at + (i & 1 ? right : 0) + (i & 2 ? down : 0));
}

/* [TMML] #paramA: which texture types match ("zeroes will be returned. The array specifiers can be freely used") and
 * which register holds what. s moves 4 texels a pixel to the right of 16: LOD 2. */
static void tmml_parameters(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *parameter;
        unsigned dimensions, s; /* register of s behind Ra */
    } rows[] = {{"1D", 1, 0},       {"2D", 2, 0},       {"3D", 3, 0},       {"CUBE", 4, 0},
                {"ARRAY_1D", 1, 1}, {"ARRAY_2D", 2, 1}, {"ARRAY_3D", 3, 1}, {"ARRAY_CUBE", 4, 1}};
    static const uint8_t dimensions[WORLD_TEXTURES] = {
        [WORLD_1D] = 1,       [WORLD_2D] = 2,       [WORLD_3D] = 3,        [WORLD_CUBE] = 4,
        [WORLD_1D_ARRAY] = 1, [WORLD_2D_ARRAY] = 2, [WORLD_CUBE_ARRAY] = 4};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned texture = WORLD_1D; texture < WORLD_DEPTH; texture++) {
            char text[64];
            snprintf(text, sizeof text, "TMML.LOD R4, R8, 0x%x, %s, 0xf;", texture, rows[n].parameter);
            fresh(world, widths[texture % 3], n);
            for (unsigned r = 8; r < 12; r++) set_float(world, r, 0);
            if (rows[n].s) set_word(world, 8, 0xabcd0001u); /* bits above 15 are not the layer's */
            unsigned s = 8 + rows[n].s;
            float step = 4 / (float)world->textures[texture].width;
            set_quads(world, s, 0, rows[n].dimensions == 4 ? 2 * step : step, 0);
            if (rows[n].dimensions == 4) set_float(world, s + 2, 1); /* +Z: s is half a unit of x */
            world_run(world, text);
            bool matches = dimensions[texture] == rows[n].dimensions;
            expect_word(world, 4, matches ? 0x200 : 0);
            expect_word(world, 5, matches ? 0x200 : 0);
            bool two_axes = rows[n].dimensions == 2 || rows[n].dimensions == 4;
            expect_word(world, 6, matches && two_axes ? 0x40 : 0);
            expect_word(world, 7, matches && two_axes ? 0x8000 : 0); /* no area: -8 */
        }
}

/* [TMML] "Returned data": formats, signs, clamps and zeroes above them. 2-D, 16 by 8 texels. */
static void tmml_results(void **state)
{
    struct world *world = *state;
    static const struct {
        float s_right, s_down, t_right, t_down; /* texels */
        float bias, min, max;
        uint32_t r, g, b, a;
    } rows[] = {
        {1, 0, 0, 1, 0, 0, 1000, 0x0000, 0x0000, 0x0040, 0x0000},
        {4, 0, 0, 1, 0, 0, 1000, 0x0200, 0x0200, 0x0040, 0xe000},         /* log2(1/4) = -2 */
        {0, 1, 4, 0, 0, 0, 1000, 0x0200, 0x0200, 0x4000, 0xe000},         /* along v */
        {-4, 0, 0, 1, 0, 0, 1000, 0x0200, 0x0200, 0x00c0, 0xe000},        /* u = -1 */
        {0, 3, 0, 4, 0, 0, 1000, 0x0252, 0x0252, 0x3326, 0x8000},         /* (0.6, 0.8) * 64 = 38.4, 51.2 */
        {0.25f, 0, 0, 0.25f, 0, 0, 1000, 0xfe00, 0x0000, 0x0040, 0x0000}, /* -2: high bits zero */
        {0.25f, 0, 0, 0.25f, 3, 0, 1000, 0x0100, 0x0100, 0x0040, 0x0000},
        {4, 0, 0, 1, 0, 0, 1, 0x0200, 0x0100, 0x0040, 0xe000},           /* clamped by max */
        {1, 0, 0, 1, 0, 1.5f, 1000, 0x0000, 0x0180, 0x0040, 0x0000},     /* and min */
        {1024, 0, 0, 1024, 0, 0, 1000, 0x0a00, 0x0400, 0x0040, 0x0000},  /* five levels */
        {0, 0, 0, 0, 0, 0, 1000, 0x8000, 0x0000, 0x0000, 0x0000},        /* -128 */
        {4, 0, 0, 0x1p-20f, 0, 0, 1000, 0x0200, 0x0200, 0x0040, 0x8000}, /* -22 is -8 */
        {1, 0, 0, 0.75f, 0, 0, 1000, 0x0000, 0x0000, 0x0040, 0xf95c},    /* log2(3/4) * 4096 = -1699.98 */
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct sch_maxwell_sampler *sampler = &world->samplers[MIPS];
        sampler->values.lod_bias = rows[n].bias;
        sampler->values.min_lod = rows[n].min;
        sampler->values.max_lod = rows[n].max;
        fresh(world, widths[n % 3], n);
        set_quads(world, 8, 0, rows[n].s_right / 16, rows[n].s_down / 16);
        set_quads(world, 9, 0, rows[n].t_right / 8, rows[n].t_down / 8);
        world_run(world, "TMML.LOD R4, R8, 0x22, 2D, 0xf;"); /* 0x20 + MIPS */
        expect_word(world, 4, rows[n].r);
        expect_word(world, 5, rows[n].g);
        expect_word(world, 6, rows[n].b);
        expect_word(world, 7, rows[n].a);
    }
}

/* [TMML] the worked example: TMML.LOD R2, R6, 6, 2D, 0x3 writes R2 and R3 from R6 and R7. */
static void tmml_example(void **state)
{
    struct world *world = *state;
    world->constants[6] = WORLD_2D;
    fresh(world, 0, 9);
    set_quads(world, 6, 0, 2 / 16.0f, 0);
    set_quads(world, 7, 0, 0, 0);
    struct sch_maxwell_warp expected = world->warp;
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
        expected.registers[2].u[i] = expected.registers[3].u[i] = 0x100;
    world_run(world, "TMML.LOD R2, R6, 6, 2D, 0x3;");
    assert_memory_equal(&world->warp, &expected, sizeof expected);
}

/* "#wmskU04 destination write mask (decimated contiguous writes)": all 16, of TMML, TXQ, TEX and TLD. */
static void decimated_masks(void **state)
{
    struct world *world = *state;
    static const char *const texts[] = {"TMML.LOD R4, R8, 0x2, 2D, 0x%x;",
                                        "TXQ R4, R8, TEX_HEADER_DIMENSION, 0x3, 0x%x;", "TEX.LZ R4, R8, 0x2, 2D, 0x%x;",
                                        "TLD.LZ R4, R8, 0x2, 2D, 0x%x;"};
    for (unsigned n = 0; n < sizeof texts / sizeof *texts; n++) {
        uint32_t all[4] = {0};
        for (unsigned mask = 15; mask < 16; mask--) { /* 15 first: it tells what the others are part of */
            char text[64];
            snprintf(text, sizeof text, texts[n], mask);
            fresh(world, 0, 12);
            set_word(world, 8, 0);
            set_word(world, 9, 0);
            if (n == 0) set_quads(world, 8, 0, 4 / 16.0f, 0);
            struct sch_maxwell_warp expected = world->warp;
            world_run(world, text);
            if (mask == 15)
                for (unsigned c = 0; c < 4; c++) all[c] = world->warp.registers[4 + c].u[0];
            unsigned to = 4;
            for (unsigned c = 0; c < 4; c++)
                for (unsigned i = 0, here = mask >> c & 1 ? to++ : 0; here && i < SCH_MAXWELL_GROUP_LANES; i++)
                    expected.registers[here].u[i] = all[c];
            assert_memory_equal(&world->warp, &expected, sizeof expected);
        }
        assert_int_not_equal(all[0], all[2]);
    }
}

/* Gathers need two axes, lookups that filter neither buffers nor samples, loads no cubes: all else is 0. */
static void types_without_an_answer(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *text;
        bool answers;
    } rows[] = {
        {"TLD4.R R4, R8, 0x2, 2D, 0x1;", true},         {"TLD4.R R4, R8, 0x4, CUBE, 0x1;", true},
        {"TLD4.R R4, R8, 0x1, 1D, 0x1;", false},        {"TLD4.R R4, R8, 0x3, 3D, 0x1;", false},
        {"TLD4.R R4, R8, 0x5, ARRAY_1D, 0x1;", false},  {"TEX.LZ R4, R8, 0x1, 1D, 0x1;", true},
        {"TEX.LZ R4, R8, 0x8, 1D, 0x1;", false},        {"TEX.LZ R4, R8, 0x9, 2D, 0x1;", false},
        {"TLD.LZ R4, R8, 0x8, 1D, 0x1;", true},         {"TLD.LZ R4, R8, 0x9, 2D, 0x1;", true},
        {"TLD.LZ R4, R8, 0x4, CUBE, 0x1;", false},      {"TLD.LZ R4, R8, 0x4, 2D, 0x1;", false},
        {"TEX.LZ R4, R8, 0x2, 3D, 0x1;", false},        {"TEX.LZ R4, R8, 0x6, 2D, 0x1;", true},
        {"TXD R4, R8, R16, 0x2, ARRAY_2D, 0x1;", true}, {"TXD R4, R8, R16, 0x2, 1D, 0x1;", false},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        fresh(world, 0, n);
        for (unsigned r = 8; r < 24; r++) set_word(world, r, 0);
        world_run(world, rows[n].text);
        for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
            assert_int_equal(world->warp.registers[4].u[i] != 0, rows[n].answers);
    }
}

/* An index beyond the constant bank is handle 0. */
static void constants_end(void **state)
{
    struct world *world = *state;
    world->constants[9] = WORLD_1D;
    world->textures[WORLD_NONE] = world->textures[WORLD_3D];
    world->options.constant_words = 9;
    fresh(world, 0, 1);
    set_word(world, 8, 0);
    world_run(world, "TXQ R4, R8, TEX_HEADER_DIMENSION, 0x9, 0x4;");
    expect_word(world, 4, 16);
    world_run(world, "TXQ R4, R8, TEX_HEADER_DIMENSION, 0x1fff, 0x4;");
    expect_word(world, 4, 16);
}

/* ONE_FLOAT of an integer texture, ONE_INT of a float one: the header's constant, whatever the format's is. Not where
 * nothing answers, nor in TMML. */
static void constants_of_the_other_kind(void **state)
{
    struct world *world = *state;
    struct sch_maxwell_texture *t = &world->textures[WORLD_INTEGER];
    t->fixed_mask = 8;
    t->fixed[3] = word_of(1);
    t->swizzle[3] = 4;
    fresh(world, 0, 1);
    for (unsigned r = 8; r < 12; r++) set_word(world, r, 0);
    world_run(world, "TLD.LZ R4, R8, 0xc, 2D, 0xf;");
    expect_word(world, 4, world_texel(WORLD_INTEGER, 0, 0, 0, 0, 0));
    expect_word(world, 7, word_of(1));
    world_run(world, "TLD4.A R4, R8, 0xc, 2D, 0xf;");
    for (unsigned r = 4; r < 8; r++) expect_word(world, r, word_of(1));
    world_run(world, "TLD4.B R4, R8, 0xc, 2D, 0x8;");
    expect_word(world, 4, world_texel(WORLD_INTEGER, 0, 0, 0, 0, 2));
    world_run(world, "TMML.LOD R4, R8, 0xc, 2D, 0x8;");
    expect_word(world, 4, 0);
    world_run(world, "TLD.LZ R4, R8, 0xc, 3D, 0xf;");
    expect_word(world, 7, 0);
}

/* ---- what is refused ---- */

static void refusals(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *text;
        unsigned code;
    } rows[] = {
        {"TXA R4, R8, 0x2, 0xf;", SCH_D_MAXWELL_RUN_TXA},
        {"TXQ R4, R8, TEX_SAMPLER_FILTER, 0x2, 0xf;", SCH_D_MAXWELL_RUN_QUERY},
        {"TXQ R4, R8, TEX_SAMPLER_LOD, 0x2, 0xf;", SCH_D_MAXWELL_RUN_QUERY},
        {"TXQ R4, R8, TEX_SAMPLER_WRAP, 0x2, 0xf;", SCH_D_MAXWELL_RUN_QUERY},
        {"TXQ R4, R8, TEX_SAMPLER_BORDER_COLOR, 0x2, 0xf;", SCH_D_MAXWELL_RUN_QUERY},
        {"TXQ R4, R8, 3, 0x2, 0xf;", SCH_D_MAXWELL_RUN_QUERY},
        {"TEX.LBA R4, R8, R12, 0x2, 2D, 0xf;", SCH_D_MAXWELL_RUN_LOD_CLAMP},
        {"TEX.LLA R4, R8, R12, 0x2, 2D, 0xf;", SCH_D_MAXWELL_RUN_LOD_CLAMP},
        {"TEX.LC R4, R8, R12, 0x2, 2D, 0xf;", SCH_D_MAXWELL_RUN_LOD_CLAMP},
        {"TXD.LC R4, R8, R12, 0x2, 2D, 0xf;", SCH_D_MAXWELL_RUN_LOD_CLAMP},
        {"TEX.INVALIDBLOD4 R4, R8, R12, 0x2, 2D, 0xf;", SCH_D_MAXWELL_RUN_RESERVED},
        {"TEX.INVALIDBLOD5 R4, R8, R12, 0x2, 2D, 0xf;", SCH_D_MAXWELL_RUN_RESERVED},
        {"TLD4.R.INVALIDBTOFF03 R4, R8, R12, 0x2, 2D, 0xf;", SCH_D_MAXWELL_RUN_RESERVED},
        {"TLDS.LZ R4, R6, R8, R10, 0x2, 2D, INVALID5;", SCH_D_MAXWELL_RUN_RESERVED},
        {"TEXS R4, R6, R8, R10, 0x2, 2D, INVALID7;", SCH_D_MAXWELL_RUN_RESERVED},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        fresh(world, 0, n);
        struct sch_maxwell_warp before = world->warp;
        sch_diagnostics_release(&world->diagnostics);
        sch_diagnostics_init(&world->diagnostics, &sch_allocator_libc, 16);
        assert_int_equal(world_try(world, rows[n].text), SCH_ERROR_UNSUPPORTED);
        assert_int_equal(world->diagnostics.count, 1);
        assert_int_equal(world->diagnostics.items[0].code, rows[n].code);
        assert_memory_equal(&world->warp, &before, sizeof before);
    }
}

/* What no text says, a caller may. */
static void instructions_that_are_none(void **state)
{
    struct world *world = *state;
    fresh(world, 0, 1);
    struct sch_maxwell_warp before = world->warp;
    struct sch_maxwell_instruction in = world_parse("TEX.LL R4, R8, R12, 0x2, 2D, 0xf;");
    in.lod = SCH_MAXWELL_LLA + 1;
    assert_int_equal(
        sch_maxwell_execute(world->machine, &in, &world->warp, (struct sch_position){0}, &world->diagnostics),
        SCH_ERROR_UNSUPPORTED);
    assert_int_equal(world->diagnostics.items[0].code, SCH_D_MAXWELL_RUN_RESERVED);
    for (unsigned operation = SCH_MAXWELL_OPERATIONS; operation < 256; operation++) {
        in.operation = (uint8_t)operation;
        assert_int_equal(
            sch_maxwell_execute(world->machine, &in, &world->warp, (struct sch_position){0}, &world->diagnostics),
            SCH_ERROR_ARGUMENT);
    }
    assert_memory_equal(&world->warp, &before, sizeof before);
}

/* Components that a query does not have are 0, whatever was answered before. */
static void queries_leave_nothing_of_others(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *text;
        uint32_t words[4];
    } rows[] = {{"TXQ R4, R8, TEX_HEADER_TEXTURE_TYPE, 0x9, 0xf;", {0, 0, 4, 0}},
                {"TXQ R4, R8, TEX_HEADER_TEXTURE_TYPE, 0x2, 0xf;", {0, 0, 1, 0}},
                {"TXQ R4, R8, TEX_HEADER_SAMPLER_POS, 0x2, 0xf;", {0, 0, 0, 0}}};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        fresh(world, 0, n);
        for (unsigned r = 8; r < 16; r++) set_word(world, r, 0);
        world_run(world, "TLD.LZ R4, R8, 0xc, 2D, 0xf;");
        for (unsigned c = 0; c < 4; c++) assert_int_not_equal(world->warp.registers[4 + c].u[0], 0);
        world_run(world, rows[n].text);
        for (unsigned c = 0; c < 4; c++) expect_word(world, 4 + c, rows[n].words[c]);
    }
}

/* .CL brings levels into those of the view, from below and from above; without it what is not there is 0. */
static void clamped_levels(void **state)
{
    struct world *world = *state;
    const uint32_t last = world->textures[WORLD_2D].texture.levels - 1;
    const int32_t levels[] = {INT32_MIN, -1, 0, 1, (int32_t)last, (int32_t)last + 1, INT32_MAX};
    assert_true(last >= 2);
    for (unsigned n = 0; n < sizeof levels / sizeof *levels; n++) {
        const uint32_t level = levels[n] < 0 ? 0 : levels[n] > (int32_t)last ? last : (uint32_t)levels[n];
        fresh(world, 0, n);
        for (unsigned r = 8; r < 12; r++) set_word(world, r, 0);
        set_word(world, 12, (uint32_t)levels[n]);
        world_run(world, "TLD.LL.CL R4, R8, R12, 0x2, 2D, 0x1;");
        expect_word(world, 4, world_texel(WORLD_2D, level, 0, 0, 0, 0));
        world_run(world, "TLD.LL R4, R8, R12, 0x2, 2D, 0x1;");
        expect_word(world, 4, level == (uint32_t)levels[n] ? world_texel(WORLD_2D, level, 0, 0, 0, 0) : 0);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
    const struct CMUnitTest tests[] = {
        TEST(tlds_encodings),
        TEST(tlds_masks),
        TEST(tlds_masks_of_halves),
        TEST(tlds_half_rounding),
        TEST(tlds_examples),
        TEST(tlds_overrides),
        TEST(level_0_is_the_views),
        TEST(txq_dimensions),
        TEST(txq_texture_type),
        TEST(txq_sample_positions),
        TEST(txq_packing),
        TEST(txq_example),
        TEST(maximum_indices),
        TEST(tmml_parameters),
        TEST(tmml_results),
        TEST(tmml_example),
        TEST(decimated_masks),
        TEST(types_without_an_answer),
        TEST(constants_end),
        TEST(constants_of_the_other_kind),
        TEST(refusals),
        TEST(instructions_that_are_none),
        TEST(queries_leave_nothing_of_others),
        TEST(clamped_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
