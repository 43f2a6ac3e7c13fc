/* The side of the workloads that are kernels written by hand (kernels.h): the best that the processor can run, or what
 * --level says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels.h"
#include "peers.h"

static struct {
    const struct kernel *kernels; /* of the level */
    const struct kernel *kernel;
    const struct workload *work;
    struct kernel_data data;
} side;

static bool has_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

static bool has_avx512(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

static bool take_option(const char *name, const char *value)
{
    static const struct kernel none[] = {{0}};
    if (strcmp(name, "--level") != 0) return false;
    if (strcmp(value, "avx512") == 0)
        side.kernels = has_avx512() ? kernels_avx512 : none;
    else if (strcmp(value, "avx2") == 0)
        side.kernels = has_avx2() ? kernels_avx2 : none;
    else if (strcmp(value, "native") == 0)
        side.kernels = has_avx512() ? kernels_avx512 : has_avx2() ? kernels_avx2 : none;
    else
        return false;
    return true;
}

static const struct kernel *find(const struct workload *work, unsigned n)
{
    if (!side.kernels) take_option("--level", "native");
    for (const struct kernel *kernel = side.kernels; kernel->work; kernel++)
        if (strcmp(kernel->work, work->name) == 0 && n-- == 0) return kernel;
    return NULL;
}

static const char *way(const struct workload *work, unsigned n)
{
    const struct kernel *kernel = find(work, n);
    return kernel ? kernel->way : NULL;
}

static const char *open_kernels(const char *folder)
{
    (void)folder;
    return NULL;
}

/* A vector in one line of the cache, and memory of large pages where there is much of it. */
static void *allocate(size_t bytes)
{
    enum { LARGE = 2 << 20 };
    void *memory = aligned_alloc(LARGE, (bytes + LARGE - 1) / LARGE * LARGE);
    if (memory) madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

/* The texture, each row and slice of which has one texel more: the first one of a texture that repeats, the last one of
 * one whose edges are clamped. */
static bool make_texels(const struct workload *work)
{
    const uint32_t texels_across = work->side, wide = texels_across + 1, slices = work->target == TARGET_3D ? wide : 1;
    uint32_t *layer = malloc(bench_layer_bytes(work, 0));
    side.data.texels = allocate((size_t)wide * wide * slices * sizeof *side.data.texels);
    for (uint32_t z = 0; layer && side.data.texels && z < slices; z++) {
        const uint32_t end = work->target == TARGET_3D ? texels_across - 1 : 0;
        bench_fill_layer(work, 0, z < texels_across ? z : end, layer);
        for (uint32_t y = 0; y < wide; y++)
            for (uint32_t x = 0; x < wide; x++)
                side.data.texels[((size_t)z * wide + y) * wide + x] =
                    layer[(size_t)(y < texels_across ? y : end) * texels_across + (x < texels_across ? x : end)];
    }
    free(layer);
    return layer && side.data.texels;
}

static const char *create(const struct workload *work, unsigned n)
{
    side.work = work;
    side.kernel = find(work, n);
    if (work->target && !make_texels(work)) return "no memory";
    if (work->groups) {
        side.data.x = allocate(work->elements * sizeof(float));
        side.data.y = allocate(work->elements * sizeof(float));
        if (!side.data.x || !side.data.y) return "no memory";
        bench_fill_buffer(side.data.x, work->elements);
        bench_fill_buffer(side.data.y, work->elements);
        return NULL;
    }
    side.data.pixels = allocate((size_t)BENCH_SIDE * BENCH_SIDE * sizeof *side.data.pixels);
    return side.data.pixels ? NULL : "no memory";
}

static void destroy(void)
{
    free(side.data.texels);
    free(side.data.pixels);
    free(side.data.x);
    free(side.data.y);
    side.data = (struct kernel_data){0};
}

/* What all sides do first: rows of pixels, or a work group. */
static const char *first(void)
{
    const uint32_t group = side.work->elements / (side.work->groups ? side.work->groups : 1);
    side.kernel->run(&side.data, 0, side.work->groups ? group : KERNEL_ROWS);
    return NULL;
}

static const char *frame(void)
{
    const uint32_t all = side.work->groups ? side.work->elements : BENCH_SIDE;
    const uint32_t part = side.work->groups ? all : KERNEL_ROWS;
    for (uint32_t at = 0; at < all; at += part) side.kernel->run(&side.data, at, part);
    return NULL;
}

static const char *read_result(void *to)
{
    if (side.work->groups)
        memcpy(to, side.data.y, BENCH_RESULTS * sizeof(float));
    else
        memcpy(to, side.data.pixels, (size_t)BENCH_SIDE * BENCH_SIDE * 4);
    return NULL;
}

const struct bench_side bench_side = {.options = "[--level avx2|avx512|native]",
                                      .take_option = take_option,
                                      .open = open_kernels,
                                      .way = way,
                                      .create = create,
                                      .first = first,
                                      .frame = frame,
                                      .read = read_result,
                                      .destroy = destroy};
