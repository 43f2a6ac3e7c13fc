/* Texels that are one of up to eight words: what decoders of blocks do last, whatever made the words. Holds: the words,
 * and how sixteen numbers of them become texels; arithmetic on bytes. Must not hold: the layout of any block. */
#ifndef SCH_OPS_TEXTURE_PALETTE_H
#define SCH_OPS_TEXTURE_PALETTE_H

#include "abi/texel_tiles.h"
#include "ops/op.h"

/* Vector v of a tile has the texels from v * SCH_LANES on. */
enum { TEX_TILE_VECTORS = SCH_TEXEL_TILE_TEXELS / SCH_LANES };
OPS_INLINE vi32 tex_tile_texel(unsigned v) { return v_lane_i32() + (int32_t)(v * SCH_LANES); }
OPS_INLINE vi32 tex_tile_x(unsigned v) { return tex_tile_texel(v) & 3; }
OPS_INLINE vi32 tex_tile_y(unsigned v) { return tex_tile_texel(v) >> 2; }

/* Words are made a vector at a time: vector p has those from p * SCH_LANES on, and lanes beyond the eighth do not
 * count. Machines that permute lanes keep them in a register, the others in memory. */
enum { TEX_PALETTE_WORDS = 8, TEX_PALETTE_VECTORS = SCH_LANES < TEX_PALETTE_WORDS ? TEX_PALETTE_WORDS / SCH_LANES : 1 };
struct tex_palette {
#ifdef V_PERMUTE
    vu32 word;
#else
    uint32_t word[TEX_PALETTE_VECTORS * SCH_LANES];
#endif
};
OPS_INLINE vi32 tex_palette_entry(unsigned p) { return v_lane_i32() + (int32_t)(p * SCH_LANES); }

OPS_INLINE void tex_palette_put(struct tex_palette *palette, unsigned p, vu32 word)
{
#ifdef V_PERMUTE
    (void)p;
    palette->word = word;
#else
    v_store_u32(palette->word + p * SCH_LANES, word);
#endif
}

/* Every lane's word; numbers are 0 to 7. */
OPS_INLINE vu32 tex_palette_at(const struct tex_palette *palette, vi32 number)
{
#ifdef V_PERMUTE
    return v_permute_u32(palette->word, number);
#else
    uint32_t word[SCH_LANES]; /* through memory: compilers are slow at single lanes of vectors that are not registers */
    v_store_i32(word, number);
    V_EACH_LANE(i) word[i] = palette->word[word[i]];
    return v_load_u32(word);
#endif
}

/* Texels of 24-bit halves of three-bit numbers, eight in each, the first lowest. */
OPS_INLINE vi32 tex_tile_three_bits(unsigned v, uint32_t first, uint32_t second)
{
    const vi32 texel = tex_tile_texel(v);
    const vu32 half = v_select_u32((vi32)(texel < 8), v_splat_u32(first), v_splat_u32(second));
    return (vi32)(half >> (vu32)(3 * (texel & 7)) & 7u);
}

/* Four numbers of 8 bits in each word, held between 0 and 255. */
typedef uint8_t tex_bytes __attribute__((vector_size(sizeof(vu32))));
OPS_INLINE vu32 tex_bytes_sum(vu32 a, vu32 b)
{
    const tex_bytes sum = (tex_bytes)a + (tex_bytes)b;
    return (vu32)(sum | (tex_bytes)(sum < (tex_bytes)a));
}
OPS_INLINE vu32 tex_bytes_difference(vu32 a, vu32 b)
{
    const tex_bytes difference = (tex_bytes)a - (tex_bytes)b;
    return (vu32)(difference & (tex_bytes)((tex_bytes)b <= (tex_bytes)a));
}

#endif
