/* The meaning of Maxwell's arithmetic on floats of 32 bits: sums and products in all roundings, the lesser of two,
 * comparisons, approximations. Holds no doubles and no conversions. */
#include "ops/maxwell/float.h"

#include "ops/alu/math_f32.h"

/* A sum of zero that is exact is -0 downward, unless both parts are +0. */
OPS_INLINE vf32 mw_zero_sum(vf32 sum, vu32 signs, unsigned rounding)
{
    if (rounding != SCH_MAXWELL_ROUND_DOWN) return sum;
    return v_select_f32((vi32)(sum == 0.0f), (vf32)(((vu32)sum | signs) & 0x80000000u), sum);
}

/* Rounded once: the double next to the sum, to odd, keeps what a float needs. */
OPS_INLINE vf32 mw_add_rounded(vf32 a, vf32 b, unsigned rounding)
{
    if (rounding == SCH_MAXWELL_ROUND_NEAREST) return a + b;
    const vf64 x = v_f64_from_f32(a), y = v_f64_from_f32(b), s = x + y;
    const vf32 sum = mw_rounded(v_round_odd(s, v_two_sum_error(x, y, s)), rounding);
    const vi32 exact = v_mask_narrow((vi64)(s == 0.0));
    return v_select_f32(exact, mw_zero_sum(sum, (vu32)a | (vu32)b, rounding), sum);
}

MAXWELL(FADD)
{
    const vf32 a = mw_flush(how, mw_float(from, 0, v)), b = mw_flush(how, mw_float(from, 1, v));
    mw_put_float(how, to, v, mw_add_rounded(a, b, how->rounding));
}

enum { MW_FMZ = 2 };

OPS_INLINE vi32 mw_has_zero(vf32 a, vf32 b) { return (vi32)(a == 0.0f) | (vi32)(b == 0.0f); }

/* A product is exact in a double, the scale too. */
MAXWELL(FMUL)
{
    static const double scales[] = {1.0, 0.5, 0.25, 0.125, 8.0, 4.0, 2.0, 1.0};
    const vf32 a = mw_flush(how, mw_float(from, 0, v)), b = mw_flush(how, mw_float(from, 1, v));
    vf32 product;
    if (how->rounding == SCH_MAXWELL_ROUND_NEAREST && !how->scale)
        product = a * b;
    else
        product = mw_rounded(v_f64_from_f32(a) * v_f64_from_f32(b) * scales[how->scale & 7], how->rounding);
    if (how->flush == MW_FMZ) product = v_select_f32(mw_has_zero(a, b), v_splat_f32(0.0f), product);
    mw_put_float(how, to, v, product);
}

MAXWELL(FFMA)
{
    const vf32 a = mw_flush(how, mw_float(from, 0, v)), b = mw_flush(how, mw_float(from, 1, v));
    const vf32 c = mw_flush(how, mw_float(from, 2, v));
    vf32 sum;
    if (how->rounding == SCH_MAXWELL_ROUND_NEAREST) {
        sum = v_fma_f32(a, b, c);
    } else {
        const vf64 x = v_f64_from_f32(a) * v_f64_from_f32(b), y = v_f64_from_f32(c), s = x + y;
        sum = mw_rounded(v_round_odd(s, v_two_sum_error(x, y, s)), how->rounding);
        const vi32 exact = v_mask_narrow((vi64)(s == 0.0));
        sum = v_select_f32(exact, mw_zero_sum(sum, ((vu32)a ^ (vu32)b) | (vu32)c, how->rounding), sum);
    }
    if (how->flush == MW_FMZ)
        sum = v_select_f32(mw_has_zero(a, b), mw_add_rounded(v_splat_f32(0.0f), c, how->rounding), sum);
    mw_put_float(how, to, v, sum);
}

/* A pair of signs for each lane of a quad, from lane 0 in the low bits on: the first one, or nothing, of A, the second
 * one of B. */
MAXWELL(FSWZADD)
{
    enum { MINUS_A = 1, MINUS_B = 2, ONLY_B = 3 };
    const vu32 lane = (vu32)v_lane_i32() & 3u;
    const vu32 code = v_shr_u32(v_splat_u32(how->number), lane * 2u) & 3u;
    vf32 a = mw_flush(how, mw_float(from, 0, v)), b = mw_flush(how, mw_float(from, 1, v));
    const vf32 alone = b;
    a = (vf32)((vu32)a ^ ((vu32)(code == MINUS_A) & 0x80000000u));
    b = (vf32)((vu32)b ^ ((vu32)(code == MINUS_B) & 0x80000000u));
    const vf32 sum = mw_add_rounded(a, b, how->rounding);
    mw_put_float(how, to, v, v_select_f32((vi32)(code == ONLY_B), alone, sum));
}

/* A number wins over a NaN; -0 is below +0. */
MAXWELL(FMNMX)
{
    const vf32 a = mw_flush(how, mw_float(from, 0, v)), b = mw_flush(how, mw_float(from, 1, v));
    const vi32 least = mw_truth(from, 2, v);
    const vi32 zeros = (vi32)(a == b), lower = v_select_i32(zeros, (vi32)a < (vi32)b, (vi32)(a < b));
    const vi32 first = ~(lower ^ least) & ~v_isnan_f32(a);
    const vf32 value = mw_canon(v_select_f32(first | v_isnan_f32(b), a, b));
    mw_put(to, v, (vu32)value);
    if (how->flags) mw_put_flags(to, v, mw_float_flags(value));
}

MAXWELL(FCMP)
{
    const vf32 c = mw_flush(how, mw_float(from, 2, v));
    const vi32 truth = mw_compare_floats(how->comparison, c, v_splat_f32(0.0f));
    mw_put(to, v, v_select_u32(truth, mw_word(from, 0, v), mw_word(from, 1, v)));
}

OPS_INLINE vi32 mw_float_truth(const struct sch_maxwell_how *how, const struct sch_lanes *const from[], unsigned v)
{
    return mw_compare_floats(how->comparison, mw_flush(how, mw_float(from, 0, v)), mw_flush(how, mw_float(from, 1, v)));
}

MAXWELL(FSET)
{
    const vi32 truth = mw_combine(how->combine, mw_float_truth(how, from, v), mw_truth(from, 2, v));
    mw_put_set(how, to, from, v, truth);
}
MAXWELL(FSETP) { mw_put_setp(how, to, v, mw_float_truth(how, from, v), mw_truth(from, 2, v)); }

/* Whether a / b by RCP and fused steps may be wrong, judged by exponents alone: then the slow way is taken, which is
 * always right. */
MAXWELL(FCHK)
{
    const vi32 a = (vi32)(mw_word(from, 0, v) >> 23 & 0xffu), b = (vi32)(mw_word(from, 1, v) >> 23 & 0xffu);
    const vi32 distance = a - b;
    const vi32 odd = (vi32)(a == 0) | (vi32)(a == 255) | (vi32)(a < 25) | (vi32)(b < 2) | (vi32)(b > 252);
    mw_put_truth(to, v, odd | (vi32)(distance <= -125) | (vi32)(distance >= 126));
}

/* A copy: MUFU takes what was not reduced. */
MAXWELL(RRO) { mw_put(to, v, mw_word(from, 0, v)); }

/* ---- approximations: correctly rounded ---- */

/* The high word of 1 / x or 1 / sqrt x, of a double whose low word is 0. */
OPS_INLINE vu32 mw_high_word(vu32 word, bool root)
{
    const vi32 tiny = (vi32)((word & 0x7ff00000u) == 0u);
    const vf64 x = v_join_f64(v_splat_u32(0), word & ~((vu32)tiny & 0x7fffffffu));
    vf64 y = 1.0 / x;
    if (root) {
        const vf64 first = 1.0 / v_sqrt_f64(x), p = x * first, low = v_fma_f64(x, first, -p);
        const vf64 residual = v_fma_f64(-p, first, v_splat_f64(1.0)) - low * first;
        const vi64 ordinary = (vi64)(x > 0.0) & (vi64)(x < V_INF_F64);
        y = v_select_f64(ordinary, v_fma_f64(first * 0.5, residual, first), first);
    }
    const vu32 high = v_hi_u64((vu64)mw_canon_double(y));
    return high & ~((vu32)((high & 0x7ff00000u) == 0u) & 0x7fffffffu);
}

MAXWELL(MUFU)
{
    enum { COS, SIN, EX2, LG2, RCP, RSQ, RCP64H, RSQ64H };
    const vf32 a = mw_flushed(mw_float(from, 0, v));
    vf32 value;
    switch (how->mode) {
    case COS:
        value = v_cos(a);
        break;
    case SIN:
        value = v_sin(a);
        break;
    case EX2:
        value = v_ex2(a);
        break;
    case LG2:
        value = v_lg2(a);
        break;
    case RCP:
        value = v_rcp(a);
        break;
    case RSQ:
        value = v_rsq(a);
        break;
    default:
        mw_put(to, v, mw_high_word(mw_word(from, 0, v), how->mode == RSQ64H));
        return;
    }
    value = mw_canon(mw_flushed(value));
    mw_put(to, v, (vu32)(how->saturate ? mw_saturated(value) : value));
}
