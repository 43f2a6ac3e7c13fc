/* What the parts of the peers test share: textures, combinations of state, points, and the OpenGL side's door. Knows
 * nothing of how either side answers. */
#ifndef SCH_TESTS_PEER_H
#define SCH_TESTS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scheelite/scheelite.h"

enum { PEER_SIDE = 16, PEER_POINTS = PEER_SIDE * PEER_SIDE, PEER_TEXTURE_LIMIT = 256 };

enum peer_kind { KIND_UNORM, KIND_SNORM, KIND_FLOAT, KIND_SRGB, KIND_UINT, KIND_SINT, KIND_DEPTH };

struct peer_format {
    const char *name;
    uint32_t internal, format, type; /* OpenGL's */
    unsigned bytes;
    enum peer_kind kind;
    float step; /* of UNORM, SNORM, sRGB, depth: between codes; of floats: relative */
};

/* Target of a lookup; `axes` are spatial (cubes: 3 of coordinates, 2 of filtering). */
struct peer_target {
    const char *name, *sampler; /* of GLSL, without i, u and Shadow */
    enum sch_target target;
    uint32_t gl;
    unsigned coordinates, axes;
    bool array, cube;
};

/* One texture on both sides: the same bytes, levels outermost. */
struct peer_texture {
    const struct peer_target *target;
    const struct peer_format *format;
    uint32_t width, height, depth, layers, levels; /* of cubes, faces count as layers */
    uint8_t *data;
    size_t bytes;
    size_t level_at[16];
    uint32_t (*texels)[4]; /* as fetched from ours: level_at / bytes of a texel is a level's first */
    uint32_t gl;
    struct sch_resource *resource;
    struct sch_view *view;
};

/* GLSL's functions. */
enum peer_lookup { LOOK_IMPLICIT, LOOK_BIAS, LOOK_LOD, LOOK_GRAD, LOOK_GATHER, LOOK_FETCH, LOOK_QUERY, LOOK_COUNT };

/* One combination. */
struct peer_case {
    uint32_t number;
    const struct peer_target *target;
    enum peer_lookup lookup;
    bool shadow, offset, seamless;
    bool per_pixel; /* LOD, bias or gradients differ in a quad */
    bool oblique;   /* derivatives along two axes at once */
    int32_t offsets[3];
    uint32_t component;
    struct peer_texture *texture;
    struct sch_sampler_options sampler;
};

struct peer_point {
    float at[4], reference, lod, ddx[3], ddy[3];
};

/* gl.c. False: the driver or what it needs is not there; `why` says what. */
bool gl_open(const char *driver, char *why, size_t room);
void gl_texture(struct peer_texture *texture);
/* False: the driver has no such lookup. */
bool gl_render(const struct peer_case *c, const struct peer_point *points, float (*answers)[4]);
void gl_close(void);

#endif
