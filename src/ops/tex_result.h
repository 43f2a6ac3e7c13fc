/* How a texture question's answer reaches the lanes: the view's swizzle and its constants. Holds no lookups. */
#ifndef SCH_OPS_TEX_RESULT_H
#define SCH_OPS_TEX_RESULT_H

#include "ops/tex_decode.h"
#include "ops/tex_key.h"

OPS_INLINE void tex_store_zero(unsigned vector, struct sch_lanes *const result[4])
{
    for (unsigned i = 0; i < 4; i++) ops_store_U(result[i], vector, 0, v_splat_u32(0));
}

/* A constant of a swizzle in all components. */
OPS_INLINE void tex_store_constant(const struct sch_sampler_key *key, unsigned entry, unsigned vector, vi32 mask,
                                   struct sch_lanes *const result[4])
{
    vu32 constant = v_splat_u32(tex_constant_bits(tex_format_of(key), entry)) & (vu32)mask;
    for (unsigned i = 0; i < 4; i++) ops_store_U(result[i], vector, 0, constant);
}

/* Components R, G, B, A through the view's swizzle; 0 off the mask. */
OPS_INLINE void tex_store_texel(const struct sch_sampler_key *key, const struct tex_texel *texel, unsigned vector,
                                vi32 mask, struct sch_lanes *const result[4])
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned entry = key->swizzle[i];
        vu32 value =
            entry < TEX_ZERO ? v_as_u32(texel->c[entry]) : v_splat_u32(tex_constant_bits(tex_format_of(key), entry));
        ops_store_U(result[i], vector, 0, value & (vu32)mask);
    }
}

#endif
