/* The clock by which waits and deadlines are counted: it goes on whatever the time of day is set to. Thread-safe. */
#ifndef SCH_BASE_CLOCK_H
#define SCH_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { SCH_NS_OF_MS = 1000000 };

/* Nanoseconds from a moment in the past, which stays the same while the system runs. */
static inline uint64_t sch_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
