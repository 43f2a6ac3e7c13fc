/* See memories.h. */
#include "memories.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void sch_vtest_memories_init(struct sch_vtest_memories *memories, const struct sch_allocator *allocator, uint64_t most,
                             const struct sch_vtest_addresses *addresses)
{
    *memories = (struct sch_vtest_memories){
        .allocator = allocator, .most = most, .addresses = *addresses, .next = addresses->begin};
    sch_virgl_map_init(&memories->map);
}

/* ---- addresses ---- */

enum { PAGE_BITS = 16 }; /* of the largest pages that systems have */

/* The structure of a memory, with addresses if it is shared and those are chosen here. Addresses of a size that were
 * used are used again, so that they do not run out: each size has at most twice what may be held. NULL: there is no
 * memory. */
static struct sch_vtest_memory *take(struct sch_vtest_memories *memories, size_t bytes, bool shared)
{
    const bool placed = shared && memories->addresses.end;
    unsigned size = 0;
    while (placed && size < SCH_VTEST_SIZES && (UINT64_C(1) << (PAGE_BITS + size)) < bytes) size++;
    if (size == SCH_VTEST_SIZES) return NULL;
    struct sch_vtest_memory *made = memories->free[size];
    if (placed && made) {
        memories->free[size] = made->next;
        return made;
    }
    const uint64_t room = UINT64_C(1) << (PAGE_BITS + size);
    if (placed && room > memories->addresses.middle - memories->next) return NULL;
    made = memories->allocator->alloc(memories->allocator->user, sizeof *made);
    if (!made) return NULL;
    *made = (struct sch_vtest_memory){.size = size};
    if (!placed) return made;
    made->data = (void *)(uintptr_t)memories->next; /* NOLINT(performance-no-int-to-ptr) */
    memories->next += room;
    return made;
}

static void give_back(struct sch_vtest_memories *memories, struct sch_vtest_memory *memory)
{
    if (!memory->shared || !memories->addresses.end) {
        memories->allocator->free(memories->allocator->user, memory);
        return;
    }
    memory->next = memories->free[memory->size];
    memories->free[memory->size] = memory;
}

/* NULL: the system maps no more. */
static void *map_shared(const struct sch_vtest_memories *memories, const struct sch_vtest_memory *memory,
                        int descriptor)
{
    const int flags = MAP_SHARED | (memories->addresses.end ? MAP_FIXED_NOREPLACE : 0);
    void *data = mmap(memory->data, memory->bytes, PROT_READ | PROT_WRITE, flags, descriptor, 0);
    return data == MAP_FAILED ? NULL : data;
}

/* ---- ends ---- */

/* Even one byte that is shared takes a page. */
static uint64_t counted(size_t bytes, bool shared)
{
    const uint64_t page = shared ? (uint64_t)sysconf(_SC_PAGESIZE) : 1;
    return (bytes + page - 1) / page * page;
}

/* The client may keep a descriptor of shared memory, or a mapping, for as long as it wants: the pages that are there go
 * now, and those that it makes by writing later are its own. Pages that the system leaves stay counted. */
static bool free_pages(const struct sch_vtest_memory *memory)
{
    const bool freed = madvise(memory->data, memory->bytes, MADV_REMOVE) == 0;
    munmap(memory->data, memory->bytes);
    return freed;
}

static void free_memory(struct sch_vtest_memories *memories, struct sch_vtest_memory *memory)
{
    bool freed = true;
    if (memory->shared)
        freed = free_pages(memory);
    else
        memories->allocator->free(memories->allocator->user, memory->data);
    if (freed) memories->held -= counted(memory->bytes, memory->shared);
    give_back(memories, memory);
}

void sch_vtest_memories_release(struct sch_vtest_memories *memories)
{
    uint32_t at = 0;
    for (struct sch_vtest_memory *memory; (memory = sch_virgl_map_next(&memories->map, &at));)
        free_memory(memories, memory);
    for (unsigned size = 0; size < SCH_VTEST_SIZES; size++)
        for (struct sch_vtest_memory *memory; (memory = memories->free[size]);) {
            memories->free[size] = memory->next;
            memories->allocator->free(memories->allocator->user, memory);
        }
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

const char *sch_vtest_memory_room(const struct sch_vtest_memories *memories, size_t bytes, bool shared)
{
    if (counted(bytes, shared) <= memories->most - memories->held) return NULL;
    return "the client's resources have as much memory as they may";
}

const char *sch_vtest_memory_add(struct sch_vtest_memories *memories, uint32_t handle, size_t bytes, int descriptor)
{
    const bool shared = descriptor >= 0;
    const char *problem = sch_vtest_memory_room(memories, bytes, shared);
    if (problem) return problem;
    struct sch_vtest_memory *made = take(memories, bytes, shared);
    if (!made) return "memory is out";
    made->handle = handle;
    made->shared = shared;
    made->bytes = bytes;
    void *data = shared ? map_shared(memories, made, descriptor) : make_private(memories, bytes);
    if (!data) {
        give_back(memories, made);
        return shared ? "the system maps no more memory" : "memory is out";
    }
    made->data = data;
    memories->held += counted(bytes, shared);
    if (sch_virgl_map_put(&memories->map, memories->allocator, handle, made)) return NULL;
    free_memory(memories, made);
    return "memory is out";
}
