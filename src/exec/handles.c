/* Bindless handles: a number that stands for a register of SAMP or IMAGE. Low word: the register's number + 1, so that
 * no handle is zero; high word: the kind. A register number that cannot be gives the handle 0. No opcode takes one back
 * (docs/semantics.md, "operands TEX SAMP handle"): the handle is for comparing, storing and passing on. */
#include "exec/control.h"

typedef const struct sch_exec_instruction instruction;

enum { KIND_SAMPLER = 1, KIND_IMAGE = 2, REGISTERS = 1 << 15 };

/* The handle in xy, and again in zw. */
static instruction *write_handle(struct sch_exec_machine *machine, instruction *in, uint32_t kind)
{
    int64_t numbers[SCH_GROUP_LANES];
    bool same;
    sch_exec_resolve(machine, &in->src[0].index, numbers, &same);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        bool there = numbers[i] >= 0 && numbers[i] < REGISTERS;
        machine->result[0].u[i] = there ? (uint32_t)numbers[i] + 1 : 0;
        machine->result[1].u[i] = there ? kind : 0;
    }
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        sch_exec_write(machine, &in->dst[0], c, &machine->result[c & 1]);
    }
    return in + 1;
}

instruction *sch_exec_SAMP2HND(struct sch_exec_machine *machine, instruction *in)
{
    return write_handle(machine, in, KIND_SAMPLER);
}

instruction *sch_exec_IMG2HND(struct sch_exec_machine *machine, instruction *in)
{
    return write_handle(machine, in, KIND_IMAGE);
}
