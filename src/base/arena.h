/* A region allocator: everything that belongs to one object (a shader, a program) comes from one arena and goes with
 * it. Holds allocation only; no object of the project is known here. Not thread-safe: one arena, one thread at a
 * time. */
#ifndef SCH_BASE_ARENA_H
#define SCH_BASE_ARENA_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/allocator.h"

struct sch_arena_block;

struct sch_arena {
    struct sch_allocator allocator;
    struct sch_arena_block *blocks; /* memory is taken from the first */
    size_t used;                    /* bytes obtained from the allocator, all blocks */
    size_t limit;                   /* bytes that may be obtained; 0 means no limit */
    bool failed;                    /* an allocation was refused since the last reset */
    bool limited;                   /* the limit refused one */
};

void sch_arena_init(struct sch_arena *arena, const struct sch_allocator *allocator, size_t limit);
void sch_arena_release(struct sch_arena *arena);

/* Everything that was taken goes. The largest block stays for what is taken next, if it is small, within the limit,
 * which is set again. */
void sch_arena_reset(struct sch_arena *arena, size_t limit);

/* `bytes` zeroed bytes aligned to `align` (a power of two, at most 64), or NULL with `failed` set. */
void *sch_arena_alloc(struct sch_arena *arena, size_t bytes, size_t align);

/* The same, but only the first `zeroed` bytes are zero; the others are as they are. */
void *sch_arena_room(struct sch_arena *arena, size_t bytes, size_t zeroed, size_t align);

/* `count` zeroed elements; the product is checked. */
void *sch_arena_array(struct sch_arena *arena, size_t count, size_t element, size_t align);

/* A copy of `bytes` bytes and a closing zero byte. */
char *sch_arena_string(struct sch_arena *arena, const char *text, size_t bytes);

#define SCH_ARENA_NEW(arena, type)          ((type *)sch_arena_alloc((arena), sizeof(type), alignof(type)))
#define SCH_ARENA_ARRAY(arena, type, count) ((type *)sch_arena_array((arena), (count), sizeof(type), alignof(type)))

/* Room for one more element in an array that grows by doubling inside an arena, in its place where nothing was taken
 * after it and its block has room. `*items` has `*capacity` elements of `element` bytes, `count` of them used; the new
 * ones are zeroed. What pointed into the array is void: a large array gives its old memory back. Returns false when
 * memory or the limit is exhausted. */
bool sch_arena_grow(struct sch_arena *arena, void **items, size_t *capacity, size_t count, size_t element);

#define SCH_ARENA_GROW(arena, items, capacity, count)                                                                  \
    sch_arena_grow((arena), (void **)&(items), &(capacity), (count), sizeof *(items))

#endif
