/* jit/indexed.c: operands that are indexed by registers. */
#ifndef SCH_JIT_INDEXED_H
#define SCH_JIT_INDEXED_H

#include "jit/emit.h"

/* Channel c of a source, after the swizzle and before the modifier; false: code does not read it itself. */
bool jit_read_by_number(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, struct jit_value *value);

/* The number that lane 0 names by a register, and whether all lanes that execute name it and it is below `limit`;
 * false: code does not compute it. */
bool jit_read_number(struct jit_emitter *e, const struct sch_prepared_index *index, uint32_t limit,
                     LLVMValueRef *number, LLVMValueRef *same);

/* Writes channel c of a destination, in the lanes that execute; false: code does not write it itself. */
bool jit_scatter(struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c, const struct jit_value *value);

/* Registers of which each lane means one: a channel of the first, numbers to which `base` is added, and how many
 * registers there are. The numbers are one vector. */
struct jit_numbered {
    LLVMValueRef first, index, base, limit;
};

/* Vector v of the channel in the registers that its lanes mean: one that does not exist reads 0, and is not written.
 * `mask`: the lanes to write; NULL: all. */
LLVMValueRef jit_read_numbered(struct jit_emitter *e, const struct jit_numbered *of, unsigned v);
void jit_write_numbered(struct jit_emitter *e, const struct jit_numbered *of, unsigned v, LLVMValueRef mask,
                        LLVMValueRef value);

/* Whether these two can read a source and write a destination, whose number and registers are at fixed places. */
bool jit_reads_numbered(const struct jit_emitter *e, const struct sch_prepared_src *src);
bool jit_writes_numbered(const struct jit_emitter *e, const struct sch_prepared_dst *dst);

/* How many channels an instruction reads and writes so. */
size_t jit_indexed_channels(const struct sch_prepared_instruction *in);

#endif
