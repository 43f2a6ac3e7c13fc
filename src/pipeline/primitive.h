/* What stands between the steps of a draw: shaded vertices in chunks, corners in the window, and primitives that are
 * ready to be rasterised. Plain structs; holds no state of the pipeline (pipeline/state.h) and no step. */
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

/* Vertices of a chunk: those that the draw has, and behind them those that clipping makes. Vertex v begins at
 * words + v * layout->words. */
struct sch_vertices {
    const struct sch_vertex_layout *layout;
    uint32_t *words;
    struct sch_corner *corners; /* of the draw's vertices, where codes allow it; and their codes: sch_clip_vertices */
    uint32_t *codes;
    uint32_t count, capacity;
};

/* How a primitive's samples are found, within its box. */
enum sch_coverage {
    SCH_COVERAGE_EDGES, /* inside of all edges, of which there may be none: all but the next */
    SCH_COVERAGE_CIRCLE /* within a distance of a centre: multisampled and smooth points */
};

/* A primitive that is ready to be rasterised. */
struct sch_raster_primitive {
    uint8_t coverage; /* enum sch_coverage */
    uint8_t edge_count;
    bool back;        /* of a back face */
    bool smooth;      /* coverage is a part n/256 of the pixel, and goes to alpha */
    bool all_samples; /* coverage of the centre is that of all samples */
    bool is_point, is_triangle;
    bool stippled;      /* polygon stipple */
    bool line_stippled; /* `stipple` */
    uint8_t viewport;
    uint8_t distances; /* bits: clip distances that are tested at each sample */
    uint16_t layer;
    uint32_t primitive_id; /* PRIM_ID */
    int32_t box[4]; /* pixels: left, top, right, bottom; the last two are outside. Inside of scissor and framebuffer */
    /* Triangles: the edges of the viewport in sub-pixels; samples before the first two or at the last two are not
     * covered. Only where `fractional`: otherwise the box says it. */
    int32_t bounds[4];
    bool fractional;
    struct sch_edge edges[4];
    union {
        struct sch_circle circle;
        struct sch_line_stipple stipple;
    };
    struct sch_interpolant of; /* what is interpolated */
};

#endif
