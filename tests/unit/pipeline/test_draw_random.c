/* Random draws: pipelines of captured vertex and fragment shaders over random meshes, with random state, drawn into
 * random framebuffers. What is written does not depend on the width of vectors, on the number of threads, on how the
 * shaders run or on whether the history of a pixel is recorded; with SCH_LONG 10,000 draws, each at every width with
 * every number of threads. The first draws have programs of their own, so that something is drawn where there are no
 * captured ones. Holds no expectation of what a pixel is: the other tests of draws do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/by_code.h"
#include "../tgsi/tgsi_support.h"
#include "random_draw.h"

struct subject {
    struct random_draw draw;
    struct sch_pixel_history *history; /* that the next draw is recorded in; NULL: none */
    uint32_t events;                   /* of a pixel */
};

static void choose_shaders(struct random_draw *draw, char **paths, size_t count)
{
    const bool own = random_draw_chance(draw, 3);
    char **texts = draw->texts;
    texts[SCH_STAGE_VERTEX] = own ? NULL : random_draw_captured(draw, paths, count, "/vs/");
    texts[SCH_STAGE_FRAGMENT] = random_draw_chance(draw, 4) ? NULL : random_draw_captured(draw, paths, count, "/fs/");
    if (!texts[SCH_STAGE_VERTEX]) texts[SCH_STAGE_VERTEX] = random_draw_copy(random_draw_vertex);
    if (!texts[SCH_STAGE_FRAGMENT]) texts[SCH_STAGE_FRAGMENT] = random_draw_copy(random_draw_fragment);
}

static void begin(struct subject *subject, uint64_t seed, char **paths, size_t count)
{
    memset(subject, 0, sizeof *subject);
    subject->draw.seed = seed;
    subject->draw.layers = 1;
    choose_shaders(&subject->draw, paths, count);
    random_draw_framebuffer(&subject->draw);
    random_draw_state(&subject->draw);
}

static void reset(void *subject) { random_draw_reset(&((struct subject *)subject)->draw); }

/* Draws, and sums up all that was written. All but the first draw, and those that are recorded, happen twice with the
 * same objects, so that the second one has what the renderer kept. */
static enum sch_result draw_once(void *drawn, enum sch_engine engine, unsigned width, unsigned threads,
                                 uint8_t digest[SCH_SHA256_BYTES])
{
    struct subject *subject = drawn;
    struct draw_scene *scene = &subject->draw.scene;
    reset(subject);
    scene->between = subject->draw.twice && !subject->history ? reset : NULL;
    scene->between_user = subject;
    scene->engine = engine;
    scene->width = width;
    scene->dispatch.threads = threads;
    assert_int_equal(sch_renderer_record_pixel(scene->renderer, subject->history), SCH_OK);
    const enum sch_result result = draw_try(scene, &subject->draw.draw);
    assert_int_equal(sch_renderer_record_pixel(scene->renderer, NULL), SCH_OK);
    struct sch_sha256 sum;
    sch_sha256_begin(&sum);
    random_draw_sum(&subject->draw, &sum);
    sch_sha256_end(&sum, digest);
    return result;
}

/* Whether the draw writes something; it is drawn once more. */
static bool writes(struct subject *subject)
{
    struct sch_query_result result;
    struct sch_query *query = NULL;
    uint8_t digest[SCH_SHA256_BYTES];
    struct draw_scene *scene = &subject->draw.scene;
    subject->draw.twice = false;
    assert_int_equal(sch_query_create(scene->context, SCH_QUERY_OCCLUSION_COUNTER, 0, &query), SCH_OK);
    assert_int_equal(sch_renderer_begin_query(scene->renderer, query), SCH_OK);
    draw_once(subject, SCH_ENGINE_INTERPRETER, 4, 1, digest);
    assert_int_equal(sch_renderer_end_query(scene->renderer, query), SCH_OK);
    result.available = false;
    assert_int_equal(sch_query_get_result(query, &result), SCH_OK);
    sch_query_destroy(query);
    return result.values[0] > 0;
}

/* ---- the history of a pixel ---- */

/* Of a pixel in the middle half of a colour buffer or of depth; the same one for each draw of a subject. */
static void record(struct subject *subject, uint64_t number)
{
    const struct draw_scene *scene = &subject->draw.scene;
    struct sch_pixel_history_options options = {.size = sizeof options};
    uint64_t seed = number + 1;
    options.x = scene->columns / 4 + (uint32_t)(random_number(&seed) % (scene->columns / 2 + 1));
    options.y = scene->rows / 4 + (uint32_t)(random_number(&seed) % (scene->rows / 2 + 1));
    struct sch_resource *resource = number % 3 == 0 && scene->depth ? scene->depth : subject->draw.colors[0];
    assert_int_equal(sch_pixel_history_create(resource, &options, NULL, &subject->history), SCH_OK);
}

/* What each sample has before an event is what the one before it left, and what the last one left is there. */
static void history_is_whole(const struct subject *subject, uint64_t number, uint32_t buffer, uint32_t samples,
                             uint32_t count)
{
    struct sch_pixel_sample sample = {.size = sizeof sample}, other = sample;
    for (uint32_t s = 0; s < samples; s++)
        for (uint32_t n = 0; n < count; n++) {
            sch_pixel_history_get_sample(subject->history, n, s, &sample);
            if (n && memcmp(&sample.before, &other.after, sizeof sample.before) != 0)
                fail_msg("draw %u: sample %u before event %u is another", (unsigned)number, s, n);
            if (buffer < SCH_COLOR_BUFFERS && sample.outcome != SCH_PIXEL_PASSED &&
                memcmp(sample.before.texels, sample.after.texels, sizeof sample.before.texels) != 0)
                fail_msg("draw %u: event %u changed sample %u", (unsigned)number, n, s);
            other = sample;
        }
}

/* All that a history says of its events. */
static uint32_t sum_history(struct subject *subject, uint64_t number, uint8_t digest[SCH_SHA256_BYTES])
{
    struct sch_pixel_history_info info = {.size = sizeof info};
    struct sch_pixel_event event = {.size = sizeof event};
    struct sch_pixel_sample sample = {.size = sizeof sample};
    struct sch_sha256 sum;
    sch_sha256_begin(&sum);
    assert_int_equal(sch_pixel_history_get_info(subject->history, &info), SCH_OK);
    for (uint32_t n = 0; n < info.event_count; n++) {
        assert_int_equal(sch_pixel_history_get_event(subject->history, n, &event), SCH_OK);
        sch_sha256_add(&sum, &event, sizeof event);
        if (event.kind == SCH_PIXEL_OTHER) fail_msg("draw %u: event %u is not explained", (unsigned)number, n);
        for (uint32_t s = 0; s < event.samples; s++) {
            assert_int_equal(sch_pixel_history_get_sample(subject->history, n, s, &sample), SCH_OK);
            if (sample.outcome == SCH_PIXEL_UNFINISHED) fail_msg("draw %u: event %u has no end", (unsigned)number, n);
            sch_sha256_add(&sum, &sample, sizeof sample);
        }
    }
    history_is_whole(subject, number, event.buffer, event.samples, info.event_count);
    sch_sha256_end(&sum, digest);
    sch_pixel_history_destroy(subject->history);
    subject->history = NULL;
    return info.event_count;
}

/* Recorded draws have the answer of the others, and one history. Adds how many events it has. */
static void one_history(struct subject *subject, uint64_t number, const uint8_t answer[SCH_SHA256_BYTES])
{
    static const unsigned widths[] = {4, 8, 16};
    const enum sch_engine engine = by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
    uint8_t first[SCH_SHA256_BYTES], other[SCH_SHA256_BYTES], digest[SCH_SHA256_BYTES];
    record(subject, number);
    draw_once(subject, SCH_ENGINE_INTERPRETER, 4, 1, digest);
    if (memcmp(digest, answer, sizeof digest) != 0)
        fail_msg("draw %u: another answer while a pixel is recorded", (unsigned)number);
    subject->events += sum_history(subject, number, first);
    record(subject, number);
    draw_once(subject, engine, widths[number % 3], 1 + (unsigned)number / 3 % 3, digest);
    if (memcmp(digest, answer, sizeof digest) != 0)
        fail_msg("draw %u: another answer while a pixel is recorded, by %u lanes", (unsigned)number,
                 widths[number % 3]);
    sum_history(subject, number, other);
    if (memcmp(first, other, sizeof first) != 0) fail_msg("draw %u: another history", (unsigned)number);
}

/* ---- the answers ---- */

static void draws_have_one_answer(void **state)
{
    (void)state;
    static struct subject subject;
    size_t count;
    char **paths = captured_texts(&count);
    const struct random_draws draws = random_draw_range();
    uint8_t answer[SCH_SHA256_BYTES];
    unsigned written = 0, looked = 0, events = 0;
    struct sch_sha256 sum;
    sch_sha256_begin(&sum);
    for (unsigned n = draws.first; n < draws.end; n++) {
        begin(&subject, random_draw_seed(n, 1), paths, count);
        if (random_draw_has_one_answer(draw_once, &subject, n, &sum, answer)) one_history(&subject, n, answer);
        events += subject.events;
        if (n % 8 == 0) {
            written += writes(&subject);
            looked++;
        }
        random_draw_end(&subject.draw);
    }
    random_draw_tell(&sum, draws.count);
    printf("# %u events\n", events);
    if (draws.all && events < draws.count / 2) fail_msg("only %u events of pixels", events);
    /* The others are culled, clipped, or fail a test. */
    if (draws.all && !by_code() && written * 4 < looked) fail_msg("only %u of %u draws leave samples", written, looked);
    free_texts(paths, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws_have_one_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
