/* Patches between the stages of tessellation: those of a generation that are on their way, what control shaders make of
 * them, and the points of their domains as a source of work. Holds nothing of how a domain is divided
 * (pipeline/tessellate.h) and no order of steps (pipeline/tessellation.h). */
#ifndef SCH_PIPELINE_PATCHES_H
#define SCH_PIPELINE_PATCHES_H

#include "exec/source.h"
#include "pipeline/draw_context.h"
#include "pipeline/results.h"
#include "pipeline/tessellate.h"

/* A patch as it was assembled, and how many points and primitives become of it. */
struct sch_patch {
    const struct sch_chunk *chunk;
    uint32_t number; /* of the chunk's primitives */
    uint32_t points, primitives;
};

/* Patches that are tessellated together. */
struct sch_patches {
    const struct sch_draw_pipeline *draw;
    struct sch_patch *patch;
    uint32_t count;
    uint64_t first;          /* of the generation */
    uint32_t input_vertices; /* of a patch of the draw */
    /* What evaluation shaders read: the vertices of a patch and their words, and the words of the patch. */
    uint32_t vertices, vertex_words;
    uint32_t *of_vertices; /* that a control shader has written; NULL: those of the draw */
    uint32_t *of_patches;
    uint32_t patch_stride; /* words from patch to patch; 0: all have the same, which are the default levels */
};

static inline const struct sch_assembled_primitive *sch_patch_primitive(const struct sch_patch *patch)
{
    return &patch->chunk->assembled.primitives[patch->number];
}

/* Words of vertex `vertex` of the assembled patch. */
static inline const uint32_t *sch_patch_input(const struct sch_patch *patch, uint32_t vertex)
{
    const struct sch_assembled *assembled = &patch->chunk->assembled;
    const struct sch_vertices *vertices = &patch->chunk->vertices;
    const uint32_t at = assembled->aside[(size_t)patch->number * assembled->aside_count + vertex];
    return vertices->words + (size_t)at * vertices->layout->words;
}

/* Words of patch `number`: SCH_LINK_OUTER and the others of pipeline/link.h. */
static inline const uint32_t *sch_patch_words(const struct sch_patches *patches, uint32_t number)
{
    return patches->of_patches + (size_t)number * patches->patch_stride;
}

/* Runs the control shader on all patches: each is a group. */
enum sch_result sch_patches_control(const struct sch_patches *patches, const struct sch_run_options *options,
                                    struct sch_run_report *report);

/* A patch whose points are vertices of a chunk. */
struct sch_domain_piece {
    uint32_t patch;
    uint32_t first;  /* vertex of the chunk */
    uint32_t points; /* of the chunk's: of the first vertex; equal patches share them */
};

/* What chunks of tessellated vertices have beside their vertices. */
struct sch_domain {
    struct sch_chunk *chunk;
    struct sch_domain_piece *pieces; /* in the order of the patches; those that are discarded have none */
    uint32_t piece_count;
    const struct sch_tess_point *points;
};

/* Runs the evaluation shader on all vertices of chunks, which have room for them. */
enum sch_result sch_patches_evaluate(const struct sch_patches *patches, const struct sch_tess_mode *mode,
                                     const struct sch_domain *domains, uint32_t count,
                                     const struct sch_run_options *options, struct sch_run_report *report);

#endif
