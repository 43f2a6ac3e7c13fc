/* Tests of the log callback of a context: which messages there are of machine code, the cache, the compiler and what
 * dispatches cannot do, from several threads too. The compiler is the tests' own (fake_compiler.c). Words of messages
 * are looked for in part only. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../support/need_code.h"

enum { PATH_SIZE = 512, THREADS = 4 };

static char folder[PATH_SIZE], compiler[PATH_SIZE], process[PATH_SIZE];

/* All that was told: "level subject text" lines. */
struct told {
    pthread_mutex_t lock;
    char lines[8192];
    unsigned count;
};

static void note(void *user, const struct sch_log_message *message)
{
    struct told *told = user;
    assert_true(message->size >= sizeof *message);
    assert_null(strchr(message->text, '\n'));
    pthread_mutex_lock(&told->lock);
    const size_t at = strlen(told->lines);
    snprintf(told->lines + at, sizeof told->lines - at, "%d %d %s\n", message->level, message->subject, message->text);
    told->count++;
    pthread_mutex_unlock(&told->lock);
}

static struct sch_context *new_context(struct told *told, const struct sch_machine_code_options *code)
{
    struct sch_context *context;
    const struct sch_log_callback log = {note, told}; /* copied */
    const struct sch_context_options options = {.size = sizeof options, .machine_code = code, .log = &log};
    *told = (struct told){.lock = PTHREAD_MUTEX_INITIALIZER};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    assert_string_equal(told->lines, "");
    return context;
}

static struct sch_program *new_program(struct sch_context *context, const char *text, enum sch_engine engine)
{
    struct sch_shader *shader;
    struct sch_program *program;
    const struct sch_read_options read = {.size = sizeof read, .kind = SCH_KIND_TGSI, .name = "it"};
    const struct sch_program_options options = {.size = sizeof options, .engine = engine};
    assert_int_equal(sch_shader_read(context, text, strlen(text), &read, NULL, &shader), SCH_OK);
    assert_int_equal(sch_program_create(context, shader, &options, NULL, &program), SCH_OK);
    sch_shader_destroy(shader);
    return program;
}

static const char *const square = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                                  "  0: MUL OUT[0], IN[0], IN[0]\n  1: END\n";

/* Compiles a program of a new context and gives all up again. */
static enum sch_result compile(struct told *told, const struct sch_machine_code_options *code)
{
    struct sch_context *context = new_context(told, code);
    struct sch_program *program = new_program(context, square, SCH_ENGINE_AUTO);
    const struct sch_code_options options = {.size = sizeof options, .full = true};
    const enum sch_result result = sch_program_compile(program, &options, NULL);
    sch_program_destroy(program);
    sch_context_destroy(context);
    return result;
}

/* A line of this level and subject that has these words. */
static void expect(const struct told *told, enum sch_log_level level, enum sch_log_subject subject, const char *words)
{
    char head[8];
    snprintf(head, sizeof head, "%d %d ", level, subject);
    for (const char *line = told->lines; *line; line = strchr(line, '\n') + 1) {
        const char *found = strstr(line, words);
        if (strncmp(line, head, strlen(head)) == 0 && found && found < strchr(line, '\n')) return;
    }
    fail_msg("no line %s%s in:\n%s", head, words, told->lines);
}

static struct sch_machine_code_options with_cache(const char *cache)
{
    return (struct sch_machine_code_options){
        .size = sizeof(struct sch_machine_code_options), .compiler = compiler, .process = process, .cache = cache};
}

static void code_is_told(void **state)
{
    NEED_CODE;
    struct told told;
    const struct sch_machine_code_options code = with_cache(folder);
    assert_int_equal(compile(&told, &code), SCH_OK);
    assert_int_equal(told.count, 2);
    expect(&told, SCH_LOG_DEBUG, SCH_LOG_COMPILER, "scheelite-jit was started");
    expect(&told, SCH_LOG_INFO, SCH_LOG_CODE, "was compiled in ");
    expect(&told, SCH_LOG_INFO, SCH_LOG_CODE, ", kept in the cache");
    assert_int_equal(compile(&told, &code), SCH_OK);
    assert_int_equal(told.count, 1);
    expect(&told, SCH_LOG_DEBUG, SCH_LOG_CODE, "was read from the cache");

    char command[PATH_SIZE + 64];
    snprintf(command, sizeof command, "for f in %s/*.code; do echo no code > $f; done", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(compile(&told, &code), SCH_OK);
    assert_int_equal(told.count, 3);
    expect(&told, SCH_LOG_INFO, SCH_LOG_CACHE, ".code is not used: it is damaged");
    snprintf(command, sizeof command, "chmod 666 %s/*.code", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(compile(&told, &code), SCH_OK);
    expect(&told, SCH_LOG_INFO, SCH_LOG_CACHE, ".code is not used: it belongs to somebody else, or others may");
}

static void folders_are_told(void **state)
{
    NEED_CODE;
    struct told told;
    const struct sch_machine_code_options code = with_cache(compiler);
    assert_int_equal(compile(&told, &code), SCH_OK);
    expect(&told, SCH_LOG_WARNING, SCH_LOG_CACHE, "libfake_compiler.so: it is not a folder");
}

static void compilers_are_told(void **state)
{
    NEED_CODE;
    struct told told;
    struct sch_machine_code_options code = with_cache(NULL);
    code.process = "/no/such/program";
    assert_int_equal(compile(&told, &code), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(told.count, 2);
    expect(&told, SCH_LOG_INFO, SCH_LOG_COMPILER,
           "there is no compiler of machine code: /no/such/program is not there");
    expect(&told, SCH_LOG_INFO, SCH_LOG_CODE, "has no machine code: there is no compiler");
    code.process = "/bin/false";
    assert_int_equal(compile(&told, &code), SCH_ERROR_UNSUPPORTED);
    expect(&told, SCH_LOG_WARNING, SCH_LOG_COMPILER, "was lost: its process cannot be started");
    code.process = NULL;
    code.compiler = "/no/such/compiler.so";
    code.inside = true;
    assert_int_equal(compile(&told, &code), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(told.count, 2);
    expect(&told, SCH_LOG_INFO, SCH_LOG_COMPILER, "/no/such/compiler.so");
}

static void order_is_told(void **state)
{
    (void)state;
    static const char *const stores =
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
        "DCL BUFFER[0]\nIMM[0] UINT32 {0, 1, 0, 0}\n  0: STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\n  1: END\n";
    struct told told;
    struct sch_context *context = new_context(&told, NULL);
    sch_program_destroy(new_program(context, square, SCH_ENGINE_INTERPRETER));
    assert_int_equal(told.count, 0);
    sch_program_destroy(new_program(context, stores, SCH_ENGINE_INTERPRETER));
    assert_int_equal(told.count, 1);
    expect(&told, SCH_LOG_INFO, SCH_LOG_PERFORMANCE, "it writes to memory: one thread runs each of its dispatches");
    sch_context_destroy(context);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    struct sch_context *context = (struct sch_context *)&context;
    const struct sch_log_callback log = {NULL, NULL};
    const struct sch_context_options options = {.size = sizeof options, .log = &log};
    assert_int_equal(sch_context_create(&options, &context), SCH_ERROR_ARGUMENT);
}

/* ---- threads ---- */

struct work {
    struct sch_context *context;
    unsigned number;
};

static void *compile_some(void *user)
{
    const struct work *work = user;
    for (unsigned i = 0; i < 4; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nIMM[0] UINT32 {%u, %u, 0, 0}\n"
                 "  0: MUL OUT[0], IN[0], IN[0]\n  1: END\n",
                 work->number, i);
        struct sch_program *program = new_program(work->context, text, SCH_ENGINE_AUTO);
        assert_int_equal(sch_program_compile(program, NULL, NULL), SCH_OK);
        sch_program_destroy(program);
    }
    return NULL;
}

static void threads_tell_at_once(void **state)
{
    NEED_CODE;
    struct told told;
    pthread_t threads[THREADS];
    struct work work[THREADS];
    const struct sch_machine_code_options code = with_cache(NULL);
    struct sch_context *context = new_context(&told, &code);
    for (unsigned t = 0; t < THREADS; t++) {
        work[t] = (struct work){context, t};
        assert_int_equal(pthread_create(&threads[t], NULL, compile_some, &work[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    sch_context_destroy(context);
    unsigned compiled = 0;
    for (const char *at = told.lines; (at = strstr(at, " was compiled in ")) != NULL; at++) compiled++;
    assert_int_equal(compiled, THREADS * 4);
}

static int make_folder(void **state)
{
    (void)state;
    const char *build = getenv("SCH_BUILD");
    snprintf(folder, sizeof folder, "%s/log-XXXXXX", P_tmpdir);
    snprintf(compiler, sizeof compiler, "%s/tests/unit/libfake_compiler.so", build ? build : ".");
    snprintf(process, sizeof process, "%s/src/jit/scheelite-jit", build ? build : ".");
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_told),
        cmocka_unit_test(folders_are_told),
        cmocka_unit_test(compilers_are_told),
        cmocka_unit_test(order_is_told),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(threads_tell_at_once),
    };
    return cmocka_run_group_tests_name("log", tests, make_folder, remove_folder);
}
