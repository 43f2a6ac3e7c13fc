/* Which engine a test program runs its shaders on: SCH_TEST_ENGINE, so that one program tests several. */
#ifndef TESTS_ENGINE_H
#define TESTS_ENGINE_H

#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

static inline enum sch_engine engine_wanted(enum sch_engine otherwise)
{
    const char *engine = getenv("SCH_TEST_ENGINE");
    if (!engine) return otherwise;
    return strcmp(engine, "jit") == 0 ? SCH_ENGINE_JIT : SCH_ENGINE_AUTO;
}

#endif
