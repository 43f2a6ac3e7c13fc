/* The meaning of INTERP_*: a plane equation at an offset from the pixel's centre. Where the offset comes from
 * (centroid, sample, operand) and which planes belong to an input is the engine's. */
#include "ops/op.h"

/* See sch_ops.interpolate. The steps in x and y are fused, in this order; the quotient is correctly rounded, so that a
 * divisor 1 changes nothing. */
void OPS_LOCAL(interpolate)(uint32_t rules, struct sch_lanes *const dst[], const struct sch_lanes *const src[]);
void OPS_LOCAL(interpolate)(uint32_t rules OPS_UNUSED, struct sch_lanes *const dst[],
                            const struct sch_lanes *const src[])
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vf32 x = ops_load_F(src[3], v), y = ops_load_F(src[4], v);
        vf32 value = v_fma_f32(x, ops_load_F(src[1], v), ops_load_F(src[0], v));
        vf32 divisor = v_fma_f32(x, ops_load_F(src[6], v), ops_load_F(src[5], v));
        value = v_fma_f32(y, ops_load_F(src[2], v), value);
        divisor = v_fma_f32(y, ops_load_F(src[7], v), divisor);
        ops_store_F(dst[0], v, SCH_OPF_CANON, value / divisor);
    }
}
