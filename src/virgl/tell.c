/* What a client is told when something is refused, and the memory that it is given. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client.h"

enum { LINE = 512 };

/* ---- the log ---- */

static void tell_line(const struct sch_virgl *virgl, const char *line)
{
    if (virgl->options.log.write) virgl->options.log.write(virgl->options.log.user, line);
}

void sch_virgl_tell(struct sch_virgl *virgl, const char *format, ...)
{
    char line[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    tell_line(virgl, line);
}

bool sch_virgl_refuse(struct sch_virgl *virgl, const char *format, ...)
{
    char line[LINE];
    int used = 0;
    va_list arguments;
    if (virgl->command)
        used = snprintf(line, sizeof line, "%s at word %zu of submit %llu: ", virgl->command, virgl->word,
                        (unsigned long long)virgl->counts.submits);
    va_start(arguments, format);
    vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    va_end(arguments);
    tell_line(virgl, line);
    return false;
}

static const char *result_name(enum sch_result result)
{
    static const char *const names[] = {
        [SCH_OK] = "success",
        [SCH_ERROR_ARGUMENT] = "it does not fit",
        [SCH_ERROR_MEMORY] = "no memory",
        [SCH_ERROR_INVALID] = "it is not valid",
        [SCH_ERROR_UNSUPPORTED] = "it is not supported",
        [SCH_ERROR_LIMIT] = "it is beyond a limit",
        [SCH_ERROR_BUDGET] = "a program loops beyond its budget",
        [SCH_ERROR_INTERNAL] = "a bug of the server",
        [SCH_ERROR_BARRIER] = "not every invocation reached a barrier",
        [SCH_ERROR_ABORTED] = "a program aborted",
        [SCH_ERROR_WORK] = "it was too much work",
        [SCH_ERROR_DEADLINE] = "it took too long",
        [SCH_ERROR_CANCELLED] = "it was cancelled",
    };
    return names[result];
}

/* The first error that a function reported. */
static bool first_error(const struct sch_diagnostics_list *list, struct sch_diagnostic_info *info)
{
    info->size = sizeof *info;
    for (size_t n = 0; list && sch_diagnostics_get(list, n, info); n++)
        if (info->severity == SCH_SEVERITY_ERROR) return true;
    return false;
}

bool sch_virgl_check(struct sch_virgl *virgl, enum sch_result result, const char *what)
{
    struct sch_diagnostic_info info;
    if (result == SCH_OK) return true;
    if (!first_error(virgl->diagnostics, &info)) return sch_virgl_refuse(virgl, "%s: %s", what, result_name(result));
    if (!info.line) return sch_virgl_refuse(virgl, "%s: %s (%u)", what, info.message, info.code);
    return sch_virgl_refuse(virgl, "%s: line %u, column %u: %s (%u)", what, info.line, info.column, info.message,
                            info.code);
}

struct sch_diagnostics_list *sch_virgl_list(struct sch_virgl *virgl)
{
    if (virgl->diagnostics && !sch_diagnostics_count(virgl->diagnostics)) return virgl->diagnostics;
    sch_diagnostics_destroy(virgl->diagnostics);
    virgl->diagnostics = NULL;
    if (sch_diagnostics_create(virgl->options.context, &virgl->diagnostics) != SCH_OK) virgl->diagnostics = NULL;
    return virgl->diagnostics;
}

/* ---- memory ---- */

void *sch_virgl_alloc(struct sch_virgl *virgl, size_t bytes)
{
    void *made = virgl->memory.alloc(virgl->memory.user, bytes ? bytes : 1);
    if (made)
        memset(made, 0, bytes);
    else
        sch_virgl_refuse(virgl, "no memory");
    return made;
}

void sch_virgl_free(struct sch_virgl *virgl, void *memory)
{
    if (memory) virgl->memory.free(virgl->memory.user, memory);
}
