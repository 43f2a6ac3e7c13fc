/* Machine code of texture lookups with constant state (native/compiler.h, struct sch_native_lookup_form). */
#ifndef SCH_JIT_LOOKUP_H
#define SCH_JIT_LOOKUP_H

#include "native/compiler.h"

/* struct sch_native_compiler's compile_lookup. */
enum sch_status jit_compile_lookup(const struct sch_native_lookup_form *form, const struct sch_ops *level,
                                   struct sch_native_object *object, struct sch_native_cost *cost, char **text);

#endif
