/* CREATE_OBJECT: state objects, views, surfaces, queries and targets from their words. Fields are where
 * virgl_protocol.h of Mesa 22.3 has them (VIRGL_OBJ_*). */
#include <string.h>

#include "client.h"

/* ---- blending ---- */

static bool is_factor(uint32_t factor)
{
    return (factor >= SCH_FACTOR_ONE && factor <= SCH_FACTOR_SRC1_ALPHA) ||
           (factor >= SCH_FACTOR_ZERO && factor <= SCH_FACTOR_INV_SRC1_ALPHA && factor != 22);
}

/* Factors of 0 are sent where nothing is blended. */
static enum sch_blend_factor factor_of(uint32_t word, unsigned first)
{
    const uint32_t factor = sch_virgl_bits(word, first, 5);
    return is_factor(factor) ? (enum sch_blend_factor)factor : SCH_FACTOR_ONE;
}

static bool check_target(struct sch_virgl *virgl, uint32_t word)
{
    static const uint8_t factors[] = {4, 9, 17, 22};
    if (sch_virgl_bits(word, 1, 3) > SCH_BLEND_MAX || sch_virgl_bits(word, 14, 3) > SCH_BLEND_MAX)
        return sch_virgl_refuse(virgl, "no such blend equation in 0x%08x", word);
    for (unsigned n = 0; n < sizeof factors; n++)
        if (word & 1 && !is_factor(sch_virgl_bits(word, factors[n], 5)) && sch_virgl_bits(word, factors[n], 5))
            return sch_virgl_refuse(virgl, "no such blend factor in 0x%08x", word);
    return true;
}

static bool create_blend(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    struct sch_blend_options options = {.size = sizeof options};
    const uint32_t *words = command->words + 1;
    sch_blend_options_default(&options);
    options.independent = sch_virgl_bits(words[0], 0, 1);
    options.logic_enabled = sch_virgl_bits(words[0], 1, 1);
    options.alpha_to_coverage = sch_virgl_bits(words[0], 3, 1);
    options.alpha_to_one = sch_virgl_bits(words[0], 4, 1);
    options.logic_operation = (enum sch_logic_operation)sch_virgl_bits(words[1], 0, 4);
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++) {
        const uint32_t word = words[2 + n];
        if (!check_target(virgl, word)) return false;
        options.targets[n] =
            (struct sch_blend_target){.enabled = word & 1,
                                      .color_equation = (enum sch_blend_equation)sch_virgl_bits(word, 1, 3),
                                      .color_source = factor_of(word, 4),
                                      .color_destination = factor_of(word, 9),
                                      .alpha_equation = (enum sch_blend_equation)sch_virgl_bits(word, 14, 3),
                                      .alpha_source = factor_of(word, 17),
                                      .alpha_destination = factor_of(word, 22),
                                      .color_mask = (uint8_t)sch_virgl_bits(word, 27, 4)};
    }
    return sch_virgl_check(
        virgl, sch_blend_create(virgl->options.context, &options, sch_virgl_list(virgl), &made->blend), "blend state");
}

/* ---- rasterizer ---- */

static void set_flags(struct sch_rasterizer_options *options, uint32_t word)
{
    options->flatshade = sch_virgl_bits(word, 0, 1);
    options->depth_clip_near = options->depth_clip_far = sch_virgl_bits(word, 1, 1); /* the wire has one for both... */
    options->depth_clamp = !sch_virgl_bits(word, 1, 1);                              /* ...and clamps where it is off */
    options->clip_halfz = sch_virgl_bits(word, 2, 1);
    options->rasterizer_discard = sch_virgl_bits(word, 3, 1);
    options->flatshade_first = sch_virgl_bits(word, 4, 1);
    options->light_twoside = sch_virgl_bits(word, 5, 1);
    options->sprite_coord_mode = (enum sch_sprite_origin)sch_virgl_bits(word, 6, 1);
    options->point_quad_rasterization = sch_virgl_bits(word, 7, 1);
    options->cull_face = sch_virgl_bits(word, 8, 2);
    options->scissor = sch_virgl_bits(word, 14, 1);
    options->front_ccw = sch_virgl_bits(word, 15, 1);
    options->clamp_vertex_color = sch_virgl_bits(word, 16, 1);
    options->clamp_fragment_color = sch_virgl_bits(word, 17, 1);
    options->offset_line = sch_virgl_bits(word, 18, 1);
    options->offset_point = sch_virgl_bits(word, 19, 1);
    options->offset_tri = sch_virgl_bits(word, 20, 1);
    options->poly_smooth = sch_virgl_bits(word, 21, 1);
    options->poly_stipple_enable = sch_virgl_bits(word, 22, 1);
    options->point_smooth = sch_virgl_bits(word, 23, 1);
    options->point_size_per_vertex = sch_virgl_bits(word, 24, 1);
    options->multisample = sch_virgl_bits(word, 25, 1);
    options->line_smooth = sch_virgl_bits(word, 26, 1);
    options->line_stipple_enable = sch_virgl_bits(word, 27, 1);
    options->line_last_pixel = sch_virgl_bits(word, 28, 1);
    options->half_pixel_center = sch_virgl_bits(word, 29, 1);
    options->bottom_edge_rule = sch_virgl_bits(word, 30, 1);
    options->force_persample_interp = sch_virgl_bits(word, 31, 1);
    /* What the wire leaves out (docs/opengl.md). */
    options->line_rectangular = options->multisample || options->line_smooth;
}

static bool set_fill(struct sch_virgl *virgl, struct sch_rasterizer_options *options, uint32_t word)
{
    const uint32_t front = sch_virgl_bits(word, 10, 2), back = sch_virgl_bits(word, 12, 2);
    if (front > SCH_FILL_POINT || back > SCH_FILL_POINT)
        return sch_virgl_refuse(virgl, "no such fill mode in 0x%08x", word);
    options->fill_front = (enum sch_fill)front;
    options->fill_back = (enum sch_fill)back;
    return true;
}

static bool create_rasterizer(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    struct sch_rasterizer_options options = {.size = sizeof options};
    const uint32_t *words = command->words + 1;
    sch_rasterizer_options_default(&options);
    set_flags(&options, words[0]);
    if (!set_fill(virgl, &options, words[0])) return false;
    options.point_size = sch_virgl_float(words[1]);
    options.sprite_coord_enable = words[2];
    options.line_stipple_pattern = (uint16_t)sch_virgl_bits(words[3], 0, 16);
    options.line_stipple_factor = sch_virgl_bits(words[3], 16, 8) + 1;
    options.clip_plane_enable = sch_virgl_bits(words[3], 24, 8);
    options.line_width = sch_virgl_float(words[4]);
    options.offset_units = sch_virgl_float(words[5]);
    options.offset_scale = sch_virgl_float(words[6]);
    options.offset_clamp = sch_virgl_float(words[7]);
    return sch_virgl_check(
        virgl, sch_rasterizer_create(virgl->options.context, &options, sch_virgl_list(virgl), &made->rasterizer),
        "rasterizer");
}

/* ---- depth, stencil, alpha ---- */

/* The wire counts functions from NEVER as 0. */
static enum sch_compare compare_of(uint32_t word, unsigned first)
{
    return (enum sch_compare)(sch_virgl_bits(word, first, 3) + SCH_COMPARE_NEVER);
}

static struct sch_stencil_face face_of(uint32_t word)
{
    return (struct sch_stencil_face){.enabled = word & 1,
                                     .function = compare_of(word, 1),
                                     .fail = (enum sch_stencil_operation)sch_virgl_bits(word, 4, 3),
                                     .pass = (enum sch_stencil_operation)sch_virgl_bits(word, 7, 3),
                                     .depth_fail = (enum sch_stencil_operation)sch_virgl_bits(word, 10, 3),
                                     .value_mask = (uint8_t)sch_virgl_bits(word, 13, 8),
                                     .write_mask = (uint8_t)sch_virgl_bits(word, 21, 8)};
}

static bool create_dsa(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    const uint32_t *words = command->words + 1;
    struct sch_depth_stencil_alpha_options options = {.size = sizeof options};
    sch_depth_stencil_alpha_options_default(&options);
    options.depth_enabled = sch_virgl_bits(words[0], 0, 1);
    options.depth_writes = sch_virgl_bits(words[0], 1, 1);
    options.depth_function = compare_of(words[0], 2);
    options.alpha_enabled = sch_virgl_bits(words[0], 8, 1);
    options.alpha_function = compare_of(words[0], 9);
    options.stencil[0] = face_of(words[1]);
    options.stencil[1] = face_of(words[2]);
    if (!options.stencil[0].enabled) options.stencil[1].enabled = false; /* of two faces, or of none */
    options.alpha_reference = sch_virgl_float(words[3]);
    return sch_virgl_check(
        virgl, sch_depth_stencil_alpha_create(virgl->options.context, &options, sch_virgl_list(virgl), &made->dsa),
        "depth-stencil-alpha state");
}

/* ---- vertices ---- */

/* The library's objects have strides, too, which come with the buffers: they are made at a draw. */
static bool create_elements(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    struct elements *elements = &made->elements;
    const uint32_t *words = command->words + 1;
    elements->count = (command->count - 1) / 4;
    if ((command->count - 1) % 4 || elements->count > SCH_VERTEX_ELEMENTS)
        return sch_virgl_refuse(virgl, "%u words are not vertex elements", command->count);
    for (uint32_t n = 0; n < elements->count; n++, words += 4) {
        elements->items[n] = (struct sch_vertex_element){
            .format = sch_virgl_format(words[3]), .buffer = words[2], .offset = words[0], .divisor = words[1]};
        if (elements->items[n].format == SCH_FORMAT_NONE)
            return sch_virgl_refuse(virgl, "vertex element %u: no format %u", n, words[3]);
        if (words[2] >= SCH_VERTEX_BUFFERS)
            return sch_virgl_refuse(virgl, "vertex element %u: no vertex buffer %u", n, words[2]);
    }
    return true;
}

/* ---- textures ---- */

static bool create_sampler(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    static const uint8_t mips[] = {SCH_MIP_NEAREST, SCH_MIP_LINEAR, SCH_MIP_NONE};
    const uint32_t *words = command->words + 1, word = words[0];
    const uint32_t mip = sch_virgl_bits(word, 11, 2), min = sch_virgl_bits(word, 9, 2),
                   mag = sch_virgl_bits(word, 13, 2);
    if (mip >= sizeof mips || min > SCH_FILTER_LINEAR || mag > SCH_FILTER_LINEAR)
        return sch_virgl_refuse(virgl, "no such filter in 0x%08x", word);
    struct sch_sampler_options options = {.size = sizeof options,
                                          .wrap_s = (enum sch_wrap)sch_virgl_bits(word, 0, 3),
                                          .wrap_t = (enum sch_wrap)sch_virgl_bits(word, 3, 3),
                                          .wrap_r = (enum sch_wrap)sch_virgl_bits(word, 6, 3),
                                          .min_filter = (enum sch_filter)min,
                                          .mag_filter = (enum sch_filter)mag,
                                          .mip_filter = (enum sch_mip_filter)mips[mip],
                                          .max_anisotropy = sch_virgl_bits(word, 20, 6),
                                          .compare =
                                              sch_virgl_bits(word, 15, 1) ? compare_of(word, 16) : SCH_COMPARE_NONE,
                                          .non_seamless_cube_map = !sch_virgl_bits(word, 19, 1),
                                          .lod_bias = sch_virgl_float(words[1]),
                                          .min_lod = sch_virgl_float(words[2]),
                                          .max_lod = sch_virgl_float(words[3]),
                                          .border_is_words = true};
    if (options.max_anisotropy > 16) options.max_anisotropy = 16;
    /* Both 0 would mean no limit; below 0 every level is the first, as at 0. */
    if (options.min_lod == 0 && options.max_lod == 0) options.min_lod = -1;
    memcpy(options.border_words, words + 4, sizeof options.border_words);
    return sch_virgl_check(
        virgl, sch_sampler_create(virgl->options.context, &options, sch_virgl_list(virgl), &made->sampler), "sampler");
}

/* What the words of a view say of its resource. */
static bool set_view_range(struct sch_virgl *virgl, struct sch_view_options *options, const uint32_t *words,
                           bool buffer)
{
    const uint32_t first = buffer ? words[0] : sch_virgl_bits(words[0], 0, 16);
    const uint32_t last = buffer ? words[1] : sch_virgl_bits(words[0], 16, 16);
    const uint32_t first_level = sch_virgl_bits(words[1], 0, 8), last_level = sch_virgl_bits(words[1], 8, 8);
    if (last < first || last - first == UINT32_MAX || (!buffer && last_level < first_level))
        return sch_virgl_refuse(virgl, "a range that ends before it begins");
    if (buffer) {
        options->first_element = first;
        options->element_count = last - first + 1;
        return true;
    }
    options->first_layer = first;
    options->layer_count = last - first + 1;
    options->first_level = first_level;
    options->level_count = last_level - first_level + 1;
    return true;
}

static bool is_three_dimensional(const struct sch_virgl_resource *resource) { return resource->as_asked.target == 3; }

static bool create_view(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    const uint32_t *words = command->words;
    struct sch_virgl_resource *resource = sch_virgl_resource_find(virgl, words[1]);
    if (!resource) return false;
    const bool buffer = resource->as_asked.target == 0;
    struct sch_view_options options = {.size = sizeof options,
                                       .format = sch_virgl_format(words[2] & 0xffffff),
                                       .swizzled = true,
                                       .has_target = !buffer,
                                       .diagnostics = sch_virgl_list(virgl)};
    if (options.format == SCH_FORMAT_NONE) return sch_virgl_refuse(virgl, "no format %u", words[2] & 0xffffff);
    if (!buffer && !sch_virgl_view_target(words[2] >> 24, resource->as_asked.samples > 1, &options.target))
        return sch_virgl_refuse(virgl, "no target %u", words[2] >> 24);
    if (!set_view_range(virgl, &options, words + 3, buffer)) return false;
    if (is_three_dimensional(resource)) options.first_layer = options.layer_count = 0;
    for (unsigned c = 0; c < 4; c++) {
        options.swizzle[c] = (uint8_t)sch_virgl_bits(words[5], 3 * c, 3);
        if (options.swizzle[c] > 5) return sch_virgl_refuse(virgl, "no such swizzle in 0x%08x", words[5]);
    }
    return sch_virgl_check(virgl, sch_view_create(resource->resource, &options, &made->view), "sampler view");
}

static uint32_t side_of(uint32_t side, uint32_t level) { return level < 32 && side >> level ? side >> level : 1; }

static bool create_surface(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    const uint32_t *words = command->words;
    struct sch_virgl_resource *resource = sch_virgl_resource_find(virgl, words[1]);
    if (!resource) return false;
    const uint32_t first = sch_virgl_bits(words[4], 0, 16), last = sch_virgl_bits(words[4], 16, 16);
    const struct sch_surface_options options = {.size = sizeof options,
                                                .format = sch_virgl_format(words[2]),
                                                .level = words[3],
                                                .first_layer = first,
                                                .layer_count = last - first + 1};
    if (options.format == SCH_FORMAT_NONE) return sch_virgl_refuse(virgl, "no format %u", words[2]);
    if (last < first) return sch_virgl_refuse(virgl, "layers from %u to %u", first, last);
    made->kind = OBJECT_SURFACE; /* of MSAA_SURFACE, too, whose samples are the resource's */
    made->surface.of = (struct sch_virgl_buffer){.resource = resource->resource,
                                                 .level = words[3],
                                                 .width = side_of(resource->as_asked.width, words[3]),
                                                 .height = side_of(resource->as_asked.height, words[3])};
    return sch_virgl_check(
        virgl, sch_surface_create(resource->resource, &options, sch_virgl_list(virgl), &made->surface.made), "surface");
}

static bool create_msaa_surface(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    if (command->words[5] > 1) return sch_virgl_refuse(virgl, "samples that the resource does not have");
    return create_surface(virgl, made, command);
}

static bool create_stream_target(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    const uint32_t *words = command->words;
    struct sch_virgl_resource *resource = sch_virgl_resource_find(virgl, words[1]);
    if (!resource) return false;
    const struct sch_stream_target_options options = {
        .size = sizeof options, .resource = resource->resource, .offset = words[2], .bytes = words[3]};
    if (!words[3]) return sch_virgl_refuse(virgl, "a target without bytes");
    if (!sch_virgl_check(
            virgl,
            sch_stream_target_create(virgl->options.context, &options, sch_virgl_list(virgl), &made->target.target),
            "stream-output target"))
        return false;
    made->target.resource = sch_virgl_resource_hold(resource);
    made->target.offset = words[2];
    made->target.bytes = words[3];
    return true;
}

static bool create_shader(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    return sch_virgl_make_shader(virgl, made, command);
}

static bool create_query(struct sch_virgl *virgl, struct object *made, const struct command *command)
{
    return sch_virgl_make_query(virgl, &made->query, command);
}

/* ---- all kinds ---- */

static void end_blend(struct sch_virgl *virgl, struct object *object)
{
    (void)virgl;
    sch_blend_destroy(object->blend);
}

static void end_rasterizer(struct sch_virgl *virgl, struct object *object)
{
    (void)virgl;
    sch_rasterizer_destroy(object->rasterizer);
}

static void end_dsa(struct sch_virgl *virgl, struct object *object)
{
    (void)virgl;
    sch_depth_stencil_alpha_destroy(object->dsa);
}

static void end_elements(struct sch_virgl *virgl, struct object *object)
{
    (void)virgl;
    sch_vertex_elements_destroy(object->elements.made);
}

static void end_view(struct sch_virgl *virgl, struct object *object)
{
    (void)virgl;
    sch_view_destroy(object->view);
}

static void end_sampler(struct sch_virgl *virgl, struct object *object)
{
    (void)virgl;
    sch_sampler_destroy(object->sampler);
}

static void end_surface(struct sch_virgl *virgl, struct object *object)
{
    (void)virgl;
    sch_surface_destroy(object->surface.made);
}

static void end_stream_target(struct sch_virgl *virgl, struct object *object)
{
    sch_stream_target_destroy(object->target.target);
    sch_virgl_resource_drop(virgl, object->target.resource);
}

static const struct {
    bool (*create)(struct sch_virgl *virgl, struct object *made, const struct command *command);
    void (*end)(struct sch_virgl *virgl, struct object *object);
} kinds[OBJECT_KINDS] = {
    [OBJECT_BLEND] = {create_blend, end_blend},
    [OBJECT_RASTERIZER] = {create_rasterizer, end_rasterizer},
    [OBJECT_DSA] = {create_dsa, end_dsa},
    [OBJECT_SHADER] = {create_shader, sch_virgl_end_shader},
    [OBJECT_VERTEX_ELEMENTS] = {create_elements, end_elements},
    [OBJECT_SAMPLER_VIEW] = {create_view, end_view},
    [OBJECT_SAMPLER_STATE] = {create_sampler, end_sampler},
    [OBJECT_SURFACE] = {create_surface, end_surface},
    [OBJECT_QUERY] = {create_query, sch_virgl_end_query_object},
    [OBJECT_STREAMOUT_TARGET] = {create_stream_target, end_stream_target},
    [OBJECT_MSAA_SURFACE] = {create_msaa_surface, end_surface},
};

static const struct {
    uint32_t least, most;
} lengths[OBJECT_KINDS] = {
#define OBJECT(name, least, most, words) [OBJECT_##name] = {least, most},
#include "objects.def"
#undef OBJECT
};

bool sch_virgl_create_object(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t handle = command->words[0];
    struct sch_virgl_map *objects = &virgl->sub->objects;
    if (command->kind >= OBJECT_KINDS || !kinds[command->kind].create)
        return sch_virgl_refuse(virgl, "there is no kind %u of objects", command->kind);
    if (command->count < lengths[command->kind].least || command->count > lengths[command->kind].most)
        return sch_virgl_refuse(virgl, "%u words for an object of kind %u, which has %u to %u", command->count,
                                command->kind, lengths[command->kind].least, lengths[command->kind].most);
    if (command->kind == OBJECT_SHADER && sch_virgl_is_continuation(command))
        return sch_virgl_continue_shader(virgl, command);
    if (!handle || sch_virgl_map_get(objects, handle)) return sch_virgl_refuse(virgl, "handle %u is in use", handle);
    struct object *made = sch_virgl_alloc(virgl, sizeof *made);
    if (!made) return false;
    made->kind = (enum object_kind)command->kind;
    made->references = 1;
    made->end = kinds[command->kind].end;
    if (kinds[command->kind].create(virgl, made, command)) {
        if (sch_virgl_map_put(objects, &virgl->memory, handle, made)) return true;
        sch_virgl_refuse_for(virgl, SCH_VIRGL_WHY_MEMORY, "no memory");
    }
    sch_virgl_object_drop(virgl, made);
    return false;
}
