/* Makes the bitcode archive of a level: reads the module of jit/bodies.c, gives every operation a function by value
 * (operands and results are vectors in registers: what code of shaders calls and inlines), optimises it and writes each
 * as a module of its own, so that code links only what it names. A second file of bitcode has the functions of texture
 * lookups (jit/lookup_bodies.c): they are one module. Runs at build time.
 * Arguments: LANES BODIES.bc LOOKUPS.bc OUT. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "abi/maxwell.h"
#include "jit/archive.h"
#include "jit/shapes.h"

enum { MOST = 1024 };

static struct jit_archive_entry entries[MOST];
static LLVMMemoryBufferRef contents[MOST];
static unsigned entry_count;

static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "archive_make: %s: %s\n", what, why);
    exit(1);
}

static LLVMModuleRef load(LLVMContextRef context, const char *path)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) give_up(path, message);
    LLVMModuleRef module = NULL;
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) give_up(path, "is not bitcode");
    LLVMDisposeMemoryBuffer(buffer);
    LLVMSetModuleIdentifier(module, "", 0); /* paths, which say where the archive was built */
    LLVMSetSourceFileName(module, "", 0);
    return module;
}

static void run(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    if (error) give_up(passes, LLVMGetErrorMessage(error));
    LLVMDisposePassBuilderOptions(options);
}

/* ---- functions by value ---- */

/* Results and operands of one vector: those of `dst` and `src` in ops/ops.h without the places that an operation does
 * not read. Not for shapes that are not arithmetic. */
struct shape {
    unsigned results, operands;
};

static struct shape shape_of(unsigned shape, unsigned sources)
{
    switch (shape) {
    case SCH_SHAPE_VREPL2:
        return (struct shape){1, 2 * sources};
    case SCH_SHAPE_VREPL3:
        return (struct shape){1, 3 * sources};
    case SCH_SHAPE_VREPL4:
        return (struct shape){1, 4 * sources};
    case SCH_SHAPE_CHAN:
        return (struct shape){4, 4 * sources};
    case SCH_SHAPE_UNPACK:
        return (struct shape){4, 1};
    case SCH_SHAPE_COMP64:
        return (struct shape){2, 2 * sources};
    case SCH_SHAPE_COMPARE64:
    case SCH_SHAPE_NARROW64:
        return (struct shape){1, 2 * sources};
    case SCH_SHAPE_WIDEN64:
        return (struct shape){2, sources};
    case SCH_SHAPE_FRACEXP:
        return (struct shape){3, 2};
    default: /* COMP, REPL */
        return (struct shape){1, sources};
    }
}

static void copy_features(LLVMValueRef from, LLVMValueRef to)
{
    static const char *const copied[] = {"target-cpu", "target-features", "tune-cpu", "min-legal-vector-width"};
    for (unsigned i = 0; i < sizeof copied / sizeof *copied; i++) {
        LLVMAttributeRef attribute =
            LLVMGetStringAttributeAtIndex(from, LLVMAttributeFunctionIndex, copied[i], (unsigned)strlen(copied[i]));
        if (attribute) LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, attribute);
    }
}

static void set_attribute(LLVMContextRef context, LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind, 0));
}

static LLVMTypeRef result_type(LLVMContextRef context, LLVMTypeRef vector, unsigned results)
{
    LLVMTypeRef parts[JIT_MAX_RESULTS] = {vector, vector, vector, vector};
    return results == 1 ? vector : LLVMStructTypeInContext(context, parts, results, false);
}

/* `prefix``name`(rules, operands) around sch_body_`name`(rules, pointers). */
static void add_value_function(LLVMModuleRef module, unsigned lanes, const char *name, const char *prefix,
                               struct shape shape)
{
    char symbol[128];
    snprintf(symbol, sizeof symbol, "sch_body_%s", name);
    LLVMValueRef body = LLVMGetNamedFunction(module, symbol);
    if (!body) give_up(symbol, "is missing");
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef word = LLVMInt32TypeInContext(context), vector = LLVMVectorType(word, lanes);
    LLVMTypeRef parameters[1 + JIT_MAX_OPERANDS] = {word};
    for (unsigned i = 0; i < shape.operands; i++) parameters[1 + i] = vector;
    LLVMTypeRef result = result_type(context, vector, shape.results);
    snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
    LLVMValueRef function =
        LLVMAddFunction(module, symbol, LLVMFunctionType(result, parameters, 1 + shape.operands, false));
    copy_features(body, function);
    set_attribute(context, function, "nounwind");

    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
    LLVMValueRef arguments[1 + JIT_MAX_RESULTS + JIT_MAX_OPERANDS] = {LLVMGetParam(function, 0)},
                                                 *places = arguments + 1;
    for (unsigned i = 0; i < JIT_MAX_RESULTS + JIT_MAX_OPERANDS; i++) {
        bool used = i < shape.results || (i >= JIT_MAX_RESULTS && i < JIT_MAX_RESULTS + shape.operands);
        places[i] = used ? LLVMBuildAlloca(builder, vector, "") : LLVMGetPoison(LLVMPointerTypeInContext(context, 0));
    }
    for (unsigned i = 0; i < shape.operands; i++)
        LLVMBuildStore(builder, LLVMGetParam(function, 1 + i), places[JIT_MAX_RESULTS + i]);
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(body), body, arguments, 1 + JIT_MAX_RESULTS + JIT_MAX_OPERANDS, "");
    LLVMValueRef made = LLVMGetPoison(result);
    for (unsigned i = 0; i < shape.results; i++) {
        LLVMValueRef value = LLVMBuildLoad2(builder, vector, places[i], "");
        made = shape.results == 1 ? value : LLVMBuildInsertValue(builder, made, value, i, "");
    }
    LLVMBuildRet(builder, made);
    LLVMDisposeBuilder(builder);
}

/* `prefix`mw_`name`(how, operands) around sch_body_mw_`name`, with all places that abi/maxwell.h lists. */
static void add_maxwell_function(LLVMModuleRef module, unsigned lanes, const char *name, const char *prefix)
{
    enum { RESULTS = SCH_MAXWELL_TO_COUNT, OPERANDS = SCH_MAXWELL_FROM_COUNT };
    char symbol[128];
    snprintf(symbol, sizeof symbol, "sch_body_mw_%s", name);
    LLVMValueRef body = LLVMGetNamedFunction(module, symbol);
    if (!body) give_up(symbol, "is missing");
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef vector = LLVMVectorType(LLVMInt32TypeInContext(context), lanes);
    LLVMTypeRef parameters[1 + OPERANDS] = {pointer}, parts[RESULTS];
    for (unsigned i = 0; i < OPERANDS; i++) parameters[1 + i] = vector;
    for (unsigned i = 0; i < RESULTS; i++) parts[i] = vector;
    LLVMTypeRef result = LLVMStructTypeInContext(context, parts, RESULTS, false);
    snprintf(symbol, sizeof symbol, "%smw_%s", prefix, name);
    LLVMValueRef function = LLVMAddFunction(module, symbol, LLVMFunctionType(result, parameters, 1 + OPERANDS, false));
    copy_features(body, function);
    set_attribute(context, function, "nounwind");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
    LLVMValueRef arguments[1 + RESULTS + OPERANDS] = {LLVMGetParam(function, 0)};
    for (unsigned i = 1; i <= RESULTS + OPERANDS; i++) {
        arguments[i] = LLVMBuildAlloca(builder, vector, "");
        LLVMBuildStore(builder, i > RESULTS ? LLVMGetParam(function, i - RESULTS) : LLVMConstNull(vector),
                       arguments[i]);
    }
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(body), body, arguments, 1 + RESULTS + OPERANDS, "");
    LLVMValueRef made = LLVMGetPoison(result);
    for (unsigned i = 0; i < RESULTS; i++)
        made = LLVMBuildInsertValue(builder, made, LLVMBuildLoad2(builder, vector, arguments[1 + i], ""), i, "");
    LLVMBuildRet(builder, made);
    LLVMDisposeBuilder(builder);
}

static void add_value_functions(LLVMModuleRef module, unsigned lanes, const char *prefix)
{
#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...)                                            \
    if (SCH_SHAPE_IS_ARITHMETIC(SCH_SHAPE_##shape))                                                                    \
        add_value_function(module, lanes, #name, prefix, shape_of(SCH_SHAPE_##shape, srcs));
#include "isa/opcodes.def"
#undef OP
#define BODY(name, results, operands)                                                                                  \
    add_value_function(module, lanes, #name, prefix, (struct shape){results, operands});
#define MODIFIER(enumerator, name, words) BODY(name, words, words)
#include "abi/modifiers.def"
#undef MODIFIER
    JIT_PLAIN(BODY)
    JIT_FRAME(BODY)
    JIT_QUICK(BODY)
    JIT_ACCESSES(BODY)
#undef BODY
#define CONDITION(name, type) add_value_function(module, lanes, #name, prefix, (struct shape){1, 1});
    JIT_CONDITIONS(CONDITION)
#undef CONDITION
#define MAXWELL_BODY(name) add_maxwell_function(module, lanes, #name, prefix);
#include "abi/maxwell_bodies.def"
    MAXWELL_BODY(test)
#undef MAXWELL_BODY
}

static bool has_prefix(LLVMValueRef value, const char *prefix)
{
    size_t length;
    return strncmp(LLVMGetValueName2(value, &length), prefix, strlen(prefix)) == 0;
}

static bool stands_apart(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

/* Everything but the functions by value goes into them, unless src/ops wants it apart. */
static void hide_bodies(LLVMModuleRef module, const char *prefix)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || has_prefix(f, prefix)) continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        if (!stands_apart(f)) set_attribute(context, f, "alwaysinline");
    }
}

/* ---- the archive ---- */

static uint32_t size_of(LLVMValueRef function)
{
    uint32_t count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) count++;
    return count;
}

static uint32_t instruction_count(LLVMModuleRef module)
{
    uint32_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) count += size_of(f);
    return count;
}

/* The same where `rules` is 0, as mostly. */
static uint32_t folded_count(const char *name, LLVMModuleRef module)
{
    LLVMModuleRef copy = LLVMCloneModule(module);
    LLVMValueRef function = LLVMGetNamedFunction(copy, name);
    if (function) {
        LLVMValueRef rules = LLVMGetParam(function, 0); /* of Maxwell's, which are counted when it is known: `how` */
        LLVMReplaceAllUsesWith(rules, LLVMConstNull(LLVMTypeOf(rules)));
        run(copy, "function(instcombine<no-verify-fixpoint>,simplifycfg,adce)");
    }
    uint32_t count = instruction_count(copy);
    LLVMDisposeModule(copy);
    return count;
}

static void add_entry(const char *name, LLVMModuleRef module)
{
    if (entry_count == MOST) give_up(name, "one entry too many");
    struct jit_archive_entry *entry = &entries[entry_count];
    if (strlen(name) >= sizeof entry->name) give_up(name, "is too long a name");
    strcpy(entry->name, name);
    entry->instructions = instruction_count(module);
    entry->folded = folded_count(name, module);
    contents[entry_count++] = LLVMWriteBitcodeToMemoryBuffer(module);
}

/* Deletes the functions by value that are not one of the names, and what only they call. */
static void keep_only(LLVMModuleRef module, const char *const *names, unsigned count)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
        size_t length;
        bool kept = LLVMIsDeclaration(f) || stands_apart(f);
        next = LLVMGetNextFunction(f);
        for (unsigned i = 0; i < count && !kept; i++) kept = strcmp(LLVMGetValueName2(f, &length), names[i]) == 0;
        if (!kept) LLVMDeleteFunction(f);
    }
    run(module, "globaldce,strip-dead-prototypes");
}

/* A module for each function by value, and what is apart and is called by it. By halves: each copy of a module takes
 * time for all functions in it. */
static void add_functions(LLVMModuleRef module, const char *const *names, unsigned count)
{
    for (unsigned half = 0; half < 2 && count > 1; half++) {
        const unsigned first = half ? count / 2 : 0, end = half ? count : count / 2;
        LLVMModuleRef copy = LLVMCloneModule(module);
        keep_only(copy, names + first, end - first);
        add_functions(copy, names + first, end - first);
        LLVMDisposeModule(copy);
    }
    if (count != 1) return;
    char *message = NULL;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) give_up(names[0], message);
    LLVMDisposeMessage(message);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f)) give_up(names[0], "calls what is not there");
    add_entry(names[0], module);
}

/* ---- functions of texture lookups ---- */

enum { SMALL_FUNCTION = 40, SMALL_ROUNDS = 3 }; /* LLVM's instructions */

/* Helpers on vectors, as against functions of lookups, whose names begin with tex_ and the like. */
static bool is_helper(LLVMValueRef function) { return has_prefix(function, "v_") || has_prefix(function, "ops_"); }

static void remove_attribute(LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static void inline_helpers(LLVMModuleRef module)
{
    run(module, "always-inline,globaldce,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>)");
}

/* Helpers and small functions go into others. Large ones stay apart: jit/lookup.c inlines them when it knows the
 * state. */
static void prepare_lookups(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        remove_attribute(f, is_helper(f) ? "noinline" : "alwaysinline");
        if (is_helper(f)) set_attribute(context, f, "alwaysinline");
    }
    inline_helpers(module);
    for (unsigned round = 0; round < SMALL_ROUNDS; round++) {
        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
            if (!LLVMIsDeclaration(f) && !has_prefix(f, "jit_lookup_") && !has_prefix(f, "mem") &&
                size_of(f) <= SMALL_FUNCTION)
                set_attribute(context, f, "alwaysinline");
        inline_helpers(module);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) LLVMSetLinkage(f, LLVMExternalLinkage);
}

/* Loops whose number of iterations is known here are unrolled here; what a loop makes leaves it through PHIs
 * (jit/specialise.c). */
static const char unrolling[] =
    "function(loop-simplify,lcssa,loop(loop-rotate,loop-unroll-full),sroa,early-cse,instcombine<no-verify-fixpoint>,"
    "simplifycfg,loop-simplify,lcssa)";

static void add_steps(LLVMModuleRef all)
{
    prepare_lookups(all);
    run(all, unrolling);
    run(all, "globaldce,strip-dead-prototypes");
    char *message = NULL;
    if (LLVMVerifyModule(all, LLVMReturnStatusAction, &message)) give_up(JIT_LOOKUP_BITCODE, message);
    LLVMDisposeMessage(message);
    add_entry(JIT_LOOKUP_BITCODE, all);
    LLVMDisposeModule(all);
}

/* ---- the file ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct jit_archive_entry *)a)->name, ((const struct jit_archive_entry *)b)->name);
}

static void write_archive(const char *path, unsigned lanes)
{
    struct jit_archive_header header = {.lanes = lanes, .count = entry_count};
    uint64_t at = sizeof header + sizeof *entries * (uint64_t)entry_count;
    for (unsigned i = 0; i < entry_count; i++) {
        entries[i].size = LLVMGetBufferSize(contents[i]);
        entries[i].offset = at;
        at += (entries[i].size + 7) & ~(uint64_t)7;
    }
    FILE *file = fopen(path, "wb");
    if (!file) give_up(path, "cannot be written");
    static struct jit_archive_entry sorted[MOST];
    memcpy(sorted, entries, sizeof sorted);
    qsort(sorted, entry_count, sizeof *sorted, by_name);
    bool good = fwrite(&header, sizeof header, 1, file) == 1 &&
                fwrite(sorted, sizeof *sorted, entry_count, file) == entry_count;
    for (unsigned i = 0; i < entry_count && good; i++) {
        static const char zeros[8];
        size_t rest = -entries[i].size & 7;
        good = fwrite(LLVMGetBufferStart(contents[i]), 1, entries[i].size, file) == entries[i].size &&
               fwrite(zeros, 1, rest, file) == rest;
    }
    if (fclose(file) || !good) give_up(path, "cannot be written");
}

int main(int argc, char **argv)
{
    if (argc != 5) give_up("usage", "archive_make LANES BODIES.bc LOOKUPS.bc OUT");
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiscardValueNames(context, true); /* functions keep theirs */
    LLVMModuleRef bodies = load(context, argv[2]);
    unsigned lanes = (unsigned)strtoul(argv[1], NULL, 10);
    add_value_functions(bodies, lanes, JIT_VALUE_PREFIX);
    hide_bodies(bodies, JIT_VALUE_PREFIX);
    run(bodies, "always-inline,globaldce,default<O2>");
    static const char *names[MOST];
    unsigned count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(bodies); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (LLVMIsDeclaration(f) || !has_prefix(f, JIT_VALUE_PREFIX)) continue;
        if (count == MOST) give_up("functions by value", "one too many");
        names[count++] = LLVMGetValueName2(f, &length);
    }
    add_functions(bodies, names, count);
    add_steps(load(context, argv[3]));
    write_archive(argv[4], lanes);
    LLVMContextDispose(context);
    return 0;
}
