/* See jit/lookup.h. The bitcode (jit/lookup_bodies.c) has each part of a lookup as a function of its own, and
 * jit/specialise.c makes one function of those that the state leaves. Holds no meaning of lookups. */
#include "jit/lookup.h"

#include <string.h>

#include "jit/module.h"
#include "jit/specialise.h"

/* Hardly anything is left to fold; what went through memory becomes values, and what is computed twice goes. */
static const char passes[] = "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"
                             "loop-mssa(loop-rotate,licm),early-cse<memssa>,simplifycfg,adce)";

/* What a lookup calls for groups that are not straight, if it does. */
static bool make_rest(struct jit_bitcode *bitcode, LLVMModuleRef module, const struct sch_native_lookup_form *form)
{
    LLVMValueRef called = LLVMGetNamedFunction(module, JIT_REST);
    struct bitcode_function *body = called ? jit_bitcode_find(bitcode, JIT_REST "_of") : NULL;
    if (!called) return true;
    LLVMValueRef made = body ? jit_specialise(bitcode, body, form, sizeof *form, module, "rest") : NULL;
    if (!made) return false;
    LLVMSetLinkage(made, LLVMInternalLinkage);
    LLVMReplaceAllUsesWith(called, made);
    LLVMDeleteFunction(called);
    return true;
}

/* A function of (key, ...): the body with the form in the key's place. */
LLVMValueRef jit_make_lookup(struct jit_bitcode *bitcode, LLVMModuleRef module,
                             const struct sch_native_lookup_form *form, const char *name)
{
    static const char *const bodies[] = {[SCH_NATIVE_SAMPLE] = "jit_lookup_sample",
                                         [SCH_NATIVE_GATHER] = "jit_lookup_gather",
                                         [SCH_NATIVE_LOD] = "jit_lookup_lod",
                                         [SCH_NATIVE_FETCH] = "jit_lookup_fetch",
                                         [SCH_NATIVE_STORE] = "jit_lookup_store"};
    const char *in_rows = form->kind == SCH_NATIVE_FETCH ? "jit_lookup_fetch_rows"
                          : form->straight               ? "jit_lookup_straight"
                                                         : "jit_lookup_rows";
    if (form->kind > SCH_NATIVE_STORE) return NULL;
    struct bitcode_function *body = jit_bitcode_find(bitcode, form->in_rows ? in_rows : bodies[form->kind]);
    if (!body) return NULL;
    LLVMValueRef made = jit_specialise(bitcode, body, form, sizeof *form, module, name);
    return made && make_rest(bitcode, module, form) ? made : NULL;
}

/* Whether code generation may call a function to copy or fill memory. */
static bool is_left(const struct jit_module *module, const char *intrinsic)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (strncmp(LLVMGetValueName2(f, &length), intrinsic, strlen(intrinsic)) == 0 && LLVMGetFirstUse(f))
            return true;
    }
    return false;
}

/* Code can name nothing outside of itself. */
static bool add_copying(struct jit_bitcode *bitcode, struct jit_module *module)
{
    static const struct {
        const char *name, *intrinsic;
    } functions[] = {{"memcpy", "llvm.memcpy"}, {"memset", "llvm.memset"}};
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
        const char *name = functions[i].name;
        if (!is_left(module, functions[i].intrinsic)) continue;
        struct bitcode_function *body = jit_bitcode_find(bitcode, name);
        LLVMValueRef made = body ? jit_specialise(bitcode, body, NULL, 0, module->module, name) : NULL;
        if (!made) return false;
        LLVMSetVisibility(made, LLVMHiddenVisibility);
    }
    return true;
}

/* No read of a state may be left. */
bool jit_complete_lookups(void *bitcode, struct jit_module *module)
{
    size_t length;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module->module); g; g = LLVMGetNextGlobal(g))
        if (strncmp(LLVMGetValueName2(g, &length), JIT_CONSTANT, sizeof JIT_CONSTANT - 1) == 0 && LLVMGetFirstUse(g))
            return false;
    return add_copying(bitcode, module);
}

enum sch_result jit_compile_lookup(const struct sch_native_lookup_form *form, const char *level,
                                   struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    struct jit_module module;
    double started = jit_now_ms();
    *cost = (struct sch_native_cost){.build_ms = 0};
    const struct jit_archive_header *archive = jit_archive_find(level);
    struct jit_bitcode *bitcode = archive ? jit_bitcode_take(archive) : NULL;
    if (!bitcode) return SCH_ERROR_UNSUPPORTED;
    jit_module_open_in(&module, bitcode->context, bitcode->machine);
    module.started_ms = started;
    const struct jit_wish wish = {
        .passes = passes, .want_ir = text != NULL, .complete = jit_complete_lookups, .user = bitcode};
    enum sch_result status = SCH_ERROR_UNSUPPORTED;
    LLVMValueRef made = jit_make_lookup(bitcode, module.module, form, "sch_native_lookup");
    if (made) jit_add_attribute(&module, made, "nounwind");
    if (made) status = jit_module_finish(&module, &wish, object, cost, text);
    jit_module_close(&module);
    jit_bitcode_give_back(bitcode);
    return status;
}
