/* The workloads of peers.def as the two files of this program share them. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <scheelite/scheelite.h>

enum { BENCH_SIDE = 1024 };

enum target { TARGET_NONE, TARGET_2D, TARGET_CUBE, TARGET_3D };
enum format { FORMAT_RGBA8, FORMAT_RGBA32F, FORMAT_D32F, FORMAT_BC1, FORMAT_BC3 };
/* What draws are of: triangles; patches of four corners, side by side; points in a grid. */
enum shape { SHAPE_TRIANGLES, SHAPE_PATCHES, SHAPE_POINTS };
enum filter { FILTER_NEAREST, FILTER_LINEAR, FILTER_TRILINEAR, FILTER_ANISOTROPIC };

struct workload {
    const char *name;
    enum target target;
    enum format format;
    enum filter filter;
    uint32_t side, levels;
    float constants[4];
    uint32_t elements, groups; /* of a grid; 0: a picture */
    uint32_t samples;          /* of draws by the pipeline; 0: no draws */
    bool blend;
    uint32_t triangles; /* small ones, half a cell of 500 x 400 each; 0: one over the whole picture */
    enum shape shape;   /* of patches and points the shaders are in bench/stages, and there are more stages */
    uint32_t draws;     /* that a frame consists of: the same again, or of patches each a part */
    const char *unit;   /* "pix", "tri", "vert", "draw", "elem" */
    double units;       /* of a frame */
};

/* What draws of a workload need, made once; NULL: no memory, or an error, which `*result` has. Shaders are the files
 * `prefix`.vert.tgsi and so on. */
struct bench_draws;
struct bench_draws *bench_draws_create(struct sch_context *context, const struct workload *workload, const char *prefix,
                                       struct sch_program *fragment, const struct sch_program_options *options,
                                       enum sch_result *result);
void bench_draws_destroy(struct bench_draws *draws); /* takes NULL */
/* A frame; with `first` one draw of its first 48 vertices at most, in the first 16 x 16 pixels. */
enum sch_result bench_draws_run(const struct bench_draws *draws, bool first,
                                const struct sch_dispatch_options *dispatch);
/* The picture, four bytes a pixel; samples are resolved. */
enum sch_result bench_draws_read(const struct bench_draws *draws, uint8_t *pixels);

/* The workload's texture, all levels and layers, and what reads it. */
enum sch_result bench_texture(struct sch_context *context, const struct workload *workload, struct sch_view **view,
                              struct sch_sampler **sampler);

#endif
