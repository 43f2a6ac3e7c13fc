/* Resources, views and samplers on src/texture. */
#include "api/api.h"

#include <float.h>
#include <math.h>
#include <string.h>

int sch_format_by_name(const char *name)
{
    static const char prefix[] = "PIPE_FORMAT_";
    if (!name) return -1;
    const struct sch_word *word = sch_word_find(SCH_WORDS_FORMAT, name, strlen(name));
    if (!word && strncmp(name, prefix, sizeof prefix - 1) == 0) {
        name += sizeof prefix - 1;
        word = sch_word_find(SCH_WORDS_FORMAT, name, strlen(name));
    }
    return word ? (int)word->number : -1;
}

static uint32_t at_least_one(uint32_t value) { return value ? value : 1; }

enum sch_result sch_resource_create(struct sch_context *context, const struct sch_resource_options *options,
                                    struct sch_diagnostics_list *diagnostics, struct sch_resource **resource)
{
    if (!resource) return SCH_ERROR_ARGUMENT;
    *resource = NULL;
    struct sch_resource_options wanted = {0};
    if (!context || !options) return SCH_ERROR_ARGUMENT;
    if (!sch_api_options(&wanted, sizeof wanted, sizeof wanted, options)) return SCH_ERROR_ARGUMENT;
    if (!sch_word_by_number(SCH_WORDS_TARGET, (unsigned)wanted.target)) return SCH_ERROR_ARGUMENT;
    if (wanted.format < 0 || !sch_word_by_number(SCH_WORDS_FORMAT, (unsigned)wanted.format)) return SCH_ERROR_ARGUMENT;

    struct sch_resource_shape shape = {.target = (uint8_t)wanted.target,
                                       .format = (uint16_t)wanted.format,
                                       .width = at_least_one(wanted.width),
                                       .height = at_least_one(wanted.height),
                                       .depth = at_least_one(wanted.depth),
                                       .layers = at_least_one(wanted.layers),
                                       .levels = at_least_one(wanted.levels),
                                       .samples = at_least_one(wanted.samples)};
    struct sch_resource *made = sch_api_alloc(context, sizeof *made);
    if (!made) return SCH_ERROR_MEMORY;
    made->context = context;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_source(list, "", NULL, 0);
    enum sch_status status =
        sch_texture_resource_create(&shape, &context->allocator, context->limits.memory, list, &made->texture);
    enum sch_status reported = sch_api_reported(diagnostics, status);
    if (reported != SCH_STATUS_OK) {
        if (status == SCH_STATUS_OK) sch_texture_resource_release(made->texture);
        sch_api_free(context, made);
        return sch_api_result(reported);
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

enum sch_result sch_resource_write(struct sch_resource *resource, uint32_t level, uint32_t layer, const void *data,
                                   size_t stride, uint32_t rows)
{
    if (!resource || !data) return SCH_ERROR_ARGUMENT;
    return sch_api_result(sch_texture_resource_write(resource->texture, level, layer, data, stride, rows));
}

enum sch_result sch_view_create(struct sch_resource *resource, const struct sch_view_options *options,
                                struct sch_view **view)
{
    enum { SWIZZLE_LAST = 5 };
    if (!view) return SCH_ERROR_ARGUMENT;
    *view = NULL;
    struct sch_view_options wanted = {0};
    if (!resource || !sch_api_options(&wanted, sizeof wanted, sizeof wanted, options)) return SCH_ERROR_ARGUMENT;
    bool identity = true;
    for (unsigned i = 0; i < 4; i++) {
        if (wanted.swizzle[i] > SWIZZLE_LAST) return SCH_ERROR_ARGUMENT;
        if (wanted.swizzle[i]) identity = false;
    }

    struct sch_view *made = sch_api_alloc(resource->context, sizeof *made);
    if (!made) return SCH_ERROR_MEMORY;
    const struct sch_resource_shape *shape = sch_texture_resource_shape(resource->texture);
    made->context = resource->context;
    made->texture = resource->texture;
    sch_texture_resource_retain(made->texture);
    sch_texture_describe(made->texture, &made->descriptor);
    made->exec = (struct sch_exec_view){.texture = &made->descriptor, .format = shape->format, .target = shape->target};
    for (unsigned i = 0; i < 4; i++) made->exec.swizzle[i] = identity ? (uint8_t)i : wanted.swizzle[i];
    *view = made;
    return SCH_OK;
}

void sch_view_destroy(struct sch_view *view)
{
    if (!view) return;
    sch_texture_resource_release(view->texture);
    sch_api_free(view->context, view);
}

static bool sampler_options_hold(const struct sch_sampler_options *options)
{
    const enum sch_wrap last = SCH_WRAP_MIRROR_CLAMP_TO_BORDER;
    return (unsigned)options->wrap_s <= last && (unsigned)options->wrap_t <= last &&
           (unsigned)options->wrap_r <= last && (unsigned)options->min_filter <= SCH_FILTER_LINEAR &&
           (unsigned)options->mag_filter <= SCH_FILTER_LINEAR && (unsigned)options->mip_filter <= SCH_MIP_LINEAR &&
           options->max_anisotropy <= 16 && !isnan(options->lod_bias) && !isnan(options->min_lod) &&
           !isnan(options->max_lod);
}

static struct sch_exec_sampler sampler_state(const struct sch_sampler_options *options)
{
    struct sch_exec_sampler state = {
        .key = {.rules = SCH_RULES_TGSI,
                .wrap = {(uint8_t)options->wrap_s, (uint8_t)options->wrap_t, (uint8_t)options->wrap_r},
                .min_linear = options->min_filter == SCH_FILTER_LINEAR,
                .mag_linear = options->mag_filter == SCH_FILTER_LINEAR,
                .mip = (uint8_t)options->mip_filter,
                .max_anisotropy = (uint8_t)at_least_one(options->max_anisotropy),
                .unnormalized = options->unnormalized},
        .values = {.lod_bias = options->lod_bias, .min_lod = options->min_lod, .max_lod = options->max_lod}};
    if (options->min_lod == 0 && options->max_lod == 0) state.values.max_lod = FLT_MAX;
    memcpy(state.values.border, options->border, sizeof state.values.border);
    return state;
}

enum sch_result sch_sampler_create(struct sch_context *context, const struct sch_sampler_options *options,
                                   struct sch_diagnostics_list *diagnostics, struct sch_sampler **sampler)
{
    if (!sampler) return SCH_ERROR_ARGUMENT;
    *sampler = NULL;
    struct sch_sampler_options wanted = {0};
    if (!context || !sch_api_options(&wanted, sizeof wanted, sizeof wanted, options)) return SCH_ERROR_ARGUMENT;
    if (!sampler_options_hold(&wanted)) return SCH_ERROR_ARGUMENT;

    struct sch_exec_sampler state = sampler_state(&wanted);
    /* The view is not known yet: ask about the sampler's part on the plainest one. */
    struct sch_sampler_key key = state.key;
    key.target = SCH_TARGET_2D;
    key.format = SCH_FORMAT_R8G8B8A8_UNORM;
    for (unsigned i = 0; i < 4; i++) key.swizzle[i] = (uint8_t)i;
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_source(list, "", NULL, 0);
    enum sch_status status = sch_texture_key_check(&key, (struct sch_position){0}, list);
    status = sch_api_reported(diagnostics, status);
    if (status != SCH_STATUS_OK) return sch_api_result(status);

    struct sch_sampler *made = sch_api_alloc(context, sizeof *made);
    if (!made) return SCH_ERROR_MEMORY;
    made->context = context;
    made->exec = state;
    *sampler = made;
    return SCH_OK;
}

void sch_sampler_destroy(struct sch_sampler *sampler)
{
    if (sampler) sch_api_free(sampler->context, sampler);
}
