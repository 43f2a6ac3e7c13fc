/* See jit/lookup.h. The bitcode (jit/lookup_bodies.c) has each step of a lookup as a function of its own. From the
 * outside in, the steps that are called are inlined and folded, so that what the state excludes is never linked. Holds
 * no meaning of lookups. */
#include "jit/lookup.h"

#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "jit/module.h"

/* Calls nest about a dozen deep. */
enum { MOST_ROUNDS = 40 };

/* One round's folding; loops over axes and corners are unrolled while their bodies are calls. */
static const char inlining[] = "always-inline,globaldce,function(sroa,early-cse,simplifycfg,loop-simplify,lcssa,loop("
                               "loop-rotate,loop-unroll-full),"
                               "sroa,early-cse,simplifycfg)";
static const char finishing[] =
    "function(sroa,early-cse<memssa>,simplifycfg,loop-simplify,lcssa,loop(loop-rotate,loop-unroll-full),sroa,"
    "instcombine<no-verify-fixpoint>,simplifycfg,early-cse<memssa>,loop-simplify,lcssa,loop-mssa(licm),gvn,dse,"
    "instcombine<no-verify-fixpoint>,adce,simplifycfg)";

static enum sch_status pass(struct jit_module *module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module->module, passes, module->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error) LLVMConsumeError(error);
    return error ? SCH_STATUS_INTERNAL : SCH_STATUS_OK;
}

/* Marks the calls of a function to steps, which it links where they are missing. False: one could not be linked. */
static bool mark_calls(struct jit_module *module, LLVMValueRef function, unsigned *count)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
    LLVMAttributeRef inlined = LLVMCreateEnumAttribute(module->context, kind, 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i)) continue;
            LLVMValueRef callee = LLVMGetCalledValue(i);
            if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee)) continue;
            size_t length;
            const char *name = LLVMGetValueName2(callee, &length);
            if (LLVMIsDeclaration(callee) && !jit_module_link(module, name, name)) return false;
            LLVMAddCallSiteAttribute(i, LLVMAttributeFunctionIndex, inlined);
            ++*count;
        }
    return true;
}

static enum sch_status inline_steps(struct jit_module *module)
{
    for (unsigned round = 0; round < MOST_ROUNDS; round++) {
        unsigned calls = 0;
        LLVMValueRef function = LLVMGetNamedFunction(module->module, "sch_native_lookup");
        if (!mark_calls(module, function, &calls)) return SCH_STATUS_INTERNAL;
        if (!calls) return SCH_STATUS_OK;
        jit_hide_all_but(module, "sch_native_lookup");
        enum sch_status status = pass(module, inlining);
        if (status != SCH_STATUS_OK) return status;
    }
    return SCH_STATUS_INTERNAL;
}

static LLVMValueRef constant_form(struct jit_module *module, const struct sch_native_lookup_form *form)
{
    LLVMValueRef bytes = LLVMConstStringInContext2(module->context, (const char *)form, sizeof *form, true);
    LLVMValueRef global = LLVMAddGlobal(module->module, LLVMTypeOf(bytes), "form");
    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, 16);
    return global;
}

/* sch_native_lookup(key, ...), which calls the body with the form in the key's place. */
static bool build_entry(struct jit_module *module, const struct sch_native_lookup_form *form)
{
    static const char *const bodies[] = {[SCH_NATIVE_SAMPLE] = "jit_lookup_sample",
                                         [SCH_NATIVE_GATHER] = "jit_lookup_gather",
                                         [SCH_NATIVE_LOD] = "jit_lookup_lod",
                                         [SCH_NATIVE_FETCH] = "jit_lookup_fetch"};
    LLVMValueRef body = jit_module_link(module, bodies[form->kind], bodies[form->kind]);
    if (!body) return false;
    LLVMTypeRef type = LLVMGlobalGetValueType(body);
    LLVMValueRef function = LLVMAddFunction(module->module, "sch_native_lookup", type), arguments[8];
    jit_copy_features(body, function);
    jit_add_attribute(module, function, "nounwind");
    unsigned count = LLVMCountParams(function);
    arguments[0] = constant_form(module, form);
    for (unsigned i = 1; i < count; i++) arguments[i] = LLVMGetParam(function, i);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(module->context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(module->context, function, ""));
    LLVMBuildCall2(builder, type, body, arguments, count, "");
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    return true;
}

/* Functions that code generation may call. */
static bool add_copying(struct jit_module *module)
{
    static const char *const names[] = {"memcpy", "memset"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef function = jit_module_link(module, names[i], names[i]);
        if (!function) return false;
        LLVMSetVisibility(function, LLVMHiddenVisibility);
    }
    return true;
}

enum sch_status jit_compile_lookup(const struct sch_native_lookup_form *form, const struct sch_ops *level,
                                   struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    struct jit_module module;
    *cost = (struct sch_native_cost){.build_ms = 0};
    if (form->kind > SCH_NATIVE_FETCH) return SCH_STATUS_UNSUPPORTED;
    enum sch_status status = jit_module_open(&module, level);
    if (status != SCH_STATUS_OK) return status;
    if (!build_entry(&module, form)) status = SCH_STATUS_UNSUPPORTED;
    if (status == SCH_STATUS_OK) status = inline_steps(&module);
    if (status == SCH_STATUS_OK && !add_copying(&module)) status = SCH_STATUS_UNSUPPORTED;
    const struct jit_wish wish = {.passes = finishing, .want_ir = text != NULL};
    if (status == SCH_STATUS_OK) status = jit_module_finish(&module, &wish, object, cost, text);
    jit_module_close(&module);
    return status;
}
