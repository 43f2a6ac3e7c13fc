/* Instructions that the runtime does whole, as they have no other code, the clock, and the interpreter, which says how
 * a run fails. */
#include "jit/emit.h"

#include <stddef.h>

typedef const struct sch_prepared_instruction instruction;

static void spill_file(struct jit_emitter *e, unsigned number)
{
    const struct sch_prepared_file *file = &e->program->files[number];
    for (uint32_t c = 0; c < 4 * file->count && file->stored; c++) jit_spill_channel(e, file->base + c);
}

/* Instructions executed by this group, as sch_exec_CLOCK counts them: what the block counted already, less what of it
 * comes after this one. */
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
