/* See scene_host.h. */
#include "scene_host.h"

#include <stdlib.h>
#include <string.h>

#include "common/common.h"
#include "common/hlsl_file.h"
#include "common/listing.h"
#include "scene_files.h"

static void print_report(void *user, const struct sch_diagnostic_info *report)
{
    const struct sch_cli_scene_host *host = user;
    const bool own = report->source && strcmp(report->source, host->input.name) == 0;
    if (host->silent) return;
    if (report->severity == SCH_SEVERITY_WARNING)
        sch_cli_warn_report(report, own ? &host->input : NULL);
    else
        sch_cli_print_diagnostic(report, own ? &host->input : NULL);
}

/* In place of a Direct3D container its listing, if that is wanted and there is one. */
static void list(const struct sch_cli_scene_host *host, struct sch_player_file *file)
{
    if (!host->listed || file->bytes < 4 || memcmp(file->data, "DXBC", 4) != 0) return;
    size_t bytes = 0;
    char *listing = sch_cli_listing_of(file->data, file->bytes, &bytes);
    if (!listing) return;
    free(file->data);
    file->data = listing;
    file->bytes = bytes;
}

static void read_file(void *user, const char *path, struct sch_player_file *file)
{
    struct sch_cli_scene_host *host = user;
    sch_cli_scene_read_file(host->file, path, file);
    if (file->data)
        list(host, file);
    else
        host->exit_code = SCH_CLI_IO;
}

static void compile_hlsl(void *user, const struct sch_player_hlsl *hlsl, struct sch_player_file *compiled)
{
    struct sch_cli_scene_host *host = user;
    char profile[16];
    sch_cli_hlsl_profile(hlsl->stage, 50, profile);
    const struct sch_cli_hlsl_source source = {.command = sch_cli_hlsl_compiler(),
                                               .profile = profile,
                                               .entry = hlsl->entry,
                                               .text = hlsl->text,
                                               .bytes = hlsl->bytes};
    struct sch_cli_input input = {0};
    char why[SCH_CLI_HLSL_WHY];
    const enum sch_cli_exit exit_code = sch_cli_hlsl_make(&source, &input, why);
    snprintf(compiled->problem, sizeof compiled->problem, "%s", *why ? why : ": the HLSL is not compiled");
    host->exit_code = sch_cli_worse(host->exit_code, exit_code);
    if (exit_code != SCH_CLI_YES) sch_cli_input_release(&input);
    compiled->data = input.data;
    compiled->bytes = input.bytes;
    if (compiled->data) list(host, compiled);
}

struct sch_scene_host sch_cli_scene_functions(struct sch_cli_scene_host *host)
{
    return (struct sch_scene_host){.user = host, .report = print_report, .read = read_file, .compile = compile_hlsl};
}

enum sch_cli_exit sch_cli_scene_open(const char *file, struct sch_cli_scene_host *host, struct sch_scene **scene)
{
    *scene = NULL;
    *host = (struct sch_cli_scene_host){.file = file, .listed = host->listed};
    const enum sch_cli_exit exit_code = sch_cli_read(file, &host->input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const struct sch_scene_host functions = sch_cli_scene_functions(host);
    const enum sch_result result =
        sch_scene_read(host->input.name, host->input.data, host->input.bytes, &functions, scene);
    if (result == SCH_OK) return SCH_CLI_YES;
    if (result == SCH_ERROR_INVALID) return sch_cli_worse(SCH_CLI_NO, host->exit_code);
    return sch_cli_fail(SCH_CLI_LIMIT, "%s: the scene holds too much for the memory that scenes have",
                        host->input.name);
}

void sch_cli_scene_host_release(struct sch_cli_scene_host *host) { sch_cli_input_release(&host->input); }
