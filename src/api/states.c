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
        return sch_refuse_argument(list, "state.dynamic.size",
                                   "dynamic state: a size of %zu bytes, or members that this version does not have",
                                   given->size);
    if (taken->viewport_count < 1 || taken->viewport_count > SCH_VIEWPORTS)
        return sch_refuse_argument(list, "state.dynamic.viewport_count", "dynamic state: viewport_count %u, of 1 to %d",
                                   taken->viewport_count, SCH_VIEWPORTS);
    if (taken->patch_vertices > SCH_PATCH_VERTICES)
        return sch_refuse_argument(list, "state.dynamic.patch_vertices",
                                   "dynamic state: patch_vertices %u, of at most %d", taken->patch_vertices,
                                   SCH_PATCH_VERTICES);
    return true;
}

/* ---- members ---- */

/* What is checked of a state: `of` is its name in reports. */
struct check {
    struct sch_diagnostics *list;
    const char *of;
};

/* A number from `first` to `last`; `argument` is the member, after a dot. */
static bool takes(const struct check *check, const char *argument, uint32_t value, uint32_t first, uint32_t last)
{
    if (value >= first && value <= last) return true;
    return sch_refuse_argument(check->list, argument, "%s: %s %u, of %u to %u", check->of, argument + 1, value, first,
                               last);
}

static bool is_number(const struct check *check, const char *argument, float value)
{
    return !isnan(value) || sch_refuse_argument(check->list, argument, "%s: %s is NaN", check->of, argument + 1);
}

/* A size that is too large becomes the greatest. */
static bool takes_size(const struct check *check, const char *argument, float value)
{
    return value >= 0 || sch_refuse_argument(check->list, argument, "%s: %s %g is not a size", check->of, argument + 1,
                                             (double)value);
}

/* The caller's options, or for NULL the default; false: refused. */
static bool read_options(struct sch_api_call *call, struct sch_context *context, const void *made, void *wanted,
                         size_t bytes, const void *given, const void *otherwise)
{
    if (!sch_api_given(call, made, "made") || !sch_api_given(call, context, "context")) return false;
    if (!given && otherwise) memcpy(wanted, otherwise, bytes);
    return (!given && otherwise) || sch_api_read(call, "options", wanted, bytes, bytes, given);
}

/* ---- rasterizer ---- */

static bool is_quarter(float dilate) { return dilate == 0 || dilate == 0.25f || dilate == 0.5f || dilate == 0.75f; }

static bool rasterizer_holds(const struct sch_rasterizer_options *r, struct sch_diagnostics *list)
{
    const struct check check = {list, "rasterizer"};
    const uint32_t faces = SCH_FACE_FRONT | SCH_FACE_BACK, planes = (1u << SCH_CLIP_PLANES) - 1;
    return takes(&check, ".cull_face", r->cull_face, 0, faces) &&
           takes(&check, ".fill_front", (uint32_t)r->fill_front, SCH_FILL_SOLID, SCH_FILL_POINT) &&
           takes(&check, ".fill_back", (uint32_t)r->fill_back, SCH_FILL_SOLID, SCH_FILL_POINT) &&
           is_number(&check, ".offset_units", r->offset_units) && is_number(&check, ".offset_scale", r->offset_scale) &&
           takes_size(&check, ".point_size", r->point_size) && takes_size(&check, ".line_width", r->line_width) &&
           takes(&check, ".sprite_coord_mode", (uint32_t)r->sprite_coord_mode, SCH_SPRITE_UPPER_LEFT,
                 SCH_SPRITE_LOWER_LEFT) &&
           takes(&check, ".line_stipple_factor", r->line_stipple_factor, 0, 256) &&
           takes(&check, ".conservative", (uint32_t)r->conservative, SCH_CONSERVATIVE_OFF, SCH_CONSERVATIVE_PRE_SNAP) &&
           (is_quarter(r->conservative_dilate) ||
            sch_refuse_argument(list, ".conservative_dilate", "rasterizer: conservative_dilate %g",
                                (double)r->conservative_dilate)) &&
           takes(&check, ".clip_plane_enable", r->clip_plane_enable, 0, planes);
}

enum sch_result sch_rasterizer_create(struct sch_context *context, const struct sch_rasterizer_options *options,
                                      struct sch_diagnostics_list *diagnostics, struct sch_rasterizer **made)
{
    struct sch_api_call call;
    struct sch_rasterizer_options wanted;
    sch_api_begin(&call, context, diagnostics, __func__, "options");
    if (made) *made = NULL;
    if (!read_options(&call, context, made, &wanted, sizeof wanted, options, &sch_api_default_rasterizer) ||
        !rasterizer_holds(&wanted, call.list))
        return sch_api_refused(&call);
    struct sch_rasterizer *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_end(&call, SCH_ERROR_MEMORY);
    object->context = context;
    object->number = sch_api_number(context);
    object->state = wanted;
    *made = object;
    return sch_api_end(&call, SCH_OK);
}

void sch_rasterizer_destroy(struct sch_rasterizer *rasterizer)
{
    if (rasterizer) sch_api_free(rasterizer->context, rasterizer);
}

/* ---- depth, stencil, alpha ---- */

static bool function_holds(const struct check *check, const char *argument, enum sch_compare function, bool enabled)
{
    return takes(check, argument, (uint32_t)function, enabled ? SCH_COMPARE_NEVER : SCH_COMPARE_NONE,
                 SCH_COMPARE_ALWAYS);
}

static bool face_holds(const struct check *check, const struct sch_stencil_face *face, bool back)
{
    static const char *const members[2][4] = {
        {".stencil[0].function", ".stencil[0].fail", ".stencil[0].depth_fail", ".stencil[0].pass"},
        {".stencil[1].function", ".stencil[1].fail", ".stencil[1].depth_fail", ".stencil[1].pass"}};
    const uint32_t last = SCH_STENCIL_INVERT;
    const char *const *member = members[back];
    return function_holds(check, member[0], face->function, face->enabled) &&
           takes(check, member[1], (uint32_t)face->fail, 0, last) &&
           takes(check, member[2], (uint32_t)face->depth_fail, 0, last) &&
           takes(check, member[3], (uint32_t)face->pass, 0, last);
}

static bool depth_stencil_alpha_holds(const struct sch_depth_stencil_alpha_options *d, struct sch_diagnostics *list)
{
    const struct check check = {list, "depth, stencil, alpha"};
    if (d->stencil[1].enabled && !d->stencil[0].enabled)
        return sch_refuse_argument(list, ".stencil[1].enabled",
                                   "depth, stencil, alpha: stencil[1] is enabled without stencil[0]");
    return function_holds(&check, ".depth_function", d->depth_function, d->depth_enabled) &&
           is_number(&check, ".depth_bounds_min", d->depth_bounds_min) &&
           is_number(&check, ".depth_bounds_max", d->depth_bounds_max) && face_holds(&check, &d->stencil[0], false) &&
           face_holds(&check, &d->stencil[1], true) &&
           function_holds(&check, ".alpha_function", d->alpha_function, d->alpha_enabled) &&
           is_number(&check, ".alpha_reference", d->alpha_reference);
}

enum sch_result sch_depth_stencil_alpha_create(struct sch_context *context,
                                               const struct sch_depth_stencil_alpha_options *options,
                                               struct sch_diagnostics_list *diagnostics,
                                               struct sch_depth_stencil_alpha **made)
{
    struct sch_api_call call;
    struct sch_depth_stencil_alpha_options wanted;
    sch_api_begin(&call, context, diagnostics, __func__, "options");
    if (made) *made = NULL;
    if (!read_options(&call, context, made, &wanted, sizeof wanted, options, &sch_api_default_depth_stencil_alpha) ||
        !depth_stencil_alpha_holds(&wanted, call.list))
        return sch_api_refused(&call);
    struct sch_depth_stencil_alpha *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_end(&call, SCH_ERROR_MEMORY);
    object->context = context;
    object->number = sch_api_number(context);
    object->state = wanted;
    *made = object;
    return sch_api_end(&call, SCH_OK);
}

void sch_depth_stencil_alpha_destroy(struct sch_depth_stencil_alpha *state)
{
    if (state) sch_api_free(state->context, state);
}

/* ---- blending ---- */

/* MIN and MAX use no factors, so that theirs may be unset. */
static bool factor_holds(const struct check *check, const char *argument, unsigned target,
                         enum sch_blend_equation equation, enum sch_blend_factor factor)
{
    const uint32_t f = (uint32_t)factor;
    const bool is_factor = (f >= SCH_FACTOR_ONE && f <= SCH_FACTOR_SRC1_ALPHA) ||
                           (f >= SCH_FACTOR_ZERO && f <= SCH_FACTOR_INV_DST_COLOR) ||
                           (f >= SCH_FACTOR_INV_CONST_COLOR && f <= SCH_FACTOR_INV_SRC1_ALPHA);
    if (is_factor || (!f && equation >= SCH_BLEND_MIN)) return true;
    return sch_refuse_element(check->list, argument, target, "blend: %s %u does not exist", strrchr(argument, '.') + 1,
                              f);
}

static bool target_takes(const struct check *check, const char *argument, unsigned target, uint32_t value,
                         uint32_t last)
{
    return value <= last || sch_refuse_element(check->list, argument, target, "blend: %s %u, of 0 to %u",
                                               strrchr(argument, '.') + 1, value, last);
}

static bool target_holds(const struct check *check, const struct sch_blend_target *t, unsigned i)
{
    const enum sch_blend_equation color = t->color_equation, alpha = t->alpha_equation;
    if (!target_takes(check, ".targets[#].color_mask", i, t->color_mask, SCH_PART_COLOR)) return false;
    if (!t->enabled) return true;
    return target_takes(check, ".targets[#].color_equation", i, (uint32_t)color, SCH_BLEND_MAX) &&
           target_takes(check, ".targets[#].alpha_equation", i, (uint32_t)alpha, SCH_BLEND_MAX) &&
           factor_holds(check, ".targets[#].color_source", i, color, t->color_source) &&
           factor_holds(check, ".targets[#].color_destination", i, color, t->color_destination) &&
           factor_holds(check, ".targets[#].alpha_source", i, alpha, t->alpha_source) &&
           factor_holds(check, ".targets[#].alpha_destination", i, alpha, t->alpha_destination);
}

static bool blend_holds(const struct sch_blend_options *b, struct sch_diagnostics *list)
{
    const struct check check = {list, "blend"};
    const unsigned count = b->independent ? SCH_COLOR_BUFFERS : 1;
    for (unsigned i = 0; i < count; i++) {
        if (!target_holds(&check, &b->targets[i], i)) return false;
        if (i && sch_api_needs_second_source(&b->targets[i]))
            return sch_refuse_element(list, ".targets[#]", i,
                                      "blend: targets[%u] has a factor of the second source, which is of "
                                      "targets[0] only",
                                      i);
    }
    return takes(&check, ".logic_operation", (uint32_t)b->logic_operation, 0, SCH_LOGIC_SET) &&
           takes(&check, ".advanced", (uint32_t)b->advanced, 0, SCH_ADVANCED_HSL_LUMINOSITY);
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
    struct sch_api_call call;
    struct sch_blend_options wanted;
    sch_api_begin(&call, context, diagnostics, __func__, "options");
    if (made) *made = NULL;
    if (!read_options(&call, context, made, &wanted, sizeof wanted, options, &sch_api_default_blend) ||
        !blend_holds(&wanted, call.list))
        return sch_api_refused(&call);
    struct sch_blend *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_end(&call, SCH_ERROR_MEMORY);
    object->context = context;
    object->number = sch_api_number(context);
    object->state = wanted;
    for (unsigned i = 0; i < SCH_COLOR_BUFFERS; i++) fill_factors(&object->state.targets[i]);
    *made = object;
    return sch_api_end(&call, SCH_OK);
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
        return sch_refuse_element(list, ".registers[#].component_count", i,
                                  "stream output: registers[%u] has %u components from %u on, of 4", i,
                                  r->component_count, r->first_component);
    if (r->buffer >= SCH_STREAM_BUFFERS || r->stream >= SCH_STREAM_BUFFERS)
        return sch_refuse_element(list,
                                  r->buffer >= SCH_STREAM_BUFFERS ? ".registers[#].buffer" : ".registers[#].stream", i,
                                  "stream output: registers[%u] is of buffer %u, stream %u", i, r->buffer, r->stream);
    const uint32_t stride = s->stride[r->buffer];
    if (r->component_count <= stride && r->offset <= stride - r->component_count) return true;
    return sch_refuse_element(list, ".registers[#].offset", i,
                              "stream output: registers[%u] has %u words from %u on, of a vertex of %u", i,
                              r->component_count, r->offset, stride);
}

/* A buffer is of one stream (OpenGL 4.6 13.3.2, D3D 11.3 13.5.1). */
static bool streams_hold(const struct sch_stream_output_options *s, struct sch_diagnostics *list)
{
    for (unsigned i = 0; i < s->register_count; i++)
        for (unsigned k = 0; k < i; k++)
            if (s->registers[i].buffer == s->registers[k].buffer && s->registers[i].stream != s->registers[k].stream)
                return sch_refuse_element(list, ".registers[#].stream", i,
                                          "stream output: registers[%u] and [%u] have streams %u and %u in one buffer",
                                          k, i, s->registers[k].stream, s->registers[i].stream);
    return true;
}

static bool stream_output_holds(const struct sch_stream_output_options *s, struct sch_diagnostics *list)
{
    const struct check check = {list, "stream output"};
    if (!takes(&check, ".register_count", s->register_count, 0, SCH_STREAM_OUTPUTS)) return false;
    for (unsigned i = 0; i < s->register_count; i++)
        if (!register_holds(s, i, list)) return false;
    return streams_hold(s, list);
}

enum sch_result sch_stream_output_create(struct sch_context *context, const struct sch_stream_output_options *options,
                                         struct sch_diagnostics_list *diagnostics, struct sch_stream_output **made)
{
    struct sch_api_call call;
    struct sch_stream_output_options wanted;
    sch_api_begin(&call, context, diagnostics, __func__, "options");
    if (made) *made = NULL;
    if (!read_options(&call, context, made, &wanted, sizeof wanted, options, NULL) ||
        !stream_output_holds(&wanted, call.list))
        return sch_api_refused(&call);
    struct sch_stream_output *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_end(&call, SCH_ERROR_MEMORY);
    object->context = context;
    object->state = wanted;
    *made = object;
    return sch_api_end(&call, SCH_OK);
}

void sch_stream_output_destroy(struct sch_stream_output *stream_output)
{
    if (stream_output) sch_api_free(stream_output->context, stream_output);
}
