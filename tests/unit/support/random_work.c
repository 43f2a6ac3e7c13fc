/* See random_work.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "api_program.h"
#include "random_work.h"

static void *zeros(size_t count, size_t bytes)
{
    void *made = calloc(count ? count : 1, bytes);
    assert_non_null(made);
    return made;
}

/* ---- work ---- */

void work_make(struct work *work, const struct work_shape *shape)
{
    *work = (struct work){.shape = *shape};
    work->input_words = (size_t)shape->count * shape->vertices * shape->registers * 4;
    work->value_words = (size_t)shape->count * shape->values * 4;
    work->plane_words = (size_t)shape->count * shape->planes * 16;
    work->centroid_words = shape->planes ? (size_t)shape->count * 2 : 0;
    work->constant_words = (size_t)shape->constant_buffers * shape->constants * 4;
    work->memory_words = (size_t)shape->memories * shape->memory_words;
    work->inputs = zeros(work->input_words, 4);
    work->values = zeros(work->value_words, 4);
    work->planes = zeros(work->plane_words, 4);
    work->centroids = zeros(work->centroid_words, 4);
    work->constants = zeros(work->constant_words, 4);
    work->memory = zeros(work->memory_words, 4);
    work->buffers = zeros(shape->constant_buffers, sizeof *work->buffers);
    for (size_t b = 0; b < shape->constant_buffers; b++)
        work->buffers[b] =
            (struct sch_constant_buffer){work->constants + b * shape->constants * 4, (size_t)shape->constants * 16};
}

void work_fill(struct work *work, uint64_t seed)
{
    api_fill(work->inputs, work->input_words, &seed);
    api_fill(work->values, work->value_words, &seed);
    api_fill(work->planes, work->plane_words, &seed);
    api_fill(work->centroids, work->centroid_words, &seed);
    api_fill(work->constants, work->constant_words, &seed);
    api_fill(work->memory, work->memory_words, &seed);
}

void work_release(struct work *work)
{
    free(work->inputs);
    free(work->values);
    free(work->planes);
    free(work->centroids);
    free(work->constants);
    free(work->memory);
    free(work->buffers);
}

/* ---- answers ---- */

static uint32_t *take(uint32_t **next, size_t words)
{
    uint32_t *taken = *next;
    *next += words;
    return taken;
}

static size_t events_of(const struct work_shape *shape) { return (size_t)shape->count * shape->events; }
static size_t outputs_of(const struct work_shape *shape) { return (size_t)shape->count * shape->outputs * 4; }
static size_t event_outputs_of(const struct work_shape *shape) { return events_of(shape) * shape->outputs * 4; }
static size_t memory_of(const struct work_shape *shape) { return (size_t)shape->memories * shape->memory_words; }

void answers_make(struct answers *answers, const struct work_shape *shape)
{
    *answers = (struct answers){.report.size = sizeof answers->report, .shape = *shape};
    const size_t count = shape->count, killed = (count + 3) / 4;
    answers->words = outputs_of(shape) + events_of(shape) + count + event_outputs_of(shape) + memory_of(shape) + killed;
    answers->block = zeros(answers->words, 4);
    uint32_t *next = answers->block;
    answers->outputs = take(&next, outputs_of(shape));
    answers->events = take(&next, events_of(shape));
    answers->event_counts = take(&next, count);
    answers->event_outputs = take(&next, event_outputs_of(shape));
    answers->memory = take(&next, memory_of(shape));
    answers->killed = (uint8_t *)take(&next, killed);
}

void answers_release(struct answers *answers) { free(answers->block); }

void answers_reset(struct answers *answers, const struct work *work)
{
    answers->result = SCH_OK;
    answers->report = (struct sch_dispatch_report){.size = sizeof answers->report};
    memset(answers->block, 0, answers->words * 4);
    memcpy(answers->memory, work->memory, work->memory_words * 4);
}

bool answers_agree(const struct answers *a, const struct answers *b)
{
    if (a->result != b->result) return false;
    return a->result != SCH_OK || (a->words == b->words && memcmp(a->block, b->block, a->words * 4) == 0);
}

void answers_copy(struct answers *to, const struct answers *from)
{
    assert_true(to->words == from->words);
    to->result = from->result;
    to->report = from->report;
    memcpy(to->block, from->block, from->words * 4);
}

/* ---- runs ---- */

struct sch_invocations work_invocations(const struct work *work, enum sch_stage stage, const struct answers *answers)
{
    const struct work_shape *shape = &work->shape;
    return (struct sch_invocations){.size = sizeof(struct sch_invocations),
                                    .count = shape->count,
                                    .quads = stage == SCH_STAGE_FRAGMENT,
                                    .inputs = work->inputs,
                                    .input_bytes = work->input_words * 4,
                                    .input_registers = shape->registers,
                                    .input_vertices = shape->vertices,
                                    .system_values = work->values,
                                    .system_value_bytes = work->value_words * 4,
                                    .system_value_registers = shape->values,
                                    .planes = shape->planes ? work->planes : NULL,
                                    .plane_bytes = work->plane_words * 4,
                                    .plane_registers = shape->planes,
                                    .centroids = shape->planes ? work->centroids : NULL,
                                    .centroid_bytes = work->centroid_words * 4,
                                    .samples = 4,
                                    .outputs = answers->outputs,
                                    .output_bytes = outputs_of(shape) * 4,
                                    .output_registers = shape->outputs,
                                    .killed = answers->killed,
                                    .killed_bytes = shape->count,
                                    .event_capacity = shape->events,
                                    .event_registers = shape->outputs,
                                    .events = answers->events,
                                    .event_bytes = events_of(shape) * 4,
                                    .event_counts = answers->event_counts,
                                    .event_count_bytes = (size_t)shape->count * 4,
                                    .event_outputs = answers->event_outputs,
                                    .event_output_bytes = event_outputs_of(shape) * 4};
}

void work_give_values(struct sch_invocations *invocations)
{
    static const uint8_t given[64] = {0, 1, 1, 1};
    assert_true(invocations->system_value_registers <= sizeof given);
    invocations->system_value_given = given;
    invocations->system_value_given_bytes = invocations->system_value_registers;
}

void work_bind(const struct work *work, uint32_t *memory, struct sch_storage_buffer *buffers,
               struct sch_bindings *bindings)
{
    const struct work_shape *shape = &work->shape;
    for (size_t b = 0; b < shape->memories; b++)
        buffers[b] = (struct sch_storage_buffer){memory + b * shape->memory_words, (size_t)shape->memory_words * 4};
    *bindings = (struct sch_bindings){.size = sizeof *bindings,
                                      .constants = work->buffers,
                                      .constant_count = shape->constant_buffers,
                                      .buffers = buffers,
                                      .buffer_count = shape->memories / 2,
                                      .hw_atomics = buffers + shape->memories / 2,
                                      .hw_atomic_count = shape->memories / 2};
}

void work_run(const struct sch_program *program, const struct sch_bindings *bindings,
              const struct sch_invocations *invocations, const uint32_t *grid,
              const struct sch_dispatch_options *options, struct answers *answers)
{
    answers->result = grid ? sch_dispatch_grid(program, bindings, grid, NULL, options, &answers->report)
                           : sch_dispatch(program, bindings, invocations, options, &answers->report);
}
