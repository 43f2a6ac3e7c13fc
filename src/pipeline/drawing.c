/* From chunks of shaded vertices to pixels: see drawing.h. */
#include "pipeline/drawing.h"

#include "base/environment.h"
#include "pipeline/count_fragments.h"
#include "pipeline/history.h"
#include "pipeline/rules.h"

enum {
    TILE_SHIFT = 6,            /* 64 x 64 pixels */
    WHOLE_SHIFT = 15,          /* one tile is all of the framebuffer */
    MOST_REFERENCES = 8 << 20, /* from tiles to primitives, at once */
    LITTLE_PIXELS = 64 * 64    /* not worth a second thread */
};

/* ---- setup ---- */

/* Which tiles the records touch, while they are at hand. */
static enum sch_result find_tiles(const struct sch_drawing *drawing, struct sch_chunk *chunk)
{
    return sch_bin_extent(&chunk->extent, chunk->records.data, chunk->record_count, drawing->bins.shift,
                          drawing->context->memory, &chunk->tiles)
               ? SCH_OK
               : SCH_ERROR_MEMORY;
}

/* Threads compute in the default environment, whatever the caller's is. */
static void set_up(void *user, unsigned number)
{
    struct sch_drawing *drawing = user;
    struct sch_chunk *chunk = &drawing->generation->chunks[number];
    uint32_t unused = 0;
    struct sch_environment environment;
    sch_environment_begin(&environment);
    chunk->status = sch_front_run(drawing->front, chunk, drawing->context->memory,
                                  drawing->front->line.stippled ? &drawing->stipple : &unused);
    sch_environment_end(&environment);
    if (chunk->status == SCH_OK) chunk->status = find_tiles(drawing, chunk);
}

static enum sch_result set_up_all(struct sch_drawing *drawing)
{
    const struct sch_generation *generation = drawing->generation;
    if (drawing->front->line.stippled) /* each line counts on from the one before */
        sch_pool_run(NULL, generation->count, set_up, drawing);
    else
        sch_draw_context_each(drawing->context, generation->count, set_up, drawing);
    for (uint32_t c = 0; c < generation->count; c++)
        drawing->context->counts->statistics[SCH_STATISTIC_C_PRIMITIVES] += generation->chunks[c].clipped;
    return sch_generation_status(generation);
}

/* ---- fragments ---- */

static void fill_bin(void *user, unsigned number)
{
    struct sch_drawing *drawing = user;
    if (!sch_bin_fill(&drawing->bins.parts[number], drawing->context->memory))
        drawing->generation->chunks[number].status = SCH_ERROR_MEMORY;
}

/* Where the next primitives begin that are listed. */
struct cursor {
    uint32_t chunk, record;
    uint64_t pixels; /* in the boxes of the chunks of those that were listed last */
};

static uint32_t references_to(const struct sch_bin_tiles *tiles, uint32_t number)
{
    return tiles ? sch_bin_references(&tiles[number]) : 1;
}

/* How many of the chunk's records from the cursor on are listed, where so many references are left; at least one if
 * `any`. */
static uint32_t records_within(const struct sch_chunk *chunk, uint32_t from, uint64_t left, bool any)
{
    uint64_t references = 0;
    uint32_t end = from;
    if (!from && chunk->extent.references <= left) return chunk->record_count;
    for (; end < chunk->record_count; end++) {
        references += references_to(chunk->extent.tiles, end);
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
    for (uint32_t n = part->first; n < part->end; n++) references += references_to(part->tiles, n);
    return references;
}

/* Parts with as many primitives as may be listed at once, at least one. */
static void cut_parts(struct sch_drawing *drawing, struct cursor *cursor)
{
    struct sch_bins *bins = &drawing->bins;
    uint64_t left = MOST_REFERENCES;
    bins->part_count = 0;
    cursor->pixels = 0;
    for (; cursor->chunk < drawing->generation->count; cursor->chunk++, cursor->record = 0) {
        const struct sch_chunk *chunk = &drawing->generation->chunks[cursor->chunk];
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

static enum sch_result draw_parts(struct sch_drawing *drawing, struct cursor *cursor)
{
    struct sch_draw_context *context = drawing->context;
    cut_parts(drawing, cursor);
    sch_draw_context_each(context, drawing->bins.part_count, fill_bin, drawing);
    const enum sch_result status = sch_generation_status(drawing->generation);
    if (status != SCH_OK) return status;
    struct sch_run_options own;
    const struct sch_run_options *options = sch_draw_context_begin_run(context, cursor->pixels < LITTLE_PIXELS, &own);
    enum sch_result (*const run)(const struct sch_fragments *, const struct sch_bins *, const struct sch_run_options *,
                                 struct sch_draw_counts *, struct sch_run_report *) =
        drawing->fragments->output.unshaded ? sch_fragments_count : sch_fragments_run;
    return sch_draw_context_end_run(context, SCH_STAGE_FRAGMENT,
                                    run(drawing->fragments, &drawing->bins, options, context->counts, context->report));
}

static enum sch_result draw_all(struct sch_drawing *drawing)
{
    struct cursor cursor = {0};
    enum sch_result status = SCH_OK;
    while (status == SCH_OK && cursor.chunk < drawing->generation->count) status = draw_parts(drawing, &cursor);
    return status;
}

/* The same, while the history of a pixel is recorded. */
static enum sch_result draw_recorded(struct sch_drawing *drawing)
{
    struct sch_history *history = drawing->context->draw->history;
    const struct sch_fragments *fragments = drawing->fragments;
    enum sch_result status = SCH_OK;
    struct sch_environment environment;
    sch_environment_begin(&environment);
    sch_history_begin_chunks(history);
    for (uint32_t c = 0; c < drawing->generation->count && status == SCH_OK; c++) {
        struct sch_chunk *chunk = &drawing->generation->chunks[c];
        status = sch_history_take(history, &fragments->rules, &fragments->output, chunk);
        if (status == SCH_OK) status = find_tiles(drawing, chunk);
    }
    sch_environment_end(&environment);
    if (status == SCH_OK) status = draw_all(drawing);
    sch_history_settle(history);
    return status;
}

/* ---- the step ---- */

/* Whether nothing of the fragments can be seen: nothing is written, and they are not counted. */
static bool is_unseen(const struct sch_drawing *drawing)
{
    const struct sch_draw_context *context = drawing->context;
    return drawing->fragments->output.unwritten && !context->draw->counted && !context->options.heat;
}

void sch_drawing_begin(struct sch_drawing *drawing, struct sch_draw_context *context, const struct sch_derived *derived,
                       struct sch_bin_part *parts)
{
    const struct sch_draw_pipeline *draw = context->draw;
    drawing->context = context;
    drawing->stipple = 0;
    drawing->may_wait = drawing->waits = false;
    drawing->front = &derived->front;
    drawing->fragments = &derived->fragments;
    /* Order class (c): primitive after primitive over the whole framebuffer. */
    const bool ordered = !derived->fragments.output.unshaded &&
                         (draw->programs[SCH_STAGE_FRAGMENT]->prepared.interface.facts.effects == SCH_EFFECTS_ORDERED ||
                          draw->live_feedback);
    drawing->bins =
        (struct sch_bins){.shift = ordered ? WHOLE_SHIFT : TILE_SHIFT,
                          .parts = parts,
                          .bytes = drawing->front->setup.interpolates ? offsetof(struct sch_raster_primitive, edges)
                                                                      : offsetof(struct sch_raster_primitive, of.e1)};
}

enum sch_result sch_drawing_take(struct sch_draw_context *context, const struct sch_step *step,
                                 struct sch_generation *generation)
{
    struct sch_drawing *drawing = step->own;
    context->counts->primitives_generated[0] += generation->primitives;
    if (sch_rules_disable_rasterization(context->draw)) return SCH_OK;
    context->counts->statistics[SCH_STATISTIC_C_INVOCATIONS] += generation->primitives;
    if (context->draw->rasterizer->rasterizer_discard) return SCH_OK;
    drawing->generation = generation;
    const enum sch_result status = set_up_all(drawing);
    if (status != SCH_OK || is_unseen(drawing)) return status;
    drawing->waits = drawing->may_wait && generation->count == 1;
    if (drawing->waits) return SCH_OK;
    return context->draw->history ? draw_recorded(drawing) : draw_all(drawing);
}

bool sch_drawing_list(struct sch_drawing *drawing, struct sch_generation *generation)
{
    struct cursor cursor = {0};
    drawing->generation = generation;
    cut_parts(drawing, &cursor);
    return cursor.chunk == generation->count && sch_bin_fill(&drawing->bins.parts[0], drawing->context->memory);
}

enum sch_result sch_drawing_settle(struct sch_drawing *drawing, struct sch_generation *generation)
{
    drawing->generation = generation;
    drawing->waits = false;
    return draw_all(drawing);
}
