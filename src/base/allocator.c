/* See base/allocator.h. */
#include "base/allocator.h"

#include <stdlib.h>

static void *libc_alloc(void *user, size_t bytes)
{
    (void)user;
    return malloc(bytes);
}

static void libc_free(void *user, void *memory)
{
    (void)user;
    free(memory);
}

const struct sch_allocator sch_allocator_libc = {libc_alloc, libc_free, NULL};
