/* The resources of a script while it runs. The numbers of those with channels of 32 bits are the texels; of a format
 * of the tables they are words of the texels' bytes, which the library packs and unpacks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* For all resources of a script together. */
static const uint64_t most_bytes = UINT64_C(1) << 30;

static int texel_format(const struct sch_script_resource *shape)
{
    if (shape->format) return shape->format;
    if (shape->kind == SCH_SCRIPT_DSV) return SCH_FORMAT_Z32_FLOAT;
    static const char *const names[3][3] = {{"R32_FLOAT", "R32_SINT", "R32_UINT"},
                                            {"R32G32_FLOAT", "R32G32_SINT", "R32G32_UINT"},
                                            {"R32G32B32A32_FLOAT", "R32G32B32A32_SINT", "R32G32B32A32_UINT"}};
    return sch_format_by_name(names[shape->channels / 2][shape->number]); /* 1, 2 or 4 */
}

static enum sch_target target_of(const struct sch_script_resource *shape)
{
    switch (shape->shape) {
    case SCH_SCRIPT_1D:
        return SCH_TARGET_1D;
    case SCH_SCRIPT_1D_ARRAY:
        return SCH_TARGET_1D_ARRAY;
    case SCH_SCRIPT_CUBE_ARRAY:
        return SCH_TARGET_CUBE_ARRAY;
    case SCH_SCRIPT_2D_MS:
        return SCH_TARGET_2D_MSAA;
    case SCH_SCRIPT_2D_ARRAY:
        return SCH_TARGET_2D_ARRAY;
    case SCH_SCRIPT_3D:
        return SCH_TARGET_3D;
    case SCH_SCRIPT_CUBE:
        return SCH_TARGET_CUBE;
    case SCH_SCRIPT_2D:
        return SCH_TARGET_2D;
    default:
        return SCH_TARGET_BUFFER;
    }
}

void sch_script_instance_release(struct sch_script_instance *instance)
{
    sch_player_object_release(&instance->one_sample);
    sch_player_object_release(&instance->of);
    *instance = (struct sch_script_instance){0};
}

static bool has_texels(const struct sch_script_resource *shape)
{
    return shape->kind != SCH_SCRIPT_VB && !sch_script_is_memory(shape);
}

static struct sch_resource_options resource_options(const struct sch_script_resource *shape)
{
    if (!has_texels(shape))
        return (struct sch_resource_options){.size = sizeof(struct sch_resource_options),
                                             .target = SCH_TARGET_BUFFER,
                                             .format = SCH_FORMAT_R32_UINT,
                                             .width = (uint32_t)(sch_script_resource_bytes(shape) / 4)};
    return (struct sch_resource_options){.size = sizeof(struct sch_resource_options),
                                         .target = target_of(shape),
                                         .format = texel_format(shape),
                                         .width = shape->width,
                                         .height = shape->height,
                                         .depth = shape->depth,
                                         .layers = shape->layers,
                                         .levels = shape->levels,
                                         .samples = shape->samples};
}

/* The numbers of a texture are layer by layer, each with its levels, as Direct3D counts subresources; resources have
 * the levels outermost. `level_sizes`: bytes of a layer. */
static void place_levels(const struct sch_script_resource *shape, const size_t level_sizes[15], uint8_t *bytes)
{
    size_t left = shape->count * 4, from = 0;
    for (uint32_t layer = 0; layer < shape->layers; layer++) {
        size_t begin = 0;
        for (uint32_t level = 0; level < shape->levels; level++) {
            size_t all = level_sizes[level], now = all < left ? all : left;
            if (now) memcpy(bytes + begin + layer * all, (const uint8_t *)shape->words + from, now);
            from += now;
            left -= now;
            begin += all * shape->layers;
        }
    }
}

static enum sch_result make_views(struct sch_script_instance *instance)
{
    const struct sch_script_resource *shape = instance->shape;
    const struct sch_view_options view = {.size = sizeof view, .first_element = shape->offset};
    const struct sch_image_options image = {.size = sizeof image, .first_element = shape->offset};
    enum sch_result result = SCH_OK;
    if (shape->kind == SCH_SCRIPT_SRV || shape->format)
        result = sch_view_create(instance->of.resource, &view, &instance->of.view);
    if (result == SCH_OK && shape->kind == SCH_SCRIPT_UAV)
        result = sch_image_create(instance->of.resource, &image, &instance->of.image);
    return result;
}

/* Bytes of a layer of each level, with all its samples. */
static bool measure(const struct sch_resource *resource, uint32_t levels, size_t sizes[15])
{
    for (uint32_t level = 0; level < levels; level++) {
        struct sch_resource_info is = {.size = sizeof is};
        if (sch_resource_get_info(resource, level, &is) != SCH_OK) return false;
        const struct sch_transfer layer = {
            .size = sizeof layer,
            .level = level,
            .box = {.width = (int32_t)is.width, .height = (int32_t)is.height, .depth = (int32_t)is.depth}};
        sizes[level] = sch_transfer_bytes(resource, &layer) * is.samples;
    }
    return true;
}

/* Whether the resource can be what the section says: a render target, a depth buffer. */
static bool is_usable(const struct sch_script_resource *shape)
{
    struct sch_format_info is = {.size = sizeof is};
    if (!has_texels(shape)) return true;
    if (sch_format_get_info((enum sch_format)texel_format(shape), &is) != SCH_OK) return false;
    if (shape->kind == SCH_SCRIPT_RTV) return is.uses & SCH_USE_RENDER_TARGET;
    return shape->kind != SCH_SCRIPT_DSV || is.uses & SCH_USE_DEPTH_STENCIL;
}

/* The resource, in which all bytes are 0. */
static enum sch_result make_resource(struct sch_script_run *run, struct sch_script_instance *instance)
{
    const struct sch_script_resource *shape = instance->shape;
    const struct sch_resource_options options = resource_options(shape);
    uint64_t all = 0;
    if (!is_usable(shape)) return SCH_ERROR_UNSUPPORTED;
    if (shape->kind == SCH_SCRIPT_VB && !options.width) return SCH_OK;
    const enum sch_result result = sch_resource_create(run->context, &options, NULL, &instance->of.resource);
    if (result != SCH_OK) return result;
    instance->size = sch_resource_bytes(instance->of.resource);
    instance->skipped = has_texels(shape) ? instance->size / options.width * shape->offset /* buffers only */
                                          : (size_t)sch_script_offset_bytes(shape);
    for (unsigned k = 0; k < SCH_SCRIPT_KINDS; k++)
        for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++) all += run->instance[k][i].size;
    return all <= most_bytes ? SCH_OK : SCH_ERROR_MEMORY;
}

/* Writes the numbers; without any all stays 0. */
static enum sch_result fill(const struct sch_script_instance *instance)
{
    const struct sch_script_resource *shape = instance->shape;
    size_t sizes[15] = {0};
    if (!shape->count || !instance->of.resource) return SCH_OK;
    if (!sch_script_is_buffer(shape) && has_texels(shape) && !measure(instance->of.resource, shape->levels, sizes))
        return SCH_ERROR_INTERNAL;
    uint8_t *bytes = calloc(1, instance->size + 4); /* the last word may be cut */
    if (!bytes) return SCH_ERROR_MEMORY;
    if (*sizes)
        place_levels(shape, sizes, bytes);
    else
        memcpy(bytes, shape->words, shape->count * 4);
    const enum sch_result result = sch_resource_write_all(instance->of.resource, bytes, instance->size);
    free(bytes);
    return result;
}

void sch_script_instance_make(struct sch_script_run *run, const struct sch_script_item *item,
                              const struct sch_script_resource *shape)
{
    struct sch_script_instance *instance = &run->instance[shape->kind][shape->slot];
    if (shape != &instance->made) sch_script_instance_release(instance);
    instance->shape = shape;
    enum sch_result result = make_resource(run, instance);
    const bool fits = result != SCH_OK || shape->count <= (instance->size + 3) / 4;
    if (result == SCH_OK && fits) result = fill(instance);
    if (result == SCH_OK && fits && has_texels(shape)) result = make_views(instance);
    if (result == SCH_ERROR_MEMORY || result == SCH_ERROR_LIMIT) sch_script_memory(run);
    if (run->stop != SCH_OK || (result == SCH_OK && fits)) return;
    snprintf(instance->stale, sizeof instance->stale, "the resource cannot be made: %s",
             fits ? sch_result_text(result) : "more numbers follow than the resource holds");
    if (!fits) { /* nothing is read back from it */
        sch_resource_destroy(instance->of.resource);
        instance->of.resource = NULL;
    }
    if (item) sch_script_fail(run, item, "%s", instance->stale);
}

void sch_script_targets(struct sch_script_run *run)
{
    struct sch_script_instance *instance = run->instance[SCH_SCRIPT_RTV];
    for (unsigned i = 0; i < SCH_SCRIPT_TARGETS; i++)
        if (instance[i].shape) return;
    if (run->instance[SCH_SCRIPT_DSV][0].shape) return;
    instance->made = (struct sch_script_resource){.kind = SCH_SCRIPT_RTV,
                                                  .channels = 4,
                                                  .width = 640,
                                                  .height = 480,
                                                  .depth = 1,
                                                  .layers = 1,
                                                  .samples = 1,
                                                  .levels = 1};
    sch_script_instance_make(run, NULL, &instance->made);
}

struct sch_script_instance *sch_script_find(struct sch_script_run *run, struct sch_script_slot slot)
{
    if (slot.kind == SCH_SCRIPT_RTV) sch_script_targets(run);
    struct sch_script_instance *instance = &run->instance[slot.kind][slot.number];
    return instance->shape ? instance : NULL;
}

uint8_t *sch_script_read_back(struct sch_script_run *run, const struct sch_script_instance *instance)
{
    uint8_t *bytes = calloc(1, instance->size + 1);
    if (!bytes ||
        (instance->of.resource && sch_resource_read_all(instance->of.resource, bytes, instance->size) != SCH_OK)) {
        sch_script_memory(run);
        free(bytes);
        return NULL;
    }
    return bytes;
}

const char *sch_script_stale(const struct sch_script_run *run)
{
    static const enum sch_script_kind read[] = {SCH_SCRIPT_SRV, SCH_SCRIPT_UAV};
    for (size_t k = 0; k < sizeof read / sizeof *read; k++)
        for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++)
            if (run->instance[read[k]][i].stale[0]) return run->instance[read[k]][i].stale;
    return NULL;
}

void sch_script_spoil(struct sch_script_run *run, const char *reason)
{
    static const enum sch_script_kind written[] = {SCH_SCRIPT_RTV, SCH_SCRIPT_UAV, SCH_SCRIPT_DSV};
    char copy[SCH_SCRIPT_REASON]; /* the reason may be in what is spoilt */
    snprintf(copy, sizeof copy, "%s", reason);
    for (size_t k = 0; k < sizeof written / sizeof *written; k++)
        for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++) {
            struct sch_script_instance *instance = &run->instance[written[k]][i];
            if (instance->shape) memcpy(instance->stale, copy, sizeof copy);
        }
}

struct sch_view *sch_script_one_sample_view(struct sch_script_run *run, struct sch_script_instance *instance)
{
    const struct sch_script_resource *shape = instance->shape;
    if (!shape || shape->shape != SCH_SCRIPT_2D || shape->levels > 1) return instance->of.view;
    struct sch_resource_options options = resource_options(shape);
    options.target = SCH_TARGET_2D_MSAA;
    enum sch_result result = instance->one_sample.view ? SCH_OK : SCH_ERROR_MEMORY;
    if (!instance->one_sample.view &&
        sch_resource_create(run->context, &options, NULL, &instance->one_sample.resource) == SCH_OK)
        result = sch_view_create(instance->one_sample.resource, NULL, &instance->one_sample.view);
    uint8_t *bytes = result == SCH_OK ? sch_script_read_back(run, instance) : NULL;
    if (!bytes || sch_resource_write_all(instance->one_sample.resource, bytes, instance->size) != SCH_OK)
        sch_script_memory(run);
    free(bytes);
    return instance->one_sample.view;
}
