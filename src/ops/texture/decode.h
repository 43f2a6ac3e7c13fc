/* From a texel's bytes to components: loads, the meaning of every kind of channel, and border colours in a format's
 * range (docs/texture.md, "Formats"). Every branch on the format folds where it is constant. Holds no addressing
 * (ops/texture/address.h) and no filtering (ops/texture/filter.h). */
#ifndef SCH_OPS_TEXTURE_DECODE_H
#define SCH_OPS_TEXTURE_DECODE_H

#include "ops/op.h"
#include "ops/texture/format.h"
#include "ops/texture/srgb.h"
#include "ops/texture/tile.h"

/* Components R, G, B, A: floats, or the bits of integers. */
struct tex_texel {
    vf32 c[4];
};

/* The block of a row that each texel is in. */
OPS_INLINE vi32 tex_column(const struct tex_format *format, vi32 x)
{
    if (format->kind == TEX_KIND_BITS) return x >> 3;
    return format->block_width == 2 ? x >> 1 : x;
}

/* The texels' blocks, 0 in lanes off the mask. x and y must be inside the level in lanes on it, the slice inside the
 * texture. Within a slice of at most 16384^2 texels of 16 bytes offsets are below 2^32. */
OPS_SHARED struct tex_raw tex_texel_load_far(const struct tex_format *format, const struct sch_texture_level *level,
                                             vi32 x, vi32 y, vi32 slice, vi32 mask)
{
    struct tex_raw raw = {{v_splat_u32(0), v_splat_u32(0), v_splat_u32(0), v_splat_u32(0)}};
    const uint8_t *base = level->texels;
    vu32 column = (vu32)tex_column(format, x), row = (vu32)slice;
    vu32 at = (vu32)y * level->row_bytes + column * format->bytes;
    uint64_t step = level->slice_bytes;
    switch (format->bytes) {
    case 1:
        raw.word[0] = v_gather_far_u8(base, row, step, at, mask);
        break;
    case 2:
        raw.word[0] = v_gather_far_u16(base, row, step, at, mask);
        break;
    case 3:
        raw.word[0] = v_gather_far_u16(base, row, step, at, mask) | v_gather_far_u8(base + 2, row, step, at, mask)
                                                                        << 16;
        break;
    case 6:
        raw.word[0] = v_gather_far_u32(base, row, step, at, mask);
        raw.word[1] = v_gather_far_u16(base + 4, row, step, at, mask);
        break;
    default:
        OPS_UNROLL
        for (unsigned i = 0; i < 4; i++)
            if (4 * i < format->bytes) raw.word[i] = v_gather_far_u32(base + 4 * i, row, step, at, mask);
    }
    return raw;
}

/* Whether each texel of a level lies less than 2 GiB after its first one; `slices` as the texture has them. */
OPS_INLINE bool tex_is_near(const struct sch_texture_level *level, uint64_t slices)
{
    return slices * level->slice_bytes <= INT32_MAX;
}

/* The texels' blocks in a level that tex_is_near; 0 in lanes off the mask. */
OPS_INLINE struct tex_raw tex_texel_load_near(const struct tex_format *format, const struct sch_texture_level *level,
                                              vi32 x, vi32 y, vi32 slice, vi32 mask)
{
    struct tex_raw raw = {{v_splat_u32(0), v_splat_u32(0), v_splat_u32(0), v_splat_u32(0)}};
    const uint8_t *base = level->texels;
    vi32 column = tex_column(format, x);
    vi32 at = slice * (int32_t)level->slice_bytes + y * (int32_t)level->row_bytes + column * format->bytes;
    at &= mask; /* all texels are texels of the first lane's level */
    unsigned words = (format->bytes + 3u) / 4u;
    if (format->bytes == 16) {
        v_gather_near_u32x4(base, at, raw.word);
    } else if (format->bytes == 8) {
        v_gather_near_u32x2(base, at, raw.word);
    } else if (format->bytes == 12 || format->bytes == 4) {
        OPS_UNROLL
        for (unsigned i = 0; i < 3; i++)
            if (i < words) raw.word[i] = v_gather_near_u32(base + 4 * i, at);
    } else if (format->bytes == 6) {
        raw.word[0] = v_gather_near_u32(base, at);
        raw.word[1] = v_gather_near_u16(base + 4, at);
    } else if (format->bytes == 1) {
        raw.word[0] = v_gather_near_u8(base, at);
    } else {
        raw.word[0] = v_gather_near_u16(base, at);
        if (format->bytes == 3) raw.word[0] |= v_gather_near_u8(base + 2, at) << 16;
    }
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (i < words) raw.word[i] &= (vu32)mask;
    return raw;
}

/* Two texels side by side, the first at x, as far from `from` as from the level's first: formats of four and of 16
 * bytes. */
OPS_INLINE void tex_texel_load_pair(const struct tex_format *format, const struct sch_texture_level *level,
                                    const uint8_t *from, vi32 x, vi32 y, vi32 slice, struct tex_raw raw[2])
{
    vi32 at = slice * (int32_t)level->slice_bytes + y * (int32_t)level->row_bytes + x * format->bytes;
    if (format->bytes == 16) {
        v_gather_near_u32x8(from, at, raw[0].word, raw[1].word);
        return;
    }
    vu32 word[2];
    v_gather_near_u32x2(from, at, word);
    OPS_UNROLL
    for (unsigned n = 0; n < 2; n++) raw[n] = (struct tex_raw){{word[n]}};
}

/* The same wherever the texels lie. */
OPS_INLINE struct tex_raw tex_texel_load(const struct tex_format *format, const struct sch_texture_level *level,
                                         bool near, vi32 x, vi32 y, vi32 slice, vi32 mask)
{
    return near ? tex_texel_load_near(format, level, x, y, slice, mask)
                : tex_texel_load_far(format, level, x, y, slice, mask);
}

/* Texels are stored in units of 4, 2 or 1 bytes, naturally aligned, of which other threads see all or nothing. */
OPS_INLINE unsigned tex_unit_bytes(const struct tex_format *format)
{
    return format->bytes % 4 == 0 ? 4 : format->bytes % 2 == 0 ? 2 : 1;
}

/* A unit that other threads may be storing (tex_store_unit): what was there or what they store. */
OPS_INLINE uint32_t tex_load_unit(const uint8_t *from, unsigned bytes)
{
    if (bytes == 4) return __atomic_load_n((const uint32_t *)(const void *)from, __ATOMIC_RELAXED);
    if (bytes == 2) return __atomic_load_n((const uint16_t *)(const void *)from, __ATOMIC_RELAXED);
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}

/* tex_texel_load while other threads store texels: unit by unit, those of the lanes on the mask alone. */
OPS_SHARED struct tex_raw tex_texel_load_shared(const struct tex_format *format, const struct sch_texture_level *level,
                                                vi32 x, vi32 y, vi32 slice, vi32 mask)
{
    struct tex_raw raw = {{v_splat_u32(0), v_splat_u32(0), v_splat_u32(0), v_splat_u32(0)}};
    unsigned bytes = format->bytes, unit = tex_unit_bytes(format);
    vi32 column = tex_column(format, x);
    for (unsigned lane = 0; lane < SCH_LANES; lane++) {
        if (!mask[lane]) continue;
        const uint8_t *from = level->texels + (uint64_t)(uint32_t)slice[lane] * level->slice_bytes +
                              (uint64_t)(uint32_t)y[lane] * level->row_bytes + (uint64_t)(uint32_t)column[lane] * bytes;
        for (unsigned at = 0; at < bytes; at += unit)
            raw.word[at / 4][lane] |= tex_load_unit(from + at, unit) << (at % 4 * 8);
    }
    return raw;
}

/* The texels of a pair have their own samples of one channel, half a block apart; the other two are shared, half a
 * block apart too, and channel 2 is always one of them. */
OPS_INLINE bool tex_channel_doubled(const struct tex_format *format, unsigned channel)
{
    const struct tex_channel *c = &format->channel[channel];
    return format->kind == TEX_KIND_SUBSAMPLED && ((c->offset ^ format->channel[2].offset) & c->bits);
}

/* The word of the block that has a channel, its bits at their place in the word. */
OPS_INLINE vu32 tex_channel_word(const struct tex_format *format, const struct tex_raw *raw, unsigned channel, vi32 x)
{
    vu32 word = raw->word[format->channel[channel].offset / 32 & 3];
    if (format->kind == TEX_KIND_BITS) return word >> (~(vu32)x & 7u); /* the first texel is the highest bit */
    if (!tex_channel_doubled(format, channel)) return word;
    if (format->bytes == 4) return word >> ((vu32)x & 1u) * 16u;
    return v_select_u32(-(x & 1), raw->word[1], word);
}

/* A channel's bits, zero- or sign-extended. */
OPS_INLINE vu32 tex_channel_bits(const struct tex_format *format, const struct tex_raw *raw, unsigned channel, vi32 x)
{
    const struct tex_channel *c = &format->channel[channel];
    vu32 word = tex_channel_word(format, raw, channel, x);
    unsigned left = 32u - c->bits - c->offset % 32u, right = 32u - c->bits;
    bool sign = c->type == TEX_SNORM || c->type == TEX_SSCALED || c->type == TEX_SINT || c->type == TEX_FIXED;
    return sign ? (vu32)((vi32)(word << left) >> (int)right) : word << left >> right;
}

/* The channel's code of an exact-sum format: 0 to the maximum, of SNORM from minus the maximum. */
OPS_SHARED vi32 tex_texel_code(const struct tex_format *format, const struct tex_raw *raw, unsigned channel, vi32 x)
{
    vi32 code = (vi32)tex_channel_bits(format, raw, channel, x);
    if (format->channel[channel].type != TEX_SNORM) return code;
    return v_max_i32(code, v_splat_i32(-tex_format_max(format, channel)));
}

/* code / (2^32 - 1) is 0.cccc... in base 2^32 and magnitude / (2^31 - 1) in base 2^31. Two digits c c decide the
 * rounding to 24 bits: they are no middle of floats, since their leading 1 comes again 32 (31) bits on; and what
 * follows them is less than their last place, of which every middle is a multiple. (A quotient in binary64 would be
 * rounded twice: 0xffffff7f would give 1.) */
OPS_INLINE vf32 tex_unorm32(vu32 code) { return v_f32_from_u64(v_join_u64(code, code)) * 0x1p-64f; }
OPS_INLINE vf32 tex_snorm32(vi32 code)
{
    vu32 sign = (vu32)(code >> 31), magnitude = ((vu32)code ^ sign) - sign;
    magnitude = v_min_u32(magnitude, v_splat_u32(INT32_MAX));
    vu64 digits = v_u64_from_u32(magnitude) << 31 | v_u64_from_u32(magnitude);
    return v_copysign_f32(v_f32_from_u64(digits) * 0x1p-62f, (vf32)(sign & (vu32)(magnitude != 0u)));
}

/* Codes and maxima to 24 bits are exact floats, so that the division rounds once. */
OPS_INLINE vf32 tex_unorm(vu32 code, unsigned bits)
{
    if (bits == 32) return tex_unorm32(code);
    if (bits == 8) return v_over_255_f32(v_f32_from_i32((vi32)code), 1.0f);
    return v_f32_from_i32((vi32)code) / (float)(((uint32_t)1 << (bits & 31u)) - 1u);
}
OPS_INLINE vf32 tex_snorm(vi32 code, unsigned bits)
{
    if (bits == 32) return tex_snorm32(code);
    int32_t max = ((int32_t)1 << ((bits - 1u) & 31u)) - 1;
    return v_f32_from_i32(v_max_i32(code, v_splat_i32(-max))) / (float)max;
}

/* Floats of 11 and 10 bits are halves without the sign and the mantissa's last bits. */
OPS_INLINE vf32 tex_float(vu32 code, unsigned bits)
{
    if (bits == 32) return (vf32)code;
    return v_f32_from_f16_payload(bits == 16 ? code : bits == 11 ? code << 4 : code << 5);
}

OPS_INLINE vf32 tex_srgb(vu32 code, unsigned bits)
{
    const uint32_t *table = bits == 8 ? tex_srgb_decoded_8 : bits == 6 ? tex_srgb_decoded_6 : tex_srgb_decoded_5;
    return (vf32)v_gather_u32(table, (vi32)code, v_splat_i32(-1));
}

/* Whether a channel is a byte that tex_channel_word has where it is in memory. */
OPS_INLINE bool tex_channel_is_byte(const struct tex_format *format, unsigned channel)
{
    const struct tex_channel *c = &format->channel[channel];
    return format->kind == TEX_KIND_PLAIN && c->bits == 8 && c->offset % 8 == 0;
}

/* A channel by itself, as float or as the integer's bits. */
OPS_INLINE vf32 tex_channel_value(const struct tex_format *format, const struct tex_raw *raw, unsigned channel, vi32 x)
{
    vu32 code = tex_channel_bits(format, raw, channel, x);
    unsigned bits = format->channel[channel].bits;
    bool alpha = channel == format->component[3]; /* linear */
    switch (format->channel[channel].type) {
    case TEX_UNORM:
        if (tex_is_fraction(format)) return v_f32_from_i32((vi32)code) / (float)TEX_FRACTION_MAX;
        if ((format->flags & TEX_SRGB) && !alpha) return tex_srgb(code, bits);
        if (tex_channel_is_byte(format, channel))
            return v_byte_over_255_f32(tex_channel_word(format, raw, channel, x),
                                       format->channel[channel].offset % 32 / 8);
        return tex_unorm(code, bits);
    case TEX_SNORM:
        if (tex_is_fraction(format)) return v_f32_from_i32((vi32)code) / (float)TEX_FRACTION_SIGNED_MAX;
        return tex_snorm((vi32)code, bits);
    case TEX_USCALED:
        return v_f32_from_u32(code);
    case TEX_SSCALED:
        return v_f32_from_i32((vi32)code);
    case TEX_FIXED:
        return v_f32_from_i32((vi32)code) * 0x1p-16f;
    case TEX_FLOAT:
        if (tex_has_quiet_halves(format)) return v_f32_from_quiet_f16(code);
        return tex_float(code, bits);
    default:
        return (vf32)code;
    }
}

/* mantissa * 2^(exponent - 24): exact. */
OPS_INLINE void tex_r9g9b9e5(vu32 word, vf32 channel[4])
{
    vf32 unit = (vf32)(((word >> 27) + 103u) << 23);
    OPS_UNROLL
    for (unsigned i = 0; i < 3; i++) channel[i] = v_f32_from_i32((vi32)(word >> (9 * i) & 511u)) * unit;
}

/* gallium's third component, in integers: the root's whole part scaled from 127ths to 255ths and truncated. The float
 * root of a small integer has the right whole part. */
OPS_INLINE vf32 tex_r8g8bx_blue(vi32 r, vi32 g)
{
    vi32 root = v_i32_from_f32(v_sqrt_f32(v_f32_from_i32(v_max_i32(127 * 127 - r * r - g * g, v_splat_i32(0)))));
    return v_f32_from_i32(v_i32_from_f32(v_f32_from_i32(root * 255) / 127.0f)) / 255.0f;
}

/* A constant component: the 1 of an integer format is an integer. */
OPS_INLINE uint32_t tex_constant_bits(const struct tex_format *format, unsigned entry)
{
    if (entry != TEX_ONE) return 0;
    return format->flags & TEX_INTEGER ? 1 : 0x3f800000;
}

OPS_SHARED struct tex_texel tex_texel_decode(const struct tex_format *format, unsigned rules, const struct tex_raw *raw,
                                             vi32 x)
{
    struct tex_texel texel;
    vf32 channel[4] = {v_splat_f32(0.0f), v_splat_f32(0.0f), v_splat_f32(0.0f), v_splat_f32(0.0f)};
    if (format->kind == TEX_KIND_R9G9B9E5) {
        tex_r9g9b9e5(raw->word[0], channel);
    } else {
        OPS_UNROLL
        for (unsigned i = 0; i < 4; i++)
            if (format->channel[i].type != TEX_VOID) channel[i] = tex_channel_value(format, raw, i, x);
        if (format->kind == TEX_KIND_R8G8BX)
            channel[2] = tex_r8g8bx_blue(tex_texel_code(format, raw, 0, x), tex_texel_code(format, raw, 1, x));
    }
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = tex_format_component(format, rules, i);
        texel.c[i] = from < TEX_ZERO ? channel[from] : (vf32)v_splat_u32(tex_constant_bits(format, from));
    }
    return texel;
}

OPS_INLINE uint32_t tex_bits_of(float f)
{
    union {
        float f;
        uint32_t u;
    } bits = {f};
    return bits.u;
}

/* A float's bits brought into [low, high]; NaN is 0. */
OPS_INLINE uint32_t tex_border_clamp(uint32_t word, float low, float high)
{
    union {
        uint32_t u;
        float f;
    } bits = {word};
    if (!(bits.f == bits.f)) return 0;
    return tex_bits_of(bits.f > low ? (bits.f < high ? bits.f : high) : low);
}

OPS_INLINE uint32_t tex_border_unsigned(uint32_t word, unsigned bits)
{
    uint64_t max = ((uint64_t)1 << bits) - 1;
    return word < max ? word : (uint32_t)max;
}
OPS_INLINE uint32_t tex_border_signed(uint32_t word, unsigned bits)
{
    int64_t max = ((int64_t)1 << (bits - 1)) - 1, value = (int32_t)word;
    return (uint32_t)(value > max ? max : value < -max - 1 ? -max - 1 : value);
}

/* Floats of fewer bits, brought to the format's finite ones; an infinity or NaN that the format has stays (OpenGL 4.5,
 * 8.14.2: "clamped to the representable range of the format"). */
OPS_INLINE uint32_t tex_border_float(uint32_t word, unsigned bits)
{
    const float high = bits == 16 ? 65504.0f : bits == 11 ? 65024.0f : bits == 10 ? 64512.0f : 65408.0f;
    bool is_nan = (word & 0x7fffffffu) > 0x7f800000u, is_infinite = (word & 0x7fffffffu) == 0x7f800000u;
    bool is_signed = bits == 16, is_shared_exponent = bits == 9;
    if (bits == 32) return word;
    if (!is_shared_exponent && (is_nan || (is_infinite && (is_signed || word >> 31 == 0)))) return word;
    return tex_border_clamp(word, is_signed ? -high : 0.0f, high);
}

/* A component of the border colour in the format's range, as bits; what the format lacks has its constant. Depth and
 * stencil are the border's first component, wherever the rules put them. */
OPS_SHARED uint32_t tex_texel_border(const struct tex_format *format, unsigned rules,
                                     const struct sch_sampler_values *values, unsigned component)
{
    unsigned from = tex_format_component(format, rules, component);
    if (from >= TEX_ZERO) return tex_constant_bits(format, from);
    uint32_t word = values->border[format->flags & (TEX_DEPTH | TEX_STENCIL) ? 0 : component];
    if (format->kind == TEX_KIND_R8G8BX && from == 2) return tex_border_clamp(word, 0.0f, 1.0f);
    switch (format->channel[from].type) {
    case TEX_UNORM:
        return tex_border_clamp(word, 0.0f, 1.0f);
    case TEX_SNORM:
        return tex_border_clamp(word, -1.0f, 1.0f);
    case TEX_UINT:
        return tex_border_unsigned(word, format->channel[from].bits);
    case TEX_SINT:
        return tex_border_signed(word, format->channel[from].bits);
    case TEX_FLOAT:
        return tex_border_float(word, format->channel[from].bits);
    default:
        return word;
    }
}

#endif
