/* See scene_host.h. */
#include "scene_host.h"

#include <string.h>

#include "scene_files.h"

static void print_report(void *user, const struct sch_diagnostic_info *report)
{
    const struct sch_cli_scene_host *host = user;
    const bool own = report->source && strcmp(report->source, host->input.name) == 0;
    if (!host->silent) sch_cli_print_diagnostic(report, own ? &host->input : NULL);
}

static void read_file(void *user, const char *path, struct sch_scene_file *file)
{
    struct sch_cli_scene_host *host = user;
    sch_cli_scene_read_file(host->file, path, file);
    if (!file->data) host->unreadable = true;
}

struct sch_scene_host sch_cli_scene_functions(struct sch_cli_scene_host *host)
{
    return (struct sch_scene_host){.user = host, .report = print_report, .read = read_file};
}

enum sch_cli_exit sch_cli_scene_open(const char *file, struct sch_cli_scene_host *host, struct sch_scene **scene)
{
    *scene = NULL;
    *host = (struct sch_cli_scene_host){.file = file};
    const enum sch_cli_exit exit = sch_cli_read(file, &host->input);
    if (exit != SCH_CLI_YES) return exit;
    const struct sch_scene_host functions = sch_cli_scene_functions(host);
    const enum sch_result result =
        sch_scene_read(host->input.name, host->input.data, host->input.bytes, &functions, scene);
    if (result == SCH_OK) return SCH_CLI_YES;
    if (result == SCH_ERROR_INVALID) return host->unreadable ? SCH_CLI_IO : SCH_CLI_NO;
    return sch_cli_fail(SCH_CLI_LIMIT, "%s: the scene holds too much for the memory that scenes have",
                        host->input.name);
}

void sch_cli_scene_host_release(struct sch_cli_scene_host *host) { sch_cli_input_release(&host->input); }
