/* Blocks of FXT1, decoded half a block at a time. Holds the decoder; which format has which block is a row of
 * formats.def. Sections are those of the appendix of 3DFX_texture_compression_FXT1. */
#ifndef SCH_OPS_TEXTURE_FXT1_H
#define SCH_OPS_TEXTURE_FXT1_H

#include "ops/texture/palette.h"

/* Colours of five bits a channel, blue lowest, to words of bytes, red lowest: the upper bits come again as the lower
 * ones. Alpha has five bits, too; opaque is 31. */
OPS_INLINE uint32_t tex_fxt1_color(uint32_t rgb, uint32_t alpha)
{
    const uint32_t color = (rgb >> 7 & 0xf8) | (rgb & 0x3e0) << 6 | (rgb & 0x1f) << 19 | alpha << 27;
    return color | (color >> 5 & 0x07070707);
}
/* With a sixth bit of green. */
OPS_INLINE uint32_t tex_fxt1_color_565(uint32_t rgb, uint32_t bit)
{
    const uint32_t green = (rgb >> 4 & 0x3e) | bit;
    return (tex_fxt1_color(rgb, 31) & 0xffff00ff) | (green << 2 | green >> 4) << 8;
}

/* What a block's other words make of its highest one: endpoints, and how the palette's words lie between them. */
struct tex_fxt1_ramp {
    uint32_t first, last;
    int32_t step, rounding; /* in sixths: that of the last endpoint's weight, and what is added */
};

/* All quotients are whole numbers, what is left of the division is dropped. Sixths are those of CC_HI, two of them the
 * thirds and three the halves of the other formats: (2 a + b + 1) / 3 is (4 a + 2 b + 2) / 6. 10923 / 65536 is near
 * enough to a sixth up to 6 * 255 + 3. */
OPS_INLINE vu32 tex_fxt1_between(const struct tex_fxt1_ramp *ramp, vi32 entry)
{
    const vi32 weight = (vi32)v_mul_halves_u32((vu32)entry, v_splat_u32((uint32_t)ramp->step));
    const vu32 weights = (vu32)((6 - weight) & 0xffff) | (vu32)weight << 16;
    vu32 word = v_splat_u32(0);
    V_UNROLL
    for (unsigned c = 0; c < 32; c += 8) {
        const uint32_t ends = (ramp->first >> c & 255) | (ramp->last >> c & 255) << 16;
        const vi32 sixths = v_dot_halves_i32(weights, v_splat_u32(ends)) + ramp->rounding;
        const vi32 channel = v_dot_halves_i32((vu32)sixths, v_splat_u32(10923)) >> 16;
        word |= (vu32)(channel & 255) << (uint32_t)c;
    }
    return word;
}

/* The ramp's words, those from `colors` on are transparent black. */
OPS_INLINE void tex_fxt1_ramp_palette(const struct tex_fxt1_ramp *ramp, int32_t colors, struct tex_palette *palette)
{
    V_UNROLL
    for (unsigned p = 0; p < TEX_PALETTE_VECTORS; p++) {
        const vi32 entry = tex_palette_entry(p);
        tex_palette_put(palette, p, tex_fxt1_between(ramp, entry) & (vu32)(entry < colors));
    }
}

/* Four words as they are. */
OPS_INLINE void tex_fxt1_four_palette(const uint32_t color[4], struct tex_palette *palette)
{
    V_UNROLL
    for (unsigned p = 0; p < TEX_PALETTE_VECTORS; p++) {
        const vi32 entry = tex_palette_entry(p), odd = (vi32)((entry & 1) != 0);
        const vu32 low = v_select_u32(odd, v_splat_u32(color[1]), v_splat_u32(color[0]));
        const vu32 high = v_select_u32(odd, v_splat_u32(color[3]), v_splat_u32(color[2]));
        tex_palette_put(palette, p, v_select_u32((vi32)((entry & 2) != 0), high, low));
    }
}

/* 1. CC_HI: two colours, seven steps and transparent black. */
OPS_INLINE void tex_fxt1_hi(uint32_t highest, struct tex_palette *palette)
{
    const struct tex_fxt1_ramp ramp = {tex_fxt1_color(highest, 31), tex_fxt1_color(highest >> 15, 31), 1, 3};
    tex_fxt1_ramp_palette(&ramp, 7, palette);
}

/* 3. CC_MIXED: two colours for each half, and two between them, or one and transparent black. The lowest bits of green
 * are those of the block; without alpha color0's and color2's is that of the other one with the upper index bit of the
 * half's first texel. */
OPS_INLINE void tex_fxt1_mixed(uint64_t colors, uint32_t indices, unsigned half, struct tex_palette *palette)
{
    const bool alpha = colors >> 60 & 1;
    const uint32_t green = colors >> (61 + half) & 1;
    const uint32_t first = (uint32_t)(colors >> 30 * half), last = (uint32_t)(colors >> (30 * half + 15));
    struct tex_fxt1_ramp ramp = {.last = tex_fxt1_color_565(last, green), .step = 3};
    if (alpha) {
        ramp.first = tex_fxt1_color(first, 31);
    } else {
        ramp.first = tex_fxt1_color_565(first, green ^ (indices >> 1 & 1));
        ramp.step = 2;
        ramp.rounding = 2;
    }
    tex_fxt1_ramp_palette(&ramp, alpha ? 3 : 4, palette);
}

/* 2. CC_CHROMA: four colours. 4. CC_ALPHA: three colours with alpha, and transparent black; or with bit 124 the first
 * or the third, the second, and two between them. */
OPS_INLINE void tex_fxt1_chroma_or_alpha(uint64_t colors, unsigned half, struct tex_palette *palette)
{
    const bool chroma = !(colors >> 61 & 1), between = !chroma && (colors >> 60 & 1);
    uint32_t color[4];
    for (unsigned i = 0; i < 3; i++)
        color[i] = tex_fxt1_color((uint32_t)(colors >> 15 * i), chroma ? 31 : colors >> (45 + 5 * i) & 31);
    color[3] = chroma ? tex_fxt1_color((uint32_t)(colors >> 45), 31) : 0;
    if (between) {
        const struct tex_fxt1_ramp ramp = {color[half ? 2 : 0], color[1], 2, 2};
        tex_fxt1_ramp_palette(&ramp, 4, palette);
    } else {
        tex_fxt1_four_palette(color, palette);
    }
}

/* The left (0) or right (1) 4 by 4 texels of a block. Without alpha transparent black is black. */
OPS_INLINE void tex_fxt1_tile(const uint32_t block[4], bool alpha, unsigned half, uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const uint64_t colors = (uint64_t)block[3] << 32 | block[2];
    const bool hi = !(block[3] >> 30), mixed = block[3] >> 31;
    const uint32_t indices = half ? block[1] : block[0];
    const uint32_t first = half ? block[1] >> 16 | block[2] << 16 : block[0];
    const uint32_t second = half ? block[2] >> 8 : block[0] >> 24 | block[1] << 8;
    struct tex_palette palette;
    if (hi)
        tex_fxt1_hi(block[3], &palette);
    else if (mixed)
        tex_fxt1_mixed(colors, indices, half, &palette);
    else
        tex_fxt1_chroma_or_alpha(colors, half, &palette);
    V_UNROLL
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) {
        const vi32 two_bits = (vi32)(v_splat_u32(indices) >> (vu32)(2 * tex_tile_texel(v)) & 3u);
        const vi32 number = hi ? tex_tile_three_bits(v, first, second) : two_bits;
        v_store_u32(texel + v * SCH_LANES, tex_palette_at(&palette, number) | (alpha ? 0 : 0xff000000u));
    }
}

#endif
