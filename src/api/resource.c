/* Resources, views, images and samplers on src/texture. */
#include "api/api.h"

#include <float.h>
#include <math.h>
#include <string.h>

static uint32_t at_least_one(uint32_t value) { return value ? value : 1; }

/* Before there was `decoded`, the struct ended there. */
static bool take_options(const struct sch_resource_options *given, struct sch_resource_options *wanted)
{
    return sch_sized_read(wanted, sizeof *wanted, offsetof(struct sch_resource_options, decoded), given);
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
    if (!resource) return SCH_ERROR_ARGUMENT;
    *resource = NULL;
    struct sch_resource_options wanted;
    if (!context || !options) return SCH_ERROR_ARGUMENT;
    if (!take_options(options, &wanted)) return SCH_ERROR_ARGUMENT;
    if (!sch_word_by_number(SCH_WORDS_TARGET, (unsigned)wanted.target)) return SCH_ERROR_ARGUMENT;
    if (!sch_word_by_number(SCH_WORDS_FORMAT, (unsigned)wanted.format)) return SCH_ERROR_ARGUMENT;

    const struct sch_resource_shape shape = shape_of(&wanted);
    struct sch_resource *made = sch_api_alloc(context, sizeof *made);
    if (!made) return sch_api_no_memory(context, diagnostics);
    made->context = context;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result status =
        sch_texture_resource_create(&shape, &context->allocator, context->limits.memory, list, &made->texture);
    status = sch_api_reported(context, diagnostics, status);
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
    if (!options || !take_options(options, &wanted)) return 0;
    const struct sch_target_facts *is = sch_target_facts((unsigned)wanted.target);
    if (is->family == SCH_FAMILY_NONE || is->plain != (unsigned)wanted.target) return 0;
    const struct sch_resource_shape shape = shape_of(&wanted);
    return sch_texture_full_levels(&shape);
}

enum sch_result sch_resource_get_info(const struct sch_resource *resource, uint32_t level,
                                      struct sch_resource_info *info)
{
    const size_t first_bytes = offsetof(struct sch_resource_info, decoded_bytes); /* as it was published */
    if (!resource || !info || !sch_sized_fits(info->size, first_bytes)) return SCH_ERROR_ARGUMENT;
    const struct sch_resource_shape *shape = sch_texture_resource_shape(resource->texture);
    if (level >= shape->levels) return SCH_ERROR_ARGUMENT;
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

enum sch_result sch_resource_write_all(struct sch_resource *resource, const void *data, size_t bytes)
{
    if (!resource || !data) return SCH_ERROR_ARGUMENT;
    return sch_texture_resource_write_all(resource->texture, data, bytes);
}

enum sch_result sch_resource_read_all(const struct sch_resource *resource, void *data, size_t bytes)
{
    if (!resource || !data) return SCH_ERROR_ARGUMENT;
    return sch_texture_resource_read_all(resource->texture, data, bytes);
}

/* The target and format of a view; a number that is none must not become one by losing bits. */
static bool take_kind(const struct sch_resource *resource, bool has_target, enum sch_target target,
                      enum sch_format format, struct sch_view_range *range)
{
    const struct sch_resource_shape *shape = sch_texture_resource_shape(resource->texture);
    range->target = shape->target;
    range->format = shape->format;
    if (has_target && !sch_word_by_number(SCH_WORDS_TARGET, (unsigned)target)) return false;
    if (has_target) range->target = (uint8_t)target;
    if (format && !sch_word_by_number(SCH_WORDS_FORMAT, (unsigned)format)) return false;
    if (format) range->format = (uint16_t)format;
    return true;
}

/* All zero counts as identity unless it is `meant`; false: an entry that is none. */
static bool take_swizzle(const uint8_t given[4], bool meant, uint8_t swizzle[4])
{
    enum { SWIZZLE_LAST = 5 };
    bool identity = !meant;
    for (unsigned i = 0; i < 4; i++) {
        if (given[i] > SWIZZLE_LAST) return false;
        if (given[i]) identity = false;
    }
    for (unsigned i = 0; i < 4; i++) swizzle[i] = identity ? (uint8_t)i : given[i];
    return true;
}

enum sch_result sch_view_create(struct sch_resource *resource, const struct sch_view_options *options,
                                struct sch_view **view)
{
    if (!view) return SCH_ERROR_ARGUMENT;
    *view = NULL;
    struct sch_view_options wanted;
    size_t first_bytes = offsetof(struct sch_view_options, target); /* as 0.1.0 had it */
    if (!resource || !sch_sized_read(&wanted, sizeof wanted, first_bytes, options)) return SCH_ERROR_ARGUMENT;
    struct sch_view_range range = {.first_level = wanted.first_level,
                                   .level_count = wanted.level_count,
                                   .first_layer = wanted.first_layer,
                                   .layer_count = wanted.layer_count,
                                   .first_element = wanted.first_element,
                                   .element_count = wanted.element_count,
                                   .min_lod = wanted.min_lod};
    struct sch_texture descriptor;
    uint8_t swizzle[4];
    /* In 0.1.0 `has_target` was padding, which callers need not have zeroed. */
    bool has_target = wanted.has_target && wanted.size > offsetof(struct sch_view_options, target);
    if (!take_kind(resource, has_target, wanted.target, wanted.format, &range)) return SCH_ERROR_ARGUMENT;
    if (!take_swizzle(wanted.swizzle, wanted.swizzled, swizzle)) return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics *list = sch_api_list(wanted.diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result status = sch_texture_view(resource->texture, &range, list, &descriptor);
    if (status != SCH_OK) return sch_api_reported(NULL, wanted.diagnostics, status);

    struct sch_view *made = sch_api_alloc(resource->context, sizeof *made);
    if (!made) return sch_api_no_memory(resource->context, wanted.diagnostics);
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
    if (!image) return SCH_ERROR_ARGUMENT;
    *image = NULL;
    struct sch_image_options wanted;
    size_t first_bytes = offsetof(struct sch_image_options, diagnostics); /* as 0.1.0 had it */
    if (!resource || !sch_sized_read(&wanted, sizeof wanted, first_bytes, options)) return SCH_ERROR_ARGUMENT;
    struct sch_view_range range = {.first_level = wanted.level,
                                   .first_layer = wanted.first_layer,
                                   .layer_count = wanted.layer_count,
                                   .first_element = wanted.first_element,
                                   .element_count = wanted.element_count};
    struct sch_texture descriptor;
    if (!take_kind(resource, wanted.has_target, wanted.target, wanted.format, &range)) return SCH_ERROR_ARGUMENT;
    struct sch_diagnostics *list = sch_api_list(wanted.diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result status = sch_texture_image(resource->texture, &range, list, &descriptor);
    if (status == SCH_OK && !wanted.read_only) status = sch_texture_check_stored(range.format, list);
    if (status != SCH_OK) return sch_api_reported(NULL, wanted.diagnostics, status);

    struct sch_image *made = sch_api_alloc(resource->context, sizeof *made);
    if (!made) return sch_api_no_memory(resource->context, wanted.diagnostics);
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

static bool sampler_options_hold(const struct sch_sampler_options *options)
{
    const enum sch_wrap last = SCH_WRAP_MIRROR_CLAMP_TO_BORDER;
    if ((unsigned)options->wrap_s > last || (unsigned)options->wrap_t > last || (unsigned)options->wrap_r > last)
        return false;
    if ((unsigned)options->min_filter > SCH_FILTER_LINEAR || (unsigned)options->mag_filter > SCH_FILTER_LINEAR)
        return false;
    if ((unsigned)options->mip_filter > SCH_MIP_LINEAR || (unsigned)options->compare > SCH_COMPARE_ALWAYS) return false;
    if ((unsigned)options->reduction > SCH_REDUCTION_MAXIMUM || (unsigned)options->rules > SCH_RULES_MAXWELL)
        return false;
    return options->max_anisotropy <= 16 && !isnan(options->lod_bias) && !isnan(options->min_lod) &&
           !isnan(options->max_lod);
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
    if (!sampler) return SCH_ERROR_ARGUMENT;
    *sampler = NULL;
    struct sch_sampler_options wanted;
    size_t first_bytes = offsetof(struct sch_sampler_options, compare); /* as 0.1.0 had it */
    if (!context || !sch_sized_read(&wanted, sizeof wanted, first_bytes, options)) return SCH_ERROR_ARGUMENT;
    /* In 0.1.0 `compare` was padding, which callers need not have zeroed. */
    if (wanted.size <= offsetof(struct sch_sampler_options, reduction)) wanted.compare = SCH_COMPARE_NONE;
    if (!sampler_options_hold(&wanted)) return SCH_ERROR_ARGUMENT;

    struct sch_exec_sampler state = sampler_state(&wanted);
    /* The view is not known yet: check the sampler's part on the plainest one. */
    struct sch_sampler_key key = state.key;
    key.target = SCH_TARGET_2D;
    key.format = SCH_FORMAT_R8G8B8A8_UNORM;
    for (unsigned i = 0; i < 4; i++) key.swizzle[i] = (uint8_t)i;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    enum sch_result status = sch_texture_key_check(&key, (struct sch_position){0}, list);
    status = sch_api_reported(context, diagnostics, status);
    if (status != SCH_OK) return status;

    struct sch_sampler *made = sch_api_alloc(context, sizeof *made);
    if (!made) return sch_api_no_memory(context, diagnostics);
    made->context = context;
    made->exec = state;
    *sampler = made;
    return SCH_OK;
}

void sch_sampler_destroy(struct sch_sampler *sampler)
{
    if (sampler) sch_api_free(sampler->context, sampler);
}
