/*
 * ops/vec/convert.h - conversions between integers, floats, doubles and halves, by the rules of vec.h.
 *
 * Holds: each pair of types once, toward zero and saturating to integers, correctly rounded to floats.
 * Must not hold: normalised or packed formats.
 */
#ifndef SCH_OPS_VEC_CONVERT_H
#define SCH_OPS_VEC_CONVERT_H

#include "ops/vec/float.h"

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
#if defined(__AVX512F__) || defined(__clang__)
V_FN vf32 v_f32_from_u32(vu32 v) { return __builtin_convertvector(v, vf32); }
#else
/* Both halves are exact; their sum is rounded once. gcc's own conversion is longer. Machine code has clang's, which
   LLVM makes that of signed integers where it sees that the first bit is 0. */
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

/* Halves become floats; bits above the low 16 are ignored. The instruction makes NaNs quiet. LLVM makes comparisons of
 * what `vcvtph2ps` of 256 bits widened comparisons of halves, lane by lane: what comes from there goes through
 * integers, and NaNs are looked for in the halves. */
#if defined(__AVX512F__) && SCH_LANES == 16
#define V_WIDEN_F16(h) (vu32) _mm512_cvt_roundph_ps(_mm512_cvtepi32_epi16((__m512i)(h)), _MM_FROUND_NO_EXC)
#elif defined(__F16C__) && SCH_LANES == 8
#define V_WIDEN_F16(h)                                                                                                 \
    (vu32) _mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128((__m256i)((h)&0xffffu)),                            \
                                            _mm256_extracti128_si256((__m256i)((h)&0xffffu), 1)))
#endif

/* Exact, every bit of a NaN's payload too. */
V_FN vf32 v_f32_from_f16_payload(vu32 h)
{
#ifdef V_WIDEN_F16
    vu32 widened = V_WIDEN_F16(h);
    vu32 unquieted = widened & (h << 13 | 0xffbfffffu); /* the payload's first bit is the half's */
    return (vf32)v_select_u32((vi32)((h & 0x7fffu) > 0x7c00u), unquieted, widened);
#else
    vu32 m = h & 0x7fffu;
    vu32 normal = (m << 13) + (112u << 23);
    vu32 small = (vu32)(__builtin_convertvector((vi32)m, vf32) * 0x1p-24f);
    vu32 r = v_select_u32((vi32)(m < 0x400u), small, normal);
    r = v_select_u32((vi32)(m >= 0x7c00u), m << 13 | 0x7f800000u, r);
    return (vf32)(r | (h & 0x8000u) << 16);
#endif
}

/* The same, but NaN becomes 0x7fc00000. */
V_FN vf32 v_f32_from_f16(vu32 h)
{
#ifdef V_WIDEN_F16
    vu32 widened = V_WIDEN_F16(h);
#else
    vu32 widened = (vu32)v_f32_from_f16_payload(h);
#endif
    return (vf32)v_select_u32((vi32)((h & 0x7fffu) > 0x7c00u), v_splat_u32(0x7fc00000u), widened);
}

/* As v_f32_from_f16_payload, of halves without signalling NaNs. */
V_FN vf32 v_f32_from_quiet_f16(vu32 h)
{
#if defined(__AVX512F__) && SCH_LANES == 16
    return (vf32)V_WIDEN_F16(h);
#else
    return v_f32_from_f16_payload(h);
#endif
}
#undef V_WIDEN_F16

#endif
