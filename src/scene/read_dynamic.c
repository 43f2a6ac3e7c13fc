/* dynamic { ... }: viewports, scissors and what else changes from draw to draw. */
#include "text.h"

/* [index N] */
static bool read_number(struct sch_scene_text *text, uint32_t *number)
{
    *number = 0;
    return !sch_scene_word(text, "index") ||
           sch_scene_u32(text, "the number of a viewport", 0, SCH_VIEWPORTS - 1, number);
}

/* X Y WIDTH HEIGHT [depth NEAR FAR], or scale X Y Z translate X Y Z. */
static bool read_viewport(struct sch_scene_text *text, struct sch_scene_dynamic *dynamic)
{
    uint32_t number;
    if (!read_number(text, &number)) return false;
    if (number >= dynamic->state.viewport_count) dynamic->state.viewport_count = number + 1;
    struct sch_viewport *viewport = &dynamic->state.viewports[number];
    dynamic->given |= 1u << number;
    if (sch_scene_word(text, "scale")) {
        dynamic->rectangles &= ~(1u << number);
        if (!sch_scene_floats(text, "the scale", viewport->scale, 3)) return false;
        if (!sch_scene_word(text, "translate"))
            return sch_scene_refuse(text, "SCENE_SYNTAX", "translate and three numbers follow the scale");
        return sch_scene_floats(text, "the translation", viewport->translate, 3);
    }
    float rectangle[4], depth[2] = {0, 1};
    if (!sch_scene_floats(text, "each of x, y, width and height", rectangle, 4)) return false;
    if (sch_scene_word(text, "depth") && !sch_scene_floats(text, "each depth", depth, 2)) return false;
    dynamic->rectangles |= 1u << number;
    dynamic->viewports[number] =
        (struct sch_scene_viewport){rectangle[0], rectangle[1], rectangle[2], rectangle[3], depth[0], depth[1]};
    return true;
}

bool sch_scene_scissor(struct sch_scene_text *text, struct sch_scissor *scissor)
{
    return sch_scene_u32(text, "the left side", 0, UINT32_MAX, &scissor->left) &&
           sch_scene_u32(text, "the top", 0, UINT32_MAX, &scissor->top) &&
           sch_scene_u32(text, "the right side", 0, UINT32_MAX, &scissor->right) &&
           sch_scene_u32(text, "the bottom", 0, UINT32_MAX, &scissor->bottom);
}

static bool read_scissor(struct sch_scene_text *text, struct sch_scene_dynamic *dynamic)
{
    uint32_t number;
    if (!read_number(text, &number)) return false;
    return sch_scene_scissor(text, &dynamic->state.scissors[number]);
}

static bool read_references(struct sch_scene_text *text, struct sch_dynamic_state *state)
{
    uint32_t front, back;
    if (!sch_scene_u32(text, "a stencil reference", 0, 255, &front)) return false;
    back = front;
    if (!sch_scene_at_end(text) && !sch_scene_u32(text, "a stencil reference", 0, 255, &back)) return false;
    state->stencil_reference[0] = (uint8_t)front;
    state->stencil_reference[1] = (uint8_t)back;
    return true;
}

static bool read_stipple(struct sch_scene_text *text, struct sch_dynamic_state *state)
{
    if (!sch_scene_open(text)) return false;
    for (unsigned row = 0; row < 32; row++) {
        if (!sch_scene_u32(text, "each of 32 rows", 0, UINT32_MAX, &state->polygon_stipple[row])) return false;
        sch_scene_skip_lines(text);
    }
    return sch_scene_sign(text, '}') || sch_scene_refuse(text, "SCENE_SYNTAX", "expected } after 32 rows");
}

static bool read_line(struct sch_scene_text *text, struct sch_scene_dynamic *dynamic)
{
    struct sch_dynamic_state *state = &dynamic->state;
    uint32_t plane;
    if (sch_scene_word(text, "viewport")) return read_viewport(text, dynamic);
    if (sch_scene_word(text, "scissor")) return read_scissor(text, dynamic);
    if (sch_scene_word(text, "blend_color")) return sch_scene_floats(text, "blend_color", state->blend_color, 4);
    if (sch_scene_word(text, "stencil_reference")) return read_references(text, state);
    if (sch_scene_word(text, "clip_plane"))
        return sch_scene_u32(text, "the number of a clip plane", 0, SCH_CLIP_PLANES - 1, &plane) &&
               sch_scene_floats(text, "clip_plane", state->clip_planes[plane], 4);
    if (sch_scene_word(text, "polygon_stipple")) return read_stipple(text, state);
    if (sch_scene_word(text, "sample_mask"))
        return sch_scene_u32(text, "sample_mask", 0, UINT32_MAX, &state->sample_mask);
    if (sch_scene_word(text, "min_samples")) return sch_scene_u32(text, "min_samples", 0, 16, &state->min_samples);
    if (sch_scene_word(text, "default_outer_levels"))
        return sch_scene_floats(text, "default_outer_levels", state->default_outer_levels, 4);
    if (sch_scene_word(text, "default_inner_levels"))
        return sch_scene_floats(text, "default_inner_levels", state->default_inner_levels, 2);
    if (sch_scene_word(text, "patch_vertices"))
        return sch_scene_u32(text, "patch_vertices", 1, SCH_PATCH_VERTICES, &state->patch_vertices);
    return sch_scene_refuse(text, "SCENE_WORD", "no member of dynamic state has this name");
}

void sch_scene_read_dynamic(struct sch_scene_text *text, struct sch_scene_dynamic *dynamic)
{
    dynamic->state.size = sizeof dynamic->state;
    sch_dynamic_state_default(&dynamic->state);
    if (!sch_scene_open(text)) return;
    while (!sch_scene_sign(text, '}'))
        if (!read_line(text, dynamic) || !sch_scene_end(text)) return;
}
