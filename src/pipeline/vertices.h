/* The vertices of a draw as a source of work (exec/source.h): a group is 32 vertices of a chunk. */
#ifndef SCH_PIPELINE_VERTICES_H
#define SCH_PIPELINE_VERTICES_H

#include "exec/source.h"
#include "pipeline/chunk.h"
#include "pipeline/fetch.h"
#include "pipeline/results.h"

/* What all vertices of a draw have in common. */
struct sch_shading {
    const struct sch_draw_pipeline *draw;
    const struct sch_draw_vertices *vertices;
    struct sch_fetch fetch;
    const struct sch_results *results;
};

void sch_shading_init(struct sch_shading *shading, const struct sch_draw_pipeline *draw,
                      const struct sch_draw_vertices *vertices, const struct sch_results *results);

/* Shades the vertices of chunks that are assembled and have room for them; those that are repeated are there. */
enum sch_result sch_shading_run(const struct sch_shading *shading, struct sch_chunk *chunks, uint32_t chunk_count,
                                const struct sch_run_options *options, struct sch_run_report *report);

#endif
