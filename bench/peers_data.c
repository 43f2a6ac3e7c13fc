/* What the workloads of peers.def are made of, for every side the same: names of shaders, texels, vertices, numbers.
 * Texels are ramps with four bits of noise, so that every filter has something to do; of compressed blocks they are
 * random bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

/* ---- shaders ---- */

bool bench_shader_name(const struct workload *work, enum bench_stage stage, char *name, size_t room)
{
    static const char *const suffixes[BENCH_STAGES] = {"vert", "tesc", "tese", "geom", "frag", "comp"};
    const bool grid = work->groups > 0;
    const bool has[BENCH_STAGES] = {
        !grid, work->shape == SHAPE_PATCHES, work->shape == SHAPE_PATCHES, work->shape == SHAPE_POINTS, !grid, grid};
    snprintf(name, room, "%s.%s", stage == BENCH_FRAGMENT || grid ? work->fragment : work->vertex, suffixes[stage]);
    return has[stage];
}

char *bench_shader_read(const char *folder, const struct workload *work, enum bench_stage stage, const char *suffix)
{
    char name[100], path[4096];
    bench_shader_name(work, stage, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    FILE *file = fopen(path, "rb");
    char *text = file ? calloc(1, BENCH_SHADER_BYTES) : NULL;
    if (text && !fread(text, 1, BENCH_SHADER_BYTES - 1, file)) {
        free(text);
        text = NULL;
    }
    if (file) fclose(file);
    if (!text) fprintf(stderr, "peers: cannot read %s\n", path);
    return text;
}

/* ---- texels ---- */

static uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Texel (x, y, z) of level 0 of a texture `side` wide. */
static uint32_t base_texel(uint32_t x, uint32_t y, uint32_t z, uint32_t side)
{
    uint32_t noise = mix(x + y * 4096u + z * 16777259u);
    uint32_t red = x * 240u / side + (noise & 15), green = y * 240u / side + (noise >> 4 & 15);
    uint32_t blue = ((x ^ y ^ z * 7) & 0xf0) + (noise >> 8 & 15), alpha = 128 + (noise >> 12 & 127);
    return red | green << 8 | blue << 16 | alpha << 24;
}

static const struct {
    size_t bytes;  /* of a texel or block */
    uint32_t side; /* texels of a block's side */
} formats[] = {[FORMAT_RGBA8] = {4, 1},
               [FORMAT_RGBA32F] = {16, 1},
               [FORMAT_D32F] = {4, 1},
               [FORMAT_BC1] = {8, 4},
               [FORMAT_BC3] = {16, 4}};

uint32_t bench_level_layers(const struct workload *work, uint32_t level)
{
    return work->target == TARGET_CUBE ? 6 : work->target == TARGET_3D ? work->side >> level : 1;
}

size_t bench_layer_bytes(const struct workload *work, uint32_t level)
{
    const size_t blocks = (work->side >> level) / formats[work->format].side;
    return blocks * blocks * formats[work->format].bytes;
}

static void put_texel(enum format format, void *to, size_t at, uint32_t texel)
{
    float *floats = to;
    if (format == FORMAT_RGBA8) ((uint32_t *)to)[at] = texel;
    if (format == FORMAT_D32F) floats[at] = (float)(mix((uint32_t)at) & 0xffff) / 65535.0f;
    for (unsigned c = 0; format == FORMAT_RGBA32F && c < 4; c++)
        floats[4 * at + c] = (float)(texel >> 8 * c & 255) / 255.0f;
}

/* A level's texels are those of level 0 at its steps. */
void bench_fill_layer(const struct workload *work, uint32_t level, uint32_t layer, void *to)
{
    const uint32_t side = work->side >> level, step = 1u << level;
    const uint32_t z = work->target == TARGET_CUBE ? layer * 31u : layer;
    if (formats[work->format].side > 1) {
        for (uint32_t i = 0; i < bench_layer_bytes(work, level) / 4; i++) ((uint32_t *)to)[i] = mix(i * 2654435761u);
        return;
    }
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++)
            put_texel(work->format, to, (size_t)y * side + x, base_texel(x * step, y * step, z * step, work->side));
}

/* ---- vertices and numbers ---- */

enum { COLUMNS = 500, ROWS = 400 };
/* Patches are a grid; llvmpipe draws only the first 192 of a draw as they are. */
enum { PATCH_COLUMNS = 24, PATCH_ROWS = 24 };

static void put_place(float *to, float column, uint32_t columns, float row, uint32_t rows)
{
    to[0] = column / ((float)columns / 2) - 1;
    to[1] = row / ((float)rows / 2) - 1;
}

/* One triangle over everything, whose attribute goes from 0 to 1 in the picture; or each in half of a cell. */
static void put_triangle(const struct workload *work, uint32_t vertex, float *to)
{
    static const float all[3][4] = {{-1, -1, 0, 0}, {3, -1, 2, 0}, {-1, 3, 0, 2}};
    static const float corner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    const uint32_t cell = vertex / 3;
    const float *at = corner[vertex % 3];
    if (!work->triangles) {
        memcpy(to, all[vertex], sizeof all[vertex]);
        return;
    }
    put_place(to, (float)(cell % COLUMNS) + at[0], COLUMNS, (float)(cell / COLUMNS % ROWS) + at[1], ROWS);
    to[2] = to[0];
    to[3] = to[1];
}

/* The corner of a patch, around it. */
static void put_patch(uint32_t vertex, float *to)
{
    static const float corner[BENCH_PATCH_CORNERS][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const uint32_t patch = vertex / BENCH_PATCH_CORNERS;
    const float *at = corner[vertex % BENCH_PATCH_CORNERS];
    put_place(to, (float)(patch % PATCH_COLUMNS) + at[0], PATCH_COLUMNS, (float)(patch / PATCH_COLUMNS) + at[1],
              PATCH_ROWS);
}

static uint32_t count_vertices(const struct workload *work)
{
    if (work->shape == SHAPE_PATCHES) return PATCH_COLUMNS * PATCH_ROWS * BENCH_PATCH_CORNERS;
    if (work->shape == SHAPE_POINTS) return COLUMNS * ROWS;
    return work->triangles ? 3 * work->triangles : 3;
}

float *bench_vertices(const struct workload *work, uint32_t *count)
{
    *count = count_vertices(work);
    float *vertices = calloc(*count, 4 * sizeof *vertices);
    for (uint32_t v = 0; vertices && v < *count; v++) {
        float *to = vertices + 4 * (size_t)v;
        if (work->shape == SHAPE_PATCHES)
            put_patch(v, to);
        else if (work->shape == SHAPE_POINTS)
            put_place(to, (float)(v % COLUMNS), COLUMNS, (float)(v / COLUMNS), ROWS);
        else
            put_triangle(work, v, to);
    }
    return vertices;
}

void bench_fill_buffer(float *to, uint32_t elements)
{
    for (uint32_t i = 0; i < elements; i++) to[i] = (float)(i % 1000) * 0.001f;
}
