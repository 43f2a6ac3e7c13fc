/* An allocator that counts what is out and refuses its n-th call, for tests of failing allocations. */
#ifndef TESTS_COUNTING_H
#define TESTS_COUNTING_H

#include <stdatomic.h>
#include <stdlib.h>

#include <scheelite/scheelite.h>

struct counting {
    atomic_long calls, live, fail_at; /* fail_at 0: never */
};

static inline void *counting_alloc(void *user, size_t bytes)
{
    struct counting *counting = user;
    if (++counting->calls == counting->fail_at) return NULL;
    void *memory = malloc(bytes);
    if (memory) counting->live++;
    return memory;
}

static inline void counting_free(void *user, void *memory)
{
    struct counting *counting = user;
    counting->live--;
    free(memory);
}

static inline struct sch_memory_callbacks counting_callbacks(struct counting *counting)
{
    return (struct sch_memory_callbacks){counting_alloc, counting_free, counting};
}

#endif
