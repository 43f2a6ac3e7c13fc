/* scheelite check: is a shader valid? */
#include "cli.h"

static const char usage[] = "scheelite check [-x KIND] [--json] FILE...";

static void print_json_diagnostics(const struct sch_diagnostics_list *list)
{
    struct sch_diagnostic_view view;
    for (size_t i = 0; sch_diagnostics_get(list, i, &view); i++) {
        printf("%s\n      {\"severity\": \"%s\", \"code\": %u, \"line\": %u, \"column\": %u, \"offset\": %llu, "
               "\"message\": ",
               i ? "," : "", view.severity == SCH_DIAGNOSTIC_ERROR ? "error" : "warning", view.code, view.line,
               view.column, (unsigned long long)view.offset);
        sch_cli_json_string(stdout, view.message);
        putchar('}');
    }
}

static void print_json_file(const char *path, const struct sch_cli_shader *shader, enum sch_cli_exit exit, bool first)
{
    printf("%s\n    {\"file\": ", first ? "" : ",");
    sch_cli_json_string(stdout, path);
    printf(", \"valid\": %s, \"exit\": %d, \"errors\": %zu, \"warnings\": %zu, \"diagnostics\": [",
           exit == SCH_CLI_YES ? "true" : "false", (int)exit, sch_diagnostics_errors(shader->list),
           sch_diagnostics_warnings(shader->list));
    print_json_diagnostics(shader->list);
    fputs("]}", stdout);
}

static enum sch_cli_exit check_file(const char *path, enum sch_kind kind, bool json, bool first)
{
    struct sch_cli_shader shader;
    enum sch_cli_exit exit = sch_cli_shader_read(path, kind, &shader);
    if (exit == SCH_CLI_YES) exit = sch_cli_exit_of(sch_shader_check(shader.shader, shader.list));
    if (json)
        print_json_file(path, &shader, exit, first);
    else
        sch_cli_print_diagnostics(shader.list, &shader.input);
    sch_cli_shader_release(&shader);
    return exit;
}

static enum sch_cli_exit run(int argc, char **argv)
{
    enum { KIND, JSON };
    static const struct sch_cli_option options[] = {
        [KIND] = {"-x", SCH_CLI_VALUE}, [JSON] = {"--json", SCH_CLI_FLAG}, {NULL, SCH_CLI_FLAG}};
    struct sch_cli_arguments arguments = {.verb = &sch_cli_check, .argc = argc, .argv = argv};
    enum sch_kind kind = SCH_KIND_AUTO;
    enum sch_cli_exit exit = SCH_CLI_YES;
    bool json = false;
    int files = 0;

    /* Options hold for all files, wherever they stand. */
    for (int option; (option = sch_cli_next(&arguments, options)) != SCH_CLI_END;) {
        if (option == SCH_CLI_STOP) return arguments.exit;
        if (option == KIND) {
            enum sch_cli_exit known = sch_cli_kind(&sch_cli_check, arguments.value, &kind);
            if (known != SCH_CLI_YES) return known;
        } else if (option == JSON)
            json = true;
        else
            files++;
    }
    if (!files) return sch_cli_usage_error(&sch_cli_check, "which file?");

    arguments = (struct sch_cli_arguments){.verb = &sch_cli_check, .argc = argc, .argv = argv};
    bool first = true;
    if (json) fputs("{\n  \"files\": [", stdout);
    for (int option; (option = sch_cli_next(&arguments, options)) != SCH_CLI_END;) {
        if (option != SCH_CLI_FILE) continue;
        exit = sch_cli_worse(exit, check_file(arguments.value, kind, json, first));
        first = false;
    }
    if (json) printf("\n  ],\n  \"exit\": %d\n}\n", (int)exit);
    return exit;
}

const struct sch_cli_verb sch_cli_check = {"check", "says whether shaders are valid, and what is wrong", usage, run};
