/* The host side of the texture unit: resources with their layout in memory, views, samplers, and the key and descriptor
 * that the operations of src/ops read. */
#ifndef SCH_TEXTURE_TEXTURE_H
#define SCH_TEXTURE_TEXTURE_H

#include "abi/texture.h"
#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/status.h"

enum { SCH_CUBE_FACES = 6 };

/* Targets whose resources have the same memory: a view may change from one to another. */
enum sch_target_family {
    SCH_FAMILY_NONE,
    SCH_FAMILY_BUFFER,
    SCH_FAMILY_1D,
    SCH_FAMILY_2D, /* cubes and RECT too */
    SCH_FAMILY_3D,
    SCH_FAMILY_MSAA
};

struct sch_target_facts {
    uint8_t plain;  /* enum sch_target: itself, of a SHADOW target the one without comparison */
    uint8_t family; /* enum sch_target_family */
    uint8_t axes;   /* of a level's memory; of cubes 2 */
    bool layered;   /* an array: a coordinate chooses the layer or cube */
    bool cube;
    bool multisampled;
};

/* Never NULL: numbers that are no target are like UNKNOWN, of family NONE. */
const struct sch_target_facts *sch_target_facts(unsigned target);

/* Answers of size and sample queries on `target` (docs/texture.md, "Queries"). Texture NULL or without levels: 0. */
void sch_texture_size(const struct sch_texture *texture, unsigned target, uint32_t level, uint32_t words[4]);
uint32_t sch_texture_samples(const struct sch_texture *texture, unsigned target);

struct sch_resource_shape {
    uint8_t target;                                         /* enum sch_target */
    uint16_t format;                                        /* enum sch_format */
    uint32_t width, height, depth, layers, levels, samples; /* all at least 1 */
};

/* A resource: zeroed texels in one block, levels outermost, then layers (or slices), rows, texels. Reference-counted:
 * views hold it (the count is atomic). */
struct sch_texture_resource;

/* Whether the unit samples this shape: reports and answers UNSUPPORTED, LIMIT or INVALID when not. */
enum sch_status sch_texture_resource_create(const struct sch_resource_shape *shape,
                                            const struct sch_allocator *allocator, size_t memory_limit,
                                            struct sch_diagnostics *diagnostics,
                                            struct sch_texture_resource **resource);
void sch_texture_resource_retain(struct sch_texture_resource *resource);
void sch_texture_resource_release(struct sch_texture_resource *resource); /* takes NULL */
const struct sch_resource_shape *sch_texture_resource_shape(const struct sch_texture_resource *resource);

/* Bytes of one texel of a format, 0 when the unit does not know the format. */
uint32_t sch_texture_texel_bytes(unsigned format);

enum sch_status sch_texture_resource_write(struct sch_texture_resource *resource, uint32_t level, uint32_t layer,
                                           const void *data, size_t stride, uint32_t rows);

/* The descriptor of a view of the whole resource. */
void sch_texture_describe(const struct sch_texture_resource *resource, struct sch_texture *texture);

/* What the unit cannot do with a target or a format: reports it and answers UNSUPPORTED, else OK. */
enum sch_status sch_texture_refuse_target(unsigned target, struct sch_position position,
                                          struct sch_diagnostics *diagnostics);
enum sch_status sch_texture_refuse_format(unsigned format, struct sch_position position,
                                          struct sch_diagnostics *diagnostics);

/* Whether `key`, complete with the view's part, is a state that the unit executes; reports what is not. */
enum sch_status sch_texture_key_check(const struct sch_sampler_key *key, struct sch_position position,
                                      struct sch_diagnostics *diagnostics);

#endif
