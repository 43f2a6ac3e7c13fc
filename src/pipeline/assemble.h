/* Primitive assembly: from the vertices or indices of a draw to chunks of vertices and primitives that refer to them
 * (docs/pipeline.md, "Assembly"). Holds no attributes (pipeline/fetch.h) and nothing of what primitives cover.
 *
 * A draw is cut into chunks one after the other (sch_assembly_cut: cheap), and any thread may then assemble any of them
 * (sch_assemble). Where the cuts are depends on the draw and the size of chunks alone. */
#ifndef SCH_PIPELINE_ASSEMBLE_H
#define SCH_PIPELINE_ASSEMBLE_H

#include "base/allocator.h"
#include "pipeline/draw.h"

enum {
    SCH_CHUNK_VERTICES = 32768, /* of a chunk, at most */
    SCH_CHUNK_REPEATED = 8      /* vertices that a chunk has from the one before, at most */
};

enum sch_assembled_kind {
    SCH_ASSEMBLED_POINT = 1, /* as many vertices as the number says */
    SCH_ASSEMBLED_LINE = 2,
    SCH_ASSEMBLED_TRIANGLE = 3,
    SCH_ASSEMBLED_PATCH = 4
};

/* What the triangles of a quadrilateral or polygon know of the whole. */
enum sch_polygon_face {
    SCH_POLYGON_OWN, /* as the triangle's own area says */
    SCH_POLYGON_FRONT,
    SCH_POLYGON_BACK,
    SCH_POLYGON_CULLED /* by a cull distance */
};

struct sch_assembly_options {
    bool first_provokes; /* flatshade_first */
    bool share;          /* a vertex that several primitives refer to is shaded once: the program has no side effects */
    bool single;         /* each chunk is one unit: what it gives may be read for the next one */
    uint32_t patch_vertices; /* PATCHES: of a patch, at most SCH_PATCH_VERTICES; 0: there are no patches */
    uint32_t chunk_vertices; /* 0: SCH_CHUNK_VERTICES, which is the most */
};

/* A place in the row of a draw's primitives: unit `unit` of the run of vertices that begins at vertex `run`. */
struct sch_assembly_place {
    uint32_t instance;
    uint32_t primitive_id; /* of the unit */
    uint64_t run, unit;
};

/* A run of vertices, or a part of it. */
struct sch_assembly_piece {
    uint32_t instance, primitive_id;
    uint64_t run, unit, units;
    uint64_t low, high; /* vertices of the run that it refers to */
    bool has_first;     /* and the first one, too, which is below `low` */
    bool closes;        /* its last unit is the line from the last vertex to the first */
    bool ends;          /* its last unit is the run's last */
};

/* A draw that is being cut. */
struct sch_assembly {
    struct sch_draw_vertices draw;
    struct sch_assembly_options options;
    uint32_t first, step;         /* pipeline/primitives.def */
    uint64_t indices;             /* that lie wholly in the buffer, from its beginning on */
    struct sch_assembly_place at; /* where the next chunk begins */
    uint32_t last_vertices;       /* of the chunk before */
    uint64_t last_low, last_high; /* vertices of the run that it ends with */
    bool last_has_first;          /* with the run's first vertex before them */
};

/* A chunk of a draw: what it will have. */
struct sch_assembly_cut {
    struct sch_assembly_piece piece; /* the first one, mostly the only one */
    struct sch_assembly_place next;  /* where the second one begins, if there is one */
    uint32_t pieces;
    uint32_t vertices; /* at most; without sharing so many */
    uint32_t records;  /* of struct sch_assembled_primitive */
    /* What the chunk adds to statistics. Vertices count as they are transferred, each once, those of incomplete
     * primitives not at all: what IA_VERTICES and VS_INVOCATIONS count. Primitives: IA_PRIMITIVES. */
    uint32_t invocations, primitives;
    /* Without sharing the first vertices of the chunk are those of the chunk before with these numbers: they are not
     * shaded again. */
    uint32_t repeated;
    uint32_t repeated_from[SCH_CHUNK_REPEATED];
};

/* A chunk. */
struct sch_assembled {
    struct sch_allocator allocator;
    void *memory; /* that the arrays are in */
    size_t memory_bytes;

    uint8_t kind; /* enum sch_assembled_kind, of all primitives */
    /* EDGEFLAG of vertices counts, too: an edge is a boundary if that of its first vertex is not 0. */
    bool vertex_edge_flags;
    bool polygons; /* several triangles are one quadrilateral or polygon: up to where stipple_restarts is set again */
    uint32_t vertex_count;
    uint32_t *numbers;   /* of each vertex: VERTEXID */
    uint32_t *instances; /* INSTANCEID */
    uint32_t primitive_count;
    struct sch_assembled_primitive *primitives;
    /* Vertices of each primitive: beyond the ends of its line or its triangle's edges; of a patch: all. */
    uint32_t aside_count;
    uint32_t *aside;
    uint32_t *places; /* scratch */
    uint8_t *faces;   /* of polygons: enum sch_polygon_face of each of `primitives`, which setup finds */
};

/* What finds vertices that several primitives refer to; one for each thread that assembles. */
struct sch_assembly_table {
    struct sch_allocator allocator;
    uint64_t *entries;
    uint32_t epoch;
};

/* Begins a draw, whose primitive and sizes of indices and patches are right. */
void sch_assembly_begin(struct sch_assembly *assembly, const struct sch_draw_vertices *draw,
                        const struct sch_assembly_options *options);

/* The next chunk; false: there are no more. */
bool sch_assembly_cut(struct sch_assembly *assembly, struct sch_assembly_cut *cut);

/* Assembles a chunk; reads the draw's indices. MEMORY: nothing is there. `table` is used with sharing only. */
enum sch_result sch_assemble(const struct sch_assembly *assembly, const struct sch_assembly_cut *cut,
                             struct sch_assembly_table *table, struct sch_assembled *chunk);

/* The same for several draws, which are one chunk: begins it, with room for so many vertices and records of all; says
 * whether another draw's primitives can be in it, too; and adds those of a draw's chunk. False: no memory. */
bool sch_assembled_begin(struct sch_assembled *chunk, const struct sch_assembly *assembly, uint32_t vertices,
                         uint32_t records);
bool sch_assembled_continues(const struct sch_assembled *chunk, const struct sch_assembly *assembly);
enum sch_result sch_assemble_more(const struct sch_assembly *assembly, const struct sch_assembly_cut *cut,
                                  struct sch_assembly_table *table, struct sch_assembled *chunk);

/* Room for so many vertices and primitives, with `aside_count` vertices each; false: no memory. */
bool sch_assembled_reserve(struct sch_assembled *chunk, uint32_t vertices, uint32_t primitives);

/* The primitives of a strip of its own, whose vertices follow each other in a chunk from `first` on: POINTS, LINE_STRIP
 * or TRIANGLE_STRIP. Answers how many; there are no more than vertices. */
uint32_t sch_assemble_strip(enum sch_primitive primitive, bool first_provokes, uint32_t first, uint32_t count,
                            uint32_t id, struct sch_assembled_primitive *made);
uint32_t sch_assembly_strip_primitives(enum sch_primitive primitive, uint32_t vertices);

/* BASEVERTEX: VERTEXID_NOBASE is VERTEXID minus this, modulo 2^32. */
static inline uint32_t sch_assembly_base_vertex(const struct sch_draw_vertices *draw)
{
    return draw->index_bytes ? (uint32_t)draw->index_bias : draw->no_base ? 0 : draw->start;
}

void sch_assembled_init(struct sch_assembled *chunk, const struct sch_allocator *allocator);
void sch_assembled_release(struct sch_assembled *chunk);
void sch_assembly_table_init(struct sch_assembly_table *table, const struct sch_allocator *allocator);
void sch_assembly_table_release(struct sch_assembly_table *table);

#endif
