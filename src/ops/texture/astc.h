/* Texels of ASTC blocks: weights, partitions, and the tile of 4 by 4 texels that a thread keeps, from one block
 * (dataformat, "Weight Decoding" to "Partition Pattern Generation"; docs/blocks.md). Holds no reading of headers and no
 * endpoint modes.
 *
 * Decoded texels are two words of halves, R | G << 16 and B | A << 16 (the text's decode_float16), and for sRGB one
 * word of 8-bit codes. The error colour is magenta at every profile: "Magenta or NaNs" are allowed for halves, and
 * magenta alone for codes ("ASTC error colors"); filters would spread a NaN. */
#ifndef SCH_OPS_TEXTURE_ASTC_H
#define SCH_OPS_TEXTURE_ASTC_H

#include "ops/texture/astc_endpoints.h"

/* The block's texel that is at the tile's first texel: may be negative, or so that only some texels of the tile are
 * in the block. */
struct tex_astc_part {
    int x, y;
};

/* Texel (x, y) of a tile is number x + 4 * y (abi/texel_tiles.h). */
enum { TEX_ASTC_TILE = 16 };

/* What a block's texels are made of. */
enum { TEX_ASTC_GRID_ROOM = 80 }; /* 64 positions, and up to 13 after them: the next one, and those a row below */
struct tex_astc_block {
    struct tex_astc_header header;
    /* For each grid position the weight of plane 0, in bits 8 to 15 that of plane 1, and from 16 on those of the next
     * one. */
    uint32_t weight[TEX_ASTC_GRID_ROOM];
    /* For channel c and partition p two 16-bit endpoints less 2^15, the first one lower: what v_dot_halves_i32
     * takes. */
    uint32_t ends[4][TEX_ASTC_PARTITIONS];
    uint32_t hdr[TEX_ASTC_PARTITIONS]; /* TEX_ASTC_HDR_RGB and TEX_ASTC_HDR_ALPHA */
    bool has_hdr;
};

/* A vector's texels in the block; those that are not `inside` stand for one that is. */
struct tex_astc_place {
    vi32 x, y, inside;
};

enum { TEX_ASTC_HALF_ONE = 0x3c00, TEX_ASTC_HALF_GREATEST = 0x7bff };

/* ---- weights ---- */

/* Values of the weight ranges at 0 to 64 ("Weight Unquantization"); a row for each of tex_astc_weight_range. */
static const uint8_t tex_astc_weight[12][32] __attribute__((unused)) = {
    {0, 64},
    {0, 32, 64},
    {0, 21, 43, 64},
    {0, 16, 32, 48, 64},
    {0, 64, 12, 52, 25, 39},
    {0, 9, 18, 27, 37, 46, 55, 64},
    {0, 64, 7, 57, 14, 50, 21, 43, 28, 36},
    {0, 64, 17, 47, 5, 59, 23, 41, 11, 53, 28, 36},
    {0, 4, 8, 12, 17, 21, 25, 29, 35, 39, 43, 47, 52, 56, 60, 64},
    {0, 64, 16, 48, 3, 61, 19, 45, 6, 58, 23, 41, 9, 55, 26, 38, 13, 51, 29, 35},
    {0, 64, 8, 56, 16, 48, 24, 40, 2, 62, 11, 53, 19, 45, 27, 37, 5, 59, 13, 51, 22, 42, 30, 34},
    {0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
     34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64}};

/* At 0 to 64. Every range has its own code, with shifts by constants. */
OPS_INLINE void tex_astc_unpack_weights(const uint32_t block[4], const struct tex_astc_grid *grid, uint32_t *weight)
{
    const struct tex_astc_stream stream = tex_astc_stream_down(block);
    const unsigned count = tex_astc_weights(grid);
    switch (grid->range) {
    case 0:
        tex_astc_unpack(stream, TEX_ASTC_BITS, 1, count, tex_astc_weight[0], weight);
        break;
    case 1:
        tex_astc_unpack(stream, TEX_ASTC_TRITS, 0, count, tex_astc_weight[1], weight);
        break;
    case 2:
        tex_astc_unpack(stream, TEX_ASTC_BITS, 2, count, tex_astc_weight[2], weight);
        break;
    case 3:
        tex_astc_unpack(stream, TEX_ASTC_QUINTS, 0, count, tex_astc_weight[3], weight);
        break;
    case 4:
        tex_astc_unpack(stream, TEX_ASTC_TRITS, 1, count, tex_astc_weight[4], weight);
        break;
    case 5:
        tex_astc_unpack(stream, TEX_ASTC_BITS, 3, count, tex_astc_weight[5], weight);
        break;
    case 6:
        tex_astc_unpack(stream, TEX_ASTC_QUINTS, 1, count, tex_astc_weight[6], weight);
        break;
    case 7:
        tex_astc_unpack(stream, TEX_ASTC_TRITS, 2, count, tex_astc_weight[7], weight);
        break;
    case 8:
        tex_astc_unpack(stream, TEX_ASTC_BITS, 4, count, tex_astc_weight[8], weight);
        break;
    case 9:
        tex_astc_unpack(stream, TEX_ASTC_QUINTS, 2, count, tex_astc_weight[9], weight);
        break;
    case 10:
        tex_astc_unpack(stream, TEX_ASTC_TRITS, 3, count, tex_astc_weight[10], weight);
        break;
    default:
        tex_astc_unpack(stream, TEX_ASTC_BITS, 5, count, tex_astc_weight[11], weight);
        break;
    }
}

/* "If dual-plane mode is selected, both weights are emitted together for each position, plane 0 first". */
OPS_INLINE void tex_astc_read_weights(const uint32_t words[4], struct tex_astc_block *block)
{
    const struct tex_astc_grid *grid = &block->header.grid;
    const unsigned positions = (unsigned)grid->width * grid->height;
    uint32_t *weight = block->weight;
    tex_astc_unpack_weights(words, grid, weight);
    for (unsigned i = 0; grid->planes == 2 && i < positions; i++) weight[i] = weight[2 * i] | weight[2 * i + 1] << 8;
    for (unsigned i = 0; i < TEX_ASTC_GRID_ROOM - TEX_ASTC_WEIGHTS; i += SCH_LANES)
        v_store_u32(weight + positions + i, v_splat_u32(weight[0])); /* read, but of no weight */
    for (unsigned i = 0; i < positions; i += SCH_LANES)
        v_store_u32(weight + i, v_load_u32(weight + i) | v_load_u32(weight + i + 1) << 16);
}

/* The text's Ds or Dt of a side of so many texels. */
static const uint16_t tex_astc_scale[13]
    __attribute__((unused)) = {[4] = 342, [5] = 256, [6] = 205, [8] = 146, [10] = 114, [12] = 93};

/* The product of two numbers below 2^15. */
OPS_INLINE vi32 tex_astc_product(vi32 a, vi32 b) { return v_dot_halves_i32((vu32)a, (vu32)b); }

/* Where along an axis of the grid a texel is, in sixteenths. */
OPS_INLINE vi32 tex_astc_along(vi32 texel, unsigned texels, unsigned weights)
{
    const vi32 scaled = tex_astc_product(texel, v_splat_i32(tex_astc_scale[texels]));
    return (tex_astc_product(scaled, v_splat_i32((int32_t)weights - 1)) + 32) >> 6;
}

/* "Weight Infill": both planes' weights of texels. */
OPS_INLINE void tex_astc_infill(const struct tex_astc_block *block, unsigned width, unsigned height,
                                const struct tex_astc_place *place, vu32 weight[2])
{
    const struct tex_astc_grid *grid = &block->header.grid;
    const vi32 s = tex_astc_along(place->x, width, grid->width), t = tex_astc_along(place->y, height, grid->height);
    const vi32 at = (s >> 4) + tex_astc_product(t >> 4, v_splat_i32(grid->width)), fs = s & 15, ft = t & 15;
    const vi32 w11 = (tex_astc_product(fs, ft) + 8) >> 4;
    const vu32 upper = (vu32)(16 - fs - ft + w11) | (vu32)(fs - w11) << 16, lower = (vu32)(ft - w11) | (vu32)w11 << 16;
    const vu32 p0 = v_gather_near_u32(block->weight, at * 4);
    const vu32 p1 = v_gather_near_u32(block->weight + grid->width, at * 4);
    for (unsigned plane = 0; plane < grid->planes; plane++) {
        const vu32 q0 = p0 >> 8 * plane & 0x00ff00ffu, q1 = p1 >> 8 * plane & 0x00ff00ffu;
        weight[plane] = (vu32)((v_dot_halves_i32(q0, upper) + v_dot_halves_i32(q1, lower) + 8) >> 4);
    }
}

/* ---- partitions ---- */

/* What "Partition Pattern Generation" makes of a block's seed: for each partition the factors of x, lower, and y, and
 * what is added. */
struct tex_astc_pattern {
    uint32_t factors[TEX_ASTC_PARTITIONS];
    int32_t offset[TEX_ASTC_PARTITIONS];
};

OPS_INLINE uint32_t tex_astc_hash(uint32_t p)
{
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    return p;
}

OPS_INLINE void tex_astc_make_pattern(unsigned index, unsigned partitions, struct tex_astc_pattern *pattern)
{
    const uint32_t seed = index + (partitions - 1) * 1024, number = tex_astc_hash(seed);
    const unsigned by_seed = seed & 2 ? 4 : 5, by_count = partitions == 3 ? 6 : 5;
    const unsigned shift[2] = {seed & 1 ? by_seed : by_count, seed & 1 ? by_count : by_seed};
    static const uint8_t offset[TEX_ASTC_PARTITIONS] = {14, 10, 6, 2};
    V_UNROLL
    for (unsigned p = 0; p < TEX_ASTC_PARTITIONS; p++) {
        const bool counts = p < 2 || p < partitions; /* else 0 in place of the sum */
        const uint32_t x = number >> 8 * p & 15, y = number >> (8 * p + 4) & 15;
        pattern->factors[p] = counts ? x * x >> shift[0] | y * y >> shift[1] << 16 : 0;
        pattern->offset[p] = counts ? (int32_t)(number >> offset[p] & 0x3f) : 0;
    }
}

/* The partition of texels. */
OPS_INLINE vi32 tex_astc_partition(const struct tex_astc_pattern *pattern, const struct tex_astc_place *place,
                                   bool small)
{
    const vu32 xy = ((vu32)place->x | (vu32)place->y << 16) << (small ? 1 : 0);
    vi32 sum[TEX_ASTC_PARTITIONS];
    for (unsigned p = 0; p < TEX_ASTC_PARTITIONS; p++)
        sum[p] = (v_dot_halves_i32(xy, v_splat_u32(pattern->factors[p])) + pattern->offset[p]) & 0x3f;
    const vi32 second = v_max_i32(sum[2], sum[3]), least = v_max_i32(sum[1], second);
    const vi32 not0 = (vi32)(sum[0] < least), not1 = not0 & (vi32)(sum[1] < second);
    const vi32 not2 = not1 & (vi32)(sum[2] < sum[3]);
    return -(not0 + not1 + not2);
}

/* From a number for each partition those of the texels' partitions. */
OPS_INLINE vu32 tex_astc_of_partition(const uint32_t value[TEX_ASTC_PARTITIONS], unsigned partitions, vi32 partition)
{
    vu32 chosen = v_splat_u32(value[0]);
    for (unsigned p = 1; p < partitions; p++)
        chosen = v_select_u32((vi32)(partition == (int32_t)p), v_splat_u32(value[p]), chosen);
    return chosen;
}

/* ---- endpoints ---- */

/* An endpoint of a channel in 16 bits. */
OPS_INLINE uint32_t tex_astc_expand(int32_t end, bool hdr, enum tex_astc_profile profile)
{
    if (hdr) return (uint32_t)end << 4;
    return (uint32_t)end << 8 | (profile == TEX_ASTC_SRGB ? 0x80u : (uint32_t)end);
}

OPS_INLINE void tex_astc_read_ends(const uint32_t words[4], enum tex_astc_profile profile, struct tex_astc_block *block)
{
    const struct tex_astc_header *header = &block->header;
    int32_t value[TEX_ASTC_VALUES];
    tex_astc_color_values(words, header, value);
    const int32_t *v = value;
    block->has_hdr = false;
    for (unsigned p = 0; p < header->partitions; p++) {
        const unsigned mode = header->endpoint[p], hdr = tex_astc_mode_hdr[mode];
        struct tex_astc_ends ends;
        if (hdr)
            tex_astc_hdr_ends(mode, v, &ends);
        else
            tex_astc_ldr_ends(mode, v, &ends);
        v += 2 * (mode / 4 + 1);
        V_UNROLL
        for (unsigned c = 0; c < 4; c++) {
            const bool wide = (hdr & (c < 3 ? TEX_ASTC_HDR_RGB : TEX_ASTC_HDR_ALPHA)) != 0;
            const uint32_t low = tex_astc_expand(ends.end[0][c], wide, profile);
            block->ends[c][p] = (low | tex_astc_expand(ends.end[1][c], wide, profile) << 16) ^ 0x80008000u;
        }
        block->hdr[p] = hdr;
        block->has_hdr |= hdr != 0;
    }
}

/* ---- texels ---- */

/* floor((C0 * (64 - i) + C1 * i + 32) / 64) of biased pairs of endpoints. */
OPS_INLINE vu32 tex_astc_interpolate(vu32 ends, vu32 weight)
{
    return (vu32)(v_dot_halves_i32(ends, (64u - weight) | weight << 16) + (64 << 15) + 32) >> 6;
}

/* Halves of UNORM16 results: 65535 is 1, and other numbers are divided by 65536 and rounded to zero. In numbers of 11
 * bits and more the float's bits are cut; below 2^2 the half is denormal. */
OPS_INLINE vu32 tex_astc_half_of_unorm(vu32 c)
{
    c -= (vu32)(c == 0xffffu); /* a mask is -1: 65536 */
    const vu32 normal = ((vu32)v_f32_from_i32((vi32)c) >> 13) - ((127u + 16u - 15u) << 10);
    return v_select_u32((vi32)(c < 4u), c << 8, normal);
}

/* Halves of HDR results, near to a power of two: the text's Cf. */
OPS_INLINE vu32 tex_astc_half_of_hdr(vu32 c)
{
    const vi32 m = (vi32)(c & 0x7ffu);
    const vi32 scaled = 4 * m - v_min_i32(m, v_splat_i32(512)) + v_max_i32(m - 1536, v_splat_i32(0));
    const vi32 half = (vi32)(c >> 11 << 10) + (scaled >> 3);
    return (vu32)v_min_i32(half, v_splat_i32(TEX_ASTC_HALF_GREATEST));
}

/* Writes the texels that are inside. */
OPS_INLINE void tex_astc_put(uint32_t *word, vi32 inside, vu32 value)
{
    v_store_u32(word, v_select_u32(inside, value, v_load_u32(word)));
}

/* The vector's texels, numbers `first` on of the tile. Clamping keeps what is outside within the tables. */
OPS_INLINE struct tex_astc_place tex_astc_places(struct tex_astc_part part, unsigned first, unsigned width,
                                                 unsigned height)
{
    const vi32 number = v_lane_i32() + (int32_t)first;
    const vi32 x = (number & 3) + part.x, y = (number >> 2) + part.y, zero = v_splat_i32(0);
    struct tex_astc_place place;
    place.x = v_min_i32(v_max_i32(x, zero), v_splat_i32((int32_t)width - 1));
    place.y = v_min_i32(v_max_i32(y, zero), v_splat_i32((int32_t)height - 1));
    place.inside = (vi32)(x == place.x) & (vi32)(y == place.y);
    return place;
}

/* Words of four channels: halves, or the top 8 bits of 16. */
OPS_INLINE void tex_astc_words(const vu32 c[4], bool codes, vu32 word[2])
{
    if (codes) {
        word[0] = c[0] >> 8 | (c[1] & 0xff00u) | (c[2] & 0xff00u) << 8 | (c[3] & 0xff00u) << 16;
        word[1] = v_splat_u32(0);
    } else {
        word[0] = c[0] | c[1] << 16;
        word[1] = c[2] | c[3] << 16;
    }
}

/* The error colour: opaque magenta. */
OPS_INLINE void tex_astc_error_words(enum tex_astc_profile profile, vu32 word[2])
{
    const vu32 one = v_splat_u32(profile == TEX_ASTC_SRGB ? 0xffffu : TEX_ASTC_HALF_ONE);
    const vu32 c[4] = {one, v_splat_u32(0), one, one};
    tex_astc_words(c, profile == TEX_ASTC_SRGB, word);
}

/* Void extents: UNORM16 or, with bit 9, halves as they are. "If the color component values are infinity or NaN, this
 * will result in undefined behavior": here they stay, and NaNs are made quiet, as instructions that widen halves do. */
OPS_INLINE void tex_astc_constant_words(const uint32_t block[4], enum tex_astc_profile profile, vu32 word[2])
{
    const bool hdr = (block[0] >> 9 & 1) != 0;
    vu32 c[4];
    if (hdr && profile != TEX_ASTC_HDR) {
        tex_astc_error_words(profile, word);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        c[i] = v_splat_u32(block[2 + i / 2] >> 16 * (i % 2) & 0xffff);
        const vu32 quiet = (vu32)(vi32)((c[i] & 0x7fffu) > 0x7c00u) & 0x200u;
        if (hdr)
            c[i] |= quiet;
        else if (profile != TEX_ASTC_SRGB)
            c[i] = tex_astc_half_of_unorm(c[i]);
    }
    tex_astc_words(c, profile == TEX_ASTC_SRGB, word);
}

/* Halves of a channel's 16-bit results: of HDR ones where the texels' `hdr` has the flag. */
OPS_INLINE vu32 tex_astc_halves(const struct tex_astc_block *block, vu32 c, vu32 hdr, uint32_t flag)
{
    const vu32 half = tex_astc_half_of_unorm(c);
    if (!block->has_hdr) return half;
    return v_select_u32((vi32)((hdr & flag) != 0u), tex_astc_half_of_hdr(c), half);
}

OPS_INLINE void tex_astc_texel_words(const struct tex_astc_block *block, enum tex_astc_profile profile,
                                     const vu32 weight[2], vi32 partition, vu32 word[2])
{
    const struct tex_astc_header *header = &block->header;
    const vu32 hdr = tex_astc_of_partition(block->hdr, header->partitions, partition);
    vu32 c[4];
    V_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const vu32 ends = tex_astc_of_partition(block->ends[i], header->partitions, partition);
        c[i] = tex_astc_interpolate(ends, i == header->second ? weight[1] : weight[0]);
        if (profile != TEX_ASTC_SRGB)
            c[i] = tex_astc_halves(block, c[i], hdr, i < 3 ? TEX_ASTC_HDR_RGB : TEX_ASTC_HDR_ALPHA);
    }
    tex_astc_words(c, profile == TEX_ASTC_SRGB, word);
    if (profile == TEX_ASTC_HDR || !block->has_hdr) return;
    vu32 error[2]; /* "only those texels which belong to the HDR partition" */
    tex_astc_error_words(profile, error);
    for (unsigned i = 0; i < 2; i++) word[i] = v_select_u32((vi32)(hdr != 0u), error[i], word[i]);
}

/* The words of a block that is one colour, or illegal. */
OPS_INLINE void tex_astc_plain_tile(const uint32_t words[4], unsigned width, unsigned height,
                                    enum tex_astc_profile profile, bool legal, struct tex_astc_part part,
                                    uint32_t word0[TEX_ASTC_TILE], uint32_t word1[TEX_ASTC_TILE])
{
    vu32 word[2];
    if (legal)
        tex_astc_constant_words(words, profile, word);
    else
        tex_astc_error_words(profile, word);
    for (unsigned first = 0; first < TEX_ASTC_TILE; first += SCH_LANES) {
        const struct tex_astc_place place = tex_astc_places(part, first, width, height);
        tex_astc_put(word0 + first, place.inside, word[0]);
        if (profile != TEX_ASTC_SRGB) tex_astc_put(word1 + first, place.inside, word[1]);
    }
}

/* Writes the tile's texels (x, y) with 0 <= part.x + x < width and 0 <= part.y + y < height, and leaves the others;
 * sRGB has no second words. */
OPS_SHARED void tex_astc_tile(const uint32_t words[4], unsigned width, unsigned height, enum tex_astc_profile profile,
                              struct tex_astc_part part, uint32_t word0[TEX_ASTC_TILE], uint32_t word1[TEX_ASTC_TILE])
{
    struct tex_astc_block block;
    struct tex_astc_pattern pattern;
    tex_astc_read_header(words, width, height, &block.header);
    if (block.header.kind != TEX_ASTC_WEIGHTED) {
        const bool legal = block.header.kind == TEX_ASTC_CONSTANT;
        tex_astc_plain_tile(words, width, height, profile, legal, part, word0, word1);
        return;
    }
    tex_astc_read_weights(words, &block);
    tex_astc_read_ends(words, profile, &block);
    const unsigned partitions = block.header.partitions;
    if (partitions > 1) tex_astc_make_pattern(block.header.pattern, partitions, &pattern);
    for (unsigned first = 0; first < TEX_ASTC_TILE; first += SCH_LANES) {
        const struct tex_astc_place place = tex_astc_places(part, first, width, height);
        vu32 weight[2], word[2];
        vi32 partition = v_splat_i32(0);
        tex_astc_infill(&block, width, height, &place, weight);
        if (partitions > 1) partition = tex_astc_partition(&pattern, &place, width * height < 31);
        tex_astc_texel_words(&block, profile, weight, partition, word);
        tex_astc_put(word0 + first, place.inside, word[0]);
        if (profile != TEX_ASTC_SRGB) tex_astc_put(word1 + first, place.inside, word[1]);
    }
}

#endif
