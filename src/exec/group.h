/* The beginning of a group, for the sources of work that load it (exec/source.h): inline, as small kernels live on this
 * being quick. */
#ifndef SCH_EXEC_GROUP_H
#define SCH_EXEC_GROUP_H

#include "exec/job.h"

static inline uint32_t sch_exec_first_lanes(uint64_t count)
{
    return count >= SCH_GROUP_LANES ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

/* How many lanes the group has: they are the first ones. */
static inline unsigned sch_exec_lane_count(const struct sch_exec_machine *machine)
{
    return machine->group.present == UINT32_MAX ? SCH_GROUP_LANES : (unsigned)__builtin_ctz(~machine->group.present);
}

/* The state of its execution before the first instruction; its lanes and helpers are known. */
static inline void sch_exec_begin_group(struct sch_exec_machine *machine)
{
    machine->group.exec = machine->group.present;
    machine->group.helpers = machine->started_helpers;
    machine->group.at = 0;
    machine->depth = 0;
    machine->held = false;
    machine->group.payers = 0;
    machine->group.pending = machine->group.room = 0;
    if (machine->group.settled) memset(machine->spent, 0, sizeof machine->spent);
    machine->group.settled = false;
    machine->most_spent = 0;
    machine->group.executed_before = machine->group.executed;
    machine->group.budget_end = machine->group.executed + machine->group.first_room;
}

static inline void sch_exec_clear_file(const struct sch_exec_machine *machine, unsigned number)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[number];
    if (!file->count) return;
    memset(machine->group.space[SCH_SPACE_STATE] + file->base, 0,
           file->width * (size_t)file->count * sizeof(struct sch_lanes));
}

/* TEMP, ADDR and OUT start at zero: those that the engine wants, or the others. */
static inline void sch_exec_clear_files(const struct sch_exec_machine *machine, bool cleared)
{
    static const uint8_t files[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT};
    for (unsigned f = 0; f < sizeof files; f++)
        if (machine->program->cleared[files[f]] == cleared) sch_exec_clear_file(machine, files[f]);
}

/* And the memory of its own. */
static inline void sch_exec_clear_group(struct sch_exec_machine *machine)
{
    sch_exec_clear_files(machine, true);
    const struct sch_memory_view *own = &machine->memory[SCH_MEMORY_PRIVATE];
    if (own->data) sch_exec_clear(machine, own->data, (size_t)own->lane_bytes * SCH_GROUP_LANES);
}

/* Nothing was counted yet. */
static inline void sch_exec_clear_heat(const struct sch_exec_machine *machine)
{
    struct sch_exec_heat *heat = machine->heat;
    if (!heat) return;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        heat->texels[i] = 0;
        heat->lods[i] = -128.0f; /* a level below every one that there is */
        heat->instructions[i] = 0;
    }
    heat->group_slots = heat->idle_slots = 0;
}

#endif
