/* The reference for texel formats: scalar, bit by bit, in fractions. Written from docs/texture.md; must not include
 * anything of src/ops. */
#include "format_reference.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

#include "abi/texture.h"

__extension__ typedef unsigned __int128 wide;

static struct ref_row rows[] = {
#define FORMAT(name, number, layout, width, height, depth, channels, swizzle, space)                                   \
    {#name, #layout, channels, swizzle, #space, number, width, 0, 0, {{"", 0, 0}}, false, false, false},
#include "isa/formats.def"
#undef FORMAT
};

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static bool readable(const struct ref_row *row)
{
    if (row->number == 0) return false;
    if (is(row->layout, "PLAIN")) {
        for (unsigned i = 0; i < row->channels; i++)
            if (row->channel[i].bits > 32) return false;
        return true;
    }
    if (is(row->layout, "SUBSAMPLED") || is(row->name, "R1_UNORM")) return true;
    return is(row->name, "R11G11B10_FLOAT") || is(row->name, "R9G9B9E5_FLOAT") || is(row->name, "R8G8Bx_SNORM");
}

/* Registers have 32 bits a component: numbers of 64 bits are two, and only two of them fit. */
static void split_numbers(struct ref_row *row)
{
    row->wide = row->number && is(row->layout, "PLAIN") && row->channel[0].bits == 64 && row->channels <= 2;
    if (!row->wide) return;
    row->channels *= 2;
    row->swizzle = row->channels == 2 ? "xy00" : "xyzw";
    const char *type = row->channel[0].type[0] == 's' ? "sp" : "up";
    for (unsigned i = 0; i < row->channels; i++) {
        row->channel[i] = (struct ref_channel_text){"", 32, 32 * i};
        memcpy(row->channel[i].type, type, 3);
    }
}

static void take_apart(struct ref_row *row)
{
    unsigned at = 0;
    for (const char *s = row->text; *s && row->channels < 4;) {
        struct ref_channel_text *channel = &row->channel[row->channels++];
        for (unsigned i = 0; isalpha((unsigned char)*s); s++) channel->type[i++] = *s;
        char *end;
        channel->bits = (unsigned)strtoul(s, &end, 10);
        channel->offset = at;
        at += channel->bits;
        s = end + strspn(end, " ");
    }
    row->bytes = at / 8;
    split_numbers(row);
    row->read = readable(row);
    row->stored = row->read && !is(row->space, "ZS") && !is(row->layout, "SUBSAMPLED") &&
                  !is(row->name, "R8G8Bx_SNORM") && !is(row->name, "R1_UNORM");
}

unsigned ref_rows(const struct ref_row **all)
{
    static bool done;
    unsigned count = sizeof rows / sizeof *rows;
    for (unsigned i = 0; i < count && !done; i++) take_apart(&rows[i]);
    done = true;
    *all = rows;
    return count;
}

uint32_t ref_bits_at(const uint8_t *block, unsigned offset, unsigned bits)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < bits; i++) r |= (uint32_t)(block[(offset + i) / 8] >> (offset + i) % 8 & 1) << i;
    return r;
}

static void put_bits(uint8_t *block, unsigned offset, unsigned bits, uint32_t code)
{
    for (unsigned i = 0; i < bits; i++)
        if (code >> i & 1) block[(offset + i) / 8] |= (uint8_t)(1u << (offset + i) % 8);
}

/* numerator / denominator to the nearest float, ties to even; the quotient is no denormal. */
static uint32_t nearest(bool negative, wide numerator, wide denominator)
{
    uint32_t sign = negative ? 0x80000000u : 0;
    if (numerator == 0) return sign;
    int exponent = 23;
    while (numerator >= denominator << 24) denominator <<= 1, exponent++;
    while (numerator < denominator << 23) numerator <<= 1, exponent--;
    uint32_t whole = (uint32_t)(numerator / denominator);
    wide rest = numerator % denominator * 2;
    if (rest > denominator || (rest == denominator && whole % 2)) whole++;
    return sign | (((uint32_t)(exponent + 126) << 23) + whole); /* a carry goes into the exponent */
}

/* A float of 5 bits of exponent, without sign. */
static uint32_t small_float(uint32_t code, unsigned mantissa_bits)
{
    uint32_t exponent = code >> mantissa_bits, mantissa = code & ((1u << mantissa_bits) - 1);
    if (exponent == 31) return 0x7f800000u | mantissa << (23 - mantissa_bits);
    if (exponent) mantissa |= 1u << mantissa_bits;
    wide numerator = (wide)mantissa << (exponent ? exponent : 1);
    return nearest(false, numerator, (wide)1 << (15 + mantissa_bits));
}

/* 0.04045 and the rest of the curve; the decimals are rounded at 300 bits. */
static uint32_t srgb_value(uint32_t code, uint32_t max)
{
    static uint32_t known[3][256];
    static bool have[3][256];
    unsigned table = max == 255 ? 0 : max == 63 ? 1 : 2;
    if (have[table][code]) return known[table][code];
    mpfr_t s, t;
    mpfr_inits2(300, s, t, (mpfr_ptr)0);
    mpfr_set_ui(s, code, MPFR_RNDN);
    mpfr_div_ui(s, s, max, MPFR_RNDN);
    mpfr_set_str(t, "0.04045", 10, MPFR_RNDN);
    if (mpfr_cmp(s, t) <= 0) {
        mpfr_set_str(t, "12.92", 10, MPFR_RNDN);
        mpfr_div(s, s, t, MPFR_RNDN);
    } else {
        mpfr_set_str(t, "0.055", 10, MPFR_RNDN);
        mpfr_add(s, s, t, MPFR_RNDN);
        mpfr_set_str(t, "1.055", 10, MPFR_RNDN);
        mpfr_div(s, s, t, MPFR_RNDN);
        mpfr_set_str(t, "2.4", 10, MPFR_RNDN);
        mpfr_pow(s, s, t, MPFR_RNDN);
    }
    float f = mpfr_get_flt(s, MPFR_RNDN);
    mpfr_clears(s, t, (mpfr_ptr)0);
    memcpy(&known[table][code], &f, sizeof f);
    have[table][code] = true;
    return known[table][code];
}

static uint32_t max_of(unsigned bits) { return (uint32_t)(((uint64_t)1 << bits) - 1); }

static uint32_t channel_value(const struct ref_channel_text *channel, bool srgb, uint32_t code)
{
    bool negative = code >> (channel->bits - 1) & 1;
    uint32_t extended = negative ? code | ~max_of(channel->bits) : code, magnitude = negative ? 0u - extended : code;
    const char *type = channel->type;
    if (is(type, "un"))
        return srgb ? srgb_value(code, max_of(channel->bits)) : nearest(false, code, max_of(channel->bits));
    if (is(type, "sn")) {
        uint32_t max = max_of(channel->bits - 1);
        return nearest(negative, magnitude > max ? max : magnitude, max);
    }
    if (is(type, "u")) return nearest(false, code, 1);
    if (is(type, "s")) return nearest(negative, magnitude, 1);
    if (is(type, "h")) return nearest(negative, magnitude, 65536);
    if (is(type, "up")) return code;
    if (is(type, "sp")) return extended;
    if (channel->bits == 32) return code;
    if (channel->bits == 16) return (code & 0x8000u) << 16 | small_float(code & 0x7fffu, 10);
    return small_float(code, channel->bits - 5);
}

static uint32_t constant(char c, bool integer) { return c != '1' ? 0 : integer ? 1 : 0x3f800000u; }

static uint32_t signed_code(const uint8_t *block, unsigned byte)
{
    int code = (int8_t)block[byte];
    return (uint32_t)(code < -127 ? 127 : abs(code));
}

static uint32_t third_of_unit_vector(const uint8_t *block)
{
    uint32_t r = signed_code(block, 0), g = signed_code(block, 1), root = 0;
    while ((root + 1) * (root + 1) + r * r + g * g <= 127 * 127) root++;
    return nearest(false, root * 255 / 127, 255);
}

/* Where the codes of a pair are, by the name: the letter of the doubled one comes twice. Direct3D 11.3, 5.3.11, has
 * Y210 and Y216 as Y0, U, Y1, V of 16 bits. */
static void subsampled(const struct ref_row *row, const uint8_t *block, unsigned x, uint32_t value[4])
{
    static const struct {
        const char *name;
        unsigned place[2][3]; /* of texel 0 and 1: codes of R, G, B */
    } known[] = {
        {"YUYV", {{0, 1, 3}, {2, 1, 3}}},
        {"UYVY", {{1, 0, 2}, {3, 0, 2}}},
        {"R8G8_B8G8_UNORM", {{0, 1, 2}, {0, 3, 2}}},
        {"G8R8_G8B8_UNORM", {{1, 0, 3}, {1, 2, 3}}},
        {"R8G8_R8B8_UNORM", {{0, 1, 3}, {2, 1, 3}}},
        {"G8R8_B8R8_UNORM", {{1, 0, 2}, {3, 0, 2}}},
        {"Y210", {{0, 1, 3}, {2, 1, 3}}},
        {"Y212", {{0, 1, 3}, {2, 1, 3}}},
        {"Y216", {{0, 1, 3}, {2, 1, 3}}},
    };
    const unsigned bits = row->bytes * 2;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (is(known[i].name, row->name))
            for (unsigned c = 0; c < 3; c++)
                value[c] = nearest(false, ref_bits_at(block, bits * known[i].place[x & 1][c], bits), (1u << bits) - 1);
    value[3] = 0x3f800000u;
}

static void shared_exponent(const uint8_t *block, uint32_t value[4])
{
    uint32_t exponent = ref_bits_at(block, 27, 5);
    for (unsigned i = 0; i < 3; i++) value[i] = nearest(false, (wide)ref_bits_at(block, 9 * i, 9) << exponent, 1 << 24);
    value[3] = 0x3f800000u;
}

static void depth_stencil(const struct ref_row *row, unsigned rules, const uint8_t *block, uint32_t value[4])
{
    bool stencil = row->swizzle[0] == '_';
    char letter = row->swizzle[stencil];
    const struct ref_channel_text *channel = &row->channel[letter - 'x'];
    uint32_t v = channel_value(channel, false, ref_bits_at(block, channel->offset, channel->bits));
    unsigned place = stencil && rules == SCH_RULES_D3D ? 1 : 0;
    for (unsigned i = 0; i < 4; i++)
        value[i] = rules == SCH_RULES_TGSI || i == place ? v : i == 3 ? constant('1', stencil) : 0;
}

void ref_texel_decode(const struct ref_row *row, unsigned rules, const uint8_t *block, unsigned x, uint32_t value[4])
{
    if (is(row->layout, "SUBSAMPLED")) {
        subsampled(row, block, x, value);
        return;
    }
    if (is(row->name, "R9G9B9E5_FLOAT")) {
        shared_exponent(block, value);
        return;
    }
    if (is(row->name, "R1_UNORM")) {
        value[0] = block[0] & (0x80 >> x % 8) ? 0x3f800000u : 0;
        value[1] = value[2] = 0;
        value[3] = 0x3f800000u;
        return;
    }
    if (is(row->space, "ZS")) {
        depth_stencil(row, rules, block, value);
        return;
    }
    bool integer = strstr(row->name, "UINT") || strstr(row->name, "SINT");
    for (unsigned i = 0; i < 4; i++) {
        const char *place = strchr("xyzw", row->swizzle[i]);
        if (!place) {
            value[i] = constant(row->swizzle[i], integer);
            continue;
        }
        const struct ref_channel_text *channel = &row->channel[place - "xyzw"];
        if ((unsigned)(channel - row->channel) >= row->channels)
            value[i] = third_of_unit_vector(block);
        else
            value[i] = channel_value(channel, is(row->space, "SRGB") && i < 3,
                                     ref_bits_at(block, channel->offset, channel->bits));
    }
}

/* ---- storing -------------------------------------------------------------------------------------------- */

enum ties { TIES_EVEN, TIES_AWAY, TOWARD_ZERO };

static bool is_nan(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

/* |float| is mantissa * 2^exponent. */
static uint64_t split(uint32_t bits, int *exponent)
{
    uint32_t field = bits >> 23 & 255, mantissa = bits & 0x7fffffu;
    *exponent = (int)(field ? field : 1) - 150;
    return field ? mantissa | 0x800000u : mantissa;
}

/* n * 2^shift as a whole number; what is too large is 2^62. */
static uint64_t whole(uint64_t n, int shift, enum ties ties)
{
    if (n == 0) return 0;
    if (shift >= 0) return shift > 61 || n >> (62 - shift) ? (uint64_t)1 << 62 : n << shift;
    if (shift < -100) return 0; /* n < 2^64 */
    wide one = (wide)1 << -shift, rest = n & (one - 1);
    uint64_t q = (uint64_t)((wide)n >> -shift);
    if (ties == TOWARD_ZERO) return q;
    return q + (2 * rest > one || (2 * rest == one && (ties == TIES_AWAY || q % 2)));
}

/* The float times the factor, rounded, within [low, high]; NaN is 0. */
static int64_t limited(uint32_t bits, uint64_t factor, enum ties ties, int64_t low, int64_t high)
{
    if (is_nan(bits)) return 0;
    int exponent;
    uint64_t mantissa = split(bits, &exponent);
    int64_t v = (int64_t)whole(mantissa * factor, exponent, ties);
    if (bits >> 31) v = -v;
    return v < low ? low : v > high ? high : v;
}

static uint32_t to_small_float(uint32_t bits, unsigned mantissa_bits, enum ties ties)
{
    uint32_t infinity = 31u << mantissa_bits;
    bits &= 0x7fffffffu;
    if (bits == 0x7f800000u) return infinity;
    int exponent, top = -14;
    uint64_t mantissa = split(bits, &exponent);
    while (mantissa >> 23 && exponent + 23 > top) top++;
    uint64_t q = whole(mantissa, exponent - top + (int)mantissa_bits, ties);
    uint64_t code = ((uint64_t)(top + 14) << mantissa_bits) + q;
    return code < infinity ? (uint32_t)code : ties == TOWARD_ZERO ? infinity - 1 : infinity;
}

static uint32_t float_code(unsigned bits, unsigned rules, uint32_t value)
{
    if (bits == 32) return value;
    unsigned mantissa_bits = bits == 16 ? 10 : bits - 5;
    if (is_nan(value)) return 31u << mantissa_bits | 1u << (mantissa_bits - 1); /* the canonical one */
    bool truncated = bits < 16 || rules == SCH_RULES_D3D; /* Direct3D 11.3, 3.2.2; OpenGL 4.6, 2.3.4.3 */
    uint32_t code = to_small_float(value, mantissa_bits, truncated ? TOWARD_ZERO : TIES_EVEN);
    if (bits == 16) return code | (value >> 16 & 0x8000u);
    return value >> 31 ? 0 : code;
}

static uint32_t srgb_code(uint32_t value, uint32_t max)
{
    float f;
    memcpy(&f, &value, sizeof f);
    if (!(f > 0)) return 0;
    if (f > 1) f = 1;
    mpfr_t s, t;
    mpfr_inits2(150, s, t, (mpfr_ptr)0);
    mpfr_set_flt(s, f, MPFR_RNDN);
    mpfr_set_str(t, "0.0031308", 10, MPFR_RNDN);
    if (mpfr_cmp(s, t) <= 0) {
        mpfr_set_str(t, "12.92", 10, MPFR_RNDN);
        mpfr_mul(s, s, t, MPFR_RNDN);
    } else {
        mpfr_rootn_ui(s, s, 12, MPFR_RNDN); /* x^(5/12) */
        mpfr_pow_ui(s, s, 5, MPFR_RNDN);
        mpfr_set_str(t, "1.055", 10, MPFR_RNDN);
        mpfr_mul(s, s, t, MPFR_RNDN);
        mpfr_set_str(t, "0.055", 10, MPFR_RNDN);
        mpfr_sub(s, s, t, MPFR_RNDN);
    }
    mpfr_mul_ui(s, s, max, MPFR_RNDN);
    mpfr_rint(s, s, MPFR_RNDN);
    uint32_t code = (uint32_t)mpfr_get_ui(s, MPFR_RNDN);
    mpfr_clears(s, t, (mpfr_ptr)0);
    return code;
}

static uint32_t channel_code(const struct ref_channel_text *channel, bool srgb, unsigned rules, uint32_t value)
{
    const enum ties ties = TIES_AWAY; /* Direct3D 11.3, 3.2.3.4 and 3.2.3.6; OpenGL 4.6, 2.3.5.2, leaves ties open */
    const char *type = channel->type;
    int64_t max = max_of(channel->bits), half = max_of(channel->bits - 1);
    if (is(type, "un"))
        return srgb ? srgb_code(value, (uint32_t)max) : (uint32_t)limited(value, (uint64_t)max, ties, 0, max);
    if (is(type, "sn")) return (uint32_t)limited(value, (uint64_t)half, ties, -half, half);
    if (is(type, "u")) return (uint32_t)limited(value, 1, TIES_EVEN, 0, max);
    if (is(type, "s")) return (uint32_t)limited(value, 1, TIES_EVEN, -half - 1, half);
    if (is(type, "h")) return (uint32_t)limited(value, 65536, TIES_EVEN, -half - 1, half);
    if (is(type, "up")) return value > max ? (uint32_t)max : value;
    if (is(type, "sp")) {
        int64_t v = (int32_t)value;
        return (uint32_t)(v > half ? half : v < -half - 1 ? -half - 1 : v);
    }
    return float_code(channel->bits, rules, value);
}

/* floor(|float| * 2^shift + 1/2) */
static uint32_t half_up(uint32_t bits, int shift)
{
    int exponent;
    uint64_t mantissa = split(bits, &exponent);
    return (uint32_t)whole(mantissa, exponent + shift, TIES_AWAY);
}

/* EXT_texture_shared_exponent, with N = 9 and B = 15. */
static uint32_t to_shared_exponent(const uint32_t value[4])
{
    const uint32_t limit = 0x477f8000u; /* 65408 */
    uint32_t clamped[3], most = 0;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t v = is_nan(value[i]) || value[i] >> 31 ? 0 : value[i];
        clamped[i] = v > limit ? limit : v;
        if (clamped[i] > most) most = clamped[i];
    }
    int log2 = (int)(most >> 23) - 127; /* floor; of denormals far below -16 anyway */
    int exponent = (log2 > -16 ? log2 : -16) + 16;
    if (half_up(most, 24 - exponent) == 512) exponent++;
    uint32_t word = (uint32_t)exponent << 27;
    for (unsigned i = 0; i < 3; i++) word |= half_up(clamped[i], 24 - exponent) << (9 * i);
    return word;
}

void ref_texel_encode(const struct ref_row *row, unsigned rules, const uint32_t value[4], uint8_t *block)
{
    memset(block, 0, row->bytes);
    if (is(row->name, "R9G9B9E5_FLOAT")) {
        put_bits(block, 0, 32, to_shared_exponent(value));
        return;
    }
    for (unsigned i = 0; i < row->channels; i++) {
        const struct ref_channel_text *channel = &row->channel[i];
        const char *from = strchr(row->swizzle, "xyzw"[i]); /* the first component that reads it */
        if (!from || is(channel->type, "x")) continue;
        bool srgb = is(row->space, "SRGB") && from - row->swizzle < 3;
        put_bits(block, channel->offset, channel->bits, channel_code(channel, srgb, rules, value[from - row->swizzle]));
    }
}
