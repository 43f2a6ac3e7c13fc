/* The workloads of peers.def as the two files of this program share them. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <scheelite/scheelite.h>

enum target { TARGET_NONE, TARGET_2D, TARGET_CUBE, TARGET_3D };
enum format { FORMAT_RGBA8, FORMAT_RGBA32F, FORMAT_D32F };
enum filter { FILTER_NEAREST, FILTER_LINEAR, FILTER_TRILINEAR, FILTER_ANISOTROPIC };

struct workload {
    const char *name;
    enum target target;
    enum format format;
    enum filter filter;
    uint32_t side, levels;
    float constants[4];
    uint32_t elements, groups; /* of a grid; 0: a picture */
};

/* The workload's texture, all levels and layers, and what reads it. */
enum sch_result bench_texture(struct sch_context *context, const struct workload *workload, struct sch_view **view,
                              struct sch_sampler **sampler);

#endif
