/* See invoke.h. */
#include "invoke.h"

enum sch_result sch_cli_invoke(const struct sch_cli_invocations *how, const struct sch_cli_batch *batch,
                               const struct sch_program *program, struct sch_cli_results *results,
                               struct sch_dispatch_report *report)
{
    struct sch_cli_bindings bound;
    sch_cli_bind(how->setup, &batch->constants, &bound);
    uint32_t count = batch->count;
    if (how->quads) /* the capacity is a multiple of 4; of Maxwell code a lane that is missing executes nothing */
        while (count % 4) batch->helpers[count++] = batch->lanes ? SCH_INVOCATION_OFF : SCH_INVOCATION_HELPER;
    size_t capacity = batch->capacity, events = capacity * results->event_capacity;
    struct sch_invocations work = sch_cli_batch_invocations(batch, how->quads, how->samples);
    work.count = count;
    work.outputs = results->outputs;
    work.output_bytes = results->output_bytes;
    work.output_registers = results->registers;
    work.killed = results->killed;
    work.killed_bytes = capacity;
    work.event_capacity = results->event_capacity;
    work.event_registers = results->events ? results->registers : 0;
    work.events = results->events;
    work.event_bytes = results->events ? events * 4 : 0;
    work.event_counts = results->event_counts;
    work.event_count_bytes = results->event_counts ? capacity * 4 : 0;
    work.event_outputs = results->event_outputs;
    work.event_output_bytes = results->event_output_bytes;
    return sch_dispatch(program, &bound.bindings, &work, &how->setup->dispatch, report);
}

enum sch_result sch_cli_dispatch_batch(const struct sch_cli_invocations *how, const struct sch_cli_batch *batch,
                                       const struct sch_program *program, const struct sch_dispatch_options *options)
{
    struct sch_cli_bindings bound;
    sch_cli_bind(how->setup, &batch->constants, &bound);
    const struct sch_invocations work = sch_cli_batch_invocations(batch, how->quads, how->samples);
    return sch_dispatch(program, &bound.bindings, &work, options, NULL);
}
