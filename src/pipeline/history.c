/* Events of a pixel: which primitives cover it and what takes samples away before there is a fragment; then, beside
 * tests, program and blending, what these do to it. */
#include "pipeline/history.h"

#include <string.h>

#include "base/checked.h"
#include "pipeline/box.h"

enum { NO_EVENT = UINT32_MAX, FIRST_ROOM = 16 };

/* ---- memory ---- */

void sch_history_release(struct sch_history *history)
{
    const struct sch_allocator *allocator = &history->allocator;
    if (history->events) allocator->free(allocator->user, history->events);
    if (history->states) allocator->free(allocator->user, history->states);
    if (history->records) allocator->free(allocator->user, history->records);
    history->events = NULL;
    history->states = NULL;
    history->records = NULL;
    history->count = history->room = 0;
}

/* A larger copy of an array. */
static bool grow(const struct sch_history *history, void **array, uint32_t room, size_t element)
{
    const struct sch_allocator *allocator = &history->allocator;
    size_t bytes;
    if (!sch_mul_size(room, element, &bytes)) return false;
    void *larger = allocator->alloc(allocator->user, bytes);
    if (!larger) return false;
    if (history->count) memcpy(larger, *array, history->count * element);
    if (*array) allocator->free(allocator->user, *array);
    *array = larger;
    return true;
}

static bool reserve(struct sch_history *history)
{
    uint32_t room = history->room ? history->room : FIRST_ROOM;
    if (history->count < history->room) return true;
    if (history->room) room = history->limit / 2 < room ? history->limit : 2 * room;
    if (room > history->limit) room = history->limit;
    void *events = history->events, *states = history->states, *records = history->records;
    const bool grown = grow(history, &events, room, sizeof *history->events) &&
                       grow(history, &states, room, history->samples * sizeof *history->states) &&
                       grow(history, &records, room, sizeof *history->records);
    history->events = events; /* those that have grown stay */
    history->states = states;
    history->records = records;
    if (grown) history->room = room;
    return grown;
}

static struct sch_history_sample *state_of(const struct sch_history *history, uint32_t event, uint32_t sample)
{
    return &history->states[(size_t)event * history->samples + sample];
}

enum sch_result sch_history_add(struct sch_history *history, enum sch_pixel_outcome outcome, uint32_t *event)
{
    *event = NO_EVENT;
    if (history->count == history->limit) {
        history->not_kept++;
        return SCH_OK;
    }
    if (!reserve(history)) return SCH_ERROR_MEMORY;
    *event = history->count++;
    history->events[*event] = history->pattern;
    history->records[*event] = NULL;
    memset(state_of(history, *event, 0), 0, history->samples * sizeof *history->states);
    for (uint32_t s = 0; s < history->samples; s++) state_of(history, *event, s)->outcome = (uint8_t)outcome;
    return SCH_OK;
}

/* ---- what the buffers hold ---- */

static void read_texel(const struct sch_history *history, const struct sch_draw_target *target, uint32_t sample,
                       uint8_t texel[SCH_HISTORY_TEXEL_BYTES])
{
    memset(texel, 0, SCH_HISTORY_TEXEL_BYTES);
    if (!target->texels) return;
    const size_t slice = (size_t)history->layer * target->samples + sample;
    memcpy(texel,
           target->texels + slice * target->slice_bytes + history->y * target->row_bytes +
               (size_t)history->x * target->texel_bytes,
           target->texel_bytes);
}

static void read_values(const struct sch_history *history, uint32_t sample, struct sch_history_values *values)
{
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++)
        read_texel(history, &history->framebuffer->colors[n], sample, values->texels[n]);
    read_texel(history, &history->framebuffer->depth_stencil, sample, values->texels[SCH_COLOR_BUFFERS]);
}

void sch_history_begin(struct sch_history *history, const struct sch_draw_framebuffer *framebuffer, uint32_t layer,
                       const struct sch_pixel_event *pattern)
{
    history->framebuffer = framebuffer;
    history->layer = layer;
    history->pattern = *pattern;
    history->pattern.samples = history->samples;
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++)
        if (framebuffer->colors[n].texels)
            history->pattern.color_formats[n] = (enum sch_format)framebuffer->colors[n].format;
    if (framebuffer->depth_stencil.texels)
        history->pattern.depth_stencil_format = (enum sch_format)framebuffer->depth_stencil.format;
    for (uint32_t s = 0; s < history->samples; s++) read_values(history, s, &history->present[s]);
}

void sch_history_before(struct sch_history *history, uint32_t event)
{
    for (uint32_t s = 0; s < history->samples && event != NO_EVENT; s++)
        state_of(history, event, s)->before = history->present[s];
}

void sch_history_after(struct sch_history *history, uint32_t event)
{
    for (uint32_t s = 0; s < history->samples && event != NO_EVENT; s++)
        read_values(history, s, &state_of(history, event, s)->after);
}

/* ---- a draw ---- */

const struct sch_draw_pipeline *sch_history_begin_draw(struct sch_history *history,
                                                       const struct sch_draw_pipeline *draw,
                                                       const struct sch_draw_vertices *vertices)
{
    const struct sch_draw_framebuffer *framebuffer = draw->framebuffer;
    const struct sch_rasterizer_options *given = draw->rasterizer;
    history->pattern.primitive = vertices->primitive;
    history->pattern.draw_id = vertices->draw_id;
    history->rasterizer = *given;
    history->rasterizer.scissor = false;
    /* Outlines count stipples, which those of culled faces would change. */
    history->unculled = given->fill_front == SCH_FILL_SOLID && given->fill_back == SCH_FILL_SOLID;
    if (history->unculled) history->rasterizer.cull_face = 0;
    history->pipeline = *draw;
    history->pipeline.rasterizer = &history->rasterizer;
    history->culled = given->cull_face;
    for (uint32_t v = 0; v < SCH_VIEWPORTS; v++)
        sch_setup_frame(history->frames[v], given->scissor ? &draw->dynamic->scissors[v] : NULL, framebuffer->width,
                        framebuffer->height);
    return &history->pipeline;
}

/* ---- primitives ---- */

/* The samples of the pixel that are left after coverage, clip distances, stipple, sample mask. */
struct covered {
    uint32_t whole, inside, stippled, masked, part;
    bool center;
};

static uint32_t cover(const struct sch_history *history, const struct sch_tile_rules *rules,
                      const struct sch_vertices *vertices, const struct sch_raster_primitive *primitive, uint32_t *part)
{
    return sch_tile_cover_pixel(rules, vertices, primitive, (int32_t)history->x, (int32_t)history->y, part);
}

static void find_covered(const struct sch_history *history, const struct sch_tile_rules *given,
                         const struct sch_vertices *vertices, const struct sch_raster_primitive *primitive,
                         struct covered *covered)
{
    struct sch_raster_primitive bare = *primitive;
    struct sch_tile_rules rules = *given;
    uint32_t unused;
    *covered = (struct covered){.part = 256};
    rules.sample_mask = UINT32_MAX;
    bare.stippled = bare.line_stippled = false;
    bare.distances = 0;
    covered->whole = cover(history, &rules, vertices, &bare, &covered->part);
    if (!(covered->whole & history->wanted)) return;
    rules.pattern = (struct sch_sample_pattern){.samples = 1};
    covered->center = cover(history, &rules, vertices, &bare, &unused) != 0;
    rules.pattern = given->pattern;
    bare.distances = primitive->distances;
    covered->inside = cover(history, &rules, vertices, &bare, &unused);
    covered->stippled = cover(history, &rules, vertices, primitive, &covered->part);
    covered->masked = covered->stippled & given->sample_mask;
}

static enum sch_pixel_outcome outcome_of(const struct covered *covered, uint32_t sample)
{
    const uint32_t bit = UINT32_C(1) << sample;
    if (!(covered->whole & bit)) return SCH_PIXEL_NOT_COVERED;
    if (!(covered->inside & bit)) return SCH_PIXEL_CLIP_DISTANCE;
    if (!(covered->stippled & bit)) return SCH_PIXEL_STIPPLE;
    return covered->masked & bit ? SCH_PIXEL_UNFINISHED : SCH_PIXEL_SAMPLE_MASK;
}

/* ---- which vertices ---- */

static bool has_vertex(const struct sch_assembled_primitive *assembled, uint32_t count, uint32_t vertex)
{
    for (uint32_t v = 0; v < count; v++)
        if (assembled->vertex[v] == vertex) return true;
    return false;
}

static bool is_numbered(const struct sch_assembled_primitive *assembled, const struct sch_raster_primitive *record)
{
    return assembled->id == record->primitive_id && assembled->provoking == record->of.provoking;
}

/* Whether vertices that clipping has not made are the primitive's. */
static bool has_vertices(const struct sch_assembled *chunk, const struct sch_assembled_primitive *assembled,
                         const struct sch_raster_primitive *record)
{
    for (unsigned v = 0; v < 3; v++)
        if (record->of.vertex[v] < chunk->vertex_count && !has_vertex(assembled, chunk->kind, record->of.vertex[v]))
            return false;
    return true;
}

/* Quadrilaterals and polygons are several triangles with one number, and a piece of theirs may be of more than one.
 * Records are in the order of what they are of. */
static void find_vertices(struct sch_history *history, const struct sch_assembled *chunk,
                          const struct sch_raster_primitive *record, struct sch_pixel_event *event)
{
    const struct sch_assembled_primitive *found = NULL;
    uint32_t n = history->assembled;
    if (!chunk->numbers) return; /* vertices that a stage has made have none */
    while (n < chunk->primitive_count && !is_numbered(&chunk->primitives[n], record)) n++;
    history->assembled = n;
    for (; n < chunk->primitive_count && is_numbered(&chunk->primitives[n], record); n++) {
        if (!has_vertices(chunk, &chunk->primitives[n], record)) continue;
        if (found) return;
        found = &chunk->primitives[n];
    }
    if (!found) return;
    event->vertex_count = chunk->kind;
    for (uint32_t v = 0; v < event->vertex_count; v++) event->vertices[v] = chunk->numbers[found->vertex[v]];
}

/* ---- events of primitives ---- */

/* Without what is between members, which is not the same in every run. */
static void copy_face(struct sch_stencil_face *to, const struct sch_stencil_face *from)
{
    to->enabled = from->enabled;
    to->function = from->function;
    to->fail = from->fail;
    to->depth_fail = from->depth_fail;
    to->pass = from->pass;
    to->value_mask = from->value_mask;
    to->write_mask = from->write_mask;
}

static void describe_output(const struct sch_output *output, bool back, struct sch_pixel_event *event)
{
    const struct sch_depth_stencil_key *key = &output->depth_stencil;
    const unsigned face = back && key->two_sided;
    event->early_tests = output->early;
    event->alpha_test = output->alpha_test;
    event->alpha_function = (enum sch_compare)output->alpha_function;
    event->alpha_reference = output->alpha_reference;
    event->depth_bounds_test = key->depth_bounds;
    event->depth_bounds_min = key->bounds_min;
    event->depth_bounds_max = key->bounds_max;
    event->depth_test = key->depth_test;
    event->depth_function = (enum sch_compare)key->depth_function;
    copy_face(&event->stencil_face, &key->stencil[face]);
    event->stencil_test = event->stencil_face.enabled;
    event->stencil_reference = output->stencil_values.reference[face];
    for (uint32_t bits = output->color_buffers; bits; bits &= bits - 1) {
        const uint32_t n = (uint32_t)__builtin_ctz(bits);
        event->color_masks[n] = output->colors[n].color_mask;
        if (output->colors[n].mode != SCH_MERGE_STORE) event->blends |= UINT32_C(1) << n;
    }
}

static void describe(struct sch_history *history, const struct sch_chunk *chunk, const struct sch_output *output,
                     const struct sch_raster_primitive *record, const struct covered *covered,
                     struct sch_pixel_event *event)
{
    event->instance = chunk->assembled.instances[record->of.provoking];
    event->primitive_id = record->primitive_id;
    event->shape = record->is_point ? SCH_PIXEL_POINT : record->is_triangle ? SCH_PIXEL_TRIANGLE : SCH_PIXEL_LINE;
    event->back_face = record->back;
    event->viewport = record->viewport;
    event->covered = covered->whole;
    event->center_covered = covered->center;
    event->part = covered->part;
    find_vertices(history, &chunk->assembled, record, event);
    describe_output(output, record->back, event);
}

/* An event for the samples of a record in `samples`. */
static enum sch_result add_record(struct sch_history *history, const struct sch_chunk *chunk,
                                  const struct sch_output *output, const struct sch_raster_primitive *record,
                                  const struct covered *covered, uint32_t samples, uint32_t *event)
{
    const enum sch_result status = sch_history_add(history, SCH_PIXEL_NOT_COVERED, event);
    if (status != SCH_OK || *event == NO_EVENT) return status;
    describe(history, chunk, output, record, covered, &history->events[*event]);
    history->events[*event].covered &= samples;
    history->events[*event].per_sample = samples != UINT32_MAX;
    for (uint32_t s = 0; s < history->samples; s++)
        if (samples >> s & 1) state_of(history, *event, s)->outcome = (uint8_t)outcome_of(covered, s);
    return SCH_OK;
}

/* What is dropped before there is a fragment. */
static void drop(struct sch_history *history, uint32_t event, enum sch_pixel_outcome outcome)
{
    for (uint32_t s = 0; s < history->samples && event != NO_EVENT; s++) {
        struct sch_history_sample *state = state_of(history, event, s);
        if (state->outcome != SCH_PIXEL_NOT_COVERED) state->outcome = (uint8_t)outcome;
    }
}

/* Events of a record whose place is `kept` from now on; or it is `dropped` by something: not PASSED. */
static enum sch_result list_record(struct sch_history *history, const struct sch_tile_rules *rules,
                                   const struct sch_output *output, const struct sch_chunk *chunk,
                                   const struct sch_raster_primitive *record, const struct sch_raster_primitive *kept,
                                   enum sch_pixel_outcome dropped)
{
    struct covered covered;
    uint32_t event;
    find_covered(history, rules, &chunk->vertices, record, &covered);
    for (uint32_t s = 0; s < history->samples; s++) {
        const uint32_t samples = rules->per_sample ? UINT32_C(1) << s : UINT32_MAX;
        if (!(covered.whole & samples & history->wanted)) continue;
        const enum sch_result status = add_record(history, chunk, output, record, &covered, samples, &event);
        if (status != SCH_OK) return status;
        if (dropped != SCH_PIXEL_PASSED)
            drop(history, event, dropped);
        else if (event != NO_EVENT && covered.masked & samples)
            history->records[event] = kept;
        if (!rules->per_sample) break;
    }
    return SCH_OK;
}

static bool holds_pixel(const struct sch_history *history, const int32_t box[4])
{
    return sch_box_lanes(box, (int32_t)history->x, (int32_t)history->y) & 1; /* of a block that begins with it */
}

static bool is_culled(const struct sch_history *history, const struct sch_chunk *chunk,
                      const struct sch_raster_primitive *record)
{
    return history->unculled && chunk->assembled.kind == SCH_ASSEMBLED_TRIANGLE &&
           history->culled & (record->back ? SCH_FACE_BACK : SCH_FACE_FRONT);
}

void sch_history_begin_chunks(struct sch_history *history) { history->first = history->at = history->count; }

enum sch_result sch_history_take(struct sch_history *history, const struct sch_tile_rules *rules,
                                 const struct sch_output *output, struct sch_chunk *chunk)
{
    struct sch_raster_primitive *records = chunk->records.data;
    const uint32_t count = chunk->record_count;
    chunk->record_count = history->assembled = 0;
    for (uint32_t n = 0; n < count; n++) {
        struct sch_raster_primitive *record = &records[n], *kept = &records[chunk->record_count];
        const int32_t *frame = history->frames[record->viewport];
        const bool culled = is_culled(history, chunk, record);
        if (record->layer == history->layer && holds_pixel(history, record->box)) {
            const enum sch_pixel_outcome dropped = culled                        ? SCH_PIXEL_CULLED
                                                   : holds_pixel(history, frame) ? SCH_PIXEL_PASSED
                                                                                 : SCH_PIXEL_SCISSOR;
            const enum sch_result status = list_record(history, rules, output, chunk, record, kept, dropped);
            if (status != SCH_OK) return status;
        }
        if (culled || !sch_box_clip(record->box, frame)) continue;
        record->small = false; /* the lanes were those of the other box */
        if (kept != record) *kept = *record;
        chunk->record_count++;
    }
    return SCH_OK;
}

/* Where the buffers were not looked at, nothing was written. */
void sch_history_settle(struct sch_history *history)
{
    for (uint32_t n = history->first; n < history->count; n++) {
        history->records[n] = NULL;
        for (uint32_t s = 0; s < history->samples; s++) {
            struct sch_history_sample *state = state_of(history, n, s);
            if (!state->written) state->before = state->after = history->present[s];
            history->present[s] = state->after;
        }
    }
}

/* ---- fragments ---- */

/* A fragment of the pixel in a group. */
struct watched {
    uint32_t event, quad, lane;
    uint32_t samples; /* bits: that it has */
};

/* The event of a record with some of these samples; NO_EVENT: it was not kept. */
static uint32_t find_event(const struct sch_history *history, const struct sch_raster_primitive *record,
                           uint32_t samples)
{
    for (uint32_t n = history->at; n < history->count; n++)
        if (history->records[n] == record && history->events[n].covered & samples) return n;
    return NO_EVENT;
}

static bool has_pixel(const struct sch_history *history, const struct sch_tile_group *group, uint32_t quad)
{
    return group->quads.x[quad] == (int32_t)(history->x & ~1u) && group->quads.y[quad] == (int32_t)(history->y & ~1u) &&
           group->quads.layer[quad] == history->layer;
}

static uint32_t samples_of(const struct sch_history *history, const struct sch_tile_group *group, uint32_t lane)
{
    uint32_t samples = 0;
    for (uint32_t s = 0; s < history->samples; s++) samples |= (group->masks[s] >> lane & 1) << s;
    return samples;
}

/* Where a program runs for each sample a group may have the pixel several times. Groups come in the order of events;
 * each is looked for twice. */
static uint32_t watch(struct sch_history *history, const struct sch_tile_group *group,
                      struct watched watched[SCH_GROUP_QUADS])
{
    uint32_t count = 0;
    for (uint32_t q = 0; q < group->count; q++) {
        struct watched *one = &watched[count];
        if (!has_pixel(history, group, q)) continue;
        *one = (struct watched){.quad = q, .lane = SCH_QUAD_LANES * q + history->y % 2 * 2 + history->x % 2};
        one->samples = samples_of(history, group, one->lane);
        one->event = one->samples ? find_event(history, sch_tile_primitive(group, q), one->samples) : NO_EVENT;
        if (one->event != NO_EVENT) count++;
    }
    if (count) history->at = watched[0].event;
    return count;
}

/* Samples that are lost to what has changed the masks since. */
static void lose(const struct sch_history *history, const struct sch_tile_group *group, struct watched *one,
                 enum sch_pixel_outcome outcome)
{
    const uint32_t left = samples_of(history, group, one->lane), lost = one->samples & ~left;
    for (uint32_t s = 0; s < history->samples; s++)
        if (lost >> s & 1) state_of(history, one->event, s)->outcome = (uint8_t)outcome;
    one->samples &= left;
}

static void end(const struct sch_history *history, const struct watched *one, uint32_t sample,
                enum sch_pixel_outcome outcome)
{
    state_of(history, one->event, sample)->outcome = (uint8_t)outcome;
}

/* Depth bounds, stencil and depth of a fragment. */
static void test(struct sch_history *history, const struct sch_output *output, const struct sch_tile_group *group,
                 const struct sch_lanes *registers, struct watched *one)
{
    const struct sch_output_tested tested = sch_output_tested_with(output, registers);
    const uint32_t lane = UINT32_C(1) << one->lane;
    struct sch_lanes code, word[SCH_DEPTH_WORDS];
    if (tested.stencil) history->events[one->event].stencil_reference = (uint8_t)tested.stencil->u[one->lane];
    if (!output->tests) return;
    for (uint32_t s = 0; s < history->samples; s++) {
        struct sch_history_sample *state = state_of(history, one->event, s);
        if (!(one->samples >> s & 1)) continue;
        const struct sch_output_tests tests = sch_output_try(output, group, s, lane, &tested, &code, word);
        state->code = code.u[one->lane];
        state->has_depth = output->depth_stencil.depth_test && !((tests.failed_bounds | tests.failed_stencil) & lane);
        if (tests.failed_bounds & lane) end(history, one, s, SCH_PIXEL_DEPTH_BOUNDS);
        if (tests.failed_stencil & lane) end(history, one, s, SCH_PIXEL_STENCIL);
        if (tests.failed_depth & lane) end(history, one, s, SCH_PIXEL_DEPTH);
        if (!(tests.passed & lane)) one->samples &= ~(UINT32_C(1) << s);
    }
}

static void look_before(const struct sch_history *history, const struct watched *one)
{
    for (uint32_t s = 0; s < history->samples; s++) {
        struct sch_history_sample *state = state_of(history, one->event, s);
        if (!state->written && one->samples >> s & 1) read_values(history, s, &state->before);
    }
}

/* What the samples of an event have that look_before has looked at. */
static void look_after(const struct sch_history *history, const struct watched *one, uint32_t samples)
{
    for (uint32_t s = 0; s < history->samples; s++) {
        struct sch_history_sample *state = state_of(history, one->event, s);
        if (!(samples >> s & 1)) continue;
        read_values(history, s, &state->after);
        state->written = true;
    }
}

uint32_t sch_history_test_early(struct sch_history *history, const struct sch_output *output,
                                struct sch_tile_group *group)
{
    struct watched watched[SCH_GROUP_QUADS];
    uint32_t samples[SCH_GROUP_QUADS];
    const uint32_t count = watch(history, group, watched);
    for (uint32_t n = 0; n < count; n++) {
        samples[n] = watched[n].samples;
        look_before(history, &watched[n]);
        test(history, output, group, NULL, &watched[n]);
    }
    const uint32_t passed = sch_output_test_early(output, group);
    for (uint32_t n = 0; n < count; n++) look_after(history, &watched[n], samples[n]);
    return passed;
}

/* ---- after the program ---- */

static uint32_t word_of(const struct sch_lanes *registers, uint32_t number, unsigned component, uint32_t lane)
{
    return registers[4 * (size_t)number + component].u[lane];
}

static void take_color(const struct sch_output *output, const struct sch_lanes *registers, uint32_t lane, uint32_t n,
                       struct sch_pixel_event *event)
{
    const uint16_t number = output->from->color[output->from->broadcast ? 0 : n];
    const bool second = n == 1 && output->dual_source;
    if (number == SCH_LINK_NO_REGISTER || (!output->framebuffer->colors[n].texels && !second)) return;
    event->color_writes |= UINT32_C(1) << n;
    for (unsigned c = 0; c < 4; c++) event->colors[n].u[c] = word_of(registers, number, c, lane);
}

/* What the program wrote; where it discards, how far it came is not known. */
static void take_outputs(const struct sch_output *output, const struct sch_lanes *registers, uint32_t lane,
                         struct sch_pixel_event *event)
{
    const struct sch_link_outputs *from = output->from;
    for (uint32_t n = 0; n < SCH_COLOR_BUFFERS; n++) take_color(output, registers, lane, n, event);
    if (from->depth != SCH_LINK_NO_REGISTER) {
        const uint32_t bits = word_of(registers, from->depth, 2, lane);
        event->writes_depth = true;
        memcpy(&event->depth, &bits, sizeof bits);
    }
    if (from->stencil != SCH_LINK_NO_REGISTER) {
        event->writes_stencil = true;
        event->stencil = word_of(registers, from->stencil, 1, lane);
    }
    if (from->sample_mask != SCH_LINK_NO_REGISTER) {
        event->writes_sample_mask = true;
        event->sample_mask = word_of(registers, from->sample_mask, 0, lane);
    }
}

/* What takes samples away between the program and the tests, step by step. */
static void restrict_samples(const struct sch_history *history, const struct sch_output *given,
                             const struct sch_tile_group *group, uint32_t lanes, const struct sch_lanes *registers,
                             struct watched *one)
{
    struct sch_tile_group left = *group;
    struct sch_output output = *given;
    for (uint32_t s = 0; s < history->samples; s++) left.masks[s] &= lanes;
    lose(history, &left, one, SCH_PIXEL_DISCARDED);
    output.alpha_to_coverage = output.alpha_test = false;
    sch_output_restrict(&output, &left, lanes, registers);
    lose(history, &left, one, SCH_PIXEL_PROGRAM_MASK);
    left = *group;
    output.alpha_to_coverage = given->alpha_to_coverage;
    sch_output_restrict(&output, &left, lanes, registers);
    lose(history, &left, one, SCH_PIXEL_ALPHA_TO_COVERAGE);
    left = *group;
    sch_output_restrict(given, &left, lanes, registers);
    lose(history, &left, one, SCH_PIXEL_ALPHA_TEST);
}

uint32_t sch_history_write(struct sch_history *history, const struct sch_output *output, struct sch_tile_group *group,
                           uint32_t lanes, const struct sch_lanes *registers)
{
    struct watched watched[SCH_GROUP_QUADS];
    uint32_t samples[SCH_GROUP_QUADS];
    const uint32_t count = watch(history, group, watched);
    for (uint32_t n = 0; n < count; n++) {
        struct watched *one = &watched[n];
        samples[n] = one->samples;
        look_before(history, one);
        history->events[one->event].ran = true;
        if (lanes >> one->lane & 1) take_outputs(output, registers, one->lane, &history->events[one->event]);
        restrict_samples(history, output, group, lanes, registers, one);
        if (!output->early) test(history, output, group, registers, one);
        for (uint32_t s = 0; s < history->samples; s++)
            if (one->samples >> s & 1) end(history, one, s, SCH_PIXEL_PASSED);
    }
    const uint32_t passed = sch_output_write(output, group, lanes, registers);
    for (uint32_t n = 0; n < count; n++) look_after(history, &watched[n], samples[n]);
    return passed;
}
