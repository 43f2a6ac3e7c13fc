/* The last step of a draw: chunks of shaded vertices are clipped and set up, sorted into tiles, and their fragments
 * shaded. */
#ifndef SCH_PIPELINE_DRAWING_H
#define SCH_PIPELINE_DRAWING_H

#include "pipeline/derived.h"
#include "pipeline/draw_context.h"

struct sch_drawing {
    struct sch_draw_context *context;
    const struct sch_front *front;
    const struct sch_fragments *fragments;
    struct sch_generation *generation; /* the present one */
    uint32_t stipple;                  /* the counter of the line stipple */
    bool may_wait;                     /* fragments of a single chunk are left to the draw */
    bool waits;                        /* and were, of the present generation */
    struct sch_bins bins;
};

/* Begins a draw. `parts` are as many as a generation has chunks. */
void sch_drawing_begin(struct sch_drawing *drawing, struct sch_draw_context *context, const struct sch_derived *derived,
                       struct sch_bin_part *parts);
/* A step (draw_context.h), whose own is the drawing. */
enum sch_result sch_drawing_take(struct sch_draw_context *context, const struct sch_step *step,
                                 struct sch_generation *generation);

/* Lists what waits in its tiles. False: no memory, or it is more than bins have at once. */
bool sch_drawing_list(struct sch_drawing *drawing, struct sch_generation *generation);
/* Shades what waits. */
enum sch_result sch_drawing_settle(struct sch_drawing *drawing, struct sch_generation *generation);

#endif
