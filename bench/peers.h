/* The workloads of peers.def: what the programs that time them have in common. Each program is peers.c with one side,
 * which draws: Scheelite, OpenGL, Vulkan, or kernels written by hand. Knows none of them. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BENCH_SIDE = 1024,         /* of the picture */
    BENCH_FIRST_SIDE = 16,     /* of its part that a first frame draws */
    BENCH_FIRST_VERTICES = 48, /* of a draw's that a first frame has, at most */
    BENCH_GROUP = 256,         /* invocations of a work group */
    BENCH_PATCH_CORNERS = 4,
    BENCH_RESULTS = 1024, /* numbers of a grid that are compared */
    BENCH_SHADER_BYTES = 1 << 20
};

enum target { TARGET_NONE, TARGET_2D, TARGET_CUBE, TARGET_3D };
enum format { FORMAT_RGBA8, FORMAT_RGBA32F, FORMAT_D32F, FORMAT_BC1, FORMAT_BC3 };
/* What draws are of: triangles; patches of four corners, side by side; points in a grid. */
enum shape { SHAPE_TRIANGLES, SHAPE_PATCHES, SHAPE_POINTS };
enum filter { FILTER_NEAREST, FILTER_LINEAR, FILTER_TRILINEAR, FILTER_ANISOTROPIC };
enum bench_stage {
    BENCH_VERTEX,
    BENCH_TESS_CTRL,
    BENCH_TESS_EVAL,
    BENCH_GEOMETRY,
    BENCH_FRAGMENT,
    BENCH_COMPUTE,
    BENCH_STAGES
};

struct workload {
    const char *name;
    const char *vertex, *fragment; /* names of shaders; of a grid `fragment` is the compute shader's */
    enum target target;
    enum format format;
    enum filter filter;
    uint32_t side, levels;
    float constants[4];
    uint32_t elements, groups; /* of a grid; 0: a picture */
    uint32_t samples;          /* of draws by the pipeline; 0: no draws */
    bool blend;
    uint32_t triangles; /* small ones, half a cell of 500 x 400 each; 0: one over the whole picture */
    enum shape shape;   /* patches and points have more stages */
    uint32_t draws;     /* that a frame consists of: the same again, or of patches each a part */
    const char *unit;   /* "pix", "tri", "vert", "draw", "elem" */
    double units;       /* of a frame */
};

/* ---- data (peers_data.c) ---- */

/* "plain.vert"; false: the workload has no such stage. */
bool bench_shader_name(const struct workload *work, enum bench_stage stage, char *name, size_t room);
/* The file FOLDER/NAME of the stage, with `suffix` behind it, ended by a zero; NULL: it cannot be read, and says so. */
char *bench_shader_read(const char *folder, const struct workload *work, enum bench_stage stage, const char *suffix);

/* The texture's size on `level`, and the bytes of one layer (face, slice) of it. */
uint32_t bench_level_layers(const struct workload *work, uint32_t level);
size_t bench_layer_bytes(const struct workload *work, uint32_t level);
void bench_fill_layer(const struct workload *work, uint32_t level, uint32_t layer, void *to);

/* Vertices of four floats; NULL: no memory. */
float *bench_vertices(const struct workload *work, uint32_t *count);
/* What both buffers of a grid begin with. */
void bench_fill_buffer(float *to, uint32_t elements);

/* ---- a side ---- */

/* What draws. One workload at a time: create, first, frames, read, destroy. Functions return NULL, or what is wrong. */
struct bench_side {
    const char *options; /* of the command line, for the usage */
    /* False: no such option, or no such value. NULL: there are none. */
    bool (*take_option)(const char *name, const char *value);
    /* Before all others; `folder` has the shaders. Says on standard error what draws. */
    const char *(*open)(const char *folder);
    /* The n-th way to do this workload; NULL: there are no more. NULL instead of the function: one way, "". */
    const char *(*way)(const struct workload *work, unsigned n);
    /* Textures, buffers, framebuffers: what is not timed. */
    const char *(*create)(const struct workload *work, unsigned way);
    /* From the source of shaders to the end of a first frame: 16 x 16 pixels, or one work group. */
    const char *(*first)(void);
    const char *(*frame)(void);
    /* Waits for all frames. NULL instead of the function: nothing to wait for. */
    const char *(*finish)(void);
    /* The picture, four bytes a pixel, or BENCH_RESULTS numbers of a grid. */
    const char *(*read)(void *to);
    void (*destroy)(void); /* whatever create made */
};
extern const struct bench_side bench_side;

#endif
