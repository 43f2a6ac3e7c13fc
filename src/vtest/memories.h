/* The memory that the resources of a client have: shared with the client through a descriptor, or of protocol 0, which
 * shares none and sends the bytes. Found by the client's handles. Holds no resource. */
#ifndef SCH_VTEST_MEMORIES_H
#define SCH_VTEST_MEMORIES_H

#include "../virgl/virgl.h"
#include "sandbox.h"

struct sch_vtest_memory {
    uint32_t handle;
    bool shared;
    size_t bytes;
    void *data;
    unsigned size;                 /* of its addresses: so many times a page is doubled */
    struct sch_vtest_memory *next; /* of those whose addresses are free */
};

enum { SCH_VTEST_SIZES = 32 };

struct sch_vtest_memories {
    const struct sch_allocator *allocator;
    struct sch_virgl_map map; /* of struct sch_vtest_memory by handles */
    uint64_t held, most;      /* bytes: whole pages of shared memory, which stay counted while anyone can have them */
    struct sch_vtest_addresses addresses;
    uint64_t next;                                  /* address that no memory has had */
    struct sch_vtest_memory *free[SCH_VTEST_SIZES]; /* whose addresses were used, and are free */
};

/* `addresses`: of what is shared. */
void sch_vtest_memories_init(struct sch_vtest_memories *memories, const struct sch_allocator *allocator, uint64_t most,
                             const struct sch_vtest_addresses *addresses);
void sch_vtest_memories_release(struct sch_vtest_memories *memories);

/* NULL: the handle has none. */
const struct sch_vtest_memory *sch_vtest_memory_find(const struct sch_vtest_memories *memories, uint32_t handle);

/* The next one from *at on, which begins at 0 and which it moves on; NULL: there is no other. */
const struct sch_vtest_memory *sch_vtest_memory_next(const struct sch_vtest_memories *memories, uint32_t *at);

/* A descriptor of shared memory of so many bytes, all zero, which no one can make smaller or larger: a client that
 * could would end this process (SIGBUS). -1: there is none, and errno says why. The caller closes it. */
int sch_vtest_memory_open(size_t bytes);

/* NULL, or for the log why the client's resources may not have so many bytes more. */
const char *sch_vtest_memory_room(const struct sch_vtest_memories *memories, size_t bytes, bool shared);

/* Makes memory for a handle that has none; `descriptor` -1: private. NULL, or for the log why there is none. */
const char *sch_vtest_memory_add(struct sch_vtest_memories *memories, uint32_t handle, size_t bytes, int descriptor);

/* Frees the memory; nothing if the handle has none. Shared memory loses its pages whoever has a descriptor of it or a
 * mapping, which reads zeros from here on. */
void sch_vtest_memory_remove(struct sch_vtest_memories *memories, uint32_t handle);

#endif
