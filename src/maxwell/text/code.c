/* Programs in memory: sections, items, bundles in and out, raw code. Text and cubins have files of their own. */
#include "maxwell/text/code.h"

#include <string.h>

#include "base/checked.h"
#include "isa/errors.h"
#include "maxwell/text/general.h"

static const struct {
    const char *name;
    enum sch_maxwell_arch arch;
} arches[] = {{"sm_50", SCH_MAXWELL_SM_50},
              {"sm_52", SCH_MAXWELL_SM_52},
              {"sm_53", SCH_MAXWELL_SM_53},
              {"sm_60", SCH_MAXWELL_SM_60},
              {"sm_61", SCH_MAXWELL_SM_61}};
enum { ARCHES = sizeof arches / sizeof *arches };

bool sch_maxwell_arch_is(enum sch_maxwell_arch arch)
{
    for (unsigned i = 0; i < ARCHES; i++)
        if (arches[i].arch == arch) return true;
    return false;
}

const char *sch_maxwell_arch_name(enum sch_maxwell_arch arch)
{
    for (unsigned i = 0; i < ARCHES; i++)
        if (arches[i].arch == arch) return arches[i].name;
    return "unknown";
}

bool sch_maxwell_arch_find(const char *name, size_t bytes, enum sch_maxwell_arch *arch)
{
    for (unsigned i = 0; i < ARCHES; i++) {
        if (strlen(arches[i].name) != bytes || memcmp(arches[i].name, name, bytes) != 0) continue;
        *arch = arches[i].arch;
        return true;
    }
    return false;
}

struct sch_maxwell_code *sch_maxwell_code_new(const struct sch_maxwell_read *how)
{
    struct sch_arena arena;
    sch_arena_init(&arena, how->allocator, how->limits->memory);
    struct sch_maxwell_code *code = SCH_ARENA_NEW(&arena, struct sch_maxwell_code);
    if (!code) {
        sch_arena_release(&arena);
        return NULL;
    }
    code->arena = arena;
    code->arch = how->arch == SCH_MAXWELL_ARCH_DEFAULT ? SCH_MAXWELL_SM_50 : (uint8_t)how->arch;
    return code;
}

void sch_maxwell_code_keep(struct sch_maxwell_code *code, size_t section)
{
    size_t kept = 0;
    code->sections[0] = code->sections[section];
    code->section_count = 1;
    code->instructions = code->sections[0].count;
    code->textures = code->sections[0].textures;
    code->unknown = code->sections[0].unknown;
    for (size_t i = 0; i < code->note_count; i++) {
        struct sch_maxwell_note note = code->notes[i];
        if (note.section != section && note.section != SCH_MAXWELL_NOTE_FILE) continue;
        if (note.section == section) note.section = 0;
        code->notes[kept++] = note;
    }
    code->note_count = kept;
    kept = 0;
    for (size_t i = 0; i < code->bank_count; i++) {
        struct sch_maxwell_bank bank = code->banks[i];
        if (bank.section != section && bank.section != SCH_MAXWELL_NOTE_FILE) continue;
        if (bank.section == section) bank.section = 0;
        code->banks[kept++] = bank;
    }
    code->bank_count = kept;
    kept = 0;
    for (size_t i = 0; i < code->parameter_count; i++) {
        struct sch_maxwell_argument parameter = code->parameters[i];
        if (parameter.section != section) continue;
        parameter.section = 0;
        code->parameters[kept++] = parameter;
    }
    code->parameter_count = kept;
}

const struct sch_maxwell_argument *sch_maxwell_code_argument(const struct sch_maxwell_code *code, size_t section,
                                                             uint32_t number)
{
    for (size_t i = 0; i < code->parameter_count; i++)
        if (code->parameters[i].section == section && code->parameters[i].number == number) return &code->parameters[i];
    return NULL;
}

const struct sch_maxwell_bank *sch_maxwell_code_bank(const struct sch_maxwell_code *code, size_t section,
                                                     uint32_t number)
{
    const struct sch_maxwell_bank *found = NULL;
    for (size_t i = 0; i < code->bank_count; i++) {
        const struct sch_maxwell_bank *bank = &code->banks[i];
        if (bank->number != number) continue;
        if (bank->section == section) return bank;
        if (bank->section == SCH_MAXWELL_NOTE_FILE) found = bank;
    }
    return found;
}

void sch_maxwell_code_destroy(struct sch_maxwell_code *code)
{
    if (!code) return;
    struct sch_arena arena = code->arena; /* the program itself lies in it */
    sch_arena_release(&arena);
}

struct sch_maxwell_section *sch_maxwell_code_section(struct sch_maxwell_code *code, const char *name, size_t bytes,
                                                     bool named)
{
    if (!SCH_ARENA_GROW(&code->arena, code->sections, code->section_capacity, code->section_count)) return NULL;
    const char *copy = sch_arena_string(&code->arena, name, bytes);
    if (!copy) return NULL;
    struct sch_maxwell_section *section = &code->sections[code->section_count++];
    *section = (struct sch_maxwell_section){.name = copy, .named_section = named};
    return section;
}

bool sch_maxwell_code_room(const struct sch_maxwell_code *code, const struct sch_limits *limits, size_t count,
                           size_t more)
{
    const size_t most_addressed = UINT32_MAX / SCH_MAXWELL_BUNDLE_BYTES * SCH_MAXWELL_SLOTS;
    size_t section, total;
    if (!sch_add_size(count, more, &section) || !sch_add_size(code->instructions, more, &total)) return false;
    return section <= limits->instructions && section <= most_addressed && total <= UINT32_MAX;
}

void sch_maxwell_item_decode(struct sch_maxwell_code *code, struct sch_maxwell_section *section,
                             struct sch_maxwell_item *item)
{
    item->texture = sch_maxwell_decode(item->word, (enum sch_maxwell_arch)code->arch, &item->instruction);
    item->meaningless = false;
    item->general = !item->texture && sch_maxwell_code_known(item->word, &item->meaningless);
    const bool unknown = !item->texture && !item->general;
    section->textures += item->texture;
    section->unknown += unknown;
    code->textures += item->texture;
    code->unknown += unknown;
    if (item->texture)
        item->instruction.phase = (uint8_t)sch_maxwell_slot_phase(item->slot);
    else
        item->instruction = (struct sch_maxwell_instruction){0};
}

static uint64_t read_word(const unsigned char *at)
{
    uint64_t word = 0;
    for (unsigned i = 8; i-- > 0;) word = word << 8 | at[i];
    return word;
}

bool sch_maxwell_code_bundles(struct sch_maxwell_code *code, struct sch_maxwell_section *section,
                              const unsigned char *data, size_t bytes, uint64_t offset)
{
    size_t bundles = bytes / SCH_MAXWELL_BUNDLE_BYTES, count = bundles * SCH_MAXWELL_SLOTS;
    section->items = SCH_ARENA_ARRAY(&code->arena, struct sch_maxwell_item, count ? count : 1);
    if (!section->items) return false;
    for (size_t i = 0; i < count; i++) {
        size_t bundle = i / SCH_MAXWELL_SLOTS, slot = i % SCH_MAXWELL_SLOTS;
        size_t control_at = bundle * SCH_MAXWELL_BUNDLE_BYTES, at = control_at + 8 * (slot + 1);
        uint64_t control = read_word(data + control_at);
        struct sch_maxwell_item *item = &section->items[i];
        item->word = read_word(data + at);
        item->slot = sch_maxwell_slot(control, (unsigned)slot);
        item->address = (uint32_t)at;
        item->position.offset = offset + at;
        item->spare = slot == 0 && (control & SCH_MAXWELL_CONTROL_SPARE);
        sch_maxwell_item_decode(code, section, item);
    }
    section->count = section->capacity = count;
    code->instructions += count;
    return true;
}

static enum sch_result refuse(const struct sch_maxwell_read *how, enum sch_result status, unsigned number,
                              uint64_t offset, const char *message)
{
    sch_diagnostics_add(how->diagnostics, SCH_SEVERITY_ERROR, number, (struct sch_position){.offset = offset}, "%s",
                        message);
    return status;
}

enum sch_result sch_maxwell_read_raw(const struct sch_maxwell_read *how, const void *data, size_t bytes,
                                     struct sch_maxwell_code **result)
{
    *result = NULL;
    if (bytes == 0) return refuse(how, SCH_ERROR_INVALID, SCH_D_MAXWELL_RAW_EMPTY, 0, "there is no code");
    if (bytes % SCH_MAXWELL_BUNDLE_BYTES)
        return refuse(how, SCH_ERROR_INVALID, SCH_D_MAXWELL_RAW_SIZE, bytes - bytes % SCH_MAXWELL_BUNDLE_BYTES,
                      "the code ends inside a bundle of 32 bytes");
    struct sch_maxwell_code *code = sch_maxwell_code_new(how);
    if (!code) return SCH_ERROR_MEMORY;
    struct sch_maxwell_section *section = NULL;
    enum sch_result status = SCH_OK;
    if (!sch_maxwell_code_room(code, how->limits, 0, bytes / SCH_MAXWELL_BUNDLE_BYTES * SCH_MAXWELL_SLOTS))
        status = refuse(how, SCH_ERROR_LIMIT, SCH_D_MAXWELL_RAW_LIMIT, 0, "there are more instructions than the limit");
    else if (!(section = sch_maxwell_code_section(code, "", 0, false)) ||
             !sch_maxwell_code_bundles(code, section, data, bytes, 0))
        status = SCH_ERROR_MEMORY;
    if (status != SCH_OK) {
        sch_maxwell_code_destroy(code);
        return status;
    }
    *result = code;
    return SCH_OK;
}

size_t sch_maxwell_code_words(const struct sch_maxwell_code *code)
{
    return code->instructions / SCH_MAXWELL_SLOTS * (SCH_MAXWELL_SLOTS + 1);
}

void sch_maxwell_code_write(const struct sch_maxwell_code *code, uint64_t *words)
{
    for (size_t s = 0; s < code->section_count; s++) {
        const struct sch_maxwell_section *section = &code->sections[s];
        for (size_t i = 0; i < section->count; i += SCH_MAXWELL_SLOTS) {
            const struct sch_maxwell_item *bundle = &section->items[i];
            uint64_t control = bundle->spare ? SCH_MAXWELL_CONTROL_SPARE : 0;
            for (unsigned slot = 0; slot < SCH_MAXWELL_SLOTS; slot++)
                control = sch_maxwell_control(control, slot, bundle[slot].slot);
            *words++ = control;
            for (unsigned slot = 0; slot < SCH_MAXWELL_SLOTS; slot++) *words++ = bundle[slot].word;
        }
    }
}

/* Restrictions of an instruction other than texture operations. */
static unsigned check_general(const struct sch_maxwell_item *item, enum sch_severity severity,
                              struct sch_diagnostics *diagnostics)
{
    const char *reason;
    const struct sch_maxwell_code_form *form = sch_maxwell_code_form_of(item->word);
    const char *name = sch_maxwell_code_operations[form->operation].name;
    unsigned broken = 0;
    if (!sch_maxwell_code_takes(form, item->slot, &reason)) {
        broken++;
        sch_diagnostics_add(diagnostics, severity, SCH_D_MAXWELL_SLOT, item->position, "%s: %s", name, reason);
    }
    if (item->meaningless) {
        broken++;
        sch_diagnostics_add(diagnostics, severity, SCH_D_MAXWELL_MEANINGLESS, item->position,
                            "%s: a field has a value that means nothing", name);
    }
    return broken;
}

unsigned sch_maxwell_code_check(const struct sch_maxwell_code *code, enum sch_severity severity,
                                struct sch_diagnostics *diagnostics)
{
    unsigned broken = 0;
    for (size_t s = 0; s < code->section_count; s++)
        for (size_t i = 0; i < code->sections[s].count; i++) {
            const struct sch_maxwell_item *item = &code->sections[s].items[i];
            if (item->texture)
                broken += sch_maxwell_check(&item->instruction, (enum sch_maxwell_arch)code->arch, item->position,
                                            severity, diagnostics);
            else if (item->general)
                broken += check_general(item, severity, diagnostics);
        }
    return broken;
}
