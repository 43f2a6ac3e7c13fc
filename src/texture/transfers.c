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

/* A region between a surface and memory: line n is a piece of row n / pieces.count. */
struct moved {
    const struct sch_texture_surface *surface;
    struct sch_region region;
    struct rows rows;
    struct sch_moving_pieces pieces;
    uint32_t sample;
    uint8_t *data;
    bool to_surface;
};

static void move_lines(void *user, uint64_t first, uint64_t count)
{
    const struct moved *moved = user;
    for (uint64_t n = first; n < first + count; n++) {
        const uint64_t row = n / moved->pieces.count, z = row / moved->region.height, y = row % moved->region.height;
        size_t bytes, at = sch_moving_piece(&moved->pieces, n % moved->pieces.count, &bytes);
        uint8_t *texels = line_of(moved->surface, &moved->region, moved->sample, z, y) + at,
                *memory = moved->data + z * moved->rows.slice_bytes + y * moved->rows.row_bytes + at;
        memcpy(moved->to_surface ? texels : memory, moved->to_surface ? memory : texels, bytes);
    }
}

/* `data` is only read where it goes to the surface. */
static enum sch_result move(const struct sch_texture_surface *surface, const struct sch_transfer *transfer,
                            const void *data, size_t bytes, bool to_surface, const struct sch_moving *moving,
                            struct sch_diagnostics *diagnostics)
{
    struct moved moved = {
        .surface = surface, .sample = transfer->sample, .data = (uint8_t *)(uintptr_t)data, .to_surface = to_surface};
    if (!take(surface, transfer, &moved.region, &moved.rows, diagnostics) || !holds(bytes, &moved.rows, diagnostics))
        return SCH_ERROR_ARGUMENT;
    moved.pieces = sch_moving_cut(moved.rows.line, 1);
    return sch_moving_run(moving, (uint64_t)moved.region.depth * moved.region.height * moved.pieces.count,
                          moved.pieces.each, move_lines, &moved);
}

enum sch_result sch_surface_write(const struct sch_texture_surface *surface, const struct sch_transfer *transfer,
                                  const void *data, size_t bytes, const struct sch_moving *moving,
                                  struct sch_diagnostics *diagnostics)
{
    return move(surface, transfer, data, bytes, true, moving, diagnostics);
}

enum sch_result sch_surface_read(const struct sch_texture_surface *surface, const struct sch_transfer *transfer,
                                 void *data, size_t bytes, const struct sch_moving *moving,
                                 struct sch_diagnostics *diagnostics)
{
    return move(surface, transfer, data, bytes, false, moving, diagnostics);
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

/* A copy from surface to surface: line n is a piece of row n / pieces.count. In one surface each block moves by the
 * same number of bytes: going against the move leaves what is still to be copied as it is. */
struct copied {
    const struct sch_texture_surface *to, *from;
    struct sch_region there, here;
    struct sch_moving_pieces pieces;
    uint64_t lines;
    bool back;
};

static void copy_lines(void *user, uint64_t first, uint64_t count)
{
    const struct copied *copied = user;
    const uint32_t samples = copied->from->samples, rows = copied->here.height;
    for (uint64_t n = first; n < first + count; n++) {
        const uint64_t line = copied->back ? copied->lines - 1 - n : n, row = line / copied->pieces.count,
                       slice = row / rows, y = row % rows, z = slice / samples;
        const uint32_t sample = (uint32_t)(slice % samples);
        size_t bytes, at = sch_moving_piece(&copied->pieces, line % copied->pieces.count, &bytes);
        memmove(line_of(copied->to, &copied->there, sample, z, y) + at,
                line_of(copied->from, &copied->here, sample, z, y) + at, bytes);
    }
}

static enum sch_result move_blocks(struct copied *copied, const struct sch_moving *moving)
{
    const struct sch_texture_surface *to = copied->to, *from = copied->from;
    const struct sch_region *here = &copied->here;
    copied->pieces = sch_moving_cut((size_t)here->width * from->block.bytes, 1);
    copied->lines = (uint64_t)here->depth * from->samples * here->height * copied->pieces.count;
    copied->back = (uintptr_t)line_of(to, &copied->there, 0, 0, 0) > (uintptr_t)line_of(from, here, 0, 0, 0);
    return (to->texels == from->texels ? sch_moving_run_in_order : sch_moving_run)(
        moving, copied->lines, copied->pieces.each, copy_lines, copied);
}

static bool take_copy(struct copied *copied, const struct sch_copy *copy, struct sch_diagnostics *diagnostics)
{
    const struct sch_texture_surface *to = copied->to, *from = copied->from;
    if (to->block.bytes != from->block.bytes)
        return sch_refuse_argument(diagnostics, "from", "copy: blocks of %u bytes to blocks of %u", from->block.bytes,
                                   to->block.bytes);
    if (to->samples != from->samples)
        return sch_refuse_argument(diagnostics, "from", "copy: %u samples to %u", from->samples, to->samples);
    if (!sch_surface_region(from, &copy->source, ".source", &copied->here, diagnostics)) return false;
    copied->there = copied->here;
    return take_destination(to, copy, &copied->there, diagnostics);
}

enum sch_result sch_surface_copy(const struct sch_texture_surface *to, const struct sch_texture_surface *from,
                                 const struct sch_copy *copy, const struct sch_moving *moving,
                                 struct sch_diagnostics *diagnostics)
{
    struct copied copied = {.to = to, .from = from};
    return take_copy(&copied, copy, diagnostics) ? move_blocks(&copied, moving) : SCH_ERROR_ARGUMENT;
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
                                  const void *data, size_t bytes, const struct sch_moving *moving,
                                  struct sch_diagnostics *diagnostics)
{
    struct sch_texture_surface surface;
    struct sch_region region;
    if (!sch_surface_of(resource, transfer->level, ".level", &surface, diagnostics)) return SCH_ERROR_ARGUMENT;
    const enum sch_result result = sch_surface_write(&surface, transfer, data, bytes, moving, diagnostics);
    if (result != SCH_OK) return result;
    if (!sch_surface_region(&surface, &transfer->box, ".box", &region, diagnostics)) return SCH_ERROR_ARGUMENT;
    sch_decoded_update(resource, transfer->level, &region);
    return SCH_OK;
}

enum sch_result sch_texture_read(const struct sch_texture_resource *resource, const struct sch_transfer *transfer,
                                 void *data, size_t bytes, const struct sch_moving *moving,
                                 struct sch_diagnostics *diagnostics)
{
    struct sch_texture_surface surface;
    if (!sch_surface_of(resource, transfer->level, ".level", &surface, diagnostics)) return SCH_ERROR_ARGUMENT;
    return sch_surface_read(&surface, transfer, data, bytes, moving, diagnostics);
}

enum sch_result sch_texture_copy(struct sch_texture_resource *to, const struct sch_texture_resource *from,
                                 const struct sch_copy *copy, const struct sch_moving *moving,
                                 struct sch_diagnostics *diagnostics)
{
    struct sch_texture_surface there, here;
    if (!sch_surface_of(to, copy->level, ".level", &there, diagnostics) ||
        !sch_surface_of(from, copy->source_level, ".source_level", &here, diagnostics))
        return SCH_ERROR_ARGUMENT;
    struct copied copied = {.to = &there, .from = &here};
    if (!take_copy(&copied, copy, diagnostics)) return SCH_ERROR_ARGUMENT;
    const enum sch_result result = move_blocks(&copied, moving);
    if (result == SCH_OK) sch_decoded_update(to, copy->level, &copied.there);
    return result;
}
