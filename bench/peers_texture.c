/* Texels of the workloads: ramps with four bits of noise, so that every filter has something to do; of compressed
 * blocks random bytes. Computed as the description of the other renderers' harness says. */
#include <stdlib.h>

#include "peers.h"

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
    const char *name;
    size_t bytes;  /* of a texel or block */
    uint32_t side; /* texels of a block's side */
} formats[] = {[FORMAT_RGBA8] = {"R8G8B8A8_UNORM", 4, 1},
               [FORMAT_RGBA32F] = {"R32G32B32A32_FLOAT", 16, 1},
               [FORMAT_D32F] = {"Z32_FLOAT", 4, 1},
               [FORMAT_BC1] = {"DXT1_RGBA", 8, 4},
               [FORMAT_BC3] = {"DXT5_RGBA", 16, 4}};

union words {
    uint32_t *u;
    float *f;
};

static void fill_texel(const struct workload *w, union words to, size_t at, uint32_t texel)
{
    if (w->format == FORMAT_RGBA8) to.u[at] = texel;
    if (w->format == FORMAT_D32F) to.f[at] = (float)(mix((uint32_t)at) & 0xffff) / 65535.0f;
    for (unsigned c = 0; w->format == FORMAT_RGBA32F && c < 4; c++)
        to.f[4 * at + c] = (float)(texel >> 8 * c & 255) / 255.0f;
}

/* One layer (face, slice) of a level. A level's texels are those of level 0 at its steps. */
static void fill_layer(const struct workload *w, uint32_t level, uint32_t layer, union words to)
{
    const uint32_t blocks = (w->side >> level) / formats[w->format].side;
    for (uint32_t i = 0; formats[w->format].side > 1 && i < (size_t)blocks * blocks * formats[w->format].bytes / 4; i++)
        to.u[i] = mix(i * 2654435761u);
    if (formats[w->format].side > 1) return;
    uint32_t side = w->side >> level, step = 1u << level, z = w->target == TARGET_CUBE ? layer * 31u : layer;
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++)
            fill_texel(w, to, (size_t)y * side + x, base_texel(x * step, y * step, z * step, w->side));
}

static enum sch_result write_levels(const struct workload *w, struct sch_resource *resource)
{
    enum sch_result result = SCH_OK;
    for (uint32_t level = 0; level < w->levels && result == SCH_OK; level++) {
        uint32_t side = w->side >> level, layers = w->target == TARGET_CUBE ? 6 : w->target == TARGET_3D ? side : 1;
        const uint32_t blocks = side / formats[w->format].side;
        const size_t bytes = (size_t)blocks * blocks * formats[w->format].bytes;
        union words words = {.u = malloc(bytes)};
        if (!words.u) return SCH_ERROR_MEMORY;
        for (uint32_t layer = 0; layer < layers && result == SCH_OK; layer++) {
            fill_layer(w, level, layer, words);
            const int32_t size = (int32_t)side;
            const struct sch_transfer transfer = {
                .size = sizeof transfer, .level = level, .box = {0, 0, (int32_t)layer, size, size, 1}};
            result = sch_resource_write(resource, &transfer, words.u, bytes, NULL);
        }
        free(words.u);
    }
    return result;
}

enum sch_result bench_texture(struct sch_context *context, const struct workload *w, struct sch_view **view,
                              struct sch_sampler **sampler)
{
    static const enum sch_target targets[] = {
        [TARGET_2D] = SCH_TARGET_2D, [TARGET_CUBE] = SCH_TARGET_CUBE, [TARGET_3D] = SCH_TARGET_3D};
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = targets[w->target],
                                               .format = sch_format_by_name(formats[w->format].name),
                                               .width = w->side,
                                               .height = w->side,
                                               .depth = w->target == TARGET_3D ? w->side : 1,
                                               .layers = w->target == TARGET_CUBE ? 6 : 1,
                                               .levels = w->levels};
    const enum sch_wrap wrap = w->target == TARGET_2D ? SCH_WRAP_REPEAT : SCH_WRAP_CLAMP_TO_EDGE;
    const enum sch_filter filter = w->filter == FILTER_NEAREST ? SCH_FILTER_NEAREST : SCH_FILTER_LINEAR;
    const struct sch_sampler_options state = {.size = sizeof state,
                                              .wrap_s = wrap,
                                              .wrap_t = wrap,
                                              .wrap_r = wrap,
                                              .min_filter = filter,
                                              .mag_filter = filter,
                                              .mip_filter =
                                                  w->filter >= FILTER_TRILINEAR ? SCH_MIP_LINEAR : SCH_MIP_NONE,
                                              .max_anisotropy = w->filter == FILTER_ANISOTROPIC ? 16 : 0};
    struct sch_resource *resource = NULL;
    enum sch_result result = sch_resource_create(context, &shape, NULL, &resource);
    if (result == SCH_OK) result = write_levels(w, resource);
    if (result == SCH_OK) result = sch_view_create(resource, NULL, view);
    if (result == SCH_OK) result = sch_sampler_create(context, &state, NULL, sampler);
    sch_resource_destroy(resource);
    return result;
}
