/* Operands from text. */
#include "d3d/text/assembler.h"

#include <string.h>

/* A number of an index; "l" after it makes it a wide one. */
static void take_number(struct sch_d3d_assembler *a, struct sch_d3d_index *index, bool negative)
{
    const char *begin = a->at;
    uint64_t number = sch_d3d_asm_number(a, UINT64_MAX);
    index->parts |= SCH_D3D_INDEX_VALUE;
    if (a->at < a->end && (*a->at == 'l' || *a->at == 'L')) {
        a->at++;
        index->parts |= SCH_D3D_INDEX_WIDE;
    } else if (number > (negative ? 0x80000000u : UINT32_MAX)) {
        sch_d3d_asm_report(a, SCH_D_ASM_NUMBER, begin, "an index has 32 bits, or 64 with an l after it");
    }
    index->value = !negative ? number : index->parts & SCH_D3D_INDEX_WIDE ? 0 - number : (uint32_t)(0 - number);
}

static void take_relative(struct sch_d3d_assembler *a, struct sch_d3d_index *index, unsigned depth)
{
    if (depth >= SCH_D3D_MAX_DEPTH) {
        sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, a->at, "indices are nested more than %d deep", SCH_D3D_MAX_DEPTH);
        return;
    }
    index->parts |= SCH_D3D_INDEX_RELATIVE;
    index->relative = SCH_ARENA_NEW(a->arena, struct sch_d3d_operand);
    if (!index->relative)
        sch_d3d_asm_memory(a);
    else
        sch_d3d_asm_operand(a, index->relative, 'S', depth + 1);
}

/* What is between brackets: NUMBER, REGISTER, REGISTER + NUMBER, NUMBER + REGISTER. "REGISTER + 0" is REGISTER: the
 * listings write it so; "0 + REGISTER" keeps the number. */
static void take_index(struct sch_d3d_assembler *a, struct sch_d3d_index *index, unsigned depth)
{
    if (sch_d3d_is_digit(sch_d3d_asm_skip(a))) {
        take_number(a, index, false);
        if (sch_d3d_asm_take(a, '+')) take_relative(a, index, depth);
        return;
    }
    take_relative(a, index, depth);
    bool negative = sch_d3d_asm_skip(a) == '-';
    if (!negative && !sch_d3d_asm_take(a, '+')) return;
    if (negative) a->at++;
    if (!negative && sch_d3d_asm_take(a, '-')) negative = true;
    sch_d3d_asm_skip(a);
    take_number(a, index, negative);
    if (!index->value && !(index->parts & SCH_D3D_INDEX_WIDE)) index->parts &= (uint8_t)~SCH_D3D_INDEX_VALUE;
}

static struct sch_d3d_index *next_index(struct sch_d3d_assembler *a, struct sch_d3d_operand *operand)
{
    if (operand->index_count < SCH_D3D_MAX_INDICES) return &operand->index[operand->index_count++];
    sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, a->at, "an operand has at most %d indices", SCH_D3D_MAX_INDICES);
    return NULL;
}

/* "[a]" and "[a:b]", where b may be '*': to the end. What follows the range of a declaration is not the operand's. */
static void take_brackets(struct sch_d3d_assembler *a, struct sch_d3d_operand *operand, char role, unsigned depth)
{
    while (a->at < a->end && *a->at == '[' && !(role == 'O' && operand->index_count == 3)) {
        a->at++;
        struct sch_d3d_index *index = next_index(a, operand);
        if (!index) return;
        take_index(a, index, depth);
        if (sch_d3d_asm_take(a, ':')) {
            index = next_index(a, operand);
            if (!index) return;
            if (sch_d3d_asm_take(a, '*'))
                *index = (struct sch_d3d_index){.parts = SCH_D3D_INDEX_VALUE, .value = UINT32_MAX};
            else
                take_index(a, index, depth);
        }
        sch_d3d_asm_expect(a, ']');
    }
}

static void take_register(struct sch_d3d_assembler *a, struct sch_d3d_operand *operand, char role, unsigned depth)
{
    const char *begin = a->at;
    size_t length = 0;
    while (length < (size_t)(a->end - a->at) && sch_d3d_is_letter(a->at[length])) length++;
    const struct sch_d3d_register_info *info = sch_d3d_register_find(a->at, length);
    if (!info) {
        if (length)
            sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, begin, "no register is called %.*s",
                               length > 40 ? 40 : (int)length, begin);
        else
            sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, begin, "an operand is missing here");
        return;
    }
    a->at += length;
    operand->type = info->number;
    if (a->at < a->end && sch_d3d_is_digit(*a->at)) take_number(a, next_index(a, operand), false);
    take_brackets(a, operand, role, depth);
}

static void take_values(struct sch_d3d_assembler *a, struct sch_d3d_operand *operand)
{
    bool wide = *a->at == 'd' || *a->at == 'D';
    const char *begin = a->at;
    operand->type = wide ? SCH_D3D_REGISTER_IMMEDIATE64 : SCH_D3D_REGISTER_IMMEDIATE32;
    a->at += 2;
    unsigned count = 0;
    do {
        uint64_t value = sch_d3d_asm_value(a, wide);
        if (a->bad) return;
        if (operand->value_count == 4) {
            sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, begin, "a literal has too many values");
            return;
        }
        operand->values[operand->value_count++] = (uint32_t)value;
        if (wide) operand->values[operand->value_count++] = (uint32_t)(value >> 32);
        count++;
    } while (sch_d3d_asm_take(a, ','));
    if (!sch_d3d_asm_expect(a, ')')) return;
    if (!wide && count != 1 && count != 4)
        sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, begin, "a literal has one value or four");
}

/* "{min16f}", "{nonuniform}", "{mask}": `form` receives a form. */
static void take_annotations(struct sch_d3d_assembler *a, struct sch_d3d_operand *operand, int *form)
{
    while (sch_d3d_asm_take(a, '{')) {
        const char *begin = a->at;
        const struct sch_d3d_word *word;
        if (sch_d3d_asm_take_word(a, "nonuniform"))
            operand->nonuniform = true;
        else if ((word = sch_d3d_asm_vocabulary(a, SCH_D3D_WORDS_PRECISION)))
            operand->precision = word->number;
        else if ((word = sch_d3d_asm_vocabulary(a, SCH_D3D_WORDS_FORM)))
            *form = word->number;
        else
            sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, begin, "no such word about an operand");
        sch_d3d_asm_expect(a, '}');
    }
}

static uint8_t swizzle_of(const uint8_t *components, unsigned count)
{
    unsigned swizzle = 0;
    for (unsigned i = 0; i < 4; i++) swizzle |= (unsigned)components[i < count ? i : count - 1] << (2 * i);
    return (uint8_t)swizzle;
}

/* The form from the letters, the role, and the word about it (or -1). */
static void set_form(struct sch_d3d_assembler *a, struct sch_d3d_operand *operand, char role, const uint8_t *components,
                     unsigned count, int form, const char *at)
{
    if (form < 0 && !count) {
        sch_d3d_bare_form(operand, role);
        return;
    }
    if (form < 0)
        form = sch_d3d_is_masked(role) && !sch_d3d_is_range(operand, role) ? SCH_D3D_FORM_MASK
               : count == 1 && role != 'T'                                 ? SCH_D3D_FORM_SELECT
                                                                           : SCH_D3D_FORM_SWIZZLE;
    operand->form = (uint8_t)form;
    bool plain = form == SCH_D3D_FORM_NONE || form == SCH_D3D_FORM_SCALAR;
    if (plain ? count != 0 : form != SCH_D3D_FORM_MASK && !count)
        sch_d3d_asm_report(a, SCH_D_ASM_COMPONENTS, at, "the components and the word about them disagree");
    else if (form == SCH_D3D_FORM_MASK)
        operand->select = sch_d3d_asm_mask(a, components, count, at);
    else if (form == SCH_D3D_FORM_SWIZZLE)
        operand->select = swizzle_of(components, count);
    else if (form == SCH_D3D_FORM_SELECT)
        operand->select = components[0];
    if (form == SCH_D3D_FORM_SELECT && count != 1)
        sch_d3d_asm_report(a, SCH_D_ASM_COMPONENTS, at, "one component is selected");
}

/* Immediates have as many words as their form says; a form that says otherwise cannot be written. */
static void check_values(struct sch_d3d_assembler *a, const struct sch_d3d_operand *operand, const char *at)
{
    if (!operand->value_count) return;
    bool one = operand->value_count < (operand->type == SCH_D3D_REGISTER_IMMEDIATE64 ? 4 : 2);
    if (operand->form == SCH_D3D_FORM_NONE || one != (operand->form == SCH_D3D_FORM_SCALAR))
        sch_d3d_asm_report(a, SCH_D_ASM_COMPONENTS, at, "a literal of one value has no components");
}

void sch_d3d_asm_operand(struct sch_d3d_assembler *a, struct sch_d3d_operand *operand, char role, unsigned depth)
{
    *operand = (struct sch_d3d_operand){0};
    if (sch_d3d_asm_take(a, '-')) operand->modifier |= SCH_D3D_NEGATE;
    bool absolute = sch_d3d_asm_take(a, '|');
    if (absolute) operand->modifier |= SCH_D3D_ABSOLUTE;
    char c = sch_d3d_asm_skip(a);
    bool literal = c && strchr("lLdD", c) && a->end - a->at > 1 && a->at[1] == '(';
    if (literal)
        take_values(a, operand);
    else
        take_register(a, operand, role, depth);
    if (a->bad) return;
    uint8_t components[4] = {0};
    const char *at = a->at;
    int form = -1;
    unsigned count = sch_d3d_asm_components(a, components);
    take_annotations(a, operand, &form);
    if (absolute && sch_d3d_asm_expect(a, '|')) take_annotations(a, operand, &form);
    if (a->bad) return;
    set_form(a, operand, role, components, count, form, at);
    check_values(a, operand, at);
}
