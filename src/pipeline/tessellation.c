/* Tessellation: see tessellation.h. So many patches of a generation as have room go through their control shaders
 * together; then chunks are made of them one after the other, by the points that each patch has. */
#include "pipeline/tessellation.h"

#include <string.h>

#include "base/environment.h"
#include "pipeline/clip.h"
#include "pipeline/levels.h"

enum {
    CHUNK_POINTS = 8192,          /* of a chunk, at most: one patch has no more */
    CONTROLLED_BYTES = 8 << 20,   /* of what control shaders write before it continues; at least one patch */
    MOST_PATCHES = 1 << 14,       /* together */
    LITTLE = 4 * SCH_GROUP_LANES, /* invocations, not worth a second thread */
    LITTLE_PATCHES = 4
};
_Static_assert((int)SCH_TESS_POINTS <= (int)CHUNK_POINTS, "a patch fits in a chunk");

/* ---- memory ---- */

void sch_tessellation_scratch_init(struct sch_tessellation_scratch *scratch, const struct sch_allocator *allocator)
{
    for (unsigned c = 0; c < SCH_GENERATION_CHUNKS; c++) sch_assembled_init(&scratch->chunks[c].assembled, allocator);
}

void sch_tessellation_scratch_release(struct sch_tessellation_scratch *scratch, struct sch_scratch *memory)
{
    for (unsigned c = 0; c < SCH_GENERATION_CHUNKS; c++) {
        sch_chunk_release(&scratch->chunks[c], memory);
        sch_scratch_free(memory, &scratch->parts[c].pieces);
        sch_scratch_free(memory, &scratch->parts[c].points);
        sch_scratch_free(memory, &scratch->parts[c].indices);
    }
    sch_scratch_free(memory, &scratch->patches);
    sch_scratch_free(memory, &scratch->vertices);
    sch_scratch_free(memory, &scratch->words);
}

/* ---- plans ---- */

/* The plan of a patch, which equal levels have in common. */
struct planned {
    bool made;
    uint32_t levels[SCH_LINK_LEVELS];
    struct sch_tess_plan plan;
};

/* Makes the plan of patch `number`; false: it is that of the one before. */
static bool make_plan(const struct sch_tessellation *tessellation, uint32_t number, struct planned *planned)
{
    const uint32_t *levels = sch_patch_words(&tessellation->patches, number);
    float outer[4], inner[2];
    if (planned->made && !memcmp(planned->levels, levels, sizeof planned->levels)) return false;
    memcpy(planned->levels, levels, sizeof planned->levels);
    memcpy(outer, levels + SCH_LINK_OUTER, sizeof outer);
    memcpy(inner, levels + SCH_LINK_INNER, sizeof inner);
    sch_tessellate_plan(&tessellation->mode, outer, inner, &planned->plan);
    planned->made = true;
    return true;
}

static void count_patches(struct sch_tessellation *tessellation)
{
    struct planned planned = {.made = false};
    struct sch_environment environment;
    sch_environment_begin(&environment);
    for (uint32_t n = 0; n < tessellation->patches.count; n++) {
        struct sch_patch *patch = &tessellation->patches.patch[n];
        make_plan(tessellation, n, &planned);
        patch->points = planned.plan.point_count;
        patch->primitives = planned.plan.primitive_count;
    }
    sch_environment_end(&environment);
}

/* ---- chunks ---- */

/* Chunks on their way. */
struct making {
    const struct sch_tessellation *tessellation;
    struct sch_draw_context *context;
    struct sch_generation made;
    uint32_t first_patch[SCH_GENERATION_CHUNKS + 1];
    struct sch_domain domains[SCH_GENERATION_CHUNKS];
    uint64_t points;
};

static enum sch_assembled_kind kind_of(const struct sch_tess_mode *mode)
{
    if (mode->points) return SCH_ASSEMBLED_POINT;
    return mode->domain == SCH_TESS_ISOLINES ? SCH_ASSEMBLED_LINE : SCH_ASSEMBLED_TRIANGLE;
}

static bool reserve_chunk(const struct making *making, unsigned number)
{
    const struct sch_patches *patches = &making->tessellation->patches;
    struct sch_tessellation_part *part = &making->tessellation->scratch->parts[number];
    struct sch_scratch *memory = making->context->memory;
    struct sch_chunk *chunk = &making->made.chunks[number];
    uint32_t points = 0, primitives = 0;
    const uint32_t first = making->first_patch[number], end = making->first_patch[number + 1];
    for (uint32_t n = first; n < end; n++) {
        points += patches->patch[n].points;
        primitives += patches->patch[n].primitives;
    }
    chunk->vertices = (struct sch_vertices){.layout = making->tessellation->layout};
    chunk->assembled.kind = (uint8_t)kind_of(&making->tessellation->mode);
    chunk->assembled.vertex_edge_flags = chunk->assembled.polygons = false;
    chunk->assembled.aside_count = 0;
    chunk->assembled.vertex_count = chunk->assembled.primitive_count = 0;
    return sch_assembled_reserve(&chunk->assembled, points, primitives) &&
           sch_chunk_reserve(chunk, memory, points + SCH_CLIP_CORNERS) &&
           sch_scratch_reserve(memory, &part->pieces, end - first, sizeof(struct sch_domain_piece)) &&
           sch_scratch_reserve(memory, &part->points, points, sizeof(struct sch_tess_point)) &&
           sch_scratch_reserve(memory, &part->indices, SCH_TESS_INDICES, sizeof(uint16_t));
}

/* The primitives of a patch, whose vertices are those from `first` on. */
static void add_primitives(const struct making *making, const struct planned *planned, const uint16_t *indices,
                           uint32_t first, uint32_t id, struct sch_assembled *assembled)
{
    const uint32_t corners = planned->plan.corners;
    const uint32_t provoking = making->context->draw->rasterizer->flatshade_first ? 0 : corners - 1;
    struct sch_assembled_primitive *made = assembled->primitives + assembled->primitive_count;
    for (uint32_t n = 0; n < planned->plan.primitive_count; n++, indices += corners)
        made[n] = (struct sch_assembled_primitive){
            .vertex = {first + indices[0], first + indices[corners > 1], first + indices[corners - 1]},
            .provoking = first + indices[provoking],
            .id = id,
            .edges = corners == 3 ? 7 : corners == 2,
            .stipple_restarts = true};
    assembled->primitive_count += planned->plan.primitive_count;
}

static void add_patch(const struct making *making, const struct planned *planned, const struct sch_patch *patch,
                      const uint16_t *indices, struct sch_assembled *assembled)
{
    const struct sch_assembled_primitive *primitive = sch_patch_primitive(patch);
    const uint32_t instance = patch->chunk->assembled.instances[primitive->provoking];
    const uint32_t first = assembled->vertex_count;
    for (uint32_t n = 0; n < planned->plan.point_count; n++) assembled->instances[first + n] = instance;
    assembled->vertex_count += planned->plan.point_count;
    add_primitives(making, planned, indices, first, primitive->id, assembled);
}

static void make_patches(struct making *making, unsigned number)
{
    const struct sch_tessellation *tessellation = making->tessellation;
    struct sch_tessellation_part *part = &tessellation->scratch->parts[number];
    struct sch_assembled *assembled = &making->made.chunks[number].assembled;
    struct sch_domain *domain = &making->domains[number];
    struct planned planned = {.made = false};
    uint32_t points = 0, here = 0; /* that there are; where those of the last plan begin */
    *domain = (struct sch_domain){
        .chunk = &making->made.chunks[number], .pieces = part->pieces.data, .points = part->points.data};
    for (uint32_t n = making->first_patch[number]; n < making->first_patch[number + 1]; n++) {
        const struct sch_patch *patch = &tessellation->patches.patch[n];
        if (!patch->points) continue;
        if (make_plan(tessellation, n, &planned)) {
            here = points;
            points += planned.plan.point_count;
            sch_tessellate_points(&planned.plan, (struct sch_tess_point *)part->points.data + here);
            sch_tessellate_primitives(&planned.plan, part->indices.data);
        }
        domain->pieces[domain->piece_count++] =
            (struct sch_domain_piece){.patch = n, .first = assembled->vertex_count, .points = here};
        add_patch(making, &planned, patch, part->indices.data, assembled);
    }
}

/* Threads compute in the default environment, whatever the caller's is. */
static void make_chunk(void *user, unsigned number)
{
    struct making *making = user;
    struct sch_chunk *chunk = &making->made.chunks[number];
    struct sch_environment environment;
    chunk->status = reserve_chunk(making, number) ? SCH_OK : SCH_ERROR_MEMORY;
    if (chunk->status != SCH_OK) return;
    sch_environment_begin(&environment);
    make_patches(making, number);
    sch_environment_end(&environment);
    chunk->assembled.numbers = NULL; /* vertices of no draw */
    chunk->vertices.count = chunk->assembled.vertex_count;
}

/* As many chunks as a generation has, of the patches from `*patch` on. */
static void cut_chunks(struct making *making, uint32_t *patch)
{
    const struct sch_patches *patches = &making->tessellation->patches;
    making->made = (struct sch_generation){.chunks = making->tessellation->scratch->chunks};
    making->points = 0;
    while (making->made.count < SCH_GENERATION_CHUNKS && *patch < patches->count) {
        uint32_t points = 0;
        making->first_patch[making->made.count++] = *patch;
        for (; *patch < patches->count && points + patches->patch[*patch].points <= CHUNK_POINTS; (*patch)++) {
            points += patches->patch[*patch].points;
            making->made.primitives += patches->patch[*patch].primitives;
        }
        making->first_patch[making->made.count] = *patch;
        making->points += points;
    }
}

static enum sch_result evaluate(struct sch_draw_context *context, const struct making *making)
{
    context->counts->statistics[SCH_STATISTIC_DS_INVOCATIONS] += making->points;
    struct sch_run_options own;
    const struct sch_run_options *options = sch_draw_context_begin_run(context, making->points < LITTLE, &own);
    return sch_draw_context_end_run(context, SCH_STAGE_TESS_EVAL,
                                    sch_patches_evaluate(&making->tessellation->patches, &making->tessellation->mode,
                                                         making->domains, making->made.count, options,
                                                         context->report));
}

static enum sch_result pass_on(struct sch_draw_context *context, const struct sch_step *step,
                               const struct sch_tessellation *tessellation)
{
    struct making making = {.tessellation = tessellation, .context = context};
    enum sch_result status = SCH_OK;
    for (uint32_t patch = 0; patch < tessellation->patches.count && status == SCH_OK;) {
        cut_chunks(&making, &patch);
        if (!making.points) continue; /* all of them are discarded */
        sch_draw_context_each(context, making.made.count, make_chunk, &making);
        status = sch_generation_status(&making.made);
        if (status == SCH_OK) status = evaluate(context, &making);
        if (status == SCH_OK) status = sch_draw_context_pass(context, step, &making.made);
    }
    return status;
}

/* ---- control shaders ---- */

static bool reserve(struct sch_tessellation *tessellation, struct sch_scratch *memory, uint32_t count)
{
    struct sch_tessellation_scratch *scratch = tessellation->scratch;
    struct sch_patches *patches = &tessellation->patches;
    if (!sch_scratch_reserve(memory, &scratch->patches, count, sizeof *patches->patch)) return false;
    patches->patch = scratch->patches.data;
    if (!patches->draw->link->tess_ctrl) return true;
    const size_t words = (size_t)patches->vertices * patches->vertex_words;
    if (!sch_scratch_reserve(memory, &scratch->vertices, count, words * sizeof *patches->of_vertices) ||
        !sch_scratch_reserve(memory, &scratch->words, count, patches->patch_stride * sizeof *patches->of_patches))
        return false;
    patches->of_vertices = scratch->vertices.data;
    patches->of_patches = scratch->words.data;
    return true;
}

static enum sch_result control(struct sch_draw_context *context, const struct sch_patches *patches)
{
    if (!patches->draw->link->tess_ctrl) return SCH_OK;
    context->counts->statistics[SCH_STATISTIC_HS_INVOCATIONS] += patches->count;
    struct sch_run_options own;
    const struct sch_run_options *options = sch_draw_context_begin_run(context, patches->count < LITTLE_PATCHES, &own);
    return sch_draw_context_end_run(context, SCH_STAGE_TESS_CTRL,
                                    sch_patches_control(patches, options, context->report));
}

/* ---- the step ---- */

/* The next patches of a generation from primitive `*number` of chunk `*chunk` on. */
static void take_patches(struct sch_patches *patches, uint32_t most, const struct sch_generation *generation,
                         uint32_t *chunk, uint32_t *number)
{
    patches->first += patches->count;
    patches->count = 0;
    for (; *chunk < generation->count; ++*chunk, *number = 0) {
        const struct sch_chunk *from = &generation->chunks[*chunk];
        for (; *number < from->assembled.primitive_count; ++*number) {
            if (patches->count == most) return;
            patches->patch[patches->count++] = (struct sch_patch){.chunk = from, .number = *number};
        }
    }
}

enum sch_result sch_tessellation_take(struct sch_draw_context *context, const struct sch_step *step,
                                      struct sch_generation *generation)
{
    struct sch_tessellation *tessellation = step->own;
    struct sch_patches *patches = &tessellation->patches;
    const uint32_t most =
        generation->primitives < tessellation->most ? (uint32_t)generation->primitives : tessellation->most;
    uint32_t chunk = 0, number = 0;
    patches->first = patches->count = 0;
    if (!reserve(tessellation, context->memory, most)) return SCH_ERROR_MEMORY;
    while (true) {
        take_patches(patches, most, generation, &chunk, &number);
        if (!patches->count) return SCH_OK;
        enum sch_result status = control(context, patches);
        if (status != SCH_OK) return status;
        count_patches(tessellation);
        status = pass_on(context, step, tessellation);
        if (status != SCH_OK) return status;
    }
}

/* What the shaders say of the domain; triangles with equal spacing where they do not. */
static struct sch_tess_mode mode_of(const struct sch_link *link)
{
    const struct sch_prepared_property *domain = sch_link_tess_property(link, SCH_PROPERTY_TES_PRIM_MODE);
    const struct sch_prepared_property *spacing = sch_link_tess_property(link, SCH_PROPERTY_TES_SPACING);
    struct sch_tess_mode mode = {.domain = SCH_TESS_TRIANGLES,
                                 .spacing = spacing->given ? (uint8_t)spacing->value : (uint8_t)SCH_TESS_EQUAL,
                                 .clockwise = sch_link_tess_property(link, SCH_PROPERTY_TES_VERTEX_ORDER_CW)->value,
                                 .points = sch_link_tess_property(link, SCH_PROPERTY_TES_POINT_MODE)->value};
    if (domain->value == SCH_PRIMITIVE_LINES) mode.domain = SCH_TESS_ISOLINES;
    if (domain->value == SCH_PRIMITIVE_QUADS) mode.domain = SCH_TESS_QUADS;
    return mode;
}

void sch_tessellation_begin(struct sch_tessellation *tessellation, const struct sch_draw_context *context,
                            struct sch_tessellation_scratch *scratch)
{
    const struct sch_draw_pipeline *draw = context->draw;
    const struct sch_link *link = draw->link;
    const struct sch_link_hop *hop = sch_link_hop_to(link, SCH_STAGE_TESS_EVAL);
    const uint32_t given = draw->dynamic->patch_vertices;
    *tessellation = (struct sch_tessellation){
        .scratch = scratch,
        .hop = hop,
        .layout = link->geometry ? &sch_link_hop_to(link, SCH_STAGE_GEOMETRY)->layout : context->layout,
        .mode = mode_of(link),
        .patches = {.draw = draw,
                    .input_vertices = given,
                    .vertices = link->tess_ctrl ? link->tess_ctrl->of_stage.group_lanes : given,
                    .vertex_words = hop->layout.words},
        .most = MOST_PATCHES};
    struct sch_patches *patches = &tessellation->patches;
    if (!link->tess_ctrl) {
        sch_default_level_words(draw->dynamic, false, tessellation->default_levels + SCH_LINK_OUTER);
        sch_default_level_words(draw->dynamic, true, tessellation->default_levels + SCH_LINK_INNER);
        patches->of_patches = tessellation->default_levels;
        return;
    }
    patches->patch_stride = hop->patch_words;
    const size_t bytes = (patches->vertices * (size_t)patches->vertex_words + patches->patch_stride) * sizeof(uint32_t);
    if (bytes * MOST_PATCHES > CONTROLLED_BYTES) tessellation->most = (uint32_t)(CONTROLLED_BYTES / bytes);
}
