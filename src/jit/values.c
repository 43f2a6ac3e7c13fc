/* Constants, addresses, variables, blocks and branches of the code. */
#include "jit/emit.h"

LLVMValueRef jit_word(const struct jit_emitter *e, uint32_t word) { return jit_number(e->i32, word); }
LLVMValueRef jit_long(const struct jit_emitter *e, uint64_t word) { return jit_number(e->i64, word); }

LLVMValueRef jit_splat_word(const struct jit_emitter *e, uint32_t word)
{
    if (!word) return LLVMConstNull(e->vector);
    LLVMValueRef lanes[SCH_GROUP_LANES];
    for (unsigned i = 0; i < e->lanes; i++) lanes[i] = jit_word(e, word);
    return LLVMConstVector(lanes, e->lanes);
}

LLVMValueRef jit_splat(struct jit_emitter *e, LLVMValueRef word)
{
    LLVMValueRef one = LLVMBuildInsertElement(e->build, LLVMGetPoison(e->vector), word, jit_word(e, 0), "");
    return LLVMBuildShuffleVector(e->build, one, LLVMGetPoison(e->vector), LLVMConstNull(e->vector), "");
}

LLVMValueRef jit_at(struct jit_emitter *e, LLVMValueRef base, uint64_t offset)
{
    if (!offset) return base;
    LLVMValueRef index = jit_long(e, offset);
    return LLVMBuildInBoundsGEP2(e->build, e->i8, base, &index, 1, "");
}

LLVMValueRef jit_field(struct jit_emitter *e, LLVMTypeRef type, size_t offset)
{
    return LLVMBuildLoad2(e->build, type, jit_at(e, e->group, offset), "");
}

void jit_set_field(struct jit_emitter *e, size_t offset, LLVMValueRef value)
{
    LLVMBuildStore(e->build, value, jit_at(e, e->group, offset));
}

/* Variables are in the entry block only: nothing grows the stack while code runs. */
LLVMValueRef jit_variable(struct jit_emitter *e, LLVMTypeRef type, const char *name)
{
    return LLVMBuildAlloca(e->entry, type, name);
}

LLVMValueRef jit_get(struct jit_emitter *e, LLVMValueRef variable, LLVMTypeRef type)
{
    return LLVMBuildLoad2(e->build, type, variable, "");
}

LLVMValueRef jit_load_vector(struct jit_emitter *e, LLVMValueRef from, unsigned v, bool constant)
{
    LLVMValueRef load = LLVMBuildLoad2(e->build, e->vector, jit_at(e, from, (uint64_t)v * e->lanes * 4), "");
    LLVMSetAlignment(load, e->lanes * 4);
    if (constant)
        LLVMSetMetadata(load, LLVMGetMDKindIDInContext(e->module->context, "invariant.load", 14),
                        LLVMMetadataAsValue(e->module->context, LLVMMDNodeInContext2(e->module->context, NULL, 0)));
    return load;
}

void jit_store_vector(struct jit_emitter *e, LLVMValueRef value, LLVMValueRef to, unsigned v)
{
    LLVMValueRef store = LLVMBuildStore(e->build, value, jit_at(e, to, (uint64_t)v * e->lanes * 4));
    LLVMSetAlignment(store, e->lanes * 4);
}

LLVMBasicBlockRef jit_new_block(struct jit_emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->module->context, e->function, "");
}

void jit_expect(struct jit_emitter *e, LLVMValueRef branch)
{
    LLVMContextRef context = e->module->context;
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(context, "branch_weights", 14),
                               LLVMValueAsMetadata(jit_word(e, 1 << 20)), LLVMValueAsMetadata(jit_word(e, 1))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, parts, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "prof", 4), LLVMMetadataAsValue(context, node));
}

void jit_make_types(struct jit_emitter *e)
{
    LLVMContextRef context = e->module->context;
    e->i1 = LLVMInt1TypeInContext(context);
    e->i8 = LLVMInt8TypeInContext(context);
    e->i16 = LLVMInt16TypeInContext(context);
    e->i32 = LLVMInt32TypeInContext(context);
    e->i64 = LLVMInt64TypeInContext(context);
    e->pointer = LLVMPointerTypeInContext(context, 0);
    e->nothing = LLVMVoidTypeInContext(context);
    e->vector = LLVMVectorType(e->i32, e->lanes);
    e->bits = LLVMVectorType(e->i1, e->lanes);
    e->floats = LLVMVectorType(LLVMFloatTypeInContext(context), e->lanes);
}
