/* scheelite check: is a shader valid? */
#include "../support/text.h"
#include "check_scene.h"
#include "common/common.h"
#include "common/files.h"
#include "common/hlsl_file.h"
#include "common/progress.h"
#include "inputs/reading.h"

#include <stdlib.h>

/* `input` has no data where it could not be read. Offsets count from the beginning of its file. */
static void json_file(struct sch_json *json, const char *path, const struct sch_cli_input *input,
                      const struct sch_diagnostics_list *list, bool valid, enum sch_cli_exit exit_code)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    sch_json_row(json, NULL);
    sch_json_text(json, "file", path);
    if (input->length) {
        SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("shader", input->nth), SCH_JSON_NUMBER("line", input->line));
    }
    SCH_JSON_FIELDS(json, SCH_JSON_BOOL("valid", valid), SCH_JSON_NUMBER("exit", (uint64_t)exit_code),
                    SCH_JSON_NUMBER("errors", sch_diagnostics_errors(list)),
                    SCH_JSON_NUMBER("warnings", sch_diagnostics_warnings(list)));
    sch_json_list(json, "diagnostics", false);
    for (size_t i = 0; sch_diagnostics_get(list, i, &view); i++) {
        view.offset += input->at;
        sch_cli_check_report(json, &view);
    }
    sch_json_close(json);
    sch_json_close(json);
}

struct wanted {
    struct sch_cli_reading reading;
    struct sch_json *json; /* NULL: reports are printed */
    struct sch_cli_files files;
};

/* Prints what was found; returns the exit code with what -Werror adds. */
static enum sch_cli_exit print_reports(const struct wanted *wanted, const char *path,
                                       const struct sch_diagnostics_list *list, const struct sch_cli_input *input,
                                       enum sch_cli_exit exit_code)
{
    enum sch_cli_exit counted = sch_cli_worse(exit_code, sch_cli_warnings_exit(list));
    if (wanted->json)
        json_file(wanted->json, path, input, list, exit_code == SCH_CLI_YES, counted);
    else
        sch_cli_print_diagnostics(list, input);
    return counted;
}

/* One of several shaders in a text, whose bytes stay the caller's. */
static enum sch_cli_exit check_part(const struct wanted *wanted, const char *path, const struct sch_cli_input *part)
{
    struct sch_cli_shader shader = {.input = *part};
    enum sch_cli_exit exit_code = sch_cli_shader_parse(wanted->reading.kind, &shader);
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_result(sch_shader_check(shader.shader, shader.list), shader.list, shader.input.name);
    bool valid = exit_code == SCH_CLI_YES;
    exit_code = print_reports(wanted, path, shader.list, &shader.input, exit_code);
    if (!wanted->json)
        printf("%s:%u: shader %u: %s\n", shader.input.name, part->line, part->nth, valid ? "valid" : "not valid");
    shader.input.data = NULL;
    sch_cli_shader_release(&shader);
    return exit_code;
}

static enum sch_cli_exit check_parts(const struct wanted *wanted, const char *path, struct sch_cli_input *input,
                                     const struct sch_text_shader *list, size_t count)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (uint32_t n = 1; n <= count; n++) {
        sch_cli_choose(input, list, n);
        exit_code = sch_cli_worse(exit_code, check_part(wanted, path, input));
    }
    sch_cli_input_release(input);
    return exit_code;
}

static enum sch_cli_exit check_file(const struct wanted *wanted, const char *path)
{
    struct sch_cli_input input;
    struct sch_cli_shader shader = {0};
    if (wanted->reading.kind == SCH_KIND_AUTO && sch_text_ends(path, ".scene"))
        return sch_cli_check_scene(path, wanted->json);
    enum sch_cli_exit exit_code = sch_cli_read_source(path, &input);
    struct sch_text_shader *list = NULL;
    size_t count = 1;
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_reading_shaders(&wanted->reading, &input, &list, &count);
    if (exit_code != SCH_CLI_YES) sch_cli_input_release(&input);
    bool all = exit_code == SCH_CLI_YES && count > 1 && !wanted->reading.nth;
    if (all) exit_code = check_parts(wanted, path, &input, list, count);
    free(list);
    if (all) return exit_code;
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_reading_shader(&wanted->reading, &input, &shader);
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_result(sch_shader_check(shader.shader, shader.list), shader.list, shader.input.name);
    exit_code = print_reports(wanted, path, shader.list, &shader.input, exit_code);
    sch_cli_shader_release(&shader);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_check(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {0};
    enum sch_cli_exit exit_code = sch_cli_parse(arguments, NULL, NULL);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_reading_take(&wanted.reading, arguments);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_files_take(&wanted.files, arguments, NULL);
    const struct sch_cli_files *files = &wanted.files;
    struct sch_json json;
    const bool begun = exit_code == SCH_CLI_YES, as_json = arguments->values.json.json;
    if (begun && as_json) {
        wanted.json = &json;
        sch_json_begin(&json, stdout, "scheelite-check/1");
        sch_json_list(&json, "files", false);
    }
    if (begun) sch_cli_progress_begin(&sch_cli_check, as_json);
    for (size_t i = 0; begun && i < files->count && !ferror(stdout); i++) {
        sch_cli_progress_at(i, files->count, "files");
        exit_code = sch_cli_worse(exit_code, check_file(&wanted, files->list[i].path));
    }
    sch_cli_progress_end();
    if (begun && as_json) {
        sch_json_close(&json);
        sch_json_number(&json, "exit", (uint64_t)exit_code);
        sch_json_end(&json);
    }
    sch_cli_files_release(&wanted.files);
    return exit_code;
}
