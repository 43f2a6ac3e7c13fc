/* See reading.h. */
#include "reading.h"

#include <stdlib.h>
#include <string.h>

#include "common/hlsl_file.h"

enum sch_cli_exit sch_cli_reading_take(struct sch_cli_reading *reading, const struct sch_cli_arguments *arguments)
{
    const struct sch_cli_verb *verb = arguments->verb;
    const struct sch_cli_values *values = &arguments->values;
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    reading->nth = values->nth.nth;
    if (values->input.kind) exit_code = sch_cli_any_kind(verb, values->input.kind, &reading->kind, &reading->maxwell);
    if (values->shader_input.kind) exit_code = sch_cli_kind(verb, values->shader_input.kind, &reading->kind);
    if (exit_code == SCH_CLI_YES && values->arch.arch)
        exit_code = sch_cli_arch(verb, values->arch.arch, &reading->maxwell);
    reading->maxwell.kernel = values->arch.kernel;
    if (exit_code == SCH_CLI_YES && values->raw.offset)
        exit_code = sch_cli_maxwell_offset(verb, values->raw.offset, &reading->maxwell);
    return exit_code;
}

enum sch_cli_exit sch_cli_reading_shader(const struct sch_cli_reading *reading, struct sch_cli_input *input,
                                         struct sch_cli_shader *shader)
{
    if (sch_cli_is_maxwell(&reading->maxwell, reading->kind, input))
        return sch_cli_maxwell_read(&reading->maxwell, input, shader);
    input->nth = reading->nth;
    return sch_cli_shader_take(input, reading->kind, shader);
}

enum sch_cli_exit sch_cli_reading_each(const struct sch_cli_reading *reading, struct sch_cli_input *input,
                                       sch_cli_shader_fn *one, void *user)
{
    const bool code = sch_cli_is_maxwell(&reading->maxwell, reading->kind, input);
    struct sch_text_shader *list;
    size_t count;
    enum sch_cli_exit exit_code = sch_cli_shaders(input, code ? SCH_KIND_MAXWELL : reading->kind, &list, &count);
    if (exit_code != SCH_CLI_YES || count <= 1 || reading->nth) {
        struct sch_cli_shader shader = {.input = *input};
        if (exit_code == SCH_CLI_YES) exit_code = sch_cli_reading_shader(reading, input, &shader);
        exit_code = one(user, &shader, 0, 1, exit_code);
        sch_cli_shader_release(&shader);
        free(list);
        return exit_code;
    }
    for (uint32_t n = 1; n <= count; n++) {
        sch_cli_choose(input, list, n);
        struct sch_cli_shader shader = {.input = *input};
        const enum sch_cli_exit read = sch_cli_shader_parse(reading->kind, &shader);
        exit_code = sch_cli_worse(exit_code, one(user, &shader, n, (uint32_t)count, read));
        shader.input.data = NULL; /* the input's */
        sch_cli_shader_release(&shader);
    }
    free(list);
    sch_cli_input_release(input);
    return exit_code;
}

enum sch_cli_exit sch_cli_reading_file(const struct sch_cli_reading *reading, const char *path,
                                       struct sch_cli_shader *shader)
{
    struct sch_cli_input input;
    *shader = (struct sch_cli_shader){0};
    enum sch_cli_exit exit_code = sch_cli_read_source(path, &input);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_reading_shader(reading, &input, shader);
    return exit_code == SCH_CLI_YES ? sch_cli_maxwell_check(shader) : exit_code;
}

enum sch_cli_exit sch_cli_reading_load(const struct sch_cli_reading *reading, const char *path,
                                       struct sch_cli_shader *shader)
{
    enum sch_cli_exit exit_code = sch_cli_reading_file(reading, path, shader);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_shader_lower(shader);
    return sch_cli_worse(exit_code, sch_cli_print_diagnostics(shader->list, &shader->input));
}

enum sch_cli_exit sch_cli_reading_list(struct sch_cli_shader *shader)
{
    struct sch_maxwell_code_info info = {.size = sizeof info};
    struct sch_cli_shader listed = {.input = {.name = shader->input.name, .listed = true}};
    char *text;
    if (sch_shader_language(shader->shader) != SCH_LANGUAGE_MAXWELL) return SCH_CLI_YES;
    enum sch_result result = sch_maxwell_get_info(shader->shader, &info);
    if (result == SCH_OK && info.kind == SCH_KIND_MAXWELL_TEXT) return SCH_CLI_YES;
    if (result == SCH_OK) result = sch_shader_print(shader->shader, NULL, &text, &listed.input.bytes);
    if (result != SCH_OK) return sch_cli_result(result, NULL, shader->input.name);
    listed.input.data = strdup(text);
    sch_free(shader->context, text);
    const enum sch_cli_exit exit_code = sch_cli_print_diagnostics(shader->list, &shader->input);
    listed.place = shader->place;
    shader->place = NULL;
    sch_cli_shader_release(shader);
    *shader = listed;
    if (!listed.input.data) return sch_cli_no_memory();
    return sch_cli_worse(exit_code, sch_cli_shader_parse(SCH_KIND_MAXWELL_TEXT, shader));
}
