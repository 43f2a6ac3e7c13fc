/* Fragments without their program: see count_fragments.h. */
#include "pipeline/count_fragments.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/environment.h"
#include "base/pool.h"
#include "exec/program.h"
#include "pipeline/heat.h"

enum { LOOK_TILES = 16, GROUPS = 4 }; /* between looks at the clock, for each thread; of a tile, found at once */

struct unshaded {
    const struct sch_fragments *fragments;
    const struct sch_bins *bins;
    const struct sch_run_options *options;
    struct sch_bin_tiles tiles;
    atomic_uint_least64_t next;
    atomic_uint_least64_t samples, fragment_count;
    atomic_int stopped; /* enum sch_result */
};

static enum sch_result look(const struct sch_run_options *options)
{
    if (sch_run_is_cancelled(options)) return SCH_ERROR_CANCELLED;
    return options->deadline && sch_clock_ns() >= options->deadline ? SCH_ERROR_DEADLINE : SCH_OK;
}

/* Groups that the tests take samples from, or whose pixels somebody wants to know. */
static void test_tile(const struct unshaded *unshaded, struct sch_tile_walk *walk, struct sch_tile_counts *counts)
{
    const struct sch_fragments *fragments = unshaded->fragments;
    const struct sch_heat *heat = unshaded->options->heat;
    const uint32_t samples = fragments->rules.pattern.samples;
    struct sch_tile_group groups[GROUPS];
    for (uint32_t count; (count = sch_tile_next(walk, groups, GROUPS, 1)) > 0;)
        for (uint32_t n = 0; n < count; n++) {
            if (heat) sch_heat_cover(heat, &groups[n], samples);
            counts->samples += sch_output_test_early(&fragments->output, &groups[n]);
            counts->fragments += sch_count_lanes(sch_tile_covered(&groups[n], samples));
        }
}

static void take_tile(const struct unshaded *unshaded, uint64_t number, struct sch_tile_counts *counts)
{
    const struct sch_fragments *fragments = unshaded->fragments;
    const struct sch_bin_tiles *tiles = &unshaded->tiles;
    const uint32_t columns = (uint32_t)(tiles->right - tiles->left);
    struct sch_tile_walk walk;
    sch_tile_begin(&walk, &fragments->rules, unshaded->bins, tiles->left + (uint32_t)(number % columns),
                   tiles->top + (uint32_t)(number / columns));
    if (fragments->output.tests || unshaded->options->heat)
        test_tile(unshaded, &walk, counts);
    else
        sch_tile_count(&walk, counts);
}

static void take_tiles(void *user, unsigned index)
{
    struct unshaded *unshaded = user;
    const uint64_t end = sch_bin_references(&unshaded->tiles);
    struct sch_tile_counts counts = {0};
    struct sch_environment environment;
    (void)index;
    sch_environment_begin(&environment);
    while (atomic_load_explicit(&unshaded->stopped, memory_order_relaxed) == SCH_OK) {
        const uint64_t from = atomic_fetch_add_explicit(&unshaded->next, LOOK_TILES, memory_order_relaxed);
        if (from >= end) break;
        const enum sch_result status = look(unshaded->options);
        if (status != SCH_OK) atomic_store(&unshaded->stopped, status);
        for (uint64_t n = from; status == SCH_OK && n < end && n < from + LOOK_TILES; n++)
            take_tile(unshaded, n, &counts);
    }
    sch_environment_end(&environment);
    atomic_fetch_add_explicit(&unshaded->samples, counts.samples, memory_order_relaxed);
    atomic_fetch_add_explicit(&unshaded->fragment_count, counts.fragments, memory_order_relaxed);
}

enum sch_result sch_fragments_count(const struct sch_fragments *fragments, const struct sch_bins *bins,
                                    const struct sch_run_options *options, struct sch_draw_counts *counts,
                                    struct sch_run_report *report)
{
    struct unshaded unshaded = {.fragments = fragments, .bins = bins, .options = options};
    if (!sch_bin_bounds(bins, &unshaded.tiles)) return SCH_OK;
    atomic_init(&unshaded.next, 0);
    atomic_init(&unshaded.samples, 0);
    atomic_init(&unshaded.fragment_count, 0);
    atomic_init(&unshaded.stopped, SCH_OK);
    const uint64_t parts = (sch_bin_references(&unshaded.tiles) + LOOK_TILES - 1) / LOOK_TILES;
    const unsigned threads = options->threads ? options->threads : 1;
    sch_pool_run(options->pool, parts < threads ? (unsigned)parts : threads, take_tiles, &unshaded);
    counts->samples_passed += atomic_load(&unshaded.samples);
    if (!fragments->draw->link->no_fragment)
        counts->statistics[SCH_STATISTIC_PS_INVOCATIONS] += atomic_load(&unshaded.fragment_count);
    const enum sch_result status = (enum sch_result)atomic_load(&unshaded.stopped);
    const struct sch_exec_program *program = fragments->draw->programs[SCH_STAGE_FRAGMENT];
    if (status != SCH_OK) report->position = program->prepared.positions[0];
    return status;
}
