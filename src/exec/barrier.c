/* BARRIER and MEMBAR. A group that reaches a BARRIER leaves the engine with the place after it in machine->group.at;
 * run/run.c runs the other groups of the work group up to theirs and then continues. */
#include "exec/control.h"

typedef const struct sch_prepared_instruction instruction;

/* "Results are unspecified if any of the remaining threads terminates or never reaches an executed BARRIER": a group
 * whose invocations are not all here fails. Helpers do not count, as what they do cannot be seen. */
instruction *sch_exec_BARRIER(struct sch_exec_machine *machine, instruction *in)
{
    uint32_t missing = machine->group.present & ~machine->group.helpers & ~machine->group.exec;
    if (missing) {
        machine->group.failure = SCH_ERROR_BARRIER;
        machine->failed_lane = (uint32_t)__builtin_ctz(missing);
        machine->failed_instruction = in->number;
        return NULL;
    }
    machine->group.at = in->number + 1;
    return NULL;
}

/* Every instruction of a group has completed its accesses before the next begins, so there is nothing to wait for. */
instruction *sch_exec_MEMBAR(struct sch_exec_machine *machine, instruction *in)
{
    (void)machine;
    return in + 1;
}
