/* How a file of src/ops states the meaning of an operation: a body over one vector, and around it, made by these
 * macros, the function over a whole group that the table of src/ops/ops.h points to.
 *
 *     COMP(ADD, F_FF) { return a + b; }
 *
 * defines the body with the operands' vector types by the signature's letters (F vf32, I vi32, U and X vu32, D vf64, L
 * vi64, Q vu64), parameters `rules` (enum sch_op_rules) and a, b, c, d. The shape and the signature are part of the
 * symbol's name and must be those of the opcode's row: else the table does not link. Where the row has SCH_OPF_CANON, a
 * NaN result becomes the canonical one after the body.
 *
 * Rules of this folder: no globals, allocation, varargs or calls to other objects; whole-vector expressions, lane loops
 * only where no vector form exists; wrap in unsigned; mask shift counts; clamp before float-to-int; guard divisors.
 * Built with SCH_LANES (4, 8, 16) and SCH_LEVEL (the symbols' suffix) defined. */
#ifndef SCH_OPS_OP_H
#define SCH_OPS_OP_H

#include "ops/ops.h"
#include "ops/vec/vec.h"

/* How many vectors a function works on: a group's; src/jit builds the same functions for one. */
#ifndef OPS_VECTORS
#define OPS_VECTORS (SCH_GROUP_LANES / SCH_LANES)
#endif

#define OPS_JOIN_(a, b)                    a##_##b
#define OPS_JOIN(a, b)                     OPS_JOIN_(a, b)
#define OPS_LOCAL(name)                    OPS_JOIN(sch_ops_##name, SCH_LEVEL)
#define OPS_SYMBOL(name, shape, signature) OPS_JOIN(sch_op_##name##_##shape##_##signature, SCH_LEVEL)

/* The rows' flags as constants, so that the canonical-NaN step folds. */
enum {
#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...) OPS_FLAGS_##name = flags,
#include "isa/opcodes.def"
#undef OP
};

#define OPS_TYPE_F vf32
#define OPS_TYPE_I vi32
#define OPS_TYPE_U vu32
#define OPS_TYPE_X vu32
#define OPS_TYPE_D vf64
#define OPS_TYPE_L vi64
#define OPS_TYPE_Q vu64

#define OPS_INLINE static inline __attribute__((always_inline, unused))
/* Steps of texture lookups that several places take: functions of their own, since every one is large, except where
 * state is a constant that must fold into them (SCH_FOLD). */
#ifdef SCH_FOLD
#define OPS_SHARED OPS_INLINE
#else
#define OPS_SHARED static __attribute__((noinline, unused))
#endif
/* In front of loops over axes, corners and channels: what their counter indexes folds only when they are unrolled. */
#if defined(SCH_FOLD) && defined(__clang__)
#define OPS_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(SCH_FOLD)
#define OPS_UNROLL _Pragma("GCC unroll 16")
#else
#define OPS_UNROLL
#endif

/* In front of loops over the vectors of a lookup, which stay loops where state is a constant: a body is thousands of
 * instructions, and compiling takes as many times longer as it is there. */
#if defined(SCH_FOLD) && defined(__clang__)
#define OPS_LOOP_VECTORS _Pragma("clang loop unroll(disable)")
#else
#define OPS_LOOP_VECTORS
#endif

/* In front of loops over vectors that are unrolled where what they work on is to be values, not memory. */
#ifdef SCH_FOLD_VECTORS
#define OPS_UNROLL_VECTORS OPS_UNROLL
#else
#define OPS_UNROLL_VECTORS
#endif

OPS_INLINE vu32 ops_load_U(const struct sch_lanes *lanes, unsigned v) { return v_load_u32(lanes->u + v * SCH_LANES); }
OPS_INLINE vf32 ops_load_F(const struct sch_lanes *lanes, unsigned v) { return v_as_f32(ops_load_U(lanes, v)); }
OPS_INLINE vi32 ops_load_I(const struct sch_lanes *lanes, unsigned v) { return v_as_i32(ops_load_U(lanes, v)); }
#define ops_load_X ops_load_U

OPS_INLINE vu64 ops_load64_Q(const struct sch_lanes *low, const struct sch_lanes *high, unsigned v)
{
    return v_join_u64(ops_load_U(low, v), ops_load_U(high, v));
}
OPS_INLINE vi64 ops_load64_L(const struct sch_lanes *low, const struct sch_lanes *high, unsigned v)
{
    return (vi64)ops_load64_Q(low, high, v);
}
OPS_INLINE vf64 ops_load64_D(const struct sch_lanes *low, const struct sch_lanes *high, unsigned v)
{
    return (vf64)ops_load64_Q(low, high, v);
}
/* A 32-bit source of a COMP64 operation (a shift count, an exponent): its high channel does not count. */
#define ops_load64_U(low, high, v) ops_load_U(low, v)
#define ops_load64_I(low, high, v) ops_load_I(low, v)

OPS_INLINE void ops_put_U(struct sch_lanes *lanes, unsigned v, vu32 value)
{
    v_store_u32(lanes->u + v * SCH_LANES, value);
}
OPS_INLINE void ops_put_I(struct sch_lanes *lanes, unsigned v, vi32 value) { ops_put_U(lanes, v, (vu32)value); }
OPS_INLINE void ops_put_F(struct sch_lanes *lanes, unsigned v, vf32 value) { ops_put_U(lanes, v, v_as_u32(value)); }

/* As the flags of an opcode's row say (SCH_OPF_*). */
OPS_INLINE void ops_store_U(struct sch_lanes *lanes, unsigned v, unsigned flags, vu32 value)
{
    (void)flags;
    ops_put_U(lanes, v, value);
}
#define ops_store_X ops_store_U
OPS_INLINE void ops_store_I(struct sch_lanes *lanes, unsigned v, unsigned flags, vi32 value)
{
    ops_store_U(lanes, v, flags, (vu32)value);
}
OPS_INLINE void ops_store_F(struct sch_lanes *lanes, unsigned v, unsigned flags, vf32 value)
{
    if (flags & SCH_OPF_CANON) value = v_canon_f32(value);
    ops_put_F(lanes, v, value);
}
OPS_INLINE void ops_store64_Q(struct sch_lanes *low, struct sch_lanes *high, unsigned v, unsigned flags, vu64 value)
{
    ops_store_U(low, v, flags, v_lo_u64(value));
    ops_store_U(high, v, flags, v_hi_u64(value));
}
OPS_INLINE void ops_store64_L(struct sch_lanes *low, struct sch_lanes *high, unsigned v, unsigned flags, vi64 value)
{
    ops_store64_Q(low, high, v, flags, (vu64)value);
}
OPS_INLINE void ops_store64_D(struct sch_lanes *low, struct sch_lanes *high, unsigned v, unsigned flags, vf64 value)
{
    if (flags & SCH_OPF_CANON) value = v_canon_f64(value);
    ops_store64_Q(low, high, v, flags, (vu64)value);
}

/* The signatures in use, as lists of letters. */
#define OPS_SIGNATURE_F_F    F, F
#define OPS_SIGNATURE_F_FF   F, F, F
#define OPS_SIGNATURE_F_FFF  F, F, F, F
#define OPS_SIGNATURE_F_FI   F, F, I
#define OPS_SIGNATURE_F_I    F, I
#define OPS_SIGNATURE_F_U    F, U
#define OPS_SIGNATURE_I_F    I, F
#define OPS_SIGNATURE_I_I    I, I
#define OPS_SIGNATURE_I_II   I, I, I
#define OPS_SIGNATURE_I_III  I, I, I, I
#define OPS_SIGNATURE_I_IU   I, I, U
#define OPS_SIGNATURE_I_U    I, U
#define OPS_SIGNATURE_U_F    U, F
#define OPS_SIGNATURE_U_FF   U, F, F
#define OPS_SIGNATURE_U_II   U, I, I
#define OPS_SIGNATURE_U_U    U, U
#define OPS_SIGNATURE_U_UU   U, U, U
#define OPS_SIGNATURE_U_UUU  U, U, U, U
#define OPS_SIGNATURE_U_UUUU U, U, U, U, U
#define OPS_SIGNATURE_X_X    X, X
#define OPS_SIGNATURE_X_FXX  X, F, X, X
#define OPS_SIGNATURE_X_UXX  X, U, X, X
#define OPS_SIGNATURE_D_D    D, D
#define OPS_SIGNATURE_D_DD   D, D, D
#define OPS_SIGNATURE_D_DDD  D, D, D, D
#define OPS_SIGNATURE_D_DI   D, D, I
#define OPS_SIGNATURE_D_Q    D, Q
#define OPS_SIGNATURE_D_L    D, L
#define OPS_SIGNATURE_L_D    L, D
#define OPS_SIGNATURE_Q_D    Q, D
#define OPS_SIGNATURE_L_L    L, L
#define OPS_SIGNATURE_L_LL   L, L, L
#define OPS_SIGNATURE_L_LU   L, L, U
#define OPS_SIGNATURE_Q_QQ   Q, Q, Q
#define OPS_SIGNATURE_Q_QU   Q, Q, U
#define OPS_SIGNATURE_U_DD   U, D, D
#define OPS_SIGNATURE_U_LL   U, L, L
#define OPS_SIGNATURE_U_QQ   U, Q, Q
#define OPS_SIGNATURE_D_F    D, F
#define OPS_SIGNATURE_D_I    D, I
#define OPS_SIGNATURE_D_U    D, U
#define OPS_SIGNATURE_Q_F    Q, F
#define OPS_SIGNATURE_L_F    L, F
#define OPS_SIGNATURE_L_U    L, U
#define OPS_SIGNATURE_L_I    L, I
#define OPS_SIGNATURE_F_D    F, D
#define OPS_SIGNATURE_I_D    I, D
#define OPS_SIGNATURE_U_D    U, D
#define OPS_SIGNATURE_F_Q    F, Q
#define OPS_SIGNATURE_F_L    F, L

#define OPS_UNUSED                  __attribute__((unused))
#define OPS_PARAMETERS1(A)          uint32_t rules OPS_UNUSED, OPS_TYPE_##A a
#define OPS_PARAMETERS2(A, B)       OPS_PARAMETERS1(A), OPS_TYPE_##B b
#define OPS_PARAMETERS3(A, B, C)    OPS_PARAMETERS2(A, B), OPS_TYPE_##C c
#define OPS_PARAMETERS4(A, B, C, D) OPS_PARAMETERS3(A, B, C), OPS_TYPE_##D d

/* Picks the macro for 1 to 4 sources from the length of a signature's list. */
#define OPS_PICK(_1, _2, _3, _4, _5, macro, ...) macro
#define OPS_EXPAND(macro, ...)                   macro(__VA_ARGS__)
#define OPS_GROUP_FUNCTION(name, shape, signature)                                                                     \
    void OPS_SYMBOL(name, shape, signature)(uint32_t rules, struct sch_lanes *const dst[],                             \
                                            const struct sch_lanes *const src[]);                                      \
    void OPS_SYMBOL(name, shape, signature)(uint32_t rules, struct sch_lanes *const dst[],                             \
                                            const struct sch_lanes *const src[])

/* COMP and REPL: scalar channels in and out. */
#define OPS_SCALAR1(name, shape, signature, R, A)                                                                      \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS1(A));                                                       \
    OPS_GROUP_FUNCTION(name, shape, signature)                                                                         \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++)                                                                     \
            ops_store_##R(dst[0], v, OPS_FLAGS_##name, ops_body_##name(rules, ops_load_##A(src[0], v)));               \
    }                                                                                                                  \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS1(A))
#define OPS_SCALAR2(name, shape, signature, R, A, B)                                                                   \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS2(A, B));                                                    \
    OPS_GROUP_FUNCTION(name, shape, signature)                                                                         \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++)                                                                     \
            ops_store_##R(dst[0], v, OPS_FLAGS_##name,                                                                 \
                          ops_body_##name(rules, ops_load_##A(src[0], v), ops_load_##B(src[1], v)));                   \
    }                                                                                                                  \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS2(A, B))
#define OPS_SCALAR3(name, shape, signature, R, A, B, C)                                                                \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS3(A, B, C));                                                 \
    OPS_GROUP_FUNCTION(name, shape, signature)                                                                         \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++)                                                                     \
            ops_store_##R(                                                                                             \
                dst[0], v, OPS_FLAGS_##name,                                                                           \
                ops_body_##name(rules, ops_load_##A(src[0], v), ops_load_##B(src[1], v), ops_load_##C(src[2], v)));    \
    }                                                                                                                  \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS3(A, B, C))
#define OPS_SCALAR4(name, shape, signature, R, A, B, C, D)                                                             \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS4(A, B, C, D));                                              \
    OPS_GROUP_FUNCTION(name, shape, signature)                                                                         \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++)                                                                     \
            ops_store_##R(dst[0], v, OPS_FLAGS_##name,                                                                 \
                          ops_body_##name(rules, ops_load_##A(src[0], v), ops_load_##B(src[1], v),                     \
                                          ops_load_##C(src[2], v), ops_load_##D(src[3], v)));                          \
    }                                                                                                                  \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS4(A, B, C, D))
#define OPS_SCALAR_(name, shape, signature, ...)                                                                       \
    OPS_PICK(__VA_ARGS__, OPS_SCALAR4, OPS_SCALAR3, OPS_SCALAR2, OPS_SCALAR1, )                                        \
    (name, shape, signature, __VA_ARGS__)
#define OPS_SCALAR(name, shape, signature, list) OPS_EXPAND(OPS_SCALAR_, name, shape, signature, list)
#define COMP(name, signature)                    OPS_SCALAR(name, COMP, signature, OPS_SIGNATURE_##signature)
#define REPL(name, signature)                    OPS_SCALAR(name, REPL, signature, OPS_SIGNATURE_##signature)

/* VREPL and CHAN: the body gets arrays of as many channels as the shape has, and CHAN writes `r[4]`. */
#define OPS_CHANNEL(A, source, c, v) ops_load_##A(src[4 * (source) + (c)], v)
#define OPS_ARRAY_VREPL2(A, name, source, v)                                                                           \
    const OPS_TYPE_##A name[2] = {OPS_CHANNEL(A, source, 0, v), OPS_CHANNEL(A, source, 1, v)}
#define OPS_ARRAY_VREPL3(A, name, source, v)                                                                           \
    const OPS_TYPE_##A name[3] = {OPS_CHANNEL(A, source, 0, v), OPS_CHANNEL(A, source, 1, v),                          \
                                  OPS_CHANNEL(A, source, 2, v)}
#define OPS_ARRAY_VREPL4(A, name, source, v)                                                                           \
    const OPS_TYPE_##A name[4] = {OPS_CHANNEL(A, source, 0, v), OPS_CHANNEL(A, source, 1, v),                          \
                                  OPS_CHANNEL(A, source, 2, v), OPS_CHANNEL(A, source, 3, v)}
#define OPS_ARRAY_CHAN OPS_ARRAY_VREPL4
#define OPS_VECTOR1(name, shape, signature, R, A)                                                                      \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(uint32_t rules OPS_UNUSED, const OPS_TYPE_##A *a);                         \
    OPS_GROUP_FUNCTION(name, shape, signature)                                                                         \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++) {                                                                   \
            OPS_ARRAY_##shape(A, a, 0, v);                                                                             \
            ops_store_##R(dst[0], v, OPS_FLAGS_##name, ops_body_##name(rules, a));                                     \
        }                                                                                                              \
    }                                                                                                                  \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(uint32_t rules OPS_UNUSED, const OPS_TYPE_##A *a)
#define OPS_VECTOR2(name, shape, signature, R, A, B)                                                                   \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(uint32_t rules OPS_UNUSED, const OPS_TYPE_##A *a, const OPS_TYPE_##B *b);  \
    OPS_GROUP_FUNCTION(name, shape, signature)                                                                         \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++) {                                                                   \
            OPS_ARRAY_##shape(A, a, 0, v);                                                                             \
            OPS_ARRAY_##shape(B, b, 1, v);                                                                             \
            ops_store_##R(dst[0], v, OPS_FLAGS_##name, ops_body_##name(rules, a, b));                                  \
        }                                                                                                              \
    }                                                                                                                  \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(uint32_t rules OPS_UNUSED, const OPS_TYPE_##A *a, const OPS_TYPE_##B *b)
#define OPS_VECTOR_(name, shape, signature, ...)                                                                       \
    OPS_PICK(__VA_ARGS__, , , OPS_VECTOR2, OPS_VECTOR1, )(name, shape, signature, __VA_ARGS__)
#define OPS_VECTOR(name, shape, signature, list) OPS_EXPAND(OPS_VECTOR_, name, shape, signature, list)
#define VREPL2(name, signature)                  OPS_VECTOR(name, VREPL2, signature, OPS_SIGNATURE_##signature)
#define VREPL3(name, signature)                  OPS_VECTOR(name, VREPL3, signature, OPS_SIGNATURE_##signature)
#define VREPL4(name, signature)                  OPS_VECTOR(name, VREPL4, signature, OPS_SIGNATURE_##signature)

#define OPS_STORE4(R, name, v)                                                                                         \
    for (unsigned ch = 0; ch < 4; ch++) ops_store_##R(dst[ch], v, OPS_FLAGS_##name, r[ch])
#define OPS_CHAN1(name, signature, R, A)                                                                               \
    OPS_INLINE void ops_body_##name(uint32_t rules OPS_UNUSED, OPS_TYPE_##R r[4], const OPS_TYPE_##A a[4]);            \
    OPS_GROUP_FUNCTION(name, CHAN, signature)                                                                          \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++) {                                                                   \
            OPS_TYPE_##R r[4];                                                                                         \
            OPS_ARRAY_CHAN(A, a, 0, v);                                                                                \
            ops_body_##name(rules, r, a);                                                                              \
            OPS_STORE4(R, name, v);                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    OPS_INLINE void ops_body_##name(uint32_t rules OPS_UNUSED, OPS_TYPE_##R r[4], const OPS_TYPE_##A a[4])
#define OPS_CHAN2(name, signature, R, A, B)                                                                            \
    OPS_INLINE void ops_body_##name(uint32_t rules OPS_UNUSED, OPS_TYPE_##R r[4], const OPS_TYPE_##A a[4],             \
                                    const OPS_TYPE_##B b[4]);                                                          \
    OPS_GROUP_FUNCTION(name, CHAN, signature)                                                                          \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++) {                                                                   \
            OPS_TYPE_##R r[4];                                                                                         \
            OPS_ARRAY_CHAN(A, a, 0, v);                                                                                \
            OPS_ARRAY_CHAN(B, b, 1, v);                                                                                \
            ops_body_##name(rules, r, a, b);                                                                           \
            OPS_STORE4(R, name, v);                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    OPS_INLINE void ops_body_##name(uint32_t rules OPS_UNUSED, OPS_TYPE_##R r[4], const OPS_TYPE_##A a[4],             \
                                    const OPS_TYPE_##B b[4])
#define OPS_CHAN_(name, signature, ...) OPS_PICK(__VA_ARGS__, , , OPS_CHAN2, OPS_CHAN1, )(name, signature, __VA_ARGS__)
#define OPS_CHAN(name, signature, list) OPS_EXPAND(OPS_CHAN_, name, signature, list)
#define CHAN(name, signature)           OPS_CHAN(name, signature, OPS_SIGNATURE_##signature)

/* UNPACK: four results of one channel. */
#define OPS_UNPACK(name, signature, R, A)                                                                              \
    OPS_INLINE void ops_body_##name(uint32_t rules OPS_UNUSED, OPS_TYPE_##R r[4], OPS_TYPE_##A a);                     \
    OPS_GROUP_FUNCTION(name, UNPACK, signature)                                                                        \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++) {                                                                   \
            OPS_TYPE_##R r[4];                                                                                         \
            ops_body_##name(rules, r, ops_load_##A(src[0], v));                                                        \
            OPS_STORE4(R, name, v);                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    OPS_INLINE void ops_body_##name(uint32_t rules OPS_UNUSED, OPS_TYPE_##R r[4], OPS_TYPE_##A a)
#define OPS_UNPACK_(name, signature, list) OPS_EXPAND(OPS_UNPACK, name, signature, list)
#define UNPACK(name, signature)            OPS_UNPACK_(name, signature, OPS_SIGNATURE_##signature)

/* 64-bit shapes: see struct sch_ops for where the words are. */
#define OPS_WIDE1(name, shape, signature, store, load, R, A)                                                           \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS1(A));                                                       \
    OPS_GROUP_FUNCTION(name, shape, signature)                                                                         \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++) store(R, name, v, ops_body_##name(rules, load(A, 0, v)));           \
    }                                                                                                                  \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS1(A))
#define OPS_WIDE2(name, shape, signature, store, load, R, A, B)                                                        \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS2(A, B));                                                    \
    OPS_GROUP_FUNCTION(name, shape, signature)                                                                         \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++)                                                                     \
            store(R, name, v, ops_body_##name(rules, load(A, 0, v), load(B, 1, v)));                                   \
    }                                                                                                                  \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS2(A, B))
#define OPS_WIDE3(name, shape, signature, store, load, R, A, B, C)                                                     \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS3(A, B, C));                                                 \
    OPS_GROUP_FUNCTION(name, shape, signature)                                                                         \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++)                                                                     \
            store(R, name, v, ops_body_##name(rules, load(A, 0, v), load(B, 1, v), load(C, 2, v)));                    \
    }                                                                                                                  \
    OPS_INLINE OPS_TYPE_##R ops_body_##name(OPS_PARAMETERS3(A, B, C))
#define OPS_STORE_PAIR(R, name, v, value) ops_store64_##R(dst[0], dst[1], v, OPS_FLAGS_##name, value)
#define OPS_STORE_ONE(R, name, v, value)  ops_store_##R(dst[0], v, OPS_FLAGS_##name, value)
#define OPS_LOAD_PAIR(A, i, v)            ops_load64_##A(src[2 * (i)], src[2 * (i) + 1], v)
#define OPS_LOAD_ONE(A, i, v)             ops_load_##A(src[i], v)
#define OPS_WIDE_(name, shape, signature, store, load, ...)                                                            \
    OPS_PICK(__VA_ARGS__, , OPS_WIDE3, OPS_WIDE2, OPS_WIDE1, )(name, shape, signature, store, load, __VA_ARGS__)
#define OPS_WIDE(name, shape, signature, store, load, list)                                                            \
    OPS_EXPAND(OPS_WIDE_, name, shape, signature, store, load, list)
#define COMP64(name, signature)                                                                                        \
    OPS_WIDE(name, COMP64, signature, OPS_STORE_PAIR, OPS_LOAD_PAIR, OPS_SIGNATURE_##signature)
#define COMPARE64(name, signature)                                                                                     \
    OPS_WIDE(name, COMPARE64, signature, OPS_STORE_ONE, OPS_LOAD_PAIR, OPS_SIGNATURE_##signature)
#define NARROW64(name, signature)                                                                                      \
    OPS_WIDE(name, NARROW64, signature, OPS_STORE_ONE, OPS_LOAD_PAIR, OPS_SIGNATURE_##signature)
#define WIDEN64(name, signature)                                                                                       \
    OPS_WIDE(name, WIDEN64, signature, OPS_STORE_PAIR, OPS_LOAD_ONE, OPS_SIGNATURE_##signature)

/* FRACEXP: the body gives the fraction and writes the exponent. */
#define FRACEXP(name, signature)                                                                                       \
    OPS_INLINE vf64 ops_body_##name(uint32_t rules OPS_UNUSED, vf64 a, vi32 *exponent);                                \
    OPS_GROUP_FUNCTION(name, FRACEXP, signature)                                                                       \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++) {                                                                   \
            vi32 exponent;                                                                                             \
            vf64 fraction = ops_body_##name(rules, ops_load64_D(src[0], src[1], v), &exponent);                        \
            ops_store64_D(dst[0], dst[1], v, OPS_FLAGS_##name, fraction);                                              \
            ops_put_I(dst[2], v, exponent);                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
    OPS_INLINE vf64 ops_body_##name(uint32_t rules OPS_UNUSED, vf64 a, vi32 *exponent)

#endif
