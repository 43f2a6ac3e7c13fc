/* The decoders of ETC1, ETC2 and EAC (src/ops/texture/etc.h) at every level: the examples of their specification, and
 * random blocks of every mode against etc_reference.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/etc_reference.h"
#include "../support/random_number.h"
#include "block_codec.h"

enum { BLOCKS = 200000, TEXELS = 16 };

static const struct block_codec *codecs[BLOCK_CODECS];
static unsigned codec_count;
static uint64_t seed = 21;
static uint32_t pick(uint32_t below) { return (uint32_t)((random_number(&seed) >> 32) % below); }

/* ---- blocks as numbers ---- */

static void put(uint64_t *block, unsigned first, unsigned last, uint64_t value)
{
    const uint64_t mask = ((UINT64_C(1) << (first - last + 1)) - 1) << last;
    *block = (*block & ~mask) | (value << last & mask);
}

/* The bytes, the highest first, and their words as memory has them. */
static void block_bytes(uint64_t block, uint8_t bytes[8])
{
    for (unsigned i = 0; i < 8; i++) bytes[i] = (uint8_t)(block >> (56 - 8 * i));
}
static void block_words(uint64_t block, uint32_t words[2])
{
    uint8_t b[8];
    block_bytes(block, b);
    for (unsigned i = 0; i < 2; i++)
        words[i] = b[4 * i] | (uint32_t)b[4 * i + 1] << 8 | (uint32_t)b[4 * i + 2] << 16 | (uint32_t)b[4 * i + 3] << 24;
}

/* Makes the sum of the five bits from `first` on and the three behind them lie outside of 0 to 31, or inside. */
static void put_sum(uint64_t *block, unsigned first, bool outside)
{
    for (;;) {
        const int code = (int)pick(32), delta = (int)pick(8) - 4;
        if ((code + delta < 0 || code + delta > 31) != outside) continue;
        put(block, first, first - 4, (uint64_t)code);
        put(block, first - 5, first - 7, (uint64_t)(delta & 7));
        return;
    }
}

static uint64_t any_block(enum etc_mode mode, bool punch_through)
{
    uint64_t block = random_number(&seed);
    if (pick(8) == 0) put(&block, 31, 0, pick(2) ? 0xffff0000 : 0); /* one index everywhere */
    if (!punch_through) put(&block, 33, 33, mode != ETC_INDIVIDUAL);
    if (mode == ETC_INDIVIDUAL) return block;
    if (mode == ETC_T || pick(4) == 0) put_sum(&block, 63, mode == ETC_T);
    if (mode == ETC_H || (mode != ETC_T && pick(4))) put_sum(&block, 55, mode == ETC_H);
    if (mode == ETC_PLANAR || mode == ETC_DIFFERENTIAL) {
        put_sum(&block, 63, false);
        put_sum(&block, 55, false);
        put_sum(&block, 47, mode == ETC_PLANAR);
    } else if (mode == ETC_H) {
        put_sum(&block, 63, false);
    }
    return block;
}

/* ---- texels ---- */

static const char *const modes[ETC_MODES] = {"individual", "differential", "T", "H", "planar"};

static void expect_texels(const char *format, const char *level, uint64_t block, const uint32_t got[TEXELS],
                          const uint32_t want[TEXELS])
{
    for (unsigned i = 0; i < TEXELS; i++)
        if (got[i] != want[i])
            fail_msg("%s at %s: block %016llx: texel (%u, %u) is %08x, not %08x", format, level,
                     (unsigned long long)block, i % 4, i / 4, got[i], want[i]);
}

static enum etc_mode color_texels(uint64_t block, bool punch_through, uint32_t want[TEXELS])
{
    uint8_t bytes[8], c[4];
    enum etc_mode mode = ETC_MODES;
    block_bytes(block, bytes);
    for (unsigned i = 0; i < TEXELS; i++) {
        mode = etc_reference(bytes, punch_through, i % 4, i / 4, c);
        want[i] = c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
    }
    return mode;
}

static void check_color(uint64_t block, bool punch_through, const uint32_t want[TEXELS])
{
    uint32_t words[2], got[TEXELS];
    block_words(block, words);
    for (unsigned i = 0; i < codec_count; i++) {
        memset(got, 0xa5, sizeof got);
        codecs[i]->etc2(words, punch_through, got);
        expect_texels(punch_through ? "ETC2 with punchthrough alpha" : "ETC2", codecs[i]->level, block, got, want);
        if (punch_through) continue;
        memset(got, 0xa5, sizeof got);
        codecs[i]->etc1(words, got);
        expect_texels("ETC1", codecs[i]->level, block, got, want);
    }
}

/* ---- examples of the specification: of the colours that it gives for indices a column of the block has one each.
 * 68 - 18 is 50; the table of `individual' mode's example has 58 there ---- */

/* Indices 3, 2, 0, 1 (-b, -a, +a, +b) from pixel `letter` on. */
static void put_indices(uint64_t *block, unsigned letter)
{
    static const unsigned index[4] = {3, 2, 0, 1};
    for (unsigned i = 0; i < 4; i++) {
        put(block, 16 + letter + i, 16 + letter + i, index[i] >> 1);
        put(block, letter + i, letter + i, index[i] & 1);
    }
}

struct paint {
    uint8_t r, g, b;
};

/* The colours of the column x, from above, in that order of indices. */
static void expect_column(uint64_t block, unsigned x, const struct paint paint[4])
{
    uint32_t words[2], texel[TEXELS];
    block_words(block, words);
    for (unsigned i = 0; i < codec_count; i++) {
        codecs[i]->etc2(words, false, texel);
        for (unsigned y = 0; y < 4; y++)
            assert_int_equal(texel[x + 4 * y], paint[y].r | paint[y].g << 8 | paint[y].b << 16 | 255u << 24);
    }
}

static void individual_example(void **state)
{
    (void)state;
    static const struct paint first[4] = {{8, 127, 93}, {50, 169, 135}, {86, 205, 171}, {128, 247, 213}};
    static const struct paint second[4] = {{230, 43, 128}, {236, 49, 134}, {240, 53, 138}, {246, 59, 144}};
    uint64_t block = 0;
    put(&block, 63, 56, 0x4e), put(&block, 55, 48, 0xb3), put(&block, 47, 40, 0x98);
    put(&block, 39, 37, 4), put(&block, 36, 34, 0);
    put_indices(&block, 0), put_indices(&block, 12);
    expect_column(block, 0, first);
    expect_column(block, 3, second);
}

static void differential_example(void **state)
{
    (void)state;
    static const struct paint first[4] = {{210, 185, 37}, {230, 205, 57}, {248, 223, 75}, {255, 243, 95}};
    static const struct paint second[4] = {{164, 147, 48}, {193, 176, 77}, {219, 202, 103}, {248, 231, 132}};
    uint64_t block = 0;
    put(&block, 63, 59, 29), put(&block, 58, 56, 4), put(&block, 55, 51, 26), put(&block, 50, 48, 5);
    put(&block, 47, 43, 8), put(&block, 42, 40, 3);
    put(&block, 39, 37, 2), put(&block, 36, 34, 3), put(&block, 33, 33, 1);
    put_indices(&block, 4), put_indices(&block, 8);
    expect_column(block, 1, first);
    expect_column(block, 2, second);
}

static void t_example(void **state)
{
    (void)state;
    /* Indices 3, 2, 0, 1. */
    static const struct paint paint[4] = {{36, 172, 189}, {68, 204, 221}, {221, 17, 136}, {100, 236, 253}};
    uint64_t block = 0;
    /* Red 13 is 11 and 01. The bits around them are 111 and 0, so that the sum is 31 + 1. */
    put(&block, 63, 56, 0xf9), put(&block, 55, 48, 0x18), put(&block, 47, 36, 0x4cd);
    put(&block, 35, 34, 2), put(&block, 33, 33, 1), put(&block, 32, 32, 1);
    put_indices(&block, 8);
    expect_column(block, 2, paint);
}

static void h_example(void **state)
{
    (void)state;
    static const struct paint paint[4] = {{36, 172, 189}, {100, 236, 253}, {253, 49, 168}, {189, 0, 104}};
    uint64_t block = 0;
    /* Green 1 is 000 and 1, blue 8 is 1 and 000. Red's sum is 13 + 0; green's is 3 - 4. */
    put(&block, 62, 59, 13), put(&block, 58, 56, 0), put(&block, 52, 52, 1), put(&block, 51, 51, 1);
    put(&block, 55, 53, 0), put(&block, 50, 50, 1), put(&block, 49, 47, 0);
    put(&block, 46, 35, 0x4cd), put(&block, 34, 34, 1), put(&block, 33, 33, 1), put(&block, 32, 32, 0);
    put_indices(&block, 0);
    expect_column(block, 0, paint);
}

static void planar_example(void **state)
{
    (void)state;
    static const struct paint rows[4][4] = {{{48, 129, 251}, {87, 99, 226}, {126, 70, 201}, {164, 40, 175}},
                                            {{77, 153, 234}, {115, 123, 209}, {154, 94, 183}, {193, 64, 158}},
                                            {{105, 177, 217}, {144, 147, 191}, {183, 118, 166}, {221, 88, 141}},
                                            {{134, 201, 199}, {172, 171, 174}, {211, 142, 149}, {250, 112, 124}}};
    uint64_t block = 0;
    put(&block, 62, 57, 12), put(&block, 56, 56, 1), put(&block, 54, 49, 0), put(&block, 48, 48, 1);
    put(&block, 44, 43, 3), put(&block, 41, 39, 6), put(&block, 38, 34, 25), put(&block, 33, 33, 1);
    put(&block, 32, 32, 0), put(&block, 31, 25, 5), put(&block, 24, 19, 37), put(&block, 18, 13, 40);
    put(&block, 12, 6, 112), put(&block, 5, 0, 45);
    /* Blue 62 is 1, 11 and 110. The bits around them are 111 and 0, so that the sum is 31 + 3; red's and green's are
     * 3 + 1 and 0 + 1. */
    put(&block, 47, 45, 7), put(&block, 42, 42, 0);
    for (unsigned x = 0; x < 4; x++) {
        const struct paint column[4] = {rows[0][x], rows[1][x], rows[2][x], rows[3][x]};
        expect_column(block, x, column);
    }
}

/* ---- random blocks ---- */

static void color_blocks(bool punch_through)
{
    uint32_t visits[ETC_MODES][2] = {{0}};
    for (uint32_t n = 0; n < BLOCKS; n++) {
        const uint64_t block = any_block((enum etc_mode)(n % (ETC_MODES + 1) % ETC_MODES), punch_through);
        uint32_t want[TEXELS];
        visits[color_texels(block, punch_through, want)][block >> 33 & 1]++;
        check_color(block, punch_through, want);
    }
    for (unsigned mode = 0; mode < ETC_MODES; mode++)
        print_message("# ETC2%s: %s: %u blocks with bit 33, %u without\n", punch_through ? " A1" : "", modes[mode],
                      visits[mode][1], visits[mode][0]);
    for (unsigned mode = 0; mode < ETC_MODES; mode++)
        if (punch_through)
            assert_true(mode == ETC_INDIVIDUAL || (visits[mode][0] > 10000 && visits[mode][1] > 10000));
        else
            assert_true(visits[mode][mode != ETC_INDIVIDUAL] > 20000);
}
static void opaque_blocks(void **state)
{
    (void)state;
    color_blocks(false);
}
static void punch_through_blocks(void **state)
{
    (void)state;
    color_blocks(true);
}

/* ---- EAC ---- */

static const struct eac_example {
    unsigned base, table, index, multiplier;
    bool is_signed;
    int code; /* of 11 bits */
} examples[] = {
    {103, 13, 3, 2, false, 668},   {103, 13, 3, 0, false, 818}, {255, 15, 0, 1, false, 2020}, /* 2044 - 24 */
    {255, 15, 4, 1, false, 2047},  {0, 15, 3, 1, false, 0},     {60, 13, 3, 2, true, 320},
    {60, 13, 3, 0, true, 470},     {127, 15, 4, 1, true, 1023}, {0x81, 15, 3, 1, true, -1023},
    {0x80, 13, 4, 0, true, -1016}, /* -128 is -127 */
};

static void eac_examples(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof examples / sizeof *examples; n++) {
        const struct eac_example *e = &examples[n];
        uint64_t block = 0;
        put(&block, 63, 56, e->base), put(&block, 55, 52, e->multiplier), put(&block, 51, 48, e->table);
        put(&block, 44, 42, e->index); /* pixel b */
        uint32_t words[2];
        block_words(block, words);
        for (unsigned i = 0; i < codec_count; i++) {
            uint32_t texel[TEXELS] = {0};
            codecs[i]->eac(words, e->is_signed, 0, texel);
            assert_int_equal(texel[4], (uint16_t)e->code);
        }
    }
    /* Alpha: 103 - 20. */
    uint32_t block[4] = {0}, texel[TEXELS];
    uint64_t alpha = 0;
    put(&alpha, 63, 56, 103), put(&alpha, 55, 52, 2), put(&alpha, 51, 48, 13), put(&alpha, 44, 42, 3);
    block_words(alpha, block);
    for (unsigned i = 0; i < codec_count; i++) {
        codecs[i]->etc2_rgba(block, texel);
        assert_int_equal(texel[4] >> 24, 83);
    }
}

/* Every table and multiplier, bases from everywhere and from the ends. */
static uint64_t any_eac(uint32_t n)
{
    static const uint8_t ends[8] = {0, 1, 126, 127, 128, 129, 254, 255};
    uint64_t block = random_number(&seed);
    put(&block, 51, 48, n & 15);
    put(&block, 55, 52, n >> 4 & 15);
    if (pick(4) == 0) put(&block, 63, 56, ends[pick(8)]);
    return block;
}

static void alpha_blocks(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < BLOCKS; n++) {
        const uint64_t color = any_block((enum etc_mode)pick(ETC_MODES), false), alpha = any_eac(n);
        uint32_t words[4], want[TEXELS], got[TEXELS];
        uint8_t bytes[8];
        block_bytes(alpha, bytes);
        block_words(alpha, words);
        block_words(color, words + 2);
        color_texels(color, false, want);
        for (unsigned i = 0; i < TEXELS; i++)
            want[i] = (want[i] & 0xffffff) | (uint32_t)etc_reference_alpha(bytes, i % 4, i / 4) << 24;
        for (unsigned i = 0; i < codec_count; i++) {
            codecs[i]->etc2_rgba(words, got);
            expect_texels("RGBA ETC2", codecs[i]->level, alpha, got, want);
        }
    }
}

static void eac_blocks(bool is_signed)
{
    for (uint32_t n = 0; n < BLOCKS; n++) {
        const uint64_t red = any_eac(n), green = any_eac(n / 3);
        uint32_t words[2][2], want[TEXELS], got[TEXELS];
        uint8_t bytes[2][8];
        block_bytes(red, bytes[0]);
        block_bytes(green, bytes[1]);
        block_words(red, words[0]);
        block_words(green, words[1]);
        for (unsigned i = 0; i < TEXELS; i++)
            want[i] = (uint16_t)etc_reference_eac(bytes[0], is_signed, i % 4, i / 4) |
                      (uint32_t)etc_reference_eac(bytes[1], is_signed, i % 4, i / 4) << 16;
        for (unsigned i = 0; i < codec_count; i++) {
            memset(got, 0, sizeof got);
            codecs[i]->eac(words[0], is_signed, 0, got);
            codecs[i]->eac(words[1], is_signed, 16, got);
            expect_texels(is_signed ? "signed EAC" : "unsigned EAC", codecs[i]->level, red, got, want);
        }
    }
}
static void unsigned_blocks(void **state)
{
    (void)state;
    eac_blocks(false);
}
static void signed_blocks(void **state)
{
    (void)state;
    eac_blocks(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(individual_example),
        cmocka_unit_test(differential_example),
        cmocka_unit_test(t_example),
        cmocka_unit_test(h_example),
        cmocka_unit_test(planar_example),
        cmocka_unit_test(opaque_blocks),
        cmocka_unit_test(punch_through_blocks),
        cmocka_unit_test(eac_examples),
        cmocka_unit_test(alpha_blocks),
        cmocka_unit_test(unsigned_blocks),
        cmocka_unit_test(signed_blocks),
    };
    codec_count = block_codecs(codecs);
    return cmocka_run_group_tests_name("etc", tests, NULL, NULL);
}
