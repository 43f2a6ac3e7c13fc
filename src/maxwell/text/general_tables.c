/* The rows of src/isa/maxwell_forms.def and src/isa/maxwell_enums.def as arrays, and how they are found. */
#include <string.h>

#include "maxwell/text/template.h"

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

enum sch_maxwell_flow sch_maxwell_code_flow(unsigned operation)
{
    static const uint8_t flows[OPERATIONS] = {
#define MAXWELL_CODE_FLOW(operation, kind) [OPERATION_##operation] = SCH_MAXWELL_FLOW_##kind,
#include "isa/maxwell_forms.def"
#undef MAXWELL_CODE_FLOW
    };
    return (enum sch_maxwell_flow)flows[operation];
}

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

/* The first token of this kind in the form of a word; false: it has no such token. */
static bool find_token(uint64_t word, enum sch_maxwell_token_kind kind, struct sch_maxwell_token *token)
{
    const struct sch_maxwell_code_form *form = sch_maxwell_code_form_of(word);
    const char *at = form ? form->template : "";
    while (sch_maxwell_token_next(&at, token))
        if (token->kind == kind) return true;
    return false;
}

bool sch_maxwell_code_target(uint64_t word, uint32_t address, int64_t *target, bool *relative)
{
    enum { NEXT = 8 };
    struct sch_maxwell_token token;
    const bool is_relative = find_token(word, SCH_MAXWELL_TOKEN_RELATIVE, &token);
    if (!is_relative && !find_token(word, SCH_MAXWELL_TOKEN_ABSOLUTE, &token)) return false;
    const char *at = token.text;
    const struct sch_maxwell_bits bits = sch_maxwell_argument_bits(&at, token.text + token.bytes);
    if (relative) *relative = is_relative;
    *target = is_relative ? (int64_t)address + NEXT + sch_maxwell_bits_signed(&bits, word)
                          : (int64_t)sch_maxwell_bits_get(&bits, word);
    return true;
}

bool sch_maxwell_code_phased(uint64_t word)
{
    struct sch_maxwell_token token;
    return find_token(word, SCH_MAXWELL_TOKEN_PHASE, &token);
}

bool sch_maxwell_code_takes(const struct sch_maxwell_code_form *form, uint32_t slot, const char **reason)
{
    enum { BARRIERS = 0x7e0, BIT_20 = 1 << 20 };
    *reason = NULL;
    if (form->fixed && (slot & BARRIERS) != BARRIERS) *reason = "an instruction of fixed latency sets no barrier";
    if (form->strict && (slot & BIT_20)) *reason = "bit 20 of its control slot must be 0";
    return !*reason;
}
