/* How far a verb is, as a line on a terminal: from a second on, until its end. If standard error is not a terminal, and
 * with -q, nothing of this does anything. One verb at a time, whose thread calls all but sch_cli_progress_clear. */
#ifndef SCH_CLI_PROGRESS_H
#define SCH_CLI_PROGRESS_H

#include "cli.h"

/* Begins to show the verb and the seconds that have passed. Call it after all options are read. `prints`: the verb
 * prints as it goes, so there is no line between what it prints to a terminal. */
void sch_cli_progress_begin(const struct sch_cli_verb *verb, bool prints);

/* Shows that `done` of `all` are done; `all` 0: their number is not known. `units` names them in the plural, and
 * stays. */
void sch_cli_progress_at(uint64_t done, uint64_t all, const char *units);

/* What a dispatch may write, to be shown in per cent; NULL: it would not be shown. */
struct sch_dispatch_progress *sch_cli_progress_of_dispatch(void);

/* Erases the line, which comes again some time later: for what is printed now, by any thread. And for good: */
void sch_cli_progress_clear(void);
void sch_cli_progress_end(void);

#endif
