/* Instructions that have no code of their own: the interpreter's handler runs them. What it can read is written to the
 * group's memory before, and what it wrote is read back. */
#include "jit/emit.h"

#include <stddef.h>

#include "exec/image.h"
#include "exec/lookup.h"

typedef const struct sch_exec_instruction instruction;

static void spill_index(struct jit_emitter *e, const struct sch_exec_index *index)
{
    if (index->is_indirect && index->space == SCH_SPACE_STATE) jit_spill_channel(e, index->channel);
}

static void spill_source(struct jit_emitter *e, const struct sch_exec_src *src)
{
    spill_index(e, &src->index);
    spill_index(e, &src->dimension);
    if (src->access != SCH_ACCESS_PLAIN || src->space != SCH_SPACE_STATE) return;
    for (unsigned c = 0; c < 4; c++) jit_spill_channel(e, src->channel[c]);
}

static void spill_file(struct jit_emitter *e, unsigned number)
{
    const struct sch_exec_file *file = &e->program->files[number];
    for (uint32_t c = 0; c < 4 * file->count && file->stored; c++) jit_spill_channel(e, file->base + c);
}

static void spill(struct jit_emitter *e, instruction *in)
{
    for (unsigned s = 0; s < in->src_count; s++) spill_source(e, &in->src[s]);
    for (unsigned d = 0; d < in->dst_count; d++) {
        spill_index(e, &in->dst[d].index);
        spill_index(e, &in->dst[d].dimension);
    }
    for (unsigned n = 0; in->lookup && n < in->lookup->offsets; n++) spill_source(e, &in->lookup->offset[n]);
    if (in->place) {
        spill_index(e, &in->place->index);
        spill_index(e, &in->place->dimension);
        if (in->place->handle) spill_source(e, in->place->handle);
    }
    if (in->opcode == SCH_OP_EMIT) spill_file(e, SCH_FILE_OUTPUT);
}

/* Instructions executed by this group, as sch_exec_CLOCK counts them: what the block counted already, less what of it
 * stands behind this one. */
void jit_clock(struct jit_emitter *e, instruction *in)
{
    LLVMValueRef executed = jit_get(e, e->executed_variable, e->i64);
    LLVMValueRef before = jit_field(e, e->i64, offsetof(struct sch_exec_machine, executed_before));
    LLVMValueRef clock = LLVMBuildSub(e->build, executed, before, "");
    clock = LLVMBuildSub(e->build, clock, jit_long(e, e->block_end - (e->number + 1)), "");
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

void jit_ask_source(struct jit_emitter *e, const struct sch_exec_src *src, unsigned c, struct jit_value *value)
{
    instruction *in = &e->program->instructions[e->number];
    spill_source(e, src);
    jit_set_field(e, offsetof(struct sch_exec_machine, exec), jit_exec(e));
    LLVMTypeRef parameters[3] = {e->pointer, e->pointer, e->i32};
    LLVMTypeRef type = LLVMFunctionType(e->pointer, parameters, 3, false);
    LLVMValueRef sources = LLVMBuildLoad2(
        e->build, e->pointer, jit_at(e, jit_instruction(e, in), offsetof(struct sch_exec_instruction, src)), "");
    LLVMValueRef function =
        LLVMBuildLoad2(e->build, e->pointer, jit_at(e, e->runtime, offsetof(struct sch_native_runtime, source)), "");
    LLVMValueRef arguments[3] = {e->machine, jit_at(e, sources, (uint64_t)(src - in->src) * sizeof *src),
                                 jit_word(e, c)};
    LLVMValueRef lanes = LLVMBuildCall2(e->build, type, function, arguments, 3, "");
    for (unsigned v = 0; v < e->vectors; v++) value->part[v] = jit_load_vector(e, lanes, v, false);
}

void jit_call_handler(struct jit_emitter *e, instruction *in)
{
    spill(e, in);
    jit_set_field(e, offsetof(struct sch_exec_machine, exec), jit_exec(e));
    jit_set_field(e, offsetof(struct sch_exec_machine, helpers), jit_get(e, e->helpers_variable, e->i32));
    LLVMTypeRef parameters[2] = {e->pointer, e->pointer};
    LLVMTypeRef type = LLVMFunctionType(e->pointer, parameters, 2, false);
    LLVMValueRef place = jit_instruction(e, in);
    LLVMValueRef handler =
        LLVMBuildLoad2(e->build, e->pointer, jit_at(e, place, offsetof(struct sch_exec_instruction, run)), "handler");
    LLVMValueRef arguments[2] = {e->machine, place};
    LLVMBuildCall2(e->build, type, handler, arguments, 2, "");
    for (unsigned d = 0; d < in->dst_count; d++)
        for (unsigned mask = in->dst[d].mask; mask && in->dst[d].access == SCH_ACCESS_PLAIN; mask &= mask - 1)
            jit_reload(e, &in->dst[d], (unsigned)__builtin_ctz(mask));
}
