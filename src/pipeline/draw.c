/* A draw, in generations: some chunks are assembled and shaded, and what comes of them goes through the other steps
 * (pipeline/draw_context.h) before the next ones take their memory. Each step is done for all chunks, or tiles, by any
 * number of threads; where draws and chunks are cut is seen nowhere. */
#include "pipeline/draw.h"

#include <string.h>

#include "base/arena.h"
#include "isa/errors.h"
#include "pipeline/derived.h"
#include "pipeline/drawing.h"
#include "pipeline/geometry.h"
#include "pipeline/joining.h"
#include "pipeline/stream.h"
#include "pipeline/tessellation.h"
#include "pipeline/vertices.h"
#include "pipeline/waiting.h"

enum { CHUNK_VERTICES = 8192, LITTLE_VERTICES = 4 * SCH_GROUP_LANES /* not worth a second thread */ };

struct sch_draw_scratch {
    struct sch_scratch memory;
    struct sch_draw_pipeline draw; /* the last that was not joined to others */
    struct sch_derived derived;    /* of it */
    struct sch_joining joining;    /* draws that are in the first chunk */
    enum sch_result status;        /* of draws that have ended after their calls */
    struct sch_arena arena;        /* of runs */
    struct sch_chunk chunks[SCH_GENERATION_CHUNKS];
    struct sch_assembly_table tables[SCH_GENERATION_CHUNKS];
    struct sch_bin_part parts[SCH_GENERATION_CHUNKS];
    struct sch_tessellation_scratch tessellation;
    struct sch_scratch_array carried; /* vertices that the next generation has from this one */
    struct sch_geometry_scratch geometry;
    struct sch_waiting *waiting; /* NULL: no draw has waited yet */
};

/* A draw: its vertices, and what comes after them. */
struct drawn {
    struct sch_draw_context context;
    struct sch_draw_scratch *scratch;
    struct sch_assembly assembly;
    struct sch_shading shading;
    struct sch_generation generation; /* of chunks that the draw's vertices are in */
    uint32_t previous_count;          /* of chunks of the generation before */
    const struct sch_vertex_layout *layout;
    struct sch_tessellation tessellation;
    struct sch_geometry geometry;
    struct sch_drawing drawing;
    struct sch_run_report unused;
    enum sch_stage unused_stage;
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
    sch_tessellation_scratch_init(&scratch->tessellation, allocator);
    for (unsigned c = 0; c < SCH_GENERATION_CHUNKS; c++) {
        sch_assembled_init(&scratch->chunks[c].assembled, allocator);
        sch_assembly_table_init(&scratch->tables[c], allocator);
    }
    sch_geometry_scratch_init(&scratch->geometry, allocator);
    return scratch;
}

void sch_draw_scratch_destroy(struct sch_draw_scratch *scratch)
{
    if (!scratch) return;
    sch_waiting_destroy(scratch->waiting);
    sch_joining_release(&scratch->joining, &scratch->memory);
    for (unsigned c = 0; c < SCH_GENERATION_CHUNKS; c++) {
        sch_chunk_release(&scratch->chunks[c], &scratch->memory);
        sch_assembly_table_release(&scratch->tables[c]);
        sch_scratch_free(&scratch->memory, &scratch->parts[c].starts);
        sch_scratch_free(&scratch->memory, &scratch->parts[c].numbers);
    }
    sch_tessellation_scratch_release(&scratch->tessellation, &scratch->memory);
    sch_scratch_free(&scratch->memory, &scratch->carried);
    sch_geometry_scratch_release(&scratch->geometry, &scratch->memory);
    sch_arena_release(&scratch->arena);
    scratch->memory.allocator.free(scratch->memory.allocator.user, scratch);
}

/* ---- chunks ---- */

/* The vertices that the first chunk has from the last one of the generation before, kept while their memory is
 * taken. */
static bool carry(struct drawn *drawn, const struct sch_assembly_cut *cut)
{
    struct sch_draw_scratch *scratch = drawn->scratch;
    if (!cut->repeated || !drawn->previous_count) return true;
    const struct sch_vertices *from = &scratch->chunks[drawn->previous_count - 1].vertices;
    const size_t words = from->layout->words, bytes = words * sizeof *from->words;
    if (!sch_scratch_reserve(&scratch->memory, &scratch->carried, cut->repeated, bytes)) return false;
    for (uint32_t v = 0; v < cut->repeated; v++)
        memcpy((uint8_t *)scratch->carried.data + v * bytes, from->words + (size_t)cut->repeated_from[v] * words,
               bytes);
    return true;
}

static void count_assembled(struct sch_draw_counts *counts, const struct sch_assembly_cut *cut)
{
    counts->statistics[SCH_STATISTIC_IA_VERTICES] += cut->invocations;
    counts->statistics[SCH_STATISTIC_VS_INVOCATIONS] += cut->invocations;
    counts->statistics[SCH_STATISTIC_IA_PRIMITIVES] += cut->primitives;
}

/* The chunks of the next generation. False: no memory. */
static bool cut_chunks(struct drawn *drawn)
{
    struct sch_generation *generation = &drawn->generation;
    struct sch_assembly_cut cut;
    drawn->previous_count = generation->count;
    *generation = (struct sch_generation){.chunks = drawn->scratch->chunks};
    const uint32_t most = drawn->context.draw->live_streams ? 1 : SCH_GENERATION_CHUNKS;
    while (generation->count < most && sch_assembly_cut(&drawn->assembly, &cut)) {
        if (!generation->count && !carry(drawn, &cut)) return false;
        generation->chunks[generation->count++].cut = cut;
        generation->primitives += cut.primitives;
        count_assembled(drawn->context.counts, &cut);
    }
    return true;
}

/* Room for the vertices of a chunk that is assembled. */
static bool make_room(const struct drawn *drawn, struct sch_chunk *chunk)
{
    chunk->vertices = (struct sch_vertices){.layout = drawn->layout};
    if (!sch_chunk_reserve(chunk, drawn->context.memory, chunk->assembled.vertex_count + SCH_CLIP_CORNERS))
        return false;
    chunk->vertices.count = chunk->assembled.vertex_count;
    return true;
}

static void assemble(void *user, unsigned number)
{
    struct drawn *drawn = user;
    struct sch_chunk *chunk = &drawn->generation.chunks[number];
    chunk->status = sch_assemble(&drawn->assembly, &chunk->cut, &drawn->scratch->tables[number], &chunk->assembled);
    if (chunk->status == SCH_OK && !make_room(drawn, chunk)) chunk->status = SCH_ERROR_MEMORY;
}

/* ---- vertices ---- */

/* Vertices that are not shaded again. */
static void copy_repeated(struct drawn *drawn, unsigned number)
{
    struct sch_chunk *chunk = &drawn->generation.chunks[number];
    const size_t words = chunk->vertices.layout->words;
    for (uint32_t v = 0; v < chunk->cut.repeated; v++) {
        const uint32_t *from = number ? chunk[-1].vertices.words + chunk->cut.repeated_from[v] * words
                                      : (const uint32_t *)drawn->scratch->carried.data + v * words;
        memcpy(chunk->vertices.words + v * words, from, words * sizeof *from);
    }
}

static enum sch_result shade(struct drawn *drawn)
{
    struct sch_draw_context *context = &drawn->context;
    const struct sch_generation *generation = &drawn->generation;
    uint64_t vertices = 0;
    for (uint32_t c = 0; c < generation->count; c++) vertices += generation->chunks[c].assembled.vertex_count;
    struct sch_run_options own;
    const struct sch_run_options *options = sch_draw_context_begin_run(context, vertices < LITTLE_VERTICES, &own);
    for (uint32_t c = 0; c < generation->count; c++) copy_repeated(drawn, c);
    const enum sch_result status =
        sch_shading_run(&drawn->shading, generation->chunks, generation->count, options, context->report);
    return sch_draw_context_end_run(context, SCH_STAGE_VERTEX, status);
}

/* ---- a draw ---- */

static enum sch_result draw_generation(struct drawn *drawn)
{
    sch_draw_context_each(&drawn->context, drawn->generation.count, assemble, drawn);
    enum sch_result status = sch_generation_status(&drawn->generation);
    if (status == SCH_OK) status = shade(drawn);
    return status == SCH_OK ? sch_draw_context_enter(&drawn->context, &drawn->generation) : status;
}

static void begin_assembly(struct sch_assembly *assembly, const struct sch_draw_pipeline *draw,
                           const struct sch_draw_vertices *vertices)
{
    const struct sch_assembly_options options = {
        .first_provokes = draw->rasterizer->flatshade_first,
        .share = draw->programs[SCH_STAGE_VERTEX]->prepared.interface.facts.effects == SCH_EFFECTS_NONE,
        .single = draw->live_streams,
        .patch_vertices = draw->dynamic->patch_vertices,
        .chunk_vertices = CHUNK_VERTICES};
    sch_assembly_begin(assembly, vertices, &options);
}

/* A draw with the pipeline in `scratch`. */
static void begin(struct drawn *drawn, struct sch_draw_scratch *scratch, const struct sch_draw_vertices *vertices,
                  const struct sch_run_options *options, struct sch_draw_counts *counts)
{
    struct sch_draw_context *context = &drawn->context;
    const struct sch_draw_pipeline *draw = &scratch->draw;
    const struct sch_link *link = draw->link;
    drawn->scratch = scratch;
    drawn->generation.count = 0;
    *context = (struct sch_draw_context){.draw = draw,
                                         .vertices = vertices,
                                         .memory = &scratch->memory,
                                         .options = *options,
                                         .work = options->work ? options->work : UINT64_MAX,
                                         .counts = counts,
                                         .report = &drawn->unused,
                                         .stage = &drawn->unused_stage};
    struct sch_derived *derived = &drawn->scratch->derived;
    sch_derive(derived, draw, context->vertices);
    context->layout = &derived->layout;
    sch_shading_init(&drawn->shading, draw, context->vertices, &derived->results);
    drawn->layout = derived->results.layout ? derived->results.layout : context->layout;
    sch_drawing_begin(&drawn->drawing, context, derived, drawn->scratch->parts);
    context->options.arena = &drawn->scratch->arena;
    context->options.unordered = link->effects == SCH_EFFECTS_UNORDERED;
    if (draw->live_feedback || draw->live_streams) context->options.threads = 1;
    if (link->tess_eval) {
        sch_tessellation_begin(&drawn->tessellation, context, &drawn->scratch->tessellation);
        sch_draw_context_add(context, sch_tessellation_take, &drawn->tessellation);
    }
    if (draw->programs[SCH_STAGE_GEOMETRY]) {
        sch_geometry_begin(&drawn->geometry, context, &drawn->scratch->geometry);
        sch_draw_context_add(context, sch_geometry_take, &drawn->geometry);
    }
    if (draw->streams_out) {
        sch_stream_begin(draw);
        sch_draw_context_add(context, sch_stream_step, NULL);
    }
    sch_draw_context_add(context, sch_drawing_take, &drawn->drawing);
}

/* ---- fragments that wait ---- */

/* Whether the fragments may wait: if so, those that wait already go to the same framebuffer. Otherwise they are shaded
 * before the draw does anything. */
static enum sch_result begin_waiting(struct drawn *drawn)
{
    struct sch_draw_scratch *scratch = drawn->scratch;
    const struct sch_draw_context *context = &drawn->context;
    enum sch_result status = SCH_OK;
    drawn->drawing.may_wait = sch_waiting_allows(context, &scratch->derived);
    if (drawn->drawing.may_wait && !scratch->waiting) {
        scratch->waiting = sch_waiting_create(&scratch->memory);
        drawn->drawing.may_wait = scratch->waiting != NULL;
    }
    if (!drawn->drawing.may_wait || !sch_waiting_goes_to(scratch->waiting, context->draw->framebuffer))
        status = sch_waiting_shade(scratch->waiting);
    return status;
}

/* Before the next generation, or after the last: fragments of one chunk, which is all that waits of a draw, wait with
 * others if there is no more of the draw. Otherwise none wait any longer. */
static enum sch_result end_waiting(struct drawn *drawn)
{
    struct sch_draw_scratch *scratch = drawn->scratch;
    struct sch_drawing *drawing = &drawn->drawing;
    const uint32_t next = drawn->generation.count;
    struct sch_generation generation = {.chunks = scratch->chunks, .count = 1};
    if (!drawing->may_wait || (!drawing->waits && next < 2)) return SCH_OK;
    if (!next && sch_drawing_list(drawing, &generation) &&
        sch_waiting_take(scratch->waiting, &drawn->context, &scratch->derived, &drawing->bins, scratch->chunks))
        return SCH_OK;
    drawing->may_wait = false;
    const enum sch_result status = sch_waiting_shade(scratch->waiting);
    const enum sch_result settled = drawing->waits ? sch_drawing_settle(drawing, &generation) : SCH_OK;
    return status == SCH_OK ? settled : status;
}

/* ---- a whole draw ---- */

/* A limit that the caller has set differs from a lack of memory. */
static enum sch_result settle(struct sch_draw_context *context, enum sch_result status)
{
    struct sch_scratch *memory = context->memory;
    if (!sch_scratch_limited(memory) || status != SCH_ERROR_MEMORY) return status;
    sch_diagnostics_add(context->options.diagnostics, SCH_SEVERITY_ERROR, SCH_D_RUN_MEMORY, (struct sch_position){0},
                        "what the renderer keeps of the draw would be more than the %zu bytes allowed", memory->limit);
    return SCH_ERROR_LIMIT;
}

/* ---- draws that are joined (pipeline/joining.h) ----
 *
 * They are assembled into the first chunk, one after the other. */

static bool has_room(const struct sch_assembled *assembled, const struct sch_assembly_cut *cut)
{
    return assembled->vertex_count + cut->vertices <= SCH_JOINED_VERTICES &&
           assembled->primitive_count + cut->records <= SCH_JOINED_VERTICES;
}

/* Whether others may join the draw, whose first chunk is cut: a small chunk is all of a draw. */
static bool may_join(const struct drawn *drawn)
{
    const struct sch_assembly_cut *cut = &drawn->scratch->chunks[0].cut;
    return drawn->drawing.may_wait && drawn->generation.count == 1 && !drawn->previous_count &&
           cut->vertices <= SCH_JOINED_SMALL && cut->records <= SCH_JOINED_SMALL &&
           sch_joining_allows(drawn->context.draw);
}

static enum sch_result begin_joined(struct drawn *drawn, const struct sch_run_options *options)
{
    struct sch_draw_scratch *scratch = drawn->scratch;
    struct sch_chunk *chunk = &scratch->chunks[0];
    const uint32_t room = SCH_JOINED_VERTICES;
    if (!sch_joining_begin(&scratch->joining, &drawn->context, &scratch->draw) ||
        !sch_assembled_begin(&chunk->assembled, &drawn->assembly, room, room))
        return SCH_ERROR_MEMORY;
    const enum sch_result status =
        sch_assemble_more(&drawn->assembly, &chunk->cut, &scratch->tables[0], &chunk->assembled);
    if (status == SCH_OK) sch_joining_add(&scratch->joining, options, drawn->generation.primitives);
    return status;
}

/* Joins a draw to those before it. False: it is not like them, or there is no room. */
static bool join(struct sch_draw_scratch *scratch, const struct sch_draw_pipeline *draw,
                 const struct sch_draw_vertices *vertices, const struct sch_run_options *options,
                 struct sch_draw_counts *counts, enum sch_result *status)
{
    struct sch_assembled *assembled = &scratch->chunks[0].assembled;
    struct sch_assembly assembly;
    struct sch_assembly_cut cut;
    if (!sch_joining_fits(&scratch->joining, draw, vertices, options, counts)) return false;
    begin_assembly(&assembly, draw, vertices);
    *status = SCH_OK;
    if (!sch_assembled_continues(assembled, &assembly)) return false;
    if (!sch_assembly_cut(&assembly, &cut)) return true; /* it has no primitives */
    if (!has_room(assembled, &cut)) return false;
    *status = sch_assemble_more(&assembly, &cut, &scratch->tables[0], assembled);
    if (*status != SCH_OK) return true;
    count_assembled(counts, &cut);
    sch_joining_add(&scratch->joining, options, cut.primitives);
    return true;
}

/* Draws those that are joined. */
static enum sch_result draw_joined(struct sch_draw_scratch *scratch)
{
    struct sch_joining *joining = &scratch->joining;
    if (!joining->draws) return SCH_OK;
    const struct sch_run_options options = sch_joining_options(joining);
    struct drawn drawn;
    begin(&drawn, scratch, &joining->vertices, &options, joining->counts);
    drawn.drawing.may_wait = true; /* as when the first of them began, since when nothing was drawn */
    drawn.generation =
        (struct sch_generation){.chunks = scratch->chunks, .count = 1, .primitives = joining->primitives};
    joining->draws = 0;
    enum sch_result status = make_room(&drawn, &scratch->chunks[0]) ? shade(&drawn) : SCH_ERROR_MEMORY;
    if (status == SCH_OK) status = sch_draw_context_enter(&drawn.context, &drawn.generation);
    drawn.generation.count = 0;
    if (status == SCH_OK) status = end_waiting(&drawn);
    return settle(&drawn.context, status);
}

/* The first failure is what is returned. */
static void keep_status(struct sch_draw_scratch *scratch, enum sch_result status)
{
    if (scratch->status == SCH_OK) scratch->status = status;
}

static enum sch_result take_status(struct sch_draw_scratch *scratch)
{
    const enum sch_result status = scratch->status;
    scratch->status = SCH_OK;
    return status;
}

void sch_draw_end_joined(struct sch_draw_scratch *scratch) { keep_status(scratch, draw_joined(scratch)); }

enum sch_result sch_draw_finish(struct sch_draw_scratch *scratch)
{
    sch_draw_end_joined(scratch);
    keep_status(scratch, sch_waiting_shade(scratch->waiting));
    return take_status(scratch);
}

enum sch_result sch_draw_run(struct sch_draw_scratch *scratch, const struct sch_draw_pipeline *pipeline,
                             const struct sch_draw_vertices *vertices, const struct sch_run_options *options,
                             struct sch_draw_counts *counts, struct sch_run_report *report,
                             enum sch_stage *report_stage)
{
    enum sch_result status = SCH_OK;
    if (join(scratch, pipeline, vertices, options, counts, &status)) return status;
    sch_draw_end_joined(scratch);
    struct drawn drawn; /* most of it is for draws that have more than others, and not cleared for those */
    scratch->draw = *pipeline;
    begin(&drawn, scratch, vertices, options, counts);
    if (report) drawn.context.report = report;
    if (report_stage) drawn.context.stage = report_stage;
    begin_assembly(&drawn.assembly, pipeline, vertices);
    keep_status(scratch, begin_waiting(&drawn));
    const enum sch_result waited = take_status(scratch);
    while (status == SCH_OK) {
        if (!cut_chunks(&drawn)) {
            status = SCH_ERROR_MEMORY;
            break;
        }
        if (may_join(&drawn)) {
            status = begin_joined(&drawn, options);
            break;
        }
        status = end_waiting(&drawn);
        if (status != SCH_OK || !drawn.generation.count) break;
        status = draw_generation(&drawn);
    }
    status = settle(&drawn.context, status);
    return status == SCH_OK ? waited : status;
}
