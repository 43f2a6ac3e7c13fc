/* Entry points to decoders of blocks of src/ops/texture that have no vectors in them, one set per level: block_codec.c,
 * compiled for each. Holds no expectations. */
#ifndef TESTS_BLOCK_CODEC_H
#define TESTS_BLOCK_CODEC_H

#include <stdbool.h>
#include <stdint.h>

struct block_codec {
    const char *level;
    void (*etc1)(const uint32_t block[2], uint32_t texel[16]);
    void (*etc2)(const uint32_t block[2], bool punch_through, uint32_t texel[16]);
    void (*etc2_rgba)(const uint32_t block[4], uint32_t texel[16]);
    void (*eac)(const uint32_t block[2], bool is_signed, unsigned shift, uint32_t texel[16]);
    void (*fxt1)(const uint32_t block[4], bool alpha, unsigned half, uint32_t texel[16]);
    void (*atc)(const uint32_t block[2], uint32_t texel[16]);
    void (*atc_explicit)(const uint32_t block[4], uint32_t texel[16]);
    void (*atc_interpolated)(const uint32_t block[4], uint32_t texel[16]);
};

/* Those of the levels that this machine runs. */
enum { BLOCK_CODECS = 5 };
unsigned block_codecs(const struct block_codec *codecs[BLOCK_CODECS]);

#endif
