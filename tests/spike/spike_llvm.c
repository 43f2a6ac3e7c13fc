/* Proves the plan for machine code: the files of src/ops, compiled to LLVM bitcode, are loaded, specialised on constant
 * state and run through LLVM's C API, and give the bits of the interpreter's tables, at every level. One arithmetic
 * operation of two forms (ADD, MAD) and the bilinear fetch stand for all. Argument: the folder with the bitcode.
 * Prints TAP; holds no part of a JIT that anything else uses. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "ops/ops.h"

enum { ROUNDS = 2000, TEXTURE_WIDTH = 61, TEXTURE_HEIGHT = 37 };

/* ---- TAP ---- */

static unsigned tests_run, tests_failed;

static void report(bool good, const char *level, const char *name)
{
    tests_run++;
    if (!good) tests_failed++;
    printf("%sok %u - %s: %s\n", good ? "" : "not ", tests_run, level, name);
}

static void note_error(LLVMErrorRef error)
{
    char *message = LLVMGetErrorMessage(error);
    printf("# %s\n", message);
    LLVMDisposeErrorMessage(message);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- random operands: splitmix64, with a share of the values where arithmetic is special ---- */

static uint64_t random_state = 20221214;

static uint32_t random_word(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 16);
}

static uint32_t random_float(void)
{
    static const uint32_t special[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                       0x7fc00000, 0xffc12345, 0x7f812345, 0x00000001, 0x807fffff, 0x00800000,
                                       0x7f7fffff, 0x3f7fffff, 0x33800000, 0x4b000001};
    if (random_word() % 4 == 0) return special[random_word() % (sizeof special / sizeof *special)];
    if (random_word() % 2) return 0x3f000000u + (random_word() & 0x81ffffffu); /* near each other: sums cancel */
    return random_word();
}

static void random_lanes(struct sch_lanes *lanes)
{
    for (int i = 0; i < SCH_GROUP_LANES; i++) lanes->u[i] = random_float();
}

static void random_coordinates(struct sch_lanes *lanes)
{
    for (int i = 0; i < SCH_GROUP_LANES; i++) {
        float s = (float)(random_word() & 0xffffff) * 0x1p-22f - 2.0f; /* [-2, 2) */
        memcpy(&lanes->u[i], &s, sizeof s);
        if (random_word() % 16 == 0) lanes->u[i] = random_float();
    }
}

static void random_mask(struct sch_lanes *lanes)
{
    for (int i = 0; i < SCH_GROUP_LANES; i++) lanes->u[i] = random_word() % 4 ? 0xffffffffu : 0;
}

/* ---- a module of a level ---- */

static LLVMModuleRef load(LLVMContextRef context, const char *folder, const char *name, const char *level)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%s.bc", folder, name, level);
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        printf("# %s: %s\n", path, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    LLVMModuleRef module = NULL;
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) printf("# %s: not bitcode\n", path);
    LLVMDisposeMemoryBuffer(buffer);
    return module;
}

static void copy_attribute(LLVMContextRef context, LLVMValueRef from, LLVMValueRef to, const char *name)
{
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(from, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    (void)context;
    if (attribute) LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, attribute);
}

/* Adds `entry`, which calls `callee` with its own arguments behind constant ones, and hides everything else, so that
 * the optimiser specialises. Constants are bytes of state that become private globals, or a 32-bit number where
 * `constant_bytes` is 0. Code of the level's instructions may only be inlined into a function with the same features:
 * they are copied. */
struct constant {
    const void *bytes;
    size_t size;
    uint32_t number;
};

static bool add_entry(LLVMModuleRef module, const char *entry, const char *callee, const struct constant *constants,
                      unsigned count)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef target = LLVMGetNamedFunction(module, callee);
    if (!target) {
        printf("# no function %s in the bitcode\n", callee);
        return false;
    }
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0), arguments[8], type;
    unsigned parameters = LLVMCountParams(target);
    for (unsigned i = count; i < parameters; i++) arguments[i - count] = pointer;
    type = LLVMFunctionType(LLVMVoidTypeInContext(context), arguments, parameters - count, false);
    LLVMValueRef function = LLVMAddFunction(module, entry, type), values[8];
    static const char *const copied[] = {"target-cpu", "target-features", "tune-cpu", "min-legal-vector-width"};
    for (unsigned i = 0; i < sizeof copied / sizeof *copied; i++) copy_attribute(context, target, function, copied[i]);

    for (unsigned i = 0; i < count; i++) {
        if (!constants[i].size) {
            values[i] = LLVMConstInt(LLVMInt32TypeInContext(context), constants[i].number, false);
            continue;
        }
        LLVMValueRef bytes = LLVMConstStringInContext2(context, constants[i].bytes, constants[i].size, true);
        values[i] = LLVMAddGlobal(module, LLVMTypeOf(bytes), "state");
        LLVMSetInitializer(values[i], bytes);
        LLVMSetGlobalConstant(values[i], true);
        LLVMSetLinkage(values[i], LLVMPrivateLinkage);
        LLVMSetAlignment(values[i], 16);
    }
    for (unsigned i = count; i < parameters; i++) values[i] = LLVMGetParam(function, i - count);

    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, "entry"));
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(target), target, values, parameters, "");
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    return true;
}

static void hide_all_but(LLVMModuleRef module, const char *prefix)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        if (!LLVMIsDeclaration(f) && strncmp(name, prefix, strlen(prefix)) != 0) LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

/* What is left undefined must be an intrinsic or one of the two calls that a code generator makes itself. */
static bool calls_nothing_outside(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) || strcmp(name, "memcpy") == 0 ||
            strcmp(name, "memset") == 0)
            continue;
        printf("# calls %s\n", name);
        return false;
    }
    return true;
}

/* ---- making machine code ---- */

struct kernels {
    LLVMOrcThreadSafeContextRef context;
    LLVMOrcLLJITRef jit;
};

static LLVMTargetMachineRef host_machine(void)
{
    char *triple = LLVMGetDefaultTargetTriple(), *cpu = LLVMGetHostCPUName(), *message = NULL;
    char *features = LLVMGetHostCPUFeatures();
    LLVMTargetRef target;
    LLVMTargetMachineRef machine = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        printf("# %s\n", message);
        LLVMDisposeMessage(message);
    } else {
        machine = LLVMCreateTargetMachine(target, triple, cpu, features, LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                          LLVMCodeModelDefault);
    }
    LLVMDisposeMessage(triple);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    return machine;
}

/* globaldce before inlining, so that nothing is optimised that nobody calls. */
static bool optimise(LLVMModuleRef module)
{
    char *message = NULL;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
        printf("# %s\n", message);
        LLVMDisposeMessage(message);
        return false;
    }
    LLVMDisposeMessage(message);
    LLVMTargetMachineRef machine = host_machine();
    if (!machine) return false;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, "globaldce,default<O2>,globaldce", machine, options);
    LLVMDisposePassBuilderOptions(options);
    LLVMDisposeTargetMachine(machine);
    if (!error) return true;
    note_error(error);
    return false;
}

static bool start_jit(struct kernels *kernels)
{
    LLVMErrorRef error = LLVMOrcCreateLLJIT(&kernels->jit, NULL);
    if (error) {
        note_error(error);
        return false;
    }
    LLVMOrcDefinitionGeneratorRef process;
    error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, LLVMOrcLLJITGetGlobalPrefix(kernels->jit),
                                                                 NULL, NULL);
    if (error) {
        note_error(error);
        return false;
    }
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(kernels->jit), process);
    return true;
}

/* The address of `entry` in machine code made of `module`, which it takes; 0 on failure. */
static uintptr_t make_code(struct kernels *kernels, LLVMModuleRef module, const char *entry)
{
    LLVMOrcThreadSafeModuleRef safe = LLVMOrcCreateNewThreadSafeModule(module, kernels->context);
    LLVMErrorRef error = LLVMOrcLLJITAddLLVMIRModule(kernels->jit, LLVMOrcLLJITGetMainJITDylib(kernels->jit), safe);
    LLVMOrcExecutorAddress address = 0;
    if (!error) error = LLVMOrcLLJITLookup(kernels->jit, &address, entry);
    if (!error) return (uintptr_t)address;
    note_error(error);
    return 0;
}

/* One entry point: the bitcode file `file` of a level, specialised. */
static uintptr_t specialise(struct kernels *kernels, const char *folder, const char *file, const char *level,
                            const char *entry, const char *callee, const struct constant *constants, unsigned count)
{
    double start = now();
    LLVMContextRef context = LLVMOrcThreadSafeContextGetContext(kernels->context);
    /* Modules are linked into an empty one, as an engine will gather what a shader uses. */
    LLVMModuleRef module = load(context, folder, file, level), all;
    if (!module) return 0;
    all = LLVMModuleCreateWithNameInContext(entry, context);
    LLVMSetTarget(all, LLVMGetTarget(module));
    LLVMSetDataLayout(all, LLVMGetDataLayoutStr(module));
    uintptr_t code = 0;
    bool good = !LLVMLinkModules2(all, module) && add_entry(all, entry, callee, constants, count);
    if (good) {
        hide_all_but(all, "spike_");
        good = optimise(all) && calls_nothing_outside(all);
    }
    if (!good) {
        LLVMDisposeModule(all);
        return 0;
    }
    code = make_code(kernels, all, entry);
    printf("# %s: %s from bitcode to machine code in %.1f ms\n", level, entry, (now() - start) * 1e3);
    return code;
}

/* ---- comparisons ---- */

typedef void alu_kernel(struct sch_lanes *const dst[], const struct sch_lanes *const src[]);

static bool same_arithmetic(alu_kernel *kernel, sch_op_fn *op, uint32_t rules)
{
    struct sch_lanes a, b, c, expected, got;
    const struct sch_lanes *const sources[] = {&a, &b, &c};
    for (int round = 0; round < ROUNDS; round++) {
        random_lanes(&a);
        random_lanes(&b);
        random_lanes(&c);
        op(rules, (struct sch_lanes *const[]){&expected}, sources);
        memset(&got, 0x55, sizeof got);
        kernel((struct sch_lanes *const[]){&got}, sources);
        for (int i = 0; i < SCH_GROUP_LANES; i++) {
            if (got.u[i] == expected.u[i]) continue;
            printf("# %08x %08x %08x: %08x, the interpreter has %08x\n", a.u[i], b.u[i], c.u[i], got.u[i],
                   expected.u[i]);
            return false;
        }
    }
    return true;
}

typedef void sample_kernel(const struct sch_texture *, const struct sch_sample_request *, struct sch_lanes *const[4]);

static bool same_samples(sample_kernel *kernel, sch_sample_fn *sample, const struct sch_sampler_key *key,
                         const struct sch_sampler_values *values)
{
    static uint8_t texels[TEXTURE_WIDTH * TEXTURE_HEIGHT * 4];
    for (size_t i = 0; i < sizeof texels; i++) texels[i] = (uint8_t)random_word();
    struct sch_texture texture = {.levels = 1, .samples = 1};
    texture.level[0] = (struct sch_texture_level){.texels = texels,
                                                  .width = TEXTURE_WIDTH,
                                                  .height = TEXTURE_HEIGHT,
                                                  .depth = 1,
                                                  .row_bytes = TEXTURE_WIDTH * 4,
                                                  .slice_bytes = sizeof texels};
    struct sch_lanes s, t, r, q, mask, expected[4], got[4];
    struct sch_sample_request request = {.lod_mode = SCH_LOD_ZERO, .coordinate = {&s, &t, &r, &q}, .mask = &mask};
    unsigned colours = 0;
    for (int round = 0; round < ROUNDS; round++) {
        random_coordinates(&s);
        random_coordinates(&t);
        random_lanes(&r);
        random_lanes(&q);
        random_mask(&mask);
        struct sch_lanes *const want[4] = {&expected[0], &expected[1], &expected[2], &expected[3]};
        struct sch_lanes *const have[4] = {&got[0], &got[1], &got[2], &got[3]};
        sample(key, values, &texture, &request, want);
        memset(got, 0x55, sizeof got);
        kernel(&texture, &request, have);
        for (int i = 0; i < SCH_GROUP_LANES; i++) {
            colours += expected[0].u[i] != 0 && expected[0].u[i] != 0x3f800000;
            for (int c = 0; c < 4; c++) {
                if (got[c].u[i] == expected[c].u[i]) continue;
                printf("# s %08x t %08x mask %d component %d: %08x, the interpreter has %08x\n", s.u[i], t.u[i],
                       mask.u[i] != 0, c, got[c].u[i], expected[c].u[i]);
                return false;
            }
        }
    }
    if (colours < ROUNDS) printf("# only %u samples had a colour between 0 and 1\n", colours);
    return colours >= ROUNDS;
}

/* ---- one level ---- */

static void try_arithmetic(struct kernels *kernels, const char *folder, const struct sch_ops *ops, const char *name,
                           const char *signature, sch_op_fn *op, uint32_t rules, const char *entry)
{
    char callee[128];
    snprintf(callee, sizeof callee, "sch_op_%s_COMP_%s_%s", name, signature, ops->name);
    struct constant constants[] = {{.number = rules}};
    uintptr_t code = specialise(kernels, folder, "float", ops->name, entry, callee, constants, 1);
    report(code && same_arithmetic((alu_kernel *)code, op, rules), ops->name, entry);
}

static void try_sampling(struct kernels *kernels, const char *folder, const struct sch_ops *ops,
                         enum sch_wrap_mode wrap, const char *entry)
{
    struct sch_sampler_key key;
    memset(&key, 0, sizeof key);
    key.format = SCH_FORMAT_R8G8B8A8_UNORM;
    key.target = SCH_TARGET_2D;
    key.wrap[0] = key.wrap[1] = key.wrap[2] = (uint8_t)wrap;
    key.min_linear = key.mag_linear = 1;
    for (uint8_t i = 0; i < 4; i++) key.swizzle[i] = i;
    struct sch_sampler_values values = {.max_lod = 1000.0f};
    char callee[128];
    snprintf(callee, sizeof callee, "sch_ops_sample_%s", ops->name);
    struct constant constants[] = {{.bytes = &key, .size = sizeof key}, {.bytes = &values, .size = sizeof values}};
    uintptr_t code = specialise(kernels, folder, "texture", ops->name, entry, callee, constants, 2);
    report(code && same_samples((sample_kernel *)code, ops->sample, &key, &values), ops->name, entry);
}

static void try_level(const char *folder, const struct sch_ops *ops)
{
    struct kernels kernels = {.context = LLVMOrcCreateNewThreadSafeContext()};
    if (!start_jit(&kernels)) {
        report(false, ops->name, "LLJIT starts");
        LLVMOrcDisposeThreadSafeContext(kernels.context);
        return;
    }
    sch_op_fn *add = ops->op[SCH_OP_ADD], *mad = ops->op[SCH_OP_MAD];
    try_arithmetic(&kernels, folder, ops, "ADD", "F_FF", add, 0, "spike_add");
    try_arithmetic(&kernels, folder, ops, "MAD", "F_FFF", mad, 0, "spike_mad");
    try_arithmetic(&kernels, folder, ops, "MAD", "F_FFF", mad, SCH_RULE_PRECISE, "spike_mad_precise");
    try_sampling(&kernels, folder, ops, SCH_WRAPS_REPEAT, "spike_bilinear_repeat");
    try_sampling(&kernels, folder, ops, SCH_WRAPS_CLAMP_TO_EDGE, "spike_bilinear_clamp_to_edge");
    LLVMErrorRef error = LLVMOrcDisposeLLJIT(kernels.jit);
    if (error) note_error(error);
    LLVMOrcDisposeThreadSafeContext(kernels.context);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: spike_llvm FOLDER\n");
        return 2;
    }
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned i = 0; i < count; i++) try_level(argv[1], levels[i]);
    LLVMShutdown();
    printf("1..%u\n", tests_run);
    return tests_failed ? 1 : 0;
}
