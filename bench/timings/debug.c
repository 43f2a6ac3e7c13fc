/* ./dev bench debug: how long a debugging session takes to open at a pixel of a large draw, and to step back in a
 * long shader. */
#include <stdlib.h>
#include <string.h>

#include "timings.h"

enum { SIDE = 1000, TURNS = 15, EXECUTED = 1000000, BODY = 5 };

static void print_row(const char *what, double times[TURNS])
{
    qsort(times, TURNS, sizeof *times, bench_by_value);
    printf("%s\t%.3f\t%.3f\n", what, times[TURNS / 2] * 1e3, times[TURNS - 1] * 1e3);
}

/* ---- a draw ---- */

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                                  "IMM[0] FLT32 {0.5, 0.5, 0.0, 0.0}\n"
                                  "MOV OUT[0], IN[0]\nMAD OUT[1], IN[0], IMM[0].xxxx, IMM[0].yyyy\nEND\n";
/* A picture with a disc of light. */
static const char fragment_text[] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
                                    "DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..1]\nIMM[0] FLT32 {2.0, -1.0, 0.5, 0.25}\n"
                                    "TEX TEMP[1], IN[0], SAMP[0], 2D\n"
                                    "MAD TEMP[0].xy, IN[0].xyyy, IMM[0].xxxx, IMM[0].yyyy\n"
                                    "DP2 TEMP[0].z, TEMP[0], TEMP[0]\n"
                                    "SQRT TEMP[0].z, TEMP[0].zzzz\n"
                                    "ADD TEMP[0].w, IMM[0].zzzz, -TEMP[0].zzzz\n"
                                    "MAD_SAT TEMP[0].w, TEMP[0].wwww, IMM[0].xxxx, IMM[0].zzzz\n"
                                    "MUL OUT[0], TEMP[1], TEMP[0].wwww\n"
                                    "END\n";

struct drawing {
    struct sch_context *context;
    struct sch_renderer *renderer;
    struct sch_resource *color;
    struct sch_framebuffer *framebuffer;
    struct sch_program *vertex, *fragment;
    struct sch_pipeline *pipeline;
    struct sch_vertex_elements *elements;
    struct sch_bindings *bindings;
};

static enum sch_result make_target(struct drawing *d)
{
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TARGET_2D,
                                               .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                               .width = SIDE,
                                               .height = SIDE};
    struct sch_framebuffer_options options = {.size = sizeof options, .width = SIDE, .height = SIDE};
    enum sch_result result = sch_resource_create(d->context, &shape, NULL, &d->color);
    if (result == SCH_OK) result = sch_surface_create(d->color, NULL, NULL, &options.colors[0]);
    if (result == SCH_OK) result = sch_framebuffer_create(d->context, &options, NULL, &d->framebuffer);
    sch_surface_destroy(options.colors[0]);
    return result;
}

static enum sch_result make_drawing(struct sch_context *context, const struct sch_program_options *options,
                                    struct sch_bindings *bindings, struct drawing *d)
{
    static const struct sch_vertex_element element = {.format = SCH_FORMAT_R32G32B32A32_FLOAT, .stride = 16};
    *d = (struct drawing){.context = context, .bindings = bindings};
    enum sch_result result = sch_renderer_create(context, &d->renderer);
    if (result == SCH_OK) result = make_target(d);
    if (result == SCH_OK) result = bench_program(context, "vertex", vertex_text, options, &d->vertex);
    if (result == SCH_OK) result = bench_program(context, "fragment", fragment_text, options, &d->fragment);
    const struct sch_pipeline_options pipeline = {
        .size = sizeof pipeline, .vertex = d->vertex, .fragment = d->fragment};
    if (result == SCH_OK) result = sch_pipeline_create(context, &pipeline, NULL, &d->pipeline);
    if (result == SCH_OK) result = sch_vertex_elements_create(context, &element, 1, sizeof element, NULL, &d->elements);
    return result;
}

static void destroy_drawing(struct drawing *d)
{
    sch_pipeline_destroy(d->pipeline);
    sch_program_destroy(d->vertex);
    sch_program_destroy(d->fragment);
    sch_vertex_elements_destroy(d->elements);
    sch_framebuffer_destroy(d->framebuffer);
    sch_resource_destroy(d->color);
    sch_renderer_destroy(d->renderer);
}

/* Two triangles that cover all pixels. */
static enum sch_result draw(void *user, const struct sch_dispatch_options *options)
{
    static const float corners[4][4] = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {-1, 1, 0, 1}, {1, 1, 0, 1}};
    const struct drawing *d = user;
    const struct sch_vertex_buffer buffer = {.memory = corners, .memory_bytes = sizeof corners};
    struct sch_dynamic_state dynamic = {.size = sizeof dynamic};
    sch_dynamic_state_default(&dynamic);
    dynamic.viewports[0] =
        (struct sch_viewport){.scale = {SIDE / 2, SIDE / 2, 1}, .translate = {SIDE / 2, SIDE / 2, 0}};
    struct sch_draw_state state = {.size = sizeof state,
                                   .pipeline = d->pipeline,
                                   .framebuffer = d->framebuffer,
                                   .vertex_elements = d->elements,
                                   .vertex_buffers = &buffer,
                                   .vertex_buffer_count = 1,
                                   .vertex_buffer_stride = sizeof buffer,
                                   .dynamic = &dynamic};
    state.bindings[SCH_STAGE_FRAGMENT] = d->bindings;
    const struct sch_draw quad = {
        .size = sizeof quad, .primitive = SCH_PRIMITIVE_TRIANGLE_STRIP, .count = 4, .instance_count = 1};
    enum sch_result result = sch_renderer_draw(d->renderer, &state, &quad, options, NULL);
    return result == SCH_OK ? sch_renderer_flush(d->renderer, NULL) : result;
}

/* From nothing to the first instruction of a pixel's shader. */
static enum sch_result open_at(struct drawing *d, const char *what, uint32_t x, uint32_t y)
{
    const struct sch_invocation_place place = {.size = sizeof place, .parts = SCH_PLACE_PIXEL, .x = x, .y = y};
    const struct sch_debug_options options = {
        .size = sizeof options, .run = draw, .user = d, .stages = 1 << SCH_STAGE_FRAGMENT, .place = &place};
    double times[TURNS];
    for (unsigned turn = 0; turn < TURNS; turn++) {
        struct sch_debug *debug;
        struct sch_debug_stop stop = {.size = sizeof stop};
        const double begin = bench_now();
        enum sch_result result = sch_debug_create(d->context, &options, &debug);
        times[turn] = bench_now() - begin;
        if (result == SCH_OK) result = sch_debug_get_stop(debug, &stop);
        if (result == SCH_OK && stop.ended) result = stop.result == SCH_OK ? SCH_ERROR_INTERNAL : stop.result;
        sch_debug_destroy(debug);
        if (result != SCH_OK) return result;
    }
    print_row(what, times);
    return SCH_OK;
}

static enum sch_result bench_draw(const struct bench_setup *setup)
{
    static const struct bench_texels texels = {.format = "R8G8B8A8_UNORM", .side = 256, .filter = SCH_FILTER_LINEAR};
    struct drawing d = {0};
    struct bench_bindings bound;
    enum sch_result result = bench_bind(setup->context, &texels, &bound);
    if (result == SCH_OK) result = make_drawing(setup->context, &setup->program, &bound.bindings, &d);
    if (result == SCH_OK) result = open_at(&d, "open, first pixel", 0, 0);
    if (result == SCH_OK) result = open_at(&d, "open, in the middle", SIDE / 2, SIDE / 2);
    if (result == SCH_OK) result = open_at(&d, "open, last pixel", SIDE - 1, SIDE - 1);
    destroy_drawing(&d);
    bench_release(&bound);
    return result;
}

/* ---- a long shader ---- */

/* EXECUTED instructions, of which the second kind writes memory, so that no moment can be kept. */
static const char long_text[] = "COMP\nDCL TEMP[0..1]\nDCL BUFFER[0]\nIMM[0] UINT32 {1, 200000, 0, 0}\n"
                                "BGNLOOP\n"
                                "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                                "USGE TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                                "UIF TEMP[1].xxxx\n"
                                "BRK\n"
                                "ENDIF\n"
                                "ENDLOOP\n"
                                "%sEND\n";

struct running {
    const struct sch_program *program;
    uint32_t word;
};

static enum sch_result run_long(void *user, const struct sch_dispatch_options *options)
{
    struct running *running = user;
    const struct sch_storage_buffer buffer = {&running->word, sizeof running->word};
    const struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &buffer, .buffer_count = 1};
    static const uint32_t one[3] = {1, 1, 1}, lanes[3] = {32, 1, 1};
    return sch_dispatch_grid(running->program, &bindings, one, lanes, options, NULL);
}

/* Steps back from moments all over the group, each from one that was come to from before it. */
static enum sch_result step_back(struct sch_context *context, struct running *running, const char *what, bool lane)
{
    static const struct sch_dispatch_options bound = {.size = sizeof bound, .budget = EXECUTED};
    const struct sch_debug_options options = {
        .size = sizeof options, .run = run_long, .user = running, .options = &bound};
    const struct sch_debug_go back = {
        .size = sizeof back, .step = SCH_DEBUG_STEP_INSTRUCTION, .back = true, .lane = lane};
    double times[TURNS];
    struct sch_debug *debug;
    struct sch_debug_stop stop = {.size = sizeof stop};
    enum sch_result result = sch_debug_create(context, &options, &debug);
    for (unsigned turn = 0; turn < TURNS && result == SCH_OK; turn++) {
        result = sch_debug_seek(debug, (uint64_t)(EXECUTED / TURNS) * (turn + 1) - turn);
        const double begin = bench_now();
        if (result == SCH_OK) result = sch_debug_go(debug, &back);
        times[turn] = bench_now() - begin;
    }
    if (result == SCH_OK) result = sch_debug_get_stop(debug, &stop);
    if (result == SCH_OK && (stop.ended || stop.time < EXECUTED - 3 * TURNS)) result = SCH_ERROR_INTERNAL;
    sch_debug_destroy(debug);
    if (result == SCH_OK) print_row(what, times);
    return result;
}

static enum sch_result bench_long(const struct bench_setup *setup, const char *what, const char *last, bool lane)
{
    char text[1024];
    struct sch_program *program = NULL;
    snprintf(text, sizeof text, long_text, last);
    enum sch_result result = bench_program(setup->context, what, text, &setup->program, &program);
    struct running running = {.program = program};
    if (result == SCH_OK) result = step_back(setup->context, &running, what, lane);
    sch_program_destroy(program);
    return result;
}

bool bench_debug(const struct bench_setup *setup)
{
    static const char store[] = "STORE BUFFER[0].x, IMM[0].zzzz, TEMP[0].xxxx\n";
    puts("what\tms\tmost_ms");
    enum sch_result result = bench_draw(setup);
    if (result == SCH_OK) result = bench_long(setup, "step back", "", false);
    if (result == SCH_OK) result = bench_long(setup, "step back, of a lane", "", true);
    if (result == SCH_OK) result = bench_long(setup, "step back, memory written", store, false);
    return bench_good("debug", result);
}
