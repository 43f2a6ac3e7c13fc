/* Drops the steps that make a NaN the canonical one where it cannot be seen which NaN it is. Every float operation of
 * src/ops ends in such a step, but most results only go into further float operations, and of those a NaN makes a NaN
 * whatever its bits are; what is stored, or taken as an integer, keeps the step.
 *
 * A value's NaNs are seen when one of its users lets them be seen: a user of any kind not listed here does, a compare
 * does not, a canonicalising select does not, and arithmetic, moves, phis and selects do when their own results'
 * are. */
#include "jit/archive.h"
#include "jit/module.h"

#include <stdlib.h>
#include <string.h>

/* What a user makes of an operand's NaN bits. */
enum use { USE_SHOWS, USE_HIDES, USE_PASSES };

enum { WORD_BITS = 32, MOST_STEPS = 3 };

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

static bool callee_begins(LLVMValueRef call, const char *prefix)
{
    size_t length;
    return strncmp(LLVMGetValueName2(LLVMGetCalledValue(call), &length), prefix, strlen(prefix)) == 0;
}

static bool callee_begins_with_any(LLVMValueRef call, const char *const prefixes[], size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) found |= callee_begins(call, prefixes[i]);
    return found;
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
                                        "llvm.x86.sse41.round.ps",
                                        "llvm.x86.avx.round.ps.",
                                        "llvm.x86.avx512.mask.rndscale.ps.",
                                        "llvm.x86.avx512.rsqrt14.ps.",
                                        "v_pow_any"};
    return callee_begins_with_any(call, names, sizeof names / sizeof *names);
}

/* Calls that make the same of every NaN: conversions to integers, functions of floats that src/ops has as a whole
 * (their names have the width, or nothing, after), and what their quick bodies take (jit/arithmetic.c). */
static bool hides_nans(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.x86.sse2.cvttps2dq",
                                        "llvm.x86.avx.cvtt.ps2dq.",
                                        "llvm.x86.avx512.mask.cvttps2dq.",
                                        "llvm.x86.avx512.mask.cvttps2udq.",
                                        "llvm.x86.avx512.fpclass.ps.",
                                        "llvm.arithmetic.fence.",
                                        JIT_VALUE_PREFIX "POW",
                                        JIT_VALUE_PREFIX "EX2",
                                        JIT_VALUE_PREFIX "LG2",
                                        JIT_VALUE_PREFIX "SIN",
                                        JIT_VALUE_PREFIX "COS"};
    return callee_begins_with_any(call, names, sizeof names / sizeof *names);
}

/* The value after moves between types of 32 bits and changes of the sign: it is a NaN where `value` is one. */
static LLVMValueRef base(LLVMValueRef value)
{
    for (;;) {
        bool moved = is_opcode(value, LLVMBitCast) && is_word_vector(LLVMGetOperand(value, 0));
        bool absolute = is_opcode(value, LLVMCall) && callee_begins(value, "llvm.fabs.");
        if (!moved && !is_opcode(value, LLVMFNeg) && !absolute) return value;
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
                    is_opcode(value, LLVMFDiv) || (is_opcode(value, LLVMCall) && callee_begins(value, "llvm.fma."));
    for (int i = 0; computes && steps && i < LLVMGetNumOperands(value); i++)
        if (makes_nan(LLVMGetOperand(value, (unsigned)i), from, steps - 1)) return true;
    return false;
}

static bool is_canonical_nan(LLVMValueRef value)
{
    if (!LLVMIsAConstantDataVector(value)) return false; /* of numbers alone: none is undefined */
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(value)); i++) {
        LLVMValueRef element = LLVMGetAggregateElement(value, i);
        LLVMBool lost;
        const double number = LLVMIsAConstantFP(element) ? LLVMConstRealGetDouble(element, &lost) : 0;
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        if (LLVMIsAConstantInt(element) ? LLVMConstIntGetZExtValue(element) != 0x7fc00000u
                                        : bits != UINT64_C(0x7ff8) << 48)
            return false;
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
    return is_opcode(value, LLVMCall) && callee_begins_with_any(value, names, sizeof names / sizeof *names);
}

/* Whether an address is in a variable whose readers make the same of every NaN. */
static bool takes_any_nan(LLVMValueRef address)
{
    size_t length;
    while (is_opcode(address, LLVMGetElementPtr)) address = LLVMGetOperand(address, 0);
    return is_opcode(address, LLVMAlloca) &&
           strncmp(LLVMGetValueName2(address, &length), JIT_ANY_NAN, sizeof JIT_ANY_NAN - 1) == 0;
}

/* Whether a user never gives the NaNs of an operand: the first of a limit, what is stored where any NaN does, or what
 * is selected where a comparison finds it to be a number. */
static bool loses_nans(LLVMValueRef user, unsigned operand)
{
    if (is_limit(user)) return operand == 0;
    if (is_opcode(user, LLVMStore)) return operand == 0 && takes_any_nan(LLVMGetOperand(user, 1));
    if (!is_opcode(user, LLVMSelect)) return false;
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

/* Instructions in the order of their addresses; for each, whether the bits of its NaNs are seen. */
struct walk {
    struct seen {
        LLVMValueRef value;
        bool seen;
    } * items;
    LLVMValueRef *open; /* values that are seen, whose operands are not done */
    size_t count, open_count;
};

static int by_address(const void *a, const void *b)
{
    const uintptr_t left = (uintptr_t)((const struct seen *)a)->value;
    const uintptr_t right = (uintptr_t)((const struct seen *)b)->value;
    return (left > right) - (left < right);
}

/* NULL: no instruction, but a constant or a parameter. */
static struct seen *find(const struct walk *walk, LLVMValueRef value)
{
    return bsearch(&(struct seen){.value = value}, walk->items, walk->count, sizeof *walk->items, by_address);
}

static void see(struct walk *walk, LLVMValueRef value)
{
    struct seen *item = find(walk, value);
    if (!item || item->seen) return;
    item->seen = true;
    walk->open[walk->open_count++] = value;
}

static void see_operands(struct walk *walk, LLVMValueRef user)
{
    int count = LLVMGetNumOperands(user);
    for (int i = 0; i < count; i++)
        if (!loses_nans(user, (unsigned)i)) see(walk, LLVMGetOperand(user, (unsigned)i));
}

static void list_instructions(const struct jit_module *module, struct walk *walk)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                walk->items[walk->count++].value = i;
    qsort(walk->items, walk->count, sizeof *walk->items, by_address);
}

static void see_all(struct walk *walk)
{
    for (size_t i = 0; i < walk->count; i++)
        if (use_of(walk->items[i].value) == USE_SHOWS) see_operands(walk, walk->items[i].value);
    while (walk->open_count) {
        LLVMValueRef value = walk->open[--walk->open_count];
        if (use_of(value) == USE_PASSES) see_operands(walk, value);
    }
}

/* In the order of the code: what is found depends on what was dropped before. */
static size_t drop_unseen(const struct walk *walk, LLVMBasicBlockRef block)
{
    size_t dropped = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        LLVMValueRef kept;
        next = LLVMGetNextInstruction(i);
        if (find(walk, i)->seen || !is_canonicalising(i, &kept)) continue;
        LLVMReplaceAllUsesWith(i, kept);
        LLVMInstructionEraseFromParent(i);
        dropped++;
    }
    return dropped;
}

size_t jit_drop_nans(const struct jit_module *module)
{
    const size_t count = jit_count(module);
    struct walk walk = {.items = calloc(count, sizeof *walk.items), .open = calloc(count, sizeof *walk.open)};
    size_t dropped = 0;
    if (walk.items && walk.open) {
        list_instructions(module, &walk);
        see_all(&walk);
        for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f))
            for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
                dropped += drop_unseen(&walk, b);
    }
    free(walk.items);
    free(walk.open);
    return dropped;
}
