/* From a program to tokens, and the program's own memory. */
#include "d3d/dxbc/program.h"

#include <string.h>

#include "base/bytes.h"
#include "isa/errors.h"

struct sch_d3d_program *sch_d3d_program_create(const struct sch_allocator *allocator, const struct sch_limits *limits)
{
    struct sch_arena arena;
    sch_arena_init(&arena, allocator, limits->memory);
    struct sch_d3d_program *made = SCH_ARENA_NEW(&arena, struct sch_d3d_program);
    if (!made) {
        sch_arena_release(&arena);
        return NULL;
    }
    made->arena = arena;
    return made;
}

void sch_d3d_program_destroy(struct sch_d3d_program *program)
{
    if (!program) return;
    struct sch_arena arena = program->arena; /* the program itself is in it */
    sch_arena_release(&arena);
}

static void put(struct sch_bytes *out, uint32_t word) { sch_bytes_append(out, &word, sizeof word); }

static uint32_t *word_at(struct sch_bytes *out, size_t place) { return (uint32_t *)(void *)out->data + place; }

static size_t word_count(const struct sch_bytes *out) { return out->size / sizeof(uint32_t); }

static uint32_t form_bits(const struct sch_d3d_operand *operand)
{
    switch (operand->form) {
    case SCH_D3D_FORM_NONE:
        return 0;
    case SCH_D3D_FORM_SCALAR:
        return 1;
    case SCH_D3D_FORM_MASK:
        return 2u | (uint32_t)operand->select << 4;
    case SCH_D3D_FORM_SWIZZLE:
        return 2u | 1u << 2 | (uint32_t)operand->select << 4;
    default:
        return 2u | 2u << 2 | (uint32_t)operand->select << 4;
    }
}

static uint32_t representation(const struct sch_d3d_index *index)
{
    if (!(index->parts & SCH_D3D_INDEX_RELATIVE)) return index->parts & SCH_D3D_INDEX_WIDE ? 1 : 0;
    if (!(index->parts & SCH_D3D_INDEX_VALUE)) return 2;
    return index->parts & SCH_D3D_INDEX_WIDE ? 4 : 3;
}

static void encode_operand(struct sch_bytes *out, const struct sch_d3d_operand *operand)
{
    bool extended = operand->extended || operand->modifier || operand->precision || operand->nonuniform;
    uint32_t token = form_bits(operand) | (uint32_t)operand->type << 12 | (uint32_t)operand->index_count << 20;
    for (unsigned i = 0; i < operand->index_count; i++) token |= representation(&operand->index[i]) << (22 + 3 * i);
    put(out, token | (uint32_t)extended << 31);
    if (extended)
        put(out, 1u | (uint32_t)operand->modifier << 6 | (uint32_t)operand->precision << 14 |
                     (uint32_t)operand->nonuniform << 17);
    for (unsigned i = 0; i < operand->value_count; i++) put(out, operand->values[i]);
    for (unsigned i = 0; i < operand->index_count; i++) {
        const struct sch_d3d_index *index = &operand->index[i];
        if (index->parts & SCH_D3D_INDEX_WIDE) put(out, (uint32_t)(index->value >> 32));
        if (index->parts & SCH_D3D_INDEX_VALUE) put(out, (uint32_t)index->value);
        if (index->relative) encode_operand(out, index->relative);
    }
}

/* The operand, where there is one, then the plain words. */
static void encode_declaration(struct sch_bytes *out, const struct sch_d3d_instruction *instruction)
{
    if (instruction->operand_count) encode_operand(out, &instruction->operands[0]);
    for (uint32_t i = 0; i < instruction->literal_count; i++) put(out, instruction->literals[i]);
}

static void encode_instruction(struct sch_bytes *out, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(instruction->opcode);
    bool custom = info->flags & SCH_D3D_F_CUSTOM, stated = custom || instruction->long_length;
    size_t begin = word_count(out);
    put(out, 0);
    if (stated) put(out, 0);
    for (unsigned i = 0; i < instruction->extended_count; i++)
        put(out, instruction->extended[i] | (uint32_t)(i + 1 < instruction->extended_count) << 31);
    if (custom || info->flags & SCH_D3D_F_DECLARATION) {
        encode_declaration(out, instruction);
    } else {
        for (uint32_t i = 0; i < instruction->literal_count; i++) put(out, instruction->literals[i]);
        for (unsigned i = 0; i < instruction->operand_count; i++) encode_operand(out, &instruction->operands[i]);
    }
    for (uint32_t i = 0; i < instruction->spare_count; i++) put(out, instruction->spare[i]);
    if (out->status != SCH_OK) return;
    size_t length = word_count(out) - begin;
    if (!stated && length > 127) { /* the field has seven bits: the length gets a word of its own */
        put(out, 0);
        if (out->status != SCH_OK) return;
        memmove(word_at(out, begin + 2), word_at(out, begin + 1), (length - 1) * sizeof(uint32_t));
        stated = true;
        length++;
    }
    if (stated) *word_at(out, begin + 1) = (uint32_t)length;
    *word_at(out, begin) = info->opcode | instruction->controls | (stated ? 0 : (uint32_t)length << 24) |
                           (uint32_t)(instruction->extended_count > 0) << 31;
}

enum sch_result sch_d3d_encode(const struct sch_d3d_program *program, const struct sch_allocator *allocator,
                               struct sch_diagnostics *diagnostics, uint32_t **words, size_t *count)
{
    *words = NULL;
    *count = 0;
    struct sch_bytes out = {.allocator = allocator};
    put(&out, program->minor | (uint32_t)program->major << 4 | (uint32_t)program->stage << 16);
    put(&out, 0);
    for (size_t i = 0; i < program->count && out.status == SCH_OK; i++)
        encode_instruction(&out, &program->instructions[i]);
    const size_t length = word_count(&out);
    for (size_t i = 0; i < program->trailing_count; i++) put(&out, program->trailing[i]);
    if (out.status == SCH_OK && out.size <= UINT32_MAX / 4 * sizeof(uint32_t)) {
        *word_at(&out, 1) = (uint32_t)length;
        *count = word_count(&out);
        *words = word_at(&out, 0);
        return SCH_OK;
    }
    const enum sch_result status = out.status;
    sch_bytes_release(&out);
    if (status != SCH_OK) return status;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_D3D_LIMIT, (struct sch_position){0},
                        "the program is too long for a chunk");
    return SCH_ERROR_LIMIT;
}
