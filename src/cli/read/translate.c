/* scheelite translate: translates a shader to another language. */
#include "common/common.h"
#include "common/files.h"
#include "inputs/reading.h"

#include <string.h>

enum { TO_TGSI, TO_MAXWELL, TO_LISTING, TO_CONTAINER }; /* the words of --to */

struct target {
    uint32_t to;
    const char *output;
};

static enum sch_cli_exit write_translation(const struct target *target, const void *data, size_t bytes)
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
    enum sch_result result = target->to == TO_CONTAINER ? sch_shader_serialize(shader, from->list, &data, &bytes)
                                                        : sch_shader_print(shader, NULL, &text, &bytes);
    enum sch_cli_exit exit_code = sch_cli_result(result, from->list, from->input.name);
    exit_code = sch_cli_worse(exit_code, sch_cli_warnings_exit(from->list));
    if (exit_code == SCH_CLI_YES) exit_code = write_translation(target, data ? data : text, bytes);
    sch_free(from->context, data);
    sch_free(from->context, text);
    return exit_code;
}

/* One form of Direct3D shaders in the other, or a TGSI shader as one of model 5.0. */
static enum sch_cli_exit to_direct3d(const struct sch_cli_shader *shader, const struct target *target)
{
    if (sch_shader_language(shader->shader) == SCH_LANGUAGE_D3D) return put_direct3d(shader, shader->shader, target);
    struct sch_shader *raised;
    enum sch_result result = sch_shader_raise(shader->shader, shader->list, &raised);
    enum sch_cli_exit exit_code = sch_cli_result(result, shader->list, shader->input.name);
    if (exit_code == SCH_CLI_YES) exit_code = put_direct3d(shader, raised, target);
    sch_shader_destroy(raised);
    return exit_code;
}

/* What could be translated is printed, also beside reports of what could not. */
static enum sch_cli_exit to_text(const struct sch_cli_shader *shader, const struct target *target)
{
    struct sch_translate_options options = {
        .size = sizeof options, .to = target->to == TO_MAXWELL ? SCH_TRANSLATE_MAXWELL : SCH_TRANSLATE_TGSI};
    char *text;
    size_t bytes;
    enum sch_result result = sch_shader_translate(shader->shader, &options, shader->list, &text, &bytes);
    enum sch_cli_exit exit_code = sch_cli_result(result, shader->list, shader->input.name);
    enum sch_cli_exit written = sch_cli_warnings_exit(shader->list);
    if (text && written == SCH_CLI_YES) written = write_translation(target, text, bytes);
    sch_free(shader->context, text);
    return exit_code == SCH_CLI_YES ? written : exit_code;
}

struct wanted {
    struct sch_cli_reading reading;
    struct target target;
    struct sch_cli_files files;
};

static enum sch_cli_exit translate(void *user, const char *path, const char **ending)
{
    const struct wanted *wanted = user;
    const struct target *target = &wanted->target;
    struct sch_cli_shader shader;
    static const char *const endings[] = {
        [TO_TGSI] = ".tgsi", [TO_MAXWELL] = ".maxwell", [TO_LISTING] = ".asm", [TO_CONTAINER] = ".dxbc"};
    *ending = endings[target->to];
    enum sch_cli_exit exit_code = sch_cli_shader_read(path, wanted->reading.kind, wanted->reading.nth, &shader);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_refuse_maxwell(&shader, "it is not translated");
    if (exit_code == SCH_CLI_YES)
        exit_code = target->to >= TO_LISTING ? to_direct3d(&shader, target) : to_text(&shader, target);
    sch_cli_print_diagnostics(shader.list, &shader.input);
    sch_cli_shader_release(&shader);
    return exit_code;
}

static enum sch_cli_exit read_translate_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    const struct sch_cli_options_of_translate *options = &arguments->values.of_translate;
    enum sch_cli_exit exit_code = sch_cli_parse(arguments, NULL, NULL);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_reading_take(&wanted->reading, arguments);
    if (exit_code == SCH_CLI_YES && !options->has_to)
        exit_code =
            sch_cli_usage_error(&sch_cli_translate, "--to says into which language; tgsi, maxwell, d3d-asm or dxbc");
    wanted->target.to = options->to;
    return exit_code == SCH_CLI_YES ? sch_cli_files_take(&wanted->files, arguments, options->output) : exit_code;
}

enum sch_cli_exit sch_cli_main_translate(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {0};
    struct sch_cli_files *files = &wanted.files;
    enum sch_cli_exit exit_code = read_translate_arguments(arguments, &wanted);
    if (exit_code == SCH_CLI_YES && wanted.target.to == TO_CONTAINER && files->count > 1 && !files->output)
        exit_code = sch_cli_usage_error(&sch_cli_translate, "containers of several files need -o FOLDER/");
    /* One file is written by the verb: what could be translated also where the rest is refused. */
    if (exit_code == SCH_CLI_YES && !files->is_folder) {
        wanted.target.output = files->output;
        files->output = NULL;
    }
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_each_file(
            files, wanted.target.to == TO_MAXWELL || wanted.target.to == TO_LISTING ? "// " : "# ", translate, &wanted);
    sch_cli_files_release(files);
    return exit_code;
}
