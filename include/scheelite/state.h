/* Plain state of the pipeline: everything in a draw that is not a shader. Names and meanings are gallium's, in whose
 * terms TGSI's specification is written; docs/pipeline.md gives the rule for each member, with its clause of Direct3D
 * 11.3 or OpenGL 4.6. draw.h declares the handles and functions that use it. Every folder of src may include it.
 *
 * Example, with a context:
 *
 *     struct sch_blend_options options = {.size = sizeof options};
 *     struct sch_blend *over;
 *     if (sch_blend_options_default(&options) != SCH_OK) return 1;
 *     options.targets[0].enabled = true; // the source over the destination, with premultiplied alpha
 *     options.targets[0].color_source = options.targets[0].alpha_source = SCH_FACTOR_ONE;
 *     options.targets[0].color_destination = options.targets[0].alpha_destination = SCH_FACTOR_INV_SRC_ALPHA;
 *     if (sch_blend_create(context, &options, NULL, &over) != SCH_OK) return 1;
 *     sch_blend_destroy(over);
 */
#ifndef SCHEELITE_STATE_H
#define SCHEELITE_STATE_H

#include "types.h"

/* How many there may be of what a draw is given. */
enum {
    SCH_VERTEX_ELEMENTS = 32,
    SCH_VERTEX_BUFFERS = 32,
    SCH_COLOR_BUFFERS = 8,
    SCH_VIEWPORTS = 16,
    SCH_CLIP_PLANES = 8,
    SCH_CLIP_DISTANCES = 8, /* clip and cull distances together */
    SCH_STREAM_BUFFERS = 4,
    SCH_STREAM_OUTPUTS = 64,
    SCH_PATCH_VERTICES = 32,
    SCH_FRAMEBUFFER_SIDE = 16384,
    SCH_FRAMEBUFFER_LAYERS = 2048
};

/* ---- vertices ---- */

/* Where the register IN[n] of a vertex shader comes from: element n of an array with a stride. Components that the
 * format does not have are 0, the fourth 1 (of the format's type). */
struct sch_vertex_element {
    enum sch_format format; /* NONE: the register is not fed, and reads (0, 0, 0, 1) */
    uint32_t buffer;        /* of struct sch_draw_state.vertex_buffers */
    uint32_t offset;        /* bytes from the beginning of a vertex */
    uint32_t stride;        /* bytes from one vertex to the next; 0: all vertices read the same */
    /* 0: one for each vertex. Otherwise one for each `divisor` instances: instance i of a draw that starts at instance
     * s reads element s + i / divisor (OpenGL 10.4). */
    uint32_t divisor;
    /* 64-bit formats of three or four components whose bits the shader reads (R64G64B64_UINT, R64G64B64A64_UINT): the
     * third and fourth are in IN[n + 1], whose own element must be NONE. */
    bool two_registers;
};

/* ---- rasterizer ---- */

enum sch_face { SCH_FACE_FRONT = 1, SCH_FACE_BACK = 2 }; /* bits */
enum sch_fill { SCH_FILL_SOLID = 0, SCH_FILL_LINE = 1, SCH_FILL_POINT = 2 };
enum sch_sprite_origin { SCH_SPRITE_UPPER_LEFT = 0, SCH_SPRITE_LOWER_LEFT = 1 };
enum sch_conservative {
    SCH_CONSERVATIVE_OFF = 0,
    SCH_CONSERVATIVE_POST_SNAP = 1, /* of the snapped vertices (NV_conservative_raster) */
    SCH_CONSERVATIVE_PRE_SNAP = 2   /* as POST_SNAP, widened by what snapping may move */
};

/* The largest points and lines, in pixels. Sizes are clamped to the range from the least one to these; the least one,
 * and the difference from one to the next, is 1/256 pixel, or 1 pixel for aliased points and lines. */
enum { SCH_POINT_SIZE_MAX = 8192, SCH_LINE_WIDTH_MAX = 8192 };

/* How primitives become pixels (sch_rasterizer_create). Sizes are in pixels. Direct3D: see docs/pipeline.md. */
struct sch_rasterizer_options {
    size_t size;

    bool flatshade;                                /* COLOR inputs without a mode of interpolation are constant */
    bool flatshade_first;                          /* the provoking vertex is the first one, else the last */
    bool light_twoside;                            /* COLOR of back faces is the vertex's BCOLOR */
    bool clamp_vertex_color, clamp_fragment_color; /* to 0..1: COLOR and BCOLOR of vertices; colours of fragments */

    bool front_ccw;     /* front faces go round counter-clockwise, on a picture with its first row at the top */
    uint32_t cull_face; /* bits of enum sch_face */
    enum sch_fill fill_front, fill_back;
    bool offset_point, offset_line, offset_tri; /* offset depth of triangles that are filled so */
    float offset_units, offset_scale;
    float offset_clamp;         /* 0 or NaN: none */
    bool offset_units_unscaled; /* `offset_units` is a depth, not a multiple of the least difference */

    bool scissor;
    bool poly_smooth, poly_stipple_enable;

    float point_size;           /* in pixels, of points without PSIZE */
    bool point_size_per_vertex; /* PSIZE is used */
    bool point_smooth;
    bool point_quad_rasterization; /* points are sprites: exact squares, with coordinates across */
    bool point_tri_clip;           /* sprites are clipped by the viewport, as squares; else by their centre */
    uint32_t sprite_coord_enable;  /* bits: GENERIC or TEXCOORD inputs that sprites replace (sprite_coord_semantic) */
    enum sch_sprite_origin sprite_coord_mode;
    bool sprite_coord_generic; /* the bits name GENERIC inputs, else TEXCOORD */

    float line_width; /* in pixels */
    bool line_smooth;
    bool line_rectangular; /* single-sampled lines are rectangles */
    bool line_last_pixel;  /* the pixel of the last vertex is drawn, too */
    bool line_stipple_enable;
    uint16_t line_stipple_pattern;
    uint32_t line_stipple_factor; /* 1 to 256; 0 counts as 1 */

    bool multisample;            /* on a multisampled framebuffer: samples are covered one by one */
    bool force_persample_interp; /* fragment shaders run for each sample */
    bool half_pixel_center;      /* pixel centres are at 0.5, else at whole numbers */
    bool bottom_edge_rule;       /* what lies on a horizontal edge belongs to the triangle above, else below */
    enum sch_conservative conservative;
    float conservative_dilate; /* in pixels: 0, 0.25, 0.5 or 0.75 */

    bool rasterizer_discard; /* nothing is rasterised */
    bool depth_clip_near, depth_clip_far;
    bool depth_clamp;           /* depth is clamped to the viewport's range; else to 0..1 */
    bool clip_halfz;            /* z from 0 to w is inside, else from -w to w */
    uint32_t clip_plane_enable; /* bits: user clip planes, or clip distances of the shader, that are tested */
};

/* ---- depth, stencil, alpha ---- */

/* What becomes of a stored stencil value of 8 bits. */
enum sch_stencil_operation {
    SCH_STENCIL_KEEP = 0,
    SCH_STENCIL_ZERO = 1,
    SCH_STENCIL_REPLACE = 2,
    SCH_STENCIL_INCREMENT = 3, /* up to 255 */
    SCH_STENCIL_DECREMENT = 4, /* down to 0 */
    SCH_STENCIL_INCREMENT_WRAP = 5,
    SCH_STENCIL_DECREMENT_WRAP = 6,
    SCH_STENCIL_INVERT = 7
};

/* Closed: no other member will come. */
struct sch_stencil_face {
    bool enabled;
    enum sch_compare function; /* the reference, compared with what is stored; NONE is ARGUMENT where enabled */
    enum sch_stencil_operation fail, depth_fail, pass;
    uint8_t value_mask, write_mask;
};

/* Which fragments are dropped, and what depth and stencil are written (sch_depth_stencil_alpha_create). */
struct sch_depth_stencil_alpha_options {
    size_t size;
    bool depth_enabled, depth_writes;
    enum sch_compare depth_function; /* the fragment's depth, compared with what is stored */
    bool depth_bounds;               /* fragments whose stored depth is outside are dropped */
    float depth_bounds_min, depth_bounds_max;
    struct sch_stencil_face stencil[2]; /* of front faces and all else; of back faces, if [1] is enabled, else as [0] */
    bool alpha_enabled;
    enum sch_compare alpha_function; /* alpha of colour 0, compared with `alpha_reference` */
    float alpha_reference;
};

/* ---- blending ---- */

/* How the products of colours and factors are put together. */
enum sch_blend_equation {
    SCH_BLEND_ADD = 0,
    SCH_BLEND_SUBTRACT = 1,         /* source - destination */
    SCH_BLEND_REVERSE_SUBTRACT = 2, /* destination - source */
    SCH_BLEND_MIN = 3,              /* factors are not used */
    SCH_BLEND_MAX = 4
};

/* What a colour is multiplied by, with gallium's numbers. SRC1 is OUT[1], the second source of colour buffer 0. */
enum sch_blend_factor {
    SCH_FACTOR_ONE = 1,
    SCH_FACTOR_SRC_COLOR = 2,
    SCH_FACTOR_SRC_ALPHA = 3,
    SCH_FACTOR_DST_ALPHA = 4,
    SCH_FACTOR_DST_COLOR = 5,
    SCH_FACTOR_SRC_ALPHA_SATURATE = 6,
    SCH_FACTOR_CONST_COLOR = 7,
    SCH_FACTOR_CONST_ALPHA = 8,
    SCH_FACTOR_SRC1_COLOR = 9,
    SCH_FACTOR_SRC1_ALPHA = 10,
    SCH_FACTOR_ZERO = 17,
    SCH_FACTOR_INV_SRC_COLOR = 18,
    SCH_FACTOR_INV_SRC_ALPHA = 19,
    SCH_FACTOR_INV_DST_ALPHA = 20,
    SCH_FACTOR_INV_DST_COLOR = 21,
    SCH_FACTOR_INV_CONST_COLOR = 23,
    SCH_FACTOR_INV_CONST_ALPHA = 24,
    SCH_FACTOR_INV_SRC1_COLOR = 25,
    SCH_FACTOR_INV_SRC1_ALPHA = 26
};

/* Operations on source s and destination d, bit by bit. */
enum sch_logic_operation {
    SCH_LOGIC_CLEAR = 0,
    SCH_LOGIC_NOR = 1,
    SCH_LOGIC_AND_INVERTED = 2, /* ~s & d */
    SCH_LOGIC_COPY_INVERTED = 3,
    SCH_LOGIC_AND_REVERSE = 4, /* s & ~d */
    SCH_LOGIC_INVERT = 5,      /* ~d */
    SCH_LOGIC_XOR = 6,
    SCH_LOGIC_NAND = 7,
    SCH_LOGIC_AND = 8,
    SCH_LOGIC_EQUIV = 9,
    SCH_LOGIC_NOOP = 10,
    SCH_LOGIC_OR_INVERTED = 11, /* ~s | d */
    SCH_LOGIC_COPY = 12,
    SCH_LOGIC_OR_REVERSE = 13, /* s | ~d */
    SCH_LOGIC_OR = 14,
    SCH_LOGIC_SET = 15
};

/* Advanced equations (KHR_blend_equation_advanced), with gallium's numbers. */
enum sch_advanced_blend {
    SCH_ADVANCED_NONE = 0,
    SCH_ADVANCED_MULTIPLY,
    SCH_ADVANCED_SCREEN,
    SCH_ADVANCED_OVERLAY,
    SCH_ADVANCED_DARKEN,
    SCH_ADVANCED_LIGHTEN,
    SCH_ADVANCED_COLOR_DODGE,
    SCH_ADVANCED_COLOR_BURN,
    SCH_ADVANCED_HARD_LIGHT,
    SCH_ADVANCED_SOFT_LIGHT,
    SCH_ADVANCED_DIFFERENCE,
    SCH_ADVANCED_EXCLUSION,
    SCH_ADVANCED_HSL_HUE,
    SCH_ADVANCED_HSL_SATURATION,
    SCH_ADVANCED_HSL_COLOR,
    SCH_ADVANCED_HSL_LUMINOSITY
};

/* Closed: no other member will come. */
struct sch_blend_target {
    bool enabled;
    enum sch_blend_equation color_equation, alpha_equation;
    enum sch_blend_factor color_source, color_destination, alpha_source, alpha_destination;
    uint8_t color_mask; /* bits: red, green, blue, alpha are written */
};

/* How colours of fragments are put together with those of the framebuffer (sch_blend_create). */
struct sch_blend_options {
    size_t size;
    bool independent; /* targets[n] is of colour buffer n; else targets[0] is of all */
    struct sch_blend_target targets[SCH_COLOR_BUFFERS];
    bool logic_enabled; /* instead of blending; not on float and sRGB buffers */
    enum sch_logic_operation logic_operation;
    bool alpha_to_coverage, alpha_to_one;
    enum sch_advanced_blend advanced; /* instead of targets[0]'s equation */
};

/* ---- stream output ---- */

/* Words of an output register that are written to a buffer. Closed: no other member will come. */
struct sch_stream_output_register {
    uint32_t output; /* OUT[output] of the last stage before the rasterizer */
    uint8_t first_component, component_count;
    uint8_t buffer, stream;
    uint32_t offset; /* words from the beginning of a vertex in the buffer */
};

/* Which outputs of vertices are written to buffers (sch_stream_output_create). */
struct sch_stream_output_options {
    size_t size;
    uint32_t stride[SCH_STREAM_BUFFERS]; /* words of a vertex */
    uint32_t register_count;
    struct sch_stream_output_register registers[SCH_STREAM_OUTPUTS];
};

/* ---- what changes from draw to draw ---- */

/* Window = clip / w * scale + translate. Closed: no other member will come. */
struct sch_viewport {
    float scale[3], translate[3];
};

/* Pixels x with left <= x < right, and y with top <= y < bottom. Closed: no other member will come. */
struct sch_scissor {
    uint32_t left, top, right, bottom;
};

/* State that is set often. */
struct sch_dynamic_state {
    size_t size;
    uint32_t viewport_count; /* at least 1; a primitive that names another one takes the first */
    struct sch_viewport viewports[SCH_VIEWPORTS];
    struct sch_scissor scissors[SCH_VIEWPORTS]; /* of the viewport with the same number, where the rasterizer says so */
    float blend_color[4];
    uint8_t stencil_reference[2];          /* of front faces and all else, of back faces */
    float clip_planes[SCH_CLIP_PLANES][4]; /* dot product with CLIPVERTEX, or POSITION, at least 0: inside */
    uint32_t polygon_stipple[32];          /* rows from the top; the highest bit is the leftmost pixel */
    uint32_t sample_mask;                  /* bits: samples that are written; of several, or with Direct3D's programs */
    uint32_t min_samples;                  /* a fragment shader runs for at least so many samples; 0 or 1: one */
    float default_outer_levels[4], default_inner_levels[2];
    uint32_t patch_vertices;
};

/* ---- queries ---- */

/* What a query counts (docs/pipeline.md, "Queries"). */
enum sch_query_kind {
    SCH_QUERY_OCCLUSION_COUNTER = 0,
    SCH_QUERY_OCCLUSION_PREDICATE = 1,
    SCH_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE = 2,
    SCH_QUERY_TIMESTAMP = 3,
    SCH_QUERY_TIMESTAMP_DISJOINT = 4,
    SCH_QUERY_TIME_ELAPSED = 5,
    SCH_QUERY_PRIMITIVES_GENERATED = 6,
    SCH_QUERY_PRIMITIVES_EMITTED = 7,
    SCH_QUERY_SO_STATISTICS = 8,
    SCH_QUERY_SO_OVERFLOW_PREDICATE = 9,
    SCH_QUERY_SO_OVERFLOW_ANY_PREDICATE = 10,
    SCH_QUERY_GPU_FINISHED = 11,
    SCH_QUERY_PIPELINE_STATISTICS = 12,
    SCH_QUERY_PIPELINE_STATISTICS_SINGLE = 13
};

/* What SCH_QUERY_PIPELINE_STATISTICS counts, in this order. */
enum sch_statistic {
    SCH_STATISTIC_IA_VERTICES = 0,
    SCH_STATISTIC_IA_PRIMITIVES,
    SCH_STATISTIC_VS_INVOCATIONS,
    SCH_STATISTIC_GS_INVOCATIONS,
    SCH_STATISTIC_GS_PRIMITIVES,
    SCH_STATISTIC_C_INVOCATIONS, /* primitives that reach the clipper */
    SCH_STATISTIC_C_PRIMITIVES,  /* that leave it */
    SCH_STATISTIC_PS_INVOCATIONS,
    SCH_STATISTIC_HS_INVOCATIONS,
    SCH_STATISTIC_DS_INVOCATIONS,
    SCH_STATISTIC_CS_INVOCATIONS
};
enum { SCH_STATISTICS = 11 };

/* ---- pixel history ---- */

/* What changed a pixel. */
enum sch_pixel_event_kind {
    SCH_PIXEL_DRAW = 0, /* a primitive of a draw; where the program runs for each sample, one sample of it */
    SCH_PIXEL_CLEAR = 1,
    SCH_PIXEL_BLIT = 2,
    SCH_PIXEL_OTHER = 3 /* what no event explains: transfers, copies, mips, stores of shaders */
};

/* What became of a sample: what was first to keep it from being written. The order is that of docs/pipeline.md, "Order
 * of the output"; where tests come before the program, the three of depth and stencil come before DISCARDED. */
enum sch_pixel_outcome {
    SCH_PIXEL_NOT_COVERED = 0, /* the primitive covers other samples of the pixel */
    SCH_PIXEL_CULLED,          /* the primitive's face is culled; its samples are those that it would cover */
    SCH_PIXEL_SCISSOR,
    SCH_PIXEL_CLIP_DISTANCE, /* it is outside of a clip distance or a user plane */
    SCH_PIXEL_STIPPLE,       /* of a polygon or a line */
    SCH_PIXEL_SAMPLE_MASK,   /* of the dynamic state */
    SCH_PIXEL_DISCARDED,     /* by the program */
    SCH_PIXEL_PROGRAM_MASK,  /* SAMPLEMASK as the program wrote it */
    SCH_PIXEL_ALPHA_TO_COVERAGE,
    SCH_PIXEL_ALPHA_TEST,
    SCH_PIXEL_DEPTH_BOUNDS,
    SCH_PIXEL_STENCIL,
    SCH_PIXEL_DEPTH,
    SCH_PIXEL_UNFINISHED, /* the draw ended before: BUDGET, WORK and the like */
    SCH_PIXEL_PASSED
};

/* What was rasterised. */
enum sch_pixel_shape { SCH_PIXEL_POINT = 1, SCH_PIXEL_LINE = 2, SCH_PIXEL_TRIANGLE = 3 };

/* An event of a pixel's history. Members that do not concern its kind are 0. */
struct sch_pixel_event {
    size_t size;
    enum sch_pixel_event_kind kind;
    uint64_t label; /* as sch_pixel_history_set_label gave it */
    uint64_t call;  /* draws, clears and blits of the renderer before this one, since recording began */
    /* The colour buffer that the pixel belongs to; SCH_COLOR_BUFFERS: depth and stencil. BLIT, OTHER: 0, or that. */
    uint32_t buffer;
    enum sch_format color_formats[SCH_COLOR_BUFFERS]; /* of the framebuffer; NONE: it has no such buffer */
    enum sch_format depth_stencil_format;
    uint32_t samples; /* of the pixel */

    /* DRAW: what was drawn. */
    enum sch_primitive primitive; /* of the draw */
    uint32_t draw_id, instance;   /* DRAWID, INSTANCEID */
    uint32_t primitive_id;        /* the primitive's number in its instance: PRIM_ID, unless a shader writes that */
    enum sch_pixel_shape shape;   /* what was rasterised: LINE and POINT also of triangles that are not filled */
    bool back_face;
    uint32_t viewport;
    uint32_t vertices[3];  /* VERTEXID, in the order in which the primitive was assembled */
    uint32_t vertex_count; /* 0: not known, as of some pieces of clipped quadrilaterals and polygons, and of what
                              tessellation and geometry shaders make */
    uint32_t covered;      /* bits: samples that the primitive covers, whatever became of them */
    bool center_covered;   /* the pixel's centre is */
    bool per_sample;       /* the program runs for each sample: `covered` is the one that the event is of */
    uint32_t part;         /* smooth primitives: n/256 of the pixel are covered; others: 256 */

    /* DRAW: what the program wrote, if it ran for the pixel and did not discard it. Colours are bits of floats, or of
     * integers where the buffer has such. */
    bool ran;
    bool writes_depth, writes_stencil, writes_sample_mask;
    uint32_t color_writes; /* bits: of `colors` */
    union sch_color colors[SCH_COLOR_BUFFERS];
    float depth;
    uint32_t stencil, sample_mask;

    /* DRAW: the tests that the fragment was to pass, and when. */
    bool early_tests; /* depth bounds, stencil and depth before the program */
    bool alpha_test, depth_bounds_test, stencil_test, depth_test;
    enum sch_compare alpha_function, depth_function;
    float alpha_reference, depth_bounds_min, depth_bounds_max;
    struct sch_stencil_face stencil_face; /* of the fragment's face */
    uint8_t stencil_reference;

    /* DRAW: what becomes of colours that pass. */
    uint32_t blends; /* bits: buffers that are blended, or written by a logic operation */
    uint8_t
        color_masks[SCH_COLOR_BUFFERS]; /* bits: channels that are written; 0 also where the program has no colour */
};

/* What the buffers of a framebuffer hold for a sample. Closed: no other member will come. */
struct sch_pixel_values {
    uint8_t texels[SCH_COLOR_BUFFERS][16];     /* as in memory */
    union sch_color colors[SCH_COLOR_BUFFERS]; /* the same, decoded */
    double depth;
    uint8_t stencil;
};

/* A sample of an event. */
struct sch_pixel_sample {
    size_t size;
    enum sch_pixel_outcome outcome;
    bool has_depth; /* the depth test was reached: `depth` is the fragment's, as it was compared with before.depth: */
    double depth;   /* clamped, and rounded to what the buffer holds */
    struct sch_pixel_values before, after;
};

#endif
