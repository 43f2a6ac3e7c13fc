/* Memory that is refused: every single request that making objects of draws, drawing, clearing and asking makes of the
 * allocator is refused once. The answer is MEMORY, nothing is lost, and with one request more it goes on. A renderer
 * that was refused memory draws as before when there is some again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../support/counting.h"

static struct counting counting;

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                                  "MOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nEND\n";
static const char fragment_text[] = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL CONST[0][0]\nDCL OUT[0], COLOR\n"
                                    "ADD OUT[0], IN[0], CONST[0][0]\nEND\n";

/* Its vertices go on stream 0, and a point on stream 1. */
static const char geometry_text[] =
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 6\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL OUT[0], POSITION\n"
    "DCL OUT[1], GENERIC[0]\nIMM[0] UINT32 {0, 1, 0, 0}\n"
    "MOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\nEMIT IMM[0].yyyy\n"
    "MOV OUT[0], IN[1][0]\nMOV OUT[1], IN[1][1]\nEMIT IMM[0].xxxx\nEMIT IMM[0].yyyy\n"
    "MOV OUT[0], IN[2][0]\nMOV OUT[1], IN[2][1]\nEMIT IMM[0].xxxx\nEMIT IMM[0].yyyy\nEND\n";

enum { SIDE = 16, STAGES = 3, TARGETS = 2 };

/* What the steps make. */
struct world {
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *shaders[STAGES];
    struct sch_program *programs[STAGES];
    struct sch_pipeline *pipeline, *without;
    struct sch_resource *color, *depth, *buffer;
    struct sch_surface *surfaces[2];
    struct sch_framebuffer *framebuffer;
    struct sch_vertex_elements *elements;
    struct sch_rasterizer *rasterizer;
    struct sch_depth_stencil_alpha *tests;
    struct sch_blend *blend;
    struct sch_stream_output *stream_output;
    struct sch_stream_target *targets[TARGETS];
    struct sch_renderer *renderer;
    struct sch_query *query;
    struct sch_pixel_history *history;
    struct sch_fence *fence;
};

static enum sch_result make_streams(struct world *w)
{
    static const struct sch_stream_output_options layout = {
        .size = sizeof layout,
        .stride = {4, 4},
        .register_count = 2,
        .registers = {{.component_count = 4}, {.output = 1, .component_count = 4, .buffer = 1, .stream = 1}}};
    const struct sch_resource_options words = {
        .size = sizeof words, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R32_UINT, .width = 256};
    enum sch_result result = sch_stream_output_create(w->context, &layout, w->list, &w->stream_output);
    if (result == SCH_OK) result = sch_resource_create(w->context, &words, w->list, &w->buffer);
    for (unsigned t = 0; t < TARGETS && result == SCH_OK; t++) {
        const struct sch_stream_target_options range = {
            .size = sizeof range, .resource = w->buffer, .offset = 512 * t, .bytes = 512};
        result = sch_stream_target_create(w->context, &range, w->list, &w->targets[t]);
    }
    return result;
}

static enum sch_result make_programs(struct world *w)
{
    static const char *const texts[STAGES] = {vertex_text, fragment_text, geometry_text};
    const struct sch_read_options read = {.size = sizeof read, .kind = SCH_KIND_TGSI};
    const struct sch_program_options interpreted = {.size = sizeof interpreted, .engine = SCH_ENGINE_INTERPRETER};
    enum sch_result result = SCH_OK;
    for (unsigned i = 0; i < STAGES && result == SCH_OK; i++) {
        result = sch_shader_read(w->context, texts[i], strlen(texts[i]), &read, w->list, &w->shaders[i]);
        if (result == SCH_OK)
            result = sch_program_create(w->context, w->shaders[i], &interpreted, w->list, &w->programs[i]);
    }
    struct sch_pipeline_options options = {.size = sizeof options, .vertex = w->programs[0]};
    if (result == SCH_OK) result = sch_pipeline_create(w->context, &options, w->list, &w->without);
    options.fragment = w->programs[1];
    options.geometry = w->programs[2];
    options.stream_output = w->stream_output;
    return result == SCH_OK ? sch_pipeline_create(w->context, &options, w->list, &w->pipeline) : result;
}

static enum sch_result make_framebuffer(struct world *w)
{
    struct sch_resource_options picture = {.size = sizeof picture,
                                           .target = SCH_TARGET_2D,
                                           .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                           .width = SIDE,
                                           .height = SIDE};
    enum sch_result result = sch_resource_create(w->context, &picture, w->list, &w->color);
    picture.format = SCH_FORMAT_Z24_UNORM_S8_UINT;
    if (result == SCH_OK) result = sch_resource_create(w->context, &picture, w->list, &w->depth);
    if (result == SCH_OK) result = sch_surface_create(w->color, NULL, w->list, &w->surfaces[0]);
    if (result == SCH_OK) result = sch_surface_create(w->depth, NULL, w->list, &w->surfaces[1]);
    const struct sch_framebuffer_options options = {
        .size = sizeof options, .colors = {w->surfaces[0]}, .depth_stencil = w->surfaces[1]};
    return result == SCH_OK ? sch_framebuffer_create(w->context, &options, w->list, &w->framebuffer) : result;
}

static enum sch_result make_states(struct world *w)
{
    const struct sch_vertex_element element = {.format = SCH_FORMAT_R32G32B32A32_FLOAT, .stride = 16};
    enum sch_result result = sch_vertex_elements_create(w->context, &element, 1, sizeof element, w->list, &w->elements);
    if (result == SCH_OK) result = sch_rasterizer_create(w->context, NULL, w->list, &w->rasterizer);
    if (result == SCH_OK) result = sch_depth_stencil_alpha_create(w->context, NULL, w->list, &w->tests);
    if (result == SCH_OK) result = sch_blend_create(w->context, NULL, w->list, &w->blend);
    if (result == SCH_OK) result = sch_renderer_create(w->context, &w->renderer);
    if (result == SCH_OK) result = sch_query_create(w->context, SCH_QUERY_OCCLUSION_COUNTER, 0, &w->query);
    const struct sch_pixel_history_options pixel = {.size = sizeof pixel, .x = 1, .y = 1};
    if (result == SCH_OK) result = sch_pixel_history_create(w->color, &pixel, w->list, &w->history);
    return result;
}

/* Two triangles over the lower left half of the picture, the second one cut by the guard band's planes. */
static enum sch_result draw(struct world *w, const struct sch_pipeline *pipeline)
{
    static const float vertices[6][4] = {{-1, -1, 0, 1},     {1, -1, 0, 1},    {-1, 1, 0, 1},
                                         {-1, -1, -0.5f, 1}, {8e4f, -1, 0, 1}, {-1, 1, 0, 1}};
    static const float color[4] = {1, 0, 0, 1};
    const struct sch_constant_buffer constants = {color, sizeof color};
    const struct sch_bindings bindings = {.size = sizeof bindings, .constants = &constants, .constant_count = 1};
    const struct sch_vertex_buffer buffer = {.memory = vertices, .memory_bytes = sizeof vertices};
    struct sch_draw_state state = {.size = sizeof state,
                                   .pipeline = pipeline,
                                   .framebuffer = w->framebuffer,
                                   .vertex_elements = w->elements,
                                   .vertex_buffers = &buffer,
                                   .vertex_buffer_count = 1,
                                   .vertex_buffer_stride = sizeof buffer,
                                   .rasterizer = w->rasterizer,
                                   .depth_stencil_alpha = w->tests,
                                   .blend = w->blend};
    const struct sch_draw call = {
        .size = sizeof call, .primitive = SCH_PRIMITIVE_TRIANGLES, .count = 6, .instance_count = 1};
    state.bindings[SCH_STAGE_FRAGMENT] = &bindings;
    memcpy(state.stream_targets, w->targets, sizeof w->targets);
    return sch_renderer_draw(w->renderer, &state, &call, NULL, NULL);
}

/* Draws, and where that was refused a second time, which must go well. */
static enum sch_result draw_twice(struct world *w)
{
    struct sch_query_result counted;
    assert_int_equal(sch_renderer_begin_query(w->renderer, w->query), SCH_OK);
    enum sch_result result = draw(w, w->pipeline);
    if (result == SCH_OK) result = draw(w, w->without);
    assert_int_equal(sch_renderer_end_query(w->renderer, w->query), SCH_OK);
    assert_int_equal(sch_query_get_result(w->query, &counted), SCH_OK);
    if (result != SCH_OK) {
        assert_int_equal(draw(w, w->pipeline), SCH_OK);
        return result;
    }
    assert_true(counted.values[0] > SIDE * SIDE / 2);
    return result;
}

/* Events of a history that grows several times; those that there are stay. */
static enum sch_result draw_recorded(struct world *w)
{
    enum { DRAWS = 20 };
    struct sch_pixel_history_info info = {.size = sizeof info};
    struct sch_pixel_sample sample = {.size = sizeof sample};
    enum sch_result result = sch_renderer_record_pixel(w->renderer, w->history);
    for (unsigned n = 0; n < DRAWS && result == SCH_OK; n++) result = draw(w, w->pipeline);
    assert_int_equal(sch_pixel_history_get_info(w->history, &info), SCH_OK);
    if (result == SCH_OK) assert_int_equal(info.event_count, 2 * DRAWS);
    for (uint32_t n = 0; n < info.event_count; n++) {
        assert_int_equal(sch_pixel_history_get_sample(w->history, n, 0, &sample), SCH_OK);
        assert_true(sample.outcome == SCH_PIXEL_PASSED || (result != SCH_OK && n + 2 >= info.event_count));
    }
    if (result != SCH_OK) assert_int_equal(draw(w, w->pipeline), SCH_OK);
    return result;
}

static enum sch_result clear_and_flush(struct world *w)
{
    const struct sch_framebuffer_clear clear = {.size = sizeof clear,
                                                .parts = SCH_PART_COLOR | SCH_PART_DEPTH | SCH_PART_STENCIL};
    const struct sch_blit turned = {.size = sizeof turned, .box = {SIDE, 0, 0, -SIDE, SIDE, 1}};
    enum sch_result result = sch_renderer_clear(w->renderer, w->framebuffer, &clear, w->list);
    if (result == SCH_OK) result = sch_renderer_blit(w->renderer, w->color, w->color, &turned, true, w->list);
    return result == SCH_OK ? sch_renderer_flush(w->renderer, &w->fence) : result;
}

/* States and pipelines go before the programs, framebuffers before or after their surfaces. */
static void destroy(struct world *w)
{
    sch_resource_destroy(w->color);
    sch_resource_destroy(w->depth);
    sch_fence_destroy(w->fence);
    if (w->renderer) sch_renderer_record_pixel(w->renderer, NULL);
    sch_pixel_history_destroy(w->history);
    sch_query_destroy(w->query);
    sch_surface_destroy(w->surfaces[0]);
    sch_framebuffer_destroy(w->framebuffer);
    sch_surface_destroy(w->surfaces[1]);
    sch_renderer_destroy(w->renderer);
    sch_pipeline_destroy(w->pipeline);
    sch_pipeline_destroy(w->without);
    for (unsigned i = 0; i < STAGES; i++) {
        sch_program_destroy(w->programs[i]);
        sch_shader_destroy(w->shaders[i]);
    }
    sch_vertex_elements_destroy(w->elements);
    sch_rasterizer_destroy(w->rasterizer);
    sch_depth_stencil_alpha_destroy(w->tests);
    sch_blend_destroy(w->blend);
    sch_stream_output_destroy(w->stream_output);
    sch_resource_destroy(w->buffer);
    for (unsigned t = 0; t < TARGETS; t++) sch_stream_target_destroy(w->targets[t]);
    sch_diagnostics_destroy(w->list);
    sch_context_destroy(w->context);
}

static enum sch_result live(const struct sch_allocator *memory)
{
    struct world w = {0};
    const struct sch_context_options options = {.size = sizeof options, .memory = memory};
    enum sch_result result = sch_context_create(&options, &w.context);
    if (result == SCH_OK) result = sch_diagnostics_create(w.context, &w.list);
    if (result == SCH_OK) result = make_streams(&w);
    if (result == SCH_OK) result = make_programs(&w);
    if (result == SCH_OK) result = make_framebuffer(&w);
    if (result == SCH_OK) result = make_states(&w);
    if (result == SCH_OK) result = draw_twice(&w);
    if (result == SCH_OK) result = draw_recorded(&w);
    if (result == SCH_OK) result = clear_and_flush(&w);
    destroy(&w);
    return result;
}

static void every_request_may_be_refused(void **state)
{
    (void)state;
    const struct sch_allocator memory = counting_callbacks(&counting);
    long requests = 0;
    for (;; requests++) {
        counting = (struct counting){.fail_at = requests + 1};
        const enum sch_result result = live(&memory);
        if (counting.live != 0) fail_msg("request %ld: %ld blocks are lost", requests, (long)counting.live);
        if (counting.calls < counting.fail_at) { /* none was refused */
            assert_int_equal(result, SCH_OK);
            break;
        }
        if (result != SCH_ERROR_MEMORY) fail_msg("request %ld: %s", requests, sch_result_text(result));
    }
    print_message("# %ld requests\n", requests);
    assert_true(requests > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_be_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
