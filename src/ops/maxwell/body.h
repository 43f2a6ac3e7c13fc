/* How the files of this folder state what an instruction of Maxwell code computes:
 *
 *     MAXWELL(LOP) { mw_put(to, v, mw_word(from, 0, v) & mw_word(from, 1, v)); }
 *
 * defines a function of struct sch_ops over all lanes; the body is about vector `v` of operands `from` and results `to`
 * (abi/maxwell.h), under the modifiers `how`. It reads all that it needs before it writes. */
#ifndef SCH_OPS_MAXWELL_BODY_H
#define SCH_OPS_MAXWELL_BODY_H

#include "abi/maxwell.h"
#include "ops/op.h"

#define MAXWELL(name)                                                                                                  \
    OPS_INLINE void maxwell_body_##name(const struct sch_maxwell_how *how OPS_UNUSED, struct sch_lanes *const to[],    \
                                        const struct sch_lanes *const from[] OPS_UNUSED, unsigned v);                  \
    sch_maxwell_fn OPS_LOCAL(maxwell_##name);                                                                          \
    void OPS_LOCAL(maxwell_##name)(const struct sch_maxwell_how *how,                                                  \
                                   struct sch_lanes *const to[SCH_MAXWELL_TO_COUNT],                                   \
                                   const struct sch_lanes *const from[SCH_MAXWELL_FROM_COUNT])                         \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++) maxwell_body_##name(how, to, from, v);                              \
    }                                                                                                                  \
    OPS_INLINE void maxwell_body_##name(const struct sch_maxwell_how *how OPS_UNUSED, struct sch_lanes *const to[],    \
                                        const struct sch_lanes *const from[] OPS_UNUSED, unsigned v)

/* ---- operands ---- */

OPS_INLINE vu32 mw_word(const struct sch_lanes *const from[], unsigned n, unsigned v) { return ops_load_U(from[n], v); }
OPS_INLINE vf32 mw_float(const struct sch_lanes *const from[], unsigned n, unsigned v)
{
    return ops_load_F(from[n], v);
}
OPS_INLINE vu64 mw_pair(const struct sch_lanes *const from[], unsigned n, unsigned v)
{
    return ops_load64_Q(from[n], from[n + SCH_MAXWELL_FROM_HIGH], v);
}
OPS_INLINE vf64 mw_double(const struct sch_lanes *const from[], unsigned n, unsigned v)
{
    return (vf64)mw_pair(from, n, v);
}
/* A predicate is true where it is not 0. */
OPS_INLINE vi32 mw_truth(const struct sch_lanes *const from[], unsigned n, unsigned v)
{
    return (vi32)(ops_load_U(from[n], v) != 0u);
}
OPS_INLINE vu32 mw_old_flags(const struct sch_lanes *const from[], unsigned v)
{
    return ops_load_U(from[SCH_MAXWELL_FROM_FLAGS], v);
}

/* ---- results ---- */

OPS_INLINE void mw_put(struct sch_lanes *const to[], unsigned v, vu32 value)
{
    ops_put_U(to[SCH_MAXWELL_TO_LOW], v, value);
}
OPS_INLINE void mw_put_pair(struct sch_lanes *const to[], unsigned v, vu64 value)
{
    ops_put_U(to[SCH_MAXWELL_TO_LOW], v, v_lo_u64(value));
    ops_put_U(to[SCH_MAXWELL_TO_HIGH], v, v_hi_u64(value));
}
OPS_INLINE void mw_put_truth(struct sch_lanes *const to[], unsigned v, vi32 value)
{
    ops_put_I(to[SCH_MAXWELL_TO_PREDICATE], v, value);
}
OPS_INLINE void mw_put_truths(struct sch_lanes *const to[], unsigned v, vi32 value, vi32 other)
{
    ops_put_I(to[SCH_MAXWELL_TO_PREDICATE], v, value);
    ops_put_I(to[SCH_MAXWELL_TO_OTHER_PREDICATE], v, other);
}
OPS_INLINE void mw_put_flags(struct sch_lanes *const to[], unsigned v, vu32 flags)
{
    ops_put_U(to[SCH_MAXWELL_TO_FLAGS], v, flags);
}

OPS_INLINE vu32 mw_flag(vi32 condition, unsigned flag) { return (vu32)condition & flag; }

/* Z and S of a word. */
OPS_INLINE vu32 mw_flags_of(vu32 word)
{
    return mw_flag((vi32)(word == 0u), SCH_MAXWELL_Z) | (word >> 31 << 1 & SCH_MAXWELL_S);
}
/* .X joins Z with the old one. */
OPS_INLINE vu32 mw_join_zero(const struct sch_maxwell_how *how, vu32 flags, vu32 old)
{
    return how->extend ? flags & (old | ~(uint32_t)SCH_MAXWELL_Z) : flags;
}

/* A word, and Z and S of it if flags are wanted. */
OPS_INLINE void mw_put_logic(const struct sch_maxwell_how *how, struct sch_lanes *const to[],
                             const struct sch_lanes *const from[], unsigned v, vu32 value)
{
    const vu32 flags = how->flags ? mw_join_zero(how, mw_flags_of(value), mw_old_flags(from, v)) : value;
    mw_put(to, v, value);
    if (how->flags) mw_put_flags(to, v, flags);
}

/* ---- comparisons ---- */

/* Two truths by BOP. */
OPS_INLINE vi32 mw_combine(unsigned how, vi32 a, vi32 b) { return how == 0 ? a & b : how == 1 ? a | b : a ^ b; }

/* By the bits less, equal, greater of tables ICMP and FCMP. */
enum { MW_LESS = 1, MW_EQUAL = 2, MW_GREATER = 4 };
OPS_INLINE vi32 mw_by_order(unsigned comparison, vi32 less, vi32 equal, vi32 greater)
{
    vi32 truth = v_splat_i32(0);
    if (comparison & MW_LESS) truth |= less;
    if (comparison & MW_EQUAL) truth |= equal;
    if (comparison & MW_GREATER) truth |= greater;
    return truth;
}

/* The tests of table CC. Those of the state of clipping, 24 to 29, are not executed. */
OPS_INLINE vi32 mw_test(vu32 flags, unsigned test)
{
    const vi32 z = (vi32)((flags & SCH_MAXWELL_Z) != 0u), s = (vi32)((flags & SCH_MAXWELL_S) != 0u);
    const vi32 c = (vi32)((flags & SCH_MAXWELL_C) != 0u), o = (vi32)((flags & SCH_MAXWELL_O) != 0u);
    switch (test) {
    case 1: /* LT */
        return (s & ~z) ^ o;
    case 2: /* EQ */
        return z & ~s;
    case 3: /* LE */
        return s ^ (z | o);
    case 4: /* GT */
        return (~s ^ o) & ~z;
    case 5: /* NE */
        return ~z;
    case 6: /* GE */
        return ~(s ^ o);
    case 7: /* NUM */
        return ~(s & z);
    case 8: /* NAN */
        return s & z;
    case 9: /* LTU */
        return s ^ o;
    case 10: /* EQU */
        return z;
    case 11: /* LEU */
        return (s ^ o) | z;
    case 12: /* GTU */
        return ~s ^ (z | o);
    case 13: /* NEU */
        return s | ~z;
    case 14: /* GEU */
        return (~s | z) ^ o;
    case 15: /* T */
        return v_splat_i32(-1);
    case 16: /* OFF */
        return ~o;
    case 17: /* LO */
        return ~c;
    case 18: /* SFF */
        return ~s;
    case 19: /* LS */
        return z | ~c;
    case 20: /* HI */
        return c & ~z;
    case 21: /* SFT */
        return s;
    case 22: /* HS */
        return c;
    case 23: /* OFT */
        return o;
    case 30: /* RLE */
        return s | z;
    case 31: /* RGT */
        return ~s & ~z;
    default: /* F */
        return v_splat_i32(0);
    }
}

/* The result of SET: -1 or 1.0 where it is true. */
OPS_INLINE void mw_put_set(const struct sch_maxwell_how *how, struct sch_lanes *const to[],
                           const struct sch_lanes *const from[], unsigned v, vi32 truth)
{
    (void)from;
    const vu32 value = how->as_float ? (vu32)truth & (vu32)v_splat_f32(1.0f) : (vu32)truth;
    mw_put(to, v, value);
    if (how->flags) mw_put_flags(to, v, mw_flags_of(value));
}

/* The results of SETP. */
OPS_INLINE void mw_put_setp(const struct sch_maxwell_how *how, struct sch_lanes *const to[], unsigned v, vi32 truth,
                            vi32 predicate)
{
    mw_put_truths(to, v, mw_combine(how->combine, truth, predicate), mw_combine(how->combine, ~truth, predicate));
}

#endif
