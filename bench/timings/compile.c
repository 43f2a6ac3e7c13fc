/* ./dev bench compile: what it costs until a shader runs as machine code: in a process that has compiled nothing yet,
 * in one that has, and in one that finds the code in the cache; and what `auto` takes it to cost, in units that the
 * interpreter is measured for. Every measurement is a process of its own, so that the first of them really is the first
 * to load the compiler. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../src/support/system.h"
#include "timings.h"

enum way { COLD, WARM, HIT, FILL, WAYS = FILL }; /* FILL: puts the code into the cache, and is not printed */
static const char *const way_names[WAYS] = {"cold", "warm", "hit"};
enum { REPEATS = 9, PATH_BYTES = 4096 };

static double now(void) { return bench_now() * 1e3; }

struct bench_compiling bench_compile_once(const struct bench_setup *setup, const struct bench_source *input,
                                          const struct sch_code_options *spans, struct sch_diagnostics_list *list)
{
    struct bench_compiling times = {0};
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_code_report report = {.size = sizeof report};
    struct sch_program_options options = setup->program;
    const struct sch_read_options reading = {.size = sizeof reading, .name = input->name};
    struct sch_code_options groups = {.size = sizeof groups, .full = true};
    options.engine = SCH_ENGINE_JIT;
    double begin = now();
    times.result = sch_shader_read(setup->context, input->data, input->bytes, &reading, list, &shader);
    times.parse = now() - begin;
    if (times.result == SCH_OK) times.result = sch_shader_get_info(shader, &info);
    if (times.result == SCH_OK) times.result = sch_program_create(setup->context, shader, &options, list, &program);
    times.prepare = now() - begin - times.parse;
    groups.quads = info.stage == SCH_STAGE_FRAGMENT;
    if (times.result == SCH_OK) times.result = sch_program_compile(program, spans ? spans : &groups, &report);
    times.total = now() - begin;
    times.build = report.build_ms;
    times.passes = report.passes_ms;
    times.code = report.code_ms;
    times.load = report.load_ms;
    times.expected = report.expected;
    if (report.from_cache) times.prepare -= report.load_ms; /* it was found while the program was made */
    times.instructions = info.instructions;
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    return times;
}

static int by_total(const void *a, const void *b)
{
    const struct bench_compiling *x = a, *y = b;
    return x->total < y->total ? -1 : x->total > y->total;
}

/* The first process of a shader, whose reports are printed: those of the others would be the same. */
static struct bench_compiling compile_first(const struct bench_setup *setup, const struct bench_source *input,
                                            double begin)
{
    struct sch_diagnostics_list *list;
    struct bench_compiling times = {.result = sch_diagnostics_create(setup->context, &list)};
    if (times.result != SCH_OK) return times;
    times = bench_compile_once(setup, input, NULL, list);
    times.total = now() - begin;
    bench_print_reports(setup->context, list, input);
    times.told = sch_diagnostics_errors(list) > 0;
    sch_diagnostics_destroy(list);
    return times;
}

/* Makes the setup's context. */
static enum sch_result create_context(enum way way, const char *folder, struct bench_setup *setup)
{
    struct sch_machine_code_options code = {.size = sizeof code, .compiler = setup->compiler, .inside = true};
    if (way == HIT || way == FILL) code.cache = folder;
    if (way == HIT) code.compiler = folder;
    const struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
    return sch_context_create(&options, &setup->context);
}

/* What one process does. A hit has no compiler, which shows that it needs none. */
static struct bench_compiling measure(enum way way, const struct bench_setup *wanted, const struct bench_source *input,
                                      const char *folder)
{
    double begin = now();
    struct bench_compiling times[REPEATS] = {0};
    struct bench_setup setup = *wanted;
    times[0].result = create_context(way, folder, &setup);
    if (times[0].result != SCH_OK) return times[0];
    if (way == COLD) {
        times[0] = compile_first(&setup, input, begin);
    } else {
        times[0] = bench_compile_once(&setup, input, NULL, NULL);
        times[0].total = now() - begin;
    }
    for (unsigned n = 0; way == WARM && n < REPEATS && times[0].result == SCH_OK; n++)
        times[n] = bench_compile_once(&setup, input, NULL, NULL);
    if (way == WARM) qsort(times, REPEATS, sizeof *times, by_total);
    sch_context_destroy(setup.context);
    return times[way == WARM && times[0].result == SCH_OK ? REPEATS / 2 : 0];
}

static struct bench_compiling measure_apart(enum way way, const struct bench_setup *setup,
                                            const struct bench_source *input, const char *folder)
{
    struct bench_compiling times = {.result = SCH_ERROR_INTERNAL};
    int ends[2];
    if (pipe(ends) != 0) return times;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        times = measure(way, setup, input, folder);
        _exit(write(ends[1], &times, sizeof times) != (ssize_t)sizeof times);
    }
    close(ends[1]);
    struct bench_compiling got;
    bool whole = child > 0 && read(ends[0], &got, sizeof got) == (ssize_t)sizeof got;
    close(ends[0]);
    return sch_child_succeeds(child) && whole ? got : times;
}

static double cost(const struct bench_compiling *times) { return times->build + times->passes + times->code; }

static double expected(const struct bench_setup *setup, const struct bench_compiling *times)
{
    return (double)times->expected * setup->unit * 1e3;
}

void bench_print_compiling(const struct bench_setup *setup, const char *name, const struct bench_compiling *times,
                           const char *process)
{
    double parts = times->parse + times->prepare + times->build + times->passes + times->code + times->load;
    printf("%s\t%s\t%u\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%llu\t%.3f\t%.2f\n", name, process,
           times->instructions, times->parse, times->prepare, times->build, times->passes, times->code, times->load,
           times->total - parts, times->total, (unsigned long long)times->expected, expected(setup, times),
           cost(times) > 0 ? expected(setup, times) / cost(times) : 0);
}

/* ---- places ---- */

static int by_cost(const void *a, const void *b)
{
    const double x = cost(&((const struct bench_compiled *)a)->times),
                 y = cost(&((const struct bench_compiled *)b)->times);
    return (x > y) - (x < y);
}

/* How far off what was expected is, of 1 and more; in units, as the unit's length is the same for all. */
static double off(const struct bench_compiled *row, double unit)
{
    const double ratio = (double)row->times.expected * unit * 1e3 / cost(&row->times);
    return ratio < 1 ? 1 / ratio : ratio;
}

/* Insertion, as the order wants the unit. */
static void sort_by_ratio(struct bench_compiled *rows, size_t count, double unit)
{
    for (size_t n = 1; n < count; n++)
        for (size_t i = n; i && off(&rows[i], unit) < off(&rows[i - 1], unit); i--) {
            const struct bench_compiled swapped = rows[i];
            rows[i] = rows[i - 1];
            rows[i - 1] = swapped;
        }
}

void bench_print_places(const struct bench_setup *setup, const char *what, struct bench_compiled *rows, size_t count)
{
    const struct {
        const char *name;
        size_t at;
    } places[] = {{"median", count / 2}, {"90 %", count * 9 / 10}, {"worst", count - 1}};
    for (unsigned order = 0; order < 2; order++) {
        if (order)
            sort_by_ratio(rows, count, setup->unit);
        else
            qsort(rows, count, sizeof *rows, by_cost);
        for (unsigned p = 0; p < sizeof places / sizeof *places; p++) {
            const struct bench_compiled *row = &rows[places[p].at];
            char name[2 * BENCH_NAME];
            snprintf(name, sizeof name, "%s of %s: %s", places[p].name, order ? "ratios" : what, row->name);
            bench_print_compiling(setup, name, &row->times, "warm");
        }
    }
}

/* ---- programs ---- */

/* `row`: what is left of it to compare. */
static bool bench_one(const struct bench_setup *setup, const struct bench_source *input, const char *folder,
                      struct bench_compiled *row)
{
    const char *slash = strrchr(input->name, '/');
    snprintf(row->name, sizeof row->name, "%s", slash ? slash + 1 : input->name);
    for (unsigned way = 0; way < WAYS; way++) {
        struct bench_compiling times = {0};
        if (way == HIT) times = measure_apart(FILL, setup, input, folder);
        if (times.result == SCH_OK) times = measure_apart((enum way)way, setup, input, folder);
        if (times.result != SCH_OK) return !times.told && bench_good(input->name, times.result);
        bench_print_compiling(setup, slash ? slash + 1 : input->name, &times, way_names[way]);
        if (way == WARM) row->times = times;
    }
    return true;
}

static bool bench_files(const struct bench_setup *setup, const char *folder)
{
    struct bench_compiled *rows = calloc(setup->path_count, sizeof *rows);
    bool good = bench_good("files", rows ? SCH_OK : SCH_ERROR_MEMORY);
    for (size_t i = 0; i < setup->path_count && good; i++) {
        struct bench_source source = {.name = setup->paths[i]};
        void *data = bench_read_file(source.name, &source.bytes);
        source.data = data;
        good = data && bench_one(setup, &source, folder, &rows[i]);
        free(data);
    }
    if (good) bench_print_places(setup, "programs", rows, setup->path_count);
    free(rows);
    return good;
}

static bool bench_own(const struct bench_setup *setup, const char *folder)
{
    enum { MOST = 16 };
    struct bench_source source;
    struct bench_compiled rows[MOST];
    struct bench_setup warm = *setup;
    size_t count = 0;
    for (; count < MOST && bench_own_shader(count, &source); count++)
        if (!bench_one(setup, &source, folder, &rows[count])) return false;
    bench_print_places(setup, "programs", rows, count);
    const bool good = bench_good("lookups", create_context(WARM, NULL, &warm)) && bench_compile_lookups(&warm);
    sch_context_destroy(warm.context);
    return good;
}

/* In a process of its own, as the context has no compiler. Zero: it failed. */
static double measure_unit(const struct bench_setup *setup)
{
    double unit = 0;
    int ends[2];
    if (pipe(ends) != 0) return 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct bench_setup own = *setup;
        const struct sch_context_options options = {.size = sizeof options};
        if (bench_good("context", sch_context_create(&options, &own.context))) unit = bench_interpreted(&own);
        _exit(write(ends[1], &unit, sizeof unit) != (ssize_t)sizeof unit);
    }
    close(ends[1]);
    bool whole = child > 0 && read(ends[0], &unit, sizeof unit) == (ssize_t)sizeof unit;
    close(ends[0]);
    return sch_child_succeeds(child) && whole ? unit : 0;
}

bool bench_compile(const struct bench_setup *setup)
{
    char folder[PATH_BYTES]; /* of the cache */
    if (!sch_scratch_make(folder, sizeof folder)) {
        fprintf(stderr, "timings: cannot make a folder in %s\n", sch_scratch_base());
        return false;
    }
    puts("workload\tprocess\tinstructions\tparse_ms\tprepare_ms\tbuild_cpu_ms\tpasses_cpu_ms\tcode_cpu_ms\tlink_ms\t"
         "other_ms\ttotal_ms\texpected\texpected_ms\tratio");
    struct bench_setup measured = *setup;
    measured.unit = measure_unit(setup);
    const bool good =
        measured.unit > 0 && (setup->path_count ? bench_files(&measured, folder) : bench_own(&measured, folder));
    sch_scratch_remove(folder);
    return good;
}
