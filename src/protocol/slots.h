/* What machine code finds in the arrays of a group (abi/group.h): which instructions have a slot or a view, and how
 * many words live across a BARRIER. The compiler decides by the same functions. The functions that code calls are
 * native/calls.c. */
#ifndef SCH_PROTOCOL_SLOTS_H
#define SCH_PROTOCOL_SLOTS_H

#include "ir/prepared.h"

/* Numbers of units that lookups have slots for where a register names them; not in programs of more instructions, as
 * slots are made for every run. */
enum { SCH_NATIVE_UNITS = 16, SCH_NATIVE_UNITS_INSTRUCTIONS = 4096 };

/* How many slots a lookup has: one where view, sampler and gathered component (`*component`) are known before the
 * program runs and are the same for all lanes. SCH_NATIVE_UNITS, by number, where a register names the view, and the
 * sampler if it is the same operand or none; these are for lanes that name the same. Else 0. Also for the compiler,
 * which is another object: so it is here. */
static inline uint32_t sch_native_slot_count(const struct sch_prepared *program,
                                             const struct sch_prepared_instruction *in, uint8_t *component)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    if (!lookup || lookup->kind > SCH_PREPARED_FETCH_MS || lookup->handle || lookup->render_target) return 0;
    const bool named = in->src[lookup->view].index.is_indirect;
    if (lookup->sampler >= 0 && lookup->sampler != lookup->view && in->src[lookup->sampler].index.is_indirect) return 0;
    *component = lookup->component;
    if (lookup->kind == SCH_PREPARED_GATHER && lookup->value.source >= 0) {
        const struct sch_prepared_src *value = &in->src[lookup->value.source];
        if (value->access != SCH_ACCESS_PLAIN || value->space != SCH_SPACE_PROGRAM || value->modify) return 0;
        *component = program->program_words[value->channel[lookup->value.component]] & 3;
    }
    if (!named) return 1;
    return program->instruction_count <= SCH_NATIVE_UNITS_INSTRUCTIONS ? SCH_NATIVE_UNITS : 0;
}

/* Whether a query's unit is known before the program runs: its slot has the texture. */
static inline bool sch_native_has_query(const struct sch_prepared_instruction *in)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    if (!lookup || lookup->kind < SCH_PREPARED_SIZE || lookup->handle) return false;
    return lookup->render_target || !in->src[lookup->view].index.is_indirect;
}

/* Whether a memory instruction accesses a texture that is known before the program runs, as texels. Also for the
 * compiler. */
static inline bool sch_native_has_image(const struct sch_prepared_instruction *in)
{
    const struct sch_prepared_resource *resource = in->resource;
    if (!resource || !resource->texture || resource->raw || resource->handle || resource->index.is_indirect)
        return false;
    return resource->file == SCH_FILE_IMAGE || resource->file == SCH_FILE_RESOURCE;
}

/* How many slots an instruction takes: lookups as above, queries one, LOADs and STOREs of known images one. */
static inline uint32_t sch_native_slots_of(const struct sch_prepared *program,
                                           const struct sch_prepared_instruction *in)
{
    uint8_t component;
    if (in->lookup) return sch_native_has_query(in) ? 1 : sch_native_slot_count(program, in, &component);
    return (in->opcode == SCH_OP_LOAD || in->opcode == SCH_OP_STORE) && sch_native_has_image(in);
}

/* Whether an instruction has a view. Also for the compiler. */
static inline bool sch_native_has_view(const struct sch_prepared_instruction *in)
{
    const struct sch_prepared_resource *resource = in->resource;
    if (!resource || resource->handle || resource->index.is_indirect) return false;
    if (resource->texture) return sch_native_has_image(in);
    if (resource->file == SCH_FILE_HW_ATOMIC) return !resource->dimension.is_indirect;
    return resource->file == SCH_FILE_BUFFER || resource->file == SCH_FILE_MEMORY ||
           resource->file == SCH_FILE_CONSTBUF || resource->file == SCH_FILE_RESOURCE;
}

/* The words of `kept` that belong to the group: masks, counters of the budget. */
enum { SCH_NATIVE_KEPT_GROUP = 8 + SCH_GROUP_LANES };

/* The words of `kept` that a construct takes: masks, the place to return to, a SWITCH's value. */
static inline size_t sch_native_kept_of(const struct sch_ir_construct *construct)
{
    return construct->kind == SCH_CONSTRUCT_SWITCH ? 4 + SCH_GROUP_LANES : 4;
}

/* 0 of programs without BARRIER. */
static inline size_t sch_native_kept_words(const struct sch_prepared *program)
{
    const struct sch_ir_flow *flow = &program->flow;
    size_t words = SCH_NATIVE_KEPT_GROUP;
    for (uint32_t c = 0; c < flow->construct_count; c++) words += sch_native_kept_of(&flow->constructs[c]);
    return flow->barriers ? words : 0;
}

#endif
