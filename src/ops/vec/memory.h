/*
 * ops/vec/memory.h - how vectors come from memory and go there, by the rules of vec.h.
 *
 * Holds: loads, stores, masked gathers, rows of quads, prefetching.
 * Must not hold: what an address means.
 */
#ifndef SCH_OPS_VEC_MEMORY_H
#define SCH_OPS_VEC_MEMORY_H

#include <stddef.h>

#include "ops/vec/types.h"

/* ---- loads and stores: any alignment ------------------------------------------------------- */

V_FN vf32 v_load_f32(const void *p) { return *(const v_mem_f32 *)p; }
V_FN vi32 v_load_i32(const void *p) { return *(const v_mem_i32 *)p; }
V_FN vu32 v_load_u32(const void *p) { return *(const v_mem_u32 *)p; }
V_FN vf64 v_load_f64(const void *p) { return *(const v_mem_f64 *)p; }
V_FN vi64 v_load_i64(const void *p) { return *(const v_mem_i64 *)p; }
V_FN vu64 v_load_u64(const void *p) { return *(const v_mem_u64 *)p; }
V_FN void v_store_f32(void *p, vf32 v) { *(v_mem_f32 *)p = v; }
V_FN void v_store_i32(void *p, vi32 v) { *(v_mem_i32 *)p = v; }
V_FN void v_store_u32(void *p, vu32 v) { *(v_mem_u32 *)p = v; }
V_FN void v_store_f64(void *p, vf64 v) { *(v_mem_f64 *)p = v; }
V_FN void v_store_i64(void *p, vi64 v) { *(v_mem_i64 *)p = v; }
V_FN void v_store_u64(void *p, vu64 v) { *(v_mem_u64 *)p = v; }

/* Gathers: lanes whose mask is 0 load nothing and give 0. Addresses need no alignment. */
typedef uint64_t v_mem1_u64 __attribute__((aligned(1), may_alias));
typedef uint32_t v_mem1_u32 __attribute__((aligned(1), may_alias));
typedef uint16_t v_mem1_u16 __attribute__((aligned(1), may_alias));
typedef uint8_t v_mem1_u8 __attribute__((may_alias));

V_FN vu32 v_gather_u32_bytes(const void *base, vi32 byte_offset, vi32 mask)
{
    vu32 r = v_splat_u32(0);
    V_EACH_LANE(i)
        if (mask[i]) r[i] = *(const v_mem1_u32 *)((const char *)base + byte_offset[i]);
    return r;
}
V_FN vu32 v_gather_u16_bytes(const void *base, vi32 byte_offset, vi32 mask)
{
    vu32 r = v_splat_u32(0);
    V_EACH_LANE(i)
        if (mask[i]) r[i] = *(const v_mem1_u16 *)((const char *)base + byte_offset[i]);
    return r;
}
V_FN vu32 v_gather_u8_bytes(const void *base, vi32 byte_offset, vi32 mask)
{
    vu32 r = v_splat_u32(0);
    V_EACH_LANE(i)
        if (mask[i]) r[i] = *(const v_mem1_u8 *)((const char *)base + byte_offset[i]);
    return r;
}
/* The offset counts 32-bit elements. */
V_FN vu32 v_gather_u32(const void *base, vi32 index, vi32 mask)
{
    vu32 r = v_splat_u32(0);
    V_EACH_LANE(i)
        if (mask[i]) r[i] = *((const v_mem1_u32 *)base + index[i]);
    return r;
}

/* From rows that may be more than 4 GiB apart: base + row * row_bytes + byte_offset, both counts unsigned. */
#define V_GATHER_FAR(bits)                                                                                             \
    V_FN vu32 v_gather_far_u##bits(const void *base, vu32 row, uint64_t row_bytes, vu32 byte_offset, vi32 mask)        \
    {                                                                                                                  \
        vu32 r = v_splat_u32(0);                                                                                       \
        if (v_all(mask)) { /* the usual case has no branches */                                                        \
            V_EACH_LANE(i)                                                                                             \
                r[i] = *(const v_mem1_u##bits *)((const char *)base + (uint64_t)row[i] * row_bytes + byte_offset[i]);  \
        } else {                                                                                                       \
            V_EACH_LANE(i)                                                                                             \
                if (mask[i])                                                                                           \
                    r[i] =                                                                                             \
                        *(const v_mem1_u##bits *)((const char *)base + (uint64_t)row[i] * row_bytes + byte_offset[i]); \
        }                                                                                                              \
        return r;                                                                                                      \
    }
V_GATHER_FAR(8)
V_GATHER_FAR(16)
#if defined(__AVX512F__) && SCH_LANES == 16
V_FN vu32 v_gather_far_u32(const void *base, vu32 row, uint64_t row_bytes, vu32 byte_offset, vi32 mask)
{
    union {
        vu64 v;
        __m512i p[2];
    } at = {.v = __builtin_convertvector(row, vu64) * row_bytes + __builtin_convertvector(byte_offset, vu64)};
    __mmask16 m = _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask);
    __m256i low = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), (__mmask8)m, at.p[0], base, 1);
    __m256i high = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), (__mmask8)(m >> 8), at.p[1], base, 1);
    return (vu32)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
#else
V_GATHER_FAR(32)
#endif
#undef V_GATHER_FAR

/* Every lane loads: base + byte_offset, less than 2 GiB away. */
#define V_GATHER_NEAR(bits)                                                                                            \
    V_FN vu32 v_gather_near_u##bits(const void *base, vi32 byte_offset)                                                \
    {                                                                                                                  \
        vu32 r = v_splat_u32(0);                                                                                       \
        V_EACH_LANE(i) r[i] = *(const v_mem1_u##bits *)((const char *)base + byte_offset[i]);                          \
        return r;                                                                                                      \
    }
V_GATHER_NEAR(8)
V_GATHER_NEAR(16)
#if defined(__AVX512F__) && SCH_LANES == 16
V_FN vu32 v_gather_near_u32(const void *base, vi32 byte_offset)
{
    return (vu32)_mm512_i32gather_epi32((__m512i)byte_offset, base, 1);
}
#else
V_GATHER_NEAR(32)
#endif
#undef V_GATHER_NEAR

/* A lane that is not negative. Two lanes leave a vector together where a machine moves 64 bits as fast as 32: of equal
 * moves compilers make one. */
V_FN size_t v_offset(vi32 byte_offset, int lane)
{
#if defined(__AVX2__) && SCH_LANES == 8
    const uint64_t two = (uint64_t)((__m256i)byte_offset)[lane / 2];
    return lane & 1 ? two >> 32 : two & UINT32_MAX;
#else
    return (size_t)byte_offset[lane];
#endif
}

/* The same of two and of four words side by side, from offsets that are not negative. */
V_FN void v_gather_near_u32x2(const void *base, vi32 byte_offset, vu32 word[2])
{
#if defined(__AVX512F__) && SCH_LANES == 16
    __m512i offset = (__m512i)byte_offset;
    __m512i a = _mm512_i32gather_epi64(_mm512_castsi512_si256(offset), base, 1);
    __m512i b = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(offset, 1), base, 1);
    vu32 low = (vu32)a, high = (vu32)b;
    word[0] = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    word[1] = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
#elif defined(__AVX2__) && SCH_LANES == 8
    const char *from = base;
    __m256 half[2];
    V_UNROLL
    for (int i = 0; i < 2; i++) {
        __m128 low = (__m128)_mm_loadl_epi64((const void *)(from + v_offset(byte_offset, 2 * i)));
        __m128 high = (__m128)_mm_loadl_epi64((const void *)(from + v_offset(byte_offset, 2 * i + 4)));
        low = _mm_loadh_pi(low, (const void *)(from + v_offset(byte_offset, 2 * i + 1)));
        high = _mm_loadh_pi(high, (const void *)(from + v_offset(byte_offset, 2 * i + 5)));
        half[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
    }
    word[0] = (vu32)_mm256_shuffle_ps(half[0], half[1], 0x88);
    word[1] = (vu32)_mm256_shuffle_ps(half[0], half[1], 0xdd);
#else
    vu64 pair = __builtin_convertvector(byte_offset, vu64);
    V_EACH_LANE(i) pair[i] = *(const v_mem1_u64 *)((const char *)base + byte_offset[i]);
    word[0] = __builtin_convertvector(pair, vu32);
    word[1] = __builtin_convertvector(pair >> 32, vu32);
#endif
}
/* Words of quads, 0 to 3 of a's and 4 to 7 of b's quad at the same place. */
#define V_MIX_ONE(q, n)           ((n) < 4 ? 4 * (q) + (n) : SCH_LANES + 4 * (q) + (n)-4)
#define V_MIX_QUAD(q, i, j, k, l) V_MIX_ONE(q, i), V_MIX_ONE(q, j), V_MIX_ONE(q, k), V_MIX_ONE(q, l)
#if SCH_LANES == 4
#define V_MIX(a, b, ...) __builtin_shufflevector(a, b, V_MIX_QUAD(0, __VA_ARGS__))
#elif SCH_LANES == 8
#define V_MIX(a, b, ...) __builtin_shufflevector(a, b, V_MIX_QUAD(0, __VA_ARGS__), V_MIX_QUAD(1, __VA_ARGS__))
#else
#define V_MIX(a, b, ...)                                                                                               \
    __builtin_shufflevector(a, b, V_MIX_QUAD(0, __VA_ARGS__), V_MIX_QUAD(1, __VA_ARGS__), V_MIX_QUAD(2, __VA_ARGS__),  \
                            V_MIX_QUAD(3, __VA_ARGS__))
#endif

/* 16 bytes from place `part` of a vector. */
V_FN void v_store_part(void *to, vu32 v, int part)
{
#if defined(__AVX512F__) && SCH_LANES == 16
    __m128i four = _mm512_castsi512_si128((__m512i)v);
    if (part == 1) four = _mm512_extracti32x4_epi32((__m512i)v, 1);
    if (part == 2) four = _mm512_extracti32x4_epi32((__m512i)v, 2);
    if (part == 3) four = _mm512_extracti32x4_epi32((__m512i)v, 3);
    _mm_storeu_si128(to, four);
#elif defined(__AVX2__) && SCH_LANES == 8
    _mm_storeu_si128(to, part ? _mm256_extracti128_si256((__m256i)v, 1) : _mm256_castsi256_si128((__m256i)v));
#elif defined(__SSE2__) && SCH_LANES == 4
    (void)part;
    _mm_storeu_si128(to, (__m128i)v);
#else
    for (int i = 0; i < 4; i++) ((v_mem1_u32 *)to)[i] = v[4 * part + i];
#endif
}

/* Places 0, 1... of a vector, 16 bytes from each address. */
V_FN vu32 v_load_parts(const void *const at[SCH_LANES / 4])
{
#if defined(__AVX512F__) && SCH_LANES == 16
    __m512i v = _mm512_castsi128_si512(_mm_loadu_si128(at[0]));
    v = _mm512_inserti32x4(v, _mm_loadu_si128(at[1]), 1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128(at[2]), 2);
    return (vu32)_mm512_inserti32x4(v, _mm_loadu_si128(at[3]), 3);
#elif defined(__AVX2__) && SCH_LANES == 8
    const __m256i low = _mm256_castsi128_si256(_mm_loadu_si128(at[0]));
    return (vu32)_mm256_inserti128_si256(low, _mm_loadu_si128(at[1]), 1);
#elif defined(__SSE2__) && SCH_LANES == 4
    return (vu32)_mm_loadu_si128(at[0]);
#else
    vu32 v = v_splat_u32(0);
    V_EACH_LANE(i) v[i] = ((const v_mem1_u32 *)at[i / 4])[i % 4];
    return v;
#endif
}

/* The four words of lanes i, i + 4... in quad i. With quads instead of words, their words. */
V_FN void v_quads_of_words(vu32 quad[4], const vu32 word[4])
{
    const vu32 a = V_MIX(word[0], word[1], 0, 4, 1, 5), b = V_MIX(word[2], word[3], 0, 4, 1, 5);
    const vu32 c = V_MIX(word[0], word[1], 2, 6, 3, 7), d = V_MIX(word[2], word[3], 2, 6, 3, 7);
    quad[0] = V_MIX(a, b, 0, 1, 4, 5);
    quad[1] = V_MIX(a, b, 2, 3, 6, 7);
    quad[2] = V_MIX(c, d, 0, 1, 4, 5);
    quad[3] = V_MIX(c, d, 2, 3, 6, 7);
}
/* Lane i's four words are at an address that the expression makes of i. */
#define V_WORDS_OF_ROWS(word, address)                                                                                 \
    do {                                                                                                               \
        vu32 v_quads[4];                                                                                               \
        V_UNROLL                                                                                                       \
        for (int v_first = 0; v_first < 4; v_first++) {                                                                \
            const void *v_at[SCH_LANES / 4];                                                                           \
            V_UNROLL                                                                                                   \
            for (int i = v_first; i < SCH_LANES; i += 4) v_at[i / 4] = (address);                                      \
            v_quads[v_first] = v_load_parts(v_at);                                                                     \
        }                                                                                                              \
        v_quads_of_words(word, v_quads);                                                                               \
    } while (0)
V_FN void v_gather_near_u32x4(const void *base, vi32 byte_offset, vu32 word[4])
{
    V_WORDS_OF_ROWS(word, (const char *)base + v_offset(byte_offset, i));
}
/* Rows that are `bytes` long, one after the other; or those whose numbers are in memory, so many bytes apart. A
 * vector of addresses would have to be taken apart first. */
V_FN void v_load_rows_u32x4(const void *base, size_t bytes, vu32 word[4])
{
    V_WORDS_OF_ROWS(word, (const char *)base + (size_t)i * bytes);
}
V_FN void v_gather_rows_u32x4(const void *base, size_t bytes, const void *number, size_t apart, vu32 word[4])
{
    V_WORDS_OF_ROWS(word, (const char *)base + *(const v_mem1_u32 *)((const char *)number + (size_t)i * apart) * bytes);
}
/* Place i of the result: four words at the byte offset of lane 4 i + `part`, which is not negative. */
V_FN vu32 v_gather_near_quads(const void *base, vi32 byte_offset, int part)
{
    const void *at[SCH_LANES / 4];
    V_UNROLL
    for (int i = 0; i < SCH_LANES / 4; i++) at[i] = (const char *)base + v_offset(byte_offset, 4 * i + part);
    return v_load_parts(at);
}
/* Eight words, in two times four. */
V_FN void v_gather_near_u32x8(const void *base, vi32 byte_offset, vu32 first[4], vu32 second[4])
{
#if defined(__AVX512F__) && SCH_LANES == 16
    const char *from = base;
    vu32 low[4], high[4];
    V_UNROLL
    for (int i = 0; i < 4; i++) {
        __m512i a = _mm512_castsi256_si512(_mm256_loadu_si256((const void *)(from + byte_offset[i])));
        __m512i b = _mm512_castsi256_si512(_mm256_loadu_si256((const void *)(from + byte_offset[i + 8])));
        a = _mm512_inserti64x4(a, _mm256_loadu_si256((const void *)(from + byte_offset[i + 4])), 1);
        b = _mm512_inserti64x4(b, _mm256_loadu_si256((const void *)(from + byte_offset[i + 12])), 1);
        low[i] = (vu32)_mm512_shuffle_i32x4(a, b, 0x88);
        high[i] = (vu32)_mm512_shuffle_i32x4(a, b, 0xdd);
    }
    v_quads_of_words(first, low);
    v_quads_of_words(second, high);
#else
    v_gather_near_u32x4(base, byte_offset, first);
    v_gather_near_u32x4((const char *)base + 16, byte_offset, second);
#endif
}

/* Asks for the memory around an address, which may be any, to be near soon. */
V_FN void v_prefetch(const void *base, int64_t byte_offset)
{
    __builtin_prefetch((const void *)((uintptr_t)base + (uint64_t)byte_offset), 0, 3);
}

/* Each quad's four words from base + the byte offset of its first lane, less than 2 GiB. */
V_FN vu32 v_quad_load_u32(const void *base, vi32 byte_offset)
{
    const char *from = base;
#if defined(__AVX512F__) && SCH_LANES == 16
    __m512i r = _mm512_castsi128_si512(_mm_loadu_si128((const void *)(from + byte_offset[0])));
    r = _mm512_inserti32x4(r, _mm_loadu_si128((const void *)(from + byte_offset[4])), 1);
    r = _mm512_inserti32x4(r, _mm_loadu_si128((const void *)(from + byte_offset[8])), 2);
    return (vu32)_mm512_inserti32x4(r, _mm_loadu_si128((const void *)(from + byte_offset[12])), 3);
#else
    union {
        vu32 v;
        struct {
            uint64_t d[2];
        } q[SCH_LANES / 4];
    } u;
    for (int i = 0; i < SCH_LANES / 4; i++)
        for (int j = 0; j < 2; j++) u.q[i].d[j] = *(const v_mem1_u64 *)(from + byte_offset[4 * i] + 8 * j);
    return u.v;
#endif
}

/* The same four words in each quad. */
V_FN vu32 v_quad_splat_u32(const void *p)
{
#if defined(__AVX512F__) && SCH_LANES == 16
    return (vu32)_mm512_broadcast_i32x4(_mm_loadu_si128(p));
#elif defined(__AVX2__) && SCH_LANES == 8
    return (vu32)_mm256_broadcastsi128_si256(_mm_loadu_si128(p));
#else
    return v_quad_load_u32(p, v_splat_i32(0));
#endif
}

/* Bytes side by side, one to a word. */
V_FN vu32 v_load_u8(const void *p)
{
#if defined(__AVX512F__) && SCH_LANES == 16
    return (vu32)_mm512_cvtepu8_epi32(_mm_loadu_si128(p));
#elif defined(__AVX2__) && SCH_LANES == 8
    return (vu32)_mm256_cvtepu8_epi32(_mm_loadl_epi64(p));
#elif defined(__SSE2__) && SCH_LANES == 4
    __m128i bytes = _mm_unpacklo_epi8(_mm_cvtsi32_si128((int32_t) * (const v_mem1_u32 *)p), _mm_setzero_si128());
    return (vu32)_mm_unpacklo_epi16(bytes, _mm_setzero_si128());
#else
    typedef uint8_t bytes __attribute__((vector_size(SCH_LANES), aligned(1), may_alias));
    return __builtin_convertvector(*(const bytes *)p, vu32);
#endif
}

/* Every lane stores its four words side by side: in rows that are `bytes` long, one after the other, or at offsets that
 * are in memory. Where places of lanes overlap it is undefined which one's words are there. */
V_FN void v_store_rows_u32x4(void *base, size_t bytes, const vu32 word[4])
{
    vu32 quad[4];
    v_quads_of_words(quad, word);
    V_UNROLL
    for (int i = 0; i < 4; i++) {
        V_UNROLL
        for (int q = 0; q < SCH_LANES / 4; q++) v_store_part((char *)base + (size_t)(4 * q + i) * bytes, quad[i], q);
    }
}
V_FN void v_scatter_rows_u32x4(void *base, const uint32_t *byte_offset, const vu32 word[4])
{
    vu32 quad[4];
    v_quads_of_words(quad, word);
    V_UNROLL
    for (int i = 0; i < 4; i++) {
        V_UNROLL
        for (int q = 0; q < SCH_LANES / 4; q++) v_store_part((char *)base + byte_offset[4 * q + i], quad[i], q);
    }
}

#endif
