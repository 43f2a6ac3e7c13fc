/* Colours of pictures of luma and chroma: samples, what is between them, and the matrix (ITU-R BT.601, BT.709,
 * BT.2020). docs/resources.md, "Video". Holds no formats: which bits a sample is says abi/video.h. */
#include "abi/video.h"
#include "ops/texture/decode.h"

/* Samples of a row by their numbers, which are inside of it. */
OPS_INLINE vi32 video_load(const struct sch_video_samples *samples, const uint8_t *row, vi32 number)
{
    const vi32 at = number * (int32_t)samples->step;
    vu32 word;
    if (samples->bytes == 1)
        word = v_gather_near_u8(row, at);
    else if (samples->bytes == 2)
        word = v_gather_near_u16(row, at);
    else
        word = v_gather_near_u32(row, at);
    return (vi32)(word >> samples->shift & UINT32_MAX >> (32u - samples->bits));
}

/* Two samples of each row, and how much the second counts: quarters. */
struct video_pair {
    vi32 number[2], weight;
};

OPS_INLINE struct video_pair video_pair_of(const struct sch_video_samples *samples, vi32 x)
{
    const vi32 last = v_splat_i32((int32_t)samples->columns - 1), zero = v_splat_i32(0), odd = x & 1;
    if (samples->spacing == SCH_VIDEO_EACH) {
        const vi32 number = v_min_i32(x, last);
        return (struct video_pair){{number, number}, zero};
    }
    const bool cosited = samples->spacing == SCH_VIDEO_COSITED;
    const vi32 first = v_min_i32(x >> 1, last), step = cosited ? odd : 2 * odd - 1;
    return (struct video_pair){{first, v_max_i32(v_min_i32(first + step, last), zero)},
                               cosited ? 2 * odd : v_splat_i32(1)};
}

/* 16 times the number at the texels: sums of codes, exact. */
OPS_INLINE vi32 video_between(const struct sch_video_samples *samples, vi32 x)
{
    const struct video_pair pair = video_pair_of(samples, x);
    vi32 sum = v_splat_i32(0);
    for (unsigned r = 0; r < 2; r++) {
        if (!samples->row_weight[r]) continue;
        vi32 here = video_load(samples, samples->row[r], pair.number[0]) * (4 - pair.weight);
        if (samples->spacing != SCH_VIDEO_EACH)
            here += video_load(samples, samples->row[r], pair.number[1]) * pair.weight;
        sum += here * (int32_t)samples->row_weight[r];
    }
    return sum;
}

/* A quotient of whole numbers in binary64, rounded once to binary32: to odd in binary64, so that what comes near a
 * middle of two floats stays on its side. The rest of the division is exact. */
OPS_INLINE vu32 video_quotient(vf64 number, double divisor)
{
    const vf64 quotient = number / divisor, rest = v_fma_f64(-quotient, v_splat_f64(divisor), number);
    return v_as_u32(v_f32_from_f64(v_round_odd(quotient, rest)));
}

OPS_INLINE vf64 video_chroma(const struct sch_video_samples *samples, const struct sch_video_terms *terms, vi32 x)
{
    if (!samples->bits) return v_splat_f64(0.0);
    return v_f64_from_i32(video_between(samples, x) - terms->middle);
}

sch_video_colors_fn OPS_LOCAL(video_colors);
void OPS_LOCAL(video_colors)(const struct sch_video_group *group, struct sch_lanes *const component[4])
{
    const struct sch_video_terms *terms = &group->terms;
    for (unsigned i = 0; i < OPS_VECTORS && i * SCH_LANES < group->count; i++) {
        const vi32 x = v_lane_i32() + (int32_t)(group->x + i * SCH_LANES);
        const vi32 codes = video_between(&group->y, x) >> 4;
        const vf64 y = v_f64_from_i32(codes - terms->black) * terms->luma;
        const vf64 u = video_chroma(&group->u, terms, x), v = video_chroma(&group->v, terms, x);
        ops_put_U(component[0], i, video_quotient(y + v * terms->red_of_v, terms->divisor));
        ops_put_U(component[1], i, video_quotient(y + u * terms->green_of_u + v * terms->green_of_v, terms->divisor));
        ops_put_U(component[2], i, video_quotient(y + u * terms->blue_of_u, terms->divisor));
        vf32 alpha = v_splat_f32(1.0f);
        if (group->alpha.bits) alpha = tex_unorm((vu32)(video_between(&group->alpha, x) >> 4), group->alpha.bits);
        ops_put_F(component[3], i, alpha);
    }
}
