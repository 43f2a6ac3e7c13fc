/*
 * vec.h - vectors of SCH_LANES lanes and the primitives that plain C vector expressions lack.
 *
 * Holds: the rules of these headers, vec_*.h, and all of them.
 *
 * They must not hold: the meaning of any shader operation (min/max and their NaN rules, saturate,
 * ...), mutable data, functions that are not static inline, calls that reach the C library.
 * They are the only headers of the project that may use compiler builtins and intrinsics.
 *
 * Include with SCH_LANES defined as 4, 8 or 16. Code is compiled with -fwrapv -ffp-contract=off
 * -fno-math-errno and never with any fast-math option; the floating-point environment is the
 * default one (round to nearest even, denormals kept). Every function gives the same bits on
 * every machine, compiler and lane count, with one stated exception: the sign and payload of a
 * NaN that arithmetic produced, which v_canon_f32 and v_canon_f64 remove.
 *
 * Masks are integer vectors of lanes 0 or -1. Masks of 32-bit lanes are vi32; 64-bit values take
 * vi64 masks (v_mask_widen, v_mask_narrow). Comparison operators on vectors give such masks; cast
 * their results, `(vi64)(a < b)`, since compilers disagree on the exact type.
 */
#ifndef SCH_OPS_VEC_VEC_H
#define SCH_OPS_VEC_VEC_H

#include "ops/vec/convert.h"
#include "ops/vec/float.h"
#include "ops/vec/half.h"
#include "ops/vec/integer.h"
#include "ops/vec/memory.h"
#include "ops/vec/permute.h"
#include "ops/vec/types.h"

#endif
