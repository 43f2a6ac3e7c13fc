/* See bptc_reference.h. In the order of the specification's own steps; nothing here is shared with src/ops. */
#include "bptc_reference.h"

#include <stddef.h>
#include <string.h>

/* ---- tables of ARB_texture_compression_bptc ---- */

/* Table.P2 and Table.P3. */
static const char p2[64][17] = {
    "0011001100110011", "0001000100010001", "0111011101110111", "0001001100110111", "0000000100010011",
    "0011011101111111", "0001001101111111", "0000000100110111", "0000000000010011", "0011011111111111",
    "0000000101111111", "0000000000010111", "0001011111111111", "0000000011111111", "0000111111111111",
    "0000000000001111", "0000100011101111", "0111000100000000", "0000000010001110", "0111001100010000",
    "0011000100000000", "0000100011001110", "0000000010001100", "0111001100110001", "0011000100010000",
    "0000100010001100", "0110011001100110", "0011011001101100", "0001011111101000", "0000111111110000",
    "0111000110001110", "0011100110011100", "0101010101010101", "0000111100001111", "0101101001011010",
    "0011001111001100", "0011110000111100", "0101010110101010", "0110100101101001", "0101101010100101",
    "0111001111001110", "0001001111001000", "0011001001001100", "0011101111011100", "0110100110010110",
    "0011110011000011", "0110011010011001", "0000011001100000", "0100111001000000", "0010011100100000",
    "0000001001110010", "0000010011100100", "0110110010010011", "0011011011001001", "0110001110011100",
    "0011100111000110", "0110110011001001", "0110001100111001", "0111111010000001", "0001100011100111",
    "0000111100110011", "0011001111110000", "0010001011101110", "0100010001110111",
};
static const char p3[64][17] = {
    "0011001102212222", "0001001122112221", "0000200122112211", "0222002200110111", "0000000011221122",
    "0011001100220022", "0022002211111111", "0011001122112211", "0000000011112222", "0000111111112222",
    "0000111122222222", "0012001200120012", "0112011201120112", "0122012201220122", "0011011211221222",
    "0011200122002220", "0001001101121122", "0111001120012200", "0000112211221122", "0022002200221111",
    "0111011102220222", "0001000122212221", "0000001101220122", "0000110022102210", "0122012200110000",
    "0012001211222222", "0110122112210110", "0000011012211221", "0022110211020022", "0110011020022222",
    "0011012201220011", "0000200022112221", "0000000211221222", "0222002200120011", "0011001200220222",
    "0120012001200120", "0000111122220000", "0120120120120120", "0120201212010120", "0011220011220011",
    "0011112222000011", "0101010122222222", "0000000021212121", "0022112200221122", "0022001100220011",
    "0220122102201221", "0101222222220101", "0000212121212121", "0101010101012222", "0222011102220111",
    "0002111200021112", "0000211221122112", "0222011101110222", "0002111211120002", "0110011001102222",
    "0000000021122112", "0110011022222222", "0022001100110022", "0022112211220022", "0000000000002112",
    "0002000100020001", "0222122202221222", "0101222222222222", "0111201122012220",
};
/* clang-format off */
/* Table.A2, Table.A3a, Table.A3b. */
static const uint8_t a2[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15,  2,  8,  2,  2,  8,  8, 15,  2,  8,  2,  2,  8,  8,  2,  2,
    15, 15,  6,  8,  2,  8, 15, 15,  2,  8,  2,  2,  2, 15, 15,  6,
     6,  2,  6,  8, 15, 15,  2,  2, 15, 15, 15, 15, 15,  2,  2, 15,
};
static const uint8_t a3a[64] = {
     3,  3, 15, 15,  8,  3, 15, 15,  8,  8,  6,  6,  6,  5,  3,  3,
     3,  3,  8, 15,  3,  3,  6, 10,  5,  8,  8,  6,  8,  5, 15, 15,
     8, 15,  3,  5,  6, 10,  8, 15, 15,  3, 15,  5, 15, 15, 15, 15,
     3, 15,  5,  5,  5,  8,  5, 10,  5, 10,  8, 13, 15, 12,  3,  3,
};
static const uint8_t a3b[64] = {
    15,  8,  8,  3, 15, 15,  3,  8, 15, 15, 15, 15, 15, 15, 15,  8,
    15,  8, 15,  3, 15,  8, 15,  8,  3, 15,  6, 10, 15, 15, 10,  8,
    15,  3, 15, 10, 10,  8,  9, 10,  6, 15,  8, 15,  3,  6,  6,  8,
    15,  3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,  3, 15, 15,  8,
};
/* clang-format on */

/* Table.M. */
static const struct {
    unsigned ns, pb, rb, isb, cb, ab, epb, spb, ib, ib2;
} table_m[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

/* clang-format off */
/* Table.MF and Table.F. */
static const struct float_mode {
    int mn;
    bool tr;
    unsigned pb, epb, delta[3];
    const char *format;
} table_mf[14] = {
    {0, true, 5, 10, {5, 5, 5},
     "m[1:0],g2[4],b2[4],b3[4],r0[9:0],g0[9:0],b0[9:0],r1[4:0],g3[4],g2[3:0],g1[4:0],b3[0],g3[3:0],"
     "b1[4:0],b3[1],b2[3:0],r2[4:0],b3[2],r3[4:0],b3[3]"},
    {1, true, 5, 7, {6, 6, 6},
     "m[1:0],g2[5],g3[4],g3[5],r0[6:0],b3[0],b3[1],b2[4],g0[6:0],b2[5],b3[2],g2[4],b0[6:0],b3[3],"
     "b3[5],b3[4],r1[5:0],g2[3:0],g1[5:0],g3[3:0],b1[5:0],b2[3:0],r2[5:0],r3[5:0]"},
    {2, true, 5, 11, {5, 4, 4},
     "m[4:0],r0[9:0],g0[9:0],b0[9:0],r1[4:0],r0[10],g2[3:0],g1[3:0],g0[10],b3[0],g3[3:0],b1[3:0],"
     "b0[10],b3[1],b2[3:0],r2[4:0],b3[2],r3[4:0],b3[3]"},
    {6, true, 5, 11, {4, 5, 4},
     "m[4:0],r0[9:0],g0[9:0],b0[9:0],r1[3:0],r0[10],g3[4],g2[3:0],g1[4:0],g0[10],g3[3:0],b1[3:0],"
     "b0[10],b3[1],b2[3:0],r2[3:0],b3[0],b3[2],r3[3:0],g2[4],b3[3]"},
    {10, true, 5, 11, {4, 4, 5},
     "m[4:0],r0[9:0],g0[9:0],b0[9:0],r1[3:0],r0[10],b2[4],g2[3:0],g1[3:0],g0[10],b3[0],g3[3:0],"
     "b1[4:0],b0[10],b2[3:0],r2[3:0],b3[1],b3[2],r3[3:0],b3[4],b3[3]"},
    {14, true, 5, 9, {5, 5, 5},
     "m[4:0],r0[8:0],b2[4],g0[8:0],g2[4],b0[8:0],b3[4],r1[4:0],g3[4],g2[3:0],g1[4:0],b3[0],g3[3:0],"
     "b1[4:0],b3[1],b2[3:0],r2[4:0],b3[2],r3[4:0],b3[3]"},
    {18, true, 5, 8, {6, 5, 5},
     "m[4:0],r0[7:0],g3[4],b2[4],g0[7:0],b3[2],g2[4],b0[7:0],b3[3],b3[4],r1[5:0],g2[3:0],g1[4:0],"
     "b3[0],g3[3:0],b1[4:0],b3[1],b2[3:0],r2[5:0],r3[5:0]"},
    {22, true, 5, 8, {5, 6, 5},
     "m[4:0],r0[7:0],b3[0],b2[4],g0[7:0],g2[5],g2[4],b0[7:0],g3[5],b3[4],r1[4:0],g3[4],g2[3:0],"
     "g1[5:0],g3[3:0],b1[4:0],b3[1],b2[3:0],r2[4:0],b3[2],r3[4:0],b3[3]"},
    {26, true, 5, 8, {5, 5, 6},
     "m[4:0],r0[7:0],b3[1],b2[4],g0[7:0],b2[5],g2[4],b0[7:0],b3[5],b3[4],r1[4:0],g3[4],g2[3:0],"
     "g1[4:0],b3[0],g3[3:0],b1[5:0],b2[3:0],r2[4:0],b3[2],r3[4:0],b3[3]"},
    {30, false, 5, 6, {6, 6, 6},
     "m[4:0],r0[5:0],g3[4],b3[0],b3[1],b2[4],g0[5:0],g2[5],b2[5],b3[2],g2[4],b0[5:0],g3[5],b3[3],"
     "b3[5],b3[4],r1[5:0],g2[3:0],g1[5:0],g3[3:0],b1[5:0],b2[3:0],r2[5:0],r3[5:0]"},
    {3, false, 0, 10, {10, 10, 10},
     "m[4:0],r0[9:0],g0[9:0],b0[9:0],r1[9:0],g1[9:0],b1[9:0]"},
    {7, true, 0, 11, {9, 9, 9},
     "m[4:0],r0[9:0],g0[9:0],b0[9:0],r1[8:0],r0[10],g1[8:0],g0[10],b1[8:0],b0[10]"},
    {11, true, 0, 12, {8, 8, 8},
     "m[4:0],r0[9:0],g0[9:0],b0[9:0],r1[7:0],r0[10:11],g1[7:0],g0[10:11],b1[7:0],b0[10:11]"},
    {15, true, 0, 16, {4, 4, 4},
     "m[4:0],r0[9:0],g0[9:0],b0[9:0],r1[3:0],r0[10:15],g1[3:0],g0[10:15],b1[3:0],b0[10:15]"},
};
/* clang-format on */

/* ---- what both have ---- */

static unsigned bit_at(const uint8_t block[16], unsigned at) { return block[at / 8] >> at % 8 & 1u; }

static unsigned bits_at(const uint8_t block[16], unsigned at, unsigned count)
{
    unsigned value = 0;
    for (unsigned i = 0; i < count; i++) value |= bit_at(block, at + i) << i;
    return value;
}

static unsigned subset_of(unsigned subsets, unsigned partition, unsigned texel)
{
    if (subsets == 1) return 0;
    return (unsigned)((subsets == 2 ? p2 : p3)[partition][texel] - '0');
}

static bool is_anchor(unsigned subsets, unsigned partition, unsigned texel)
{
    if (texel == 0) return true;
    if (subsets == 2) return texel == a2[partition];
    return subsets == 3 && (texel == a3a[partition] || texel == a3b[partition]);
}

/* The index of a texel among those that begin at a bit: one after the other, an anchor's has a bit less. */
static unsigned index_of(const uint8_t block[16], unsigned at, unsigned bits, unsigned subsets, unsigned partition,
                         unsigned texel)
{
    for (unsigned i = 0; i < texel; i++) at += is_anchor(subsets, partition, i) ? bits - 1 : bits;
    return bits_at(block, at, is_anchor(subsets, partition, texel) ? bits - 1 : bits);
}

static int weight_of(unsigned index, unsigned bits)
{
    static const uint8_t weight2[] = {0, 21, 43, 64}, weight3[] = {0, 9, 18, 27, 37, 46, 55, 64};
    static const uint8_t weight4[] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
    return bits == 2 ? weight2[index] : bits == 3 ? weight3[index] : weight4[index];
}

static int interpolate(int e0, int e1, unsigned index, unsigned bits)
{
    const int weight = weight_of(index, bits);
    return ((64 - weight) * e0 + weight * e1 + 32) >> 6;
}

/* ---- BC7 ---- */

struct fixed_block {
    unsigned mode, partition, rotation, selection;
    unsigned endpoint[6][4];
    unsigned primary, secondary; /* where indices begin */
};

/* Reads the fields in their order. Colors are stored first by endpoint, then by subset, then by color. */
static void extract(const uint8_t block[16], struct fixed_block *b)
{
    const unsigned subsets = table_m[b->mode].ns, endpoints = 2 * subsets, p_bits = table_m[b->mode].epb;
    unsigned at = b->mode + 1;
    b->partition = bits_at(block, at, table_m[b->mode].pb), at += table_m[b->mode].pb;
    b->rotation = bits_at(block, at, table_m[b->mode].rb), at += table_m[b->mode].rb;
    b->selection = bits_at(block, at, table_m[b->mode].isb), at += table_m[b->mode].isb;
    for (unsigned c = 0; c < 4; c++) {
        const unsigned bits = c < 3 ? table_m[b->mode].cb : table_m[b->mode].ab;
        for (unsigned e = 0; e < endpoints; e++, at += bits) b->endpoint[e][c] = bits_at(block, at, bits);
    }
    for (unsigned e = 0; p_bits && e < endpoints; e++, at++)
        for (unsigned c = 0; c < 4; c++) b->endpoint[e][c] = b->endpoint[e][c] << 1 | bit_at(block, at);
    for (unsigned s = 0; table_m[b->mode].spb && s < subsets; s++, at++)
        for (unsigned e = 2 * s; e < 2 * s + 2; e++)
            for (unsigned c = 0; c < 4; c++) b->endpoint[e][c] = b->endpoint[e][c] << 1 | bit_at(block, at);
    b->primary = at;
    b->secondary = at + 16 * table_m[b->mode].ib - subsets;
}

/* Moves the highest bit to bit 7 and repeats the highest bits below. */
static void fully_decode_endpoints(struct fixed_block *b)
{
    const unsigned p = table_m[b->mode].epb + table_m[b->mode].spb;
    for (unsigned e = 0; e < 2 * table_m[b->mode].ns; e++) {
        for (unsigned c = 0; c < 4; c++) {
            const unsigned precision = (c < 3 ? table_m[b->mode].cb : table_m[b->mode].ab) + p;
            const unsigned value = b->endpoint[e][c] << (8 - precision);
            b->endpoint[e][c] = value | value >> precision;
        }
        if (table_m[b->mode].ab == 0) b->endpoint[e][3] = 255;
    }
}

static void decompress(const uint8_t block[16], const struct fixed_block *b, unsigned texel, uint8_t output[4])
{
    const unsigned subsets = table_m[b->mode].ns, ib = table_m[b->mode].ib, ib2 = table_m[b->mode].ib2;
    const unsigned *start = b->endpoint[2 * subset_of(subsets, b->partition, texel)], *end = start + 4;
    const bool color_second = table_m[b->mode].isb && b->selection;
    const bool alpha_second = ib2 && !color_second;
    const unsigned first = index_of(block, b->primary, ib, subsets, b->partition, texel);
    const unsigned second = ib2 ? index_of(block, b->secondary, ib2, subsets, b->partition, texel) : 0;
    for (unsigned c = 0; c < 4; c++) {
        const bool use_second = c < 3 ? color_second : alpha_second;
        output[c] =
            (uint8_t)interpolate((int)start[c], (int)end[c], use_second ? second : first, use_second ? ib2 : ib);
    }
    if (b->rotation) {
        const uint8_t alpha = output[3];
        output[3] = output[b->rotation - 1];
        output[b->rotation - 1] = alpha;
    }
}

void bptc_reference_bc7(const uint8_t block[16], uint8_t texel[16][4], struct bptc_visit *visit)
{
    struct fixed_block b = {.mode = 0};
    while (b.mode < 8 && !bit_at(block, b.mode)) b.mode++;
    if (b.mode == 8) { /* "an all 0 block will be returned" */
        memset(texel, 0, 64);
        *visit = (struct bptc_visit){.mode = -1};
        return;
    }
    extract(block, &b);
    fully_decode_endpoints(&b);
    for (unsigned i = 0; i < 16; i++) decompress(block, &b, i, texel[i]);
    *visit = (struct bptc_visit){(int)b.mode, b.partition, b.rotation, b.selection};
}

/* ---- BC6H ---- */

struct float_block {
    const struct float_mode *mode;
    bool is_signed;
    unsigned partition, indices;
    int endpoint[4][3]; /* r0, g0, b0 and so on: endpt[0].A, endpt[0].B, endpt[1].A, endpt[1].B */
};

static unsigned number_in(const char **text)
{
    unsigned number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) number = 10 * number + (unsigned)(**text - '0');
    return number;
}

/* Reads the fields that a row of Table.F names, lowest bit of the block first: v[a:b] are bits b to a of v, and where a
 * is less than b in the reverse order. */
static unsigned read_format(const uint8_t block[16], const char *text, int endpoint[4][3])
{
    unsigned at = 0;
    for (;;) {
        const char name = *text++;
        const unsigned which = number_in(&text), ignored = 3;
        text++; /* [ */
        const unsigned a = number_in(&text);
        const unsigned b = *text == ':' ? (text++, number_in(&text)) : a;
        text++; /* ] */
        const unsigned channel = name == 'r' ? 0 : name == 'g' ? 1 : name == 'b' ? 2 : ignored;
        for (unsigned i = 0; i <= (a >= b ? a - b : b - a); i++, at++)
            if (channel != ignored) endpoint[which][channel] |= (int)(bit_at(block, at) << (a >= b ? b + i : b - i));
        if (*text++ != ',') return at;
    }
}

static int sign_extend(int value, unsigned bits) { return value & 1 << (bits - 1) ? value - (1 << bits) : value; }

static void sign_extend_all(struct float_block *b)
{
    for (unsigned c = 0; c < 3; c++) {
        if (b->is_signed) b->endpoint[0][c] = sign_extend(b->endpoint[0][c], b->mode->epb);
        for (unsigned e = 1; e < 4; e++)
            if (b->mode->tr || b->is_signed) b->endpoint[e][c] = sign_extend(b->endpoint[e][c], b->mode->delta[c]);
    }
}

static void transform_inverse(struct float_block *b)
{
    const unsigned p = b->mode->epb;
    for (unsigned e = 1; b->mode->tr && e < 4; e++)
        for (unsigned c = 0; c < 3; c++) {
            const unsigned sum = (unsigned)b->endpoint[0][c] + (unsigned)b->endpoint[e][c];
            b->endpoint[e][c] = (int)(sum & ((1u << p) - 1));
            if (b->is_signed) b->endpoint[e][c] = sign_extend(b->endpoint[e][c], p);
        }
}

static int unquantize(int comp, unsigned bits, bool is_signed)
{
    int unq;
    bool s = false;
    if (!is_signed) {
        if (bits >= 15) return comp;
        if (comp == 0) return 0;
        if (comp == (1 << bits) - 1) return 0xffff;
        return ((comp << 16) + 0x8000) >> bits;
    }
    if (bits >= 16) return comp;
    if (comp < 0) s = true, comp = -comp;
    if (comp == 0)
        unq = 0;
    else if (comp >= (1 << (bits - 1)) - 1)
        unq = 0x7fff;
    else
        unq = ((comp << 15) + 0x4000) >> (bits - 1);
    return s ? -unq : unq;
}

static uint16_t finish_unquantize(int comp, bool is_signed)
{
    if (!is_signed) return (uint16_t)((comp * 31) >> 6);
    comp = comp < 0 ? -((-comp * 31) >> 5) : (comp * 31) >> 5;
    return comp < 0 ? (uint16_t)(0x8000 | -comp) : (uint16_t)comp;
}

static void decompress_float(const uint8_t block[16], const struct float_block *b, unsigned texel, uint16_t output[4])
{
    const unsigned subsets = b->mode->pb ? 2 : 1, bits = b->mode->pb ? 3 : 4;
    const unsigned region = subset_of(subsets, b->partition, texel);
    const unsigned index = index_of(block, b->indices, bits, subsets, b->partition, texel);
    for (unsigned c = 0; c < 3; c++) {
        const int first = unquantize(b->endpoint[2 * region][c], b->mode->epb, b->is_signed);
        const int second = unquantize(b->endpoint[2 * region + 1][c], b->mode->epb, b->is_signed);
        output[c] = finish_unquantize(interpolate(first, second, index, bits), b->is_signed);
    }
    output[3] = 0x3c00;
}

void bptc_reference_bc6h(const uint8_t block[16], bool is_signed, uint16_t texel[16][4], struct bptc_visit *visit)
{
    struct float_block b = {.is_signed = is_signed};
    const unsigned low = bits_at(block, 0, 2), number = low < 2 ? low : bits_at(block, 0, 5);
    for (unsigned m = 0; m < 14; m++)
        if (table_mf[m].mn == (int)number) b.mode = &table_mf[m];
    if (!b.mode) {
        for (unsigned i = 0; i < 16; i++) texel[i][0] = texel[i][1] = texel[i][2] = 0, texel[i][3] = 0x3c00;
        *visit = (struct bptc_visit){.mode = -1};
        return;
    }
    b.indices = read_format(block, b.mode->format, b.endpoint);
    b.partition = bits_at(block, b.indices, b.mode->pb);
    b.indices += b.mode->pb;
    sign_extend_all(&b);
    transform_inverse(&b);
    for (unsigned i = 0; i < 16; i++) decompress_float(block, &b, i, texel[i]);
    *visit = (struct bptc_visit){.mode = (int)number, .partition = b.partition};
}
