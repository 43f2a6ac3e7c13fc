/* The rows of src/isa/maxwell_forms.def and src/isa/maxwell_enums.def as arrays, and how they are found. */
#include <string.h>

#include "maxwell/text/general.h"

enum operation {
#define MAXWELL_CODE_OPERATION(name, title) OPERATION_##name,
#include "isa/maxwell_forms.def"
#undef MAXWELL_CODE_OPERATION
    OPERATIONS
};

const struct sch_maxwell_code_operation sch_maxwell_code_operations[] = {
#define MAXWELL_CODE_OPERATION(name, title) {#name, title},
#include "isa/maxwell_forms.def"
#undef MAXWELL_CODE_OPERATION
};
const size_t sch_maxwell_code_operation_count = OPERATIONS;

const struct sch_maxwell_code_form sch_maxwell_code_forms[] = {
#define MAXWELL_CODE_FORM(operation, name, match, mask, flags, template)                                               \
    {OPERATION_##operation, (flags)[0] == 'G', (flags)[1] == 'F', (flags)[2] == 'S', name, match, mask, template},
#include "isa/maxwell_forms.def"
#undef MAXWELL_CODE_FORM
};
const size_t sch_maxwell_code_form_count = sizeof sch_maxwell_code_forms / sizeof *sch_maxwell_code_forms;

#define MAXWELL_CODE_ENUM(name, ...) static const char *const texts_##name[] = {__VA_ARGS__};
#include "isa/maxwell_enums.def"
#undef MAXWELL_CODE_ENUM

const struct sch_maxwell_code_enum sch_maxwell_code_enums[] = {
#define MAXWELL_CODE_ENUM(name, ...) {#name, texts_##name, sizeof texts_##name / sizeof *texts_##name},
#include "isa/maxwell_enums.def"
#undef MAXWELL_CODE_ENUM
};
const size_t sch_maxwell_code_enum_count = sizeof sch_maxwell_code_enums / sizeof *sch_maxwell_code_enums;

/* Most words differ in the first byte. */
static bool is(const char *word, const char *name, size_t bytes)
{
    return bytes && word[0] == name[0] && strncmp(word, name, bytes) == 0 && !word[bytes];
}

const struct sch_maxwell_code_enum *sch_maxwell_code_enum_find(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sch_maxwell_code_enum_count; i++)
        if (is(sch_maxwell_code_enums[i].name, name, bytes)) return &sch_maxwell_code_enums[i];
    return NULL;
}

const struct sch_maxwell_code_form *sch_maxwell_code_form_of(uint64_t word)
{
    for (size_t i = 0; i < sch_maxwell_code_form_count; i++)
        if ((word & sch_maxwell_code_forms[i].mask) == sch_maxwell_code_forms[i].match)
            return &sch_maxwell_code_forms[i];
    return NULL;
}

int sch_maxwell_code_operation_find(const char *name, size_t bytes)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (is(sch_maxwell_code_operations[i].name, name, bytes)) return i;
    return -1;
}

bool sch_maxwell_code_takes(const struct sch_maxwell_code_form *form, uint32_t slot, const char **reason)
{
    enum { BARRIERS = 0x7e0, BIT_20 = 1 << 20 };
    *reason = NULL;
    if (form->fixed && (slot & BARRIERS) != BARRIERS) *reason = "an instruction of fixed latency sets no barrier";
    if (form->strict && (slot & BIT_20)) *reason = "bit 20 of its control slot must be 0";
    return !*reason;
}
