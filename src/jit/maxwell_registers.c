/* Registers, predicates and the flags within a block of Maxwell code: values where they are known, memory of the state
 * otherwise; and the lanes that execute an instruction. */
#include "jit/maxwell.h"

#include <string.h>

/* ---- registers ---- */

uint32_t warp_channel_of(const struct warp *w, unsigned channel)
{
    const struct sch_prepared_file *files = w->e.program->files;
    return channel < WARP_REGISTERS ? files[SCH_FILE_TEMPORARY].base + channel
                                    : files[SCH_FILE_ADDRESS].base + channel - WARP_REGISTERS;
}

static bool is_there(const struct warp *w, unsigned channel)
{
    const struct sch_prepared_file *files = w->e.program->files;
    return channel < WARP_REGISTERS ? channel < files[SCH_FILE_TEMPORARY].count
                                    : channel - WARP_REGISTERS < files[SCH_FILE_ADDRESS].count;
}

LLVMValueRef warp_place(struct warp *w, unsigned channel)
{
    return jit_at(&w->e, w->e.state, (uint64_t)warp_channel_of(w, channel) * sizeof(struct sch_lanes));
}

static void touch(struct warp *w, unsigned channel)
{
    if (!w->has[channel]) w->touched[w->touched_count++] = (uint16_t)channel;
    w->has[channel] = true;
}

void warp_read(struct warp *w, unsigned channel, struct jit_value *value)
{
    if (!w->has[channel]) {
        LLVMValueRef from = is_there(w, channel) ? warp_place(w, channel) : NULL;
        for (unsigned v = 0; v < w->e.vectors; v++)
            w->known[channel].part[v] = from ? jit_load_vector(&w->e, from, v, false) : LLVMConstNull(w->e.vector);
        touch(w, channel);
    }
    *value = w->known[channel];
}

void warp_read_register(struct warp *w, unsigned number, struct jit_value *value)
{
    if (number < WARP_REGISTERS) {
        warp_read(w, number, value);
        return;
    }
    for (unsigned v = 0; v < w->e.vectors; v++) value->part[v] = LLVMConstNull(w->e.vector);
}

void warp_write(struct warp *w, unsigned channel, const struct jit_value *value, const struct warp_lanes *lanes)
{
    struct jit_value old;
    if (!is_there(w, channel)) return;
    if (!lanes->all) warp_read(w, channel, &old);
    for (unsigned v = 0; v < w->e.vectors; v++)
        w->known[channel].part[v] =
            lanes->all ? value->part[v] : LLVMBuildSelect(w->e.build, lanes->bits[v], value->part[v], old.part[v], "");
    touch(w, channel);
    w->dirty[channel] = true;
}

void warp_store(struct warp *w, unsigned channel)
{
    if (channel >= WARP_CHANNELS || !w->has[channel] || !w->dirty[channel]) return;
    LLVMValueRef to = warp_place(w, channel);
    for (unsigned v = 0; v < w->e.vectors; v++) jit_store_vector(&w->e, w->known[channel].part[v], to, v);
}

void warp_forget(struct warp *w, unsigned channel)
{
    if (channel >= WARP_CHANNELS || !w->has[channel]) return;
    w->has[channel] = w->dirty[channel] = false;
    for (uint32_t i = 0; i < w->touched_count; i++)
        if (w->touched[i] == channel) w->touched[i] = w->touched[--w->touched_count];
}

void warp_forget_all(struct warp *w)
{
    for (uint32_t i = 0; i < w->touched_count; i++) w->has[w->touched[i]] = w->dirty[w->touched[i]] = false;
    w->touched_count = 0;
}

/* ---- lanes ---- */

struct warp_lanes warp_all(void) { return (struct warp_lanes){.all = true}; }

struct warp_lanes warp_lanes_of_bits(struct warp *w, LLVMValueRef bits)
{
    struct warp_lanes lanes = {.all = false};
    for (unsigned v = 0; v < w->e.vectors; v++) lanes.bits[v] = jit_vector_bits(&w->e, bits, v);
    return lanes;
}

LLVMValueRef warp_bits(struct warp *w, const struct warp_lanes *lanes)
{
    LLVMBuilderRef b = w->e.build;
    LLVMTypeRef narrow = LLVMIntTypeInContext(w->e.module->context, w->e.lanes);
    LLVMValueRef all = NULL;
    if (lanes->all) return jit_word(&w->e, UINT32_MAX);
    for (unsigned v = 0; v < w->e.vectors; v++) {
        LLVMValueRef word = LLVMBuildZExt(b, LLVMBuildBitCast(b, lanes->bits[v], narrow, ""), w->e.i32, "");
        if (v) word = LLVMBuildShl(b, word, jit_word(&w->e, v * w->e.lanes), "");
        all = all ? LLVMBuildOr(b, all, word, "") : word;
    }
    return all;
}

LLVMValueRef warp_mask(struct warp *w, LLVMValueRef bits) { return LLVMBuildSExt(w->e.build, bits, w->e.vector, ""); }

LLVMValueRef warp_lane_numbers(struct warp *w, unsigned v, uint32_t each)
{
    LLVMValueRef lanes[SCH_GROUP_LANES];
    for (unsigned i = 0; i < w->e.lanes; i++) lanes[i] = jit_word(&w->e, (v * w->e.lanes + i) * each);
    return LLVMConstVector(lanes, w->e.lanes);
}

LLVMValueRef warp_call_intrinsic(struct warp *w, const char *name, LLVMTypeRef types[2], LLVMValueRef arguments[4])
{
    struct jit_emitter *e = &w->e;
    const unsigned number = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module->module, number, types, 2);
    LLVMTypeRef type = LLVMIntrinsicGetType(e->module->context, number, types, 2);
    return LLVMBuildCall2(e->build, type, function, arguments, 4, "");
}

struct warp_lanes warp_truth(struct warp *w, unsigned predicate, bool is_not)
{
    struct warp_lanes lanes = {.all = !is_not};
    struct jit_value value;
    if (predicate >= WARP_PREDICATES) {
        for (unsigned v = 0; v < w->e.vectors && is_not; v++) lanes.bits[v] = LLVMConstNull(w->e.bits);
        return lanes;
    }
    warp_read(w, WARP_REGISTERS + predicate, &value);
    lanes.all = false;
    for (unsigned v = 0; v < w->e.vectors; v++)
        lanes.bits[v] =
            LLVMBuildICmp(w->e.build, is_not ? LLVMIntEQ : LLVMIntNE, value.part[v], LLVMConstNull(w->e.vector), "");
    return lanes;
}

static struct warp_lanes both(struct warp *w, struct warp_lanes a, const struct warp_lanes *b)
{
    if (a.all) return *b;
    for (unsigned v = 0; v < w->e.vectors && !b->all; v++)
        a.bits[v] = LLVMBuildAnd(w->e.build, a.bits[v], b->bits[v], "");
    return a;
}

struct warp_lanes warp_lanes_of(struct warp *w, const struct sch_maxwell_step *step)
{
    enum { WHOLE_QUAD = 15, QUADS = 0x11111111 };
    struct warp_lanes lanes = w->executing;
    if ((step->quad_lanes & WHOLE_QUAD) != WHOLE_QUAD) {
        const struct warp_lanes some =
            warp_lanes_of_bits(w, jit_word(&w->e, (step->quad_lanes & WHOLE_QUAD) * (uint32_t)QUADS));
        lanes = both(w, lanes, &some);
    }
    if (step->guard < WARP_PREDICATES || step->guard_not) {
        const struct warp_lanes guard = warp_truth(w, step->guard, step->guard_not);
        lanes = both(w, lanes, &guard);
    }
    if (step->test != SCH_MAXWELL_ALWAYS) {
        const struct warp_lanes passed = warp_test(w, step->test);
        lanes = both(w, lanes, &passed);
    }
    return lanes;
}
