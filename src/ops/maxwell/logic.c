/* The meaning of Maxwell's logic, shifts, bit fields, permutations and selections, and of its predicates and flags. */
#include "ops/maxwell/body.h"

/* ---- logic ---- */

/* What the predicate of a word tells: nothing, true, zero, not zero. */
OPS_INLINE vi32 mw_told(const struct sch_maxwell_how *how, vu32 value)
{
    enum { ALWAYS = 1, ZERO = 2, NOT_ZERO = 3 };
    switch (how->truth) {
    case ALWAYS:
        return v_splat_i32(-1);
    case ZERO:
        return (vi32)(value == 0u);
    case NOT_ZERO:
        return (vi32)(value != 0u);
    default:
        return v_splat_i32(0);
    }
}

MAXWELL(LOP)
{
    enum { AND, OR, XOR };
    const vu32 a = mw_word(from, 0, v), b = mw_word(from, 1, v);
    const vu32 value = how->mode == AND ? a & b : how->mode == OR ? a | b : how->mode == XOR ? a ^ b : b;
    mw_put_logic(how, to, from, v, value);
    mw_put_truth(to, v, mw_told(how, value));
}

/* Bit a * 4 + b * 2 + c of the table. */
MAXWELL(LOP3)
{
    const vu32 a = mw_word(from, 0, v), b = mw_word(from, 1, v), c = mw_word(from, 2, v);
    vu32 value = v_splat_u32(0);
    for (unsigned n = 0; n < 8; n++)
        if (how->number >> n & 1) value |= (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c);
    mw_put_logic(how, to, from, v, value);
    mw_put_truth(to, v, mw_told(how, value));
}

/* ---- shifts ---- */

MAXWELL(SHL)
{
    const vu32 n = mw_word(from, 1, v);
    vu32 value = v_shl_u32(mw_word(from, 0, v), n);
    if (!how->wrap) value &= (vu32)(n < 32u);
    mw_put_logic(how, to, from, v, value);
}

MAXWELL(SHR)
{
    vu32 a = mw_word(from, 0, v), n = mw_word(from, 1, v);
    if (how->reverse) a = v_bit_reverse_u32(a);
    const vi32 over = how->wrap ? v_splat_i32(0) : (vi32)(n >= 32u);
    vu32 value;
    if (how->is_signed)
        value = v_select_u32(over, (vu32)((vi32)a >> 31), (vu32)v_sar_i32((vi32)a, n));
    else
        value = v_shr_u32(a, n) & ~(vu32)over;
    mw_put_logic(how, to, from, v, value);
}

/* The count of a shift of 32 bits (to 32) or of 64. */
OPS_INLINE vu64 mw_funnel_count(const struct sch_maxwell_how *how, vu32 n)
{
    const uint32_t most = how->width ? 63 : 32, mask = how->width ? 63 : 31;
    return v_u64_from_u32(how->wrap ? n & mask : v_min_u32(n, v_splat_u32(most)));
}

MAXWELL(SHF_L)
{
    const vu64 wide = v_join_u64(mw_word(from, 0, v), mw_word(from, 2, v));
    mw_put_logic(how, to, from, v, v_hi_u64(v_shl_u64(wide, mw_funnel_count(how, mw_word(from, 1, v)))));
}

MAXWELL(SHF_R)
{
    enum { SIGNED_64 = 3 };
    const vu64 wide = v_join_u64(mw_word(from, 0, v), mw_word(from, 2, v));
    const vu64 n = mw_funnel_count(how, mw_word(from, 1, v));
    const vu64 moved = how->width == SIGNED_64 ? (vu64)v_sar_i64((vi64)wide, n) : v_shr_u64(wide, n);
    mw_put_logic(how, to, from, v, v_lo_u64(moved));
}

/* ---- bit fields ---- */

MAXWELL(BFE)
{
    vu32 a = mw_word(from, 0, v), b = mw_word(from, 1, v);
    if (how->reverse) a = v_bit_reverse_u32(a);
    const vu32 position = b & 0xffu, length = b >> 8 & 0xffu;
    const vu32 above = 32u - v_min_u32(length, v_splat_u32(32));
    vu32 value;
    if (how->is_signed) {
        const vu32 field = (vu32)v_sar_i32((vi32)a, v_min_u32(position, v_splat_u32(31)));
        value = (vu32)v_sar_i32((vi32)v_shl_u32(field, above), above);
    } else {
        const vu32 field = v_shr_u32(a, position) & (vu32)(position < 32u);
        value = v_shr_u32(v_shl_u32(field, above), above);
    }
    mw_put_logic(how, to, from, v, value & (vu32)(length != 0u));
}

MAXWELL(BFI)
{
    const vu32 b = mw_word(from, 1, v), c = mw_word(from, 2, v);
    const vu32 position = b & 0xffu, length = b >> 8 & 0xffu;
    const vu32 ones = (v_shl_u32(v_splat_u32(1), length) - 1u) | (vu32)(length >= 32u);
    const vu32 mask = v_shl_u32(ones, position) & (vu32)(position < 32u);
    mw_put_logic(how, to, from, v, (v_shl_u32(mw_word(from, 0, v), position) & mask) | (c & ~mask));
}

MAXWELL(POPC) { mw_put_logic(how, to, from, v, v_popcount_u32(mw_word(from, 0, v))); }

MAXWELL(FLO)
{
    const vu32 a = mw_word(from, 0, v);
    const vi32 found = how->is_signed ? v_find_msb_i32((vi32)a) : v_find_msb_u32(a);
    vu32 value = (vu32)found;
    if (how->as_shift) value = v_select_u32((vi32)(found < 0), value, 31u - value);
    mw_put_logic(how, to, from, v, value);
}

/* ---- permutations ---- */

/* Which of the eight bytes goes to byte i, by the modes of PRMT. */
OPS_INLINE vu32 mw_chosen_byte(unsigned mode, vu32 selector, unsigned i)
{
    enum { PLAIN, FORWARD, BACKWARD, REPLICATE, LEFT, RIGHT, HALVES };
    const vu32 s = selector & 3u, at = v_splat_u32(i);
    switch (mode) {
    case FORWARD:
        return s + i;
    case BACKWARD:
        return (s - i) & 7u;
    case REPLICATE:
        return s;
    case LEFT:
        return v_select_u32((vi32)(s > at), s, at);
    case RIGHT:
        return v_min_u32(s, at);
    case HALVES:
        return (s & 1u) * 2u + (i & 1);
    default:
        return selector >> (4 * i) & 7u;
    }
}

MAXWELL(PRMT)
{
    const vu32 a = mw_word(from, 0, v), selector = mw_word(from, 1, v), c = mw_word(from, 2, v);
    vu32 value = v_splat_u32(0);
    for (unsigned i = 0; i < 4; i++) {
        const vu32 n = mw_chosen_byte(how->mode, selector, i);
        const vu32 word = v_select_u32((vi32)(n >= 4u), c, a);
        vu32 byte = v_shr_u32(word, (n & 3u) * 8u) & 0xffu;
        if (!how->mode) {
            const vi32 sign = (vi32)((selector >> (4 * i) & 8u) != 0u);
            byte = v_select_u32(sign, (0u - (byte >> 7)) & 0xffu, byte);
        }
        value |= byte << (8 * i);
    }
    mw_put(to, v, value);
}

MAXWELL(SEL) { mw_put(to, v, v_select_u32(mw_truth(from, 2, v), mw_word(from, 0, v), mw_word(from, 1, v))); }
MAXWELL(MOV) { mw_put(to, v, mw_word(from, 0, v)); }

/* ---- predicates and flags ---- */

MAXWELL(P2R)
{
    const unsigned low = 8u * how->byte;
    const vu32 bits = mw_word(from, 0, v), a = mw_word(from, 1, v), mask = mw_word(from, 2, v) & 0xffu;
    mw_put(to, v, (a & ~(mask << low)) | (bits & mask) << low);
}

OPS_INLINE vi32 mw_pset(const struct sch_maxwell_how *how, const struct sch_lanes *const from[], unsigned v)
{
    return mw_combine(how->combine, mw_truth(from, 0, v), mw_truth(from, 1, v));
}

MAXWELL(PSET)
{
    mw_put_set(how, to, from, v, mw_combine(how->last_combine, mw_pset(how, from, v), mw_truth(from, 2, v)));
}

MAXWELL(PSETP)
{
    const vi32 truth = mw_pset(how, from, v), last = mw_truth(from, 2, v);
    mw_put_truths(to, v, mw_combine(how->last_combine, truth, last), mw_combine(how->last_combine, ~truth, last));
}

MAXWELL(CSET)
{
    mw_put_set(how, to, from, v,
               mw_combine(how->combine, mw_test(mw_old_flags(from, v), how->comparison), mw_truth(from, 0, v)));
}

MAXWELL(CSETP) { mw_put_setp(how, to, v, mw_test(mw_old_flags(from, v), how->comparison), mw_truth(from, 0, v)); }

/* The lanes whose flags pass a test of table CC: for branches. */
uint32_t OPS_LOCAL(maxwell_test)(const struct sch_lanes *flags, unsigned test);
uint32_t OPS_LOCAL(maxwell_test)(const struct sch_lanes *flags, unsigned test)
{
    uint32_t bits = 0;
    for (unsigned v = 0; v < OPS_VECTORS; v++)
        bits |= v_mask_bits(mw_test(ops_load_U(flags, v), test)) << (v * SCH_LANES);
    return bits;
}

/* (value & keep) ^ flip: signs and complements of operands. */
void OPS_LOCAL(maxwell_flip)(struct sch_lanes *to, const struct sch_lanes *from, uint32_t keep, uint32_t flip);
void OPS_LOCAL(maxwell_flip)(struct sch_lanes *to, const struct sch_lanes *from, uint32_t keep, uint32_t flip)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) ops_put_U(to, v, (ops_load_U(from, v) & keep) ^ flip);
}

/* A mask of where a predicate is true, or is not. */
void OPS_LOCAL(maxwell_truth)(struct sch_lanes *to, const struct sch_lanes *from, bool is_not);
void OPS_LOCAL(maxwell_truth)(struct sch_lanes *to, const struct sch_lanes *from, bool is_not)
{
    const vi32 flip = v_splat_i32(is_not ? -1 : 0);
    for (unsigned v = 0; v < OPS_VECTORS; v++) ops_put_I(to, v, (vi32)(ops_load_U(from, v) != 0u) ^ flip);
}
