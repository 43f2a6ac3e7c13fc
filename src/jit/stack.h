/* The stack that code takes: probes in every function, and how large the frames are, in the object itself. */
#ifndef SCH_JIT_STACK_H
#define SCH_JIT_STACK_H

#include "jit/module.h"

/* The frames of a module's functions, in the order of the module. */
struct jit_frame_size {
    LLVMValueRef function;
    uint64_t bytes;
};
struct jit_stack {
    struct jit_frame_size *frames;
    size_t count;
    uint64_t total; /* as protocol/compiler.h counts */
    bool bad;       /* a report of LLVM's was not understood */
};

/* After all passes: gives all functions their probes, has code generation report their frames, and makes room for
 * the sizes in the object. False: memory is out. */
bool jit_stack_open(struct jit_stack *stack, struct jit_module *module);
/* After code generation: `object`, unless it is NULL, gets the sizes. False: the object has no room for them, or a
 * size is not known. */
bool jit_stack_close(struct jit_stack *stack, struct jit_module *module, char *object);

/* The bytes that values take which are used in other blocks than their own, or after a call: each has a place of its
 * own in the frame where registers are allocated in the quick way. */
uint64_t jit_stack_estimate(const struct jit_module *module);

/* LLVM's diagnostics, of which the library prints none. */
void jit_stack_swallow(LLVMDiagnosticInfoRef diagnostic, void *user);

#endif
