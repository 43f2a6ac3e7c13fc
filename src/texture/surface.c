/* Which blocks a box of a level is, and where they are. */
#include "texture/surface.h"

bool sch_surface_of(const struct sch_texture_resource *resource, uint32_t level, const char *name,
                    struct sch_texture_surface *surface, struct sch_diagnostics *diagnostics)
{
    const struct sch_resource_shape *shape = sch_texture_resource_shape(resource);
    const struct sch_texture *texture = sch_texture_of(resource);
    if (level >= texture->levels)
        return sch_refuse_argument(diagnostics, name, "level %u: the resource has %u", level, texture->levels);
    const struct sch_texture_level *from = &texture->level[level];
    const bool slices = sch_target_facts(shape->target)->axes == 3;
    *surface = (struct sch_texture_surface){.texels = from->texels,
                                            .block = sch_texture_block(shape->format),
                                            .side = {from->width, from->height, slices ? from->depth : texture->layers},
                                            .samples = texture->samples,
                                            .row_bytes = from->row_bytes,
                                            .slice_bytes = (size_t)from->slice_bytes};
    if (!slices) surface->block.depth = 1;
    return true;
}

static bool is_whole(const struct sch_box *box)
{
    return !(box->x | box->y | box->z | box->width | box->height | box->depth);
}

/* Blocks of an axis that is `side` texels long. */
static bool take_axis(const char *name, char axis, int32_t at, int32_t texels, uint32_t side, uint32_t block,
                      uint32_t *first, uint32_t *count, struct sch_diagnostics *diagnostics)
{
    if (at < 0 || texels <= 0 || (uint32_t)at >= side || (uint32_t)texels > side - (uint32_t)at)
        return sch_refuse_argument(diagnostics, name, "box: %d texels from %c = %d on, of %u", texels, axis, at, side);
    const uint32_t end = (uint32_t)at + (uint32_t)texels;
    if ((uint32_t)at % block || (end % block && end != side))
        return sch_refuse_argument(diagnostics, name, "box: %d texels from %c = %d on, in blocks of %u", texels, axis,
                                   at, block);
    *first = (uint32_t)at / block;
    *count = sch_texture_blocks(end, block) - *first;
    return true;
}

bool sch_surface_region(const struct sch_texture_surface *surface, const struct sch_box *box, const char *name,
                        struct sch_region *region, struct sch_diagnostics *diagnostics)
{
    const struct sch_block *block = &surface->block;
    const uint32_t *side = surface->side;
    const struct sch_box whole = {0, 0, 0, (int32_t)side[0], (int32_t)side[1], (int32_t)side[2]};
    if (is_whole(box)) box = &whole;
    return take_axis(name, 'x', box->x, box->width, side[0], block->width, &region->x, &region->width, diagnostics) &&
           take_axis(name, 'y', box->y, box->height, side[1], block->height, &region->y, &region->height,
                     diagnostics) &&
           take_axis(name, 'z', box->z, box->depth, side[2], block->depth, &region->z, &region->depth, diagnostics);
}

uint8_t *sch_surface_row(const struct sch_texture_surface *surface, size_t slice, size_t y)
{
    return surface->texels + slice * surface->slice_bytes + y * surface->row_bytes;
}
