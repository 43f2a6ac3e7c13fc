/* See etc_reference.h. Every function follows a paragraph of the chapter "ETC2 Compressed Texture Image Formats" of the
 * Khronos Data Format Specification, and its names are those of the text. */
#include "etc_reference.h"

#include <stddef.h>

/* int64bit = 256 * (256 * ... + q6) + q7 */
static uint64_t int64bit(const uint8_t q[8])
{
    uint64_t value = 0;
    for (size_t i = 0; i < 8; i++) value = 256 * value + q[i];
    return value;
}

/* Bits `first` down to `last`. */
static int bits(uint64_t block, unsigned first, unsigned last)
{
    return (int)(block >> last & ((UINT64_C(1) << (first - last + 1)) - 1));
}
static int bit(uint64_t block, unsigned at) { return bits(block, at, at); }

static int clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }
static int extend4to8bits(int v) { return v << 4 | v; }
static int extend5to8bits(int v) { return v << 3 | v >> 2; }
static int extend6to8bits(int v) { return v << 2 | v >> 4; }
static int extend7to8bits(int v) { return v << 1 | v >> 6; }

/* A three-bit two's-complement number. */
static int delta(uint64_t block, unsigned first)
{
    const int code = bits(block, first, first - 2);
    return code >= 4 ? code - 8 : code;
}

/* Pixels are named a to p down the columns; the pixel index's bits of pixel a are 16 and 0. */
static int pixel_index(uint64_t block, unsigned x, unsigned y)
{
    const unsigned letter = 4 * x + y;
    return bit(block, 16 + letter) * 2 + bit(block, letter);
}

static enum etc_mode mode_of(uint64_t block, bool punch_through)
{
    if (!punch_through && bit(block, 33) == 0) return ETC_INDIVIDUAL;
    const int red = bits(block, 63, 59) + delta(block, 58);
    const int green = bits(block, 55, 51) + delta(block, 50);
    const int blue = bits(block, 47, 43) + delta(block, 42);
    if (red < 0 || red > 31) return ETC_T;
    if (green < 0 || green > 31) return ETC_H;
    if (blue < 0 || blue > 31) return ETC_PLANAR;
    return ETC_DIFFERENTIAL;
}

static const int modifier_tables[8][4] = {{-8, -2, 2, 8},       {-17, -5, 5, 17},    {-29, -9, 9, 29},
                                          {-42, -13, 13, 42},   {-60, -18, 18, 60},  {-80, -24, 24, 80},
                                          {-106, -33, 33, 106}, {-183, -47, 47, 183}};
static const int distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

/* The table's column: -b, -a, +a and +b by the index's two bits; where the opaque bit is unset -a and +a are 0. */
static int modifier_of(int table, int index, bool opaque)
{
    switch (index) {
    case 3:
        return modifier_tables[table][0];
    case 2:
        return opaque ? modifier_tables[table][1] : 0;
    case 0:
        return opaque ? modifier_tables[table][2] : 0;
    default:
        return modifier_tables[table][3];
    }
}

static void individual_or_differential(uint64_t block, enum etc_mode mode, bool opaque, unsigned x, unsigned y,
                                       int color[3])
{
    const bool flip = bit(block, 32);
    const bool subblock2 = flip ? y >= 2 : x >= 2;
    const int table = subblock2 ? bits(block, 36, 34) : bits(block, 39, 37);
    const int modifier = modifier_of(table, pixel_index(block, x, y), opaque);
    for (unsigned c = 0; c < 3; c++) {
        const unsigned top = 63 - 8 * c; /* of the byte that the channel has */
        int base;
        if (mode == ETC_INDIVIDUAL)
            base = extend4to8bits(subblock2 ? bits(block, top - 4, top - 7) : bits(block, top, top - 3));
        else
            base = extend5to8bits(bits(block, top, top - 4) + (subblock2 ? delta(block, top - 5) : 0));
        color[c] = clamp(base + modifier, 0, 255);
    }
}

static void paint(const int base[3], int distance, int color[3])
{
    for (unsigned c = 0; c < 3; c++) color[c] = clamp(base[c] + distance, 0, 255);
}

static void t_mode(uint64_t block, unsigned x, unsigned y, int color[3])
{
    const int base1[3] = {extend4to8bits(bits(block, 60, 59) << 2 | bits(block, 57, 56)),
                          extend4to8bits(bits(block, 55, 52)), extend4to8bits(bits(block, 51, 48))};
    const int base2[3] = {extend4to8bits(bits(block, 47, 44)), extend4to8bits(bits(block, 43, 40)),
                          extend4to8bits(bits(block, 39, 36))};
    const int d = distances[bits(block, 35, 34) << 1 | bit(block, 32)];
    switch (pixel_index(block, x, y)) {
    case 0:
        paint(base1, 0, color);
        break;
    case 1:
        paint(base2, d, color);
        break;
    case 2:
        paint(base2, 0, color);
        break;
    default:
        paint(base2, -d, color);
        break;
    }
}

static int value_of(const int color[3]) { return (color[0] << 16) + (color[1] << 8) + color[2]; }

static void h_mode(uint64_t block, unsigned x, unsigned y, int color[3])
{
    const int base1[3] = {extend4to8bits(bits(block, 62, 59)),
                          extend4to8bits(bits(block, 58, 56) << 1 | bit(block, 52)),
                          extend4to8bits(bit(block, 51) << 3 | bits(block, 49, 47))};
    const int base2[3] = {extend4to8bits(bits(block, 46, 43)), extend4to8bits(bits(block, 42, 39)),
                          extend4to8bits(bits(block, 38, 35))};
    const int least = value_of(base1) >= value_of(base2);
    const int d = distances[bit(block, 34) << 2 | bit(block, 32) << 1 | least];
    switch (pixel_index(block, x, y)) {
    case 0:
        paint(base1, d, color);
        break;
    case 1:
        paint(base1, -d, color);
        break;
    case 2:
        paint(base2, d, color);
        break;
    default:
        paint(base2, -d, color);
        break;
    }
}

/* x (h - o) / 4 + y (v - o) / 4 + o, to the nearest integer, ties to the larger one: the floor of a half more. */
static int plane(unsigned x, unsigned y, int o, int h, int v)
{
    const int quarters = (int)x * (h - o) + (int)y * (v - o) + 4 * o + 2;
    const int nearest = quarters >= 0 ? quarters / 4 : -((3 - quarters) / 4);
    return clamp(nearest, 0, 255);
}

static void planar(uint64_t block, unsigned x, unsigned y, int color[3])
{
    const int r = bits(block, 62, 57), g = bit(block, 56) << 6 | bits(block, 54, 49);
    const int b = bit(block, 48) << 5 | bits(block, 44, 43) << 3 | bits(block, 41, 39);
    const int rh = bits(block, 38, 34) << 1 | bit(block, 32), gh = bits(block, 31, 25), bh = bits(block, 24, 19);
    const int rv = bits(block, 18, 13), gv = bits(block, 12, 6), bv = bits(block, 5, 0);
    color[0] = plane(x, y, extend6to8bits(r), extend6to8bits(rh), extend6to8bits(rv));
    color[1] = plane(x, y, extend7to8bits(g), extend7to8bits(gh), extend7to8bits(gv));
    color[2] = plane(x, y, extend6to8bits(b), extend6to8bits(bh), extend6to8bits(bv));
}

enum etc_mode etc_reference(const uint8_t q[8], bool punch_through, unsigned x, unsigned y, uint8_t rgba[4])
{
    const uint64_t block = int64bit(q);
    const enum etc_mode mode = mode_of(block, punch_through);
    const bool opaque = !punch_through || bit(block, 33);
    int color[3] = {0, 0, 0};
    switch (mode) {
    case ETC_T:
        t_mode(block, x, y, color);
        break;
    case ETC_H:
        h_mode(block, x, y, color);
        break;
    case ETC_PLANAR:
        planar(block, x, y, color);
        break;
    default:
        individual_or_differential(block, mode, opaque, x, y, color);
        break;
    }
    const bool transparent = !opaque && mode != ETC_PLANAR && pixel_index(block, x, y) == 2;
    for (unsigned c = 0; c < 3; c++) rgba[c] = transparent ? 0 : (uint8_t)color[c];
    rgba[3] = transparent ? 0 : 255;
    return mode;
}

static const int eac_tables[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

/* The index of pixel a is bits 47 to 45, that of p bits 2 to 0. */
static int eac_modifier(uint64_t block, unsigned x, unsigned y)
{
    const unsigned first = 47 - 3 * (4 * x + y);
    return eac_tables[bits(block, 51, 48)][bits(block, first, first - 2)];
}

uint8_t etc_reference_alpha(const uint8_t q[8], unsigned x, unsigned y)
{
    const uint64_t block = int64bit(q);
    return (uint8_t)clamp(bits(block, 63, 56) + eac_modifier(block, x, y) * bits(block, 55, 52), 0, 255);
}

int32_t etc_reference_eac(const uint8_t q[8], bool is_signed, unsigned x, unsigned y)
{
    const uint64_t block = int64bit(q);
    const int codeword = bits(block, 63, 56), multiplier = bits(block, 55, 52), modifier = eac_modifier(block, x, y);
    const int third = multiplier == 0 ? modifier : modifier * multiplier * 8;
    if (!is_signed) return clamp(codeword * 8 + 4 + third, 0, 2047);
    int base = codeword >= 128 ? codeword - 256 : codeword;
    if (base == -128) base = -127;
    return clamp(base * 8 + third, -1023, 1023);
}
