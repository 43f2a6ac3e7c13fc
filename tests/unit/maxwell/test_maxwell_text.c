/* Maxwell's texture instructions as text: the pages' examples, every way to write them, the place and number of each
 * error, and each restriction broken and kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/errors.h"
#include "maxwell/text/tables.h"
#include "maxwell/text/text.h"

struct reading {
    enum sch_result status;
    size_t used;
    unsigned code;         /* of the first report; 0: none */
    uint32_t line, column; /* its place */
    char message[160];
    struct sch_maxwell_instruction instruction;
    struct sch_maxwell_schedule schedule;
};

static struct reading read_bytes(const char *text, size_t bytes)
{
    struct reading reading = {.code = 0};
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    reading.status = sch_maxwell_parse(text, bytes, (struct sch_position){.line = 1, .column = 1}, &list,
                                       &reading.instruction, &reading.schedule, &reading.used);
    assert_int_equal(list.count, reading.status == SCH_OK ? 0 : 1);
    if (list.count) {
        reading.code = list.items[0].code;
        reading.line = list.items[0].position.line;
        reading.column = list.items[0].position.column;
        snprintf(reading.message, sizeof reading.message, "%s", list.items[0].message);
    }
    sch_diagnostics_release(&list);
    return reading;
}

static struct reading read_text(const char *text) { return read_bytes(text, strlen(text)); }

static void check_print(const char *text, enum sch_maxwell_text_style style, const char *expected)
{
    struct reading reading = read_text(text);
    if (reading.status != SCH_OK) print_message("# %s: %u %s\n", text, reading.code, reading.message);
    assert_int_equal(reading.status, SCH_OK);
    char line[SCH_MAXWELL_LINE];
    sch_maxwell_print(&reading.instruction, style, &reading.schedule, line);
    assert_string_equal(line, expected);
}

static void check_word(const char *text, enum sch_maxwell_arch arch, uint64_t expected)
{
    struct reading reading = read_text(text);
    uint64_t word = 0;
    assert_int_equal(reading.status, SCH_OK);
    assert_true(sch_maxwell_encode(&reading.instruction, arch, &word));
    assert_int_equal(word, expected);
}

/* ---- what the pages show ---- */

/* The words were assembled by hand; the TMML page's "6, 2D", the TXQ page's and the TLDS page's examples. */
static void examples_of_the_pages(void **state)
{
    (void)state;
    check_word("TMML.LOD R2, R6, 6, 2D, 0x3;", SCH_MAXWELL_SM_50, 0xdf580061a0070602);
    check_word("TXQ  R0, R6, TEX_HEADER_DIMENSION, 0, 0xf;", SCH_MAXWELL_SM_50, 0xdf48000780470600);
    check_word("TLDS.LZ      R0, R4, R9, R11, 0x7, 2D, RGBA;", SCH_MAXWELL_SM_50, 0xda50007000b70904);
    check_word("TLDS.LZ.MS RZ, R9, R6, R11, 0x0, 2D, R;", SCH_MAXWELL_SM_50, 0xdac0000ff0b70609);
}

static void examples_print_as_the_pages_write_them(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "TMML.LOD R2, R6, 6, 2D, 0x3;",
        "TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf;",
        "TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;",
        "TLDS.LZ.MS RZ, R9, R6, R11, 0x0, 2D, R;",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) check_print(lines[i], SCH_MAXWELL_TEXT_ISA, lines[i]);
    check_print(lines[0], SCH_MAXWELL_TEXT_NVDISASM, "TMML.LOD R2, R6, 0x6, 2D, 0x3;");
}

/* TLDS: "reads R9 & R11; writes R0, R1, R4, & R5" and "reads R6, R7, & R11; writes R9". */
static void examples_touch_the_registers_that_the_page_says(void **state)
{
    (void)state;
    struct sch_maxwell_packing packing;
    struct reading reading = read_text("TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;");
    sch_maxwell_operands(&reading.instruction, &packing);
    assert_int_equal(packing.a_count, 1);
    assert_int_equal(packing.b_count, 1);
    assert_int_equal(packing.result[0].first, 4);
    assert_int_equal(packing.result[0].count, 2);
    assert_int_equal(packing.result[1].first, 0);
    assert_int_equal(packing.result[1].count, 2);
    reading = read_text("TLDS.LZ.MS RZ, R9, R6, R11, 0x0, 2D, R;");
    sch_maxwell_operands(&reading.instruction, &packing);
    assert_int_equal(packing.a_count, 2);
    assert_int_equal(packing.b_count, 1);
    assert_int_equal(packing.b[0], SCH_MAXWELL_ROLE_SAMPLE);
    assert_int_equal(packing.result[0].first, 9);
    assert_int_equal(packing.result[0].count, 1);
    assert_int_equal(packing.result[1].count, 0);
}

/* Every way to write an instruction, and what nvdisasm prints for it. */
static const struct {
    const char *text, *print;
} spellings[] = {
    /* guards */
    {"@P3 TXQ R0, R6, TEX_HEADER_DIMENSION, 0x5, 0x1;", "@P3 TXQ R0, R6, TEX_HEADER_DIMENSION, 0x5, 0x1;"},
    {"@!P0 TXQ R0, R6, TEX_HEADER_DIMENSION, 0x5, 0x1;", "@!P0 TXQ R0, R6, TEX_HEADER_DIMENSION, 0x5, 0x1;"},
    {"@!PT TXQ R0, R6, TEX_HEADER_DIMENSION, 0x5, 0x1;", "@!PT TXQ R0, R6, TEX_HEADER_DIMENSION, 0x5, 0x1;"},
    {"@PT TXQ R0, R6, TEX_HEADER_DIMENSION, 0x5, 0x1;", "TXQ R0, R6, TEX_HEADER_DIMENSION, 0x5, 0x1;"},
    /* white space, no semicolon */
    {"\f\vTXQ\fR0\v,\fR6\v\f, TEX_HEADER_DIMENSION,0x5 ,0x1", "TXQ R0, R6, TEX_HEADER_DIMENSION, 0x5, 0x1;"},
    {"\t TXQ\n R0 ,R6\r\n, TEX_HEADER_DIMENSION,0x5 ,0x1", "TXQ R0, R6, TEX_HEADER_DIMENSION, 0x5, 0x1;"},
    /* [TMML] "#wmskU04 defaults to 0xf"; decimal and hexadecimal; {Rb} is optional and RZ may stand for it */
    {"TMML.LOD R4, R8, 0x10, 3D;", "TMML.LOD R4, R8, 0x10, 3D, 0xf;"},
    {"TMML.LOD R4, R8, RZ, 16, 3D, 15;", "TMML.LOD R4, R8, 0x10, 3D, 0xf;"},
    {"TMML.LOD R4, R8, 0X1fFf, CUBE, RG;", "TMML.LOD R4, R8, 0x1fff, CUBE, 0x3;"},
    {"TMML.LOD R4, R8, 8191, CUBE, BA;", "TMML.LOD R4, R8, 0x1fff, CUBE, 0xc;"},
    {"TMML.LOD R4, R8, 0, ARRAY_CUBE, 0;", "TMML.LOD R4, R8, 0x0, ARRAY_CUBE, 0x0;"},
    /* "#tsPtrIdxU13 = {#smpU05, #tidU08}" */
    {"TMML.LOD R4, R8, 1, 2, 2D, 0x3;", "TMML.LOD R4, R8, 0x201, 2D, 0x3;"},
    {"TMML.LOD R4, R8, RZ, 255, 31, 2D;", "TMML.LOD R4, R8, 0x1fff, 2D, 0xf;"},
    {"TXQ R4, R8, TEX_HEADER_SAMPLER_POS, 1, 2, 0x3;", "TXQ R4, R8, TEX_HEADER_SAMPLER_POS, 0x201, 0x3;"},
    {"TXQ R4, R8, TEX_HEADER_SAMPLER_POS, 1, 2;", "TXQ R4, R8, TEX_HEADER_SAMPLER_POS, 0x1, 0x2;"},
    {"TXQ R4, R8, TEX_HEADER_SAMPLER_POS, 1;", "TXQ R4, R8, TEX_HEADER_SAMPLER_POS, 0x1, 0xf;"},
    {"TXA R4, R8, 1, 2, 0xf;", "TXA R4, R8, 0x201, 0xf;"},
    {"TEX R4, R8, 1, 2, 2D;", "TEX R4, R8, 0x201, 2D, 0xf;"},
    /* "Ignored if .B option is used" */
    {"TMML.B.LOD R4, R8, R2, 0x77, 2D, 0x3;", "TMML.B.LOD R4, R8, R2, 0x0, 2D, 0x3;"},
    {"TMML.B.LOD R4, R8, R2, 1, 2, 2D, 0x3;", "TMML.B.LOD R4, R8, R2, 0x0, 2D, 0x3;"},
    {"TXQ.B R4, R8, TEX_HEADER_DIMENSION, 9, 0x3;", "TXQ.B R4, R8, TEX_HEADER_DIMENSION, 0x0, 0x3;"},
    /* any order of modifiers */
    {"TMML.NODEP.NDV.LOD.B.P R4, R8, R2, 0, 2D, 0x3;", "TMML.B.LOD.NDV.NODEP.P R4, R8, R2, 0x0, 2D, 0x3;"},
    {"TEX.T.NODEP.NDV.DC.AOFFI.LC.LL.B R4, R8, R12, 0, 2D, 1;",
     "TEX.B.LL.LC.AOFFI.DC.NDV.NODEP.T R4, R8, R12, 0x0, 2D, 0x1;"},
    {"TLD.CL.MS.AOFFI.LZ R4, R8, R12, 0, 2D;", "TLD.LZ.AOFFI.MS.CL R4, R8, R12, 0x0, 2D, 0xf;"},
    {"TLDS.NODEP.AOFFI.LL.F16 RZ, R4, R8, R12, 0, 2D, RG;", "TLDS.F16.LL.AOFFI.NODEP RZ, R4, R8, R12, 0x0, 2D, RG;"},
    {"TEXS.DC.LZ RZ, R4, R8, R12, 0, ARRAY_2D, A;", "TEXS.LZ.DC RZ, R4, R8, R12, 0x0, ARRAY_2D, A;"},
    /* TLD4's B */
    {"TLD4.B R4, R8, 0, 2D;", "TLD4.B R4, R8, 0x0, 2D, 0xf;"},
    {"TLD4.B.R R4, R8, R2, 0, 2D;", "TLD4.R.B R4, R8, R2, 0x0, 2D, 0xf;"},
    {"TLD4.B.DC.B R4, R8, R2, 0, 2D;", "TLD4.B.B.DC R4, R8, R2, 0x0, 2D, 0xf;"},
    {"TLD4.PTP.A R4, R8, R2, 0, 2D;", "TLD4.A.PTP R4, R8, R2, 0x0, 2D, 0xf;"},
    {"TLD4S.B R2, R4, R8, R12, 0;", "TLD4S.B R2, R4, R8, R12, 0x0;"},
    /* [TLDS] masks: letters, numbers, "RGBA*" is the default of two destinations; RZ for Rb, or none */
    {"TLDS.LZ R2, R4, R8, R12, 0, 2D;", "TLDS.LZ R2, R4, R8, R12, 0x0, 2D, RGBA;"},
    {"TLDS.LZ R2, R4, R8, R12, 0, 2D, 0xd;", "TLDS.LZ R2, R4, R8, R12, 0x0, 2D, RBA;"},
    {"TLDS.LZ RZ, R4, R8, R12, 0, 2D, 9;", "TLDS.LZ RZ, R4, R8, R12, 0x0, 2D, RA;"},
    {"TLDS.LZ RZ, R4, R8, RZ, 0, 1D, G;", "TLDS.LZ RZ, R4, R8, 0x0, 1D, G;"},
    {"TLDS.LZ R2, R4, R8, R12, 0, 2D, INVALID6;", "TLDS.LZ R2, R4, R8, R12, 0x0, 2D, INVALID6;"},
    /* queries without a name: half of the field */
    {"TXQ R4, R8, 25, 0, 0x1;", "TXQ R4, R8, 25, 0x0, 0x1;"},
    {"TXQ R4, R8, 8, 0, 0x1;", "TXQ R4, R8, TEX_SAMPLER_FILTER, 0x0, 0x1;"},
    /* residency predicates */
    {"TEX P3, R4, R8, R12, 0, 2D;", "TEX P3, R4, R8, R12, 0x0, 2D, 0xf;"},
    {"TEX PT, R4, R8, R12, 0, 2D;", "TEX R4, R8, R12, 0x0, 2D, 0xf;"},
    {"TXD R4, R8, RZ, 0, 2D;", "TXD R4, R8, RZ, 0x0, 2D, 0xf;"},
    /* reserved codes must come back */
    {"TEX.INVALIDBLOD5.INVALIDPHASE3 R4, R8, 0, ARRAY_3D;",
     "TEX.INVALIDBLOD5.INVALIDPHASE3 R4, R8, 0x0, ARRAY_3D, 0xf;"},
    {"TLD4.R.INVALIDBTOFF03 R4, R8, 0, 2D;", "TLD4.R.INVALIDBTOFF03 R4, R8, 0x0, 2D, 0xf;"},
    /* marks of the control word are not printed in this style */
    {"TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf {&req_6} {&rd1} {&wr0} {?sched};",
     "TXQ R0, R6, TEX_HEADER_DIMENSION, 0x0, 0xf;"},
    {"TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf &req_6 &rd1;", "TXQ R0, R6, TEX_HEADER_DIMENSION, 0x0, 0xf;"},
};

static void every_spelling_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        check_print(spellings[i].text, SCH_MAXWELL_TEXT_NVDISASM, spellings[i].print);
        struct reading first = read_text(spellings[i].text), second = read_text(spellings[i].print);
        assert_true(sch_maxwell_equal(&first.instruction, &second.instruction));
    }
}

static void marks_of_the_control_word_are_read(void **state)
{
    (void)state;
    static const char text[] = "TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf {&req_6} {&rd1} {&wr0} {?sched}; TXA";
    struct reading reading = read_text(text);
    assert_int_equal(reading.status, SCH_OK);
    assert_int_equal(reading.used, strchr(text, ';') + 1 - text);
    assert_int_equal(reading.schedule.wait_mask, 6);
    assert_int_equal(reading.schedule.read_barrier, 1);
    assert_int_equal(reading.schedule.write_barrier, 0);
    assert_true(reading.schedule.yield);
    reading = read_text("TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf;");
    assert_int_equal(reading.schedule.wait_mask, 0);
    assert_int_equal(reading.schedule.read_barrier, 7);
    assert_int_equal(reading.schedule.write_barrier, 7);
}

/* .phase: last of the modifiers, and of every operation. */
static void every_operation_has_phases(void **state)
{
    (void)state;
    static const char *const phases[] = {"", ".T", ".P", ".INVALIDPHASE3"};
    static const char *const lines[] = {
        "TMML.LOD.NODEP| R4, R8, 0x0, 2D, 0xf;",
        "TMML.B.LOD| R4, R8, R2, 0x0, 2D, 0xf;",
        "TXQ| R4, R8, TEX_SAMPLER_LOD, 0x0, 0xf;",
        "TXQ.B| R4, R8, TEX_SAMPLER_LOD, 0x0, 0xf;",
        "TXA.NDV| R4, R8, 0x0, 0xf;",
        "TEX.NODEP| R4, R8, 0x0, 2D, 0xf;",
        "TEX.B.LZ| R4, R8, R2, 0x0, 2D, 0xf;",
        "TLD.LZ| R4, R8, 0x0, 2D, 0xf;",
        "TLD.B.LL.CL| R4, R8, R2, 0x0, 2D, 0xf;",
        "TLD4.B| R4, R8, 0x0, 2D, 0xf;",
        "TLD4.B.B| R4, R8, R2, 0x0, 2D, 0xf;",
        "TXD| R4, R8, R12, 0x0, 2D, 0xf;",
        "TXD.B.NODEP| R4, R8, R12, 0x0, 2D, 0xf;",
        "TEXS| RZ, R4, R8, R2, 0x0, 2D, R;",
        "TLDS.LZ.NODEP| RZ, R4, R8, R2, 0x0, 2D, R;",
        "TLD4S.B| RZ, R4, R8, R2, 0x0;",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (unsigned phase = 0; phase < 4; phase++) {
            const char *bar = strchr(lines[i], '|');
            char text[SCH_MAXWELL_LINE];
            snprintf(text, sizeof text, "%.*s%s%s", (int)(bar - lines[i]), lines[i], phases[phase], bar + 1);
            assert_int_equal(read_text(text).instruction.phase, phase);
            check_print(text, SCH_MAXWELL_TEXT_NVDISASM, text);
        }
}

/* ---- errors ---- */

static const struct {
    const char *text;
    unsigned code;
    uint32_t line, column;
} errors[] = {
    {"", SCH_D_MAXWELL_OPERATION, 1, 1},
    {"  ;", SCH_D_MAXWELL_OPERATION, 1, 3},
    {"MOV R1, R2;", SCH_D_MAXWELL_OPERATION, 1, 1},
    {"@P0 TEXT R1, R2;", SCH_D_MAXWELL_OPERATION, 1, 5},
    {"tex R4, R8, 0, 2D;", SCH_D_MAXWELL_OPERATION, 1, 1},
    {" @P7 TEX R4, R8, 0, 2D;", SCH_D_MAXWELL_GUARD, 1, 2},
    {"@ TEX R4, R8, 0, 2D;", SCH_D_MAXWELL_GUARD, 1, 1},
    {"@!!P1 TEX R4, R8, 0, 2D;", SCH_D_MAXWELL_GUARD, 1, 1},
    {"TEX.MS R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER, 1, 5},
    {"TEX.NODEP. R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER, 1, 11},
    {"TEX.PTP R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER, 1, 5},
    {"TLD.LB R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER, 1, 5},
    {"TLDS.LB RZ, R4, R8, 0, 1D, R;", SCH_D_MAXWELL_MODIFIER, 1, 6},
    {"TEXS.LLA RZ, R4, R8, 0, 1D, R;", SCH_D_MAXWELL_MODIFIER, 1, 6},
    {"TXA.B R4, R8, 0, 0xf;", SCH_D_MAXWELL_MODIFIER, 1, 5},
    {"TMML.LOD.AOFFI R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER, 1, 10},
    {"TMML.LOD.LOD R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER_TWICE, 1, 10},
    {"TEX.LZ.NDV.LL R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER_TWICE, 1, 12},
    {"TEX.T.P R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER_TWICE, 1, 7},
    {"TLD4.B.B.B R4, R8, R2, 0, 2D;", SCH_D_MAXWELL_MODIFIER_TWICE, 1, 10},
    {"TMML R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER_MISSING, 1, 5},
    {"TLD R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER_MISSING, 1, 4},
    {"TLDS RZ, R4, R8, 0, 1D, R;", SCH_D_MAXWELL_MODIFIER_MISSING, 1, 5},
    {"TLD4 R4, R8, 0, 2D;", SCH_D_MAXWELL_MODIFIER_MISSING, 1, 5},
    {"TLD4S RZ, R4, R8, R9, 0;", SCH_D_MAXWELL_MODIFIER_MISSING, 1, 6},
    {"TEX X4, R8, 0, 2D;", SCH_D_MAXWELL_REGISTER, 1, 5},
    {"TEX R255, R8, 0, 2D;", SCH_D_MAXWELL_REGISTER, 1, 5},
    {"TEX R4, R, 0, 2D;", SCH_D_MAXWELL_REGISTER, 1, 9},
    {"TEX P7, R4, R8, 0, 2D;", SCH_D_MAXWELL_REGISTER, 1, 5},
    {"TXD R4, R8, 0, 2D;", SCH_D_MAXWELL_REGISTER, 1, 13},
    {"TMML.LOD P0, R4, R8, 0, 2D;", SCH_D_MAXWELL_REGISTER, 1, 10},
    {"TEX R4, R8, 2D;", SCH_D_MAXWELL_OPERAND_NUMBER, 1, 13},
    {"TEX R4, R8, 0x, 2D;", SCH_D_MAXWELL_OPERAND_NUMBER, 1, 13},
    {"TEX R4,\n R8,\n  12a, 2D;", SCH_D_MAXWELL_OPERAND_NUMBER, 3, 3},
    {"TEX R4, R8, 0x2000, 2D;", SCH_D_MAXWELL_NUMBER_RANGE, 1, 13},
    {"TEX R4, R8, 99999999999999999999, 2D;", SCH_D_MAXWELL_NUMBER_RANGE, 1, 13},
    {"TEX R4, R8, 256, 0, 2D;", SCH_D_MAXWELL_NUMBER_RANGE, 1, 13},
    {"TEX R4, R8, 0, 32, 2D;", SCH_D_MAXWELL_NUMBER_RANGE, 1, 16},
    {"TEX R4, R8, 0, 2D, 16;", SCH_D_MAXWELL_NUMBER_RANGE, 1, 20},
    {"TXQ R4, R8, 32, 0;", SCH_D_MAXWELL_NUMBER_RANGE, 1, 13},
    {"TEX R4, R8, 0, 4D;", SCH_D_MAXWELL_PARAMETER, 1, 16},
    {"TLDS.LZ RZ, R4, R8, 1, 2, 1D, R;", SCH_D_MAXWELL_PARAMETER, 1, 24},
    {"TXQ R4, R8, TEX_HEADER_SIZE, 0;", SCH_D_MAXWELL_QUERY, 1, 13},
    {"TXQ R4, R8, 2, 0;", SCH_D_MAXWELL_QUERY, 1, 13},
    {"TXQ R4, R8, 0, 0;", SCH_D_MAXWELL_QUERY, 1, 13},
    {"TEX R4, R8, 0, 2D, GR;", SCH_D_MAXWELL_MASK, 1, 20},
    {"TEX R4, R8, 0, 2D, XYZ;", SCH_D_MAXWELL_MASK, 1, 20},
    {"TXQ;", SCH_D_MAXWELL_OPERANDS, 1, 4},
    {"TEX R4, , 0, 2D;", SCH_D_MAXWELL_OPERANDS, 1, 9},
    {"TEX R4, R8, 0, 2D, 0xf, R3;", SCH_D_MAXWELL_OPERANDS, 1, 25},
    {"TLDS.LZ RZ, R4, R8, 0, 1D;", SCH_D_MAXWELL_OPERANDS, 1, 26},
    {"TXQ R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12, R13;", SCH_D_MAXWELL_OPERANDS, 1, 56},
    {"TMML.LOD R4, R8, R9, 0, 2D;", SCH_D_MAXWELL_NO_RB, 1, 18},
    {"TEX R4, R8, 0, 2D, 0xf }", SCH_D_MAXWELL_PUNCTUATION, 1, 24},
    {"TEX R4 R8, 0, 2D;", SCH_D_MAXWELL_REGISTER, 1, 8},
    {"TEX R4, R8, 0, 2D, 0xf {&req_64};", SCH_D_MAXWELL_CONTROL_FIELD, 1, 25},
    {"TLDS.LZ RZ, R4, R8, R9, 0, CUBE, R;", SCH_D_MAXWELL_PARAMETER_RESERVED, 1, 28},
    {"TLDS.LZ RZ, R4, R8, R9, 0, ARRAY_1D, R;", SCH_D_MAXWELL_PARAMETER_RESERVED, 1, 28},
    {"TLDS.LZ RZ, R4, R8, R9, 0, ARRAY_3D, R;", SCH_D_MAXWELL_PARAMETER_RESERVED, 1, 28},
    {"TLDS.LZ RZ, R4, R8, R9, 0, ARRAY_CUBE, R;", SCH_D_MAXWELL_PARAMETER_RESERVED, 1, 28},
    {"TEXS.LZ RZ, R4, R8, R9, 0, ARRAY_1D, R;", SCH_D_MAXWELL_PARAMETER_RESERVED, 1, 28},
    {"TLDS.LL.MS RZ, R4, R8, R9, 0, 2D, R;", SCH_D_MAXWELL_MS_LOD, 1, 9},
    {"TLDS.LZ.MS RZ, R4, R8, R9, 0, 3D, R;", SCH_D_MAXWELL_MS_PARAMETER, 1, 9},
    {"TLDS.LL RZ, R4, R8, R9, 0, 3D, R;", SCH_D_MAXWELL_SCALAR_FORM, 1, 28},
    {"TLDS.LZ.AOFFI RZ, R4, R8, R9, 0, 1D, R;", SCH_D_MAXWELL_SCALAR_FORM, 1, 34},
    {"TLDS.LZ.MS RZ, R4, R8, R9, 0, ARRAY_2D, R;", SCH_D_MAXWELL_SCALAR_FORM, 1, 31},
    {"TEXS RZ, R4, R8, R9, 0, 1D, R;", SCH_D_MAXWELL_SCALAR_FORM, 1, 25},
    {"TEXS.DC RZ, R4, R8, R9, 0, CUBE, R;", SCH_D_MAXWELL_SCALAR_FORM, 1, 28},
    {"TLDS.LZ RZ, R4, R8, R9, 0, 2D, RGBA;", SCH_D_MAXWELL_MASK_ONE, 1, 32},
    {"TLDS.LZ RZ, R4, R8, R9, 0, 2D, RB;", SCH_D_MAXWELL_MASK_ONE, 1, 32},
    {"TLDS.LZ RZ, R4, R8, R9, 0, 2D, 0;", SCH_D_MAXWELL_MASK_ONE, 1, 32},
    {"TLDS.LZ R2, R4, R8, R9, 0, 2D, RG;", SCH_D_MAXWELL_MASK_TWO, 1, 32},
    {"TLDS.LZ R2, R4, R8, R9, 0, 2D, 0x1;", SCH_D_MAXWELL_MASK_TWO, 1, 32},
};

static void errors_have_number_and_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct reading reading = read_text(errors[i].text);
        if (reading.status == SCH_OK || reading.code != errors[i].code || reading.line != errors[i].line ||
            reading.column != errors[i].column) {
            print_message("# %s: %u at %u:%u: %s\n", errors[i].text, reading.code, reading.line, reading.column,
                          reading.message);
            fail();
        }
    }
}

/* The whole text of a report: what is wrong, with what was written there, of which at most 40 bytes are shown. */
static void reports_say_what_is_wrong(void **state)
{
    (void)state;
#define LONG40 "A123456789B123456789C123456789D123456789"
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "expected a Maxwell instruction"},
        {"MOV R1, R2;", "MOV is not a Maxwell instruction"},
        {LONG40 " R1;", LONG40 " is not a Maxwell instruction"},
        {LONG40 "E R1;", LONG40 " is not a Maxwell instruction"},
        {"@P7 TEX R4, R8, 0, 2D;", "expected @P0 to @P6, @PT, or one of them with ! after the @"},
        {"TEX. R4, R8, 0, 2D;", "expected a modifier after the dot"},
        {"TEX.MS R4, R8, 0, 2D;", "TEX has no .MS"},
        {"TEX." LONG40 "E R4, R8, 0, 2D;", "TEX has no ." LONG40},
        {"TEX.LZ.LL R4, R8, 0, 2D;", "the instruction already has a modifier of the kind of .LL"},
        {"TMML R4, R8, 0, 2D;", "TMML needs .LOD"},
        {"TLD R4, R8, 0, 2D;", "TLD needs .LZ or .LL"},
        {"TLD4 R4, R8, 0, 2D;", "TLD4 needs a component: .R, .G, .B or .A"},
        {"TEX X4, R8, 0, 2D;", "expected the destination Rd: R0 to R254, or RZ"},
        {"TEX R4, X8, 0, 2D;", "expected the source Ra: R0 to R254, or RZ"},
        {"TXD R4, R8, 0, 2D;", "expected the source Rb: R0 to R254, or RZ"},
        {"TEXS X, R4, R8, R9, 0, 2D, R;", "expected the destination Rd1: R0 to R254, or RZ"},
        {"TEX R4, R8, 2D;", "expected the index #tsPtrIdxU13"},
        {"TEX R4, R8;", "expected the index #tsPtrIdxU13"},
        {"TEX R4, R8, 0x2000, 2D;", "the index #tsPtrIdxU13 ends at 0x1fff"},
        {"TEX R4, R8, 256, 0, 2D;", "#tidU08 ends at 0xff"},
        {"TEX R4, R8, 0, 32, 2D;", "#smpU05 ends at 0x1f"},
        {"TEX R4, R8, 0;", "expected #paramA: 1D, 2D, 3D, CUBE or ARRAY_ with one of them"},
        {"TEX R4, R8, 0, 2D, 16;", "a write mask ends at 0xf"},
        {"TEX R4, R8, 0, 2D, GR;", "expected a write mask: a number up to 0xf, or letters of RGBA"},
        {"TEX R4, R8, 0, 2D, 1, 2;", "the instruction ends before this operand"},
        {"TEX R4, R8, 0, 2D, 1, ;", "expected an operand"},
        {"TEX R4, R8, 0, 2D, 1 2;", "expected a comma, a scheduling mark or a semicolon"},
        {"TEX 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13;", "too many operands"},
        {"TXQ R4, R8, X, 0;", "expected a query: TEX_HEADER_DIMENSION, ..."},
        {"TXQ R4, R8, 32, 0;", "a query's number ends at 31"},
        {"TXQ R4, R8, 2, 0;", "there is no query 2"},
        {"TLDS.LZ RZ, R4, R8, R9, 0, 2D;", "expected the write mask: without Rd1 it must be written"},
        {"TLDS.LZ R2, R4, R8, R9, 0, 2D, RG;", "with Rd1 the mask is RGB, RGA, RBA, GBA or RGBA"},
        {"TLDS.LZ RZ, R4, R8, R9, 0, 2D, RGBA;", "with RZ for Rd1 the mask is R, G, B, A, RG, RA, GA or BA"},
        {"TLDS.LZ RZ, R4, R8, R9, 0, CUBE, R;", "TLDS cannot have CUBE"},
        {"TLDS.LL.MS RZ, R4, R8, R9, 0, 2D, R;", ".MS goes with .LZ only"},
        {"TLDS.LZ.MS RZ, R4, R8, R9, 0, 3D, R;", ".MS goes with 2D and ARRAY_2D only"},
        {"TLDS.LL RZ, R4, R8, R9, 0, 3D, R;", "TLDS cannot have 3D with these modifiers"},
        {"TMML.LOD R4, R8, R9, 0, 2D;", "TMML without .B has no parameter in Rb"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reading reading = read_text(rows[i].text);
        assert_int_equal(reading.status, SCH_ERROR_INVALID);
        assert_string_equal(reading.message, rows[i].message);
    }
#undef LONG40
}

/* Numbers of operands and registers: which there are, and the limits. */
static void numbers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *index;
        int value; /* -1: refused */
    } rows[] = {{"0", 0},
                {"8191", 8191},
                {"8192", -1},
                {"0x1fff", 8191},
                {"0X1FFF", 8191},
                {"0x2000", -1},
                {"00012", 12},
                {"0x00012", 18},
                {"0x", -1},
                {"0xg", -1},
                {"1a", -1},
                {"x1", -1},
                {"0x1x", -1},
                {"4294967297", -1},
                {"0x100000001", -1},
                {"0x10000000000000001", -1},
                {"18446744073709551617", -1},
                {"0xaF", 175}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[96];
        snprintf(text, sizeof text, "TEX R4, R8, %s, 2D;", rows[i].index);
        struct reading reading = read_text(text);
        assert_int_equal(reading.status, rows[i].value < 0 ? SCH_ERROR_INVALID : SCH_OK);
        if (rows[i].value >= 0) assert_int_equal(reading.instruction.index, rows[i].value);
    }
    static const struct {
        const char *name;
        int number;
    } registers[] = {{"R0", 0},    {"R9", 9},    {"R10", 10},   {"R254", 254}, {"R007", 7}, {"RZ", 255},
                     {"R255", -1}, {"R999", -1}, {"R0004", -1}, {"R0x4", -1},  {"RA", -1},  {"R", -1},
                     {"R1Z", -1},  {"RZ1", -1},  {"r4", -1},    {"P4", -1},    {"R:", -1},  {"R/", -1}};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        char text[96];
        snprintf(text, sizeof text, "TEX %s, R8, 0, 2D;", registers[i].name);
        struct reading reading = read_text(text);
        assert_int_equal(reading.status, registers[i].number < 0 ? SCH_ERROR_INVALID : SCH_OK);
        if (registers[i].number >= 0) assert_int_equal(reading.instruction.rd, registers[i].number);
    }
    for (unsigned p = 0; p < 12; p++) {
        char text[96];
        snprintf(text, sizeof text, "@P%u TEX P%u, R4, R8, 0, 2D;", p, p);
        struct reading reading = read_text(text);
        assert_int_equal(reading.status, p < 7 ? SCH_OK : SCH_ERROR_INVALID);
        if (p < 7) assert_int_equal(reading.instruction.guard, p);
        if (p < 7) assert_int_equal(reading.instruction.residency, p);
    }
}

/* What does not belong to the text is not read, whatever it is. */
static void what_lies_behind_a_text_is_not_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "@!P3 TLDS.LZ.MS.NODEP.T RZ, R9, R6, R11, 0x0, 2D, RG {&req_0x2a} {&rd1} { &wr0 } {?stall12} ?sched;",
        "TXQ.B.P R4 , R8, 25, 0x1, 2, 0xf &wrN;", "TLD4.B.B R4, R8, R2, 1, 31, ARRAY_CUBE, RGBA"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t bytes = 0; bytes <= strlen(texts[t]); bytes++) {
            static const char behind[] = "0Zx.,;{}&?! RGBA";
            char alone[128], followed[128];
            snprintf(alone, sizeof alone, "%.*s", (int)bytes, texts[t]);
            const struct reading first = read_bytes(alone, bytes);
            for (size_t i = 0; i < sizeof behind; i++) {
                snprintf(followed, sizeof followed, "%s", texts[t]);
                followed[bytes] = behind[i];
                const struct reading second = read_bytes(followed, bytes);
                if (first.status != second.status || first.used != second.used || first.code != second.code ||
                    first.line != second.line || first.column != second.column)
                    fail_msg("%s|%s", alone, followed + bytes);
                if (first.status != SCH_OK) continue;
                assert_true(sch_maxwell_equal(&first.instruction, &second.instruction));
                assert_memory_equal(&first.schedule, &second.schedule, sizeof first.schedule);
            }
        }
}

/* A report counts from the place of the text, lines and bytes. */
static void places_count_from_the_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        uint64_t offset;
    } rows[] = {{"TEX X4, R8, 0, 2D;", 7, 14, 104},
                {"TEX\n X4, R8, 0, 2D;", 8, 2, 105},
                {"TEX R4,\n\n  X8, 0, 2D;", 9, 3, 111},
                {"TEX R4, R8, 0, 2D {&wr9}", 7, 29, 119},
                {"TEX R4, R8, 0, 2D {&wr1} {?what}", 7, 36, 126},
                {"TEX R4, R8, 0, 2D {&wr1", 7, 33, 123},
                {"TEX R4, R8, 0,\n2D {&wr1} {&wr1}", 8, 12, 126}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_diagnostics list;
        struct sch_maxwell_instruction instruction;
        size_t used;
        const struct sch_position place = {.line = 7, .column = 10, .offset = 100};
        sch_diagnostics_init(&list, &sch_allocator_libc, 8);
        assert_int_equal(sch_maxwell_parse(rows[i].text, strlen(rows[i].text), place, &list, &instruction, NULL, &used),
                         SCH_ERROR_INVALID);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.items[0].position.line, rows[i].line);
        assert_int_equal(list.items[0].position.column, rows[i].column);
        assert_int_equal(list.items[0].position.offset, rows[i].offset);
        sch_diagnostics_release(&list);
    }
}

/* Each number of the reader is in the table above. */
static void every_text_error_has_a_case(void **state)
{
    (void)state;
    size_t count;
    const struct sch_error_info *infos = sch_diagnostic_rows(&count);
    for (size_t i = 0; i < count; i++) {
        if (infos[i].number < 1100 || infos[i].number > 1113) continue; /* test_maxwell_general.c has the others */
        bool found = false;
        for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) found |= errors[k].code == infos[i].number;
        if (!found) print_message("# %u %s has no case\n", infos[i].number, infos[i].name);
        assert_true(found);
    }
}

/* Cut anywhere, a text gives an error or a whole instruction, and no byte behind the end is read (the sanitizers
 * see). */
static void cut_texts_are_harmless(void **state)
{
    (void)state;
    static const char text[] = "@!P3 TLDS.LZ.MS.NODEP.T RZ, R9, R6, R11, 0x0, 2D, RG {&req_6} {&rd1} {&wr0} {?sched};";
    for (size_t bytes = 0; bytes < sizeof text; bytes++) {
        char *copy = malloc(bytes ? bytes : 1);
        memcpy(copy, text, bytes);
        struct reading reading = read_bytes(copy, bytes);
        assert_true(reading.used <= bytes);
        free(copy);
    }
}

/* ---- restrictions ---- */

struct rule_case {
    unsigned code; /* 0: none is broken */
    enum sch_maxwell_arch arch;
    const char *text;
};

#define SM50 SCH_MAXWELL_SM_50
#define SM52 SCH_MAXWELL_SM_52
static const struct rule_case rule_cases[] = {
    /* "Rd0/Rd1 should be aligned to number of valid components being returned" */
    {SCH_D_MAXWELL_RD_ALIGNMENT, SM50, "TXQ R1, R6, TEX_HEADER_DIMENSION, 0, 0x3;"},
    {0, SM50, "TXQ R2, R6, TEX_HEADER_DIMENSION, 0, 0x3;"},
    {0, SM50, "TXQ R1, R6, TEX_HEADER_DIMENSION, 0, 0x8;"},
    {SCH_D_MAXWELL_RD_ALIGNMENT, SM50, "TXQ R2, R6, TEX_HEADER_DIMENSION, 0, 0xe;"},
    {SCH_D_MAXWELL_RD_ALIGNMENT, SM50, "TMML.LOD R6, R8, 0, 2D, 0xf;"},
    {0, SM50, "TMML.LOD R12, R8, 0, 2D, 0xf;"},
    {SCH_D_MAXWELL_RD_ALIGNMENT, SM50, "TLDS.LZ RZ, R5, R8, R12, 0, 2D, RG;"},
    {0, SM50, "TLDS.LZ RZ, R5, R8, R12, 0, 2D, G;"},
    {SCH_D_MAXWELL_RD_ALIGNMENT, SM50, "TLDS.LZ R1, R5, R8, R12, 0, 2D, RGB;"},
    {0, SM50, "TLDS.LZ R1, R4, R8, R12, 0, 2D, RGB;"},
    {SCH_D_MAXWELL_RD1_ALIGNMENT, SM50, "TLDS.LZ R1, R4, R8, R12, 0, 2D, RGBA;"},
    {0, SM50, "TLDS.LZ R2, R4, R8, R12, 0, 2D, RGBA;"},
    {0, SM52, "TLDS.F16.LZ R1, R5, R8, R12, 0, 2D, RGBA;"}, /* a register each */
    {SCH_D_MAXWELL_RD1_ALIGNMENT, SM50, "TLD4S.R R1, R4, R8, R12, 0;"},
    {0, SM50, "TLD4S.R R2, R4, R8, R12, 0;"},
    {0, SM50, "TEX RZ, R8, 0, 2D;"},
    /* "Ra/Rb should always be aligned to" */
    {SCH_D_MAXWELL_RA_ALIGNMENT, SM50, "TLDS.LZ RZ, R4, R7, R12, 0, 3D, R;"},
    {0, SM50, "TLDS.LZ RZ, R4, R6, R13, 0, 3D, R;"},
    {SCH_D_MAXWELL_RA_ALIGNMENT, SM50, "TXQ.B R4, R7, TEX_HEADER_DIMENSION, 0, 0xf;"},
    {0, SM50, "TXQ.B R4, R6, TEX_HEADER_DIMENSION, 0, 0xf;"},
    {0, SM50, "TXQ R4, R7, TEX_HEADER_DIMENSION, 0, 0xf;"},
    {0, SM50, "TXQ.B R4, R7, TEX_HEADER_TEXTURE_TYPE, 0, 0xf;"},
    {SCH_D_MAXWELL_RA_ALIGNMENT, SM50, "TMML.LOD R4, R6, 0, CUBE;"},
    {0, SM50, "TMML.LOD R4, R8, 0, CUBE;"},
    {SCH_D_MAXWELL_RB_ALIGNMENT, SM50, "TLDS.LZ RZ, R4, R7, R13, 0, ARRAY_2D, R;"},
    {0, SM50, "TLDS.LZ RZ, R4, R7, R12, 0, ARRAY_2D, R;"},
    {SCH_D_MAXWELL_RB_ALIGNMENT, SM50, "TLDS.LL.AOFFI RZ, R4, R6, R13, 0, 2D, R;"},
    {SCH_D_MAXWELL_RB_ALIGNMENT, SM50, "TEX.B.LL R4, R6, R13, 0, 2D;"},
    {0, SM50, "TEX.B.LL R4, R6, R14, 0, 2D;"},
    /* "Ra/Rb must not be specified as RZ if any parameters need to be packed" */
    {SCH_D_MAXWELL_RA_MISSING, SM50, "TXQ R4, RZ, TEX_HEADER_DIMENSION, 0, 0xf;"},
    {0, SM50, "TXQ R4, RZ, TEX_HEADER_TEXTURE_TYPE, 0, 0xf;"},
    {SCH_D_MAXWELL_RA_MISSING, SM50, "TXQ.B R4, RZ, TEX_HEADER_TEXTURE_TYPE, 0, 0xf;"},
    {SCH_D_MAXWELL_RA_MISSING, SM50, "TLDS.LZ RZ, R4, RZ, 0, 1D, R;"},
    {SCH_D_MAXWELL_RB_MISSING, SM50, "TLDS.LZ RZ, R4, R8, 0, 2D, R;"},
    {SCH_D_MAXWELL_RB_MISSING, SM50, "TMML.B.LOD R4, R8, RZ, 0, 2D;"},
    {SCH_D_MAXWELL_RB_MISSING, SM50, "TEX.LL R4, R8, 0, 2D;"},
    {0, SM50, "TEX.LZ R4, R8, 0, 2D;"},
    /* "Rb must be specified as RZ if no parameters need to be packed in Rb" */
    {SCH_D_MAXWELL_RB_UNUSED, SM50, "TLDS.LZ RZ, R4, R8, R12, 0, 1D, R;"},
    {0, SM50, "TLDS.LZ RZ, R4, R8, RZ, 0, 1D, R;"},
    {SCH_D_MAXWELL_RB_UNUSED, SM50, "TEX.LZ R4, R8, R12, 0, 2D;"},
    {SCH_D_MAXWELL_REGISTER_RANGE, SM50, "TEX.LZ R252, R8, 0, 2D;"},
    {SCH_D_MAXWELL_REGISTER_RANGE, SM50, "TEX.LZ R4, R254, 0, 2D;"},
    {0, SM50, "TEX.LZ R252, R252, 0, 3D, 0x7;"},
    /* "RESERVED // for ARRAY_3D" */
    {SCH_D_MAXWELL_PARAMETER_RESERVED, SM50, "TMML.LOD R4, R8, 0, ARRAY_3D;"},
    {0, SM50, "TMML.LOD R4, R8, 0, ARRAY_CUBE;"},
    /* ".MS can only be used with the .LZ LOD option, and 2D/ARRAY_2D textures" */
    {SCH_D_MAXWELL_MS_LOD, SM50, "TLD.LL.MS R4, R8, R12, 0, 2D;"},
    {SCH_D_MAXWELL_MS_PARAMETER, SM50, "TLD.LZ.MS R4, R8, R12, 0, 3D;"},
    {0, SM50, "TLD.LZ.MS R4, R8, R12, 0, 2D;"},
    {0, SM50, "TLD.LZ.MS R4, R8, R12, 0, ARRAY_2D;"},
    /* reserved codes */
    {SCH_D_MAXWELL_LOD_RESERVED, SM50, "TEX.INVALIDBLOD4 R4, R8, R12, 0, 2D;"},
    {SCH_D_MAXWELL_LOD_RESERVED, SM50, "TEX.INVALIDBLOD5 R4, R8, R12, 0, 2D;"},
    {0, SM50, "TEX.LLA R4, R8, R12, 0, 2D;"},
    {SCH_D_MAXWELL_OFFSET_RESERVED, SM50, "TLD4.R.INVALIDBTOFF03 R4, R8, 0, 2D;"},
    {0, SM50, "TLD4.R.PTP R4, R8, R12, 0, 2D;"},
    {SCH_D_MAXWELL_PHASE_RESERVED, SM50, "TXQ.INVALIDPHASE3 R4, R8, TEX_HEADER_DIMENSION, 0;"},
    {0, SM50, "TXQ.P R4, R8, TEX_HEADER_DIMENSION, 0;"},
    {SCH_D_MAXWELL_MASK_RESERVED, SM50, "TEXS R2, R4, R8, R12, 0, 2D, INVALID7;"},
    {0, SM50, "TEXS R2, R4, R8, R12, 0, 2D, RGBA;"},
    {SCH_D_MAXWELL_QUERY_RESERVED, SM50, "TXQ R4, R8, 3, 0;"},
    {0, SM50, "TXQ R4, R8, TEX_SAMPLER_WRAP, 0;"},
    /* sm_52 and later */
    {SCH_D_MAXWELL_HALF_ARCH, SM50, "TLDS.F16.LZ RZ, R4, R8, R12, 0, 2D, R;"},
    {0, SM52, "TLDS.F16.LZ RZ, R4, R8, R12, 0, 2D, R;"},
    {SCH_D_MAXWELL_LC_ARCH, SM50, "TEX.LC R4, R8, 0, 2D;"},
    {0, SM52, "TEX.LC R4, R8, 0, 2D;"},
    {SCH_D_MAXWELL_RESIDENCY_ARCH, SM50, "TEX P1, R4, R8, 0, 2D;"},
    {0, SM52, "TEX P1, R4, R8, 0, 2D;"},
};

/* Exactly the one rule, or none. */
static void check_rules(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_arch arch, unsigned code,
                        const char *text)
{
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    struct sch_position place = {.line = 3, .column = 5};
    unsigned broken = sch_maxwell_check(instruction, arch, place, SCH_SEVERITY_WARNING, &list);
    if (broken != (code != 0) || list.warnings != broken || (code && list.items[0].code != code)) {
        print_message("# %s: expected %u, %u broken, first %u\n", text, code, broken,
                      list.count ? list.items[0].code : 0);
        fail();
    }
    if (code) assert_int_equal(list.items[0].position.line, 3);
    sch_diagnostics_release(&list);
}

static void restrictions_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rule_cases / sizeof *rule_cases; i++) {
        const struct rule_case *c = &rule_cases[i];
        struct reading reading = read_text(c->text);
        if (reading.status != SCH_OK) print_message("# %s: %s\n", c->text, reading.message);
        assert_int_equal(reading.status, SCH_OK);
        check_rules(&reading.instruction, c->arch, c->code, c->text);
        uint64_t word;
        const bool arch_only = c->code >= SCH_D_MAXWELL_HALF_ARCH && c->code <= SCH_D_MAXWELL_RESIDENCY_ARCH;
        /* What only the pages refuse must still have a word. */
        assert_int_equal(sch_maxwell_encode(&reading.instruction, c->arch, &word), !arch_only);
    }
}

/* Why an instruction has no word is said by the rule's number. */
static void missing_words_are_explained(void **state)
{
    (void)state;
    static const struct rule_case cases[] = {
        {SCH_D_MAXWELL_HALF_ARCH, SM50, "TLDS.F16.LZ RZ, R5, R9, R1, 7, 2D, RG;"},
        {SCH_D_MAXWELL_LC_ARCH, SM50, "TEX.LC R3, R8, 0, 2D;"},
        {SCH_D_MAXWELL_RESIDENCY_ARCH, SM50, "TEX P1, R4, R8, 0, 2D;"},
        {0, SM52, "TEX P1, R4, R8, 0, 2D;"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sch_diagnostics list;
        sch_diagnostics_init(&list, &sch_allocator_libc, 8);
        struct reading reading = read_text(cases[i].text);
        struct sch_position place = {.line = 7, .column = 1};
        uint64_t word;
        assert_int_equal(sch_maxwell_encode_or_report(&reading.instruction, cases[i].arch, place, &list, &word),
                         !cases[i].code);
        assert_int_equal(list.errors, cases[i].code != 0);
        if (cases[i].code) assert_int_equal(list.items[0].code, cases[i].code);
        reading.instruction.index = 0x2000;
        assert_false(sch_maxwell_encode_or_report(&reading.instruction, SM52, place, &list, &word));
        assert_int_equal(list.items[list.count - 1].code, SCH_D_MAXWELL_ENCODING);
        sch_diagnostics_release(&list);
    }
}

/* What no text and no word of TEXS and TLDS can say, another maker of instructions may: it has no word. */
static void scalar_forms_without_a_code_are_refused(void **state)
{
    (void)state;
    struct sch_maxwell_instruction good = read_text("TLDS.LZ RZ, R4, R8, R12, 0, 2D, R;").instruction, bad = good;
    uint64_t word;
    check_rules(&good, SM50, 0, "as read");
    bad.lod = SCH_MAXWELL_LB;
    check_rules(&bad, SM50, SCH_D_MAXWELL_SCALAR_FORM, "TLDS.LB");
    assert_false(sch_maxwell_encode(&bad, SM50, &word));
    bad = good;
    bad.write_mask = 0x5;
    check_rules(&bad, SM50, SCH_D_MAXWELL_MASK_ONE, "TLDS RZ, RB");
    assert_false(sch_maxwell_choose_codes(&bad));
    assert_false(sch_maxwell_encode(&bad, SM50, &word));
    bad = read_text("TLDS.LZ R2, R4, R8, R12, 0, 2D, RGB;").instruction;
    bad.write_mask = 0x3;
    check_rules(&bad, SM50, SCH_D_MAXWELL_MASK_TWO, "TLDS R2, RG");
    assert_false(sch_maxwell_encode(&bad, SM50, &word));
    bad = good;
    bad.form_code = 5; /* 2D.LL: not what the members say */
    assert_false(sch_maxwell_encode(&bad, SM50, &word));
    bad = good;
    bad.compare = true;
    assert_false(sch_maxwell_encode(&bad, SM50, &word));
}

/* A form without a code says nothing of the mask, and a mask without one nothing of the form. */
static void forms_and_masks_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum sch_maxwell_field field;
        unsigned value;
    } rows[] = {{"TLDS.LZ RZ, R4, R8, R12, 0, 3D, R;", SCH_MF_OFFSET, SCH_MAXWELL_AOFFI},
                {"TLDS.LZ RZ, R4, R8, R12, 0, ARRAY_2D, R;", SCH_MF_LOD, SCH_MAXWELL_LL},
                {"TLDS.LZ R2, R4, R8, R12, 0, ARRAY_2D, RGB;", SCH_MF_MULTISAMPLE, 1},
                {"TEXS.LZ RZ, R4, R8, R12, 0, 3D, G;", SCH_MF_COMPARE, 1},
                {"TEXS RZ, R4, R8, R12, 0, ARRAY_2D, R;", SCH_MF_LOD, SCH_MAXWELL_LL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_maxwell_instruction in = read_text(rows[i].text).instruction;
        sch_maxwell_set(&in, rows[i].field, rows[i].value);
        check_rules(&in, SM50, SCH_D_MAXWELL_SCALAR_FORM, rows[i].text);
        in = read_text(rows[i].text).instruction;
        in.write_mask = 0;
        check_rules(&in, SM50, in.rd1 == SCH_MAXWELL_RZ ? SCH_D_MAXWELL_MASK_ONE : SCH_D_MAXWELL_MASK_TWO,
                    rows[i].text);
    }
    struct sch_maxwell_instruction none = read_text("TXA R4, R8, 0, 0xf;").instruction;
    none.bindless = true; /* TXA has no such form */
    check_rules(&none, SM50, 0, "TXA.B");
    static const unsigned cubes[] = {SCH_MAXWELL_CUBE, SCH_MAXWELL_ARRAY_CUBE, SCH_MAXWELL_ARRAY_1D};
    for (size_t i = 0; i < 3; i++) { /* that no code of TLDS has, though one of TEXS may */
        struct sch_maxwell_instruction in = read_text("TLDS.LZ RZ, R4, R8, R12, 0, 2D, R;").instruction;
        struct sch_diagnostics list;
        in.parameter = (uint8_t)cubes[i];
        sch_diagnostics_init(&list, &sch_allocator_libc, 8);
        assert_int_equal(sch_maxwell_check(&in, SM50, (struct sch_position){0}, SCH_SEVERITY_ERROR, &list), 2);
        assert_int_equal(list.items[0].code, SCH_D_MAXWELL_PARAMETER_RESERVED);
        assert_string_equal(list.items[0].message, "TLDS: paramA is reserved");
        assert_int_equal(list.items[1].code, SCH_D_MAXWELL_SCALAR_FORM);
        sch_diagnostics_release(&list);
    }
}

static void every_rule_has_a_case(void **state)
{
    (void)state;
    static const unsigned elsewhere[] = {SCH_D_MAXWELL_SCALAR_FORM, SCH_D_MAXWELL_MASK_ONE, SCH_D_MAXWELL_MASK_TWO};
    size_t count;
    const struct sch_error_info *infos = sch_diagnostic_rows(&count);
    for (size_t i = 0; i < count; i++) {
        if (infos[i].number < 2300 || infos[i].number > 2321) continue; /* test_maxwell_program.c has the others */
        bool broken = false, ruled = false;
        for (size_t k = 0; k < sizeof rule_cases / sizeof *rule_cases; k++)
            broken |= rule_cases[k].code == infos[i].number;
        for (size_t k = 0; k < 3; k++) broken |= elsewhere[k] == infos[i].number;
        for (unsigned operation = 0; operation < SCH_MAXWELL_OPERATIONS; operation++)
            for (size_t rule = 0; rule < sch_maxwell_rule_count(); rule++) {
                const char *text;
                ruled |= sch_maxwell_rule(operation, rule, &text) == infos[i].number;
            }
        if (!broken || !ruled) print_message("# %u %s\n", infos[i].number, infos[i].name);
        assert_true(broken && ruled);
    }
}

/* Instructions with members that no decoder makes are refused, and printing them stays within the line. */
static void garbage_has_no_word(void **state)
{
    (void)state;
    uint64_t seed = 12345;
    for (unsigned i = 0; i < 20000; i++) {
        struct sch_maxwell_instruction garbage = sch_maxwell_blank(i % SCH_MAXWELL_OPERATIONS, false), back;
        for (unsigned field = 0; field < SCH_MAXWELL_FIELDS; field++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            if (seed >> 60 < 6) sch_maxwell_set(&garbage, field, (unsigned)(seed >> 33 & 0xffff));
        }
        if (i % 50 == 0) garbage.operation = (uint8_t)(seed >> 40);
        char line[SCH_MAXWELL_LINE];
        sch_maxwell_print(&garbage, SCH_MAXWELL_TEXT_NVDISASM, NULL, line);
        assert_true(strlen(line) < sizeof line);
        assert_null(strstr(line, "(null)"));
        sch_maxwell_check(&garbage, SM50, (struct sch_position){0}, SCH_SEVERITY_ERROR, NULL);
        uint64_t word;
        if (!sch_maxwell_encode(&garbage, SM52, &word)) continue;
        assert_true(sch_maxwell_decode(word, SM52, &back));
        back.phase = garbage.phase;
        assert_true(sch_maxwell_equal(&garbage, &back));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_the_pages),
        cmocka_unit_test(examples_print_as_the_pages_write_them),
        cmocka_unit_test(examples_touch_the_registers_that_the_page_says),
        cmocka_unit_test(every_spelling_is_read),
        cmocka_unit_test(marks_of_the_control_word_are_read),
        cmocka_unit_test(every_operation_has_phases),
        cmocka_unit_test(errors_have_number_and_place),
        cmocka_unit_test(reports_say_what_is_wrong),
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(what_lies_behind_a_text_is_not_read),
        cmocka_unit_test(places_count_from_the_texts),
        cmocka_unit_test(forms_and_masks_are_told_apart),
        cmocka_unit_test(every_text_error_has_a_case),
        cmocka_unit_test(cut_texts_are_harmless),
        cmocka_unit_test(restrictions_are_found),
        cmocka_unit_test(missing_words_are_explained),
        cmocka_unit_test(scalar_forms_without_a_code_are_refused),
        cmocka_unit_test(every_rule_has_a_case),
        cmocka_unit_test(garbage_has_no_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
