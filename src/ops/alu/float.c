/* The meaning of arithmetic, comparison, selection and rounding on 32-bit floats, and of derivatives. Holds no
 * elementary function (transcendental.c), no conversion (convert.c), no double (double.c). */
#include "ops/op.h"

/* a * b; under LEGACY_MATH_RULES a factor 0 gives +0 whatever the other factor is ("The MUL TGSI operation will return
 * 0 if either of the operands are equal to 0"). */
OPS_INLINE vf32 ops_mul(uint32_t rules, vf32 a, vf32 b)
{
    vf32 product = a * b;
    if (!(rules & SCH_RULE_LEGACY_MUL)) return product;
    vi32 zero = (vi32)(a == 0.0f) | (vi32)(b == 0.0f);
    return v_select_f32(zero, v_splat_f32(0.0f), product);
}

/* a * b + c, rounded once, or twice where the instruction is _PRECISE; the product as in ops_mul. */
OPS_INLINE vf32 ops_mad(uint32_t rules, vf32 a, vf32 b, vf32 c)
{
    vf32 sum = rules & SCH_RULE_PRECISE ? a * b + c : v_fma_f32(a, b, c);
    if (!(rules & SCH_RULE_LEGACY_MUL)) return sum;
    vi32 zero = (vi32)(a == 0.0f) | (vi32)(b == 0.0f);
    return v_select_f32(zero, 0.0f + c, sum);
}

/* 1.0 where the mask is set, else 0.0. */
OPS_INLINE vf32 ops_bool_f32(vi32 mask) { return (vf32)(mask & (vi32)v_splat_f32(1.0f)); }

COMP(MUL, F_FF) { return ops_mul(rules, a, b); }
COMP(ADD, F_FF) { return a + b; }
COMP(DIV, F_FF) { return a / b; }
COMP(MAD, F_FFF) { return ops_mad(rules, a, b, c); }
COMP(FMA, F_FFF) { return ops_mad(rules & ~(uint32_t)SCH_RULE_PRECISE, a, b, c); }
COMP(LRP, F_FFF) { return ops_mad(rules, a, b, ops_mul(rules, 1.0f - a, c)); }
REPL(RCP, F_F) { return 1.0f / a; }
REPL(SQRT, F_F) { return v_sqrt_f32(a); }

/* The text's order: the first product is rounded, each further one is fused into the sum so far. */
VREPL2(DP2, F_FF) { return ops_mad(rules, a[1], b[1], ops_mul(rules, a[0], b[0])); }
VREPL3(DP3, F_FF) { return ops_mad(rules, a[2], b[2], ops_mad(rules, a[1], b[1], ops_mul(rules, a[0], b[0]))); }
VREPL4(DP4, F_FF)
{
    vf32 xy = ops_mad(rules, a[1], b[1], ops_mul(rules, a[0], b[0]));
    return ops_mad(rules, a[3], b[3], ops_mad(rules, a[2], b[2], xy));
}

CHAN(DST, F_FF)
{
    r[0] = v_splat_f32(1.0f);
    r[1] = ops_mul(rules, a[1], b[1]);
    r[2] = a[2];
    r[3] = b[3];
}

/* "Functions": min(x,y) is (x < y) ? x : y, so a NaN on either side gives y. Direct3D: of a NaN and a number the
 * number, and of equal ones max gives the first. */
COMP(MIN, F_FF)
{
    vi32 number = rules & SCH_RULE_D3D ? v_isnan_f32(b) : v_splat_i32(0);
    return v_select_f32((vi32)(a < b) | number, a, b);
}
COMP(MAX, F_FF)
{
    if (rules & SCH_RULE_D3D) return v_select_f32((vi32)(a >= b) | v_isnan_f32(b), a, b);
    return v_select_f32((vi32)(a > b), a, b);
}

COMP(SLT, F_FF) { return ops_bool_f32((vi32)(a < b)); }
COMP(SLE, F_FF) { return ops_bool_f32((vi32)(a <= b)); }
COMP(SGT, F_FF) { return ops_bool_f32((vi32)(a > b)); }
COMP(SGE, F_FF) { return ops_bool_f32((vi32)(a >= b)); }
COMP(SEQ, F_FF) { return ops_bool_f32((vi32)(a == b)); }
COMP(SNE, F_FF) { return ops_bool_f32((vi32)(a != b)); }

COMP(FSLT, U_FF) { return (vu32)(a < b); }
COMP(FSGE, U_FF) { return (vu32)(a >= b); }
COMP(FSEQ, U_FF) { return (vu32)(a == b); }
COMP(FSNE, U_FF) { return (vu32)(a != b); }

/* (x > 0) ? 1 : (x < 0) ? -1 : 0, so a NaN and both zeros give +0. */
COMP(SSG, F_F) { return ops_bool_f32((vi32)(a > 0.0f)) - ops_bool_f32((vi32)(a < 0.0f)); }

COMP(MOV, X_X) { return a; }
COMP(CMP, X_FXX) { return v_select_u32((vi32)(a < 0.0f), b, c); }

/* As the formula, in float arithmetic: of a small negative number the result rounds to 1; but of infinities +0. So
 * a - FRC(a) is floor(a) for every number, which is how producers write floor. Direct3D's is below 1, and NaN for
 * infinities (22.10.7). */
COMP(FRC, F_F)
{
    vf32 whole = v_floor_f32(a), part = a - whole;
    if (rules & SCH_RULE_D3D) return v_select_f32((vi32)(part >= 1.0f), v_splat_f32(0x1.fffffep-1f), part);
    return v_select_f32((vi32)(a == whole), v_splat_f32(0.0f), part);
}
COMP(FLR, F_F) { return v_floor_f32(a); }
COMP(CEIL, F_F) { return v_ceil_f32(a); }
COMP(TRUNC, F_F) { return v_trunc_f32(a); }
COMP(ROUND, F_F) { return v_rint_f32(a); }

/* The product is exact in double and rounded once to float. Past this exponent every float overflows or vanishes. */
enum { OPS_FAR_F32 = 400 };
COMP(LDEXP, F_FI)
{
    vi32 n = v_limit_i32(b, OPS_FAR_F32);
    vf64 power = (vf64)((vu64)v_i64_from_i32(n + 1023) << 52);
    return v_f32_from_f64(v_f64_from_f32(a) * power);
}

/* Lanes of a quad: (0,0), (1,0), (0,1), (1,1). DDX and DDY are those of the first row and column for the whole quad,
 * the fine forms those of the lane's own row or column. */
COMP(DDX, F_F) { return v_quad_1111_f32(a) - v_quad_0000_f32(a); }
COMP(DDY, F_F) { return v_quad_2222_f32(a) - v_quad_0000_f32(a); }
COMP(DDX_FINE, F_F) { return v_quad_1133_f32(a) - v_quad_0022_f32(a); }
COMP(DDY_FINE, F_F) { return v_quad_2323_f32(a) - v_quad_0101_f32(a); }
