/* Small draws that follow each other with the same state, bindings and buffers are joined: they are assembled into one
 * chunk and are one draw from then on, so that groups of vertices are full, and what is done once for a draw is done
 * once for all of them. Nothing shows that: they may wait, which is what their caller has said, the primitives of the
 * chunk are in the order of the draws, and their vertices know nothing of the draw that is not equal. Holds how draws
 * are compared, and what is kept of them; how they are drawn is the draw's to say (pipeline/draw.c). */
#ifndef SCH_PIPELINE_JOINING_H
#define SCH_PIPELINE_JOINING_H

#include "pipeline/bound.h"
#include "pipeline/draw_context.h"
#include "pipeline/fetch.h"

enum {
    SCH_JOINED_VERTICES = 512,                 /* of all draws that are joined, at most, and as many primitives */
    SCH_JOINED_SMALL = SCH_JOINED_VERTICES / 2 /* of one */
};

struct sch_joining {
    uint32_t draws;                    /* 0: none wait */
    struct sch_draw_pipeline *draw;    /* of all; its fetcher, bindings and buffers are those that follow */
    struct sch_draw_vertices vertices; /* of the first draw */
    struct sch_run_options options;    /* of the last draw */
    uint64_t allowed;                  /* nanoseconds, of all draws together, if they have deadlines */
    struct sch_draw_counts *counts;
    uint64_t primitives;
    struct sch_draw_memory buffers[SCH_VERTEX_BUFFERS];
    struct sch_fetcher fetcher;
    struct sch_bound bound[SCH_STAGE_COUNT]; /* of vertices and fragments */
};

/* Whether others may join the draw, as far as what its vertices read shows; its fragments may wait. */
bool sch_joining_allows(const struct sch_draw_pipeline *draw);

/* Begins with a draw that others may join, and keeps what its pipeline points at of its caller's. False: no memory. */
bool sch_joining_begin(struct sch_joining *joining, const struct sch_draw_context *context,
                       struct sch_draw_pipeline *draw);

/* Whether a draw may join: nothing but its vertices differs from those that are joined. */
bool sch_joining_fits(const struct sch_joining *joining, const struct sch_draw_pipeline *draw,
                      const struct sch_draw_vertices *vertices, const struct sch_run_options *options,
                      const struct sch_draw_counts *counts);

/* One more draw, with these options. */
void sch_joining_add(struct sch_joining *joining, const struct sch_run_options *options, uint64_t primitives);

/* The options of all draws together. */
struct sch_run_options sch_joining_options(const struct sch_joining *joining);

void sch_joining_release(struct sch_joining *joining, struct sch_scratch *scratch);

#endif
