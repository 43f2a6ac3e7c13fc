/* What follows from the state of a draw alone: kept from draw to draw for as long as the state stays the same. Holds
 * nothing of vertices, bindings and buffers. */
#ifndef SCH_PIPELINE_DERIVED_H
#define SCH_PIPELINE_DERIVED_H

#include "pipeline/fragments.h"
#include "pipeline/front.h"
#include "pipeline/results.h"

struct sch_derived {
    /* What it was made of. */
    uint64_t number; /* of the state; 0: it is made again */
    bool live_feedback;

    struct sch_vertex_layout layout; /* of vertices that are rasterised */
    struct sch_results results;      /* of vertex programs */
    struct sch_front front;
    struct sch_fragments fragments;
    struct sch_exec_spans_memo memo; /* of `fragments` */
};

/* Makes it for a draw, if it is not that already. The history of a pixel has a state of its own, and knows the draw by
 * its vertices. */
void sch_derive(struct sch_derived *derived, const struct sch_draw_pipeline *draw,
                const struct sch_draw_vertices *vertices);

#endif
