/* Measures how many invocations a second one thread executes, for each workload and vector width. Prints tab-separated
 * lines: workload, engine, width, invocations per second per thread. Uses the public API alone.
 *
 *     scheelite-bench [--list] [--seconds S] [--width N] [WORKLOAD...] */
#include <scheelite/scheelite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 256, TEXELS = 64 }; /* of the picture that is shaded, and of its texture */

struct workload {
    const char *name, *doc, *text;
};

static const struct workload workloads[] = {
#define WORKLOAD(name, doc, text) {#name, doc, text},
#include "workloads.def"
#undef WORKLOAD
};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

struct stage {
    struct sch_context *context;
    struct sch_diagnostics_list *diagnostics;
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_sampler *sampler;
    uint32_t (*inputs)[4], (*outputs)[4];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int complain(const struct stage *s, const char *what, enum sch_result result)
{
    fprintf(stderr, "bench: %s: %s\n", what, sch_result_text(result));
    struct sch_diagnostic_view view;
    for (size_t i = 0; s->diagnostics && sch_diagnostics_get(s->diagnostics, i, &view); i++)
        fprintf(stderr, "%s:%u:%u: %s\n", view.source, view.line, view.column, view.message);
    return 1;
}

static uint32_t float_bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* The picture's coordinates in the order of quads, as a fragment pipeline sends them. */
static void fill_inputs(struct stage *s)
{
    size_t at = 0;
    for (unsigned y = 0; y < SIZE; y += 2)
        for (unsigned x = 0; x < SIZE; x += 2)
            for (unsigned q = 0; q < 4; q++, at++) {
                s->inputs[at][0] = float_bits(((float)(x + (q & 1)) + 0.5f) / SIZE);
                s->inputs[at][1] = float_bits(((float)(y + (q >> 1)) + 0.5f) / SIZE);
                s->inputs[at][2] = 0;
                s->inputs[at][3] = float_bits(1.0f);
            }
}

static enum sch_result make_texture(struct stage *s)
{
    uint8_t texels[TEXELS * TEXELS * 4];
    uint32_t noise = 1;
    for (size_t i = 0; i < sizeof texels; i++) {
        noise = noise * 1664525u + 1013904223u;
        texels[i] = (uint8_t)(noise >> 24);
    }
    struct sch_resource_options shape = {.size = sizeof shape,
                                         .target = SCH_TEXTURE_2D,
                                         .format = sch_format_by_name("R8G8B8A8_UNORM"),
                                         .width = TEXELS,
                                         .height = TEXELS};
    enum sch_result result = sch_resource_create(s->context, &shape, s->diagnostics, &s->resource);
    if (result == SCH_OK) result = sch_resource_write(s->resource, 0, 0, texels, (size_t)TEXELS * 4, TEXELS);
    if (result == SCH_OK) result = sch_view_create(s->resource, NULL, &s->view);
    struct sch_sampler_options linear = {
        .size = sizeof linear, .min_filter = SCH_FILTER_LINEAR, .mag_filter = SCH_FILTER_LINEAR};
    if (result == SCH_OK) result = sch_sampler_create(s->context, &linear, s->diagnostics, &s->sampler);
    return result;
}

static int make_stage(struct stage *s)
{
    enum sch_result result = sch_context_create(NULL, &s->context);
    if (result == SCH_OK) result = sch_diagnostics_create(s->context, &s->diagnostics);
    if (result == SCH_OK) result = make_texture(s);
    if (result != SCH_OK) return complain(s, "setting up", result);
    s->inputs = calloc((size_t)SIZE * SIZE, sizeof *s->inputs);
    s->outputs = calloc((size_t)SIZE * SIZE, sizeof *s->outputs);
    if (!s->inputs || !s->outputs) return complain(s, "setting up", SCH_ERROR_MEMORY);
    fill_inputs(s);
    return 0;
}

static void drop_stage(struct stage *s)
{
    free(s->inputs);
    free(s->outputs);
    sch_sampler_destroy(s->sampler);
    sch_view_destroy(s->view);
    sch_resource_destroy(s->resource);
    sch_diagnostics_destroy(s->diagnostics);
    sch_context_destroy(s->context);
}

/* Shades pictures until the time is over; the best of the rounds counts, since the machine has other things to do. */
static int time_program(struct stage *s, const struct sch_program *program, double seconds, double *rate)
{
    static const float constants[4][4] = {
        {0.57f, 0.57f, 0.57f, 0}, {-0.8f, 0.2f, 0.56f, 0}, {0.9f, 0.7f, 0.4f, 1}, {0.1f, 0.2f, 0.5f, 20}};
    const struct sch_constant_buffer buffer = {constants, sizeof constants};
    struct sch_bindings bindings = {.size = sizeof bindings,
                                    .constants = &buffer,
                                    .constant_count = 1,
                                    .views = &s->view,
                                    .view_count = 1,
                                    .samplers = &s->sampler,
                                    .sampler_count = 1};
    struct sch_invocations picture = {.size = sizeof picture,
                                      .count = SIZE * SIZE,
                                      .quads = true,
                                      .inputs = s->inputs[0],
                                      .input_registers = 1,
                                      .outputs = s->outputs[0],
                                      .output_registers = 1};
    *rate = 0;
    for (double begin = now(), before = begin, after; before - begin < seconds; before = after) {
        enum sch_result result = sch_dispatch(program, &bindings, &picture, NULL, NULL);
        if (result != SCH_OK) return complain(s, "running", result);
        after = now();
        if (picture.count / (after - before) > *rate) *rate = picture.count / (after - before);
    }
    return 0;
}

static int measure(struct stage *s, const struct workload *workload, uint32_t width, double seconds)
{
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    struct sch_read_options read = {.size = sizeof read, .kind = SCH_KIND_TGSI, .name = workload->name};
    struct sch_program_options options = {.size = sizeof options, .engine = SCH_ENGINE_INTERPRETER, .width = width};
    enum sch_result result =
        sch_shader_read(s->context, workload->text, strlen(workload->text), &read, s->diagnostics, &shader);
    if (result == SCH_OK) result = sch_program_create(s->context, shader, &options, s->diagnostics, &program);
    int failed = result != SCH_OK ? complain(s, workload->name, result) : 0;
    double rate = 0;
    if (!failed) failed = time_program(s, program, seconds, &rate);
    if (!failed) printf("%s\tinterp\t%u\t%.0f\n", workload->name, width, rate);
    fflush(stdout);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    return failed;
}

struct wish {
    double seconds;
    uint32_t width; /* 0: each */
    bool all, wanted[WORKLOADS];
};

static int usage(void)
{
    fprintf(stderr, "usage: scheelite-bench [--list] [--seconds S] [--width 4|8|16] [WORKLOAD...]\n");
    return 2;
}

static bool choose(struct wish *wish, const char *name)
{
    for (unsigned w = 0; w < WORKLOADS; w++)
        if (strcmp(workloads[w].name, name) == 0) {
            wish->wanted[w] = true;
            wish->all = false;
            return true;
        }
    return false;
}

static int list(void)
{
    for (unsigned w = 0; w < WORKLOADS; w++) printf("%s\t%s\n", workloads[w].name, workloads[w].doc);
    return 0;
}

int main(int count, char **arguments)
{
    struct wish wish = {.seconds = 0.5, .all = true};
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--list") == 0) return list();
        if (strcmp(arguments[i], "--seconds") == 0 && i + 1 < count)
            wish.seconds = strtod(arguments[++i], NULL);
        else if (strcmp(arguments[i], "--width") == 0 && i + 1 < count)
            wish.width = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (!choose(&wish, arguments[i]))
            return usage();
    }
    struct stage stage = {0};
    int failed = make_stage(&stage);
    for (unsigned w = 0; w < WORKLOADS && !failed; w++)
        for (uint32_t width = 4; width <= 16 && !failed; width *= 2)
            if ((wish.all || wish.wanted[w]) && (!wish.width || wish.width == width))
                failed = measure(&stage, &workloads[w], width, wish.seconds);
    drop_stage(&stage);
    return failed;
}
