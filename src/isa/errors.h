/* The diagnostic numbers by name, from errors.def. */
#ifndef SCH_ISA_ERRORS_H
#define SCH_ISA_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diagnostics.h"

enum sch_diagnostic_code {
#define DIAGNOSTIC(number, name, severity, summary, explanation) SCH_D_##name = number,
#include "isa/errors.def"
#undef DIAGNOSTIC
};

/* The severity in the row of a number; of a number without a row: an error. */
enum sch_severity sch_diagnostic_severity(unsigned number);

/* Reports an argument that a call cannot take (CALL_ARGUMENT), which has no position. Returns false. `diagnostics` may
 * be NULL. */
bool sch_refuse_argument(struct sch_diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* All rows in the order of errors.def. */
const struct sch_error_info *sch_diagnostic_rows(size_t *count);

#endif
