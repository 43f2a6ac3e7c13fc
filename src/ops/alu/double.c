/* The meaning of arithmetic, comparison and rounding on doubles. Holds no conversions (convert.c). */
#include "ops/op.h"

COMP64(DABS, D_D) { return v_abs_f64(a); }
COMP64(DNEG, D_D) { return v_neg_f64(a); }
COMP64(DADD, D_DD) { return a + b; }
COMP64(DMUL, D_DD) { return a * b; }
COMP64(DDIV, D_DD) { return a / b; }
COMP64(DRCP, D_D) { return 1.0 / a; }
COMP64(DSQRT, D_D) { return v_sqrt_f64(a); }
COMP64(DFMA, D_DDD) { return v_fma_f64(a, b, c); }
COMP64(DMAD, D_DDD)
{
    if (rules & SCH_RULE_PRECISE) return a * b + c;
    return v_fma_f64(a, b, c);
}

/* One over the root has two roundings; a Newton step on the residual 1 - a y^2, which is computed exactly enough in two
 * pieces, leaves less than one. */
COMP64(DRSQ, D_D)
{
    vf64 y = 1.0 / v_sqrt_f64(a);
    vf64 p = a * y, low = v_fma_f64(a, y, -p);
    vf64 residual = v_fma_f64(-p, y, v_splat_f64(1.0)) - low * y;
    vf64 better = v_fma_f64(y * 0.5, residual, y);
    vi64 ordinary = (vi64)(a > 0.0) & (vi64)(a < V_INF_F64);
    return v_select_f64(ordinary, better, y);
}

/* As MIN and MAX, with Direct3D's rule for NaN. */
COMP64(DMIN, D_DD)
{
    vi64 number = rules & SCH_RULE_D3D ? v_isnan_f64(b) : v_splat_i64(0);
    return v_select_f64((vi64)(a < b) | number, a, b);
}
COMP64(DMAX, D_DD)
{
    if (rules & SCH_RULE_D3D) return v_select_f64((vi64)(a >= b) | v_isnan_f64(b), a, b);
    return v_select_f64((vi64)(a > b), a, b);
}

COMPARE64(DSEQ, U_DD) { return (vu32)v_mask_narrow((vi64)(a == b)); }
COMPARE64(DSNE, U_DD) { return (vu32)v_mask_narrow((vi64)(a != b)); }
COMPARE64(DSLT, U_DD) { return (vu32)v_mask_narrow((vi64)(a < b)); }
COMPARE64(DSGE, U_DD) { return (vu32)v_mask_narrow((vi64)(a >= b)); }

/* As FRC: producers write floor, ceil, trunc and round of doubles by it. */
COMP64(DFRAC, D_D) { return v_select_f64((vi64)(v_abs_f64(a) == V_INF_F64), v_splat_f64(0.0), a - v_floor_f64(a)); }
COMP64(DFLR, D_D) { return v_floor_f64(a); }
COMP64(DCEIL, D_D) { return v_ceil_f64(a); }
COMP64(DTRUNC, D_D) { return v_trunc_f64(a); }
COMP64(DROUND, D_D) { return v_rint_f64(a); }

/* As SSG: a NaN and both zeros give +0. */
COMP64(DSSG, D_D)
{
    vi64 one = (vi64)v_splat_f64(1.0);
    return (vf64)((vi64)(a > 0.0) & one) - (vf64)((vi64)(a < 0.0) & one);
}

/* a = m * 2^e with 1 <= |m| < 2 where a is finite and not zero. */
OPS_INLINE vf64 ops_split_f64(vf64 a, vi64 *e)
{
    vi64 tiny = (vi64)(v_abs_f64(a) < 0x1p-1022);
    vu64 bits = (vu64)v_select_f64(tiny, a * 0x1p64, a);
    *e = (vi64)(bits >> 52 & 0x7ffu) - 1023 - (tiny & 64);
    const uint64_t exponent_field = (uint64_t)0x7ff << 52, one = (uint64_t)1023 << 52;
    return (vf64)((bits & ~exponent_field) | one);
}
/* Lanes of a that ops_split_f64 is for. */
OPS_INLINE vi64 ops_finite_nonzero_f64(vf64 a) { return (vi64)(a != 0.0) & (vi64)(v_abs_f64(a) < V_INF_F64); }

/* 2^n for -1022 <= n <= 1023. */
OPS_INLINE vf64 ops_power_f64(vi64 n) { return (vf64)((vu64)(n + 1023) << 52); }

/* The result's exponent is halved: multiplying the mantissa by the first half is exact, by the second rounds once. Past
 * the limit every double overflows or vanishes. */
enum { OPS_FAR_F64 = 1100 };
COMP64(DLDEXP, D_DI)
{
    vi64 e;
    vf64 m = ops_split_f64(a, &e);
    e = v_limit_i64(e + v_i64_from_i32(b), OPS_FAR_F64);
    vi64 half = v_i64_from_i32(v_mask_narrow(e) >> 1);
    vf64 scaled = m * ops_power_f64(half) * ops_power_f64(e - half);
    return v_select_f64(ops_finite_nonzero_f64(a), scaled, a);
}

/* a = fraction * 2^exponent with 1/2 <= |fraction| < 1; zeros, infinities and NaN are their own fraction, exponent
 * 0. */
FRACEXP(DFRACEXP, D_D)
{
    vi64 e;
    vf64 m = ops_split_f64(a, &e);
    vi64 ordinary = ops_finite_nonzero_f64(a);
    *exponent = v_mask_narrow((e + 1) & ordinary);
    return v_select_f64(ordinary, m * 0.5, a);
}
