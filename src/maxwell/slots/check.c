/* Checks that targets are instructions, and that barriers are waited for, along the ways through each section. */
#include "isa/errors.h"
#include "maxwell/slots/flow.h"
#include "maxwell/slots/slots.h"

enum {
    BARRIERS = 6,
    NONE = BARRIERS, /* of places that no barrier covers yet */
    PENDING = BARRIERS + 1,
    PLAIN = 0x1ffff,     /* bits of a slot without reuse and phase */
    STEPS_FOR_EACH = 200 /* visits of an instruction on average, after which a section is given up */
};

/* What is on its way: places that may be touched only after a wait for the barrier that covers them. */
struct pending {
    struct sch_maxwell_places writes[PENDING], reads[BARRIERS];
    struct sch_maxwell_places
        both[BARRIERS]; /* pending reads of what sets this barrier with its result: it has read then */
};

struct checker {
    const struct sch_maxwell_section *section;
    struct sch_diagnostics *diagnostics;
    struct sch_maxwell_effects *effects;
    struct sch_maxwell_rows rows;
    struct pending *entries; /* of each row */
    bool *queued, *told;
    uint32_t *queue;
};

static void forget(struct sch_maxwell_places *pending, unsigned count, const struct sch_maxwell_places *places)
{
    for (unsigned b = 0; b < count; b++)
        for (unsigned w = 0; w < SCH_MAXWELL_PLACE_WORDS; w++) pending[b].words[w] &= ~places->words[w];
}

static void settle(struct pending *pending, unsigned barriers)
{
    for (unsigned b = 0; b < BARRIERS; b++) {
        if (!(barriers >> b & 1)) continue;
        forget(pending->reads, BARRIERS, &pending->both[b]);
        pending->writes[b] = (struct sch_maxwell_places){{0}};
        pending->reads[b] = (struct sch_maxwell_places){{0}};
        pending->both[b] = (struct sch_maxwell_places){{0}};
    }
}

/* The barriers that DEPBAR waits for; how far one of them has counted down is not followed. */
static unsigned counted_barriers(uint64_t word)
{
    enum { LE = 29, LE_BARRIER = 26 };
    const unsigned least = word >> LE & 1 ? 1u << (word >> LE_BARRIER & 7) : 0;
    return (least | (unsigned)(word & 63)) & 63;
}

/* The instruction's places that something else has pending; the lowest of them, or -1. */
static int clash(const struct sch_maxwell_places *pending, unsigned count, const struct sch_maxwell_places *own)
{
    for (unsigned w = 0; w < SCH_MAXWELL_PLACE_WORDS; w++) {
        uint64_t all = 0;
        for (unsigned b = 0; b < count; b++) all |= pending[b].words[w];
        all &= own->words[w];
        if (all) return (int)(w * 64) + __builtin_ctzll(all);
    }
    return -1;
}

/* Which barrier a place waits for. */
static unsigned barrier_of(const struct sch_maxwell_places *pending, unsigned count, unsigned place)
{
    unsigned b = 0;
    while (b < count && !(pending[b].words[place / 64] >> place % 64 & 1)) b++;
    return b;
}

static void tell(struct checker *c, uint32_t number, unsigned place, unsigned barrier, unsigned code, const char *what)
{
    if (c->told[number]) return;
    c->told[number] = true;
    char name[SCH_MAXWELL_PLACE_TEXT];
    sch_maxwell_place_name(place, name);
    const struct sch_position position = c->section->items[number].position;
    if (barrier == NONE)
        sch_diagnostics_add(c->diagnostics, SCH_SEVERITY_WARNING, code, position,
                            "%s is %s, and no barrier tells when it is there", name, what);
    else
        sch_diagnostics_add(c->diagnostics, SCH_SEVERITY_WARNING, code, position,
                            "%s is %s before barrier %u was waited for", name, what, barrier);
}

static void report(struct checker *c, uint32_t number, struct pending *pending)
{
    const struct sch_maxwell_effects *effects = &c->effects[number];
    int place = clash(pending->writes, PENDING, &effects->reads);
    if (place >= 0)
        tell(c, number, (unsigned)place, barrier_of(pending->writes, PENDING, (unsigned)place),
             SCH_D_MAXWELL_READ_EARLY, "read");
    /* What has no barrier of its own goes through the same unit, in order. */
    place = clash(pending->writes, effects->variable ? BARRIERS : PENDING, &effects->writes);
    if (place >= 0)
        tell(c, number, (unsigned)place, barrier_of(pending->writes, PENDING, (unsigned)place),
             SCH_D_MAXWELL_WRITTEN_EARLY, "overwritten");
    place = clash(pending->reads, BARRIERS, &effects->writes);
    if (place >= 0)
        tell(c, number, (unsigned)place, barrier_of(pending->reads, BARRIERS, (unsigned)place),
             SCH_D_MAXWELL_WRITTEN_EARLY, "overwritten");
    /* One report of each. */
    forget(pending->writes, PENDING, &effects->reads);
    forget(pending->reads, BARRIERS, &effects->writes);
}

/* Predicates and flags are read when the instruction is issued, registers may be read later. */
static struct sch_maxwell_places registers_of(const struct sch_maxwell_places *places)
{
    struct sch_maxwell_places registers = *places;
    registers.words[SCH_MAXWELL_PLACE_WORDS - 1] = 0;
    return registers;
}

/* What an instruction does to what is pending. */
static void step(struct checker *c, uint32_t number, struct pending *pending, bool reports)
{
    const struct sch_maxwell_item *item = &c->section->items[number];
    const struct sch_maxwell_effects *effects = &c->effects[number];
    const struct sch_maxwell_schedule slot = sch_maxwell_schedule_of(item->slot);
    settle(pending, slot.wait_mask);
    if (reports) report(c, number, pending);
    if (effects->flow == SCH_MAXWELL_FLOW_WAIT) settle(pending, counted_barriers(item->word));
    forget(pending->writes, PENDING, &effects->writes);
    if (!effects->variable) return;
    /* Those of a group finish in order, so the last one's barrier covers all. */
    if (slot.write_barrier < BARRIERS) {
        sch_maxwell_places_add(&pending->writes[slot.write_barrier], &pending->writes[NONE]);
        pending->writes[NONE] = (struct sch_maxwell_places){{0}};
    }
    sch_maxwell_places_add(&pending->writes[slot.write_barrier < BARRIERS ? slot.write_barrier : NONE],
                           &effects->writes);
    if (slot.read_barrier >= BARRIERS) return;
    const struct sch_maxwell_places late = registers_of(&effects->reads);
    sch_maxwell_places_add(&pending->reads[slot.read_barrier], &late);
    if (slot.write_barrier < BARRIERS) sch_maxwell_places_add(&pending->both[slot.write_barrier], &late);
}

/* Adds what is pending to a row's entry; whether it was not there. */
static bool join(struct pending *to, const struct pending *from)
{
    uint64_t fresh = 0, *at = to->writes[0].words;
    const uint64_t *more = from->writes[0].words;
    for (size_t i = 0; i < sizeof *to / sizeof *at; i++) {
        fresh |= more[i] & ~at[i];
        at[i] |= more[i];
    }
    return fresh != 0;
}

static void run_row(struct checker *c, size_t index, struct pending *pending, bool reports)
{
    const struct sch_maxwell_row *row = &c->rows.items[index];
    *pending = c->entries[index];
    for (uint32_t i = row->first; i < row->end; i++) step(c, i, pending, reports);
}

/* Lets what is pending flow along all ways until nothing new comes; false: that takes too long. */
static bool flow(struct checker *c)
{
    uint64_t steps = (uint64_t)c->section->count * STEPS_FOR_EACH;
    const size_t count = c->rows.count;
    size_t head = 0, waiting = count;
    for (size_t i = 0; i < count; i++) {
        c->queue[i] = (uint32_t)i;
        c->queued[i] = true;
    }
    while (waiting) {
        const uint32_t index = c->queue[head];
        const struct sch_maxwell_row *row = &c->rows.items[index];
        const uint64_t length = row->end - row->first;
        struct pending pending;
        head = head + 1 == count ? 0 : head + 1;
        waiting--;
        c->queued[index] = false;
        if (steps < length) return false;
        steps -= length;
        run_row(c, index, &pending, false);
        for (unsigned n = 0; n < 2; n++) {
            const uint32_t next = row->next[n];
            if (next == SCH_MAXWELL_NO_ROW || !join(&c->entries[next], &pending) || c->queued[next]) continue;
            c->queue[(head + waiting) % count] = next;
            c->queued[next] = true;
            waiting++;
        }
    }
    return true;
}

static void check_targets(const struct sch_maxwell_section *section, struct sch_diagnostics *diagnostics)
{
    for (size_t i = 0; i < section->count; i++) {
        const struct sch_maxwell_item *item = &section->items[i];
        int64_t target;
        if (sch_maxwell_flow_is_lost(section, item, &target))
            sch_diagnostics_add(diagnostics, SCH_SEVERITY_WARNING, SCH_D_MAXWELL_TARGET_NOWHERE, item->position,
                                "the target %s0x%llx is not an instruction of this section", target < 0 ? "-" : "",
                                (unsigned long long)(target < 0 ? -target : target));
    }
}

static bool is_scheduled(const struct sch_maxwell_section *section)
{
    for (size_t i = 0; i < section->count; i++)
        if ((section->items[i].slot & PLAIN) != SCH_MAXWELL_SLOT_NEUTRAL) return true;
    return false;
}

static bool check_section(struct sch_arena *arena, const struct sch_maxwell_section *section,
                          struct sch_diagnostics *diagnostics)
{
    struct checker c = {.section = section,
                        .diagnostics = diagnostics,
                        .effects = SCH_ARENA_ARRAY(arena, struct sch_maxwell_effects, section->count),
                        .told = SCH_ARENA_ARRAY(arena, bool, section->count)};
    if (!c.effects || !c.told) return false;
    for (size_t i = 0; i < section->count; i++) sch_maxwell_effects_of(&section->items[i], &c.effects[i]);
    if (!sch_maxwell_flow_find(arena, section, c.effects, &c.rows)) return false;
    c.entries = SCH_ARENA_ARRAY(arena, struct pending, c.rows.count);
    c.queued = SCH_ARENA_ARRAY(arena, bool, c.rows.count);
    c.queue = SCH_ARENA_ARRAY(arena, uint32_t, c.rows.count);
    if (!c.entries || !c.queued || !c.queue) return false;
    if (!flow(&c)) return true;
    for (size_t i = 0; i < c.rows.count; i++) {
        struct pending pending;
        run_row(&c, i, &pending, true);
    }
    return true;
}

enum sch_result sch_maxwell_slots_check(const struct sch_maxwell_code *code, const struct sch_allocator *allocator,
                                        size_t limit, struct sch_diagnostics *diagnostics)
{
    enum sch_result status = SCH_OK;
    struct sch_arena arena;
    sch_arena_init(&arena, allocator, limit);
    for (size_t i = 0; i < code->section_count && status == SCH_OK; i++) {
        const struct sch_maxwell_section *section = &code->sections[i];
        if (!section->count || !is_scheduled(section)) continue;
        if (!check_section(&arena, section, diagnostics)) status = arena.limited ? SCH_ERROR_LIMIT : SCH_ERROR_MEMORY;
        sch_arena_reset(&arena, limit);
    }
    sch_arena_release(&arena);
    return status;
}

void sch_maxwell_targets_check(const struct sch_maxwell_code *code, struct sch_diagnostics *diagnostics)
{
    for (size_t i = 0; i < code->section_count; i++) check_targets(&code->sections[i], diagnostics);
}
