/* Control flow: a stack of lanes that continue elsewhere, in the machine's frames. machine->group.exec are the lanes
 * that run; an entry's are in `resume`. A lane that leaves a loop or a function early is taken out of the entries that
 * it leaves, so that an entry never holds a lane that cannot come back. When no lane runs, entries are popped until one
 * has lanes. */
#include "maxwell/run/handlers.h"
#include "maxwell/run/thread.h"

typedef const struct sch_prepared_instruction instruction;

/* ---- the stack ---- */

static unsigned first_of(uint32_t lanes) { return lanes ? (unsigned)__builtin_ctz(lanes) : 0; }

static instruction *instruction_at(const struct sch_exec_machine *machine, uint32_t number)
{
    const struct sch_prepared *prepared = &machine->program->prepared;
    return &prepared->instructions[number < prepared->instruction_count ? number : prepared->instruction_count];
}

static void leave_entry(struct sch_exec_frame *frame, uint32_t lanes) { frame->resume &= ~lanes; }

/* Kinds for observers: BRK leaves a loop, RET leaves a call; other lanes wait as those of an ELSE do. */
static uint8_t frame_kind(enum sch_exec_entry entry)
{
    return entry == SCH_ENTRY_BREAK || entry == SCH_ENTRY_CONTINUE ? SCH_FRAME_LOOP
           : entry == SCH_ENTRY_CALL                               ? SCH_FRAME_CALL
                                                                   : SCH_FRAME_IF;
}

static bool push(struct sch_exec_machine *machine, instruction *in, enum sch_exec_entry entry, instruction *at,
                 uint32_t lanes)
{
    if (machine->depth >= machine->program->prepared.flow.max_depth) {
        sch_maxwell_fail(machine, in, first_of(lanes), SCH_ERROR_LIMIT, SCH_D_MAXWELL_RUN_STACK,
                         "more than %u entries on the stack of control flow",
                         machine->program->prepared.flow.max_depth);
        return false;
    }
    struct sch_exec_frame *frame = &machine->frames[machine->depth++];
    frame->kind = frame_kind(entry);
    frame->entry = (uint8_t)entry;
    frame->resume = lanes;
    frame->waiting = entry == SCH_ENTRY_DIVERGED ? lanes : 0;
    frame->fallback = 0;
    frame->back = at;
    return true;
}

/* Lanes continue at an instruction. A way back costs a step of the budget, which helpers may be without. */
static instruction *go(struct sch_exec_machine *machine, instruction *in, instruction *to);

/* Where lanes of the stack continue; NULL: the group has ended. */
static instruction *pop(struct sch_exec_machine *machine, instruction *in)
{
    while (machine->depth) {
        const struct sch_exec_frame *frame = &machine->frames[--machine->depth];
        if (!frame->resume) continue;
        machine->group.exec = frame->resume;
        return go(machine, in, frame->back);
    }
    return NULL;
}

static instruction *go(struct sch_exec_machine *machine, instruction *in, instruction *to)
{
    while (to <= in) {
        if (!sch_exec_spend(machine, in)) return NULL;
        if (machine->group.exec) return to;
        if (!machine->depth) return NULL;
        const struct sch_exec_frame *frame = &machine->frames[--machine->depth];
        machine->group.exec = frame->resume;
        to = frame->resume ? frame->back : in;
    }
    return to;
}

/* Lanes stop running here; those that are left continue with the next instruction. */
static instruction *stop(struct sch_exec_machine *machine, instruction *in, uint32_t lanes)
{
    machine->group.exec &= ~lanes;
    return machine->group.exec ? in + 1 : pop(machine, in);
}

static instruction *end_for_good(struct sch_exec_machine *machine, instruction *in, uint32_t lanes)
{
    for (uint32_t f = 0; f < machine->depth; f++) leave_entry(&machine->frames[f], lanes);
    return stop(machine, in, lanes);
}

/* ---- pushes ---- */

static enum sch_exec_entry entry_of(unsigned flow)
{
    static const uint8_t entries[] = {
        [SCH_MAXWELL_FLOW_PUSH_RETURN] = SCH_ENTRY_CALL,  [SCH_MAXWELL_FLOW_PUSH_SYNC] = SCH_ENTRY_SYNC,
        [SCH_MAXWELL_FLOW_PUSH_BREAK] = SCH_ENTRY_BREAK,  [SCH_MAXWELL_FLOW_PUSH_CONTINUE] = SCH_ENTRY_CONTINUE,
        [SCH_MAXWELL_FLOW_SYNC] = SCH_ENTRY_SYNC,         [SCH_MAXWELL_FLOW_BREAK] = SCH_ENTRY_BREAK,
        [SCH_MAXWELL_FLOW_CONTINUE] = SCH_ENTRY_CONTINUE, [SCH_MAXWELL_FLOW_RETURN] = SCH_ENTRY_CALL};
    return (enum sch_exec_entry)entries[flow];
}

static instruction *push_target(struct sch_exec_machine *machine, instruction *in, enum sch_exec_entry entry)
{
    instruction *to = instruction_at(machine, sch_maxwell_step_of(machine, in)->target);
    return push(machine, in, entry, to, machine->group.exec) ? in + 1 : NULL;
}

instruction *sch_maxwell_push(struct sch_exec_machine *machine, instruction *in)
{
    return push_target(machine, in, entry_of(sch_maxwell_step_of(machine, in)->flow));
}

instruction *sch_maxwell_push_long(struct sch_exec_machine *machine, instruction *in)
{
    return push_target(machine, in, SCH_ENTRY_LONG);
}

instruction *sch_maxwell_call(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    if (!sch_exec_spend(machine, in)) return NULL;
    if (!machine->group.exec) return pop(machine, in);
    if (!push(machine, in, SCH_ENTRY_CALL, in + 1, machine->group.exec)) return NULL;
    return instruction_at(machine, step->target);
}

/* ---- branches ---- */

/* Where lanes part, those that do not branch continue. */
static instruction *part(struct sch_exec_machine *machine, instruction *in, instruction *to, uint32_t lanes)
{
    if (!lanes) return in + 1;
    if (lanes == machine->group.exec) return go(machine, in, to);
    if (!push(machine, in, SCH_ENTRY_DIVERGED, to, lanes)) return NULL;
    machine->group.exec &= ~lanes;
    return in + 1;
}

instruction *sch_maxwell_branch(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    return part(machine, in, instruction_at(machine, step->target), sch_maxwell_lanes(machine, step));
}

struct target {
    instruction *to;
    uint32_t lanes;
};

/* The address that a lane goes to. */
static int64_t computed(const struct sch_exec_machine *machine, const struct sch_maxwell_step *step, unsigned lane)
{
    enum { WORD = 8 };
    const int64_t value = (int32_t)sch_maxwell_read(machine, step->base)->u[lane];
    return value + step->offset + (step->relative ? (int64_t)step->address + WORD : 0);
}

/* The targets of lanes, those of the lowest lane first; 0: one is not an instruction. */
static unsigned find_targets(struct sch_exec_machine *machine, instruction *in, uint32_t lanes,
                             struct target targets[SCH_GROUP_LANES])
{
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    unsigned count = 0;
    for (uint32_t left = lanes; left; left &= ~targets[count++].lanes) {
        const int64_t address = computed(machine, step, first_of(left));
        const uint32_t number = sch_maxwell_instruction_at_address(machine, address);
        targets[count] = (struct target){.to = instruction_at(machine, number)};
        if (number == SCH_MAXWELL_LOST) {
            sch_maxwell_fail(machine, in, first_of(left), SCH_ERROR_ABORTED, SCH_D_MAXWELL_RUN_TARGET,
                             "a branch to 0x%llx, which is not an instruction of the section",
                             (unsigned long long)address);
            return 0;
        }
        for (uint32_t others = left; others; others &= others - 1)
            if (computed(machine, step, first_of(others)) == address) targets[count].lanes |= others & -others;
    }
    return count;
}

/* Lanes that do not branch continue, or else those of the lowest lane's target. */
instruction *sch_maxwell_branch_computed(struct sch_exec_machine *machine, instruction *in)
{
    struct target targets[SCH_GROUP_LANES];
    const uint32_t lanes = sch_maxwell_lanes(machine, sch_maxwell_step_of(machine, in));
    const uint32_t rest = machine->group.exec & ~lanes;
    if (!lanes) return in + 1;
    const unsigned count = find_targets(machine, in, lanes, targets);
    if (!count) return NULL;
    for (unsigned t = count; t-- > (rest ? 0 : 1);)
        if (!push(machine, in, SCH_ENTRY_DIVERGED, targets[t].to, targets[t].lanes)) return NULL;
    machine->group.exec = rest ? rest : targets[0].lanes;
    return rest ? in + 1 : go(machine, in, targets[0].to);
}

/* ---- ways out ---- */

/* The nearest entry of a kind that holds some of the lanes; depth: none. */
static uint32_t find_entry(const struct sch_exec_machine *machine, enum sch_exec_entry entry, uint32_t lanes)
{
    for (uint32_t f = machine->depth; f-- > 0;)
        if (machine->frames[f].entry == entry && (machine->frames[f].resume & lanes)) return f;
    return machine->depth;
}

/* To the nearest entry of a kind, out of those above it. A RET without a call ends its lanes. */
static instruction *leave(struct sch_exec_machine *machine, instruction *in, enum sch_exec_entry entry)
{
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    if (!lanes) return in + 1;
    const uint32_t found = find_entry(machine, entry, lanes);
    if (found == machine->depth && entry == SCH_ENTRY_CALL) return end_for_good(machine, in, lanes);
    if (found == machine->depth)
        return sch_maxwell_fail(machine, in, first_of(lanes), SCH_ERROR_ABORTED, SCH_D_MAXWELL_RUN_STACK,
                                "%s, but nothing was pushed for it", sch_maxwell_code_operations[step->operation].name);
    for (uint32_t f = found + 1; f < machine->depth && entry != SCH_ENTRY_SYNC; f++)
        leave_entry(&machine->frames[f], lanes);
    return stop(machine, in, lanes);
}

instruction *sch_maxwell_leave(struct sch_exec_machine *machine, instruction *in)
{
    return leave(machine, in, entry_of(sch_maxwell_step_of(machine, in)->flow));
}

instruction *sch_maxwell_leave_long(struct sch_exec_machine *machine, instruction *in)
{
    return leave(machine, in, SCH_ENTRY_LONG);
}

instruction *sch_maxwell_end_lanes(struct sch_exec_machine *machine, instruction *in)
{
    const uint32_t lanes = sch_maxwell_lanes(machine, sch_maxwell_step_of(machine, in));
    return lanes ? end_for_good(machine, in, lanes) : in + 1;
}

instruction *sch_maxwell_after_last(struct sch_exec_machine *machine, instruction *in)
{
    return end_for_good(machine, in, machine->group.exec);
}

/* Where quads have derivatives the lane continues as a helper; else it ends. */
instruction *sch_maxwell_discard(struct sch_exec_machine *machine, instruction *in)
{
    const uint32_t lanes = sch_maxwell_lanes(machine, sch_maxwell_step_of(machine, in));
    if (!lanes) return in + 1;
    machine->group.helpers |= lanes;
    return machine->quads ? in + 1 : end_for_good(machine, in, lanes);
}

/* ---- the rest ---- */

instruction *sch_maxwell_nothing(struct sch_exec_machine *machine, instruction *in)
{
    (void)machine;
    return in + 1;
}

instruction *sch_maxwell_trap(struct sch_exec_machine *machine, instruction *in)
{
    enum { TRAP = 3 }; /* table BPT: the others talk to a debugger */
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    if (!lanes || step->how.mode != TRAP) return in + 1;
    return sch_maxwell_fail(machine, in, first_of(lanes), SCH_ERROR_ABORTED, SCH_D_MAXWELL_RUN_TRAP, "BPT.TRAP");
}

/* SAM keeps the lanes on the stack and has all lanes of their quads run; RAM brings them back. */
instruction *sch_maxwell_activate_quads(struct sch_exec_machine *machine, instruction *in)
{
    const uint32_t lanes = machine->group.exec;
    if (!push(machine, in, SCH_ENTRY_LANES, in + 1, lanes)) return NULL;
    for (unsigned q = 0; q < SCH_GROUP_LANES; q += SCH_QUAD_LANES)
        if (lanes >> q & 15) machine->group.exec |= UINT32_C(15) << q & machine->group.present & ~machine->off;
    return in + 1;
}

instruction *sch_maxwell_restore_lanes(struct sch_exec_machine *machine, instruction *in)
{
    if (!machine->depth || machine->frames[machine->depth - 1].entry != SCH_ENTRY_LANES)
        return sch_maxwell_fail(machine, in, first_of(machine->group.exec), SCH_ERROR_ABORTED, SCH_D_MAXWELL_RUN_STACK,
                                "RAM without SAM");
    machine->group.exec = machine->frames[--machine->depth].resume;
    return machine->group.exec ? in + 1 : pop(machine, in);
}
