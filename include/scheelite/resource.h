/* Textures and samplers. Shapes are immutable; contents change only through the functions declared here and through the
 * stores of shaders that run. */
#ifndef SCHEELITE_RESOURCE_H
#define SCHEELITE_RESOURCE_H

#include "diagnostics.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory with the shape of a texture. Reading from several threads is safe; writing is the caller's to order. */
struct sch_resource;
/* What a shader sees of a resource: target, format, levels, layers, elements, swizzle. Immutable. Keeps its resource
 * alive: the handle may be destroyed. */
struct sch_view;
/* How lookups filter and wrap. Immutable. */
struct sch_sampler;

/* A texel format by gallium's name, with or without PIPE_FORMAT_ ("R8G8B8A8_UNORM"); SCH_FORMAT_NONE when there is no
 * such one. */
SCH_API enum sch_format sch_format_by_name(const char *name);

/* What texels of a format can be used for. */
enum sch_format_use {
    SCH_USE_SAMPLED = 1,       /* views that lookups read */
    SCH_USE_FILTERED = 2,      /* linear filters of lookups; without it they are as nearest */
    SCH_USE_STORED = 4,        /* images that shaders write */
    SCH_USE_ATOMIC = 8,        /* images that atomics of shaders change */
    SCH_USE_WRITTEN = 16,      /* clears by a colour, or by depth and stencil; destinations of blits */
    SCH_USE_MIPS = 32,         /* sch_resource_make_mips */
    SCH_USE_RENDER_TARGET = 64 /* what struct sch_render_target has: UNORM8 is R8G8B8A8_UNORM, WORDS R32G32B32A32_* */
};

/* What a texel format is. A format that this version does not read has a name, and zeros. */
struct sch_format_info {
    size_t size;
    const char *name;                                /* gallium's, without PIPE_FORMAT_ */
    uint32_t block_width, block_height, block_depth; /* texels that stand together */
    uint32_t block_bytes;                            /* what they take */
    uint32_t parts;                                  /* enum sch_part: COLOR, or DEPTH, STENCIL or both */
    uint32_t uses;                                   /* enum sch_format_use */
    uint32_t color_bits[4];                          /* of the channels that R, G, B, A come from; 0: none */
    uint32_t depth_bits, stencil_bits;
    bool integers, is_signed; /* lookups read integers, as of stencil; and these have a sign */
    bool srgb;                /* red, green and blue stand on the sRGB curve */
};

/* ARGUMENT for a number that is no format. Thread-safe. */
SCH_API enum sch_result sch_format_get_info(enum sch_format format, struct sch_format_info *info);

struct sch_resource_options {
    size_t size;
    enum sch_target target;
    enum sch_format format;
    uint32_t width, height, depth; /* texels of level 0 (BUFFER: elements in width); 0 counts as 1 */
    uint32_t layers;               /* array layers, cube faces included: 6 for each cube; 0 counts as 1 */
    uint32_t levels;               /* 0 counts as 1; down to one texel at most */
    uint32_t samples;              /* of multisampled targets: 1, 2, 4, 8 or 16; 0 counts as 1 */
};

/* A zeroed resource. INVALID names a shape that its target does not have (docs/texture.md); UNSUPPORTED a format that
 * this version does not read; LIMIT a size beyond 16384 texels (a BUFFER: 2^27 elements), 2048 layers, or the context's
 * memory. */
SCH_API enum sch_result sch_resource_create(struct sch_context *context, const struct sch_resource_options *options,
                                            struct sch_diagnostics_list *diagnostics, struct sch_resource **resource);
SCH_API void sch_resource_destroy(struct sch_resource *resource);

/* How many levels there are down to one texel, whatever `options->levels` says: what a resource has at most. 1 for
 * targets with one level; 0 for what is no target. */
SCH_API uint32_t sch_resource_full_levels(const struct sch_resource_options *options);

/* What a resource is. */
struct sch_resource_info {
    size_t size;
    enum sch_target target;
    enum sch_format format;
    uint32_t width, height, depth;    /* of the level, in texels */
    uint32_t layers, levels, samples; /* layers: cube faces included */
};

/* `level`: whose sides are wanted. ARGUMENT for a level that the resource does not have. Thread-safe. */
SCH_API enum sch_result sch_resource_get_info(const struct sch_resource *resource, uint32_t level,
                                              struct sch_resource_info *info);

/* Bytes of all texels, in the order of docs/texture.md ("Resources and views"), and copies of all of them; `bytes` must
 * be that number. */
SCH_API size_t sch_resource_bytes(const struct sch_resource *resource);
SCH_API enum sch_result sch_resource_write_all(struct sch_resource *resource, const void *data, size_t bytes);
SCH_API enum sch_result sch_resource_read_all(const struct sch_resource *resource, void *data, size_t bytes);

/* The same of a box (docs/resources.md). ARGUMENT, and nothing is moved, where the level does not have the box, the box
 * ends inside of a block, rows or slices of memory would overlap, or the last one does not end within `bytes`; the
 * list, which is optional, says which. sch_transfer_bytes is what a transfer takes of memory, 0 where there is no such
 * one. */
SCH_API enum sch_result sch_resource_write(struct sch_resource *resource, const struct sch_transfer *transfer,
                                           const void *data, size_t bytes, struct sch_diagnostics_list *diagnostics);
SCH_API enum sch_result sch_resource_read(const struct sch_resource *resource, const struct sch_transfer *transfer,
                                          void *data, size_t bytes, struct sch_diagnostics_list *diagnostics);
SCH_API size_t sch_transfer_bytes(const struct sch_resource *resource, const struct sch_transfer *transfer);

/* Copies bits from one level to another: between formats whose blocks have the same bytes, and between resources of the
 * same number of samples, all of which are copied. Of one resource the boxes may overlap: what is copied is what was
 * there before. ARGUMENT for everything else, and nothing is copied. */
SCH_API enum sch_result sch_resource_copy(struct sch_resource *to, const struct sch_resource *from,
                                          const struct sch_copy *copy, struct sch_diagnostics_list *diagnostics);

/* Makes all texels of a box the same. `clear` NULL: level 0 becomes zeros. ARGUMENT as above; UNSUPPORTED for formats
 * that are not encoded (subsampled ones), unless the block is given. */
SCH_API enum sch_result sch_resource_clear(struct sch_resource *resource, const struct sch_clear *clear,
                                           struct sch_diagnostics_list *diagnostics);

/* Stretches a box of one level over a box of another, with filters, mirrored, and converted: docs/resources.md,
 * "Blits", has the rules. INVALID for formats or samples that are not converted into each other and for integers, depth
 * and stencil that are to be filtered; UNSUPPORTED for a destination that is not encoded; LIMIT and MEMORY where the
 * source has to be copied first (it overlaps, or its samples are resolved before they are filtered or converted) and
 * cannot be. ARGUMENT as above; for a BUFFER. */
SCH_API enum sch_result sch_resource_blit(struct sch_resource *to, const struct sch_resource *from,
                                          const struct sch_blit *blit, struct sch_diagnostics_list *diagnostics);

/* Makes levels of the one before them, by a box filter: docs/resources.md, "Mip chains". `mips` NULL: all levels behind
 * level 0. UNSUPPORTED for formats of integers or stencil and those that are not encoded. ARGUMENT for levels or layers
 * that the resource does not have. */
SCH_API enum sch_result sch_resource_make_mips(struct sch_resource *resource, const struct sch_mips *mips,
                                               struct sch_diagnostics_list *diagnostics);

struct sch_view_options {
    size_t size;
    uint8_t swizzle[4]; /* of the result: 0..3 components, 4 zero, 5 one; all zero counts as identity (0, 1, 2, 3) */
    bool has_target;    /* else the resource's */
    enum sch_target target;
    enum sch_format format; /* of the same bytes a texel (a block of subsampled formats); NONE: the resource's */
    /* Counts of 0: all that follow; of layers as many as the target has, where it has a fixed number (1 or 6); RECT:
     * one level. */
    uint32_t first_level, level_count, first_layer, layer_count;
    uint32_t first_element, element_count;    /* of BUFFER only */
    float min_lod;                            /* in the view's levels: at least 0 and less than 128 */
    bool swizzled;                            /* `swizzle` holds even where it is all zero: (x, x, x, x) */
    struct sch_diagnostics_list *diagnostics; /* optional: receives what is wrong */
};

/* A view of a resource; `options` NULL: of all of it. ARGUMENT for a range, target or format that the resource does not
 * have: targets are those of the same family, cubes are views of squares, with 6 layers each. A BUFFER is viewed in any
 * format: its bytes are as many elements of it as they hold, 2^27 at most. */
SCH_API enum sch_result sch_view_create(struct sch_resource *resource, const struct sch_view_options *options,
                                        struct sch_view **view);
SCH_API void sch_view_destroy(struct sch_view *view);

struct sch_sampler_options {
    size_t size;
    enum sch_wrap wrap_s, wrap_t, wrap_r;
    enum sch_filter min_filter, mag_filter;
    enum sch_mip_filter mip_filter;
    uint32_t max_anisotropy; /* at most 16; 0 or 1: none */
    float lod_bias, min_lod;
    float max_lod; /* 0 together with min_lod 0 counts as no limit */
    float border[4];
    bool unnormalized;        /* coordinates are in texels: with mip filter none; shaders get 0 from cubes and 3D */
    enum sch_compare compare; /* for lookups that compare; others do not look at it */
    enum sch_reduction reduction;
    bool non_seamless_cube_map; /* not seamless: each face of a cube is an image of its own under the wrap modes */
    enum sch_rules rules;
    bool border_is_words; /* the border colour is border_words: for integer formats */
    uint32_t border_words[4];
};

/* ARGUMENT for a member that is outside its enumeration or range, or NaN; INVALID for members that contradict each
 * other. */
SCH_API enum sch_result sch_sampler_create(struct sch_context *context, const struct sch_sampler_options *options,
                                           struct sch_diagnostics_list *diagnostics, struct sch_sampler **sampler);
SCH_API void sch_sampler_destroy(struct sch_sampler *sampler);

/* Bytes of a BUFFER resource: what is bound as memory. One resource may be bound in several places at once, and be
 * viewed and copied beside that. It is used only while a call runs. Elements of an array with a stride. */
struct sch_buffer_range {
    struct sch_resource *resource; /* NULL: none */
    uint64_t offset;               /* of memory that is written a multiple of 4 */
    uint64_t bytes;                /* 0: all that follow */
};

/* One level of a resource that shaders read and write (IMAGE registers), or a colour buffer that they read (FBFETCH).
 * Immutable itself. Keeps its resource alive. */
struct sch_image;
struct sch_image_options {
    size_t size;
    bool has_target; /* else the resource's */
    enum sch_target target;
    enum sch_format format;                   /* of the same bytes a texel; NONE: the resource's */
    uint32_t level, first_layer, layer_count; /* layers as of views; of 3D they are slices */
    bool read_only;                           /* stores and atomics do nothing */
    struct sch_diagnostics_list *diagnostics; /* optional: receives what is wrong */
    uint32_t first_element, element_count;    /* of BUFFER only, as of views */
};
/* `options` NULL: level 0, all layers. ARGUMENT for a range, target or format that the resource does not have;
 * UNSUPPORTED for a format that shaders do not store (unless read_only), as of depth and stencil; LIMIT for 2^32 - 1
 * texels or more. */
SCH_API enum sch_result sch_image_create(struct sch_resource *resource, const struct sch_image_options *options,
                                         struct sch_image **image);
SCH_API void sch_image_destroy(struct sch_image *image);

#ifdef __cplusplus
}
#endif
#endif
