/* Invocations of whole shaders, of any stage, with numbers that look random, and what they answer. For tests that run
 * corpora; the sizes are the test's. Holds no expectation, and no textures (random_textures.h). */
#ifndef RANDOM_WORK_H
#define RANDOM_WORK_H

#include <scheelite/scheelite.h>

/* How many of each there are; registers have four words. */
struct work_shape {
    uint32_t count; /* invocations */
    uint32_t vertices, registers, values, outputs;
    uint32_t events; /* of an invocation */
    uint32_t planes; /* registers with planes; with them each invocation has a centroid */
    uint32_t constants, constant_buffers;
    uint32_t memories, memory_words; /* that runs may write: all answers have their own */
};

/* What runs read, and memory as they find it. */
struct work {
    struct work_shape shape;
    uint32_t *inputs, *values, *planes, *centroids, *constants, *memory;
    size_t input_words, value_words, plane_words, centroid_words, constant_words, memory_words;
    struct sch_constant_buffer *buffers;
};

/* Zeros; the running test fails where there is no memory. */
void work_make(struct work *work, const struct work_shape *shape);
/* Words as api_fill gives them (api_program.h). */
void work_fill(struct work *work, uint64_t seed);
void work_release(struct work *work);

/* The four words of an input register. */
static inline uint32_t *work_input(const struct work *work, size_t invocation, size_t vertex, size_t number)
{
    const struct work_shape *shape = &work->shape;
    return work->inputs + 4 * ((invocation * shape->vertices + vertex) * shape->registers + number);
}

static inline uint32_t *work_value(const struct work *work, size_t invocation, size_t number)
{
    return work->values + 4 * (invocation * work->shape.values + number);
}

/* What a run answers. All that it writes is in one block. */
struct answers {
    enum sch_result result;
    struct sch_dispatch_report report;
    struct work_shape shape;
    uint32_t *outputs, *events, *event_counts, *event_outputs, *memory;
    uint8_t *killed;
    uint32_t *block;
    size_t words;
};

void answers_make(struct answers *answers, const struct work_shape *shape);
void answers_release(struct answers *answers);
/* Before a run: zeros, and the memory as the work has it. */
void answers_reset(struct answers *answers, const struct work *work);
/* Whether runs had the same result, and if it is OK wrote the same. */
bool answers_agree(const struct answers *a, const struct answers *b);
void answers_copy(struct answers *to, const struct answers *from);

static inline uint32_t *answers_output(const struct answers *answers, size_t invocation, size_t number)
{
    return answers->outputs + 4 * (invocation * answers->shape.outputs + number);
}

static inline uint32_t answers_event(const struct answers *answers, size_t invocation, size_t event)
{
    return answers->events[invocation * answers->shape.events + event];
}

/* The outputs of an event. */
static inline uint32_t *answers_event_output(const struct answers *answers, size_t invocation, size_t event)
{
    return answers->event_outputs + 4 * (invocation * answers->shape.events + event) * answers->shape.outputs;
}

static inline uint32_t *answers_memory(const struct answers *answers, size_t number)
{
    return answers->memory + number * answers->shape.memory_words;
}

/* All invocations; quads in fragment shaders. */
struct sch_invocations work_invocations(const struct work *work, enum sch_stage stage, const struct answers *answers);
/* Of system values the second to the fourth are given: the first is mostly INVOCATIONID. */
void work_give_values(struct sch_invocations *invocations);
/* The constants, and `memory` (of as many words as the work's): its first half as storage buffers, the second half as
 * counters. `buffers` has a place for each. */
void work_bind(const struct work *work, uint32_t *memory, struct sch_storage_buffer *buffers,
               struct sch_bindings *bindings);
/* Runs them; compute shaders in a grid. */
void work_run(const struct sch_program *program, const struct sch_bindings *bindings,
              const struct sch_invocations *invocations, const uint32_t *grid,
              const struct sch_dispatch_options *options, struct answers *answers);

#endif
