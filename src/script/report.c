/* What a run says: items that failed or are skipped, and why it stops. */
#include "run.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(struct sch_script_run *run, bool skipped, uint32_t line, uint64_t items, const char *reason)
{
    const struct sch_player_outcome outcome = {line, reason, skipped, items};
    if (!run->silent) run->host->result(run->host->user, &outcome);
}

struct sch_diagnostic_info sch_script_first_error(const struct sch_diagnostics_list *list, enum sch_result result)
{
    struct sch_diagnostic_info info = {.size = sizeof info};
    for (size_t i = 0; sch_diagnostics_get(list, i, &info); i++)
        if (info.severity == SCH_SEVERITY_ERROR) return info;
    return (struct sch_diagnostic_info){.size = sizeof(struct sch_diagnostic_info), .message = sch_result_text(result)};
}

void sch_script_memory(struct sch_script_run *run)
{
    if (run->stop == SCH_OK) run->stop = SCH_ERROR_MEMORY;
}

void sch_script_lacks_code(struct sch_script_run *run, const struct sch_diagnostic_info *why)
{
    if (run->stop != SCH_OK) return;
    run->stop = SCH_ERROR_UNSUPPORTED;
    run->report->code = why->code;
    snprintf(run->report->message, sizeof run->report->message, "%s", why->message);
}

/* Whether a dispatch found no machine code: then nothing fails, but the script ends, as where a program is refused. */
static bool lacks_code(struct sch_script_run *run)
{
    if (!sch_diagnostics_errors(run->refused)) return false;
    const struct sch_diagnostic_info why = sch_script_first_error(run->refused, SCH_ERROR_UNSUPPORTED);
    sch_script_lacks_code(run, &why);
    return true;
}

void sch_script_fail(struct sch_script_run *run, const struct sch_script_item *item, const char *format, ...)
{
    char message[1024], marked[1100];
    if (lacks_code(run)) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    unsigned marks = 1u << SCH_SCRIPT_TODO | 1u << SCH_SCRIPT_BUG | 1u << SCH_SCRIPT_NOTIMPL;
    const char *mark = sch_script_holds(item, marks, run->model) ? " (the script marks it todo or bug)" : "";
    snprintf(marked, sizeof marked, "%s%s", message, mark);
    /* The marks name what a compiler of HLSL gets wrong: then the program was not the one that the script means. */
    if (*mark && run->from_hlsl) {
        sch_script_skip(run, item->line, 1, marked);
        return;
    }
    run->report->failed++;
    say(run, false, item->line, 1, marked);
}

void sch_script_skip(struct sch_script_run *run, uint32_t line, uint64_t items, const char *reason)
{
    run->report->skipped += items;
    say(run, true, line, items, reason);
}
