/* Calls of the runtime's table (abi/group.h), and operands whose place is known only when code runs, which it reads and
 * writes. What it can read is written to the group's memory before. */
#include "jit/emit.h"

#include <stddef.h>

LLVMValueRef jit_call_runtime(struct jit_emitter *e, size_t member, LLVMTypeRef result, unsigned count,
                              LLVMValueRef arguments[const])
{
    enum { MOST = 4 };
    LLVMTypeRef parameters[MOST];
    for (unsigned i = 0; i < count; i++) parameters[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, parameters, count, false);
    LLVMValueRef function = LLVMBuildLoad2(e->build, e->pointer, jit_at(e, e->runtime, member), "");
    LLVMSetMetadata(function, LLVMGetMDKindIDInContext(e->module->context, "invariant.load", 14),
                    LLVMMetadataAsValue(e->module->context, LLVMMDNodeInContext2(e->module->context, NULL, 0)));
    return LLVMBuildCall2(e->build, type, function, arguments, count, "");
}

LLVMValueRef jit_scratch(struct jit_emitter *e, unsigned source, unsigned c)
{
    return jit_at(e, e->group,
                  offsetof(struct sch_group, scratch) + ((size_t)4 * source + c) * sizeof(struct sch_lanes));
}

static LLVMValueRef result_place(struct jit_emitter *e, unsigned c)
{
    return jit_at(e, e->group, offsetof(struct sch_group, result) + c * sizeof(struct sch_lanes));
}

void jit_put(struct jit_emitter *e, const struct jit_value *value, LLVMValueRef to)
{
    for (unsigned v = 0; v < e->vectors; v++) jit_store_vector(e, value->part[v], to, v);
}

void jit_take_result(struct jit_emitter *e, unsigned c, struct jit_value *value)
{
    LLVMValueRef from = result_place(e, c);
    for (unsigned v = 0; v < e->vectors; v++) value->part[v] = jit_load_vector(e, from, v, false);
}

void jit_show_masks(struct jit_emitter *e)
{
    jit_set_field(e, offsetof(struct sch_group, exec), jit_exec(e));
    jit_set_field(e, offsetof(struct sch_group, helpers), jit_get(e, e->helpers_variable, e->i32));
}

/* ---- what the runtime reads ---- */

void jit_spill_index(struct jit_emitter *e, const struct sch_prepared_index *index)
{
    if (index->is_indirect && index->space == SCH_SPACE_STATE) jit_spill_channel(e, index->channel);
}

void jit_spill_source(struct jit_emitter *e, const struct sch_prepared_src *src)
{
    jit_spill_index(e, &src->index);
    jit_spill_index(e, &src->dimension);
    if (src->access != SCH_ACCESS_PLAIN || src->space != SCH_SPACE_STATE) return;
    for (unsigned c = 0; c < 4; c++) jit_spill_channel(e, src->channel[c]);
}

/* ---- operands whose place is known only now ---- */

/* Sources that are read are in the present instruction's list: the offsets of lookups that do not are registers
 * in place. */
void jit_ask_source(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, struct jit_value *value)
{
    const struct sch_prepared_instruction *in = &e->program->instructions[e->number];
    jit_spill_source(e, src);
    jit_show_masks(e);
    LLVMValueRef arguments[4] = {e->group, jit_word(e, in->number), jit_word(e, (uint32_t)(src - in->src)),
                                 jit_word(e, c)};
    LLVMValueRef lanes = jit_call_runtime(e, offsetof(struct sch_group_runtime, source), e->pointer, 4, arguments);
    for (unsigned v = 0; v < e->vectors; v++) value->part[v] = jit_load_vector(e, lanes, v, false);
}

void jit_give(struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c, const struct jit_value *value)
{
    const struct sch_prepared_instruction *in = &e->program->instructions[e->number];
    jit_spill_index(e, &dst->index);
    jit_spill_index(e, &dst->dimension);
    jit_show_masks(e);
    jit_put(e, value, result_place(e, 0));
    LLVMValueRef arguments[4] = {e->group, jit_word(e, in->number), jit_word(e, (uint32_t)(dst - in->dst)),
                                 jit_word(e, c)};
    jit_call_runtime(e, offsetof(struct sch_group_runtime, write), e->nothing, 4, arguments);
}
