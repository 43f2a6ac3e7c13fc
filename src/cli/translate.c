/* scheelite translate: a shader in another language. */
#include "cli.h"

#include <string.h>

static const char usage[] = "scheelite translate --to tgsi|maxwell [-x KIND] FILE";

static enum sch_cli_exit language(const char *word, enum sch_translation *to)
{
    if (strcmp(word, "tgsi") == 0) {
        *to = SCH_TRANSLATE_TGSI;
    } else if (strcmp(word, "maxwell") == 0) {
        *to = SCH_TRANSLATE_MAXWELL;
    } else if (strcmp(word, "d3d-asm") == 0 || strcmp(word, "dxbc") == 0) {
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "translation to %s is not available in this version", word);
    } else {
        return sch_cli_usage_error(&sch_cli_translate, "there is no translation to %s (tgsi, maxwell)", word);
    }
    return SCH_CLI_YES;
}

/* What could be translated is printed, also beside reports of what could not. */
static enum sch_cli_exit translate(const char *path, enum sch_kind kind, enum sch_translation to)
{
    struct sch_cli_shader shader;
    enum sch_cli_exit exit = sch_cli_shader_read(path, kind, &shader);
    if (exit == SCH_CLI_YES) {
        struct sch_translate_options options = {.size = sizeof options, .to = to};
        char *text;
        size_t bytes;
        exit = sch_cli_exit_of(sch_shader_translate(shader.shader, &options, shader.list, &text, &bytes));
        if (text) fwrite(text, 1, bytes, stdout);
        sch_free(shader.context, text);
    }
    sch_cli_print_diagnostics(shader.list, &shader.input);
    sch_cli_shader_release(&shader);
    return exit;
}

static enum sch_cli_exit run(int argc, char **argv)
{
    enum { KIND, TO };
    static const struct sch_cli_option options[] = {
        [KIND] = {"-x", SCH_CLI_VALUE}, [TO] = {"--to", SCH_CLI_VALUE}, {NULL, SCH_CLI_FLAG}};
    struct sch_cli_arguments arguments = {.verb = &sch_cli_translate, .argc = argc, .argv = argv};
    enum sch_kind kind = SCH_KIND_AUTO;
    enum sch_translation to = SCH_TRANSLATE_TGSI;
    const char *path = NULL;
    bool has_language = false;

    for (int option; (option = sch_cli_next(&arguments, options)) != SCH_CLI_END;) {
        enum sch_cli_exit known = SCH_CLI_YES;
        if (option == SCH_CLI_STOP) return arguments.exit;
        if (option == KIND) known = sch_cli_kind(&sch_cli_translate, arguments.value, &kind);
        if (option == TO) known = language(arguments.value, &to);
        if (known != SCH_CLI_YES) return known;
        has_language |= option == TO;
        if (option != SCH_CLI_FILE) continue;
        if (path) return sch_cli_usage_error(&sch_cli_translate, "one file at a time");
        path = arguments.value;
    }
    if (!path) return sch_cli_usage_error(&sch_cli_translate, "no file");
    if (!has_language) return sch_cli_usage_error(&sch_cli_translate, "--to says into which language");
    return translate(path, kind, to);
}

const struct sch_cli_verb sch_cli_translate = {"translate", "a shader in another language", usage, run};
