/* See races.h. */
#include "run/races.h"

#include <string.h>

enum { FIRST_CAPACITY = 1 << 8 };

void sch_run_races_init(struct sch_run_races *races, const struct sch_allocator *allocator, size_t limit)
{
    *races = (struct sch_run_races){.pages = NULL};
    sch_arena_init(&races->arena, allocator, limit);
}

void sch_run_races_release(struct sch_run_races *races) { sch_arena_release(&races->arena); }

/* Where a page is, or would be. */
static struct sch_run_page **slot_of(const struct sch_run_races *races, uintptr_t number)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(number * factor >> 32) & (races->capacity - 1);
    while (races->pages[at] && races->pages[at]->number != number) at = (at + 1) & (races->capacity - 1);
    return &races->pages[at];
}

static bool grow(struct sch_run_races *races)
{
    struct sch_run_races larger = *races;
    larger.capacity = races->capacity ? 2 * races->capacity : FIRST_CAPACITY;
    larger.pages = SCH_ARENA_ARRAY(&races->arena, struct sch_run_page *, larger.capacity);
    if (!larger.pages) return false;
    for (size_t i = 0; i < races->capacity; i++)
        if (races->pages[i]) *slot_of(&larger, races->pages[i]->number) = races->pages[i];
    races->capacity = larger.capacity;
    races->pages = larger.pages;
    return true;
}

struct sch_run_word *sch_run_races_word(struct sch_run_races *races, uintptr_t address)
{
    const uintptr_t number = address / (SCH_RUN_PAGE_WORDS * SCH_RUN_WORD_BYTES);
    const size_t word = address / SCH_RUN_WORD_BYTES % SCH_RUN_PAGE_WORDS;
    if (races->last && races->last->number == number) return &races->last->words[word];
    if (!races->full && 2 * races->count >= races->capacity && !grow(races)) races->full = true;
    if (!races->capacity) return NULL;
    struct sch_run_page **slot = slot_of(races, number);
    if (!*slot) {
        if (!races->full) *slot = SCH_ARENA_NEW(&races->arena, struct sch_run_page);
        if (!*slot) {
            races->full = true;
            return NULL;
        }
        (*slot)->number = number;
        races->count++;
    }
    races->last = *slot;
    return &races->last->words[word];
}

/* How far two readers are apart: who writes later should meet one that is not of its thread, group or work group. */
static unsigned difference(const struct sch_run_stamp *a, const struct sch_run_stamp *b)
{
    if (!a->bytes || !b->bytes) return 0;
    if (a->unit != b->unit) return 4;
    if (a->clock != b->clock) return 1; /* a barrier has passed since */
    if (a->thread / SCH_GROUP_LANES != b->thread / SCH_GROUP_LANES) return 3;
    return a->thread != b->thread ? 2 : 0;
}

void sch_run_races_note(struct sch_run_word *word, const struct sch_run_stamp *stamp)
{
    if (stamp->touch == SCH_EXEC_WRITES) {
        word->write = *stamp;
    } else if (stamp->touch == SCH_EXEC_UPDATES) {
        word->update = *stamp;
    } else {
        const bool second = difference(stamp, &word->read[1]) > difference(stamp, &word->read[0]);
        const struct sch_run_stamp other = word->read[second];
        const bool same = !difference(stamp, &other);
        word->read[0] = *stamp;
        word->read[1] = same ? (struct sch_run_stamp){.bytes = 0} : other;
    }
}
