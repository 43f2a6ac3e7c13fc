/* State objects: lines of a member's name, which is that of include/scheelite/state.h, and its value. */
#include "text.h"

enum member_kind { MEMBER_BOOL, MEMBER_FLOAT, MEMBER_U32, MEMBER_U16, MEMBER_U8, MEMBER_WORD };

/* A member of a struct. */
struct member {
    const char *word; /* NULL ends a table */
    enum member_kind kind;
    size_t offset;
    const char *const *words; /* WORD: an enumeration, or bits, of 32 bits */
    unsigned count;           /* FLOAT: so many; 0: one */
};

/* What is in a table for a struct. */
typedef bool special_fn(struct sch_scene_text *text, void *state);

static bool read_value(struct sch_scene_text *text, const struct member *member, uint8_t *at)
{
    uint32_t number = 0;
    switch (member->kind) {
    case MEMBER_BOOL:
        return sch_scene_bool(text, (bool *)at);
    case MEMBER_FLOAT:
        return sch_scene_floats(text, member->word, (float *)(void *)at, member->count ? member->count : 1);
    case MEMBER_U32:
        return sch_scene_u32(text, member->word, 0, UINT32_MAX, (uint32_t *)(void *)at);
    case MEMBER_U16:
        if (!sch_scene_u32(text, member->word, 0, UINT16_MAX, &number)) return false;
        *(uint16_t *)(void *)at = (uint16_t)number;
        return true;
    case MEMBER_U8:
        if (!sch_scene_u32(text, member->word, 0, UINT8_MAX, &number)) return false;
        *at = (uint8_t)number;
        return true;
    case MEMBER_WORD:
        return sch_scene_choice(text, member->words, member->word, (uint32_t *)(void *)at);
    }
    return false;
}

/* { members }; `special` takes lines that the table does not have, and refuses unknown ones. */
static bool read_members(struct sch_scene_text *text, const struct member *members, void *state, special_fn *special)
{
    if (!sch_scene_open(text)) return false;
    while (!text->wrong && !sch_scene_sign(text, '}')) {
        const struct member *member = members;
        while (member->word && !sch_scene_is(text, member->word)) member++;
        if (member->word) {
            sch_scene_next(text);
            read_value(text, member, (uint8_t *)state + member->offset);
        } else if (special) {
            special(text, state);
        } else {
            sch_scene_refuse(text, "SCENE_WORD", "no member of this state has this name");
        }
        sch_scene_end(text);
    }
    return !text->wrong;
}

/* ---- rasterizer -------------------------------------------------------------------------------------------------- */

#define RASTERIZER(kind, name)                                                                                         \
    {                                                                                                                  \
#name, kind, offsetof(struct sch_rasterizer_options, name), NULL, 0                                            \
    }
#define RASTERIZER_WORD(name, words)                                                                                   \
    {                                                                                                                  \
#name, MEMBER_WORD, offsetof(struct sch_rasterizer_options, name), words, 0                                    \
    }

/* Bits of enum sch_face. */
static const char *const faces[] = {"none", "front", "back", "front_and_back", NULL};

static const struct member rasterizer_members[] = {RASTERIZER(MEMBER_BOOL, flatshade),
                                                   RASTERIZER(MEMBER_BOOL, flatshade_first),
                                                   RASTERIZER(MEMBER_BOOL, light_twoside),
                                                   RASTERIZER(MEMBER_BOOL, clamp_vertex_color),
                                                   RASTERIZER(MEMBER_BOOL, clamp_fragment_color),
                                                   RASTERIZER(MEMBER_BOOL, front_ccw),
                                                   RASTERIZER_WORD(cull_face, faces),
                                                   RASTERIZER_WORD(fill_front, sch_fill_words),
                                                   RASTERIZER_WORD(fill_back, sch_fill_words),
                                                   RASTERIZER(MEMBER_BOOL, offset_point),
                                                   RASTERIZER(MEMBER_BOOL, offset_line),
                                                   RASTERIZER(MEMBER_BOOL, offset_tri),
                                                   RASTERIZER(MEMBER_FLOAT, offset_units),
                                                   RASTERIZER(MEMBER_FLOAT, offset_scale),
                                                   RASTERIZER(MEMBER_FLOAT, offset_clamp),
                                                   RASTERIZER(MEMBER_BOOL, offset_units_unscaled),
                                                   RASTERIZER(MEMBER_BOOL, scissor),
                                                   RASTERIZER(MEMBER_BOOL, poly_smooth),
                                                   RASTERIZER(MEMBER_BOOL, poly_stipple_enable),
                                                   RASTERIZER(MEMBER_FLOAT, point_size),
                                                   RASTERIZER(MEMBER_BOOL, point_size_per_vertex),
                                                   RASTERIZER(MEMBER_BOOL, point_smooth),
                                                   RASTERIZER(MEMBER_BOOL, point_quad_rasterization),
                                                   RASTERIZER(MEMBER_BOOL, point_tri_clip),
                                                   RASTERIZER(MEMBER_U32, sprite_coord_enable),
                                                   RASTERIZER_WORD(sprite_coord_mode, sch_sprite_origin_words),
                                                   RASTERIZER(MEMBER_BOOL, sprite_coord_generic),
                                                   RASTERIZER(MEMBER_FLOAT, line_width),
                                                   RASTERIZER(MEMBER_BOOL, line_smooth),
                                                   RASTERIZER(MEMBER_BOOL, line_rectangular),
                                                   RASTERIZER(MEMBER_BOOL, line_last_pixel),
                                                   RASTERIZER(MEMBER_BOOL, line_stipple_enable),
                                                   RASTERIZER(MEMBER_U16, line_stipple_pattern),
                                                   RASTERIZER(MEMBER_U32, line_stipple_factor),
                                                   RASTERIZER(MEMBER_BOOL, multisample),
                                                   RASTERIZER(MEMBER_BOOL, force_persample_interp),
                                                   RASTERIZER(MEMBER_BOOL, half_pixel_center),
                                                   RASTERIZER(MEMBER_BOOL, bottom_edge_rule),
                                                   RASTERIZER_WORD(conservative, sch_conservative_words),
                                                   RASTERIZER(MEMBER_FLOAT, conservative_dilate),
                                                   RASTERIZER(MEMBER_BOOL, rasterizer_discard),
                                                   RASTERIZER(MEMBER_BOOL, depth_clip_near),
                                                   RASTERIZER(MEMBER_BOOL, depth_clip_far),
                                                   RASTERIZER(MEMBER_BOOL, depth_clamp),
                                                   RASTERIZER(MEMBER_BOOL, clip_halfz),
                                                   RASTERIZER(MEMBER_U32, clip_plane_enable),
                                                   {NULL, MEMBER_BOOL, 0, NULL, 0}};

/* ---- depth, stencil, alpha --------------------------------------------------------------------------------------- */

#define FACE(kind, name, words)                                                                                        \
    {                                                                                                                  \
#name, kind, offsetof(struct sch_stencil_face, name), words, 0                                                 \
    }
#define DEPTH(kind, name, words)                                                                                       \
    {                                                                                                                  \
#name, kind, offsetof(struct sch_depth_stencil_alpha_options, name), words, 0                                  \
    }

static const struct member face_members[] = {FACE(MEMBER_BOOL, enabled, NULL),
                                             FACE(MEMBER_WORD, function, sch_compare_words),
                                             FACE(MEMBER_WORD, fail, sch_stencil_operation_words),
                                             FACE(MEMBER_WORD, depth_fail, sch_stencil_operation_words),
                                             FACE(MEMBER_WORD, pass, sch_stencil_operation_words),
                                             FACE(MEMBER_U8, value_mask, NULL),
                                             FACE(MEMBER_U8, write_mask, NULL),
                                             {NULL, MEMBER_BOOL, 0, NULL, 0}};

static const struct member depth_members[] = {DEPTH(MEMBER_BOOL, depth_enabled, NULL),
                                              DEPTH(MEMBER_BOOL, depth_writes, NULL),
                                              DEPTH(MEMBER_WORD, depth_function, sch_compare_words),
                                              DEPTH(MEMBER_BOOL, depth_bounds, NULL),
                                              DEPTH(MEMBER_FLOAT, depth_bounds_min, NULL),
                                              DEPTH(MEMBER_FLOAT, depth_bounds_max, NULL),
                                              DEPTH(MEMBER_BOOL, alpha_enabled, NULL),
                                              DEPTH(MEMBER_WORD, alpha_function, sch_compare_words),
                                              DEPTH(MEMBER_FLOAT, alpha_reference, NULL),
                                              {NULL, MEMBER_BOOL, 0, NULL, 0}};

/* stencil front|back { ... }: a face that is given is enabled. */
static bool read_stencil(struct sch_scene_text *text, void *state)
{
    static const char *const words[] = {"front", "back", NULL};
    struct sch_depth_stencil_alpha_options *options = state;
    uint32_t which = 0;
    if (!sch_scene_word(text, "stencil"))
        return sch_scene_refuse(text, "SCENE_WORD", "no member of this state has this name");
    if (!sch_scene_choice(text, words, "the face", &which)) return false;
    struct sch_stencil_face *face = &options->stencil[which];
    face->enabled = true;
    face->function = SCH_COMPARE_ALWAYS;
    face->value_mask = face->write_mask = 0xff;
    return read_members(text, face_members, face, NULL);
}

/* ---- blending ---------------------------------------------------------------------------------------------------- */

#define TARGET(kind, name, words)                                                                                      \
    {                                                                                                                  \
#name, kind, offsetof(struct sch_blend_target, name), words, 0                                                 \
    }
#define BLEND(kind, name, words)                                                                                       \
    {                                                                                                                  \
#name, kind, offsetof(struct sch_blend_options, name), words, 0                                                \
    }

static const struct member target_members[] = {TARGET(MEMBER_BOOL, enabled, NULL),
                                               TARGET(MEMBER_WORD, color_equation, sch_blend_equation_words),
                                               TARGET(MEMBER_WORD, color_source, sch_blend_factor_words),
                                               TARGET(MEMBER_WORD, color_destination, sch_blend_factor_words),
                                               TARGET(MEMBER_WORD, alpha_equation, sch_blend_equation_words),
                                               TARGET(MEMBER_WORD, alpha_source, sch_blend_factor_words),
                                               TARGET(MEMBER_WORD, alpha_destination, sch_blend_factor_words),
                                               TARGET(MEMBER_U8, color_mask, NULL),
                                               {NULL, MEMBER_BOOL, 0, NULL, 0}};

static const struct member blend_members[] = {BLEND(MEMBER_BOOL, independent, NULL),
                                              BLEND(MEMBER_BOOL, logic_enabled, NULL),
                                              BLEND(MEMBER_WORD, logic_operation, sch_logic_operation_words),
                                              BLEND(MEMBER_BOOL, alpha_to_coverage, NULL),
                                              BLEND(MEMBER_BOOL, alpha_to_one, NULL),
                                              BLEND(MEMBER_WORD, advanced, sch_advanced_blend_words),
                                              {NULL, MEMBER_BOOL, 0, NULL, 0}};

/* target N { ... }; a target that is given blends unless it says otherwise. */
static bool read_target(struct sch_scene_text *text, void *state)
{
    struct sch_blend_options *options = state;
    uint32_t number;
    if (!sch_scene_word(text, "target"))
        return sch_scene_refuse(text, "SCENE_WORD", "no member of this state has this name");
    if (!sch_scene_u32(text, "a target", 0, SCH_COLOR_BUFFERS - 1, &number)) return false;
    if (number) options->independent = true;
    options->targets[number].enabled = true;
    return read_members(text, target_members, &options->targets[number], NULL);
}

void sch_scene_read_state(struct sch_scene_text *text, struct sch_scene_object *object)
{
    switch (object->kind) {
    case SCH_SCENE_RASTERIZER:
        object->rasterizer.size = sizeof object->rasterizer;
        sch_rasterizer_options_default(&object->rasterizer);
        read_members(text, rasterizer_members, &object->rasterizer, NULL);
        break;
    case SCH_SCENE_DEPTH_STENCIL_ALPHA:
        object->depth_stencil_alpha.size = sizeof object->depth_stencil_alpha;
        sch_depth_stencil_alpha_options_default(&object->depth_stencil_alpha);
        read_members(text, depth_members, &object->depth_stencil_alpha, read_stencil);
        break;
    default: /* SCH_SCENE_BLEND */
        object->blend.size = sizeof object->blend;
        sch_blend_options_default(&object->blend);
        read_members(text, blend_members, &object->blend, read_target);
        break;
    }
}

/* ---- samplers ---------------------------------------------------------------------------------------------------- */

#define SAMPLER(kind, name, words, count)                                                                              \
    {                                                                                                                  \
#name, kind, offsetof(struct sch_sampler_options, name), words, count                                          \
    }

/* Those of Maxwell are for its own lookups. */
static const char *const rules[] = {"tgsi", "d3d", NULL};

static const struct member sampler_members[] = {SAMPLER(MEMBER_WORD, wrap_s, sch_wrap_words, 0),
                                                SAMPLER(MEMBER_WORD, wrap_t, sch_wrap_words, 0),
                                                SAMPLER(MEMBER_WORD, wrap_r, sch_wrap_words, 0),
                                                SAMPLER(MEMBER_WORD, min_filter, sch_filter_words, 0),
                                                SAMPLER(MEMBER_WORD, mag_filter, sch_filter_words, 0),
                                                SAMPLER(MEMBER_WORD, mip_filter, sch_mip_filter_words, 0),
                                                SAMPLER(MEMBER_U32, max_anisotropy, NULL, 0),
                                                SAMPLER(MEMBER_FLOAT, lod_bias, NULL, 0),
                                                SAMPLER(MEMBER_FLOAT, min_lod, NULL, 0),
                                                SAMPLER(MEMBER_FLOAT, max_lod, NULL, 0),
                                                SAMPLER(MEMBER_FLOAT, border, NULL, 4),
                                                SAMPLER(MEMBER_BOOL, unnormalized, NULL, 0),
                                                SAMPLER(MEMBER_WORD, compare, sch_compare_words, 0),
                                                SAMPLER(MEMBER_WORD, reduction, sch_reduction_words, 0),
                                                SAMPLER(MEMBER_BOOL, non_seamless_cube_map, NULL, 0),
                                                SAMPLER(MEMBER_WORD, rules, rules, 0),
                                                {NULL, MEMBER_BOOL, 0, NULL, 0}};

/* wrap W, filter F: of all directions, of both sides. border_words: of integer formats. */
static bool read_short(struct sch_scene_text *text, void *state)
{
    struct sch_sampler_options *options = state;
    uint32_t chosen = 0;
    if (sch_scene_word(text, "wrap")) {
        if (!sch_scene_choice(text, sch_wrap_words, "wrap", &chosen)) return false;
        options->wrap_s = options->wrap_t = options->wrap_r = (enum sch_wrap)chosen;
        return true;
    }
    if (sch_scene_word(text, "filter")) {
        if (!sch_scene_choice(text, sch_filter_words, "filter", &chosen)) return false;
        options->min_filter = options->mag_filter = (enum sch_filter)chosen;
        return true;
    }
    if (!sch_scene_word(text, "border_words"))
        return sch_scene_refuse(text, "SCENE_WORD", "no member of a sampler has this name");
    options->border_is_words = true;
    for (unsigned i = 0; i < 4; i++)
        if (!sch_scene_u32(text, "border_words", 0, UINT32_MAX, &options->border_words[i])) return false;
    return true;
}

void sch_scene_read_sampler(struct sch_scene_text *text, struct sch_scene_object *object)
{
    object->sampler = (struct sch_sampler_options){.size = sizeof object->sampler};
    read_members(text, sampler_members, &object->sampler, read_short);
}

/* ---- vertex elements --------------------------------------------------------------------------------------------- */

/* FORMAT [buffer N] [offset N] [stride N] [divisor N] [two_registers], or none. UINT32_MAX: not given. */
static bool read_element(struct sch_scene_text *text, struct sch_vertex_element *element)
{
    *element = (struct sch_vertex_element){.offset = UINT32_MAX, .stride = UINT32_MAX};
    if (sch_scene_word(text, "none")) return sch_scene_end(text);
    if (!sch_scene_format(text, &element->format)) return false;
    while (!sch_scene_at_end(text)) {
        if (sch_scene_word(text, "buffer"))
            sch_scene_u32(text, "a buffer", 0, SCH_VERTEX_BUFFERS - 1, &element->buffer);
        else if (sch_scene_word(text, "offset"))
            sch_scene_u32(text, "an offset", 0, UINT32_MAX - 1, &element->offset);
        else if (sch_scene_word(text, "stride"))
            sch_scene_u32(text, "a stride", 0, UINT32_MAX - 1, &element->stride);
        else if (sch_scene_word(text, "divisor"))
            sch_scene_u32(text, "a divisor", 0, UINT32_MAX, &element->divisor);
        else if (sch_scene_word(text, "two_registers"))
            element->two_registers = true;
        else
            sch_scene_refuse(text, "SCENE_WORD", "buffer, offset, stride, divisor and two_registers are allowed here");
    }
    return sch_scene_end(text);
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
