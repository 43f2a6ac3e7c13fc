/* scheelite asm: text to binary tokens or words. */
#include "common/common.h"
#include "common/files.h"
#include "common/hlsl_file.h"
#include "inputs/reading.h"

#include <string.h>

enum { TO_CONTAINER = 1, TO_MAXWELL }; /* the words of --to */

struct wanted {
    struct sch_cli_reading reading;
    struct sch_cli_options_of_asm options;
    const char *output;
    struct sch_cli_files files;
};

/* Which options go together. */
static enum sch_cli_exit check_arguments(const struct wanted *wanted)
{
    const struct sch_cli_options_of_asm *options = &wanted->options;
    if (!options->hex && options->words == (options->output != NULL))
        return sch_cli_usage_error(&sch_cli_asm, "either -o OUT or --words");
    if (options->hex && (!wanted->reading.maxwell.chosen || wanted->reading.maxwell.kind == SCH_KIND_CUBIN))
        return sch_cli_usage_error(&sch_cli_asm, "--hex goes with -x maxwell");
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_asm_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    enum sch_cli_exit exit_code = sch_cli_parse(arguments, NULL, NULL);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_reading_take(&wanted->reading, arguments);
    wanted->options = arguments->values.of_asm;
    wanted->output = wanted->options.output;
    wanted->reading.maxwell.schedule = wanted->options.schedule;
    if (exit_code == SCH_CLI_YES) exit_code = check_arguments(wanted);
    return exit_code == SCH_CLI_YES ? sch_cli_files_take(&wanted->files, arguments, wanted->output) : exit_code;
}

static enum sch_cli_exit print_token_words(const struct sch_cli_shader *shader)
{
    uint32_t *words;
    size_t count;
    enum sch_result result = sch_shader_tokens(shader->shader, shader->list, &words, &count);
    if (result != SCH_OK) return sch_cli_result(result, shader->list, shader->input.name);
    const bool wide = sch_shader_language(shader->shader) == SCH_LANGUAGE_MAXWELL; /* words of 64 bits */
    for (size_t i = 0; i < count; i += wide ? 2 : 1)
        if (wide)
            printf("0x%08x%08x\n", words[i + 1], words[i]);
        else
            printf("%08x\n", words[i]);
    sch_free(shader->context, words);
    return SCH_CLI_YES;
}

static enum sch_cli_exit write_container(const struct sch_cli_shader *shader, const char *path)
{
    void *data;
    size_t bytes;
    enum sch_result result = sch_shader_serialize(shader->shader, shader->list, &data, &bytes);
    if (result != SCH_OK) return sch_cli_result(result, shader->list, shader->input.name);
    enum sch_cli_exit exit_code = sch_cli_write(path, data, bytes);
    sch_free(shader->context, data);
    return exit_code;
}

static enum sch_cli_exit assemble(void *user, const char *path, const char **ending)
{
    const struct wanted *wanted = user;
    *ending = ".bin";
    if (wanted->options.hex) return sch_cli_maxwell_asm_lines(&wanted->reading.maxwell, path);

    struct sch_cli_input input;
    enum sch_cli_exit exit_code = sch_cli_read_source(path, &input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const bool to = wanted->options.has_to;
    bool maxwell = sch_cli_is_maxwell(&wanted->reading.maxwell, wanted->reading.kind, &input);
    if (to && maxwell != (wanted->options.to == TO_MAXWELL)) {
        sch_cli_input_release(&input);
        return sch_cli_usage_error(&sch_cli_asm, "asm does not turn one language into another");
    }
    if (wanted->reading.maxwell.schedule && !maxwell) {
        sch_cli_input_release(&input);
        return sch_cli_usage_error(&sch_cli_asm, "--schedule goes with Maxwell code");
    }

    struct sch_cli_shader shader;
    exit_code = sch_cli_reading_shader(&wanted->reading, &input, &shader);
    if (exit_code == SCH_CLI_YES && maxwell)
        exit_code = sch_cli_result(sch_maxwell_warn(shader.shader, shader.list), shader.list, shader.input.name);
    enum sch_kind own = sch_shader_language(shader.shader) == SCH_LANGUAGE_D3D ? SCH_KIND_DXBC : SCH_KIND_TGSI_BIN;
    if (own == SCH_KIND_DXBC) *ending = ".dxbc";
    if (exit_code == SCH_CLI_YES && to && !maxwell && (wanted->options.to == TO_CONTAINER) != (own == SCH_KIND_DXBC))
        exit_code = sch_cli_usage_error(&sch_cli_asm, "asm does not turn one language into another");
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_warnings_exit(shader.list);
    if (exit_code == SCH_CLI_YES)
        exit_code = wanted->options.words ? print_token_words(&shader) : write_container(&shader, wanted->output);
    sch_cli_print_diagnostics(shader.list, &shader.input);
    sch_cli_shader_release(&shader);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_asm(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {0};
    struct sch_cli_files *files = &wanted.files;
    enum sch_cli_exit exit_code = read_asm_arguments(arguments, &wanted);
    if (exit_code == SCH_CLI_YES && files->count > 1 && !files->output)
        exit_code = sch_cli_usage_error(&sch_cli_asm, "one file only; several need -o FOLDER/");
    if (files->is_folder)
        wanted.output = "-"; /* which goes into the folder */
    else
        files->output = NULL;
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_each_file(files, NULL, assemble, &wanted);
    sch_cli_files_release(files);
    return exit_code;
}
