/* The public diagnostics list over struct sch_diagnostics. */
#include "api/api.h"

#include <stddef.h>
#include <string.h>

enum sch_result sch_diagnostics_create(struct sch_context *context, struct sch_diagnostics_list **list)
{
    struct sch_api_call call;
    sch_api_begin(&call, context, NULL, __func__, NULL);
    if (!sch_api_given(&call, list, "list")) return sch_api_refused(&call);
    *list = NULL;
    if (!sch_api_given(&call, context, "context")) return sch_api_refused(&call);
    struct sch_diagnostics_list *made = sch_api_alloc(context, sizeof *made);
    if (!made) return sch_api_no_memory(context);
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

bool sch_diagnostics_get(const struct sch_diagnostics_list *list, size_t index, struct sch_diagnostic_info *info)
{
    if (!list || !info || !sch_sized_fits(info->size, sizeof *info) || index >= list->list.count) return false;
    const struct sch_diagnostic *item = &list->list.items[index];
    struct sch_diagnostic_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.severity = item->severity;
    made.code = item->code;
    made.line = item->position.line;
    made.column = item->position.column;
    made.offset = item->position.offset;
    made.source = item->source;
    made.message = item->message;
    made.line_text = item->line_text;
    made.caret = item->caret;
    made.argument = item->argument;
    made.about = item->about;
    sch_sized_write(info, &made, sizeof made);
    return true;
}
