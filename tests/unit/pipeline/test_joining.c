/* Small draws that follow each other, of which one thing or another changes from draw to draw: those that may wait, and
 * are joined where nothing but their vertices differs, leave the same pixels and counts as draws that end before they
 * return. */
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

enum {
    COLUMNS = 160,
    ROWS = 120,
    VERTICES = 400,
    INDICES = 64,
    PROGRAMS = 3,
    BUFFERS = 2,
    RASTERIZERS = 3,
    STEPS = 3000
};

/* The last one reads what draws have of their own. */
static const char *const vertex_texts[PROGRAMS] = {
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL CONST[0]\n"
    "ADD OUT[0], IN[0], CONST[0]\nMOV OUT[1], IN[1]\nEND\n",
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], CLIPDIST\nDCL CONST[0]\n"
    "DCL TEMP[0]\nADD TEMP[0], IN[0], CONST[0]\nMOV OUT[0], TEMP[0]\nMOV OUT[1], IN[1]\n"
    "ADD OUT[2], TEMP[0], IN[1]\nEND\n",
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL SV[2], BASEVERTEX\nDCL SV[3], DRAWID\n"
    "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL CONST[0]\nDCL TEMP[0]\nIMM[0] FLT32 {0.0625, 0.125, 0.25, 0.5}\n"
    "ADD OUT[0], IN[0], CONST[0]\nU2F TEMP[0].x, SV[0].xxxx\nU2F TEMP[0].y, SV[1].xxxx\nU2F TEMP[0].z, SV[2].xxxx\n"
    "U2F TEMP[0].w, SV[3].xxxx\nMUL TEMP[0], TEMP[0], IMM[0]\nFRC TEMP[0], TEMP[0]\nADD OUT[1], IN[1], TEMP[0]\nEND\n"};
static const char *const fragment_texts[PROGRAMS] = {
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0]\nMUL OUT[0], IN[0], CONST[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL CONST[0]\nMUL OUT[0], IN[0], CONST[0]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], PRIM_ID, CONSTANT\nDCL OUT[0], COLOR\nDCL CONST[0]\n"
    "DCL TEMP[0]\nIMM[0] FLT32 {0.0625, 0.125, 0.25, 0.5}\nU2F TEMP[0], IN[1].xxxx\nMUL TEMP[0], TEMP[0], IMM[0]\n"
    "FRC TEMP[0], TEMP[0]\nMAD OUT[0], IN[0], CONST[0], TEMP[0]\nEND\n"};

/* What a draw has; some of it changes before the next. */
struct now {
    unsigned vertex, fragment, rasterizer, elements, buffer, constants[2];
    struct sch_draw draw;
};

struct world {
    uint64_t seed;
    bool may_wait;
    struct now now;
    struct draw_scene scene;
    struct sch_program *programs[2][PROGRAMS];
    struct sch_pipeline *pipelines[PROGRAMS][PROGRAMS];
    struct sch_rasterizer *rasterizers[RASTERIZERS];
    struct sch_depth_stencil_alpha *depth;
    struct sch_blend *blend;
    struct sch_vertex_elements *elements[2]; /* the second one: colours by instance */
    struct sch_query *query;
    uint64_t counts[SCH_STATISTICS];
    uint32_t begun; /* queries */
    uint32_t calm;  /* steps without a change */
};

static float vertices[BUFFERS][VERTICES][2][4];

static uint32_t below(struct world *world, uint32_t count)
{
    world->seed = world->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(world->seed >> 33) % count;
}

static struct sch_program *program(const struct world *world, const char *text, unsigned width)
{
    enum sch_result why = SCH_OK;
    struct sch_program *made = api_program_on(world->scene.context, text, strlen(text),
                                              by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER, width, &why);
    if (!made) fail_msg("%s: %s", sch_result_text(why), text);
    return made;
}

static void make_states(struct world *world)
{
    struct draw_scene *scene = &world->scene;
    scene->tests.depth_enabled = scene->tests.depth_writes = true;
    scene->tests.depth_function = SCH_COMPARE_LEQUAL;
    scene->blend.targets[0].enabled = true; /* the order shows */
    scene->blend.targets[0].color_source = SCH_FACTOR_SRC_ALPHA;
    scene->blend.targets[0].color_destination = SCH_FACTOR_INV_SRC_ALPHA;
    for (unsigned n = 0; n < RASTERIZERS; n++) {
        scene->rasterizer.line_stipple_enable = n == 1;
        scene->rasterizer.line_stipple_pattern = 0x3f31;
        scene->rasterizer.clip_plane_enable = n == 1;
        scene->rasterizer.fill_front = n == 2 ? SCH_FILL_LINE : SCH_FILL_SOLID;
        scene->rasterizer.cull_face = n == 2 ? SCH_FACE_BACK : 0;
        assert_int_equal(sch_rasterizer_create(scene->context, &scene->rasterizer, NULL, &world->rasterizers[n]),
                         SCH_OK);
    }
    assert_int_equal(sch_depth_stencil_alpha_create(scene->context, &scene->tests, NULL, &world->depth), SCH_OK);
    assert_int_equal(sch_blend_create(scene->context, &scene->blend, NULL, &world->blend), SCH_OK);
    for (unsigned n = 0; n < 2; n++) {
        scene->elements[1].divisor = n;
        assert_int_equal(sch_vertex_elements_create(scene->context, scene->elements, 2, sizeof scene->elements[0], NULL,
                                                    &world->elements[n]),
                         SCH_OK);
    }
    assert_int_equal(sch_query_create(scene->context, SCH_QUERY_PIPELINE_STATISTICS, 0, &world->query), SCH_OK);
}

static void begin(struct world *world, uint64_t seed, bool may_wait, unsigned width, unsigned threads)
{
    memset(world, 0, sizeof *world);
    world->seed = seed;
    world->may_wait = may_wait;
    draw_begin(&world->scene, COLUMNS, ROWS, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_Z24_UNORM_S8_UINT);
    world->scene.dispatch.threads = threads;
    world->scene.dispatch.deadline_ms = threads == 2 ? 0 : 600000;
    draw_vertices(&world->scene, vertices[0][0][0], VERTICES, 2);
    for (unsigned p = 0; p < PROGRAMS; p++) {
        world->programs[0][p] = program(world, vertex_texts[p], width);
        world->programs[1][p] = program(world, fragment_texts[p], width);
    }
    for (unsigned p = 0; p < PROGRAMS * PROGRAMS; p++) {
        const struct sch_pipeline_options options = {.size = sizeof options,
                                                     .vertex = world->programs[0][p / PROGRAMS],
                                                     .fragment = world->programs[1][p % PROGRAMS]};
        assert_int_equal(
            sch_pipeline_create(world->scene.context, &options, NULL, &world->pipelines[p / PROGRAMS][p % PROGRAMS]),
            SCH_OK);
    }
    make_states(world);
}

static void end(struct world *world)
{
    sch_query_destroy(world->query);
    for (unsigned n = 0; n < 2; n++) sch_vertex_elements_destroy(world->elements[n]);
    sch_blend_destroy(world->blend);
    sch_depth_stencil_alpha_destroy(world->depth);
    for (unsigned n = 0; n < RASTERIZERS; n++) sch_rasterizer_destroy(world->rasterizers[n]);
    for (unsigned p = 0; p < PROGRAMS; p++) {
        for (unsigned f = 0; f < PROGRAMS; f++) sch_pipeline_destroy(world->pipelines[p][f]);
        sch_program_destroy(world->programs[0][p]);
        sch_program_destroy(world->programs[1][p]);
    }
    draw_end(&world->scene);
}

/* ---- steps ---- */

static enum sch_primitive some_primitive(struct world *world)
{
    static const enum sch_primitive primitives[] = {
        SCH_PRIMITIVE_POINTS,    SCH_PRIMITIVE_LINES,          SCH_PRIMITIVE_LINE_LOOP,      SCH_PRIMITIVE_LINE_STRIP,
        SCH_PRIMITIVE_TRIANGLES, SCH_PRIMITIVE_TRIANGLE_STRIP, SCH_PRIMITIVE_QUADS,          SCH_PRIMITIVE_TRIANGLE_FAN,
        SCH_PRIMITIVE_POLYGON,   SCH_PRIMITIVE_QUAD_STRIP,     SCH_PRIMITIVE_LINES_ADJACENCY};
    return primitives[below(world, sizeof primitives / sizeof *primitives)];
}

/* One thing or another, seldom; mostly all is as it was. */
static void change(struct world *world)
{
    struct now *now = &world->now;
    struct sch_draw *draw = &now->draw;
    switch (below(world, 18)) {
    case 0:
        now->vertex = below(world, PROGRAMS);
        break;
    case 1:
        now->rasterizer = below(world, RASTERIZERS);
        break;
    case 2:
        now->buffer = below(world, BUFFERS);
        break;
    case 3:
        now->constants[0] = below(world, 8);
        break;
    case 4:
        now->constants[1] = below(world, 8);
        break;
    case 5:
    case 6:
        draw->primitive = some_primitive(world);
        break;
    case 8:
        draw->draw_id = below(world, 8);
        break;
    case 9:
        draw->index_bias = (int32_t)below(world, 20);
        break;
    case 10:
        draw->no_base = !draw->no_base;
        break;
    case 11:
        draw->start_instance = below(world, 3);
        break;
    case 12:
        draw->index_bytes = 1u << below(world, 3);
        break;
    case 13:
        draw->index_bytes = 0;
        break;
    case 14:
        draw->restart = !draw->restart;
        break;
    case 15:
        now->fragment = below(world, PROGRAMS);
        break;
    case 16:
        world->scene.dynamic.viewports[0].scale[0] = (float)(COLUMNS / 2 - below(world, 40));
        break;
    case 7:
        now->elements = below(world, 2);
        break;
    default:
        break;
    }
}

/* Constants, bindings and indices are other draws' afterwards. */
static enum sch_result draw_some(struct world *world)
{
    struct draw_scene *scene = &world->scene;
    const struct now *now = &world->now;
    float constants[2][4] = {{0}};
    uint8_t indices[INDICES * 4];
    constants[0][0] = (float)now->constants[0] / 32;
    for (unsigned i = 0; i < 4; i++) constants[1][i] = (float)(now->constants[1] + i) / 16;
    for (unsigned i = 0; i < INDICES; i++)
        memcpy(indices + i * now->draw.index_bytes, &(uint32_t){below(world, VERTICES / 2)}, now->draw.index_bytes);
    struct sch_constant_buffer buffers[2];
    struct sch_bindings bindings[2];
    for (unsigned s = 0; s < 2; s++) {
        buffers[s] = (struct sch_constant_buffer){constants[s], sizeof constants[s]};
        bindings[s] = (struct sch_bindings){.size = sizeof bindings[s], .constants = &buffers[s], .constant_count = 1};
    }
    const struct sch_vertex_buffer buffer = {.memory = vertices[now->buffer], .memory_bytes = sizeof vertices[0]};
    const struct sch_draw_state state = {
        .size = sizeof state,
        .pipeline = world->pipelines[now->vertex][now->fragment],
        .framebuffer = scene->framebuffer,
        .vertex_elements = world->elements[now->elements],
        .vertex_buffers = &buffer,
        .vertex_buffer_count = 1,
        .vertex_buffer_stride = sizeof buffer,
        .rasterizer = world->rasterizers[now->rasterizer],
        .depth_stencil_alpha = world->depth,
        .blend = world->blend,
        .dynamic = &scene->dynamic,
        .bindings = {[SCH_STAGE_VERTEX] = &bindings[0], [SCH_STAGE_FRAGMENT] = &bindings[1]}};
    struct sch_draw draw = now->draw;
    draw.size = sizeof draw;
    draw.may_wait = world->may_wait;
    draw.instance_count = 1 + (below(world, 12) == 0);
    draw.count = below(world, 20) == 0 ? below(world, 300) : below(world, 40);
    draw.start = draw.index_bytes ? 0 : below(world, VERTICES - 300);
    if (draw.index_bytes) {
        draw.indices = (struct sch_vertex_buffer){.memory = indices, .memory_bytes = INDICES * draw.index_bytes};
        draw.restart_index = 7;
    }
    const enum sch_result result = sch_renderer_draw(scene->renderer, &state, &draw, &scene->dispatch, NULL);
    memset(constants, 0x7f, sizeof constants);
    memset(indices, 0x7f, sizeof indices);
    memset(buffers, 0, sizeof buffers);
    return result;
}

static void count(struct world *world)
{
    struct sch_renderer *renderer = world->scene.renderer;
    struct sch_query_result result;
    if (world->begun) {
        assert_int_equal(sch_renderer_end_query(renderer, world->query), SCH_OK);
        assert_int_equal(sch_query_get_result(world->query, &result), SCH_OK);
        /* Sums of parts with factors of their own, so that no count is another query's. */
        for (unsigned n = 0; n < SCH_STATISTICS; n++) world->counts[n] += world->begun * result.values[n];
    }
    assert_int_equal(sch_renderer_begin_query(renderer, world->query), SCH_OK);
    world->begun++;
}

struct left {
    uint32_t colors[ROWS][COLUMNS], depth[ROWS][COLUMNS];
    uint64_t before; /* of all pictures before the last one: a hash */
    uint64_t counts[SCH_STATISTICS];
};

/* Begins the next picture. */
static void clear(struct world *world, struct left *left)
{
    assert_int_equal(sch_renderer_flush(world->scene.renderer, NULL), SCH_OK);
    assert_int_equal(sch_resource_read_all(world->scene.color, left->colors, sizeof left->colors), SCH_OK);
    for (unsigned i = 0; i < ROWS * COLUMNS; i++)
        left->before = (left->before ^ left->colors[i / COLUMNS][i % COLUMNS]) * UINT64_C(0x100000001b3);
    draw_clear(&world->scene, (const float[4]){0, 0.5f, 0, 0}, 1, 0);
}

static void run(uint64_t seed, bool may_wait, unsigned width, unsigned threads, struct left *left)
{
    static struct world world;
    begin(&world, seed, may_wait, width, threads);
    clear(&world, left);
    world.now.draw.primitive = SCH_PRIMITIVE_TRIANGLES;
    for (unsigned n = 0; n < STEPS; n++) {
        if (below(&world, 60) == 0) count(&world);
        if (world.calm)
            world.calm--;
        else if (below(&world, 2))
            change(&world);
        else if (below(&world, 40) == 0)
            world.calm = 60;
        if (below(&world, 50) == 0) clear(&world, left);
        assert_int_equal(draw_some(&world), SCH_OK);
    }
    count(&world);
    assert_int_equal(sch_resource_read_all(world.scene.color, left->colors, sizeof left->colors), SCH_OK);
    assert_int_equal(sch_resource_read_all(world.scene.depth, left->depth, sizeof left->depth), SCH_OK);
    memcpy(left->counts, world.counts, sizeof left->counts);
    end(&world);
}

/* Small triangles around places, some of them outside. */
static void fill_vertices(void)
{
    uint64_t seed = 47;
    for (unsigned v = 0; v < BUFFERS * VERTICES; v++) {
        float(*vertex)[4] = vertices[v / VERTICES][v % VERTICES];
        for (unsigned i = 0; i < 4; i++) {
            const float part = (float)(api_random_word(&seed) % 4096) / 4096;
            const float place = (float)(v / 40 % 8 * (i + 1) % 8) / 4 - 1;
            vertex[1][i] = part;
            vertex[0][i] = i == 3 ? 1 : i == 2 ? part : place + part / 3;
        }
    }
}

static void same_pixels_and_counts(void **state)
{
    (void)state;
    static struct left one, other;
    const unsigned seeds = by_code() ? 1 : 3;
    fill_vertices();
    for (unsigned seed = 1; seed <= seeds; seed++) {
        memset(&one, 0, sizeof one);
        run(seed, false, 4, 1, &one);
        assert_true(one.counts[SCH_STATISTIC_PS_INVOCATIONS] > 0);
        for (unsigned threads = by_code() ? 3 : 1; threads <= 3; threads++) {
            memset(&other, 0, sizeof other);
            run(seed, true, 4u << threads % 3, threads, &other);
            for (unsigned n = 0; n < SCH_STATISTICS; n++) assert_int_equal(one.counts[n], other.counts[n]);
            if (memcmp(&one, &other, sizeof one) != 0)
                fail_msg("seed %u: draws that wait leave other pixels with %u threads", seed, threads);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_pixels_and_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
