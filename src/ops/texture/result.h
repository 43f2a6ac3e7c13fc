/* How the result of a lookup reaches the lanes: the view's swizzle and its constants. Holds no lookups. */
#ifndef SCH_OPS_TEXTURE_RESULT_H
#define SCH_OPS_TEXTURE_RESULT_H

#include "ops/texture/decode.h"
#include "ops/texture/key.h"

/* A swizzle's 0 or 1. */
OPS_INLINE vf32 tex_swizzle_constant(const struct sch_sampler_key *key, unsigned entry)
{
    return v_as_f32(v_splat_u32(tex_constant_bits(tex_format_of(key), entry)));
}

/* A texel outside: 0 everywhere, or by D3D's rules the defaults in components that the format lacks. */
OPS_INLINE struct tex_texel tex_outside(const struct sch_sampler_key *key)
{
    struct tex_texel texel;
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        bool one = key->rules == SCH_RULES_D3D && tex_format_component(tex_format_of(key), key->rules, i) == TEX_ONE;
        texel.c[i] = tex_swizzle_constant(key, one ? TEX_ONE : TEX_ZERO);
    }
    return texel;
}

/* What lookups that sample give where the clamps leave nothing of a view: a texel outside, comparisons 0. */
OPS_INLINE struct tex_texel tex_hidden_texel(const struct sch_sampler_key *key)
{
    struct tex_texel none = {0};
    return key->compare ? none : tex_outside(key);
}

OPS_INLINE void tex_store_zero(unsigned vector, struct sch_lanes *const result[4])
{
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) ops_put_U(result[i], vector, v_splat_u32(0));
}

/* Components R, G, B, A through the view's swizzle; 0 off the mask. */
OPS_INLINE void tex_store_texel(const struct sch_sampler_key *key, const struct tex_texel *texel, unsigned vector,
                                vi32 mask, struct sch_lanes *const result[4])
{
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        unsigned entry = key->swizzle[i];
        vf32 value = entry < TEX_ZERO ? texel->c[entry] : tex_swizzle_constant(key, entry);
        ops_put_U(result[i], vector, v_as_u32(value) & (vu32)mask);
    }
}

#endif
