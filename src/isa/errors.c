/* errors.def as an array, and the report that calls of every folder make. */
#include "isa/errors.h"

#include <stdarg.h>
#include <stdio.h>

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

bool sch_refuse_argument(struct sch_diagnostics *diagnostics, const char *format, ...)
{
    char message[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_CALL_ARGUMENT, (struct sch_position){0}, "%s", message);
    return false;
}
