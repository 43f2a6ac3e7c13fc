/* Scheelite's side of the workloads: TGSI text, through the public library. Pictures are rectangles, grids are
 * dispatches; draws are in peers_draw.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers_ours.h"

enum { SIDE = BENCH_SIDE };

static struct {
    const char *folder;
    struct sch_program_options program;
    struct sch_dispatch_options dispatch;
    /* of the workload */
    const struct workload *work;
    struct sch_context *context;
    struct sch_program *main; /* of the fragments, or the grid's */
    struct sch_view *view;
    struct sch_sampler *sampler;
    struct bench_draws *draws;
    uint8_t *pixels;
    float *buffer[2]; /* of a grid: BUFFER[0] is written */
} ours = {.program = {.size = sizeof ours.program}, .dispatch = {.size = sizeof ours.dispatch, .unordered = true}};

static const char *words(enum sch_result result) { return result == SCH_OK ? NULL : sch_result_text(result); }

static const char *open_ours(const char *folder)
{
    ours.folder = folder;
    return NULL;
}

static bool take_engine(const char *name)
{
    static const struct {
        const char *name;
        enum sch_engine engine;
    } engines[] = {{"auto", SCH_ENGINE_AUTO}, {"interp", SCH_ENGINE_INTERPRETER}, {"jit", SCH_ENGINE_JIT}};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        if (strcmp(engines[i].name, name) != 0) continue;
        ours.program.engine = engines[i].engine;
        return true;
    }
    return false;
}

static bool take_option(const char *name, const char *value)
{
    if (strcmp(name, "--engine") == 0) return take_engine(value);
    if (strcmp(name, "--width") == 0)
        ours.program.width = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(name, "--threads") == 0)
        ours.dispatch.threads = (uint32_t)strtoul(value, NULL, 10);
    else
        return false;
    return true;
}

/* ---- one workload ---- */

enum sch_result bench_program(struct sch_context *context, const char *folder, const struct workload *work,
                              enum bench_stage stage, const struct sch_program_options *options,
                              struct sch_program **program)
{
    char name[100];
    if (!bench_shader_name(work, stage, name, sizeof name)) return SCH_OK;
    char *text = bench_shader_read(folder, work, stage, ".tgsi");
    struct sch_shader *shader = NULL;
    enum sch_result result = text ? SCH_OK : SCH_ERROR_ARGUMENT;
    if (result == SCH_OK) result = sch_shader_read(context, text, strlen(text), NULL, NULL, &shader);
    if (result == SCH_OK) result = sch_program_create(context, shader, options, NULL, program);
    sch_shader_destroy(shader);
    free(text);
    return result;
}

static bool allocate(const struct workload *w)
{
    if (!w->groups) return (ours.pixels = calloc((size_t)SIDE * SIDE, 4)) != NULL;
    for (unsigned b = 0; b < 2; b++) {
        ours.buffer[b] = malloc((size_t)w->elements * sizeof(float));
        if (!ours.buffer[b]) return false;
        bench_fill_buffer(ours.buffer[b], w->elements);
    }
    return true;
}

static const char *create(const struct workload *work, unsigned way)
{
    (void)way;
    ours.work = work;
    enum sch_result result = sch_context_create(NULL, &ours.context);
    if (result == SCH_OK && !allocate(work)) result = SCH_ERROR_MEMORY;
    if (result == SCH_OK && work->target) result = bench_texture(ours.context, work, &ours.view, &ours.sampler);
    return words(result);
}

static void destroy(void)
{
    bench_draws_destroy(ours.draws);
    sch_program_destroy(ours.main);
    sch_view_destroy(ours.view);
    sch_sampler_destroy(ours.sampler);
    sch_context_destroy(ours.context);
    free(ours.pixels);
    free(ours.buffer[0]);
    free(ours.buffer[1]);
    ours.draws = NULL;
    ours.main = NULL;
    ours.view = NULL;
    ours.sampler = NULL;
    ours.context = NULL;
    ours.pixels = NULL;
    ours.buffer[0] = ours.buffer[1] = NULL;
}

static enum sch_result draw(const struct sch_bindings *bindings, uint32_t side)
{
    /* The attribute (0, 0) to (1, 1) over the whole picture, at pixel centres. */
    static const float step = 1.0f / SIDE, half = 0.5f / SIDE;
    const struct sch_rectangle_register attribute = {
        .planar = 3,
        .words = {0, 0, 0, 0x3f800000},
        .planes = {{{half, step, 0}, {1, 0, 0}}, {{half, 0, step}, {1, 0, 0}}}};
    const struct sch_render_target render_target = {
        .pixels = ours.pixels, .bytes = (size_t)SIDE * SIDE * 4, .row_bytes = SIDE * 4};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = side,
                                            .height = side,
                                            .registers = &attribute,
                                            .register_stride = sizeof(struct sch_rectangle_register),
                                            .register_count = 1,
                                            .render_targets = &render_target,
                                            .render_target_stride = sizeof(struct sch_render_target),
                                            .render_target_count = 1};
    return sch_dispatch_rectangle(ours.main, bindings, &rectangle, &ours.dispatch, NULL);
}

static enum sch_result run(bool first)
{
    const struct workload *w = ours.work;
    const struct sch_constant_buffer constants = {.data = w->constants, .bytes = sizeof w->constants};
    const size_t bytes = (size_t)w->elements * sizeof(float);
    const struct sch_storage_buffer buffers[2] = {{ours.buffer[0], bytes}, {ours.buffer[1], bytes}};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = &constants,
                                          .constant_count = 1,
                                          .views = &ours.view,
                                          .view_count = 1,
                                          .samplers = &ours.sampler,
                                          .sampler_count = 1,
                                          .buffers = buffers,
                                          .buffer_count = w->groups ? 2 : 0};
    if (w->samples) return bench_draws_run(ours.draws, first, &ours.dispatch);
    if (!w->groups) return draw(&bindings, first ? BENCH_FIRST_SIDE : SIDE);
    const uint32_t grid[3] = {first ? 1 : w->groups, 1, 1};
    struct sch_dispatch_options dispatch = ours.dispatch;
    dispatch.shared_bytes = BENCH_GROUP * sizeof(float); /* what the source declares: shared float[256] */
    return sch_dispatch_grid(ours.main, &bindings, grid, NULL, &dispatch, NULL);
}

static const char *first(void)
{
    const enum bench_stage stage = ours.work->groups ? BENCH_COMPUTE : BENCH_FRAGMENT;
    enum sch_result result = bench_program(ours.context, ours.folder, ours.work, stage, &ours.program, &ours.main);
    if (result == SCH_OK && ours.work->samples)
        ours.draws = bench_draws_create(ours.context, ours.work, ours.folder, ours.main, &ours.program, &result);
    if (result == SCH_OK) result = run(true);
    return words(result);
}

static const char *frame(void) { return words(run(false)); }

static const char *read_result(void *to)
{
    const struct workload *w = ours.work;
    if (w->samples) return words(bench_draws_read(ours.draws, to));
    if (w->groups)
        memcpy(to, ours.buffer[0], BENCH_RESULTS * sizeof(float));
    else
        memcpy(to, ours.pixels, (size_t)SIDE * SIDE * 4);
    return NULL;
}

const struct bench_side bench_side = {.options = "[--engine auto|interp|jit] [--width N] [--threads N]",
                                      .take_option = take_option,
                                      .open = open_ours,
                                      .create = create,
                                      .first = first,
                                      .frame = frame,
                                      .read = read_result,
                                      .destroy = destroy};
