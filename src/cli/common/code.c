/* Contexts as the command makes them: with the folder where compiled code is kept. It is the user's, by the XDG Base
 * Directory Specification, unless an option says otherwise. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "code.h"
#include "common.h"

static bool no_default;

void sch_cli_code_no_default_cache(void) { no_default = true; }
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

enum sch_cli_exit sch_cli_cache_check(const struct sch_cli_verb *verb)
{
    const char *cache = sch_cli_given()->cache.cache;
    if (!cache || *cache) return SCH_CLI_YES;
    return sch_cli_usage_error(verb, "--cache is a folder or none, not nothing");
}

void sch_cli_context_describe(struct sch_cli_context *made)
{
    const struct sch_cli_values *given = sch_cli_given();
    const char *cache = given->cache.cache;
    made->code = (struct sch_machine_code_options){.size = sizeof made->code,
                                                   .compiler = given->compiler.compiler,
                                                   .perf_map = given->perf_map.perf_map,
                                                   .cache = cache && strcmp(cache, "none") != 0 ? cache : NULL,
                                                   .inside = given->inside.in_process};
    if (!cache && !no_default && default_cache(made->path)) made->code.cache = made->path;
    made->options = sch_cli_common_context();
    made->options.machine_code = &made->code;
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
