/* The meaning of Maxwell's integer arithmetic: sums, products, comparisons, the lesser of two. Holds no logic and no
 * shifts (logic.c), nothing of bytes and halves (video.c). */
#include "ops/maxwell/body.h"

/* ---- sums ---- */

struct mw_sum {
    vu32 value, carry, overflow; /* carry and overflow: 0 or 1 */
};

/* a + b + in, where `in` is small. */
OPS_INLINE struct mw_sum mw_add(vu32 a, vu32 b, vu32 in)
{
    const vu32 half = a + b, value = half + in;
    const vu32 carry = ((vu32)(half < a) | (vu32)(value < half)) & 1u;
    return (struct mw_sum){value, carry, ((a ^ value) & (b ^ value)) >> 31};
}

OPS_INLINE vu32 mw_carry(const struct sch_maxwell_how *how, const struct sch_lanes *const from[], unsigned v)
{
    return how->extend ? mw_old_flags(from, v) >> 2 & 1u : v_splat_u32(0);
}

OPS_INLINE void mw_put_sum(const struct sch_maxwell_how *how, struct sch_lanes *const to[],
                           const struct sch_lanes *const from[], unsigned v, struct mw_sum sum)
{
    if (how->saturate) {
        const vu32 end = (vu32)((vi32)sum.value >> 31) ^ 0x80000000u; /* on the other side of what has overflowed */
        sum.value = v_select_u32((vi32)(sum.overflow != 0u), end, sum.value);
    }
    vu32 flags = sum.value;
    if (how->flags)
        flags = mw_join_zero(how, mw_flags_of(sum.value), mw_old_flags(from, v)) | sum.carry << 2 | sum.overflow << 3;
    mw_put(to, v, sum.value);
    if (how->flags) mw_put_flags(to, v, flags);
}

OPS_INLINE vu32 mw_negated(vu32 a, unsigned negate) { return negate ? 0u - a : a; }

/* A minus is the complement and one more, or, where a carry is added, the complement alone. */
MAXWELL(IADD)
{
    vu32 a = mw_word(from, 0, v), b = mw_word(from, 1, v), in = mw_carry(how, from, v);
    if (how->negate & 1) a = ~a;
    if (how->negate & 2) b = ~b;
    if (!how->extend && how->negate) in += 1u;
    if (how->plus_one) in += 1u;
    mw_put_sum(how, to, from, v, mw_add(a, b, in));
}

/* A half of a word by table H3. */
OPS_INLINE vu32 mw_half(vu32 a, unsigned part) { return part == 1 ? a & 0xffffu : part == 2 ? a >> 16 : a; }

MAXWELL(IADD3)
{
    enum { RIGHT = 1, LEFT = 2 };
    vu32 x[3], in = mw_carry(how, from, v), old = how->flags ? mw_old_flags(from, v) : v_splat_u32(0);
    for (unsigned n = 0; n < 3; n++) x[n] = mw_half(mw_word(from, n, v), how->part[n]);
    for (unsigned n = 0; n < 2; n++)
        if (how->negate >> n & 1) x[n] = how->extend ? ~x[n] : 0u - x[n];
    const struct mw_sum first = mw_add(x[0], x[1], in);
    vu32 t = first.value;
    if (how->mode == RIGHT) t = t >> 16 | first.carry << 16;
    if (how->mode == LEFT) t <<= 16;
    const vu32 minus = v_splat_u32(how->negate & 4 && !how->extend ? 1 : 0);
    const struct mw_sum sum = mw_add(t, how->negate & 4 ? ~x[2] : x[2], minus);
    mw_put(to, v, sum.value);
    if (how->flags)
        mw_put_flags(to, v, mw_join_zero(how, mw_flags_of(sum.value), old) | sum.carry << 2 | sum.overflow << 3);
}

MAXWELL(ISCADD)
{
    const vu32 a = mw_negated(mw_word(from, 0, v), how->negate & 1) << (how->number & 31);
    const vu32 b = mw_word(from, 1, v);
    const vu32 in = v_splat_u32((how->negate & 2 ? 1 : 0) + how->plus_one);
    mw_put_sum(how, to, from, v, mw_add(a, how->negate & 2 ? ~b : b, in));
}

/* What the predicate tells is not known; compilers hand it to LD and ST, which do not look at it. */
MAXWELL(LEA)
{
    const vu32 a = mw_negated(mw_word(from, 0, v), how->negate & 1) << (how->number & 31);
    mw_put_sum(how, to, from, v, mw_add(a, mw_word(from, 1, v), mw_carry(how, from, v)));
    mw_put_truth(to, v, v_splat_i32(-1));
}

/* The high word of a and c above it, shifted left. */
MAXWELL(LEA_HI)
{
    vu64 wide = v_join_u64(mw_word(from, 0, v), mw_word(from, 2, v));
    if (how->negate & 1) wide = 0u - wide;
    const vu32 a = v_lo_u64(wide >> (32 - (how->number & 31)));
    mw_put_sum(how, to, from, v, mw_add(a, mw_word(from, 1, v), mw_carry(how, from, v)));
    mw_put_truth(to, v, v_splat_i32(-1));
}

/* ---- products ---- */

enum { MW_B_SIGNED = 1, MW_A_SIGNED = 2 }; /* table I2 */

OPS_INLINE vu64 mw_widened(vu32 a, unsigned is_signed)
{
    return is_signed ? (vu64)v_i64_from_i32((vi32)a) : v_u64_from_u32(a);
}

OPS_INLINE vu32 mw_product(const struct sch_maxwell_how *how, vu32 a, vu32 b)
{
    if (!how->high) return mw_negated(a * b, how->negate & 1);
    const vu64 product = mw_widened(a, how->signs & MW_A_SIGNED) * mw_widened(b, how->signs & MW_B_SIGNED);
    return v_hi_u64(how->negate & 1 ? 0u - product : product);
}

MAXWELL(IMUL) { mw_put_logic(how, to, from, v, mw_product(how, mw_word(from, 0, v), mw_word(from, 1, v))); }

MAXWELL(IMAD)
{
    const vu32 product = mw_product(how, mw_word(from, 0, v), mw_word(from, 1, v));
    const vu32 c = mw_word(from, 2, v);
    const unsigned minus = how->negate & 4;
    const vu32 in = mw_carry(how, from, v) + (uint32_t)(how->plus_one + (minus && !how->extend ? 1 : 0));
    mw_put_sum(how, to, from, v, mw_add(product, minus ? ~c : c, in));
}

/* Factors and summand of IMADSP: the low 32, 24 or 16 bits of a word, or the upper 16, with or without a sign. */
OPS_INLINE vu32 mw_part(vu32 a, unsigned part, unsigned is_signed)
{
    enum { WHOLE, LOW_24, LOW_16 };
    if (part == WHOLE) return a;
    const unsigned beyond = part == LOW_24 ? 8 : 16;
    const vu32 top = part > LOW_16 ? a : a << beyond;
    return is_signed ? (vu32)((vi32)top >> beyond) : top >> beyond;
}

MAXWELL(IMADSP)
{
    enum { SIZE = 3, SIGNED = 4 };
    const unsigned a = how->part[0], b = how->part[1], c = how->part[2]; /* tables SPA, SPB, SPC */
    const vu32 x = mw_part(mw_word(from, 0, v), a & SIZE, a & SIGNED);
    const vu32 y = mw_part(mw_word(from, 1, v), 1 + (b & 1), b & 2);
    const vu32 z = mw_part(mw_word(from, 2, v), c & SIZE, c > SIZE);
    mw_put_sum(how, to, from, v, mw_add(x * y, z, v_splat_u32(0)));
}

/* A half with its sign. */
OPS_INLINE vu32 mw_factor(vu32 a, unsigned part, unsigned is_signed)
{
    const vu32 half = part ? a >> 16 : a & 0xffffu;
    return is_signed ? (vu32)((vi32)(half << 16) >> 16) : half;
}

MAXWELL(XMAD)
{
    enum { LOW = 1, HIGH = 2, SIGNS = 3, SHIFTED_B = 4, A_SIGNED = 1, B_SIGNED = 2 };
    const vu32 b = mw_word(from, 1, v), old = how->flags || how->extend ? mw_old_flags(from, v) : v_splat_u32(0);
    const vu32 x = mw_factor(mw_word(from, 0, v), how->part[0], how->signs & A_SIGNED);
    const vu32 y = mw_factor(b, how->part[1], how->signs & B_SIGNED);
    vu32 product = x * y, c = mw_word(from, 2, v);
    if (how->shift_product) product <<= 16;
    if (how->mode == LOW) c &= 0xffffu;
    if (how->mode == HIGH) c >>= 16;
    if (how->mode == SHIFTED_B) c += b << 16;
    if (how->mode == SIGNS) {
        const vu32 count = (x >> 31) + (y >> 31);
        c -= (count << 16) & (vu32)((x != 0u) & (y != 0u));
    }
    const struct mw_sum sum = mw_add(product, c, how->extend ? old >> 2 & 1u : v_splat_u32(0));
    mw_put(to, v, how->merge ? (sum.value & 0xffffu) | b << 16 : sum.value);
    if (how->flags)
        mw_put_flags(to, v, mw_join_zero(how, mw_flags_of(sum.value), old) | sum.carry << 2 | sum.overflow << 3);
}

/* ---- comparisons ---- */

OPS_INLINE vi32 mw_is_less(const struct sch_maxwell_how *how, vu32 a, vu32 b)
{
    return how->is_signed ? (vi32)((vi32)a < (vi32)b) : (vi32)(a < b);
}

/* With .X the difference is of two words: less what the lower ones have borrowed, and equal if they were, too. */
OPS_INLINE vi32 mw_compare(const struct sch_maxwell_how *how, const struct sch_lanes *const from[], unsigned v)
{
    const vu32 a = mw_word(from, 0, v), b = mw_word(from, 1, v);
    vi32 less = mw_is_less(how, a, b), equal = (vi32)(a == b);
    if (how->extend) {
        const vu32 old = mw_old_flags(from, v);
        const vi32 borrow = (vi32)((old & SCH_MAXWELL_C) == 0u), zero = (vi32)((old & SCH_MAXWELL_Z) != 0u);
        const vi32 next = (vi32)(a == b + 1u) & ~less; /* not where b + 1 has wrapped */
        less |= equal & borrow;
        equal = v_select_i32(borrow, next, equal) & zero;
    }
    return mw_by_order(how->comparison, less, equal, ~(less | equal));
}

MAXWELL(ISET)
{
    mw_put_set(how, to, from, v, mw_combine(how->combine, mw_compare(how, from, v), mw_truth(from, 2, v)));
}
MAXWELL(ISETP) { mw_put_setp(how, to, v, mw_compare(how, from, v), mw_truth(from, 2, v)); }

MAXWELL(ICMP)
{
    const vu32 c = mw_word(from, 2, v), zero = v_splat_u32(0);
    const vi32 less = mw_is_less(how, c, zero), equal = (vi32)(c == zero);
    const vi32 truth = mw_by_order(how->comparison, less, equal, ~(less | equal));
    mw_put(to, v, v_select_u32(truth, mw_word(from, 0, v), mw_word(from, 1, v)));
}

/* Numbers of several words are compared from the highest word (XHI) down. Its flags tell the lower words whether it was
 * equal, Z, and whether the first number is less, S. */
MAXWELL(IMNMX)
{
    enum { LOWEST = 1, MIDDLE = 2, HIGHEST = 3 };
    const vu32 a = mw_word(from, 0, v), b = mw_word(from, 1, v);
    const vi32 least = mw_truth(from, 2, v);
    vi32 less = mw_is_less(how, a, b), equal = (vi32)(a == b);
    if (how->chain == LOWEST || how->chain == MIDDLE) {
        const vu32 old = mw_old_flags(from, v);
        const vi32 open = (vi32)((old & SCH_MAXWELL_Z) != 0u);
        less = v_select_i32(open, less, (vi32)((old & SCH_MAXWELL_S) != 0u));
        equal &= open;
    }
    const vu32 value = v_select_u32(~(less ^ least), a, b);
    mw_put(to, v, value);
    if (how->flags)
        mw_put_flags(to, v,
                     how->chain == MIDDLE || how->chain == HIGHEST
                         ? mw_flag(equal, SCH_MAXWELL_Z) | mw_flag(less, SCH_MAXWELL_S)
                         : mw_flags_of(value));
}
