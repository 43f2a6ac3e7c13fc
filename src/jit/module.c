/* See jit/module.h. */
#include "jit/module.h"

#include "jit/stack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

double jit_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- opening ---- */

/* By its name, as the "native" target of LLVM's headers is that of the processor that a cross build runs on. Some
 * bodies of src/ops have assembly, and so has jit/mask_words.c. */
static void start_llvm(void)
{
#if defined(__aarch64__)
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
#else
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
#endif
}

/* The processor is the architecture's baseline: what a level may use is on its functions, so that a level's code is
 * the same on every machine. */
LLVMTargetMachineRef jit_new_machine(LLVMCodeGenOptLevel effort)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_llvm);
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef target;
    LLVMTargetMachineRef machine = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message))
        LLVMDisposeMessage(message);
    else
        machine = LLVMCreateTargetMachine(target, triple, "", "", effort, LLVMRelocPIC, LLVMCodeModelSmall);
    LLVMDisposeMessage(triple);
    return machine;
}

LLVMContextRef jit_new_context(void)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, jit_stack_swallow, NULL);
    LLVMContextSetDiscardValueNames(context, false);
    return context;
}

void jit_module_open_in(struct jit_module *module, LLVMContextRef context, LLVMTargetMachineRef machine)
{
    *module = (struct jit_module){.started_ms = jit_now_ms(), .context = context, .machine = machine, .borrowed = true};
    module->module = LLVMModuleCreateWithNameInContext("scheelite", context);
    char *triple = LLVMGetTargetMachineTriple(machine);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetTarget(module->module, triple);
    LLVMSetModuleDataLayout(module->module, layout);
    LLVMDisposeTargetData(layout);
    LLVMDisposeMessage(triple);
}

enum sch_result jit_module_open(struct jit_module *module, const char *level)
{
    double started = jit_now_ms();
    const struct jit_archive_header *archive = jit_archive_find(level);
    LLVMTargetMachineRef machine = archive ? jit_new_machine(LLVMCodeGenLevelDefault) : NULL;
    if (!machine) return SCH_ERROR_UNSUPPORTED;
    jit_module_open_in(module, jit_new_context(), machine);
    module->archive = archive;
    module->started_ms = started;
    module->borrowed = false;
    return SCH_OK;
}

void jit_module_close(struct jit_module *module)
{
    LLVMDisposeModule(module->module);
    if (module->borrowed) return;
    LLVMDisposeTargetMachine(module->machine);
    LLVMContextDispose(module->context);
}

/* ---- functions ---- */

LLVMModuleRef jit_module_read(LLVMContextRef context, const struct jit_archive_header *archive, const char *entry)
{
    const struct jit_archive_entry *from = jit_archive_entry(archive, entry);
    if (!from) return NULL;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange((const char *)archive + from->offset, from->size, entry, false);
    LLVMModuleRef module = NULL;
    bool good = !LLVMParseBitcodeInContext2(context, buffer, &module);
    LLVMDisposeMemoryBuffer(buffer);
    return good ? module : NULL;
}

LLVMValueRef jit_module_link(struct jit_module *module, const char *entry, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(module->module, name);
    if (function && !LLVMIsDeclaration(function)) return function;
    LLVMModuleRef part = jit_module_read(module->context, module->archive, entry);
    if (!part || LLVMLinkModules2(module->module, part)) return NULL;
    return LLVMGetNamedFunction(module->module, name);
}

LLVMValueRef jit_number(LLVMTypeRef type, uint64_t value) { return LLVMConstInt(type, value, false); }

void jit_copy_features(LLVMValueRef from, LLVMValueRef to)
{
    static const char *const copied[] = {"target-cpu", "target-features", "tune-cpu", "min-legal-vector-width"};
    for (unsigned i = 0; i < sizeof copied / sizeof *copied; i++) {
        LLVMAttributeRef attribute =
            LLVMGetStringAttributeAtIndex(from, LLVMAttributeFunctionIndex, copied[i], (unsigned)strlen(copied[i]));
        if (attribute) LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, attribute);
    }
}

void jit_add_attribute(const struct jit_module *module, LLVMValueRef function, const char *attribute)
{
    jit_add_attribute_at(module, function, LLVMAttributeFunctionIndex, attribute);
}

void jit_add_attribute_at(const struct jit_module *module, LLVMValueRef function, LLVMAttributeIndex index,
                          const char *attribute)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(module->context, kind, 0));
}

size_t jit_count(const struct jit_module *module)
{
    size_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) count++;
    return count;
}

/* ---- code ---- */

static bool run_passes(struct jit_module *module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopUnrolling(options, false);
    LLVMErrorRef error = LLVMRunPasses(module->module, passes, module->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error) LLVMConsumeError(error);
    return !error;
}

bool jit_module_run(struct jit_module *module, const char *passes) { return run_passes(module, passes); }

static char *copy_of(const char *bytes, size_t size)
{
    char *copy = malloc(size + 1);
    if (!copy) return NULL;
    memcpy(copy, bytes, size);
    copy[size] = 0;
    return copy;
}

static enum sch_result print_ir(struct jit_module *module, char **text)
{
    char *printed = LLVMPrintModuleToString(module->module);
    *text = copy_of(printed, strlen(printed));
    LLVMDisposeMessage(printed);
    return *text ? SCH_OK : SCH_ERROR_MEMORY;
}

/* Code generation takes more than time in proportion to the length of a block: selection of instructions walks all uses
 * of a constant for each, scheduling compares within the block; inlining moves what comes after a call. So long
 * blocks are cut. */
enum { MOST_IN_BLOCK = 1000 };

/* Cuts a block before `from`: what precedes goes to a new block in front, which takes the block's place for those that
 * branch to it; the block keeps its end, so that phis after it need no change. */
static void cut_block(const struct jit_module *module, LLVMBasicBlockRef block, LLVMValueRef from)
{
    LLVMBuilderRef build = LLVMCreateBuilderInContext(module->context);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMBasicBlockRef front = LLVMInsertBasicBlockInContext(module->context, block, "");
    LLVMInstructionRemoveFromParent(end);
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(front));
    LLVMPositionBuilderAtEnd(build, front);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i != from; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(build, i);
    }
    LLVMBuildBr(build, block);
    LLVMPositionBuilderAtEnd(build, block);
    LLVMInsertIntoBuilder(build, end);
    LLVMBlockAddress(LLVMGetBasicBlockParent(block), block); /* a block that has one is not joined again */
    LLVMDisposeBuilder(build);
}

/* The first instruction that a block may be cut at: after phis, and in the entry after variables. */
static LLVMValueRef first_free(LLVMBasicBlockRef block, bool is_entry)
{
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
    for (LLVMValueRef i = first; i && is_entry; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i)) first = LLVMGetNextInstruction(i);
    return first;
}

static void cut_blocks(const struct jit_module *module, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        unsigned count = 0;
        LLVMValueRef i = first_free(b, b == LLVMGetEntryBasicBlock(function));
        for (; i && count < MOST_IN_BLOCK; i = LLVMGetNextInstruction(i)) count++;
        if (!i || LLVMIsATerminatorInst(i)) continue;
        cut_block(module, b, i);
        b = LLVMGetPreviousBasicBlock(b); /* the front; the rest comes next */
    }
}

static void cut_all_blocks(const struct jit_module *module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f)) cut_blocks(module, f);
}

/* How many instructions are generated by LLVM's usual register allocation, which takes up to 0.2 ms for each; how many
 * by the one whose time is in proportion, which takes 0.05. Programs of more are made in another way (jit/program.c):
 * at four lanes without a fused multiply-add, 500 instructions became 130,000, and took half a minute. */
enum { USUAL_SIZE = 24000, SPARING_SIZE = 15000, QUICK_SIZE = 40000 };

/* What takes little stack: so many instructions take some seconds, and in proportion. In compact code those that are
 * selected by LLVM's usual means take twice as long. */
enum { SMALL_STACK_SIZE = 1 << 15, COMPACT_SIZE = 220000, COMPACT_FRAME_SIZE = 100000 };

/* The usual way takes long for more instructions, and its frame comes out too large: in constructs, and without. */
enum { MOST_BUILT = 100000, MOST_BUILT_STRAIGHT = 200000 };

static bool be_quick(struct jit_module *module, LLVMCodeGenOptLevel effort)
{
    LLVMTargetMachineRef machine = jit_new_machine(effort);
    if (!machine) return false;
    LLVMDisposeTargetMachine(module->machine);
    module->machine = machine;
    return true;
}

/* The object, or the text. */
static enum sch_result generate(struct jit_module *module, const struct jit_wish *wish,
                                struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    struct jit_stack stack;
    if (!jit_stack_open(&stack, module)) return SCH_ERROR_MEMORY;
    char *message = NULL, *bytes = NULL;
    LLVMMemoryBufferRef made = NULL;
    LLVMCodeGenFileType kind = wish->want_assembly ? LLVMAssemblyFile : LLVMObjectFile;
    enum sch_result status = SCH_ERROR_INTERNAL;
    size_t size = 0;
    if (wish->want_ir) {
        status = print_ir(module, text);
    } else if (LLVMTargetMachineEmitToMemoryBuffer(module->machine, module->module, kind, &message, &made)) {
        LLVMDisposeMessage(message);
    } else {
        size = LLVMGetBufferSize(made);
        bytes = copy_of(LLVMGetBufferStart(made), size);
        LLVMDisposeMemoryBuffer(made);
        status = bytes ? SCH_OK : SCH_ERROR_MEMORY;
    }
    const bool is_object = bytes && !wish->want_assembly;
    if (!jit_stack_close(&stack, module, is_object ? bytes : NULL) && status == SCH_OK) status = SCH_ERROR_INTERNAL;
    cost->stack_bytes = stack.total;
    if (status == SCH_OK && stack.total > SCH_NATIVE_STACK) status = SCH_ERROR_LIMIT;
    if (status != SCH_OK || wish->want_ir) {
        free(bytes);
        return status;
    }
    if (is_object)
        *object = (struct sch_native_object){.bytes = bytes, .size = size};
    else
        *text = bytes;
    return SCH_OK;
}

/* Whether passes, and then code generation, end soon. */
static bool is_worth_passes(const struct jit_wish *wish, size_t instructions)
{
    const size_t most = wish->has_constructs ? MOST_BUILT : MOST_BUILT_STRAIGHT;
    return wish->small_stack || !wish->quick || instructions <= most;
}

static bool fits(const struct jit_module *module, const struct jit_wish *wish, size_t instructions)
{
    if (wish->compact) return instructions <= (wish->careful ? COMPACT_FRAME_SIZE : COMPACT_SIZE);
    if (wish->small_stack) return instructions <= SMALL_STACK_SIZE;
    return wish->quick || module->borrowed || instructions <= (wish->sparing ? QUICK_SIZE : USUAL_SIZE);
}

enum sch_result jit_module_finish(struct jit_module *module, const struct jit_wish *wish,
                                  struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    double built = jit_now_ms();
    cost->build_ms = built - module->started_ms;
    cost->built = jit_count(module);
    const LLVMCodeGenOptLevel effort = wish->small_stack ? LLVMCodeGenLevelLess : LLVMCodeGenLevelNone;
    if (!is_worth_passes(wish, cost->built)) return SCH_ERROR_LIMIT;
    if (wish->quick && !be_quick(module, effort)) return SCH_ERROR_INTERNAL;
#ifndef NDEBUG
    if (LLVMVerifyModule(module->module, LLVMReturnStatusAction, NULL)) return SCH_ERROR_INTERNAL;
    built = jit_now_ms();
#endif
    if (wish->quick) cut_all_blocks(module);
    if (!run_passes(module, wish->passes)) return SCH_ERROR_INTERNAL;
    const size_t changed = wish->later ? jit_drop_nans(module) + jit_improve_floats(module) : 0;
    if (wish->later && (changed || wish->always) && !run_passes(module, wish->later)) return SCH_ERROR_INTERNAL;
    if (wish->complete && !wish->complete(wish->user, module)) return SCH_ERROR_INTERNAL;
    jit_keep_mask_words(module);
    cut_all_blocks(module);
    double passed = jit_now_ms();
    cost->passes_ms = passed - built;
    cost->optimised = jit_count(module);
    if (!fits(module, wish, cost->optimised)) return SCH_ERROR_LIMIT;
    const bool grown = wish->sparing && cost->optimised > SPARING_SIZE && !wish->quick && !module->borrowed;
    if (grown && !be_quick(module, effort)) return SCH_ERROR_INTERNAL;
    if ((grown || wish->quick) && !wish->small_stack && jit_stack_estimate(module) > SCH_NATIVE_STACK)
        return SCH_ERROR_LIMIT;
    enum sch_result status = generate(module, wish, object, cost, text);
    cost->code_ms = jit_now_ms() - passed;
    return status;
}
