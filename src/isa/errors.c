/* errors.def as an array. */
#include "isa/errors.h"

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
