/* The compiler in a process of its own, with one that dies, hangs and lies (wild_compiler.c): whatever it does, the
 * host goes on, with the same results, and notices no process. That engines work both ways is tested in
 * test_native_engine.c. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/cache_folder.h"
#include "../support/need_code.h"
#include "../support/sanitizer.h"
#include "base/clock.h"
#include "base/pool.h"
#include "ir/check.h"
#include "ir/digest.h"
#include "isa/errors.h"
#include "native/internal.h"
#include "native/program.h"
#include "run/run.h"
#include "tgsi/tgsi.h"
#include "wild.h"

enum { PATH_SIZE = 512, COUNT = 64 };

static char process[PATH_SIZE], compiler[PATH_SIZE];

static struct sch_native *new_native(const struct sch_native_options *given)
{
    struct sch_native_options options = given ? *given : (struct sch_native_options){0};
    struct sch_native *native;
    if (!options.compiler) options.compiler = compiler;
    if (!options.process) options.process = process;
    options.patience = 1;
    assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
    return native;
}

static struct sch_ir_shader *shader_of(unsigned instructions, unsigned number)
{
    char text[8192];
    struct sch_diagnostics list;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = NULL;
    int at =
        snprintf(text, sizeof text,
                 "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nIMM[0] UINT32 {%u, 0, 0, 0}\n", number);
    for (unsigned i = 1; i < instructions; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "MOV OUT[0], IMM[0]\n");
    snprintf(text + at, sizeof text - (size_t)at, "MOV OUT[0], IN[0]\n"); /* without END: so many instructions */
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    sch_tgsi_parse(&sch_allocator_libc, &limits, text, strlen(text), &list, &shader);
    if (shader) sch_ir_check(shader, &list);
    if (list.errors) fail_msg("%u: %s", list.items[0].position.line, list.items[0].message);
    sch_diagnostics_release(&list);
    assert_non_null(shader);
    assert_int_equal(shader->instruction_count, instructions);
    return shader;
}

/* `codes` receives the numbers of up to two diagnostics. */
static struct sch_exec_program *try_program(struct sch_native *native, const struct sch_exec_engine *engine,
                                            unsigned instructions, unsigned number, unsigned codes[2])
{
    struct sch_ir_shader *shader = shader_of(instructions, number);
    const struct sch_exec_options options = {.engine = engine, .engine_context = native};
    struct sch_exec_program *program = NULL;
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    sch_exec_create(shader, &options, &sch_allocator_libc, &list, &program);
    for (unsigned i = 0; i < 2 && codes; i++) codes[i] = i < list.count ? list.items[i].code : 0;
    sch_diagnostics_release(&list);
    sch_ir_destroy(shader);
    return program;
}

static struct sch_exec_program *program_of(struct sch_native *native, const struct sch_exec_engine *engine,
                                           unsigned instructions, unsigned number)
{
    struct sch_exec_program *program = try_program(native, engine, instructions, number, NULL);
    assert_non_null(program);
    return program;
}

/* Runs it and checks what it answers. */
static enum sch_result run(const struct sch_exec_program *program, struct sch_diagnostics *list)
{
    uint32_t inputs[COUNT][4], outputs[COUNT][4];
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned c = 0; c < 4; c++) inputs[i][c] = 1000 * i + c;
    memset(outputs, 0, sizeof outputs);
    const struct sch_invocations invocations = {
        .count = COUNT, .inputs = inputs[0], .input_registers = 1, .outputs = outputs[0], .output_registers = 1};
    const struct sch_run_options options = {.diagnostics = list};
    enum sch_result status = sch_run_invocations(program, NULL, &invocations, &options, NULL);
    if (status == SCH_OK) assert_memory_equal(inputs, outputs, sizeof inputs);
    return status;
}

/* Has it compiled; the number of the diagnostic when it is not. */
static unsigned compile(const struct sch_exec_program *program, struct sch_native_made *made)
{
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    const struct sch_native_selection form = {.full = true, .diagnostics = &list};
    enum sch_result status = sch_native_prepare(program, &form, made);
    unsigned code = list.count ? list.items[list.count - 1].code : 0;
    assert_true((status == SCH_OK) == !list.count);
    sch_diagnostics_release(&list);
    return code;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- that nobody notices ---- */

static volatile sig_atomic_t children_ended;
static void on_child(int number) { children_ended += number == SIGCHLD; }

/* The host's descriptors; all from `first` on are closed when it becomes another program. */
static unsigned count_files(bool closing)
{
    unsigned count = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == dirfd(dir)) continue;
        if (closing && !(fcntl(atoi(entry->d_name), F_GETFD) & FD_CLOEXEC)) continue;
        count++;
    }
    closedir(dir);
    return count;
}

static void hosts_notice_nothing(void **state)
{
    NEED_CODE;
    struct sigaction before;
    const struct sigaction counting = {.sa_handler = on_child};
    struct sch_native_made made;
    unsigned files = count_files(false), closing = count_files(true);
    assert_int_equal(sigaction(SIGCHLD, &counting, &before), 0);
    children_ended = 0;
    for (unsigned round = 0; round < 3; round++) {
        struct sch_native *native = new_native(NULL);
        struct sch_exec_program *program = program_of(native, &sch_engine_jit, WILD_COMPILES, round);
        assert_int_equal(run(program, NULL), SCH_OK);
        assert_int_equal(sch_native_counted(native).programs, 1);
        assert_true(count_files(false) > files);
        assert_int_equal(count_files(true) - closing, count_files(false) - files);
        assert_int_equal(waitpid(-1, NULL, 0), -1);
        assert_int_equal(errno, ECHILD);
        sch_exec_destroy(program);
        program = program_of(native, &sch_engine_auto, WILD_DIES, 10 + round);
        assert_int_equal(compile(program, &made), SCH_D_NATIVE_LOST);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        sch_exec_destroy(program);
        sch_native_destroy(native);
        assert_int_equal(count_files(false), files);
    }
    assert_int_equal(children_ended, 0);
    sigaction(SIGCHLD, &before, NULL);
}

/* Whether the system has Landlock; a process with the sanitizers keeps its files. */
static bool closes_files(void)
{
    enum { CREATE_RULESET = 444, ASK_VERSION = 1 };
    return !ADDRESS_SANITIZER && syscall(CREATE_RULESET, NULL, 0, ASK_VERSION) >= 1;
}

static void processes_have_nothing_of_the_host(void **state)
{
    NEED_CODE;
    sigset_t blocked, before;
    struct sch_native_made made;
    int first = open("/dev/zero", O_RDONLY), file = fcntl(first, F_DUPFD, 20); /* not to be closed by execve() */
    assert_true(file >= 20);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    struct sch_native *native = new_native(NULL);
    struct sch_exec_program *program = program_of(native, &sch_engine_jit, WILD_LOOKS, 20);
    assert_int_equal(compile(program, &made), 0);
    assert_int_equal(made.cost.built, closes_files() ? 0 : WILD_OPENS);
    sch_exec_destroy(program);
    sch_native_destroy(native);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(first);
    close(file);
}

/* ---- what it keeps ---- */

/* The files of a folder; the name of the last one. */
static unsigned count_kept(const char *folder, char name[128])
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.') count++, snprintf(name, 128, "%.100s", entry->d_name);
    if (dir) closedir(dir);
    return count;
}

/* A folder for a cache, and whether so many files are there before long. */
static void make_folder(char folder[PATH_SIZE])
{
    const char *build = getenv("SCH_BUILD");
    snprintf(folder, PATH_SIZE, "%s/tests/unit/native-left-XXXXXX", build ? build : ".");
    assert_non_null(mkdtemp(folder));
}

static bool comes_to_keep(const char *folder, unsigned wanted)
{
    enum { MOMENTS = 400 };
    char name[128];
    for (unsigned i = 0; i < MOMENTS && count_kept(folder, name) < wanted; i++)
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    return count_kept(folder, name) == wanted;
}

static enum sch_result send_request(struct sch_native *native, struct sch_request *request, bool *kept)
{
    static uint8_t culprit[SCH_SHA256_BYTES] = {1};
    struct sch_native_call call = {0};
    struct sch_wire bytes;
    struct sch_reply reply = {0};
    culprit[1]++;
    assert_int_equal(sch_native_request(native, request, culprit, false, &call, &bytes, &reply), SCH_CALL_REPLIED);
    *kept = reply.kept;
    sch_wire_release(&bytes);
    return (enum sch_result)reply.status;
}

/* A host that strangers have taken over cannot have anything kept but code that the compiler made, under the key of
 * what it made it of, in the folder that was named when the process was started. A shader that breaks the rules is not
 * compiled. */
static void only_its_own_code_is_kept(void **state)
{
    NEED_CODE;
    char folder[PATH_SIZE], name[128] = "", expected[128];
    uint8_t digest[SCH_SHA256_BYTES], key[SCH_SHA256_BYTES];
    bool kept;
    make_folder(folder);
    struct sch_native *native = new_native(&(struct sch_native_options){.cache = folder});
    struct sch_ir_shader *shader = shader_of(WILD_COMPILES, 77);
    for (unsigned broken = 1; broken < 2; broken--) {
        struct sch_wire wire = {.bytes = {.allocator = &sch_allocator_libc}};
        shader->instructions[0].dst[0].index.index = broken ? 7 : 0; /* OUT[7] is not declared */
        sch_message_shader(&wire, shader);
        for (unsigned kind = SCH_REQUEST_FITS; kind < SCH_REQUEST_COUNT; kind++) {
            if (kind == SCH_REQUEST_LOOKUP) continue;
            struct sch_request request = {
                .kind = (uint8_t)kind, .level = "w4", .full = true, .shader = {wire.bytes.data, wire.bytes.size}};
            assert_int_equal(send_request(native, &request, &kept), broken ? SCH_ERROR_INVALID : SCH_OK);
            assert_int_equal(kept, !broken && kind != SCH_REQUEST_FITS);
            if (kind != SCH_REQUEST_PROGRAM || broken) continue;
            assert_int_equal(count_kept(folder, name), 1);
            sch_ir_digest(shader, digest);
            sch_native_program_key(&(struct sch_native_program_request){.level = "w4", .full = true}, digest, key);
            for (unsigned i = 0; i < sizeof key; i++) snprintf(expected + 2 * i, 3, "%02x", key[i]);
            strcat(expected, ".code");
            assert_string_equal(name, expected);
        }
        assert_int_equal(count_kept(folder, name), broken ? 0 : 2); /* the code and the sign */
        sch_wire_release(&wire);
    }
    sch_ir_destroy(shader);
    sch_native_destroy(native);
    assert_int_equal(remove_cache_folder(folder), 0);
}

/* ---- what compilers do ---- */

/* What is asked about, and how it is lost. */
static void lose(struct sch_native *native, unsigned what, unsigned number)
{
    struct sch_native_made made;
    struct sch_exec_program *program = program_of(native, &sch_engine_auto, what, number);
    assert_int_equal(compile(program, &made), SCH_D_NATIVE_LOST);
    unsigned lost = atomic_load(&native->lost);
    assert_int_equal(run(program, NULL), SCH_OK); /* interpreted */
    assert_int_equal(compile(program, &made), SCH_D_NATIVE_LOST);
    sch_exec_destroy(program);
    /* nor is it asked about again when it is made again, in another context */
    struct sch_native *other = new_native(NULL);
    unsigned codes[2];
    program = try_program(other, &sch_engine_jit, what, number, codes);
    assert_null(program);
    assert_int_equal(codes[0], SCH_D_NATIVE_LOST);
    assert_int_equal(atomic_load(&other->lost), 0);
    sch_native_destroy(other);
    assert_int_equal(atomic_load(&native->lost), lost);
}

static void lost_processes_are_replaced(void **state)
{
    NEED_CODE;
    static const unsigned ways[] = {WILD_DIES,       WILD_ABORTS,        WILD_SAYS_MUCH,
                                    WILD_SAYS_OTHER, WILD_SAYS_NONSENSE, WILD_SAYS_LITTLE};
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct sch_native *native = new_native(NULL);
        struct sch_native_made made;
        unsigned codes[2];
        lose(native, ways[i], 30 + i);
        assert_int_equal(atomic_load(&native->lost), 1);
        struct sch_exec_program *program = try_program(native, &sch_engine_auto, WILD_COMPILES, 30 + i, codes);
        assert_int_equal(codes[0], SCH_D_NATIVE_LOST_WARNING); /* once */
        assert_int_equal(codes[1], 0);
        assert_int_equal(compile(program, &made), 0);
        assert_int_equal(run(program, NULL), SCH_OK);
        assert_int_equal(sch_native_counted(native).native_groups, COUNT / 32);
        sch_exec_destroy(program);
        program = try_program(native, &sch_engine_auto, WILD_COMPILES, 40 + i, codes);
        assert_int_equal(codes[0], 0);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
}

/* A run says it, too. */
static void runs_warn(void **state)
{
    NEED_CODE;
    struct sch_native *native = new_native(NULL);
    struct sch_exec_program *program = program_of(native, &sch_engine_auto, WILD_ABORTS, 50);
    struct sch_native_made made;
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    assert_int_equal(compile(program, &made), SCH_D_NATIVE_LOST);
    for (unsigned round = 0; round < 2; round++) assert_int_equal(run(program, &list), SCH_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].code, SCH_D_NATIVE_LOST_WARNING);
    sch_diagnostics_release(&list);
    sch_exec_destroy(program);
    sch_native_destroy(native);
}

/* A context that loses one process after the other asks no more. */
static void contexts_give_up(void **state)
{
    NEED_CODE;
    struct sch_native *native = new_native(NULL);
    struct sch_native_made made;
    for (unsigned i = 0; i < 12; i++) {
        struct sch_exec_program *program = program_of(native, &sch_engine_auto, WILD_DIES, 60 + i);
        assert_int_equal(compile(program, &made), SCH_D_NATIVE_LOST);
        sch_exec_destroy(program);
    }
    assert_int_equal(atomic_load(&native->lost), 8);
    sch_native_destroy(native);
}

static void wrong_objects_are_not_run(void **state)
{
    NEED_CODE;
    struct sch_native *native = new_native(NULL);
    struct sch_exec_program *program = program_of(native, &sch_engine_auto, WILD_OBJECT, 80);
    struct sch_native_made made;
    assert_int_equal(sch_native_prepare(program, &(struct sch_native_selection){.full = true}, &made),
                     SCH_ERROR_INVALID);
    assert_int_equal(run(program, NULL), SCH_OK);
    assert_int_equal(sch_native_counted(native).native_groups, 0);
    sch_exec_destroy(program);
    sch_native_destroy(native);
}

static void time_is_limited(void **state)
{
    NEED_CODE;
    struct sch_native *native = new_native(&(struct sch_native_options){.process_ms = 200});
    double begin = now();
    lose(native, WILD_LOOPS, 81);
    assert_true(now() - begin < 30);
    sch_native_destroy(native);
}

static void memory_is_limited(void **state)
{
    NEED_CODE;
    if (ADDRESS_SANITIZER) skip();
    struct sch_native *native = new_native(&(struct sch_native_options){.process_memory = (uint64_t)300 << 20});
    double begin = now();
    lose(native, WILD_TAKES_MEMORY, 82);
    assert_true(now() - begin < 30); /* not the limit on time */
    sch_native_destroy(native);
}

/* ---- not waiting ---- */

enum { SOON = 6 }; /* seconds: far above what it takes on a busy machine, and below what WILD_SLEEPS sleeps */

static void destroying_does_not_wait(void **state)
{
    NEED_CODE;
    struct sch_native *native = new_native(NULL);
    struct sch_exec_program *warm = program_of(native, &sch_engine_jit, WILD_COMPILES, 90);
    struct sch_exec_program *program = program_of(native, &sch_engine_auto, WILD_SLEEPS, 90);
    assert_int_equal(run(program, NULL), SCH_OK); /* and has it compiled in the background */
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    assert_int_equal(sch_native_counted(native).programs, 0);
    double begin = now();
    sch_exec_destroy(program);
    assert_true(now() - begin < SOON);
    /* others do not wait for what nobody waits for */
    assert_int_equal(run(warm, NULL), SCH_OK);
    assert_int_equal(sch_native_counted(native).programs, 1);
    assert_true(now() - begin < SOON);
    sch_exec_destroy(warm);
    sch_native_destroy(native);
    assert_true(now() - begin < SOON);
}

/* A context with programs that were worth some of their compiling, but not all of it, when it ends. */
static void leave(const char *folder, unsigned kind, unsigned first, unsigned count)
{
    const struct sch_native_options options = {
        .compiler = compiler, .process = process, .cache = folder, .patience = 1000 * kind}; /* `kind` instructions */
    struct sch_native *native;
    assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
    assert_true(sch_native_start(native));
    for (unsigned n = 0; n < count; n++) {
        struct sch_exec_program *program = program_of(native, &sch_engine_auto, kind, first + n);
        for (unsigned i = 0; i < 100; i++) assert_int_equal(run(program, NULL), SCH_OK);
        assert_int_equal(sch_native_counted(native).programs, 0);
        sch_exec_destroy(program);
    }
    assert_true(!folder == !native->left.size);
    sch_native_destroy(native);
}

enum { MANY = 20 }; /* all of WILD_NAPS take 2 s */

/* What a context has not compiled, a process of its own compiles for the cache when it has ended; one at a time, and
 * only where there is a cache. */
static void what_is_left_is_finished(void **state)
{
    NEED_CODE;
    char folder[PATH_SIZE], name[128];
    make_folder(folder);
    leave(NULL, WILD_COMPILES, 200, 1);
    leave(folder, WILD_COMPILES, 201, 1);
    assert_true(comes_to_keep(folder, 1));
    const int other = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* another process's lock */
    while (flock(other, LOCK_EX | LOCK_NB) != 0) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    leave(folder, WILD_NAPS, 202, MANY);
    nanosleep(&(struct timespec){.tv_sec = 3}, NULL); /* in which one that does not look at the lock is through */
    /* what the process had begun when the context closed its end is kept, as ever: one, or a few where that was late */
    assert_in_range(count_kept(folder, name), 1, MANY);
    close(other);
    leave(folder, WILD_NAPS, 202, MANY);
    assert_true(comes_to_keep(folder, 1 + MANY));
    assert_int_equal(remove_cache_folder(folder), 0);
}

/* Seconds until the process has ended that finishes what was left; it holds a lock of the folder. */
static double until_unlocked(const char *folder)
{
    const int other = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const double begin = now();
    bool seen = false;
    while (now() - begin < 60) {
        const bool free = flock(other, LOCK_EX | LOCK_NB) == 0;
        if (free && seen) break;
        if (free) flock(other, LOCK_UN);
        seen |= !free;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    close(other);
    return now() - begin;
}

/* And not for ever: 10 s of processor time, 30 s of time. */
static void what_is_left_has_bounds(void **state)
{
    NEED_CODE;
    char folder[PATH_SIZE], name[128];
    if (!getenv("SCH_LONG")) skip();
    make_folder(folder);
    leave(folder, WILD_LOOPS, 220, 1);
    double taken = until_unlocked(folder);
    assert_true(taken > 5 && taken < 35);
    leave(folder, WILD_SLEEPS, 230, 6);
    taken = until_unlocked(folder);
    assert_true(taken > 25 && taken < 35);
    assert_int_equal(count_kept(folder, name), 3); /* that slept 8 s each */
    assert_int_equal(remove_cache_folder(folder), 0);
}

/* What waits for a turn is left, too, when its program ends. */
static void what_is_queued_is_left(void **state)
{
    NEED_CODE;
    char folder[PATH_SIZE];
    make_folder(folder);
    struct sch_native *native = new_native(&(struct sch_native_options){.cache = folder});
    assert_true(sch_native_start(native));
    struct sch_exec_program *slow = program_of(native, &sch_engine_auto, WILD_SLEEPS, 210);
    struct sch_exec_program *program = program_of(native, &sch_engine_auto, WILD_COMPILES, 210);
    assert_int_equal(run(slow, NULL), SCH_OK);
    assert_int_equal(run(program, NULL), SCH_OK);
    sch_exec_destroy(program);
    const size_t of_one = native->left.size;
    assert_true(of_one > 0);
    sch_exec_destroy(slow);
    assert_true(native->left.size > of_one);
    native->left.size = 0; /* nobody is to compile it after the test */
    sch_native_destroy(native);
    assert_int_equal(remove_cache_folder(folder), 0);
}

static void *compile_slowly(void *native)
{
    struct sch_exec_program *program = program_of(native, &sch_engine_jit, WILD_SLEEPS, 91);
    assert_int_equal(run(program, NULL), SCH_OK);
    sch_exec_destroy(program);
    return NULL;
}

/* What takes long keeps nobody from what does not. */
static void slow_ones_hold_nobody_up(void **state)
{
    NEED_CODE;
    pthread_t slow;
    struct sch_native *native = new_native(NULL), *other = new_native(NULL);
    assert_int_equal(pthread_create(&slow, NULL, compile_slowly, other), 0);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    double begin = now();
    for (unsigned i = 0; i < 3; i++) {
        struct sch_exec_program *program = program_of(native, &sch_engine_jit, WILD_COMPILES, 92 + i);
        assert_int_equal(run(program, NULL), SCH_OK);
        sch_exec_destroy(program);
    }
    assert_true(now() - begin < SOON);
    pthread_join(slow, NULL);
    sch_native_destroy(native);
    sch_native_destroy(other);
}

/* A run's deadline and its flag count while it waits for the compiler, too, whoever the compiler works for. */
static void runs_end_while_it_compiles(void **state)
{
    NEED_CODE;
    struct sch_native *native = new_native(NULL);
    struct sch_exec_program *program = program_of(native, &sch_engine_jit, WILD_SLEEPS, 99);
    const struct sch_invocations invocations = {.count = COUNT};
    static const uint32_t raised = 1;
    for (unsigned round = 0; round < 2; round++) {
        struct sch_run_options options = {.deadline = sch_clock_ns() + 50000000};
        double begin = now();
        assert_int_equal(sch_run_invocations(program, NULL, &invocations, &options, NULL), SCH_ERROR_DEADLINE);
        assert_true(now() - begin >= 0.05 && now() - begin < SOON);
        options = (struct sch_run_options){.cancel = &raised};
        begin = now();
        assert_int_equal(sch_run_invocations(program, NULL, &invocations, &options, NULL), SCH_ERROR_CANCELLED);
        assert_true(now() - begin < SOON);
    }
    const struct sch_run_options patient = {.deadline = sch_clock_ns() + 60 * UINT64_C(1000000000)};
    assert_int_equal(sch_run_invocations(program, NULL, &invocations, &patient, NULL), SCH_OK);
    assert_int_equal(sch_native_counted(native).programs, 1); /* what the first run began */
    sch_exec_destroy(program);
    sch_native_destroy(native);
}

/* ---- fork() of the host ---- */

/* In a child: what it can compile with a context of its own. */
static void compile_in_child(unsigned number)
{
    alarm(60);
    struct sch_native *native = new_native(NULL);
    struct sch_exec_program *program = program_of(native, &sch_engine_jit, WILD_COMPILES, number);
    bool good = run(program, NULL) == SCH_OK && sch_native_counted(native).programs == 1;
    sch_exec_destroy(program);
    sch_native_destroy(native);
    _exit(good ? 0 : 1);
}

static void expect_child(pid_t child)
{
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static atomic_bool forking;

static void *compile_all_the_time(void *native)
{
    for (unsigned number = 2000; atomic_load(&forking); number++) {
        struct sch_exec_program *program = program_of(native, &sch_engine_jit, WILD_COMPILES, number);
        assert_int_equal(run(program, NULL), SCH_OK);
        sch_exec_destroy(program);
    }
    return NULL;
}

/* A child has the parent's connection closed and makes one of its own, whatever other threads of the parent were at. */
static void children_have_their_own(void **state)
{
    NEED_CODE;
    enum { CHILDREN = 6 };
    pthread_t thread;
    struct sch_native *native = new_native(NULL);
    struct sch_exec_program *program = program_of(native, &sch_engine_jit, WILD_COMPILES, 100);
    unsigned files = count_files(true);
    pid_t child = fork();
    if (!child) {
        if (count_files(true) >= files) _exit(2);
        compile_in_child(101);
    }
    expect_child(child);
    assert_int_equal(run(program, NULL), SCH_OK); /* the parent's still answers */
    assert_int_equal(atomic_load(&native->lost), 0);
    /* A fork() while another thread allocates leaves AddressSanitizer's allocator locked in the child. */
    atomic_store(&forking, true);
    if (!ADDRESS_SANITIZER) assert_int_equal(pthread_create(&thread, NULL, compile_all_the_time, native), 0);
    for (unsigned i = 0; i < CHILDREN; i++) {
        child = fork();
        if (!child) compile_in_child(110 + i);
        expect_child(child);
    }
    atomic_store(&forking, false);
    if (!ADDRESS_SANITIZER) pthread_join(thread, NULL);
    assert_int_equal(atomic_load(&native->lost), 0);
    sch_exec_destroy(program);
    sch_native_destroy(native);
}

/* ---- starting ---- */

static void what_cannot_start_is_said(void **state)
{
    NEED_CODE;
    char noop[] = "/bin/true", absent[] = "/no/such/program";
    const struct sch_native_options cases[] = {
        {.process = absent}, {.process = noop}, {.process = compiler}, {.compiler = absent}, {.compiler = process}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned codes[2];
        struct sch_native *native = new_native(&cases[i]);
        assert_null(try_program(native, &sch_engine_jit, WILD_COMPILES, 120, codes));
        assert_int_equal(codes[0], SCH_D_NATIVE_NO_COMPILER);
        assert_non_null(strstr(native->compiler_problem, i < 3 ? cases[i].process : cases[i].compiler));
        /* `auto` says nothing of what is not installed, and of what does not start once */
        struct sch_exec_program *program = try_program(native, &sch_engine_auto, WILD_COMPILES, 120, codes);
        assert_int_equal(codes[0], i == 1 || i == 2 ? SCH_D_NATIVE_LOST_WARNING : 0);
        assert_int_equal(run(program, NULL), SCH_OK);
        sch_exec_destroy(program);
        sch_native_destroy(native);
    }
}

/* What is started before anything is compiled loads nothing: the compiler may come later. */
static void compilers_are_loaded_when_needed(void **state)
{
    NEED_CODE;
    char folder[PATH_SIZE], link[PATH_SIZE + 16];
    struct sch_native_made made;
    snprintf(folder, sizeof folder, "%s/later-XXXXXX", P_tmpdir);
    assert_non_null(mkdtemp(folder));
    snprintf(link, sizeof link, "%s/compiler", folder);
    const struct sch_native_options options = {.compiler = link};
    struct sch_native *native = new_native(&options);
    assert_true(sch_native_start(native));
    const struct timespec moment = {.tv_nsec = 200000000};
    nanosleep(&moment, NULL);
    assert_int_equal(symlink(compiler, link), 0);
    struct sch_exec_program *program = program_of(native, &sch_engine_jit, WILD_COMPILES, 140);
    assert_int_equal(run(program, NULL), SCH_OK);
    assert_int_equal(compile(program, &made), 0);
    sch_exec_destroy(program);
    sch_native_destroy(native);
    unlink(link);
    rmdir(folder);
}

/* ---- messages ---- */

/* A shader comes back as it was, and what is damaged on the way is refused or is another shader; it never hurts. */
static void damaged_messages_are_read(void **state)
{
    (void)state;
    struct sch_ir_shader *shader = shader_of(9, 7), *again;
    struct sch_wire out = {.bytes = {.allocator = &sch_allocator_libc}};
    sch_message_shader(&out, shader);
    assert_false(out.failed);
    struct sch_wire in = {.bytes = {.data = out.bytes.data, .size = out.bytes.size}, .reading = true};
    again = sch_message_read_shader(&in, &sch_allocator_libc);
    assert_non_null(again);
    uint8_t a[SCH_SHA256_BYTES], b[SCH_SHA256_BYTES];
    sch_ir_digest(shader, a);
    sch_ir_digest(again, b);
    assert_memory_equal(a, b, sizeof a);
    sch_ir_destroy(again);
    unsigned refused = 0;
    for (size_t at = 0; at < out.bytes.size; at++)
        for (unsigned bit = 0; bit < 8; bit += 7) {
            out.bytes.data[at] ^= (uint8_t)(1u << bit);
            in = (struct sch_wire){.bytes = {.data = out.bytes.data, .size = out.bytes.size}, .reading = true};
            again = sch_message_read_shader(&in, &sch_allocator_libc);
            refused += !again;
            sch_ir_destroy(again);
            out.bytes.data[at] ^= (uint8_t)(1u << bit);
        }
    assert_true(refused > out.bytes.size / 4);
    for (size_t size = 0; size < out.bytes.size; size++) {
        in = (struct sch_wire){.bytes = {.data = out.bytes.data, .size = size}, .reading = true};
        assert_null(sch_message_read_shader(&in, &sch_allocator_libc));
    }
    sch_wire_release(&out);
    sch_ir_destroy(shader);
}

int main(void)
{
    const char *build = getenv("SCH_BUILD");
    snprintf(process, sizeof process, "%s/src/jit/scheelite-jit", build ? build : ".");
    snprintf(compiler, sizeof compiler, "%s/tests/unit/libwild_compiler.so", build ? build : ".");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_notice_nothing),
        cmocka_unit_test(processes_have_nothing_of_the_host),
        cmocka_unit_test(only_its_own_code_is_kept),
        cmocka_unit_test(lost_processes_are_replaced),
        cmocka_unit_test(runs_warn),
        cmocka_unit_test(contexts_give_up),
        cmocka_unit_test(wrong_objects_are_not_run),
        cmocka_unit_test(time_is_limited),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(destroying_does_not_wait),
        cmocka_unit_test(what_is_left_is_finished),
        cmocka_unit_test(what_is_left_has_bounds),
        cmocka_unit_test(what_is_queued_is_left),
        cmocka_unit_test(slow_ones_hold_nobody_up),
        cmocka_unit_test(runs_end_while_it_compiles),
        cmocka_unit_test(children_have_their_own),
        cmocka_unit_test(what_cannot_start_is_said),
        cmocka_unit_test(compilers_are_loaded_when_needed),
        cmocka_unit_test(damaged_messages_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
