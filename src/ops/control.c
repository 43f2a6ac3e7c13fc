/* What an engine needs besides arithmetic to run a group: masked writes, conditions as bits, constants, and reads at a
 * computed place. */
#include "ops/op.h"

void OPS_LOCAL(commit)(struct sch_lanes *dst, const struct sch_lanes *value, const struct sch_lanes *mask);
void OPS_LOCAL(commit)(struct sch_lanes *dst, const struct sch_lanes *value, const struct sch_lanes *mask)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vu32 r = v_select_u32(ops_load_I(mask, v), ops_load_U(value, v), ops_load_U(dst, v));
        ops_put_U(dst, v, r);
    }
}

void OPS_LOCAL(splat)(struct sch_lanes *dst, uint32_t word);
void OPS_LOCAL(splat)(struct sch_lanes *dst, uint32_t word)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) ops_put_U(dst, v, v_splat_u32(word));
}

/* Bit i of the result: the condition in lane i. */
#define OPS_CONDITION(name, A, condition)                                                                              \
    OPS_INLINE vi32 ops_body_##name(OPS_TYPE_##A a) { return (vi32)(condition); }                                      \
    uint32_t OPS_LOCAL(name)(const struct sch_lanes *value);                                                           \
    uint32_t OPS_LOCAL(name)(const struct sch_lanes *value)                                                            \
    {                                                                                                                  \
        uint32_t bits = 0;                                                                                             \
        for (unsigned v = 0; v < OPS_VECTORS; v++)                                                                     \
            bits |= v_mask_bits(ops_body_##name(ops_load_##A(value, v))) << (v * SCH_LANES);                           \
        return bits;                                                                                                   \
    }
OPS_CONDITION(nonzero_u32, U, a != 0u)
OPS_CONDITION(nonzero_f32, F, a != 0.0f)
OPS_CONDITION(negative_f32, F, a < 0.0f)

uint32_t OPS_LOCAL(equal_u32)(const struct sch_lanes *value, uint32_t word);
uint32_t OPS_LOCAL(equal_u32)(const struct sch_lanes *value, uint32_t word)
{
    uint32_t bits = 0;
    for (unsigned v = 0; v < OPS_VECTORS; v++)
        bits |= v_mask_bits((vi32)(ops_load_U(value, v) == word)) << (v * SCH_LANES);
    return bits;
}

void OPS_LOCAL(mask_lanes)(struct sch_lanes *mask, uint32_t bits);
void OPS_LOCAL(mask_lanes)(struct sch_lanes *mask, uint32_t bits)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) ops_put_I(mask, v, v_mask_from_bits(bits >> (v * SCH_LANES)));
}

/* A lane loop with 64-bit places: index * stride may pass 2^32. */
void OPS_LOCAL(gather)(struct sch_lanes *dst, const uint32_t *base, const struct sch_lanes *index, uint32_t stride,
                       uint32_t limit, const struct sch_lanes *mask);
void OPS_LOCAL(gather)(struct sch_lanes *dst, const uint32_t *base, const struct sch_lanes *index, uint32_t stride,
                       uint32_t limit, const struct sch_lanes *mask)
{
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        uint32_t at = index->u[i];
        dst->u[i] = mask->u[i] && at < limit ? base[(uint64_t)at * stride] : 0;
    }
}
