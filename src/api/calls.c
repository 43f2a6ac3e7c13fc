/* Calls of the public interface: the caller's list or what is in its place, and what becomes of a wrong argument.
 * Knows no function of the interface. */
#include "api/api.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sch_api_begin_input(struct sch_api_call *call, struct sch_context *context,
                         struct sch_diagnostics_list *diagnostics, const char *function, const char *whose)
{
    if (!context && diagnostics) context = diagnostics->context;
    call->context = context;
    call->log = context ? &context->log : NULL;
    call->function = function;
    call->refusal.whose = whose;
    call->refusal.argument[0] = call->refusal.reason[0] = 0;
    call->silent = (struct sch_diagnostics){.source = "", .silent = true};
    call->list = NULL;
    call->unnamed = true;
    sch_api_use_list(call, diagnostics);
}

void sch_api_begin(struct sch_api_call *call, struct sch_context *context, struct sch_diagnostics_list *diagnostics,
                   const char *function, const char *whose)
{
    sch_api_begin_input(call, context, diagnostics, function, whose);
    sch_diagnostics_name(call->list, "");
    call->unnamed = false;
}

void sch_api_use_list(struct sch_api_call *call, struct sch_diagnostics_list *diagnostics)
{
    if (call->list) call->list->refusal = NULL;
    call->list = diagnostics ? &diagnostics->list : &call->silent;
    call->list->refusal = &call->refusal;
}

/* ---- wrong calls ---- */

/* In the place of the thread's call before, or else of the oldest. */
static void keep(struct sch_context *context, const struct sch_api_call *call)
{
    struct sch_api_wrong_calls *calls = &context->wrong_calls;
    const pthread_t self = pthread_self();
    pthread_mutex_lock(&calls->lock);
    unsigned place = 0;
    for (unsigned i = 0; i < SCH_API_WRONG_CALLS; i++) {
        if (calls->kept[i].number < calls->kept[place].number) place = i;
        if (!calls->kept[i].number || !pthread_equal(calls->kept[i].thread, self)) continue;
        place = i;
        break;
    }
    calls->kept[place].thread = self;
    calls->kept[place].number = ++calls->number;
    calls->kept[place].function = call->function;
    memcpy(calls->kept[place].argument, call->refusal.argument, sizeof call->refusal.argument);
    memcpy(calls->kept[place].reason, call->refusal.reason, sizeof call->refusal.reason);
    pthread_mutex_unlock(&calls->lock);
}

static void tell(const struct sch_api_call *call)
{
    char text[sizeof call->refusal.argument + sizeof call->refusal.reason + 96];
    if (!call->log || !call->log->function) return;
    snprintf(text, sizeof text, "%s: %s: %s", call->function, call->refusal.argument, call->refusal.reason);
    const struct sch_log_message message = {.size = sizeof message,
                                            .level = SCH_LOG_ERROR,
                                            .subject = SCH_LOG_CALL,
                                            .text = text,
                                            .function = call->function,
                                            .argument = call->refusal.argument};
    call->log->function(call->log->user, &message);
}

bool sch_context_get_wrong_call(struct sch_context *context, struct sch_wrong_call *call)
{
    if (!context || !call || !sch_sized_fits(call->size, sizeof *call)) return false;
    struct sch_api_wrong_calls *calls = &context->wrong_calls;
    const pthread_t self = pthread_self();
    struct sch_wrong_call made;
    memset(&made, 0, sizeof made); /* padding, too */
    pthread_mutex_lock(&calls->lock);
    for (unsigned i = 0; i < SCH_API_WRONG_CALLS; i++) {
        if (!calls->kept[i].number || !pthread_equal(calls->kept[i].thread, self)) continue;
        made.number = calls->kept[i].number;
        made.function = calls->kept[i].function;
        memcpy(made.argument, calls->kept[i].argument, sizeof calls->kept[i].argument);
        memcpy(made.reason, calls->kept[i].reason, sizeof calls->kept[i].reason);
    }
    pthread_mutex_unlock(&calls->lock);
    if (!made.number) return false;
    sch_sized_write(call, &made, sizeof made);
    return true;
}

/* ---- ends ---- */

enum sch_result sch_api_end(struct sch_api_call *call, enum sch_result status)
{
    struct sch_diagnostics *list = call->list;
    list->text = NULL; /* the caller's text ends with the call */
    list->refusal = NULL;
    if (list->arena.failed) {
        list->arena.failed = false;
        status = SCH_ERROR_MEMORY;
    }
    if (status == SCH_ERROR_ARGUMENT) {
        if (call->context) keep(call->context, call);
        tell(call);
    }
    return sch_api_settled(call->context, list, status);
}

enum sch_result sch_api_delivered(struct sch_api_call *call, enum sch_result status, void **made, size_t *length)
{
    enum sch_result ended = sch_api_end(call, status);
    if (ended == status) return status;
    sch_api_free(call->context, *made);
    *made = NULL;
    *length = 0;
    return ended;
}

/* The list for a report about the call, not about the input of the call before. */
static struct sch_diagnostics *own_list(const struct sch_api_call *call)
{
    if (call->unnamed) sch_diagnostics_name(call->list, "");
    return call->list;
}

enum sch_result sch_api_wrong(struct sch_api_call *call, const char *argument, const char *format, ...)
{
    char reason[SCH_REFUSED_REASON];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    sch_refuse_argument(own_list(call), argument, "%s", reason);
    return sch_api_refused(call);
}

enum sch_result sch_api_settled(struct sch_context *context, struct sch_diagnostics *list, enum sch_result status)
{
    if (status != SCH_ERROR_MEMORY || !context || !sch_account_refused(&context->account)) return status;
    sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_CONTEXT_MEMORY, (struct sch_position){0},
                        "all that the context holds would be more than the %zu bytes allowed", context->account.limit);
    if (list) list->arena.failed = false; /* there may be no room for this report either */
    return SCH_ERROR_LIMIT;
}

enum sch_result sch_api_no_memory(struct sch_context *context)
{
    return sch_api_settled(context, NULL, SCH_ERROR_MEMORY);
}

/* ---- checks ---- */

bool sch_api_given(struct sch_api_call *call, const void *pointer, const char *argument)
{
    return pointer || sch_refuse_argument(own_list(call), argument, "%s is NULL", argument);
}

static bool refuse_size(struct sch_diagnostics *list, const char *whole, size_t size, size_t first_bytes)
{
    char argument[SCH_REFUSED_ARGUMENT];
    snprintf(argument, sizeof argument, "%s.size", whole);
    if (!sch_sized_fits(size, first_bytes))
        return sch_refuse_argument(list, argument, "a size of %zu bytes: the struct has at least %zu", size,
                                   first_bytes);
    return sch_refuse_argument(
        list, argument, "a size of %zu bytes, with members that are set and that this version does not have", size);
}

bool sch_api_read_inner(struct sch_diagnostics *list, const char *argument, void *known, size_t known_bytes,
                        size_t first_bytes, const void *given)
{
    size_t size;
    if (sch_sized_read(known, known_bytes, first_bytes, given)) return true;
    memcpy(&size, given, sizeof size);
    return refuse_size(list, argument, size, first_bytes);
}

bool sch_api_read(struct sch_api_call *call, const char *whole, void *known, size_t known_bytes, size_t first_bytes,
                  const void *given)
{
    return sch_sized_read(known, known_bytes, first_bytes, given) ||
           sch_api_read_inner(own_list(call), whole, known, known_bytes, first_bytes, given);
}

bool sch_api_fits(struct sch_api_call *call, const char *whole, size_t given_bytes, size_t first_bytes)
{
    return sch_sized_fits(given_bytes, first_bytes) || refuse_size(own_list(call), whole, given_bytes, first_bytes);
}

bool sch_api_takes(struct sch_diagnostics *list, const char *argument, uint32_t value, uint32_t first, uint32_t last)
{
    if (value >= first && value <= last) return true;
    return sch_refuse_argument(list, argument, "%s %u, of %u to %u", *argument == '.' ? argument + 1 : argument, value,
                               first, last);
}
