/* Texels of one level of a two-dimensional image to components: loads, decoding, nearest and bilinear filtering, border
 * colours. Holds no addressing (tex_address.h) and no choice of level (texture.c). */
#ifndef SCH_OPS_TEX_FILTER_H
#define SCH_OPS_TEX_FILTER_H

#include "ops/tex_address.h"
#include "ops/tex_format.h"

struct tex_color {
    vf32 c[4];
};

/* The texels' bytes, 0 in lanes off the mask. A level has at most 2^30 bytes (16384^2 texels of 4). */
OPS_INLINE vu32 tex_load(const struct tex_format *format, const struct sch_texture_level *level, vi32 x, vi32 y,
                         vi32 mask)
{
    vi32 at = y * (int32_t)level->row_bytes + x * format->bytes;
    if (format->bytes == 1) return v_gather_u8_bytes(level->texels, at, mask);
    if (format->bytes == 2) return v_gather_u16_bytes(level->texels, at, mask);
    return v_gather_u32_bytes(level->texels, at, mask);
}

/* c / 255, correctly rounded: both are exact floats and the division is IEEE's. */
OPS_INLINE vf32 tex_unorm8(vu32 code) { return v_f32_from_i32((vi32)code) / 255.0f; }

/* A border colour's component in the format's range: [0, 1] for UNORM; NaN is 0. It is not rounded to 8 bits. */
OPS_INLINE float tex_border(const struct sch_sampler_values *values, unsigned component)
{
    union {
        uint32_t u;
        float f;
    } bits = {values->border[component]};
    float v = bits.f;
    return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f;
}

/* Component values from a function of the channel; components that the format lacks are 0 or 1. */
OPS_INLINE vf32 tex_constant(unsigned entry) { return v_splat_f32(entry == TEX_ONE ? 1.0f : 0.0f); }

OPS_INLINE struct tex_color tex_decode(const struct tex_format *format, vu32 texel)
{
    struct tex_color color;
    for (unsigned i = 0; i < 4; i++) {
        unsigned channel = format->component[i];
        color.c[i] = channel >= TEX_ZERO ? tex_constant(channel) : tex_unorm8((texel >> (8 * channel)) & 255u);
    }
    return color;
}

OPS_INLINE struct tex_color tex_nearest(const struct tex_format *format, const struct sch_sampler_values *values,
                                        const struct sch_texture_level *level, const struct tex_axis axis[2], vi32 mask)
{
    vi32 border = axis[0].outside[0] | axis[1].outside[0];
    vu32 texel = tex_load(format, level, axis[0].index[0], axis[1].index[0], mask & ~border);
    struct tex_color color = tex_decode(format, texel);
    if (!v_any(border)) return color;
    for (unsigned i = 0; i < 4; i++)
        if (format->component[i] < TEX_ZERO)
            color.c[i] = v_select_f32(border, v_splat_f32(tex_border(values, i)), color.c[i]);
    return color;
}

/* sum[channel] = the four texels' codes times their weights, which add up to 65536: at most 255 * 2^16, below 2^24.
 * Two channels share a word while the horizontal sums fit 16 bits (255 * 256): left * 256 + (right - left) * weight is
 * the same integer, whatever its terms do modulo 2^32. */
OPS_INLINE void tex_bilinear_sums(const vu32 texel[4], vu32 wx, vu32 wy, vu32 sum[4])
{
    for (unsigned pair = 0; pair < 2; pair++) {
        vu32 part[4];
        for (unsigned i = 0; i < 4; i++) part[i] = (texel[i] >> (8 * pair)) & 0x00ff00ffu;
        vu32 top = (part[0] << 8) + (part[1] - part[0]) * wx;
        vu32 bottom = (part[2] << 8) + (part[3] - part[2]) * wx;
        vu32 low = top & 0xffffu, high = top >> 16;
        sum[pair] = (low << 8) + ((bottom & 0xffffu) - low) * wy;
        sum[pair + 2] = (high << 8) + ((bottom >> 16) - high) * wy;
    }
}

/* S / (255 * 65536), correctly rounded: S < 2^24 and the divisor 255 * 2^16 are exact floats, the quotient is 0 or at
 * least 2^-24 (no denormal), and IEEE division rounds to nearest even. */
OPS_INLINE vf32 tex_unorm8_quotient(vu32 sum) { return v_f32_from_i32((vi32)sum) / 16711680.0f; }

/* The same where some texels are border: (S / 255 rounded to binary64 + weight * border, exact, rounded to binary64)
 * / 65536 rounded to binary32. Without border this is tex_unorm8_quotient: S / 255 in binary comes nearer than 2^-33 of
 * itself to no middle between floats; and a lookup of border only gives the border colour. */
OPS_INLINE vf32 tex_border_quotient(vu32 sum, vu32 weight, float border)
{
    vf64 inner = v_f64_from_i32((vi32)sum) / 255.0;
    vf64 outer = v_f64_from_i32((vi32)weight) * (double)border;
    return v_f32_from_f64((inner + outer) * 0x1p-16);
}

/* Texels and weights in the order (0,0), (1,0), (0,1), (1,1). */
OPS_INLINE struct tex_color tex_bilinear(const struct tex_format *format, const struct sch_sampler_values *values,
                                         const struct sch_texture_level *level, const struct tex_axis axis[2],
                                         vi32 mask)
{
    const struct tex_axis *x = &axis[0], *y = &axis[1];
    vu32 texel[4], sum[4], border_weight = v_splat_u32(0);
    vi32 border = v_splat_i32(0);
    for (unsigned i = 0; i < 4; i++) {
        vi32 outside = x->outside[i & 1] | y->outside[i >> 1];
        texel[i] = tex_load(format, level, x->index[i & 1], y->index[i >> 1], mask & ~outside);
        vu32 wx = i & 1 ? x->weight : 256u - x->weight, wy = i >> 1 ? y->weight : 256u - y->weight;
        border_weight += (wx * wy) & (vu32)outside;
        border |= outside;
    }
    tex_bilinear_sums(texel, x->weight, y->weight, sum);

    struct tex_color color;
    bool mixed = v_any(border & mask);
    for (unsigned i = 0; i < 4; i++) {
        unsigned channel = format->component[i];
        if (channel >= TEX_ZERO)
            color.c[i] = tex_constant(channel);
        else if (mixed)
            color.c[i] = tex_border_quotient(sum[channel], border_weight, tex_border(values, i));
        else
            color.c[i] = tex_unorm8_quotient(sum[channel]);
    }
    return color;
}

#endif
