/* See watch.h. */
#include "exec/watch.h"

#include "exec/job.h"

/* Lanes of Maxwell code end anywhere. When none is left the observer sees the group at its END, as it sees others: what
 * registers hold is final. That END is not counted as an instruction of the program. */
static bool is_over(const struct sch_exec_machine *machine, const struct sch_prepared_instruction *at)
{
    const struct sch_prepared *prepared = &machine->program->prepared;
    return prepared->scalar && !machine->group.exec && at->number == prepared->instruction_count;
}

static const struct sch_prepared_instruction *run_one(struct sch_exec_machine *machine,
                                                      const struct sch_prepared_instruction *at)
{
    const struct sch_prepared *prepared = &machine->program->prepared;
    const struct sch_prepared_instruction *end = &prepared->instructions[prepared->instruction_count];
    if (is_over(machine, at)) return NULL;
    machine->group.executed++;
    const struct sch_prepared_instruction *next = machine->program->handlers[at->number](machine, at);
    if (next || at == end || !prepared->scalar || machine->group.failure != SCH_OK) return next;
    return machine->group.at == SCH_GROUP_ENDED ? end : NULL; /* otherwise it waits */
}

static void run_watched(struct sch_exec_watch *watch, struct sch_exec_machine *machine)
{
    const struct sch_prepared_instruction *at = &machine->program->prepared.instructions[machine->group.at];
    machine->group.at = SCH_GROUP_ENDED;
    while (at) {
        if (!is_over(machine, at) && machine->group.executed >= machine->group.stop_at &&
            !sch_exec_may_go_on(machine, at->number) && !watch->goes_on(watch, machine))
            break;
        at = watch->before(watch, machine, at);
        if (at) at = run_one(machine, at);
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
