/* Immutable state of draws: rasterizer, depth, stencil and alpha, blending, stream output; and the defaults. Checks
 * each member once, so that draws need not. Holds no vertices (vertex_elements.c), no surfaces (surfaces.c) and no
 * programs (pipelines.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/draw.h"

/* ---- defaults ---- */

const struct sch_rasterizer_options sch_api_default_rasterizer = {.size = sizeof sch_api_default_rasterizer,
                                                                  .front_ccw = true,
                                                                  .point_size = 1,
                                                                  .line_width = 1,
                                                                  .line_stipple_pattern = 0xffff,
                                                                  .line_stipple_factor = 1,
                                                                  .multisample = true,
                                                                  .half_pixel_center = true,
                                                                  .depth_clip_near = true,
                                                                  .depth_clip_far = true};

const struct sch_depth_stencil_alpha_options sch_api_default_depth_stencil_alpha = {
    .size = sizeof sch_api_default_depth_stencil_alpha,
    .depth_function = SCH_COMPARE_LESS,
    .depth_bounds_max = 1,
    .stencil = {{.function = SCH_COMPARE_ALWAYS, .value_mask = 255, .write_mask = 255},
                {.function = SCH_COMPARE_ALWAYS, .value_mask = 255, .write_mask = 255}},
    .alpha_function = SCH_COMPARE_ALWAYS};

#define TARGET                                                                                                         \
    {                                                                                                                  \
        .color_source = SCH_FACTOR_ONE, .color_destination = SCH_FACTOR_ZERO, .alpha_source = SCH_FACTOR_ONE,          \
        .alpha_destination = SCH_FACTOR_ZERO, .color_mask = SCH_PART_COLOR                                             \
    }
const struct sch_blend_options sch_api_default_blend = {
    .size = sizeof sch_api_default_blend,
    .targets = {TARGET, TARGET, TARGET, TARGET, TARGET, TARGET, TARGET, TARGET},
    .logic_operation = SCH_LOGIC_COPY};

/* Fills in as much as the caller's struct holds. */
static enum sch_result write_default(void *options, const void *value, size_t bytes)
{
    size_t size;
    if (!options) return SCH_ERROR_ARGUMENT;
    memcpy(&size, options, sizeof size);
    if (!sch_sized_fits(size, bytes)) return SCH_ERROR_ARGUMENT;
    sch_sized_write(options, value, bytes);
    return SCH_OK;
}

enum sch_result sch_rasterizer_options_default(struct sch_rasterizer_options *options)
{
    return write_default(options, &sch_api_default_rasterizer, sizeof sch_api_default_rasterizer);
}

enum sch_result sch_depth_stencil_alpha_options_default(struct sch_depth_stencil_alpha_options *options)
{
    return write_default(options, &sch_api_default_depth_stencil_alpha, sizeof sch_api_default_depth_stencil_alpha);
}

enum sch_result sch_blend_options_default(struct sch_blend_options *options)
{
    return write_default(options, &sch_api_default_blend, sizeof sch_api_default_blend);
}

/* ---- dynamic state ---- */

static void default_dynamic(struct sch_dynamic_state *state)
{
    *state = (struct sch_dynamic_state){.size = sizeof *state,
                                        .viewport_count = 1,
                                        .viewports = {{.scale = {1, 1, 1}}},
                                        .sample_mask = UINT32_MAX,
                                        .default_outer_levels = {1, 1, 1, 1},
                                        .default_inner_levels = {1, 1},
                                        .patch_vertices = 3};
    for (unsigned i = 0; i < SCH_VIEWPORTS; i++)
        state->scissors[i] = (struct sch_scissor){0, 0, SCH_FRAMEBUFFER_SIDE, SCH_FRAMEBUFFER_SIDE};
    memset(state->polygon_stipple, 255, sizeof state->polygon_stipple);
}

enum sch_result sch_dynamic_state_default(struct sch_dynamic_state *state)
{
    struct sch_dynamic_state value;
    default_dynamic(&value);
    return write_default(state, &value, sizeof value);
}

/* Clip space from (-1, -1) to (1, 1) is the framebuffer from its pixel (0, 0) on; depth is 0 to 1. */
static void cover_framebuffer(const struct sch_draw_framebuffer *framebuffer, bool clip_halfz,
                              struct sch_dynamic_state *state)
{
    const float x = (float)framebuffer->width / 2, y = (float)framebuffer->height / 2;
    state->viewports[0] = (struct sch_viewport){{x, y, clip_halfz ? 1 : 0.5f}, {x, y, clip_halfz ? 0 : 0.5f}};
    state->scissors[0] = (struct sch_scissor){0, 0, framebuffer->width, framebuffer->height};
}

bool sch_api_take_dynamic(const struct sch_dynamic_state *given, const struct sch_framebuffer *framebuffer,
                          bool clip_halfz, struct sch_diagnostics *list, struct sch_dynamic_state *taken)
{
    if (!given) {
        default_dynamic(taken);
        cover_framebuffer(&framebuffer->draw, clip_halfz, taken);
        return true;
    }
    if (!sch_sized_read(taken, sizeof *taken, sizeof *taken, given))
        return sch_refuse_argument(
            list, "dynamic state: a size of %zu bytes, or members that this version does not have", given->size);
    if (taken->viewport_count < 1 || taken->viewport_count > SCH_VIEWPORTS)
        return sch_refuse_argument(list, "dynamic state: viewport_count %u, of 1 to %d", taken->viewport_count,
                                   SCH_VIEWPORTS);
    if (taken->patch_vertices > SCH_PATCH_VERTICES)
        return sch_refuse_argument(list, "dynamic state: patch_vertices %u, of at most %d", taken->patch_vertices,
                                   SCH_PATCH_VERTICES);
    return true;
}

/* ---- members ---- */

/* A number from `first` to `last`; `what` names the state and its member. */
static bool takes(struct sch_diagnostics *list, const char *what, uint32_t value, uint32_t first, uint32_t last)
{
    if (value >= first && value <= last) return true;
    return sch_refuse_argument(list, "%s %u, of %u to %u", what, value, first, last);
}

static bool is_number(struct sch_diagnostics *list, const char *what, float value)
{
    return !isnan(value) || sch_refuse_argument(list, "%s is NaN", what);
}

/* Of a size that is too large the greatest is taken. */
static bool takes_size(struct sch_diagnostics *list, const char *what, float value)
{
    return value >= 0 || sch_refuse_argument(list, "%s %g is no size", what, (double)value);
}

/* The caller's options, or for NULL the default. */
static bool read_options(void *wanted, size_t bytes, const void *given, const void *otherwise)
{
    if (!given) memcpy(wanted, otherwise, bytes);
    return !given || sch_sized_read(wanted, bytes, bytes, given);
}

static struct sch_diagnostics *begin_list(struct sch_diagnostics_list *diagnostics)
{
    struct sch_diagnostics *list = sch_api_list(diagnostics);
    sch_diagnostics_name(list, "");
    return list;
}

/* ---- rasterizer ---- */

static bool is_quarter(float dilate) { return dilate == 0 || dilate == 0.25f || dilate == 0.5f || dilate == 0.75f; }

static bool rasterizer_holds(const struct sch_rasterizer_options *r, struct sch_diagnostics *list)
{
    const uint32_t faces = SCH_FACE_FRONT | SCH_FACE_BACK, planes = (1u << SCH_CLIP_PLANES) - 1;
    return takes(list, "rasterizer: cull_face", r->cull_face, 0, faces) &&
           takes(list, "rasterizer: fill_front", (uint32_t)r->fill_front, SCH_FILL_SOLID, SCH_FILL_POINT) &&
           takes(list, "rasterizer: fill_back", (uint32_t)r->fill_back, SCH_FILL_SOLID, SCH_FILL_POINT) &&
           is_number(list, "rasterizer: offset_units", r->offset_units) &&
           is_number(list, "rasterizer: offset_scale", r->offset_scale) &&
           takes_size(list, "rasterizer: point_size", r->point_size) &&
           takes_size(list, "rasterizer: line_width", r->line_width) &&
           takes(list, "rasterizer: sprite_coord_mode", (uint32_t)r->sprite_coord_mode, SCH_SPRITE_UPPER_LEFT,
                 SCH_SPRITE_LOWER_LEFT) &&
           takes(list, "rasterizer: line_stipple_factor", r->line_stipple_factor, 0, 256) &&
           takes(list, "rasterizer: conservative", (uint32_t)r->conservative, SCH_CONSERVATIVE_OFF,
                 SCH_CONSERVATIVE_PRE_SNAP) &&
           (is_quarter(r->conservative_dilate) ||
            sch_refuse_argument(list, "rasterizer: conservative_dilate %g", (double)r->conservative_dilate)) &&
           takes(list, "rasterizer: clip_plane_enable", r->clip_plane_enable, 0, planes);
}

enum sch_result sch_rasterizer_create(struct sch_context *context, const struct sch_rasterizer_options *options,
                                      struct sch_diagnostics_list *diagnostics, struct sch_rasterizer **made)
{
    if (!made) return SCH_ERROR_ARGUMENT;
    *made = NULL;
    struct sch_rasterizer_options wanted;
    struct sch_diagnostics *list = begin_list(diagnostics);
    if (!context || !read_options(&wanted, sizeof wanted, options, &sch_api_default_rasterizer) ||
        !rasterizer_holds(&wanted, list))
        return sch_api_reported(context, diagnostics, SCH_ERROR_ARGUMENT);
    struct sch_rasterizer *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_no_memory(context, diagnostics);
    object->context = context;
    object->number = sch_api_number(context);
    object->state = wanted;
    *made = object;
    return SCH_OK;
}

void sch_rasterizer_destroy(struct sch_rasterizer *rasterizer)
{
    if (rasterizer) sch_api_free(rasterizer->context, rasterizer);
}

/* ---- depth, stencil, alpha ---- */

static bool function_holds(struct sch_diagnostics *list, const char *what, enum sch_compare function, bool enabled)
{
    return takes(list, what, (uint32_t)function, enabled ? SCH_COMPARE_NEVER : SCH_COMPARE_NONE, SCH_COMPARE_ALWAYS);
}

static bool face_holds(const struct sch_stencil_face *face, struct sch_diagnostics *list)
{
    const uint32_t last = SCH_STENCIL_INVERT;
    return function_holds(list, "depth, stencil, alpha: stencil function", face->function, face->enabled) &&
           takes(list, "depth, stencil, alpha: stencil fail", (uint32_t)face->fail, 0, last) &&
           takes(list, "depth, stencil, alpha: stencil depth_fail", (uint32_t)face->depth_fail, 0, last) &&
           takes(list, "depth, stencil, alpha: stencil pass", (uint32_t)face->pass, 0, last);
}

static bool depth_stencil_alpha_holds(const struct sch_depth_stencil_alpha_options *d, struct sch_diagnostics *list)
{
    if (d->stencil[1].enabled && !d->stencil[0].enabled)
        return sch_refuse_argument(list, "depth, stencil, alpha: stencil[1] is enabled without stencil[0]");
    return function_holds(list, "depth, stencil, alpha: depth_function", d->depth_function, d->depth_enabled) &&
           is_number(list, "depth, stencil, alpha: depth_bounds_min", d->depth_bounds_min) &&
           is_number(list, "depth, stencil, alpha: depth_bounds_max", d->depth_bounds_max) &&
           face_holds(&d->stencil[0], list) && face_holds(&d->stencil[1], list) &&
           function_holds(list, "depth, stencil, alpha: alpha_function", d->alpha_function, d->alpha_enabled) &&
           is_number(list, "depth, stencil, alpha: alpha_reference", d->alpha_reference);
}

enum sch_result sch_depth_stencil_alpha_create(struct sch_context *context,
                                               const struct sch_depth_stencil_alpha_options *options,
                                               struct sch_diagnostics_list *diagnostics,
                                               struct sch_depth_stencil_alpha **made)
{
    if (!made) return SCH_ERROR_ARGUMENT;
    *made = NULL;
    struct sch_depth_stencil_alpha_options wanted;
    struct sch_diagnostics *list = begin_list(diagnostics);
    if (!context || !read_options(&wanted, sizeof wanted, options, &sch_api_default_depth_stencil_alpha) ||
        !depth_stencil_alpha_holds(&wanted, list))
        return sch_api_reported(context, diagnostics, SCH_ERROR_ARGUMENT);
    struct sch_depth_stencil_alpha *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_no_memory(context, diagnostics);
    object->context = context;
    object->number = sch_api_number(context);
    object->state = wanted;
    *made = object;
    return SCH_OK;
}

void sch_depth_stencil_alpha_destroy(struct sch_depth_stencil_alpha *state)
{
    if (state) sch_api_free(state->context, state);
}

/* ---- blending ---- */

/* MIN and MAX use no factors, so that theirs may be unset. */
static bool factor_holds(struct sch_diagnostics *list, const char *what, enum sch_blend_equation equation,
                         enum sch_blend_factor factor)
{
    const uint32_t f = (uint32_t)factor;
    const bool is_factor = (f >= SCH_FACTOR_ONE && f <= SCH_FACTOR_SRC1_ALPHA) ||
                           (f >= SCH_FACTOR_ZERO && f <= SCH_FACTOR_INV_DST_COLOR) ||
                           (f >= SCH_FACTOR_INV_CONST_COLOR && f <= SCH_FACTOR_INV_SRC1_ALPHA);
    if (is_factor || (!f && equation >= SCH_BLEND_MIN)) return true;
    return sch_refuse_argument(list, "%s %u is none", what, f);
}

static bool target_holds(const struct sch_blend_target *t, struct sch_diagnostics *list)
{
    if (!takes(list, "blend: color_mask", t->color_mask, 0, SCH_PART_COLOR)) return false;
    if (!t->enabled) return true;
    return takes(list, "blend: color_equation", (uint32_t)t->color_equation, 0, SCH_BLEND_MAX) &&
           takes(list, "blend: alpha_equation", (uint32_t)t->alpha_equation, 0, SCH_BLEND_MAX) &&
           factor_holds(list, "blend: color_source", t->color_equation, t->color_source) &&
           factor_holds(list, "blend: color_destination", t->color_equation, t->color_destination) &&
           factor_holds(list, "blend: alpha_source", t->alpha_equation, t->alpha_source) &&
           factor_holds(list, "blend: alpha_destination", t->alpha_equation, t->alpha_destination);
}

static bool blend_holds(const struct sch_blend_options *b, struct sch_diagnostics *list)
{
    const unsigned count = b->independent ? SCH_COLOR_BUFFERS : 1;
    for (unsigned i = 0; i < count; i++) {
        if (!target_holds(&b->targets[i], list)) return false;
        if (i && sch_api_needs_second_source(&b->targets[i]))
            return sch_refuse_argument(list,
                                       "blend: targets[%u] has a factor of the second source, which is of "
                                       "targets[0] only",
                                       i);
    }
    return takes(list, "blend: logic_operation", (uint32_t)b->logic_operation, 0, SCH_LOGIC_SET) &&
           takes(list, "blend: advanced", (uint32_t)b->advanced, 0, SCH_ADVANCED_HSL_LUMINOSITY);
}

/* What draws read is an enumeration's, also where it has no effect. */
static void fill_factors(struct sch_blend_target *t)
{
    if (!t->color_source) t->color_source = SCH_FACTOR_ONE;
    if (!t->color_destination) t->color_destination = SCH_FACTOR_ONE;
    if (!t->alpha_source) t->alpha_source = SCH_FACTOR_ONE;
    if (!t->alpha_destination) t->alpha_destination = SCH_FACTOR_ONE;
}

enum sch_result sch_blend_create(struct sch_context *context, const struct sch_blend_options *options,
                                 struct sch_diagnostics_list *diagnostics, struct sch_blend **made)
{
    if (!made) return SCH_ERROR_ARGUMENT;
    *made = NULL;
    struct sch_blend_options wanted;
    struct sch_diagnostics *list = begin_list(diagnostics);
    if (!context || !read_options(&wanted, sizeof wanted, options, &sch_api_default_blend) ||
        !blend_holds(&wanted, list))
        return sch_api_reported(context, diagnostics, SCH_ERROR_ARGUMENT);
    struct sch_blend *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_no_memory(context, diagnostics);
    object->context = context;
    object->number = sch_api_number(context);
    object->state = wanted;
    for (unsigned i = 0; i < SCH_COLOR_BUFFERS; i++) fill_factors(&object->state.targets[i]);
    *made = object;
    return SCH_OK;
}

void sch_blend_destroy(struct sch_blend *blend)
{
    if (blend) sch_api_free(blend->context, blend);
}

/* ---- stream output ---- */

static bool register_holds(const struct sch_stream_output_options *s, unsigned i, struct sch_diagnostics *list)
{
    const struct sch_stream_output_register *r = &s->registers[i];
    if (r->first_component > 3 || r->component_count < 1 || r->component_count > 4 - r->first_component)
        return sch_refuse_argument(list, "stream output: registers[%u] has %u components from %u on, of 4", i,
                                   r->component_count, r->first_component);
    if (r->buffer >= SCH_STREAM_BUFFERS || r->stream >= SCH_STREAM_BUFFERS)
        return sch_refuse_argument(list, "stream output: registers[%u] is of buffer %u, stream %u", i, r->buffer,
                                   r->stream);
    const uint32_t stride = s->stride[r->buffer];
    if (r->component_count <= stride && r->offset <= stride - r->component_count) return true;
    return sch_refuse_argument(list, "stream output: registers[%u] has %u words from %u on, of a vertex of %u", i,
                               r->component_count, r->offset, stride);
}

/* A buffer is of one stream (OpenGL 4.6 13.3.2, D3D 11.3 13.5.1). */
static bool streams_hold(const struct sch_stream_output_options *s, struct sch_diagnostics *list)
{
    for (unsigned i = 0; i < s->register_count; i++)
        for (unsigned k = 0; k < i; k++)
            if (s->registers[i].buffer == s->registers[k].buffer && s->registers[i].stream != s->registers[k].stream)
                return sch_refuse_argument(list,
                                           "stream output: registers[%u] and [%u] have streams %u and %u in one buffer",
                                           k, i, s->registers[k].stream, s->registers[i].stream);
    return true;
}

static bool stream_output_holds(const struct sch_stream_output_options *s, struct sch_diagnostics *list)
{
    if (!takes(list, "stream output: register_count", s->register_count, 0, SCH_STREAM_OUTPUTS)) return false;
    for (unsigned i = 0; i < s->register_count; i++)
        if (!register_holds(s, i, list)) return false;
    return streams_hold(s, list);
}

enum sch_result sch_stream_output_create(struct sch_context *context, const struct sch_stream_output_options *options,
                                         struct sch_diagnostics_list *diagnostics, struct sch_stream_output **made)
{
    if (!made) return SCH_ERROR_ARGUMENT;
    *made = NULL;
    struct sch_stream_output_options wanted;
    struct sch_diagnostics *list = begin_list(diagnostics);
    if (!context || !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, options) ||
        !stream_output_holds(&wanted, list))
        return sch_api_reported(context, diagnostics, SCH_ERROR_ARGUMENT);
    struct sch_stream_output *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_no_memory(context, diagnostics);
    object->context = context;
    object->state = wanted;
    *made = object;
    return SCH_OK;
}

void sch_stream_output_destroy(struct sch_stream_output *stream_output)
{
    if (stream_output) sch_api_free(stream_output->context, stream_output);
}
