/* Texels of compressed blocks, by way of the thread's decoded tiles (abi/texel_tiles.h): which tile a texel is in,
 * where the cache has it, and loads of vectors of texels. Holds no decoding of blocks (ops/texture/blocks.c) and no
 * filters. */
#ifndef SCH_OPS_TEXTURE_TILE_H
#define SCH_OPS_TEXTURE_TILE_H

#include "ops/op.h"
#include "ops/texture/format.h"

/* A block's bytes as little-endian words, or those of a decoded texel. */
struct tex_raw {
    vu32 word[4];
};

/* A slice of a level, and the thread's tiles of it, or its own. */
struct tex_tile_source {
    struct sch_texel_tiles *tiles;
    const struct sch_texture_level *level;
    const uint8_t *texels;         /* the slice's first block */
    const uint32_t *decoded;       /* NULL, or its first tile */
    uint32_t across;               /* where it is decoded: tiles in a row */
    uint32_t slice, format, first; /* the place of its first tile, not yet brought into the cache's size */
};

/* Words of a tile that is kept in memory. */
OPS_INLINE uint32_t tex_tile_plane_words(unsigned format)
{
    return (uint32_t)tex_formats[format].words * SCH_TEXEL_TILE_TEXELS;
}

OPS_INLINE struct tex_tile_source tex_tile_source_of(struct sch_texel_tiles *tiles, unsigned format,
                                                     const struct sch_texture_level *level, uint32_t slice)
{
    enum { MIX = 40503 };
    const uint8_t *texels = level->texels + slice * level->slice_bytes;
    const uint32_t across = sch_texel_tiles_across(level->width);
    const uint64_t before = (uint64_t)slice * sch_texel_tiles_across(level->height) * across;
    return (struct tex_tile_source){.tiles = tiles,
                                    .level = level,
                                    .texels = texels,
                                    .decoded =
                                        level->decoded ? level->decoded + before * tex_tile_plane_words(format) : NULL,
                                    .across = across,
                                    .slice = slice,
                                    .format = format,
                                    .first = (uint32_t)((uintptr_t)texels >> 4) * MIX >> 7};
}

/* The place in the cache of the tile in a column and a row of tiles. The step from row to row keeps neighbours apart,
 * whether they make a square, a band or a slope, and in caches of 16 tiles, too. */
OPS_INLINE uint32_t tex_tile_place(const struct tex_tile_source *source, uint32_t column, uint32_t row)
{
    enum { ROW_STEP = 653 };
    return (source->first + column + row * ROW_STEP) & source->tiles->last;
}

/* The planes of the tile in a column and a row, if it is there; false: they are another one's. Nothing branches but on
 * whether the slice is decoded. */
OPS_INLINE bool tex_tile_find(const struct tex_tile_source *source, uint32_t column_row, const uint32_t **planes)
{
    const uint32_t column = column_row & 0xffff, row = column_row >> 16;
    if (source->decoded) {
        *planes = source->decoded + ((uint64_t)row * source->across + column) * tex_tile_plane_words(source->format);
        return true;
    }
    const uint32_t place = tex_tile_place(source, column, row);
    const struct sch_texel_tile_name *name = &source->tiles->names[place];
    *planes = source->tiles->tiles[place].word[0];
    return (((uintptr_t)name->texels ^ (uintptr_t)source->texels) |
            ((name->column_row ^ column_row) | (name->format ^ source->format))) == 0;
}

/* The planes of a tile that is not there. */
OPS_INLINE const uint32_t *tex_tile_make(const struct tex_tile_source *source, uint32_t column_row)
{
    const uint32_t column = column_row & 0xffff, row = column_row >> 16;
    const uint32_t place = tex_tile_place(source, column, row);
    struct sch_texel_tile *tile = &source->tiles->tiles[place];
    source->tiles->names[place] = (struct sch_texel_tile_name){source->texels, column_row, source->format};
    source->tiles->decode(source->format, source->level, source->slice, column, row, tile);
    return tile->word[0];
}

/* The planes of a tile, decoded if the cache does not have it. They stay until another one is asked for that is not
 * beside it in its row. */
OPS_INLINE const uint32_t *tex_tile(const struct tex_tile_source *source, uint32_t column_row)
{
    const uint32_t *planes;
    if (V_LIKELY(tex_tile_find(source, column_row, &planes))) return planes;
    return tex_tile_make(source, column_row);
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

/* Vectors of texels that are loaded together: the corners of a lookup, or of two. */
enum { TEX_TILED = 8 };

/* Where texels of a vector are: their tiles' columns and rows, and their numbers in the tiles. */
struct tex_tiled {
    vi32 column_row, number, slice;
};

OPS_INLINE struct tex_tiled tex_tiled_of(vi32 x, vi32 y, vi32 slice)
{
    return (struct tex_tiled){
        .column_row = (x >> 2) | (y >> 2) << 16, .number = (x & 3) | (y & 3) << 2, .slice = slice};
}

/* One tile: its texels of all vectors. `lanes` is of those that are in the slice. */
OPS_INLINE void tex_tile_take(const uint32_t *planes, unsigned words, unsigned count, const struct tex_tiled *at,
                              vi32 lanes, uint32_t column_row, struct tex_raw *raw)
{
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        vi32 here = lanes & (vi32)(at[n].column_row == (int32_t)column_row);
        OPS_UNROLL
        for (unsigned w = 0; w < words; w++)
            raw[n].word[w] = v_select_u32(here, tex_tile_words(planes + w * SCH_TEXEL_TILE_TEXELS, at[n].number, here),
                                          raw[n].word[w]);
    }
}

/* The columns and rows of the tiles that lanes need: from `least` to `greatest`, each half of a word by itself. */
struct tex_tile_box {
    uint32_t least, greatest;
};

OPS_INLINE struct tex_tile_box tex_tile_box_of(unsigned count, const struct tex_tiled *at, const vi32 *needed)
{
    vu32 least = v_splat_u32(UINT32_MAX), negated = least; /* the greatest number has the least complement */
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        least = v_min_halves_u32(least, (vu32)(at[n].column_row | ~needed[n]));
        negated = v_min_halves_u32(negated, (vu32)(~at[n].column_row | ~needed[n]));
    }
    return (struct tex_tile_box){v_least_halves_u32(least), ~v_least_halves_u32(negated)};
}

/* The lanes of one slice, whose tiles are all of a small box: one after the other, or two where a vector is as large as
 * a tile, without asking which lanes need them. */
#if defined(V_PERMUTE) && SCH_LANES == 16
OPS_INLINE void tex_tiles_of_box(const struct tex_tile_source *source, unsigned count, const struct tex_tiled *at,
                                 const struct tex_tile_box *box, vi32 lanes, struct tex_raw *raw)
{
    const unsigned words = tex_formats[source->format].words;
    const uint32_t first = box->least & 0xffff, last = box->greatest & 0xffff, last_row = box->greatest >> 16;
    vi32 pair[TEX_TILED], number[TEX_TILED]; /* the left tile of a lane's two, and the texel of their 32 */
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        const vi32 right = (at[n].column_row - (int32_t)first) & 1;
        pair[n] = at[n].column_row - right;
        number[n] = at[n].number | right << 4;
    }
    for (uint32_t row = box->least >> 16; row <= last_row; row++)
        for (uint32_t column = first; column <= last; column += 2) {
            const uint32_t *left = tex_tile(source, column | row << 16);
            const uint32_t *right = column < last ? tex_tile(source, (column + 1) | row << 16) : left;
            OPS_UNROLL
            for (unsigned n = 0; n < count; n++) {
                const vi32 here = lanes & (vi32)(pair[n] == (int32_t)(column | row << 16));
                OPS_UNROLL
                for (unsigned w = 0; w < words; w++) {
                    const vu32 texels = v_permute2_u32(v_load_u32(left + w * SCH_TEXEL_TILE_TEXELS),
                                                       v_load_u32(right + w * SCH_TEXEL_TILE_TEXELS), number[n]);
                    raw[n].word[w] = v_select_u32(here, texels, raw[n].word[w]);
                }
            }
        }
}
#else
OPS_INLINE void tex_tiles_of_box(const struct tex_tile_source *source, unsigned count, const struct tex_tiled *at,
                                 const struct tex_tile_box *box, vi32 lanes, struct tex_raw *raw)
{
    const unsigned words = tex_formats[source->format].words;
    const uint32_t last_row = box->greatest >> 16, last_column = box->greatest & 0xffff;
    for (uint32_t row = box->least >> 16; row <= last_row; row++)
        for (uint32_t column = box->least & 0xffff; column <= last_column; column++)
            tex_tile_take(tex_tile(source, column | row << 16), words, count, at, lanes, column | row << 16, raw);
}
#endif

/* The lanes of one slice, tile by tile as lanes name them: each for all vectors. */
OPS_INLINE void tex_tiles_of_lanes(const struct tex_tile_source *source, unsigned count, const struct tex_tiled *at,
                                   const vi32 *needed, struct tex_raw *raw)
{
    const unsigned words = tex_formats[source->format].words;
    uint32_t left[TEX_TILED];
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) left[n] = v_mask_bits(needed[n]);
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) {
        while (left[n]) {
            const uint32_t name = (uint32_t)at[n].column_row[__builtin_ctz(left[n])];
            const uint32_t *planes = tex_tile(source, name);
            OPS_UNROLL
            for (unsigned m = n; m < count; m++) {
                vi32 here = (vi32)(at[m].column_row == (int32_t)name);
                left[m] &= ~v_mask_bits(here);
                here &= needed[m];
                OPS_UNROLL
                for (unsigned w = 0; w < words; w++)
                    raw[m].word[w] = v_select_u32(
                        here, tex_tile_words(planes + w * SCH_TEXEL_TILE_TEXELS, at[m].number, here), raw[m].word[w]);
            }
        }
    }
}

/* Texels of one slice: those of the lanes on the mask. */
OPS_INLINE void tex_tiles_of_slice(const struct tex_tile_source *source, unsigned count, const struct tex_tiled *at,
                                   const vi32 *needed, vi32 lanes, struct tex_raw *raw)
{
    enum { BOX = 10 };
    vi32 here[TEX_TILED];
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) here[n] = needed[n] & lanes;
    const struct tex_tile_box box = tex_tile_box_of(count, at, here);
    const uint32_t side = box.greatest - box.least; /* no half borrows of the other */
    if (((side & 0xffff) + 1) * ((side >> 16) + 1) <= BOX)
        tex_tiles_of_box(source, count, at, &box, lanes, raw);
    else
        tex_tiles_of_lanes(source, count, at, here, raw);
}

/* Which slices the texels of a load are in. */
enum tex_slices {
    TEX_SLICE_ONE,   /* all in the first */
    TEX_SLICES,      /* those of a lane in one */
    TEX_SLICES_APART /* any */
};

/* `count` vectors of texels, those of the lanes that are needed; 0 in the others. */
OPS_SHARED void tex_tiles_load(unsigned format, const struct sch_texture_level *level, struct sch_texel_tiles *tiles,
                               unsigned count, enum tex_slices slices, const struct tex_tiled *at, const vi32 *needed,
                               struct tex_raw *raw)
{
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++)
        raw[n] = (struct tex_raw){{v_splat_u32(0), v_splat_u32(0), v_splat_u32(0), v_splat_u32(0)}};
    if (slices == TEX_SLICE_ONE) {
        vi32 any = needed[0];
        OPS_UNROLL
        for (unsigned n = 1; n < count; n++) any |= needed[n];
        const struct tex_tile_source source = tex_tile_source_of(tiles, format, level, 0);
        if (v_any(any)) tex_tiles_of_slice(&source, count, at, needed, v_splat_i32(-1), raw);
    }
    const unsigned together = slices == TEX_SLICES_APART ? 1 : count;
    OPS_UNROLL
    for (unsigned first = 0; slices != TEX_SLICE_ONE && first < count; first += together) {
        vi32 left = needed[first];
        OPS_UNROLL
        for (unsigned n = 1; n < together; n++) left |= needed[first + n];
        while (v_any(left)) {
            const int32_t slice = at[first].slice[__builtin_ctz(v_mask_bits(left))];
            const vi32 lanes = (vi32)(at[first].slice == slice) & left;
            const struct tex_tile_source source = tex_tile_source_of(tiles, format, level, (uint32_t)slice);
            tex_tiles_of_slice(&source, together, at + first, needed + first, lanes, raw + first);
            left &= ~lanes;
        }
    }
    OPS_UNROLL
    for (unsigned n = 0; n < count; n++) OPS_UNROLL
    for (unsigned w = 0; w < SCH_TEXEL_TILE_WORDS; w++) raw[n].word[w] &= (vu32)needed[n];
}

/* One vector of texels, as tex_texel_load() of ops/texture/decode.h. */
OPS_INLINE struct tex_raw tex_tile_load(unsigned format, const struct sch_texture_level *level,
                                        struct sch_texel_tiles *tiles, vi32 x, vi32 y, vi32 slice, vi32 mask)
{
    const struct tex_tiled at = tex_tiled_of(x, y, slice);
    struct tex_raw raw;
    tex_tiles_load(format, level, tiles, 1, TEX_SLICES, &at, &mask, &raw);
    return raw;
}

#endif
