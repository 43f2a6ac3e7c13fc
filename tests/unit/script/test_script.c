/* Tests of src/script through its header alone: what the host is told, what it is asked for, how runs end. What scripts
 * mean line by line is tested through the command (tests/cli/scripts.py and its like). */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../src/script/script.h"

/* What a host was told, one line each, and what it answers. */
struct host {
    char told[4096];
    unsigned sections;
    const char *program; /* of every section with HLSL: D3D assembly; NULL: the reason */
    const char *reason;
    bool stop;
    struct sch_player_hlsl last;
    char last_text[256];
};

static void __attribute__((format(printf, 2, 3))) note(struct host *host, const char *format, ...)
{
    const size_t at = strlen(host->told);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(host->told + at, sizeof host->told - at, format, arguments);
    va_end(arguments);
}

static void note_error(void *user, const struct sch_diagnostic_info *error)
{
    note(user, "%u:%u: %s\n", error->line, error->column, error->message);
    assert_true(error->code || !error->line);
}

static void note_result(void *user, const struct sch_player_outcome *result)
{
    note(user, "%u: %s %llu: %s\n", result->line, result->skipped ? "skipped" : "failed",
         (unsigned long long)result->items, result->reason);
}

/* A container of D3D assembly, as a compiler's would be. */
static void assemble(const char *text, struct sch_player_file *program)
{
    struct sch_context *context;
    struct sch_shader *shader;
    void *data;
    const struct sch_read_options options = {.size = sizeof options, .kind = SCH_KIND_D3D_ASM};
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    assert_int_equal(sch_shader_read(context, text, strlen(text), &options, NULL, &shader), SCH_OK);
    assert_int_equal(sch_shader_serialize(shader, NULL, &data, &program->bytes), SCH_OK);
    program->data = malloc(program->bytes);
    assert_non_null(program->data);
    memcpy(program->data, data, program->bytes);
    sch_free(context, data);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

static void compile(void *user, const struct sch_player_hlsl *section, struct sch_player_file *program)
{
    struct host *host = user;
    host->sections++;
    host->last = *section;
    assert_int_equal(section->text[section->bytes], 0);
    snprintf(host->last_text, sizeof host->last_text, "%s", section->text);
    program->stop = host->stop;
    if (host->program) assemble(host->program, program);
    if (host->reason) snprintf(program->problem, sizeof program->problem, "%s", host->reason);
}

static struct sch_script_host functions(struct host *host)
{
    return (struct sch_script_host){.user = host, .error = note_error, .result = note_result, .compile = compile};
}

static struct sch_script *read_script(const char *text, struct host *host)
{
    struct sch_script *script;
    const struct sch_script_host given = functions(host);
    assert_int_equal(sch_script_read("it", text, strlen(text), &given, &script), SCH_OK);
    assert_string_equal(host->told, "");
    return script;
}

static enum sch_result run_script(const char *text, struct host *host, struct sch_script_trace *trace,
                                  struct sch_script_report *report)
{
    struct sch_context *context;
    const struct sch_script_host given = functions(host);
    const struct sch_script_options options = {
        .program = {.size = sizeof options.program}, .dispatch = {.size = sizeof options.dispatch}, .trace = trace};
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_script *script = read_script(text, host);
    const enum sch_result result = sch_script_run(script, context, &options, &given, report);
    sch_script_destroy(script);
    sch_context_destroy(context);
    return result;
}

static void expect_counts(const struct sch_script_report *report, unsigned passed, unsigned failed, unsigned skipped)
{
    assert_int_equal(report->passed, passed);
    assert_int_equal(report->failed, failed);
    assert_int_equal(report->skipped, skipped);
}

/* A compute shader that adds 1 to a word, and a pixel shader of one colour. */
#define ADDS                                                                                                           \
    "[compute shader tgsi]\nCOMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"                 \
    "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 0, 0}\n"                        \
    "LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"                              \
    "STORE BUFFER[0].x, IMM[0].xxxx, TEMP[0]\nEND\n"
#define BUFFER "[uav 0]\nformat r32-typeless\nsize (raw_buffer, 2)\n"

static void scripts_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is;
    } texts[] = {{"[test]", true}, {"% a comment\n\r\n[uav 0]\n", true}, {"[Test]", true},  {"", false},
                 {"[", false},     {"[12:30] a log\n", false},           {"FRAG\n", false}, {" [test]", false},
                 {"% only", false}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(sch_script_is(texts[i].text, strlen(texts[i].text)), texts[i].is);
}

static void errors_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
        size_t bytes;
    } texts[] = {{"[test]\ndraw quad\n  draw circle\n",
                  "3:8: expected quad, triangle list, triangle strip, point list or N control point patch list\n", 0},
                 {"[nothing]\n", "1:2: no section that scripts have\n", 0},
                 {"[sampler 16]\nfilter point\n",
                  "1:10: samplers are 0 to 15\n2:13: filter is followed by three of point and linear\n", 0},
                 {"[test]\0x", "0:0: a script is text, without zero bytes\n", 8}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct host host = {0};
        struct sch_script *script = (struct sch_script *)&host;
        const struct sch_script_host given = functions(&host);
        const size_t bytes = texts[i].bytes ? texts[i].bytes : strlen(texts[i].text);
        assert_int_equal(sch_script_read("it", texts[i].text, bytes, &given, &script), SCH_ERROR_INVALID);
        assert_null(script);
        assert_string_equal(host.told, texts[i].told);
    }
    sch_script_destroy(NULL);
}

static void results_are_told_and_counted(void **state)
{
    (void)state;
    struct host host = {0};
    struct sch_script_report report;
    static const char text[] = ADDS BUFFER "[test]\ndispatch 1 1 1\nprobe uav 0 (0) u32 (1)\nprobe uav 0 (0) u32 (2)\n"
                                           "dispatch 2 1 1\nprobe uav 0 (0) u32 (3)\n"
                                           "[require]\nwave-ops\n[test]\nprobe (0, 0) rgba (0, 0, 0, 0)\n";
    assert_int_equal(run_script(text, &host, NULL, &report), SCH_OK);
    expect_counts(&report, 2, 1, 1);
    assert_string_equal(host.told, "19: failed 1: (0, 0) is (0x1), not (0x2)\n"
                                   "22: skipped 1: requires wave-ops\n");
    assert_int_equal(host.sections, 0);
}

/* Sections with HLSL are the host's: what it is asked, what becomes of its answers. */
static void the_host_compiles(void **state)
{
    (void)state;
    static const char text[] = "[require]\nshader model >= 4.0\n[pixel shader fail]\nnothing\n"
                               "[pixel shader]\nfloat4 main() : sv_target\n% a comment\n{ return 1; }\n"
                               "[test]\ndraw quad\nprobe (0, 0) rgba (1, 1, 1, 1)\n";
    static const char white[] = "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret\n";
    struct sch_script_report report;
    struct host host = {.program = white};
    assert_int_equal(run_script(text, &host, NULL, &report), SCH_OK);
    expect_counts(&report, 1, 0, 1);
    assert_string_equal(host.told, "3: skipped 1: asks the HLSL compiler, not the engine\n");
    assert_int_equal(host.sections, 1);
    assert_int_equal(host.last.stage, SCH_STAGE_FRAGMENT);
    assert_true(host.last.model == 50 && host.last.number == 1);
    assert_string_equal(host.last_text, "\n\n\n\n\nfloat4 main() : sv_target\n\n{ return 1; }\n");

    host = (struct host){.reason = "it has\na line"};
    assert_int_equal(run_script(text, &host, NULL, &report), SCH_OK);
    expect_counts(&report, 0, 0, 2);
    assert_non_null(strstr(host.told, "11: skipped 1: it has?a line\n"));

    host = (struct host){.stop = true};
    assert_int_equal(run_script(text, &host, NULL, &report), SCH_ERROR_CANCELLED);
    assert_null(strstr(host.told, "11:"));

    host = (struct host){0};
    struct sch_context *context;
    const struct sch_script_options options = {.program = {.size = sizeof options.program},
                                               .dispatch = {.size = sizeof options.dispatch}};
    struct sch_script_host none = functions(&host);
    none.compile = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_script *script = read_script(text, &host);
    for (unsigned i = 0; i < 2; i++) { /* a script can be executed again */
        assert_int_equal(sch_script_run(script, context, &options, &none, &report), SCH_OK);
        expect_counts(&report, 0, 0, 2);
    }
    assert_non_null(strstr(host.told, "11: skipped 1: the HLSL compiler is missing\n"));
    sch_script_destroy(script);
    sch_context_destroy(context);
}

/* The first run with a trace says nothing; a later one fails where it leaves something else. */
static void traces_compare_runs(void **state)
{
    (void)state;
    static const char same[] = ADDS BUFFER "[test]\ndispatch 1 1 1\nprobe uav 0 (0) u32 (7)\n";
    static const char other[] = ADDS BUFFER "5, 0\n[test]\ndispatch 1 1 1\n";
    struct sch_script_trace *trace = sch_script_trace_create();
    struct sch_script_report report;
    struct host host = {0};
    assert_non_null(trace);
    assert_int_equal(run_script(same, &host, trace, &report), SCH_OK);
    expect_counts(&report, 0, 1, 0);
    assert_string_equal(host.told, "");
    for (unsigned i = 0; i < 2; i++) {
        host = (struct host){0};
        assert_int_equal(run_script(same, &host, trace, &report), SCH_OK);
        expect_counts(&report, 0, 1, 0);
        assert_string_equal(host.told, "18: failed 1: (0, 0) is (0x1), not (0x7)\n");
    }
    host = (struct host){0};
    assert_int_equal(run_script(other, &host, trace, &report), SCH_OK);
    expect_counts(&report, 0, 1, 0);
    assert_non_null(strstr(host.told, "leave different words in uav 0\n"));
    sch_script_trace_destroy(trace);
    sch_script_trace_destroy(NULL);
}

/* A context without room: the run ends and says so, and all that it made goes again. */
static void memory_ends(void **state)
{
    (void)state;
    static const char text[] =
        ADDS BUFFER "[srv 0]\nsize (2d, 64, 64)\n[test]\ndispatch 1 1 1\nprobe uav 0 (0) u32 (1)\n";
    unsigned ended = 0;
    for (size_t room = 20000; room < 400000; room += 20000) {
        struct host host = {0};
        struct sch_context *context;
        struct sch_script_report report;
        struct sch_limit_options limits = {.size = sizeof limits, .context_memory = room};
        const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
        const struct sch_script_host given = functions(&host);
        const struct sch_script_options wanted = {.program = {.size = sizeof wanted.program},
                                                  .dispatch = {.size = sizeof wanted.dispatch}};
        struct sch_context_memory before = {.size = sizeof before}, after = before;
        if (sch_context_create(&options, &context) != SCH_OK) continue;
        struct sch_script *script = read_script(text, &host);
        assert_int_equal(sch_context_get_memory(context, &before), SCH_OK);
        const enum sch_result result = sch_script_run(script, context, &wanted, &given, &report);
        assert_int_equal(sch_context_get_memory(context, &after), SCH_OK);
        assert_int_equal(before.held, after.held);
        if (result == SCH_ERROR_MEMORY) ended++;
        if (result == SCH_OK && !report.failed) expect_counts(&report, 1, 0, 0);
        sch_script_destroy(script);
        sch_context_destroy(context);
    }
    assert_true(ended > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_are_recognised),       cmocka_unit_test(errors_have_their_place),
        cmocka_unit_test(results_are_told_and_counted), cmocka_unit_test(the_host_compiles),
        cmocka_unit_test(traces_compare_runs),          cmocka_unit_test(memory_ends),
    };
    return cmocka_run_group_tests_name("script", tests, NULL, NULL);
}
