/* Line segments: which samples they cover, what changes along them, and where their stipple is. */
#ifndef SCH_PIPELINE_LINE_H
#define SCH_PIPELINE_LINE_H

#include "pipeline/triangle.h"

/* What is the same for all lines of a draw. */
struct sch_line_rules {
    const struct sch_ops *ops;
    bool rectangle;        /* else columns of pixels along the major axis */
    bool smooth;           /* coverage is a part of the pixel; `rectangle` is set */
    bool all_samples;      /* single-sampled rules on a multisampled framebuffer */
    bool last_pixel;       /* columns only */
    bool bottom_edge_rule; /* OpenGL's y axis goes up in the window */
    int32_t width;         /* columns: pixels; rectangles: sub-pixels */
    int32_t reach;         /* conservative rasterisation: sch_conservative_reach; else 0 */
    bool stippled;
    uint32_t stipple_factor, stipple_pattern;
};

void sch_line_rules(struct sch_line_rules *rules, const struct sch_ops *ops,
                    const struct sch_rasterizer_options *options, uint32_t samples);

/* Sets up the line from `a` to `b`, within the viewport's frame. The part of its length that is in `volume` is drawn, a
 * rectangle in sub-pixels with its sides; NULL: all. `start` is the corner that the stipple's counter
 * begins at, with the value `counter`: `a`, or the corner from which `a` was cut. `offset` is added to the depth (of
 * edges of polygons). False: nothing is covered, and `primitive` is undefined. The caller fills in back, viewport,
 * layer, primitive_id and of.provoking. */
bool sch_line_setup(const struct sch_line_rules *rules, const struct sch_setup_viewport *viewport,
                    const int32_t *volume, const struct sch_corner *a, const struct sch_corner *b,
                    const struct sch_corner *start, uint32_t counter, double offset,
                    struct sch_raster_primitive *primitive);

/* The stipple's counter after the line from `a` to `b`, which begins with `counter`. */
uint32_t sch_line_advance(const struct sch_line_rules *rules, uint32_t counter, const struct sch_corner *a,
                          const struct sch_corner *b);

#endif
