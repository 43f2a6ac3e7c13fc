/* A run from its options to its report, whatever its work is. */
#include "exec/count.h"
#include "exec/watch.h"
#include "isa/errors.h"
#include "run/workers.h"

static const uint64_t default_budget = 1u << 20;

/* Small enough for short waits, where anyone waits; where code counts instructions itself, as it does in
 * loops, it also looks within spans. */
static uint64_t span_groups(const struct sch_exec_job *job)
{
    const struct sch_exec_program *program = job->program;
    uint64_t cost = 1 + program->prepared.instruction_count + program->prepared.extra_cost;
    if (!job->cancel && !job->interrupt && !job->deadline && job->work == UINT64_MAX) return UINT64_MAX;
    return cost < SCH_GROUP_LOOK_DISTANCE ? SCH_GROUP_LOOK_DISTANCE / cost : 1;
}

static enum sch_result run_in(struct sch_run *run, const struct sch_run_options *options, struct sch_arena *arena,
                              struct sch_exec_source *source, struct sch_run_report *report)
{
    if (options->watch && !sch_exec_watched(run->job.program, arena, &run->job.program)) return SCH_ERROR_MEMORY;
    if (source->counts_instructions && !sch_exec_counted(run->job.program, arena, &run->job.program))
        return SCH_ERROR_MEMORY;
    const struct sch_exec_program *program = run->job.program;
    enum sch_result status = source->kind->prepare ? source->kind->prepare(source, program, arena) : SCH_OK;
    run->spans = source->spans && program->engine->run_span;
    run->span_groups = span_groups(&run->job);
    if (status == SCH_OK) status = sch_run_begin(run, options, arena);
    if (status == SCH_OK) {
        if (options->watch) options->watch->begin_run(options->watch, &run->job);
        sch_run_schedule(run, options->pool);
        status = sch_run_write_report(run, report);
    } else {
        sch_run_report_begin(program, status, report); /* it was to end before it began */
    }
    sch_run_end(run);
    return status;
}

/* A limit that the caller has set differs from a lack of memory. */
static enum sch_result refuse_memory(const struct sch_run *run, size_t limit)
{
    sch_diagnostics_add(run->job.diagnostics, SCH_SEVERITY_ERROR, SCH_D_RUN_MEMORY, (struct sch_position){0},
                        "a run of the program needs more than the %zu bytes allowed", limit);
    return SCH_ERROR_LIMIT;
}

enum sch_result sch_run(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                        struct sch_exec_source *source, const struct sch_run_options *options,
                        struct sch_run_report *report)
{
    static const struct sch_run_options none;
    if (!options) options = &none;
    struct sch_run run = {.job = {.program = program,
                                  .bindings = bindings,
                                  .source = source,
                                  .budget = options->budget ? options->budget : default_budget,
                                  .diagnostics = options->diagnostics,
                                  .work = options->work || options->no_work ? options->work : UINT64_MAX,
                                  .deadline = options->deadline,
                                  .watch = options->watch,
                                  .cancel = options->cancel,
                                  .interrupt = options->interrupt},
                          .progress = options->progress};
    sch_run_report_begin(program, SCH_OK, report);
    if (!source->units) return SCH_OK;
    if (!sch_run_size_memory(&run, options)) return SCH_ERROR_LIMIT;
    const size_t limit = program->prepared.limits.memory;
    struct sch_arena own, *arena = options->arena ? options->arena : &own;
    if (arena == &own)
        sch_arena_init(arena, &program->prepared.arena.allocator, limit);
    else
        sch_arena_reset(arena, limit);
    enum sch_result status = run_in(&run, options, arena, source, report);
    if (status == SCH_ERROR_MEMORY && arena->limited) status = refuse_memory(&run, limit);
    if (arena == &own) sch_arena_release(arena);
    return status;
}
