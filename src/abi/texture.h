/* Requests to the texture unit, and what it reads: plain structs, shared by the code that builds them (src/texture,
 * src/exec), the operations that read them (src/ops) and machine code that is made later. State that is constant per
 * sampler and view is in the key, so that a compiler can fold it; addresses and sizes are in the texture descriptor.
 * What lookups mean: docs/texture.md. */
#ifndef SCH_ABI_TEXTURE_H
#define SCH_ABI_TEXTURE_H

#include "abi/texel_tiles.h"
#include "isa/isa.h"

struct sch_lanes;

enum { SCH_MAX_LEVELS = 15 }; /* 16384 texels: levels 0 to 14 */

/* Constant state of one sampler and view. */
struct sch_sampler_key {
    uint16_t format; /* enum sch_format of the view */
    uint8_t target; /* enum sch_target of the lookup, never a SHADOW one: those are the plain target and a comparison */
    uint8_t rules;  /* enum sch_rules */
    uint8_t wrap[3]; /* s, t, r */
    uint8_t min_linear, mag_linear;
    uint8_t mip;            /* 0 none, 1 nearest, 2 linear */
    uint8_t max_anisotropy; /* 1..16; 0 counts as 1 */
    uint8_t unnormalized;
    uint8_t swizzle[4]; /* 0..3 components, 4 zero, 5 one */
    uint8_t compare;    /* enum sch_compare; 0 unless the lookup compares */
    uint8_t reduction;  /* enum sch_reduction */
    uint8_t seamless;   /* cubes; D3D rules: always */
};

/* State of a sampler that is data, not code. */
struct sch_sampler_values {
    float lod_bias, min_lod, max_lod;
    uint32_t border[4]; /* bits, in the format's type: floats, or integers for integer formats */
};

struct sch_texture_level {
    uint8_t *texels;               /* of the view's first layer; written by image stores only */
    uint32_t width, height, depth; /* in texels; depth: of a 3-D level, else 1 */
    uint32_t row_bytes;
    uint64_t slice_bytes; /* from one slice, layer or sample to the next */
    uint32_t *decoded;    /* NULL, or the tiles of a resource that is kept decoded (abi/texel_tiles.h) */
};

/* What a view shows. An unbound view has levels 0: every lookup gives 0, 0, 0, 0. */
struct sch_texture {
    uint32_t levels;
    uint32_t layers;  /* faces count; 1 for targets without layers */
    uint32_t samples; /* at least 1. Slice of layer l and sample s: l * samples + s */
    float min_lod;    /* counts from the view's first level */
    struct sch_texture_level level[SCH_MAX_LEVELS];
};

/* How a lookup's level of detail is decided. */
enum sch_lod_mode { SCH_LOD_IMPLICIT, SCH_LOD_BIAS, SCH_LOD_EXPLICIT, SCH_LOD_ZERO, SCH_LOD_GRADIENTS };

/* One lookup of a group. Pointers to lanes that the target or mode does not use may be NULL. */
struct sch_sample_request {
    uint8_t lod_mode;                      /* enum sch_lod_mode; of gathers: not used */
    bool quads;                            /* implicit derivatives: lanes are quads; else derivatives are 0 */
    bool biased;                           /* GRADIENTS: `lod` is a bias too */
    uint8_t component;                     /* gathers: 0..3, before the view's swizzle */
    const struct sch_lanes *coordinate[4]; /* floats: the target's spatial axes (cubes: x, y, z), then the layer */
    const struct sch_lanes *reference;     /* where key->compare */
    const struct sch_lanes *lod;           /* explicit LOD or bias */
    const struct sch_lanes *min_lod;       /* the instruction's clamp; NULL: none */
    const struct sch_lanes *ddx[3], *ddy[3];
    const struct sch_lanes *offset[4][3]; /* integers, texels, by axis; NULL: 0. Lookups use [0]; gathers one for each
                                             result component when `offsets` is 4 */
    uint8_t offsets;                      /* 0, 1 or 4 */
    const struct sch_lanes *mask;         /* lanes 0 / all ones; other lanes give 0, and read nothing
                                             but texels of the view if anything */
    struct sch_texture_trace *trace;      /* NULL except for the traced operations */
    struct sch_texel_tiles *tiles; /* the thread's (abi/texel_tiles.h); of formats of compressed blocks not NULL */
};

/* One texel fetch of a group: integer coordinates, no sampler. */
struct sch_fetch_request {
    const struct sch_lanes *coordinate[4]; /* the target's axes, then the layer */
    const struct sch_lanes *level;         /* or the sample of multisampled targets; NULL: 0 */
    const struct sch_lanes *offset[3];     /* NULL: 0 */
    const struct sch_lanes *mask;
    struct sch_texture_trace *trace;
    struct sch_texel_tiles *tiles; /* as of samples */
    /* Other threads store texels at the same time; compiled lookups do not ask (ops/texture/texel.c). */
    bool concurrent;
};

/* One store of a group to level 0 of an image, lanes ascending. value[c]: r, g, b, a in the format's type. */
struct sch_image_request {
    const struct sch_lanes *coordinate[4]; /* integers: the target's axes, then the layer; cubes: x, y, face (layer) */
    const struct sch_lanes *sample;        /* multisampled targets; NULL: 0 */
    const struct sch_lanes *mask;
    bool concurrent; /* other threads access the texels at the same time */
};

/* Texels of one row of a level, which have their blocks from `texels` on: which one, lane by lane. Lanes after the
 * first `count` read nothing. In formats of compressed blocks: `y`, the row in its blocks; `width`, the level's; and
 * `tiles`. */
struct sch_texel_row {
    const uint8_t *texels;
    const struct sch_lanes *x;
    uint32_t count;
    uint32_t y, width;
    struct sch_texel_tiles *tiles;
};

/* Several texels of a level for each lane, of which a mean is made: columns times rows. How often a texel counts is the
 * product of its column's and its row's weight; `total` is the sum of these products. Weights of columns are at most
 * 2^14, products of column and row at most 2^42. */
enum { SCH_MEAN_COLUMNS = 3, SCH_MEAN_ROWS = 16 };
struct sch_mean {
    const struct sch_lanes *x[SCH_MEAN_COLUMNS], *weight[SCH_MEAN_COLUMNS];
    struct {
        const uint8_t *texels;
        int64_t weight;
    } row[SCH_MEAN_ROWS];
    unsigned columns, rows;
    int64_t total;
};

/* result[0..3]: r, g, b, a of each lane after the view's swizzle; of LOD queries x, y and two zeros. */
typedef void sch_sample_fn(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                           const struct sch_texture *texture, const struct sch_sample_request *request,
                           struct sch_lanes *const result[4]);
typedef void sch_fetch_fn(const struct sch_sampler_key *key, const struct sch_texture *texture,
                          const struct sch_fetch_request *request, struct sch_lanes *const result[4]);
typedef void sch_image_store_fn(const struct sch_sampler_key *key, const struct sch_texture *texture,
                                const struct sch_image_request *request, const struct sch_lanes *const value[4]);
/* The number of each lane's texel, counted through rows, slices and layers from the level's first; all ones where the
 * lane is off the mask or the texel outside. For atomics: an image has fewer than 2^32 - 1 texels. */
typedef void sch_image_texel_fn(const struct sch_sampler_key *key, const struct sch_texture *texture,
                                const struct sch_image_request *request, struct sch_lanes *texel);

/* What moves texels without a shader. Components are those of stores: of depth and stencil formats depth in R (as a
 * float) and stencil in G. Writes are of the components whose bits are set; the others keep theirs. They are of `count`
 * texels, at most a group, in formats that have blocks of one texel. Means are of formats without integers, encoded in
 * the same format. */
typedef void sch_texels_read_fn(unsigned format, const struct sch_texel_row *row, struct sch_lanes *const component[4]);
typedef void sch_texels_write_fn(unsigned format, unsigned components, uint8_t *texels, uint32_t count,
                                 const struct sch_lanes *const component[4]);
typedef void sch_texels_mean_fn(unsigned format, unsigned components, const struct sch_mean *mean, uint8_t *texels,
                                uint32_t count);

/* What the traced operations (struct sch_ops, `traced`) write down beside their result. */
enum { SCH_TRACE_TEXELS = 512 }; /* of one lane: 16 taps, two levels, 8 texels, twice for luck */
struct sch_trace_texel {
    uint32_t lane, level, tap;
    uint32_t x, y, z;  /* in the level; z: slice of a 3-D level, else of layers (6 * cube + face) and their samples */
    bool border;       /* the border colour stands for it: x, y, z are not meant */
    float weight;      /* in its tap: 0..1 (1 for gathers and fetches) */
    uint32_t value[4]; /* decoded r, g, b, a bits; of comparisons the result, in [0] */
};
struct sch_trace_lane {
    bool active;
    uint32_t texels;       /* read; border colours do not count */
    uint32_t taps;         /* of anisotropy; else 1 */
    int32_t face;          /* of a cube; else -1 */
    int32_t layer;         /* chosen; -1: the target has none */
    float ddx[3], ddy[3];  /* in texels of level 0, as rho takes them */
    float lod_computed;    /* before biases */
    float lod_biased, lod; /* before and after the clamps */
    bool magnified;
    uint32_t level[2];  /* the second: mip linear */
    float level_weight; /* of the second */
};
struct sch_texture_trace {
    struct sch_trace_lane lane[32];
    uint32_t texel_capacity; /* 0: texels are only counted */
    uint32_t texel_count;
    struct sch_trace_texel *texels; /* those beyond the capacity are dropped */
};

#endif
