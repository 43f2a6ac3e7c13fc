/* Texel formats by the rules of docs/texture.md in whole numbers, fractions and MPFR: what texels mean and what is
 * stored. */
#ifndef TESTS_FORMAT_REFERENCE_H
#define TESTS_FORMAT_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

struct ref_channel_text {
    char type[3]; /* letters of the row: "un", "f", ... */
    unsigned bits, offset;
};

/* A row of formats.def, taken apart. */
struct ref_row {
    const char *name, *layout, *text, *swizzle, *space;
    unsigned number, width, bytes, channels;
    struct ref_channel_text channel[4];
    bool read;   /* the texture unit reads it */
    bool stored; /* and stores it */
    bool wide;   /* of one or two numbers of 64 bits, whose words are the channels here */
};

unsigned ref_rows(const struct ref_row **rows);

/* R, G, B, A bits of texel x % width of a block. */
void ref_texel_decode(const struct ref_row *row, unsigned rules, const uint8_t *block, unsigned x, uint32_t value[4]);
void ref_texel_encode(const struct ref_row *row, unsigned rules, const uint32_t value[4], uint8_t *block);

uint32_t ref_bits_at(const uint8_t *block, unsigned offset, unsigned bits);

#endif
