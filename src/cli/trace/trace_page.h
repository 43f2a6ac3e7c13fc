/* The page of `trace --html`. */
#ifndef SCH_CLI_TRACE_PAGE_H
#define SCH_CLI_TRACE_PAGE_H

#include "trace_step.h"

/* Writes what the group does between two moments as a page to standard output. The session is where it was opened.
 * LIMIT, and said: there are more moments than a page takes; it has the first ones then. */
enum sch_cli_exit sch_cli_trace_page(struct sch_cli_tracer *tracer, uint64_t from, uint64_t to);

#endif
