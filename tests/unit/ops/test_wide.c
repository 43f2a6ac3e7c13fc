/* 64-bit operands through the public API: source modifiers, saturate, masks and swizzles that cut a value in two, and
 * conversions at every power of two against references that use integers only. What the opcodes compute otherwise is
 * tested in test_opcodes.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "opcode_runner.h"

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void put(uint32_t word[4], uint64_t xy, uint64_t zw)
{
    word[0] = (uint32_t)xy;
    word[1] = (uint32_t)(xy >> 32);
    word[2] = (uint32_t)zw;
    word[3] = (uint32_t)(zw >> 32);
}

/* ---- one instruction on one set of operands ---- */

struct form {
    const char *instruction;
    uint64_t source[2][2], expected[2]; /* halves xy and zw */
};

static const uint64_t sentinel = (uint64_t)RUN_SENTINEL << 32 | RUN_SENTINEL;

static void check_form(const struct form *form)
{
    uint32_t source[1][RUN_SOURCES][4] = {{{0}}}, result[1][2][4], expected[4];
    for (unsigned s = 0; s < 2; s++) put(source[0][s], form->source[s][0], form->source[s][1]);
    put(expected, form->expected[0], form->expected[1]);
    for (unsigned width = 4; width <= 16; width *= 2) {
        char why[256];
        struct run run = {.instruction = form->instruction,
                          .width = width,
                          .count = 1,
                          .source = (const uint32_t(*)[RUN_SOURCES][4])source};
        if (!run_instruction(&run, result, why)) fail_msg("%s: %s", form->instruction, why);
        if (memcmp(result[0][0], expected, sizeof expected))
            fail_msg("%s at width %u: %08x %08x %08x %08x, not %08x %08x %08x %08x", form->instruction, width,
                     result[0][0][0], result[0][0][1], result[0][0][2], result[0][0][3], expected[0], expected[1],
                     expected[2], expected[3]);
    }
}

#define D(value) double_bits(value)
static const uint64_t one_bits = 0x3ff0000000000000, two_bits = 0x4000000000000000, nan_bits = 0x7ff8000000000000,
                      top_bit = 0x8000000000000000, minus = 0xffffffffffffffff;

static void modifiers(void **state)
{
    (void)state;
    const struct form forms[] = {
        {"DADD TEMP[0], -IN[0], IN[1]", {{D(3.0), D(-4.0)}, {D(1.0), D(1.0)}}, {D(-2.0), D(5.0)}},
        {"DADD TEMP[0], |IN[0]|, IN[1]", {{D(-3.0), D(4.0)}, {D(1.0), D(1.0)}}, {D(4.0), D(5.0)}},
        {"DADD TEMP[0], -|IN[0]|, -IN[1]", {{D(-3.0), D(4.0)}, {D(1.0), D(-1.0)}}, {D(-4.0), D(-3.0)}},
        {"DMAX TEMP[0], -IN[0], -|IN[1]|", {{D(3.0), D(4.0)}, {D(2.0), D(-8.0)}}, {D(-2.0), D(-4.0)}},
        {"DNEG TEMP[0], -|IN[0]|", {{D(-3.0), 0xfff123456789abcd}, {0, 0}}, {D(3.0), nan_bits}},
        {"DABS TEMP[0], -IN[0].zwxy", {{D(3.0), D(-4.0)}, {0, 0}}, {D(4.0), D(3.0)}},
        {"D2F TEMP[0], -IN[0]", {{D(1.0), D(-2.0)}, {0, 0}}, {UINT64_C(0x40000000bf800000), sentinel}},
        {"DSLT TEMP[0], -IN[0], IN[1]",
         {{D(1.0), D(-2.0)}, {D(0.0), D(1.0)}},
         {(uint64_t)RUN_SENTINEL << 32 | 0xffffffff, (uint64_t)RUN_SENTINEL << 32}},
        {"U64ADD TEMP[0], -IN[0], IN[1]", {{1, UINT64_C(0x100000000)}, {0, 0}}, {minus, UINT64_C(0xffffffff00000000)}},
        {"U64ADD TEMP[0], |IN[0]|, IN[1]", {{top_bit | 5, 7}, {1, 1}}, {6, 8}},
        {"I64MAX TEMP[0], -|IN[0]|, -IN[1]", {{top_bit | 5, 7}, {9, 3}}, {(uint64_t)-5, (uint64_t)-3}},
        {"I64DIV TEMP[0], -IN[0], IN[1]", {{7, top_bit}, {2, minus}}, {(uint64_t)-3, top_bit}},
        /* A shift count and an exponent are 32 bits wide: in x and z. */
        {"U64SHL TEMP[0], IN[0], -IN[1]", {{1, 1}, {(uint32_t)-4, (uint32_t)-5}}, {16, 32}},
        {"DLDEXP TEMP[0], -IN[0], -IN[1]", {{D(1.0), D(1.0)}, {(uint32_t)-1, 1}}, {D(-2.0), D(-0.5)}},
        {"I2D TEMP[0], -IN[0]", {{UINT64_C(0xfffffffe00000001), 0}, {0, 0}}, {D(-1.0), D(2.0)}},
        {"F2D TEMP[0], -|IN[0]|", {{UINT64_C(0x40000000bf800000), 0}, {0, 0}}, {D(-1.0), D(-2.0)}},
        {"I642F TEMP[0], -IN[0]", {{1, top_bit}, {0, 0}}, {UINT64_C(0xdf000000bf800000), sentinel}},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) check_form(&forms[i]);
}

static void saturates(void **state)
{
    (void)state;
    const struct form forms[] = {
        {"DADD_SAT TEMP[0], IN[0], IN[1]", {{D(1.0), D(-3.0)}, {D(1.0), D(1.0)}}, {one_bits, 0}},
        {"DMUL_SAT TEMP[0], IN[0], IN[1]", {{D(0.5), D(-0.0)}, {D(0.5), D(1.0)}}, {D(0.25), top_bit}},
        {"DADD_SAT TEMP[0], IN[0], IN[1]", {{nan_bits, 0x7ff0000000000000}, {D(1.0), D(1.0)}}, {0, one_bits}},
        {"DADD_SAT TEMP[0].xy, IN[0], IN[1]", {{0x3fefffffffffffff, 0}, {0, 0}}, {0x3fefffffffffffff, sentinel}},
        {"DMAD_SAT TEMP[0], IN[0], IN[1], IN[1]", {{D(0.5), D(2.0)}, {D(0.5), D(1.0)}}, {D(0.75), one_bits}},
        {"I2D_SAT TEMP[0], IN[0]", {{UINT64_C(0xfffffffe00000001), 0}, {0, 0}}, {one_bits, 0}},
        {"D2F_SAT TEMP[0], IN[0]", {{D(2.0), D(-1.0)}, {0, 0}}, {0x3f800000, sentinel}},
        {"U64ADD_SAT TEMP[0], IN[0], IN[1]", {{two_bits, minus}, {0, 0}}, {two_bits, minus}},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) check_form(&forms[i]);
}

/* Every written channel gets its half of the value; the others keep what they held. */
static void masks(void **state)
{
    (void)state;
    const uint64_t a = UINT64_C(0x1111111122222222), b = UINT64_C(0x3333333344444444),
                   high = UINT64_C(0xffffffff00000000);
    for (unsigned mask = 1; mask < 16; mask++) {
        char text[64] = "U64ADD TEMP[0].", *at = text + strlen(text);
        struct form form = {.instruction = text, .source = {{a, b}, {0, 0}}, .expected = {sentinel, sentinel}};
        const uint64_t whole[2] = {a, b};
        for (unsigned c = 0; c < 4; c++) {
            if (!(mask >> c & 1)) continue;
            *at++ = "xyzw"[c];
            uint64_t part = c & 1 ? high : ~high;
            form.expected[c / 2] = (form.expected[c / 2] & ~part) | (whole[c / 2] & part);
        }
        strcpy(at, ", IN[0], IN[1]");
        check_form(&form);
    }
    const struct form forms[] = {
        {"U64ADD TEMP[0], IN[0].yxwz, IN[1]", {{a, b}, {0, 0}}, {a << 32 | a >> 32, b << 32 | b >> 32}},
        {"U64ADD TEMP[0], IN[0].zyzy, IN[1]", {{a, b}, {0, 0}}, {(b & ~high) | (a & high), (b & ~high) | (a & high)}},
        {"U64ADD TEMP[0], -IN[0].yxwz, IN[1]", {{a, b}, {0, 0}}, {-(a << 32 | a >> 32), -(b << 32 | b >> 32)}},
        {"U64SEQ TEMP[0].xy, IN[0], IN[1]", {{a, b}, {a, b}}, {(sentinel & high) | 0xffffffff, sentinel}},
        {"U64SEQ TEMP[0].zw, IN[0], IN[1]", {{a, b}, {a, a}}, {sentinel, sentinel & high}},
        {"U642F TEMP[0].y, IN[0]", {{3, 4}, {0, 0}}, {UINT64_C(0x40800000) << 32 | RUN_SENTINEL, sentinel}},
        {"U2I64 TEMP[0].zw, IN[0].xyxy", {{UINT64_C(0x700000005), 0}, {0, 0}}, {sentinel, 7}},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) check_form(&forms[i]);
}

/* ---- conversions, by integers ---- */

/* The bits of the binary float with `fraction_bits` that is nearest to magnitude * 2^scale, ties to even. */
static uint64_t round_to_float(bool negative, uint64_t magnitude, int scale, int fraction_bits, int bias)
{
    int total = fraction_bits == 23 ? 31 : 63;
    uint64_t sign = negative ? UINT64_C(1) << total : 0;
    if (!magnitude) return sign;
    int top = 63 - __builtin_clzll(magnitude), exponent = top + scale;
    int lowest = exponent < 1 - bias ? 1 - bias : exponent; /* denormals share the lowest exponent */
    int drop = lowest - fraction_bits - scale;              /* bits of the magnitude below the result's last one */
    uint64_t kept = drop <= 0 ? magnitude << -drop : drop > 63 ? 0 : magnitude >> drop;
    if (drop > 0) {
        unsigned __int128 rest =
            drop > 64 ? magnitude : (unsigned __int128)magnitude & (((unsigned __int128)1 << drop) - 1);
        unsigned __int128 half = drop > 100 ? ~(unsigned __int128)0 : (unsigned __int128)1 << (drop - 1);
        if (rest > half || (rest == half && kept & 1)) kept++;
    }
    uint64_t field = exponent < 1 - bias ? 0 : (uint64_t)(exponent + bias - 1);
    uint64_t bits = (field << fraction_bits) + kept; /* the hidden bit adds one to the exponent, and so does a carry */
    uint64_t infinity = ((UINT64_C(2) * (unsigned)bias + 1) << fraction_bits);
    return sign | (bits > infinity ? infinity : bits);
}

/* The float's value toward zero, saturated to [lowest, highest] of a signed or unsigned integer of `bits`. */
static uint64_t truncate_float(uint64_t word, int fraction_bits, int bias, int bits, bool is_signed)
{
    int total = fraction_bits == 23 ? 31 : 63;
    bool negative = word >> total & 1;
    int field = (int)(word >> fraction_bits & (2 * (unsigned)bias + 1));
    uint64_t fraction = word & ((UINT64_C(1) << fraction_bits) - 1);
    uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, half = UINT64_C(1) << (bits - 1);
    uint64_t highest = is_signed ? half - 1 : all, lowest = is_signed ? half : 0;
    bool special = field == 2 * bias + 1;
    if (special && fraction) return 0;
    int shift = field - bias - fraction_bits;
    uint64_t mantissa = fraction | UINT64_C(1) << fraction_bits;
    bool huge = special || shift > 63 - fraction_bits;
    uint64_t magnitude = !field || shift < -63 ? 0
                         : huge                ? UINT64_MAX
                         : shift < 0           ? mantissa >> -shift
                                               : mantissa << shift;
    if (negative) return huge || magnitude > lowest ? lowest : (0 - magnitude) & all;
    return huge || magnitude > highest ? highest : magnitude;
}

enum { MOST = 16384 };
static uint64_t operands[MOST], results[MOST];
static unsigned operand_count;

static void add(uint64_t value) { assert_true(operand_count < MOST), operands[operand_count++] = value; }

/* Powers of two, sums of two of them, and their neighbours, both signs. */
static void list_integers(void)
{
    operand_count = 0;
    for (unsigned a = 0; a < 64; a++)
        for (unsigned b = 0; b <= a; b++)
            for (int near = -1; near <= 1; near++) {
                uint64_t value = (UINT64_C(1) << a) + (b < a ? UINT64_C(1) << b : 0) + (uint64_t)(int64_t)near;
                add(value);
                if (operand_count < MOST / 2) add(0 - value);
            }
    add(0);
}

/* Every exponent with the fractions that decide: none, one, half, all, and one around each bit. */
static void list_floats(int fraction_bits, int bias)
{
    operand_count = 0;
    uint64_t full = (UINT64_C(1) << fraction_bits) - 1;
    int total = fraction_bits == 23 ? 31 : 63;
    for (int exponent = 0; exponent <= 2 * bias + 1; exponent++) {
        bool in_range = exponent >= bias - 2 && exponent <= bias + 66;
        bool at_float =
            fraction_bits == 52 && ((exponent >= 1023 - 152 && exponent <= 1023 - 124) || exponent == 1023 + 127);
        if (!in_range && !at_float && exponent % 64 && exponent < 2 * bias) continue;
        uint64_t base = (uint64_t)exponent << fraction_bits;
        const uint64_t parts[] = {0, 1, full / 2, full / 2 + 1, full / 2 + 2, full, full - 1};
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
            add(base | parts[p]), add(base | parts[p] | UINT64_C(1) << total);
        for (int bit = 0; bit < fraction_bits && (in_range || at_float); bit++)
            add(base | UINT64_C(1) << bit), add(base | (full ^ ((UINT64_C(1) << bit) - 1)));
    }
}

/* Runs an opcode on all operands, as the half or channel that it reads first. */
static void convert(const char *instruction, bool wide_result)
{
    static uint32_t source[MOST][RUN_SOURCES][4], result[MOST][2][4];
    for (unsigned width = 4; width <= 16; width *= 2) {
        char why[256];
        memset(source, 0, sizeof source);
        for (unsigned i = 0; i < operand_count; i++) put(source[i][0], operands[i], 0);
        struct run run = {.instruction = instruction,
                          .width = width,
                          .count = operand_count,
                          .source = (const uint32_t(*)[RUN_SOURCES][4])source};
        if (!run_instruction(&run, result, why)) fail_msg("%s: %s", instruction, why);
        for (unsigned i = 0; i < operand_count; i++) {
            uint64_t value = result[i][0][0] | (wide_result ? (uint64_t)result[i][0][1] << 32 : 0);
            if (width == 4) results[i] = value;
            assert_true(results[i] == value);
        }
    }
}

static void check(const char *instruction, unsigned i, uint64_t expected)
{
    if (results[i] != expected)
        fail_msg("%s of %016llx: %016llx, not %016llx", instruction, (unsigned long long)operands[i],
                 (unsigned long long)results[i], (unsigned long long)expected);
}

static void integers_to_floats(void **state)
{
    (void)state;
    list_integers();
    convert("U642F TEMP[0], IN[0]", false);
    for (unsigned i = 0; i < operand_count; i++) check("U642F", i, round_to_float(false, operands[i], 0, 23, 127));
    convert("U642D TEMP[0], IN[0]", true);
    for (unsigned i = 0; i < operand_count; i++) check("U642D", i, round_to_float(false, operands[i], 0, 52, 1023));
    for (unsigned to_double = 0; to_double < 2; to_double++) {
        const char *name = to_double ? "I642D" : "I642F";
        convert(to_double ? "I642D TEMP[0], IN[0]" : "I642F TEMP[0], IN[0]", to_double);
        for (unsigned i = 0; i < operand_count; i++) {
            bool negative = operands[i] >> 63;
            uint64_t magnitude = negative ? 0 - operands[i] : operands[i];
            check(name, i, round_to_float(negative, magnitude, 0, to_double ? 52 : 23, to_double ? 1023 : 127));
        }
    }
    for (unsigned i = 0; i < operand_count; i++) operands[i] = (uint32_t)operands[i];
    convert("U2D TEMP[0], IN[0]", true);
    for (unsigned i = 0; i < operand_count; i++) check("U2D", i, round_to_float(false, operands[i], 0, 52, 1023));
    convert("I2D TEMP[0], IN[0]", true);
    for (unsigned i = 0; i < operand_count; i++) {
        bool negative = operands[i] >> 31;
        check("I2D", i, round_to_float(negative, negative ? (uint32_t)(0 - operands[i]) : operands[i], 0, 52, 1023));
    }
    print_message("# %u integers\n", operand_count);
}

static void floats_to_integers(void **state)
{
    (void)state;
    static const struct {
        const char *name, *instruction;
        int fraction_bits, bits;
        bool is_signed;
    } rows[] = {
        {"D2I", "D2I TEMP[0], IN[0]", 52, 32, true},     {"D2U", "D2U TEMP[0], IN[0]", 52, 32, false},
        {"D2I64", "D2I64 TEMP[0], IN[0]", 52, 64, true}, {"D2U64", "D2U64 TEMP[0], IN[0]", 52, 64, false},
        {"F2I64", "F2I64 TEMP[0], IN[0]", 23, 64, true}, {"F2U64", "F2U64 TEMP[0], IN[0]", 23, 64, false},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int bias = rows[r].fraction_bits == 52 ? 1023 : 127;
        list_floats(rows[r].fraction_bits, bias);
        convert(rows[r].instruction, rows[r].bits == 64);
        for (unsigned i = 0; i < operand_count; i++)
            check(rows[r].name, i,
                  truncate_float(operands[i], rows[r].fraction_bits, bias, rows[r].bits, rows[r].is_signed));
    }
    print_message("# %u floats\n", operand_count);
}

/* The value of a finite float as magnitude * 2^scale. */
static uint64_t split(uint64_t word, int fraction_bits, int bias, int *scale)
{
    int field = (int)(word >> fraction_bits & (2 * (unsigned)bias + 1));
    uint64_t fraction = word & ((UINT64_C(1) << fraction_bits) - 1);
    *scale = (field ? field : 1) - bias - fraction_bits;
    return field ? fraction | UINT64_C(1) << fraction_bits : fraction;
}

static void doubles_and_floats(void **state)
{
    (void)state;
    list_floats(52, 1023);
    convert("D2F TEMP[0], IN[0]", false);
    for (unsigned i = 0; i < operand_count; i++) {
        int scale;
        uint64_t magnitude = split(operands[i], 52, 1023, &scale), field = operands[i] >> 52 & 2047;
        bool nan = field == 2047 && operands[i] << 12;
        uint64_t rounded = field == 2047 ? 0x7f800000 | operands[i] >> 63 << 31
                                         : round_to_float(operands[i] >> 63, magnitude, scale, 23, 127);
        check("D2F", i, nan ? 0x7fc00000 : rounded);
    }
    print_message("# %u doubles\n", operand_count);
    list_floats(23, 127);
    convert("F2D TEMP[0], IN[0]", true);
    for (unsigned i = 0; i < operand_count; i++) {
        int scale;
        uint64_t magnitude = split(operands[i], 23, 127, &scale), field = operands[i] >> 23 & 255;
        bool nan = field == 255 && (uint32_t)(operands[i] << 9);
        uint64_t exact = field == 255 ? UINT64_C(0x7ff0000000000000) | operands[i] >> 31 << 63
                                      : round_to_float(operands[i] >> 31, magnitude, scale, 52, 1023);
        check("F2D", i, nan ? nan_bits : exact);
    }
    print_message("# %u floats\n", operand_count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modifiers),
        cmocka_unit_test(saturates),
        cmocka_unit_test(masks),
        cmocka_unit_test(integers_to_floats),
        cmocka_unit_test(floats_to_integers),
        cmocka_unit_test(doubles_and_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
