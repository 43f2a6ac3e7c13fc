/* Drops the steps that make a NaN the canonical one where nobody can see which NaN it is. Every float operation of
 * src/ops ends in such a step, but most results only go into further float operations, and of those a NaN makes a NaN
 * whatever its bits are; what is stored, or taken as an integer, keeps the step.
 *
 * A value's NaNs are seen when one of its users lets them be seen: a user of any kind not listed here does, a compare
 * does not, a canonicalising select does not, and arithmetic, moves, phis and selects do when their own results' are.
 */
#include "jit/archive.h"
#include "jit/module.h"

#include <stdlib.h>
#include <string.h>

/* What a user makes of an operand's NaN bits. */
enum use { USE_SHOWS, USE_HIDES, USE_PASSES };

enum { WORD_BITS = 32, MOST_STEPS = 3 };

/* ---- a set of values ---- */

struct set {
    LLVMValueRef *slots;
    size_t mask;
};

static LLVMValueRef *set_slot(const struct set *set, LLVMValueRef value)
{
    size_t at = ((uintptr_t)value >> 4) * 0x9e3779b1u & set->mask;
    while (set->slots[at] && set->slots[at] != value) at = (at + 1) & set->mask;
    return &set->slots[at];
}

/* ---- what an instruction is ---- */

static bool is_word_vector(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return false;
    LLVMTypeRef element = LLVMGetElementType(type);
    if (LLVMGetTypeKind(element) == LLVMFloatTypeKind) return true;
    return LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == WORD_BITS;
}

static bool is_opcode(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static bool callee_begins(LLVMValueRef call, const char *const prefixes[], size_t count)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee)) return false;
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

static bool is_absolute(LLVMValueRef value)
{
    static const char *const names[] = {"llvm.fabs."};
    return is_opcode(value, LLVMCall) && callee_begins(value, names, 1);
}

static bool is_fused(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.fma."};
    return callee_begins(call, names, 1);
}

/* Calls that are arithmetic: of a NaN they make a NaN. */
static bool is_arithmetic(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.fma.",
                                        "llvm.fabs.",
                                        "llvm.sqrt.",
                                        "llvm.floor.",
                                        "llvm.ceil.",
                                        "llvm.trunc.",
                                        "llvm.rint.",
                                        "llvm.nearbyint.",
                                        "llvm.roundeven.",
                                        "llvm.x86.avx512.mask.rndscale.ps.",
                                        "llvm.x86.avx512.rsqrt14.ps.",
                                        "v_pow_any"};
    return callee_begins(call, names, sizeof names / sizeof *names);
}

/* Calls that make the same of every NaN: conversions to integers, and functions of floats that src/ops has as a whole
 * (their names have the width, or nothing, behind). */
static bool hides_nans(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.x86.sse2.cvttps2dq",
                                        "llvm.x86.avx.cvtt.ps2dq.",
                                        "llvm.x86.avx512.mask.cvttps2dq.",
                                        "llvm.x86.avx512.mask.cvttps2udq.",
                                        "llvm.x86.avx512.fpclass.ps.",
                                        JIT_VALUE_PREFIX "POW",
                                        JIT_VALUE_PREFIX "EX2",
                                        JIT_VALUE_PREFIX "LG2",
                                        JIT_VALUE_PREFIX "SIN",
                                        JIT_VALUE_PREFIX "COS"};
    return callee_begins(call, names, sizeof names / sizeof *names);
}

/* The value behind moves between types of 32 bits and changes of the sign: it is a NaN where `value` is one. */
static LLVMValueRef base(LLVMValueRef value)
{
    for (;;) {
        bool moved = is_opcode(value, LLVMBitCast) && is_word_vector(LLVMGetOperand(value, 0));
        if (!moved && !is_opcode(value, LLVMFNeg) && !is_absolute(value)) return value;
        value = LLVMGetOperand(value, 0);
    }
}

/* Whether a value is a NaN wherever `from`, which has no base of its own, is one: it is made of it by arithmetic. (The
 * sum of a number and a constant is a NaN only then, so that LLVM tests `from` instead.) */
static bool makes_nan(LLVMValueRef value, LLVMValueRef from, unsigned steps)
{
    value = base(value);
    if (value == from) return true;
    bool computes = is_opcode(value, LLVMFAdd) || is_opcode(value, LLVMFSub) || is_opcode(value, LLVMFMul) ||
                    is_opcode(value, LLVMFDiv) || (is_opcode(value, LLVMCall) && is_fused(value));
    for (int i = 0; computes && steps && i < LLVMGetNumOperands(value); i++)
        if (makes_nan(LLVMGetOperand(value, (unsigned)i), from, steps - 1)) return true;
    return false;
}

static bool is_canonical_nan(LLVMValueRef value)
{
    if (!LLVMIsConstant(value) || !is_word_vector(value)) return false;
    bool is_float = LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(value))) == LLVMFloatTypeKind;
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(value)); i++) {
        LLVMValueRef element = LLVMGetAggregateElement(value, i);
        if (!element || !LLVMIsConstant(element) || LLVMIsUndef(element)) return false;
        if (!is_float && LLVMConstIntGetZExtValue(element) != 0x7fc00000u) return false;
        LLVMBool lost;
        double number = is_float ? LLVMConstRealGetDouble(element, &lost) : 0;
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        if (is_float && bits != UINT64_C(0x7ff8) << 48) return false;
    }
    return true;
}

/* Whether a select gives the canonical NaN where `*kept`, its other operand, is a NaN. */
static bool is_canonicalising(LLVMValueRef select, LLVMValueRef *kept)
{
    if (!is_opcode(select, LLVMSelect) || !is_word_vector(select)) return false;
    LLVMValueRef condition = LLVMGetOperand(select, 0);
    if (!is_opcode(condition, LLVMFCmp)) return false;
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(condition);
    if (predicate != LLVMRealORD && predicate != LLVMRealUNO) return false;
    unsigned number = predicate == LLVMRealORD ? 1 : 2; /* operand that is a number */
    if (!is_canonical_nan(LLVMGetOperand(select, 3 - number))) return false;
    *kept = LLVMGetOperand(select, number);
    LLVMValueRef left = LLVMGetOperand(condition, 0), right = LLVMGetOperand(condition, 1);
    return (right == left || LLVMIsNull(right)) && makes_nan(*kept, base(left), MOST_STEPS);
}

/* x86's maximum and minimum give their second operand where either is a NaN, so of the first a NaN is never seen. */
static bool is_limit(LLVMValueRef value)
{
    static const char *const names[] = {"llvm.x86.sse.max.ps",     "llvm.x86.sse.min.ps",
                                        "llvm.x86.avx.max.ps.256", "llvm.x86.avx.min.ps.256",
                                        "llvm.x86.avx512.max.ps.", "llvm.x86.avx512.min.ps."};
    return is_opcode(value, LLVMCall) && callee_begins(value, names, sizeof names / sizeof *names);
}

/* Whether a user never gives the NaNs of an operand: the first of a limit, or what is selected where a comparison finds
 * it to be a number. */
static bool loses_nans(LLVMValueRef user, unsigned operand)
{
    if (is_limit(user)) return operand == 0;
    if (!is_opcode(user, LLVMSelect) || operand == 0) return false;
    LLVMValueRef condition = LLVMGetOperand(user, 0), chosen = base(LLVMGetOperand(user, operand));
    if (!is_opcode(condition, LLVMFCmp)) return false;
    if (base(LLVMGetOperand(condition, 0)) != chosen && base(LLVMGetOperand(condition, 1)) != chosen) return false;
    switch (LLVMGetFCmpPredicate(condition)) {
    case LLVMRealOEQ:
    case LLVMRealOGT:
    case LLVMRealOGE:
    case LLVMRealOLT:
    case LLVMRealOLE:
    case LLVMRealONE:
    case LLVMRealORD:
        return operand == 1;
    case LLVMRealUNO:
    case LLVMRealUEQ:
    case LLVMRealUGT:
    case LLVMRealUGE:
    case LLVMRealULT:
    case LLVMRealULE:
    case LLVMRealUNE:
        return operand == 2;
    default:
        return false;
    }
}

static enum use use_of(LLVMValueRef user)
{
    LLVMValueRef kept;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMFCmp:
    case LLVMFPToSI:
    case LLVMFPToUI:
        return USE_HIDES;
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMPHI:
    case LLVMFreeze:
    case LLVMShuffleVector:
        return USE_PASSES;
    case LLVMSelect:
        return is_canonicalising(user, &kept) ? USE_HIDES : USE_PASSES;
    case LLVMBitCast:
        return is_word_vector(user) && is_word_vector(LLVMGetOperand(user, 0)) ? USE_PASSES : USE_SHOWS;
    case LLVMCall:
        if (hides_nans(user)) return USE_HIDES;
        return is_arithmetic(user) || is_limit(user) ? USE_PASSES : USE_SHOWS;
    default:
        return USE_SHOWS;
    }
}

/* ---- the walk ---- */

struct walk {
    struct set seen;    /* values whose NaNs are seen */
    LLVMValueRef *open; /* of those, the ones whose operands are not done */
    size_t open_count;
};

static void see(struct walk *walk, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value)) return;
    LLVMValueRef *slot = set_slot(&walk->seen, value);
    if (*slot) return;
    *slot = value;
    walk->open[walk->open_count++] = value;
}

static void see_operands(struct walk *walk, LLVMValueRef user)
{
    int count = LLVMGetNumOperands(user);
    for (int i = 0; i < count; i++)
        if (!loses_nans(user, (unsigned)i)) see(walk, LLVMGetOperand(user, (unsigned)i));
}

#define EACH_INSTRUCTION(i, function)                                                                                  \
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))      \
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i && (next = LLVMGetNextInstruction(i), true);     \
             i = next)

static size_t drop_in(LLVMValueRef function, struct walk *walk)
{
    size_t dropped = 0;
    EACH_INSTRUCTION(i, function)
    if (use_of(i) == USE_SHOWS) see_operands(walk, i);
    while (walk->open_count) {
        LLVMValueRef value = walk->open[--walk->open_count];
        if (use_of(value) == USE_PASSES) see_operands(walk, value);
    }
    EACH_INSTRUCTION(i, function)
    {
        LLVMValueRef kept;
        if (!is_canonicalising(i, &kept) || *set_slot(&walk->seen, i)) continue;
        LLVMReplaceAllUsesWith(i, kept);
        LLVMInstructionEraseFromParent(i);
        dropped++;
    }
    return dropped;
}

size_t jit_drop_nans(const struct jit_module *module)
{
    size_t count = jit_count(module), slots = 64, dropped = 0;
    while (slots < 2 * count) slots *= 2;
    struct walk walk = {.seen = {.slots = calloc(slots, sizeof(LLVMValueRef)), .mask = slots - 1},
                        .open = calloc(count + 1, sizeof(LLVMValueRef))};
    if (walk.seen.slots && walk.open)
        for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f))
            dropped += drop_in(f, &walk);
    free(walk.seen.slots);
    free(walk.open);
    return dropped;
}
