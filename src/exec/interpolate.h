/* Planes of inputs, lane by lane, and what INTERP_* computes from them: between exec/interpolate.c and the sources of
 * work that have planes. */
#ifndef SCH_EXEC_INTERPOLATE_H
#define SCH_EXEC_INTERPOLATE_H

#include "exec/machine.h"

/* One component: its value at the pixel's centre and the steps for a pixel in x and y, as floats; the divisor
 * likewise. */
struct sch_exec_planes {
    struct sch_lanes value[3], divisor[3];
};

/* A lane whose input has no plane: what IN holds, everywhere in the pixel. */
void sch_exec_constant_plane(const struct sch_exec_machine *machine, unsigned lane, int64_t number, unsigned component,
                             struct sch_exec_planes *planes);

void sch_exec_evaluate_planes(const struct sch_exec_machine *machine, const struct sch_exec_planes *planes,
                              const struct sch_lanes offset[2], struct sch_lanes *value);

#endif
