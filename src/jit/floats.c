/* What LLVM's passes leave to be improved in code of floats. Products with -1 that are added in one step are
 * differences, which other units of the processor compute: c - a is rounded once, too, and has the same zeros.
 * a - FRC(a) is floor(a) (ops/alu/float.c), which was computed on the way.
 *
 * Selects and phis of what float arithmetic gives are made of floats. Registers are words, so that a write under a mask
 * selects words; when the value comes from float arithmetic and goes into it again, as around a loop, LLVM otherwise
 * keeps moves between the types there, and the select beside the operation instead of in it. */
#include "jit/module.h"

#include <string.h>

enum { MOST_ROUNDS = 4, MOST_INCOMING = 32 };

/* The vector of floats of which a value is the words; NULL if there is none. */
static LLVMValueRef float_behind(LLVMValueRef value)
{
    if (!LLVMIsABitCastInst(value)) return NULL;
    LLVMValueRef from = LLVMGetOperand(value, 0);
    LLVMTypeRef type = LLVMTypeOf(from), result = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetTypeKind(result) != LLVMVectorTypeKind) return NULL;
    if (LLVMGetVectorSize(type) != LLVMGetVectorSize(result)) return NULL;
    return LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMFloatTypeKind ? from : NULL;
}

static void replace(LLVMBuilderRef build, LLVMValueRef old, LLVMValueRef made)
{
    LLVMReplaceAllUsesWith(old, LLVMBuildBitCast(build, made, LLVMTypeOf(old), ""));
    LLVMInstructionEraseFromParent(old);
}

static bool retype_select(LLVMBuilderRef build, LLVMValueRef select)
{
    LLVMValueRef first = float_behind(LLVMGetOperand(select, 1)), second = float_behind(LLVMGetOperand(select, 2));
    if (!first && !second) return false;
    LLVMTypeRef type = LLVMTypeOf(first ? first : second);
    LLVMPositionBuilderBefore(build, select);
    if (!first) first = LLVMBuildBitCast(build, LLVMGetOperand(select, 1), type, "");
    if (!second) second = LLVMBuildBitCast(build, LLVMGetOperand(select, 2), type, "");
    replace(build, select, LLVMBuildSelect(build, LLVMGetOperand(select, 0), first, second, ""));
    return true;
}

/* The floats of what comes into a phi from a block; of a block that is there twice, the same. */
static LLVMValueRef incoming_float(LLVMBuilderRef build, LLVMValueRef phi, LLVMValueRef made, unsigned i)
{
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    for (unsigned k = 0; k < i; k++)
        if (LLVMGetIncomingBlock(made, k) == from) return LLVMGetIncomingValue(made, k);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i), floats = float_behind(value);
    if (floats) return floats;
    LLVMPositionBuilderBefore(build, LLVMGetBasicBlockTerminator(from));
    return LLVMBuildBitCast(build, value, LLVMTypeOf(made), "");
}

static LLVMValueRef behind_phis(LLVMValueRef phi)
{
    while (LLVMIsAPHINode(phi)) phi = LLVMGetNextInstruction(phi);
    return phi;
}

static bool retype_phi(LLVMBuilderRef build, LLVMValueRef phi)
{
    unsigned count = LLVMCountIncoming(phi);
    LLVMValueRef some = NULL;
    if (count > MOST_INCOMING) return false;
    for (unsigned i = 0; i < count && !some; i++) some = float_behind(LLVMGetIncomingValue(phi, i));
    if (!some) return false;
    LLVMPositionBuilderBefore(build, phi);
    LLVMValueRef made = LLVMBuildPhi(build, LLVMTypeOf(some), "");
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = incoming_float(build, phi, made, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMAddIncoming(made, &value, &from, 1);
    }
    LLVMPositionBuilderBefore(build, behind_phis(phi));
    replace(build, phi, made);
    return true;
}

static bool is_minus_one(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!LLVMIsAConstantDataVector(value) || LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMFloatTypeKind)
        return false;
    LLVMBool lost;
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++)
        if (LLVMConstRealGetDouble(LLVMGetAggregateElement(value, i), &lost) != -1.0) return false;
    return true;
}

static bool subtract(LLVMBuilderRef build, LLVMValueRef call)
{
    static const char fused[] = "llvm.fma";
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) != LLVMLookupIntrinsicID(fused, strlen(fused)))
        return false;
    LLVMValueRef left = LLVMGetOperand(call, 0), right = LLVMGetOperand(call, 1);
    if (!is_minus_one(left) && !is_minus_one(right)) return false;
    LLVMPositionBuilderBefore(build, call);
    LLVMValueRef other = is_minus_one(right) ? left : right;
    replace(build, call, LLVMBuildFSub(build, LLVMGetOperand(call, 2), other, ""));
    return true;
}

/* Whether a value is floor(x). The mode of x86's roundings has the direction in bits 0 and 1, and in bit 3 that no
 * exception is raised. */
static bool is_floor_of(LLVMValueRef value, LLVMValueRef x)
{
    static const char *const rounding[] = {"llvm.x86.sse41.round.ps", "llvm.x86.avx.round.ps.256",
                                           "llvm.x86.avx512.mask.rndscale.ps.512"};
    enum { DOWN = 1, DOWN_SILENTLY = 9 };
    if (!LLVMIsACallInst(value) || !LLVMIsAFunction(LLVMGetCalledValue(value)) || LLVMGetOperand(value, 0) != x)
        return false;
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(value), &length);
    if (strncmp(name, "llvm.floor.", strlen("llvm.floor.")) == 0) return true;
    bool rounds = false;
    for (size_t i = 0; i < sizeof rounding / sizeof *rounding; i++) rounds |= strcmp(name, rounding[i]) == 0;
    if (!rounds || !LLVMIsAConstantInt(LLVMGetOperand(value, 1))) return false;
    const unsigned long long mode = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
    return mode == DOWN || mode == DOWN_SILENTLY;
}

/* The floor(x) that FRC(x) was made with; NULL: the value is not FRC(x), which is x != floor(x) ? x - floor(x) : 0. */
static LLVMValueRef floor_behind(LLVMValueRef value, LLVMValueRef x)
{
    if (!LLVMIsASelectInst(value)) return NULL;
    LLVMValueRef test = LLVMGetOperand(value, 0);
    if (!LLVMIsAFCmpInst(test)) return NULL;
    const LLVMRealPredicate predicate = LLVMGetFCmpPredicate(test);
    if (predicate != LLVMRealUNE && predicate != LLVMRealOEQ) return NULL;
    const unsigned differs = predicate == LLVMRealUNE ? 1 : 2; /* the operand where x has a part */
    LLVMValueRef part = LLVMGetOperand(value, differs);
    if (!LLVMIsNull(LLVMGetOperand(value, 3 - differs)) || !LLVMIsABinaryOperator(part)) return NULL;
    if (LLVMGetInstructionOpcode(part) != LLVMFSub || LLVMGetOperand(part, 0) != x) return NULL;
    LLVMValueRef whole = LLVMGetOperand(part, 1), left = LLVMGetOperand(test, 0), right = LLVMGetOperand(test, 1);
    if (!(left == x && right == whole) && !(left == whole && right == x)) return NULL;
    return is_floor_of(whole, x) ? whole : NULL;
}

static bool take_floor(LLVMValueRef difference)
{
    if (LLVMGetInstructionOpcode(difference) != LLVMFSub) return false;
    LLVMValueRef whole = floor_behind(LLVMGetOperand(difference, 1), LLVMGetOperand(difference, 0));
    if (!whole) return false;
    LLVMReplaceAllUsesWith(difference, whole);
    LLVMInstructionEraseFromParent(difference);
    return true;
}

static size_t improve_block(LLVMBuilderRef build, LLVMBasicBlockRef block)
{
    size_t count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsASelectInst(i)) /* what was replaced is gone: one of these only */
            count += retype_select(build, i);
        else if (LLVMIsAPHINode(i))
            count += retype_phi(build, i);
        else if (LLVMIsACallInst(i))
            count += subtract(build, i);
        else if (LLVMIsABinaryOperator(i))
            count += take_floor(i);
    }
    return count;
}

size_t jit_improve_floats(const struct jit_module *module)
{
    size_t count = 0, before = SIZE_MAX;
    LLVMBuilderRef build = LLVMCreateBuilderInContext(module->context);
    for (unsigned round = 0; round < MOST_ROUNDS && count != before; round++) {
        before = count;
        for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f))
            for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
                count += improve_block(build, b);
    }
    LLVMDisposeBuilder(build);
    return count;
}
