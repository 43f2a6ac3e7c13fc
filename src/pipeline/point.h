/* Points: which samples they cover, and the coordinates across sprites. */
#ifndef SCH_PIPELINE_POINT_H
#define SCH_PIPELINE_POINT_H

#include "pipeline/triangle.h"

/* What is the same for all points of a draw. */
enum sch_point_shape {
    SCH_POINT_PIXELS, /* squares of whole pixels */
    SCH_POINT_SQUARE, /* exact squares */
    SCH_POINT_CIRCLE
};
struct sch_point_rules {
    uint8_t shape;         /* enum sch_point_shape */
    bool smooth;           /* coverage is a part of the pixel; CIRCLE */
    bool all_samples;      /* single-sampled rules on a multisampled framebuffer */
    bool bottom_edge_rule; /* OpenGL's y axis goes up in the window */
    bool lower_left;       /* the sprite's second coordinate is 0 at its lower edge */
    bool per_vertex;       /* the size is the vertex's */
    float size;            /* else this one */
    int32_t reach;         /* conservative rasterisation: sch_conservative_reach; else 0 */
};

void sch_point_rules(struct sch_point_rules *rules, const struct sch_rasterizer_options *options, uint32_t samples);

/* Sets up the point at `corner`, within the viewport's frame. `size` is the vertex's PSIZE, and is used if the rules
 * say so. `offset` is added to the depth (of corners of polygons). False: nothing is covered, and `primitive` is
 * undefined. The caller fills in back, viewport, layer, primitive_id and of.provoking. */
bool sch_point_setup(const struct sch_point_rules *rules, const struct sch_setup_viewport *viewport,
                     const struct sch_corner *corner, float size, double offset,
                     struct sch_raster_primitive *primitive);

#endif
