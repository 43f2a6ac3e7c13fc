/* jit/memory.c. */
#ifndef SCH_JIT_MEMORY_H
#define SCH_JIT_MEMORY_H

#include "jit/emit.h"

/* Code of a LOAD, STORE or ATOM* that has a view (native/runtime.h), with plain operands; false: it is none of them. */
bool jit_memory(struct jit_emitter *e, const struct sch_exec_instruction *in);

#endif
