/* jit/memory.c. */
#ifndef SCH_JIT_MEMORY_H
#define SCH_JIT_MEMORY_H

#include "jit/emit.h"

/* Code of a LOAD, STORE, ATOM* or RESQ that has a view (abi/group.h); false: there is none. */
bool jit_memory(struct jit_emitter *e, const struct sch_prepared_instruction *in);

/* jit/images.c: of RESQ, and of those whose resource is a texture. */
bool jit_image(struct jit_emitter *e, const struct sch_prepared_instruction *in);

/* For any of these opcodes: the runtime finds out what registers or handles name. */
void jit_access_any(struct jit_emitter *e, const struct sch_prepared_instruction *in);

/* The view of the present instruction. */
LLVMValueRef jit_view(struct jit_emitter *e);
/* Lanes of which somebody sees what they do. */
LLVMValueRef jit_without_helpers(struct jit_emitter *e, LLVMValueRef lanes);

#endif
