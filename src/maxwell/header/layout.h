/* Where a header's texels lie in memory: rows side by side, or block-linear. Holds no formats and no fields. */
#ifndef SCH_MAXWELL_HEADER_LAYOUT_H
#define SCH_MAXWELL_HEADER_LAYOUT_H

#include "maxwell/header/header.h"

/* Level 0 of one layer, in rows of bytes: formats and samples are already multiplied in. */
struct sch_maxwell_shape {
    uint32_t row_bytes, rows, slices;
    uint8_t log2_height, log2_depth; /* GOBs of a block: GOBS_PER_BLOCK_HEIGHT, _DEPTH */
    uint8_t log2_tile;               /* TILE_WIDTH_IN_GOBS */
};

/* One level: where it is in its layer, and the distances between its blocks. */
struct sch_maxwell_level {
    uint64_t offset, bytes;
    uint64_t row_of_blocks, slice_of_blocks; /* bytes */
    uint8_t log2_height, log2_depth;         /* of this level's blocks */
};

/* The block-linear level of `row_bytes` x `rows` x `slices`; `offset` is where it begins. Sizes are within 2^30 bytes,
 * 2^18 rows and 2^14 slices, so that nothing wraps. */
void sch_maxwell_lay_level(const struct sch_maxwell_shape *first, uint32_t row_bytes, uint32_t rows, uint32_t slices,
                           uint64_t offset, struct sch_maxwell_level *level);

/* From one layer to the next, when the levels of one take `bytes`. */
uint64_t sch_maxwell_layer_stride(const struct sch_maxwell_shape *first, uint64_t bytes);

/* Byte x of row y of slice z, counted from the layer's first byte; 16 aligned bytes are contiguous. */
uint64_t sch_maxwell_block_address(const struct sch_maxwell_level *level, uint32_t x, uint32_t y, uint32_t z);

/* Copies memory from `address` on; what lies outside is 0. */
void sch_maxwell_load(const struct sch_maxwell_memory *memory, uint64_t address, void *to, size_t bytes);

/* Copies bytes x to x + bytes of a row. */
void sch_maxwell_load_blocks(const struct sch_maxwell_memory *memory, uint64_t address,
                             const struct sch_maxwell_level *level, uint32_t x, uint32_t y, uint32_t z, void *to,
                             size_t bytes);

#endif
