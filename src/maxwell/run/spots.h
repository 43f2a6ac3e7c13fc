/* What accesses to memory leave for machine code of the same instruction (struct sch_group_spot). */
#ifndef SCH_MAXWELL_RUN_SPOTS_H
#define SCH_MAXWELL_RUN_SPOTS_H

#include "maxwell/run/reach.h"

/* Lanes of an access were reached: where machine code runs beside handlers, it tries the same range itself when the
 * instruction comes again. */
void sch_maxwell_keep_spot(const struct sch_maxwell_reach *access);

/* As many bytes as a spot may have. */
static inline uint32_t sch_maxwell_spot_bytes(uint64_t bytes)
{
    return bytes < INT32_MAX ? (uint32_t)bytes : INT32_MAX;
}

#endif
