/* errors.def as an array. */
#include "isa/errors.h"

#define SEVERITY_ERROR   "error"
#define SEVERITY_WARNING "warning"

static const struct sch_diagnostic_info infos[] = {
#define DIAGNOSTIC(number_, name_, severity_, summary_, explanation_)                                                  \
    {number_, #name_, SEVERITY_##severity_, summary_, explanation_},
#include "isa/errors.def"
#undef DIAGNOSTIC
};

const struct sch_diagnostic_info *sch_diagnostic_infos(size_t *count)
{
    *count = sizeof infos / sizeof *infos;
    return infos;
}
