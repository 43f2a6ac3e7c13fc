/* Queries and conditions: what each kind counts, the order of its calls, results in buffers, and what happens under a
 * condition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <time.h>

#include "api/draw.h"
#include "draw_points.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct sch_query *make_query(struct points *points, enum sch_query_kind kind, uint32_t index)
{
    struct sch_query *made;
    assert_int_equal(sch_query_create(points->context, kind, index, &made), SCH_OK);
    return made;
}

static void begin(struct points *points, struct sch_query *query)
{
    assert_int_equal(sch_renderer_begin_query(points->renderer, query), SCH_OK);
}

static void end(struct points *points, struct sch_query *query)
{
    assert_int_equal(sch_renderer_end_query(points->renderer, query), SCH_OK);
}

static struct sch_query_result result_of(const struct sch_query *query)
{
    struct sch_query_result result;
    memset(&result, 255, sizeof result);
    assert_int_equal(sch_query_get_result(query, &result), SCH_OK);
    assert_true(result.available);
    for (unsigned i = result.count; i < SCH_STATISTICS; i++) assert_int_equal(result.values[i], 0);
    return result;
}

/* ---- calls ---- */

static void kinds_and_indices(void **state)
{
    (void)state;
    static const struct {
        enum sch_query_kind kind;
        uint32_t indices, values; /* how many indices are right, how many values a result has */
        bool only_ends;
    } kinds[] = {
        {SCH_QUERY_OCCLUSION_COUNTER, 1, 1, false},
        {SCH_QUERY_OCCLUSION_PREDICATE, 1, 1, false},
        {SCH_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE, 1, 1, false},
        {SCH_QUERY_TIMESTAMP, 1, 1, true},
        {SCH_QUERY_TIMESTAMP_DISJOINT, 1, 2, false},
        {SCH_QUERY_TIME_ELAPSED, 1, 1, false},
        {SCH_QUERY_PRIMITIVES_GENERATED, 4, 1, false},
        {SCH_QUERY_PRIMITIVES_EMITTED, 4, 1, false},
        {SCH_QUERY_SO_STATISTICS, 4, 2, false},
        {SCH_QUERY_SO_OVERFLOW_PREDICATE, 4, 1, false},
        {SCH_QUERY_SO_OVERFLOW_ANY_PREDICATE, 1, 1, false},
        {SCH_QUERY_GPU_FINISHED, 1, 1, true},
        {SCH_QUERY_PIPELINE_STATISTICS, 1, 11, false},
        {SCH_QUERY_PIPELINE_STATISTICS_SINGLE, 11, 1, false},
    };
    struct points points;
    points_begin(&points, NULL);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        for (uint32_t index = 0; index < kinds[i].indices; index++) {
            struct sch_query *query = make_query(&points, kinds[i].kind, index);
            struct sch_query_result result;
            assert_int_equal(sch_query_get_result(query, &result), SCH_ERROR_ARGUMENT); /* neither begun nor ended */
            assert_int_equal(sch_renderer_begin_query(points.renderer, query),
                             kinds[i].only_ends ? SCH_ERROR_ARGUMENT : SCH_OK);
            if (!kinds[i].only_ends) {
                assert_int_equal(sch_renderer_begin_query(points.renderer, query), SCH_ERROR_ARGUMENT);
                assert_int_equal(sch_query_get_result(query, &result), SCH_ERROR_ARGUMENT);
            }
            end(&points, query);
            assert_int_equal(result_of(query).count, kinds[i].values);
            assert_int_equal(sch_renderer_end_query(points.renderer, query),
                             kinds[i].only_ends ? SCH_OK : SCH_ERROR_ARGUMENT);
            sch_query_destroy(query);
        }
        struct sch_query *none = (void *)&none;
        assert_int_equal(sch_query_create(points.context, kinds[i].kind, kinds[i].indices, &none), SCH_ERROR_ARGUMENT);
        assert_null(none);
    }
    struct sch_query *query;
    assert_int_equal(sch_query_create(points.context, (enum sch_query_kind)COUNT(kinds), 0, &query),
                     SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_query_create(points.context, (enum sch_query_kind) - 1, 0, &query), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_query_create(NULL, SCH_QUERY_TIMESTAMP, 0, &query), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_query_create(points.context, SCH_QUERY_TIMESTAMP, 0, NULL), SCH_ERROR_ARGUMENT);
    sch_query_destroy(NULL);
    points_end(&points);
}

static void other_renderers_and_contexts(void **state)
{
    (void)state;
    struct points points, others;
    points_begin(&points, NULL);
    points_begin(&others, NULL);
    struct sch_query *query = make_query(&points, SCH_QUERY_OCCLUSION_COUNTER, 0);
    struct sch_query_result result;
    assert_int_equal(sch_renderer_begin_query(others.renderer, query), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_begin_query(NULL, query), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_begin_query(points.renderer, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_renderer_end_query(points.renderer, NULL), SCH_ERROR_ARGUMENT);
    begin(&points, query);
    struct sch_renderer *second;
    assert_int_equal(sch_renderer_create(points.context, &second), SCH_OK);
    assert_int_equal(sch_renderer_end_query(second, query), SCH_ERROR_ARGUMENT);
    end(&points, query);
    assert_int_equal(sch_query_get_result(query, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_query_get_result(NULL, &result), SCH_ERROR_ARGUMENT);
    sch_renderer_destroy(second);
    sch_query_destroy(query);
    points_end(&others);
    points_end(&points);
}

/* ---- counting ---- */

static void samples_are_counted(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    struct sch_query *all = make_query(&points, SCH_QUERY_OCCLUSION_COUNTER, 0),
                     *inner = make_query(&points, SCH_QUERY_OCCLUSION_COUNTER, 0),
                     *predicate = make_query(&points, SCH_QUERY_OCCLUSION_PREDICATE, 0),
                     *conservative = make_query(&points, SCH_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE, 0);
    const struct sch_draw five = points_draw(3, 5), nothing = points_draw(0, 0);
    begin(&points, all);
    points_run(&points, &five);
    begin(&points, inner);
    begin(&points, predicate);
    begin(&points, conservative);
    points_run(&points, &nothing);
    end(&points, predicate);
    end(&points, conservative);
    assert_int_equal(result_of(predicate).values[0], 0);
    assert_int_equal(result_of(conservative).values[0], 0);
    begin(&points, predicate);
    begin(&points, conservative);
    points_run(&points, &five);
    end(&points, inner);
    end(&points, predicate);
    end(&points, conservative);
    sch_renderer_set_queries_active(points.renderer, false);
    points_run(&points, &five);
    sch_renderer_set_queries_active(points.renderer, true);
    points_run(&points, &five);
    end(&points, all);
    assert_int_equal(result_of(all).values[0], 15);
    assert_int_equal(result_of(inner).values[0], 5);
    assert_int_equal(result_of(predicate).values[0], 1);
    assert_int_equal(result_of(conservative).values[0], 1);
    begin(&points, all); /* again from 0 */
    end(&points, all);
    assert_int_equal(result_of(all).values[0], 0);
    sch_query_destroy(all);
    sch_query_destroy(inner);
    sch_query_destroy(predicate);
    sch_query_destroy(conservative);
    points_end(&points);
}

/* Points: as many vertices, primitives and invocations of the vertex shader as points; clipping leaves them all. */
static void statistics_are_counted(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    struct sch_query *all = make_query(&points, SCH_QUERY_PIPELINE_STATISTICS, 0),
                     *primitives = make_query(&points, SCH_QUERY_PRIMITIVES_GENERATED, 0),
                     *stream = make_query(&points, SCH_QUERY_PRIMITIVES_GENERATED, 1), *single[SCH_STATISTICS];
    for (unsigned i = 0; i < SCH_STATISTICS; i++) {
        single[i] = make_query(&points, SCH_QUERY_PIPELINE_STATISTICS_SINGLE, i);
        begin(&points, single[i]);
    }
    begin(&points, all);
    begin(&points, primitives);
    begin(&points, stream);
    struct sch_draw draw = points_draw(7, 6);
    draw.instance_count = 3;
    points_run(&points, &draw);
    sch_renderer_count_invocations(points.renderer, 12);
    sch_renderer_set_queries_active(points.renderer, false);
    sch_renderer_count_invocations(points.renderer, 100);
    sch_renderer_set_queries_active(points.renderer, true);
    sch_renderer_count_invocations(NULL, 1);
    end(&points, all);
    end(&points, primitives);
    end(&points, stream);
    const struct sch_query_result result = result_of(all);
    assert_int_equal(result.values[SCH_STATISTIC_IA_VERTICES], 18);
    assert_int_equal(result.values[SCH_STATISTIC_IA_PRIMITIVES], 18);
    assert_int_equal(result.values[SCH_STATISTIC_VS_INVOCATIONS], 18);
    assert_int_equal(result.values[SCH_STATISTIC_C_INVOCATIONS], 18);
    assert_int_equal(result.values[SCH_STATISTIC_C_PRIMITIVES], 18);
    assert_int_equal(result.values[SCH_STATISTIC_PS_INVOCATIONS], 18);
    assert_int_equal(result.values[SCH_STATISTIC_GS_INVOCATIONS], 0);
    assert_int_equal(result.values[SCH_STATISTIC_GS_PRIMITIVES], 0);
    assert_int_equal(result.values[SCH_STATISTIC_HS_INVOCATIONS], 0);
    assert_int_equal(result.values[SCH_STATISTIC_DS_INVOCATIONS], 0);
    assert_int_equal(result.values[SCH_STATISTIC_CS_INVOCATIONS], 12);
    for (unsigned i = 0; i < SCH_STATISTICS; i++) {
        end(&points, single[i]);
        assert_int_equal(result_of(single[i]).values[0], result.values[i]);
        sch_query_destroy(single[i]);
    }
    assert_int_equal(result_of(primitives).values[0], 18);
    assert_int_equal(result_of(stream).values[0], 0);
    sch_query_destroy(all);
    sch_query_destroy(primitives);
    sch_query_destroy(stream);
    points_end(&points);
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void times_are_of_the_clock(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    struct sch_query *stamp = make_query(&points, SCH_QUERY_TIMESTAMP, 0),
                     *elapsed = make_query(&points, SCH_QUERY_TIME_ELAPSED, 0),
                     *disjoint = make_query(&points, SCH_QUERY_TIMESTAMP_DISJOINT, 0),
                     *finished = make_query(&points, SCH_QUERY_GPU_FINISHED, 0);
    const uint64_t before = now();
    begin(&points, elapsed);
    end(&points, stamp);
    const uint64_t between = now();
    end(&points, elapsed);
    const uint64_t after = now();
    assert_true(result_of(stamp).values[0] >= before && result_of(stamp).values[0] <= between);
    assert_true(result_of(elapsed).values[0] <= after - before);
    assert_true(result_of(elapsed).values[0] >= between - result_of(stamp).values[0]);
    begin(&points, disjoint);
    end(&points, disjoint);
    assert_int_equal(result_of(disjoint).values[0], 1000000000);
    assert_int_equal(result_of(disjoint).values[1], 0);
    end(&points, finished);
    assert_int_equal(result_of(finished).values[0], 1);
    sch_query_destroy(stamp);
    sch_query_destroy(elapsed);
    sch_query_destroy(disjoint);
    sch_query_destroy(finished);
    points_end(&points);
}

/* ---- results in buffers ---- */

static void results_are_written(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        enum sch_query_type type;
        uint64_t written; /* 4 bytes, or 8 of the long types */
    } cases[] = {
        {0, SCH_QUERY_I32, 0},
        {INT32_MAX - 1, SCH_QUERY_I32, INT32_MAX - 1},
        {INT32_MAX, SCH_QUERY_I32, INT32_MAX},
        {(uint64_t)INT32_MAX + 1, SCH_QUERY_I32, INT32_MAX},
        {UINT64_MAX, SCH_QUERY_I32, INT32_MAX},
        {(uint64_t)INT32_MAX + 1, SCH_QUERY_U32, (uint64_t)INT32_MAX + 1},
        {UINT32_MAX - 1, SCH_QUERY_U32, UINT32_MAX - 1},
        {UINT32_MAX, SCH_QUERY_U32, UINT32_MAX},
        {(uint64_t)UINT32_MAX + 1, SCH_QUERY_U32, UINT32_MAX},
        {(uint64_t)UINT32_MAX + 1, SCH_QUERY_I64, (uint64_t)UINT32_MAX + 1},
        {INT64_MAX - 1, SCH_QUERY_I64, INT64_MAX - 1},
        {INT64_MAX, SCH_QUERY_I64, INT64_MAX},
        {(uint64_t)INT64_MAX + 1, SCH_QUERY_I64, INT64_MAX},
        {(uint64_t)INT64_MAX + 1, SCH_QUERY_U64, (uint64_t)INT64_MAX + 1},
        {UINT64_MAX, SCH_QUERY_U64, UINT64_MAX},
    };
    struct points points;
    points_begin(&points, NULL);
    struct sch_query *query = make_query(&points, SCH_QUERY_SO_STATISTICS, 0);
    begin(&points, query);
    end(&points, query);
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t bytes[20], expected[20];
        memset(bytes, 0xab, sizeof bytes);
        memcpy(expected, bytes, sizeof bytes);
        struct sch_resource *buffer = points_buffer(&points, (const uint32_t *)(const void *)bytes, 5);
        query->values[1] = cases[i].value;
        const size_t count = cases[i].type >= SCH_QUERY_I64 ? 8 : 4;
        const uint32_t word = (uint32_t)cases[i].written;
        if (count == 8)
            memcpy(expected + 7, &cases[i].written, 8);
        else
            memcpy(expected + 7, &word, 4);
        assert_int_equal(sch_query_write_result(query, 1, cases[i].type, buffer, 7), SCH_OK);
        assert_int_equal(sch_resource_read_all(buffer, bytes, sizeof bytes), SCH_OK);
        assert_memory_equal(bytes, expected, sizeof bytes);

        /* The last place, and the first that is none. */
        assert_int_equal(sch_query_write_result(query, 1, cases[i].type, buffer, 20 - count), SCH_OK);
        assert_int_equal(sch_query_write_result(query, 1, cases[i].type, buffer, 21 - count), SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_query_write_result(query, 1, cases[i].type, buffer, UINT64_MAX), SCH_ERROR_ARGUMENT);

        /* Availability. */
        assert_int_equal(sch_query_write_result(query, -1, cases[i].type, buffer, 0), SCH_OK);
        assert_int_equal(sch_resource_read_all(buffer, bytes, sizeof bytes), SCH_OK);
        const uint64_t one = 1;
        const uint32_t one_word = 1;
        assert_memory_equal(bytes, count == 8 ? (const void *)&one : &one_word, count);
        sch_resource_destroy(buffer);
    }
    sch_query_destroy(query);
    points_end(&points);
}

static void writes_that_are_wrong(void **state)
{
    (void)state;
    struct points points, others;
    points_begin(&points, NULL);
    points_begin(&others, NULL);
    const uint32_t zeros[8] = {0};
    struct sch_resource *buffer = points_buffer(&points, zeros, 8), *foreign = points_buffer(&others, zeros, 8);
    struct sch_query *query = make_query(&points, SCH_QUERY_OCCLUSION_COUNTER, 0);
    assert_int_equal(sch_query_write_result(query, -1, SCH_QUERY_U32, buffer, 0), SCH_ERROR_ARGUMENT);
    begin(&points, query);
    assert_int_equal(sch_query_write_result(query, 0, SCH_QUERY_U32, buffer, 0), SCH_ERROR_ARGUMENT);
    end(&points, query);
    assert_int_equal(sch_query_write_result(query, 0, SCH_QUERY_U32, buffer, 0), SCH_OK);
    assert_int_equal(sch_query_write_result(query, 1, SCH_QUERY_U32, buffer, 0), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_query_write_result(query, -2, SCH_QUERY_U32, buffer, 0), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_query_write_result(query, 0, (enum sch_query_type)4, buffer, 0), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_query_write_result(query, 0, SCH_QUERY_U32, points.picture, 0), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_query_write_result(query, 0, SCH_QUERY_U32, foreign, 0), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_query_write_result(query, 0, SCH_QUERY_U32, NULL, 0), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_query_write_result(NULL, 0, SCH_QUERY_U32, buffer, 0), SCH_ERROR_ARGUMENT);
    sch_query_destroy(query);
    sch_resource_destroy(buffer);
    sch_resource_destroy(foreign);
    points_end(&others);
    points_end(&points);
}

/* ---- conditions ---- */

/* Whether a draw, a clear and a blit happen now; a blit without the condition always does. */
static void assert_happens(struct points *points, bool happens)
{
    uint32_t words[POINTS_VERTICES][4];
    const struct sch_draw draw = points_draw(9, 1);
    const struct sch_framebuffer_clear clear = {
        .size = sizeof clear, .parts = SCH_PART_COLOR, .color.u = {77, 77, 77, 77}};
    const struct sch_blit blit = {.size = sizeof blit, .box = {0, 0, 0, 1, 1, 1}, .source = {1, 1, 0, 1, 1, 1}};
    points_clear(points);
    points_run(points, &draw);
    points_read(points, words);
    assert_int_equal(words[9][0], happens ? 10 : 0);
    assert_int_equal(sch_renderer_clear(points->renderer, points->framebuffer, &clear, NULL), SCH_OK);
    points_read(points, words);
    assert_int_equal(words[63][2], happens ? 77 : 0);

    points_clear(points);
    const struct sch_clear one = {.size = sizeof one, .box = {1, 1, 0, 1, 1, 1}, .color.u = {5, 6, 7, 8}};
    assert_int_equal(sch_resource_clear(points->picture, &one, NULL), SCH_OK);
    assert_int_equal(sch_renderer_blit(points->renderer, points->picture, points->picture, &blit, true, NULL), SCH_OK);
    points_read(points, words);
    assert_int_equal(words[0][1], happens ? 6 : 0);
    assert_int_equal(sch_renderer_blit(points->renderer, points->picture, points->picture, &blit, false, NULL), SCH_OK);
    points_read(points, words);
    assert_int_equal(words[0][1], 6);
}

static void conditions_hold_back(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    struct sch_query *query = make_query(&points, SCH_QUERY_OCCLUSION_COUNTER, 0);
    const struct sch_draw draw = points_draw(0, 3);
    assert_happens(&points, true);
    sch_renderer_set_condition(points.renderer, query, false);
    assert_happens(&points, true); /* it has not begun */
    begin(&points, query);
    assert_happens(&points, true); /* it has not ended; and what was drawn is counted */
    end(&points, query);
    assert_happens(&points, true);
    sch_renderer_set_condition(points.renderer, query, true);
    assert_happens(&points, false);
    begin(&points, query);
    assert_happens(&points, true);
    end(&points, query);
    begin(&points, query);
    end(&points, query);
    assert_int_equal(result_of(query).values[0], 0);
    assert_happens(&points, true); /* inverted, and nothing passed */
    sch_renderer_set_condition(points.renderer, query, false);
    assert_happens(&points, false);

    /* A wrong call is wrong all the same. */
    const struct sch_draw_state without = {.size = sizeof without};
    assert_int_equal(sch_renderer_draw(points.renderer, &without, &draw, NULL, NULL), SCH_ERROR_ARGUMENT);
    sch_renderer_set_condition(points.renderer, NULL, true);
    assert_happens(&points, true);
    sch_query_destroy(query);
    points_end(&points);
}

/* ---- flushes ---- */

static void fences_are_done(void **state)
{
    (void)state;
    struct points points;
    points_begin(&points, NULL);
    const struct sch_draw draw = points_draw(0, 9);
    struct sch_fence *fence;
    points_run(&points, &draw);
    assert_int_equal(sch_renderer_flush(points.renderer, &fence), SCH_OK);
    assert_non_null(fence);
    assert_true(sch_fence_wait(fence, 0));
    assert_true(sch_fence_wait(fence, UINT32_MAX));
    sch_fence_destroy(fence);
    sch_fence_destroy(NULL);
    assert_int_equal(sch_renderer_flush(points.renderer, NULL), SCH_OK);
    assert_int_equal(sch_renderer_flush(NULL, &fence), SCH_ERROR_ARGUMENT);
    assert_null(fence);
    sch_renderer_destroy(NULL);
    points_end(&points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_indices),      cmocka_unit_test(other_renderers_and_contexts),
        cmocka_unit_test(samples_are_counted),    cmocka_unit_test(statistics_are_counted),
        cmocka_unit_test(times_are_of_the_clock), cmocka_unit_test(results_are_written),
        cmocka_unit_test(writes_that_are_wrong),  cmocka_unit_test(conditions_hold_back),
        cmocka_unit_test(fences_are_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
