/* The region allocator: blocks that double in size, chained newest first. What is larger than the next of them has a
 * block for itself after the newest, whose room stays in use. */
#include "base/arena.h"

#include <string.h>

#include "base/checked.h"

#define FIRST_BLOCK  4096u
#define LARGEST_STEP (1u << 20)
#define BLOCK_ALIGN  64u
#define FIRST_ITEMS  8u
#define MOST_KEPT    (1u << 18)

struct sch_arena_block {
    struct sch_arena_block *older;
    size_t capacity; /* bytes after the header */
    size_t used;
    unsigned char *bytes; /* aligned to BLOCK_ALIGN */
};

void sch_arena_init(struct sch_arena *arena, const struct sch_allocator *allocator, size_t limit)
{
    *arena = (struct sch_arena){.allocator = *allocator, .limit = limit};
}

void sch_arena_release(struct sch_arena *arena)
{
    struct sch_arena_block *block = arena->blocks;
    while (block) {
        struct sch_arena_block *older = block->older;
        arena->allocator.free(arena->allocator.user, block);
        block = older;
    }
    arena->blocks = NULL;
    arena->used = 0;
}

static size_t bytes_of(const struct sch_arena_block *block) { return block->capacity + sizeof *block + BLOCK_ALIGN; }

void sch_arena_reset(struct sch_arena *arena, size_t limit)
{
    struct sch_arena_block **at = &arena->blocks, *kept = NULL;
    for (struct sch_arena_block *block = *at; block; block = block->older) {
        if (bytes_of(block) > MOST_KEPT || (limit && bytes_of(block) > limit)) continue;
        if (!kept || block->capacity > kept->capacity) kept = block;
    }
    while (*at && *at != kept) at = &(*at)->older;
    if (kept) {
        *at = kept->older;
        kept->older = NULL;
        kept->used = 0;
    }
    sch_arena_release(arena);
    *arena = (struct sch_arena){
        .allocator = arena->allocator, .blocks = kept, .used = kept ? bytes_of(kept) : 0, .limit = limit};
}

static struct sch_arena_block *new_block(struct sch_arena *arena, size_t need)
{
    size_t capacity = arena->blocks ? arena->blocks->capacity * 2 : FIRST_BLOCK;
    if (capacity > LARGEST_STEP) capacity = LARGEST_STEP;
    const bool alone = arena->blocks && capacity < need;
    if (capacity < need) capacity = need;

    size_t total, used;
    if (!sch_add_size(capacity, sizeof(struct sch_arena_block) + BLOCK_ALIGN, &total)) return NULL;
    if (!sch_add_size(arena->used, total, &used)) return NULL;
    if (arena->limit && used > arena->limit) {
        arena->limited = true;
        return NULL;
    }

    struct sch_arena_block *block = arena->allocator.alloc(arena->allocator.user, total);
    if (!block) return NULL;
    uintptr_t start = (uintptr_t)(block + 1);
    block->bytes = (unsigned char *)((start + BLOCK_ALIGN - 1) & ~(uintptr_t)(BLOCK_ALIGN - 1));
    block->capacity = capacity;
    block->used = 0;
    struct sch_arena_block **at = alone ? &arena->blocks->older : &arena->blocks;
    block->older = *at;
    *at = block;
    arena->used = used;
    return block;
}

static size_t next_start(const struct sch_arena_block *block, size_t align)
{
    return (block->used + align - 1) & ~(align - 1);
}

static bool has_room(const struct sch_arena_block *block, size_t bytes, size_t align)
{
    size_t start = next_start(block, align);
    return start <= block->capacity && bytes <= block->capacity - start;
}

/* Memory with whatever was in it. */
static inline unsigned char *take(struct sch_arena *arena, size_t bytes, size_t align)
{
    struct sch_arena_block *block = arena->blocks;
    if (!block || !has_room(block, bytes, align)) block = new_block(arena, bytes);
    if (!block) {
        arena->failed = true;
        return NULL;
    }
    size_t start = next_start(block, align);
    block->used = start + bytes;
    return block->bytes + start;
}

static inline void *take_zeroed(struct sch_arena *arena, size_t bytes, size_t zeroed, size_t align)
{
    void *memory = take(arena, bytes, align);
    return memory && zeroed ? memset(memory, 0, zeroed) : memory;
}

void *sch_arena_room(struct sch_arena *arena, size_t bytes, size_t zeroed, size_t align)
{
    return take_zeroed(arena, bytes, zeroed, align);
}

void *sch_arena_alloc(struct sch_arena *arena, size_t bytes, size_t align)
{
    return take_zeroed(arena, bytes, bytes, align);
}

void *sch_arena_array(struct sch_arena *arena, size_t count, size_t element, size_t align)
{
    size_t bytes;
    if (!sch_mul_size(count, element, &bytes)) {
        arena->failed = true;
        return NULL;
    }
    return take_zeroed(arena, bytes, bytes, align);
}

char *sch_arena_string(struct sch_arena *arena, const char *text, size_t bytes)
{
    if (bytes == SIZE_MAX) {
        arena->failed = true;
        return NULL;
    }
    char *copy = sch_arena_alloc(arena, bytes + 1, 1);
    if (copy && bytes) memcpy(copy, text, bytes);
    return copy;
}

/* Makes memory larger in its place, if it was the last to be taken and its block has room. */
static bool extend(struct sch_arena *arena, const void *memory, size_t before, size_t bytes)
{
    struct sch_arena_block *block = arena->blocks;
    if ((const unsigned char *)memory + before != block->bytes + block->used) return false;
    if (bytes - before > block->capacity - block->used) return false;
    memset(block->bytes + block->used, 0, bytes - before);
    block->used += bytes - before;
    return true;
}

/* Frees the block that memory has for itself, if it has one: large arrays do, and what they leave would otherwise stay
 * as large as they are. */
static void leave(struct sch_arena *arena, const void *memory, size_t bytes)
{
    struct sch_arena_block **at = &arena->blocks;
    while (*at && (*at)->bytes != memory) at = &(*at)->older;
    struct sch_arena_block *block = *at;
    if (!block || block->used != bytes || block->capacity > bytes) return;
    *at = block->older;
    arena->used -= block->capacity + sizeof *block + BLOCK_ALIGN;
    arena->allocator.free(arena->allocator.user, block);
}

bool sch_arena_grow(struct sch_arena *arena, void **items, size_t *capacity, size_t count, size_t element)
{
    if (count < *capacity) return true;
    size_t larger = FIRST_ITEMS, bytes;
    if ((*capacity && !sch_mul_size(*capacity, 2, &larger)) || !sch_mul_size(larger, element, &bytes)) {
        arena->failed = true;
        return false;
    }
    if (*items && extend(arena, *items, *capacity * element, bytes)) {
        *capacity = larger;
        return true;
    }
    unsigned char *moved = take(arena, bytes, alignof(max_align_t));
    if (!moved) return false;
    const size_t before = *capacity * element;
    if (before) memcpy(moved, *items, before);
    memset(moved + before, 0, bytes - before);
    if (before) leave(arena, *items, before);
    *items = moved;
    *capacity = larger;
    return true;
}
