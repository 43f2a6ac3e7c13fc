/* TGSI text: numbers, what the grammar accepts and how it is printed, what it refuses and where, several reports in one
 * run. Our own small texts only. */
#include "tgsi_support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "isa/errors.h"

/* ---- numbers ---- */

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The C library in the C locale is the oracle. */
static void assert_reads_as_c_does(const char *text)
{
    size_t bytes = strlen(text);
    assert_int_equal(sch_number_scan_decimal(text, bytes), bytes);
    uint64_t as_float = sch_number_read_decimal(text, bytes, SCH_FLOAT_32);
    uint64_t as_double = sch_number_read_decimal(text, bytes, SCH_FLOAT_64);
    if (as_float != float_bits(strtof(text, NULL)) || as_double != double_bits(strtod(text, NULL)))
        print_message("# %.80s\n", text);
    assert_int_equal(as_float, float_bits(strtof(text, NULL)));
    assert_int_equal(as_double, double_bits(strtod(text, NULL)));
}

static void decimals_are_rounded_once(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "0.0",
                                        "1",
                                        ".5",
                                        "1.",
                                        "+1.5e3",
                                        "1E-3",
                                        "16777217",
                                        "16777219",
                                        "9007199254740993",
                                        "9007199254740992.9999999999999999999999999999999999",
                                        "0.1",
                                        "1e-45",
                                        "7.006492321624085e-46",
                                        "7.0064923216240853546186479164495e-46",
                                        "7.0064923216240853546186479164496e-46",
                                        "1.4e-45",
                                        "1e-46",
                                        "3.4028235e38",
                                        "3.4028235677973366e38",
                                        "3.4028235677973367e38",
                                        "3.5e38",
                                        "1e39",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "1e309",
                                        "1e99999999999999999999",
                                        "1e-99999999999999999999",
                                        "0e99999999999999999999",
                                        "4.9406564584124654e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072014e-308",
                                        "1.17549435e-38",
                                        "1.1754942e-38",
                                        "123456789012345678901234567890e-20",
                                        "0.00000000000000000000000000000000000000000000000000000000000001e62",
                                        "100000000000000000000000000000000000000e-38",
                                        "8.5e-46",
                                        "5e-324",
                                        "1e22",
                                        "1e23",
                                        "1e27",
                                        "1e28",
                                        "4503599627370497.5",
                                        "9.5367431640625e-07"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_reads_as_c_does(texts[i]);
}

static void random_decimals_are_rounded_once(void **state)
{
    (void)state;
    uint64_t seed = 7;
    char text[1400];
    for (unsigned i = 0; i < 60000; i++) {
        size_t digits = 1 + random_number(&seed) % (i % 50 ? 25 : 1200), length = 0;
        if (random_number(&seed) & 1) text[length++] = '-';
        size_t point = random_number(&seed) % (digits + 1);
        for (size_t d = 0; d < digits; d++) {
            if (d == point) text[length++] = '.';
            text[length++] = (char)('0' + random_number(&seed) % 10);
        }
        sprintf(text + length, "e%d", (int)(random_number(&seed) % 700) - 350 - (int)(digits > 30 ? digits / 2 : 0));
        assert_reads_as_c_does(text);
    }
}

/* Halfway between two neighbours, and a little beside it, with all digits that this takes. */
static void halves_are_rounded_to_even(void **state)
{
    (void)state;
    uint64_t seed = 9;
    char text[1300];
    for (unsigned i = 0; i < 3000; i++) {
        uint32_t bits = (uint32_t)random_number(&seed) & 0x7fffffff;
        float low;
        memcpy(&low, &bits, sizeof low);
        if (!isfinite(low)) continue;
        double half = ((double)low + (double)nextafterf(low, INFINITY)) / 2;
        if (!isfinite(half)) continue;
        int length = snprintf(text, sizeof text - 2, "%.1100g", half);
        if (strchr(text, 'e')) continue;
        if (!strchr(text, '.')) strcpy(text + length++, ".");
        assert_int_equal(sch_number_read_decimal(text, (size_t)length, SCH_FLOAT_32), float_bits(strtof(text, NULL)));
        strcpy(text + length, "1");
        assert_int_equal(sch_number_read_decimal(text, (size_t)length + 1, SCH_FLOAT_32),
                         float_bits(nextafterf(low, INFINITY)));
    }
}

static void no_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "+", "-", ".", "e5", "1e", "1e+", "inf", "nan", "x", "--1", "-.e1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(sch_number_scan_decimal(texts[i], strlen(texts[i])), 0);
    assert_int_equal(sch_number_scan_decimal("1.5.5", 5), 3);
    assert_int_equal(sch_number_scan_decimal("0x10", 4), 1);
}

static void doubles_in_every_form(void **state)
{
    (void)state;
    static const char *const texts[] = {"1.5",
                                        "-2.5e-300",
                                        "inf",
                                        "-INF",
                                        "Infinity",
                                        "nan",
                                        "-nan",
                                        "0x1p0",
                                        "0X1.8P+3",
                                        "-0x.8p-1073",
                                        "0x1.fffffffffffff8p0",
                                        "0x1.fffffffffffff7ffffffffffp0",
                                        "0x1p-1075",
                                        "0x1.8p-1075",
                                        "0x1p1024",
                                        "0x0.0p99",
                                        "0x123456789abcdef01p-70",
                                        "nan(0x123)",
                                        "0x.00000000000000000000000000000000001p140"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint64_t bits;
        assert_int_equal(sch_number_read_double(texts[i], strlen(texts[i]), &bits), strlen(texts[i]));
        if (bits != double_bits(strtod(texts[i], NULL))) print_message("# %s\n", texts[i]);
        assert_int_equal(bits, double_bits(strtod(texts[i], NULL)));
    }
    uint64_t bits;
    assert_int_equal(sch_number_read_double("snan(0x7)", 9, &bits), 9);
    assert_int_equal(bits, 0x7ff0000000000007);
    assert_int_equal(sch_number_read_double("-snan(0x0)", 10, &bits), 0);
    assert_int_equal(sch_number_read_double("0x", 2, &bits), 0);
    assert_int_equal(sch_number_read_double("0xp1", 4, &bits), 0);
    assert_int_equal(sch_number_read_double("snan", 4, &bits), 0);
    assert_int_equal(sch_number_read_double("nan(0x1", 7, &bits), 3);
}

static void fixed_decimals_are_printf_s(void **state)
{
    (void)state;
    uint64_t seed = 3;
    char text[SCH_NUMBER_BYTES], expected[512];
    for (unsigned i = 0; i < 100000; i++) {
        uint32_t bits = (uint32_t)random_number(&seed);
        if (i & 1) bits = (bits & 0x80ffffff) | (uint32_t)(120 + random_number(&seed) % 30) << 23;
        if (i == 0) bits = 0x80000000;
        float value;
        memcpy(&value, &bits, sizeof value);
        size_t length = sch_number_write_fixed(bits, SCH_FLOAT_32, 4, 10, text);
        if (!isfinite(value)) {
            assert_int_equal(length, 0);
            continue;
        }
        text[length] = 0;
        sprintf(expected, "%10.4f", (double)value);
        assert_string_equal(text, expected);
    }
}

static void written_numbers_read_back(void **state)
{
    (void)state;
    uint64_t seed = 5;
    char text[SCH_NUMBER_BYTES];
    for (unsigned i = 0; i < 100000; i++) {
        uint64_t bits = random_number(&seed), again;
        if (i & 1) bits = (bits & 0x800fffffffffffff) | (uint64_t)(990 + random_number(&seed) % 70) << 52;
        if (i % 16 == 0) bits &= 0x800fffffffffffff; /* denormals */
        if (i % 16 == 2) bits |= 0x7ff0000000000000; /* NaN */
        if (i % 16 == 4) bits = double_bits((double)(int64_t)(bits >> 40) / 1000);
        size_t length = sch_number_write_double(bits, text), blanks = 0;
        assert_true(length > 0 && length < SCH_NUMBER_BYTES);
        while (text[blanks] == ' ') blanks++;
        assert_int_equal(sch_number_read_double(text + blanks, length - blanks, &again), length - blanks);
        assert_int_equal(again, bits);

        length = sch_number_write_float((uint32_t)bits, text);
        for (blanks = 0; length && text[blanks] == ' ';) blanks++;
        if (length)
            assert_int_equal(sch_number_read_decimal(text + blanks, length - blanks, SCH_FLOAT_32), (uint32_t)bits);
    }
}

/* ---- reading and printing ---- */

/* The statement alone in a text. */
static void assert_statement(const char *stage, const char *text, const char *print)
{
    char source[1024], expected[1024];
    snprintf(source, sizeof source, "%s\n%s\n", stage, text);
    snprintf(expected, sizeof expected, "%s\n%s\n", stage, print);
    assert_prints(source, expected);
    assert_prints(expected, expected);
}

static void stages(void **state)
{
    (void)state;
    static const char *const words[] = {"FRAG", "VERT", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP"};
    static const unsigned numbers[] = {SCH_STAGE_FRAGMENT,  SCH_STAGE_VERTEX,    SCH_STAGE_GEOMETRY,
                                       SCH_STAGE_TESS_CTRL, SCH_STAGE_TESS_EVAL, SCH_STAGE_COMPUTE};
    for (size_t i = 0; i < 6; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s\n  0: END\n", words[i]);
        struct reading reading = read_string(text);
        assert_non_null(reading.shader);
        assert_int_equal(reading.shader->stage, numbers[i]);
        release(&reading);
        assert_prints(text, text);
    }
    assert_prints(" \t\n frag end", "FRAG\n  0: END\n");
    assert_refused("", SCH_D_TEXT_STAGE, 1, 1);
    assert_refused("FRAGMENT\nEND\n", SCH_D_TEXT_STAGE, 1, 1);
    assert_refused("\n  END\n", SCH_D_TEXT_STAGE, 2, 3);
    struct reading reading = read_text("FRAG\nEND\n", 10); /* the closing zero of a string */
    assert_non_null(reading.shader);
    release(&reading);
}

static void declarations(void **state)
{
    (void)state;
    assert_statement("FRAG", "dcl in[ 2 ] . xz , generic [ 3 ] , linear , centroid , invariant",
                     "DCL IN[2].xz, GENERIC[3], LINEAR, CENTROID, INVARIANT");
    assert_statement("FRAG", "DCL IN[0], COLOR, COLOR", "DCL IN[0], COLOR, COLOR");
    assert_statement("FRAG", "DCL IN[0..3], ARRAY( 2 ), GENERIC, CONSTANT",
                     "DCL IN[0..3], ARRAY(2), GENERIC[0], CONSTANT");
    assert_statement("FRAG", "DCL IN[0], TEXCOORD", "DCL IN[0], TEXCOORD[0]");
    assert_statement("FRAG", "DCL IN[0], POSITION[0], LINEAR, CENTER", "DCL IN[0], POSITION, LINEAR");
    assert_statement("FRAG", "DCL OUT[0], COLOR[2], CONSTANT", "DCL OUT[0], COLOR[2]");
    assert_statement("FRAG", "DCL OUT[0], COLOR, CONSTANT, SAMPLE", "DCL OUT[0], COLOR, CONSTANT, SAMPLE");
    assert_statement("FRAG", "DCL SV[0], prim_id", "DCL SV[0], PRIM_ID");
    assert_statement("FRAG", "DCL SV[0], TESS_DEFAULT_INNER_LEVEL", "DCL SV[0], TESS_DEFAULT_INNER_LEVEL");
    assert_statement("FRAG", "DCL TEMP[ 8 .. 9 ], ARRAY(1), LOCAL", "DCL TEMP[8..9], ARRAY(1), LOCAL");
    assert_statement("FRAG", "DCL TEMP[0], ARRAY(0)", "DCL TEMP[0]");
    assert_statement("FRAG", "DCL TEMP[0..65535]", "DCL TEMP[0..65535]");
    assert_statement("FRAG", "DCL CONST[1][2..3]", "DCL CONST[1][2..3]");
    assert_statement("FRAG", "DCL HWATOMIC[2][1..3], ARRAY(1)", "DCL HWATOMIC[2][1..3], ARRAY(1)");
    assert_statement("FRAG", "DCL SVIEW[0], SHADOW2D_ARRAY, float", "DCL SVIEW[0], SHADOW2D_ARRAY, FLOAT");
    assert_statement("FRAG", "DCL SVIEW[0..1], 2D, FLOAT, UINT, SINT, UNORM",
                     "DCL SVIEW[0..1], 2D, FLOAT, UINT, SINT, UNORM");
    assert_statement("FRAG", "DCL SVIEW[0], 2D, SNORM, SNORM, SNORM, SNORM", "DCL SVIEW[0], 2D, SNORM");
    assert_statement("FRAG", "DCL IMAGE[0], 2D, RAW, WR", "DCL IMAGE[0], 2D, PIPE_FORMAT_NONE, WR, RAW");
    assert_statement("FRAG", "DCL IMAGE[0], cube, wr, pipe_format_r8g8b8a8_unorm",
                     "DCL IMAGE[0], CUBE, PIPE_FORMAT_R8G8B8A8_UNORM, WR");
    assert_statement("FRAG", "DCL BUFFER[3], ATOMIC", "DCL BUFFER[3], ATOMIC");
    assert_statement("COMP", "DCL MEMORY[0]", "DCL MEMORY[0], GLOBAL");
    assert_statement("COMP", "DCL MEMORY[0], private", "DCL MEMORY[0], PRIVATE");
    assert_statement("COMP", "DCL RES[0..1], 2D_ARRAY, RAW, WR", "DCL RES[0..1], 2D_ARRAY, WR, RAW");
    assert_statement("VERT", "DCL IN[0..3], ARRAY(1)", "DCL IN[0..3], ARRAY(1)");
    assert_statement("VERT", "DCL OUT[0], POSITION, INVARIANT", "DCL OUT[0], POSITION, INVARIANT");
    /* Mesa 7.5 to 8: the interpolation of every declaration, and cylindrical wrap */
    assert_statement("VERT", "DCL IN[0], POSITION, CONSTANT", "DCL IN[0], POSITION");
    assert_statement("VERT", "DCL IN[0], CONSTANT", "DCL IN[0]");
    assert_statement("FRAG", "DCL TEMP[0..3], CONSTANT", "DCL TEMP[0..3]");
    assert_statement("FRAG", "DCL SAMP[0], CONSTANT", "DCL SAMP[0]");
    assert_statement("FRAG", "DCL CONST[0..7], CONSTANT", "DCL CONST[0..7]");
    assert_statement("FRAG", "DCL ADDR[0], CONSTANT", "DCL ADDR[0]");
    assert_statement("FRAG", "DCL IN[0], GENERIC[1], CONSTANT", "DCL IN[0], GENERIC[1], CONSTANT");
}

static void old_wrap_has_no_effect(void **state)
{
    (void)state;
    static const char *const words[] = {"CYLWRAP_X", "cylwrap_xy", "CYLWRAP_XYZW"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[128];
        struct sch_diagnostics list;
        struct sch_ir_shader *shader;
        snprintf(text, sizeof text, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, CENTROID, %s, INVARIANT\n", words[i]);
        sch_diagnostics_init(&list, &sch_allocator_libc, 20);
        const struct sch_limits limits = SCH_LIMITS_DEFAULT;
        assert_int_equal(sch_tgsi_parse(&sch_allocator_libc, &limits, text, strlen(text), &list, &shader), SCH_OK);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.items[0].code, SCH_D_TEXT_NOT_MESAS);
        assert_int_equal(list.items[0].position.column, 45);
        assert_true(shader->declarations[0].has_interpolation && shader->declarations[0].invariant);
        sch_ir_destroy(shader);
        sch_diagnostics_release(&list);
    }
    assert_refused("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, CYLWRAP_\n", SCH_D_TEXT_ATTRIBUTE, 2, 37);
    assert_refused("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, CYLWRAP_XA\n", SCH_D_TEXT_ATTRIBUTE, 2, 37);
}

/* "If Semantic flag is set to 1", "If Interpolate flag is set to 1", INVARIANT and LOCAL: none of them needs
 * another. */
static void declarations_without_a_semantic(void **state)
{
    (void)state;
    assert_statement("FRAG", "DCL IN[7], LINEAR", "DCL IN[7], LINEAR");
    assert_statement("FRAG", "DCL IN[7..9].xy, ARRAY(1), LOCAL, perspective, sample, invariant",
                     "DCL IN[7..9].xy, ARRAY(1), LOCAL, PERSPECTIVE, SAMPLE, INVARIANT");
    assert_statement("FRAG", "DCL IN[7], CONSTANT", "DCL IN[7], CONSTANT");
    assert_statement("FRAG", "DCL IN[7], COLOR", "DCL IN[7], COLOR"); /* the semantic */
    assert_statement("FRAG", "DCL IN[7], LINEAR, INVARIANT", "DCL IN[7], LINEAR, INVARIANT");
    assert_statement("FRAG", "DCL IN[7], CENTROID", "DCL IN[7]"); /* a warning: of no interpolation */
    assert_statement("FRAG", "DCL OUT[1], LOCAL, INVARIANT", "DCL OUT[1], LOCAL, INVARIANT");
    assert_statement("FRAG", "DCL OUT[1], CONSTANT", "DCL OUT[1]"); /* as with a semantic */
    assert_statement("FRAG", "DCL OUT[1], CONSTANT, CENTROID", "DCL OUT[1], CONSTANT, CENTROID");
    assert_statement("FRAG", "DCL SV[0], INVARIANT", "DCL SV[0], INVARIANT"); /* which the check refuses */
    assert_statement("FRAG", "DCL TEMP[0], CONSTANT", "DCL TEMP[0]");
    assert_statement("VERT", "DCL IN[0], PERSPECTIVE", "DCL IN[0]");
    assert_statement("VERT", "DCL OUT[7], INVARIANT", "DCL OUT[7], INVARIANT");
    assert_statement("GEOM", "DCL OUT[7], STREAM(0,1,2,3), INVARIANT", "DCL OUT[7], STREAM(0, 1, 2, 3), INVARIANT");
    assert_statement("GEOM", "DCL OUT[7], STREAM(0,0,0,0)", "DCL OUT[7]");
    assert_refused("VERT\nDCL OUT[7], STREAM(1,1,1,1)\n", SCH_D_TEXT_SEMANTIC, 2, 13);
    assert_refused("FRAG\nDCL IN[7], INVARIANT, LINEAR\n", SCH_D_TEXT_ATTRIBUTE, 2, 23);
    assert_refused("FRAG\nDCL IN[7], LINEAR, GENERIC[7]\n", SCH_D_TEXT_ATTRIBUTE, 2, 20);
    assert_refused("FRAG\nDCL IN[7], LINEARS\n", SCH_D_TEXT_SEMANTIC, 2, 12);
}

static void declarations_per_vertex(void **state)
{
    (void)state;
    assert_statement("GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES", "DCL IN[2][1], PRIM_ID", "DCL IN[][1], PRIM_ID");
    assert_statement("GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES", "DCL IN[], POSITION", "DCL IN[][0..1], POSITION");
    assert_statement("GEOM", "DCL IN[3][1], POSITION", "DCL IN[1], POSITION");
    assert_statement("GEOM", "DCL OUT[0], POSITION, STREAM(3,2,1,0), INVARIANT",
                     "DCL OUT[0], POSITION, STREAM(3, 2, 1, 0), INVARIANT");
    assert_statement("GEOM", "DCL OUT[0], POSITION, STREAM(0,0,0,0)", "DCL OUT[0], POSITION");
    assert_statement("GEOM", "DCL OUT[0], POSITION, STREAM(0,0,0,2)", "DCL OUT[0], POSITION, STREAM(0, 0, 0, 2)");
    assert_statement("GEOM", "DCL OUT[0], POSITION, STREAM(0,0,1,0)", "DCL OUT[0], POSITION, STREAM(0, 0, 1, 0)");
    assert_statement("GEOM", "DCL OUT[0], POSITION, STREAM(0,3,0,0)", "DCL OUT[0], POSITION, STREAM(0, 3, 0, 0)");
    assert_statement("TESS_CTRL", "DCL OUT[][0], GENERIC[1]", "DCL OUT[][0], GENERIC[1]");
    assert_statement("TESS_CTRL", "DCL OUT[4], PATCH", "DCL OUT[4], PATCH");
    assert_statement("TESS_EVAL", "DCL IN[0], TESSOUTER", "DCL IN[0], TESSOUTER");
    assert_statement("TESS_EVAL", "DCL OUT[0], POSITION", "DCL OUT[0], POSITION");
    assert_statement("TESS_EVAL", "DCL IN[0], PRIM_ID", "DCL IN[0], PRIM_ID");
    assert_statement("TESS_EVAL", "DCL IN[][0], GENERIC[1]", "DCL IN[][0], GENERIC[1]");
    assert_statement("TESS_CTRL", "DCL IN[0], PRIM_ID", "DCL IN[0], PRIM_ID");
    assert_refused("GEOM\nDCL IN[][0], POSITION\nPROPERTY GS_INPUT_PRIMITIVE LINES\n", SCH_D_TEXT_EMPTY_BRACKET, 2, 8);
    assert_refused("TESS_EVAL\nDCL IN[0][], POSITION\n", SCH_D_TEXT_EMPTY_BRACKET, 2, 11);
    assert_refused("FRAG\nDCL TEMP[]\n", SCH_D_TEXT_EMPTY_BRACKET, 2, 10);
}

static void properties(void **state)
{
    (void)state;
    assert_statement("FRAG", "property fs_coord_origin lower_left", "PROPERTY FS_COORD_ORIGIN LOWER_LEFT");
    assert_statement("FRAG", "PROPERTY FS_COORD_PIXEL_CENTER INTEGER", "PROPERTY FS_COORD_PIXEL_CENTER INTEGER");
    assert_statement("GEOM", "PROPERTY GS_OUTPUT_PRIMITIVE triangle_strip",
                     "PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP");
    assert_statement("VERT", "PROPERTY NEXT_SHADER tess_ctrl", "PROPERTY NEXT_SHADER TESS_CTRL");
    assert_statement("FRAG", "PROPERTY FS_DEPTH_LAYOUT 4294967295", "PROPERTY FS_DEPTH_LAYOUT 4294967295");
    assert_refused("FRAG\nPROPERTY FOO 1\n", SCH_D_TEXT_PROPERTY, 2, 10);
    assert_refused("FRAG\nPROPERTY FS_COORD_ORIGIN 1\n", SCH_D_TEXT_PROPERTY_VALUE, 2, 26);
    assert_refused("FRAG\nPROPERTY FS_DEPTH_LAYOUT ANY\n", SCH_D_TEXT_PROPERTY_VALUE, 2, 26);
    assert_refused("FRAG\nPROPERTY FS_DEPTH_LAYOUT 1, 2\n", SCH_D_TEXT_CHARACTER, 2, 27);
}

static void immediates(void **state)
{
    (void)state;
    assert_statement("FRAG", "IMM FLT32 { 1 , .5, -2.e1, 1e-4 }",
                     "IMM[0] FLT32 {    1.0000,     0.5000,   -20.0000,     0.0001}");
    assert_statement("FRAG", "imm[ 0 ] flt32 {0x3f800000, 0xFFC00000, 0x00000001, 0x80000000}",
                     "IMM[0] FLT32 {0x3f800000, 0xffc00000, 0x00000001, 0x80000000}");
    assert_statement("FRAG", "IMM FLT32 {0.00390625, 1e30, 1e-20, 1e39}",
                     "IMM[0] FLT32 {0.00390625, 1000000015047466219876688855040.0000, "
                     "0.00000000000000000001, 0x7f800000}");
    assert_statement("FRAG", "IMM UINT32 {0, 1, 007, 4294967295}", "IMM[0] UINT32 {0, 1, 7, 4294967295}");
    assert_statement("FRAG", "IMM INT32 {-2147483648, +2, -0, 2147483647}",
                     "IMM[0] INT32 {-2147483648, 2, 0, 2147483647}");
    assert_statement("FRAG", "IMM FLT64 {0.1, -0x1p-3}", "IMM[0] FLT64 {0.10000000, -0.12500000}");
    assert_statement("FRAG", "IMM FLT64 {inf, nan}", "IMM[0] FLT64 {inf, nan}");
    assert_statement("FRAG", "IMM FLT64 {1e-320, -snan(0x7)}", "IMM[0] FLT64 {0x7e8p-1074, -snan(0x7)}");
    assert_statement("FRAG", "IMM INT64 {-9223372036854775808, 0x7f}", "IMM[0] INT64 {-9223372036854775808, 127}");
    assert_statement("FRAG", "IMM UINT64 {0xffffffffffffffff, 010}", "IMM[0] UINT64 {18446744073709551615, 8}");
    assert_refused("FRAG\nIMM[1] FLT32 {1, 0, 0, 1}\n", SCH_D_TEXT_IMMEDIATE_INDEX, 2, 5);
    assert_refused("FRAG\nIMM FLT16 {1, 0, 0, 1}\n", SCH_D_TEXT_IMMEDIATE_TYPE, 2, 5);
    assert_refused("FRAG\nIMM FLT32 {0x0, 0, 0, 1}\n", SCH_D_TEXT_IMMEDIATE_VALUE, 2, 12);
    assert_refused("FRAG\nIMM FLT32 {0x3f8000000, 0, 0, 1}\n", SCH_D_TEXT_IMMEDIATE_VALUE, 2, 12);
    assert_refused("FRAG\nIMM FLT32 {inf, 0, 0, 1}\n", SCH_D_TEXT_IMMEDIATE_VALUE, 2, 12);
    assert_refused("FRAG\nIMM UINT32 {0x10, 0, 0, 1}\n", SCH_D_TEXT_PUNCTUATION, 2, 14);
    assert_refused("FRAG\nIMM UINT32 {-1, 0, 0, 1}\n", SCH_D_TEXT_IMMEDIATE_VALUE, 2, 13);
    assert_refused("FRAG\nIMM FLT32 {1, 2, 3}\n", SCH_D_TEXT_PUNCTUATION, 2, 19);
    assert_refused("FRAG\nIMM FLT64 {1, 2, 3, 4}\n", SCH_D_TEXT_PUNCTUATION, 2, 16);
}

/* One instruction, labels and all. */
static void assert_instruction(const char *text, const char *print)
{
    char source[512], expected[512];
    snprintf(source, sizeof source, "FRAG\n%s\n", text);
    snprintf(expected, sizeof expected, "FRAG\n  0: %s\n", print);
    assert_prints(source, expected);
    assert_prints(expected, expected);
}

static void operands(void **state)
{
    (void)state;
    assert_instruction("mov temp[0], in[1]", "MOV TEMP[0], IN[1]");
    assert_instruction("12345 : mov\ttemp [ 0 ] . xyzw ,\n - | in[1] . xyzw |", "MOV TEMP[0], -|IN[1]|");
    assert_instruction("MAD_SAT_PRECISE TEMP[0].XZ, IN[0].WZYX, IN[1], -IN[2].xxxx",
                       "MAD_SAT_PRECISE TEMP[0].xz, IN[0].wzyx, IN[1], -IN[2].xxxx");
    assert_instruction("MUL_PRECISE NULL[0], IN[0], IN[1]", "MUL_PRECISE NULL[0], IN[0], IN[1]");
    assert_instruction("MOV TEMP[ADDR[1]], CONST[2][3]", "MOV TEMP[ADDR[1].x], CONST[2][3]");
    assert_instruction("MOV TEMP[0], CONST[ADDR[0].y+2][TEMP[1].z -3](4)",
                       "MOV TEMP[0], CONST[ADDR[0].y+2][TEMP[1].z-3](4)");
    assert_instruction("MOV TEMP[16777215], CONST[ADDR[16777215].x+16777215]",
                       "MOV TEMP[16777215], CONST[ADDR[16777215].x+16777215]");
    assert_instruction("MOV TEMP[ADDR[0].x-16777216], IN[0]", "MOV TEMP[ADDR[0].x-16777216], IN[0]");
    assert_instruction("MOV TEMP[ADDR[0].w-32768](1023)[5].y, IN[ADDR[0].x+0](0)",
                       "MOV TEMP[ADDR[0].w-32768](1023)[5].y, IN[ADDR[0].x]");
    assert_instruction("DFRACEXP TEMP[0], TEMP[1].xy, IN[0]", "DFRACEXP TEMP[0], TEMP[1].xy, IN[0]");
    assert_instruction("TEX TEMP[0], IN[0], SAMP[0], 2d_array_msaa", "TEX TEMP[0], IN[0], SAMP[0], 2D_ARRAY_MSAA");
    assert_instruction("TG4 TEMP[0], IN[0], IMM[0].xxxx, SAMP[ADDR[0].x+1], 2D, IMM[1], IMM[2].zyx",
                       "TG4 TEMP[0], IN[0], IMM[0].xxxx, SAMP[ADDR[0].x+1], 2D, IMM[1].xyz, IMM[2].zyx");
    assert_instruction("TG4 TEMP[0], IN[0], SAMP[0].wyzw, SHADOWCUBE", "TG4 TEMP[0], IN[0], SAMP[0].wyzw, SHADOWCUBE");
    assert_instruction("TG4 TEMP[0], IN[0], SAMP[0], SAMP[1].xyzz, BUFFER, IMM[0].xyz",
                       "TG4 TEMP[0], IN[0], SAMP[0], SAMP[1].xyzz, BUFFER, IMM[0].xyz");
    assert_instruction("TXQS TEMP[0].x, SAMP[0], 2D_MSAA", "TXQS TEMP[0].x, SAMP[0], 2D_MSAA");
    assert_instruction("SAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[0], IMM[0].xyz",
                       "SAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[0], IMM[0].xyz");
    assert_instruction("LOAD TEMP[0], IMAGE[0], IN[0], 2D, volatile, PIPE_FORMAT_R32_UINT, coherent",
                       "LOAD TEMP[0], IMAGE[0], IN[0], COHERENT, VOLATILE, 2D, PIPE_FORMAT_R32_UINT");
    assert_instruction("STORE BUFFER[0].xy, IN[0], IN[1], STREAM_CACHE_POLICY, RESTRICT",
                       "STORE BUFFER[0].xy, IN[0], IN[1], RESTRICT, STREAM_CACHE_POLICY");
    assert_instruction("UIF IN[0].xxxx:7", "UIF IN[0].xxxx :7");
    assert_instruction("CAL : 4294967295", "CAL :4294967295");
}

static void nesting_is_indented(void **state)
{
    (void)state;
    assert_prints("FRAG BGNLOOP :0 UIF IN[0].xxxx :4 BRK ELSE :6 CONT ENDIF ENDLOOP :0 ENDIF END BGNSUB RET ENDSUB",
                  "FRAG\n  0: BGNLOOP :0\n  1:   UIF IN[0].xxxx :4\n  2:     BRK\n  3:   ELSE :6\n  4:     CONT\n"
                  "  5:   ENDIF\n  6: ENDLOOP :0\n  7: ENDIF\n  8: END\n  9: BGNSUB\n 10: RET\n 11: ENDSUB\n");
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned code, line, column;
    } cases[] = {
        {"FRAG\rEND\n", SCH_D_TEXT_CHARACTER, 1, 5},
        {"FRAG\nEND x\n", SCH_D_TEXT_STATEMENT, 2, 5},
        {"FRAG\nEND\nx\n", SCH_D_TEXT_STATEMENT, 3, 1},
        {"FRAG\n/ x\nEND\n", SCH_D_TEXT_STATEMENT, 2, 1},
        {"FRAG\nIMM FLT32 {1,0,0,0}END\n", SCH_D_TEXT_CHARACTER, 2, 20},
        {"FRAG\n0: DCL TEMP[0]\n", SCH_D_TEXT_STATEMENT, 2, 4},
        {"FRAG\nNRM TEMP[0], IN[0]\n", SCH_D_TEXT_UNSETTLED, 2, 1},
        {"FRAG\n  3: CALLNZ_SAT :4\n", SCH_D_TEXT_UNSETTLED, 2, 6},
        {"FRAG\nABS TEMP[0]\n", SCH_D_TEXT_OPERANDS, 2, 12},
        {"FRAG\nABSX TEMP[0]\n", SCH_D_TEXT_STATEMENT, 2, 1},
        {"FRAG\nTXQ_LZ TEMP[0], SAMP[0]\n", SCH_D_TEXT_OPERANDS, 2, 24},
        {"FRAG\nMOV TEMP[0], IN[0].\nEND\n", SCH_D_TEXT_SWIZZLE, 3, 1},
        {"FRAG\nMOV_SATNV TEMP[0], IN[0]\n", SCH_D_TEXT_SUFFIX, 2, 1},
        {"FRAG\nMAD_PRECISE_SAT TEMP[0], IN[0], IN[0], IN[0]\n", SCH_D_TEXT_SUFFIX, 2, 1},
        {"FRAG\nMOV TEMPX[0], IN[0]\n", SCH_D_TEXT_FILE, 2, 5},
        {"FRAG\nMOV TEMP[NULL[0].x], IN[0]\n", SCH_D_TEXT_FILE, 2, 10},
        {"FRAG\nMOV TEMP[RES[0].x], IN[0]\n", SCH_D_TEXT_FILE, 2, 10},
        {"FRAG\nMOV TEMP 0], IN[0]\n", SCH_D_TEXT_PUNCTUATION, 2, 10},
        {"FRAG\nMOV TEMP[-1], IN[0]\n", SCH_D_TEXT_NUMBER, 2, 10},
        {"FRAG\nMOV TEMP[0], IN[ADDR[0].x + 3]\n", SCH_D_TEXT_NUMBER, 2, 29},
        {"FRAG\nMOV TEMP[0], IN[ADDR[0].q]\n", SCH_D_TEXT_SWIZZLE, 2, 25},
        {"FRAG\nMOV TEMP[0], IN[0][0][0]\n", SCH_D_TEXT_PUNCTUATION, 2, 23},
        {"FRAG\nMOV TEMP[0].yx, IN[0]\n", SCH_D_TEXT_MASK, 2, 14},
        {"FRAG\nMOV TEMP[0]., IN[0]\n", SCH_D_TEXT_MASK, 2, 13},
        {"FRAG\nMOV TEMP[0], IN[0].xyzwx\n", SCH_D_TEXT_SWIZZLE, 2, 24},
        {"FRAG\nMOV TEMP[0], |-IN[0]|\n", SCH_D_TEXT_FILE, 2, 15},
        {"FRAG\nMOV TEMP[0], |IN[0]\nEND\n", SCH_D_TEXT_PUNCTUATION, 2, 20},
        {"FRAG\nMOV TEMP[0] IN[0]\n", SCH_D_TEXT_OPERANDS, 2, 13},
        {"FRAG\nADD TEMP[0], IN[0]\nEND\n", SCH_D_TEXT_OPERANDS, 2, 19},
        {"FRAG\nMOV TEMP[0], IN[0], IN[0]\n", SCH_D_TEXT_OPERANDS, 2, 19},
        {"FRAG\nTEX TEMP[0], IN[0], SAMP[0], 4D\n", SCH_D_TEXT_TARGET, 2, 30},
        {"FRAG\nTEX TEMP[0], IN[0], SAMP[0]\n", SCH_D_TEXT_OPERANDS, 2, 28},
        {"FRAG\nTEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xyzz\n", SCH_D_TEXT_SWIZZLE, 2, 44},
        {"FRAG\nLOAD TEMP[0], BUFFER[0], IN[0], FOO\n", SCH_D_TEXT_MEMORY_WORD, 2, 33},
        {"FRAG\nATOMFADD TEMP[0].x, BUFFER[0], IN[0], IN[0], COHERENT\n", SCH_D_TEXT_OPERANDS, 2, 44},
        {"FRAG\nBRK :4\n", SCH_D_TEXT_STATEMENT, 2, 5},
        {"FRAG\nDCL IN[1], FOO\n", SCH_D_TEXT_SEMANTIC, 2, 12},
        {"FRAG\nDCL SV[0], PRIMID\n", SCH_D_TEXT_SEMANTIC, 2, 12},
        {"FRAG\nDCL TEMP[8..9], LOCAL, ARRAY(1)\n", SCH_D_TEXT_SEMANTIC, 2, 24},
        {"FRAG\nDCL SVIEW[0], 2D, UNKNOWN\n", SCH_D_TEXT_RETURN_TYPE, 2, 19},
        {"FRAG\nDCL SVIEW[0], 2D\nEND\n", SCH_D_TEXT_PUNCTUATION, 2, 17},
        {"FRAG\nDCL SVIEW[0], 2D, UINT, LINEAR\n", SCH_D_TEXT_RETURN_TYPE, 2, 25},
        {"FRAG\nDCL IMAGE[0], 2D, R32_UINT\n", SCH_D_TEXT_ATTRIBUTE, 2, 19},
        {"FRAG\nDCL RES[0], 2D, FLOAT\n", SCH_D_TEXT_ATTRIBUTE, 2, 17},
        {"VERT\nDCL IN[0], GENERIC[0], STREAM(0, 0, 0, 0)\n", SCH_D_TEXT_ATTRIBUTE, 2, 24},
        {"FRAG\nDCL IN[0], GENERIC[0], INVARIANT, LINEAR\n", SCH_D_TEXT_ATTRIBUTE, 2, 35},
        {"FRAG\nDCL TEMP[3..2]\n", SCH_D_TEXT_RANGE, 2, 14},
        {"FRAG\nDCL OUT[0], POSITION, STREAM(0, 0, 0, 0)\n", SCH_D_TEXT_ATTRIBUTE, 2, 23},
        {"FRAG\nDCL\n", SCH_D_TEXT_FILE, 3, 1},
        {"FRAG\nIMM[0 FLT32 {1, 0, 0, 0}\n", SCH_D_TEXT_PUNCTUATION, 2, 7},
        {"FRAG\nIMM[0]FLT32 {1, 0, 0, 0}\n", SCH_D_TEXT_PUNCTUATION, 2, 7},
        {"FRAG\nKILL_IF\nEND\n", SCH_D_TEXT_OPERANDS, 2, 8},
        {"FRAG\nKILL_IF\n5\n", SCH_D_TEXT_OPERANDS, 2, 8},
        {"FRAG\nMOV\n  0: MOV TEMP[0], IN[0]\n", SCH_D_TEXT_OPERANDS, 2, 4},
        {"FRAG\nDCL IMAGE[0], 2D, XIPE_FORMAT_R32_UINT\n", SCH_D_TEXT_ATTRIBUTE, 2, 19},
        {"FRAG\nDCL IMAGE[0], 2D, PIPE_FORMATXR32_UINT\n", SCH_D_TEXT_ATTRIBUTE, 2, 19},
        {"FRAG\nDCL IMAGE[0], 2D, PIPE_FORMAT_\n", SCH_D_TEXT_ATTRIBUTE, 2, 19},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i].text, cases[i].code, cases[i].line, cases[i].column);
}

static void assert_warned(const char *text, const unsigned *codes, size_t count, const char *expected);

/* Operands may begin on another line, and signs may stand before them. */
static void operands_on_lines_of_their_own(void **state)
{
    (void)state;
    static const char *const texts[] = {"FRAG\nKILL_IF\n-IN[0]\n", "FRAG\nKILL_IF\n\n  |IN[0]|\n",
                                        "FRAG\nMOV\nTEMP[0],\nIN[0]\n", "FRAG\nADD TEMP[0],\n-IN[0]\n,\n|IN[0]|\n"};
    static const char *const prints[] = {"FRAG\n  0: KILL_IF -IN[0]\n", "FRAG\n  0: KILL_IF |IN[0]|\n",
                                         "FRAG\n  0: MOV TEMP[0], IN[0]\n",
                                         "FRAG\n  0: ADD TEMP[0], -IN[0], |IN[0]|\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_warned(texts[i], NULL, 0, prints[i]);
}

/* What stands in the wrong place is quoted: words up to 40 bytes, other bytes as what they are. */
static void reports_quote_what_they_found(void **state)
{
    (void)state;
    static const struct {
        const char *text, *quoted;
    } rows[] = {
        {"FRAG\nDCL IN[0], 7\n", "not \"7\""},
        {"FRAG\nDCL TEMP[x]\n", "not \"x\""},
        {"FRAG\nDCL TEMP[abcdefghijabcdefghijabcdefghijabcdefghij]\n",
         "not \"abcdefghijabcdefghijabcdefghijabcdefghij\""},
        {"FRAG\nDCL TEMP[abcdefghijabcdefghijabcdefghijabcdefghijk]\n",
         "not \"abcdefghijabcdefghijabcdefghijabcdefghij...\""},
        {"FRAG\nDCL TEMP[!]\n", "not '!'"},
        {"FRAG\nDCL TEMP[~]\n", "not '~'"},
        {"FRAG\nDCL TEMP[\x7f]\n", "not byte 0x7f"},
        {"FRAG\nDCL TEMP[\x01]\n", "not byte 0x01"},
        {"FRAG\nDCL TEMP[\xe9]\n", "not byte 0xe9"},
        {"FRAG\nDCL TEMP[\r]\n", "not a carriage return"},
        {"FRAG\nDCL TEMP[\n0]\n", NULL},
        {"FRAG\nMOV TEMP[\n", "not the end of the text"},
        {"FRAG\nIMM FLT32\n", "not the end of the text"},
        {"FRAG\nDCL SVIEW[0], 2D\nEND\n", "not the end of the line"},
        {"FRAG\nDCL TEMP[]\n", "this bracket cannot be empty"},
        {"FRAG\nDCL IN[][0], GENERIC[0]\n", "this bracket cannot be empty"},
        {"GEOM\nDCL IN[][0], POSITION\n", "an empty bracket needs PROPERTY GS_INPUT_PRIMITIVE before it"},
        {"FRAG\nMOV_abcdefghijabcdefghijabcdefghijabcdef IN[0]\n",
         "\"MOV_abcdefghijabcdefghijabcdefghijabcdef\": the suffixes"},
        {"FRAG\nMOV_abcdefghijabcdefghijabcdefghijabcdefg IN[0]\n",
         "\"MOV_abcdefghijabcdefghijabcdefghijabcdef\": the suffixes"},
        {"FRAG\nXOV_abcdefghijabcdefghijabcdefghijabcdef IN[0]\n",
         "called \"XOV_abcdefghijabcdefghijabcdefghijabcdef\""},
        {"FRAG\nXOV_abcdefghijabcdefghijabcdefghijabcdefg IN[0]\n",
         "called \"XOV_abcdefghijabcdefghijabcdefghijabcdef...\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reading reading = read_string(rows[i].text);
        if (!rows[i].quoted) {
            assert_non_null(reading.shader);
        } else if (!reading.diagnostics.count || !strstr(reading.diagnostics.items[0].message, rows[i].quoted))
            fail_msg("%s: %s", rows[i].text, reading.diagnostics.count ? reading.diagnostics.items[0].message : "-");
        release(&reading);
    }
}

static void warnings(void **state)
{
    (void)state;
    struct reading reading = read_string("FRAG\nDCL IN[0], GENERIC[0], CENTROID\nDCL SVIEW[0], 2D, UINT, SINT\n"
                                         "DCL CONST[0..1][2]\nMOV TEMP[0], TEMP[1](3)\nEND\n");
    static const unsigned codes[] = {SCH_D_TEXT_LOCATION, SCH_D_TEXT_VIEW_TYPES, SCH_D_TEXT_DIMENSION_RANGE,
                                     SCH_D_TEXT_DIRECT_ARRAY_ID};
    assert_non_null(reading.shader);
    assert_int_equal(reading.diagnostics.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(reading.diagnostics.items[i].code, codes[i]);
        assert_int_equal(reading.diagnostics.items[i].severity, SCH_SEVERITY_WARNING);
        assert_int_equal(reading.diagnostics.items[i].position.line, i + 2);
    }
    char *print = print_shader(reading.shader, SCH_FLOAT_TEXT_SOURCE);
    assert_string_equal(print, "FRAG\nDCL IN[0], GENERIC[0]\nDCL SVIEW[0], 2D, UINT\nDCL CONST[0][2]\n"
                               "  0: MOV TEMP[0], TEMP[1]\n  1: END\n");
    free(print);
    release(&reading);
}

/* The reports of a text that is read, all of them warnings. */
static void assert_warned(const char *text, const unsigned *codes, size_t count, const char *expected)
{
    struct reading reading = read_string(text);
    if (!reading.shader) fail_msg("%s: %s", text, reading.diagnostics.items[0].message);
    assert_int_equal(reading.diagnostics.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(reading.diagnostics.items[i].code, codes[i]);
        assert_int_equal(reading.diagnostics.items[i].severity, SCH_SEVERITY_WARNING);
    }
    char *print = print_shader(reading.shader, SCH_FLOAT_TEXT_SOURCE);
    assert_string_equal(print, expected);
    free(print);
    release(&reading);
}

/* What the specification's examples and old texts leave out, or write shorter. Each kind is told once. */
static void short_forms(void **state)
{
    (void)state;
    static const unsigned three[] = {SCH_D_TEXT_NOT_MESAS, SCH_D_TEXT_NOT_MESAS, SCH_D_TEXT_NOT_MESAS};
    assert_warned("FRAG\nMOV TEMP[0], -|IN[0].y|\nMOV TEMP[0], IN[0].xyz\nMOV TEMP[0], IN[0].BGra\n"
                  "MOV TEMP[0], IN[0].wx\nTEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].y\nEND\n",
                  three, 1,
                  "FRAG\n  0: MOV TEMP[0], -|IN[0].yyyy|\n  1: MOV TEMP[0], IN[0].xyzz\n  2: MOV TEMP[0], IN[0].zyxw\n"
                  "  3: MOV TEMP[0], IN[0].wxxx\n  4: TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].yyy\n  5: END\n");
    assert_warned("FRAG\nSAMP2HND TEMP[0], SAMP[0]\nSAMPLE_INFO TEMP[0].x, SVIEW[0].x\nSAMP2HND TEMP[0], SAMP[0]\nEND",
                  three, 3,
                  "FRAG\nIMM[0] FLT32 {0x00000000, 0x00000000, 0x00000000, 0x00000000}\n"
                  "  0: SAMP2HND TEMP[0], SAMP[0], UNKNOWN\n  1: SAMPLE_INFO TEMP[0].x, SVIEW[0].xxxx, IMM[0].xxxx\n"
                  "  2: SAMP2HND TEMP[0], SAMP[0], UNKNOWN\n  3: END\n");
    assert_warned("GEOM\nIMM UINT32 {0, 1, 0, 0}\nEMIT\nEMIT IMM[0].yyyy\nENDPRIM\nEND\n", three, 1,
                  "GEOM\nIMM[0] UINT32 {0, 1, 0, 0}\nIMM[1] FLT32 {0x00000000, 0x00000000, 0x00000000, 0x00000000}\n"
                  "  0: EMIT IMM[1].xxxx\n  1: EMIT IMM[0].yyyy\n  2: ENDPRIM IMM[1].xxxx\n  3: END\n");
}

/* What the steps need stands behind what the text has, and before the first instruction where that is possible; each
 * opcode is told once; labels count what was made. */
static void old_opcodes(void **state)
{
    (void)state;
    static const unsigned codes[] = {SCH_D_TEXT_RETIRED, SCH_D_TEXT_RETIRED, SCH_D_TEXT_NOT_MESAS, SCH_D_TEXT_RETIRED,
                                     SCH_D_TEXT_RETIRED};
    assert_warned("FRAG\nDCL TEMP[0..3]\nDCL TEMP[1]\nIMM FLT32 {2, 0, 0, 0}\nDCL IN[0], COLOR, LINEAR\n"
                  "  0: ABS TEMP[0], -|IN[0].yxwz|\n  1: sub_sat_precise TEMP[1].xy, TEMP[0], -IN[0]\n"
                  "  2: abs TEMP[0].x, TEMP[0]\n  3: CAL :6\n  4: DPH_SAT TEMP[2], -TEMP[0].wzyx, TEMP[1].x\n"
                  "  5: END\n  6: BGNSUB\n  7: SCS TEMP[0].xz, TEMP[0].zzzz\n  8: CAL :9\nENDSUB\n",
                  codes, 5,
                  "FRAG\nDCL TEMP[0..3]\nDCL TEMP[1]\nIMM[0] FLT32 {    2.0000,     0.0000,     0.0000,     0.0000}\n"
                  "DCL IN[0], COLOR, LINEAR\nDCL TEMP[4..5]\n"
                  "IMM[1] FLT32 {    0.0000,     0.0000,     0.0000,     0.0000}\n"
                  "  0: MOV TEMP[0], |IN[0].yxwz|\n  1: ADD_SAT_PRECISE TEMP[1].xy, TEMP[0], IN[0]\n"
                  "  2: MOV TEMP[0].x, |TEMP[0]|\n  3: CAL :7\n  4: DP3 TEMP[4].x, -TEMP[0].wzyx, TEMP[1].xxxx\n"
                  "  5: ADD_SAT TEMP[2], TEMP[4].xxxx, TEMP[1].xxxx\n  6: END\n  7: BGNSUB\n"
                  "  8:   COS TEMP[4].x, TEMP[0].zzzz\n  9:   SIN TEMP[4].y, TEMP[0].zzzz\n"
                  " 10:   MOV TEMP[0].x, TEMP[4]\n 11:   MOV TEMP[0].z, IMM[1].xxxx\n 12:   CAL :13\n 13: ENDSUB\n");
    assert_warned("VERT\nSTR OUT[0], IN[0], IN[0]\nIMM FLT32 {2, 0, 0, 0}\nRCC OUT[0].w, IN[0]\nKILP\nBREAKC IN[0]\n"
                  "TXQ_LZ OUT[0].x, SAMP[0].x, 2D_ARRAY\nEND",
                  (const unsigned[]){SCH_D_TEXT_RETIRED, SCH_D_TEXT_RETIRED, SCH_D_TEXT_RETIRED, SCH_D_TEXT_RETIRED,
                                     SCH_D_TEXT_NOT_MESAS, SCH_D_TEXT_RETIRED},
                  6,
                  "VERT\nDCL TEMP[0..1]\n  0: MOV OUT[0], IMM[1].xxxx\n"
                  "IMM[0] FLT32 {    2.0000,     0.0000,     0.0000,     0.0000}\n"
                  "IMM[1] FLT32 {    1.0000, 0.0000000000000000000542101, 18844670525941219328.0000,     0.0000}\n"
                  "  1: RCP TEMP[0].x, IN[0].xxxx\n  2: MAX TEMP[0].y, |TEMP[0].xxxx|, IMM[1].yyyy\n"
                  "  3: MIN TEMP[0].y, TEMP[0].yyyy, IMM[1].zzzz\n"
                  "  4: CMP OUT[0].w, -TEMP[0].xxxx, TEMP[0].yyyy, -TEMP[0].yyyy\n  5: KILL\n  6: UIF IN[0]\n"
                  "  7:   BRK\n  8: ENDIF\n  9: TXQ OUT[0].x, IMM[1].wwww, SAMP[0].xxxx, 2D_ARRAY\n 10: END\n");
}

/* The limits hold for what is made. */
static void old_opcodes_within_limits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t instructions, registers;
        bool fits;
    } cases[] = {{"FRAG\nXPD TEMP[0], IN[0], IN[0]\nEND\n", 5, 64, true},
                 {"FRAG\nXPD TEMP[0], IN[0], IN[0]\nEND\n", 4, 64, false},
                 {"FRAG\nDCL TEMP[0..61]\nDPH TEMP[0], IN[0], IN[0]\nEND\n", 9, 64, true},
                 {"FRAG\nDCL TEMP[0..62]\nDPH TEMP[0], IN[0], IN[0]\nEND\n", 9, 64, false},
                 {"FRAG\nDCL TEMP[0..62]\nSUB TEMP[0], IN[0], IN[0]\nEND\n", 9, 64, true},
                 {"FRAG\nDCL TEMP[0..32767]\nDPH TEMP[0], IN[0], IN[0]\nEND\n", 9, 65536, true},
                 {"FRAG\nDCL TEMP[0..65534]\nDPH TEMP[0], IN[0], IN[0]\nEND\n", 9, 65536, false},
                 {"FRAG\nDCL TEMP[0..16777213]\nDPH TEMP[0], IN[0], IN[0]\nEND\n", 9, UINT32_MAX, true},
                 {"FRAG\nDCL TEMP[0..16777214]\nDPH TEMP[0], IN[0], IN[0]\nEND\n", 9, UINT32_MAX, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_diagnostics list;
        struct sch_ir_shader *shader;
        limits.instructions = cases[i].instructions;
        limits.registers = cases[i].registers;
        sch_diagnostics_init(&list, &sch_allocator_libc, 10);
        enum sch_result status =
            sch_tgsi_parse(&sch_allocator_libc, &limits, cases[i].text, strlen(cases[i].text), &list, &shader);
        if ((status == SCH_OK) != cases[i].fits) fail_msg("case %zu: %d", i, (int)status);
        assert_int_equal(list.errors != 0, !cases[i].fits);
        if (shader) sch_ir_destroy(shader);
        sch_diagnostics_release(&list);
    }
}

static void every_error_is_reported_once(void **state)
{
    (void)state;
    struct reading reading =
        read_string("FRAG\nDCL IN[0], LINEAL\nFOO TEMP[0], IN[0]\nADD TEMP[0], IN[0]\nIMM[3] FLT32 {1, 2}\n"
                    "MOV TEMP[0],\n  IN[0].xq MOV TEMP[99999999], IN[0]\nMOV TEMP[0], IN[0]\nEND\n");
    static const struct {
        unsigned code, line;
    } expected[] = {{SCH_D_TEXT_SEMANTIC, 2},        {SCH_D_TEXT_STATEMENT, 3}, {SCH_D_TEXT_OPERANDS, 4},
                    {SCH_D_TEXT_IMMEDIATE_INDEX, 5}, {SCH_D_TEXT_SWIZZLE, 7},   {SCH_D_TEXT_NUMBER_RANGE, 7}};
    assert_null(reading.shader);
    assert_int_equal(reading.status, SCH_ERROR_INVALID);
    assert_int_equal(reading.diagnostics.count, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(reading.diagnostics.items[i].code, expected[i].code);
        assert_int_equal(reading.diagnostics.items[i].position.line, expected[i].line);
    }
    assert_string_equal(reading.diagnostics.items[1].line_text, "FOO TEMP[0], IN[0]");
    assert_int_equal(reading.diagnostics.items[1].caret, 0);
    release(&reading);
}

/* Behind an error reading goes on where a statement may begin: behind white space that nothing open precedes. */
static void reading_goes_on_behind_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t errors;
    } rows[] = {{"FRAG\nFOO\nFOO\nEND\n", 2},
                {"FRAG\nFOO FOO FOO\nEND\n", 1}, /* on its line a word is a statement where it is known */
                {"FRAG\nFOO MUV MOV TEMP[99999999], IN[0]\nEND\n", 2},
                {"FRAG\nMOV TEMP[0], IN[0]ADD TEMP[99999999], IN[0], IN[0]\nEND\n", 1}, /* no white space */
                {"FRAG\nFOO x,\n  MOV TEMP[99999999], IN[0]\nEND\n", 1},
                {"FRAG\nFOO x -\n  MOV TEMP[99999999], IN[0]\nEND\n", 1},
                {"FRAG\nFOO x +\n  MOV TEMP[99999999], IN[0]\nEND\n", 1},
                {"FRAG\nFOO x [\n  MOV TEMP[99999999], IN[0]\nEND\n", 1},
                {"FRAG\nFOO x (\n  MOV TEMP[99999999], IN[0]\nEND\n", 1},
                {"FRAG\nFOO x {\n  MOV TEMP[99999999], IN[0]\nEND\n", 1},
                {"FRAG\nFOO x |\n  MOV TEMP[99999999], IN[0]\nEND\n", 1},
                {"FRAG\nFOO x ]\n  MOV TEMP[99999999], IN[0]\nEND\n", 2},
                {"FRAG\nFOO x )\n  MOV TEMP[99999999], IN[0]\nEND\n", 2},
                {"FRAG\nFOO x, y\n  MOV TEMP[99999999], IN[0]\nEND\n", 2},
                {"FRAG\nMOV TEMP[99999999], IN[0] MOV TEMP[99999999], IN[0]\nEND\n", 2},
                {"FRAG\nADD TEMP[0], IN[0]\n , IN[99999999]\nBAR\nEND\n", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reading reading = read_string(rows[i].text);
        assert_null(reading.shader);
        if (reading.diagnostics.errors != rows[i].errors)
            fail_msg("%s: %zu errors", rows[i].text, (size_t)reading.diagnostics.errors);
        release(&reading);
    }
}

/* Properties that tokens may have and no name: the text leaves them out. */
static void nameless_properties_are_not_printed(void **state)
{
    (void)state;
    struct reading reading = read_string("FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nEND\n");
    reading.shader->properties[0].name = 255;
    char *print = print_shader(reading.shader, SCH_FLOAT_TEXT_SOURCE);
    assert_string_equal(print, "FRAG\n  0: END\n");
    free(print);
    release(&reading);
}

static void positions_are_kept(void **state)
{
    (void)state;
    struct reading reading = read_string(
        "FRAG\nDCL TEMP[0]\n  PROPERTY SEPARABLE_PROGRAM 1 IMM FLT32 {1,1,1,1}\n 3: MOV TEMP[0], TEMP[0]\n");
    assert_non_null(reading.shader);
    assert_int_equal(reading.shader->declarations[0].position.line, 2);
    assert_int_equal(reading.shader->properties[0].position.column, 3);
    assert_int_equal(reading.shader->immediates[0].position.column, 32);
    assert_int_equal(reading.shader->instructions[0].position.line, 4);
    assert_int_equal(reading.shader->instructions[0].position.column, 5);
    assert_int_equal(reading.shader->instructions[0].position.offset, 72);
    release(&reading);
}

static void float_styles(void **state)
{
    (void)state;
    const char *text = "FRAG\nIMM FLT32 {0x3f800000, 0x3b800000, 0x7f800000, 0x00000001}\n";
    struct reading reading = read_string(text);
    assert_non_null(reading.shader);
    assert_int_equal(reading.shader->float_style, SCH_FLOAT_TEXT_HEX);
    char *print = print_shader(reading.shader, SCH_FLOAT_TEXT_DECIMAL); /* Mesa's form, lossy on request */
    assert_string_equal(print, "FRAG\nIMM[0] FLT32 {    1.0000,     0.0039, 0x7f800000,     0.0000}\n");
    free(print);
    print = print_shader(reading.shader, SCH_FLOAT_TEXT_SOURCE);
    assert_string_equal(print, "FRAG\nIMM[0] FLT32 {0x3f800000, 0x3b800000, 0x7f800000, 0x00000001}\n");
    free(print);
    release(&reading);

    reading = read_string("FRAG\nIMM FLT32 {1, 0x3f800000, 0, 0}\n");
    assert_int_equal(reading.shader->float_style, SCH_FLOAT_TEXT_DECIMAL);
    print = print_shader(reading.shader, SCH_FLOAT_TEXT_HEX);
    assert_string_equal(print, "FRAG\nIMM[0] FLT32 {0x3f800000, 0x3f800000, 0x00000000, 0x00000000}\n");
    free(print);
    release(&reading);

    reading = read_string("FRAG\nEND\n");
    assert_int_equal(reading.shader->float_style, SCH_FLOAT_TEXT_SOURCE);
    release(&reading);
}

/* A locale with a decimal comma changes nothing. Skips where none is installed. */
static void the_locale_is_not_asked(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    bool set = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !set; i++) set = setlocale(LC_ALL, names[i]);
    if (!set) skip();
    const char *text =
        "FRAG\nIMM[0] FLT32 {    1.5000,     0.1000,    -0.0000,     2.0000}\nIMM[1] FLT64 {1.50000000, 0.10000000}\n";
    char *print = reprint(text, strlen(text));
    setlocale(LC_ALL, "C");
    assert_string_equal(print, text);
    free(print);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_rounded_once),
        cmocka_unit_test(random_decimals_are_rounded_once),
        cmocka_unit_test(halves_are_rounded_to_even),
        cmocka_unit_test(no_numbers),
        cmocka_unit_test(doubles_in_every_form),
        cmocka_unit_test(fixed_decimals_are_printf_s),
        cmocka_unit_test(written_numbers_read_back),
        cmocka_unit_test(stages),
        cmocka_unit_test(declarations),
        cmocka_unit_test(old_wrap_has_no_effect),
        cmocka_unit_test(declarations_without_a_semantic),
        cmocka_unit_test(declarations_per_vertex),
        cmocka_unit_test(properties),
        cmocka_unit_test(immediates),
        cmocka_unit_test(operands),
        cmocka_unit_test(nesting_is_indented),
        cmocka_unit_test(refusals),
        cmocka_unit_test(operands_on_lines_of_their_own),
        cmocka_unit_test(reports_quote_what_they_found),
        cmocka_unit_test(warnings),
        cmocka_unit_test(short_forms),
        cmocka_unit_test(old_opcodes),
        cmocka_unit_test(old_opcodes_within_limits),
        cmocka_unit_test(every_error_is_reported_once),
        cmocka_unit_test(reading_goes_on_behind_errors),
        cmocka_unit_test(nameless_properties_are_not_printed),
        cmocka_unit_test(positions_are_kept),
        cmocka_unit_test(float_styles),
        cmocka_unit_test(the_locale_is_not_asked),
    };
    return cmocka_run_group_tests_name("tgsi_text", tests, NULL, NULL);
}
