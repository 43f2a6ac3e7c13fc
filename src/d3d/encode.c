/* From a program to tokens, and the program's own memory. */
#include "d3d/program.h"

#include <string.h>

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

/* Words that grow. */
struct encoder {
    const struct sch_allocator *allocator;
    uint32_t *words;
    size_t count, capacity;
    bool failed;
};

static void put(struct encoder *e, uint32_t word)
{
    if (e->failed) return;
    if (e->count == e->capacity) {
        enum { FIRST = 256 };
        size_t wanted = e->capacity ? e->capacity * 2 : FIRST;
        uint32_t *larger = e->allocator->alloc(e->allocator->user, wanted * sizeof *larger);
        if (!larger) {
            e->failed = true;
            return;
        }
        if (e->count) memcpy(larger, e->words, e->count * sizeof *larger);
        if (e->words) e->allocator->free(e->allocator->user, e->words);
        e->words = larger;
        e->capacity = wanted;
    }
    e->words[e->count++] = word;
}

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

static void encode_operand(struct encoder *e, const struct sch_d3d_operand *operand)
{
    bool extended = operand->extended || operand->modifier || operand->precision || operand->nonuniform;
    uint32_t token = form_bits(operand) | (uint32_t)operand->type << 12 | (uint32_t)operand->index_count << 20;
    for (unsigned i = 0; i < operand->index_count; i++) token |= representation(&operand->index[i]) << (22 + 3 * i);
    put(e, token | (uint32_t)extended << 31);
    if (extended)
        put(e, 1u | (uint32_t)operand->modifier << 6 | (uint32_t)operand->precision << 14 |
                   (uint32_t)operand->nonuniform << 17);
    for (unsigned i = 0; i < operand->value_count; i++) put(e, operand->values[i]);
    for (unsigned i = 0; i < operand->index_count; i++) {
        const struct sch_d3d_index *index = &operand->index[i];
        if (index->parts & SCH_D3D_INDEX_WIDE) put(e, (uint32_t)(index->value >> 32));
        if (index->parts & SCH_D3D_INDEX_VALUE) put(e, (uint32_t)index->value);
        if (index->relative) encode_operand(e, index->relative);
    }
}

/* The operand, where there is one, then the plain words. */
static void encode_declaration(struct encoder *e, const struct sch_d3d_instruction *instruction)
{
    if (instruction->operand_count) encode_operand(e, &instruction->operands[0]);
    for (uint32_t i = 0; i < instruction->literal_count; i++) put(e, instruction->literals[i]);
}

static void encode_instruction(struct encoder *e, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(instruction->opcode);
    bool custom = info->flags & SCH_D3D_F_CUSTOM, stated = custom || instruction->long_length;
    size_t begin = e->count;
    put(e, 0);
    if (stated) put(e, 0);
    for (unsigned i = 0; i < instruction->extended_count; i++)
        put(e, instruction->extended[i] | (uint32_t)(i + 1 < instruction->extended_count) << 31);
    if (custom || info->flags & SCH_D3D_F_DECLARATION) {
        encode_declaration(e, instruction);
    } else {
        for (uint32_t i = 0; i < instruction->literal_count; i++) put(e, instruction->literals[i]);
        for (unsigned i = 0; i < instruction->operand_count; i++) encode_operand(e, &instruction->operands[i]);
    }
    for (uint32_t i = 0; i < instruction->spare_count; i++) put(e, instruction->spare[i]);
    if (e->failed) return;
    size_t length = e->count - begin;
    if (!stated && length > 127) { /* the field has seven bits: the length gets a word of its own */
        put(e, 0);
        if (e->failed) return;
        memmove(&e->words[begin + 2], &e->words[begin + 1], (length - 1) * sizeof *e->words);
        stated = true;
        length++;
    }
    if (stated) e->words[begin + 1] = (uint32_t)length;
    e->words[begin] = info->opcode | instruction->controls | (stated ? 0 : (uint32_t)length << 24) |
                      (uint32_t)(instruction->extended_count > 0) << 31;
}

enum sch_status sch_d3d_encode(const struct sch_d3d_program *program, const struct sch_allocator *allocator,
                               struct sch_diagnostics *diagnostics, uint32_t **words, size_t *count)
{
    *words = NULL;
    *count = 0;
    struct encoder e = {.allocator = allocator};
    put(&e, program->minor | (uint32_t)program->major << 4 | (uint32_t)program->stage << 16);
    put(&e, 0);
    for (size_t i = 0; i < program->count && !e.failed; i++) encode_instruction(&e, &program->instructions[i]);
    size_t length = e.count;
    for (size_t i = 0; i < program->trailing_count; i++) put(&e, program->trailing[i]);
    if (!e.failed && e.count <= UINT32_MAX / 4) {
        e.words[1] = (uint32_t)length;
        *words = e.words;
        *count = e.count;
        return SCH_STATUS_OK;
    }
    if (e.words) allocator->free(allocator->user, e.words);
    if (e.failed) return SCH_STATUS_MEMORY;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_D3D_LIMIT, (struct sch_position){0},
                        "the program is too long for a chunk");
    return SCH_STATUS_LIMIT;
}
