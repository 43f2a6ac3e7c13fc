/* The engines `jit` and `auto`, the background thread and the cache on disk, with a compiler that needs no LLVM
 * (fake_compiler.c): when code runs, what is refused, what is kept, and that nothing of it changes results. That real
 * code computes the same is tested elsewhere. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/exec_program.h"
#include "../support/pool_of_tests.h"
#include "base/pool.h"
#include "ir/check.h"
#include "ir/digest.h"
#include "isa/errors.h"
#include "native/internal.h"
#include "native/native.h"
#include "native/program.h"
#include "run/run.h"
#include "tgsi/tgsi.h"

enum { MOST = 4096, PATH_SIZE = 512 };

static const char *const loop_text = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
                                     "IMM[0] UINT32 {0, 1, 100, 0}\n"
                                     "MOV TEMP[0], IMM[0].xxxx\n"
                                     "BGNLOOP\n"
                                     "USGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\n"
                                     "UIF TEMP[1].xxxx\nBRK\nENDIF\n"
                                     "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                                     "UMAD TEMP[0].y, TEMP[0].yyyy, IMM[0].zzzz, TEMP[0].xxxx\n"
                                     "ENDLOOP\n"
                                     "MOV OUT[0], TEMP[0]\nEND\n";

static const char *const barrier_text =
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 96\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
    "PROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
    "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\n"
    "DCL TEMP[0..2]\nIMM[0] UINT32 {4, 95, 384, 0}\n"
    "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
    "UADD TEMP[1].x, SV[0].xxxx, SV[1].xxxx\n"
    "STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
    "BARRIER\n"
    "UADD TEMP[2].x, IMM[0].yyyy, -SV[0].xxxx\n"
    "UMUL TEMP[2].x, TEMP[2].xxxx, IMM[0].xxxx\n"
    "LOAD TEMP[1].x, MEMORY[0], TEMP[2].xxxx\n"
    "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].zzzz, TEMP[0].xxxx\n"
    "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n";

static const char *build_folder(void)
{
    const char *build = getenv("SCH_BUILD");
    return build ? build : ".";
}

static bool have_compiler(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

#define NEED_COMPILER                                                                                                  \
    (void)state;                                                                                                       \
    if (!have_compiler()) skip()

/* The same tests run both ways. */
static bool in_process(void) { return getenv("SCH_TEST_PROCESS") != NULL; }

static const char *process_path(void)
{
    static char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/src/jit/scheelite-jit", build_folder());
    return path;
}

/* Of one that compiles soon. */
static uint64_t patience;

static struct sch_native *new_native(bool compiler, const char *cache, uint64_t cache_bytes)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/tests/unit/%s", build_folder(), compiler ? "libfake_compiler.so" : "no-such.so");
    struct sch_native_options options = {.compiler = path,
                                         .cache = cache,
                                         .cache_bytes = cache_bytes,
                                         .patience = patience,
                                         .process = process_path(),
                                         .inside = !in_process()};
    struct sch_native *native;
    assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
    return native;
}

/* `code` receives the first diagnostic's number, or 0. */
static enum sch_result create(const char *text, const struct sch_exec_engine *engine, struct sch_native *native,
                              struct sch_exec_program **program, unsigned *code)
{
    struct sch_ir_shader *shader = checked_shader(text);
    struct sch_exec_options options = {.engine = engine, .engine_context = native};
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    enum sch_result status = sch_exec_create(shader, &options, &sch_allocator_libc, &list, program);
    *code = list.count ? list.items[0].code : 0;
    sch_diagnostics_release(&list);
    sch_ir_destroy(shader);
    return status;
}

static struct sch_exec_program *created(const char *text, const struct sch_exec_engine *engine,
                                        struct sch_native *native)
{
    struct sch_exec_program *program;
    unsigned code;
    assert_int_equal(create(text, engine, native, &program, &code), SCH_OK);
    return program;
}

struct work {
    uint32_t inputs[MOST][4], outputs[MOST][4];
    struct sch_run_report report;
};

static struct work *new_work(void)
{
    struct work *work = calloc(1, sizeof *work);
    assert_non_null(work);
    for (unsigned i = 0; i < MOST; i++) work->inputs[i][0] = i % 23;
    return work;
}

static void run_loop(const struct sch_exec_program *program, struct work *work, uint32_t count, uint32_t threads)
{
    struct sch_invocations invocations = {.count = count,
                                          .inputs = work->inputs[0],
                                          .input_registers = 1,
                                          .outputs = work->outputs[0],
                                          .output_registers = 1};
    struct sch_run_options options = {.pool = pool_of_tests(), .threads = threads};
    memset(work->outputs, 0xcc, sizeof work->outputs);
    assert_int_equal(sch_run_invocations(program, NULL, &invocations, &options, &work->report), SCH_OK);
}

static void check_loop(const struct work *work, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sum = 0;
        for (uint32_t n = 1; n <= i % 23; n++) sum = sum * 100 + n;
        assert_int_equal(work->outputs[i][0], i % 23);
        assert_int_equal(work->outputs[i][1], sum);
    }
}

/* ---- jit ---- */

static void jit_runs_code_only(void **state)
{
    NEED_COMPILER;
    struct sch_native *native = new_native(true, NULL, 0);
    struct sch_exec_program *program = created(loop_text, &sch_engine_jit, native);
    struct work *work = new_work();
    run_loop(program, work, 40, 1);
    check_loop(work, 40);
    struct sch_code_counts counts = sch_native_counted(native);
    assert_int_equal(counts.programs, 1); /* two groups, one of them with lanes missing: one code takes both */
    assert_int_equal(counts.native_groups, 2);
    run_loop(program, work, MOST, 3);
    check_loop(work, MOST);
    uint64_t instructions = work->report.instructions;
    counts = sch_native_counted(native);
    assert_int_equal(counts.programs, 2); /* groups with all lanes have one of their own */
    assert_int_equal(counts.native_groups, 2 + MOST / 32);
    assert_int_equal(counts.decoded_groups, 0);
    sch_exec_destroy(program);

    program = created(loop_text, NULL, NULL);
    run_loop(program, work, MOST, 1);
    assert_int_equal(work->report.instructions, instructions);
    sch_exec_destroy(program);
    free(work);
    sch_native_destroy(native);
}

/* ---- which code a run asks for ---- */

static const char *const flat_text =
    "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
static const char *const steep_text =
    "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDDX OUT[0], IN[0]\nEND\n";

enum {
    ANY = 1,
    FULL = 2
}; /* code for any groups, and for those of 32 without helpers: 64 of these pay for code of their own */

static const struct wish {
    uint32_t count;
    bool helpers, quads, bounded;
    unsigned jit, later; /* what `jit` compiles, and `auto` in the background */
} wishes[] = {
    {32, false, false, false, FULL, FULL},
    {31, false, false, false, ANY, ANY},
    {33, false, false, false, ANY, ANY},
    {65, false, false, false, ANY, FULL},
    {64, true, false, false, ANY, ANY},
    {63 * 32 + 1, false, false, false, ANY, FULL},
    {64 * 32 - 1, false, false, false, ANY, FULL},
    {64 * 32, false, false, false, FULL, FULL},
    {64 * 32 + 1, false, false, false, ANY | FULL, FULL},
    {65 * 32 + 31, false, false, true, ANY | FULL, FULL},
    {64 * 32 + 1, true, false, false, ANY, ANY},
    {96, false, true, false, FULL, FULL},
    {97, true, true, true, ANY, ANY},
};

static void run_wish(const struct sch_exec_program *program, const struct wish *wish, struct work *work)
{
    static const uint8_t helpers[MOST] = {1};
    const struct sch_invocations invocations = {.count = wish->count,
                                                .quads = wish->quads,
                                                .inputs = work->inputs[0],
                                                .input_registers = 1,
                                                .helpers = wish->helpers ? helpers : NULL,
                                                .outputs = work->outputs[0],
                                                .output_registers = 1};
    const struct sch_run_options options = {.work = wish->bounded ? UINT64_C(1) << 40 : 0};
    assert_int_equal(sch_run_invocations(program, NULL, &invocations, &options, &work->report), SCH_OK);
}

/* The forms that a program has code of; all are of groups that are bounded, and of quads, or all are not. */
static unsigned forms_of(struct sch_exec_program *program, bool bounded, bool quads)
{
    struct sch_native_program *native = program->code;
    unsigned forms = 0, others = 0;
    for (unsigned n = 0; n < 8; n++) {
        struct sch_native_variant *variant = &native->variants[n >> 2][n >> 1 & 1][n & 1];
        const unsigned form = !atomic_load(&variant->function) ? 0 : n >> 1 & 1 ? FULL : ANY;
        if (n >> 2 == bounded && (n & 1) == quads)
            forms |= form;
        else
            others |= form;
    }
    assert_int_equal(others, 0);
    return forms;
}

static void runs_ask_for_the_code_they_need(void **state)
{
    NEED_COMPILER;
    struct work *work = new_work();
    for (unsigned i = 0; i < 2 * sizeof wishes / sizeof *wishes; i++) {
        const struct wish *wish = &wishes[i / 2];
        const bool steep = i & 1;
        struct sch_native *native = new_native(true, NULL, 0);
        struct sch_exec_program *program = created(steep ? steep_text : flat_text, &sch_engine_jit, native);
        run_wish(program, wish, work);
        const unsigned made = forms_of(program, wish->bounded, wish->quads && steep);
        if (made != wish->jit)
            fail_msg("%u invocations, case %u: code for %u, not %u", wish->count, i, made, wish->jit);
        assert_int_equal(sch_native_counted(native).native_groups, (wish->count + 31) / 32);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
    free(work);
}

static void auto_asks_for_what_most_groups_need(void **state)
{
    NEED_COMPILER;
    struct work *work = new_work();
    for (unsigned i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        const struct wish *wish = &wishes[i];
        patience = 1;
        struct sch_native *native = new_native(true, NULL, 0);
        patience = 0;
        struct sch_exec_program *program = created(steep_text, &sch_engine_auto, native);
        run_wish(program, wish, work);
        for (unsigned wait = 0; wait < 60000 && !sch_native_counted(native).programs; wait++) usleep(1000);
        sch_native_worker_release(&native->worker); /* what is published is there then */
        sch_native_worker_init(&native->worker);
        const unsigned made = forms_of(program, wish->bounded, wish->quads);
        if (made != wish->later) fail_msg("%u invocations: code for %u, not %u", wish->count, made, wish->later);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
    free(work);
}

static void jit_refuses_what_it_cannot_compile(void **state)
{
    NEED_COMPILER;
    struct sch_exec_program *program;
    unsigned code;
    struct sch_native *native = new_native(false, NULL, 0);
    assert_int_equal(create(loop_text, &sch_engine_jit, native, &program, &code), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(code, SCH_D_NATIVE_NO_COMPILER);
    assert_null(program);
    sch_native_destroy(native);

    char text[8192] = "FRAG\nDCL OUT[0], COLOR\n";
    for (unsigned i = 0; i < 101; i++) strcat(text, "MOV OUT[0], OUT[0]\n");
    strcat(text, "END\n");
    native = new_native(true, NULL, 0);
    assert_int_equal(create(text, &sch_engine_jit, native, &program, &code), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(code, SCH_D_NATIVE_TOO_LARGE);
    assert_int_equal(create(text, &sch_engine_auto, native, &program, &code), SCH_OK);
    struct sch_native_made made;
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    const struct sch_native_selection form = {.full = true, .quads = true, .diagnostics = &list};
    assert_int_equal(sch_native_prepare(program, &form, &made), SCH_ERROR_UNSUPPORTED);
    assert_true(made.cost.too_large);
    char *listing;
    assert_int_equal(sch_native_inspect(program, &form, true, &listing), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(list.count, 2);
    for (unsigned n = 0; n < 2; n++) assert_int_equal(list.items[n].code, SCH_D_NATIVE_TOO_LARGE);
    sch_diagnostics_release(&list);
    assert_int_equal(sch_native_counted(native).refused, 1);
    sch_exec_destroy(program);
    sch_native_destroy(native);
}

static void texels_are_not_counted_by_code(void **state)
{
    NEED_COMPILER;
    struct sch_native *native = new_native(true, NULL, 0);
    struct work *work = new_work();
    uint32_t texels[64];
    struct sch_invocations invocations = {
        .count = 64, .inputs = work->inputs[0], .input_registers = 1, .texels_read = texels};
    struct sch_exec_program *program = created(loop_text, &sch_engine_jit, native);
    assert_int_equal(sch_run_invocations(program, NULL, &invocations, NULL, NULL), SCH_ERROR_UNSUPPORTED);
    sch_exec_destroy(program);
    program = created(loop_text, &sch_engine_auto, native);
    assert_int_equal(sch_run_invocations(program, NULL, &invocations, NULL, NULL), SCH_OK);
    sch_exec_destroy(program);
    assert_int_equal(sch_native_counted(native).native_groups, 0);
    free(work);
    sch_native_destroy(native);
}

/* ---- auto ---- */

static void auto_changes_over(void **state)
{
    NEED_COMPILER;
    patience = 100000;
    struct sch_native *native = new_native(true, NULL, 0);
    struct sch_exec_program *program = created(loop_text, &sch_engine_auto, native);
    struct work *work = new_work();
    run_loop(program, work, 256, 1);
    check_loop(work, 256);
    assert_int_equal(sch_native_counted(native).programs, 0); /* little work is not worth it */
    assert_int_equal(sch_native_counted(native).decoded_groups, 8);
    /* Much work is: whenever the code comes, the results are the same. */
    for (unsigned round = 0; round < 40; round++) {
        run_loop(program, work, MOST - 7, 1 + round % 3);
        check_loop(work, MOST - 7);
    }
    struct sch_native_made made;
    assert_int_equal(sch_native_prepare(program, &(struct sch_native_selection){.full = true, .quads = false}, &made),
                     SCH_OK); /* waits */
    assert_int_equal(sch_native_counted(native).programs, 1);
    run_loop(program, work, MOST - 7, 2);
    check_loop(work, MOST - 7);
    struct sch_code_counts counts = sch_native_counted(native);
    assert_true(counts.native_groups >= MOST / 32 - 1);
    assert_int_equal(counts.native_groups + counts.decoded_groups, 8 + 41 * (MOST / 32));
    patience = 0;
    sch_exec_destroy(program);
    free(work);
    sch_native_destroy(native);
}

/* Whether code was asked for. */
static bool has_begun(struct sch_exec_program *program)
{
    struct sch_native_program *native = program->code;
    bool begun = false;
    for (unsigned n = 0; n < 8; n++) begun |= native->variants[n >> 2][n >> 1 & 1][n & 1].job.state != SCH_JOB_NEW;
    return begun;
}

/* Code is asked for once the program has cost half of what compiling it does, and a run of one group adds little. */
static void auto_begins_at_half_of_the_cost(void **state)
{
    NEED_COMPILER;
    struct sch_native *native = new_native(true, NULL, 0);
    struct sch_exec_program *program = created(loop_text, &sch_engine_auto, native);
    struct sch_native_program *weighed = program->code;
    struct work *work = new_work();
    atomic_store(&weighed->work, weighed->own_threshold / 2 - 20000);
    run_loop(program, work, 32, 1);
    assert_false(has_begun(program));
    atomic_store(&weighed->work, weighed->own_threshold / 2);
    run_loop(program, work, 32, 1);
    assert_true(has_begun(program));
    check_loop(work, 32);
    sch_exec_destroy(program);
    free(work);
    sch_native_destroy(native);
}

/* Code is memory of the context's: where the account has no room for it, `jit` says so and `auto` goes on without. */
static void code_is_counted(void **state)
{
    NEED_COMPILER;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/tests/unit/libfake_compiler.so", build_folder());
    for (unsigned full = 0; full < 2; full++) {
        struct sch_account account;
        struct sch_native *native;
        struct sch_native_made made;
        sch_account_init(&account, &sch_allocator_libc, full ? 1 : SIZE_MAX);
        const struct sch_native_options options = {
            .account = &account, .compiler = path, .process = process_path(), .inside = !in_process(), .patience = 1};
        assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
        struct sch_exec_program *program = created(loop_text, &sch_engine_auto, native);
        assert_int_equal(sch_native_prepare(program, &(struct sch_native_selection){.full = true}, &made),
                         full ? SCH_ERROR_MEMORY : SCH_OK);
        assert_int_equal(sch_account_held(&account) > made.code_bytes, !full);
        struct work *work = new_work();
        run_loop(program, work, MOST, 2);
        check_loop(work, MOST);
        assert_int_equal(sch_native_counted(native).native_groups > 0, !full);
        free(work);
        sch_exec_destroy(program);
        assert_int_equal(sch_account_held(&account), 0);
        sch_native_destroy(native);
    }
}

static void auto_without_compiler_interprets(void **state)
{
    NEED_COMPILER;
    patience = 1;
    struct sch_native *native = new_native(false, NULL, 0);
    patience = 0;
    struct sch_exec_program *program = created(loop_text, &sch_engine_auto, native);
    struct work *work = new_work();
    for (unsigned round = 0; round < 20; round++) {
        run_loop(program, work, MOST, 2);
        check_loop(work, MOST);
    }
    struct sch_native_made made;
    assert_int_equal(sch_native_prepare(program, &(struct sch_native_selection){.full = true, .quads = false}, &made),
                     SCH_ERROR_UNSUPPORTED);
    assert_int_equal(sch_native_counted(native).native_groups, 0);
    sch_exec_destroy(program);
    free(work);
    sch_native_destroy(native);
}

static void programs_end_while_they_are_compiled(void **state)
{
    NEED_COMPILER;
    patience = 50000;
    struct sch_native *native = new_native(true, NULL, 0);
    patience = 0;
    struct work *work = new_work();
    /* on a busy machine none may have been compiled in time for a while */
    for (unsigned round = 0; round < 30 || (round < 3000 && !sch_native_counted(native).programs); round++) {
        struct sch_exec_program *programs[3];
        for (unsigned p = 0; p < 3; p++) {
            programs[p] = created(loop_text, &sch_engine_auto, native);
            for (unsigned r = 0; r < 1 + round % 8; r++) run_loop(programs[p], work, MOST, 1);
        }
        check_loop(work, MOST);
        for (unsigned p = 0; p < 3; p++) sch_exec_destroy(programs[p]);
    }
    assert_true(sch_native_counted(native).programs > 0);
    free(work);
    sch_native_destroy(native);
}

static struct sch_native *shared_native;

static void run_thread(void *user, unsigned index)
{
    (void)user;
    struct work *work = new_work();
    struct sch_exec_program *program =
        created(loop_text, index & 1 ? &sch_engine_jit : &sch_engine_auto, shared_native);
    for (unsigned round = 0; round < 10; round++) {
        run_loop(program, work, 500 + index, 2);
        check_loop(work, 500 + index);
    }
    sch_exec_destroy(program);
    free(work);
}

static void threads_share_a_context(void **state)
{
    NEED_COMPILER;
    patience = 1000;
    shared_native = new_native(true, NULL, 0);
    patience = 0;
    sch_pool_run(pool_of_tests(), 6, run_thread, NULL);
    sch_native_destroy(shared_native);
}

static void run_barrier(const struct sch_exec_program *program, uint32_t buffer[4 * 96])
{
    struct sch_storage_buffer storage = {buffer, 4 * 96 * sizeof *buffer};
    struct sch_exec_bindings bindings = {.buffers = &storage, .buffer_count = 1};
    static const uint32_t grid[3] = {4, 1, 1}, block[3] = {96, 1, 1};
    memset(buffer, 0, 4 * 96 * sizeof *buffer);
    assert_int_equal(sch_run_grid(program, &bindings, grid, block, NULL, NULL), SCH_OK);
    for (unsigned b = 0; b < 4; b++)
        for (unsigned i = 0; i < 96; i++) assert_int_equal(buffer[b * 96 + i], 95 - i + b);
}

/* Groups go on behind a barrier by the code that brought them there, whenever the other comes. */
static void barriers_are_passed(void **state)
{
    NEED_COMPILER;
    uint32_t buffer[4 * 96];
    struct sch_native *native = new_native(true, NULL, 0);
    struct sch_exec_program *program = created(barrier_text, &sch_engine_jit, native);
    run_barrier(program, buffer);
    assert_int_equal(sch_native_counted(native).native_groups, 12);
    sch_exec_destroy(program);
    sch_native_destroy(native);
    patience = 2000;
    native = new_native(true, NULL, 0);
    patience = 0;
    program = created(barrier_text, &sch_engine_auto, native);
    for (unsigned round = 0; round < 300; round++) run_barrier(program, buffer);
    struct sch_native_made made;
    assert_int_equal(sch_native_prepare(program, &(struct sch_native_selection){.full = true, .quads = false}, &made),
                     SCH_OK);
    uint64_t before = sch_native_counted(native).native_groups;
    run_barrier(program, buffer);
    assert_int_equal(sch_native_counted(native).native_groups, before + 12);
    sch_exec_destroy(program);
    sch_native_destroy(native);
}

/* ---- digests ---- */

static void digest_of(const char *text, uint8_t digest[SCH_SHA256_BYTES])
{
    struct sch_ir_shader *shader = checked_shader(text);
    sch_ir_digest(shader, digest);
    sch_ir_destroy(shader);
}

static void digests_tell_shaders_apart(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], IMM[0]\nEND\n",
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\nIMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], IMM[0]\nEND\n",
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1, 2, 3, 5}\nMOV OUT[0], IMM[0]\nEND\n",
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], IMM[0].xyzx\nEND\n",
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], -IMM[0]\nEND\n",
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1, 2, 3, 4}\nMOV_SAT OUT[0], IMM[0]\nEND\n",
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0].xyz, IMM[0]\nEND\n",
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], TEMP[0]\nEND\n",
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1, 2, 3, 4}\nFLR OUT[0], IMM[0]\nEND\n",
        "VERT\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], IMM[0]\nEND\n",
    };
    enum { COUNT = sizeof texts / sizeof *texts };
    uint8_t digests[COUNT][SCH_SHA256_BYTES], again[SCH_SHA256_BYTES];
    for (unsigned i = 0; i < COUNT; i++) digest_of(texts[i], digests[i]);
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned k = 0; k < i; k++) assert_memory_not_equal(digests[i], digests[k], SCH_SHA256_BYTES);
    /* blanks and where lines stand are not part of what a shader says */
    digest_of("FRAG\n\nDCL OUT[0],   COLOR\nDCL TEMP[0..1]\nIMM[0] FLT32 {1.0, 2, 3, 4}\n\n  MOV OUT[0], IMM[0]\nEND\n",
              again);
    assert_memory_equal(digests[0], again, SCH_SHA256_BYTES);
}

/* ---- the cache ---- */

static char folder[PATH_SIZE];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/tests/unit/native-cache-XXXXXX", build_folder());
    return mkdtemp(folder) ? 0 : -1;
}

static void each_file(void (*what)(const char *path, void *user), void *user)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        char path[2 * PATH_SIZE];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        what(path, user);
    }
    closedir(dir);
}

static void count_file(const char *path, void *user)
{
    (void)path;
    ++*(unsigned *)user;
}

static void remove_file(const char *path, void *user)
{
    (void)user;
    unlink(path);
}

static int remove_folder(void **state)
{
    (void)state;
    each_file(remove_file, NULL);
    return rmdir(folder);
}

static struct sch_code_counts compile_once(bool compiler)
{
    struct sch_native *native = new_native(compiler, folder, 0);
    struct sch_exec_program *program = created(loop_text, &sch_engine_jit, native);
    struct work *work = new_work();
    run_loop(program, work, 64, 1);
    check_loop(work, 64);
    sch_exec_destroy(program);
    free(work);
    struct sch_code_counts counts = sch_native_counted(native);
    sch_native_destroy(native);
    return counts;
}

static void hits_need_no_compiler(void **state)
{
    NEED_COMPILER;
    struct sch_code_counts counts = compile_once(true);
    assert_int_equal(counts.programs, 1);
    assert_int_equal(counts.to_cache, 1);
    counts = compile_once(false);
    assert_int_equal(counts.programs, 0);
    assert_int_equal(counts.from_cache, 1);
    assert_int_equal(counts.native_groups, 2);
    /* `auto` takes what is there from the first group on */
    struct sch_native *native = new_native(false, folder, 0);
    struct sch_exec_program *program = created(loop_text, &sch_engine_auto, native);
    struct work *work = new_work();
    run_loop(program, work, 64, 1);
    check_loop(work, 64);
    assert_int_equal(sch_native_counted(native).native_groups, 2);
    sch_exec_destroy(program);
    free(work);
    sch_native_destroy(native);
}

/* Code lives as long as a program that wants it, and is there for programs that have been interpreted before. */
static void programs_of_one_text_share_code(void **state)
{
    NEED_COMPILER;
    struct sch_native *native = new_native(true, NULL, 0);
    struct work *work = new_work();
    struct sch_exec_program *late = created(loop_text, &sch_engine_auto, native),
                            *first = created(loop_text, &sch_engine_jit, native),
                            *second = created(loop_text, &sch_engine_jit, native);
    run_loop(late, work, 64, 1);
    assert_int_equal(sch_native_counted(native).native_groups, 0);
    run_loop(first, work, 64, 1);
    run_loop(second, work, 64, 1);
    assert_int_equal(sch_native_counted(native).programs, 1);
    run_loop(late, work, 64, 1);
    check_loop(work, 64);
    assert_int_equal(sch_native_counted(native).native_groups, 6);
    sch_exec_destroy(first);
    sch_exec_destroy(late);
    run_loop(second, work, 64, 1);
    check_loop(work, 64);
    run_loop(second, work, 40, 1); /* lanes are missing: a piece of its own */
    check_loop(work, 40);
    assert_int_equal(sch_native_counted(native).programs, 2);
    sch_exec_destroy(second);
    first = created(loop_text, &sch_engine_jit, native);
    run_loop(first, work, 64, 1);
    check_loop(work, 64);
    assert_int_equal(sch_native_counted(native).programs, 3); /* no one wanted them any more */
    sch_exec_destroy(first);
    free(work);
    sch_native_destroy(native);
}

/* The folder has code for groups with lanes missing; the run wants that for groups with all lanes. */
static void runs_say_what_is_missing(void **state)
{
    NEED_COMPILER;
    struct sch_native *native = new_native(true, folder, 0);
    struct sch_exec_program *program = created(loop_text, &sch_engine_jit, native);
    struct work *work = new_work();
    run_loop(program, work, 40, 1);
    sch_exec_destroy(program);
    sch_native_destroy(native);

    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    native = new_native(false, folder, 0);
    program = created(loop_text, &sch_engine_jit, native);
    run_loop(program, work, 40, 1);
    check_loop(work, 40);
    const struct sch_invocations invocations = {.count = MOST, .inputs = work->inputs[0], .input_registers = 1};
    const struct sch_run_options options = {.diagnostics = &list};
    for (unsigned round = 1; round <= 2; round++) {
        assert_int_equal(sch_run_invocations(program, NULL, &invocations, &options, NULL), SCH_ERROR_UNSUPPORTED);
        assert_int_equal(list.count, round);
        assert_int_equal(list.items[round - 1].code, SCH_D_NATIVE_NO_COMPILER);
    }
    assert_int_equal(sch_run_invocations(program, NULL, &invocations, NULL, NULL), SCH_ERROR_UNSUPPORTED);

    struct sch_native_made made;
    char *listing;
    struct sch_native_selection form = {.full = true, .diagnostics = &list};
    assert_int_equal(sch_native_prepare(program, &form, &made), SCH_ERROR_UNSUPPORTED);
    form.full = false;
    assert_int_equal(sch_native_prepare(program, &form, &made), SCH_OK);
    assert_int_equal(sch_native_inspect(program, &form, true, &listing), SCH_ERROR_UNSUPPORTED);
    assert_null(listing);
    assert_int_equal(list.count, 4);
    for (unsigned n = 2; n < 4; n++) assert_int_equal(list.items[n].code, SCH_D_NATIVE_NO_COMPILER);
    assert_int_equal(sch_native_counted(native).decoded_groups, 0);
    sch_diagnostics_release(&list);
    sch_exec_destroy(program);
    sch_native_destroy(native);
    free(work);
}

struct file {
    char path[2 * PATH_SIZE];
    size_t bytes;
    uint8_t *data;
    unsigned count;
};

static void read_file(const char *path, void *user)
{
    struct file *file = user;
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    file->count++;
    file->bytes = (size_t)status.st_size;
    snprintf(file->path, sizeof file->path, "%s", path);
    file->data = malloc(file->bytes);
    int fd = open(path, O_RDONLY);
    assert_true(file->data && fd >= 0);
    assert_int_equal(read(fd, file->data, file->bytes), (ssize_t)file->bytes);
    close(fd);
}

static void write_back(const struct file *file, size_t bytes)
{
    int fd = open(file->path, O_WRONLY | O_TRUNC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, file->data, bytes), (ssize_t)bytes);
    close(fd);
}

/* A damaged file is as good as none, and the next compilation mends it. */
static void damaged_files_are_replaced(void **state)
{
    NEED_COMPILER;
    compile_once(true);
    struct file file = {0};
    each_file(read_file, &file);
    assert_int_equal(file.count, 1);
    for (size_t at = 0; at < file.bytes; at += 1 + file.bytes / 40) {
        file.data[at] ^= 0x10;
        write_back(&file, file.bytes);
        file.data[at] ^= 0x10;
        struct sch_code_counts counts = compile_once(true);
        assert_int_equal(counts.from_cache, 0);
        assert_int_equal(counts.programs, 1);
        assert_int_equal(compile_once(false).from_cache, 1);
    }
    for (size_t bytes = 0; bytes < file.bytes; bytes += 1 + file.bytes / 10) {
        write_back(&file, bytes);
        assert_int_equal(compile_once(true).programs, 1);
        assert_int_equal(compile_once(false).from_cache, 1);
    }
    free(file.data);
}

/* Code that others could have written is not run. */
static void foreign_files_are_not_read(void **state)
{
    NEED_COMPILER;
    compile_once(true);
    struct file file = {0};
    each_file(read_file, &file);
    assert_int_equal(chmod(file.path, 0622), 0);
    assert_int_equal(compile_once(true).from_cache, 0);
    assert_int_equal(compile_once(true).from_cache, 1);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(compile_once(true).from_cache, 0);
    assert_int_equal(chmod(folder, 0700), 0);
    free(file.data);
}

/* A key that is the program's own: what is kept for one is not taken for another. */
static void other_programs_miss(void **state)
{
    NEED_COMPILER;
    compile_once(true);
    struct sch_native *native = new_native(false, folder, 0);
    struct sch_exec_program *program;
    unsigned code;
    assert_int_equal(create(barrier_text, &sch_engine_jit, native, &program, &code), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(code, SCH_D_NATIVE_NO_COMPILER);
    sch_native_destroy(native);
}

static void processes_write_at_once(void **state)
{
    NEED_COMPILER;
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    skip(); /* it takes no fork of a process with threads */
#endif
#endif
    enum { PROCESSES = 6, ROUNDS = 12 };
    pid_t children[PROCESSES];
    for (unsigned p = 0; p < PROCESSES; p++) {
        children[p] = fork();
        assert_true(children[p] >= 0);
        if (children[p]) continue;
        bool good = true;
        for (unsigned round = 0; round < ROUNDS; round++) {
            if (round % 4 == 3) each_file(remove_file, NULL);
            struct sch_code_counts counts = compile_once(true);
            good = good && counts.from_cache + counts.programs == 1 && counts.native_groups == 2;
        }
        _exit(good ? 0 : 1);
    }
    for (unsigned p = 0; p < PROCESSES; p++) {
        int status = -1;
        assert_int_equal(waitpid(children[p], &status, 0), children[p]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assert_int_equal(compile_once(true).from_cache + compile_once(false).from_cache, 2);
}

static void add_size(const char *path, void *user)
{
    struct stat status;
    if (stat(path, &status) == 0) *(uint64_t *)user += (uint64_t)status.st_size;
}

static void size_is_bounded(void **state)
{
    NEED_COMPILER;
    enum { LIMIT = 40000, PROGRAMS = 60 };
    struct sch_native *native = new_native(true, folder, LIMIT);
    uint64_t written = 0;
    for (unsigned n = 0; n < PROGRAMS; n++) {
        char text[256];
        snprintf(text, sizeof text, "FRAG\nDCL OUT[0], COLOR\nIMM[0] UINT32 {%u, 0, 0, 0}\nMOV OUT[0], IMM[0]\nEND\n",
                 n);
        struct sch_exec_program *program = created(text, &sch_engine_jit, native);
        struct sch_native_made made;
        assert_int_equal(
            sch_native_prepare(program, &(struct sch_native_selection){.full = false, .quads = false}, &made), SCH_OK);
        written += made.object_bytes;
        sch_exec_destroy(program);
        uint64_t total = 0;
        each_file(add_size, &total);
        assert_true(total <= LIMIT + LIMIT / 4);
    }
    assert_int_equal(sch_native_counted(native).to_cache, PROGRAMS);
    assert_true(written > 2 * LIMIT);
    sch_native_destroy(native);
}

/* It is said, once a context, where nothing is kept. */
static void unusable_folders_are_reported(void **state)
{
    NEED_COMPILER;
    char made[PATH_SIZE + 16], link[PATH_SIZE + 16];
    snprintf(made, sizeof made, "%s/made//", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink("nowhere", link), 0);
    const struct {
        const char *folder;
        unsigned code;
        uint64_t kept;
    } cases[] = {{"", SCH_D_NATIVE_CACHE, 0}, {link, SCH_D_NATIVE_CACHE, 0}, {made, 0, 1}, {NULL, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sch_native *native = new_native(true, cases[i].folder, 0);
        for (unsigned again = 0; again < 2; again++) {
            struct sch_exec_program *program;
            struct sch_native_made result;
            unsigned code;
            assert_int_equal(create(loop_text, &sch_engine_jit, native, &program, &code), SCH_OK);
            assert_int_equal(code, again ? 0 : cases[i].code);
            assert_int_equal(sch_native_prepare(program, &(struct sch_native_selection){.full = true}, &result),
                             SCH_OK);
            sch_exec_destroy(program);
        }
        assert_int_equal(sch_native_counted(native).to_cache, cases[i].kept);
        sch_native_destroy(native);
    }
    const size_t length = strlen(folder);
    snprintf(folder + length, sizeof folder - length, "/made");
    assert_int_equal(remove_folder(state), 0);
    folder[length] = 0;
}

/* ---- where things are found ---- */

/* Of a compiler and a folder that are named by relative paths: where they were when the context was made. */
static void relative_paths_are_of_the_begin(void **state)
{
    NEED_COMPILER;
    char before[PATH_SIZE], unit[PATH_SIZE + 16];
    assert_non_null(getcwd(before, sizeof before));
    snprintf(unit, sizeof unit, "%s/tests/unit", build_folder());
    assert_int_equal(chdir(unit), 0);
    const struct sch_native_options options = {.compiler = "libfake_compiler.so",
                                               .cache = strrchr(folder, '/') + 1,
                                               .process = process_path(),
                                               .inside = !in_process()};
    struct sch_native *native;
    assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
    assert_int_equal(chdir("/"), 0);
    struct sch_exec_program *program = created(loop_text, &sch_engine_jit, native);
    struct work *work = new_work();
    run_loop(program, work, 64, 1);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(sch_native_counted(native).to_cache, 1);
    sch_exec_destroy(program);
    sch_native_destroy(native);
    free(work);
    unsigned count = 0;
    each_file(count_file, &count);
    assert_int_equal(count, 1);
}

static const char *own_path; /* of this program */

/* What a process answers that was called by the name `name`, in a folder with a compiler. */
static int call_searcher(const char *program, const char *name)
{
    int status = -1;
    pid_t child = fork();
    if (!child) {
        if (chdir(folder) != 0) _exit(99);
        setenv("LD_LIBRARY_PATH", folder, 1);
        execl(program, name, "--search", (char *)NULL);
        _exit(98);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The other side: exit code 1 where a compiler is found. */
static int search(void)
{
    struct sch_native *native;
    struct sch_exec_program *program = NULL;
    unsigned code;
    const struct sch_native_options options = {.process = process_path(), .inside = !in_process()};
    if (sch_native_create(&sch_allocator_libc, &options, &native) != SCH_OK) return 97;
    enum sch_result status = create(loop_text, &sch_engine_jit, native, &program, &code);
    if (program) sch_exec_destroy(program);
    sch_native_destroy(native);
    return status == SCH_OK ? 1 : code == SCH_D_NATIVE_NO_COMPILER ? 0 : 96;
}

static void copy_file(const char *from, const char *to)
{
    char command[6 * PATH_SIZE];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    assert_int_equal(system(command), 0);
}

/* Neither the name that the host was called by nor the folder it is in says where the compiler is; where the library
 * stands does. */
static void the_compiler_is_beside_the_library(void **state)
{
    NEED_COMPILER;
    char from[PATH_SIZE + 32], to[PATH_SIZE + 32], called[PATH_SIZE + 32];
    snprintf(from, sizeof from, "%s/tests/unit/libfake_compiler.so", build_folder());
    snprintf(to, sizeof to, "%s/libscheelite-jit.so.1", folder);
    snprintf(called, sizeof called, "%s/called", folder);
    copy_file(from, to);
    assert_int_equal(call_searcher(own_path, own_path), 0);
    assert_int_equal(call_searcher(own_path, called), 0);
    assert_int_equal(call_searcher(own_path, "./called"), 0);
    assert_int_equal(call_searcher(own_path, "called"), 0);
    copy_file(own_path, called);
    assert_int_equal(call_searcher(called, "elsewhere"), 1);
    assert_int_equal(call_searcher(called, "/elsewhere/called"), 1);
}

/* In a folder where anybody may make files, one of the name is written to only when it is the user's own. */
static void perf_maps_are_the_users_own(void **state)
{
    NEED_COMPILER;
    char map[PATH_SIZE], other[PATH_SIZE + 16];
    snprintf(map, sizeof map, "%s/perf-%ld.map", P_tmpdir, (long)getpid());
    snprintf(other, sizeof other, "%s/other", folder);
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/tests/unit/libfake_compiler.so", build_folder());
    const struct sch_native_options options = {
        .compiler = path, .process = process_path(), .inside = !in_process(), .perf_map = true};
    enum { NEW, LINK, SECOND_NAME, OTHERS_WRITE, FOREIGN, PIPE, CASES };
    for (unsigned i = 0; i < CASES; i++) {
        if (i == FOREIGN && geteuid() != 0) continue;
        unlink(map);
        unlink(other);
        int file = i == PIPE ? -1 : open(other, O_WRONLY | O_CREAT, 0600);
        if (file >= 0) close(file);
        if (i == LINK) assert_int_equal(symlink(other, map), 0);
        if (i == SECOND_NAME && link(other, map) != 0) continue; /* another disk */
        if (i == OTHERS_WRITE || i == FOREIGN) copy_file(other, map);
        if (i == OTHERS_WRITE) assert_int_equal(chmod(map, 0666), 0);
        if (i == FOREIGN) assert_int_equal(chown(map, 1, 1), 0);
        if (i == PIPE) assert_int_equal(mkfifo(map, 0600), 0);
        struct sch_native *native;
        assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
        struct sch_exec_program *program = created(loop_text, &sch_engine_jit, native);
        struct sch_native_made made;
        assert_int_equal(sch_native_prepare(program, &(struct sch_native_selection){.full = true}, &made), SCH_OK);
        sch_exec_destroy(program);
        sch_native_destroy(native);
        struct stat status;
        assert_int_equal(stat(map, &status), 0);
        assert_true((status.st_size > 0) == (i == NEW));
    }
    unlink(map);
}

int main(int argc, char **argv)
{
    char own[PATH_SIZE] = "";
    if (argc > 1 && strcmp(argv[1], "--search") == 0) return search();
    if (readlink("/proc/self/exe", own, sizeof own - 1) < 0) return 1;
    own_path = own;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jit_runs_code_only),
        cmocka_unit_test(runs_ask_for_the_code_they_need),
        cmocka_unit_test(auto_asks_for_what_most_groups_need),
        cmocka_unit_test(jit_refuses_what_it_cannot_compile),
        cmocka_unit_test(texels_are_not_counted_by_code),
        cmocka_unit_test(auto_changes_over),
        cmocka_unit_test(auto_begins_at_half_of_the_cost),
        cmocka_unit_test(code_is_counted),
        cmocka_unit_test(auto_without_compiler_interprets),
        cmocka_unit_test(programs_end_while_they_are_compiled),
        cmocka_unit_test(threads_share_a_context),
        cmocka_unit_test(barriers_are_passed),
        cmocka_unit_test(digests_tell_shaders_apart),
        cmocka_unit_test(programs_of_one_text_share_code),
        cmocka_unit_test_setup_teardown(hits_need_no_compiler, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(runs_say_what_is_missing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damaged_files_are_replaced, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(foreign_files_are_not_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(other_programs_miss, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(processes_write_at_once, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(size_is_bounded, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(unusable_folders_are_reported, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(relative_paths_are_of_the_begin, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_compiler_is_beside_the_library, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(perf_maps_are_the_users_own, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
