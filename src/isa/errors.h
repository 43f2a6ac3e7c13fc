/* The diagnostic numbers by name, from errors.def. */
#ifndef SCH_ISA_ERRORS_H
#define SCH_ISA_ERRORS_H

#include <stddef.h>

#include "base/diagnostics.h"

enum sch_diagnostic_code {
#define DIAGNOSTIC(number, name, severity, summary, explanation) SCH_D_##name = number,
#include "isa/errors.def"
#undef DIAGNOSTIC
};

/* The severity in the row of a number; of a number without a row: an error. */
enum sch_severity sch_diagnostic_severity(unsigned number);

/* All rows in the order of errors.def. */
const struct sch_error_info *sch_diagnostic_rows(size_t *count);

#endif
