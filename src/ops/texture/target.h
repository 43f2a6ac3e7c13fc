/* What a target's coordinates are. Targets of keys are never SHADOW ones. */
#ifndef SCH_OPS_TEXTURE_TARGET_H
#define SCH_OPS_TEXTURE_TARGET_H

#include "ops/op.h"

OPS_INLINE unsigned tex_axes(unsigned target)
{
    if (target == SCH_TARGET_1D || target == SCH_TARGET_1D_ARRAY || target == SCH_TARGET_BUFFER) return 1;
    return target == SCH_TARGET_3D ? 3 : 2;
}

OPS_INLINE bool tex_is_cube(unsigned target) { return target == SCH_TARGET_CUBE || target == SCH_TARGET_CUBE_ARRAY; }

/* Faces of a CUBE are layers to fetches and images. */
OPS_INLINE bool tex_has_layers(unsigned target)
{
    return target == SCH_TARGET_1D_ARRAY || target == SCH_TARGET_2D_ARRAY || target == SCH_TARGET_CUBE_ARRAY ||
           target == SCH_TARGET_2D_ARRAY_MSAA;
}

OPS_INLINE bool tex_is_multisampled(unsigned target)
{
    return target == SCH_TARGET_2D_MSAA || target == SCH_TARGET_2D_ARRAY_MSAA;
}

/* Slices of a level, layers and samples included. */
OPS_INLINE uint64_t tex_slices(unsigned target, const struct sch_texture *texture,
                               const struct sch_texture_level *level)
{
    return tex_axes(target) == 3 ? level->depth : (uint64_t)texture->layers * texture->samples;
}

#endif
