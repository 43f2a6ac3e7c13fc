/* State that changes between draws: a renderer keeps what follows from a state for the next draw with the same. Each
 * thing that a state has is changed alone, in objects that live on and in others that take the place of those that are
 * gone, and the draw must be that of a renderer that has drawn nothing before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../support/api_program.h"
#include "../support/by_code.h"

enum { SIDE = 8, SAMPLES = 4, PIXELS = SIDE * SIDE * SAMPLES, STREAM_WORDS = 128 };

/* What a draw is made of: members may be changed before `make`. */
struct state {
    const char *vertex, *fragment;
    uint32_t offset; /* of IN[0] */
    struct sch_rasterizer_options rasterizer;
    struct sch_depth_stencil_alpha_options tests;
    struct sch_blend_options blend;
    struct sch_dynamic_state dynamic;
    bool default_dynamic;
    uint32_t target; /* of the framebuffer: which picture */
    bool has_depth;
    unsigned streams; /* bits: buffers that stream output goes to */
    struct sch_constant_buffer constants[1];
    float vertices[8][4];
    uint32_t first;
};

/* A renderer with its pictures, and the objects of the present state. */
struct world {
    struct sch_context *context;
    struct sch_resource *pictures[2], *depth, *buffer;
    struct sch_renderer *renderer;
    struct sch_program *programs[2];
    struct sch_pipeline *pipeline;
    struct sch_framebuffer *framebuffer;
    struct sch_vertex_elements *elements;
    struct sch_rasterizer *rasterizer;
    struct sch_depth_stencil_alpha *tests;
    struct sch_blend *blend;
    struct sch_stream_output *layout;
    struct sch_stream_target *streams[2];
    struct sch_query *query;
    struct sch_bindings bindings;
};

/* All that a draw may write. */
struct answer {
    float pictures[2][PIXELS][4];
    float depth[PIXELS];
    uint32_t words[STREAM_WORDS];
    uint64_t streamed[2]; /* primitives: written, needed */
};

/* ---- a world ---- */

static struct sch_resource *make_picture(const struct world *world, enum sch_format format)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = SCH_TARGET_2D_MSAA,
                                                 .format = format,
                                                 .width = SIDE,
                                                 .height = SIDE,
                                                 .samples = SAMPLES};
    struct sch_resource *made = NULL;
    assert_int_equal(sch_resource_create(world->context, &options, NULL, &made), SCH_OK);
    return made;
}

static struct sch_program *make_program(const struct world *world, const char *text)
{
    enum sch_result why = SCH_OK;
    const enum sch_engine engine = by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
    struct sch_program *made = api_program_on(world->context, text, strlen(text), engine, 0, &why);
    if (!made) fail_msg("%s: %s", sch_result_text(why), text);
    return made;
}

static void destroy_pipeline(struct world *world)
{
    sch_pipeline_destroy(world->pipeline);
    sch_program_destroy(world->programs[0]);
    sch_program_destroy(world->programs[1]);
}

static void make_pipeline(struct world *world, const struct state *state)
{
    world->programs[0] = make_program(world, state->vertex);
    world->programs[1] = make_program(world, state->fragment);
    const struct sch_pipeline_options options = {.size = sizeof options,
                                                 .vertex = world->programs[0],
                                                 .fragment = world->programs[1],
                                                 .stream_output = world->layout};
    assert_int_equal(sch_pipeline_create(world->context, &options, NULL, &world->pipeline), SCH_OK);
}

static void make_framebuffer(struct world *world, const struct state *state)
{
    struct sch_framebuffer_options options = {.size = sizeof options};
    assert_int_equal(sch_surface_create(world->pictures[state->target], NULL, NULL, &options.colors[0]), SCH_OK);
    if (state->has_depth)
        assert_int_equal(sch_surface_create(world->depth, NULL, NULL, &options.depth_stencil), SCH_OK);
    assert_int_equal(sch_framebuffer_create(world->context, &options, NULL, &world->framebuffer), SCH_OK);
    sch_surface_destroy(options.colors[0]);
    sch_surface_destroy(options.depth_stencil);
}

/* What a state has objects for. */
enum { PIPELINE = 1, FRAMEBUFFER = 2, ELEMENTS = 4, RASTERIZER = 8, TESTS = 16, BLEND = 32, ALL = 63 };

static void make(struct world *world, const struct state *state, unsigned parts)
{
    const struct sch_vertex_element element = {
        .format = SCH_FORMAT_R32G32B32A32_FLOAT, .stride = 16, .offset = state->offset};
    struct sch_context *context = world->context;
    if (parts & PIPELINE) make_pipeline(world, state);
    if (parts & FRAMEBUFFER) make_framebuffer(world, state);
    if (parts & ELEMENTS)
        assert_int_equal(sch_vertex_elements_create(context, &element, 1, sizeof element, NULL, &world->elements),
                         SCH_OK);
    if (parts & RASTERIZER)
        assert_int_equal(sch_rasterizer_create(context, &state->rasterizer, NULL, &world->rasterizer), SCH_OK);
    if (parts & TESTS)
        assert_int_equal(sch_depth_stencil_alpha_create(context, &state->tests, NULL, &world->tests), SCH_OK);
    if (parts & BLEND) assert_int_equal(sch_blend_create(context, &state->blend, NULL, &world->blend), SCH_OK);
}

static void destroy(struct world *world, unsigned parts)
{
    if (parts & PIPELINE) destroy_pipeline(world);
    if (parts & FRAMEBUFFER) sch_framebuffer_destroy(world->framebuffer);
    if (parts & ELEMENTS) sch_vertex_elements_destroy(world->elements);
    if (parts & RASTERIZER) sch_rasterizer_destroy(world->rasterizer);
    if (parts & TESTS) sch_depth_stencil_alpha_destroy(world->tests);
    if (parts & BLEND) sch_blend_destroy(world->blend);
}

/* A world with the objects of a state. */
static void world_begin(struct world *world, const struct state *state)
{
    static const struct sch_stream_output_options layout = {
        .size = sizeof layout,
        .stride = {4, 4},
        .register_count = 2,
        .registers = {{.component_count = 4}, {.component_count = 4, .buffer = 1}}};
    const struct sch_resource_options words = {
        .size = sizeof words, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R32_UINT, .width = STREAM_WORDS};
    memset(world, 0, sizeof *world);
    world->context = api_context();
    for (unsigned p = 0; p < 2; p++) world->pictures[p] = make_picture(world, SCH_FORMAT_R32G32B32A32_FLOAT);
    world->depth = make_picture(world, SCH_FORMAT_Z32_FLOAT);
    assert_int_equal(sch_resource_create(world->context, &words, NULL, &world->buffer), SCH_OK);
    for (unsigned t = 0; t < 2; t++) {
        const struct sch_stream_target_options range = {
            .size = sizeof range, .resource = world->buffer, .offset = 256 * t, .bytes = 256};
        assert_int_equal(sch_stream_target_create(world->context, &range, NULL, &world->streams[t]), SCH_OK);
    }
    assert_int_equal(sch_query_create(world->context, SCH_QUERY_SO_STATISTICS, 0, &world->query), SCH_OK);
    assert_int_equal(sch_stream_output_create(world->context, &layout, NULL, &world->layout), SCH_OK);
    assert_int_equal(sch_renderer_create(world->context, &world->renderer), SCH_OK);
    make(world, state, ALL);
}

static void world_end(struct world *world)
{
    sch_renderer_destroy(world->renderer);
    destroy(world, ALL);
    sch_stream_output_destroy(world->layout);
    for (unsigned t = 0; t < 2; t++) sch_stream_target_destroy(world->streams[t]);
    sch_query_destroy(world->query);
    for (unsigned p = 0; p < 2; p++) sch_resource_destroy(world->pictures[p]);
    sch_resource_destroy(world->depth);
    sch_resource_destroy(world->buffer);
    sch_context_destroy(world->context);
}

/* ---- draws ---- */

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
static const char turned_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0].yxzw\nEND\n";
static const char fragment_text[] = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0]\nMOV OUT[0], CONST[0][0]\nEND\n";
static const char other_text[] = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0]\nMOV OUT[0], CONST[0][0].yxzw\nEND\n";
static const char front_text[] = "FRAG\nDCL IN[0], FACE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0].xxxx\nEND\n";

static const float color[4] = {0.25f, 0.5f, 1.5f, 1}, other_color[4] = {1, 0.75f, 0.5f, 0.25f};

/* A triangle over three quarters of the picture, and one beside it in the other vertices. */
static struct state first_state(void)
{
    struct state s = {.vertex = vertex_text,
                      .fragment = fragment_text,
                      .streams = 3,
                      .constants = {{color, sizeof color}},
                      .vertices = {{-1, -1, 0.25f, 1}, {1, -1, 0.5f, 1}, {-1, 0.75f, 0.75f, 1}, {0.5f, 1, 0, 1}}};
    s.rasterizer.size = sizeof s.rasterizer;
    s.tests.size = sizeof s.tests;
    s.blend.size = sizeof s.blend;
    s.dynamic.size = sizeof s.dynamic;
    assert_int_equal(sch_rasterizer_options_default(&s.rasterizer), SCH_OK);
    assert_int_equal(sch_depth_stencil_alpha_options_default(&s.tests), SCH_OK);
    assert_int_equal(sch_blend_options_default(&s.blend), SCH_OK);
    assert_int_equal(sch_dynamic_state_default(&s.dynamic), SCH_OK);
    s.rasterizer.multisample = s.rasterizer.scissor = true;
    s.tests.depth_enabled = s.tests.depth_writes = s.tests.alpha_enabled = true;
    s.tests.depth_function = s.tests.alpha_function = SCH_COMPARE_ALWAYS;
    s.blend.targets[0].color_source = s.blend.targets[0].alpha_source = SCH_FACTOR_SRC_COLOR;
    s.dynamic.clip_planes[0][0] = 1;
    s.dynamic.polygon_stipple[3] = s.dynamic.polygon_stipple[4] = 0;
    s.dynamic.scissors[0] = (struct sch_scissor){0, 0, SIDE - 1, SIDE};
    s.dynamic.viewports[0] = (struct sch_viewport){{SIDE / 2, SIDE / 2, 0.5f}, {SIDE / 2, SIDE / 2, 0.5f}};
    return s;
}

static void clear(const struct world *world)
{
    static const uint32_t zeros[STREAM_WORDS];
    static const float nothing[PIXELS][4];
    const struct sch_transfer buffer = {.size = sizeof buffer, .box = {0, 0, 0, STREAM_WORDS, 1, 1}};
    assert_int_equal(sch_resource_write(world->buffer, &buffer, zeros, sizeof zeros, NULL), SCH_OK);
    for (uint32_t s = 0; s < SAMPLES; s++) {
        const struct sch_transfer all = {.size = sizeof all, .sample = s, .box = {0, 0, 0, SIDE, SIDE, 1}};
        for (unsigned p = 0; p < 2; p++)
            assert_int_equal(sch_resource_write(world->pictures[p], &all, nothing, SIDE * SIDE * 16, NULL), SCH_OK);
        assert_int_equal(sch_resource_write(world->depth, &all, nothing, SIDE * SIDE * 4, NULL), SCH_OK);
    }
}

static enum sch_result try_draw(struct world *world, const struct state *state)
{
    const struct sch_vertex_buffer buffer = {.memory = state->vertices, .memory_bytes = sizeof state->vertices};
    world->bindings =
        (struct sch_bindings){.size = sizeof world->bindings, .constants = state->constants, .constant_count = 1};
    const struct sch_draw_state given = {.size = sizeof given,
                                         .pipeline = world->pipeline,
                                         .framebuffer = world->framebuffer,
                                         .vertex_elements = world->elements,
                                         .vertex_buffers = &buffer,
                                         .vertex_buffer_count = 1,
                                         .vertex_buffer_stride = sizeof buffer,
                                         .rasterizer = world->rasterizer,
                                         .depth_stencil_alpha = world->tests,
                                         .blend = world->blend,
                                         .dynamic = state->default_dynamic ? NULL : &state->dynamic,
                                         .stream_targets = {state->streams & 1 ? world->streams[0] : NULL,
                                                            state->streams & 2 ? world->streams[1] : NULL},
                                         .bindings = {[SCH_STAGE_FRAGMENT] = &world->bindings}};
    const struct sch_draw draw = {.size = sizeof draw,
                                  .primitive = SCH_PRIMITIVE_TRIANGLES,
                                  .start = state->first,
                                  .count = 3,
                                  .instance_count = 1};
    return sch_renderer_draw(world->renderer, &given, &draw, NULL, NULL);
}

static void look(const struct world *world, struct answer *answer)
{
    const struct sch_transfer buffer = {.size = sizeof buffer, .box = {0, 0, 0, STREAM_WORDS, 1, 1}};
    const uint32_t texels = SIDE * SIDE;
    for (uint32_t s = 0; s < SAMPLES; s++) {
        const struct sch_transfer all = {.size = sizeof all, .sample = s, .box = {0, 0, 0, SIDE, SIDE, 1}};
        for (unsigned p = 0; p < 2; p++)
            assert_int_equal(
                sch_resource_read(world->pictures[p], &all, answer->pictures[p][s * texels], texels * 16, NULL),
                SCH_OK);
        assert_int_equal(sch_resource_read(world->depth, &all, &answer->depth[s * texels], texels * 4, NULL), SCH_OK);
    }
    assert_int_equal(sch_resource_read(world->buffer, &buffer, answer->words, sizeof answer->words, NULL), SCH_OK);
}

static void draw(struct world *world, const struct state *state, struct answer *answer)
{
    struct sch_query_result counted;
    for (unsigned t = 0; t < 2; t++) assert_int_equal(sch_stream_target_set_filled(world->streams[t], 0), SCH_OK);
    clear(world);
    assert_int_equal(sch_renderer_begin_query(world->renderer, world->query), SCH_OK);
    assert_int_equal(try_draw(world, state), SCH_OK);
    assert_int_equal(sch_renderer_end_query(world->renderer, world->query), SCH_OK);
    assert_int_equal(sch_query_get_result(world->query, &counted), SCH_OK);
    memcpy(answer->streamed, counted.values, sizeof answer->streamed);
    look(world, answer);
}

/* ---- changes ---- */

/* Of one thing, with the objects that are others by it. */
#define CHANGES(X)                                                                                                     \
    X(vertex_program, PIPELINE, s->vertex = turned_text)                                                               \
    X(fragment_program, PIPELINE, s->fragment = other_text)                                                            \
    X(inputs, PIPELINE, s->fragment = front_text)                                                                      \
    X(picture, FRAMEBUFFER, s->target = 1)                                                                             \
    X(depth_buffer, FRAMEBUFFER, s->has_depth = true)                                                                  \
    X(elements, ELEMENTS, s->offset = 16)                                                                              \
    X(culling, RASTERIZER, s->rasterizer.cull_face = SCH_FACE_FRONT | SCH_FACE_BACK)                                   \
    X(multisample, RASTERIZER, s->rasterizer.multisample = false)                                                      \
    X(discard, RASTERIZER, s->rasterizer.rasterizer_discard = true)                                                    \
    X(outlines, RASTERIZER, s->rasterizer.fill_front = s->rasterizer.fill_back = SCH_FILL_LINE)                        \
    X(clamping, RASTERIZER, s->rasterizer.clamp_fragment_color = true)                                                 \
    X(user_plane, RASTERIZER, s->rasterizer.clip_plane_enable = 1)                                                     \
    X(stipple, RASTERIZER, s->rasterizer.poly_stipple_enable = true)                                                   \
    X(no_scissor, RASTERIZER, s->rasterizer.scissor = false)                                                           \
    X(alpha_test, TESTS, s->tests.alpha_function = SCH_COMPARE_LESS)                                                   \
    X(color_mask, BLEND, s->blend.targets[0].color_mask = 5)                                                           \
    X(blending, BLEND, s->blend.targets[0].enabled = true)                                                             \
    X(viewport, 0, s->dynamic.viewports[0].scale[0] = 2)                                                               \
    X(scissor, 0, s->dynamic.scissors[0].right = 2)                                                                    \
    X(sample_mask, 0, s->dynamic.sample_mask = 5)                                                                      \
    X(default_dynamic, 0, s->default_dynamic = true)                                                                   \
    X(streams, 0, s->streams = 2)                                                                                      \
    X(no_streams, 0, s->streams = 0)                                                                                   \
    X(vertices, 0, s->vertices[0][0] = 0)                                                                              \
    X(start, 0, s->first = 1)                                                                                          \
    X(constants, 0, s->constants[0].data = other_color)                                                                \
    X(fewer_constants, 0, s->constants[0].bytes = 8)

#define FUNCTION(name, parts, statement)                                                                               \
    static void change_##name(struct state *s) { statement; }
CHANGES(FUNCTION)
#undef FUNCTION

static const struct change {
    const char *name;
    unsigned parts;
    void (*make)(struct state *state);
} changes[] = {
#define ROW(name, parts, statement) {#name, parts, change_##name},
    CHANGES(ROW)
#undef ROW
};

/* By a renderer that has drawn nothing before. */
static void draw_alone(const struct state *state, struct answer *answer)
{
    struct world world;
    world_begin(&world, state);
    draw(&world, state, answer);
    world_end(&world);
}

static void assert_same(const struct answer *answer, const struct answer *wanted, const char *name, const char *when)
{
    if (memcmp(answer, wanted, sizeof *answer) != 0) fail_msg("%s: another answer %s", name, when);
}

/* `gone`: the objects before are destroyed first, so that others may have their addresses. */
static void change_is_seen(const struct change *change, bool gone)
{
    static struct answer first, second, answer;
    struct state before = first_state(), after = before;
    struct world world, other;
    change->make(&after);
    draw_alone(&before, &first);
    draw_alone(&after, &second);
    if (memcmp(&first, &second, sizeof first) == 0) fail_msg("%s: nothing changes by it", change->name);
    world_begin(&world, &before);
    draw(&world, &before, &answer);
    assert_same(&answer, &first, change->name, "at first");
    draw(&world, &before, &answer);
    assert_same(&answer, &first, change->name, "again");
    other = world;
    if (gone) destroy(&world, change->parts);
    make(&world, &after, change->parts);
    draw(&world, &after, &answer);
    assert_same(&answer, &second, change->name, "behind the change");
    if (gone) {
        destroy(&world, change->parts);
        make(&world, &before, change->parts);
        draw(&world, &before, &answer);
    } else {
        draw(&other, &before, &answer);
        destroy(&other, change->parts);
    }
    assert_same(&answer, &first, change->name, "as at first");
    world_end(&world);
}

static void changes_are_seen(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        change_is_seen(&changes[c], false);
        change_is_seen(&changes[c], true);
    }
}

/* ---- wrong states ---- */

/* A state that is refused is not kept, and the one before it may come again. */
static void refused_states_change_nothing(void **state)
{
    (void)state;
    static struct answer wanted, answer;
    struct state right = first_state(), wrong = right;
    struct world world;
    wrong.dynamic.viewport_count = 0;
    world_begin(&world, &right);
    assert_int_equal(try_draw(&world, &wrong), SCH_ERROR_ARGUMENT);
    assert_int_equal(try_draw(&world, &wrong), SCH_ERROR_ARGUMENT);
    draw(&world, &right, &wanted);
    assert_int_equal(try_draw(&world, &wrong), SCH_ERROR_ARGUMENT);
    assert_int_equal(try_draw(&world, &wrong), SCH_ERROR_ARGUMENT);
    draw(&world, &right, &answer);
    assert_same(&answer, &wanted, "viewport_count", "behind the refusal");
    world_end(&world);
}

/* Objects of another context are wrong, whatever they are otherwise. */
static void contexts_are_told_apart(void **state)
{
    (void)state;
    static struct answer answer;
    const struct state right = first_state();
    struct world world, other;
    world_begin(&world, &right);
    world_begin(&other, &right);
    draw(&world, &right, &answer);
    for (unsigned part = PIPELINE; part < ALL; part *= 2) {
        struct world mixed = world;
        if (part == PIPELINE) mixed.pipeline = other.pipeline;
        if (part == FRAMEBUFFER) mixed.framebuffer = other.framebuffer;
        if (part == ELEMENTS) mixed.elements = other.elements;
        if (part == RASTERIZER) mixed.rasterizer = other.rasterizer;
        if (part == TESTS) mixed.tests = other.tests;
        if (part == BLEND) mixed.blend = other.blend;
        assert_int_equal(try_draw(&mixed, &right), SCH_ERROR_ARGUMENT);
        assert_int_equal(try_draw(&world, &right), SCH_OK);
    }
    world_end(&other);
    world_end(&world);
}

/* ---- what a renderer is told between draws ---- */

/* The history of a pixel is recorded of one draw between two that nobody records. */
static void recorded_draws_are_among_others(void **state)
{
    (void)state;
    static struct answer wanted, answer;
    struct state right = first_state();
    const struct sch_pixel_history_options options = {.size = sizeof options, .x = 1, .y = 1};
    struct sch_pixel_history_info info = {.size = sizeof info};
    struct sch_pixel_history *history;
    struct world world;
    right.streams = 0;
    world_begin(&world, &right);
    draw(&world, &right, &wanted);
    assert_int_equal(sch_pixel_history_create(world.pictures[0], &options, NULL, &history), SCH_OK);
    for (unsigned n = 0; n < 4; n++) {
        clear(&world);
        assert_int_equal(sch_renderer_record_pixel(world.renderer, n & 1 ? history : NULL), SCH_OK);
        assert_int_equal(try_draw(&world, &right), SCH_OK);
        assert_int_equal(sch_renderer_record_pixel(world.renderer, NULL), SCH_OK);
        assert_int_equal(sch_pixel_history_get_info(history, &info), SCH_OK);
        assert_int_equal(info.event_count, (n + 1) / 2);
        answer = wanted;
        look(&world, &answer);
        assert_same(&answer, &wanted, "history", "of the draw");
    }
    sch_pixel_history_destroy(history);
    world_end(&world);
}

/* ---- what programs read ---- */

/* The texel four pixels to the left, plus one. */
static const char left_text[] = "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL SVIEW[0], 2D, FLOAT\nDCL OUT[0], COLOR\n"
                                "DCL TEMP[0]\nIMM[0] FLT32 {-4, 0, 0, 1}\nIMM[1] UINT32 {0, 0, 0, 0}\n"
                                "ADD TEMP[0], IN[0], IMM[0]\nFLR TEMP[0], TEMP[0]\nF2I TEMP[0], TEMP[0]\n"
                                "MOV TEMP[0].zw, IMM[1]\nSAMPLE_I TEMP[0], TEMP[0], SVIEW[0]\n"
                                "ADD OUT[0], TEMP[0], IMM[0].wwww\nEND\n";

/* Points that read what others have drawn, after a draw of the same state whose points do not: they are drawn one by
 * one. */
static void read_targets_are_seen(void **state)
{
    (void)state;
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_2D, .format = SCH_FORMAT_R32_FLOAT, .width = SIDE, .height = SIDE};
    static const float vertices[2][4] = {{1.5f / 4 - 1, 0.5f / 4 - 1, 0, 1}, {5.5f / 4 - 1, 0.5f / 4 - 1, 0, 1}};
    const struct sch_vertex_buffer buffer = {.memory = vertices, .memory_bytes = sizeof vertices};
    const struct sch_draw draw_points = {
        .size = sizeof draw_points, .primitive = SCH_PRIMITIVE_POINTS, .count = 2, .instance_count = 1};
    struct state plain = first_state();
    struct sch_framebuffer_options targets = {.size = sizeof targets};
    struct sch_framebuffer *framebuffer;
    struct sch_resource *pictures[2];
    struct sch_view *views[2];
    struct world world;
    plain.fragment = left_text;
    world_begin(&world, &plain);
    for (unsigned p = 0; p < 2; p++) {
        assert_int_equal(sch_resource_create(world.context, &options, NULL, &pictures[p]), SCH_OK);
        assert_int_equal(sch_view_create(pictures[p], NULL, &views[p]), SCH_OK);
    }
    assert_int_equal(sch_surface_create(pictures[0], NULL, NULL, &targets.colors[0]), SCH_OK);
    assert_int_equal(sch_framebuffer_create(world.context, &targets, NULL, &framebuffer), SCH_OK);
    for (unsigned n = 0; n < 4; n++) {
        static const float zeros[SIDE * SIDE];
        float texels[SIDE * SIDE];
        const bool reads = n & 1;
        struct sch_view *const read[] = {views[reads ? 0 : 1]};
        const struct sch_bindings bindings = {.size = sizeof bindings, .views = read, .view_count = 1};
        const struct sch_draw_state given = {.size = sizeof given,
                                             .pipeline = world.pipeline,
                                             .framebuffer = framebuffer,
                                             .vertex_elements = world.elements,
                                             .vertex_buffers = &buffer,
                                             .vertex_buffer_count = 1,
                                             .vertex_buffer_stride = sizeof buffer,
                                             .bindings = {[SCH_STAGE_FRAGMENT] = &bindings}};
        assert_int_equal(sch_resource_write_all(pictures[0], zeros, sizeof zeros), SCH_OK);
        assert_int_equal(sch_renderer_draw(world.renderer, &given, &draw_points, NULL, NULL), SCH_OK);
        assert_int_equal(sch_resource_read_all(pictures[0], texels, sizeof texels), SCH_OK);
        if (texels[1] != 1.0f || texels[5] != (reads ? 2.0f : 1.0f))
            fail_msg("draw %u: %g and %g", n, (double)texels[1], (double)texels[5]);
    }
    sch_surface_destroy(targets.colors[0]);
    sch_framebuffer_destroy(framebuffer);
    for (unsigned p = 0; p < 2; p++) {
        sch_view_destroy(views[p]);
        sch_resource_destroy(pictures[p]);
    }
    world_end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_seen), cmocka_unit_test(refused_states_change_nothing),
        cmocka_unit_test(contexts_are_told_apart), cmocka_unit_test(recorded_draws_are_among_others),
        cmocka_unit_test(read_targets_are_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
