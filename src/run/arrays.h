/* Invocations in arrays, for the two files of that source of work. */
#ifndef SCH_RUN_ARRAYS_H
#define SCH_RUN_ARRAYS_H

#include "exec/source.h"
#include "run/run.h"

struct sch_run_arrays {
    struct sch_exec_source source;
    const struct sch_invocations *given;
};

/* run/planes.c */
void sch_run_centroids(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                       struct sch_lanes offset[2]);
void sch_run_interpolate(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                         const struct sch_exec_interpolation *request, struct sch_lanes *value);

#endif
