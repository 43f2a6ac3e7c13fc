/* The slow ways of what bounds machine code: the budget of lanes, the work of the run, its clock and flag. Code counts
 * the steps of each lane in vectors of its own, and all executed instructions; only when those come to a limit up to
 * which nothing can have run out, it comes here. */
#include "native/internal.h"

#include <string.h>

/* Every step is an instruction, too. */
static void set_limit(struct sch_group *group)
{
    group->limit = group->stop_at < group->budget_end ? group->stop_at : group->budget_end;
}

/* Work that is used up ends the run at the next instruction, which finds it out itself. */
static bool look(struct sch_exec_machine *machine, uint32_t instruction, uint32_t lanes)
{
    if (machine->group.executed < machine->group.stop_at || machine->group.executed >= machine->work_end) return true;
    return sch_exec_look(machine, instruction, lanes, SCH_GROUP_LOOK_DISTANCE);
}

bool sch_native_spend(struct sch_group *group, uint32_t instruction, uint32_t alive, uint32_t owed[SCH_GROUP_LANES])
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        machine->spent[i] += owed[i];
        if (machine->spent[i] > machine->most_spent) machine->most_spent = machine->spent[i];
    }
    group->settled = true;
    machine->group.payers = 0;
    machine->group.pending = machine->group.room = 0;
    machine->depth = 0; /* the frames are the code's */
    uint32_t before = group->exec;
    if (!sch_exec_spend(machine, &machine->program->prepared.instructions[instruction])) return false;
    alive &= ~(before & ~group->exec);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        owed[i] = machine->group.payers >> i & 1 ? (uint32_t)machine->group.pending : 0;
    machine->group.payers = 0;
    machine->group.pending = 0;
    uint64_t least = SCH_GROUP_MOST_STEPS;
    for (uint32_t left = alive & group->present; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint64_t rest = machine->budget - machine->spent[i];
        if (rest < least) least = rest;
    }
    group->budget_end = group->executed + least;
    if (!look(machine, instruction, group->exec)) return false;
    set_limit(group);
    return true;
}

bool sch_native_renew(struct sch_group *group)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    memset(machine->spent, 0, sizeof machine->spent);
    group->settled = false;
    machine->most_spent = 0;
    return look(machine, 0, group->present);
}

bool sch_native_begin_work_group(struct sch_group *group)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    const struct sch_memory_view *shared = &machine->memory[SCH_MEMORY_SHARED];
    return sch_exec_clear(machine, shared->data, shared->bytes);
}

bool sch_native_look(struct sch_group *group, uint32_t first, uint32_t count, uint32_t lanes)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    if (sch_exec_run_out(machine, first, count, lanes)) return false;
    if (!look(machine, first, lanes)) {
        group->executed -= count;
        return false;
    }
    set_limit(group);
    return true;
}
