/* Texels that are one of up to eight words: what decoders of blocks do last, whatever made the words. Holds: the words,
 * and how sixteen numbers of them become texels. Must not hold: the layout of any block. */
#ifndef SCH_OPS_TEXTURE_PALETTE_H
#define SCH_OPS_TEXTURE_PALETTE_H

#include "ops/op.h"

/* Texels come a row after the other (abi/tiles.h): vector v of a tile has those from v * SCH_LANES on. */
enum { TEX_TILE_TEXELS = 16, TEX_TILE_VECTORS = TEX_TILE_TEXELS / SCH_LANES };
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

#endif
