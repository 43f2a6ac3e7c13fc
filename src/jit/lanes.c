/* Opcodes that look at the lane itself or at the other lanes of the group, as exec/lanes.c has them: masks are words,
 * so that votes and ballots are comparisons of words. Lanes that execute are active, helpers too. */
#include "jit/emit.h"

#include <stddef.h>

typedef const struct sch_prepared_instruction instruction;

static void splat(struct jit_emitter *e, LLVMValueRef word, struct jit_value *value)
{
    LLVMValueRef lanes = jit_splat(e, word);
    for (unsigned v = 0; v < e->vectors; v++) value->part[v] = lanes;
}

/* The lanes where a condition of jit/shapes.h or a comparison holds. */
static LLVMValueRef lanes_where(struct jit_emitter *e, const char *name, unsigned operands,
                                const struct jit_value *const operand[])
{
    struct jit_value holds;
    jit_operate(e, name, 0, operands, operand, 1, (struct jit_value *const[]){&holds});
    return jit_bits_of(e, &holds);
}

static void operate(struct jit_emitter *e, const char *name, const struct jit_value *a, const struct jit_value *b,
                    struct jit_value *result)
{
    jit_operate(e, name, 0, 2, (const struct jit_value *const[]){a, b}, 1, (struct jit_value *const[]){result});
}

/* Lanes that execute and whose value is set. */
static LLVMValueRef set_lanes(struct jit_emitter *e, instruction *in)
{
    struct jit_value value;
    jit_read_source(e, &in->src[0], 0, &value);
    LLVMValueRef set = lanes_where(e, "nonzero_u32", 1, (const struct jit_value *const[]){&value});
    return LLVMBuildAnd(e->build, set, jit_exec(e), "");
}

static LLVMValueRef truth(struct jit_emitter *e, LLVMValueRef condition)
{
    return LLVMBuildSExt(e->build, condition, e->i32, "");
}

/* The first lane that executes; there is one. */
static LLVMValueRef first_lane(struct jit_emitter *e)
{
    unsigned id = LLVMLookupIntrinsicID("llvm.cttz", 9);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module->module, id, &e->i32, 1);
    LLVMValueRef arguments[2] = {jit_exec(e), LLVMConstAllOnes(e->i1)};
    return LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, arguments, 2, "");
}

/* One lane's word of a value that is in the machine's memory. */
static LLVMValueRef word_of(struct jit_emitter *e, LLVMValueRef memory, LLVMValueRef lane)
{
    LLVMValueRef index = LLVMBuildZExt(e->build, lane, e->i64, "");
    return LLVMBuildLoad2(e->build, e->i32, LLVMBuildGEP2(e->build, e->i32, memory, &index, 1, ""), "");
}

static LLVMValueRef vote_equal(struct jit_emitter *e, instruction *in)
{
    struct jit_value value, first;
    jit_read_source(e, &in->src[0], 0, &value);
    LLVMValueRef memory = jit_scratch(e, 0, 0);
    jit_put(e, &value, memory);
    splat(e, word_of(e, memory, first_lane(e)), &first);
    LLVMValueRef equal = lanes_where(e, "USEQ", 2, (const struct jit_value *const[]){&value, &first});
    LLVMValueRef others = LLVMBuildAnd(e->build, LLVMBuildNot(e->build, equal, ""), jit_exec(e), "");
    return truth(e, LLVMBuildICmp(e->build, LLVMIntEQ, others, jit_word(e, 0), ""));
}

static void write_all(struct jit_emitter *e, instruction *in, const struct jit_value *value)
{
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1)
        jit_write(e, &in->dst[0], (unsigned)__builtin_ctz(mask), value);
}

static void write_word(struct jit_emitter *e, instruction *in, LLVMValueRef word)
{
    struct jit_value value;
    splat(e, word, &value);
    write_all(e, in, &value);
}

/* x and z: the bits; y and w: 0. */
static void ballot(struct jit_emitter *e, instruction *in)
{
    struct jit_value value[2];
    splat(e, set_lanes(e, in), &value[0]);
    splat(e, jit_word(e, 0), &value[1]);
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        jit_write(e, &in->dst[0], c, &value[c & 1]);
    }
}

static void read_helper(struct jit_emitter *e, instruction *in)
{
    LLVMValueRef helpers = jit_get(e, e->helpers_variable, e->i32);
    struct jit_value value;
    for (unsigned v = 0; v < e->vectors; v++)
        value.part[v] = LLVMBuildSExt(e->build, jit_vector_bits(e, helpers, v), e->vector, "");
    write_all(e, in, &value);
}

/* All channels are read before any is written. */
static void put_channels(struct jit_emitter *e, instruction *in)
{
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        struct jit_value value;
        jit_read_source(e, &in->src[0], c, &value);
        jit_put(e, &value, jit_scratch(e, 1, c));
    }
}

static void read_first(struct jit_emitter *e, instruction *in)
{
    put_channels(e, in);
    LLVMValueRef first = first_lane(e);
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        struct jit_value value;
        splat(e, word_of(e, jit_scratch(e, 1, c), first), &value);
        jit_write(e, &in->dst[0], c, &value);
    }
}

/* The lanes of `memory` that `from` names, 0 where it names none. */
static void gather_lanes(struct jit_emitter *e, LLVMValueRef memory, const struct jit_value *from,
                         struct jit_value *value)
{
    LLVMBuilderRef b = e->build;
    LLVMTypeRef types[2] = {e->vector, LLVMVectorType(e->pointer, e->lanes)};
    unsigned id = LLVMLookupIntrinsicID("llvm.masked.gather", 18);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module->module, id, types, 2);
    LLVMTypeRef wide = LLVMVectorType(e->i64, e->lanes);
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef there = LLVMBuildICmp(b, LLVMIntULT, from->part[v], jit_splat_word(e, SCH_GROUP_LANES), "");
        LLVMValueRef index = LLVMBuildZExt(b, from->part[v], wide, "");
        LLVMValueRef arguments[4] = {LLVMBuildGEP2(b, e->i32, memory, &index, 1, ""), jit_word(e, 4), there,
                                     LLVMConstNull(e->vector)};
        value->part[v] = LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, 4, "");
    }
}

static void read_invocation(struct jit_emitter *e, instruction *in)
{
    struct jit_value from;
    jit_read_source(e, &in->src[1], 0, &from);
    put_channels(e, in);
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        struct jit_value value;
        gather_lanes(e, jit_scratch(e, 1, c), &from, &value);
        jit_write(e, &in->dst[0], c, &value);
    }
}

/* exec/handles.c: the number + 1 and the kind, or zeros where there is no such register. A base has 16 bits, so that no
 * sum of 32 comes round to a small number. */
void jit_handle(struct jit_emitter *e, instruction *in)
{
    const struct sch_prepared_index *index = &in->src[0].index;
    const uint32_t kind = in->opcode == SCH_OP_IMG2HND ? SCH_HANDLE_IMAGE : SCH_HANDLE_SAMPLER;
    struct jit_value number, one, limit, there, words[2];
    splat(e, jit_word(e, (uint32_t)index->base), &number);
    splat(e, jit_word(e, 1), &one);
    splat(e, jit_word(e, SCH_HANDLE_REGISTERS), &limit);
    splat(e, jit_word(e, kind), &words[1]);
    if (index->is_indirect) {
        jit_read_index(e, index, &there);
        operate(e, "UADD", &number, &there, &number);
    }
    operate(e, "USLT", &number, &limit, &there);
    operate(e, "UADD", &number, &one, &words[0]);
    for (unsigned w = 0; w < 2; w++) operate(e, "AND", &words[w], &there, &words[w]);
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        jit_write(e, &in->dst[0], c, &words[c & 1]);
    }
}

bool jit_lane(struct jit_emitter *e, instruction *in)
{
    LLVMValueRef none = jit_word(e, 0);
    switch (in->opcode) {
    case SCH_OP_READ_HELPER:
        read_helper(e, in);
        return true;
    case SCH_OP_CLOCK:
        jit_clock(e, in);
        return true;
    case SCH_OP_VOTE_ANY:
        write_word(e, in, truth(e, LLVMBuildICmp(e->build, LLVMIntNE, set_lanes(e, in), none, "")));
        return true;
    case SCH_OP_VOTE_ALL:
        write_word(e, in, truth(e, LLVMBuildICmp(e->build, LLVMIntEQ, set_lanes(e, in), jit_exec(e), "")));
        return true;
    case SCH_OP_VOTE_EQ:
        write_word(e, in, vote_equal(e, in));
        return true;
    case SCH_OP_BALLOT:
        ballot(e, in);
        return true;
    case SCH_OP_READ_FIRST:
        read_first(e, in);
        return true;
    case SCH_OP_READ_INVOC:
        read_invocation(e, in);
        return true;
    default:
        return false;
    }
}
