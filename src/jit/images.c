/* RESQ, and STORE and ATOM* of textures that are known before the program runs (native/runtime.h): calls of the runtime
 * with the operands in the machine's memory. LOADs are lookups (lookup_calls.c). */
#include "jit/emit.h"
#include "jit/memory.h"

#include <stddef.h>

#include "exec/image.h"

typedef const struct sch_exec_instruction instruction;

/* What is the same for all lanes and a whole run. */
static void query(struct jit_emitter *e, instruction *in)
{
    LLVMValueRef view = jit_view(e);
    struct jit_value value[4];
    for (unsigned c = 0; c < 4; c++) {
        const size_t at = offsetof(struct sch_native_view, answer) + c * sizeof(uint32_t);
        LLVMValueRef lanes = jit_splat(e, LLVMBuildLoad2(e->build, e->i32, jit_at(e, view, at), ""));
        for (unsigned v = 0; v < e->vectors; v++) value[c].part[v] = lanes;
    }
    jit_write_results(e, in, in->place->swizzle, value);
}

static void put_address(struct jit_emitter *e, instruction *in, unsigned target)
{
    unsigned count = sch_exec_coordinates(target);
    bool sampled = sch_target_facts(target)->multisampled;
    for (unsigned c = 0; c < 4; c++) {
        struct jit_value value;
        if (c >= count && !(c == 3 && sampled)) continue;
        jit_read_source(e, &in->src[in->place->address], c, &value);
        jit_put(e, &value, jit_scratch(e, 0, c));
    }
}

static void store(struct jit_emitter *e, instruction *in)
{
    for (unsigned c = 0; c < 4; c++) {
        struct jit_value value;
        jit_read_source(e, &in->src[1], c, &value);
        jit_put(e, &value, jit_scratch(e, 1, c));
    }
    LLVMValueRef arguments[3] = {e->machine, jit_view(e), jit_without_helpers(e, jit_exec(e))};
    jit_call_runtime(e, offsetof(struct sch_native_runtime, store_texels), e->nothing, 3, arguments);
}

static void update(struct jit_emitter *e, instruction *in)
{
    static const uint8_t all_x[4] = {0, 0, 0, 0};
    struct jit_value value[4];
    for (unsigned s = 2; s < in->src_count; s++) {
        jit_read_source(e, &in->src[s], 0, &value[0]);
        jit_put(e, &value[0], jit_scratch(e, s, 0));
    }
    LLVMValueRef arguments[4] = {e->machine, jit_view(e), jit_without_helpers(e, jit_exec(e)), jit_instruction(e, in)};
    jit_call_runtime(e, offsetof(struct sch_native_runtime, update_texels), e->nothing, 4, arguments);
    jit_take_result(e, 0, &value[0]);
    jit_write_results(e, in, all_x, value);
}

bool jit_image(struct jit_emitter *e, instruction *in)
{
    if (in->opcode == SCH_OP_RESQ) {
        query(e, in);
        return true;
    }
    if (in->opcode == SCH_OP_LOAD) return jit_image_load(e, in);
    unsigned target = sch_exec_shown_target(e->program, in->place, in->place->index.base);
    if (target >= SCH_TARGET_UNKNOWN) return false;
    put_address(e, in, target);
    if (in->atomic)
        update(e, in);
    else
        store(e, in);
    return true;
}
