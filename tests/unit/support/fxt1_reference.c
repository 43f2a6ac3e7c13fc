/* See fxt1_reference.h. Every function follows a section of the appendix of 3DFX_texture_compression_FXT1; bits have
 * the numbers of its diagrams. */
#include "fxt1_reference.h"

#include <stdbool.h>

static int bit(const uint8_t *block, unsigned at) { return block[at / 8] >> at % 8 & 1; }
static int bits(const uint8_t *block, unsigned first, unsigned last)
{
    int value = 0;
    for (unsigned at = first + 1; at-- > last;) value = value * 2 + bit(block, at);
    return value;
}

/* {[first:first-4], [first:first-2]} */
static int five(const uint8_t *block, unsigned first)
{
    return bits(block, first, first - 4) << 3 | bits(block, first, first - 2);
}
/* {[first:first-4], least, [first:first-1]} */
static int six(const uint8_t *block, unsigned first, int least)
{
    return bits(block, first, first - 4) << 3 | least << 2 | bits(block, first, first - 1);
}

struct color {
    int c[4]; /* red, green, blue, alpha */
};
static const struct color transparent;

/* Red's first bit; green and blue follow. */
static struct color rgb555(const uint8_t *block, unsigned first)
{
    return (struct color){{five(block, first), five(block, first - 5), five(block, first - 10), 255}};
}
static struct color rgb565(const uint8_t *block, unsigned first, int least)
{
    return (struct color){{five(block, first), six(block, first - 5, least), five(block, first - 10), 255}};
}

/* (p a + q b + r) / n */
static struct color between(int p, struct color a, int q, struct color b, int r, int n)
{
    struct color color;
    for (unsigned i = 0; i < 4; i++) color.c[i] = (p * a.c[i] + q * b.c[i] + r) / n;
    return color;
}

static struct color hi(const uint8_t *block, unsigned texel)
{
    const struct color color1 = rgb555(block, 125), color0 = rgb555(block, 110);
    switch (bits(block, 3 * texel + 2, 3 * texel)) {
    case 0:
        return color0;
    case 1:
        return between(5, color0, 1, color1, 3, 6);
    case 2:
        return between(4, color0, 2, color1, 3, 6);
    case 3:
        return between(3, color0, 3, color1, 3, 6);
    case 4:
        return between(2, color0, 4, color1, 3, 6);
    case 5:
        return between(1, color0, 5, color1, 3, 6);
    case 6:
        return color1;
    default:
        return transparent;
    }
}

static int index_of(const uint8_t *block, unsigned texel) { return bits(block, 2 * texel + 1, 2 * texel); }

static struct color chroma(const uint8_t *block, unsigned texel)
{
    return rgb555(block, 78 + 15 * (unsigned)index_of(block, texel));
}

static struct color mixed(const uint8_t *block, unsigned texel)
{
    const bool right = texel >= 16, alpha = bit(block, 124);
    const int least = bit(block, right ? 126 : 125), select = bit(block, right ? 33 : 1);
    const unsigned first = right ? 108 : 78, second = right ? 123 : 93;
    const struct color b = rgb565(block, second, least);
    const struct color a = alpha ? rgb555(block, first) : rgb565(block, first, select ^ least);
    switch (index_of(block, texel)) {
    case 0:
        return a;
    case 1:
        return alpha ? between(1, a, 1, b, 0, 2) : between(2, a, 1, b, 1, 3);
    case 2:
        return alpha ? b : between(1, a, 2, b, 1, 3);
    default:
        return alpha ? transparent : b;
    }
}

static struct color alpha_format(const uint8_t *block, unsigned texel)
{
    struct color color[4] = {rgb555(block, 78), rgb555(block, 93), rgb555(block, 108), transparent};
    for (unsigned i = 0; i < 3; i++) color[i].c[3] = five(block, 113 + 5 * i);
    const int index = index_of(block, texel);
    if (!bit(block, 124)) return color[index];
    const struct color a = color[texel >= 16 ? 2 : 0], b = color[1];
    switch (index) {
    case 0:
        return a;
    case 1:
        return between(2, a, 1, b, 1, 3);
    case 2:
        return between(1, a, 2, b, 1, 3);
    default:
        return b;
    }
}

enum fxt1_format fxt1_reference(const uint8_t block[16], unsigned texel, uint8_t rgba[4])
{
    struct color color;
    enum fxt1_format format;
    if (bit(block, 127)) {
        format = bit(block, 124) ? FXT1_MIXED_ALPHA : FXT1_MIXED;
        color = mixed(block, texel);
    } else if (bits(block, 127, 125) == 2) {
        format = FXT1_CHROMA;
        color = chroma(block, texel);
    } else if (bits(block, 127, 125) == 3) {
        format = bit(block, 124) ? FXT1_ALPHA_LERP : FXT1_ALPHA;
        color = alpha_format(block, texel);
    } else {
        format = FXT1_HI;
        color = hi(block, texel);
    }
    for (unsigned i = 0; i < 4; i++) rgba[i] = (uint8_t)color.c[i];
    return format;
}
