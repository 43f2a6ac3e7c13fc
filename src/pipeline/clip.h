/* From shaded vertices to corners in the window: clip and cull distances, clip codes, cutting primitives at the planes
 * of the clip volume and the guard band, viewport and layer of a primitive. docs/pipeline.md ("Clipping and viewport")
 * has the rules. Holds no setup of what is rasterised. */
#ifndef SCH_PIPELINE_CLIP_H
#define SCH_PIPELINE_CLIP_H

#include "ops/ops.h"
#include "pipeline/link.h"

/* Three corners, and one more for each of the seven planes; two in reserve, since places are rounded. */
enum { SCH_CLIP_CORNERS = 12 };

/* What is constant for a draw. Points to the dynamic state that it was made from. */
struct sch_clip_state {
    const struct sch_ops *ops;
    struct sch_viewport_key key;
    const struct sch_viewport *viewports;
    uint32_t viewport_count;
    bool several_viewports; /* vertices name theirs */
    uint32_t layers;        /* of the framebuffer */
    const float (*planes)[4];
    uint32_t user_planes;    /* bits: planes whose distances sch_clip_vertices computes */
    uint32_t distances;      /* bits: clip distances that are enabled */
    uint32_t cull_distances; /* bits: cull distances, all that there are */
    bool relative_layer;
    bool bottom_edge_rule;
    bool line_sides, point_sides;   /* lines, points are clipped by the sides of the view volume */
    bool line_pixels, point_pixels; /* they are bounded by the viewport's pixels instead */
    bool hides_new_edges;           /* of outlines: D3D 15.13 */
    bool any_linear;
    bool linear[2 * SCH_LINK_REGISTERS];  /* attributes that change linearly in the window (LINEAR), and are cut so */
    uint8_t read[2 * SCH_LINK_REGISTERS]; /* components of attributes that fragments read; vertices may lack others */
};

/* The layout of a draw's vertices: the link's, and after it the distances from user clip planes, if they are enabled
 * and the program has no clip distances of its own. */
void sch_clip_layout(const struct sch_link *link, const struct sch_rasterizer_options *rasterizer,
                     struct sch_vertex_layout *layout);

/* `layout` is what sch_clip_layout made of the same link and rasterizer. */
void sch_clip_state_init(struct sch_clip_state *state, const struct sch_ops *ops, const struct sch_link *link,
                         const struct sch_vertex_layout *layout, const struct sch_rasterizer_options *rasterizer,
                         const struct sch_dynamic_state *dynamic, uint32_t layers);

/* Distances from user planes, codes and corners of the shaded vertices. */
void sch_clip_vertices(const struct sch_clip_state *state, struct sch_vertices *vertices);

/* A primitive after clipping. */
struct sch_clipped {
    uint32_t count; /* corners */
    struct sch_corner corners[SCH_CLIP_CORNERS];
    uint32_t edges;     /* of triangles. Bit i: the edge from corner i to the one after it is drawn where polygons are
                     * outlines; corner i, where they are points */
    uint32_t distances; /* bits: clip distances that must be tested at each sample; at all others it is inside */
    uint32_t strict;    /* bits: of those, where a sample at distance 0 is outside */
    bool empty;         /* it only touches a plane from outside: a primitive without samples */
    uint32_t viewport, layer;
};

enum sch_clip_result {
    SCH_CLIP_NOTHING, /* nothing is left */
    SCH_CLIP_WHOLE,   /* the corners are the vertices */
    SCH_CLIP_CUT,
    SCH_CLIP_FULL /* `vertices` has no room for SCH_CLIP_CORNERS more: nothing was done */
};

/* Bits: the viewports that a primitive is drawn in, one after the other; by its provoking vertex. */
uint32_t sch_clip_viewports(const struct sch_clip_state *state, const struct sch_vertices *vertices,
                            uint32_t provoking);

/* The layer of a primitive in viewport 0. */
uint32_t sch_clip_layer(const struct sch_clip_state *state, const struct sch_vertices *vertices, uint32_t provoking);

/* A primitive in one of its viewports. The provoking vertex has the layer; it stays that of all pieces. Bit i of
 * `edges`: the edge from vertex i to the next is drawn (edge flags). Cut primitives have new vertices, after the
 * others. */
enum sch_clip_result sch_clip_triangle(const struct sch_clip_state *state, struct sch_vertices *vertices,
                                       const uint32_t vertex[3], uint32_t provoking, uint32_t viewport, uint32_t edges,
                                       struct sch_clipped *clipped);
enum sch_clip_result sch_clip_line(const struct sch_clip_state *state, struct sch_vertices *vertices,
                                   const uint32_t vertex[2], uint32_t provoking, uint32_t viewport,
                                   struct sch_clipped *clipped);
enum sch_clip_result sch_clip_point(const struct sch_clip_state *state, const struct sch_vertices *vertices,
                                    uint32_t vertex, uint32_t viewport, struct sch_clipped *clipped);

/* Where vertices are that the sides of the view volume clip. This is for the sides alone: cutting at the other planes
 * is for all primitives. */
enum sch_clip_sides {
    SCH_CLIP_INSIDE,
    SCH_CLIP_CROSSES, /* some are outside, and not all of the same side */
    SCH_CLIP_OUTSIDE
};
enum sch_clip_sides sch_clip_sides(const struct sch_vertices *vertices, const uint32_t *vertex, uint32_t count);

/* Where a line's vertices are in the window without clipping: the count of stipples goes by that. An end that is after
 * the eye, or too far away, is where the line was cut. `clipped` NULL: nothing is left of the line; without both places
 * the ends are one. */
void sch_clip_ends(const struct sch_clip_state *state, const struct sch_vertices *vertices, const uint32_t vertex[2],
                   uint32_t viewport, const struct sch_clipped *clipped, struct sch_corner ends[2]);

/* The triangles that a clipped triangle consists of, all with the orientation of the whole; answers how many. */
uint32_t sch_clip_pieces(const struct sch_clipped *clipped, struct sch_corner pieces[SCH_CLIP_CORNERS - 2][3]);

#endif
