/* Blocks of S3TC: BC1, BC2 and BC3. Direct3D 11.3, 19.5.6 to 19.5.8; data format specification, "S3TC"; what they leave
 * open is a decision (src/isa/decisions.def). Texels are bytes: R | G << 8 | B << 16 | A << 24. Holds no loads of
 * blocks and no filters. */
#ifndef SCH_OPS_TEXTURE_S3TC_H
#define SCH_OPS_TEXTURE_S3TC_H

#include "ops/op.h"
#include "ops/texture/palette.h"
#include "ops/texture/rgtc.h"

/* Two colours side by side, a half for each channel. */
typedef uint16_t s3tc_halves __attribute__((vector_size(16)));
typedef uint8_t s3tc_bytes __attribute__((vector_size(16)));
typedef uint32_t s3tc_words __attribute__((vector_size(16)));

/* The upper halves of the products. */
OPS_INLINE s3tc_halves s3tc_high(s3tc_halves a, s3tc_halves b)
{
#ifdef __SSE2__
    return (s3tc_halves)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#else
    typedef uint32_t words __attribute__((vector_size(32)));
    return __builtin_convertvector(__builtin_convertvector(a, words) * __builtin_convertvector(b, words) >> 16,
                                   s3tc_halves);
#endif
}

/* The four colours. Without `four` the block itself says whether it has four, or three and black without alpha. */
OPS_INLINE s3tc_words s3tc_colors(uint32_t endpoints, bool four)
{
    const s3tc_halves given = (s3tc_halves)(s3tc_words){endpoints, endpoints, endpoints, endpoints};
    const s3tc_halves alpha = {0, 0, 0, 255, 0, 0, 0, 255}, none = {0};
    /* R5G6B5 as the first bits of halves; the product repeats the first bits as the last ones of 8. */
    const s3tc_halves first =
        __builtin_shufflevector(given, given, 0, 0, 0, 0, 1, 1, 1, 1) * (s3tc_halves){1, 32, 2048, 0, 1, 32, 2048, 0};
    const s3tc_halves field = {0xf800, 0xfc00, 0xf800, 0, 0xf800, 0xfc00, 0xf800, 0};
    const s3tc_halves ends = s3tc_high(first & field, (s3tc_halves){264, 260, 264, 0, 264, 260, 264, 0});
    const s3tc_halves sum = ends + __builtin_shufflevector(ends, ends, 4, 5, 6, 7, 0, 1, 2, 3);
    /* Sums of three codes over 3, truncated: 21846 / 65536 is near enough to 1/3 up to 765. */
    const s3tc_halves thirds = s3tc_high(ends + sum, none + 21846) | alpha;
    const s3tc_halves half = __builtin_shufflevector(sum >> 1 | alpha, none, 0, 1, 2, 3, 8, 8, 8, 8);
    /* Without branches: blocks of both kinds are side by side. */
    const s3tc_halves opaque = none - (uint16_t)(four || (endpoints & 0xffff) > endpoints >> 16);
    const s3tc_halves others = (thirds & opaque) | (half & ~opaque);
    const s3tc_bytes byte = (s3tc_bytes)(ends | alpha | others << 8);
    return (s3tc_words)__builtin_shufflevector(byte, byte, 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
}

/* Vector v of a tile's texels, whose codes have two bits each. */
OPS_INLINE vu32 s3tc_texels(s3tc_words color, uint32_t codes, unsigned v)
{
    const vu32 code = v_splat_u32(codes) >> (vu32)(2 * tex_tile_texel(v));
#if SCH_LANES == 8 && defined(V_PERMUTE)
    return v_quad_permute_u32(__builtin_shufflevector(color, color, 0, 1, 2, 3, 0, 1, 2, 3), (vi32)code);
#elif defined(V_PERMUTE)
    const vu32 colors = __builtin_shufflevector(color, color, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
    return v_quad_permute_u32(colors, (vi32)code);
#else
    const vi32 low = -(vi32)(code & 1u), high = -(vi32)(code >> 1 & 1u);
    const vu32 first = v_select_u32(low, v_splat_u32(color[1]), v_splat_u32(color[0]));
    const vu32 second = v_select_u32(low, v_splat_u32(color[3]), v_splat_u32(color[2]));
    return v_select_u32(high, second, first);
#endif
}

/* The eight bytes of colours. */
OPS_INLINE void tex_bc1_tile(const uint32_t block[2], uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const s3tc_words color = s3tc_colors(block[0], false);
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) v_store_u32(texel + v * SCH_LANES, s3tc_texels(color, block[1], v));
}

/* Sixteen alphas of four bits before the colours: n / 15 is 17 n / 255. */
OPS_INLINE void tex_bc2_tile(const uint32_t block[4], uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const s3tc_words color = s3tc_colors(block[2], true);
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) {
        const vi32 number = tex_tile_texel(v);
        const vu32 word = v_select_u32((vi32)(number > 7), v_splat_u32(block[1]), v_splat_u32(block[0]));
        const vu32 alpha = (word >> (vu32)(4 * (number & 7)) & 15u) * 17u;
        v_store_u32(texel + v * SCH_LANES, (s3tc_texels(color, block[3], v) & 0xffffffu) | alpha << 24);
    }
}

/* The sums of BC4 over 7 or 5, truncated to bytes. */
OPS_INLINE void tex_bc3_tile(const uint32_t block[4], uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const struct rgtc_ends ends = rgtc_ends_of(block, false);
    const uint32_t inverse = ends.steps == 7 ? 9363 : 13108; /* 2^16 / steps: near enough up to 255 * steps */
    const s3tc_words color = s3tc_colors(block[2], true);
    struct tex_palette alphas;
    for (unsigned p = 0; p < TEX_PALETTE_VECTORS; p++)
        tex_palette_put(&alphas, p, (vu32)rgtc_sums(&ends, tex_palette_entry(p)) * inverse >> 16 << 24);
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) {
        const vu32 alpha = tex_palette_at(&alphas, rgtc_codes(block, v * SCH_LANES));
        v_store_u32(texel + v * SCH_LANES, (s3tc_texels(color, block[3], v) & 0xffffffu) | alpha);
    }
}

#endif
