/* See scene_host.h. */
#include "scene_host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

static void print_report(void *user, const struct sch_diagnostic_info *report)
{
    const struct sch_cli_scene_host *host = user;
    const bool own = report->source && strcmp(report->source, host->input.name) == 0;
    if (!host->silent) sch_cli_print_diagnostic(report, own ? &host->input : NULL);
}

/* A path of the scene: relative ones begin in its folder. NULL: memory. */
static char *resolve(const struct sch_cli_scene_host *host, const char *path)
{
    const char *slash = *path == '/' ? NULL : strrchr(host->file, '/');
    const size_t folder = slash ? (size_t)(slash - host->file) + 1 : 0;
    char *whole = malloc(folder + strlen(path) + 1);
    if (!whole) return NULL;
    memcpy(whole, host->file, folder);
    strcpy(whole + folder, path);
    return whole;
}

/* All of a file, and a zero byte behind it; errno says why not. */
static char *read_all(FILE *file, size_t *bytes)
{
    enum { BLOCK = 1 << 16 };
    char *data = NULL;
    size_t got;
    *bytes = 0;
    do {
        char *larger = realloc(data, *bytes + BLOCK);
        if (!larger) errno = ENOMEM;
        if (!larger) break;
        data = larger;
        got = fread(data + *bytes, 1, BLOCK, file);
        *bytes += got;
        if (*bytes > sch_cli_largest_input()) errno = EFBIG;
        if (*bytes > sch_cli_largest_input()) break;
        if (got == BLOCK) continue;
        if (ferror(file)) break;
        data[*bytes] = 0;
        return data;
    } while (true);
    free(data);
    return NULL;
}

static void read_file(void *user, const char *path, struct sch_scene_file *file)
{
    struct sch_cli_scene_host *host = user;
    char *whole = resolve(host, path);
    FILE *opened = whole ? fopen(whole, "rb") : NULL;
    if (opened) file->data = read_all(opened, &file->bytes);
    if (!file->data) {
        snprintf(file->problem, sizeof file->problem, "%s", strerror(whole ? errno : ENOMEM));
        host->unreadable = true;
    }
    if (opened) fclose(opened);
    free(whole);
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
