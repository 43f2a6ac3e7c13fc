/* Block-linear addresses. A GOB is 64 bytes wide, 8 rows high: 512 bytes. A block is 1 x 2^h x 2^d GOBs; blocks go
 * along x, then y, then z. Holds no formats. Source: envytools' g80-surface and the public emulators, which agree on
 * it; docs/maxwell.md, "Headers and samplers". */
#include <string.h>

#include "maxwell/header/layout.h"

/* Addresses have 48 bits and textures fewer than 2^62 bytes: no sum here wraps. */
enum { GOB_WIDTH = 64, GOB_ROWS = 8, GOB_BYTES = 512, RUN = 16 };

static uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }
static uint64_t pieces(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit; }

/* Blocks shrink while half of one still covers the level. */
static uint8_t shrink(uint8_t log2, uint64_t unit, uint64_t size)
{
    while (log2 > 0 && size <= unit << (log2 - 1)) log2--;
    return log2;
}

/* A row of blocks is whole tiles where the level is larger than one tile and block of level 0. */
static bool in_tiles(const struct sch_maxwell_shape *first, uint32_t row_bytes, uint32_t rows, uint32_t slices)
{
    return slices >= 1u << first->log2_depth && row_bytes > (uint32_t)GOB_WIDTH << first->log2_tile &&
           rows > (uint32_t)GOB_ROWS << first->log2_height;
}

void sch_maxwell_lay_level(const struct sch_maxwell_shape *first, uint32_t row_bytes, uint32_t rows, uint32_t slices,
                           uint64_t offset, struct sch_maxwell_level *level)
{
    level->offset = offset;
    level->log2_height = shrink(first->log2_height, GOB_ROWS, rows);
    level->log2_depth = shrink(first->log2_depth, 1, slices);
    uint64_t wide = pieces(row_bytes, GOB_WIDTH);
    if (in_tiles(first, row_bytes, rows, slices)) wide = round_up(wide, UINT64_C(1) << first->log2_tile);
    level->row_of_blocks = (uint64_t)GOB_BYTES * wide << (level->log2_height + level->log2_depth);
    level->slice_of_blocks = pieces(rows, (uint64_t)GOB_ROWS << level->log2_height) * level->row_of_blocks;
    level->bytes = pieces(slices, UINT64_C(1) << level->log2_depth) * level->slice_of_blocks;
}

uint64_t sch_maxwell_layer_stride(const struct sch_maxwell_shape *first, uint64_t bytes)
{
    /* Whole blocks of level 0; of wider tiles, whole tiles of them as the header states them. */
    if (first->log2_tile)
        return round_up(bytes, (uint64_t)GOB_BYTES << (first->log2_tile + first->log2_height + first->log2_depth));
    uint8_t height = shrink(first->log2_height, GOB_ROWS, first->rows);
    uint8_t depth = shrink(first->log2_depth, 1, first->slices);
    return round_up(bytes, (uint64_t)GOB_BYTES << (height + depth));
}

/* In a GOB: pairs of 16-byte runs of two rows, four pairs of rows high, twice beside each other. */
static uint32_t in_gob(uint32_t x, uint32_t y)
{
    return (x & 63) >> 5 << 8 | (y & 7) >> 1 << 6 | (x & 31) >> 4 << 5 | (y & 1) << 4 | (x & 15);
}

/* Byte x of row y of slice z, counted from the level's first byte. */
static uint64_t block_address(const struct sch_maxwell_level *level, uint32_t x, uint32_t y, uint32_t z)
{
    unsigned height = level->log2_height, depth = level->log2_depth;
    uint64_t gob = (y >> 3 & ((1u << height) - 1)) + ((uint64_t)(z & ((1u << depth) - 1)) << height);
    gob += (uint64_t)(x >> 6) << (height + depth);
    return in_gob(x, y) + gob * GOB_BYTES + (y >> 3 >> height) * level->row_of_blocks +
           (z >> depth) * level->slice_of_blocks;
}

uint64_t sch_maxwell_block_address(const struct sch_maxwell_level *level, uint32_t x, uint32_t y, uint32_t z)
{
    return level->offset + block_address(level, x, y, z);
}

void sch_maxwell_load(const struct sch_maxwell_memory *memory, uint64_t address, void *to, size_t bytes)
{
    unsigned char *out = to;
    uint64_t begin = memory->address;
    uint64_t end = memory->bytes > UINT64_MAX - begin ? UINT64_MAX : begin + memory->bytes;
    uint64_t first = address > begin ? address : begin; /* the part that is there: first to last */
    uint64_t last = address + bytes < end ? address + bytes : end;
    if (first >= last) {
        memset(out, 0, bytes);
        return;
    }
    memset(out, 0, first - address);
    memcpy(out + (first - address), (const unsigned char *)memory->data + (first - begin), last - first);
    memset(out + (last - address), 0, address + bytes - last);
}

void sch_maxwell_load_blocks(const struct sch_maxwell_memory *memory, uint64_t address,
                             const struct sch_maxwell_level *level, uint32_t x, uint32_t y, uint32_t z, void *to,
                             size_t bytes)
{
    unsigned char *out = to;
    while (bytes) { /* up to the end of a run of neighbours */
        size_t run = RUN - x % RUN < bytes ? RUN - x % RUN : bytes;
        sch_maxwell_load(memory, address + sch_maxwell_block_address(level, x, y, z), out, run);
        out += run;
        x += (uint32_t)run;
        bytes -= run;
    }
}
