/* The kernels with 8 lanes, of AVX2. What they do is in kernels_bodies.h; here is what the processor calls it. */
#include "kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { LANES = 8 };
#define KERNEL   __attribute__((target("avx2,fma")))
#define INLINE   static inline __attribute__((always_inline, target("avx2,fma")))
#define V(name)  _mm256_##name
#define VI(name) _mm256_##name##_si256
typedef __m256 vf;
typedef __m256i vi;

INLINE vi bits(vf x) { return _mm256_castps_si256(x); }
INLINE vi permute(vi x, vi lanes) { return _mm256_permutevar8x32_epi32(x, lanes); }
INLINE __m128i quarter(vi x, unsigned n) { return n ? _mm256_extracti128_si256(x, 1) : _mm256_castsi256_si128(x); }
INLINE __m256i eight(vi x, unsigned n)
{
    (void)n; /* there is one */
    return x;
}
INLINE vf floor_of(vf x) { return _mm256_floor_ps(x); }
INLINE vf estimate_root_below(vf x) { return _mm256_rsqrt_ps(x); } /* 12 bits */
/* Pairs of texels at eight places, from the n-th half of the places. */
INLINE vi gather_half(const uint32_t *base, vi places, unsigned n)
{
    return _mm256_i32gather_epi64((const void *)base, quarter(places, n), 4);
}
INLINE vi load_half(const uint64_t *at) { return _mm256_loadu_si256((const void *)at); }

/* Lanes whose sum of squares is at most 4: ones. */
typedef vi lanes;
INLINE lanes all_lanes(void) { return _mm256_set1_epi32(-1); }
INLINE lanes no_lanes(void) { return _mm256_setzero_si256(); }
INLINE vf choose(lanes mask, vf yes, vf no) { return _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(mask)); }
INLINE lanes still_small(lanes now, vf square)
{
    return _mm256_and_si256(now, bits(_mm256_cmp_ps(square, _mm256_set1_ps(4), _CMP_LE_OQ)));
}
INLINE int any_lane(lanes now) { return !_mm256_testz_si256(now, now); }
INLINE vi count_lanes(vi counts, lanes now) { return _mm256_sub_epi32(counts, now); }

/* The sum of a vector by halves. */
INLINE float sum_lanes(vf x)
{
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

#include "kernels_bodies.h"

const struct kernel kernels_avx2[] = {KERNEL_TABLE, {0}};
#else
const struct kernel kernels_avx2[] = {{0}};
#endif
