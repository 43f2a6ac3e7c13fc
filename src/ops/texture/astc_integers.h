/* Integers in ASTC blocks: sequences of values of one range, packed into a stream of bits (dataformat, "Integer
 * Sequence Encoding"). Holds no meaning of a value. */
#ifndef SCH_OPS_TEXTURE_ASTC_INTEGERS_H
#define SCH_OPS_TEXTURE_ASTC_INTEGERS_H

#include "ops/op.h"

/* The forms of ranges: 0 to 2^n - 1, 3 * 2^n - 1 or 5 * 2^n - 1. */
enum tex_astc_form { TEX_ASTC_BITS, TEX_ASTC_TRITS, TEX_ASTC_QUINTS };

/* Up to 128 bits, the next ones lowest. */
struct tex_astc_stream {
    uint64_t low, high;
};

/* The five trits of T, two bits each, and the three quints of Q, three bits each: the tables that the text's bit
 * manipulations amount to. */
/* clang-format off */
static const uint16_t tex_astc_trits[256] __attribute__((unused)) = {
    0x000, 0x001, 0x002, 0x020, 0x004, 0x005, 0x006, 0x021, 0x008, 0x009, 0x00a, 0x022, 0x028, 0x029, 0x02a, 0x022,
    0x010, 0x011, 0x012, 0x024, 0x014, 0x015, 0x016, 0x025, 0x018, 0x019, 0x01a, 0x026, 0x280, 0x281, 0x282, 0x2a0,
    0x040, 0x041, 0x042, 0x060, 0x044, 0x045, 0x046, 0x061, 0x048, 0x049, 0x04a, 0x062, 0x068, 0x069, 0x06a, 0x062,
    0x050, 0x051, 0x052, 0x064, 0x054, 0x055, 0x056, 0x065, 0x058, 0x059, 0x05a, 0x066, 0x284, 0x285, 0x286, 0x2a1,
    0x080, 0x081, 0x082, 0x0a0, 0x084, 0x085, 0x086, 0x0a1, 0x088, 0x089, 0x08a, 0x0a2, 0x0a8, 0x0a9, 0x0aa, 0x0a2,
    0x090, 0x091, 0x092, 0x0a4, 0x094, 0x095, 0x096, 0x0a5, 0x098, 0x099, 0x09a, 0x0a6, 0x288, 0x289, 0x28a, 0x2a2,
    0x200, 0x201, 0x202, 0x220, 0x204, 0x205, 0x206, 0x221, 0x208, 0x209, 0x20a, 0x222, 0x228, 0x229, 0x22a, 0x222,
    0x210, 0x211, 0x212, 0x224, 0x214, 0x215, 0x216, 0x225, 0x218, 0x219, 0x21a, 0x226, 0x2a8, 0x2a9, 0x2aa, 0x2a2,
    0x100, 0x101, 0x102, 0x120, 0x104, 0x105, 0x106, 0x121, 0x108, 0x109, 0x10a, 0x122, 0x128, 0x129, 0x12a, 0x122,
    0x110, 0x111, 0x112, 0x124, 0x114, 0x115, 0x116, 0x125, 0x118, 0x119, 0x11a, 0x126, 0x290, 0x291, 0x292, 0x2a4,
    0x140, 0x141, 0x142, 0x160, 0x144, 0x145, 0x146, 0x161, 0x148, 0x149, 0x14a, 0x162, 0x168, 0x169, 0x16a, 0x162,
    0x150, 0x151, 0x152, 0x164, 0x154, 0x155, 0x156, 0x165, 0x158, 0x159, 0x15a, 0x166, 0x294, 0x295, 0x296, 0x2a5,
    0x180, 0x181, 0x182, 0x1a0, 0x184, 0x185, 0x186, 0x1a1, 0x188, 0x189, 0x18a, 0x1a2, 0x1a8, 0x1a9, 0x1aa, 0x1a2,
    0x190, 0x191, 0x192, 0x1a4, 0x194, 0x195, 0x196, 0x1a5, 0x198, 0x199, 0x19a, 0x1a6, 0x298, 0x299, 0x29a, 0x2a6,
    0x240, 0x241, 0x242, 0x260, 0x244, 0x245, 0x246, 0x261, 0x248, 0x249, 0x24a, 0x262, 0x268, 0x269, 0x26a, 0x262,
    0x250, 0x251, 0x252, 0x264, 0x254, 0x255, 0x256, 0x265, 0x258, 0x259, 0x25a, 0x266, 0x2a8, 0x2a9, 0x2aa, 0x2a6,
};
static const uint16_t tex_astc_quints[128] __attribute__((unused)) = {
    0x000, 0x001, 0x002, 0x003, 0x004, 0x020, 0x024, 0x124, 0x008, 0x009, 0x00a, 0x00b, 0x00c, 0x021, 0x064, 0x124,
    0x010, 0x011, 0x012, 0x013, 0x014, 0x022, 0x0a4, 0x124, 0x018, 0x019, 0x01a, 0x01b, 0x01c, 0x023, 0x0e4, 0x124,
    0x040, 0x041, 0x042, 0x043, 0x044, 0x060, 0x104, 0x120, 0x048, 0x049, 0x04a, 0x04b, 0x04c, 0x061, 0x10c, 0x121,
    0x050, 0x051, 0x052, 0x053, 0x054, 0x062, 0x114, 0x122, 0x058, 0x059, 0x05a, 0x05b, 0x05c, 0x063, 0x11c, 0x123,
    0x080, 0x081, 0x082, 0x083, 0x084, 0x0a0, 0x102, 0x103, 0x088, 0x089, 0x08a, 0x08b, 0x08c, 0x0a1, 0x10a, 0x10b,
    0x090, 0x091, 0x092, 0x093, 0x094, 0x0a2, 0x112, 0x113, 0x098, 0x099, 0x09a, 0x09b, 0x09c, 0x0a3, 0x11a, 0x11b,
    0x0c0, 0x0c1, 0x0c2, 0x0c3, 0x0c4, 0x0e0, 0x100, 0x101, 0x0c8, 0x0c9, 0x0ca, 0x0cb, 0x0cc, 0x0e1, 0x108, 0x109,
    0x0d0, 0x0d1, 0x0d2, 0x0d3, 0x0d4, 0x0e2, 0x110, 0x111, 0x0d8, 0x0d9, 0x0da, 0x0db, 0x0dc, 0x0e3, 0x118, 0x119,
};
/* clang-format on */

OPS_INLINE struct tex_astc_stream tex_astc_stream(const uint32_t block[4])
{
    return (struct tex_astc_stream){block[0] | (uint64_t)block[1] << 32, block[2] | (uint64_t)block[3] << 32};
}

/* Without the next `count` bits: 1 to 63. */
OPS_INLINE void tex_astc_skip(struct tex_astc_stream *stream, unsigned count)
{
    stream->low = stream->low >> count | stream->high << (64 - count);
    stream->high >>= count;
}

/* No more than the next `count` bits: 0 to 127. */
OPS_INLINE void tex_astc_limit(struct tex_astc_stream *stream, unsigned count)
{
    if (count < 64) {
        stream->low &= ((uint64_t)1 << count) - 1;
        stream->high = 0;
    } else {
        stream->high &= ((uint64_t)1 << (count - 64)) - 1;
    }
}

/* `count` bits of a block from bit `at`, below 128, on: no more than 32. */
OPS_INLINE uint32_t tex_astc_bits(const uint32_t block[4], unsigned at, unsigned count)
{
    const unsigned word = at / 32;
    const uint64_t both = block[word] | (uint64_t)(word < 3 ? block[word + 1] : 0) << 32;
    return (uint32_t)(both >> at % 32 & (((uint64_t)1 << count) - 1));
}

OPS_INLINE uint64_t tex_astc_reverse(uint64_t v)
{
    v = (v >> 1 & UINT64_C(0x5555555555555555)) | (v & UINT64_C(0x5555555555555555)) << 1;
    v = (v >> 2 & UINT64_C(0x3333333333333333)) | (v & UINT64_C(0x3333333333333333)) << 2;
    v = (v >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(v);
}

/* From the block's last bit downwards: "Bit n in the stream is thus bit 127-n in the block" (Weight Decoding). */
OPS_INLINE struct tex_astc_stream tex_astc_stream_down(const uint32_t block[4])
{
    const struct tex_astc_stream up = tex_astc_stream(block);
    return (struct tex_astc_stream){tex_astc_reverse(up.high), tex_astc_reverse(up.low)};
}

/* How many bits a sequence has (Data Size Determination). */
OPS_INLINE unsigned tex_astc_sequence_bits(enum tex_astc_form form, unsigned bits, unsigned count)
{
    if (form == TEX_ASTC_TRITS) return (8 * count + 4) / 5 + bits * count;
    if (form == TEX_ASTC_QUINTS) return (7 * count + 2) / 3 + bits * count;
    return bits * count;
}

/* How many values tex_astc_unpack may write after the last one. */
enum { TEX_ASTC_SPARE = 4 };

/* A value, or what a table makes of it. */
OPS_INLINE uint32_t tex_astc_meaning(const uint8_t *meaning, uint32_t value)
{
    return meaning ? meaning[value] : value;
}

OPS_INLINE void tex_astc_unpack_bits(struct tex_astc_stream stream, unsigned bits, unsigned count,
                                     const uint8_t *meaning, uint32_t *value)
{
    const uint32_t mask = (1u << bits) - 1;
    for (unsigned i = 0; i < count; i += 4) {
        const uint32_t low = (uint32_t)stream.low;
        value[i] = tex_astc_meaning(meaning, low & mask);
        value[i + 1] = tex_astc_meaning(meaning, low >> bits & mask);
        value[i + 2] = tex_astc_meaning(meaning, low >> 2 * bits & mask);
        value[i + 3] = tex_astc_meaning(meaning, low >> 3 * bits & mask);
        tex_astc_skip(&stream, 4 * bits);
    }
}

/* Five values a piece, of 8 + 5 * bits bits: m0, T1..0, m1, T3..2, m2, T4, m3, T6..5, m4, T7 from the lowest. */
OPS_INLINE void tex_astc_unpack_trits(struct tex_astc_stream stream, unsigned bits, unsigned count,
                                      const uint8_t *meaning, uint32_t *value)
{
    const uint32_t mask = (1u << bits) - 1;
    for (unsigned i = 0; i < count; i += 5) {
        const uint64_t low = stream.low;
        const uint32_t packed = (uint32_t)((low >> bits & 0x03) | (low >> 2 * bits & 0x0c) | (low >> 3 * bits & 0x10) |
                                           (low >> 4 * bits & 0x60) | (low >> 5 * bits & 0x80));
        const uint32_t t = tex_astc_trits[packed];
        value[i] = tex_astc_meaning(meaning, (t & 3) << bits | ((uint32_t)low & mask));
        value[i + 1] = tex_astc_meaning(meaning, (t >> 2 & 3) << bits | ((uint32_t)(low >> (bits + 2)) & mask));
        value[i + 2] = tex_astc_meaning(meaning, (t >> 4 & 3) << bits | ((uint32_t)(low >> (2 * bits + 4)) & mask));
        value[i + 3] = tex_astc_meaning(meaning, (t >> 6 & 3) << bits | ((uint32_t)(low >> (3 * bits + 5)) & mask));
        value[i + 4] = tex_astc_meaning(meaning, (t >> 8 & 3) << bits | ((uint32_t)(low >> (4 * bits + 7)) & mask));
        tex_astc_skip(&stream, 8 + 5 * bits);
    }
}

/* Three values a piece, of 7 + 3 * bits bits: m0, Q2..0, m1, Q4..3, m2, Q6..5 from the lowest. */
OPS_INLINE void tex_astc_unpack_quints(struct tex_astc_stream stream, unsigned bits, unsigned count,
                                       const uint8_t *meaning, uint32_t *value)
{
    const uint32_t mask = (1u << bits) - 1;
    for (unsigned i = 0; i < count; i += 3) {
        const uint32_t low = (uint32_t)stream.low;
        const uint32_t packed = (low >> bits & 0x07) | (low >> 2 * bits & 0x18) | (low >> 3 * bits & 0x60);
        const uint32_t q = tex_astc_quints[packed];
        value[i] = tex_astc_meaning(meaning, (q & 7) << bits | (low & mask));
        value[i + 1] = tex_astc_meaning(meaning, (q >> 3 & 7) << bits | (low >> (bits + 3) & mask));
        value[i + 2] = tex_astc_meaning(meaning, (q >> 6 & 7) << bits | (low >> (2 * bits + 5) & mask));
        tex_astc_skip(&stream, 7 + 3 * bits);
    }
}

/* The values of a sequence that begins with the stream's next bit, or what a table makes of them. The last piece may be
 * cut short: "unused (higher-order) bits are assumed to be 0 when decoding". */
OPS_INLINE void tex_astc_unpack(struct tex_astc_stream stream, enum tex_astc_form form, unsigned bits, unsigned count,
                                const uint8_t *meaning, uint32_t *value)
{
    tex_astc_limit(&stream, tex_astc_sequence_bits(form, bits, count));
    if (form == TEX_ASTC_TRITS)
        tex_astc_unpack_trits(stream, bits, count, meaning, value);
    else if (form == TEX_ASTC_QUINTS)
        tex_astc_unpack_quints(stream, bits, count, meaning, value);
    else
        tex_astc_unpack_bits(stream, bits, count, meaning, value);
}

#endif
