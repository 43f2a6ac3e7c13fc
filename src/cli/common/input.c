/* Files in, and shaders read from them. Output: output.c. */
#include "../support/text.h"
#include "../support/utf8.h"
#include "cli.h"
#include "code.h"
#include "common.h"
#include "foreign.h"
#include "hlsl_file.h"
#include "wrapped.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum sch_cli_exit sch_cli_text_mark(const char *name, const char *text, size_t bytes, size_t *mark)
{
    *mark = memchr(text, 0, bytes) ? 0 : sch_text_mark(text, bytes);
    if (!sch_text_is_utf16(text, bytes)) return SCH_CLI_YES;
    return sch_cli_refuse(
        name, "TEXT_UTF16",
        "the text is UTF-16, and UTF-8 is read: iconv -f UTF-16 -t UTF-8 %s, or, in PowerShell, COMMAND | "
        "Out-File -Encoding utf8 FILE",
        name);
}

enum sch_cli_exit sch_cli_read(const char *path, struct sch_cli_input *input)
{
    enum sch_cli_exit exit_code = sch_cli_read_bytes(path, input);
    size_t mark = 0;
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_text_mark(input->name, input->data, input->bytes, &mark);
    if (exit_code != SCH_CLI_YES) {
        sch_cli_input_release(input);
        return exit_code;
    }
    input->bytes -= mark;
    if (mark) memmove(input->data, input->data + mark, input->bytes + 1);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_read_bytes(const char *path, struct sch_cli_input *input)
{
    bool standard = strcmp(path, "-") == 0;
    *input = (struct sch_cli_input){.name = standard ? "<stdin>" : path};
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) return sch_cli_fail(SCH_CLI_IO, "cannot open %s: %s", path, strerror(errno));
    const char *written = standard ? NULL : sch_cli_output_of(fileno(file));
    if (written) {
        fclose(file);
        return sch_cli_fail(SCH_CLI_USAGE, "%s is read, and %s would write over it; name another file", path, written);
    }
    input->data = sch_text_read(file, sch_cli_largest_input(), &input->bytes);
    int problem = errno;
    if (!standard) fclose(file);
    if (input->data) return SCH_CLI_YES;
    if (problem == EFBIG)
        return sch_cli_fail(SCH_CLI_LIMIT, "%s is larger than the limit of %zu bytes", path, sch_cli_largest_input());
    if (problem == ENOMEM) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory while reading %s", path);
    return sch_cli_fail(SCH_CLI_IO, "cannot read %s: %s", path, strerror(problem));
}

void sch_cli_input_release(struct sch_cli_input *input)
{
    free(input->data);
    input->data = NULL;
    input->bytes = 0;
}

static enum sch_result list_shaders(struct sch_context *context, const struct sch_cli_input *input,
                                    struct sch_text_shader **list, size_t *count)
{
    enum sch_result result = sch_text_shaders(context, input->data, input->bytes, NULL, 0, 0, count);
    if (result != SCH_OK) return result;
    *list = calloc(*count + 1, sizeof **list);
    if (!*list) return SCH_ERROR_MEMORY;
    return sch_text_shaders(context, input->data, input->bytes, *list, sizeof **list, *count, count);
}

enum sch_cli_exit sch_cli_shaders(const struct sch_cli_input *input, enum sch_kind kind, struct sch_text_shader **list,
                                  size_t *count)
{
    struct sch_context *context;
    *list = NULL;
    *count = 1;
    if (kind != SCH_KIND_AUTO && kind != SCH_KIND_TGSI && kind != SCH_KIND_D3D_ASM) return SCH_CLI_YES;
    if (sch_cli_foreign_of(input).what) return SCH_CLI_YES;
    enum sch_result result = sch_context_create(NULL, &context);
    if (result == SCH_OK) result = list_shaders(context, input, list, count);
    sch_context_destroy(context);
    return sch_cli_result(result, NULL, input->name);
}

void sch_cli_choose(struct sch_cli_input *input, const struct sch_text_shader *list, uint32_t nth)
{
    input->nth = nth;
    input->line = list[nth - 1].line;
    input->at = (size_t)list[nth - 1].offset;
    input->length = (size_t)list[nth - 1].bytes;
}

/* Chooses the shader that --nth says in a text of several. */
static enum sch_cli_exit choose(struct sch_cli_input *input, enum sch_kind kind)
{
    struct sch_text_shader *list;
    size_t count;
    if (input->length) return SCH_CLI_YES;
    enum sch_cli_exit exit_code = sch_cli_shaders(input, kind, &list, &count);
    if (exit_code == SCH_CLI_YES && count > 1 && input->nth > count)
        exit_code = sch_cli_fail(SCH_CLI_USAGE, "%s: there is no shader number %u, but %zu of them", input->name,
                                 input->nth, count);
    else if (exit_code == SCH_CLI_YES && count > 1 && !input->nth)
        exit_code = sch_cli_fail(SCH_CLI_USAGE, "%s holds %zu shaders, on lines %u, %u%s: --nth N says which",
                                 input->name, count, list[0].line, list[1].line, count > 2 ? " and so on" : "");
    else if (exit_code == SCH_CLI_YES && count > 1)
        sch_cli_choose(input, list, input->nth);
    free(list);
    return exit_code;
}

enum sch_cli_exit sch_cli_shader_parse(enum sch_kind kind, struct sch_cli_shader *shader)
{
    enum sch_cli_exit exit_code = choose(&shader->input, kind);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const struct sch_cli_input *input = &shader->input;
    enum sch_result result = sch_cli_context_create(&shader->context);
    if (result == SCH_OK) result = sch_diagnostics_create(shader->context, &shader->list);
    struct sch_read_options options = {.size = sizeof options,
                                       .kind = kind,
                                       .name = shader->input.name,
                                       .any_checksum = shader->input.any_checksum,
                                       .line = input->line};
    if (result == SCH_OK)
        result = sch_shader_read(shader->context, input->data + input->at, input->length ? input->length : input->bytes,
                                 &options, shader->list, &shader->shader);
    return sch_cli_result(result, shader->list, shader->input.name);
}

enum sch_cli_exit sch_cli_shader_read(const char *path, enum sch_kind kind, uint32_t nth, struct sch_cli_shader *shader)
{
    struct sch_cli_input input;
    *shader = (struct sch_cli_shader){0};
    enum sch_cli_exit exit_code = sch_cli_read_source(path, &input);
    input.nth = nth;
    return exit_code == SCH_CLI_YES ? sch_cli_shader_take(&input, kind, shader) : exit_code;
}

/* In the place of a container without a program one of those that are nested in it. Places in reports count from its
 * first byte. */
static enum sch_cli_exit take_nested(struct sch_cli_shader *shader)
{
    struct sch_nested_info view = {.size = sizeof view};
    uint32_t nth = shader->input.nth, count = 0;
    while (sch_shader_nested(shader->shader, count, &view)) count++;
    struct sch_d3d_info info = {.size = sizeof info};
    bool bare = sch_shader_get_d3d_info(shader->shader, &info) == SCH_OK && !*info.stage;
    if (!bare && nth == 1) return SCH_CLI_YES; /* the only one */
    if (!sch_shader_nested(shader->shader, nth - 1, &view))
        return sch_cli_fail(SCH_CLI_USAGE, "%s: there is no shader number %u, but %u of them", shader->input.name, nth,
                            bare ? count : 1);
    struct sch_cli_shader nested = {.input = {.name = shader->input.name, .any_checksum = shader->input.any_checksum}};
    nested.input.data = malloc(view.bytes + 1);
    if (!nested.input.data) return sch_cli_no_memory();
    memcpy(nested.input.data, view.data, view.bytes);
    nested.input.data[view.bytes] = 0;
    nested.input.bytes = view.bytes;
    sch_cli_shader_release(shader);
    *shader = nested;
    return sch_cli_shader_parse(SCH_KIND_DXBC, shader);
}

enum sch_cli_exit sch_cli_shader_take(struct sch_cli_input *input, enum sch_kind kind, struct sch_cli_shader *shader)
{
    *shader = (struct sch_cli_shader){.input = *input};
    *input = (struct sch_cli_input){.name = input->name};
    const size_t wrapped = kind == SCH_KIND_AUTO || kind == SCH_KIND_DXBC ? sch_cli_wrapped_find(&shader->input) : 0;
    if (wrapped)
        return sch_cli_fail(SCH_CLI_NO, "%s: a Direct3D container begins at byte %zu: --offset %zu reads it",
                            shader->input.name, wrapped, wrapped);
    if (kind == SCH_KIND_AUTO) {
        const struct sch_cli_foreign foreign = sch_cli_foreign_of(&shader->input);
        if (foreign.what)
            return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s is %s, which is not read as a shader; %s", shader->input.name,
                                foreign.what, foreign.advice);
    }
    enum sch_cli_exit exit_code = sch_cli_shader_parse(kind, shader);
    return exit_code == SCH_CLI_YES && shader->input.nth && !shader->input.length ? take_nested(shader) : exit_code;
}

enum sch_cli_exit sch_cli_shader_lower(struct sch_cli_shader *shader)
{
    struct sch_shader *lowered;
    if (sch_shader_language(shader->shader) != SCH_LANGUAGE_D3D) return SCH_CLI_YES;
    enum sch_result result = sch_shader_lower(shader->shader, shader->list, &lowered);
    if (result != SCH_OK) return sch_cli_result(result, shader->list, shader->input.name);
    sch_shader_destroy(shader->shader);
    shader->shader = lowered;
    shader->is_lowered = true;
    return SCH_CLI_YES;
}

void sch_cli_shader_release(struct sch_cli_shader *shader)
{
    sch_shader_destroy(shader->shader);
    sch_diagnostics_destroy(shader->list);
    sch_context_destroy(shader->context);
    sch_cli_input_release(&shader->input);
    free(shader->place);
    *shader = (struct sch_cli_shader){0};
}
