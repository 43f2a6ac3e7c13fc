/* What a run needs before its first group: its workers with their machines, and the memory of those, all in one arena.
 * How many workers there are follows from what the caller allows and what fits. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/pool.h"
#include "isa/errors.h"
#include "run/workers.h"
#include "texture/texture.h"

enum {
    DEFAULT_SHARED_BYTES = 65536,  /* MEMORY, SHARED of a work group */
    DEFAULT_PRIVATE_BYTES = 16384, /* MEMORY, PRIVATE of an invocation */
    MEMORY_BYTES_LIMIT = 1 << 30   /* what a caller may ask for */
};

bool sch_run_size_memory(struct sch_run *run, const struct sch_run_options *options)
{
    const struct sch_prepared_memory *memory = &run->job.program->prepared.memory;
    uint32_t shared = options->shared_bytes ? options->shared_bytes : DEFAULT_SHARED_BYTES;
    uint32_t own = options->private_bytes ? options->private_bytes : DEFAULT_PRIVATE_BYTES;
    if (shared > MEMORY_BYTES_LIMIT || own > MEMORY_BYTES_LIMIT) {
        sch_diagnostics_add(options->diagnostics, SCH_SEVERITY_ERROR, SCH_D_RUN_SIZE, (struct sch_position){0},
                            "%" PRIu32 " bytes of %s memory, of at most %d", shared > MEMORY_BYTES_LIMIT ? shared : own,
                            shared > MEMORY_BYTES_LIMIT ? "shared" : "private", MEMORY_BYTES_LIMIT);
        return false;
    }
    run->shared_bytes = memory->declared_kinds >> SCH_MEMORY_SHARED & 1 ? shared : 0;
    run->private_bytes = memory->declared_kinds >> SCH_MEMORY_PRIVATE & 1 ? own : 0;
    run->machines = memory->barriers ? run->job.source->groups : 1;
    return true;
}

/* ---- machines ---- */

/* With whatever was in them. NULL: no memory. */
static struct sch_lanes *make_lanes(struct sch_arena *arena, size_t count)
{
    size_t bytes;
    return sch_mul_size(count, sizeof(struct sch_lanes), &bytes)
               ? sch_arena_room(arena, bytes, 0, alignof(struct sch_lanes))
               : NULL;
}

/* Channels of a machine's state; false when the inputs are more than the limits allow. */
static bool state_channels(const struct sch_exec_job *job, size_t *channels)
{
    const struct sch_exec_program *program = job->program;
    uint64_t inputs = (uint64_t)program->prepared.files[SCH_FILE_INPUT].count * job->source->input_vertices;
    if (inputs > program->prepared.limits.registers) return false;
    *channels = program->prepared.channels[SCH_SPACE_STATE] + 4 * inputs;
    return true;
}

/* The memory that MEMORY registers show, by kind. */
static bool set_memory(const struct sch_run *run, struct sch_arena *arena, const struct sch_run_worker *worker,
                       struct sch_exec_machine *machine)
{
    const struct sch_exec_bindings *bindings = run->job.bindings;
    machine->memory[SCH_MEMORY_SHARED] =
        (struct sch_memory_view){.data = worker->shared, .bytes = run->shared_bytes, .writable = true};
    if (run->private_bytes) {
        uint8_t *own = sch_arena_array(arena, SCH_GROUP_LANES, run->private_bytes, 64);
        if (!own) return false;
        machine->memory[SCH_MEMORY_PRIVATE] = (struct sch_memory_view){
            .data = own, .bytes = run->private_bytes, .lane_bytes = run->private_bytes, .writable = true};
    }
    if (!bindings) return true;
    machine->memory[SCH_MEMORY_GLOBAL] = (struct sch_memory_view){.data = bindings->global_memory.data,
                                                                  .bytes = bindings->global_memory.bytes,
                                                                  .writable = true,
                                                                  .concurrent = run->job.concurrent};
    /* Only read: the view is not writable. */
    machine->memory[SCH_MEMORY_INPUT] = (struct sch_memory_view){
        .data = (uint8_t *)(uintptr_t)bindings->input_memory.data, .bytes = bindings->input_memory.bytes};
    return true;
}

/* Whether a view has texels in compressed blocks. */
static bool views_blocks(const struct sch_exec_bindings *bindings)
{
    for (uint32_t i = 0; bindings && i < bindings->view_count; i++)
        if (bindings->views[i].texture && sch_texture_is_block(bindings->views[i].format)) return true;
    return false;
}

/* The decoded tiles of a worker. Memory changes between runs, so that none is kept longer. */
static bool make_tiles(const struct sch_run *run, struct sch_arena *arena, struct sch_texel_tiles *tiles)
{
    *tiles =
        (struct sch_texel_tiles){.decode = run->job.program->ops->tile_decode,
                                 .names = SCH_ARENA_ARRAY(arena, struct sch_texel_tile_name, SCH_TEXEL_TILES_OF_RUN),
                                 .tiles = sch_arena_room(arena, SCH_TEXEL_TILES_OF_RUN * sizeof *tiles->tiles, 0, 64),
                                 .last = SCH_TEXEL_TILES_OF_RUN - 1};
    return tiles->names && tiles->tiles;
}

/* What a source keeps in a machine, and what it wants to know of lookups. */
static bool set_source(const struct sch_exec_source *source, struct sch_arena *arena, struct sch_exec_machine *machine)
{
    machine->source = source;
    machine->quads = source->quads;
    machine->group.input_vertices = source->input_vertices;
    machine->place = sch_arena_room(arena, source->place_bytes, source->place_bytes - source->place_unset,
                                    alignof(struct sch_lanes));
    if (!machine->place) return false;
    if (source->counts_texels) machine->lookups = sch_ops_traced();
    if (!source->counts_texels && !source->counts_instructions && !machine->job->watch) return true;
    machine->heat = SCH_ARENA_NEW(arena, struct sch_exec_heat);
    return machine->heat != NULL;
}

/* All but what instructions write before they read it, and what only geometry shaders have. */
static void clear_machine(struct sch_exec_machine *machine, const struct sch_prepared *program)
{
    const size_t kept = offsetof(struct sch_exec_machine, group) + offsetof(struct sch_group, constants);
    const size_t after = offsetof(struct sch_exec_machine, group) + sizeof machine->group;
    memset(machine, 0, kept);
    memset((char *)machine + after, 0, offsetof(struct sch_exec_machine, emission) - after);
    if (program->stage == SCH_STAGE_GEOMETRY) memset(&machine->emission, 0, sizeof machine->emission);
}

/* The registers of a machine. TEMP, ADDR and OUT, which come first, are cleared by each group that wants them so
 * (exec/group.h). NULL: no memory. */
static struct sch_lanes *make_state(const struct sch_prepared *program, struct sch_arena *arena, size_t channels)
{
    const size_t first = program->files[SCH_FILE_SYSTEM_VALUE].base;
    struct sch_lanes *state = make_lanes(arena, channels);
    if (state) memset(state + first, 0, (channels - first) * sizeof *state);
    return state;
}

static enum sch_result make_machine(const struct sch_run *run, struct sch_arena *arena, size_t channels,
                                    struct sch_run_worker *worker, struct sch_exec_machine *machine)
{
    const struct sch_exec_job *job = &run->job;
    const struct sch_exec_program *program = job->program;
    clear_machine(machine, &program->prepared);
    machine->frames = SCH_ARENA_ARRAY(arena, struct sch_exec_frame, program->prepared.flow.max_depth);
    machine->group.space[SCH_SPACE_PROGRAM] = program->program_space;
    machine->group.space[SCH_SPACE_RUN] = job->run_space;
    machine->group.space[SCH_SPACE_STATE] = make_state(&program->prepared, arena, channels);
    if (!machine->frames || !machine->group.space[SCH_SPACE_STATE]) return SCH_ERROR_MEMORY;
    machine->program = program;
    machine->ops = machine->lookups = program->ops;
    machine->bindings = job->bindings;
    machine->group.concurrent = job->concurrent;
    machine->group.tiles = worker->tiles.names ? &worker->tiles : NULL;
    machine->run_state = job->run_state;
    machine->budget = job->budget;
    machine->job = job;
    machine->work_end = job->work;
    machine->group.first_room = job->budget < SCH_GROUP_MOST_STEPS ? job->budget : SCH_GROUP_MOST_STEPS;
    if (!set_source(job->source, arena, machine) || !set_memory(run, arena, worker, machine)) return SCH_ERROR_MEMORY;
    if (job->source->kind->begin) job->source->kind->begin(job->source, machine);
    return program->engine->begin ? program->engine->begin(machine, arena) : SCH_OK;
}

/* ---- workers ---- */

static enum sch_result make_worker(const struct sch_run *run, struct sch_arena *arena, size_t channels,
                                   struct sch_run_worker **made)
{
    if (!*made) *made = SCH_ARENA_NEW(arena, struct sch_run_worker);
    struct sch_run_worker *worker = *made;
    if (!worker) return SCH_ERROR_MEMORY;
    size_t bytes;
    if (!sch_mul_size(run->machines, sizeof *worker->machines, &bytes)) return SCH_ERROR_MEMORY;
    worker->machines = sch_arena_room(arena, bytes, 0, alignof(struct sch_exec_machine));
    if (!worker->machines) return SCH_ERROR_MEMORY;
    for (uint32_t m = 0; m < run->machines; m++) {
        worker->machines[m].engine_state = NULL; /* nothing to end yet */
        worker->machines[m].code_state = NULL;
    }
    worker->last = worker->machines;
    if (run->shared_bytes) worker->shared = sch_arena_alloc(arena, run->shared_bytes, 64);
    if (run->shared_bytes && !worker->shared) return SCH_ERROR_MEMORY;
    if (run->tiled && !make_tiles(run, arena, &worker->tiles)) return SCH_ERROR_MEMORY;
    enum sch_result status = SCH_OK;
    for (uint32_t m = 0; m < run->machines && status == SCH_OK; m++)
        status = make_machine(run, arena, channels, worker, &worker->machines[m]);
    return status;
}

/* Bytes that one worker needs, about. */
static size_t worker_bytes(const struct sch_run *run, size_t channels)
{
    const struct sch_exec_source *source = run->job.source;
    size_t machine = channels * sizeof(struct sch_lanes) + sizeof(struct sch_exec_machine) +
                     run->job.program->prepared.flow.max_depth * sizeof(struct sch_exec_frame) +
                     (size_t)run->private_bytes * SCH_GROUP_LANES + source->place_bytes +
                     (source->counts_texels || source->counts_instructions ? sizeof(struct sch_exec_heat) : 0);
    const size_t tiles =
        run->tiled ? SCH_TEXEL_TILES_OF_RUN * (sizeof(struct sch_texel_tile_name) + sizeof(struct sch_texel_tile)) : 0;
    return machine * run->machines + run->shared_bytes + tiles + sizeof(struct sch_run_worker);
}

/* As many as the caller wants threads, as there are units, and as fit in the memory limit; at least one. One where the
 * order of units can be seen. */
static unsigned worker_count(const struct sch_run *run, const struct sch_run_options *options, size_t channels)
{
    if (run->job.program->prepared.memory.writes_outside && !options->unordered) return 1;
    if (!options->pool || options->threads <= 1) return 1;
    size_t limit = run->job.program->prepared.limits.memory, each = worker_bytes(run, channels);
    uint64_t count = options->threads;
    if (count > SCH_POOL_THREADS) count = SCH_POOL_THREADS;
    if (count > run->job.source->units) count = run->job.source->units;
    if (limit && count > limit / 2 / each) count = limit / 2 / each;
    return count ? (unsigned)count : 1;
}

/* ---- what they share ---- */

static bool load_constants(struct sch_exec_job *job, struct sch_arena *arena)
{
    const struct sch_exec_program *program = job->program;
    job->run_space = make_lanes(arena, program->prepared.channels[SCH_SPACE_RUN]);
    for (uint32_t n = 0; n < program->prepared.constants.count && job->run_space; n++) {
        const struct sch_pair *constant = &program->prepared.constants.items[n];
        uint32_t word[4];
        sch_exec_constant_words(job->bindings, constant->first, constant->second, word);
        for (unsigned c = 0; c < 4; c++) program->ops->splat(job->run_space + 4 * n + c, word[c]);
    }
    return job->run_space != NULL;
}

static enum sch_result begin_engine(struct sch_exec_job *job, struct sch_arena *arena)
{
    const struct sch_exec_engine *engine = job->program->engine;
    return engine->begin_run ? engine->begin_run(job, arena, &job->run_state) : SCH_OK;
}

enum sch_result sch_run_begin(struct sch_run *run, const struct sch_run_options *options, struct sch_arena *arena)
{
    struct sch_exec_job *job = &run->job;
    size_t channels;
    if (!state_channels(job, &channels)) return SCH_ERROR_LIMIT;
    if (!load_constants(job, arena)) return SCH_ERROR_MEMORY;
    run->tiled = views_blocks(job->bindings);
    run->count = worker_count(run, options, channels);
    job->concurrent = run->count > 1 && job->program->prepared.memory.writes_outside;
    run->one.workers[0] = &run->one.worker;
    run->workers = run->count == 1 ? run->one.workers : SCH_ARENA_ARRAY(arena, struct sch_run_worker *, run->count);
    if (!run->workers) return SCH_ERROR_MEMORY;
    if (job->work != UINT64_MAX && run->count > 1) {
        job->progress = SCH_ARENA_ARRAY(arena, atomic_ullong, run->count);
        if (!job->progress) return SCH_ERROR_MEMORY;
    }
    if (!sch_run_deal(run, arena)) return SCH_ERROR_MEMORY;
    enum sch_result status = begin_engine(job, arena);
    for (unsigned i = 0; i < run->count && status == SCH_OK; i++)
        status = make_worker(run, arena, channels, &run->workers[i]);
    return status;
}

void sch_run_end(const struct sch_run *run)
{
    const struct sch_exec_engine *engine = run->job.program->engine;
    for (unsigned i = 0; i < run->count && run->workers && engine->end; i++)
        for (uint32_t m = 0; run->workers[i] && run->workers[i]->machines && m < run->machines; m++)
            engine->end(&run->workers[i]->machines[m]);
    if (engine->end_run && run->job.run_state) engine->end_run(run->job.run_state);
}
