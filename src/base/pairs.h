/* A list of pairs of numbers without repetition, in the order in which they came, in an arena: a hash table finds each.
 * What the pairs mean is the caller's. */
#ifndef SCH_BASE_PAIRS_H
#define SCH_BASE_PAIRS_H

#include "base/arena.h"

struct sch_pair {
    uint32_t first, second;
};

/* Begins as {.arena = ...}, without any. */
struct sch_pairs {
    struct sch_arena *arena;
    struct sch_pair *items;
    size_t capacity;
    uint32_t count;
    uint32_t *slots;     /* of the table: a pair's place + 1, or 0 */
    uint32_t slot_count; /* a power of two, from 16; more than half of them are free, or half */
};

#define SCH_PAIRS_NONE UINT32_MAX

/* The place of a pair; NONE: it is not there. */
uint32_t sch_pairs_find(const struct sch_pairs *pairs, uint32_t first, uint32_t second);

/* The same of a pair that comes last where it was not there; NONE: no memory. */
uint32_t sch_pairs_add(struct sch_pairs *pairs, uint32_t first, uint32_t second);

#endif
