/* Moments of debugging sessions, for tests: going on, everything that can be seen at a stop as a sum, and walks that
 * must come to the same sums. */
#ifndef TESTS_DEBUG_SUPPORT_H
#define TESTS_DEBUG_SUPPORT_H

#include <scheelite/scheelite.h>

struct sch_debug_stop stop_of(const struct sch_debug *debug);

/* Goes on, and says where it stopped; one instruction on, one back. */
struct sch_debug_stop go(struct sch_debug *debug, enum sch_debug_step step, bool back, uint32_t events);
struct sch_debug_stop step(struct sch_debug *debug);
struct sch_debug_stop step_back(struct sch_debug *debug);

uint32_t word(const struct sch_debug *debug, enum sch_file file, uint32_t index, unsigned channel, unsigned lane);

/* A stop, and the sum of all registers in all lanes, masks, constructs, changes and the beginning of shared memory. */
struct moment {
    struct sch_debug_stop stop;
    uint64_t sum;
};
struct moment moment_of(const struct sch_debug *debug);
void assert_same(const struct moment *is, const struct moment *was);

enum { MOST_MOMENTS = 4096 };

/* All moments of the invocation's group, in their order, behind which the run has ended; how many. */
uint32_t record(struct sch_debug *debug, struct moment *moments);

/* From the end of the run `walks` times some steps forward or back, or to a moment: all is as it was recorded. */
void walk(struct sch_debug *debug, const struct moment *moments, uint32_t count, unsigned walks, uint64_t seed);

#endif
