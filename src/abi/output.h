/* What the output of fragments works on: keys with the state that is constant for a draw, values that change between
 * draws, and what the tests of a group answer. Plain structs, shared by the code that makes them (src/pipeline), the
 * operations that read them (src/ops/raster) and machine code. Holds no tiles and no addresses: operations work on
 * lanes, and who calls them loads and stores. docs/pipeline.md, "Depth and stencil" and "Blending", has the rules. */
#ifndef SCH_ABI_OUTPUT_H
#define SCH_ABI_OUTPUT_H

#include <stdbool.h>

#include <scheelite/state.h>

#include "abi/lanes.h"

enum {
    SCH_TEXEL_WORDS = 4, /* of the largest texel */
    SCH_DEPTH_WORDS = 2  /* of the largest texel of depth and stencil */
};

/* FS_DEPTH_LAYOUT: how the depth that a program writes compares with that of the primitive. */
enum sch_depth_layout {
    SCH_DEPTH_LAYOUT_GREATER = 2, /* or equal; so are the others */
    SCH_DEPTH_LAYOUT_LESS = 3,
    SCH_DEPTH_LAYOUT_UNCHANGED = 4
};

/* A texel of each lane: its bytes as little-endian words, as many as the format has; what is shorter than a word is in
 * its low bits, and the bits above are 0. */

/* ---- where texels are ---- */

/* A colour buffer, or depth and stencil: one level of a resource. Sample s of layer z is slice z * samples + s. */
struct sch_draw_target {
    uint8_t *texels; /* of its first layer; NULL: there is none */
    size_t row_bytes, slice_bytes;
    uint32_t width, height, layers, samples;
    uint16_t format; /* enum sch_format */
    uint8_t texel_bytes;
};

/* ---- colours ---- */

enum sch_merge_mode {
    SCH_MERGE_STORE, /* the source replaces the destination */
    SCH_MERGE_BLEND, /* equations and factors */
    SCH_MERGE_ADVANCED /* an equation of KHR_blend_equation_advanced */,
    SCH_MERGE_LOGIC /* an operation on bits */
};

/* Keys that have code of their own; 0: any other. */
enum sch_merge_constant {
    SCH_MERGE_CONSTANT_NONE,
#define MERGE(format, name, ...)      SCH_MERGE_CONSTANT_##format##_##name,
#define MERGE_ANY(format, color_mask) SCH_MERGE_CONSTANT_##format##_ANY,
#include "abi/merges.def"
#undef MERGE
#undef MERGE_ANY
};

/* How colours of fragments and a colour buffer become one (sch_color_key_of makes it). */
struct sch_color_key {
    uint16_t format;                        /* enum sch_format */
    uint8_t mode;                           /* enum sch_merge_mode */
    uint8_t color_mask;                     /* bits: red, green, blue, alpha are written; none: texels stay */
    uint8_t color_equation, alpha_equation; /* enum sch_blend_equation */
    uint8_t color_source, color_destination, alpha_source, alpha_destination; /* enum sch_blend_factor */
    uint8_t logic_operation;                                                  /* enum sch_logic_operation */
    uint8_t advanced;                                                         /* enum sch_advanced_blend */
    bool clamp;         /* source colours are clamped to 0..1 first */
    bool reads;         /* the result depends on the texel before, which must be loaded */
    uint8_t constant;   /* enum sch_merge_constant: what other members are */
    bool second_source; /* a factor reads the second source colour */
    bool d3d;           /* floats of 16 bits are rounded toward zero (D3D 3.2.2) */
    uint8_t unused;     /* 0: keys are compared as bytes */
};

struct sch_color_values {
    float constant[4]; /* of CONST_COLOR and CONST_ALPHA */
};

/* ---- depth and stencil ---- */

/* For a format without depth (stencil) `depth_test` and `depth_bounds` (`enabled` of both faces) are false, so that the
 * test passes (sch_depth_stencil_key_of makes it). */
struct sch_depth_stencil_key {
    uint16_t format; /* enum sch_format */
    bool depth_test, depth_writes, depth_bounds;
    bool single;                        /* depth is rounded to a float first, as POSITION's z is (D3D 16.3.1) */
    bool two_sided;                     /* stencil[1], enabled, is of back faces; else stencil[0] is of all */
    uint8_t depth_function;             /* enum sch_compare */
    float bounds_min, bounds_max;       /* of the stored depth */
    struct sch_stencil_face stencil[2]; /* of front faces and all else, of back faces */
};

struct sch_depth_stencil_values {
    uint8_t reference[2]; /* as `stencil` of the key */
};

/* Lanes, as bits; each of the mask is in one of these. */
struct sch_output_tests {
    uint32_t passed;
    uint32_t failed_bounds, failed_stencil, failed_depth;
};

#endif
