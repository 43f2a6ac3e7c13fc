/* Contexts as the command makes them: with the folder where compiled code is kept. It is the user's, by the XDG Base
 * Directory Specification, unless an option says otherwise. Set while arguments are read, before any context is
 * made. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "code.h"
#include "common.h"

static struct {
    bool chosen;       /* --cache was given */
    const char *cache; /* of it; NULL: none */
    const char *compiler;
    bool perf_map, inside;
} wanted;

void sch_cli_code_cache(const char *folder)
{
    wanted.chosen = true;
    wanted.cache = strcmp(folder, "none") == 0 ? NULL : folder;
}

void sch_cli_code_compiler(const char *path) { wanted.compiler = path; }
void sch_cli_code_no_default_cache(void) { wanted.chosen = true; }
void sch_cli_code_perf_map(void) { wanted.perf_map = true; }
void sch_cli_code_inside(void) { wanted.inside = true; }

/* "All paths set in these environment variables must be absolute. If an implementation encounters a relative path [...]
 * it should consider the path invalid and ignore it." */
static bool default_cache(char *path)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (base && base[0] == '/')
        length = snprintf(path, SCH_CLI_PATH_BYTES, "%s", base);
    else if (home && home[0] == '/')
        length = snprintf(path, SCH_CLI_PATH_BYTES, "%s/.cache", home);
    if (length < 0 || length > SCH_CLI_PATH_BYTES - 16) return false;
    mkdir(path, 0700); /* "an attempt should be made to create the destination directory with permission 0700" */
    if (access(path, W_OK | X_OK) != 0) return false; /* a user without a home did not ask for a cache: no message */
    strcat(path, "/scheelite");
    return true;
}

void sch_cli_context_describe(struct sch_cli_context *made)
{
    made->code = (struct sch_machine_code_options){.size = sizeof made->code,
                                                   .compiler = wanted.compiler,
                                                   .perf_map = wanted.perf_map,
                                                   .cache = wanted.cache,
                                                   .inside = wanted.inside};
    if (!wanted.chosen && default_cache(made->path)) made->code.cache = made->path;
    made->options = (struct sch_context_options){.size = sizeof made->options,
                                                 .machine_code = &made->code,
                                                 .warnings = sch_cli_common_warnings(),
                                                 .limits = sch_cli_common_limits(),
                                                 .dialect = sch_cli_common_dialect(),
                                                 .log = sch_cli_common_log()};
}

void sch_cli_context_describe_server(struct sch_cli_context *made)
{
    static const char below[] = "/server";
    char folder[SCH_CLI_PATH_BYTES];
    sch_cli_context_describe(made);
    if (!made->code.cache || !*made->code.cache) return;
    snprintf(folder, sizeof folder - sizeof below, "%s", made->code.cache); /* a longer one is not a path */
    mkdir(folder, 0700);
    made->code.cache = strcat(strcpy(made->path, folder), below);
}

enum sch_result sch_cli_context_create(struct sch_context **context)
{
    struct sch_cli_context described;
    sch_cli_context_describe(&described);
    return sch_context_create(&described.options, context);
}
