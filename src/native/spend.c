/* The slow way of the budget in machine code. Code counts the steps of each lane in vectors of its own, and all steps
 * together; only when the lanes together could have used up what the poorest of them has left, it comes here. */
#include "native/runtime.h"

#include <string.h>

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
    machine->room = SCH_NATIVE_MOST_STEPS;
    for (uint32_t left = alive & machine->present; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint64_t rest = machine->budget - machine->spent[i];
        if (machine->spent[i] >= machine->budget) rest = 0;
        if (rest < machine->room) machine->room = rest;
    }
    return true;
}

void sch_native_renew(struct sch_exec_machine *machine)
{
    memset(machine->spent, 0, sizeof machine->spent);
    machine->settled = false;
    machine->most_spent = 0;
}
