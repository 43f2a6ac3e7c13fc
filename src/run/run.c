/* A run from the caller's structs to its report: checks, memory, threads, barriers. Units are dealt to threads in
 * contiguous ranges, and everything that a caller can see is independent of how many there are: when a unit fails, the
 * lowest one that does is reported, and the instructions of units above it do not count. Units that write memory which
 * other units may read run in order on one thread, unless the caller says that their order does not matter. Where the
 * work of a run is bounded, its threads run ahead of what those below them do; which unit passes the bound is known at
 * the end, and a part of that one's range runs again, to stop at the instruction. */
#include <fenv.h>

#include "base/pool.h"
#include "exec/engine.h"
#include "exec/job.h"
#include "isa/errors.h"
#include "run/run.h"

enum {
    BLOCK_LIMIT = 1 << 16,         /* invocations of a work group */
    DEFAULT_SHARED_BYTES = 65536,  /* MEMORY, SHARED of a work group */
    DEFAULT_PRIVATE_BYTES = 16384, /* MEMORY, PRIVATE of an invocation */
    MEMORY_BYTES_LIMIT = 1 << 30   /* what a caller may ask for */
};

static const uint64_t default_budget = 1u << 20;

/* Where a thread was when it began a unit: from there it can run again. */
struct mark {
    uint64_t unit, executed;
};
enum { MARKS = 32, FIRST_STRIDE = 1 << 16 };

struct worker {
    struct sch_exec_machine *machines; /* job->machines */
    struct sch_exec_machine *last;     /* the one that counted last */
    struct mark marks[MARKS];
    uint32_t mark_count;
    uint64_t next_mark, stride; /* instructions; UINT64_MAX: no marks are made */
    uint8_t *shared;            /* MEMORY, SHARED of the present unit; NULL: none */
    uint64_t begin, end;        /* units */
    uint64_t failed_unit;
    uint32_t failed_group;
    const struct sch_exec_machine *failed; /* NULL: none */
};

struct crew {
    struct sch_exec_job job;
    const struct sch_rectangle *rectangle; /* NULL: no rectangle */
    struct sch_exec_area area;
    struct worker **workers;
    unsigned count;
};

/* ---- one thread's work ---- */

static bool fail(struct worker *worker, uint64_t unit, uint32_t group, const struct sch_exec_machine *machine)
{
    worker->failed_unit = unit;
    worker->failed_group = group;
    worker->failed = machine;
    return false;
}

/* What engines do between instructions has to be done between groups, too: not all code looks by itself. Work ends at
 * an instruction, so that is left to the engine. */
static bool look(struct sch_exec_machine *machine)
{
    if (machine->group.failure != SCH_STATUS_OK) return false;
    if (machine->group.executed < machine->group.stop_at || machine->group.executed >= machine->work_end) return true;
    return sch_exec_look(machine, machine->group.at, machine->group.exec, SCH_EXEC_LOOK_DISTANCE);
}

/* The machines of a thread count in one row: each goes on with what the one before it has. */
static void take_turn(struct worker *worker, struct sch_exec_machine *machine)
{
    uint64_t others = worker->last->group.executed - machine->group.executed;
    machine->group.executed += others;
    machine->group.executed_before += others;
    machine->group.budget_end += others;
    machine->group.stop_at = worker->last->group.stop_at;
    worker->last = machine;
}

/* One group after the other, each to its end. */
static bool run_groups(struct sch_exec_job *job, struct worker *worker, uint64_t unit)
{
    struct sch_exec_machine *machine = &worker->machines[0];
    void (*const run_group)(struct sch_exec_machine *) = job->program->engine->run_group;
    const bool stores = job->invocations != NULL;
    for (uint32_t group = 0; group < job->groups; group++) {
        sch_exec_load_group(job, machine, unit, group);
        sch_exec_hasten(machine, job->program->extra_cost);
        /* The only group of a unit waits for nobody. */
        while (machine->group.at != SCH_GROUP_ENDED && look(machine)) run_group(machine);
        if (machine->group.failure != SCH_STATUS_OK) return fail(worker, unit, group, machine);
        if (stores) sch_exec_store_group(job, machine);
    }
    return true;
}

/* "Suspends the execution of the current thread until all the remaining threads in the working group reach the same
 * point of the program": all groups must wait at one BARRIER, or all have ended. Fails the lowest group that is
 * elsewhere than the first one that waits. */
static bool groups_agree(const struct sch_exec_job *job, struct worker *worker, uint64_t unit, bool *waiting)
{
    uint32_t behind = SCH_GROUP_ENDED;
    for (uint32_t group = 0; group < job->groups && behind == SCH_GROUP_ENDED; group++)
        behind = worker->machines[group].group.at;
    *waiting = behind != SCH_GROUP_ENDED;
    for (uint32_t group = 0; group < job->groups && *waiting; group++) {
        struct sch_exec_machine *machine = &worker->machines[group];
        if (machine->group.at == behind) continue;
        machine->group.failure = SCH_STATUS_BARRIER;
        machine->failed_lane = 0;
        machine->failed_instruction = behind - 1;
        return fail(worker, unit, group, machine);
    }
    return true;
}

/* All groups side by side, each to its next BARRIER, ascending, until they end. */
static bool run_groups_with_barriers(struct sch_exec_job *job, struct worker *worker, uint64_t unit)
{
    for (uint32_t group = 0; group < job->groups; group++) {
        take_turn(worker, &worker->machines[group]);
        sch_exec_load_group(job, &worker->machines[group], unit, group);
        if (worker->last->group.failure != SCH_STATUS_OK) return fail(worker, unit, group, worker->last);
    }
    for (bool waiting = true; waiting;) {
        for (uint32_t group = 0; group < job->groups; group++) {
            struct sch_exec_machine *machine = &worker->machines[group];
            take_turn(worker, machine);
            if (look(machine)) job->program->engine->run_group(machine);
            if (machine->group.failure != SCH_STATUS_OK) return fail(worker, unit, group, machine);
        }
        if (!groups_agree(job, worker, unit, &waiting)) return false;
    }
    return true;
}

static bool run_unit(struct sch_exec_job *job, struct worker *worker, uint64_t unit)
{
    take_turn(worker, &worker->machines[0]);
    if (worker->shared && !sch_exec_clear(worker->last, worker->shared, job->shared_bytes))
        return fail(worker, unit, 0, worker->last);
    return job->machines > 1 ? run_groups_with_barriers(job, worker, unit) : run_groups(job, worker, unit);
}

static void note_failure(struct sch_exec_job *job, uint64_t unit)
{
    uint64_t lowest = atomic_load(&job->failed_unit);
    while (unit < lowest && !atomic_compare_exchange_weak(&job->failed_unit, &lowest, unit)) continue;
}

/* The groups from `unit` on that the engine runs as a span; how many, 0: none. */
static uint64_t run_span(struct sch_exec_job *job, struct worker *worker, uint64_t unit)
{
    struct sch_exec_machine *machine = &worker->machines[0];
    struct sch_group_span span;
    uint64_t end = worker->end - unit > job->span_units ? unit + job->span_units : worker->end;
    uint64_t count = sch_exec_find_span(job->area, machine, unit, end, &span);
    if (!count) return 0;
    sch_exec_load_span(job, machine, unit);
    sch_exec_hasten(machine, count * job->program->extra_cost);
    if (!look(machine)) {
        fail(worker, unit, 0, machine);
        return count;
    }
    if (!job->program->engine->run_span(machine, &span)) return 0;
    if (machine->group.failure != SCH_STATUS_OK) fail(worker, unit + span.done, 0, machine);
    return count;
}

/* One unit, or several as a span: where it goes on. */
static uint64_t run_some(struct sch_exec_job *job, struct worker *worker, uint64_t unit)
{
    uint64_t count = job->area && job->area->spans && job->program->engine->run_span ? run_span(job, worker, unit) : 0;
    if (count) return unit + count;
    run_unit(job, worker, unit);
    return unit + 1;
}

/* Of too many marks every second one stays. */
static void make_mark(struct worker *worker, uint64_t unit)
{
    if (worker->mark_count == MARKS) {
        for (uint32_t i = 0; i < MARKS / 2; i++) worker->marks[i] = worker->marks[2 * i + 1];
        worker->mark_count = MARKS / 2;
        worker->stride *= 2;
    }
    worker->marks[worker->mark_count++] = (struct mark){.unit = unit, .executed = worker->last->group.executed};
    worker->next_mark = worker->last->group.executed + worker->stride;
}

static void run_worker(void *user, unsigned index)
{
    struct crew *crew = user;
    struct worker *worker = crew->workers[index];
    fenv_t callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    for (uint64_t unit = worker->begin; unit < worker->end && !worker->failed;) {
        if (atomic_load_explicit(&crew->job.failed_unit, memory_order_relaxed) < unit) break;
        if (worker->last->group.executed >= worker->next_mark) make_mark(worker, unit);
        unit = run_some(&crew->job, worker, unit);
    }
    if (worker->failed) note_failure(&crew->job, worker->failed_unit);
    fesetenv(&callers);
}

/* ---- the end of the work ---- */

/* Runs a part of a thread's range again, so that it ends where the work does that those below have left. */
static void run_again(struct crew *crew, unsigned index, uint64_t left)
{
    struct worker *worker = crew->workers[index];
    struct mark from = {.unit = worker->begin};
    for (uint32_t i = 0; i < worker->mark_count && worker->marks[i].executed <= left; i++) from = worker->marks[i];
    crew->job.progress = NULL;
    atomic_store(&crew->job.failed_unit, UINT64_MAX);
    for (uint32_t m = 0; m < crew->job.machines; m++) {
        worker->machines[m].work_end = left;
        worker->machines[m].group.failure = SCH_STATUS_OK;
    }
    worker->last->group.executed = from.executed;
    worker->last->group.stop_at = 0;
    worker->begin = from.unit;
    worker->failed = NULL;
    run_worker(crew, index);
}

/* The place where programs end whose units write at once: none of theirs can be repeated. */
static void fail_at_end(struct worker *worker)
{
    if (worker->failed) return;
    worker->last->group.failure = SCH_STATUS_WORK;
    worker->last->failed_lane = 0;
    worker->last->failed_instruction = worker->last->program->instruction_count;
    fail(worker, worker->end - 1, 0, worker->last);
}

/* Finds the thread whose units pass the bound, after those below it. The first one has stopped there by itself. */
static void end_work(struct crew *crew)
{
    uint64_t left = crew->job.work;
    if (left == UINT64_MAX) return;
    for (unsigned i = 0; i < crew->count; i++) {
        struct worker *worker = crew->workers[i];
        bool passes =
            worker->last->group.executed > left || (worker->failed && worker->failed->group.failure == SCH_STATUS_WORK);
        if (passes && crew->job.concurrent)
            fail_at_end(worker);
        else if (passes && i)
            run_again(crew, i, left);
        if (worker->failed) return;
        left -= worker->last->group.executed;
    }
}

/* ---- memory ---- */

/* Channels of a machine's state; false when the inputs are more than the limits allow. */
static bool state_channels(const struct sch_exec_job *job, size_t *channels)
{
    const struct sch_exec_program *program = job->program;
    uint64_t inputs = (uint64_t)program->files[SCH_FILE_INPUT].count * job->input_vertices;
    if (inputs > program->limits.registers) return false;
    *channels = program->channels[SCH_SPACE_STATE] + 4 * inputs;
    return true;
}

/* The memory that MEMORY registers show, by kind. */
static bool set_memory(const struct sch_exec_job *job, struct sch_arena *arena, const struct worker *worker,
                       struct sch_exec_machine *machine)
{
    const struct sch_exec_bindings *bindings = job->bindings;
    machine->memory[SCH_MEMORY_SHARED] =
        (struct sch_memory_view){.data = worker->shared, .bytes = job->shared_bytes, .writable = true};
    if (job->private_bytes) {
        uint8_t *own = sch_arena_array(arena, SCH_GROUP_LANES, job->private_bytes, 64);
        if (!own) return false;
        machine->memory[SCH_MEMORY_PRIVATE] = (struct sch_memory_view){
            .data = own, .bytes = job->private_bytes, .lane_bytes = job->private_bytes, .writable = true};
    }
    if (!bindings) return true;
    machine->memory[SCH_MEMORY_GLOBAL] = (struct sch_memory_view){.data = bindings->global_memory.data,
                                                                  .bytes = bindings->global_memory.bytes,
                                                                  .writable = true,
                                                                  .concurrent = job->concurrent};
    /* Only read: the view is not writable. */
    machine->memory[SCH_MEMORY_INPUT] = (struct sch_memory_view){
        .data = (uint8_t *)(uintptr_t)bindings->input_memory.data, .bytes = bindings->input_memory.bytes};
    return true;
}

static bool wants_heat(const struct sch_exec_job *job)
{
    return job->invocations && (job->invocations->texels_read || job->invocations->greatest_lods);
}

static enum sch_status make_machine(const struct sch_exec_job *job, struct sch_arena *arena, size_t channels,
                                    const struct worker *worker, struct sch_exec_machine *machine)
{
    const struct sch_exec_program *program = job->program;
    machine->frames = SCH_ARENA_ARRAY(arena, struct sch_exec_frame, program->flow.max_depth);
    machine->group.space[SCH_SPACE_PROGRAM] = program->program_space;
    machine->group.space[SCH_SPACE_RUN] = job->run_space;
    machine->group.space[SCH_SPACE_STATE] = SCH_ARENA_ARRAY(arena, struct sch_lanes, channels);
    if (!machine->frames || !machine->group.space[SCH_SPACE_STATE]) return SCH_STATUS_MEMORY;
    machine->program = program;
    machine->ops = machine->lookups = program->ops;
    machine->bindings = job->bindings;
    machine->group.concurrent = job->concurrent;
    machine->quads = job->invocations && job->invocations->quads;
    machine->group.input_vertices = job->input_vertices;
    machine->invocations = job->invocations;
    machine->run_state = job->run_state;
    machine->budget = job->budget;
    machine->job = job;
    machine->work_end = job->work;
    machine->group.first_room = job->budget < SCH_GROUP_MOST_STEPS ? job->budget : SCH_GROUP_MOST_STEPS;
    if (job->area) {
        machine->pixels = SCH_ARENA_NEW(arena, struct sch_exec_pixels);
        if (!machine->pixels) return SCH_STATUS_MEMORY;
        sch_exec_begin_area(job->area, machine);
    }
    if (wants_heat(job)) {
        machine->lookups = sch_ops_traced();
        machine->heat = SCH_ARENA_NEW(arena, struct sch_exec_heat);
        if (!machine->heat) return SCH_STATUS_MEMORY;
    }
    if (!set_memory(job, arena, worker, machine)) return SCH_STATUS_MEMORY;
    return program->engine->begin ? program->engine->begin(machine, arena) : SCH_STATUS_OK;
}

static enum sch_status new_worker(const struct sch_exec_job *job, struct sch_arena *arena, size_t channels,
                                  unsigned thread, struct worker **made)
{
    struct worker *worker = *made = SCH_ARENA_NEW(arena, struct worker);
    if (!worker) return SCH_STATUS_MEMORY;
    worker->machines = SCH_ARENA_ARRAY(arena, struct sch_exec_machine, job->machines);
    if (!worker->machines) return SCH_STATUS_MEMORY;
    worker->last = worker->machines;
    worker->stride = FIRST_STRIDE;
    worker->next_mark = job->progress ? worker->stride : UINT64_MAX;
    if (job->shared_bytes) worker->shared = sch_arena_alloc(arena, job->shared_bytes, 64);
    if (job->shared_bytes && !worker->shared) return SCH_STATUS_MEMORY;
    enum sch_status status = SCH_STATUS_OK;
    for (uint32_t m = 0; m < job->machines && status == SCH_STATUS_OK; m++) {
        worker->machines[m].thread = thread;
        status = make_machine(job, arena, channels, worker, &worker->machines[m]);
    }
    return status;
}

/* Bytes that one thread needs, about. */
static size_t worker_bytes(const struct sch_exec_job *job, size_t channels)
{
    size_t machine = channels * sizeof(struct sch_lanes) + sizeof(struct sch_exec_machine) +
                     job->program->flow.max_depth * sizeof(struct sch_exec_frame) +
                     (size_t)job->private_bytes * SCH_GROUP_LANES +
                     (wants_heat(job) ? sizeof(struct sch_exec_heat) : 0);
    return machine * job->machines + job->shared_bytes + sizeof(struct worker);
}

/* As many threads as the caller wants, as there are units, and as fit in the memory limit; at least one. One where the
 * order of units can be seen. */
static unsigned thread_count(const struct sch_exec_job *job, const struct sch_run_options *options, size_t channels)
{
    size_t limit = job->program->limits.memory, each = worker_bytes(job, channels);
    uint64_t count = options->threads;
    if (job->program->memory.writes_outside && !options->unordered) return 1;
    if (!options->pool) return 1;
    if (count > SCH_POOL_THREADS) count = SCH_POOL_THREADS;
    if (count > job->units) count = job->units;
    if (limit && count > limit / 2 / each) count = limit / 2 / each;
    return count ? (unsigned)count : 1;
}

static enum sch_status make_crew(struct crew *crew, struct sch_arena *arena, const struct sch_run_options *options)
{
    struct sch_exec_job *job = &crew->job;
    size_t channels;
    if (!state_channels(job, &channels)) return SCH_STATUS_LIMIT;
    job->run_space = SCH_ARENA_ARRAY(arena, struct sch_lanes, job->program->channels[SCH_SPACE_RUN]);
    if (!job->run_space) return SCH_STATUS_MEMORY;
    sch_exec_load_constants(job);
    sch_exec_list_changing(job);

    crew->count = thread_count(job, options, channels);
    job->concurrent = crew->count > 1 && job->program->memory.writes_outside;
    crew->workers = SCH_ARENA_ARRAY(arena, struct worker *, crew->count);
    if (!crew->workers) return SCH_STATUS_MEMORY;
    if (job->work != UINT64_MAX && crew->count > 1) {
        job->progress = SCH_ARENA_ARRAY(arena, atomic_ullong, crew->count);
        if (!job->progress) return SCH_STATUS_MEMORY;
    }
    if (job->program->engine->begin_run) {
        enum sch_status status = job->program->engine->begin_run(job, arena, &job->run_state);
        if (status != SCH_STATUS_OK) return status;
    }
    uint64_t share = job->units / crew->count, rest = job->units % crew->count, at = 0;
    for (unsigned i = 0; i < crew->count; i++) {
        struct worker *worker;
        enum sch_status status = new_worker(job, arena, channels, i, &worker);
        crew->workers[i] = worker;
        if (status != SCH_STATUS_OK) return status;
        worker->begin = at;
        at += share + (i < rest);
        worker->end = at;
    }
    return SCH_STATUS_OK;
}

static void end_engines(const struct crew *crew)
{
    const struct sch_exec_job *job = &crew->job;
    const struct sch_exec_engine *engine = job->program->engine;
    for (unsigned i = 0; i < crew->count && crew->workers && engine->end; i++)
        for (uint32_t m = 0; crew->workers[i] && crew->workers[i]->machines && m < job->machines; m++)
            engine->end(&crew->workers[i]->machines[m]);
    if (engine->end_run && job->run_state) engine->end_run(job->run_state);
}

/* ---- the report ---- */

static uint32_t failed_invocation(const struct sch_exec_job *job, const struct worker *worker)
{
    uint64_t first = job->invocations
                         ? worker->failed->group.first
                         : worker->failed_unit * job->block_threads + (uint64_t)worker->failed_group * SCH_GROUP_LANES;
    uint64_t number = first + worker->failed->failed_lane;
    return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

/* What an engine does not do with what is bound. */
static void report_refusal(const struct sch_exec_job *job, const struct sch_exec_machine *machine)
{
    size_t count;
    const struct sch_diagnostic_row *rows = sch_diagnostic_rows(&count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].number == machine->refused)
            sch_diagnostics_add(job->diagnostics, SCH_SEVERITY_ERROR, machine->refused,
                                job->program->positions[machine->failed_instruction], "%s", rows[i].summary);
}

static bool has_place(enum sch_status status)
{
    return status == SCH_STATUS_BUDGET || status == SCH_STATUS_BARRIER || status == SCH_STATUS_ABORTED ||
           status == SCH_STATUS_WORK || status == SCH_STATUS_DEADLINE || status == SCH_STATUS_CANCELLED;
}

static enum sch_status report_run(const struct crew *crew, struct sch_run_report *report)
{
    struct sch_run_report made = {0};
    enum sch_status status = SCH_STATUS_OK;
    for (unsigned i = 0; i < crew->count && status == SCH_STATUS_OK; i++) {
        const struct worker *worker = crew->workers[i];
        made.instructions += worker->last->group.executed;
        if (!worker->failed) continue;
        status = worker->failed->group.failure;
        if (status == SCH_STATUS_UNSUPPORTED && worker->failed->refused) report_refusal(&crew->job, worker->failed);
        if (!has_place(status)) continue;
        made.invocation = failed_invocation(&crew->job, worker);
        made.instruction = worker->failed->failed_instruction;
        made.position = crew->job.program->positions[made.instruction];
    }
    if (made.instructions > crew->job.work) made.instructions = crew->job.work; /* of units that write at once */
    if (report) *report = made;
    return status;
}

/* Small enough that nobody waits for long, where anybody does; where code counts instructions itself, as it does in
 * loops, it also looks within spans. */
static uint64_t span_units(const struct sch_exec_job *job)
{
    const struct sch_exec_program *program = job->program;
    uint64_t cost = 1 + program->instruction_count + program->extra_cost;
    if (!job->cancel && !job->deadline && job->work == UINT64_MAX) return UINT64_MAX;
    return cost < SCH_GROUP_LOOK_DISTANCE ? SCH_GROUP_LOOK_DISTANCE / cost : 1;
}

/* How many groups run side by side, and the memory that the program's own kinds have. */
static bool size_memory(struct sch_exec_job *job, const struct sch_run_options *options)
{
    const struct sch_exec_memory *memory = &job->program->memory;
    uint32_t shared = options->shared_bytes ? options->shared_bytes : DEFAULT_SHARED_BYTES;
    uint32_t own = options->private_bytes ? options->private_bytes : DEFAULT_PRIVATE_BYTES;
    if (shared > MEMORY_BYTES_LIMIT || own > MEMORY_BYTES_LIMIT) return false;
    job->shared_bytes = memory->declared_kinds >> SCH_MEMORY_SHARED & 1 ? shared : 0;
    job->private_bytes = memory->declared_kinds >> SCH_MEMORY_PRIVATE & 1 ? own : 0;
    job->groups = job->invocations ? 1 : (job->block_threads + SCH_GROUP_LANES - 1) / SCH_GROUP_LANES;
    job->machines = memory->barriers ? job->groups : 1;
    return true;
}

static enum sch_status run_job(struct crew *crew, const struct sch_run_options *options, struct sch_run_report *report)
{
    static const struct sch_run_options none;
    if (!options) options = &none;
    if (report) *report = (struct sch_run_report){0};
    struct sch_exec_job *job = &crew->job;
    job->budget = options->budget ? options->budget : default_budget;
    job->diagnostics = options->diagnostics;
    job->work = options->work ? options->work : UINT64_MAX;
    job->deadline = options->deadline;
    job->cancel = options->cancel;
    atomic_init(&job->failed_unit, UINT64_MAX);
    if (!job->units) return SCH_STATUS_OK;
    if (!size_memory(job, options)) return SCH_STATUS_LIMIT;

    struct sch_arena arena;
    sch_arena_init(&arena, &job->program->arena.allocator, job->program->limits.memory);
    enum sch_status status = SCH_STATUS_OK;
    if (crew->rectangle) status = sch_exec_make_area(job->program, crew->rectangle, &arena, &crew->area);
    if (crew->rectangle) job->span_units = span_units(job);
    if (status == SCH_STATUS_OK) status = make_crew(crew, &arena, options);
    if (status == SCH_STATUS_OK) {
        sch_pool_run(options->pool, crew->count, run_worker, crew);
        end_work(crew);
        status = report_run(crew, report);
    } else if (report && has_place(status)) { /* the run was to end before it began */
        report->position = job->program->positions[0];
    }
    end_engines(crew);
    sch_arena_release(&arena);
    return status;
}

enum sch_status sch_run_invocations(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                                    const struct sch_invocations *invocations, const struct sch_run_options *options,
                                    struct sch_run_report *report)
{
    uint32_t lanes = program->of_stage.group_lanes;
    struct crew crew = {.job = {.program = program,
                                .bindings = bindings,
                                .invocations = invocations,
                                .input_vertices = invocations->input_vertices ? invocations->input_vertices : 1,
                                .units = ((uint64_t)invocations->count + lanes - 1) / lanes}};
    return run_job(&crew, options, report);
}

enum sch_status sch_run_rectangle(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                                  const struct sch_rectangle *rectangle, const struct sch_run_options *options,
                                  struct sch_run_report *report)
{
    if (program->stage != SCH_STAGE_FRAGMENT) return SCH_STATUS_ARGUMENT;
    uint32_t quads = (rectangle->width + 1) / 2 * ((rectangle->height + 1) / 2);
    const struct sch_invocations pixels = {.count = quads * SCH_QUAD_LANES, .quads = true};
    struct crew crew = {.job = {.program = program,
                                .bindings = bindings,
                                .invocations = &pixels,
                                .input_vertices = 1,
                                .units = ((uint64_t)pixels.count + SCH_GROUP_LANES - 1) / SCH_GROUP_LANES},
                        .rectangle = rectangle};
    crew.job.area = &crew.area;
    return run_job(&crew, options, report);
}

enum sch_status sch_run_grid(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                             const uint32_t grid[3], const uint32_t block[3], const struct sch_run_options *options,
                             struct sch_run_report *report)
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
