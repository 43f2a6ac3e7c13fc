/* dynamic { ... }: viewports, scissors and what else changes from draw to draw. */
#include "members.h"

/* [index N] */
static bool read_number(struct sch_scene_text *text, uint32_t *number)
{
    *number = 0;
    return !sch_scene_word(text, "index") ||
           sch_scene_u32(text, "the number of a viewport", 0, SCH_VIEWPORTS - 1, number);
}

/* X Y WIDTH HEIGHT [depth NEAR FAR], or scale X Y Z translate X Y Z. */
static void read_viewport(struct sch_scene_text *text, void *state)
{
    struct sch_scene_dynamic *dynamic = state;
    uint32_t number;
    if (!read_number(text, &number)) return;
    if (number >= dynamic->state.viewport_count) dynamic->state.viewport_count = number + 1;
    struct sch_viewport *viewport = &dynamic->state.viewports[number];
    dynamic->given |= 1u << number;
    if (sch_scene_word(text, "scale")) {
        dynamic->rectangles &= ~(1u << number);
        if (!sch_scene_floats(text, "the scale", viewport->scale, 3)) return;
        if (!sch_scene_word(text, "translate"))
            sch_scene_refuse(text, "SCENE_SYNTAX", "translate and three numbers follow the scale");
        sch_scene_floats(text, "the translation", viewport->translate, 3);
        return;
    }
    float rectangle[4], depth[2] = {0, 1};
    if (!sch_scene_floats(text, "each of x, y, width and height", rectangle, 4)) return;
    if (sch_scene_word(text, "depth") && !sch_scene_floats(text, "each depth", depth, 2)) return;
    dynamic->rectangles |= 1u << number;
    dynamic->viewports[number] =
        (struct sch_player_rectangle){rectangle[0], rectangle[1], rectangle[2], rectangle[3], depth[0], depth[1]};
}

bool sch_scene_scissor(struct sch_scene_text *text, struct sch_scissor *scissor)
{
    return sch_scene_u32(text, "the left side", 0, UINT32_MAX, &scissor->left) &&
           sch_scene_u32(text, "the top", 0, UINT32_MAX, &scissor->top) &&
           sch_scene_u32(text, "the right side", 0, UINT32_MAX, &scissor->right) &&
           sch_scene_u32(text, "the bottom", 0, UINT32_MAX, &scissor->bottom);
}

static void read_scissor(struct sch_scene_text *text, void *state)
{
    struct sch_scene_dynamic *dynamic = state;
    uint32_t number;
    if (read_number(text, &number)) sch_scene_scissor(text, &dynamic->state.scissors[number]);
}

static void read_references(struct sch_scene_text *text, void *state)
{
    struct sch_scene_dynamic *dynamic = state;
    uint32_t front, back;
    if (!sch_scene_u32(text, "a stencil reference", 0, 255, &front)) return;
    back = front;
    if (!sch_scene_at_end(text) && !sch_scene_u32(text, "a stencil reference", 0, 255, &back)) return;
    dynamic->state.stencil_reference[0] = (uint8_t)front;
    dynamic->state.stencil_reference[1] = (uint8_t)back;
}

static void read_clip_plane(struct sch_scene_text *text, void *state)
{
    struct sch_scene_dynamic *dynamic = state;
    uint32_t plane;
    if (sch_scene_u32(text, "the number of a clip plane", 0, SCH_CLIP_PLANES - 1, &plane))
        sch_scene_floats(text, "clip_plane", dynamic->state.clip_planes[plane], 4);
}

static void read_stipple(struct sch_scene_text *text, void *state)
{
    struct sch_scene_dynamic *dynamic = state;
    if (!sch_scene_open(text)) return;
    for (unsigned row = 0; row < 32; row++) {
        if (!sch_scene_u32(text, "each of 32 rows", 0, UINT32_MAX, &dynamic->state.polygon_stipple[row])) return;
        sch_scene_skip_lines(text);
    }
    if (!sch_scene_sign(text, '}')) sch_scene_refuse(text, "SCENE_SYNTAX", "expected } after 32 rows");
}

void sch_scene_read_dynamic(struct sch_scene_text *text, struct sch_scene_dynamic *dynamic)
{
    static const struct sch_scene_member members[] = {
        SCH_SCENE_OWN("viewport", read_viewport),
        SCH_SCENE_OWN("scissor", read_scissor),
        SCH_SCENE_MEMBER(FLOAT, sch_dynamic_state, blend_color, .count = 4),
        SCH_SCENE_OWN("stencil_reference", read_references),
        SCH_SCENE_OWN("clip_plane", read_clip_plane),
        SCH_SCENE_OWN("polygon_stipple", read_stipple),
        SCH_SCENE_MEMBER(U32, sch_dynamic_state, sample_mask),
        SCH_SCENE_MEMBER(U32, sch_dynamic_state, min_samples, .high = 16),
        SCH_SCENE_MEMBER(FLOAT, sch_dynamic_state, default_outer_levels, .count = 4),
        SCH_SCENE_MEMBER(FLOAT, sch_dynamic_state, default_inner_levels, .count = 2),
        SCH_SCENE_MEMBER(U32, sch_dynamic_state, patch_vertices, .low = 1, .high = SCH_PATCH_VERTICES),
        SCH_SCENE_NO_MORE};
    _Static_assert(offsetof(struct sch_scene_dynamic, state) == 0, "members of the state are the struct's");
    dynamic->state.size = sizeof dynamic->state;
    sch_dynamic_state_default(&dynamic->state);
    sch_scene_block(text, members, dynamic, "no member of dynamic state has this name");
}
