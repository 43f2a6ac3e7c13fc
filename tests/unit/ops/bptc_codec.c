/* See bptc_codec.h. Compiled with SCH_LANES and SCH_LEVEL as src/ops is. */
#include "bptc_codec.h"

#include "ops/texture/bptc.h"

#define TEXT_OF_(x) #x
#define TEXT_OF(x)  TEXT_OF_(x)

static void bc7(const uint32_t block[4], uint32_t texel[16]) { tex_bc7_tile(block, texel); }

static void bc6h(const uint32_t block[4], bool is_signed, uint32_t red_green[16], uint32_t blue_alpha[16])
{
    tex_bc6h_tile(block, is_signed, red_green, blue_alpha);
}

const struct bptc_codec OPS_JOIN(bptc_codec, SCH_LEVEL) = {TEXT_OF(SCH_LEVEL), bc7, bc6h};
