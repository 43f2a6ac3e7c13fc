/* The rows of d3d.def as arrays, and the look-ups. */
#include "isa/d3d.h"

#include <string.h>
#include <strings.h>

#define D3D_BIT(field) (1u << SCH_D3D_FIELD_##field)
#define D3D_F(flag)    SCH_D3D_F_##flag
#define D3D_R(flag)    SCH_D3D_R_##flag

static const struct sch_d3d_op_info ops[SCH_D3D_OP_LIMIT] = {
#define D3D_OP(id, number, spelling, second, bits, operand_words, template, first, where, marks, words)                \
    [number] = {.name = #id,                                                                                           \
                .word = spelling,                                                                                      \
                .other = second,                                                                                       \
                .fields = bits,                                                                                        \
                .operands = operand_words,                                                                             \
                .operand_count = sizeof(operand_words) / 3,                                                            \
                .text = template,                                                                                      \
                .model = first,                                                                                        \
                .stages = where,                                                                                       \
                .flags = marks,                                                                                        \
                .opcode = number,                                                                                      \
                .title = words},
#include "isa/d3d.def"
};

const struct sch_d3d_field_info sch_d3d_fields[SCH_D3D_FIELD_COUNT] = {
#define D3D_FIELD(id, at, bits, vocabulary) {#id, at, bits, SCH_D3D_WORDS_##vocabulary},
#include "isa/d3d.def"
};

static const struct sch_d3d_word words[] = {
#define D3D_WORD(vocabulary, number, word, other) {SCH_D3D_WORDS_##vocabulary, number, word, other},
#include "isa/d3d.def"
};

static const struct sch_d3d_register_info registers[SCH_D3D_REGISTER_COUNT] = {
#define D3D_REGISTER(id, number, word, other, bare, flags) {#id, word, other, number, SCH_D3D_BARE_##bare, flags},
#include "isa/d3d.def"
};

const struct sch_d3d_op_info *sch_d3d_op_info(unsigned opcode)
{
    return opcode < SCH_D3D_OP_LIMIT && ops[opcode].name ? &ops[opcode] : NULL;
}

unsigned sch_d3d_operand_count(const struct sch_d3d_op_info *info)
{
    if (!(info->flags & SCH_D3D_F_DECLARATION)) return info->operand_count;
    return strstr(info->text, "%o") != NULL;
}

char sch_d3d_operand_role(const struct sch_d3d_op_info *info, unsigned index)
{
    return info->flags & SCH_D3D_F_DECLARATION ? 'O' : info->operands[3 * index];
}

char sch_d3d_operand_type(const struct sch_d3d_op_info *info, unsigned index)
{
    return info->flags & SCH_D3D_F_DECLARATION ? '-' : info->operands[3 * index + 1];
}

static bool is_word(const char *word, const char *text, size_t bytes)
{
    return *word && strlen(word) == bytes && !strncasecmp(word, text, bytes);
}

const struct sch_d3d_op_info *sch_d3d_op_find(const char *word, size_t bytes)
{
    for (size_t i = 0; i < SCH_D3D_OP_LIMIT; i++)
        if (ops[i].name && (is_word(ops[i].word, word, bytes) || is_word(ops[i].other, word, bytes))) return &ops[i];
    return NULL;
}

uint32_t sch_d3d_field_bits(const struct sch_d3d_op_info *info)
{
    uint32_t bits = 0;
    for (uint32_t left = info->fields; left; left &= left - 1) {
        const struct sch_d3d_field_info *field = &sch_d3d_fields[__builtin_ctz(left)];
        bits |= ((1u << field->width) - 1) << field->shift;
    }
    return bits;
}

const struct sch_d3d_word *sch_d3d_words(size_t *count)
{
    *count = sizeof words / sizeof *words;
    return words;
}

const struct sch_d3d_word *sch_d3d_word_by_number(enum sch_d3d_vocabulary vocabulary, uint32_t number)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].vocabulary == vocabulary && words[i].number == number) return &words[i];
    return NULL;
}

const struct sch_d3d_word *sch_d3d_word_find(enum sch_d3d_vocabulary vocabulary, const char *word, size_t bytes)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].vocabulary == vocabulary &&
            (is_word(words[i].word, word, bytes) || is_word(words[i].other, word, bytes)))
            return &words[i];
    return NULL;
}

const struct sch_d3d_register_info *sch_d3d_register_info(unsigned number)
{
    return number < SCH_D3D_REGISTER_COUNT ? &registers[number] : NULL;
}

const struct sch_d3d_register_info *sch_d3d_register_find(const char *word, size_t bytes)
{
    for (size_t i = 0; i < SCH_D3D_REGISTER_COUNT; i++)
        if (i != SCH_D3D_REGISTER_IMMEDIATE32 && i != SCH_D3D_REGISTER_IMMEDIATE64 &&
            (is_word(registers[i].word, word, bytes) || is_word(registers[i].other, word, bytes)))
            return &registers[i];
    return NULL;
}
