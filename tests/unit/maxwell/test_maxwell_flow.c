/* Kernels of Maxwell code that are launched as grids: control flow and divergence, barriers, bounds of memory, and what
 * ends a dispatch. Each runs at all widths of vectors. What arithmetic computes is tested elsewhere. */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

enum { WORDS = 1024, LANES = SCH_MAXWELL_GROUP_LANES, CONSTANT_WORDS = 96, PARAMETER = 0x140 / 4, BANK_WORDS = 0x4000 };
#define BASE UINT64_C(0xfffffff80) /* a range over the boundary of 4 GiB: words 32 and up have another high word */

/* A launch: what is asked of it, and what came of it. */
struct launch {
    const char *text;
    uint32_t grid, block;
    struct sch_dispatch_options options;
    bool read_only, no_range, overlapping;
    alignas(8) uint32_t words[WORDS]; /* global memory, at first zero */
    enum sch_result created, ran;
    struct sch_dispatch_report report;
    unsigned code; /* of the last report */
    char message[256];
};

static struct launch launch;

static void keep_report(struct sch_diagnostics_list *list)
{
    struct sch_diagnostic_info info = {.size = sizeof info};
    const size_t count = sch_diagnostics_count(list);
    launch.code = 0;
    launch.message[0] = 0;
    if (!count || !sch_diagnostics_get(list, count - 1, &info)) return;
    launch.code = info.code;
    snprintf(launch.message, sizeof launch.message, "%s", info.message);
}

/* c[0x1]: all that a bank may hold. */
static const uint32_t *whole_bank(void)
{
    static uint32_t words[BANK_WORDS];
    for (uint32_t i = 0; i < BANK_WORDS; i++) words[i] = 0x10000 + i;
    return words;
}

static void dispatch(const struct sch_program *program, struct sch_diagnostics_list *list)
{
    uint32_t constants[CONSTANT_WORDS] = {0x01000000, 0x03000000, launch.block, 1, 1, launch.grid, 1, 1, 64};
    const uint64_t address = BASE;
    memcpy(&constants[PARAMETER], &address, sizeof address);
    const struct sch_constant_buffer banks[] = {{constants, sizeof constants}, {whole_bank(), 4 * BANK_WORDS}};
    const struct sch_maxwell_range ranges[] = {
        {BASE + sizeof launch.words - launch.overlapping * 8, launch.words, 8, false},
        {.address = BASE, .data = launch.words, .bytes = sizeof launch.words, .writable = !launch.read_only}};
    const struct sch_maxwell_bindings machine = {
        .size = sizeof machine, .ranges = ranges, .range_count = launch.no_range ? 0 : 2};
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .constants = banks, .constant_count = 2, .maxwell = &machine};
    struct sch_dispatch_options options = launch.options;
    options.size = sizeof options;
    options.diagnostics = list;
    if (!options.private_bytes) options.private_bytes = 64;
    if (!options.shared_bytes) options.shared_bytes = 1024;
    launch.report = (struct sch_dispatch_report){.size = sizeof launch.report};
    launch.ran = sch_dispatch_grid(program, &bindings, (uint32_t[3]){launch.grid, 1, 1},
                                   (uint32_t[3]){launch.block, 1, 1}, &options, &launch.report);
}

static void run_at(uint32_t width)
{
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
    struct sch_program *program = NULL;
    const struct sch_read_options read = {.size = sizeof read, .kind = SCH_KIND_MAXWELL_TEXT};
    const struct sch_program_options options = {.size = sizeof options, .width = width};
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    memset(launch.words, 0, sizeof launch.words);
    if (sch_shader_read(context, launch.text, strlen(launch.text), &read, list, &shader) != SCH_OK) {
        keep_report(list);
        fail_msg("%u: %s", launch.code, launch.message);
    }
    launch.created = sch_program_create(context, shader, &options, list, &program);
    if (launch.created == SCH_OK) dispatch(program, list);
    keep_report(list);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}

/* Runs the text at all widths, which all do the same. */
static void run(const char *text, uint32_t grid, uint32_t block, enum sch_result wanted, unsigned code)
{
    static uint32_t first[WORDS];
    launch.text = text;
    launch.grid = grid;
    launch.block = block;
    for (uint32_t width = 4; width <= 16; width *= 2) {
        run_at(width);
        if (launch.created != SCH_OK || launch.ran != wanted || launch.code != code)
            fail_msg("width %u: %d, %d, %u: %s", width, launch.created, launch.ran, launch.code, launch.message);
        if (width == 4) memcpy(first, launch.words, sizeof first);
        assert_memory_equal(first, launch.words, sizeof first);
    }
}

static void expect(const uint32_t *wanted, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (launch.words[i] != wanted[i]) fail_msg("word %u: 0x%x, not 0x%x", i, launch.words[i], wanted[i]);
}

static int begin(void **unused)
{
    (void)unused;
    memset(&launch, 0, sizeof launch);
    return 0;
}

/* R0 is the thread, R2:R3 the address of its word; R10 is what goes there. */
#define ENTER                                                                                                          \
    "S2R R0, SR_TID.X; S2R R1, SR_CTAID.X;\n"                                                                          \
    "IMAD R4, R1, c[0x0][0x8], R0;\n"                                                                                  \
    "ISCADD R2.CC, R4, c[0x0][0x140], 0x2; IADD.X R3, RZ, c[0x0][0x144]; MOV R10, RZ;\n"
#define LEAVE "STG.E [R2], R10; EXIT;\n"

/* ---- control flow ---- */

static void sides_of_a_branch_meet(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "ISETP.LT.AND P0, PT, R0, 0xb, PT;\n"
                                     "SSY meet;\n"
                                     "@P0 BRA then;\n"
                                     "MOV32I R10, 0x200; VOTE.ALL R11, PT, PT; SYNC;\n"
                                     "then: MOV32I R10, 0x100; VOTE.ALL R11, PT, PT; SYNC;\n"
                                     "meet: VOTE.ALL R12, PT, PT; IADD R10, R10, R11; IADD R10, R10, R12;\n" LEAVE;
    uint32_t wanted[LANES];
    for (unsigned i = 0; i < LANES; i++) wanted[i] = UINT32_MAX + (i < 11 ? 0x100 + 0x7ffu : 0x200 + 0xfffff800u);
    run(text, 1, LANES, SCH_OK, 0);
    expect(wanted, LANES);
}

/* Lane i leaves the loop after i rounds; odd rounds are cut short. */
static void loops_end_lane_by_lane(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "MOV R11, RZ;\n"
                                     "PBK out;\n"
                                     "loop: PCNT again;\n"
                                     "ISETP.GE.AND P0, PT, R11, R0, PT;\n"
                                     "@P0 BRK;\n"
                                     "IADD R11, R11, 0x1; LOP.AND R12, R11, 0x1; ISETP.NE.AND P1, PT, R12, RZ, PT;\n"
                                     "@P1 CONT;\n"
                                     "IADD R10, R10, R11;\n"
                                     "CONT;\n"
                                     "again: BRA loop;\n"
                                     "out: IADD R10, R10, 0x1000;\n" LEAVE;
    uint32_t wanted[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        wanted[i] = 0x1000;
        for (unsigned n = 2; n <= i; n += 2) wanted[i] += n;
    }
    run(text, 1, LANES, SCH_OK, 0);
    expect(wanted, LANES);
}

/* f(n) = n == 0 ? 0 : f(n - 1) + 3, each lane to a depth of its own. */
static void calls_return_lane_by_lane(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "MOV R11, R0;\n"
                                     "CAL function;\n"
                                     "IADD R10, R10, 0x100;\n" LEAVE "function: ISETP.EQ.AND P0, PT, R11, RZ, PT;\n"
                                     "@P0 RET;\n"
                                     "IADD R11, R11, -0x1;\n"
                                     "CAL function;\n"
                                     "IADD R10, R10, 0x3;\n"
                                     "RET;\n";
    uint32_t wanted[LANES];
    for (unsigned i = 0; i < LANES; i++) wanted[i] = 0x100 + 3 * i;
    run(text, 1, LANES, SCH_OK, 0);
    expect(wanted, LANES);
}

/* A computed branch of many targets, and PRET before it: a call through a pointer. */
static void computed_branches_part(void **unused)
{
    (void)unused;
    /* Instruction n is at 32 * (n / 3) + 8 + 8 * (n % 3): `table`, the 18th, at 0xc8, then one each 0x20. */
    static const char text[] = ENTER "LOP.AND R11, R0, 0x3; SHL R11, R11, 0x5;\n"
                                     "PRET back;\n"
                                     "BRX R11 0x58;\n"
                                     "NOP; NOP; NOP; NOP; NOP; NOP; NOP;\n"
                                     "NOP;\n"
                                     "table: MOV32I R10, 0x11; RET; NOP;\n"
                                     "MOV32I R10, 0x22; RET; NOP;\n"
                                     "MOV32I R10, 0x33; RET; NOP;\n"
                                     "MOV32I R10, 0x44; RET; NOP;\n"
                                     "back: IADD R10, R10, 0x100;\n" LEAVE;
    uint32_t wanted[LANES];
    for (unsigned i = 0; i < LANES; i++) wanted[i] = 0x100 + 0x11 * (i % 4 + 1);
    run(text, 1, LANES, SCH_OK, 0);
    expect(wanted, LANES);
}

static void lanes_end_anywhere(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "SSY meet;\n"
                                     "ISETP.LT.AND P0, PT, R0, 0x8, PT; ISETP.LT.AND P1, PT, R0, 0x10, PT;\n"
                                     "@P0 EXIT;\n"
                                     "@P1 BRA other;\n"
                                     "SYNC;\n"
                                     "other: EXIT;\n"
                                     "meet: VOTE.ALL R10, PT, PT;\n" LEAVE;
    uint32_t wanted[LANES];
    for (unsigned i = 0; i < LANES; i++) wanted[i] = i < 16 ? 0 : 0xffff0000u;
    run(text, 1, LANES, SCH_OK, 0);
    expect(wanted, LANES);
}

/* A test of the flags is joined with the guard. */
static void branches_test_flags(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "ISETP.LT.AND P0, PT, R0, 0x14, PT;\n"
                                     "SSY meet;\n"
                                     "IADD RZ.CC, R0, -0x5;\n"
                                     "@P0 BRA CC.GT, then;\n"
                                     "SYNC;\n"
                                     "then: MOV32I R10, 0x7; SYNC;\n"
                                     "meet: NOP;\n" LEAVE;
    uint32_t wanted[LANES];
    for (unsigned i = 0; i < LANES; i++) wanted[i] = i > 5 && i < 20 ? 7 : 0;
    run(text, 1, LANES, SCH_OK, 0);
    expect(wanted, LANES);
}

static void stacks_have_ends(void **unused)
{
    (void)unused;
    run("SYNC;\nEXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4331);
    run("NOP;\nBRK;\nEXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4331);
    run("RAM;\nEXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4331);
    run("again: CAL again;\nEXIT;\n", 1, LANES, SCH_ERROR_LIMIT, 4331);
    run("again: SSY again;\nBRA again;\n", 1, LANES, SCH_ERROR_LIMIT, 4331);
    run("S2R R0, SR_TID.X;\nBRX R0 0x4;\nEXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4330);
    run("BPT.TRAP 0x1;\nEXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4332);
}

/* ---- what ends a dispatch ---- */

static void endless_programs_end(void **unused)
{
    (void)unused;
    uint32_t cancel = 1;
    launch.options.budget = 1000;
    run("again: BRA again;\n", 1, LANES, SCH_ERROR_BUDGET, 0);
    run("PBK out;\nagain: IADD R0, R0, 0x1;\nBRA again;\nout: EXIT;\n", 1, 64, SCH_ERROR_BUDGET, 0);
    run("S2R R0, SR_TID.X;\nMOV R1, RZ;\nagain: PCNT again;\nCONT;\n", 1, LANES, SCH_ERROR_BUDGET, 0);
    launch.options.budget = UINT64_MAX;
    launch.options.work = 12345;
    run("again: IADD R0, R0, 0x1;\nBRA again;\n", 1, LANES, SCH_ERROR_WORK, 0);
    assert_int_equal(launch.report.instructions, 12345);
    assert_int_equal(launch.report.instruction, 1);
    launch.options.work = 0;
    launch.options.deadline_ms = 20;
    run("again: BRA again;\n", 1, LANES, SCH_ERROR_DEADLINE, 0);
    launch.options.deadline_ms = 0;
    launch.options.cancel = &cancel;
    run("again: BRA again;\n", 1, LANES, SCH_ERROR_CANCELLED, 0);
}

/* ---- memory ---- */

static void says(const char *words)
{
    if (!strstr(launch.message, words)) fail_msg("%s: no %s", launch.message, words);
}

/* An access that fails writes nothing, of no lane. */
static void accesses_have_bounds(void **unused)
{
    (void)unused;
    static const uint32_t zeros[WORDS];
    run(ENTER "ISETP.EQ.AND P0, PT, R0, 0x9, PT;\n@P0 IADD32I R2, R2, 0x10000;\nSTG.E [R2], R0; EXIT;\n", 1, LANES,
        SCH_ERROR_ABORTED, 4328);
    says("thread 9,0,0 of block 0,0,0: writes 4 bytes of global memory at 0xf0000ffa4");
    assert_int_equal(launch.report.invocation, 9);
    expect(zeros, WORDS);
    run(ENTER "STG.E.64 [R2+0xfa8], R0; EXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4329);
    run(ENTER "IADD R2, R2, 0xf80; LDG.E.128 R4, [R2+0x80]; EXIT;\n", 1, 1, SCH_ERROR_ABORTED, 4328);
    run(ENTER "LDG.E R4, [R2-0x4]; EXIT;\n", 1, 1, SCH_ERROR_ABORTED, 4328);
    says("at 0xfffffff7c: no range holds it; the nearest has 4096 bytes from 0xfffffff80 on");
    run(ENTER "LDG.E.U16 R4, [R2+0x1]; EXIT;\n", 1, 1, SCH_ERROR_ABORTED, 4329);
    run("LDS R0, [0x3fc];\nLDS R0, [0x400];\nEXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4328);
    assert_int_equal(launch.report.instruction, 1);
    run("LDL R0, [0x3c];\nLDL.64 R0, [0x40];\nEXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4328);
    run("ATOMS.ADD R0, [0x400], R1;\nEXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4328);
    run(ENTER "RED.E.ADD [R2+0x2], R0; EXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4329);
    launch.read_only = true;
    run(ENTER "LDG.E R4, [R2]; EXIT;\n", 1, LANES, SCH_OK, 0);
    run(ENTER "STG.E [R2], R4; EXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4328);
    says("its range is not writable");
    launch.overlapping = true;
    run(ENTER "LDG.E R4, [R2]; EXIT;\n", 1, LANES, SCH_ERROR_ARGUMENT, 4334);
    launch.no_range = true;
    run(ENTER "LDG.E R4, [R2]; EXIT;\n", 1, LANES, SCH_ERROR_ABORTED, 4328);
    says("no range holds it, since there are none");
}

/* Generic addresses in the windows are shared and local memory; of each lane its own. */
static void windows_lead_elsewhere(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "IADD R5, R0, 0x40; SHL R6, R0, 0x2; LOP.OR R6, R6, c[0x0][0x0]; ST [R6], R5;\n"
                                     "MOV R7, c[0x0][0x4]; ST [R7+0x8], R0;\n"
                                     "LOP.XOR R8, R0, 0x1; SHL R8, R8, 0x2; LDS R10, [R8];\n"
                                     "LDL R11, [0x8]; SHL R11, R11, 0x10; IADD R10, R10, R11;\n" LEAVE;
    uint32_t wanted[LANES];
    for (unsigned i = 0; i < LANES; i++) wanted[i] = (i ^ 1) + 0x40 + (i << 16);
    run(text, 1, LANES, SCH_OK, 0);
    expect(wanted, LANES);
}

/* Small numbers keep their signs, and leave their neighbours alone. */
static void sizes_are_kept(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "MOV32I R5, 0x8081f0ff; MOV32I R6, 0x12345678;\n"
                                     "STG.E.64 [R2], R6; STG.E [R2], R5; STG.E.U8 [R2+0x4], R5;\n"
                                     "LDG.E.S8 R8, [R2]; LDG.E.U8 R9, [R2+0x1]; LDG.E.S16 R10, [R2+0x2];\n"
                                     "LDG.E.U16 R11, [R2]; STG.E.128 [R2+0x10], R8; EXIT;\n";
    static const uint32_t wanted[] = {0x8081f0ff, 0x000000ff, 0, 0, 0xffffffff, 0x000000f0, 0xffff8081, 0x0000f0ff};
    run(text, 1, 1, SCH_OK, 0);
    expect(wanted, 8);
}

/* Text counts places from 0x8000 on downward from the bank's end. LDC goes round it. */
static void constants_fill_a_bank(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "MOV R4, c[0x1][0x7ffc]; MOV R5, c[0x1][-0x8000]; IADD R6, R0, c[0x1][-0x4];\n"
                                     "MOV32I R8, 0xfffc; LDC R7, c[0x1][R8]; STG.E.128 [R2], R4;\n"
                                     "LDC R4, c[0x1][R8+0x4]; LDC R5, c[0x1][R8-0x8]; LDC R6, c[0x1][R8+0x7ffc];\n"
                                     "LDC R7, c[0x1][-0x4]; STG.E.128 [R2+0x10], R4; EXIT;\n";
    static const uint32_t wanted[] = {0x11fff, 0x12000, 0x13fff, 0x13fff, 0x10000, 0x13ffd, 0x11ffe, 0x13fff};
    run(text, 1, 1, SCH_OK, 0);
    expect(wanted, 8);
}

/* Lanes and blocks follow each other where old values are returned, whatever the threads. */
static void updates_are_in_order(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "MOV R6, c[0x0][0x140]; MOV R7, c[0x0][0x144];\n"
                                     "MOV32I R5, 0x1; ATOM.E.ADD R10, [R6+0xf00], R5;\n" LEAVE;
    uint32_t wanted[4 * LANES];
    for (unsigned i = 0; i < 4 * LANES; i++) wanted[i] = i;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        launch.options.threads = threads;
        run(text, 4, LANES, SCH_OK, 0);
        expect(wanted, 4 * LANES);
    }
    launch.options.unordered = true;
    run("MOV R6, c[0x0][0x140]; MOV R7, c[0x0][0x144]; MOV32I R5, 0x3; RED.E.ADD [R6], R5; EXIT;\n", 50, 64, SCH_OK, 0);
    assert_int_equal(launch.words[0], 50 * 64 * 3);
}

/* ---- barriers ---- */

/* Each thread reads what one of the last warp has written. */
static void warps_wait_for_each_other(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "SHL R5, R0, 0x2; IADD R6, R0, 0x500; STS [R5], R6;\n"
                                     "BAR.SYNC 0x0;\n"
                                     "LOP.XOR R7, R5, 0x1fc; LDS R10, [R7];\n"
                                     "BAR.SYNC 0x0;\n" LEAVE;
    uint32_t wanted[128];
    for (unsigned i = 0; i < 128; i++) wanted[i] = 0x500 + (127 - i);
    run(text, 1, 128, SCH_OK, 0);
    expect(wanted, 128);
}

/* The first warp arrives at barrier 1 and goes on; the second waits for it there. */
static void arrivals_count(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "ISETP.GE.AND P0, PT, R0, 0x20, PT;\n"
                                     "@P0 BRA second;\n"
                                     "MOV32I R5, 0x77; STS [0x0], R5;\n"
                                     "BAR.ARV 0x1, 0x40;\n"
                                     "MOV R10, R5;\n" LEAVE "second: BAR.SYNC 0x1, 0x40;\n"
                                     "LDS R10, [0x0]; IADD R10, R10, 0x1;\n" LEAVE;
    uint32_t wanted[64];
    for (unsigned i = 0; i < 64; i++) wanted[i] = i < 32 ? 0x77 : 0x78;
    run(text, 1, 64, SCH_OK, 0);
    expect(wanted, 64);
}

static void barriers_reduce(void **unused)
{
    (void)unused;
    static const char text[] = ENTER "ISETP.GE.AND P0, PT, R0, 0x1e, PT;\n"
                                     "BAR.RED.POPC 0x0, P0; B2R.RESULT R10;\n"
                                     "BAR.RED.AND 0x0, P0; B2R.RESULT RZ, P1;\n"
                                     "@P1 IADD R10, R10, 0x100;\n"
                                     "BAR.RED.OR 0x0, P0; B2R.RESULT RZ, P1;\n"
                                     "@P1 IADD R10, R10, 0x200;\n" LEAVE;
    uint32_t wanted[96];
    for (unsigned i = 0; i < 96; i++) wanted[i] = 66 + 0x200;
    run(text, 1, 96, SCH_OK, 0);
    expect(wanted, 96);
    for (unsigned i = 0; i < 32; i++) wanted[i] = 2 + 0x200;
    run(text, 1, 32, SCH_OK, 0);
    expect(wanted, 32);
}

static void missing_warps_are_found(void **unused)
{
    (void)unused;
    run(ENTER "ISETP.GE.AND P0, PT, R0, 0x40, PT;\n@P0 EXIT;\nBAR.SYNC 0x0;\n" LEAVE, 1, 96, SCH_ERROR_BARRIER, 4333);
    run(ENTER "ISETP.GE.AND P0, PT, R0, 0x7, PT;\n@P0 BAR.SYNC 0x0;\n" LEAVE, 1, 64, SCH_ERROR_BARRIER, 4333);
    assert_int_equal(launch.report.invocation, 0);
    run("BAR.SYNC 0x2, 0x40;\nEXIT;\n", 1, 32, SCH_ERROR_BARRIER, 4333);
    run("S2R R0, SR_TID.X;\nBAR.SYNC R0;\nEXIT;\n", 1, 64, SCH_ERROR_BARRIER, 4333);
    run("MOV32I R0, 0x10;\nBAR.SYNC R0;\nEXIT;\n", 1, 64, SCH_ERROR_BARRIER, 4333);
    /* lanes that have ended are not missed */
    run(ENTER "ISETP.GE.AND P0, PT, R0, 0x37, PT;\n@P0 EXIT;\nBAR.SYNC 0x0;\n" LEAVE, 1, 64, SCH_OK, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(sides_of_a_branch_meet, begin),
        cmocka_unit_test_setup(loops_end_lane_by_lane, begin),
        cmocka_unit_test_setup(calls_return_lane_by_lane, begin),
        cmocka_unit_test_setup(computed_branches_part, begin),
        cmocka_unit_test_setup(lanes_end_anywhere, begin),
        cmocka_unit_test_setup(branches_test_flags, begin),
        cmocka_unit_test_setup(stacks_have_ends, begin),
        cmocka_unit_test_setup(endless_programs_end, begin),
        cmocka_unit_test_setup(accesses_have_bounds, begin),
        cmocka_unit_test_setup(windows_lead_elsewhere, begin),
        cmocka_unit_test_setup(sizes_are_kept, begin),
        cmocka_unit_test_setup(constants_fill_a_bank, begin),
        cmocka_unit_test_setup(updates_are_in_order, begin),
        cmocka_unit_test_setup(warps_wait_for_each_other, begin),
        cmocka_unit_test_setup(arrivals_count, begin),
        cmocka_unit_test_setup(barriers_reduce, begin),
        cmocka_unit_test_setup(missing_warps_are_found, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
