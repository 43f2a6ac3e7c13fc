/* What an ASTC block says about itself in front of its values: block mode, partitions, endpoint modes, where its
 * streams are, and whether it is legal (dataformat, "Block Layout", "Block Mode", "Void-Extent Blocks", "Illegal
 * Encodings"). Holds no colours and no weights. */
#ifndef SCH_OPS_TEXTURE_ASTC_HEADER_H
#define SCH_OPS_TEXTURE_ASTC_HEADER_H

#include "ops/texture/astc_integers.h"

/* The text's operation modes. LDR and sRGB have the error colour where there are HDR values. */
enum tex_astc_profile { TEX_ASTC_LDR, TEX_ASTC_HDR, TEX_ASTC_SRGB };

enum { TEX_ASTC_PARTITIONS = 4, TEX_ASTC_WEIGHTS = 64, TEX_ASTC_COLORS = 18, TEX_ASTC_NO_CHANNEL = 4 };

/* Weight ranges by rho - 2 and then P ("ASTC weight range encodings"). */
struct tex_astc_range {
    uint8_t form, bits; /* enum tex_astc_form */
};
static const struct tex_astc_range tex_astc_weight_range[12]
    __attribute__((unused)) = {{TEX_ASTC_BITS, 1},  {TEX_ASTC_TRITS, 0},  {TEX_ASTC_BITS, 2},   {TEX_ASTC_QUINTS, 0},
                               {TEX_ASTC_TRITS, 1}, {TEX_ASTC_BITS, 3},   {TEX_ASTC_QUINTS, 1}, {TEX_ASTC_TRITS, 2},
                               {TEX_ASTC_BITS, 4},  {TEX_ASTC_QUINTS, 2}, {TEX_ASTC_TRITS, 3},  {TEX_ASTC_BITS, 5}};

struct tex_astc_grid {
    uint8_t width, height;
    uint8_t range; /* of tex_astc_weight_range */
    uint8_t planes;
};

enum tex_astc_kind { TEX_ASTC_ILLEGAL, TEX_ASTC_CONSTANT, TEX_ASTC_WEIGHTED };

struct tex_astc_header {
    uint8_t kind; /* enum tex_astc_kind: only WEIGHTED blocks have the rest */
    struct tex_astc_grid grid;
    uint8_t partitions;
    uint8_t second;                        /* the channel of the second plane, or TEX_ASTC_NO_CHANNEL */
    uint8_t endpoint[TEX_ASTC_PARTITIONS]; /* endpoint modes */
    uint8_t colors_at, colors;             /* the first bit of the endpoints' values, and their number */
    uint8_t color_bits;                    /* that are there for them */
    uint16_t pattern;                      /* partition index of several partitions */
};

/* Modes with a height or width that depends on the bits 3 and 2 ("ASTC 2D block mode layout", the first five rows). */
OPS_INLINE void tex_astc_low_mode(unsigned mode, struct tex_astc_grid *grid)
{
    const unsigned a = mode >> 5 & 3, b = mode >> 7 & 3, row = mode >> 2 & 3;
    grid->width = (uint8_t)(row == 0 ? b + 4 : row == 1 ? b + 8 : a + 2);
    grid->height = (uint8_t)(row < 2 ? a + 2 : row == 2 ? b + 8 : b + 6);
    if (row == 3 && b >= 2) { /* bit 8 is set: W is bit 7, and W + 2 is b */
        grid->width = (uint8_t)b;
        grid->height = (uint8_t)(a + 2);
    }
}

/* The rows whose bits 1 and 0 are zero. Returns false for reserved modes and void extents. */
OPS_INLINE bool tex_astc_high_mode(unsigned mode, struct tex_astc_grid *grid)
{
    const unsigned a = mode >> 5 & 3, row = mode >> 7 & 3;
    if (row == 3) {
        grid->width = a == 0 ? 6 : 10;
        grid->height = a == 0 ? 10 : 6;
        return a < 2;
    }
    grid->width = (uint8_t)(row == 0 ? 12 : row == 1 ? a + 2 : a + 6);
    grid->height = (uint8_t)(row == 0 ? a + 2 : row == 1 ? 12 : (mode >> 9 & 3) + 6);
    return (mode & 0xc) != 0;
}

/* The grid of weights of a block mode; false if there is no such mode. */
OPS_INLINE bool tex_astc_mode(unsigned mode, struct tex_astc_grid *grid)
{
    const bool low = (mode & 3) != 0;
    const unsigned rho = (low ? (mode & 3) << 1 : mode >> 1 & 6) | (mode >> 4 & 1);
    const bool no_planes = !low && (mode >> 7 & 3) == 2; /* its bits 10 and 9 are the height; DP and P are 0 */
    const unsigned precise = no_planes ? 0 : mode >> 9 & 1;
    if (rho < 2) return false;
    grid->range = (uint8_t)(rho - 2 + 6 * precise);
    grid->planes = no_planes ? 1 : (uint8_t)(1 + (mode >> 10 & 1));
    if (!low) return tex_astc_high_mode(mode, grid);
    tex_astc_low_mode(mode, grid);
    return true;
}

OPS_INLINE unsigned tex_astc_weights(const struct tex_astc_grid *grid)
{
    return (unsigned)grid->width * grid->height * grid->planes;
}

OPS_INLINE unsigned tex_astc_weight_bits(const struct tex_astc_grid *grid)
{
    const struct tex_astc_range *range = &tex_astc_weight_range[grid->range];
    return tex_astc_sequence_bits(range->form, range->bits, tex_astc_weights(grid));
}

/* Whether a grid is one that the text allows in a block of so many texels. */
OPS_INLINE bool tex_astc_grid_fits(const struct tex_astc_grid *grid, unsigned width, unsigned height)
{
    if (grid->width > width || grid->height > height || tex_astc_weights(grid) > TEX_ASTC_WEIGHTS) return false;
    const unsigned bits = tex_astc_weight_bits(grid);
    return bits >= 24 && bits <= 96;
}

/* A void extent is legal where its reserved bits are ones and each low coordinate is below the high one, or all
 * coordinates are ones: "then the void extent is ignored". What it extends over never matters: "void extents may not be
 * checked". */
OPS_INLINE bool tex_astc_void_is_legal(const uint32_t block[4])
{
    if ((block[0] >> 10 & 3) != 3) return false;
    const uint32_t low_s = tex_astc_bits(block, 12, 13), high_s = tex_astc_bits(block, 25, 13);
    const uint32_t low_t = tex_astc_bits(block, 38, 13), high_t = tex_astc_bits(block, 51, 13);
    return (low_s & high_s & low_t & high_t) == 0x1fff || (low_s < high_s && low_t < high_t);
}

/* The endpoint modes of several partitions: one for all, or for each its class, one of two neighbours, and its two low
 * bits. The field's bits from 6 on come right below the weights. Returns how many those are. */
OPS_INLINE unsigned tex_astc_endpoint_modes(const uint32_t block[4], unsigned below, struct tex_astc_header *header)
{
    const unsigned partitions = header->partitions, select = block[0] >> 23 & 3;
    if (select == 0) {
        for (unsigned p = 0; p < TEX_ASTC_PARTITIONS; p++) header->endpoint[p] = block[0] >> 25 & 15;
        return 0;
    }
    const unsigned extra = 3 * partitions - 4;
    const unsigned field = (block[0] >> 25 & 15) | tex_astc_bits(block, below - extra, extra) << 4;
    for (unsigned p = 0; p < partitions; p++) {
        const unsigned class = select - 1 + (field >> p & 1), low = field >> (partitions + 2 * p) & 3;
        header->endpoint[p] = (uint8_t)(4 * class + low);
    }
    return extra;
}

/* Class n of endpoint modes has n + 1 pairs of values. */
OPS_INLINE unsigned tex_astc_color_count(const struct tex_astc_header *header)
{
    unsigned count = 0;
    for (unsigned p = 0; p < header->partitions; p++) count += 2 * (header->endpoint[p] / 4u + 1);
    return count;
}

/* What is between the mode and the weights; false: illegal. */
OPS_INLINE bool tex_astc_read_config(const uint32_t block[4], struct tex_astc_header *header)
{
    unsigned below = 128 - tex_astc_weight_bits(&header->grid);
    header->partitions = (uint8_t)((block[0] >> 11 & 3) + 1);
    if (header->partitions == 1) {
        header->endpoint[0] = block[0] >> 13 & 15;
        header->colors_at = 17;
    } else {
        header->colors_at = 29;
        header->pattern = block[0] >> 13 & 0x3ff;
        below -= tex_astc_endpoint_modes(block, below, header);
    }
    header->second = TEX_ASTC_NO_CHANNEL;
    if (header->grid.planes == 2) {
        if (header->partitions == 4) return false;
        below -= 2;
        header->second = (uint8_t)tex_astc_bits(block, below, 2);
    }
    header->colors = (uint8_t)tex_astc_color_count(header);
    if (header->colors > TEX_ASTC_COLORS) return false;
    if (below < header->colors_at + (13u * header->colors + 4) / 5) return false;
    header->color_bits = (uint8_t)(below - header->colors_at);
    return true;
}

OPS_INLINE void tex_astc_read_header(const uint32_t block[4], unsigned width, unsigned height,
                                     struct tex_astc_header *header)
{
    header->kind = TEX_ASTC_ILLEGAL;
    if ((block[0] & 0x1ff) == 0x1fc) {
        if (tex_astc_void_is_legal(block)) header->kind = TEX_ASTC_CONSTANT;
        return;
    }
    if (!tex_astc_mode(block[0] & 0x7ff, &header->grid)) return;
    if (!tex_astc_grid_fits(&header->grid, width, height)) return;
    if (tex_astc_read_config(block, header)) header->kind = TEX_ASTC_WEIGHTED;
}

#endif
