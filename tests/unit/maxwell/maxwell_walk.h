/* A walk through block-linear memory: which byte of which row of which level comes next. The tests' own account of
 * where texels lie, stated from the facts and not taken from src/maxwell/header/layout.c. Holds no header and no
 * texel. */
#ifndef MAXWELL_WALK_H
#define MAXWELL_WALK_H

#include <stdint.h>

struct surface {
    uint32_t width, height, depth, texel; /* texels of level 0; bytes of an element */
    uint32_t layers, levels;
    unsigned bh, bd, tile;   /* logarithms */
    uint32_t side_x, side_y; /* texels of an element: of a compressed block, else 1 */
};

/* Calls back for every byte of a layer's levels in the order of memory; returns the layer's bytes with its padding. */
typedef void visit_fn(void *user, uint32_t level, uint32_t x, uint32_t y, uint32_t z, uint64_t at);

static uint32_t shrunk(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }
static uint32_t whole(uint32_t size, uint32_t unit) { return (size + unit - 1) / unit; }

/* Bytes of a row of elements of a level, and how many rows there are. */
static uint32_t row_of(const struct surface *s, uint32_t level)
{
    return whole(shrunk(s->width, level), s->side_x) * s->texel;
}
static uint32_t rows_of(const struct surface *s, uint32_t level) { return whole(shrunk(s->height, level), s->side_y); }

/* The 512 bytes of a GOB: 32 runs of 16. From the run's number: bit 0 is y's lowest, bit 1 the second run beside it,
 * then two bits of y, then 32 bytes to the right. */
static uint64_t walk_gob(visit_fn *visit, void *user, uint32_t level, const uint32_t at[3], uint64_t address)
{
    for (uint32_t run = 0; run < 32; run++)
        for (uint32_t byte = 0; byte < 16; byte++)
            visit(user, level, at[0] + (run & 2 ? 16 : 0) + (run & 16 ? 32 : 0) + byte,
                  at[1] + (run & 1) + 2 * (run >> 2 & 3), at[2], address++);
    return address;
}

static uint64_t walk_level(const struct surface *s, uint32_t level, uint64_t address, visit_fn *visit, void *user)
{
    uint32_t row = row_of(s, level), rows = rows_of(s, level), slices = shrunk(s->depth, level);
    uint32_t high = 1u << s->bh, deep = 1u << s->bd;
    while (high > 1 && high / 2 * 8 >= rows) high /= 2;
    while (deep > 1 && deep / 2 >= slices) deep /= 2;
    uint32_t across = whole(row, 64), tile = 1u << s->tile;
    if (slices >= 1u << s->bd && row > 64 * tile && rows > 8u << s->bh) across = whole(across, tile) * tile;
    for (uint32_t bz = 0; bz < whole(slices, deep); bz++)
        for (uint32_t by = 0; by < whole(rows, 8 * high); by++)
            for (uint32_t bx = 0; bx < across; bx++)
                for (uint32_t gz = 0; gz < deep; gz++)
                    for (uint32_t gy = 0; gy < high; gy++) {
                        uint32_t at[] = {bx * 64, (by * high + gy) * 8, bz * deep + gz};
                        address = walk_gob(visit, user, level, at, address);
                    }
    return address;
}

static uint64_t walk_layer(const struct surface *s, uint64_t address, visit_fn *visit, void *user)
{
    uint64_t begin = address;
    for (uint32_t level = 0; level < s->levels; level++) address = walk_level(s, level, address, visit, user);
    uint32_t high = 1u << s->bh, deep = 1u << s->bd;
    if (!s->tile) {
        while (high > 1 && high / 2 * 8 >= rows_of(s, 0)) high /= 2;
        while (deep > 1 && deep / 2 >= s->depth) deep /= 2;
    }
    uint64_t block = (uint64_t)512 * high * deep << s->tile;
    while ((address - begin) % block) address++;
    return address;
}

#endif
