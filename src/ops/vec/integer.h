/*
 * ops/vec/integer.h - integer primitives, by the rules of vec.h.
 *
 * Holds: limits, shifts, high products, counts of bits, division, two 16-bit numbers in a word.
 * Must not hold: what shaders ask beyond that.
 */
#ifndef SCH_OPS_VEC_INTEGER_H
#define SCH_OPS_VEC_INTEGER_H

#include "ops/vec/convert.h"
#include "ops/vec/permute.h"

/* ---- integers ------------------------------------------------------------------------------- */

V_FN vu32 v_min_u32(vu32 a, vu32 b) { return v_select_u32((vi32)(a < b), a, b); }
V_FN vi32 v_min_i32(vi32 a, vi32 b) { return v_select_i32((vi32)(a < b), a, b); }
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
    V_EACH_LANE(i) {
        int64_t d = a[i] == INT64_MIN && b[i] == -1 ? 1 : b[i];
        a[i] = d ? a[i] / d : -1;
    }
    return a;
}
V_FN vi64 v_rem_i64(vi64 a, vi64 b)
{
    V_EACH_LANE(i) {
        int64_t d = a[i] == INT64_MIN && b[i] == -1 ? 1 : b[i];
        a[i] = d ? a[i] % d : -1;
    }
    return a;
}

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

/* Both down by the same count, 0 to 15. */
V_FN vu32 v_shr_halves_u32(vu32 v, unsigned count)
{
    typedef uint16_t halves __attribute__((vector_size(sizeof(vu32))));
    return (vu32)(halves)((halves)v >> (uint16_t)count);
}

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

/* ---- halves of words --------------------------------------------------------------------------- */

/* The lesser of both numbers, each half of a word a number of its own. */
V_FN vu32 v_min_halves_u32(vu32 a, vu32 b)
{
#if defined(__AVX512BW__) && SCH_LANES == 16
    return (vu32)_mm512_min_epu16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__) && SCH_LANES == 8
    return (vu32)_mm256_min_epu16((__m256i)a, (__m256i)b);
#else
    vu32 low = v_min_u32(a & 0xffffu, b & 0xffffu), high = v_min_u32(a >> 16, b >> 16);
    return low | high << 16;
#endif
}

/* The least of all lanes, again each half by itself. */
V_FN uint32_t v_least_halves_u32(vu32 v)
{
#if SCH_LANES == 16
    v = v_min_halves_u32(v, __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    v = v_min_halves_u32(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
#elif SCH_LANES == 8
    v = v_min_halves_u32(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
#endif
    v = v_min_halves_u32(v, (vu32)v_quad_2301_i32((vi32)v));
    v = v_min_halves_u32(v, (vu32)v_quad_1032_i32((vi32)v));
    return v[0];
}

#endif
