/* Workloads of peers.def as kernels written by hand: what a processor can reach that does nothing else. They compute by
 * Scheelite's rules (docs/texture.md, docs/semantics.md), with affine coordinates and without masks. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stdint.h>

enum {
    KERNEL_SIDE = 1024,                /* of picture and 2-D texture */
    KERNEL_TEXELS = KERNEL_SIDE + 1,   /* in a row of that: the first comes again, as the texture repeats */
    KERNEL_VOLUME = 128,               /* side of the 3-D texture */
    KERNEL_SLICES = KERNEL_VOLUME + 1, /* the last comes again, as its edges are clamped */
    KERNEL_ROWS = 64,                  /* of pixels that one call draws */
    KERNEL_NUMBERS = 4096              /* that one call sums up, or less */
};

struct kernel_data {
    uint32_t *pixels;
    uint32_t *texels; /* of the workload's texture */
    float *x, *y;
};

struct kernel {
    const char *work, *way;
    /* Rows of pixels or numbers, from the first on. */
    void (*run)(const struct kernel_data *data, uint32_t first, uint32_t count);
};

/* Ended by one without a name. */
extern const struct kernel kernels_avx2[], kernels_avx512[];

#endif
