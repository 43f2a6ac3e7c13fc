/* Textures of random texels for the measurements, and their samplers. */
#include <stdlib.h>

#include "timings.h"

/* The generator of `scheelite`'s textures random:..., so that its pictures and our figures are of the same texels. */
static enum sch_result fill(struct sch_resource *resource)
{
    const size_t bytes = sch_resource_bytes(resource);
    uint8_t *texels = malloc(bytes + 1);
    uint64_t state = 0;
    if (!texels) return SCH_ERROR_MEMORY;
    for (size_t at = 0; at < bytes; at += 8) {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        for (unsigned i = 0; i < 8 && at + i < bytes; i++) texels[at + i] = (uint8_t)(z >> (8 * i));
    }
    const enum sch_result result = sch_resource_write_all(resource, texels, bytes);
    free(texels);
    return result;
}

enum sch_result bench_bind(struct sch_context *context, const struct bench_texels *texels, struct bench_bindings *bound)
{
    const enum sch_target target = texels->target ? texels->target : SCH_TARGET_2D;
    const bool flat = target == SCH_TARGET_1D, deep = target == SCH_TARGET_3D;
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = target,
                                               .format = sch_format_by_name(texels->format),
                                               .width = texels->side,
                                               .height = flat ? 1 : texels->side,
                                               .depth = deep ? texels->side : 1,
                                               .layers = target == SCH_TARGET_CUBE       ? 6
                                                         : target == SCH_TARGET_2D_ARRAY ? 4
                                                                                         : 1,
                                               .levels = texels->levels,
                                               .decoded = texels->decoded};
    const struct sch_sampler_options sampler = {.size = sizeof sampler,
                                                .wrap_s = texels->wrap,
                                                .wrap_t = texels->wrap,
                                                .wrap_r = texels->wrap,
                                                .min_filter = texels->filter,
                                                .mag_filter = texels->filter,
                                                .mip_filter = texels->mip,
                                                .max_anisotropy = texels->anisotropy,
                                                .lod_bias = texels->lod_bias};
    struct sch_resource *resource = NULL;
    *bound = (struct bench_bindings){0};
    enum sch_result result = sch_resource_create(context, &shape, NULL, &resource);
    if (result == SCH_OK) result = fill(resource);
    if (result == SCH_OK) result = sch_view_create(resource, NULL, &bound->view);
    if (result == SCH_OK) result = sch_sampler_create(context, &sampler, NULL, &bound->sampler);
    sch_resource_destroy(resource);
    bound->bindings = (struct sch_bindings){.size = sizeof bound->bindings,
                                            .constants = &bound->constants,
                                            .views = &bound->view,
                                            .view_count = 1,
                                            .samplers = &bound->sampler,
                                            .sampler_count = 1,
                                            .buffers = &bound->buffer};
    return result;
}

void bench_release(struct bench_bindings *bound)
{
    sch_view_destroy(bound->view);
    sch_sampler_destroy(bound->sampler);
    *bound = (struct bench_bindings){0};
}
