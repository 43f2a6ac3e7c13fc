/* Which worker runs which units. They are dealt in contiguous ranges, and everything that a caller can see is
 * independent of how many workers there are: when a unit fails, the lowest one that does is reported, and the
 * instructions of units above it do not count. Where the work of a run is bounded, its workers run ahead of what those
 * below them do; which unit passes the bound is known at the end, and a part of that one's range runs again, to stop at
 * the instruction. */
#include <fenv.h>

#include "base/pool.h"
#include "run/workers.h"

/* Of too many marks every second one stays. */
static void make_mark(struct sch_run_worker *worker, uint64_t unit)
{
    if (worker->mark_count == SCH_RUN_MARKS) {
        for (uint32_t i = 0; i < SCH_RUN_MARKS / 2; i++) worker->marks[i] = worker->marks[2 * i + 1];
        worker->mark_count = SCH_RUN_MARKS / 2;
        worker->stride *= 2;
    }
    worker->marks[worker->mark_count++] = (struct sch_run_mark){.unit = unit, .executed = worker->last->group.executed};
    worker->next_mark = worker->last->group.executed + worker->stride;
}

static void note_failure(struct sch_run *run, uint64_t unit)
{
    uint64_t lowest = atomic_load(&run->failed_unit);
    while (unit < lowest && !atomic_compare_exchange_weak(&run->failed_unit, &lowest, unit)) continue;
}

static void run_worker(void *user, unsigned index)
{
    struct sch_run *run = user;
    struct sch_run_worker *worker = run->workers[index];
    fenv_t callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    for (struct sch_exec_at at = {.unit = worker->begin}; at.unit < worker->end && !worker->failed;) {
        if (atomic_load_explicit(&run->failed_unit, memory_order_relaxed) < at.unit) break;
        if (worker->last->group.executed >= worker->next_mark) make_mark(worker, at.unit);
        sch_run_groups(run, worker, &at);
    }
    if (worker->failed) note_failure(run, worker->failed_at.unit);
    fesetenv(&callers);
}

/* ---- the end of the work ---- */

/* Runs a part of a worker's range again, so that it ends where the work does that those below have left. */
static void run_again(struct sch_run *run, unsigned index, uint64_t left)
{
    struct sch_run_worker *worker = run->workers[index];
    struct sch_run_mark from = {.unit = worker->begin};
    for (uint32_t i = 0; i < worker->mark_count && worker->marks[i].executed <= left; i++) from = worker->marks[i];
    run->job.progress = NULL;
    atomic_store(&run->failed_unit, UINT64_MAX);
    for (uint32_t m = 0; m < run->machines; m++) {
        worker->machines[m].work_end = left;
        worker->machines[m].group.failure = SCH_OK;
    }
    worker->last->group.executed = from.executed;
    worker->last->group.stop_at = 0;
    worker->begin = from.unit;
    worker->failed = NULL;
    run_worker(run, index);
}

/* The place where programs end whose units write at once: none of theirs can be repeated. */
static void fail_at_end(struct sch_run_worker *worker)
{
    if (worker->failed) return;
    worker->last->group.failure = SCH_ERROR_WORK;
    worker->last->failed_lane = 0;
    worker->last->failed_instruction = worker->last->program->instruction_count;
    sch_run_fail(worker, (struct sch_exec_at){.unit = worker->end - 1}, worker->last);
}

/* Finds the worker whose units pass the bound, after those below it. The first one has stopped there by itself. */
static void end_work(struct sch_run *run)
{
    uint64_t left = run->job.work;
    if (left == UINT64_MAX) return;
    for (unsigned i = 0; i < run->count; i++) {
        struct sch_run_worker *worker = run->workers[i];
        bool passes =
            worker->last->group.executed > left || (worker->failed && worker->failed->group.failure == SCH_ERROR_WORK);
        if (passes && run->job.concurrent)
            fail_at_end(worker);
        else if (passes && i)
            run_again(run, i, left);
        if (worker->failed) return;
        left -= worker->last->group.executed;
    }
}

/* ---- all units ---- */

void sch_run_schedule(struct sch_run *run, struct sch_pool *pool)
{
    uint64_t units = run->job.source->units, share = units / run->count, rest = units % run->count, at = 0;
    atomic_init(&run->failed_unit, UINT64_MAX);
    for (unsigned i = 0; i < run->count; i++) {
        run->workers[i]->begin = at;
        at += share + (i < rest);
        run->workers[i]->end = at;
    }
    sch_pool_run(pool, run->count, run_worker, run);
    end_work(run);
}
