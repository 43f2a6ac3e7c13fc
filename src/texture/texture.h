/* The host side of the texture unit: resources with their layout in memory, views, samplers, and the key and descriptor
 * that the operations of src/ops read. */
#ifndef SCH_TEXTURE_TEXTURE_H
#define SCH_TEXTURE_TEXTURE_H

#include <scheelite/lookup.h>

#include "abi/texture.h"
#include "base/arena.h"
#include "base/diagnostics.h"
#include "isa/targets.h"

/* Results of size and sample queries on `target` (docs/texture.md, "Queries"). Texture NULL or without levels: 0. */
void sch_texture_size(const struct sch_texture *texture, unsigned target, uint32_t level, uint32_t words[4]);
uint32_t sch_texture_samples(const struct sch_texture *texture, unsigned target);

struct sch_resource_shape {
    uint8_t target;                                         /* enum sch_target */
    uint16_t format;                                        /* enum sch_format */
    uint32_t width, height, depth, layers, levels, samples; /* all at least 1 */
    bool decoded; /* texels of compressed blocks are kept decoded, too (texture/decoded.h) */
};

/* How many levels there are down to one texel; of targets that have one level 1. */
uint32_t sch_texture_full_levels(const struct sch_resource_shape *shape);

/* A resource: zeroed texels in one block, levels outermost, then layers (or slices), samples, rows, texels. Slices of
 * several samples may have gaps between them.
 * Reference-counted: views hold it (the count is atomic). */
struct sch_texture_resource;

/* UNSUPPORTED, LIMIT or INVALID, and a report, for a shape that does not exist. `memory_limit` in bytes, 0: none. */
enum sch_result sch_texture_resource_create(const struct sch_resource_shape *shape,
                                            const struct sch_allocator *allocator, size_t memory_limit,
                                            struct sch_diagnostics *diagnostics,
                                            struct sch_texture_resource **resource);
void sch_texture_resource_retain(struct sch_texture_resource *resource);
void sch_texture_resource_release(struct sch_texture_resource *resource); /* takes NULL */
const struct sch_resource_shape *sch_texture_resource_shape(const struct sch_texture_resource *resource);

/* What formats keep together: `bytes` for so many texels. The last block of a row, a column or a level may be filled in
 * part. */
struct sch_block {
    uint32_t bytes, width, height, depth;
};

/* The blocks of a format; of one that the unit does not know they have 0 bytes. */
struct sch_block sch_texture_block(unsigned format);
uint32_t sch_texture_block_bytes(unsigned format);
/* Whether texels of a format are in compressed blocks, which lookups decode to tiles (abi/texel_tiles.h). */
bool sch_texture_is_block(unsigned format);
/* Whether texels of one format are texels of the other, too. */
bool sch_texture_same_blocks(unsigned a, unsigned b);
/* Blocks that hold `texels` texels, where each holds `side`. */
uint32_t sch_texture_blocks(uint32_t texels, uint32_t side);
/* Bytes of a row of `width` texels; rows of blocks of `height` texels. */
uint32_t sch_texture_row_bytes(unsigned format, uint32_t width);
uint32_t sch_texture_rows(unsigned format, uint32_t height);

/* The sizes and places of a shape's levels; the bytes of all, fewer than 2^60 for shapes that were checked. `texels`
 * may be NULL while there is no memory. */
uint64_t sch_texture_lay_out(const struct sch_resource_shape *shape, const struct sch_block *block, uint8_t *texels,
                             struct sch_texture *texture);

/* All texels, without gaps; ARGUMENT unless `bytes` is their number. */
size_t sch_texture_resource_bytes(const struct sch_texture_resource *resource);
/* Bytes of the tiles that are kept; 0: none. */
size_t sch_texture_resource_decoded_bytes(const struct sch_texture_resource *resource);
enum sch_result sch_texture_resource_write_all(struct sch_texture_resource *resource, const void *data, size_t bytes);
enum sch_result sch_texture_resource_read_all(const struct sch_texture_resource *resource, void *data, size_t bytes);

/* The descriptor of a view of the whole resource. */
const struct sch_texture *sch_texture_of(const struct sch_texture_resource *resource);

/* What a view shows. Counts of 0 are all that follow; of layers: as many as the target has, if it has a fixed number;
 * RECT: one level. */
struct sch_view_range {
    uint8_t target;  /* enum sch_target */
    uint16_t format; /* enum sch_format */
    uint32_t first_level, level_count, first_layer, layer_count;
    uint32_t first_element, element_count; /* of BUFFER; else 0 */
    float min_lod;
};

/* The descriptor of a view. ARGUMENT, with a report (6300): a range, target or format that the resource does not have.
 * A BUFFER is viewed in any format, as so many elements as its bytes hold. */
enum sch_result sch_texture_view(const struct sch_texture_resource *resource, const struct sch_view_range *range,
                                 struct sch_diagnostics *diagnostics, struct sch_texture *texture);

/* The same of an image: `range` has one level; layers are also the slices of a 3-D level. LIMIT: 2^32 - 1 texels or
 * more. */
enum sch_result sch_texture_image(const struct sch_texture_resource *resource, const struct sch_view_range *range,
                                  struct sch_diagnostics *diagnostics, struct sch_texture *texture);
/* UNSUPPORTED, with a report (6005), for a format that images are not stored in. */
enum sch_result sch_texture_check_stored(unsigned format, struct sch_diagnostics *diagnostics);

/* Whether texels of the format can be stored. */
bool sch_texture_storable(unsigned format);

/* Targets that are only lookups (INVALID) and formats that the unit does not read (UNSUPPORTED): reports them. */
enum sch_result sch_texture_refuse_target(unsigned target, struct sch_position position,
                                          struct sch_diagnostics *diagnostics);
enum sch_result sch_texture_refuse_format(unsigned format, struct sch_position position,
                                          struct sch_diagnostics *diagnostics);

/* Whether coordinates in texels (unnormalized samplers) go with a target. */
bool sch_texture_takes_texels(unsigned target);

/* Whether `key`, complete with the view's part, is a state that the unit executes; reports what is not. */
enum sch_result sch_texture_key_check(const struct sch_sampler_key *key, struct sch_position position,
                                      struct sch_diagnostics *diagnostics);

/* What lookups of a group have in common. */
struct sch_texture_lookup_kind {
    enum sch_lookup_operation operation;
    uint32_t component; /* of gathers, else 0 */
    bool compare;       /* of samples and gathers, else false */
    bool offsets;       /* some offset is not 0 */
};
struct sch_texture_lookup_kind sch_texture_kind_of_lookup(const struct sch_lookup *lookup);

/* Lookups of one kind. */
struct sch_texture_lookups {
    struct sch_sampler_key key;              /* complete; `compare` counts where kind.compare */
    const struct sch_sampler_values *values; /* NULL: no sampler */
    const struct sch_texture *texture;       /* NULL: no view */
    struct sch_texture_lookup_kind kind;
    const struct sch_lookup *lookups;
    uint32_t count;                  /* at most a group: 32 */
    struct sch_texture_trace *trace; /* NULL, or of sch_ops_traced() */
};

struct sch_ops;

/* False, with a report: `target` has no such lookup, or the sampler (may be NULL) does not go with it. */
bool sch_texture_check_lookup(const struct sch_sampler_key *sampler, unsigned target,
                              const struct sch_texture_lookup_kind *kind, struct sch_diagnostics *diagnostics);
/* Runs lookups that were checked. */
void sch_texture_run_lookups(const struct sch_ops *ops, const struct sch_texture_lookups *group,
                             uint32_t (*results)[4]);

#endif
