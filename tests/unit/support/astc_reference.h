/* One texel of an ASTC block, from the text of the data format specification alone: bit by bit, one value at a time.
 * Also says what the block is, so that tests can count what they have visited. Knows nothing of src/ops. */
#ifndef TESTS_ASTC_REFERENCE_H
#define TESTS_ASTC_REFERENCE_H

#include <stdint.h>

enum astc_reference_profile { ASTC_REFERENCE_LDR, ASTC_REFERENCE_HDR, ASTC_REFERENCE_SRGB };

/* What a block is, in the order in which it is asked: the items of "Illegal Encodings" each have one. */
enum astc_reference_kind {
    ASTC_WEIGHTED,
    ASTC_VOID_LDR,
    ASTC_VOID_HDR,
    ASTC_VOID_RESERVED_BITS, /* bits 10 and 11 */
    ASTC_VOID_COORDINATES,   /* low ones not below high ones */
    ASTC_RESERVED_MODE,
    ASTC_GRID_TOO_LARGE,
    ASTC_TOO_MANY_WEIGHTS,
    ASTC_TOO_MANY_WEIGHT_BITS,
    ASTC_TOO_FEW_WEIGHT_BITS,
    ASTC_PLANES_OF_FOUR_PARTITIONS,
    ASTC_TOO_MANY_VALUES,
    ASTC_TOO_FEW_VALUE_BITS,
    ASTC_KINDS
};

struct astc_reference {
    enum astc_reference_kind kind;
    int mode; /* 11 bits; -1 of void extents */
    int grid_width, grid_height, weight_limit, planes;
    int partitions, pattern;
    int endpoint_mode[4];
    int second_channel; /* of two planes */
    int values, value_limit;
    /* Of the texel that was asked for: */
    int partition;
    int is_error;
};

/* Texel (x, y) of a block of width by height texels: four halves in two words, or for sRGB four codes in the first. */
void astc_reference_texel(const uint32_t block[4], int width, int height, enum astc_reference_profile profile, int x,
                          int y, uint32_t word[2], struct astc_reference *facts);

/* The kind of a block alone, and what it says of itself as far as it is legal. */
void astc_reference_facts(const uint32_t block[4], int width, int height, struct astc_reference *facts);

#endif
