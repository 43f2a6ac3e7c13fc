/* See draw_points.h. */
#include "draw_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                                  "DCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL SV[2], DRAWID\n"
                                  "DCL SV[3], BASEINSTANCE\nDCL TEMP[0]\nIMM[0] UINT32 {1, 1, 1, 1}\n"
                                  "MOV OUT[0], IN[0]\nMOV TEMP[0].x, SV[0].xxxx\nMOV TEMP[0].y, SV[1].xxxx\n"
                                  "MOV TEMP[0].z, SV[2].xxxx\nMOV TEMP[0].w, SV[3].xxxx\n"
                                  "UADD OUT[1], TEMP[0], IMM[0]\nEND\n";
static const char fragment_text[] =
    "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

static void make_framebuffer(struct points *points)
{
    const struct sch_resource_options picture = {.size = sizeof picture,
                                                 .target = SCH_TARGET_2D,
                                                 .format = SCH_FORMAT_R32G32B32A32_UINT,
                                                 .width = POINTS_SIDE,
                                                 .height = POINTS_SIDE};
    struct sch_surface *surface;
    assert_int_equal(sch_resource_create(points->context, &picture, NULL, &points->picture), SCH_OK);
    assert_int_equal(sch_surface_create(points->picture, NULL, NULL, &surface), SCH_OK);
    const struct sch_framebuffer_options options = {.size = sizeof options, .colors = {surface}};
    assert_int_equal(sch_framebuffer_create(points->context, &options, NULL, &points->framebuffer), SCH_OK);
    sch_surface_destroy(surface);
}

static void make_vertices(struct points *points)
{
    const struct sch_vertex_element element = {.format = SCH_FORMAT_R32G32B32A32_FLOAT,
                                               .stride = sizeof *points->positions};
    for (unsigned v = 0; v < POINTS_VERTICES; v++) {
        const float half = (float)POINTS_SIDE / 2;
        points->positions[v][0] = ((float)(v % POINTS_SIDE) + 0.5f) / half - 1;
        points->positions[v][1] = ((float)(v / POINTS_SIDE) + 0.5f) / half - 1;
        points->positions[v][3] = 1;
    }
    points->buffer = (struct sch_vertex_buffer){.memory = points->positions, .memory_bytes = sizeof points->positions};
    assert_int_equal(sch_vertex_elements_create(points->context, &element, 1, sizeof element, NULL, &points->elements),
                     SCH_OK);
}

static void begin(struct points *points, const char *fragment)
{
    assert_int_equal(sch_diagnostics_create(points->context, &points->list), SCH_OK);
    assert_int_equal(sch_renderer_create(points->context, &points->renderer), SCH_OK);
    points->vertex = api_default_program(points->context, vertex_text);
    points->fragment = api_default_program(points->context, fragment ? fragment : fragment_text);
    const struct sch_pipeline_options options = {
        .size = sizeof options, .vertex = points->vertex, .fragment = points->fragment};
    assert_int_equal(sch_pipeline_create(points->context, &options, NULL, &points->pipeline), SCH_OK);
    make_framebuffer(points);
    make_vertices(points);
    points->state = (struct sch_draw_state){.size = sizeof points->state,
                                            .pipeline = points->pipeline,
                                            .framebuffer = points->framebuffer,
                                            .vertex_elements = points->elements,
                                            .vertex_buffers = &points->buffer,
                                            .vertex_buffer_count = 1,
                                            .vertex_buffer_stride = sizeof points->buffer};
}

void points_begin(struct points *points, const char *fragment)
{
    memset(points, 0, sizeof *points);
    points->context = api_context();
    begin(points, fragment);
}

void points_begin_limited(struct points *points, const struct sch_limit_options *limits)
{
    const struct sch_context_options options = {.size = sizeof options, .limits = limits};
    memset(points, 0, sizeof *points);
    assert_int_equal(sch_context_create(&options, &points->context), SCH_OK);
    begin(points, NULL);
}

void points_end(struct points *points)
{
    sch_framebuffer_destroy(points->framebuffer);
    sch_resource_destroy(points->picture);
    sch_vertex_elements_destroy(points->elements);
    sch_pipeline_destroy(points->pipeline);
    sch_program_destroy(points->vertex);
    sch_program_destroy(points->fragment);
    sch_renderer_destroy(points->renderer);
    sch_diagnostics_destroy(points->list);
    sch_context_destroy(points->context);
}

struct sch_draw points_draw(uint32_t start, uint32_t count)
{
    return (struct sch_draw){.size = sizeof(struct sch_draw),
                             .primitive = SCH_PRIMITIVE_POINTS,
                             .start = start,
                             .count = count,
                             .instance_count = 1};
}

void points_run(struct points *points, const struct sch_draw *draw)
{
    assert_int_equal(sch_renderer_draw(points->renderer, &points->state, draw, NULL, NULL), SCH_OK);
}

void points_read(const struct points *points, uint32_t words[POINTS_VERTICES][4])
{
    const struct sch_transfer all = {.size = sizeof all};
    const size_t bytes = POINTS_VERTICES * sizeof *words;
    assert_int_equal(sch_resource_read(points->picture, &all, words, bytes, NULL), SCH_OK);
}

void points_clear(struct points *points) { assert_int_equal(sch_resource_clear(points->picture, NULL, NULL), SCH_OK); }

void points_told(struct points *points, unsigned number, const char *what)
{
    struct sch_diagnostic_info told = {.size = sizeof told};
    const size_t count = sch_diagnostics_count(points->list);
    assert_true(count > 0);
    assert_true(sch_diagnostics_get(points->list, count - 1, &told));
    assert_int_equal(told.code, number);
    if (!strstr(told.message, what)) fail_msg("\"%s\" does not say \"%s\"", told.message, what);
    sch_diagnostics_destroy(points->list); /* the next report is the first of another one */
    assert_int_equal(sch_diagnostics_create(points->context, &points->list), SCH_OK);
}

struct sch_resource *points_buffer(struct points *points, const uint32_t *words, uint32_t count)
{
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R32_UINT, .width = count};
    struct sch_resource *made;
    assert_int_equal(sch_resource_create(points->context, &options, NULL, &made), SCH_OK);
    assert_int_equal(sch_resource_write_all(made, words, count * sizeof *words), SCH_OK);
    return made;
}
