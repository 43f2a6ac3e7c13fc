/* Texels of rows for what moves them without a shader (src/texture): decoded and encoded as they are stored, and means
 * of several. No sampler state has a part in it. docs/resources.md. */
#include "ops/texture/encode.h"
#include "ops/texture/facts.h"

/* The lanes of a vector that are among the first `count` of a group. */
OPS_INLINE vi32 tex_lanes_to(unsigned vector, uint32_t count)
{
    return (vi32)(v_lane_i32() + (int32_t)(vector * SCH_LANES) < (int32_t)count);
}

/* Texels of a row that are in compressed blocks: as of a level of one row of blocks. */
OPS_INLINE struct tex_raw tex_row_load_tiles(unsigned number, const struct sch_texel_row *row, vi32 x, vi32 mask)
{
    const struct tex_format *format = &tex_formats[number];
    const struct sch_texture_level level = {.texels = (uint8_t *)(uintptr_t)row->texels, /* it is only read */
                                            .width = row->width,
                                            .height = format->block_height,
                                            .depth = 1};
    return tex_tile_load(number, &level, row->tiles, x, v_splat_i32((int32_t)row->y), v_splat_i32(0), mask);
}

OPS_INLINE struct tex_raw tex_row_load(const struct tex_format *format, const uint8_t *texels, vi32 x, vi32 mask)
{
    const struct sch_texture_level row = {.texels = (uint8_t *)(uintptr_t)texels}; /* it is only read */
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

/* Whether a channel keeps its bits: its component is not written, or a format of depth or stencil does not have it, so
 * that a view of one of them leaves the other as it is. */
OPS_INLINE bool tex_channel_stays(const struct tex_format *format, unsigned components, unsigned channel)
{
    unsigned from = tex_channel_source(format, channel);
    if (from < 4) return !(components >> from & 1);
    return format->flags & (TEX_DEPTH | TEX_STENCIL) && format->channel[channel].bits;
}

/* The texels that a vector of a group writes. */
struct tex_run {
    uint8_t *texels;
    uint32_t count;
};

OPS_INLINE struct tex_run tex_run_of(const struct tex_format *format, uint8_t *texels, uint32_t count, unsigned vector)
{
    const uint32_t before = vector * SCH_LANES, left = count > before ? count - before : 0;
    return (struct tex_run){texels + (uint64_t)before * format->bytes, left < SCH_LANES ? left : SCH_LANES};
}

OPS_INLINE struct tex_raw tex_run_load(const struct tex_format *format, const struct tex_run *run)
{
    return tex_row_load(format, run->texels, v_lane_i32(), tex_lanes_to(0, run->count));
}

OPS_INLINE void tex_run_put(const struct tex_format *format, const struct tex_run *run, const struct tex_raw *raw)
{
    const unsigned bytes = format->bytes, unit = tex_unit_bytes(format);
    if (bytes == 4 && run->count == SCH_LANES) {
        v_store_u32(run->texels, raw->word[0]);
        return;
    }
    uint8_t *to = run->texels;
    for (uint32_t lane = 0; lane < run->count; lane++, to += bytes)
        for (unsigned at = 0; at < bytes; at += unit)
            tex_store_unit(to + at, unit, raw->word[at / 4][lane] >> (at % 4 * 8), false);
}

/* Stores texels but for the bits of channels that stay. */
OPS_INLINE void tex_run_store(const struct tex_format *format, unsigned components, const struct tex_run *run,
                              struct tex_raw *raw)
{
    uint32_t kept[4] = {0}, any = 0;
    for (unsigned i = 0; i < 4; i++) {
        const struct tex_channel *channel = &format->channel[i];
        if (tex_channel_stays(format, components, i))
            any |= kept[channel->offset / 32 & 3] |= UINT32_MAX >> (32u - channel->bits) << channel->offset % 32;
    }
    if (any) {
        struct tex_raw old = tex_run_load(format, run);
        for (unsigned w = 0; w < 4; w++) raw->word[w] = (raw->word[w] & ~kept[w]) | (old.word[w] & kept[w]);
    }
    tex_run_put(format, run, raw);
}

/* Encodes and stores. What shares its exponent is decoded first where only some of it is written. */
OPS_INLINE void tex_run_encode(const struct tex_format *format, unsigned components, const struct tex_run *run,
                               vu32 value[4])
{
    if (format->kind == TEX_KIND_R9G9B9E5 && (components & 7) != 7) {
        struct tex_raw old = tex_run_load(format, run);
        struct tex_texel texel = tex_row_decode(format, &old, v_lane_i32());
        for (unsigned i = 0; i < 3; i++)
            if (!(components >> i & 1)) value[i] = v_as_u32(texel.c[i]);
        components = 7;
    }
    struct tex_raw raw = tex_texel_encode(format, SCH_RULES_TGSI, value);
    tex_run_store(format, components, run, &raw);
}

sch_texels_read_fn OPS_LOCAL(texels_read);
void OPS_LOCAL(texels_read)(unsigned number, const struct sch_texel_row *row, struct sch_lanes *const component[4])
{
    const struct tex_format *format = &tex_formats[number];
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const vi32 x = ops_load_I(row->x, v);
        const vi32 mask = tex_lanes_to(v, row->count);
        struct tex_raw raw = tex_is_block(format) ? tex_row_load_tiles(number, row, x, mask)
                                                  : tex_row_load(format, row->texels, x, mask);
        struct tex_texel texel = tex_row_decode(format, &raw, x);
        for (unsigned c = 0; c < 4; c++) ops_put_U(component[c], v, v_as_u32(texel.c[c]));
    }
}

sch_texels_write_fn OPS_LOCAL(texels_write);
void OPS_LOCAL(texels_write)(unsigned number, unsigned components, uint8_t *texels, uint32_t count,
                             const struct sch_lanes *const component[4])
{
    const struct tex_format *format = &tex_formats[number];
    for (unsigned v = 0; v < OPS_VECTORS && v * SCH_LANES < count; v++) {
        const struct tex_run run = tex_run_of(format, texels, count, v);
        vu32 value[4];
        for (unsigned c = 0; c < 4; c++) value[c] = ops_load_U(component[c], v);
        tex_run_encode(format, components, &run, value);
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

/* The same of sums below 2^31 and totals to 2^15: no quotient that is not a tie is so near to one that binary64 makes
 * it one. Adding 1.5 * 2^52 leaves the rounded integer in the low bits. */
enum { TEX_SMALL_TOTAL = 1 << 15 };
OPS_INLINE vi32 tex_small_mean_code(vi32 sum, int64_t total)
{
    return (vi32)v_lo_u64((vu64)(v_f64_from_i32(sum) / (double)total + 0x1.8p52));
}

/* A row's sums of codes, each times how often its column counts. */
OPS_INLINE void tex_row_of_codes(const struct tex_format *format, const struct sch_mean *mean, unsigned r, unsigned v,
                                 vi32 mask, vi32 sum[4])
{
    for (unsigned i = 0; i < 4; i++) sum[i] = v_splat_i32(0);
    for (unsigned c = 0; c < mean->columns; c++) {
        const vi32 x = ops_load_I(mean->x[c], v), weight = ops_load_I(mean->weight[c], v);
        struct tex_raw raw = tex_row_load(format, mean->row[r].texels, x, mask);
        for (unsigned i = 0; i < 4; i++)
            if (format->channel[i].type != TEX_VOID) sum[i] += tex_texel_code(format, &raw, i, x) * weight;
    }
}

/* Exact-sum formats: of the codes themselves. */
OPS_INLINE struct tex_raw tex_mean_of_codes(const struct tex_format *format, const struct sch_mean *mean, unsigned v,
                                            vi32 mask)
{
    const bool small = mean->total <= TEX_SMALL_TOTAL;
    vi32 row[4], sum[4] = {v_splat_i32(0), v_splat_i32(0), v_splat_i32(0), v_splat_i32(0)};
    vi64 large[4] = {v_splat_i64(0), v_splat_i64(0), v_splat_i64(0), v_splat_i64(0)};
    for (unsigned r = 0; r < mean->rows; r++) {
        tex_row_of_codes(format, mean, r, v, mask, row);
        for (unsigned i = 0; i < 4; i++)
            if (small)
                sum[i] += row[i] * (int32_t)mean->row[r].weight;
            else
                large[i] += v_i64_from_i32(row[i]) * mean->row[r].weight;
    }
    struct tex_raw raw = {{v_splat_u32(0), v_splat_u32(0), v_splat_u32(0), v_splat_u32(0)}};
    for (unsigned i = 0; i < 4; i++) {
        if (format->channel[i].type == TEX_VOID) continue;
        vi32 code = small ? tex_small_mean_code(sum[i], mean->total) : tex_mean_code(large[i], mean->total);
        tex_put_code(&format->channel[i], (vu32)code, &raw);
    }
    return raw;
}

/* The number of texels, each of which counts once for all lanes, if it is 2, 4, 8 or 16; else 0. */
OPS_INLINE unsigned tex_mean_of_equals(const struct sch_mean *mean)
{
    const unsigned texels = mean->columns * mean->rows;
    if (texels < 2 || texels > 16 || texels & (texels - 1) || mean->total != texels) return 0;
    vi32 other = v_splat_i32(0);
    for (unsigned c = 0; c < mean->columns; c++) OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) other |= ops_load_I(mean->weight[c], v) ^ 1;
    for (unsigned r = 0; r < mean->rows; r++)
        if (mean->row[r].weight != 1) return 0;
    return v_any_bit(other) ? 0 : texels;
}

/* The texels of a column, added up: bytes 0 and 2 in sum[0], 1 and 3 in sum[1]. */
OPS_INLINE void tex_sum_bytes(const struct tex_format *format, const struct sch_mean *mean, vi32 x, vi32 mask,
                              vu32 sum[2])
{
    const bool row = format->bytes == 4 && v_all(mask & (vi32)(x - v_lane_i32() == x[0]));
    for (unsigned r = 0; r < mean->rows; r++) {
        const uint8_t *texels = mean->row[r].texels;
        const vu32 word =
            row ? v_load_u32(texels + (uint64_t)(uint32_t)x[0] * 4) : tex_row_load(format, texels, x, mask).word[0];
        sum[0] += word & 0xff00ffu;
        sum[1] += word >> 8 & 0xff00ffu;
    }
}

/* Formats with a byte for each channel. Rounds as tex_small_mean_code() does: half of the divisor is added, less one
 * where the quotient is even. */
OPS_INLINE struct tex_raw tex_mean_of_bytes(const struct tex_format *format, const struct sch_mean *mean,
                                            unsigned texels, unsigned v, vi32 mask)
{
    const unsigned shift = (unsigned)__builtin_ctz(texels);
    const uint32_t half = 0x10001u * (texels / 2 - 1);
    vu32 sum[2] = {v_splat_u32(0), v_splat_u32(0)};
    for (unsigned c = 0; c < mean->columns; c++) tex_sum_bytes(format, mean, ops_load_I(mean->x[c], v), mask, sum);
    for (unsigned i = 0; i < 2; i++) sum[i] = (sum[i] + half + (sum[i] >> shift & 0x10001u)) >> shift & 0xff00ffu;
    struct tex_raw raw = {{sum[0] | sum[1] << 8}};
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (format->channel[i].type == TEX_VOID) raw.word[0] &= ~(0xffu << 8 * i);
    return raw;
}

/* Others: of the components, in binary64, rounded to binary32 at the end. */
OPS_INLINE void tex_mean_of_components(const struct tex_format *format, const struct sch_mean *mean, unsigned v,
                                       vi32 mask, vu32 value[4])
{
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
void OPS_LOCAL(texels_mean)(unsigned number, unsigned components, const struct sch_mean *mean, uint8_t *texels,
                            uint32_t count)
{
    const struct tex_format *format = &tex_formats[number];
    const unsigned equals = tex_is_unorm8(format) ? tex_mean_of_equals(mean) : 0;
    for (unsigned v = 0; v < OPS_VECTORS && v * SCH_LANES < count; v++) {
        const struct tex_run run = tex_run_of(format, texels, count, v);
        const vi32 mask = tex_lanes_to(v, count);
        if (tex_is_exact(format)) {
            struct tex_raw raw =
                equals ? tex_mean_of_bytes(format, mean, equals, v, mask) : tex_mean_of_codes(format, mean, v, mask);
            tex_run_store(format, components, &run, &raw);
        } else {
            vu32 value[4];
            tex_mean_of_components(format, mean, v, mask, value);
            tex_run_encode(format, components, &run, value);
        }
    }
}
