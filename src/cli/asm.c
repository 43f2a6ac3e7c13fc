/* scheelite asm: text to binary tokens. */
#include "cli.h"

#include <string.h>

static const char usage[] = "scheelite asm [-x KIND] [--to tgsi-bin] FILE (-o OUT | --words)";

struct wanted {
    enum sch_kind kind;
    bool words;
    const char *file, *output;
};

static enum sch_cli_exit read_target(const char *word)
{
    enum sch_kind to;
    enum sch_cli_exit exit = sch_cli_kind(&sch_cli_asm, word, &to);
    if (exit != SCH_CLI_YES) return exit;
    if (to != SCH_KIND_TGSI_BIN) return sch_cli_usage_error(&sch_cli_asm, "--to is a binary kind: tgsi-bin");
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    enum { KIND, TO, OUTPUT, WORDS };
    static const struct sch_cli_option options[] = {[KIND] = {"-x", SCH_CLI_VALUE},
                                                    [TO] = {"--to", SCH_CLI_VALUE},
                                                    [OUTPUT] = {"-o", SCH_CLI_VALUE},
                                                    [WORDS] = {"--words", SCH_CLI_FLAG},
                                                    {"--hex", SCH_CLI_LATER},
                                                    {"--arch", SCH_CLI_LATER},
                                                    {NULL, SCH_CLI_FLAG}};
    for (int option; (option = sch_cli_next(arguments, options)) != SCH_CLI_END;) {
        enum sch_cli_exit exit = SCH_CLI_YES;
        switch (option) {
        case SCH_CLI_STOP:
            return arguments->exit;
        case KIND:
            exit = sch_cli_kind(&sch_cli_asm, arguments->value, &wanted->kind);
            break;
        case TO:
            exit = read_target(arguments->value);
            break;
        case OUTPUT:
            wanted->output = arguments->value;
            break;
        case WORDS:
            wanted->words = true;
            break;
        default:
            if (wanted->file) return sch_cli_usage_error(&sch_cli_asm, "one file only");
            wanted->file = arguments->value;
        }
        if (exit != SCH_CLI_YES) return exit;
    }
    if (!wanted->file) return sch_cli_usage_error(&sch_cli_asm, "which file?");
    if (wanted->words == (wanted->output != NULL)) return sch_cli_usage_error(&sch_cli_asm, "either -o OUT or --words");
    return SCH_CLI_YES;
}

static enum sch_cli_exit print_words(const struct sch_cli_shader *shader)
{
    uint32_t *words;
    size_t count;
    enum sch_result result = sch_shader_tokens(shader->shader, shader->list, &words, &count);
    if (result != SCH_OK) return sch_cli_exit_of(result);
    for (size_t i = 0; i < count; i++) printf("%08x\n", words[i]);
    sch_free(shader->context, words);
    return SCH_CLI_YES;
}

static enum sch_cli_exit write_container(const struct sch_cli_shader *shader, const char *path)
{
    void *data;
    size_t bytes;
    enum sch_result result = sch_shader_serialize(shader->shader, shader->list, &data, &bytes);
    if (result != SCH_OK) return sch_cli_exit_of(result);
    enum sch_cli_exit exit = sch_cli_write(path, data, bytes);
    sch_free(shader->context, data);
    return exit;
}

static enum sch_cli_exit run(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_asm, .argc = argc, .argv = argv};
    struct wanted wanted = {0};
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    if (exit != SCH_CLI_YES) return exit;

    struct sch_cli_shader shader;
    exit = sch_cli_shader_read(wanted.file, wanted.kind, &shader);
    if (exit == SCH_CLI_YES) exit = wanted.words ? print_words(&shader) : write_container(&shader, wanted.output);
    sch_cli_print_diagnostics(shader.list, &shader.input);
    sch_cli_shader_release(&shader);
    return exit;
}

const struct sch_cli_verb sch_cli_asm = {"asm", "turns a shader into binary tokens", usage, run};
