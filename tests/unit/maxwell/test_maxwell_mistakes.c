/* What published implementations got wrong in Maxwell's texture instructions, each a test that carries the number of
 * the report: operand order, register counts, masks, levels of detail, queries. And every bit of every operation
 * flipped alone: what the instruction does must follow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "maxwell_world.h"

/* The middle of a texel. */
static float centre(unsigned texel, unsigned size) { return ((float)texel + 0.5f) / (float)size; }

static void set_quads(struct world *world, unsigned number, float at, float right, float down)
{
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
        world->warp.registers[number].u[i] = word_of(at + (i & 1 ? right : 0) + (i & 2 ? down : 0));
}

/* ---- TMML ---- */

/* Ryujinx#2397: the first result is the unclamped level, the second the clamped one, not the other way. */
static void ryujinx_2397_component_order(void **state)
{
    struct world *world = *state;
    set_quads(world, 8, 0, 0.25f / 16, 0);
    set_quads(world, 9, 0, 0, 0.25f / 8);
    world_run(world, "TMML.LOD R4, R8, 0x2, 2D, 0x3;");
    expect_word(world, 4, 0xfe00); /* -2, no sign above bit 15 */
    expect_word(world, 5, 0);
}

/* yuzu#1268: the fraction counts: 1/256 is the step, not a level. */
static void yuzu_1268_fraction_of_the_level(void **state)
{
    struct world *world = *state;
    world->constants[20] = MIPS << 20 | WORLD_2D;
    set_quads(world, 8, 0, 3.0f / 16, 0);
    set_quads(world, 9, 0, 0, 1.0f / 8);
    world_run(world, "TMML.LOD R4, R8, 0x14, 2D, 0x3;");
    expect_word(world, 4, 406); /* log2(3) * 256 = 405.75 */
    expect_word(world, 5, 406);
}

/* The layer comes before s: its register is not a coordinate. */
static void tmml_layer_is_no_coordinate(void **state)
{
    struct world *world = *state;
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) world->warp.registers[8].u[i] = i & 3;
    set_quads(world, 9, 0, 2.0f / 16, 0);
    set_quads(world, 10, 0, 0, 0);
    world_run(world, "TMML.LOD R4, R8, 0x6, ARRAY_2D, 0x1;");
    expect_word(world, 4, 0x100);
}

/* ---- TXQ ---- */

/* yuzu#1261: all four components, and the mask moves them together. */
static void yuzu_1261_dimension_has_four_components(void **state)
{
    struct world *world = *state;
    set_word(world, 8, 1);
    world_run(world, "TXQ R4, R8, TEX_HEADER_DIMENSION, 0x3, 0xf;");
    expect_word(world, 4, 4);
    expect_word(world, 5, 2);
    expect_word(world, 6, 8);
    expect_word(world, 7, 5);
    set_word(world, 5, 77);
    world_run(world, "TXQ R4, R8, TEX_HEADER_DIMENSION, 0x3, 0x8;");
    expect_word(world, 4, 5);
    expect_word(world, 5, 77);
}

/* yuzu#1766: lengths of arrays are not halved, cube arrays count cubes, a level that is not there has no size. */
static void yuzu_1766_sizes_of_arrays(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *text;
        uint32_t level, r, g, b, a;
    } rows[] = {{"TXQ R4, R8, TEX_HEADER_DIMENSION, 0x5, 0xf;", 2, 4, 3, 0, 5},
                {"TXQ R4, R8, TEX_HEADER_DIMENSION, 0x6, 0xf;", 2, 4, 2, 5, 5},
                {"TXQ R4, R8, TEX_HEADER_DIMENSION, 0x7, 0xf;", 2, 2, 2, 2, 4},
                {"TXQ R4, R8, TEX_HEADER_DIMENSION, 0x6, 0xf;", 5, 0, 0, 0, 5}};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        set_word(world, 8, rows[n].level);
        world_run(world, rows[n].text);
        expect_word(world, 4, rows[n].r);
        expect_word(world, 5, rows[n].g);
        expect_word(world, 6, rows[n].b);
        expect_word(world, 7, rows[n].a);
    }
}

/* Ryujinx#5750: the query of the type has the number of samples in its third component. */
static void ryujinx_5750_sample_count(void **state)
{
    struct world *world = *state;
    world_run(world, "TXQ R4, RZ, TEX_HEADER_TEXTURE_TYPE, 0x9, 0x4;");
    expect_word(world, 4, 4);
    world_run(world, "TXQ R4, RZ, TEX_HEADER_TEXTURE_TYPE, 0xa, 0x4;");
    expect_word(world, 4, 2);
}

/* ---- TLDS ---- */

/* yuzu#1489: registers beyond R254 are read as 0 and not written. */
static void yuzu_1489_registers_out_of_bounds(void **state)
{
    struct world *world = *state;
    set_word(world, 8, 2);
    set_word(world, 9, 1);
    set_word(world, 254, 3);
    struct sch_maxwell_warp expected = world->warp;
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
        expected.registers[254].u[i] = world_texel(WORLD_2D, 0, 2, 1, 0, 0);
    world_run(world, "TLDS.LZ RZ, R254, R8, R9, 0x2, 2D, RG;");
    assert_memory_equal(&world->warp, &expected, sizeof expected);
    set_word(world, 254, 3);
    set_word(world, 9, 0);
    world_run(world, "TLDS.LL RZ, R4, R254, R9, 0x2, 2D, R;"); /* y would be R255 */
    expect_word(world, 4, world_texel(WORLD_2D, 0, 3, 0, 0, 0));
}

/* yuzu#1862: the level is in the second register group, and y then moves behind x. */
static void yuzu_1862_y_moves_when_there_is_a_level(void **state)
{
    struct world *world = *state;
    set_word(world, 8, 3);
    set_word(world, 9, 1);
    set_word(world, 12, 2);
    world_run(world, "TLDS.LZ RZ, R4, R8, R12, 0x2, 2D, R;");
    expect_word(world, 4, world_texel(WORLD_2D, 0, 3, 2, 0, 0));
    world_run(world, "TLDS.LL RZ, R4, R8, R12, 0x2, 2D, R;");
    expect_word(world, 4, world_texel(WORLD_2D, 2, 3, 1, 0, 0));
}

/* yuzu#1934: the offset is added, four bits an axis with their sign, and stands behind the level. */
static void yuzu_1934_offsets_of_loads(void **state)
{
    struct world *world = *state;
    set_word(world, 8, 3);
    set_word(world, 9, 2);
    set_word(world, 12, 1);
    set_word(world, 13, 0xfffff0f1u); /* (1, -1); what lies above is not meant */
    world_run(world, "TLDS.LL.AOFFI RZ, R4, R8, R12, 0x2, 2D, R;");
    expect_word(world, 4, world_texel(WORLD_2D, 1, 4, 1, 0, 0));
}

/* ---- TEX, TEXS ---- */

/* yuzu#494: the components of TEXS go to two register pairs. */
static void yuzu_494_two_destinations(void **state)
{
    struct world *world = *state;
    set_float(world, 8, centre(3, 16));
    set_float(world, 9, centre(2, 8));
    world_run(world, "TEXS.LZ R12, R4, R8, R9, 0x2, 2D, RGBA;");
    static const uint8_t registers[4] = {4, 5, 12, 13};
    for (unsigned c = 0; c < 4; c++) expect_word(world, registers[c], world_texel(WORLD_2D, 0, 3, 2, 0, c));
}

/* yuzu#498: one of the two destinations alone: with Rd0 = RZ the first pair is dropped, and nothing moves. */
static void yuzu_498_one_destination(void **state)
{
    struct world *world = *state;
    set_float(world, 8, centre(3, 16));
    set_float(world, 9, centre(2, 8));
    struct sch_maxwell_warp expected = world->warp;
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
        expected.registers[12].u[i] = world_texel(WORLD_2D, 0, 3, 2, 0, 2);
        expected.registers[13].u[i] = world_texel(WORLD_2D, 0, 3, 2, 0, 3);
    }
    world_run(world, "TEXS.LZ R12, RZ, R8, R9, 0x2, 2D, RGBA;");
    assert_memory_equal(&world->warp, &expected, sizeof expected);
}

/* yuzu#927: mask codes mean other components when there is a second destination. */
static void yuzu_927_mask_and_destination(void **state)
{
    struct world *world = *state;
    set_float(world, 8, centre(3, 16));
    set_float(world, 9, centre(2, 8));
    world_run(world, "TEXS.LZ RZ, R4, R8, R9, 0x2, 2D, G;"); /* code 1 */
    expect_word(world, 4, world_texel(WORLD_2D, 0, 3, 2, 0, 1));
    world_run(world, "TEXS.LZ R12, R4, R8, R9, 0x2, 2D, RGA;"); /* code 1 */
    expect_word(world, 4, world_texel(WORLD_2D, 0, 3, 2, 0, 0));
    expect_word(world, 5, world_texel(WORLD_2D, 0, 3, 2, 0, 1));
    expect_word(world, 12, world_texel(WORLD_2D, 0, 3, 2, 0, 3));
}

/* yuzu#1131: TEXS 2D.LL.DC has the level before the reference. */
static void yuzu_1131_level_before_reference(void **state)
{
    struct world *world = *state;
    set_float(world, 8, centre(5, 16)); /* level 1: texel 2, depth 2/16 */
    set_float(world, 9, centre(2, 8));
    set_float(world, 12, 1);
    set_float(world, 13, 0.2f); /* less than 5/16, not than 2/16 */
    world_run(world, "TEXS.LL.DC RZ, R4, R8, R12, 0x28, 2D, R;");
    expect_word(world, 4, 0);
    set_float(world, 12, 0);
    world_run(world, "TEXS.LL.DC RZ, R4, R8, R12, 0x28, 2D, R;");
    expect_word(world, 4, word_of(1));
}

/* yuzu#622: a comparison's result is in every component, and the reference stands behind the coordinates. */
static void yuzu_622_depth_comparison(void **state)
{
    struct world *world = *state;
    set_float(world, 8, centre(4, 16)); /* depth 4/16 */
    set_float(world, 9, centre(2, 8));
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
        world->warp.registers[12].u[i] = word_of(i < 16 ? 0.2f : 0.3f);
    world_run(world, "TEX.LZ.DC R4, R8, R12, 0x28, 2D, 0xf;");
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
            assert_int_equal(world->warp.registers[4 + c].u[i], i < 16 ? word_of(1) : 0);
}

/* yuzu#1263: .LZ, .LB, .LL and none differ. */
static void yuzu_1263_modes_of_the_level(void **state)
{
    struct world *world = *state;
    set_quads(world, 8, centre(1, 16), 2.0f / 16, 0); /* level 1 */
    set_quads(world, 9, centre(1, 8), 0, 0);
    set_float(world, 12, 2);
    static const struct {
        const char *text;
        unsigned level;
    } rows[] = {{"TEX R4, R8, 0x2, 2D, 0x1;", 1},
                {"TEX.LZ R4, R8, 0x2, 2D, 0x1;", 0},
                {"TEX.LB R4, R8, R12, 0x2, 2D, 0x1;", 3},
                {"TEX.LL R4, R8, R12, 0x2, 2D, 0x1;", 2}};
    for (unsigned n = 0; n < 4; n++) {
        world_run(world, rows[n].text);
        unsigned level = rows[n].level, x = 1u >> level;
        assert_int_equal(world->warp.registers[4].u[0], world_texel(WORLD_2D, level, x, x, 0, 0));
    }
}

/* yuzu#1299: 1-D arrays have the layer before s, cube arrays before the direction; the cube is clamped. */
static void yuzu_1299_layers_come_first(void **state)
{
    struct world *world = *state;
    set_word(world, 8, 2);
    set_float(world, 9, centre(3, 16));
    world_run(world, "TEX.LZ R4, R8, 0x5, ARRAY_1D, 0x1;");
    expect_word(world, 4, world_texel(WORLD_1D_ARRAY, 0, 3, 0, 2, 0));
    set_float(world, 9, 2 * centre(3, 8) - 1);  /* s */
    set_float(world, 10, 1 - 2 * centre(2, 8)); /* t runs against y */
    set_float(world, 11, 1);                    /* +Z: face 4 */
    world_run(world, "TEX.LZ R4, R8, 0x7, ARRAY_CUBE, 0x1;");
    expect_word(world, 4, world_texel(WORLD_CUBE_ARRAY, 0, 3, 2, 6 + 4, 0));
}

/* yuzu#1496: the layer is a whole number in front of the coordinates, its low 16 bits; clamped. */
static void yuzu_1496_array_layers(void **state)
{
    struct world *world = *state;
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) world->warp.registers[8].u[i] = 0xffff0000u | (i % 8);
    set_float(world, 9, centre(3, 16));
    set_float(world, 10, centre(2, 8));
    set_float(world, 12, centre(2, 8));
    struct sch_maxwell_warp before = world->warp;
    world_run(world, "TEX.LZ R4, R8, 0x6, ARRAY_2D, 0x1;");
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
        assert_int_equal(world->warp.registers[4].u[i], world_texel(WORLD_2D_ARRAY, 0, 3, 2, i % 8 < 5 ? i % 8 : 4, 0));
    world->warp = before;
    world_run(world, "TEXS.LZ RZ, R4, R8, R12, 0x6, ARRAY_2D, R;");
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
        assert_int_equal(world->warp.registers[4].u[i], world_texel(WORLD_2D_ARRAY, 0, 3, 2, i % 8 < 5 ? i % 8 : 4, 0));
}

/* yuzu#1826: TEXS 2D takes s and t from two registers, with a level from a pair and one. */
static void yuzu_1826_scalar_operands(void **state)
{
    struct world *world = *state;
    set_float(world, 8, centre(3, 16));
    set_float(world, 9, centre(7, 8));
    set_float(world, 12, centre(2, 8));
    world_run(world, "TEXS.LZ RZ, R4, R8, R12, 0x2, 2D, R;");
    expect_word(world, 4, world_texel(WORLD_2D, 0, 3, 2, 0, 0));
    set_float(world, 12, 1);
    world_run(world, "TEXS.LL RZ, R4, R8, R12, 0x2, 2D, R;");
    expect_word(world, 4, world_texel(WORLD_2D, 1, 1, 3, 0, 0));
}

/* yuzu#1909: TEXS ARRAY_2D.LZ.DC is (layer, s), (t, reference). */
static void yuzu_1909_layer_and_reference(void **state)
{
    struct world *world = *state;
    set_word(world, 8, 0);
    set_float(world, 9, centre(4, 16));
    set_float(world, 12, centre(2, 8));
    set_float(world, 13, 0.2f);
    world_run(world, "TEXS.LZ.DC RZ, R4, R8, R12, 0x28, ARRAY_2D, R;");
    expect_word(world, 4, word_of(1)); /* 0.2 < 4/16; were t the reference, 0.3125 is not */
    set_float(world, 13, 0.3f);
    world_run(world, "TEXS.LZ.DC RZ, R4, R8, R12, 0x28, ARRAY_2D, R;");
    expect_word(world, 4, 0);
}

/* ---- TLD4, TLD4S ---- */

static void expect_gather(struct world *world, const uint8_t registers[4], unsigned x, unsigned y, unsigned c)
{
    static const uint8_t at[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    for (unsigned n = 0; n < 4; n++)
        expect_word(world, registers[n], world_texel(WORLD_2D, 0, x + at[n][0], y + at[n][1], 0, c));
}

/* yuzu#3013: the mask chooses among the four texels, the component is the instruction's own field; TLD4S
 * has no mask. */
static void yuzu_3013_gathers_and_masks(void **state)
{
    struct world *world = *state;
    static const uint8_t vector[4] = {4, 5, 6, 7}, scalar[4] = {4, 5, 12, 13};
    set_float(world, 8, 4.0f / 16); /* between texels 3 and 4 */
    set_float(world, 9, 2.0f / 8);
    world_run(world, "TLD4.G R4, R8, 0x2, 2D, 0xf;");
    expect_gather(world, vector, 3, 1, 1);
    world_run(world, "TLD4.B R4, R8, 0x2, 2D, 0x4;");
    expect_word(world, 4, world_texel(WORLD_2D, 0, 4, 1, 0, 2));
    expect_word(world, 5, world_texel(WORLD_2D, 0, 4, 2, 0, 1)); /* as before */
    world_run(world, "TLD4S.A R12, R4, R8, R9, 0x2;");
    expect_gather(world, scalar, 3, 1, 3);
}

/* yuzu#3219: .AOFFI, .DC and the component are where they are; TLD4's offsets have six bits, eight apart. */
static void yuzu_3219_gather_fields(void **state)
{
    struct world *world = *state;
    static const uint8_t vector[4] = {4, 5, 6, 7};
    struct sch_maxwell_instruction in;
    assert_true(sch_maxwell_decode(0xc878000213f70804u | (uint64_t)0x4000 << 48, SCH_MAXWELL_SM_50, &in));
    assert_int_equal(in.operation, SCH_MAXWELL_TLD4);
    set_float(world, 8, 4.0f / 16);
    set_float(world, 9, 2.0f / 8);
    set_word(world, 12, 0x3e01 | 0xc0c0); /* (1, -2); bits 7:6 and 15:14 are not meant */
    set_float(world, 9, 4.0f / 8);
    world_run(world, "TLD4.R.AOFFI R4, R8, R12, 0x2, 2D, 0xf;");
    expect_gather(world, vector, 4, 1, 0);
}

/* .PTP has an offset for each texel, and each is that texel's (i0, j0). */
static void four_offsets(void **state)
{
    struct world *world = *state;
    set_float(world, 8, 8.0f / 16);  /* texel 7 */
    set_float(world, 9, 4.0f / 8);   /* texel 3 */
    set_word(world, 12, 0x3f010102); /* (2, 1), (1, -1) */
    set_word(world, 13, 0x00000238); /* (-8, 2), (0, 0) */
    world_run(world, "TLD4.R.PTP R4, R8, R12, 0x2, 2D, 0xf;");
    expect_word(world, 4, world_texel(WORLD_2D, 0, 9, 4, 0, 0));
    expect_word(world, 5, world_texel(WORLD_2D, 0, 8, 2, 0, 0));
    expect_word(world, 6, world_texel(WORLD_2D, 0, 0, 5, 0, 0)); /* -1 clamps to the edge */
    expect_word(world, 7, world_texel(WORLD_2D, 0, 7, 3, 0, 0));
}

/* yuzu#10030: a gather's position is rounded to 1/256 of a texel: 3.5 - 1/1024 is 3.5, whose footprint begins at 3. */
static void yuzu_10030_gathers_round_positions(void **state)
{
    struct world *world = *state;
    static const uint8_t vector[4] = {4, 5, 6, 7};
    set_float(world, 8, (3.5f - 1 / 1024.0f) / 16);
    set_float(world, 9, 2.0f / 8);
    world_run(world, "TLD4.R R4, R8, 0x2, 2D, 0xf;");
    expect_gather(world, vector, 3, 1, 0);
    set_float(world, 8, (3.5f - 3 / 1024.0f) / 16);
    world_run(world, "TLD4.R R4, R8, 0x2, 2D, 0xf;");
    expect_gather(world, vector, 2, 1, 0);
}

/* yuzu#3050, #3054: TLD4S holds (s, t) in one group when there is an offset or a reference, and in two when not. */
static void yuzu_3050_scalar_gather_operands(void **state)
{
    struct world *world = *state;
    static const uint8_t scalar[4] = {4, 5, 16, 17};
    set_float(world, 8, 4.0f / 16);
    set_float(world, 9, 6.0f / 8);
    set_word(world, 12, 0);
    world_run(world, "TLD4S.R.AOFFI R16, R4, R8, R12, 0x2;");
    expect_gather(world, scalar, 3, 5, 0);
    set_float(world, 12, 2.0f / 8);
    world_run(world, "TLD4S.R R16, R4, R8, R12, 0x2;");
    expect_gather(world, scalar, 3, 1, 0);
}

static void yuzu_3054_scalar_gather_has_no_mask(void **state)
{
    struct world *world = *state;
    set_float(world, 8, 4.0f / 16);
    set_float(world, 9, 2.0f / 8);
    set_float(world, 12, 3.5f / 16);
    struct sch_maxwell_warp expected = world->warp;
    world_run(world, "TLD4S.R.DC R16, R4, R8, R12, 0x28;"); /* 3.5/16 < 4/16, not < 3/16 */
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
        expected.registers[4].u[i] = expected.registers[17].u[i] = 0;
        expected.registers[5].u[i] = expected.registers[16].u[i] = word_of(1);
    }
    assert_memory_equal(&world->warp, &expected, sizeof expected);
}

/* yuzu#3231: TLD4.B has its component and offset in other bits than TLD4. */
static void yuzu_3231_bindless_gather_fields(void **state)
{
    struct world *world = *state;
    static const uint8_t vector[4] = {4, 5, 6, 7};
    set_float(world, 8, 4.0f / 16);
    set_float(world, 9, 4.0f / 8);
    set_word(world, 12, WORLD_2D);
    set_word(world, 13, 0x3e01);
    world_run(world, "TLD4.A.B.AOFFI R4, R8, R12, 0x0, 2D, 0xf;");
    expect_gather(world, vector, 4, 1, 3);
}

/* Ryujinx#6253: the offset stands before the reference. */
static void ryujinx_6253_offset_before_reference(void **state)
{
    struct world *world = *state;
    set_float(world, 8, 4.0f / 16);
    set_float(world, 9, 2.0f / 8);
    set_word(world, 12, 1);
    set_float(world, 13, 4.5f / 16); /* less than texel 5's depth, not than 4's */
    world_run(world, "TLD4.R.AOFFI.DC R4, R8, R12, 0x28, 2D, 0xf;");
    expect_word(world, 4, 0);
    expect_word(world, 5, word_of(1));
    set_word(world, 4, 7);
    world_run(world, "TLD4S.R.AOFFI.DC R16, R4, R8, R12, 0x28;");
    expect_word(world, 4, 0);
    expect_word(world, 5, word_of(1));
    expect_word(world, 16, word_of(1));
    expect_word(world, 17, 0);
}

/* Ryujinx#893: the border colour is the sampler's. */
static void ryujinx_893_border_colour(void **state)
{
    struct world *world = *state;
    set_float(world, 8, 2);
    set_float(world, 9, 0.5f);
    world_run(world, "TEX.LZ R4, R8, 0x24, 2D, 0xf;"); /* 0x20 + BORDER */
    for (unsigned c = 0; c < 4; c++) expect_word(world, 4 + c, word_of(0.25f + (float)c));
}

/* ---- divergence, guards, order of writes ---- */

/* A quad without all its lanes has no derivatives, unless .NDV; a guard does not divide a quad; other shaders have
 * none. */
static void divergent_quads(void **state)
{
    struct world *world = *state;
    static const struct {
        uint32_t active, predicate;
        uint8_t shader;
        bool ndv;
        uint32_t level_2; /* lanes at level 2; other executing lanes at level 0 */
    } rows[] = {
        {0xffffffff, 0xffffffff, SCH_MAXWELL_SHADER_PIXEL, false, 0xffffffff},
        {0xfffffffe, 0xffffffff, SCH_MAXWELL_SHADER_PIXEL, false, 0xfffffff0},
        {0xfffffffe, 0xffffffff, SCH_MAXWELL_SHADER_PIXEL, true, 0xffffffff},
        {0xffffffff, 0x00000001, SCH_MAXWELL_SHADER_PIXEL, false, 0xffffffff},
        {0xffffffff, 0xffffffff, SCH_MAXWELL_SHADER_OTHER, false, 0},
        {0xffffffff, 0xffffffff, SCH_MAXWELL_SHADER_OTHER, true, 0xffffffff},
        {0x7ff7ffff, 0xffffffff, SCH_MAXWELL_SHADER_PIXEL, false, 0x0ff0ffff},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        set_quads(world, 8, 0, 4.0f / 16, 0);
        set_quads(world, 9, 0, 0, 0);
        set_word(world, 4, 99);
        world->warp.active = rows[n].active;
        world->warp.predicates[0] = rows[n].predicate;
        world->warp.shader = rows[n].shader;
        world_run(world, rows[n].ndv ? "@P0 TMML.LOD.NDV R4, R8, 0x2, 2D, 0x2;" : "@P0 TMML.LOD R4, R8, 0x2, 2D, 0x2;");
        for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
            bool runs = rows[n].active & rows[n].predicate & 1u << i;
            assert_int_equal(world->warp.registers[4].u[i], !runs ? 99 : rows[n].level_2 >> i & 1 ? 0x200 : 0);
        }
    }
}

/* .NODEP disables killed lanes; without it they go on. */
static void killed_lanes(void **state)
{
    struct world *world = *state;
    world->warp.killed = 0xff;
    set_word(world, 8, 0);
    set_word(world, 4, 99);
    world_run(world, "TLDS.LZ RZ, R4, R8, RZ, 0x2, 2D, R;");
    expect_word(world, 4, world_texel(WORLD_2D, 0, 0, 0, 0, 0));
    set_word(world, 4, 99);
    world_run(world, "TLDS.LZ.NODEP RZ, R4, R8, RZ, 0x2, 2D, R;");
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
        assert_int_equal(world->warp.registers[4].u[i], i < 8 ? 99 : world_texel(WORLD_2D, 0, 0, 0, 0, 0));
}

/* Sources are read before anything is written, of all lanes. */
static void destinations_over_sources(void **state)
{
    struct world *world = *state;
    set_quads(world, 8, 0.5f / 16, 4.0f / 16, 0);
    set_quads(world, 9, 0, 0, 0);
    world_run(world, "TEX R8, R8, 0x2, 2D, 0xf;");
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++)
            assert_int_equal(world->warp.registers[8 + c].u[i], world_texel(WORLD_2D, 2, i & 1, 0, 0, c));
}

/* Of two destinations that meet the second one stays. */
static void destinations_that_meet(void **state)
{
    struct world *world = *state;
    set_float(world, 8, centre(3, 16));
    set_float(world, 9, centre(2, 8));
    world_run(world, "TEXS.LZ R4, R5, R8, R9, 0x2, 2D, RGBA;");
    expect_word(world, 4, world_texel(WORLD_2D, 0, 3, 2, 0, 2));
    expect_word(world, 5, world_texel(WORLD_2D, 0, 3, 2, 0, 3));
    expect_word(world, 6, world_texel(WORLD_2D, 0, 3, 2, 0, 1));
}

/* Lanes may name different textures; each keeps its quad's derivatives. */
static void handles_by_lane(void **state)
{
    struct world *world = *state;
    static const uint8_t named[4] = {WORLD_2D, WORLD_OTHER, WORLD_INVALID, WORLD_3D};
    set_quads(world, 8, 0.5f / 16, 4.0f / 16, 0);
    set_quads(world, 9, 0, 0, 0);
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) world->warp.registers[12].u[i] = named[i / 2 % 4];
    world_run(world, "TEX.B R4, R8, R12, 0x0, 2D, 0x1;");
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
        enum world_texture it = named[i / 2 % 4];
        bool answers = it == WORLD_2D || it == WORLD_OTHER;
        assert_int_equal(world->warp.registers[4].u[i], answers ? world_texel(it, 2, i & 1, 0, 0, 0) : 0);
    }
}

/* sm_52: the predicate is true in the lanes that executed. */
static void residency(void **state)
{
    struct world *world = *state;
    world->warp.predicates[3] = 0xf0;
    world->warp.predicates[0] = 0x0f;
    set_word(world, 8, 0);
    world_run(world, "@P0 TLD.LZ P3, R4, R8, 0x1, 1D, 0x1;");
    assert_int_equal(world->warp.predicates[3], 0xff);
}

/* .DC and the sampler's comparison are needed both. */
static void comparison_needs_both(void **state)
{
    struct world *world = *state;
    world->constants[20] = POINT << 20 | WORLD_DEPTH;
    set_float(world, 8, centre(4, 16));
    set_float(world, 9, centre(2, 8));
    set_float(world, 12, 0.1f);
    world_run(world, "TEX.LZ.DC R4, R8, R12, 0x14, 2D, 0x1;");
    expect_word(world, 4, word_of(0.25f));
    world_run(world, "TEX.LZ R4, R8, 0x28, 2D, 0x1;");
    expect_word(world, 4, word_of(0.25f));
    world_run(world, "TEX.LZ.DC R4, R8, R12, 0x28, 2D, 0x1;");
    expect_word(world, 4, word_of(1));
}

/* Halves of an integer format are 0: the page says unpredictable. */
static void halves_of_integers(void **state)
{
    struct world *world = *state;
    set_word(world, 8, 1);
    world_run(world, "TLDS.F16.LZ R12, R4, R8, RZ, 0xc, 2D, RGBA;");
    expect_word(world, 4, 0);
    expect_word(world, 12, 0);
}

/* ---- every bit alone ---- */

/* A group in which every field matters: quads of all kinds, killed lanes, mixed predicates, coordinates within (and at
 * the edge of) textures, whole numbers in odd registers' place of floats where the operation loads. */
static void busy_group(struct sch_maxwell_warp *warp, bool whole)
{
    static const uint8_t wholes[7] = {0, 0, 0, 0, 1, 2, 6};
    uint64_t seed = 3;
    *warp = (struct sch_maxwell_warp){.active = 0xfff7ffffu, .killed = 0x00f00f00u};
    for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++)
        for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint32_t random = (uint32_t)(seed >> 40);
            warp->registers[r].u[i] = whole ? wholes[random % 7] : word_of((float)random * 0x1p-24f);
        }
    for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++) warp->predicates[p] = 0x9e3779b9u * (p + 1) | 1u << p;
}

struct flip_row {
    const char *text;
    bool whole;
    const char *indifferent; /* members that change nothing, with the reason in docs/maxwell.md */
    uint8_t texture, sampler;
    uint8_t handle; /* the register that has it; 0: the constant bank */
};

static bool differ_only_in(const struct sch_maxwell_instruction *a, const struct sch_maxwell_instruction *b,
                           const char *members)
{
    struct sch_maxwell_instruction c = *b;
    if (strstr(members, "ndv")) c.nondivergent = a->nondivergent;
    if (strstr(members, "cl")) c.clamp_lod = a->clamp_lod; /* level 0 is in every view */
    if (strstr(members, "rb")) c.rb = a->rb;               /* no operand is in it */
    return sch_maxwell_equal(a, &c);
}

enum { FLIP_WORDS = 1 << 13 };
static uint32_t flip_constants[FLIP_WORDS];

static void flip_all(struct world *world, const struct flip_row *row, unsigned *followed)
{
    struct sch_maxwell_instruction base = world_parse(row->text), flipped;
    uint64_t word;
    assert_true(sch_maxwell_encode(&base, SCH_MAXWELL_SM_52, &word));
    struct sch_maxwell_warp before, after;
    busy_group(&before, row->whole);
    for (unsigned i = 0; i < FLIP_WORDS; i++) flip_constants[i] = WORLD_INVALID;
    flip_constants[base.index] = (uint32_t)row->sampler << 20 | row->texture;
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES && row->handle; i++)
        before.registers[row->handle].u[i] = (uint32_t)row->sampler << 20 | row->texture;
    after = before;
    assert_int_equal(run_word(world->machine, &base, &after, NULL), SCH_OK);
    assert_memory_not_equal(&after, &before, sizeof after);
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!sch_maxwell_decode(word ^ (uint64_t)1 << bit, SCH_MAXWELL_SM_52, &flipped)) continue;
        if (flipped.operation != base.operation) continue;
        struct sch_maxwell_warp now = before;
        enum sch_result status = sch_maxwell_execute(world->machine, &flipped, &now, (struct sch_position){0}, NULL);
        if (sch_maxwell_equal(&flipped, &base)) {
            assert_memory_equal(&now, &after, sizeof now);
            continue;
        }
        if (status == SCH_ERROR_UNSUPPORTED) continue; /* a reserved value: refused by name */
        assert_int_equal(status, SCH_OK);
        bool same = memcmp(&now, &after, sizeof now) == 0;
        if (same && !differ_only_in(&base, &flipped, row->indifferent))
            fail_msg("%s: bit %u changes the instruction, not what it does", row->text, bit);
        *followed += !same;
    }
}

/* The constant bank has another texture or sampler at every index that one flip reaches. */
static void every_bit_alone(void **state)
{
    struct world *world = *state;
    static const struct flip_row rows[] = {
        {"@P1 TMML.LOD R4, R8, 0x6, ARRAY_2D, 0x7;", false, "", WORLD_2D, ANISOTROPIC, 0},
        {"@!P2 TMML.B.LOD.NDV R4, R8, R12, 0x0, 2D, 0x5;", false, "", WORLD_2D, MIPS, 12},
        {"@P1 TXQ R4, R8, TEX_HEADER_DIMENSION, 0x6, 0x7;", true, "", WORLD_2D_ARRAY, POINT, 0},
        {"@P1 TXQ.B R4, R8, TEX_HEADER_DIMENSION, 0x0, 0xd;", true, "", WORLD_3D, POINT, 8},
        {"@P1 TXQ R4, R8, TEX_HEADER_SAMPLER_POS, 0x9, 0x1;", true, "", WORLD_2D_MS, POINT, 0},
        {"@P1 TEX.LB P2, R4, R8, R12, 0x6, ARRAY_2D, 0x7;", false, "", WORLD_2D_ARRAY, LESS, 0},
        {"@P1 TEX.NODEP R4, R8, R12, 0x2, 2D, 0xf;", false, "rb", WORLD_2D, LESS, 0},
        {"@P1 TEX.B.LL.AOFFI R4, R8, R12, 0x0, 2D, 0x7;", false, "ndv", WORLD_2D, LESS, 12},
        {"@P1 TEX.LZ.DC R4, R8, R12, 0x28, 2D, 0x3;", false, "ndv", WORLD_DEPTH, LESS, 0},
        {"@P1 TXD R4, R8, R12, 0x2, 2D, 0x7;", false, "", WORLD_2D_ARRAY, ANISOTROPIC, 0},
        {"@P1 TXD.B.AOFFI R4, R8, R16, 0x0, 2D, 0xe;", false, "", WORLD_2D_ARRAY, ANISOTROPIC, 8},
        {"@P1 TLD.LL R4, R8, R12, 0x2, 2D, 0x7;", true, "", WORLD_2D, POINT, 0},
        {"@P1 TLD.B.LZ.AOFFI R4, R8, R12, 0x0, 2D, 0x7;", true, "cl", WORLD_2D, POINT, 12},
        {"@P1 TLD.LZ.MS R4, R8, R12, 0x9, 2D, 0x7;", true, "cl", WORLD_2D_MS, POINT, 0},
        {"@P1 TLD4.R R4, R8, R12, 0x2, 2D, 0x7;", false, "ndv rb", WORLD_2D, LESS, 0},
        {"@P1 TLD4.G.B.AOFFI R4, R8, R12, 0x0, 2D, 0x7;", false, "ndv", WORLD_2D, LESS, 12},
        {"@P1 TEXS R12, R4, R8, R9, 0x2, 2D, RGB;", false, "", WORLD_2D, MIPS, 0},
        {"@P1 TEXS.LL R12, R4, R8, R10, 0x2, 2D, RGA;", false, "", WORLD_2D, MIPS, 0},
        {"@P1 TLDS.LZ R12, R4, R8, R9, 0x2, 2D, RGB;", true, "", WORLD_2D, POINT, 0},
        {"@P1 TLDS.LL RZ, R4, R8, R10, 0x2, 2D, RA;", true, "", WORLD_2D, POINT, 0},
        {"@P1 TLD4S.R R12, R4, R8, R9, 0x2;", false, "", WORLD_2D, LESS, 0},
        {"@P1 TLD4S.G.AOFFI R12, R4, R8, R10, 0x2;", false, "", WORLD_2D, LESS, 0},
    };
    world->options.constants = flip_constants;
    world->options.constant_words = FLIP_WORDS;
    world_remake(world);
    unsigned followed = 0;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) flip_all(world, &rows[n], &followed);
    print_message("# %u flips followed\n", followed);
    assert_true(followed > 1000);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
    const struct CMUnitTest tests[] = {
        TEST(ryujinx_2397_component_order),
        TEST(yuzu_1268_fraction_of_the_level),
        TEST(tmml_layer_is_no_coordinate),
        TEST(yuzu_1261_dimension_has_four_components),
        TEST(yuzu_1766_sizes_of_arrays),
        TEST(ryujinx_5750_sample_count),
        TEST(yuzu_1489_registers_out_of_bounds),
        TEST(yuzu_1862_y_moves_when_there_is_a_level),
        TEST(yuzu_1934_offsets_of_loads),
        TEST(yuzu_494_two_destinations),
        TEST(yuzu_498_one_destination),
        TEST(yuzu_927_mask_and_destination),
        TEST(yuzu_1131_level_before_reference),
        TEST(yuzu_622_depth_comparison),
        TEST(yuzu_1263_modes_of_the_level),
        TEST(yuzu_1299_layers_come_first),
        TEST(yuzu_1496_array_layers),
        TEST(yuzu_1826_scalar_operands),
        TEST(yuzu_1909_layer_and_reference),
        TEST(yuzu_3013_gathers_and_masks),
        TEST(yuzu_3219_gather_fields),
        TEST(four_offsets),
        TEST(yuzu_10030_gathers_round_positions),
        TEST(yuzu_3050_scalar_gather_operands),
        TEST(yuzu_3054_scalar_gather_has_no_mask),
        TEST(yuzu_3231_bindless_gather_fields),
        TEST(ryujinx_6253_offset_before_reference),
        TEST(ryujinx_893_border_colour),
        TEST(divergent_quads),
        TEST(killed_lanes),
        TEST(destinations_over_sources),
        TEST(destinations_that_meet),
        TEST(handles_by_lane),
        TEST(residency),
        TEST(comparison_needs_both),
        TEST(halves_of_integers),
        TEST(every_bit_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
