/* Texels of compressed blocks, by way of the thread's decoded tiles (abi/texel_tiles.h): which tile a texel is in, where the
 * cache has it, and loads of vectors of texels. Holds no decoding of blocks (ops/texture/blocks.c) and no filters. */
#ifndef SCH_OPS_TEXTURE_TILE_H
#define SCH_OPS_TEXTURE_TILE_H

#include "ops/op.h"
#include "ops/texture/format.h"

/* A block's bytes as little-endian words, or those of a decoded texel. */
struct tex_raw {
    vu32 word[4];
};

/* The place that a tile's name chooses: neighbours in a slice have places of their own, in caches of any size. */
OPS_INLINE uint32_t tex_tile_place(const struct sch_texel_tiles *tiles, const uint8_t *texels, uint32_t column,
                                   uint32_t row)
{
    enum { ROW_STEP = 37, MIX = 40503 };
    uint32_t level = (uint32_t)((uintptr_t)texels >> 4) * MIX >> 7;
    return (column + row * ROW_STEP + level) & tiles->last;
}

/* The tile in a column and a row of tiles, decoded if the cache does not have it. It stays until the next one is asked
 * for. */
OPS_INLINE const struct sch_texel_tile *tex_tile(struct sch_texel_tiles *tiles, unsigned format,
                                                 const struct sch_texture_level *level, uint32_t slice, uint32_t column,
                                                 uint32_t row)
{
    const uint8_t *texels = level->texels + slice * level->slice_bytes;
    uint32_t place = tex_tile_place(tiles, texels, column, row), at = column | row << 16;
    struct sch_texel_tile_name *name = &tiles->names[place];
    struct sch_texel_tile *tile = &tiles->tiles[place];
    if (V_LIKELY(name->texels == texels && name->column_row == at && name->format == format)) return tile;
    *name = (struct sch_texel_tile_name){texels, at, format};
    tiles->decode(format, level, slice, column, row, tile);
    return tile;
}

/* Texels of a plane of a tile by their numbers. */
OPS_INLINE vu32 tex_tile_words(const uint32_t *plane, vi32 number, vi32 mask)
{
#if defined(V_PERMUTE) && SCH_LANES == 16
    (void)mask;
    return v_permute_u32(v_load_u32(plane), number);
#elif defined(V_PERMUTE)
    (void)mask;
    return v_permute2_u32(v_load_u32(plane), v_load_u32(plane + SCH_LANES), number);
#else
    return v_gather_u32(plane, number, mask);
#endif
}

/* Where texels of a vector are: their tiles' columns and rows, and their numbers in the tiles. */
struct tex_tiled {
    vi32 column_row, number, slice;
};

OPS_INLINE struct tex_tiled tex_tiled_of(vi32 x, vi32 y, vi32 slice)
{
    return (struct tex_tiled){
        .column_row = (x >> 2) | (y >> 2) << 16, .number = (x & 3) | (y & 3) << 2, .slice = slice};
}

/* One tile: its texels of all vectors. */
OPS_INLINE void tex_tile_take(const struct sch_texel_tile *tile, unsigned words, unsigned count,
                              const struct tex_tiled *at, vi32 column_row, vi32 slice, uint32_t *left,
                              struct tex_raw *raw)
{
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        vi32 lanes = (vi32)(at[n].column_row == column_row) & (vi32)(at[n].slice == slice);
        left[n] &= ~v_mask_bits(lanes);
        OPS_UNROLL
        for (unsigned w = 0; w < words; w++)
            raw[n].word[w] = v_select_u32(lanes, tex_tile_words(tile->word[w], at[n].number, lanes), raw[n].word[w]);
    }
}

/* `count` vectors of texels, those of the lanes that are needed; 0 in the others. A footprint has few tiles, whatever
 * its shape: each is found once for all corners and lanes. */
OPS_SHARED void tex_tiles_load(unsigned format, const struct sch_texture_level *level, struct sch_texel_tiles *tiles,
                               unsigned count, const struct tex_tiled *at, const vi32 *needed, struct tex_raw *raw)
{
    const unsigned words = tex_formats[format].words;
    uint32_t left[8];
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        left[n] = v_mask_bits(needed[n]);
        raw[n] = (struct tex_raw){{v_splat_u32(0), v_splat_u32(0), v_splat_u32(0), v_splat_u32(0)}};
    }
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        while (left[n]) {
            const unsigned first = (unsigned)__builtin_ctz(left[n]);
            const uint32_t name = (uint32_t)at[n].column_row[first], slice = (uint32_t)at[n].slice[first];
            const struct sch_texel_tile *tile = tex_tile(tiles, format, level, slice, name & 0xffff, name >> 16);
            tex_tile_take(tile, words, count - n, at + n, v_splat_i32((int32_t)name), v_splat_i32((int32_t)slice),
                          left + n, raw + n);
        }
        OPS_UNROLL
        for (unsigned w = 0; w < words; w++) raw[n].word[w] &= (vu32)needed[n];
    }
}

/* One vector of texels, as tex_texel_load() of ops/texture/decode.h. */
OPS_INLINE struct tex_raw tex_tile_load(unsigned format, const struct sch_texture_level *level,
                                        struct sch_texel_tiles *tiles, vi32 x, vi32 y, vi32 slice, vi32 mask)
{
    const struct tex_tiled at = tex_tiled_of(x, y, slice);
    struct tex_raw raw;
    tex_tiles_load(format, level, tiles, 1, &at, &mask, &raw);
    return raw;
}

#endif
