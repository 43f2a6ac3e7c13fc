/* Scheelite's side of the workloads that read textures: resource, view and sampler. */
#include <stdlib.h>

#include "peers_ours.h"

static const char *const formats[] = {[FORMAT_RGBA8] = "R8G8B8A8_UNORM",
                                      [FORMAT_RGBA32F] = "R32G32B32A32_FLOAT",
                                      [FORMAT_D32F] = "Z32_FLOAT",
                                      [FORMAT_BC1] = "DXT1_RGBA",
                                      [FORMAT_BC3] = "DXT5_RGBA"};

static enum sch_result write_levels(const struct workload *w, struct sch_resource *resource)
{
    enum sch_result result = SCH_OK;
    for (uint32_t level = 0; level < w->levels && result == SCH_OK; level++) {
        const size_t bytes = bench_layer_bytes(w, level);
        const int32_t side = (int32_t)(w->side >> level);
        void *texels = malloc(bytes);
        if (!texels) return SCH_ERROR_MEMORY;
        for (uint32_t layer = 0; layer < bench_level_layers(w, level) && result == SCH_OK; layer++) {
            bench_fill_layer(w, level, layer, texels);
            const struct sch_transfer transfer = {
                .size = sizeof transfer, .level = level, .box = {0, 0, (int32_t)layer, side, side, 1}};
            result = sch_resource_write(resource, &transfer, texels, bytes, NULL);
        }
        free(texels);
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
                                               .format = sch_format_by_name(formats[w->format]),
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
