/* The ASTC decoder of src/ops (texture/astc.h) at each vector width: against the scalar reference of astc_reference.h
 * on random blocks and on blocks made so that every block mode, partition count, plane, endpoint mode and illegal
 * encoding is visited; and against texels worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../support/astc_reference.h"
#include "../support/random_number.h"
#include "astc_codec.h"

enum { FOOTPRINTS = 14, PROFILES = 3, WIDTHS = 3, TEXELS = 16, MODES = 2048 };
enum { UNTOUCHED = 0x5eed5eed };

static const int footprints[FOOTPRINTS][2] = {{4, 4},  {5, 4},  {5, 5}, {6, 5},  {6, 6},   {8, 5},   {8, 6},
                                              {10, 5}, {10, 6}, {8, 8}, {10, 8}, {10, 10}, {12, 10}, {12, 12}};
static astc_tile_fn *const widths[WIDTHS] = {astc_tile_4, astc_tile_8, astc_tile_16};

static uint64_t seed = 21;
static uint32_t pick(uint32_t below) { return (uint32_t)((random_number(&seed) >> 32) % below); }

/* What has been compared. */
static struct {
    unsigned kind[PROFILES][ASTC_KINDS];
    unsigned footprint[FOOTPRINTS];
    unsigned mode[MODES];
    unsigned endpoint_mode[PROFILES][5][16]; /* of texels, by the number of partitions */
    unsigned partition[5][4];
    unsigned second_channel[4][4]; /* by the number of partitions */
    unsigned value_limit[256], weight_limit[32];
    unsigned mixed_errors; /* tiles with texels that are the error colour and others */
} seen;

static void count(const struct astc_reference *facts, int profile)
{
    if (facts->kind != ASTC_WEIGHTED) return;
    seen.endpoint_mode[profile][facts->partitions][facts->endpoint_mode[facts->partition]]++;
    seen.partition[facts->partitions][facts->partition]++;
}

static void count_block(const struct astc_reference *facts, int footprint, int profile)
{
    seen.footprint[footprint]++;
    seen.kind[profile][facts->kind]++;
    if (facts->mode >= 0) seen.mode[facts->mode]++;
    if (facts->kind != ASTC_WEIGHTED) return;
    if (facts->planes == 2) seen.second_channel[facts->partitions][facts->second_channel]++;
    seen.value_limit[facts->value_limit]++;
    seen.weight_limit[facts->weight_limit]++;
}

struct tile {
    uint32_t word[2][TEXELS];
};

/* The reference's tile; what is not in the block, and second words that the profile has none of, are untouched. */
static void expected_tile(const uint32_t block[4], int footprint, int profile, int x, int y, struct tile *tile)
{
    const int width = footprints[footprint][0], height = footprints[footprint][1];
    struct astc_reference facts;
    unsigned errors = 0, others = 0;
    astc_reference_facts(block, width, height, &facts);
    count_block(&facts, footprint, profile);
    for (int t = 0; t < TEXELS; t++) {
        const int at_x = x + t % 4, at_y = y + t / 4;
        uint32_t word[2];
        tile->word[0][t] = tile->word[1][t] = UNTOUCHED;
        if (at_x < 0 || at_y < 0 || at_x >= width || at_y >= height) continue;
        astc_reference_texel(block, width, height, (enum astc_reference_profile)profile, at_x, at_y, word, &facts);
        count(&facts, profile);
        tile->word[0][t] = word[0];
        if (profile != ASTC_REFERENCE_SRGB) tile->word[1][t] = word[1];
        facts.is_error ? errors++ : others++;
    }
    if (facts.kind == ASTC_WEIGHTED && errors && others) seen.mixed_errors++;
}

static void check_tile(const uint32_t block[4], int footprint, int profile, int x, int y)
{
    struct tile want;
    expected_tile(block, footprint, profile, x, y, &want);
    for (unsigned w = 0; w < WIDTHS; w++) {
        struct tile got;
        for (unsigned t = 0; t < TEXELS; t++) got.word[0][t] = got.word[1][t] = UNTOUCHED;
        widths[w](block, footprints[footprint][0], footprints[footprint][1], profile, x, y, got.word[0], got.word[1]);
        for (int t = 0; t < TEXELS; t++)
            if (want.word[0][t] != got.word[0][t] || want.word[1][t] != got.word[1][t])
                fail_msg(
                    "%d lanes, %dx%d, profile %d, block %08x %08x %08x %08x, texel (%d, %d): %08x %08x, not %08x %08x",
                    4 << w, footprints[footprint][0], footprints[footprint][1], profile, block[0], block[1], block[2],
                    block[3], x + t % 4, y + t / 4, got.word[0][t], got.word[1][t], want.word[0][t], want.word[1][t]);
    }
}

/* A tile that has at least one texel of the block. */
static void check_anywhere(const uint32_t block[4], int footprint, int profile)
{
    const int x = (int)pick((uint32_t)footprints[footprint][0] + 3) - 3;
    const int y = (int)pick((uint32_t)footprints[footprint][1] + 3) - 3;
    check_tile(block, footprint, profile, x, y);
}

/* ---- blocks ---- */

static void any_block(uint32_t block[4])
{
    for (unsigned i = 0; i < 4; i++) block[i] = (uint32_t)(random_number(&seed) >> 32);
}

static void set_bits(uint32_t block[4], unsigned high, unsigned low, uint32_t value)
{
    for (unsigned n = low; n <= high; n++, value >>= 1) {
        block[n / 32] &= ~(UINT32_C(1) << n % 32);
        block[n / 32] |= (value & 1) << n % 32;
    }
}

static enum astc_reference_kind kind_of(const uint32_t block[4], int footprint)
{
    struct astc_reference facts;
    astc_reference_facts(block, footprints[footprint][0], footprints[footprint][1], &facts);
    return facts.kind;
}

/* A random legal block with fields set by `set`; false: none was found. */
typedef void set_fn(uint32_t block[4], const unsigned *wish);
static int legal_block(uint32_t block[4], int footprint, set_fn *set, const unsigned *wish)
{
    for (unsigned i = 0; i < 3000; i++) {
        any_block(block);
        set(block, wish);
        if (kind_of(block, footprint) == ASTC_WEIGHTED) return 1;
    }
    return 0;
}

/* wish: the block mode. */
static void set_mode(uint32_t block[4], const unsigned *wish)
{
    set_bits(block, 10, 0, wish[0]);
    set_bits(block, 12, 11, 0);
    set_bits(block, 16, 13, pick(2) ? 8 : pick(16)); /* a mode of many weights leaves room for few values */
    if (pick(2)) set_bits(block, 16, 15, 0);
}

/* wish: partitions, an endpoint mode for all. Half of them get many bits for their values. */
static void set_one_endpoint_mode(uint32_t block[4], const unsigned *wish)
{
    set_bits(block, 12, 11, wish[0] - 1);
    if (wish[0] == 1) {
        set_bits(block, 16, 13, wish[1]);
    } else {
        set_bits(block, 24, 23, 0);
        set_bits(block, 28, 25, wish[1]);
    }
}

/* wish: partitions, the selector of classes. */
static void set_selector(uint32_t block[4], const unsigned *wish)
{
    set_bits(block, 12, 11, wish[0] - 1);
    set_bits(block, 24, 23, wish[1]);
}

/* wish: partitions; with two planes. */
static void set_planes(uint32_t block[4], const unsigned *wish)
{
    set_bits(block, 12, 11, wish[0] - 1);
    set_bits(block, 10, 10, 1);
    if (wish[0] > 1) set_bits(block, 24, 23, pick(2));
}

/* ---- tests against the reference ---- */

static void random_blocks(void **state)
{
    (void)state;
    for (int i = 0; i < 4000; i++) {
        uint32_t block[4];
        any_block(block);
        check_anywhere(block, i % FOOTPRINTS, (int)pick(PROFILES));
    }
    for (int f = 0; f < FOOTPRINTS; f++) assert_true(seen.footprint[f] > 100);
}

/* Each number of 11 bits, at the largest footprint, where it is a mode, and at a smaller one, where it may be none. */
static void block_modes(void **state)
{
    (void)state;
    unsigned legal = 0;
    for (unsigned mode = 0; mode < MODES; mode++) {
        uint32_t block[4];
        const unsigned wish[] = {mode};
        if (legal_block(block, FOOTPRINTS - 1, set_mode, wish)) {
            legal++;
            check_anywhere(block, FOOTPRINTS - 1, (int)pick(PROFILES));
        } else {
            const enum astc_reference_kind kind = kind_of(block, FOOTPRINTS - 1);
            assert_true(kind >= ASTC_VOID_LDR && kind <= ASTC_TOO_FEW_WEIGHT_BITS);
        }
        any_block(block);
        set_mode(block, wish);
        check_anywhere(block, FOOTPRINTS - 1, (int)pick(PROFILES));
        check_anywhere(block, (int)pick(FOOTPRINTS - 1), (int)pick(PROFILES));
    }
    for (unsigned mode = 0; mode < MODES; mode++)
        assert_true(seen.mode[mode] || (mode & 0x1ff) == 0x1fc); /* a void extent, which is no mode */
    print_message("# %u of %d block modes are legal with 12x12 texels\n", legal, MODES);
    assert_true(legal > MODES / 3);
    static const unsigned char limits[] = {1, 2, 3, 4, 5, 7, 9, 11, 15, 19, 23, 31};
    for (unsigned i = 0; i < sizeof limits; i++) assert_true(seen.weight_limit[limits[i]] > 10);
}

/* Every endpoint mode with every number of partitions that has room for its values, at every profile. */
static void endpoint_modes(void **state)
{
    (void)state;
    for (unsigned partitions = 1; partitions <= 4; partitions++)
        for (unsigned mode = 0; mode < 16; mode++) {
            const unsigned wish[] = {partitions, mode};
            for (int i = 0; i < 30; i++) {
                uint32_t block[4];
                const int footprint = (int)pick(FOOTPRINTS);
                if (partitions * 2 * (mode / 4 + 1) > 18) break;
                assert_true(legal_block(block, footprint, set_one_endpoint_mode, wish));
                check_anywhere(block, footprint, i % PROFILES);
            }
        }
    for (int profile = 0; profile < PROFILES; profile++)
        for (unsigned partitions = 1; partitions <= 4; partitions++)
            for (unsigned mode = 0; mode < 16; mode++)
                if (partitions * 2 * (mode / 4 + 1) <= 18)
                    assert_true(seen.endpoint_mode[profile][partitions][mode] > 20);
    static const unsigned char limits[] = {5, 7, 9, 11, 15, 19, 23, 31, 39, 47, 63, 79, 95, 127, 159, 191, 255};
    for (unsigned i = 0; i < sizeof limits; i++) assert_true(seen.value_limit[limits[i]] > 10);
}

/* Partitions of different modes; at the LDR profiles those of HDR modes alone are the error colour. */
static void mixed_endpoint_modes(void **state)
{
    (void)state;
    for (unsigned partitions = 2; partitions <= 4; partitions++)
        for (unsigned select = 1; select <= 3; select++) {
            const unsigned wish[] = {partitions, select};
            for (int i = 0; i < 60; i++) {
                uint32_t block[4];
                const int footprint = (int)pick(FOOTPRINTS);
                if (partitions * 2 * select > 18) break;
                assert_true(legal_block(block, footprint, set_selector, wish));
                check_anywhere(block, footprint, i % PROFILES);
            }
        }
    for (unsigned partitions = 1; partitions <= 4; partitions++)
        for (unsigned p = 0; p < partitions; p++) assert_true(seen.partition[partitions][p] > 100);
    assert_true(seen.mixed_errors > 50);
}

static void dual_planes(void **state)
{
    (void)state;
    for (unsigned partitions = 1; partitions <= 3; partitions++)
        for (int i = 0; i < 100; i++) {
            uint32_t block[4];
            const unsigned wish[] = {partitions};
            const int footprint = (int)pick(FOOTPRINTS);
            assert_true(legal_block(block, footprint, set_planes, wish));
            check_anywhere(block, footprint, i % PROFILES);
        }
    for (unsigned partitions = 1; partitions <= 3; partitions++)
        for (unsigned c = 0; c < 4; c++) assert_true(seen.second_channel[partitions][c] > 8);
}

/* Void extents with coordinates of which some are equal or all ones, with reserved bits, and with halves that are
 * infinite or the first and the last NaNs of their kinds. */
static void void_extents(void **state)
{
    (void)state;
    static const unsigned char first_bit[] = {12, 25, 38, 51};
    for (int i = 0; i < 600; i++) {
        const uint32_t number[] = {0, pick(8192), 8190, 8191};
        uint32_t block[4];
        any_block(block);
        set_bits(block, 8, 0, 0x1fc);
        if (pick(4)) set_bits(block, 11, 10, 3);
        for (unsigned c = 0; c < 4; c++)
            set_bits(block, first_bit[c] + 12u, first_bit[c], i % 8 ? number[pick(2) + (c & 1) * pick(3)] : 8191);
        static const uint32_t halves[] = {0x7c00, 0x7c01, 0x7dff, 0x7e00, 0x7fff, 0xfc00, 0xfc01, 0xfe00};
        for (unsigned c = 0; c < 4 && i % 4 < 2; c++) set_bits(block, 79 + 16 * c, 64 + 16 * c, halves[pick(8)]);
        check_anywhere(block, (int)pick(FOOTPRINTS), i % PROFILES);
    }
}

/* After the tests above, and with blocks of what random ones seldom are. */
static void illegal_encodings(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; i++) {
        uint32_t block[4];
        const unsigned four = 4;
        any_block(block);
        if (i % 2) set_planes(block, &four);
        check_anywhere(block, FOOTPRINTS - 1 - (int)pick(3), i % PROFILES);
    }
    for (int profile = 0; profile < PROFILES; profile++)
        for (int kind = 0; kind < ASTC_KINDS; kind++) {
            if (profile == 0) print_message("# kind %d: %u\n", kind, seen.kind[0][kind]);
            assert_true(seen.kind[profile][kind] > 10);
        }
}

/* ---- texels worked out by hand ---- */

static void check_constant(const uint32_t block[4], int profile, uint32_t first, uint32_t second)
{
    for (unsigned w = 0; w < WIDTHS; w++) {
        struct tile got;
        widths[w](block, 4, 4, profile, 0, 0, got.word[0], got.word[1]);
        for (unsigned t = 0; t < TEXELS; t++) {
            assert_int_equal(got.word[0][t], first);
            if (profile != ASTC_REFERENCE_SRGB) assert_int_equal(got.word[1][t], second);
        }
    }
}

/* 0, 1/2, one and 0x1234 / 65536; the least numbers, of which the first three have denormal halves. */
static void constant_colors(void **state)
{
    (void)state;
    const uint32_t ldr[4] = {0xfffffdfc, 0xffffffff, 0x80000000, 0x1234ffff};
    check_constant(ldr, ASTC_REFERENCE_LDR, 0x38000000, 0x2c8d3c00);
    check_constant(ldr, ASTC_REFERENCE_HDR, 0x38000000, 0x2c8d3c00);
    check_constant(ldr, ASTC_REFERENCE_SRGB, 0x12ff8000, 0);
    const uint32_t small[4] = {0xfffffdfc, 0xffffffff, 0x00020001, 0x00040003};
    check_constant(small, ASTC_REFERENCE_LDR, 0x02000100, 0x04000300);
    const uint32_t large[4] = {0xfffffdfc, 0xffffffff, 0xfffeffe0, 0xffdf7fff};
    check_constant(large, ASTC_REFERENCE_LDR, 0x3bff3bff, 0x3bfe37ff);
    const uint32_t hdr[4] = {0xfffffffc, 0xffffffff, 0x7bffc000, 0xfe017c00}; /* -2, 65504, infinity, a NaN */
    check_constant(hdr, ASTC_REFERENCE_HDR, 0x7bffc000, 0xfe017c00);
    check_constant(hdr, ASTC_REFERENCE_LDR, 0x00003c00, 0x3c003c00);
    check_constant(hdr, ASTC_REFERENCE_SRGB, 0xffff00ff, 0);
}

/* A 4x4 grid of 2-bit weights (mode 0x042), luminances of 8 bits at bits 17 and 25: 0 and 255 of endpoint mode 0, whose
 * weights 0, 21, 43 and 64 give 0, 21504, 44031 and 65535 of 65536. Weight n is bits 127 - 2n (the lower one) and 126 -
 * 2n. Of endpoint mode 2 the same values are 0 and 0xff0, between which are 21420 = 10 * 2048 + 940 and 43860 = 21 *
 * 2048 + 852; 4 * 940 - 512 is 8 * 0x196, and 4 * 852 - 512 is 8 * 0x16a. 65280 would be a NaN. */
static void gradient(void **state)
{
    (void)state;
    static const uint32_t ldr[4] = {0, 0x3540, 0x395f, 0x3c00}, hdr[4] = {0, 0x2996, 0x556a, 0x7bff};
    uint32_t block[4] = {0};
    set_bits(block, 10, 0, 0x042);
    set_bits(block, 32, 25, 255);
    for (unsigned n = 0; n < TEXELS; n++) set_bits(block, 127 - 2 * n, 126 - 2 * n, (n & 1) << 1 | (n >> 1 & 1));
    for (unsigned w = 0; w < WIDTHS; w++) {
        struct tile got;
        set_bits(block, 16, 13, 0);
        widths[w](block, 4, 4, ASTC_REFERENCE_LDR, 0, 0, got.word[0], got.word[1]);
        for (unsigned t = 0; t < TEXELS; t++) {
            assert_int_equal(got.word[0][t], ldr[t % 4] * 0x10001);
            assert_int_equal(got.word[1][t], ldr[t % 4] | 0x3c000000);
        }
        set_bits(block, 16, 13, 2);
        widths[w](block, 4, 4, ASTC_REFERENCE_HDR, 0, 0, got.word[0], got.word[1]);
        for (unsigned t = 0; t < TEXELS; t++) assert_int_equal(got.word[0][t], hdr[t % 4] * 0x10001);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_colors), cmocka_unit_test(gradient),       cmocka_unit_test(random_blocks),
        cmocka_unit_test(block_modes),     cmocka_unit_test(endpoint_modes), cmocka_unit_test(mixed_endpoint_modes),
        cmocka_unit_test(dual_planes),     cmocka_unit_test(void_extents),   cmocka_unit_test(illegal_encodings)};
    return cmocka_run_group_tests_name("astc", tests, NULL, NULL);
}
