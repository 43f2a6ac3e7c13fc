/* scheelite bench compile: what it costs until a shader runs as machine code: in a process that has compiled nothing
 * yet, in one that has, and in one that finds the code in the cache. Every measurement is a process of its own, so that
 * the first of them really is the first to load the compiler. */
#include "bench_compile.h"
#include "bench.h"
#include "bench_table.h"
#include "common/code.h"
#include "common/common.h"
#include "common/hlsl_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name, *text;
} workloads[] = {
#define WORKLOAD(name, doc, text) {#name, text},
#include "workloads.def"
#undef WORKLOAD
};

enum way { COLD, WARM, HIT, FILL, WAYS = FILL }; /* FILL: puts the code into the cache, and is not printed */
static const char *const way_names[WAYS] = {"cold", "warm", "hit"};
enum { REPEATS = 9, PATH_BYTES = 4096 };

static double now(void) { return sch_cli_bench_now() * 1e3; }

/* `list` is optional, and so is `spans`. */
static struct sch_cli_compile_times compile_once(struct sch_context *context, const struct sch_cli_setup *setup,
                                                 const struct sch_cli_input *input,
                                                 const struct sch_code_options *spans,
                                                 struct sch_diagnostics_list *list)
{
    struct sch_cli_compile_times times = {0};
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_code_report report = {.size = sizeof report};
    struct sch_program_options options = setup->program;
    const struct sch_read_options reading = {.size = sizeof reading, .name = input->name};
    struct sch_code_options groups = {.size = sizeof groups, .full = true};
    options.engine = SCH_ENGINE_JIT;
    double begin = now();
    times.result = sch_shader_read(context, input->data, input->bytes, &reading, list, &shader);
    times.parse = now() - begin;
    if (times.result == SCH_OK) times.result = sch_shader_get_info(shader, &info);
    if (times.result == SCH_OK) times.result = sch_program_create(context, shader, &options, list, &program);
    times.prepare = now() - begin - times.parse;
    groups.quads = info.stage == SCH_STAGE_FRAGMENT;
    if (times.result == SCH_OK) times.result = sch_program_compile(program, spans ? spans : &groups, &report);
    times.total = now() - begin;
    times.build = report.build_ms;
    times.passes = report.passes_ms;
    times.code = report.code_ms;
    times.load = report.load_ms;
    if (report.from_cache) times.prepare -= report.load_ms; /* it was found while the program was made */
    times.instructions = info.instructions;
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    return times;
}

struct sch_cli_compile_times sch_cli_compile(struct sch_context *context, const struct sch_cli_setup *setup,
                                             const struct sch_cli_input *input, const struct sch_code_options *spans)
{
    return compile_once(context, setup, input, spans, NULL);
}

static int by_total(const void *a, const void *b)
{
    const struct sch_cli_compile_times *x = a, *y = b;
    return x->total < y->total ? -1 : x->total > y->total;
}

/* The first process of a shader, whose reports are printed: those of the others would be the same. */
static struct sch_cli_compile_times compile_first(struct sch_context *context, const struct sch_cli_setup *setup,
                                                  const struct sch_cli_input *input, double begin)
{
    struct sch_diagnostics_list *list;
    struct sch_cli_compile_times times = {.result = sch_diagnostics_create(context, &list)};
    if (times.result != SCH_OK) return times;
    times = compile_once(context, setup, input, NULL, list);
    times.total = now() - begin;
    sch_cli_print_diagnostics(list, input);
    times.told = sch_diagnostics_errors(list) > 0;
    sch_diagnostics_destroy(list);
    return times;
}

static enum sch_result create_context(enum way way, const char *folder, struct sch_context **context)
{
    struct sch_machine_code_options code = {
        .size = sizeof code, .compiler = sch_cli_code_compiler_given(), .inside = true};
    if (way == HIT || way == FILL) code.cache = folder;
    if (way == HIT) code.compiler = folder;
    const struct sch_context_options options = {.size = sizeof options,
                                                .machine_code = &code,
                                                .warnings = sch_cli_common_warnings(),
                                                .limits = sch_cli_common_limits(),
                                                .dialect = sch_cli_common_dialect(),
                                                .log = sch_cli_common_log()};
    return sch_context_create(&options, context);
}

/* What one process does. A hit has no compiler, which shows that it needs none. */
static struct sch_cli_compile_times measure(enum way way, const struct sch_cli_setup *setup,
                                            const struct sch_cli_input *input, const char *folder)
{
    double begin = now();
    struct sch_cli_compile_times times[REPEATS] = {0};
    struct sch_context *context;
    times[0].result = create_context(way, folder, &context);
    if (times[0].result != SCH_OK) return times[0];
    if (way == COLD) {
        times[0] = compile_first(context, setup, input, begin);
    } else {
        times[0] = compile_once(context, setup, input, NULL, NULL);
        times[0].total = now() - begin;
    }
    for (unsigned n = 0; way == WARM && n < REPEATS && times[0].result == SCH_OK; n++)
        times[n] = compile_once(context, setup, input, NULL, NULL);
    if (way == WARM) qsort(times, REPEATS, sizeof *times, by_total);
    sch_context_destroy(context);
    return times[way == WARM && times[0].result == SCH_OK ? REPEATS / 2 : 0];
}

static struct sch_cli_compile_times measure_apart(enum way way, const struct sch_cli_setup *setup,
                                                  const struct sch_cli_input *input, const char *folder)
{
    struct sch_cli_compile_times times = {.result = SCH_ERROR_INTERNAL};
    int ends[2], status;
    if (pipe(ends) != 0) return times;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        times = measure(way, setup, input, folder);
        sch_cli_print_seen(); /* errors that only this process knows */
        _exit(write(ends[1], &times, sizeof times) != (ssize_t)sizeof times);
    }
    close(ends[1]);
    struct sch_cli_compile_times got;
    bool whole = child > 0 && read(ends[0], &got, sizeof got) == (ssize_t)sizeof got;
    close(ends[0]);
    if (child > 0) waitpid(child, &status, 0);
    return whole ? got : times;
}

static enum sch_cli_exit fail(enum way way, const struct sch_cli_compile_times *times,
                              const struct sch_cli_input *input)
{
    enum sch_cli_exit exit = sch_cli_exit_of(times->result);
    if (times->told) return exit;
    if (way == HIT && times->result == SCH_ERROR_UNSUPPORTED)
        return sch_cli_fail(exit, "bench: %s: its code was not kept in the folder for temporary files", input->name);
    return sch_cli_fail(exit, "bench: %s: %s", input->name, sch_result_text(times->result));
}

void sch_cli_compile_print(const struct sch_cli_compile_row *row, const char *process)
{
    const struct sch_cli_compile_times *times = &row->times;
    double parts = times->parse + times->prepare + times->build + times->passes + times->code + times->load;
    sch_cli_bench_row("%s\t%s\t%u\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f", row->name, process,
                      times->instructions, times->parse, times->prepare, times->build, times->passes, times->code,
                      times->load, times->total - parts, times->total);
}

static void print_row(enum way way, const struct sch_cli_compile_times *times, const struct sch_cli_input *input)
{
    const char *slash = strrchr(input->name, '/');
    const struct sch_cli_compile_row row = {.name = slash ? slash + 1 : input->name, .times = *times};
    sch_cli_compile_print(&row, way_names[way]);
}

static enum sch_cli_exit bench_one(const struct sch_cli_setup *setup, const struct sch_cli_input *input,
                                   const char *folder)
{
    for (unsigned way = 0; way < WAYS; way++) {
        struct sch_cli_compile_times times = {0};
        if (way == HIT) times = measure_apart(FILL, setup, input, folder);
        if (times.result == SCH_OK) times = measure_apart((enum way)way, setup, input, folder);
        if (times.result != SCH_OK) return fail((enum way)way, &times, input);
        print_row((enum way)way, &times, input);
    }
    return SCH_CLI_YES;
}

/* Of our own; warm, as the shaders before them. */
static enum sch_cli_exit bench_lookups(const struct sch_cli_setup *setup)
{
    struct sch_context *context;
    enum sch_result result = create_context(WARM, NULL, &context);
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "bench: %s", sch_result_text(result));
    enum sch_cli_exit exit = sch_cli_bench_compile_lookups(context, setup);
    sch_context_destroy(context);
    return exit;
}

enum sch_cli_exit sch_cli_bench_compile(const struct sch_cli_setup *setup, const char *const *paths, size_t count)
{
    char folder[PATH_BYTES];
    const char *base = getenv("TMPDIR");
    if (!base || !*base) base = P_tmpdir;
    if (snprintf(folder, sizeof folder, "%s/scheelite-XXXXXX", base) >= PATH_BYTES)
        return sch_cli_fail(SCH_CLI_IO, "bench: the path in TMPDIR is too long");
    if (!mkdtemp(folder))
        return sch_cli_fail(SCH_CLI_IO, "bench: cannot make a folder in %s: %s", base, strerror(errno));
    enum sch_cli_exit exit = SCH_CLI_YES;
    sch_cli_bench_head(
        "workload\tprocess\tinstructions\tparse_ms\tprepare_ms\tbuild_cpu_ms\tpasses_cpu_ms\tcode_cpu_ms\tlink_ms\t"
        "other_ms\ttotal_ms",
        count ? count * WAYS : sizeof workloads / sizeof *workloads * WAYS + sch_cli_bench_compile_lookup_rows());
    for (size_t i = 0; i < (count ? 0 : sizeof workloads / sizeof *workloads) && exit == SCH_CLI_YES; i++) {
        char *text = strdup(workloads[i].text);
        const struct sch_cli_input input = {
            .name = workloads[i].name, .data = text, .bytes = strlen(workloads[i].text)};
        exit = text ? bench_one(setup, &input, folder) : sch_cli_fail(SCH_CLI_LIMIT, "bench: out of memory");
        free(text);
    }
    if (!count && exit == SCH_CLI_YES) exit = bench_lookups(setup);
    for (size_t i = 0; i < count && exit == SCH_CLI_YES; i++) {
        struct sch_cli_input input;
        exit = sch_cli_read_source(paths[i], &input);
        if (exit == SCH_CLI_YES) exit = bench_one(setup, &input, folder);
        sch_cli_input_release(&input);
    }
    sch_cli_remove_folder(folder);
    return exit;
}
