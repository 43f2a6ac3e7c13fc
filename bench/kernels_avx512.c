/* The kernels with 16 lanes, of AVX-512 F, BW, DQ and VL. What they do is in kernels_bodies.h; here is what the
 * processor calls it. */
#include "kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { LANES = 16 };
#define KERNEL   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma")))
#define INLINE   static inline __attribute__((always_inline, target("avx512f,avx512bw,avx512dq,avx512vl,fma")))
#define V(name)  _mm512_##name
#define VI(name) _mm512_##name##_si512
typedef __m512 vf;
typedef __m512i vi;

INLINE vi bits(vf x) { return _mm512_castps_si512(x); }
INLINE vi permute(vi x, vi lanes) { return _mm512_permutexvar_epi32(lanes, x); }
INLINE __m128i quarter(vi x, unsigned n)
{
    return n == 0   ? _mm512_castsi512_si128(x)
           : n == 1 ? _mm512_extracti32x4_epi32(x, 1)
           : n == 2 ? _mm512_extracti32x4_epi32(x, 2)
                    : _mm512_extracti32x4_epi32(x, 3);
}
INLINE __m256i eight(vi x, unsigned n) { return n ? _mm512_extracti64x4_epi64(x, 1) : _mm512_castsi512_si256(x); }
INLINE vf floor_of(vf x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
INLINE vf estimate_root_below(vf x) { return _mm512_rsqrt14_ps(x); }
/* Pairs of texels at sixteen places, from the n-th half of the places. */
INLINE vi gather_half(const uint32_t *base, vi places, unsigned n)
{
    const __m256i half = n ? _mm512_extracti64x4_epi64(places, 1) : _mm512_castsi512_si256(places);
    return _mm512_i32gather_epi64(half, (const void *)base, 4);
}
INLINE vi load_half(const uint64_t *at) { return _mm512_loadu_si512((const void *)at); }

/* Lanes whose sum of squares is at most 4. */
typedef __mmask16 lanes;
INLINE lanes all_lanes(void) { return 0xffff; }
INLINE lanes no_lanes(void) { return 0; }
INLINE vf choose(lanes mask, vf yes, vf no) { return _mm512_mask_blend_ps(mask, no, yes); }
INLINE lanes still_small(lanes now, vf square)
{
    return _mm512_mask_cmp_ps_mask(now, square, _mm512_set1_ps(4), _CMP_LE_OQ);
}
INLINE int any_lane(lanes now) { return now != 0; }
INLINE vi count_lanes(vi counts, lanes now) { return _mm512_mask_add_epi32(counts, now, counts, _mm512_set1_epi32(1)); }

/* The sum of a vector by halves. */
INLINE float sum_lanes(vf x)
{
    const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps(x, 1));
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

#include "kernels_bodies.h"

const struct kernel kernels_avx512[] = {KERNEL_TABLE, {0}};
#else
const struct kernel kernels_avx512[] = {{0}};
#endif
