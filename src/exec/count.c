/* See count.h. */
#include "exec/count.h"

#include "exec/job.h"

/* That many instructions began with the same execution mask. */
static void note(const struct sch_exec_machine *machine, uint32_t exec, uint64_t instructions)
{
    struct sch_exec_heat *heat = machine->heat;
    const uint32_t present = machine->group.present;
    for (uint32_t left = exec; left; left &= left - 1) heat->instructions[__builtin_ctz(left)] += instructions;
    heat->group_slots += instructions * (uint32_t)__builtin_popcount(present);
    heat->idle_slots += instructions * (uint32_t)__builtin_popcount(present & ~exec);
}

static void run_group(struct sch_exec_machine *machine)
{
    sch_exec_handler *const *handlers = machine->program->handlers;
    const struct sch_prepared_instruction *at = &machine->program->prepared.instructions[machine->group.at];
    uint32_t exec = machine->group.exec;
    uint64_t instructions = 0;
    machine->group.at = SCH_GROUP_ENDED;
    while (at) {
        if (machine->group.executed >= machine->group.stop_at && !sch_exec_may_go_on(machine, at->number)) break;
        if (machine->group.exec != exec) {
            note(machine, exec, instructions);
            exec = machine->group.exec;
            instructions = 0;
        }
        instructions++;
        machine->group.executed++;
        at = handlers[at->number](machine, at);
    }
    note(machine, exec, instructions);
}

bool sch_exec_counted(const struct sch_exec_program *program, struct sch_arena *arena,
                      const struct sch_exec_program **counted)
{
    return sch_exec_interpreted(program, arena, run_group, counted);
}
