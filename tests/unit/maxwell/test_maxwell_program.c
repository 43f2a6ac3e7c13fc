/* Maxwell programs: control words and their text, statements and the place and number of each error, sections, random
 * bundles. Cubins are test_maxwell_cubins.c's; words beside the repository are read by tests/cli/maxwell.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../fuzz/program_roundtrip.h"
#include "../support/counting.h"
#include "isa/errors.h"
#include "maxwell/text/code.h"
#include "maxwell_reading.h"

static struct sch_maxwell_code *accept(const char *text)
{
    struct reading reading = read_as(TEXT, text, strlen(text));
    if (!reading.code) print_message("# %u at %u:%u: %s\n", reading.number, reading.line, reading.column, text);
    assert_non_null(reading.code);
    return reading.code;
}

/* The text is refused; the first report has this number and place. */
static void refuse(const char *text, unsigned number, uint32_t line, uint32_t column)
{
    struct reading reading = read_as(TEXT, text, strlen(text));
    if (reading.number != number || reading.line != line || reading.column != column)
        print_message("# %u at %u:%u: %s\n", reading.number, reading.line, reading.column, text);
    assert_null(reading.code);
    assert_int_equal(reading.number, number);
    assert_int_equal(reading.line, line);
    assert_int_equal(reading.column, column);
}

/* The words that a text makes. */
static void check_words(const char *text, const uint64_t *expected, size_t count)
{
    struct sch_maxwell_code *code = accept(text);
    assert_int_equal(sch_maxwell_code_words(code), count);
    uint64_t *words = calloc(count + 1, sizeof *words);
    assert_non_null(words);
    sch_maxwell_code_write(code, words);
    for (size_t i = 0; i < count; i++) {
        if (words[i] != expected[i])
            print_message("# word %zu: %016llx, not %016llx: %s\n", i, (unsigned long long)words[i],
                          (unsigned long long)expected[i], text);
        assert_true(words[i] == expected[i]);
    }
    free(words);
    sch_maxwell_code_destroy(code);
}

/* ---- control words ---- */

/* The fields of the notes' table: 3:0, 4 (inverted), 7:5, 10:8, 16:11, 20:17. */
static void slots_have_the_fields_of_the_table(void **state)
{
    (void)state;
    for (uint32_t slot = 0; slot < 1u << 21; slot++) {
        struct sch_maxwell_schedule s = sch_maxwell_schedule_of(slot);
        bool good = s.stall == slot % 16 && s.yield == (slot / 16 % 2 == 0) && s.write_barrier == slot / 32 % 8 &&
                    s.read_barrier == slot / 256 % 8 && s.wait_mask == slot / 2048 % 64 && s.reuse == slot / 131072;
        if (!good || sch_maxwell_slot_of(&s) != slot) fail_msg("slot %x", slot);
    }
    uint64_t control = 0;
    control = sch_maxwell_control(control, 0, 0x1fffff);
    assert_true(control == 0x1fffff);
    control = sch_maxwell_control(control, 1, 0x155555);
    assert_true(control == (0x1fffff | (uint64_t)0x155555 << 21));
    control = sch_maxwell_control(control | (uint64_t)1 << 63, 2, 0x000001);
    assert_true(control == (0x1fffff | (uint64_t)0x155555 << 21 | (uint64_t)1 << 42 | (uint64_t)1 << 63));
    for (unsigned slot = 0; slot < 3; slot++)
        assert_true(sch_maxwell_control(UINT64_MAX, slot, 0) == ~((uint64_t)0x1fffff << 21 * slot));
    assert_int_equal(sch_maxwell_slot(control, 1), 0x155555);
    assert_int_equal(sch_maxwell_slot(control, 2), 1);
}

static void every_slot_comes_back_from_its_text(void **state)
{
    (void)state;
    char text[SCH_MAXWELL_SCHEDULE_TEXT];
    struct sch_position place = {.line = 1, .column = 1};
    for (uint32_t slot = 0; slot < 1u << 21; slot += slot % 2 ? 1 : 5) {
        struct sch_maxwell_schedule schedule = sch_maxwell_schedule_of(slot), again;
        sch_maxwell_schedule_print(&schedule, text);
        if (sch_maxwell_schedule_parse(text, strlen(text), place, NULL, &again) != SCH_OK ||
            sch_maxwell_slot_of(&again) != slot)
            fail_msg("slot %x: %s", slot, text);
    }
}

static uint32_t slot_of_text(const char *text)
{
    struct sch_maxwell_schedule schedule;
    struct sch_position place = {.line = 1, .column = 1};
    enum sch_result status = sch_maxwell_schedule_parse(text, strlen(text), place, NULL, &schedule);
    return status == SCH_OK ? sch_maxwell_slot_of(&schedule) : UINT32_MAX;
}

static void fields_are_read_as_documented(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t slot; /* UINT32_MAX: refused */
    } rows[] = {
        {"", 0x7e0},
        {"{&req_6} {&rd1} {&wr2} {?sched}", 6 << 11 | 1 << 8 | 2 << 5},
        {"{&wrN}{&rdN}", 0x7e0},
        {"?stall4", 0x7f4},
        {"{?stall4} {?yield}", 0x7e4},
        {"{?yield} {?stall4}", 0x7e4},
        {"{ ?stall0 }", 0x7f0},
        {"{?yield}", 0x7e0},
        {"&req_0x3f &wr0 ?stall15 ?reuse_0xf", 0xf << 17 | 0x3f << 11 | 0x71f},
        {"{&rd6}", 6 << 8 | 0xe0},
        {"{&rd8}", UINT32_MAX},
        {"{&req_64}", UINT32_MAX},
        {"{&req_}", UINT32_MAX},
        {"{?stall16}", UINT32_MAX},
        {"{?stall99999999999999999999}", UINT32_MAX},
        {"{?reuse_16}", UINT32_MAX},
        {"{&wr1}\f{&rd1}", 0x120},
        {"{&wr1}\v{&rd1}", 0x120},
        {"{&wr1}\t{&rd1}", 0x120},
        {"\r{&wr1\n}\r\n{&rd1}\n", 0x120},
        {"{&wr1}.{&rd1}", UINT32_MAX},
        {"{&wr1} {&wr1}", UINT32_MAX},
        {"{?yield} {?sched}", UINT32_MAX},
        {"{&wr1", UINT32_MAX},
        {"{&wr1 &rd1}", UINT32_MAX},
        {"{&wr1x}", UINT32_MAX},
        {"&wr1x", UINT32_MAX},
        {"{}", UINT32_MAX},
        {"{&ready}", UINT32_MAX},
        {"{?req_1}", UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t slot = slot_of_text(rows[i].text);
        if (slot != rows[i].slot) fail_msg("%s: %x, not %x", rows[i].text, slot, rows[i].slot);
    }
}

static void slots_are_written_as_documented(void **state)
{
    (void)state;
    static const struct {
        uint32_t slot;
        const char *text;
    } rows[] = {
        {0x7e0, ""},
        {0x7f0, " {?stall0}"},
        {0x7e1, " {?stall1} {?yield}"},
        {0x7ff, " {?stall15}"},
        {0xfe0, " {&req_0x01}"},
        {0x1ffe0, " {&req_0x3f}"},
        {0x6e0, " {&rd6}"},
        {0x0e0, " {&rd0}"},
        {0x7c0, " {&wr6}"},
        {0x700, " {&wr0}"},
        {0x207e0, " {?reuse_0x1}"},
        {0x1e07e0, " {?reuse_0xf}"},
        {0x1fffff & ~0xfe0, " {&req_0x3e} {&rd0} {&wr0} {?stall15} {?reuse_0xf}"},
        {2u << 20 | 5 << 11 | 1 << 8 | 2 << 5 | 3, " {&req_0x05} {&rd1} {&wr2} {?stall3} {?yield}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[SCH_MAXWELL_SCHEDULE_TEXT];
        const struct sch_maxwell_schedule schedule = sch_maxwell_schedule_of(rows[i].slot & 0x1fffff);
        sch_maxwell_schedule_print(&schedule, text);
        assert_string_equal(text, rows[i].text);
    }
    for (uint32_t slot = 0; slot < 1u << 21; slot += 7) {
        assert_int_equal(sch_maxwell_slot_opens(slot), slot % 32 == 16);
        assert_int_equal(sch_maxwell_slot_opening(slot), slot / 32 * 32 + 16);
        assert_int_equal(sch_maxwell_slot_is_plain(slot), slot % (1 << 17) == 0x7e0);
        assert_int_equal(sch_maxwell_slot_phase(slot), slot / (1 << 17) % 4);
        for (unsigned phase = 0; phase < 4; phase++) {
            const struct sch_maxwell_schedule schedule = sch_maxwell_schedule_of(slot);
            assert_int_equal(sch_maxwell_slot_with_phase(&schedule, phase),
                             slot / (1 << 19) * (1 << 19) + phase * (1 << 17) + slot % (1 << 17));
        }
    }
}

/* A line of a listing: the instruction, what stands around it, and the slot. */
static void lines_are_instructions_with_slots(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t slot;
        unsigned number; /* 0: accepted */
        uint32_t line, column;
    } rows[] = {
        {"TXQ R0, R6, 25, 0;", 0x7e0, 0, 0, 0},
        {" /* a */ TXQ R0, R6, 25, 0 ; // b", 0x7e0, 0, 0, 0},
        {"TXQ.T R0, R6, 25, 0 {&wr1} {?stall3} ;", 1 << 17 | 0x733, 0, 0, 0},
        {"TXQ.P R0, R6, 25, 0 {?reuse_0xf};", 0xe << 17 | 0x7e0, 0, 0, 0},
        {"{ TXQ R0, R6, 25, 0;", 0x7f0, 0, 0, 0},
        {"{ TXQ R0, R6, 25, 0 }", 0x7f0, 0, 0, 0},
        {"TXQ R0, R6, 25, 0 }", 0x7e0, 0, 0, 0},
        {"{ TXQ R0, R6, 25, 0 {?stall2};", 0x7f2, 0, 0, 0},
        {"", 0, SCH_D_MAXWELL_ONE_INSTRUCTION, 1, 1},
        {" \n // x\n  ", 0, SCH_D_MAXWELL_ONE_INSTRUCTION, 3, 3},
        {"/* x", 0, SCH_D_MAXWELL_COMMENT, 1, 1},
        {"TXQ R0, R6, 25, 0; /* x", 0, SCH_D_MAXWELL_COMMENT, 1, 20},
        {"TXQ R0, R6, 25, 0;\n TXQ R0, R6, 25, 0;", 0, SCH_D_MAXWELL_ONE_INSTRUCTION, 2, 2},
        {"{", 0, SCH_D_MAXWELL_STATEMENT, 1, 2},
        {"{ }", 0, SCH_D_MAXWELL_STATEMENT, 1, 3},
        {"}", 0, SCH_D_MAXWELL_STATEMENT, 1, 1},
        {"{&wr1}", 0, SCH_D_MAXWELL_OPERATION, 1, 1},
        {"TXQ R0, R6, 25, 0 {&wr1} x;", 0, SCH_D_MAXWELL_CONTROL_FIELD, 1, 26},
        {"TXQ R0, R6, 25, 0 x;", 0, SCH_D_MAXWELL_PUNCTUATION, 1, 19},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_diagnostics list;
        struct sch_maxwell_line line = {0};
        uint32_t slot = 0;
        sch_diagnostics_init(&list, &sch_allocator_libc, 4);
        const enum sch_result status =
            sch_maxwell_parse_line(rows[i].text, strlen(rows[i].text), 0, &list, &line, &slot);
        const unsigned number = list.count ? list.items[0].code : 0;
        if (status != (rows[i].number ? SCH_ERROR_INVALID : SCH_OK) || number != rows[i].number || slot != rows[i].slot)
            fail_msg("%s: %u, slot %x", rows[i].text, number, slot);
        if (number && (list.items[0].position.line != rows[i].line || list.items[0].position.column != rows[i].column))
            fail_msg("%s: %u:%u", rows[i].text, list.items[0].position.line, list.items[0].position.column);
        assert_int_equal(list.count, rows[i].number != 0);
        if (!number) assert_int_equal(line.instruction.operation, SCH_MAXWELL_TXQ);
        sch_diagnostics_release(&list);
    }
}

/* ---- programs ---- */

static void bundles_are_filled(void **state)
{
    (void)state;
    uint64_t plain = slots(0x7e0, 0x7e0, 0x7e0);
    check_words(TXQ, (uint64_t[]){plain, TXQ_IS, NOP_IS, NOP_IS}, 4);
    check_words(TXQ ";" TXQ "\n" TXQ ";\n;; " TLDS,
                (uint64_t[]){plain, TXQ_IS, TXQ_IS, TXQ_IS, plain, TLDS_IS, NOP_IS, NOP_IS}, 8);
    check_words(TXQ " {&wr1} {?stall2};\n.word 0x123 {?stall3}\n.word 7",
                (uint64_t[]){slots(0x732, 0x7f3, 0x7e0), TXQ_IS, 0x123, 7}, 4);
    check_words(".word 0X9aF;.word 0x0", (uint64_t[]){plain, 0x9af, 0, NOP_IS}, 4);
    check_words(".control 0x8123456789abcdef\n"
                ".word 1\n",
                (uint64_t[]){0x8123456789abcdef, 1, NOP_IS, NOP_IS}, 4);
    check_words(".section .text.a\n" TXQ "\n.section .text.b\n.section .text\n" TLDS,
                (uint64_t[]){plain, TXQ_IS, NOP_IS, NOP_IS, plain, TLDS_IS, NOP_IS, NOP_IS}, 8);
}

static void phases_lie_in_the_control_word(void **state)
{
    (void)state;
    check_words("TXQ.T R0, R6, TEX_HEADER_DIMENSION, 0, 0xf; TXQ.P R0, R6, TEX_HEADER_DIMENSION, 0, 0xf;"
                "TXQ.INVALIDPHASE3 R0, R6, TEX_HEADER_DIMENSION, 0, 0xf {?reuse_0x8};",
                (uint64_t[]){slots(0x207e0, 0x407e0, 0x1607e0), TXQ_IS, TXQ_IS, TXQ_IS}, 4);
    /* 18:17 of the control word alone, by .word: the same instruction. */
    struct sch_maxwell_code *code = accept(".word 0xdf48000780470600 {?reuse_0x1}");
    assert_true(code->sections[0].items[0].texture);
    assert_int_equal(code->sections[0].items[0].instruction.phase, 1);
    assert_int_equal(code->sections[0].items[0].instruction.operation, SCH_MAXWELL_TXQ);
    assert_false(code->sections[0].items[1].texture);
    assert_int_equal(code->textures, 1);
    assert_int_equal(code->instructions, 3);
    sch_maxwell_code_destroy(code);
}

static void braces_issue_two_together(void **state)
{
    (void)state;
    uint64_t control = slots(0x7f0, 0x7e0, 0x7e0);
    check_words("{ " TXQ ";\n" TLDS " }", (uint64_t[]){control, TXQ_IS, TLDS_IS, NOP_IS}, 4);
    check_words("{ @P0 " TXQ ";\n.word 5 } /* x */ ", (uint64_t[]){control, 0xdf48000780400600, 5, NOP_IS}, 4);
    check_words("{ " TXQ " {&wr3} {?stall0} ;\n" TLDS " }",
                (uint64_t[]){slots(0x770, 0x7e0, 0x7e0), TXQ_IS, TLDS_IS, NOP_IS}, 4);
    check_words("{ " TXQ ";\n" TLDS " {&wr3} {?stall1} }; " TXQ,
                (uint64_t[]){slots(0x7f0, 0x771, 0x7e0), TXQ_IS, TLDS_IS, TXQ_IS}, 4);
    refuse("{ " TXQ " {&wr3} ;\n" TLDS " }", SCH_D_MAXWELL_CONTROL_CONFLICT, 1, 3);
    refuse("{ " TXQ ";\n" TLDS ";\n", SCH_D_MAXWELL_GROUP, 2, 1);
    refuse(TXQ " }", SCH_D_MAXWELL_GROUP, 1, 1);
    refuse("{ " TXQ, SCH_D_MAXWELL_GROUP, 1, 3);
    refuse("{ " TXQ "; { " TLDS " }", SCH_D_MAXWELL_GROUP, 1, 47);
    refuse("{ .arch sm_50\n", SCH_D_MAXWELL_GROUP, 1, 3);
}

static void control_words_must_not_contradict(void **state)
{
    (void)state;
    uint64_t control = slots(0x20732, 0x7f1, 0x7e0);
    char text[200];
    snprintf(text, sizeof text, ".control %llu\nTXQ.T R0, R6, TEX_HEADER_DIMENSION, 0, 0xf; .word 3 {?stall1}",
             (unsigned long long)control);
    check_words(text, (uint64_t[]){control, TXQ_IS, 3, NOP_IS}, 4);
    refuse(".control 0x20732\n" TXQ, SCH_D_MAXWELL_CONTROL_CONFLICT, 2, 1);
    refuse(".control 0x732\n" TXQ " {&wr2} {?stall2}", SCH_D_MAXWELL_CONTROL_CONFLICT, 2, 1);
    refuse(".control 0x7e0\n{ " TXQ "; " TLDS " }", SCH_D_MAXWELL_CONTROL_CONFLICT, 2, 3);
    refuse(TXQ "\n.control 0\n", SCH_D_MAXWELL_CONTROL_PLACE, 2, 1);
    refuse(".control 0\n.control 0\n", SCH_D_MAXWELL_CONTROL_PLACE, 2, 1);
    refuse("TXQ.T R0, R6, TEX_HEADER_DIMENSION, 0, 0xf {?reuse_2}", SCH_D_MAXWELL_CONTROL_CONFLICT, 1, 1);
}

/* Bits 27:20 and 50 of TMML are not looked at (its row), 36 is the index. */
static void unseen_bits_are_said(void **state)
{
    (void)state;
    static const char tmml[] = "TMML.LOD R2, R6, 6, 2D, 0x3";
    char text[200];
    uint64_t plain = slots(0x7e0, 0x7e0, 0x7e0);
    snprintf(text, sizeof text, ".bits 0x0004000000c00000\n%s;", tmml);
    check_words(text, (uint64_t[]){plain, 0xdf5c0061a0c70602, NOP_IS, NOP_IS}, 4);
    snprintf(text, sizeof text, ".bits 0x1000000000\n%s;", tmml);
    refuse(text, SCH_D_MAXWELL_BITS, 2, 1);
    snprintf(text, sizeof text, ".bits 2\n%s;", tmml); /* a bit that is set already */
    refuse(text, SCH_D_MAXWELL_BITS, 2, 1);
    refuse(".bits 1\n.word 1", SCH_D_MAXWELL_BITS, 2, 1);
    refuse(TXQ "\n.bits 0x300000", SCH_D_MAXWELL_BITS, 2, 1);
}

/* Words of other instructions, from nvdisasm's texts. */
static void other_instructions_are_words(void **state)
{
    (void)state;
    const uint64_t plain = slots(0x7e0, 0x7e0, 0x7e0);
    check_words("MOV R1, c[0x0][0x20]; IADD R8, -R3, RZ; @P0 BRA 0x8",
                (uint64_t[]){plain, 0x4c98078000870001, 0x5c1200000ff70308, 0xe2400ffffe80000f}, 4);
    /* Sets of scoreboards have braces, as fields and groups have. */
    check_words("DEPBAR {5,0} {&wr7}; { DEPBAR.LE SB1, 0x2, {3} ; NOP }",
                (uint64_t[]){slots(0x7e0, 0x7f0, 0x7e0), 0xf0f0000000070021, 0xf0f0000024270008, NOP_IS}, 4);
    check_words("OUT.INVALIDOUTSTYPE0 R1, R2, R3 {?stall1}; PRMT.?"
                "?"
                "?9 R1, R2, R3, R4 ?stall2",
                (uint64_t[]){slots(0x7f1, 0x7f2, 0x7e0), 0xfbe0000000370201, 0x5bc9020000370201, NOP_IS}, 4);
    /* Each address is that of its word: 0x8, 0x10, 0x18, 0x28. */
    check_words("BRA 0x10; BRA 0x10; BRA 0x10; BRA 0x10",
                (uint64_t[]){plain, 0xe24000000007000f, 0xe2400fffff87000f, 0xe2400fffff07000f, plain,
                             0xe2400ffffe07000f, NOP_IS, NOP_IS},
                8);
    refuse("NOP;\n MOV R1, R300;", SCH_D_MAXWELL_REGISTER, 2, 10);
    refuse("MOV R1, R2 {&wr9};", SCH_D_MAXWELL_CONTROL_FIELD, 1, 13);
    refuse("MOV R1, R2, 0x3, 0x4 {&wr1}", SCH_D_MAXWELL_OPERANDS, 1, 16);
}

/* The control fields of maxas and CuAssembler stand before the instruction. */
static void fields_of_other_assemblers(void **state)
{
    (void)state;
    check_words("--:-:1:-:4 MOV R1, R2;\n 3f:6:-:Y:f " TXQ ";\n02:1:2:-:0 @P0 MOV R1, R2",
                (uint64_t[]){slots(0x714, 0x1fdef, 0x1030), 0x5c98078000270001, TXQ_IS, 0x5c98078000200001}, 4);
    check_words("[B------:R-:W0:-:S04] MOV R1, R2;[B012345:R5:W-:Y:S15]" TXQ ";[B-1----:R0:W1:-:S00] @P0 MOV R1, R2",
                (uint64_t[]){slots(0x714, 0x1fdef, 0x1030), 0x5c98078000270001, TXQ_IS, 0x5c98078000200001}, 4);
    static const char *const wrong[] = {
        "4f:-:-:-:1 NOP",
        "--:0:-:-:1 NOP",
        "--:-:7:-:1 NOP",
        "--:-:-:N:1 NOP",
        "--:-:-:-:g NOP",
        "--:-:-:-: NOP",
        "--:-:-",
        "[B------:R6:W-:-:S01] NOP",
        "[B1-----:R-:W-:-:S01] NOP",
        "[B------:R-:W-:-:S16] NOP",
        "[B------:R-:W-:x:S01] NOP",
        "[B------:R-:W-:-:S01",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) refuse(wrong[i], SCH_D_MAXWELL_CONTROL_FIELD, 1, 1);
    refuse("--:-:-:-:1 NOP {&wr1}", SCH_D_MAXWELL_CONTROL_FIELD, 1, 16);
    refuse("--:-:-:-:1 MOV R1, R300", SCH_D_MAXWELL_REGISTER, 1, 20);
    refuse("--:-:-:-:1 TXQ R0, R300, 25, 0", SCH_D_MAXWELL_REGISTER, 1, 20);
}

#define LISTED_A "        /*0008*/                   MOV R1, c[0x0][0x20] ;  /* 0x4c98078000870001 */\n"
#define LISTED_B                                                                                                       \
    "        /*0010*/         {         SYNC           (*\"BRANCH_TARGETS .L_x_0\"*) ;  /* 0xf0f800000007000f */\n"
#define LISTED_C "        /*0018*/                   BRA `(.L_x_0)         }\n"
#define CONTROL  "  /* 0x001c4400fe0007f6 */\n"

/* What nvdisasm -hex and cuobjdump -sass print: words and control words in comments, symbols, directives. */
static void listings_are_read(void **state)
{
    (void)state;
    const uint64_t control = 0x001c4400fe0007f6, mov = 0x4c98078000870001, sync = 0xf0f800000007000f,
                   bra = 0xe2400fffff07000f;
    static const char nvdisasm[] =
        "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_SM52 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM50)\"\n"
        "\t.elftype\t@\"ET_EXEC\"\n\n//---- .nv.info ----\n\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n\t.align\t4\n"
        "        /*0000*/\t.byte\t0x04, "
        "0x2f\n\t.section\t.text.k,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=21\"\n"
        "        .size           k,(.L_x_9 - k)\nk:\n.text.k:\n" CONTROL LISTED_A LISTED_B LISTED_C
        ".L_x_0:\n  /* 0xe2400fffff07000f */\n" CONTROL LISTED_A;
    check_words(nvdisasm, (uint64_t[]){control, mov, sync, bra, control, mov, NOP_IS, NOP_IS}, 8);
    struct sch_maxwell_code *code = accept(nvdisasm);
    assert_int_equal(code->arch, SCH_MAXWELL_SM_52);
    assert_int_equal(code->section_count, 1);
    assert_string_equal(code->sections[0].name, "k");
    sch_maxwell_code_destroy(code);
    check_words("Fatbin elf code:\n================\narch = sm_50\ncode version = [1,7]\n\n\tcode for sm_50\n"
                "\t\tFunction : one\n\t.headerflags    @\"EF_CUDA_SM50\"\n" CONTROL LISTED_A "\t\t..........\n\n"
                "\t\tFunction : two\n" CONTROL LISTED_A,
                (uint64_t[]){control, mov, NOP_IS, NOP_IS, control, mov, NOP_IS, NOP_IS}, 8);
    /* Bits that the text does not show are those of the word. */
    check_words("IADD R1, R2, R3; /* 0x5c10000010370201 */",
                (uint64_t[]){slots(0x7e0, 0x7e0, 0x7e0), 0x5c10000010370201, NOP_IS, NOP_IS}, 4);
    refuse("IADD R1, R2, R4; /* 0x5c10000000370201 */", SCH_D_MAXWELL_LISTED_WORD, 1, 1);
    refuse("TXQ R0, R6, 25, 0; /* 0xdf48000780470600 */", SCH_D_MAXWELL_LISTED_WORD, 1, 1);
    refuse(TXQ "; /* 0x5c10000000370201 */", SCH_D_MAXWELL_LISTED_WORD, 1, 1);
    refuse("BRA `(.L_x_0);", SCH_D_MAXWELL_LABEL, 1, 1);
    /* Texts of ours begin with .arch: comments in them say nothing. */
    check_words(".arch sm_50\n/* 0x001c4400fe0007f6 */\nMOV R1, c[0x0][0x20]; /* 0x5c10000000370201 */",
                (uint64_t[]){slots(0x7e0, 0x7e0, 0x7e0), mov, NOP_IS, NOP_IS}, 4);
    check_words("/* 0x01c4400fe0007f6 */ MOV R1, c[0x0][0x20]; /* 5c10000000370201 */ /* 0x5c1000000037020g */",
                (uint64_t[]){slots(0x7e0, 0x7e0, 0x7e0), mov, NOP_IS, NOP_IS}, 4);
}

/* .reuse lies in the control word, too. */
static void reuse_lies_in_the_control_word(void **state)
{
    (void)state;
    const uint64_t both = slots(0x607e0, 0x7e0, 0x7e0), words[] = {both, 0x5c48000000370201, NOP_IS, NOP_IS};
    char text[200];
    check_words("SHL R1, R2.reuse, R3.reuse", words, 4);
    check_words("SHL R1, R2.reuse, R3 {?reuse_2}", words, 4);
    snprintf(text, sizeof text, ".control %llu\nSHL R1, R2.reuse, R3.reuse", (unsigned long long)both);
    check_words(text, words, 4);
    snprintf(text, sizeof text, ".control %llu\nSHL R1, R2.reuse, R3", (unsigned long long)both);
    refuse(text, SCH_D_MAXWELL_CONTROL_CONFLICT, 2, 1);
    refuse(".control 0x7e0\nSHL R1, R2.reuse, R3", SCH_D_MAXWELL_CONTROL_CONFLICT, 2, 1);
}

/* Bits of other instructions: those that are not looked at, and those that the text does not tell from others. */
static void unseen_bits_of_other_instructions(void **state)
{
    (void)state;
    const uint64_t plain = slots(0x7e0, 0x7e0, 0x7e0);
    check_words(".bits 0x10000000\nIADD R1, R2, R3;", (uint64_t[]){plain, 0x5c10000010370201, NOP_IS, NOP_IS}, 4);
    check_words(".bits 0x7fc00000\nFADD32I R1, R2, +QNAN ;", (uint64_t[]){plain, 0x0807fc007fc70201, NOP_IS, NOP_IS},
                4);
    refuse(".bits 1\nIADD R1, R2, R3;", SCH_D_MAXWELL_BITS, 2, 1);
    refuse(".bits 0x8000000000000000\nIADD R1, R2, R3;", SCH_D_MAXWELL_BITS, 2, 1);
}

/* What a program's check says of them: slots that they cannot have, values without a meaning. */
static void other_instructions_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned number;
        const char *message;
    } rows[] = {
        {"MOV R1, R2 {&wr1}", SCH_D_MAXWELL_SLOT, "MOV: an instruction of fixed latency sets no barrier"},
        {"MOV R1, R2 {&rd1}", SCH_D_MAXWELL_SLOT, "MOV: an instruction of fixed latency sets no barrier"},
        {"DADD R2, R4, R6 {?reuse_8}", SCH_D_MAXWELL_SLOT, "DADD: bit 20 of its control slot must be 0"},
        {"SYNC {?reuse_8}", 0, ""},
        {"DADD R2, R4, R6 {&wr1} {&rd2}", 0, ""},
        {"VMAD R1, R2, R3, R4 {&wr1}", 0, ""},
        {"MUFU.INVALIDMUFUOPCODE8 R1, R2", SCH_D_MAXWELL_MEANINGLESS, "MUFU: a field has a value that means nothing"},
        {"PRMT.?"
         "?"
         "?9 R1, R2, R3, R4",
         SCH_D_MAXWELL_MEANINGLESS, "PRMT: a field has a value that means nothing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_diagnostics list;
        struct sch_maxwell_code *code = accept(rows[i].text);
        sch_diagnostics_init(&list, &sch_allocator_libc, 4);
        assert_int_equal(sch_maxwell_code_check(code, SCH_SEVERITY_ERROR, &list), rows[i].number != 0);
        assert_int_equal(list.count, rows[i].number != 0);
        assert_int_equal(code->unknown, 0);
        if (rows[i].number) {
            assert_int_equal(list.items[0].code, rows[i].number);
            assert_string_equal(list.items[0].message, rows[i].message);
        }
        sch_diagnostics_release(&list);
        sch_maxwell_code_destroy(code);
    }
}

static void architectures(void **state)
{
    (void)state;
    static const char half[] = "TEXS.F16 RZ, R4, R8, R12, 0x9, 2D, R;";
    char text[200];
    refuse(half, SCH_D_MAXWELL_HALF_ARCH, 1, 1);
    for (int i = 2; i <= 3; i++) {
        snprintf(text, sizeof text, ".arch sm_5%d\n%s", i, half);
        struct sch_maxwell_code *code = accept(text);
        assert_int_equal(code->arch, i == 2 ? SCH_MAXWELL_SM_52 : SCH_MAXWELL_SM_53);
        sch_maxwell_code_destroy(code);
    }
    for (int arch = 3; arch < 60; arch++)
        if (arch != SCH_MAXWELL_SM_50 && arch != SCH_MAXWELL_SM_52 && arch != SCH_MAXWELL_SM_53 &&
            arch != SCH_MAXWELL_SM_60 && arch != SCH_MAXWELL_SM_61)
            assert_string_equal(sch_maxwell_arch_name((enum sch_maxwell_arch)arch), "unknown");
    assert_string_equal(sch_maxwell_arch_name(SCH_MAXWELL_SM_53), "sm_53");
    refuse(".arch sm_70\n" TXQ, SCH_D_MAXWELL_ARCH, 1, 1);
    refuse(".arch sm_50\n.arch sm_50\n" TXQ, SCH_D_MAXWELL_ARCH, 2, 1);
    refuse(TXQ "\n.arch sm_50\n", SCH_D_MAXWELL_ARCH, 2, 1);
}

static void wrong_statements_are_placed(void **state)
{
    (void)state;
    refuse("", SCH_D_MAXWELL_STATEMENT, 1, 1);
    refuse("  // nothing\n/* here */\n", SCH_D_MAXWELL_STATEMENT, 3, 1);
    refuse(TXQ ";\n  .what 5", SCH_D_MAXWELL_STATEMENT, 2, 3);
    refuse(".word", SCH_D_MAXWELL_NUMBER, 1, 6);
    refuse(".word 0x", SCH_D_MAXWELL_NUMBER, 1, 7);
    refuse(".word 18446744073709551616", SCH_D_MAXWELL_NUMBER, 1, 7);
    refuse(".word 0x10000000000000000", SCH_D_MAXWELL_NUMBER, 1, 7);
    refuse(".word 5 5", SCH_D_MAXWELL_NUMBER, 1, 7);
    refuse(".word 5g", SCH_D_MAXWELL_NUMBER, 1, 7);
    refuse(".control 5 {?stall1}", SCH_D_MAXWELL_NUMBER, 1, 10);
    refuse(".word 5 {&what}", SCH_D_MAXWELL_CONTROL_FIELD, 1, 10);
    refuse(TXQ " {&wr9}", SCH_D_MAXWELL_CONTROL_FIELD, 1, 43);
    refuse(TXQ "; /* open\n", SCH_D_MAXWELL_COMMENT, 1, 43);
    refuse(".section .data", SCH_D_MAXWELL_SECTION, 1, 1);
    refuse(".section .textual", SCH_D_MAXWELL_SECTION, 1, 1);
    refuse(".section \".text.a\\x00\"", SCH_D_MAXWELL_SECTION, 1, 1);
    refuse(".section \".text.a", SCH_D_MAXWELL_SECTION, 1, 1);
    refuse(".section .text.a b", SCH_D_MAXWELL_SECTION, 1, 1);
}

static void errors_are_counted_and_bounded(void **state)
{
    (void)state;
    char text[4096] = "";
    for (int i = 0; i < 200; i++) strcat(text, ".what\n");
    struct reading reading = read_as(TEXT, text, strlen(text));
    assert_null(reading.code);
    assert_int_equal(reading.status, SCH_ERROR_INVALID);
    assert_int_equal(reading.reports, 100);

    /* A refused instruction keeps its place: the control word behind two others stands right. */
    reading = read_as(TEXT, TXQ "\nBAD\n" TXQ "\n.control 0\n", sizeof TXQ "\nBAD\n" TXQ "\n.control 0\n" - 1);
    assert_null(reading.code);
    assert_int_equal(reading.reports, 1);
    assert_int_equal(reading.line, 2);
}

/* What was refused ends what stood before it: the control word of its bundle, its bits, a group's first. */
static void a_refused_instruction_is_one_error(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ".control 0\n.word 1\n.word 2\nBAD\n.control 0\n.word 3",
        ".control 0\nBAD\n.word 1\n.word 2\n.control 0\n.word 3",
        ".control 0\n.word 1\n.word 2\n.word x\n.control 0\n.word 3",
        ".bits 2\nBAD\n" TXQ,
        ".bits 2\nTEXS.F16 RZ, R4, R8, R12, 0x9, 2D, R;\n" TXQ,
        ".bits 2\n.word 1\n" TXQ,
        "{ BAD;\n.word 1 }",
        "{ .word 1;\nBAD }\n.word 2",
        "{ .word x;\n.word 1 }",
        ".word 1\n.word 2\nBAD\n.control 0",
        ".control x\n.control 0\n.word 1",
        ".bits x\n" TXQ,
        ".section .data\n.word 1\n.arch sm_50 x",
        ".section \".text.{\" }",
        ".section \".text.}\" }",
    };
    static const uint32_t lines[] = {4, 2, 4, 2, 2, 2, 1, 2, 1, 3, 1, 1, 1, 1, 1};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct reading reading = read_as(TEXT, texts[i], strlen(texts[i]));
        const size_t reports = i == 12 ? 2 : 1;
        if (reading.reports != reports || reading.line != lines[i])
            fail_msg("%zu reports, the first in line %u: %s", reading.reports, reading.line, texts[i]);
        assert_int_equal(reading.status, SCH_ERROR_INVALID);
    }
    /* At the limit of instructions nothing is said of the group that it cuts. */
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    limits.instructions = 1;
    static const char cut[] = ".word 1\n{ .word 2;\n.word 3 }";
    struct reading reading = read_within(TEXT, cut, sizeof cut - 1, &limits);
    assert_int_equal(reading.status, SCH_ERROR_LIMIT);
    assert_int_equal(reading.reports, 1);
    assert_int_equal(reading.line, 2);
    static const char refused[] = ".word 1\nBAD\n";
    reading = read_within(TEXT, refused, sizeof refused - 1, &limits);
    assert_int_equal(reading.status, SCH_ERROR_LIMIT);
    refuse(".section \".text.{\" }", SCH_D_MAXWELL_GROUP, 1, 1);
    refuse(".section \".text.}\" }", SCH_D_MAXWELL_GROUP, 1, 1);
}

static void limits_hold(void **state)
{
    (void)state;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    limits.instructions = 5;
    static const char two[] = ".word 1; .word 2; .word 3; .word 4;";
    struct reading reading = read_within(TEXT, two, sizeof two - 1, &limits);
    assert_int_equal(reading.status, SCH_ERROR_LIMIT);
    assert_int_equal(reading.number, SCH_D_MAXWELL_LIMIT);
    unsigned char raw[64] = {0};
    reading = read_within(RAW, raw, sizeof raw, &limits);
    assert_int_equal(reading.status, SCH_ERROR_LIMIT);
    assert_int_equal(reading.number, SCH_D_MAXWELL_RAW_LIMIT);
    limits.instructions = 6;
    /* Each section is a function, and has the limit for itself. */
    static const char sections[] =
        ".section .text.a\n.word 1; .word 2; .word 3\n.section .text.b\n.word 1; .word 2; .word 3; .word 4; .word 5";
    reading = read_within(TEXT, sections, sizeof sections - 1, &limits);
    assert_int_equal(reading.status, SCH_OK);
    assert_int_equal(reading.code->instructions, 9);
    sch_maxwell_code_destroy(reading.code);
    reading = read_within(RAW, raw, sizeof raw, &limits);
    assert_int_equal(reading.status, SCH_OK);
    sch_maxwell_code_destroy(reading.code);
    limits.memory = 5000;
    limits.instructions = 1000;
    unsigned char more[32 * 100] = {0};
    assert_int_equal(read_within(RAW, more, sizeof more, &limits).status, SCH_ERROR_MEMORY);
}

/* Instructions of a section, and of all: none more than a limit, than an address, than a count has numbers. */
static void room_ends_with_the_smallest_bound(void **state)
{
    (void)state;
    const uint32_t all = UINT32_MAX, addressed = all / 32 * 3;
    const struct {
        uint32_t limit;
        size_t instructions, count, more;
        bool room;
    } rows[] = {{7, 0, 0, 7, true},
                {7, 0, 0, 8, false},
                {7, 100, 4, 3, true},
                {7, 100, 4, 4, false},
                {7, 0, 0, SIZE_MAX, false},
                {7, 0, 8, SIZE_MAX, false},
                {addressed + 9, 0, addressed - 3, 3, true},
                {addressed + 9, 0, addressed - 3, 4, false},
                {7, all - 7, 0, 7, true},
                {7, all - 6, 0, 7, false},
                {7, SIZE_MAX, 0, 1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        const struct sch_maxwell_code code = {.instructions = rows[i].instructions};
        limits.instructions = rows[i].limit;
        if (sch_maxwell_code_room(&code, &limits, rows[i].count, rows[i].more) != rows[i].room) fail_msg("row %zu", i);
    }
}

/* A statement of 16,384 bytes; of one more the line is left out. */
static void statements_have_a_length(void **state)
{
    (void)state;
    enum { LONGEST = 16384 };
    for (size_t bytes = LONGEST - 1; bytes <= LONGEST + 1; bytes++) {
        static char text[LONGEST + 64];
        memset(text, ' ', bytes);
        memcpy(text, ".word", 5);
        text[bytes - 1] = '5';
        strcpy(text + bytes, bytes > LONGEST ? "; .this }\n.what" : "");
        struct reading reading = read_as(TEXT, text, strlen(text));
        assert_int_equal(reading.status, bytes > LONGEST ? SCH_ERROR_INVALID : SCH_OK);
        assert_int_equal(reading.reports, bytes > LONGEST ? 2 : 0);
        assert_int_equal(reading.number, bytes > LONGEST ? SCH_D_MAXWELL_STATEMENT : 0);
        if (reading.code) assert_true(reading.code->sections[0].items[0].word == 5);
        sch_maxwell_code_destroy(reading.code);
        if (bytes <= LONGEST) continue;
        text[bytes] = 0;
        assert_int_equal(read_as(TEXT, text, bytes).reports, 1);
    }
}

/* Words in and out again, bit 63 of a control word included. */
static void raw_words_come_back(void **state)
{
    (void)state;
    const uint64_t words[8] = {0x8123456789abcdef, 1, TXQ_IS, UINT64_MAX, 0x7edcba9876543210, TLDS_IS, 0, 2};
    unsigned char raw[64];
    uint64_t again[8] = {0};
    for (unsigned i = 0; i < 64; i++) raw[i] = (unsigned char)(words[i / 8] >> 8 * (i % 8));
    struct reading reading = read_as(RAW, raw, sizeof raw);
    assert_non_null(reading.code);
    assert_int_equal(sch_maxwell_code_words(reading.code), 8);
    sch_maxwell_code_write(reading.code, again);
    for (unsigned i = 0; i < 8; i++) assert_true(again[i] == words[i]);
    for (unsigned i = 0; i < 6; i++) {
        const struct sch_maxwell_item *item = &reading.code->sections[0].items[i];
        assert_int_equal(item->spare, i == 0);
        assert_int_equal(item->address, 8 * (i / 3 * 4 + i % 3 + 1));
        assert_int_equal(item->position.offset, item->address);
        assert_int_equal(item->texture, i == 1 || i == 3);
    }
    assert_int_equal(reading.code->textures, 2);
    assert_int_equal(reading.code->sections[0].textures, 2);
    assert_false(reading.code->sections[0].named_section);
    sch_maxwell_code_destroy(reading.code);
}

static void sizes_of_raw_code(void **state)
{
    (void)state;
    unsigned char raw[96] = {0};
    for (size_t bytes = 0; bytes <= sizeof raw; bytes++) {
        struct reading reading = read_as(RAW, raw, bytes);
        assert_true((reading.code != NULL) == (bytes && bytes % 32 == 0));
        if (!reading.code) assert_int_equal(reading.number, bytes ? SCH_D_MAXWELL_RAW_SIZE : SCH_D_MAXWELL_RAW_EMPTY);
        assert_int_equal(reading.offset, reading.code ? 0 : bytes / 32 * 32); /* the bundle that is cut */
        sch_maxwell_code_destroy(reading.code);
    }
}

/* A text of 4 MiB of the same piece: refused with this number, or accepted (0). */
static void repeat(const char *piece, unsigned number)
{
    size_t bytes = (size_t)4 << 20, length = strlen(piece);
    char *text = malloc(bytes);
    assert_non_null(text);
    for (size_t i = 0; i < bytes; i++) text[i] = piece[i % length];
    struct reading reading = read_as(TEXT, text, bytes / length * length);
    if (reading.number != number) print_message("# %.40s: %u, not %u\n", piece, reading.number, number);
    assert_int_equal(reading.number, number);
    assert_true((reading.code != NULL) == (number == 0));
    assert_true(reading.reports <= 100);
    sch_maxwell_code_destroy(reading.code);
    free(text);
}

static void endless_texts(void **state)
{
    (void)state;
    repeat("a", SCH_D_MAXWELL_STATEMENT);
    repeat(";", SCH_D_MAXWELL_STATEMENT);
    repeat("\n", SCH_D_MAXWELL_STATEMENT);
    repeat("{", SCH_D_MAXWELL_STATEMENT);
    repeat("}", SCH_D_MAXWELL_STATEMENT);
    repeat("/* ", SCH_D_MAXWELL_COMMENT);
    repeat("/*", SCH_D_MAXWELL_STATEMENT);
    repeat("/**/", SCH_D_MAXWELL_STATEMENT);
    repeat("// \n", SCH_D_MAXWELL_STATEMENT);
    repeat(".word 1\n", SCH_D_MAXWELL_LIMIT);
    repeat(".control 1\n", SCH_D_MAXWELL_CONTROL_PLACE);
    repeat(".bits 1\n", SCH_D_MAXWELL_BITS);
    repeat(".section .text.a\n", SCH_D_MAXWELL_LIMIT);
    repeat(".section \".text.\\x41\"\n", SCH_D_MAXWELL_LIMIT);
    repeat("{?stall1} ", SCH_D_MAXWELL_STATEMENT);
    repeat(".word 1 /* x */ {?stall1} {&wr2} // y\n", 0);
    repeat(TXQ ";", 0);
}

/* ---- listings ---- */

/* Both styles of a program that has everything: sections of each kind of name, guards, groups in the places where they
 * can be, a control word and bits that no text says. */
#define HAS_EVERYTHING                                                                                                 \
    ".arch sm_52\n.section .text.first_kernel\n" TXQ ";\n{ @!P3 TEX.LZ.T R0, R4, 1, 2D ;\n"                            \
    "TLDS.LZ RZ, R4, R8, R12, 0, 2D, R }\n.control 0x8000000000000000\n.word 0x123\n.bits 0x0004000000c00000\n"        \
    "TMML.LOD R2, R6, 6, 2D, 0x3\n.section \".text.b c\\x22\\x5c\\x01\\x7f\\x80{;\"\n"                                 \
    ".word 1 {&req_5} {&rd1} {&wr2} {?stall3} {?yield} {?reuse_9}\n.word 2 {?stall0}\n.word 3 {?stall0}\n"             \
    ".section .text\n.word 7 {?stall0}\n{ .word 8;\n.word 9 }\n"

static void check_listing(const char *text, enum sch_maxwell_text_style style, const char *expected)
{
    struct sch_maxwell_code *code = accept(text);
    char *printed;
    size_t bytes;
    assert_int_equal(sch_maxwell_code_print(code, style, false, &sch_allocator_libc, &printed, &bytes), SCH_OK);
    assert_string_equal(printed, expected);
    assert_int_equal(bytes, strlen(expected));
    free(printed);
    sch_maxwell_code_destroy(code);
}

static void listings_are_laid_out(void **state)
{
    (void)state;
    check_listing(
        HAS_EVERYTHING, SCH_MAXWELL_TEXT_NVDISASM,
        ".arch sm_52\n.section .text.first_kernel\n        .control 0x001f8040fe0007e0\n"
        "        /*0008*/                   TXQ R0, R6, TEX_HEADER_DIMENSION, 0x0, 0xf;        /* "
        "0xdf48000780470600 */\n"
        "        /*0010*/         {    @!P3 TEX.LZ.T R0, R4, 0x1, 2D, 0xf ;        /* 0xc0b80017affb0400 */\n"
        "        /*0018*/                   TLDS.LZ RZ, R4, R8, R12, 0x0, 2D, R         }\n"
        "        /* 0xda40000ff0c70804 */\n        .control 0x8000000000000000\n"
        "        /*0028*/                   .word 0x0000000000000123 ;        "
        "/* no operation has these bits */\n        .bits 0x0004000000c00000\n"
        "        /*0030*/                   TMML.LOD R2, R6, 0x6, 2D, 0x3 ;        /* 0xdf5c0061a0c70602 */\n"
        "        /*0038*/                   NOP ;        /* 0x50b0000000070f00 */\n"
        ".section \".text.b c\\x22\\x5c\\x01\\x7f\\x80{;\"\n        .control 0x001fc000fe122943\n"
        "        /*0008*/                   .word 0x0000000000000001 ;        /* no operation has these bits */\n"
        "        /*0010*/         {         .word 0x0000000000000002 ;        /* no operation has these bits */\n"
        "        /*0018*/                   .word 0x0000000000000003         }\n"
        "        /* no operation has these bits */\n"
        ".section .text\n        .control 0x001f8000fe0007f0\n"
        "        /*0008*/         {         .word 0x0000000000000007 ;        /* no operation has these bits */\n"
        "        /*0010*/                   .word 0x0000000000000008         }\n"
        "        /* no operation has these bits */\n"
        "        /*0018*/                   .word 0x0000000000000009;        /* no operation has these bits */\n");
    check_listing(
        HAS_EVERYTHING, SCH_MAXWELL_TEXT_ISA,
        ".arch sm_52\n.section .text.first_kernel\n        TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf ;\n"
        "        @!P3 TEX.LZ.T R0, R4, 1, 2D, 0xf {?stall0} ;\n        TLDS.LZ RZ, R4, R8, R12, 0x0, 2D, R ;\n"
        "        .control 0x8000000000000000\n        .word 0x0000000000000123 {&rd0} {&wr0} ;\n"
        "        .bits 0x0004000000c00000\n        TMML.LOD R2, R6, 6, 2D, 0x3 {&rd0} {&wr0} ;\n"
        "        NOP {&rd0} {&wr0} ;\n.section \".text.b c\\x22\\x5c\\x01\\x7f\\x80{;\"\n"
        "        .word 0x0000000000000001 {&req_0x05} {&rd1} {&wr2} {?stall3} {?yield} {?reuse_0x9} ;\n"
        "        .word 0x0000000000000002 {?stall0} ;\n        .word 0x0000000000000003 {?stall0} ;\n"
        ".section .text\n        .word 0x0000000000000007 {?stall0} ;\n"
        "        .word 0x0000000000000008 {?stall0} ;\n        .word 0x0000000000000009 ;\n");
    /* A last instruction opens nothing. */
    check_listing(
        ".word 1; .word 2; .word 3 {?stall0}", SCH_MAXWELL_TEXT_NVDISASM,
        ".arch sm_50\n        .control 0x001fc000fc0007e0\n"
        "        /*0008*/                   .word 0x0000000000000001;        /* no operation has these bits */\n"
        "        /*0010*/                   .word 0x0000000000000002;        /* no operation has these bits */\n"
        "        /*0018*/                   .word 0x0000000000000003 ;        /* no operation has these bits */\n");
}

/* An instruction's line by its slot: nothing scheduled, something, the first of a group, the second. */
static void instructions_are_laid_out(void **state)
{
    (void)state;
    static const struct {
        const char *printed;
        uint32_t slot;
        bool closes;
        const char *laid_out;
    } rows[] = {{"X R1;", 0x7e0, false, "X R1;"},
                {"X R1;", 0x607e0, false, "X R1;"},
                {"X R1;", 0x7e1, false, "X R1 ;"},
                {"X R1;", 0x107e0, false, "X R1 ;"},
                {"X R1;", 0x7f0, false, "{ X R1 ;"},
                {"X R1;", 0x7f0, true, "X R1 }"},
                {"X R1;", 0x7e0, true, "X R1 }"},
                {"X R1", 0x7e0, false, "X R1;"},
                {"X R1", 0x1ffff0, false, "{ X R1 ;"},
                {"X R1", 0x1fffe0, false, "X R1 ;"},
                {"", 0x7e0, false, ";"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[SCH_MAXWELL_LAID_OUT];
        sch_maxwell_lay_out(rows[i].printed, rows[i].slot, rows[i].closes, text);
        assert_string_equal(text, rows[i].laid_out);
    }
}

/* ---- names and comments ---- */

static void names_of_sections_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *said, *name; /* NULL: refused */
    } rows[] = {
        {".text", ""},
        {".text.", ""},
        {".text.azAZ09._$", "azAZ09._$"},
        {"\".text\"", ""},
        {" \t \".text.a b\" ", "a b"},
        {"\".text.}{;/*//#?&'\"", "}{;/*//#?&'"},
        {"\".text.\\x01\\xff\\x7f\\x0a\\xaf\\x41\"", "\x01\xff\x7f\x0a\xaf\x41"},
        {"\".text.\x80\xff\"", "\x80\xff"},
        {"\".text.\\x30\\x39\\x93\\x9a\\xf9\"", "09\x93\x9a\xf9"},
        {"\".text.a\\x4\"", NULL},
        {"\".text.a\\x\"", NULL},
        {"\".text.a\\\"", NULL},
        {"\".text.a\\y41\"", NULL},
        {"\".text.a\\x4g\"", NULL},
        {"\".text.a\\xg4\"", NULL},
        {"\".text.a\\x4:\"", NULL},
        {"\".text.a\\x00b\"", NULL},
        {"\".text.a\x1f\"", NULL},
        {"\".text.a\x7f\"", NULL},
        {"\".text.a\" b", NULL},
        {"\".text.a\"\"", NULL},
        {"\".text.a", NULL},
        {"\"", NULL},
        {"", NULL},
        {".text.a`", NULL},
        {".text.a{", NULL},
        {".text.@", NULL},
        {".text.[", NULL},
        {".text./", NULL},
        {".text.:", NULL},
        {".text.\x80", NULL},
        {".tex", NULL},
        {".texts", NULL},
        {"text.a", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        snprintf(text, sizeof text, ".section %s\n.word 5", rows[i].said);
        struct reading reading = read_as(TEXT, text, strlen(text));
        if ((reading.code != NULL) != (rows[i].name != NULL)) fail_msg("%s: %u", text, reading.number);
        if (!reading.code) continue;
        assert_int_equal(reading.code->section_count, 1);
        assert_string_equal(reading.code->sections[0].name, rows[i].name);
        assert_true(reading.code->sections[0].named_section);
        assert_true(reading.code->sections[0].items[0].word == 5);
        sch_maxwell_code_destroy(reading.code);
    }
}

static void comments_are_blanks(void **state)
{
    (void)state;
    const uint64_t plain = slots(0x7e0, 0x7e0, 0x7e0);
    static const char *const fives[] = {".word 5",
                                        "/**/.word 5",
                                        "/* * / ** */.word 5",
                                        "/*\n*\n/ */ .word 5 //",
                                        ".word/* */5",
                                        ".word /* ; } { \" */ 5",
                                        ".word 5 /* x */ /* y */",
                                        "// .word 6\n.word 5 // .word 7",
                                        ".word 5 /*/*/",
                                        ";;.word 5;\r\n\f\v\t;",
                                        "/***/.word 5/*\n*/ // \xff"};
    for (size_t i = 0; i < sizeof fives / sizeof *fives; i++)
        check_words(fives[i], (uint64_t[]){plain, 5, NOP_IS, NOP_IS}, 4);
    refuse(".word 5 /*", SCH_D_MAXWELL_COMMENT, 1, 9);
    refuse(".word 5 /*/", SCH_D_MAXWELL_COMMENT, 1, 9);
    refuse(".word 5 /* *", SCH_D_MAXWELL_COMMENT, 1, 9);
    refuse(".word 5\n\n  /* *\n /", SCH_D_MAXWELL_COMMENT, 3, 3);
    refuse(".word /* \n */ 5", SCH_D_MAXWELL_NUMBER, 1, 6);
    refuse("/* a\n b */ .word 5\n /* c */ .what", SCH_D_MAXWELL_STATEMENT, 3, 10);
    refuse(".word 5 / 6", SCH_D_MAXWELL_NUMBER, 1, 7);
    refuse(".word 5 /", SCH_D_MAXWELL_NUMBER, 1, 7);
}

/* ---- the end of a text ---- */

struct said {
    enum sch_result status;
    size_t count;
    struct {
        unsigned number;
        uint32_t line, column;
        uint64_t offset;
    } reports[8];
    uint64_t words[32];
    size_t words_count;
};

static struct said all_of(const char *text, size_t bytes)
{
    struct said said;
    memset(&said, 0, sizeof said);
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics list;
    struct sch_maxwell_code *code;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    struct sch_maxwell_read how = {.allocator = &sch_allocator_libc, .limits = &limits, .diagnostics = &list};
    said.status = sch_maxwell_read_text(&how, text, bytes, &code);
    said.count = list.count;
    for (size_t i = 0; i < list.count && i < 8; i++) {
        said.reports[i].number = list.items[i].code;
        said.reports[i].line = list.items[i].position.line;
        said.reports[i].column = list.items[i].position.column;
        said.reports[i].offset = list.items[i].position.offset;
    }
    if (code) {
        said.words_count = sch_maxwell_code_words(code);
        assert_true(said.words_count <= 32);
        sch_maxwell_code_write(code, said.words);
    }
    sch_maxwell_code_destroy(code);
    sch_diagnostics_release(&list);
    return said;
}

/* A text that is cut at any place means what a text means that has no more bytes, whatever lies behind it. */
static void what_lies_behind_a_text_is_not_read(void **state)
{
    (void)state;
    static const char text[] = "/* a */ // b\n" HAS_EVERYTHING ".word 18446744073709551615 /*c*/ {?stall15};";
    for (size_t bytes = 0; bytes < sizeof text; bytes++) {
        static const char behind[] = "/*}\"0 ;x{&";
        char alone[sizeof text + 1], followed[sizeof text + 1];
        memset(alone, 0, sizeof alone);
        memcpy(alone, text, bytes);
        const struct said first = all_of(alone, bytes), second = all_of(text, bytes);
        if (memcmp(&first, &second, sizeof first)) fail_msg("%.*s|%s", (int)bytes, text, text + bytes);
        for (size_t i = 0; i < sizeof behind; i++) {
            memcpy(followed, alone, sizeof followed);
            followed[bytes] = behind[i];
            const struct said third = all_of(followed, bytes);
            if (memcmp(&first, &third, sizeof first)) fail_msg("%.*s|%c", (int)bytes, text, behind[i]);
        }
    }
}

/* ---- memory ---- */

/* Every allocation of reading and printing that fails is MEMORY, and none is left; of texts of many lengths, so that
 * each kind of object is once the one for which there is no room. */
static void memory_that_is_out_at_any_place(void **state)
{
    (void)state;
    static char text[1 << 15];
    for (unsigned names = 0; names < 48; names++) {
        size_t bytes = 0;
        for (unsigned n = 0; n < 6; n++)
            bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, ".section .text.n%0*u\n.word %u\n",
                                      (int)(names * 41 % 1500), n, n);
        long calls = 1;
        for (long fail_at = 0; fail_at <= calls; fail_at++) {
            struct counting counting = {.fail_at = fail_at};
            const struct sch_allocator allocator = counting_callbacks(&counting);
            struct sch_limits limits = SCH_LIMITS_DEFAULT;
            struct sch_maxwell_read how = {.allocator = &allocator, .limits = &limits};
            struct sch_maxwell_code *code;
            char *printed = NULL;
            size_t printed_bytes;
            enum sch_result status = sch_maxwell_read_text(&how, text, bytes, &code);
            assert_int_equal(status, code ? SCH_OK : SCH_ERROR_MEMORY);
            if (code)
                status =
                    sch_maxwell_code_print(code, SCH_MAXWELL_TEXT_ISA, false, &allocator, &printed, &printed_bytes);
            assert_int_equal(status, fail_at ? SCH_ERROR_MEMORY : SCH_OK);
            if (!fail_at) calls = counting.calls;
            if (printed) allocator.free(allocator.user, printed);
            sch_maxwell_code_destroy(code);
            assert_int_equal(counting.live, 0);
        }
    }
}

/* ---- any bundle ---- */

/* Half of the words begin as texture operations do. */
static uint64_t some_word(uint64_t *seed)
{
    static const unsigned char tops[] = {0xc0, 0xc8, 0xcb, 0xda, 0xd8, 0xdc, 0xdd, 0xde, 0xdf, 0xc1};
    uint64_t word = random_number(seed);
    if (word & 1) return word;
    return (random_number(seed) >> 8) | (uint64_t)tops[random_number(seed) % sizeof tops] << 56;
}

static void random_bundles_come_back(void **state)
{
    (void)state;
    enum { BUNDLES = 16, ROUNDS = 600 };
    uint64_t seed = 7;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned char *raw = malloc(BUNDLES * 32);
        assert_non_null(raw);
        for (size_t i = 0; i < BUNDLES * 4; i++) {
            uint64_t word = some_word(&seed);
            for (unsigned byte = 0; byte < 8; byte++) raw[8 * i + byte] = (unsigned char)(word >> 8 * byte);
        }
        bool accepted;
        const char *finding = sch_roundtrip_program(PROGRAM_RAW, raw, BUNDLES * 32, &accepted);
        free(raw);
        if (finding) fail_msg("round %u: %s", round, finding);
        assert_true(accepted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_have_the_fields_of_the_table),
        cmocka_unit_test(every_slot_comes_back_from_its_text),
        cmocka_unit_test(fields_are_read_as_documented),
        cmocka_unit_test(slots_are_written_as_documented),
        cmocka_unit_test(lines_are_instructions_with_slots),
        cmocka_unit_test(bundles_are_filled),
        cmocka_unit_test(phases_lie_in_the_control_word),
        cmocka_unit_test(braces_issue_two_together),
        cmocka_unit_test(control_words_must_not_contradict),
        cmocka_unit_test(unseen_bits_are_said),
        cmocka_unit_test(other_instructions_are_words),
        cmocka_unit_test(fields_of_other_assemblers),
        cmocka_unit_test(listings_are_read),
        cmocka_unit_test(reuse_lies_in_the_control_word),
        cmocka_unit_test(unseen_bits_of_other_instructions),
        cmocka_unit_test(other_instructions_are_checked),
        cmocka_unit_test(architectures),
        cmocka_unit_test(wrong_statements_are_placed),
        cmocka_unit_test(errors_are_counted_and_bounded),
        cmocka_unit_test(a_refused_instruction_is_one_error),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(room_ends_with_the_smallest_bound),
        cmocka_unit_test(statements_have_a_length),
        cmocka_unit_test(raw_words_come_back),
        cmocka_unit_test(sizes_of_raw_code),
        cmocka_unit_test(endless_texts),
        cmocka_unit_test(random_bundles_come_back),
        cmocka_unit_test(listings_are_laid_out),
        cmocka_unit_test(instructions_are_laid_out),
        cmocka_unit_test(names_of_sections_are_read),
        cmocka_unit_test(comments_are_blanks),
        cmocka_unit_test(what_lies_behind_a_text_is_not_read),
        cmocka_unit_test(memory_that_is_out_at_any_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
