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

/* Refuses an argument that a call cannot take: reports it (CALL_ARGUMENT), which has no position, and notes its name
 * in `diagnostics->refusal`. `argument` is the name of the parameter in the public header, or after a dot that of a
 * member of the call's struct: "bytes", ".level_count". A # in it becomes `index`: ".registers[#].buffer". Return
 * false. `diagnostics` may be NULL. */
bool sch_refuse_argument(struct sch_diagnostics *diagnostics, const char *argument, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool sch_refuse_element(struct sch_diagnostics *diagnostics, const char *argument, uint32_t index, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

/* Only notes it, for what has another report. */
void sch_note_refusal(struct sch_diagnostics *diagnostics, const char *argument, uint32_t index, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

/* All rows in the order of errors.def. */
const struct sch_error_info *sch_diagnostic_rows(size_t *count);

#endif
