/* What code calls: functions of the runtime's table (abi/group.h), for operands whose place is known only when
 * code runs and for what has no other code; and the interpreter, which says how a run fails. What these can
 * read is written to the group's memory before. */
#include "jit/emit.h"

#include <stddef.h>

typedef const struct sch_prepared_instruction instruction;

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

static void spill_file(struct jit_emitter *e, unsigned number)
{
    const struct sch_prepared_file *file = &e->program->files[number];
    for (uint32_t c = 0; c < 4 * file->count && file->stored; c++) jit_spill_channel(e, file->base + c);
}

/* Instructions executed by this group, as sch_exec_CLOCK counts them: what the block counted already, less what of it
 * stands behind this one. */
void jit_clock(struct jit_emitter *e, instruction *in)
{
    LLVMValueRef executed = jit_get(e, e->executed_variable, e->i64);
    LLVMValueRef before = jit_field(e, e->i64, offsetof(struct sch_group, executed_before));
    LLVMValueRef clock = LLVMBuildSub(e->build, executed, before, "");
    clock = LLVMBuildSub(e->build, clock, jit_long(e, e->counted_end - (e->number + 1)), "");
    LLVMValueRef high = LLVMBuildLShr(e->build, clock, jit_long(e, 32), "");
    LLVMValueRef words[2] = {jit_splat(e, LLVMBuildTrunc(e->build, clock, e->i32, "")),
                             jit_splat(e, LLVMBuildTrunc(e->build, high, e->i32, ""))};
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        struct jit_value value;
        for (unsigned v = 0; v < e->vectors; v++) value.part[v] = words[c & 1];
        jit_write(e, &in->dst[0], c, &value);
    }
}

/* ---- the runtime ---- */

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
    return jit_at(e, e->group, offsetof(struct sch_group, scratch) + (4 * source + c) * sizeof(struct sch_lanes));
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

void jit_write_results(struct jit_emitter *e, instruction *in, const uint8_t from[4], struct jit_value value[4])
{
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        struct jit_value made = value[from[c]];
        if (in->modify) jit_modify(e, in->modify, (struct jit_value *const[]){&made});
        jit_write(e, &in->dst[0], c, &made);
    }
}

void jit_show_masks(struct jit_emitter *e)
{
    jit_set_field(e, offsetof(struct sch_group, exec), jit_exec(e));
    jit_set_field(e, offsetof(struct sch_group, helpers), jit_get(e, e->helpers_variable, e->i32));
}

/* ---- operands whose place is known only now ---- */

/* Sources that are asked for stand in the present instruction's list: the offsets of lookups that do not are registers
 * in place. */
void jit_ask_source(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, struct jit_value *value)
{
    instruction *in = &e->program->instructions[e->number];
    jit_spill_source(e, src);
    jit_show_masks(e);
    LLVMValueRef arguments[4] = {e->group, jit_word(e, in->number), jit_word(e, (uint32_t)(src - in->src)),
                                 jit_word(e, c)};
    LLVMValueRef lanes = jit_call_runtime(e, offsetof(struct sch_group_runtime, source), e->pointer, 4, arguments);
    for (unsigned v = 0; v < e->vectors; v++) value->part[v] = jit_load_vector(e, lanes, v, false);
}

void jit_give(struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c, const struct jit_value *value)
{
    instruction *in = &e->program->instructions[e->number];
    jit_spill_index(e, &dst->index);
    jit_spill_index(e, &dst->dimension);
    jit_show_masks(e);
    jit_put(e, value, result_place(e, 0));
    LLVMValueRef arguments[4] = {e->group, jit_word(e, in->number), jit_word(e, (uint32_t)(dst - in->dst)),
                                 jit_word(e, c)};
    jit_call_runtime(e, offsetof(struct sch_group_runtime, write), e->nothing, 4, arguments);
}

/* ---- what the runtime does whole ---- */

void jit_stream(struct jit_emitter *e, instruction *in)
{
    struct jit_value streams;
    jit_read_source(e, &in->src[0], 0, &streams);
    jit_put(e, &streams, jit_scratch(e, 0, 0));
    if (in->opcode == SCH_OP_EMIT) spill_file(e, SCH_FILE_OUTPUT);
    jit_show_masks(e);
    LLVMValueRef arguments[3] = {e->group, jit_word(e, in->number), jit_exec(e)};
    jit_call_runtime(e, offsetof(struct sch_group_runtime, stream), e->nothing, 3, arguments);
}

void jit_fetch_pixels(struct jit_emitter *e, instruction *in)
{
    struct jit_value value[4];
    jit_spill_index(e, &in->src[0].index);
    jit_show_masks(e);
    LLVMValueRef arguments[2] = {e->group, jit_word(e, in->number)};
    jit_call_runtime(e, offsetof(struct sch_group_runtime, pixels), e->nothing, 2, arguments);
    for (unsigned c = 0; c < 4; c++) jit_take_result(e, c, &value[c]);
    jit_write_results(e, in, in->src[0].swizzle, value);
}

void jit_interpolate(struct jit_emitter *e, instruction *in)
{
    unsigned operands = in->opcode == SCH_OP_INTERP_OFFSET ? 2 : in->opcode == SCH_OP_INTERP_SAMPLE ? 1 : 0;
    struct jit_value value[4];
    for (unsigned c = 0; c < operands; c++) {
        jit_read_source(e, &in->src[1], c, &value[c]);
        jit_put(e, &value[c], jit_scratch(e, 1, c));
    }
    jit_spill_index(e, &in->src[0].index);
    LLVMValueRef arguments[2] = {e->group, jit_word(e, in->number)};
    jit_call_runtime(e, offsetof(struct sch_group_runtime, interpolate), e->nothing, 2, arguments);
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        jit_take_result(e, c, &value[c]);
    }
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        jit_write(e, &in->dst[0], c, &value[c]);
    }
}

/* ---- the interpreter ---- */

void jit_interpret(struct jit_emitter *e, instruction *in)
{
    LLVMValueRef arguments[2] = {e->group, jit_word(e, in->number)};
    jit_call_runtime(e, offsetof(struct sch_group_runtime, interpret), e->nothing, 2, arguments);
}
