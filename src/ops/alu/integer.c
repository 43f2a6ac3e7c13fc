/* The meaning of 32-bit integer arithmetic, comparison, logic and shifts. Holds no bit fields or scans (bits.c). */
#include "ops/op.h"

COMP(UADD, U_UU) { return a + b; }
COMP(UMUL, U_UU) { return a * b; }
COMP(UMAD, U_UUU) { return a * b + c; }
COMP(IMUL_HI, I_II) { return v_mul_hi_i32(a, b); }
COMP(UMUL_HI, U_UU) { return v_mul_hi_u32(a, b); }

/* A divisor 0 gives all ones everywhere, as the text has it for UDIV and UMOD; INT_MIN / -1 wraps, with remainder 0. */
COMP(IDIV, I_II) { return v_div_i32(a, b); }
COMP(UDIV, U_UU) { return v_div_u32(a, b); }
COMP(MOD, I_II) { return v_rem_i32(a, b); }
COMP(UMOD, U_UU) { return v_rem_u32(a, b); }

COMP(NOT, U_U) { return ~a; }
COMP(AND, U_UU) { return a & b; }
COMP(OR, U_UU) { return a | b; }
COMP(XOR, U_UU) { return a ^ b; }

COMP(IMAX, I_II) { return v_select_i32((vi32)(a > b), a, b); }
COMP(UMAX, U_UU) { return v_select_u32((vi32)(a > b), a, b); }
COMP(IMIN, I_II) { return v_select_i32((vi32)(a < b), a, b); }
COMP(UMIN, U_UU) { return v_select_u32((vi32)(a < b), a, b); }

COMP(SHL, U_UU) { return v_shl_u32(a, b); }
COMP(ISHR, I_IU) { return v_sar_i32(a, b); }
COMP(USHR, U_UU) { return v_shr_u32(a, b); }

COMP(ISLT, U_II) { return (vu32)(a < b); }
COMP(USLT, U_UU) { return (vu32)(a < b); }
COMP(ISGE, U_II) { return (vu32)(a >= b); }
COMP(USGE, U_UU) { return (vu32)(a >= b); }
COMP(USEQ, U_UU) { return (vu32)(a == b); }
COMP(USNE, U_UU) { return (vu32)(a != b); }

COMP(UCMP, X_UXX) { return v_select_u32((vi32)(a != 0u), b, c); }

/* Masks are -1. */
COMP(ISSG, I_I) { return (vi32)(a < 0) - (vi32)(a > 0); }
COMP(INEG, I_I) { return (vi32)(0u - (vu32)a); }
COMP(IABS, I_I) { return v_select_i32((vi32)(a < 0), (vi32)(0u - (vu32)a), a); }
COMP(UARL, U_U) { return a; }
