/* What ends a run before its end, beside its own failures: the work that it may do, its deadline, the flag by which
 * another thread cancels it. A machine's `stop_at` says up to which count of executed instructions no look is needed;
 * engines compare with it before they execute more. Work ends a run at an instruction, the same one however it is run;
 * the clock and the flag are looked at every so often. Holds no threads (run/run.c). */
#include "base/clock.h"
#include "exec/job.h"

enum { PIECE = 1 << 20, BYTES_OF_INSTRUCTION = 32 }; /* of memory that is cleared */

static const uint64_t never = UINT64_MAX;

static bool is_set(const uint32_t *flag) { return flag && __atomic_load_n(flag, __ATOMIC_RELAXED); }

enum sch_result sch_exec_stopped(const struct sch_exec_job *job)
{
    if (is_set(job->cancel) || is_set(job->interrupt)) return SCH_ERROR_CANCELLED;
    if (job->deadline && sch_clock_ns() >= job->deadline) return SCH_ERROR_DEADLINE;
    return SCH_OK;
}

/* Whether the threads have done more than the work up to this one's units, so that nothing it continues with counts. */
static bool others_did_all(const struct sch_exec_machine *machine)
{
    const struct sch_exec_job *job = machine->job;
    uint64_t done = 0;
    atomic_store_explicit(&job->progress[machine->part], machine->group.executed, memory_order_relaxed);
    for (unsigned i = 0; i <= machine->part; i++) done += atomic_load_explicit(&job->progress[i], memory_order_relaxed);
    return done > job->work;
}

static bool fail(struct sch_exec_machine *machine, enum sch_result status, uint32_t instruction, uint32_t lanes)
{
    machine->group.failure = status;
    machine->failed_lane = lanes ? (uint32_t)__builtin_ctz(lanes) : 0;
    machine->failed_instruction = instruction;
    return false;
}

bool sch_exec_look(struct sch_exec_machine *machine, uint32_t instruction, uint32_t lanes, uint32_t distance)
{
    const struct sch_exec_job *job = machine->job;
    enum sch_result status = sch_exec_stopped(job);
    if (status == SCH_OK && job->progress && others_did_all(machine)) status = SCH_ERROR_WORK;
    if (status != SCH_OK) return fail(machine, status, instruction, lanes);
    const bool again = job->cancel || job->interrupt || job->deadline || job->progress;
    machine->group.stop_at = again ? machine->group.executed + distance : never;
    if (machine->group.stop_at > machine->work_end) machine->group.stop_at = machine->work_end;
    return true;
}

bool sch_exec_may_go_on(struct sch_exec_machine *machine, uint32_t instruction)
{
    if (machine->group.executed >= machine->work_end)
        return fail(machine, SCH_ERROR_WORK, instruction, machine->group.exec);
    return sch_exec_look(machine, instruction, machine->group.exec, SCH_EXEC_LOOK_DISTANCE);
}

bool sch_exec_run_out(struct sch_exec_machine *machine, uint32_t first, uint32_t count, uint32_t lanes)
{
    const uint64_t before = machine->group.executed - count, left = machine->work_end - before;
    if (left >= count) return false;
    machine->group.executed = machine->work_end;
    fail(machine, SCH_ERROR_WORK, first + (uint32_t)left, lanes);
    return true;
}

bool sch_exec_clear(struct sch_exec_machine *machine, uint8_t *memory, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PIECE) {
        size_t piece = bytes - at < PIECE ? bytes - at : PIECE;
        memset(memory + at, 0, piece);
        sch_exec_hasten(machine, piece / BYTES_OF_INSTRUCTION);
        const bool due =
            machine->group.executed >= machine->group.stop_at && machine->group.executed < machine->work_end;
        if (due && !sch_exec_look(machine, 0, 0, SCH_EXEC_LOOK_DISTANCE)) return false;
    }
    return true;
}
