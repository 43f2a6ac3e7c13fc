/* Blocks of ETC1, ETC2 and EAC, decoded a whole block at a time. Holds the decoders; which format has which block is a
 * row of formats.def, what the decoded words mean the texture unit's. Sections are those of the chapters "ETC1
 * Compressed Texture Image Formats" and "ETC2 Compressed Texture Image Formats" of the Khronos Data Format
 * Specification, which are appendix D of OpenGL 4.6, too. */
#ifndef SCH_OPS_TEXTURE_ETC_H
#define SCH_OPS_TEXTURE_ETC_H

#include "ops/texture/palette.h"

/* A block's 64 bits are a number whose first byte is the highest: bits 63 to 32 from the first word, 31 to 0 from the
 * second. */
OPS_INLINE uint32_t tex_etc_bits(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

/* Colours are words of three bytes, red lowest; greys are added to and taken from them. */
#define TEX_ETC_GREY(level) ((level)*UINT32_C(0x010101))

/* a and b of "ETC2 intensity modifier sets". */
static const uint32_t tex_etc_modifiers[8][2] __attribute__((unused)) = {
    {TEX_ETC_GREY(2), TEX_ETC_GREY(8)},    {TEX_ETC_GREY(5), TEX_ETC_GREY(17)},  {TEX_ETC_GREY(9), TEX_ETC_GREY(29)},
    {TEX_ETC_GREY(13), TEX_ETC_GREY(42)},  {TEX_ETC_GREY(18), TEX_ETC_GREY(60)}, {TEX_ETC_GREY(24), TEX_ETC_GREY(80)},
    {TEX_ETC_GREY(33), TEX_ETC_GREY(106)}, {TEX_ETC_GREY(47), TEX_ETC_GREY(183)}};
/* "Distance table for ETC2 `T' and `H' modes". */
static const uint32_t tex_etc_distances[8]
    __attribute__((unused)) = {TEX_ETC_GREY(3),  TEX_ETC_GREY(6),  TEX_ETC_GREY(11), TEX_ETC_GREY(16),
                               TEX_ETC_GREY(23), TEX_ETC_GREY(32), TEX_ETC_GREY(41), TEX_ETC_GREY(64)};

/* Three channels at once: four bits of each byte, or its upper five, to eight. */
OPS_INLINE uint32_t tex_etc_extend4(uint32_t nibbles) { return nibbles << 4 | nibbles; }
OPS_INLINE uint32_t tex_etc_extend5(uint32_t fives) { return fives | (fives >> 5 & 0x070707); }
/* From four bits of red, green and blue that are in this order, blue lowest. */
OPS_INLINE uint32_t tex_etc_extend444(uint32_t rgb)
{
    return tex_etc_extend4((rgb >> 8 & 15) | (rgb & 0xf0) << 4 | (rgb & 15) << 16);
}

/* How the sixteen texels share the palette's words: the two subblocks, side by side or one on the other, have four
 * each, or all have the first four. The numbers are shifts, see tex_etc_texels. */
enum { TEX_ETC_SIDE_BY_SIDE = 0, TEX_ETC_ON_TOP = 2, TEX_ETC_WHOLE = 5 };

/* Texels by their pixel indices. Those of the texel in column x and row y are bits 4x + y and 16 + 4x + y. The second
 * subblock is that of columns 2 and 3 or of rows 2 and 3: the bits of value 2 and 8 in the texel's number. */
OPS_INLINE void tex_etc_texels(const struct tex_palette *palette, uint32_t low, unsigned subblocks,
                               uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    V_UNROLL
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) {
        const vu32 bits = v_splat_u32(low) >> (vu32)(tex_tile_x(v) * 4 + tex_tile_y(v));
        const vi32 subblock = (tex_tile_texel(v) << 1) >> (int32_t)subblocks & 4;
        const vi32 number = (vi32)((bits & 1) | (bits >> 15 & 2)) | subblock;
        v_store_u32(texel + v * SCH_LANES, tex_palette_at(palette, number));
    }
}

/* The word of a transparent texel is zero, colour and alpha: index 2 of blocks whose opaque bit is unset. */
OPS_INLINE vu32 tex_etc_with_alpha(vu32 color, vi32 entry, bool opaque)
{
    return (color | 0xff000000u) & ~((vu32)((entry & 3) == 2) & (opaque ? 0 : UINT32_MAX));
}

/* `individual' and `differential' modes: the base colour of each subblock with its table's a and b added and taken
 * away, in the order of the indices (+a, +b, -a, -b). Without the opaque bit a is 0. */
OPS_INLINE void tex_etc_subblocks(uint32_t base1, uint32_t base2, uint32_t high, uint32_t low, bool opaque,
                                  uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const uint32_t *table1 = tex_etc_modifiers[high >> 5 & 7], *table2 = tex_etc_modifiers[high >> 2 & 7];
    const uint32_t a = opaque ? UINT32_MAX : 0;
    struct tex_palette palette;
    V_UNROLL
    for (unsigned p = 0; p < TEX_PALETTE_VECTORS; p++) {
        const vi32 entry = tex_palette_entry(p), second = (vi32)((entry & 4) != 0);
        const vu32 base = v_select_u32(second, v_splat_u32(base2), v_splat_u32(base1));
        const vu32 small = v_select_u32(second, v_splat_u32(table2[0] & a), v_splat_u32(table1[0] & a));
        const vu32 large = v_select_u32(second, v_splat_u32(table2[1]), v_splat_u32(table1[1]));
        const vu32 modifier = v_select_u32((vi32)((entry & 1) != 0), large, small);
        const vu32 color =
            v_select_u32((vi32)((entry & 2) != 0), tex_bytes_difference(base, modifier), tex_bytes_sum(base, modifier));
        tex_palette_put(&palette, p, tex_etc_with_alpha(color, entry, opaque));
    }
    tex_etc_texels(&palette, low, high & 1 ? TEX_ETC_ON_TOP : TEX_ETC_SIDE_BY_SIDE, texel);
}

/* `T' mode: base colour 1, and base colour 2 with the distance added, as it is, and with it taken away. */
OPS_INLINE void tex_etc_t(uint32_t high, uint32_t low, bool opaque, uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const uint32_t base1 = tex_etc_extend444((high >> 17 & 0xc00) | (high >> 16 & 0x3ff));
    const uint32_t base2 = tex_etc_extend444(high >> 4), distance = tex_etc_distances[(high >> 1 & 6) | (high & 1)];
    struct tex_palette palette;
    V_UNROLL
    for (unsigned p = 0; p < TEX_PALETTE_VECTORS; p++) {
        const vi32 entry = tex_palette_entry(p);
        const vu32 base = v_select_u32((vi32)(entry == 0), v_splat_u32(base1), v_splat_u32(base2));
        const vu32 modifier = v_splat_u32(distance) & (vu32)((entry & 1) != 0);
        const vu32 color =
            v_select_u32((vi32)((entry & 2) != 0), tex_bytes_difference(base, modifier), tex_bytes_sum(base, modifier));
        tex_palette_put(&palette, p, tex_etc_with_alpha(color, entry, opaque));
    }
    tex_etc_texels(&palette, low, TEX_ETC_WHOLE, texel);
}

/* `H' mode: each base colour with the distance added and taken away. The distance's lowest index bit says whether the
 * first colour is at least the second; their four-bit channels compare as the extended ones do. */
OPS_INLINE void tex_etc_h(uint32_t high, uint32_t low, bool opaque, uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const uint32_t rgb1 =
        (high >> 19 & 0xf00) | (high >> 19 & 0xe0) | (high >> 16 & 0x10) | (high >> 16 & 8) | (high >> 15 & 7);
    const uint32_t rgb2 = high >> 3 & 0xfff;
    const uint32_t distance = tex_etc_distances[(high & 4) | (high << 1 & 2) | (rgb1 >= rgb2)];
    const uint32_t base1 = tex_etc_extend444(rgb1), base2 = tex_etc_extend444(rgb2);
    struct tex_palette palette;
    V_UNROLL
    for (unsigned p = 0; p < TEX_PALETTE_VECTORS; p++) {
        const vi32 entry = tex_palette_entry(p);
        const vu32 base = v_select_u32((vi32)((entry & 2) != 0), v_splat_u32(base2), v_splat_u32(base1));
        const vu32 color = v_select_u32((vi32)((entry & 1) != 0), tex_bytes_difference(base, v_splat_u32(distance)),
                                        tex_bytes_sum(base, v_splat_u32(distance)));
        tex_palette_put(&palette, p, tex_etc_with_alpha(color, entry, opaque));
    }
    tex_etc_texels(&palette, low, TEX_ETC_WHOLE, texel);
}

/* One channel of `planar' mode: (x * (h - o) + y * (v - o) + 4 * o + 2) >> 2, held between 0 and 255. */
OPS_INLINE vu32 tex_etc_plane(unsigned v, uint32_t origin, uint32_t horizontal, uint32_t vertical)
{
    const vu32 place = (vu32)(tex_tile_x(v) | tex_tile_y(v) << 16);
    const uint32_t slopes = ((horizontal - origin) & 0xffff) | (vertical - origin) << 16;
    vi32 level = (v_dot_halves_i32(place, v_splat_u32(slopes)) + (int32_t)(4 * origin + 2)) >> 2;
    level = v_max_i32(level, v_splat_i32(0));
    return (vu32)v_min_i32(level, v_splat_i32(255));
}
OPS_INLINE uint32_t tex_etc_extend6(uint32_t code) { return (code & 63) << 2 | (code >> 4 & 3); }
OPS_INLINE uint32_t tex_etc_extend7(uint32_t code) { return (code & 127) << 1 | (code >> 6 & 1); }
OPS_INLINE void tex_etc_planar(uint32_t high, uint32_t low, uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const uint32_t red = tex_etc_extend6(high >> 25);
    const uint32_t green = tex_etc_extend7((high >> 18 & 0x40) | (high >> 17 & 0x3f));
    const uint32_t blue = tex_etc_extend6((high >> 11 & 0x20) | (high >> 8 & 0x18) | (high >> 7 & 7));
    const uint32_t red_h = tex_etc_extend6((high >> 1 & 0x3e) | (high & 1));
    const uint32_t green_h = tex_etc_extend7(low >> 25), blue_h = tex_etc_extend6(low >> 19);
    const uint32_t red_v = tex_etc_extend6(low >> 13), green_v = tex_etc_extend7(low >> 6);
    const uint32_t blue_v = tex_etc_extend6(low);
    V_UNROLL
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) {
        const vu32 r = tex_etc_plane(v, red, red_h, red_v), g = tex_etc_plane(v, green, green_h, green_v);
        const vu32 b = tex_etc_plane(v, blue, blue_h, blue_v);
        v_store_u32(texel + v * SCH_LANES, r | g << 8 | b << 16 | 0xff000000u);
    }
}

/* Sections "Format RGB ETC2" and "Format RGB ETC2 with punchthrough alpha": words of red, green, blue and alpha, red
 * lowest. With punchthrough alpha bit 33 is the opaque bit, and there is no `individual' mode.
 *
 * Bytes 0, 1 and 2 are red, green and blue: five bits and a difference of -4 to 3. `sums` has 32 more than each sum,
 * which is 28 to 66: bits 7 to 5 of a byte are 001 where the sum is 0 to 31. */
OPS_INLINE void tex_etc2_tile(const uint32_t block[2], bool punch_through, uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const uint32_t high = tex_etc_bits(block[0]), low = tex_etc_bits(block[1]), rgb = block[0] & 0xffffff;
    const bool set = high & 2, opaque = set || !punch_through;
    if (!set && !punch_through) {
        tex_etc_subblocks(tex_etc_extend4(rgb >> 4 & 0x0f0f0f), tex_etc_extend4(rgb & 0x0f0f0f), high, low, true,
                          texel);
        return;
    }
    const uint32_t sums = (rgb >> 3 & 0x1f1f1f) + ((rgb & 0x070707) ^ 0x040404) + 0x1c1c1c;
    const uint32_t outside = (sums & 0xe0e0e0) ^ 0x202020;
    if (outside & 0xff)
        tex_etc_t(high, low, opaque, texel);
    else if (outside & 0xff00)
        tex_etc_h(high, low, opaque, texel);
    else if (outside)
        tex_etc_planar(high, low, texel);
    else
        tex_etc_subblocks(tex_etc_extend5(rgb & 0xf8f8f8), tex_etc_extend5(sums << 3 & 0xf8f8f8), high, low, opaque,
                          texel);
}

/* ETC2 is "a superset of the older ETC1 format", and what ETC1 leaves undefined is its other modes: one decoder. */
OPS_INLINE void tex_etc1_tile(const uint32_t block[2], uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    tex_etc2_tile(block, false, texel);
}

/* ---- EAC ---- */

/* "Intensity modifier sets for RGBA ETC2 alpha component". A vector of 16 lanes reads on after a row; lanes beyond
 * the eighth do not count. */
static const int32_t tex_eac_modifiers[16 + 1][8] __attribute__((unused)) = {{-3, -6, -9, -15, 2, 5, 8, 14},
                                                                             {-3, -7, -10, -13, 2, 6, 9, 12},
                                                                             {-2, -5, -8, -13, 1, 4, 7, 12},
                                                                             {-2, -4, -6, -13, 1, 3, 5, 12},
                                                                             {-3, -6, -8, -12, 2, 5, 7, 11},
                                                                             {-3, -7, -9, -11, 2, 6, 8, 10},
                                                                             {-4, -7, -8, -11, 3, 6, 7, 10},
                                                                             {-3, -5, -8, -11, 2, 4, 7, 10},
                                                                             {-2, -6, -8, -10, 1, 5, 7, 9},
                                                                             {-2, -5, -8, -10, 1, 4, 7, 9},
                                                                             {-2, -4, -8, -10, 1, 3, 7, 9},
                                                                             {-2, -5, -7, -10, 1, 4, 6, 9},
                                                                             {-3, -4, -7, -10, 2, 3, 6, 9},
                                                                             {-1, -2, -3, -10, 0, 1, 2, 9},
                                                                             {-4, -6, -8, -9, 3, 5, 7, 8},
                                                                             {-3, -5, -7, -9, 2, 4, 6, 8},
                                                                             {0}};

/* base + multiplier * modifier of the block's table, held between low and high. */
struct tex_eac {
    int32_t base, multiplier, low, high;
};
OPS_INLINE void tex_eac_palette(const struct tex_eac *eac, uint32_t high, struct tex_palette *palette)
{
    const int32_t *table = tex_eac_modifiers[high >> 16 & 15];
    V_UNROLL
    for (unsigned p = 0; p < TEX_PALETTE_VECTORS; p++) {
        const vu32 modifier = v_load_u32(table + p * SCH_LANES);
        vi32 value = v_dot_halves_i32(modifier, v_splat_u32((uint32_t)eac->multiplier)) + eac->base;
        value = v_max_i32(value, v_splat_i32(eac->low));
        value = v_min_i32(value, v_splat_i32(eac->high));
        tex_palette_put(palette, p, (vu32)value);
    }
}

/* Three bits a texel, column by column from the highest on: those of columns 0 and 1 are bits 47 to 24, those of
 * columns 2 and 3 the rest. */
OPS_INLINE vi32 tex_eac_number(unsigned v, uint32_t high, uint32_t low)
{
    const vi32 x = tex_tile_x(v), y = tex_tile_y(v);
    const vu32 bits = v_select_u32((vi32)(x < 2), v_splat_u32(high << 8 | low >> 24), v_splat_u32(low));
    return (vi32)(bits >> (vu32)(21 - 3 * (4 * (x & 1) + y))) & 7;
}

/* Section "Format RGBA ETC2": alpha, and then the colour's block. A multiplier of 0 is 0. */
OPS_INLINE void tex_etc2_rgba_tile(const uint32_t block[4], uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const uint32_t high = tex_etc_bits(block[0]), low = tex_etc_bits(block[1]);
    const struct tex_eac eac = {(int32_t)(high >> 24), (int32_t)(high >> 20 & 15), 0, 255};
    struct tex_palette palette;
    tex_etc2_tile(block + 2, false, texel);
    tex_eac_palette(&eac, high, &palette);
    V_UNROLL
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) {
        const vu32 alpha = tex_palette_at(&palette, tex_eac_number(v, high, low));
        const vu32 color = v_load_u32(texel + v * SCH_LANES) & 0xffffffu;
        v_store_u32(texel + v * SCH_LANES, color | alpha << 24);
    }
}

/* Sections "Format Unsigned R11 EAC" and "Format Signed R11 EAC": adds a channel to the words of the tile, 16 bits from
 * bit `shift` on, which are zero before: 0 to 2047, or the two's complement of -1023 to 1023. A multiplier of 0 is an
 * eighth. A signed base of -128 is -127. */
OPS_INLINE void tex_eac_tile(const uint32_t block[2], bool is_signed, unsigned shift,
                             uint32_t texel[SCH_TEXEL_TILE_TEXELS])
{
    const uint32_t high = tex_etc_bits(block[0]), low = tex_etc_bits(block[1]);
    const int32_t eighths = (int32_t)(high >> 20 & 15) * 8, base = (int32_t)high >> 24;
    struct tex_eac eac = {(int32_t)(high >> 24) * 8 + 4, eighths ? eighths : 1, 0, 2047};
    if (is_signed) {
        eac.base = (base < -127 ? -127 : base) * 8;
        eac.low = -1023;
        eac.high = 1023;
    }
    struct tex_palette palette;
    tex_eac_palette(&eac, high, &palette);
    V_UNROLL
    for (unsigned v = 0; v < TEX_TILE_VECTORS; v++) {
        const vu32 code = tex_palette_at(&palette, tex_eac_number(v, high, low)) & 0xffffu;
        v_store_u32(texel + v * SCH_LANES, v_load_u32(texel + v * SCH_LANES) | code << (uint32_t)shift);
    }
}

#endif
