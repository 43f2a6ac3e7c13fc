/*
 * ops/vec/permute.h - lanes in each other's places, by the rules of vec.h.
 *
 * Holds: lanes of a quad, permutes by number, tables in registers; what few machines have as one instruction
 * is there only with them (V_PERMUTE, V_TABLE).
 * Must not hold: what lanes mean.
 */
#ifndef SCH_OPS_VEC_PERMUTE_H
#define SCH_OPS_VEC_PERMUTE_H

#include "ops/vec/types.h"

/* ---- quads: lanes 4q to 4q + 3, each taking the value of the lane of its quad that the name says --- */

#if SCH_LANES == 4
#define V_QUADS(a, b, c, d) a, b, c, d
#elif SCH_LANES == 8
#define V_QUADS(a, b, c, d) a, b, c, d, 4 + a, 4 + b, 4 + c, 4 + d
#else
#define V_QUADS(a, b, c, d)                                                                                            \
    a, b, c, d, 4 + a, 4 + b, 4 + c, 4 + d, 8 + a, 8 + b, 8 + c, 8 + d, 12 + a, 12 + b, 12 + c, 12 + d
#endif

V_FN vf32 v_quad_0000_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(0, 0, 0, 0)); }
V_FN vi32 v_quad_0000_i32(vi32 v) { return __builtin_shufflevector(v, v, V_QUADS(0, 0, 0, 0)); }
V_FN vf32 v_quad_1111_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(1, 1, 1, 1)); }
V_FN vf32 v_quad_2222_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(2, 2, 2, 2)); }
V_FN vf32 v_quad_3333_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(3, 3, 3, 3)); }
V_FN vf32 v_quad_0022_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(0, 0, 2, 2)); }
V_FN vf32 v_quad_1133_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(1, 1, 3, 3)); }
/* Lane 0 to 3 of each quad, a constant. */
V_FN vf32 v_quad_lane_f32(vf32 v, int lane)
{
    if (lane < 2) return lane ? v_quad_1111_f32(v) : v_quad_0000_f32(v);
    return lane == 2 ? v_quad_2222_f32(v) : v_quad_3333_f32(v);
}
V_FN vf32 v_quad_0101_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(0, 1, 0, 1)); }
V_FN vf32 v_quad_2323_f32(vf32 v) { return __builtin_shufflevector(v, v, V_QUADS(2, 3, 2, 3)); }
V_FN vi32 v_quad_1032_i32(vi32 v) { return __builtin_shufflevector(v, v, V_QUADS(1, 0, 3, 2)); }
V_FN vi32 v_quad_2301_i32(vi32 v) { return __builtin_shufflevector(v, v, V_QUADS(2, 3, 0, 1)); }

/* The lower halves of two words in one, the first's below, and the upper halves in another; the same gives them
 * back. */
V_FN void v_join_halves_u32(vu32 first, vu32 second, vu32 half[2])
{
    half[0] = (first & 0xffffu) | second << 16;
    half[1] = first >> 16 | (second & 0xffff0000u);
}

/* Words in each other's places: lane i takes the word of lane index[i] (modulo SCH_LANES); within quads, of the quad's
   lane index[i], 0 to 3; of two vectors (modulo twice SCH_LANES), of a's lanes and then b's. Only where the machine has
   one instruction for it. v_permute_halves_u32: of the words index[i] and index[i] + 1 what v_join_halves_u32 makes. */
#if defined(__AVX512BW__) && SCH_LANES == 16
#define V_PERMUTE 1
V_FN vu32 v_permute_u32(vu32 v, vi32 index) { return (vu32)_mm512_permutexvar_epi32((__m512i)index, (__m512i)v); }
V_FN vu32 v_quad_permute_u32(vu32 v, vi32 index) { return (vu32)_mm512_permutevar_ps((__m512)v, (__m512i)index); }
V_FN vu32 v_permute2_u32(vu32 a, vu32 b, vi32 index)
{
    return (vu32)_mm512_permutex2var_epi32((__m512i)a, (__m512i)index, (__m512i)b);
}
V_FN void v_permute2_pairs_u32(vu32 a, vu32 b, vi32 index, vu32 word[2])
{
    word[0] = v_permute2_u32(a, b, index);
    word[1] = v_permute2_u32(a, b, index + 1);
}
V_FN void v_permute_halves_u32(vu32 v, vi32 index, vu32 half[2])
{
    vi32 low = index * 0x20002 + 0x20000, high = low + 0x10001;
    half[0] = (vu32)_mm512_permutexvar_epi16((__m512i)low, (__m512i)v);
    half[1] = (vu32)_mm512_permutexvar_epi16((__m512i)high, (__m512i)v);
}
V_FN void v_permute2_halves_u32(vu32 a, vu32 b, vi32 index, vu32 half[2])
{
    vi32 low = index * 0x20002 + 0x20000, high = low + 0x10001;
    half[0] = (vu32)_mm512_permutex2var_epi16((__m512i)a, (__m512i)low, (__m512i)b);
    half[1] = (vu32)_mm512_permutex2var_epi16((__m512i)a, (__m512i)high, (__m512i)b);
}
#elif defined(__AVX2__) && SCH_LANES == 8
#define V_PERMUTE 1
V_FN vu32 v_permute_u32(vu32 v, vi32 index) { return (vu32)_mm256_permutevar8x32_epi32((__m256i)v, (__m256i)index); }
V_FN vu32 v_quad_permute_u32(vu32 v, vi32 index) { return (vu32)_mm256_permutevar_ps((__m256)v, (__m256i)index); }
/* By the sign bit of each lane. */
V_FN vu32 v_blend_u32(vu32 a, vu32 b, vi32 sign) { return (vu32)_mm256_blendv_ps((__m256)a, (__m256)b, (__m256)sign); }
V_FN vu32 v_permute2_u32(vu32 a, vu32 b, vi32 index)
{
    return v_blend_u32(v_permute_u32(a, index), v_permute_u32(b, index), index << 28);
}
V_FN void v_permute2_pairs_u32(vu32 a, vu32 b, vi32 index, vu32 word[2])
{
    word[0] = v_permute2_u32(a, b, index);
    word[1] = v_blend_u32(v_permute_u32(a, index + 1), v_permute_u32(b, index + 1), index << 28);
}
V_FN void v_permute_halves_u32(vu32 v, vi32 index, vu32 half[2])
{
    v_join_halves_u32(v_permute_u32(v, index), v_permute_u32(v, index + 1), half);
}
V_FN void v_permute2_halves_u32(vu32 a, vu32 b, vi32 index, vu32 half[2])
{
    vu32 word[2];
    v_permute2_pairs_u32(a, b, index, word);
    v_join_halves_u32(word[0], word[1], half);
}
#endif

/* One lane (0 to 3) of each quad of a group of 32, from its vectors `v`: those of quads 0 to 7 in lanes 0 to 7, and
 * again in the lanes above. v_of_quads_i32: from such a vector, all lanes of the group's vector `number`. */
#ifdef V_PERMUTE
#if SCH_LANES == 8
#define V_QUAD_LANE_F32(v, lane)                                                                                       \
    __builtin_shufflevector(                                                                                           \
        __builtin_shufflevector((v)[0], (v)[1], lane, 4 + (lane), 8 + (lane), 12 + (lane), -1, -1, -1, -1),            \
        __builtin_shufflevector((v)[2], (v)[3], lane, 4 + (lane), 8 + (lane), 12 + (lane), -1, -1, -1, -1), 0, 1, 2,   \
        3, 8, 9, 10, 11)
#else
#define V_QUAD_LANE_F32(v, lane)                                                                                       \
    __builtin_shufflevector((v)[0], (v)[1], lane, 4 + (lane), 8 + (lane), 12 + (lane), 16 + (lane), 20 + (lane),       \
                            24 + (lane), 28 + (lane), lane, 4 + (lane), 8 + (lane), 12 + (lane), 16 + (lane),          \
                            20 + (lane), 24 + (lane), 28 + (lane))
#endif
V_FN vi32 v_of_quads_i32(vi32 quads, unsigned number)
{
    return (vi32)v_permute_u32((vu32)quads, (v_lane_i32() >> 2) + (int32_t)(number * (SCH_LANES / 4)));
}
#endif

/* Where the machine has one instruction for each:
 * v_table_f32: entry index mod 32 of a table.
 * v_exponent_f32: floor(log2 |x|), of 0 -infinity, of infinity infinity; NaN stays.
 * v_significand_f32: x / 2^exponent, from 1 to 2; 1 of 0 and infinity; NaN of NaN and below 0.
 * v_scale_f32: x * 2^floor(n), rounded once. */
#if defined(__AVX512F__) && SCH_LANES == 16
#define V_TABLE 1
V_FN vf32 v_table_f32(const float *table, vi32 index)
{
    return (vf32)_mm512_permutex2var_ps(_mm512_loadu_ps(table), (__m512i)index, _mm512_loadu_ps(table + 16));
}
V_FN vf32 v_exponent_f32(vf32 x) { return (vf32)_mm512_getexp_ps((__m512)x); }
V_FN vf32 v_significand_f32(vf32 x) { return (vf32)_mm512_getmant_ps((__m512)x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan); }
V_FN vf32 v_scale_f32(vf32 x, vf32 n) { return (vf32)_mm512_scalef_ps((__m512)x, (__m512)n); }
#endif

#endif
