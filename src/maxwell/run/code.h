/* What accesses to memory leave for machine code of the same instruction. */
#ifndef SCH_MAXWELL_RUN_CODE_H
#define SCH_MAXWELL_RUN_CODE_H

#include "maxwell/run/reach.h"

/* Lanes of an access were reached: where machine code runs beside handlers, the next access of the instruction tries the
 * same range itself. */
void sch_maxwell_keep_spot(const struct sch_maxwell_reach *access);

#endif
