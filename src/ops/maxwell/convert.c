/* The meaning of Maxwell's conversions between floats, between integers, and from one to the other. */
#include "ops/maxwell/float.h"

enum { MW_F16 = 1, MW_F32 = 2, MW_F64 = 3 }; /* tables FSRC and FDST */

/* ---- from floats ---- */

/* A float of any size as a double, which is exact. */
OPS_INLINE vf64 mw_any_float(const struct sch_maxwell_how *how, const struct sch_lanes *const from[], unsigned v)
{
    if (how->from == MW_F64) return mw_double(from, 0, v);
    if (how->from == MW_F16) return v_f64_from_f32(v_f32_from_f16(mw_word(from, 0, v)));
    return v_f64_from_f32(mw_flush(how, mw_float(from, 0, v)));
}

/* What is exact in a double, or is rounded to odd there, in the size that is wanted. */
OPS_INLINE void mw_put_any_float(const struct sch_maxwell_how *how, struct sch_lanes *const to[], unsigned v,
                                 vf64 value)
{
    if (how->to == MW_F64) {
        mw_put_double(how, to, v, value);
    } else if (how->to == MW_F32) {
        mw_put_float(how, to, v, mw_rounded(value, how->integral ? 0u : how->rounding));
    } else {
        const vf32 single = how->saturate ? mw_rounded_odd(mw_saturated_double(value)) : mw_rounded_odd(value);
        const vu32 half = mw_half_rounded(single, how->integral ? 0u : how->rounding);
        mw_put(to, v, half);
        if (how->flags) mw_put_flags(to, v, mw_float_flags(v_f32_from_f16(half)));
    }
}

MAXWELL(F2F)
{
    vf64 value = mw_any_float(how, from, v);
    if (how->integral) value = mw_whole(value, how->rounding);
    mw_put_any_float(how, to, v, value);
}

/* Table ISZ: twice the log2 of the bytes, and one if signed. */
enum { MW_U16 = 2, MW_S16 = 3, MW_U32 = 4, MW_S32 = 5, MW_U64 = 6, MW_S64 = 7 };

OPS_INLINE vu32 mw_small_from_double(vf64 value, unsigned type)
{
    switch (type) {
    case MW_U16:
        return v_min_u32(v_u32_from_f64(value), v_splat_u32(0xffffu));
    case MW_S16:
        return (vu32)v_max_i32(v_min_i32(v_i32_from_f64(value), v_splat_i32(0x7fff)), v_splat_i32(-0x8000));
    case MW_U32:
        return v_u32_from_f64(value);
    default:
        return (vu32)v_i32_from_f64(value);
    }
}

/* Out of range to the nearest end. A NaN is 0, but from doubles, and to 64 bits, the highest bit of the type alone. */
MAXWELL(F2I)
{
    const vf64 source = mw_any_float(how, from, v), value = mw_whole(source, how->rounding);
    const vi64 nan = v_isnan_f64(source);
    if (how->to >= MW_U64) {
        const vu64 wide = how->to == MW_S64 ? (vu64)v_i64_from_f64(value) : v_u64_from_f64(value);
        const vu64 result = v_select_u64(nan, v_splat_u64((uint64_t)1 << 63), wide);
        mw_put_pair(to, v, result);
        if (how->flags)
            mw_put_flags(to, v,
                         mw_flag(v_mask_narrow((vi64)(result == 0u)), SCH_MAXWELL_Z) |
                             (v_hi_u64(result) >> 31 << 1 & SCH_MAXWELL_S));
        return;
    }
    const uint32_t highest = how->to == MW_U16 ? 0x8000u : how->to == MW_S16 ? 0xffff8000u : 0x80000000u;
    const vu32 of_nan = v_splat_u32(how->from == MW_F64 ? highest : 0);
    mw_put_logic(how, to, from, v, v_select_u32(v_mask_narrow(nan), of_nan, mw_small_from_double(value, how->to)));
}

/* ---- from integers ---- */

/* An integer as its magnitude and a mask of where it is negative, after bars and minus. */
struct mw_signed {
    vu64 magnitude;
    vi64 negative;
};

OPS_INLINE struct mw_signed mw_any_integer(const struct sch_maxwell_how *how, const struct sch_lanes *const from[],
                                           unsigned v)
{
    const unsigned is_signed = how->from & 1, size = how->from >> 1;
    vu64 wide;
    if (size == 3) {
        wide = mw_pair(from, 0, v);
    } else {
        vu32 word = mw_word(from, 0, v);
        const unsigned bits = 8u << size;
        if (bits < 32) word = word >> (8 * how->part[0]) << (32 - bits);
        wide = is_signed ? (vu64)v_i64_from_i32(bits < 32 ? (vi32)word >> (32 - bits) : (vi32)word)
                         : v_u64_from_u32(bits < 32 ? word >> (32 - bits) : word);
    }
    vi64 negative = is_signed ? (vi64)wide >> 63 : v_splat_i64(0);
    const vu64 magnitude = (wide ^ (vu64)negative) - (vu64)negative;
    if (how->absolute & 1) negative = v_splat_i64(0);
    if (how->negate & 1) negative = ~negative;
    return (struct mw_signed){magnitude, negative & (vi64)(magnitude != 0u)};
}

MAXWELL(I2F)
{
    const struct mw_signed a = mw_any_integer(how, from, v);
    const vf64 high = v_f64_from_u32(v_hi_u64(a.magnitude)) * 0x1p32;
    const vf64 low = v_f64_from_u32(v_lo_u64(a.magnitude)), s = high + low, e = v_two_sum_error(high, low, s);
    const vu64 sign = (vu64)a.negative & (uint64_t)1 << 63;
    if (how->to == MW_F64)
        mw_put_double(how, to, v, mw_directed((vf64)((vu64)s ^ sign), (vf64)((vu64)e ^ sign), how->rounding));
    else
        mw_put_any_float(how, to, v, (vf64)((vu64)v_round_odd(s, e) ^ sign));
}

MAXWELL(I2I)
{
    const struct mw_signed a = mw_any_integer(how, from, v);
    const vi64 value = (vi64)((a.magnitude ^ (vu64)a.negative) - (vu64)a.negative);
    const unsigned is_signed = how->to & 1, bits = 8u << (how->to >> 1);
    const int64_t most = (int64_t)((uint64_t)1 << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    vi64 limited = value;
    if (how->saturate) {
        limited = v_select_i64((vi64)(limited > most), v_splat_i64(most), limited);
        limited = v_select_i64((vi64)(limited < least), v_splat_i64(least), limited);
    }
    vu32 word = v_lo_u64((vu64)limited) << (32 - bits);
    word = is_signed ? (vu32)((vi32)word >> (32 - bits)) : word >> (32 - bits);
    mw_put_logic(how, to, from, v, word);
}
