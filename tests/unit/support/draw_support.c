/* See draw_support.h. */
#include "draw_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "api_program.h"

const char draw_plain_vertex[] = "VERT\n"
                                 "DCL IN[0]\n"
                                 "DCL IN[1]\n"
                                 "DCL OUT[0], POSITION\n"
                                 "DCL OUT[1], GENERIC[0]\n"
                                 "MOV OUT[0], IN[0]\n"
                                 "MOV OUT[1], IN[1]\n"
                                 "END\n";
const char draw_plain_fragment[] = "FRAG\n"
                                   "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                   "DCL OUT[0], COLOR\n"
                                   "MOV OUT[0], IN[0]\n"
                                   "END\n";

/* ---- making ---- */

static struct sch_resource *make_resource(const struct draw_scene *scene, enum sch_format format)
{
    const struct sch_resource_options options = {
        .size = sizeof options,
        .target = scene->samples > 1 ? SCH_TARGET_2D_MSAA : SCH_TARGET_2D,
        .format = format,
        .width = scene->columns,
        .height = scene->rows,
        .samples = scene->samples,
    };
    struct sch_resource *resource = NULL;
    if (format == SCH_FORMAT_NONE) return NULL;
    assert_int_equal(sch_resource_create(scene->context, &options, NULL, &resource), SCH_OK);
    return resource;
}

static struct sch_surface *make_surface(struct sch_resource *resource)
{
    struct sch_surface *surface = NULL;
    if (resource) assert_int_equal(sch_surface_create(resource, NULL, NULL, &surface), SCH_OK);
    return surface;
}

static void make_framebuffer(struct draw_scene *scene)
{
    struct sch_framebuffer_options options = {.size = sizeof options};
    options.width = scene->columns;
    options.height = scene->rows;
    options.samples = scene->samples;
    options.colors[0] = make_surface(scene->color);
    options.depth_stencil = make_surface(scene->depth);
    assert_int_equal(sch_framebuffer_create(scene->context, &options, NULL, &scene->framebuffer), SCH_OK);
    sch_surface_destroy(options.colors[0]);
    sch_surface_destroy(options.depth_stencil);
}

static void set_defaults(struct draw_scene *scene)
{
    scene->rasterizer.size = sizeof scene->rasterizer;
    scene->tests.size = sizeof scene->tests;
    scene->blend.size = sizeof scene->blend;
    scene->dynamic.size = sizeof scene->dynamic;
    scene->dispatch.size = sizeof scene->dispatch;
    sch_rasterizer_options_default(&scene->rasterizer);
    sch_depth_stencil_alpha_options_default(&scene->tests);
    sch_blend_options_default(&scene->blend);
    sch_dynamic_state_default(&scene->dynamic);
    scene->dynamic.viewports[0] =
        (struct sch_viewport){.scale = {(float)scene->columns / 2, (float)scene->rows / 2, 1},
                              .translate = {(float)scene->columns / 2, (float)scene->rows / 2, 0}};
    scene->rasterizer.clip_halfz = true;
    scene->vertex = draw_plain_vertex;
    scene->fragment = draw_plain_fragment;
}

void draw_begin(struct draw_scene *scene, uint32_t columns, uint32_t rows, uint32_t samples, enum sch_format color,
                enum sch_format depth)
{
    draw_begin_in(scene, api_context(), columns, rows, samples, color, depth);
}

void draw_begin_in(struct draw_scene *scene, struct sch_context *context, uint32_t columns, uint32_t rows,
                   uint32_t samples, enum sch_format color, enum sch_format depth)
{
    *scene = (struct draw_scene){.columns = columns, .rows = rows, .samples = samples};
    scene->context = context;
    assert_int_equal(sch_renderer_create(scene->context, &scene->renderer), SCH_OK);
    scene->color = make_resource(scene, color);
    scene->depth = make_resource(scene, depth);
    make_framebuffer(scene);
    set_defaults(scene);
}

void draw_end(struct draw_scene *scene)
{
    sch_framebuffer_destroy(scene->framebuffer);
    sch_resource_destroy(scene->color);
    sch_resource_destroy(scene->depth);
    sch_renderer_destroy(scene->renderer);
    sch_context_destroy(scene->context);
}

void draw_vertices(struct draw_scene *scene, const float *vertices, uint32_t count, uint32_t registers)
{
    scene->element_count = registers;
    for (uint32_t r = 0; r < registers; r++)
        scene->elements[r] = (struct sch_vertex_element){
            .format = SCH_FORMAT_R32G32B32A32_FLOAT, .offset = 16 * r, .stride = 16 * registers};
    scene->buffers[0] = (struct sch_vertex_buffer){.memory = vertices, .memory_bytes = (size_t)count * registers * 16};
    scene->buffer_count = 1;
}

/* ---- drawing ---- */

/* The objects of one draw. */
struct objects {
    struct sch_program *vertex, *tess_ctrl, *tess_eval, *geometry, *fragment;
    struct sch_stream_output *stream_output;
    struct sch_pipeline *pipeline;
    struct sch_vertex_elements *elements;
    struct sch_rasterizer *rasterizer;
    struct sch_depth_stencil_alpha *tests;
    struct sch_blend *blend;
};

static struct sch_program *make_program(const struct draw_scene *scene, const char *text)
{
    enum sch_result why = SCH_OK;
    if (!text) return NULL;
    struct sch_program *made = api_program_on(scene->context, text, strlen(text), scene->engine, scene->width, &why);
    if (!made) fail_msg("%s: %s", sch_result_text(why), text);
    return made;
}

static void make_objects(const struct draw_scene *scene, struct objects *made)
{
    made->vertex = make_program(scene, scene->vertex);
    made->tess_ctrl = make_program(scene, scene->tess_ctrl);
    made->tess_eval = make_program(scene, scene->tess_eval);
    made->geometry = make_program(scene, scene->geometry);
    made->fragment = make_program(scene, scene->fragment);
    if (scene->stream_layout)
        assert_int_equal(sch_stream_output_create(scene->context, scene->stream_layout, NULL, &made->stream_output),
                         SCH_OK);
    const struct sch_pipeline_options options = {.size = sizeof options,
                                                 .stream_output = made->stream_output,
                                                 .vertex = made->vertex,
                                                 .tess_ctrl = made->tess_ctrl,
                                                 .tess_eval = made->tess_eval,
                                                 .geometry = made->geometry,
                                                 .fragment = made->fragment};
    assert_int_equal(sch_pipeline_create(scene->context, &options, NULL, &made->pipeline), SCH_OK);
    assert_int_equal(sch_vertex_elements_create(scene->context, scene->elements, scene->element_count,
                                                sizeof scene->elements[0], NULL, &made->elements),
                     SCH_OK);
    assert_int_equal(sch_rasterizer_create(scene->context, &scene->rasterizer, NULL, &made->rasterizer), SCH_OK);
    assert_int_equal(sch_depth_stencil_alpha_create(scene->context, &scene->tests, NULL, &made->tests), SCH_OK);
    assert_int_equal(sch_blend_create(scene->context, &scene->blend, NULL, &made->blend), SCH_OK);
}

static void destroy_objects(struct objects *made)
{
    sch_pipeline_destroy(made->pipeline);
    sch_stream_output_destroy(made->stream_output);
    sch_program_destroy(made->vertex);
    sch_program_destroy(made->tess_ctrl);
    sch_program_destroy(made->tess_eval);
    sch_program_destroy(made->geometry);
    sch_program_destroy(made->fragment);
    sch_vertex_elements_destroy(made->elements);
    sch_rasterizer_destroy(made->rasterizer);
    sch_depth_stencil_alpha_destroy(made->tests);
    sch_blend_destroy(made->blend);
}

enum sch_result draw_try(struct draw_scene *scene, const struct sch_draw *draw)
{
    struct objects made = {.vertex = NULL};
    make_objects(scene, &made);
    struct sch_draw_state state = {.size = sizeof state,
                                   .pipeline = made.pipeline,
                                   .framebuffer = scene->framebuffer,
                                   .vertex_elements = made.elements,
                                   .vertex_buffers = scene->buffers,
                                   .vertex_buffer_count = scene->buffer_count,
                                   .vertex_buffer_stride = sizeof scene->buffers[0],
                                   .rasterizer = made.rasterizer,
                                   .depth_stencil_alpha = made.tests,
                                   .blend = made.blend,
                                   .dynamic = &scene->dynamic};
    memcpy(state.bindings, scene->bindings, sizeof state.bindings);
    memcpy(state.stream_targets, scene->stream_targets, sizeof state.stream_targets);
    scene->report = (struct sch_dispatch_report){.size = sizeof scene->report};
    if (scene->between) {
        sch_renderer_draw(scene->renderer, &state, draw, &scene->dispatch, NULL);
        scene->between(scene->between_user);
    }
    const enum sch_result result = sch_renderer_draw(scene->renderer, &state, draw, &scene->dispatch, &scene->report);
    destroy_objects(&made);
    return result;
}

void draw(struct draw_scene *scene, enum sch_primitive primitive, uint32_t count)
{
    const struct sch_draw draw = {.size = sizeof draw, .primitive = primitive, .count = count, .instance_count = 1};
    assert_int_equal(draw_try(scene, &draw), SCH_OK);
}

/* ---- looking ---- */

void draw_read(const struct draw_scene *scene, const struct sch_resource *from, uint32_t x, uint32_t y, uint32_t sample,
               uint32_t word[4])
{
    const struct sch_transfer transfer = {
        .size = sizeof transfer, .sample = sample, .box = {(int32_t)x, (int32_t)y, 0, 1, 1, 1}};
    (void)scene;
    memset(word, 0, 4 * sizeof *word);
    assert_int_equal(sch_resource_read(from, &transfer, word, 4 * sizeof *word, NULL), SCH_OK);
}

uint32_t draw_pixel(const struct draw_scene *scene, uint32_t x, uint32_t y)
{
    uint32_t word[4];
    draw_read(scene, scene->color, x, y, 0, word);
    return word[0];
}

void draw_clear(struct draw_scene *scene, const float color[4], double depth, uint32_t stencil)
{
    struct sch_framebuffer_clear clear = {.size = sizeof clear, .depth = depth, .stencil = stencil};
    clear.parts = (scene->color ? SCH_PART_COLOR : 0) | (scene->depth ? SCH_PART_DEPTH | SCH_PART_STENCIL : 0);
    memcpy(clear.color.f, color, sizeof clear.color.f);
    assert_int_equal(sch_renderer_clear(scene->renderer, scene->framebuffer, &clear, NULL), SCH_OK);
}

float draw_at(double pixels, uint32_t side) { return (float)(pixels * 2 / side - 1); }
