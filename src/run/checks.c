/* Checks of a grid while it runs. Order is what barriers make: each group counts the barriers that it has passed, and
 * knows how many the others of its work group had passed when they last met (a vector clock). Groups of Maxwell code
 * are warps, whose lanes execute together: two accesses of one warp are ordered if both lanes executed an instruction
 * together meanwhile. Lanes of other languages are ordered by barriers alone. Work groups are not ordered. */
#include "run/checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exec/job.h"
#include "exec/places.h"
#include "isa/errors.h"
#include "run/races.h"

typedef const struct sch_prepared_instruction instruction;

enum {
    RACE_BYTES = 256 << 20,  /* that the record of accesses may take */
    STATE_BYTES = 256 << 20, /* the groups of a work group likewise */
    FINDINGS = 32,           /* that are reported */
    BARRIERS = 16,
    REGISTERS = 264, /* of Maxwell code: R, predicates, flags */
    FIRST_PREDICATE = 256,
    NOWHERE = BARRIERS,
    TEXT = 160
};

/* One kind of thing in one place, or in two. */
struct finding {
    unsigned code;
    uint32_t first, second;
};

/* A group. */
struct state {
    uint64_t time;   /* instructions that it has executed */
    uint32_t exec;   /* lanes of the last one */
    uint32_t clock;  /* barriers that it has passed, from 1 */
    uint32_t *known; /* clocks of the others up to which they are before it; NULL: none waits for another */
    uint8_t waits;   /* the barrier; NOWHERE: none */
    uint64_t (*met)[SCH_GROUP_LANES]; /* Maxwell code: when lanes last executed together, before `exec` */
    uint32_t *written;                /* bits: lanes, by register */
    uint8_t *own;                     /* bits: bytes of MEMORY, PRIVATE that were written, lane by lane */
};

/* Clocks of those that have come to a barrier. */
struct gathering {
    uint32_t *clocks;
    bool any;
};

struct sch_run_checks {
    struct sch_exec_watch watch; /* the first member */
    struct sch_allocator allocator;
    struct sch_diagnostics *diagnostics;
    bool races, unwritten;
    struct sch_run_races record;
    struct sch_arena arena; /* of what follows */
    bool failed;            /* no memory */
    const struct sch_exec_job *job;
    uint32_t groups; /* that have a state */
    bool warps;      /* groups are warps */
    uint64_t unit;   /* the present work group... */
    bool begun;      /* ...if there is one */
    uint8_t *shared; /* bits: bytes of MEMORY, SHARED that were written */
    uint64_t shared_bytes;
    struct state *states;
    struct gathering gatherings[BARRIERS];
    struct finding findings[FINDINGS];
    uint32_t found;
    bool more; /* than were reported */
};

static struct sch_run_checks *checks_of(struct sch_exec_watch *watch) { return (struct sch_run_checks *)watch; }

static struct state *state_of(struct sch_run_checks *checks, const struct sch_exec_machine *machine)
{
    return &checks->states[checks->groups > 1 ? machine->at.group : 0];
}

/* ---- when a run begins ---- */

static bool make_state(struct sch_run_checks *checks, const struct sch_exec_program *program, struct state *state)
{
    struct sch_arena *arena = &checks->arena;
    if (checks->groups > 1) state->known = SCH_ARENA_ARRAY(arena, uint32_t, checks->groups);
    if (checks->warps) state->met = sch_arena_array(arena, SCH_GROUP_LANES, sizeof *state->met, alignof(uint64_t));
    if (checks->unwritten && program->engine->find_reads) state->written = SCH_ARENA_ARRAY(arena, uint32_t, REGISTERS);
    return !arena->failed;
}

static void begin_run(struct sch_exec_watch *watch, const struct sch_exec_job *job)
{
    struct sch_run_checks *checks = checks_of(watch);
    const struct sch_prepared *program = &job->program->prepared;
    checks->job = job;
    checks->groups = program->memory.barriers ? job->source->groups : 1;
    checks->warps = program->scalar;
    checks->states = SCH_ARENA_ARRAY(&checks->arena, struct state, checks->groups);
    for (uint32_t g = 0; checks->states && g < checks->groups; g++)
        if (!make_state(checks, job->program, &checks->states[g])) break;
    for (unsigned b = 0; b < BARRIERS && checks->groups > 1; b++)
        checks->gatherings[b].clocks = SCH_ARENA_ARRAY(&checks->arena, uint32_t, checks->groups);
    checks->failed = checks->arena.failed;
}

/* Bits of memory that depends on the machine's sizes. */
static bool make_bits(struct sch_run_checks *checks, struct state *state, const struct sch_exec_machine *machine)
{
    const struct sch_memory_view *own = &machine->memory[SCH_MEMORY_PRIVATE];
    const struct sch_memory_view *shared = &machine->memory[SCH_MEMORY_SHARED];
    if (!checks->unwritten) return true;
    if (own->data && !state->own)
        state->own = sch_arena_alloc(&checks->arena, own->lane_bytes / 8 * SCH_GROUP_LANES + 1, 1);
    if (shared->data && !checks->shared) {
        checks->shared = sch_arena_alloc(&checks->arena, shared->bytes / 8 + 1, 1);
        checks->shared_bytes = shared->bytes;
    }
    return !checks->arena.failed;
}

static void begin_work_group(struct sch_run_checks *checks, uint64_t unit)
{
    checks->unit = unit;
    checks->begun = true;
    if (checks->shared) memset(checks->shared, 0, checks->shared_bytes / 8 + 1);
    for (unsigned b = 0; b < BARRIERS; b++) {
        checks->gatherings[b].any = false;
        if (checks->gatherings[b].clocks) memset(checks->gatherings[b].clocks, 0, checks->groups * sizeof(uint32_t));
    }
}

static bool chooses(struct sch_exec_watch *watch, struct sch_exec_machine *machine)
{
    struct sch_run_checks *checks = checks_of(watch);
    if (!checks->failed && (!checks->begun || checks->unit != machine->at.unit))
        begin_work_group(checks, machine->at.unit);
    struct state *state = checks->failed ? NULL : state_of(checks, machine);
    if (!state || !make_bits(checks, state, machine)) {
        machine->group.failure = SCH_ERROR_MEMORY;
        return false;
    }
    state->time = 0;
    state->exec = machine->group.exec;
    state->clock = 1;
    state->waits = NOWHERE;
    if (state->known) memset(state->known, 0, checks->groups * sizeof *state->known);
    if (state->met) memset(state->met, 0, SCH_GROUP_LANES * sizeof *state->met);
    if (state->written) memset(state->written, 0, REGISTERS * sizeof *state->written);
    if (state->own) memset(state->own, 0, machine->memory[SCH_MEMORY_PRIVATE].lane_bytes / 8 * SCH_GROUP_LANES + 1);
    return true;
}

/* ---- words ---- */

/* The thread of a work group, as its numbers. */
static void name_thread(struct sch_exec_machine *machine, uint32_t unit, uint32_t thread, char text[TEXT])
{
    const struct sch_exec_at kept = machine->at;
    machine->at.unit = unit;
    sch_exec_name_lane(machine, thread - (uint32_t)machine->group.first, text, TEXT);
    machine->at = kept;
}

static void name_memory(const struct sch_exec_machine *machine, const struct sch_exec_touched *place, uint64_t skipped,
                        char text[TEXT])
{
    static const char *const kinds[] = {[SCH_MEMORY_GLOBAL] = "global memory",
                                        [SCH_MEMORY_SHARED] = "shared memory",
                                        [SCH_MEMORY_PRIVATE] = "its own memory",
                                        [SCH_MEMORY_INPUT] = "input memory"};
    const char *file = place->file == SCH_FILE_BUFFER      ? "buffer"
                       : place->file == SCH_FILE_HW_ATOMIC ? "counters"
                       : place->file == SCH_FILE_IMAGE     ? "image"
                                                           : NULL;
    if (file)
        snprintf(text, TEXT, "byte %" PRIu64 " of %s %" PRIu32, place->byte + skipped, file, place->number);
    else if (machine->program->prepared.scalar)
        snprintf(text, TEXT, "0x%" PRIx64 " of %s", place->address + skipped, kinds[place->kind]);
    else
        snprintf(text, TEXT, "byte %" PRIu64 " of %s", place->byte + skipped, kinds[place->kind]);
}

static void name_instruction(const struct sch_exec_machine *machine, uint32_t number, char text[TEXT])
{
    const struct sch_position *at = &machine->program->prepared.positions[number];
    if (at->line)
        snprintf(text, TEXT, "line %" PRIu32, at->line);
    else
        snprintf(text, TEXT, "byte 0x%" PRIx64, at->offset);
}

/* Whether it is new, and to be reported. */
static bool is_new(struct sch_run_checks *checks, unsigned code, uint32_t first, uint32_t second)
{
    for (uint32_t i = 0; i < checks->found; i++) {
        const struct finding *earlier = &checks->findings[i];
        if (earlier->code == code && earlier->first == first && earlier->second == second) return false;
    }
    if (checks->found == FINDINGS) {
        checks->more = true;
        return false;
    }
    checks->findings[checks->found++] = (struct finding){.code = code, .first = first, .second = second};
    return true;
}

/* ---- races ---- */

/* Whether an access was before what a lane executes now. */
static bool is_before(const struct sch_run_checks *checks, const struct sch_exec_machine *machine, unsigned lane,
                      const struct sch_run_stamp *stamp)
{
    const struct state *state = &checks->states[checks->groups > 1 ? machine->at.group : 0];
    const uint32_t group = stamp->thread / SCH_GROUP_LANES;
    if (stamp->unit != (uint32_t)machine->at.unit) return false;
    if (group != machine->at.group) return state->known && state->known[group] >= stamp->clock;
    if (stamp->clock < state->clock) return true;
    if (!checks->warps || stamp->time == state->time) return false;
    const unsigned other = stamp->thread % SCH_GROUP_LANES;
    return machine->group.exec >> other & 1 || state->met[lane][other] >= stamp->time;
}

static bool conflict(const struct sch_run_stamp *a, const struct sch_run_stamp *b)
{
    if (!(a->bytes & b->bytes)) return false;
    if (a->touch == SCH_EXEC_UPDATES && b->touch == SCH_EXEC_UPDATES) return false;
    return a->touch != SCH_EXEC_READS || b->touch != SCH_EXEC_READS;
}

static void report_race(struct sch_run_checks *checks, struct sch_exec_machine *machine,
                        const struct sch_exec_touched *place, uint64_t skipped, const struct sch_run_stamp *now,
                        const struct sch_run_stamp *before)
{
    static const char *const does[] = {"reads", "writes", "updates"}, *const has[] = {"read", "written", "updated"};
    char memory[TEXT], who[TEXT], other[TEXT], where[TEXT];
    if (!is_new(checks, SCH_D_CHECK_RACE, now->instruction, before->instruction)) return;
    name_memory(machine, place, skipped, memory);
    name_thread(machine, now->unit, now->thread, who);
    name_thread(machine, before->unit, before->thread, other);
    name_instruction(machine, before->instruction, where);
    sch_diagnostics_add(checks->diagnostics, SCH_SEVERITY_ERROR, SCH_D_CHECK_RACE,
                        machine->program->prepared.positions[now->instruction],
                        "%s %s %s, which %s has %s at %s (instruction %" PRIu32 "), and %s", who, does[now->touch],
                        memory, other, has[before->touch], where, before->instruction,
                        now->unit == before->unit ? "no barrier is between" : "blocks are not ordered");
}

/* Words of shared memory that another work group has touched are other words. */
static void look_at_word(struct sch_run_checks *checks, struct sch_exec_machine *machine, unsigned lane,
                         const struct sch_exec_touched *place, uint64_t skipped, const struct sch_run_stamp *now)
{
    struct sch_run_word *word = sch_run_races_word(&checks->record, (uintptr_t)(place->memory + skipped));
    if (!word) return;
    const bool shared = place->file == SCH_FILE_MEMORY && place->kind == SCH_MEMORY_SHARED;
    const struct sch_run_stamp *const earlier[] = {&word->write, &word->update, &word->read[0], &word->read[1]};
    for (unsigned i = 0; i < sizeof earlier / sizeof *earlier; i++) {
        const struct sch_run_stamp *stamp = earlier[i];
        if (!stamp->bytes || (shared && stamp->unit != now->unit)) continue;
        if (stamp->unit == now->unit && stamp->thread == now->thread) continue;
        if (!conflict(stamp, now) || is_before(checks, machine, lane, stamp)) continue;
        report_race(checks, machine, place, skipped, now, stamp);
    }
    sch_run_races_note(word, now);
}

static void look_for_races(struct sch_run_checks *checks, struct sch_exec_machine *machine, instruction *at,
                           unsigned lane, const struct sch_exec_touched *place)
{
    const struct state *state = state_of(checks, machine);
    struct sch_run_stamp now = {.time = state->time,
                                .unit = (uint32_t)machine->at.unit,
                                .clock = state->clock,
                                .instruction = at->number,
                                .thread = (uint16_t)(machine->group.first + lane),
                                .touch = place->touch};
    if (place->file == SCH_FILE_CONSTBUF) return;
    if (place->file == SCH_FILE_MEMORY && (place->kind == SCH_MEMORY_PRIVATE || place->kind == SCH_MEMORY_INPUT))
        return;
    for (uint32_t done = 0, count; done < place->inside; done += count) {
        const uint32_t first = (uint32_t)((uintptr_t)(place->memory + done) % SCH_RUN_WORD_BYTES);
        const uint32_t left = place->inside - done;
        count = left < SCH_RUN_WORD_BYTES - first ? left : SCH_RUN_WORD_BYTES - first;
        now.bytes = (uint8_t)(((1u << count) - 1) << first);
        look_at_word(checks, machine, lane, place, done, &now);
    }
}

/* ---- what was never written ---- */

/* The bits of the bytes of a place, with the number of its first one; NULL: memory that is not looked at. */
static uint8_t *bits_of(struct sch_run_checks *checks, const struct sch_exec_machine *machine, unsigned lane,
                        const struct sch_exec_touched *place, uint64_t *first)
{
    *first = place->byte;
    if (place->file != SCH_FILE_MEMORY) return NULL;
    if (place->kind == SCH_MEMORY_SHARED) return checks->shared;
    if (place->kind != SCH_MEMORY_PRIVATE) return NULL;
    *first += machine->memory[SCH_MEMORY_PRIVATE].lane_bytes * lane;
    return state_of(checks, machine)->own;
}

static void look_at_bytes(struct sch_run_checks *checks, struct sch_exec_machine *machine, instruction *at,
                          unsigned lane, const struct sch_exec_touched *place)
{
    uint64_t first;
    uint8_t *bits = bits_of(checks, machine, lane, place, &first);
    bool unwritten = false;
    for (uint32_t i = 0; bits && i < place->inside; i++) {
        const uint8_t bit = (uint8_t)(1u << (first + i) % 8);
        if (place->touch != SCH_EXEC_WRITES && !(bits[(first + i) / 8] & bit)) unwritten = true;
        if (place->touch != SCH_EXEC_READS) bits[(first + i) / 8] |= bit;
    }
    char memory[TEXT], who[TEXT];
    if (!unwritten || !is_new(checks, SCH_D_CHECK_UNWRITTEN_MEMORY, at->number, 0)) return;
    name_memory(machine, place, 0, memory);
    name_thread(machine, (uint32_t)machine->at.unit, (uint32_t)machine->group.first + lane, who);
    sch_diagnostics_add(checks->diagnostics, SCH_SEVERITY_ERROR, SCH_D_CHECK_UNWRITTEN_MEMORY,
                        machine->program->prepared.positions[at->number],
                        "%s %s %" PRIu32 " bytes at %s that were not written", who,
                        place->touch == SCH_EXEC_READS ? "reads" : "updates", place->bytes, memory);
}

static unsigned number_of(unsigned file, unsigned index)
{
    return file == SCH_FILE_ADDRESS ? FIRST_PREDICATE + index : index;
}

static void report_register(struct sch_run_checks *checks, struct sch_exec_machine *machine, instruction *at,
                            unsigned file, unsigned index, uint32_t lanes)
{
    enum { FLAGS = 7 };
    char who[TEXT], name[8];
    if (!is_new(checks, SCH_D_CHECK_UNWRITTEN_REGISTER, at->number, number_of(file, index))) return;
    if (file == SCH_FILE_ADDRESS && index == FLAGS)
        snprintf(name, sizeof name, "CC");
    else
        snprintf(name, sizeof name, "%c%u", file == SCH_FILE_ADDRESS ? 'P' : 'R', index);
    name_thread(machine, (uint32_t)machine->at.unit, (uint32_t)machine->group.first + (uint32_t)__builtin_ctz(lanes),
                who);
    sch_diagnostics_add(checks->diagnostics, SCH_SEVERITY_ERROR, SCH_D_CHECK_UNWRITTEN_REGISTER,
                        machine->program->prepared.positions[at->number],
                        "%s reads %s, which it has not written (lanes 0x%08" PRIx32 ")", who, name, lanes);
}

static void look_at_registers(struct sch_run_checks *checks, struct sch_exec_machine *machine, instruction *at)
{
    struct state *state = state_of(checks, machine);
    const struct sch_prepared *program = &machine->program->prepared;
    struct sch_exec_register_read reads[SCH_EXEC_MOST_READS];
    const uint32_t count = machine->program->engine->find_reads(machine, at, reads);
    for (uint32_t r = 0; r < count; r++)
        for (unsigned i = reads[r].first; i < reads[r].first + reads[r].count; i++) {
            const uint32_t lanes = reads[r].lanes & ~state->written[number_of(reads[r].file, i)];
            if (lanes) report_register(checks, machine, at, reads[r].file, i, lanes);
        }
    const uint32_t executing = sch_exec_executing(machine, at);
    for (unsigned d = 0; d < at->dst_count; d++)
        for (unsigned mask = at->dst[d].mask; mask; mask &= mask - 1) {
            const unsigned file = at->dst[d].file;
            const uint32_t channel = at->dst[d].channel + (uint32_t)__builtin_ctz(mask);
            state->written[number_of(file, channel - program->files[file].base)] |= executing;
        }
}

/* ---- barriers ---- */

/* A group's clocks go to those that wait for it, and what it does from now on is after them. */
static void arrive(struct sch_run_checks *checks, const struct sch_exec_machine *machine,
                   const struct sch_exec_arrival *arrival)
{
    struct state *state = state_of(checks, machine);
    if (checks->groups > 1) {
        struct gathering *gathering = &checks->gatherings[arrival->barrier];
        gathering->any = true;
        for (uint32_t g = 0; g < checks->groups; g++)
            if (state->known[g] > gathering->clocks[g]) gathering->clocks[g] = state->known[g];
        gathering->clocks[machine->at.group] = state->clock;
        if (arrival->waits) state->waits = (uint8_t)arrival->barrier;
    }
    if (arrival->waits || checks->groups > 1) state->clock++;
}

static void meet(struct sch_run_checks *checks, unsigned barrier)
{
    struct gathering *gathering = &checks->gatherings[barrier];
    for (uint32_t s = 0; s < checks->groups; s++) {
        struct state *state = &checks->states[s];
        if (state->waits != barrier) continue;
        state->waits = NOWHERE;
        for (uint32_t g = 0; g < checks->groups; g++)
            if (gathering->clocks[g] > state->known[g]) state->known[g] = gathering->clocks[g];
    }
    gathering->any = false;
    memset(gathering->clocks, 0, checks->groups * sizeof *gathering->clocks);
}

/* Groups have been released. */
static void met(struct sch_exec_watch *watch, const struct sch_exec_machine *machines, uint32_t count)
{
    struct sch_run_checks *checks = checks_of(watch);
    bool complete[BARRIERS] = {false};
    if (checks->groups < 2 || checks->failed) return;
    for (uint32_t m = 0; m < count && m < checks->groups; m++)
        if (checks->states[m].waits != NOWHERE && !machines[m].held) complete[checks->states[m].waits] = true;
    for (unsigned b = 0; b < BARRIERS; b++)
        if (complete[b]) meet(checks, b);
}

static bool find_barrier(struct sch_exec_machine *machine, instruction *at, struct sch_exec_arrival *arrival)
{
    const struct sch_exec_engine *engine = machine->program->engine;
    if (engine->find_barrier) return engine->find_barrier(machine, at, arrival);
    *arrival = (struct sch_exec_arrival){.waits = true};
    return at->opcode == SCH_OP_BARRIER;
}

/* ---- an instruction ---- */

/* Lanes that have executed together up to now, and no longer do. */
static void part(struct state *state, uint32_t exec)
{
    for (uint32_t left = state->exec; left; left &= left - 1) {
        uint64_t *row = state->met[__builtin_ctz(left)];
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
            if (state->exec >> i & 1) row[i] = state->time;
    }
    state->exec = exec;
}

static instruction *before(struct sch_exec_watch *watch, struct sch_exec_machine *machine, instruction *at)
{
    struct sch_run_checks *checks = checks_of(watch);
    struct state *state = state_of(checks, machine);
    struct sch_exec_touched places[SCH_GROUP_LANES];
    struct sch_exec_arrival arrival;
    if (checks->warps && machine->group.exec != state->exec) part(state, machine->group.exec);
    state->time++;
    if (state->written) look_at_registers(checks, machine, at);
    for (uint32_t left = sch_exec_find_places(machine, at, places); left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (!places[lane].memory) continue;
        if (checks->races) look_for_races(checks, machine, at, lane, &places[lane]);
        if (checks->unwritten) look_at_bytes(checks, machine, at, lane, &places[lane]);
    }
    if (find_barrier(machine, at, &arrival)) arrive(checks, machine, &arrival);
    return at;
}

static bool goes_on(struct sch_exec_watch *watch, struct sch_exec_machine *machine)
{
    (void)watch;
    (void)machine;
    return false;
}

static void leaves(struct sch_exec_watch *watch, struct sch_exec_machine *machine)
{
    (void)watch;
    (void)machine;
}

/* ---- making ---- */

enum sch_result sch_run_checks_create(const struct sch_allocator *allocator, uint32_t wanted,
                                      struct sch_diagnostics *diagnostics, struct sch_run_checks **made)
{
    struct sch_run_checks *checks = allocator->alloc(allocator->user, sizeof *checks);
    *made = checks;
    if (!checks) return SCH_ERROR_MEMORY;
    *checks = (struct sch_run_checks){.allocator = *allocator,
                                      .diagnostics = diagnostics,
                                      .races = wanted & SCH_CHECK_RACES,
                                      .unwritten = wanted & SCH_CHECK_UNWRITTEN,
                                      .watch = {.begin_run = begin_run,
                                                .chooses = chooses,
                                                .before = before,
                                                .goes_on = goes_on,
                                                .leaves = leaves,
                                                .met = met}};
    sch_run_races_init(&checks->record, &checks->allocator, RACE_BYTES);
    sch_arena_init(&checks->arena, &checks->allocator, STATE_BYTES);
    return SCH_OK;
}

struct sch_exec_watch *sch_run_checks_watch(struct sch_run_checks *checks) { return &checks->watch; }

uint32_t sch_run_checks_end(struct sch_run_checks *checks)
{
    if (checks->record.full)
        sch_diagnostics_add(checks->diagnostics, SCH_SEVERITY_WARNING, SCH_D_CHECK_PARTLY, (struct sch_position){0},
                            "races are looked for in the first %zu words of memory that the grid touches",
                            checks->record.count * SCH_RUN_PAGE_WORDS);
    if (checks->more)
        sch_diagnostics_add(checks->diagnostics, SCH_SEVERITY_WARNING, SCH_D_CHECK_PARTLY, (struct sch_position){0},
                            "more was found than the first %d things, which are reported", FINDINGS);
    return checks->found;
}

void sch_run_checks_destroy(struct sch_run_checks *checks)
{
    if (!checks) return;
    sch_run_races_release(&checks->record);
    sch_arena_release(&checks->arena);
    checks->allocator.free(checks->allocator.user, checks);
}
