/*
 * ops/vec/half.h - the lower or the upper half of a vector's lanes, 64 bits each: as large as a vector of 32-bit lanes,
 * where whole vectors of 64-bit lanes are larger than registers. By the rules of vec.h.
 *
 * Holds: types, conversions from and to whole vectors, stores.
 * Must not hold: arithmetic, which C's operators are for.
 */
#ifndef SCH_OPS_VEC_HALF_H
#define SCH_OPS_VEC_HALF_H

#include "ops/vec/memory.h"

typedef double vhf64 __attribute__((vector_size(SCH_LANES * 4)));
typedef int64_t vhi64 __attribute__((vector_size(SCH_LANES * 4)));
typedef uint64_t vhu64 __attribute__((vector_size(SCH_LANES * 4)));
typedef float vhf32 __attribute__((vector_size(SCH_LANES * 2)));
typedef int32_t vhi32 __attribute__((vector_size(SCH_LANES * 2)));
typedef uint32_t vhu32 __attribute__((vector_size(SCH_LANES * 2)));

#if SCH_LANES == 4
#define V_HALF(v, half) ((half) ? __builtin_shufflevector(v, v, 2, 3) : __builtin_shufflevector(v, v, 0, 1))
#define V_WHOLE(a, b)   __builtin_shufflevector(a, b, 0, 1, 2, 3)
#define V_HALF_REP(x)   x, x
#define V_FIRST(a, b)   __builtin_shufflevector(a, b, 0, 2)
#define V_SECOND(a, b)  __builtin_shufflevector(a, b, 1, 3)
#elif SCH_LANES == 8
#define V_HALF(v, half) ((half) ? __builtin_shufflevector(v, v, 4, 5, 6, 7) : __builtin_shufflevector(v, v, 0, 1, 2, 3))
#define V_WHOLE(a, b)   __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define V_HALF_REP(x)   x, x, x, x
#define V_FIRST(a, b)   __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define V_SECOND(a, b)  __builtin_shufflevector(a, b, 1, 5, 3, 7)
#else
#define V_HALF(v, half)                                                                                                \
    ((half) ? __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)                                              \
            : __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7))
#define V_WHOLE(a, b)  __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define V_HALF_REP(x)  x, x, x, x, x, x, x, x
#define V_FIRST(a, b)  __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define V_SECOND(a, b) __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#endif

V_FN vhf64 v_half_splat_f64(double x) { return (vhf64){V_HALF_REP(x)}; }

/* From the lower (0) or the upper (1) half's lanes; the number is a constant. Exact. v_half_u32_from_u64: the lower
 * words of a half. v_half_f32_from_f64: correctly rounded. */
#if defined(__AVX512F__) && SCH_LANES == 16
V_FN vhf64 v_half_f64_from_i32(vi32 v, int half) { return (vhf64)_mm512_cvtepi32_pd((__m256i)V_HALF(v, half)); }
V_FN vhf64 v_half_f64_from_f32(vf32 v, int half) { return (vhf64)_mm512_cvtps_pd((__m256)V_HALF(v, half)); }
V_FN vhi64 v_half_i64_from_i32(vi32 v, int half) { return (vhi64)_mm512_cvtepi32_epi64((__m256i)V_HALF(v, half)); }
V_FN vhu64 v_half_u64_from_u32(vu32 v, int half) { return (vhu64)_mm512_cvtepu32_epi64((__m256i)V_HALF(v, half)); }
V_FN vhu32 v_half_u32_from_u64(vhu64 v) { return (vhu32)_mm512_cvtepi64_epi32((__m512i)v); }
V_FN vhf32 v_half_f32_from_f64(vhf64 v) { return (vhf32)_mm512_cvtpd_ps((__m512d)v); }
#else
V_FN vhf64 v_half_f64_from_i32(vi32 v, int half) { return __builtin_convertvector(V_HALF(v, half), vhf64); }
V_FN vhf64 v_half_f64_from_f32(vf32 v, int half) { return __builtin_convertvector(V_HALF(v, half), vhf64); }
V_FN vhi64 v_half_i64_from_i32(vi32 v, int half) { return __builtin_convertvector(V_HALF(v, half), vhi64); }
V_FN vhu64 v_half_u64_from_u32(vu32 v, int half) { return __builtin_convertvector(V_HALF(v, half), vhu64); }
V_FN vhu32 v_half_u32_from_u64(vhu64 v) { return __builtin_convertvector(v, vhu32); }
V_FN vhf32 v_half_f32_from_f64(vhf64 v) { return __builtin_convertvector(v, vhf32); }
#endif
V_FN vhu64 v_half_join_u64(vu32 low, vu32 high, int half)
{
    return v_half_u64_from_u32(low, half) | v_half_u64_from_u32(high, half) << 32;
}

/* A whole vector of two halves. v_f32_of_halves: correctly rounded. v_high_of_halves: the upper words. */
V_FN vf32 v_f32_of_halves(vhf64 low, vhf64 high)
{
    return V_WHOLE(v_half_f32_from_f64(low), v_half_f32_from_f64(high));
}
V_FN vu32 v_high_of_halves(vhu64 low, vhu64 high)
{
    return V_WHOLE(v_half_u32_from_u64(low >> 32), v_half_u32_from_u64(high >> 32));
}

/* Every lane of a half stores a and b side by side, as v_scatter_rows_u32x4 does. */
V_FN void v_half_scatter_rows_u64x2(void *base, const uint32_t *byte_offset, int half, vhu64 a, vhu64 b)
{
    const vu32 first = (vu32)V_FIRST(a, b), second = (vu32)V_SECOND(a, b);
    V_UNROLL
    for (int part = 0; part < SCH_LANES / 4; part++) {
        const int lane = half * (SCH_LANES / 2) + 2 * part;
        v_store_part((char *)base + byte_offset[lane], first, part);
        v_store_part((char *)base + byte_offset[lane + 1], second, part);
    }
}

#endif
