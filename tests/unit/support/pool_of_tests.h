/* A pool of threads for tests that run programs below the public API. */
#ifndef SCH_TESTS_POOL_OF_TESTS_H
#define SCH_TESTS_POOL_OF_TESTS_H

struct sch_pool;

/* The one of the test program; it ends with it. */
struct sch_pool *pool_of_tests(void);

#endif
