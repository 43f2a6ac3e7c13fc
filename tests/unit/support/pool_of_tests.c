/* The pool, made when it is first asked for. */
#include "pool_of_tests.h"

#include <stdlib.h>

#include "base/pool.h"

static struct sch_pool *pool;

static void end(void) { sch_pool_destroy(pool); }

struct sch_pool *pool_of_tests(void)
{
    if (!pool && (pool = sch_pool_create(&sch_allocator_libc, NULL))) atexit(end);
    return pool;
}
