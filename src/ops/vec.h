/*
 * vec.h - the vector types of src/ops and the handful of primitives that plain C vector
 * expressions lack.
 *
 * Holds: types of SCH_LANES lanes, bit casts, splats, select, mask tests, loads and stores, masked
 * gathers, rounding to integral values, square root, fused multiply-add, sign manipulation,
 * canonical NaN, conversions between number types, halves, integer helpers.
 *
 * Must not hold: the meaning of any shader operation (min/max and their NaN rules, saturate,
 * ...), mutable data, functions that are not static inline, calls that reach the C library.
 * It is the only header of the project that may use compiler builtins and intrinsics.
 *
 * Include with SCH_LANES defined as 4, 8 or 16. Code is compiled with -fwrapv -ffp-contract=off
 * -fno-math-errno and never with any fast-math option; the floating-point environment is the
 * default one (round to nearest even, denormals kept). Every function gives the same bits on
 * every machine, compiler and lane count, with one stated exception: the sign and payload of a
 * NaN that arithmetic produced, which v_canon_f32 and v_canon_f64 remove.
 *
 * Masks are integer vectors of lanes 0 or -1. Masks of 32-bit lanes are vi32; 64-bit values take
 * vi64 masks (v_mask_widen, v_mask_narrow). Comparison operators on vectors give such masks; cast
 * their results, `(vi64)(a < b)`, since compilers disagree on the exact type.
 */
#ifndef SCH_OPS_VEC_H
#define SCH_OPS_VEC_H

#include <stdint.h>

#if !defined(SCH_LANES) || (SCH_LANES != 4 && SCH_LANES != 8 && SCH_LANES != 16)
#error "define SCH_LANES as 4, 8 or 16 before including vec.h"
#endif

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define V_FN           static inline __attribute__((always_inline, unused))
#define V_UNROLL       _Pragma("GCC unroll 16")
#define V_EACH_LANE(i) V_UNROLL for (int i = 0; i < SCH_LANES; i++)

/* ---- types -------------------------------------------------------------------------------- */

typedef float vf32 __attribute__((vector_size(SCH_LANES * 4)));
typedef int32_t vi32 __attribute__((vector_size(SCH_LANES * 4)));
typedef uint32_t vu32 __attribute__((vector_size(SCH_LANES * 4)));
typedef double vf64 __attribute__((vector_size(SCH_LANES * 8)));
typedef int64_t vi64 __attribute__((vector_size(SCH_LANES * 8)));
typedef uint64_t vu64 __attribute__((vector_size(SCH_LANES * 8)));

/* The same types for memory: no alignment asked, any effective type allowed. */
typedef vf32 v_mem_f32 __attribute__((aligned(1), may_alias));
typedef vi32 v_mem_i32 __attribute__((aligned(1), may_alias));
typedef vu32 v_mem_u32 __attribute__((aligned(1), may_alias));
typedef vf64 v_mem_f64 __attribute__((aligned(1), may_alias));
typedef vi64 v_mem_i64 __attribute__((aligned(1), may_alias));
typedef vu64 v_mem_u64 __attribute__((aligned(1), may_alias));

#if SCH_LANES == 4
#define V_REP(x) x, x, x, x
#define V_COUNT  0, 1, 2, 3
#elif SCH_LANES == 8
#define V_REP(x) x, x, x, x, x, x, x, x
#define V_COUNT  0, 1, 2, 3, 4, 5, 6, 7
#else
#define V_REP(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
#define V_COUNT  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#endif

#define V_INF_F32 __builtin_inff()
#define V_NAN_F32 __builtin_nanf("")
#define V_INF_F64 __builtin_inf()
#define V_NAN_F64 __builtin_nan("")

/* ---- bit casts: between vectors of the same size; anything else is a compile error --------- */

#define v_as_f32(v) ((vf32)(v))
#define v_as_i32(v) ((vi32)(v))
#define v_as_u32(v) ((vu32)(v))
#define v_as_f64(v) ((vf64)(v))
#define v_as_i64(v) ((vi64)(v))
#define v_as_u64(v) ((vu64)(v))

/* ---- splats and the lane number ------------------------------------------------------------ */

V_FN vf32 v_splat_f32(float x) { return (vf32){V_REP(x)}; }
V_FN vi32 v_splat_i32(int32_t x) { return (vi32){V_REP(x)}; }
V_FN vu32 v_splat_u32(uint32_t x) { return (vu32){V_REP(x)}; }
V_FN vf64 v_splat_f64(double x) { return (vf64){V_REP(x)}; }
V_FN vi64 v_splat_i64(int64_t x) { return (vi64){V_REP(x)}; }
V_FN vu64 v_splat_u64(uint64_t x) { return (vu64){V_REP(x)}; }
V_FN vi32 v_lane_i32(void) { return (vi32){V_COUNT}; }

/* ---- select: m ? a : b, lane by lane, on bits ---------------------------------------------- */

V_FN vi32 v_select_i32(vi32 m, vi32 a, vi32 b) { return (a & m) | (b & ~m); }
V_FN vu32 v_select_u32(vi32 m, vu32 a, vu32 b) { return (a & (vu32)m) | (b & ~(vu32)m); }
V_FN vf32 v_select_f32(vi32 m, vf32 a, vf32 b) { return (vf32)(((vi32)a & m) | ((vi32)b & ~m)); }
V_FN vi64 v_select_i64(vi64 m, vi64 a, vi64 b) { return (a & m) | (b & ~m); }
V_FN vu64 v_select_u64(vi64 m, vu64 a, vu64 b) { return (a & (vu64)m) | (b & ~(vu64)m); }
V_FN vf64 v_select_f64(vi64 m, vf64 a, vf64 b) { return (vf64)(((vi64)a & m) | ((vi64)b & ~m)); }

/* ---- masks --------------------------------------------------------------------------------- */

/* True if any lane of the mask is set. Only for 0 / -1 lanes. */
V_FN int v_any(vi32 m)
{
#if defined(__SSE2__) && SCH_LANES == 4
    return _mm_movemask_epi8((__m128i)m) != 0;
#elif defined(__AVX__) && SCH_LANES == 8
    return _mm256_movemask_ps((__m256)m) != 0;
#elif defined(__AVX512F__) && SCH_LANES == 16
    return _mm512_test_epi32_mask((__m512i)m, (__m512i)m) != 0;
#else
    union {
        vi32 v;
        uint64_t q[SCH_LANES / 2];
    } u = {.v = m};
    uint64_t r = 0;
    V_UNROLL for (int i = 0; i < SCH_LANES / 2; i++) r |= u.q[i];
    return r != 0;
#endif
}

V_FN int v_all(vi32 m) { return !v_any(~m); }

V_FN vi64 v_mask_widen(vi32 m) { return __builtin_convertvector(m, vi64); }
V_FN vi32 v_mask_narrow(vi64 m) { return __builtin_convertvector(m, vi32); }

/* Bit i of the result is lane i of the mask, and back. */
V_FN uint32_t v_mask_bits(vi32 m)
{
#if defined(__SSE2__) && SCH_LANES == 4
    return (uint32_t)_mm_movemask_ps((__m128)m);
#elif defined(__AVX__) && SCH_LANES == 8
    return (uint32_t)_mm256_movemask_ps((__m256)m);
#elif defined(__AVX512F__) && SCH_LANES == 16
    return _mm512_test_epi32_mask((__m512i)m, (__m512i)m);
#else
    uint32_t r = 0;
    V_EACH_LANE(i) r |= ((uint32_t)m[i] >> 31) << i;
    return r;
#endif
}
V_FN vi32 v_mask_from_bits(uint32_t bits) { return -(vi32)((v_splat_u32(bits) >> (vu32)v_lane_i32()) & 1u); }

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
    V_EACH_LANE(i) if (mask[i]) r[i] = *(const v_mem1_u32 *)((const char *)base + byte_offset[i]);
    return r;
}
V_FN vu32 v_gather_u16_bytes(const void *base, vi32 byte_offset, vi32 mask)
{
    vu32 r = v_splat_u32(0);
    V_EACH_LANE(i) if (mask[i]) r[i] = *(const v_mem1_u16 *)((const char *)base + byte_offset[i]);
    return r;
}
V_FN vu32 v_gather_u8_bytes(const void *base, vi32 byte_offset, vi32 mask)
{
    vu32 r = v_splat_u32(0);
    V_EACH_LANE(i) if (mask[i]) r[i] = *(const v_mem1_u8 *)((const char *)base + byte_offset[i]);
    return r;
}
/* The offset counts 32-bit elements. */
V_FN vu32 v_gather_u32(const void *base, vi32 index, vi32 mask)
{
    vu32 r = v_splat_u32(0);
    V_EACH_LANE(i) if (mask[i]) r[i] = *((const v_mem1_u32 *)base + index[i]);
    return r;
}

/* From rows that may be more than 4 GiB apart: base + row * row_bytes + byte_offset, both counts unsigned. */
#define V_GATHER_FAR(bits)                                                                                             \
    V_FN vu32 v_gather_far_u##bits(const void *base, vu32 row, uint64_t row_bytes, vu32 byte_offset, vi32 mask)        \
    {                                                                                                                  \
        vu32 r = v_splat_u32(0);                                                                                       \
        if (v_all(mask)) { /* the usual case has no branches */                                                        \
            V_EACH_LANE(i)                                                                                             \
            r[i] = *(const v_mem1_u##bits *)((const char *)base + (uint64_t)row[i] * row_bytes + byte_offset[i]);      \
        } else {                                                                                                       \
            V_EACH_LANE(i)                                                                                             \
            if (mask[i])                                                                                               \
                r[i] = *(const v_mem1_u##bits *)((const char *)base + (uint64_t)row[i] * row_bytes + byte_offset[i]);  \
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

/* The same of two and of four words side by side. */
V_FN void v_gather_near_u32x2(const void *base, vi32 byte_offset, vu32 word[2])
{
#if defined(__AVX512F__) && SCH_LANES == 16
    __m512i offset = (__m512i)byte_offset;
    __m512i a = _mm512_i32gather_epi64(_mm512_castsi512_si256(offset), base, 1);
    __m512i b = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(offset, 1), base, 1);
    vu32 low = (vu32)a, high = (vu32)b;
    word[0] = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    word[1] = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
#else
    vu64 pair = __builtin_convertvector(byte_offset, vu64);
    V_EACH_LANE(i) pair[i] = *(const v_mem1_u64 *)((const char *)base + byte_offset[i]);
    word[0] = __builtin_convertvector(pair, vu32);
    word[1] = __builtin_convertvector(pair >> 32, vu32);
#endif
}
#if defined(__AVX512F__) && SCH_LANES == 16
/* quad[i] holds the four words of lanes i, i + 4, i + 8, i + 12. */
V_FN void v_words_of_quads(const __m512i quad[4], vu32 word[4])
{
    __m512i a = _mm512_unpacklo_epi32(quad[0], quad[1]), b = _mm512_unpacklo_epi32(quad[2], quad[3]);
    __m512i c = _mm512_unpackhi_epi32(quad[0], quad[1]), d = _mm512_unpackhi_epi32(quad[2], quad[3]);
    word[0] = (vu32)_mm512_unpacklo_epi64(a, b);
    word[1] = (vu32)_mm512_unpackhi_epi64(a, b);
    word[2] = (vu32)_mm512_unpacklo_epi64(c, d);
    word[3] = (vu32)_mm512_unpackhi_epi64(c, d);
}
#endif
V_FN void v_gather_near_u32x4(const void *base, vi32 byte_offset, vu32 word[4])
{
#if defined(__AVX512F__) && SCH_LANES == 16
    const char *from = base;
    __m512i quad[4];
    V_UNROLL for (int i = 0; i < 4; i++)
    {
        __m512i four = _mm512_castsi128_si512(_mm_loadu_si128((const void *)(from + byte_offset[i])));
        four = _mm512_inserti32x4(four, _mm_loadu_si128((const void *)(from + byte_offset[i + 4])), 1);
        four = _mm512_inserti32x4(four, _mm_loadu_si128((const void *)(from + byte_offset[i + 8])), 2);
        quad[i] = _mm512_inserti32x4(four, _mm_loadu_si128((const void *)(from + byte_offset[i + 12])), 3);
    }
    v_words_of_quads(quad, word);
#else
    for (int n = 0; n < 4; n++) word[n] = v_gather_near_u32((const char *)base + 4 * n, byte_offset);
#endif
}
/* Of eight words, in two times four. */
V_FN void v_gather_near_u32x8(const void *base, vi32 byte_offset, vu32 first[4], vu32 second[4])
{
#if defined(__AVX512F__) && SCH_LANES == 16
    const char *from = base;
    __m512i low[4], high[4];
    V_UNROLL for (int i = 0; i < 4; i++)
    {
        __m512i a = _mm512_castsi256_si512(_mm256_loadu_si256((const void *)(from + byte_offset[i])));
        __m512i b = _mm512_castsi256_si512(_mm256_loadu_si256((const void *)(from + byte_offset[i + 8])));
        a = _mm512_inserti64x4(a, _mm256_loadu_si256((const void *)(from + byte_offset[i + 4])), 1);
        b = _mm512_inserti64x4(b, _mm256_loadu_si256((const void *)(from + byte_offset[i + 12])), 1);
        low[i] = _mm512_shuffle_i32x4(a, b, 0x88);
        high[i] = _mm512_shuffle_i32x4(a, b, 0xdd);
    }
    v_words_of_quads(low, first);
    v_words_of_quads(high, second);
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

/* ---- widening and narrowing ---------------------------------------------------------------- */

V_FN vi64 v_i64_from_i32(vi32 v) { return __builtin_convertvector(v, vi64); }
V_FN vu64 v_u64_from_u32(vu32 v) { return __builtin_convertvector(v, vu64); }
V_FN vu32 v_lo_u64(vu64 v) { return __builtin_convertvector(v, vu32); }
V_FN vu32 v_hi_u64(vu64 v) { return __builtin_convertvector(v >> 32, vu32); }
V_FN vu64 v_join_u64(vu32 lo, vu32 hi) { return v_u64_from_u32(lo) | (v_u64_from_u32(hi) << 32); }
V_FN vf64 v_join_f64(vu32 lo, vu32 hi) { return (vf64)v_join_u64(lo, hi); }
V_FN vi64 v_join_i64(vu32 lo, vu32 hi) { return (vi64)v_join_u64(lo, hi); }

/* Exact. */
V_FN vf64 v_f64_from_f32(vf32 v) { return __builtin_convertvector(v, vf64); }
/* Correctly rounded: to even, into denormals, to infinity. */
V_FN vf32 v_f32_from_f64(vf64 v) { return __builtin_convertvector(v, vf32); }

/* ---- signs, NaN ---------------------------------------------------------------------------- */

V_FN vf32 v_abs_f32(vf32 v) { return (vf32)((vu32)v & 0x7fffffffu); }
V_FN vf32 v_neg_f32(vf32 v) { return (vf32)((vu32)v ^ 0x80000000u); }
V_FN vf64 v_abs_f64(vf64 v) { return (vf64)((vu64)v & (UINT64_MAX >> 1)); }
V_FN vf64 v_neg_f64(vf64 v) { return (vf64)((vu64)v ^ ((uint64_t)1 << 63)); }
V_FN vf32 v_copysign_f32(vf32 magnitude, vf32 sign)
{
    return (vf32)(((vu32)magnitude & 0x7fffffffu) | ((vu32)sign & 0x80000000u));
}
V_FN vf64 v_copysign_f64(vf64 magnitude, vf64 sign)
{
    return (vf64)(((vu64)magnitude & (UINT64_MAX >> 1)) | ((vu64)sign & ((uint64_t)1 << 63)));
}

V_FN vi32 v_isnan_f32(vf32 v) { return (vi32)(v != v); }
V_FN vi64 v_isnan_f64(vf64 v) { return (vi64)(v != v); }

V_FN vf32 v_canon_f32(vf32 v) { return (vf32)v_select_u32(v_isnan_f32(v), v_splat_u32(0x7fc00000u), (vu32)v); }
V_FN vf64 v_canon_f64(vf64 v)
{
    return (vf64)v_select_u64(v_isnan_f64(v), v_splat_u64((uint64_t)0x7ff8 << 48), (vu64)v);
}

/* ---- machine vectors: the pieces that intrinsics work on ----------------------------------- */

#if defined(__SSE2__)
#if defined(__AVX512F__) && SCH_LANES == 16
typedef __m512 v_part_f32;
typedef __m512i v_part_i32;
#define V_PART_F32(op)            _mm512_##op##_ps
#define V_PART_CUT_I32(x)         _mm512_cvttps_epi32(x)
#define V_PART_ROUND_F32(x, mode) _mm512_roundscale_ps(x, (mode) | _MM_FROUND_NO_EXC)
#define V_FMA_F32                 1
#elif defined(__AVX__) && SCH_LANES >= 8
typedef __m256 v_part_f32;
typedef __m256i v_part_i32;
#define V_PART_F32(op)            _mm256_##op##_ps
#define V_PART_CUT_I32(x)         _mm256_cvttps_epi32(x)
#define V_PART_ROUND_F32(x, mode) _mm256_round_ps(x, (mode) | _MM_FROUND_NO_EXC)
#else
typedef __m128 v_part_f32;
typedef __m128i v_part_i32;
#define V_PART_F32(op)            _mm_##op##_ps
#define V_PART_CUT_I32(x)         _mm_cvttps_epi32(x)
#define V_PART_ROUND_F32(x, mode) _mm_round_ps(x, (mode) | _MM_FROUND_NO_EXC)
#endif
#if defined(__AVX512F__) && SCH_LANES >= 8
typedef __m512d v_part_f64;
#define V_PART_F64(op)            _mm512_##op##_pd
#define V_PART_ROUND_F64(x, mode) _mm512_roundscale_pd(x, (mode) | _MM_FROUND_NO_EXC)
#define V_FMA_F64                 1
#elif defined(__AVX__)
typedef __m256d v_part_f64;
#define V_PART_F64(op)            _mm256_##op##_pd
#define V_PART_ROUND_F64(x, mode) _mm256_round_pd(x, (mode) | _MM_FROUND_NO_EXC)
#else
typedef __m128d v_part_f64;
#define V_PART_F64(op)            _mm_##op##_pd
#define V_PART_ROUND_F64(x, mode) _mm_round_pd(x, (mode) | _MM_FROUND_NO_EXC)
#endif
#define V_PART_SQRT_F32(x) V_PART_F32(sqrt)(x)
#define V_PART_SQRT_F64(x) V_PART_F64(sqrt)(x)
#if defined(__SSE4_1__)
#define V_ROUND            1
#define V_PART_FLOOR(t, x) V_PART_ROUND_##t(x, _MM_FROUND_TO_NEG_INF)
#define V_PART_CEIL(t, x)  V_PART_ROUND_##t(x, _MM_FROUND_TO_POS_INF)
#define V_PART_TRUNC(t, x) V_PART_ROUND_##t(x, _MM_FROUND_TO_ZERO)
#define V_PART_RINT(t, x)  V_PART_ROUND_##t(x, _MM_FROUND_TO_NEAREST_INT)
#endif
#if defined(__FMA__) && !defined(V_FMA_F32)
#define V_FMA_F32 1
#endif
#if defined(__FMA__) && !defined(V_FMA_F64)
#define V_FMA_F64 1
#endif
#define V_PART_FMA_F32(a, b, c) V_PART_F32(fmadd)(a, b, c)
#define V_PART_FMA_F64(a, b, c) V_PART_F64(fmadd)(a, b, c)
#elif defined(__aarch64__)
typedef float32x4_t v_part_f32;
typedef float64x2_t v_part_f64;
#define V_PART_SQRT_F32(x)      vsqrtq_f32(x)
#define V_PART_SQRT_F64(x)      vsqrtq_f64(x)
#define V_ROUND                 1
#define V_A64_F32(op)           op##_f32
#define V_A64_F64(op)           op##_f64
#define V_PART_FLOOR(t, x)      V_A64_##t(vrndmq)(x)
#define V_PART_CEIL(t, x)       V_A64_##t(vrndpq)(x)
#define V_PART_TRUNC(t, x)      V_A64_##t(vrndq)(x)
#define V_PART_RINT(t, x)       V_A64_##t(vrndnq)(x)
#define V_FMA_F32               1
#define V_FMA_F64               1
#define V_PART_FMA_F32(a, b, c) vfmaq_f32(c, a, b)
#define V_PART_FMA_F64(a, b, c) vfmaq_f64(c, a, b)
#else
/* Elsewhere one lane is a piece; with -fno-math-errno the builtins are instructions wherever the
   machine has a square root. */
typedef float v_part_f32;
typedef double v_part_f64;
#define V_PART_SQRT_F32(x) __builtin_sqrtf(x)
#define V_PART_SQRT_F64(x) __builtin_sqrt(x)
#endif

typedef union {
    vf32 v;
    v_part_f32 p[sizeof(vf32) / sizeof(v_part_f32)];
} v_parts_f32;
typedef union {
    vf64 v;
    v_part_f64 p[sizeof(vf64) / sizeof(v_part_f64)];
} v_parts_f64;
#define V_EACH_PART(i, u) V_UNROLL for (unsigned i = 0; i < sizeof(u.p) / sizeof(u.p[0]); i++)

/* ---- square root: correctly rounded --------------------------------------------------------- */

V_FN vf32 v_sqrt_f32(vf32 v)
{
    v_parts_f32 u = {.v = v};
    V_EACH_PART(i, u) u.p[i] = V_PART_SQRT_F32(u.p[i]);
    return u.v;
}
V_FN vf64 v_sqrt_f64(vf64 v)
{
    v_parts_f64 u = {.v = v};
    V_EACH_PART(i, u) u.p[i] = V_PART_SQRT_F64(u.p[i]);
    return u.v;
}

/* a > b ? a : b and a < b ? a : b: b where either is a NaN or both are zeros. */
#if defined(__SSE2__)
#define V_PART_LIMIT(name, sign, op)                                                                                   \
    V_FN vf32 v_##name##_f32(vf32 a, vf32 b)                                                                           \
    {                                                                                                                  \
        v_parts_f32 u = {.v = a}, w = {.v = b};                                                                        \
        V_EACH_PART(i, u) u.p[i] = V_PART_F32(op)(u.p[i], w.p[i]);                                                     \
        return u.v;                                                                                                    \
    }
#else
#define V_PART_LIMIT(name, sign, op)                                                                                   \
    V_FN vf32 v_##name##_f32(vf32 a, vf32 b) { return v_select_f32((vi32)(a sign b), a, b); }
#endif
V_PART_LIMIT(greater, >, max)
V_PART_LIMIT(less, <, min)
#undef V_PART_LIMIT

/* ---- rounding to integral values ------------------------------------------------------------
 * Exact; the sign of the argument is kept on zero results; infinities and big values stay; a NaN
 * stays a (quiet) NaN. The _soft forms use only additions: adding and subtracting 2^23 (2^52)
 * with the argument's sign rounds anything smaller to an integer, ties to even, and a step of one
 * makes floor, ceil and trunc of it. `v + 0` quiets NaN and changes nothing else there. */

#define V_SOFT_ROUNDING(T, F, I, M, big)                                                                               \
    V_FN F v_rint_##T##_soft(F v)                                                                                      \
    {                                                                                                                  \
        F c = v_copysign_##T(v_splat_##T(big), v);                                                                     \
        F r = (v + c) - c;                                                                                             \
        return v_select_##T((M)(v_abs_##T(v) < v_splat_##T(big)), v_copysign_##T(r, v), v + 0);                        \
    }                                                                                                                  \
    V_FN F v_floor_##T##_soft(F v)                                                                                     \
    {                                                                                                                  \
        F c = v_copysign_##T(v_splat_##T(big), v);                                                                     \
        F r = (v + c) - c;                                                                                             \
        r = r - (F)((M)(r > v) & (M)v_splat_##T(1));                                                                   \
        return v_select_##T((M)(v_abs_##T(v) < v_splat_##T(big)), v_copysign_##T(r, v), v + 0);                        \
    }                                                                                                                  \
    V_FN F v_ceil_##T##_soft(F v) { return v_neg_##T(v_floor_##T##_soft(v_neg_##T(v))); }                              \
    V_FN F v_trunc_##T##_soft(F v) { return v_copysign_##T(v_floor_##T##_soft(v_abs_##T(v)), v); }
V_SOFT_ROUNDING(f32, vf32, vi32, vi32, 8388608.0f)
V_SOFT_ROUNDING(f64, vf64, vi64, vi64, 4503599627370496.0)
#undef V_SOFT_ROUNDING

#if defined(V_ROUND)
#define V_ROUNDING(name, NAME)                                                                                         \
    V_FN vf32 v_##name##_f32(vf32 v)                                                                                   \
    {                                                                                                                  \
        v_parts_f32 u = {.v = v};                                                                                      \
        V_EACH_PART(i, u) u.p[i] = V_PART_##NAME(F32, u.p[i]);                                                         \
        return u.v;                                                                                                    \
    }                                                                                                                  \
    V_FN vf64 v_##name##_f64(vf64 v)                                                                                   \
    {                                                                                                                  \
        v_parts_f64 u = {.v = v};                                                                                      \
        V_EACH_PART(i, u) u.p[i] = V_PART_##NAME(F64, u.p[i]);                                                         \
        return u.v;                                                                                                    \
    }
#else
#define V_ROUNDING(name, NAME)                                                                                         \
    V_FN vf32 v_##name##_f32(vf32 v) { return v_##name##_f32_soft(v); }                                                \
    V_FN vf64 v_##name##_f64(vf64 v) { return v_##name##_f64_soft(v); }
#endif
V_ROUNDING(floor, FLOOR)
V_ROUNDING(ceil, CEIL)
V_ROUNDING(trunc, TRUNC)
V_ROUNDING(rint, RINT)
#undef V_ROUNDING

/* ---- fused multiply-add: a * b + c with one rounding ----------------------------------------- */

/* s = RN(s + e) with |e| <= ulp(s)/2 becomes the round-to-odd of s + e: where e is not zero and
   the last bit of s is even, the neighbour of s on the side of e. A later rounding to at least
   two bits less is then as if done once. A NaN or infinite s is left alone (e is NaN there). */
V_FN vf64 v_round_odd(vf64 s, vf64 e)
{
    vi64 inexact = (vi64)(e < 0.0) | (vi64)(e > 0.0);
    vi64 even = ((vi64)s & 1) - 1;
    vi64 toward_zero = -(vi64)(((vu64)s ^ (vu64)e) >> 63);
    return (vf64)((vu64)s + (vu64)((1 | toward_zero) & inexact & even));
}

/* The error of s = RN(a + b), exactly (Knuth); NaN if s is not finite. */
V_FN vf64 v_two_sum_error(vf64 a, vf64 b, vf64 s)
{
    vf64 t = s - a;
    return (a - (s - t)) + (b - t);
}

/* The product of two floats is exact in double; the sum is rounded to odd there, then to float. */
V_FN vf32 v_fma_f32_soft(vf32 a, vf32 b, vf32 c)
{
    vf64 p = v_f64_from_f32(a) * v_f64_from_f32(b);
    vf64 d = v_f64_from_f32(c);
    vf64 s = p + d;
    return v_f32_from_f64(v_round_odd(s, v_two_sum_error(p, d, s)));
}

/* One fused multiply-add in integer arithmetic, right for every argument. Kept out of line (it is
   big, rare, and takes no vectors). */
static __attribute__((noinline, unused)) double v_fma1_soft(double a, double b, double c)
{
    __extension__ typedef unsigned __int128 u128;
    union {
        double d;
        uint64_t u;
    } ua = {a}, ub = {b}, uc = {c}, r;
    const uint64_t expo = (uint64_t)0x7ff << 52, frac = ((uint64_t)1 << 52) - 1;
    const uint64_t sign = (uint64_t)1 << 63;
    if ((ua.u & expo) == expo || (ub.u & expo) == expo) return a * b + c;
    if ((uc.u & expo) == expo) return c + c;
    if (a == 0 || b == 0) return a * b + c;
    if (c == 0) return a * b;
    /* value = m * 2^e with 2^52 <= m < 2^53; denormals are scaled up first */
    int ea = -1075, eb = -1075, ec = -1075;
    if (!(ua.u & expo)) ua.d *= 0x1p64, ea -= 64;
    if (!(ub.u & expo)) ub.d *= 0x1p64, eb -= 64;
    if (!(uc.u & expo)) uc.d *= 0x1p64, ec -= 64;
    ea += (int)(ua.u >> 52 & 0x7ff);
    eb += (int)(ub.u >> 52 & 0x7ff);
    ec += (int)(uc.u >> 52 & 0x7ff);
    /* both terms with their top bit at 124 or 125 */
    u128 p = (u128)((ua.u & frac) | (frac + 1)) * ((ub.u & frac) | (frac + 1)) << 20;
    u128 q = (u128)((uc.u & frac) | (frac + 1)) << 72;
    int ep = ea + eb - 20, eq = ec - 72;
    uint64_t sp = (ua.u ^ ub.u) & sign, sq = uc.u & sign;
    /* align to the larger exponent; bits shifted out leave a 1 in the last place. They exist only
       where the other term is so much larger that at most one leading bit can cancel. */
    int d = ep - eq;
    if (d > 0) {
        q = d > 126 ? 1 : (q >> d) | ((q & (((u128)1 << d) - 1)) != 0);
        eq = ep;
    } else if (d < 0) {
        d = -d;
        p = d > 126 ? 1 : (p >> d) | ((p & (((u128)1 << d) - 1)) != 0);
    }
    u128 m;
    if (sp == sq) {
        m = p + q;
    } else if (p == q) {
        return 0.0;
    } else if (p > q) {
        m = p - q;
    } else {
        m = q - p;
        sp = sq;
    }
    uint64_t hi = (uint64_t)(m >> 64), lo = (uint64_t)m;
    int top = hi ? 127 - __builtin_clzll(hi) : 63 - __builtin_clzll(lo);
    if (top + eq > 1023) {
        r.u = sp | expo;
        return r.d;
    }
    int last = top + eq - 52; /* the exponent of the result's last bit */
    if (last < -1074) last = -1074;
    int shift = last - eq;
    uint64_t k;
    if (shift <= 0) {
        k = (uint64_t)(m << -shift);
    } else if (shift > 127) {
        k = 0;
    } else {
        u128 rest = m & (((u128)1 << shift) - 1), half = (u128)1 << (shift - 1);
        k = (uint64_t)(m >> shift);
        k += rest > half || (rest == half && (k & 1));
    }
    r.u = sp | (((uint64_t)(last + 1074) << 52) + k);
    return r.d;
}

V_FN vf64 v_fma_f64_slow(vf64 a, vf64 b, vf64 c)
{
    V_EACH_LANE(i) a[i] = v_fma1_soft(a[i], b[i], c[i]);
    return a;
}

/* Boldo and Melquiond: a * b = p + e exactly (Dekker), then p + e + c with all but the last sum
   exact or rounded to odd. Holds where nothing overflows or underflows. */
V_FN vf64 v_fma_f64_fast(vf64 a, vf64 b, vf64 c)
{
    vf64 p = a * b;
    vf64 t = a * 134217729.0, ah = t - (t - a), al = a - ah;
    vf64 u = b * 134217729.0, bh = u - (u - b), bl = b - bh;
    vf64 e = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    vf64 s = c + e, se = v_two_sum_error(c, e, s);
    vf64 h = p + s, he = v_two_sum_error(p, s, h);
    vf64 w = he + se, we = v_two_sum_error(he, se, w);
    vf64 r = h + v_round_odd(w, we);
    /* an exact zero has the sign of the plain sum, whose product is then exact */
    return v_select_f64((vi64)(r == 0.0), p + c, r);
}

/* The fast form where all lanes' arguments are zero or of moderate size, else lane by lane; both
   are exact, so the choice does not show. */
V_FN vf64 v_fma_f64_soft(vf64 a, vf64 b, vf64 c)
{
    vf64 x = v_abs_f64(a), y = v_abs_f64(b), z = v_abs_f64(c);
    vi64 ok = (vi64)(x < 0x1p400) & ((vi64)(x > 0x1p-400) | (vi64)(x == 0.0));
    ok &= (vi64)(y < 0x1p400) & ((vi64)(y > 0x1p-400) | (vi64)(y == 0.0));
    ok &= (vi64)(z < 0x1p800) & ((vi64)(z > 0x1p-800) | (vi64)(z == 0.0));
    if (v_all(v_mask_narrow(ok))) return v_fma_f64_fast(a, b, c);
    return v_fma_f64_slow(a, b, c);
}

V_FN vf32 v_fma_f32(vf32 a, vf32 b, vf32 c)
{
#if defined(V_FMA_F32)
    v_parts_f32 x = {.v = a}, y = {.v = b}, z = {.v = c};
    V_EACH_PART(i, x) x.p[i] = V_PART_FMA_F32(x.p[i], y.p[i], z.p[i]);
    return x.v;
#else
    return v_fma_f32_soft(a, b, c);
#endif
}

V_FN vf64 v_fma_f64(vf64 a, vf64 b, vf64 c)
{
#if defined(V_FMA_F64)
    v_parts_f64 x = {.v = a}, y = {.v = b}, z = {.v = c};
    V_EACH_PART(i, x) x.p[i] = V_PART_FMA_F64(x.p[i], y.p[i], z.p[i]);
    return x.v;
#else
    return v_fma_f64_soft(a, b, c);
#endif
}

/* 1 / sqrt(v), correctly rounded: an approximation y, corrected by v * y * y - 1, whose product is exact in two parts.
   Compared with the double form for all floats from 1 to 4 and y the nearest float or a neighbour of it; powers of 4
   scale every step exactly. Where the root is 0 or infinite there is nothing to correct.
   y is the quotient of the rounded root; or the instruction's 14 bits and one of Newton's steps, which loses 2^-27.4,
   2^-25 by the product and half a place: 1.1 places, so it is at most one float from the nearest. */
#if defined(__AVX512DQ__) && SCH_LANES == 16
#define V_ROOT_14 1
#else
#define V_ROOT_14 0
#endif
V_FN vf32 v_corrected_root_f32(vf32 v, vf32 y)
{
    vf32 high = v * y, low = v_fma_f32(v, y, v_neg_f32(high));
    vf32 rest = v_fma_f32(v_neg_f32(low), y, v_fma_f32(v_neg_f32(high), y, v_splat_f32(1.0f)));
    vf32 step = v_fma_f32(rest * rest, v_splat_f32(0.375f), rest * 0.5f);
    return v_fma_f32(y, step, y);
}
V_FN vf32 v_reciprocal_root_f32(vf32 v)
{
#if V_ROOT_14
    enum { ZEROS_AND_INFINITY = 0x02 | 0x04 | 0x08 };
    vf32 first = (vf32)_mm512_rsqrt14_ps((__m512)v), half = first * 0.5f;
    vf32 y = v_fma_f32(half, v_fma_f32(v_neg_f32(v * first), first, v_splat_f32(1.0f)), first);
    __mmask16 edge = _mm512_fpclass_ps_mask((__m512)v, ZEROS_AND_INFINITY);
    y = (vf32)_mm512_mask_blend_ps(edge, (__m512)y, (__m512)first);
    return (vf32)_mm512_mask_blend_ps(edge, (__m512)v_corrected_root_f32(v, y), (__m512)y);
#elif defined(V_FMA_F32)
    vf32 y = 1.0f / v_sqrt_f32(v), better = v_corrected_root_f32(v, y);
    return v_select_f32(v_isnan_f32(better), y, better);
#else
    return v_f32_from_f64(v_splat_f64(1.0) / v_sqrt_f64(v_f64_from_f32(v)));
#endif
}
#undef V_ROOT_14

/* ---- two 16-bit numbers in each word ---- */

#define V_HALVES(name, op)                                                                                             \
    V_FN vu32 name(vu32 a, vu32 b)                                                                                     \
    {                                                                                                                  \
        typedef uint16_t halves __attribute__((vector_size(sizeof(vu32))));                                            \
        return (vu32)(halves)((halves)a op(halves) b);                                                                 \
    }
V_HALVES(v_add_halves_u32, +)
V_HALVES(v_sub_halves_u32, -)
V_HALVES(v_mul_halves_u32, *) /* modulo 2^16 */
#undef V_HALVES

/* The sum of the two products of signed halves. */
V_FN vi32 v_dot_halves_i32(vu32 a, vu32 b)
{
#if defined(__AVX512BW__) && SCH_LANES == 16
    return (vi32)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__) && SCH_LANES == 8
    return (vi32)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__) && SCH_LANES == 4
    return (vi32)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    return ((vi32)(a << 16) >> 16) * ((vi32)(b << 16) >> 16) + ((vi32)a >> 16) * ((vi32)b >> 16);
#endif
}

/* a * (256 - weight) + b * weight, for a and b below 2^16 and weights to 256. Where products of words are dear, of
   signed halves: those of a and b less 2^15. */
V_FN vu32 v_weigh_halves_u32(vu32 a, vu32 b, vu32 weight)
{
#if defined(__SSE2__) && !defined(__SSE4_1__)
    return (vu32)v_dot_halves_i32((a | b << 16) ^ 0x80008000u, (256u - weight) | weight << 16) + (1u << 23);
#else
    return a * (256u - weight) + b * weight;
#endif
}

/* v / 255 * scale, correctly rounded, for whole numbers v from 0 to 2^24 and scales that are powers of two: the
   reciprocal in two parts. No quotient comes nearer to a middle of floats than 2^-33 of itself; this errs by 2^-47. */
V_FN vf32 v_over_255_f32(vf32 v, float scale)
{
#if defined(V_FMA_F32)
    return v_fma_f32(v, v_splat_f32(0x1.010102p-8f * scale), v * (-0x1.fdfdfep-33f * scale));
#else
    return v / (255.0f / scale);
#endif
}

/* The same of integers up to 255 * 2^24. What v's float loses is an exact float itself, below 2^8; the sum of what the
   parts add errs by less than 2^-40, and a middle of floats is not nearer than 2^-32 to a quotient below 2^24. */
V_FN vf32 v_wide_over_255_f32(vu32 v, float scale)
{
#if defined(V_FMA_F32)
#if defined(__AVX512F__)
    vf32 high = __builtin_convertvector(v, vf32);
    vf32 low = __builtin_convertvector((vi32)(v - __builtin_convertvector(high, vu32)), vf32);
#else
    vf32 high = __builtin_convertvector((vi32)(v >> 8), vf32) * 256.0f;
    high = (vf32)v_select_u32((vi32)(v < 0x1000000u), (vu32) __builtin_convertvector((vi32)v, vf32), (vu32)high);
    vf32 low = __builtin_convertvector((vi32)(v & 255u & (vu32)(vi32)(v >= 0x1000000u)), vf32);
#endif
    vf32 rest = v_fma_f32(high, v_splat_f32(-0x1.fdfdfep-33f * scale), low * (0x1.010102p-8f * scale));
    return v_fma_f32(high, v_splat_f32(0x1.010102p-8f * scale), rest);
#else
    vf64 wide = __builtin_convertvector((vi32)(v ^ 0x80000000u), vf64) + 0x1p31;
    return __builtin_convertvector(wide / (255.0 / (double)scale), vf32);
#endif
}

/* ---- 32-bit integer to double: exact --------------------------------------------------------- */

V_FN vf64 v_f64_from_i32(vi32 v) { return __builtin_convertvector(v, vf64); }
#if defined(__AVX512F__)
V_FN vf64 v_f64_from_u32(vu32 v) { return __builtin_convertvector(v, vf64); }
#else
V_FN vf64 v_f64_from_u32(vu32 v) { return __builtin_convertvector((vi32)(v ^ 0x80000000u), vf64) + 0x1p31; }
#endif

/* ---- float to integer: toward zero, saturating, NaN gives 0 ---------------------------------
 * x86 converts what is out of range, and NaN, to INT32_MIN (to UINT32_MAX without a sign). In C arguments are zeroed
 * where out of range before the conversion, which is undefined there. */

#if defined(V_PART_CUT_I32)
V_FN vi32 v_i32_from_f32(vf32 v)
{
    v_parts_f32 u = {.v = v};
    union {
        vi32 v;
        v_part_i32 p[sizeof(vf32) / sizeof(v_part_f32)];
    } r;
    V_EACH_PART(i, u) r.p[i] = V_PART_CUT_I32(u.p[i]);
#if defined(__AVX512F__) && SCH_LANES == 16
    r.v = v_select_i32((vi32)(v >= 0x1p31f), v_splat_i32(INT32_MAX), r.v);
    return r.v & (vi32)(v == v);
#else
    return (r.v ^ (vi32)(v >= 0x1p31f)) & (vi32)(v == v);
#endif
}
#else
V_FN vi32 v_i32_from_f32(vf32 v)
{
    vi32 high = (vi32)(v >= 0x1p31f), low = (vi32)(v < -0x1p31f);
    vi32 in = (vi32)(v < 0x1p31f) & ~low;
    vi32 r = __builtin_convertvector((vf32)((vi32)v & in), vi32);
    return r | (high & INT32_MAX) | (low & INT32_MIN);
}
#endif
#if defined(__AVX512F__) && SCH_LANES == 16
V_FN vu32 v_u32_from_f32(vf32 v) { return (vu32)_mm512_cvttps_epu32((__m512)v) & (vu32)(vi32)(v > 0.0f); }
#else
V_FN vu32 v_u32_from_f32(vf32 v)
{
    vi32 high = (vi32)(v >= 0x1p32f), in = (vi32)(v > 0.0f) & (vi32)(v < 0x1p32f);
    vi32 upper = (vi32)(v >= 0x1p31f);
    vf32 x = v - (vf32)(upper & (vi32)v_splat_f32(0x1p31f));
    vi32 r = __builtin_convertvector((vf32)((vi32)x & in), vi32);
    return (vu32)((r ^ (upper & in & INT32_MIN)) | high);
}
#endif
V_FN vi32 v_i32_from_f64(vf64 v)
{
    vi64 high = (vi64)(v >= 0x1p31), low = (vi64)(v < -0x1p31);
    vi64 in = (vi64)(v < 0x1p31) & ~low;
    vi32 r = __builtin_convertvector((vf64)((vi64)v & in), vi32);
    return r | (v_mask_narrow(high) & INT32_MAX) | (v_mask_narrow(low) & INT32_MIN);
}
V_FN vu32 v_u32_from_f64(vf64 v)
{
    vi64 high = (vi64)(v >= 0x1p32), in = (vi64)(v > 0.0) & (vi64)(v < 0x1p32);
    vi64 upper = (vi64)(v >= 0x1p31);
    vf64 x = v - (vf64)(upper & (vi64)v_splat_f64(0x1p31));
    vi32 r = __builtin_convertvector((vf64)((vi64)x & in), vi32);
    return (vu32)((r ^ (v_mask_narrow(upper & in) & INT32_MIN)) | v_mask_narrow(high));
}
/* In two halves, each saturating by itself: v - high * 2^32 is exact, and for v >= 2^64 it is 2^32
   or more. (A direct vector conversion to 64-bit integers is scalar code before AVX-512, and one
   from float through double makes gcc 12 fail with an internal error.) */
V_FN vu64 v_u64_from_f64(vf64 v)
{
    vu32 high = v_u32_from_f64(v * 0x1p-32);
    vf64 rest = v - v_f64_from_u32(high) * 0x1p32;
    return v_join_u64(v_u32_from_f64(rest), high);
}
V_FN vi64 v_i64_from_f64(vf64 v)
{
    vi64 high = (vi64)(v >= 0x1p63), low = (vi64)(v < -0x1p63);
    vu64 sign = (vu64)(vi64)(v < 0.0);
    vu64 magnitude = v_u64_from_f64(v_abs_f64(v));
    vi64 r = (vi64)((magnitude ^ sign) - sign);
    return v_select_i64(high, v_splat_i64(INT64_MAX), v_select_i64(low, v_splat_i64(INT64_MIN), r));
}
V_FN vi64 v_i64_from_f32(vf32 v) { return v_i64_from_f64(v_f64_from_f32(v)); }
V_FN vu64 v_u64_from_f32(vf32 v) { return v_u64_from_f64(v_f64_from_f32(v)); }

/* ---- other integers to float: correctly rounded, ties to even --------------------------------------- */

V_FN vf32 v_f32_from_i32(vi32 v) { return __builtin_convertvector(v, vf32); }
#if defined(__AVX512F__)
V_FN vf32 v_f32_from_u32(vu32 v) { return __builtin_convertvector(v, vf32); }
#else
/* Both halves are exact; their sum is rounded once. */
V_FN vf32 v_f32_from_u32(vu32 v)
{
    return v_f32_from_i32((vi32)(v >> 16)) * 65536.0f + v_f32_from_i32((vi32)(v & 0xffffu));
}
#endif

/* 64-bit integers are a high half times 2^32 plus a low half, both exact in double: one rounding
   to double, and for float first one to odd. */
V_FN vf64 v_f64_from_i64(vi64 v)
{
    vf64 h = v_f64_from_i32((vi32)v_hi_u64((vu64)v)) * 0x1p32;
    return h + v_f64_from_u32(v_lo_u64((vu64)v));
}
V_FN vf64 v_f64_from_u64(vu64 v)
{
    vf64 h = v_f64_from_u32(v_hi_u64(v)) * 0x1p32;
    return h + v_f64_from_u32(v_lo_u64(v));
}
V_FN vf32 v_f32_from_i64(vi64 v)
{
    vf64 h = v_f64_from_i32((vi32)v_hi_u64((vu64)v)) * 0x1p32;
    vf64 l = v_f64_from_u32(v_lo_u64((vu64)v)), s = h + l;
    return v_f32_from_f64(v_round_odd(s, v_two_sum_error(h, l, s)));
}
V_FN vf32 v_f32_from_u64(vu64 v)
{
    vf64 h = v_f64_from_u32(v_hi_u64(v)) * 0x1p32;
    vf64 l = v_f64_from_u32(v_lo_u64(v)), s = h + l;
    return v_f32_from_f64(v_round_odd(s, v_two_sum_error(h, l, s)));
}

/* ---- halves: the 16 bits of an IEEE binary16 in the low bits of each lane --------------------- */

/* Adds the sign back; NaN becomes 0x7e00 without a sign. */
V_FN vu32 v_half_finish(vf32 v, vu32 r)
{
    r |= ((vu32)v >> 16) & 0x8000u;
    return v_select_u32(v_isnan_f32(v), v_splat_u32(0x7e00u), r);
}

/* Nearest even; denormals kept; 65520 and more is infinity. */
V_FN vu32 v_f16_from_f32(vf32 v)
{
    vu32 u = (vu32)v & 0x7fffffffu;
    vu32 normal = ((u + 0xfffu + ((u >> 13) & 1u)) >> 13) - (112u << 10);
    /* 1/2 has its last bit at 2^-24, a half denormal's unit */
    vu32 small = (vu32)((vf32)u + 0.5f) - 0x3f000000u;
    vu32 r = v_select_u32((vi32)(u < 0x38800000u), small, normal);
    r = v_select_u32((vi32)(u >= 0x477ff000u), v_splat_u32(0x7c00u), r);
    return v_half_finish(v, r);
}

/* Toward zero: finite values of 65504 and more give 65504, infinity stays. */
V_FN vu32 v_f16_from_f32_rtz(vf32 v)
{
    vu32 u = (vu32)v & 0x7fffffffu;
    vu32 normal = (u >> 13) - (112u << 10);
    vi32 tiny = (vi32)(u < 0x38800000u);
    vf32 scaled = (vf32)((vu32)tiny & u) * 0x1p24f; /* below 2^10: exact */
    vu32 r = v_select_u32(tiny, (vu32) __builtin_convertvector(scaled, vi32), normal);
    r = v_select_u32((vi32)(u >= 0x477fe000u), v_splat_u32(0x7bffu), r);
    r = v_select_u32((vi32)(u >= 0x7f800000u), v_splat_u32(0x7c00u), r);
    return v_half_finish(v, r);
}

/* Exact; NaN becomes 0x7fc00000. Bits above the low 16 are ignored. */
V_FN vf32 v_f32_from_f16(vu32 h)
{
    vu32 m = h & 0x7fffu;
    vu32 normal = (m << 13) + (112u << 23);
    vu32 small = (vu32)(__builtin_convertvector((vi32)m, vf32) * 0x1p-24f);
    vu32 r = v_select_u32((vi32)(m < 0x400u), small, normal);
    r = v_select_u32((vi32)(m == 0x7c00u), v_splat_u32(0x7f800000u), r) | (h & 0x8000u) << 16;
    return (vf32)v_select_u32((vi32)(m > 0x7c00u), v_splat_u32(0x7fc00000u), r);
}

/* ---- integers ------------------------------------------------------------------------------- */

V_FN vu32 v_min_u32(vu32 a, vu32 b) { return v_select_u32((vi32)(a < b), a, b); }
V_FN vi32 v_max_i32(vi32 a, vi32 b) { return v_select_i32((vi32)(a > b), a, b); }
/* Between -limit and limit. */
V_FN vi32 v_limit_i32(vi32 v, int32_t limit)
{
    v = v_select_i32((vi32)(v > limit), v_splat_i32(limit), v);
    return v_select_i32((vi32)(v < -limit), v_splat_i32(-limit), v);
}
V_FN vi64 v_limit_i64(vi64 v, int64_t limit)
{
    v = v_select_i64((vi64)(v > limit), v_splat_i64(limit), v);
    return v_select_i64((vi64)(v < -limit), v_splat_i64(-limit), v);
}

/* Shifts by the count's low 5 (6) bits. */
V_FN vu32 v_shl_u32(vu32 v, vu32 n) { return v << (n & 31u); }
V_FN vu32 v_shr_u32(vu32 v, vu32 n) { return v >> (n & 31u); }
V_FN vi32 v_sar_i32(vi32 v, vu32 n) { return v >> (vi32)(n & 31u); }
V_FN vu64 v_shl_u64(vu64 v, vu64 n) { return v << (n & 63u); }
V_FN vu64 v_shr_u64(vu64 v, vu64 n) { return v >> (n & 63u); }
V_FN vi64 v_sar_i64(vi64 v, vu64 n) { return v >> (vi64)(n & 63u); }

/* The upper 32 bits of the 64-bit product. */
V_FN vu32 v_mul_hi_u32(vu32 a, vu32 b) { return v_hi_u64(v_u64_from_u32(a) * v_u64_from_u32(b)); }
V_FN vi32 v_mul_hi_i32(vi32 a, vi32 b) { return (vi32)v_hi_u64((vu64)v_i64_from_i32(a) * (vu64)v_i64_from_i32(b)); }

V_FN vu32 v_popcount_u32(vu32 v)
{
    v = v - ((v >> 1) & 0x55555555u);
    v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    v = v + (v >> 8);
    return (v + (v >> 16)) & 63u;
}
V_FN vu32 v_bit_reverse_u32(vu32 v)
{
    v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
    v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
    v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
    v = ((v >> 8) & 0x00ff00ffu) | ((v & 0x00ff00ffu) << 8);
    return (v >> 16) | (v << 16);
}
/* The number, from bit 0 up, of the lowest set bit; -1 for 0. */
V_FN vi32 v_find_lsb_u32(vu32 v)
{
    vu32 below = ~v & (v - 1u);
    return (vi32)v_popcount_u32(below) | (vi32)(v == 0u);
}
/* The number, from bit 0 up, of the highest set bit; -1 for 0. */
V_FN vi32 v_find_msb_u32(vu32 v)
{
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    return (vi32)v_popcount_u32(v) - 1;
}
/* The number of the highest bit that differs from the sign bit; -1 for 0 and -1. */
V_FN vi32 v_find_msb_i32(vi32 v) { return v_find_msb_u32((vu32)(v ^ (v >> 31))); }

/* Division: a zero divisor gives all ones, as quotient and as remainder. 32-bit quotients go
   through double: a quotient that is not an integer is at least 1/a (relatively) away from one,
   far more than the rounding of the division. Signed forms truncate; INT_MIN / -1 wraps to
   INT_MIN with remainder 0. */
V_FN vu32 v_div_u32_nonzero(vu32 a, vu32 b) { return v_u32_from_f64(v_f64_from_u32(a) / v_f64_from_u32(b)); }
V_FN vu32 v_div_u32(vu32 a, vu32 b)
{
    vu32 zero = (vu32)(b == 0u);
    return v_div_u32_nonzero(a, b | zero) | zero;
}
V_FN vu32 v_rem_u32(vu32 a, vu32 b)
{
    vu32 zero = (vu32)(b == 0u);
    b |= zero;
    return (a - v_div_u32_nonzero(a, b) * b) | zero;
}
/* Where the quotient wraps the divisor is replaced by 1: same quotient, same remainder. */
V_FN vi32 v_div_i32_divisor(vi32 a, vi32 b)
{
    vi32 wraps = (vi32)(a == INT32_MIN) & (vi32)(b == -1);
    return v_select_i32(wraps | (vi32)(b == 0), v_splat_i32(1), b);
}
V_FN vi32 v_div_i32(vi32 a, vi32 b)
{
    vf64 q = v_f64_from_i32(a) / v_f64_from_i32(v_div_i32_divisor(a, b));
    return v_i32_from_f64(q) | (vi32)(b == 0);
}
V_FN vi32 v_rem_i32(vi32 a, vi32 b)
{
    vi32 d = v_div_i32_divisor(a, b);
    vu32 q = (vu32)v_i32_from_f64(v_f64_from_i32(a) / v_f64_from_i32(d));
    return (vi32)((vu32)a - q * (vu32)d) | (vi32)(b == 0);
}

V_FN vu64 v_div_u64(vu64 a, vu64 b)
{
    V_EACH_LANE(i) a[i] = b[i] ? a[i] / b[i] : UINT64_MAX;
    return a;
}
V_FN vu64 v_rem_u64(vu64 a, vu64 b)
{
    V_EACH_LANE(i) a[i] = b[i] ? a[i] % b[i] : UINT64_MAX;
    return a;
}
V_FN vi64 v_div_i64(vi64 a, vi64 b)
{
    V_EACH_LANE(i)
    {
        int64_t d = a[i] == INT64_MIN && b[i] == -1 ? 1 : b[i];
        a[i] = d ? a[i] / d : -1;
    }
    return a;
}
V_FN vi64 v_rem_i64(vi64 a, vi64 b)
{
    V_EACH_LANE(i)
    {
        int64_t d = a[i] == INT64_MIN && b[i] == -1 ? 1 : b[i];
        a[i] = d ? a[i] % d : -1;
    }
    return a;
}

/* ---- quads: lanes 4q to 4q + 3, each taking the value of the lane of its quad that the name says --- */

#if SCH_LANES == 4
#define V_QUADS(a, b, c, d) a, b, c, d
#elif SCH_LANES == 8
#define V_QUADS(a, b, c, d) a, b, c, d, 4 + a, 4 + b, 4 + c, 4 + d
#else
#define V_QUADS(a, b, c, d)                                                                                            \
    a, b, c, d, 4 + a, 4 + b, 4 + c, 4 + d, 8 + a, 8 + b, 8 + c, 8 + d, 12 + a, 12 + b, 12 + c, 12 + d
#endif

V_FN vf32 v_quad_0000_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(0, 0, 0, 0)); }
V_FN vi32 v_quad_0000_i32(vi32 v) { return __builtin_shufflevector(v, v, V_QUADS(0, 0, 0, 0)); }
V_FN vf32 v_quad_1111_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(1, 1, 1, 1)); }
V_FN vf32 v_quad_2222_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(2, 2, 2, 2)); }
V_FN vf32 v_quad_0022_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(0, 0, 2, 2)); }
V_FN vf32 v_quad_1133_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(1, 1, 3, 3)); }
V_FN vf32 v_quad_0101_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(0, 1, 0, 1)); }
V_FN vf32 v_quad_2323_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(2, 3, 2, 3)); }
V_FN vi32 v_quad_1032_i32(vi32 v) { return __builtin_shufflevector(v, v, V_QUADS(1, 0, 3, 2)); }
V_FN vi32 v_quad_2301_i32(vi32 v) { return __builtin_shufflevector(v, v, V_QUADS(2, 3, 0, 1)); }

/* The lower halves of two words in one, the first's below, and the upper halves in another; the same gives them back.
 */
V_FN void v_join_halves_u32(vu32 first, vu32 second, vu32 half[2])
{
    half[0] = (first & 0xffffu) | second << 16;
    half[1] = first >> 16 | (second & 0xffff0000u);
}

/* Words in each other's places: lane i takes the word of lane index[i] (modulo SCH_LANES); within quads, of the quad's
   lane index[i], 0 to 3; of two vectors (modulo twice SCH_LANES), of a's lanes and then b's. Only where the machine has
   one instruction for it. v_permute_halves_u32: of the words index[i] and index[i] + 1 what v_join_halves_u32 makes. */
#if defined(__AVX512BW__) && SCH_LANES == 16
#define V_PERMUTE 1
V_FN vu32 v_permute_u32(vu32 v, vi32 index) { return (vu32)_mm512_permutexvar_epi32((__m512i)index, (__m512i)v); }
V_FN vu32 v_quad_permute_u32(vu32 v, vi32 index) { return (vu32)_mm512_permutevar_ps((__m512)v, (__m512i)index); }
V_FN vu32 v_permute2_u32(vu32 a, vu32 b, vi32 index)
{
    return (vu32)_mm512_permutex2var_epi32((__m512i)a, (__m512i)index, (__m512i)b);
}
V_FN void v_permute_halves_u32(vu32 v, vi32 index, vu32 half[2])
{
    vi32 low = index * 0x20002 + 0x20000, high = low + 0x10001;
    half[0] = (vu32)_mm512_permutexvar_epi16((__m512i)low, (__m512i)v);
    half[1] = (vu32)_mm512_permutexvar_epi16((__m512i)high, (__m512i)v);
}
V_FN void v_permute2_halves_u32(vu32 a, vu32 b, vi32 index, vu32 half[2])
{
    vi32 low = index * 0x20002 + 0x20000, high = low + 0x10001;
    half[0] = (vu32)_mm512_permutex2var_epi16((__m512i)a, (__m512i)low, (__m512i)b);
    half[1] = (vu32)_mm512_permutex2var_epi16((__m512i)a, (__m512i)high, (__m512i)b);
}
#elif defined(__AVX2__) && SCH_LANES == 8
#define V_PERMUTE 1
V_FN vu32 v_permute_u32(vu32 v, vi32 index) { return (vu32)_mm256_permutevar8x32_epi32((__m256i)v, (__m256i)index); }
V_FN vu32 v_quad_permute_u32(vu32 v, vi32 index) { return (vu32)_mm256_permutevar_ps((__m256)v, (__m256i)index); }
V_FN vu32 v_permute2_u32(vu32 a, vu32 b, vi32 index)
{
    return v_select_u32((vi32)((index & SCH_LANES) != 0), v_permute_u32(b, index), v_permute_u32(a, index));
}
V_FN void v_permute_halves_u32(vu32 v, vi32 index, vu32 half[2])
{
    v_join_halves_u32(v_permute_u32(v, index), v_permute_u32(v, index + 1), half);
}
V_FN void v_permute2_halves_u32(vu32 a, vu32 b, vi32 index, vu32 half[2])
{
    v_join_halves_u32(v_permute2_u32(a, b, index), v_permute2_u32(a, b, index + 1), half);
}
#endif

/* Where the machine has one instruction for each:
 * v_table_f32: entry index mod 32 of a table.
 * v_exponent_f32: floor(log2 |x|), of 0 -infinity, of infinity infinity; NaN stays.
 * v_significand_f32: x / 2^exponent, from 1 to 2; 1 of 0 and infinity; NaN of NaN and below 0.
 * v_scale_f32: x * 2^floor(n), rounded once. */
#if defined(__AVX512F__) && SCH_LANES == 16
#define V_TABLE 1
V_FN vf32 v_table_f32(const float *table, vi32 index)
{
    return (vf32)_mm512_permutex2var_ps(_mm512_loadu_ps(table), (__m512i)index, _mm512_loadu_ps(table + 16));
}
V_FN vf32 v_exponent_f32(vf32 x) { return (vf32)_mm512_getexp_ps((__m512)x); }
V_FN vf32 v_significand_f32(vf32 x) { return (vf32)_mm512_getmant_ps((__m512)x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan); }
V_FN vf32 v_scale_f32(vf32 x, vf32 n) { return (vf32)_mm512_scalef_ps((__m512)x, (__m512)n); }
#endif

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

#endif
