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
    for (uint32_t i = 0; sch_shader_register(shader, SCH_REGISTERS_INPUT, i, &at); i++)
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
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = count,
                                         .quads = how->quads,
                                         .inputs = batch->inputs,
                                         .input_bytes = batch->input_bytes,
                                         .input_registers = batch->input_registers,
                                         .input_vertices = batch->input_vertices,
                                         .system_values = batch->system_values,
                                         .system_value_bytes = batch->system_value_bytes,
                                         .system_value_registers = batch->system_value_registers,
                                         .helpers = results->helpers,
                                         .helper_bytes = capacity,
                                         .outputs = results->outputs,
                                         .output_bytes = results->output_bytes,
                                         .output_registers = results->registers,
                                         .killed = results->killed,
                                         .killed_bytes = capacity,
                                         .system_value_given = batch->given,
                                         .system_value_given_bytes = batch->system_value_registers,
                                         .planes = batch->has_planes ? batch->planes : NULL,
                                         .plane_bytes = batch->has_planes ? capacity * batch->input_registers * 64 : 0,
                                         .plane_registers = batch->has_planes ? batch->input_registers : 0,
                                         .samples = how->samples,
                                         .centroids = batch->centroids,
                                         .centroid_bytes = capacity * 8,
                                         .pixels = batch->pixels,
                                         .pixel_bytes = capacity * 16,
                                         .event_capacity = results->event_capacity,
                                         .event_registers = results->events ? results->registers : 0,
                                         .events = results->events,
                                         .event_bytes = results->events ? events * 4 : 0,
                                         .event_counts = results->event_counts,
                                         .event_count_bytes = results->event_counts ? capacity * 4 : 0,
                                         .event_outputs = results->event_outputs,
                                         .event_output_bytes = results->event_output_bytes};
    return sch_dispatch(program, &bound.bindings, &work, &how->setup->dispatch, report);
}
