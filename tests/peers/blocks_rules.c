/* What is said of two texels of one block: that they are equal, or which stated rule makes them differ. Every rule says
 * exactly what the other one has then, or for one driver, whose arithmetic is not written down anywhere, how far it may
 * be off. docs/peer-differences.md has their reasons. */
#include <math.h>
#include <string.h>

#include "../unit/support/astc_reference.h"
#include "blocks.h"

const char *const block_rule_names[RULES] = {
    [RULE_EQUAL] = "equal",
    [RULE_TRUNCATED] = "fractions-truncated",
    [RULE_SIGNED_ENDS] = "signed-ends",
    [RULE_EIGHT_BIT_WEIGHTS] = "weights-of-8-bits",
    [RULE_NEAREST_ENDS] = "ends-to-nearest",
    [RULE_SIXTEEN_BITS] = "eac-of-16-bits",
    [RULE_ZERO_SIGN] = "zero-of-negatives",
    [RULE_ASTC_CODES] = "astc-high-bits",
    [RULE_ASTC_NEAREST] = "astc-nearest-codes",
    [RULE_ASTC_ERROR] = "astc-error-nan",
    [RULE_ASTC_PROFILE] = "astc-profile",
    [RULE_ASTC_RESERVED] = "astc-reserved-bits",
    [RULE_NONE] = "unexplained",
};

static int code_of(float value, int one) { return (int)lround((double)value * one); }

/* A number that a code stands for, but for the rounding of floats. */
static bool is_code(float value, int code, int one) { return fabs((double)value * one - code) < 0.01; }

/* ---- codes of 8 bits ---- */

static int srgb_code(float linear)
{
    const double x = (double)linear, y = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
    return (int)lround(255 * y);
}

/* ---- S3TC and RGTC ---- */

/* A texel of a channel, in parts of a code: `steps` is how many. The ends are as they stand: -128 is not -127. */
static int raw_sum(const uint8_t *block, unsigned texel, bool is_signed, int *steps, int *apart)
{
    uint64_t codes = 0;
    int ends[2];
    for (unsigned e = 0; e < 2; e++) ends[e] = is_signed && block[e] > 127 ? block[e] - 256 : block[e];
    for (unsigned b = 0; b < 6; b++) codes |= (uint64_t)block[2 + b] << 8 * b;
    const int code = (int)(codes >> 3 * texel & 7);
    *apart = ends[0] < ends[1] ? ends[1] - ends[0] : ends[0] - ends[1];
    *steps = ends[0] > ends[1] ? 7 : 5;
    if (code < 2) return ends[code] * *steps;
    if (code > *steps) return code == 6 ? (is_signed ? -128 : 0) * *steps : (is_signed ? 127 : 255) * *steps;
    return ends[0] * (*steps + 1 - code) + ends[1] * (code - 1);
}

/* llvmpipe's own arithmetic has weights of eight bits: at most a code and 0.03 of the ends' distance off, as much as
 * Direct3D allows for S3TC (11.3, 19.5.2). */
static bool is_near(const uint8_t *block, unsigned texel, bool is_signed, int code)
{
    int steps, apart;
    const int raw = raw_sum(block, texel, is_signed, &steps, &apart);
    return fabs((double)raw / steps - code) < 1 + 0.03 * apart;
}

/* BC3: a block of RGTC is its alpha. */
static bool has_alpha_ends(const struct block_format *format)
{
    return format->format == SCH_FORMAT_DXT5_RGBA || format->format == SCH_FORMAT_DXT5_SRGBA;
}

static enum block_rule judge_code(const struct block_peer *peer, const struct block_format *format,
                                  const uint8_t *block, unsigned texel, unsigned channel, int ours, int theirs)
{
    const int apart = ours < theirs ? theirs - ours : ours - theirs;
    if (!apart) return RULE_EQUAL;
    if (format->family == FAMILY_S3TC && peer == &blocks_llvmpipe) {
        const bool alpha = channel == 3 && has_alpha_ends(format);
        return (alpha ? is_near(block, texel, false, theirs) : apart == 1) ? RULE_EIGHT_BIT_WEIGHTS : RULE_NONE;
    }
    /* FXT1's channels of five and six bits become 8 "by bit replication"; in Mesa the nearest ones. */
    if (format->family == FAMILY_FXT1 && apart == 1) return RULE_NEAREST_ENDS;
    return RULE_NONE;
}

/* Mesa's arithmetic is that of whole numbers, C's quotient towards 0, of ends that may be -128; a texel of -128 is -1
 * all the same. */
static enum block_rule judge_fraction(const struct block_peer *peer, const uint8_t *block, unsigned texel,
                                      bool is_signed, float ours, float theirs)
{
    const int one = is_signed ? 127 : 255, sum = code_of(ours, 35 * one), code = code_of(theirs, one);
    int steps, apart;
    if (!is_code(ours, sum, 35 * one) || !is_code(theirs, code, one)) return RULE_NONE;
    if (sum == 35 * code) return RULE_EQUAL;
    const int raw = raw_sum(block, texel, is_signed, &steps, &apart);
    if (raw / steps == code || (raw / steps == -128 && code == -127))
        return raw * 35 == sum * steps ? RULE_TRUNCATED : RULE_SIGNED_ENDS;
    return peer == &blocks_llvmpipe && is_near(block, texel, is_signed, code) ? RULE_EIGHT_BIT_WEIGHTS : RULE_NONE;
}

/* ---- EAC ---- */

/* Mesa has the 16 bits that the text extends the 11 bits to; ours are 11 bits. */
static enum block_rule judge_eleven(bool is_signed, float ours, float theirs)
{
    const int one = is_signed ? 1023 : 2047, one_16 = is_signed ? 32767 : 65535;
    const int code = code_of(ours, one), code_16 = code_of(theirs, one_16), size = code < 0 ? -code : code;
    const int wide = size << 5 | size >> (is_signed ? 5 : 6);
    if (!is_code(ours, code, one) || code_16 != (code < 0 ? -wide : wide)) return RULE_NONE;
    return size == 0 || size == one ? RULE_EQUAL : RULE_SIXTEEN_BITS;
}

/* ---- ASTC ---- */

static bool is_magenta(const float texel[4], int least, int one)
{
    for (unsigned c = 0; c < 4; c++) {
        const int code = code_of(texel[c], one);
        if (c == 1 ? code != 0 : code < least) return false;
    }
    return true;
}

void blocks_astc_facts(const struct block_format *format, const uint8_t *block, struct astc_reference *facts)
{
    uint32_t words[4];
    for (unsigned w = 0; w < 4; w++)
        words[w] = block[4 * w] | (uint32_t)block[4 * w + 1] << 8 | (uint32_t)block[4 * w + 2] << 16 |
                   (uint32_t)block[4 * w + 3] << 24;
    astc_reference_facts(words, (int)format->width, (int)format->height, facts);
}

/* Whether the block has what the LDR profile has not. */
static bool is_hdr(const struct astc_reference *facts)
{
    static const uint16_t hdr_modes = 1 << 2 | 1 << 3 | 1 << 7 | 1 << 11 | 1 << 14 | 1 << 15;
    if (facts->kind == ASTC_VOID_HDR) return true;
    for (int p = 0; facts->kind == ASTC_WEIGHTED && p < facts->partitions; p++)
        if (hdr_modes >> facts->endpoint_mode[p] & 1) return true;
    return false;
}

/* A void extent with reserved bits that are not all ones is illegal, and the error colour; Mesa does not look at them,
 * and has the high 8 bits of its colour. */
static bool is_reserved(const struct block_format *format, const struct astc_reference *facts, const uint8_t *block,
                        const float theirs[4])
{
    if (facts->kind != ASTC_VOID_RESERVED_BITS) return false;
    for (unsigned c = 0; c < 4; c++) {
        const bool curved = format->profile == PROFILE_SRGB && c < 3;
        if ((curved ? srgb_code(theirs[c]) : code_of(theirs[c], 255)) != block[9 + 2 * c]) return false;
    }
    return true;
}

/* LDR in 8 bits: codes have 16, of which Mesa and astcenc 5 take the high ones; astcenc 4 rounds the half. */
static enum block_rule judge_ldr(const struct block_peer *peer, const float ours[4], const float theirs[4])
{
    bool equal = true, high = true, nearest = peer == &blocks_astcenc;
    for (unsigned c = 0; c < 4; c++) {
        const int code = code_of(theirs[c], 255);
        if (!is_code(theirs[c], code, 255)) return RULE_NONE;
        if (is_code(ours[c], code, 255)) continue;
        equal = false;
        high &= code == (ours[c] < 1 ? (int)(ours[c] * 256) : 255);
        nearest &= code == code_of(ours[c], 255);
    }
    if (equal) return RULE_EQUAL;
    return nearest ? RULE_ASTC_NEAREST : high ? RULE_ASTC_CODES : RULE_NONE;
}

static enum block_rule judge_halves(const float ours[4], const float theirs[4])
{
    unsigned nans = 0;
    bool equal = true;
    for (unsigned c = 0; c < 4; c++) {
        nans += isnan(theirs[c]) != 0;
        equal &= (isnan(ours[c]) && isnan(theirs[c])) || !memcmp(&ours[c], &theirs[c], sizeof *ours);
    }
    if (equal) return RULE_EQUAL;
    return nans == 4 && is_magenta(ours, 1, 1) ? RULE_ASTC_ERROR : RULE_NONE;
}

static enum block_rule judge_astc(const struct block_peer *peer, const struct block_format *format,
                                  const uint8_t *block, const float ours[4], const float theirs[4])
{
    const bool is_mesa = peer != &blocks_astcenc;
    struct astc_reference facts;
    blocks_astc_facts(format, block, &facts);
    if (is_mesa && is_reserved(format, &facts, block, theirs)) return RULE_ASTC_RESERVED;
    if (format->profile == PROFILE_SRGB) return RULE_NONE;
    if (format->profile == PROFILE_HDR) return judge_halves(ours, theirs);
    /* astcenc's error colour of such blocks has 254 in place of 255. */
    if (is_hdr(&facts) && is_magenta(theirs, is_mesa ? 255 : 254, 255)) return RULE_ASTC_PROFILE;
    return judge_ldr(peer, ours, theirs);
}

/* ---- all of them ---- */

/* BC6H: a negative number that becomes zero is +0 here (Direct3D 11.3, 19.5.13.10), -0 in Mesa. */
static enum block_rule judge_half(float ours, float theirs)
{
    if (!memcmp(&ours, &theirs, sizeof ours)) return RULE_EQUAL;
    const bool zeros = fpclassify(ours) == FP_ZERO && fpclassify(theirs) == FP_ZERO;
    return zeros && signbit(theirs) ? RULE_ZERO_SIGN : RULE_NONE;
}

static enum block_rule judge_channel(const struct block_peer *peer, const struct block_format *format,
                                     const uint8_t *block, unsigned texel, unsigned channel, float ours, float theirs)
{
    const bool curved = format->numbers == NUMBERS_SRGB && channel < 3;
    switch (format->numbers) {
    case NUMBERS_FRACTIONS:
    case NUMBERS_SIGNED_FRACTIONS:
        return judge_fraction(peer, block + 8 * channel, texel, format->numbers == NUMBERS_SIGNED_FRACTIONS, ours,
                              theirs);
    case NUMBERS_ELEVEN:
    case NUMBERS_SIGNED_ELEVEN:
        return judge_eleven(format->numbers == NUMBERS_SIGNED_ELEVEN, ours, theirs);
    case NUMBERS_HALVES:
        return judge_half(ours, theirs);
    default:
        if (curved) return judge_code(peer, format, block, texel, channel, srgb_code(ours), srgb_code(theirs));
        if (!is_code(ours, code_of(ours, 255), 255) || !is_code(theirs, code_of(theirs, 255), 255)) return RULE_NONE;
        return judge_code(peer, format, block, texel, channel, code_of(ours, 255), code_of(theirs, 255));
    }
}

enum block_rule blocks_judge(const struct block_peer *peer, const struct block_format *format, const uint8_t *block,
                             unsigned x, unsigned y, const float ours[4], const float theirs[4])
{
    enum block_rule rule = RULE_EQUAL;
    if (format->numbers == NUMBERS_ASTC) return judge_astc(peer, format, block, ours, theirs);
    for (unsigned c = 0; c < format->channels; c++) {
        const enum block_rule its = judge_channel(peer, format, block, 4 * y + x, c, ours[c], theirs[c]);
        if (its > rule) rule = its;
    }
    return rule == RULE_NONE && format->family == FAMILY_ASTC ? judge_astc(peer, format, block, ours, theirs) : rule;
}
