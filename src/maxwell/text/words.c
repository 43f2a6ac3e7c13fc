/* Words to instructions and back, by the fields of src/isa/maxwell.def. */
#include "maxwell/text/tables.h"

struct sch_maxwell_instruction sch_maxwell_blank(enum sch_maxwell_operation operation, bool bindless)
{
    struct sch_maxwell_instruction blank = {.operation = (uint8_t)operation};
    for (unsigned field = 0; field < SCH_MAXWELL_FIELDS; field++) {
        unsigned value = sch_maxwell_fixed(operation, field, sch_maxwell_absent(field));
        sch_maxwell_set(&blank, field, value);
    }
    blank.bindless = bindless;
    return blank;
}

/* Sets what TEXS and TLDS say by codes, which have rows: form codes without one were refused, mask codes all have. */
static void expand_codes(struct sch_maxwell_instruction *instruction)
{
    if (!sch_maxwell_is_scalar(instruction->operation)) return;
    const struct sch_maxwell_scalar_row *row = sch_maxwell_scalar(instruction->operation, instruction->form_code);
    const struct sch_maxwell_mask_row *mask =
        sch_maxwell_mask(instruction->rd1 != SCH_MAXWELL_RZ, instruction->mask_code);
    instruction->parameter = row->parameter;
    instruction->lod = row->lod;
    instruction->offset = row->offset;
    instruction->multisample = row->multisample;
    instruction->compare = row->compare;
    instruction->write_mask = mask->mask;
}

bool sch_maxwell_choose_codes(struct sch_maxwell_instruction *instruction)
{
    if (!sch_maxwell_is_scalar(instruction->operation)) return true;
    const bool wide = instruction->rd1 != SCH_MAXWELL_RZ;
    const struct sch_maxwell_scalar_row *row = NULL;
    for (size_t i = 0; i < sch_maxwell_scalar_count && !row; i++) {
        const struct sch_maxwell_scalar_row *r = &sch_maxwell_scalars[i];
        if (r->operation == instruction->operation && r->parameter == instruction->parameter &&
            r->lod == instruction->lod && r->offset == instruction->offset &&
            r->multisample == instruction->multisample && r->compare == instruction->compare)
            row = r;
    }
    const struct sch_maxwell_mask_row *mask = NULL;
    for (size_t i = 0; i < sch_maxwell_mask_count && !mask; i++) {
        const struct sch_maxwell_mask_row *m = &sch_maxwell_masks[i];
        if (m->wide == wide && m->mask && m->mask == instruction->write_mask) mask = m;
    }
    if (!row || !mask) return false;
    instruction->form_code = row->code;
    instruction->mask_code = mask->code;
    return true;
}

static bool from_code(const struct sch_maxwell_field_row *row, unsigned code, unsigned *value)
{
    *value = code;
    if (row->coding == SCH_MAXWELL_CODING_INVERTED) *value = !code;
    if (row->coding == SCH_MAXWELL_CODING_FETCH_LOD) *value = code ? SCH_MAXWELL_LL : SCH_MAXWELL_LZ;
    unsigned back;
    return sch_maxwell_to_code(row, *value, &back) && back == code;
}

static unsigned bits_of(uint64_t word, const struct sch_maxwell_field_row *row)
{
    return (unsigned)(word >> row->low) & ((1u << row->width) - 1);
}

static bool decode_form(unsigned form, uint64_t word, enum sch_maxwell_arch arch,
                        struct sch_maxwell_instruction *instruction)
{
    *instruction = sch_maxwell_blank(sch_maxwell_forms[form].operation, sch_maxwell_forms[form].bindless);
    for (size_t i = 0; i < sch_maxwell_field_row_count; i++) {
        const struct sch_maxwell_field_row *row = &sch_maxwell_field_rows[i];
        if (row->form != form || row->since > arch) continue;
        unsigned value;
        if (!from_code(row, bits_of(word, row), &value)) return false;
        sch_maxwell_set(instruction, row->field, value);
    }
    expand_codes(instruction);
    return true;
}

bool sch_maxwell_decode(uint64_t word, enum sch_maxwell_arch arch, struct sch_maxwell_instruction *instruction)
{
    const unsigned column = arch != SCH_MAXWELL_SM_50;
    for (unsigned form = 0; form < SCH_MAXWELL_FORMS; form++)
        if ((word & sch_maxwell_forms[form].mask[column]) == sch_maxwell_forms[form].base[column])
            return decode_form(form, word, arch, instruction);
    return false;
}

bool sch_maxwell_equal(const struct sch_maxwell_instruction *a, const struct sch_maxwell_instruction *b)
{
    for (unsigned field = 0; field < SCH_MAXWELL_FIELDS; field++)
        if (sch_maxwell_get(a, field) != sch_maxwell_get(b, field)) return false;
    return a->operation == b->operation;
}

bool sch_maxwell_encode(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_arch arch, uint64_t *word)
{
    const struct sch_maxwell_form_row *form = sch_maxwell_form_of(instruction->operation, instruction->bindless);
    if (!form) return false;
    uint64_t bits = form->base[arch != SCH_MAXWELL_SM_50];
    for (size_t i = 0; i < sch_maxwell_field_row_count; i++) {
        const struct sch_maxwell_field_row *row = &sch_maxwell_field_rows[i];
        if (&sch_maxwell_forms[row->form] != form || row->since > arch) continue;
        unsigned code;
        if (!sch_maxwell_to_code(row, sch_maxwell_get(instruction, row->field), &code)) return false;
        bits |= (uint64_t)code << row->low;
    }
    /* What the word does not hold must be what decoding gives: nothing of the instruction is lost. */
    struct sch_maxwell_instruction back;
    if (!sch_maxwell_decode(bits, arch, &back)) return false;
    back.phase = instruction->phase;
    if (!sch_maxwell_equal(instruction, &back)) return false;
    *word = bits;
    return true;
}
