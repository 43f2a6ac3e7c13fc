/* The invariants of the TGSI readers and writers. Knows no test framework. */
#include "roundtrip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ir/check.h"
#include "tgsi/tgsi.h"

static struct sch_limits limits(void)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    limits.memory = (size_t)256 << 20;
    limits.diagnostics = 20;
    return limits;
}

static struct sch_ir_shader *parse(const char *text, size_t bytes, size_t *errors)
{
    struct sch_limits bounds = limits();
    struct sch_diagnostics diagnostics;
    struct sch_ir_shader *shader;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, bounds.diagnostics);
    sch_diagnostics_source(&diagnostics, "input", text, bytes);
    enum sch_result status = sch_tgsi_parse(&sch_allocator_libc, &bounds, text, bytes, &diagnostics, &shader);
    *errors = diagnostics.errors;
    if (status != SCH_OK && shader) *errors = 0; /* a refused text must leave no shader: reported as silent */
    sch_diagnostics_release(&diagnostics);
    return status == SCH_OK ? shader : NULL;
}

/* A text that prints to something else than `expected`, when it is read, is a finding. */
static const char *reads_as(const char *text, size_t bytes, const char *expected)
{
    size_t errors, length;
    char *again;
    struct sch_ir_shader *shader = parse(text, bytes, &errors);
    if (!shader) return "the printed text is refused";
    const char *finding = NULL;
    if (sch_tgsi_print(shader, SCH_FLOAT_TEXT_SOURCE, &sch_allocator_libc, &again, &length) != SCH_OK)
        finding = "the second print failed";
    else if (strcmp(again, expected))
        finding = "the printed text prints to another text";
    free(again);
    sch_ir_destroy(shader);
    return finding;
}

static const char *check_print(const struct sch_ir_shader *shader, char **text)
{
    size_t length, hex_length, again_length;
    char *hex, *again;
    if (sch_tgsi_print(shader, SCH_FLOAT_TEXT_SOURCE, &sch_allocator_libc, text, &length) != SCH_OK)
        return "printing failed";
    if (length != strlen(*text)) return "the length of the print is wrong";
    const char *finding = reads_as(*text, length, *text);
    if (finding) return finding;

    if (sch_tgsi_print(shader, SCH_FLOAT_TEXT_HEX, &sch_allocator_libc, &hex, &hex_length) != SCH_OK)
        return "printing in hexadecimal failed";
    finding = reads_as(hex, hex_length, hex);
    free(hex);
    if (finding) return finding;
    if (sch_tgsi_print(shader, SCH_FLOAT_TEXT_DECIMAL, &sch_allocator_libc, &again, &again_length) != SCH_OK)
        return "printing in decimal failed";
    free(again);
    return NULL;
}

static const char *prints_as(struct sch_ir_shader *shader, const char *expected)
{
    char *text;
    size_t length;
    const char *finding = NULL;
    if (sch_tgsi_print(shader, SCH_FLOAT_TEXT_SOURCE, &sch_allocator_libc, &text, &length) != SCH_OK)
        return "printing failed";
    if (strcmp(text, expected)) finding = "decoded tokens print to another text";
    free(text);
    return finding;
}

/* Words that were just encoded must decode, print as `text` and encode to themselves. */
static const char *check_words(const struct sch_ir_shader *shader, const uint32_t *words, size_t count,
                               const char *text)
{
    struct sch_limits bounds = limits();
    struct sch_ir_shader *decoded;
    if (sch_tgsi_decode(&sch_allocator_libc, &bounds, words, count, 0, NULL, &decoded) != SCH_OK)
        return "the encoded tokens are refused";
    decoded->float_style = shader->float_style;
    const char *finding = prints_as(decoded, text);
    uint32_t *again;
    size_t again_count;
    if (sch_tgsi_encode(decoded, &sch_allocator_libc, NULL, &again, &again_count) != SCH_OK)
        finding = "the decoded tokens cannot be encoded";
    else if (again_count != count || memcmp(again, words, count * sizeof *words))
        finding = "the decoded tokens encode to other words";
    free(again);
    sch_ir_destroy(decoded);
    return finding;
}

static const char *check_container(const struct sch_ir_shader *shader, const char *text)
{
    struct sch_limits bounds = limits();
    struct sch_ir_shader *read;
    void *data;
    size_t bytes;
    if (sch_tgsi_container_write(shader, &sch_allocator_libc, NULL, &data, &bytes) != SCH_OK)
        return "the container cannot be written";
    const char *finding = NULL;
    if (sch_tgsi_container_read(&sch_allocator_libc, &bounds, data, bytes, NULL, &read) != SCH_OK)
        finding = "the container is refused";
    free(data);
    if (finding) return finding;
    finding = prints_as(read, text);
    sch_ir_destroy(read);
    return finding;
}

static bool uses_resources(const struct sch_ir_shader *shader)
{
    for (size_t i = 0; i < shader->declaration_count; i++)
        if (shader->declarations[i].file == SCH_FILE_RESOURCE) return true;
    for (size_t i = 0; i < shader->instruction_count; i++) {
        const struct sch_ir_instruction *instruction = &shader->instructions[i];
        if (instruction->has_label && instruction->label >> 24) return true;
        for (unsigned k = 0; k < instruction->dst_count; k++)
            if (instruction->dst[k].file == SCH_FILE_RESOURCE) return true;
        for (unsigned k = 0; k < instruction->src_count; k++)
            if (instruction->src[k].file == SCH_FILE_RESOURCE) return true;
    }
    return false;
}

static const char *check_shader(const struct sch_ir_shader *shader)
{
    char *text = NULL;
    uint32_t *words = NULL;
    size_t count;
    const char *finding = check_print(shader, &text);
    if (!finding) {
        enum sch_result status = sch_tgsi_encode(shader, &sch_allocator_libc, NULL, &words, &count);
        if (status == SCH_OK && uses_resources(shader))
            finding = "tokens said what they cannot";
        else if (status == SCH_OK)
            finding = check_words(shader, words, count, text);
        else if (!uses_resources(shader))
            finding = "encoding failed";
        if (status == SCH_OK && !finding) finding = check_container(shader, text);
    }
    free(words);
    free(text);
    return finding;
}

const char *sch_roundtrip_text(const void *data, size_t bytes, bool *accepted)
{
    size_t errors;
    struct sch_ir_shader *shader = parse(data, bytes, &errors);
    if (accepted) *accepted = shader != NULL;
    if (!shader) return errors ? NULL : "a text was refused without a report";
    if (errors) return "an accepted text has errors";
    const char *finding = check_shader(shader);
    (void)sch_ir_check(shader, NULL);
    sch_ir_destroy(shader);
    return finding;
}

/* Tokens can hold properties of several values and memory words on atomics whose text has none. */
static bool text_can_say(const struct sch_ir_shader *shader)
{
    for (size_t i = 0; i < shader->property_count; i++)
        if (shader->properties[i].count != 1) return false;
    for (size_t i = 0; i < shader->instruction_count; i++) {
        const struct sch_ir_instruction *instruction = &shader->instructions[i];
        if (!instruction->has_memory || sch_op_info(instruction->opcode)->flags & SCH_OPF_MEMORY) continue;
        if (instruction->qualifiers || instruction->memory_target || instruction->memory_format) return false;
    }
    return true;
}

static const char *check_decoded(const struct sch_ir_shader *shader, const uint32_t *words, size_t count)
{
    uint32_t *again;
    size_t again_count;
    if (sch_tgsi_encode(shader, &sch_allocator_libc, NULL, &again, &again_count) != SCH_OK)
        return "accepted tokens cannot be encoded";
    const char *finding = NULL;
    if (again_count != count || (words && memcmp(again, words, count * sizeof *words)))
        finding = "accepted tokens encode to other words";
    free(again);
    if (finding || !text_can_say(shader)) return finding;
    char *text = NULL;
    finding = check_print(shader, &text);
    free(text);
    return finding;
}

const char *sch_roundtrip_tokens(const void *data, size_t bytes, bool *accepted)
{
    struct sch_limits bounds = limits();
    struct sch_diagnostics diagnostics;
    struct sch_ir_shader *shader = NULL;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, bounds.diagnostics);
    size_t count = bytes / sizeof(uint32_t);
    uint32_t *words = malloc(bytes + sizeof(uint32_t)); /* aligned, and exact enough for the sanitizers */
    if (!words) return NULL;
    if (bytes) memcpy(words, data, bytes);

    bool contained = sch_tgsi_container_recognise(data, bytes);
    enum sch_result status =
        contained ? sch_tgsi_container_read(&sch_allocator_libc, &bounds, data, bytes, &diagnostics, &shader)
                  : sch_tgsi_decode(&sch_allocator_libc, &bounds, words, count, 0, &diagnostics, &shader);
    if (accepted) *accepted = status == SCH_OK;
    const char *finding = NULL;
    if (status == SCH_OK) {
        const size_t header = 6; /* words of the container's magic and header */
        finding =
            contained ? check_decoded(shader, words + header, count - header) : check_decoded(shader, words, count);
        (void)sch_ir_check(shader, NULL);
        sch_ir_destroy(shader);
    } else if (shader || !diagnostics.errors) {
        finding = "tokens were refused without a report";
    }
    free(words);
    sch_diagnostics_release(&diagnostics);
    return finding;
}
