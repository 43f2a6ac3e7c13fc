/* See watch.h. */
#include "exec/watch.h"

#include "exec/job.h"

static void run_watched(struct sch_exec_watch *watch, struct sch_exec_machine *machine)
{
    sch_exec_handler *const *handlers = machine->program->handlers;
    const struct sch_prepared_instruction *at = &machine->program->prepared.instructions[machine->group.at];
    machine->group.at = SCH_GROUP_ENDED;
    while (at) {
        if (machine->group.executed >= machine->group.stop_at && !sch_exec_may_go_on(machine, at->number) &&
            !watch->goes_on(watch, machine))
            break;
        at = watch->before(watch, machine, at);
        if (!at) break;
        machine->group.executed++;
        at = handlers[at->number](machine, at);
    }
    watch->leaves(watch, machine);
}

/* A group is chosen when it begins; after a BARRIER it is what it was. */
static void run_group(struct sch_exec_machine *machine)
{
    struct sch_exec_watch *watch = machine->job->watch;
    if (machine->group.at == 0) machine->watched = watch->chooses(watch, machine);
    if (machine->group.failure != SCH_OK) return;
    if (machine->watched)
        run_watched(watch, machine);
    else
        sch_engine_interpreter.run_group(machine);
}

bool sch_exec_watched(const struct sch_exec_program *program, struct sch_arena *arena,
                      const struct sch_exec_program **watched)
{
    return sch_exec_interpreted(program, arena, run_group, watched);
}
