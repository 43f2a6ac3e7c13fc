/* Control flow on masks. machine->group.exec holds the lanes that run; each open construct has a frame with the lanes
 * that are to run elsewhere in it or after it. BRK, CONT, RET and END take their lanes out of every frame that they
 * leave, so joining is only reading a mask. An instruction that leaves no lane running goes to
 * instruction->reconvergence, the next place of the innermost construct where lanes can continue; chains of wakes end
 * at the END after the last instruction. */
#include "exec/control.h"

typedef const struct sch_prepared_instruction instruction;

static instruction *next(const struct sch_exec_machine *machine, instruction *in)
{
    return machine->group.exec ? in + 1 : in->reconvergence;
}

static struct sch_exec_frame *top(struct sch_exec_machine *machine) { return &machine->frames[machine->depth - 1]; }

/* Opens a construct around the executing lanes. The stack is as deep as the program can need
 * (sch_ir_flow.max_depth). */
static struct sch_exec_frame *push(struct sch_exec_machine *machine, enum sch_frame_kind kind)
{
    struct sch_exec_frame *frame = &machine->frames[machine->depth++];
    frame->kind = (uint8_t)kind;
    frame->resume = machine->group.exec;
    frame->waiting = 0;
    frame->fallback = 0;
    return frame;
}

/* Closes the innermost construct: its lanes continue after it. */
static instruction *join(struct sch_exec_machine *machine, instruction *in)
{
    machine->group.exec = top(machine)->resume;
    machine->depth--;
    return next(machine, in);
}

static void leave(struct sch_exec_frame *frame, uint32_t lanes)
{
    frame->resume &= ~lanes;
    frame->waiting &= ~lanes;
    frame->fallback &= ~lanes;
}

/* Ends lanes for good: takes them out of the mask and of every frame. */
static void end_lanes_for_good(struct sch_exec_machine *machine, uint32_t lanes)
{
    for (uint32_t f = machine->depth; f-- > 0;) leave(&machine->frames[f], lanes);
    machine->group.exec &= ~lanes;
}

/* ---- the budget ---- */

/* How many more steps each of the payers has at least. As exact as it must be: more than 0 where it is, and quick while
 * the budget is far. */
static uint64_t least_room(const struct sch_exec_machine *machine)
{
    if (machine->most_spent < machine->budget) return machine->budget - machine->most_spent;
    uint64_t room = UINT64_MAX;
    for (uint32_t left = machine->group.payers; left; left &= left - 1) {
        uint64_t rest = machine->budget - machine->spent[__builtin_ctz(left)];
        if (rest < room) room = rest;
    }
    return room;
}

/* Books the pending steps and finds how many more the executing lanes have. */
static void settle(struct sch_exec_machine *machine)
{
    for (uint32_t left = machine->group.pending ? machine->group.payers : 0; left; left &= left - 1)
        machine->spent[__builtin_ctz(left)] += machine->group.pending;
    machine->group.settled = machine->group.settled || machine->group.pending;
    machine->most_spent += machine->group.pending;
    machine->group.pending = 0;
    machine->group.payers = machine->group.exec;
    machine->group.room = least_room(machine);
}

static uint32_t lanes_without_budget(const struct sch_exec_machine *machine)
{
    uint32_t lanes = 0;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        if (machine->group.exec >> i & 1 && machine->spent[i] >= machine->budget) lanes |= 1u << i;
    return lanes;
}

bool sch_exec_spend(struct sch_exec_machine *machine, instruction *in)
{
    if (machine->group.payers != machine->group.exec) settle(machine);
    while (machine->group.pending >= machine->group.room && machine->group.exec) {
        settle(machine);
        uint32_t out = lanes_without_budget(machine), counts = out & ~machine->group.helpers;
        if (counts) {
            machine->group.failure = SCH_ERROR_BUDGET;
            machine->failed_lane = (uint32_t)__builtin_ctz(counts);
            machine->failed_instruction = in->number;
            return false;
        }
        /* Only helpers: their results cannot be seen, so they end instead of failing the run. */
        end_lanes_for_good(machine, out);
        settle(machine);
    }
    machine->group.pending++;
    return true;
}

/* ---- conditions ---- */

static instruction *begin_if(struct sch_exec_machine *machine, instruction *in, uint32_t condition)
{
    struct sch_exec_frame *frame = push(machine, SCH_FRAME_IF);
    frame->waiting = machine->group.exec & ~condition;
    machine->group.exec &= condition;
    return next(machine, in);
}

instruction *sch_exec_IF(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *value = sch_exec_operand(machine, in, 0, 0);
    return begin_if(machine, in, machine->ops->nonzero_f32(value));
}

instruction *sch_exec_UIF(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *value = sch_exec_operand(machine, in, 0, 0);
    return begin_if(machine, in, machine->ops->nonzero_u32(value));
}

instruction *sch_exec_ELSE(struct sch_exec_machine *machine, instruction *in)
{
    machine->group.exec = top(machine)->waiting;
    return next(machine, in);
}

instruction *sch_exec_ENDIF(struct sch_exec_machine *machine, instruction *in) { return join(machine, in); }

/* ---- loops ---- */

instruction *sch_exec_BGNLOOP(struct sch_exec_machine *machine, instruction *in)
{
    struct sch_exec_frame *frame = push(machine, SCH_FRAME_LOOP);
    frame->waiting = machine->group.exec;
    return in + 1;
}

instruction *sch_exec_ENDLOOP(struct sch_exec_machine *machine, instruction *in)
{
    machine->group.exec = top(machine)->waiting;
    if (machine->group.exec && !sch_exec_spend(machine, in)) return NULL;
    return machine->group.exec ? in->target : join(machine, in);
}

/* BRK leaves the innermost loop or switch: its lanes stay in that frame's `resume` only. */
instruction *sch_exec_BRK(struct sch_exec_machine *machine, instruction *in)
{
    uint32_t lanes = machine->group.exec;
    for (uint32_t f = machine->depth; f-- > 0;) {
        struct sch_exec_frame *frame = &machine->frames[f];
        if (frame->kind == SCH_FRAME_LOOP || frame->kind == SCH_FRAME_SWITCH) {
            frame->waiting &= ~lanes;
            break;
        }
        leave(frame, lanes);
    }
    machine->group.exec = 0;
    return in->reconvergence;
}

/* CONT leaves everything inside the innermost loop: its lanes stay in that frame's `waiting`. */
instruction *sch_exec_CONT(struct sch_exec_machine *machine, instruction *in)
{
    for (uint32_t f = machine->depth; f-- > 0 && machine->frames[f].kind != SCH_FRAME_LOOP;)
        leave(&machine->frames[f], machine->group.exec);
    machine->group.exec = 0;
    return in->reconvergence;
}

/* ---- switches ---- */

/* An immediate. */
static uint32_t case_word(struct sch_exec_machine *machine, instruction *label)
{
    return sch_exec_operand(machine, label, 0, 0)->u[0];
}

/* The lanes that no CASE of the switch matches. */
static uint32_t unmatched(struct sch_exec_machine *machine, const struct sch_lanes *value, instruction *in)
{
    uint32_t lanes = machine->group.exec;
    for (instruction *label = in->reconvergence; label->opcode != SCH_OP_ENDSWITCH && lanes;
         label = label->reconvergence)
        if (label->opcode == SCH_OP_CASE) lanes &= ~machine->ops->equal_u32(value, case_word(machine, label));
    return lanes;
}

instruction *sch_exec_SWITCH(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *value = sch_exec_operand(machine, in, 0, 0);
    struct sch_exec_frame *frame = push(machine, SCH_FRAME_SWITCH);
    frame->value = *value;
    frame->waiting = machine->group.exec;
    frame->fallback = unmatched(machine, &frame->value, in);
    machine->group.exec = 0; /* what comes before the first label never runs */
    return in->reconvergence;
}

/* Lanes that run already fall through into the label's statements. */
static instruction *enter_label(struct sch_exec_machine *machine, instruction *in, uint32_t lanes)
{
    struct sch_exec_frame *frame = top(machine);
    lanes &= frame->waiting;
    frame->waiting &= ~lanes;
    machine->group.exec |= lanes;
    return next(machine, in);
}

instruction *sch_exec_CASE(struct sch_exec_machine *machine, instruction *in)
{
    return enter_label(machine, in, machine->ops->equal_u32(&top(machine)->value, case_word(machine, in)));
}

instruction *sch_exec_DEFAULT(struct sch_exec_machine *machine, instruction *in)
{
    return enter_label(machine, in, top(machine)->fallback);
}

instruction *sch_exec_ENDSWITCH(struct sch_exec_machine *machine, instruction *in) { return join(machine, in); }

/* ---- subroutines, the end ---- */

instruction *sch_exec_CAL(struct sch_exec_machine *machine, instruction *in)
{
    if (!sch_exec_spend(machine, in)) return NULL;
    if (!machine->group.exec) return in->reconvergence; /* nothing runs with an empty mask */
    struct sch_exec_frame *frame = push(machine, SCH_FRAME_CALL);
    frame->back = in + 1;
    return in->target;
}

/* Back after the CAL, or, when no lane returns, where the caller's other lanes continue. */
instruction *sch_exec_ENDSUB(struct sch_exec_machine *machine, instruction *in)
{
    (void)in;
    return join(machine, top(machine)->back - 1);
}

/* RET ends the innermost call, in the main program the lane. */
instruction *sch_exec_RET(struct sch_exec_machine *machine, instruction *in)
{
    for (uint32_t f = machine->depth; f-- > 0 && machine->frames[f].kind != SCH_FRAME_CALL;)
        leave(&machine->frames[f], machine->group.exec);
    machine->group.exec = 0;
    return in->reconvergence;
}

instruction *sch_exec_END(struct sch_exec_machine *machine, instruction *in)
{
    if (!machine->depth) return NULL;
    end_lanes_for_good(machine, machine->group.exec);
    return in->reconvergence;
}

/* A subroutine that is in the way of the main program is stepped over; `reconvergence` is its ENDSUB. */
instruction *sch_exec_BGNSUB(struct sch_exec_machine *machine, instruction *in)
{
    (void)machine;
    return in->reconvergence + 1;
}

instruction *sch_exec_NOP(struct sch_exec_machine *machine, instruction *in)
{
    (void)machine;
    return in + 1;
}

/* ---- fragments that are discarded ---- */

/* Makes lanes helpers. A killed lane continues, so that the derivatives of its quad hold, as long as a lane of the quad
 * needs them; then the quad ends. Without quads nothing can depend on a killed lane, and it ends at once. */
static instruction *kill_lanes(struct sch_exec_machine *machine, instruction *in, uint32_t lanes)
{
    machine->group.helpers |= lanes;
    uint32_t over = lanes;
    if (machine->quads)
        for (unsigned q = 0; q < SCH_GROUP_LANES; q += SCH_QUAD_LANES) {
            uint32_t quad = 15u << q;
            if (machine->group.present & quad & ~machine->group.helpers) over &= ~quad;
            if (over & quad) over |= quad;
        }
    end_lanes_for_good(machine, over);
    return next(machine, in);
}

instruction *sch_exec_KILL(struct sch_exec_machine *machine, instruction *in)
{
    return kill_lanes(machine, in, machine->group.exec);
}

instruction *sch_exec_KILL_IF(struct sch_exec_machine *machine, instruction *in)
{
    uint32_t lanes = 0;
    for (unsigned c = 0; c < 4; c++) {
        unsigned earlier = 0;
        while (in->src[0].swizzle[earlier] != in->src[0].swizzle[c]) earlier++;
        if (earlier < c) continue;
        lanes |= machine->ops->negative_f32(sch_exec_operand(machine, in, 0, c));
    }
    lanes &= machine->group.exec;
    return lanes ? kill_lanes(machine, in, lanes) : in + 1;
}

/* The run ends at the first lane that is not a helper. Helpers end alone: what they do cannot be seen. */
instruction *sch_exec_ABORT(struct sch_exec_machine *machine, instruction *in)
{
    uint32_t counts = machine->group.exec & ~machine->group.helpers;
    if (counts) {
        machine->group.failure = SCH_ERROR_ABORTED;
        machine->failed_lane = (uint32_t)__builtin_ctz(counts);
        machine->failed_instruction = in->number;
        return NULL;
    }
    end_lanes_for_good(machine, machine->group.exec);
    return next(machine, in);
}

instruction *sch_exec_DEMOTE(struct sch_exec_machine *machine, instruction *in)
{
    machine->group.helpers |= machine->group.exec;
    return in + 1;
}
