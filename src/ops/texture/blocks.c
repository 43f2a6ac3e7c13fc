/* Compressed blocks become tiles: which blocks a tile has texels of, and what decodes a kind of block. docs/blocks.md.
 * Holds no decoders (the headers of the kinds) and no cache (tile.h). */
#include <string.h>

#include "ops/op.h"
#include "ops/texture/astc.h"
#include "ops/texture/atc.h"
#include "ops/texture/bptc.h"
#include "ops/texture/etc.h"
#include "ops/texture/format.h"
#include "ops/texture/fxt1.h"
#include "ops/texture/rgtc.h"
#include "ops/texture/s3tc.h"

enum { TILE_SIDE = SCH_TEXEL_TILE_SIDE };

/* A slice of a level in blocks. */
struct block_slice {
    const struct tex_format *format;
    const struct sch_texture_level *level;
    const uint8_t *blocks;
};

/* Little-endian words of a block, whatever the machine's order and the address. */
OPS_INLINE void block_words(const struct block_slice *slice, uint32_t column, uint32_t row, uint32_t words[4])
{
    const uint8_t *bytes =
        slice->blocks + (uint64_t)row * slice->level->row_bytes + (uint64_t)column * slice->format->bytes;
    /* Whole: what reads more than a word of it at once would wait for several stores. */
    if (slice->format->bytes == 8)
        memcpy(words, bytes, 8);
    else
        memcpy(words, bytes, 16);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (unsigned i = 0; i < 4; i++) words[i] = __builtin_bswap32(words[i]);
#endif
}

/* Blocks of 4 by 4 texels. */
OPS_INLINE void block_tile(unsigned kind, const uint32_t block[4], struct sch_texel_tile *tile)
{
    uint32_t *texel = tile->word[0];
    switch (kind) {
    case TEX_KIND_BC1:
        tex_bc1_tile(block, texel);
        break;
    case TEX_KIND_BC2:
        tex_bc2_tile(block, texel);
        break;
    case TEX_KIND_BC3:
        tex_bc3_tile(block, texel);
        break;
    case TEX_KIND_BC4:
    case TEX_KIND_BC4_SIGNED:
        tex_bc4_tile(block, kind == TEX_KIND_BC4_SIGNED, 0, texel);
        break;
    case TEX_KIND_BC5:
    case TEX_KIND_BC5_SIGNED:
        tex_bc5_tile(block, kind == TEX_KIND_BC5_SIGNED, texel);
        break;
    case TEX_KIND_BC6H:
    case TEX_KIND_BC6H_SIGNED:
        tex_bc6h_tile(block, kind == TEX_KIND_BC6H_SIGNED, texel, tile->word[1]);
        break;
    case TEX_KIND_BC7:
        tex_bc7_tile(block, texel);
        break;
    case TEX_KIND_ETC1:
        tex_etc1_tile(block, texel);
        break;
    case TEX_KIND_ETC2:
    case TEX_KIND_ETC2_PUNCH_THROUGH:
        tex_etc2_tile(block, kind == TEX_KIND_ETC2_PUNCH_THROUGH, texel);
        break;
    case TEX_KIND_ETC2_ALPHA:
        tex_etc2_rgba_tile(block, texel);
        break;
    case TEX_KIND_EAC_R:
    case TEX_KIND_EAC_R_SIGNED:
        for (unsigned n = 0; n < SCH_TEXEL_TILE_TEXELS; n++) texel[n] = 0;
        tex_eac_tile(block, kind == TEX_KIND_EAC_R_SIGNED, 0, texel);
        break;
    case TEX_KIND_EAC_RG:
    case TEX_KIND_EAC_RG_SIGNED:
        for (unsigned n = 0; n < SCH_TEXEL_TILE_TEXELS; n++) texel[n] = 0;
        tex_eac_tile(block, kind == TEX_KIND_EAC_RG_SIGNED, 0, texel);
        tex_eac_tile(block + 2, kind == TEX_KIND_EAC_RG_SIGNED, 16, texel);
        break;
    case TEX_KIND_ATC:
        tex_atc_tile(block, texel);
        break;
    case TEX_KIND_ATC_EXPLICIT:
        tex_atc_explicit_tile(block, texel);
        break;
    default:
        tex_atc_interpolated_tile(block, texel);
        break;
    }
}

/* FXT1: blocks of 8 by 4 texels, each two tiles. */
OPS_INLINE void block_half(const struct block_slice *slice, uint32_t column, uint32_t row, struct sch_texel_tile *tile)
{
    uint32_t block[4];
    block_words(slice, column / 2, row, block);
    tex_fxt1_tile(block, true, column % 2, tile->word[0]);
}

/* ASTC: a tile has texels of as many as four blocks. */
OPS_INLINE void block_parts(const struct block_slice *slice, uint32_t column, uint32_t row, struct sch_texel_tile *tile)
{
    const uint32_t side[2] = {slice->format->block_width, slice->format->block_height};
    const uint32_t first[2] = {column * TILE_SIDE, row * TILE_SIDE};
    const uint32_t size[2] = {slice->level->width, slice->level->height};
    const enum tex_astc_profile profile = slice->format->kind == TEX_KIND_ASTC ? TEX_ASTC_HDR : TEX_ASTC_SRGB;
    uint32_t block[4], last[2];
    for (unsigned a = 0; a < 2; a++) {
        uint32_t beyond = first[a] + TILE_SIDE < size[a] ? first[a] + TILE_SIDE : size[a];
        last[a] = (beyond - 1) / side[a];
    }
    for (uint32_t y = first[1] / side[1]; y <= last[1]; y++)
        for (uint32_t x = first[0] / side[0]; x <= last[0]; x++) {
            const struct tex_astc_part part = {(int)first[0] - (int)(x * side[0]), (int)first[1] - (int)(y * side[1])};
            block_words(slice, x, y, block);
            tex_astc_tile(block, side[0], side[1], profile, part, tile->word[0], tile->word[1]);
        }
}

sch_texel_tile_decode_fn OPS_LOCAL(tile_decode);
void OPS_LOCAL(tile_decode)(unsigned number, const struct sch_texture_level *level, uint32_t slice, uint32_t column,
                            uint32_t row, struct sch_texel_tile *tile)
{
    const struct block_slice from = {&tex_formats[number], level, level->texels + slice * level->slice_bytes};
    const unsigned kind = from.format->kind;
    uint32_t block[4];
    if (kind == TEX_KIND_FXT1) {
        block_half(&from, column, row, tile);
    } else if (kind == TEX_KIND_ASTC || kind == TEX_KIND_ASTC_SRGB) {
        block_parts(&from, column, row, tile);
    } else {
        block_words(&from, column, row, block);
        block_tile(kind, block, tile);
    }
}
