/* Bindings of a draw that are kept for later: what they point at is copied, but for the memory of textures, which the
 * caller leaves as it is. */
#ifndef SCH_PIPELINE_BOUND_H
#define SCH_PIPELINE_BOUND_H

#include "exec/exec.h"
#include "pipeline/scratch.h"

struct sch_bound {
    struct sch_scratch_array memory; /* what the bindings point at */
    struct sch_exec_bindings bindings;
};

/* Whether bindings can be kept: they are few constants, views and samplers. Takes NULL. */
bool sch_bound_fits(const struct sch_exec_bindings *bindings);

/* Keeps bindings that fit, instead of those that were kept. Takes NULL. False: no memory. */
bool sch_bound_keep(struct sch_bound *bound, struct sch_scratch *scratch, const struct sch_exec_bindings *from);

/* Whether programs read the same, as far as what can be kept goes. */
bool sch_bound_equals(const struct sch_exec_bindings *kept, const struct sch_exec_bindings *from);

#endif
