/* Tiles: squares of 4 by 4 texels of a level whose texels are in compressed blocks, decoded. A thread keeps some of
 * them, so that neighbouring lookups decode a block once. Shared by who owns the memory (src/exec, src/texture), the
 * operations that look texels up and decode blocks (src/ops), and machine code. What blocks mean: docs/blocks.md. */
#ifndef SCH_ABI_TEXEL_TILES_H
#define SCH_ABI_TEXEL_TILES_H

#include <stddef.h>
#include <stdint.h>

struct sch_texture_level;

/* Word i of the texel in column x and row y is word[i][x + 4 * y], in the layout that the format's row gives decoded
 * texels (src/ops/texture/formats.def). Formats of texels of one word leave the second plane alone. */
enum { SCH_TEXEL_TILE_SIDE = 4, SCH_TEXEL_TILE_TEXELS = 16, SCH_TEXEL_TILE_WORDS = 2 };
struct sch_texel_tile {
    uint32_t word[SCH_TEXEL_TILE_WORDS][SCH_TEXEL_TILE_TEXELS];
};

/* Decodes the tile in column `column` and row `row` of tiles of a slice, in a format of blocks (enum sch_format). The
 * tile has texels inside of the level; what the others become is undefined. */
typedef void sch_texel_tile_decode_fn(unsigned format, const struct sch_texture_level *level, uint32_t slice,
                                      uint32_t column, uint32_t row, struct sch_texel_tile *tile);

/* Levels of resources that are kept decoded have all of their tiles in memory, and the cache has no part in them: row
 * by row, then slice by slice, each as many planes as the format's texels have words. */
static inline uint32_t sch_texel_tiles_across(uint32_t texels)
{
    return texels / SCH_TEXEL_TILE_SIDE + (texels % SCH_TEXEL_TILE_SIDE != 0);
}

/* Which tile is in a place of the cache: `texels` NULL: none. */
struct sch_texel_tile_name {
    const uint8_t *texels; /* the slice's first block */
    uint32_t column_row;   /* column | row << 16 */
    uint32_t format;
};

/* The tiles that one thread keeps, each in the place that its name chooses. They are those of the memory that the names
 * point to: who writes there, or frees it, forgets them (sch_texel_tiles_forget). */
struct sch_texel_tiles {
    sch_texel_tile_decode_fn *decode; /* of any level: they give the same bits */
    struct sch_texel_tile_name *names;
    struct sch_texel_tile *tiles;
    uint32_t last; /* count - 1; the count is a power of two */
};

/* How many a thread of a run keeps: 576 KiB. A picture of 1024 pixels across that turns a texture as large needs half
 * of them to decode hardly a block twice; three places of it that are looked up together need the rest. */
enum { SCH_TEXEL_TILES_OF_RUN = 4096 };

/* A few, for lookups by themselves, on the stack. */
enum { SCH_TEXEL_TILES_FEW = 16 };
struct sch_few_texel_tiles {
    struct sch_texel_tiles kept;
    struct sch_texel_tile_name names[SCH_TEXEL_TILES_FEW];
    struct sch_texel_tile tiles[SCH_TEXEL_TILES_FEW];
};

static inline void sch_texel_tiles_forget(struct sch_texel_tiles *tiles)
{
    for (uint32_t i = 0; i <= tiles->last; i++) tiles->names[i].texels = NULL;
}

static inline struct sch_texel_tiles *sch_few_texel_tiles_init(struct sch_few_texel_tiles *few,
                                                               sch_texel_tile_decode_fn *decode)
{
    few->kept = (struct sch_texel_tiles){decode, few->names, few->tiles, SCH_TEXEL_TILES_FEW - 1};
    sch_texel_tiles_forget(&few->kept);
    return &few->kept;
}

#endif
