/* The public functions for single Maxwell instructions: from a word to its text and back. */
#include "api/maxwell.h"

#include <assert.h>
#include <stdio.h>

#include "api/api.h"
#include "isa/errors.h"
#include "maxwell/text/general.h"

static_assert((int)SCH_MAXWELL_TEXT_BYTES >= (int)SCH_MAXWELL_LAID_OUT, "the public buffer holds what is written");
static_assert((int)SCH_MAXWELL_TEXT_BYTES >= (int)SCH_MAXWELL_LINE, "and what is printed");

/* The caller's options; false: they are refused. */
static bool read_options(const struct sch_maxwell_word_options *options, struct sch_diagnostics *list,
                         struct sch_maxwell_word_options *wanted, enum sch_maxwell_arch *arch)
{
    if (!sch_api_read_inner(list, "options", wanted, sizeof *wanted, sizeof *wanted, options)) return false;
    if (!sch_api_maxwell_arch(wanted->arch, arch))
        return sch_refuse_argument(list, ".arch", "%d is not an architecture", (int)wanted->arch);
    return sch_api_takes(list, ".slot", wanted->slot, 0, SCH_MAXWELL_SLOTS - 1) &&
           sch_api_takes(list, ".style", (uint32_t)wanted->style, SCH_MAXWELL_TEXT_NVDISASM, SCH_MAXWELL_TEXT_ISA);
}

/* Whether the instruction before this one, in the same bundle, opens a group of two that this one closes. */
static bool closes_group(uint64_t control, unsigned slot)
{
    bool open = false;
    for (unsigned i = 0; i < slot; i++) open = !open && sch_maxwell_slot_opens(sch_maxwell_slot(control, i));
    return open;
}

/* An instruction other than texture operations. nvdisasm refuses it under control slots that it cannot have. */
static bool disassemble_general(uint64_t word, const struct sch_maxwell_word_options *wanted, uint32_t slot,
                                char text[SCH_MAXWELL_TEXT_BYTES])
{
    struct sch_maxwell_code_text printed;
    const char *reason;
    if (!sch_maxwell_code_text(word, slot, wanted->address, &printed) ||
        !sch_maxwell_code_takes(sch_maxwell_code_form_of(word), slot, &reason))
        return false;
    if (wanted->style == SCH_MAXWELL_TEXT_ISA) {
        char fields[SCH_MAXWELL_SCHEDULE_TEXT];
        const struct sch_maxwell_schedule schedule = sch_maxwell_schedule_of(slot & ~printed.marks);
        sch_maxwell_schedule_print(&schedule, fields);
        snprintf(text, SCH_MAXWELL_TEXT_BYTES, "%s%s;", printed.text, fields);
    } else
        sch_maxwell_lay_out(printed.text, slot, wanted->has_control && closes_group(wanted->control, wanted->slot),
                            text);
    return true;
}

bool sch_maxwell_disassemble(uint64_t word, const struct sch_maxwell_word_options *options,
                             char text[SCH_MAXWELL_TEXT_BYTES])
{
    struct sch_maxwell_word_options wanted;
    struct sch_maxwell_instruction instruction;
    enum sch_maxwell_arch arch;
    if (!text) return false;
    text[0] = 0;
    if (!read_options(options, NULL, &wanted, &arch)) return false;
    uint32_t slot = SCH_MAXWELL_SLOT_NEUTRAL;
    if (wanted.has_control) slot = sch_maxwell_slot(wanted.control, wanted.slot);
    if (!sch_maxwell_decode(word, arch, &instruction)) return disassemble_general(word, &wanted, slot, text);
    instruction.phase = (uint8_t)sch_maxwell_slot_phase(slot);
    if (wanted.style == SCH_MAXWELL_TEXT_ISA) {
        struct sch_maxwell_schedule schedule = sch_maxwell_schedule_of(slot);
        schedule.reuse &= 12; /* the lower bits are the phase */
        sch_maxwell_print(&instruction, SCH_MAXWELL_TEXT_ISA, &schedule, text);
        return true;
    }
    char printed[SCH_MAXWELL_LINE];
    sch_maxwell_print(&instruction, SCH_MAXWELL_TEXT_NVDISASM, NULL, printed);
    sch_maxwell_lay_out(printed, slot, wanted.has_control && closes_group(wanted.control, wanted.slot), text);
    return true;
}

enum sch_result sch_maxwell_assemble(const char *text, size_t bytes, const struct sch_maxwell_word_options *options,
                                     struct sch_diagnostics_list *diagnostics, uint64_t *word, uint32_t *control_slot)
{
    struct sch_maxwell_word_options wanted;
    enum sch_maxwell_arch arch;
    struct sch_api_call call;
    sch_api_begin_input(&call, NULL, diagnostics, __func__, "options");
    if (!sch_api_given(&call, word, "word") || (bytes && !sch_api_given(&call, text, "text")) ||
        !read_options(options, call.list, &wanted, &arch))
        return sch_api_refused(&call);
    struct sch_diagnostics *list = call.list;
    struct sch_maxwell_line line;
    struct sch_position position = {.line = 1, .column = 1};
    uint32_t slot;
    sch_diagnostics_source(list, "", text, bytes);
    enum sch_result status = sch_maxwell_parse_line(text ? text : "", bytes, wanted.address, list, &line, &slot);
    if (status == SCH_OK && !line.texture)
        *word = line.word;
    else if (status == SCH_OK && !sch_maxwell_encode_or_report(&line.instruction, arch, position, list, word))
        status = SCH_ERROR_INVALID;
    if (status == SCH_OK && diagnostics && line.texture)
        sch_maxwell_check(&line.instruction, arch, position, SCH_SEVERITY_WARNING, list);
    if (status == SCH_OK && control_slot) *control_slot = slot;
    return sch_api_end(&call, status);
}
