/* Opcodes that look at the lane itself or at the other lanes of the subgroup, which is the group. "Active" lanes are
 * those that execute the instruction, helpers included (tgsi.rst, BALLOT). True is all ones. */
#include "exec/control.h"

typedef const struct sch_prepared_instruction instruction;

/* Writes one value to every channel of the destination. */
static instruction *write_all(struct sch_exec_machine *machine, instruction *in, const struct sch_lanes *value)
{
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1)
        sch_exec_write(machine, &in->dst[0], (unsigned)__builtin_ctz(mask), value);
    return in + 1;
}

static instruction *write_uniform(struct sch_exec_machine *machine, instruction *in, uint32_t word)
{
    machine->ops->splat(&machine->group.result[0], word);
    return write_all(machine, in, &machine->group.result[0]);
}

instruction *sch_exec_READ_HELPER(struct sch_exec_machine *machine, instruction *in)
{
    machine->ops->mask_lanes(&machine->group.result[0], machine->group.helpers);
    return write_all(machine, in, &machine->group.result[0]);
}

/* Instructions executed by this group: x low, y high word, repeated in zw. */
instruction *sch_exec_CLOCK(struct sch_exec_machine *machine, instruction *in)
{
    uint64_t clock = machine->group.executed - machine->group.executed_before;
    machine->ops->splat(&machine->group.result[0], (uint32_t)clock);
    machine->ops->splat(&machine->group.result[1], (uint32_t)(clock >> 32));
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        sch_exec_write(machine, &in->dst[0], c, &machine->group.result[c & 1]);
    }
    return in + 1;
}

/* Lanes that execute and whose value is set. */
static uint32_t set_lanes(struct sch_exec_machine *machine, instruction *in)
{
    return machine->group.exec & machine->ops->nonzero_u32(sch_exec_operand(machine, in, 0, 0));
}

instruction *sch_exec_VOTE_ANY(struct sch_exec_machine *machine, instruction *in)
{
    return write_uniform(machine, in, set_lanes(machine, in) ? UINT32_MAX : 0);
}

instruction *sch_exec_VOTE_ALL(struct sch_exec_machine *machine, instruction *in)
{
    return write_uniform(machine, in, set_lanes(machine, in) == machine->group.exec ? UINT32_MAX : 0);
}

/* The same bits in every active lane. */
instruction *sch_exec_VOTE_EQ(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *value = sch_exec_operand(machine, in, 0, 0);
    uint32_t equal = machine->ops->equal_u32(value, value->u[__builtin_ctz(machine->group.exec)]);
    return write_uniform(machine, in, (equal & machine->group.exec) == machine->group.exec ? UINT32_MAX : 0);
}

/* Lane i is bit i of x; y and w, the lanes from 32 on, are 0. */
instruction *sch_exec_BALLOT(struct sch_exec_machine *machine, instruction *in)
{
    machine->ops->splat(&machine->group.result[0], set_lanes(machine, in));
    machine->ops->splat(&machine->group.result[1], 0);
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        sch_exec_write(machine, &in->dst[0], c, &machine->group.result[c & 1]);
    }
    return in + 1;
}

instruction *sch_exec_READ_FIRST(struct sch_exec_machine *machine, instruction *in)
{
    unsigned first = (unsigned)__builtin_ctz(machine->group.exec);
    for (unsigned c = 0; c < 4; c++)
        if (in->dst[0].mask >> c & 1)
            machine->ops->splat(&machine->group.result[c], sch_exec_operand(machine, in, 0, c)->u[first]);
    for (unsigned c = 0; c < 4; c++)
        if (in->dst[0].mask >> c & 1) sch_exec_write(machine, &in->dst[0], c, &machine->group.result[c]);
    return in + 1;
}

/* Each lane reads the lane that it names; a number that is not a lane gives 0. A lane that does not execute is read as
 * its registers are. */
instruction *sch_exec_READ_INVOC(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *from = sch_exec_operand(machine, in, 1, 0);
    for (unsigned c = 0; c < 4; c++) {
        if (!(in->dst[0].mask >> c & 1)) continue;
        const struct sch_lanes *value = sch_exec_operand(machine, in, 0, c);
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
            machine->group.result[c].u[i] = from->u[i] < SCH_GROUP_LANES ? value->u[from->u[i]] : 0;
    }
    for (unsigned c = 0; c < 4; c++)
        if (in->dst[0].mask >> c & 1) sch_exec_write(machine, &in->dst[0], c, &machine->group.result[c]);
    return in + 1;
}
