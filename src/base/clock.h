/* The clock by which waits and deadlines are counted: it continues whatever the time of day is set to. Thread-safe. */
#ifndef SCH_BASE_CLOCK_H
#define SCH_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* 64 bits wide, so that products with it are: no enumerator of C17 is wider than int. */
#define SCH_NS_OF_MS UINT64_C(1000000)

/* Nanoseconds from a moment in the past, which stays the same while the system runs. */
static inline uint64_t sch_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The moment so many milliseconds after another one: what a deadline is. */
static inline uint64_t sch_clock_after_ms(uint64_t ns, uint32_t milliseconds)
{
    return ns + milliseconds * SCH_NS_OF_MS;
}

#endif
