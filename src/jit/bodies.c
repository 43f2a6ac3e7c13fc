/* The operations of src/ops as functions over one vector with a pointer per operand, for the bitcode archive
 * (jit/archive_make.c, which makes functions by value of them). Built by clang to bitcode, once per level; never part
 * of a library. Holds no meaning: that is in the files included here. */
#define OPS_VECTORS 1

#include "ops/alu/bits.c"
#include "ops/alu/convert.c"
#include "ops/alu/double.c"
#include "ops/alu/float.c"
#include "ops/alu/int64.c"
#include "ops/alu/integer.c"
#include "ops/alu/modifier.c"
#include "ops/alu/pack.c"
#include "ops/alu/transcendental.c"
#include "ops/control.c"
#include "ops/memory/access.h"
#include "ops/raster/interpolate.c"
#include "ops/raster/span.c"

#include "ops/maxwell/convert.c"
#include "ops/maxwell/double.c"
#include "ops/maxwell/float.c"
#include "ops/maxwell/integer.c"
#include "ops/maxwell/logic.c"
#include "ops/maxwell/video.c"

#include "jit/shapes.h"

/* Operands in the order of jit/shapes.h become the pointers that the operation's shape wants. */
#define BODY_PARAMETERS                                                                                                \
    uint32_t rules, void *r0, void *r1, void *r2, void *r3, const void *a0, const void *a1, const void *a2,            \
        const void *a3, const void *a4, const void *a5, const void *a6, const void *a7
#define BODY(name, function, ...)                                                                                      \
    __attribute__((flatten)) void sch_body_##name(BODY_PARAMETERS);                                                    \
    __attribute__((flatten)) void sch_body_##name(BODY_PARAMETERS)                                                     \
    {                                                                                                                  \
        struct sch_lanes *const dst[4] = {r0, r1, r2, r3};                                                             \
        const struct sch_lanes *const plain[8] = {a0, a1, a2, a3, a4, a5, a6, a7};                                     \
        const struct sch_lanes *const src[8] = {__VA_ARGS__};                                                          \
        (void)plain;                                                                                                   \
        function(rules, dst, src);                                                                                     \
    }
#define BODY_PLAIN(name, shape, signature)                                                                             \
    BODY(name, OPS_SYMBOL(name, shape, signature), a0, a1, a2, a3, a4, a5, a6, a7)
#define BODY_COMP(...)                      BODY_PLAIN(__VA_ARGS__)
#define BODY_REPL(...)                      BODY_PLAIN(__VA_ARGS__)
#define BODY_VREPL2(name, shape, signature) BODY(name, OPS_SYMBOL(name, shape, signature), a0, a1, 0, 0, a2, a3, 0, 0)
#define BODY_VREPL3(name, shape, signature) BODY(name, OPS_SYMBOL(name, shape, signature), a0, a1, a2, 0, a3, a4, a5, 0)
#define BODY_VREPL4(...)                    BODY_PLAIN(__VA_ARGS__)
#define BODY_CHAN(...)                      BODY_PLAIN(__VA_ARGS__)
#define BODY_UNPACK(...)                    BODY_PLAIN(__VA_ARGS__)
#define BODY_COMP64(...)                    BODY_PLAIN(__VA_ARGS__)
#define BODY_COMPARE64(...)                 BODY_PLAIN(__VA_ARGS__)
#define BODY_WIDEN64(...)                   BODY_PLAIN(__VA_ARGS__)
#define BODY_NARROW64(...)                  BODY_PLAIN(__VA_ARGS__)
#define BODY_FRACEXP(...)                   BODY_PLAIN(__VA_ARGS__)
#define BODY_FLOW(...)
#define BODY_TEX(...)
#define BODY_MEMORY(...)
#define BODY_ATOMIC(...)
#define BODY_LANE(...)
#define BODY_STREAM(...)
#define BODY_INTERPOLATE(...)
#define BODY_SYNC(...)
#define BODY_FETCH(...)
#define BODY_HANDLE(...)
#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...) BODY_##shape(name, shape, signature)
#include "isa/opcodes.def"
#undef OP

#define BODY_STEP(name, results, operands) BODY(name, OPS_LOCAL(name), a0, a1, a2, a3, a4, a5, a6, a7)
#define MODIFIER(enumerator, name, words)  BODY_STEP(name, words, words)
#include "abi/modifiers.def"
#undef MODIFIER
JIT_PLAIN(BODY_STEP)
JIT_FRAME(BODY_STEP)

/* A condition of ops/control.c as an operation. */
#define BODY_CONDITION(name, A)                                                                                        \
    OPS_INLINE void condition_##name(uint32_t rules OPS_UNUSED, struct sch_lanes *const dst[],                         \
                                     const struct sch_lanes *const src[])                                              \
    {                                                                                                                  \
        ops_store_I(dst[0], 0, 0, ops_body_##name(ops_load_##A(src[0], 0)));                                           \
    }                                                                                                                  \
    BODY(name, condition_##name, a0, a1, a2, a3, a4, a5, a6, a7)
JIT_CONDITIONS(BODY_CONDITION)

/* POW, but in the lanes of the second result. */
OPS_INLINE void quick_pow(uint32_t rules OPS_UNUSED, struct sch_lanes *const dst[], const struct sch_lanes *const src[])
{
    vi32 undecided;
    vf32 power = v_pow_quick(ops_load_F(src[0], 0), ops_load_F(src[1], 0), &undecided);
    ops_store_F(dst[0], 0, SCH_OPF_CANON, power);
    ops_store_I(dst[1], 0, 0, undecided);
}
BODY(quick_POW, quick_pow, a0, a1)

/* SIN and COS, but of large numbers. */
OPS_INLINE void quick_sin(uint32_t rules OPS_UNUSED, struct sch_lanes *const dst[], const struct sch_lanes *const src[])
{
    vi32 undecided;
    ops_store_F(dst[0], 0, SCH_OPF_CANON, v_sin_quick(ops_load_F(src[0], 0), &undecided));
    ops_store_I(dst[1], 0, 0, undecided);
}
BODY(quick_SIN, quick_sin, a0)
OPS_INLINE void quick_cos(uint32_t rules OPS_UNUSED, struct sch_lanes *const dst[], const struct sch_lanes *const src[])
{
    vi32 undecided;
    ops_store_F(dst[0], 0, SCH_OPF_CANON, v_cos_quick(ops_load_F(src[0], 0), &undecided));
    ops_store_I(dst[1], 0, 0, undecided);
}
BODY(quick_COS, quick_cos, a0)

/* ---- memory ---- */

OPS_INLINE void strays(uint32_t units, struct sch_lanes *const dst[], const struct sch_lanes *const src[])
{
    ops_store_I(dst[0], 0, 0,
                access_strays(ops_load_U(src[0], 0), ops_load_U(src[1], 0), ops_load_U(src[2], 0), units));
}
BODY(access_strays, strays, a0, a1, a2)

OPS_INLINE void places(uint32_t rules, struct sch_lanes *const dst[], const struct sch_lanes *const src[])
{
    const unsigned shift = rules % (1u << JIT_COMPONENT_SHIFT), component = rules >> JIT_COMPONENT_SHIFT;
    const uint64_t bytes = ops_load64_Q(src[1], src[2], 0)[0], each = ops_load64_Q(src[4], src[5], 0)[0];
    vu64 place = access_places(ops_load_U(src[0], 0), shift, component);
    ops_store64_Q(dst[0], dst[1], 0, 0, access_own_places(place, ops_load_U(src[3], 0), each));
    ops_store_I(dst[2], 0, 0, access_reach(place, 1, bytes));
}
BODY(access_places, places, a0, a1, a2, a3, a4, a5)

uint64_t sch_value_access_place(uint32_t address, uint32_t shift);
uint64_t sch_value_access_place(uint32_t address, uint32_t shift) { return access_place(address, shift, 0); }

bool sch_value_access_inside(uint64_t place, uint32_t words, uint64_t bytes);
bool sch_value_access_inside(uint64_t place, uint32_t words, uint64_t bytes)
{
    return access_inside(place, words, bytes);
}

/* ---- Maxwell code ---- */

/* The bodies of src/ops/maxwell, and the test of the flags as one of them: its number is how->comparison. */
#define BODY_MAXWELL(name, function)                                                                                   \
    __attribute__((flatten)) void sch_body_mw_##name(                                                                  \
        const struct sch_maxwell_how *how, void *r0, void *r1, void *r2, void *r3, void *r4, const void *a0,           \
        const void *a1, const void *a2, const void *a3, const void *a4, const void *a5, const void *a6);               \
    __attribute__((flatten)) void sch_body_mw_##name(                                                                  \
        const struct sch_maxwell_how *how, void *r0, void *r1, void *r2, void *r3, void *r4, const void *a0,           \
        const void *a1, const void *a2, const void *a3, const void *a4, const void *a5, const void *a6)                \
    {                                                                                                                  \
        struct sch_lanes *const to[SCH_MAXWELL_TO_COUNT] = {r0, r1, r2, r3, r4};                                       \
        const struct sch_lanes *const from[SCH_MAXWELL_FROM_COUNT] = {a0, a1, a2, a3, a4, a5, a6};                     \
        function(how, to, from);                                                                                       \
    }
#define MAXWELL_BODY(name) BODY_MAXWELL(name, OPS_LOCAL(maxwell_##name))
#include "abi/maxwell_bodies.def"
#undef MAXWELL_BODY

OPS_INLINE void test_flags(const struct sch_maxwell_how *how, struct sch_lanes *const to[],
                           const struct sch_lanes *const from[])
{
    mw_put_truth(to, 0, mw_test(mw_old_flags(from, 0), how->comparison));
}
BODY_MAXWELL(test, test_flags)
