/*
 * ops/alu/math_pair.h - shorter ways to the results of ops/alu/math_f32.h: sums of two binary32 numbers, the second
 * one below the first one's last place, with fused multiply-adds.
 *
 * Holds: v_pair_log2, v_pair_exp2, v_pair_decide and their tables. Only where one instruction takes a value of 32 from
 * a table (V_TABLE of ops/vec/permute.h); elsewhere ops/alu/math_f32.h has its doubles alone.
 * Must not hold: edges and definitions, which are ops/alu/math_f32.h's.
 *
 * A pair approximates; it never decides what a result is. v_pair_decide asks whether everything within the stated bound
 * of the pair rounds to the same float (Ziv's test): then that float is what the definition gives, which lies within
 * the bound, too. The other lanes, NaNs among them, are for the definition.
 *
 * The constants come from tools/mathgen/pairs.py, which checks the conditions that are stated here for each row of the
 * tables. u is 2^-24.
 */
#ifndef SCH_OPS_ALU_MATH_PAIR_H
#define SCH_OPS_ALU_MATH_PAIR_H

#include "ops/vec/vec.h"

#if defined(V_TABLE)

typedef struct {
    vf32 high, low;
} v_pair;

static const float v_log2_factor[32] __attribute__((unused)) = {
    0x1p+0f,    0x1.e8p-1f, 0x1.d8p-1f, 0x1.dp-1f,  0x1.cp-1f,  0x1.b8p-1f, 0x1.a8p-1f, 0x1.ap-1f,
    0x1.98p-1f, 0x1.88p-1f, 0x1.8p-1f,  0x1.78p-1f, 0x1.7p-1f,  0x1.68p-1f, 0x1.6p-1f,  0x1.58p-1f,
    0x1.5p-1f,  0x1.48p-1f, 0x1.48p-1f, 0x1.4p-1f,  0x1.38p-1f, 0x1.3p-1f,  0x1.3p-1f,  0x1.28p-1f,
    0x1.2p-1f,  0x1.2p-1f,  0x1.18p-1f, 0x1.1p-1f,  0x1.1p-1f,  0x1.08p-1f, 0x1.08p-1f, 0x1p-1f};
static const float v_log2_high[32] __attribute__((unused)) = {
    0.0f,         0x1.1bbp-4f,  0x1.e0bp-4f,  0x1.22d8p-3f, 0x1.8a88p-3f, 0x1.bfc8p-3f, 0x1.169cp-2f, 0x1.32cp-2f,
    0x1.4f7p-2f,  0x1.8a88p-2f, 0x1.a9p-2f,   0x1.c818p-2f, 0x1.e7ep-2f,  0x1.042cp-1f, 0x1.14c6p-1f, 0x1.25cp-1f,
    0x1.3722p-1f, 0x1.48eep-1f, 0x1.48eep-1f, 0x1.5b2cp-1f, 0x1.6dep-1f,  0x1.811p-1f,  0x1.811p-1f,  0x1.94c2p-1f,
    0x1.a9p-1f,   0x1.a9p-1f,   0x1.bdcep-1f, 0x1.d338p-1f, 0x1.d338p-1f, 0x1.e946p-1f, 0x1.e946p-1f, 0x1p+0f};
static const float v_log2_low[32] __attribute__((unused)) = {0.0f,
                                                             0x1.953002p-19f,
                                                             0x1.ae8f3p-20f,
                                                             0x1.6e155ap-18f,
                                                             0x1.80abfcp-19f,
                                                             -0x1.858p-19f,
                                                             0x1.4d8fc6p-24f,
                                                             -0x1.1c8f12p-22f,
                                                             -0x1.134c4ep-20f,
                                                             0x1.80abfcp-18f,
                                                             -0x1.a39fbep-20f,
                                                             0x1.dc2d46p-18f,
                                                             -0x1.40358ep-19f,
                                                             -0x1.5a32c2p-20f,
                                                             -0x1.3e032ep-18f,
                                                             0x1.408c78p-18f,
                                                             0x1.5db83ap-20f,
                                                             0x1.e3263p-18f,
                                                             0x1.e3263p-18f,
                                                             0x1.ed0cbap-20f,
                                                             -0x1.eac382p-20f,
                                                             -0x1.6b9026p-19f,
                                                             -0x1.6b9026p-19f,
                                                             0x1.0e9258p-18f,
                                                             -0x1.a39fbep-19f,
                                                             -0x1.a39fbep-19f,
                                                             0x1.3b992cp-18f,
                                                             0x1.20a6dep-21f,
                                                             0x1.20a6dep-21f,
                                                             -0x1.a6eb1ep-18f,
                                                             -0x1.a6eb1ep-18f,
                                                             0.0f};
static const float v_exp2_high[32] __attribute__((unused)) = {
    0x1p+0f,        0x1.059b0ep+0f, 0x1.0b5586p+0f, 0x1.11301ep+0f, 0x1.172b84p+0f, 0x1.1d4874p+0f, 0x1.2387a6p+0f,
    0x1.29e9ep+0f,  0x1.306fep+0f,  0x1.371a74p+0f, 0x1.3dea64p+0f, 0x1.44e086p+0f, 0x1.4bfdaep+0f, 0x1.5342b6p+0f,
    0x1.5ab07ep+0f, 0x1.6247ecp+0f, 0x1.6a09e6p+0f, 0x1.71f75ep+0f, 0x1.7a1148p+0f, 0x1.82589ap+0f, 0x1.8ace54p+0f,
    0x1.93737cp+0f, 0x1.9c4918p+0f, 0x1.a5503cp+0f, 0x1.ae89fap+0f, 0x1.b7f77p+0f,  0x1.c199bep+0f, 0x1.cb720ep+0f,
    0x1.d5818ep+0f, 0x1.dfc974p+0f, 0x1.ea4afap+0f, 0x1.f50766p+0f};
static const float v_exp2_low[32] __attribute__((unused)) = {0.0f,
                                                             -0x1.9d4f52p-25f,
                                                             0x1.9f3122p-25f,
                                                             -0x1.fdb496p-25f,
                                                             -0x1.c15742p-27f,
                                                             -0x1.d2e8cap-25f,
                                                             0x1.ceac48p-25f,
                                                             -0x1.5c0424p-25f,
                                                             0x1.4636e2p-25f,
                                                             -0x1.18aac6p-25f,
                                                             0x1.824684p-25f,
                                                             0x1.8624b4p-30f,
                                                             -0x1.593abcp-25f,
                                                             -0x1.2c561p-25f,
                                                             -0x1.5bd5ecp-27f,
                                                             -0x1.f8b55p-25f,
                                                             0x1.9fcef4p-26f,
                                                             0x1.1d8beep-25f,
                                                             -0x1.829fdp-25f,
                                                             -0x1.accc7cp-26f,
                                                             0x1.15506ep-27f,
                                                             -0x1.e64744p-25f,
                                                             0x1.51f848p-27f,
                                                             -0x1.b83b54p-25f,
                                                             -0x1.a94b14p-26f,
                                                             -0x1.a09438p-25f,
                                                             -0x1.3d56b2p-27f,
                                                             -0x1.8837ccp-27f,
                                                             -0x1.822dbcp-27f,
                                                             -0x1.908c94p-25f,
                                                             0x1.52486cp-27f,
                                                             -0x1.246ebp-26f};

/* log2(x) for x > 0, finite; of +0 and infinity the high part is the logarithm and the low one NaN; below 0 NaN.
 * x = 2^e m, 1 <= m < 2; z = c m - 1 with c from the table, near 1/m and of 6 bits, so that z is exact: it is a
 * multiple of 2^-29 below 2^-5. (c is 1 for m below 1 + 1/32 and 1/2 for m from 2 - 1/32 on: near x = 1 the logarithm
 * is that of 1 + z.) -log2(c) is two rows: multiples of 2^-16, whose sum with e is exact, and a rest below 2^-17.
 * log2(1 + z) = z (L0 + z (L1 + z Q(z))), the outer two sums in pairs.
 * Absolute error: Q rounds by 2^-26, times z^3; the rest of the table, its sum with the other low parts and what they
 * add to by 2^-42 each; the polynomial by 2^-42.8: below 2^-40. Where e and the table add nothing only Q's count:
 * 2^-36 of the result. Everywhere else the logarithm is above 0.019: below 2^-34.2 of it. */
V_FN v_pair v_pair_log2(vf32 x)
{
    vf32 e = v_exponent_f32(x), m = v_significand_f32(x);
    vi32 row = (vi32)((vu32)m >> 18);
    vf32 z = v_fma_f32(m, v_table_f32(v_log2_factor, row), v_splat_f32(-1.0f));
    vf32 whole = e + v_table_f32(v_log2_high, row), rest = v_table_f32(v_log2_low, row);
    const vf32 L0 = v_splat_f32(0x1.715476p+0f), L1 = v_splat_f32(-0x1.715476p-1f);
    vf32 q = v_fma_f32(z, v_splat_f32(0x1.9f66ap-3f), v_splat_f32(-0x1.ecbb4ep-3f));
    q = v_fma_f32(z, q, v_splat_f32(0x1.27773ep-2f));
    q = v_fma_f32(z, q, v_splat_f32(-0x1.715474p-2f));
    q = v_fma_f32(z, q, v_splat_f32(0x1.ec709ep-2f));
    vf32 a = v_fma_f32(z, q, L1), a_low = v_fma_f32(z, q, L1 - a) - 0x1.4ae0cp-27f;
    vf32 b = v_fma_f32(z, a, L0), b_low = v_fma_f32(z, a_low, v_fma_f32(z, a, L0 - b)) + 0x1.4ae0cp-26f;
    vf32 p = z * b, p_low = v_fma_f32(z, b_low, v_fma_f32(z, b, v_neg_f32(p)));
    v_pair r = {.high = whole + p}; /* |whole| > |p|, or 0 */
    r.low = ((whole - r.high) + p) + (p_low + rest);
    return r;
}

/* y times a pair, its high part limited to 200 in magnitude: then it is alone, as it does where it is infinite. 0
 * times anything is 0. */
V_FN v_pair v_pair_times(v_pair t, vf32 y)
{
    vi32 some = (vi32)(y != 0.0f);
    vf32 high = (vf32)((vi32)(y * t.high) & some);
    vf32 limited = v_greater_f32(v_splat_f32(-200.0f), v_less_f32(v_splat_f32(200.0f), high));
    vf32 low = v_fma_f32(y, t.low, v_fma_f32(y, t.high, v_neg_f32(high)));
    return (v_pair){.high = limited, .low = (vf32)((vi32)low & some & (vi32)(limited == high))};
}

/* 2^t = 2^scale * pair for |t| <= 200, 1 - 2^-6 < pair < 2; scale is to be rounded down (v_scale_f32 does). NaN stays.
 * t.low counts if `both`. t = n + r, n a multiple of 1/32, |r| <= 1/64 + 2^-16; 2^n from the table;
 * 2^r - 1 = r K0 + r^2 K(r).
 * Relative error, in 2^-38: 1 from r^2, 1/2 from K, 1 from their product, 1 from r's low part as it counts only in r
 * K0, 1 from the product with the table, 1 from the last sum, 1/2 from the polynomial and the rest: below 2^-35.4. */
V_FN v_pair v_pair_exp2(v_pair t, int both, vf32 *scale)
{
    const vf32 K0 = v_splat_f32(0x1.62e43p-1f);
    vf32 shifted = t.high + 0x1.8p18f, n = shifted - 0x1.8p18f;
    vf32 rest = t.high - n, r = both ? rest + t.low : rest;
    vf32 p = r * K0, p_low = v_fma_f32(r, K0, v_neg_f32(p));
    p_low = v_fma_f32(r, v_splat_f32(-0x1.05c61p-29f), p_low);
    if (both) p_low = v_fma_f32((rest - r) + t.low, K0, p_low); /* |rest| > |t.low|, or 0: exact */
    vf32 k = v_fma_f32(r, v_splat_f32(0x1.3b2af4p-7f), v_splat_f32(0x1.c6b11p-5f));
    k = v_fma_f32(r, k, v_splat_f32(0x1.ebfbep-3f));
    p_low = v_fma_f32(r * r, k, p_low);
    vf32 power = v_table_f32(v_exp2_high, (vi32)shifted), below = v_table_f32(v_exp2_low, (vi32)shifted);
    v_pair v = {.high = v_fma_f32(power, p, power)};
    v.low = v_fma_f32(power, p, power - v.high);
    v.low = v_fma_f32(power, p_low, v.low) + v_fma_f32(below, p, below);
    *scale = n;
    return v;
}

/* The float to which all of pair * (1 +- error) rounds, in the lanes of *decided. NaN is NaN, decided if `nan`. */
V_FN vf32 v_pair_decide(v_pair v, vf32 error, int nan, vi32 *decided)
{
    vf32 low = v.high + v_fma_f32(v.high, v_neg_f32(error), v.low);
    vf32 high = v.high + v_fma_f32(v.high, error, v.low);
    *decided = nan ? ~((vi32)(low < high) | (vi32)(low > high)) : (vi32)(low == high);
    return low;
}

/* The same of 2^scale * pair. Below 2^-126 v_scale_f32 rounds the sums a second time; with a bound of more than their
 * first rounding everything between them still rounds as they do. */
V_FN vf32 v_pair_decide_scaled(v_pair v, vf32 error, vf32 scale, int nan, vi32 *decided)
{
    error = v_select_f32((vi32)(scale < -125.5f), v_splat_f32(0x1p-22f), error);
    vf32 low = v_scale_f32(v.high + v_fma_f32(v.high, v_neg_f32(error), v.low), scale);
    vf32 high = v_scale_f32(v.high + v_fma_f32(v.high, error, v.low), scale);
    *decided = nan ? ~((vi32)(low < high) | (vi32)(low > high)) : (vi32)(low == high);
    return low;
}

#endif

#endif
