/* The memory on the page of `trace --html`: rows of words that the group accesses, or that others change meanwhile. */
#ifndef SCH_CLI_TRACE_MEMORY_H
#define SCH_CLI_TRACE_MEMORY_H

#include <scheelite/debug.h>

#include "../support/json.h"
#include "common/cli.h"

struct sch_cli_trace_memory;

/* For the group at its present moment, the first one. NULL: no memory for it. */
struct sch_cli_trace_memory *sch_cli_trace_memory_begin(const struct sch_debug *debug);
void sch_cli_trace_memory_end(struct sch_cli_trace_memory *memory); /* takes NULL */

/* Before a step: notes what it accesses. `waits`: it is a BARRIER, at which other groups of the work group run. False:
 * no memory for it. */
bool sch_cli_trace_memory_look(struct sch_cli_trace_memory *memory, bool waits);
/* After the step: its members "access", what its lanes accessed, and "stores", the words that have changed. False
 * likewise. */
bool sch_cli_trace_memory_step(struct sch_cli_trace_memory *memory, struct sch_json *json);

/* After the last step: the member "memory", the pieces that steps mention, with their rows as they were at first. */
void sch_cli_trace_memory_put(const struct sch_cli_trace_memory *memory, struct sch_json *json);

#endif
