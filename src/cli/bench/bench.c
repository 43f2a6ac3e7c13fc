/* scheelite bench: how many invocations a second one thread of an engine runs, for the kinds of shader in
 * workloads.def. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "bench_table.h"
#include "bind/texture.h"
#include "common/code.h"

static const struct {
    const char *name, *text;
} workloads[] = {
#define WORKLOAD(name, doc, text) {#name, text},
#include "workloads.def"
#undef WORKLOAD
};

/* CONST[0..3]: two lights and two colours. */
static const float constants[4][4] = {
    {0.57f, 0.57f, 0.57f, 0}, {-0.8f, 0.2f, 0.56f, 0}, {0.9f, 0.7f, 0.4f, 1}, {0.1f, 0.2f, 0.5f, 20}};

double sch_cli_bench_seconds = 0.5;

/* What all workloads share. */
struct bench {
    struct sch_cli_setup setup;
    struct sch_context *context;
    struct sch_cli_bench_pixels *pixels;
};

double sch_cli_bench_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

unsigned sch_cli_bench_widths(const struct sch_cli_setup *setup) { return setup->program.width ? 1 : 3; }

struct sch_cli_bench_pixels *sch_cli_bench_pixels(float right, float down, float third)
{
    enum { SIDE = SCH_CLI_BENCH_SIDE };
    struct sch_cli_bench_pixels *pixels = malloc(sizeof *pixels);
    for (uint32_t i = 0; pixels && i < SCH_CLI_BENCH_PIXELS; i++) {
        uint32_t quad = i / 4, x = quad % (SIDE / 2) * 2 + (i & 1), y = quad / (SIDE / 2) * 2 + (i >> 1 & 1);
        const float values[4] = {((float)x + right) / SIDE, ((float)y + down) / SIDE, third, 1};
        memcpy(pixels->inputs + 4 * (size_t)i, values, sizeof values);
    }
    return pixels;
}

enum sch_cli_exit sch_cli_bench_texture(struct sch_context *context, struct sch_cli_setup *setup, const char *option)
{
    enum sch_cli_exit exit = sch_cli_texture_option(&sch_cli_bench, setup, option);
    return exit == SCH_CLI_YES ? sch_cli_texture_load(context, &setup->texture[0]) : exit;
}

enum sch_result sch_cli_bench_run(const struct sch_cli_setup *setup, const struct sch_program *program,
                                  struct sch_cli_bench_pixels *pixels, struct sch_cli_bench_time *time)
{
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = SCH_CLI_BENCH_PIXELS,
                                         .quads = true,
                                         .inputs = pixels->inputs,
                                         .input_bytes = sizeof pixels->inputs,
                                         .input_registers = 1,
                                         .outputs = pixels->outputs,
                                         .output_bytes = sizeof pixels->outputs,
                                         .output_registers = 1};
    struct sch_cli_bindings bound;
    sch_cli_bind(setup, &setup->constants, &bound);
    *time = (struct sch_cli_bench_time){.report = {.size = sizeof time->report}};
    enum sch_result result = sch_dispatch(program, &bound.bindings, &work, &setup->dispatch, NULL); /* warms up */
    double begin = sch_cli_bench_now(), seconds = 0, rounds = 0;
    for (; result == SCH_OK && seconds < sch_cli_bench_seconds; rounds++) {
        result = sch_dispatch(program, &bound.bindings, &work, &setup->dispatch, &time->report);
        seconds = sch_cli_bench_now() - begin;
    }
    uint32_t threads = setup->dispatch.threads ? setup->dispatch.threads : 1;
    time->seconds = seconds * threads / (rounds * SCH_CLI_BENCH_PIXELS);
    return result;
}

static enum sch_result measure(const struct bench *bench, const struct sch_program *program, const char *name,
                               uint32_t width)
{
    struct sch_cli_bench_time time;
    enum sch_result result = sch_cli_bench_run(&bench->setup, program, bench->pixels, &time);
    if (result != SCH_OK) return result;
    sch_cli_bench_row("%s\t%s\t%u\t%.0f\t%.2f\t%llu", name, sch_cli_engine_word(bench->setup.program.engine), width,
                      1 / time.seconds, time.seconds * 1e9, (unsigned long long)time.report.instructions);
    return SCH_OK;
}

enum sch_result sch_cli_bench_program(struct sch_context *context, const char *name, const char *text,
                                      const struct sch_program_options *options, struct sch_program **program)
{
    const struct sch_cli_input input = {.name = name, .data = (char *)text, .bytes = strlen(text)};
    const struct sch_read_options reading = {.size = sizeof reading, .name = name};
    struct sch_shader *shader = NULL;
    struct sch_diagnostics_list *list;
    enum sch_result result = sch_diagnostics_create(context, &list);
    if (result != SCH_OK) return result;
    result = sch_shader_read(context, text, strlen(text), &reading, list, &shader);
    if (result == SCH_OK) result = sch_program_create(context, shader, options, list, program);
    if (result != SCH_OK) sch_cli_print_diagnostics(list, &input);
    sch_diagnostics_destroy(list);
    sch_shader_destroy(shader);
    return result;
}

static enum sch_result bench_one(const struct bench *bench, size_t index, uint32_t width)
{
    struct sch_program *program = NULL;
    struct sch_program_options options = bench->setup.program;
    const char *name = workloads[index].name;
    options.width = width;
    enum sch_result result = sch_cli_bench_program(bench->context, name, workloads[index].text, &options, &program);
    if (result == SCH_OK) result = measure(bench, program, name, width);
    sch_program_destroy(program);
    return result;
}

static enum sch_cli_exit bench_all(struct bench *bench)
{
    bench->pixels = sch_cli_bench_pixels(0.5f, 0.5f, 0);
    enum sch_cli_exit exit =
        sch_cli_bench_texture(bench->context, &bench->setup, "0=random:R8G8B8A8_UNORM:64x64,filter=linear");
    enum sch_result result = bench->pixels ? SCH_OK : SCH_ERROR_MEMORY;
    for (unsigned r = 0; r < sizeof constants / sizeof *constants; r++) {
        uint32_t words[4];
        memcpy(words, constants[r], sizeof words);
        if (!sch_cli_constants_put(&bench->setup.constants, 0, r, words)) result = SCH_ERROR_MEMORY;
    }
    if (exit == SCH_CLI_YES && result == SCH_OK)
        sch_cli_bench_head("workload\tengine\twidth\tinvocations/s/thread\tns\tinstructions",
                           sizeof workloads / sizeof *workloads * sch_cli_bench_widths(&bench->setup));
    uint32_t only = bench->setup.program.width;
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        for (uint32_t width = 4; width <= 16 && exit == SCH_CLI_YES && result == SCH_OK; width *= 2) {
            if (only && width != only) continue;
            result = bench_one(bench, i, width);
            fflush(stdout);
        }
    free(bench->pixels);
    return result == SCH_OK ? exit : sch_cli_fail(sch_cli_exit_of(result), "bench: %s", sch_result_text(result));
}

/* The first word: what is measured. */
enum subject { SHADERS, LOOKUPS, DIRECT3D, COMPILING, STOPPING, THREADS, DEBUGGING, SUBJECTS };
static const char *const subject_names[SUBJECTS] = {"bench",      "bench tex",     "bench d3d",  "bench compile",
                                                    "bench stop", "bench threads", "bench debug"};

/* Of which subjects an option says something. */
static const struct {
    enum sch_cli_option_id id;
    bool of[SUBJECTS];
} takes[] = {
    {SCH_OPTION_BENCH_ENGINE, {[SHADERS] = true, [LOOKUPS] = true, [STOPPING] = true, [THREADS] = true}},
    {SCH_OPTION_WIDTH,
     {[SHADERS] = true, [LOOKUPS] = true, [COMPILING] = true, [STOPPING] = true, [THREADS] = true, [DEBUGGING] = true}},
    {SCH_OPTION_THREADS, {[SHADERS] = true, [LOOKUPS] = true, [STOPPING] = true}},
    {SCH_OPTION_COMPILER,
     {[SHADERS] = true, [LOOKUPS] = true, [COMPILING] = true, [STOPPING] = true, [THREADS] = true}},
    {SCH_OPTION_MILLISECONDS, {[SHADERS] = true, [LOOKUPS] = true, [DIRECT3D] = true, [THREADS] = true}}};

struct request {
    enum subject subject;
    const char **paths; /* of Direct3D programs, of shaders to compile */
    size_t path_count;
};

static enum sch_cli_exit take_words(const struct sch_cli_arguments *arguments, struct request *request)
{
    const char *const *words = (const char *const *)arguments->files;
    const int count = arguments->file_count;
    for (unsigned subject = LOOKUPS; count && subject < SUBJECTS; subject++)
        if (strcmp(words[0], subject_names[subject] + strlen("bench ")) == 0) request->subject = (enum subject)subject;
    if (count && request->subject == SHADERS) return sch_cli_usage_error(&sch_cli_bench, "what is %s?", words[0]);
    if (count < 2) return SCH_CLI_YES;
    request->paths = (const char **)arguments->files + 1;
    request->path_count = (size_t)count - 1;
    return request->subject == DIRECT3D || request->subject == COMPILING
               ? SCH_CLI_YES
               : sch_cli_usage_error(&sch_cli_bench, "what is %s?", words[1]);
}

static enum sch_cli_exit check_given(const struct sch_cli_arguments *arguments, const struct request *request)
{
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++)
        if (arguments->given[takes[i].id] && !takes[i].of[request->subject])
            return sch_cli_usage_error(&sch_cli_bench, "%s takes no %s", subject_names[request->subject],
                                       sch_cli_options[takes[i].id].name);
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct sch_cli_setup *setup,
                                        struct request *request)
{
    enum sch_cli_exit exit = sch_cli_setup_parse(setup, arguments, NULL, NULL);
    sch_cli_bench_seconds = (double)arguments->values.of_bench.milliseconds * 1e-3;
    if (exit == SCH_CLI_YES) exit = take_words(arguments, request);
    return exit == SCH_CLI_YES ? check_given(arguments, request) : exit;
}

enum sch_cli_exit sch_cli_main_bench(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_bench, .argc = argc, .argv = argv};
    struct bench bench = {0};
    struct request request = {0};
    sch_cli_setup_init(&bench.setup);
    bench.setup.program.engine = SCH_ENGINE_INTERPRETER; /* unless another is named */
    enum sch_cli_exit exit = read_arguments(&arguments, &bench.setup, &request);
    if (exit == SCH_CLI_YES && arguments.values.json.json) sch_cli_bench_as_json(subject_names[request.subject]);
    if (exit == SCH_CLI_YES && request.subject == COMPILING)
        exit = sch_cli_bench_compile(&bench.setup, request.paths, request.path_count);
    else if (exit == SCH_CLI_YES) {
        enum sch_result result = sch_cli_context_create(&bench.context);
        exit = sch_cli_exit_of(result);
        if (result != SCH_OK) sch_cli_fail(exit, "bench: %s", sch_result_text(result));
        if (result == SCH_OK && request.subject == SHADERS) exit = bench_all(&bench);
        if (result == SCH_OK && request.subject == LOOKUPS) exit = sch_cli_bench_lookups(bench.context, &bench.setup);
        if (result == SCH_OK && request.subject == STOPPING) exit = sch_cli_bench_stop(bench.context, &bench.setup);
        if (result == SCH_OK && request.subject == THREADS) exit = sch_cli_bench_threads(bench.context, &bench.setup);
        if (result == SCH_OK && request.subject == DEBUGGING) exit = sch_cli_bench_debug(bench.context, &bench.setup);
        if (result == SCH_OK && request.subject == DIRECT3D)
            exit = sch_cli_bench_d3d(bench.context, request.paths, request.path_count);
    }
    sch_cli_bench_end();
    sch_cli_setup_release(&bench.setup);
    sch_context_destroy(bench.context);
    return exit;
}
