/* Resources, views, images and samplers on src/texture. */
#include "api/api.h"

#include <float.h>
#include <math.h>
#include <string.h>

static uint32_t at_least_one(uint32_t value) { return value ? value : 1; }

/* A wrong number must not become a right one by losing bits. */
static bool names_hold(bool has_target, enum sch_target target, enum sch_format format, struct sch_diagnostics *list)
{
    if (has_target && !sch_word_by_number(SCH_WORDS_TARGET, (unsigned)target))
        return sch_refuse_argument(list, ".target", "target %u does not exist", (unsigned)target);
    return sch_word_by_number(SCH_WORDS_FORMAT, (unsigned)format) ||
           sch_refuse_argument(list, ".format", "format %u does not exist", (unsigned)format);
}

static struct sch_resource_shape shape_of(const struct sch_resource_options *wanted)
{
    return (struct sch_resource_shape){.target = (uint8_t)wanted->target,
                                       .format = (uint16_t)wanted->format,
                                       .width = at_least_one(wanted->width),
                                       .height = at_least_one(wanted->height),
                                       .depth = at_least_one(wanted->depth),
                                       .layers = at_least_one(wanted->layers),
                                       .levels = at_least_one(wanted->levels),
                                       .samples = at_least_one(wanted->samples),
                                       .decoded = wanted->decoded};
}

enum sch_result sch_resource_create(struct sch_context *context, const struct sch_resource_options *options,
                                    struct sch_diagnostics_list *diagnostics, struct sch_resource **resource)
{
    struct sch_api_call call;
    struct sch_resource_options wanted;
    sch_api_begin(&call, context, diagnostics, __func__, "options");
    if (resource) *resource = NULL;
    if (!sch_api_given(&call, resource, "resource") || !sch_api_given(&call, context, "context") ||
        !sch_api_given(&call, options, "options") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options) ||
        !names_hold(true, wanted.target, wanted.format, call.list))
        return sch_api_refused(&call);

    const struct sch_resource_shape shape = shape_of(&wanted);
    struct sch_resource *made = sch_api_alloc(context, sizeof *made);
    if (!made) return sch_api_end(&call, SCH_ERROR_MEMORY);
    made->context = context;
    enum sch_result status =
        sch_texture_resource_create(&shape, &context->allocator, context->limits.memory, call.list, &made->texture);
    status = sch_api_end(&call, status);
    if (status != SCH_OK) {
        sch_resource_destroy(made);
        return status;
    }
    *resource = made;
    return SCH_OK;
}

void sch_resource_destroy(struct sch_resource *resource)
{
    if (!resource) return;
    sch_texture_resource_release(resource->texture);
    sch_api_free(resource->context, resource);
}

uint32_t sch_resource_full_levels(const struct sch_resource_options *options)
{
    struct sch_resource_options wanted;
    if (!options || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, options)) return 0;
    const struct sch_target_facts *is = sch_target_facts((unsigned)wanted.target);
    if (is->family == SCH_FAMILY_NONE || is->plain != (unsigned)wanted.target) return 0;
    const struct sch_resource_shape shape = shape_of(&wanted);
    return sch_texture_full_levels(&shape);
}

enum sch_result sch_resource_get_info(const struct sch_resource *resource, uint32_t level,
                                      struct sch_resource_info *info)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), NULL, __func__, NULL);
    if (!sch_api_given(&call, resource, "resource") || !SCH_API_FILLS(&call, info, sizeof *info))
        return sch_api_refused(&call);
    const struct sch_resource_shape *shape = sch_texture_resource_shape(resource->texture);
    if (level >= shape->levels) return sch_api_wrong(&call, "level", "level %u, of %u", level, shape->levels);
    const struct sch_texture_level *sides = &sch_texture_of(resource->texture)->level[level];
    const struct sch_resource_info is = {.target = (enum sch_target)shape->target,
                                         .format = (enum sch_format)shape->format,
                                         .width = sides->width,
                                         .height = sides->height,
                                         .depth = sides->depth,
                                         .layers = shape->layers,
                                         .levels = shape->levels,
                                         .samples = shape->samples,
                                         .decoded_bytes = sch_texture_resource_decoded_bytes(resource->texture)};
    sch_sized_write(info, &is, sizeof is);
    return SCH_OK;
}

size_t sch_resource_bytes(const struct sch_resource *resource)
{
    return resource ? sch_texture_resource_bytes(resource->texture) : 0;
}

/* Memory for all texels of a resource. */
static bool all_holds(struct sch_api_call *call, const struct sch_resource *resource, const void *data, size_t bytes)
{
    if (!sch_api_given(call, resource, "resource") || !sch_api_given(call, data, "data")) return false;
    const size_t all = sch_texture_resource_bytes(resource->texture);
    return bytes == all || sch_refuse_argument(call->list, "bytes", "%zu bytes: the resource has %zu", bytes, all);
}

enum sch_result sch_resource_write_all(struct sch_resource *resource, const void *data, size_t bytes)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), NULL, __func__, NULL);
    if (!all_holds(&call, resource, data, bytes)) return sch_api_refused(&call);
    return sch_texture_resource_write_all(resource->texture, data, bytes);
}

enum sch_result sch_resource_read_all(const struct sch_resource *resource, void *data, size_t bytes)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), NULL, __func__, NULL);
    if (!all_holds(&call, resource, data, bytes)) return sch_api_refused(&call);
    return sch_texture_resource_read_all(resource->texture, data, bytes);
}

/* The target and format of a view. */
static bool take_kind(const struct sch_resource *resource, bool has_target, enum sch_target target,
                      enum sch_format format, struct sch_diagnostics *list, struct sch_view_range *range)
{
    const struct sch_resource_shape *shape = sch_texture_resource_shape(resource->texture);
    range->target = shape->target;
    range->format = shape->format;
    if (!names_hold(has_target, target, format, list)) return false;
    if (has_target) range->target = (uint8_t)target;
    if (format) range->format = (uint16_t)format;
    return true;
}

/* All zero counts as identity unless it is `meant`; false if an entry is wrong. */
static bool take_swizzle(const uint8_t given[4], bool meant, struct sch_diagnostics *list, uint8_t swizzle[4])
{
    enum { SWIZZLE_LAST = 5 };
    bool identity = !meant;
    for (unsigned i = 0; i < 4; i++) {
        if (given[i] > SWIZZLE_LAST)
            return sch_refuse_element(list, ".swizzle[#]", i, "swizzle %u, of 0 to %d", given[i], SWIZZLE_LAST);
        if (given[i]) identity = false;
    }
    for (unsigned i = 0; i < 4; i++) swizzle[i] = identity ? (uint8_t)i : given[i];
    return true;
}

enum sch_result sch_view_create(struct sch_resource *resource, const struct sch_view_options *options,
                                struct sch_view **view)
{
    struct sch_api_call call;
    struct sch_view_options wanted;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), NULL, __func__, "options");
    if (view) *view = NULL;
    if (!sch_api_given(&call, view, "view") || !sch_api_given(&call, resource, "resource") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options))
        return sch_api_refused(&call);
    sch_api_use_list(&call, wanted.diagnostics);
    sch_diagnostics_name(call.list, "");
    struct sch_view_range range = {.first_level = wanted.first_level,
                                   .level_count = wanted.level_count,
                                   .first_layer = wanted.first_layer,
                                   .layer_count = wanted.layer_count,
                                   .first_element = wanted.first_element,
                                   .element_count = wanted.element_count,
                                   .min_lod = wanted.min_lod};
    struct sch_texture descriptor;
    uint8_t swizzle[4];
    if (!take_kind(resource, wanted.has_target, wanted.target, wanted.format, call.list, &range) ||
        !take_swizzle(wanted.swizzle, wanted.swizzled, call.list, swizzle))
        return sch_api_refused(&call);
    struct sch_view *made = NULL;
    enum sch_result status = sch_texture_view(resource->texture, &range, call.list, &descriptor);
    if (status == SCH_OK && !(made = sch_api_alloc(resource->context, sizeof *made))) status = SCH_ERROR_MEMORY;
    status = sch_api_end(&call, status);
    if (status != SCH_OK) return status;
    made->context = resource->context;
    made->texture = resource->texture;
    sch_texture_resource_retain(made->texture);
    made->descriptor = descriptor;
    made->exec = (struct sch_exec_view){.texture = &made->descriptor, .format = range.format, .target = range.target};
    memcpy(made->exec.swizzle, swizzle, sizeof made->exec.swizzle);
    *view = made;
    return SCH_OK;
}

void sch_view_destroy(struct sch_view *view)
{
    if (!view) return;
    sch_texture_resource_release(view->texture);
    sch_api_free(view->context, view);
}

enum sch_result sch_image_create(struct sch_resource *resource, const struct sch_image_options *options,
                                 struct sch_image **image)
{
    struct sch_api_call call;
    struct sch_image_options wanted;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), NULL, __func__, "options");
    if (image) *image = NULL;
    if (!sch_api_given(&call, image, "image") || !sch_api_given(&call, resource, "resource") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options))
        return sch_api_refused(&call);
    sch_api_use_list(&call, wanted.diagnostics);
    sch_diagnostics_name(call.list, "");
    struct sch_view_range range = {.first_level = wanted.level,
                                   .first_layer = wanted.first_layer,
                                   .layer_count = wanted.layer_count,
                                   .first_element = wanted.first_element,
                                   .element_count = wanted.element_count};
    struct sch_texture descriptor;
    if (!take_kind(resource, wanted.has_target, wanted.target, wanted.format, call.list, &range))
        return sch_api_refused(&call);
    struct sch_image *made = NULL;
    enum sch_result status = sch_texture_image(resource->texture, &range, call.list, &descriptor);
    if (status == SCH_OK && !wanted.read_only) status = sch_texture_check_stored(range.format, call.list);
    if (status == SCH_OK && !(made = sch_api_alloc(resource->context, sizeof *made))) status = SCH_ERROR_MEMORY;
    status = sch_api_end(&call, status);
    if (status != SCH_OK) return status;
    made->context = resource->context;
    made->texture = resource->texture;
    sch_texture_resource_retain(made->texture);
    made->descriptor = descriptor;
    made->exec = (struct sch_exec_image){.texture = &made->descriptor,
                                         .format = range.format,
                                         .target = range.target,
                                         .rules = SCH_RULES_TGSI,
                                         .writable = !wanted.read_only};
    *image = made;
    return SCH_OK;
}

void sch_image_destroy(struct sch_image *image)
{
    if (!image) return;
    sch_texture_resource_release(image->texture);
    sch_api_free(image->context, image);
}

static bool is_number(struct sch_diagnostics *list, const char *argument, float value)
{
    return !isnan(value) || sch_refuse_argument(list, argument, "%s is NaN", argument + 1);
}

static bool sampler_options_hold(const struct sch_sampler_options *s, struct sch_diagnostics *list)
{
    const uint32_t wrap = SCH_WRAP_MIRROR_CLAMP_TO_BORDER;
    return sch_api_takes(list, ".wrap_s", (uint32_t)s->wrap_s, 0, wrap) &&
           sch_api_takes(list, ".wrap_t", (uint32_t)s->wrap_t, 0, wrap) &&
           sch_api_takes(list, ".wrap_r", (uint32_t)s->wrap_r, 0, wrap) &&
           sch_api_takes(list, ".min_filter", (uint32_t)s->min_filter, 0, SCH_FILTER_LINEAR) &&
           sch_api_takes(list, ".mag_filter", (uint32_t)s->mag_filter, 0, SCH_FILTER_LINEAR) &&
           sch_api_takes(list, ".mip_filter", (uint32_t)s->mip_filter, 0, SCH_MIP_LINEAR) &&
           sch_api_takes(list, ".max_anisotropy", s->max_anisotropy, 0, 16) &&
           is_number(list, ".lod_bias", s->lod_bias) && is_number(list, ".min_lod", s->min_lod) &&
           is_number(list, ".max_lod", s->max_lod) &&
           sch_api_takes(list, ".compare", (uint32_t)s->compare, 0, SCH_COMPARE_ALWAYS) &&
           sch_api_takes(list, ".reduction", (uint32_t)s->reduction, 0, SCH_REDUCTION_MAXIMUM) &&
           sch_api_takes(list, ".rules", (uint32_t)s->rules, 0, SCH_RULES_MAXWELL);
}

static struct sch_exec_sampler sampler_state(const struct sch_sampler_options *options)
{
    struct sch_exec_sampler state = {
        .key = {.rules = (uint8_t)options->rules,
                .wrap = {(uint8_t)options->wrap_s, (uint8_t)options->wrap_t, (uint8_t)options->wrap_r},
                .min_linear = options->min_filter == SCH_FILTER_LINEAR,
                .mag_linear = options->mag_filter == SCH_FILTER_LINEAR,
                .mip = (uint8_t)options->mip_filter,
                .max_anisotropy = (uint8_t)at_least_one(options->max_anisotropy),
                .unnormalized = options->unnormalized,
                .compare = (uint8_t)(options->compare ? options->compare : SCH_COMPARE_LEQUAL),
                .reduction = (uint8_t)options->reduction,
                .seamless = !options->non_seamless_cube_map},
        .values = {.lod_bias = options->lod_bias, .min_lod = options->min_lod, .max_lod = options->max_lod}};
    if (options->min_lod == 0 && options->max_lod == 0) state.values.max_lod = FLT_MAX;
    if (options->border_is_words)
        memcpy(state.values.border, options->border_words, sizeof state.values.border);
    else
        memcpy(state.values.border, options->border, sizeof state.values.border);
    return state;
}

enum sch_result sch_sampler_create(struct sch_context *context, const struct sch_sampler_options *options,
                                   struct sch_diagnostics_list *diagnostics, struct sch_sampler **sampler)
{
    struct sch_api_call call;
    struct sch_sampler_options wanted;
    sch_api_begin(&call, context, diagnostics, __func__, "options");
    if (sampler) *sampler = NULL;
    if (!sch_api_given(&call, sampler, "sampler") || !sch_api_given(&call, context, "context") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options))
        return sch_api_refused(&call);
    if (!sampler_options_hold(&wanted, call.list)) return sch_api_refused(&call);

    struct sch_exec_sampler state = sampler_state(&wanted);
    /* The view is not known yet: check the sampler's part on the plainest one. */
    struct sch_sampler_key key = state.key;
    key.target = SCH_TARGET_2D;
    key.format = SCH_FORMAT_R8G8B8A8_UNORM;
    for (unsigned i = 0; i < 4; i++) key.swizzle[i] = (uint8_t)i;
    struct sch_sampler *made = NULL;
    enum sch_result status = sch_texture_key_check(&key, (struct sch_position){0}, call.list);
    if (status == SCH_OK && !(made = sch_api_alloc(context, sizeof *made))) status = SCH_ERROR_MEMORY;
    status = sch_api_end(&call, status);
    if (status != SCH_OK) return status;
    made->context = context;
    made->exec = state;
    *sampler = made;
    return SCH_OK;
}

void sch_sampler_destroy(struct sch_sampler *sampler)
{
    if (sampler) sch_api_free(sampler->context, sampler);
}
