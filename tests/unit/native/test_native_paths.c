/* What a context is made with: paths, where the compiler and its program are looked for, which compilers fit, and the
 * file for a profiler (native/internal.h). What is found is asked of this program under another name, in a folder with
 * files of those names. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/counting.h"
#include "descriptors.h"
#include "native/internal.h"
#include "native/program.h"

enum { PATH_SIZE = 1024 };

static char own[PATH_SIZE], folder[PATH_SIZE], units[PATH_SIZE + 8];

static int make_folder(void **state)
{
    (void)state;
    const char *build = getenv("SCH_BUILD");
    char name[PATH_SIZE];
    snprintf(name, sizeof name, "%s/tests/unit/paths-XXXXXX", build ? build : ".");
    if (!mkdtemp(name) || !realpath(name, folder)) return -1;
    snprintf(units, sizeof units, "%s/..", folder);
    return 0;
}

static void remove_all(const char *path)
{
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char below[2 * PATH_SIZE];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (unlink(below) != 0) remove_all(below);
    }
    if (dir) closedir(dir);
    rmdir(path);
}

static int remove_folder(void **state)
{
    (void)state;
    remove_all(folder);
    return access(folder, F_OK) == 0 ? -1 : 0;
}

static void place(const char *name, mode_t mode)
{
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int file = open(path, O_WRONLY | O_CREAT, mode);
    assert_true(file >= 0);
    close(file);
}

/* ---- where things are found ---- */

/* This program as another one: says what it finds, a line each; `compiler`: beside which the program is looked for. */
static int say_what_is_found(const char *compiler)
{
    bool made = true;
    const struct sch_allocator *libc = &sch_allocator_libc;
    if (strcmp(compiler, "none") == 0) compiler = NULL;
    char *const found[] = {sch_native_find(libc, SCH_NATIVE_COMPILER, &made),
                           sch_native_find(libc, SCH_NATIVE_PROCESS, &made),
                           sch_native_find_process(libc, compiler, &made)};
    for (unsigned i = 0; i < 3; i++) printf("%s\n", found[i]);
    for (unsigned i = 0; i < 3; i++) free(found[i]);
    return made ? 0 : 1;
}

static void expect_found(const char *compiler, const char *const wanted[3])
{
    char command[4 * PATH_SIZE], line[2 * PATH_SIZE];
    snprintf(command, sizeof command, "cd / && exec '%s/program' --find '%s'", folder, compiler);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    for (unsigned i = 0; i < 3; i++) {
        char whole[2 * PATH_SIZE];
        assert_non_null(fgets(line, sizeof line, pipe));
        line[strcspn(line, "\n")] = 0;
        snprintf(whole, sizeof whole, "%s%s%s", wanted[i][0] == '/' ? "" : folder, wanted[i][0] == '/' ? "" : "/",
                 wanted[i]);
        assert_string_equal(line, whole);
    }
    assert_int_equal(pclose(pipe), 0);
}

/* Beside the library, as what is part of this program is; in `jit` below, as where it is built; else where it is
 * installed. The program also beside the compiler, if it may be called. */
static void parts_are_beside_the_library(void **state)
{
    (void)state;
    char program[2 * PATH_SIZE], libraries[PATH_SIZE], programs[PATH_SIZE], compiler[2 * PATH_SIZE];
    snprintf(program, sizeof program, "%s/program", folder);
    snprintf(libraries, sizeof libraries, "%s/%s/libscheelite-jit.so.1", sch_native_prefix, sch_native_libraries);
    snprintf(programs, sizeof programs, "%s/%s/scheelite-jit", sch_native_prefix, sch_native_programs);
    snprintf(compiler, sizeof compiler, "%s/sub/any.so", folder);
    assert_int_equal(link(own, program), 0);
    const char *const installed[] = {libraries, programs, programs};
    expect_found("none", installed);
    expect_found("no-folder.so", installed);
    expect_found(compiler, installed);
    char below[2 * PATH_SIZE];
    snprintf(below, sizeof below, "%s/jit", folder);
    assert_int_equal(mkdir(below, 0700), 0);
    place("jit/libscheelite-jit.so.1", 0600);
    expect_found("none", (const char *const[]){"jit/libscheelite-jit.so.1", programs, programs});
    place("jit/scheelite-jit", 0600);
    expect_found("none", (const char *const[]){"jit/libscheelite-jit.so.1", "jit/scheelite-jit", "jit/scheelite-jit"});
    place("scheelite-jit", 0600);
    expect_found("none", (const char *const[]){"jit/libscheelite-jit.so.1", "scheelite-jit", "scheelite-jit"});
    place("libscheelite-jit.so.1", 0600);
    expect_found("/", (const char *const[]){"libscheelite-jit.so.1", "scheelite-jit", "scheelite-jit"});
    snprintf(below, sizeof below, "%s/sub", folder);
    assert_int_equal(mkdir(below, 0700), 0);
    place("sub/scheelite-jit", 0600);
    expect_found(compiler, (const char *const[]){"libscheelite-jit.so.1", "scheelite-jit", "scheelite-jit"});
    snprintf(below, sizeof below, "%s/sub/scheelite-jit", folder);
    assert_int_equal(chmod(below, 0700), 0);
    expect_found(compiler, (const char *const[]){"libscheelite-jit.so.1", "scheelite-jit", "sub/scheelite-jit"});
}

/* A folder below `folder` with all folders above it. */
static void make_folders(const char *below)
{
    char path[3 * PATH_SIZE];
    size_t first = (size_t)snprintf(path, sizeof path, "%s/", folder);
    snprintf(path + first, sizeof path - first, "%s/", below);
    for (char *at = path + first; (at = strchr(at, '/')); at++) {
        *at = 0;
        assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
        *at = '/';
    }
}

/* What this program finds when it stands in `end` below the prefix that all was moved to: things below `prefix`. */
static void expect_found_from(const char *end, const char *prefix)
{
    char libraries[2 * PATH_SIZE], programs[2 * PATH_SIZE], top[PATH_SIZE], program[2 * PATH_SIZE];
    snprintf(libraries, sizeof libraries, "%s/%s/libscheelite-jit.so.1", prefix, sch_native_libraries);
    snprintf(programs, sizeof programs, "%s/%s/scheelite-jit", prefix, sch_native_programs);
    make_folders(end);
    snprintf(top, sizeof top, "%s", folder);
    snprintf(folder, sizeof folder, "%.500s/%.500s", top, end);
    snprintf(program, sizeof program, "%s/program", folder);
    assert_int_equal(link(own, program), 0);
    expect_found("none", (const char *const[]){libraries, programs, programs});
    snprintf(folder, sizeof folder, "%s", top);
}

/* What was installed and then moved finds its parts below the new prefix: this program stands for the library in its
 * folder, and for the command that has it inside. A folder of another name says nothing of what stands beside it. */
static void parts_move_with_the_library(void **state)
{
    (void)state;
    char name[PATH_SIZE];
    make_folders(sch_native_libraries);
    make_folders(sch_native_programs);
    snprintf(name, sizeof name, "%s/libscheelite-jit.so.1", sch_native_libraries);
    place(name, 0600);
    snprintf(name, sizeof name, "%s/scheelite-jit", sch_native_programs);
    place(name, 0700);
    expect_found_from("other", sch_native_prefix);
    expect_found_from(sch_native_libdir, folder);
    expect_found_from(sch_native_bindir, folder);
}

/* A name for a moment, without memory for it. */
static void copies_need_memory(void **state)
{
    (void)state;
    char before[PATH_SIZE], wanted[2 * PATH_SIZE];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    snprintf(wanted, sizeof wanted, "%s/a/b", folder);
    const char *const paths[][2] = {{"", ""}, {"/a/b", "/a/b"}, {"a/b", wanted}, {"/", "/"}};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned enough = 0; enough < 2; enough++) {
            struct counting counting = {.fail_from = enough + 1};
            const struct sch_allocator allocator = counting_callbacks(&counting);
            bool made = true;
            char *path = sch_native_absolute(&allocator, paths[i][0], &made);
            assert_int_equal(made, enough);
            assert_int_equal(path != NULL, enough);
            assert_int_equal(counting.live, enough);
            if (!path) continue;
            assert_string_equal(path, paths[i][1]);
            allocator.free(&counting, path);
        }
    for (unsigned i = 0; i < 2; i++) { /* what was not made before stays so */
        struct counting counting = {.fail_from = 2};
        const struct sch_allocator allocator = counting_callbacks(&counting);
        bool made = i;
        assert_null(sch_native_absolute(&allocator, NULL, &made));
        assert_null(sch_native_copy(&allocator, NULL, &made));
        assert_int_equal(made, i);
        char *copy = sch_native_copy(&allocator, "text", &made);
        assert_string_equal(copy, "text");
        assert_int_equal(made, i);
        assert_int_equal(counting.calls, 1);
        allocator.free(&counting, copy);
        assert_null(sch_native_copy(&allocator, "text", &made));
        assert_false(made);
    }
    assert_int_equal(chdir(before), 0);
}

/* ---- contexts ---- */

static struct sch_native *context(const struct sch_native_options *options)
{
    struct sch_native *native;
    assert_int_equal(sch_native_create(&sch_allocator_libc, options, &native), SCH_OK);
    return native;
}

/* Where the compiler is looked for once: one that comes later is none, for this context. */
static void compilers_are_tried_once(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE], fake[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/compiler.so", folder);
    snprintf(fake, sizeof fake, "%s/libfake_compiler.so", units);
    const struct sch_native_options options = {.compiler = path, .inside = true}, outside = {.compiler = path};
    struct sch_native *native = context(&options), *other = context(&outside);
    assert_true(sch_native_has_compiler(other)); /* as far as is known */
    for (unsigned round = 0; round < 2; round++) {
        assert_null(sch_native_compiler_of(native));
        assert_false(sch_native_has_compiler(native));
        assert_non_null(strstr(native->compiler_problem, path));
        assert_null(sch_native_compiler_of(other));
        assert_false(sch_native_has_compiler(other));
        if (!round) assert_int_equal(symlink(fake, path), 0);
    }
    sch_native_destroy(native);
    sch_native_destroy(other);
    native = context(&options), other = context(&outside);
    const struct sch_native_compiler *compiler = sch_native_compiler_of(native);
    assert_non_null(compiler);
    assert_string_equal(compiler->identity, "fake");
    assert_true(sch_native_has_compiler(native));
    assert_ptr_equal(sch_native_compiler_of(other), compiler);
    assert_true(sch_native_has_compiler(other));
    assert_string_equal(native->compiler_problem, "");
    unlink(path);
    assert_ptr_equal(sch_native_compiler_of(native), compiler);
    sch_native_destroy(native);
    sch_native_destroy(other);
}

/* What is no compiler, and one that nobody can find. */
static void compilers_have_a_name(void **state)
{
    (void)state;
    char problem[256];
    assert_null(sch_native_load_compiler("compiler.so", problem, sizeof problem));
    assert_string_equal(problem, "compiler.so is not an absolute path");
    assert_null(sch_native_load_compiler("", problem, sizeof problem));
    assert_string_equal(problem, " is not an absolute path");
    assert_null(sch_native_load_compiler("/no/such.so", problem, sizeof problem));
    assert_non_null(strstr(problem, "/no/such.so"));
    assert_null(sch_native_load_compiler("/no/such.so", problem, 5));
    assert_int_equal(strlen(problem), 4);
}

/* A library that is something else: the C library's own mathematics. */
static void other_libraries_are_no_compilers(void **state)
{
    (void)state;
    char path[PATH_SIZE] = "", line[2 * PATH_SIZE], problem[2 * PATH_SIZE], wanted[2 * PATH_SIZE];
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (!*path && fgets(line, sizeof line, maps)) {
        const char *begin = strchr(line, '/');
        if (begin && strstr(begin, "cmocka")) sscanf(begin, "%1023[^\n]", path);
    }
    fclose(maps);
    if (!*path) skip();
    assert_null(sch_native_load_compiler(path, problem, sizeof problem));
    snprintf(wanted, sizeof wanted, "%s is not a compiler of machine code", path);
    assert_string_equal(problem, wanted);
}

/* The file for the profiler belongs to the context as long as it lives; each descriptor is as good as any. */
static void profilers_have_a_file(void **state)
{
    (void)state;
    char map[PATH_SIZE];
    struct stat status;
    const struct sch_native_options options = {.compiler = "/none", .inside = true, .perf_map = true};
    snprintf(map, sizeof map, "%s/perf-%ld.map", P_tmpdir, (long)getpid());
    unlink(map);
    const unsigned files = count_descriptors();
    struct sch_native *native = context(&options);
    assert_true(native->perf_map > 2);
    assert_int_equal(count_descriptors(), files + 1);
    assert_int_equal(stat(map, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(fcntl(native->perf_map, F_GETFL) & (O_ACCMODE | O_APPEND), O_WRONLY | O_APPEND);
    assert_int_equal(fcntl(native->perf_map, F_GETFD), FD_CLOEXEC);
    sch_native_destroy(native);
    assert_int_equal(count_descriptors(), files);
    const int input = dup(0);
    close(0);
    native = context(&options);
    assert_int_equal(native->perf_map, 0);
    sch_native_destroy(native);
    assert_int_equal(fcntl(0, F_GETFD), -1);
    if (input >= 0) dup2(input, 0);
    if (input >= 0) close(input);
    assert_int_equal(chmod(map, 0620), 0); /* others may write to it */
    native = context(&options);
    assert_int_equal(native->perf_map, -1);
    assert_int_equal(count_descriptors(), files);
    sch_native_destroy(native);
    unlink(map);
    assert_int_equal(mkdir(map, 0700), 0); /* no file */
    native = context(&options);
    assert_int_equal(native->perf_map, -1);
    sch_native_destroy(native);
    rmdir(map);
    assert_int_equal(symlink("/dev/null", map), 0);
    native = context(&options);
    assert_int_equal(native->perf_map, -1);
    sch_native_destroy(native);
    unlink(map);
    assert_int_equal(count_descriptors(), files);
}

/* Of milliseconds, as many as can be multiplied. */
static void times_are_bounded(void **state)
{
    (void)state;
    static const uint64_t given[][2] = {{1, 1},
                                        {UINT32_MAX - UINT64_C(1), UINT32_MAX - UINT64_C(1)},
                                        {UINT32_MAX, UINT32_MAX},
                                        {UINT64_C(1) << 32, UINT32_MAX},
                                        {UINT64_MAX, UINT32_MAX}};
    for (unsigned i = 0; i < 5; i++) {
        struct sch_native *native = context(&(struct sch_native_options){.process_ms = given[i][0]});
        assert_int_equal(native->process_ms, given[i][1]);
        sch_native_destroy(native);
    }
}

/* ---- the lock ---- */

static struct sch_native *shared;

static void *find(void *user)
{
    sch_native_compiler_of(shared);
    return user;
}

static void *ask(void *user)
{
    sch_native_has_compiler(shared);
    return user;
}

static void *warn(void *user)
{
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 8);
    sch_native_warn_of_lost(shared, &list);
    sch_diagnostics_release(&list);
    return user;
}

/* What several threads may ask about is kept under a lock, which nobody keeps. */
static void threads_share_a_context(void **state)
{
    (void)state;
    void *(*const calls[])(void *) = {find, ask, warn};
    for (unsigned i = 0; i < 3; i++) {
        pthread_t thread;
        struct timespec until;
        shared = context(&(struct sch_native_options){.compiler = "/none"});
        atomic_store(&shared->lost, 1);
        pthread_mutex_lock(&shared->compiler_lock);
        assert_int_equal(pthread_create(&thread, NULL, calls[i], NULL), 0);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 4000000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        if (pthread_timedjoin_np(thread, NULL, &until) != ETIMEDOUT) fail_msg("call %u does not wait", i);
        pthread_mutex_unlock(&shared->compiler_lock);
        pthread_join(thread, NULL);
        assert_int_equal(pthread_mutex_trylock(&shared->compiler_lock), 0);
        pthread_mutex_unlock(&shared->compiler_lock);
        sch_native_destroy(shared);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--find") == 0) return say_what_is_found(argv[2]);
    if (readlink("/proc/self/exe", own, sizeof own - 1) < 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_are_beside_the_library, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(parts_move_with_the_library, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(copies_need_memory, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(compilers_are_tried_once, make_folder, remove_folder),
        cmocka_unit_test(compilers_have_a_name),
        cmocka_unit_test(other_libraries_are_no_compilers),
        cmocka_unit_test(profilers_have_a_file),
        cmocka_unit_test(times_are_bounded),
        cmocka_unit_test(threads_share_a_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
