/* What a client's numbers stand for: any 32-bit number but 0 to a pointer, in expected constant time, whatever numbers
 * the client chooses to make it slow. Knows nothing of what is kept. */
#ifndef SCH_VIRGL_MAP_H
#define SCH_VIRGL_MAP_H

#include <scheelite/scheelite.h>

struct sch_virgl_map {
    struct sch_virgl_entry {
        uint32_t key; /* 0: none */
        void *value;
    } * entries;
    uint32_t count, room; /* room: 0 or a power of two */
    uint64_t seed;        /* so that it cannot be known which numbers meet */
};

void sch_virgl_map_init(struct sch_virgl_map *map);
void *sch_virgl_map_get(const struct sch_virgl_map *map, uint32_t key); /* NULL: none */
/* False: no memory. The key is not 0 and not there. */
bool sch_virgl_map_put(struct sch_virgl_map *map, const struct sch_allocator *memory, uint32_t key, void *value);
void *sch_virgl_map_remove(struct sch_virgl_map *map, uint32_t key); /* what was there */
void sch_virgl_map_release(struct sch_virgl_map *map, const struct sch_allocator *memory);

/* The next value from entry *at on, which it moves on; NULL: there is no other. */
void *sch_virgl_map_next(const struct sch_virgl_map *map, uint32_t *at);

#endif
