/* How texels are in memory: blocks, rows of blocks, slices, layers and their samples, levels. Knows of a format only
 * the size of its blocks. */
#include "ops/texture/format.h"
#include "texture/texture.h"

struct sch_block sch_texture_block(unsigned format)
{
    if (format >= SCH_FORMAT_LIMIT || !tex_formats[format].bytes) return (struct sch_block){0, 1, 1, 1};
    const struct tex_format *facts = &tex_formats[format];
    return (struct sch_block){facts->bytes, facts->block_width, facts->block_height, facts->block_depth};
}

bool sch_texture_is_block(unsigned format) { return format < SCH_FORMAT_LIMIT && tex_is_block(&tex_formats[format]); }

bool sch_texture_same_blocks(unsigned a, unsigned b)
{
    const struct sch_block one = sch_texture_block(a), other = sch_texture_block(b);
    return one.bytes && one.bytes == other.bytes && one.width == other.width && one.height == other.height &&
           one.depth == other.depth;
}

uint32_t sch_texture_blocks(uint32_t texels, uint32_t side) { return texels / side + (texels % side != 0); }

uint32_t sch_texture_block_bytes(unsigned format) { return sch_texture_block(format).bytes; }

uint32_t sch_texture_row_bytes(unsigned format, uint32_t width)
{
    const struct sch_block block = sch_texture_block(format);
    return sch_texture_blocks(width, block.width) * block.bytes;
}

uint32_t sch_texture_rows(unsigned format, uint32_t height)
{
    return sch_texture_blocks(height, sch_texture_block(format).height);
}

static uint32_t halved(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }

/* From one sample of a layer to the next. Slices of whole pages would have the same texels of all samples in one set of
 * the first-level cache, which has fewer lines than that and the rows of a block need. A gap moves each by 8 sets. */
enum { PAGE = 4096, GAP = 512 };
static uint64_t with_gap(uint64_t slice_bytes, uint32_t samples)
{
    return samples > 1 && slice_bytes % PAGE == 0 ? slice_bytes + GAP : slice_bytes;
}

uint64_t sch_texture_lay_out(const struct sch_resource_shape *shape, const struct sch_block *block, uint8_t *texels,
                             struct sch_texture *texture)
{
    uint64_t bytes = 0;
    *texture = (struct sch_texture){.levels = shape->levels, .layers = shape->layers, .samples = shape->samples};
    for (uint32_t i = 0; i < shape->levels; i++) {
        struct sch_texture_level *level = &texture->level[i];
        level->width = halved(shape->width, i);
        level->height = halved(shape->height, i);
        level->depth = halved(shape->depth, i);
        level->row_bytes = sch_texture_blocks(level->width, block->width) * block->bytes;
        level->slice_bytes =
            with_gap((uint64_t)level->row_bytes * sch_texture_blocks(level->height, block->height), shape->samples);
        level->texels = texels ? texels + bytes : NULL;
        bytes += level->slice_bytes * sch_texture_blocks(level->depth, block->depth) * shape->layers * shape->samples;
    }
    return bytes;
}
