/* scheelite check: is a shader valid? */
#include "check_scene.h"
#include "common.h"
#include "files.h"
#include "hlsl_file.h"
#include "maxwell.h"
#include "progress.h"

#include <stdlib.h>

/* `at`: where the shader begins that offsets count from */
static void print_json_diagnostics(const struct sch_diagnostics_list *list, size_t at)
{
    static const char *const severities[] = {
        [SCH_SEVERITY_WARNING] = "warning", [SCH_SEVERITY_ERROR] = "error", [SCH_SEVERITY_PEDANTIC] = "pedantic"};
    struct sch_diagnostic_info view = {.size = sizeof view};
    for (size_t i = 0; sch_diagnostics_get(list, i, &view); i++) {
        printf("%s\n      {\"severity\": \"%s\", \"code\": %u, \"line\": %u, \"column\": %u, \"offset\": %llu, "
               "\"message\": ",
               i ? "," : "", severities[view.severity], view.code, view.line, view.column,
               (unsigned long long)(view.offset + at));
        sch_cli_json_string(stdout, view.message);
        putchar('}');
    }
}

/* `input`: with no data where it could not be read. */
static void print_json_file(const char *path, const struct sch_cli_input *input,
                            const struct sch_diagnostics_list *list, bool valid, enum sch_cli_exit exit, bool first)
{
    printf("%s\n    {\"file\": ", first ? "" : ",");
    sch_cli_json_string(stdout, path);
    if (input->length) printf(", \"shader\": %u, \"line\": %u", input->nth, input->line);
    printf(", \"valid\": %s, \"exit\": %d, \"errors\": %zu, \"warnings\": %zu, \"diagnostics\": [",
           valid ? "true" : "false", (int)exit, sch_diagnostics_errors(list), sch_diagnostics_warnings(list));
    print_json_diagnostics(list, input->at);
    fputs("]}", stdout);
}

struct wanted {
    enum sch_kind kind;
    struct sch_cli_maxwell_options maxwell;
    bool json;
    uint32_t nth;
    struct sch_cli_files files;
};

/* Prints what was found; returns the exit code with what -Werror adds. */
static enum sch_cli_exit print_reports(const struct wanted *wanted, const char *path,
                                       const struct sch_diagnostics_list *list, const struct sch_cli_input *input,
                                       enum sch_cli_exit exit, bool first)
{
    enum sch_cli_exit counted = sch_cli_worse(exit, sch_cli_warnings_exit(list));
    if (wanted->json)
        print_json_file(path, input, list, exit == SCH_CLI_YES, counted, first);
    else
        sch_cli_print_diagnostics(list, input);
    return counted;
}

static enum sch_cli_exit check_maxwell(const struct wanted *wanted, const char *path, struct sch_cli_input *input,
                                       bool first)
{
    struct sch_cli_maxwell maxwell;
    enum sch_cli_exit exit = sch_cli_maxwell_read(&wanted->maxwell, input, &maxwell);
    if (exit == SCH_CLI_YES)
        exit = sch_cli_result(sch_shader_check(maxwell.program, maxwell.list), maxwell.list, input->name);
    exit = print_reports(wanted, path, maxwell.list, &maxwell.input, exit, first);
    sch_cli_maxwell_release(&maxwell);
    return exit;
}

/* One of several shaders in a text, whose bytes stay the caller's. */
static enum sch_cli_exit check_part(const struct wanted *wanted, const char *path, const struct sch_cli_input *part,
                                    bool first)
{
    struct sch_cli_shader shader = {.input = *part};
    enum sch_cli_exit exit = sch_cli_shader_parse(wanted->kind, &shader);
    if (exit == SCH_CLI_YES)
        exit = sch_cli_result(sch_shader_check(shader.shader, shader.list), shader.list, shader.input.name);
    bool valid = exit == SCH_CLI_YES;
    exit = print_reports(wanted, path, shader.list, &shader.input, exit, first);
    if (!wanted->json)
        printf("%s:%u: shader %u: %s\n", shader.input.name, part->line, part->nth, valid ? "valid" : "not valid");
    shader.input.data = NULL;
    sch_cli_shader_release(&shader);
    return exit;
}

static enum sch_cli_exit check_parts(const struct wanted *wanted, const char *path, struct sch_cli_input *input,
                                     const struct sch_text_shader *list, size_t count, bool first)
{
    enum sch_cli_exit exit = SCH_CLI_YES;
    for (uint32_t n = 1; n <= count; n++) {
        sch_cli_choose(input, list, n);
        exit = sch_cli_worse(exit, check_part(wanted, path, input, first && n == 1));
    }
    sch_cli_input_release(input);
    return exit;
}

static enum sch_cli_exit check_scene(const struct wanted *wanted, const char *path, bool first)
{
    struct sch_cli_scene_check check = {.collects = wanted->json};
    const enum sch_cli_exit exit = sch_cli_check_scene(path, &check);
    if (wanted->json) {
        printf("%s\n    {\"file\": ", first ? "" : ",");
        sch_cli_json_string(stdout, path);
        printf(", \"valid\": %s, \"exit\": %d, \"errors\": %u, \"warnings\": %u, \"diagnostics\": [%s]}",
               check.errors ? "false" : "true", (int)exit, check.errors, check.warnings,
               check.reports ? check.reports : "");
    }
    free(check.reports);
    return exit;
}

static enum sch_cli_exit check_file(const struct wanted *wanted, const char *path, bool first)
{
    struct sch_cli_input input;
    struct sch_cli_shader shader = {0};
    if (wanted->kind == SCH_KIND_AUTO && sch_cli_is_scene(path)) return check_scene(wanted, path, first);
    enum sch_cli_exit exit = sch_cli_read_source(path, &input);
    if (exit == SCH_CLI_YES && sch_cli_is_maxwell(&wanted->maxwell, wanted->kind, &input))
        return check_maxwell(wanted, path, &input, first);
    struct sch_text_shader *list = NULL;
    size_t count = 1;
    if (exit == SCH_CLI_YES) exit = sch_cli_shaders(&input, wanted->kind, &list, &count);
    if (exit != SCH_CLI_YES) sch_cli_input_release(&input);
    bool all = exit == SCH_CLI_YES && count > 1 && !wanted->nth;
    if (all) exit = check_parts(wanted, path, &input, list, count, first);
    free(list);
    if (all) return exit;
    input.nth = wanted->nth;
    if (exit == SCH_CLI_YES) exit = sch_cli_shader_take(&input, wanted->kind, &shader);
    if (exit == SCH_CLI_YES)
        exit = sch_cli_result(sch_shader_check(shader.shader, shader.list), shader.list, shader.input.name);
    exit = print_reports(wanted, path, shader.list, &shader.input, exit, first);
    sch_cli_shader_release(&shader);
    return exit;
}

/* SCH_CLI_YES: there are files to check. */
static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        enum sch_cli_exit exit = SCH_CLI_YES;
        switch (option) {
        case SCH_CLI_STOP:
            return arguments->exit;
        case SCH_OPTION_KIND:
            exit = sch_cli_any_kind(&sch_cli_check, arguments->value, &wanted->kind, &wanted->maxwell);
            break;
        case SCH_OPTION_KERNEL:
            wanted->maxwell.kernel = arguments->value;
            break;
        case SCH_OPTION_ARCH:
            exit = sch_cli_arch(&sch_cli_check, arguments->value, &wanted->maxwell);
            break;
        case SCH_OPTION_JSON:
            wanted->json = true;
            break;
        case SCH_OPTION_CODE_OFFSET:
            exit = sch_cli_maxwell_offset(&sch_cli_check, arguments->value, &wanted->maxwell);
            break;
        case SCH_OPTION_NTH:
            exit = sch_cli_nth(&sch_cli_check, arguments->value, &wanted->nth);
            break;
        case SCH_OPTION_RECURSIVE:
            wanted->files.recursive = true;
            break;
        default:
            exit = sch_cli_files_add(&wanted->files, arguments->value);
        }
        if (exit != SCH_CLI_YES) return exit;
    }
    return sch_cli_files_settle(&sch_cli_check, &wanted->files);
}

enum sch_cli_exit sch_cli_main_check(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_check, .argc = argc, .argv = argv};
    struct wanted wanted = {0};
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    const struct sch_cli_files *files = &wanted.files;
    if (exit == SCH_CLI_YES && wanted.json) fputs("{\n  \"schema\": \"scheelite-check/1\",\n  \"files\": [", stdout);
    const bool begun = exit == SCH_CLI_YES;
    if (begun) sch_cli_progress_begin(&sch_cli_check, wanted.json);
    for (size_t i = 0; begun && i < files->count && !ferror(stdout); i++) {
        sch_cli_progress_at(i, files->count, "files");
        exit = sch_cli_worse(exit, check_file(&wanted, files->list[i].path, i == 0));
    }
    sch_cli_progress_end();
    if (begun && wanted.json) printf("\n  ],\n  \"exit\": %d\n}\n", (int)exit);
    sch_cli_files_release(&wanted.files);
    return exit;
}
