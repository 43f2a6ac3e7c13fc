/* The endpoints of ASTC blocks: their values to 0 to 255, and from those the two colours of each partition (dataformat,
 * "Endpoint Unquantization", "Endpoint Interpretation"). Holds no weights and no texels. */
#ifndef SCH_OPS_TEXTURE_ASTC_ENDPOINTS_H
#define SCH_OPS_TEXTURE_ASTC_ENDPOINTS_H

#include "ops/texture/astc_header.h"

/* The ranges of endpoint values in ascending order. With trits or quints D and m = xa before and after the lowest
 * bit: unq = D * C + B, and B's pattern is x * copies >> shift; else the bits repeat, which is m * copies >> shift
 * ("ASTC color unquantization parameters"). */
struct tex_astc_color_range {
    uint8_t form, bits; /* enum tex_astc_form */
    uint8_t c;
    uint16_t copies;
    uint8_t shift;
};
enum { TEX_ASTC_COLOR_RANGES = 17 };
static const struct tex_astc_color_range tex_astc_color_ranges[TEX_ASTC_COLOR_RANGES] __attribute__((unused)) = {
    {TEX_ASTC_TRITS, 1, 204, 0x000, 0},  /* 0..5: 000000000 */
    {TEX_ASTC_BITS, 3, 0, 0x049, 1},     /* 0..7 */
    {TEX_ASTC_QUINTS, 1, 113, 0x000, 0}, /* 0..9: 000000000 */
    {TEX_ASTC_TRITS, 2, 93, 0x116, 0},   /* 0..11: b000b0bb0 */
    {TEX_ASTC_BITS, 4, 0, 0x011, 0},     /* 0..15 */
    {TEX_ASTC_QUINTS, 2, 54, 0x10c, 0},  /* 0..19: b0000bb00 */
    {TEX_ASTC_TRITS, 3, 44, 0x085, 0},   /* 0..23: cb000cbcb */
    {TEX_ASTC_BITS, 5, 0, 0x021, 2},     /* 0..31 */
    {TEX_ASTC_QUINTS, 3, 26, 0x105, 1},  /* 0..39: cb0000cbc */
    {TEX_ASTC_TRITS, 4, 22, 0x041, 0},   /* 0..47: dcb000dcb */
    {TEX_ASTC_BITS, 6, 0, 0x041, 4},     /* 0..63 */
    {TEX_ASTC_QUINTS, 4, 13, 0x081, 1},  /* 0..79: dcb0000dc */
    {TEX_ASTC_TRITS, 5, 11, 0x081, 2},   /* 0..95: edcb000ed */
    {TEX_ASTC_BITS, 7, 0, 0x081, 6},     /* 0..127 */
    {TEX_ASTC_QUINTS, 5, 6, 0x101, 3},   /* 0..159: edcb0000e */
    {TEX_ASTC_TRITS, 6, 5, 0x101, 4},    /* 0..191: fedcb000f */
    {TEX_ASTC_BITS, 8, 0, 0x001, 0},     /* 0..255 */
};

/* The same without the least one: bits of a value, and masks of the ranges with trits and with quints. */
static const int32_t tex_astc_color_bits[16] __attribute__((unused)) = {3, 1, 2, 4, 2, 3, 5, 3, 4, 6, 4, 5, 7, 5, 6, 8};
static const int32_t tex_astc_color_forms[2][16] __attribute__((unused)) = {
    {0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0}, {0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0}};

/* The greatest range whose sequence of `count` values fits into so many bits. The least one does, since the header was
 * legal. */
OPS_INLINE const struct tex_astc_color_range *tex_astc_color_range(unsigned count, unsigned bits)
{
    const int32_t trits = (int32_t)tex_astc_sequence_bits(TEX_ASTC_TRITS, 0, count);
    const int32_t quints = (int32_t)tex_astc_sequence_bits(TEX_ASTC_QUINTS, 0, count);
    uint32_t fits = 1;
    for (unsigned i = 0; i < 16; i += SCH_LANES) {
        const vi32 packed =
            (v_load_i32(tex_astc_color_forms[0] + i) & trits) | (v_load_i32(tex_astc_color_forms[1] + i) & quints);
        const vi32 plain = v_dot_halves_i32(v_load_u32(tex_astc_color_bits + i), v_splat_u32(count));
        fits |= v_mask_bits((vi32)(packed + plain <= (int32_t)bits)) << (i + 1);
    }
    return &tex_astc_color_ranges[31 - __builtin_clz(fits)];
}

/* Values of a range to 0 to 255, a vector at a time. */
OPS_INLINE vi32 tex_astc_unquantize(const struct tex_astc_color_range *range, vi32 value)
{
    const vu32 number = (vu32)value;
    if (range->form == TEX_ASTC_BITS) return v_dot_halves_i32(number, v_splat_u32(range->copies)) >> range->shift;
    const vu32 d = number >> range->bits, m = number & ((1u << range->bits) - 1);
    const uint32_t factors = (uint32_t)range->c << range->shift | (uint32_t)range->copies << 16;
    const vi32 sum = v_dot_halves_i32(d | m >> 1 << 16, v_splat_u32(factors)) >> range->shift;
    const vi32 a = -(vi32)(m & 1u) & 0x1ff;
    return (a & 0x80) | ((sum ^ a) >> 2);
}

/* All values of a block, in the order of the text's v0, v1, ..., those of a partition after the last one's. */
enum { TEX_ASTC_VALUES = TEX_ASTC_COLORS + 16 };
OPS_INLINE void tex_astc_color_values(const uint32_t block[4], const struct tex_astc_header *header,
                                      int32_t value[TEX_ASTC_VALUES])
{
    const struct tex_astc_color_range *range = tex_astc_color_range(header->colors, header->color_bits);
    struct tex_astc_stream stream = tex_astc_stream(block);
    tex_astc_skip(&stream, header->colors_at);
    tex_astc_unpack(stream, range->form, range->bits, header->colors, NULL, (uint32_t *)value);
    v_store_i32(value + header->colors, v_splat_i32(1)); /* of the last vector what is not read again */
    for (unsigned i = 0; i < header->colors; i += SCH_LANES)
        v_store_i32(value + i, tex_astc_unquantize(range, v_load_i32(value + i)));
}

/* ---- colours of two endpoints ---- */

/* 8 bits of LDR components, 12 of HDR ones. */
struct tex_astc_ends {
    int32_t end[2][4];
};

OPS_INLINE int32_t tex_astc_clamp(int32_t v, int32_t limit) { return v < 0 ? 0 : v > limit ? limit : v; }

OPS_INLINE void tex_astc_set(int32_t color[4], int32_t r, int32_t g, int32_t b, int32_t a)
{
    color[0] = r;
    color[1] = g;
    color[2] = b;
    color[3] = a;
}

OPS_INLINE void tex_astc_blue_contract(int32_t color[4], int32_t r, int32_t g, int32_t b, int32_t a)
{
    tex_astc_set(color, (r + b) >> 1, (g + b) >> 1, b, a);
}

OPS_INLINE void tex_astc_bit_transfer(int32_t *a, int32_t *b)
{
    *b = *b >> 1 | (*a & 0x80);
    *a = *a >> 1 & 0x3f;
    if (*a & 0x20) *a -= 0x40;
}

/* Mode 1. */
OPS_INLINE void tex_astc_luminance_offset(const int32_t *v, struct tex_astc_ends *ends)
{
    const int32_t low = v[0] >> 2 | (v[1] & 0xc0), high = tex_astc_clamp(low + (v[1] & 0x3f), 0xff);
    tex_astc_set(ends->end[0], low, low, low, 0xff);
    tex_astc_set(ends->end[1], high, high, high, 0xff);
}

/* Mode 5. */
OPS_INLINE void tex_astc_luminance_alpha_offset(const int32_t *v, struct tex_astc_ends *ends)
{
    int32_t base = v[0], offset = v[1], alpha = v[2], alpha_offset = v[3];
    tex_astc_bit_transfer(&offset, &base);
    tex_astc_bit_transfer(&alpha_offset, &alpha);
    const int32_t high = tex_astc_clamp(base + offset, 0xff), high_alpha = tex_astc_clamp(alpha + alpha_offset, 0xff);
    tex_astc_set(ends->end[0], base, base, base, alpha);
    tex_astc_set(ends->end[1], high, high, high, high_alpha);
}

/* Modes 6 and 10. */
OPS_INLINE void tex_astc_rgb_scale(const int32_t *v, int32_t alpha0, int32_t alpha1, struct tex_astc_ends *ends)
{
    tex_astc_set(ends->end[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, alpha0);
    tex_astc_set(ends->end[1], v[0], v[1], v[2], alpha1);
}

/* Modes 8 and 12. */
OPS_INLINE void tex_astc_rgb_direct(const int32_t *v, int32_t alpha0, int32_t alpha1, struct tex_astc_ends *ends)
{
    if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
        tex_astc_set(ends->end[0], v[0], v[2], v[4], alpha0);
        tex_astc_set(ends->end[1], v[1], v[3], v[5], alpha1);
    } else {
        tex_astc_blue_contract(ends->end[0], v[1], v[3], v[5], alpha1);
        tex_astc_blue_contract(ends->end[1], v[0], v[2], v[4], alpha0);
    }
}

/* Modes 9 and 13: of mode 9 the alpha is 255 and its offset 0. */
OPS_INLINE void tex_astc_rgb_offset(const int32_t *v, bool has_alpha, struct tex_astc_ends *ends)
{
    int32_t base[4], offset[4];
    for (unsigned c = 0; c < 4; c++) {
        base[c] = c < 3 || has_alpha ? v[2 * c] : 0xff;
        offset[c] = c < 3 || has_alpha ? v[2 * c + 1] : 0;
        if (c < 3 || has_alpha) tex_astc_bit_transfer(&offset[c], &base[c]);
    }
    int32_t sum[4];
    for (unsigned c = 0; c < 4; c++) sum[c] = base[c] + offset[c];
    if (offset[0] + offset[1] + offset[2] >= 0) {
        tex_astc_set(ends->end[0], base[0], base[1], base[2], base[3]);
        tex_astc_set(ends->end[1], sum[0], sum[1], sum[2], sum[3]);
    } else {
        tex_astc_blue_contract(ends->end[0], sum[0], sum[1], sum[2], sum[3]);
        tex_astc_blue_contract(ends->end[1], base[0], base[1], base[2], base[3]);
    }
    for (unsigned e = 0; e < 2; e++)
        for (unsigned c = 0; c < 4; c++) ends->end[e][c] = tex_astc_clamp(ends->end[e][c], 0xff);
}

/* ---- colours of two HDR endpoints ---- */

enum { TEX_ASTC_HDR_ONE = 0x780, TEX_ASTC_HDR_MAX = 0xfff };

/* Mode 2. */
OPS_INLINE void tex_astc_hdr_luminance_large(const int32_t *v, struct tex_astc_ends *ends)
{
    const bool up = v[1] >= v[0];
    const int32_t low = up ? v[0] << 4 : (v[1] << 4) + 8, high = up ? v[1] << 4 : (v[0] << 4) - 8;
    tex_astc_set(ends->end[0], low, low, low, TEX_ASTC_HDR_ONE);
    tex_astc_set(ends->end[1], high, high, high, TEX_ASTC_HDR_ONE);
}

/* Mode 3. */
OPS_INLINE void tex_astc_hdr_luminance_small(const int32_t *v, struct tex_astc_ends *ends)
{
    const bool coarse = (v[0] & 0x80) != 0;
    const int32_t low = coarse ? (v[1] & 0xe0) << 4 | (v[0] & 0x7f) << 2 : (v[1] & 0xf0) << 4 | (v[0] & 0x7f) << 1;
    const int32_t delta = coarse ? (v[1] & 0x1f) << 2 : (v[1] & 0x0f) << 1;
    const int32_t high = tex_astc_clamp(low + delta, TEX_ASTC_HDR_MAX);
    tex_astc_set(ends->end[0], low, low, low, TEX_ASTC_HDR_ONE);
    tex_astc_set(ends->end[1], high, high, high, TEX_ASTC_HDR_ONE);
}

/* Red and another component in each other's places: modes 7 and 11 keep the greatest one in red's place. */
OPS_INLINE void tex_astc_swap_major(int32_t color[4], unsigned major)
{
    if (major == 0) return;
    const int32_t red = color[0];
    color[0] = color[major];
    color[major] = red;
}

/* What the mode bits of mode 7 say. */
struct tex_astc_scale_mode {
    unsigned major, mode;
};
OPS_INLINE struct tex_astc_scale_mode tex_astc_hdr_scale_mode(const int32_t *v)
{
    const unsigned bits = (unsigned)((v[0] & 0xc0) >> 6 | (v[1] & 0x80) >> 5 | (v[2] & 0x80) >> 4);
    if ((bits & 0xc) != 0xc) return (struct tex_astc_scale_mode){bits >> 2, bits & 3};
    if (bits != 0xf) return (struct tex_astc_scale_mode){bits & 3, 4};
    return (struct tex_astc_scale_mode){0, 5};
}

/* Bit `from` of v, placed at bit `to`, in those of the modes that `modes` has a bit for. */
OPS_INLINE int32_t tex_astc_place_bit(unsigned mode, unsigned modes, int32_t v, unsigned from, unsigned to)
{
    return (int32_t)((modes >> mode & 1) & ((unsigned)v >> from)) << to;
}

/* The components of mode 7 before they are shifted up ("ASTC HDR mode 7 endpoint bit mode"). The extra bits X0 to X6
 * are bits 6 and 5 of v1, 6 and 5 of v2, and 7 to 5 of v3. */
OPS_INLINE void tex_astc_hdr_scale_fields(const int32_t *v, unsigned mode, int32_t field[4])
{
    int32_t red = v[0] & 0x3f, green = v[1] & 0x1f, blue = v[2] & 0x1f, scale = v[3] & 0x1f;
    green |= tex_astc_place_bit(mode, 0x30, v[1], 6, 6) | tex_astc_place_bit(mode, 0x3a, v[1], 5, 5);
    blue |= tex_astc_place_bit(mode, 0x30, v[2], 6, 6) | tex_astc_place_bit(mode, 0x3a, v[2], 5, 5);
    scale |= tex_astc_place_bit(mode, 0x3d, v[3], 5, 5) | tex_astc_place_bit(mode, 0x2d, v[3], 6, 6) |
             tex_astc_place_bit(mode, 0x04, v[3], 7, 7);
    red |= tex_astc_place_bit(mode, 0x3b, v[3], 7, 6) | tex_astc_place_bit(mode, 0x04, v[2], 5, 6);
    red |= tex_astc_place_bit(mode, 0x10, v[3], 6, 7) | tex_astc_place_bit(mode, 0x0f, v[2], 6, 7);
    red |= tex_astc_place_bit(mode, 0x05, v[1], 5, 8) | tex_astc_place_bit(mode, 0x0a, v[1], 6, 8);
    red |= tex_astc_place_bit(mode, 0x05, v[1], 6, 9) | tex_astc_place_bit(mode, 0x02, v[3], 5, 9);
    red |= tex_astc_place_bit(mode, 0x01, v[2], 5, 10) | tex_astc_place_bit(mode, 0x02, v[3], 6, 10);
    tex_astc_set(field, red, green, blue, scale);
}

/* Mode 7. */
OPS_INLINE void tex_astc_hdr_rgb_scale(const int32_t *v, struct tex_astc_ends *ends)
{
    static const uint8_t shifts[6] = {1, 1, 2, 3, 4, 5};
    const struct tex_astc_scale_mode mode = tex_astc_hdr_scale_mode(v);
    int32_t color[4];
    tex_astc_hdr_scale_fields(v, mode.mode, color);
    for (unsigned c = 0; c < 4; c++) color[c] <<= shifts[mode.mode];
    const int32_t scale = color[3];
    if (mode.mode != 5) {
        color[1] = color[0] - color[1];
        color[2] = color[0] - color[2];
    }
    tex_astc_swap_major(color, mode.major);
    for (unsigned c = 0; c < 3; c++) {
        ends->end[1][c] = tex_astc_clamp(color[c], TEX_ASTC_HDR_MAX);
        ends->end[0][c] = tex_astc_clamp(color[c] - scale, TEX_ASTC_HDR_MAX);
    }
    ends->end[0][3] = ends->end[1][3] = TEX_ASTC_HDR_ONE;
}

/* The numbers of mode 11 before they are shifted up ("ASTC HDR mode 11 endpoint bit mode"). The extra bits X0 to X5 are
 * bit 6 of v2 to v5, and bit 5 of v4 and v5. */
struct tex_astc_hdr_fields {
    int32_t a, b[2], c, d[2];
};
OPS_INLINE void tex_astc_hdr_direct_fields(const int32_t *v, unsigned mode, struct tex_astc_hdr_fields *f)
{
    static const uint8_t d_bits[8] = {7, 6, 7, 6, 5, 6, 5, 6};
    f->a = v[0] | (v[1] & 0x40) << 2;
    f->c = v[1] & 0x3f;
    f->a |= tex_astc_place_bit(mode, 0xa4, v[2], 6, 9) | tex_astc_place_bit(mode, 0x08, v[4], 6, 9);
    f->a |= tex_astc_place_bit(mode, 0x50, v[4], 5, 9) | tex_astc_place_bit(mode, 0x50, v[5], 5, 10);
    f->a |= tex_astc_place_bit(mode, 0xa0, v[3], 6, 10) | tex_astc_place_bit(mode, 0xc0, v[4], 6, 11);
    f->c |= tex_astc_place_bit(mode, 0x04, v[3], 6, 6) | tex_astc_place_bit(mode, 0xe8, v[5], 6, 6);
    f->c |= tex_astc_place_bit(mode, 0x20, v[4], 6, 7);
    for (unsigned i = 0; i < 2; i++) {
        f->b[i] = v[2 + i] & 0x3f;
        f->b[i] |= tex_astc_place_bit(mode, 0x5b, v[2 + i], 6, 6) | tex_astc_place_bit(mode, 0x12, v[4 + i], 6, 7);
        const int32_t sign = 1 << (d_bits[mode] - 1);
        f->d[i] = ((v[4 + i] & (2 * sign - 1)) ^ sign) - sign;
    }
}

/* The colours of modes 11, 14 and 15. */
OPS_INLINE void tex_astc_hdr_rgb_direct(const int32_t *v, struct tex_astc_ends *ends)
{
    const unsigned major = (unsigned)(v[4] >> 7 | (v[5] & 0x80) >> 6);
    if (major == 3) {
        tex_astc_set(ends->end[0], v[0] << 4, v[2] << 4, (v[4] & 0x7f) << 5, TEX_ASTC_HDR_ONE);
        tex_astc_set(ends->end[1], v[1] << 4, v[3] << 4, (v[5] & 0x7f) << 5, TEX_ASTC_HDR_ONE);
        return;
    }
    const unsigned mode = (unsigned)(v[1] >> 7 | (v[2] & 0x80) >> 6 | (v[3] & 0x80) >> 5);
    const int32_t unit = 1 << ((mode >> 1) ^ 3);
    struct tex_astc_hdr_fields f;
    tex_astc_hdr_direct_fields(v, mode, &f);
    ends->end[1][0] = f.a;
    ends->end[0][0] = f.a - f.c;
    for (unsigned i = 0; i < 2; i++) {
        ends->end[1][1 + i] = f.a - f.b[i];
        ends->end[0][1 + i] = f.a - f.b[i] - f.c - f.d[i];
    }
    for (unsigned e = 0; e < 2; e++) {
        for (unsigned c = 0; c < 3; c++) ends->end[e][c] = tex_astc_clamp(ends->end[e][c] * unit, TEX_ASTC_HDR_MAX);
        ends->end[e][3] = TEX_ASTC_HDR_ONE;
        tex_astc_swap_major(ends->end[e], major);
    }
}

/* The alpha of mode 15. */
OPS_INLINE void tex_astc_hdr_alpha(int32_t v6, int32_t v7, struct tex_astc_ends *ends)
{
    const int32_t mode = v6 >> 7 | (v7 >> 6 & 2);
    int32_t base = v6 & 0x7f, delta = v7 & 0x7f;
    if (mode == 3) {
        ends->end[0][3] = base << 5;
        ends->end[1][3] = delta << 5;
        return;
    }
    base |= delta << (mode + 1) & 0x780;
    delta = ((delta & 0x3f >> mode) ^ 0x20 >> mode) - (0x20 >> mode);
    base <<= 4 - mode;
    ends->end[0][3] = base;
    ends->end[1][3] = tex_astc_clamp(base + delta * (1 << (4 - mode)), TEX_ASTC_HDR_MAX);
}

/* ---- any endpoint mode ---- */

/* Which components of a partition are HDR. */
enum { TEX_ASTC_HDR_RGB = 1, TEX_ASTC_HDR_ALPHA = 2 };
static const uint8_t tex_astc_mode_hdr[16]
    __attribute__((unused)) = {[2] = 3, [3] = 3, [7] = 3, [11] = 3, [14] = 1, [15] = 3};

OPS_INLINE void tex_astc_ldr_ends(unsigned mode, const int32_t *v, struct tex_astc_ends *ends)
{
    switch (mode) {
    case 0:
    case 4:
        tex_astc_set(ends->end[0], v[0], v[0], v[0], mode == 4 ? v[2] : 0xff);
        tex_astc_set(ends->end[1], v[1], v[1], v[1], mode == 4 ? v[3] : 0xff);
        break;
    case 1:
        tex_astc_luminance_offset(v, ends);
        break;
    case 5:
        tex_astc_luminance_alpha_offset(v, ends);
        break;
    case 6:
        tex_astc_rgb_scale(v, 0xff, 0xff, ends);
        break;
    case 10:
        tex_astc_rgb_scale(v, v[4], v[5], ends);
        break;
    case 8:
        tex_astc_rgb_direct(v, 0xff, 0xff, ends);
        break;
    case 12:
        tex_astc_rgb_direct(v, v[6], v[7], ends);
        break;
    default:
        tex_astc_rgb_offset(v, mode == 13, ends);
        break;
    }
}

OPS_INLINE void tex_astc_hdr_ends(unsigned mode, const int32_t *v, struct tex_astc_ends *ends)
{
    switch (mode) {
    case 2:
        tex_astc_hdr_luminance_large(v, ends);
        break;
    case 3:
        tex_astc_hdr_luminance_small(v, ends);
        break;
    case 7:
        tex_astc_hdr_rgb_scale(v, ends);
        break;
    default:
        tex_astc_hdr_rgb_direct(v, ends);
        break;
    }
    if (mode == 14) {
        ends->end[0][3] = v[6];
        ends->end[1][3] = v[7];
    }
    if (mode == 15) tex_astc_hdr_alpha(v[6], v[7], ends);
}

#endif
