/* errors.def as an array, and the report that calls of every folder make. */
#include "isa/errors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SEVERITY_ERROR    "error"
#define SEVERITY_WARNING  "warning"
#define SEVERITY_PEDANTIC "pedantic"

static const struct sch_error_info infos[] = {
#define DIAGNOSTIC(number_, name_, severity_, summary_, explanation_)                                                  \
    {.number = number_,                                                                                                \
     .name = #name_,                                                                                                   \
     .severity = SEVERITY_##severity_,                                                                                 \
     .summary = summary_,                                                                                              \
     .explanation = explanation_},
#include "isa/errors.def"
#undef DIAGNOSTIC
};

enum sch_severity sch_diagnostic_severity(unsigned number)
{
    switch (number) {
#define DIAGNOSTIC(number_, name_, severity_, summary_, explanation_)                                                  \
    case number_:                                                                                                      \
        return SCH_SEVERITY_##severity_;
#include "isa/errors.def"
#undef DIAGNOSTIC
    default:
        return SCH_SEVERITY_ERROR;
    }
}

const struct sch_error_info *sch_diagnostic_rows(size_t *count)
{
    *count = sizeof infos / sizeof *infos;
    return infos;
}

/* `argument` by the names of the public header. */
static void name_argument(const struct sch_refusal *refusal, const char *argument, uint32_t index,
                          char name[SCH_REFUSED_ARGUMENT])
{
    const char *whose = *argument == '.' && refusal && refusal->whose ? refusal->whose : "";
    if (*argument == '.' && !*whose) argument++;
    const char *hash = strchr(argument, '#');
    if (hash)
        snprintf(name, SCH_REFUSED_ARGUMENT, "%s%.*s%u%s", whose, (int)(hash - argument), argument, index, hash + 1);
    else
        snprintf(name, SCH_REFUSED_ARGUMENT, "%s%s", whose, argument);
}

/* The first refusal of a call counts. */
static void note(struct sch_refusal *refusal, const char name[SCH_REFUSED_ARGUMENT],
                 const char message[SCH_REFUSED_REASON])
{
    if (!refusal || *refusal->argument) return;
    memcpy(refusal->argument, name, SCH_REFUSED_ARGUMENT);
    memcpy(refusal->reason, message, SCH_REFUSED_REASON);
}

void sch_note_refusal(struct sch_diagnostics *diagnostics, const char *argument, uint32_t index, const char *format,
                      ...)
{
    char message[SCH_REFUSED_REASON], name[SCH_REFUSED_ARGUMENT];
    if (!diagnostics) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    name_argument(diagnostics->refusal, argument, index, name);
    note(diagnostics->refusal, name, message);
}

static void refuse(struct sch_diagnostics *diagnostics, const char *argument, uint32_t index, const char *format,
                   va_list arguments)
{
    char message[SCH_REFUSED_REASON], name[SCH_REFUSED_ARGUMENT];
    if (!diagnostics) return;
    vsnprintf(message, sizeof message, format, arguments);
    name_argument(diagnostics->refusal, argument, index, name);
    note(diagnostics->refusal, name, message);
    const size_t count = diagnostics->count;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_CALL_ARGUMENT, (struct sch_position){0}, "%s", message);
    if (diagnostics->count > count)
        diagnostics->items[count].argument = sch_arena_string(&diagnostics->arena, name, strlen(name));
}

bool sch_refuse_argument(struct sch_diagnostics *diagnostics, const char *argument, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(diagnostics, argument, 0, format, arguments);
    va_end(arguments);
    return false;
}

bool sch_refuse_element(struct sch_diagnostics *diagnostics, const char *argument, uint32_t index, const char *format,
                        ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(diagnostics, argument, index, format, arguments);
    va_end(arguments);
    return false;
}
