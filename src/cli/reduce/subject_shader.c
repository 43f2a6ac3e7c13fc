/* Shaders and Maxwell code as subjects of `reduce`: their pieces are the lines of their text, whatever they are written
 * as. */
#include <stdlib.h>
#include <string.h>

#include "subject.h"

static const char container[] = "SCHTGSI\n";

/* The lines of the text that the library prints of a file. */
static bool split_shader(void *user, const void *data, size_t bytes, struct sch_cli_pieces *pieces)
{
    static const enum sch_cli_language languages[] = {[SCH_LANGUAGE_TGSI] = SCH_CLI_IN_TGSI,
                                                      [SCH_LANGUAGE_D3D] = SCH_CLI_IN_D3D,
                                                      [SCH_LANGUAGE_MAXWELL] = SCH_CLI_IN_MAXWELL};
    const struct sch_cli_subject *subject = user;
    const struct sch_print_options print = {.size = sizeof print, .floats = subject->floats};
    const size_t skipped = subject->skipped;
    struct sch_shader *shader = NULL;
    char *text = NULL;
    size_t length = 0;
    const bool good = bytes >= skipped &&
                      sch_shader_read(subject->context, (const char *)data + skipped, bytes - skipped,
                                      &subject->reading, NULL, &shader) == SCH_OK &&
                      sch_shader_print(shader, &print, &text, &length) == SCH_OK &&
                      sch_cli_subject_add_lines(pieces, languages[subject->language], 0, text, length);
    sch_free(subject->context, text);
    sch_shader_destroy(shader);
    return good;
}

/* The shader as a file of the kind that the subject is. A file of no code is not one. */
static bool write_shader(const struct sch_cli_subject *subject, const struct sch_shader *shader, char **data,
                         size_t *bytes)
{
    const struct sch_print_options print = {.size = sizeof print, .floats = subject->floats};
    char *text = NULL;
    void *binary = NULL;
    uint32_t *tokens = NULL;
    size_t count = 0;
    enum sch_result result;
    if (subject->is_text)
        result = sch_shader_print(shader, &print, &text, &count);
    else if (subject->words)
        result = sch_shader_tokens(shader, NULL, &tokens, &count);
    else
        result = sch_shader_serialize(shader, NULL, &binary, &count);
    if (tokens) count *= sizeof *tokens;
    *bytes = subject->skipped + count;
    *data = result == SCH_OK && count ? malloc(*bytes) : NULL;
    if (*data) memcpy(*data, subject->input.data, subject->skipped);
    if (*data) memcpy(*data + subject->skipped, text ? (void *)text : tokens ? (void *)tokens : binary, count);
    sch_free(subject->context, text);
    sch_free(subject->context, binary);
    sch_free(subject->context, tokens);
    return *data != NULL;
}

/* The lines as a file, if they are still a valid shader. */
static bool make_shader(void *user, const struct sch_cli_pieces *pieces, char **data, size_t *bytes)
{
    static const enum sch_kind kinds[] = {[SCH_LANGUAGE_TGSI] = SCH_KIND_TGSI,
                                          [SCH_LANGUAGE_D3D] = SCH_KIND_D3D_ASM,
                                          [SCH_LANGUAGE_MAXWELL] = SCH_KIND_MAXWELL_TEXT};
    const struct sch_cli_subject *subject = user;
    const struct sch_read_options options = {.size = sizeof options, .kind = kinds[subject->language]};
    const bool maxwell = subject->language == SCH_LANGUAGE_MAXWELL;
    struct sch_cli_text text = {0};
    struct sch_shader *shader = NULL;
    const bool good = sch_cli_subject_join(pieces->list, pieces->count, &text) && (text.bytes || !maxwell) &&
                      sch_shader_read(subject->context, text.data, text.bytes, &options, NULL, &shader) == SCH_OK &&
                      (subject->lenient || sch_shader_check(shader, NULL) == SCH_OK) &&
                      write_shader(subject, shader, data, bytes);
    sch_shader_destroy(shader);
    free(text.data);
    return good;
}

enum sch_cli_exit sch_cli_subject_shader(struct sch_cli_subject *subject, enum sch_kind kind)
{
    struct sch_cli_shader shader;
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_cli_input *input = &subject->input;
    enum sch_cli_exit exit_code = sch_cli_shader_take(input, kind, &shader);
    if (exit_code == SCH_CLI_YES && sch_shader_get_info(shader.shader, &info) == SCH_OK) subject->floats = info.floats;
    sch_cli_print_diagnostics(shader.list, &shader.input);
    if (exit_code == SCH_CLI_YES) subject->language = sch_shader_language(shader.shader);
    *input = shader.input; /* it may be one of several that the file holds */
    shader.input = (struct sch_cli_input){0};
    sch_cli_shader_release(&shader);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (input->length) memmove(input->data, input->data + input->at, input->bytes = input->length);
    subject->is_text = sch_maxwell_pool_is_text(input->data, input->bytes);
    if (subject->language == SCH_LANGUAGE_D3D)
        subject->reading.kind = subject->is_text ? SCH_KIND_D3D_ASM : SCH_KIND_DXBC;
    else
        subject->reading.kind = subject->is_text ? SCH_KIND_TGSI : SCH_KIND_TGSI_BIN;
    subject->reading.any_checksum = true;
    subject->words = subject->reading.kind == SCH_KIND_TGSI_BIN &&
                     (input->bytes < sizeof container - 1 || memcmp(input->data, container, sizeof container - 1) != 0);
    subject->form.split = split_shader;
    subject->form.make = make_shader;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_subject_maxwell(struct sch_cli_subject *subject,
                                          const struct sch_cli_maxwell_options *options)
{
    struct sch_cli_input copy = subject->input;
    struct sch_cli_shader code = {0};
    struct sch_maxwell_code_info info = {.size = sizeof info};
    if (!(copy.data = malloc(copy.bytes + 1))) return sch_cli_no_memory();
    memcpy(copy.data, subject->input.data, copy.bytes + 1);
    const enum sch_cli_exit exit_code = sch_cli_maxwell_read(options, &copy, &code);
    sch_cli_print_diagnostics(code.list, &code.input);
    if (exit_code == SCH_CLI_YES) sch_maxwell_get_info(code.shader, &info);
    if (info.kind == SCH_KIND_MAXWELL_RAW && code.place) subject->skipped = code.place->skipped;
    sch_cli_shader_release(&code);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (info.kind == SCH_KIND_CUBIN)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s is a cubin, which is not written; reduce what dis prints of it",
                            subject->path);
    subject->is_text = info.kind == SCH_KIND_MAXWELL_TEXT;
    subject->reading.kind = info.kind;
    subject->reading.arch = info.arch;
    subject->language = SCH_LANGUAGE_MAXWELL;
    subject->form.split = split_shader;
    subject->form.make = make_shader;
    return SCH_CLI_YES;
}
