/* ETC1, ETC2 and EAC from the words of their specification, one texel at a time: what the decoders of src/ops are
 * compared with. Must not include anything of src. */
#ifndef TESTS_ETC_REFERENCE_H
#define TESTS_ETC_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

enum etc_mode { ETC_INDIVIDUAL, ETC_DIFFERENTIAL, ETC_T, ETC_H, ETC_PLANAR, ETC_MODES };

/* Red, green, blue and alpha of the texel in column x and row y of a block of 8 bytes. */
enum etc_mode etc_reference(const uint8_t block[8], bool punch_through, unsigned x, unsigned y, uint8_t rgba[4]);
/* The alpha part of a block of RGBA ETC2. */
uint8_t etc_reference_alpha(const uint8_t block[8], unsigned x, unsigned y);
/* 0 to 2047, or -1023 to 1023. */
int32_t etc_reference_eac(const uint8_t block[8], bool is_signed, unsigned x, unsigned y);

#endif
