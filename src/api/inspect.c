/* What a shader is made of: instructions, operands, declarations, immediates, uses of registers, as src/ir has them.
 * Reads the shader only. */
#include <string.h>

#include "api/maxwell.h"

#include "ir/uses.h"

static const struct {
    uint32_t row, flag;
} opcode_flags[] = {{SCH_OPF_TEXTURE, SCH_INSTRUCTION_TEXTURE},
                    {SCH_OPF_SAMPLE, SCH_INSTRUCTION_SAMPLE},
                    {SCH_OPF_MEMORY | SCH_OPF_STORE, SCH_INSTRUCTION_MEMORY},
                    {SCH_OPF_STORE, SCH_INSTRUCTION_STORE},
                    {SCH_OPF_ATOMIC, SCH_INSTRUCTION_ATOMIC},
                    {SCH_OPF_BARRIER, SCH_INSTRUCTION_BARRIER},
                    {SCH_OPF_DERIVATIVE, SCH_INSTRUCTION_DERIVATIVE}};

static uint32_t flags_of(const struct sch_ir_instruction *in, const struct sch_op_info *op)
{
    uint32_t flags = (in->saturate ? SCH_INSTRUCTION_SATURATE : 0u) | (in->precise ? SCH_INSTRUCTION_PRECISE : 0u);
    if (in->has_label && op && op->flags & SCH_OPF_BRANCH) flags |= SCH_INSTRUCTION_LABEL;
    for (size_t i = 0; op && i < sizeof opcode_flags / sizeof *opcode_flags; i++)
        if (op->flags & opcode_flags[i].row) flags |= opcode_flags[i].flag;
    return flags;
}

/* Images have 0 where the text says nothing, which would be BUFFER. */
static bool names_target(const struct sch_ir_instruction *in, const struct sch_op_info *op)
{
    if (in->has_texture) return op && op->flags & SCH_OPF_TEXTURE;
    return in->has_memory && in->memory_target;
}

static bool describe_instruction(const struct sch_ir_shader *ir, uint32_t number, struct sch_instruction_info *made)
{
    if (number >= ir->instruction_count) return false;
    const struct sch_ir_instruction *in = &ir->instructions[number];
    const struct sch_op_info *op = sch_op_info(in->opcode);
    made->opcode = in->opcode;
    made->name = op ? op->name : "";
    made->flags = flags_of(in, op);
    made->destinations = in->dst_count;
    made->sources = in->src_count;
    made->texel_offsets = in->has_texture ? in->offset_count : 0;
    made->target = SCH_TARGET_UNKNOWN;
    if (names_target(in, op)) {
        made->flags |= SCH_INSTRUCTION_TARGET;
        made->target = (enum sch_target)(in->has_texture ? in->target : in->memory_target);
    }
    made->format = in->has_memory ? (enum sch_format)in->memory_format : SCH_FORMAT_NONE;
    made->qualifiers = in->has_memory ? in->qualifiers : 0;
    made->label = made->flags & SCH_INSTRUCTION_LABEL ? in->label : 0;
    made->line = in->position.line;
    made->column = in->position.column;
    made->offset = in->position.offset;
    return true;
}

bool sch_shader_instruction(const struct sch_shader *shader, uint32_t number, struct sch_instruction_info *info)
{
    struct sch_instruction_info made;
    if (!shader || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    memset(&made, 0, sizeof made); /* padding, too */
    const bool there = shader->maxwell ? sch_api_maxwell_instruction(shader, number, &made)
                                       : shader->ir && describe_instruction(shader->ir, number, &made);
    if (there) sch_sized_write(info, &made, sizeof made);
    return there;
}

/* ---- operands ---- */

static struct sch_operand_index index_of(const struct sch_ir_bracket *bracket)
{
    struct sch_operand_index index;
    memset(&index, 0, sizeof index); /* padding, too */
    index.number = bracket->index;
    if (!bracket->is_indirect) return index;
    index.is_indirect = true;
    index.file = (enum sch_file)bracket->indirect.file;
    index.index = bracket->indirect.index;
    index.component = bracket->indirect.component;
    index.array_id = bracket->indirect.array_id;
    return index;
}

static void take_destination(const struct sch_ir_dst *dst, struct sch_operand_info *made)
{
    made->kind = SCH_OPERAND_DESTINATION;
    made->file = (enum sch_file)dst->file;
    made->has_dimension = dst->has_dimension;
    if (dst->has_dimension) made->dimension = index_of(&dst->dimension);
    made->index = index_of(&dst->index);
    made->write_mask = dst->write_mask;
}

static void take_source(const struct sch_ir_src *src, struct sch_operand_info *made)
{
    made->kind = SCH_OPERAND_SOURCE;
    made->file = (enum sch_file)src->file;
    made->has_dimension = src->has_dimension;
    if (src->has_dimension) made->dimension = index_of(&src->dimension);
    made->index = index_of(&src->index);
    for (unsigned c = 0; c < 4; c++) made->swizzle[c] = src->swizzle[c];
    made->negate = src->negate;
    made->absolute = src->absolute;
}

static void take_offset(const struct sch_ir_texel_offset *offset, struct sch_operand_info *made)
{
    made->kind = SCH_OPERAND_TEXEL_OFFSET;
    made->file = (enum sch_file)offset->file;
    made->index.number = offset->index;
    for (unsigned c = 0; c < 3; c++) made->swizzle[c] = offset->swizzle[c];
    made->type = SCH_VALUE_INT;
}

static bool describe_operand(const struct sch_ir_shader *ir, uint32_t instruction, uint32_t number,
                             struct sch_operand_info *made)
{
    if (instruction >= ir->instruction_count) return false;
    const struct sch_ir_instruction *in = &ir->instructions[instruction];
    const struct sch_op_info *op = sch_op_form(in->opcode, in->src_count);
    const uint32_t sources = in->dst_count, offsets = sources + in->src_count;
    const uint32_t end = offsets + (in->has_texture ? in->offset_count : 0u);
    if (number >= end) return false;
    if (number < sources) {
        take_destination(&in->dst[number], made);
        if (op && number == 0) made->type = sch_value_of_letter(op->dst_type);
    } else if (number < offsets) {
        take_source(&in->src[number - sources], made);
        if (op && number - sources < op->srcs) made->type = sch_value_of_letter(op->src_type[number - sources]);
    } else {
        take_offset(&in->offset[number - offsets], made);
    }
    return true;
}

bool sch_shader_operand(const struct sch_shader *shader, uint32_t instruction, uint32_t number,
                        struct sch_operand_info *info)
{
    struct sch_operand_info made;
    if (!shader || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    memset(&made, 0, sizeof made); /* padding, too */
    const bool there = shader->maxwell ? sch_api_maxwell_operand(shader, instruction, number, &made)
                                       : shader->ir && describe_operand(shader->ir, instruction, number, &made);
    if (there) sch_sized_write(info, &made, sizeof made);
    return there;
}

/* ---- declarations, immediates ---- */

static void take_resource(const struct sch_ir_declaration *from, struct sch_declaration_info *made)
{
    made->target = SCH_TARGET_UNKNOWN;
    switch (from->file) {
    case SCH_FILE_SAMPLER_VIEW:
        for (unsigned c = 0; c < 4; c++) made->return_types[c] = (enum sch_return_type)from->return_type[c];
        made->target = (enum sch_target)from->target;
        break;
    case SCH_FILE_IMAGE:
    case SCH_FILE_RESOURCE:
        made->target = (enum sch_target)from->target;
        made->format = (enum sch_format)from->format;
        made->raw = from->raw;
        made->writable = from->writable;
        break;
    case SCH_FILE_BUFFER:
        made->atomic = from->atomic;
        break;
    case SCH_FILE_MEMORY:
        made->memory_kind = (enum sch_memory_kind)from->memory_kind;
        break;
    default:
        break;
    }
}

bool sch_shader_declaration(const struct sch_shader *shader, uint32_t number, struct sch_declaration_info *info)
{
    if (!shader || !shader->ir || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (number >= shader->ir->declaration_count) return false;
    const struct sch_ir_declaration *from = &shader->ir->declarations[number];
    struct sch_declaration_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.file = (enum sch_file)from->file;
    made.first = from->first;
    made.last = from->last;
    made.has_dimension = from->has_dimension;
    made.dimension = from->has_dimension ? from->dimension : 0;
    made.per_vertex = sch_ir_is_per_vertex(shader->ir, from);
    made.usage_mask = from->usage_mask;
    made.array_id = from->array_id;
    made.semantic = from->has_semantic ? (enum sch_semantic)from->semantic : SCH_SEMANTIC_NONE;
    made.semantic_index = from->has_semantic ? from->semantic_index : 0;
    made.has_interpolation = from->has_interpolation;
    made.interpolation = from->has_interpolation ? (enum sch_interpolation)from->interpolation : 0;
    made.location = from->has_interpolation ? (enum sch_location)from->location : 0;
    for (unsigned c = 0; c < 4; c++) made.streams[c] = from->stream[c];
    made.invariant = from->invariant;
    made.local = from->local;
    take_resource(from, &made);
    made.line = from->position.line;
    made.column = from->position.column;
    made.offset = from->position.offset;
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_shader_immediate(const struct sch_shader *shader, uint32_t number, struct sch_immediate_info *info)
{
    if (!shader || !shader->ir || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (number >= shader->ir->immediate_count) return false;
    const struct sch_ir_immediate *from = &shader->ir->immediates[number];
    struct sch_immediate_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.type = (enum sch_immediate_type)from->type;
    memcpy(made.words, from->word, sizeof made.words);
    made.line = from->position.line;
    made.column = from->position.column;
    made.offset = from->position.offset;
    sch_sized_write(info, &made, sizeof made);
    return true;
}

/* ---- uses ---- */

/* The uses of a shader's registers, the first `capacity` of them into `list`. */
static enum sch_result list_uses(const struct sch_shader *shader, struct sch_register_use *list, size_t stride,
                                 size_t capacity, size_t *count)
{
    struct sch_arena arena;
    struct sch_ir_use *uses = NULL;
    sch_arena_init(&arena, &shader->context->allocator, shader->context->limits.memory);
    enum sch_result status = sch_ir_list_uses(shader->ir, &arena, &uses, count);
    for (size_t i = 0; i < *count && i < capacity; i++) {
        struct sch_register_use made;
        memset(&made, 0, sizeof made); /* padding, too */
        made.file = (enum sch_file)uses[i].file;
        made.buffer = uses[i].buffer;
        made.first = uses[i].first;
        made.last = uses[i].last;
        made.is_read = uses[i].is_read;
        for (unsigned c = 0; c < 4; c++) made.types[c] = (enum sch_value_type)uses[i].types[c];
        sch_sized_write_element((char *)list + i * stride, stride, &made, sizeof made);
    }
    if (arena.limited) status = SCH_ERROR_LIMIT;
    sch_arena_release(&arena);
    return status;
}

static void list_maxwell_uses(const struct sch_shader *shader, struct sch_register_use *list, size_t stride,
                              size_t capacity, size_t *count)
{
    struct sch_register_use uses[SCH_API_MAXWELL_USES];
    sch_api_maxwell_uses(shader, uses, count);
    for (size_t i = 0; i < *count && i < capacity; i++)
        sch_sized_write_element((char *)list + i * stride, stride, &uses[i], sizeof uses[i]);
}

enum sch_result sch_shader_register_uses(const struct sch_shader *shader, struct sch_register_use *list, size_t stride,
                                         size_t capacity, size_t *count)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(shader), NULL, __func__, NULL);
    if (count) *count = 0;
    if (!sch_api_given(&call, count, "count") || !sch_api_given(&call, shader, "shader") ||
        (capacity && !sch_api_given(&call, list, "list")))
        return sch_api_refused(&call);
    if (shader->d3d) return sch_api_wrong(&call, "shader", "a Direct3D shader has no list of uses: lower it");
    if (capacity && !sch_sized_fits(stride, sizeof *list))
        return sch_api_wrong(&call, "stride", "elements of %zu bytes: they have at least %zu", stride, sizeof *list);
    if (!shader->maxwell) return sch_api_end(&call, list_uses(shader, list, stride, capacity, count));
    list_maxwell_uses(shader, list, stride, capacity, count);
    return SCH_OK;
}
