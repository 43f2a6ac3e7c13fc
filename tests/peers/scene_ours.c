/* Our side of the test of whole pipelines: scenes through the public API. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

struct ours {
    const struct scene *scene;
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_renderer *renderer;
    struct sch_resource *targets[SCENE_TARGETS + 1]; /* the last: depth and stencil */
    struct sch_framebuffer *framebuffer;
    struct sch_program *programs[SCENE_STAGES];
    struct sch_pipeline *pipeline;
    struct sch_vertex_elements *elements;
    struct sch_rasterizer *rasterizer;
    struct sch_depth_stencil_alpha *tests;
    struct sch_blend *blend;
    struct sch_stream_output *stream;
    struct sch_resource *captured;
    struct sch_stream_target *stream_target;
    struct sch_query *queries[SCENE_COUNTS];
};

/* A scene that we refuse is a mistake of the test. */
static void must(const struct ours *o, enum sch_result result, const char *what)
{
    struct sch_diagnostic_info info = {.size = sizeof info};
    if (result == SCH_OK) return;
    printf("Bail out! scene %u (%s), %s: %s\n", (unsigned)o->scene->number, o->scene->family, what,
           sch_result_text(result));
    for (size_t i = 0; sch_diagnostics_get(o->list, i, &info); i++) printf("# %s\n", info.message);
    exit(1);
}

static uint32_t layers_of(const struct scene *scene) { return scene->layers ? scene->layers : 1; }

static const struct scene_format *format_of(const struct scene *scene, unsigned target)
{
    return target < SCENE_TARGETS ? scene->targets[target] : scene->depth;
}

/* ---- targets
 * --------------------------------------------------------------------------------------------------------- */

/* UNSIGNED_INT_24_8 has the stencil in the lowest bits, Z24_UNORM_S8_UINT in the highest. */
static void turn_depth(const struct scene_format *format, uint8_t *texel, bool to_gl)
{
    uint32_t word;
    if (format != &scene_depths[DEPTH_24_8]) return;
    memcpy(&word, texel, sizeof word);
    word = to_gl ? word << 8 | word >> 24 : word >> 8 | word << 24;
    memcpy(texel, &word, sizeof word);
}

static void fill(struct ours *o, unsigned target)
{
    static uint8_t texels[SCENE_PIXELS * 16];
    const struct scene_format *format = format_of(o->scene, target);
    for (uint32_t layer = 0; layer < layers_of(o->scene); layer++)
        for (uint32_t sample = 0; sample < o->scene->samples; sample++) {
            struct sch_transfer transfer = {.size = sizeof transfer, .sample = sample};
            transfer.box = (struct sch_box){0, 0, (int32_t)layer, SCENE_SIDE, SCENE_SIDE, 1};
            for (uint32_t p = 0; p < SCENE_PIXELS; p++) {
                uint8_t texel[16];
                scene_background(o->scene, target, layer, p, texel);
                turn_depth(format, texel, false);
                memcpy(texels + p * format->bytes, texel, format->bytes);
            }
            must(o, sch_resource_write(o->targets[target], &transfer, texels, SCENE_PIXELS * format->bytes, o->list),
                 "a target's background");
        }
}

static struct sch_surface *make_target(struct ours *o, unsigned target)
{
    const struct scene *s = o->scene;
    const struct scene_format *format = format_of(s, target);
    struct sch_surface *surface = NULL;
    if (!format || (target < SCENE_TARGETS && target >= s->target_count)) return NULL;
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = s->samples > 1 ? SCH_TARGET_2D_MSAA
                                                           : s->layers    ? SCH_TARGET_2D_ARRAY
                                                                          : SCH_TARGET_2D,
                                                 .format = format->format,
                                                 .width = SCENE_SIDE,
                                                 .height = SCENE_SIDE,
                                                 .layers = layers_of(s),
                                                 .samples = s->samples};
    must(o, sch_resource_create(o->context, &options, o->list, &o->targets[target]), format->name);
    must(o, sch_surface_create(o->targets[target], NULL, o->list, &surface), format->name);
    fill(o, target);
    return surface;
}

static void make_framebuffer(struct ours *o)
{
    struct sch_framebuffer_options options = {.size = sizeof options};
    for (unsigned t = 0; t < SCENE_TARGETS; t++) options.colors[t] = make_target(o, t);
    options.depth_stencil = make_target(o, SCENE_TARGETS);
    must(o, sch_framebuffer_create(o->context, &options, o->list, &o->framebuffer), "the framebuffer");
    for (unsigned t = 0; t < SCENE_TARGETS; t++) sch_surface_destroy(options.colors[t]);
    sch_surface_destroy(options.depth_stencil);
}

/* ---- programs and state
 * ---------------------------------------------------------------------------------------------- */

static struct sch_program *make_program(struct ours *o, enum sch_stage stage)
{
    static char text[SCENE_TEXT];
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    if (!o->scene->texts[stage]) return NULL;
    scene_text(o->scene, stage, false, text);
    must(o, sch_shader_read(o->context, text, strlen(text), NULL, o->list, &shader), o->scene->texts[stage]->name);
    must(o, sch_program_create(o->context, shader, NULL, o->list, &program), o->scene->texts[stage]->name);
    sch_shader_destroy(shader);
    return program;
}

static void make_stream(struct ours *o)
{
    struct sch_stream_output_options options = {.size = sizeof options, .stride = {12}, .register_count = 3};
    const struct sch_resource_options buffer = {.size = sizeof buffer,
                                                .target = SCH_TARGET_BUFFER,
                                                .format = SCH_FORMAT_R32_FLOAT,
                                                .width = o->scene->capture_floats};
    const struct sch_stream_target_options target = {.size = sizeof target, .resource = o->captured};
    for (uint32_t r = 0; r < 3; r++)
        options.registers[r] = (struct sch_stream_output_register){.output = r, .component_count = 4, .offset = r * 4};
    must(o, sch_stream_output_create(o->context, &options, o->list, &o->stream), "stream output");
    must(o, sch_resource_create(o->context, &buffer, o->list, &o->captured), "the captured");
    struct sch_stream_target_options whole = target;
    whole.resource = o->captured;
    must(o, sch_stream_target_create(o->context, &whole, o->list, &o->stream_target), "the captured");
}

static void make_pipeline(struct ours *o)
{
    for (unsigned s = 0; s < SCENE_STAGES; s++) o->programs[s] = make_program(o, (enum sch_stage)s);
    if (o->scene->capture) make_stream(o);
    const struct sch_pipeline_options options = {.size = sizeof options,
                                                 .vertex = o->programs[SCH_STAGE_VERTEX],
                                                 .tess_ctrl = o->programs[SCH_STAGE_TESS_CTRL],
                                                 .tess_eval = o->programs[SCH_STAGE_TESS_EVAL],
                                                 .geometry = o->programs[SCH_STAGE_GEOMETRY],
                                                 .fragment = o->programs[SCH_STAGE_FRAGMENT],
                                                 .stream_output = o->stream};
    must(o, sch_pipeline_create(o->context, &options, o->list, &o->pipeline), "the pipeline");
}

static void make_state(struct ours *o)
{
    const struct scene *s = o->scene;
    struct sch_vertex_element elements[4];
    for (uint32_t e = 0; e < 4; e++)
        elements[e] = (struct sch_vertex_element){.format = SCH_FORMAT_R32G32B32A32_FLOAT,
                                                  .buffer = e == 3,
                                                  .offset = e == 3 ? 0 : 16 * e,
                                                  .stride = e == 3 ? 16 : sizeof(struct scene_corner),
                                                  .divisor = e == 3 ? s->divisor : 0};
    if (!s->divisor) elements[3].stride = 0; /* the first for all vertices */
    must(o, sch_vertex_elements_create(o->context, elements, 4, sizeof *elements, o->list, &o->elements), "elements");
    must(o, sch_rasterizer_create(o->context, &s->rasterizer, o->list, &o->rasterizer), "rasterizer");
    must(o, sch_depth_stencil_alpha_create(o->context, &s->tests, o->list, &o->tests), "tests");
    must(o, sch_blend_create(o->context, &s->blend, o->list, &o->blend), "blend");
}

static void set_viewports(const struct scene *s, struct sch_dynamic_state *dynamic)
{
    *dynamic = s->dynamic;
    for (unsigned n = 0; n < SCENE_VIEWPORTS; n++) {
        const struct scene_window *w = &s->windows[n];
        dynamic->viewports[n] =
            (struct sch_viewport){.scale = {w->width / 2, w->height / 2, (w->far - w->near) / 2},
                                  .translate = {w->x + w->width / 2, w->y + w->height / 2, (w->far + w->near) / 2}};
    }
}

/* ---- drawing
 * ---------------------------------------------------------------------------------------------------------- */

static void make_queries(struct ours *o)
{
    static const enum sch_query_kind kinds[SCENE_COUNTS] = {SCH_QUERY_OCCLUSION_COUNTER, SCH_QUERY_PRIMITIVES_GENERATED,
                                                            SCH_QUERY_PRIMITIVES_EMITTED};
    for (unsigned q = 0; q < SCENE_COUNTS; q++) {
        must(o, sch_query_create(o->context, kinds[q], 0, &o->queries[q]), "a query");
        must(o, sch_renderer_begin_query(o->renderer, o->queries[q]), "a query");
    }
}

static void run_draws(struct ours *o)
{
    const struct scene *s = o->scene;
    static uint8_t indices[SCENE_INDICES * 4];
    struct sch_dynamic_state dynamic;
    const struct sch_vertex_buffer buffers[] = {
        {.memory = s->vertices, .memory_bytes = (s->vertex_count + 4) * sizeof *s->vertices},
        {.memory = s->instances, .memory_bytes = sizeof s->instances}};
    struct sch_draw_state state = {.size = sizeof state,
                                   .pipeline = o->pipeline,
                                   .framebuffer = o->framebuffer,
                                   .vertex_elements = o->elements,
                                   .vertex_buffers = buffers,
                                   .vertex_buffer_count = 2,
                                   .vertex_buffer_stride = sizeof *buffers,
                                   .rasterizer = o->rasterizer,
                                   .depth_stencil_alpha = o->tests,
                                   .blend = o->blend,
                                   .dynamic = &dynamic,
                                   .stream_targets = {o->stream_target}};
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1, .diagnostics = o->list};
    set_viewports(s, &dynamic);
    for (uint32_t d = 0; d < s->draw_count; d++) {
        struct sch_draw draw = s->draws[d];
        for (uint32_t i = 0; draw.index_bytes && i < s->index_count; i++)
            memcpy(indices + i * draw.index_bytes, &s->indices[i], draw.index_bytes);
        draw.indices = (struct sch_vertex_buffer){.memory = indices, .memory_bytes = s->index_count * draw.index_bytes};
        must(o, sch_renderer_draw(o->renderer, &state, &draw, &options, NULL), "a draw");
    }
    must(o, sch_renderer_flush(o->renderer, NULL), "flush");
}

/* ---- answers
 * ---------------------------------------------------------------------------------------------------------- */

static void read_target(struct ours *o, unsigned target, uint32_t layer, uint32_t sample, struct scene_answer *answer)
{
    static uint8_t texels[SCENE_PIXELS * 16];
    const struct scene_format *format = format_of(o->scene, target);
    struct sch_transfer transfer = {.size = sizeof transfer, .sample = sample};
    transfer.box = (struct sch_box){0, 0, (int32_t)layer, SCENE_SIDE, SCENE_SIDE, 1};
    must(o, sch_resource_read(o->targets[target], &transfer, texels, SCENE_PIXELS * format->bytes, o->list), "reading");
    for (uint32_t p = 0; p < SCENE_PIXELS; p++) {
        double value[4];
        turn_depth(format, texels + p * format->bytes, true);
        scene_decode(format, texels + p * format->bytes, value);
        if (target < SCENE_TARGETS)
            memcpy(answer->color[target][layer][sample][p], value, sizeof value);
        else {
            answer->depth[layer][sample][p] = value[0];
            answer->stencil[layer][sample][p] = (uint8_t)value[1];
        }
    }
}

static void read_answer(struct ours *o, struct scene_answer *answer)
{
    const struct scene *s = o->scene;
    for (unsigned q = 0; q < SCENE_COUNTS; q++) {
        struct sch_query_result result;
        must(o, sch_renderer_end_query(o->renderer, o->queries[q]), "a query");
        must(o, sch_query_get_result(o->queries[q], &result), "a query");
        answer->counts[q] = result.values[0];
    }
    for (unsigned t = 0; t <= SCENE_TARGETS; t++)
        for (uint32_t layer = 0; o->targets[t] && layer < layers_of(s); layer++)
            for (uint32_t sample = 0; sample < s->samples; sample++) read_target(o, t, layer, sample, answer);
    if (s->capture)
        must(o, sch_resource_read_all(o->captured, answer->captured, s->capture_floats * sizeof *answer->captured),
             "reading what was captured");
}

static void destroy(struct ours *o)
{
    for (unsigned q = 0; q < SCENE_COUNTS; q++) sch_query_destroy(o->queries[q]);
    sch_stream_target_destroy(o->stream_target);
    sch_resource_destroy(o->captured);
    sch_pipeline_destroy(o->pipeline);
    sch_stream_output_destroy(o->stream);
    for (unsigned s = 0; s < SCENE_STAGES; s++) sch_program_destroy(o->programs[s]);
    sch_vertex_elements_destroy(o->elements);
    sch_rasterizer_destroy(o->rasterizer);
    sch_depth_stencil_alpha_destroy(o->tests);
    sch_blend_destroy(o->blend);
    sch_framebuffer_destroy(o->framebuffer);
    for (unsigned t = 0; t <= SCENE_TARGETS; t++) sch_resource_destroy(o->targets[t]);
    sch_renderer_destroy(o->renderer);
    sch_diagnostics_destroy(o->list);
    sch_context_destroy(o->context);
}

void scene_draw_ours(const struct scene *scene, struct scene_answer *answer)
{
    struct ours o = {.scene = scene};
    memset(answer->captured, 0, sizeof answer->captured);
    if (sch_context_create(NULL, &o.context) != SCH_OK || sch_diagnostics_create(o.context, &o.list) != SCH_OK) abort();
    must(&o, sch_renderer_create(o.context, &o.renderer), "the renderer");
    make_framebuffer(&o);
    make_pipeline(&o);
    make_state(&o);
    make_queries(&o);
    run_draws(&o);
    read_answer(&o, answer);
    destroy(&o);
}
