/* See jit/stack.h. A frame that is larger than a page could reach over the guard page below a thread's stack, so every
 * function touches its frame page by page. Sizes are what LLVM says where a function wants to be warned of its frame
 * (`warn-stack-size`): of LLVM's options for a section of sizes its C interface has none. The section has the form of
 * that option, ".stack_sizes" (LLVM, "CodeGenerator", Emitting function stack size information): for each function its
 * address and the size as ULEB128, here of a fixed length, as they are filled in when code is there. */
#include "jit/stack.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRESS_BYTES = 8, SIZE_BYTES = 5, ENTRY_BYTES = ADDRESS_BYTES + SIZE_BYTES };

void jit_stack_swallow(LLVMDiagnosticInfoRef diagnostic, void *user)
{
    (void)diagnostic;
    (void)user;
}

/* ---- what LLVM reports ---- */

static struct jit_frame_size *frame_named(struct jit_stack *stack, const char *name, size_t bytes)
{
    for (size_t i = 0; i < stack->count; i++) {
        size_t length;
        const char *other = LLVMGetValueName2(stack->frames[i].function, &length);
        if (length == bytes && memcmp(name, other, length) == 0) return &stack->frames[i];
    }
    return NULL;
}

/* "<unknown>:0:0: stack frame size (N) exceeds limit (0) in function 'NAME'", where there is no place in a source. In a
 * function without a frame there is no report. */
static bool read_report(struct jit_stack *stack, const char *text)
{
    unsigned long long bytes = 0, limit;
    int end = 0;
    sscanf(text, "stack frame size (%llu) exceeds limit (%llu) in function '%n", &bytes, &limit, &end);
    if (!end) return false;
    const char *close = strrchr(text + end, '\'');
    struct jit_frame_size *frame = close ? frame_named(stack, text + end, (size_t)(close - text) - (size_t)end) : NULL;
    if (frame) frame->bytes = bytes;
    return frame != NULL;
}

static void note(LLVMDiagnosticInfoRef diagnostic, void *user)
{
    static const char begin[] = "stack frame size";
    struct jit_stack *stack = user;
    char *text = LLVMGetDiagInfoDescription(diagnostic);
    const char *report = strstr(text, begin);
    if (report && !read_report(stack, report)) stack->bad = true;
    LLVMDisposeMessage(text);
}

/* ---- before code is generated ---- */

static void set(const struct jit_module *module, LLVMValueRef function, const char *name, const char *value)
{
    LLVMAttributeRef made =
        LLVMCreateStringAttribute(module->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, made);
}

static void unset(LLVMValueRef function, const char *name)
{
    LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

static size_t list_functions(const struct jit_module *module, struct jit_frame_size *frames)
{
    size_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        if (frames) frames[count] = (struct jit_frame_size){.function = f};
        count++;
    }
    return count;
}

static void make_room(const struct jit_stack *stack, const struct jit_module *module)
{
    static const char section[] = ".pushsection .stack_sizes,\"o\",@progbits,.text\n", back[] = ".popsection\n";
    LLVMSetModuleInlineAsm2(module->module, section, sizeof section - 1);
    for (size_t i = 0; i < stack->count; i++) {
        size_t length;
        const char *name = LLVMGetValueName2(stack->frames[i].function, &length);
        char line[256];
        int bytes = snprintf(line, sizeof line, ".quad \"%.*s\"\n.byte 128,128,128,128,0\n", (int)length, name);
        LLVMAppendModuleInlineAsm(module->module, line, bytes > 0 ? (size_t)bytes : 0);
    }
    LLVMAppendModuleInlineAsm(module->module, back, sizeof back - 1);
}

bool jit_stack_open(struct jit_stack *stack, struct jit_module *module)
{
    *stack = (struct jit_stack){.count = list_functions(module, NULL)};
    stack->frames = malloc(stack->count * sizeof *stack->frames);
    if (!stack->frames) return false;
    list_functions(module, stack->frames);
    for (size_t i = 0; i < stack->count; i++) {
        LLVMValueRef function = stack->frames[i].function;
        unset(function, "no-stack-arg-probe");
        unset(function, "stack-probe-size"); /* a page, unless it says otherwise */
        set(module, function, "probe-stack", "inline-asm");
        set(module, function, "warn-stack-size", "0");
    }
    make_room(stack, module);
    LLVMContextSetDiagnosticHandler(module->context, note, stack);
    return true;
}

/* ---- what the quick way takes ---- */

static bool leaves_block(LLVMValueRef value, LLVMBasicBlockRef block)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != block) return true;
    }
    return false;
}

static bool is_call(LLVMValueRef instruction)
{
    if (!LLVMIsACallInst(instruction)) return false;
    LLVMValueRef called = LLVMGetCalledValue(instruction);
    return !LLVMIsAFunction(called) || !LLVMGetIntrinsicID(called);
}

static unsigned uses_of(LLVMValueRef value)
{
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) count++;
    return count;
}

/* Whether a value, all of whose uses are in its block, is used after the next call: no vector register lives through
 * one. `calls`: there is one. */
static bool outlives_call(LLVMValueRef value, bool calls)
{
    unsigned wanted = calls ? uses_of(value) : 0;
    for (LLVMValueRef i = LLVMGetNextInstruction(value); i && wanted; i = LLVMGetNextInstruction(i)) {
        const unsigned operands = (unsigned)LLVMGetNumOperands(i);
        for (unsigned o = 0; o < operands; o++) wanted -= LLVMGetOperand(i, o) == value;
        if (is_call(i)) break;
    }
    return wanted > 0;
}

uint64_t jit_stack_estimate(const struct jit_module *module)
{
    uint64_t bytes = 0;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            unsigned calls = 0; /* that come after the present instruction */
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) calls += is_call(i);
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                calls -= is_call(i);
                if (LLVMIsAAllocaInst(i))
                    bytes += LLVMABISizeOfType(layout, LLVMGetAllocatedType(i));
                else if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind &&
                         (leaves_block(i, b) || outlives_call(i, calls > 0)))
                    bytes += LLVMABISizeOfType(layout, LLVMTypeOf(i));
            }
        }
    return bytes;
}

/* ---- after it ---- */

static void put_size(char *to, uint64_t bytes)
{
    for (unsigned i = 0; i < SIZE_BYTES; i++)
        to[i] = (char)(uint8_t)((bytes >> 7 * i & 127) | (i + 1 < SIZE_BYTES ? 128 : 0));
}

/* The room for the sizes in an object that LLVM made; NULL: there is none of this size. */
static char *find_room(char *object, size_t wanted)
{
    Elf64_Ehdr header;
    Elf64_Shdr names, section;
    memcpy(&header, object, sizeof header);
    memcpy(&names, object + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
    for (unsigned n = 0; n < header.e_shnum; n++) {
        memcpy(&section, object + header.e_shoff + n * sizeof section, sizeof section);
        if (strcmp(object + names.sh_offset + section.sh_name, ".stack_sizes") != 0) continue;
        return section.sh_size == wanted ? object + section.sh_offset : NULL;
    }
    return NULL;
}

/* Sizes that have no room (32 GiB) are far more than an object may take: what says them is refused. */
bool jit_stack_close(struct jit_stack *stack, struct jit_module *module, char *object)
{
    LLVMContextSetDiagnosticHandler(module->context, jit_stack_swallow, NULL);
    bool good = !stack->bad;
    char *room = object ? find_room(object, stack->count * ENTRY_BYTES) : NULL;
    if (object && !room) good = false;
    for (size_t i = 0; i < stack->count; i++) {
        uint64_t bytes = stack->frames[i].bytes;
        stack->total += bytes + SCH_NATIVE_STACK_EACH;
        if (room && good) put_size(room + i * ENTRY_BYTES + ADDRESS_BYTES, bytes);
    }
    free(stack->frames);
    stack->frames = NULL;
    return good;
}
