/* What is around the groups of a span of fragments, for jit/span.c. */
#ifndef SCH_JIT_FRAGMENTS_H
#define SCH_JIT_FRAGMENTS_H

#include "jit/emit.h"

/* `values`, `fragments`: addresses of a struct sch_fragment_values and of the group's struct sch_tile_group. */

/* Lanes that are fragments. */
LLVMValueRef jit_fragment_lanes(struct jit_emitter *e, LLVMBuilderRef build, LLVMValueRef fragments);
/* What the group has of its primitive, as a variable that the functions below take as `kept`. */
LLVMValueRef jit_fragment_keep(struct jit_emitter *e, LLVMValueRef fragments);
/* Early tests, then on to `begin`, where e->planes are made; a group without lanes goes to `end`. */
void jit_fragment_begin(struct jit_emitter *e, LLVMValueRef values, LLVMValueRef fragments, LLVMValueRef kept,
                        LLVMBasicBlockRef begin, LLVMBasicBlockRef end);
/* Late tests, and writes colours, and the lanes that are left; `output` answers a vector of a channel of OUT as it
 * is. */
typedef LLVMValueRef jit_output_fn(struct jit_emitter *e, uint32_t number, unsigned c, unsigned v);
void jit_fragment_end(struct jit_emitter *e, LLVMValueRef values, LLVMValueRef fragments, jit_output_fn *output);

/* A group that stands for more blocks continues to the next one, and to `again`; others go to `on`. */
void jit_fragment_advance(struct jit_emitter *e, LLVMValueRef values, LLVMValueRef fragments, LLVMValueRef kept,
                          LLVMBasicBlockRef again, LLVMBasicBlockRef on);

#endif
