/* See invoke.h. */
#include "invoke.h"

#include <string.h>

/* Lines that must stay together so that INVOCATIONID counts on: a patch, or the invocations of a primitive. */
uint32_t sch_cli_belonging(const struct sch_shader *shader, enum sch_stage stage)
{
    enum { MOST = 256 }; /* where a primitive has more, each batch begins with invocation 0 */
    uint32_t count = stage == SCH_STAGE_TESS_CTRL  ? sch_shader_property(shader, "TCS_VERTICES_OUT", 32)
                     : stage == SCH_STAGE_GEOMETRY ? sch_shader_property(shader, "GS_INVOCATIONS", 1)
                                                   : 1;
    return count < 1 || count > MOST ? 1 : count;
}

bool sch_cli_any_per_vertex(const struct sch_shader *shader)
{
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t i = 0; sch_shader_register(shader, SCH_FILE_INPUT, i, &at); i++)
        if (at.per_vertex) return true;
    return false;
}

enum sch_result sch_cli_invoke(const struct sch_cli_invocations *how, const struct sch_cli_batch *batch,
                               const struct sch_program *program, struct sch_cli_results *results,
                               struct sch_dispatch_report *report)
{
    struct sch_cli_bindings bound;
    sch_cli_bind(how->setup, &batch->constants, &bound);
    memset(results->helpers, 0, batch->capacity);
    uint32_t count = batch->count;
    if (how->quads)
        while (count % 4) results->helpers[count++] = 1; /* the capacity is a multiple of 4 */
    size_t capacity = batch->capacity, events = capacity * results->event_capacity;
    struct sch_invocations work = sch_cli_batch_invocations(batch, how->quads, how->samples);
    work.count = count;
    work.helpers = results->helpers;
    work.helper_bytes = capacity;
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
