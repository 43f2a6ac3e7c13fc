/* Blocks of S3TC: BC1, BC2 and BC3. Direct3D 11.3, 19.5.6 to 19.5.8; data format specification, "S3TC"; what they leave
 * open is a decision (src/isa/decisions.def). Texels are bytes: R | G << 8 | B << 16 | A << 24. Holds no loads of
 * blocks and no filters. */
#ifndef SCH_OPS_TEXTURE_S3TC_H
#define SCH_OPS_TEXTURE_S3TC_H

#include "ops/op.h"
#include "ops/texture/rgtc.h"

/* Three channels in one word, each with room for the products below. */
enum { S3TC_FIELD = 21 };

/* R5G6B5 as fields of 8 bits: the first bits come again as the last ones. */
OPS_INLINE uint64_t s3tc_promoted(uint32_t color)
{
    uint64_t r = color >> 11 & 31, g = color >> 5 & 63, b = color & 31;
    r = r << 3 | r >> 2;
    g = g << 2 | g >> 4;
    b = b << 3 | b >> 2;
    return r | g << S3TC_FIELD | b << 2 * S3TC_FIELD;
}

OPS_INLINE uint32_t s3tc_opaque(uint64_t fields)
{
    uint32_t r = fields & 255, g = fields >> S3TC_FIELD & 255, b = fields >> 2 * S3TC_FIELD & 255;
    return r | g << 8 | b << 16 | 0xff000000u;
}

/* Sums of three codes over 3, truncated: 683 / 2048 is near enough to 1/3 up to 765. */
OPS_INLINE uint64_t s3tc_thirds(uint64_t sums) { return sums * 683 >> 11; }

/* The four colours. Without `four` the block itself says whether it has four, or three and black without alpha. */
OPS_INLINE void s3tc_colors(uint32_t endpoints, bool four, uint32_t color[4])
{
    const uint32_t first = endpoints & 0xffff, second = endpoints >> 16;
    const uint64_t a = s3tc_promoted(first), b = s3tc_promoted(second);
    /* Without branches: blocks of both kinds are side by side. */
    const uint32_t opaque = -(uint32_t)(four || first > second);
    const uint32_t third = s3tc_opaque(s3tc_thirds(2 * a + b)), half = s3tc_opaque((a + b) >> 1);
    color[0] = s3tc_opaque(a);
    color[1] = s3tc_opaque(b);
    color[2] = (third & opaque) | (half & ~opaque);
    color[3] = s3tc_opaque(s3tc_thirds(a + 2 * b)) & opaque;
}

/* The eight bytes of colours. */
OPS_INLINE void tex_bc1_tile(const uint32_t block[2], bool four, uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    uint32_t color[4];
    s3tc_colors(block[0], four, color);
    for (unsigned at = 0; at < SCH_TEXEL_TILE_TEXELS; at += SCH_LANES) {
        vu32 code = v_splat_u32(block[1]) >> (vu32)(2 * (v_lane_i32() + (int32_t)at));
        vi32 low = -(vi32)(code & 1u), high = -(vi32)(code >> 1 & 1u);
        vu32 first = v_select_u32(low, v_splat_u32(color[1]), v_splat_u32(color[0]));
        vu32 second = v_select_u32(low, v_splat_u32(color[3]), v_splat_u32(color[2]));
        v_store_u32(texel + at, v_select_u32(high, second, first));
    }
}

/* Sixteen alphas of four bits before the colours: n / 15 is 17 n / 255. */
OPS_INLINE void tex_bc2_tile(const uint32_t block[4], uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    tex_bc1_tile(block + 2, true, texel);
    for (unsigned at = 0; at < SCH_TEXEL_TILE_TEXELS; at += SCH_LANES) {
        vi32 number = v_lane_i32() + (int32_t)at;
        vu32 word = v_select_u32((vi32)(number > 7), v_splat_u32(block[1]), v_splat_u32(block[0]));
        vu32 alpha = (word >> (vu32)(4 * (number & 7)) & 15u) * 17u;
        v_store_u32(texel + at, (v_load_u32(texel + at) & 0xffffffu) | alpha << 24);
    }
}

/* The sums of BC4 over 7 or 5, truncated to bytes. */
OPS_INLINE void tex_bc3_tile(const uint32_t block[4], uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const struct rgtc_ends ends = rgtc_ends_of(block, false);
    const uint32_t inverse = ends.steps == 7 ? 9363 : 13108; /* 2^16 / steps: near enough up to 255 * steps */
    tex_bc1_tile(block + 2, true, texel);
    for (unsigned at = 0; at < SCH_TEXEL_TILE_TEXELS; at += SCH_LANES) {
        vu32 sum = (vu32)rgtc_sums(&ends, rgtc_codes(block, at));
        vu32 alpha = sum * inverse >> 16;
        v_store_u32(texel + at, (v_load_u32(texel + at) & 0xffffffu) | alpha << 24);
    }
}

#endif
