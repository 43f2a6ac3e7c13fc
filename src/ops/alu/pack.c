/* The meaning of packing floats into the parts of a word and of unpacking them. Normalized formats: a value is clamped
 * (NaN counts as 0), scaled exactly and rounded to the nearest integer, ties to even; unpacking is the correctly
 * rounded quotient. */
#include "ops/op.h"

/* round(clamp(x, low, 1) * scale). The product is exact in double; its conversion makes 0 of a NaN. */
OPS_INLINE vu32 ops_quantize(vf32 x, float low, double scale)
{
    x = v_select_f32((vi32)(x < low), v_splat_f32(low), x);
    x = v_select_f32((vi32)(x > 1.0f), v_splat_f32(1.0f), x);
    return (vu32)v_i32_from_f64(v_rint_f64(v_f64_from_f32(x) * scale));
}
OPS_INLINE vu32 ops_unorm16(vf32 x) { return ops_quantize(x, 0.0f, 65535.0); }
OPS_INLINE vu32 ops_unorm8(vf32 x) { return ops_quantize(x, 0.0f, 255.0); }
OPS_INLINE vu32 ops_snorm8(vf32 x) { return ops_quantize(x, -1.0f, 127.0) & 0xffu; }

/* Halves to the nearest, in Direct3D toward zero. */
VREPL2(PK2H, U_F)
{
    if (rules & SCH_RULE_D3D) return v_f16_from_f32_rtz(a[0]) | v_f16_from_f32_rtz(a[1]) << 16;
    return v_f16_from_f32(a[0]) | v_f16_from_f32(a[1]) << 16;
}
VREPL2(PK2US, U_F) { return ops_unorm16(a[0]) | ops_unorm16(a[1]) << 16; }
VREPL4(PK4B, U_F) { return ops_snorm8(a[0]) | ops_snorm8(a[1]) << 8 | ops_snorm8(a[2]) << 16 | ops_snorm8(a[3]) << 24; }
VREPL4(PK4UB, U_F)
{
    return ops_unorm8(a[0]) | ops_unorm8(a[1]) << 8 | ops_unorm8(a[2]) << 16 | ops_unorm8(a[3]) << 24;
}

UNPACK(UP2H, F_U)
{
    r[0] = r[2] = v_f32_from_f16(a); /* of the low 16 bits */
    r[1] = r[3] = v_f32_from_f16(a >> 16);
}
UNPACK(UP2US, F_U)
{
    r[0] = r[2] = v_f32_from_u32(a & 0xffffu) / 65535.0f;
    r[1] = r[3] = v_f32_from_u32(a >> 16) / 65535.0f;
}

/* The top byte of a word; -128 and -127 are both -1. */
OPS_INLINE vf32 ops_from_snorm8(vu32 a) { return v_f32_from_i32(v_max_i32((vi32)a >> 24, v_splat_i32(-127))) / 127.0f; }
OPS_INLINE vf32 ops_from_unorm8(vu32 a) { return v_f32_from_u32(a >> 24) / 255.0f; }
UNPACK(UP4B, F_U)
{
    r[0] = ops_from_snorm8(a << 24);
    r[1] = ops_from_snorm8(a << 16);
    r[2] = ops_from_snorm8(a << 8);
    r[3] = ops_from_snorm8(a);
}
UNPACK(UP4UB, F_U)
{
    r[0] = ops_from_unorm8(a << 24);
    r[1] = ops_from_unorm8(a << 16);
    r[2] = ops_from_unorm8(a << 8);
    r[3] = ops_from_unorm8(a);
}
