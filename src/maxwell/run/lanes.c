/* What looks at the lane itself or at others: special registers, shuffles, votes. */
#include "isa/isa.h"
#include "maxwell/run/handlers.h"
#include "maxwell/run/thread.h"

typedef const struct sch_prepared_instruction instruction;

static struct sch_maxwell_thread *thread_of(const struct sch_exec_machine *machine) { return machine->engine_state; }

/* ---- special registers ---- */

/* A system value of three components, which the source of work fills in; NULL: the program has not declared it. */
static const struct sch_lanes *system_value(const struct sch_exec_machine *machine, unsigned semantic)
{
    const struct sch_prepared *prepared = &machine->program->prepared;
    const struct sch_prepared_file *file = &prepared->files[SCH_FILE_SYSTEM_VALUE];
    for (uint32_t r = 0; r < file->count; r++)
        if (prepared->system_values[r].declared && prepared->system_values[r].semantic == semantic)
            return machine->group.space[SCH_SPACE_STATE] + file->base + 4 * r;
    return NULL;
}

/* x in 15:0, y in 25:16, z in 31:26. */
static uint32_t packed_thread(const struct sch_lanes *id, unsigned lane)
{
    enum { Y = 16, Z = 26 };
    return id[0].u[lane] | id[1].u[lane] << Y | id[2].u[lane] << Z;
}

static uint32_t mask_of(unsigned number, unsigned lane)
{
    const uint32_t own = UINT32_C(1) << lane, below = own - 1;
    switch (number) {
    case SCH_MAXWELL_SR_EQMASK:
        return own;
    case SCH_MAXWELL_SR_LTMASK:
        return below;
    case SCH_MAXWELL_SR_LEMASK:
        return below | own;
    case SCH_MAXWELL_SR_GTMASK:
        return ~(below | own);
    default:
        return ~below;
    }
}

static uint32_t special(const struct sch_exec_machine *machine, unsigned number, unsigned lane)
{
    const uint64_t clock = machine->group.executed - machine->group.executed_before;
    const struct sch_lanes *thread = system_value(machine, SCH_SEMANTIC_THREAD_ID);
    const struct sch_lanes *block = system_value(machine, SCH_SEMANTIC_BLOCK_ID);
    switch (number) {
    case SCH_MAXWELL_SR_LANEID:
        return lane;
    case SCH_MAXWELL_SR_TID:
        return thread ? packed_thread(thread, lane) : 0;
    case SCH_MAXWELL_SR_TID_X:
    case SCH_MAXWELL_SR_TID_Y:
    case SCH_MAXWELL_SR_TID_Z:
        return thread ? thread[number - SCH_MAXWELL_SR_TID_X].u[lane] : 0;
    case SCH_MAXWELL_SR_CTAID_X:
    case SCH_MAXWELL_SR_CTAID_Y:
    case SCH_MAXWELL_SR_CTAID_Z:
        return block ? block[number - SCH_MAXWELL_SR_CTAID_X].u[lane] : 0;
    case SCH_MAXWELL_SR_EQMASK:
    case SCH_MAXWELL_SR_LTMASK:
    case SCH_MAXWELL_SR_LEMASK:
    case SCH_MAXWELL_SR_GTMASK:
    case SCH_MAXWELL_SR_GEMASK:
        return mask_of(number, lane);
    case SCH_MAXWELL_SR_CLOCK:
    case SCH_MAXWELL_SR_CLOCKLO:
    case SCH_MAXWELL_SR_GLOBALTIMERLO:
        return (uint32_t)clock;
    case SCH_MAXWELL_SR_CLOCKHI:
    case SCH_MAXWELL_SR_GLOBALTIMERHI:
        return (uint32_t)(clock >> 32);
    case SCH_MAXWELL_SR_THREAD_KILL:
        return machine->group.helpers >> lane & 1;
    default: /* LMEMHIOFF: the stack may take all of the local memory */
        return 0;
    }
}

bool sch_maxwell_special_is_known(unsigned number)
{
    static const uint8_t known[] = {
        SCH_MAXWELL_SR_LANEID,  SCH_MAXWELL_SR_CLOCK,   SCH_MAXWELL_SR_THREAD_KILL,   SCH_MAXWELL_SR_TID,
        SCH_MAXWELL_SR_TID_X,   SCH_MAXWELL_SR_TID_Y,   SCH_MAXWELL_SR_TID_Z,         SCH_MAXWELL_SR_CTAID_X,
        SCH_MAXWELL_SR_CTAID_Y, SCH_MAXWELL_SR_CTAID_Z, SCH_MAXWELL_SR_LMEMHIOFF,     SCH_MAXWELL_SR_EQMASK,
        SCH_MAXWELL_SR_LTMASK,  SCH_MAXWELL_SR_LEMASK,  SCH_MAXWELL_SR_GTMASK,        SCH_MAXWELL_SR_GEMASK,
        SCH_MAXWELL_SR_CLOCKLO, SCH_MAXWELL_SR_CLOCKHI, SCH_MAXWELL_SR_GLOBALTIMERLO, SCH_MAXWELL_SR_GLOBALTIMERHI};
    for (unsigned i = 0; i < sizeof known; i++)
        if (known[i] == number) return true;
    return false;
}

instruction *sch_maxwell_special(struct sch_exec_machine *machine, instruction *in)
{
    struct sch_maxwell_thread *thread = thread_of(machine);
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        thread->made[0].u[lane] = special(machine, step->how.mode, lane);
    }
    sch_maxwell_write(machine, step->result, &thread->made[0], lanes);
    return in + 1;
}

instruction *sch_maxwell_own_address(struct sch_exec_machine *machine, instruction *in)
{
    struct sch_maxwell_thread *thread = thread_of(machine);
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    machine->ops->splat(&thread->made[0], step->address);
    sch_maxwell_write(machine, step->result, &thread->made[0], sch_maxwell_lanes(machine, step));
    return in + 1;
}

/* ---- other lanes ---- */

enum { SEGMENT_LOW = 8, LANE_MASK = 31 };

/* The lane that is read, and whether it may be. */
static bool shuffled(unsigned mode, unsigned lane, uint32_t b, uint32_t c, unsigned *from)
{
    enum { INDEX, UP, DOWN };
    const uint32_t segment = c >> SEGMENT_LOW & LANE_MASK, clamp = c & LANE_MASK;
    const uint32_t most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    b &= LANE_MASK;
    const int64_t j = mode == INDEX  ? (int64_t)(least | (b & ~segment))
                      : mode == UP   ? (int64_t)lane - b
                      : mode == DOWN ? (int64_t)lane + b
                                     : (int64_t)(lane ^ b);
    const bool valid = mode == UP ? j >= (int64_t)most : j <= (int64_t)most;
    *from = valid ? (unsigned)j & LANE_MASK : lane;
    return valid;
}

/* Lanes that do not execute are read as their registers are. */
instruction *sch_maxwell_shuffle(struct sch_exec_machine *machine, instruction *in)
{
    struct sch_maxwell_thread *thread = thread_of(machine);
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    const struct sch_lanes *value, *b, *c;
    uint32_t valid = 0;
    if (!lanes) return in + 1;
    sch_maxwell_source(machine, &step->source[0], 0, &thread->read[0], &value);
    sch_maxwell_source(machine, &step->source[1], 0, &thread->read[1], &b);
    sch_maxwell_source(machine, &step->source[2], 0, &thread->read[2], &c);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        unsigned from;
        if (shuffled(step->how.mode, lane, b->u[lane], c->u[lane], &from)) valid |= UINT32_C(1) << lane;
        thread->made[0].u[lane] = value->u[from];
    }
    sch_maxwell_write(machine, step->result, &thread->made[0], lanes);
    sch_maxwell_write_truths(machine, step->predicate[0], valid, lanes);
    return in + 1;
}

instruction *sch_maxwell_vote(struct sch_exec_machine *machine, instruction *in)
{
    enum { ALL, ANY };
    struct sch_maxwell_thread *thread = thread_of(machine);
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    if (!lanes) return in + 1;
    const uint32_t ballot = sch_maxwell_truths(machine, &step->source[0]) & lanes;
    const bool all = ballot == lanes, any = ballot != 0;
    const bool truth = step->how.mode == ALL ? all : step->how.mode == ANY ? any : all || !any;
    machine->ops->splat(&thread->made[0], ballot);
    sch_maxwell_write(machine, step->result, &thread->made[0], lanes);
    sch_maxwell_write_truths(machine, step->predicate[0], truth ? UINT32_MAX : 0, lanes);
    return in + 1;
}
