/* Fragments that wait: see waiting.h. */
#include "pipeline/waiting.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/pool.h"
#include "exec/program.h"
#include "pipeline/bound.h"

enum {
    MOST_DRAWS = 128,      /* of a batch: as many as the second-level cache holds what is kept of them */
    MOST_DRAWS_ALONE = 32, /* the same where one thread does all, whose vertices are in that cache, too */
    FEW_PIXELS = 2048,     /* take no more memory than what is kept of a small draw */
    LEAST_DRAWS = 8,       /* worth the threads' attention */
    MOST_STATES = 64,      /* of a batch */
    MOST_JOINED = 16,      /* draws that are one run: each of its tiles looks at all of them */
    MOST_WORKERS = 16,
    MOST_BYTES = 16 << 20,    /* of a batch */
    MOST_INSTRUCTIONS = 4096, /* the compiler takes programs of so many (jit/plan.c), so that no draw is refused */
    CELLS_EACH = 8,           /* of the framebuffer, for each thread, at least */
    LITTLE_PIXELS = 64 * 64   /* not worth a second thread */
};

/* The state of draws, as it was. */
struct state {
    uint64_t number;
    struct sch_draw_pipeline draw;
    struct sch_dynamic_state dynamic;
    struct sch_vertex_layout layout;
    struct sch_fragments fragments;
    struct sch_exec_spans_memo memos[MOST_WORKERS];
};

/* A draw that waits. Its part of the bins is the batch's with the same number. */
struct waiting_draw {
    struct sch_chunk chunk;
    struct sch_bound bound; /* of the first draw of a run */
};

/* Draws that follow each other and whose fragments cannot tell which one they are of: they are one run. */
struct joined {
    const struct state *state;
    const struct sch_exec_bindings *bindings;
    uint32_t sum; /* of its worker's, that its fragments are counted in */
    struct sch_bins bins;
    struct sch_bin_tiles tiles; /* of all */
};

enum { SUMS = 2 }; /* where draws count: renderers have two of them (pipeline/draw.h) */

struct worker {
    struct sch_arena arena; /* of runs */
    struct sch_draw_counts sums[SUMS];
    enum sch_result status; /* of its first run that failed */
    uint32_t failed;        /* which that was */
    uint8_t apart[64];      /* two threads count in two workers: not in one line of the cache */
};

/* Draws that are shaded together. */
struct batch {
    struct sch_scratch *memory;
    struct waiting_draw *draws[MOST_DRAWS]; /* NULL: never used */
    struct sch_bin_part parts[MOST_DRAWS];
    struct state *states[MOST_STATES]; /* likewise */
    struct joined runs[MOST_DRAWS];
    uint32_t draw_count, state_count, run_count;
    size_t bytes; /* of the memory of all draws, of those too that do not wait */
    uint64_t pixels;
    struct sch_draw_counts *sums[SUMS];
    struct sch_run_options options; /* of the last draw */
    uint64_t allowed;               /* nanoseconds, of all draws together, if they have deadlines */
    struct worker workers[MOST_WORKERS];

    /* While they are shaded. */
    uint32_t threads;
    struct sch_bin_tiles tiles; /* of all */
    uint32_t columns, cells;    /* tiles of a cell, which is in one row; how many cells there are */
    uint32_t cells_each;        /* of a row */
    atomic_uint next;           /* cell */
    atomic_bool stopped;
    struct sch_pool_task task; /* if they are shaded while others come */
};

struct sch_waiting {
    struct sch_scratch *memory;
    struct batch *batches[2]; /* the one that draws join, and the other one */
    bool shading;             /* threads are at the other one */
    enum sch_result status;   /* of what has been shaded */
};

/* ---- memory ---- */

static size_t bytes_of(const struct waiting_draw *draw, const struct sch_bin_part *part)
{
    const struct sch_chunk *chunk = &draw->chunk;
    return chunk->words.bytes + chunk->corners.bytes + chunk->codes.bytes + chunk->records.bytes + chunk->tiles.bytes +
           part->starts.bytes + part->numbers.bytes + draw->bound.memory.bytes;
}

static void release_draw(struct batch *batch, struct waiting_draw *draw, struct sch_bin_part *part)
{
    sch_chunk_release(&draw->chunk, batch->memory);
    sch_scratch_free(batch->memory, &part->starts);
    sch_scratch_free(batch->memory, &part->numbers);
    sch_scratch_free(batch->memory, &draw->bound.memory);
    batch->memory->allocator.free(batch->memory->allocator.user, draw);
}

/* Whether a batch holds as much as it may, which is little of what the caller allows. */
static bool is_large(const struct batch *batch)
{
    const size_t limit = batch->memory->limit / 16;
    return batch->bytes > (limit && limit < MOST_BYTES ? limit : MOST_BYTES);
}

static void release_draws(struct batch *batch)
{
    for (uint32_t n = 0; n < MOST_DRAWS && batch->draws[n]; n++) {
        release_draw(batch, batch->draws[n], &batch->parts[n]);
        batch->draws[n] = NULL;
    }
    batch->bytes = 0;
}

static void *make(const struct sch_scratch *memory, size_t bytes)
{
    const struct sch_allocator *allocator = &memory->allocator;
    void *made = allocator->alloc(allocator->user, bytes);
    if (made) memset(made, 0, bytes);
    return made;
}

static struct waiting_draw *make_draw(const struct batch *batch)
{
    return make(batch->memory, sizeof(struct waiting_draw));
}

static struct batch *make_batch(struct sch_scratch *memory)
{
    struct batch *batch = make(memory, sizeof *batch);
    if (!batch) return NULL;
    batch->memory = memory;
    for (uint32_t w = 0; w < MOST_WORKERS; w++) sch_arena_init(&batch->workers[w].arena, &memory->allocator, 0);
    return batch;
}

static void release_batch(struct batch *batch)
{
    if (!batch) return;
    const struct sch_allocator allocator = batch->memory->allocator;
    release_draws(batch);
    for (uint32_t n = 0; n < MOST_STATES && batch->states[n]; n++) allocator.free(allocator.user, batch->states[n]);
    for (uint32_t w = 0; w < MOST_WORKERS; w++) sch_arena_release(&batch->workers[w].arena);
    allocator.free(allocator.user, batch);
}

struct sch_waiting *sch_waiting_create(struct sch_scratch *memory)
{
    struct sch_waiting *waiting = make(memory, sizeof *waiting);
    if (!waiting) return NULL;
    waiting->memory = memory;
    for (unsigned b = 0; b < 2; b++) waiting->batches[b] = make_batch(memory);
    if (waiting->batches[0] && waiting->batches[1]) return waiting;
    sch_waiting_destroy(waiting);
    return NULL;
}

void sch_waiting_destroy(struct sch_waiting *waiting)
{
    if (!waiting) return;
    const struct sch_allocator allocator = waiting->memory->allocator;
    for (unsigned b = 0; b < 2; b++) release_batch(waiting->batches[b]);
    allocator.free(allocator.user, waiting);
}

/* ---- what may wait ---- */

bool sch_waiting_takes_program(const struct sch_exec_program *program)
{
    const struct sch_ir_flow *flow = &program->prepared.flow;
    return !flow->loops && !flow->calls && program->prepared.instruction_count <= MOST_INSTRUCTIONS;
}

bool sch_waiting_takes_options(const struct sch_run_options *options)
{
    return options->pool && !options->watch && !options->heat && !options->interrupt && !options->work &&
           !options->no_work;
}

bool sch_waiting_allows(const struct sch_draw_context *context, const struct sch_derived *derived)
{
    const struct sch_draw_pipeline *draw = context->draw;
    const struct sch_fragments *fragments = &derived->fragments;
    if (!draw->may_wait || !draw->number || draw->history || draw->live_feedback || draw->live_streams) return false;
    if (draw->streams_out || context->step_count != 1 || derived->results.layout) return false;
    if (!fragments->spans.any || fragments->output.unshaded) return false;
    return draw->programs[SCH_STAGE_VERTEX]->prepared.interface.facts.effects == SCH_EFFECTS_NONE &&
           sch_waiting_takes_options(&context->options) &&
           sch_waiting_takes_program(draw->programs[SCH_STAGE_FRAGMENT]) &&
           sch_bound_fits(draw->bindings[SCH_STAGE_FRAGMENT]);
}

/* Whether there is something to do, or to report. */
static bool any(const struct sch_waiting *waiting)
{
    return waiting && (waiting->shading || waiting->batches[0]->draw_count || waiting->status != SCH_OK);
}

bool sch_waiting_goes_to(const struct sch_waiting *waiting, const struct sch_draw_framebuffer *framebuffer)
{
    const struct batch *batch = waiting->batches[waiting->shading];
    return !batch->draw_count || batch->runs[0].state->draw.framebuffer == framebuffer;
}

/* ---- taking ---- */

static struct state *keep_state(struct batch *batch, const struct sch_draw_context *context,
                                const struct sch_derived *derived)
{
    const struct sch_draw_pipeline *draw = context->draw;
    if (!batch->draw_count) batch->state_count = 0;
    struct state *state = batch->state_count ? batch->states[batch->state_count - 1] : NULL;
    if (state && state->number == draw->number) return state;
    if (batch->state_count == MOST_STATES) return NULL;
    struct state **place = &batch->states[batch->state_count];
    if (!*place) *place = make(batch->memory, sizeof **place);
    if (!(state = *place)) return NULL;
    batch->state_count++;
    state->number = draw->number;
    state->draw = *draw;
    state->dynamic = *draw->dynamic;
    state->draw.dynamic = &state->dynamic;
    state->layout = derived->layout;
    state->fragments = derived->fragments;
    state->fragments.draw = &state->draw;
    state->fragments.rules.layout = &state->layout;
    state->fragments.rules.polygon_stipple = state->dynamic.polygon_stipple;
    memset(state->memos, 0, sizeof state->memos);
    return state;
}

/* Which of the sums is for these counts; SUMS: none is left. */
static uint32_t find_sum(struct batch *batch, struct sch_draw_counts *counts)
{
    uint32_t sum = 0;
    while (sum < SUMS && batch->sums[sum] && batch->sums[sum] != counts) sum++;
    if (sum < SUMS) batch->sums[sum] = counts;
    return sum;
}

/* The run that the next draw belongs to: the last one, or another one with its bindings. NULL: no memory. */
static struct joined *find_run(struct batch *batch, struct waiting_draw *draw, const struct state *state, uint32_t sum,
                               const struct sch_exec_bindings *from, const struct sch_bins *bins)
{
    struct joined *run = batch->run_count ? &batch->runs[batch->run_count - 1] : NULL;
    if (run && run->state == state && run->sum == sum && run->bins.part_count < MOST_JOINED &&
        sch_bound_equals(run->bindings, from))
        return run;
    if (!sch_bound_keep(&draw->bound, batch->memory, from)) return NULL;
    run = &batch->runs[batch->run_count++];
    *run = (struct joined){.state = state,
                           .bindings = &draw->bound.bindings,
                           .sum = sum,
                           .bins = *bins,
                           .tiles = {.left = UINT16_MAX, .top = UINT16_MAX}};
    run->bins.parts = &batch->parts[batch->draw_count];
    run->bins.part_count = 0;
    return run;
}

static void unite(struct sch_bin_tiles *all, const struct sch_bin_tiles *tiles)
{
    if (all->left > tiles->left) all->left = tiles->left;
    if (all->top > tiles->top) all->top = tiles->top;
    if (all->right < tiles->right) all->right = tiles->right;
    if (all->bottom < tiles->bottom) all->bottom = tiles->bottom;
}

static void swap_chunks(struct waiting_draw *draw, struct sch_chunk *chunk, struct sch_bin_part *part,
                        struct sch_bin_part *other)
{
    const struct sch_chunk chunk_before = draw->chunk;
    const struct sch_bin_part part_before = *part;
    draw->chunk = *chunk;
    *chunk = chunk_before;
    chunk->assembled = draw->chunk.assembled; /* of which primitives have what they need */
    draw->chunk.assembled = chunk_before.assembled;
    *part = *other;
    *other = part_before;
    part->vertices = &draw->chunk.vertices;
}

static bool take(struct batch *batch, const struct sch_draw_context *context, const struct sch_derived *derived,
                 const struct sch_bins *bins, struct sch_chunk *chunk)
{
    const struct sch_exec_bindings *bindings = context->draw->bindings[SCH_STAGE_FRAGMENT];
    if (batch->draw_count == MOST_DRAWS || is_large(batch)) return false;
    struct waiting_draw **place = &batch->draws[batch->draw_count];
    if (!*place) *place = make_draw(batch);
    struct waiting_draw *draw = *place;
    struct sch_bin_part *part = &batch->parts[batch->draw_count];
    struct sch_bin_tiles tiles;
    const uint32_t sum = find_sum(batch, context->counts);
    if (!draw || sum == SUMS) return false;
    if (!sch_bin_bounds(bins, &tiles)) return true; /* it has no fragments */
    const size_t before = bytes_of(draw, part);
    const struct state *state = keep_state(batch, context, derived);
    struct joined *run = state ? find_run(batch, draw, state, sum, bindings, bins) : NULL;
    if (!run) return false;
    swap_chunks(draw, chunk, part, &bins->parts[0]);
    draw->chunk.vertices.layout = &state->layout;
    run->bins.part_count++;
    unite(&run->tiles, &tiles);
    batch->bytes += bytes_of(draw, part) - before;
    batch->pixels += draw->chunk.extent.pixels;
    batch->options = context->options;
    const uint64_t now = context->options.deadline ? sch_clock_ns() : 0;
    if (context->options.deadline > now) batch->allowed += context->options.deadline - now;
    batch->draw_count++;
    return true;
}

/* ---- shading ---- */

static bool ends_all(enum sch_result status) { return status == SCH_ERROR_DEADLINE || status == SCH_ERROR_CANCELLED; }

static void note(struct worker *worker, uint32_t number, enum sch_result status)
{
    if (status == SCH_OK || (worker->status != SCH_OK && worker->failed <= number)) return;
    worker->status = status;
    worker->failed = number;
}

static bool meet(const struct sch_bin_tiles *a, const struct sch_bin_tiles *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static enum sch_result shade(struct batch *batch, uint32_t number, const struct sch_bin_tiles *tiles, uint32_t index,
                             const struct sch_run_options *options)
{
    const struct joined *run = &batch->runs[number];
    struct sch_run_report unused = {0};
    struct sch_exec_spans_memo *memos = (struct sch_exec_spans_memo *)run->state->memos;
    const struct sch_fragments_part part = {.bindings = run->bindings, .memo = &memos[index], .tiles = *tiles};
    return sch_fragments_run_part(&run->state->fragments, &run->bins, &part, options,
                                  &batch->workers[index].sums[run->sum], &unused);
}

static struct sch_bin_tiles tiles_of(const struct batch *batch, uint32_t cell)
{
    const uint32_t row = batch->tiles.top + cell / batch->cells_each;
    const uint32_t left = batch->tiles.left + cell % batch->cells_each * batch->columns;
    return (struct sch_bin_tiles){.left = (uint16_t)left,
                                  .top = (uint16_t)row,
                                  .right = (uint16_t)(left + batch->columns),
                                  .bottom = (uint16_t)(row + 1)};
}

static void shade_cells(void *user, unsigned index)
{
    struct batch *batch = user;
    struct worker *worker = &batch->workers[index];
    struct sch_run_options options = batch->options;
    uint32_t at;
    options.arena = &worker->arena;
    options.threads = 1;
    while ((at = atomic_fetch_add_explicit(&batch->next, 1, memory_order_relaxed)) < batch->cells) {
        const struct sch_bin_tiles tiles = tiles_of(batch, at);
        for (uint32_t n = 0; n < batch->run_count; n++) {
            if (!meet(&batch->runs[n].tiles, &tiles)) continue;
            if (atomic_load_explicit(&batch->stopped, memory_order_relaxed)) return;
            const enum sch_result status = shade(batch, n, &tiles, index, &options);
            note(worker, n, status);
            if (ends_all(status)) atomic_store(&batch->stopped, true);
        }
    }
}

/* So many cells that threads which are late or slow leave little at the end. */
static void cut(struct batch *batch)
{
    struct sch_bin_tiles *all = &batch->tiles;
    *all = batch->runs[0].tiles;
    for (uint32_t n = 1; n < batch->run_count; n++) unite(all, &batch->runs[n].tiles);
    const uint32_t rows = (uint32_t)(all->bottom - all->top), columns = (uint32_t)(all->right - all->left);
    const uint32_t wanted = (CELLS_EACH * batch->threads + rows - 1) / rows, each = wanted < columns ? wanted : columns;
    batch->columns = (columns + each - 1) / each;
    batch->cells_each = (columns + batch->columns - 1) / batch->columns;
    batch->cells = rows * batch->cells_each;
}

static enum sch_result settle(struct batch *batch)
{
    enum sch_result status = SCH_OK;
    uint32_t failed = UINT32_MAX;
    for (uint32_t w = 0; w < batch->threads; w++) {
        struct worker *worker = &batch->workers[w];
        if (worker->status != SCH_OK && worker->failed < failed) {
            failed = worker->failed;
            status = worker->status;
        }
        for (uint32_t s = 0; s < SUMS && batch->sums[s]; s++) {
            batch->sums[s]->samples_passed += worker->sums[s].samples_passed;
            batch->sums[s]->statistics[SCH_STATISTIC_PS_INVOCATIONS] +=
                worker->sums[s].statistics[SCH_STATISTIC_PS_INVOCATIONS];
        }
        memset(worker->sums, 0, sizeof worker->sums);
        worker->status = SCH_OK;
    }
    return status;
}

/* A run that is alone is cut finer than cells are. */
static void shade_one(struct batch *batch)
{
    struct sch_run_options options = batch->options;
    options.arena = &batch->workers[0].arena;
    if (batch->pixels < LITTLE_PIXELS) options.threads = 1;
    note(&batch->workers[0], 0, shade(batch, 0, &batch->runs[0].tiles, 0, &options));
}

static void begin_shading(struct batch *batch)
{
    struct sch_run_options *options = &batch->options;
    batch->threads = options->threads < MOST_WORKERS ? options->threads : MOST_WORKERS;
    if (!batch->threads) batch->threads = 1;
    options->diagnostics = NULL;
    if (options->deadline) options->deadline = sch_clock_ns() + batch->allowed;
    atomic_store(&batch->next, 0);
    atomic_store(&batch->stopped, false);
    cut(batch);
}

static enum sch_result end_shading(struct batch *batch)
{
    const enum sch_result status = settle(batch);
    batch->draw_count = batch->state_count = batch->run_count = 0;
    batch->pixels = batch->allowed = 0;
    memset(batch->sums, 0, sizeof batch->sums);
    if (is_large(batch)) release_draws(batch);
    return status;
}

/* The first failure is what is reported. */
static void keep_status(struct sch_waiting *waiting, enum sch_result status)
{
    if (waiting->status == SCH_OK) waiting->status = status;
}

/* ---- batch after batch ---- */

static void end_other(struct sch_waiting *waiting)
{
    struct batch *other = waiting->batches[1];
    if (!waiting->shading) return;
    sch_pool_end(other->options.pool, &other->task);
    keep_status(waiting, end_shading(other));
    waiting->shading = false;
}

/* Threads begin with the draws that wait, and others join another batch. */
static void begin_other(struct sch_waiting *waiting)
{
    struct batch *batch = waiting->batches[0];
    end_other(waiting);
    begin_shading(batch);
    waiting->batches[0] = waiting->batches[1];
    waiting->batches[1] = batch;
    waiting->shading = true;
    sch_pool_begin(batch->options.pool, &batch->task, batch->threads, shade_cells, batch);
}

/* All draws that wait, while the caller does. */
static void shade_all(struct sch_waiting *waiting)
{
    struct batch *batch = waiting->batches[0];
    end_other(waiting);
    if (!batch->draw_count) return;
    begin_shading(batch);
    if (batch->run_count == 1)
        shade_one(batch);
    else
        sch_pool_run(batch->pixels < LITTLE_PIXELS ? NULL : batch->options.pool, batch->threads, shade_cells, batch);
    keep_status(waiting, end_shading(batch));
}

/* Whether threads have nothing left to do. */
static bool is_idle(const struct sch_waiting *waiting)
{
    const struct batch *other = waiting->batches[1];
    return !waiting->shading || (atomic_load_explicit(&other->next, memory_order_relaxed) >= other->cells &&
                                 !atomic_load_explicit(&other->task.running, memory_order_relaxed));
}

bool sch_waiting_take(struct sch_waiting *waiting, const struct sch_draw_context *context,
                      const struct sch_derived *derived, const struct sch_bins *bins, struct sch_chunk *chunk)
{
    struct batch *batch = waiting->batches[0];
    const bool alone = context->options.threads <= 1;
    const bool small = batch->pixels < (uint64_t)FEW_PIXELS * batch->draw_count;
    const uint32_t most = alone && small ? MOST_DRAWS_ALONE : MOST_DRAWS;
    const bool full = batch->draw_count >= most || batch->state_count == MOST_STATES || is_large(batch);
    if (batch->draw_count && full) {
        if (alone)
            shade_all(waiting); /* in the same memory again and again */
        else
            begin_other(waiting);
        batch = waiting->batches[0];
    }
    if (!take(batch, context, derived, bins, chunk)) return false;
    if (batch->draw_count >= LEAST_DRAWS && batch->pixels >= LITTLE_PIXELS && is_idle(waiting) && !alone)
        begin_other(waiting);
    return true;
}

enum sch_result sch_waiting_shade(struct sch_waiting *waiting)
{
    if (!any(waiting)) return SCH_OK;
    shade_all(waiting);
    const enum sch_result status = waiting->status;
    waiting->status = SCH_OK;
    return status;
}
