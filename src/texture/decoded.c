/* See decoded.h. What a tile is: abi/texel_tiles.h; how blocks become one: ops/texture/blocks.c. */
#include "texture/decoded.h"

#include <string.h>

#include "ops/ops.h"
#include "ops/texture/format.h"

static uint64_t tile_words(unsigned format) { return (uint64_t)tex_formats[format].words * SCH_TEXEL_TILE_TEXELS; }

static uint64_t tiles_of_slice(const struct sch_texture_level *level)
{
    return (uint64_t)sch_texel_tiles_across(level->width) * sch_texel_tiles_across(level->height);
}

uint64_t sch_decoded_lay_out(const struct sch_resource_shape *shape, uint32_t *tiles, struct sch_texture *texture)
{
    uint64_t words = 0;
    if (!shape->decoded || !sch_texture_is_block(shape->format)) return 0;
    for (uint32_t i = 0; i < texture->levels; i++) {
        struct sch_texture_level *level = &texture->level[i];
        level->decoded = tiles ? tiles + words : NULL;
        words += tiles_of_slice(level) * level->depth * shape->layers * tile_words(shape->format);
    }
    return words * sizeof *tiles;
}

/* Tiles of one axis that have texels of blocks `first` to `first + count - 1`, of `side` texels each. */
static void tiles_of_blocks(uint32_t first, uint32_t count, uint32_t side, uint32_t texels, uint32_t *begin,
                            uint32_t *end)
{
    const uint64_t behind = (uint64_t)(first + count) * side;
    *begin = first * side / SCH_TEXEL_TILE_SIDE;
    *end = sch_texel_tiles_across(behind < texels ? (uint32_t)behind : texels);
}

static void update_slice(unsigned format, const struct sch_texture_level *level, uint32_t slice,
                         const struct sch_region *region)
{
    const struct sch_block block = sch_texture_block(format);
    const struct sch_ops *ops = sch_ops_for_width(0);
    const size_t words = (size_t)tile_words(format);
    uint32_t left, right, top, bottom;
    tiles_of_blocks(region->x, region->width, block.width, level->width, &left, &right);
    tiles_of_blocks(region->y, region->height, block.height, level->height, &top, &bottom);
    const uint64_t across = sch_texel_tiles_across(level->width), before = slice * tiles_of_slice(level);
    for (uint32_t row = top; row < bottom; row++)
        for (uint32_t column = left; column < right; column++) {
            struct sch_texel_tile tile = {{{0}}}; /* texels beyond the level are the same every time */
            ops->tile_decode(format, level, slice, column, row, &tile);
            memcpy(level->decoded + (before + row * across + column) * words, tile.word,
                   words * sizeof *level->decoded);
        }
}

void sch_decoded_update(const struct sch_texture_resource *resource, uint32_t number, const struct sch_region *region)
{
    const struct sch_texture_level *level = &sch_texture_of(resource)->level[number];
    if (!level->decoded) return;
    for (uint32_t slice = region->z; slice < region->z + region->depth; slice++)
        update_slice(sch_texture_resource_shape(resource)->format, level, slice, region);
}

void sch_decoded_update_all(const struct sch_texture_resource *resource)
{
    static const struct sch_box whole = {0};
    struct sch_texture_surface surface;
    struct sch_region region;
    for (uint32_t i = 0; i < sch_texture_of(resource)->levels; i++)
        if (sch_surface_of(resource, i, ".level", &surface, NULL) &&
            sch_surface_region(&surface, &whole, ".box", &region, NULL))
            sch_decoded_update(resource, i, &region);
}

void sch_decoded_view(unsigned own, unsigned format, struct sch_texture *texture)
{
    if (tex_formats[own].kind == tex_formats[format].kind) return;
    for (uint32_t i = 0; i < texture->levels; i++) texture->level[i].decoded = NULL;
}

void sch_decoded_skip(unsigned format, struct sch_texture_level *level, uint64_t first)
{
    if (level->decoded) level->decoded += first * tiles_of_slice(level) * tile_words(format);
}
