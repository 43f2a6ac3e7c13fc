/* Masks that come as words, in a form that LLVM 19's code generation for AVX-512 can end with. Two of its rules undo
 * each other forever where two words are used as vectors of bits and both are joined by OR: one makes the OR of
 * vectors, as both operands are bitcasts, a bitcast of the OR of words (hoistLogicOpWithSameOpcodeHands); the other
 * makes that an OR of vectors, as both words are there as vectors already (combineBitcastToBoolVector). ORs also come
 * from selects of masks while code is generated, so that what would help is not a form of an OR: no word becomes bits
 * by a bitcast. Runs after all passes, as they know what a bitcast is. */
#include "jit/module.h"

#include <string.h>

/* The word of which a value is the bits; NULL if there is none. */
static LLVMValueRef word_behind(LLVMValueRef value)
{
    if (!LLVMIsABitCastInst(value)) return NULL;
    LLVMValueRef word = LLVMGetOperand(value, 0);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(LLVMTypeOf(word)) != LLVMIntegerTypeKind || LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return NULL;
    LLVMTypeRef element = LLVMGetElementType(type);
    bool bits = LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 1;
    return bits ? word : NULL;
}

/* The bits of a word by the instruction that moves it into a mask register, which nothing looks into: code generation
 * sees a register that holds bits, no bitcast. */
static void move(LLVMBuilderRef build, LLVMValueRef bits)
{
    enum { WORD_BITS = 16 };
    static const char text[] = "kmovw ${1:k}, $0", constraints[] = "=k,r";
    LLVMValueRef word = word_behind(bits);
    if (!word || LLVMIsAConstant(word) || LLVMGetIntTypeWidth(LLVMTypeOf(word)) != WORD_BITS) return;
    LLVMTypeRef type = LLVMTypeOf(word), call = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef moved = LLVMGetInlineAsm(call, text, sizeof text - 1, constraints, sizeof constraints - 1, false,
                                          false, LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(build, bits);
    LLVMSetOperand(bits, 0, LLVMBuildCall2(build, call, moved, &word, 1, ""));
}

static bool has_mask_registers(LLVMValueRef function)
{
    static const char name[] = "target-features", wanted[] = "+avx512f,";
    LLVMAttributeRef features =
        LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, sizeof name - 1);
    unsigned length;
    const char *text = features ? LLVMGetStringAttributeValue(features, &length) : NULL;
    return text && memmem(text, length, wanted, sizeof wanted - 1);
}

void jit_keep_mask_words(const struct jit_module *module)
{
    LLVMBuilderRef build = LLVMCreateBuilderInContext(module->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = has_mask_registers(f) ? LLVMGetFirstBasicBlock(f) : NULL; b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) move(build, i);
    LLVMDisposeBuilder(build);
}
