/* The public diagnostics list over struct sch_diagnostics. */
#include "api/api.h"

#include <string.h>

#include "isa/errors.h"

enum sch_result sch_diagnostics_create(struct sch_context *context, struct sch_diagnostics_list **list)
{
    if (!list) return SCH_ERROR_ARGUMENT;
    *list = NULL;
    if (!context) return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics_list *made = sch_api_alloc(context, sizeof *made);
    if (!made) return sch_api_no_memory(context, NULL);
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
    sch_sized_write(info, &made, sizeof made);
    return true;
}

struct sch_diagnostics *sch_api_list(struct sch_diagnostics_list *diagnostics)
{
    return diagnostics ? &diagnostics->list : NULL;
}

enum sch_result sch_api_reported(struct sch_context *context, struct sch_diagnostics_list *diagnostics,
                                 enum sch_result status)
{
    if (!diagnostics) return sch_api_settled(context, NULL, status);
    struct sch_diagnostics *list = &diagnostics->list;
    list->text = NULL; /* the caller's text ends with the call */
    if (list->arena.failed) {
        list->arena.failed = false;
        status = SCH_ERROR_MEMORY;
    }
    return sch_api_settled(context, list, status);
}

enum sch_result sch_api_delivered(struct sch_context *context, struct sch_diagnostics_list *diagnostics,
                                  enum sch_result status, void **made, size_t *length)
{
    enum sch_result reported = sch_api_reported(context, diagnostics, status);
    if (reported == status) return status;
    sch_api_free(context, *made);
    *made = NULL;
    *length = 0;
    return reported;
}

enum sch_result sch_api_settled(struct sch_context *context, struct sch_diagnostics *list, enum sch_result status)
{
    if (status != SCH_ERROR_MEMORY || !context || !sch_account_refused(&context->account)) return status;
    sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_CONTEXT_MEMORY, (struct sch_position){0},
                        "all that the context holds would be more than the %zu bytes allowed", context->account.limit);
    if (list) list->arena.failed = false; /* there may be no room for this report either */
    return SCH_ERROR_LIMIT;
}

enum sch_result sch_api_no_memory(struct sch_context *context, struct sch_diagnostics_list *diagnostics)
{
    return sch_api_settled(context, sch_api_list(diagnostics), SCH_ERROR_MEMORY);
}
