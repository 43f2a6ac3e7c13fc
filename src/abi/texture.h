/* What the texture unit is asked and what it reads: plain structs, shared by the code that builds them (src/texture),
 * the operations that read them (src/ops) and machine code that is made later. State that is constant per sampler and
 * view is in the key, so that a compiler can fold it; addresses and sizes are in the texture descriptor. */
#ifndef SCH_ABI_TEXTURE_H
#define SCH_ABI_TEXTURE_H

#include "isa/isa.h"

struct sch_lanes;

enum { SCH_MAX_LEVELS = 15 }; /* 16384 texels: levels 0 to 14 */

/* Which front-end's rules hold where they differ (docs/semantics.md). */
enum sch_texture_rules { SCH_RULES_TGSI, SCH_RULES_D3D, SCH_RULES_MAXWELL };

/* gallium's numbers. */
enum sch_wrap_mode {
    SCH_WRAPS_REPEAT,
    SCH_WRAPS_CLAMP,
    SCH_WRAPS_CLAMP_TO_EDGE,
    SCH_WRAPS_CLAMP_TO_BORDER,
    SCH_WRAPS_MIRROR_REPEAT,
    SCH_WRAPS_MIRROR_CLAMP,
    SCH_WRAPS_MIRROR_CLAMP_TO_EDGE,
    SCH_WRAPS_MIRROR_CLAMP_TO_BORDER
};

/* Constant state of one sampler and view. */
struct sch_sampler_key {
    uint16_t format; /* enum sch_format */
    uint8_t target;  /* enum sch_target of the view */
    uint8_t rules;   /* enum sch_texture_rules */
    uint8_t wrap[3]; /* s, t, r */
    uint8_t min_linear, mag_linear;
    uint8_t mip; /* 0 none, 1 nearest, 2 linear */
    uint8_t max_anisotropy;
    uint8_t unnormalized;
    uint8_t swizzle[4]; /* 0..3 components, 4 zero, 5 one */
};

/* State of a sampler that is data, not code. */
struct sch_sampler_values {
    float lod_bias, min_lod, max_lod;
    uint32_t border[4]; /* bits, in the format's type */
};

struct sch_texture_level {
    const uint8_t *texels;
    uint32_t width, height, depth; /* depth: texels of a 3-D level; layers otherwise */
    uint32_t row_bytes;
    uint64_t slice_bytes;
};

/* What a view shows. An unbound view has levels 0: every lookup gives 0, 0, 0, 0. */
struct sch_texture {
    uint32_t levels;
    uint32_t samples;
    struct sch_texture_level level[SCH_MAX_LEVELS];
};

/* How a lookup's level of detail is decided. */
enum sch_lod_mode { SCH_LOD_IMPLICIT, SCH_LOD_BIAS, SCH_LOD_EXPLICIT, SCH_LOD_ZERO, SCH_LOD_GRADIENTS };

/* One lookup of a group. Channels that the target or mode does not use may be NULL. */
struct sch_sample_request {
    uint8_t lod_mode;                      /* enum sch_lod_mode */
    bool quads;                            /* implicit LOD: lanes are quads; else derivatives are 0 */
    int8_t offset[3];                      /* texels, added before wrapping */
    const struct sch_lanes *coordinate[4]; /* s, t, r, q as floats; arrays: the layer follows the last axis */
    const struct sch_lanes *reference;     /* shadow targets */
    const struct sch_lanes *lod;           /* explicit LOD or bias */
    const struct sch_lanes *ddx[3], *ddy[3];
    const struct sch_lanes *mask; /* lanes 0 / all ones; other lanes load nothing and give 0 */
};

/* One texel fetch of a group: integer coordinates, no sampler. */
struct sch_fetch_request {
    int8_t offset[3];
    const struct sch_lanes *coordinate[3];
    const struct sch_lanes *level; /* or the sample of multisampled targets; NULL: 0 */
    const struct sch_lanes *mask;
};

/* result[0..3]: r, g, b, a of each lane after the view's swizzle. */
typedef void sch_sample_fn(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                           const struct sch_texture *texture, const struct sch_sample_request *request,
                           struct sch_lanes *const result[4]);
typedef void sch_fetch_fn(const struct sch_sampler_key *key, const struct sch_texture *texture,
                          const struct sch_fetch_request *request, struct sch_lanes *const result[4]);

#endif
