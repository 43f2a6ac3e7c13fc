/* See read.h. */
#include "read.h"

#include <stdlib.h>
#include <string.h>

#include "common/common.h"
#include "scenes/scene_host.h"

/* The host is the first member: the functions of hosts get it as their user. */
struct checker {
    struct sch_cli_scene_host host;
    struct sch_json *json; /* NULL: reports are printed */
    enum sch_cli_exit exit_code;
    unsigned errors, warnings;
};

void sch_cli_check_report(struct sch_json *json, const struct sch_diagnostic_info *report)
{
    static const char *const severities[] = {
        [SCH_SEVERITY_WARNING] = "warning", [SCH_SEVERITY_ERROR] = "error", [SCH_SEVERITY_PEDANTIC] = "pedantic"};
    SCH_JSON_ROW(json, NULL, SCH_JSON_TEXT("severity", severities[report->severity]),
                 SCH_JSON_NUMBER("code", report->code), SCH_JSON_NUMBER("line", report->line),
                 SCH_JSON_NUMBER("column", report->column), SCH_JSON_NUMBER("offset", report->offset),
                 SCH_JSON_TEXT("message", report->message));
}

static void note_report(struct checker *checker, const struct sch_diagnostic_info *report,
                        const struct sch_cli_input *text)
{
    const bool error = report->severity == SCH_SEVERITY_ERROR;
    checker->errors += error;
    checker->warnings += !error;
    if (error) checker->exit_code = sch_cli_worse(checker->exit_code, SCH_CLI_NO);
    if (checker->json)
        sch_cli_check_report(checker->json, report);
    else if (error)
        sch_cli_print_diagnostic(report, text);
    else
        checker->exit_code = sch_cli_worse(checker->exit_code, sch_cli_warn_report(report, text));
}

static void take_report(void *user, const struct sch_diagnostic_info *report)
{
    struct checker *checker = user;
    const bool own = report->source && strcmp(report->source, checker->host.input.name) == 0;
    note_report(checker, report, own ? &checker->host.input : NULL);
}

/* ---- shaders ---- */

static void check_shader(struct checker *checker, struct sch_context *context, const struct sch_player_source *source)
{
    struct sch_diagnostic_info report = {.size = sizeof report};
    struct sch_diagnostics_list *list = NULL;
    struct sch_shader *shader = NULL;
    enum sch_result result = sch_diagnostics_create(context, &list);
    if (result == SCH_OK) result = sch_player_shader_read(context, source, list, &shader);
    if (result == SCH_OK) result = sch_shader_check(shader, list);
    for (size_t i = 0; sch_diagnostics_get(list, i, &report); i++) note_report(checker, &report, NULL);
    checker->exit_code = sch_cli_worse(checker->exit_code, sch_cli_result(result, list, source->name));
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
}

/* Those of all draws, each once. */
static void check_shaders(struct checker *checker, const struct sch_scene *scene, struct sch_context *context)
{
    enum { MOST = 1024 };
    const char *seen[MOST];
    size_t count = 0;
    uint64_t label;
    for (uint32_t draw = 0; sch_scene_find_draw(scene, draw, &label); draw++)
        for (int stage = 0; stage <= SCH_STAGE_COMPUTE; stage++) {
            struct sch_player_source source;
            if (!sch_scene_find_shader(scene, label, (enum sch_stage)stage, &source)) continue;
            size_t at = 0;
            while (at < count && seen[at] != source.data) at++;
            if (at < count) continue;
            if (count < MOST) seen[count++] = source.data;
            check_shader(checker, context, &source);
        }
}

/* ---- the whole ---- */

static void check_scene(struct checker *checker)
{
    struct sch_scene *scene = NULL;
    struct sch_context *context = NULL;
    struct sch_scene_host functions = sch_cli_scene_functions(&checker->host);
    const struct sch_cli_input *input = &checker->host.input;
    functions.report = take_report;
    const enum sch_result result = sch_scene_read(input->name, input->data, input->bytes, &functions, &scene);
    checker->exit_code = sch_cli_worse(checker->exit_code, checker->host.exit_code);
    if (result == SCH_OK && sch_cli_plain_context_create(&context) == SCH_OK)
        check_shaders(checker, scene, context);
    else if (result == SCH_OK || result == SCH_ERROR_MEMORY)
        checker->exit_code =
            sch_cli_worse(checker->exit_code, sch_cli_fail(SCH_CLI_LIMIT, "%s: out of memory", input->name));
    sch_context_destroy(context);
    sch_scene_destroy(scene);
}

enum sch_cli_exit sch_cli_check_scene(const char *path, struct sch_json *json)
{
    struct checker checker = {.host = {.file = path}, .json = json};
    if (json) {
        sch_json_row(json, NULL);
        sch_json_text(json, "file", path);
        sch_json_list(json, "diagnostics", false);
    }
    checker.exit_code = sch_cli_read(path, &checker.host.input);
    if (checker.exit_code == SCH_CLI_YES) {
        check_scene(&checker);
        sch_cli_scene_host_release(&checker.host);
    }
    if (json) {
        sch_json_close(json);
        SCH_JSON_FIELDS(json, SCH_JSON_BOOL("valid", !checker.errors),
                        SCH_JSON_NUMBER("exit", (uint64_t)checker.exit_code), SCH_JSON_NUMBER("errors", checker.errors),
                        SCH_JSON_NUMBER("warnings", checker.warnings));
        sch_json_close(json);
    }
    return checker.exit_code;
}
