/* What a program does with memory, and what a LOAD, STORE, RESQ or ATOM* accesses, as far as the shader says it. Holds
 * no binding and no access (exec/memory.c). */
#include <string.h>

#include "ir/check.h"
#include "ir/prepare.h"

enum { COUNTER_BYTES = 4, ELEMENT_SHIFT = 4 };

/* ---- what a program does with memory ---- */

static uint32_t declared_registers(const struct sch_ir_shader *shader, unsigned file)
{
    uint32_t count = 0;
    for (size_t n = 0; n < shader->declaration_count; n++)
        if (shader->declarations[n].file == file && (uint32_t)shader->declarations[n].last + 1 > count)
            count = (uint32_t)shader->declarations[n].last + 1;
    return count;
}

static void list_memory(struct sch_prepared_memory *memory, const struct sch_ir_declaration *declaration,
                        uint32_t *lowest)
{
    for (uint32_t r = declaration->first; r <= declaration->last; r++) memory->kinds[r] = declaration->memory_kind;
    memory->declared_kinds |= 1u << declaration->memory_kind;
    if (declaration->first >= *lowest) return;
    *lowest = declaration->first;
    memory->first_kind = declaration->memory_kind;
}

/* Whether a write by this instruction can be seen outside of its work group. */
static bool writes_outside(const struct sch_prepared_memory *memory, const struct sch_ir_instruction *in)
{
    const struct sch_op_info *info = sch_op_info(in->opcode);
    if (!info || !(info->flags & SCH_OPF_STORE)) return false;
    unsigned file = in->opcode == SCH_OP_STORE ? in->dst[0].file : in->src[0].file;
    return file != SCH_FILE_MEMORY || (memory->declared_kinds >> SCH_MEMORY_GLOBAL & 1);
}

enum sch_result sch_prepare_memory(struct sch_prepared *program, const struct sch_ir_shader *shader)
{
    struct sch_prepared_memory *memory = &program->memory;
    memory->kind_count = declared_registers(shader, SCH_FILE_MEMORY);
    memory->resource_count = declared_registers(shader, SCH_FILE_RESOURCE);
    memory->image_count = declared_registers(shader, SCH_FILE_IMAGE);
    memory->kinds = SCH_ARENA_ARRAY(&program->arena, uint8_t, memory->kind_count);
    memory->resources = SCH_ARENA_ARRAY(&program->arena, struct sch_prepared_declared, memory->resource_count);
    memory->images = SCH_ARENA_ARRAY(&program->arena, struct sch_prepared_declared, memory->image_count);
    if (!memory->kinds || !memory->resources || !memory->images) return SCH_ERROR_MEMORY;
    memset(memory->kinds, SCH_MEMORY_KIND_COUNT, memory->kind_count);

    uint32_t lowest = UINT32_MAX;
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[n];
        if (declaration->file == SCH_FILE_MEMORY) list_memory(memory, declaration, &lowest);
        struct sch_prepared_declared *list = declaration->file == SCH_FILE_RESOURCE ? memory->resources
                                             : declaration->file == SCH_FILE_IMAGE  ? memory->images
                                                                                    : NULL;
        for (uint32_t r = declaration->first; r <= declaration->last && list; r++)
            list[r] = (struct sch_prepared_declared){.declared = true,
                                                     .raw = declaration->raw,
                                                     .writable = declaration->writable,
                                                     .target = declaration->target};
    }
    for (size_t n = 0; n < shader->instruction_count; n++) {
        if (shader->instructions[n].opcode == SCH_OP_BARRIER) memory->barriers = true;
        if (writes_outside(memory, &shader->instructions[n])) memory->writes_outside = true;
    }
    return SCH_OK;
}

/* ---- operands ---- */

/* Whether one of the registers that an index may name is a texture that is declared RAW. */
static bool may_be_raw(const struct sch_preparation *d, unsigned file, const struct sch_ir_bracket *index)
{
    const struct sch_prepared_memory *memory = &d->program->memory;
    const bool image = file == SCH_FILE_IMAGE;
    const struct sch_prepared_declared *list = image ? memory->images : memory->resources;
    const uint32_t count = image ? memory->image_count : memory->resource_count;
    for (uint32_t r = 0; r < count && (image || file == SCH_FILE_RESOURCE); r++)
        if (list[r].raw && (image || list[r].target != SCH_TARGET_BUFFER) &&
            (index->is_indirect || index->index == (int64_t)r))
            return true;
    return false;
}

/* RES registers that are not buffers are textures. */
static bool may_be_texture(const struct sch_preparation *d, unsigned file, const struct sch_ir_bracket *index)
{
    const struct sch_prepared_memory *memory = &d->program->memory;
    if (file == SCH_FILE_IMAGE) return true;
    for (uint32_t r = 0; r < memory->resource_count && file == SCH_FILE_RESOURCE; r++) {
        const struct sch_prepared_declared *resource = &memory->resources[r];
        if (!resource->declared || resource->target == SCH_TARGET_BUFFER) continue;
        if (index->is_indirect || index->index == (int64_t)r) return true;
    }
    return false;
}

/* The words that the written components of the destination take. */
static uint8_t words_needed(const struct sch_ir_src *resource, unsigned mask)
{
    unsigned words = 0;
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) words |= 1u << resource->swizzle[c];
    return (uint8_t)words;
}

/* A handle, which STORE has as its destination. */
static bool decode_handle(struct sch_preparation *d, struct sch_prepared_instruction *out,
                          struct sch_prepared_resource *resource)
{
    const struct sch_ir_instruction *in = d->source;
    if (!sch_ir_takes_handle(sch_op_info(in->opcode), resource->file)) return true;
    resource->texture = true;
    resource->handle = out->src;
    if (in->opcode != SCH_OP_STORE) return true;
    struct sch_prepared_src *handle = SCH_ARENA_NEW(&d->program->arena, struct sch_prepared_src);
    if (!handle) return false;
    struct sch_ir_src src = sch_ir_src(resource->file, 0);
    src.index = in->dst[0].index;
    src.has_dimension = in->dst[0].has_dimension;
    src.dimension = in->dst[0].dimension;
    sch_prepare_source(d, &src, 'U', handle);
    resource->handle = handle;
    return true;
}

enum sch_result sch_prepare_resource(struct sch_preparation *d, struct sch_prepared_instruction *out)
{
    const struct sch_ir_instruction *in = d->source;
    struct sch_prepared_resource *resource = SCH_ARENA_NEW(&d->program->arena, struct sch_prepared_resource);
    if (!resource) return SCH_ERROR_MEMORY;
    bool store = in->opcode == SCH_OP_STORE;
    const struct sch_ir_bracket *index = store ? &in->dst[0].index : &in->src[0].index;
    *resource = (struct sch_prepared_resource){.file = store ? in->dst[0].file : in->src[0].file,
                                               .swizzle = {0, 1, 2, 3},
                                               .target = in->has_memory ? in->memory_target : SCH_TARGET_UNKNOWN,
                                               .address = store                       ? 0
                                                          : in->opcode == SCH_OP_RESQ ? -1
                                                                                      : 1};
    resource->texture = may_be_texture(d, resource->file, index);
    resource->raw = may_be_raw(d, resource->file, index) && in->opcode != SCH_OP_RESQ;
    if (store) {
        resource->index = out->dst[0].index;
        resource->written = in->dst[0].write_mask & 15;
        resource->components = resource->written;
    } else {
        resource->index = out->src[0].index;
        resource->dimension = out->src[0].dimension;
        memcpy(resource->swizzle, in->src[0].swizzle, sizeof resource->swizzle);
        resource->components = words_needed(&in->src[0], out->dst[0].mask);
    }
    if (!decode_handle(d, out, resource)) return SCH_ERROR_MEMORY;
    if (resource->handle) memcpy(resource->swizzle, (const uint8_t[4]){0, 1, 2, 3}, sizeof resource->swizzle);
    if (resource->texture) resource->components = 15;
    out->resource = resource;
    return SCH_OK;
}

/* ---- what instructions access ---- */

unsigned sch_prepared_memory_kind(const struct sch_prepared *program, int64_t number)
{
    const struct sch_prepared_memory *memory = &program->memory;
    const bool listed = number >= 0 && number < memory->kind_count && memory->kinds[number] < SCH_MEMORY_KIND_COUNT;
    return listed ? memory->kinds[number] : memory->first_kind;
}

uint8_t sch_prepared_address_shift(const struct sch_prepared *program, const struct sch_prepared_resource *resource,
                                   int64_t number)
{
    const struct sch_prepared_memory *memory = &program->memory;
    if (resource->file != SCH_FILE_RESOURCE || number < 0 || number >= memory->resource_count) return 0;
    return memory->resources[number].declared && !memory->resources[number].raw ? ELEMENT_SHIFT : 0;
}

uint32_t sch_prepared_counter_address(int64_t index)
{
    /* A counter that cannot be: an address that is outside of every buffer. */
    if (index < 0 || index >= UINT32_MAX / COUNTER_BYTES) return UINT32_MAX;
    return (uint32_t)index * COUNTER_BYTES;
}

/* A counter is one word. */
uint8_t sch_prepared_components(const struct sch_prepared_resource *resource, bool loads)
{
    return resource->file == SCH_FILE_HW_ATOMIC && loads ? resource->components & 1 : resource->components;
}

const struct sch_prepared_declared *sch_prepared_declared_image(const struct sch_prepared *program,
                                                                const struct sch_prepared_resource *resource,
                                                                int64_t number)
{
    const struct sch_prepared_memory *memory = &program->memory;
    bool listed = !resource->handle && number >= 0 && number < memory->image_count && memory->images[number].declared;
    return listed ? &memory->images[number] : NULL;
}

unsigned sch_prepared_shown_target(const struct sch_prepared *program, const struct sch_prepared_resource *resource,
                                   int64_t number)
{
    const struct sch_prepared_memory *memory = &program->memory;
    if (resource->file == SCH_FILE_RESOURCE)
        return number < 0 || number >= memory->resource_count ? SCH_TARGET_UNKNOWN : memory->resources[number].target;
    const struct sch_prepared_declared *declared = sch_prepared_declared_image(program, resource, number);
    return declared ? declared->target : resource->target;
}
