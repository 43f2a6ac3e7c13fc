/* What rasterisation works on: edge functions, what is interpolated over a primitive, colours, depth and stencil of a
 * framebuffer. Plain structs, shared by the code that sets them up (src/pipeline), the operations that read them
 * (src/ops/raster) and machine code that is made later. State that is constant for a draw is in keys, so that a
 * compiler can fold it. docs/pipeline.md says what each step means.
 *
 * Positions are in 1/256 pixel ("sub-pixels"): pixel x has its centre at 256 * x + 128. A block is 8 x 4 pixels; lanes
 * 4q to 4q + 3 are quad q, (0,0), (1,0), (0,1), (1,1); quads 0 to 3 of a block are its upper row. */
#ifndef SCH_ABI_RASTER_H
#define SCH_ABI_RASTER_H

#include <stdbool.h>

#include <scheelite/state.h>

#include "abi/lanes.h"

enum {
    SCH_SUBPIXELS = 256, /* of a pixel, along an axis */
    SCH_GROUP_QUADS = 8,
    SCH_BLOCK_WIDTH = 8,
    SCH_BLOCK_HEIGHT = 4,
    SCH_MAX_SAMPLES = 16,
    SCH_GUARD_BAND = 32768,      /* pixels: vertices are at most that far from 0 */
    SCH_UNCLIPPED_BAND = 1 << 20 /* pixels: how far from 0 the end of a line is known that is cut */
};

struct sch_ops;

/* A double of each lane. */
struct sch_double_lanes {
    alignas(64) double d[SCH_GROUP_LANES];
};

/* ---- clipping ---- */

/* What a vertex is outside of. A primitive whose vertices have no code but DISTANCES needs no cut; one whose vertices
 * have a code in common is invisible. */
enum {
    SCH_OUTSIDE_W = 1 << 0, /* w is less than 2^-126 */
    SCH_OUTSIDE_NEAR = 1 << 1,
    SCH_OUTSIDE_FAR = 1 << 2,
    SCH_OUTSIDE_X_MIN = 1 << 3, /* the guard band, of vertices without SCH_OUTSIDE_W */
    SCH_OUTSIDE_X_MAX = 1 << 4,
    SCH_OUTSIDE_Y_MIN = 1 << 5,
    SCH_OUTSIDE_Y_MAX = 1 << 6,
    SCH_OUTSIDE_PLANES = (1 << 7) - 1,
    SCH_OUTSIDE_DROP = 1 << 7,              /* primitives with this vertex are dropped: a NaN or an infinity */
    SCH_OUTSIDE_CUTS = (1 << 8) - 1,        /* all of the above */
    SCH_OUTSIDE_DISTANCES = 0xff << 8,      /* clip distances that are not at least 0 */
    SCH_OUTSIDE_CULL_DISTANCES = 0xff << 16 /* cull distances that are not at least 0 */
};

struct sch_viewport_key {
    bool window_space;                    /* the position is in the window already */
    bool depth_clip_near, depth_clip_far; /* of clip space */
    bool clip_halfz;
    bool half_pixel_center;
    bool cut;       /* vertices made by clipping: never outside, x and y are clamped to the guard band */
    bool unclipped; /* ends of lines before they are cut: the band is SCH_UNCLIPPED_BAND wide, and the only plane */
};

/* By lane. All but the codes are 0 in lanes with a code. */
struct sch_window_lanes {
    struct sch_lanes x, y;         /* int32: sub-pixels */
    struct sch_lanes z, inverse_w; /* float */
    struct sch_lanes codes;        /* of SCH_OUTSIDE_CUTS */
};

/* A vertex in the window, inside of the guard band. */
struct sch_window_vertex {
    int32_t x, y;    /* sub-pixels */
    float z;         /* window depth, not yet clamped */
    float inverse_w; /* 1 / w; window-space positions: w as written */
};

/* ---- vertices ---- */

/* A primitive of a chunk; a quadrilateral or polygon is several. */
struct sch_assembled_primitive {
    uint32_t vertex[3];    /* of the chunk; points and lines: the last one fills up */
    uint32_t provoking;    /* of the chunk; of quadrilaterals it may be none of these three */
    uint32_t id;           /* PRIM_ID */
    uint8_t edges;         /* bits: the edge from vertex[i] to the next is a boundary */
    bool stipple_restarts; /* the counter of the line stipple begins at 0; else it continues from the record before */
};

/* Triangles by what clipping has to do with them, as bits; the rest has nothing in the clip volume. */
struct sch_clip_masks {
    uint32_t whole; /* need no cut */
    uint32_t cut;
};

/* How the bytes of an attribute are read. */
enum sch_fetch_kind {
    SCH_FETCH_WORDS,   /* components of 32 bits, R first: as they are */
    SCH_FETCH_TEXEL,   /* as a texel of the format */
    SCH_FETCH_DOUBLES, /* doubles, rounded to floats */
    SCH_FETCH_LONGS    /* 64-bit integers, two words each */
};

/* An array of attributes of one format, `stride` bytes apart. */
struct sch_vertex_source {
    const uint8_t *data; /* element 0; NULL: no buffer is bound, and all components are 0 */
    uint64_t count;      /* elements from 0 on that are wholly inside of the buffer */
    uint64_t quick;      /* of those, as many as begin less than 2 GiB from `data` with 16 bytes to read */
    uint32_t stride;
    uint16_t format;
    uint8_t kind;       /* enum sch_fetch_kind */
    uint8_t components; /* that the format has: all but TEXEL */
    bool near;          /* count is not 0, and all that is inside is less than 2 GiB from `data` */
    bool second;        /* LONGS: the third and fourth component, else the first two */
    uint32_t one;       /* what a fourth component is that the format does not have */
};

/* ---- coverage ---- */

/* E(x, y) = c + a * x + b * y at a place in sub-pixels: a whole number below 2^53 everywhere in the guard band. Inside
 * where E + bias >= 0: the bias is -1 for edges whose own points do not belong to the primitive. */
struct sch_edge {
    int64_t c;
    int32_t a, b;
    int32_t bias;
};

/* Where the samples of a pixel are, from its centre, in sub-pixels. */
struct sch_sample_pattern {
    uint32_t samples;
    int32_t x[SCH_MAX_SAMPLES], y[SCH_MAX_SAMPLES];
    int32_t least[2], most[2]; /* of x, of y */
};

/* Blocks of a tile, 8 across and 16 down: bit 8 * (row % 4) + column of word row / 4. */
enum { SCH_TILE_SIDE = 64, SCH_TILE_BLOCKS = 128 };
struct sch_tile_blocks {
    uint32_t some[4]; /* may have covered samples; the others have none */
    uint32_t all[4];  /* all samples are covered */
};

/* A circle in sub-pixels, and how far a pixel reaches from its sample in halves of sub-pixels (0: not at all): inside
 * is where max(0, 2 * |x - center[0]| - reach)^2 + max(0, 2 * |y - center[1]| - reach)^2 <= diameter^2. */
struct sch_circle {
    int32_t center[2];
    int32_t diameter, reach;
};

/* The stipple of a line (OpenGL 14.5.2.1). The counter at (x, y) is first + floor(place / unit), where place is
 * c + a * x + b * y, a whole number below 2^53; bit floor(counter / factor) mod 16 of the pattern says whether the
 * place is drawn. */
struct sch_line_stipple {
    double place[3]; /* c, a, b; sub-pixels */
    double unit;
    uint32_t first, factor;
    uint32_t pattern;
};

/* ---- interpolation ---- */

/* How depth and attributes change over a primitive. Triangles: E1 and E2 are the edge functions opposite to vertices 1
 * and 2, E0 + E1 + E2 = A. Lines: E1 is the place along the segment, E2 is 0. Points: the place in the sprite from the
 * left and from the top. */
struct sch_interpolant {
    uint32_t vertex[3];  /* of the chunk, in the order of interpolation */
    uint32_t provoking;  /* of the chunk: whose constant attributes all fragments have */
    double e1[3], e2[3]; /* c, a, b; whole numbers, at places in sub-pixels */
    double area;         /* A */
    double inverse_area; /* 1 / A, correctly rounded */
    double depth[3];     /* z at vertex 0 with the offset, and what E1 and E2 are multiplied by */
    /* 1 / w. Where the three differ, `perspective`, they are scaled by a power of two, and the sum of the products
     * E_i * inverse_w[i] times `w_unit` is 1 / w at a place; otherwise they are as they were, and all attributes are
     * linear. */
    float inverse_w[3];
    uint32_t perspective; /* all bits, or none */
    double w_unit;
    float depth_min, depth_max; /* depth is clamped to these after the offset */
};

/* ---- primitives ---- */

/* What a viewport says for rasterisation. */
struct sch_setup_viewport {
    int32_t frame[4]; /* pixels of framebuffer and scissor, which points and lines may have */
    int32_t box[4];   /* pixels of framebuffer, viewport and scissor */
    int32_t bounds[4];
    bool fractional; /* as in struct sch_raster_primitive */
    float depth_min, depth_max;
};

/* What is the same for all triangles of a draw. */
struct sch_setup {
    const struct sch_ops *ops;
    bool front_ccw, bottom_edge_rule;
    uint8_t cull_face; /* bits of enum sch_face */
    bool smooth, all_samples, stippled;
    bool conservative;
    bool interpolates; /* else no more is made of what is interpolated than vertices */
    bool centers;     /* a pixel is covered or not, as its centre is; so coverage of small triangles is found at once */
    bool small_edges; /* edges of small triangles are wanted, too: `lanes` is not all that is asked of them */
    int32_t reach;    /* of a pixel's samples, or of its square, from its centre: in halves of sub-pixels */
    bool offset[3];   /* by enum sch_fill */
    bool offset_unscaled;
    double offset_units, offset_scale, offset_clamp; /* clamp 0: none */
    double depth_unit;                               /* r of OpenGL 14.6.5; 0: floats */
    struct sch_setup_viewport viewports[SCH_VIEWPORTS];
};

/* How a primitive's samples are found, within its box. */
enum sch_coverage {
    SCH_COVERAGE_EDGES, /* inside of all edges, of which there may be none: all but the next */
    SCH_COVERAGE_CIRCLE /* within a distance of a centre: multisampled and smooth points */
};

/* A primitive that is ready to be rasterised. What small ones have comes first: in one line of the cache, where
 * nothing is interpolated. */
struct sch_raster_primitive {
    uint8_t coverage; /* enum sch_coverage */
    uint8_t edge_count;
    uint8_t viewport;
    uint8_t distances; /* bits: clip distances that are tested at each sample */
    bool back;         /* of a back face */
    bool smooth;       /* coverage is a part n/256 of the pixel, and goes to alpha */
    bool all_samples;  /* coverage of the centre is that of all samples */
    bool is_point, is_triangle;
    bool stippled;      /* polygon stipple */
    bool line_stippled; /* `stipple` */
    bool fractional;
    uint32_t primitive_id; /* PRIM_ID */
    int32_t box[4]; /* pixels: left, top, right, bottom; the last two are outside. Inside of scissor and framebuffer */
    uint16_t layer;
    bool small;     /* a triangle whose coverage `lanes` says, too; of centres, but for its clip distances */
    uint8_t strict; /* bits: of `distances`, those that must be greater than 0 */
    uint32_t lanes; /* small: of the 8 x 4 pixels from the quad on that the box begins in; those of the box alone */
    struct sch_interpolant of; /* what is interpolated */
    struct sch_edge edges[4];  /* small: may be missing (struct sch_setup) */
    union {
        struct sch_circle circle;
        struct sch_line_stipple stipple;
        /* Triangles: the edges of the viewport in sub-pixels; samples before the first two or at the last two are not
         * covered. Only where `fractional`: otherwise the box says it. */
        int32_t bounds[4];
    };
};

/* ---- values ---- */

/* Weights of attributes: a = (l1 * (a1 - a0) + a0) + l2 * (a2 - a0). */
struct sch_weights {
    struct sch_lanes l1, l2;
};

/* The quads of a group. Those that are not used have some valid primitive, too; where all are of one, only quad 0 has
 * it, with its vertices. */
enum { SCH_QUAD_PROVOKING = 3, SCH_QUAD_VERTICES };
struct sch_quads {
    bool same;  /* all are of one primitive: that of quad 0, the only one */
    bool block; /* they are those of a block, each in its place */
    uint16_t layer[SCH_GROUP_QUADS];
    int32_t x[SCH_GROUP_QUADS], y[SCH_GROUP_QUADS];    /* upper left pixel */
    const struct sch_interpolant *of[SCH_GROUP_QUADS]; /* the primitive's */
    /* The words of its vertices, in the order of interpolation, and of its provoking vertex. */
    const uint32_t *vertex[SCH_GROUP_QUADS][SCH_QUAD_VERTICES];
};

/* Where lanes are evaluated: `uniform` at an offset from the centres of their pixels, else where x and y say; signed
 * sub-pixels. */
struct sch_lane_places {
    bool uniform;
    int32_t offset[2];
    struct sch_lanes x, y;
};

/* How POSITION is given. */
struct sch_position_key {
    bool lower_left;     /* y counts upwards from the bottom of a framebuffer of `height` pixels */
    bool integer_center; /* pixel centres are whole numbers */
    bool d3d; /* z is not clamped, and w is the reciprocal of the 1/w that is interpolated (D3D 16.3.1, 16.3) */
    uint32_t height;
};

#endif
