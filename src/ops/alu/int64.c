/* The meaning of 64-bit integer arithmetic, comparison and shifts. Holds no conversions (convert.c). */
#include "ops/op.h"

COMP64(U64ADD, Q_QQ) { return a + b; }
COMP64(U64MUL, Q_QQ) { return a * b; }
COMP64(I64NEG, L_L) { return (vi64)(v_splat_u64(0) - (vu64)a); }
COMP64(I64ABS, L_L) { return v_select_i64((vi64)(a < 0), (vi64)(v_splat_u64(0) - (vu64)a), a); }
/* Masks are -1. */
COMP64(I64SSG, L_L) { return (vi64)(a < 0) - (vi64)(a > 0); }

COMP64(I64MIN, L_LL) { return v_select_i64((vi64)(a < b), a, b); }
COMP64(U64MIN, Q_QQ) { return v_select_u64((vi64)(a < b), a, b); }
COMP64(I64MAX, L_LL) { return v_select_i64((vi64)(a > b), a, b); }
COMP64(U64MAX, Q_QQ) { return v_select_u64((vi64)(a > b), a, b); }

COMPARE64(U64SEQ, U_QQ) { return (vu32)v_mask_narrow((vi64)(a == b)); }
COMPARE64(U64SNE, U_QQ) { return (vu32)v_mask_narrow((vi64)(a != b)); }
COMPARE64(U64SLT, U_QQ) { return (vu32)v_mask_narrow((vi64)(a < b)); }
COMPARE64(U64SGE, U_QQ) { return (vu32)v_mask_narrow((vi64)(a >= b)); }
COMPARE64(I64SLT, U_LL) { return (vu32)v_mask_narrow((vi64)(a < b)); }
COMPARE64(I64SGE, U_LL) { return (vu32)v_mask_narrow((vi64)(a >= b)); }

/* The count of the second value is src1.z, as producers write it, not the text's src1.y. */
COMP64(U64SHL, Q_QU) { return v_shl_u64(a, v_u64_from_u32(b)); }
COMP64(I64SHR, L_LU) { return v_sar_i64(a, v_u64_from_u32(b)); }
COMP64(U64SHR, Q_QU) { return v_shr_u64(a, v_u64_from_u32(b)); }

/* A divisor 0 gives all ones; INT64_MIN / -1 wraps, with remainder 0. */
COMP64(I64DIV, L_LL) { return v_div_i64(a, b); }
COMP64(U64DIV, Q_QQ) { return v_div_u64(a, b); }
COMP64(I64MOD, L_LL) { return v_rem_i64(a, b); }
COMP64(U64MOD, Q_QQ) { return v_rem_u64(a, b); }
