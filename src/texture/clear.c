/* Boxes whose texels become one: docs/resources.md, "Clears". */
#include <string.h>

#include "texture/convert.h"
#include "texture/decoded.h"
#include "texture/transfers.h"

/* What a texel becomes. */
struct value {
    struct sch_pattern pattern; /* of separate components */
    bool separate;
    unsigned components;
    uint32_t component[4];
};

/* Texels as they are in rows, one after the other: in each byte of a row the bits of `kept` stay, and the others
 * become those of `block`, which has zeros where bits stay. */
enum { TILE_BYTES = 4096 };
struct texels {
    bool whole;   /* no bit stays */
    size_t bytes; /* of the tile: whole texels, as many as there is room for, or as a row has */
    uint8_t block[TILE_BYTES], kept[TILE_BYTES];
};

static enum sch_result take_block(const struct sch_texture_surface *surface, const struct sch_clear *clear,
                                  struct value *value, struct sch_diagnostics *diagnostics)
{
    if (clear->block_bytes != surface->block.bytes) {
        sch_refuse_argument(diagnostics, ".block_bytes", "clear: a block of %zu bytes, of a format of %u",
                            clear->block_bytes, surface->block.bytes);
        return SCH_ERROR_ARGUMENT;
    }
    value->separate = value->pattern.whole = true;
    memcpy(value->pattern.block, clear->block, clear->block_bytes);
    return SCH_OK;
}

static enum sch_result take_texel(const struct sch_texels *texels, const struct sch_clear *clear, struct value *value,
                                  struct sch_diagnostics *diagnostics)
{
    if (clear->block) return take_block(&texels->surface, clear, value, diagnostics);
    enum sch_result result = sch_texels_check_written(texels, diagnostics);
    if (result != SCH_OK) return result;
    memset(value->component, 0, sizeof value->component);
    value->component[1] = clear->stencil & 255;
    if (texels->parts == SCH_PART_COLOR)
        memcpy(value->component, clear->color.u, sizeof value->component);
    else
        memcpy(value->component, &clear->depth, sizeof clear->depth);
    value->components = sch_texels_components(texels, clear->parts ? clear->parts : texels->parts);
    value->separate = sch_texels_are_separate(texels, value->components);
    if (value->separate) sch_texels_pattern(texels, value->components, value->component, &value->pattern);
    return SCH_OK;
}

/* ---- bits ---- */

/* Copies of the first `block` bytes, up to `bytes`. */
static void fill(uint8_t *texels, const uint8_t *first, size_t block, size_t bytes)
{
    memcpy(texels, first, block);
    for (size_t done = block, now; done < bytes; done += now) {
        now = bytes - done < done ? bytes - done : done;
        memcpy(texels + done, texels, now);
    }
}

/* For rows of `bytes` bytes. */
static void repeat(const struct sch_pattern *pattern, size_t block, size_t bytes, struct texels *made)
{
    const size_t most = TILE_BYTES / block * block;
    made->whole = pattern->whole;
    made->bytes = bytes < most ? bytes : most;
    fill(made->block, pattern->block, block, made->bytes);
    if (!made->whole) fill(made->kept, pattern->kept, block, made->bytes);
}

static void merge(uint8_t *restrict row, const uint8_t *restrict block, const uint8_t *restrict kept, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) row[i] = (uint8_t)((row[i] & kept[i]) | block[i]);
}

static void write_row(const struct texels *texels, uint8_t *row, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += texels->bytes) {
        const size_t now = bytes - done < texels->bytes ? bytes - done : texels->bytes;
        if (texels->whole)
            memcpy(row + done, texels->block, now);
        else
            merge(row + done, texels->block, texels->kept, now);
    }
}

/* The rows of a region: line n is a piece of row n / pieces.count of `rows` in each slice. */
struct bits {
    const struct sch_texture_surface *surface;
    const struct sch_region *region;
    struct texels texels;
    struct sch_moving_pieces pieces;
    size_t rows;
};

static void write_lines(void *user, uint64_t first, uint64_t count)
{
    const struct bits *bits = user;
    const struct sch_region *region = bits->region;
    for (uint64_t n = first; n < first + count; n++) {
        const uint64_t row = n / bits->pieces.count,
                       slice = (uint64_t)region->z * bits->surface->samples + row / bits->rows;
        size_t bytes, at = sch_moving_piece(&bits->pieces, n % bits->pieces.count, &bytes);
        uint8_t *to = sch_surface_row(bits->surface, slice, region->y + row % bits->rows);
        write_row(&bits->texels, to + region->x * (size_t)bits->surface->block.bytes + at, bytes);
    }
}

/* Rows that follow each other without a gap are one, and so are slices. */
static enum sch_result write_region(const struct sch_texture_surface *surface, const struct sch_region *region,
                                    const struct sch_pattern *pattern, const struct sch_moving *moving)
{
    const size_t block = surface->block.bytes;
    size_t bytes = region->width * block, rows = region->height, slices = (size_t)region->depth * surface->samples;
    if (bytes == surface->row_bytes) {
        bytes *= rows;
        rows = 1;
        if (bytes == surface->slice_bytes) {
            bytes *= slices;
            slices = 1;
        }
    }
    struct bits bits = {.surface = surface, .region = region, .rows = rows};
    repeat(pattern, block, bytes, &bits.texels);
    bits.pieces = sch_moving_cut(bytes, bits.texels.bytes);
    return sch_moving_run(moving, (uint64_t)slices * rows * bits.pieces.count, bits.pieces.each, write_lines, &bits);
}

/* ---- texels that are encoded again ---- */

struct encoding {
    const struct sch_texels *texels;
    const struct sch_region *region;
    const struct value *value;
    const struct sch_ops *ops;
    struct sch_lanes component[4];
};

static void encode_rows(void *user, uint64_t first, uint64_t count)
{
    const struct encoding *e = user;
    const struct sch_texture_surface *surface = &e->texels->surface;
    const struct sch_region *region = e->region;
    const size_t block = surface->block.bytes;
    const struct sch_lanes *const from[4] = {&e->component[0], &e->component[1], &e->component[2], &e->component[3]};
    for (uint64_t n = first; n < first + count; n++) {
        const uint64_t slice = (uint64_t)region->z * surface->samples + n / region->height;
        uint8_t *row = sch_surface_row(surface, slice, region->y + n % region->height);
        for (uint32_t x = 0; x < region->width; x += SCH_GROUP_LANES) {
            const uint32_t left = region->width - x, now = left < SCH_GROUP_LANES ? left : SCH_GROUP_LANES;
            e->ops->texels_write(e->texels->format, e->value->components, row + ((size_t)region->x + x) * block, now,
                                 from);
        }
    }
}

static enum sch_result encode_region(const struct sch_texels *texels, const struct sch_region *region,
                                     const struct value *value, const struct sch_moving *moving)
{
    struct encoding e = {.texels = texels, .region = region, .value = value, .ops = sch_ops_for_width(0)};
    for (unsigned c = 0; c < 4; c++) e.ops->splat(&e.component[c], value->component[c]);
    return sch_moving_run(moving, (uint64_t)region->depth * texels->surface.samples * region->height,
                          (uint64_t)region->width * SCH_MOVING_TEXEL, encode_rows, &e);
}

enum sch_result sch_texture_clear(struct sch_texture_resource *resource, const struct sch_clear *clear,
                                  const struct sch_moving *moving, struct sch_diagnostics *diagnostics)
{
    struct sch_texels texels;
    struct sch_region region;
    struct value value;
    enum sch_result result =
        sch_texels_of(resource, clear->level, clear->format, &sch_texels_plain, &texels, diagnostics);
    if (result != SCH_OK) return result;
    if (!sch_surface_region(&texels.surface, &clear->box, ".box", &region, diagnostics)) return SCH_ERROR_ARGUMENT;
    result = take_texel(&texels, clear, &value, diagnostics);
    if (result != SCH_OK) return result;
    result = value.separate ? write_region(&texels.surface, &region, &value.pattern, moving)
                            : encode_region(&texels, &region, &value, moving);
    if (result == SCH_OK) sch_decoded_update(resource, clear->level, &region);
    return result;
}
