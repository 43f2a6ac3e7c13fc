/* EMIT and ENDPRIM: counts vertices, and tells the source of work what happened in which order. The stream is the
 * operand's value in each lane; a stream that does not exist takes nothing. */
#include "exec/control.h"
#include "exec/source.h"

typedef const struct sch_prepared_instruction instruction;

/* An event, to the source of work. */
static void emit_event(struct sch_exec_machine *machine, unsigned lane, uint32_t event)
{
    const struct sch_exec_source *source = machine->source;
    uint32_t number = machine->emission.events[lane]++;
    if (source->kind->emit) source->kind->emit(source, machine, lane, number, event);
}

/* A vertex into the stream, unless the invocation has emitted GS_MAX_OUTPUT_VERTICES already. */
static void emit(struct sch_exec_machine *machine, unsigned lane, uint32_t stream)
{
    struct sch_exec_emission *emission = &machine->emission;
    if (emission->vertices[lane] >= machine->program->prepared.of_stage.emit_limit) return;
    emission->vertices[lane]++;
    emission->open[stream] |= 1u << lane;
    emit_event(machine, lane, SCH_EVENT_VERTEX | stream);
}

/* Completes the stream's primitive; of one without vertices there is nothing to complete. */
static void end_primitive(struct sch_exec_machine *machine, unsigned lane, uint32_t stream)
{
    struct sch_exec_emission *emission = &machine->emission;
    if (!(emission->open[stream] >> lane & 1)) return;
    emission->open[stream] &= ~(1u << lane);
    emit_event(machine, lane, SCH_EVENT_PRIMITIVE_END | stream);
}

void sch_exec_stream(struct sch_exec_machine *machine, bool vertex, uint32_t lanes, const struct sch_lanes *streams)
{
    for (uint32_t left = lanes & ~machine->group.helpers; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (streams->u[lane] >= SCH_STREAMS) continue;
        if (vertex)
            emit(machine, lane, streams->u[lane]);
        else
            end_primitive(machine, lane, streams->u[lane]);
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
