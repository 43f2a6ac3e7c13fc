/* Blocks of ATC, decoded a whole block at a time. Holds the decoders; which format has which block is a row of
 * formats.def. AMD_compressed_ATC_texture does not disclose what blocks mean; what is known of them is a decision
 * (src/isa/decisions.def). */
#ifndef SCH_OPS_TEXTURE_ATC_H
#define SCH_OPS_TEXTURE_ATC_H

#include "ops/texture/palette.h"
#include "ops/texture/rgtc.h"

/* Red, green and blue of a 15-bit colour and of a 16-bit one to words of opaque bytes, red lowest: the upper bits come
 * again as the lower ones. */
OPS_INLINE uint32_t tex_atc_color_555(uint32_t rgb)
{
    const uint32_t color = (rgb >> 7 & 0xf8) | (rgb & 0x3e0) << 6 | (rgb & 0x1f) << 19;
    return color | (color >> 5 & 0x070707) | 0xff000000;
}
OPS_INLINE uint32_t tex_atc_color_565(uint32_t rgb)
{
    const uint32_t green = rgb >> 5 & 63;
    return (tex_atc_color_555((rgb >> 1 & 0x7fe0) | (rgb & 0x1f)) & 0xffff00ff) | (green << 2 | green >> 4) << 8;
}

/* Two colours, and two between them: eighths of the second 0, 3, 5 and 8, what is left of the division is dropped. */
OPS_INLINE vu32 tex_atc_between(uint32_t first, uint32_t second, vi32 entry)
{
    const vi32 weight = (entry << 1) + entry - (entry >> 1);
    const vu32 weights = (vu32)((8 - weight) & 0xffff) | (vu32)weight << 16;
    vu32 word = v_splat_u32(0xff000000u);
    V_UNROLL
    for (unsigned c = 0; c < 24; c += 8) {
        const uint32_t ends = (first >> c & 255) | (second >> c & 255) << 16;
        word |= (vu32)(v_dot_halves_i32(weights, v_splat_u32(ends)) >> 3 & 255) << (uint32_t)c;
    }
    return word;
}

/* Black, the first less a quarter of the second, the first, the second. */
OPS_INLINE vu32 tex_atc_with_black(uint32_t first, uint32_t second, vi32 entry)
{
    const vu32 less = tex_bytes_difference(v_splat_u32(first), v_splat_u32(second >> 2 & 0x3f3f3f));
    const vi32 odd = (vi32)((entry & 1) != 0);
    const vu32 low = v_select_u32(odd, less, v_splat_u32(0xff000000u));
    const vu32 high = v_select_u32(odd, v_splat_u32(second), v_splat_u32(first));
    return v_select_u32((vi32)((entry & 2) != 0), high, low);
}

/* The eight bytes of colours: one of 15 bits, with the method above it, one of 16 bits, and two bits a texel. */
OPS_INLINE void tex_atc_tile(const uint32_t block[2], uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const uint32_t first = tex_atc_color_555(block[0]), second = tex_atc_color_565(block[0] >> 16);
    const bool with_black = block[0] & 0x8000;
    struct tex_palette palette;
    V_UNROLL
    for (unsigned p = 0; p < TEX_PALETTE_VECTORS; p++) {
        const vi32 entry = tex_palette_entry(p) & 3;
        tex_palette_put(&palette, p,
                        with_black ? tex_atc_with_black(first, second, entry) : tex_atc_between(first, second, entry));
    }
    V_UNROLL
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) {
        const vu32 number = v_splat_u32(block[1]) >> (vu32)(2 * tex_tile_texel(v)) & 3u;
        v_store_u32(texel + v * SCH_LANES, tex_palette_at(&palette, (vi32)number));
    }
}

/* Alpha is in front of the colours, four bits a texel: as that of BC2. */
OPS_INLINE void tex_atc_explicit_tile(const uint32_t block[4], uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    tex_atc_tile(block + 2, texel);
    V_UNROLL
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) {
        const vi32 number = tex_tile_texel(v);
        const vu32 word = v_select_u32((vi32)(number < 8), v_splat_u32(block[0]), v_splat_u32(block[1]));
        const vu32 alpha = word >> (vu32)(4 * (number & 7)) & 15u;
        v_store_u32(texel + v * SCH_LANES, (v_load_u32(texel + v * SCH_LANES) & 0xffffffu) | alpha << 28 | alpha << 24);
    }
}

/* As that of BC3: a channel of RGTC, truncated to a byte. 2^16 / steps is near enough up to 255 * steps. */
OPS_INLINE void tex_atc_interpolated_tile(const uint32_t block[4], uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const struct rgtc_ends ends = rgtc_ends_of(block, false);
    const uint32_t inverse = ends.steps == 7 ? 9363 : 13108;
    tex_atc_tile(block + 2, texel);
    V_UNROLL
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) {
        const vu32 alpha = (vu32)rgtc_sums(&ends, rgtc_codes(block, v * SCH_LANES)) * inverse >> 16;
        v_store_u32(texel + v * SCH_LANES, (v_load_u32(texel + v * SCH_LANES) & 0xffffffu) | alpha << 24);
    }
}

#endif
