/* System values that execution decides where the caller does not give them: what sources of work share. */
#ifndef SCH_RUN_VALUES_H
#define SCH_RUN_VALUES_H

#include "exec/group.h"

/* SUBGROUP_*, HELPER_INVOCATION of any group; others stay. All but one are written once for each machine. */
void sch_run_own_value(const struct sch_exec_machine *machine, unsigned semantic, struct sch_lanes *to);

/* INVOCATIONID, VERTICESIN, SAMPLEMASK of invocations that a stage of the pipeline may have; others stay. */
void sch_run_stage_value(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                         unsigned semantic, struct sch_lanes *to);

/* SAMPLEPOS of lane `lane`, which runs for sample `number`. */
void sch_run_sample_position(const struct sch_exec_source *source, unsigned lane, uint32_t number,
                             struct sch_lanes *to);

#endif
