/* From components to a texel's bytes: the rounding of every kind of channel, and stores (docs/texture.md, "Storing").
 * Every branch on the format folds where it is constant. */
#ifndef SCH_OPS_TEXTURE_ENCODE_H
#define SCH_OPS_TEXTURE_ENCODE_H

#include "ops/op.h"
#include "ops/texture/decode.h"
#include "ops/texture/facts.h"

/* v brought into [low, high]; NaN is 0. */
OPS_INLINE vf32 tex_limited_f32(vf32 v, float low, float high)
{
    if (low == 0.0f) return v_less_f32(v_greater_f32(v, v_splat_f32(0.0f)), v_splat_f32(high));
    v = (vf32)((vi32)v & (vi32)(v == v));
    v = v_select_f32((vi32)(v < low), v_splat_f32(low), v);
    return v_select_f32((vi32)(v > high), v_splat_f32(high), v);
}
OPS_INLINE vf64 tex_limited(vf64 v, double low, double high)
{
    v = (vf64)((vi64)v & (vi64)(v == v));
    v = v_select_f64((vi64)(v < low), v_splat_f64(low), v);
    return v_select_f64((vi64)(v > high), v_splat_f64(high), v);
}

/* What is known of a component that goes to a channel: nothing; that it is neither negative nor a NaN; that it is not
 * greater than 1, either. */
enum tex_range { TEX_ANY, TEX_NOT_NEGATIVE, TEX_WITHIN };

OPS_INLINE vf32 tex_limited_to_1(vf32 v, float low, enum tex_range range)
{
    if (range == TEX_WITHIN) return v;
    if (range == TEX_NOT_NEGATIVE) return v_less_f32(v, v_splat_f32(1.0f));
    return tex_limited_f32(v, low, 1.0f);
}

/* Whether the machine has fused products of floats. */
#ifdef V_FMA_F32
#define TEX_FUSED true
#else
#define TEX_FUSED false
#endif

/* x * (2^bits - 1) rounded to the nearest integer, ties away from zero, x clamped to [low, 1]. Only 1/2 and -1/2 are
 * ties, since 2^bits - 1 is odd: of 2^(bits - 1) - 1/2 the upper neighbour is the even one, unless there is one bit. So
 * ties may go to even with more. To 22 bits a fused product with 1.5 * 2^23, whose last place is 1, has that integer in
 * its low bits; so has a sum in binary64, where to 29 bits the product is exact. With more bits the product is
 * x * 2^bits - x, rounded to odd, which keeps a tie from what only comes near one. */
OPS_INLINE vu32 tex_scaled(vf32 value, float low, unsigned bits, enum tex_range range)
{
    double power = (double)((uint64_t)1 << bits);
    vf32 limited = tex_limited_to_1(value, low, range);
    if (bits == 1) {
        vi32 up = (vi32)(v_abs_f32(limited) >= 0.5f);
        return (vu32)(v_select_i32((vi32)(limited < 0.0f), v_splat_i32(-1), v_splat_i32(1)) & up);
    }
    if (TEX_FUSED && bits <= 22)
        return (vu32)v_fma_f32(limited, v_splat_f32((float)(power - 1.0)), v_splat_f32(0x1.8p23f));
    vf64 x = v_f64_from_f32(limited);
    if (bits <= 29) return v_lo_u64((vu64)(x * (power - 1.0) + 0x1.8p52));
    vf64 high = x * power, product = high - x;
    vf64 scaled = v_rint_f64(v_round_odd(product, v_two_sum_error(high, -x, product)));
    return low < 0.0f ? (vu32)v_i32_from_f64(scaled) : v_u32_from_f64(scaled);
}

/* A float of 5 bits of exponent and `mantissa` bits, to the nearest, ties to even; `u` has no sign and is not a NaN.
 * Below 2^-14 the sum with 2^(9 - mantissa) has its last bit at the small float's unit. */
OPS_INLINE vu32 tex_small_nearest(vu32 u, unsigned mantissa)
{
    unsigned shift = 23 - mantissa;
    uint32_t magic = (136u - mantissa) << 23;
    vu32 normal = ((u + ((1u << (shift - 1)) - 1u) + (u >> shift & 1u)) >> shift) - (112u << mantissa);
    vu32 small = (vu32)((vf32)u + (vf32)v_splat_u32(magic)) - magic;
    vu32 r = v_select_u32((vi32)(u < 0x38800000u), small, normal);
    return v_min_u32(r, v_splat_u32(31u << mantissa));
}

/* The same toward zero: what is finite stays finite. */
OPS_INLINE vu32 tex_small_truncated(vu32 u, unsigned mantissa)
{
    vu32 normal = (u >> (23 - mantissa)) - (112u << mantissa);
    vi32 tiny = (vi32)(u < 0x38800000u);
    vf32 scaled = (vf32)(u & (vu32)tiny) * (float)(1u << (14 + mantissa)); /* below 2^mantissa: exact */
    vu32 r = v_select_u32(tiny, (vu32)v_i32_from_f32(scaled), normal);
    r = v_min_u32(r, v_splat_u32((31u << mantissa) - 1u));
    return v_select_u32((vi32)(u >= 0x7f800000u), v_splat_u32(31u << mantissa), r);
}

/* Halves have a sign; the floats of 11 and 10 bits have none, and negative numbers are 0. Direct3D rounds toward zero
 * (11.3, 3.2.2), as OpenGL allows for 11 and 10 bits (4.6, 2.3.4.3, 2.3.4.4). */
OPS_INLINE vu32 tex_float_code(vu32 value, unsigned bits, unsigned rules)
{
    if (bits == 32) return value;
    unsigned mantissa = bits == 16 ? 10 : bits - 5;
    vu32 u = value & 0x7fffffffu, negative = (vu32)((vi32)value >> 31);
    bool truncated = bits != 16 || rules == SCH_RULES_D3D;
    vu32 r = truncated ? tex_small_truncated(u, mantissa) : tex_small_nearest(u, mantissa);
    r = bits == 16 ? r | (negative & 0x8000u) : r & ~negative;
    return v_select_u32((vi32)(u > 0x7f800000u), v_splat_u32((31u << mantissa) | 1u << (mantissa - 1)), r);
}

/* Among 2^16 floats side by side there are two codes at most: one look-up and a comparison. NaN and negative numbers
 * become 0. */
OPS_INLINE vu32 tex_srgb_code_8(vf32 value)
{
    vf32 limited = v_less_f32(v_greater_f32(value, (vf32)v_splat_u32(0x39000000u)), (vf32)v_splat_u32(0x3f7fffffu));
    vu32 run = v_gather_u32(tex_srgb_run_8, (vi32)(((vu32)limited >> 16) - 0x3900u), v_splat_i32(-1));
    vu32 next = (vu32)(((vu32)limited & 0xffffu) >= (run & 0x1ffffu));
    return (run >> 17) + (next & 1u);
}

/* The greatest code whose threshold is not above the value. Bits of floats that are not negative order like integers;
 * NaN and negative numbers become 0. */
OPS_INLINE vu32 tex_srgb_code(vf32 value, unsigned bits)
{
    if (bits == 8) return tex_srgb_code_8(value);
    const uint32_t *table = bits == 6 ? tex_srgb_threshold_6 : tex_srgb_threshold_5;
    vu32 u = (vu32)value & (vu32)(value > 0.0f), code = v_splat_u32(0);
    for (unsigned step = 1u << (bits - 1); step; step /= 2) {
        vu32 least = v_gather_u32(table, (vi32)(code + step), v_splat_i32(-1));
        code += step & (vu32)(u >= least);
    }
    return code;
}

/* A channel's code from its component. */
OPS_INLINE vu32 tex_channel_code(const struct tex_format *format, unsigned rules, unsigned channel, vu32 value,
                                 enum tex_range range)
{
    unsigned bits = format->channel[channel].bits;
    double power = (double)((uint64_t)1 << bits);
    vf32 number = (vf32)value;
    switch (format->channel[channel].type) {
    case TEX_UNORM:
        if ((format->flags & TEX_SRGB) && channel != format->component[3]) return tex_srgb_code(number, bits);
        return tex_scaled(number, 0.0f, bits, range);
    case TEX_SNORM:
        return tex_scaled(number, -1.0f, bits - 1, TEX_ANY);
    case TEX_USCALED:
        return v_u32_from_f64(v_rint_f64(tex_limited(v_f64_from_f32(number), 0.0, power - 1.0)));
    case TEX_SSCALED:
        return (vu32)v_i32_from_f64(v_rint_f64(tex_limited(v_f64_from_f32(number), -power / 2, power / 2 - 1.0)));
    case TEX_FIXED:
        return (vu32)v_i32_from_f64(
            v_rint_f64(tex_limited(v_f64_from_f32(number) * 65536.0, -power / 2, power / 2 - 1.0)));
    case TEX_UINT:
        return v_min_u32(value, v_splat_u32((uint32_t)(((uint64_t)1 << bits) - 1)));
    case TEX_SINT: {
        vi32 max = v_splat_i32((int32_t)(((uint64_t)1 << (bits - 1)) - 1)), low = ~max, v = (vi32)value;
        v = v_select_i32((vi32)(v > max), max, v);
        return (vu32)v_select_i32((vi32)(v < low), low, v);
    }
    case TEX_FLOAT:
        return tex_float_code(value, bits, rules);
    default:
        return v_splat_u32(0);
    }
}

/* EXT_texture_shared_exponent, N = 9, B = 15: the exponent of the greatest component, one more where its mantissa
 * rounds to 2^9; mantissas are floor(component / 2^(exponent - 24) + 1/2), in binary64, where both steps are exact. */
OPS_INLINE vu32 tex_r9g9b9e5_code(const vu32 value[3])
{
    vf32 c[3], greatest = v_splat_f32(0.0f);
    for (unsigned i = 0; i < 3; i++) {
        c[i] = (vf32)(value[i] & (vu32)((vf32)value[i] > 0.0f)); /* NaN and negative numbers are 0 */
        c[i] = v_select_f32((vi32)(c[i] > 65408.0f), v_splat_f32(65408.0f), c[i]);
        greatest = v_select_f32((vi32)(c[i] > greatest), c[i], greatest);
    }
    /* max(-16, floor(log2 greatest)) + 16 */
    vi32 exponent = v_max_i32((vi32)((vu32)greatest >> 23) - 111, v_splat_i32(0));
    vf64 scale = v_f64_from_f32((vf32)((151 - exponent) << 23)); /* 2^(24 - exponent) */
    vi32 full = (vi32)(v_i32_from_f64(v_f64_from_f32(greatest) * scale + 0.5) == 512);
    exponent -= full;
    scale = v_f64_from_f32((vf32)((151 - exponent) << 23));
    vu32 word = (vu32)exponent << 27;
    for (unsigned i = 0; i < 3; i++) word |= (vu32)v_i32_from_f64(v_f64_from_f32(c[i]) * scale + 0.5) << (9 * i);
    return word;
}

/* Puts a channel's code into a texel whose bits are 0 there. */
OPS_INLINE void tex_put_code(const struct tex_channel *channel, vu32 code, struct tex_raw *raw)
{
    if (channel->offset % 32 + channel->bits < 32) code &= UINT32_MAX >> (32u - channel->bits);
    raw->word[channel->offset / 32 & 3] |= code << channel->offset % 32;
}

/* The component that a channel is stored from: the first that reads it; 4: none. */
OPS_INLINE unsigned tex_channel_source(const struct tex_format *format, unsigned channel)
{
    unsigned from = 0;
    while (from < 4 && format->component[from] != channel) from++;
    return format->channel[channel].type == TEX_VOID ? 4 : from;
}

/* Whether texels are words of bytes that tex_join_bytes makes. */
OPS_INLINE bool tex_joins_bytes(const struct tex_format *format)
{
    return TEX_FUSED && tex_is_unorm8(format) && format->bytes == 4 && tex_channel_source(format, 0) < 4 &&
           tex_channel_source(format, 2) < 4;
}

/* The bytes are the low ones of what fused products with an even whole number from 2^23 on leave (tex_scaled). Shifted
 * to their places and added up, the bits above them vanish: 0x4b of the first one, 0xb5 of the third one. */
OPS_INLINE vu32 tex_join_bytes(const struct tex_format *format, const vu32 value[4], const enum tex_range range[4])
{
    vu32 word = v_splat_u32(0);
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const unsigned from = tex_channel_source(format, i);
        if (from >= 4) continue;
        const vf32 above = v_splat_f32(i == 2 ? 0x1p23f + 0xb500 : 0x1p23f);
        const vf32 x = tex_limited_to_1((vf32)value[from], 0.0f, range[from]);
        word += v_as_u32(v_fma_f32(x, v_splat_f32(255.0f), above)) << 8 * i;
    }
    return word;
}

/* value: R, G, B, A; of depth and stencil formats depth in R, stencil in G. A channel comes from the first component
 * that reads it; bits of no channel are 0. */
OPS_SHARED struct tex_raw tex_texel_encode_of(const struct tex_format *format, unsigned rules, const vu32 value[4],
                                              const enum tex_range range[4])
{
    struct tex_raw raw = {{v_splat_u32(0), v_splat_u32(0), v_splat_u32(0), v_splat_u32(0)}};
    if (tex_joins_bytes(format)) {
        raw.word[0] = tex_join_bytes(format, value, range);
        return raw;
    }
    if (format->kind == TEX_KIND_R9G9B9E5) {
        raw.word[0] = tex_r9g9b9e5_code(value);
        return raw;
    }
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = tex_channel_source(format, i);
        if (from >= 4) continue;
        tex_put_code(&format->channel[i], tex_channel_code(format, rules, i, value[from], range[from]), &raw);
    }
    return raw;
}

/* Nothing is known of the components. */
OPS_INLINE struct tex_raw tex_texel_encode(const struct tex_format *format, unsigned rules, const vu32 value[4])
{
    const enum tex_range range[4] = {TEX_ANY, TEX_ANY, TEX_ANY, TEX_ANY};
    return tex_texel_encode_of(format, rules, value, range);
}

/* One unit of a texel (tex_unit_bytes): the low bytes of `bits`. */
OPS_INLINE void tex_store_unit(uint8_t *to, unsigned bytes, uint32_t bits, bool concurrent)
{
    if (bytes == 4 && concurrent)
        __atomic_store_n((uint32_t *)(void *)to, bits, __ATOMIC_RELAXED);
    else if (bytes == 4)
        *(v_mem1_u32 *)to = bits;
    else if (bytes == 2 && concurrent)
        __atomic_store_n((uint16_t *)(void *)to, (uint16_t)bits, __ATOMIC_RELAXED);
    else if (bytes == 2)
        *(v_mem1_u16 *)to = (uint16_t)bits;
    else if (concurrent)
        __atomic_store_n(to, (uint8_t)bits, __ATOMIC_RELAXED);
    else
        *to = (uint8_t)bits;
}

/* Writes the blocks of the lanes on the mask, lanes ascending, and nothing beside them. x, y, slice as in
 * tex_texel_load. Not of subsampled formats. */
OPS_SHARED void tex_texel_put(const struct tex_format *format, const struct sch_texture_level *level, vi32 x, vi32 y,
                              vi32 slice, vi32 mask, bool concurrent, const struct tex_raw *raw)
{
    unsigned bytes = format->bytes, unit = tex_unit_bytes(format);
    for (unsigned lane = 0; lane < SCH_LANES; lane++) {
        if (!mask[lane]) continue;
        uint8_t *to = level->texels + (uint64_t)(uint32_t)slice[lane] * level->slice_bytes +
                      (uint64_t)(uint32_t)y[lane] * level->row_bytes + (uint64_t)(uint32_t)x[lane] * bytes;
        for (unsigned at = 0; at < bytes; at += unit)
            tex_store_unit(to + at, unit, raw->word[at / 4][lane] >> (at % 4 * 8), concurrent);
    }
}

/* The same of formats that shaders store to; of others nothing is stored. */
OPS_INLINE void tex_texel_store(const struct tex_format *format, const struct sch_texture_level *level, vi32 x, vi32 y,
                                vi32 slice, vi32 mask, bool concurrent, const struct tex_raw *raw)
{
    if (format->flags & TEX_STORABLE) tex_texel_put(format, level, x, y, slice, mask, concurrent, raw);
}

#endif
