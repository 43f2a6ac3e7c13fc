/* Colours of fragments and texels of a colour buffer become new texels: clamps, blending, logic operations, colour
 * masks. docs/pipeline.md, "Blending". Holds no loads or stores of the buffer, and no choice of keys (merge.c). The
 * arithmetic is of binary32, every operation rounded, none fused; what is stored is rounded once more, by
 * ops/texture/encode.h. */
#ifndef SCH_OPS_RASTER_MERGE_H
#define SCH_OPS_RASTER_MERGE_H

#include "ops/raster/advanced.h"
#include "ops/texture/encode.h"

/* The colours of a vector of fragments, and what was there. */
struct merge_colors {
    vf32 source[4], second[4], constant[4], destination[4];
};

/* ---- ranges ---- */

enum merge_range { MERGE_ANY, MERGE_SIGNED, MERGE_UNSIGNED };

OPS_INLINE enum merge_range merge_range_of_channel(const struct tex_channel *channel)
{
    return channel->type == TEX_UNORM ? MERGE_UNSIGNED : channel->type == TEX_SNORM ? MERGE_SIGNED : MERGE_ANY;
}

/* What a component is clamped to (OpenGL 17.3.6); one that the format lacks to the least range of the others (Direct3D
 * 11.3 17.5). */
OPS_INLINE enum merge_range merge_range_of(const struct tex_format *format, unsigned component)
{
    unsigned from = format->component[component];
    if (from < TEX_ZERO) return merge_range_of_channel(&format->channel[from]);
    enum merge_range least = MERGE_ANY;
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        enum merge_range range = merge_range_of_channel(&format->channel[i]);
        if (range > least) least = range;
    }
    return least;
}

/* Whether all components are clamped to 0..1, and the texel's are from 0 to 1, too. */
OPS_INLINE bool merge_is_unsigned(const struct tex_format *format)
{
    bool is = true;
    OPS_UNROLL
    for (unsigned c = 0; c < 4; c++) is &= merge_range_of(format, c) == MERGE_UNSIGNED;
    return is;
}

OPS_INLINE vf32 merge_clamped(enum merge_range range, vf32 value)
{
    if (range == MERGE_ANY) return value;
    return tex_limited_f32(value, range == MERGE_SIGNED ? -1.0f : 0.0f, 1.0f);
}

/* ---- blending ---- */

/* A NaN and a number give the number (Direct3D 11.3 17.1, 22.10.10, 22.10.11). */
OPS_INLINE vf32 merge_min(vf32 a, vf32 b) { return v_select_f32((vi32)(a < b) | v_isnan_f32(b), a, b); }
OPS_INLINE vf32 merge_max(vf32 a, vf32 b) { return v_select_f32((vi32)(a >= b) | v_isnan_f32(b), a, b); }

/* OpenGL table 17.2; `c` is the component that it multiplies. */
OPS_INLINE vf32 merge_plain_factor(unsigned factor, const struct merge_colors *in, unsigned c)
{
    switch (factor) {
    case SCH_FACTOR_ONE:
        return v_splat_f32(1.0f);
    case SCH_FACTOR_SRC_COLOR:
        return in->source[c];
    case SCH_FACTOR_SRC_ALPHA:
        return in->source[3];
    case SCH_FACTOR_DST_ALPHA:
        return in->destination[3];
    case SCH_FACTOR_DST_COLOR:
        return in->destination[c];
    case SCH_FACTOR_SRC_ALPHA_SATURATE:
        return c == 3 ? v_splat_f32(1.0f) : merge_min(in->source[3], 1.0f - in->destination[3]);
    case SCH_FACTOR_CONST_COLOR:
        return in->constant[c];
    case SCH_FACTOR_CONST_ALPHA:
        return in->constant[3];
    case SCH_FACTOR_SRC1_COLOR:
        return in->second[c];
    default: /* SRC1_ALPHA */
        return in->second[3];
    }
}

/* Factors from ZERO on are 1 - the one 16 before; ZERO is 1 - ONE. */
OPS_INLINE vf32 merge_factor(unsigned factor, const struct merge_colors *in, unsigned c)
{
    if (factor < SCH_FACTOR_ZERO) return merge_plain_factor(factor, in, c);
    return 1.0f - merge_plain_factor(factor - (SCH_FACTOR_ZERO - SCH_FACTOR_ONE), in, c);
}

/* OpenGL table 17.1. */
OPS_INLINE vf32 merge_equation(unsigned equation, unsigned source, unsigned destination, const struct merge_colors *in,
                               unsigned c)
{
    vf32 s = in->source[c], d = in->destination[c];
    if (equation == SCH_BLEND_MIN) return merge_min(s, d);
    if (equation == SCH_BLEND_MAX) return merge_max(s, d);
    s *= merge_factor(source, in, c);
    d *= merge_factor(destination, in, c);
    return equation == SCH_BLEND_SUBTRACT ? s - d : equation == SCH_BLEND_REVERSE_SUBTRACT ? d - s : s + d;
}

/* Whether a factor is 1 - the other one. */
OPS_INLINE bool merge_complement(unsigned a, unsigned b)
{
    return a + (SCH_FACTOR_ZERO - SCH_FACTOR_ONE) == b || b + (SCH_FACTOR_ZERO - SCH_FACTOR_ONE) == a;
}

/* What is known of a result where all that is blended is from 0 to 1: so are factors and products, and the sum is not
 * negative. With the factors f and 1 - f it is at most their sum, as rounding keeps order, and that is 1: 1 - f is
 * exact for f from 1/2 on; below, rounding it adds 2^-25 at most, which rounding the sum takes away. */
OPS_INLINE enum tex_range merge_known(unsigned equation, unsigned source, unsigned destination)
{
    if (equation == SCH_BLEND_MIN || equation == SCH_BLEND_MAX) return TEX_WITHIN;
    if (equation != SCH_BLEND_ADD) return TEX_ANY;
    if (source == SCH_FACTOR_ZERO || destination == SCH_FACTOR_ZERO || merge_complement(source, destination))
        return TEX_WITHIN;
    return TEX_NOT_NEGATIVE;
}

/* The same for each component that a key makes. */
OPS_INLINE void merge_ranges(const struct sch_color_key *key, const struct tex_format *format, enum tex_range range[4])
{
    enum tex_range color = key->clamp ? TEX_WITHIN : TEX_ANY, alpha = color;
    if (key->mode == SCH_MERGE_ADVANCED) color = alpha = TEX_ANY;
    if (key->mode == SCH_MERGE_BLEND) {
        const bool is_unsigned = merge_is_unsigned(format);
        color = !is_unsigned ? TEX_ANY : merge_known(key->color_equation, key->color_source, key->color_destination);
        alpha = !is_unsigned ? TEX_ANY : merge_known(key->alpha_equation, key->alpha_source, key->alpha_destination);
    }
    OPS_UNROLL
    for (unsigned c = 0; c < 4; c++) range[c] = c < 3 ? color : alpha;
}

OPS_INLINE void merge_blend(const struct sch_color_key *key, const struct tex_format *format, struct merge_colors *in,
                            const enum tex_range range[4], vf32 result[4])
{
    OPS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
        enum merge_range limits = merge_range_of(format, c);
        in->source[c] = merge_clamped(limits, in->source[c]);
        if (key->second_source) in->second[c] = merge_clamped(limits, in->second[c]);
        in->constant[c] = merge_clamped(limits, in->constant[c]);
    }
    if (key->mode == SCH_MERGE_ADVANCED) {
        advanced_blend(key->advanced, in->source, in->destination, result);
    } else {
        OPS_UNROLL
        for (unsigned c = 0; c < 3; c++)
            result[c] = merge_equation(key->color_equation, key->color_source, key->color_destination, in, c);
        result[3] = merge_equation(key->alpha_equation, key->alpha_source, key->alpha_destination, in, 3);
    }
    OPS_UNROLL
    for (unsigned c = 0; c < 4; c++)
        if (range[c] == TEX_ANY) result[c] = v_canon_f32(result[c]);
}

/* ---- bits ---- */

OPS_INLINE vu32 merge_logic(unsigned operation, vu32 s, vu32 d)
{
    switch (operation) {
    case SCH_LOGIC_CLEAR:
        return v_splat_u32(0);
    case SCH_LOGIC_NOR:
        return ~(s | d);
    case SCH_LOGIC_AND_INVERTED:
        return ~s & d;
    case SCH_LOGIC_COPY_INVERTED:
        return ~s;
    case SCH_LOGIC_AND_REVERSE:
        return s & ~d;
    case SCH_LOGIC_INVERT:
        return ~d;
    case SCH_LOGIC_XOR:
        return s ^ d;
    case SCH_LOGIC_NAND:
        return ~(s & d);
    case SCH_LOGIC_AND:
        return s & d;
    case SCH_LOGIC_EQUIV:
        return ~(s ^ d);
    case SCH_LOGIC_NOOP:
        return d;
    case SCH_LOGIC_OR_INVERTED:
        return ~s | d;
    case SCH_LOGIC_COPY:
        return s;
    case SCH_LOGIC_OR_REVERSE:
        return s | ~d;
    case SCH_LOGIC_OR:
        return s | d;
    default:
        return v_splat_u32(UINT32_MAX);
    }
}

/* The bits of a texel that are written, and those that stay because of the colour mask. Others become 0. */
struct merge_bits {
    uint32_t written[4], kept[4];
};

OPS_INLINE void merge_bits_of(const struct tex_format *format, unsigned mask, struct merge_bits *bits)
{
    OPS_UNROLL
    for (unsigned w = 0; w < 4; w++) bits->written[w] = bits->kept[w] = 0;
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const struct tex_channel *channel = &format->channel[i];
        unsigned from = tex_channel_source(format, i);
        if (from >= 4) continue;
        uint32_t *to = mask >> from & 1 ? bits->written : bits->kept;
        to[channel->offset / 32 & 3] |= UINT32_MAX >> (32u - channel->bits) << (channel->offset & 31);
    }
    if (format->kind == TEX_KIND_R9G9B9E5) bits->written[0] = UINT32_MAX, bits->kept[0] = 0; /* encoded together */
}

/* ---- a vector ---- */

OPS_INLINE void merge_vector(const struct sch_color_key *key, const struct tex_format *format,
                             const struct merge_bits *bits, struct merge_colors *in, struct tex_raw *raw)
{
    vf32 result[4];
    enum tex_range range[4];
    merge_ranges(key, format, range);
    OPS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
        if (key->clamp) {
            in->source[c] = merge_clamped(MERGE_UNSIGNED, in->source[c]);
            if (key->second_source) in->second[c] = merge_clamped(MERGE_UNSIGNED, in->second[c]);
        }
        result[c] = in->source[c];
    }
    if (key->reads && key->mode != SCH_MERGE_LOGIC) {
        struct tex_texel before = tex_texel_decode(format, SCH_RULES_TGSI, raw, v_splat_i32(0));
        OPS_UNROLL
        for (unsigned c = 0; c < 4; c++) in->destination[c] = before.c[c];
    }
    if (key->mode == SCH_MERGE_BLEND || key->mode == SCH_MERGE_ADVANCED) merge_blend(key, format, in, range, result);
    if (format->kind == TEX_KIND_R9G9B9E5) OPS_UNROLL
    for (unsigned c = 0; c < 3; c++)
        if (!(key->color_mask >> c & 1)) result[c] = in->destination[c];
    vu32 value[4];
    OPS_UNROLL
    for (unsigned c = 0; c < 4; c++) value[c] = v_as_u32(result[c]);
    struct tex_raw after = tex_texel_encode_of(format, key->d3d ? SCH_RULES_D3D : SCH_RULES_TGSI, value, range);
    OPS_UNROLL
    for (unsigned w = 0; w < 4; w++) {
        if (key->mode == SCH_MERGE_LOGIC)
            after.word[w] = merge_logic(key->logic_operation, after.word[w], raw->word[w]);
        raw->word[w] = (after.word[w] & bits->written[w]) | (raw->word[w] & bits->kept[w]);
    }
}

/* What vector v is made of, but for the texels before. */
OPS_INLINE void merge_load(struct merge_colors *in, const struct sch_color_values *values,
                           const struct sch_lanes source[4], const struct sch_lanes *second, unsigned v)
{
    OPS_UNROLL
    for (unsigned c = 0; c < 4; c++) {
        in->source[c] = ops_load_F(&source[c], v);
        in->second[c] = second ? ops_load_F(&second[c], v) : v_splat_f32(0.0f);
        in->constant[c] = v_splat_f32(values->constant[c]);
        in->destination[c] = v_splat_f32(0.0f);
    }
}

OPS_INLINE void merge_group(const struct sch_color_key *key, const struct tex_format *format,
                            const struct sch_color_values *values, const struct sch_lanes source[4],
                            const struct sch_lanes *second, uint32_t mask, struct sch_lanes *word)
{
    const unsigned words = (format->bytes + 3u) / 4u;
    struct merge_bits bits;
    merge_bits_of(format, key->color_mask, &bits);
    OPS_UNROLL_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct merge_colors in;
        struct tex_raw raw;
        merge_load(&in, values, source, second, v);
        OPS_UNROLL
        for (unsigned c = 0; c < 4; c++) raw.word[c] = c < words ? ops_load_U(&word[c], v) : v_splat_u32(0);
        struct tex_raw before = raw;
        merge_vector(key, format, &bits, &in, &raw);
        const vi32 lanes = v_mask_from_bits(mask >> (v * SCH_LANES));
        OPS_UNROLL
        for (unsigned w = 0; w < words; w++) ops_put_U(&word[w], v, v_select_u32(lanes, raw.word[w], before.word[w]));
    }
}

#endif
