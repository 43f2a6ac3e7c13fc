/* Boxes whose texels become one: docs/resources.md, "Clears". */
#include <string.h>

#include "texture/convert.h"
#include "texture/decoded.h"
#include "texture/transfers.h"

/* A texel that is written: a block where it is all of it, else components. */
struct texel {
    bool whole;
    uint8_t block[SCH_BLOCK_BYTES];
    unsigned components;
    struct sch_lanes component[4];
};

static enum sch_result take_block(const struct sch_texture_surface *surface, const struct sch_clear *clear,
                                  struct texel *texel, struct sch_diagnostics *diagnostics)
{
    if (clear->block_bytes != surface->block.bytes) {
        sch_refuse_argument(diagnostics, ".block_bytes", "clear: a block of %zu bytes, of a format of %u",
                            clear->block_bytes, surface->block.bytes);
        return SCH_ERROR_ARGUMENT;
    }
    texel->whole = true;
    memcpy(texel->block, clear->block, clear->block_bytes);
    return SCH_OK;
}

static enum sch_result take_texel(const struct sch_texels *texels, const struct sch_clear *clear, struct texel *texel,
                                  struct sch_diagnostics *diagnostics)
{
    if (clear->block) return take_block(&texels->surface, clear, texel, diagnostics);
    enum sch_result result = sch_texels_check_written(texels, diagnostics);
    if (result != SCH_OK) return result;
    uint32_t value[4] = {0, clear->stencil & 255, 0, 0};
    if (texels->parts == SCH_PART_COLOR)
        memcpy(value, clear->color.u, sizeof value);
    else
        memcpy(value, &clear->depth, sizeof clear->depth);
    struct sch_pattern pattern;
    texel->components = sch_texels_components(texels, clear->parts ? clear->parts : texels->parts);
    sch_texels_pattern(texels, texel->components, value, &pattern);
    texel->whole = pattern.whole;
    memcpy(texel->block, pattern.block, sizeof texel->block);
    for (unsigned c = 0; c < 4; c++) sch_ops_for_width(0)->splat(&texel->component[c], value[c]);
    return SCH_OK;
}

/* Copies of the block, twice as many each time. */
static void fill_line(const struct texel *texel, size_t block, uint8_t *line, size_t bytes)
{
    memcpy(line, texel->block, block);
    for (size_t done = block; done < bytes; done *= 2)
        memcpy(line + done, line, done < bytes - done ? done : bytes - done);
}

static void write_line(const struct sch_texels *texels, const struct texel *texel, uint8_t *line, uint32_t count)
{
    const struct sch_lanes *const from[4] = {&texel->component[0], &texel->component[1], &texel->component[2],
                                             &texel->component[3]};
    for (uint32_t first = 0; first < count; first += SCH_GROUP_LANES) {
        const uint32_t now = count - first < SCH_GROUP_LANES ? count - first : SCH_GROUP_LANES;
        sch_ops_for_width(0)->texels_write(texels->format, texel->components,
                                           line + (size_t)first * texels->surface.block.bytes, now, from);
    }
}

enum sch_result sch_texture_clear(struct sch_texture_resource *resource, const struct sch_clear *clear,
                                  struct sch_diagnostics *diagnostics)
{
    struct sch_texels texels;
    struct sch_region region;
    struct texel texel;
    enum sch_result result =
        sch_texels_of(resource, clear->level, clear->format, &sch_texels_plain, &texels, diagnostics);
    if (result != SCH_OK) return result;
    const struct sch_texture_surface *surface = &texels.surface;
    if (!sch_surface_region(surface, &clear->box, ".box", &region, diagnostics)) return SCH_ERROR_ARGUMENT;
    result = take_texel(&texels, clear, &texel, diagnostics);
    if (result != SCH_OK) return result;
    const size_t block = surface->block.bytes, first = (size_t)region.z * surface->samples,
                 slices = (size_t)region.depth * surface->samples;
    for (size_t slice = first; slice < first + slices; slice++)
        for (size_t y = region.y; y < (size_t)region.y + region.height; y++) {
            uint8_t *line = sch_surface_row(surface, slice, y) + region.x * block;
            if (texel.whole)
                fill_line(&texel, block, line, region.width * block);
            else
                write_line(&texels, &texel, line, region.width);
        }
    sch_decoded_update(resource, clear->level, &region);
    return SCH_OK;
}
