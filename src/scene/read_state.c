/* State objects: lines of a member's name, which is that of include/scheelite/state.h, and its value. */
#include "members.h"

static const char no_member[] = "no member of this state has this name";

/* ---- rasterizer -------------------------------------------------------------------------------------------------- */

/* Bits of enum sch_face. */
static const char *const faces[] = {"none", "front", "back", "front_and_back", NULL};

static const struct sch_scene_member rasterizer_members[] = {
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, flatshade),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, flatshade_first),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, light_twoside),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, clamp_vertex_color),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, clamp_fragment_color),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, front_ccw),
    SCH_SCENE_MEMBER(WORD, sch_rasterizer_options, cull_face, .words = faces),
    SCH_SCENE_MEMBER(WORD, sch_rasterizer_options, fill_front, .words = sch_fill_words),
    SCH_SCENE_MEMBER(WORD, sch_rasterizer_options, fill_back, .words = sch_fill_words),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, offset_point),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, offset_line),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, offset_tri),
    SCH_SCENE_MEMBER(FLOAT, sch_rasterizer_options, offset_units),
    SCH_SCENE_MEMBER(FLOAT, sch_rasterizer_options, offset_scale),
    SCH_SCENE_MEMBER(FLOAT, sch_rasterizer_options, offset_clamp),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, offset_units_unscaled),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, scissor),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, poly_smooth),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, poly_stipple_enable),
    SCH_SCENE_MEMBER(FLOAT, sch_rasterizer_options, point_size),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, point_size_per_vertex),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, point_smooth),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, point_quad_rasterization),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, point_tri_clip),
    SCH_SCENE_MEMBER(U32, sch_rasterizer_options, sprite_coord_enable),
    SCH_SCENE_MEMBER(WORD, sch_rasterizer_options, sprite_coord_mode, .words = sch_sprite_origin_words),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, sprite_coord_generic),
    SCH_SCENE_MEMBER(FLOAT, sch_rasterizer_options, line_width),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, line_smooth),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, line_rectangular),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, line_last_pixel),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, line_stipple_enable),
    SCH_SCENE_MEMBER(U16, sch_rasterizer_options, line_stipple_pattern),
    SCH_SCENE_MEMBER(U32, sch_rasterizer_options, line_stipple_factor),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, multisample),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, force_persample_interp),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, half_pixel_center),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, bottom_edge_rule),
    SCH_SCENE_MEMBER(WORD, sch_rasterizer_options, conservative, .words = sch_conservative_words),
    SCH_SCENE_MEMBER(FLOAT, sch_rasterizer_options, conservative_dilate),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, rasterizer_discard),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, depth_clip_near),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, depth_clip_far),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, depth_clamp),
    SCH_SCENE_MEMBER(BOOL, sch_rasterizer_options, clip_halfz),
    SCH_SCENE_MEMBER(U32, sch_rasterizer_options, clip_plane_enable),
    SCH_SCENE_NO_MORE};

/* ---- depth, stencil, alpha --------------------------------------------------------------------------------------- */

static const struct sch_scene_member face_members[] = {
    SCH_SCENE_MEMBER(BOOL, sch_stencil_face, enabled),
    SCH_SCENE_MEMBER(WORD, sch_stencil_face, function, .words = sch_compare_words),
    SCH_SCENE_MEMBER(WORD, sch_stencil_face, fail, .words = sch_stencil_operation_words),
    SCH_SCENE_MEMBER(WORD, sch_stencil_face, depth_fail, .words = sch_stencil_operation_words),
    SCH_SCENE_MEMBER(WORD, sch_stencil_face, pass, .words = sch_stencil_operation_words),
    SCH_SCENE_MEMBER(U8, sch_stencil_face, value_mask),
    SCH_SCENE_MEMBER(U8, sch_stencil_face, write_mask),
    SCH_SCENE_NO_MORE};

/* stencil front|back { ... }: a face that is given is enabled. */
static void read_stencil(struct sch_scene_text *text, void *state)
{
    static const char *const words[] = {"front", "back", NULL};
    struct sch_depth_stencil_alpha_options *options = state;
    uint32_t which = 0;
    if (!sch_scene_choice(text, words, "the face", &which)) return;
    struct sch_stencil_face *face = &options->stencil[which];
    face->enabled = true;
    face->function = SCH_COMPARE_ALWAYS;
    face->value_mask = face->write_mask = 0xff;
    sch_scene_block(text, face_members, face, no_member);
}

static const struct sch_scene_member depth_members[] = {
    SCH_SCENE_MEMBER(BOOL, sch_depth_stencil_alpha_options, depth_enabled),
    SCH_SCENE_MEMBER(BOOL, sch_depth_stencil_alpha_options, depth_writes),
    SCH_SCENE_MEMBER(WORD, sch_depth_stencil_alpha_options, depth_function, .words = sch_compare_words),
    SCH_SCENE_MEMBER(BOOL, sch_depth_stencil_alpha_options, depth_bounds),
    SCH_SCENE_MEMBER(FLOAT, sch_depth_stencil_alpha_options, depth_bounds_min),
    SCH_SCENE_MEMBER(FLOAT, sch_depth_stencil_alpha_options, depth_bounds_max),
    SCH_SCENE_MEMBER(BOOL, sch_depth_stencil_alpha_options, alpha_enabled),
    SCH_SCENE_MEMBER(WORD, sch_depth_stencil_alpha_options, alpha_function, .words = sch_compare_words),
    SCH_SCENE_MEMBER(FLOAT, sch_depth_stencil_alpha_options, alpha_reference),
    SCH_SCENE_OWN("stencil", read_stencil),
    SCH_SCENE_NO_MORE};

/* ---- blending ---------------------------------------------------------------------------------------------------- */

static const struct sch_scene_member target_members[] = {
    SCH_SCENE_MEMBER(BOOL, sch_blend_target, enabled),
    SCH_SCENE_MEMBER(WORD, sch_blend_target, color_equation, .words = sch_blend_equation_words),
    SCH_SCENE_MEMBER(WORD, sch_blend_target, color_source, .words = sch_blend_factor_words),
    SCH_SCENE_MEMBER(WORD, sch_blend_target, color_destination, .words = sch_blend_factor_words),
    SCH_SCENE_MEMBER(WORD, sch_blend_target, alpha_equation, .words = sch_blend_equation_words),
    SCH_SCENE_MEMBER(WORD, sch_blend_target, alpha_source, .words = sch_blend_factor_words),
    SCH_SCENE_MEMBER(WORD, sch_blend_target, alpha_destination, .words = sch_blend_factor_words),
    SCH_SCENE_MEMBER(U8, sch_blend_target, color_mask),
    SCH_SCENE_NO_MORE};

/* target N { ... }; a target that is given blends unless it says otherwise. */
static void read_target(struct sch_scene_text *text, void *state)
{
    struct sch_blend_options *options = state;
    uint32_t number;
    if (!sch_scene_u32(text, "a target", 0, SCH_COLOR_BUFFERS - 1, &number)) return;
    if (number) options->independent = true;
    options->targets[number].enabled = true;
    sch_scene_block(text, target_members, &options->targets[number], no_member);
}

static const struct sch_scene_member blend_members[] = {
    SCH_SCENE_MEMBER(BOOL, sch_blend_options, independent),
    SCH_SCENE_MEMBER(BOOL, sch_blend_options, logic_enabled),
    SCH_SCENE_MEMBER(WORD, sch_blend_options, logic_operation, .words = sch_logic_operation_words),
    SCH_SCENE_MEMBER(BOOL, sch_blend_options, alpha_to_coverage),
    SCH_SCENE_MEMBER(BOOL, sch_blend_options, alpha_to_one),
    SCH_SCENE_MEMBER(WORD, sch_blend_options, advanced, .words = sch_advanced_blend_words),
    SCH_SCENE_OWN("target", read_target),
    SCH_SCENE_NO_MORE};

void sch_scene_read_state(struct sch_scene_text *text, struct sch_scene_object *object)
{
    switch (object->kind) {
    case SCH_SCENE_RASTERIZER:
        object->rasterizer.size = sizeof object->rasterizer;
        sch_rasterizer_options_default(&object->rasterizer);
        sch_scene_block(text, rasterizer_members, &object->rasterizer, no_member);
        break;
    case SCH_SCENE_DEPTH_STENCIL_ALPHA:
        object->depth_stencil_alpha.size = sizeof object->depth_stencil_alpha;
        sch_depth_stencil_alpha_options_default(&object->depth_stencil_alpha);
        sch_scene_block(text, depth_members, &object->depth_stencil_alpha, no_member);
        break;
    default: /* SCH_SCENE_BLEND */
        object->blend.size = sizeof object->blend;
        sch_blend_options_default(&object->blend);
        sch_scene_block(text, blend_members, &object->blend, no_member);
        break;
    }
}

/* ---- samplers ---------------------------------------------------------------------------------------------------- */

/* Those of Maxwell are for its own lookups. */
static const char *const rules[] = {"tgsi", "d3d", NULL};

/* wrap W, filter F: of all directions, of both sides. border_words: of integer formats. */
static void read_wrap(struct sch_scene_text *text, void *state)
{
    struct sch_sampler_options *options = state;
    uint32_t chosen = 0;
    if (sch_scene_choice(text, sch_wrap_words, "wrap", &chosen))
        options->wrap_s = options->wrap_t = options->wrap_r = (enum sch_wrap)chosen;
}

static void read_filter(struct sch_scene_text *text, void *state)
{
    struct sch_sampler_options *options = state;
    uint32_t chosen = 0;
    if (sch_scene_choice(text, sch_filter_words, "filter", &chosen))
        options->min_filter = options->mag_filter = (enum sch_filter)chosen;
}

static void read_border_words(struct sch_scene_text *text, void *state)
{
    struct sch_sampler_options *options = state;
    options->border_is_words = true;
    for (unsigned i = 0; i < 4; i++)
        if (!sch_scene_u32(text, "border_words", 0, UINT32_MAX, &options->border_words[i])) return;
}

static const struct sch_scene_member sampler_members[] = {
    SCH_SCENE_MEMBER(WORD, sch_sampler_options, wrap_s, .words = sch_wrap_words),
    SCH_SCENE_MEMBER(WORD, sch_sampler_options, wrap_t, .words = sch_wrap_words),
    SCH_SCENE_MEMBER(WORD, sch_sampler_options, wrap_r, .words = sch_wrap_words),
    SCH_SCENE_MEMBER(WORD, sch_sampler_options, min_filter, .words = sch_filter_words),
    SCH_SCENE_MEMBER(WORD, sch_sampler_options, mag_filter, .words = sch_filter_words),
    SCH_SCENE_MEMBER(WORD, sch_sampler_options, mip_filter, .words = sch_mip_filter_words),
    SCH_SCENE_MEMBER(U32, sch_sampler_options, max_anisotropy),
    SCH_SCENE_MEMBER(FLOAT, sch_sampler_options, lod_bias),
    SCH_SCENE_MEMBER(FLOAT, sch_sampler_options, min_lod),
    SCH_SCENE_MEMBER(FLOAT, sch_sampler_options, max_lod),
    SCH_SCENE_MEMBER(FLOAT, sch_sampler_options, border, .count = 4),
    SCH_SCENE_MEMBER(BOOL, sch_sampler_options, unnormalized),
    SCH_SCENE_MEMBER(WORD, sch_sampler_options, compare, .words = sch_compare_words),
    SCH_SCENE_MEMBER(WORD, sch_sampler_options, reduction, .words = sch_reduction_words),
    SCH_SCENE_MEMBER(BOOL, sch_sampler_options, non_seamless_cube_map),
    SCH_SCENE_MEMBER(WORD, sch_sampler_options, rules, .words = rules),
    SCH_SCENE_OWN("wrap", read_wrap),
    SCH_SCENE_OWN("filter", read_filter),
    SCH_SCENE_OWN("border_words", read_border_words),
    SCH_SCENE_NO_MORE};

void sch_scene_read_sampler(struct sch_scene_text *text, struct sch_scene_object *object)
{
    object->sampler = (struct sch_sampler_options){.size = sizeof object->sampler};
    sch_scene_block(text, sampler_members, &object->sampler, "no member of a sampler has this name");
}

/* ---- vertex elements --------------------------------------------------------------------------------------------- */

/* FORMAT [buffer N] [offset N] [stride N] [divisor N] [two_registers], or none. UINT32_MAX: not given. */
static void read_element(struct sch_scene_text *text, struct sch_vertex_element *element)
{
    static const struct sch_scene_member members[] = {
        SCH_SCENE_MEMBER(U32, sch_vertex_element, buffer, .what = "a buffer", .high = SCH_VERTEX_BUFFERS - 1),
        SCH_SCENE_MEMBER(U32, sch_vertex_element, offset, .what = "an offset", .high = UINT32_MAX - 1),
        SCH_SCENE_MEMBER(U32, sch_vertex_element, stride, .what = "a stride", .high = UINT32_MAX - 1),
        SCH_SCENE_MEMBER(U32, sch_vertex_element, divisor, .what = "a divisor"),
        SCH_SCENE_MEMBER(FLAG, sch_vertex_element, two_registers),
        SCH_SCENE_NO_MORE};
    *element = (struct sch_vertex_element){.offset = UINT32_MAX, .stride = UINT32_MAX};
    if (!sch_scene_word(text, "none") && sch_scene_format(text, &element->format))
        sch_scene_options(text, members, element);
    sch_scene_end(text);
}

/* Offsets and strides that are not given: elements of a buffer follow each other without gaps. */
static void place_elements(struct sch_scene_elements *all)
{
    uint32_t ends[SCH_VERTEX_BUFFERS] = {0};
    for (uint32_t i = 0; i < all->count; i++) {
        struct sch_vertex_element *element = &all->elements[i];
        struct sch_format_info info = {.size = sizeof info};
        sch_format_get_info(element->format, &info);
        if (element->offset == UINT32_MAX) element->offset = ends[element->buffer];
        ends[element->buffer] = element->offset + info.block_bytes;
    }
    for (uint32_t i = 0; i < all->count; i++)
        if (all->elements[i].stride == UINT32_MAX) all->elements[i].stride = ends[all->elements[i].buffer];
}

void sch_scene_read_elements(struct sch_scene_text *text, struct sch_scene_object *object)
{
    struct sch_scene_elements *all = &object->elements;
    if (!sch_scene_open(text)) return;
    while (!text->wrong && !sch_scene_sign(text, '}')) {
        if (all->count == SCH_VERTEX_ELEMENTS)
            sch_scene_refuse(text, "SCENE_LIMIT", "there are at most %d vertex elements", SCH_VERTEX_ELEMENTS);
        else
            read_element(text, &all->elements[all->count++]);
    }
    if (!text->wrong) place_elements(all);
}
