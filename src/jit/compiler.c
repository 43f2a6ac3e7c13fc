/* The table that the core loads: protocol/compiler.h. */
#include <stdlib.h>

#include "jit/emit.h"
#include "jit/lookup.h"

static void release(struct sch_native_object *object)
{
    free(object->bytes);
    *object = (struct sch_native_object){0};
}

static void release_text(char *text) { free(text); }

__attribute__((visibility("default"))) extern const struct sch_native_compiler sch_native_compiler_1;
const struct sch_native_compiler sch_native_compiler_1 = {
    .version = SCH_NATIVE_VERSION,
    .build = sch_native_build,
    .identity = "LLVM " JIT_LLVM_VERSION,
    .fits = jit_fits,
    .compile_program = jit_compile_program,
    .compile_lookup = jit_compile_lookup,
    .release = release,
    .release_text = release_text,
};
