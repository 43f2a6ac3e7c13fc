/* Texels of what was drawn, converted, for expectations and for the picture that is written. */
#include "player.h"

#include <stdlib.h>

enum sch_format sch_player_look_format(const struct sch_resource *resource, enum sch_part part)
{
    struct sch_resource_info is = {.size = sizeof is};
    struct sch_format_info info = {.size = sizeof info};
    sch_resource_get_info(resource, 0, &is);
    sch_format_get_info(is.format, &info);
    if (!(info.parts & part)) return SCH_FORMAT_NONE;
    if (part == SCH_PART_DEPTH) return SCH_FORMAT_Z32_FLOAT;
    if (part == SCH_PART_STENCIL) return SCH_FORMAT_S8_UINT;
    if (!info.integers) return SCH_FORMAT_R32G32B32A32_FLOAT;
    return info.is_signed ? SCH_FORMAT_R32G32B32A32_SINT : SCH_FORMAT_R32G32B32A32_UINT;
}

static enum sch_result make_flat(struct sch_context *context, const struct sch_player_look *look,
                                 enum sch_format format, struct sch_diagnostics_list *list, struct sch_resource **made)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = SCH_TARGET_2D,
                                                 .format = format,
                                                 .width = look->width,
                                                 .height = look->height};
    return sch_resource_create(context, &options, list, made);
}

/* The bits of one sample, as a resource with one. */
static enum sch_result copy_sample(struct sch_context *context, const struct sch_resource *resource,
                                   const struct sch_player_look *look, enum sch_format format,
                                   struct sch_diagnostics_list *list, struct sch_resource **made)
{
    const struct sch_transfer transfer = {.size = sizeof transfer,
                                          .level = look->level,
                                          .sample = look->sample,
                                          .box = {(int32_t)look->x, (int32_t)look->y, (int32_t)look->layer,
                                                  (int32_t)look->width, (int32_t)look->height, 1}};
    const size_t bytes = sch_transfer_bytes(resource, &transfer);
    void *texels = bytes ? malloc(bytes) : NULL;
    if (bytes && !texels) return SCH_ERROR_MEMORY;
    enum sch_result result = sch_resource_read(resource, &transfer, texels, bytes, list);
    if (result == SCH_OK) result = make_flat(context, look, format, list, made);
    if (result == SCH_OK) result = sch_resource_write_all(*made, texels, bytes);
    free(texels);
    return result;
}

enum sch_result sch_player_look(struct sch_context *context, struct sch_resource *resource,
                                const struct sch_player_look *look, enum sch_format format, void *texels, size_t bytes,
                                struct sch_diagnostics_list *list)
{
    struct sch_resource_info is = {.size = sizeof is};
    struct sch_resource *single = NULL, *flat = NULL;
    struct sch_blit blit = {.size = sizeof blit,
                            .source_level = look->level,
                            .source = {(int32_t)look->x, (int32_t)look->y, (int32_t)look->layer, (int32_t)look->width,
                                       (int32_t)look->height, 1},
                            .box = {0, 0, 0, (int32_t)look->width, (int32_t)look->height, 1}};
    enum sch_result result = sch_resource_get_info(resource, look->level, &is);
    if (result == SCH_OK && look->has_sample) {
        result = copy_sample(context, resource, look, is.format, list, &single);
        blit.source = blit.box;
        blit.source_level = 0;
    }
    if (result == SCH_OK) result = make_flat(context, look, format, list, &flat);
    if (result == SCH_OK) result = sch_resource_blit(flat, single ? single : resource, &blit, list);
    if (result == SCH_OK) result = sch_resource_read_all(flat, texels, bytes);
    sch_resource_destroy(flat);
    sch_resource_destroy(single);
    return result;
}
