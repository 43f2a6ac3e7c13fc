/* Rows of pictures of luma and chroma as what turns them into colours reads them (src/ops/texture/video.c). Holds no
 * formats (src/texture/video.c) and no arithmetic. docs/resources.md, "Video". */
#ifndef SCH_ABI_VIDEO_H
#define SCH_ABI_VIDEO_H

#include "abi/group.h"

/* Where samples are between texels, along a row. */
enum sch_video_spacing {
    SCH_VIDEO_EACH,    /* a sample a texel */
    SCH_VIDEO_COSITED, /* half as many: sample i is where texel 2 i is */
    SCH_VIDEO_CENTRED  /* half as many: sample i is in the middle between texels 2 i and 2 i + 1 */
};

/* The samples of one component. A sample is `bits` bits from bit `shift` on of a little-endian word of `bytes` bytes,
 * `step` bytes after that of the sample before it. `bits` 0: there is none. */
struct sch_video_samples {
    const uint8_t *row[2];  /* two rows of samples, and how much each counts: quarters, 4 together */
    uint32_t row_weight[2]; /* where the second is 0 that row is not read */
    uint32_t columns;       /* the last sample of a row also stands for those after it, the first for those before */
    uint8_t bytes, step, shift, bits;
    uint8_t spacing; /* enum sch_video_spacing */
};

/* Colours are sums of numbers of luma and chroma, over `divisor`. All are whole numbers, and so small that the sums are
 * exact in binary64. Luma is the code less `black`, chroma 16 times what is between the samples, less `middle`. */
struct sch_video_terms {
    int32_t black, middle;
    double luma;                                        /* of R, G and B */
    double red_of_v, green_of_u, green_of_v, blue_of_u; /* the green ones are negative */
    double divisor;
};

/* A group of texels side by side: the first `count` from texel `x` on. */
struct sch_video_group {
    struct sch_video_samples y, u, v, alpha;
    struct sch_video_terms terms;
    uint32_t x, count;
};

/* R, G, B: the exact number rounded once to binary32, not clamped. A: of UNORM, 1 where there is none. Lanes after the
 * first `count` get any numbers, and read nothing but samples of the rows. */
typedef void sch_video_colors_fn(const struct sch_video_group *group, struct sch_lanes *const component[4]);

#endif
