/* Moments of a group that are kept, so that steps back need not run it again from its beginning. Only of groups that
 * write nothing outside of their machine: what others wrote there could not be taken back. */
#include "api/debug.h"

enum { FIRST_STRIDE = 256 };
static const size_t default_bytes = 16u << 20;

static size_t frame_bytes(const struct sch_exec_machine *machine)
{
    return machine->program->prepared.flow.max_depth * sizeof *machine->frames;
}

/* Inputs come last, and nothing writes them. */
static size_t state_bytes(const struct sch_exec_machine *machine)
{
    return machine->program->prepared.channels[SCH_SPACE_STATE] * sizeof(struct sch_lanes);
}

static bool writes_only_itself(const struct sch_exec_machine *machine)
{
    const struct sch_prepared *program = &machine->program->prepared;
    return !program->interface.facts.writes_memory && !program->memory.barriers &&
           program->stage != SCH_STAGE_GEOMETRY && !machine->source->counts_texels;
}

void sch_api_debug_drop_moments(struct sch_debug *debug)
{
    struct sch_api_debug_moments *moments = &debug->moments;
    for (uint32_t i = 0; i < moments->count; i++) sch_api_free(debug->context, moments->moment[i].machine);
    moments->count = 0;
    moments->taken = false;
}

void sch_api_debug_begin_moments(struct sch_debug *debug)
{
    struct sch_api_debug_moments *moments = &debug->moments;
    const size_t bytes = debug->kept_bytes ? debug->kept_bytes : default_bytes;
    const size_t each = sizeof *debug->machine + frame_bytes(debug->machine) + state_bytes(debug->machine);
    sch_api_debug_drop_moments(debug);
    moments->most = bytes / each < SCH_API_DEBUG_MOMENTS ? (uint32_t)(bytes / each) : SCH_API_DEBUG_MOMENTS;
    moments->taken = writes_only_itself(debug->machine) && moments->most >= 2;
    moments->stride = FIRST_STRIDE;
    moments->next = debug->time;
}

/* Every second one stays, the first among them. */
static void thin(struct sch_debug *debug)
{
    struct sch_api_debug_moments *moments = &debug->moments;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < moments->count; i++) {
        if (i & 1)
            sch_api_free(debug->context, moments->moment[i].machine);
        else
            moments->moment[kept++] = moments->moment[i];
    }
    moments->count = kept;
    moments->stride *= 2;
}

/* Without memory there is one moment less, and a step back takes longer. */
void sch_api_debug_keep_moment(struct sch_debug *debug)
{
    struct sch_api_debug_moments *moments = &debug->moments;
    const struct sch_exec_machine *machine = debug->machine;
    if (!moments->taken || debug->time < moments->next || !sch_api_debug_is_target(debug)) return;
    if (moments->count && moments->moment[moments->count - 1].time >= debug->time) return;
    if (moments->count == moments->most) thin(debug);
    moments->next = debug->time + moments->stride;
    uint8_t *copy = sch_api_alloc(debug->context, sizeof *machine + frame_bytes(machine) + state_bytes(machine));
    if (!copy) return;
    memcpy(copy, machine, sizeof *machine);
    if (frame_bytes(machine)) memcpy(copy + sizeof *machine, machine->frames, frame_bytes(machine));
    if (state_bytes(machine))
        memcpy(copy + sizeof *machine + frame_bytes(machine), machine->group.space[SCH_SPACE_STATE],
               state_bytes(machine));
    moments->moment[moments->count++] = (struct sch_api_debug_moment){
        .time = debug->time, .at = debug->at, .machine = (struct sch_exec_machine *)(void *)copy};
}

const struct sch_api_debug_moment *sch_api_debug_find_moment(const struct sch_debug *debug, uint64_t time)
{
    const struct sch_api_debug_moment *found = NULL;
    for (uint32_t i = 0; i < debug->moments.count && debug->moments.moment[i].time <= time; i++)
        found = &debug->moments.moment[i];
    return found;
}

/* Later moments stay: they are the same when the group comes to them again. */
const struct sch_prepared_instruction *sch_api_debug_put(struct sch_debug *debug,
                                                         const struct sch_api_debug_moment *moment)
{
    struct sch_exec_machine *machine = debug->machine;
    const uint8_t *copy = (const uint8_t *)moment->machine;
    memcpy(machine, copy, sizeof *machine);
    if (frame_bytes(machine)) memcpy(machine->frames, copy + sizeof *machine, frame_bytes(machine));
    if (state_bytes(machine))
        memcpy(machine->group.space[SCH_SPACE_STATE], copy + sizeof *machine + frame_bytes(machine),
               state_bytes(machine));
    debug->time = moment->time;
    debug->last.in = NULL;
    debug->last.change_count = 0;
    return moment->at;
}
