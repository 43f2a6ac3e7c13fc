/* The invariants of the readers and writers of Maxwell programs. Knows no test framework. */
#include "program_roundtrip.h"

#include <stdlib.h>
#include <string.h>

#include "isa/errors.h"
#include "maxwell/slots/slots.h"

struct words {
    uint64_t *at;
    size_t count;
};

static struct sch_maxwell_code *read(enum program_form form, const void *data, size_t bytes, enum sch_maxwell_arch arch,
                                     const char **finding)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    limits.memory = (size_t)256 << 20;
    limits.diagnostics = 20;
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, limits.diagnostics);
    sch_diagnostics_source(&list, "input", form == PROGRAM_TEXT ? data : NULL, bytes);
    struct sch_maxwell_read how = {
        .allocator = &sch_allocator_libc, .limits = &limits, .diagnostics = &list, .arch = arch};
    struct sch_maxwell_code *code = NULL;
    enum sch_result status = form == PROGRAM_TEXT  ? sch_maxwell_read_text(&how, data, bytes, &code)
                             : form == PROGRAM_RAW ? sch_maxwell_read_raw(&how, data, bytes, &code)
                                                   : sch_maxwell_read_cubin(&how, data, bytes, &code);
    if ((status == SCH_OK) != (code != NULL)) *finding = "status and program disagree";
    if (status != SCH_OK && status != SCH_ERROR_MEMORY && list.errors == 0) *finding = "refused without a report";
    if (status == SCH_OK && list.errors) *finding = "accepted with an error";
    sch_diagnostics_release(&list);
    return code;
}

static struct words words_of(const struct sch_maxwell_code *code)
{
    struct words words = {.count = sch_maxwell_code_words(code)};
    words.at = calloc(words.count + 1, sizeof *words.at);
    if (words.at) sch_maxwell_code_write(code, words.at);
    return words;
}

static bool equal(const struct words *a, const struct words *b)
{
    return a->at && b->at && a->count == b->count && !memcmp(a->at, b->at, a->count * sizeof *a->at);
}

static const char *same_words(const struct sch_maxwell_code *code, const struct words *words, const char *finding)
{
    struct words again = words_of(code);
    if (equal(&again, words)) finding = NULL;
    free(again.at);
    return finding;
}

/* The text of `code` in one style reads as the same words, and prints as itself. What a cubin says beside its code is
 * not in the text: labels, which need it, are printed again of the text. */
static const char *text_comes_back(const struct sch_maxwell_code *code, const struct words *words,
                                   enum sch_maxwell_text_style style, bool labels)
{
    char *text = NULL, *second = NULL;
    size_t bytes = 0, second_bytes = 0;
    const char *finding = NULL;
    if (sch_maxwell_code_print(code, style, labels, &sch_allocator_libc, &text, &bytes) != SCH_OK)
        return "the program does not print";
    if (strlen(text) != bytes) finding = "the printed text has another length";
    struct sch_maxwell_code *again = read(PROGRAM_TEXT, text, bytes, SCH_MAXWELL_ARCH_DEFAULT, &finding);
    if (!again)
        finding = "the printed text is refused";
    else {
        if (again->arch != code->arch || again->section_count != code->section_count)
            finding = "the text lost something";
        for (size_t i = 0; !finding && i < code->section_count; i++)
            if (strcmp(again->sections[i].name, code->sections[i].name) != 0 ||
                again->sections[i].count != code->sections[i].count)
                finding = "the text lost a section";
        if (!finding) finding = same_words(again, words, "the printed text reads as other words");
        if (!finding && !code->note_count &&
            sch_maxwell_code_print(again, style, labels, &sch_allocator_libc, &second, &second_bytes) == SCH_OK &&
            (bytes != second_bytes || memcmp(text, second, bytes)))
            finding = "the text prints as another one";
    }
    sch_maxwell_code_destroy(again);
    free(second);
    free(text);
    return finding;
}

static const char *code_comes_back(const struct sch_maxwell_code *code, const struct words *words)
{
    const char *finding = NULL;
    unsigned char *bytes = malloc(words->count * 8 + 1);
    if (!bytes || !words->count) {
        free(bytes);
        return NULL;
    }
    for (size_t i = 0; i < words->count * 8; i++) bytes[i] = (unsigned char)(words->at[i / 8] >> i % 8 * 8);
    struct sch_maxwell_code *again = read(PROGRAM_RAW, bytes, words->count * 8, code->arch, &finding);
    if (!again)
        finding = "the raw code is refused";
    else if (!finding)
        finding = same_words(again, words, "the raw code reads as other words");
    if (!finding && again->textures != code->textures) finding = "the raw code has other texture instructions";
    sch_maxwell_code_destroy(again);
    free(bytes);
    return finding;
}

/* A schedule that was made breaks no rule of slots, and changes no word and no phase. */
static const char *schedule_holds(struct sch_maxwell_code *code)
{
    enum { LIMIT = 256 << 20, KEPT = 20 };
    struct sch_diagnostics list;
    const char *finding = NULL;
    sch_maxwell_slots_check(code, &sch_allocator_libc, LIMIT, NULL);
    sch_maxwell_targets_check(code, NULL);
    if (sch_maxwell_slots_make(code, &sch_allocator_libc, LIMIT) != SCH_OK) return NULL; /* the memory ended */
    sch_diagnostics_init(&list, &sch_allocator_libc, KEPT);
    if (sch_maxwell_slots_check(code, &sch_allocator_libc, LIMIT, &list) == SCH_OK && list.warnings)
        finding = "a schedule that was made is warned of";
    sch_maxwell_code_check(code, SCH_SEVERITY_WARNING, &list);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].code == SCH_D_MAXWELL_SLOT) finding = "a slot that was made is refused";
    sch_diagnostics_release(&list);
    return finding;
}

const char *sch_roundtrip_program(enum program_form form, const void *data, size_t bytes, bool *accepted)
{
    const char *finding = NULL;
    struct sch_maxwell_code *code = read(form, data, bytes, SCH_MAXWELL_ARCH_DEFAULT, &finding);
    if (accepted) *accepted = code != NULL;
    if (!code) return finding;
    struct words words = words_of(code);
    if (!finding) finding = text_comes_back(code, &words, SCH_MAXWELL_TEXT_NVDISASM, false);
    if (!finding) finding = text_comes_back(code, &words, SCH_MAXWELL_TEXT_ISA, false);
    if (!finding) finding = text_comes_back(code, &words, SCH_MAXWELL_TEXT_ISA, true);
    if (!finding) finding = code_comes_back(code, &words);
    sch_maxwell_code_check(code, SCH_SEVERITY_WARNING, NULL);
    if (!finding) finding = schedule_holds(code);
    free(words.at);
    sch_maxwell_code_destroy(code);
    return finding;
}
