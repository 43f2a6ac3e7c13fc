/* Calls of renderers: what draws and clears refuse, several draws in a call, numbers that come from buffers, what ends
 * a call early, which pixels clears reach, and draws that read what they write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/api_program.h"
#include "draw_points.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- refusals ---- */

static enum sch_result try_draw(struct points *points, const struct sch_draw_state *state, const struct sch_draw *draw)
{
    const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = points->list};
    return sch_renderer_draw(points->renderer, state, draw, &options, NULL);
}

static void assert_refused(struct points *points, const struct sch_draw_state *state, const struct sch_draw *draw,
                           const char *told)
{
    assert_int_equal(try_draw(points, state, draw), SCH_ERROR_ARGUMENT);
    points_told(points, 6300, told);
}

static void draws_say_what_is_wrong(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    const uint32_t zeros[16] = {0};
    struct sch_resource *buffer = points_buffer(&points, zeros, 16);
    const struct sch_draw right = points_draw(0, 1);
    struct sch_draw draw;
#define REFUSED(told, ...)                                                                                             \
    do {                                                                                                               \
        draw = right;                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        assert_refused(&points, &points.state, &draw, told);                                                           \
    } while (0)
    REFUSED("primitive 15", draw.primitive = (enum sch_primitive)15);
    REFUSED("indices of 3 bytes", draw.index_bytes = 3);
    REFUSED("indices of 8 bytes", draw.index_bytes = 8);
    REFUSED("indices is not a BUFFER", (draw.index_bytes = 4, draw.indices.resource = points.picture));
    REFUSED("indices: 4 bytes of no memory", (draw.index_bytes = 4, draw.indices.memory_bytes = 4));
    REFUSED("2 ranges of no array", draw.range_count = 2);
    REFUSED("indirect is not a BUFFER", draw.indirect = points.picture);
    REFUSED("count_buffer is not a BUFFER", (draw.indirect = buffer, draw.count_buffer = points.picture));
    REFUSED("count_buffer without indirect", draw.count_buffer = buffer);
    REFUSED("multiple of 4", (draw.indirect = buffer, draw.indirect_offset = 2));
    REFUSED("multiple of 4", (draw.indirect = buffer, draw.indirect_stride = 18));
    REFUSED("multiple of 4", (draw.indirect = buffer, draw.count_offset = 1));
    const struct sch_draw_range range = {0, 1, 0};
    REFUSED("ranges and indirect", (draw.indirect = buffer, draw.ranges = &range));
    const struct sch_stream_target_options all = {.size = sizeof all, .resource = buffer};
    struct sch_stream_target *target;
    assert_int_equal(sch_stream_target_create(points.context, &all, NULL, &target), SCH_OK);
    REFUSED("count_target with ranges", (draw.count_target = target, draw.ranges = &range));
    REFUSED("count_target with indirect", (draw.count_target = target, draw.indirect = buffer));
    REFUSED("count_target with indices", (draw.count_target = target, draw.index_bytes = 4));
    points.state.stream_targets[1] = points.state.stream_targets[3] = target;
    REFUSED("stream_targets[3] is stream_targets[1], too", (void)0);
    points.state.stream_targets[1] = points.state.stream_targets[3] = NULL;
    sch_stream_target_destroy(target);
    REFUSED("ranges of 11 bytes", (draw.ranges = &range, draw.range_count = 1, draw.range_stride = 11));
#undef REFUSED
    sch_resource_destroy(buffer);
    points_end(&points);
}

static void states_say_what_is_wrong(void **state)
{
    (void)state;
    struct points points, others;
    points_begin(&points, NULL);
    points_begin(&others, NULL);
    struct sch_rasterizer *rasterizer;
    struct sch_depth_stencil_alpha *tests;
    struct sch_blend *blend;
    assert_int_equal(sch_rasterizer_create(others.context, NULL, NULL, &rasterizer), SCH_OK);
    assert_int_equal(sch_depth_stencil_alpha_create(others.context, NULL, NULL, &tests), SCH_OK);
    assert_int_equal(sch_blend_create(others.context, NULL, NULL, &blend), SCH_OK);
    struct sch_dynamic_state dynamic = {.size = sizeof dynamic};
    assert_int_equal(sch_dynamic_state_default(&dynamic), SCH_OK);
    struct sch_vertex_buffer buffers[2] = {points.buffer, {.resource = points.picture}};
    const struct sch_draw draw = points_draw(0, 1);
    struct sch_draw_state given;
#define REFUSED(told, ...)                                                                                             \
    do {                                                                                                               \
        given = points.state;                                                                                          \
        __VA_ARGS__;                                                                                                   \
        assert_refused(&points, &given, &draw, told);                                                                  \
    } while (0)
    REFUSED("no pipeline", given.pipeline = NULL);
    REFUSED("no framebuffer", given.framebuffer = NULL);
    REFUSED("pipeline is of another context", given.pipeline = others.pipeline);
    REFUSED("framebuffer is of another context", given.framebuffer = others.framebuffer);
    REFUSED("vertex_elements is of another context", given.vertex_elements = others.elements);
    REFUSED("rasterizer is of another context", given.rasterizer = rasterizer);
    REFUSED("depth_stencil_alpha is of another context", given.depth_stencil_alpha = tests);
    REFUSED("blend is of another context", given.blend = blend);
    REFUSED("33 vertex buffers", given.vertex_buffer_count = 33);
    REFUSED("1 vertex buffers of no array", given.vertex_buffers = NULL);
    REFUSED("vertex buffers of 1 bytes", given.vertex_buffer_stride = 1);
    REFUSED("a vertex buffer is not a BUFFER", (given.vertex_buffers = buffers, given.vertex_buffer_count = 2));
    buffers[1] = (struct sch_vertex_buffer){.memory_bytes = 1};
    REFUSED("1 bytes of no memory", (given.vertex_buffers = buffers, given.vertex_buffer_count = 2));
    dynamic.viewport_count = 0;
    REFUSED("viewport_count 0", given.dynamic = &dynamic);
    dynamic.viewport_count = 17;
    REFUSED("viewport_count 17", given.dynamic = &dynamic);
    dynamic.viewport_count = 16;
    dynamic.patch_vertices = 33;
    REFUSED("patch_vertices 33", given.dynamic = &dynamic);
    dynamic.size--;
    REFUSED("dynamic state: a size", given.dynamic = &dynamic);
    const struct sch_constant_buffer constants = {NULL, 16};
    const struct sch_bindings bindings = {.size = sizeof bindings, .constants = &constants, .constant_count = 1};
    REFUSED("constants[0]: 16 bytes of no memory", given.bindings[SCH_STAGE_VERTEX] = &bindings);
    REFUSED("constants[0]: 16 bytes of no memory", given.bindings[SCH_STAGE_FRAGMENT] = &bindings);
#undef REFUSED
    given = points.state;
    given.bindings[SCH_STAGE_GEOMETRY] = &bindings; /* of a stage that the pipeline does not have */
    assert_int_equal(try_draw(&points, &given, &draw), SCH_OK);
    sch_rasterizer_destroy(rasterizer);
    sch_depth_stencil_alpha_destroy(tests);
    sch_blend_destroy(blend);
    points_end(&others);
    points_end(&points);
}

static void structs_have_sizes(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    struct sch_draw_state given = points.state;
    struct sch_draw draw = points_draw(0, 1);
    struct sch_dispatch_options options = {.size = 1};
    struct sch_dispatch_report report = {.size = 1};
    struct sch_renderer *renderer = points.renderer, *made = (void *)&made;
    assert_int_equal(sch_renderer_draw(NULL, &given, &draw, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_draw(renderer, NULL, &draw, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_draw(renderer, &given, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_draw(renderer, &given, &draw, &options, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_draw(renderer, &given, &draw, NULL, &report), SCH_ERROR_ARGUMENT);
    given.size--;
    assert_int_equal(sch_renderer_draw(renderer, &given, &draw, NULL, NULL), SCH_ERROR_ARGUMENT);
    given.size++;
    draw.size--;
    assert_int_equal(sch_renderer_draw(renderer, &given, &draw, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_create(NULL, &made), SCH_ERROR_ARGUMENT);
    assert_null(made);
    assert_int_equal(sch_renderer_create(points.context, NULL), SCH_ERROR_ARGUMENT);
    points_end(&points);
}

/* ---- several draws in a call ---- */

/* What pixel v holds: nothing, or the numbers of its vertex. */
static void assert_pixel(uint32_t (*words)[4], unsigned v, bool drawn, uint32_t instance, uint32_t draw_id,
                         uint32_t base_instance)
{
    const uint32_t wanted[4] = {v + 1, instance + 1, draw_id + 1, base_instance + 1}, nothing[4] = {0};
    if (memcmp(words[v], drawn ? wanted : nothing, sizeof wanted))
        fail_msg("pixel %u: %u %u %u %u", v, words[v][0], words[v][1], words[v][2], words[v][3]);
}

static void ranges_are_draws(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    struct {
        struct sch_draw_range range;
        uint32_t newer;
    } ranges[] = {{{3, 2, 0}, 0}, {{0, 0, 0}, 0}, {{60, 1, 0}, 0}};
    struct sch_draw draw = points_draw(20, 20); /* which is not drawn */
    draw.ranges = &ranges[0].range;
    draw.range_count = COUNT(ranges);
    draw.range_stride = sizeof ranges[0];
    draw.draw_id = 7;
    draw.instance_count = 2;
    draw.start_instance = 5;
    points_run(&points, &draw);
    uint32_t words[POINTS_VERTICES][4];
    points_read(&points, words);
    for (unsigned v = 0; v < POINTS_VERTICES; v++)
        assert_pixel(words, v, v == 3 || v == 4 || v == 60, 1, v == 60 ? 9 : 7, 5);

    /* With indices, each range has a bias of its own. */
    points_clear(&points);
    static const uint16_t indices[] = {9, 0, 1, 2};
    const struct sch_draw_range biased[] = {{1, 1, 8}, {2, 2, -1}};
    draw.index_bytes = 2;
    draw.indices = (struct sch_vertex_buffer){.memory = indices, .memory_bytes = sizeof indices};
    draw.ranges = biased;
    draw.range_count = COUNT(biased);
    draw.range_stride = sizeof biased[0];
    points_run(&points, &draw);
    points_read(&points, words);
    for (unsigned v = 0; v < POINTS_VERTICES; v++)
        assert_pixel(words, v, v == 0 || v == 1 || v == 8, 1, v == 8 ? 7 : 8, 5);
    draw.range_count = 0;
    points_clear(&points);
    points_run(&points, &draw);
    points_read(&points, words);
    for (unsigned v = 0; v < POINTS_VERTICES; v++) assert_pixel(words, v, false, 0, 0, 0);
    points_end(&points);
}

/* Commands at words 1, 6, 11 and 16 of a buffer that ends within the last one. */
static void draws_come_from_buffers(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    static const uint32_t words[19] = {~0u, 2, 1, 10, 0, ~0u, 1, 2, 20, 3, ~0u, 3, 1, 30, 1, ~0u, 1, 1, 40};
    static const uint32_t counts[3] = {2, 0, UINT32_MAX};
    struct sch_resource *commands = points_buffer(&points, words, COUNT(words)),
                        *buffer = points_buffer(&points, counts, COUNT(counts));
    static const struct {
        bool counted;
        uint64_t count_offset;
        uint32_t count, drawn; /* indirect_count, and how many commands are executed */
    } cases[] = {{false, 0, 0, 0}, {false, 0, 1, 1}, {false, 0, 3, 3}, {false, 0, 4, 3},   {false, 0, UINT32_MAX, 3},
                 {true, 0, 3, 2},  {true, 0, 1, 1},  {true, 4, 3, 0},  {true, 8, 2, 2},    {true, 8, 9, 3},
                 {true, 12, 3, 0}, {true, 16, 3, 0}, {true, 0, 2, 2},  {true, ~3ull, 3, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_draw draw = points_draw(50, 5); /* which is not drawn */
        draw.indirect = commands;
        draw.indirect_offset = 4;
        draw.indirect_stride = 20;
        draw.indirect_count = cases[i].count;
        draw.count_buffer = cases[i].counted ? buffer : NULL;
        draw.count_offset = cases[i].count_offset;
        draw.draw_id = 100;
        uint32_t seen[POINTS_VERTICES][4];
        points_clear(&points);
        points_run(&points, &draw);
        points_read(&points, seen);
        for (unsigned v = 0; v < POINTS_VERTICES; v++) {
            const unsigned command = v < 20 ? 0 : v < 30 ? 1 : 2;
            const bool inside = v == 10 || v == 11 || v == 20 || (v >= 30 && v < 33);
            static const uint32_t instance[] = {0, 1, 0}, base[] = {0, 3, 1};
            assert_pixel(seen, v, inside && command < cases[i].drawn, instance[command], 100 + command, base[command]);
        }
    }
    struct sch_draw beyond = points_draw(0, 1);
    beyond.indirect = commands;
    beyond.indirect_offset = UINT64_MAX - 3;
    beyond.indirect_count = 2;
    points_run(&points, &beyond);
    sch_resource_destroy(commands);
    sch_resource_destroy(buffer);
    points_end(&points);
}

static void indexed_draws_come_from_buffers(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    /* count, instances, first index, base vertex, base instance; without gaps */
    static const uint32_t words[] = {2, 1, 1, 10, 4, 1, 1, 0, (uint32_t)-5, 0};
    static const uint32_t indices[] = {8, 1, 2};
    struct sch_resource *commands = points_buffer(&points, words, COUNT(words)),
                        *elements = points_buffer(&points, indices, COUNT(indices));
    struct sch_draw draw = points_draw(0, 0);
    draw.index_bytes = 4;
    draw.indices.resource = elements;
    draw.index_bias = 1000;
    draw.indirect = commands;
    draw.indirect_count = 3;
    points_run(&points, &draw);
    uint32_t seen[POINTS_VERTICES][4];
    points_read(&points, seen);
    for (unsigned v = 0; v < POINTS_VERTICES; v++)
        assert_pixel(seen, v, v == 3 || v == 11 || v == 12, 0, v == 3 ? 1 : 0, v == 3 ? 0 : 4);
    sch_resource_destroy(commands);
    sch_resource_destroy(elements);
    points_end(&points);
}

/* What lies beyond a buffer is not read: its vertices are (0, 0, 0, 0), which is nowhere (w), or with an offset beyond
 * all of them are. */
static void buffers_end(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    const struct sch_draw all = points_draw(0, POINTS_VERTICES);
    uint32_t seen[POINTS_VERTICES][4];
    points.buffer.memory_bytes = 5 * sizeof *points.positions + 15;
    points_run(&points, &all);
    points_read(&points, seen);
    for (unsigned v = 0; v < POINTS_VERTICES; v++) assert_pixel(seen, v, v < 5, 0, 0, 0);
    points_clear(&points);
    const uint64_t offsets[] = {points.buffer.memory_bytes, points.buffer.memory_bytes + 1, UINT64_MAX};
    for (size_t i = 0; i < COUNT(offsets); i++) {
        points.buffer.offset = offsets[i];
        points_run(&points, &all);
    }
    points.state.vertex_buffer_count = 0;
    points_run(&points, &all);
    points_read(&points, seen);
    for (unsigned v = 0; v < POINTS_VERTICES; v++) assert_pixel(seen, v, false, 0, 0, 0);
    points_end(&points);
}

/* ---- what ends a call ---- */

static void work_counts_for_all_draws(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    const struct sch_draw_range ranges[] = {{0, 4, 0}, {0, 0, 0}, {8, 4, 0}, {16, 4, 0}, {0, 0, 0}};
    struct sch_draw draw = points_draw(0, 0);
    draw.ranges = ranges;
    draw.range_count = COUNT(ranges);
    draw.range_stride = sizeof ranges[0];
    struct sch_dispatch_options options = {.size = sizeof options};
    struct sch_dispatch_report report = {.size = sizeof report};
    assert_int_equal(sch_renderer_draw(points.renderer, &points.state, &draw, &options, &report), SCH_OK);
    const uint64_t whole = report.instructions;
    assert_true(whole >= 3 * 2);
    for (options.work = 1; options.work <= whole; options.work++) {
        points_clear(&points);
        const enum sch_result result = sch_renderer_draw(points.renderer, &points.state, &draw, &options, &report);
        assert_int_equal(result, options.work < whole ? SCH_ERROR_WORK : SCH_OK);
        assert_int_equal(report.instructions, options.work);
        if (result == SCH_OK) continue;
        assert_true(report.stage == SCH_STAGE_VERTEX || report.stage == SCH_STAGE_FRAGMENT);
        assert_true(report.line > 0);
        assert_false(report.contents_undefined);
    }
    points_end(&points);
}

static void empty_draws_end(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    const struct sch_resource_options zeros = {
        .size = sizeof zeros, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R32_UINT, .width = 1 << 24};
    struct sch_resource *commands;
    assert_int_equal(sch_resource_create(points.context, &zeros, NULL, &commands), SCH_OK);
    struct sch_draw draw = points_draw(0, 0);
    draw.indirect = commands;
    draw.indirect_count = UINT32_MAX;
    draw.indirect_stride = 4;
    uint32_t cancel = 1;
    struct sch_dispatch_options options = {.size = sizeof options, .cancel = &cancel};
    struct sch_dispatch_report report = {.size = sizeof report};
    assert_int_equal(sch_renderer_draw(points.renderer, &points.state, &draw, &options, &report), SCH_ERROR_CANCELLED);
    assert_int_equal(report.instructions, 0);
    assert_int_equal(report.stage, SCH_STAGE_VERTEX);
    assert_true(report.contents_undefined);
    cancel = 0;
    options.deadline_ms = 1;
    assert_int_equal(sch_renderer_draw(points.renderer, &points.state, &draw, &options, &report), SCH_ERROR_DEADLINE);
    assert_true(report.contents_undefined);
    options.deadline_ms = 0;
    draw.indirect_offset = (uint64_t)4 << 24; /* the end */
    assert_int_equal(sch_renderer_draw(points.renderer, &points.state, &draw, &options, &report), SCH_OK);
    assert_false(report.contents_undefined);
    sch_resource_destroy(commands);
    points_end(&points);
}

/* In nanoseconds 4,295 ms is 32,704 modulo 2^32, less than the draw takes, and 4,294,968 ms is 704,000. */
static void far_deadlines_do_not_end_draws(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    const struct sch_draw draw = points_draw(0, 1 << 16);
    struct sch_dispatch_options options = {.size = sizeof options};
    static const uint32_t far[] = {4295, 30000, 4294968, UINT32_MAX};
    for (size_t i = 0; i < COUNT(far); i++) {
        options.deadline_ms = far[i];
        assert_int_equal(sch_renderer_draw(points.renderer, &points.state, &draw, &options, NULL), SCH_OK);
    }
    points_end(&points);
}

/* Draws that would take hours end by the deadline, and those of which nothing is ever assembled by themselves. */
static void large_draws_end(void **state)
{
    (void)state;
    static const uint8_t restarts[64] = {255, 255, 255, 255};
    static const struct {
        enum sch_primitive primitive;
        uint32_t count, instances, index_bytes;
        bool restart;
        enum sch_result result;
    } cases[] = {
        {SCH_PRIMITIVE_POINTS, 1, UINT32_MAX, 0, false, SCH_ERROR_DEADLINE},
        {SCH_PRIMITIVE_POINTS, UINT32_MAX, UINT32_MAX, 0, false, SCH_ERROR_DEADLINE},
        {SCH_PRIMITIVE_POINTS, UINT32_MAX, UINT32_MAX, 1, true, SCH_ERROR_DEADLINE},
        {SCH_PRIMITIVE_TRIANGLES, 2, UINT32_MAX, 0, false, SCH_OK},
        {SCH_PRIMITIVE_TRIANGLES, 4, UINT32_MAX, 1, true, SCH_OK},
        {SCH_PRIMITIVE_TRIANGLE_STRIP, UINT32_MAX, UINT32_MAX, 0, false, SCH_ERROR_DEADLINE},
        {SCH_PRIMITIVE_LINE_LOOP, 64, UINT32_MAX, 1, true, SCH_ERROR_DEADLINE},
        {SCH_PRIMITIVE_POLYGON, UINT32_MAX, UINT32_MAX, 4, false, SCH_ERROR_DEADLINE},
        {SCH_PRIMITIVE_TRIANGLES_ADJACENCY, 5, UINT32_MAX, 0, false, SCH_OK},
    };
    struct points points;
    points_begin(&points, NULL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_draw draw = points_draw(0, cases[i].count);
        draw.primitive = cases[i].primitive;
        draw.instance_count = cases[i].instances;
        draw.index_bytes = cases[i].index_bytes;
        draw.indices = (struct sch_vertex_buffer){.memory = restarts, .memory_bytes = sizeof restarts};
        draw.restart = cases[i].restart;
        draw.restart_index = 255;
        const uint32_t cancel = 1;
        struct sch_dispatch_options options = {.size = sizeof options, .cancel = &cancel};
        assert_int_equal(sch_renderer_draw(points.renderer, &points.state, &draw, &options, NULL), SCH_ERROR_CANCELLED);
        options.cancel = NULL;
        options.deadline_ms = 20;
        const enum sch_result result = sch_renderer_draw(points.renderer, &points.state, &draw, &options, NULL);
        if (result != cases[i].result) fail_msg("case %zu: %s", i, sch_result_text(result));
    }
    points_end(&points);
}

/* ---- clears ---- */

static void clears_say_what_is_wrong(void **state)
{
    (void)state;
    struct points points, others;
    points_begin(&points, NULL);
    points_begin(&others, NULL);
    static const struct {
        struct sch_framebuffer_clear clear;
        const char *told;
    } cases[] = {
        {{.parts = 64}, "parts 0x40"},
        {{.parts = SCH_PART_COLOR, .colors = 256}, "colors 0x100"},
        {{.parts = SCH_PART_DEPTH, .depth = NAN}, "depth is NaN"},
        {{.parts = SCH_PART_DEPTH | SCH_PART_STENCIL, .colors = 255}, NULL}, /* the framebuffer has neither */
        {{.parts = 0}, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_framebuffer_clear clear = cases[i].clear;
        clear.size = sizeof clear;
        assert_int_equal(sch_renderer_clear(points.renderer, points.framebuffer, &clear, points.list),
                         cases[i].told ? SCH_ERROR_ARGUMENT : SCH_OK);
        if (cases[i].told) points_told(&points, 6300, cases[i].told);
    }
    struct sch_framebuffer_clear clear = {.size = sizeof clear};
    assert_int_equal(sch_renderer_clear(points.renderer, others.framebuffer, &clear, points.list), SCH_ERROR_ARGUMENT);
    points_told(&points, 6300, "another context");
    assert_int_equal(sch_renderer_clear(NULL, points.framebuffer, &clear, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_clear(points.renderer, NULL, &clear, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_clear(points.renderer, points.framebuffer, NULL, NULL), SCH_ERROR_ARGUMENT);
    clear.size = offsetof(struct sch_framebuffer_clear, moving) - 1;
    assert_int_equal(sch_renderer_clear(points.renderer, points.framebuffer, &clear, NULL), SCH_ERROR_ARGUMENT);
    const struct sch_blit blit = {.size = sizeof blit};
    assert_int_equal(sch_renderer_blit(NULL, points.picture, points.picture, &blit, false, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_blit(points.renderer, points.picture, others.picture, &blit, false, NULL),
                     SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_blit(points.renderer, others.picture, points.picture, &blit, false, NULL),
                     SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_blit(points.renderer, NULL, points.picture, &blit, false, NULL), SCH_ERROR_ARGUMENT);
    points_end(&others);
    points_end(&points);
}

/* Colours of 6 x 5 texels in 4 layers, of which the surface shows 2 from layer 1 on; depth and stencil of 5 x 7 in 3.
 * So the framebuffer is 5 x 5, in 2 layers; clears reach the third one of depth, too (OpenGL 4.6, 9.8). */
enum { WIDE = 6, HIGH = 5, LAYERS = 4, DEEP_WIDE = 5, DEEP_HIGH = 7, DEEP_LAYERS = 3 };
struct cleared {
    struct sch_resource *color[2], *depth;
    struct sch_framebuffer *framebuffer;
};

static struct sch_resource *make_layers(struct points *points, enum sch_format format, uint32_t width, uint32_t height,
                                        uint32_t layers)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = SCH_TARGET_2D_ARRAY,
                                                 .format = format,
                                                 .width = width,
                                                 .height = height,
                                                 .layers = layers};
    struct sch_resource *made;
    assert_int_equal(sch_resource_create(points->context, &options, NULL, &made), SCH_OK);
    return made;
}

static struct cleared make_cleared(struct points *points)
{
    struct cleared made = {.color = {make_layers(points, SCH_FORMAT_R32_UINT, WIDE, HIGH, LAYERS),
                                     make_layers(points, SCH_FORMAT_R8G8B8A8_UNORM, WIDE, HIGH, LAYERS)},
                           .depth =
                               make_layers(points, SCH_FORMAT_Z24_UNORM_S8_UINT, DEEP_WIDE, DEEP_HIGH, DEEP_LAYERS)};
    const struct sch_surface_options some = {.size = sizeof some, .first_layer = 1, .layer_count = 2};
    struct sch_framebuffer_options options = {.size = sizeof options};
    assert_int_equal(sch_surface_create(made.color[0], &some, NULL, &options.colors[0]), SCH_OK);
    assert_int_equal(sch_surface_create(made.color[1], &some, NULL, &options.colors[2]), SCH_OK);
    assert_int_equal(sch_surface_create(made.depth, NULL, NULL, &options.depth_stencil), SCH_OK);
    assert_int_equal(sch_framebuffer_create(points->context, &options, NULL, &made.framebuffer), SCH_OK);
    sch_surface_destroy(options.colors[0]);
    sch_surface_destroy(options.colors[2]);
    sch_surface_destroy(options.depth_stencil);
    return made;
}

/* All texels of a resource are `inside` within the box from (left, top) to (right, bottom), in layers from `first` to
 * before `beyond`; otherwise 0. */
static void assert_texels(const struct sch_resource *resource, const uint32_t side[3], uint32_t first, uint32_t beyond,
                          const struct sch_scissor *box, uint32_t inside)
{
    uint32_t texels[DEEP_LAYERS * DEEP_WIDE * DEEP_HIGH + LAYERS * WIDE * HIGH];
    const size_t bytes = (size_t)side[0] * side[1] * side[2] * sizeof *texels;
    assert_int_equal(sch_resource_read_all(resource, texels, bytes), SCH_OK);
    for (uint32_t z = 0; z < side[2]; z++)
        for (uint32_t y = 0; y < side[1]; y++)
            for (uint32_t x = 0; x < side[0]; x++) {
                const bool in =
                    z >= first && z < beyond && x >= box->left && x < box->right && y >= box->top && y < box->bottom;
                const uint32_t texel = texels[(z * side[1] + y) * side[0] + x];
                if (texel != (in ? inside : 0)) fail_msg("texel %u %u %u: %08x", x, y, z, texel);
            }
}

static void clears_reach_the_framebuffer(void **state)
{
    (void)state;
    static const struct {
        struct sch_framebuffer_clear clear;
        struct sch_scissor box;
        uint32_t texel[3]; /* of both colours, and of depth and stencil */
    } cases[] = {
        {{.parts = SCH_PART_COLOR, .color.u = {0x3f800000, 0x3f800000, 0, 0}}, {0, 0, 5, 5}, {0x3f800000, 0xffff, 0}},
        {{.parts = SCH_PART_COLOR, .colors = 4, .color.u = {0x3f800000}}, {0, 0, 5, 5}, {0, 0xff, 0}},
        {{.parts = SCH_PART_COLOR, .colors = 2 | 8, .color.u = {1}}, {0, 0, 5, 5}, {0, 0, 0}}, /* holes */
        {{.parts = SCH_PART_GREEN, .color.f = {1, 1, 1, 1}}, {0, 0, 5, 5}, {0, 0xff00, 0}},
        {{.parts = SCH_PART_DEPTH, .depth = 1, .stencil = 9}, {0, 0, 5, 5}, {0, 0, 0xffffff}},
        {{.parts = SCH_PART_STENCIL, .depth = 1, .stencil = 0x109}, {0, 0, 5, 5}, {0, 0, 0x09000000}},
        {{.parts = SCH_PART_COLOR | SCH_PART_DEPTH | SCH_PART_STENCIL,
          .color.u = {7},
          .depth = 2,
          .stencil = 255,
          .scissored = true,
          .scissor = {1, 2, 4, UINT32_MAX}},
         {1, 2, 4, 5},
         {7, 0, 0xffffffff}},
        {{.parts = SCH_PART_COLOR, .color.u = {7}, .scissored = true, .scissor = {3, 0, 3, 5}}, {0, 0, 0, 0}, {0}},
        {{.parts = SCH_PART_COLOR, .color.u = {7}, .scissored = true, .scissor = {4, 0, 3, 5}}, {0, 0, 0, 0}, {0}},
        {{.parts = SCH_PART_COLOR, .color.u = {7}, .scissored = true, .scissor = {5, 5, 9, 9}}, {0, 0, 0, 0}, {0}},
    };
    struct points points;
    points_begin(&points, NULL);
    struct cleared made = make_cleared(&points);
    static const uint32_t wide[3] = {WIDE, HIGH, LAYERS}, deep[3] = {DEEP_WIDE, DEEP_HIGH, DEEP_LAYERS};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_framebuffer_clear clear = cases[i].clear;
        clear.size = sizeof clear;
        for (unsigned c = 0; c < 2; c++) assert_int_equal(sch_resource_clear(made.color[c], NULL, NULL), SCH_OK);
        assert_int_equal(sch_resource_clear(made.depth, NULL, NULL), SCH_OK);
        assert_int_equal(sch_renderer_clear(points.renderer, made.framebuffer, &clear, NULL), SCH_OK);
        assert_texels(made.color[0], wide, 1, 3, &cases[i].box, cases[i].texel[0]);
        assert_texels(made.color[1], wide, 1, 3, &cases[i].box, cases[i].texel[1]);
        assert_texels(made.depth, deep, 0, 3, &cases[i].box, cases[i].texel[2]);
    }
    sch_framebuffer_destroy(made.framebuffer);
    for (unsigned c = 0; c < 2; c++) sch_resource_destroy(made.color[c]);
    sch_resource_destroy(made.depth);
    points_end(&points);
}

/* ---- feedback ---- */

/* Each point reads the pixel to its left, which the point before has written, and adds one. */
static void points_read_those_before(void **state)
{
    (void)state;
    static const char chain[] =
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL SVIEW[0], 2D, UINT\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
        "IMM[0] INT32 {-2, 0, 1, 0}\nMOV TEMP[0], IMM[0].yyyy\nUADD TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\n"
        "SAMPLE_I TEMP[1], TEMP[0], SVIEW[0]\nUADD OUT[0], TEMP[1], IMM[0].zzzz\nEND\n";
    struct points points;
    points_begin(&points, chain);
    struct sch_view *view;
    assert_int_equal(sch_view_create(points.picture, NULL, &view), SCH_OK);
    struct sch_view *const views[] = {view};
    const struct sch_bindings bindings = {.size = sizeof bindings, .views = views, .view_count = 1};
    points.state.bindings[SCH_STAGE_FRAGMENT] = &bindings;
    const struct sch_draw draw = points_draw(0, POINTS_SIDE);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads};
        uint32_t seen[POINTS_VERTICES][4];
        points_clear(&points);
        assert_int_equal(sch_renderer_draw(points.renderer, &points.state, &draw, &options, NULL), SCH_OK);
        points_read(&points, seen);
        for (unsigned v = 0; v < POINTS_SIDE; v++) assert_int_equal(seen[v][0], v + 1);
    }
    sch_view_destroy(view);
    points_end(&points);
}

/* Each point reads its own pixel, which points of other instances have written, and adds one: the order of points at
 * one pixel is kept where that of all others is not. */
static void points_read_their_own(void **state)
{
    (void)state;
    static const char own[] =
        "FRAG\nPROPERTY FS_COORD_ORIGIN UPPER_LEFT\nDCL IN[0], POSITION, LINEAR\nDCL SVIEW[0], 2D, UINT\nDCL SAMP[0]\n"
        "DCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM[0] INT32 {1, 3, 0, 0}\nMOV TEMP[0], IMM[0].zzzz\n"
        "F2I TEMP[0].xy, IN[0]\nTXF TEMP[1], TEMP[0], SAMP[0], 2D\nUMAD OUT[0], TEMP[1], IMM[0].yyyy, "
        "IMM[0].xxxx\nEND\n";
    struct points points;
    points_begin(&points, own);
    struct sch_view *view;
    assert_int_equal(sch_view_create(points.picture, NULL, &view), SCH_OK);
    struct sch_view *const views[] = {view};
    const struct sch_bindings bindings = {.size = sizeof bindings, .views = views, .view_count = 1};
    points.state.bindings[SCH_STAGE_FRAGMENT] = &bindings;
    struct sch_draw draw = points_draw(0, POINTS_VERTICES);
    draw.instance_count = 7;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads};
        uint32_t seen[POINTS_VERTICES][4];
        points_clear(&points);
        assert_int_equal(sch_renderer_draw(points.renderer, &points.state, &draw, &options, NULL), SCH_OK);
        points_read(&points, seen);
        /* 1 + 3 + 9 + ... of seven terms */
        for (unsigned v = 0; v < POINTS_VERTICES; v++) assert_int_equal(seen[v][0], 1093);
    }
    sch_view_destroy(view);
    points_end(&points);
}

/* FBFETCH reads the framebuffer, whatever color_buffers are given. */
static void framebuffers_are_fetched(void **state)
{
    (void)state;
    static const char more[] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 2, 3, 4}\n"
                               "FBFETCH TEMP[0], OUT[0]\nUADD OUT[0], TEMP[0], IMM[0]\nEND\n";
    struct points points;
    points_begin(&points, more);
    struct sch_resource *other = make_layers(&points, SCH_FORMAT_R32G32B32A32_UINT, 8, 8, 1);
    const struct sch_clear nines = {.size = sizeof nines, .color.u = {9, 9, 9, 9}};
    assert_int_equal(sch_resource_clear(other, &nines, NULL), SCH_OK);
    struct sch_image *image;
    assert_int_equal(sch_image_create(other, NULL, &image), SCH_OK);
    struct sch_image *const images[] = {image};
    const struct sch_bindings bindings = {.size = sizeof bindings, .color_buffers = images, .color_buffer_count = 1};
    points.state.bindings[SCH_STAGE_FRAGMENT] = &bindings;
    struct sch_draw draw = points_draw(5, 2);
    draw.instance_count = 3;
    points_run(&points, &draw);
    uint32_t seen[POINTS_VERTICES][4];
    points_read(&points, seen);
    for (unsigned v = 0; v < POINTS_VERTICES; v++)
        for (unsigned c = 0; c < 4; c++) assert_int_equal(seen[v][c], v == 5 || v == 6 ? 3 * (c + 1) : 0);
    sch_image_destroy(image);
    sch_resource_destroy(other);
    points_end(&points);
}

/* Instance n of the points is drawn on layer n of a surface that begins at layer 1, each sample by itself: it has what
 * FBFETCH found there, plus one. */
static void layers_and_samples_are_fetched(void **state)
{
    (void)state;
    static const char layered[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], LAYER\nDCL SV[0], INSTANCEID\n"
                                  "MOV OUT[0], IN[0]\nMOV OUT[1].x, SV[0].xxxx\nEND\n";
    static const char more[] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nDCL SV[0], SAMPLEID\nIMM[0] UINT32 {1, 1, 1, 1}\n"
                               "FBFETCH TEMP[0], OUT[0]\nUADD TEMP[0], TEMP[0], IMM[0]\n"
                               "UADD TEMP[0].w, TEMP[0].wwww, SV[0].xxxx\nMOV OUT[0], TEMP[0]\nEND\n";
    enum { ALL_LAYERS = 4, SAMPLES = 4, DRAWN = 5 };
    struct points points;
    points_begin(&points, more);
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = SCH_TARGET_2D_ARRAY_MSAA,
                                                 .format = SCH_FORMAT_R32G32B32A32_UINT,
                                                 .width = POINTS_SIDE,
                                                 .height = POINTS_SIDE,
                                                 .layers = ALL_LAYERS,
                                                 .samples = SAMPLES};
    const struct sch_surface_options some = {.size = sizeof some, .first_layer = 1, .layer_count = 2};
    const struct sch_rasterizer_options squares = {.size = sizeof squares,
                                                   .point_size = 1,
                                                   .point_quad_rasterization = true,
                                                   .multisample = true,
                                                   .half_pixel_center = true};
    struct sch_framebuffer_options surfaces = {.size = sizeof surfaces};
    struct sch_resource *texture;
    struct sch_framebuffer *framebuffer;
    struct sch_rasterizer *rasterizer;
    struct sch_pipeline *pipeline;
    struct sch_program *vertex = api_default_program(points.context, layered);
    const struct sch_pipeline_options programs = {
        .size = sizeof programs, .vertex = vertex, .fragment = points.fragment};
    assert_int_equal(sch_resource_create(points.context, &options, NULL, &texture), SCH_OK);
    assert_int_equal(sch_surface_create(texture, &some, NULL, &surfaces.colors[0]), SCH_OK);
    assert_int_equal(sch_framebuffer_create(points.context, &surfaces, NULL, &framebuffer), SCH_OK);
    assert_int_equal(sch_rasterizer_create(points.context, &squares, NULL, &rasterizer), SCH_OK);
    assert_int_equal(sch_pipeline_create(points.context, &programs, NULL, &pipeline), SCH_OK);
    sch_surface_destroy(surfaces.colors[0]);
    points.state.framebuffer = framebuffer;
    points.state.rasterizer = rasterizer;
    points.state.pipeline = pipeline;
    struct sch_draw draw = points_draw(0, DRAWN);
    draw.instance_count = 2;
    points_run(&points, &draw);
    draw.instance_count = 1; /* the first layer twice */
    points_run(&points, &draw);

    static uint32_t seen[ALL_LAYERS][SAMPLES][POINTS_VERTICES][4];
    assert_int_equal(sch_resource_read_all(texture, seen, sizeof seen), SCH_OK);
    for (unsigned z = 0; z < ALL_LAYERS; z++)
        for (unsigned s = 0; s < SAMPLES; s++)
            for (unsigned v = 0; v < POINTS_VERTICES; v++) {
                const uint32_t times = v >= DRAWN ? 0 : z == 1 ? 2 : z == 2 ? 1 : 0;
                const uint32_t *words = seen[z][s][v];
                if (words[0] != times || words[3] != times * (1 + s))
                    fail_msg("layer %u, sample %u, pixel %u: %u %u", z, s, v, words[0], words[3]);
            }
    sch_pipeline_destroy(pipeline);
    sch_program_destroy(vertex);
    sch_rasterizer_destroy(rasterizer);
    sch_framebuffer_destroy(framebuffer);
    sch_resource_destroy(texture);
    points_end(&points);
}

/* Without a fragment program depth and stencil are written, and colours are not. */
static void depth_is_drawn_without_a_fragment_program(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    struct sch_resource *depth = make_layers(&points, SCH_FORMAT_Z32_FLOAT, 8, 8, 1),
                        *color = make_layers(&points, SCH_FORMAT_R32G32B32A32_UINT, 8, 8, 1);
    struct sch_framebuffer_options options = {.size = sizeof options};
    assert_int_equal(sch_surface_create(depth, NULL, NULL, &options.depth_stencil), SCH_OK);
    assert_int_equal(sch_surface_create(color, NULL, NULL, &options.colors[0]), SCH_OK);
    struct sch_framebuffer *framebuffer;
    assert_int_equal(sch_framebuffer_create(points.context, &options, NULL, &framebuffer), SCH_OK);
    sch_surface_destroy(options.depth_stencil);
    sch_surface_destroy(options.colors[0]);
    const struct sch_pipeline_options programs = {.size = sizeof programs, .vertex = points.vertex};
    struct sch_pipeline *pipeline;
    assert_int_equal(sch_pipeline_create(points.context, &programs, NULL, &pipeline), SCH_OK);
    const struct sch_depth_stencil_alpha_options tests = {
        .size = sizeof tests, .depth_enabled = true, .depth_writes = true, .depth_function = SCH_COMPARE_ALWAYS};
    struct sch_depth_stencil_alpha *made;
    assert_int_equal(sch_depth_stencil_alpha_create(points.context, &tests, NULL, &made), SCH_OK);
    points.state.pipeline = pipeline;
    points.state.framebuffer = framebuffer;
    points.state.depth_stencil_alpha = made;
    const struct sch_draw draw = points_draw(4, 3);
    points_run(&points, &draw);
    float depths[POINTS_VERTICES];
    uint32_t colors[POINTS_VERTICES][4];
    assert_int_equal(sch_resource_read_all(depth, depths, sizeof depths), SCH_OK);
    assert_int_equal(sch_resource_read_all(color, colors, sizeof colors), SCH_OK);
    for (unsigned v = 0; v < POINTS_VERTICES; v++) {
        assert_true(depths[v] == (v >= 4 && v < 7 ? 0.5f : 0)); /* z = 0 is halfway from -1 to 1 */
        for (unsigned c = 0; c < 4; c++) assert_int_equal(colors[v][c], 0);
    }
    sch_depth_stencil_alpha_destroy(made);
    sch_pipeline_destroy(pipeline);
    sch_framebuffer_destroy(framebuffer);
    sch_resource_destroy(depth);
    sch_resource_destroy(color);
    points_end(&points);
}

/* ---- what blending asks ---- */

/* A framebuffer of the picture and, behind `holes` empty places, another one. */
static struct sch_framebuffer *two_buffers(const struct points *points, struct sch_resource *other, unsigned holes)
{
    struct sch_framebuffer_options options = {.size = sizeof options};
    struct sch_framebuffer *made;
    assert_int_equal(sch_surface_create(points->picture, NULL, NULL, &options.colors[0]), SCH_OK);
    assert_int_equal(sch_surface_create(other, NULL, NULL, &options.colors[1 + holes]), SCH_OK);
    assert_int_equal(sch_framebuffer_create(points->context, &options, NULL, &made), SCH_OK);
    sch_surface_destroy(options.colors[0]);
    sch_surface_destroy(options.colors[1 + holes]);
    return made;
}

static enum sch_result draw_blended(struct points *points, const struct sch_blend_options *options)
{
    const struct sch_draw draw = points_draw(0, 1);
    struct sch_draw_state state = points->state;
    struct sch_blend *blend;
    assert_int_equal(sch_blend_create(points->context, options, NULL, &blend), SCH_OK);
    state.blend = blend;
    const enum sch_result result = try_draw(points, &state, &draw);
    sch_blend_destroy(blend);
    return result;
}

/* The second source and advanced equations have one colour buffer (OpenGL 17.3.6.3, D3D 17.6,
 * KHR_blend_equation_advanced), where they blend. */
static void some_blending_has_one_buffer(void **state)
{
    (void)state;
    static const enum sch_blend_factor factors[] = {SCH_FACTOR_SRC1_COLOR, SCH_FACTOR_INV_SRC1_COLOR,
                                                    SCH_FACTOR_SRC1_ALPHA, SCH_FACTOR_INV_SRC1_ALPHA};
    struct points points;
    points_begin(&points, NULL);
    struct sch_framebuffer *const one = points.framebuffer;
    struct sch_resource_options picture = {.size = sizeof picture,
                                           .target = SCH_TARGET_2D,
                                           .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                           .width = POINTS_SIDE,
                                           .height = POINTS_SIDE};
    struct sch_resource *other;
    struct sch_blend_options blend = {.size = sizeof blend};
    assert_int_equal(sch_resource_create(points.context, &picture, NULL, &other), SCH_OK);
    for (unsigned holes = 0; holes < 7; holes += 6) {
        struct sch_framebuffer *two = two_buffers(&points, other, holes);
        for (unsigned f = 0; f < 16; f++) {
            assert_int_equal(sch_blend_options_default(&blend), SCH_OK);
            struct sch_blend_target *target = &blend.targets[0];
            enum sch_blend_factor *const of[] = {&target->color_source, &target->color_destination,
                                                 &target->alpha_source, &target->alpha_destination};
            target->enabled = true;
            *of[f / 4] = factors[f % 4];
            points.state.framebuffer = one;
            assert_int_equal(draw_blended(&points, &blend), SCH_OK);
            points.state.framebuffer = two;
            assert_int_equal(draw_blended(&points, &blend), SCH_ERROR_ARGUMENT);
            points_told(&points, 6300,
                        holes ? "second source, and colour buffer 7" : "second source, and colour buffer 1");
            target->enabled = false;
            assert_int_equal(draw_blended(&points, &blend), SCH_OK);
            target->enabled = blend.logic_enabled = true;
            assert_int_equal(draw_blended(&points, &blend), SCH_OK);
            blend.logic_enabled = false;
            target->color_equation = target->alpha_equation = SCH_BLEND_MAX;
            assert_int_equal(draw_blended(&points, &blend), SCH_OK);
        }
        assert_int_equal(sch_blend_options_default(&blend), SCH_OK);
        blend.targets[0].enabled = true;
        assert_int_equal(draw_blended(&points, &blend), SCH_OK);
        blend.advanced = SCH_ADVANCED_SCREEN;
        assert_int_equal(draw_blended(&points, &blend), SCH_ERROR_ARGUMENT);
        points_told(&points, 6300, holes ? "advanced blend equation, and colour buffer 7" : "and colour buffer 1");
        blend.targets[0].enabled = false;
        assert_int_equal(draw_blended(&points, &blend), SCH_OK);
        points.state.framebuffer = one;
        blend.targets[0].enabled = true;
        assert_int_equal(draw_blended(&points, &blend), SCH_OK);
        sch_framebuffer_destroy(two);
    }
    sch_resource_destroy(other);
    points_end(&points);
}

/* Advanced equations that the program does not declare: bit n of the property is equation n. They are warned of once,
 * and blend. */
static void undeclared_equations_are_warned_of(void **state)
{
    (void)state;
    static const struct {
        const char *property;
        uint32_t warned; /* bits */
    } rows[] = {{"", 0xfffe},
                {"PROPERTY FS_BLEND_EQUATION_ADVANCED 0\n", 0xfffe},
                {"PROPERTY FS_BLEND_EQUATION_ADVANCED 1\n", 0xfffe},
                {"PROPERTY FS_BLEND_EQUATION_ADVANCED 2\n", 0xfffc},
                {"PROPERTY FS_BLEND_EQUATION_ADVANCED 32772\n", 0x7ffa},
                {"PROPERTY FS_BLEND_EQUATION_ADVANCED 65534\n", 0}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        char text[200];
        struct points points;
        snprintf(text, sizeof text, "FRAG\n%sDCL OUT[0], COLOR\nIMM[0] UINT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n",
                 rows[r].property);
        points_begin(&points, text);
        for (unsigned round = 0; round < 2; round++)
            for (unsigned n = SCH_ADVANCED_NONE; n <= SCH_ADVANCED_HSL_LUMINOSITY; n++) {
                struct sch_blend_options blend = {.size = sizeof blend};
                assert_int_equal(sch_blend_options_default(&blend), SCH_OK);
                blend.advanced = (enum sch_advanced_blend)n;
                assert_int_equal(draw_blended(&points, &blend), SCH_OK); /* nothing is blended */
                assert_int_equal(sch_diagnostics_count(points.list), 0);
                blend.targets[0].enabled = true;
                assert_int_equal(draw_blended(&points, &blend), SCH_OK);
                const bool warned = !round && rows[r].warned >> n & 1;
                assert_int_equal(sch_diagnostics_count(points.list), warned);
                if (warned) points_told(&points, 6521, "FS_BLEND_EQUATION_ADVANCED");
            }
        points_end(&points);
    }
}

/* ---- limits ---- */

/* What a limit of the caller refuses is LIMIT, with a report; MEMORY is what the machine does not have
 * (test_starved_draws.c). What fits is drawn, before and after. */
static void limits_are_not_a_lack_of_memory(void **state)
{
    (void)state;
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = 1 << 20};
    struct sch_draw small = points_draw(0, POINTS_VERTICES), large = small;
    struct points points;
    points_begin_limited(&points, &limits);
    large.instance_count = 10000; /* 20 MB of vertices */
    assert_int_equal(try_draw(&points, &points.state, &small), SCH_OK);
    assert_int_equal(try_draw(&points, &points.state, &large), SCH_ERROR_LIMIT);
    points_told(&points, 5007, "more than the 1048576 bytes allowed");
    assert_int_equal(try_draw(&points, &points.state, &small), SCH_OK);
    points_end(&points);
}

/* The same of a run: 32 lanes with 64 KiB of their own each. */
static void runs_have_a_limit(void **state)
{
    (void)state;
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = 1 << 20};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    const struct sch_invocations work = {.size = sizeof work, .count = 1};
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_diagnostic_info told = {.size = sizeof told};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    struct sch_program *program = api_default_program(context, "COMP\nDCL MEMORY[0], PRIVATE\nDCL TEMP[0]\n"
                                                               "IMM[0] UINT32 {0, 0, 0, 0}\n"
                                                               "LOAD TEMP[0].x, MEMORY[0], IMM[0].xxxx\nEND\n");
    struct sch_dispatch_options dispatch = {.size = sizeof dispatch, .private_bytes = 16384, .diagnostics = list};
    assert_int_equal(sch_dispatch(program, NULL, &work, &dispatch, NULL), SCH_OK);
    dispatch.private_bytes = 65536;
    assert_int_equal(sch_dispatch(program, NULL, &work, &dispatch, NULL), SCH_ERROR_LIMIT);
    assert_true(sch_diagnostics_get(list, sch_diagnostics_count(list) - 1, &told));
    assert_int_equal(told.code, 5007);
    sch_program_destroy(program);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_say_what_is_wrong),
        cmocka_unit_test(states_say_what_is_wrong),
        cmocka_unit_test(structs_have_sizes),
        cmocka_unit_test(ranges_are_draws),
        cmocka_unit_test(draws_come_from_buffers),
        cmocka_unit_test(indexed_draws_come_from_buffers),
        cmocka_unit_test(buffers_end),
        cmocka_unit_test(work_counts_for_all_draws),
        cmocka_unit_test(empty_draws_end),
        cmocka_unit_test(far_deadlines_do_not_end_draws),
        cmocka_unit_test(large_draws_end),
        cmocka_unit_test(clears_say_what_is_wrong),
        cmocka_unit_test(clears_reach_the_framebuffer),
        cmocka_unit_test(points_read_those_before),
        cmocka_unit_test(points_read_their_own),
        cmocka_unit_test(framebuffers_are_fetched),
        cmocka_unit_test(layers_and_samples_are_fetched),
        cmocka_unit_test(depth_is_drawn_without_a_fragment_program),
        cmocka_unit_test(some_blending_has_one_buffer),
        cmocka_unit_test(undeclared_equations_are_warned_of),
        cmocka_unit_test(limits_are_not_a_lack_of_memory),
        cmocka_unit_test(runs_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
