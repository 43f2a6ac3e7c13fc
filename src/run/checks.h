/* What is looked at while a grid runs, for those who ask: accesses that race, and reads of what was never written. It
 * is an observer (exec/watch.h), so that a run without it costs nothing more. Changes no result. */
#ifndef SCH_RUN_CHECKS_H
#define SCH_RUN_CHECKS_H

#include <scheelite/dispatch.h>

#include "exec/watch.h"

struct sch_run_checks;

/* `checks`: bits of enum sch_dispatch_check. Reports go to the list; the memory that the observer takes is limited.
 * MEMORY. */
enum sch_result sch_run_checks_create(const struct sch_allocator *allocator, uint32_t checks,
                                      struct sch_diagnostics *diagnostics, struct sch_run_checks **made);
struct sch_exec_watch *sch_run_checks_watch(struct sch_run_checks *checks);
/* After the run: reports what could not be looked at; how many different things were found. */
uint32_t sch_run_checks_end(struct sch_run_checks *checks);
void sch_run_checks_destroy(struct sch_run_checks *checks); /* takes NULL */

#endif
