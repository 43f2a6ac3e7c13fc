/* Maxwell's texture headers and samplers (32 bytes each) as the texture unit understands them, and the memory that
 * headers point into. Their fields are rows of src/isa/maxwell_headers.def. */
#ifndef SCH_MAXWELL_HEADER_H
#define SCH_MAXWELL_HEADER_H

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
    uint16_t format;            /* enum sch_format */
    uint8_t swizzle[4];         /* X, Y, Z, W_SOURCE: 0..3 components, 4 zero, 5 one */
    bool normalized, srgb, use_header_options, sampler_border;
    float lod_bias;                           /* MIP_LOD_BIAS */
    uint8_t max_anisotropy;                   /* 1..16 */
    uint32_t width, height, depth, max_level; /* as the header says: TXQ answers from them */
    uint32_t view_min_level, view_max_level;
    uint8_t sample_mode; /* MULTI_SAMPLE_COUNT's code */
};

/* UNSUPPORTED: a type, format, layout or version that the unit does not read; INVALID: fields that contradict each
 * other; LIMIT: more than `memory_limit` bytes (0: none). Each is reported, with the field's name. Free with
 * sch_maxwell_texture_destroy. */
enum sch_status sch_maxwell_texture_create(const uint32_t header[SCH_MAXWELL_HEADER_WORDS],
                                           const struct sch_maxwell_memory *memory,
                                           const struct sch_allocator *allocator, size_t memory_limit,
                                           struct sch_diagnostics *diagnostics, struct sch_maxwell_texture **texture);
void sch_maxwell_texture_destroy(struct sch_maxwell_texture *texture, const struct sch_allocator *allocator);

/* The sampler's part of a key (rules = maxwell) and its values; the reduction, compare function and borders included.
 */
struct sch_maxwell_sampler {
    struct sch_sampler_key key;
    struct sch_sampler_values values;
};
enum sch_status sch_maxwell_sampler_read(const uint32_t words[SCH_MAXWELL_HEADER_WORDS],
                                         struct sch_diagnostics *diagnostics, struct sch_maxwell_sampler *sampler);

#endif
