/* See memories.h. */
#include "memories.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FIRST_PLACES = 64 };

void sch_vtest_memories_init(struct sch_vtest_memories *memories, const struct sch_allocator *allocator, uint64_t most)
{
    *memories = (struct sch_vtest_memories){.allocator = allocator, .most = most};
}

static void free_memory(struct sch_vtest_memories *memories, const struct sch_vtest_memory *memory)
{
    if (memory->shared)
        munmap(memory->data, memory->bytes);
    else
        memories->allocator->free(memories->allocator->user, memory->data);
    memories->held -= memory->bytes;
}

void sch_vtest_memories_release(struct sch_vtest_memories *memories)
{
    for (uint32_t i = 0; i < memories->places; i++)
        if (memories->table[i].handle) free_memory(memories, &memories->table[i]);
    if (memories->table) memories->allocator->free(memories->allocator->user, memories->table);
    *memories = (struct sch_vtest_memories){0};
}

/* ---- the table ---- */

/* Handles count up: their products with an odd number are spread over the places. */
static uint32_t home_of(uint32_t handle, uint32_t places) { return handle * 2654435769u & (places - 1); }

/* The place of a handle, or the empty one where it would be. */
static uint32_t place_of(const struct sch_vtest_memory *table, uint32_t places, uint32_t handle)
{
    uint32_t at = home_of(handle, places);
    while (table[at].handle && table[at].handle != handle) at = (at + 1) & (places - 1);
    return at;
}

/* Room for one more, of which a quarter stays empty. */
static bool reserve(struct sch_vtest_memories *memories)
{
    if (memories->count + 1 <= memories->places / 4 * 3) return true;
    const uint32_t places = memories->places ? memories->places * 2 : FIRST_PLACES;
    const size_t bytes = places * sizeof(struct sch_vtest_memory);
    struct sch_vtest_memory *table = memories->allocator->alloc(memories->allocator->user, bytes);
    if (!table) return false;
    memset(table, 0, bytes);
    for (uint32_t i = 0; i < memories->places; i++)
        if (memories->table[i].handle) table[place_of(table, places, memories->table[i].handle)] = memories->table[i];
    if (memories->table) memories->allocator->free(memories->allocator->user, memories->table);
    memories->table = table;
    memories->places = places;
    return true;
}

const struct sch_vtest_memory *sch_vtest_memory_find(const struct sch_vtest_memories *memories, uint32_t handle)
{
    if (!memories->places || !handle) return NULL;
    const struct sch_vtest_memory *found = &memories->table[place_of(memories->table, memories->places, handle)];
    return found->handle ? found : NULL;
}

void sch_vtest_memory_remove(struct sch_vtest_memories *memories, uint32_t handle)
{
    const struct sch_vtest_memory *found = sch_vtest_memory_find(memories, handle);
    if (!found) return;
    free_memory(memories, found);
    const uint32_t mask = memories->places - 1;
    uint32_t empty = (uint32_t)(found - memories->table);
    /* What stands behind it moves up, unless it would stand before its home then. */
    for (uint32_t at = (empty + 1) & mask; memories->table[at].handle; at = (at + 1) & mask) {
        const uint32_t home = home_of(memories->table[at].handle, memories->places);
        if (((at - home) & mask) < ((at - empty) & mask)) continue;
        memories->table[empty] = memories->table[at];
        empty = at;
    }
    memories->table[empty] = (struct sch_vtest_memory){0};
    memories->count--;
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
    if (!reserve(memories)) return "memory is out";
    void *data = descriptor < 0 ? make_private(memories, bytes)
                                : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (!data) return "memory is out";
    if (data == MAP_FAILED) return "the system maps no more memory";
    memories->table[place_of(memories->table, memories->places, handle)] =
        (struct sch_vtest_memory){.handle = handle, .shared = descriptor >= 0, .bytes = bytes, .data = data};
    memories->count++;
    memories->held += bytes;
    return NULL;
}
