/* The meaning of the elementary functions on 32-bit floats: what ops/alu/math_f32.h computes, and the opcodes made of
 * it. */
#include "ops/alu/math_f32.h"
#include "ops/op.h"

REPL(RSQ, F_F) { return v_rsq(a); }
REPL(EX2, F_F) { return v_ex2(a); }
REPL(LG2, F_F) { return v_lg2(a); }
REPL(SIN, F_F) { return v_sin(a); }
REPL(COS, F_F) { return v_cos(a); }
REPL(POW, F_FF) { return v_pow(a, b); }

/* max and clamp are the comparisons of "Functions": a NaN x or y counts as 0, a NaN w stays. */
CHAN(LIT, F_F)
{
    vf32 zero = v_splat_f32(0.0f);
    vf32 x = v_select_f32((vi32)(a[0] > zero), a[0], zero);
    vf32 y = v_select_f32((vi32)(a[1] > zero), a[1], zero);
    vf32 w = v_select_f32((vi32)(a[3] > 128.0f), v_splat_f32(128.0f), a[3]);
    w = v_select_f32((vi32)(a[3] < -128.0f), v_splat_f32(-128.0f), w);
    r[0] = r[3] = v_splat_f32(1.0f);
    r[1] = x;
    r[2] = v_select_f32((vi32)(a[0] > zero), v_pow(y, w), zero);
}

CHAN(EXP, F_F)
{
    vf32 whole = v_floor_f32(a[0]);
    r[0] = v_ex2(whole);
    r[1] = a[0] - whole;
    r[2] = v_ex2(a[0]);
    r[3] = v_splat_f32(1.0f);
}

/* x = m * 2^e with 1 <= m < 2, both exact: floor(log2 x) is e and x / 2^e is m. For 0 and infinity the formulas give
 * e = log2 x and m = NaN (0/0, inf/inf), or 0 under LEGACY_MATH_RULES, which take the quotient as the product of x and
 * 2^-e. */
CHAN(LOG, F_F)
{
    vf32 x = v_abs_f32(a[0]);
    vi32 tiny = (vi32)(x < 0x1p-126f);
    vu32 bits = (vu32)v_select_f32(tiny, x * 0x1p32f, x);
    vi32 exponent = (vi32)(bits >> 23) - 127 - (tiny & 32);
    vf32 mantissa = (vf32)((bits & 0x7fffffu) | 0x3f800000u);
    vi32 edge = ~((vi32)(x > 0.0f) & (vi32)(x < V_INF_F32));
    vf32 log = v_lg2(x);
    vf32 quotient = v_splat_f32(V_NAN_F32);
    if (rules & SCH_RULE_LEGACY_MUL) quotient = v_select_f32(v_isnan_f32(x), x, v_splat_f32(0.0f));
    r[0] = v_select_f32(edge, log, v_f32_from_i32(exponent));
    r[1] = v_select_f32(edge, quotient, mantissa);
    r[2] = log;
    r[3] = v_splat_f32(1.0f);
}
