/* Compressed blocks become tiles: which blocks a tile has texels of, and what decodes a kind of block. docs/blocks.md.
 * Holds no decoders (the headers of the kinds) and no cache (tile.h). */
#include "ops/op.h"
#include "ops/texture/format.h"
#include "ops/texture/rgtc.h"
#include "ops/texture/s3tc.h"

/* Little-endian words of a block, whatever the machine's order and the address. */
OPS_INLINE void block_words(const uint8_t *bytes, unsigned count, uint32_t words[4])
{
    for (unsigned i = 0; i < count; i++, bytes += 4)
        words[i] = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Kinds whose blocks are as large as a tile. */
OPS_INLINE void block_tile(unsigned kind, const uint32_t block[4], struct sch_texel_tile *tile)
{
    uint32_t *texel = tile->word[0];
    switch (kind) {
    case TEX_KIND_BC1:
        tex_bc1_tile(block, false, texel);
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
    default:
        break;
    }
}

sch_texel_tile_decode_fn OPS_LOCAL(tile_decode);
void OPS_LOCAL(tile_decode)(unsigned number, const struct sch_texture_level *level, uint32_t slice, uint32_t column,
                            uint32_t row, struct sch_texel_tile *tile)
{
    const struct tex_format *format = &tex_formats[number];
    uint32_t block[4];
    const uint8_t *from = level->texels + slice * level->slice_bytes + (uint64_t)row * level->row_bytes +
                          (uint64_t)column * format->bytes;
    block_words(from, format->bytes / 4u, block);
    block_tile(format->kind, block, tile);
}
