/* See moving.h. */
#include "texture/moving.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/pool.h"

enum { PART = 1 << 20 }; /* bytes that are copied */

struct run {
    const struct sch_moving *moving;
    void (*work)(void *user, uint64_t first, uint64_t count);
    void *user;
    uint64_t lines, each;
    atomic_int result; /* enum sch_result */
};

static enum sch_result look(const struct sch_moving *moving)
{
    if (moving->cancel && __atomic_load_n(moving->cancel, __ATOMIC_RELAXED)) return SCH_ERROR_CANCELLED;
    return moving->deadline && sch_clock_ns() >= moving->deadline ? SCH_ERROR_DEADLINE : SCH_OK;
}

static void run_part(void *user, unsigned part)
{
    struct run *run = user;
    const uint64_t first = part * run->each, left = run->lines - first;
    if (atomic_load_explicit(&run->result, memory_order_relaxed) != SCH_OK) return;
    const enum sch_result result = look(run->moving);
    if (result == SCH_OK)
        run->work(run->user, first, left < run->each ? left : run->each);
    else
        atomic_store_explicit(&run->result, result, memory_order_relaxed);
}

static enum sch_result run_on(const struct sch_moving *moving, uint32_t threads, uint64_t lines, uint64_t cost,
                              void (*work)(void *user, uint64_t first, uint64_t count), void *user)
{
    static const struct sch_moving none = {0};
    struct run run = {.moving = moving ? moving : &none, .work = work, .user = user, .lines = lines};
    if (!lines) return SCH_OK;
    run.each = cost && cost < PART ? PART / cost : 1;
    if (lines / run.each >= UINT32_MAX) run.each = lines / (UINT32_MAX / 2) + 1;
    atomic_init(&run.result, SCH_OK);
    const unsigned parts = (unsigned)((lines + run.each - 1) / run.each);
    if (parts < 2 || threads < 2)
        for (unsigned part = 0; part < parts; part++) run_part(&run, part);
    else
        sch_pool_share(run.moving->pool, threads, parts, run_part, &run);
    return (enum sch_result)atomic_load_explicit(&run.result, memory_order_relaxed);
}

enum sch_result sch_moving_run(const struct sch_moving *moving, uint64_t lines, uint64_t cost,
                               void (*work)(void *user, uint64_t first, uint64_t count), void *user)
{
    return run_on(moving, moving ? moving->threads : 1, lines, cost, work, user);
}

enum sch_result sch_moving_run_in_order(const struct sch_moving *moving, uint64_t lines, uint64_t cost,
                                        void (*work)(void *user, uint64_t first, uint64_t count), void *user)
{
    return run_on(moving, 1, lines, cost, work, user);
}

struct sch_moving_pieces sch_moving_cut(size_t line, size_t grain)
{
    const size_t each = grain < PART ? PART / grain * grain : grain;
    if (line <= each) return (struct sch_moving_pieces){1, line, line};
    return (struct sch_moving_pieces){(line - 1) / each + 1, each, line};
}

size_t sch_moving_piece(const struct sch_moving_pieces *pieces, uint64_t n, size_t *bytes)
{
    const size_t at = (size_t)n * pieces->each, left = pieces->line - at;
    *bytes = left < pieces->each ? left : pieces->each;
    return at;
}
