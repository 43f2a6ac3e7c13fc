/* Blocks of BPTC (src/ops/texture/bptc.h) at every level that this processor runs: against a decoder of the
 * specification's own steps (bptc_reference.h), each mode and partition, and blocks whose texels were computed by
 * hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/bptc_reference.h"
#include "../support/random_number.h"
#include "bptc_codec.h"
#include "ops/ops.h"

enum { BLOCKS_BC7 = 24000, BLOCKS_BC6H = 12000, PARTITIONS = 64 };

/* In the order of sch_ops_levels, of which the first few run. */
static const struct bptc_codec *const codecs[] = {
#define LEVEL(name, needs) &bptc_codec_##name,
#include "isa/levels.def"
#undef LEVEL
};
static unsigned levels;

struct block {
    uint8_t byte[16];
};

/* ---- blocks ---- */

static void set_bits(struct block *block, unsigned at, unsigned count, unsigned value)
{
    for (unsigned i = 0; i < count; i++, at++) {
        block->byte[at / 8] &= (uint8_t) ~(1u << at % 8);
        block->byte[at / 8] |= (uint8_t)((value >> i & 1) << at % 8);
    }
}

/* A third of them have few ones, a third few zeros: values and differences at the ends of their ranges. */
static void any_block(uint64_t *seed, struct block *block)
{
    const unsigned kind = (unsigned)(random_number(seed) >> 40) % 3;
    for (unsigned half = 0; half < 2; half++) {
        uint64_t bits = random_number(seed);
        for (unsigned i = 0; i < 2 && kind == 1; i++) bits &= random_number(seed);
        for (unsigned i = 0; i < 2 && kind == 2; i++) bits |= random_number(seed);
        for (unsigned i = 0; i < 8; i++) block->byte[8 * half + i] = (uint8_t)(bits >> 8 * i);
    }
}

static void words_of(const struct block *block, uint32_t word[4])
{
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t *byte = block->byte + 4 * i;
        word[i] = byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
    }
}

static void fail_at(const char *format, const struct bptc_codec *codec, const struct block *block, unsigned texel)
{
    char text[40];
    for (unsigned i = 0; i < 16; i++) snprintf(text + 2 * i, 3, "%02x", block->byte[i]);
    fail_msg("%s, %s: block %s, texel %u", format, codec->name, text, texel);
}

/* ---- the levels against what texels should be ---- */

static void check_bc7(const struct block *block, uint8_t expected[16][4])
{
    uint32_t word[4], texel[16];
    words_of(block, word);
    for (unsigned l = 0; l < levels; l++) {
        codecs[l]->bc7(word, texel);
        for (unsigned i = 0; i < 16; i++)
            for (unsigned c = 0; c < 4; c++)
                if ((texel[i] >> 8 * c & 0xff) != expected[i][c]) fail_at("BC7", codecs[l], block, i);
    }
}

static void check_bc6h(const struct block *block, bool is_signed, uint16_t expected[16][4])
{
    uint32_t word[4], red_green[16], blue_alpha[16];
    words_of(block, word);
    for (unsigned l = 0; l < levels; l++) {
        codecs[l]->bc6h(word, is_signed, red_green, blue_alpha);
        for (unsigned i = 0; i < 16; i++)
            if (red_green[i] != (expected[i][0] | (uint32_t)expected[i][1] << 16) ||
                blue_alpha[i] != (expected[i][2] | (uint32_t)expected[i][3] << 16))
                fail_at(is_signed ? "BC6H, signed" : "BC6H, unsigned", codecs[l], block, i);
    }
}

/* ---- against the reference ---- */

/* How often the blocks of a mode had each partition: all of them, and no other. */
static void check_partitions(const char *format, unsigned mode, const unsigned visits[PARTITIONS], unsigned partitions)
{
    unsigned sum = 0, least = UINT32_MAX;
    for (unsigned p = 0; p < PARTITIONS; p++) {
        assert_int_equal(visits[p] > 0, p < partitions);
        sum += visits[p];
        if (p < partitions && visits[p] < least) least = visits[p];
    }
    printf("# %s, mode %u: %u blocks, at least %u of each of %u partitions\n", format, mode, sum, least, partitions);
}

static void bc7_is_as_written(void **unused)
{
    (void)unused;
    enum { KINDS = 9 }; /* of modes: the last is the reserved one */
    static const unsigned partitions[] = {16, 64, 64, 64, 1, 1, 1, 64}, headers[] = {1, 1, 1, 1, 8, 4, 1, 1};
    static unsigned visits[8][PARTITIONS], selections[8][8], reserved;
    uint64_t seed = 1;
    for (unsigned n = 0; n < KINDS * BLOCKS_BC7; n++) {
        struct block block;
        struct bptc_visit visit;
        uint8_t expected[16][4];
        const unsigned mode = n % KINDS;
        any_block(&seed, &block);
        set_bits(&block, 0, mode < 8 ? mode + 1 : 8, mode < 8 ? 1u << mode : 0);
        bptc_reference_bc7(block.byte, expected, &visit);
        check_bc7(&block, expected);
        assert_int_equal(visit.mode, mode < 8 ? (int)mode : -1);
        if (mode == 8) {
            reserved++;
            continue;
        }
        visits[mode][visit.partition]++;
        selections[mode][visit.rotation + 4 * visit.selection]++;
    }
    assert_int_equal(reserved, BLOCKS_BC7);
    for (unsigned m = 0; m < 8; m++) {
        check_partitions("BC7", m, visits[m], partitions[m]);
        for (unsigned r = 0; r < 8; r++) assert_int_equal(selections[m][r] > 0, r < headers[m]);
    }
}

/* The modes' numbers are their low bits; the last four are reserved. */
static const unsigned float_modes[] = {0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31};
enum { FLOAT_MODES = sizeof float_modes / sizeof float_modes[0], FLOAT_RESERVED = 14, FLOAT_TWO = 10 };

static void bc6h_is_as_written(bool is_signed)
{
    static unsigned visits[FLOAT_MODES][PARTITIONS];
    memset(visits, 0, sizeof visits);
    uint64_t seed = 2 + is_signed;
    for (unsigned n = 0; n < FLOAT_MODES * BLOCKS_BC6H; n++) {
        struct block block;
        struct bptc_visit visit;
        uint16_t expected[16][4];
        const unsigned kind = n % FLOAT_MODES, mode = float_modes[kind];
        any_block(&seed, &block);
        set_bits(&block, 0, mode < 2 ? 2 : 5, mode);
        bptc_reference_bc6h(block.byte, is_signed, expected, &visit);
        check_bc6h(&block, is_signed, expected);
        assert_int_equal(visit.mode, kind < FLOAT_RESERVED ? (int)mode : -1);
        visits[kind][visit.partition]++;
    }
    for (unsigned k = 0; k < FLOAT_MODES; k++)
        check_partitions(is_signed ? "BC6H, signed" : "BC6H, unsigned", float_modes[k], visits[k],
                         k < FLOAT_TWO ? 32 : 1);
}

static void bc6h_unsigned_is_as_written(void **unused)
{
    (void)unused;
    bc6h_is_as_written(false);
}

static void bc6h_signed_is_as_written(void **unused)
{
    (void)unused;
    bc6h_is_as_written(true);
}

/* ---- by hand ---- */

/* Mode 6 from white, P-bits included, to zeros: each index once, in the texels' order. 255 * (64 - weight) / 64. */
static void all_weights_of_mode_6(void **unused)
{
    (void)unused;
    static const uint8_t codes[16] = {255, 239, 219, 203, 187, 171, 151, 135, 120, 104, 84, 68, 52, 36, 16, 0};
    struct block block = {{0}};
    uint8_t expected[16][4];
    set_bits(&block, 6, 1, 1);
    for (unsigned c = 0; c < 4; c++) set_bits(&block, 7 + 14 * c, 7, 127);
    set_bits(&block, 63, 1, 1);
    for (unsigned i = 1; i < 16; i++) set_bits(&block, 65 + 4 * i - 1, 4, i);
    for (unsigned i = 0; i < 16; i++) memset(expected[i], codes[i], 4);
    check_bc7(&block, expected);
}

/* The Data Format's example: mode 2, partition 6, the texel in column 1 of row 2 between endpoints 2 and 3 by the bits
 * 115 and 116. Here endpoint 3's red alone is not 0. */
static void example_of_the_data_format(void **unused)
{
    (void)unused;
    struct block block = {{0}};
    uint8_t expected[16][4];
    set_bits(&block, 2, 1, 1);
    set_bits(&block, 3, 6, 6);
    set_bits(&block, 24, 5, 31);
    set_bits(&block, 115, 2, 3);
    for (unsigned i = 0; i < 16; i++) memcpy(expected[i], (uint8_t[4]){i == 9 ? 255 : 0, 0, 0, 255}, 4);
    check_bc7(&block, expected);
}

/* One color, in each rotation. Mode 5: 7 bits of color 0x55, 0x2a, 0x70, which become 0xab, 0x54, 0xe1; alpha 0x12. */
static void rotations_of_mode_5(void **unused)
{
    (void)unused;
    static const uint8_t colors[4][4] = {
        {0xab, 0x54, 0xe1, 0x12}, {0x12, 0x54, 0xe1, 0xab}, {0xab, 0x12, 0xe1, 0x54}, {0xab, 0x54, 0x12, 0xe1}};
    for (unsigned rotation = 0; rotation < 4; rotation++) {
        struct block block = {{0}};
        uint8_t expected[16][4];
        memset(block.byte + 8, 0xff, 8); /* any indices do */
        set_bits(&block, 5, 1, 1);
        set_bits(&block, 6, 2, rotation);
        for (unsigned e = 0; e < 2; e++) {
            set_bits(&block, 8 + 7 * e, 7, 0x55);
            set_bits(&block, 22 + 7 * e, 7, 0x2a);
            set_bits(&block, 36 + 7 * e, 7, 0x70);
            set_bits(&block, 50 + 8 * e, 8, 0x12);
        }
        for (unsigned i = 0; i < 16; i++) memcpy(expected[i], colors[rotation], 4);
        check_bc7(&block, expected);
    }
}

static void reserved_blocks_are_zeros(void **unused)
{
    (void)unused;
    struct block block;
    uint8_t expected[16][4] = {{0}};
    uint16_t halves[16][4];
    memset(&block, 0xff, sizeof block);
    block.byte[0] = 0;
    check_bc7(&block, expected);
    for (unsigned i = 0; i < 16; i++) memcpy(halves[i], (uint16_t[4]){0, 0, 0, 0x3c00}, 8);
    for (unsigned k = FLOAT_RESERVED; k < FLOAT_MODES; k++) {
        set_bits(&block, 0, 5, float_modes[k]);
        check_bc6h(&block, false, halves);
        check_bc6h(&block, true, halves);
    }
}

/* Mode 3 without a sign, index 0 everywhere: 1023 is the greatest number, 65504; (512.5 * 64) * 31 / 64 = 15887. */
static void largest_of_unsigned(void **unused)
{
    (void)unused;
    struct block block = {{0}};
    uint16_t expected[16][4];
    set_bits(&block, 0, 5, 3);
    set_bits(&block, 5, 10, 1023);
    set_bits(&block, 25, 10, 512);
    for (unsigned i = 0; i < 16; i++) memcpy(expected[i], (uint16_t[4]){0x7bff, 0, 0x3e0f, 0x3c00}, 8);
    check_bc6h(&block, false, expected);
}

/* Mode 15 has all 16 bits of the first endpoint, the upper six turned round. -32768 gives the infinity that is "baked
 * into the format" (19.5.13), 32767 the greatest number; -1 is scaled to 0 before its sign is taken (19.5.13.10). */
static void ends_of_signed(void **unused)
{
    (void)unused;
    static const unsigned first[3] = {0x8000, 0x7fff, 0xffff};
    struct block block = {{0}};
    uint16_t expected[16][4];
    set_bits(&block, 0, 5, 15);
    for (unsigned c = 0; c < 3; c++) {
        set_bits(&block, 5 + 10 * c, 10, first[c]);
        for (unsigned i = 10; i < 16; i++) set_bits(&block, 44 + 10 * c - (i - 10), 1, first[c] >> i);
    }
    for (unsigned i = 0; i < 16; i++) memcpy(expected[i], (uint16_t[4]){0xfc00, 0x7bff, 0, 0x3c00}, 8);
    check_bc6h(&block, true, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bc7_is_as_written),
        cmocka_unit_test(bc6h_unsigned_is_as_written),
        cmocka_unit_test(bc6h_signed_is_as_written),
        cmocka_unit_test(all_weights_of_mode_6),
        cmocka_unit_test(example_of_the_data_format),
        cmocka_unit_test(rotations_of_mode_5),
        cmocka_unit_test(reserved_blocks_are_zeros),
        cmocka_unit_test(largest_of_unsigned),
        cmocka_unit_test(ends_of_signed),
    };
    sch_ops_levels(&levels);
    assert_true(levels <= sizeof codecs / sizeof codecs[0]);
    return cmocka_run_group_tests_name("bptc", tests, NULL, NULL);
}
