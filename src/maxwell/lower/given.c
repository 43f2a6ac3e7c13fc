/* Lookups in given Maxwell code: the texture instructions of a program in the place of those that the lowering chose.
 * The steps around them stay. Places in reports would be those of the shader, so instructions are named by number. */
#include "isa/errors.h"
#include "maxwell/lower/lower.h"
#include "maxwell/text/code.h"

static const struct sch_position nowhere;

static bool is_whole(const struct sch_maxwell_code *code, struct sch_diagnostics *diagnostics)
{
    if (code->section_count != 1) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_LOOKUP_CODE, nowhere,
                            "the Maxwell code has %zu sections, not 1", code->section_count);
        return false;
    }
    const struct sch_maxwell_section *section = &code->sections[0];
    for (size_t i = 0; i < section->count; i++) {
        const struct sch_maxwell_item *item = &section->items[i];
        if (item->texture || item->word == SCH_MAXWELL_NOP) continue;
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_LOOKUP_CODE, nowhere,
                            "instruction %zu of the Maxwell code, 0x%016llx, is not a texture instruction", i,
                            (unsigned long long)item->word);
        return false;
    }
    return true;
}

/* The next one from `*at` on, which there is. */
static const struct sch_maxwell_instruction *next_texture(const struct sch_maxwell_section *section, size_t *at)
{
    while (!section->items[*at].texture) ++*at;
    return &section->items[(*at)++].instruction;
}

struct registers {
    uint32_t bits[(SCH_MAXWELL_GROUP_REGISTERS + 31) / 32];
};

static bool has(const struct registers *registers, unsigned number)
{
    return number >= SCH_MAXWELL_GROUP_REGISTERS || registers->bits[number / 32] >> number % 32 & 1; /* RZ always */
}

static void add(struct registers *registers, unsigned first, unsigned count)
{
    for (unsigned n = first; n < first + count && n < SCH_MAXWELL_GROUP_REGISTERS; n++)
        registers->bits[n / 32] |= 1u << n % 32;
}

/* The first of `count` registers that is not among them; UINT32_MAX: none. */
static uint32_t missing(const struct registers *registers, unsigned first, unsigned count)
{
    for (unsigned n = first; n < first + count && first != SCH_MAXWELL_RZ; n++)
        if (!has(registers, n)) return n;
    return UINT32_MAX;
}

/* What the instruction reads and no step sets. */
static uint32_t find_unset(const struct sch_maxwell_plan *plan, const struct sch_maxwell_packing *packing)
{
    struct registers set = {{0}};
    for (unsigned n = 0; n < plan->before; n++) add(&set, plan->steps[n].to, 1);
    const uint32_t a = missing(&set, plan->texture.ra, packing->a_count);
    return a != UINT32_MAX ? a : missing(&set, plan->texture.rb, packing->b_count);
}

/* A result that neither the instruction nor a step after it writes. */
static uint32_t find_unwritten(const struct sch_maxwell_plan *plan, const struct sch_maxwell_packing *packing)
{
    struct registers written = {{0}};
    for (unsigned g = 0; g < 2; g++)
        if (packing->result[g].first != SCH_MAXWELL_RZ)
            add(&written, packing->result[g].first, packing->result[g].count);
    for (unsigned n = 0; n < plan->after; n++) add(&written, plan->steps[plan->before + n].to, 1);
    for (unsigned c = 0; c < 4; c++)
        if (plan->written >> c & 1 && !has(&written, plan->result[c])) return plan->result[c];
    return UINT32_MAX;
}

static void warn_of_registers(const struct sch_maxwell_plan *plan, uint32_t number, struct sch_position position,
                              struct sch_diagnostics *diagnostics)
{
    struct sch_maxwell_packing packing;
    sch_maxwell_operands(&plan->texture, &packing);
    const uint32_t unset = find_unset(plan, &packing), unwritten = find_unwritten(plan, &packing);
    if (unset == UINT32_MAX && unwritten == UINT32_MAX) return;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_WARNING, SCH_D_MAXWELL_LOOKUP_REGISTERS, position,
                        "instruction %u of the Maxwell code, which runs this lookup, %s R%u, %s", number,
                        unset != UINT32_MAX ? "reads" : "does not write", unset != UINT32_MAX ? unset : unwritten,
                        unset != UINT32_MAX ? "which no operand of the lookup is in" : "where its result is expected");
}

enum sch_result sch_maxwell_take_code(const struct sch_maxwell_code *code, const struct sch_prepared *program,
                                      struct sch_diagnostics *diagnostics, struct sch_maxwell_lowered *lowered)
{
    if (!is_whole(code, diagnostics)) return SCH_ERROR_UNSUPPORTED;
    if (sch_maxwell_code_check(code, SCH_SEVERITY_ERROR, NULL)) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_LOOKUP_CODE, nowhere,
                            "the Maxwell code breaks restrictions of its instructions");
        return SCH_ERROR_INVALID;
    }
    const struct sch_maxwell_section *section = &code->sections[0];
    if (section->textures != lowered->lookups) {
        sch_diagnostics_add(
            diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_LOOKUP_CODE, nowhere,
            "the shader has %u texture lookups, the Maxwell code %zu texture instructions; it must have one for "
            "each, in their order, as translate --to maxwell prints them",
            lowered->lookups, section->textures);
        return SCH_ERROR_UNSUPPORTED;
    }
    size_t at = 0;
    uint32_t number = 0;
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        struct sch_maxwell_plan *plan = lowered->plans[n];
        if (!plan) continue;
        plan->texture = *next_texture(section, &at);
        warn_of_registers(plan, ++number, program->positions[n], diagnostics);
    }
    lowered->given = true;
    return SCH_OK;
}
