/* The meaning of Maxwell's arithmetic on doubles. Holds no conversions. */
#include "ops/maxwell/float.h"

/* a * b + c, rounded once in any direction. */
OPS_INLINE vf64 mw_fma_rounded(vf64 a, vf64 b, vf64 c, unsigned rounding)
{
    V_EACH_LANE(i) a[i] = v_fma1_soft(a[i], b[i], c[i], (int)rounding);
    return a;
}

MAXWELL(DADD)
{
    const vf64 a = mw_double(from, 0, v), b = mw_double(from, 1, v);
    mw_put_double(how, to, v, how->rounding ? mw_fma_rounded(a, v_splat_f64(1.0), b, how->rounding) : a + b);
}

/* To a product a zero of its own sign may be added. */
MAXWELL(DMUL)
{
    const vf64 a = mw_double(from, 0, v), b = mw_double(from, 1, v);
    const vf64 zero = (vf64)(((vu64)a ^ (vu64)b) & (uint64_t)1 << 63);
    mw_put_double(how, to, v, how->rounding ? mw_fma_rounded(a, b, zero, how->rounding) : a * b);
}

MAXWELL(DFMA)
{
    const vf64 a = mw_double(from, 0, v), b = mw_double(from, 1, v), c = mw_double(from, 2, v);
    mw_put_double(how, to, v, how->rounding ? mw_fma_rounded(a, b, c, how->rounding) : v_fma_f64(a, b, c));
}

/* As FMNMX. */
MAXWELL(DMNMX)
{
    const vf64 a = mw_double(from, 0, v), b = mw_double(from, 1, v);
    const vi64 least = v_mask_widen(mw_truth(from, 2, v));
    const vi64 lower = v_select_i64((vi64)(a == b), (vi64)((vi64)a < (vi64)b), (vi64)(a < b));
    const vi64 first = ~(lower ^ least) & ~v_isnan_f64(a);
    const vf64 value = mw_canon_double(v_select_f64(first | v_isnan_f64(b), a, b));
    mw_put_pair(to, v, (vu64)value);
    if (how->flags) mw_put_flags(to, v, mw_double_flags(value));
}

OPS_INLINE vi32 mw_double_truth(const struct sch_maxwell_how *how, const struct sch_lanes *const from[], unsigned v)
{
    return mw_compare_doubles(how->comparison, mw_double(from, 0, v), mw_double(from, 1, v));
}

MAXWELL(DSET)
{
    const vi32 truth = mw_combine(how->combine, mw_double_truth(how, from, v), mw_truth(from, 2, v));
    mw_put_set(how, to, from, v, truth);
}
MAXWELL(DSETP) { mw_put_setp(how, to, v, mw_double_truth(how, from, v), mw_truth(from, 2, v)); }
