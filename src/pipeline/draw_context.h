/* A draw on its way: what all its steps share, and how chunks go from one to the next. After the shading of vertices
 * there is a chain of steps. Each takes a generation of chunks; one that makes primitives of its own has chunks of its
 * own for them, and passes each generation on before it makes the next. So memory is bounded whatever a step makes of
 * its primitives, and all of them come in the order of the draw. Holds no step. */
#ifndef SCH_PIPELINE_DRAW_CONTEXT_H
#define SCH_PIPELINE_DRAW_CONTEXT_H

#include "base/pool.h"
#include "pipeline/chunk.h"
#include "pipeline/draw.h"

enum { SCH_GENERATION_CHUNKS = 8 }; /* at most, whatever the threads are, as the memory that they take is limited */

/* Chunks of shaded vertices and their primitives, in the order of the draw. */
struct sch_generation {
    struct sch_chunk *chunks;
    uint32_t count;
    uint64_t primitives; /* complete ones: a polygon is one */
};

struct sch_draw_context;

struct sch_step {
    enum sch_result (*take)(struct sch_draw_context *context, const struct sch_step *step,
                            struct sch_generation *generation);
    void *own; /* the step's */
};

enum { SCH_STEPS = 4 }; /* tessellation, geometry shaders, stream output, drawing */

struct sch_draw_context {
    const struct sch_draw_pipeline *draw;
    const struct sch_draw_vertices *vertices;
    struct sch_scratch *memory;
    struct sch_run_options options;
    uint64_t work;         /* instructions that are left; UINT64_MAX: no bound */
    uint64_t instructions; /* of all runs so far */
    struct sch_draw_counts *counts;
    struct sch_run_report *report;
    enum sch_stage *stage;
    const struct sch_vertex_layout *layout; /* of vertices that are rasterised */
    struct sch_step steps[SCH_STEPS + 1];   /* after the last one: none, whose `take` is NULL */
    uint32_t step_count;
};

/* Adds a step after the others. */
static inline void sch_draw_context_add(struct sch_draw_context *context,
                                        enum sch_result (*take)(struct sch_draw_context *context,
                                                                const struct sch_step *step,
                                                                struct sch_generation *generation),
                                        void *own)
{
    context->steps[context->step_count++] = (struct sch_step){take, own};
}

/* To the first step. */
static inline enum sch_result sch_draw_context_enter(struct sch_draw_context *context,
                                                     struct sch_generation *generation)
{
    return context->steps[0].take(context, &context->steps[0], generation);
}

/* To the step after this one. */
static inline enum sch_result sch_draw_context_pass(struct sch_draw_context *context, const struct sch_step *step,
                                                    struct sch_generation *generation)
{
    const struct sch_step *next = step + 1;
    return next->take ? next->take(context, next, generation) : SCH_OK;
}

/* The options of one run: what is left of the work, and as many threads as it is worth. They are the draw's, or, where
 * they differ, `own`. */
const struct sch_run_options *sch_draw_context_begin_run(struct sch_draw_context *context, bool little,
                                                         struct sch_run_options *own);
/* What the run has done; returns its status. */
enum sch_result sch_draw_context_end_run(struct sch_draw_context *context, enum sch_stage stage,
                                         enum sch_result status);

/* Does something for each chunk, on as many threads as the draw has. */
static inline void sch_draw_context_each(const struct sch_draw_context *context, uint32_t count,
                                         void (*work)(void *user, unsigned number), void *user)
{
    if (count == 1)
        work(user, 0);
    else
        sch_pool_share(context->options.pool, context->options.threads, count, work, user);
}

/* The first of the chunks' statuses that is not success. */
enum sch_result sch_generation_status(const struct sch_generation *generation);

#endif
