/* Primitive assembly against a reference that is written from the tables of OpenGL 4.6 10.1 and 13.6, one vertex after
 * the other: every primitive, both conventions of provoking vertices, indices of all sizes, restarts, instances, chunks
 * that are cut at every place, with and without shared vertices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/counting.h"
#include "../support/random_number.h"
#include "base/allocator.h"
#include "isa/isa.h"
#include "pipeline/assemble.h"

/* ---- the reference ---- */

enum { MOST_PRIMITIVES = 4096, MOST_VERTICES = 4096, MOST_ASIDE = SCH_PATCH_VERTICES };

/* Vertices are places in the row that a draw transfers, of one instance. */
struct expected {
    uint32_t instance, vertex[3], vertices, provoking, id, aside[MOST_ASIDE], asides;
    unsigned edges;
    bool stipple_restarts;
};

struct reference {
    struct expected primitives[MOST_PRIMITIVES];
    uint32_t count;
    uint32_t complete;        /* primitives, of which some are several triangles */
    bool used[MOST_VERTICES]; /* vertices of complete primitives of an instance */
    uint32_t vertices;
};

/* Numbers of the tables: vertices of a run from 1 on, of which number 1 is the draw's vertex `begin`. */
struct run {
    struct reference *to;
    const struct sch_draw_vertices *draw;
    bool first_convention;
    uint32_t patch_vertices, instance, begin, n, *id;
};

static void use(const struct run *run, uint32_t vertex)
{
    bool *used = &run->to->used[run->begin + vertex - 1];
    run->to->vertices += !*used;
    *used = true;
}

static struct expected *expect(const struct run *run, unsigned vertices, uint32_t a, uint32_t b, uint32_t c,
                               uint32_t first_provoking, uint32_t last_provoking)
{
    assert_true(run->to->count < MOST_PRIMITIVES);
    struct expected *made = &run->to->primitives[run->to->count++];
    const uint32_t all[3] = {a, b, c};
    *made = (struct expected){.instance = run->instance, .vertices = vertices, .id = *run->id};
    for (unsigned i = 0; i < 3; i++) made->vertex[i] = run->begin + all[i < vertices ? i : vertices - 1] - 1;
    for (unsigned i = 0; i < vertices; i++) use(run, all[i]);
    made->provoking = run->begin + (run->first_convention ? first_provoking : last_provoking) - 1;
    made->edges = vertices == 3 ? 7 : vertices == 2 ? 1 : 0;
    made->stipple_restarts = true;
    return made;
}

static void beside(const struct run *run, struct expected *primitive, uint32_t vertex)
{
    primitive->aside[primitive->asides++] = run->begin + vertex - 1;
    use(run, vertex);
}

static void complete(const struct run *run)
{
    ++*run->id;
    run->to->complete++;
}

static void expect_points(const struct run *run)
{
    for (uint32_t i = 1; i <= run->n; i++) {
        expect(run, 1, i, i, i, i, i);
        complete(run);
    }
}

static void expect_lines(const struct run *run)
{
    for (uint32_t i = 1; 2 * i <= run->n; i++) {
        expect(run, 2, 2 * i - 1, 2 * i, 0, 2 * i - 1, 2 * i);
        complete(run);
    }
}

static void expect_line_strip(const struct run *run, bool loop)
{
    for (uint32_t i = 1; i + 1 <= run->n; i++) {
        expect(run, 2, i, i + 1, 0, i, i + 1)->stipple_restarts = i == 1;
        complete(run);
    }
    if (!loop || run->n < 2) return;
    expect(run, 2, run->n, 1, 0, run->n, 1)->stipple_restarts = false;
    complete(run);
}

static void expect_triangles(const struct run *run)
{
    for (uint32_t i = 1; 3 * i <= run->n; i++) {
        expect(run, 3, 3 * i - 2, 3 * i - 1, 3 * i, 3 * i - 2, 3 * i);
        complete(run);
    }
}

/* 10.1.6: two stored vertices and a pointer that toggles. Where the first vertex provokes, the order begins with it. */
static void expect_triangle_strip(const struct run *run)
{
    uint32_t a = 0, b = 0, *pointer = &a;
    for (uint32_t v = 1; v <= run->n; v++) {
        if (v >= 3) {
            const uint32_t i = v - 2;
            if (!run->first_convention || a == i)
                expect(run, 3, a, b, v, i, i + 2);
            else
                expect(run, 3, b, v, a, i, i + 2);
            complete(run);
        }
        *pointer = v;
        pointer = pointer == &a ? &b : &a;
    }
}

static void expect_fan(const struct run *run)
{
    for (uint32_t i = 1; i + 2 <= run->n; i++) {
        expect(run, 3, 1, i + 1, i + 2, i + 1, i + 2);
        complete(run);
    }
}

/* The quadrilateral a b c d, from its first vertex. */
static void expect_quad(const struct run *run, const uint32_t v[4], uint32_t first, uint32_t last)
{
    expect(run, 3, v[0], v[1], v[2], first, last)->edges = 1 | 2;
    struct expected *second = expect(run, 3, v[0], v[2], v[3], first, last);
    second->edges = 2 | 4;
    second->stipple_restarts = false;
    complete(run);
}

static void expect_quads(const struct run *run)
{
    for (uint32_t i = 1; 4 * i <= run->n; i++)
        expect_quad(run, (uint32_t[]){4 * i - 3, 4 * i - 2, 4 * i - 1, 4 * i}, 4 * i - 3, 4 * i);
}

static void expect_quad_strip(const struct run *run)
{
    for (uint32_t i = 1; 2 * i + 2 <= run->n; i++)
        expect_quad(run, (uint32_t[]){2 * i - 1, 2 * i, 2 * i + 2, 2 * i + 1}, 2 * i - 1, 2 * i + 2);
}

static void expect_polygon(const struct run *run)
{
    for (uint32_t i = 3; i <= run->n; i++) {
        struct expected *triangle = expect(run, 3, 1, i - 1, i, 1, 1);
        triangle->edges = (i == 3 ? 1 : 0) | 2 | (i == run->n ? 4 : 0);
        triangle->stipple_restarts = i == 3;
    }
    if (run->n >= 3) complete(run);
}

static void expect_lines_adjacency(const struct run *run)
{
    for (uint32_t i = 1; 4 * i <= run->n; i++) {
        struct expected *line = expect(run, 2, 4 * i - 2, 4 * i - 1, 0, 4 * i - 2, 4 * i - 1);
        beside(run, line, 4 * i - 3);
        beside(run, line, 4 * i);
        complete(run);
    }
}

static void expect_line_strip_adjacency(const struct run *run)
{
    for (uint32_t i = 1; i + 3 <= run->n; i++) {
        struct expected *line = expect(run, 2, i + 1, i + 2, 0, i + 1, i + 2);
        line->stipple_restarts = i == 1;
        beside(run, line, i);
        beside(run, line, i + 3);
        complete(run);
    }
}

static void expect_triangles_adjacency(const struct run *run)
{
    for (uint32_t i = 1; 6 * i <= run->n; i++) {
        struct expected *triangle = expect(run, 3, 6 * i - 5, 6 * i - 3, 6 * i - 1, 6 * i - 5, 6 * i - 1);
        for (unsigned c = 0; c < 3; c++) beside(run, triangle, 6 * i - 4 + 2 * c);
        complete(run);
    }
}

/* Tables 10.1 (last vertex provokes) and 10.2 (first), whose triangles are numbered from 0. */
static void expect_triangle_strip_adjacency(const struct run *run)
{
    if (run->n < 6) return;
    const uint32_t count = run->n / 2 - 2;
    for (uint32_t i = 0; i < count; i++) {
        const bool odd = i % 2, last = i == count - 1;
        const uint32_t before = i == 0 ? 2 : 2 * i - 1, behind = last ? 2 * i + 6 : 2 * i + 7, beyond = 2 * i + 4;
        uint32_t v[3] = {2 * i + 1, 2 * i + 3, 2 * i + 5}, to[3] = {before, behind, beyond};
        if (odd && run->first_convention) {
            v[1] = 2 * i + 5, v[2] = 2 * i + 3;
            to[0] = beyond, to[1] = behind, to[2] = before;
        } else if (odd) {
            v[0] = 2 * i + 3, v[1] = 2 * i + 1;
            to[0] = before, to[1] = beyond, to[2] = behind;
        }
        struct expected *triangle = expect(run, 3, v[0], v[1], v[2], 2 * i + 1, 2 * i + 5);
        for (unsigned c = 0; c < 3; c++) beside(run, triangle, to[c]);
        complete(run);
    }
}

static void expect_patches(const struct run *run)
{
    const uint32_t v = run->patch_vertices;
    for (uint32_t i = 0; v * (i + 1) <= run->n; i++) {
        struct expected *patch = expect(run, 1, v * i + 1, 0, 0, v * i + 1, v * i + 1);
        for (uint32_t c = 1; c <= v; c++) beside(run, patch, v * i + c);
        patch->stipple_restarts = false;
        complete(run);
    }
}

static void expect_run(const struct run *run)
{
    switch (run->draw->primitive) {
    case SCH_PRIMITIVE_POINTS:
        return expect_points(run);
    case SCH_PRIMITIVE_LINES:
        return expect_lines(run);
    case SCH_PRIMITIVE_LINE_LOOP:
        return expect_line_strip(run, true);
    case SCH_PRIMITIVE_LINE_STRIP:
        return expect_line_strip(run, false);
    case SCH_PRIMITIVE_TRIANGLES:
        return expect_triangles(run);
    case SCH_PRIMITIVE_TRIANGLE_STRIP:
        return expect_triangle_strip(run);
    case SCH_PRIMITIVE_TRIANGLE_FAN:
        return expect_fan(run);
    case SCH_PRIMITIVE_QUADS:
        return expect_quads(run);
    case SCH_PRIMITIVE_QUAD_STRIP:
        return expect_quad_strip(run);
    case SCH_PRIMITIVE_POLYGON:
        return expect_polygon(run);
    case SCH_PRIMITIVE_LINES_ADJACENCY:
        return expect_lines_adjacency(run);
    case SCH_PRIMITIVE_LINE_STRIP_ADJACENCY:
        return expect_line_strip_adjacency(run);
    case SCH_PRIMITIVE_TRIANGLES_ADJACENCY:
        return expect_triangles_adjacency(run);
    case SCH_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY:
        return expect_triangle_strip_adjacency(run);
    case SCH_PRIMITIVE_PATCHES:
        return expect_patches(run);
    }
}

/* The index that stands at place `at` of a draw, byte by byte; 0 behind the buffer. */
static uint32_t index_of(const struct sch_draw_vertices *draw, uint32_t at)
{
    const uint64_t byte = ((uint64_t)draw->start + at) * draw->index_bytes;
    uint32_t index = 0;
    if (byte + draw->index_bytes > draw->indices.bytes) return 0;
    memcpy(&index, draw->indices.data + byte, draw->index_bytes); /* little-endian, as buffers are */
    return index;
}

static uint32_t number_of(const struct sch_draw_vertices *draw, uint32_t at)
{
    return draw->index_bytes ? index_of(draw, at) + (uint32_t)draw->index_bias : draw->start + at;
}

static void expect_draw(struct reference *to, const struct sch_draw_vertices *draw,
                        const struct sch_assembly_options *options)
{
    to->count = to->complete = to->vertices = 0;
    assert_true(draw->count <= MOST_VERTICES);
    for (uint32_t instance = 0; instance < draw->instance_count; instance++) {
        uint32_t id = 0, begin = 0;
        memset(to->used, 0, draw->count * sizeof *to->used);
        for (uint32_t at = 0; at <= draw->count; at++) {
            bool ends = at == draw->count;
            if (!ends && draw->index_bytes && draw->restart) ends = index_of(draw, at) == draw->restart_index;
            if (!ends) continue;
            expect_run(&(struct run){.to = to,
                                     .draw = draw,
                                     .first_convention = options->first_provokes,
                                     .patch_vertices = options->patch_vertices,
                                     .instance = instance,
                                     .begin = begin,
                                     .n = at - begin,
                                     .id = &id});
            begin = at + 1;
        }
    }
}

/* ---- comparing ---- */

/* Invocations that chunks ask for, in a row, and the last chunk's vertices as places in it. */
struct log {
    uint32_t number[MOST_VERTICES * 8], instance[MOST_VERTICES * 8], count;
    uint32_t last[SCH_CHUNK_VERTICES];
    uint32_t of[MOST_VERTICES]; /* the invocation of each vertex of an instance, plus one */
    uint32_t of_instance;
};

static struct reference reference;
static struct log invoked;

static void describe(const struct sch_draw_vertices *draw, const struct sch_assembly_options *options)
{
    print_message("primitive %u count %u start %u bytes %u restart %d %x instances %u first %d share %d chunk %u\n",
                  draw->primitive, draw->count, draw->start, draw->index_bytes, draw->restart, draw->restart_index,
                  draw->instance_count, options->first_provokes, options->share, options->chunk_vertices);
}

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            describe(draw, options);                                                                                   \
            fail_msg("%s", #condition);                                                                                \
        }                                                                                                              \
    } while (0)

/* Without sharing a vertex of the draw is one invocation, whatever refers to it. */
static void require_invocation(const struct sch_draw_vertices *draw, const struct sch_assembly_options *options,
                               uint32_t instance, uint32_t vertex, uint32_t place)
{
    if (instance != invoked.of_instance) memset(invoked.of, 0, draw->count * sizeof *invoked.of);
    invoked.of_instance = instance;
    if (!invoked.of[vertex]) invoked.of[vertex] = place + 1;
    REQUIRE(invoked.of[vertex] == place + 1);
}

static void require_vertex(const struct sch_draw_vertices *draw, const struct sch_assembly_options *options,
                           const struct sch_assembled *chunk, uint32_t vertex, uint32_t instance, uint32_t expected)
{
    REQUIRE(vertex < chunk->vertex_count);
    REQUIRE(chunk->numbers[vertex] == number_of(draw, expected));
    REQUIRE(chunk->instances[vertex] == instance);
    if (!options->share) require_invocation(draw, options, instance, expected, invoked.last[vertex]);
}

static void require_primitive(const struct sch_draw_vertices *draw, const struct sch_assembly_options *options,
                              const struct sch_assembled *chunk, uint32_t n, const struct expected *expected)
{
    const struct sch_assembled_primitive *is = &chunk->primitives[n];
    for (unsigned i = 0; i < 3; i++)
        require_vertex(draw, options, chunk, is->vertex[i], expected->instance, expected->vertex[i]);
    require_vertex(draw, options, chunk, is->provoking, expected->instance, expected->provoking);
    REQUIRE(is->id == expected->id);
    REQUIRE(is->edges == expected->edges);
    REQUIRE(is->stipple_restarts == expected->stipple_restarts);
    REQUIRE(chunk->aside_count == expected->asides);
    for (uint32_t i = 0; i < expected->asides; i++)
        require_vertex(draw, options, chunk, chunk->aside[n * chunk->aside_count + i], expected->instance,
                       expected->aside[i]);
    REQUIRE(chunk->kind == (draw->primitive == SCH_PRIMITIVE_PATCHES ? SCH_ASSEMBLED_PATCH : expected->vertices));
}

/* Which invocations a chunk's vertices are. */
static void log_chunk(const struct sch_draw_vertices *draw, const struct sch_assembly_options *options,
                      const struct sch_assembly_cut *cut, const struct sch_assembled *chunk)
{
    static uint32_t now[SCH_CHUNK_VERTICES];
    for (uint32_t v = 0; v < chunk->vertex_count; v++) {
        if (v < cut->repeated) {
            now[v] = invoked.last[cut->repeated_from[v]];
            REQUIRE(invoked.number[now[v]] == chunk->numbers[v] && invoked.instance[now[v]] == chunk->instances[v]);
            continue;
        }
        assert_true(invoked.count < sizeof invoked.number / sizeof *invoked.number);
        invoked.number[invoked.count] = chunk->numbers[v];
        invoked.instance[invoked.count] = chunk->instances[v];
        now[v] = invoked.count++;
    }
    memcpy(invoked.last, now, chunk->vertex_count * sizeof *now);
}

/* A vertex is there once, unless another one took its place in the table: one that is equal modulo 2^15. */
static void require_shared(const struct sch_draw_vertices *draw, const struct sch_assembly_options *options,
                           const struct sch_assembled *chunk)
{
    for (uint32_t a = 0; a < chunk->vertex_count; a++)
        for (uint32_t b = 0; b < a; b++) {
            if (chunk->numbers[a] != chunk->numbers[b] || chunk->instances[a] != chunk->instances[b]) continue;
            uint32_t other = b + 1;
            while (other < a &&
                   (chunk->numbers[other] == chunk->numbers[a] || (chunk->numbers[other] - chunk->numbers[a]) % 0x8000))
                other++;
            REQUIRE(other < a);
        }
}

static uint32_t least_chunk(const struct sch_draw_vertices *draw, const struct sch_assembly_options *options)
{
    uint32_t unit = draw->primitive == SCH_PRIMITIVE_PATCHES ? options->patch_vertices : 6;
    uint32_t most = options->chunk_vertices ? options->chunk_vertices : SCH_CHUNK_VERTICES;
    return most < unit + 3 ? unit + 3 : most;
}

/* Returns the number of chunks. */
static uint32_t check(const struct sch_draw_vertices *draw, const struct sch_assembly_options *options,
                      struct sch_assembly_table *table, struct sch_assembled *chunk)
{
    struct sch_assembly assembly;
    struct sch_assembly_cut cut;
    uint32_t primitives = 0, records = 0, chunks = 0, invocations = 0;
    expect_draw(&reference, draw, options);
    invoked.count = 0;
    invoked.of_instance = UINT32_MAX;
    sch_assembly_begin(&assembly, draw, options);
    for (; sch_assembly_cut(&assembly, &cut); chunks++) {
        assert_int_equal(sch_assemble(&assembly, &cut, table, chunk), SCH_OK);
        REQUIRE(chunk->primitive_count == cut.records && cut.records);
        REQUIRE(chunk->vertex_count <= cut.vertices && cut.vertices <= least_chunk(draw, options));
        REQUIRE(options->share || chunk->vertex_count == cut.vertices);
        REQUIRE(cut.repeated <= SCH_CHUNK_REPEATED && (chunks || !cut.repeated));
        log_chunk(draw, options, &cut, chunk);
        for (uint32_t n = 0; n < chunk->primitive_count; n++) {
            REQUIRE(records < reference.count);
            require_primitive(draw, options, chunk, n, &reference.primitives[records++]);
        }
        if (options->share && draw->index_bytes) require_shared(draw, options, chunk);
        primitives += cut.primitives;
        invocations += cut.invocations;
    }
    REQUIRE(records == reference.count);
    REQUIRE(primitives == reference.complete);
    REQUIRE(invocations == reference.vertices);
    REQUIRE(options->share || invoked.count == reference.vertices);
    REQUIRE(!sch_assembly_cut(&assembly, &cut));
    return chunks;
}

static const uint32_t patch_sizes[] = {1, 3, 4, 32};

struct fixture {
    struct sch_assembly_table table;
    struct sch_assembled chunk;
};

static void open_fixture(struct fixture *f)
{
    sch_assembly_table_init(&f->table, &sch_allocator_libc);
    sch_assembled_init(&f->chunk, &sch_allocator_libc);
}

static void close_fixture(struct fixture *f)
{
    sch_assembly_table_release(&f->table);
    sch_assembled_release(&f->chunk);
}

static void check_chunks(struct fixture *f, const struct sch_draw_vertices *draw, uint32_t most)
{
    for (unsigned bits = 0; bits < 4; bits++)
        for (uint32_t size = 0; size <= most; size++)
            check(draw,
                  &(struct sch_assembly_options){.first_provokes = bits & 1,
                                                 .share = bits & 2,
                                                 .patch_vertices = patch_sizes[(draw->count + size) % 4],
                                                 .chunk_vertices = size},
                  &f->table, &f->chunk);
}

/* ---- tests ---- */

static void every_primitive(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    for (unsigned primitive = 0; primitive < SCH_PRIMITIVE_COUNT; primitive++)
        for (uint32_t count = 0; count < 28; count++)
            check_chunks(&f,
                         &(struct sch_draw_vertices){.primitive = primitive,
                                                     .start = count % 3 ? 5 : UINT32_MAX - 7,
                                                     .count = count,
                                                     .instance_count = 1 + count % 2},
                         count + 8);
    close_fixture(&f);
}

/* Indices of which about one in `gap` is the restart; the values repeat. */
static void make_indices(uint64_t *seed, uint8_t *bytes, uint32_t count, uint32_t index_bytes, uint32_t restart,
                         uint32_t gap)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)(random_number(seed) % 16);
        if (index_bytes > 1 && random_number(seed) % 4 == 0) index += 0x8000; /* the same place in the table */
        if (gap && random_number(seed) % gap == 0) index = restart;
        memcpy(bytes + (size_t)i * index_bytes, &index, index_bytes);
    }
}

/* Buffers end behind the indices, within them, or before them; restarts are all sorts of numbers. */
static void indices_and_restarts(void **state)
{
    (void)state;
    static const uint32_t restarts[] = {0xffffffff, 0xffff, 0xff, 0, 3};
    struct fixture f;
    uint64_t seed = 18;
    open_fixture(&f);
    for (unsigned round = 0; round < 2000; round++) {
        const uint32_t index_bytes = 1u << round % 3, count = (uint32_t)(random_number(&seed) % 40);
        const uint32_t restart = restarts[random_number(&seed) % 5], start = (uint32_t)(random_number(&seed) % 4);
        uint8_t *memory = malloc(4 * 64 + 1), *indices = memory + round % 2;
        make_indices(&seed, indices, start + count, index_bytes, restart, (uint32_t)(random_number(&seed) % 12));
        uint64_t bytes = (uint64_t)(start + count) * index_bytes;
        if (round % 4 == 3) bytes = random_number(&seed) % (bytes + 1);
        uint8_t *exact = malloc(bytes + 1); /* so that no other byte is read */
        memcpy(exact + 1, indices, bytes);
        const struct sch_draw_vertices draw = {.primitive = round / 3 % SCH_PRIMITIVE_COUNT,
                                               .start = start,
                                               .count = count,
                                               .instance_count = 1 + round % 3,
                                               .index_bytes = index_bytes,
                                               .indices = {exact + 1, bytes},
                                               .index_bias = (int32_t)(random_number(&seed) % 9) - 4,
                                               .restart = round % 5 != 0,
                                               .restart_index = restart};
        check_chunks(&f, &draw, (uint32_t)(random_number(&seed) % 48));
        free(exact);
        free(memory);
    }
    close_fixture(&f);
}

/* 0xffffffff is no index of 8 or 16 bits, and comparing comes before the base vertex (OpenGL 10.3.6). */
static void restart_is_compared_as_stored(void **state)
{
    (void)state;
    static const uint16_t words[] = {0, 1, 0xffff, 2, 3, 4};
    struct sch_draw_vertices draw = {.primitive = SCH_PRIMITIVE_POINTS,
                                     .count = 6,
                                     .instance_count = 1,
                                     .index_bytes = 2,
                                     .indices = {(const uint8_t *)words, sizeof words},
                                     .index_bias = 2,
                                     .restart = true,
                                     .restart_index = 0xffffffff};
    struct fixture f;
    open_fixture(&f);
    const struct sch_assembly_options options = {.share = true};
    assert_int_equal(check(&draw, &options, &f.table, &f.chunk), 1);
    assert_int_equal(f.chunk.primitive_count, 6);
    assert_int_equal(f.chunk.numbers[2], 0x10001);
    draw.restart_index = 0xffff;
    check(&draw, &options, &f.table, &f.chunk);
    assert_int_equal(f.chunk.primitive_count, 5);
    draw.restart_index = 2; /* index 2 itself, not 0 with its bias */
    check(&draw, &options, &f.table, &f.chunk);
    assert_int_equal(f.chunk.primitive_count, 5);
    assert_int_equal(f.chunk.numbers[0], 2);
    assert_int_equal(sch_assembly_base_vertex(&draw), 2);
    draw.index_bytes = 0;
    draw.start = 9;
    assert_int_equal(sch_assembly_base_vertex(&draw), 9);
    close_fixture(&f);
}

/* Restart runs that are longer than what is compared at once, of all sizes. */
static void long_runs(void **state)
{
    (void)state;
    struct fixture f;
    uint64_t seed = 7;
    uint8_t *indices = malloc(4 * 2000);
    open_fixture(&f);
    for (unsigned round = 0; round < 60; round++) {
        const uint32_t index_bytes = 1u << round % 3;
        make_indices(&seed, indices, 2000, index_bytes, 0xff, 100 + round * 7);
        const struct sch_draw_vertices draw = {.primitive = round % SCH_PRIMITIVE_COUNT,
                                               .start = round,
                                               .count = 1900,
                                               .instance_count = 1,
                                               .index_bytes = index_bytes,
                                               .indices = {indices, 2000 * (uint64_t)index_bytes},
                                               .restart = true,
                                               .restart_index = 0xff};
        for (unsigned bits = 0; bits < 4; bits++)
            check(&draw,
                  &(struct sch_assembly_options){.first_provokes = bits & 1,
                                                 .share = bits & 2,
                                                 .patch_vertices = 5,
                                                 .chunk_vertices = 50 + 17 * round},
                  &f.table, &f.chunk);
    }
    free(indices);
    close_fixture(&f);
}

/* The largest draws: chunks come one after the other, whatever the count is, and a draw without primitives ends. */
static void huge_counts(void **state)
{
    (void)state;
    struct sch_assembly assembly;
    struct sch_assembly_cut cut;
    struct fixture f;
    open_fixture(&f);
    for (unsigned primitive = 0; primitive < SCH_PRIMITIVE_COUNT; primitive++) {
        const struct sch_draw_vertices draw = {.primitive = primitive, .count = UINT32_MAX, .instance_count = 2};
        sch_assembly_begin(&assembly, &draw, &(struct sch_assembly_options){.patch_vertices = 32});
        uint64_t vertices = 0, chunks = 0;
        for (; sch_assembly_cut(&assembly, &cut) && cut.piece.instance == 0; chunks++) {
            assert_true(cut.vertices <= SCH_CHUNK_VERTICES);
            vertices += cut.invocations;
            if (chunks % 50000 == 7) assert_int_equal(sch_assemble(&assembly, &cut, &f.table, &f.chunk), SCH_OK);
        }
        assert_true(chunks >= UINT32_MAX / SCH_CHUNK_VERTICES);
        assert_true(vertices > UINT32_MAX - SCH_CHUNK_VERTICES * 2u);
    }
    const struct sch_draw_vertices none = {
        .primitive = SCH_PRIMITIVE_TRIANGLES, .count = 2, .instance_count = UINT32_MAX};
    sch_assembly_begin(&assembly, &none, &(struct sch_assembly_options){0});
    assert_false(sch_assembly_cut(&assembly, &cut));
    /* Behind the buffer all indices are restarts, which are not looked at one by one. */
    static const uint8_t indices[5] = {1, 2, 3, 0, 1};
    struct sch_draw_vertices restarts = {.primitive = SCH_PRIMITIVE_LINE_STRIP,
                                         .count = UINT32_MAX,
                                         .instance_count = 1,
                                         .index_bytes = 1,
                                         .indices = {indices, sizeof indices},
                                         .restart = true};
    sch_assembly_begin(&assembly, &restarts, &(struct sch_assembly_options){0});
    assert_int_equal(assembly.draw.count, sizeof indices);
    assert_true(sch_assembly_cut(&assembly, &cut));
    assert_int_equal(cut.primitives, 2);
    assert_false(sch_assembly_cut(&assembly, &cut));
    restarts.start = 6;
    sch_assembly_begin(&assembly, &restarts, &(struct sch_assembly_options){0});
    assert_false(sch_assembly_cut(&assembly, &cut));
    const struct sch_draw_vertices patches = {.primitive = SCH_PRIMITIVE_PATCHES, .count = 9, .instance_count = 1};
    sch_assembly_begin(&assembly, &patches, &(struct sch_assembly_options){.patch_vertices = 0});
    assert_false(sch_assembly_cut(&assembly, &cut));
    close_fixture(&f);
}

/* Chunks are full: so many vertices, of which so many are repeated, make so many chunks. */
static void full_chunks(void **state)
{
    (void)state;
    static const struct {
        enum sch_primitive primitive;
        uint32_t count, instances, chunk, chunks;
    } cases[] = {
        {SCH_PRIMITIVE_POINTS, 100, 1, 10, 10},
        {SCH_PRIMITIVE_POINTS, 3, 10, 10, 3},
        {SCH_PRIMITIVE_LINES, 100, 1, 11, 10},
        {SCH_PRIMITIVE_LINE_STRIP, 100, 1, 10, 11},             /* 1 repeated: 9 new ones a chunk */
        {SCH_PRIMITIVE_LINE_LOOP, 100, 1, 10, 13},              /* 2 repeated: 9 lines, then 8 a chunk */
        {SCH_PRIMITIVE_TRIANGLES, 30, 1, 9, 4},                 /* 3 a chunk */
        {SCH_PRIMITIVE_TRIANGLE_STRIP, 98, 1, 10, 12},          /* 2 repeated */
        {SCH_PRIMITIVE_TRIANGLE_FAN, 98, 1, 10, 12},            /* 2 repeated */
        {SCH_PRIMITIVE_TRIANGLE_FAN, 7, 2, 10, 2},              /* 7, and 3 of the next instance */
        {SCH_PRIMITIVE_POLYGON, 98, 1, 10, 12},                 /* 2 repeated */
        {SCH_PRIMITIVE_QUADS, 80, 1, 12, 7},                    /* 3 a chunk */
        {SCH_PRIMITIVE_QUAD_STRIP, 82, 1, 10, 10},              /* 2 repeated: 4 a chunk */
        {SCH_PRIMITIVE_LINES_ADJACENCY, 80, 1, 10, 10},         /* 2 a chunk */
        {SCH_PRIMITIVE_LINE_STRIP_ADJACENCY, 73, 1, 10, 10},    /* 3 repeated */
        {SCH_PRIMITIVE_TRIANGLES_ADJACENCY, 60, 1, 12, 5},      /* 2 a chunk */
        {SCH_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY, 84, 1, 19, 7}, /* 6 a chunk */
    };
    struct fixture f;
    open_fixture(&f);
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        const struct sch_draw_vertices draw = {
            .primitive = cases[n].primitive, .count = cases[n].count, .instance_count = cases[n].instances};
        const struct sch_assembly_options options = {.chunk_vertices = cases[n].chunk};
        assert_int_equal(check(&draw, &options, &f.table, &f.chunk), cases[n].chunks);
    }
    close_fixture(&f);
}

/* Epochs of the table come to an end and begin again. */
static void many_instances(void **state)
{
    (void)state;
    static const uint8_t indices[] = {0, 1, 0};
    const struct sch_draw_vertices draw = {.primitive = SCH_PRIMITIVE_TRIANGLES,
                                           .count = 3,
                                           .instance_count = 300000,
                                           .index_bytes = 1,
                                           .indices = {indices, 3}};
    struct sch_assembly assembly;
    struct sch_assembly_cut cut;
    struct fixture f;
    uint32_t instance = 0;
    open_fixture(&f);
    sch_assembly_begin(&assembly, &draw, &(struct sch_assembly_options){.share = true});
    while (sch_assembly_cut(&assembly, &cut)) {
        assert_int_equal(sch_assemble(&assembly, &cut, &f.table, &f.chunk), SCH_OK);
        for (uint32_t n = 0; n < f.chunk.primitive_count; n++, instance++) {
            const struct sch_assembled_primitive *is = &f.chunk.primitives[n];
            assert_int_equal(is->id, 0);
            assert_int_equal(is->vertex[0], 2 * n);
            assert_int_equal(is->vertex[1], 2 * n + 1);
            assert_int_equal(is->vertex[2], 2 * n);
            assert_int_equal(f.chunk.instances[2 * n], instance);
        }
    }
    assert_int_equal(instance, draw.instance_count);
    close_fixture(&f);
}

static enum sch_result assemble_first(const struct sch_draw_vertices *draw, struct fixture *f)
{
    struct sch_assembly assembly;
    struct sch_assembly_cut cut;
    sch_assembly_begin(&assembly, draw, &(struct sch_assembly_options){.share = true});
    assert_true(sch_assembly_cut(&assembly, &cut));
    return sch_assemble(&assembly, &cut, &f->table, &f->chunk);
}

/* Memory is kept from chunk to chunk, and a chunk that found none can be used again. */
static void without_memory(void **state)
{
    (void)state;
    static const uint8_t indices[6] = {0, 1, 2, 0, 2, 3};
    const struct sch_draw_vertices draw = {.primitive = SCH_PRIMITIVE_TRIANGLES,
                                           .count = 6,
                                           .instance_count = 1,
                                           .index_bytes = 1,
                                           .indices = {indices, 6}};
    struct sch_draw_vertices large = draw;
    large.instance_count = 10;
    struct counting counting = {0};
    const struct sch_allocator allocator = counting_callbacks(&counting);
    struct fixture f;
    sch_assembly_table_init(&f.table, &allocator);
    sch_assembled_init(&f.chunk, &allocator);
    for (long n = 1; n <= 2; n++) {
        counting.fail_at = counting.calls + n;
        assert_int_equal(assemble_first(&draw, &f), SCH_ERROR_MEMORY);
        sch_assembled_release(&f.chunk);
    }
    assert_int_equal(assemble_first(&draw, &f), SCH_OK);
    assert_int_equal(f.chunk.vertex_count, 4);
    const long calls = counting.calls;
    assert_int_equal(assemble_first(&draw, &f), SCH_OK);
    assert_int_equal(counting.calls, calls);
    counting.fail_at = calls + 1;
    assert_int_equal(assemble_first(&large, &f), SCH_ERROR_MEMORY);
    assert_int_equal(assemble_first(&draw, &f), SCH_OK);
    assert_int_equal(f.chunk.vertex_count, 4);
    assert_int_equal(assemble_first(&large, &f), SCH_OK);
    assert_int_equal(f.chunk.vertex_count, 40);
    sch_assembled_release(&f.chunk);
    sch_assembly_table_release(&f.table);
    assert_int_equal(counting.live, 0);
    assert_int_equal(assemble_first(&draw, &f), SCH_OK);
    assert_int_equal(f.chunk.vertex_count, 4);
    close_fixture(&f);
    assert_int_equal(counting.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_primitive),
        cmocka_unit_test(indices_and_restarts),
        cmocka_unit_test(restart_is_compared_as_stored),
        cmocka_unit_test(long_runs),
        cmocka_unit_test(full_chunks),
        cmocka_unit_test(huge_counts),
        cmocka_unit_test(many_instances),
        cmocka_unit_test(without_memory),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
