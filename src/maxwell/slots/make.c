/* A simple schedule: every result is waited for where it is needed, and everything where control may come from
 * elsewhere or go elsewhere. */
#include "maxwell/slots/flow.h"
#include "maxwell/slots/slots.h"

enum {
    BARRIERS = 6,
    ALL_BARRIERS = (1 << BARRIERS) - 1,
    NO_BARRIER = 7,
    LONGEST = 15 /* the most a slot stalls: no result of fixed latency takes longer */
};

/* What each barrier covers since it was last waited for. */
struct maker {
    struct sch_maxwell_places writes[BARRIERS], reads[BARRIERS];
    unsigned next; /* the barrier that is taken next */
};

static bool meets(const struct sch_maxwell_places *a, const struct sch_maxwell_places *b)
{
    for (unsigned w = 0; w < SCH_MAXWELL_PLACE_WORDS; w++)
        if (a->words[w] & b->words[w]) return true;
    return false;
}

static void settle(struct maker *m, unsigned barriers)
{
    for (unsigned b = 0; b < BARRIERS; b++) {
        if (!(barriers >> b & 1)) continue;
        m->writes[b] = (struct sch_maxwell_places){{0}};
        m->reads[b] = (struct sch_maxwell_places){{0}};
    }
}

static bool is_idle(const struct maker *m, unsigned b)
{
    return !sch_maxwell_places_any(&m->writes[b]) && !sch_maxwell_places_any(&m->reads[b]);
}

/* A barrier that covers nothing; if there is none, one that is waited for now. */
static unsigned take_barrier(struct maker *m, unsigned *wait)
{
    for (unsigned i = 0; i < BARRIERS; i++) {
        const unsigned b = (m->next + i) % BARRIERS;
        if (!is_idle(m, b)) continue;
        m->next = (b + 1) % BARRIERS;
        return b;
    }
    const unsigned b = m->next;
    *wait |= 1u << b;
    settle(m, 1u << b);
    m->next = (b + 1) % BARRIERS;
    return b;
}

static unsigned needed(const struct maker *m, const struct sch_maxwell_effects *effects)
{
    unsigned wait = 0;
    for (unsigned b = 0; b < BARRIERS; b++)
        if (meets(&m->writes[b], &effects->reads) || meets(&m->writes[b], &effects->writes) ||
            meets(&m->reads[b], &effects->writes))
            wait |= 1u << b;
    return wait;
}

static uint32_t make_slot(struct maker *m, const struct sch_maxwell_item *item,
                          const struct sch_maxwell_effects *effects, bool leads)
{
    struct sch_maxwell_schedule slot = {.stall = LONGEST, .write_barrier = NO_BARRIER, .read_barrier = NO_BARRIER};
    const bool phased = item->texture || (item->general && sch_maxwell_code_phased(item->word));
    const bool everything = leads || effects->flow != SCH_MAXWELL_FLOW_NEXT || !(item->texture || item->general);
    unsigned wait = everything ? ALL_BARRIERS : needed(m, effects);
    settle(m, wait);
    if (effects->variable && sch_maxwell_places_any(&effects->writes)) {
        const unsigned b = take_barrier(m, &wait);
        slot.write_barrier = (uint8_t)b;
        m->writes[b] = effects->writes;
    }
    if (effects->variable && sch_maxwell_places_any(&effects->reads)) {
        const unsigned b = take_barrier(m, &wait);
        slot.read_barrier = (uint8_t)b;
        m->reads[b] = effects->reads;
    }
    slot.wait_mask = (uint8_t)wait;
    return phased ? sch_maxwell_slot_with_phase(&slot, sch_maxwell_slot_phase(item->slot)) : sch_maxwell_slot_of(&slot);
}

static bool make_section(struct sch_arena *arena, struct sch_maxwell_section *section)
{
    struct sch_maxwell_effects *effects = SCH_ARENA_ARRAY(arena, struct sch_maxwell_effects, section->count);
    struct maker maker = {.next = 0};
    bool *leads;
    if (!effects) return false;
    for (size_t i = 0; i < section->count; i++) sch_maxwell_effects_of(&section->items[i], &effects[i]);
    if (!sch_maxwell_flow_leads(arena, section, effects, &leads)) return false;
    for (size_t i = 0; i < section->count; i++)
        section->items[i].slot = make_slot(&maker, &section->items[i], &effects[i], leads[i]);
    return true;
}

enum sch_result sch_maxwell_slots_make(struct sch_maxwell_code *code, const struct sch_allocator *allocator,
                                       size_t limit)
{
    enum sch_result status = SCH_OK;
    struct sch_arena arena;
    sch_arena_init(&arena, allocator, limit);
    for (size_t i = 0; i < code->section_count && status == SCH_OK; i++) {
        if (!code->sections[i].count) continue;
        if (!make_section(&arena, &code->sections[i])) status = arena.limited ? SCH_ERROR_LIMIT : SCH_ERROR_MEMORY;
        sch_arena_reset(&arena, limit);
    }
    sch_arena_release(&arena);
    return status;
}
