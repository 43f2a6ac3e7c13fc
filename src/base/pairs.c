/* Open addressing. Pairs that differ in the second number only, as most do, follow each other. */
#include "base/pairs.h"

enum { FIRST_SLOTS = 16 };

static uint32_t *slot_of(const struct sch_pairs *pairs, uint32_t first, uint32_t second)
{
    static const uint32_t golden = 0x9e3779b1; /* of 2^32: its multiples are far apart */
    const uint32_t hash = first * golden;
    const uint64_t begin = (uint64_t)hash * pairs->slot_count;
    for (uint32_t at = (uint32_t)(begin >> 32) + second;; at++) {
        uint32_t *slot = &pairs->slots[at & (pairs->slot_count - 1)];
        if (!*slot) return slot;
        const struct sch_pair *pair = &pairs->items[*slot - 1];
        if (pair->first == first && pair->second == second) return slot;
    }
}

static bool make_room(struct sch_pairs *pairs)
{
    if (!SCH_ARENA_GROW(pairs->arena, pairs->items, pairs->capacity, pairs->count)) return false;
    if (2 * (pairs->count + 1) <= pairs->slot_count) return true;
    uint32_t slots = pairs->slot_count ? 2 * pairs->slot_count : FIRST_SLOTS;
    uint32_t *larger = SCH_ARENA_ARRAY(pairs->arena, uint32_t, slots);
    if (!larger) return false;
    pairs->slots = larger;
    pairs->slot_count = slots;
    for (uint32_t i = 0; i < pairs->count; i++) *slot_of(pairs, pairs->items[i].first, pairs->items[i].second) = i + 1;
    return true;
}

uint32_t sch_pairs_find(const struct sch_pairs *pairs, uint32_t first, uint32_t second)
{
    return pairs->slot_count ? *slot_of(pairs, first, second) - 1 : SCH_PAIRS_NONE;
}

uint32_t sch_pairs_add(struct sch_pairs *pairs, uint32_t first, uint32_t second)
{
    uint32_t number = sch_pairs_find(pairs, first, second);
    if (number != SCH_PAIRS_NONE) return number;
    if (!make_room(pairs)) return SCH_PAIRS_NONE;
    number = pairs->count++;
    pairs->items[number] = (struct sch_pair){first, second};
    *slot_of(pairs, first, second) = pairs->count;
    return number;
}
