/* The rows of src/isa/maxwell.def as arrays, and the fields of an instruction by name. Holds no code of one
 * operation. */
#ifndef SCH_MAXWELL_TEXT_TABLES_H
#define SCH_MAXWELL_TEXT_TABLES_H

#include <stddef.h>

#include "maxwell/text/instruction.h"

/* MODE and NO_FIELD are in no instruction: get gives 0, set does nothing. */
enum sch_maxwell_field {
#define MAXWELL_MEMBER(field, member, absent, name) SCH_MF_##field,
#include "isa/maxwell.def"
#undef MAXWELL_MEMBER
    SCH_MAXWELL_FIELDS,
    SCH_MF_MODE = SCH_MAXWELL_FIELDS,
    SCH_MF_NO_FIELD
};

enum sch_maxwell_form {
#define MAXWELL_FORM(form, operation, bindless, base50, mask50, base52, mask52, operands) SCH_MAXWELL_FORM_##form,
#include "isa/maxwell.def"
#undef MAXWELL_FORM
    SCH_MAXWELL_FORMS
};

enum sch_maxwell_coding {
    SCH_MAXWELL_CODING_PLAIN,
    SCH_MAXWELL_CODING_INVERTED,
    SCH_MAXWELL_CODING_FETCH_LOD,
    SCH_MAXWELL_CODING_QUERY,
    SCH_MAXWELL_CODING_SCALAR
};

struct sch_maxwell_form_row {
    const char *name; /* of the row */
    uint8_t operation;
    bool bindless;
    uint64_t base[2], mask[2]; /* sm_50; sm_52 and later */
    const char *operands;
};

struct sch_maxwell_field_row {
    uint8_t form, field, low, width, coding, since; /* since: enum sch_maxwell_arch */
};

struct sch_maxwell_modifier_row {
    uint8_t operation, field;
};

struct sch_maxwell_name_row {
    uint8_t field, value;
    const char *text;
};

struct sch_maxwell_scalar_row {
    uint8_t operation, code, parameter, lod, offset;
    bool multisample, compare;
    uint8_t a_count, a[2], b_count, b[2];
};

struct sch_maxwell_mask_row {
    bool wide;
    uint8_t code;
    const char *text;
    uint8_t mask;
};

struct sch_maxwell_operand_row {
    uint8_t operation;
    char letter; /* A or B */
    uint8_t role, condition;
};

extern const char *const sch_maxwell_operation_names[SCH_MAXWELL_OPERATIONS];
extern const char *const sch_maxwell_operation_titles[SCH_MAXWELL_OPERATIONS];
extern const bool sch_maxwell_operation_samples[SCH_MAXWELL_OPERATIONS]; /* it reads the sampler of its handle */
extern const char *const sch_maxwell_field_names[SCH_MAXWELL_FIELDS];
extern const char *const sch_maxwell_role_names[];
extern const char *const sch_maxwell_condition_names[];
extern const struct sch_maxwell_form_row sch_maxwell_forms[SCH_MAXWELL_FORMS];
extern const struct sch_maxwell_field_row sch_maxwell_field_rows[];
extern const struct sch_maxwell_modifier_row sch_maxwell_modifiers[];
extern const struct sch_maxwell_name_row sch_maxwell_names[];
extern const struct sch_maxwell_scalar_row sch_maxwell_scalars[];
extern const struct sch_maxwell_mask_row sch_maxwell_masks[];
extern const struct sch_maxwell_operand_row sch_maxwell_operand_rows[];
extern const size_t sch_maxwell_field_row_count, sch_maxwell_modifier_count, sch_maxwell_name_count,
    sch_maxwell_scalar_count, sch_maxwell_mask_count, sch_maxwell_operand_row_count;

unsigned sch_maxwell_get(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_field field);
void sch_maxwell_set(struct sch_maxwell_instruction *instruction, enum sch_maxwell_field field, unsigned value);

/* What the field holds in an operation that has none. */
unsigned sch_maxwell_absent(enum sch_maxwell_field field);

/* NULL: no such form. */
const struct sch_maxwell_form_row *sch_maxwell_form_of(unsigned operation, bool bindless);

/* Whether the field row can hold the value; *code is what the word holds then. */
bool sch_maxwell_to_code(const struct sch_maxwell_field_row *row, unsigned value, unsigned *code);

const char *sch_maxwell_name(enum sch_maxwell_field field, unsigned value); /* NULL: none */
bool sch_maxwell_is_scalar(unsigned operation); /* has form codes and mask codes: TEXS, TLDS */
const struct sch_maxwell_scalar_row *sch_maxwell_scalar(unsigned operation, unsigned code);
const struct sch_maxwell_mask_row *sch_maxwell_mask(bool wide, unsigned code);
bool sch_maxwell_holds(const struct sch_maxwell_instruction *instruction, unsigned condition);

/* Whether some instruction of the operation can have the value in the field: in its word, by one of its codes, or,
 * where no word holds the field, as a modifier. */
bool sch_maxwell_can_say(unsigned operation, enum sch_maxwell_field field, unsigned value);

/* The value that the fixed rows of the operation give the field, else `value`. */
unsigned sch_maxwell_fixed(unsigned operation, enum sch_maxwell_field field, unsigned value);

#endif
