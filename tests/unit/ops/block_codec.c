/* The decoders of blocks of one level (block_codec.h), SCH_LEVEL. */
#include "block_codec.h"

#include "ops/texture/atc.h"
#include "ops/texture/etc.h"
#include "ops/texture/fxt1.h"

static void etc1(const uint32_t block[2], uint32_t texel[16]) { tex_etc1_tile(block, texel); }
static void etc2(const uint32_t block[2], bool punch_through, uint32_t texel[16])
{
    punch_through ? tex_etc2_tile(block, true, texel) : tex_etc2_tile(block, false, texel);
}
static void etc2_rgba(const uint32_t block[4], uint32_t texel[16]) { tex_etc2_rgba_tile(block, texel); }
static void eac(const uint32_t block[2], bool is_signed, unsigned shift, uint32_t texel[16])
{
    is_signed ? tex_eac_tile(block, true, shift, texel) : tex_eac_tile(block, false, shift, texel);
}
static void fxt1(const uint32_t block[4], bool alpha, unsigned half, uint32_t texel[16])
{
    tex_fxt1_tile(block, alpha, half, texel);
}
static void atc(const uint32_t block[2], uint32_t texel[16]) { tex_atc_tile(block, texel); }
static void atc_explicit(const uint32_t block[4], uint32_t texel[16]) { tex_atc_explicit_tile(block, texel); }
static void atc_interpolated(const uint32_t block[4], uint32_t texel[16]) { tex_atc_interpolated_tile(block, texel); }

#define NAME_(level) #level
#define NAME(level)  NAME_(level)
extern const struct block_codec OPS_JOIN(block_codec, SCH_LEVEL);
const struct block_codec OPS_JOIN(block_codec, SCH_LEVEL) = {
    NAME(SCH_LEVEL), etc1, etc2, etc2_rgba, eac, fxt1, atc, atc_explicit, atc_interpolated};
