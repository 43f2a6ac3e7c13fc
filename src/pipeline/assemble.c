/* See assemble.h. What primitives are made of is in pipeline/primitives.def. */
#include "pipeline/assemble.h"

#include <string.h>

#include "isa/isa.h"

enum { USES_FIRST = 1, CLOSES = 2, WHOLE = 4, EDGE_FLAGS = 8, CONTINUES = 16, F = -128 };
enum { ADJACENT_NONE, ADJACENT_LINE, ADJACENT_TRIANGLE, ADJACENT_STRIP };

struct row {
    uint8_t kind, first, step, triangles, flags;
    int8_t order[2][2][3]; /* of even and odd units, by the last and the first convention */
    int8_t second[3];
    int8_t provoking[2]; /* by the last and the first convention */
    uint8_t edges[2];
    uint8_t adjacent;
};

struct adjacency {
    uint8_t count;
    int8_t places[2][2][3]; /* as `order` */
};

#define PLACES(a, b, c)                                                                                                \
    {                                                                                                                  \
        a, b, c                                                                                                        \
    }
#define PAIR(a, b) a, b
#define TURNED(a, b)                                                                                                   \
    {                                                                                                                  \
        b, a                                                                                                           \
    }
static const struct row rows[SCH_PRIMITIVE_COUNT] = {
#define ASSEMBLY(name, kind, first, step, triangles, flags, order, odd_first, odd_last, second, provoking, edges,      \
                 adjacent)                                                                                             \
    [SCH_PRIMITIVE_##name] = {SCH_ASSEMBLED_##kind,                                                                    \
                              first,                                                                                   \
                              step,                                                                                    \
                              triangles,                                                                               \
                              flags,                                                                                   \
                              {{PLACES order, PLACES order}, {PLACES odd_last, PLACES odd_first}},                     \
                              PLACES second,                                                                           \
                              TURNED provoking,                                                                        \
                              {PAIR edges},                                                                            \
                              ADJACENT_##adjacent},
#define ADJACENT(name, count, even, odd_first, odd_last)
#include "pipeline/primitives.def"
#undef ASSEMBLY
#undef ADJACENT
    [SCH_PRIMITIVE_PATCHES] = {.kind = SCH_ASSEMBLED_PATCH, .triangles = 1},
};

static const struct adjacency adjacencies[] = {
#define ASSEMBLY(...)
#define ADJACENT(name, count, even, odd_first, odd_last)                                                               \
    [ADJACENT_##name] = {count, {{PLACES even, PLACES even}, {PLACES odd_last, PLACES odd_first}}},
#include "pipeline/primitives.def"
#undef ASSEMBLY
#undef ADJACENT
};

static const struct row *row_of(const struct sch_assembly *assembly) { return &rows[assembly->draw.primitive]; }

/* ---- indices ---- */

#define INDEX_READER(bits)                                                                                             \
    /* Numbers of vertices from indices, all in the buffer. */                                                         \
    static void read_##bits(const uint8_t *from, uint64_t count, uint32_t bias, uint32_t *restrict numbers)            \
    {                                                                                                                  \
        enum { BLOCK = 16 };                                                                                           \
        uint64_t at = 0;                                                                                               \
        for (; at + BLOCK <= count; at += BLOCK) {                                                                     \
            uint##bits##_t block[BLOCK];                                                                               \
            memcpy(block, from + at * sizeof *block, sizeof block);                                                    \
            for (unsigned i = 0; i < BLOCK; i++) numbers[at + i] = block[i] + bias;                                    \
        }                                                                                                              \
        for (; at < count; at++) {                                                                                     \
            uint##bits##_t index;                                                                                      \
            memcpy(&index, from + at * sizeof index, sizeof index);                                                    \
            numbers[at] = index + bias;                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    /* The first of `count` indices, all in the buffer, that is equal to `wanted`; or `count`. */                      \
    static uint64_t find_##bits(const uint8_t *from, uint64_t count, uint32_t wanted)                                  \
    {                                                                                                                  \
        enum { BLOCK = 64 };                                                                                           \
        uint64_t at = 0;                                                                                               \
        for (; at + BLOCK <= count; at += BLOCK) {                                                                     \
            uint##bits##_t block[BLOCK], any = 0;                                                                      \
            memcpy(block, from + at * sizeof *block, sizeof block);                                                    \
            for (unsigned i = 0; i < BLOCK; i++) any |= block[i] == (uint##bits##_t)wanted;                            \
            if (any) break;                                                                                            \
        }                                                                                                              \
        for (; at < count; at++) {                                                                                     \
            uint##bits##_t index;                                                                                      \
            memcpy(&index, from + at * sizeof index, sizeof index);                                                    \
            if (index == wanted) break;                                                                                \
        }                                                                                                              \
        return at;                                                                                                     \
    }
INDEX_READER(8)
INDEX_READER(16)
INDEX_READER(32)
#undef INDEX_READER

/* How many of the draw's vertices `from` to `to` have an index in the buffer. */
static uint64_t indices_inside(const struct sch_assembly *assembly, uint64_t from, uint64_t to)
{
    const uint64_t first = assembly->draw.start + from;
    const uint64_t inside = assembly->indices > first ? assembly->indices - first : 0;
    return inside < to - from ? inside : to - from;
}

static const uint8_t *index_at(const struct sch_draw_vertices *draw, uint64_t vertex)
{
    return draw->indices.data + (draw->start + vertex) * draw->index_bytes;
}

/* Numbers that grow by `step`: in blocks, of which compilers make vectors. */
static void fill(uint32_t *restrict to, uint64_t count, uint32_t first, uint32_t step)
{
    enum { BLOCK = 16 };
    uint64_t at = 0;
    for (; at + BLOCK <= count; at += BLOCK)
        for (uint32_t i = 0; i < BLOCK; i++) to[at + i] = first + ((uint32_t)at + i) * step;
    for (; at < count; at++) to[at] = first + (uint32_t)at * step;
}

/* VERTEXID of the draw's vertices from `vertex` on. After the buffer indices are 0. */
static void read_numbers(const struct sch_assembly *assembly, uint64_t vertex, uint64_t count,
                         uint32_t *restrict numbers)
{
    const struct sch_draw_vertices *draw = &assembly->draw;
    const uint32_t first = draw->start + (uint32_t)vertex, bias = (uint32_t)draw->index_bias;
    if (!draw->index_bytes) {
        fill(numbers, count, first, 1);
        return;
    }
    const uint64_t inside = indices_inside(assembly, vertex, vertex + count);
    if (inside) {
        const uint8_t *indices = index_at(draw, vertex);
        if (draw->index_bytes == 1) read_8(indices, inside, bias, numbers);
        if (draw->index_bytes == 2) read_16(indices, inside, bias, numbers);
        if (draw->index_bytes == 4) read_32(indices, inside, bias, numbers);
    }
    fill(numbers + inside, count - inside, bias, 0);
}

/* Where the first restart is among vertices `from` to `to` of the draw; `to`: nowhere. */
static uint64_t find_restart(const struct sch_assembly *assembly, uint64_t from, uint64_t to)
{
    const struct sch_draw_vertices *draw = &assembly->draw;
    if (!draw->restart || !draw->index_bytes || from >= to) return to;
    const uint64_t count = indices_inside(assembly, from, to);
    uint64_t found = count;
    if (count) {
        const uint8_t *indices = index_at(draw, from);
        if (draw->index_bytes == 1) found = find_8(indices, count, draw->restart_index);
        if (draw->index_bytes == 2) found = find_16(indices, count, draw->restart_index);
        if (draw->index_bytes == 4) found = find_32(indices, count, draw->restart_index);
    }
    if (found < count) return from + found;
    return draw->restart_index == 0 ? from + count : to; /* after the buffer indices are 0 */
}

/* ---- pieces ---- */

/* Units of a run of so many vertices; `open`: it has more. */
static uint64_t units_of(const struct sch_assembly *assembly, uint64_t length, bool open)
{
    if (length < assembly->first) return 0;
    uint64_t units = (length - assembly->first) / assembly->step + 1;
    return units + (row_of(assembly)->flags & CLOSES && !open);
}

/* The highest vertex that the units below `unit` refer to, of which the last one is the run's last or not. */
static uint64_t high_of(const struct sch_assembly *assembly, uint64_t unit, bool last)
{
    bool looks_ahead = row_of(assembly)->adjacent == ADJACENT_STRIP && !last;
    return (unit - 1) * assembly->step + assembly->first - 1 + looks_ahead;
}

/* The lowest vertex after F that units from `unit` on refer to. */
static uint64_t low_of(const struct sch_assembly *assembly, uint64_t unit)
{
    const struct row *row = row_of(assembly);
    if (!unit) return 0;
    if (row->adjacent == ADJACENT_STRIP) return (unit - 1) * assembly->step; /* looks back */
    const bool is_fan = row->flags & USES_FIRST && !(row->flags & CLOSES);   /* its place 0 is F */
    return unit * assembly->step + is_fan;
}

/* How many units from `unit` on are sure to refer to at most so many vertices. */
static uint64_t units_within(const struct sch_assembly *assembly, uint64_t unit, uint32_t vertices)
{
    const struct row *row = row_of(assembly);
    uint32_t more = 0;
    if (row->flags & CLOSES && unit) more = 1;
    if (row->adjacent == ADJACENT_STRIP) more = 3;
    if (vertices < assembly->first + more) return 0;
    return (vertices - assembly->first - more) / assembly->step + 1;
}

static void next_run(struct sch_assembly_place *at, uint64_t run)
{
    at->run = run;
    at->unit = 0;
}

/* Whether no vertices are left: most draws are one piece, and small ones feel a look for more. */
static bool has_ended(const struct sch_assembly *assembly, const struct sch_assembly_place *at)
{
    const struct sch_draw_vertices *draw = &assembly->draw;
    if (at->instance >= draw->instance_count) return true;
    return at->instance + 1 == draw->instance_count && at->run >= draw->count;
}

/* All instances have the same primitives: if the first has none, no one has. */
static void next_instance(const struct sch_assembly *assembly, struct sch_assembly_place *at)
{
    at->instance = at->primitive_id ? at->instance + 1 : assembly->draw.instance_count;
    at->primitive_id = 0;
    at->run = at->unit = 0;
}

/* Vertices of the run as far as `most` units need to be known, and those of one unit more: whether there is one decides
 * what the last unit looks like. `*open`: the run has more vertices. */
static uint64_t run_length(const struct sch_assembly *assembly, const struct sch_assembly_place *at, uint64_t most,
                           bool *open)
{
    const uint64_t rest = assembly->draw.count - at->run;
    const uint64_t needed = assembly->first + (at->unit + most) * assembly->step;
    const uint64_t end = needed < rest ? needed : rest;
    const uint64_t known = at->unit * assembly->step; /* seen when the units before were made */
    const uint64_t length = find_restart(assembly, at->run + known, at->run + end) - at->run;
    *open = length == end && end < rest;
    return length;
}

/* Vertices that fit in a chunk beside those that it has: into any chunk one unit. */
static uint32_t room_in(const struct sch_assembly *assembly, uint32_t vertices)
{
    const uint32_t most = assembly->options.chunk_vertices, least = assembly->first + 3;
    if (!vertices && most < least) return least;
    return vertices < most ? most - vertices : 0;
}

/* The units of a run from `*at` on that refer to at most so many vertices; `*at` moves after them. False: the draw has
 * no more, or not one unit fits. */
static bool next_piece(const struct sch_assembly *assembly, struct sch_assembly_place *at, uint32_t vertices,
                       struct sch_assembly_piece *piece)
{
    const struct row *row = row_of(assembly);
    while (at->instance < assembly->draw.instance_count) {
        if (at->run >= assembly->draw.count) {
            next_instance(assembly, at);
            continue;
        }
        uint64_t most = units_within(assembly, at->unit, vertices);
        if (!most) return false;
        if (assembly->options.single && !(row->flags & WHOLE)) most = 1;
        bool open;
        const uint64_t length = run_length(assembly, at, most, &open);
        const uint64_t units = units_of(assembly, length, open);
        if (!units) {
            next_run(at, at->run + length + 1);
            continue;
        }
        const uint64_t taken = units - at->unit < most ? units - at->unit : most;
        const uint64_t end = at->unit + taken;
        const bool is_whole = end == units && !open;
        /* A polygon is in one chunk, if one has room for it: its face is that of all its triangles. */
        if (row->flags & WHOLE && !is_whole && vertices < room_in(assembly, 0)) return false;
        *piece = (struct sch_assembly_piece){.instance = at->instance,
                                             .primitive_id = at->primitive_id,
                                             .run = at->run,
                                             .unit = at->unit,
                                             .units = taken,
                                             .ends = is_whole};
        piece->closes = row->flags & CLOSES && piece->ends;
        piece->low = low_of(assembly, at->unit);
        piece->high = high_of(assembly, piece->closes ? end - 1 : end, piece->ends);
        piece->has_first = row->flags & USES_FIRST && at->unit;
        at->primitive_id += row->flags & WHOLE ? piece->ends : (uint32_t)taken;
        at->unit = end;
        if (piece->ends) next_run(at, at->run + length + 1);
        return true;
    }
    return false;
}

static uint32_t vertices_of(const struct sch_assembly_piece *piece)
{
    return (uint32_t)(piece->high - piece->low + 1 + piece->has_first);
}

/* ---- cutting ---- */

/* Indices after the buffer are 0: where 0 is the restart index, all that is left are restarts, which need no look
 * at. */
static void drop_outside(struct sch_assembly *assembly)
{
    struct sch_draw_vertices *draw = &assembly->draw;
    const uint64_t inside = assembly->indices > draw->start ? assembly->indices - draw->start : 0;
    if (draw->count > inside) draw->count = (uint32_t)inside;
}

void sch_assembly_begin(struct sch_assembly *assembly, const struct sch_draw_vertices *draw,
                        const struct sch_assembly_options *options)
{
    const struct row *row = &rows[draw->primitive];
    *assembly = (struct sch_assembly){.draw = *draw, .options = *options, .first = row->first, .step = row->step};
    if (row->kind == SCH_ASSEMBLED_PATCH) assembly->first = assembly->step = options->patch_vertices;
    if (!assembly->step) assembly->draw.instance_count = 0; /* patches without vertices */
    uint32_t *most = &assembly->options.chunk_vertices;
    if (!*most || *most > SCH_CHUNK_VERTICES) *most = SCH_CHUNK_VERTICES;
    if (!draw->index_bytes) return;
    assembly->indices = draw->indices.bytes / draw->index_bytes;
    /* An index of fewer bits is never equal to a number of more (OpenGL 10.3.6). */
    if (draw->index_bytes < 4 && draw->restart_index >> draw->index_bytes * 8) assembly->draw.restart = false;
    if (assembly->draw.restart && draw->restart_index == 0) drop_outside(assembly);
}

/* Vertices that the piece is the first to refer to. */
static uint32_t new_vertices(const struct sch_assembly *assembly, const struct sch_assembly_piece *piece)
{
    if (!piece->unit) return (uint32_t)(piece->high - piece->low + 1);
    uint64_t before = high_of(assembly, piece->unit, false);
    return piece->high > before ? (uint32_t)(piece->high - before) : 0;
}

/* Vertices that a piece has from the chunk before: it is the first one of its chunk, or it begins its run. */
static void find_repeated(const struct sch_assembly *assembly, const struct sch_assembly_piece *piece,
                          struct sch_assembly_cut *cut)
{
    if (assembly->options.share || !piece->unit) return;
    const uint64_t end = assembly->last_vertices, high = assembly->last_high, low = assembly->last_low;
    if (piece->has_first)
        cut->repeated_from[cut->repeated++] = (uint32_t)(end - 1 - (high - low) - assembly->last_has_first);
    for (uint64_t vertex = piece->low; vertex <= high; vertex++)
        cut->repeated_from[cut->repeated++] = (uint32_t)(end - 1 - (high - vertex));
}

bool sch_assembly_cut(struct sch_assembly *assembly, struct sch_assembly_cut *cut)
{
    const struct row *row = row_of(assembly);
    struct sch_assembly_piece piece;
    if (has_ended(assembly, &assembly->at)) return false;
    *cut = (struct sch_assembly_cut){.pieces = 0};
    while (!(assembly->options.single && cut->pieces) && !has_ended(assembly, &assembly->at) &&
           next_piece(assembly, &assembly->at, room_in(assembly, cut->vertices), &piece)) {
        find_repeated(assembly, &piece, cut);
        if (!cut->pieces++) {
            cut->piece = piece;
            cut->next = assembly->at;
        }
        cut->vertices += vertices_of(&piece);
        cut->records += (uint32_t)piece.units * row->triangles;
        cut->invocations += new_vertices(assembly, &piece);
        cut->primitives += row->flags & WHOLE ? !piece.unit : (uint32_t)piece.units;
        assembly->last_low = piece.low;
        assembly->last_high = piece.high;
        assembly->last_has_first = piece.has_first;
    }
    assembly->last_vertices = cut->vertices;
    return cut->pieces != 0;
}

/* ---- vertices of a chunk ---- */

enum { TABLE_BITS = 15, TABLE_SIZE = 1 << TABLE_BITS, TABLE_EPOCHS = 1 << 17 };
_Static_assert((int)SCH_CHUNK_VERTICES <= (int)TABLE_SIZE, "an entry holds the number of a vertex in TABLE_BITS");

/* Entries of other epochs do not count. False: there is no memory. */
static bool begin_epoch(struct sch_assembly_table *table)
{
    if (!table->entries) {
        table->entries = table->allocator.alloc(table->allocator.user, TABLE_SIZE * sizeof *table->entries);
        if (!table->entries) return false;
        table->epoch = TABLE_EPOCHS;
    }
    if (++table->epoch >= TABLE_EPOCHS) {
        memset(table->entries, 0, TABLE_SIZE * sizeof *table->entries);
        table->epoch = 1;
    }
    return true;
}

/* The vertex of the chunk with a number, which is added if it is not there. A vertex may be there twice: the table
 * keeps the last one of those with the same low bits. */
static inline uint32_t share_vertex(struct sch_assembly_table *table, struct sch_assembled *chunk, uint32_t number,
                                    uint32_t instance)
{
    uint64_t *entry = &table->entries[number % TABLE_SIZE];
    const uint64_t key = (uint64_t)number << 17 | table->epoch;
    if (*entry >> TABLE_BITS == key) return *entry % TABLE_SIZE;
    const uint32_t vertex = chunk->vertex_count++;
    chunk->numbers[vertex] = number;
    chunk->instances[vertex] = instance;
    *entry = key << TABLE_BITS | vertex;
    return vertex;
}

/* Where the chunk has the vertices that a piece refers to. */
struct vertices {
    const uint32_t *places; /* of those from `low` on; NULL: from `base` on, one after the other */
    uint32_t base;
    uint32_t first; /* the run's first vertex */
};

static void add_numbers(const struct sch_assembly *assembly, const struct sch_assembly_piece *piece, uint64_t from,
                        uint32_t count, struct sch_assembled *chunk)
{
    fill(chunk->instances + chunk->vertex_count, count, piece->instance, 0);
    read_numbers(assembly, piece->run + from, count, chunk->numbers + chunk->vertex_count);
    chunk->vertex_count += count;
}

static struct vertices add_vertices(const struct sch_assembly *assembly, const struct sch_assembly_piece *piece,
                                    struct sch_assembled *chunk)
{
    struct vertices made = {.first = chunk->vertex_count};
    if (piece->has_first) add_numbers(assembly, piece, 0, 1, chunk);
    made.base = chunk->vertex_count;
    add_numbers(assembly, piece, piece->low, (uint32_t)(piece->high - piece->low + 1), chunk);
    return made;
}

static struct vertices share_vertices(const struct sch_assembly *assembly, const struct sch_assembly_piece *piece,
                                      struct sch_assembly_table *table, struct sch_assembled *chunk)
{
    struct vertices made = {.places = chunk->places};
    const uint32_t count = (uint32_t)(piece->high - piece->low + 1);
    if (piece->has_first) {
        read_numbers(assembly, piece->run, 1, &made.first);
        made.first = share_vertex(table, chunk, made.first, piece->instance);
    }
    read_numbers(assembly, piece->run + piece->low, count, chunk->places);
    for (uint32_t i = 0; i < count; i++)
        chunk->places[i] = share_vertex(table, chunk, chunk->places[i], piece->instance);
    if (!piece->has_first) made.first = chunk->places[0];
    return made;
}

/* ---- primitives of a chunk ---- */

static inline __attribute__((always_inline)) uint32_t vertex_at(const struct vertices *vertices, uint64_t unit_at,
                                                                int place)
{
    if (place == F) return vertices->first;
    const uint64_t at = unit_at + (uint64_t)(int64_t)place;
    return vertices->places ? vertices->places[at] : vertices->base + (uint32_t)at;
}

/* What a unit is made from: `row`, the convention and whether it is odd are constants where it is used. */
struct unit {
    uint64_t at; /* its vertex 0, from the piece's `low` on */
    bool odd, begins, ends;
};

/* Vertices beside a unit. */
static inline __attribute__((always_inline)) void add_neighbours(const struct row *row, bool first_provokes,
                                                                 const struct vertices *vertices,
                                                                 const struct unit *unit, uint32_t *aside)
{
    const struct adjacency *adjacency = &adjacencies[row->adjacent];
    for (unsigned i = 0; i < adjacency->count; i++) {
        int place = unit->odd ? adjacency->places[1][first_provokes][i] : adjacency->places[0][first_provokes][i];
        if (row->adjacent == ADJACENT_STRIP && place == -2 && unit->begins) place = 1;
        if (row->adjacent == ADJACENT_STRIP && place == 6 && unit->ends) place = 5;
        aside[i] = vertex_at(vertices, unit->at, place);
    }
}

static inline __attribute__((always_inline)) uint32_t corner(const struct row *row, bool first_provokes,
                                                             const struct vertices *vertices, const struct unit *unit,
                                                             unsigned triangle, unsigned i)
{
    if (triangle) return vertex_at(vertices, unit->at, row->second[i]);
    return vertex_at(vertices, unit->at,
                     unit->odd ? row->order[1][first_provokes][i] : row->order[0][first_provokes][i]);
}

static inline __attribute__((always_inline)) struct sch_assembled_primitive
make_record(const struct row *row, bool first_provokes, const struct vertices *vertices, const struct unit *unit,
            unsigned triangle, uint32_t id)
{
    return (struct sch_assembled_primitive){.vertex = {corner(row, first_provokes, vertices, unit, triangle, 0),
                                                       corner(row, first_provokes, vertices, unit, triangle, 1),
                                                       corner(row, first_provokes, vertices, unit, triangle, 2)},
                                            .provoking = vertex_at(vertices, unit->at, row->provoking[first_provokes]),
                                            .id = id,
                                            .edges = row->edges[triangle],
                                            .stipple_restarts =
                                                triangle == 0 && (!(row->flags & CONTINUES) || unit->begins)};
}

/* The records of a piece. */
static inline __attribute__((always_inline)) void add_units_of(const struct row *row, bool first_provokes,
                                                               const struct sch_assembly_piece *piece,
                                                               const struct vertices *vertices,
                                                               struct sch_assembled *chunk)
{
    const uint32_t beside = adjacencies[row->adjacent].count;
    struct sch_assembled_primitive *made = chunk->primitives + chunk->primitive_count;
    uint32_t *aside = chunk->aside + (size_t)chunk->primitive_count * beside;
    uint64_t at = piece->unit * row->step - piece->low;
    for (uint64_t n = 0; n < piece->units; n++, at += row->step, aside += beside) {
        const struct unit unit = {.at = at,
                                  .odd = (piece->unit + n) & 1,
                                  .begins = piece->unit + n == 0,
                                  .ends = piece->ends && n + 1 == piece->units};
        const uint32_t id = piece->primitive_id + (row->flags & WHOLE ? 0 : (uint32_t)n);
        *made++ = make_record(row, first_provokes, vertices, &unit, 0, id);
        if (row->triangles == 2) *made++ = make_record(row, first_provokes, vertices, &unit, 1, id);
        add_neighbours(row, first_provokes, vertices, &unit, aside);
    }
    chunk->primitive_count += (uint32_t)piece->units * row->triangles;
}

static inline __attribute__((always_inline)) void add_units(const struct row *row, bool first_provokes,
                                                            const struct sch_assembly_piece *piece,
                                                            struct vertices vertices, struct sch_assembled *chunk)
{
    if (vertices.places) {
        add_units_of(row, first_provokes, piece, &vertices, chunk);
    } else {
        vertices.places = NULL; /* which the compiler knows now */
        add_units_of(row, first_provokes, piece, &vertices, chunk);
    }
}

/* The last line of a loop goes to its first vertex. */
static void close_loop(bool first_provokes, const struct sch_assembly_piece *piece, const struct vertices *vertices,
                       struct sch_assembled *chunk)
{
    const uint32_t last = vertex_at(vertices, piece->high - piece->low, 0), first = vertices->first;
    chunk->primitives[chunk->primitive_count++] =
        (struct sch_assembled_primitive){.vertex = {last, first, first},
                                         .provoking = first_provokes ? last : first,
                                         .id = piece->primitive_id + (uint32_t)(piece->units - 1),
                                         .edges = 1};
}

/* A polygon's first triangle has its first edge, the last one its last. */
static void mark_polygon(const struct sch_assembly_piece *piece, struct sch_assembled *chunk)
{
    struct sch_assembled_primitive *end = chunk->primitives + chunk->primitive_count;
    if (piece->unit == 0) end[-(ptrdiff_t)piece->units].edges |= 1;
    if (piece->ends) end[-1].edges |= 4;
}

static void add_patches(const struct sch_assembly *assembly, const struct sch_assembly_piece *piece,
                        const struct vertices *vertices, struct sch_assembled *chunk)
{
    const uint32_t count = assembly->step;
    for (uint64_t n = 0; n < piece->units; n++) {
        uint32_t *aside = chunk->aside + (size_t)chunk->primitive_count * count;
        for (uint32_t i = 0; i < count; i++) aside[i] = vertex_at(vertices, n * count, (int)i);
        chunk->primitives[chunk->primitive_count++] = (struct sch_assembled_primitive){
            .vertex = {aside[0], aside[0], aside[0]}, .provoking = aside[0], .id = piece->primitive_id + (uint32_t)n};
    }
}

static void add_primitives(const struct sch_assembly *assembly, const struct sch_assembly_piece *piece,
                           const struct vertices *vertices, struct sch_assembled *chunk)
{
    const bool first_provokes = assembly->options.first_provokes;
    struct sch_assembly_piece units = *piece;
    units.units -= piece->closes;
    switch (assembly->draw.primitive) {
    case SCH_PRIMITIVE_PATCHES:
        add_patches(assembly, piece, vertices, chunk);
        break;
#define ASSEMBLY(name, ...)                                                                                            \
    case SCH_PRIMITIVE_##name:                                                                                         \
        if (first_provokes)                                                                                            \
            add_units(&rows[SCH_PRIMITIVE_##name], true, &units, *vertices, chunk);                                    \
        else                                                                                                           \
            add_units(&rows[SCH_PRIMITIVE_##name], false, &units, *vertices, chunk);                                   \
        break;
#define ADJACENT(...)
#include "pipeline/primitives.def"
#undef ASSEMBLY
#undef ADJACENT
    }
    if (piece->closes) close_loop(first_provokes, piece, vertices, chunk);
    if (row_of(assembly)->flags & WHOLE) mark_polygon(piece, chunk);
}

/* ---- chunks ---- */

static uint32_t aside_count(const struct sch_assembly *assembly)
{
    const struct row *row = row_of(assembly);
    return row->kind == SCH_ASSEMBLED_PATCH ? assembly->step : adjacencies[row->adjacent].count;
}

bool sch_assembled_reserve(struct sch_assembled *chunk, uint32_t vertex_count, uint32_t primitive_count)
{
    const size_t vertices = (size_t)vertex_count * sizeof(uint32_t);
    const size_t primitives = (size_t)primitive_count * sizeof(struct sch_assembled_primitive);
    const size_t aside = (size_t)primitive_count * chunk->aside_count * sizeof(uint32_t);
    const size_t bytes = primitives + aside + 3 * vertices + primitive_count;
    if (bytes > chunk->memory_bytes) {
        const struct sch_allocator allocator = chunk->allocator;
        if (chunk->memory) allocator.free(allocator.user, chunk->memory);
        chunk->memory_bytes = 0;
        chunk->memory = allocator.alloc(allocator.user, bytes);
        if (!chunk->memory) return false;
        chunk->memory_bytes = bytes;
    }
    uint8_t *at = chunk->memory;
    chunk->primitives = (void *)at;
    chunk->aside = (void *)(at += primitives);
    chunk->numbers = (void *)(at += aside);
    chunk->instances = (void *)(at += vertices);
    chunk->places = (void *)(at += vertices);
    chunk->faces = at + vertices;
    return true;
}

static bool has_edge_flags(const struct sch_assembly *assembly) { return row_of(assembly)->flags & EDGE_FLAGS; }

static bool has_polygons(const struct sch_assembly *assembly)
{
    return row_of(assembly)->triangles > 1 || row_of(assembly)->flags & WHOLE;
}

bool sch_assembled_begin(struct sch_assembled *chunk, const struct sch_assembly *assembly, uint32_t vertices,
                         uint32_t records)
{
    chunk->kind = row_of(assembly)->kind;
    chunk->vertex_edge_flags = has_edge_flags(assembly);
    chunk->polygons = has_polygons(assembly);
    chunk->aside_count = aside_count(assembly);
    chunk->vertex_count = chunk->primitive_count = 0;
    return sch_assembled_reserve(chunk, vertices, records);
}

bool sch_assembled_continues(const struct sch_assembled *chunk, const struct sch_assembly *assembly)
{
    return chunk->kind == row_of(assembly)->kind && chunk->vertex_edge_flags == has_edge_flags(assembly) &&
           chunk->polygons == has_polygons(assembly) && chunk->aside_count == aside_count(assembly);
}

enum sch_result sch_assemble_more(const struct sch_assembly *assembly, const struct sch_assembly_cut *cut,
                                  struct sch_assembly_table *table, struct sch_assembled *chunk)
{
    const bool shares = assembly->options.share && assembly->draw.index_bytes;
    if (shares && !begin_epoch(table)) return SCH_ERROR_MEMORY;

    struct sch_assembly_piece piece = cut->piece;
    struct sch_assembly_place at = cut->next;
    uint32_t vertices_before = 0, instance = piece.instance;
    for (uint32_t n = 0; n < cut->pieces; n++) {
        if (n && !next_piece(assembly, &at, room_in(assembly, vertices_before), &piece))
            return SCH_ERROR_INTERNAL; /* the cut is another draw's */
        vertices_before += vertices_of(&piece);
        if (shares && piece.instance != instance && !begin_epoch(table)) return SCH_ERROR_MEMORY;
        instance = piece.instance;
        const struct vertices vertices =
            shares ? share_vertices(assembly, &piece, table, chunk) : add_vertices(assembly, &piece, chunk);
        add_primitives(assembly, &piece, &vertices, chunk);
    }
    return SCH_OK;
}

enum sch_result sch_assemble(const struct sch_assembly *assembly, const struct sch_assembly_cut *cut,
                             struct sch_assembly_table *table, struct sch_assembled *chunk)
{
    return sch_assembled_begin(chunk, assembly, cut->vertices, cut->records)
               ? sch_assemble_more(assembly, cut, table, chunk)
               : SCH_ERROR_MEMORY;
}

/* ---- strips ---- */

uint32_t sch_assembly_strip_primitives(enum sch_primitive primitive, uint32_t vertices)
{
    const uint32_t first = rows[primitive].first;
    return vertices < first ? 0 : vertices - first + 1;
}

uint32_t sch_assemble_strip(enum sch_primitive primitive, bool first_provokes, uint32_t first, uint32_t count,
                            uint32_t id, struct sch_assembled_primitive *made)
{
    const struct row *row = &rows[primitive];
    const uint32_t units = sch_assembly_strip_primitives(primitive, count);
    const struct vertices vertices = {.base = first, .first = first};
    for (uint32_t n = 0; n < units; n++) {
        const struct unit unit = {.at = n, .odd = n & 1, .begins = n == 0, .ends = n + 1 == units};
        made[n] = make_record(row, first_provokes, &vertices, &unit, 0, id);
    }
    return units;
}

void sch_assembled_init(struct sch_assembled *chunk, const struct sch_allocator *allocator)
{
    *chunk = (struct sch_assembled){.allocator = *allocator};
}

void sch_assembled_release(struct sch_assembled *chunk)
{
    if (chunk->memory) chunk->allocator.free(chunk->allocator.user, chunk->memory);
    chunk->memory = NULL;
    chunk->memory_bytes = 0;
}

void sch_assembly_table_init(struct sch_assembly_table *table, const struct sch_allocator *allocator)
{
    *table = (struct sch_assembly_table){.allocator = *allocator};
}

void sch_assembly_table_release(struct sch_assembly_table *table)
{
    if (table->entries) table->allocator.free(table->allocator.user, table->entries);
    table->entries = NULL;
}
