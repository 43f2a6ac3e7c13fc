/* What becomes of the registers of OUT of a stage before the rasterizer: words of vertices. */
#ifndef SCH_PIPELINE_RESULTS_H
#define SCH_PIPELINE_RESULTS_H

#include "exec/machine.h"
#include "pipeline/draw.h"
#include "pipeline/link.h"

/* The same for all vertices of a draw that a stage makes. */
struct sch_results {
    const struct sch_vertex_layout *layout; /* NULL: that of the draw's rasterised vertices, which the state enlarges */
    const struct sch_link_copy *copies;
    uint32_t copy_count;
    uint64_t clamped[SCH_LINK_COPIES / 64]; /* bits: copies that are colours to be clamped */
    uint64_t whole[SCH_LINK_COPIES / 64];   /* bits: copies that may write more than they have, all four words */
};

void sch_results_init(struct sch_results *results, const struct sch_draw_pipeline *draw, enum sch_stage stage);
/* For vertices of a stream other than 0. */
void sch_results_of_stream(struct sch_results *results, const struct sch_draw_pipeline *draw, unsigned number);

/* The present lanes of a group to vertices, of which each begins `words` words after the one before. */
void sch_results_store(const struct sch_results *results, const struct sch_exec_machine *machine, uint32_t words,
                       uint32_t *to);
/* One lane to one vertex. */
void sch_results_store_lane(const struct sch_results *results, const struct sch_exec_machine *machine, unsigned lane,
                            uint32_t *to);

#endif
