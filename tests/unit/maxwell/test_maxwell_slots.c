/* Control slots of Maxwell code: what instructions read and write, where control goes, what is warned of, and schedules
 * that are made. Programs of our own; compiled kernels are in tests/cli/maxwell_kernels.py. */
#include <stdio.h>
#include <string.h>

#include "isa/errors.h"
#include "maxwell/slots/slots.h"
#include "maxwell/text/effects.h"
#include "maxwell_reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MEMORY = 64 << 20 };

static struct sch_maxwell_code *accept(const char *text)
{
    struct reading reading = read_as(TEXT, text, strlen(text));
    if (!reading.code) fail_msg("%u at %u:%u of %s", reading.number, reading.line, reading.column, text);
    return reading.code;
}

/* ---- effects ---- */

static void put_places(const struct sch_maxwell_places *places, char *text)
{
    text[0] = 0;
    for (unsigned place = 0; place < SCH_MAXWELL_PLACES; place++) {
        char name[SCH_MAXWELL_PLACE_TEXT];
        if (!(places->words[place / 64] >> place % 64 & 1)) continue;
        sch_maxwell_place_name(place, name);
        strcat(strcat(text, *text ? " " : ""), name);
    }
}

static void effects_are_those_of_the_operands(void **state)
{
    (void)state;
    static const struct {
        const char *text, *writes, *reads;
    } rows[] = {
        {"IADD R1, R2, R3", "R1", "R2 R3"},
        {"@!P2 IADD.X R1.CC, -R2, 0x5", "R1 CC", "R2 P2 CC"},
        {"IADD R1, RZ, c[0x0][0x8]", "R1", ""},
        {"FFMA R1, R2, c[0x0][0x8], R9", "R1", "R2 R9"},
        {"FFMA32I R1, R2, 1, R1", "R1", "R1 R2"},
        {"DADD R2, R4, -R6", "R2 R3", "R4 R5 R6 R7"},
        {"DFMA R2, R4, R6, R8", "R2 R3", "R4 R5 R6 R7 R8 R9"},
        {"DSETP.LT.AND P1, P2, R4, R6, !P3", "P1 P2", "R4 R5 R6 R7 P3"},
        {"F2F.F64.F32 R2, R5", "R2 R3", "R5"},
        {"F2F.F32.F64 R2, R4", "R2", "R4 R5"},
        {"F2I.S64.F64 R2, R4", "R2 R3", "R4 R5"},
        {"I2F.F64.U64 R2, R4", "R2 R3", "R4 R5"},
        {"ISETP.EQ.AND P0, PT, R1, R2, P4", "P0", "R1 R2 P4"},
        {"LOP.AND.NZ P1, R0, R1, R2", "R0 P1", "R1 R2"},
        {"XMAD.MRG R3, R0, R4.H1, RZ", "R3", "R0 R4"},
        {"LD.E.128 R4, [R8+0x10], P1", "R4 R5 R6 R7", "R8 R9 P1"},
        {"ST.64 [R8], R4", "", "R4 R5 R8"},
        {"LDG.E.64 R4, [R8]", "R4 R5", "R8 R9"},
        {"LDG.U8 R4, [R8]", "R4", "R8"},
        {"STG.E.128 [R8], R4", "", "R4 R5 R6 R7 R8 R9"},
        {"LDS.U.128 R4, [R8]", "R4 R5 R6 R7", "R8"},
        {"STS.64 [0x10], R4", "", "R4 R5"},
        {"LDC.64 R4, c[0x3][R8+0x10]", "R4 R5", "R8"},
        {"ATOM.E.ADD.U64 R4, [R8], R10", "R4 R5", "R8 R9 R10 R11"},
        {"ATOM.E.CAS R4, [R8], R10, R11", "R4", "R8 R9 R10 R11"},
        {"ATOM.E.CAS.64 R4, [R8], R12, R14", "R4 R5", "R8 R9 R12 R13 R14 R15"},
        {"ATOMS.ADD R4, [R8], R10", "R4", "R8 R10"},
        {"RED.E.ADD.U64 [R8], R10", "", "R8 R9 R10 R11"},
        {"SHFL.BFLY P1, R2, R3, 0x1, R4", "R2 P1", "R3 R4"},
        {"S2R R2, SR_TID.X", "R2", ""},
        {"SULD.D.BA.2D.64.IGN R2, [R4], R7", "R2 R3", "R4 R5 R7"},
        {"SUST.D.BA.2D_ARRAY.128 [R4], R8, 0x1", "", "R4 R5 R6 R8 R9 R10 R11"},
        {"SUST.P.3D.RGB [R4], R8, 0x1", "", "R4 R5 R6 R8 R9 R10"},
        {"P2R R1, PR, R2, 0x7f", "R1", "R2 P0 P1 P2 P3 P4 P5 P6"},
        {"R2P PR, R2, 0x5", "P0 P2", "R2"},
        {"VOTE.ANY R1, P2, !P3", "R1 P2", "P3"},
        {"PSETP.AND.OR P1, P2, P3, !P4, P5", "P1 P2", "P3 P4 P5"},
        {"CSETP.EQ.AND P1, PT, CC, PT", "P1", "CC"},
        {"VADD.UD.U8.U16.MRG_16H R1, R2, 0x3, R4", "R1", "R2 R4"},
        {"VABSDIFF4.ACC R1, R2, R3, R4", "R1", "R2 R3 R4"},
        {"@P1 BRA CC.NEU, 0x8", "", "P1 CC"},
        {"BRX R4 -0x20", "", "R4"},
        {"BAR.SYNC R1, R2", "", "R1 R2"},
        {"BAR.RED.POPC 0x1, !P2", "", "P2"},
        {"B2R.RESULT R1, P2", "R1 P2", ""},
        {"ALD.64 R2, a[0x80], R4", "R2 R3", "R4"},
        {"AST.128 a[0x80], R8, R4", "", "R4 R8 R9 R10 R11"},
        {"IPA.PASS R1, a[0x7c], R2", "R1", "R2"},
        {"OUT.EMIT R1, R2, R3", "R1", "R2 R3"},
        {"PIXLD.COVMASK R1, [R2]", "R1", "R2"},
        {"ISBERD R1, [R2]", "R1", "R2"},
        {"MUFU.RCP R1, |R2|", "R1", "R2"},
        {"SETCRSPTR R2", "", "R2"},
        {"LEA.HI.X P0, R2, R3, R4, R5, 0x2", "R2 P0", "R3 R4 R5 CC"},
        {"TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA", "R0 R1 R4 R5", "R9 R11"},
        {"@P3 TEX.LZ R4, R8, RZ, 0x1, 2D, 0xf", "R4 R5 R6 R7", "R8 R9 P3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_maxwell_effects effects;
        char writes[2048], reads[2048];
        struct sch_maxwell_code *code = accept(rows[i].text);
        sch_maxwell_effects_of(&code->sections[0].items[0], &effects);
        put_places(&effects.writes, writes);
        put_places(&effects.reads, reads);
        if (strcmp(writes, rows[i].writes) != 0 || strcmp(reads, rows[i].reads) != 0)
            fail_msg("%s writes %s, reads %s", rows[i].text, writes, reads);
        sch_maxwell_code_destroy(code);
    }
}

/* ---- what is warned of ---- */

/* The lines of the reports, each with its number. */
static void warned(const char *text, const char *wanted)
{
    struct sch_maxwell_code *code = accept(text);
    struct sch_diagnostics list;
    char found[512] = "";
    sch_diagnostics_init(&list, &sch_allocator_libc, 20);
    sch_maxwell_targets_check(code, &list);
    assert_int_equal(sch_maxwell_slots_check(code, &sch_allocator_libc, MEMORY, &list), SCH_OK);
    for (size_t i = 0; i < list.count; i++) {
        const size_t used = strlen(found);
        assert_int_equal(list.items[i].severity, SCH_SEVERITY_WARNING);
        snprintf(found + used, sizeof found - used, "%s%u:%u %s", i ? "; " : "", list.items[i].position.line,
                 list.items[i].code, list.items[i].message);
    }
    if (strcmp(found, wanted) != 0) fail_msg("%s\nis warned of as: %s\nnot: %s", text, found, wanted);
    sch_diagnostics_release(&list);
    sch_maxwell_code_destroy(code);
}

#define LOAD "LDG.E R2, [R4] {&wr0} {&rd1} {?stall1}\n"
#define DONE "EXIT {?stall15}\n"

static void early_reads_are_warned_of(void **state)
{
    (void)state;
    warned(LOAD "IADD R3, R2, R2 {&req_0x01} {?stall6}\n" DONE, "");
    warned(LOAD "IADD R3, R2, R2 {?stall6}\n" DONE, "2:2650 R2 is read before barrier 0 was waited for");
    warned(LOAD "IADD R3, R2, R2 {&req_0x02} {?stall6}\n" DONE, "2:2650 R2 is read before barrier 0 was waited for");
    warned(LOAD "NOP {&req_0x01} {?stall6}\nIADD R3, R2, R2 {?stall6}\n" DONE, "");
    warned(LOAD "DEPBAR.LE SB0, 0x0 {?stall6}\nIADD R3, R2, R2 {?stall6}\n" DONE, "");
    warned(LOAD "DEPBAR {3,0} {?stall6}\nIADD R3, R2, R2 {?stall6}\n" DONE, "");
    warned(LOAD "DEPBAR {3,2} {?stall6}\nIADD R3, R2, R2 {?stall6}\n" DONE,
           "3:2650 R2 is read before barrier 0 was waited for");
    warned("LDG.E.64 R2, [R4] {&wr0} {?stall1}\nIADD R8, R3, 1 {?stall6}\n" DONE,
           "2:2650 R3 is read before barrier 0 was waited for");
    warned("DSETP.LT.AND P1, PT, R4, R6, PT {&wr3} {?stall1}\n@P1 IADD R8, R3, 1 {?stall6}\n" DONE,
           "2:2650 P1 is read before barrier 3 was waited for");
    warned("IMUL R1.CC, R4, R6 {&wr3} {?stall1}\nIADD.X R8, R3, 1 {?stall6}\n" DONE,
           "2:2650 CC is read before barrier 3 was waited for");
    /* A second result on the same barrier is waited for with the first. */
    warned(LOAD "LDG.E R3, [R8] {&wr0} {?stall1}\nIADD R3, R2, R3 {&req_0x01} {?stall6}\n" DONE, "");
    /* Without a barrier of its own: the next one of the row tells of it, or none does. */
    warned("LDG.E R2, [R4] {?stall1}\nLDG.E R3, [R8] {&wr0} {?stall1}\nIADD R3, R2, R3 {&req_0x01} {?stall6}\n" DONE,
           "");
    warned("LDG.E R2, [R4] {?stall1}\nIADD R3, R2, R3 {?stall6}\n" DONE,
           "2:2650 R2 is read, and no barrier tells when it is there");
    /* One report of each. */
    warned(LOAD "IADD R3, R2, R2 {?stall6}\nIADD R3, R2, R2 {?stall6}\n" DONE,
           "2:2650 R2 is read before barrier 0 was waited for");
    /* A text without any schedule says nothing that could be wrong. */
    warned("LDG.E R2, [R4]\nIADD R3, R2, R2\nEXIT", "");
}

static void targets_that_are_no_instructions_are_warned_of(void **state)
{
    (void)state;
    warned("BRA 0x8\nSSY 0x10\nEXIT", "");
    warned("BRA 0x20\nNOP\nNOP\nNOP\nEXIT", ""); /* the control word of a bundle leads to its first instruction */
    warned("BRA 0x14\nNOP\nEXIT", "1:2652 the target 0x14 is not an instruction of this section");
    warned("NOP\n@P0 BRA 0x48\nEXIT", "2:2652 the target 0x48 is not an instruction of this section");
    warned("PBK -0x10\nNOP\nEXIT", "1:2652 the target -0x10 is not an instruction of this section");
    warned("JMP 0x1234\nNOP\nEXIT", ""); /* not counted from here */
}

static void early_writes_are_warned_of(void **state)
{
    (void)state;
    warned(LOAD "MOV R2, R9 {?stall6}\n" DONE, "2:2651 R2 is overwritten before barrier 0 was waited for");
    warned(LOAD "MOV R4, R9 {?stall6}\n" DONE, "2:2651 R4 is overwritten before barrier 1 was waited for");
    warned(LOAD "MOV R5, R9 {?stall6}\n" DONE, "2:2651 R5 is overwritten before barrier 1 was waited for");
    warned(LOAD "MOV R4, R9 {&req_0x02} {?stall6}\n" DONE, "");
    /* What has written its result has read its sources. */
    warned(LOAD "MOV R4, R9 {&req_0x01} {?stall6}\n" DONE, "");
    warned("STG.E [R4], R2 {&rd2} {?stall1}\nMOV R2, R9 {?stall6}\n" DONE,
           "2:2651 R2 is overwritten before barrier 2 was waited for");
    /* Predicates are read when an instruction is issued. */
    warned("@P0 STG.E [R4], R2 {&rd2} {?stall1}\nISETP.EQ.AND P0, PT, R7, R8, PT {?stall6}\n" DONE, "");
}

static void ways_are_followed(void **state)
{
    (void)state;
    /* One of two ways waits. */
    warned("@P0 BRA a {?stall5}\n" LOAD "a: IADD R3, R2, R2 {?stall6}\n" DONE,
           "3:2650 R2 is read before barrier 0 was waited for");
    warned("@P0 BRA a {?stall5}\n" LOAD "NOP {&req_0x01} {?stall6}\na: IADD R3, R2, R2 {?stall6}\n" DONE, "");
    /* Round a loop. */
    warned("a: IADD R3, R2, R2 {?stall6}\n" LOAD "@P0 BRA a {?stall5}\n" DONE,
           "1:2650 R2 is read before barrier 0 was waited for");
    warned("a: IADD R3, R2, R2 {?stall6}\n" LOAD "@P0 BRA a {&req_0x01} {?stall5}\n" DONE, "");
    /* What follows an instruction that leaves for ever does not follow the load. */
    warned(LOAD "BRA b {?stall5}\nIADD R3, R2, R2 {?stall6}\nb: " DONE, "");
    warned(LOAD "EXIT {?stall5}\nIADD R3, R2, R2 {?stall6}\n" DONE, "");
    /* SYNC, BRK, CONT and RET go where those that pushed say. */
    warned("SSY s {?stall1}\n" LOAD "SYNC {?stall5}\nIADD R3, R2, R2 {?stall6}\ns: IADD R3, R2, R2 {?stall6}\n" DONE,
           "5:2650 R2 is read before barrier 0 was waited for");
    warned("PBK s {?stall1}\nSSY t {?stall1}\n" LOAD "BRK {?stall5}\nt: IADD R3, R2, R2 {?stall6}\n" DONE
           "s: IADD R3, R2, R2 {?stall6}\n" DONE,
           "7:2650 R2 is read before barrier 0 was waited for");
    warned("PCNT s {?stall1}\n" LOAD "CONT {?stall5}\ns: IADD R3, R2, R2 {?stall6}\n" DONE,
           "4:2650 R2 is read before barrier 0 was waited for");
    warned("CAL f {?stall1}\nIADD R3, R2, R2 {?stall6}\n" DONE "f: " LOAD "RET {?stall5}\n",
           "2:2650 R2 is read before barrier 0 was waited for");
    /* Two calls come back each to its own place. */
    warned("CAL f {?stall1}\nNOP {&req_0x01} {?stall6}\nIADD R3, R2, R2 {?stall6}\nCAL f {?stall1}\nMOV R9, R2 "
           "{?stall6}\n" DONE "f: " LOAD "RET {?stall5}\n",
           "5:2650 R2 is read before barrier 0 was waited for");
    warned("PRET r {?stall1}\n" LOAD "RET {?stall5}\nr: IADD R3, R2, R2 {?stall6}\n" DONE,
           "4:2650 R2 is read before barrier 0 was waited for");
    /* A computed branch leads nowhere that the words say; a call without end does not hang. */
    warned(LOAD "BRX R9 {?stall5}\nIADD R3, R2, R2 {?stall6}\n" DONE, "");
    warned("f: " LOAD "CAL f {?stall1}\n" DONE, "1:2651 R2 is overwritten before barrier 0 was waited for");
}

/* ---- schedules ---- */

static void scheduled(const char *text, const char *wanted)
{
    struct sch_maxwell_code *code = accept(text);
    struct sch_diagnostics list;
    char *printed;
    size_t bytes;
    sch_diagnostics_init(&list, &sch_allocator_libc, 20);
    assert_int_equal(sch_maxwell_slots_make(code, &sch_allocator_libc, MEMORY), SCH_OK);
    assert_int_equal(sch_maxwell_slots_check(code, &sch_allocator_libc, MEMORY, &list), SCH_OK);
    sch_maxwell_code_check(code, SCH_SEVERITY_WARNING, &list);
    assert_int_equal(list.count, 0);
    assert_int_equal(sch_maxwell_code_print(code, SCH_MAXWELL_TEXT_ISA, false, &sch_allocator_libc, &printed, &bytes),
                     SCH_OK);
    if (!strstr(printed, wanted)) fail_msg("%s\nlacks\n%s", printed, wanted);
    sch_allocator_libc.free(sch_allocator_libc.user, printed);
    sch_diagnostics_release(&list);
    sch_maxwell_code_destroy(code);
}

static void schedules_are_made(void **state)
{
    (void)state;
    scheduled("LDG.E R2, [R4]; IADD R3, R2, R2; EXIT;",
              "        LDG.E R2, [R4] {&req_0x3f} {&rd1} {&wr0} {?stall15} ;\n"
              "        IADD R3, R2, R2 {&req_0x01} {?stall15} ;\n"
              "        EXIT {&req_0x3f} {?stall15} ;\n");
    scheduled("MOV R9, R9; LDG.E R2, [R4]; MOV R4, R8;", "        MOV R9, R9 {&req_0x3f} {?stall15} ;\n"
                                                         "        LDG.E R2, [R4] {&rd1} {&wr0} {?stall15} ;\n"
                                                         "        MOV R4, R8 {&req_0x02} {?stall15} ;\n");
    /* Fields that the text has go, phases stay, and so does what no slot says. */
    scheduled("IADD R3, R2.reuse, R2 {?stall0}; TEX.LZ.P R4, R8, RZ, 0x1, 2D, 0xf {&wr5}; .word 0x1;",
              "        IADD R3, R2, R2 {&req_0x3f} {?stall15} ;\n"
              "        TEX.LZ.P R4, R8, 1, 2D, 0xf {&rd1} {&wr0} {?stall15} ;\n"
              "        .word 0x0000000000000001 {&req_0x3f} {?stall15} ;\n");
    /* More results than barriers: the oldest is waited for. */
    scheduled(
        "S2R R0, SR_TID.X; S2R R1, SR_TID.X; S2R R2, SR_TID.X; S2R R3, SR_TID.X; S2R R4, SR_TID.X; S2R R5, SR_TID.X;"
        "S2R R6, SR_TID.X; IADD R7, R0, R6;",
        "        S2R R5, SR_TID.X {&wr5} {?stall15} ;\n"
        "        S2R R6, SR_TID.X {&req_0x01} {&wr0} {?stall15} ;\n"
        "        IADD R7, R0, R6 {&req_0x01} {?stall15} ;\n");
    scheduled("SSY s; @P0 SYNC; S2R R0, SR_TID.X; s: MOV R1, R0; EXIT;",
              "        S2R R0, SR_TID.X {&req_0x3f} {&wr0} {?stall15} ;\n"
              "        MOV R1, R0 {&req_0x3f} {?stall15} ;\n");
}

/* With every allocation of a run refused in turn, it says so. */
static void memory_that_ends_is_said(void **state)
{
    (void)state;
    struct sch_maxwell_code *code = accept(LOAD "a: CAL a {?stall1}\n" DONE);
    unsigned refused = 0;
    for (size_t limit = 1; limit < MEMORY; limit *= 4) {
        const enum sch_result status = sch_maxwell_slots_check(code, &sch_allocator_libc, limit, NULL);
        if (status != SCH_OK) assert_int_equal(status, SCH_ERROR_LIMIT);
        refused += status != SCH_OK;
    }
    assert_true(refused > 3);
    assert_int_equal(sch_maxwell_slots_make(code, &sch_allocator_libc, 1), SCH_ERROR_LIMIT);
    sch_maxwell_code_destroy(code);
}

/* ---- labels ---- */

static void words(const char *text, const char *same)
{
    struct sch_maxwell_code *code = accept(text), *other = accept(same);
    assert_int_equal(code->instructions, other->instructions);
    for (size_t s = 0; s < code->section_count; s++)
        for (size_t i = 0; i < code->sections[s].count; i++)
            if (code->sections[s].items[i].word != other->sections[s].items[i].word)
                fail_msg("instruction %zu of %s", i, text);
    sch_maxwell_code_destroy(code);
    sch_maxwell_code_destroy(other);
}

static void refused(const char *text, unsigned number, uint32_t line)
{
    struct reading reading = read_as(TEXT, text, strlen(text));
    if (reading.number != number || reading.line != line)
        fail_msg("%u at %u of %s", reading.number, reading.line, text);
    assert_int_equal(reading.status, SCH_ERROR_INVALID);
}

static void labels_are_addresses(void **state)
{
    (void)state;
    words("NOP; a: @P0 BRA a; BRA `(.L_1);\n.L_1:\nEXIT;", "NOP; @P0 BRA 0x10; BRA 0x20; EXIT");
    words("SSY x; PBK x; PCNT x; CAL x; PRET x; PLONGJMP x; PEXIT x; x: EXIT;",
          "SSY 0x50; PBK 0x50; PCNT 0x50; CAL 0x50; PRET 0x50; PLONGJMP 0x50; PEXIT 0x50; EXIT");
    words("JMP x; JCAL x; x: BRA CC.EQ, x", "JMP 0x18; JCAL 0x18; BRA CC.EQ, 0x18");
    words("BRX R4 x; x: BRX R4 `(x); JMX R5 x", "BRX R4; BRX R4 -0x8; JMX R5 0x10");
    words("BRA x {?stall5}\n02:1:-:Y:4 BRA x\nx: 02:1:-:Y:4 NOP", "BRA 0x18\nBRA 0x18\nNOP");
    words(".section .text.a\nx: BRA x\n.section .text.b\nNOP\nx: BRA x",
          ".section .text.a\nBRA 0x0\n.section .text.b\nNOP\nBRA 0x10");
    words("BRX R4 -0x8 (*\"BRANCH_TARGETS .L_1,.L_2\"*);", "BRX R4 -0x8");
    words("a:b: NOP; foo:BRA foo; BRA a; CC:BRA CC.T, b\nc: d:\nBRA d",
          "NOP; BRA 0x10; BRA 0x0; BRA CC.T, 0x0; BRA 0x30");
    refused("NOP\nBRA nowhere", SCH_D_MAXWELL_LABEL, 2);
    refused("x: NOP\nx: NOP", SCH_D_MAXWELL_LABEL_TWICE, 2);
    refused(".section .text.a\nx: NOP\n.section .text.b\nBRA x", SCH_D_MAXWELL_LABEL, 4);
    refused("BRA `(x", SCH_D_MAXWELL_OPERANDS, 1);
    refused("BRA `x", SCH_D_MAXWELL_OPERANDS, 1);
    refused("IADD R1, R2, x\nx: NOP", SCH_D_MAXWELL_REGISTER, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_are_those_of_the_operands),
        cmocka_unit_test(early_reads_are_warned_of),
        cmocka_unit_test(targets_that_are_no_instructions_are_warned_of),
        cmocka_unit_test(early_writes_are_warned_of),
        cmocka_unit_test(ways_are_followed),
        cmocka_unit_test(schedules_are_made),
        cmocka_unit_test(memory_that_ends_is_said),
        cmocka_unit_test(labels_are_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
