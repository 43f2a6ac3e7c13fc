/* RESQ, and ATOM* of textures that are known before the program runs (abi/group.h): calls of the runtime with the
 * operands in the machine's memory. LOADs and STOREs go as lookups do (lookup_calls.c). And accesses of whatever
 * registers or handles name, which are such calls, too. */
#include "jit/emit.h"
#include "jit/memory.h"

#include <stddef.h>

#include "isa/targets.h"

typedef const struct sch_prepared_instruction instruction;

/* What is the same for all lanes and a whole run. */
static void query(struct jit_emitter *e, instruction *in)
{
    LLVMValueRef view = jit_view(e);
    struct jit_value value[4];
    for (unsigned c = 0; c < 4; c++) {
        const size_t at = offsetof(struct sch_group_view, sizes) + c * sizeof(uint32_t);
        LLVMValueRef lanes = jit_splat(e, LLVMBuildLoad2(e->build, e->i32, jit_at(e, view, at), ""));
        for (unsigned v = 0; v < e->vectors; v++) value[c].part[v] = lanes;
    }
    jit_write_results(e, in, in->resource->swizzle, value);
}

static void stage(struct jit_emitter *e, instruction *in, unsigned s, unsigned c, unsigned to)
{
    struct jit_value value;
    jit_read_source(e, &in->src[s], c, &value);
    jit_put(e, &value, jit_scratch(e, to, c));
}

/* `channels` of the address to scratch[0], values to store to scratch[1], operands of updates to scratch[2] and [3]. */
static void stage_operands(struct jit_emitter *e, instruction *in, unsigned channels)
{
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1) stage(e, in, (unsigned)in->resource->address, c, 0);
    for (unsigned c = 0; c < 4 && in->opcode == SCH_OP_STORE; c++)
        if (in->resource->components >> c & 1) stage(e, in, 1, c, 1);
    for (unsigned s = 2; s < in->src_count && sch_prepared_is_atomic(in); s++) stage(e, in, s, 0, s);
}

static void take_results(struct jit_emitter *e, instruction *in)
{
    static const uint8_t all_x[4] = {0, 0, 0, 0};
    struct jit_value value[4];
    if (in->opcode == SCH_OP_STORE) return;
    for (unsigned c = 0; c < 4; c++) jit_take_result(e, c, &value[c]);
    jit_write_results(e, in, sch_prepared_is_atomic(in) ? all_x : in->resource->swizzle, value);
}

bool jit_image(struct jit_emitter *e, instruction *in)
{
    if (in->opcode == SCH_OP_RESQ) {
        query(e, in);
        return true;
    }
    if (in->opcode == SCH_OP_LOAD) return jit_image_load(e, in);
    if (in->opcode == SCH_OP_STORE) return jit_image_store(e, in);
    unsigned target = sch_prepared_shown_target(e->program, in->resource, in->resource->index.base);
    if (target >= SCH_TARGET_UNKNOWN) return false;
    unsigned channels = (1u << sch_target_coordinates(target)) - 1;
    if (sch_target_facts(target)->multisampled) channels |= 1u << 3;
    stage_operands(e, in, channels);
    LLVMValueRef arguments[4] = {e->group, jit_view(e), jit_without_helpers(e, jit_exec(e)), jit_word(e, in->number)};
    jit_call_runtime(e, offsetof(struct sch_group_runtime, update_texels), e->nothing, 4, arguments);
    take_results(e, in);
    return true;
}

void jit_access_any(struct jit_emitter *e, instruction *in)
{
    const struct sch_prepared_resource *resource = in->resource;
    stage_operands(e, in, resource->address < 0 ? 0 : resource->texture ? 15 : 1);
    jit_spill_index(e, &resource->index);
    jit_spill_index(e, &resource->dimension);
    if (resource->handle) jit_spill_source(e, resource->handle);
    jit_show_masks(e);
    LLVMValueRef arguments[2] = {e->group, jit_word(e, in->number)};
    jit_call_runtime(e, offsetof(struct sch_group_runtime, access), e->nothing, 2, arguments);
    take_results(e, in);
}
