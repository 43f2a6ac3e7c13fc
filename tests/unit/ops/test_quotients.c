/* The quotients by 255 of src/ops/vec/vec.h at the lane count and with the instructions it is compiled for, against the
 * division itself: every byte; every whole number to 2^24 of the narrow one; of the wide one every 61st to 255 * 2^24,
 * all to 2^16, around 2^24 and the multiples of 255 next to powers of two, or with the argument --all every one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "need_level.h"
#include "ops/vec/vec.h"

enum { W = SCH_LANES };

static uint64_t stride = 61;

static void narrow_quotients(void **unused)
{
    (void)unused;
    for (int32_t at = 0; at <= 1 << 24; at += W) {
        vf32 v = v_f32_from_i32(at + v_lane_i32());
        vf32 expected = v / 255.0f, half = v / 16711680.0f;
        assert_true(v_all((vi32)(v_over_255_f32(v, 1.0f) == expected)));
        assert_true(v_all((vi32)(v_over_255_f32(v, 0x1p-16f) == half)));
    }
}

/* All four bytes, whatever the others are. */
static void bytes(void **unused)
{
    (void)unused;
    for (uint32_t at = 0; at < 256; at += W)
        for (unsigned byte = 0; byte < 4; byte++) {
            const vu32 value = (vu32)v_lane_i32() + at, shift = v_splat_u32(8 * byte);
            const vf32 expected = v_f32_from_i32((vi32)value) / 255.0f;
            for (uint32_t others = 0; others < 256; others += 15) {
                const vu32 words = value << shift | (others * 0x01010101u & ~(v_splat_u32(255) << shift));
                const vi32 same = (vi32)(v_as_u32(v_byte_over_255_f32(words, byte)) == v_as_u32(expected));
                assert_true(v_all(same));
            }
        }
}

/* Of `from` and the numbers behind it, `step` apart. A quotient in double is no nearer to a middle of floats than the
 * exact one by enough to matter: v / 255 repeats its bits every eight places. */
static void check_wide(uint64_t from, uint32_t step)
{
    const uint32_t most = 255u << 24;
    vu32 v = (vu32)v_lane_i32() * step + (uint32_t)from;
    v = v_min_u32(v, v_splat_u32(most));
    vf32 expected = v_f32_from_f64(v_f64_from_u32(v) / (255.0 * 0x1p24));
    assert_true(v_all((vi32)(v_wide_over_255_f32(v, 0x1p-24f) == expected)));
}

static void wide_quotients(void **unused)
{
    (void)unused;
    for (uint64_t at = 0; at <= 255u << 24; at += W * stride) check_wide(at, (uint32_t)stride);
    for (uint64_t at = 0; at < 1 << 16; at += W) check_wide(at, 1);
    for (uint64_t at = (1 << 24) - 4096; at < (1 << 24) + 4096; at += W) check_wide(at, 1);
    for (unsigned power = 0; power < 24; power++)
        for (uint64_t n = ((uint64_t)1 << power) - 1; n <= ((uint64_t)1 << power) + 1; n++) check_wide(n * 255, 1);
}

int main(int argc, char **argv)
{
    if (!level_is_there()) return 0;
    if (argc > 1 && strcmp(argv[1], "--all") == 0) stride = 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(narrow_quotients), cmocka_unit_test(bytes),
                                       cmocka_unit_test(wide_quotients)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
