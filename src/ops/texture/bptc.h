/* Blocks of BPTC, 16 bytes for 4 by 4 texels: BC7 and BC6H (Direct3D 19.5.13 and 19.5.14, where every bit is asked for;
 * the Khronos Data Format's chapter "BPTC"; ARB_texture_compression_bptc). A block's header and fields are scalars, its
 * endpoints are lanes, then its 16 texels are. Holds from a block to a tile's words: codes of 8 bits, or halves. What
 * codes mean (sRGB) and where blocks lie are others' part. */
#ifndef SCH_OPS_TEXTURE_BPTC_H
#define SCH_OPS_TEXTURE_BPTC_H

#include "ops/op.h"
#include "ops/texture/bits.h"

/* ---- what BC7 and BC6H share: subsets, indices, weights ---- */

/* Which subset each texel belongs to, texel i's in bits 2 * i and 2 * i + 1, and the texels after the first whose
 * indices lack their highest bit (the anchors), in ascending order; 16: there is no other. Those of two subsets (BC6H
 * has the first 32), then those of three, then the one of blocks that are not divided. */
enum { TEX_BPTC_OF_2 = 0, TEX_BPTC_OF_3 = 64, TEX_BPTC_OF_1 = 128 };
struct tex_bptc_partition {
    uint32_t subset;
    uint8_t anchor[2];
};
static const struct tex_bptc_partition tex_bptc_partitions[] __attribute__((unused)) = {
    {0x50505050, {15, 16}}, {0x40404040, {15, 16}}, {0x54545454, {15, 16}}, {0x54505040, {15, 16}},
    {0x50404000, {15, 16}}, {0x55545450, {15, 16}}, {0x55545040, {15, 16}}, {0x54504000, {15, 16}},
    {0x50400000, {15, 16}}, {0x55555450, {15, 16}}, {0x55544000, {15, 16}}, {0x54400000, {15, 16}},
    {0x55555440, {15, 16}}, {0x55550000, {15, 16}}, {0x55555500, {15, 16}}, {0x55000000, {15, 16}},
    {0x55150100, {15, 16}}, {0x00004054, {2, 16}},  {0x15010000, {8, 16}},  {0x00405054, {2, 16}},
    {0x00004050, {2, 16}},  {0x15050100, {8, 16}},  {0x05010000, {8, 16}},  {0x40505054, {15, 16}},
    {0x00404050, {2, 16}},  {0x05010100, {8, 16}},  {0x14141414, {2, 16}},  {0x05141450, {2, 16}},
    {0x01155440, {8, 16}},  {0x00555500, {8, 16}},  {0x15014054, {2, 16}},  {0x05414150, {2, 16}},
    {0x44444444, {15, 16}}, {0x55005500, {15, 16}}, {0x11441144, {6, 16}},  {0x05055050, {8, 16}},
    {0x05500550, {2, 16}},  {0x11114444, {8, 16}},  {0x41144114, {15, 16}}, {0x44111144, {15, 16}},
    {0x15055054, {2, 16}},  {0x01055040, {8, 16}},  {0x05041050, {2, 16}},  {0x05455150, {2, 16}},
    {0x14414114, {2, 16}},  {0x50050550, {15, 16}}, {0x41411414, {15, 16}}, {0x00141400, {6, 16}},
    {0x00041504, {6, 16}},  {0x00105410, {2, 16}},  {0x10541000, {6, 16}},  {0x04150400, {8, 16}},
    {0x50410514, {15, 16}}, {0x41051450, {15, 16}}, {0x05415014, {2, 16}},  {0x14054150, {2, 16}},
    {0x41050514, {15, 16}}, {0x41505014, {15, 16}}, {0x40011554, {15, 16}}, {0x54150140, {15, 16}},
    {0x50505500, {15, 16}}, {0x00555050, {2, 16}},  {0x15151010, {2, 16}},  {0x54540404, {15, 16}},
    {0xaa685050, {3, 15}},  {0x6a5a5040, {3, 8}},   {0x5a5a4200, {8, 15}},  {0x5450a0a8, {3, 15}},
    {0xa5a50000, {8, 15}},  {0xa0a05050, {3, 15}},  {0x5555a0a0, {3, 15}},  {0x5a5a5050, {8, 15}},
    {0xaa550000, {8, 15}},  {0xaa555500, {8, 15}},  {0xaaaa5500, {6, 15}},  {0x90909090, {6, 15}},
    {0x94949494, {6, 15}},  {0xa4a4a4a4, {5, 15}},  {0xa9a59450, {3, 15}},  {0x2a0a4250, {3, 8}},
    {0xa5945040, {3, 15}},  {0x0a425054, {3, 8}},   {0xa5a5a500, {8, 15}},  {0x55a0a0a0, {3, 15}},
    {0xa8a85454, {3, 15}},  {0x6a6a4040, {3, 8}},   {0xa4a45000, {6, 15}},  {0x1a1a0500, {8, 10}},
    {0x0050a4a4, {3, 5}},   {0xaaa59090, {8, 15}},  {0x14696914, {6, 8}},   {0x69691400, {6, 10}},
    {0xa08585a0, {8, 15}},  {0xaa821414, {5, 15}},  {0x50a4a450, {10, 15}}, {0x6a5a0200, {8, 15}},
    {0xa9a58000, {8, 15}},  {0x5090a0a8, {3, 15}},  {0xa8a09050, {3, 15}},  {0x24242424, {5, 10}},
    {0x00aa5500, {6, 10}},  {0x24924924, {8, 10}},  {0x24499224, {8, 9}},   {0x50a50a50, {10, 15}},
    {0x500aa550, {6, 15}},  {0xaaaa4444, {3, 15}},  {0x66660000, {8, 15}},  {0xa5a0a5a0, {5, 15}},
    {0x50a050a0, {3, 15}},  {0x69286928, {6, 15}},  {0x44aaaa44, {6, 15}},  {0x66666600, {8, 15}},
    {0xaa444444, {3, 15}},  {0x54a854a8, {3, 15}},  {0x95809580, {5, 15}},  {0x96969600, {5, 15}},
    {0xa85454a8, {5, 15}},  {0x80959580, {8, 15}},  {0xaa141414, {5, 15}},  {0x96960000, {10, 15}},
    {0xaaaa1414, {5, 15}},  {0xa05050a0, {10, 15}}, {0xa0a5a5a0, {8, 15}},  {0x96000000, {13, 15}},
    {0x40804080, {3, 15}},  {0xa9a8a9a8, {12, 15}}, {0xaaaaaa44, {3, 15}},  {0x2a4a5254, {3, 8}},
    {0, {16, 16}},
};

/* For numbers of n bits: their bits, where each of eight side by side begins, twice (from bit 32 on, where there are
 * none, it wraps), and as an index the weight of 1 in 256ths, 256 * 64 / (2^n - 1). */
struct tex_bptc_width {
    uint32_t mask, step;
    uint8_t at[16];
};
static const struct tex_bptc_width tex_bptc_widths[] __attribute__((unused)) = {
#define TEX_BPTC_EIGHT(n) 0, n, 2 * n, 3 * n, 4 * n & 31, 5 * n & 31, 6 * n & 31, 7 * n & 31
#define X(n, step)        {(1u << n) - 1, step, {TEX_BPTC_EIGHT(n), TEX_BPTC_EIGHT(n)}},
    X(0, 0) X(1, 0) X(2, 5461) X(3, 2341) X(4, 1092) X(5, 0) X(6, 0) X(7, 0) X(8, 0)
#undef X
};

/* Indices of so many bits a texel, each `width` bits wide after the anchors have their zeros back: texel 0, and where
 * there are several subsets (`others` is ones, not 0) two texels more. Adding the bits from a place up to themselves
 * moves them up by one. Undivided blocks alone have indices of 4 bits, with which the shifts would be too far. */
OPS_INLINE uint64_t tex_bptc_indices(uint64_t bits, unsigned width, const struct tex_bptc_partition *partition,
                                     uint64_t others)
{
    const unsigned second = partition->anchor[0] * width + width - 1, third = partition->anchor[1] * width + width - 1;
    bits += bits & UINT64_MAX << (width - 1);
    bits += bits & UINT64_MAX << (second & 63u) & others;
    return bits + (bits & UINT64_MAX << (third & 63u) & others);
}

/* The weights of SCH_LANES texels from `first` on, 0 to 64: 64 * index / (2^width - 1), to the nearest (the tables
 * aWeight2 to aWeight4). */
OPS_INLINE vu32 tex_bptc_weights(uint64_t indices, unsigned width, unsigned first)
{
    const struct tex_bptc_width *of_width = &tex_bptc_widths[width];
    const vu32 low = v_splat_u32((uint32_t)indices), high = v_splat_u32((uint32_t)(indices >> 8 * width));
    const vu32 word = v_select_u32((vi32)(v_lane_i32() + (int32_t)first < 8), low, high);
    const vu32 index = word >> v_load_u8(of_width->at + first) & of_width->mask;
    return (v_mul_halves_u32(index, v_splat_u32(of_width->step)) + 128u) >> 8;
}

/* Twice their subsets. */
OPS_INLINE vi32 tex_bptc_subsets(const struct tex_bptc_partition *partition, unsigned first)
{
    const vi32 texel = v_lane_i32() + (int32_t)first;
    const vu32 subset = v_splat_u32(partition->subset) >> (vu32)(texel + texel) & 3u;
    return (vi32)(subset + subset);
}

/* Entry first + twice[i] of a table for each texel. The table has whole vectors; its three entries are in one. */
OPS_INLINE vu32 tex_bptc_pick(const uint32_t *table, unsigned first, vi32 twice)
{
#if defined(V_PERMUTE)
    return v_permute_u32(v_load_u32(table + first / SCH_LANES * SCH_LANES), twice + (int32_t)(first % SCH_LANES));
#else
    const vu32 two = v_select_u32((vi32)(twice == 2), v_splat_u32(table[first + 2]), v_splat_u32(table[first]));
    return v_select_u32((vi32)(twice == 4), v_splat_u32(table[first + 4]), two);
#endif
}

/* ---- BC7 ---- */

/* The table of modes: number; subsets; bits of partition, rotation, index selection; bits of an endpoint's colour and
 * alpha; P-bits of each endpoint, of each subset; bits of an index, of a secondary index. */
#define TEX_BC7_MODES(X)                                                                                               \
    X(0, 3, 4, 0, 0, 4, 0, 1, 0, 3, 0)                                                                                 \
    X(1, 2, 6, 0, 0, 6, 0, 0, 1, 3, 0)                                                                                 \
    X(2, 3, 6, 0, 0, 5, 0, 0, 0, 2, 0)                                                                                 \
    X(3, 2, 6, 0, 0, 7, 0, 1, 0, 2, 0)                                                                                 \
    X(4, 1, 0, 2, 1, 5, 6, 0, 0, 2, 3)                                                                                 \
    X(5, 1, 0, 2, 0, 7, 8, 0, 0, 2, 2)                                                                                 \
    X(6, 1, 0, 0, 0, 7, 7, 1, 0, 4, 0)                                                                                 \
    X(7, 2, 6, 0, 0, 5, 5, 1, 0, 2, 0)

/* n bits v become the 8 bits that begin with them and repeat: the upper byte of the 16 bits v * TEX_BC7_SCALE(n). With
 * a P-bit v is twice the field plus the bit: one factor for the field, one for the bit. */
#define TEX_BC7_SCALE(n)          ((1 << (16 - (n))) + (1 << (16 - 2 * (n))))
#define TEX_BC7_HALVES(low, high) ((uint32_t)(low) | (uint32_t)(high) << 16)

/* What follows from a row. Fields follow each other in this order after the mode's bits; an endpoint's reds are those
 * of all endpoints, then come all greens. Alpha that a mode does not have is eight ones. */
enum {
#define X(mode, ns, pb, rb, isb, cb, ab, epb, spb, ib, ib2)                                                            \
    TEX_BC7_PARTITION_##mode = mode + 1, TEX_BC7_ROTATION_##mode = TEX_BC7_PARTITION_##mode + pb,                      \
    TEX_BC7_SELECT_##mode = TEX_BC7_ROTATION_##mode + rb, TEX_BC7_RED_##mode = TEX_BC7_SELECT_##mode + isb,            \
    TEX_BC7_GREEN_##mode = TEX_BC7_RED_##mode + 2 * ns * cb, TEX_BC7_BLUE_##mode = TEX_BC7_GREEN_##mode + 2 * ns * cb, \
    TEX_BC7_ALPHA_##mode = TEX_BC7_BLUE_##mode + 2 * ns * cb, TEX_BC7_P_##mode = TEX_BC7_ALPHA_##mode + 2 * ns * ab,   \
    TEX_BC7_INDEX_##mode = TEX_BC7_P_##mode + 2 * ns * epb + ns * spb,                                                 \
    TEX_BC7_SECOND_##mode = TEX_BC7_INDEX_##mode + (ib2 ? 16 * ib - ns : 0),                                           \
    TEX_BC7_COLOR_P_SCALE_##mode = (epb + spb) * TEX_BC7_SCALE(cb + epb + spb),                                        \
    TEX_BC7_COLOR_SCALE_##mode = TEX_BC7_SCALE(cb + epb + spb) << (epb + spb),                                         \
    TEX_BC7_ALPHA_P_SCALE_##mode = ab ? epb * TEX_BC7_SCALE(ab + epb) : 0,                                             \
    TEX_BC7_ALPHA_SCALE_##mode = ab ? TEX_BC7_SCALE(ab + epb) << epb : TEX_BC7_SCALE(8),
    TEX_BC7_MODES(X)
#undef X
};

/* A row, ready for use. Modes without secondary indices read the primary ones twice. */
struct tex_bc7_mode {
    uint8_t partitions, partition_at, partition_mask, rotation_at, rotation_mask, select_at, select_mask;
    uint8_t color_bits, alpha_bits, shared_p, width[2];
    struct tex_place red, green, blue, alpha, p, index[2];
    uint32_t opaque;               /* what is at alpha's place becomes ones by it */
    uint32_t scale[2], scale_p[2]; /* of fields and P-bits: red below blue, green below alpha */
    uint64_t divided;              /* ones: there are several subsets */
};
static const struct tex_bc7_mode tex_bc7_modes[8] __attribute__((unused)) = {
#define X(mode, ns, pb, rb, isb, cb, ab, epb, spb, ib, ib2)                                                            \
    {.partitions = TEX_BPTC_OF_##ns,                                                                                   \
     .partition_at = TEX_BC7_PARTITION_##mode,                                                                         \
     .partition_mask = (1 << pb) - 1,                                                                                  \
     .rotation_at = TEX_BC7_ROTATION_##mode,                                                                           \
     .rotation_mask = (1 << rb) - 1,                                                                                   \
     .select_at = TEX_BC7_SELECT_##mode,                                                                               \
     .select_mask = isb,                                                                                               \
     .color_bits = cb,                                                                                                 \
     .alpha_bits = ab ? ab : 8,                                                                                        \
     .shared_p = spb,                                                                                                  \
     .width = {ib, ib2 ? ib2 : ib},                                                                                    \
     .red = TEX_PLACE(TEX_BC7_RED_##mode),                                                                             \
     .green = TEX_PLACE(TEX_BC7_GREEN_##mode),                                                                         \
     .blue = TEX_PLACE(TEX_BC7_BLUE_##mode),                                                                           \
     .alpha = TEX_PLACE(TEX_BC7_ALPHA_##mode),                                                                         \
     .p = TEX_PLACE(TEX_BC7_P_##mode),                                                                                 \
     .index = {TEX_PLACE(TEX_BC7_INDEX_##mode), TEX_PLACE(TEX_BC7_SECOND_##mode)},                                     \
     .opaque = ab ? 0 : UINT32_MAX,                                                                                    \
     .scale = {TEX_BC7_HALVES(TEX_BC7_COLOR_SCALE_##mode, TEX_BC7_COLOR_SCALE_##mode),                                 \
               TEX_BC7_HALVES(TEX_BC7_COLOR_SCALE_##mode, TEX_BC7_ALPHA_SCALE_##mode)},                                \
     .scale_p = {TEX_BC7_HALVES(TEX_BC7_COLOR_P_SCALE_##mode, TEX_BC7_COLOR_P_SCALE_##mode),                           \
                 TEX_BC7_HALVES(TEX_BC7_COLOR_P_SCALE_##mode, TEX_BC7_ALPHA_P_SCALE_##mode)},                          \
     .divided = ns > 1 ? UINT64_MAX : 0},
    TEX_BC7_MODES(X)
#undef X
};

/* Endpoints 2 * i and 2 * i + 1 are of subset i. In entry 2 * i, two channels in the halves of a word: 64 times the
 * first endpoint plus 32, and the second endpoint less the first. First red and blue, then green and alpha. */
enum { TEX_BC7_SLOTS = SCH_LANES > 8 ? SCH_LANES : 8 };
struct tex_bc7_endpoints {
    uint32_t base[2][TEX_BC7_SLOTS], step[2][TEX_BC7_SLOTS];
};

OPS_INLINE void tex_bc7_endpoints(const uint32_t block[4], const struct tex_bc7_mode *mode,
                                  struct tex_bc7_endpoints *endpoints)
{
    static const uint8_t p_up[2][16] = {{31, 30, 29, 28, 27, 26}, {31, 31, 30, 30}}; /* to the sign */
    const struct tex_bptc_width *colors = &tex_bptc_widths[mode->color_bits];
    const struct tex_bptc_width *alphas = &tex_bptc_widths[mode->alpha_bits];
    const vu32 red = v_splat_u32((uint32_t)tex_bits(block, mode->red));
    const vu32 green = v_splat_u32((uint32_t)tex_bits(block, mode->green));
    const vu32 blue = v_splat_u32((uint32_t)tex_bits(block, mode->blue));
    const vu32 alpha = v_splat_u32((uint32_t)tex_bits(block, mode->alpha) | mode->opaque);
    const vu32 p = v_splat_u32((uint32_t)tex_bits(block, mode->p));
    for (unsigned v = 0; v < TEX_BC7_SLOTS; v += SCH_LANES) {
        const vu32 at = v_load_u8(colors->at + v), alpha_at = v_load_u8(alphas->at + v);
        const vu32 has_p = (vu32)((vi32)(p << v_load_u8(p_up[mode->shared_p] + v)) >> 31);
        vu32 pair[2];
        pair[0] = (red >> at & colors->mask) | (blue >> at & colors->mask) << 16;
        pair[1] = (green >> at & colors->mask) | (alpha >> alpha_at & alphas->mask) << 16;
        V_UNROLL
        for (unsigned i = 0; i < 2; i++) {
            const vu32 wide = v_mul_halves_u32(pair[i], v_splat_u32(mode->scale[i])) + (has_p & mode->scale_p[i]);
            const vu32 code = v_shr_halves_u32(wide, 8), next = (vu32)v_quad_1032_i32((vi32)code);
            v_store_u32(endpoints->base[i] + v, (code << 6) + 0x00200020u);
            v_store_u32(endpoints->step[i] + v, v_sub_halves_u32(next, code));
        }
    }
}

/* Two channels of SCH_LANES texels, 8 bits in each half of a word. */
OPS_INLINE vu32 tex_bc7_channels(const struct tex_bc7_endpoints *endpoints, unsigned i, vi32 twice, vu32 weights)
{
    const vu32 base = tex_bptc_pick(endpoints->base[i], 0, twice), step = tex_bptc_pick(endpoints->step[i], 0, twice);
    return v_shr_halves_u32(v_add_halves_u32(base, v_mul_halves_u32(step, weights)), 6);
}

/* R | G << 8 | B << 16 | A << 24 of the 16 texels, row by row. A block without a mode is zeros, its alpha too (Direct3D
 * 19.5.14.4.8; the Data Format allows an alpha of one as well). */
OPS_INLINE void tex_bc7_tile(const uint32_t block[4], uint32_t texel[16])
{
    const uint32_t header = block[0];
    if (!(header & 0xffu)) {
        for (unsigned v = 0; v < 16; v += SCH_LANES) v_store_u32(texel + v, v_splat_u32(0));
        return;
    }
    const struct tex_bc7_mode *mode = &tex_bc7_modes[__builtin_ctz(header)];
    const struct tex_bptc_partition *partition =
        &tex_bptc_partitions[mode->partitions + (header >> mode->partition_at & mode->partition_mask)];
    struct tex_bc7_endpoints endpoints;
    tex_bc7_endpoints(block, mode, &endpoints);

    /* The primary indices are the colours', the secondary ones alpha's, or the other way round. */
    const bool swapped = header >> mode->select_at & mode->select_mask;
    const unsigned widths[2] = {mode->width[0], mode->width[1]};
    const uint64_t first = tex_bptc_indices(tex_bits(block, mode->index[0]), widths[0], partition, mode->divided);
    const uint64_t second = tex_bptc_indices(tex_bits(block, mode->index[1]), widths[1], partition, mode->divided);
    const uint64_t colors = swapped ? second : first, alphas = swapped ? first : second;
    const unsigned color_width = widths[swapped], alpha_width = widths[!swapped];

    /* Rotation n exchanges alpha with channel n - 1; 0: with itself. */
    const unsigned rotated = (8 * (header >> mode->rotation_at & mode->rotation_mask) - 8) & 31u;
    for (unsigned v = 0; v < 16; v += SCH_LANES) {
        const vi32 twice = tex_bptc_subsets(partition, v);
        const vu32 color = tex_bptc_weights(colors, color_width, v);
        const vu32 alpha = tex_bptc_weights(alphas, alpha_width, v);
        const vu32 red_blue = tex_bc7_channels(&endpoints, 0, twice, color | color << 16);
        const vu32 green_alpha = tex_bc7_channels(&endpoints, 1, twice, color | alpha << 16);
        const vu32 word = red_blue | green_alpha << 8;
        const vu32 change = (word >> rotated ^ word >> 24) & 0xffu;
        v_store_u32(texel + v, word ^ (change << rotated | change << 24));
    }
}

/* ---- BC6H ---- */

/* A block has up to 12 values, number 4 * channel + endpoint. Their lower bits begin at the same bits of the block in
 * all modes that have them; the upper ones, and all bits of the fourth blue, are wherever a mode had room. Those
 * scattered bits have numbers: */
enum {
    TEX_BC6H_FIRST = 0,   /* bits 10 to 15 of the first endpoint's red, then of its green and its blue */
    TEX_BC6H_GREEN2 = 18, /* bits 4 and 5 of the third endpoint's green, and so on */
    TEX_BC6H_GREEN3 = 20,
    TEX_BC6H_BLUE2 = 22,
    TEX_BC6H_BLUE3 = 24, /* bits 0 to 5 */
};
static const struct {
    uint32_t at[16], mask[16]; /* the lower bits */
    uint32_t first[16], scattered[16], up[16];
} tex_bc6h_values __attribute__((unused)) = {
    .at = {5, 35, 65, 71, 15, 45, 41, 51, 25, 55, 61, 1, 1, 1, 1, 1},
    .mask = {1023, 1023, 63, 63, 1023, 1023, 15, 15, 1023, 1023, 15},
    .first = {TEX_BC6H_FIRST, 0, 0, 0, TEX_BC6H_FIRST + 6, 0, TEX_BC6H_GREEN2, TEX_BC6H_GREEN3, TEX_BC6H_FIRST + 12, 0,
              TEX_BC6H_BLUE2, TEX_BC6H_BLUE3},
    .scattered = {63, 0, 0, 0, 63, 0, 3, 3, 63, 0, 3, 63},
    .up = {10, 0, 0, 0, 10, 0, 4, 4, 10, 0, 4, 0},
};

/* The tables of modes: number; subsets; whether endpoints are transformed; bits of the first endpoint, of the other
 * endpoints' red, green and blue; where the scattered bits are, 0 for those that a mode does not have. */
#define TEX_BC6H_FIRSTS(red, green, blue) red, 0, 0, 0, 0, 0, green, 0, 0, 0, 0, 0, blue, 0, 0, 0, 0, 0
#define TEX_BC6H_MODES(X)                                                                                              \
    X(0, 2, 1, 10, 5, 5, 5, TEX_BC6H_FIRSTS(0, 0, 0), 2, 0, 40, 0, 3, 0, 50, 60, 70, 76, 4, 0)                         \
    X(1, 2, 1, 7, 6, 6, 6, TEX_BC6H_FIRSTS(0, 0, 0), 24, 2, 3, 4, 14, 22, 12, 13, 23, 32, 34, 33)                      \
    X(2, 2, 1, 11, 5, 4, 4, TEX_BC6H_FIRSTS(40, 49, 59), 0, 0, 0, 0, 0, 0, 50, 60, 70, 76, 0, 0)                       \
    X(6, 2, 1, 11, 4, 5, 4, TEX_BC6H_FIRSTS(39, 50, 59), 75, 0, 40, 0, 0, 0, 69, 60, 70, 76, 0, 0)                     \
    X(10, 2, 1, 11, 4, 4, 5, TEX_BC6H_FIRSTS(39, 49, 60), 0, 0, 0, 0, 40, 0, 50, 69, 70, 76, 75, 0)                    \
    X(14, 2, 1, 9, 5, 5, 5, TEX_BC6H_FIRSTS(0, 0, 0), 24, 0, 40, 0, 14, 0, 50, 60, 70, 76, 34, 0)                      \
    X(18, 2, 1, 8, 6, 5, 5, TEX_BC6H_FIRSTS(0, 0, 0), 24, 0, 13, 0, 14, 0, 50, 60, 23, 33, 34, 0)                      \
    X(22, 2, 1, 8, 5, 6, 5, TEX_BC6H_FIRSTS(0, 0, 0), 24, 23, 40, 33, 14, 0, 13, 60, 70, 76, 34, 0)                    \
    X(26, 2, 1, 8, 5, 5, 6, TEX_BC6H_FIRSTS(0, 0, 0), 24, 0, 40, 0, 14, 23, 50, 13, 70, 76, 34, 33)                    \
    X(30, 2, 0, 6, 6, 6, 6, TEX_BC6H_FIRSTS(0, 0, 0), 24, 21, 11, 31, 14, 22, 12, 13, 23, 32, 34, 33)                  \
    X(3, 1, 0, 10, 10, 10, 10, 0)                                                                                      \
    X(7, 1, 1, 11, 9, 9, 9, TEX_BC6H_FIRSTS(44, 54, 64))                                                               \
    X(11, 1, 1, 12, 8, 8, 8, 44, 43, 0, 0, 0, 0, 54, 53, 0, 0, 0, 0, 64, 63)                                           \
    X(15, 1, 1, 16, 4, 4, 4, 44, 43, 42, 41, 40, 39, 54, 53, 52, 51, 50, 49, 64, 63, 62, 61, 60, 59)

struct tex_bc6h_mode {
    uint8_t partitions, partition_mask, width; /* of indices */
    uint8_t bits;                              /* of the first endpoint */
    struct tex_place index;
    uint8_t from[32];  /* the scattered bits */
    uint32_t mask[16]; /* the values' bits */
    uint32_t others;   /* ones: the other endpoints are differences */
    uint32_t most[2];  /* the number that stands for the largest, without and with a sign */
    uint64_t divided;  /* ones: there are two subsets */
};
static const struct tex_bc6h_mode tex_bc6h_modes[] __attribute__((unused)) = {
#define TEX_BC6H_MASKS(first, other) (1 << first) - 1, (1 << other) - 1, (1 << other) - 1, (1 << other) - 1
#define X(number, ns, transformed, first, red, green, blue, ...)                                                       \
    {.partitions = TEX_BPTC_OF_##ns,                                                                                   \
     .partition_mask = ns > 1 ? 31 : 0,                                                                                \
     .width = ns > 1 ? 3 : 4,                                                                                          \
     .bits = first,                                                                                                    \
     .index = TEX_PLACE((ns > 1 ? 82 : 65)),                                                                           \
     .from = {__VA_ARGS__},                                                                                            \
     .mask = {TEX_BC6H_MASKS(first, red), TEX_BC6H_MASKS(first, green), TEX_BC6H_MASKS(first, blue)},                  \
     .others = transformed ? UINT32_MAX : 0,                                                                           \
     .most = {(1 << first) - 1, first < 16 ? (1 << (first - 1)) - 1 : INT32_MAX},                                      \
     .divided = ns > 1 ? UINT64_MAX : 0},
    TEX_BC6H_MODES(X)
#undef X
};

/* The mode of a block, which its first two bits determine, or five; NULL: a reserved one. */
OPS_INLINE const struct tex_bc6h_mode *tex_bc6h_mode(uint32_t header)
{
    static const uint8_t first[4] = {0, 1, 2, 10}, more[4] = {0, 0, 7, 7};
    const unsigned row = first[header & 3] + (header >> 2 & more[header & 3]);
    return row < sizeof tex_bc6h_modes / sizeof tex_bc6h_modes[0] ? &tex_bc6h_modes[row] : NULL;
}

/* The scattered bits, bit i where the table's number i is. */
OPS_INLINE uint32_t tex_bc6h_scattered(const uint32_t block[4], const struct tex_bc6h_mode *mode)
{
    uint32_t bits = 0;
    for (unsigned v = 0; v < 32; v += SCH_LANES) {
        const vu32 from = v_load_u8(mode->from + v);
        const vu32 word = tex_block_words(block, from >> 5);
        bits |= v_sign_bits((vi32)v_shl_u32(word, ~from)) << v; /* up by 31 - from % 32 */
    }
    return bits;
}

/* Values v to v + SCH_LANES - 1 of the block. */
OPS_INLINE vu32 tex_bc6h_value_bits(const uint32_t block[4], const struct tex_bc6h_mode *mode, uint32_t scattered,
                                    unsigned v)
{
    const vu32 at = v_load_u32(tex_bc6h_values.at + v); /* no multiple of 32 */
    const vu32 low =
        v_shr_u32(tex_block_words(block, at >> 5), at) | v_shl_u32(tex_block_words(block, (at >> 5) + 1u), -at);
    const vu32 high = v_shr_u32(v_splat_u32(scattered), v_load_u32(tex_bc6h_values.first + v)) &
                      v_load_u32(tex_bc6h_values.scattered + v);
    const vu32 all = (low & v_load_u32(tex_bc6h_values.mask + v)) | v_shl_u32(high, v_load_u32(tex_bc6h_values.up + v));
    return all & v_load_u32(mode->mask + v);
}

/* Sign extension and the inverse of the transformation (19.5.13.6 and 19.5.13.7). Sums wrap, so that the signs of the
 * first endpoint and of values that are not differences are extended with those of the sums. */
OPS_INLINE vi32 tex_bc6h_sums(vu32 value, const struct tex_bc6h_mode *mode, vu32 mask, bool is_signed)
{
    const vu32 others = (vu32)((v_lane_i32() & 3) != 0) & mode->others;
    const vu32 sign = (mask + 1u) >> 1 & others;
    const vu32 difference = (value ^ sign) - sign;
    const vu32 first = (vu32)v_quad_0000_i32((vi32)value) & others;
    const uint32_t all = (1u << mode->bits) - 1, top = is_signed ? 1u << (mode->bits - 1) : 0;
    const vu32 sum = (difference + first) & all;
    return (vi32)((sum ^ top) - top);
}

/* Unquantize (19.5.13.9). With 16 bits the quotient is the number itself. */
OPS_INLINE vi32 tex_bc6h_unquantized(vi32 value, const struct tex_bc6h_mode *mode, bool is_signed)
{
    const vi32 sign = value >> 31, size = (value ^ sign) - sign;
    const vu32 quotient = (((vu32)size << 15) + 0x4000u) >> (mode->bits - 1u);
    const vi32 wide = v_select_i32((vi32)(size >= (int32_t)mode->most[is_signed]),
                                   v_splat_i32(is_signed ? 0x7fff : 0xffff), (vi32)quotient & (vi32)(size != 0));
    return (wide ^ sign) - sign;
}

/* Entry 4 * channel + 2 * i: the channel's two endpoints of subset i, as halves of a word; less 2^15 where there are no
 * signs, so that products of signed halves do. */
OPS_INLINE void tex_bc6h_endpoints(const uint32_t block[4], const struct tex_bc6h_mode *mode, bool is_signed,
                                   uint32_t pair[16])
{
    const uint32_t scattered = tex_bc6h_scattered(block, mode);
    for (unsigned v = 0; v < 12; v += SCH_LANES) {
        const vu32 bits = tex_bc6h_value_bits(block, mode, scattered, v);
        const vi32 value = tex_bc6h_sums(bits, mode, v_load_u32(mode->mask + v), is_signed);
        const vi32 wide = tex_bc6h_unquantized(value, mode, is_signed);
        const vu32 both = ((vu32)wide & 0xffffu) | (vu32)v_quad_1032_i32(wide) << 16;
        v_store_u32(pair + v, is_signed ? both : both ^ 0x80008000u);
    }
}

/* A channel at the texels' weights, in the lower half of words (19.5.13.8 and 19.5.13.10). What scaling makes 0 of a
 * negative number is +0: Direct3D takes the sign after it, the Data Format before it. */
OPS_INLINE vu32 tex_bc6h_channel(const uint32_t pair[16], unsigned channel, vi32 twice, vu32 weights, bool is_signed)
{
    const vi32 sum = v_dot_halves_i32(tex_bptc_pick(pair, 4 * channel, twice), weights);
    if (!is_signed) {
        const vi32 value = (sum + ((64 << 15) + 32)) >> 6;
        return (vu32)((value << 5) - value) >> 6;
    }
    const vi32 value = (sum + 32) >> 6, sign = value >> 31, size = (value ^ sign) - sign;
    const vi32 scaled = ((size << 5) - size) >> 5;
    return (vu32)(scaled | (sign & (vi32)(scaled != 0) & 0x8000));
}

/* The halves R | G << 16, and B | 1.0 << 16, of the 16 texels, row by row. A block of a reserved mode is 0, 0, 0, 1. */
OPS_INLINE void tex_bc6h_tile(const uint32_t block[4], bool is_signed, uint32_t red_green[16], uint32_t blue_alpha[16])
{
    const struct tex_bc6h_mode *mode = tex_bc6h_mode(block[0]);
    if (!mode) {
        for (unsigned v = 0; v < 16; v += SCH_LANES) {
            v_store_u32(red_green + v, v_splat_u32(0));
            v_store_u32(blue_alpha + v, v_splat_u32(0x3c000000u));
        }
        return;
    }
    static const struct tex_place partition_at = TEX_PLACE(77);
    const struct tex_bptc_partition *partition =
        &tex_bptc_partitions[mode->partitions + (tex_bits(block, partition_at) & mode->partition_mask)];
    const uint64_t indices = tex_bptc_indices(tex_bits(block, mode->index), mode->width, partition, mode->divided);
    uint32_t pair[16];
    tex_bc6h_endpoints(block, mode, is_signed, pair);
    for (unsigned v = 0; v < 16; v += SCH_LANES) {
        const vi32 twice = tex_bptc_subsets(partition, v);
        const vu32 weight = tex_bptc_weights(indices, mode->width, v), weights = (64u - weight) | weight << 16;
        const vu32 red = tex_bc6h_channel(pair, 0, twice, weights, is_signed);
        const vu32 green = tex_bc6h_channel(pair, 1, twice, weights, is_signed);
        const vu32 blue = tex_bc6h_channel(pair, 2, twice, weights, is_signed);
        v_store_u32(red_green + v, red | green << 16);
        v_store_u32(blue_alpha + v, blue | 0x3c000000u);
    }
}

#endif
