/* Code of a function of texture lookups (jit/bitcode.h) whose first parameter points at constant bytes: what they
 * decide is decided, its calls are inlined, loops that the source wants unrolled are. One pass, in time proportional to
 * what comes out. Holds no meaning of lookups. */
#ifndef SCH_JIT_SPECIALISE_H
#define SCH_JIT_SPECIALISE_H

#include "jit/bitcode.h"

/* The constant bytes' name where code still reads them. */
#define JIT_CONSTANT "form"

/* The function `name` in `module`, of the type of `function`: its body with parameter 0 pointing at `bytes` (NULL: a
 * parameter like the others). NULL: it cannot be evaluated, or memory is short; `module` is of no use then. */
LLVMValueRef jit_specialise(struct jit_bitcode *bitcode, struct bitcode_function *function, const void *bytes,
                            size_t size, LLVMModuleRef module, const char *name);

#endif
