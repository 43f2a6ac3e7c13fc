/* What is between the steps of a draw: shaded vertices in chunks, corners in the window, and primitives that are
 * ready to be rasterised. Plain structs; holds no state of the pipeline (include/scheelite/state.h) and no step. */
#ifndef SCH_PIPELINE_PRIMITIVE_H
#define SCH_PIPELINE_PRIMITIVE_H

#include "abi/raster.h"

/* Where a shaded vertex has what, in words; the same for all vertices of a draw. NONE: it is not there. Attributes are
 * what fragment shaders read, four words each, from `attributes` on. */
enum { SCH_VERTEX_NONE = UINT16_MAX };
struct sch_vertex_layout {
    uint16_t words;                                                /* of a vertex: a multiple of 4 */
    uint16_t position;                                             /* clip space; four words */
    uint16_t clip_distance, cull_distance;                         /* first word */
    uint8_t clip_distances, cull_distances;                        /* how many */
    bool user_distances;                                           /* clip distances are from user planes */
    uint16_t clip_vertex;                                          /* CLIPVERTEX; four words */
    uint16_t viewport_mask;                                        /* one word; counts instead of `viewport` */
    uint16_t point_size, layer, viewport, edge_flag, primitive_id; /* one word each */
    uint16_t attributes, attribute_count;
};

/* A corner of a primitive in the window. */
struct sch_corner {
    int32_t x, y;    /* sub-pixels, inside of the guard band */
    float z;         /* window depth, not yet clamped */
    float inverse_w; /* 1 / w; window-space positions: w as written */
    uint32_t vertex; /* of the chunk */
};

/* Vertices of a chunk: those that the draw has, and after them those that clipping makes. Vertex v begins at
 * words + v * layout->words. */
struct sch_vertices {
    const struct sch_vertex_layout *layout;
    uint32_t *words;
    struct sch_window_vertex *corners; /* of the draw's vertices, where codes allow it; and codes: sch_clip_vertices */
    uint32_t *codes;
    uint32_t any_codes; /* those that some vertex has */
    bool culled;        /* cull distances have been tested, of whole polygons */
    uint32_t count, capacity;
};

#endif
