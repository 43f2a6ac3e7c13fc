/* Texels of compressed blocks for the references of formats: what decoded texels are, one at a time, by the references
 * of the kinds of blocks, and S3TC and RGTC from Direct3D's text. Must not include anything of src/ops. */
#ifndef TESTS_BLOCK_REFERENCE_H
#define TESTS_BLOCK_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* What a texel of a format of blocks is before it becomes components: codes of UNORM or SNORM channels, or halves. */
struct block_facts {
    const char *begin; /* of the format's name */
    unsigned kind;     /* its own */
    unsigned bytes;    /* of a block */
    unsigned channels;
    char type;         /* 'u', 's': codes; 'f': the bits of halves */
    unsigned bits;     /* of a channel of the decoded texel */
    unsigned greatest; /* code, which stands for 1 */
};

/* NULL: no blocks that are read. */
const struct block_facts *block_facts_of(const char *format);

/* Whether a block is none that the format allows. */
bool block_is_error(const struct block_facts *facts, const uint8_t *block, unsigned width, unsigned height);

/* The channels of texel (x, y) of a block of `width` by `height` texels. */
void block_reference(const struct block_facts *facts, const uint8_t *block, unsigned width, unsigned height, unsigned x,
                     unsigned y, int32_t code[4]);

#endif
