/* An allocator for tests of failing allocations. It counts what is out, and refuses one request or all from one on.
 * What it gives holds no zeros; what is written behind a block ends the program when the block is given back. */
#ifndef TESTS_COUNTING_H
#define TESTS_COUNTING_H

#include <stdatomic.h>

#include <scheelite/scheelite.h>

struct counting {
    atomic_long calls, live;
    atomic_long fail_at;   /* this request alone, the first is 1; 0: none */
    atomic_long fail_from; /* this request and all behind it; 0: none */
};

struct sch_allocator counting_callbacks(struct counting *counting);

#endif
