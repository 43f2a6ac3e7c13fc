/* scheelite translate: translates a shader to another language. */
#include "common.h"

#include <string.h>

struct target {
    const char *word;        /* NULL: no --to */
    enum sch_translation to; /* where it is not a form of Direct3D */
    bool listing, container;
    const char *output;
};

static enum sch_cli_exit language(const char *word, struct target *target)
{
    *target = (struct target){.word = word, .output = target->output};
    target->listing = strcmp(word, "d3d-asm") == 0;
    target->container = strcmp(word, "dxbc") == 0;
    target->to = strcmp(word, "maxwell") == 0 ? SCH_TRANSLATE_MAXWELL : SCH_TRANSLATE_TGSI;
    if (target->listing || target->container || target->to == SCH_TRANSLATE_MAXWELL || strcmp(word, "tgsi") == 0)
        return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_translate, "there is no translation to %s (tgsi, maxwell, d3d-asm, dxbc)",
                               word);
}

static enum sch_cli_exit put(const struct target *target, const void *data, size_t bytes)
{
    if (target->output) return sch_cli_write(target->output, data, bytes);
    fwrite(data, 1, bytes, stdout);
    return SCH_CLI_YES;
}

static enum sch_cli_exit put_direct3d(const struct sch_cli_shader *from, const struct sch_shader *shader,
                                      const struct target *target)
{
    void *data = NULL;
    char *text = NULL;
    size_t bytes;
    enum sch_result result = target->container ? sch_shader_serialize(shader, from->list, &data, &bytes)
                                               : sch_shader_print(shader, NULL, &text, &bytes);
    enum sch_cli_exit exit = sch_cli_result(result, from->list, from->input.name);
    exit = sch_cli_worse(exit, sch_cli_warnings_exit(from->list));
    if (exit == SCH_CLI_YES) exit = put(target, data ? data : text, bytes);
    sch_free(from->context, data);
    sch_free(from->context, text);
    return exit;
}

/* One form of Direct3D shaders in the other, or a TGSI shader as one of model 5.0. */
static enum sch_cli_exit to_direct3d(const struct sch_cli_shader *shader, const struct target *target)
{
    if (sch_shader_language(shader->shader) == SCH_LANGUAGE_D3D) return put_direct3d(shader, shader->shader, target);
    struct sch_shader *raised;
    enum sch_result result = sch_shader_raise(shader->shader, shader->list, &raised);
    enum sch_cli_exit exit = sch_cli_result(result, shader->list, shader->input.name);
    if (exit == SCH_CLI_YES) exit = put_direct3d(shader, raised, target);
    sch_shader_destroy(raised);
    return exit;
}

/* What could be translated is printed, also beside reports of what could not. */
static enum sch_cli_exit to_text(const struct sch_cli_shader *shader, const struct target *target)
{
    struct sch_translate_options options = {.size = sizeof options, .to = target->to};
    char *text;
    size_t bytes;
    enum sch_result result = sch_shader_translate(shader->shader, &options, shader->list, &text, &bytes);
    enum sch_cli_exit exit = sch_cli_result(result, shader->list, shader->input.name);
    enum sch_cli_exit written = sch_cli_warnings_exit(shader->list);
    if (text && written == SCH_CLI_YES) written = put(target, text, bytes);
    sch_free(shader->context, text);
    return exit == SCH_CLI_YES ? written : exit;
}

static enum sch_cli_exit translate(const char *path, enum sch_kind kind, uint32_t nth, const struct target *target)
{
    struct sch_cli_shader shader;
    enum sch_cli_exit exit = sch_cli_shader_read(path, kind, nth, &shader);
    if (exit == SCH_CLI_YES)
        exit = target->listing || target->container ? to_direct3d(&shader, target) : to_text(&shader, target);
    sch_cli_print_diagnostics(shader.list, &shader.input);
    sch_cli_shader_release(&shader);
    return exit;
}

enum sch_cli_exit sch_cli_main_translate(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_translate, .argc = argc, .argv = argv};
    enum sch_kind kind = SCH_KIND_AUTO;
    uint32_t nth = 0;
    struct target target = {0};
    const char *path = NULL;

    for (int option; (option = sch_cli_next(&arguments)) != SCH_CLI_END;) {
        enum sch_cli_exit known = SCH_CLI_YES;
        if (option == SCH_CLI_STOP) return arguments.exit;
        if (option == SCH_OPTION_SHADER_KIND) known = sch_cli_kind(&sch_cli_translate, arguments.value, &kind);
        if (option == SCH_OPTION_TRANSLATE_TO) known = language(arguments.value, &target);
        if (option == SCH_OPTION_NTH) known = sch_cli_nth(&sch_cli_translate, arguments.value, &nth);
        if (option == SCH_OPTION_TRANSLATE_OUTPUT) target.output = arguments.value;
        if (known != SCH_CLI_YES) return known;
        if (option != SCH_CLI_FILE) continue;
        if (path) return sch_cli_usage_error(&sch_cli_translate, "one file at a time");
        path = arguments.value;
    }
    if (!path) return sch_cli_usage_error(&sch_cli_translate, "no file");
    if (!target.word)
        return sch_cli_usage_error(&sch_cli_translate, "--to says into which language; tgsi, maxwell, d3d-asm or dxbc");
    return translate(path, kind, nth, &target);
}
