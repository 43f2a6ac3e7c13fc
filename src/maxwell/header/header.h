/* Maxwell's texture headers and samplers (32 bytes each) as the texture unit understands them, and the memory that
 * headers point into. Their fields are rows of src/isa/maxwell_headers.def. */
#ifndef SCH_MAXWELL_HEADER_HEADER_H
#define SCH_MAXWELL_HEADER_HEADER_H

#include "texture/texture.h"

enum { SCH_MAXWELL_HEADER_WORDS = 8, SCH_MAXWELL_HEADER_BYTES = 32 };

/* TEXTURE_TYPE of a header. */
enum sch_maxwell_texture_type {
    SCH_MAXWELL_ONE_D,
    SCH_MAXWELL_TWO_D,
    SCH_MAXWELL_THREE_D,
    SCH_MAXWELL_CUBEMAP,
    SCH_MAXWELL_ONE_D_ARRAY,
    SCH_MAXWELL_TWO_D_ARRAY,
    SCH_MAXWELL_ONE_D_BUFFER,
    SCH_MAXWELL_TWO_D_NO_MIPMAP,
    SCH_MAXWELL_CUBEMAP_ARRAY
};

/* A piece of the machine's address space. Reads outside it give 0. */
struct sch_maxwell_memory {
    const void *data;
    uint64_t address, bytes;
};

/* What a header shows: texels laid out as the texture unit reads them (a copy: block-linear memory is put into rows),
 * and the part of the sampler key and values that a header decides. */
struct sch_maxwell_texture {
    struct sch_texture texture; /* levels RES_VIEW_MIN_MIP_LEVEL to MAX; its min_lod is MIN_LOD_CLAMP's */
    uint8_t type;               /* enum sch_maxwell_texture_type */
    uint8_t target;             /* enum sch_target: the type's, multisampled when MULTI_SAMPLE_COUNT says so */
    uint16_t format;            /* enum sch_format: of lookups whose sampler converts from sRGB, and of TLD and TLDS */
    uint16_t format_linear;     /* the same without S_R_G_B_CONVERSION: where the sampler does not convert */
    uint8_t swizzle[4];         /* X, Y, Z, W_SOURCE: 0..3 components of `format`, 4 zero, 5 one */
    uint8_t fixed_mask;   /* results (bit 0: X) that are `fixed` in any lookup: a one of the other kind than the */
    uint32_t fixed[4];    /* format's (ONE_FLOAT of integers, ONE_INT of floats); their swizzle is 4 */
    uint8_t component[4]; /* where `format` has the layout's R, G, B, A: 0..3; 4 or 5: nowhere */
    bool normalized, srgb, use_header_options, sampler_border;
    float lod_bias;                           /* MIP_LOD_BIAS */
    uint8_t max_anisotropy;                   /* 1..16 */
    uint32_t width, height, depth, max_level; /* as the header says: TXQ answers from them */
    uint32_t view_min_level, view_max_level;  /* those of max_level that are seen; of types with one level 0 */
    uint8_t sample_mode;                      /* MULTI_SAMPLE_COUNT's code */
    uint8_t samples;                          /* 1, 2, 4, 8, 16 */
};

/* UNSUPPORTED: a type, format, layout or version that the unit does not read; INVALID: fields that contradict each
 * other; LIMIT: more than `memory_limit` bytes (0: none). Each is reported, with the field's name. Free with
 * sch_maxwell_texture_destroy. */
enum sch_result sch_maxwell_texture_create(const uint32_t header[SCH_MAXWELL_HEADER_WORDS],
                                           const struct sch_maxwell_memory *memory,
                                           const struct sch_allocator *allocator, size_t memory_limit,
                                           struct sch_diagnostics *diagnostics, struct sch_maxwell_texture **texture);
void sch_maxwell_texture_destroy(struct sch_maxwell_texture *texture, const struct sch_allocator *allocator);

/* What a sampler says. `key` has rules = maxwell, wrap modes, filters, mip, anisotropy, reduction and, where
 * DEPTH_COMPARE is set, the comparison; format, target and swizzle are the header's. */
struct sch_maxwell_sampler {
    struct sch_sampler_key key;
    struct sch_sampler_values values; /* border: BORDER_COLOR_R to A, in this order */
    uint8_t compare_function;         /* enum sch_compare: DEPTH_COMPARE_FUNC whether or not it compares */
    bool srgb;                        /* S_R_G_B_CONVERSION: sRGB formats are converted */
    bool clamp_cube;                  /* CUBEMAP_INTERFACE_FILTERING = OVERRIDE_WRAP: cubes clamp to the face's edge */
    uint32_t border_srgb[3];          /* bits of floats, linear: the border's R, G, B of sRGB formats */
};
/* UNSUPPORTED: a filter that the unit does not have; INVALID: a reserved code. Each is reported with the field's
 * name. */
enum sch_result sch_maxwell_sampler_read(const uint32_t words[SCH_MAXWELL_HEADER_WORDS],
                                         struct sch_diagnostics *diagnostics, struct sch_maxwell_sampler *sampler);

/* The key and values of lookups of `texture` with `sampler` (docs/maxwell.md, "Headers and samplers"). key->compare is
 * the sampler's: lookups without comparison set it to 0. UNSUPPORTED, reported: a border in memory, coordinates in
 * texels of a 3-D texture or cube. */
enum sch_result sch_maxwell_lookup_state(const struct sch_maxwell_texture *texture,
                                         const struct sch_maxwell_sampler *sampler, struct sch_diagnostics *diagnostics,
                                         struct sch_sampler_key *key, struct sch_sampler_values *values);

#endif
