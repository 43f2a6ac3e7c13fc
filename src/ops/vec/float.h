/*
 * ops/vec/float.h - correctly rounded float primitives, by the rules of vec.h.
 *
 * Holds: the machine's own vectors, square root, limits, rounding to integral values, fused multiply-add,
 * reciprocal root, quotients by 255.
 * Must not hold: conversions to integers (ops/vec/convert.h), functions of shaders.
 */
#ifndef SCH_OPS_VEC_FLOAT_H
#define SCH_OPS_VEC_FLOAT_H

#include "ops/vec/types.h"

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
#define V_EACH_PART(i, u)                                                                                              \
    V_UNROLL                                                                                                           \
    for (unsigned i = 0; i < sizeof(u.p) / sizeof(u.p[0]); i++)

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
    }                                                                                                                  \
    V_FN vf64 v_##name##_f64(vf64 a, vf64 b)                                                                           \
    {                                                                                                                  \
        v_parts_f64 u = {.v = a}, w = {.v = b};                                                                        \
        V_EACH_PART(i, u) u.p[i] = V_PART_F64(op)(u.p[i], w.p[i]);                                                     \
        return u.v;                                                                                                    \
    }
#else
#define V_PART_LIMIT(name, sign, op)                                                                                   \
    V_FN vf32 v_##name##_f32(vf32 a, vf32 b) { return v_select_f32((vi32)(a sign b), a, b); }                          \
    V_FN vf64 v_##name##_f64(vf64 a, vf64 b) { return v_select_f64((vi64)(a sign b), a, b); }
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
static __attribute__((noinline, unused)) vf32 v_fma_f32_odd(vf32 a, vf32 b, vf32 c)
{
    vf64 p = v_f64_from_f32(a) * v_f64_from_f32(b);
    vf64 d = v_f64_from_f32(c);
    vf64 s = p + d;
    return v_f32_from_f64(v_round_odd(s, v_two_sum_error(p, d, s)));
}

/* The double sum s = RN(p + c) of the product p rounds to the float that p + c rounds to, unless s lies midway between
   two floats: then its last 29 bits are a one and zeros, or the float r is 2^-126 or a denormal one. What becomes 0 is
   right, as p + c = s wherever |s| <= 2^-150: p has 48 bits and is a double, so let c not be 0. Then |c| >= 2^-149,
   |p| > 2^-151, and both are multiples of 2^-198, of which p + c has at most 49 bits.
   For 0 < |r| <= 2^-126, 2 |r| - 1 as a word is less than 2^24, also where -2^31 is added to both for signed words. */
V_FN vf32 v_fma_f32_soft(vf32 a, vf32 b, vf32 c)
{
    vf64 s = v_f64_from_f32(a) * v_f64_from_f32(b) + v_f64_from_f32(c);
    vf32 r = v_f32_from_f64(s);
    vi32 low = __builtin_convertvector((vi64)s & 0x1fffffff, vi32);
    vi32 small = (vi32)((vi32)(((vu32)r << 1) + 0x7fffffffu) < INT32_MIN + 0x1000000);
    if (v_any((vi32)(low == 0x10000000) | small)) return v_fma_f32_odd(a, b, c);
    return r;
}

/* One fused multiply-add in integer arithmetic, right for every argument: rounded to nearest (0), down (1), up (2),
   toward zero (3). Kept out of line (it is big, rare, and takes no vectors). */
static __attribute__((noinline, unused)) double v_fma1_soft(double a, double b, double c, int rounding)
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
    if (a == 0 || b == 0) {
        const int minus = rounding == 1 && c == 0 && ((ua.u ^ ub.u) | uc.u) & sign;
        return minus ? -0.0 : a * b + c;
    }
    if (c == 0 && rounding == 0) return a * b;
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
    u128 q = c == 0 ? 0 : (u128)((uc.u & frac) | (frac + 1)) << 72;
    int ep = ea + eb - 20, eq = c == 0 ? ep : ec - 72;
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
        return rounding == 1 ? -0.0 : 0.0;
    } else if (p > q) {
        m = p - q;
    } else {
        m = q - p;
        sp = sq;
    }
    uint64_t hi = (uint64_t)(m >> 64), lo = (uint64_t)m;
    int top = hi ? 127 - __builtin_clzll(hi) : 63 - __builtin_clzll(lo);
    /* away from zero what is not exact goes up */
    const int away = rounding == 1 ? sp != 0 : rounding == 2 ? sp == 0 : 0;
    if (top + eq > 1023) {
        r.u = sp | (rounding == 0 || away ? expo : expo - 1);
        return r.d;
    }
    int last = top + eq - 52; /* the exponent of the result's last bit */
    if (last < -1074) last = -1074;
    int shift = last - eq;
    uint64_t k;
    if (shift <= 0) {
        k = (uint64_t)(m << -shift);
    } else if (shift > 127) {
        k = (uint64_t)away;
    } else {
        u128 rest = m & (((u128)1 << shift) - 1), half = (u128)1 << (shift - 1);
        k = (uint64_t)(m >> shift);
        k += rounding == 0 ? rest > half || (rest == half && (k & 1)) : away && rest != 0;
    }
    r.u = sp | (((uint64_t)(last + 1074) << 52) + k);
    return r.d;
}

V_FN vf64 v_fma_f64_slow(vf64 a, vf64 b, vf64 c)
{
    V_EACH_LANE(i) a[i] = v_fma1_soft(a[i], b[i], c[i], 0);
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

#if defined(__AVX512DQ__) && SCH_LANES == 16
#define V_ROOT_14 1
#else
#define V_ROOT_14 0
#endif

/* 1 / sqrt(v), correctly rounded: an approximation y, corrected by half of y times what v * y * y lacks of 1, whose
   products are exact in two parts. Compared with the double form for all floats from 1 to 4; powers of 4 scale every
   step exactly. Where the root is 0 or infinite what is lacking is a NaN, in whose place any number will do.
   With the quotient of the rounded root as y that is all, since the one float that it fails (0x1.13e07p+1) is rounded
   well if what is added is 2^-24 of itself smaller.
   With the instruction's 14 bits and one of Newton's steps, which loses 2^-27.4, 2^-25 by the product and half a place,
   1.1 places, y is at most one float from the nearest, and the square of what is lacking counts as well; all three
   floats were compared. */
V_FN vf32 v_corrected_root_f32(vf32 v, vf32 y)
{
    vf32 root = v * y, low = v_fma_f32(v_neg_f32(v), y, root);
    vf32 lack = v_fma_f32(low, y, v_fma_f32(v_neg_f32(root), y, v_splat_f32(1.0f)));
    lack = v_less_f32(lack, v_splat_f32(1.0f));
#if V_ROOT_14
    vf32 square = v_fma_f32(lack, v_splat_f32(0.75f), v_splat_f32(1.0f));
    return v_fma_f32(y * 0.5f * lack, square, y);
#else
    return v_fma_f32(y * 0x1.fffffep-2f, lack, y);
#endif
}
V_FN vf32 v_reciprocal_root_f32(vf32 v)
{
#if V_ROOT_14
    enum { ZEROS_AND_INFINITY = 0x02 | 0x04 | 0x08 };
    vf32 first = (vf32)_mm512_rsqrt14_ps((__m512)v), half = first * 0.5f;
    vf32 y = v_fma_f32(half, v_fma_f32(v_neg_f32(v * first), first, v_splat_f32(1.0f)), first);
    __mmask16 edge = _mm512_fpclass_ps_mask((__m512)v, ZEROS_AND_INFINITY);
    return v_corrected_root_f32(v, (vf32)_mm512_mask_blend_ps(edge, (__m512)y, (__m512)first));
#elif defined(V_FMA_F32)
    return v_corrected_root_f32(v, 1.0f / v_sqrt_f32(v));
#else
    return v_f32_from_f64(v_splat_f64(1.0) / v_sqrt_f64(v_f64_from_f32(v)));
#endif
}
#undef V_ROOT_14

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

/* A byte of each word, 0 to 3, over 255, correctly rounded. Where one instruction multiplies bytes, it takes the byte
   out of its word as well, times 3: the float that is nearest to 1 / 765 rounds all 256 products as the quotients are
   rounded (tests/unit/ops/test_quotients.c), which that of 1 / 255 does not. */
#if defined(__AVX512BW__) && SCH_LANES == 16
#define V_MULTIPLY_BYTES(words, factors) _mm512_maddubs_epi16((__m512i)(words), (__m512i)(factors))
#elif defined(__AVX2__) && SCH_LANES == 8
#define V_MULTIPLY_BYTES(words, factors) _mm256_maddubs_epi16((__m256i)(words), (__m256i)(factors))
#endif
V_FN vf32 v_byte_over_255_f32(vu32 words, unsigned byte)
{
#ifdef V_MULTIPLY_BYTES
    const vu32 half = byte < 2 ? words : words >> 16;
    const vi32 three = (vi32)V_MULTIPLY_BYTES(half, v_splat_u32(byte & 1 ? 3 << 8 : 3));
    return __builtin_convertvector(three, vf32) * 0x1.56ac02p-10f;
#else
    return v_over_255_f32(__builtin_convertvector((vi32)(words >> (8 * byte & 31) & 255u), vf32), 1.0f);
#endif
}

/* v / 255 * scale of integers up to 255 * 2^24. What v's float loses is an exact float itself, below 2^8; the sum of
   what the parts add errs by less than 2^-40, and a middle of floats is not nearer than 2^-32 to a quotient below
   2^24. Where only signed integers become floats, `high` is the float of v / 2: below 2^25 it loses v's last bit, which
   would err by more where it is much of the quotient (509 would be wrong) if the second term had not all of v
   (tests/unit/ops/test_quotients.c: every v). */
V_FN vf32 v_wide_over_255_f32(vu32 v, float scale)
{
#if defined(V_FMA_F32)
#if defined(__AVX512F__)
    const float unit = 1.0f;
    const vf32 high = __builtin_convertvector(v, vf32);
    const vf32 low = __builtin_convertvector((vi32)(v - __builtin_convertvector(high, vu32)), vf32), whole = high;
#else
    const float unit = 2.0f;
    const vf32 high = __builtin_convertvector((vi32)(v >> 1), vf32);
    const vf32 low = __builtin_convertvector((vi32)v - 2 * __builtin_convertvector(high, vi32), vf32);
    const vf32 whole = v_fma_f32(high, v_splat_f32(unit), low);
#endif
    vf32 rest = v_fma_f32(whole, v_splat_f32(-0x1.fdfdfep-33f * scale), low * (0x1.010102p-8f * scale));
    return v_fma_f32(high, v_splat_f32(0x1.010102p-8f * unit * scale), rest);
#else
    vf64 wide = __builtin_convertvector((vi32)(v ^ 0x80000000u), vf64) + 0x1p31;
    return __builtin_convertvector(wide / (255.0 / (double)scale), vf32);
#endif
}

#endif
