/* What a run reports to its caller: where it ended, and how much was executed. */
#include "isa/errors.h"
#include "run/workers.h"

static uint32_t failed_invocation(const struct sch_exec_source *source, const struct sch_run_worker *worker)
{
    const uint64_t first =
        source->kind->number ? source->kind->number(source, worker->failed_at) : worker->failed->group.first;
    const uint64_t number = first + worker->failed->failed_lane;
    return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

/* What an engine does not do with what is bound. */
static void report_refusal(const struct sch_exec_job *job, const struct sch_exec_machine *machine)
{
    size_t count;
    const struct sch_error_info *rows = sch_diagnostic_rows(&count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].number == machine->refused)
            sch_diagnostics_add(job->diagnostics, SCH_SEVERITY_ERROR, machine->refused,
                                job->program->prepared.positions[machine->failed_instruction], "%s", rows[i].summary);
}

static bool has_place(enum sch_result status)
{
    return status == SCH_ERROR_BUDGET || status == SCH_ERROR_BARRIER || status == SCH_ERROR_ABORTED ||
           status == SCH_ERROR_WORK || status == SCH_ERROR_DEADLINE || status == SCH_ERROR_CANCELLED;
}

static void locate_failure(const struct sch_run *run, const struct sch_run_worker *worker, struct sch_run_report *made)
{
    made->invocation = failed_invocation(run->job.source, worker);
    made->instruction = worker->failed->failed_instruction;
    made->position = run->job.program->prepared.positions[made->instruction];
}

enum sch_result sch_run_write_report(const struct sch_run *run, struct sch_run_report *report)
{
    struct sch_run_report made = {0};
    enum sch_result status = SCH_OK;
    const unsigned failed = atomic_load(&run->failed_part);
    for (unsigned p = 0; p < run->part_count && p <= failed; p++) made.instructions += run->parts[p].executed;
    if (failed != UINT_MAX) {
        const struct sch_run_worker *worker = run->parts[failed].failed;
        status = worker->failed->group.failure;
        if (status == SCH_ERROR_UNSUPPORTED && worker->failed->refused) report_refusal(&run->job, worker->failed);
        const struct sch_exec_engine *engine = run->job.program->engine;
        if (engine->explain) engine->explain(worker->failed, run->job.diagnostics);
        if (has_place(status)) locate_failure(run, worker, &made);
    }
    if (made.instructions > run->job.work) made.instructions = run->job.work; /* of units that write at once */
    if (report) *report = made;
    return status;
}

void sch_run_report_begin(const struct sch_exec_program *program, enum sch_result status, struct sch_run_report *report)
{
    if (report) *report = (struct sch_run_report){0};
    if (report && has_place(status)) report->position = program->prepared.positions[0];
}
