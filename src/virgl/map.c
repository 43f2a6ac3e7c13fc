/* Open addressing with linear probing; a removed entry's followers move up. */
#include "map.h"

#include <string.h>
#include <sys/random.h>

enum { FIRST_ROOM = 16 };

void sch_virgl_map_init(struct sch_virgl_map *map)
{
    memset(map, 0, sizeof *map);
    if (getrandom(&map->seed, sizeof map->seed, GRND_NONBLOCK) < 0) map->seed = (uintptr_t)map;
    map->seed |= 1;
}

static uint32_t home(const struct sch_virgl_map *map, uint32_t key)
{
    const uint64_t mixed = (key + UINT64_C(0x9e3779b97f4a7c15)) * map->seed;
    return (uint32_t)((mixed ^ mixed >> 32) * UINT64_C(0xd6e8feb86659fd93) >> 32) & (map->room - 1);
}

static uint32_t find(const struct sch_virgl_map *map, uint32_t key)
{
    uint32_t at = home(map, key);
    while (map->entries[at].key && map->entries[at].key != key) at = (at + 1) & (map->room - 1);
    return at;
}

void *sch_virgl_map_get(const struct sch_virgl_map *map, uint32_t key)
{
    if (!map->room || !key) return NULL;
    const struct sch_virgl_entry *entry = &map->entries[find(map, key)];
    return entry->key ? entry->value : NULL;
}

static bool grow(struct sch_virgl_map *map, const struct sch_allocator *memory)
{
    struct sch_virgl_map made = *map;
    made.room = map->room ? map->room * 2 : FIRST_ROOM;
    made.entries = memory->alloc(memory->user, made.room * sizeof *made.entries);
    if (!made.entries) return false;
    memset(made.entries, 0, made.room * sizeof *made.entries);
    for (uint32_t i = 0; i < map->room; i++)
        if (map->entries[i].key) made.entries[find(&made, map->entries[i].key)] = map->entries[i];
    if (map->entries) memory->free(memory->user, map->entries);
    *map = made;
    return true;
}

bool sch_virgl_map_put(struct sch_virgl_map *map, const struct sch_allocator *memory, uint32_t key, void *value)
{
    if ((map->count + 1) * 2 > map->room && !grow(map, memory)) return false;
    map->entries[find(map, key)] = (struct sch_virgl_entry){key, value};
    map->count++;
    return true;
}

void *sch_virgl_map_remove(struct sch_virgl_map *map, uint32_t key)
{
    if (!map->room || !key) return NULL;
    uint32_t at = find(map, key);
    void *value = map->entries[at].value;
    if (!map->entries[at].key) return NULL;
    map->entries[at] = (struct sch_virgl_entry){0};
    map->count--;
    for (uint32_t next = (at + 1) & (map->room - 1); map->entries[next].key; next = (next + 1) & (map->room - 1)) {
        const struct sch_virgl_entry entry = map->entries[next];
        map->entries[next] = (struct sch_virgl_entry){0};
        map->entries[find(map, entry.key)] = entry;
    }
    return value;
}

void sch_virgl_map_release(struct sch_virgl_map *map, const struct sch_allocator *memory)
{
    if (map->entries) memory->free(memory->user, map->entries);
    memset(map, 0, sizeof *map);
}

void *sch_virgl_map_next(const struct sch_virgl_map *map, uint32_t *at)
{
    while (*at < map->room) {
        const struct sch_virgl_entry *entry = &map->entries[(*at)++];
        if (entry->key) return entry->value;
    }
    return NULL;
}
