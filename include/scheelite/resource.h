/* Resources (textures and buffers): their formats, the functions that move their texels without a shader, and the
 * objects that shaders access them through: views, samplers, images and ranges of buffers. The shape of a resource is
 * immutable. Its contents change only through the functions declared here and through the stores of dispatches.
 *
 * Example, with a context:
 *
 *     const uint8_t texels[2][2][4] = {{{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}, {0, 0, 0, 255}}};
 *     struct sch_resource_options shape = {.size = sizeof shape, .target = SCH_TARGET_2D,
 *                                          .format = SCH_FORMAT_R8G8B8A8_UNORM, .width = 2, .height = 2};
 *     struct sch_sampler_options linear = {.size = sizeof linear, .mag_filter = SCH_FILTER_LINEAR};
 *     struct sch_resource *texture;
 *     struct sch_view *view;
 *     struct sch_sampler *sampler;
 *     if (sch_resource_create(context, &shape, NULL, &texture) != SCH_OK) return 1;
 *     if (sch_resource_write_all(texture, texels, sizeof texels) != SCH_OK) return 1;
 *     if (sch_view_create(texture, NULL, &view) != SCH_OK) return 1;
 *     if (sch_sampler_create(context, &linear, NULL, &sampler) != SCH_OK) return 1;
 *     struct sch_bindings bindings = {.size = sizeof bindings, .views = &view, .view_count = 1, .samplers = &sampler,
 *                                     .sampler_count = 1}; // for sch_dispatch and its neighbours
 *     sch_sampler_destroy(sampler);
 *     sch_view_destroy(view);
 *     sch_resource_destroy(texture);
 *
 * Several threads may make objects, and views and images of one resource, at once. Several threads may read a resource
 * at once. The caller must order writes to it, with respect to each other and to reads. Functions that read or write
 * texels run on the calling thread. Calls that return ARGUMENT have written nothing. docs/texture.md and
 * docs/resources.md give the rules and their sources. */
#ifndef SCHEELITE_RESOURCE_H
#define SCHEELITE_RESOURCE_H

#include "diagnostics.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Texels in memory: a texture, or a buffer (target BUFFER). */
struct sch_resource;

/* What texture lookups see of a resource: target, format, levels, layers, elements, swizzle. Immutable, so any number
 * of threads may use it. Keeps the texels of its resource alive: sch_resource_destroy may come first. */
struct sch_view;

/* How lookups filter, wrap and compare. Immutable, so any number of threads may use it. */
struct sch_sampler;

/* The format with gallium's name `name`, with or without PIPE_FORMAT_ ("R8G8B8A8_UNORM"). SCH_FORMAT_NONE: there is
 * none. Thread-safe. */
SCH_API enum sch_format sch_format_by_name(const char *name);

/* What texels of a format can be used for: bits. */
enum sch_format_use {
    SCH_USE_SAMPLED = 1,         /* views that lookups read */
    SCH_USE_FILTERED = 2,        /* linear filters of lookups; without it they act as nearest */
    SCH_USE_STORED = 4,          /* images that shaders write */
    SCH_USE_ATOMIC = 8,          /* images that atomic instructions change */
    SCH_USE_WRITTEN = 16,        /* clears with a colour, or with depth and stencil; destinations of blits */
    SCH_USE_MIPS = 32,           /* sch_resource_make_mips */
    SCH_USE_RENDER_TARGET = 64,  /* colour buffers of framebuffers */
    SCH_USE_DEPTH_STENCIL = 128, /* depth and stencil of framebuffers */
    SCH_USE_VERTICES = 256       /* vertex elements, also of formats that there are no resources of */
};

/* What the numbers of a format's components mean (docs/texture.md, "Formats"). */
enum sch_component_type {
    SCH_COMPONENT_NONE,
    SCH_COMPONENT_UNORM,   /* fractions of the greatest code, 0 to 1; on the sRGB curve where `srgb` is set */
    SCH_COMPONENT_SNORM,   /* likewise, -1 to 1 */
    SCH_COMPONENT_USCALED, /* whole numbers as floats */
    SCH_COMPONENT_SSCALED,
    SCH_COMPONENT_FIXED, /* 16 bits before the point and 16 after it */
    SCH_COMPONENT_UINT,  /* integers */
    SCH_COMPONENT_SINT,
    SCH_COMPONENT_FLOAT
};

/* The properties of a texel format. A format that this version does not read has only a name, and perhaps the use
 * VERTICES; the rest is 0. */
struct sch_format_info {
    size_t size;
    const char *name;                                /* gallium's, without PIPE_FORMAT_ */
    uint32_t block_width, block_height, block_depth; /* texels of a block */
    uint32_t block_bytes;
    uint32_t parts;         /* bits of enum sch_part: COLOR, or DEPTH, STENCIL or both */
    uint32_t uses;          /* bits of enum sch_format_use */
    uint32_t color_bits[4]; /* of the channels that R, G, B and A are read from; 0: none. Of 64: lookups return its
                             * words, low ones first, as two components */
    uint32_t depth_bits, stencil_bits;
    bool integers;                          /* lookups return integers, as they do for stencil */
    bool is_signed;                         /* the integers are signed */
    bool srgb;                              /* red, green and blue are sRGB-encoded */
    enum sch_component_type component_type; /* of decoded texels; of depth where there is depth and stencil */
};

/* Fills in `*info`. ARGUMENT for a number that is not a format, and if `size` is not set. Thread-safe. */
SCH_API enum sch_result sch_format_get_info(enum sch_format format, struct sch_format_info *info);

/* The shape of a resource (sch_resource_create). Sides are in texels, also those of compressed blocks. */
struct sch_resource_options {
    size_t size;
    enum sch_target target;
    enum sch_format format;
    uint32_t width, height, depth; /* texels of level 0; BUFFER: the width is the number of elements. 0 counts as 1 */
    uint32_t layers;               /* layers of arrays; each cube has 6. 0 counts as 1 */
    uint32_t levels;               /* at most sch_resource_full_levels; 0 counts as 1 */
    uint32_t samples;              /* of multisampled targets: 1, 2, 4, 8 or 16; 0 counts as 1 */
    /* For formats of compressed blocks: also keep the decoded texels, 4 or 8 bytes each, so that lookups decode
     * nothing. Writes take longer, and results are the same. Other formats ignore it. */
    bool decoded;
};

/* Makes a resource of zeros. `diagnostics` is optional. Errors: ARGUMENT; MEMORY; INVALID for a shape that the target
 * does not have (docs/texture.md); UNSUPPORTED for a format that this version does not read; LIMIT for more than 16384
 * texels along a side (BUFFER: 2^27 elements), more than 2048 layers, or more memory than the limits allow. */
SCH_API enum sch_result sch_resource_create(struct sch_context *context, const struct sch_resource_options *options,
                                            struct sch_diagnostics_list *diagnostics, struct sch_resource **resource);
SCH_API void sch_resource_destroy(struct sch_resource *resource); /* takes NULL */

/* The number of levels down to one texel, which is the most that a resource of this size may have. `options->levels`
 * has no effect. 1 for targets that have one level; 0 for a wrong call and for targets that resources do not have, such
 * as SHADOW2D. Thread-safe. */
SCH_API uint32_t sch_resource_full_levels(const struct sch_resource_options *options);

/* The shape of a resource. */
struct sch_resource_info {
    size_t size;
    enum sch_target target;
    enum sch_format format;
    uint32_t width, height, depth;    /* of the level, in texels */
    uint32_t layers, levels, samples; /* each cube has 6 layers */
    size_t decoded_bytes;             /* memory of texels that are kept decoded, of all levels; else 0 */
};

/* Fills in `*info` for a level. ARGUMENT for a level that the resource does not have, and if `size` is not set.
 * Thread-safe. */
SCH_API enum sch_result sch_resource_get_info(const struct sch_resource *resource, uint32_t level,
                                              struct sch_resource_info *info);

/* The number of bytes of all texels; 0 for NULL. Thread-safe. */
SCH_API size_t sch_resource_bytes(const struct sch_resource *resource);
/* Copy all texels from or to the caller's memory, in the order of docs/texture.md, "Resources and views". ARGUMENT if
 * `bytes` is not sch_resource_bytes. */
SCH_API enum sch_result sch_resource_write_all(struct sch_resource *resource, const void *data, size_t bytes);
SCH_API enum sch_result sch_resource_read_all(const struct sch_resource *resource, void *data, size_t bytes);

/* What follows moves texels without a program. DEADLINE and CANCELLED: if the caller bounds it (struct
 * sch_moving_options). */

/* Copy the texels of a box from or to the caller's memory (docs/resources.md, "Reads and writes"). `diagnostics` is
 * optional. ARGUMENT if the box is not inside of the level or does not end with a block, if rows or slices in memory
 * overlap, or if the last one ends beyond `bytes`; the list says which. */
SCH_API enum sch_result sch_resource_write(struct sch_resource *resource, const struct sch_transfer *transfer,
                                           const void *data, size_t bytes, struct sch_diagnostics_list *diagnostics);
SCH_API enum sch_result sch_resource_read(const struct sch_resource *resource, const struct sch_transfer *transfer,
                                          void *data, size_t bytes, struct sch_diagnostics_list *diagnostics);
/* The number of bytes of the caller's memory that a transfer spans, from the first byte to the last; 0 if the transfer
 * is not possible. Thread-safe. */
SCH_API size_t sch_transfer_bytes(const struct sch_resource *resource, const struct sch_transfer *transfer);

/* Copies a box of texels bit by bit (docs/resources.md, "Copies"). The blocks of both formats must have the same number
 * of bytes, and both resources the same number of samples, all of which are copied. If the boxes overlap, the texels
 * that were there before are copied. `diagnostics` is optional. Errors: ARGUMENT, with a report, if a box is not inside
 * of its level or the resources do not fit each other. */
SCH_API enum sch_result sch_resource_copy(struct sch_resource *to, const struct sch_resource *from,
                                          const struct sch_copy *copy, struct sch_diagnostics_list *diagnostics);

/* Writes the same value to all texels of a box (docs/resources.md, "Clears"). `clear` is optional: NULL writes zeros to
 * level 0. `diagnostics` is optional. Errors: ARGUMENT as for copies; UNSUPPORTED for formats that texels are not
 * encoded in (subsampled ones), unless the block is given. */
SCH_API enum sch_result sch_resource_clear(struct sch_resource *resource, const struct sch_clear *clear,
                                           struct sch_diagnostics_list *diagnostics);

/* Stretches a box of one level over a box of another, filters, mirrors and converts it (docs/resources.md, "Blits").
 * `diagnostics` is optional. Errors: ARGUMENT as for copies, and for a BUFFER; INVALID for formats or numbers of
 * samples that are not converted into each other, and for a linear filter of integers, depth or stencil; UNSUPPORTED
 * for a destination format that texels are not encoded in; MEMORY, LIMIT if the source must be copied first, because
 * the boxes overlap or samples are resolved, and cannot be. */
SCH_API enum sch_result sch_resource_blit(struct sch_resource *to, const struct sch_resource *from,
                                          const struct sch_blit *blit, struct sch_diagnostics_list *diagnostics);

/* Computes levels from the one before them with a box filter (docs/resources.md, "Mip chains"). `mips` is optional:
 * NULL means all levels after level 0. `diagnostics` is optional. Errors: ARGUMENT for levels or layers that the
 * resource does not have; UNSUPPORTED for formats of integers or stencil, and those that texels are not encoded in. */
SCH_API enum sch_result sch_resource_make_mips(struct sch_resource *resource, const struct sch_mips *mips,
                                               struct sch_diagnostics_list *diagnostics);

/* Converts a picture of luma and chroma to R, G, B and alpha, and writes these as blits write (docs/resources.md,
 * "Video"). `diagnostics` is optional. Errors: ARGUMENT, with a report, if the box is not inside of the level, a plane
 * has too few bytes, or the matrix, the range or the siting is not named; INVALID for resources of integers, depth,
 * stencil, sRGB or several samples; UNSUPPORTED for a format that is not of video, and for a destination that texels
 * are not encoded in. */
SCH_API enum sch_result sch_resource_write_video(struct sch_resource *resource, const struct sch_video *video,
                                                 struct sch_diagnostics_list *diagnostics);

/* What a view shows (sch_view_create). */
struct sch_view_options {
    size_t size;
    uint8_t swizzle[4]; /* components of the result: 0 to 3 x to w, 4 zero, 5 one. All zero: (0, 1, 2, 3) */
    bool has_target;    /* otherwise the resource's target */
    enum sch_target target;
    enum sch_format format; /* with as many bytes in a texel or block; NONE: the resource's format */
    /* A count of 0 means all that follow. Exceptions: targets with a fixed number of layers have that (1 or 6), and
     * RECT has one level. */
    uint32_t first_level, level_count, first_layer, layer_count;
    uint32_t first_element, element_count;    /* BUFFER only */
    float min_lod;                            /* counted from the view's first level; at least 0 and less than 128 */
    bool swizzled;                            /* `swizzle` is used even if it is all zero: (x, x, x, x) */
    struct sch_diagnostics_list *diagnostics; /* optional: receives what is wrong */
};

/* Makes a view of a resource. `options` is optional: NULL means all of the resource. Errors: MEMORY, LIMIT, ARGUMENT
 * for a range, target or format that does not fit the resource. The view's target must be of the same family as the
 * resource's; a cube is a view of 6 square layers. A BUFFER may have views of any format; they have as many elements as
 * its bytes hold, at most 2^27. */
SCH_API enum sch_result sch_view_create(struct sch_resource *resource, const struct sch_view_options *options,
                                        struct sch_view **view);
SCH_API void sch_view_destroy(struct sch_view *view); /* takes NULL */

/* How a sampler filters (sch_sampler_create). Zeros are a sampler: REPEAT, NEAREST, no mip levels. Source:
 * docs/texture.md, with the clauses of each rule. */
struct sch_sampler_options {
    size_t size;
    enum sch_wrap wrap_s, wrap_t, wrap_r;
    enum sch_filter min_filter, mag_filter;
    enum sch_mip_filter mip_filter;
    uint32_t max_anisotropy; /* at most 16; 0 or 1: none */
    float lod_bias, min_lod;
    float max_lod;            /* 0 means no limit if min_lod is 0, too */
    float border[4];          /* the border colour: r, g, b, a */
    bool unnormalized;        /* coordinates are in texels; needs mip filter NONE. Shaders read 0 from cubes and 3D */
    enum sch_compare compare; /* for lookups with comparison; others ignore it */
    enum sch_reduction reduction;
    bool non_seamless_cube_map; /* filters do not cross the edges of cube faces; the wrap modes hold for each face */
    enum sch_rules rules;
    bool border_is_words; /* border_words is the border colour, not `border`; for integer formats */
    uint32_t border_words[4];
};

/* Makes a sampler. `options` and `diagnostics` are optional. Errors: MEMORY; LIMIT; ARGUMENT for a member that is
 * outside of its enumeration or range, or NaN; INVALID for members that contradict each other. */
SCH_API enum sch_result sch_sampler_create(struct sch_context *context, const struct sch_sampler_options *options,
                                           struct sch_diagnostics_list *diagnostics, struct sch_sampler **sampler);
SCH_API void sch_sampler_destroy(struct sch_sampler *sampler); /* takes NULL */

/* A level of a resource that shaders load, store and change by atomics (IMAGE registers), or a colour buffer that they
 * read (FBFETCH). The image itself is immutable. Keeps the texels of its resource alive: sch_resource_destroy may come
 * first. */
struct sch_image;
struct sch_image_options {
    size_t size;
    bool has_target;                          /* otherwise the resource's target */
    enum sch_target target;                   /* as of views; 2D of a 3D resource is one slice */
    enum sch_format format;                   /* with as many bytes in a texel; NONE: the resource's format */
    uint32_t level, first_layer, layer_count; /* layers as in struct sch_view_options; 3D: slices */
    bool read_only;                           /* stores and atomics do nothing */
    struct sch_diagnostics_list *diagnostics; /* optional: receives what is wrong */
    uint32_t first_element, element_count;    /* BUFFER only, as in struct sch_view_options */
};
/* Makes an image. `options` is optional: NULL means level 0 with all layers. Errors: MEMORY; ARGUMENT for a range,
 * target or format that does not fit the resource; UNSUPPORTED for a format that shaders cannot store, such as depth
 * and stencil, unless the image is read_only; LIMIT for 2^32 - 1 texels or more. */
SCH_API enum sch_result sch_image_create(struct sch_resource *resource, const struct sch_image_options *options,
                                         struct sch_image **image);
SCH_API void sch_image_destroy(struct sch_image *image); /* takes NULL */

#ifdef __cplusplus
}
#endif
#endif
