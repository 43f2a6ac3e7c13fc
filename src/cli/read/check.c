/* scheelite check: is a shader valid? */
#include "../support/text.h"
#include "common/common.h"
#include "common/files.h"
#include "common/hlsl_file.h"
#include "common/progress.h"
#include "inputs/reading.h"
#include "read.h"

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
    const char *path; /* of the file that is checked */
};

/* sch_cli_shader_fn: prints what was found; returns the exit code with what -Werror adds. */
static enum sch_cli_exit check_shader(void *user, const struct sch_cli_shader *shader, uint32_t number, uint32_t count,
                                      enum sch_cli_exit exit_code)
{
    const struct wanted *wanted = user;
    const struct sch_cli_input *input = &shader->input;
    (void)count;
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_result(sch_shader_check(shader->shader, shader->list), shader->list, input->name);
    const bool valid = exit_code == SCH_CLI_YES;
    exit_code = sch_cli_worse(exit_code, sch_cli_warnings_exit(shader->list));
    if (wanted->json) {
        json_file(wanted->json, wanted->path, input, shader->list, valid, exit_code);
        return exit_code;
    }
    sch_cli_print_diagnostics(shader->list, input);
    if (number) printf("%s:%u: shader %u: %s\n", input->name, input->line, number, valid ? "valid" : "not valid");
    return exit_code;
}

static enum sch_cli_exit check_file(struct wanted *wanted, const char *path)
{
    static const struct sch_cli_shader unread;
    struct sch_cli_input input;
    if (wanted->reading.kind == SCH_KIND_AUTO && sch_text_ends(path, ".scene"))
        return sch_cli_check_scene(path, wanted->json);
    wanted->path = path;
    const enum sch_cli_exit exit_code = sch_cli_read_source(path, &input);
    return exit_code == SCH_CLI_YES ? sch_cli_reading_each(&wanted->reading, &input, check_shader, wanted)
                                    : check_shader(wanted, &unread, 0, 1, exit_code);
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
