/* The registers that a shader declares, as disjoint sorted ranges, and the sets that keep reports from repeating. Holds
 * no rule but that a register is declared once. */
#include "ir/check_internal.h"

/* --- sets --- */

static size_t slot_of(const struct sch_check_set *set, uint64_t stored)
{
    size_t slot = (size_t)((stored * 0x9e3779b97f4a7c15u) >> 32) & (set->capacity - 1);
    while (set->slots[slot] && set->slots[slot] != stored) slot = (slot + 1) & (set->capacity - 1);
    return slot;
}

static bool grow_set(struct sch_check *check, struct sch_check_set *set)
{
    struct sch_check_set larger = {.capacity = set->capacity ? set->capacity * 2 : 64};
    larger.slots = SCH_ARENA_ARRAY(&check->arena, uint64_t, larger.capacity);
    if (!larger.slots) return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i]) larger.slots[slot_of(&larger, set->slots[i])] = set->slots[i];
    larger.count = set->count;
    *set = larger;
    return true;
}

bool sch_check_set_has(const struct sch_check_set *set, uint64_t number)
{
    return set->capacity && set->slots[slot_of(set, number + 1)];
}

bool sch_check_set_add(struct sch_check *check, struct sch_check_set *set, uint64_t number)
{
    if (set->count * 2 >= set->capacity && !grow_set(check, set)) return false;
    size_t slot = slot_of(set, number + 1);
    if (set->slots[slot]) return false;
    set->slots[slot] = number + 1;
    set->count++;
    return true;
}

/* --- ranges --- */

static uint64_t key_of(const struct sch_ir_declaration *declaration, unsigned index)
{
    return SCH_CHECK_KEY(declaration->file, declaration->has_dimension ? declaration->dimension : 0, index);
}

/* A stable radix sort by first register: linear, and of equal ones the earlier declaration stays first. */
static void sort_ranges(struct sch_check_range *ranges, struct sch_check_range *other, size_t count)
{
    enum { KEY_BYTES = 7 };
    struct sch_check_range *from = ranges, *to = other;
    for (unsigned byte = 0; byte < KEY_BYTES; byte++) {
        size_t start[257] = {0};
        for (size_t i = 0; i < count; i++) start[(from[i].first >> (8 * byte) & 0xff) + 1]++;
        for (unsigned i = 0; i < 256; i++) start[i + 1] += start[i];
        for (size_t i = 0; i < count; i++) to[start[from[i].first >> (8 * byte) & 0xff]++] = from[i];
        struct sch_check_range *swap = from;
        from = to;
        to = swap;
    }
    if (from != ranges)
        for (size_t i = 0; i < count; i++) ranges[i] = from[i];
}

/* The semantic index of a register that a declaration declares: a range counts its indices up. */
static unsigned semantic_index(const struct sch_ir_declaration *declaration, unsigned index)
{
    return declaration->semantic_index + (index - declaration->first);
}

/* Whether two declarations of one register say the same about what it is. */
static bool same_register(const struct sch_ir_declaration *a, const struct sch_ir_declaration *b, unsigned index)
{
    if (a->has_semantic != b->has_semantic || a->target != b->target || a->format != b->format) return false;
    if (a->raw != b->raw || a->writable != b->writable || a->memory_kind != b->memory_kind) return false;
    return !a->has_semantic || (a->semantic == b->semantic && semantic_index(a, index) == semantic_index(b, index));
}

static void report_twice(struct sch_check *check, const struct sch_check_range *a, const struct sch_check_range *b)
{
    const struct sch_ir_declaration *later = a->declaration > b->declaration ? a->declaration : b->declaration;
    unsigned index = (uint32_t)b->first;
    const char *word = sch_check_file_word(later->file);
    if (same_register(a->declaration, b->declaration, index))
        SCH_CHECK_REPORT(check, DECLARED_TWICE, later->position, "%s[%u] is declared more than once", word, index);
    else
        SCH_CHECK_REPORT(check, DECLARED_DIFFERENTLY, later->position, "%s[%u] is declared as two things", word, index);
}

/* Cuts sorted ranges where they overlap: the one that starts first keeps the registers. */
static void cut_ranges(struct sch_check *check, struct sch_check_range *ranges, size_t count)
{
    size_t kept = 0;
    uint32_t overlap = 0;
    for (size_t i = 0; i < count; i++) {
        struct sch_check_range range = ranges[i];
        struct sch_check_range *previous = kept ? &ranges[kept - 1] : NULL;
        if (previous && range.first <= previous->last) {
            report_twice(check, previous, &range);
            check->overlap_shared[previous->overlap] = true;
            if (range.last <= previous->last) continue;
            range.first = previous->last + 1;
            range.overlap = previous->overlap;
        } else {
            range.overlap = overlap++;
        }
        ranges[kept++] = range;
    }
    check->ranges = ranges;
    check->range_count = kept;
}

void sch_check_collect_ranges(struct sch_check *check)
{
    const struct sch_ir_shader *shader = check->shader;
    size_t count = 0;
    struct sch_check_range *ranges = SCH_ARENA_ARRAY(&check->arena, struct sch_check_range, shader->declaration_count);
    struct sch_check_range *other = SCH_ARENA_ARRAY(&check->arena, struct sch_check_range, shader->declaration_count);
    check->overlap_shared = SCH_ARENA_ARRAY(&check->arena, bool, shader->declaration_count);
    if (check->arena.failed) return;
    for (size_t i = 0; i < shader->declaration_count; i++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[i];
        if (declaration->first > declaration->last || declaration->file >= SCH_FILE_COUNT) continue;
        check->declared |= 1u << declaration->file;
        ranges[count++] = (struct sch_check_range){.first = key_of(declaration, declaration->first),
                                                   .last = key_of(declaration, declaration->last),
                                                   .declaration = declaration};
    }
    sort_ranges(ranges, other, count);
    cut_ranges(check, ranges, count);
}

/* The first range that ends at `key` or after it. */
static const struct sch_check_range *lower_bound(const struct sch_check *check, uint64_t key)
{
    size_t low = 0, high = check->range_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (check->ranges[middle].last < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < check->range_count ? &check->ranges[low] : NULL;
}

const struct sch_check_range *sch_check_find(const struct sch_check *check, unsigned file, int dimension, int index)
{
    if (dimension < 0 || dimension > UINT16_MAX || index < 0) return NULL;
    uint64_t key = SCH_CHECK_KEY(file, dimension, index);
    const struct sch_check_range *range = lower_bound(check, key);
    return range && range->first <= key ? range : NULL;
}

bool sch_check_find_dimension(const struct sch_check *check, unsigned file, int dimension)
{
    if (dimension < 0 || dimension > UINT16_MAX) return false;
    const struct sch_check_range *range = lower_bound(check, SCH_CHECK_KEY(file, dimension, 0));
    return range && range->first >> 32 == SCH_CHECK_KEY(file, dimension, 0) >> 32;
}
