/* Tiles: squares of 4 by 4 texels of a level whose texels stand in compressed blocks, decoded. A thread keeps some of
 * them, so that neighbouring lookups decode a block once. Shared by who owns the memory (src/exec, src/texture), the
 * operations that look texels up and decode blocks (src/ops), and machine code. What blocks mean: docs/blocks.md. */
#ifndef SCH_ABI_TILES_H
#define SCH_ABI_TILES_H

#include <stdint.h>

struct sch_texture_level;

/* Word i of the texel in column x and row y is word[i][x + 4 * y], in the layout that the format's row gives decoded
 * texels (src/ops/texture/formats.def). Formats of texels of one word leave the second plane alone. */
enum { SCH_TILE_SIDE = 4, SCH_TILE_TEXELS = 16, SCH_TILE_WORDS = 2 };
struct sch_tile {
    uint32_t word[SCH_TILE_WORDS][SCH_TILE_TEXELS];
};

#endif
