/*
 * ops/alu/math_f32.h - the elementary functions of binary32, over whole vectors.
 *
 * Holds: v_rcp, v_div, v_sqrt (IEEE, correctly rounded), v_rsq, v_ex2, v_lg2, v_sin, v_cos, v_pow.
 * Must not hold: builtins or intrinsics, fused multiply-adds (ops/vec/float.h has them), mutable data,
 * anything that depends on the lane count, and op meaning such as operand modifiers.
 *
 * Method. Every function but the IEEE ones and v_rsq widens to double, evaluates a polynomial there with
 * plain + - * / (or fused steps, see v_madd_f64) in one fixed order, and rounds to float once at the end. IEEE doubles
 * give the same bits everywhere (nothing is contracted: -ffp-contract=off), float results included that
 * overflow or are denormal, since the last conversion rounds those correctly by itself. The double
 * is good to about one of its own last places, so a result can be wrong only where the exact value
 * lies within about 2^-28 ulp of the middle between two floats. tests/long/math_exhaustive.c
 * looked at all 2^32 arguments of each function: EX2 had two such cases, SIN one and COS three
 * (and their negatives), LG2 and RSQ none; with fused steps it is the same ones. Those are corrected by name (v_step),
 * which makes all seven functions of one argument correctly rounded everywhere. v_pow stays below 0.500001 ulp.
 *
 * NaN results are NaN, but of any sign and payload: the caller canonicalises (v_canon_f32).
 *
 * The constants come from tools/mathgen/coefficients.py.
 */
#ifndef SCH_OPS_ALU_MATH_F32_H
#define SCH_OPS_ALU_MATH_F32_H

#include "ops/alu/math_pair.h"
#include "ops/vec/vec.h"

/* ---- IEEE ---------------------------------------------------------------------------------- */

V_FN vf32 v_div(vf32 a, vf32 b) { return a / b; }
V_FN vf32 v_rcp(vf32 x) { return v_splat_f32(1.0f) / x; }
V_FN vf32 v_sqrt(vf32 x) { return v_sqrt_f32(x); }

/* 1/sqrt(x), correctly rounded: +0 gives +inf, -0 -inf, +inf 0, negative x NaN. */
V_FN vf32 v_rsq(vf32 x) { return v_reciprocal_root_f32(x); }

/* ---- parts in double ------------------------------------------------------------------------ */

/* Adding and subtracting 1.5 * 2^52 rounds to an integer, which is then also in the low bits. */
#define V_ROUNDER 0x1.8p52

/* Where the machine has a fused multiply-add the functions of one argument take it: they are correctly rounded either
   way, which was looked at for all arguments, too. v_pow_any, whose results are not, never does. */
#if defined(V_FMA_F64)
#define V_FUSED 1
#else
#define V_FUSED 0
#endif
V_FN vf64 v_madd_f64(int fused, vf64 a, vf64 b, vf64 c) { return fused ? v_fma_f64(a, b, c) : a * b + c; }
V_FN vf64 v_horner_f64(int fused, vf64 p, vf64 x, double c) { return v_madd_f64(fused, p, x, v_splat_f64(c)); }

/* 2^t for |t| <= 1000; exact for integers; NaN stays NaN.
   t = n + r with |r| <= 1/2; 2^r = 1 + r Q(r), error 2^-55.5; n is added to the exponent. */
V_FN vf64 v_exp2_core(int fused, vf64 t)
{
    vf64 shifted = t + V_ROUNDER;
    vf64 r = t - (shifted - V_ROUNDER);
    vf64 q = v_horner_f64(fused, r, v_splat_f64(0x1.e9d3fe3952179p-32), 0x1.e6063f7217bc6p-28);
    q = v_horner_f64(fused, q, r, 0x1.b524fae627834p-24);
    q = v_horner_f64(fused, q, r, 0x1.62bfd47773353p-20);
    q = v_horner_f64(fused, q, r, 0x1.ffcbfc670dcd4p-17);
    q = v_horner_f64(fused, q, r, 0x1.430913096fd9fp-13);
    q = v_horner_f64(fused, q, r, 0x1.5d87fe78a5276p-10);
    q = v_horner_f64(fused, q, r, 0x1.3b2ab6fba1ddap-7);
    q = v_horner_f64(fused, q, r, 0x1.c6b08d704a0c2p-5);
    q = v_horner_f64(fused, q, r, 0x1.ebfbdff82c598p-3);
    q = v_horner_f64(fused, q, r, 0x1.62e42fefa39efp-1);
    vf64 p = v_horner_f64(fused, q, r, 1.0);
    vf64 power = (vf64)((vu64)p + ((vu64)shifted << 52));
    return v_select_f64(v_isnan_f64(t), t, power);
}

/* log2(x) for the double x > 0, normal and finite, of at most 24 significant bits; exact for
   powers of two. x = 2^e m with sqrt(1/2) <= m < sqrt(2); s = (m-1)/(m+1), its terms being exact;
   log2(m) = log2((1+s)/(1-s)) = s (2/ln2 + z P(z)), z = s^2, error 2^-57.5. With the roundings the
   relative error is below 2^-51. */
V_FN vf64 v_log2_core(int fused, vf64 x)
{
    vu64 offset = (vu64)x + (((uint64_t)1023 << 52) - 0x3fe6a09e667f3bcdu);
    vu64 biased = offset >> 52; /* e + 1023 */
    vf64 m = (vf64)((vu64)x - (biased << 52) + ((uint64_t)1023 << 52));
    vf64 e = (vf64)(biased | (uint64_t)0x433 << 52) - (0x1p52 + 1023.0);
    vf64 s = (m - 1.0) / (m + 1.0);
    vf64 z = s * s;
    vf64 p = v_horner_f64(fused, z, v_splat_f64(0x1.afde0dd07fe15p-3), 0x1.c4ff2c46480e7p-3);
    p = v_horner_f64(fused, p, z, 0x1.0c9e91c7d1b10p-2);
    p = v_horner_f64(fused, p, z, 0x1.484b091a92bb1p-2);
    p = v_horner_f64(fused, p, z, 0x1.a61762b534b6ep-2);
    p = v_horner_f64(fused, p, z, 0x1.2776c50ef68f3p-1);
    p = v_horner_f64(fused, p, z, 0x1.ec709dc3a0401p-1);
    p = v_horner_f64(fused, p, z, 0x1.777d0ffda0d24p-55);
    return e + v_madd_f64(fused, s, p, s * 0x1.71547652b82fep+1);
}

/* r moved up (step 1) or down (step -1) in magnitude by one float where x has these bits. */
V_FN vf32 v_step(vf32 r, vf32 x, uint32_t bits, int32_t step)
{
    vi32 here = (vi32)((vu32)x == bits);
    return (vf32)((vi32)r + (here & step));
}

/* ---- EX2, LG2 --------------------------------------------------------------------------------- */

static __attribute__((noinline, unused)) vf32 v_ex2_any(vf32 x)
{
    vf32 t = v_select_f32((vi32)(x > 129.0f), v_splat_f32(129.0f), x);
    t = v_select_f32((vi32)(t < -152.0f), v_splat_f32(-152.0f), t);
    vf32 r = v_f32_from_f64(v_exp2_core(V_FUSED, v_f64_from_f32(t)));
    return v_step(v_step(r, x, 0x3b429d37u, 1), x, 0xbcf3a937u, 1);
}

/* 2^x; correctly rounded, so exact for integers. */
V_FN vf32 v_ex2(vf32 x)
{
#if defined(V_TABLE)
    v_pair t = {.high = v_greater_f32(v_splat_f32(-200.0f), v_less_f32(v_splat_f32(200.0f), x))};
    vf32 scale;
    v_pair v = v_pair_exp2(t, 0, &scale);
    vi32 decided;
    vf32 r = v_pair_decide_scaled(v, v_splat_f32(0x1p-35f), scale, 1, &decided);
    if (V_LIKELY(v_all(decided))) return r;
#endif
    return v_ex2_any(x);
}

/* v where x > 0 and finite; else what log2 is there: NaN below 0, -inf at +-0, +inf at +inf. */
V_FN vf64 v_log2_edges(vf64 x, vf64 v)
{
    v = v_select_f64((vi64)(x == 0.0), v_splat_f64(-V_INF_F64), v);
    v = v_select_f64((vi64)(x == V_INF_F64), x, v);
    return v_select_f64((vi64)(x >= 0.0), v, v_splat_f64(V_NAN_F64));
}

static __attribute__((noinline, unused)) vf32 v_lg2_any(vf32 x)
{
    vf64 d = v_f64_from_f32(x);
    return v_f32_from_f64(v_log2_edges(d, v_log2_core(V_FUSED, d)));
}

/* log2(x); correctly rounded, so exact for powers of two. */
V_FN vf32 v_lg2(vf32 x)
{
#if defined(V_TABLE)
    v_pair v = v_pair_log2(x);
    vi32 decided;
    vf32 r = v_pair_decide(v, v_splat_f32(0x1p-34f), 1, &decided);
    r = v_select_f32((vi32)(v_abs_f32(v.high) < V_INF_F32), r, v.high);
    if (V_LIKELY(v_all(decided))) return r;
#endif
    return v_lg2_any(x);
}

/* ---- SIN, COS --------------------------------------------------------------------------------- */

/* Word i: floor(2/pi * 2^(8 i + 24)) mod 2^32. */
static const uint32_t v_two_over_pi[26] __attribute__((unused)) = {
    0x00a2f983u, 0xa2f9836eu, 0xf9836e4eu, 0x836e4e44u, 0x6e4e4415u, 0x4e441529u, 0x441529fcu, 0x1529fc27u, 0x29fc2757u,
    0xfc2757d1u, 0x2757d1f5u, 0x57d1f534u, 0xd1f534ddu, 0xf534ddc0u, 0x34ddc0dbu, 0xddc0db62u, 0xc0db6295u, 0xdb629599u,
    0x6295993cu, 0x95993c43u, 0x993c4390u, 0x3c439041u, 0x439041feu, 0x9041fe51u, 0x41fe5163u, 0xfe5163abu,
};

/* The angle is r + n * pi for a whole number n, or r + (n - 1/2) * pi if `cosine`: its sine, or cosine, is that of r,
   negative if n is odd. |r| <= pi/2 (a little more by rounding); of n only the lowest bit means anything. */
typedef struct {
    vf64 r;
    vu32 n;
} v_angle;

/* For floats 2^17 <= x < infinity (lanes of `big`; others give garbage), after Payne and Hanek.
   x = M * 2^(s-6) with M the 24-bit significand and s >= 0. With i = s/8 and X = M << s%8 < 2^31,
   x * 2/pi * 2^62 mod 2^64 = X * F * 2^(8i+56) mod 2^64, where F = 2/pi. Table words i, i+4, i+8,
   i+12 are the bits of F * 2^(8i+56) from weight 2^63 down to 2^-64; what lies higher vanishes
   mod 2^64 and what lies lower is below 2^-33. So the position within the circle is known to 64
   bits of integer and 32 of fraction, a half circle being 2^63; no float comes nearer to a multiple
   of pi/2 than about 2^-31 of a quadrant, which leaves 60 correct bits. */
V_FN v_angle v_reduce_big(vu32 bits, vi32 big, int cosine)
{
    vu32 s = (bits >> 23) - 144u;
    vu64 X = v_u64_from_u32(((bits & 0x7fffffu) | 0x800000u) << (s & 7u));
    vi32 i = (vi32)(s >> 3);
    vu64 w0 = v_u64_from_u32(v_gather_u32(v_two_over_pi, i, big));
    vu64 w1 = v_u64_from_u32(v_gather_u32(v_two_over_pi + 4, i, big));
    vu64 w2 = v_u64_from_u32(v_gather_u32(v_two_over_pi + 8, i, big));
    vu64 w3 = v_u64_from_u32(v_gather_u32(v_two_over_pi + 12, i, big));
    vu64 p2 = X * w2;
    vu64 low = (p2 & 0xffffffffu) + ((X * w3) >> 32);
    vu64 sum = ((X * w0) << 32) + X * w1 + (p2 >> 32) + (low >> 32) + ((uint64_t)cosine << 62);
    vu64 n = (sum + ((uint64_t)1 << 62)) >> 63;
    vu64 rest = sum - (n << 63);
    vu64 negative = (vu64)(-(vi64)(rest >> 63));
    /* one's complement: off by one unit of the 2^-32 fraction */
    rest ^= negative;
    low ^= negative;
    vf64 r = v_f64_from_u32(v_lo_u64(rest)) + v_f64_from_u32(v_lo_u64(low)) * 0x1p-32;
    r = (v_f64_from_u32(v_hi_u64(rest)) * 0x1p32 + r) * 0x1.921fb54442d18p-62;
    return (v_angle){(vf64)((vu64)r ^ (negative & ((uint64_t)1 << 63))), v_lo_u64(n)};
}

/* For 0 <= x < 2^17: n = x / pi rounded, and x - n * pi with pi in parts (Cody and Waite). Fused, each step is rounded
   once; else the products with the first two parts, 34 bits long, are exact, and so is the first difference. */
V_FN v_angle v_reduce_small(vf32 x, int cosine)
{
    vf32 turns = V_FUSED ? v_fma_f32(x, v_splat_f32(0x1.45f306p-2f), v_splat_f32(cosine ? 0.5f : 0.0f))
                         : x * 0x1.45f306p-2f + (cosine ? 0.5f : 0.0f);
    vf32 shifted = turns + 0x1.8p23f, n = shifted - 0x1.8p23f;
    vf64 k = v_f64_from_f32(cosine ? n - 0.5f : n), r = v_f64_from_f32(x);
    if (V_FUSED) {
        r = v_fma_f64(k, v_splat_f64(-0x1.921fb54442d18p+1), r);
        r = v_fma_f64(k, v_splat_f64(-0x1.1a62633145c07p-53), r);
    } else {
        r = r - k * 0x1.921fb544p+1;
        r = r - k * 0x1.0b4611a6p-33;
        r = r - k * 0x1.3198a2e037073p-68;
    }
    return (v_angle){r, (vu32)shifted};
}

/* sin(r + n * pi), rounded: sin r = r + r z S(z), z = r^2, error 2^-54.4. */
V_FN vf32 v_sin_reduced(v_angle a)
{
    vf64 r = a.r, z = r * r;
    vf64 s = v_horner_f64(V_FUSED, z, v_splat_f64(0x1.8995f4101fe41p-49), -0x1.ae50c398cc24cp-41);
    s = v_horner_f64(V_FUSED, s, z, 0x1.6123ffeb80159p-33);
    s = v_horner_f64(V_FUSED, s, z, -0x1.ae64559d6567ep-26);
    s = v_horner_f64(V_FUSED, s, z, 0x1.71de3a544f725p-19);
    s = v_horner_f64(V_FUSED, s, z, -0x1.a01a01a018a07p-13);
    s = v_horner_f64(V_FUSED, s, z, 0x1.1111111111107p-7);
    s = v_horner_f64(V_FUSED, s, z, -0x1.5555555555555p-3);
    vf32 v = v_f32_from_f64(v_madd_f64(V_FUSED, r * z, s, r));
    return (vf32)((vu32)v ^ (a.n << 31));
}

/* For x >= 0; large ones are rare. NaN for infinity. */
V_FN vf32 v_sin_large(vf32 x, int cosine)
{
    vi32 big = (vi32)(x >= 0x1p17f) & (vi32)(x < V_INF_F32);
    v_angle a = v_reduce_small(x, cosine), b = v_reduce_big((vu32)x, big, cosine);
    a.r = v_select_f64(v_mask_widen(big), b.r, a.r);
    a.n = v_select_u32(big, b.n, a.n);
    return v_select_f32((vi32)(x < V_INF_F32), v_sin_reduced(a), v_splat_f32(V_NAN_F32));
}
static __attribute__((noinline, unused)) vf32 v_sin_any(vf32 x)
{
    return v_step(v_sin_large(x, 0), x, 0x46199998u, -1);
}
static __attribute__((noinline, unused)) vf32 v_cos_any(vf32 x)
{
    vf32 r = v_step(v_sin_large(x, 1), x, 0x5f18b878u, -1);
    return v_step(v_step(r, x, 0x6115cb11u, 1), x, 0x7908cd73u, -1);
}

/* Less than the whole: the error is 2^-41.5, 2^11.5 places of the double, so that what is 2^12 places or more from a
   middle of floats is rounded as the exact value would be. For each of the rest, one of 2^16, and for each large x, some
   lane is on in *undecided. For x >= 0. Denormal results are x, which is exact. */
V_FN vf32 v_sin_most(vf32 x, int cosine, vi32 *undecided)
{
    const int32_t margin = 1 << 12;
    v_angle a = v_reduce_small(x, cosine);
    vf64 r = a.r, z = r * r;
    vf64 s = v_horner_f64(V_FUSED, z, v_splat_f64(0x1.54d7f3138a714p-33), -0x1.ae20193632e72p-26);
    s = v_horner_f64(V_FUSED, s, z, 0x1.71dd8b4e400f9p-19);
    s = v_horner_f64(V_FUSED, s, z, -0x1.a01a0009c17a8p-13);
    s = v_horner_f64(V_FUSED, s, z, 0x1.1111110fb7d18p-7);
    s = v_horner_f64(V_FUSED, s, z, -0x1.5555555554972p-3);
    vf64 v = v_madd_f64(V_FUSED, r * z, s, r);
    /* what a float loses is 29 bits, of which the middle is the highest: as that of words it makes the least number */
    vi32 lost = (vi32)((v_lo_some_u64((vu64)v) + (uint32_t)margin) << 3);
    *undecided = (vi32)(x >= 0x1p17f) | (vi32)(lost < INT32_MIN + 2 * margin * 8);
    return (vf32)((vu32)v_f32_from_f64(v) ^ (a.n << 31));
}

/* The sine and cosine of x, if no lane is on in *undecided. */
V_FN vf32 v_sin_quick(vf32 x, vi32 *undecided)
{
    return (vf32)((vu32)v_sin_most(v_abs_f32(x), 0, undecided) ^ ((vu32)x & 0x80000000u));
}
V_FN vf32 v_cos_quick(vf32 x, vi32 *undecided) { return v_sin_most(v_abs_f32(x), 1, undecided); }

/* Correctly rounded; sin(-0) is -0; infinities give NaN. */
V_FN vf32 v_sin(vf32 x)
{
    vi32 undecided;
    vf32 r = v_sin_quick(x, &undecided);
    if (V_LIKELY(!v_any(undecided))) return r;
    return (vf32)((vu32)v_sin_any(v_abs_f32(x)) ^ ((vu32)x & 0x80000000u));
}

/* Correctly rounded; infinities give NaN. */
V_FN vf32 v_cos(vf32 x)
{
    vi32 undecided;
    vf32 r = v_cos_quick(x, &undecided);
    return V_LIKELY(!v_any(undecided)) ? r : v_cos_any(v_abs_f32(x));
}

/* ---- POW -------------------------------------------------------------------------------------- */

/* x^y with the edges of C's pow: x^0 = 1 and 1^y = 1 even for NaN, (-1)^+-inf = 1, a negative x
   takes integers y only (else NaN) and the sign of odd ones, as do -0 and -inf.
   2^(y log2|x|) in double: |y log2|x|| <= 150 wherever the result is neither 0 nor infinite, so
   the exponent's error is below 2^-43.5, the result's relative one 2^-44: below 0.500001 ulp.
   This is the definition of the bits; v_pow has shorter ways to some of them. Out of line, since it is large and then
   seldom wanted. */
static __attribute__((noinline, unused)) vf32 v_pow_any(vf32 x, vf32 y)
{
    vf32 ax = v_abs_f32(x), ay = v_abs_f32(y);
    vf64 d = v_f64_from_f32(ax);
    vf64 t = v_f64_from_f32(y) * v_log2_edges(d, v_log2_core(0, d));
    t = v_select_f64((vi64)(t > 200.0), v_splat_f64(200.0), t);
    t = v_select_f64((vi64)(t < -200.0), v_splat_f64(-200.0), t);
    vf32 r = v_f32_from_f64(v_exp2_core(0, t));
    /* from 2^24 on floats are even integers; below, conversion to int is exact on integers */
    vi32 small = (vi32)(ay < 0x1p24f);
    vi32 n = v_i32_from_f32(ay);
    vi32 whole = ~small | (vi32)(v_f32_from_i32(n) == ay); /* of NaN y no matter */
    vi32 odd = small & whole & -(n & 1);
    r = (vf32)((vu32)r ^ ((vu32)odd & (vu32)x & 0x80000000u));
    vi32 bad = (vi32)(x < 0.0f) & (vi32)(x > -V_INF_F32) & ~whole;
    r = v_select_f32(bad, v_splat_f32(V_NAN_F32), r);
    vi32 one = (vi32)(x == 1.0f) | (vi32)(y == 0.0f) | ((vi32)(x == -1.0f) & (vi32)(ay == V_INF_F32));
    return v_select_f32(one, v_splat_f32(1.0f), r);
}

/* The whole number from 1 to 255 that all lanes of y are, or 0. */
V_FN unsigned v_whole_exponent(vf32 y)
{
    float first = y[0];
    if (!(first >= 1.0f && first < 256.0f)) return 0;
    unsigned n = (unsigned)first;
    return v_any((vi32)(y != (float)n)) ? 0 : n;
}

/* x^n for n from 1 to 255, by squaring; below, each step is one rounding. C's edges of whole exponents are those of
   products. Piece by piece, since gcc would carry a wider vector around a loop in memory; step by step, so that only
   products are left where n is a constant (jit/arithmetic.c). */
V_FN vf64 v_power_core(vf64 v, unsigned n)
{
    v_parts_f64 u = {.v = v};
    V_EACH_PART(i, u) {
        v_part_f64 square = u.p[i], power = (v_part_f64){0} + 1.0;
        V_UNROLL
        for (unsigned bit = 0; bit < 8; bit++) {
            if (n >> bit & 1) power *= square;
            if (n >> bit > 1) square *= square;
        }
        u.p[i] = power;
    }
    return u.v;
}

#if defined(V_TABLE)
/* What v_pow_any's results are known to be from pairs, but in the lanes of *undecided. The logarithm errs by 2^-40, so
   its product with y and ln 2 by y 2^-40.5; the power by 2^-35.4, v_pow_any's double by 2^-44. Negative bases and -0
   are left to the definition; of +0 and infinity the logarithm is infinite, which ends well. */
V_FN vf32 v_pow_by_pairs(vf32 x, vf32 y, vi32 *undecided)
{
    vf32 scale;
    v_pair v = v_pair_exp2(v_pair_times(v_pair_log2(x), y), 1, &scale);
    vi32 decided;
    vf32 error = v_fma_f32(v_abs_f32(y), v_splat_f32(0x1.8p-41f), v_splat_f32(0x1p-35f));
    vf32 r = v_pair_decide_scaled(v, error, scale, 0, &decided);
    *undecided = ~decided | (vi32)((vi32)x < 0);
    return r;
}
#elif V_FUSED
/* The same by v_pow_any's doubles with fused steps, which err by 2^-44, too. For 0 and infinity v_log2_core makes -1023
   and 1024, large enough for all but small y. */
V_FN vf32 v_pow_by_doubles(vf32 x, vf32 y, vi32 *undecided)
{
    vf64 t = v_f64_from_f32(y) * v_log2_core(1, v_f64_from_f32(x));
    t = v_select_f64((vi64)(t > 200.0), v_splat_f64(200.0), t);
    t = v_select_f64((vi64)(t < -200.0), v_splat_f64(-200.0), t);
    vf64 v = v_exp2_core(1, t);
    vf32 low = v_f32_from_f64(v * (1.0 - 0x1p-42)), high = v_f32_from_f64(v * (1.0 + 0x1p-42));
    vi32 usual = (vi32)(x > 0.0f) & (vi32)(x < V_INF_F32), large = (vi32)(v_abs_f32(y) >= 0.25f);
    usual |= large & ((vi32)((vu32)x == 0u) | (vi32)(x == V_INF_F32));
    *undecided = ~((vi32)(low == high) & usual);
    return low;
}
#endif

/* x^y, but in the lanes of *undecided, where v_pow_any must say it. Shaders raise to whole constants more often than
   not. The product of n factors errs by less than n 2^-53, relatively, v_pow_any's double by 2^-44: where all doubles
   within 2^-43 round to the same float, v_pow_any rounds to that, too (Ziv's test); of NaN it makes NaN. */
V_FN vf32 v_pow_quick(vf32 x, vf32 y, vi32 *undecided)
{
    unsigned n = v_whole_exponent(y);
    if (n) {
        vf64 v = v_power_core(v_f64_from_f32(x), n);
        vf32 low = v_f32_from_f64(v * (1.0 - 0x1p-43)), high = v_f32_from_f64(v * (1.0 + 0x1p-43));
        *undecided = (vi32)(low < high) | (vi32)(low > high);
        return low;
    }
#if defined(V_TABLE)
    return v_pow_by_pairs(x, y, undecided);
#elif V_FUSED
    return v_pow_by_doubles(x, y, undecided);
#else
    *undecided = v_splat_i32(-1);
    return x;
#endif
}

V_FN vf32 v_pow(vf32 x, vf32 y)
{
    vi32 undecided;
    vf32 r = v_pow_quick(x, y, &undecided);
    return V_LIKELY(!v_any(undecided)) ? r : v_pow_any(x, y);
}

#undef V_ROUNDER
#undef V_FUSED

#endif
