/* What must hold of every Maxwell word and text. Holds no entry. */
#include "maxwell_roundtrip.h"

#include <string.h>

#include "maxwell/text/general.h"

static const struct sch_position start = {.line = 1, .column = 1};

static const char *read_again(const char *line, const struct sch_maxwell_instruction *instruction,
                              const struct sch_maxwell_schedule *schedule)
{
    struct sch_maxwell_instruction back;
    struct sch_maxwell_schedule read;
    size_t used;
    if (sch_maxwell_parse(line, strlen(line), start, NULL, &back, &read, &used) != SCH_OK)
        return "what was printed is not read";
    if (used != strlen(line)) return "what was printed is not read whole";
    if (!sch_maxwell_equal(instruction, &back)) return "what was printed is read as another instruction";
    if (schedule && (read.stall != schedule->stall || read.yield != schedule->yield ||
                     read.write_barrier != schedule->write_barrier || read.read_barrier != schedule->read_barrier ||
                     read.wait_mask != schedule->wait_mask || read.reuse != schedule->reuse))
        return "the marks of the control word change";
    return NULL;
}

static const char *print_and_read(const struct sch_maxwell_instruction *instruction,
                                  const struct sch_maxwell_schedule *schedule)
{
    char line[SCH_MAXWELL_LINE];
    sch_maxwell_print(instruction, SCH_MAXWELL_TEXT_NVDISASM, NULL, line);
    const char *finding = read_again(line, instruction, NULL);
    if (finding) return finding;
    sch_maxwell_print(instruction, SCH_MAXWELL_TEXT_ISA, schedule, line);
    return read_again(line, instruction, schedule);
}

static const char *encode_and_decode(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_arch arch)
{
    uint64_t word, again;
    struct sch_maxwell_instruction back;
    if (!sch_maxwell_encode(instruction, arch, &word)) return "cannot be encoded";
    if (!sch_maxwell_decode(word, arch, &back)) return "its own word is not decoded";
    back.phase = instruction->phase;
    if (!sch_maxwell_equal(instruction, &back)) return "its word is another instruction";
    if (!sch_maxwell_encode(&back, arch, &again) || again != word) return "its word changes";
    return NULL;
}

/* A word that may be another instruction: its text is the word again, but for bits that it does not show. */
static const char *general_word(uint64_t word)
{
    struct sch_maxwell_code_text text, again;
    const uint32_t slot = (uint32_t)(word >> 7) & 0x1fffff, address = (uint32_t)(word >> 20) & 0xfffff8;
    uint64_t back;
    uint32_t marks;
    if (!sch_maxwell_code_text(word, slot, address, &text))
        return sch_maxwell_code_known(word, NULL) ? "an instruction without a text" : NULL;
    if (!sch_maxwell_code_known(word, NULL)) return "a text of no instruction";
    if (sch_maxwell_code_parse(text.text, strlen(text.text), start, address, NULL, &back, &marks, NULL) != SCH_OK)
        return "what was printed is not read";
    if ((back ^ text.unsaid) != word) return "what was printed is read as another word";
    if (marks != text.marks) return "the marks of the control slot change";
    if (!sch_maxwell_code_text(back, slot, address, &again) || strcmp(again.text, text.text) != 0)
        return "the word of the text has another text";
    return NULL;
}

const char *sch_maxwell_fuzz_words(const uint8_t *data, size_t bytes)
{
    for (; bytes >= 8; data += 8, bytes -= 8) {
        uint64_t word;
        memcpy(&word, data, sizeof word);
        const char *general = general_word(word);
        if (general) return general;
        static const enum sch_maxwell_arch arches[] = {SCH_MAXWELL_SM_50, SCH_MAXWELL_SM_52, SCH_MAXWELL_SM_53,
                                                       SCH_MAXWELL_SM_60, SCH_MAXWELL_SM_61};
        for (size_t i = 0; i < sizeof arches / sizeof *arches; i++) {
            enum sch_maxwell_arch arch = arches[i];
            struct sch_maxwell_instruction instruction;
            struct sch_maxwell_packing packing;
            if (!sch_maxwell_decode(word, arch, &instruction)) continue;
            sch_maxwell_operands(&instruction, &packing);
            sch_maxwell_check(&instruction, arch, start, SCH_SEVERITY_ERROR, NULL);
            const char *finding = encode_and_decode(&instruction, arch);
            if (!finding) finding = print_and_read(&instruction, NULL);
            if (finding) return finding;
        }
    }
    return NULL;
}

/* The text as another instruction: read or refused with one report, and the word's text is read as the same word. */
static const char *general_text(const char *text, size_t bytes)
{
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 4);
    uint64_t word, back;
    uint32_t marks;
    const enum sch_result status = sch_maxwell_code_parse(text, bytes, start, 0x100, &list, &word, &marks, NULL);
    const char *finding = list.count != (status != SCH_OK) ? "not one report of what is refused" : NULL;
    sch_diagnostics_release(&list);
    if (finding || status != SCH_OK) return finding;
    struct sch_maxwell_code_text printed;
    if (!sch_maxwell_code_text(word, marks, 0x100, &printed)) return "what is read is no instruction";
    if (printed.unsaid) return "what is read has bits that its text does not show";
    if (sch_maxwell_code_parse(printed.text, strlen(printed.text), start, 0x100, NULL, &back, &marks, NULL) != SCH_OK ||
        back != word)
        return "what was printed is read as another word";
    return NULL;
}

/* What can be read can be printed and encoded: sm_52 knows all that text can say. */
const char *sch_maxwell_fuzz_text(const uint8_t *data, size_t bytes)
{
    const char *finding = general_text((const char *)data, bytes);
    if (finding) return finding;
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 4);
    struct sch_maxwell_instruction instruction;
    struct sch_maxwell_schedule schedule;
    size_t used = 0;
    enum sch_result status = sch_maxwell_parse((const char *)data, bytes, start, &list, &instruction, &schedule, &used);
    if (used > bytes)
        finding = "more bytes were read than there are";
    else if (status != SCH_OK)
        finding = list.errors ? NULL : "refused without a report";
    else if (list.count)
        finding = "accepted with a report";
    sch_diagnostics_release(&list);
    if (finding || status != SCH_OK) return finding;
    finding = encode_and_decode(&instruction, SCH_MAXWELL_SM_52);
    return finding ? finding : print_and_read(&instruction, &schedule);
}
