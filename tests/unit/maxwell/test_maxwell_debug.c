/* Sessions on a kernel that is launched: the stack of divergence, events, accesses, memory, breakpoints on it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

/* Two warps: each lane stores its number to shared memory, the first 16 four times theirs, on the sides of a branch.
 * After a barrier each writes what it has stored to global memory. */
static const char kernel[] = ".section .text.kernel\n"               /* line 1 */
                             "S2R R0, SR_TID.X ;\n"                  /* 0 */
                             "SHL R1, R0, 0x2 ;\n"                   /* 1 */
                             "ISETP.LT.AND P0, PT, R0, 0x10, PT ;\n" /* 2 */
                             "SSY `(.L_met) ;\n"                     /* 3 */
                             "@P0 BRA `(.L_low) ;\n"                 /* 4 */
                             "STS [R1], R0 ;\n"                      /* 5 */
                             "SYNC ;\n"                              /* 6 */
                             ".L_low:\n"
                             "STS [R1], R1 ;\n" /* 7 */
                             "SYNC ;\n"         /* 8 */
                             ".L_met:\n"
                             "BAR.SYNC 0x0 ;\n"                         /* 9 */
                             "LDS R4, [R1] ;\n"                         /* 10 */
                             "ISCADD R2.CC, R0, c[0x0][0x140], 0x2 ;\n" /* 11 */
                             "IADD.X R3, RZ, c[0x0][0x144] ;\n"         /* 12 */
                             "STG.E [R2], R4 ;\n"                       /* 13 */
                             "EXIT ;\n";
enum { SSY = 3, BRANCH = 4, STORE_HIGH = 5, STORE_LOW = 7, MET = 9, LOAD = 10, STORE = 13, LANES = 32, WORDS = 64 };

static struct sch_context *context;
static struct sch_shader *shader;
static struct sch_program *program;
static uint32_t words[WORDS];

static enum sch_result run(void *user, const struct sch_dispatch_options *options)
{
    (void)user;
    const struct sch_launch_argument argument = {.memory = words, .bytes = sizeof words};
    const struct sch_launch launch = {
        .size = sizeof launch, .block = {WORDS}, .arguments = &argument, .argument_count = 1};
    return sch_launch_kernel(program, shader, &launch, options, NULL);
}

static int make(void **state)
{
    struct sch_debug *debug;
    const struct sch_read_options text = {.size = sizeof text, .kind = SCH_KIND_MAXWELL_TEXT};
    const struct sch_storage_buffer memory = {.data = words, .bytes = sizeof words};
    const struct sch_debug_options options = {.size = sizeof options, .run = run, .memory = &memory, .memory_count = 1};
    memset(words, 0, sizeof words);
    if (sch_context_create(NULL, &context) != SCH_OK) return 1;
    if (sch_shader_read(context, kernel, sizeof kernel - 1, &text, NULL, &shader) != SCH_OK) return 1;
    if (sch_program_create(context, shader, NULL, NULL, &program) != SCH_OK) return 1;
    if (sch_debug_create(context, &options, &debug) != SCH_OK) return 1;
    *state = debug;
    return 0;
}

static int release(void **state)
{
    sch_debug_destroy(*state);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
    return 0;
}

static struct sch_debug_stop go(struct sch_debug *debug, uint32_t events, bool back)
{
    const struct sch_debug_go run_on = {.size = sizeof run_on, .events = events, .back = back};
    struct sch_debug_stop stop = {.size = sizeof stop};
    assert_int_equal(sch_debug_go(debug, &run_on), SCH_OK);
    assert_int_equal(sch_debug_get_stop(debug, &stop), SCH_OK);
    return stop;
}

static struct sch_debug_frame frame_at(const struct sch_debug *debug, uint32_t number)
{
    struct sch_debug_frame frame = {.size = sizeof frame};
    assert_int_equal(sch_debug_get_frame(debug, number, &frame), SCH_OK);
    return frame;
}

static void the_stack_and_divergence(void **state)
{
    struct sch_debug *debug = *state;
    struct sch_debug_stop stop = go(debug, SCH_DEBUG_DIVERGENCE, false);
    assert_int_equal(stop.reason, SCH_DEBUG_EVENT);
    assert_int_equal(stop.events, SCH_DEBUG_DIVERGENCE);
    assert_int_equal(stop.previous, BRANCH);
    assert_int_equal(stop.depth, 2);
    const struct sch_debug_frame met = frame_at(debug, 0), other = frame_at(debug, 1);
    assert_int_equal(met.entry, SCH_DEBUG_ENTRY_SYNC);
    assert_int_equal(met.target, MET);
    assert_int_equal(met.resume, UINT32_MAX);
    assert_int_equal(other.entry, SCH_DEBUG_ENTRY_DIVERGED);
    assert_int_equal(other.target, stop.instruction == STORE_HIGH ? STORE_LOW : STORE_HIGH);
    assert_int_equal(other.resume, ~stop.active);
    assert_int_equal(other.resume, stop.instruction == STORE_HIGH ? 0xffff : 0xffff0000);
}

static void accesses_and_pieces(void **state)
{
    struct sch_debug *debug = *state;
    struct sch_debug_access access = {.size = sizeof access};
    struct sch_debug_piece piece = {.size = sizeof piece};
    struct sch_debug_stop stop = go(debug, SCH_DEBUG_MEMORY, false);
    assert_true(stop.instruction == STORE_HIGH || stop.instruction == STORE_LOW);
    const uint32_t lane = stop.instruction == STORE_LOW ? 3 : 20;
    assert_true(sch_debug_access_of(debug, lane, &access));
    assert_int_equal(access.kind, SCH_DEBUG_PIECE_SHARED);
    assert_int_equal(access.byte, 4 * lane);
    assert_int_equal(access.bytes, 4);
    assert_true(access.writes);
    assert_false(sch_debug_access_of(debug, 23 - lane, &access)); /* on the other side of the branch */
    while (stop.instruction != STORE) stop = go(debug, SCH_DEBUG_MEMORY, false);
    assert_true(sch_debug_access_of(debug, 5, &access));
    assert_int_equal(access.kind, SCH_DEBUG_PIECE_RANGE);
    assert_int_equal(access.number, 0);
    assert_int_equal(access.byte, 20);
    unsigned ranges = 0;
    for (uint32_t n = 0; sch_debug_piece_at(debug, n, &piece); n++) {
        if (piece.kind != SCH_DEBUG_PIECE_RANGE) continue;
        assert_ptr_equal(piece.data, words);
        assert_int_equal(piece.bytes, sizeof words);
        assert_true(piece.address);
        ranges++;
    }
    assert_int_equal(ranges, 1);
}

static void barriers(void **state)
{
    struct sch_debug *debug = *state;
    const struct sch_debug_stop stop = go(debug, SCH_DEBUG_BARRIER, false);
    assert_int_equal(stop.instruction, MET);
    assert_int_equal(stop.events, SCH_DEBUG_BARRIER);
    assert_int_equal(stop.depth, 0);
}

/* Shared memory and the caller's; back to the store, after which the word is as it was. */
static void breakpoints_on_memory(void **state)
{
    struct sch_debug *debug = *state;
    const struct sch_debug_breakpoint list[] = {{.kind = SCH_DEBUG_BREAK_SHARED, .number = 4 * 20, .bytes = 4},
                                                {.kind = SCH_DEBUG_BREAK_MEMORY, .memory = &words[5], .bytes = 4}};
    assert_int_equal(sch_debug_set_breakpoints(debug, list, sizeof *list, 2), SCH_OK);
    struct sch_debug_stop stop = go(debug, 0, false);
    assert_int_equal(stop.reason, SCH_DEBUG_BREAK);
    assert_int_equal(stop.breakpoint, 0);
    assert_int_equal(stop.previous, STORE_HIGH);
    stop = go(debug, 0, false);
    assert_int_equal(stop.reason, SCH_DEBUG_BREAK);
    assert_int_equal(stop.breakpoint, 1);
    assert_int_equal(stop.previous, STORE);
    assert_int_equal(words[5], 20);
    stop = go(debug, 0, true);
    assert_int_equal(stop.breakpoint, 0);
    assert_int_equal(words[5], 0);
}

/* ---- infinities and NaNs ---- */

/* Each lane has a number of its own, of which some instruction makes something that is not finite in some lanes: the
 * session stops after these, and nowhere else. Words of memory and integers may look like NaNs. */
static const char numbers[] = ".section .text.numbers\n"
                              "S2R R0, SR_TID.X ;\n"                 /* 0 */
                              "MOV32I R9, 0x7fc00000 ;\n"            /* 1: a word */
                              "IADD R10, R9, 0x1 ;\n"                /* 2: an integer */
                              "I2F.F32.U32 R1, R0 ;\n"               /* 3 */
                              "MUFU.RCP R2, R1 ;\n"                  /* 4: lane 0 is infinite */
                              "FADD R3, R2, 1 ;\n"                   /* 5: so is its operand */
                              "FMUL R4, R3, RZ ;\n"                  /* 6: a NaN of an infinity */
                              "ISETP.EQ.AND P0, PT, R0, 0x5, PT ;\n" /* 7 */
                              "@P0 FADD R5, R1, +INF ;\n"            /* 8: an operand is infinite */
                              "@P0 MUFU.RSQ R5, -R1 ;\n"             /* 9: a NaN in lane 5 */
                              "F2F.F64.F32 R6, R1 ;\n"               /* 10 */
                              "DMUL R12, R6, R6 ;\n"                 /* 11 */
                              "@!P0 DADD R6, R6, -R6 ;\n"            /* 12 */
                              "MUFU.RCP64H R8, R7 ;\n"               /* 13: all but lane 5 */
                              "F2F.F16.F32 R14, R1 ;\n"              /* 14 */
                              "FMUL R15, R1, 100000 ;\n"             /* 15 */
                              "F2F.F16.F32 R14, R15 ;\n"             /* 16: too large for a half */
                              "F2F.F32.F16 R14, R14 ;\n"             /* 17: its operand is infinite */
                              "TLD.LZ R16, R0, 0x0, 1D, 0x1 ;\n"     /* 18: a NaN of the texture, in lane 2 */
                              "TLD.LZ R17, R0, 0x1, 1D, 0x1 ;\n"     /* 19: integers */
                              "EXIT ;\n";
enum { TEXELS = 8 };
static const uint32_t not_finite[] = {4, 9, 13, 16, 18};

static struct sch_maxwell_bindings bound = {.size = sizeof bound};
static uint32_t texels[TEXELS] = {0, 0x3f800000, 0x7fc00000, 0, 0, 0, 0, 0};
static void *headers;
static const uint32_t handles[2] = {0, 1};

static enum sch_result run_numbers(void *user, const struct sch_dispatch_options *options)
{
    (void)user;
    const struct sch_constant_buffer banks[] = {{NULL, 0}, {handles, sizeof handles}};
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .maxwell = &bound, .constants = banks, .constant_count = 2};
    const struct sch_launch launch = {.size = sizeof launch, .block = {LANES}, .bindings = &bindings};
    return sch_launch_kernel(program, shader, &launch, options, NULL);
}

static int make_numbers(void **state)
{
    static const char pool[] = "header 0 ONE_D_BUFFER { COMPONENTS = R32; R_DATA_TYPE = FLOAT; G_DATA_TYPE = FLOAT\n"
                               "  B_DATA_TYPE = FLOAT; A_DATA_TYPE = FLOAT; WIDTH = 8; ADDRESS = 0x1000 }\n"
                               "header 1 ONE_D_BUFFER { COMPONENTS = R32; R_DATA_TYPE = UINT; G_DATA_TYPE = UINT\n"
                               "  B_DATA_TYPE = UINT; A_DATA_TYPE = UINT; WIDTH = 8; ADDRESS = 0x1000 }\n";
    struct sch_debug *debug;
    const struct sch_read_options text = {.size = sizeof text, .kind = SCH_KIND_MAXWELL_TEXT};
    const struct sch_debug_options options = {.size = sizeof options, .run = run_numbers};
    if (sch_context_create(NULL, &context) != SCH_OK) return 1;
    if (sch_maxwell_pool_assemble(context, pool, sizeof pool - 1, NULL, NULL, &headers, &bound.header_bytes) != SCH_OK)
        return 1;
    bound.headers = headers;
    bound.memory = texels;
    bound.memory_bytes = sizeof texels;
    bound.memory_address = 0x1000;
    bound.handle_bank = 1;
    if (sch_shader_read(context, numbers, sizeof numbers - 1, &text, NULL, &shader) != SCH_OK) return 1;
    if (sch_program_create(context, shader, NULL, NULL, &program) != SCH_OK) return 1;
    if (sch_debug_create(context, &options, &debug) != SCH_OK) return 1;
    *state = debug;
    return 0;
}

static int release_numbers(void **state)
{
    sch_debug_destroy(*state);
    sch_free(context, headers);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
    return 0;
}

static void infinities_and_nans(void **state)
{
    struct sch_debug *debug = *state;
    for (size_t i = 0; i < sizeof not_finite / sizeof *not_finite; i++) {
        const struct sch_debug_stop stop = go(debug, SCH_DEBUG_NOT_FINITE, false);
        assert_int_equal(stop.reason, SCH_DEBUG_EVENT);
        assert_int_equal(stop.events, SCH_DEBUG_NOT_FINITE);
        assert_int_equal(stop.previous, not_finite[i]);
    }
    assert_int_equal(go(debug, SCH_DEBUG_NOT_FINITE, false).reason, SCH_DEBUG_GROUP_END);
    for (size_t i = sizeof not_finite / sizeof *not_finite; i-- > 0;)
        assert_int_equal(go(debug, SCH_DEBUG_NOT_FINITE, true).previous, not_finite[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_stack_and_divergence, make, release),
        cmocka_unit_test_setup_teardown(accesses_and_pieces, make, release),
        cmocka_unit_test_setup_teardown(barriers, make, release),
        cmocka_unit_test_setup_teardown(breakpoints_on_memory, make, release),
        cmocka_unit_test_setup_teardown(infinities_and_nans, make_numbers, release_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
