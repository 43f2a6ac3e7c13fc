/* A grid of work groups as a source of work: each is a unit, its groups of 32 threads are in it. All that differs
 * between them are numbers. */
#include <inttypes.h>

#include "isa/errors.h"
#include "run/run.h"
#include "run/values.h"

enum { BLOCK_LIMIT = 1 << 16 }; /* threads of a work group */

/* A system value that differs between groups. */
struct changing {
    uint32_t semantic, channel;
};
enum { CHANGING = 4 };

struct grid {
    struct sch_exec_source source;
    uint32_t grid[3], block[3];
    uint64_t first;     /* the work group that unit 0 is */
    uint32_t threads;   /* of a work group */
    bool fixed_threads; /* a machine has the same ones in all groups */
    bool own_machines;  /* each group of a work group has a machine, as they wait for each other */
    bool quick;         /* `changing` is all that differs between groups */
    struct changing changing[CHANGING];
    uint32_t changing_count;
    struct sch_exec_spans spans; /* of work groups that are one row of threads */
    uint32_t span_channels[CHANGING];
    uint8_t span_divisions[CHANGING];
};

static const struct grid *grid_of(const struct sch_exec_source *source) { return (const struct grid *)source; }

/* ---- system values ---- */

static void splat(const struct sch_exec_machine *machine, struct sch_lanes *to, const uint32_t *words, unsigned count)
{
    for (unsigned c = 0; c < count; c++) machine->ops->splat(&to[c], words[c]);
}

static uint32_t work_dimensions(const struct grid *grid)
{
    for (unsigned d = 3; d > 1; d--)
        if (grid->grid[d - 1] > 1 || grid->block[d - 1] > 1) return d;
    return 1;
}

static uint32_t number_below(uint64_t number, uint32_t limit) { return (uint32_t)(number % limit); }

static void find_block(const struct grid *grid, uint64_t unit, uint32_t id[3])
{
    const uint64_t number = grid->first + unit;
    id[0] = (uint32_t)number;
    id[1] = id[2] = 0;
    if (number < grid->grid[0]) return;
    const uint64_t row = number / grid->grid[0];
    id[0] = number_below(number, grid->grid[0]);
    id[1] = number_below(row, grid->grid[1]);
    id[2] = (uint32_t)(row / grid->grid[1]);
}

/* Only what changes is written: neighbours have two of the three numbers in common. Before the first group all are
 * zero. */
static __attribute__((noinline)) void load_block_id(const struct grid *grid, const struct sch_exec_machine *machine,
                                                    struct sch_lanes *to, uint64_t unit)
{
    uint32_t id[3];
    find_block(grid, unit, id);
    for (unsigned c = 0; c < 3; c++)
        if (to[c].u[0] != id[c]) machine->ops->splat(&to[c], id[c]);
}

/* What differs between groups: the threads unless each group has a machine of its own, and the work group when another
 * one begins. */
static inline void load_changing_value(const struct grid *grid, const struct sch_exec_machine *machine,
                                       unsigned semantic, struct sch_lanes *to, uint64_t unit, uint32_t group)
{
    if (semantic == SCH_SEMANTIC_THREAD_ID && (!machine->loaded || !grid->fixed_threads))
        machine->ops->thread_ids(to, group * SCH_GROUP_LANES, grid->block);
    if (semantic == SCH_SEMANTIC_BLOCK_ID && (!machine->loaded || group == 0 || grid->own_machines))
        load_block_id(grid, machine, to, unit);
}

static void load_system_values(const struct grid *grid, const struct sch_exec_machine *machine, uint64_t unit,
                               uint32_t group)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_SYSTEM_VALUE];
    for (uint32_t r = 0; r < file->count; r++) {
        struct sch_lanes *to = machine->group.space[SCH_SPACE_STATE] + file->base + 4 * r;
        unsigned semantic = machine->program->prepared.system_values[r].semantic;
        if (!machine->program->prepared.system_values[r].declared) continue;
        sch_run_own_value(machine, semantic, to);
        load_changing_value(grid, machine, semantic, to, unit, group);
        if (machine->loaded) continue;
        if (semantic == SCH_SEMANTIC_GRID_SIZE) splat(machine, to, grid->grid, 3);
        if (semantic == SCH_SEMANTIC_BLOCK_SIZE) splat(machine, to, grid->block, 3);
        if (semantic == SCH_SEMANTIC_WORK_DIM) machine->ops->splat(&to[0], work_dimensions(grid));
    }
}

/* ---- groups ---- */

static bool load(const struct sch_exec_source *source, struct sch_exec_machine *machine, uint64_t unit, uint32_t group)
{
    const struct grid *grid = grid_of(source);
    machine->group.first = (uint64_t)group * SCH_GROUP_LANES;
    machine->group.present = sch_exec_first_lanes(grid->threads - machine->group.first);
    machine->started_helpers = 0;
    sch_exec_begin_group(machine);
    sch_exec_clear_group(machine);
    if (grid->quick && machine->loaded) {
        for (uint32_t i = 0; i < grid->changing_count; i++)
            load_changing_value(grid, machine, grid->changing[i].semantic,
                                machine->group.space[SCH_SPACE_STATE] + grid->changing[i].channel, unit, group);
        return true;
    }
    load_system_values(grid, machine, unit, group);
    machine->loaded = true;
    return true;
}

static uint64_t number(const struct sch_exec_source *source, struct sch_exec_at at)
{
    const struct grid *grid = grid_of(source);
    return (grid->first + at.unit) * grid->threads + (uint64_t)at.group * SCH_GROUP_LANES;
}

/* ---- spans ---- */

enum { SPAN_GROUPS = 512 }; /* so that a worker sees soon that another one has failed */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The rest of a work group, or work groups that differ in x alone. */
static bool find_span(const struct sch_exec_source *source, struct sch_exec_machine *machine, struct sch_exec_at *at,
                      uint64_t end, uint64_t most, struct sch_group_span *span)
{
    const struct grid *grid = grid_of(source);
    const struct sch_exec_at from = *at;
    uint32_t id[3];
    find_block(grid, from.unit, id);
    most = least(most, SPAN_GROUPS);
    if (grid->own_machines && most < source->groups) most = source->groups; /* which wait for each other */
    *span = (struct sch_group_span){.x = from.group * SCH_GROUP_LANES, .y = id[0], .rows = 1};
    if (!from.group && most >= source->groups) {
        span->groups = source->groups;
        span->rows = (uint32_t)least(most / source->groups, least(end - from.unit, grid->grid[0] - id[0]));
        at->unit += span->rows;
    } else {
        span->groups = (uint32_t)least(most, source->groups - from.group);
        at->group += span->groups;
        if (at->group == source->groups) *at = (struct sch_exec_at){.unit = from.unit + 1};
    }
    span->runs = (uint64_t)span->groups * span->rows;
    span->group_bytes = sizeof *machine;
    for (uint32_t group = 1; grid->own_machines && group < source->groups; group++)
        load(source, machine + group, from.unit, group);
    return load(source, machine, from.unit, from.group);
}

static bool can_span(const struct grid *grid, const struct sch_exec_program *program)
{
    unsigned own = 1u << SCH_MEMORY_SHARED | 1u << SCH_MEMORY_PRIVATE;
    if (program->prepared.memory.barriers) own = 1u << SCH_MEMORY_PRIVATE; /* code has a work group's cleared */
    if (program->prepared.memory.declared_kinds & own) return false;       /* cleared for each work group or group */
    return grid->quick && !program->prepared.maxwell.steps && grid->block[1] == 1 && grid->block[2] == 1 &&
           grid->threads % SCH_GROUP_LANES == 0;
}

/* The other channels of THREAD_ID and BLOCK_ID are in memory: they are the same in a span. */
static void describe_spans(struct grid *grid, const struct sch_exec_program *program)
{
    for (uint32_t i = 0; i < grid->changing_count; i++) {
        grid->span_channels[i] = grid->changing[i].channel;
        grid->span_divisions[i] =
            grid->changing[i].semantic == SCH_SEMANTIC_THREAD_ID ? SCH_PLANE_THREAD : SCH_PLANE_WORK_GROUP;
    }
    grid->spans = (struct sch_exec_spans){.channels = grid->span_channels,
                                          .divisions = grid->span_divisions,
                                          .plane_count = grid->changing_count,
                                          .groups = grid->source.all_groups,
                                          .all = true};
    if (can_span(grid, program)) grid->source.spans = &grid->spans;
}

/* ---- making ---- */

static void list_changing(struct grid *grid, const struct sch_exec_program *program)
{
    const struct sch_prepared_file *file = &program->prepared.files[SCH_FILE_SYSTEM_VALUE];
    grid->quick = true;
    for (uint32_t r = 0; r < file->count && grid->quick; r++) {
        unsigned semantic = program->prepared.system_values[r].semantic;
        if (!program->prepared.system_values[r].declared) continue;
        if (semantic != SCH_SEMANTIC_THREAD_ID && semantic != SCH_SEMANTIC_BLOCK_ID) continue;
        if (grid->changing_count < CHANGING)
            grid->changing[grid->changing_count++] =
                (struct changing){.semantic = semantic, .channel = file->base + 4 * r};
        else
            grid->quick = false;
    }
}

static enum sch_result prepare(struct sch_exec_source *source, const struct sch_exec_program *program,
                               struct sch_arena *arena)
{
    struct grid *grid = (struct grid *)source;
    (void)arena;
    grid->own_machines = program->prepared.memory.barriers && source->groups > 1;
    grid->fixed_threads = grid->own_machines || source->groups == 1;
    list_changing(grid, program);
    describe_spans(grid, program);
    return SCH_OK;
}

static void identify(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lane,
                     struct sch_invocation_place *place)
{
    const struct grid *grid = grid_of(source);
    const uint32_t thread = (uint32_t)machine->group.first + lane, row = thread / grid->block[0];
    if (row / grid->block[1] >= grid->block[2]) return; /* a lane after the last thread */
    place->parts = SCH_PLACE_WORK_GROUP | SCH_PLACE_THREAD;
    find_block(grid, machine->at.unit, place->work_group);
    place->thread[0] = thread % grid->block[0];
    place->thread[1] = row % grid->block[1];
    place->thread[2] = row / grid->block[1];
}

static const struct sch_exec_source_kind kind = {
    .name = "grid", .prepare = prepare, .load = load, .find_span = find_span, .identify = identify, .number = number};

static enum sch_result refuse_size(struct sch_diagnostics *list, const uint32_t size[3], const char *what,
                                   uint64_t most)
{
    sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_RUN_SIZE, (struct sch_position){0},
                        "%" PRIu32 " x %" PRIu32 " x %" PRIu32 " %s, of at most %" PRIu64, size[0] ? size[0] : 1,
                        size[1] ? size[1] : 1, size[2] ? size[2] : 1, what, most);
    return SCH_ERROR_LIMIT;
}

/* Sizes that the caller leaves out, and what is too large. */
static enum sch_result size_grid(const struct sch_exec_program *program, const uint32_t given_grid[3],
                                 const uint32_t given_block[3], struct sch_diagnostics *list, struct grid *grid)
{
    uint64_t threads = 1;
    grid->source.units = 1;
    for (unsigned d = 0; d < 3; d++) {
        uint32_t fixed = program->prepared.fixed_block[d];
        grid->grid[d] = given_grid[d] ? given_grid[d] : 1;
        grid->block[d] = given_block[d] ? given_block[d] : fixed ? fixed : 1;
        if (fixed && grid->block[d] != fixed) return SCH_ERROR_ARGUMENT;
        if (__builtin_mul_overflow(grid->source.units, grid->grid[d], &grid->source.units))
            return refuse_size(list, given_grid, "work groups", UINT64_MAX);
        if (grid->block[d] <= BLOCK_LIMIT) threads *= grid->block[d];
        if (grid->block[d] > BLOCK_LIMIT || threads > BLOCK_LIMIT)
            return refuse_size(list, given_block, "invocations of a work group", BLOCK_LIMIT);
    }
    grid->threads = (uint32_t)threads;
    grid->source.groups = (grid->threads + SCH_GROUP_LANES - 1) / SCH_GROUP_LANES;
    return SCH_OK;
}

/* Leaves of the grid the part that is wanted. */
static enum sch_result take_part(const struct sch_run_options *options, struct grid *grid)
{
    const uint64_t all = grid->source.units;
    if (options->first_group > all || options->group_count > all - options->first_group) return SCH_ERROR_ARGUMENT;
    grid->first = options->first_group;
    grid->source.units = options->group_count ? options->group_count : all - options->first_group;
    return SCH_OK;
}

enum sch_result sch_run_grid(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                             const uint32_t grid[3], const uint32_t block[3], const struct sch_run_options *options,
                             struct sch_run_report *report)
{
    struct grid made = {.source = {.kind = &kind, .samples = 1, .input_vertices = 1}};
    if (program->prepared.stage != SCH_STAGE_COMPUTE) return SCH_ERROR_ARGUMENT;
    enum sch_result status = size_grid(program, grid, block, options ? options->diagnostics : NULL, &made);
    if (status == SCH_OK && options) status = take_part(options, &made);
    if (status != SCH_OK) return status;
    made.source.all_groups = made.source.units * made.source.groups;
    made.source.full_groups = made.source.units * (made.threads / SCH_GROUP_LANES);
    made.source.other_groups = made.threads % SCH_GROUP_LANES != 0;
    return sch_run(program, bindings, &made.source, options, report);
}
