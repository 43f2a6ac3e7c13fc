/* scheelite translate: translates a shader to another language. */
#include "common.h"
#include "files.h"
#include "maxwell.h"

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

struct wanted {
    enum sch_kind kind;
    uint32_t nth;
    struct target target;
    struct sch_cli_files files;
};

static enum sch_cli_exit translate(void *user, const char *path, const char **ending)
{
    const struct wanted *wanted = user;
    const struct target *target = &wanted->target;
    struct sch_cli_shader shader;
    *ending = target->container                     ? ".dxbc"
              : target->listing                     ? ".asm"
              : target->to == SCH_TRANSLATE_MAXWELL ? ".maxwell"
                                                    : ".tgsi";
    enum sch_cli_exit exit = sch_cli_shader_read(path, wanted->kind, wanted->nth, &shader);
    if (exit == SCH_CLI_YES) exit = sch_cli_refuse_maxwell(&shader, "it is not translated");
    if (exit == SCH_CLI_YES)
        exit = target->listing || target->container ? to_direct3d(&shader, target) : to_text(&shader, target);
    sch_cli_print_diagnostics(shader.list, &shader.input);
    sch_cli_shader_release(&shader);
    return exit;
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        enum sch_cli_exit exit = SCH_CLI_YES;
        switch (option) {
        case SCH_CLI_STOP:
            return arguments->exit;
        case SCH_OPTION_SHADER_KIND:
            exit = sch_cli_kind(&sch_cli_translate, arguments->value, &wanted->kind);
            break;
        case SCH_OPTION_TRANSLATE_TO:
            exit = language(arguments->value, &wanted->target);
            break;
        case SCH_OPTION_NTH:
            exit = sch_cli_nth(&sch_cli_translate, arguments->value, &wanted->nth);
            break;
        case SCH_OPTION_TRANSLATE_OUTPUT:
            wanted->files.output = arguments->value;
            break;
        case SCH_OPTION_RECURSIVE:
            wanted->files.recursive = true;
            break;
        default:
            exit = sch_cli_files_add(&wanted->files, arguments->value);
        }
        if (exit != SCH_CLI_YES) return exit;
    }
    if (!wanted->files.count) return sch_cli_usage_error(&sch_cli_translate, "no file");
    if (!wanted->target.word)
        return sch_cli_usage_error(&sch_cli_translate, "--to says into which language; tgsi, maxwell, d3d-asm or dxbc");
    return sch_cli_files_settle(&sch_cli_translate, &wanted->files);
}

enum sch_cli_exit sch_cli_main_translate(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_translate, .argc = argc, .argv = argv};
    struct wanted wanted = {.kind = SCH_KIND_AUTO};
    struct sch_cli_files *files = &wanted.files;
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    if (exit == SCH_CLI_YES && wanted.target.container && files->count > 1 && !files->output)
        exit = sch_cli_usage_error(&sch_cli_translate, "containers of several files need -o FOLDER/");
    /* One file is written by the verb: what could be translated also where the rest is refused. */
    if (exit == SCH_CLI_YES && !files->is_folder) {
        wanted.target.output = files->output;
        files->output = NULL;
    }
    if (exit == SCH_CLI_YES)
        exit =
            sch_cli_each_file(files, wanted.target.listing || wanted.target.to == SCH_TRANSLATE_MAXWELL ? "// " : "# ",
                              translate, &wanted);
    sch_cli_files_release(files);
    return exit;
}
