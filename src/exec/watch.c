/* See watch.h. */
#include "exec/watch.h"

#include "exec/job.h"

static void run_watched(struct sch_exec_watch *watch, struct sch_exec_machine *machine)
{
    sch_exec_handler *const *handlers = machine->program->handlers;
    const struct sch_prepared_instruction *at = &machine->program->prepared.instructions[machine->group.at];
    machine->group.at = SCH_GROUP_ENDED;
    while (at) {
        if (machine->group.executed >= machine->group.stop_at && !sch_exec_may_go_on(machine, at->number)) break;
        at = watch->before(watch, machine, at);
        if (!at) break;
        machine->group.executed++;
        at = handlers[at->number](machine, at);
    }
    watch->leaves(watch, machine);
}

/* A group is chosen when it begins; behind a BARRIER it is what it was. */
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

/* What runs a program's groups one by one, but for machine code, which nobody sees into. */
static struct sch_exec_engine engine_of(const struct sch_exec_program *program)
{
    struct sch_exec_engine engine = *program->engine;
    if (!engine.by_handlers) engine = sch_engine_interpreter;
    engine.run_group = run_group;
    engine.run_span = NULL;
    return engine;
}

bool sch_exec_watched(const struct sch_exec_program *program, struct sch_arena *arena,
                      const struct sch_exec_program **watched)
{
    static const uint8_t cleared[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT};
    struct sch_exec_program *copy = SCH_ARENA_NEW(arena, struct sch_exec_program);
    struct sch_exec_engine *engine = SCH_ARENA_NEW(arena, struct sch_exec_engine);
    if (!copy || !engine) return false;
    *engine = engine_of(program);
    *copy = *program;
    copy->engine = engine;
    for (unsigned f = 0; f < sizeof cleared; f++) copy->cleared[cleared[f]] = true;
    *watched = copy;
    return true;
}
