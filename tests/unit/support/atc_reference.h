/* ATC, one texel at a time: what the decoders of src/ops are compared with. AMD_compressed_ATC_texture does not say
 * what blocks mean; this is what the decision says of them. Must not include anything of src. */
#ifndef TESTS_ATC_REFERENCE_H
#define TESTS_ATC_REFERENCE_H

#include <stdint.h>

enum atc_method { ATC_FOUR, ATC_BLACK, ATC_METHODS };

/* Red, green and blue of the texel in column x and row y. */
enum atc_method atc_reference(const uint8_t block[8], unsigned x, unsigned y, uint8_t rgb[3]);
/* Of the eight bytes in front of the colours. */
uint8_t atc_reference_explicit(const uint8_t block[8], unsigned x, unsigned y);
uint8_t atc_reference_interpolated(const uint8_t block[8], unsigned x, unsigned y);

#endif
