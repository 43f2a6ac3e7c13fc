/* What was wrong with an input, and where. */
#ifndef SCHEELITE_DIAGNOSTICS_H
#define SCHEELITE_DIAGNOSTICS_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sch_diagnostics_list;

/* One report. The strings live as long as the list. */
struct sch_diagnostic_info {
    size_t size;
    enum sch_severity severity;
    unsigned code;         /* stable number; `scheelite list errors` explains them all */
    uint32_t line, column; /* from 1, columns in bytes; 0 for binary input */
    uint64_t offset;       /* bytes from the start of the input */
    const char *source;    /* the name that the caller gave the input */
    const char *message;   /* one line */
    const char *line_text; /* part of the source line, or NULL */
    uint32_t caret;        /* byte of line_text that the report is about */
};

/* An empty list. One thread at a time. */
SCH_API enum sch_result sch_diagnostics_create(struct sch_context *context, struct sch_diagnostics_list **list);
SCH_API void sch_diagnostics_destroy(struct sch_diagnostics_list *list);

/* Reports that are kept, in the order in which they were made. */
SCH_API size_t sch_diagnostics_count(const struct sch_diagnostics_list *list);

/* Report `index`; false when there is none. */
SCH_API bool sch_diagnostics_get(const struct sch_diagnostics_list *list, size_t index,
                                 struct sch_diagnostic_info *view);

/* How many errors and warnings were reported, those past the limit included, those that the context ignores not.
 * Pedantic ones are warnings. */
SCH_API size_t sch_diagnostics_errors(const struct sch_diagnostics_list *list);
SCH_API size_t sch_diagnostics_warnings(const struct sch_diagnostics_list *list);

#ifdef __cplusplus
}
#endif
#endif
