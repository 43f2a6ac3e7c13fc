/* scheelite bench: how many invocations a second one thread of the interpreter runs, for five kinds of shader. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "setup.h"

static const char usage[] = "scheelite bench [--engine auto|interp] [--width 4|8|16] [--threads N]";

/* The workloads. IN[0].xy are the pixel's coordinates in a picture of SIDE by SIDE, between 0 and 1. */
#define HEAD "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\n"

static const struct {
    const char *name, *text;
} workloads[] = {
    {"alu", HEAD "IMM[0] FLT32 {1.5, 0.25, 3.0, 0.5}\n"
                 "MAD TEMP[0], IN[0].xyxy, IMM[0].xyzw, IMM[0].wzyx\n"
                 "MUL TEMP[1], TEMP[0], TEMP[0].yzwx\n"
                 "ADD TEMP[2], TEMP[1], -TEMP[0]\n"
                 "DP4 TEMP[3].x, TEMP[2], TEMP[1]\n"
                 "MAX TEMP[3].y, TEMP[3].xxxx, IMM[0].yyyy\n"
                 "RSQ TEMP[3].y, TEMP[3].yyyy\n"
                 "MUL TEMP[2], TEMP[2], TEMP[3].yyyy\n"
                 "FRC TEMP[1], TEMP[2]\n"
                 "LRP TEMP[0], TEMP[1], TEMP[0], TEMP[2]\n"
                 "EX2 TEMP[3].z, TEMP[0].xxxx\n"
                 "SIN TEMP[3].w, TEMP[0].yyyy\n"
                 "MAD OUT[0], TEMP[0], TEMP[3].zzzz, TEMP[3].wwww\n"
                 "END\n"},
    {"divergent_loop", HEAD "IMM[0] UINT32 {0, 1, 64, 0}\n"
                            "IMM[1] FLT32 {3.0, -2.0, 4.0, 2.0}\n"
                            "MAD TEMP[1].xy, IN[0].xyyy, IMM[1].xxxx, IMM[1].yyyy\n"
                            "MOV TEMP[2].x, IMM[0].xxxx\n"
                            "BGNLOOP\n"
                            "USGE TEMP[2].y, TEMP[2].xxxx, IMM[0].zzzz\n"
                            "UIF TEMP[2].yyyy\nBRK\nENDIF\n"
                            "DP2 TEMP[3].z, TEMP[0].xyyy, TEMP[0].xyyy\n"
                            "FSGE TEMP[2].y, TEMP[3].zzzz, IMM[1].zzzz\n"
                            "UIF TEMP[2].yyyy\nBRK\nENDIF\n"
                            "MUL TEMP[3].x, TEMP[0].yyyy, TEMP[0].yyyy\n"
                            "MAD TEMP[3].x, TEMP[0].xxxx, TEMP[0].xxxx, -TEMP[3].xxxx\n"
                            "MUL TEMP[3].y, TEMP[0].xxxx, TEMP[0].yyyy\n"
                            "MUL TEMP[3].y, TEMP[3].yyyy, IMM[1].wwww\n"
                            "ADD TEMP[0].xy, TEMP[3].xyyy, TEMP[1].xyyy\n"
                            "UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy\n"
                            "ENDLOOP\n"
                            "U2F OUT[0], TEMP[2].xxxx\n"
                            "END\n"},
    {"integer_noise", HEAD "IMM[0] UINT32 {1664525, 1013904223, 16, 13}\n"
                           "IMM[1] FLT32 {4096.0, 0.0, 0.0, 0.0}\n"
                           "MUL TEMP[0].xy, IN[0].xyyy, IMM[1].xxxx\n"
                           "F2U TEMP[0].xy, TEMP[0].xyyy\n"
                           "UMAD TEMP[1], TEMP[0].xyxy, IMM[0].xxxx, IMM[0].yyyy\n"
                           "USHR TEMP[2], TEMP[1], IMM[0].zzzz\n"
                           "XOR TEMP[1], TEMP[1], TEMP[2].yzwx\n"
                           "UMAD TEMP[1], TEMP[1], IMM[0].xxxx, IMM[0].yyyy\n"
                           "SHL TEMP[2], TEMP[1], IMM[0].wwww\n"
                           "XOR TEMP[1], TEMP[1], TEMP[2].wxyz\n"
                           "UMUL TEMP[1], TEMP[1], IMM[0].xxxx\n"
                           "POPC TEMP[2], TEMP[1]\n"
                           "UMOD TEMP[1], TEMP[1], TEMP[2]\n"
                           "U2F OUT[0], TEMP[1]\n"
                           "END\n"},
    {"texture", HEAD "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
                     "IMM[0] FLT32 {0.01, 0.25, 0.0, 0.0}\n"
                     "TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D\n"
                     "MAD TEMP[1].xy, TEMP[0].xyyy, IMM[0].xxxx, IN[0].xyyy\n"
                     "TEX TEMP[1], TEMP[1].xyyy, SAMP[0], 2D\n"
                     "ADD TEMP[2].xy, IN[0].xyyy, IMM[0].xxxx\n"
                     "TEX TEMP[2], TEMP[2].xyyy, SAMP[0], 2D\n"
                     "ADD TEMP[0], TEMP[0], TEMP[1]\n"
                     "MAD OUT[0], TEMP[2], IMM[0].yyyy, TEMP[0]\n"
                     "END\n"},
    {"control_flow", HEAD "IMM[0] UINT32 {0, 1, 2, 3}\n"
                          "IMM[1] FLT32 {64.0, 0.5, 0.0, 1.0}\n"
                          "MUL TEMP[0].xy, IN[0].xyyy, IMM[1].xxxx\n"
                          "F2U TEMP[0].xy, TEMP[0].xyyy\n"
                          "AND TEMP[0].z, TEMP[0].xxxx, IMM[0].wwww\n"
                          "MOV TEMP[1], IN[0]\n"
                          "SWITCH TEMP[0].zzzz\n"
                          "CASE IMM[0].xxxx\n"
                          "ADD TEMP[1], TEMP[1], IMM[1].yyyy\n"
                          "BRK\n"
                          "CASE IMM[0].yyyy\n"
                          "MUL TEMP[1], TEMP[1], IMM[1].yyyy\n"
                          "CASE IMM[0].zzzz\n"
                          "CAL :29\n"
                          "BRK\n"
                          "DEFAULT\n"
                          "MAX TEMP[1], TEMP[1], IMM[1].yyyy\n"
                          "ENDSWITCH\n"
                          "FSLT TEMP[2].x, TEMP[1].xxxx, IMM[1].yyyy\n"
                          "UIF TEMP[2].xxxx\n"
                          "CAL :29\n"
                          "ELSE\n"
                          "FSLT TEMP[2].y, TEMP[1].yyyy, IMM[1].yyyy\n"
                          "UIF TEMP[2].yyyy\n"
                          "ADD TEMP[1], TEMP[1], IMM[1].wwww\n"
                          "ELSE\n"
                          "ADD TEMP[1], TEMP[1], -IMM[1].wwww\n"
                          "ENDIF\n"
                          "ENDIF\n"
                          "MOV OUT[0], TEMP[1]\n"
                          "END\n"
                          "BGNSUB\n"
                          "FRC TEMP[1], TEMP[1]\n"
                          "MAD TEMP[1], TEMP[1], IMM[1].yyyy, IMM[1].yyyy\n"
                          "RET\n"
                          "ENDSUB\n"},
};

enum { SIDE = 256, TEXELS = 256 };
static const double least_seconds = 0.5;

/* What all workloads share. */
struct bench {
    struct sch_cli_setup setup;
    struct sch_context *context;
    uint32_t *inputs, *outputs;
    struct sch_cli_bindings bound;
};

static double now(void)
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
    if (result == SCH_OK) result = sch_resource_write(texture->resource, 0, 0, texels, (size_t)TEXELS * 4, TEXELS);
    if (result == SCH_OK) result = sch_view_create(texture->resource, NULL, &texture->view);
    if (result == SCH_OK) result = sch_sampler_create(bench->context, &linear, NULL, &texture->state);
    bench->setup.textures = 1;
    free(texels);
    return result;
}

/* Runs a program until the clock has moved enough; prints its line. */
static enum sch_result measure(const struct bench *bench, const struct sch_program *program, const char *name)
{
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = SIDE * SIDE,
                                         .quads = true,
                                         .inputs = bench->inputs,
                                         .input_registers = 1,
                                         .outputs = bench->outputs,
                                         .output_registers = 1};
    struct sch_dispatch_report report = {.size = sizeof report};
    uint32_t threads = bench->setup.dispatch.threads ? bench->setup.dispatch.threads : 1;
    double begin = 0, seconds = 0;
    uint64_t rounds = 0;
    for (; seconds < least_seconds; rounds++) {
        if (rounds == 1) begin = now(); /* the first round warms up */
        enum sch_result result = sch_dispatch(program, &bench->bound.bindings, &work, &bench->setup.dispatch, &report);
        if (result != SCH_OK) return result;
        if (rounds) seconds = now() - begin;
    }
    double invocations = (double)(rounds - 1) * SIDE * SIDE;
    printf("%s\t%.0f\t%.2f\t%llu\n", name, invocations / seconds / threads, seconds * threads / invocations * 1e9,
           (unsigned long long)report.instructions);
    return SCH_OK;
}

static enum sch_result bench_one(const struct bench *bench, size_t index)
{
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    const char *text = workloads[index].text;
    enum sch_result result = sch_shader_read(bench->context, text, strlen(text), NULL, NULL, &shader);
    if (result == SCH_OK) result = sch_program_create(bench->context, shader, &bench->setup.program, NULL, &program);
    if (result == SCH_OK) result = measure(bench, program, workloads[index].name);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    return result;
}

static enum sch_result bench_all(struct bench *bench)
{
    enum sch_result result = sch_context_create(NULL, &bench->context);
    bench->inputs = calloc((size_t)SIDE * SIDE * 4, sizeof *bench->inputs);
    bench->outputs = calloc((size_t)SIDE * SIDE * 4, sizeof *bench->outputs);
    if (!bench->inputs || !bench->outputs) result = SCH_ERROR_MEMORY;
    if (result == SCH_OK) result = make_texture(bench);
    if (result == SCH_OK) {
        fill_inputs(bench->inputs);
        sch_cli_bind(&bench->setup, &bench->setup.constants, &bench->bound);
        puts("shader\tinvocations/s/thread\tns\tinstructions");
    }
    for (size_t i = 0; result == SCH_OK && i < sizeof workloads / sizeof *workloads; i++) {
        result = bench_one(bench, i);
        fflush(stdout);
    }
    free(bench->inputs);
    free(bench->outputs);
    return result;
}

static enum sch_cli_exit run(int argc, char **argv)
{
    static const struct sch_cli_option options[] = {SCH_CLI_SETUP_OPTIONS, {NULL, SCH_CLI_FLAG}};
    struct sch_cli_arguments arguments = {.verb = &sch_cli_bench, .argc = argc, .argv = argv};
    struct bench bench = {0};
    enum sch_cli_exit exit = SCH_CLI_YES;
    sch_cli_setup_init(&bench.setup);
    for (int option; exit == SCH_CLI_YES && (option = sch_cli_next(&arguments, options)) != SCH_CLI_END;) {
        const char *name = option >= 0 ? options[option].name : "";
        if (option == SCH_CLI_STOP)
            exit = arguments.exit;
        else if (option == SCH_CLI_FILE)
            exit = strcmp(arguments.value, "tex") == 0 || strcmp(arguments.value, "compile") == 0 ||
                           strcmp(arguments.value, "d3d") == 0
                       ? sch_cli_fail(SCH_CLI_UNSUPPORTED, "bench %s is not available in this version", arguments.value)
                       : sch_cli_usage_error(&sch_cli_bench, "what is %s?", arguments.value);
        else if (strcmp(name, "--engine") == 0 || strcmp(name, "--width") == 0 || strcmp(name, "--threads") == 0)
            exit = sch_cli_setup_option(&sch_cli_bench, &bench.setup, option, arguments.value);
        else
            exit = sch_cli_usage_error(&sch_cli_bench, "bench takes no %s", name);
    }
    if (exit == SCH_CLI_YES) {
        enum sch_result result = bench_all(&bench);
        exit = sch_cli_exit_of(result);
        if (result != SCH_OK) sch_cli_fail(exit, "bench: %s", sch_result_text(result));
    }
    sch_cli_setup_release(&bench.setup);
    sch_context_destroy(bench.context);
    return exit;
}

const struct sch_cli_verb sch_cli_bench = {"bench", "times the interpreter on five shaders", usage, run};
