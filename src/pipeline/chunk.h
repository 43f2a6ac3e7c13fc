/* A part of a draw on its way from vertices to primitives. Holds no step of the way. */
#ifndef SCH_PIPELINE_CHUNK_H
#define SCH_PIPELINE_CHUNK_H

#include <string.h>

#include "pipeline/assemble.h"
#include "pipeline/bin.h"
#include "pipeline/primitive.h"
#include "pipeline/scratch.h"

struct sch_chunk {
    struct sch_assembly_cut cut;
    struct sch_assembled assembled;
    struct sch_vertices vertices;
    struct sch_scratch_array words, corners, codes; /* memory of `vertices` */
    struct sch_scratch_array records;               /* struct sch_raster_primitive */
    uint32_t record_count;
    struct sch_scratch_array tiles; /* struct sch_bin_tiles, of the records */
    struct sch_bin_extent extent;
    uint64_t clipped; /* primitives after clipping */
    enum sch_result status;
    uint8_t apart[64]; /* two threads count in two chunks: not in one line of the cache */
};

/* Room for `capacity` vertices; those that there are stay, also where their words are borrowed. False: no memory. */
static inline bool sch_chunk_reserve(struct sch_chunk *chunk, struct sch_scratch *scratch, uint32_t capacity)
{
    struct sch_vertices *vertices = &chunk->vertices;
    const size_t bytes = (size_t)vertices->layout->words * sizeof *vertices->words, kept = vertices->count;
    const bool borrowed = vertices->words != chunk->words.data;
    if (capacity <= vertices->capacity) return true;
    if (!sch_scratch_grow(scratch, &chunk->words, capacity * bytes, borrowed ? 0 : kept * bytes) ||
        !sch_scratch_grow(scratch, &chunk->corners, capacity * sizeof *vertices->corners,
                          kept * sizeof *vertices->corners) ||
        !sch_scratch_grow(scratch, &chunk->codes, capacity * sizeof *vertices->codes, kept * sizeof *vertices->codes))
        return false;
    if (borrowed && kept) memcpy(chunk->words.data, vertices->words, kept * bytes);
    vertices->words = chunk->words.data;
    vertices->corners = chunk->corners.data;
    vertices->codes = chunk->codes.data;
    vertices->capacity = capacity;
    return true;
}

/* Room for so many vertices, whose words are in memory of somebody else, and for no more. */
static inline bool sch_chunk_borrow(struct sch_chunk *chunk, struct sch_scratch *scratch, uint32_t *words,
                                    uint32_t capacity)
{
    struct sch_vertices *vertices = &chunk->vertices;
    if (!sch_scratch_reserve(scratch, &chunk->corners, capacity, sizeof *vertices->corners) ||
        !sch_scratch_reserve(scratch, &chunk->codes, capacity, sizeof *vertices->codes))
        return false;
    vertices->words = words;
    vertices->corners = chunk->corners.data;
    vertices->codes = chunk->codes.data;
    vertices->capacity = capacity;
    return true;
}

static inline void sch_chunk_release(struct sch_chunk *chunk, struct sch_scratch *scratch)
{
    sch_assembled_release(&chunk->assembled);
    sch_scratch_free(scratch, &chunk->words);
    sch_scratch_free(scratch, &chunk->corners);
    sch_scratch_free(scratch, &chunk->codes);
    sch_scratch_free(scratch, &chunk->records);
    sch_scratch_free(scratch, &chunk->tiles);
}

#endif
