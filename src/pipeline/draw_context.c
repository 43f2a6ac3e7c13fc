/* What the steps of a draw share: see draw_context.h. */
#include "pipeline/draw_context.h"

struct sch_run_options sch_draw_context_begin_run(struct sch_draw_context *context, bool little)
{
    struct sch_run_options options = context->options;
    *context->report = (struct sch_run_report){0}; /* runs without a group leave it as it is */
    if (context->work != UINT64_MAX) {
        options.work = context->work;
        options.no_work = !context->work;
    }
    /* A bound on the work is found by running again what has passed it, which colours that are blended do not allow. */
    if (little || context->work != UINT64_MAX) options.threads = 1;
    return options;
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
