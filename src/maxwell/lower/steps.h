/* What the two halves of the lowering share (maxwell/lower/lower.c, maxwell/lower/steps.c). */
#ifndef SCH_MAXWELL_LOWER_STEPS_H
#define SCH_MAXWELL_LOWER_STEPS_H

#include "maxwell/lower/lower.h"

struct lowering {
    const struct sch_prepared *program;
    const struct sch_prepared_instruction *in;
    struct sch_maxwell_lowered *lowered;
    struct sch_maxwell_plan *plan;
    struct sch_maxwell_packing packing;
    bool divergent; /* lanes of a quad may be off */
    bool behind;    /* steps are added after the texture instruction */
};

/* Whether integers are looked up by integers, without a sampler. */
bool sch_maxwell_fetches(const struct sch_prepared_lookup *lookup);

/* Whether a source component is an immediate, and its word. */
bool sch_maxwell_constant_source(const struct lowering *l, struct sch_prepared_operand which, uint32_t *word);

/* The component of the instruction's result from which component `c` of the lookup's result comes; 4: from none, it is
 * 0. */
unsigned sch_maxwell_result_component(const struct sch_prepared_lookup *lookup, unsigned c);

/* Adds the steps; the registers of plan->texture are decided. */
void sch_maxwell_steps_before(struct lowering *l);
void sch_maxwell_steps_after(struct lowering *l);

#endif
