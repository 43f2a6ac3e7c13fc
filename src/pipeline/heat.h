/* What draws count at pixels (run/heat.h): of which groups, and when. */
#ifndef SCH_PIPELINE_HEAT_H
#define SCH_PIPELINE_HEAT_H

#include "pipeline/output.h"
#include "run/heat.h"

/* A group that was found, before its tests. */
void sch_heat_cover(const struct sch_heat *heat, const struct sch_tile_group *group, uint32_t samples);

/* A group whose program has run to its end. */
void sch_heat_shade(const struct sch_heat *heat, const struct sch_output *output, const struct sch_tile_group *group,
                    const struct sch_exec_machine *machine);

#endif
