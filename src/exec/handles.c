/* Bindless handles: a number that stands for a register of SAMP or IMAGE. Low word: the register's number + 1, so that
 * no handle is zero; high word: the kind. A register number that cannot be gives the handle 0. Texture and memory
 * opcodes take one back in place of the register (docs/semantics.md, "operands TEX SAMP handle"). */
#include "exec/control.h"
#include "exec/lookup.h"

typedef const struct sch_prepared_instruction instruction;

/* The handle in xy, and again in zw. */
static instruction *write_handle(struct sch_exec_machine *machine, instruction *in, uint32_t kind)
{
    int64_t numbers[SCH_GROUP_LANES];
    bool same;
    sch_exec_resolve(machine, &in->src[0].index, numbers, &same);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        bool there = numbers[i] >= 0 && numbers[i] < SCH_HANDLE_REGISTERS;
        machine->group.result[0].u[i] = there ? (uint32_t)numbers[i] + 1 : 0;
        machine->group.result[1].u[i] = there ? kind : 0;
    }
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        sch_exec_write(machine, &in->dst[0], c, &machine->group.result[c & 1]);
    }
    return in + 1;
}

instruction *sch_exec_SAMP2HND(struct sch_exec_machine *machine, instruction *in)
{
    return write_handle(machine, in, SCH_HANDLE_SAMPLER);
}

instruction *sch_exec_IMG2HND(struct sch_exec_machine *machine, instruction *in)
{
    return write_handle(machine, in, SCH_HANDLE_IMAGE);
}

void sch_exec_handle_numbers(struct sch_exec_machine *machine, const struct sch_prepared_src *src, unsigned kind,
                             int64_t numbers[SCH_GROUP_LANES], bool *uniform)
{
    struct sch_lanes kept[2];
    const struct sch_lanes *low = sch_exec_source(machine, src, 0, &kept[0]);
    const struct sch_lanes *high = sch_exec_source(machine, src, 1, &kept[1]);
    *uniform = true;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        bool one = high->u[i] == kind && low->u[i] >= 1 && low->u[i] <= SCH_HANDLE_REGISTERS;
        numbers[i] = one ? (int64_t)low->u[i] - 1 : -1;
        if (numbers[i] != numbers[0]) *uniform = false;
    }
}
