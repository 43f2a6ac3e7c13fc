/* The decoders of FXT1 and ATC (src/ops/texture/fxt1.h, atc.h) at every level: blocks computed by hand, and random ones
 * of every kind against fxt1_reference.c and atc_reference.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/atc_reference.h"
#include "../support/fxt1_reference.h"
#include "../support/random_number.h"
#include "block_codec.h"

enum { BLOCKS = 200000, TEXELS = 16 };

static const struct block_codec *codecs[BLOCK_CODECS];
static unsigned codec_count;
static uint64_t seed = 22;
static uint32_t pick(uint32_t below) { return (uint32_t)((random_number(&seed) >> 32) % below); }

static void any_words(uint32_t words[4])
{
    for (unsigned i = 0; i < 4; i++) words[i] = (uint32_t)(random_number(&seed) >> 32);
}
static void words_bytes(const uint32_t words[4], uint8_t bytes[16])
{
    for (unsigned i = 0; i < 16; i++) bytes[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
}

static void expect_texels(const char *format, const char *level, const uint32_t block[4], const uint32_t got[TEXELS],
                          const uint32_t want[TEXELS])
{
    for (unsigned i = 0; i < TEXELS; i++)
        if (got[i] != want[i])
            fail_msg("%s at %s: block %08x %08x %08x %08x: texel (%u, %u) is %08x, not %08x", format, level, block[0],
                     block[1], block[2], block[3], i % 4, i / 4, got[i], want[i]);
}

static uint32_t word_of(const uint8_t c[4])
{
    return c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
}

/* ---- FXT1 by hand ---- */

static void expect_fxt1(const uint32_t block[4], bool alpha, unsigned half, unsigned count, const uint32_t *want)
{
    uint32_t texel[TEXELS];
    for (unsigned i = 0; i < codec_count; i++) {
        codecs[i]->fxt1(block, alpha, half, texel);
        for (unsigned n = 0; n < count; n++)
            if (texel[n] != want[n]) fail_msg("%s: texel %u is %08x, not %08x", codecs[i]->level, n, texel[n], want[n]);
    }
}

/* color1 is (31, 16, 0), color0 (0, 16, 31): (255, 132, 0) and (0, 132, 255). Texels 0 to 7 and 16 to 23 have the
 * indices 0 to 7. */
static void hi_by_hand(void **state)
{
    (void)state;
    const uint64_t rows = 0xfac688;
    const uint32_t block[4] = {(uint32_t)rows, (uint32_t)(rows << 16), (uint32_t)(rows >> 16),
                               (31u << 10 | 16u << 5) << 15 | 16u << 5 | 31u};
    static const uint32_t want[8] = {0xffff8400, 0xffd5842b, 0xffaa8455, 0xff808480, /* 42.5, 85, 127.5 rounded up */
                                     0xff5584aa, 0xff2b84d5, 0xff0084ff, 0};
    expect_fxt1(block, true, 0, 8, want);
    expect_fxt1(block, true, 1, 8, want);
    static const uint32_t opaque[8] = {0xffff8400, 0xffd5842b, 0xffaa8455, 0xff808480,
                                       0xff5584aa, 0xff2b84d5, 0xff0084ff, 0xff000000};
    expect_fxt1(block, false, 1, 8, opaque);
}

/* Colours 0 to 3 are red, green, blue and (1, 2, 4); indices 0 to 3 on the left, 3 to 0 on the right. Bit 124 is not
 * used. */
static void chroma_by_hand(void **state)
{
    (void)state;
    const uint64_t colors = 31u << 10 | (uint64_t)(31u << 5) << 15 | (uint64_t)31 << 30 |
                            (uint64_t)(1u << 10 | 2u << 5 | 4u) << 45 | UINT64_C(1) << 60 | UINT64_C(2) << 61;
    const uint32_t block[4] = {0xe4, 0x1b, (uint32_t)colors, (uint32_t)(colors >> 32)};
    static const uint32_t left[4] = {0xff0000ff, 0xff00ff00, 0xffff0000, 0xff211008};
    static const uint32_t right[4] = {0xff211008, 0xffff0000, 0xff00ff00, 0xff0000ff};
    expect_fxt1(block, true, 0, 4, left);
    expect_fxt1(block, true, 1, 4, right);
}

/* color0 is (0, 0, 0), color1 (31, 31, 31), color2 and color3 the other way round; glsb of color1 is 1, of color3 0.
 * Without alpha: texel 0 has the index 0, so that color0's green is 000001 = 4; texel 16 the index 2, so that color2's
 * is 111111 and color3's 000000. */
static void mixed_by_hand(void **state)
{
    (void)state;
    const uint64_t colors = UINT64_C(0x7fff) << 15 | UINT64_C(0x7fff) << 30 | UINT64_C(1) << 61 | UINT64_C(1) << 63;
    uint32_t block[4] = {0xe4, 0x4e, (uint32_t)colors, (uint32_t)(colors >> 32)};
    static const uint32_t left[4] = {0xff000400, 0xff555855, 0xffaaabaa, 0xffffffff}; /* 263 / 3, 515 / 3 */
    static const uint32_t right[4] = {0xff555555, 0xff000000, 0xffffffff, 0xffaaaaaa};
    expect_fxt1(block, true, 0, 4, left);
    expect_fxt1(block, true, 1, 4, right);
    /* With alpha: halves truncated, index 3 transparent; color2's green has five bits. */
    block[3] |= 1u << 28;
    static const uint32_t left_alpha[4] = {0xff000000, 0xff7f7f7f, 0xffffffff, 0};
    static const uint32_t right_alpha[4] = {0xff000000, 0, 0xffffffff, 0xff7f7f7f};
    expect_fxt1(block, true, 0, 4, left_alpha);
    expect_fxt1(block, true, 1, 4, right_alpha);
}

/* Colours 0 to 2 are (31, 0, 0, 31), (0, 31, 0, 16) and (0, 0, 31, 0): alpha 255, 132 and 0. */
static void alpha_by_hand(void **state)
{
    (void)state;
    const uint64_t colors = 31u << 10 | (uint64_t)(31u << 5) << 15 | (uint64_t)31 << 30 | UINT64_C(31) << 45 |
                            UINT64_C(16) << 50 | UINT64_C(3) << 61;
    uint32_t block[4] = {0xe4, 0xe4, (uint32_t)colors, (uint32_t)(colors >> 32)};
    static const uint32_t direct[4] = {0xff0000ff, 0x8400ff00, 0x00ff0000, 0};
    expect_fxt1(block, true, 0, 4, direct);
    expect_fxt1(block, true, 1, 4, direct);
    block[3] |= 1u << 28;
    static const uint32_t left[4] = {0xff0000ff, 0xd60055aa, 0xad00aa55, 0x8400ff00}; /* 643 / 3, 520 / 3 */
    static const uint32_t right[4] = {0x00ff0000, 0x2caa5500, 0x5855aa00, 0x8400ff00};
    expect_fxt1(block, true, 0, 4, left);
    expect_fxt1(block, true, 1, 4, right);
}

/* ---- random FXT1 ---- */

static const char *const fxt1_names[FXT1_FORMATS] = {"HI",    "CHROMA",         "MIXED", "MIXED with alpha",
                                                     "ALPHA", "ALPHA with lerp"};

static enum fxt1_format fxt1_texels(const uint32_t block[4], unsigned half, uint32_t want[TEXELS])
{
    enum fxt1_format format = FXT1_FORMATS;
    uint8_t bytes[16], c[4];
    words_bytes(block, bytes);
    for (unsigned i = 0; i < TEXELS; i++) {
        format = fxt1_reference(bytes, 16 * half + i, c);
        want[i] = word_of(c);
    }
    return format;
}

static void check_fxt1(const uint32_t block[4], unsigned half, uint32_t want[TEXELS])
{
    uint32_t got[TEXELS];
    for (unsigned alpha = 2; alpha-- > 0;) {
        for (unsigned i = 0; i < TEXELS && !alpha; i++) want[i] |= 0xff000000;
        for (unsigned i = 0; i < codec_count; i++) {
            memset(got, 0xa5, sizeof got);
            codecs[i]->fxt1(block, alpha, half, got);
            expect_texels(alpha ? "FXT1 RGBA" : "FXT1 RGB", codecs[i]->level, block, got, want);
        }
    }
}

static void fxt1_blocks(void **state)
{
    (void)state;
    /* Bits 127 to 124. */
    static const uint8_t modes[8] = {0, 3, 4, 6, 7, 8, 9, 15};
    uint32_t visits[FXT1_FORMATS] = {0};
    for (uint32_t n = 0; n < BLOCKS; n++) {
        uint32_t block[4], want[TEXELS];
        any_words(block);
        if (pick(4)) block[3] = (block[3] & 0x0fffffff) | (uint32_t)modes[n & 7] << 28;
        if (pick(8) == 0) block[pick(2)] = pick(2) ? UINT32_MAX : 0;
        const unsigned half = n >> 3 & 1;
        visits[fxt1_texels(block, half, want)]++;
        check_fxt1(block, half, want);
    }
    for (unsigned i = 0; i < FXT1_FORMATS; i++) {
        print_message("# FXT1: %s: %u blocks\n", fxt1_names[i], visits[i]);
        assert_true(visits[i] > 10000);
    }
}

/* ---- ATC ---- */

/* The first is (31, 16, 0), the second (0, 32, 31): (255, 132, 0) and (0, 130, 255). */
static void atc_by_hand(void **state)
{
    (void)state;
    uint32_t texel[TEXELS], block[4] = {0, 0, (31u << 10 | 16u << 5) | (32u << 5 | 31u) << 16, 0xe4};
    static const uint32_t four[4] = {0xff0084ff, 0xff5f839f, 0xff9f825f, 0xffff8200};
    static const uint32_t black[4] = {0xff000000, 0xff0064ff, 0xff0084ff, 0xffff8200}; /* 132 - 32 */
    for (unsigned i = 0; i < codec_count; i++) {
        codecs[i]->atc(block + 2, texel);
        assert_memory_equal(texel, four, sizeof four);
        const uint32_t with_black[2] = {block[2] | 0x8000, block[3]};
        codecs[i]->atc(with_black, texel);
        assert_memory_equal(texel, black, sizeof black);
    }
    block[0] = 0x8421;
    block[1] = 0xf0000000;
    for (unsigned i = 0; i < codec_count; i++) {
        codecs[i]->atc_explicit(block, texel);
        assert_int_equal(texel[0], 0x110084ff);
        assert_int_equal(texel[3], 0x88ff8200);
        assert_int_equal(texel[15], 0xff0084ff);
    }
    block[0] = 0 << 8 | 70 | 0xfac6u << 16; /* from 70 to 0; indices from 6, 0, 3, 5 on */
    block[1] = 0;
    for (unsigned i = 0; i < codec_count; i++) {
        codecs[i]->atc_interpolated(block, texel);
        assert_int_equal(texel[0] >> 24, 20);
        assert_int_equal(texel[1] >> 24, 70);
        assert_int_equal(texel[2] >> 24, 50);
        assert_int_equal(texel[3] >> 24, 30);
    }
}

static uint32_t atc_visits[ATC_METHODS];

static void atc_texels(const uint8_t bytes[16], unsigned kind, uint32_t want[TEXELS])
{
    for (unsigned i = 0; i < TEXELS; i++) {
        uint8_t c[4] = {0, 0, 0, 255};
        const enum atc_method method = atc_reference(bytes + 8, i % 4, i / 4, c);
        if (kind == 1) c[3] = atc_reference_explicit(bytes, i % 4, i / 4);
        if (kind == 2) c[3] = atc_reference_interpolated(bytes, i % 4, i / 4);
        want[i] = word_of(c);
        if (i == 0) atc_visits[method]++;
    }
}

static void atc_blocks(void **state)
{
    (void)state;
    static const char *const names[3] = {"ATC", "ATC with explicit alpha", "ATC with interpolated alpha"};
    for (unsigned kind = 0; kind < 3; kind++) {
        memset(atc_visits, 0, sizeof atc_visits);
        for (uint32_t n = 0; n < BLOCKS; n++) {
            uint32_t block[4], want[TEXELS], got[TEXELS];
            uint8_t bytes[16];
            any_words(block);
            if (pick(8) == 0) block[0] = (block[0] & 0xffff0000) | (block[0] & 0xff) * 0x101; /* equal ends */
            words_bytes(block, bytes);
            atc_texels(bytes, kind, want);
            for (unsigned i = 0; i < codec_count; i++) {
                memset(got, 0xa5, sizeof got);
                if (kind == 0) codecs[i]->atc(block + 2, got);
                if (kind == 1) codecs[i]->atc_explicit(block, got);
                if (kind == 2) codecs[i]->atc_interpolated(block, got);
                expect_texels(names[kind], codecs[i]->level, block, got, want);
            }
        }
        print_message("# %s: %u blocks of four colours, %u with black\n", names[kind], atc_visits[ATC_FOUR],
                      atc_visits[ATC_BLACK]);
        assert_true(atc_visits[ATC_FOUR] > BLOCKS / 3 && atc_visits[ATC_BLACK] > BLOCKS / 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hi_by_hand),    cmocka_unit_test(chroma_by_hand), cmocka_unit_test(mixed_by_hand),
        cmocka_unit_test(alpha_by_hand), cmocka_unit_test(fxt1_blocks),    cmocka_unit_test(atc_by_hand),
        cmocka_unit_test(atc_blocks),
    };
    codec_count = block_codecs(codecs);
    return cmocka_run_group_tests_name("fxt1_atc", tests, NULL, NULL);
}
