/* What is reported when something of a client is refused, and the memory that it is given. */
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

/* The reported reason is also counted by whoever refuses. */
static void __attribute__((format(printf, 3, 0)))
refuse(struct sch_virgl *virgl, uint32_t why, const char *format, va_list arguments)
{
    char line[LINE];
    int used = 0;
    if (virgl->command)
        used = snprintf(line, sizeof line, "%s at word %zu of submit %llu: ", virgl->command, virgl->word,
                        (unsigned long long)virgl->counts.submits);
    vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    sch_virgl_losses_note(virgl->losses, why, line);
    tell_line(virgl, line);
}

bool sch_virgl_refuse(struct sch_virgl *virgl, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(virgl, 0, format, arguments);
    va_end(arguments);
    return false;
}

bool sch_virgl_refuse_for(struct sch_virgl *virgl, uint32_t why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(virgl, why, format, arguments);
    va_end(arguments);
    return false;
}

const char *sch_virgl_loss_name(enum sch_virgl_loss loss, uint64_t count)
{
    static const struct {
        const char *one, *several;
    } words[] = {
#define LOSS(name, one, several)    {one, several},
#define LOST_COMMAND(command, loss) /* virgl.c */
#include "losses.def"
#undef LOSS
#undef LOST_COMMAND
    };
    return count == 1 ? words[loss].one : words[loss].several;
}

enum sch_result sch_virgl_count(struct sch_virgl *virgl, enum sch_virgl_loss loss, enum sch_result result)
{
    if (result != SCH_OK) virgl->losses->counts[loss]++;
    return result;
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
        [SCH_ERROR_CANCELLED] = "no one waits for it any more",
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

/* What a user can change about a failure; `code`: the number of its diagnostic, 0: it has none. */
static uint32_t why_of(enum sch_result result, uint32_t code)
{
    enum { NO_COMPILER = 4380, LOST = 4382, LATE = 4384, PROGRAM_MEMORY = 5000, CONTEXT_MEMORY = 5010 };
    if (code >= NO_COMPILER && code <= LOST) return SCH_VIRGL_WHY_CODE;
    if (code == LATE) return SCH_VIRGL_WHY_LATE;
    if (result == SCH_ERROR_DEADLINE) return SCH_VIRGL_WHY_DEADLINE;
    const bool memory = result == SCH_ERROR_MEMORY || code == PROGRAM_MEMORY || code == CONTEXT_MEMORY;
    return memory ? SCH_VIRGL_WHY_MEMORY : 0;
}

bool sch_virgl_check(struct sch_virgl *virgl, enum sch_result result, const char *what)
{
    struct sch_diagnostic_info info;
    if (result == SCH_OK) return true;
    if (!first_error(virgl->diagnostics, &info))
        return sch_virgl_refuse_for(virgl, why_of(result, 0), "%s: %s", what, result_name(result));
    const uint32_t why = why_of(result, info.code);
    if (!info.line) return sch_virgl_refuse_for(virgl, why, "%s: %s (%u)", what, info.message, info.code);
    return sch_virgl_refuse_for(virgl, why, "%s: line %u, column %u: %s (%u)", what, info.line, info.column,
                                info.message, info.code);
}

bool sch_virgl_end_move(struct sch_virgl *virgl, enum sch_result result, const char *what)
{
    if (result == SCH_ERROR_DEADLINE || result == SCH_ERROR_CANCELLED) virgl->worst = result;
    return sch_virgl_check(virgl, result, what);
}

struct sch_moving_options sch_virgl_moving(const struct sch_virgl *virgl)
{
    return (struct sch_moving_options){.size = sizeof(struct sch_moving_options),
                                       .threads = virgl->options.threads,
                                       .deadline_ms = virgl->options.deadline_ms,
                                       .cancel = virgl->options.cancel};
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
        sch_virgl_refuse_for(virgl, SCH_VIRGL_WHY_MEMORY, "no memory");
    return made;
}

void sch_virgl_free(struct sch_virgl *virgl, void *memory)
{
    if (memory) virgl->memory.free(virgl->memory.user, memory);
}
