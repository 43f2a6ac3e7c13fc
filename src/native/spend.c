/* The slow ways of what bounds machine code: the budget of lanes, the work of the run, its clock and flag. Code counts
 * the steps of each lane in vectors of its own, and all executed instructions; only when those come to a limit up to
 * which nothing can have run out, it comes here. */
#include "native/runtime.h"

#include <string.h>

/* Every step is an instruction, too. */
static void set_limit(struct sch_exec_machine *machine)
{
    machine->room = machine->stop_at < machine->budget_end ? machine->stop_at : machine->budget_end;
}

/* Work that is used up ends the run at the next instruction, which finds it out itself. */
static bool look(struct sch_exec_machine *machine, const struct sch_exec_instruction *in, uint32_t lanes)
{
    if (machine->executed < machine->stop_at || machine->executed >= machine->work_end) return true;
    return sch_exec_look(machine, in, lanes, SCH_EXEC_CODE_DISTANCE);
}

bool sch_native_spend(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction, uint32_t alive,
                      uint32_t owed[SCH_GROUP_LANES])
{
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        machine->spent[i] += owed[i];
        if (machine->spent[i] > machine->most_spent) machine->most_spent = machine->spent[i];
    }
    machine->settled = true;
    machine->payers = 0;
    machine->pending = machine->room = 0;
    machine->depth = 0; /* the frames are the code's */
    uint32_t before = machine->exec;
    if (!sch_exec_spend(machine, instruction)) return false;
    alive &= ~(before & ~machine->exec);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) owed[i] = machine->payers >> i & 1 ? (uint32_t)machine->pending : 0;
    machine->payers = 0;
    machine->pending = 0;
    uint64_t least = SCH_EXEC_MOST_STEPS;
    for (uint32_t left = alive & machine->present; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint64_t rest = machine->budget - machine->spent[i];
        if (rest < least) least = rest;
    }
    machine->budget_end = machine->executed + least;
    if (!look(machine, instruction, machine->exec)) return false;
    set_limit(machine);
    return true;
}

bool sch_native_renew(struct sch_exec_machine *machine)
{
    memset(machine->spent, 0, sizeof machine->spent);
    machine->settled = false;
    machine->most_spent = 0;
    return look(machine, machine->program->instructions, machine->present);
}

bool sch_native_look(struct sch_exec_machine *machine, const struct sch_exec_instruction *first, uint32_t count,
                     uint32_t lanes)
{
    if (sch_exec_run_out(machine, first, count, lanes)) return false;
    if (!look(machine, first, lanes)) {
        machine->executed -= count;
        return false;
    }
    set_limit(machine);
    return true;
}
