/* Blocks between memory and levels, and from level to level: bits are moved, not understood. docs/resources.md, "Reads
 * and writes" and "Copies". */
#include "texture/transfers.h"

#include <string.h>

#include "base/checked.h"
#include "texture/decoded.h"

/* ---- memory ---- */

/* How the caller's memory holds a region. */
struct rows {
    size_t row_bytes, slice_bytes; /* from one to the next */
    size_t line;                   /* the region's part of a row */
    size_t bytes;                  /* up to the end of the last block */
};

static bool measure(const struct sch_texture_surface *surface, const struct sch_region *region,
                    const struct sch_transfer *transfer, struct rows *rows)
{
    size_t slice, last;
    rows->line = (size_t)region->width * surface->block.bytes;
    rows->row_bytes = transfer->row_bytes ? transfer->row_bytes : rows->line;
    rows->slice_bytes = transfer->slice_bytes;
    if (region->height > 1 && rows->row_bytes < rows->line) return false;
    if (!sch_mul_size(rows->row_bytes, region->height - 1, &last) || !sch_add_size(last, rows->line, &slice))
        return false;
    if (region->depth > 1 && !rows->slice_bytes && !sch_mul_size(rows->row_bytes, region->height, &rows->slice_bytes))
        return false;
    if (region->depth > 1 && rows->slice_bytes < slice) return false;
    return sch_mul_size(rows->slice_bytes, region->depth - 1, &last) && sch_add_size(last, slice, &rows->bytes);
}

static bool take(const struct sch_texture_surface *surface, const struct sch_transfer *transfer,
                 struct sch_region *region, struct rows *rows, struct sch_diagnostics *diagnostics)
{
    if (!sch_surface_region(surface, &transfer->box, ".box", region, diagnostics)) return false;
    if (transfer->sample >= surface->samples)
        return sch_refuse_argument(diagnostics, ".sample", "sample %u: the resource has %u", transfer->sample,
                                   surface->samples);
    if (measure(surface, region, transfer, rows)) return true;
    return sch_refuse_argument(diagnostics,
                               region->height > 1 && rows->row_bytes < rows->line ? ".row_bytes" : ".slice_bytes",
                               "row_bytes %zu, slice_bytes %zu: rows of the box are %zu bytes long",
                               transfer->row_bytes, transfer->slice_bytes, rows->line);
}

static bool holds(size_t bytes, const struct rows *rows, struct sch_diagnostics *diagnostics)
{
    if (bytes >= rows->bytes) return true;
    return sch_refuse_argument(diagnostics, "bytes", "%zu bytes of memory: the box takes %zu", bytes, rows->bytes);
}

/* The region's first block in a row of one of its slices. */
static uint8_t *line_of(const struct sch_texture_surface *surface, const struct sch_region *region, uint32_t sample,
                        size_t z, size_t y)
{
    return sch_surface_row(surface, (region->z + z) * surface->samples + sample, region->y + y) +
           (size_t)region->x * surface->block.bytes;
}

bool sch_surface_write(const struct sch_texture_surface *surface, const struct sch_transfer *transfer, const void *data,
                       size_t bytes, struct sch_diagnostics *diagnostics)
{
    struct sch_region region;
    struct rows rows;
    if (!take(surface, transfer, &region, &rows, diagnostics) || !holds(bytes, &rows, diagnostics)) return false;
    for (size_t z = 0; z < region.depth; z++)
        for (size_t y = 0; y < region.height; y++)
            memcpy(line_of(surface, &region, transfer->sample, z, y),
                   (const uint8_t *)data + z * rows.slice_bytes + y * rows.row_bytes, rows.line);
    return true;
}

bool sch_surface_read(const struct sch_texture_surface *surface, const struct sch_transfer *transfer, void *data,
                      size_t bytes, struct sch_diagnostics *diagnostics)
{
    struct sch_region region;
    struct rows rows;
    if (!take(surface, transfer, &region, &rows, diagnostics) || !holds(bytes, &rows, diagnostics)) return false;
    for (size_t z = 0; z < region.depth; z++)
        for (size_t y = 0; y < region.height; y++)
            memcpy((uint8_t *)data + z * rows.slice_bytes + y * rows.row_bytes,
                   line_of(surface, &region, transfer->sample, z, y), rows.line);
    return true;
}

/* ---- copies ---- */

/* As many blocks of `to` as the source's region has, from the texel on that the copy names: a block that the source
 * fills in part may be one that the destination fills in part, too. */
static bool take_destination(const struct sch_texture_surface *to, const struct sch_copy *copy,
                             struct sch_region *region, struct sch_diagnostics *diagnostics)
{
    const uint32_t block[3] = {to->block.width, to->block.height, to->block.depth};
    const int32_t corner[3] = {copy->x, copy->y, copy->z};
    static const char *const corners[3] = {".x", ".y", ".z"};
    uint32_t *const first[3] = {&region->x, &region->y, &region->z};
    const uint32_t count[3] = {region->width, region->height, region->depth};
    for (unsigned a = 0; a < 3; a++) {
        const uint32_t blocks = sch_texture_blocks(to->side[a], block[a]), at = (uint32_t)corner[a] / block[a];
        if (corner[a] < 0 || at >= blocks || count[a] > blocks - at)
            return sch_refuse_argument(diagnostics, corners[a], "copy: %u blocks from %c = %d on, of %u", count[a],
                                       "xyz"[a], corner[a], blocks);
        if ((uint32_t)corner[a] % block[a])
            return sch_refuse_argument(diagnostics, corners[a], "copy: to %c = %d, in blocks of %u", "xyz"[a],
                                       corner[a], block[a]);
        *first[a] = at;
    }
    return true;
}

/* In one surface each block moves by the same number of bytes: going against the move leaves what is still to be
 * copied as it is. */
static void move_blocks(const struct sch_texture_surface *to, const struct sch_region *there,
                        const struct sch_texture_surface *from, const struct sch_region *here)
{
    const size_t rows = here->height, samples = from->samples, lines = here->depth * samples * rows;
    const bool back = (uintptr_t)line_of(to, there, 0, 0, 0) > (uintptr_t)line_of(from, here, 0, 0, 0);
    for (size_t n = 0; n < lines; n++) {
        const size_t line = back ? lines - 1 - n : n, slice = line / rows, y = line % rows;
        memmove(line_of(to, there, (uint32_t)(slice % samples), slice / samples, y),
                line_of(from, here, (uint32_t)(slice % samples), slice / samples, y),
                (size_t)here->width * from->block.bytes);
    }
}

bool sch_surface_copy(const struct sch_texture_surface *to, const struct sch_texture_surface *from,
                      const struct sch_copy *copy, struct sch_diagnostics *diagnostics)
{
    struct sch_region here;
    if (to->block.bytes != from->block.bytes)
        return sch_refuse_argument(diagnostics, "from", "copy: blocks of %u bytes to blocks of %u", from->block.bytes,
                                   to->block.bytes);
    if (to->samples != from->samples)
        return sch_refuse_argument(diagnostics, "from", "copy: %u samples to %u", from->samples, to->samples);
    if (!sch_surface_region(from, &copy->source, ".source", &here, diagnostics)) return false;
    struct sch_region there = here;
    if (!take_destination(to, copy, &there, diagnostics)) return false;
    move_blocks(to, &there, from, &here);
    return true;
}

/* ---- resources ---- */

size_t sch_texture_transfer_bytes(const struct sch_texture_resource *resource, const struct sch_transfer *transfer)
{
    struct sch_texture_surface surface;
    struct sch_region region;
    struct rows rows = {0};
    if (!sch_surface_of(resource, transfer->level, ".level", &surface, NULL)) return 0;
    return take(&surface, transfer, &region, &rows, NULL) ? rows.bytes : 0;
}

enum sch_result sch_texture_write(struct sch_texture_resource *resource, const struct sch_transfer *transfer,
                                  const void *data, size_t bytes, struct sch_diagnostics *diagnostics)
{
    struct sch_texture_surface surface;
    struct sch_region region;
    bool done = sch_surface_of(resource, transfer->level, ".level", &surface, diagnostics) &&
                sch_surface_write(&surface, transfer, data, bytes, diagnostics) &&
                sch_surface_region(&surface, &transfer->box, ".box", &region, diagnostics);
    if (!done) return SCH_ERROR_ARGUMENT;
    sch_decoded_update(resource, transfer->level, &region);
    return SCH_OK;
}

enum sch_result sch_texture_read(const struct sch_texture_resource *resource, const struct sch_transfer *transfer,
                                 void *data, size_t bytes, struct sch_diagnostics *diagnostics)
{
    struct sch_texture_surface surface;
    bool done = sch_surface_of(resource, transfer->level, ".level", &surface, diagnostics) &&
                sch_surface_read(&surface, transfer, data, bytes, diagnostics);
    return done ? SCH_OK : SCH_ERROR_ARGUMENT;
}

enum sch_result sch_texture_copy(struct sch_texture_resource *to, const struct sch_texture_resource *from,
                                 const struct sch_copy *copy, struct sch_diagnostics *diagnostics)
{
    struct sch_texture_surface there, here;
    struct sch_region region;
    bool done = sch_surface_of(to, copy->level, ".level", &there, diagnostics) &&
                sch_surface_of(from, copy->source_level, ".source_level", &here, diagnostics) &&
                sch_surface_copy(&there, &here, copy, diagnostics) &&
                sch_surface_region(&here, &copy->source, ".source", &region, diagnostics) &&
                take_destination(&there, copy, &region, diagnostics);
    if (!done) return SCH_ERROR_ARGUMENT;
    sch_decoded_update(to, copy->level, &region);
    return SCH_OK;
}
