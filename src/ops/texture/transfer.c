/* Texels of rows for what moves them without a shader (src/texture): decoded and encoded as they are stored, and means
 * of several. No sampler state has a part in it. docs/resources.md. */
#include "ops/texture/encode.h"
#include "ops/texture/facts.h"

OPS_INLINE struct tex_raw tex_row_load(const struct tex_format *format, uint8_t *texels, vi32 x, vi32 mask)
{
    const struct sch_texture_level row = {.texels = texels};
    const vi32 zero = v_splat_i32(0);
    return tex_texel_load(format, &row, true, x, zero, zero, mask);
}

/* Components as stores take them: of depth and stencil formats depth in R, stencil in G. */
OPS_INLINE struct tex_texel tex_row_decode(const struct tex_format *format, const struct tex_raw *raw, vi32 x)
{
    struct tex_texel texel = tex_texel_decode(format, SCH_RULES_TGSI, raw, x);
    if (!(format->flags & (TEX_DEPTH | TEX_STENCIL))) return texel;
    for (unsigned i = 0; i < 4; i++) {
        unsigned channel = format->component[i];
        texel.c[i] = channel < TEX_ZERO ? tex_channel_value(format, raw, channel, x) : v_splat_f32(0.0f);
    }
    return texel;
}

/* ---- stores ---- */

/* Whether a channel keeps its bits: its component is not written, or in a format of depth or stencil it is none, so that
 * a view of one of them leaves the other as it is. */
OPS_INLINE bool tex_channel_stays(const struct tex_format *format, unsigned components, unsigned channel)
{
    unsigned from = tex_channel_source(format, channel);
    if (from < 4) return !(components >> from & 1);
    return format->flags & (TEX_DEPTH | TEX_STENCIL) && format->channel[channel].bits;
}

/* Stores texels but for the bits of channels that stay. */
OPS_INLINE void tex_row_store(const struct tex_format *format, unsigned components, const struct sch_texel_row *to,
                              unsigned vector, struct tex_raw *raw)
{
    const struct sch_texture_level row = {.texels = to->texels};
    const vi32 x = ops_load_I(to->x, vector), mask = ops_load_I(to->mask, vector), zero = v_splat_i32(0);
    uint32_t kept[4] = {0}, any = 0;
    for (unsigned i = 0; i < 4; i++) {
        const struct tex_channel *channel = &format->channel[i];
        if (tex_channel_stays(format, components, i))
            any |= kept[channel->offset / 32 & 3] |= UINT32_MAX >> (32u - channel->bits) << channel->offset % 32;
    }
    if (any) {
        struct tex_raw old = tex_row_load(format, to->texels, x, mask);
        for (unsigned w = 0; w < 4; w++) raw->word[w] = (raw->word[w] & ~kept[w]) | (old.word[w] & kept[w]);
    }
    tex_texel_put(format, &row, x, zero, zero, mask, false, raw);
}

/* Encodes and stores. What shares its exponent is decoded first where only some of it is written. */
OPS_INLINE void tex_row_encode(const struct tex_format *format, unsigned components, const struct sch_texel_row *to,
                               unsigned vector, vu32 value[4])
{
    if (format->kind == TEX_KIND_R9G9B9E5 && (components & 7) != 7) {
        const vi32 x = ops_load_I(to->x, vector);
        struct tex_raw old = tex_row_load(format, to->texels, x, ops_load_I(to->mask, vector));
        struct tex_texel texel = tex_row_decode(format, &old, x);
        for (unsigned i = 0; i < 3; i++)
            if (!(components >> i & 1)) value[i] = v_as_u32(texel.c[i]);
        components = 7;
    }
    struct tex_raw raw = tex_texel_encode(format, SCH_RULES_TGSI, value);
    tex_row_store(format, components, to, vector, &raw);
}

sch_texels_read_fn OPS_LOCAL(texels_read);
void OPS_LOCAL(texels_read)(unsigned number, const struct sch_texel_row *row, struct sch_lanes *const component[4])
{
    const struct tex_format *format = &tex_formats[number];
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const vi32 x = ops_load_I(row->x, v);
        struct tex_raw raw = tex_row_load(format, row->texels, x, ops_load_I(row->mask, v));
        struct tex_texel texel = tex_row_decode(format, &raw, x);
        for (unsigned c = 0; c < 4; c++) ops_store_U(component[c], v, 0, v_as_u32(texel.c[c]));
    }
}

sch_texels_write_fn OPS_LOCAL(texels_write);
void OPS_LOCAL(texels_write)(unsigned number, unsigned components, const struct sch_texel_row *row,
                             const struct sch_lanes *const component[4])
{
    const struct tex_format *format = &tex_formats[number];
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vu32 value[4];
        for (unsigned c = 0; c < 4; c++) value[c] = ops_load_U(component[c], v);
        tex_row_encode(format, components, row, v, value);
    }
}

/* ---- means ---- */

/* sum / total to the nearest integer, ties to even. The quotient in binary64 is at most one off. */
OPS_INLINE vi32 tex_mean_code(vi64 sum, int64_t total)
{
    vi64 code = v_i64_from_i32(v_i32_from_f64(v_rint_f64(v_f64_from_i64(sum) / (double)total)));
    vi64 rest = (sum - code * total) * 2, odd = -(code & 1);
    vi64 up = (vi64)(rest > total) | ((vi64)(rest == total) & odd);
    vi64 down = (vi64)(rest < -total) | ((vi64)(rest == -total) & odd);
    return (vi32)v_lo_u64((vu64)(code - up + down));
}

/* Exact-sum formats: of the codes themselves. */
OPS_INLINE struct tex_raw tex_mean_of_codes(const struct tex_format *format, const struct sch_mean *mean, unsigned v)
{
    const vi32 mask = ops_load_I(mean->mask, v);
    vi64 sum[4] = {v_splat_i64(0), v_splat_i64(0), v_splat_i64(0), v_splat_i64(0)};
    for (unsigned r = 0; r < mean->rows; r++) {
        vi32 row[4] = {v_splat_i32(0), v_splat_i32(0), v_splat_i32(0), v_splat_i32(0)};
        for (unsigned c = 0; c < mean->columns; c++) {
            const vi32 x = ops_load_I(mean->x[c], v), weight = ops_load_I(mean->weight[c], v);
            struct tex_raw raw = tex_row_load(format, mean->row[r].texels, x, mask);
            for (unsigned i = 0; i < 4; i++)
                if (format->channel[i].type != TEX_VOID) row[i] += tex_texel_code(format, &raw, i, x) * weight;
        }
        for (unsigned i = 0; i < 4; i++) sum[i] += v_i64_from_i32(row[i]) * mean->row[r].weight;
    }
    struct tex_raw raw = {{v_splat_u32(0), v_splat_u32(0), v_splat_u32(0), v_splat_u32(0)}};
    for (unsigned i = 0; i < 4; i++)
        if (format->channel[i].type != TEX_VOID)
            tex_put_code(&format->channel[i], (vu32)tex_mean_code(sum[i], mean->total), &raw);
    return raw;
}

/* Others: of the components, in binary64, rounded to binary32 at the end. */
OPS_INLINE void tex_mean_of_components(const struct tex_format *format, const struct sch_mean *mean, unsigned v,
                                       vu32 value[4])
{
    const vi32 mask = ops_load_I(mean->mask, v);
    vf64 sum[4] = {v_splat_f64(0), v_splat_f64(0), v_splat_f64(0), v_splat_f64(0)};
    for (unsigned r = 0; r < mean->rows; r++) {
        vf64 row[4] = {v_splat_f64(0), v_splat_f64(0), v_splat_f64(0), v_splat_f64(0)};
        for (unsigned c = 0; c < mean->columns; c++) {
            const vi32 x = ops_load_I(mean->x[c], v);
            struct tex_raw raw = tex_row_load(format, mean->row[r].texels, x, mask);
            struct tex_texel texel = tex_row_decode(format, &raw, x);
            vf64 weight = v_f64_from_i32(ops_load_I(mean->weight[c], v));
            for (unsigned i = 0; i < 4; i++) row[i] += v_f64_from_f32(texel.c[i]) * weight;
        }
        for (unsigned i = 0; i < 4; i++) sum[i] += row[i] * (double)mean->row[r].weight;
    }
    for (unsigned i = 0; i < 4; i++) value[i] = v_as_u32(v_canon_f32(v_f32_from_f64(sum[i] / (double)mean->total)));
}

sch_texels_mean_fn OPS_LOCAL(texels_mean);
void OPS_LOCAL(texels_mean)(unsigned number, unsigned components, const struct sch_mean *mean,
                            const struct sch_texel_row *to)
{
    const struct tex_format *format = &tex_formats[number];
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        if (tex_is_exact(format)) {
            struct tex_raw raw = tex_mean_of_codes(format, mean, v);
            tex_row_store(format, components, to, v, &raw);
        } else {
            vu32 value[4];
            tex_mean_of_components(format, mean, v, value);
            tex_row_encode(format, components, to, v, value);
        }
    }
}
