/* Steps of Maxwell's float arithmetic that several files take: flushes, canonical NaN, saturation, flags, and rounding
 * in any direction. */
#ifndef SCH_OPS_MAXWELL_FLOAT_H
#define SCH_OPS_MAXWELL_FLOAT_H

#include "ops/maxwell/body.h"

/* ---- operands and results ---- */

OPS_INLINE vf32 mw_flushed(vf32 a)
{
    const vi32 tiny = (vi32)(v_abs_f32(a) < 0x1p-126f);
    return (vf32)((vu32)a & ~((vu32)tiny & 0x7fffffffu));
}
OPS_INLINE vf32 mw_flush(const struct sch_maxwell_how *how, vf32 a) { return how->flush ? mw_flushed(a) : a; }

OPS_INLINE vf64 mw_canon_double(vf64 a)
{
    return (vf64)v_select_u64(v_isnan_f64(a), v_splat_u64((uint64_t)0xfff8 << 48), (vu64)a);
}
OPS_INLINE vf32 mw_canon(vf32 a) { return (vf32)v_select_u32(v_isnan_f32(a), v_splat_u32(0x7fffffffu), (vu32)a); }

/* Within 0 and 1; a NaN and -0 give +0. */
OPS_INLINE vf32 mw_saturated(vf32 a)
{
    a = v_select_f32((vi32)(a > 0.0f), a, v_splat_f32(0.0f));
    return v_select_f32((vi32)(a > 1.0f), v_splat_f32(1.0f), a);
}
OPS_INLINE vf64 mw_saturated_double(vf64 a)
{
    a = v_select_f64((vi64)(a > 0.0), a, v_splat_f64(0.0));
    return v_select_f64((vi64)(a > 1.0), v_splat_f64(1.0), a);
}

/* Z and S, both of a NaN. */
OPS_INLINE vu32 mw_float_flags(vf32 a)
{
    const vi32 nan = v_isnan_f32(a);
    return mw_flag((vi32)(a == 0.0f) | nan, SCH_MAXWELL_Z) | mw_flag((vi32)(a < 0.0f) | nan, SCH_MAXWELL_S);
}
OPS_INLINE vu32 mw_double_flags(vf64 a)
{
    const vi32 nan = v_mask_narrow(v_isnan_f64(a));
    return mw_flag(v_mask_narrow((vi64)(a == 0.0)) | nan, SCH_MAXWELL_Z) |
           mw_flag(v_mask_narrow((vi64)(a < 0.0)) | nan, SCH_MAXWELL_S);
}

/* The end of an operation: what is rounded is flushed, made canonical, and brought into 0 to 1. */
OPS_INLINE void mw_put_float(const struct sch_maxwell_how *how, struct sch_lanes *const to[], unsigned v, vf32 value)
{
    value = mw_canon(mw_flush(how, value));
    if (how->saturate) value = mw_saturated(value);
    mw_put(to, v, (vu32)value);
    if (how->flags) mw_put_flags(to, v, mw_float_flags(value));
}

OPS_INLINE void mw_put_double(const struct sch_maxwell_how *how, struct sch_lanes *const to[], unsigned v, vf64 value)
{
    value = mw_canon_double(value);
    if (how->saturate) value = mw_saturated_double(value);
    mw_put_pair(to, v, (vu64)value);
    if (how->flags) mw_put_flags(to, v, mw_double_flags(value));
}

/* ---- rounding ---- */

/* A double to a float. What is exact in more bits than a double has is to be rounded to odd before (v_round_odd). */
OPS_INLINE vf32 mw_rounded(vf64 a, unsigned rounding)
{
    const vf32 nearest = v_f32_from_f64(a);
    if (rounding == SCH_MAXWELL_ROUND_NEAREST) return nearest;
    const vf64 back = v_f64_from_f32(nearest);
    const vi32 above = v_mask_narrow((vi64)(back > a)), below = v_mask_narrow((vi64)(back < a));
    const vi32 negative = (vi32)nearest >> 31;
    /* A step away from zero adds one to the bits, one toward it takes one away. */
    vi32 away, back_to;
    if (rounding == SCH_MAXWELL_ROUND_DOWN) {
        away = above & negative;
        back_to = above & ~negative;
    } else if (rounding == SCH_MAXWELL_ROUND_UP) {
        away = below & ~negative;
        back_to = below & negative;
    } else {
        away = v_splat_i32(0);
        back_to = v_select_i32(negative, below, above);
    }
    return (vf32)((vi32)nearest - away + back_to);
}

/* To odd: toward zero, and where that is inexact the last bit is set. */
OPS_INLINE vf32 mw_rounded_odd(vf64 a)
{
    const vf32 cut = mw_rounded(a, SCH_MAXWELL_ROUND_ZERO);
    const vf64 back = v_f64_from_f32(cut);
    const vi32 inexact = v_mask_narrow((vi64)(back < a) | (vi64)(back > a));
    return (vf32)((vu32)cut | ((vu32)inexact & 1u));
}

/* A float to a half; a NaN is 0x7fff. */
OPS_INLINE vu32 mw_half_rounded(vf32 a, unsigned rounding)
{
    vu32 half;
    if (rounding == SCH_MAXWELL_ROUND_NEAREST) {
        half = v_f16_from_f32(a);
    } else {
        half = v_f16_from_f32_rtz(a);
        const vf32 back = v_f32_from_f16(half);
        const vi32 up = (vi32)(back < a), down = (vi32)(back > a);
        if (rounding == SCH_MAXWELL_ROUND_UP) half += (vu32)up & 1u;
        if (rounding == SCH_MAXWELL_ROUND_DOWN) half += (vu32)down & 1u;
    }
    return v_select_u32(v_isnan_f32(a), v_splat_u32(0x7fffu), half);
}

/* The error `e` of the double `s`, which is rounded to nearest, moves it by one place at most. */
OPS_INLINE vf64 mw_directed(vf64 s, vf64 e, unsigned rounding)
{
    const vi64 negative = (vi64)s >> 63, more = (vi64)(e > 0.0), less = (vi64)(e < 0.0);
    vi64 away, back; /* from zero, to it */
    if (rounding == SCH_MAXWELL_ROUND_NEAREST) return s;
    if (rounding == SCH_MAXWELL_ROUND_DOWN) {
        away = less & negative;
        back = less & ~negative;
    } else if (rounding == SCH_MAXWELL_ROUND_UP) {
        away = more & ~negative;
        back = more & negative;
    } else {
        away = v_splat_i64(0);
        back = v_select_i64(negative, more, less);
    }
    return (vf64)((vi64)s - away + back);
}

/* To a whole number by table RNDI. */
OPS_INLINE vf64 mw_whole(vf64 a, unsigned rounding)
{
    switch (rounding) {
    case SCH_MAXWELL_ROUND_DOWN:
        return v_floor_f64(a);
    case SCH_MAXWELL_ROUND_UP:
        return v_ceil_f64(a);
    case SCH_MAXWELL_ROUND_ZERO:
        return v_trunc_f64(a);
    default:
        return v_rint_f64(a);
    }
}

/* ---- comparisons ---- */

/* Tests 8 to 15 of table FCMP are true where either is a NaN. */
enum { MW_UNORDERED = 8 };
OPS_INLINE vi32 mw_compare_floats(unsigned comparison, vf32 a, vf32 b)
{
    vi32 truth = mw_by_order(comparison, (vi32)(a < b), (vi32)(a == b), (vi32)(a > b));
    if (comparison & MW_UNORDERED) truth |= v_isnan_f32(a) | v_isnan_f32(b);
    return truth;
}
OPS_INLINE vi32 mw_compare_doubles(unsigned comparison, vf64 a, vf64 b)
{
    vi32 truth = mw_by_order(comparison, v_mask_narrow((vi64)(a < b)), v_mask_narrow((vi64)(a == b)),
                             v_mask_narrow((vi64)(a > b)));
    if (comparison & MW_UNORDERED) truth |= v_mask_narrow(v_isnan_f64(a) | v_isnan_f64(b));
    return truth;
}

#endif
