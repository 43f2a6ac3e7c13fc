/* Geometry shaders: see geometry.h. Invocations are numbered in the order of their primitives, those of one primitive
 * side by side; so many that what they may emit has room run as groups, in any order. Each has a place of its own for
 * its vertices, and for what happened in which order. Then chunks are made of that, in the order of the invocations. */
#include "pipeline/geometry.h"

#include <stddef.h>
#include <string.h>

#include "exec/group.h"
#include "exec/source.h"
#include "pipeline/clip.h"
#include "pipeline/levels.h"
#include "pipeline/stream.h"
#include "run/values.h"

enum {
    EMITTED_BYTES = 8 << 20,         /* of vertices that are emitted before they continue; at least a group's */
    LEAST_UNITS = 32,                /* that run together, if they may emit no more: what they do emit can be little */
    CHUNK_VERTICES = 1024,           /* a chunk is full then: what becomes of a generation should stay in the caches */
    LITTLE = 4 * SCH_GROUP_LANES,    /* invocations, not worth a second thread */
    MOST_INPUTS = SCH_PATCH_VERTICES /* vertices of a primitive */
};

/* An event in a byte: the stream, and whether a primitive ends. */
enum { EVENT_STREAM = 3, EVENT_END = 4 };

/* What the invocations of a group emitted, in all. */
struct sch_geometry_unit {
    bool apart;        /* each invocation has its own list of events; else that of the first one is all of theirs */
    uint32_t vertices; /* on stream 0 */
    uint32_t primitives[SCH_STREAM_BUFFERS];
    uint32_t events[SCH_GROUP_LANES]; /* of each invocation */
};

struct primitives {
    struct sch_exec_source source;
    const struct sch_geometry *geometry;
    const struct sch_draw_context *context;
    const struct sch_generation *from;
    uint64_t first, count; /* invocations of the generation that run now */
};

/* A primitive of a generation. */
struct found {
    const struct sch_chunk *chunk;
    uint64_t begin; /* of the chunk: primitives before it */
    uint32_t primitive;
};

/* A machine's last primitive. */
struct place_of_group {
    struct found found;
};

static const struct primitives *primitives_of(const struct sch_exec_source *source)
{
    return (const struct primitives *)source;
}

/* ---- memory ---- */

void sch_geometry_scratch_init(struct sch_geometry_scratch *scratch, const struct sch_allocator *allocator)
{
    for (unsigned c = 0; c < SCH_GENERATION_CHUNKS; c++) sch_assembled_init(&scratch->chunks[c].assembled, allocator);
}

void sch_geometry_scratch_release(struct sch_geometry_scratch *scratch, struct sch_scratch *memory)
{
    for (unsigned c = 0; c < SCH_GENERATION_CHUNKS; c++) sch_chunk_release(&scratch->chunks[c], memory);
    sch_scratch_free(memory, &scratch->words);
    sch_scratch_free(memory, &scratch->events);
    sch_scratch_free(memory, &scratch->units);
    sch_scratch_free(memory, &scratch->open);
    sch_scratch_free(memory, &scratch->made);
}

/* What an invocation that has begun may emit. */
static uint32_t *words_of(const struct sch_geometry *geometry, uint64_t invocation)
{
    return (uint32_t *)geometry->scratch->words.data + (size_t)invocation * geometry->limit * geometry->words;
}

static uint8_t *events_of(const struct sch_geometry *geometry, uint64_t invocation)
{
    return (uint8_t *)geometry->scratch->events.data + (size_t)invocation * geometry->limit * 2;
}

static struct sch_geometry_unit *unit_of(const struct sch_geometry *geometry, uint64_t unit)
{
    return (struct sch_geometry_unit *)geometry->scratch->units.data + unit;
}

/* What an invocation that has ended emitted. */
struct emitted {
    const uint32_t *words;
    const uint8_t *events;
    uint32_t count; /* of events */
};

static struct emitted emitted_by(const struct sch_geometry *geometry, uint64_t number, uint32_t lane)
{
    const struct sch_geometry_unit *unit = unit_of(geometry, number);
    const uint64_t first = number * geometry->lanes;
    return (struct emitted){.words = words_of(geometry, first + lane),
                            .events = events_of(geometry, unit->apart ? first + lane : first),
                            .count = unit->events[lane]};
}

/* ---- primitives that come ---- */

/* Primitive `number` of a generation; `found` is one before it, or of no chunk. */
static void find_primitive(const struct sch_generation *from, uint64_t number, struct found *found)
{
    if (!found->chunk || number < found->begin) *found = (struct found){.chunk = from->chunks};
    while (number - found->begin >= found->chunk->assembled.primitive_count) {
        found->begin += found->chunk->assembled.primitive_count;
        found->chunk++;
    }
    found->primitive = (uint32_t)(number - found->begin);
}

static const struct sch_assembled_primitive *primitive_of(const struct found *found)
{
    return &found->chunk->assembled.primitives[found->primitive];
}

/* Its vertices as IN has them: those beside a line before and after it, those beside a triangle each after the corner
 * that its edge begins at (OpenGL 4.6 11.3.1). */
static void list_vertices(const struct found *found, uint32_t count, const uint32_t *words[MOST_INPUTS])
{
    const struct sch_assembled *assembled = &found->chunk->assembled;
    const struct sch_vertices *vertices = &found->chunk->vertices;
    const uint32_t *vertex = primitive_of(found)->vertex, beside = assembled->aside_count;
    const uint32_t *aside = assembled->aside + (size_t)found->primitive * beside;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t number = 0;
        if (assembled->kind == SCH_ASSEMBLED_PATCH)
            number = aside[v];
        else if (!beside)
            number = vertex[v];
        else if (assembled->kind == SCH_ASSEMBLED_LINE)
            number = v == 0 ? aside[0] : v == 3 ? aside[1] : vertex[v - 1];
        else
            number = v & 1 ? aside[v / 2] : vertex[v / 2];
        words[v] = vertices->words + (size_t)number * vertices->layout->words;
    }
}

/* ---- inputs ---- */

static void load_words(const uint32_t *words, unsigned mask, unsigned lane, struct sch_lanes to[4])
{
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) to[c].u[lane] = words[c];
}

static void load_lane(const struct primitives *primitives, const struct sch_exec_machine *machine,
                      const struct found *found, unsigned lane)
{
    static const uint32_t missing[4] = {0, 0, 0, 0x3f800000};
    const struct sch_geometry *geometry = primitives->geometry;
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_INPUT];
    struct sch_lanes *inputs = machine->group.space[SCH_SPACE_STATE] + file->base;
    const uint32_t number[4] = {primitive_of(found)->id, 0, 0, 1};
    const uint32_t *words[MOST_INPUTS];
    list_vertices(found, geometry->input_vertices, words);
    for (uint32_t n = 0; n < geometry->hop->input_count; n++) {
        const struct sch_link_register *input = &geometry->hop->inputs[n];
        for (uint32_t v = 0; v < geometry->input_vertices; v++) {
            const uint32_t *from = input->source == SCH_LINK_ATTRIBUTE      ? words[v] + input->word
                                   : input->source == SCH_LINK_PRIMITIVE_ID ? number
                                                                            : missing;
            load_words(from, input->mask, lane, inputs + 4 * ((size_t)v * file->count + input->number));
        }
    }
}

static void load_values(const struct primitives *primitives, const struct sch_exec_machine *machine,
                        const struct sch_lanes *ids)
{
    const struct sch_link_hop *hop = primitives->geometry->hop;
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_SYSTEM_VALUE];
    for (uint32_t n = 0; n < hop->value_count; n++) {
        struct sch_lanes *to = machine->group.space[SCH_SPACE_STATE] + file->base + 4 * (size_t)hop->values[n].number;
        const unsigned semantic = hop->values[n].semantic;
        if (semantic == SCH_SEMANTIC_PRIMID)
            *to = *ids;
        else
            sch_run_own_value(machine, semantic, to);
        sch_run_stage_value(&primitives->source, machine, semantic, to);
        sch_load_default_levels(machine, primitives->context->draw->dynamic, semantic, to);
    }
}

static bool load(const struct sch_exec_source *source, struct sch_exec_machine *machine, uint64_t unit, uint32_t group)
{
    const struct primitives *primitives = primitives_of(source);
    const struct sch_geometry *geometry = primitives->geometry;
    struct place_of_group *at = machine->place;
    struct sch_lanes ids = {.u = {0}};
    (void)group;
    machine->group.first = primitives->first + unit * geometry->lanes;
    const uint64_t rest = primitives->count - unit * geometry->lanes;
    machine->group.present = sch_exec_first_lanes(rest < geometry->lanes ? rest : geometry->lanes);
    machine->started_helpers = 0;
    *unit_of(geometry, unit) = (struct sch_geometry_unit){.apart = false};
    memset(&machine->emission, 0, sizeof machine->emission);
    sch_exec_begin_group(machine);
    sch_exec_clear_group(machine);
    for (unsigned i = 0; i < sch_exec_lane_count(machine); i++) {
        find_primitive(primitives->from, (machine->group.first + i) / geometry->invocations, &at->found);
        load_lane(primitives, machine, &at->found, i);
        ids.u[i] = primitive_of(&at->found)->id;
    }
    load_values(primitives, machine, &ids);
    machine->loaded = true;
    return true;
}

/* ---- what is emitted ---- */

/* A group on its way. */
struct emitting {
    const struct sch_geometry *geometry;
    const struct sch_exec_machine *machine;
    struct sch_geometry_unit *unit;
    uint64_t first; /* invocation */
};

/* Not all lanes continue together: each gets a list of its own, of `events` so far. */
static void part(const struct emitting *emitting, uint32_t events)
{
    const uint8_t *from = events_of(emitting->geometry, emitting->first);
    for (unsigned lane = 1; lane < sch_exec_lane_count(emitting->machine); lane++)
        memcpy(events_of(emitting->geometry, emitting->first + lane), from, events);
    emitting->unit->apart = true;
}

static void note_event(const struct emitting *emitting, uint32_t lanes, uint8_t event)
{
    const uint32_t *count = emitting->machine->emission.events;
    if (!emitting->unit->apart) {
        const uint32_t before = count[__builtin_ctz(lanes)] - 1;
        if (lanes == emitting->machine->group.present) {
            events_of(emitting->geometry, emitting->first)[before] = event;
            return;
        }
        part(emitting, before);
    }
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        events_of(emitting->geometry, emitting->first + lane)[count[lane] - 1] = event;
    }
}

static void store_vertex(const struct emitting *emitting, uint32_t lanes, const struct sch_results *results)
{
    const struct sch_geometry *geometry = emitting->geometry;
    const uint32_t *count = emitting->machine->emission.vertices;
    if (!emitting->unit->apart) {
        sch_results_store(results, emitting->machine, geometry->limit * geometry->words,
                          words_of(geometry, emitting->first) + (size_t)(count[0] - 1) * geometry->words);
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        sch_results_store_lane(results, emitting->machine, lane,
                               words_of(geometry, emitting->first + lane) +
                                   (size_t)(count[lane] - 1) * geometry->words);
    }
}

static void emit(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lanes,
                 uint32_t event)
{
    const struct primitives *primitives = primitives_of(source);
    const struct sch_geometry *geometry = primitives->geometry;
    const uint64_t first = machine->group.first - primitives->first;
    const struct emitting emitting = {geometry, machine, unit_of(geometry, first / geometry->lanes), first};
    const uint32_t stream = event & EVENT_STREAM;
    const bool ends = event & SCH_EVENT_PRIMITIVE_END;
    note_event(&emitting, lanes, (uint8_t)(stream | (ends ? EVENT_END : 0)));
    if (!ends && geometry->results[stream].copy_count) store_vertex(&emitting, lanes, &geometry->results[stream]);
}

/* Counts the primitives of `times` invocations with these events. */
static void count(const struct sch_geometry *geometry, const uint8_t *events, uint32_t event_count, uint32_t times,
                  struct sch_geometry_unit *unit)
{
    uint32_t open[SCH_STREAM_BUFFERS] = {0};
    for (uint32_t e = 0; e < event_count; e++) {
        const uint32_t stream = events[e] & EVENT_STREAM;
        if (!(events[e] & EVENT_END)) {
            open[stream]++;
            unit->vertices += stream == 0 ? times : 0;
            continue;
        }
        unit->primitives[stream] += times * sch_assembly_strip_primitives(geometry->primitive, open[stream]);
        open[stream] = 0;
    }
    for (unsigned s = 0; s < SCH_STREAM_BUFFERS; s++)
        unit->primitives[s] += times * sch_assembly_strip_primitives(geometry->primitive, open[s]);
}

static void store(const struct sch_exec_source *source, const struct sch_exec_machine *machine)
{
    const struct primitives *primitives = primitives_of(source);
    const struct sch_geometry *geometry = primitives->geometry;
    const uint64_t invocation = machine->group.first - primitives->first;
    struct sch_geometry_unit *unit = unit_of(geometry, invocation / geometry->lanes);
    const uint32_t lanes = sch_exec_lane_count(machine);
    memcpy(unit->events, machine->emission.events, sizeof unit->events);
    if (!unit->apart) count(geometry, events_of(geometry, invocation), unit->events[0], lanes, unit);
    for (unsigned i = 0; i < lanes && unit->apart; i++)
        count(geometry, events_of(geometry, invocation + i), unit->events[i], 1, unit);
}

static void identify(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lane,
                     struct sch_invocation_place *place)
{
    const struct primitives *primitives = primitives_of(source);
    const uint64_t number = machine->group.first + lane;
    struct found found = {.chunk = NULL};
    find_primitive(primitives->from, number / primitives->geometry->invocations, &found);
    place->parts = SCH_PLACE_PRIMITIVE | SCH_PLACE_INVOCATION;
    place->primitive = primitive_of(&found)->id;
    place->invocation = (uint32_t)(number % primitives->geometry->invocations);
}

static const struct sch_exec_source_kind kind = {
    .name = "primitives", .load = load, .store = store, .identify = identify, .emit = emit};

/* ---- chunks ---- */

static uint8_t kind_of(enum sch_primitive emitted)
{
    if (emitted == SCH_PRIMITIVE_POINTS) return SCH_ASSEMBLED_POINT;
    return emitted == SCH_PRIMITIVE_LINE_STRIP ? SCH_ASSEMBLED_LINE : SCH_ASSEMBLED_TRIANGLE;
}

/* Chunks on their way. */
struct making {
    struct primitives *primitives;
    struct sch_generation made;
    uint64_t first_unit[SCH_GENERATION_CHUNKS + 1];
};

/* A strip of `count` vertices from `first` on. */
static void add_strip(const struct primitives *primitives, uint32_t first, uint32_t count, uint32_t id,
                      struct sch_assembled *assembled)
{
    assembled->primitive_count +=
        sch_assemble_strip(primitives->geometry->primitive, primitives->context->draw->rasterizer->flatshade_first,
                           first, count, id, assembled->primitives + assembled->primitive_count);
}

/* Vertices of stream 0 to those of the chunk, whose words begin with those of its first invocation: nothing moves where
 * there are no gaps. */
static void gather_vertices(const struct making *making, const struct emitted *emitted, uint32_t instance,
                            struct sch_chunk *chunk)
{
    const size_t stride = chunk->vertices.layout->words, kept = making->primitives->context->draw->link->layout.words;
    const uint8_t *event = emitted->events;
    const uint32_t *from = emitted->words;
    struct sch_assembled *assembled = &chunk->assembled;
    for (uint32_t e = 0; e < emitted->count; e++) {
        if (event[e] & EVENT_END) continue;
        if (!(event[e] & EVENT_STREAM)) {
            uint32_t *to = chunk->vertices.words + assembled->vertex_count * stride;
            if (to != from) memmove(to, from, kept * sizeof *to);
            assembled->instances[assembled->vertex_count++] = instance;
        }
        from += making->primitives->geometry->words;
    }
}

/* The same of an invocation with events like those of the one before, of which `count` are vertices. If it begins in
 * place there was no gap so far, so it has none. False: its vertices would have to move, and none is taken. */
static bool take_in_place(const struct emitted *emitted, uint32_t count, uint32_t instance, struct sch_chunk *chunk)
{
    struct sch_assembled *assembled = &chunk->assembled;
    const size_t stride = chunk->vertices.layout->words;
    if (emitted->words != chunk->vertices.words + assembled->vertex_count * stride) return false;
    for (uint32_t n = 0; n < count; n++) assembled->instances[assembled->vertex_count++] = instance;
    return true;
}

/* The strips of an invocation, whose vertices begin with `first`. */
static void add_strips(const struct making *making, const struct emitted *emitted, uint32_t first, uint32_t id,
                       struct sch_assembled *assembled)
{
    uint32_t open = 0;
    for (uint32_t e = 0; e < emitted->count; e++) {
        if (emitted->events[e] & EVENT_STREAM) continue;
        if (!(emitted->events[e] & EVENT_END)) {
            open++;
            continue;
        }
        add_strip(making->primitives, first, open, id, assembled);
        first += open;
        open = 0;
    }
    add_strip(making->primitives, first, open, id, assembled);
}

/* The last `count` primitives again, with vertices that come `distance` later. */
static void repeat_primitives(uint32_t count, uint32_t distance, uint32_t id, struct sch_assembled *assembled)
{
    struct sch_assembled_primitive *made = assembled->primitives + assembled->primitive_count;
    for (uint32_t n = 0; n < count; n++, made++) {
        *made = made[-(ptrdiff_t)count];
        for (unsigned v = 0; v < 3; v++) made->vertex[v] += distance;
        made->provoking += distance;
        made->id = id;
    }
    assembled->primitive_count += count;
}

/* What the invocations of a unit emitted; where they have one list of events, they have primitives alike. */
static void add_unit(const struct making *making, uint64_t number, struct found *found, struct sch_chunk *chunk)
{
    const struct primitives *primitives = making->primitives;
    const struct sch_geometry *geometry = primitives->geometry;
    const struct sch_geometry_unit *unit = unit_of(geometry, number);
    struct sch_assembled *assembled = &chunk->assembled;
    const uint64_t first = number * geometry->lanes, rest = primitives->count - first;
    uint32_t made = 0, vertices = 0; /* of the invocation before */
    for (uint32_t lane = 0; lane < geometry->lanes && lane < rest; lane++) {
        const struct emitted emitted = emitted_by(geometry, number, lane);
        const uint32_t vertex = assembled->vertex_count, before = assembled->primitive_count;
        if (!emitted.count) continue;
        find_primitive(primitives->from, (primitives->first + first + lane) / geometry->invocations, found);
        const struct sch_assembled_primitive *primitive = primitive_of(found);
        const uint32_t instance = found->chunk->assembled.instances[primitive->provoking];
        if (!vertices || unit->apart || !take_in_place(&emitted, vertices, instance, chunk))
            gather_vertices(making, &emitted, instance, chunk);
        if (lane && !unit->apart)
            repeat_primitives(made, assembled->vertex_count - vertex, primitive->id, assembled);
        else
            add_strips(making, &emitted, vertex, primitive->id, assembled);
        made = assembled->primitive_count - before;
        vertices = assembled->vertex_count - vertex;
    }
}

static bool reserve_chunk(const struct making *making, unsigned number, struct sch_chunk *chunk)
{
    const struct sch_geometry *geometry = making->primitives->geometry;
    uint32_t vertices = 0, primitives = 0;
    for (uint64_t u = making->first_unit[number]; u < making->first_unit[number + 1]; u++) {
        vertices += unit_of(geometry, u)->vertices;
        primitives += unit_of(geometry, u)->primitives[0];
    }
    uint32_t *words = words_of(geometry, making->first_unit[number] * geometry->lanes);
    chunk->vertices = (struct sch_vertices){.layout = making->primitives->context->layout};
    chunk->assembled.kind = kind_of(geometry->primitive);
    chunk->assembled.vertex_edge_flags = chunk->assembled.polygons = false;
    chunk->assembled.aside_count = 0;
    chunk->assembled.vertex_count = chunk->assembled.primitive_count = 0;
    return sch_assembled_reserve(&chunk->assembled, vertices, primitives) &&
           sch_chunk_borrow(chunk, making->primitives->context->memory, words, vertices);
}

static void make_chunk(void *user, unsigned number)
{
    const struct making *making = user;
    struct sch_chunk *chunk = &making->made.chunks[number];
    struct found found = {.chunk = NULL};
    chunk->status = reserve_chunk(making, number, chunk) ? SCH_OK : SCH_ERROR_MEMORY;
    if (chunk->status != SCH_OK) return;
    for (uint64_t u = making->first_unit[number]; u < making->first_unit[number + 1]; u++)
        add_unit(making, u, &found, chunk);
    chunk->assembled.numbers = NULL; /* vertices of no draw */
    chunk->vertices.count = chunk->assembled.vertex_count;
}

/* As many chunks as a generation has, of the units from `*unit` on. */
static void cut_chunks(struct making *making, uint64_t *unit)
{
    const struct sch_geometry *geometry = making->primitives->geometry;
    making->made = (struct sch_generation){.chunks = geometry->scratch->chunks};
    while (making->made.count < SCH_GENERATION_CHUNKS && *unit < making->primitives->source.units) {
        uint32_t vertices = 0;
        making->first_unit[making->made.count++] = *unit;
        for (; *unit < making->primitives->source.units && vertices < CHUNK_VERTICES; (*unit)++) {
            vertices += unit_of(geometry, *unit)->vertices;
            making->made.primitives += unit_of(geometry, *unit)->primitives[0];
        }
        making->first_unit[making->made.count] = *unit;
    }
}

/* ---- other streams ---- */

/* A stream's way to stream output. */
struct streaming {
    const struct primitives *primitives;
    struct sch_stream_room room;
    unsigned stream;
    uint32_t corners;      /* of a primitive */
    uint64_t written;      /* primitives */
    const uint32_t **open; /* words of the strip's vertices */
    uint32_t count;
    struct sch_assembled_primitive *made;
};

static void stream_strip(struct streaming *streaming)
{
    const struct sch_draw_pipeline *draw = streaming->primitives->context->draw;
    const uint32_t made =
        sch_assemble_strip(streaming->primitives->geometry->primitive, draw->rasterizer->flatshade_first, 0,
                           streaming->count, 0, streaming->made);
    streaming->count = 0;
    for (uint32_t n = 0; n < made && streaming->written < streaming->room.count; n++, streaming->written++)
        for (uint32_t v = 0; v < streaming->corners; v++)
            sch_stream_write(draw, streaming->stream, &streaming->room, streaming->written * streaming->corners + v,
                             streaming->open[streaming->made[n].vertex[v]]);
}

static void stream_invocation(struct streaming *streaming, const struct emitted *emitted)
{
    const uint32_t *words = emitted->words;
    const uint8_t *event = emitted->events;
    for (uint32_t e = 0; e < emitted->count; e++) {
        const bool mine = (event[e] & EVENT_STREAM) == streaming->stream;
        if (event[e] & EVENT_END) {
            if (mine) stream_strip(streaming);
            continue;
        }
        if (mine) streaming->open[streaming->count++] = words;
        words += streaming->primitives->geometry->words;
    }
    stream_strip(streaming);
}

static void stream_out(struct sch_draw_context *context, struct primitives *primitives, unsigned stream, uint64_t count)
{
    const struct sch_geometry *geometry = primitives->geometry;
    struct streaming streaming = {.primitives = primitives,
                                  .stream = stream,
                                  .corners = kind_of(geometry->primitive),
                                  .open = geometry->scratch->open.data,
                                  .made = geometry->scratch->made.data};
    streaming.room = sch_stream_take(context->draw, context->counts, stream, count, streaming.corners);
    for (uint64_t i = 0; i < primitives->count && streaming.written < streaming.room.count; i++) {
        const struct emitted emitted = emitted_by(geometry, i / geometry->lanes, (uint32_t)(i % geometry->lanes));
        stream_invocation(&streaming, &emitted);
    }
}

/* Streams that are not rasterised, one after the other. False: no memory. */
static bool stream_others(struct sch_draw_context *context, struct primitives *primitives)
{
    const struct sch_geometry *geometry = primitives->geometry;
    struct sch_geometry_scratch *scratch = geometry->scratch;
    for (unsigned s = 1; s < SCH_STREAM_BUFFERS; s++) {
        uint64_t count = 0;
        for (uint64_t u = 0; u < primitives->source.units; u++) count += unit_of(geometry, u)->primitives[s];
        context->counts->primitives_generated[s] += count;
        if (!context->draw->streams_out || !context->draw->link->streams[s].buffers) continue;
        if (!sch_scratch_reserve(context->memory, &scratch->open, geometry->limit, sizeof(const uint32_t *)) ||
            !sch_scratch_reserve(context->memory, &scratch->made, geometry->limit,
                                 sizeof(struct sch_assembled_primitive)))
            return false;
        stream_out(context, primitives, s, count);
    }
    return true;
}

static enum sch_result pass_on(struct sch_draw_context *context, const struct sch_step *step,
                               struct primitives *primitives)
{
    struct making making = {.primitives = primitives};
    enum sch_result status = stream_others(context, primitives) ? SCH_OK : SCH_ERROR_MEMORY;
    for (uint64_t unit = 0; unit < primitives->source.units && status == SCH_OK;) {
        cut_chunks(&making, &unit);
        sch_draw_context_each(context, making.made.count, make_chunk, &making);
        status = sch_generation_status(&making.made);
        if (status == SCH_OK) status = sch_draw_context_pass(context, step, &making.made);
    }
    return status;
}

/* ---- the step ---- */

static bool reserve(const struct sch_geometry *geometry, struct sch_scratch *memory, uint64_t units)
{
    struct sch_geometry_scratch *scratch = geometry->scratch;
    const size_t vertices = (size_t)units * geometry->lanes * geometry->limit;
    return sch_scratch_reserve(memory, &scratch->words, vertices, geometry->words * sizeof(uint32_t)) &&
           sch_scratch_reserve(memory, &scratch->events, vertices, 2) &&
           sch_scratch_reserve(memory, &scratch->units, (size_t)units, sizeof(struct sch_geometry_unit));
}

static void count_statistics(const struct sch_geometry *geometry, struct sch_draw_counts *counts,
                             const struct primitives *primitives)
{
    counts->statistics[SCH_STATISTIC_GS_INVOCATIONS] += primitives->count;
    for (uint64_t u = 0; u < primitives->source.units; u++)
        for (unsigned s = 0; s < SCH_STREAM_BUFFERS; s++)
            counts->statistics[SCH_STATISTIC_GS_PRIMITIVES] += unit_of(geometry, u)->primitives[s];
}

/* Runs invocations, and what becomes of them. */
static enum sch_result run(struct sch_draw_context *context, const struct sch_step *step, struct primitives *primitives)
{
    const struct sch_geometry *geometry = primitives->geometry;
    struct sch_exec_source *source = &primitives->source;
    source->units = (primitives->count + geometry->lanes - 1) / geometry->lanes;
    source->all_groups = source->units;
    source->full_groups = geometry->lanes == SCH_GROUP_LANES ? primitives->count / SCH_GROUP_LANES : 0;
    if (!reserve(geometry, context->memory, source->units)) return SCH_ERROR_MEMORY;
    struct sch_run_options own;
    const struct sch_run_options *options = sch_draw_context_begin_run(context, primitives->count < LITTLE, &own);
    const enum sch_result status = sch_draw_context_end_run(context, SCH_STAGE_GEOMETRY,
                                                            sch_run(context->draw->programs[SCH_STAGE_GEOMETRY],
                                                                    context->draw->bindings[SCH_STAGE_GEOMETRY], source,
                                                                    options, context->report));
    if (status != SCH_OK) return status;
    count_statistics(geometry, context->counts, primitives);
    return pass_on(context, step, primitives);
}

enum sch_result sch_geometry_take(struct sch_draw_context *context, const struct sch_step *step,
                                  struct sch_generation *generation)
{
    const struct sch_geometry *geometry = step->own;
    struct primitives primitives = {.geometry = geometry,
                                    .context = context,
                                    .from = generation,
                                    .source = {.kind = &kind,
                                               .groups = 1,
                                               .place_bytes = sizeof(struct place_of_group),
                                               .samples = 1,
                                               .input_vertices = geometry->input_vertices,
                                               .other_groups = true}};
    const uint64_t most = (uint64_t)geometry->most_units * geometry->lanes;
    uint64_t all = 0;
    enum sch_result status = SCH_OK;
    for (uint32_t c = 0; c < generation->count; c++) all += generation->chunks[c].assembled.primitive_count;
    all *= geometry->invocations;
    for (; primitives.first < all && status == SCH_OK; primitives.first += primitives.count) {
        primitives.count = all - primitives.first < most ? all - primitives.first : most;
        status = run(context, step, &primitives);
    }
    return status;
}

static uint32_t between(uint64_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : (uint32_t)value;
}

static uint32_t vertices_of(enum sch_primitive primitive, uint32_t patch_vertices)
{
    switch (primitive) {
    case SCH_PRIMITIVE_PATCHES:
        return patch_vertices;
    case SCH_PRIMITIVE_LINES:
        return 2;
    case SCH_PRIMITIVE_TRIANGLES:
        return 3;
    case SCH_PRIMITIVE_LINES_ADJACENCY:
        return 4;
    case SCH_PRIMITIVE_TRIANGLES_ADJACENCY:
        return 6;
    default:
        return 1;
    }
}

/* Groups that fill a generation, if each invocation emits what it may. */
static uint32_t units_together(const struct sch_geometry *geometry)
{
    const uint32_t vertices = geometry->limit * geometry->lanes;
    const uint32_t units = vertices ? SCH_GENERATION_CHUNKS * CHUNK_VERTICES / vertices : 0;
    return units > LEAST_UNITS ? units : LEAST_UNITS;
}

void sch_geometry_begin(struct sch_geometry *geometry, const struct sch_draw_context *context,
                        struct sch_geometry_scratch *scratch)
{
    const struct sch_draw_pipeline *draw = context->draw;
    const struct sch_prepared_property *properties = draw->programs[SCH_STAGE_GEOMETRY]->prepared.interface.properties;
    const struct sch_prepared *program = &draw->programs[SCH_STAGE_GEOMETRY]->prepared;
    *geometry = (struct sch_geometry){
        .scratch = scratch,
        .hop = sch_link_hop_to(draw->link, SCH_STAGE_GEOMETRY),
        .primitive = (enum sch_primitive)properties[SCH_PROPERTY_GS_OUTPUT_PRIMITIVE].value,
        .invocations = program->of_stage.invocation_ids,
        .input_vertices = vertices_of((enum sch_primitive)properties[SCH_PROPERTY_GS_INPUT_PRIMITIVE].value,
                                      draw->dynamic->patch_vertices),
        .limit = program->of_stage.emit_limit,
        .words = context->layout->words};
    sch_results_init(&geometry->results[0], draw, SCH_STAGE_GEOMETRY);
    for (unsigned s = 1; draw->streams_out && s < SCH_STREAM_BUFFERS; s++) {
        const struct sch_link_stream *stream = &draw->link->streams[s];
        sch_results_of_stream(&geometry->results[s], draw, s);
        if (geometry->words < stream->words) geometry->words = stream->words;
    }
    const uint64_t bytes = (uint64_t)geometry->limit * geometry->words * sizeof(uint32_t) + 1;
    /* Which invocations share a group can be seen by votes alone. */
    geometry->lanes = program->interface.facts.shows_group ? (uint32_t)SCH_GROUP_LANES
                                                           : between(EMITTED_BYTES / bytes, 1, SCH_GROUP_LANES);
    geometry->most_units = between(EMITTED_BYTES / (bytes * geometry->lanes), 1, units_together(geometry));
    if (draw->live_streams) geometry->most_units = geometry->lanes = 1; /* what one writes the next one may read */
}
