/* Width-agnostic entry points to the ASTC decoder of src/ops, one for each vector width. With SCH_LANES defined this
 * file is also their body: astc_codec_4.c and its like include it. */
#ifndef TESTS_ASTC_CODEC_H
#define TESTS_ASTC_CODEC_H

#include <stdint.h>

/* A tile whose first texel is texel (x, y) of the block; the profile is one of astc_reference.h. */
typedef void astc_tile_fn(const uint32_t block[4], int width, int height, int profile, int x, int y, uint32_t word0[16],
                          uint32_t word1[16]);
astc_tile_fn astc_tile_4, astc_tile_8, astc_tile_16;

#endif

#ifdef SCH_LANES
#define SCH_LEVEL test
#include "ops/texture/astc.h"

void OPS_JOIN(astc_tile, SCH_LANES)(const uint32_t block[4], int width, int height, int profile, int x, int y,
                                    uint32_t word0[16], uint32_t word1[16])
{
    const struct tex_astc_part part = {x, y};
    tex_astc_tile(block, (unsigned)width, (unsigned)height, (enum tex_astc_profile)profile, part, word0, word1);
}
#endif
