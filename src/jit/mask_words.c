/* Logic of masks that come as words, as logic of words. LLVM 19's code generation does not end otherwise: an operation
 * of vectors of bits that both are words, met by a comparison and tested as a word, is made one of words by one of its
 * rules and one of vectors by another, for ever (seen at 16 lanes: a uniform comparison under the masks of both halves
 * of a group). Runs behind all passes, as they would turn it back. */
#include "jit/module.h"

/* The word of which a value is the bits; NULL: it is none. */
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

static void rewrite(LLVMBuilderRef build, LLVMValueRef logic)
{
    LLVMValueRef a = word_behind(LLVMGetOperand(logic, 0)), b = word_behind(LLVMGetOperand(logic, 1));
    if (!a || !b) return;
    LLVMPositionBuilderBefore(build, logic);
    LLVMValueRef word = LLVMBuildBinOp(build, LLVMGetInstructionOpcode(logic), a, b, "");
    LLVMReplaceAllUsesWith(logic, LLVMBuildBitCast(build, word, LLVMTypeOf(logic), ""));
    LLVMInstructionEraseFromParent(logic);
}

void jit_keep_mask_words(const struct jit_module *module)
{
    LLVMBuilderRef build = LLVMCreateBuilderInContext(module->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
                if (opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor) rewrite(build, i);
            }
    LLVMDisposeBuilder(build);
}
