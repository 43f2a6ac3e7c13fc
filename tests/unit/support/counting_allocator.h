/* An allocator for tests of src/base that counts what is out and refuses when told to. Holds no test. */
#ifndef TESTS_COUNTING_ALLOCATOR_H
#define TESTS_COUNTING_ALLOCATOR_H

#include <stdlib.h>

#include "base/allocator.h"

/* An allocator that counts what is out and refuses after a number of allocations. */
struct counting {
    size_t allocations, frees, refuse_after;
    size_t bytes;     /* all that was asked for */
    size_t sizes[40]; /* of the first allocations */
};

static inline void *counting_alloc(void *user, size_t bytes)
{
    struct counting *counting = user;
    if (counting->allocations >= counting->refuse_after) return NULL;
    if (counting->allocations < sizeof counting->sizes / sizeof *counting->sizes)
        counting->sizes[counting->allocations] = bytes;
    counting->allocations++;
    counting->bytes += bytes;
    return malloc(bytes);
}

static inline void counting_free(void *user, void *memory)
{
    struct counting *counting = user;
    if (memory) counting->frees++;
    free(memory);
}

static inline struct sch_allocator counting_allocator(struct counting *counting)
{
    return (struct sch_allocator){counting_alloc, counting_free, counting};
}

#endif
