/* The public diagnostics list over struct sch_diagnostics. */
#include "api/api.h"

enum sch_result sch_diagnostics_create(struct sch_context *context, struct sch_diagnostics_list **list)
{
    if (!list) return SCH_ERROR_ARGUMENT;
    *list = NULL;
    if (!context) return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics_list *made = sch_api_alloc(context, sizeof *made);
    if (!made) return SCH_ERROR_MEMORY;
    made->context = context;
    sch_diagnostics_init(&made->list, &context->allocator, context->limits.diagnostics);
    made->list.filter = &context->warnings;
    *list = made;
    return SCH_OK;
}

void sch_diagnostics_destroy(struct sch_diagnostics_list *list)
{
    if (!list) return;
    sch_diagnostics_release(&list->list);
    sch_api_free(list->context, list);
}

size_t sch_diagnostics_count(const struct sch_diagnostics_list *list) { return list ? list->list.count : 0; }

size_t sch_diagnostics_errors(const struct sch_diagnostics_list *list) { return list ? list->list.errors : 0; }

size_t sch_diagnostics_warnings(const struct sch_diagnostics_list *list) { return list ? list->list.warnings : 0; }

bool sch_diagnostics_get(const struct sch_diagnostics_list *list, size_t index, struct sch_diagnostic_view *view)
{
    if (!list || !view || index >= list->list.count) return false;
    const struct sch_diagnostic *item = &list->list.items[index];
    static const enum sch_diagnostic_severity severities[] = {[SCH_SEVERITY_WARNING] = SCH_DIAGNOSTIC_WARNING,
                                                              [SCH_SEVERITY_ERROR] = SCH_DIAGNOSTIC_ERROR,
                                                              [SCH_SEVERITY_PEDANTIC] = SCH_DIAGNOSTIC_PEDANTIC};
    *view = (struct sch_diagnostic_view){.severity = severities[item->severity],
                                         .code = item->code,
                                         .line = item->position.line,
                                         .column = item->position.column,
                                         .offset = item->position.offset,
                                         .source = item->source,
                                         .message = item->message,
                                         .line_text = item->line_text,
                                         .caret = item->caret};
    return true;
}

struct sch_diagnostics *sch_api_list(struct sch_diagnostics_list *diagnostics)
{
    return diagnostics ? &diagnostics->list : NULL;
}

enum sch_status sch_api_reported(struct sch_diagnostics_list *diagnostics, enum sch_status status)
{
    if (!diagnostics || !diagnostics->list.arena.failed) return status;
    diagnostics->list.arena.failed = false;
    return SCH_STATUS_MEMORY;
}
