/* The memory that the resources of a client have: shared with the client through a descriptor, or of protocol 0, which
 * shares none and sends the bytes. Found by the client's handles. Holds no resource. */
#ifndef SCH_VTEST_MEMORIES_H
#define SCH_VTEST_MEMORIES_H

#include "../virgl/virgl.h"

struct sch_vtest_memory {
    uint32_t handle;
    bool shared;
    size_t bytes;
    void *data;
};

struct sch_vtest_memories {
    const struct sch_allocator *allocator;
    struct sch_virgl_map map; /* of struct sch_vtest_memory by handles */
    uint64_t held, most;      /* bytes */
};

void sch_vtest_memories_init(struct sch_vtest_memories *memories, const struct sch_allocator *allocator, uint64_t most);
void sch_vtest_memories_release(struct sch_vtest_memories *memories);

/* NULL: the handle has none. */
const struct sch_vtest_memory *sch_vtest_memory_find(const struct sch_vtest_memories *memories, uint32_t handle);

/* The next one from *at on, which begins at 0 and which it moves on; NULL: there is no other. */
const struct sch_vtest_memory *sch_vtest_memory_next(const struct sch_vtest_memories *memories, uint32_t *at);

/* A descriptor of shared memory of so many bytes, all zero, which nobody can make smaller or larger: a client that
 * could would end this process (SIGBUS). -1: there is none, and errno says why. The caller closes it. */
int sch_vtest_memory_open(size_t bytes);

/* Makes memory for a handle that has none; `descriptor` -1: private. NULL, or for the log why there is none. */
const char *sch_vtest_memory_add(struct sch_vtest_memories *memories, uint32_t handle, size_t bytes, int descriptor);

/* Unmaps or frees; nothing if the handle has none. */
void sch_vtest_memory_remove(struct sch_vtest_memories *memories, uint32_t handle);

#endif
