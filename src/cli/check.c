/* scheelite check: is a shader valid? */
#include "common.h"
#include "maxwell.h"

static const char usage[] = "scheelite check [-x KIND] [--arch sm_50|sm_52|sm_53] [--nth N] [--json] FILE...";

static void print_json_diagnostics(const struct sch_diagnostics_list *list)
{
    static const char *const severities[] = {
        [SCH_DIAGNOSTIC_WARNING] = "warning", [SCH_DIAGNOSTIC_ERROR] = "error", [SCH_DIAGNOSTIC_PEDANTIC] = "pedantic"};
    struct sch_diagnostic_view view;
    for (size_t i = 0; sch_diagnostics_get(list, i, &view); i++) {
        printf("%s\n      {\"severity\": \"%s\", \"code\": %u, \"line\": %u, \"column\": %u, \"offset\": %llu, "
               "\"message\": ",
               i ? "," : "", severities[view.severity], view.code, view.line, view.column,
               (unsigned long long)view.offset);
        sch_cli_json_string(stdout, view.message);
        putchar('}');
    }
}

static void print_json_file(const char *path, const struct sch_diagnostics_list *list, bool valid,
                            enum sch_cli_exit exit, bool first)
{
    printf("%s\n    {\"file\": ", first ? "" : ",");
    sch_cli_json_string(stdout, path);
    printf(", \"valid\": %s, \"exit\": %d, \"errors\": %zu, \"warnings\": %zu, \"diagnostics\": [",
           valid ? "true" : "false", (int)exit, sch_diagnostics_errors(list), sch_diagnostics_warnings(list));
    print_json_diagnostics(list);
    fputs("]}", stdout);
}

struct wanted {
    enum sch_kind kind;
    struct sch_cli_maxwell_options maxwell;
    bool json;
    uint32_t nth;
};

/* Prints what was found; answers the exit code with what -Werror adds. */
static enum sch_cli_exit print_reports(const struct wanted *wanted, const char *path,
                                       const struct sch_diagnostics_list *list, const struct sch_cli_input *input,
                                       enum sch_cli_exit exit, bool first)
{
    enum sch_cli_exit counted = sch_cli_worse(exit, sch_cli_warnings_exit(list));
    if (wanted->json)
        print_json_file(path, list, exit == SCH_CLI_YES, counted, first);
    else
        sch_cli_print_diagnostics(list, input);
    return counted;
}

static enum sch_cli_exit check_maxwell(const struct wanted *wanted, const char *path, struct sch_cli_input *input,
                                       bool first)
{
    struct sch_cli_maxwell maxwell;
    enum sch_cli_exit exit = sch_cli_maxwell_read(&wanted->maxwell, input, &maxwell);
    if (exit == SCH_CLI_YES) exit = sch_cli_exit_of(sch_maxwell_program_check(maxwell.program, maxwell.list));
    exit = print_reports(wanted, path, maxwell.list, &maxwell.input, exit, first);
    sch_cli_maxwell_release(&maxwell);
    return exit;
}

static enum sch_cli_exit check_file(const struct wanted *wanted, const char *path, bool first)
{
    struct sch_cli_input input;
    struct sch_cli_shader shader = {0};
    enum sch_cli_exit exit = sch_cli_read(path, &input);
    if (exit == SCH_CLI_YES && sch_cli_is_maxwell(&wanted->maxwell, wanted->kind, &input))
        return check_maxwell(wanted, path, &input, first);
    input.nth = wanted->nth;
    if (exit == SCH_CLI_YES) exit = sch_cli_shader_take(&input, wanted->kind, &shader);
    if (exit == SCH_CLI_YES) exit = sch_cli_exit_of(sch_shader_check(shader.shader, shader.list));
    exit = print_reports(wanted, path, shader.list, &shader.input, exit, first);
    sch_cli_shader_release(&shader);
    return exit;
}

/* Options hold for all files, wherever they stand. SCH_CLI_YES: there are files to check. */
static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, const struct sch_cli_option *options,
                                        struct wanted *wanted)
{
    enum { KIND, ARCH, JSON, NTH };
    int files = 0;
    for (int option; (option = sch_cli_next(arguments, options)) != SCH_CLI_END;) {
        enum sch_cli_exit exit = SCH_CLI_YES;
        switch (option) {
        case SCH_CLI_STOP:
            return arguments->exit;
        case KIND:
            exit = sch_cli_any_kind(&sch_cli_check, arguments->value, &wanted->kind, &wanted->maxwell);
            break;
        case ARCH:
            exit = sch_cli_arch(&sch_cli_check, arguments->value, &wanted->maxwell);
            break;
        case JSON:
            wanted->json = true;
            break;
        case NTH:
            exit = sch_cli_nth(&sch_cli_check, arguments->value, &wanted->nth);
            break;
        default:
            files++;
        }
        if (exit != SCH_CLI_YES) return exit;
    }
    return files ? SCH_CLI_YES : sch_cli_usage_error(&sch_cli_check, "which file?");
}

static enum sch_cli_exit run(int argc, char **argv)
{
    static const struct sch_cli_option options[] = {{"-x", SCH_CLI_VALUE},
                                                    {"--arch", SCH_CLI_VALUE},
                                                    {"--json", SCH_CLI_FLAG},
                                                    {"--nth", SCH_CLI_VALUE},
                                                    {NULL, SCH_CLI_FLAG}};
    struct sch_cli_arguments arguments = {.verb = &sch_cli_check, .argc = argc, .argv = argv};
    struct wanted wanted = {0};
    enum sch_cli_exit exit = read_arguments(&arguments, options, &wanted);
    if (exit != SCH_CLI_YES) return exit;

    arguments = (struct sch_cli_arguments){.verb = &sch_cli_check, .argc = argc, .argv = argv};
    bool first = true;
    if (wanted.json) fputs("{\n  \"files\": [", stdout);
    for (int option; (option = sch_cli_next(&arguments, options)) != SCH_CLI_END;) {
        if (option != SCH_CLI_FILE) continue;
        exit = sch_cli_worse(exit, check_file(&wanted, arguments.value, first));
        first = false;
    }
    if (wanted.json) printf("\n  ],\n  \"exit\": %d\n}\n", (int)exit);
    return exit;
}

const struct sch_cli_verb sch_cli_check = {"check", "says whether shaders are valid, and what is wrong", usage, run,
                                           true};
