/* Lets every test program run its shaders as machine code, too: with SCH_TEST_ENGINE=jit in the environment, programs
 * that a test makes for the engine `auto`, or for none in particular, are made for `jit`; what is to be compared with
 * it names `interpreter`. The linker puts these functions before the library's (--wrap), so that no test needs to know.
 * At the end of the process it says how much really ran as machine code, and that the test failed when nothing did and
 * nothing was skipped. Holds no checks of its own. */
#include "by_code.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "code_folder.h"

enum { PATH_SIZE = 4096 };

static struct sch_code_counts total;
static bool skipped; /* some test: what it reads is not there */

/* The process that compiles ends with the last context, and starting it takes longer than most shaders: one context
 * stays. */
static struct sch_context *keeper;
static pthread_once_t kept = PTHREAD_ONCE_INIT;

bool by_code(void)
{
    const char *engine = getenv("SCH_TEST_ENGINE");
    return engine && strcmp(engine, "jit") == 0;
}

unsigned by_code_share(unsigned count, unsigned divisor)
{
    return by_code() && !getenv("SCH_LONG") ? (count + divisor - 1) / divisor : count;
}

bool by_code_skips(unsigned divisor)
{
    static unsigned turn;
    return by_code_share(divisor, divisor) == 1 && divisor > 1 && turn++ % divisor != 0;
}

const char *by_code_compiler(void)
{
    static _Thread_local char path[PATH_SIZE];
    const char *build = getenv("SCH_BUILD");
    snprintf(path, sizeof path, "%s/src/jit/libscheelite-jit.so.1", build ? build : ".");
    return path;
}

bool by_code_inside(void) { return getenv("SCH_TEST_INSIDE") != NULL; }

void by_code_count(uint64_t programs, uint64_t lookups, uint64_t refused, uint64_t groups)
{
    __atomic_fetch_add(&total.programs, programs, __ATOMIC_RELAXED);
    __atomic_fetch_add(&total.lookups, lookups, __ATOMIC_RELAXED);
    __atomic_fetch_add(&total.refused, refused, __ATOMIC_RELAXED);
    __atomic_fetch_add(&total.native_groups, groups, __ATOMIC_RELAXED);
}

/* NOLINTBEGIN: the linker gives these names */
enum sch_result __real_sch_context_create(const struct sch_context_options *options, struct sch_context **context);
enum sch_result __wrap_sch_context_create(const struct sch_context_options *options, struct sch_context **context);
void __real_sch_context_destroy(struct sch_context *context);
void __wrap_sch_context_destroy(struct sch_context *context);
enum sch_result __real_sch_program_create(struct sch_context *context, const struct sch_shader *shader,
                                          const struct sch_program_options *options,
                                          struct sch_diagnostics_list *diagnostics, struct sch_program **program);
enum sch_result __wrap_sch_program_create(struct sch_context *context, const struct sch_shader *shader,
                                          const struct sch_program_options *options,
                                          struct sch_diagnostics_list *diagnostics, struct sch_program **program);

/* cmocka's */
void __real__skip(const char *file, int line);
void __wrap__skip(const char *file, int line);
/* NOLINTEND */

__attribute__((destructor(101))) static void tell(void)
{
    if (!by_code()) return;
    __real_sch_context_destroy(keeper);
    printf("# as machine code: %llu programs, %llu lookups compiled, %llu refused, %llu groups\n",
           (unsigned long long)total.programs, (unsigned long long)total.lookups, (unsigned long long)total.refused,
           (unsigned long long)total.native_groups);
    if (!total.native_groups && !skipped) puts("Bail out! nothing ran as machine code");
    fflush(stdout);
}

static void keep_process(void)
{
    const struct sch_machine_code_options code = {
        .size = sizeof code, .compiler = by_code_compiler(), .inside = by_code_inside()};
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    if (__real_sch_context_create(&options, &keeper) != SCH_OK) keeper = NULL;
}

/* ---- before the library's functions ---- */

/* NOLINTBEGIN: the linker gives these names */
void __wrap__skip(const char *file, int line)
{
    skipped = true;
    __real__skip(file, line);
}

enum sch_result __wrap_sch_context_create(const struct sch_context_options *options, struct sch_context **context)
{
    struct sch_context_options changed = {.size = sizeof changed};
    if (!by_code()) return __real_sch_context_create(options, context);
    pthread_once(&kept, keep_process);
    struct sch_machine_code_options code = {
        .size = sizeof code, .compiler = by_code_compiler(), .inside = by_code_inside(), .cache = code_folder()};
    if (options && (options->size > sizeof changed || (options->size == sizeof changed && options->machine_code)))
        return __real_sch_context_create(options, context);
    if (options) memcpy(&changed, options, options->size);
    changed.size = sizeof changed;
    changed.machine_code = &code;
    return __real_sch_context_create(&changed, context);
}

void __wrap_sch_context_destroy(struct sch_context *context)
{
    struct sch_code_counts counts = {.size = sizeof counts};
    if (context && by_code() && sch_context_code_counts(context, &counts) == SCH_OK)
        by_code_count(counts.programs, counts.lookups, counts.refused, counts.native_groups);
    __real_sch_context_destroy(context);
}

enum sch_result __wrap_sch_program_create(struct sch_context *context, const struct sch_shader *shader,
                                          const struct sch_program_options *options,
                                          struct sch_diagnostics_list *diagnostics, struct sch_program **program)
{
    struct sch_program_options changed = {.size = sizeof changed};
    bool whole = !options || options->size == sizeof changed;
    if (whole && options) changed = *options;
    if (!by_code() || !whole || changed.engine != SCH_ENGINE_AUTO)
        return __real_sch_program_create(context, shader, options, diagnostics, program);
    changed.engine = SCH_ENGINE_JIT;
    return __real_sch_program_create(context, shader, &changed, diagnostics, program);
}
/* NOLINTEND */
