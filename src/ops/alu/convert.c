/* The meaning of conversions between number types. Floats to integers: toward zero (ARL: down, ARR: to the nearest,
 * ties to even), out of range to the nearest end, NaN to 0. All others round to the nearest, ties to even. */
#include "ops/op.h"

COMP(ARL, I_F) { return v_i32_from_f32(v_floor_f32(a)); }
COMP(ARR, I_F) { return v_i32_from_f32(v_rint_f32(a)); }
COMP(F2I, I_F) { return v_i32_from_f32(a); }
COMP(F2U, U_F) { return v_u32_from_f32(a); }
COMP(I2F, F_I) { return v_f32_from_i32(a); }
COMP(U2F, F_U) { return v_f32_from_u32(a); }

WIDEN64(F2D, D_F) { return v_f64_from_f32(a); }
WIDEN64(I2D, D_I) { return v_f64_from_i32(a); }
WIDEN64(U2D, D_U) { return v_f64_from_u32(a); }
NARROW64(D2F, F_D) { return v_f32_from_f64(a); }
NARROW64(D2I, I_D) { return v_i32_from_f64(a); }
NARROW64(D2U, U_D) { return v_u32_from_f64(a); }

WIDEN64(F2U64, Q_F) { return v_u64_from_f32(a); }
WIDEN64(F2I64, L_F) { return v_i64_from_f32(a); }
WIDEN64(U2I64, L_U) { return (vi64)v_u64_from_u32(a); }
WIDEN64(I2I64, L_I) { return v_i64_from_i32(a); }
NARROW64(U642F, F_Q) { return v_f32_from_u64(a); }
NARROW64(I642F, F_L) { return v_f32_from_i64(a); }

COMP64(D2U64, Q_D) { return v_u64_from_f64(a); }
COMP64(D2I64, L_D) { return v_i64_from_f64(a); }
COMP64(U642D, D_Q) { return v_f64_from_u64(a); }
COMP64(I642D, D_L) { return v_f64_from_i64(a); }
