/* Blocks of RGTC and LATC, which Direct3D calls BC4 and BC5. Direct3D 11.3, 19.5.9 to 19.5.12; data format
 * specification, "RGTC". A channel's texel is an exact fraction: a number of 35ths of codes of 8 bits, of which
 * 255 * 35 or 127 * 35 are 1. Holds no loads of blocks and no filters. */
#ifndef SCH_OPS_TEXTURE_RGTC_H
#define SCH_OPS_TEXTURE_RGTC_H

#include "ops/op.h"
#include "ops/texture/format.h"

/* Both ends, and into how many steps the way between them is cut: 7, or 5 beside the least and the greatest value. */
struct rgtc_ends {
    int32_t first, second, least, greatest, steps;
};

/* Signed ends are compared as they are; then -128 is -127 (SNORM, Direct3D 11.3, 3.2.3.1). */
OPS_INLINE struct rgtc_ends rgtc_ends_of(const uint32_t block[2], bool is_signed)
{
    struct rgtc_ends ends = {.first = block[0] & 255, .second = block[0] >> 8 & 255, .greatest = 255};
    if (is_signed) {
        ends.first = (int8_t)ends.first;
        ends.second = (int8_t)ends.second;
        ends.least = -127;
        ends.greatest = 127;
    }
    ends.steps = ends.first > ends.second ? 7 : 5;
    if (ends.first < ends.least) ends.first = ends.least;
    if (ends.second < ends.least) ends.second = ends.least;
    return ends;
}

/* The codes of three bits of texels from number `at` on: two halves of 24 bits after the ends. */
OPS_INLINE vi32 rgtc_codes(const uint32_t block[2], unsigned at)
{
    const uint32_t low = block[0] >> 16 | block[1] << 16, high = block[1] >> 8;
    vi32 number = v_lane_i32() + (int32_t)at;
    vu32 half = v_select_u32((vi32)(number > 7), v_splat_u32(high), v_splat_u32(low));
    return (vi32)(half >> (vu32)(3 * (number & 7)) & 7u);
}

/* How many `steps`ths of codes: 0 and 1 are the ends, then come the steps, then least and greatest. */
OPS_INLINE vi32 rgtc_sums(const struct rgtc_ends *ends, vi32 code)
{
    vi32 way = code - 1;
    way = v_select_i32((vi32)(code == 0), v_splat_i32(0), way);
    way = v_select_i32((vi32)(code == 1), v_splat_i32(ends->steps), way);
    vi32 sum = ends->first * ends->steps + (ends->second - ends->first) * way;
    vi32 beside = v_splat_i32(-(ends->steps == 5));
    sum = v_select_i32(beside & (vi32)(code == 6), v_splat_i32(ends->least * ends->steps), sum);
    return v_select_i32(beside & (vi32)(code == 7), v_splat_i32(ends->greatest * ends->steps), sum);
}

/* One channel: 16 bits of each texel, `shift` bits up; the other bits are taken over from `texel` where there are
 * any. */
OPS_INLINE void tex_bc4_tile(const uint32_t block[2], bool is_signed, unsigned shift,
                             uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const struct rgtc_ends ends = rgtc_ends_of(block, is_signed);
    for (unsigned at = 0; at < SCH_TEXEL_TILE_TEXELS; at += SCH_LANES) {
        vi32 sum = rgtc_sums(&ends, rgtc_codes(block, at)) * (TEX_FRACTION / ends.steps);
        vu32 value = ((vu32)sum & 0xffffu) << shift;
        v_store_u32(texel + at, shift ? v_load_u32(texel + at) | value : value);
    }
}

OPS_INLINE void tex_bc5_tile(const uint32_t block[4], bool is_signed, uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    tex_bc4_tile(block, is_signed, 0, texel);
    tex_bc4_tile(block + 2, is_signed, 16, texel);
}

#endif
