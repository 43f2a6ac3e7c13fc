/* FXT1 from the words of its specification, one texel at a time: what the decoder of src/ops is compared with. Must not
 * include anything of src. */
#ifndef TESTS_FXT1_REFERENCE_H
#define TESTS_FXT1_REFERENCE_H

#include <stdint.h>

/* CC_MIXED without and with alpha, CC_ALPHA without and with lerp. */
enum fxt1_format { FXT1_HI, FXT1_CHROMA, FXT1_MIXED, FXT1_MIXED_ALPHA, FXT1_ALPHA, FXT1_ALPHA_LERP, FXT1_FORMATS };

/* Red, green, blue and alpha of texel 0 to 31, numbered as in the appendix: 0 to 15 are the left half's rows. */
enum fxt1_format fxt1_reference(const uint8_t block[16], unsigned texel, uint8_t rgba[4]);

#endif
