/* Diagnostics: errors and warnings about an input, with their place in it. Functions append reports to a list that the
 * caller makes; one list may be used for many calls, by one thread at a time. */
#ifndef SCHEELITE_DIAGNOSTICS_H
#define SCHEELITE_DIAGNOSTICS_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sch_diagnostics_list;

/* One report. Strings live as long as the list. */
struct sch_diagnostic_info {
    size_t size;
    enum sch_severity severity;
    unsigned code;         /* stable number; `scheelite list errors` explains all of them */
    uint32_t line, column; /* counted from 1, columns in bytes; 0 for binary input */
    uint64_t offset;       /* bytes from the start of the input */
    const char *source;    /* the name that the caller gave the input */
    const char *message;   /* one line, without a final full stop */
    const char *line_text; /* the source line, or a part of it; NULL for binary input */
    uint32_t caret;        /* the byte of line_text that the report is about */
};

/* Makes an empty list. Errors: ARGUMENT, MEMORY, LIMIT. Thread-safe. */
SCH_API enum sch_result sch_diagnostics_create(struct sch_context *context, struct sch_diagnostics_list **list);
SCH_API void sch_diagnostics_destroy(struct sch_diagnostics_list *list); /* takes NULL */

/* The number of reports that the list keeps, at most sch_limit_options.diagnostics. */
SCH_API size_t sch_diagnostics_count(const struct sch_diagnostics_list *list);

/* Fills in `*info` with report `index`, counted from 0 in the order in which they were made. False past the last, and
 * if `size` is not set. */
SCH_API bool sch_diagnostics_get(const struct sch_diagnostics_list *list, size_t index,
                                 struct sch_diagnostic_info *info);

/* The number of errors and of warnings that were reported, including those beyond the limit. Pedantic warnings count;
 * warnings that the context ignores do not. */
SCH_API size_t sch_diagnostics_errors(const struct sch_diagnostics_list *list);
SCH_API size_t sch_diagnostics_warnings(const struct sch_diagnostics_list *list);

#ifdef __cplusplus
}
#endif
#endif
