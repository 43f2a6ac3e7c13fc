/* Shaders and Maxwell code as subjects of `reduce`: their pieces are the lines of their text, whatever they are written
 * as. */
#include <stdlib.h>
#include <string.h>

#include "subject.h"

static const char container[] = "SCHTGSI\n";

/* A copy that free() takes. */
static bool copy_of(const void *data, size_t bytes, char **copy)
{
    *copy = malloc(bytes + 1);
    if (!*copy) return false;
    memcpy(*copy, data, bytes);
    (*copy)[bytes] = 0;
    return true;
}

/* ---- shaders ---- */

/* The lines of a shader as the library prints it. */
static bool add_printed(const struct sch_cli_subject *subject, const struct sch_shader *shader,
                        const struct sch_print_options *options, enum sch_cli_language language,
                        struct sch_cli_pieces *pieces)
{
    char *text = NULL;
    size_t length = 0;
    const bool good = sch_shader_print(shader, options, &text, &length) == SCH_OK &&
                      sch_cli_subject_add_lines(pieces, language, 0, text, length);
    sch_free(subject->context, text);
    return good;
}

static bool split_shader(void *user, const void *data, size_t bytes, struct sch_cli_pieces *pieces)
{
    const struct sch_cli_subject *subject = user;
    const struct sch_read_options options = {.size = sizeof options, .kind = subject->written, .any_checksum = true};
    const struct sch_print_options print = {.size = sizeof print, .floats = subject->floats};
    const bool d3d = subject->language == SCH_LANGUAGE_D3D;
    struct sch_shader *shader = NULL;
    const bool good = sch_shader_read(subject->context, data, bytes, &options, NULL, &shader) == SCH_OK &&
                      add_printed(subject, shader, &print, d3d ? SCH_CLI_IN_D3D : SCH_CLI_IN_TGSI, pieces);
    sch_shader_destroy(shader);
    return good;
}

/* The shader as a file of the kind that the subject is. */
static bool write_shader(const struct sch_cli_subject *subject, const struct sch_shader *shader, char **data,
                         size_t *bytes)
{
    const struct sch_print_options print = {.size = sizeof print, .floats = subject->floats};
    char *text = NULL;
    void *binary = NULL;
    uint32_t *tokens = NULL;
    size_t count = 0;
    enum sch_result result;
    if (subject->written == SCH_KIND_TGSI || subject->written == SCH_KIND_D3D_ASM)
        result = sch_shader_print(shader, &print, &text, bytes);
    else if (subject->words)
        result = sch_shader_tokens(shader, NULL, &tokens, &count);
    else
        result = sch_shader_serialize(shader, NULL, &binary, bytes);
    if (tokens) *bytes = count * sizeof *tokens;
    const void *made = text ? (void *)text : tokens ? (void *)tokens : binary;
    const bool good = result == SCH_OK && copy_of(made, *bytes, data);
    sch_free(subject->context, text);
    sch_free(subject->context, binary);
    sch_free(subject->context, tokens);
    return good;
}

/* ---- Maxwell code ---- */

static bool split_maxwell(void *user, const void *data, size_t bytes, struct sch_cli_pieces *pieces)
{
    const struct sch_cli_subject *subject = user;
    const size_t skipped = subject->raw && subject->code.place ? subject->code.place->skipped : 0;
    struct sch_read_options options = {.size = sizeof options};
    options.kind = subject->raw ? SCH_KIND_MAXWELL_RAW : SCH_KIND_MAXWELL_TEXT;
    struct sch_maxwell_code_info info = {.size = sizeof info};
    sch_maxwell_get_info(subject->code.shader, &info);
    options.arch = info.arch;
    struct sch_shader *program = NULL;
    const bool good = bytes >= skipped &&
                      sch_shader_read(subject->context, (const char *)data + skipped, bytes - skipped, &options, NULL,
                                      &program) == SCH_OK &&
                      add_printed(subject, program, NULL, SCH_CLI_IN_MAXWELL, pieces);
    sch_shader_destroy(program);
    return good;
}

/* Words, low byte first, after what the file has before the code. */
static bool write_words(const struct sch_cli_subject *subject, const struct sch_shader *program, char **data,
                        size_t *bytes)
{
    void *words;
    size_t count;
    const size_t skipped = subject->code.place ? subject->code.place->skipped : 0;
    if (sch_shader_serialize(program, NULL, &words, &count) != SCH_OK) return false;
    *bytes = skipped + count;
    *data = count ? malloc(*bytes) : NULL; /* a file of no code is not one of raw code */
    if (*data) memcpy(*data, subject->input.data, skipped);
    if (*data) memcpy(*data + skipped, words, count);
    sch_free(subject->context, words);
    return *data != NULL;
}

static bool write_program(const struct sch_cli_subject *subject, const struct sch_shader *program, char **data,
                          size_t *bytes)
{
    char *text;
    if (subject->raw) return write_words(subject, program, data, bytes);
    if (sch_shader_print(program, NULL, &text, bytes) != SCH_OK) return false;
    const bool good = copy_of(text, *bytes, data);
    sch_free(subject->context, text);
    return good;
}

/* ---- both ---- */

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
                      (maxwell ? write_program : write_shader)(subject, shader, data, bytes);
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
    const bool is_text = sch_maxwell_pool_is_text(input->data, input->bytes);
    if (subject->language == SCH_LANGUAGE_D3D)
        subject->written = is_text ? SCH_KIND_D3D_ASM : SCH_KIND_DXBC;
    else
        subject->written = is_text ? SCH_KIND_TGSI : SCH_KIND_TGSI_BIN;
    subject->words = input->bytes < sizeof container - 1 || memcmp(input->data, container, sizeof container - 1) != 0;
    subject->words &= subject->written == SCH_KIND_TGSI_BIN;
    subject->form.split = split_shader;
    subject->form.make = make_shader;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_subject_maxwell(struct sch_cli_subject *subject,
                                          const struct sch_cli_maxwell_options *options)
{
    struct sch_cli_input copy = subject->input;
    struct sch_maxwell_code_info info = {.size = sizeof info};
    if (!copy_of(subject->input.data, subject->input.bytes, &copy.data)) return sch_cli_no_memory();
    const enum sch_cli_exit exit_code = sch_cli_maxwell_read(options, &copy, &subject->code);
    sch_cli_print_diagnostics(subject->code.list, &subject->code.input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    sch_maxwell_get_info(subject->code.shader, &info);
    if (info.kind == SCH_KIND_CUBIN)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s is a cubin, which is not written; reduce what dis prints of it",
                            subject->path);
    subject->raw = info.kind == SCH_KIND_MAXWELL_RAW;
    subject->language = SCH_LANGUAGE_MAXWELL;
    subject->form.split = split_maxwell;
    subject->form.make = make_shader;
    return SCH_CLI_YES;
}
