/* The container's checksum: MD5 (RFC 1321) with another finish. Whole blocks are as in MD5; the last one or two carry
 * the bit count first and (bytes * 2) | 1 last, instead of the 64-bit bit count last. */
#include "d3d/dxbc/container.h"

#include <string.h>

/* RFC 1321, 3.4: floor(2^32 * |sin(i + 1)|). */
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

static const uint8_t shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

enum { BLOCK = 64 };

static uint32_t rotate(uint32_t value, unsigned count) { return value << count | value >> (32 - count); }

/* The auxiliary function of a round (RFC 1321, 3.4). */
static inline uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    return round == 0 ? (b & c) | (~b & d) : round == 1 ? (d & b) | (~d & c) : round == 2 ? b ^ c ^ d : c ^ (b | ~d);
}

/* Sixteen steps; `round` is constant where this is called, so that nothing is chosen in the loop. */
static inline void take_round(unsigned round, uint32_t v[4], const uint32_t words[16])
{
    static const uint8_t factor[4] = {1, 5, 3, 7}, first[4] = {0, 1, 5, 0};
    uint32_t a = v[0], b = v[1], c = v[2], d = v[3];
    for (unsigned i = 0; i < 16; i++) {
        uint32_t word = words[(factor[round] * i + first[round]) % 16];
        uint32_t next = b + rotate(a + mix(round, b, c, d) + word + sines[16 * round + i], shifts[round][i % 4]);
        a = d;
        d = c;
        c = b;
        b = next;
    }
    v[0] = a;
    v[1] = b;
    v[2] = c;
    v[3] = d;
}

static void take_block(uint32_t state[4], const unsigned char *block)
{
    uint32_t words[16], v[4];
    for (unsigned i = 0; i < 16; i++) words[i] = sch_word_at(block + 4 * i);
    memcpy(v, state, sizeof v);
    take_round(0, v, words);
    take_round(1, v, words);
    take_round(2, v, words);
    take_round(3, v, words);
    for (unsigned i = 0; i < 4; i++) state[i] += v[i];
}

static void put(unsigned char *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) at[i] = (unsigned char)(word >> (8 * i));
}

void sch_d3d_checksum(const void *data, size_t bytes, uint32_t digest[4])
{
    const unsigned char *at = data;
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    size_t rest = bytes % BLOCK;
    for (size_t i = 0; i < bytes / BLOCK; i++) take_block(state, at + i * BLOCK);

    uint32_t bits = (uint32_t)((uint64_t)bytes * 8), closing = (uint32_t)((uint64_t)bytes * 2) | 1;
    unsigned char block[BLOCK] = {0};
    const unsigned char *tail = at + (bytes - rest);
    if (rest < BLOCK - 8) {
        put(block, bits);
        if (rest) memcpy(block + 4, tail, rest);
        block[4 + rest] = 0x80;
    } else {
        memcpy(block, tail, rest);
        block[rest] = 0x80;
        take_block(state, block);
        memset(block, 0, sizeof block);
        put(block, bits);
    }
    put(block + BLOCK - 4, closing);
    take_block(state, block);
    memcpy(digest, state, sizeof state);
}
