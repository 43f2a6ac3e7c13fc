/* EMIT and ENDPRIM: counts vertices, and reports to the source of work what happened in which order. The stream is the
 * operand's value in each lane; a stream that does not exist takes nothing. */
#include "exec/control.h"
#include "exec/source.h"

typedef const struct sch_prepared_instruction instruction;

static void count(uint32_t counts[SCH_GROUP_LANES], uint32_t lanes)
{
    if (lanes == (uint32_t)SCH_ALL_LANES) {
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) counts[i]++;
        return;
    }
    for (; lanes; lanes &= lanes - 1) counts[__builtin_ctz(lanes)]++;
}

/* An event of these lanes, to the source of work. */
static void emit_event(struct sch_exec_machine *machine, uint32_t lanes, uint32_t event)
{
    const struct sch_exec_source *source = machine->source;
    if (!lanes) return;
    count(machine->emission.events, lanes);
    if (source->kind->emit) source->kind->emit(source, machine, lanes, event);
}

/* Those of the lanes that have not yet emitted GS_MAX_OUTPUT_VERTICES. */
static uint32_t lanes_with_room(const struct sch_exec_machine *machine, uint32_t lanes)
{
    const struct sch_exec_emission *emission = &machine->emission;
    const uint32_t limit = machine->program->prepared.of_stage.emit_limit;
    if (emission->most_vertices < limit) return lanes;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (emission->vertices[lane] >= limit) lanes &= ~(1u << lane);
    }
    return lanes;
}

/* A vertex into the stream, of lanes that have room for it. */
static void emit(struct sch_exec_machine *machine, uint32_t lanes, uint32_t stream)
{
    struct sch_exec_emission *emission = &machine->emission;
    lanes = lanes_with_room(machine, lanes);
    if (!lanes) return;
    count(emission->vertices, lanes);
    emission->most_vertices++;
    emission->open[stream] |= lanes;
    emit_event(machine, lanes, SCH_EVENT_VERTEX | stream);
}

/* Completes the stream's primitive; of one without vertices there is nothing to complete. */
static void end_primitive(struct sch_exec_machine *machine, uint32_t lanes, uint32_t stream)
{
    struct sch_exec_emission *emission = &machine->emission;
    lanes &= emission->open[stream];
    emission->open[stream] &= ~lanes;
    emit_event(machine, lanes, SCH_EVENT_PRIMITIVE_END | stream);
}

static uint32_t lanes_of_stream(const struct sch_lanes *streams, uint32_t stream)
{
    uint32_t lanes = 0;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) lanes |= (uint32_t)(streams->u[i] == stream) << i;
    return lanes;
}

void sch_exec_stream(struct sch_exec_machine *machine, bool vertex, uint32_t lanes, const struct sch_lanes *streams)
{
    for (uint32_t left = lanes & ~machine->group.helpers; left;) {
        const uint32_t stream = streams->u[__builtin_ctz(left)];
        const uint32_t same = left & lanes_of_stream(streams, stream);
        left &= ~same;
        if (stream >= SCH_STREAMS) continue;
        if (vertex)
            emit(machine, same, stream);
        else
            end_primitive(machine, same, stream);
    }
}

static instruction *each_lane(struct sch_exec_machine *machine, instruction *in, bool vertex)
{
    const struct sch_lanes *streams = sch_exec_operand(machine, in, 0, 0);
    sch_exec_stream(machine, vertex, machine->group.exec, streams);
    return in + 1;
}

instruction *sch_exec_EMIT(struct sch_exec_machine *machine, instruction *in) { return each_lane(machine, in, true); }

instruction *sch_exec_ENDPRIM(struct sch_exec_machine *machine, instruction *in)
{
    return each_lane(machine, in, false);
}
