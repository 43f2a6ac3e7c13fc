/* What the steps of a draw share: see draw_context.h. */
#include "pipeline/draw_context.h"

const struct sch_run_options *sch_draw_context_begin_run(struct sch_draw_context *context, bool little,
                                                         struct sch_run_options *own)
{
    const bool bounded = context->work != UINT64_MAX;
    *context->report = (struct sch_run_report){0}; /* runs without a group leave it as it is */
    if (!bounded && (!little || context->options.threads <= 1)) return &context->options;
    *own = context->options;
    own->threads = 1; /* a bound is found by running again what has passed it, which blended colours do not allow */
    if (bounded) {
        own->work = context->work;
        own->no_work = !context->work;
    }
    return own;
}

enum sch_result sch_draw_context_end_run(struct sch_draw_context *context, enum sch_stage stage, enum sch_result status)
{
    const uint64_t done = context->report->instructions;
    if (context->work != UINT64_MAX) context->work -= done;
    context->instructions += done;
    context->report->instructions = context->instructions;
    if (status != SCH_OK) *context->stage = stage;
    return status;
}

enum sch_result sch_generation_status(const struct sch_generation *generation)
{
    for (uint32_t c = 0; c < generation->count; c++)
        if (generation->chunks[c].status != SCH_OK) return generation->chunks[c].status;
    return SCH_OK;
}
