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
                            "instruction %zu of the Maxwell code, 0x%016llx, is no texture instruction", i,
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
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_LOOKUP_CODE, nowhere,
                            "the shader has %u texture lookups, the Maxwell code %zu texture instructions: "
                            "which belongs to which is known where there is one for each, in their order",
                            lowered->lookups, section->textures);
        return SCH_ERROR_UNSUPPORTED;
    }
    size_t at = 0;
    for (uint32_t n = 0; n < program->instruction_count; n++)
        if (lowered->plans[n]) lowered->plans[n]->texture = *next_texture(section, &at);
    lowered->given = true;
    return SCH_OK;
}
