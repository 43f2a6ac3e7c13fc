/* Sets of lanes: the masks of control flow. Where the processor has mask registers, a set is a vector of bits per
 * vector of lanes, so that comparisons give it, selects take it and loops carry it as it is; else it is one 32-bit
 * word. Holds no control flow: see jit/flow.c. */
#include "jit/emit.h"

void jit_choose_masks(struct jit_emitter *e)
{
    e->mask_parts = strcmp(e->request->level, "w16v4") == 0 && !e->compact ? e->vectors : 1;
    e->has_avx2_masks = strcmp(e->request->level, "w8v3") == 0;
    e->mask_type = e->mask_parts > 1 ? e->bits : e->i32;
}

/* ---- constants and variables ---- */

struct jit_mask jit_mask_all(const struct jit_emitter *e)
{
    struct jit_mask mask;
    for (unsigned p = 0; p < e->mask_parts; p++) mask.part[p] = LLVMConstAllOnes(e->mask_type);
    return mask;
}

struct jit_mask jit_mask_none(const struct jit_emitter *e)
{
    struct jit_mask mask;
    for (unsigned p = 0; p < e->mask_parts; p++) mask.part[p] = LLVMConstNull(e->mask_type);
    return mask;
}

bool jit_mask_is_all(const struct jit_emitter *e, const struct jit_mask *mask)
{
    for (unsigned p = 0; p < e->mask_parts; p++)
        if (mask->part[p] != LLVMConstAllOnes(e->mask_type)) return false;
    return true;
}

struct jit_mask jit_mask_variable(struct jit_emitter *e, const char *name)
{
    struct jit_mask variable;
    for (unsigned p = 0; p < e->mask_parts; p++) variable.part[p] = jit_variable(e, e->mask_type, name);
    return variable;
}

struct jit_mask jit_mask_get(struct jit_emitter *e, const struct jit_mask *variable)
{
    struct jit_mask mask;
    for (unsigned p = 0; p < e->mask_parts; p++) mask.part[p] = jit_get(e, variable->part[p], e->mask_type);
    return mask;
}

void jit_mask_set(struct jit_emitter *e, const struct jit_mask *variable, struct jit_mask mask)
{
    for (unsigned p = 0; p < e->mask_parts; p++) LLVMBuildStore(e->build, mask.part[p], variable->part[p]);
}

/* ---- algebra ---- */

struct jit_mask jit_mask_and(struct jit_emitter *e, struct jit_mask a, struct jit_mask b)
{
    for (unsigned p = 0; p < e->mask_parts; p++) a.part[p] = LLVMBuildAnd(e->build, a.part[p], b.part[p], "");
    return a;
}

struct jit_mask jit_mask_or(struct jit_emitter *e, struct jit_mask a, struct jit_mask b)
{
    for (unsigned p = 0; p < e->mask_parts; p++) a.part[p] = LLVMBuildOr(e->build, a.part[p], b.part[p], "");
    return a;
}

struct jit_mask jit_mask_without(struct jit_emitter *e, struct jit_mask a, struct jit_mask b)
{
    for (unsigned p = 0; p < e->mask_parts; p++)
        a.part[p] = LLVMBuildAnd(e->build, a.part[p], LLVMBuildNot(e->build, b.part[p], ""), "");
    return a;
}

LLVMValueRef jit_mask_any(struct jit_emitter *e, struct jit_mask mask)
{
    LLVMBuilderRef b = e->build;
    LLVMValueRef word = mask.part[0];
    for (unsigned p = 1; p < e->mask_parts; p++) word = LLVMBuildOr(b, word, mask.part[p], "");
    if (e->mask_parts > 1) word = LLVMBuildBitCast(b, word, LLVMIntTypeInContext(e->module->context, e->lanes), "");
    return LLVMBuildICmp(b, LLVMIntNE, word, LLVMConstNull(LLVMTypeOf(word)), "");
}

/* ---- words and vectors ---- */

/* One vector's bits, from those of the group. */
static LLVMValueRef vector_of_word(struct jit_emitter *e, LLVMValueRef bits, unsigned v)
{
    LLVMBuilderRef b = e->build;
    if (e->lanes == 16) { /* as mask registers have them */
        LLVMValueRef part = v ? LLVMBuildLShr(b, bits, jit_word(e, v * e->lanes), "") : bits;
        return LLVMBuildBitCast(b, LLVMBuildTrunc(b, part, e->i16, ""), e->bits, "");
    }
    LLVMValueRef lanes[SCH_GROUP_LANES];
    for (unsigned i = 0; i < e->lanes; i++) {
        const unsigned bit = v * e->lanes + i;
        lanes[i] = jit_word(e, e->has_avx2_masks ? 31 - bit : 1u << bit);
    }
    LLVMValueRef splat = jit_splat(e, bits), by_lane = LLVMConstVector(lanes, e->lanes);
    if (e->has_avx2_masks) /* to the sign, by which AVX2 selects */
        return LLVMBuildICmp(b, LLVMIntSLT, LLVMBuildShl(b, splat, by_lane, ""), LLVMConstNull(e->vector), "");
    return LLVMBuildICmp(b, LLVMIntNE, LLVMBuildAnd(b, splat, by_lane, ""), LLVMConstNull(e->vector), "");
}

LLVMValueRef jit_vector_bits(struct jit_emitter *e, LLVMValueRef bits, unsigned v)
{
    return vector_of_word(e, bits, v);
}

static LLVMValueRef call_avx2(struct jit_emitter *e, const char *name, unsigned count, LLVMValueRef arguments[])
{
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module->module, id, NULL, 0);
    return LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

/* The bits of a group with AVX2, from vectors of 0 or all ones in each lane: they become one of bytes, four lanes of
 * each in turn, of which the signs are the bits. */
static LLVMValueRef word_of_packed(struct jit_emitter *e, const LLVMValueRef lanes[])
{
    static const unsigned order[8] = {0, 4, 1, 5, 2, 6, 3, 7};
    LLVMBuilderRef b = e->build;
    LLVMValueRef words[2], halves[8];
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef pair[2] = {lanes[2 * i], lanes[2 * i + 1]};
        words[i] = call_avx2(e, "llvm.x86.avx2.packssdw", 2, pair);
    }
    LLVMValueRef bytes = call_avx2(e, "llvm.x86.avx2.packsswb", 2, words), packed = bytes;
    for (unsigned i = 0; i < 8; i++) halves[i] = jit_word(e, order[i]);
    packed = LLVMBuildBitCast(b, packed, e->vector, "");
    packed = LLVMBuildShuffleVector(b, packed, packed, LLVMConstVector(halves, 8), "");
    packed = LLVMBuildBitCast(b, packed, LLVMTypeOf(bytes), "");
    return call_avx2(e, "llvm.x86.avx2.pmovmskb", 1, &packed);
}

/* The bits of a group, from those of each vector. */
static LLVMValueRef word_of_vectors(struct jit_emitter *e, const LLVMValueRef bits[])
{
    LLVMBuilderRef b = e->build;
    if (e->has_avx2_masks) {
        LLVMValueRef lanes[4];
        for (unsigned v = 0; v < 4; v++) lanes[v] = LLVMBuildSExt(b, bits[v], e->vector, "");
        return word_of_packed(e, lanes);
    }
    LLVMTypeRef narrow = LLVMIntTypeInContext(e->module->context, e->lanes);
    LLVMValueRef all = NULL;
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef word = LLVMBuildZExt(b, LLVMBuildBitCast(b, bits[v], narrow, ""), e->i32, "");
        if (v) word = LLVMBuildShl(b, word, jit_word(e, v * e->lanes), "");
        all = all ? LLVMBuildOr(b, all, word, "") : word;
    }
    return all;
}

struct jit_mask jit_mask_of_bits(struct jit_emitter *e, LLVMValueRef bits)
{
    struct jit_mask mask = {{bits}};
    for (unsigned p = 0; p < e->mask_parts && e->mask_parts > 1; p++) mask.part[p] = vector_of_word(e, bits, p);
    return mask;
}

LLVMValueRef jit_mask_bits(struct jit_emitter *e, struct jit_mask mask)
{
    if (jit_mask_is_all(e, &mask)) return jit_word(e, UINT32_MAX);
    return e->mask_parts > 1 ? word_of_vectors(e, mask.part) : mask.part[0];
}

LLVMValueRef jit_mask_vector(struct jit_emitter *e, const struct jit_mask *mask, unsigned v)
{
    return e->mask_parts > 1 ? mask->part[v] : vector_of_word(e, mask->part[0], v);
}

static void bits_of_lanes(struct jit_emitter *e, const struct jit_value *lanes, LLVMValueRef bits[])
{
    for (unsigned v = 0; v < e->vectors; v++)
        bits[v] = LLVMBuildICmp(e->build, LLVMIntNE, lanes->part[v], LLVMConstNull(e->vector), "");
}

struct jit_mask jit_mask_of_lanes(struct jit_emitter *e, const struct jit_value *lanes)
{
    LLVMValueRef bits[JIT_MAX_VECTORS];
    bits_of_lanes(e, lanes, bits);
    struct jit_mask mask = {{NULL}};
    if (e->mask_parts == 1) mask.part[0] = word_of_vectors(e, bits);
    for (unsigned p = 0; p < e->mask_parts && e->mask_parts > 1; p++) mask.part[p] = bits[p];
    return mask;
}

struct jit_mask jit_mask_of_followed(struct jit_emitter *e, const struct jit_value *lanes)
{
    return (struct jit_mask){{word_of_packed(e, lanes->part)}};
}

LLVMValueRef jit_bits_of(struct jit_emitter *e, const struct jit_value *lanes)
{
    LLVMValueRef bits[JIT_MAX_VECTORS];
    bits_of_lanes(e, lanes, bits);
    return word_of_vectors(e, bits);
}

/* ---- the lanes that execute ---- */

struct jit_mask jit_lanes(struct jit_emitter *e)
{
    if (e->exec) return e->executing;
    bool all = jit_is_whole(e, jit_around(e));
    e->executing = all ? jit_mask_all(e) : jit_mask_get(e, &e->exec_variable);
    e->exec = jit_mask_bits(e, e->executing);
    return e->executing;
}

LLVMValueRef jit_exec(struct jit_emitter *e)
{
    jit_lanes(e);
    return e->exec;
}

bool jit_is_all(const struct jit_emitter *e) { return e->exec && jit_mask_is_all(e, &e->executing); }

LLVMValueRef jit_mask(struct jit_emitter *e, unsigned v)
{
    struct jit_mask lanes = jit_lanes(e);
    if (jit_is_all(e)) return NULL;
    const LLVMValueRef *followed = jit_around(e) == SCH_FLOW_NONE ? NULL : e->plan.constructs[jit_around(e)].followed;
    if (!e->mask[v] && followed && followed[v])
        e->mask[v] =
            LLVMBuildICmp(e->build, LLVMIntSLT, jit_get(e, followed[v], e->vector), LLVMConstNull(e->vector), "");
    if (!e->mask[v]) e->mask[v] = jit_mask_vector(e, &lanes, v);
    return e->mask[v];
}
