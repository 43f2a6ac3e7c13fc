/* The groups of a unit on the machines of one worker: one after the other, or side by side where they wait for each
 * other at barriers; or several as a span, where the engine runs those. */
#include "exec/watch.h"
#include "run/workers.h"

bool sch_run_fail(struct sch_run_worker *worker, struct sch_exec_at at, const struct sch_exec_machine *machine)
{
    worker->failed_at = at;
    worker->failed = machine;
    return false;
}

/* What engines do between instructions has to be done between groups, too: not all code looks by itself. Work ends at
 * an instruction, so that is left to the engine. */
static bool look(struct sch_exec_machine *machine)
{
    if (machine->group.failure != SCH_OK) return false;
    if (machine->group.executed < machine->group.stop_at || machine->group.executed >= machine->work_end) return true;
    return sch_exec_look(machine, machine->group.at, machine->group.exec, SCH_EXEC_LOOK_DISTANCE);
}

/* The machines of a worker count in one row: each continues with what the one before it has. */
static void take_turn(struct sch_run_worker *worker, struct sch_exec_machine *machine)
{
    uint64_t others = worker->last->group.executed - machine->group.executed;
    machine->group.executed += others;
    machine->group.executed_before += others;
    machine->group.budget_end += others;
    machine->group.stop_at = worker->last->group.stop_at;
    worker->last = machine;
}

/* ---- one after the other ---- */

/* Those of a unit that are left; where spans may follow, one of them. */
static void run_in_order(const struct sch_run *run, struct sch_run_worker *worker, struct sch_exec_at *at)
{
    const struct sch_exec_source *source = run->job.source;
    const struct sch_exec_source_kind *kind = source->kind;
    const struct sch_exec_program *program = run->job.program;
    void (*const run_group)(struct sch_exec_machine *) = program->engine->run_group;
    struct sch_exec_machine *machine = &worker->machines[0];
    const uint32_t end = run->spans ? at->group + 1 : source->groups;
    for (uint32_t group = at->group; group < end; group++) {
        machine->at = (struct sch_exec_at){at->unit, group};
        if (!kind->load(source, machine, at->unit, group)) break;
        sch_exec_hasten(machine, program->prepared.extra_cost);
        /* The only group of a unit waits for no other. */
        while (machine->group.at != SCH_GROUP_ENDED && look(machine)) run_group(machine);
        if (machine->group.failure != SCH_OK) {
            sch_run_fail(worker, (struct sch_exec_at){at->unit, group}, machine);
            return;
        }
        if (kind->store) kind->store(source, machine);
        at->group = group + 1;
    }
    if (at->group < end || end == source->groups) *at = (struct sch_exec_at){.unit = at->unit + 1};
}

/* ---- side by side ---- */

/* "Suspends the execution of the current thread until all the remaining threads in the working group reach the same
 * point of the program": all groups must wait at one BARRIER, or all have ended. Fails the lowest group that is
 * elsewhere than the first one that waits. */
static bool groups_agree(const struct sch_exec_job *job, struct sch_run_worker *worker, uint64_t unit, bool *waiting)
{
    const uint32_t groups = job->source->groups;
    uint32_t behind = SCH_GROUP_ENDED;
    for (uint32_t group = 0; group < groups && behind == SCH_GROUP_ENDED; group++)
        behind = worker->machines[group].group.at;
    *waiting = behind != SCH_GROUP_ENDED;
    for (uint32_t group = 0; group < groups && *waiting; group++) {
        struct sch_exec_machine *machine = &worker->machines[group];
        if (machine->group.at == behind) continue;
        machine->group.failure = SCH_ERROR_BARRIER;
        machine->failed_lane = 0;
        machine->failed_instruction = behind - 1;
        return sch_run_fail(worker, (struct sch_exec_at){unit, group}, machine);
    }
    return true;
}

/* Releases groups by the engine's rules; false: one has failed. */
static bool groups_meet(const struct sch_exec_job *job, struct sch_run_worker *worker, uint64_t unit, bool *waiting)
{
    const uint32_t groups = job->source->groups;
    const bool met = job->program->engine->meet(worker->machines, groups);
    *waiting = false;
    for (uint32_t group = 0; group < groups; group++) {
        const struct sch_exec_machine *machine = &worker->machines[group];
        if (!met && machine->group.failure != SCH_OK)
            return sch_run_fail(worker, (struct sch_exec_at){unit, group}, machine);
        *waiting = *waiting || machine->group.at != SCH_GROUP_ENDED;
    }
    return true;
}

/* Each to its next BARRIER, ascending, until they end. */
static bool run_with_barriers(const struct sch_exec_job *job, struct sch_run_worker *worker, uint64_t unit)
{
    const struct sch_exec_source *source = job->source;
    struct sch_exec_at at = {.unit = unit};
    for (; at.group < source->groups; at.group++) {
        take_turn(worker, &worker->machines[at.group]);
        worker->last->at = at;
        source->kind->load(source, worker->last, unit, at.group);
        if (worker->last->group.failure != SCH_OK) return sch_run_fail(worker, at, worker->last);
    }
    for (bool waiting = true; waiting;) {
        for (at.group = 0; at.group < source->groups; at.group++) {
            struct sch_exec_machine *machine = &worker->machines[at.group];
            if (machine->held || machine->group.at == SCH_GROUP_ENDED) continue;
            take_turn(worker, machine);
            if (look(machine)) job->program->engine->run_group(machine);
            if (machine->group.failure != SCH_OK) return sch_run_fail(worker, at, machine);
        }
        if (!(job->program->engine->meet ? groups_meet : groups_agree)(job, worker, unit, &waiting)) return false;
        if (job->watch && job->watch->met) job->watch->met(job->watch, worker->machines, source->groups);
    }
    return true;
}

/* ---- a unit, or a span ---- */

static bool begin_unit(const struct sch_run *run, struct sch_run_worker *worker, struct sch_exec_at at)
{
    take_turn(worker, &worker->machines[0]);
    if (!worker->shared || sch_exec_clear(worker->last, worker->shared, run->shared_bytes)) return true;
    return sch_run_fail(worker, at, worker->last);
}

/* So many groups after one. */
static struct sch_exec_at after(const struct sch_exec_source *source, struct sch_exec_at at, uint64_t groups)
{
    groups += at.group;
    return (struct sch_exec_at){at.unit + groups / source->groups, (uint32_t)(groups % source->groups)};
}

/* After a span of work groups whose groups wait for each other: one that has failed, or that waits at another BARRIER
 * than others. */
static void end_rounds(const struct sch_run *run, struct sch_run_worker *worker, struct sch_exec_at from,
                       const struct sch_group_span *span)
{
    const struct sch_exec_at at = after(run->job.source, from, span->done);
    const bool ended = span->done == (uint64_t)span->groups * span->rows;
    bool waiting;
    worker->last = &worker->machines[ended || span->parted ? run->machines - 1 : at.group];
    if (span->parted)
        groups_agree(&run->job, worker, at.unit, &waiting);
    else if (!ended)
        sch_run_fail(worker, at, worker->last);
}

/* The groups from `*at` on, if the engine runs them as a span. */
static bool run_span(const struct sch_run *run, struct sch_run_worker *worker, struct sch_exec_at *at)
{
    const struct sch_exec_source *source = run->job.source;
    struct sch_exec_machine *machine = &worker->machines[0];
    struct sch_exec_at behind = *at;
    struct sch_group_span span;
    for (uint32_t m = run->machines; m-- > 0 && run->machines > 1;) take_turn(worker, &worker->machines[m]);
    if (!source->kind->find_span(source, machine, &behind, worker->end, run->span_groups, &span)) return false;
    if (!span.groups) {
        *at = behind;
        return true;
    }
    sch_exec_hasten(machine, span.runs * run->job.program->prepared.extra_cost);
    if (!look(machine))
        sch_run_fail(worker, *at, machine);
    else if (!run->job.program->engine->run_span(machine, &span))
        return false;
    else if (run->machines > 1)
        end_rounds(run, worker, *at, &span);
    else if (machine->group.failure != SCH_OK)
        sch_run_fail(worker, after(source, *at, span.done), machine);
    *at = behind;
    return true;
}

void sch_run_groups(const struct sch_run *run, struct sch_run_worker *worker, struct sch_exec_at *at)
{
    if (run->spans && run_span(run, worker, at)) return;
    if (!at->group && !begin_unit(run, worker, *at)) return;
    if (run->machines == 1)
        run_in_order(run, worker, at);
    else if (run_with_barriers(&run->job, worker, at->unit))
        at->unit++;
}
