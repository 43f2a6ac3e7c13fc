/* EMIT and ENDPRIM. What an invocation emits goes straight to its own part of the caller's area, so that nothing
 * depends on groups or threads. The stream is the operand's value in each lane; a stream that does not exist takes
 * nothing. */
#include "exec/control.h"

typedef const struct sch_exec_instruction instruction;

/* Appends an event and answers where its registers go; NULL when the caller wants no registers or has no room. */
static uint32_t *append(struct sch_exec_machine *machine, unsigned lane, uint32_t event)
{
    const struct sch_invocations *to = machine->invocations;
    uint32_t number = machine->emission.events[lane]++;
    if (!to || !to->events || number >= to->event_capacity) return NULL;
    uint64_t place = (machine->group.first + lane) * to->event_capacity + number;
    to->events[place] = event;
    return to->event_outputs ? to->event_outputs + place * to->event_registers * 4 : NULL;
}

static void copy_outputs(const struct sch_exec_machine *machine, unsigned lane, uint32_t *to)
{
    const struct sch_exec_file *file = &machine->program->files[SCH_FILE_OUTPUT];
    const struct sch_lanes *from = machine->group.space[SCH_SPACE_STATE] + file->base;
    for (uint32_t r = 0; r < machine->invocations->event_registers; r++)
        for (unsigned c = 0; c < 4; c++) to[4 * r + c] = r < file->count ? from[4 * r + c].u[lane] : 0;
}

/* A vertex into the stream, unless the invocation has emitted GS_MAX_OUTPUT_VERTICES already. */
static void emit(struct sch_exec_machine *machine, unsigned lane, uint32_t stream)
{
    struct sch_exec_emission *emission = &machine->emission;
    if (emission->vertices[lane] >= machine->program->of_stage.emit_limit) return;
    emission->vertices[lane]++;
    emission->open[stream] |= 1u << lane;
    uint32_t *to = append(machine, lane, SCH_EVENT_VERTEX | stream);
    if (to) copy_outputs(machine, lane, to);
}

/* Completes the stream's primitive; of one without vertices there is nothing to complete. */
static void end_primitive(struct sch_exec_machine *machine, unsigned lane, uint32_t stream)
{
    struct sch_exec_emission *emission = &machine->emission;
    if (!(emission->open[stream] >> lane & 1)) return;
    emission->open[stream] &= ~(1u << lane);
    uint32_t *to = append(machine, lane, SCH_EVENT_PRIMITIVE_END | stream);
    if (to) memset(to, 0, (size_t)machine->invocations->event_registers * 4 * sizeof *to);
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

void sch_exec_store_events(const struct sch_exec_machine *machine)
{
    uint32_t *to = machine->invocations->event_counts;
    for (unsigned i = 0; to && i < SCH_GROUP_LANES && machine->group.present >> i & 1; i++)
        to[machine->group.first + i] = machine->emission.events[i];
}
