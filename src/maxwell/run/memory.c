/* Accesses to memory: global ranges of the caller, the block's shared memory, the lane's local one, constants. Every
 * access is whole or ends the run: outside of what there is, misaligned, or a store where nothing may be written. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "maxwell/run/handlers.h"
#include "maxwell/run/reach.h"
#include "maxwell/run/spots.h"
#include "maxwell/run/thread.h"

typedef const struct sch_prepared_instruction instruction;

enum { WORD_BYTES = 4, WORDS = 4, ADDRESS_BITS = 32 };
enum { SIZE_S8 = 1, SIZE_U16 = 2, SIZE_S16 = 3, SIZE_MASK = 7 }; /* table SZ */

static const uint64_t window_bytes = UINT64_C(1) << 24;

static struct sch_maxwell_thread *thread_of(const struct sch_exec_machine *machine) { return machine->engine_state; }

static const char *const names[] = {"generic", "global", "local", "shared"};

/* ---- addresses ---- */

void sch_maxwell_find_addresses(struct sch_maxwell_reach *access, const struct sch_maxwell_step *step)
{
    const struct sch_lanes *low = sch_maxwell_read(access->machine, step->base);
    const unsigned above = step->base < SCH_MAXWELL_GROUP_REGISTERS ? step->base + 1u : step->base;
    const struct sch_lanes *high = sch_maxwell_read(access->machine, above);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        const uint64_t base = step->how.wide ? (uint64_t)high->u[i] << ADDRESS_BITS | low->u[i] : low->u[i];
        const uint64_t address = base + (uint64_t)step->offset;
        access->address[i] = step->how.wide ? address : (uint32_t)address;
    }
}

static uint8_t *refuse(const struct sch_maxwell_reach *access, unsigned lane, unsigned code, const char *why)
{
    if (access->quiet) return NULL;
    sch_maxwell_fail(access->machine, access->in, lane, SCH_ERROR_ABORTED, code,
                     "%s %u bytes of %s memory at 0x%" PRIx64 ": %s", access->writes ? "writes" : "reads",
                     access->bytes, names[access->space], access->address[lane], why);
    return NULL;
}

/* Ranges are in order. */
int64_t sch_maxwell_find_range(const struct sch_maxwell_run *run, uint64_t address)
{
    uint32_t low = 0, high = run->range_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (run->ranges[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || address - run->ranges[low - 1].address >= run->ranges[low - 1].bytes) return -1;
    return low - 1;
}

static uint64_t distance(const struct sch_maxwell_range *range, uint64_t address)
{
    return address < range->address ? range->address - address : address - range->address - range->bytes;
}

/* An access that runs over the end of its memory is recognized by where that memory is, and how large. */
static uint8_t *refuse_lost(const struct sch_maxwell_reach *access, unsigned lane, uint64_t address)
{
    enum { TEXT = 128 };
    const struct sch_maxwell_run *run = access->machine->run_state;
    const struct sch_maxwell_range *nearest = NULL;
    char why[TEXT] = "no range holds it, since there are none";
    for (uint32_t r = 0; r < run->range_count && !access->quiet; r++)
        if (!nearest || distance(&run->ranges[r], address) < distance(nearest, address)) nearest = &run->ranges[r];
    if (nearest)
        snprintf(why, sizeof why, "no range holds it; the nearest has %" PRIu64 " bytes from 0x%" PRIx64 " on",
                 (uint64_t)nearest->bytes, nearest->address);
    return refuse(access, lane, SCH_D_MAXWELL_RUN_ACCESS, why);
}

static uint8_t *reach_global(const struct sch_maxwell_reach *access, unsigned lane, uint64_t address, uint64_t bytes)
{
    struct sch_maxwell_thread *thread = thread_of(access->machine);
    const struct sch_maxwell_run *run = access->machine->run_state;
    const struct sch_maxwell_range *range = thread->range < run->range_count ? &run->ranges[thread->range] : NULL;
    if (!range || address - range->address >= range->bytes) {
        const int64_t found = sch_maxwell_find_range(run, address);
        if (found < 0) return refuse_lost(access, lane, address);
        thread->range = (uint32_t)found;
        range = &run->ranges[found];
    }
    const uint64_t at = address - range->address;
    if (range->bytes - at < bytes)
        return refuse(access, lane, SCH_D_MAXWELL_RUN_ACCESS, "it ends beyond the end of its range");
    if (access->writes && !range->writable)
        return refuse(access, lane, SCH_D_MAXWELL_RUN_ACCESS, "its range is not writable");
    return (uint8_t *)range->data + at;
}

static uint8_t *reach_own(const struct sch_maxwell_reach *access, unsigned lane, enum sch_memory_kind kind, uint64_t at)
{
    const struct sch_memory_view *view = &access->machine->memory[kind];
    if (at > view->bytes || view->bytes - at < access->bytes)
        return refuse(access, lane, SCH_D_MAXWELL_RUN_ACCESS, "it is beyond the end");
    return view->data + view->lane_bytes * lane + at;
}

enum sch_maxwell_space sch_maxwell_space_of(const struct sch_maxwell_reach *access, uint64_t address, uint64_t *at)
{
    const struct sch_maxwell_run *run = access->machine->run_state;
    const uint64_t window = address - address % window_bytes;
    *at = address;
    if (access->space != SCH_MAXWELL_GENERIC) return access->space;
    if (!window || (window != run->shared_window && window != run->local_window)) return SCH_MAXWELL_GLOBAL;
    *at = address - window;
    return window == run->shared_window ? SCH_MAXWELL_SHARED : SCH_MAXWELL_LOCAL;
}

/* The memory of a lane's access; NULL: it has failed. */
static uint8_t *reach(const struct sch_maxwell_reach *access, unsigned lane)
{
    const uint64_t address = access->address[lane];
    uint64_t at;
    if (address % access->bytes) return refuse(access, lane, SCH_D_MAXWELL_RUN_MISALIGNED, "it is misaligned");
    const enum sch_maxwell_space space = sch_maxwell_space_of(access, address, &at);
    if (space == SCH_MAXWELL_GLOBAL) return reach_global(access, lane, address, access->bytes);
    return reach_own(access, lane, space == SCH_MAXWELL_SHARED ? SCH_MEMORY_SHARED : SCH_MEMORY_PRIVATE, at);
}

bool sch_maxwell_reach_lanes(struct sch_maxwell_reach *access, uint32_t lanes)
{
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        access->place[lane] = reach(access, lane);
        if (!access->place[lane] && !access->quiet) return false;
    }
    sch_maxwell_keep_spot(access);
    return true;
}

/* All lanes access words side by side of one range: the first of them; NULL: they do not. */
static uint8_t *reach_row(const struct sch_maxwell_reach *access, uint32_t lanes)
{
    const struct sch_maxwell_run *run = access->machine->run_state;
    const struct sch_maxwell_thread *thread = thread_of(access->machine);
    const uint64_t first = access->address[0];
    bool row = lanes == UINT32_MAX && access->bytes == WORD_BYTES && access->space == SCH_MAXWELL_GLOBAL &&
               first % WORD_BYTES == 0;
    for (unsigned i = 0; i < SCH_GROUP_LANES && row; i++) row = access->address[i] - first == (uint64_t)WORD_BYTES * i;
    if (!row || access->machine->group.concurrent || thread->range >= run->range_count) return NULL;
    const struct sch_maxwell_range *range = &run->ranges[thread->range];
    const uint64_t at = first - range->address, bytes = WORD_BYTES * SCH_GROUP_LANES;
    if (at >= range->bytes || range->bytes - at < bytes || (access->writes && !range->writable)) return NULL;
    sch_maxwell_keep_spot(access);
    return (uint8_t *)range->data + at;
}

/* ---- loads ---- */

/* Small numbers become words. */
static uint32_t widen(unsigned size, uint32_t word)
{
    switch (size & SIZE_MASK) {
    case 0:
        return word & 0xff;
    case SIZE_S8:
        return (uint32_t)(int32_t)(int8_t)word;
    case SIZE_U16:
        return word & 0xffff;
    case SIZE_S16:
        return (uint32_t)(int32_t)(int16_t)word;
    default:
        return word;
    }
}

static uint32_t read_memory(const uint8_t *from, unsigned bytes, bool concurrent)
{
    uint32_t word = 0;
    if (concurrent && bytes == WORD_BYTES)
        return __atomic_load_n((const uint32_t *)(const void *)from, __ATOMIC_RELAXED);
    memcpy(&word, from, bytes);
    return word;
}

static void write_memory(uint8_t *to, uint32_t word, unsigned bytes, bool concurrent)
{
    if (concurrent && bytes == WORD_BYTES)
        __atomic_store_n((uint32_t *)(void *)to, word, __ATOMIC_RELAXED);
    else
        memcpy(to, &word, bytes);
}

void sch_maxwell_copy_from(const uint8_t *place, void *to, unsigned bytes, bool concurrent)
{
    const unsigned each = bytes < WORD_BYTES ? bytes : WORD_BYTES;
    for (unsigned at = 0; at < bytes; at += each) {
        const uint32_t word = read_memory(place + at, each, concurrent);
        memcpy((uint8_t *)to + at, &word, each);
    }
}

void sch_maxwell_copy_to(uint8_t *place, const void *from, unsigned bytes, bool concurrent)
{
    const unsigned each = bytes < WORD_BYTES ? bytes : WORD_BYTES;
    for (unsigned at = 0; at < bytes; at += each) {
        uint32_t word = 0;
        memcpy(&word, (const uint8_t *)from + at, each);
        write_memory(place + at, word, each, concurrent);
    }
}

static void write_words(struct sch_exec_machine *machine, const struct sch_maxwell_step *step, unsigned words,
                        uint32_t lanes)
{
    struct sch_maxwell_thread *thread = thread_of(machine);
    for (unsigned w = 0; w < words && step->result < SCH_MAXWELL_GROUP_REGISTERS; w++)
        sch_maxwell_write(machine, step->result + w, &thread->made[w], lanes);
}

void sch_maxwell_load_reached(const struct sch_maxwell_reach *access, const struct sch_maxwell_step *step,
                              uint32_t lanes)
{
    struct sch_exec_machine *machine = access->machine;
    struct sch_maxwell_thread *thread = thread_of(machine);
    const unsigned bytes = access->bytes, each = bytes < WORD_BYTES ? bytes : WORD_BYTES;
    const unsigned words = (bytes + WORD_BYTES - 1) / WORD_BYTES;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint8_t *from = access->place[lane];
        for (unsigned w = 0; w < words; w++) {
            const uint32_t word =
                from ? read_memory(from + (size_t)WORD_BYTES * w, each, machine->group.concurrent) : 0;
            thread->made[w].u[lane] = widen(step->how.size, word);
        }
    }
    write_words(machine, step, words, lanes);
}

unsigned sch_maxwell_bytes_of(unsigned size) { return sch_maxwell_size_bytes(size); }

static instruction *load(struct sch_exec_machine *machine, instruction *in, enum sch_maxwell_space space)
{
    struct sch_maxwell_thread *thread = thread_of(machine);
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    struct sch_maxwell_reach access = {
        .machine = machine, .in = in, .space = space, .bytes = sch_maxwell_bytes_of(step->how.size)};
    if (!lanes) return in + 1;
    sch_maxwell_find_addresses(&access, step);
    const uint8_t *row = reach_row(&access, lanes);
    if (row) {
        memcpy(thread->made[0].u, row, sizeof thread->made[0].u);
        write_words(machine, step, 1, lanes);
        return in + 1;
    }
    if (!sch_maxwell_reach_lanes(&access, lanes)) return NULL;
    sch_maxwell_load_reached(&access, step, lanes);
    return in + 1;
}

instruction *sch_maxwell_load_generic(struct sch_exec_machine *machine, instruction *in)
{
    return load(machine, in, SCH_MAXWELL_GENERIC);
}
instruction *sch_maxwell_load_global(struct sch_exec_machine *machine, instruction *in)
{
    return load(machine, in, SCH_MAXWELL_GLOBAL);
}
instruction *sch_maxwell_load_local(struct sch_exec_machine *machine, instruction *in)
{
    return load(machine, in, SCH_MAXWELL_LOCAL);
}
instruction *sch_maxwell_load_shared(struct sch_exec_machine *machine, instruction *in)
{
    return load(machine, in, SCH_MAXWELL_SHARED);
}

/* A place wraps to 16 bits; beyond the end of the bank everything is 0. */
instruction *sch_maxwell_load_constant(struct sch_exec_machine *machine, instruction *in)
{
    enum { PLACES = 0xffff };
    struct sch_maxwell_thread *thread = thread_of(machine);
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    const unsigned size = step->how.size & SIZE_MASK, bytes = sch_maxwell_bytes_of(size);
    const unsigned words = bytes > WORD_BYTES ? bytes / WORD_BYTES : 1;
    const struct sch_lanes *base = sch_maxwell_read(machine, step->base);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint32_t at = (base->u[lane] + (uint32_t)step->offset) & PLACES;
        if (at % bytes)
            return sch_maxwell_fail(machine, in, lane, SCH_ERROR_ABORTED, SCH_D_MAXWELL_RUN_MISALIGNED,
                                    "reads %u bytes of c[0x%x] at 0x%x: it is misaligned", bytes, step->bank, at);
        for (unsigned w = 0; w < words; w++) {
            const uint32_t place = at + WORD_BYTES * w;
            const uint32_t word = sch_maxwell_constant(machine, step->bank, place & ~(uint32_t)(WORD_BYTES - 1));
            thread->made[w].u[lane] = widen(size, word >> (8 * (place % WORD_BYTES)));
        }
    }
    write_words(machine, step, words, lanes);
    return in + 1;
}

/* ---- stores ---- */

/* Lanes ascend: of two that write a place the higher one counts. */
void sch_maxwell_store_reached(const struct sch_maxwell_reach *access, const struct sch_maxwell_source *source,
                               uint32_t lanes)
{
    struct sch_exec_machine *machine = access->machine;
    struct sch_maxwell_thread *thread = thread_of(machine);
    const unsigned bytes = access->bytes, each = bytes < WORD_BYTES ? bytes : WORD_BYTES;
    const unsigned words = (bytes + WORD_BYTES - 1) / WORD_BYTES;
    const struct sch_lanes *value[WORDS];
    for (unsigned w = 0; w < words; w++) sch_maxwell_source(machine, source, w, &thread->read[w], &value[w]);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        uint8_t *to = access->place[lane];
        for (unsigned w = 0; w < words && to; w++)
            write_memory(to + (size_t)WORD_BYTES * w, value[w]->u[lane], each, machine->group.concurrent);
    }
}

static instruction *store(struct sch_exec_machine *machine, instruction *in, enum sch_maxwell_space space)
{
    struct sch_maxwell_thread *thread = thread_of(machine);
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    struct sch_maxwell_reach access = {
        .machine = machine, .in = in, .space = space, .bytes = sch_maxwell_bytes_of(step->how.size), .writes = true};
    const struct sch_lanes *value;
    if (!lanes) return in + 1;
    sch_maxwell_find_addresses(&access, step);
    uint8_t *row = reach_row(&access, lanes);
    if (row) {
        sch_maxwell_source(machine, &step->source[0], 0, &thread->read[0], &value);
        memcpy(row, value->u, sizeof value->u);
        return in + 1;
    }
    if (!sch_maxwell_reach_lanes(&access, lanes)) return NULL;
    sch_maxwell_store_reached(&access, &step->source[0], lanes);
    return in + 1;
}

instruction *sch_maxwell_store_generic(struct sch_exec_machine *machine, instruction *in)
{
    return store(machine, in, SCH_MAXWELL_GENERIC);
}
instruction *sch_maxwell_store_global(struct sch_exec_machine *machine, instruction *in)
{
    return store(machine, in, SCH_MAXWELL_GLOBAL);
}
instruction *sch_maxwell_store_local(struct sch_exec_machine *machine, instruction *in)
{
    return store(machine, in, SCH_MAXWELL_LOCAL);
}
instruction *sch_maxwell_store_shared(struct sch_exec_machine *machine, instruction *in)
{
    return store(machine, in, SCH_MAXWELL_SHARED);
}

/* ---- atomic operations ---- */

/* What one operation of a lane does to a number. */
struct update {
    const struct sch_maxwell_step *step;
    sch_maxwell_update_fn *function;
    unsigned number, bytes; /* enum sch_maxwell_number */
};

static uint64_t updated(const struct update *update, uint64_t old, const uint64_t value[2])
{
    if (update->step->swaps) return old == value[0] ? value[1] : old;
    return update->function(update->step->how.mode, update->number, old, value[0]);
}

static uint64_t update_number(const struct update *update, uint8_t *at, const uint64_t value[2], bool concurrent)
{
    uint64_t old = 0, made;
    uint32_t narrow;
    if (!concurrent) {
        memcpy(&old, at, update->bytes);
        made = updated(update, old, value);
        memcpy(at, &made, update->bytes);
        return old;
    }
    if (update->bytes == sizeof old) {
        old = __atomic_load_n((uint64_t *)(void *)at, __ATOMIC_RELAXED);
        do made = updated(update, old, value);
        while (!__atomic_compare_exchange_n((uint64_t *)(void *)at, &old, made, false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED));
        return old;
    }
    narrow = __atomic_load_n((uint32_t *)(void *)at, __ATOMIC_RELAXED);
    do made = updated(update, narrow, value);
    while (!__atomic_compare_exchange_n((uint32_t *)(void *)at, &narrow, (uint32_t)made, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED));
    return narrow;
}

static uint64_t joined(const struct sch_lanes *const word[2], unsigned lane, unsigned bytes)
{
    return bytes > WORD_BYTES ? (uint64_t)word[1]->u[lane] << ADDRESS_BITS | word[0]->u[lane] : word[0]->u[lane];
}

/* Lanes ascend. */
void sch_maxwell_update_reached(const struct sch_maxwell_reach *access, const struct sch_maxwell_step *step,
                                unsigned first, unsigned number, uint32_t lanes)
{
    struct sch_exec_machine *machine = access->machine;
    struct sch_maxwell_thread *thread = thread_of(machine);
    const bool wide = access->bytes > WORD_BYTES;
    const struct update update = {
        .step = step, .function = machine->ops->maxwell_update, .number = number, .bytes = access->bytes};
    const struct sch_lanes *value[2][2] = {{NULL}};
    for (unsigned s = 0; s < (step->swaps ? 2 : 1); s++)
        for (unsigned w = 0; w < 2; w++)
            sch_maxwell_source(machine, &step->source[first + s], wide ? w : 0, &thread->read[2 * s + w], &value[s][w]);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint64_t given[2] = {joined(value[0], lane, update.bytes),
                                   step->swaps ? joined(value[1], lane, update.bytes) : 0};
        uint8_t *at = access->place[lane];
        const uint64_t old = at ? update_number(&update, at, given, machine->group.concurrent) : 0;
        thread->made[0].u[lane] = (uint32_t)old;
        thread->made[1].u[lane] = (uint32_t)(old >> ADDRESS_BITS);
    }
    write_words(machine, step, step->result_words < 2 ? step->result_words : 2, lanes);
}

static instruction *update_lanes(struct sch_exec_machine *machine, instruction *in, enum sch_maxwell_space space)
{
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    const unsigned number = sch_maxwell_update_number(step);
    struct sch_maxwell_reach access = {
        .machine = machine, .in = in, .space = space, .bytes = sch_maxwell_number_bytes(number), .writes = true};
    if (!lanes) return in + 1;
    sch_maxwell_find_addresses(&access, step);
    if (!sch_maxwell_reach_lanes(&access, lanes)) return NULL;
    sch_maxwell_update_reached(&access, step, 0, number, lanes);
    return in + 1;
}

instruction *sch_maxwell_update_global(struct sch_exec_machine *machine, instruction *in)
{
    return update_lanes(machine, in, SCH_MAXWELL_GLOBAL);
}

instruction *sch_maxwell_update_shared(struct sch_exec_machine *machine, instruction *in)
{
    return update_lanes(machine, in, SCH_MAXWELL_SHARED);
}
