/* An allocator for tests of failing allocations. Knows no test framework. */
#include "counting.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Before a block its length, behind it a mark. */
enum { HEAD = 16, TAIL = 8, FRESH = 0x55, MARK = 0xc5 };

static void *counting_alloc(void *user, size_t bytes)
{
    struct counting *counting = user;
    const long call = ++counting->calls, from = counting->fail_from;
    if (call == counting->fail_at || (from && call >= from) || bytes > SIZE_MAX / 2) return NULL;
    unsigned char *memory = malloc(HEAD + bytes + TAIL);
    if (!memory) return NULL;
    counting->live++;
    memcpy(memory, &bytes, sizeof bytes);
    memset(memory + HEAD, FRESH, bytes);
    memset(memory + HEAD + bytes, MARK, TAIL);
    return memory + HEAD;
}

static void counting_free(void *user, void *memory)
{
    struct counting *counting = user;
    if (!memory) abort(); /* what was never given is not given back */
    unsigned char *block = (unsigned char *)memory - HEAD;
    size_t bytes;
    counting->live--;
    memcpy(&bytes, block, sizeof bytes);
    for (unsigned i = 0; i < TAIL; i++)
        if (block[HEAD + bytes + i] != MARK) abort();
    free(block);
}

struct sch_allocator counting_callbacks(struct counting *counting)
{
    return (struct sch_allocator){counting_alloc, counting_free, counting};
}
