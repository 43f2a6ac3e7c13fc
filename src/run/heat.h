/* Counting what happens at pixels (struct sch_heat), for the sources of work that have pixels. No pixel is in two units
 * of a run, so that threads count apart. */
#ifndef SCH_RUN_HEAT_H
#define SCH_RUN_HEAT_H

#include <scheelite/dispatch.h>

#include "exec/source.h"

/* Lanes of a group, and where their pixels are. */
struct sch_run_heat_lanes {
    struct sch_lanes x, y;
    uint32_t lanes; /* bits */
};

/* What a source must have its machines count. `heat` may be NULL. */
void sch_run_heat_begin(const struct sch_heat *heat, struct sch_exec_source *source);

/* Whether the interpreter alone counts it: instructions, texels. */
bool sch_run_heat_instructions(const struct sch_heat *heat);
bool sch_run_heat_texels(const struct sch_heat *heat);

/* Adds 1 for each lane in one of the arrays of `heat`, which may not be there. */
void sch_run_heat_add(const struct sch_heat *heat, uint64_t *counts, const struct sch_run_heat_lanes *at);

/* A group that has run to its end: of `at`, which fragments were shaded or discarded, and what was executed. */
void sch_run_heat_group(const struct sch_heat *heat, const struct sch_exec_machine *machine,
                        const struct sch_run_heat_lanes *at);

/* Adds what a register of OUT has that is not finite. */
void sch_run_heat_color(const struct sch_heat *heat, const struct sch_exec_machine *machine, uint32_t number,
                        const struct sch_run_heat_lanes *at);

#endif
