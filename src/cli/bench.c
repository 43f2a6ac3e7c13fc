/* scheelite bench: how many invocations a second one thread of an engine runs, for the kinds of shader in
 * workloads.def. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "code.h"

static const char usage[] =
    "scheelite bench [tex] [--engine auto|interp|jit] [--width 4|8|16] [--threads N]\n"
    "                [--milliseconds N] [--compiler FILE]\n"
    "scheelite bench compile [--width 4|8|16] [--compiler FILE] [FILE...]\n"
    "                milliseconds: of the thread's processor time where a column is named cpu,\n"
    "                else that passed; other_ms is what the columns before it lack of total_ms\n"
    "scheelite bench d3d [--milliseconds N] [FILE...]\n"
    "scheelite bench stop [--engine auto|interp|jit] [--width 4|8|16] [--threads N] [--compiler FILE]";

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

enum { SIDE = 256, TEXELS = 64 };
double sch_cli_bench_seconds = 0.5;

/* What all workloads share. */
struct bench {
    struct sch_cli_setup setup;
    struct sch_context *context;
    uint32_t *inputs, *outputs;
    struct sch_cli_bindings bound;
};

double sch_cli_bench_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Pixels in quads, as `run` orders them. */
static void fill_inputs(uint32_t *inputs)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t quad = i / 4, x = quad % (SIDE / 2) * 2 + (i & 1), y = quad / (SIDE / 2) * 2 + (i >> 1 & 1);
        const float values[4] = {((float)x + 0.5f) / SIDE, ((float)y + 0.5f) / SIDE, 0, 1};
        memcpy(inputs + 4 * (size_t)i, values, sizeof values);
    }
}

static enum sch_result make_texture(struct bench *bench)
{
    struct sch_cli_texture *texture = &bench->setup.texture[0];
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TEXTURE_2D,
                                               .format = sch_format_by_name("R8G8B8A8_UNORM"),
                                               .width = TEXELS,
                                               .height = TEXELS};
    const struct sch_sampler_options linear = {
        .size = sizeof linear, .min_filter = SCH_FILTER_LINEAR, .mag_filter = SCH_FILTER_LINEAR};
    uint32_t *texels = malloc((size_t)TEXELS * TEXELS * 4), state = 1;
    if (!texels) return SCH_ERROR_MEMORY;
    for (size_t i = 0; i < (size_t)TEXELS * TEXELS; i++) texels[i] = state = state * 1664525u + 1013904223u;
    enum sch_result result = sch_resource_create(bench->context, &shape, NULL, &texture->resource);
    if (result == SCH_OK)
        result = sch_resource_write(texture->resource, 0, 0, texels, (size_t)TEXELS * TEXELS * 4, (size_t)TEXELS * 4,
                                    TEXELS);
    if (result == SCH_OK) result = sch_view_create(texture->resource, NULL, &texture->view);
    if (result == SCH_OK) result = sch_sampler_create(bench->context, &linear, NULL, &texture->state);
    bench->setup.textures = 1;
    free(texels);
    return result;
}

/* Runs a program until the clock has moved enough; prints its line. */
static enum sch_result measure(const struct bench *bench, const struct sch_program *program, const char *name,
                               uint32_t width)
{
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = SIDE * SIDE,
                                         .quads = true,
                                         .inputs = bench->inputs,
                                         .input_bytes = (size_t)SIDE * SIDE * 16,
                                         .input_registers = 1,
                                         .outputs = bench->outputs,
                                         .output_bytes = (size_t)SIDE * SIDE * 16,
                                         .output_registers = 1};
    struct sch_dispatch_report report = {.size = sizeof report};
    uint32_t threads = bench->setup.dispatch.threads ? bench->setup.dispatch.threads : 1;
    double begin = 0, seconds = 0;
    uint64_t rounds = 0;
    for (; seconds < sch_cli_bench_seconds; rounds++) {
        if (rounds == 1) begin = sch_cli_bench_now(); /* the first round warms up */
        enum sch_result result = sch_dispatch(program, &bench->bound.bindings, &work, &bench->setup.dispatch, &report);
        if (result != SCH_OK) return result;
        if (rounds) seconds = sch_cli_bench_now() - begin;
    }
    double invocations = (double)(rounds - 1) * SIDE * SIDE;
    printf("%s\t%s\t%u\t%.0f\t%.2f\t%llu\n", name, sch_cli_engine_word(bench->setup.program.engine), width,
           invocations / seconds / threads, seconds * threads / invocations * 1e9,
           (unsigned long long)report.instructions);
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

static enum sch_result bench_all(struct bench *bench)
{
    enum sch_result result = SCH_OK;
    bench->inputs = calloc((size_t)SIDE * SIDE * 4, sizeof *bench->inputs);
    bench->outputs = calloc((size_t)SIDE * SIDE * 4, sizeof *bench->outputs);
    if (!bench->inputs || !bench->outputs) result = SCH_ERROR_MEMORY;
    if (result == SCH_OK) result = make_texture(bench);
    if (result == SCH_OK) {
        fill_inputs(bench->inputs);
        for (unsigned r = 0; r < 4 && result == SCH_OK; r++) {
            uint32_t words[4];
            memcpy(words, constants[r], sizeof words);
            if (!sch_cli_constants_put(&bench->setup.constants, 0, r, words)) result = SCH_ERROR_MEMORY;
        }
        sch_cli_bind(&bench->setup, &bench->setup.constants, &bench->bound);
        puts("workload\tengine\twidth\tinvocations/s/thread\tns\tinstructions");
    }
    uint32_t only = bench->setup.program.width;
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        for (uint32_t width = 4; width <= 16 && result == SCH_OK; width *= 2) {
            if (only && width != only) continue;
            result = bench_one(bench, i, width);
            fflush(stdout);
        }
    free(bench->inputs);
    free(bench->outputs);
    return result;
}

/* The first file argument: what is measured. */
enum subject { SHADERS, LOOKUPS, DIRECT3D, COMPILING, STOPPING, SUBJECTS };
static const char *const subject_names[SUBJECTS] = {"bench", "bench tex", "bench d3d", "bench compile", "bench stop"};

/* Of which subjects an option says something. */
static const struct {
    const char *name;
    bool of[SUBJECTS];
} takes[] = {{"--engine", {[SHADERS] = true, [LOOKUPS] = true, [STOPPING] = true}},
             {"--width", {[SHADERS] = true, [LOOKUPS] = true, [COMPILING] = true, [STOPPING] = true}},
             {"--threads", {[SHADERS] = true, [LOOKUPS] = true, [STOPPING] = true}},
             {"--compiler", {[SHADERS] = true, [LOOKUPS] = true, [COMPILING] = true, [STOPPING] = true}},
             {"--milliseconds", {[SHADERS] = true, [LOOKUPS] = true, [DIRECT3D] = true}}};
enum { TAKEN = sizeof takes / sizeof *takes };

struct request {
    enum subject subject;
    bool given[TAKEN];
    const char **paths; /* of Direct3D programs, of shaders to compile; room for all arguments */
    size_t path_count;
};

static enum sch_cli_exit take_word(const char *word, struct request *request)
{
    if (request->subject == DIRECT3D || request->subject == COMPILING) {
        request->paths[request->path_count++] = word;
        return SCH_CLI_YES;
    }
    if (strcmp(word, "tex") == 0) {
        request->subject = LOOKUPS;
        return SCH_CLI_YES;
    }
    if (strcmp(word, "d3d") == 0) {
        request->subject = DIRECT3D;
        return SCH_CLI_YES;
    }
    if (strcmp(word, "compile") == 0) {
        request->subject = COMPILING;
        return SCH_CLI_YES;
    }
    if (strcmp(word, "stop") == 0) {
        request->subject = STOPPING;
        return SCH_CLI_YES;
    }
    return sch_cli_usage_error(&sch_cli_bench, "what is %s?", word);
}

static enum sch_cli_exit check_given(const struct request *request)
{
    for (size_t i = 0; i < TAKEN; i++)
        if (request->given[i] && !takes[i].of[request->subject])
            return sch_cli_usage_error(&sch_cli_bench, "%s takes no %s", subject_names[request->subject],
                                       takes[i].name);
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_milliseconds(const char *word)
{
    uint64_t number;
    if (!sch_cli_number(word, 1, 1000000, &number))
        return sch_cli_usage_error(&sch_cli_bench, "--milliseconds takes a number from 1 to 1000000");
    sch_cli_bench_seconds = (double)number * 1e-3;
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct sch_cli_setup *setup,
                                        struct request *request)
{
    static const struct sch_cli_option options[] = {
        SCH_CLI_SETUP_OPTIONS, {"--milliseconds", SCH_CLI_VALUE}, {NULL, SCH_CLI_FLAG}};
    enum sch_cli_exit exit = SCH_CLI_YES;
    for (int option; exit == SCH_CLI_YES && (option = sch_cli_next(arguments, options)) != SCH_CLI_END;) {
        const char *name = option >= 0 ? options[option].name : "";
        size_t i = 0;
        while (i < TAKEN && strcmp(name, takes[i].name) != 0) i++;
        if (i < TAKEN) request->given[i] = true;
        if (option == SCH_CLI_STOP)
            exit = arguments->exit;
        else if (option == SCH_CLI_FILE)
            exit = take_word(arguments->value, request);
        else if (i == TAKEN)
            exit = sch_cli_usage_error(&sch_cli_bench, "bench takes no %s", name);
        else if (option == SCH_CLI_SETUP_COUNT)
            exit = take_milliseconds(arguments->value);
        else
            exit = sch_cli_setup_option(&sch_cli_bench, setup, option, arguments->value);
    }
    if (exit == SCH_CLI_YES) exit = check_given(request);
    if (exit == SCH_CLI_YES && setup->both)
        exit = sch_cli_usage_error(&sch_cli_bench, "bench times one engine at a time");
    return exit;
}

static enum sch_cli_exit run(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_bench, .argc = argc, .argv = argv};
    struct bench bench = {0};
    struct request request = {.paths = malloc(((size_t)argc + 1) * sizeof *request.paths)};
    if (!request.paths) return sch_cli_fail(SCH_CLI_LIMIT, "bench: out of memory");
    sch_cli_setup_init(&bench.setup);
    bench.setup.program.engine = SCH_ENGINE_INTERPRETER; /* unless another is named */
    enum sch_cli_exit exit = read_arguments(&arguments, &bench.setup, &request);
    if (exit == SCH_CLI_YES && request.subject == COMPILING)
        exit = sch_cli_bench_compile(&bench.setup, request.paths, request.path_count);
    else if (exit == SCH_CLI_YES) {
        enum sch_result result = sch_cli_context_create(&bench.context);
        if (result == SCH_OK && request.subject == SHADERS) result = bench_all(&bench);
        exit = sch_cli_exit_of(result);
        if (result != SCH_OK) sch_cli_fail(exit, "bench: %s", sch_result_text(result));
        if (result == SCH_OK && request.subject == LOOKUPS) exit = sch_cli_bench_lookups(bench.context, &bench.setup);
        if (result == SCH_OK && request.subject == STOPPING) exit = sch_cli_bench_stop(bench.context, &bench.setup);
        if (result == SCH_OK && request.subject == DIRECT3D)
            exit = sch_cli_bench_d3d(bench.context, request.paths, request.path_count);
    }
    sch_cli_setup_release(&bench.setup);
    sch_context_destroy(bench.context);
    free(request.paths);
    return exit;
}

const struct sch_cli_verb sch_cli_bench = {
    "bench", "times engines on five shaders or lookups, compiling, ending, or the reading of Direct3D programs", usage,
    run, true};
