/* FIPS 180-4, section 6.2. */
#include "base/sha256.h"

#include <string.h>

/* Section 4.2.2. */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

static void schedule(const uint8_t *block, uint32_t W[64])
{
    for (unsigned t = 0; t < 16; t++)
        W[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (unsigned t = 16; t < 64; t++) {
        uint32_t s0 = rotr(W[t - 15], 7) ^ rotr(W[t - 15], 18) ^ W[t - 15] >> 3;
        uint32_t s1 = rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^ W[t - 2] >> 10;
        W[t] = W[t - 16] + s0 + W[t - 7] + s1;
    }
}

/* Section 6.2.2, steps 1 to 4; v holds a to h. */
static void compress(uint32_t state[8], const uint8_t *block)
{
    uint32_t W[64], v[8];
    schedule(block, W);
    memcpy(v, state, sizeof v);
    for (unsigned t = 0; t < 64; t++) {
        uint32_t s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25), ch = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t T1 = v[7] + s1 + ch + K[t] + W[t];
        uint32_t s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
        uint32_t maj = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += T1;
        v[0] = T1 + s0 + maj;
    }
    for (unsigned i = 0; i < 8; i++) state[i] += v[i];
}

void sch_sha256_begin(struct sch_sha256 *hash)
{
    *hash = (struct sch_sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sch_sha256_add(struct sch_sha256 *hash, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size) {
        size_t used = hash->bytes % SCH_SHA256_BLOCK, room = SCH_SHA256_BLOCK - used, some = size < room ? size : room;
        memcpy(hash->block + used, at, some);
        if (some == room) compress(hash->state, hash->block);
        hash->bytes += some;
        at += some;
        size -= some;
    }
}

void sch_sha256_add_u32(struct sch_sha256 *hash, uint32_t number)
{
    uint8_t bytes[4] = {(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16), (uint8_t)(number >> 24)};
    sch_sha256_add(hash, bytes, sizeof bytes);
}

/* Section 5.1.1: a 1 bit, zeros, the length in bits. */
void sch_sha256_end(struct sch_sha256 *hash, uint8_t digest[SCH_SHA256_BYTES])
{
    uint64_t bits = hash->bytes * 8;
    uint8_t padding[SCH_SHA256_BLOCK + 8] = {0x80};
    size_t used = hash->bytes % SCH_SHA256_BLOCK, zeros = (used < 56 ? 56 : 120) - used;
    for (unsigned i = 0; i < 8; i++) padding[zeros + i] = (uint8_t)(bits >> (56 - 8 * i));
    sch_sha256_add(hash, padding, zeros + 8);
    for (unsigned i = 0; i < SCH_SHA256_BYTES; i++) digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}
