/* The diagnostic numbers by name, from errors.def. */
#ifndef SCH_ISA_ERRORS_H
#define SCH_ISA_ERRORS_H

#include <stddef.h>

enum sch_diagnostic_code {
#define DIAGNOSTIC(number, name, severity, summary, explanation) SCH_D_##name = number,
#include "isa/errors.def"
#undef DIAGNOSTIC
};

struct sch_diagnostic_info {
    unsigned number;
    const char *name;
    const char *severity; /* "error" or "warning" */
    const char *summary, *explanation;
};

/* All rows in the order of errors.def. */
const struct sch_diagnostic_info *sch_diagnostic_infos(size_t *count);

#endif
