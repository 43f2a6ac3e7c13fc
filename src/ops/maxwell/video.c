/* The meaning of Maxwell's video operations: bytes, halves and words with their signs, exact results, which are then
 * brought into a range and merged with a third word or accumulated. */
#include "ops/maxwell/body.h"

/* ---- operands ---- */

/* By table VAT: bytes, halves, the word; from 8 on with a sign. */
OPS_INLINE vi64 mw_lane(vu32 word, unsigned type)
{
    enum { SIGNED = 8, HALF = 4, WORD = 6 };
    const unsigned place = type & 7;
    const unsigned bits = place < HALF ? 8 : place < WORD ? 16 : 32;
    const unsigned low = place < HALF ? 8 * place : place < WORD ? 16 * (place & 1) : 0;
    const vu32 top = word >> low << (32 - bits);
    if (type & SIGNED) return v_i64_from_i32((vi32)top >> (32 - bits));
    return (vi64)v_u64_from_u32(top >> (32 - bits));
}

OPS_INLINE vi64 mw_first(const struct sch_maxwell_how *how, const struct sch_lanes *const from[], unsigned v)
{
    return mw_lane(mw_word(from, 0, v), how->type[0]);
}
OPS_INLINE vi64 mw_second(const struct sch_maxwell_how *how, const struct sch_lanes *const from[], unsigned v)
{
    return mw_lane(mw_word(from, 1, v), how->type[1]);
}

/* ---- results ---- */

OPS_INLINE vi64 mw_limited(vi64 value, int64_t least, int64_t most)
{
    value = v_select_i64((vi64)(value > most), v_splat_i64(most), value);
    return v_select_i64((vi64)(value < least), v_splat_i64(least), value);
}

OPS_INLINE vi64 mw_saturated_video(vi64 value, unsigned is_signed)
{
    return is_signed ? mw_limited(value, INT32_MIN, INT32_MAX) : mw_limited(value, 0, UINT32_MAX);
}

/* The second step, by table VOP. */
OPS_INLINE vu32 mw_joined(const struct sch_maxwell_how *how, vu32 t, vu32 c)
{
    enum { HIGH_HALF, LOW_HALF, BYTE_0, BYTE_2, ACCUMULATE, LEAST, GREATEST };
    const vi32 less = how->is_signed ? (vi32)((vi32)t < (vi32)c) : (vi32)(t < c);
    switch (how->mode) {
    case HIGH_HALF:
        return (c & 0xffffu) | t << 16;
    case LOW_HALF:
        return (c & 0xffff0000u) | (t & 0xffffu);
    case BYTE_0:
        return (c & 0xffffff00u) | (t & 0xffu);
    case BYTE_2:
        return (c & 0xff00ffffu) | (t & 0xffu) << 16;
    case ACCUMULATE:
        return t + c;
    case LEAST:
        return v_select_u32(less, t, c);
    case GREATEST:
        return v_select_u32(less, c, t);
    default:
        return t;
    }
}

OPS_INLINE void mw_put_video(const struct sch_maxwell_how *how, struct sch_lanes *const to[],
                             const struct sch_lanes *const from[], unsigned v, vi64 value)
{
    if (how->saturate) value = mw_saturated_video(value, how->is_signed);
    mw_put_logic(how, to, from, v, mw_joined(how, v_lo_u64((vu64)value), mw_word(from, 2, v)));
}

/* ---- operations ---- */

MAXWELL(VADD)
{
    vi64 a = mw_first(how, from, v), b = mw_second(how, from, v);
    if (how->negate & 1) a = -a;
    if (how->negate & 2) b = -b;
    mw_put_video(how, to, from, v, a + b + how->plus_one);
}

MAXWELL(VABSDIFF)
{
    const vi64 a = mw_first(how, from, v), b = mw_second(how, from, v);
    mw_put_video(how, to, from, v, v_select_i64((vi64)(a < b), b - a, a - b));
}

MAXWELL(VMNMX)
{
    const vi64 a = mw_first(how, from, v), b = mw_second(how, from, v);
    const vi64 less = (vi64)(a < b);
    mw_put_video(how, to, from, v, v_select_i64(how->maximum ? ~less : less, a, b));
}

OPS_INLINE vi32 mw_video_truth(const struct sch_maxwell_how *how, const struct sch_lanes *const from[], unsigned v)
{
    const vi64 a = mw_first(how, from, v), b = mw_second(how, from, v);
    return mw_by_order(how->comparison, v_mask_narrow((vi64)(a < b)), v_mask_narrow((vi64)(a == b)),
                       v_mask_narrow((vi64)(a > b)));
}

MAXWELL(VSET) { mw_put_video(how, to, from, v, v_i64_from_i32(mw_video_truth(how, from, v) & 1)); }
MAXWELL(VSETP) { mw_put_setp(how, to, v, mw_video_truth(how, from, v), mw_truth(from, 2, v)); }

OPS_INLINE vu64 mw_video_count(const struct sch_maxwell_how *how, const struct sch_lanes *const from[], unsigned v)
{
    const vu32 n = v_lo_u64((vu64)mw_second(how, from, v));
    return v_u64_from_u32(how->wrap ? n & 31u : v_min_u32(n, v_splat_u32(32)));
}

/* Shifted by 32 nothing is left of the low word; what is not 0 is out of every range. */
MAXWELL(VSHL)
{
    const vi64 a = mw_first(how, from, v);
    const vu64 n = mw_video_count(how, from, v);
    const int64_t far = (int64_t)1 << 40;
    const vi64 out = v_select_i64((vi64)(a < 0), v_splat_i64(-far), v_splat_i64(far)) & (vi64)(a != 0);
    mw_put_video(how, to, from, v, v_select_i64((vi64)(n == 32u), out, (vi64)v_shl_u64((vu64)a, n)));
}

MAXWELL(VSHR) { mw_put_video(how, to, from, v, v_sar_i64(mw_first(how, from, v), mw_video_count(how, from, v))); }

/* In 64 bits, signed if any operand is signed or negated. */
MAXWELL(VMAD)
{
    enum { BY_7 = 1, BY_15 = 2, SIGNED = 8 };
    const bool is_signed = ((how->type[0] | how->type[1]) & SIGNED) || how->negate;
    const vu32 word = mw_word(from, 2, v);
    vu64 product = (vu64)mw_first(how, from, v) * (vu64)mw_second(how, from, v);
    vu64 c = is_signed ? (vu64)v_i64_from_i32((vi32)word) : v_u64_from_u32(word);
    if (how->negate & 1) product = 0u - product;
    if (how->negate & 4) c = 0u - c;
    vu64 sum = product + c + how->plus_one;
    const unsigned count = how->down == BY_7 ? 7 : how->down == BY_15 ? 15 : 0;
    sum = is_signed ? (vu64)((vi64)sum >> count) : sum >> count;
    if (how->saturate) {
        if (is_signed)
            sum = (vu64)mw_limited((vi64)sum, INT32_MIN, INT32_MAX);
        else
            sum = v_select_u64((vi64)(sum > UINT32_MAX), v_splat_u64(UINT32_MAX), sum);
    }
    mw_put_logic(how, to, from, v, v_lo_u64(sum));
}

/* ---- four bytes at once ---- */

/* Bytes of the pair b:a that tables VA4 and VB4 name, the lowest first, four bits each. */
static const uint16_t mw_orders[2][16] = {
    {0x0000, 0x1111, 0x2222, 0x3333, 0x3210, 0x4321, 0x5432, 0x6543, 0x3201, 0x3012, 0x0213, 0x3120, 0x1230, 0x2310},
    {0x4444, 0x5555, 0x6666, 0x7777, 0x7654, 0x6543, 0x5432, 0x4321, 0x4567, 0x6745, 0x5476},
};

OPS_INLINE vi32 mw_ordered_byte(vu32 a, vu32 b, unsigned order, unsigned i, unsigned is_signed)
{
    const unsigned n = order >> (4 * i) & 7;
    const vu32 top = (n < 4 ? a : b) << (24 - 8 * (n & 3));
    return is_signed ? (vi32)top >> 24 : (vi32)(top >> 24);
}

MAXWELL(VABSDIFF4)
{
    enum { X = 4, Y = 8, Z = 1, W = 2, A_SIGNED = 1, B_SIGNED = 2 };
    static const uint8_t bits[4] = {X, Y, Z, W};
    const vu32 a = mw_word(from, 0, v), b = mw_word(from, 1, v), c = mw_word(from, 2, v);
    vu32 value = how->accumulate ? c : v_splat_u32(0);
    for (unsigned i = 0; i < 4; i++) {
        const vi32 x = mw_ordered_byte(a, b, mw_orders[0][how->order[0] & 15], i, how->signs & A_SIGNED);
        const unsigned order = mw_orders[1][how->order[1] & 15];
        const vi32 y = mw_ordered_byte(a, b, order, i, how->signs & B_SIGNED);
        vi32 distance = v_max_i32(x - y, y - x);
        if (how->saturate) distance = v_min_i32(distance, v_splat_i32(how->is_signed ? 127 : 255));
        const bool taken = how->mask & bits[i];
        if (how->accumulate)
            value += taken ? (vu32)distance : v_splat_u32(0);
        else
            value |= (taken ? (vu32)distance & 0xffu : c >> (8 * i) & 0xffu) << (8 * i);
    }
    mw_put_logic(how, to, from, v, value);
}
