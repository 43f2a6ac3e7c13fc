/* Machine code of texture lookups with constant state (protocol/compiler.h, struct sch_native_lookup_form). */
#ifndef SCH_JIT_LOOKUP_H
#define SCH_JIT_LOOKUP_H

#include "jit/bitcode.h"
#include "jit/module.h"

/* struct sch_native_compiler's compile_lookup. */
enum sch_result jit_compile_lookup(const struct sch_native_lookup_form *form, const char *level,
                                   struct sch_native_object *object, struct sch_native_cost *cost, char **text);

/* The function of a lookup as a part of another module, which is in the bitcode's context; NULL: there is none. */
LLVMValueRef jit_make_lookup(struct jit_bitcode *bitcode, LLVMModuleRef module,
                             const struct sch_native_lookup_form *form, const char *name);
/* For struct jit_wish, with the bitcode: no function still reads its state, and what it calls is there. */
bool jit_complete_lookups(void *bitcode, struct jit_module *module);

#endif
