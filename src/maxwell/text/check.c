/* The restrictions of the instruction pages: the rules of src/isa/maxwell.def. */
#include "isa/errors.h"
#include "maxwell/text/tables.h"
#include "maxwell/text/text.h"

/* "Aligned to number of valid components"; ptxas aligns three like four, and the page's own table ends there. */
static bool unaligned(unsigned first, unsigned count)
{
    unsigned alignment = count > 2 ? 4 : count;
    return count > 1 && first != SCH_MAXWELL_RZ && first % alignment;
}

static bool beyond(unsigned first, unsigned count)
{
    return count && first != SCH_MAXWELL_RZ && first + count > SCH_MAXWELL_RZ;
}

/* ARRAY_3D of all operations; of TEXS and TLDS whatever no code has. */
static bool reserved_parameter(const struct sch_maxwell_instruction *instruction)
{
    if (instruction->parameter == SCH_MAXWELL_ARRAY_3D) return true;
    if (!sch_maxwell_is_scalar(instruction->operation)) return false;
    for (size_t i = 0; i < sch_maxwell_scalar_count; i++)
        if (sch_maxwell_scalars[i].operation == instruction->operation &&
            sch_maxwell_scalars[i].parameter == instruction->parameter)
            return false;
    return true;
}

static bool reserved_mask(const struct sch_maxwell_instruction *i)
{
    if (!sch_maxwell_is_scalar(i->operation)) return false;
    const struct sch_maxwell_mask_row *row = sch_maxwell_mask(i->rd1 != SCH_MAXWELL_RZ, i->mask_code);
    return row && !row->mask;
}

/* Whether no code of TEXS or TLDS means the members; `mask`: those of the mask, else those of the form. */
static bool no_code(const struct sch_maxwell_instruction *instruction, bool mask)
{
    struct sch_maxwell_instruction probe = *instruction;
    if (mask) {
        if (reserved_mask(instruction)) return false;
        const struct sch_maxwell_scalar_row *any = sch_maxwell_scalar(instruction->operation, 0);
        if (!any) return false;
        probe.parameter = any->parameter;
        probe.lod = any->lod;
        probe.offset = any->offset;
        probe.multisample = any->multisample;
        probe.compare = any->compare;
    } else {
        probe.rd1 = SCH_MAXWELL_RZ;
        probe.write_mask = 1;
    }
    return !sch_maxwell_choose_codes(&probe);
}

static bool no_row(const struct sch_maxwell_instruction *i) { return no_code(i, false); }
static bool no_mask(const struct sch_maxwell_instruction *i) { return no_code(i, true); }

enum rule {
#define MAXWELL_RULE(rule, field, value, text, expression) RULE_##rule,
#include "isa/maxwell.def"
#undef MAXWELL_RULE
    RULES
};

static const struct {
    uint8_t field, value;
    unsigned code;
    const char *text;
} rules[RULES] = {
#define MAXWELL_RULE(rule, field, value, text, expression)                                                             \
    [RULE_##rule] = {SCH_MF_##field, value, SCH_D_MAXWELL_##rule, text},
#include "isa/maxwell.def"
#undef MAXWELL_RULE
};

static bool breaks(enum rule rule, const struct sch_maxwell_instruction *i, const struct sch_maxwell_packing *p,
                   enum sch_maxwell_arch arch)
{
    switch (rule) {
#define MAXWELL_RULE(rule, field, value, text, expression)                                                             \
    case RULE_##rule:                                                                                                  \
        return expression;
#include "isa/maxwell.def"
#undef MAXWELL_RULE
    default:
        return false;
    }
}

static bool concerns(unsigned operation, size_t rule)
{
    return sch_maxwell_can_say(operation, rules[rule].field, rules[rule].value);
}

size_t sch_maxwell_rule_count(void) { return RULES; }

unsigned sch_maxwell_rule(unsigned operation, size_t rule, const char **text)
{
    if (!concerns(operation, rule)) return 0;
    *text = rules[rule].text;
    return rules[rule].code;
}

unsigned sch_maxwell_check(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_arch arch,
                           struct sch_position position, enum sch_severity severity,
                           struct sch_diagnostics *diagnostics)
{
    if (!sch_maxwell_form_of(instruction->operation, instruction->bindless)) return 0;
    struct sch_maxwell_packing packing;
    sch_maxwell_operands(instruction, &packing);
    unsigned broken = 0;
    for (unsigned rule = 0; rule < RULES; rule++) {
        /* Whether a rule is one of the operation takes a walk through the tables: of broken ones only. */
        if (!breaks(rule, instruction, &packing, arch) || !concerns(instruction->operation, rule)) continue;
        broken++;
        sch_diagnostics_add(diagnostics, severity, rules[rule].code, position, "%s: %s",
                            sch_maxwell_operation_names[instruction->operation], rules[rule].text);
    }
    return broken;
}

bool sch_maxwell_encode_or_report(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_arch arch,
                                  struct sch_position position, struct sch_diagnostics *diagnostics, uint64_t *word)
{
    if (sch_maxwell_encode(instruction, arch, word)) return true;
    const struct sch_maxwell_packing packing = {0}; /* no rule of an architecture asks for it */
    bool told = false;
    for (unsigned rule = 0; rule < RULES; rule++) {
        if (!breaks(rule, instruction, &packing, arch) || breaks(rule, instruction, &packing, SCH_MAXWELL_SM_52))
            continue;
        told = true;
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, rules[rule].code, position, "%s", rules[rule].text);
    }
    if (!told)
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_ENCODING, position,
                            "there is no code for this instruction");
    return false;
}
