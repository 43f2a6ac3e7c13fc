/* See memories.h. */
#include "memories.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void sch_vtest_memories_init(struct sch_vtest_memories *memories, const struct sch_allocator *allocator, uint64_t most)
{
    *memories = (struct sch_vtest_memories){.allocator = allocator, .most = most};
    sch_virgl_map_init(&memories->map);
}

static void free_memory(struct sch_vtest_memories *memories, struct sch_vtest_memory *memory)
{
    if (memory->shared)
        munmap(memory->data, memory->bytes);
    else
        memories->allocator->free(memories->allocator->user, memory->data);
    memories->held -= memory->bytes;
    memories->allocator->free(memories->allocator->user, memory);
}

void sch_vtest_memories_release(struct sch_vtest_memories *memories)
{
    uint32_t at = 0;
    for (struct sch_vtest_memory *memory; (memory = sch_virgl_map_next(&memories->map, &at));)
        free_memory(memories, memory);
    sch_virgl_map_release(&memories->map, memories->allocator);
    *memories = (struct sch_vtest_memories){0};
}

const struct sch_vtest_memory *sch_vtest_memory_find(const struct sch_vtest_memories *memories, uint32_t handle)
{
    return sch_virgl_map_get(&memories->map, handle);
}

const struct sch_vtest_memory *sch_vtest_memory_next(const struct sch_vtest_memories *memories, uint32_t *at)
{
    return sch_virgl_map_next(&memories->map, at);
}

void sch_vtest_memory_remove(struct sch_vtest_memories *memories, uint32_t handle)
{
    struct sch_vtest_memory *found = sch_virgl_map_remove(&memories->map, handle);
    if (found) free_memory(memories, found);
}

/* ---- the memory ---- */

int sch_vtest_memory_open(size_t bytes)
{
    const int descriptor = memfd_create("scheelite", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, (off_t)bytes) == 0 &&
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

static void *make_private(const struct sch_vtest_memories *memories, size_t bytes)
{
    void *data = memories->allocator->alloc(memories->allocator->user, bytes);
    if (data) memset(data, 0, bytes);
    return data;
}

const char *sch_vtest_memory_add(struct sch_vtest_memories *memories, uint32_t handle, size_t bytes, int descriptor)
{
    if (bytes > memories->most - memories->held) return "the client's resources have as much memory as they may";
    struct sch_vtest_memory *made = memories->allocator->alloc(memories->allocator->user, sizeof *made);
    if (!made) return "memory is out";
    void *data = descriptor < 0 ? make_private(memories, bytes)
                                : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    const bool mapped = data && data != MAP_FAILED;
    *made = (struct sch_vtest_memory){.handle = handle, .shared = descriptor >= 0, .bytes = bytes, .data = data};
    memories->held += bytes;
    if (mapped && sch_virgl_map_put(&memories->map, memories->allocator, handle, made)) return NULL;
    if (mapped) {
        free_memory(memories, made);
        return "memory is out";
    }
    memories->held -= bytes;
    memories->allocator->free(memories->allocator->user, made);
    return data ? "the system maps no more memory" : "memory is out";
}
