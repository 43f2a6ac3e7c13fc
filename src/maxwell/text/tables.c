/* Expands src/isa/maxwell.def into the arrays of tables.h. */
#include "maxwell/text/tables.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *const sch_maxwell_operation_names[SCH_MAXWELL_OPERATIONS] = {
#define MAXWELL_OPERATION(name, title, samples) [SCH_MAXWELL_##name] = #name,
#include "isa/maxwell.def"
#undef MAXWELL_OPERATION
};

const char *const sch_maxwell_operation_titles[SCH_MAXWELL_OPERATIONS] = {
#define MAXWELL_OPERATION(name, title, samples) [SCH_MAXWELL_##name] = title,
#include "isa/maxwell.def"
#undef MAXWELL_OPERATION
};

const bool sch_maxwell_operation_samples[SCH_MAXWELL_OPERATIONS] = {
#define MAXWELL_OPERATION(name, title, samples) [SCH_MAXWELL_##name] = samples,
#include "isa/maxwell.def"
#undef MAXWELL_OPERATION
};

const char *const sch_maxwell_field_names[SCH_MAXWELL_FIELDS] = {
#define MAXWELL_MEMBER(field, member, absent, name) [SCH_MF_##field] = name,
#include "isa/maxwell.def"
#undef MAXWELL_MEMBER
};

const char *const sch_maxwell_role_names[] = {
#define MAXWELL_ROLE(role, words) [SCH_MAXWELL_ROLE_##role] = words,
#include "isa/maxwell.def"
#undef MAXWELL_ROLE
};

enum condition {
#define MAXWELL_CONDITION(name, words, expression) WHEN_##name,
#include "isa/maxwell.def"
#undef MAXWELL_CONDITION
};

const char *const sch_maxwell_condition_names[] = {
#define MAXWELL_CONDITION(name, words, expression) [WHEN_##name] = words,
#include "isa/maxwell.def"
#undef MAXWELL_CONDITION
};

const struct sch_maxwell_form_row sch_maxwell_forms[SCH_MAXWELL_FORMS] = {
#define MAXWELL_FORM(form, operation, bindless, base50, mask50, base52, mask52, operands)                              \
    {#form, SCH_MAXWELL_##operation, bindless, {base50, base52}, {mask50, mask52}, operands},
#include "isa/maxwell.def"
#undef MAXWELL_FORM
};

const struct sch_maxwell_field_row sch_maxwell_field_rows[] = {
#define MAXWELL_FIELD(form, field, low, width, coding, since)                                                          \
    {SCH_MAXWELL_FORM_##form, SCH_MF_##field, low, width, SCH_MAXWELL_CODING_##coding, SCH_MAXWELL_SM_##since},
#include "isa/maxwell.def"
#undef MAXWELL_FIELD
};

const struct sch_maxwell_modifier_row sch_maxwell_modifiers[] = {
#define MAXWELL_MODIFIER(operation, field) {SCH_MAXWELL_##operation, SCH_MF_##field},
#include "isa/maxwell.def"
#undef MAXWELL_MODIFIER
};

const struct sch_maxwell_name_row sch_maxwell_names[] = {
#define MAXWELL_NAME(field, value, text) {SCH_MF_##field, value, text},
#include "isa/maxwell.def"
#undef MAXWELL_NAME
};

const struct sch_maxwell_scalar_row sch_maxwell_scalars[] = {
#define P0                                                                                                             \
    0, { 0, 0 }
#define P1(a)                                                                                                          \
    1, { SCH_MAXWELL_ROLE_##a, 0 }
#define P2(a, b)                                                                                                       \
    2, { SCH_MAXWELL_ROLE_##a, SCH_MAXWELL_ROLE_##b }
#define MAXWELL_SCALAR(operation, code, parameter, lod, offset, ms, dc, ra, rb)                                        \
    {SCH_MAXWELL_##operation, code, SCH_MAXWELL_##parameter, SCH_MAXWELL_##lod, SCH_MAXWELL_##offset, ms, dc, ra, rb},
#include "isa/maxwell.def"
#undef MAXWELL_SCALAR
};

const struct sch_maxwell_mask_row sch_maxwell_masks[] = {
#define MAXWELL_MASK(wide, code, text, mask) {wide, code, text, mask},
#include "isa/maxwell.def"
#undef MAXWELL_MASK
};

const struct sch_maxwell_operand_row sch_maxwell_operand_rows[] = {
#define MAXWELL_OPERAND(operation, letter, role, condition)                                                            \
    {SCH_MAXWELL_##operation, #letter[0], SCH_MAXWELL_ROLE_##role, WHEN_##condition},
#include "isa/maxwell.def"
#undef MAXWELL_OPERAND
};

static const struct {
    uint8_t operation, field, value;
} fixed_rows[] = {
#define MAXWELL_FIXED(operation, field, value) {SCH_MAXWELL_##operation, SCH_MF_##field, value},
#include "isa/maxwell.def"
#undef MAXWELL_FIXED
};

const size_t sch_maxwell_field_row_count = COUNT(sch_maxwell_field_rows),
             sch_maxwell_modifier_count = COUNT(sch_maxwell_modifiers),
             sch_maxwell_name_count = COUNT(sch_maxwell_names), sch_maxwell_scalar_count = COUNT(sch_maxwell_scalars),
             sch_maxwell_mask_count = COUNT(sch_maxwell_masks),
             sch_maxwell_operand_row_count = COUNT(sch_maxwell_operand_rows);

unsigned sch_maxwell_get(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_field field)
{
    switch (field) {
#define MAXWELL_MEMBER(field, member, absent, name)                                                                    \
    case SCH_MF_##field:                                                                                               \
        return instruction->member;
#include "isa/maxwell.def"
#undef MAXWELL_MEMBER
    default:
        return 0;
    }
}

void sch_maxwell_set(struct sch_maxwell_instruction *instruction, enum sch_maxwell_field field, unsigned value)
{
    switch (field) {
#define MAXWELL_MEMBER(field, member, absent, name)                                                                    \
    case SCH_MF_##field:                                                                                               \
        instruction->member = (__typeof__(instruction->member))value;                                                  \
        break;
#include "isa/maxwell.def"
#undef MAXWELL_MEMBER
    default:
        break;
    }
}

unsigned sch_maxwell_absent(enum sch_maxwell_field field)
{
    static const uint8_t absent_values[SCH_MAXWELL_FIELDS] = {
#define MAXWELL_MEMBER(field, member, absent, name) [SCH_MF_##field] = absent,
#include "isa/maxwell.def"
#undef MAXWELL_MEMBER
    };
    return absent_values[field];
}

const struct sch_maxwell_form_row *sch_maxwell_form_of(unsigned operation, bool bindless)
{
    for (size_t i = 0; i < SCH_MAXWELL_FORMS; i++)
        if (sch_maxwell_forms[i].operation == operation && sch_maxwell_forms[i].bindless == bindless)
            return &sch_maxwell_forms[i];
    return NULL;
}

bool sch_maxwell_to_code(const struct sch_maxwell_field_row *row, unsigned value, unsigned *code)
{
    *code = value;
    switch (row->coding) {
    case SCH_MAXWELL_CODING_INVERTED:
        *code = !value;
        return value <= 1;
    case SCH_MAXWELL_CODING_FETCH_LOD:
        *code = value == SCH_MAXWELL_LL;
        return value == SCH_MAXWELL_LZ || value == SCH_MAXWELL_LL;
    case SCH_MAXWELL_CODING_QUERY:
        if (sch_maxwell_name(SCH_MF_QUERY, value)) return true;
        return !(value & 1) && value != 0 && value != 4 && value >> row->width == 0;
    case SCH_MAXWELL_CODING_SCALAR:
        return sch_maxwell_scalar(sch_maxwell_forms[row->form].operation, value) != NULL;
    default:
        return value >> row->width == 0;
    }
}

const char *sch_maxwell_name(enum sch_maxwell_field field, unsigned value)
{
    for (size_t i = 0; i < sch_maxwell_name_count; i++)
        if (sch_maxwell_names[i].field == field && sch_maxwell_names[i].value == value)
            return sch_maxwell_names[i].text;
    return NULL;
}

bool sch_maxwell_is_scalar(unsigned operation)
{
    for (size_t i = 0; i < sch_maxwell_scalar_count; i++)
        if (sch_maxwell_scalars[i].operation == operation) return true;
    return false;
}

const struct sch_maxwell_scalar_row *sch_maxwell_scalar(unsigned operation, unsigned code)
{
    for (size_t i = 0; i < sch_maxwell_scalar_count; i++)
        if (sch_maxwell_scalars[i].operation == operation && sch_maxwell_scalars[i].code == code)
            return &sch_maxwell_scalars[i];
    return NULL;
}

const struct sch_maxwell_mask_row *sch_maxwell_mask(bool wide, unsigned code)
{
    for (size_t i = 0; i < sch_maxwell_mask_count; i++)
        if (sch_maxwell_masks[i].wide == wide && sch_maxwell_masks[i].code == code) return &sch_maxwell_masks[i];
    return NULL;
}

bool sch_maxwell_holds(const struct sch_maxwell_instruction *i, unsigned condition)
{
    switch (condition) {
#define MAXWELL_CONDITION(name, words, expression)                                                                     \
    case WHEN_##name:                                                                                                  \
        return expression;
#include "isa/maxwell.def"
#undef MAXWELL_CONDITION
    default:
        return false;
    }
}

/* Whether a code of TEXS or TLDS gives the field the value; false too where codes do not give it at all. */
static bool code_says(unsigned operation, enum sch_maxwell_field field, unsigned value, bool *coded)
{
    *coded = field == SCH_MF_PARAMETER || field == SCH_MF_LOD || field == SCH_MF_OFFSET ||
             field == SCH_MF_MULTISAMPLE || field == SCH_MF_COMPARE;
    for (size_t i = 0; i < sch_maxwell_scalar_count && *coded; i++) {
        const struct sch_maxwell_scalar_row *row = &sch_maxwell_scalars[i];
        const struct sch_maxwell_instruction given = {.parameter = row->parameter,
                                                      .lod = row->lod,
                                                      .offset = row->offset,
                                                      .multisample = row->multisample,
                                                      .compare = row->compare};
        if (row->operation == operation && sch_maxwell_get(&given, field) == value) return true;
    }
    return false;
}

bool sch_maxwell_can_say(unsigned operation, enum sch_maxwell_field field, unsigned value)
{
    unsigned code;
    bool coded = false;
    for (size_t i = 0; i < sch_maxwell_field_row_count; i++) {
        const struct sch_maxwell_field_row *row = &sch_maxwell_field_rows[i];
        if (row->field == field && sch_maxwell_forms[row->form].operation == operation)
            return sch_maxwell_to_code(row, value, &code);
    }
    if (sch_maxwell_is_scalar(operation)) {
        if (code_says(operation, field, value, &coded)) return true;
        if (coded) return false;
    }
    for (size_t i = 0; i < sch_maxwell_modifier_count; i++)
        if (sch_maxwell_modifiers[i].operation == operation && sch_maxwell_modifiers[i].field == field) return true;
    return false;
}

unsigned sch_maxwell_fixed(unsigned operation, enum sch_maxwell_field field, unsigned value)
{
    for (size_t i = 0; i < COUNT(fixed_rows); i++)
        if (fixed_rows[i].operation == operation && fixed_rows[i].field == field) return fixed_rows[i].value;
    return value;
}
