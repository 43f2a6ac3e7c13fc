/* An allocator that counts what is out and refuses its n-th call, for tests of failing allocations. What is written
 * behind a block ends the program when the block is given back. */
#ifndef TESTS_COUNTING_H
#define TESTS_COUNTING_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

struct counting {
    atomic_long calls, live, fail_at; /* fail_at 0: never */
};

/* Before a block its length, behind it a mark. */
enum { COUNTING_HEAD = 16, COUNTING_TAIL = 8 };

static inline void *counting_alloc(void *user, size_t bytes)
{
    struct counting *counting = user;
    if (++counting->calls == counting->fail_at || bytes > SIZE_MAX / 2) return NULL;
    unsigned char *memory = malloc(COUNTING_HEAD + bytes + COUNTING_TAIL);
    if (!memory) return NULL;
    counting->live++;
    memcpy(memory, &bytes, sizeof bytes);
    memset(memory + COUNTING_HEAD + bytes, 0xc5, COUNTING_TAIL);
    return memory + COUNTING_HEAD;
}

static inline void counting_free(void *user, void *memory)
{
    struct counting *counting = user;
    unsigned char *block = (unsigned char *)memory - COUNTING_HEAD;
    size_t bytes;
    counting->live--;
    memcpy(&bytes, block, sizeof bytes);
    for (unsigned i = 0; i < COUNTING_TAIL; i++)
        if (block[COUNTING_HEAD + bytes + i] != 0xc5) abort();
    free(block);
}

static inline struct sch_allocator counting_callbacks(struct counting *counting)
{
    return (struct sch_allocator){counting_alloc, counting_free, counting};
}

#endif
