/* What moves texels without a shader, texel by texel, by docs/resources.md: components as stores take them, writes of
 * some of them, means. On format_reference.c; must not include anything of src/ops. */
#ifndef TESTS_TEXEL_REFERENCE_H
#define TESTS_TEXEL_REFERENCE_H

#include "format_reference.h"

enum { REF_BLOCK_BYTES = 16, REF_MEAN_COLUMNS = 3, REF_MEAN_ROWS = 16 };

bool ref_is_depth(const struct ref_row *row); /* or stencil, or both */
bool ref_is_written(const struct ref_row *row);
bool ref_is_exact(const struct ref_row *row); /* means are of codes */
bool ref_is_integer(const struct ref_row *row);
bool ref_has_means(const struct ref_row *row);

/* A float's bits; those of the NaN that arithmetic makes are 0x7fc00000. */
uint32_t ref_word(float f);

/* R, G, B, A of texel x & 1 of a block; of depth and stencil formats depth and stencil. */
void ref_components(const struct ref_row *row, const uint8_t *block, unsigned x, uint32_t value[4]);

/* Writes the components whose bits are set. */
void ref_write(const struct ref_row *row, unsigned components, const uint32_t value[4], uint8_t *block);

/* Texels of columns and rows; how often each counts is the product of both weights. */
struct ref_mean {
    unsigned columns, rows;
    const uint8_t *texel[REF_MEAN_ROWS][REF_MEAN_COLUMNS];
    int64_t row_weight[REF_MEAN_ROWS], column_weight[REF_MEAN_COLUMNS];
};
void ref_write_mean(const struct ref_row *row, unsigned components, const struct ref_mean *mean, uint8_t *block);

uint32_t ref_channel_at(const struct ref_row *row, const uint8_t *block, unsigned channel);
void ref_put_channel(const struct ref_row *row, uint8_t *block, unsigned channel, uint32_t code);

#endif
