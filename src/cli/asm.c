/* scheelite asm: text to binary tokens or words. */
#include "common.h"
#include "files.h"
#include "hlsl_file.h"
#include "maxwell.h"

#include <string.h>

struct wanted {
    enum sch_kind kind;
    struct sch_cli_maxwell_options maxwell;
    bool words, hex;
    bool to_tokens, to_maxwell; /* --to */
    enum sch_kind to;           /* the kind of tokens, AUTO without --to */
    uint32_t nth;
    const char *output;
    struct sch_cli_files files;
};

static enum sch_cli_exit read_target(const char *word, struct wanted *wanted)
{
    wanted->to_maxwell = strcmp(word, "maxwell") == 0;
    wanted->to_tokens = !wanted->to_maxwell;
    if (wanted->to_maxwell) return SCH_CLI_YES;
    enum sch_cli_exit exit = sch_cli_kind(&sch_cli_asm, word, &wanted->to);
    if (exit != SCH_CLI_YES) return exit;
    if (wanted->to != SCH_KIND_TGSI_BIN && wanted->to != SCH_KIND_DXBC)
        return sch_cli_usage_error(&sch_cli_asm, "--to is a binary kind: tgsi-bin, dxbc or maxwell");
    return SCH_CLI_YES;
}

/* Which options go together. */
static enum sch_cli_exit check_arguments(const struct wanted *wanted)
{
    if (!wanted->files.count) return sch_cli_usage_error(&sch_cli_asm, "which file?");
    if (!wanted->hex && wanted->words == (wanted->output != NULL))
        return sch_cli_usage_error(&sch_cli_asm, "either -o OUT or --words");
    if (!wanted->hex) return SCH_CLI_YES;
    if (!wanted->maxwell.chosen || wanted->maxwell.kind == SCH_KIND_CUBIN)
        return sch_cli_usage_error(&sch_cli_asm, "--hex goes with -x maxwell");
    if (wanted->maxwell.schedule)
        return sch_cli_usage_error(&sch_cli_asm, "--hex prints words alone: --schedule has nothing to do");
    if (wanted->words || wanted->output) return sch_cli_usage_error(&sch_cli_asm, "--hex prints a word for each line");
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        enum sch_cli_exit exit = SCH_CLI_YES;
        switch (option) {
        case SCH_CLI_STOP:
            return arguments->exit;
        case SCH_OPTION_KIND:
            exit = sch_cli_any_kind(&sch_cli_asm, arguments->value, &wanted->kind, &wanted->maxwell);
            break;
        case SCH_OPTION_ASM_TO:
            exit = read_target(arguments->value, wanted);
            break;
        case SCH_OPTION_ASM_OUTPUT:
            wanted->output = arguments->value;
            break;
        case SCH_OPTION_ASM_WORDS:
            wanted->words = true;
            break;
        case SCH_OPTION_ASM_HEX:
            wanted->hex = true;
            break;
        case SCH_OPTION_ASM_SCHEDULE:
            wanted->maxwell.schedule = true;
            break;
        case SCH_OPTION_KERNEL:
            wanted->maxwell.kernel = arguments->value;
            break;
        case SCH_OPTION_ARCH:
            exit = sch_cli_arch(&sch_cli_asm, arguments->value, &wanted->maxwell);
            break;
        case SCH_OPTION_NTH:
            exit = sch_cli_nth(&sch_cli_asm, arguments->value, &wanted->nth);
            break;
        case SCH_OPTION_RECURSIVE:
            wanted->files.recursive = true;
            break;
        default:
            exit = sch_cli_files_add(&wanted->files, arguments->value);
        }
        if (exit != SCH_CLI_YES) return exit;
    }
    return check_arguments(wanted);
}

static enum sch_cli_exit print_words(const struct sch_cli_shader *shader)
{
    uint32_t *words;
    size_t count;
    enum sch_result result = sch_shader_tokens(shader->shader, shader->list, &words, &count);
    if (result != SCH_OK) return sch_cli_result(result, shader->list, shader->input.name);
    for (size_t i = 0; i < count; i++) printf("%08x\n", words[i]);
    sch_free(shader->context, words);
    return SCH_CLI_YES;
}

static enum sch_cli_exit write_container(const struct sch_cli_shader *shader, const char *path)
{
    void *data;
    size_t bytes;
    enum sch_result result = sch_shader_serialize(shader->shader, shader->list, &data, &bytes);
    if (result != SCH_OK) return sch_cli_result(result, shader->list, shader->input.name);
    enum sch_cli_exit exit = sch_cli_write(path, data, bytes);
    sch_free(shader->context, data);
    return exit;
}

static enum sch_cli_exit assemble(void *user, const char *path, const char **ending)
{
    const struct wanted *wanted = user;
    *ending = ".bin";
    if (wanted->hex) return sch_cli_maxwell_asm_lines(&wanted->maxwell, path);

    struct sch_cli_input input;
    enum sch_cli_exit exit = sch_cli_read_source(path, &input);
    if (exit != SCH_CLI_YES) return exit;
    bool maxwell = sch_cli_is_maxwell(&wanted->maxwell, wanted->kind, &input);
    if (maxwell ? wanted->to_tokens : wanted->to_maxwell) {
        sch_cli_input_release(&input);
        return sch_cli_usage_error(&sch_cli_asm, "asm does not turn one language into another");
    }
    if (wanted->maxwell.schedule && !maxwell) {
        sch_cli_input_release(&input);
        return sch_cli_usage_error(&sch_cli_asm, "--schedule goes with Maxwell code");
    }
    if (maxwell) return sch_cli_maxwell_asm(&wanted->maxwell, &input, wanted->output);

    struct sch_cli_shader shader;
    input.nth = wanted->nth;
    exit = sch_cli_shader_take(&input, wanted->kind, &shader);
    enum sch_kind own = sch_shader_language(shader.shader) == SCH_LANGUAGE_D3D ? SCH_KIND_DXBC : SCH_KIND_TGSI_BIN;
    if (own == SCH_KIND_DXBC) *ending = ".dxbc";
    if (exit == SCH_CLI_YES && wanted->to != SCH_KIND_AUTO && wanted->to != own)
        exit = sch_cli_usage_error(&sch_cli_asm, "asm does not turn one language into another");
    if (exit == SCH_CLI_YES) exit = sch_cli_warnings_exit(shader.list);
    if (exit == SCH_CLI_YES) exit = wanted->words ? print_words(&shader) : write_container(&shader, wanted->output);
    sch_cli_print_diagnostics(shader.list, &shader.input);
    sch_cli_shader_release(&shader);
    return exit;
}

enum sch_cli_exit sch_cli_main_asm(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_asm, .argc = argc, .argv = argv};
    struct wanted wanted = {0};
    struct sch_cli_files *files = &wanted.files;
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    files->output = wanted.output;
    if (exit == SCH_CLI_YES) exit = sch_cli_files_settle(&sch_cli_asm, files);
    if (exit == SCH_CLI_YES && files->count > 1 && !files->output)
        exit = sch_cli_usage_error(&sch_cli_asm, "one file only; several need -o FOLDER/");
    if (files->is_folder)
        wanted.output = "-"; /* which goes into the folder */
    else
        files->output = NULL;
    if (exit == SCH_CLI_YES) exit = sch_cli_each_file(files, NULL, assemble, &wanted);
    sch_cli_files_release(files);
    return exit;
}
