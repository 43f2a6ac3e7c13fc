/* Fragments that nobody sees: what is written and counted is as if their programs ran, and costs less. Work is counted
 * in instructions and in memory, never in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../tgsi/tgsi_support.h"
#include "random_draw.h"

enum { SIDE = 16384, DRAWS = 400 };

/* ---- counting ---- */

struct counted {
    uint64_t samples, invocations;
};

static uint64_t value_of(const struct sch_query *query, unsigned number)
{
    struct sch_query_result result = {.available = false};
    assert_int_equal(sch_query_get_result(query, &result), SCH_OK);
    return result.values[number];
}

/* A draw between the beginnings and the ends of queries. */
static enum sch_result count(struct draw_scene *scene, const struct sch_draw *draw, struct counted *counted)
{
    struct sch_query *samples, *statistics;
    assert_int_equal(sch_query_create(scene->context, SCH_QUERY_OCCLUSION_COUNTER, 0, &samples), SCH_OK);
    assert_int_equal(sch_query_create(scene->context, SCH_QUERY_PIPELINE_STATISTICS, 0, &statistics), SCH_OK);
    assert_int_equal(sch_renderer_begin_query(scene->renderer, samples), SCH_OK);
    assert_int_equal(sch_renderer_begin_query(scene->renderer, statistics), SCH_OK);
    const enum sch_result result = draw_try(scene, draw);
    assert_int_equal(sch_renderer_end_query(scene->renderer, samples), SCH_OK);
    assert_int_equal(sch_renderer_end_query(scene->renderer, statistics), SCH_OK);
    counted->samples = value_of(samples, 0);
    counted->invocations = value_of(statistics, SCH_STATISTIC_PS_INVOCATIONS);
    sch_query_destroy(samples);
    sch_query_destroy(statistics);
    return result;
}

static size_t held_by(const struct draw_scene *scene)
{
    struct sch_context_memory memory = {.size = sizeof memory};
    assert_int_equal(sch_context_get_memory(scene->context, &memory), SCH_OK);
    return memory.held;
}

/* ---- large and empty ---- */

static const float both_halves[6][4] = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {1, 1, 0, 1},
                                        {-1, -1, 0, 1}, {1, 1, 0, 1},  {-1, 1, 0, 1}};
static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
static const char fragment_text[] = "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n"
                                    "MUL OUT[0], IN[0], IN[0]\nEND\n";

/* Two triangles over a framebuffer without attachments. */
static void begin_empty(struct draw_scene *scene, uint32_t side, uint32_t samples, const char *fragment)
{
    draw_begin(scene, side, side, samples, SCH_FORMAT_NONE, SCH_FORMAT_NONE);
    scene->vertex = vertex_text;
    scene->fragment = fragment;
    draw_vertices(scene, both_halves[0], 6, 1);
}

static const struct sch_draw two_triangles = {
    .size = sizeof two_triangles, .primitive = SCH_PRIMITIVE_TRIANGLES, .count = 6, .instance_count = 1};

/* Lists of the framebuffer's 65536 tiles have a word for each, and one for each triangle of each. */
enum { LISTS_BYTES = 3 * 65536 * 4 };

/* The programs' instructions are those of one group of vertices, and no lists are made. */
static void assert_costs_triangles(struct draw_scene *scene, size_t before)
{
    assert_int_equal(draw_try(scene, &two_triangles), SCH_OK);
    assert_int_equal(scene->report.instructions, 2);
    assert_true(held_by(scene) < before + LISTS_BYTES);
}

static void pixels_that_nobody_sees_cost_nothing(void **state)
{
    (void)state;
    static const uint32_t samples[] = {1, 4};
    const uint64_t pixels = (uint64_t)SIDE * SIDE;
    for (unsigned i = 0; i < 2; i++) {
        struct draw_scene scene;
        struct counted counted;
        struct sch_query *other;
        begin_empty(&scene, SIDE, samples[i], fragment_text);
        const size_t before = held_by(&scene);
        assert_costs_triangles(&scene, before);
        /* Queries that count something else change nothing, nor do those that are held. */
        assert_int_equal(sch_query_create(scene.context, SCH_QUERY_PRIMITIVES_GENERATED, 0, &other), SCH_OK);
        assert_int_equal(sch_renderer_begin_query(scene.renderer, other), SCH_OK);
        assert_costs_triangles(&scene, before);
        assert_int_equal(sch_renderer_end_query(scene.renderer, other), SCH_OK);
        assert_int_equal(value_of(other, 0), 2);
        sch_query_destroy(other);
        sch_renderer_set_queries_active(scene.renderer, false);
        assert_int_equal(sch_query_create(scene.context, SCH_QUERY_OCCLUSION_COUNTER, 0, &other), SCH_OK);
        assert_int_equal(sch_renderer_begin_query(scene.renderer, other), SCH_OK);
        assert_costs_triangles(&scene, before);
        sch_renderer_set_queries_active(scene.renderer, true);
        assert_int_equal(sch_renderer_end_query(scene.renderer, other), SCH_OK);
        assert_int_equal(value_of(other, 0), 0);
        sch_query_destroy(other);
        /* Those that count pixels count all of them, without the program. Pixels on the diagonal are in both triangles
         * where their samples are. */
        assert_int_equal(count(&scene, &two_triangles, &counted), SCH_OK);
        assert_true(counted.samples == samples[i] * pixels);
        assert_true(counted.invocations == pixels + (i ? SIDE : 0));
        assert_int_equal(scene.report.instructions, 2);
        assert_true(held_by(&scene) > before + LISTS_BYTES); /* which the assertions above see */
        draw_end(&scene);
    }
}

/* A budget that runs out is told where something could have been written. */
static void endless_programs(void **state)
{
    (void)state;
    static const char endless[] = "FRAG\nDCL OUT[0], COLOR\nBGNLOOP\nENDLOOP\nEND\n";
    struct draw_scene scene;
    struct counted counted;
    begin_empty(&scene, 8, 1, endless);
    scene.dispatch.budget = 100;
    assert_int_equal(draw_try(&scene, &two_triangles), SCH_OK);
    assert_int_equal(count(&scene, &two_triangles, &counted), SCH_OK);
    assert_int_equal(counted.samples, 64);
    draw_end(&scene);
    draw_begin(&scene, 8, 8, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
    scene.vertex = vertex_text;
    scene.fragment = endless;
    scene.dispatch.budget = 100;
    draw_vertices(&scene, both_halves[0], 6, 1);
    assert_int_equal(draw_try(&scene, &two_triangles), SCH_ERROR_BUDGET);
    scene.blend.targets[0].color_mask = 0;
    assert_int_equal(draw_try(&scene, &two_triangles), SCH_ERROR_BUDGET);
    draw_end(&scene);
}

/* A program that has effects runs, and what it takes away is not counted. */
static void effects_are_seen(void **state)
{
    (void)state;
    enum { SMALL = 64 };
    static const char adds[] = "FRAG\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 0, 0}\n"
                               "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nEND\n",
                      stores[] = "FRAG\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 4096, 0, 0}\n"
                                 "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\nEND\n",
                      discards[] = "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL TEMP[0]\nIMM[0] FLT32 {32, 0, 0, 0}\n"
                                   "ADD TEMP[0].x, IN[0].xxxx, -IMM[0].xxxx\nKILL_IF TEMP[0].xxxx\nEND\n",
                      masks[] =
                          "FRAG\nDCL OUT[0], SAMPLEMASK\nIMM[0] UINT32 {5, 0, 0, 0}\nMOV OUT[0].x, IMM[0].xxxx\nEND\n";
    const struct {
        const char *text;
        uint32_t samples, word;
        uint64_t passed;
    } cases[] = {{adds, 1, SMALL * SMALL, SMALL * SMALL},
                 {stores, 1, SMALL * SMALL, SMALL * SMALL},
                 {discards, 1, 0, SMALL * SMALL / 2},
                 {masks, 4, 0, 2 * SMALL * SMALL}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct draw_scene scene;
        struct counted counted;
        uint32_t word = 0;
        const struct sch_storage_buffer buffer = {&word, sizeof word};
        const struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &buffer, .buffer_count = 1};
        begin_empty(&scene, SMALL, cases[i].samples, cases[i].text);
        scene.bindings[SCH_STAGE_FRAGMENT] = &bindings;
        assert_int_equal(draw_try(&scene, &two_triangles), SCH_OK);
        assert_int_equal(word, cases[i].word);
        assert_int_equal(count(&scene, &two_triangles, &counted), SCH_OK);
        assert_int_equal(counted.samples, cases[i].passed);
        draw_end(&scene);
    }
}

/* Depth is written without the program, unless that writes it. */
static void depth_is_written(void **state)
{
    (void)state;
    static const char writes[] =
        "FRAG\nDCL OUT[0], POSITION\nIMM[0] FLT32 {0.25, 0, 0, 0}\nMOV OUT[0].z, IMM[0].xxxx\nEND\n";
    const char *const texts[] = {fragment_text, writes};
    const float depths[] = {0, 0.25f}, none[4] = {0};
    for (unsigned i = 0; i < 2; i++) {
        struct draw_scene scene;
        uint32_t word[4];
        draw_begin(&scene, 8, 8, 1, SCH_FORMAT_NONE, SCH_FORMAT_Z32_FLOAT);
        scene.vertex = vertex_text;
        scene.fragment = texts[i];
        scene.tests.depth_enabled = scene.tests.depth_writes = true;
        scene.tests.depth_function = SCH_COMPARE_LESS;
        draw_vertices(&scene, both_halves[0], 6, 1);
        draw_clear(&scene, none, 0.5, 0);
        assert_int_equal(draw_try(&scene, &two_triangles), SCH_OK);
        assert_true((scene.report.instructions == 2) == (i == 0));
        draw_read(&scene, scene.depth, 3, 5, 0, word);
        assert_memory_equal(word, &depths[i], sizeof depths[i]);
        draw_end(&scene);
    }
}

static void counting_can_be_ended(void **state)
{
    (void)state;
    struct draw_scene scene;
    struct counted counted;
    struct sch_draw many = two_triangles;
    many.instance_count = 100000;
    begin_empty(&scene, 2048, 1, fragment_text);
    scene.dispatch.deadline_ms = 1000;
    assert_int_equal(count(&scene, &many, &counted), SCH_ERROR_DEADLINE);
    assert_int_equal(scene.report.stage, SCH_STAGE_FRAGMENT);
    draw_end(&scene);
}

/* ---- the same as with a program that runs ---- */

static void begin_random(struct random_draw *subject, unsigned number, char **paths, size_t found)
{
    memset(subject, 0, sizeof *subject);
    subject->seed = random_draw_seed(number, 7);
    subject->layers = 1;
    if (random_draw_chance(subject, 2))
        subject->texts[SCH_STAGE_FRAGMENT] = random_draw_captured(subject, paths, found, "/fs/");
    subject->texts[SCH_STAGE_VERTEX] = random_draw_copy(random_draw_vertex);
    if (!subject->texts[SCH_STAGE_FRAGMENT])
        subject->texts[SCH_STAGE_FRAGMENT] = random_draw_copy(random_draw_fragment);
    random_draw_framebuffer(subject);
    random_draw_state(subject);
    subject->scene.engine = SCH_ENGINE_INTERPRETER;
    if (random_draw_chance(subject, 2)) subject->scene.tests.alpha_enabled = false;
    if (random_draw_chance(subject, 2)) subject->scene.blend.alpha_to_coverage = false;
    if (random_draw_chance(subject, 3)) subject->scene.rasterizer.multisample = true;
}

/* Draws with colours, or without any. */
static enum sch_result count_random(struct random_draw *subject, unsigned color_mask, unsigned threads,
                                    struct counted *counted, uint8_t digest[SCH_SHA256_BYTES])
{
    struct sch_sha256 sum;
    random_draw_reset(subject);
    for (unsigned t = 0; t < SCH_COLOR_BUFFERS; t++) subject->scene.blend.targets[t].color_mask = (uint8_t)color_mask;
    subject->scene.dispatch.threads = threads;
    const enum sch_result result = count(&subject->scene, &subject->draw, counted);
    sch_sha256_begin(&sum);
    if (subject->scene.depth) random_draw_add(&sum, subject->scene.depth);
    sch_sha256_end(&sum, digest);
    return result;
}

static void counts_are_those_of_programs(void **state)
{
    (void)state;
    static struct random_draw subject;
    size_t found;
    char **paths = captured_texts(&found);
    unsigned compared = 0, cheaper = 0, passed = 0;
    for (unsigned n = 0; n < DRAWS; n++) {
        struct counted shaded, unshaded;
        uint8_t depth[SCH_SHA256_BYTES], same[SCH_SHA256_BYTES];
        begin_random(&subject, n, paths, found);
        const enum sch_result status = count_random(&subject, 15, 1, &shaded, depth);
        const uint64_t instructions = subject.scene.report.instructions;
        const enum sch_result other = count_random(&subject, 0, 1 + n % 3, &unshaded, same);
        if (status == SCH_OK) {
            assert_int_equal(other, SCH_OK);
            if (shaded.samples != unshaded.samples || shaded.invocations != unshaded.invocations)
                fail_msg("draw %u: %llu samples, %llu invocations; %llu, %llu without colours", n,
                         (unsigned long long)shaded.samples, (unsigned long long)shaded.invocations,
                         (unsigned long long)unshaded.samples, (unsigned long long)unshaded.invocations);
            if (memcmp(depth, same, sizeof depth) != 0) fail_msg("draw %u: another depth", n);
            compared++;
            passed += shaded.samples > 0;
            cheaper += subject.scene.report.instructions < instructions;
        }
        random_draw_end(&subject);
    }
    printf("# %u draws, of which %u have samples, %u cost less without colours\n", compared, passed, cheaper);
    if (passed < DRAWS / 4 || cheaper < DRAWS / 8) fail_msg("only %u of %u cost less", cheaper, passed);
    free_texts(paths, found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pixels_that_nobody_sees_cost_nothing),
                                       cmocka_unit_test(endless_programs),
                                       cmocka_unit_test(effects_are_seen),
                                       cmocka_unit_test(depth_is_written),
                                       cmocka_unit_test(counting_can_be_ended),
                                       cmocka_unit_test(counts_are_those_of_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
