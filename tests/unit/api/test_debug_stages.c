/* Debugging sessions where more than one group in a row of work is concerned: each stage's own ways, several draws and
 * dispatches in a run, samples, helpers, subroutines, lookups that lanes choose, Direct3D shaders, and memory that is
 * refused. Values are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../support/api_program.h"
#include "../support/counting.h"
#include "../support/draw_support.h"
#include "debug_support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct moment moments[MOST_MOMENTS];

/* ---- draws ---- */

struct drawn {
    struct draw_scene scene;
    float vertices[8][4];
    struct sch_draw draw;
    unsigned times; /* that it is drawn in a run */
    struct sch_debug_options options;
    struct sch_invocation_place place;
    struct sch_debug *debug;
};

static enum sch_result run_draws(void *user, const struct sch_dispatch_options *options)
{
    struct drawn *d = user;
    const float black[4] = {0, 0, 0, 0};
    enum sch_result result = SCH_OK;
    draw_clear(&d->scene, black, 1, 0);
    d->scene.dispatch = *options;
    for (unsigned n = 0; n < d->times && result == SCH_OK; n++) result = draw_try(&d->scene, &d->draw);
    return result;
}

/* Two triangles over 8 x 8 pixels. */
static void begin_drawn(struct drawn *d, uint32_t samples)
{
    static const float corners[4][4] = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {-1, 1, 0, 1}, {1, 1, 0, 1}};
    memset(d, 0, sizeof *d);
    draw_begin(&d->scene, 8, 8, samples, SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FORMAT_NONE);
    memcpy(d->vertices, corners, sizeof corners);
    draw_vertices(&d->scene, d->vertices[0], 4, 1);
    d->draw = (struct sch_draw){
        .size = sizeof d->draw, .primitive = SCH_PRIMITIVE_TRIANGLE_STRIP, .count = 4, .instance_count = 1};
    d->times = 1;
    d->scene.vertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
    d->scene.fragment = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\nMOV OUT[0], IMM[0]\nEND\n";
    d->place.size = sizeof d->place;
    d->options = (struct sch_debug_options){.size = sizeof d->options, .run = run_draws, .user = d, .place = &d->place};
}

static struct sch_debug_stop open_drawn(struct drawn *d)
{
    assert_int_equal(sch_debug_create(d->scene.context, &d->options, &d->debug), SCH_OK);
    return stop_of(d->debug);
}

static void end_drawn(struct drawn *d)
{
    sch_debug_destroy(d->debug);
    d->scene.dispatch = (struct sch_dispatch_options){.size = sizeof d->scene.dispatch};
    draw_end(&d->scene);
}

/* Vertices are those that indices name, in each instance. */
static void vertices_are_indexed(void **state)
{
    (void)state;
    static const uint16_t indices[] = {0, 1, 2, 3};
    struct drawn d;
    begin_drawn(&d, 1);
    d.scene.vertex = "VERT\nDCL IN[0]\nDCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL OUT[0], POSITION\n"
                     "DCL TEMP[0]\nIMM[0] UINT32 {10, 0, 0, 0}\n"
                     "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\nMOV OUT[0], IN[0]\nEND\n";
    d.draw.index_bytes = 2;
    d.draw.indices = (struct sch_vertex_buffer){.memory = indices, .memory_bytes = sizeof indices};
    d.draw.instance_count = 3;
    d.options.stages = 1 << SCH_STAGE_VERTEX;
    d.place.parts = SCH_PLACE_VERTEX | SCH_PLACE_INSTANCE;
    d.place.vertex = 2;
    d.place.instance = 1;
    struct sch_debug_stop stop = open_drawn(&d);
    assert_int_equal(stop.place.vertex, 2);
    assert_int_equal(stop.place.instance, 1);
    assert_int_equal(word(d.debug, SCH_FILE_SYSTEM_VALUE, 0, 0, stop.lane), 2);
    step(d.debug);
    assert_int_equal(word(d.debug, SCH_FILE_TEMPORARY, 0, 0, stop.lane), 12);
    struct sch_invocation_place other = {.size = sizeof other};
    assert_int_equal(sch_debug_get_place(d.debug, stop.lane - 1, &other), SCH_OK);
    assert_int_equal(other.vertex, 1);
    end_drawn(&d);
}

static void calls_and_skips_are_counted(void **state)
{
    (void)state;
    static const struct {
        uint32_t call, skip, is_call;
        bool ended;
    } cases[] = {{0, 0, 1, false}, {2, 0, 2, false}, {3, 0, 3, false}, {4, 0, 0, true},
                 {0, 1, 2, false}, {0, 2, 3, false}, {0, 3, 0, true},  {2, 1, 0, true}};
    for (unsigned n = 0; n < COUNT(cases); n++) {
        struct drawn d;
        begin_drawn(&d, 1);
        d.times = 3;
        d.options.stages = 1 << SCH_STAGE_FRAGMENT;
        d.place.parts = SCH_PLACE_PIXEL;
        d.place.x = 6;
        d.place.y = 7;
        d.options.call = cases[n].call;
        d.options.skip = cases[n].skip;
        const struct sch_debug_stop stop = open_drawn(&d);
        assert_int_equal(stop.ended, cases[n].ended);
        if (!stop.ended) assert_int_equal(stop.call, cases[n].is_call);
        if (!stop.ended) assert_true(stop.place.x == 6 && stop.place.y == 7);
        sch_debug_seek(d.debug, UINT64_MAX);
        assert_true(stop_of(d.debug).ended);
        assert_int_equal(draw_pixel(&d.scene, 6, 7), api_bits(1));
        end_drawn(&d);
    }
}

static void samples_are_invocations(void **state)
{
    (void)state;
    struct drawn d;
    begin_drawn(&d, 4);
    d.scene.fragment = "FRAG\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
                       "U2F TEMP[0], SV[0].xxxx\nMOV OUT[0], TEMP[0]\nEND\n";
    d.options.stages = 1 << SCH_STAGE_FRAGMENT;
    d.place.parts = SCH_PLACE_PIXEL | SCH_PLACE_SAMPLE;
    d.place.x = 3;
    d.place.y = 5;
    d.place.sample = 2;
    const struct sch_debug_stop stop = open_drawn(&d);
    assert_false(stop.ended);
    assert_int_equal(stop.place.sample, 2);
    assert_int_equal(word(d.debug, SCH_FILE_SYSTEM_VALUE, 0, 0, stop.lane), 2);
    step(d.debug);
    assert_int_equal(word(d.debug, SCH_FILE_TEMPORARY, 0, 3, stop.lane), api_bits(2));
    sch_debug_seek(d.debug, UINT64_MAX);
    uint32_t drawn[4];
    for (uint32_t s = 0; s < 4; s++) {
        draw_read(&d.scene, d.scene.color, 3, 5, s, drawn);
        assert_int_equal(drawn[0], api_bits((float)s));
    }
    end_drawn(&d);
}

/* ---- dispatches ---- */

struct session {
    struct sch_context *context;
    struct sch_program *program;
    struct sch_bindings bindings;
    struct sch_invocations work;
    uint32_t grid[3]; /* [0] not 0: of a compute shader */
    unsigned times;   /* that it is dispatched in a run */
    struct sch_debug_options options;
    struct sch_debug *debug;
};

static enum sch_result run(void *user, const struct sch_dispatch_options *options)
{
    struct session *s = user;
    enum sch_result result = SCH_OK;
    for (unsigned n = 0; n < s->times && result == SCH_OK; n++)
        result = s->grid[0] ? sch_dispatch_grid(s->program, &s->bindings, s->grid, NULL, options, NULL)
                            : sch_dispatch(s->program, &s->bindings, &s->work, options, NULL);
    return result;
}

static void begin_in(struct session *s, struct sch_context *context, const char *text, uint32_t count)
{
    memset(s, 0, sizeof *s);
    s->context = context;
    s->program = api_default_program(s->context, text);
    s->bindings.size = sizeof s->bindings;
    s->work = (struct sch_invocations){.size = sizeof s->work, .count = count};
    s->times = 1;
    s->options = (struct sch_debug_options){.size = sizeof s->options, .run = run, .user = s};
}

static void begin(struct session *s, const char *text, uint32_t count) { begin_in(s, api_context(), text, count); }

static struct sch_debug_stop open_session(struct session *s)
{
    assert_int_equal(sch_debug_create(s->context, &s->options, &s->debug), SCH_OK);
    return stop_of(s->debug);
}

static void end_session(struct session *s)
{
    sch_debug_destroy(s->debug);
    sch_program_destroy(s->program);
    sch_context_destroy(s->context);
}

/* Steps over a subroutine, out of it, and to its end; RET in the main program comes to the end, too. */
static void subroutines(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 2, 0, 0}\n"
                               "CAL :4\n"                               /* 0 */
                               "CAL :4\n"                               /* 1 */
                               "MOV OUT[0], TEMP[0]\n"                  /* 2 */
                               "RET\n"                                  /* 3 */
                               "BGNSUB\n"                               /* 4 */
                               "UADD TEMP[0].x, TEMP[0], IMM[0].xxxx\n" /* 5 */
                               "UADD TEMP[0].y, TEMP[0], IMM[0].yyyy\n" /* 6 */
                               "RET\n"                                  /* 7 */
                               "ENDSUB\n"                               /* 8 */
                               "END\n";                                 /* 9 */
    struct session s;
    begin(&s, text, 1);
    struct sch_debug_stop stop = open_session(&s);
    stop = go(s.debug, SCH_DEBUG_STEP_OVER, false, 0);
    assert_int_equal(stop.instruction, 1);
    assert_int_equal(word(s.debug, SCH_FILE_TEMPORARY, 0, 1, 0), 2);
    stop = step(s.debug);
    assert_true(stop.instruction == 4 || stop.instruction == 5);
    assert_int_equal(stop.depth, 1);
    struct sch_debug_frame frame = {.size = sizeof frame};
    assert_int_equal(sch_debug_get_frame(s.debug, 0, &frame), SCH_OK);
    assert_int_equal(frame.kind, SCH_CONSTRUCT_SUB);
    stop = go(s.debug, SCH_DEBUG_STEP_OUT, false, 0);
    assert_int_equal(stop.instruction, 2);
    assert_int_equal(word(s.debug, SCH_FILE_TEMPORARY, 0, 0, 0), 2);
    stop = go(s.debug, SCH_DEBUG_STEP_OVER, true, 0); /* over the whole call */
    assert_int_equal(stop.instruction, 1);
    stop = go(s.debug, SCH_DEBUG_STEP_OVER, true, 0);
    assert_int_equal(stop.instruction, 0);
    stop = go(s.debug, SCH_DEBUG_RUN, false, 0);
    assert_int_equal(stop.reason, SCH_DEBUG_GROUP_END);
    assert_int_equal(word(s.debug, SCH_FILE_OUTPUT, 0, 1, 0), 4);
    assert_true(step(s.debug).ended);
    end_session(&s);
}

/* A discarded lane goes on as a helper, forward and back. */
static void helpers_go_on(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n"
                               "KILL_IF IN[0].xxxx\nDDX OUT[0], IN[0].yyyy\nEND\n";
    const float inputs[4][4] = {{-1, 1, 0, 0}, {1, 3, 0, 0}, {1, 5, 0, 0}, {1, 9, 0, 0}};
    uint32_t outputs[4][4];
    uint8_t killed[4];
    struct session s;
    begin(&s, text, 4);
    s.work.quads = true;
    s.work.inputs = (const uint32_t *)inputs;
    s.work.input_registers = 1;
    s.work.input_bytes = sizeof inputs;
    s.work.outputs = outputs[0];
    s.work.output_registers = 1;
    s.work.output_bytes = sizeof outputs;
    s.work.killed = killed;
    s.work.killed_bytes = sizeof killed;
    assert_int_equal(open_session(&s).helpers, 0);
    for (unsigned n = 0; n < 3; n++) {
        struct sch_debug_stop stop = step(s.debug);
        assert_int_equal(stop.helpers, 1);
        assert_int_equal(stop.active, 15);
        assert_int_equal(step_back(s.debug).helpers, 0);
    }
    assert_int_equal(go(s.debug, SCH_DEBUG_RUN, false, 0).reason, SCH_DEBUG_GROUP_END);
    assert_int_equal(word(s.debug, SCH_FILE_OUTPUT, 0, 0, 0), api_bits(2));
    step(s.debug);
    assert_int_equal(killed[0], 1);
    assert_int_equal(killed[1], 0);
    assert_int_equal(outputs[1][0], api_bits(2));
    end_session(&s);
}

/* What a geometry shader emits is emitted once, however often steps go back over it. */
static void streams_go_back(void **state)
{
    (void)state;
    static const char text[] =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], GENERIC[0]\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0]\n"
        "IMM[0] UINT32 {0, 1, 0, 0}\n"
        "MOV TEMP[0], IN[0][0]\nMOV OUT[0], TEMP[0]\nEMIT IMM[0].xxxx\nUADD TEMP[0].x, TEMP[0], IMM[0].yyyy\n"
        "MOV OUT[0], TEMP[0]\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\nEND\n";
    const uint32_t inputs[2][4] = {{5}, {70}};
    uint32_t events[2][8] = {{0}}, counts[2], words[2][8][4] = {{{0}}};
    struct session s;
    begin(&s, text, 2);
    s.work.inputs = inputs[0];
    s.work.input_registers = 1;
    s.work.input_vertices = 1;
    s.work.input_bytes = sizeof inputs;
    s.work.event_capacity = 8;
    s.work.event_registers = 1;
    s.work.events = events[0];
    s.work.event_bytes = sizeof events;
    s.work.event_counts = counts;
    s.work.event_count_bytes = sizeof counts;
    s.work.event_outputs = words[0][0];
    s.work.event_output_bytes = sizeof words;
    open_session(&s);
    const uint32_t count = record(s.debug, moments);
    assert_int_equal(count, 8);
    walk(s.debug, moments, count, 60, 3);
    sch_debug_seek(s.debug, UINT64_MAX);
    assert_true(stop_of(s.debug).ended);
    assert_int_equal(counts[1], 3);
    assert_int_equal(words[1][0][0], 70);
    assert_int_equal(words[1][1][0], 71);
    end_session(&s);
}

/* An invocation writes the next one's vertex, and a register of the patch. */
static void outputs_of_other_invocations(void **state)
{
    (void)state;
    static const char text[] =
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL SV[0], INVOCATIONID\nDCL OUT[][0], GENERIC[0]\n"
        "DCL OUT[1], PATCH[0]\nDCL ADDR[0]\nDCL TEMP[0]\nIMM[0] UINT32 {1, 3, 0, 0}\n"
        "UADD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUMOD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
        "UARL ADDR[0].x, TEMP[0].xxxx\nMOV OUT[ADDR[0].x][0].x, SV[0].xxxx\nMOV OUT[1].x, SV[0].xxxx\nEND\n";
    struct session s;
    begin(&s, text, 3);
    open_session(&s);
    for (unsigned n = 0; n < 4; n++) step(s.debug);
    struct sch_debug_change change = {.size = sizeof change};
    assert_true(sch_debug_change_at(s.debug, 0, &change));
    assert_int_equal(change.which.index, 0);
    assert_int_equal(change.lanes, 7);
    assert_int_equal(change.channels, 1);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(word(s.debug, SCH_FILE_OUTPUT, 0, 0, (i + 1) % 3), i);
    step(s.debug);
    assert_true(sch_debug_change_at(s.debug, 0, &change));
    assert_int_equal(change.which.index, 1);
    assert_int_equal(change.lanes, UINT32_MAX);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(word(s.debug, SCH_FILE_OUTPUT, 1, 0, i), 2); /* the last one */
    end_session(&s);
}

/* Vertices that the patch does not have are not written. Of a register of the patch no vertex matters. */
static void outputs_of_no_invocation(void **state)
{
    (void)state;
    static const char text[] = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL SV[0], INVOCATIONID\n"
                               "DCL OUT[][0], GENERIC[0]\nDCL OUT[1], PATCH[0]\nDCL ADDR[0]\nDCL TEMP[0]\n"
                               "IMM[0] UINT32 {1, 40, 0, 0}\nUADD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                               "UARL ADDR[0].xy, TEMP[0].xxxx\nMOV OUT[ADDR[0].x][0].x, SV[0].xxxx\n"
                               "UARL ADDR[0].x, IMM[0].yyyy\nMOV OUT[ADDR[0].x][1].x, SV[0].xxxx\nEND\n";
    struct session s;
    struct sch_debug_change change = {.size = sizeof change};
    begin(&s, text, 3);
    open_session(&s);
    for (unsigned n = 0; n < 3; n++) step(s.debug);
    assert_true(sch_debug_change_at(s.debug, 0, &change));
    assert_int_equal(change.lanes, 6);
    for (unsigned n = 0; n < 2; n++) step(s.debug);
    assert_true(sch_debug_change_at(s.debug, 0, &change));
    assert_int_equal(change.which.index, 1);
    assert_int_equal(change.lanes, UINT32_MAX);
    assert_int_equal(word(s.debug, SCH_FILE_OUTPUT, 1, 0, 0), 2);
    end_session(&s);
}

/* Of several dispatches in a run only the chosen one is looked at, though groups of all have the same numbers. */
static void later_dispatches_run_through(void **state)
{
    (void)state;
    static const char text[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                               "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\n"
                               "DCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {2, 1, 0, 0}\n"
                               "SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nBARRIER\n"
                               "ATOMUADD TEMP[0].y, BUFFER[0], TEMP[0].xxxx, IMM[0].yyyy\nEND\n";
    static uint32_t words[64];
    struct sch_storage_buffer buffer = {words, sizeof words};
    for (uint32_t call = 0; call < 3; call++) {
        struct session s;
        begin(&s, text, 0);
        memset(words, 0, sizeof words);
        s.grid[0] = s.grid[1] = s.grid[2] = 1;
        s.times = 3;
        s.bindings.buffers = &buffer;
        s.bindings.buffer_count = 1;
        s.options.memory = &buffer;
        s.options.memory_count = 1;
        s.options.call = call;
        struct sch_debug_stop stop = open_session(&s);
        assert_int_equal(stop.call, call ? call : 1);
        stop = go(s.debug, SCH_DEBUG_RUN, false, SCH_DEBUG_MEMORY);
        assert_int_equal(stop.reason, SCH_DEBUG_EVENT);
        /* The other group of the work group ends behind this one; then nothing is looked at any more. */
        unsigned stops = 0;
        while (!stop_of(s.debug).ended) {
            go(s.debug, SCH_DEBUG_RUN, false, SCH_DEBUG_MEMORY);
            stops++;
        }
        assert_int_equal(stops, 3); /* the end of the group, the other's access, the end of the run */
        for (unsigned i = 0; i < 64; i++) assert_int_equal(words[i], 3);
        end_session(&s);
    }
}

/* Threads that the last group of a work group has no lanes for are none. */
static void lanes_behind_the_block(void **state)
{
    (void)state;
    static const char text[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 40\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                               "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL MEMORY[0], SHARED\nDCL TEMP[0]\nBARRIER\n"
                               "MOV TEMP[0], TEMP[0]\nEND\n";
    struct sch_invocation_place place = {.size = sizeof place, .parts = SCH_PLACE_THREAD, .thread = {39, 0, 0}};
    struct session s;
    begin(&s, text, 0);
    s.grid[0] = s.grid[1] = s.grid[2] = 1;
    s.options.place = &place;
    struct sch_debug_stop stop = open_session(&s);
    assert_false(stop.ended);
    assert_int_equal(stop.lane, 7);
    assert_int_equal(stop.present, 0xff);
    sch_debug_destroy(s.debug);
    place.thread[0] = 5;
    place.thread[2] = 1; /* lane 45 would be it */
    assert_true(open_session(&s).ended);
    end_session(&s);
}

/* ---- lookups ---- */

static struct sch_view *make_view(struct sch_context *context, uint32_t samples, uint32_t first)
{
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = samples > 1 ? SCH_TARGET_2D_MSAA : SCH_TARGET_2D,
                                               .format = SCH_FORMAT_R32_UINT,
                                               .width = 2,
                                               .height = 2,
                                               .samples = samples};
    const struct sch_view_options all = {.size = sizeof all};
    struct sch_resource *resource;
    struct sch_view *view;
    uint32_t texels[64];
    for (uint32_t i = 0; i < COUNT(texels); i++) texels[i] = first + i;
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
    assert_int_equal(sch_resource_write_all(resource, texels, sch_resource_bytes(resource)), SCH_OK);
    assert_int_equal(sch_view_create(resource, &all, &view), SCH_OK);
    sch_resource_destroy(resource);
    return view;
}

/* Lanes fetch from views that they choose, of several samples; each is told about its own. */
static void lanes_choose_their_views(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL SAMP[0..1]\n"
                               "DCL SVIEW[0..1], 2D_MSAA, UINT\nDCL ADDR[0]\n"
                               "UARL ADDR[0].x, IN[0].xxxx\nTXF OUT[0], IN[0].yzzw, SAMP[ADDR[0].x], 2D_MSAA\nEND\n";
    /* view, x, y, sample */
    const uint32_t inputs[3][4] = {{0, 1, 0, 3}, {1, 0, 1, 1}, {0, 7, 0, 0}};
    struct sch_view *views[2];
    struct session s;
    begin(&s, text, 3);
    views[0] = make_view(s.context, 4, 0);
    views[1] = make_view(s.context, 2, 100);
    s.bindings.views = views;
    s.bindings.view_count = 2;
    s.work.inputs = inputs[0];
    s.work.input_registers = 1;
    s.work.input_bytes = sizeof inputs;
    open_session(&s);
    step(s.debug);
    step(s.debug);
    for (unsigned lane = 0; lane < 2; lane++) {
        struct sch_explanation *told;
        struct sch_footprint_texel texel = {.size = sizeof texel};
        assert_int_equal(sch_debug_explain(s.debug, lane, &told), SCH_OK);
        assert_true(sch_explanation_texel(told, 0, &texel));
        assert_false(sch_explanation_texel(told, 1, &texel));
        assert_int_equal(texel.x, inputs[lane][1]);
        assert_int_equal(texel.y, inputs[lane][2]);
        assert_int_equal(texel.sample, inputs[lane][3]);
        assert_int_equal(texel.value[0], word(s.debug, SCH_FILE_OUTPUT, 0, 0, lane));
        assert_true(lane ? texel.value[0] >= 100 : texel.value[0] < 100);
        sch_explanation_destroy(told);
    }
    struct sch_explanation *none;
    assert_int_equal(sch_debug_explain(s.debug, 2, &none), SCH_ERROR_ARGUMENT); /* outside of the texture */
    assert_int_equal(sch_debug_explain(s.debug, 3, &none), SCH_ERROR_ARGUMENT);
    sch_debug_destroy(s.debug);
    s.debug = NULL;
    sch_view_destroy(views[0]);
    sch_view_destroy(views[1]);
    end_session(&s);
}

/* ---- Direct3D ---- */

static void expect_name(const struct sch_shader *lowered, enum sch_file file, uint32_t dimension, uint32_t index,
                        const char *wanted)
{
    const struct sch_debug_register which = {file, dimension, index};
    char name[SCH_DEBUG_NAME_BYTES] = "";
    const bool has = sch_debug_register_name(lowered, &which, name);
    if (has != (wanted != NULL) || (has && strcmp(name, wanted) != 0))
        fail_msg("register %u of file %d: %s, not %s", index, file, has ? name : "none", wanted ? wanted : "none");
}

static struct sch_shader *lower(struct session *s, const char *text, struct sch_shader **source)
{
    struct sch_shader *lowered;
    *source = api_shader(s->context, text);
    assert_int_equal(sch_shader_lower(*source, NULL, &lowered), SCH_OK);
    return lowered;
}

static void direct3d_has_its_names(void **state)
{
    (void)state;
    static const char hull[] =
        "hs_5_0\nhs_decls\ndcl_input_control_point_count 2\ndcl_output_control_point_count 2\n"
        "dcl_tessellator_domain domain_isoline\ndcl_tessellator_partitioning partitioning_integer\n"
        "dcl_tessellator_output_primitive output_line\nhs_control_point_phase\ndcl_input vOutputControlPointID\n"
        "dcl_input v[2][0].xyzw\ndcl_output o0.xyzw\ndcl_temps 2\ndcl_indexableTemp x3[2], 4\n"
        "mov r1.x, vOutputControlPointID\n" /* line 14 */
        "mov x3[r1.x + 0].y, l(7.0)\n"
        "mov o0.xyzw, v[r1.x + 0][0].xyzw\nret\nhs_fork_phase\ndcl_output_siv o0.x, finalLineDetailTessFactor\n"
        "dcl_output_siv o1.x, finalLineDensityTessFactor\nmov o0.x, l(2.0)\nmov o1.x, l(2.0)\nret\n";
    const float inputs[2][2][4] = {{{1, 2, 3, 4}, {5, 6, 7, 8}}, {{1, 2, 3, 4}, {5, 6, 7, 8}}};
    struct session s;
    struct sch_shader *source;
    begin(&s, hull, 2);
    struct sch_shader *lowered = lower(&s, hull, &source);
    expect_name(lowered, SCH_FILE_TEMPORARY, 0, 1, "r1");
    expect_name(lowered, SCH_FILE_TEMPORARY, 0, 2, "x3[0]");
    expect_name(lowered, SCH_FILE_TEMPORARY, 0, 3, "x3[1]");
    expect_name(lowered, SCH_FILE_TEMPORARY, 0, 4, "vForkInstanceID");
    expect_name(lowered, SCH_FILE_TEMPORARY, 0, 5, NULL);
    expect_name(lowered, SCH_FILE_INPUT, 1, 0, "v[1][0]");
    expect_name(lowered, SCH_FILE_OUTPUT, 0, 0, "o0");
    expect_name(lowered, SCH_FILE_OUTPUT, 0, 33, "o1");
    expect_name(lowered, SCH_FILE_SYSTEM_VALUE, 0, 0, "vOutputControlPointID");
    expect_name(lowered, SCH_FILE_ADDRESS, 0, 0, NULL);
    expect_name(lowered, SCH_FILE_SAMPLER, 0, 0, NULL);
    s.work.inputs = (const uint32_t *)inputs;
    s.work.input_registers = 1;
    s.work.input_vertices = 2;
    s.work.input_bytes = sizeof inputs;
    struct sch_debug_stop stop = open_session(&s);
    if (!stop.line) stop = go(s.debug, SCH_DEBUG_STEP_LINE, false, 0); /* from what stands before the first one */
    assert_int_equal(stop.line, 14);
    /* By lines: what an instruction was lowered to is gone over, and what stands between phases, forward and back. */
    static const uint32_t lines[] = {15, 16, 17, 21, 22};
    for (unsigned n = 0; n < COUNT(lines); n++) {
        stop = go(s.debug, SCH_DEBUG_STEP_LINE, false, 0);
        assert_int_equal(stop.line, lines[n]);
    }
    for (unsigned n = COUNT(lines) - 1; n-- > 0;) {
        stop = go(s.debug, SCH_DEBUG_STEP_LINE, true, 0);
        assert_int_equal(stop.line, lines[n]);
    }
    assert_int_equal(go(s.debug, SCH_DEBUG_STEP_LINE, false, 0).line, 16);
    assert_int_equal(word(s.debug, SCH_FILE_TEMPORARY, 2, 1, 0), api_bits(7));
    assert_int_equal(word(s.debug, SCH_FILE_TEMPORARY, 3, 1, 1), api_bits(7));
    char *text;
    assert_int_equal(sch_debug_print_at(source, 15, 1, 0, &text), SCH_OK);
    assert_string_equal(text, "mov x3[r1.x + 0].y, l(7.000000)");
    sch_free(s.context, text);
    sch_shader_destroy(lowered);
    sch_shader_destroy(source);
    end_session(&s);
}

static void parts_of_registers_have_its_name(void **state)
{
    (void)state;
    static const char pixel[] =
        "ps_5_0\ndcl_immediateConstantBuffer { { 1.0, 0, 0, 0}, { 2.0, 0, 0, 0} }\n"
        "dcl_constantbuffer CB2[3], immediateIndexed\ndcl_input_ps linear v1.xy\n"
        "dcl_input_ps_siv linear noperspective v1.z, rendertarget_array_index\ndcl_output o0.xyzw\n"
        "dcl_output oDepth\ndcl_temps 1\nmul r0.xyzw, v1.xyzz, cb2[1].xyzw\nmov o0.xyzw, icb[r0.x + 0].xyzw\n"
        "mov oDepth, r0.x\nret\n";
    static const char vertex[] =
        "vs_4_0\ndcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\nmov o0.xyzw, v0.xyzw\nret\n";
    struct session s;
    struct sch_shader *source, *lowered;
    begin(&s, vertex, 1);
    lowered = lower(&s, pixel, &source);
    expect_name(lowered, SCH_FILE_INPUT, 0, 1, "v1");
    expect_name(lowered, SCH_FILE_TEMPORARY, 0, 1, "v1"); /* where its parts are put together */
    expect_name(lowered, SCH_FILE_OUTPUT, 0, 1, "oDepth");
    expect_name(lowered, SCH_FILE_CONSTANT, 2, 1, "cb2[1]");
    expect_name(lowered, SCH_FILE_CONSTANT, 3, 1, NULL);
    expect_name(lowered, SCH_FILE_IMMEDIATE, 0, 1, "icb[1]");
    expect_name(lowered, SCH_FILE_IMMEDIATE, 0, 2, NULL);
    expect_name(source, SCH_FILE_OUTPUT, 0, 0, NULL); /* it was not lowered */
    sch_shader_destroy(lowered);
    sch_shader_destroy(source);
    end_session(&s);
}

/* ---- engines ---- */

static void every_engine_is_looked_at(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
                               "DCL SVIEW[0], 2D, UINT\nTXF OUT[0], IN[0], SAMP[0], 2D\nEND\n";
    static const enum sch_engine engines[] = {SCH_ENGINE_INTERPRETER, SCH_ENGINE_AUTO, SCH_ENGINE_JIT,
                                              SCH_ENGINE_MAXWELL};
    const uint32_t inputs[1][4] = {{1, 1, 0, 0}};
    for (unsigned n = 0; n < COUNT(engines); n++) {
        struct session s;
        enum sch_result why;
        begin(&s, text, 1);
        sch_program_destroy(s.program);
        s.program = api_program_on(s.context, text, sizeof text - 1, engines[n], 0, &why);
        struct sch_view *view = make_view(s.context, 1, 50);
        s.bindings.views = &view;
        s.bindings.view_count = 1;
        s.work.inputs = inputs[0];
        s.work.input_registers = 1;
        s.work.input_bytes = sizeof inputs;
        if (!s.program) assert_int_equal(why, SCH_ERROR_UNSUPPORTED); /* without a compiler */
        if (s.program) {
            open_session(&s);
            step(s.debug);
            assert_int_equal(word(s.debug, SCH_FILE_OUTPUT, 0, 0, 0), 53);
            assert_true(step(s.debug).ended);
        }
        sch_debug_destroy(s.debug);
        s.debug = NULL;
        sch_view_destroy(view);
        end_session(&s);
    }
}

/* ---- interrupts ---- */

struct interrupter {
    struct sch_debug *debug;
    atomic_bool over;
};

static void *interrupt_always(void *user)
{
    struct interrupter *interrupter = user;
    while (!atomic_load(&interrupter->over)) sch_debug_interrupt(interrupter->debug);
    return NULL;
}

/* Wherever a flag meets a group that is looked at, the session stops in it, and the run does not end. */
static void interrupts_are_stops(void **state)
{
    (void)state;
    static const struct sch_dispatch_options endless = {.size = sizeof endless, .budget = UINT64_MAX / 2};
    struct session s;
    pthread_t thread;
    begin(&s, "FRAG\nBGNLOOP\nENDLOOP\nEND\n", 1);
    s.options.options = &endless;
    open_session(&s);
    struct interrupter interrupter = {.debug = s.debug};
    assert_int_equal(pthread_create(&thread, NULL, interrupt_always, &interrupter), 0);
    for (unsigned n = 0; n < 2000; n++) {
        const struct sch_debug_stop stop = go(s.debug, SCH_DEBUG_RUN, false, 0);
        assert_false(stop.ended);
        assert_int_equal(stop.reason, SCH_DEBUG_INTERRUPTED);
    }
    atomic_store(&interrupter.over, true);
    pthread_join(thread, NULL);
    end_session(&s);
}

/* ---- memory that is refused ---- */

/* Every allocation of a session fails once: what is called says MEMORY or goes well, and nothing stays. */
static void refused_memory(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 1000, 0, 0}\nBGNLOOP\n"
                               "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy\n"
                               "UIF TEMP[0].yyyy\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n";
    unsigned failed = 0, made = 0;
    for (long fail_at = 1; fail_at < 400; fail_at++) {
        struct counting counting = {.fail_at = 0};
        const struct sch_allocator allocator = counting_callbacks(&counting);
        const struct sch_context_options options = {.size = sizeof options, .memory = &allocator};
        struct sch_context *context;
        uint32_t memory[4] = {1, 2, 3, 4};
        const struct sch_storage_buffer kept = {memory, sizeof memory};
        assert_int_equal(sch_context_create(&options, &context), SCH_OK);
        struct session s;
        begin_in(&s, context, text, 1);
        s.options.memory = &kept;
        s.options.memory_count = 1;
        const long before = counting.calls;
        counting.fail_at = before + fail_at;
        enum sch_result result = sch_debug_create(context, &s.options, &s.debug);
        assert_true(result == SCH_OK || result == SCH_ERROR_MEMORY);
        assert_true((result == SCH_OK) == (s.debug != NULL));
        const struct sch_debug_breakpoint list[] = {{.kind = SCH_DEBUG_BREAK_INSTRUCTION, .number = 6},
                                                    {.kind = SCH_DEBUG_BREAK_MEMORY, .memory = memory, .bytes = 16}};
        const struct sch_debug_go forward = {.size = sizeof forward, .step = SCH_DEBUG_RUN};
        const struct sch_debug_go back = {.size = sizeof back, .step = SCH_DEBUG_STEP_LINE, .back = true};
        bool stopped = result == SCH_OK && !stop_of(s.debug).ended;
        if (result == SCH_OK) result = sch_debug_set_breakpoints(s.debug, list, sizeof *list, COUNT(list));
        if (stopped && result == SCH_OK) result = sch_debug_go(s.debug, &forward);
        if (stopped && result == SCH_OK && !stop_of(s.debug).ended) {
            assert_int_equal(stop_of(s.debug).breakpoint, 0);
            result = sch_debug_go(s.debug, &back);
        }
        assert_true(result == SCH_OK || result == SCH_ERROR_MEMORY);
        failed += result != SCH_OK || (s.debug && stop_of(s.debug).result == SCH_ERROR_MEMORY);
        made += result == SCH_OK;
        const bool over = counting.calls < counting.fail_at;
        counting.fail_at = 0;
        end_session(&s);
        assert_int_equal(counting.live, 0);
        if (over) break;
        assert_true(fail_at < 399);
    }
    assert_true(failed > 5 && made > 1);
}

/* An allocation that fails somewhere in a walk changes no moment: the session is where it was sent, or its run has
 * ended with MEMORY, and the next call leads into it again. */
static void walk_with_refusals(struct session *s, struct counting *counting, uint64_t seed)
{
    open_session(s);
    const uint32_t count = record(s->debug, moments);
    unsigned refused = 0;
    for (unsigned n = 0; n < 400; n++) {
        /* Every fourth time to the end, so that the run begins anew. */
        const uint32_t at = n % 4 == 3 ? count : api_random_word(&seed) % count;
        counting->fail_at = counting->calls + 1 + api_random_word(&seed) % 12;
        const enum sch_result result = sch_debug_seek(s->debug, moments[at].stop.time);
        counting->fail_at = 0;
        struct moment is = moment_of(s->debug);
        const bool failed = result != SCH_OK || is.stop.result != SCH_OK;
        refused += failed;
        if (failed) {
            assert_true(result == SCH_ERROR_MEMORY || is.stop.result == SCH_ERROR_MEMORY);
            assert_true(is.stop.ended);
            assert_int_equal(sch_debug_seek(s->debug, moments[at].stop.time), SCH_OK);
            is = moment_of(s->debug);
        }
        assert_same(&is, &moments[at]);
    }
    assert_true(refused > 0);
}

static void refusals_change_no_moment(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 500, 0, 0}\nBGNLOOP\n"
        "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy\n"
        "UIF TEMP[0].yyyy\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n",
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\nDCL TEMP[0]\n"
        "IMM[0] UINT32 {4, 0, 0, 0}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
        "STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\nBARRIER\nLOAD TEMP[0].y, MEMORY[0], IMM[0].xxxx\nEND\n"};
    for (unsigned n = 0; n < COUNT(texts); n++) {
        struct counting counting = {.fail_at = 0};
        const struct sch_allocator allocator = counting_callbacks(&counting);
        const struct sch_context_options options = {.size = sizeof options, .memory = &allocator};
        struct sch_context *context;
        struct session s;
        assert_int_equal(sch_context_create(&options, &context), SCH_OK);
        begin_in(&s, context, texts[n], 1);
        s.grid[0] = n == 1;
        s.grid[1] = s.grid[2] = 1;
        s.options.kept_bytes = 1 << 18;
        walk_with_refusals(&s, &counting, 4711 + n);
        end_session(&s);
        assert_int_equal(counting.live, 0);
    }
}

/* ---- sessions beside each other ---- */

enum { THREADS = 6 };
struct beside {
    struct session s;
    uint64_t seed, sum; /* of what was seen, which is the same in all threads */
};

static void *walk_beside(void *user)
{
    struct beside *beside = user;
    struct session *s = &beside->s;
    uint64_t seed = beside->seed;
    if (sch_debug_create(s->context, &s->options, &s->debug) != SCH_OK) return NULL;
    for (unsigned n = 0; n < 200; n++) {
        struct sch_debug_stop stop = {.size = sizeof stop};
        const struct sch_debug_register which = {SCH_FILE_TEMPORARY, 0, 0};
        uint32_t words[4][32] = {{0}};
        if (sch_debug_seek(s->debug, api_random_word(&seed) % 600) != SCH_OK) return NULL;
        sch_debug_get_stop(s->debug, &stop);
        if (sch_debug_read(s->debug, &which, words) != SCH_OK) return NULL;
        beside->sum = (beside->sum ^ words[0][0] ^ stop.instruction) * 0x100000001b3u;
    }
    sch_debug_destroy(s->debug);
    s->debug = NULL;
    return user;
}

/* Sessions of several threads share a context and a program. */
static void sessions_go_beside_each_other(void **state)
{
    (void)state;
    static struct beside beside[THREADS];
    pthread_t threads[THREADS];
    struct session first;
    begin(&first,
          "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 500, 0, 0}\nBGNLOOP\n"
          "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy\n"
          "UIF TEMP[0].yyyy\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n",
          1);
    for (unsigned t = 0; t < THREADS; t++) {
        beside[t].seed = 5;
        beside[t].s = first;
        beside[t].s.options.user = &beside[t].s;
        assert_int_equal(pthread_create(&threads[t], NULL, walk_beside, &beside[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        void *done;
        pthread_join(threads[t], &done);
        assert_non_null(done);
        assert_true(beside[t].sum == beside[0].sum);
    }
    end_session(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vertices_are_indexed),
                                       cmocka_unit_test(calls_and_skips_are_counted),
                                       cmocka_unit_test(samples_are_invocations),
                                       cmocka_unit_test(subroutines),
                                       cmocka_unit_test(helpers_go_on),
                                       cmocka_unit_test(streams_go_back),
                                       cmocka_unit_test(outputs_of_other_invocations),
                                       cmocka_unit_test(outputs_of_no_invocation),
                                       cmocka_unit_test(later_dispatches_run_through),
                                       cmocka_unit_test(lanes_behind_the_block),
                                       cmocka_unit_test(lanes_choose_their_views),
                                       cmocka_unit_test(direct3d_has_its_names),
                                       cmocka_unit_test(parts_of_registers_have_its_name),
                                       cmocka_unit_test(every_engine_is_looked_at),
                                       cmocka_unit_test(interrupts_are_stops),
                                       cmocka_unit_test(refused_memory),
                                       cmocka_unit_test(refusals_change_no_moment),
                                       cmocka_unit_test(sessions_go_beside_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
