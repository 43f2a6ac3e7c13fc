/* Surfaces and framebuffers: levels of resources that draws write. Holds no texels (src/texture) and no draw. */
#include "api/draw.h"
#include "pipeline/output_key.h"
#include "pipeline/samples.h"
#include "texture/convert.h"

/* ---- surfaces ---- */

/* The layers of `surface`, or the slices of a 3-D level. */
static bool take_layers(const struct sch_surface_options *wanted, struct sch_texture_surface *surface,
                        struct sch_diagnostics *list)
{
    const uint32_t all = surface->side[2], behind = wanted->first_layer < all ? all - wanted->first_layer : 0;
    const uint32_t count = wanted->layer_count ? wanted->layer_count : behind;
    if (!behind || count > behind)
        return sch_refuse_argument(list, behind ? ".layer_count" : ".first_layer",
                                   "surface: %u layers from %u on, of %u", count, wanted->first_layer, all);
    surface->texels = sch_surface_row(surface, (size_t)wanted->first_layer * surface->samples, 0);
    surface->side[2] = count;
    return true;
}

static enum sch_result describe(struct sch_texture_resource *resource, const struct sch_surface_options *wanted,
                                struct sch_diagnostics *list, struct sch_surface *made)
{
    struct sch_texels texels;
    if (sch_texture_resource_shape(resource)->target == SCH_TARGET_BUFFER) {
        sch_refuse_argument(list, "resource", "surface: of a BUFFER");
        return SCH_ERROR_ARGUMENT;
    }
    if (wanted->format && !sch_word_by_number(SCH_WORDS_FORMAT, (unsigned)wanted->format)) {
        sch_refuse_argument(list, ".format", "surface: format %u does not exist", (unsigned)wanted->format);
        return SCH_ERROR_ARGUMENT;
    }
    enum sch_result result = sch_texels_of(resource, wanted->level, wanted->format, &sch_texels_plain, &texels, list);
    if (result != SCH_OK) return result;
    if (!take_layers(wanted, &texels.surface, list)) return SCH_ERROR_ARGUMENT;
    const enum sch_format format = (enum sch_format)texels.format;
    made->is_color = sch_format_is_color(format);
    if (!made->is_color && !sch_format_is_depth_stencil(format))
        return sch_texels_refuse(SCH_ERROR_UNSUPPORTED, list, "surface: format %s cannot be drawn to",
                                 sch_texels_format_name(texels.format));
    made->level = wanted->level;
    made->first_layer = wanted->first_layer;
    made->target = (struct sch_draw_target){.texels = texels.surface.texels,
                                            .row_bytes = texels.surface.row_bytes,
                                            .slice_bytes = texels.surface.slice_bytes,
                                            .width = texels.surface.side[0],
                                            .height = texels.surface.side[1],
                                            .layers = texels.surface.side[2],
                                            .samples = texels.surface.samples,
                                            .format = (uint16_t)texels.format,
                                            .texel_bytes = (uint8_t)texels.surface.block.bytes};
    return SCH_OK;
}

enum sch_result sch_surface_create(struct sch_resource *resource, const struct sch_surface_options *options,
                                   struct sch_diagnostics_list *diagnostics, struct sch_surface **made)
{
    struct sch_api_call call;
    struct sch_surface_options wanted;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(resource), diagnostics, __func__, "options");
    if (made) *made = NULL;
    if (!sch_api_given(&call, made, "made") || !sch_api_given(&call, resource, "resource") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options))
        return sch_api_refused(&call);
    struct sch_surface *object = sch_api_alloc(resource->context, sizeof *object);
    if (!object) return sch_api_end(&call, SCH_ERROR_MEMORY);
    object->context = resource->context;
    const enum sch_result result = sch_api_end(&call, describe(resource->texture, &wanted, call.list, object));
    if (result != SCH_OK) {
        sch_api_free(resource->context, object);
        return result;
    }
    object->texture = resource->texture;
    sch_texture_resource_retain(object->texture);
    *made = object;
    return SCH_OK;
}

void sch_surface_destroy(struct sch_surface *surface)
{
    if (!surface) return;
    sch_texture_resource_release(surface->texture);
    sch_api_free(surface->context, surface);
}

/* ---- framebuffers ---- */

/* A surface as an array of two axes, whatever its resource is: FBFETCH says layer and sample. */
static void describe_texels(const struct sch_draw_target *target, struct sch_texture *texture)
{
    texture->levels = 1;
    texture->layers = target->layers;
    texture->samples = target->samples;
    texture->level[0] = (struct sch_texture_level){.texels = target->texels,
                                                   .width = target->width,
                                                   .height = target->height,
                                                   .depth = 1,
                                                   .row_bytes = (uint32_t)target->row_bytes,
                                                   .slice_bytes = target->slice_bytes};
}

static void show_color(const struct sch_surface *surface, struct sch_api_attachment *attachment,
                       struct sch_exec_image *image)
{
    describe_texels(&surface->target, &attachment->descriptor);
    const bool multisampled = surface->target.samples > 1;
    *image = (struct sch_exec_image){.texture = &attachment->descriptor,
                                     .format = surface->target.format,
                                     .target = multisampled ? SCH_TARGET_2D_ARRAY_MSAA : SCH_TARGET_2D_ARRAY,
                                     .rules = SCH_RULES_TGSI};
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Adds a surface to what the framebuffer is. */
static bool attach(struct sch_framebuffer *made, const struct sch_surface *surface, bool is_color, uint32_t number,
                   struct sch_diagnostics *list)
{
    const char *argument = is_color ? ".colors[#]" : ".depth_stencil";
    struct sch_draw_framebuffer *draw = &made->draw;
    const struct sch_draw_target *target = &surface->target;
    if (surface->context != made->context)
        return sch_refuse_element(list, argument, number, "framebuffer: a surface of another context");
    if (surface->is_color != is_color)
        return sch_refuse_element(list, argument, number, "framebuffer: a surface of format %s %s",
                                  sch_texels_format_name(target->format),
                                  is_color ? "among the colours" : "for depth and stencil");
    if (draw->samples && draw->samples != target->samples)
        return sch_refuse_element(list, argument, number, "framebuffer: surfaces of %u and of %u samples",
                                  draw->samples, target->samples);
    const bool first = !draw->samples;
    draw->width = first ? target->width : least(draw->width, target->width);
    draw->height = first ? target->height : least(draw->height, target->height);
    draw->layers = first ? target->layers : least(draw->layers, target->layers);
    draw->samples = target->samples;
    return true;
}

static void hold(const struct sch_surface *surface, struct sch_api_attachment *attachment)
{
    attachment->texture = surface->texture;
    attachment->level = surface->level;
    attachment->first_layer = surface->first_layer;
    sch_texture_resource_retain(attachment->texture);
}

static bool attach_all(struct sch_framebuffer *made, const struct sch_framebuffer_options *wanted,
                       struct sch_diagnostics *list)
{
    for (unsigned i = 0; i < SCH_COLOR_BUFFERS; i++) {
        if (!wanted->colors[i]) continue;
        if (!attach(made, wanted->colors[i], true, i, list)) return false;
        made->draw.colors[i] = wanted->colors[i]->target;
        hold(wanted->colors[i], &made->colors[i]);
        show_color(wanted->colors[i], &made->colors[i], &made->images[i]);
    }
    if (!wanted->depth_stencil) return true;
    if (!attach(made, wanted->depth_stencil, false, 0, list)) return false;
    made->draw.depth_stencil = wanted->depth_stencil->target;
    hold(wanted->depth_stencil, &made->depth_stencil);
    return true;
}

/* A framebuffer without surfaces (OpenGL 9.2.1, FRAMEBUFFER_DEFAULT_*). */
static bool take_size(struct sch_framebuffer *made, const struct sch_framebuffer_options *wanted,
                      struct sch_diagnostics *list)
{
    const uint32_t layers = wanted->layers ? wanted->layers : 1, samples = wanted->samples ? wanted->samples : 1;
    const char *beyond = !wanted->width || wanted->width > SCH_FRAMEBUFFER_SIDE     ? ".width"
                         : !wanted->height || wanted->height > SCH_FRAMEBUFFER_SIDE ? ".height"
                         : layers > SCH_FRAMEBUFFER_LAYERS                          ? ".layers"
                                                                                    : NULL;
    if (beyond)
        return sch_refuse_argument(list, beyond,
                                   "framebuffer: %u x %u pixels and %u layers without a surface, of at most %d "
                                   "x %d and %d",
                                   wanted->width, wanted->height, layers, SCH_FRAMEBUFFER_SIDE, SCH_FRAMEBUFFER_SIDE,
                                   SCH_FRAMEBUFFER_LAYERS);
    if (samples > SCH_MAX_SAMPLES || (samples & (samples - 1)))
        return sch_refuse_argument(list, ".samples", "framebuffer: %u samples, of 1, 2, 4, 8 or 16", samples);
    made->draw.width = wanted->width;
    made->draw.height = wanted->height;
    made->draw.layers = layers;
    made->draw.samples = samples;
    return true;
}

enum sch_result sch_framebuffer_create(struct sch_context *context, const struct sch_framebuffer_options *options,
                                       struct sch_diagnostics_list *diagnostics, struct sch_framebuffer **made)
{
    struct sch_api_call call;
    struct sch_framebuffer_options wanted;
    sch_api_begin(&call, context, diagnostics, __func__, "options");
    if (made) *made = NULL;
    struct sch_diagnostics *list = call.list;
    if (!sch_api_given(&call, made, "made") || !sch_api_given(&call, context, "context") ||
        !sch_api_given(&call, options, "options") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options))
        return sch_api_refused(&call);
    struct sch_framebuffer *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_end(&call, SCH_ERROR_MEMORY);
    object->context = context;
    object->number = sch_api_number(context);
    if (!attach_all(object, &wanted, list) || (!object->draw.samples && !take_size(object, &wanted, list))) {
        sch_framebuffer_destroy(object);
        return sch_api_refused(&call);
    }
    *made = object;
    return sch_api_end(&call, SCH_OK);
}

void sch_framebuffer_destroy(struct sch_framebuffer *framebuffer)
{
    if (!framebuffer) return;
    for (unsigned i = 0; i < SCH_COLOR_BUFFERS; i++) sch_texture_resource_release(framebuffer->colors[i].texture);
    sch_texture_resource_release(framebuffer->depth_stencil.texture);
    sch_api_free(framebuffer->context, framebuffer);
}

enum sch_result sch_sample_position(uint32_t samples, uint32_t index, float position[2])
{
    struct sch_sample_pattern pattern;
    if (!position || !samples || samples > SCH_MAX_SAMPLES || (samples & (samples - 1)) || index >= samples)
        return SCH_ERROR_ARGUMENT;
    sch_sample_pattern(samples, &pattern);
    position[0] = 0.5F + (float)pattern.x[index] / SCH_SUBPIXELS;
    position[1] = 0.5F + (float)pattern.y[index] / SCH_SUBPIXELS;
    return SCH_OK;
}
