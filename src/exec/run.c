/* A run from the caller's structs to its report: checks, memory, threads. Units are dealt to threads in contiguous
 * ranges, and everything that a caller can see is independent of how many there are: when a unit fails, the lowest one
 * that does is reported, and the instructions of units above it do not count. */
#include <fenv.h>

#include "base/checked.h"
#include "base/pool.h"
#include "exec/engine.h"
#include "exec/job.h"

enum { BLOCK_LIMIT = 1 << 16 }; /* invocations of a work group */

static const uint64_t default_budget = 1u << 20;

struct worker {
    struct sch_exec_machine machine;
    uint64_t begin, end; /* units */
    uint64_t failed_unit;
    uint32_t failed_group;
};

struct crew {
    struct sch_exec_job job;
    struct worker **workers;
    unsigned count;
};

/* ---- one thread's work ---- */

static bool run_unit(struct sch_exec_job *job, struct worker *worker, uint64_t unit)
{
    struct sch_exec_machine *machine = &worker->machine;
    uint32_t groups = job->invocations ? 1 : (job->block_threads + SCH_GROUP_LANES - 1) / SCH_GROUP_LANES;
    for (uint32_t group = 0; group < groups; group++) {
        sch_exec_load_group(job, machine, unit, group);
        job->program->engine->run_group(machine);
        if (machine->failure != SCH_STATUS_OK) {
            worker->failed_unit = unit;
            worker->failed_group = group;
            return false;
        }
        sch_exec_store_group(job, machine);
    }
    return true;
}

static void note_failure(struct sch_exec_job *job, uint64_t unit)
{
    uint64_t lowest = atomic_load(&job->failed_unit);
    while (unit < lowest && !atomic_compare_exchange_weak(&job->failed_unit, &lowest, unit)) continue;
}

static void run_worker(void *user, unsigned index)
{
    struct crew *crew = user;
    struct worker *worker = crew->workers[index];
    fenv_t callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    for (uint64_t unit = worker->begin; unit < worker->end; unit++) {
        if (atomic_load_explicit(&crew->job.failed_unit, memory_order_relaxed) < unit) break;
        if (run_unit(&crew->job, worker, unit)) continue;
        note_failure(&crew->job, unit);
        break;
    }
    fesetenv(&callers);
}

/* ---- memory ---- */

/* Channels of a machine's state; false when the inputs are more than the limits allow. */
static bool state_channels(const struct sch_exec_job *job, size_t *channels)
{
    const struct sch_exec_program *program = job->program;
    size_t inputs;
    if (!sch_mul_size(program->files[SCH_FILE_INPUT].count, job->input_vertices, &inputs)) return false;
    if (inputs > program->limits.registers) return false;
    *channels = program->channels[SCH_SPACE_STATE] + 4 * inputs;
    return true;
}

static struct worker *new_worker(const struct sch_exec_job *job, struct sch_arena *arena, size_t channels)
{
    const struct sch_exec_program *program = job->program;
    struct worker *worker = sch_arena_alloc(arena, sizeof *worker, 64);
    if (!worker) return NULL;
    struct sch_exec_machine *machine = &worker->machine;
    machine->frames = sch_arena_array(arena, program->frames, sizeof *machine->frames, 64);
    machine->space[SCH_SPACE_PROGRAM] = program->program_space;
    machine->space[SCH_SPACE_RUN] = job->run_space;
    machine->space[SCH_SPACE_STATE] = sch_arena_array(arena, channels + 1, sizeof(struct sch_lanes), 64);
    if (!machine->frames || !machine->space[SCH_SPACE_STATE]) return NULL;
    machine->program = program;
    machine->ops = program->ops;
    machine->bindings = job->bindings;
    machine->quads = job->invocations && job->invocations->quads;
    machine->input_vertices = job->input_vertices;
    machine->invocations = job->invocations;
    machine->budget = job->budget;
    return worker;
}

/* As many threads as the caller wants, as there are units, and as fit in the memory limit; at least one. */
static unsigned thread_count(const struct sch_exec_job *job, uint32_t wanted, size_t channels)
{
    size_t limit = job->program->limits.memory, each = channels * sizeof(struct sch_lanes) + sizeof(struct worker);
    uint64_t count = wanted ? wanted : 1;
    if (count > SCH_POOL_THREADS) count = SCH_POOL_THREADS;
    if (count > job->units) count = job->units;
    if (limit && count > limit / 2 / each) count = limit / 2 / each;
    return count ? (unsigned)count : 1;
}

static enum sch_status make_crew(struct crew *crew, struct sch_arena *arena, uint32_t threads)
{
    struct sch_exec_job *job = &crew->job;
    size_t channels;
    if (!state_channels(job, &channels)) return SCH_STATUS_LIMIT;
    job->run_space =
        sch_arena_array(arena, (size_t)job->program->channels[SCH_SPACE_RUN] + 1, sizeof(struct sch_lanes), 64);
    if (!job->run_space) return SCH_STATUS_MEMORY;
    sch_exec_load_constants(job);

    crew->count = thread_count(job, threads, channels);
    crew->workers = SCH_ARENA_ARRAY(arena, struct worker *, crew->count);
    if (!crew->workers) return SCH_STATUS_MEMORY;
    uint64_t share = job->units / crew->count, rest = job->units % crew->count, at = 0;
    for (unsigned i = 0; i < crew->count; i++) {
        struct worker *worker = new_worker(job, arena, channels);
        if (!worker) return SCH_STATUS_MEMORY;
        worker->begin = at;
        at += share + (i < rest);
        worker->end = at;
        crew->workers[i] = worker;
    }
    return SCH_STATUS_OK;
}

/* ---- the report ---- */

static uint32_t failed_invocation(const struct sch_exec_job *job, const struct worker *worker)
{
    uint64_t first = job->invocations
                         ? worker->failed_unit * job->program->of_stage.group_lanes
                         : worker->failed_unit * job->block_threads + (uint64_t)worker->failed_group * SCH_GROUP_LANES;
    uint64_t number = first + worker->machine.failed_lane;
    return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

static enum sch_status report_run(const struct crew *crew, struct sch_exec_report *report)
{
    struct sch_exec_report made = {0};
    enum sch_status status = SCH_STATUS_OK;
    for (unsigned i = 0; i < crew->count && status == SCH_STATUS_OK; i++) {
        const struct worker *worker = crew->workers[i];
        made.instructions += worker->machine.executed;
        status = worker->machine.failure;
        if (status != SCH_STATUS_BUDGET) continue;
        made.invocation = failed_invocation(&crew->job, worker);
        made.instruction = worker->machine.failed_instruction;
        made.position = crew->job.program->positions[made.instruction];
    }
    if (report) *report = made;
    return status;
}

static enum sch_status run_job(struct crew *crew, const struct sch_exec_run_options *options,
                               struct sch_exec_report *report)
{
    if (report) *report = (struct sch_exec_report){0};
    struct sch_exec_job *job = &crew->job;
    job->budget = options && options->budget ? options->budget : default_budget;
    atomic_init(&job->failed_unit, UINT64_MAX);
    if (!job->units) return SCH_STATUS_OK;

    struct sch_arena arena;
    sch_arena_init(&arena, &job->program->arena.allocator, job->program->limits.memory);
    enum sch_status status = make_crew(crew, &arena, options ? options->threads : 1);
    if (status == SCH_STATUS_OK) {
        sch_pool_run(crew->count, run_worker, crew);
        status = report_run(crew, report);
    }
    sch_arena_release(&arena);
    return status;
}

enum sch_status sch_exec_run(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                             const struct sch_exec_invocations *invocations, const struct sch_exec_run_options *options,
                             struct sch_exec_report *report)
{
    uint32_t lanes = program->of_stage.group_lanes;
    struct crew crew = {.job = {.program = program,
                                .bindings = bindings,
                                .invocations = invocations,
                                .input_vertices = invocations->input_vertices ? invocations->input_vertices : 1,
                                .units = ((uint64_t)invocations->count + lanes - 1) / lanes}};
    return run_job(&crew, options, report);
}

enum sch_status sch_exec_run_grid(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                                  const uint32_t grid[3], const uint32_t block[3],
                                  const struct sch_exec_run_options *options, struct sch_exec_report *report)
{
    struct crew crew = {.job = {.program = program, .bindings = bindings, .input_vertices = 1, .units = 1}};
    if (program->stage != SCH_STAGE_COMPUTE) return SCH_STATUS_ARGUMENT;
    uint64_t threads = 1;
    for (unsigned d = 0; d < 3; d++) {
        uint32_t fixed = program->fixed_block[d];
        crew.job.grid[d] = grid[d] ? grid[d] : 1;
        crew.job.block[d] = block[d] ? block[d] : fixed ? fixed : 1;
        if (fixed && crew.job.block[d] != fixed) return SCH_STATUS_ARGUMENT;
        if (__builtin_mul_overflow(crew.job.units, crew.job.grid[d], &crew.job.units)) return SCH_STATUS_LIMIT;
        if (crew.job.block[d] > BLOCK_LIMIT) return SCH_STATUS_LIMIT;
        threads *= crew.job.block[d];
        if (threads > BLOCK_LIMIT) return SCH_STATUS_LIMIT;
    }
    crew.job.block_threads = (uint32_t)threads;
    return run_job(&crew, options, report);
}
