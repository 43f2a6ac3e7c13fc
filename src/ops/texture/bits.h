/* Fields of blocks of 128 bits whose places are in tables. Holds how a field is found and read; holds no format's
 * layout. */
#ifndef SCH_OPS_TEXTURE_BITS_H
#define SCH_OPS_TEXTURE_BITS_H

#include "ops/op.h"

/* Bit 8 * byte + shift of a block, from which the eight bytes at `byte` are still the block's. */
struct tex_place {
    uint8_t byte, shift;
};
#define TEX_PLACE_BYTE(at) ((at) < 64 ? (at) / 8 : 8)
#define TEX_PLACE(at)                                                                                                  \
    {                                                                                                                  \
        TEX_PLACE_BYTE(at), (at)-8 * TEX_PLACE_BYTE(at)                                                                \
    }

/* The bits from a place on, its own lowest: at least 57, or those to the block's end. Above them are zeros. */
OPS_INLINE uint64_t tex_bits(const uint32_t block[4], struct tex_place place)
{
    return *(const v_mem1_u64 *)((const char *)block + place.byte) >> place.shift;
}

/* Word number[i] of the block, 0 to 3, in lane i. */
OPS_INLINE vu32 tex_block_words(const uint32_t block[4], vu32 number)
{
#if defined(V_PERMUTE)
    return v_permute_u32(v_quad_splat_u32(block), (vi32)number);
#else
    return v_gather_near_u32(block, (vi32)(number << 2));
#endif
}

#endif
