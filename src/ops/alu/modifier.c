/* The meaning of source modifiers and of saturate. A float modifier is float arithmetic: it makes a NaN the canonical
 * one. Integer negate is two's complement; integer absolute clears the sign bit, as the language's only absolute is the
 * float one. Negate applies after absolute. */
#include "ops/op.h"

#define OPS_MODIFIER(name, A)                                                                                          \
    OPS_INLINE OPS_TYPE_##A ops_body_##name(OPS_TYPE_##A a);                                                           \
    void OPS_LOCAL(name)(uint32_t rules, struct sch_lanes *const dst[], const struct sch_lanes *const src[]);          \
    void OPS_LOCAL(name)(uint32_t rules OPS_UNUSED, struct sch_lanes *const dst[],                                     \
                         const struct sch_lanes *const src[])                                                          \
    {                                                                                                                  \
        for (unsigned v = 0; v < OPS_VECTORS; v++) OPS_MODIFY_##A(dst, v, ops_body_##name(OPS_MODIFIED_##A(src, v)));  \
    }                                                                                                                  \
    OPS_INLINE OPS_TYPE_##A ops_body_##name(OPS_TYPE_##A a)

#define OPS_MODIFIED_F(src, v)      ops_load_F((src)[0], v)
#define OPS_MODIFIED_I(src, v)      ops_load_I((src)[0], v)
#define OPS_MODIFIED_D(src, v)      ops_load64_D((src)[0], (src)[1], v)
#define OPS_MODIFIED_L(src, v)      ops_load64_L((src)[0], (src)[1], v)
#define OPS_MODIFY_F(dst, v, value) ops_store_F((dst)[0], v, SCH_OPF_CANON, value)
#define OPS_MODIFY_I(dst, v, value) ops_put_I((dst)[0], v, value)
#define OPS_MODIFY_D(dst, v, value) ops_store64_D((dst)[0], (dst)[1], v, SCH_OPF_CANON, value)
#define OPS_MODIFY_L(dst, v, value) ops_store64_L((dst)[0], (dst)[1], v, 0, value)

OPS_MODIFIER(negate_f32, F) { return v_neg_f32(a); }
OPS_MODIFIER(absolute_f32, F) { return v_abs_f32(a); }
OPS_MODIFIER(negate_absolute_f32, F) { return v_neg_f32(v_abs_f32(a)); }

OPS_MODIFIER(negate_i32, I) { return (vi32)(0u - (vu32)a); }
OPS_MODIFIER(absolute_i32, I) { return a & INT32_MAX; }
OPS_MODIFIER(negate_absolute_i32, I) { return (vi32)(0u - ((vu32)a & INT32_MAX)); }

OPS_MODIFIER(negate_f64, D) { return v_neg_f64(a); }
OPS_MODIFIER(absolute_f64, D) { return v_abs_f64(a); }
OPS_MODIFIER(negate_absolute_f64, D) { return v_neg_f64(v_abs_f64(a)); }

OPS_MODIFIER(negate_i64, L) { return (vi64)(v_splat_u64(0) - (vu64)a); }
OPS_MODIFIER(absolute_i64, L) { return a & INT64_MAX; }
OPS_MODIFIER(negate_absolute_i64, L) { return (vi64)(v_splat_u64(0) - ((vu64)a & INT64_MAX)); }

/* clamp(x, 0, 1) as in "Functions", so -0 stays; of a NaN, about which the text is silent, 0. */
OPS_MODIFIER(saturate_f32, F)
{
    vf32 r = v_select_f32((vi32)(a > 1.0f), v_splat_f32(1.0f), a);
    return (vf32)((vi32)r & (vi32)(a >= 0.0f));
}
/* Direct3D's rule for 32-bit float arithmetic: denormal operands and results are zeros of their sign. A modifier only
 * touches the sign, so it does not matter which comes first; a denormal saturates to +0 or -0. */
OPS_INLINE vf32 ops_flushed(vf32 a)
{
    vu32 tiny = (vu32)(((vu32)a & 0x7f800000u) == 0u);
    return (vf32)((vu32)a & ~(tiny & 0x007fffffu));
}
OPS_MODIFIER(flush_f32, F) { return ops_flushed(a); }
OPS_MODIFIER(flush_negate_f32, F) { return ops_flushed(v_neg_f32(a)); }
OPS_MODIFIER(flush_absolute_f32, F) { return ops_flushed(v_abs_f32(a)); }
OPS_MODIFIER(flush_negate_absolute_f32, F) { return ops_flushed(v_neg_f32(v_abs_f32(a))); }
OPS_MODIFIER(flush_saturate_f32, F) { return ops_flushed(ops_body_saturate_f32(a)); }

OPS_MODIFIER(saturate_f64, D)
{
    vf64 r = v_select_f64((vi64)(a > 1.0), v_splat_f64(1.0), a);
    return (vf64)((vi64)r & (vi64)(a >= 0.0));
}
