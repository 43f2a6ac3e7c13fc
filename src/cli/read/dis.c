/* scheelite dis: a shader of any kind as canonical text. */
#include "../support/text.h"
#include "common/files.h"
#include "common/hlsl_file.h"
#include "inputs/reading.h"

#include <stdlib.h>
#include <string.h>

/* Replaces words in hexadecimal, with or without 0x, by the bytes that they stand for. */
static enum sch_cli_exit read_hex_words(struct sch_cli_input *input)
{
    uint32_t *words = malloc((input->bytes / 2 + 1) * sizeof *words);
    struct sch_cursor cursor = sch_cursor_begin(input->data, input->bytes);
    size_t count = 0;
    if (!words) return sch_cli_no_memory();
    do {
        while (sch_cursor_next(&cursor)) {
            const size_t prefix = cursor.bytes > 2 && cursor.word[0] == '0' && strchr("xX", cursor.word[1]) ? 2 : 0;
            uint64_t word;
            if (cursor.bytes - prefix <= 8 && sch_text_digits(cursor.word + prefix, cursor.bytes - prefix, 16, &word)) {
                words[count++] = (uint32_t)word;
                continue;
            }
            const struct sch_cli_location location = {input, cursor.number, (uint32_t)(cursor.word - cursor.line) + 1};
            sch_cli_report(&location, 0, "this is not a 32-bit word in hexadecimal");
            free(words);
            return SCH_CLI_NO;
        }
    } while (sch_cursor_next_line(&cursor));
    free(input->data);
    input->data = (char *)words;
    input->bytes = count * sizeof *words;
    return SCH_CLI_YES;
}

/* The words of --style. */
enum style { STYLE_ISA, STYLE_NVDISASM, STYLE_FXC, STYLE_VKD3D };

struct wanted {
    struct sch_cli_reading reading;
    struct sch_cli_options_of_dis options;
    enum sch_float_text floats;
    enum sch_listing_style listing;
    struct sch_cli_files files;
    const char *ending; /* of a file that holds the listing */
};

static enum sch_cli_exit print_text(const struct sch_cli_shader *shader, const struct wanted *wanted)
{
    struct sch_print_options options = {.size = sizeof options, .floats = wanted->floats, .listing = wanted->listing};
    if (sch_shader_language(shader->shader) == SCH_LANGUAGE_MAXWELL) {
        options.style = wanted->reading.maxwell.style;
        options.labels = wanted->reading.maxwell.labels;
    }
    char *text;
    size_t bytes;
    enum sch_result result = sch_shader_print(shader->shader, &options, &text, &bytes);
    if (result != SCH_OK) return sch_cli_result(result, NULL, shader->input.name);
    fwrite(text, 1, bytes, stdout);
    sch_free(shader->context, text);
    return SCH_CLI_YES;
}

/* Which kinds of inputs options go with. */
static enum sch_cli_exit check_arguments(const struct wanted *wanted)
{
    const struct sch_cli_reading *reading = &wanted->reading;
    if (wanted->options.words && reading->kind != SCH_KIND_TGSI_BIN)
        return sch_cli_usage_error(&sch_cli_dis, "--words goes with -x tgsi-bin");
    if (wanted->options.hex && (!reading->maxwell.chosen || reading->maxwell.kind == SCH_KIND_CUBIN))
        return sch_cli_usage_error(&sch_cli_dis, "--hex goes with -x maxwell");
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_dis_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    static const enum sch_listing_style listings[] = {[STYLE_ISA] = SCH_LISTING_FXC,
                                                      [STYLE_NVDISASM] = SCH_LISTING_FXC,
                                                      [STYLE_FXC] = SCH_LISTING_FXC_DUMP,
                                                      [STYLE_VKD3D] = SCH_LISTING_VKD3D};
    enum sch_cli_exit exit_code = sch_cli_parse(arguments, NULL, NULL);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_reading_take(&wanted->reading, arguments);
    const struct sch_cli_options_of_dis *options = &arguments->values.of_dis;
    wanted->options = *options;
    wanted->listing = listings[options->style];
    if (options->has_floats) wanted->floats = options->floats ? SCH_FLOAT_TEXT_DECIMAL : SCH_FLOAT_TEXT_HEX;
    if (options->has_style)
        wanted->reading.maxwell.style =
            options->style == STYLE_NVDISASM ? SCH_MAXWELL_TEXT_NVDISASM : SCH_MAXWELL_TEXT_ISA;
    wanted->reading.maxwell.labels = options->labels;
    if (exit_code == SCH_CLI_YES) exit_code = check_arguments(wanted);
    return exit_code == SCH_CLI_YES
               ? sch_cli_files_take(&wanted->files, arguments, arguments->values.text_output.output)
               : exit_code;
}

static enum sch_cli_exit check_style(const struct wanted *wanted, const struct sch_cli_shader *shader)
{
    if (wanted->options.style < STYLE_FXC || sch_shader_language(shader->shader) == SCH_LANGUAGE_D3D)
        return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_UNSUPPORTED, "styles fxc and vkd3d are of Direct3D shaders");
}

/* sch_cli_shader_fn: each of several after a comment. */
static enum sch_cli_exit print_shader(void *user, const struct sch_cli_shader *shader, uint32_t number, uint32_t count,
                                      enum sch_cli_exit exit_code)
{
    struct wanted *wanted = user;
    (void)count;
    exit_code = sch_cli_worse(exit_code, sch_cli_print_diagnostics(shader->list, &shader->input));
    const bool d3d = exit_code == SCH_CLI_YES && sch_shader_language(shader->shader) == SCH_LANGUAGE_D3D;
    if (number)
        printf("%s%s shader %u, line %u\n", number > 1 ? "\n" : "", d3d ? "//" : "#", number, shader->input.line);
    else if (d3d)
        wanted->ending = ".asm";
    if (exit_code == SCH_CLI_YES) exit_code = check_style(wanted, shader);
    return exit_code == SCH_CLI_YES ? print_text(shader, wanted) : exit_code;
}

static enum sch_cli_exit print_words(struct wanted *wanted, const char *path)
{
    struct sch_cli_shader shader = {0};
    enum sch_cli_exit exit_code = sch_cli_read(path, &shader.input);
    if (exit_code == SCH_CLI_YES) exit_code = read_hex_words(&shader.input);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_shader_parse(SCH_KIND_TGSI_BIN, &shader);
    exit_code = print_shader(wanted, &shader, 0, 1, exit_code);
    sch_cli_shader_release(&shader);
    return exit_code;
}

/* A file of any kind but words in hexadecimal. */
static enum sch_cli_exit print_file(struct wanted *wanted, const char *path)
{
    struct sch_cli_input input;
    enum sch_cli_exit exit_code = sch_cli_read_source(path, &input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const bool maxwell = sch_cli_is_maxwell(&wanted->reading.maxwell, wanted->reading.kind, &input);
    if (maxwell) wanted->ending = ".maxwell";
    if (maxwell || wanted->options.style != STYLE_NVDISASM)
        return sch_cli_reading_each(&wanted->reading, &input, print_shader, wanted);
    sch_cli_input_release(&input);
    return sch_cli_fail(SCH_CLI_UNSUPPORTED, "style nvdisasm is one of Maxwell code");
}

static enum sch_cli_exit print_one(void *user, const char *path, const char **ending)
{
    struct wanted *wanted = user;
    wanted->ending = ".tgsi";
    enum sch_cli_exit exit_code;
    if (wanted->options.hex)
        exit_code = sch_cli_maxwell_dis_lines(&wanted->reading.maxwell, path, wanted->options.control);
    else
        exit_code = wanted->options.words ? print_words(wanted, path) : print_file(wanted, path);
    *ending = wanted->ending;
    return exit_code;
}

enum sch_cli_exit sch_cli_main_dis(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {0};
    enum sch_cli_exit exit_code = read_dis_arguments(arguments, &wanted);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_each_file(&wanted.files, "# ", print_one, &wanted);
    sch_cli_files_release(&wanted.files);
    return exit_code;
}
