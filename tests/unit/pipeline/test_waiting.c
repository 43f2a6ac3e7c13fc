/* Draws that may wait for others: whatever comes between them, and on any number of threads, they leave the same
 * pixels and counts as draws that end before they return. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "../support/draw_support.h"

enum { COLUMNS = 300, ROWS = 200, VERTICES = 9000, STATES = 3, FRAGMENTS = 4, STEPS = 400, QUERIES = 40, SIDE = 16 };

static const char *const fragments[FRAGMENTS] = {
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..1]\n"
    "MAD OUT[0], IN[0], CONST[0], CONST[1]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..1]\nDCL TEMP[0]\n"
    "ADD TEMP[0], IN[0], -CONST[1].xxxx\nKILL_IF TEMP[0].xxxx\nMOV OUT[0], CONST[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL "
    "CONST[0..1]\n"
    "DCL TEMP[0]\nTEX TEMP[0], IN[0], SAMP[0], 2D\nMUL OUT[0], TEMP[0], CONST[0]\nEND\n",
    /* Programs with loops may fail, so that they never wait. */
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..1]\nDCL TEMP[0..1]\n"
    "IMM[0] FLT32 {0.0, 1.0, 3.0, 0.25}\nMOV TEMP[0], IMM[0].xxxx\nMOV TEMP[1], IN[0]\nBGNLOOP\n"
    "FSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[0].yyyy\nBRK\nENDIF\nMUL TEMP[1], TEMP[1], CONST[0]\n"
    "ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nMOV OUT[0], TEMP[1]\nEND\n"};

struct world {
    uint64_t seed;
    bool may_wait;
    unsigned threads;
    struct draw_scene scene;
    struct sch_framebuffer *framebuffers[2];     /* with and without depth; both have the colours */
    struct sch_program *programs[FRAGMENTS + 1]; /* the last one: of vertices */
    struct sch_pipeline *pipelines[FRAGMENTS];
    struct sch_rasterizer *rasterizers[STATES];
    struct sch_depth_stencil_alpha *tests[STATES];
    struct sch_blend *blends[STATES];
    struct sch_vertex_elements *elements;
    struct sch_resource *texture;
    struct sch_view *view;
    struct sch_sampler *sampler;
    struct sch_query *query;
    uint64_t counts[QUERIES];
    unsigned queries;
};

static float vertices[VERTICES][2][4];

static uint32_t below(struct world *world, uint32_t count)
{
    world->seed = world->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(world->seed >> 33) % count;
}

/* ---- what draws use ---- */

static struct sch_program *program(const struct world *world, const char *text, unsigned width)
{
    enum sch_result why = SCH_OK;
    struct sch_program *made = api_program_on(world->scene.context, text, strlen(text),
                                              by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER, width, &why);
    if (!made) fail_msg("%s: %s", sch_result_text(why), text);
    return made;
}

static void make_pipelines(struct world *world, unsigned width)
{
    struct sch_program *vertex = program(world, draw_plain_vertex, width);
    for (unsigned f = 0; f < FRAGMENTS; f++) {
        struct sch_program *fragment = program(world, fragments[f], width);
        const struct sch_pipeline_options options = {.size = sizeof options, .vertex = vertex, .fragment = fragment};
        assert_int_equal(sch_pipeline_create(world->scene.context, &options, NULL, &world->pipelines[f]), SCH_OK);
        world->programs[f] = fragment;
    }
    world->programs[FRAGMENTS] = vertex;
}

static void make_states(struct world *world)
{
    struct draw_scene *scene = &world->scene;
    struct sch_blend_target *blend = &scene->blend.targets[0];
    for (unsigned n = 0; n < STATES; n++) {
        scene->rasterizer.cull_face = n == 1 ? SCH_FACE_BACK : 0;
        scene->rasterizer.scissor = scene->rasterizer.poly_stipple_enable = n == 2;
        scene->tests.depth_enabled = n > 0;
        scene->tests.depth_writes = n == 1;
        scene->tests.depth_function = n == 1 ? SCH_COMPARE_LESS : SCH_COMPARE_GEQUAL;
        blend->enabled = n > 0;
        blend->color_source = n == 1 ? SCH_FACTOR_SRC_ALPHA : SCH_FACTOR_DST_COLOR;
        blend->color_destination = n == 1 ? SCH_FACTOR_INV_SRC_ALPHA : SCH_FACTOR_CONST_COLOR;
        assert_int_equal(sch_rasterizer_create(scene->context, &scene->rasterizer, NULL, &world->rasterizers[n]),
                         SCH_OK);
        assert_int_equal(sch_depth_stencil_alpha_create(scene->context, &scene->tests, NULL, &world->tests[n]), SCH_OK);
        assert_int_equal(sch_blend_create(scene->context, &scene->blend, NULL, &world->blends[n]), SCH_OK);
    }
}

static void make_framebuffers(struct world *world)
{
    struct draw_scene *scene = &world->scene;
    struct sch_framebuffer_options options = {.size = sizeof options};
    world->framebuffers[0] = scene->framebuffer;
    assert_int_equal(sch_surface_create(world->texture, NULL, NULL, &options.colors[0]), SCH_OK);
    assert_int_equal(sch_framebuffer_create(scene->context, &options, NULL, &world->framebuffers[1]), SCH_OK);
    sch_surface_destroy(options.colors[0]);
}

static void make_texture(struct world *world)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = SCH_TARGET_2D,
                                                 .format = SCH_FORMAT_R8G8B8A8_UNORM,
                                                 .width = SIDE,
                                                 .height = SIDE};
    const struct sch_sampler_options sampler = {.size = sizeof sampler};
    struct sch_context *context = world->scene.context;
    assert_int_equal(sch_resource_create(context, &options, NULL, &world->texture), SCH_OK);
    assert_int_equal(sch_view_create(world->texture, NULL, &world->view), SCH_OK);
    assert_int_equal(sch_sampler_create(context, &sampler, NULL, &world->sampler), SCH_OK);
}

static void begin(struct world *world, uint64_t seed, bool may_wait, unsigned width, unsigned threads)
{
    memset(world, 0, sizeof *world);
    world->seed = seed;
    world->may_wait = may_wait;
    draw_begin(&world->scene, COLUMNS, ROWS, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_Z24_UNORM_S8_UINT);
    world->scene.dispatch.threads = threads;
    draw_vertices(&world->scene, vertices[0][0], VERTICES, 2);
    assert_int_equal(sch_vertex_elements_create(world->scene.context, world->scene.elements, 2,
                                                sizeof world->scene.elements[0], NULL, &world->elements),
                     SCH_OK);
    make_pipelines(world, width);
    make_states(world);
    make_texture(world);
    make_framebuffers(world);
    assert_int_equal(sch_query_create(world->scene.context, SCH_QUERY_PIPELINE_STATISTICS_SINGLE,
                                      SCH_STATISTIC_PS_INVOCATIONS, &world->query),
                     SCH_OK);
}

static void end(struct world *world)
{
    assert_int_equal(sch_renderer_flush(world->scene.renderer, NULL), SCH_OK);
    sch_query_destroy(world->query);
    sch_sampler_destroy(world->sampler);
    sch_view_destroy(world->view);
    sch_resource_destroy(world->texture);
    sch_framebuffer_destroy(world->framebuffers[1]);
    for (unsigned n = 0; n < STATES; n++) {
        sch_rasterizer_destroy(world->rasterizers[n]);
        sch_depth_stencil_alpha_destroy(world->tests[n]);
        sch_blend_destroy(world->blends[n]);
    }
    sch_vertex_elements_destroy(world->elements);
    for (unsigned f = 0; f < FRAGMENTS; f++) sch_pipeline_destroy(world->pipelines[f]);
    for (unsigned p = 0; p <= FRAGMENTS; p++) sch_program_destroy(world->programs[p]);
    draw_end(&world->scene);
}

/* ---- steps ---- */

/* Constants are in memory that is another draw's afterwards. */
static enum sch_result draw_some(struct world *world, uint32_t first, uint32_t count, unsigned fragment)
{
    struct draw_scene *scene = &world->scene;
    float constants[2][4];
    for (unsigned i = 0; i < 8; i++) constants[i / 4][i % 4] = (float)below(world, 256) / 256;
    const struct sch_constant_buffer constant = {constants, sizeof constants};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = &constant,
                                          .constant_count = 1,
                                          .views = &world->view,
                                          .view_count = 1,
                                          .samplers = &world->sampler,
                                          .sampler_count = 1};
    scene->dynamic.scissors[0] = (struct sch_scissor){below(world, COLUMNS), 0, COLUMNS, 1 + below(world, ROWS)};
    scene->dynamic.blend_color[0] = constants[0][0];
    for (unsigned i = 0; i < 32; i++) scene->dynamic.polygon_stipple[i] = below(world, 4) ? UINT32_MAX : i;
    const struct sch_draw_state state = {.size = sizeof state,
                                         .pipeline = world->pipelines[fragment],
                                         .framebuffer = world->framebuffers[below(world, 10) == 0],
                                         .vertex_elements = world->elements,
                                         .vertex_buffers = scene->buffers,
                                         .vertex_buffer_count = 1,
                                         .vertex_buffer_stride = sizeof scene->buffers[0],
                                         .rasterizer = world->rasterizers[below(world, STATES)],
                                         .depth_stencil_alpha = world->tests[below(world, STATES)],
                                         .blend = world->blends[below(world, STATES)],
                                         .dynamic = &scene->dynamic,
                                         .bindings = {[SCH_STAGE_FRAGMENT] = &bindings}};
    const struct sch_draw draw = {.size = sizeof draw,
                                  .primitive = SCH_PRIMITIVE_TRIANGLES,
                                  .start = first,
                                  .count = count,
                                  .instance_count = 1 + (below(world, 20) == 0),
                                  .may_wait = world->may_wait};
    return sch_renderer_draw(scene->renderer, &state, &draw, &scene->dispatch, NULL);
}

static void clear(struct world *world)
{
    const struct sch_framebuffer_clear wanted = {.size = sizeof wanted,
                                                 .parts = SCH_PART_COLOR | SCH_PART_DEPTH,
                                                 .color = {.f = {0.25f, 0.5f, 0.75f, 1}},
                                                 .depth = 0.5,
                                                 .scissored = true,
                                                 .scissor = {below(world, COLUMNS), below(world, ROWS), COLUMNS, ROWS}};
    assert_int_equal(sch_renderer_clear(world->scene.renderer, world->framebuffers[0], &wanted, NULL), SCH_OK);
}

static void count(struct world *world)
{
    struct sch_renderer *renderer = world->scene.renderer;
    struct sch_query_result result;
    if (world->queries && sch_renderer_end_query(renderer, world->query) == SCH_OK) {
        assert_int_equal(sch_query_get_result(world->query, &result), SCH_OK);
        world->counts[world->queries % QUERIES] = result.values[0];
    }
    assert_int_equal(sch_renderer_begin_query(renderer, world->query), SCH_OK);
    world->queries++;
}

static void fill_texture(struct world *world)
{
    uint32_t texels[SIDE][SIDE];
    assert_int_equal(sch_renderer_flush(world->scene.renderer, NULL), SCH_OK);
    for (unsigned i = 0; i < SIDE * SIDE; i++) texels[i / SIDE][i % SIDE] = api_random_word(&world->seed);
    assert_int_equal(sch_resource_write_all(world->texture, texels, sizeof texels), SCH_OK);
}

static void step(struct world *world)
{
    const uint32_t what = below(world, 100), first = 3 * below(world, VERTICES / 3 - 64);
    enum sch_result result = SCH_OK;
    if (what < 88)
        result = draw_some(world, first, 3 * (1 + below(world, 8)), below(world, 3));
    else if (what < 90)
        result = draw_some(world, first, 3, FRAGMENTS - 1);
    else if (what < 91)
        result = draw_some(world, 0, VERTICES, 0); /* of two chunks */
    else if (what < 94)
        clear(world);
    else if (what < 97)
        count(world);
    else
        fill_texture(world);
    assert_int_equal(result, SCH_OK);
}

/* ---- tests ---- */

struct left {
    uint32_t colors[ROWS][COLUMNS], depth[ROWS][COLUMNS];
    uint64_t counts[QUERIES];
};

static void run(uint64_t seed, bool may_wait, unsigned width, unsigned threads, struct left *left)
{
    static struct world world;
    begin(&world, seed, may_wait, width, threads);
    fill_texture(&world);
    for (unsigned n = 0; n < STEPS; n++) step(&world);
    count(&world);
    assert_int_equal(sch_resource_read_all(world.scene.color, left->colors, sizeof left->colors), SCH_OK);
    assert_int_equal(sch_resource_read_all(world.scene.depth, left->depth, sizeof left->depth), SCH_OK);
    memcpy(left->counts, world.counts, sizeof left->counts);
    end(&world);
}

static void fill_vertices(void)
{
    static struct world random;
    random.seed = 46;
    for (unsigned v = 0; v < VERTICES; v++) {
        const unsigned corner = v % 3, triangle = v - corner;
        for (unsigned i = 0; i < 4; i++) {
            const float part = (float)below(&random, 4096) / 4096;
            vertices[v][1][i] = part;
            vertices[v][0][i] = i == 3   ? 1
                                : i == 2 ? part
                                : corner ? vertices[triangle][0][i] + (part - 0.5f) / 2
                                         : 2 * part - 1;
        }
    }
}

static void same_pixels_and_counts(void **state)
{
    (void)state;
    static struct left one, other;
    const unsigned seeds = by_code() ? 1 : 4;
    fill_vertices();
    for (unsigned seed = 1; seed <= seeds; seed++) {
        memset(&one, 0, sizeof one);
        run(seed, false, 4, 1, &one);
        assert_true(one.counts[1] > 0);
        for (unsigned threads = by_code() ? 3 : 1; threads <= 4; threads++) {
            memset(&other, 0, sizeof other);
            run(seed, true, 4u << threads % 3, threads, &other);
            if (memcmp(&one, &other, sizeof one) != 0)
                fail_msg("seed %u: what is left after draws that wait is different with %u threads", seed, threads);
        }
    }
}

/* Those that wait when their renderer is destroyed are drawn. */
static void the_last_ones_are_drawn(void **state)
{
    (void)state;
    static struct world world;
    static uint32_t colors[ROWS][COLUMNS];
    fill_vertices();
    begin(&world, 7, true, 4, 2);
    for (unsigned n = 0; n < 5; n++) assert_int_equal(draw_some(&world, 30 * n, 30, 0), SCH_OK);
    sch_renderer_destroy(world.scene.renderer);
    assert_int_equal(sch_resource_read_all(world.scene.color, colors, sizeof colors), SCH_OK);
    unsigned drawn = 0;
    for (unsigned i = 0; i < ROWS * COLUMNS; i++) drawn += colors[i / COLUMNS][i % COLUMNS] != 0;
    assert_true(drawn > 0);
    assert_int_equal(sch_renderer_create(world.scene.context, &world.scene.renderer), SCH_OK);
    end(&world);
}

/* A draw that was cancelled ends with the flush. */
static void a_flush_reports_what_became_of_them(void **state)
{
    (void)state;
    static struct world world;
    uint32_t cancel = 0;
    fill_vertices();
    begin(&world, 8, true, 4, 2);
    world.scene.dispatch.cancel = &cancel;
    for (unsigned n = 0; n < 3; n++) assert_int_equal(draw_some(&world, 30 * n, 30, 0), SCH_OK);
    cancel = 1;
    assert_int_equal(sch_renderer_flush(world.scene.renderer, NULL), SCH_ERROR_CANCELLED);
    assert_int_equal(sch_renderer_flush(world.scene.renderer, NULL), SCH_OK);
    end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_pixels_and_counts),
        cmocka_unit_test(the_last_ones_are_drawn),
        cmocka_unit_test(a_flush_reports_what_became_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
