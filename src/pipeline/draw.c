/* A draw, in generations: some chunks are assembled, shaded and set up, and what comes of them is drawn before the next
 * ones take their memory. Each step is done for all chunks, or tiles, by any number of threads; where draws and chunks
 * are cut is seen nowhere. */
#include "pipeline/draw.h"

#include <string.h>

#include "base/arena.h"
#include "base/environment.h"
#include "base/pool.h"
#include "isa/errors.h"
#include "pipeline/fragments.h"
#include "pipeline/front.h"
#include "pipeline/history.h"
#include "pipeline/vertices.h"

enum {
    GENERATION_CHUNKS = 8, /* at most, whatever the threads are, as the memory that they take is limited */
    CHUNK_VERTICES = 8192,
    TILE_SHIFT = 6,            /* 64 x 64 pixels */
    WHOLE_SHIFT = 15,          /* one tile is all of the framebuffer */
    MOST_REFERENCES = 8 << 20, /* from tiles to primitives, at once */
    LITTLE_PIXELS = 64 * 64,   /* not worth a second thread */
    LITTLE_VERTICES = 4 * SCH_GROUP_LANES
};

struct sch_draw_scratch {
    struct sch_scratch memory;
    struct sch_arena arena; /* of runs */
    struct sch_chunk chunks[GENERATION_CHUNKS];
    struct sch_assembly_table tables[GENERATION_CHUNKS];
    struct sch_bin_part parts[GENERATION_CHUNKS];
    struct sch_scratch_array carried; /* vertices that the next generation has from this one */
};

/* A draw on its way. */
struct course {
    struct sch_draw_scratch *scratch;
    const struct sch_draw_pipeline *draw;
    const struct sch_draw_vertices *vertices;
    struct sch_run_options options;
    uint64_t work;         /* instructions that are left; UINT64_MAX: no bound */
    uint64_t instructions; /* of all runs so far */
    struct sch_draw_counts *counts;
    struct sch_run_report *report;
    enum sch_stage *stage;

    struct sch_vertex_layout layout;
    struct sch_assembly assembly;
    struct sch_shading shading;
    struct sch_front front;
    struct sch_fragments fragments;
    uint32_t chunk_count, previous_count;
    uint32_t stipple;
    struct sch_bins bins;
};

/* ---- memory ---- */

struct sch_draw_scratch *sch_draw_scratch_create(const struct sch_allocator *allocator, size_t limit)
{
    struct sch_draw_scratch *scratch = allocator->alloc(allocator->user, sizeof *scratch);
    if (!scratch) return NULL;
    memset(scratch, 0, sizeof *scratch);
    scratch->memory.allocator = *allocator;
    scratch->memory.limit = limit;
    atomic_init(&scratch->memory.held, 0);
    sch_arena_init(&scratch->arena, allocator, 0);
    atomic_init(&scratch->memory.limited, false);
    for (unsigned c = 0; c < GENERATION_CHUNKS; c++) {
        sch_assembled_init(&scratch->chunks[c].assembled, allocator);
        sch_assembly_table_init(&scratch->tables[c], allocator);
    }
    return scratch;
}

void sch_draw_scratch_destroy(struct sch_draw_scratch *scratch)
{
    if (!scratch) return;
    for (unsigned c = 0; c < GENERATION_CHUNKS; c++) {
        struct sch_chunk *chunk = &scratch->chunks[c];
        sch_assembled_release(&chunk->assembled);
        sch_assembly_table_release(&scratch->tables[c]);
        sch_scratch_free(&scratch->memory, &chunk->words);
        sch_scratch_free(&scratch->memory, &chunk->corners);
        sch_scratch_free(&scratch->memory, &chunk->codes);
        sch_scratch_free(&scratch->memory, &chunk->records);
        sch_scratch_free(&scratch->memory, &chunk->tiles);
        sch_scratch_free(&scratch->memory, &scratch->parts[c].starts);
        sch_scratch_free(&scratch->memory, &scratch->parts[c].numbers);
    }
    sch_scratch_free(&scratch->memory, &scratch->carried);
    sch_arena_release(&scratch->arena);
    scratch->memory.allocator.free(scratch->memory.allocator.user, scratch);
}

/* ---- chunks ---- */

/* The vertices that the first chunk has from the last one of the generation before, kept while their memory is
 * taken. */
static bool carry(struct course *course, const struct sch_assembly_cut *cut)
{
    struct sch_draw_scratch *scratch = course->scratch;
    const size_t bytes = course->layout.words * sizeof(uint32_t);
    if (!cut->repeated || !course->previous_count) return true;
    if (!sch_scratch_reserve(&scratch->memory, &scratch->carried, cut->repeated, bytes)) return false;
    const struct sch_vertices *from = &scratch->chunks[course->previous_count - 1].vertices;
    for (uint32_t v = 0; v < cut->repeated; v++)
        memcpy((uint8_t *)scratch->carried.data + v * bytes,
               from->words + (size_t)cut->repeated_from[v] * course->layout.words, bytes);
    return true;
}

/* The chunks of the next generation. False: no memory. */
static bool cut_chunks(struct course *course)
{
    struct sch_draw_scratch *scratch = course->scratch;
    struct sch_assembly_cut cut;
    course->previous_count = course->chunk_count;
    course->chunk_count = 0;
    while (course->chunk_count < GENERATION_CHUNKS && sch_assembly_cut(&course->assembly, &cut)) {
        if (!course->chunk_count && !carry(course, &cut)) return false;
        scratch->chunks[course->chunk_count++].cut = cut;
        course->counts->statistics[SCH_STATISTIC_IA_VERTICES] += cut.invocations;
        course->counts->statistics[SCH_STATISTIC_VS_INVOCATIONS] += cut.invocations;
        course->counts->statistics[SCH_STATISTIC_IA_PRIMITIVES] += cut.primitives;
        course->counts->statistics[SCH_STATISTIC_C_INVOCATIONS] += cut.primitives;
        course->counts->primitives_generated += cut.primitives;
    }
    return true;
}

static void assemble(void *user, unsigned number)
{
    struct course *course = user;
    struct sch_draw_scratch *scratch = course->scratch;
    struct sch_chunk *chunk = &scratch->chunks[number];
    chunk->status = sch_assemble(&course->assembly, &chunk->cut, &scratch->tables[number], &chunk->assembled);
    if (chunk->status != SCH_OK) return;
    chunk->vertices = (struct sch_vertices){.layout = &course->layout};
    if (!sch_chunk_reserve(chunk, &scratch->memory, chunk->assembled.vertex_count + SCH_CLIP_CORNERS))
        chunk->status = SCH_ERROR_MEMORY;
    chunk->vertices.count = chunk->assembled.vertex_count;
}

/* Vertices that are not shaded again. */
static void copy_repeated(struct course *course, unsigned number)
{
    struct sch_draw_scratch *scratch = course->scratch;
    const size_t words = course->layout.words;
    struct sch_chunk *chunk = &scratch->chunks[number];
    for (uint32_t v = 0; v < chunk->cut.repeated; v++) {
        const uint32_t *from = number ? scratch->chunks[number - 1].vertices.words + chunk->cut.repeated_from[v] * words
                                      : (const uint32_t *)scratch->carried.data + v * words;
        memcpy(chunk->vertices.words + v * words, from, words * sizeof *from);
    }
}

static enum sch_result status_of(const struct course *course)
{
    for (uint32_t c = 0; c < course->chunk_count; c++)
        if (course->scratch->chunks[c].status != SCH_OK) return course->scratch->chunks[c].status;
    return SCH_OK;
}

/* ---- running programs ---- */

/* The options of one run: what is left of the work, and as many threads as it is worth. */
static struct sch_run_options begin_run(struct course *course, bool little)
{
    struct sch_run_options options = course->options;
    *course->report = (struct sch_run_report){0}; /* runs without a group leave it as it is */
    if (course->work != UINT64_MAX) {
        options.work = course->work;
        options.no_work = !course->work;
    }
    /* A bound on the work is found by running again what has passed it, which colours that are blended do not allow. */
    if (little || course->work != UINT64_MAX) options.threads = 1;
    return options;
}

static enum sch_result end_run(struct course *course, enum sch_stage stage, enum sch_result status)
{
    const uint64_t done = course->report->instructions;
    if (course->work != UINT64_MAX) course->work -= done;
    course->instructions += done;
    course->report->instructions = course->instructions;
    if (status != SCH_OK) *course->stage = stage;
    return status;
}

static enum sch_result shade(struct course *course)
{
    uint64_t vertices = 0;
    for (uint32_t c = 0; c < course->chunk_count; c++) vertices += course->scratch->chunks[c].assembled.vertex_count;
    const struct sch_run_options options = begin_run(course, vertices < LITTLE_VERTICES);
    for (uint32_t c = 0; c < course->chunk_count; c++) copy_repeated(course, c);
    const enum sch_result status =
        sch_shading_run(&course->shading, course->scratch->chunks, course->chunk_count, &options, course->report);
    return end_run(course, SCH_STAGE_VERTEX, status);
}

/* ---- setup ---- */

/* Which tiles the records touch, while they are at hand. */
static enum sch_result find_tiles(const struct course *course, struct sch_chunk *chunk)
{
    if (!sch_scratch_reserve(&course->scratch->memory, &chunk->tiles, chunk->record_count,
                             sizeof(struct sch_bin_tiles)))
        return SCH_ERROR_MEMORY;
    chunk->extent = sch_bin_extent(chunk->records.data, chunk->record_count, course->bins.shift, chunk->tiles.data);
    return SCH_OK;
}

/* Threads compute in the default environment, whatever the caller's is. */
static void set_up(void *user, unsigned number)
{
    struct course *course = user;
    struct sch_chunk *chunk = &course->scratch->chunks[number];
    uint32_t unused = 0;
    struct sch_environment environment;
    sch_environment_begin(&environment);
    chunk->status = sch_front_run(&course->front, chunk, &course->scratch->memory,
                                  course->front.line.stippled ? &course->stipple : &unused);
    sch_environment_end(&environment);
    if (chunk->status == SCH_OK) chunk->status = find_tiles(course, chunk);
}

static enum sch_result set_up_all(struct course *course)
{
    struct sch_pool *pool = course->options.threads > 1 ? course->options.pool : NULL;
    if (course->front.line.stippled) pool = NULL; /* each line counts on from the one before */
    sch_pool_run(course->chunk_count > 1 ? pool : NULL, course->chunk_count, set_up, course);
    for (uint32_t c = 0; c < course->chunk_count; c++)
        course->counts->statistics[SCH_STATISTIC_C_PRIMITIVES] += course->scratch->chunks[c].clipped;
    return status_of(course);
}

/* ---- fragments ---- */

static void fill_bin(void *user, unsigned number)
{
    struct course *course = user;
    if (!sch_bin_fill(&course->bins.parts[number], &course->scratch->memory))
        course->scratch->chunks[number].status = SCH_ERROR_MEMORY;
}

/* Where the next primitives begin that are listed. */
struct cursor {
    uint32_t chunk, record;
    uint64_t pixels; /* in the boxes of the chunks of those that were listed last */
};

/* How many of the chunk's records from the cursor on are listed, where so many references are left; at least one if
 * `any`. */
static uint32_t records_within(const struct sch_chunk *chunk, uint32_t from, uint64_t left, bool any)
{
    uint64_t references = 0;
    uint32_t end = from;
    if (!from && chunk->extent.references <= left) return chunk->record_count;
    for (; end < chunk->record_count; end++) {
        references += sch_bin_references(&chunk->extent.tiles[end]);
        if (references > left && (!any || end > from)) break;
    }
    return end - from;
}

static void make_part(struct sch_bin_part *part, const struct sch_chunk *chunk, uint32_t first, uint32_t count)
{
    part->primitives = chunk->records.data;
    part->tiles = chunk->extent.tiles;
    part->vertices = &chunk->vertices;
    part->first = first;
    part->end = first + count;
    part->left = chunk->extent.all.left;
    part->top = chunk->extent.all.top;
    part->right = chunk->extent.all.right;
    part->bottom = chunk->extent.all.bottom;
}

static uint64_t references_of(const struct sch_bin_part *part)
{
    uint64_t references = 0;
    for (uint32_t n = part->first; n < part->end; n++) references += sch_bin_references(&part->tiles[n]);
    return references;
}

/* Parts with as many primitives as may be listed at once, at least one. */
static void cut_parts(struct course *course, struct cursor *cursor)
{
    struct sch_bins *bins = &course->bins;
    uint64_t left = MOST_REFERENCES;
    bins->part_count = 0;
    cursor->pixels = 0;
    for (; cursor->chunk < course->chunk_count; cursor->chunk++, cursor->record = 0) {
        const struct sch_chunk *chunk = &course->scratch->chunks[cursor->chunk];
        const uint32_t rest = chunk->record_count - cursor->record;
        const uint32_t count = records_within(chunk, cursor->record, left, !bins->part_count);
        if (rest && !count) return;
        struct sch_bin_part *part = &bins->parts[bins->part_count++];
        make_part(part, chunk, cursor->record, count);
        cursor->pixels += chunk->extent.pixels;
        cursor->record += count;
        if (count < rest) return;
        const uint64_t references = count == chunk->record_count ? chunk->extent.references : references_of(part);
        left = left > references ? left - references : 0;
    }
}

static enum sch_result draw_parts(struct course *course, struct cursor *cursor)
{
    struct sch_pool *pool = course->options.threads > 1 ? course->options.pool : NULL;
    cut_parts(course, cursor);
    sch_pool_run(course->bins.part_count > 1 ? pool : NULL, course->bins.part_count, fill_bin, course);
    const enum sch_result status = status_of(course);
    if (status != SCH_OK) return status;
    const struct sch_run_options options = begin_run(course, cursor->pixels < LITTLE_PIXELS);
    return end_run(course, SCH_STAGE_FRAGMENT,
                   sch_fragments_run(&course->fragments, &course->bins, &options, course->counts, course->report));
}

static enum sch_result draw_all(struct course *course)
{
    struct cursor cursor = {0};
    enum sch_result status = SCH_OK;
    while (status == SCH_OK && cursor.chunk < course->chunk_count) status = draw_parts(course, &cursor);
    return status;
}

/* The same, while the history of a pixel is recorded. */
static enum sch_result draw_recorded(struct course *course)
{
    struct sch_history *history = course->draw->history;
    const struct sch_fragments *fragments = &course->fragments;
    enum sch_result status = SCH_OK;
    struct sch_environment environment;
    sch_environment_begin(&environment);
    sch_history_begin_chunks(history);
    for (uint32_t c = 0; c < course->chunk_count && status == SCH_OK; c++) {
        struct sch_chunk *chunk = &course->scratch->chunks[c];
        status = sch_history_take(history, &fragments->rules, &fragments->output, chunk);
        if (status == SCH_OK) status = find_tiles(course, chunk);
    }
    sch_environment_end(&environment);
    if (status == SCH_OK) status = draw_all(course);
    sch_history_settle(history);
    return status;
}

/* ---- a draw ---- */

static enum sch_result draw_generation(struct course *course)
{
    struct sch_pool *pool = course->options.threads > 1 ? course->options.pool : NULL;
    sch_pool_run(course->chunk_count > 1 ? pool : NULL, course->chunk_count, assemble, course);
    enum sch_result status = status_of(course);
    if (status == SCH_OK) status = shade(course);
    if (status != SCH_OK || course->draw->rasterizer->rasterizer_discard) return status;
    status = set_up_all(course);
    if (status != SCH_OK) return status;
    return course->draw->history ? draw_recorded(course) : draw_all(course);
}

static void begin(struct course *course)
{
    const struct sch_draw_pipeline *draw = course->draw;
    const struct sch_link *link = draw->link;
    const struct sch_assembly_options options = {.first_provokes = draw->rasterizer->flatshade_first,
                                                 .share =
                                                     draw->vertex->prepared.interface.facts.effects == SCH_EFFECTS_NONE,
                                                 .patch_vertices = draw->dynamic->patch_vertices,
                                                 .chunk_vertices = CHUNK_VERTICES};
    sch_clip_layout(link, draw->rasterizer, &course->layout);
    sch_assembly_begin(&course->assembly, course->vertices, &options);
    sch_shading_init(&course->shading, draw, course->vertices);
    sch_front_init(&course->front, draw->history ? sch_history_begin_draw(draw->history, draw, course->vertices) : draw,
                   &course->layout);
    sch_fragments_init(&course->fragments, draw, &course->layout);
    course->options.arena = &course->scratch->arena;
    course->options.unordered = link->effects == SCH_EFFECTS_UNORDERED;
    /* Order class (c): primitive after primitive over the whole framebuffer. */
    const bool ordered = draw->fragment->prepared.interface.facts.effects == SCH_EFFECTS_ORDERED || draw->live_feedback;
    if (draw->live_feedback) course->options.threads = 1;
    course->bins =
        (struct sch_bins){.shift = ordered ? WHOLE_SHIFT : TILE_SHIFT,
                          .parts = course->scratch->parts,
                          .bytes = course->front.setup.interpolates ? sizeof(struct sch_raster_primitive)
                                                                    : offsetof(struct sch_raster_primitive, of.e1)};
}

/* A limit that the caller has set is something else than memory that there is not. */
static enum sch_result settle(struct course *course, enum sch_result status)
{
    struct sch_scratch *memory = &course->scratch->memory;
    if (!sch_scratch_limited(memory) || status != SCH_ERROR_MEMORY) return status;
    sch_diagnostics_add(course->options.diagnostics, SCH_SEVERITY_ERROR, SCH_D_RUN_MEMORY, (struct sch_position){0},
                        "what the renderer keeps of the draw would be more than the %zu bytes allowed", memory->limit);
    return SCH_ERROR_LIMIT;
}

enum sch_result sch_draw_run(struct sch_draw_scratch *scratch, const struct sch_draw_pipeline *pipeline,
                             const struct sch_draw_vertices *vertices, const struct sch_run_options *options,
                             struct sch_draw_counts *counts, struct sch_run_report *report,
                             enum sch_stage *report_stage)
{
    struct sch_run_report unused;
    enum sch_stage unused_stage;
    struct course course = {.scratch = scratch,
                            .draw = pipeline,
                            .vertices = vertices,
                            .options = *options,
                            .work = options->work ? options->work : UINT64_MAX,
                            .counts = counts,
                            .report = report ? report : &unused,
                            .stage = report_stage ? report_stage : &unused_stage};
    enum sch_result status = SCH_OK;
    begin(&course);
    while (status == SCH_OK) {
        if (!cut_chunks(&course))
            status = SCH_ERROR_MEMORY;
        else if (!course.chunk_count)
            break;
        else
            status = draw_generation(&course);
    }
    return settle(&course, status);
}
