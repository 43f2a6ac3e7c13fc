/* Random groups of 32 lookups to the texture unit: one sampler key, texture and kind of request each, half of the
 * lanes near a place where the answer changes. A group is a pure function of its format, operation and seed. */
#ifndef TEXTURE_QUESTIONS_H
#define TEXTURE_QUESTIONS_H

#include "ops/ops.h"
#include "texture_reference.h"

enum operation {
    ASK_NEAREST,
    ASK_LINEAR,
    ASK_ANISOTROPIC,
    ASK_REDUCED,
    ASK_COMPARED,
    ASK_GATHER,
    ASK_GATHER_COMPARED,
    ASK_FETCH,
    ASK_LOD,
    ASK_COUNT
};
extern const char *const operation_names[ASK_COUNT];

struct group {
    const struct ref_format *format;
    enum operation operation;
    uint64_t seed;
    struct sch_sampler_key key;
    struct sch_sampler_values values;
    struct sch_texture texture;
    uint8_t *memory;   /* guards around the texels */
    uint32_t *decoded; /* NULL, or the tiles of all levels */
    size_t bytes;
    struct sch_sample_request request;
    struct sch_fetch_request fetch;
    struct sch_lanes at[4], reference, lod, clamp, ddx[3], ddy[3], offset[4][3], mask;
    bool near[SCH_GROUP_LANES];
    struct sch_few_texel_tiles tiles;
};

/* Whether docs/texture.md gives the operation a meaning of its own for the format. */
bool group_is_legal(const struct ref_format *format, enum operation operation);
void group_make(struct group *group, const struct ref_format *format, enum operation operation, uint64_t seed);
void group_release(struct group *group);
bool group_guards_hold(const struct group *group);
void group_run(struct group *group, const struct sch_ops *ops, struct sch_lanes result[4]);
/* What one lane of a group that samples asks the reference. */
void group_lookup(const struct group *group, unsigned lane, struct ref_lookup *lookup);
void group_reference(const struct group *group, unsigned lane, uint32_t result[4]);
/* Everything that the answer of one lane depends on. */
void group_print(const struct group *group, unsigned lane);

#endif
