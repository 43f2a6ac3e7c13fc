/* Building a shader item by item, with the limits of struct sch_limits. */
#include "ir/ir.h"

#include <string.h>

#include "base/checked.h"

struct sch_ir_shader *sch_ir_create(const struct sch_allocator *allocator, enum sch_stage stage,
                                    const struct sch_limits *limits)
{
    struct sch_ir_shader *shader = allocator->alloc(allocator->user, sizeof *shader);
    if (!shader) return NULL;
    *shader = (struct sch_ir_shader){.stage = (uint8_t)stage, .limits = *limits};
    sch_arena_init(&shader->arena, allocator, limits->memory);
    return shader;
}

void sch_ir_destroy(struct sch_ir_shader *shader)
{
    if (!shader) return;
    struct sch_allocator allocator = shader->arena.allocator;
    sch_arena_release(&shader->arena);
    allocator.free(allocator.user, shader);
}

static enum sch_result add_item(struct sch_ir_shader *shader, enum sch_ir_kind kind, size_t index)
{
    if (!SCH_ARENA_GROW(&shader->arena, shader->items, shader->item_capacity, shader->item_count))
        return SCH_ERROR_MEMORY;
    shader->items[shader->item_count++] = (struct sch_ir_item){.kind = (uint8_t)kind, .index = (uint32_t)index};
    return SCH_OK;
}

enum sch_result sch_ir_add_declaration(struct sch_ir_shader *shader, const struct sch_ir_declaration *declaration)
{
    if (shader->declaration_count >= shader->limits.declarations) return SCH_ERROR_LIMIT;
    if (!SCH_ARENA_GROW(&shader->arena, shader->declarations, shader->declaration_capacity, shader->declaration_count))
        return SCH_ERROR_MEMORY;
    shader->declarations[shader->declaration_count] = *declaration;
    return add_item(shader, SCH_IR_DECLARATION, shader->declaration_count++);
}

enum sch_result sch_ir_add_immediate(struct sch_ir_shader *shader, const struct sch_ir_immediate *immediate)
{
    if (shader->immediate_count >= shader->limits.declarations) return SCH_ERROR_LIMIT;
    if (!SCH_ARENA_GROW(&shader->arena, shader->immediates, shader->immediate_capacity, shader->immediate_count))
        return SCH_ERROR_MEMORY;
    shader->immediates[shader->immediate_count] = *immediate;
    return add_item(shader, SCH_IR_IMMEDIATE, shader->immediate_count++);
}

enum sch_result sch_ir_add_property(struct sch_ir_shader *shader, const struct sch_ir_property *property)
{
    if (shader->property_count >= shader->limits.declarations) return SCH_ERROR_LIMIT;
    if (!SCH_ARENA_GROW(&shader->arena, shader->properties, shader->property_capacity, shader->property_count))
        return SCH_ERROR_MEMORY;
    shader->properties[shader->property_count] = *property;
    return add_item(shader, SCH_IR_PROPERTY, shader->property_count++);
}

enum sch_result sch_ir_add_instruction(struct sch_ir_shader *shader, const struct sch_ir_instruction *instruction)
{
    if (shader->instruction_count >= shader->limits.instructions) return SCH_ERROR_LIMIT;
    if (!SCH_ARENA_GROW(&shader->arena, shader->instructions, shader->instruction_capacity, shader->instruction_count))
        return SCH_ERROR_MEMORY;
    shader->instructions[shader->instruction_count] = *instruction;
    return add_item(shader, SCH_IR_INSTRUCTION, shader->instruction_count++);
}

/* An array with room for `more` elements after `count`. */
static bool reserve(struct sch_arena *arena, void **items, size_t *capacity, size_t count, size_t more, size_t element)
{
    size_t needed;
    if (!more) return true;
    if (!sch_add_size(count, more, &needed)) return false;
    if (needed <= *capacity) return true;
    void *larger = sch_arena_array(arena, needed, element, alignof(max_align_t));
    if (!larger) return false;
    if (count) memcpy(larger, *items, count * element);
    *items = larger;
    *capacity = needed;
    return true;
}

#define RESERVE(shader, items, capacity, count, more)                                                                  \
    reserve(&(shader)->arena, (void **)&(shader)->items, &(shader)->capacity, (shader)->count, (more),                 \
            sizeof *(shader)->items)

enum sch_result sch_ir_reserve(struct sch_ir_shader *shader, size_t declarations, size_t immediates,
                               size_t instructions)
{
    size_t items;
    if (!sch_add_size(declarations, immediates, &items) || !sch_add_size(items, instructions, &items))
        return SCH_ERROR_MEMORY;
    bool done = RESERVE(shader, items, item_capacity, item_count, items) &&
                RESERVE(shader, declarations, declaration_capacity, declaration_count, declarations) &&
                RESERVE(shader, immediates, immediate_capacity, immediate_count, immediates) &&
                RESERVE(shader, instructions, instruction_capacity, instruction_count, instructions);
    return done ? SCH_OK : SCH_ERROR_MEMORY;
}

bool sch_ir_is_per_vertex(const struct sch_ir_shader *shader, const struct sch_ir_declaration *declaration)
{
    if (!sch_file_is_per_vertex(shader->stage, declaration->file)) return false;
    if (shader->stage == SCH_STAGE_GEOMETRY || !declaration->has_semantic) return true;
    return !sch_semantic_is_of_patch(declaration->semantic);
}

uint32_t sch_ir_property_value(const struct sch_ir_shader *shader, enum sch_property name, uint32_t fallback)
{
    for (size_t i = shader->property_count; i-- > 0;)
        if (shader->properties[i].name == name && shader->properties[i].count) return shader->properties[i].value[0];
    return fallback;
}

struct sch_ir_src sch_ir_src(enum sch_file file, int index)
{
    return (struct sch_ir_src){.file = (uint8_t)file, .swizzle = {0, 1, 2, 3}, .index = {.index = index}};
}

struct sch_ir_dst sch_ir_dst(enum sch_file file, int index)
{
    return (struct sch_ir_dst){.file = (uint8_t)file, .write_mask = 15, .index = {.index = index}};
}
