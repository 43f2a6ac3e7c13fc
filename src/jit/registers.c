/* Registers: what a block knows about their channels, reading them, writing under the mask. A channel that no
 * instruction indexes is a variable per vector, which LLVM makes a register; within a block its value is remembered, so
 * that straight code has neither loads nor stores. Holds no operand (jit/operands.c). */
#include "jit/emit.h"

/* ---- blocks ---- */

void jit_begin_block(struct jit_emitter *e)
{
    for (uint32_t i = 0; i < e->touched_count; i++)
        for (unsigned v = 0; v < e->vectors; v++) e->known[(size_t)e->touched[i] * e->vectors + v] = NULL;
    for (uint32_t i = 0; i < e->touched_count; i++) e->dirty[e->touched[i]] = false;
    e->touched_count = 0;
    for (uint32_t i = 0; i < e->constant_touched_count; i++) e->constant_known[e->constant_touched[i]] = NULL;
    e->constant_touched_count = 0;
    e->exec = NULL;
    for (unsigned v = 0; v < e->vectors; v++) e->mask[v] = NULL;
}

static LLVMValueRef new_variable(struct jit_emitter *e, uint32_t channel, unsigned v)
{
    LLVMValueRef made = e->state;
    if (!e->sparing_stack) {
        made = jit_variable(e, e->vector, "");
        LLVMBuildStore(e->zeros, LLVMConstNull(e->vector), made);
        return made;
    }
    LLVMValueRef at = jit_long(e, channel * sizeof(struct sch_lanes) + (uint64_t)v * e->lanes * 4);
    LLVMBuildStore(e->zeros, LLVMConstNull(e->vector), LLVMBuildInBoundsGEP2(e->zeros, e->i8, e->state, &at, 1, ""));
    return made;
}

static bool is_uniform(const struct jit_emitter *e, uint32_t channel)
{
    return sch_ir_is_uniform(&e->plan.uniformity, channel);
}

/* Makes the variables of a channel: 0 where nothing was written. A uniform one has one variable for all its vectors. */
static void need_variables(struct jit_emitter *e, uint32_t channel)
{
    LLVMValueRef *variables = &e->variables[(size_t)channel * e->vectors];
    for (unsigned v = 0; v < e->vectors && !variables[v]; v++)
        variables[v] = v && is_uniform(e, channel) ? variables[0] : new_variable(e, channel, v);
}

LLVMValueRef jit_variable_of(struct jit_emitter *e, uint32_t channel, unsigned v)
{
    LLVMValueRef variable = e->variables[(size_t)channel * e->vectors + v];
    if (!e->compact && (!variable || !e->sparing_stack)) return variable;
    const unsigned part = !e->compact && is_uniform(e, channel) ? 0 : v;
    return jit_at(e, e->state, channel * sizeof(struct sch_lanes) + (uint64_t)part * e->lanes * 4);
}

void jit_flush(struct jit_emitter *e)
{
    for (uint32_t i = 0; i < e->touched_count; i++) {
        uint32_t channel = e->touched[i];
        if (!e->dirty[channel]) continue;
        need_variables(e, channel);
        for (unsigned v = 0; v < (is_uniform(e, channel) ? 1 : e->vectors); v++)
            LLVMBuildStore(e->build, e->known[(size_t)channel * e->vectors + v], jit_variable_of(e, channel, v));
        e->dirty[channel] = false;
    }
}

/* ---- channels of the state ---- */

static LLVMValueRef address_of(struct jit_emitter *e, uint32_t channel)
{
    return jit_at(e, e->state, (uint64_t)channel * sizeof(struct sch_lanes));
}

/* Whether a channel's register stays in the group's memory. In compact code all do, in all lanes. */
static bool in_memory(const struct jit_emitter *e, uint32_t channel)
{
    if (e->compact) return true;
    const uint32_t given = SCH_FILE_BIT(INPUT) | SCH_FILE_BIT(SYSTEM_VALUE);
    return (e->program->indexed | given) >> e->file_of[channel] & 1;
}

/* Inputs and system values are never written, except where compact code puts its planes. */
static bool is_constant(const struct jit_emitter *e, uint32_t channel)
{
    if (e->compact) return false;
    return e->file_of[channel] == SCH_FILE_INPUT || e->file_of[channel] == SCH_FILE_SYSTEM_VALUE;
}

/* A channel of a span's planes, which are values and have no memory. The form lists them in ascending order. */
static bool read_plane(struct jit_emitter *e, uint32_t channel, struct jit_value *value)
{
    const struct sch_native_span_form *form = e->request->span;
    for (uint32_t p = 0; form && !e->compact && p < form->plane_count && form->channel[p] <= channel; p++) {
        if (form->channel[p] != channel) continue;
        *value = e->planes[p];
        return true;
    }
    return false;
}

static void remember(struct jit_emitter *e, uint32_t channel, const struct jit_value *value, bool dirty)
{
    LLVMValueRef *known = &e->known[(size_t)channel * e->vectors];
    if (!known[0]) e->touched[e->touched_count++] = channel;
    memcpy(known, value->part, e->vectors * sizeof *known);
    e->dirty[channel] = e->dirty[channel] || dirty;
}

static void read_channel(struct jit_emitter *e, uint32_t channel, struct jit_value *value)
{
    const LLVMValueRef *known = &e->known[(size_t)channel * e->vectors];
    if (known[0]) {
        memcpy(value->part, known, e->vectors * sizeof *known);
        return;
    }
    if (read_plane(e, channel, value)) return;
    if (in_memory(e, channel)) {
        LLVMValueRef address = address_of(e, channel);
        for (unsigned v = 0; v < e->vectors; v++)
            value->part[v] = v && is_constant(e, channel) && is_uniform(e, channel)
                                 ? value->part[0]
                                 : jit_load_vector(e, address, v, is_constant(e, channel));
        if (is_constant(e, channel)) remember(e, channel, value, false);
        return;
    }
    if (e->first_block) {
        for (unsigned v = 0; v < e->vectors; v++) value->part[v] = LLVMConstNull(e->vector);
        return;
    }
    need_variables(e, channel);
    for (unsigned v = 0; v < e->vectors; v++)
        value->part[v] =
            v && is_uniform(e, channel) ? value->part[0] : jit_get(e, jit_variable_of(e, channel, v), e->vector);
    remember(e, channel, value, false);
}

void jit_write_channel(struct jit_emitter *e, uint32_t channel, const struct jit_value *value, bool masked)
{
    struct jit_value made = *value;
    jit_exec(e);
    if (masked && !jit_is_all(e) && !is_uniform(e, channel)) {
        struct jit_value old;
        read_channel(e, channel, &old);
        for (unsigned v = 0; v < e->vectors; v++)
            made.part[v] = LLVMBuildSelect(e->build, jit_mask(e, v), value->part[v], old.part[v], "");
    }
    if (!in_memory(e, channel)) {
        remember(e, channel, &made, true);
        return;
    }
    LLVMValueRef address = address_of(e, channel);
    for (unsigned v = 0; v < e->vectors; v++) jit_store_vector(e, made.part[v], address, v);
}

void jit_spill_channel(struct jit_emitter *e, uint32_t channel)
{
    struct jit_value value;
    if (in_memory(e, channel) && !read_plane(e, channel, &value)) return;
    read_channel(e, channel, &value);
    LLVMValueRef address = address_of(e, channel);
    for (unsigned v = 0; v < e->vectors; v++) jit_store_vector(e, value.part[v], address, v);
}

/* ---- the other spaces ---- */

static void read_constant(struct jit_emitter *e, uint32_t channel, struct jit_value *value)
{
    if (!e->constant_known[channel]) {
        LLVMValueRef word =
            LLVMBuildLoad2(e->build, e->i32, jit_at(e, e->constants, (uint64_t)channel * sizeof(struct sch_lanes)), "");
        LLVMSetMetadata(word, LLVMGetMDKindIDInContext(e->module->context, "invariant.load", 14),
                        LLVMMetadataAsValue(e->module->context, LLVMMDNodeInContext2(e->module->context, NULL, 0)));
        e->constant_known[channel] = jit_splat(e, word);
        e->constant_touched[e->constant_touched_count++] = channel;
    }
    for (unsigned v = 0; v < e->vectors; v++) value->part[v] = e->constant_known[channel];
}

/* All lanes of what is in the program's own space are equal: zeros and immediates. */
static void read_immediate(struct jit_emitter *e, uint32_t channel, struct jit_value *value)
{
    LLVMValueRef splat = jit_splat_word(e, e->program->program_words[channel]);
    for (unsigned v = 0; v < e->vectors; v++) value->part[v] = splat;
}

void jit_read_place(struct jit_emitter *e, unsigned space, uint32_t channel, struct jit_value *value)
{
    if (space == SCH_SPACE_STATE)
        read_channel(e, channel, value);
    else if (space == SCH_SPACE_RUN)
        read_constant(e, channel, value);
    else
        read_immediate(e, channel, value);
}

void jit_read_index(struct jit_emitter *e, const struct sch_prepared_index *index, struct jit_value *value)
{
    jit_read_place(e, index->space, index->channel, value);
}
