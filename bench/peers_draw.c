/* The workloads that draw by the pipeline: their vertices, state and framebuffer. What is timed is in peers.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

enum { COLUMNS = 500, ROWS = 400, FIRST_VERTICES = 48, FIRST_SIDE = 16 };
/* Patches are a grid; llvmpipe draws only the first 192 of a draw as they are. */
enum { PATCH_COLUMNS = 24, PATCH_ROWS = 24, PATCH_CORNERS = 4 };
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

/* ---- vertices ---- */

/* One triangle over everything, whose attribute goes from 0 to 1 in the picture; or each in half of a cell. */
static float *make_triangles(const struct workload *work, uint32_t *count)
{
    static const float all[12] = {-1, -1, 0, 0, 3, -1, 2, 0, -1, 3, 0, 2};
    static const float corner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    *count = work->triangles ? 3 * work->triangles : 3;
    float *vertices = malloc((size_t)*count * 4 * sizeof *vertices);
    if (!vertices) return NULL;
    if (!work->triangles) return memcpy(vertices, all, sizeof all);
    for (uint32_t v = 0; v < *count; v++) {
        const uint32_t cell = v / 3;
        float *at = vertices + 4 * (size_t)v;
        at[0] = ((float)(cell % COLUMNS) + corner[v % 3][0]) / (COLUMNS / 2) - 1;
        at[1] = ((float)(cell / COLUMNS % ROWS) + corner[v % 3][1]) / (ROWS / 2) - 1;
        at[2] = at[0];
        at[3] = at[1];
    }
    return vertices;
}

/* Four corners for each patch, around it. */
static float *make_patches(uint32_t *count)
{
    static const float corner[PATCH_CORNERS][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    *count = PATCH_COLUMNS * PATCH_ROWS * PATCH_CORNERS;
    float *vertices = calloc(*count, 4 * sizeof *vertices);
    for (uint32_t v = 0; vertices && v < *count; v++) {
        const uint32_t patch = v / PATCH_CORNERS;
        const float *at = corner[v % PATCH_CORNERS];
        vertices[4 * (size_t)v] = ((float)(patch % PATCH_COLUMNS) + at[0]) / (PATCH_COLUMNS / 2) - 1;
        vertices[4 * (size_t)v + 1] = ((float)(patch / PATCH_COLUMNS) + at[1]) / (PATCH_ROWS / 2) - 1;
    }
    return vertices;
}

static float *make_points(uint32_t *count)
{
    *count = COLUMNS * ROWS;
    float *vertices = calloc(*count, 4 * sizeof *vertices);
    for (uint32_t v = 0; vertices && v < *count; v++) {
        vertices[4 * (size_t)v] = (float)(v % COLUMNS) / (COLUMNS / 2) - 1;
        vertices[4 * (size_t)v + 1] = (float)(v / COLUMNS) / (ROWS / 2) - 1;
    }
    return vertices;
}

static float *make_vertices(const struct workload *work, uint32_t *count)
{
    if (work->shape == SHAPE_PATCHES) return make_patches(count);
    if (work->shape == SHAPE_POINTS) return make_points(count);
    return make_triangles(work, count);
}

/* ---- objects ---- */

static enum sch_result read_program(struct sch_context *context, const char *path,
                                    const struct sch_program_options *options, struct sch_program **program)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(1 << 20) : NULL;
    const size_t bytes = text ? fread(text, 1, 1 << 20, file) : 0;
    struct sch_shader *shader = NULL;
    enum sch_result result = text ? SCH_OK : SCH_ERROR_ARGUMENT;
    if (file) fclose(file);
    if (!text) fprintf(stderr, "peers: cannot read %s\n", path);
    if (result == SCH_OK) result = sch_shader_read(context, text, bytes, NULL, NULL, &shader);
    if (result == SCH_OK) result = sch_program_create(context, shader, options, NULL, program);
    sch_shader_destroy(shader);
    free(text);
    return result;
}

/* The stages before the fragments. */
static enum sch_result read_programs(struct sch_context *context, const char *prefix,
                                     const struct sch_program_options *options, struct bench_draws *draws)
{
    static const struct {
        enum sch_stage stage;
        enum shape shape; /* only of this one; triangles: of all */
        const char *suffix;
    } stages[] = {{SCH_STAGE_VERTEX, SHAPE_TRIANGLES, "vert"},
                  {SCH_STAGE_TESS_CTRL, SHAPE_PATCHES, "tesc"},
                  {SCH_STAGE_TESS_EVAL, SHAPE_PATCHES, "tese"},
                  {SCH_STAGE_GEOMETRY, SHAPE_POINTS, "geom"}};
    enum sch_result result = SCH_OK;
    for (size_t s = 0; s < sizeof stages / sizeof *stages && result == SCH_OK; s++) {
        char path[4096];
        if (stages[s].shape != SHAPE_TRIANGLES && stages[s].shape != draws->work->shape) continue;
        snprintf(path, sizeof path, "%s.%s.tgsi", prefix, stages[s].suffix);
        result = read_program(context, path, options, &draws->programs[stages[s].stage]);
    }
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
    draws->dynamic.patch_vertices = PATCH_CORNERS;
    draws->dynamic.scissors[0] = (struct sch_scissor){.right = FIRST_SIDE, .bottom = FIRST_SIDE};
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

struct bench_draws *bench_draws_create(struct sch_context *context, const struct workload *workload, const char *prefix,
                                       struct sch_program *fragment, const struct sch_program_options *options,
                                       enum sch_result *result)
{
    struct bench_draws *draws = calloc(1, sizeof *draws);
    *result = SCH_ERROR_MEMORY;
    if (!draws) return NULL;
    draws->work = workload;
    draws->vertices = make_vertices(workload, &draws->count);
    if (draws->vertices) *result = read_programs(context, prefix, options, draws);
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
    const uint32_t few = draws->count < FIRST_VERTICES ? draws->count : FIRST_VERTICES;
    struct sch_draw draw = {.size = sizeof draw,
                            .primitive = primitives[draws->work->shape],
                            .count = first ? few : all,
                            .instance_count = 1};
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
