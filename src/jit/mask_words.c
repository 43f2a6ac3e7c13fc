/* Masks that come as words, in a form that LLVM 19's code generation for AVX-512 can end with. Two of its rules undo
 * each other for ever where two words are used as vectors of bits and both are joined by OR: one makes the OR of
 * vectors, as both operands are bitcasts, a bitcast of the OR of words (hoistLogicOpWithSameOpcodeHands); the other
 * makes that an OR of vectors, as both words are there as vectors already (combineBitcastToBoolVector). So logic of
 * such vectors becomes logic of words here, and where its result is used as a vector, nothing sees that it is an OR, or
 * what may become one. Runs behind all passes, as they would turn it back. */
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
    LLVMOpcode opcode = LLVMGetInstructionOpcode(logic);
    if (opcode != LLVMAnd && opcode != LLVMOr && opcode != LLVMXor) return;
    LLVMValueRef a = word_behind(LLVMGetOperand(logic, 0)), b = word_behind(LLVMGetOperand(logic, 1));
    if (!a || !b) return;
    LLVMPositionBuilderBefore(build, logic);
    LLVMValueRef word = LLVMBuildBinOp(build, opcode, a, b, "");
    LLVMReplaceAllUsesWith(logic, LLVMBuildBitCast(build, word, LLVMTypeOf(logic), ""));
    LLVMInstructionEraseFromParent(logic);
}

/* Whether code generation may make an OR of it (XOR and ADD where no bit is in both; a complement never is one). */
static bool may_be_or(LLVMValueRef word)
{
    if (!LLVMIsABinaryOperator(word)) return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(word);
    if (opcode == LLVMOr) return true;
    if (LLVMIsAConstant(LLVMGetOperand(word, 0)) || LLVMIsAConstant(LLVMGetOperand(word, 1))) return false;
    return opcode == LLVMXor || opcode == LLVMAdd;
}

/* The bits of a word that is an OR: of what an empty piece of assembly gives, which is the word. */
static void hide(LLVMBuilderRef build, LLVMValueRef bits)
{
    LLVMValueRef word = word_behind(bits);
    if (!word || !may_be_or(word)) return;
    LLVMTypeRef type = LLVMTypeOf(word), call = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef same = LLVMGetInlineAsm(call, "", 0, "=r,0", 4, false, false, LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(build, bits);
    LLVMSetOperand(bits, 0, LLVMBuildCall2(build, call, same, &word, 1, ""));
}

static void for_each(const struct jit_module *module, void (*act)(LLVMBuilderRef build, LLVMValueRef instruction))
{
    LLVMBuilderRef build = LLVMCreateBuilderInContext(module->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                act(build, i);
            }
    LLVMDisposeBuilder(build);
}

void jit_keep_mask_words(const struct jit_module *module)
{
    for_each(module, rewrite);
    for_each(module, hide);
}
