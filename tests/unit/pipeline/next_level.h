/* Levels of operations in turn, for tests that use one at a time. */
#ifndef SCH_TEST_NEXT_LEVEL_H
#define SCH_TEST_NEXT_LEVEL_H

#include "ops/ops.h"

static inline const struct sch_ops *next_level(void)
{
    static unsigned turn;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    return levels[turn++ % count];
}

#endif
