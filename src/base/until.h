/* What ends long work before its end, where instructions are not counted: a moment, and a flag that another thread
 * sets. Holds no threads. */
#ifndef SCH_BASE_UNTIL_H
#define SCH_BASE_UNTIL_H

#include <scheelite/types.h>

#include "base/clock.h"

struct sch_until {
    uint64_t moment;        /* as sch_clock_ns counts; 0: none */
    const uint32_t *cancel; /* not 0: the work ends; NULL: cannot be cancelled */
};

/* Ends `milliseconds` from now; 0: never. */
static inline struct sch_until sch_until_ms(uint32_t milliseconds, const uint32_t *cancel)
{
    return (struct sch_until){milliseconds ? sch_clock_after_ms(sch_clock_ns(), milliseconds) : 0, cancel};
}

/* OK: the work continues; or CANCELLED, DEADLINE. Takes NULL: it always continues. */
static inline enum sch_result sch_until_look(const struct sch_until *until)
{
    if (!until) return SCH_OK;
    if (until->cancel && __atomic_load_n(until->cancel, __ATOMIC_RELAXED)) return SCH_ERROR_CANCELLED;
    return until->moment && sch_clock_ns() >= until->moment ? SCH_ERROR_DEADLINE : SCH_OK;
}

/* The same at every 1,024th of steps that are counted, so that looking costs nothing. */
static inline enum sch_result sch_until_step(const struct sch_until *until, size_t step)
{
    return step % 1024 ? SCH_OK : sch_until_look(until);
}

#endif
