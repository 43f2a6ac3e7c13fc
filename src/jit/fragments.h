/* What stands around the groups of a span of fragments, for jit/span.c. */
#ifndef SCH_JIT_FRAGMENTS_H
#define SCH_JIT_FRAGMENTS_H

#include "jit/emit.h"

/* `values`, `fragments`: addresses of a struct sch_fragment_values and of the group's struct sch_tile_group. */

/* Lanes that are helpers when the group begins. */
LLVMValueRef jit_fragment_helpers(struct jit_emitter *e, LLVMBuilderRef build, LLVMValueRef fragments);
/* Makes e->planes. */
void jit_fragment_inputs(struct jit_emitter *e, LLVMValueRef values, LLVMValueRef fragments);
/* Writes colours, and the lanes that are left; `output` answers a vector of a channel of OUT as it stands. */
typedef LLVMValueRef jit_output_fn(struct jit_emitter *e, uint32_t number, unsigned c, unsigned v);
void jit_fragment_colors(struct jit_emitter *e, LLVMValueRef values, LLVMValueRef fragments, jit_output_fn *output);

#endif
