/* Control slots against what the instructions read and write: whether each waits for the barriers of what it needs, and
 * a simple schedule for code that has none. docs/maxwell.md, "Control slots". */
#ifndef SCH_MAXWELL_SLOTS_SLOTS_H
#define SCH_MAXWELL_SLOTS_SLOTS_H

#include "maxwell/text/code.h"

/* Warns of each instruction that reads or overwrites what an instruction of variable latency has still to write, or
 * overwrites what one has still to read, on some way through its section. Sections whose slots all say nothing are not
 * looked at. `limit`: bytes of memory; 0: no limit. OK; MEMORY; LIMIT. */
enum sch_result sch_maxwell_slots_check(const struct sch_maxwell_code *code, const struct sch_allocator *allocator,
                                        size_t limit, struct sch_diagnostics *diagnostics);

/* Gives each instruction a slot with which nothing is read or overwritten too early. Phases stay; reuse goes. */
enum sch_result sch_maxwell_slots_make(struct sch_maxwell_code *code, const struct sch_allocator *allocator,
                                       size_t limit);

/* Warns of branches, calls and pushes that count to where their section has no instruction. */
void sch_maxwell_targets_check(const struct sch_maxwell_code *code, struct sch_diagnostics *diagnostics);

#endif
