/* What Maxwell's texture instructions compute beside lookups: fields of packed operands, halves in one register, and
 * the fixed-point description of a footprint (TMML). Meaning: docs/maxwell.md, "Execution". Holds no filtering. */
#include "ops/texture/lookup.h"
#include "ops/texture/result.h"

extern void OPS_LOCAL(bit_field)(struct sch_lanes *, const struct sch_lanes *, unsigned, unsigned, bool);
void OPS_LOCAL(bit_field)(struct sch_lanes *dst, const struct sch_lanes *src, unsigned low, unsigned count,
                          bool is_signed)
{
    unsigned left = 32 - (low + count), right = 32 - count;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vu32 word = v_shl_u32(ops_load_U(src, v), v_splat_u32(left)), n = v_splat_u32(right);
        ops_put_U(dst, v, is_signed ? (vu32)v_sar_i32((vi32)word, n) : v_shr_u32(word, n));
    }
}

OPS_INLINE vu32 half_of(vf32 value, bool toward_zero)
{
    return toward_zero ? v_f16_from_f32_rtz(value) : v_f16_from_f32(value);
}

extern void OPS_LOCAL(pack_halves)(struct sch_lanes *, const struct sch_lanes *, const struct sch_lanes *, bool);
void OPS_LOCAL(pack_halves)(struct sch_lanes *dst, const struct sch_lanes *low, const struct sch_lanes *high,
                            bool toward_zero)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vu32 word = half_of(ops_load_F(low, v), toward_zero);
        if (high) word |= half_of(ops_load_F(high, v), toward_zero) << 16;
        ops_put_U(dst, v, word);
    }
}

/* The nearest whole number, ties to even, of a double within [low, high]. */
OPS_INLINE vi32 fixed_of(vf64 value, double low, double high)
{
    return v_i32_from_f64(v_rint_f64(tex_clamp_f64(value, low, high)));
}

/* The unit vector along the footprint's longer side, {v, u} in S2.6, and log2(minor / major) in S4.12; both 0 of a
 * footprint without extent or an unbounded one. In binary64 from the binary32 derivatives in texels. A footprint of no
 * area has the least ratio. */
OPS_INLINE void footprint_axes(const struct tex_footprint *footprint, vi32 *vector, vi32 *ratio)
{
    vf32 x2 = tex_squared_length(footprint->dx, 2), y2 = tex_squared_length(footprint->dy, 2);
    vf32 major2 = tex_rho2(x2, y2);
    vi32 along_y = (vi32)(y2 > x2), bounded = (vi32)(major2 > 0.0f) & (vi32)(major2 < V_INF_F32);
    vf64 s = v_f64_from_f32(v_select_f32(along_y, footprint->dy[0], footprint->dx[0]));
    vf64 t = v_f64_from_f32(v_select_f32(along_y, footprint->dy[1], footprint->dx[1]));
    vf64 length = v_sqrt_f64(s * s + t * t);
    vi32 u = v_i32_from_f64(v_rint_f64(s / length * 64.0)), v = v_i32_from_f64(v_rint_f64(t / length * 64.0));
    *vector = ((v & 255) << 8 | (u & 255)) & bounded;

    vf64 xs = v_f64_from_f32(footprint->dx[0]), xt = v_f64_from_f32(footprint->dx[1]);
    vf64 ys = v_f64_from_f32(footprint->dy[0]), yt = v_f64_from_f32(footprint->dy[1]);
    vf64 quotient = v_abs_f64(xs * yt - xt * ys) / v_f64_from_f32(major2);
    vi64 area = (vi64)(quotient > 0.0);
    vf64 log = v_log2_core(0, v_select_f64(area, quotient, v_splat_f64(1.0))) * 4096.0;
    *ratio = fixed_of(v_select_f64(area, log, v_splat_f64(-32768.0)), -32768.0, 0.0) & 0xffff & bounded;
}

sch_sample_fn OPS_LOCAL(footprint_query);
void OPS_LOCAL(footprint_query)(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                const struct sch_texture *texture, const struct sch_sample_request *request,
                                struct sch_lanes *const result[4])
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct tex_lookup q = tex_lookup_of(values, texture, request, v);
        tex_store_zero(v, result);
        if (texture->levels == 0 || !v_any(q.mask)) continue;
        tex_locate(key, &q);
        vi32 biased = tex_biased_lod(key, &q), vector = v_splat_i32(0), ratio = vector;
        vi32 accessed = tex_accessed_lod(key, &q, tex_clamped_lod(key, &q, biased));
        biased = tex_max(tex_min(biased, v_splat_i32(TEX_LOD_HIGH)), v_splat_i32(TEX_LOD_LOW));
        if (tex_axes(key->target) == 2) footprint_axes(&q.footprint, &vector, &ratio);
        ops_put_U(result[0], v, (vu32)(biased & 0xffff & q.mask));
        ops_put_U(result[1], v, (vu32)(accessed & q.mask));
        ops_put_U(result[2], v, (vu32)(vector & q.mask));
        ops_put_U(result[3], v, (vu32)(ratio & q.mask));
    }
}
