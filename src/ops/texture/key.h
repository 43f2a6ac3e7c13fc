/* What a sampler key says. These functions take the key itself, not a struct that it is in, so that their results
 * fold where the key is a constant. */
#ifndef SCH_OPS_TEXTURE_KEY_H
#define SCH_OPS_TEXTURE_KEY_H

#include "ops/texture/facts.h"
#include "ops/texture/target.h"

/* What the instruction says of a lookup, beside the key: a field of the request; whether it gives a pointer. Where
 * lookups are compiled they are constants (jit/lookup_bodies.c). */
#ifndef TEX_ASKED
#define TEX_ASKED(key, request, field)       ((void)(key), (request)->field)
#define TEX_GIVES_MIN_LOD(key, request)      ((void)(key), (request)->min_lod != 0)
#define TEX_GIVES_LEVEL(key, request)        ((void)(key), (request)->level != 0)
#define TEX_GIVES_OFFSET(key, request, axis) ((void)(key), (request)->offset[axis] != 0)
#endif

OPS_INLINE const struct tex_format *tex_format_of(const struct sch_sampler_key *key)
{
    return &tex_formats[key->format];
}

OPS_INLINE bool tex_in_texels(const struct sch_sampler_key *key)
{
    return key->unnormalized || key->target == SCH_TARGET_RECT;
}

/* Integer formats are not filtered. */
OPS_INLINE bool tex_filtered(const struct sch_sampler_key *key) { return !tex_is_integer(tex_format_of(key)); }
OPS_INLINE bool tex_min_linear(const struct sch_sampler_key *key) { return key->min_linear && tex_filtered(key); }
OPS_INLINE bool tex_mag_linear(const struct sch_sampler_key *key) { return key->mag_linear && tex_filtered(key); }
OPS_INLINE bool tex_mip_linear(const struct sch_sampler_key *key) { return key->mip == 2 && tex_filtered(key); }

OPS_INLINE bool tex_seamless(const struct sch_sampler_key *key)
{
    return tex_is_cube(key->target) && (key->seamless || key->rules == SCH_RULES_D3D);
}

/* Whether the footprint has a longer side that taps run along. */
OPS_INLINE unsigned tex_anisotropy_of(const struct sch_sampler_key *key)
{
    bool flat = key->target == SCH_TARGET_2D || key->target == SCH_TARGET_RECT || key->target == SCH_TARGET_2D_ARRAY;
    return flat && key->max_anisotropy > 1 ? key->max_anisotropy : 1;
}

/* Whether nothing is left of the view: "any value past the least detailed mip in the view" [D3D 11.3, 5.8.5]. */
OPS_INLINE bool tex_view_is_empty(const struct sch_sampler_key *key, const struct sch_texture *texture)
{
    return key->rules == SCH_RULES_D3D && texture->min_lod > (float)texture->levels - 1.0f;
}

/* Texels that a lookup takes from a level: those of linear filtering unless no filter is linear. */
OPS_INLINE unsigned tex_corner_count(const struct sch_sampler_key *key)
{
    return tex_min_linear(key) || tex_mag_linear(key) ? 1u << tex_axes(key->target) : 1;
}

#endif
