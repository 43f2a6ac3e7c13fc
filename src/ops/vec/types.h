/*
 * ops/vec/types.h - the vector types of src/ops, by the rules that vec.h states.
 *
 * Holds: types of SCH_LANES lanes, bit casts, splats, select, mask tests, widening and narrowing, signs, canonical NaN.
 * Must not hold: intrinsics beyond mask tests.
 */
#ifndef SCH_OPS_VEC_TYPES_H
#define SCH_OPS_VEC_TYPES_H

#include <stdint.h>

#if !defined(SCH_LANES) || (SCH_LANES != 4 && SCH_LANES != 8 && SCH_LANES != 16)
#error "define SCH_LANES as 4, 8 or 16 before including vectors"
#endif

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define V_FN static inline __attribute__((always_inline, unused))
/* What is nearly always so, for the compiler. */
#define V_LIKELY(x) __builtin_expect((x), 1)
#define V_UNROLL    _Pragma("GCC unroll 16")
#define V_EACH_LANE(i)                                                                                                 \
    V_UNROLL                                                                                                           \
    for (int i = 0; i < SCH_LANES; i++)

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
    V_UNROLL
    for (int i = 0; i < SCH_LANES / 2; i++) r |= u.q[i];
    return r != 0;
#endif
}

V_FN int v_all(vi32 m) { return !v_any(~m); }

/* True if any bit of any lane is set: cheaper where that takes the place of making masks. */
V_FN int v_any_bit(vi32 v)
{
#if defined(__AVX__) && SCH_LANES == 8
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#elif defined(__AVX512F__) && SCH_LANES == 16
    return v_any(v);
#else
    return v_any((vi32)(v != 0));
#endif
}

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
/* Bit i of the result is the sign of lane i. */
V_FN uint32_t v_sign_bits(vi32 v)
{
#if defined(__AVX512DQ__) && SCH_LANES == 16
    return _mm512_movepi32_mask((__m512i)v);
#elif defined(__SSE2__) && SCH_LANES != 16
    return v_mask_bits(v);
#else
    return v_mask_bits(v >> 31);
#endif
}
V_FN vi32 v_mask_from_bits(uint32_t bits) { return -(vi32)((v_splat_u32(bits) >> (vu32)v_lane_i32()) & 1u); }

/* ---- widening and narrowing ---------------------------------------------------------------- */

V_FN vi64 v_i64_from_i32(vi32 v) { return __builtin_convertvector(v, vi64); }
V_FN vu64 v_u64_from_u32(vu32 v) { return __builtin_convertvector(v, vu64); }
V_FN vu32 v_lo_u64(vu64 v) { return __builtin_convertvector(v, vu32); }
/* The same in an order of its own, which is a shuffle less: of each part of four lanes two are from each half. */
V_FN vu32 v_lo_some_u64(vu64 v)
{
#if defined(__AVX2__) && SCH_LANES == 8
    typedef uint32_t words __attribute__((vector_size(sizeof v)));
    const words w = (words)v;
    return __builtin_shufflevector(w, w, 0, 2, 8, 10, 4, 6, 12, 14);
#else
    return v_lo_u64(v);
#endif
}
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

#endif
