/* Scheelite's side of the workloads that draw by the pipeline: state and framebuffer. */
#include <stdlib.h>

#include "peers_ours.h"

enum { STAGES = SCH_STAGE_GEOMETRY + 1 };

struct bench_draws {
    const struct workload *work;
    struct sch_program *programs[STAGES]; /* but the fragments' */
    struct sch_pipeline *pipeline;
    struct sch_resource *color, *resolved; /* resolved: NULL with one sample */
    struct sch_framebuffer *framebuffer;
    struct sch_vertex_elements *elements;
    struct sch_blend *blend;
    struct sch_rasterizer *scissored; /* of the first frame */
    struct sch_dynamic_state dynamic;
    struct sch_renderer *renderer;
    float *vertices; /* four each */
    uint32_t count;
};

/* ---- objects ---- */

/* The stages before the fragments. */
static enum sch_result make_programs(struct sch_context *context, const char *folder,
                                     const struct sch_program_options *options, struct bench_draws *draws)
{
    static const struct {
        enum bench_stage from;
        enum sch_stage to;
    } stages[] = {{BENCH_VERTEX, SCH_STAGE_VERTEX},
                  {BENCH_TESS_CTRL, SCH_STAGE_TESS_CTRL},
                  {BENCH_TESS_EVAL, SCH_STAGE_TESS_EVAL},
                  {BENCH_GEOMETRY, SCH_STAGE_GEOMETRY}};
    enum sch_result result = SCH_OK;
    for (size_t s = 0; s < sizeof stages / sizeof *stages && result == SCH_OK; s++)
        result = bench_program(context, folder, draws->work, stages[s].from, options, &draws->programs[stages[s].to]);
    return result;
}

static enum sch_result make_picture(struct sch_context *context, uint32_t samples, struct sch_resource **made)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = samples > 1 ? SCH_TARGET_2D_MSAA : SCH_TARGET_2D,
                                                 .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                                 .width = BENCH_SIDE,
                                                 .height = BENCH_SIDE,
                                                 .samples = samples};
    return sch_resource_create(context, &options, NULL, made);
}

static enum sch_result make_framebuffer(struct sch_context *context, struct bench_draws *draws)
{
    struct sch_framebuffer_options options = {.size = sizeof options};
    enum sch_result result = make_picture(context, draws->work->samples, &draws->color);
    if (result == SCH_OK && draws->work->samples > 1) result = make_picture(context, 1, &draws->resolved);
    if (result == SCH_OK) result = sch_surface_create(draws->color, NULL, NULL, &options.colors[0]);
    if (result == SCH_OK) result = sch_framebuffer_create(context, &options, NULL, &draws->framebuffer);
    sch_surface_destroy(options.colors[0]);
    return result;
}

/* The state of the first frame. */
static enum sch_result make_first(struct sch_context *context, struct bench_draws *draws)
{
    static const float half = BENCH_SIDE / 2;
    draws->dynamic.size = sizeof draws->dynamic;
    struct sch_rasterizer_options options = {.size = sizeof options};
    enum sch_result result = sch_rasterizer_options_default(&options);
    options.scissor = true;
    if (result == SCH_OK) result = sch_rasterizer_create(context, &options, NULL, &draws->scissored);
    if (result == SCH_OK) result = sch_dynamic_state_default(&draws->dynamic);
    draws->dynamic.viewports[0] = (struct sch_viewport){.scale = {half, half, 0.5f}, .translate = {half, half, 0.5f}};
    draws->dynamic.patch_vertices = BENCH_PATCH_CORNERS;
    draws->dynamic.scissors[0] = (struct sch_scissor){.right = BENCH_FIRST_SIDE, .bottom = BENCH_FIRST_SIDE};
    return result;
}

static enum sch_result make_state(struct sch_context *context, struct sch_program *fragment, struct bench_draws *draws)
{
    const struct sch_pipeline_options pipeline = {.size = sizeof pipeline,
                                                  .vertex = draws->programs[SCH_STAGE_VERTEX],
                                                  .tess_ctrl = draws->programs[SCH_STAGE_TESS_CTRL],
                                                  .tess_eval = draws->programs[SCH_STAGE_TESS_EVAL],
                                                  .geometry = draws->programs[SCH_STAGE_GEOMETRY],
                                                  .fragment = fragment};
    const struct sch_vertex_element element = {.format = SCH_FORMAT_R32G32B32A32_FLOAT, .stride = 16};
    struct sch_blend_options blend = {.size = sizeof blend};
    enum sch_result result = sch_blend_options_default(&blend);
    blend.targets[0].enabled = draws->work->blend;
    blend.targets[0].color_source = blend.targets[0].alpha_source = SCH_FACTOR_SRC_ALPHA;
    blend.targets[0].color_destination = blend.targets[0].alpha_destination = SCH_FACTOR_INV_SRC_ALPHA;
    if (result == SCH_OK) result = sch_pipeline_create(context, &pipeline, NULL, &draws->pipeline);
    if (result == SCH_OK)
        result = sch_vertex_elements_create(context, &element, 1, sizeof element, NULL, &draws->elements);
    if (result == SCH_OK) result = sch_blend_create(context, &blend, NULL, &draws->blend);
    if (result == SCH_OK) result = sch_renderer_create(context, &draws->renderer);
    return result == SCH_OK ? make_first(context, draws) : result;
}

struct bench_draws *bench_draws_create(struct sch_context *context, const struct workload *workload, const char *folder,
                                       struct sch_program *fragment, const struct sch_program_options *options,
                                       enum sch_result *result)
{
    struct bench_draws *draws = calloc(1, sizeof *draws);
    *result = SCH_ERROR_MEMORY;
    if (!draws) return NULL;
    draws->work = workload;
    draws->vertices = bench_vertices(workload, &draws->count);
    if (draws->vertices) *result = make_programs(context, folder, options, draws);
    if (*result == SCH_OK) *result = make_framebuffer(context, draws);
    if (*result == SCH_OK) *result = make_state(context, fragment, draws);
    if (*result == SCH_OK) return draws;
    bench_draws_destroy(draws);
    return NULL;
}

void bench_draws_destroy(struct bench_draws *draws)
{
    if (!draws) return;
    sch_renderer_destroy(draws->renderer);
    sch_blend_destroy(draws->blend);
    sch_rasterizer_destroy(draws->scissored);
    sch_vertex_elements_destroy(draws->elements);
    sch_pipeline_destroy(draws->pipeline);
    for (unsigned s = 0; s < STAGES; s++) sch_program_destroy(draws->programs[s]);
    sch_framebuffer_destroy(draws->framebuffer);
    sch_resource_destroy(draws->color);
    sch_resource_destroy(draws->resolved);
    free(draws->vertices);
    free(draws);
}

/* ---- frames ---- */

enum sch_result bench_draws_run(const struct bench_draws *draws, bool first,
                                const struct sch_dispatch_options *dispatch)
{
    const bool parts = draws->work->shape == SHAPE_PATCHES;
    const struct sch_vertex_buffer buffer = {.memory = draws->vertices,
                                             .memory_bytes = (size_t)draws->count * 4 * sizeof(float)};
    const struct sch_draw_state state = {.size = sizeof state,
                                         .pipeline = draws->pipeline,
                                         .framebuffer = draws->framebuffer,
                                         .vertex_elements = draws->elements,
                                         .vertex_buffers = &buffer,
                                         .vertex_buffer_count = 1,
                                         .vertex_buffer_stride = sizeof buffer,
                                         .blend = draws->blend,
                                         .rasterizer = first ? draws->scissored : NULL,
                                         .dynamic = first || parts ? &draws->dynamic : NULL};
    static const enum sch_primitive primitives[] = {[SHAPE_TRIANGLES] = SCH_PRIMITIVE_TRIANGLES,
                                                    [SHAPE_PATCHES] = SCH_PRIMITIVE_PATCHES,
                                                    [SHAPE_POINTS] = SCH_PRIMITIVE_POINTS};
    const uint32_t all = parts ? draws->count / draws->work->draws : draws->count;
    const uint32_t few = draws->count < BENCH_FIRST_VERTICES ? draws->count : BENCH_FIRST_VERTICES;
    struct sch_draw draw = {.size = sizeof draw,
                            .primitive = primitives[draws->work->shape],
                            .count = first ? few : all,
                            .instance_count = 1,
                            .may_wait = true};
    enum sch_result result = SCH_OK;
    for (uint32_t d = 0; d < (first ? 1 : draws->work->draws) && result == SCH_OK; d++) {
        result = sch_renderer_draw(draws->renderer, &state, &draw, dispatch, NULL);
        if (parts) draw.start += all;
    }
    if (result == SCH_OK) result = sch_renderer_flush(draws->renderer, NULL);
    return result;
}

enum sch_result bench_draws_read(const struct bench_draws *draws, uint8_t *pixels)
{
    const size_t bytes = (size_t)BENCH_SIDE * BENCH_SIDE * 4;
    const struct sch_blit whole = {.size = sizeof whole};
    enum sch_result result = SCH_OK;
    if (!draws->resolved) return sch_resource_read_all(draws->color, pixels, bytes);
    result = sch_resource_blit(draws->resolved, draws->color, &whole, NULL);
    return result == SCH_OK ? sch_resource_read_all(draws->resolved, pixels, bytes) : result;
}
