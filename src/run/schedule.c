/* Which worker runs which units. Each has a share of them, contiguous ones, in parts that it takes one by one; who has
 * taken all of its own takes those of others, as some workers begin late or are kept from their processor. Everything
 * that a caller can see is independent of that, and of how many workers there are: when units fail, the lowest part
 * with one is reported, and the instructions of those above it do not count. Where the work of a run is bounded, parts
 * run ahead of those below them; which one passes the bound is known at the end, and it runs again from a mark on, to
 * stop at the instruction. */
#include "base/environment.h"
#include "base/pool.h"
#include "run/workers.h"

enum {
    PARTS = 8,              /* of a share, at most... */
    PART_COST = 512,        /* ...none of less, in instructions of a group */
    LITTLE = 256,           /* instructions of all groups: not worth a second thread */
    FIRST_STRIDE = 1 << 16, /* instructions between marks */
    TELLINGS = 1024         /* of progress, about */
};

/* ---- parts ---- */

/* Instructions of all groups of so many units, where none is repeated; no more than matters. */
static uint64_t cost_of(const struct sch_run *run, uint64_t units)
{
    const struct sch_exec_program *program = run->job.program;
    const uint64_t most = PARTS * PART_COST, groups = units < most ? units * run->job.source->groups : most;
    return (groups < most ? groups : most) * (1 + program->prepared.instruction_count + program->prepared.extra_cost);
}

static uint64_t share_cost(const struct sch_run *run) { return cost_of(run, run->job.source->units / run->count); }

/* One part a share where each has to know what those below it have done. */
static unsigned count_parts(const struct sch_run *run)
{
    if (run->count == 1 || run->job.progress) return 1;
    uint64_t count = share_cost(run) / PART_COST;
    if (count > run->job.source->units / run->count) count = run->job.source->units / run->count;
    return count < 1 ? 1 : count < PARTS ? (unsigned)count : PARTS;
}

/* The first unit of a part; after the last part all units. */
static uint64_t part_begin(const struct sch_run *run, unsigned part)
{
    const uint64_t units = run->job.source->units;
    if (run->part_count == 1) return part ? units : 0; /* small runs feel divisions */
    const uint64_t grains = (units + run->grain - 1) / run->grain;
    const uint64_t each = grains / run->part_count, rest = grains % run->part_count;
    const uint64_t at = (each * part + (part < rest ? part : rest)) * run->grain;
    return at < units ? at : units;
}

bool sch_run_deal(struct sch_run *run, struct sch_arena *arena)
{
    const struct sch_exec_source *source = run->job.source;
    run->parts_each = count_parts(run);
    run->part_count = run->count * run->parts_each;
    run->grain = source->grain > 1 && source->units / source->grain >= run->part_count ? source->grain : 1;
    run->shares = run->count == 1 ? &run->one.share : SCH_ARENA_ARRAY(arena, struct sch_run_share, run->count);
    run->parts = run->part_count == 1 ? &run->one.part : SCH_ARENA_ARRAY(arena, struct sch_run_part, run->part_count);
    if (run->job.progress) run->marks = SCH_ARENA_ARRAY(arena, struct sch_run_marks, run->part_count);
    return run->shares && run->parts && (run->marks || !run->job.progress);
}

/* ---- marks ---- */

/* If there are too many, every second one stays. */
static void make_mark(struct sch_run_marks *marks, uint64_t unit, uint64_t executed)
{
    if (marks->count == SCH_RUN_MARKS) {
        for (uint32_t i = 0; i < SCH_RUN_MARKS / 2; i++) marks->mark[i] = marks->mark[2 * i + 1];
        marks->count = SCH_RUN_MARKS / 2;
        marks->stride *= 2;
    }
    marks->mark[marks->count++] = (struct sch_run_mark){.unit = unit, .executed = executed};
    marks->next = executed + marks->stride;
}

/* The last one that is not beyond `executed`; else the beginning. */
static struct sch_run_mark find_mark(const struct sch_run_marks *marks, uint64_t begin, uint64_t executed)
{
    struct sch_run_mark found = {.unit = begin};
    for (uint32_t i = 0; i < marks->count && marks->mark[i].executed <= executed; i++) found = marks->mark[i];
    return found;
}

/* ---- one worker ---- */

static void note_failure(struct sch_run *run, unsigned part)
{
    unsigned lowest = atomic_load(&run->failed_part);
    while (part < lowest && !atomic_compare_exchange_weak(&run->failed_part, &lowest, part)) continue;
}

/* Adds the units of a part up to `unit` to what the caller sees, of which `told` were reported: not each alone, as all
 * workers write the same word. Returns up to which one they are reported. */
static uint64_t tell(const struct sch_run *run, const struct sch_run_worker *worker, uint64_t told, uint64_t unit,
                     uint64_t least)
{
    if (!run->progress || worker->failed || unit - told <= least) return told;
    __atomic_fetch_add(&run->progress->done, unit - told, __ATOMIC_RELAXED);
    return unit;
}

/* A part counts its instructions by itself, from where it begins. */
static void run_part(struct sch_run *run, struct sch_run_worker *worker, unsigned part, struct sch_run_mark from)
{
    struct sch_run_marks *marks = run->marks ? &run->marks[part] : NULL;
    struct sch_exec_at at = {.unit = from.unit};
    const uint64_t least = run->job.source->units / TELLINGS;
    uint64_t told = from.unit;
    for (uint32_t m = 0; m < run->machines; m++) worker->machines[m].part = part;
    worker->last->group.executed = from.executed;
    worker->last->group.stop_at = 0;
    worker->end = part_begin(run, part + 1);
    while (at.unit < worker->end && !worker->failed) {
        const uint64_t executed = worker->last->group.executed;
        if (atomic_load_explicit(&run->failed_part, memory_order_relaxed) < part) break;
        if (marks && executed >= marks->next) make_mark(marks, at.unit, executed);
        sch_run_groups(run, worker, &at);
        told = tell(run, worker, told, at.unit, least);
    }
    tell(run, worker, told, at.unit, 0);
    run->parts[part] = (struct sch_run_part){.executed = worker->last->group.executed,
                                             .first = worker->last->group.first,
                                             .failed = worker->failed ? worker : NULL};
    if (worker->failed) note_failure(run, part);
}

/* A part of a share that was not taken yet. */
static bool take_part(struct sch_run *run, unsigned share, unsigned *part)
{
    atomic_uint *taken = &run->shares[share].taken;
    if (atomic_load_explicit(taken, memory_order_relaxed) >= run->parts_each) return false;
    const unsigned number = atomic_fetch_add_explicit(taken, 1, memory_order_relaxed);
    *part = share * run->parts_each + number;
    return number < run->parts_each;
}

/* Ends at a failure: the first worker, which takes what is left from below, has seen to it that all parts below its own
 * failure are taken, and continues to those below others'. */
static void run_worker(void *user, unsigned index)
{
    struct sch_run *run = user;
    struct sch_run_worker *worker = run->workers[index];
    unsigned part;
    struct sch_environment environment;
    sch_environment_begin(&environment);
    if (run->part_count == 1) /* no one else takes it */
        run_part(run, worker, 0, (struct sch_run_mark){.unit = 0});
    for (unsigned n = 0; n < run->count && run->part_count > 1; n++)
        while (!worker->failed && take_part(run, (index + n) % run->count, &part))
            run_part(run, worker, part, (struct sch_run_mark){.unit = part_begin(run, part)});
    sch_environment_end(&environment);
}

/* ---- the end of the work ---- */

/* Runs a part again, so that it ends where the work does that those below have left. */
static void run_again(struct sch_run *run, unsigned part, uint64_t left)
{
    struct sch_run_worker *worker = run->workers[0];
    const struct sch_run_mark from = find_mark(&run->marks[part], part_begin(run, part), left);
    struct sch_environment environment;
    run->job.progress = NULL;
    run->progress = NULL; /* its units were reported */
    atomic_store(&run->failed_part, UINT_MAX);
    for (uint32_t m = 0; m < run->machines; m++) {
        worker->machines[m].work_end = left;
        worker->machines[m].group.failure = SCH_OK;
    }
    worker->failed = NULL;
    sch_environment_begin(&environment);
    run_part(run, worker, part, from);
    sch_environment_end(&environment);
}

/* The place where programs end whose units write at once: none of theirs can be repeated. */
static void fail_at_end(struct sch_run *run, unsigned part)
{
    struct sch_run_worker *worker = run->workers[0];
    if (run->parts[part].failed) return;
    worker->last->group.failure = SCH_ERROR_WORK;
    worker->last->group.first = run->parts[part].first;
    worker->last->failed_lane = 0;
    worker->last->failed_instruction = run->job.program->prepared.instruction_count;
    sch_run_fail(worker, (struct sch_exec_at){.unit = part_begin(run, part + 1) - 1}, worker->last);
    run->parts[part].failed = worker;
    atomic_store(&run->failed_part, part);
}

/* Finds the part that passes the bound, after those below it. The first one has stopped there by itself. */
static void end_work(struct sch_run *run)
{
    uint64_t left = run->job.work;
    for (unsigned p = 0; p < run->part_count && left != UINT64_MAX; p++) {
        const struct sch_run_part *part = &run->parts[p];
        const bool ended = part->failed && part->failed->failed->group.failure == SCH_ERROR_WORK;
        if ((ended || part->executed > left) && run->job.concurrent)
            fail_at_end(run, p);
        else if ((ended || part->executed > left) && p)
            run_again(run, p, left);
        if (part->failed) return;
        left -= part->executed;
    }
}

/* ---- all units ---- */

/* Whether another thread takes longer to begin than the calling one to end: about two microseconds of machine code.
 * Threads that may see each other's writes keep their order. */
static bool is_little(const struct sch_run *run)
{
    const struct sch_ir_flow *flow = &run->job.program->prepared.flow;
    return !flow->loops && !flow->calls && !run->job.concurrent && cost_of(run, run->job.source->units) < LITTLE;
}

void sch_run_schedule(struct sch_run *run, struct sch_pool *pool)
{
    atomic_init(&run->failed_part, UINT_MAX);
    for (unsigned p = 0; p < run->part_count && run->marks; p++)
        run->marks[p].next = run->marks[p].stride = FIRST_STRIDE;
    if (run->progress) {
        __atomic_store_n(&run->progress->done, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&run->progress->all, run->job.source->units, __ATOMIC_RELAXED);
    }
    sch_pool_run(is_little(run) ? NULL : pool, run->count, run_worker, run);
    end_work(run);
}
